//! Poses of bodies, checked against values derived by hand: sizes, displacements, fallen bodies,
//! passages through surfaces, equal starts, and contacts between bodies.

use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};

use super::scene::scene;
use crate::body::Motion::{self, Dynamic, Kinematic, Static};
use crate::compare::displacement::{displacement, sizes};
use crate::compare::engine::{Engine, Own};
use crate::compare::floor::floor;
use crate::compare::passages::PassageMeter;
use crate::compare::recorded::check_same;
use crate::compare::resources::{machine, resident_bytes};
use crate::compare::surfaces::Surfaces;
use crate::generate;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::scene::{BodyDef, Scene};
use crate::world::bodies_at_start;

/// Creates a scene of boxes with the given sizes, positions and kinds of motion.
pub fn boxes(all: &[(Vec3, DVec3, Motion)]) -> Scene {
    let mut scene = Scene::new("boxes");
    for &(sides, place, motion) in all {
        let (positions, triangles) = generate::cuboid(sides, sides.max_element().into());
        let mesh = scene.add_mesh(Mesh::new("box", &positions, &triangles).unwrap());
        let made = match motion {
            Static => BodyDef::fixed(&scene, mesh),
            _ => BodyDef::dynamic(&scene, mesh, 1000.0),
        };
        scene.add_body(BodyDef { motion, ..made }.at(place));
    }
    scene
}

#[test]
fn a_body_is_as_large_as_its_farthest_corner_is_from_its_centre_of_mass() {
    let sides = Vec3::new(1.0, 4.0, 4.0);
    let mut scene = boxes(&[(sides, DVec3::ZERO, Dynamic); 3]);
    scene.add_body(BodyDef::empty("mark"));
    // The center of mass is half a meter off, so the far face is 1 m away: √(1 + 4 + 4) is 3.
    for (body, x) in [(0, 0.5), (1, -0.5), (2, 0.0)] {
        scene.bodies[body].center = DVec3::new(x, 0.0, 0.0);
    }
    let found = sizes(&scene);
    assert_eq!((found[0], found[1], found[3]), (3.0, 3.0, 0.0));
    assert!((found[2] - 8.25_f64.sqrt()).abs() < 1e-12, "{}", found[2]);
}

#[test]
fn a_body_goes_the_way_of_its_centre_and_the_chord_of_its_turn() {
    let turned = |degrees: f64| DQuat::from_rotation_y(degrees.to_radians());
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    let at = |degrees: f64, x: f64| Pose::new(turned(degrees), DVec3::new(x, 0.0, 0.0));
    // The chord of 60° is the radius, and that of 180° is twice the radius, in either direction of
    // rotation.
    near(displacement(&at(90.0, 0.75), &at(30.0, 0.0), DVec3::ZERO, 2.0), 2.75);
    near(displacement(&at(30.0, 0.0), &at(90.0, 0.75), DVec3::ZERO, 2.0), 2.75);
    near(displacement(&at(190.0, 0.0), &at(10.0, 0.0), DVec3::ZERO, 2.0), 4.0);
    // A center of mass 1 m from the origin moves 1 m if the body rotates by 60° about the origin. The
    // corners move by 3 m more.
    near(displacement(&at(60.0, 0.0), &at(0.0, 0.0), DVec3::new(0.0, 0.0, 1.0), 3.0), 4.0);
    near(displacement(&at(60.0, 0.0), &at(0.0, 0.0), DVec3::new(0.0, 5.0, 0.0), 3.0), 3.0);
}

/// Checks a floor. Bounds of moved surfaces are slightly larger than exact bounds, to allow for
/// rounding to `f32`.
fn assert_low(found: Option<(DVec3, f64)>, up: DVec3, height: f64) {
    let found = found.unwrap();
    assert!(found.0.distance(up) < 1e-12 && (found.1 - height).abs() < 1e-4, "{found:?}, {height}");
}

