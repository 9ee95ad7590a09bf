//! Two parts in every possible relation.

use glam::{DQuat, DVec3, Vec3};
use tumble::check::Kind;
use tumble::generate::{Triangles, cuboid, sphere};
use tumble::report::findings::FindingFigures;

use super::{cube, found, parts};
use crate::frame_shapes::{block, pot, sheet};
use crate::parts_file::{Node, PartsFile, Stored};

/// Returns the finding of two surfaces. The second surface is at a position, m.
fn two(a: Triangles, b: Triangles, place: DVec3) -> Option<FindingFigures> {
    let folder = tempfile::tempdir().unwrap();
    let path = parts(&folder.path().join("two.glb"), &[("a", a, DVec3::ZERO), ("b", b, place)]);
    let mut document = found(&path, &["--clearance", "1mm"]);
    assert!(document.findings.len() <= 1 && document.excluded.is_empty(), "{document:?}");
    document.findings.pop()
}

fn is_near(found: f64, right: f64, share: f64) -> bool {
    (found - right).abs() <= share * right
}

#[test]
fn parts_that_touch_at_a_corner_an_edge_or_a_face_are_contacts() {
    let side = 0.125;
    for (name, place) in [
        ("face", DVec3::new(side, 0.0, 0.0)),
        ("part of a face", DVec3::new(side, 0.0625, -0.03125)),
        ("edge", DVec3::new(side, side, 0.0)),
        ("part of an edge", DVec3::new(-side, 0.0625, side)),
        ("corner", DVec3::new(side, -side, side)),
    ] {
        let finding = two(cube(), cube(), place).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(finding.kind, Kind::Contact, "{name}: {finding:?}");
        assert!(finding.distance_m <= finding.tolerance_m, "{name}: {finding:?}");
        assert!(finding.depth_m.unwrap_or(0.0) <= finding.tolerance_m, "{name}: {finding:?}");
        // If the two are slightly farther apart, they are only too near.
        let apart = two(cube(), cube(), place * (1.0 + 1e-4)).unwrap();
        assert_eq!(apart.kind, Kind::Clearance, "{name}: {apart:?}");
    }
    assert_eq!(two(cube(), cube(), DVec3::X * 0.1261), None);
}

#[test]
fn an_edge_on_a_face_and_a_corner_on_a_face_are_contacts() {
    let folder = tempfile::tempdir().unwrap();
    for (turn, height) in [
        (DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4), 0.5 * 0.125 * 2f64.sqrt()),
        (DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Z), 0.5 * 0.125 * 3f64.sqrt()),
    ] {
        let mut file = PartsFile::new(Node::new("all", None));
        let mesh = file.mesh("cube", cube());
        file.root.add(Node::new("below", Some(mesh)));
        let place = DVec3::new(0.01, 0.02, 0.0625 + height);
        file.root.add(Node::new("above", Some(mesh)).at(place).turned(turn));
        let path = folder.path().join("touch.glb");
        file.write(&path, Stored::InOrder);
        let document = found(&path, &["--tolerance", "0.1um"]);
        assert_eq!(document.findings.len(), 1);
        assert_eq!(document.findings[0].kind, Kind::Contact, "{:?}", document.findings);
    }
}

#[test]
fn clashes_are_as_deep_as_they_are_by_arithmetic() {
    let ball = || sphere(0.02, 48);
    let big = || block(200.0, 200.0, 200.0);
    for (name, a, b, place, right) in [
        ("two boxes", cube(), cube(), DVec3::X * 0.12, 0.005),
        ("two boxes past a corner", cube(), cube(), DVec3::new(0.12, 0.11, 0.115), 0.005),
        ("a ball in a block", big(), ball(), DVec3::X * 0.119, 0.001),
        ("a ball deep in a block", big(), ball(), DVec3::Z * 0.091, 0.029),
        // Rings of vertices are within rounding of a face: just above, on, and just below it.
        ("a ball, a ring above", big(), ball(), DVec3::Z * 0.090_000_001, 0.03),
        ("a ball, a ring on it", big(), ball(), DVec3::Z * 0.09, 0.03),
        ("a ball, a ring below", big(), ball(), DVec3::Z * 0.089_999_999, 0.03),
        ("a rail in a plate", block(300.0, 200.0, 6.0), block(280.0, 10.0, 10.0), DVec3::Z * 0.0078, 2e-4),
    ] {
        let finding = two(a, b, place).unwrap_or_else(|| panic!("{name}"));
        assert_eq!((finding.kind, finding.distance_m), (Kind::Clash, 0.0), "{name}");
        let depth = finding.depth_m.unwrap();
        assert!(is_near(depth, right, 0.05), "{name}: {right} m by arithmetic: {finding:?}");
        assert!(finding.depth_at_most_m.unwrap() >= depth, "{name}");
        let [p, q] = finding.points.map(DVec3::from_array);
        assert!(is_near(p.distance(q), depth, 1e-3), "{name}: {finding:?}");
    }
}

