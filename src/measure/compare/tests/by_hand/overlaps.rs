//! Depth of overlaps: which pairs count, and how accurate the depth is.

use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};

use super::scene::{index, scene, scripted, seen};
use crate::body::BodyState;
use crate::compare::overlap::{Overlap, OverlapMeter};
use crate::compare::result::Deepest;
use crate::compare::surfaces::Surfaces;
use crate::generate;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::scene::{BodyDef, Scene};

/// Presses the block `second` into a face of the block `first`, to a depth in m. The blocks are half a
/// meter thick. They are offset sideways by an eighth of a meter, so that no other two faces are in one
/// plane.
fn press(states: &mut [BodyState], first: &str, second: &str, depth: f64) {
    let place = states[index(first)].pose.position + DVec3::new(0.5 - depth, 0.125, 0.125);
    states[index(second)].pose.position = place;
}

/// Measures the deepest overlap after a script of one step that presses two blocks a quarter of a meter
/// into each other.
fn depth(first: &'static str, second: &'static str) -> f64 {
    let scene = scene();
    let script = scripted(&scene, 1, move |step, states| {
        if step == 1 {
            press(states, first, second, 0.25);
        }
    });
    let ([result], _) = seen(&scene, [1, 1], [script]);
    assert_eq!(result.overlap[0], 0.0, "nothing overlaps at the start");
    assert_eq!(result.deepest.as_ref().map_or(0.0, |deepest| deepest.depth), result.overlap[1]);
    assert_eq!(result.deepest_overlap(), result.overlap[1]);
    result.overlap[1]
}

fn assert_quarter(found: f64) {
    assert!((found - 0.25).abs() < 1e-6, "{found}");
}

#[test]
fn bodies_of_which_nothing_is_said_count() {
    assert_quarter(depth("loose", "guest"));
    assert_quarter(depth("ground", "loose"));
}

#[test]
fn bodies_that_a_joint_keeps_apart_count_for_nothing_and_those_it_lets_collide_count() {
    assert_eq!(depth("arm", "hand"), 0.0);
    assert_quarter(depth("lid", "case"));
}

#[test]
fn a_pair_rule_lets_two_count_again_that_a_joint_keeps_apart() {
    assert_quarter(depth("pin", "sleeve"));
}

#[test]
fn bodies_that_a_pair_rule_keeps_apart_or_in_each_other_count_for_nothing() {
    assert_eq!(depth("left", "right"), 0.0);
    assert_eq!(depth("shaft", "hub"), 0.0);
    assert_quarter(depth("left", "hub"));
}

#[test]
fn a_volume_that_only_reports_counts_for_nothing() {
    assert_eq!(depth("zone", "guest"), 0.0);
    let (scene, [zone, guest, mark]) = (scene(), ["zone", "guest", "mark.1"].map(index));
    let surfaces = Surfaces::new(&scene);
    assert!(
        surfaces.are_excused(zone as u32, guest as u32) && surfaces.are_excused(guest as u32, zone as u32)
    );
    assert_eq!([zone, guest, mark].map(|body| surfaces.mesh_of(body)), [None, Some(0), None]);
    let bounds = |body: usize| surfaces.bounds(body, &scene.bodies[body].pose);
    assert!(bounds(zone).is_empty() && bounds(mark).is_empty() && !bounds(guest).is_empty());
    // A pose counts as no pose if its quaternion is not of unit length, or if the square of its
    // position overflows.
    let long = Pose { rotation: DQuat::IDENTITY * 2.0, position: DVec3::ZERO };
    let far = Pose::from_position(DVec3::splat(1e200));
    assert!(surfaces.bounds(guest, &long).is_empty() && surfaces.bounds(guest, &far).is_empty());
}

#[test]
fn links_of_one_figure_count_for_nothing_together_and_count_with_others() {
    assert_eq!(depth("led.1", "led.2"), 0.0);
    assert_quarter(depth("led.1", "loose"));
    assert_quarter(depth("led.2", "loose"));
}

#[test]
fn bodies_that_cannot_move_count_for_nothing_in_each_other() {
    assert_eq!(depth("ground", "led.1"), 0.0);
}

