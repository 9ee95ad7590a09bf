//! Small files with high costs: they are read, or refused with a position, before anything is built
//! from them.

use std::fmt::Write;
use std::path::Path;

use glam::Vec3;
use tumble::import::{ReadAs, load_model};
use tumble::scene::load_scene;

use super::writers::{dae, line_of, stl_binary, torus, write};

/// Returns a file of a triangle and the given nodes.
fn scene_of(nodes: &str) -> String {
    format!(
        "<COLLADA><library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\">0 0 0 1 0 0 0 1 0\
         </float_array><technique_common><accessor source=\"#a\" count=\"3\" stride=\"3\"/></technique_common></source>\
         <vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices><triangles material=\"m0\">\
         <input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry>\n\
         </library_geometries><library_visual_scenes><visual_scene id=\"s\">{nodes}</visual_scene></library_visual_scenes>\
         <scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"
    )
}

/// Returns nodes that each contain the next one twice, `levels` deep.
fn doubled(levels: u32, last: &str) -> String {
    let mut nodes = String::new();
    for level in 0..levels {
        let below = format!("<instance_node url=\"#n{}\"/>", level + 1);
        write!(nodes, "<node id=\"n{level}\">{below}{below}</node>").unwrap();
    }
    format!("{nodes}<node id=\"n{levels}\">{last}</node>")
}

fn refused(path: &Path) -> String {
    load_model(path, &ReadAs::default()).unwrap_err().to_string()
}

#[test]
fn a_node_that_is_many_times_below_itself_is_refused_before_it_takes_memory() {
    let folder = tempfile::tempdir().unwrap();
    let wide = format!("<node id=\"n\">{}</node>", "<instance_node url=\"#n\"/>".repeat(20_000));
    let error = refused(&write(folder.path(), "wide.dae", scene_of(&wide)));
    assert!(error.contains("line 2: ") && error.contains("nodes and copies of nodes, the limit"), "{error}");
    // Ignored elements of a node count too, once per copy of the node.
    let idle = format!("<instance_geometry url=\"#g\"/>{}", "<extra/>".repeat(1000));
    let error = refused(&write(folder.path(), "idle.dae", scene_of(&doubled(17, &idle))));
    assert!(error.contains("elements of nodes and of copies of nodes, the limit"), "{error}");
}

#[test]
fn a_geometry_with_many_materials_is_coloured_once_however_often_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let bound: String =
        (0..1900).map(|k| format!("<instance_material symbol=\"m{k}\" target=\"#m\"/>")).collect();
    let last =
        format!("<instance_geometry url=\"#g\"><bind_material>{bound}</bind_material></instance_geometry>");
    let material = "<library_effects><effect id=\"e\"><profile_COMMON><technique><phong><diffuse><color>1 0 0</color>\
                    </diffuse></phong></technique></profile_COMMON></effect></library_effects><library_materials>\
                    <material id=\"m\"><instance_effect url=\"#e\"/></material></library_materials>";
    let text = scene_of(&doubled(15, &last))
        .replace("<library_geometries>", &format!("{material}<library_geometries>"));
    let model = load_model(&write(folder.path(), "bound.dae", text), &ReadAs::default()).unwrap();
    assert_eq!(model.nodes.iter().filter(|n| n.geometry.is_some()).count(), (1 << 16) - 1);
    // A color may have three numbers.
    assert_eq!((model.geometries.len(), &model.geometries[0].colors[..]), (1, &[[[255, 0, 0]; 3]][..]));
}

#[test]
fn names_of_namespaces_and_attributes_are_counted_before_a_file_is_parsed() {
    let folder = tempfile::tempdir().unwrap();
    let nested: String = (0..4000).map(|k| format!("<a xmlns:a{k}=\"x\">\n")).collect();
    let nested = format!("<robot name=\"r\">\n<link name=\"a\"/>{nested}{}</robot>", "</a>".repeat(4000));
    let attributes: String = (0..60_000).map(|k| format!(" a{k}=\"\"")).collect();
    let attributes = format!("<robot name=\"r\"><link name=\"a\"/>\n<b{attributes}/></robot>");
    for (text, wanted) in [
        (nested, "line 34: there are 33 namespaces at one place, the limit is 32"),
        (attributes, "line 2: there are 60,000 attributes of one element, the limit is 64"),
    ] {
        for name in ["a.urdf", "a.dae"] {
            let error = refused(&write(folder.path(), name, &text));
            assert!(error.contains(wanted), "{error}");
        }
    }
}

