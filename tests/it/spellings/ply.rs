//! Spellings of PLY.

use super::{Row, check, refused, row};

const AXES: &str = "property float x\nproperty float y\nproperty float z\n";
const FACES: &str = "property list uchar int vertex_indices\n";
const CORNERS: &str = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
const FIRST: &str = "a: 0 0 0, 1 0 0, 1 1 0";
const SECOND: &str = "a: 0 0 0, 1 1 0, 0 1 0";

/// Returns a text of four vertices with more properties, and elements of one kind.
fn text(more: &str, vertices: &str, element: &str, list: &str, body: &str) -> String {
    let count = body.lines().count();
    format!(
        "ply\nformat ascii 1.0\ncomment x\nelement vertex 4\n{AXES}{more}element {element} {count}\n{list}end_header\n{vertices}{body}"
    )
}

/// Returns a binary file of three vertices in doubles, each followed by a color and a short, and one
/// face.
fn binary(
    format: &str,
    point: [f64; 3],
    double: fn(f64) -> [u8; 8],
    short: fn(u16) -> [u8; 2],
    int: fn(i32) -> [u8; 4],
) -> Vec<u8> {
    let axes = AXES.replace("float", "double");
    let mut file = format!(
        "ply\nformat {format} 1.0\nelement vertex 3\n{axes}property uchar r\nproperty uchar g\nproperty uchar b\nproperty ushort q\n\
         element face 1\nproperty list uchar int vertex_index\nend_header\n"
    )
    .into_bytes();
    for p in [[0.0; 3], [1.0, 0.0, 0.0], point] {
        file.extend(p.into_iter().flat_map(double));
        file.extend([255, 128, 64]);
        file.extend(short(7));
    }
    file.push(3);
    file.extend([0, 1, 2].into_iter().flat_map(int));
    file
}

fn little(point: [f64; 3]) -> Vec<u8> {
    binary("binary_little_endian", point, f64::to_le_bytes, u16::to_le_bytes, i32::to_le_bytes)
}

fn big(point: [f64; 3]) -> Vec<u8> {
    binary("binary_big_endian", point, f64::to_be_bytes, u16::to_be_bytes, i32::to_be_bytes)
}

pub fn rows() -> Vec<Row> {
    let both = format!("{FIRST}\n{SECOND}");
    let plain = |element: &str, list: &str, body: &str| text("", CORNERS, element, list, body);
    let far = |y: &str| plain("face", FACES, "3 0 1 2\n").replace("1 1 0", &format!("1 {y} 0"));
    let colors = |names: [&str; 3]| names.map(|name| format!("property uchar {name}\n")).concat();
    let colored = "0 0 0 255 0 0\n1 0 0 0 255 0\n1 1 0 0 0 255\n0 1 0 1 2 3\n";
    let list = |name: &str| FACES.replace("vertex_indices", name);
    let told = "a: 0 0 0, 1 0 0, 0 2 0 ff8040";
    vec![
        row("vertex_indices", "a.ply", plain("face", FACES, "3 0 1 2\n3 0 2 3\n"), &both),
        row(
            "vertex_index, four corners",
            "a.ply",
            plain("face", &list("vertex_index"), "4 0 1 2 3\n"),
            &both,
        ),
        row(
            "tristrips",
            "a.ply",
            plain("tristrips", FACES, "4 0 1 3 2\n"),
            "a: 0 0 0, 1 0 0, 0 1 0\na: 0 1 0, 1 0 0, 1 1 0",
        ),
        row(
            "tristrips in shorts, begun anew below 0",
            "a.ply",
            plain("tristrips", "property list int short vertex_indices\n", "7 0 1 2 -1 0 2 3\n"),
            &both,
        ),
        row(
            "tristrips in bytes",
            "a.ply",
            plain("tristrips", "property list int char vertex_index\n", "7 0 1 2 -1 0 2 3\n"),
            &both,
        ),
        row(
            "tristrips without a sign",
            "a.ply",
            plain("tristrips", "property list uchar ushort vertex_index\n", "3 0 1 2\n"),
            FIRST,
        ),
        row(
            "red, green, blue",
            "a.ply",
            text(&colors(["red", "green", "blue"]), colored, "face", FACES, "3 0 1 2\n"),
            &format!("{FIRST} ff0000/00ff00/0000ff"),
        ),
        row(
            "r, g, b",
            "a.ply",
            text(&colors(["r", "g", "b"]), colored, "face", FACES, "3 0 1 2\n"),
            &format!("{FIRST} ff0000/00ff00/0000ff"),
        ),
        row(
            "colours in other words",
            "a.ply",
            text(&colors(["u", "v", "w"]), colored, "face", FACES, "3 0 1 2\n"),
            FIRST,
        ),
        row(
            "colours from 0 to 1",
            "a.ply",
            text(
                &colors(["red", "green", "blue"]).replace("uchar", "float"),
                &colored.replace("255", "1.0").replace("1 2 3", "0 0 0"),
                "face",
                FACES,
                "3 0 1 2\n",
            ),
            &format!("{FIRST} ff0000/00ff00/0000ff"),
        ),
        row("the least byte first", "a.ply", little([0.0, 2.0, 0.0]), told),
        row("the greatest byte first", "a.ply", big([0.0, 2.0, 0.0]), told),
        row(
            "the largest coordinate",
            "a.ply",
            little([0.0, -1e10, 0.0]),
            &told.replace("2 0 ff", "-1e10 0 ff"),
        ),
        refused(
            "a coordinate below it",
            "a.ply",
            little([0.0, -1.001e10, 0.0]),
            "is not finite or beyond 1e10",
        ),
        refused("a coordinate beyond it", "a.ply", big([0.0, 0.0, 1e30]), "is not finite or beyond 1e10"),
        refused("a text's coordinate beyond it", "a.ply", far("2e10"), "line 13: a coordinate of"),
        refused("another format by its name", "a.ply", "COLLADA", "this is no PLY"),
    ]
}

#[test]
fn every_spelling_of_ply_comes_out_as_it_says() {
    check(&rows());
}
