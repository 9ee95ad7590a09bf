//! COLLADA: positions and colors of its surfaces, and errors in a file.

use std::path::Path;

use glam::Vec3;
use tumble::import::model::Model;
use tumble::import::{NoteKind, ReadAs, load_model};
use tumble::scene::looks::Paint;
use tumble::scene::{OpenAs, Scene, SceneName, load_scene};

use super::robots;
use super::writers::{dae, line_of, torus, write};

/// A box of 2 × 4 × 6 cm as quads, twice in a frame rotated about z, and once unrotated; z is up.
const BOXES: &str = r##"<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.01" name="centimeter"/><up_axis>Z_UP</up_axis></asset>
<library_effects>
<effect id="red-fx"><profile_COMMON><technique sid="t"><phong><diffuse><color>1 0 0 1</color></diffuse></phong></technique></profile_COMMON></effect>
<effect id="wood-fx"><profile_COMMON><technique sid="t"><lambert><diffuse><texture texture="w" texcoord="0"/></diffuse></lambert></technique></profile_COMMON></effect>
</library_effects>
<library_materials>
<material id="red"><instance_effect url="#red-fx"/></material>
<material id="wood"><instance_effect url="#wood-fx"/></material>
</library_materials>
<library_geometries><geometry id="box" name="box"><mesh>
<source id="p"><float_array id="a" count="24">-1 -2 -3 1 -2 -3 1 2 -3 -1 2 -3 -1 -2 3 1 -2 3 1 2 3 -1 2 3</float_array>
<technique_common><accessor source="#a" count="8" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist material="sides" count="4"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4 4 4 4</vcount>
<p>0 1 5 4 1 2 6 5 2 3 7 6 3 0 4 7</p></polylist>
<polygons material="ends" count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>3 2 1 0</p><p>4 5 6 7</p></polygons>
<lines count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1</p></lines>
</mesh></geometry></library_geometries>
<library_nodes><node id="pair"><translate>10 0 0</translate>
<node name="left"><instance_geometry url="#box"><bind_material><technique_common><instance_material symbol="sides" target="#red"/><instance_material symbol="ends" target="#wood"/></technique_common></bind_material></instance_geometry></node>
<node name="right"><matrix>1 0 0 0 0 1 0 5 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#box"/></node>
</node></library_nodes>
<library_visual_scenes><visual_scene id="all">
<node name="frame"><rotate>0 0 1 90</rotate><instance_node url="#pair"/></node>
<node name="alone"><scale>2 1 1</scale><instance_geometry url="#box"/></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#all"/></scene>
</COLLADA>
"##;

fn open(path: &Path) -> Scene {
    let open_as = Some(OpenAs::Designed);
    load_scene(SceneName { open_as, ..SceneName::from(path.to_str().unwrap()) }, None).unwrap()
}

#[test]
fn surfaces_stand_where_their_nodes_are_in_meters_with_y_up() {
    let folder = tempfile::tempdir().unwrap();
    let scene = open(&write(folder.path(), "boxes.dae", BOXES));
    let found: Vec<_> = scene
        .bodies
        .iter()
        .map(|body| {
            let bounds = scene.meshes[body.mesh.unwrap() as usize].bounds().transformed(&body.pose);
            let round = |p: Vec3| p.to_array().map(|x| (x * 1e3).round() as i32);
            (&body.path[..], round(bounds.min), round(bounds.max))
        })
        .collect();
    // 90° about z: x of the file is its y, which is −z here.
    let expected = [
        ("frame/pair/left", [-20, -30, -110], [20, 30, -90]),
        ("frame/pair/right", [-70, -30, -110], [-30, 30, -90]),
        ("alone", [-20, -30, -20], [20, 30, 20]),
    ];
    assert_eq!(found, expected);
    let closed = |body: u32| scene.meshes[scene.bodies[body as usize].mesh.unwrap() as usize].surface().flaws;
    assert_eq!([0, 1, 2].map(|body| closed(body).boundary_edge_count), [0; 3]);
    let Paint::Corners(corners) = &scene.paints[scene.bodies[0].paint as usize] else { panic!("one colour") };
    let red = corners.iter().filter(|c| **c == [[255, 0, 0]; 3]).count();
    assert_eq!((red, corners.len()), (8, 12), "its sides; its ends have a texture");
    assert!(scene.notes.iter().any(|n| n.text == "1 lists of lines are left out"), "{:?}", scene.notes);
}

#[test]
fn faces_that_are_left_out_or_filled_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let text = BOXES
        .replace("<vcount>4 4 4 4", "<vcount>4 4 4 2 2")
        .replace("<p>3 2 1 0</p>", "<ph><p>3 2 1 0</p><h>4 5 6</h></ph>")
        .replace("<p>4 5 6 7</p>", "<p>4 4 4 4</p>");
    let model = load_model(&write(folder.path(), "faces.dae", text), &ReadAs::default()).unwrap();
    for text in [
        "1 holes in polygons are filled",
        "2 faces of fewer than three corners are left out",
        "1 faces of four corners or more have no area: left out",
    ] {
        assert!(model.notes.iter().any(|n| n.text == text), "{text}: {:?}", model.notes);
    }
}

