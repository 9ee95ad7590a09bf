//! Pairs of triangles that are in contact, or almost so, when a search starts.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::TouchSearch;
use super::course::{Course, Moment};
use crate::arrays::MapEach;
use crate::mesh;
use crate::query::exact::gap;
use crate::query::nearer::NearerFilter;
use crate::tree::{Counts, DescentScratch, Search, visit};

/// Pair that is within the ignored or the touching distance at the start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    triangles: [u32; 2],
    /// Distance at which the pair touches, m; `None` if the search ignores it.
    target: Option<f64>,
}

impl Begun {
    pub fn is_ignored(&self) -> bool {
        self.target.is_none()
    }
}

/// Touching distance at the start, as a multiple of that in the interval. A search that starts where an
/// earlier one ended would otherwise find the same touch again, because of rounding.
pub(super) const AT_START: f64 = 1.01;
/// Number of such pairs above which a search gives up.
const MOST: usize = 1 << 18;

/// Appends to `begun` the pairs that are ignored or within the touching distance at a moment, and sorts
/// them by their triangles. Returns whether the list is complete. `near` is a buffer.
pub(super) fn note(
    search: &TouchSearch,
    moment: &Moment,
    course: &Course,
    (begun, near): (&mut Vec<Begun>, &mut Vec<[u32; 2]>),
    (descent, counts): (&mut DescentScratch, &mut Counts),
) -> bool {
    let touch = AT_START * search.touch;
    let (b_to_a, margin) = (course.b_to_a(moment.share), touch.max(search.ignored));
    let filter = NearerFilter::new(search.surfaces.map_each(|(_, mesh)| mesh), &b_to_a);
    let (query, stop) = (Search::all(&b_to_a, margin), descent.stop.clone());
    let end = visit(search.surfaces, &query, descent, counts, &mut |pairs| {
        near.clear();
        filter.keep(pairs, margin, near);
        for &triangles in &*near {
            let [a, b] = moment.corners(course, triangles);
            let distance = if mesh::intersects(&a, &b) { 0.0 } else { gap(&a, &b).square.sqrt() };
            if distance <= search.ignored {
                begun.push(Begun { triangles, target: None });
            } else if distance <= touch {
                begun.push(Begun { triangles, target: Some(0.5 * (search.ignored + distance)) });
            }
        }
        let is_over = begun.len() > MOST || stop.load(Ordering::Relaxed);
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    begun.sort_unstable_by_key(|pair| pair.triangles);
    end.is_continue()
}

/// Returns the distance at which a pair touches, m; `None` if the search ignores the pair.
pub(super) fn target(begun: &[Begun], triangles: [u32; 2], touch: f64) -> Option<f64> {
    match begun.binary_search_by_key(&triangles, |pair| pair.triangles) {
        Ok(at) => begun[at].target,
        Err(_) => Some(touch),
    }
}
