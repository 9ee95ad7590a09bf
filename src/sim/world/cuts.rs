//! Cuts: pairs of bodies that overlap too deeply when they come to rest, or when a run ends.
//!
//! Contacts show only the depth of features that were found. So the depth of two resting bodies is
//! measured independently of contacts, in the same way as `tumble check` does: with few searches when
//! they have slept for a while, and with more at the end of the run if the first result was not conclusive.

use glam::DVec3;

use super::events::Event;
use super::scratch::Scratch;
use super::{StepCounts, World};
use crate::arrays::MapEach;
use crate::contact::{DepthAtRest, PairContacts, PairRule};
use crate::query::{PairMemory, Placed, crossing_reach, first_crossing, penetration};
use crate::tree::SegmentStack;

/// Largest allowed depth of two bodies at rest, as a share of the thickness of the thinner one. It is some
/// fifty times the overlap that contacts leave, and well below a visible overlap.
const CUT_OF_THICKNESS: f64 = 0.02;
/// Largest allowed depth of small bodies, as such a share. Their contacts yield by a greater share of the
/// thickness.
const CUT_OF_SMALL: f64 = 0.05;
/// Largest depth to which small bodies are allowed that share, as a multiple of the distance by which a
/// contact yields under the weight of a body.
const YIELDS: f64 = 8.0;
/// Largest allowed depth at a thin place of a thick body, such as a tooth of a gear, as a share of the
/// thickness there. Smaller values name fingertips and other ends, which are thin only at their last
/// millimeter.
const CUT_OF_WALL: f64 = 0.25;
/// Least depth that counts as deep at a thin place, as a multiple of the distance by which a contact yields
/// under the weight of a body. At a sharp edge, any overlap is deep for its place.
const WALL_YIELDS: f64 = 4.0;
/// Largest number of closest-point searches per pair in a step: a tenth of a millisecond. Smaller
/// values leave more pairs without a conclusive result until the run ends.
const SEARCHES: u32 = 64;
/// Largest number of closest-point searches for all pairs together at the end of a run: some ten
/// seconds.
const SEARCHES_AT_END: usize = 1 << 23;
/// Largest number of closest-point searches per pair at the end of a run.
const MOST_FOR_A_PAIR: usize = 8192;
/// Approximate time to measure a pair on one thread, ns.
const COST: u64 = 100_000;
/// Number of steps for which two bodies have slept when their depth is measured. Bodies that wake each other
/// up soon after are measured once. The pairs of a heap that falls asleep are spread over as many steps
/// again, so that no single step is slow.
const SETTLED: u32 = 30;

/// Overlap of two bodies.
struct Overlap {
    /// Depth as far as it was found, and an upper bound, m.
    depth: [f64; 2],
    /// Point of each body at that depth, world, m; `None` for sheets, which have no inside.
    points: Option<[DVec3; 2]>,
}

impl World {
    /// Measures the depth of the pairs that have slept for [`SETTLED`] steps, or up to twice as many, and
    /// records those that are cut into each other.
    pub(super) fn judge_rest(&mut self) {
        let is_due = |pair: &PairContacts| {
            let turn = pair.a.wrapping_mul(31).wrapping_add(pair.b) % SETTLED;
            pair.depth_at_rest.is_none() && pair.rested >= SETTLED + turn
        };
        let mut is_any_due = false;
        let mut active = std::mem::take(&mut self.pairs.active);
        for pair in &mut active {
            if self.is_at_rest(pair) {
                pair.rested = pair.rested.saturating_add(1);
                is_any_due |= is_due(pair);
            } else {
                (pair.depth_at_rest, pair.rested) = (None, 0);
            }
        }
        self.pairs.active = active;
        if is_any_due {
            self.measure_depths(SEARCHES, |_, pair| is_due(pair));
        }
        self.note_cuts(self.step_index + 1);
    }

    /// Measures the depth of all pairs that have no conclusive measurement when a run ends. This
    /// includes pairs that are not at rest, because a part that is cut into another may never come to
    /// rest.
    pub fn judge_end(&mut self) {
        let is_left = |pair: &PairContacts| pair.depth_at_rest.is_none_or(|depth| depth.is_open);
        let left_count = self.pairs.active.iter().filter(|pair| is_left(pair)).count();
        let each = (SEARCHES_AT_END / left_count.max(1)).clamp(SEARCHES as usize, MOST_FOR_A_PAIR);
        self.measure_depths(each as u32, |_, pair| is_left(pair));
        self.note_cuts(self.step_index);
        let left = self.pairs.active.iter().filter(|pair| is_left(pair));
        self.watch.deepest_at_rest.open_count = left.count() as u64;
    }

    /// Measures the depth of the pairs for which `is_asked` returns true, with at most `searches`
    /// searches each.
    fn measure_depths(&mut self, searches: u32, is_asked: impl Fn(&Self, &PairContacts) -> bool + Sync) {
        let all = 0..self.pairs.active.len();
        let mut nothing = vec![(); all.len()];
        let is_left_out = |world: &Self, pair: &PairContacts, (): &()| !is_asked(world, pair);
        let measure = |world: &Self, pair: &mut PairContacts, (): &mut (), scratch: &mut Scratch| {
            scratch.depths.limit_searches(searches);
            pair.depth_at_rest = Some(world.depth_of(pair, &mut scratch.depths));
            StepCounts { depth_queries: 1, ..StepCounts::default() }
        };
        let counts = self.for_pairs_beside(all, &mut nothing, (COST, is_left_out), measure);
        self.counts += counts;
    }