#[test]
fn the_deepest_of_all_samples_is_named_with_the_first_step_in_which_it_was_so_deep() {
    let scene = scene();
    // In the third step two pairs overlap. Depths are in m.
    let script = scripted(&scene, 5, |step, states| match step {
        1 => press(states, "loose", "guest", 0.125),
        2 | 4 => press(states, "lid", "case", 0.25),
        3 => {
            press(states, "lid", "case", 0.125);
            press(states, "loose", "guest", 0.1875);
        }
        _ => {}
    });
    let ([result], [sampled, _]) = seen(&scene, [5, 1], [script]);
    assert_eq!(sampled, [0, 1, 2, 3, 4, 5]);
    let expected = [0.0, 0.125, 0.25, 0.1875, 0.25, 0.0];
    assert_eq!(result.overlap.len(), 6);
    for (found, expected) in result.overlap.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{:?}", result.overlap);
    }
    let Deepest { step, bodies, depth } = result.deepest.unwrap();
    assert_eq!((step, bodies), (2, ["lid".to_owned(), "case".to_owned()]));
    assert_quarter(depth);
}

/// Creates one surface of two cubes of 1 m, whose centers are three meters apart. It is not convex, and
/// its diagonal is √(16 + 1 + 1) m.
fn pair_of_cubes() -> Mesh {
    let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
    let (count, way) = (positions.len() as u32, Vec3::new(3.0, 0.0, 0.0));
    let all: Vec<Vec3> = positions.iter().copied().chain(positions.iter().map(|&p| p + way)).collect();
    let second = triangles.iter().map(|t| t.map(|v| v + count));
    let triangles: Vec<[u32; 3]> = triangles.iter().copied().chain(second).collect();
    Mesh::new("cubes", &all, &triangles).unwrap()
}

/// Measures the deepest overlap of pairs of bodies. The pairs are far apart from each other; in each
/// pair the second body is pressed into the first from above, to the given depth.
fn deepest_of_hollow(depths: &[f64]) -> Overlap {
    let mut scene = Scene::new("pairs of cubes");
    let mesh = scene.add_mesh(pair_of_cubes());
    for (pair, depth) in depths.iter().enumerate() {
        let first = DVec3::new(16.0 * pair as f64, 0.0, 0.0);
        for place in [first, first + DVec3::new(0.125, 1.0 - depth, 0.125)] {
            let body = BodyDef::dynamic(&scene, mesh, 1000.0).at(place);
            scene.add_body(body);
        }
    }
    let poses: Vec<Pose> = scene.bodies.iter().map(|body| body.pose).collect();
    OverlapMeter::new(Arc::new(Surfaces::new(&scene))).deepest(&poses).unwrap()
}

#[test]
fn nonconvex_depth_is_conservative_within_0_33_percent() {
    // Two lengths with a ratio of 1.4 bracket the separating length. Their interval is halved seven
    // times, to 0.4 / 2⁷, which is 0.0031.
    for depth in [0.011, 0.017, 0.023, 0.037, 0.041, 0.053, 0.071, 0.097, 0.13, 0.2] {
        let found = deepest_of_hollow(&[depth]).depth;
        let over = found / depth - 1.0;
        assert!((-1e-6..0.0032).contains(&over), "{found} of {depth} m");
    }
}

#[test]
fn the_deepest_of_several_pairs_that_are_not_convex_is_found_in_whatever_order_they_stand() {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    // In the first case the depths differ widely; in the second, the deepest is only a twentieth deeper
    // than the next.
    for depths in [[0.02, 0.03, 0.05], [0.02, 0.0475, 0.05]] {
        for order in orders {
            let deepest = order.iter().position(|&k| k == 2).unwrap() as u32;
            let Overlap { bodies, depth } = deepest_of_hollow(&order.map(|k| depths[k]));
            assert_eq!(bodies, [2 * deepest, 2 * deepest + 1], "{depths:?} in the order {order:?}");
            assert!((0.05..0.0502).contains(&depth), "{depth}");
        }
    }
}