#[test]
fn nothing_can_be_below_the_lowest_corner_less_the_length_of_the_longest_that_moves() {
    let block = Vec3::new(1.0, 2.0, 2.0);
    // The static shelf of 40 m extends from −10.5 to −9.5 m along x, and from 10 to 50 m along y. The
    // block, with a diagonal of 3 m, begins at −1 m.
    let shelf = (Vec3::new(1.0, 40.0, 1.0), DVec3::new(-10.0, 30.0, 0.0), Static);
    let mut scene = boxes(&[shelf, (block, DVec3::ZERO, Dynamic)]);
    let mut low = |gravity: DVec3| {
        scene.gravity = gravity;
        floor(&scene)
    };
    assert_low(low(DVec3::new(-8.0, 0.0, 0.0)), DVec3::X, -13.5);
    assert_low(low(DVec3::new(0.0, -8.0, 0.0)), DVec3::Y, -4.0);
    // With gravity reversed, the highest corner, at 50 m, is at −50 m against gravity.
    assert_low(low(DVec3::new(0.0, 8.0, 0.0)), DVec3::NEG_Y, -53.0);
    // Along (0.6, 0.8), the lowest corner of the box around all bodies, (−10.5, −1), is at −6.3 − 0.8.
    assert_low(low(DVec3::new(-6.0, -8.0, 0.0)), DVec3::new(0.6, 0.8, 0.0), -10.1);
    assert_eq!(low(DVec3::ZERO), None, "nothing falls");
    assert_eq!(floor(&boxes(&[shelf])), None, "nothing moves");
}

#[test]
fn jointed_bodies_are_as_long_as_the_distance_of_their_parts() {
    // The ground ends at −4.5 m. Arm and hand together have a diagonal of 3 m.
    assert_low(floor(&scene()), DVec3::Y, -7.5);
    let mut apart = scene();
    apart.joints.clear();
    apart.skeletons.clear();
    // Without joints, every block has a diagonal of 1.5 m.
    assert_low(floor(&apart), DVec3::Y, -6.0);
}

/// Returns the passages (body, surface passed through) of a step in which the two bodies of a scene
/// move by `moves`.
pub fn passages(scene: &Scene, moves: [DVec3; 2]) -> Vec<(u32, u32)> {
    let mut bodies = bodies_at_start(scene);
    let before: Vec<Pose> = bodies.states.iter().map(|state| state.pose).collect();
    for (state, way) in bodies.states.iter_mut().zip(moves) {
        state.pose.position += way;
    }
    PassageMeter::new(scene, Arc::new(Surfaces::new(scene))).passages(&before, &bodies)
}

#[test]
fn of_two_that_both_get_through_the_one_that_yields_is_named_and_else_the_first() {
    let cube = Vec3::ONE;
    // The second cube passes through the center of the first.
    let named = |first: Motion, second: Motion| {
        let scene = boxes(&[(cube, DVec3::ZERO, first), (cube, DVec3::new(0.0, 2.0, 0.0), second)]);
        passages(&scene, [DVec3::ZERO, DVec3::new(0.0, -4.0, 0.0)])
    };
    assert_eq!(named(Dynamic, Dynamic), [(0, 1)]);
    assert_eq!(named(Static, Dynamic), [(1, 0)]);
    assert_eq!(named(Dynamic, Kinematic), [(0, 1)]);
    assert_eq!(named(Kinematic, Kinematic), [], "nothing yields");
}

#[test]
fn a_body_into_which_another_that_cannot_yield_gets_is_named() {
    // The core of the pin, its center, enters a corner of the cube. The cube's center does not enter
    // the pin.
    let (cube, pin) = ((Vec3::splat(2.0), DVec3::ZERO), (Vec3::splat(0.25), DVec3::new(0.75, 2.0, 0.75)));
    let down = DVec3::new(0.0, -1.5, 0.0);
    let named = |cube_moves: Motion, pin_moves: Motion| {
        let scene = boxes(&[(cube.0, cube.1, cube_moves), (pin.0, pin.1, pin_moves)]);
        let turned = boxes(&[(pin.0, pin.1, pin_moves), (cube.0, cube.1, cube_moves)]);
        [passages(&scene, [DVec3::ZERO, down]), passages(&turned, [down, DVec3::ZERO])]
    };
    assert_eq!(named(Dynamic, Dynamic), [[(1, 0)], [(0, 1)]]);
    assert_eq!(named(Static, Dynamic), [[(1, 0)], [(0, 1)]]);
    assert_eq!(named(Dynamic, Kinematic), [[(0, 1)], [(1, 0)]], "the pin goes where it goes");
}

