//! Variants of the triangle formats, and the notes on their flaws.

use std::path::Path;

use glam::Vec3;
use tumble::import::model::Model;
use tumble::import::{ReadAs, load_model};
use tumble::mesh::Mesh;

use super::writers::{PlyKind, ply, stl_binary, torus, write};

fn read(name: &str, bytes: impl AsRef<[u8]>) -> Result<Model, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), name, bytes);
    load_model(&path, &ReadAs::default())
        .map_err(|e| e.to_string().replace(&*path.display().to_string(), name))
}

fn loaded(name: &str, bytes: impl AsRef<[u8]>) -> Model {
    read(name, bytes).unwrap()
}

fn names(model: &Model) -> Vec<&str> {
    model.nodes.iter().map(|n| n.name.as_str()).collect()
}

fn says(model: &Model, text: &str) -> bool {
    model.notes.iter().any(|n| n.text.contains(text))
}

const FACET: &str =
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";

#[test]
fn a_text_of_solids_gives_a_part_for_each() {
    let text = format!(
        "\u{feff}solid lid\r\n{FACET}endsolid lid\r\n\n SOLID  a b \n{FACET}{FACET}EndSolid\nsolid\nendsolid"
    );
    let model = loaded("box.stl", text);
    assert_eq!(names(&model), ["lid", "a b"]);
    assert_eq!(model.geometries[1].triangles.len(), 2);
    assert!(says(&model, "the solid \"\" has no facet"), "{:?}", model.notes);
    assert_eq!(names(&loaded("box.stl", format!("solid\n{FACET}endsolid"))), ["box"]);
}

#[test]
fn a_binary_stl_may_start_with_solid_and_have_zero_count() {
    let part = torus("t", Vec3::ZERO, 1.0, 0.3, 8, 6);
    let binary = stl_binary(&part, "solid t\nfacet normal");
    assert_eq!(loaded("t.stl", &binary).geometries[0].triangles.len(), 96);
    let mut uncounted = binary.clone();
    uncounted[80..84].fill(0);
    let model = loaded("t.stl", &uncounted);
    assert!(says(&model, "its header counts no triangles, and 96 follow"), "{:?}", model.notes);
    let mut longer = binary.clone();
    longer.extend(b"\r\n");
    longer[84 + 48] = 1;
    let model = loaded("t.stl", &longer);
    assert!(says(&model, "2 bytes behind the last triangle") && says(&model, "1 triangles have attributes"));
    let mut promising = binary;
    promising[80..84].copy_from_slice(&1_000_000_000_u32.to_le_bytes());
    let error = read("t.stl", promising).unwrap_err();
    assert_eq!(error, "t.stl: byte 4884: the file ends after 96 of 1,000,000,000 triangles");
}

#[test]
fn objects_and_groups_are_parts_and_polygons_are_triangles() {
    let text = "mtllib none.mtl\nv 0 0 0\nv 1 0 0 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.2 0\no base\nf 1 2 3 4\ng hook\nf 1/2/3 2/2/3 \\\n\
                3/2/3 5//1 4\ng\nf -5 -4 -3\nl 1 2\nwarp 3\no base\nf 1 3 4\n";
    let model = loaded("case.obj", text);
    // A group within an object is one part, and an object of the same name is another.
    assert_eq!(names(&model), ["base", "base/hook", "base"]);
    assert_eq!(model.geometries[0].triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 2]]);
    assert_eq!(model.geometries[2].triangles, [[0, 1, 2]]);
    assert!(says(&model, "1 times a group goes on after another one"), "{:?}", model.notes);
    assert_eq!(model.geometries[0].colors[0], [[203; 3], [255, 0, 0], [203; 3]]);
    // The fifth corner dents the square: three triangles, none of them outside.
    let hook = &model.geometries[1];
    let area = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| hook.positions[v as usize]);
        0.5 * (b - a).cross(c - a).z
    };
    let areas: Vec<f32> = hook.triangles.iter().map(area).collect();
    assert!(areas.len() == 3 && areas.iter().all(|a| *a > 0.0), "{areas:?}");
    for text in [
        "the materials \"none.mtl\" are not read",
        "1 faces are not convex",
        "1 lines of points, lines",
        "1 lines of a kind that is not known, the first with \"warp\"",
    ] {
        assert!(says(&model, text), "{text}: {:?}", model.notes);
    }
}

