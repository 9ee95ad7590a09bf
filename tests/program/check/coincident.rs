//! Solids whose surfaces coincide: present twice, within one another, or face to face; and coordinates
//! that are too coarse for a verdict.

use glam::{DVec3, Vec3};
use tumble::check::{Kind, Proof};
use tumble::generate::{Triangles, cuboid, torus};
use tumble::report::findings::FindingFigures;

use super::{check, found, parts, stdout};

/// Returns the only finding of two surfaces. The second one is moved, m.
fn finding(a: &Triangles, b: &Triangles, moved: DVec3) -> FindingFigures {
    let folder = tempfile::tempdir().unwrap();
    let two = [("a", a.clone(), DVec3::ZERO), ("b", b.clone(), moved)];
    let path = parts(&folder.path().join("two.glb"), &two);
    let mut document = found(&path, &[]);
    assert!(document.findings.len() <= 1 && document.coarse_tolerance.is_none(), "{document:?}");
    document.findings.pop().unwrap_or_else(|| panic!("nothing found, moved by {moved}"))
}

/// Returns a surface with each of its points moved.
fn mapped((positions, triangles): &Triangles, map: impl Fn(Vec3) -> Vec3) -> Triangles {
    (positions.iter().map(|&p| map(p)).collect(), triangles.clone())
}

fn wound_inward((positions, triangles): &Triangles) -> Triangles {
    (positions.clone(), triangles.iter().map(|&[a, b, c]| [a, c, b]).collect())
}

/// Returns a surface with its vertices and triangles in reverse order, and another first corner.
fn reversed((positions, triangles): &Triangles) -> Triangles {
    let last = positions.len() as u32 - 1;
    let turned = |&[a, b, c]: &[u32; 3]| [last - b, last - c, last - a];
    (positions.iter().rev().copied().collect(), triangles.iter().rev().map(turned).collect())
}

fn joined(all: &[Triangles]) -> Triangles {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for (points, faces) in all {
        let start = positions.len() as u32;
        positions.extend(points);
        triangles.extend(faces.iter().map(|face| face.map(|vertex| vertex + start)));
    }
    (positions, triangles)
}

fn block(size: [f32; 3], at: [f32; 3]) -> Triangles {
    mapped(&cuboid(Vec3::from(size), 10.0), |p| p + Vec3::from(at))
}

#[test]
fn a_solid_that_is_there_twice_is_no_contact_whatever_its_triangles_are() {
    let cube = || cuboid(Vec3::splat(0.25), 1.0);
    let ring = torus(0.25, 0.0625, 32, 16);
    let cases = [
        ("other triangles", cube(), cuboid(Vec3::splat(0.25), 0.1)),
        ("another order", cube(), reversed(&cube())),
        ("wound inward", cube(), wound_inward(&cube())),
        ("a quarter turn", cube(), mapped(&cube(), |p| Vec3::new(p.y, -p.x, p.z))),
        ("mirrored", ring.clone(), mapped(&ring, |p| p * Vec3::new(-1.0, 1.0, 1.0))),
    ];
    for (name, a, b) in cases {
        for scale in [1.0, 0.001, 1000.0] {
            let [a, b] = [&a, &b].map(|surface| mapped(surface, |p| scale * p));
            let tolerance = finding(&a, &b, DVec3::ZERO).tolerance_m;
            for tolerances in [0.0, 0.5, -0.5, 2.0, 10.0] {
                let moved = tolerances * tolerance * DVec3::new(0.48, 0.64, 0.6);
                for pair in [[&a, &b], [&b, &a]] {
                    let found = finding(pair[0], pair[1], moved);
                    let is_doubled = found.kind == Kind::Doubled && found.proof == Proof::SamePlace;
                    let is_right = if tolerances.abs() < 1.0 { is_doubled } else { found.kind.is_clash() };
                    assert!(is_right, "{name} × {scale}, moved by {tolerances} tolerances: {found:?}");
                }
            }
        }
    }
}

#[test]
fn a_component_a_flush_part_and_the_fill_of_a_cavity_are_inside() {
    let (large, small) = (block([0.4; 3], [0.0; 3]), block([0.1; 3], [0.15, 0.05, 0.0]));
    let in_edge = block([0.1; 3], [0.15, 0.15, 0.0]);
    let apart = block([0.1; 3], [0.5, 0.0, 0.0]);
    let hollow = joined(&[large.clone(), wound_inward(&block([0.1; 3], [0.0; 3]))]);
    for (name, a, b) in [
        ("flush with a face", &large, &small),
        ("flush with two faces", &large, &in_edge),
        ("one component of two", &joined(&[small.clone(), apart.clone()]), &small),
        ("a solid and one with a cavity", &large, &hollow),
    ] {
        for pair in [[a, b], [b, a]] {
            let found = finding(pair[0], pair[1], DVec3::ZERO);
            assert_eq!(found.kind, Kind::Inside, "{name}: {found:?}");
            assert!(found.depth_m.unwrap() > 0.04, "{name}: {found:?}");
        }
    }
    // A component inside does not make a part inside, and a component that both have does not either.
    let both = joined(&[small.clone(), apart]);
    let other = joined(&[small, block([0.1; 3], [-0.5, 0.0, 0.0])]);
    for (a, b) in [(&large, &both), (&other, &both)] {
        let found = finding(a, b, DVec3::ZERO);
        assert_eq!(found.kind, Kind::Clash, "{found:?}");
        assert!(found.depth_m.unwrap() > 0.04, "{found:?}");
    }
}

