//! Search for the first touch, in one part of the interval (a window) after the other.
//!
//! Balls and boxes skip the parts in which the bodies are far apart. In each window the nearest pair of
//! triangles comes first: often it bounds the touch. Then all pairs that can touch in the window advance
//! from its start. A window with too many pairs is halved. The windows depend on exact distances only,
//! so they are the same for every kind of hierarchy and every order of candidates.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::advance::{Arrival, Goal, advance, measure};
use super::begun::{AT_START, note, target};
use super::course::{Course, Moment};
use super::{FirstTouch, TouchBuffers, TouchSearch};
use crate::arrays::MapEach;
use crate::pose::Pose;
use crate::query::approach;
use crate::query::exact::{Nearest, gap};
use crate::query::nearer::NearerFilter;
use crate::tree::{Counts, DescentScratch, Search, visit};

/// Number of pairs near each other above which a window is halved.
const MOST_PAIRS: usize = 128;
/// Relative motion in the first window, and in a window that is not halved any further, in radii of the
/// smaller body.
const FIRST: f64 = 0.5;
const FINEST: f64 = 1e-3;
/// Work after which a search gives up: one unit per measured pair, and `WINDOW` units per window.
const MOST_WORK: u32 = 1 << 18;
const WINDOW: u32 = 16;

/// Pair that may touch in a window, and the share up to which it is proven free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    free: f64,
    goal: Goal,
}

/// End of the search in one window.
enum End {
    /// No pair touches before the share. `few`: whether the window had few pairs.
    Free {
        share: f64,
        few: bool,
    },
    Touch(Goal, Arrival),
    GaveUp,
}

/// Search in progress.
pub(super) struct Walk<'a> {
    search: &'a TouchSearch<'a>,
    course: &'a Course<'a>,
    descent: &'a mut DescentScratch,
    buffers: &'a mut TouchBuffers,
    counts: &'a mut Counts,
    stop: Arc<AtomicBool>,
    /// Largest distance of a pair that touches or is ignored, m.
    margin: f64,
    /// Work left before the search gives up.
    left: u32,
}

impl<'a> Walk<'a> {
    pub fn new(
        search: &'a TouchSearch,
        course: &'a Course,
        descent: &'a mut DescentScratch,
        buffers: &'a mut TouchBuffers,
        counts: &'a mut Counts,
    ) -> Self {
        let (stop, margin) = (Arc::clone(&descent.stop), search.touch.max(search.ignored));
        Self { search, course, descent, buffers, counts, stop, margin, left: MOST_WORK }
    }

    pub fn run(mut self) -> Option<FirstTouch> {
        let mut share = self.search.start;
        let mut moment = self.course.at(share);
        let free = self.course.apart_for(&moment, AT_START * self.margin);
        if share + free > 1.0 {
            return None;
        }
        let buffers = &mut *self.buffers;
        let begun = (&mut buffers.begun, &mut buffers.near);
        if free == 0.0 && !note(self.search, &moment, self.course, begun, (self.descent, self.counts)) {
            return Some(FirstTouch { share, nearest: None });
        }
        let mut width = self.first_width(&moment);
        loop {
            moment = self.far_from(moment);
            share = moment.share;
            if share > 1.0 {
                return None;
            }
            match self.window(&moment, &mut width) {
                End::Free { share: 1.0.., .. } => return None,
                End::Free { share, few } => {
                    width *= if few { 2.0 } else { 1.0 };
                    moment = self.course.at(share);
                }
                End::Touch(goal, arrival) => return Some(self.touch(&goal, &arrival)),
                End::GaveUp => return Some(FirstTouch { share, nearest: None }),
            }
        }
    }

    /// Returns the width of the first window, as a share.
    fn first_width(&self, moment: &Moment) -> f64 {
        let reach = self.course.reach(moment, 1.0, self.margin);
        let count = |side: usize| self.search.surfaces[side].1.triangles().len();
        if count(0) * count(1) <= MOST_PAIRS { 1.0 } else { (FIRST * self.course.size() / reach).min(1.0) }
    }

    /// Skips the time in which the balls and boxes are apart. Returns the moment at its end.
    fn far_from(&mut self, mut moment: Moment) -> Moment {
        let finest = FINEST * self.course.size();
        loop {
            let free = self.course.apart_for(&moment, self.margin);
            let is_short = self.course.reach(&moment, free.min(1.0), self.margin) <= finest;
            if is_short && free < 1.0 {
                return moment;
            }
            if moment.share + free > 1.0 {
                return Moment { share: f64::INFINITY, ..moment };
            }
            self.left = self.left.saturating_sub(1);
            moment = self.course.at(moment.share + free);
            if self.left == 0 {
                return moment;
            }
        }
    }

