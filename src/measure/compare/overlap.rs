//! Depth of overlaps, measured in the same way for all engines from the poses that they report. The
//! depth is the distance that one body must move along the best of several directions until the exact
//! test finds the two surfaces disjoint. For convex bodies it is the smallest over all directions. The
//! measure shares no code with contacts.

use std::sync::Arc;

use super::surfaces::Surfaces;
use crate::arrays::MapEach;
use crate::broad::{BroadPhase, BroadPhaseKind, Pair};
use crate::check::WayOutSearch;
use crate::pose::Pose;
use crate::query::{Convex, Placed};
use crate::volume::Aabb;

/// Meter of overlaps: the surfaces of a scene, and data that their exact test keeps.
pub struct OverlapMeter {
    surfaces: Arc<Surfaces>,
    /// Convex solid per mesh; `None` for a mesh that is not convex.
    convex: Vec<Option<Convex>>,
    search: WayOutSearch,
    broad: BroadPhase,
    pairs: Vec<Pair>,
}

/// Deepest overlap of any two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    pub bodies: [u32; 2],
    /// Depth, m; 0 if the two only touch.
    pub depth: f64,
}

impl OverlapMeter {
    pub fn new(surfaces: Arc<Surfaces>) -> Self {
        Self {
            convex: surfaces.meshes.iter().map(|m| Convex::new(m)).collect(),
            surfaces,
            search: WayOutSearch::default(),
            broad: BroadPhase::new(BroadPhaseKind::default(), 1),
            pairs: Vec::new(),
        }
    }

    /// Returns the deepest overlap of any two bodies of the scene at `poses`; `None` if none intersect.
    /// A body whose pose is not finite intersects no other.
    pub fn deepest(&mut self, poses: &[Pose]) -> Option<Overlap> {
        let bounds = |(body, pose)| self.surfaces.bounds(body, pose);
        let boxes: Vec<Aabb> = poses.iter().enumerate().map(bounds).collect();
        self.broad.update(&boxes);
        let mut pairs = std::mem::take(&mut self.pairs);
        self.broad.pairs(&mut pairs);
        let mut deepest: Option<Overlap> = None;
        for &Pair { a, b } in &pairs {
            let known = deepest.map_or(0.0, |d| d.depth);
            if let Some(depth) = self.depth(poses, [a, b], known)
                && deepest.is_none_or(|d| depth > d.depth)
            {
                deepest = Some(Overlap { bodies: [a, b], depth });
            }
        }
        self.pairs = pairs;
        deepest
    }

    /// Returns the depth of the overlap of a and b, m. Returns `None` if they are disjoint, if they may
    /// overlap, or if they are certainly not deeper than `known`.
    fn depth(&mut self, poses: &[Pose], [a, b]: [u32; 2], known: f64) -> Option<f64> {
        let surfaces = &*self.surfaces;
        if surfaces.are_excused(a, b) {
            return None;
        }
        let [i, j] = [a, b].map_each(|body| body as usize);
        let meshes = [surfaces.mesh_of(i)?, surfaces.mesh_of(j)?];
        let places = [(i, meshes[0]), (j, meshes[1])].map_each(|(body, mesh)| Placed {
            convex: self.convex[mesh].as_ref(),
            ..Placed::new(&surfaces.trees[mesh], &surfaces.meshes[mesh], poses[body])
        });
        let [first, second] = &places;
        self.search.longer_than(first, second, known)
    }
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Vec3};

    use super::*;
    use crate::generate;
    use crate::mesh::Mesh;
    use crate::scene::{BodyDef, Scene};

    /// Measures a scene with a plate of 1 m side and 10 mm thickness, with its top at y = 0, and with
    /// copies of a shape at `places`.
    fn deepest(shape: &generate::Triangles, places: &[DVec3]) -> Option<Overlap> {
        let mut scene = Scene::new("overlaps");
        let mut add = |(positions, triangles): &generate::Triangles, name: &str| {
            scene.add_mesh(Mesh::new(name, positions, triangles).unwrap())
        };
        let plate = add(&generate::cuboid(Vec3::new(1.0, 0.01, 1.0), 1.0), "plate");
        let part = add(shape, "part");
        let fixed = BodyDef::fixed(&scene, plate).at(DVec3::new(0.0, -0.005, 0.0));
        scene.add_body(fixed);
        for &place in places {
            let body = BodyDef::dynamic(&scene, part, 1000.0).at(place);
            scene.add_body(body);
        }
        let poses: Vec<Pose> = scene.bodies.iter().map(|body| body.pose).collect();
        OverlapMeter::new(Arc::new(Surfaces::new(&scene))).deepest(&poses)
    }

    #[test]
    fn the_deepest_of_all_pairs_is_as_deep_as_it_was_put() {
        let cube = generate::cuboid(Vec3::splat(0.2), 0.2);
        let at = |x: f64, y: f64| DVec3::new(x, 0.1 + y, 0.0);
        assert_eq!(deepest(&cube, &[at(0.0, 0.001), at(0.3, 0.001)]), None);
        let overlap = deepest(&cube, &[at(0.0, -0.001), at(0.3, -0.002)]).unwrap();
        assert_eq!(overlap.bodies, [0, 2]);
        assert!((overlap.depth - 0.002).abs() < 1e-6, "{}", overlap.depth);
        let overlap = deepest(&cube, &[at(0.0, 0.001), at(0.197, 0.001)]).unwrap();
        assert_eq!(overlap.bodies, [1, 2]);
        assert!((overlap.depth - 0.003).abs() < 1e-6, "{}", overlap.depth);
    }

    #[test]
    fn surfaces_that_are_not_convex_are_measured_too() {
        // The torus has a tube 0.2 m thick, and lies flat on the plate.
        let torus = generate::torus(0.3, 0.1, 64, 32);
        let turned = |depth: f64| {
            let upright = torus.0.iter().map(|v| Vec3::new(v.x, v.z, v.y)).collect();
            let inside_out = torus.1.iter().map(|t| [t[0], t[2], t[1]]).collect();
            deepest(&(upright, inside_out), &[DVec3::new(0.0, 0.1 - depth, 0.0)])
        };
        assert_eq!(turned(-0.001), None);
        let depth = turned(0.004).unwrap().depth;
        assert!((depth - 0.004).abs() < 1e-4, "{depth}");
    }
}
