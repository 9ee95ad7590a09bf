//! Repeated tests of whether two surfaces intersect, while the surfaces move a little between the
//! tests.
//!
//! Two things are cached: the pair of triangles that intersected last, which is tested first; and, once
//! no triangles intersect, all pairs within some distance of each other (the front). While no point of
//! b has moved farther than this distance, no other pair can intersect. Both caches are exact: the
//! answer equals that of a cold start. While either applies, a test needs a few triangle tests and no
//! node test.

use std::ops::ControlFlow;

use super::filter::ExactFilter;
use super::intersect::{find_first, first_of};
use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::tree::{Counts, DescentScratch, Limit, Search, Surfaces, visit};

/// Cache of one pair of surfaces. Empty at first. Must be replaced by an empty one when one of the
/// surfaces changes.
#[derive(Clone, Debug)]
pub struct Coherence {
    witness: Option<[u32; 2]>,
    near: Vec<[u32; 2]>,
    /// Pose of b at which `near` was collected; `None` if `near` is invalid.
    collected_at: Option<Pose>,
    /// Largest distance (m) of the pairs in `near`.
    reach: f64,
    last: Option<Pose>,
    /// Recent motion of b between two queries, m. It decays slowly, so that a short rest does not reset
    /// it.
    step: f64,
    /// Number of steps, each as large as `step`, for which the next front must last.
    patience: f64,
    /// Number of queries to wait before a front is collected again, after one that was too large.
    rest: u32,
}

impl Default for Coherence {
    fn default() -> Self {
        Self {
            witness: None,
            near: Vec::new(),
            collected_at: None,
            reach: 0.0,
            last: None,
            step: 0.0,
            patience: FIRST_PATIENCE,
            rest: 0,
        }
    }
}

/// Largest number of pairs of a front: testing more pairs costs more than a descent.
const MAX_NEAR_COUNT: usize = 256;
/// Number of steps for which the first front must last.
const FIRST_PATIENCE: f64 = 8.0;
/// Largest number of steps for which a front must last.
const MAX_PATIENCE: f64 = 32.0;
/// Least number of steps for which collecting a front pays.
const LEAST_PATIENCE: f64 = 2.0;
/// Number of queries without a front after even the front for the fewest steps was too large.
const REST: u32 = 32;

/// Returns whether two surfaces intersect, like [`super::surfaces_intersect()`]. `memory` must be that
/// of this pair of surfaces.
pub fn intersect_coherently(
    surfaces: Surfaces,
    b_to_a: &Pose,
    memory: &mut Coherence,
    scratch: &mut DescentScratch,
    counts: &mut Counts,
) -> bool {
    let [(_, mesh_a), (_, mesh_b)] = surfaces;
    let filter = ExactFilter::new(mesh_a, mesh_b, b_to_a);
    let last = memory.last.replace(*b_to_a);
    if let Some(witness) = memory.witness {
        counts.triangle_test_count += 1;
        if first_of(&filter, &[witness]).is_some() {
            return true;
        }
    }
    if memory.collected_at.is_some_and(|at| displacement(mesh_b, &at, b_to_a) <= memory.reach) {
        counts.triangle_test_count += memory.near.len() as u64;
        memory.witness = first_of(&filter, &memory.near);
        return memory.witness.is_some();
    }
    memory.collected_at = None;
    memory.witness = find_first(surfaces, b_to_a, Limit::NONE, scratch, counts).0;
    if memory.witness.is_none()
        && let Some(last) = last
    {
        memory.step = displacement(mesh_b, &last, b_to_a).max(0.5 * memory.step);
        memory.collect(surfaces, b_to_a, scratch, counts);
    }
    memory.witness.is_some()
}