#[test]
fn a_sheet_gets_through_once_it_is_in_by_more_than_it_rests() {
    let mut scene = boxes(&[(Vec3::ONE, DVec3::ZERO, Static)]);
    let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)].map(|(x, z)| Vec3::new(x, 0.0, z));
    let mesh = scene.add_mesh(Mesh::new("sheet", &corners, &[[0, 1, 2], [0, 2, 3]]).unwrap());
    let sheet = BodyDef { mesh: Some(mesh), ..BodyDef::empty("sheet") }.at(DVec3::new(0.1, 1.0, 0.1));
    scene.add_body(sheet);
    // The top of the cube is at 0.5 m. The sheet ends 0.1 mm or half a meter below it.
    let down = |way: f64| passages(&scene, [DVec3::ZERO, DVec3::new(0.0, -way, 0.0)]);
    assert_eq!(down(0.5001), []);
    assert_eq!(down(1.0), [(1, 0)]);
}

#[test]
fn a_start_is_the_same_within_a_micrometre_and_a_millionth_of_a_turn() {
    let own = scene();
    let differs = |change: fn(&mut Scene)| {
        let mut its = scene();
        change(&mut its);
        check_same(&own, &its).err()
    };
    let elsewhere = Some("its body \"loose\" starts elsewhere".to_owned());
    assert_eq!(differs(|_| ()), None);
    // The loose block is body 13, at y = 0.
    assert_eq!(differs(|its| its.bodies[13].pose.position.y = 0.9e-6), None);
    assert_eq!(differs(|its| its.bodies[13].pose.position.y = -1.1e-6), elsewhere);
    // The scalar part of the quaternion is the cosine of half the angle x, about 1 − x² / 2. For half
    // angles of 1.35 mrad it is above 1 − 1e-6, for 1.5 mrad it is not.
    assert_eq!(differs(|its| its.bodies[13].pose.rotation = DQuat::from_rotation_x(2.7e-3)), None);
    assert_eq!(differs(|its| its.bodies[13].pose.rotation = DQuat::from_rotation_x(3.0e-3)), elsewhere);
    assert_eq!(differs(|its| its.bodies[13].pose.rotation = -DQuat::IDENTITY), None);
    assert_eq!(
        differs(|its| its.config.dt = 0.25),
        Some("its steps take 0.25 s, those of by hand 0.5 s".into())
    );
    let other = "its body \"bolt\" is in the place of \"hand\"".to_owned();
    assert_eq!(differs(|its| its.bodies[2].name = "bolt".to_owned()), Some(other));
    let fewer = "it has 18 bodies, by hand has 19".to_owned();
    assert_eq!(differs(|its| its.bodies.truncate(18)), Some(fewer));
}

#[test]
fn a_body_of_the_program_s_own_world_touches_what_it_lies_on() {
    // The box around the last block overlaps that of the second block, but the last block's edge is 0.4
    // m away from the second block.
    let mut scene = boxes(&[
        (Vec3::ONE, DVec3::new(0.0, 8.0, 0.0), Dynamic),
        (Vec3::ONE, DVec3::new(0.0, 1.0, 0.0), Dynamic),
        (Vec3::new(4.0, 1.0, 4.0), DVec3::ZERO, Static),
        (Vec3::ONE, DVec3::new(1.15, 1.25, 1.15), Static),
    ]);
    scene.bodies[3].pose.rotation = DQuat::from_rotation_y(0.25 * std::f64::consts::PI);
    (scene.config.dt, scene.config.threads) = (0.005, 1);
    let mut own = Own::new(&scene, &Arc::default()).unwrap();
    for _ in 0..4 {
        own.step().unwrap();
    }
    own.observe().unwrap();
    assert_eq!([0, 1, 2, 3].map(|body| own.touched(body)), [None, Some(2), Some(1), None]);
    let (counts, measures) = own.record();
    assert_eq!((counts.awake_bodies, measures.energy > 0.0), (2, true));
}

#[test]
fn the_machine_is_this_one_and_memory_is_in_bytes() {
    let found = machine();
    assert_eq!(found.system, format!("{} {}", std::env::consts::OS, std::env::consts::ARCH));
    assert_eq!(found.cores as usize, crate::parallel::core_count());
    if let Some(bytes) = resident_bytes() {
        // Number of pages, of 4 KiB or more, that the system reports as resident for this process.
        let text = std::fs::read_to_string("/proc/self/statm").unwrap();
        let pages: u64 = text.split(' ').nth(1).unwrap().parse().unwrap();
        assert!(bytes > 2048 * pages && bytes < 128 * 1024 * pages, "{bytes} bytes, {pages} pages");
    }
}