/// Returns a robot whose links show one mesh, each in another color.
fn colorful(count: u32, mesh: &str) -> String {
    let mut text = "<robot name=\"r\"><link name=\"base\">\n".to_owned();
    for k in 0..count {
        let color = format!("{} {} 0 1", f64::from(k % 250) / 255.0, f64::from(k / 250) / 255.0);
        let geometry = format!("<geometry><mesh filename=\"{mesh}\"/></geometry>");
        writeln!(text, "<visual>{geometry}<material name=\"\"><color rgba=\"{color}\"/></material></visual>")
            .unwrap();
    }
    text + "</link></robot>"
}

#[test]
fn a_mesh_in_many_colours_is_refused_before_it_is_copied() {
    let folder = tempfile::tempdir().unwrap();
    let ring = torus("ring", Vec3::ZERO, 1.0, 0.3, 100, 60);
    write(folder.path(), "ring.dae", dae(std::slice::from_ref(&ring)));
    let read =
        |count| load_model(&write(folder.path(), "r.urdf", colorful(count, "ring.dae")), &ReadAs::default());
    assert_eq!(read(20).unwrap().geometries.len(), 21);
    let error = read(60_000).unwrap_err().to_string();
    // 6,000 vertices and 12,000 triangles each.
    let wanted = "r.urdf: line 235: there are 4,212,000 vertices and triangles of meshes in other colours";
    assert!(error.contains(wanted), "{error}");
    // The same in COLLADA, by materials.
    let [mut materials, mut nodes] = [String::new(), String::new()];
    for k in 0..3000 {
        let color = format!("{} {} 0 1", f64::from(k % 250) / 255.0, f64::from(k / 250) / 255.0);
        let effect =
            format!("<effect id=\"e{k}\"><profile_COMMON><technique><phong><diffuse><color>{color}</color>");
        let effect = format!("{effect}</diffuse></phong></technique></profile_COMMON></effect>");
        write!(materials, "{effect}<material id=\"m{k}\"><instance_effect url=\"#e{k}\"/></material>")
            .unwrap();
        let bound =
            format!("<bind_material><instance_material symbol=\"paint\" target=\"#m{k}\"/></bind_material>");
        write!(nodes, "<node><instance_geometry url=\"#ring-mesh\">{bound}</instance_geometry></node>")
            .unwrap();
    }
    let text = dae(&[ring]);
    let text = text
        .replace("<library_visual", &format!("{materials}<library_visual"))
        .replace("</visual", &format!("{nodes}</visual"));
    let error = refused(&write(folder.path(), "rings.dae", &text));
    let wanted =
        format!("{}: there are 4,212,234 vertices, triangles and materials", line_of(&text, "<geometry"));
    assert!(error.contains(&wanted), "{error}");
}

/// Uses an assembly of thousands of parts as the mesh of thousands of links.
#[test]
fn a_mesh_of_many_parts_that_is_used_many_times_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let nodes = doubled(12, "<instance_geometry url=\"#g\"/>");
    write(folder.path(), "parts.dae", scene_of(&nodes));
    let visual = "<visual><geometry><mesh filename=\"parts.dae\"/></geometry></visual>\n";
    let text = format!("<robot name=\"r\"><link name=\"a\">\n{}</link></robot>", visual.repeat(20_000));
    let error = refused(&write(folder.path(), "parts.urdf", text));
    assert!(
        error.contains("links and parts of meshes, each counted as often as it is used, the limit"),
        "{error}"
    );
    assert!(error.contains("parts.urdf: line "), "{error}");
}