impl Coherence {
    /// Collects a front that lasts for `patience` steps of the recent size, unless it has too many
    /// pairs.
    fn collect(
        &mut self,
        surfaces: Surfaces,
        b_to_a: &Pose,
        scratch: &mut DescentScratch,
        counts: &mut Counts,
    ) {
        if self.rest > 0 {
            self.rest -= 1;
            return;
        }
        self.near.clear();
        self.reach = self.patience * self.step;
        let search = Search::all(b_to_a, self.reach);
        let near = &mut self.near;
        let too_many = visit(surfaces, &search, scratch, counts, &mut |pairs| {
            near.extend_from_slice(pairs);
            if near.len() > MAX_NEAR_COUNT { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if too_many.is_continue() {
            self.collected_at = Some(*b_to_a);
            self.patience = (2.0 * self.patience).min(MAX_PATIENCE);
        } else if self.patience > LEAST_PATIENCE {
            self.patience *= 0.5;
        } else {
            self.rest = REST;
        }
    }
}

/// Returns an upper bound of the displacement of any point of the surface between two poses, m.
fn displacement(mesh: &Mesh, from: &Pose, to: &Pose) -> f64 {
    let bounds = mesh.bounds();
    let (center, radius) = (bounds.center().as_dvec3(), 0.5 * f64::from(bounds.diagonal()));
    let (m, n) = (from.rotation_matrix(), to.rotation_matrix());
    let turned = m - n;
    let columns = [turned.x_axis, turned.y_axis, turned.z_axis].map_each(|c| c.length_squared());
    // The difference of two rotations stretches all directions equally, except one direction that it
    // maps to zero.
    let stretch = (0.5 * columns.iter().sum::<f64>()).sqrt();
    let rounding = 64.0
        * f64::EPSILON
        * (center.abs().max_element() + radius + from.position.length() + to.position.length());
    let moved = to.transform_point(center) - from.transform_point(center);
    moved.length() + stretch * radius + rounding
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;
    use crate::generate::{self, Gear};
    use crate::query::surfaces_intersect;
    use crate::tree::{SplitRule, Tree, TreeKind};

    /// Makes small steps, a jump and rests. Every answer equals that of a cold start, and the total
    /// number of node tests is lower.
    #[test]
    fn remembered_answers_are_those_of_a_cold_start() {
        let shapes = [generate::torus(0.4, 0.12, 48, 24), Gear { spacing: 0.02, ..Gear::SMALL }.triangles()];
        let [a, b] = shapes.map(|(positions, triangles)| Mesh::new("m", &positions, &triangles).unwrap());
        for kind in [TreeKind::Boxtree8, TreeKind::Aabb] {
            let trees = [&a, &b].map(|mesh| Tree::build(kind, SplitRule::default(), mesh));
            let surfaces = [(&trees[0], &a), (&trees[1], &b)];
            let mut scratch = DescentScratch::default();
            let mut memory = Coherence::default();
            let (mut warm, mut cold, mut hits, mut changes) = (Counts::default(), Counts::default(), 0, 0);
            let mut before = false;
            let count = 4000;
            for i in 0..count {
                let t = f64::from(i / 2 * 2) / f64::from(count);
                let jump = if i > count / 2 { 0.3 } else { 0.0 };
                let rotation = DQuat::from_euler(glam::EulerRot::XYZ, 6.0 * t, 4.0 * t, jump);
                let offset = DVec3::new(0.5 * libm::cos(9.0 * t), 0.1, 0.2 * libm::sin(5.0 * t));
                let pose = Pose::new(rotation, offset);
                let answer = intersect_coherently(surfaces, &pose, &mut memory, &mut scratch, &mut warm);
                assert_eq!(answer, surfaces_intersect(surfaces, &pose, &mut scratch, &mut cold), "{i}");
                hits += u32::from(answer);
                changes += u32::from(answer != before);
                before = answer;
            }
            assert!((500..3500).contains(&hits) && changes > 3, "{hits} hits, {changes} changes");
            assert!(3 * warm.node_test_count < 2 * cold.node_test_count, "{warm:?} {cold:?}");
        }
    }

    #[test]
    fn displacement_bounds_the_way_of_every_vertex() {
        let (positions, triangles) = generate::torus(0.4, 0.12, 24, 12);
        let mesh = Mesh::new("torus", &positions, &triangles).unwrap();
        for i in 0..200 {
            let pose = |t: f64| {
                let rotation = DQuat::from_euler(glam::EulerRot::XYZ, t, 0.7 * t, -0.3 * t);
                Pose::new(rotation, DVec3::new(1e3 * t, t, 0.0))
            };
            let (from, to) = (pose(0.1 * f64::from(i)), pose(0.1 * f64::from(i) + 0.02));
            let bound = displacement(&mesh, &from, &to);
            for vertex in mesh.vertices() {
                let at = vertex.as_dvec3();
                assert!(from.transform_point(at).distance(to.transform_point(at)) <= bound);
            }
        }
    }
}
