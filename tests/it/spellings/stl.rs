//! Spellings of STL.

use glam::Vec3;

use super::{Row, check, refused, row};

/// Returns a binary file of these triangles under a header.
pub fn binary(header: &str, triangles: &[[Vec3; 3]]) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes[..header.len()].copy_from_slice(header.as_bytes());
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        // A normal of the opposite side, which readers ignore.
        let numbers = [Vec3::NEG_Z].iter().chain(triangle).flat_map(|p| p.to_array());
        bytes.extend(numbers.flat_map(f32::to_le_bytes));
        bytes.extend([0, 0]);
    }
    bytes
}

const TRIANGLES: [[Vec3; 3]; 2] =
    [[Vec3::ZERO, Vec3::X, Vec3::Y], [Vec3::Z, Vec3::new(0.0, 2.0, 1.0), Vec3::new(3.0, 0.0, 1.0)]];
const TOLD: &str = "a: 0 0 0, 1 0 0, 0 1 0
                    a: 0 0 1, 0 2 1, 3 0 1";

pub fn rows() -> Vec<Row> {
    let facets = "facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n\
                  FACET NORMAL 0 0 -1\n OUTER LOOP\n  VERTEX 0 0 1e0\n  Vertex +0 2.0 1\n  vertex 3 -0 1\n endLoop\nEndFacet\n";
    let far = |x: f32| binary("", &[[Vec3::ZERO, Vec3::X, Vec3::new(0.0, x, 0.0)]]);
    let mut with_nul = binary("", &TRIANGLES);
    with_nul[..9].copy_from_slice(b"solid a\0\n");
    with_nul.extend([1, 2, 3]);
    vec![
        row("facets in any case", "a.stl", format!("solid a\n{facets}endsolid a\n"), TOLD),
        row("a solid without a name", "a.stl", format!("SOLID\n{facets}ENDSOLID"), TOLD),
        row("the length of a binary file", "a.stl", binary("any header", &TRIANGLES), TOLD),
        row("a binary file that begins as a text does", "a.stl", binary("solid a", &TRIANGLES), TOLD),
        row("a zero byte behind the word, and bytes behind the end", "a.stl", with_nul, TOLD)
            .says("Ignored: 3 bytes behind the last triangle are not read"),
        row("the largest coordinate", "a.stl", far(1e10), "a: 0 0 0, 1 0 0, 0 1e10 0"),
        refused(
            "a binary coordinate beyond it",
            "a.stl",
            far(1.001e10),
            "byte 124: the coordinate 10010000000",
        ),
        refused("a binary coordinate below it", "a.stl", far(-1e30), "is not finite or beyond 1e10"),
        refused("no number", "a.stl", far(f32::NAN), "byte 124: the coordinate NaN"),
        refused(
            "a text's coordinate beyond it",
            "a.stl",
            format!("solid a\n{}endsolid", facets.replace("2.0", "1e11")),
            "beyond",
        ),
        refused("another format by its first bytes", "a.stl", b"glTF\x02\0".repeat(100), "this is no STL"),
    ]
}

#[test]
fn every_spelling_of_stl_comes_out_as_it_says() {
    check(&rows());
}