/// Checks that lines of elements are found without counting from the start of the text for each.
#[test]
fn a_robot_on_one_long_line_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let visual = "<visual><geometry><sphere radius=\"0.1\"/></geometry></visual>";
    let text = format!("<robot name=\"r\"><link name=\"a\">{}</link></robot>", visual.repeat(60_000));
    let model = load_model(&write(folder.path(), "line.urdf", text), &ReadAs::default()).unwrap();
    assert_eq!(
        (model.geometries.len(), model.nodes.iter().filter(|n| n.geometry.is_some()).count()),
        (1, 60_000)
    );
    // A collider gets the color of the visual with the same shape and pose, found without a search
    // through all.
    let shape = |kind: &str, k: u32| format!("<{kind}><geometry><box size=\"{k} 1 1\"/></geometry></{kind}>");
    let shapes: String = (1..30_000).map(|k| shape("visual", k) + &shape("collision", 30_000 - k)).collect();
    let text = format!("<robot name=\"r\"><link name=\"a\">{shapes}</link></robot>");
    let colored =
        text.replacen("</geometry>", "</geometry><material name=\"\"><color rgba=\"1 0 0\"/></material>", 1);
    let model = load_model(&write(folder.path(), "line.urdf", colored), &ReadAs::default()).unwrap();
    assert_eq!(model.geometries.iter().filter(|g| !g.colors.is_empty()).count(), 1);
    // Each size of a shape counts as a surface.
    let spheres = text.replace("<box size", "<sphere radius").replace(" 1 1\"/>", "\"/>");
    let error = refused(&write(folder.path(), "line.urdf", spheres));
    assert!(error.contains("line 1: there are 4,194,") && error.contains("triangles of shapes"), "{error}");
    // Missing meshes are reported with their lines.
    let mesh = |k: u32| format!("<visual><geometry><mesh filename=\"{k}.stl\"/></geometry></visual>");
    let meshes: String = (0..20_000).map(mesh).collect();
    let text = format!("<robot name=\"r\">\n<link name=\"a\">{meshes}</link></robot>");
    let model = load_model(&write(folder.path(), "line.urdf", text), &ReadAs::default()).unwrap();
    assert!(model.notes[0].text.starts_with("20000 meshes are missing"), "{:?}", model.notes);
    assert!(model.notes[0].text.contains("(line 2, link a)"), "{:?}", model.notes);
}

#[test]
fn a_face_that_winds_round_a_few_corners_is_left_out_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let count = 30_001;
    let corners =
        |first: u32| (0..count).map(move |k| (k % 3 + first).to_string()).collect::<Vec<_>>().join(" ");
    let obj = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf {}\n", corners(1));
    let header = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                  element face 2\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let ply = format!("{header}{count} {}\n", corners(0));
    let polygon = "<polygons><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>";
    let polygon = format!("</triangles>{polygon}<p>{}</p></polygons></mesh>", corners(0));
    let dae =
        scene_of("<node><instance_geometry url=\"#g\"/></node>").replace("</triangles></mesh>", &polygon);
    let error = refused(&write(folder.path(), "only.obj", obj.replace("f 1 2 3\n", "f 1 2 2 1\n")));
    let wanted = "there is no face in it; it has 3 vertices; 1 faces of four corners or more have no area: left out; 1 \
                  faces cross themselves";
    assert!(error.contains(wanted), "{error}");
    for (name, text) in [("face.obj", obj), ("face.ply", ply), ("face.dae", dae)] {
        let model = load_model(&write(folder.path(), name, text), &ReadAs::default()).unwrap();
        assert_eq!(model.geometries[0].triangles, [[0, 1, 2]], "{name}");
        let wanted =
            "1 faces cross themselves and have so many corners that cutting them takes minutes: left out";
        assert!(model.notes.iter().any(|n| n.text == wanted), "{name}: {:?}", model.notes);
    }
}

