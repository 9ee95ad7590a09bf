//! Cores: a point in the material of each body, and whether it has crossed the surface of another in a step.
//!
//! Getting through a surface is judged by cores, apart from contacts, which are blind to what they missed.
//! The watch of a world asks them, and a comparison of engines does. Cost of a question: a box test, and a
//! segment down the hierarchy where that fails; no allocation once the stack has grown.

use glam::DVec3;

use crate::arrays::MapEach;
use crate::body::Bodies;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::query::first_crossing;
use crate::tree::{SegmentStack, Tree};

/// A core on a surface has got through once it is so many slops beyond.
const BEYOND: f64 = 4.0;

/// A point in the material of a body, body space, m.
#[derive(Clone, Copy, Debug)]
pub struct Core {
    point: DVec3,
    /// On the surface, for want of an inside: resting on something takes it through by the slop.
    is_on_surface: bool,
}

/// Finds the core of every body, by body. Bodies without a surface have none, and bodies with the same mesh
/// share one. `surface` gives the hierarchy and the surface of a mesh, of which there are `mesh_count`.
pub fn find_cores<'a>(
    bodies: &Bodies,
    mesh_count: usize,
    surface: &dyn Fn(u32) -> (&'a Tree, &'a Mesh),
) -> Vec<Option<Core>> {
    let mut stack = SegmentStack::default();
    let mut known: Vec<Option<Option<Core>>> = vec![None; mesh_count];
    let all = bodies.states.iter().zip(&bodies.infos);
    let cores = all.map(|(state, info)| {
        let (tree, mesh) = surface(info.mesh?);
        let core = &mut known[info.mesh? as usize];
        *core.get_or_insert_with(|| Core::of(tree, mesh, state.center, &mut stack))
    });
    cores.collect()
}

impl Core {
    /// The centre of mass where it lies in the material, else the middle of the wall nearest to it; of a
    /// surface without an inside the place nearest to it. `None` without triangles that have an area.
    fn of(tree: &Tree, mesh: &Mesh, center: DVec3, stack: &mut SegmentStack) -> Option<Self> {
        let far = 2.0 * f64::from(mesh.bounds().diagonal());
        let out = |from: DVec3, way: DVec3, stack: &mut SegmentStack| {
            let crossing = first_crossing(tree, mesh, from, from + far * way, stack)?;
            let leaves = mesh.topology().normal(crossing.triangle).dot(way) > 0.0;
            let is_solid = !mesh.surface().two_sided[crossing.triangle as usize];
            (leaves && is_solid).then_some(crossing.at * far)
        };
        // Not along any axis that a part is likely to be modelled along.
        let ways = [DVec3::new(0.36, 0.48, 0.8), DVec3::new(-0.8, 0.36, -0.48)];
        if ways.iter().all(|&way| out(center, way, stack).is_some()) {
            return Some(Self { point: center, is_on_surface: false });
        }
        let middle = |t: u32| mesh.corners(t).iter().sum::<DVec3>() / 3.0;
        let triangles =
            (0..mesh.triangles().len() as u32).filter(|&t| mesh.topology().normal(t) != DVec3::ZERO);
        let nearest = triangles.min_by(|&t, &u| {
            middle(t).distance_squared(center).total_cmp(&middle(u).distance_squared(center))
        })?;
        let (on, inward) = (middle(nearest), -mesh.topology().normal(nearest));
        Some(match out(on + 1e-6 * far * inward, inward, stack) {
            Some(wall) => Self { point: on + (0.5 * wall) * inward, is_on_surface: false },
            None => Self { point: on, is_on_surface: true },
        })
    }

    /// Whether the core has crossed the surface of another body in a step, seen from the latter. The poses
    /// `before` and after the step are of the core's body, then of the other. `slop` is that of the two, m.
    pub fn has_crossed(
        &self,
        (tree, mesh): (&Tree, &Mesh),
        [before, after]: [[&Pose; 2]; 2],
        slop: f64,
        stack: &mut SegmentStack,
    ) -> bool {
        let seen = |poses: [&Pose; 2]| poses[1].inverse_transform_point(poses[0].transform_point(self.point));
        let [from, to] = [before, after].map_each(seen);
        let bounds = mesh.bounds();
        let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        if from.max(to).cmplt(min).any() || from.min(to).cmpgt(max).any() || from == to {
            return false;
        }
        first_crossing(tree, mesh, from, to, stack).is_some_and(|crossing| {
            let beyond = (1.0 - crossing.at) * from.distance(to);
            !self.is_on_surface || beyond > BEYOND * slop
        })
    }
}