#[test]
fn colours_of_materials_beside_the_file_are_those_of_its_faces() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.mtl", "newmtl red\nKd 1 0 0.5\nnewmtl none\n");
    let text = "mtllib a.mtl\nmtllib ../a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\nusemtl red\nf 1 2 3\nusemtl none\nf 1 2 3\n";
    let path = write(folder.path(), "a.obj", text);
    let model = load_model(&path, &ReadAs::default()).unwrap();
    assert_eq!(model.geometries[0].colors, [[[203; 3]; 3], [[255, 0, 128]; 3], [[203; 3]; 3]]);
    assert!(says(&model, "\"../a.mtl\" are not read: it is not a path inside"), "{:?}", model.notes);
}

#[test]
fn vertices_of_a_cloud_may_have_colours_and_more() {
    let text = "ply\r\nformat ascii 1.0\r\nobj_info x\r\nelement vertex 4\r\nproperty double x\r\nproperty double y\r\n\
                property double z\r\nproperty uchar red\r\nproperty uchar green\r\nproperty uchar blue\r\nproperty float q\r\n\
                element edge 1\r\nproperty int a\r\nelement face 1\r\nproperty uchar f\r\nproperty list uint8 int32 vertex_index\r\n\
                end_header\r\n0 0 0 9 8 7 1\r\n1 0 0 1 2 3 1\r\n1 1 0 1 2 3 1\r\n0 1 0 1 2 3 1\r\n7\r\n1 4 0 1 2 3\r\n";
    let model = loaded("a.ply", text);
    assert_eq!(model.geometries[0].triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(model.geometries[0].colors[1], [[9, 8, 7], [1, 2, 3], [1, 2, 3]]);
    assert!(says(&model, "1 elements edge are not understood"), "{:?}", model.notes);
}

/// Returns broken files: (name, content, expected error).
fn broken() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let text = |text: &str| text.as_bytes().to_vec();
    let solid = format!("solid a\n{FACET}");
    let part = torus("t", Vec3::ZERO, 1.0, 0.3, 8, 6);
    let mut nan = stl_binary(&part, "");
    nan[84 + 50 + 28..84 + 50 + 32].copy_from_slice(&f32::NAN.to_le_bytes());
    let cut = stl_binary(&part, "")[..1000].to_vec();
    let little = ply(&part, PlyKind::LittleEndian);
    let ascii = String::from_utf8(ply(&part, PlyKind::Text)).unwrap();
    vec![
        ("a.stl", text(&solid), "line 8: the file ends within a solid"),
        ("a.stl", text(&solid.replace("vertex 1", "vertex nan")), "line 5: nan is not finite"),
        ("a.stl", text(&solid.replace("1 0 0", "1 0")), "line 5: a vertex needs three coordinates"),
        (
            "a.stl",
            text(&solid.replace("endloop", "vertex 1 1 1\nendloop")),
            "line 7: expected endloop, found \"vertex 1 1 1\"",
        ),
        ("a.stl", text("solid a\nendsolid a\n"), "there is no triangle in it"),
        ("a.stl", text("s"), "byte 0: has 1 bytes"),
        ("a.stl", vec![0; 84], "there is no triangle in it"),
        ("a.stl", nan, "byte 162: the coordinate NaN"),
        ("a.stl", cut, "byte 1000: the file ends after 18 of 96 triangles"),
        ("a.stl", b"\x89PNG".repeat(50), "this is no STL: it looks like a PNG picture"),
        (
            "a.obj",
            text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"),
            "line 4: there is no vertex 4: 3 are before it",
        ),
        ("a.obj", text("v 0 0 0\nf 0 1 1\n"), "line 2: there is no vertex 0"),
        ("a.obj", text("v 0 0 0\nf -2 1 1\n"), "line 2: there is no vertex -2"),
        ("a.obj", text("v 0 0 0\nf 1 1\n"), "1 vertices; 1 faces have fewer than three corners"),
        (
            "a.obj",
            text("v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4\n"),
            "4 vertices; 1 faces of four corners or more have no area",
        ),
        ("a.obj", text("v 0 0 x\n"), "line 1: \"x\" is not a number"),
        ("a.obj", text("v 0 0\n"), "line 1: a vertex needs three"),
        ("a.obj", text("v 0 0 0\n"), "there is no face in it; it has 1 vertices"),
        ("a.obj", text("f 99999999999999999999 1 1\n"), "line 1: \"99999999999999999999\" is not a vertex"),
        ("a.obj", text("<!DOCTYPE html>"), "this is no OBJ: it looks like a web page"),
        ("a.ply", text("solid a\n"), "this is no PLY: it looks like STL"),
        ("a.ply", text(&ascii.replace("96", "1000000000")), "the header: counts 1,000,000,000 of face"),
        ("a.ply", text(&ascii.replace("48", "47")), "line 58"),
        ("a.ply", text(&ascii.replace("3 0 1", "3 -1 1")), "a number that is no index"),
        ("a.ply", text(&ascii.replace("3 0 1", "3 0 99")), "line"),
        ("a.ply", text(&ascii.replace("float z", "float w")), "the header: its vertices have no z"),
        ("a.ply", text(&ascii.replace("vertex_indices", "corners")), "the header: its faces have no list"),
        ("a.ply", text(&ascii.replace("ascii", "utf8")), "line 2: "),
        (
            "a.ply",
            text(
                "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n1 2 3\n",
            ),
            "a cloud of 1 points",
        ),
        (
            "a.ply",
            text(&ascii.replace("element face", "element triangles")),
            "it has 48 vertices; not understood are its triangles",
        ),
        ("a.ply", little[..little.len() - 5].to_vec(), "byte"),
    ]
}

