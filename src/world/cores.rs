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
    pub point: DVec3,
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
        // Seen from a body that spins, the way past it goes around it, and its chord through it.
        let middle = 0.5 * (min + max);
        let [start, end] = [before, after]
            .map_each(|[own, other]| own.transform_point(self.point) - other.transform_point(middle));
        if distance_of_origin(start, end) > 0.5 * (max - min).length() {
            return false;
        }
        first_crossing(tree, mesh, from, to, stack).is_some_and(|crossing| {
            let beyond = (1.0 - crossing.at) * from.distance(to);
            !self.is_on_surface || beyond > BEYOND * slop
        })
    }
}

/// How far a segment is from the origin, m.
fn distance_of_origin(from: DVec3, to: DVec3) -> f64 {
    let way = to - from;
    let along = (-from.dot(way) / way.length_squared()).clamp(0.0, 1.0);
    // A segment that is a point has no direction.
    if along.is_nan() { from.length() } else { (from + along * way).length() }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, Vec3};

    use super::*;
    use crate::generate;
    use crate::tree::{SplitRule, TreeKind};

    /// A cube of 1 m at the origin that turns so far, while a part flies past it or into it, that the chord
    /// of the way past it leads through its middle.
    #[test]
    fn what_flies_past_a_spinning_part_does_not_pass_through_it() {
        let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
        let mesh = Mesh::new("cube", &positions, &triangles).unwrap();
        let tree = Tree::build(TreeKind::default(), SplitRule::default(), &mesh);
        let core = Core { point: DVec3::ZERO, is_on_surface: false };
        let crosses = |from: DVec3, to: DVec3, turn: f64| {
            let other = [Pose::IDENTITY, Pose::new(DQuat::from_rotation_z(turn), DVec3::ZERO)];
            let own = [from, to].map(Pose::from_position);
            let poses = [[&own[0], &other[0]], [&own[1], &other[1]]];
            core.has_crossed((&tree, &mesh), poses, 1e-3, &mut SegmentStack::default())
        };
        let [left, right] = [DVec3::new(-1.0, 1.2, 0.0), DVec3::new(1.0, 1.2, 0.0)];
        let turn = 2.0 * f64::atan2(1.2, 1.0);
        assert!(!crosses(left, right, turn));
        assert!(crosses(left, right - 2.4 * DVec3::Y, 0.0));
        assert!(crosses(-2.0 * DVec3::X, DVec3::ZERO, turn), "what ends inside has crossed");
    }
}
