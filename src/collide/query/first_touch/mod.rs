//! First touch of two moving surfaces: the time of impact of their triangles, by conservative
//! advancement with the hierarchies.
//!
//! - `advance.rs`: the time of impact of two triangles.
//! - `begun.rs`: the pairs that are in contact, or almost so, at the start.
//! - `course.rs`: the relative motion of both bodies, and bounds from their balls and boxes.
//! - `motion.rs`: the motion of a body during an interval.
//! - `tests/`: the search against dense sampling, closed forms and other hierarchies.
//! - `window.rs`: the search in one part of the interval after the other.

mod advance;
mod begun;
mod course;
mod motion;
mod window;

#[cfg(test)]
mod tests;

use crate::arrays::MapEach;
use crate::query::exact::Nearest;
use crate::tree::{Counts, DescentScratch, Surfaces};
use begun::Begun;
use course::Course;
pub use motion::Motion;
use window::{Pending, Walk};

/// Search for the first touch of two moving surfaces.
#[derive(Clone, Copy)]
pub struct TouchSearch<'a> {
    /// Both trees must be of one kind.
    pub surfaces: Surfaces<'a>,
    /// Motions of a and of b during one interval.
    pub motions: [&'a Motion; 2],
    /// Share of the interval at which the search starts, 0..=1.
    pub start: f64,
    /// Distance that counts as touching, m; positive.
    pub touch: f64,
    /// Distance, m: the search ignores triangle pairs that are this near at the start, because they are
    /// in contact already. 0 ignores only pairs that intersect.
    pub ignored: f64,
}

/// First touch of two moving surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstTouch {
    /// Share of the interval at which they touch, or up to which no pair is proven to touch.
    pub share: f64,
    /// Nearest points (world space) and triangles of the pair that touches first, and their distance, at
    /// that moment. `None` if the search gave up.
    pub nearest: Option<Nearest>,
}

impl FirstTouch {
    /// Returns whether the surfaces touch at the share; false if the search gave up there.
    pub fn is_certain(&self) -> bool {
        self.nearest.is_some()
    }
}

/// Buffers of a search, reused so that they grow only once.
#[derive(Default)]
pub struct TouchBuffers {
    near: Vec<[u32; 2]>,
    begun: Vec<Begun>,
    pending: Vec<Pending>,
}

impl TouchBuffers {
    /// Returns whether the last search ignored triangle pairs that were in contact at its start.
    pub fn has_ignored(&self) -> bool {
        self.begun.iter().any(Begun::is_ignored)
    }
}

/// Returns the first share of the interval at which any two triangles touch, or `None` if none do.
/// Triangles touch as soon as they are within `search.touch`. A pair that is already about this near at
/// the start, but not ignored, touches halfway between its distance and `search.ignored`. No pair is nearer
/// before the share. The answer is the same for every kind of hierarchy. Motions that are not finite
/// never lead to a touch. The search gives up after some 10⁵ triangle pairs or 10⁴ parts of the
/// interval, or if the stop flag of `descent` is set.
pub fn first_touch(
    search: &TouchSearch,
    descent: &mut DescentScratch,
    buffers: &mut TouchBuffers,
    counts: &mut Counts,
) -> Option<FirstTouch> {
    let margin = search.touch.max(search.ignored);
    buffers.begun.clear();
    if !search.motions.iter().all(|motion| motion.is_finite()) {
        return None;
    }
    if !Course::balls_meet(search.motions, search.start, margin) {
        return None;
    }
    let course = Course::new(search.motions, search.surfaces.map_each(|(_, mesh)| mesh));
    Walk::new(search, &course, descent, buffers, counts).run()
}