    /// Returns the depth of two bodies at rest. 0 for bodies that are allowed to overlap.
    fn depth_of(&self, pair: &PairContacts, memory: &mut PairMemory) -> DepthAtRest {
        let is_meant = pair.rule == PairRule::Permanent || pair.is_in_parts;
        if is_meant || self.is_immovable(pair) || self.pairs.is_sensor_pair(pair) {
            return DepthAtRest { found: 0.0, wall: f64::INFINITY, is_open: false };
        }
        let Overlap { depth: [found, at_most], points } = self.overlap_between(pair, memory);
        let may_be_deep = found > pair.excused_overlap() + WALL_YIELDS * self.solver.deflection(self.gravity);
        let wall = match points.filter(|_| may_be_deep) {
            Some(points) => self.wall(pair, points),
            None => f64::INFINITY,
        };
        let allowed = self.allowed_at_rest(pair, wall);
        DepthAtRest { found, wall, is_open: found <= allowed && at_most > allowed }
    }

    /// Returns the thickness of the thinner of two bodies between their surfaces along the shortest way out,
    /// m; infinite if a ray leaves a surface that is not closed. `points`: the deepest point of each surface,
    /// world, m.
    fn wall(&self, pair: &PairContacts, points: [DVec3; 2]) -> f64 {
        let Some(surfaces) = self.surfaces(pair) else { return f64::INFINITY };
        let (middle, mut stack) = (0.5 * (points[0] + points[1]), SegmentStack::default());
        let (way, depth) = ((points[1] - points[0]).normalize_or_zero(), points[0].distance(points[1]));
        let mut of = |k: usize, way: DVec3| {
            let ((tree, mesh), body) = (surfaces[k], [pair.a, pair.b][k] as usize);
            let to_body = self.bodies.states[body].pose.inverse();
            let far = 2.0 * self.bodies.infos[body].radius;
            let ends = [middle, middle + far * way].map_each(|end| to_body.transform_point(end));
            let first = first_crossing(tree, mesh, ends[0], ends[1], &mut stack);
            first.map_or(f64::INFINITY, |crossing| 0.5 * depth + far * crossing.at)
        };
        of(0, way).min(of(1, -way))
    }

    /// Returns the depth of two bodies in each other as far as it was found, and an upper bound, m. If
    /// one is a sheet, which has no inside, returns the distance by which intersecting triangles reach
    /// through each other.
    pub(super) fn depth_between(&self, pair: &PairContacts, memory: &mut PairMemory) -> [f64; 2] {
        self.overlap_between(pair, memory).depth
    }

    fn overlap_between(&self, pair: &PairContacts, memory: &mut PairMemory) -> Overlap {
        let of = |depth: [f64; 2]| Overlap { depth, points: None };
        let Some([(tree_a, mesh_a), (tree_b, mesh_b)]) = self.surfaces(pair) else { return of([0.0; 2]) };
        let [(a, _), (b, _)] = self.two(pair);
        let [a, b] = [Placed::new(tree_a, mesh_a, a.pose), Placed::new(tree_b, mesh_b, b.pose)];
        let is_sheet = [&a, &b].iter().any(|p| p.mesh.surface().flaws.two_sided_triangle_count > 0);
        match penetration(&a, &b, memory).filter(|deep| deep.depth > 0.0 || !is_sheet) {
            Some(deep) => Overlap { depth: [deep.depth, deep.at_most], points: Some(deep.points) },
            None if is_sheet => of([crossing_reach(&a, &b, memory); 2]),
            None => of([0.0; 2]),
        }
    }

    /// Records the pairs that are cut into each other, and the greatest depth.
    fn note_cuts(&mut self, step: u32) {
        let mut watch = std::mem::take(&mut self.watch);
        for pair in &self.pairs.active {
            let Some(DepthAtRest { found: depth, wall, .. }) = pair.depth_at_rest.filter(|d| d.found > 0.0)
            else {
                continue;
            };
            watch.deepest_at_rest.see(depth, [pair.a, pair.b], step);
            let thickness = pair.settings.thickness.min(wall);
            if depth > self.allowed_at_rest(pair, wall)
                && watch.note_cut(pair, [depth, thickness], step, &self.bodies)
            {
                self.events.tell(Event::Cut { a: pair.a, b: pair.b });
            }
        }
        self.watch = watch;
    }

    /// Returns the largest depth at which two bodies do not count as cut into each other, m. `wall`: the
    /// thickness at their deepest place, m.
    fn allowed_at_rest(&self, pair: &PairContacts, wall: f64) -> f64 {
        let (thickness, yields) = (pair.settings.thickness, self.solver.deflection(self.gravity));
        let of_small = (CUT_OF_SMALL * thickness).min(YIELDS * yields);
        let of_wall = (CUT_OF_WALL * wall).max(WALL_YIELDS * yields);
        pair.excused_overlap() + of_small.max(CUT_OF_THICKNESS * thickness).min(of_wall)
    }
}