    /// Searches the window of at most the given width that starts at a moment. Halves the width while
    /// there are too many pairs.
    fn window(&mut self, moment: &Moment, width: &mut f64) -> End {
        let (from, touch) = (moment.share, self.search.touch);
        let b_to_a = self.course.b_to_a(from);
        let mut end = (from + *width).min(1.0);
        self.left = self.left.saturating_sub(WINDOW);
        let reach = self.course.reach(moment, end - from, touch);
        let nearest = self.nearest(moment, &b_to_a, reach + touch);
        if self.is_over() {
            return End::GaveUp;
        }
        let Some((distance, goal)) = nearest else { return End::Free { share: end, few: true } };
        let mut best = advance(self.course, &goal, from, end, &mut self.left).map(|hit| (goal, hit));
        loop {
            end = best.map_or(end, |(_, arrival)| arrival.share);
            let reach = self.course.reach(moment, end - from, touch);
            if reach + touch < distance {
                return End::Free { share: end, few: true };
            }
            let is_finest = reach <= FINEST * self.course.size();
            let most = if is_finest { usize::MAX } else { MOST_PAIRS };
            let count = self.collect((moment, &b_to_a), (end, reach + touch), (most, goal.triangles));
            if self.is_over() {
                return End::GaveUp;
            }
            if count <= most {
                best = self.first_of_pending(end, best);
                let few = count < MOST_PAIRS / 4;
                return match best {
                    _ if self.is_over() => End::GaveUp,
                    Some((goal, arrival)) => End::Touch(goal, arrival),
                    None => End::Free { share: end, few },
                };
            }
            (end, best) = (from + 0.5 * (end - from), None);
            *width = end - from;
        }
    }

    /// Advances the pending pairs. Returns the first that touches, or `best` if it is earlier.
    fn first_of_pending(
        &mut self,
        mut end: f64,
        mut best: Option<(Goal, Arrival)>,
    ) -> Option<(Goal, Arrival)> {
        let mut pending = std::mem::take(&mut self.buffers.pending);
        // Early pairs first; the order also fixes how much work is left after each.
        let key = |p: &Pending| (p.free, p.goal.triangles);
        pending.sort_unstable_by(|p, q| key(p).partial_cmp(&key(q)).expect("shares are numbers"));
        for Pending { free, goal } in &pending {
            if self.left == 0 {
                break;
            }
            let Some(arrival) = advance(self.course, goal, *free, end, &mut self.left) else { continue };
            let is_first =
                best.is_none_or(|(first, at)| (arrival.share, goal.triangles) < (at.share, first.triangles));
            if is_first {
                (end, best) = (arrival.share, Some((*goal, arrival)));
            }
        }
        self.buffers.pending = pending;
        best
    }

    /// Collects the pairs, except `known`, that are within `reach` (m) at a moment and may touch before
    /// `end`. Returns the number of pairs within `reach`; more than `most` end the search.
    fn collect(
        &mut self,
        (moment, b_to_a): (&Moment, &Pose),
        (end, reach): (f64, f64),
        (most, known): (usize, [u32; 2]),
    ) -> usize {
        let TouchBuffers { near, begun, pending } = &mut *self.buffers;
        pending.clear();
        let filter = NearerFilter::new(self.search.surfaces.map_each(|(_, mesh)| mesh), b_to_a);
        let (search, mut count) = (Search::all(b_to_a, reach), 0);
        let _ = visit(self.search.surfaces, &search, self.descent, self.counts, &mut |pairs| {
            near.clear();
            filter.keep(pairs, reach, near);
            for &triangles in &*near {
                let target = target(begun, triangles, self.search.touch);
                let Some(target) = target.filter(|_| triangles != known) else { continue };
                let goal = Goal { triangles, target };
                let (gap, free) = measure(self.course, moment, &goal, end);
                if gap.square > reach * reach {
                    continue;
                }
                count += 1;
                if free <= end {
                    pending.push(Pending { free, goal });
                }
            }
            let is_over = count > most || self.left as usize <= count || self.stop.load(Ordering::Relaxed);
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.left = self.left.saturating_sub(count.min(most.saturating_add(1)) as u32);
        count
    }

    /// Returns the nearest pair that is not ignored, and its distance (m); `None` if none is within
    /// `bound` (m).
    fn nearest(&mut self, moment: &Moment, b_to_a: &Pose, bound: f64) -> Option<(f64, Goal)> {
        let TouchBuffers { near, begun, .. } = &mut *self.buffers;
        let filter = NearerFilter::new(self.search.surfaces.map_each(|(_, mesh)| mesh), b_to_a);
        let course = self.course;
        let square_of = |pair| {
            let [a, b] = moment.corners(course, pair);
            gap(&a, &b).square
        };
        let (mut square, mut best) = (bound * bound, None);
        approach(self.search.surfaces, b_to_a, bound, self.descent, self.counts, &mut |pairs| {
            if self.stop.load(Ordering::Relaxed) {
                return f64::NEG_INFINITY;
            }
            near.clear();
            filter.keep(pairs, square.sqrt(), near);
            for &triangles in &*near {
                let Some(target) = target(begun, triangles, self.search.touch) else { continue };
                let next = square_of(triangles);
                let is_before = best.is_none_or(|first: Goal| triangles < first.triangles);
                if next < square || next == square && is_before {
                    (square, best) = (next, Some(Goal { triangles, target }));
                }
            }
            square.sqrt()
        });
        best.map(|goal| (square.sqrt(), goal))
    }

    fn is_over(&self) -> bool {
        self.left == 0 || self.stop.load(Ordering::Relaxed)
    }

    /// Returns the result, in world space.
    fn touch(&self, goal: &Goal, arrival: &Arrival) -> FirstTouch {
        let origin = self.course.motions[0].center_at(arrival.share);
        let nearest = arrival.gap.map(|gap| Nearest {
            distance: gap.square.sqrt(),
            points: gap.points.map_each(|point| origin + point),
            triangles: goal.triangles,
        });
        FirstTouch { share: arrival.share, nearest }
    }
}