#[test]
fn a_part_that_sticks_out_by_more_than_the_tolerance_is_a_clash_also_at_an_edge() {
    let (large, small) = (block([0.4; 3], [0.0; 3]), block([0.1; 3], [0.15, 0.05, 0.0]));
    // A wedge whose sharp edge, along z, comes out of the block.
    let wedge = |x: f32| -> Triangles {
        let corner = |[x, y, z]: [f32; 3]| Vec3::new(x, y, z);
        let points = [[x, 0.0], [0.1, 0.03], [0.1, -0.03]];
        let positions =
            [-0.1, 0.1].into_iter().flat_map(|z| points.map(|[x, y]| corner([x, y, z]))).collect();
        (
            positions,
            vec![[0, 1, 2], [3, 5, 4], [0, 3, 1], [1, 3, 4], [0, 2, 3], [2, 5, 3], [1, 4, 2], [2, 4, 5]],
        )
    };
    let tolerance = finding(&large, &small, DVec3::ZERO).tolerance_m;
    for (moved, kind) in [(0.5, Kind::Inside), (2.0, Kind::Clash)] {
        let out = moved * tolerance;
        assert_eq!(finding(&large, &small, out * DVec3::X).kind, kind, "{moved}");
        assert_eq!(finding(&large, &wedge(0.2), out * DVec3::X).kind, kind, "a wedge, {moved}");
    }
}

#[test]
fn solids_face_to_face_and_a_part_that_fills_a_cavity_are_contacts() {
    let (large, plug) = (block([0.4; 3], [0.0; 3]), block([0.1; 3], [0.0; 3]));
    let hollow = joined(&[large.clone(), wound_inward(&plug)]);
    for (name, a, b) in [
        ("half of the faces", &large, &block([0.4; 3], [0.4, 0.2, 0.0])),
        ("equal faces", &large, &block([0.4; 3], [0.4, 0.0, 0.0])),
        ("the fill of a cavity", &hollow, &plug),
    ] {
        for tolerances in [0.0, 0.5, -0.5] {
            let tolerance = finding(a, b, DVec3::ZERO).tolerance_m;
            let found = finding(a, b, tolerances * tolerance * DVec3::X);
            assert_eq!(found.kind, Kind::Contact, "{name}: {found:?}");
        }
    }
}

#[test]
fn fifteen_millimetres_of_overlap_at_ten_kilometers_are_a_clash_and_less_is_said_to_be_uncertain() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("far.glb");
    // The coordinates are 1 mm apart there.
    let far = |x: f32| mapped(&cuboid(Vec3::ONE, 10.0), |p| p + Vec3::new(10_000.0 + x, 0.0, 0.0));
    let at = |x: f32| parts(&path, &[("a", far(0.0), DVec3::ZERO), ("b", far(x), DVec3::ZERO)]);
    let output = check(&at(1.0 - 0.015), &[]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let output = check(&at(1.0), &[]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(
        stdout(&output).contains("not certain: the coordinates of all/a and all/b are too coarse"),
        "{}",
        stdout(&output)
    );
    let document = found_code(&path, &["--json"], 2);
    let coarse = &document["coarse_tolerance"];
    assert!(coarse["pair_count"] == 1 && coarse["tolerance_m"].as_f64().unwrap() < 2e-3, "{coarse}");
    // The user may accept the tolerance.
    assert_eq!(
        found_code(&path, &["--json", "--tolerance", "2mm"], 0)["coarse_tolerance"],
        serde_json::Value::Null
    );
    // A tolerance below the rounding of the coordinates is no answer.
    assert_eq!(found_code(&path, &["--json", "--tolerance", "1um"], 2)["coarse_tolerance"]["pair_count"], 1);
    // A clearance that is smaller than the tolerance cannot be promised; a larger one can be missed.
    at(1.05);
    assert_eq!(check(&path, &["--clearance", "1mm"]).status.code(), Some(0));
    assert_eq!(check(&path, &["--clearance", "1mm", "--fail-on", "any"]).status.code(), Some(0));
    assert_eq!(check(&path, &["--clearance", "60mm", "--fail-on", "any"]).status.code(), Some(1));
}

/// Checks a model, and returns the JSON once the exit code is as expected.
fn found_code(path: &std::path::Path, arguments: &[&str], code: i32) -> serde_json::Value {
    let output = check(path, arguments);
    assert_eq!(output.status.code(), Some(code), "{}", stdout(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}