/// Checks rows of a matrix below the third. They give a distance from the eye, and a node has no eye.
#[test]
fn a_matrix_with_perspective_is_taken_without_it_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let open = |row: &str| {
        let text = BOXES.replace("0 0 1 0 0 0 0 1</matrix>", &format!("0 0 1 0 {row}</matrix>"));
        load_model(&write(folder.path(), "matrix.dae", text), &ReadAs::default()).unwrap()
    };
    let [plain, odd] = [open("0 0 0 1"), open("0.5 0 0 2")];
    let matrices = |model: &Model| model.nodes.iter().map(|n| n.local.matrix()).collect::<Vec<_>>();
    assert_eq!(matrices(&plain), matrices(&odd));
    let says = |model: &Model| {
        model.notes.iter().any(|n| {
            n.kind == NoteKind::Warning
                && n.text == "the matrix of node \"right\" ends in [0.5, 0, 0, 2], not in 0 0 0 1: that row is left out"
        })
    };
    assert!(says(&odd) && !says(&plain), "{:?}", odd.notes);
}

#[test]
fn colours_that_are_no_numbers_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let text = BOXES.replace("<color>1 0 0 1</color>", "<color>1 0 red 1</color>");
    let model = load_model(&write(folder.path(), "red.dae", text), &ReadAs::default()).unwrap();
    let wanted = "1 colours of materials are not three or four numbers: they are left out";
    assert!(model.notes.iter().any(|n| n.text == wanted), "{:?}", model.notes);
}

#[test]
fn a_robot_has_its_meshes_as_they_stand_in_their_unit() {
    let folder = tempfile::tempdir().unwrap();
    let path = robots::arm(folder.path());
    let ring = torus("ring", Vec3::ZERO, 1.0, 0.3, 12, 8);
    // The robot specifies their rotation, whatever axis is up in them.
    let text = dae(&[ring]).replace("meter=\"1\"", "meter=\"0.5\"");
    write(folder.path(), "arm/meshes/ring.dae", text);
    let stl = load_scene(path.to_str().unwrap(), None).unwrap();
    let urdf = std::fs::read_to_string(&path).unwrap().replace("ring.stl", "ring.dae");
    write(folder.path(), "arm/arm.urdf", urdf);
    let dae = load_scene(path.to_str().unwrap(), None).unwrap();
    let says = |text: &str| dae.notes.iter().any(|n| n.place == "ring.dae" && n.text.contains(text));
    assert!(says("its up axis y is ignored: the mesh keeps the axes of its link"), "{:?}", dae.notes);
    let size = |scene: &Scene| {
        let left = scene.bodies.iter().find(|b| b.name == "left").unwrap();
        scene.meshes[left.mesh.unwrap() as usize].bounds().size()
    };
    assert!((size(&dae) * 2.0).distance(size(&stl)) < 1e-6, "{} {}", size(&dae), size(&stl));
}

#[test]
fn errors_of_a_collada_file_name_the_line() {
    let folder = tempfile::tempdir().unwrap();
    for (from, to, wanted) in [
        ("<p>0 1 5 4", "<p>0 1 5 8", "LINE: there is no vertex 8: there are 8, from 0"),
        ("<vcount>4 4 4 4", "<vcount>4 4 4 5", "LINE: there are fewer corners than it says"),
        ("<vcount>4 4 4 4", "<vcount>4 4 4 3", "LINE: there are more corners than it says"),
        ("-1 -2 -3 1", "-1 -2 nan 1", "LINE: \"nan\" is no number"),
        ("count=\"8\" stride", "count=\"9\" stride", "LINE: 9 positions of 3 numbers are not in 24"),
        ("url=\"#pair\"", "url=\"#paar\"", "LINE: url=\"#paar\" leads to no <node> of this file"),
        (
            "<node name=\"left\">",
            "<node name=\"left\"><instance_node url=\"#pair\"/>",
            "nodes below each other",
        ),
        ("meter=\"0.01\"", "meter=\"-1\"", "LINE: a unit of -1 m is none"),
        ("<COLLADA", "<COLLATA", "is no XML that is read"),
    ] {
        let text = BOXES.replacen(from, to, 1);
        assert_ne!(text, BOXES, "{from}");
        let wanted = wanted.replace("LINE", &line_of(BOXES, from));
        let path = write(folder.path(), "bad.dae", text);
        let error = load_model(&path, &ReadAs::default()).unwrap_err().to_string();
        assert!(error.contains(&wanted), "{error}, not {wanted}");
    }
    // Nested copies.
    let mut nodes = "<node id=\"n0\"><instance_geometry url=\"#box\"/></node>".to_owned();
    for level in 1..40 {
        let below = format!("<instance_node url=\"#n{}\"/>", level - 1);
        nodes += &format!("<node id=\"n{level}\">{below}{below}</node>");
    }
    let text = BOXES
        .replace("<library_nodes>", &format!("<library_nodes>{nodes}"))
        .replace("url=\"#pair\"", "url=\"#n39\"");
    let path = write(folder.path(), "copies.dae", text);
    let error = load_model(&path, &ReadAs::default()).unwrap_err().to_string();
    assert!(error.contains("copies of nodes, the limit"), "{error}");
}