#[test]
fn errors_name_a_line_or_a_byte() {
    for (name, bytes, wanted) in broken() {
        let error = read(name, &bytes).expect_err(wanted);
        assert!(error.starts_with(name) && error.contains(wanted), "{error}, not {wanted}");
        assert!(error.lines().count() == 1 && error.len() < 400, "{error}");
    }
}

#[test]
fn a_comment_may_stand_behind_the_numbers_of_a_line() {
    let box_text = "v 0 0 0 # corner\nv 1 0 0 #\nv 0 1 0 0.5 0.5 0.5 #9\n#v 9 9 9 \\\nv 0 0 1\n\
                    o a #1\nf 1 3 2 # bottom\nf 1 2 4#\nf 1 4 3\nf 2 3 4\n";
    // `4#` is one word and not a vertex; elsewhere a comment begins a word.
    let error = read("a.obj", box_text).unwrap_err();
    assert!(error.contains("line 8: \"4#\" is not a vertex of a face"), "{error}");
    let model = loaded("a.obj", box_text.replace("4#", "4 #"));
    // A comment does not continue in the next line, and a name may have the sign.
    assert_eq!((model.geometries[0].positions.len(), names(&model)), (4, vec!["a #1"]));
    assert_eq!(model.geometries[0].triangles.len(), 4);
}

