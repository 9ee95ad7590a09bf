//! Passages of bodies through surfaces, measured in the same way for all engines from the poses before
//! and after each step. A body passes if an interior sample point (core) of it crosses the surface of
//! another body. The tunneling guard of a world uses the same rule. The measure does not use contacts.

use std::sync::Arc;

use super::surfaces::Surfaces;
use crate::arrays::MapEach;
use crate::body::{Bodies, BodyInfo};
use crate::broad::{BroadPhase, BroadPhaseKind, Pair};
use crate::contact::PairSettings;
use crate::pose::Pose;
use crate::scene::Scene;
use crate::volume::Aabb;
use crate::world::{CORE_TOLERANCE, Core, CoreStacks, bodies_at_start, find_cores, first_crossed};

/// Cores of a scene's bodies, and the surfaces that they may cross.
pub struct PassageMeter {
    surfaces: Arc<Surfaces>,
    /// Cores per body.
    cores: Vec<Arc<[Core]>>,
    infos: Vec<BodyInfo>,
    broad: BroadPhase,
    boxes: Vec<Aabb>,
    pairs: Vec<Pair>,
    stacks: CoreStacks,
}

impl PassageMeter {
    pub fn new(scene: &Scene, surfaces: Arc<Surfaces>) -> Self {
        let bodies = bodies_at_start(scene);
        let surface = |mesh: u32| (&surfaces.trees[mesh as usize], &*surfaces.meshes[mesh as usize]);
        let cores = find_cores(&bodies, surfaces.meshes.len(), &surface);
        Self {
            surfaces,
            cores,
            infos: bodies.infos,
            broad: BroadPhase::new(BroadPhaseKind::default(), 1),
            boxes: Vec::new(),
            pairs: Vec::new(),
            stacks: CoreStacks::default(),
        }
    }

    /// Returns pairs of bodies, each once. The first body of a pair passes through the surface of the
    /// second in a step from the poses `before` to those of `bodies`. A body whose pose is not finite
    /// passes through none.
    ///
    /// Only pairs with overlapping boxes are tested, where a box encloses a body's surface before and
    /// after the step. A core lies inside its own body's box. So if neither body rotates, a core
    /// outside the other body's box crosses no surface of it.
    pub fn passages(&mut self, before: &[Pose], bodies: &Bodies) -> Vec<(u32, u32)> {
        let surfaces = &*self.surfaces;
        self.boxes.clear();
        self.boxes.extend(before.iter().zip(&bodies.states).enumerate().map(|(body, (before, state))| {
            let both = [before, &state.pose].map_each(|pose| surfaces.bounds(body, pose));
            if both.iter().any(Aabb::is_empty) { Aabb::EMPTY } else { both[0].union(&both[1]) }
        }));
        self.broad.update(&self.boxes);
        self.broad.pairs(&mut self.pairs);
        let mut found = Vec::new();
        for &Pair { a, b } in self.pairs.iter().filter(|pair| !surfaces.are_excused(pair.a, pair.b)) {
            let mut crosses = |body: u32, through: u32| {
                let (i, j) = (body as usize, through as usize);
                let Some(mesh) = surfaces.mesh_of(j) else { return false };
                let surface = (&surfaces.trees[mesh], &*surfaces.meshes[mesh]);
                let tolerance = CORE_TOLERANCE * PairSettings::new(&self.infos[i], &self.infos[j]).slop;
                let poses = [[&before[i], &before[j]], [&bodies.states[i].pose, &bodies.states[j].pose]];
                first_crossed(&self.cores[i], surface, poses, tolerance, &mut self.stacks).is_some()
            };
            let crossed = [(a, b), (b, a)].map_each(|(body, through)| crosses(body, through));
            // If only one of the two bodies yields, it is the one that counts as passing.
            let is_fixed = |body: u32, other: u32| bodies.is_dynamic(other) && !bodies.is_dynamic(body);
            match crossed {
                [false, false] => {}
                [true, _] if !is_fixed(a, b) => found.push((a, b)),
                [false, true] if is_fixed(b, a) => found.push((a, b)),
                _ => found.push((b, a)),
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Vec3};

    use super::super::tests::by_hand::passages;
    use super::*;
    use crate::contact::PairRule;
    use crate::generate;
    use crate::mesh::Mesh;
    use crate::scene::BodyDef;

    /// Creates a movable plate of 2 m side and 0.2 m thickness at the origin, and a movable ball of
    /// radius 0.1 m at `ball`.
    fn scene(ball: DVec3) -> Scene {
        let mut scene = Scene::new("plate and ball");
        let mut add = |name: &str, (positions, triangles): generate::Triangles| {
            scene.add_mesh(Mesh::new(name, &positions, &triangles).unwrap())
        };
        let meshes = [
            add("plate", generate::cuboid(Vec3::new(2.0, 0.2, 2.0), 2.0)),
            add("ball", generate::sphere(0.1, 12)),
        ];
        for (mesh, place) in meshes.into_iter().zip([DVec3::ZERO, ball]) {
            let body = BodyDef::dynamic(&scene, mesh, 1000.0).at(place);
            scene.add_body(body);
        }
        scene
    }

    /// Position of the ball beside the center of the plate, so that the plate's core does not enter the
    /// ball.
    const ABOVE: DVec3 = DVec3::new(0.5, 0.6, 0.0);

    #[test]
    fn a_core_that_goes_in_or_beyond_gets_through_whichever_body_moves() {
        let scene = scene(ABOVE);
        let down = |length: f64| DVec3::new(0.0, -length, 0.0);
        assert_eq!(passages(&scene, [DVec3::ZERO, down(0.45)]), [], "it is in by less than its radius");
        assert_eq!(passages(&scene, [DVec3::ZERO, down(0.55)]), [(1, 0)], "its core is in the plate");
        assert_eq!(passages(&scene, [DVec3::ZERO, down(20.0)]), [(1, 0)], "it is far beyond");
        assert_eq!(passages(&scene, [-down(20.0), DVec3::ZERO]), [(1, 0)], "the plate sweeps past it");
        assert_eq!(passages(&scene, [down(20.0), down(20.0)]), [], "both go the same way");
        assert_eq!(passages(&scene, [DVec3::ZERO, DVec3::new(3.0, -2.0, 0.0)]), [], "it goes round the edge");
    }

    #[test]
    fn pairs_that_the_scene_lets_overlap_and_volumes_that_only_report_are_not_judged() {
        let through = [DVec3::ZERO, DVec3::new(0.0, -1.2, 0.0)];
        for (rule, count) in [(PairRule::Collide, 1), (PairRule::Ignore, 0), (PairRule::Permanent, 0)] {
            let mut scene = scene(ABOVE);
            scene.pair_rules.push((0, 1, rule));
            assert_eq!(passages(&scene, through).len(), count, "{rule:?}");
        }
        let mut scene = scene(ABOVE);
        scene.bodies[0].trigger = true;
        assert_eq!(passages(&scene, through), []);
    }

    #[test]
    fn a_pose_that_is_no_number_gets_through_nothing() {
        assert_eq!(passages(&scene(ABOVE), [DVec3::ZERO, DVec3::splat(f64::NAN)]), []);
    }
}