#[test]
fn a_part_wholly_inside_another_is_found_without_a_crossing() {
    let small = || block(20.0, 20.0, 20.0);
    let finding = two(block(60.0, 60.0, 60.0), small(), DVec3::X * 0.005).unwrap();
    assert_eq!(finding.kind, Kind::Inside);
    assert!(is_near(finding.distance_m, 0.015, 1e-5), "{finding:?}");
    // The deepest point is the middle of the side that is farthest from the outside.
    assert!(is_near(finding.depth_m.unwrap(), 0.025, 0.05), "{finding:?}");
    assert_eq!(two(pot(60.0, 40.0), small(), DVec3::ZERO), None, "it is in a cavity");
    let ball = two(pot(60.0, 40.0), sphere(0.0195, 24), DVec3::ZERO).unwrap();
    assert_eq!(ball.kind, Kind::Clearance, "{ball:?}");
    assert!(is_near(ball.distance_m, 0.0005, 1e-3), "{ball:?}");
    let wall = two(pot(60.0, 40.0), block(2.0, 2.0, 2.0), DVec3::X * 0.025).unwrap();
    assert_eq!(wall.kind, Kind::Inside, "it is in the wall around the cavity: {wall:?}");
}

#[test]
fn sheets_cross_without_a_depth_and_have_no_inside() {
    let plate = || block(200.0, 200.0, 6.0);
    let through = two(plate(), sheet(50.0, 50.0), DVec3::Z * 1e-3).unwrap_or_else(|| panic!("in the plate"));
    assert_eq!(through.kind, Kind::Inside, "{through:?}");
    let near = two(plate(), sheet(50.0, 50.0), DVec3::Z * 0.0033).unwrap();
    assert_eq!(near.kind, Kind::Clearance);
    assert!(is_near(near.distance_m, 0.0003, 1e-3), "{near:?}");
    let on = two(plate(), sheet(50.0, 50.0), DVec3::Z * 0.003).unwrap();
    assert_eq!(on.kind, Kind::Contact, "{on:?}");
    // An upright sheet passes through the plate. No part of the plate's surface is inside the sheet.
    let upright = |(positions, triangles): Triangles| {
        (positions.into_iter().map(|p| Vec3::new(p.x, p.z, p.y)).collect::<Vec<_>>(), triangles)
    };
    let across = two(sheet(50.0, 50.0), upright(sheet(40.0, 40.0)), DVec3::new(0.0, 0.002, 0.007)).unwrap();
    assert_eq!((across.kind, across.depth_m), (Kind::Clash, None), "{across:?}");
    assert!(across.reach_m.unwrap() > 0.001, "{across:?}");
    // The two intersect exactly along an edge of both.
    let along = two(sheet(50.0, 50.0), upright(sheet(40.0, 40.0)), DVec3::new(0.0, 0.0, 0.01)).unwrap();
    assert_eq!((along.kind, along.depth_m), (Kind::Clash, None), "{along:?}");
    assert!(along.reach_m.unwrap() > 0.001, "{along:?}");
    // A part is inside the hull of an open surface. This does not count as inside.
    let (positions, mut triangles) = block(60.0, 60.0, 60.0);
    triangles.truncate(triangles.len() - 2);
    assert_eq!(two((positions, triangles), block(20.0, 20.0, 20.0), DVec3::ZERO), None);
}

#[test]
fn one_part_twice_at_one_place_is_doubled_however_its_surface_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("twice.glb");
    for is_shared in [true, false] {
        let mut file = PartsFile::new(Node::new("all", None));
        let box_of = || cuboid(Vec3::new(0.1, 0.2, 0.3), 0.05);
        let first = file.mesh("box", box_of());
        let second = if is_shared { first } else { file.mesh("box", box_of()) };
        let turn = DQuat::from_rotation_y(0.4);
        file.root.add(Node::new("one", Some(first)).at(DVec3::X).turned(turn));
        file.root.add(Node::new("same", Some(second)).at(DVec3::X).turned(turn));
        file.write(&path, Stored::InOrder);
        let document = found(&path, &[]);
        assert_eq!(document.findings.len(), 1);
        assert_eq!(document.findings[0].kind, Kind::Doubled, "shared: {is_shared}");
    }
}