#[test]
fn faces_of_two_corners_are_left_out_and_counted() {
    let model = loaded("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\nf 1 2 3\nf 3\nf\n");
    assert_eq!(model.geometries[0].triangles, [[0, 1, 2]]);
    assert!(says(&model, "3 faces have fewer than three corners"), "{:?}", model.notes);
    let part = torus("t", Vec3::ZERO, 1.0, 0.3, 8, 6);
    let text = String::from_utf8(ply(&part, PlyKind::Text)).unwrap();
    let first = text.lines().find(|line| line.starts_with("3 ")).unwrap();
    let model = loaded("a.ply", text.replacen(first, "2 0 1", 1));
    assert_eq!(model.geometries[0].triangles.len(), 95);
    assert!(says(&model, "1 faces have fewer than three corners"), "{:?}", model.notes);
}

#[test]
fn lines_may_end_with_a_carriage_return_alone() {
    let text = format!("solid lid\n{FACET}endsolid lid\n");
    let model = loaded("a.stl", text.replace('\n', "\r"));
    assert_eq!((names(&model), model.geometries[0].triangles.len()), (vec!["lid"], 1));
    let model = loaded("a.obj", "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r");
    assert_eq!(model.geometries[0].triangles.len(), 1);
}

#[test]
fn strips_of_triangles_keep_their_side_and_begin_anew_below_zero() {
    // The sides of a box as a band, and its two ends.
    let band = [4, 0, 5, 1, 6, 2, 7, 3, 4, 0];
    let ends = [1, 0, 2, 3, -1, 7, 4, 6, 5];
    let corners = [[0, 0], [1, 0], [1, 1], [0, 1]];
    let mut body = String::new();
    for z in [0, 1] {
        corners.iter().for_each(|[x, y]| body += &format!("{x} {y} {z}\n"));
    }
    let header = "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n\
                  element tristrips 2\nproperty list int int vertex_indices\nend_header\n";
    for strip in [&band[..], &ends] {
        let numbers: Vec<String> = strip.iter().map(ToString::to_string).collect();
        body += &format!("{} {}\n", numbers.len(), numbers.join(" "));
    }
    let model = loaded("a.ply", format!("{header}{body}"));
    let [geometry] = &model.geometries[..] else { panic!("one part") };
    assert_eq!(geometry.triangles.len(), 12);
    let mesh = Mesh::new("box", &geometry.positions, &geometry.triangles).unwrap();
    let surface = mesh.surface();
    assert_eq!((surface.flaws.boundary_edge_count, surface.flaws.flipped_triangle_count), (0, 0));
    assert!((surface.volume.volume - 1.0).abs() < 1e-12);
}

#[test]
fn lines_beyond_the_count_are_reported() {
    let part = torus("t", Vec3::ZERO, 1.0, 0.3, 8, 6);
    let text = String::from_utf8(ply(&part, PlyKind::Text)).unwrap();
    let model = loaded("a.ply", text.replace("face 96", "face 91").replacen("3 0 1", "3 0 1 7", 1));
    assert_eq!(model.geometries[0].triangles.len(), 91);
    assert!(says(&model, "5 lines behind the last element are not read"), "{:?}", model.notes);
    let model = loaded("a.ply", text.replacen("\n3 ", " 7\n3 ", 1));
    assert!(says(&model, "1 lines have more numbers than the header says"), "{:?}", model.notes);
    let mut binary = ply(&part, PlyKind::BigEndian);
    binary.extend(b"more");
    let model = loaded("a.ply", binary);
    assert!(says(&model, "4 bytes behind the last element are not read"), "{:?}", model.notes);
    let model = loaded("a.ply", text);
    assert!(!says(&model, "behind") && !says(&model, "more numbers"), "{:?}", model.notes);
}

#[test]
fn a_line_that_goes_on_for_long_is_refused_by_its_length() {
    let error = read("a.obj", "v 0 0 0 \\\n".repeat(1 << 18)).unwrap_err();
    assert!(error.contains("a line goes on for more than 2097152 bytes"), "{error}");
}

#[test]
fn a_name_that_is_not_there_is_named() {
    let error = load_model(Path::new("/nowhere/a.stl"), &ReadAs::default()).unwrap_err().to_string();
    assert!(error.starts_with("/nowhere/a.stl: cannot be read"), "{error}");
}
