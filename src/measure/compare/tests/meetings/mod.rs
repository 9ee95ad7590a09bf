//! Tests that the world, the measures of a comparison, and rapier3d let the same pairs of bodies
//! collide, namely those that the scene's data specifies. The tests of rapier are in `rapier.rs`.
//!
//! - `every_rule.rs`: a generated scene with every kind of rule.
//! - `oracle.rs`: reference answer for a pair of bodies, read from the scene's data for each pair.

mod every_rule;
mod oracle;

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};

pub(in crate::compare) use oracle::{Answer, answer, yields};

use super::super::surfaces::Surfaces;
use crate::articulation::SkinKind;
use crate::body::{JointAxis, Motion};
use crate::check::Pairing;
use crate::contact::{PairContacts, PairRule};
use crate::generate;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::scene::{BodyDef, LinkMotion, Scene, builtin_scenes, load_scene};
use crate::world::World;

/// Returns the built-in scenes and the scene with every rule, each [`gathered`].
pub(in crate::compare) fn scenes() -> Vec<Scene> {
    let builtin = builtin_scenes().iter().map(|builtin| load_scene(builtin.name, None).unwrap());
    builtin.chain([every_rule::scene()]).map(gathered).collect()
}

/// Replaces all bodies of a scene by cubes of 1 m at rest in one place, so that every two overlap. The
/// rules of collision are unchanged.
fn gathered(mut scene: Scene) -> Scene {
    let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
    for mesh in &mut scene.meshes {
        *mesh = Mesh::new("cube", &positions, &triangles).unwrap().into();
    }
    for (index, body) in scene.bodies.iter_mut().enumerate() {
        // Irregular offsets, so that no two faces are in one plane.
        let place = DVec3::new(0.7549, 0.5698, 0.4302) * index as f64;
        body.pose = Pose::from_position(0.2 * (place - place.floor()));
        (body.linear_velocity, body.angular_velocity, body.center) = Default::default();
    }
    scene.skeletons.iter_mut().for_each(|figure| figure.motion = LinkMotion::default());
    for joint in &mut scene.joints {
        (joint.linear, joint.angular) = ([JointAxis::default(); 3], [JointAxis::default(); 3]);
        (joint.cone, joint.distance, joint.pose_drive) = (None, None, None);
    }
    scene.controls.clear();
    scene.drawn.clear();
    scene.gravity = DVec3::ZERO;
    (scene.config.skins, scene.config.dt, scene.config.threads) = (SkinKind::Rigid, 1e-3, 1);
    scene
}

/// Returns every pair of bodies of a scene, a < b.
pub(in crate::compare) fn pairs(scene: &Scene) -> impl Iterator<Item = (u32, u32)> {
    let count = scene.bodies.len() as u32;
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}

#[test]
fn a_world_tests_the_pairs_that_meet_and_pushes_those_that_are_not_watched() {
    for scene in scenes() {
        let mut world = World::new(&scene).unwrap();
        world.step();
        let near: BTreeMap<_, &PairContacts> =
            world.pairs().iter().map(|pair| ((pair.a, pair.b), pair)).collect();
        for (a, b) in pairs(&scene) {
            // Pairs that are only tested for intersection have no search margin.
            let seen = near.get(&(a, b)).map(|pair| match (pair.search.margin > 0.0, pair.rule) {
                (false, _) => Answer::Watch,
                (true, PairRule::Permanent) => Answer::Permanent,
                (true, _) => Answer::Push,
            });
            let expected = answer(&scene, a, b);
            assert_eq!(seen.unwrap_or(Answer::Never), expected, "{a} and {b} of {}", scene.name);
        }
    }
}

#[test]
fn measures_judge_the_pairs_that_a_world_pushes_apart_as_a_whole() {
    for scene in scenes() {
        let surfaces = Surfaces::new(&scene);
        for (a, b) in pairs(&scene) {
            let have_surfaces = [a, b].iter().all(|&body| surfaces.mesh_of(body as usize).is_some());
            let is_judged = have_surfaces && !surfaces.are_excused(a, b);
            let is_whole = !scene.filters.differ(a, b);
            let expected = answer(&scene, a, b) == Answer::Push && yields(&scene, a, b) && is_whole;
            assert_eq!(is_judged, expected, "{a} and {b} of {}", scene.name);
        }
    }
}

/// Tests the oracle on pairs whose answers are given by hand.
#[test]
fn the_scene_with_every_rule_has_pairs_of_every_kind() {
    let scene = every_rule::scene();
    let index = |name: &str| scene.bodies.iter().position(|body| body.name == name).unwrap() as u32;
    for (a, b, expected) in every_rule::ANSWERS {
        let (a, b) = (index(a), index(b));
        assert_eq!(answer(&scene, a.min(b), a.max(b)), expected, "{a} and {b}");
    }
    for kind in [Answer::Push, Answer::Permanent, Answer::Watch, Answer::Never] {
        assert!(every_rule::ANSWERS.iter().filter(|answer| answer.2 == kind).count() > 1, "{kind:?}");
    }
}

#[test]
fn the_reason_why_bodies_are_kept_apart_does_not_depend_on_whether_they_could_push() {
    let mut scene = every_rule::scene();
    let index = |name: &str| scene.bodies.iter().position(|body| body.name == name).unwrap() as u32;
    let said = every_rule::SAID.map(|(a, b, said)| (index(a), index(b), said));
    let mut check = |fix: fn(&mut BodyDef)| {
        scene.bodies.iter_mut().for_each(fix);
        let pairing = Pairing::new(&scene);
        for (a, b, said) in said {
            assert_eq!([pairing.said(a, b), pairing.said(b, a)], [said; 2], "{a} and {b}");
        }
    };
    check(|_| ());
    check(|body| body.motion = Motion::Static);
    check(|body| body.mesh = None);
    check(|body| body.trigger = true);
}