/// Checks a cylinder a billion times as long as wide: none of its triangles differs from a line.
#[test]
fn a_shape_that_is_too_thin_is_left_out_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let link = |name: &str, shapes: &str| {
        let shape = |kind: &str| format!("<{kind}><geometry>{shapes}</geometry></{kind}>");
        format!("<link name=\"{name}\">{}{}</link>", shape("visual"), shape("collision"))
    };
    let joint = |child: &str| {
        format!(
            "<joint name=\"to {child}\" type=\"continuous\"><parent link=\"a\"/><child link=\"{child}\"/></joint>"
        )
    };
    for (shape, is_left_out) in [
        ("<cylinder radius=\"1e-10\" length=\"1\"/>", true),
        ("<cylinder radius=\"1e-8\" length=\"1\"/>", false),
        ("<cylinder radius=\"1\" length=\"1e-30\"/>", false),
        ("<cylinder radius=\"1e9\" length=\"1e9\"/>", false),
        ("<capsule radius=\"1e-10\" length=\"1\"/>", true),
        ("<capsule radius=\"0.1\" length=\"0\"/>", false),
        ("<sphere radius=\"1e-30\"/>", false),
        ("<sphere radius=\"1e-300\"/>", false),
        ("<box size=\"1e-300 1 1\"/>", false),
        ("<box size=\"1e9 1e-9 1\"/>", false),
    ] {
        let text = format!(
            "<robot name=\"r\">{}{}{}</robot>",
            link("a", "<box size=\"1 1 1\"/>"),
            link("b", shape),
            joint("b")
        );
        let path = write(folder.path(), "thin.urdf", text);
        let scene = load_scene(path.to_str().unwrap(), None).unwrap();
        let said = scene
            .notes
            .iter()
            .any(|n| n.text == "2 shapes are too thin for their length and are left out: those of b, b");
        assert_eq!(said, is_left_out, "{shape}: {:?}", scene.notes);
        let count = |positions: usize, triangles: &[[u32; 3]]| {
            triangles.as_flattened().iter().all(|v| (*v as usize) < positions)
        };
        assert!(scene.drawn.iter().all(|d| count(d.positions.len(), &d.triangles)), "{shape}");
    }
}

/// Checks that surfaces are counted before the first is made: a mesh at each size is a surface of its
/// own, with hierarchies.
#[test]
fn a_mesh_in_many_sizes_is_refused_before_one_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let ring = torus("ring", Vec3::ZERO, 1.0, 0.3, 60, 60);
    write(folder.path(), "ring.stl", stl_binary(&ring, ""));
    let size = |k: u32| 1.0 + f64::from(k) * 1e-3;
    let robot = |count: u32| {
        let collision = |k: u32| {
            let scale = [size(k); 3].map(|s| s.to_string()).join(" ");
            format!(
                "<collision><geometry><mesh filename=\"ring.stl\" scale=\"{scale}\"/></geometry></collision>"
            )
        };
        let links = (0..count).map(|k| format!("<link name=\"l{k}\">{}</link>", collision(k)));
        let joints = (1..count).map(|k| {
            format!(
                "<joint name=\"j{k}\" type=\"continuous\"><parent link=\"l0\"/><child link=\"l{k}\"/></joint>"
            )
        });
        format!("<robot name=\"r\">{}{}</robot>", links.collect::<String>(), joints.collect::<String>())
    };
    let scene = |count: u32| {
        let entry = |k: u32| {
            format!("[[model]]\nfile = \"ring.stl\"\nunit = \"m\"\nup = \"y\"\nscale = {}\n", size(k))
        };
        (0..count).map(entry).collect::<String>()
    };
    for (name, text, wanted) in [
        (
            "sizes.urdf",
            robot(2000),
            "sizes.urdf: there are 14,400,000 triangles of distinct surfaces, the limit",
        ),
        (
            "sizes.toml",
            scene(2000),
            "line 2912: ring.stl: there are 4,197,600 triangles of distinct surfaces",
        ),
    ] {
        let path = write(folder.path(), name, text);
        let error = load_scene(path.to_str().unwrap(), None).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
    }
    let scene = load_scene(write(folder.path(), "few.urdf", robot(3)).to_str().unwrap(), None).unwrap();
    assert_eq!(scene.meshes.len(), 3);
}
