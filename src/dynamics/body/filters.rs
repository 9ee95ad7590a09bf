//! Collision filters: they determine which parts of two bodies collide.
//!
//! A filter is an index into the table of its file; bodies store indices, so that neither names nor
//! pairs of bodies are duplicated. A body whose parts have different filters stores one per triangle.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::arrays::MapEach;

/// Largest number of filter pairs that are compared to decide whether two bodies collide in all of
/// their parts or in none. Above it, the filters are tested per triangle.
const LOOKED_AT: usize = 64;

/// Table with one bit for each ordered pair of filters of a file: whether the first one admits the
/// second.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilterTable {
    count: u32,
    /// Rows of `words_per_row` words, one per filter.
    admitted: Vec<u64>,
}

impl FilterTable {
    /// Returns the table of `count` filters, from one row of `words_per_row(count)` words per filter.
    #[inline]
    pub fn new(count: u32, admitted: Vec<u64>) -> Self {
        Self { count, admitted }
    }

    /// Returns the number of words that hold one bit for each of `count` filters.
    #[inline]
    pub fn words_per_row(count: usize) -> usize {
        count.div_ceil(64)
    }

    /// Returns the number of filters.
    #[inline]
    pub fn count(&self) -> usize {
        self.count as usize
    }

    fn admits(&self, own: u32, other: u32) -> bool {
        let [own, other] = [own, other].map_each(|filter| filter as usize);
        self.admitted[own * Self::words_per_row(self.count()) + other / 64] >> (other % 64) & 1 != 0
    }

    /// Returns whether parts with these filters collide; a part without a filter collides with all.
    #[inline]
    pub(crate) fn meet(&self, a: Option<u32>, b: Option<u32>) -> bool {
        a.zip(b).is_none_or(|(a, b)| self.admits(a, b) && self.admits(b, a))
    }

    /// Returns whether all pairs of parts with these filters collide (true) or none does (false).
    /// `None` if only some do, or if there are too many pairs to compare.
    #[inline]
    pub fn all_meet(&self, [a, b]: [&[Option<u32>]; 2]) -> Option<bool> {
        let all = || a.iter().flat_map(|&own| b.iter().map(move |&other| self.meet(own, other)));
        let first = all().next().filter(|_| a.len() * b.len() <= LOOKED_AT)?;
        all().all(|meets| meets == first).then_some(first)
    }

    /// Returns whether the table has a row for each filter, which a table from a damaged file may not have.
    #[inline]
    pub fn is_sound(&self) -> bool {
        self.admitted.len() == self.count().saturating_mul(Self::words_per_row(self.count()))
    }
}

/// Filters of a body's parts. They exist in copies of a model in which at least one body has several
/// filters.
#[derive(Clone, Debug, PartialEq)]
pub struct PartFilters {
    /// Copy of the model; filters apply to the bodies of one copy.
    pub copy: u32,
    /// Filters of the model, by index.
    pub table: Arc<FilterTable>,
    /// Filters of its parts, each once.
    pub kinds: Vec<Option<u32>>,
    /// Filter of each triangle; empty if all triangles have the same one.
    pub of_triangle: Vec<Option<u32>>,
}

impl PartFilters {
    /// Returns whether two bodies collide in some of their parts and not in others.
    #[inline]
    pub fn differ(a: Option<&Self>, b: Option<&Self>) -> bool {
        let Some((a, b)) = a.zip(b).filter(|(a, b)| a.copy == b.copy) else { return false };
        a.table.all_meet([&a.kinds, &b.kinds]).is_none()
    }

    /// Returns whether a triangle of this body collides with one of another body of the same copy.
    #[inline]
    pub fn meet(&self, other: &Self, [own, others]: [u32; 2]) -> bool {
        self.table.meet(self.of(own), other.of(others))
    }

    fn of(&self, triangle: u32) -> Option<u32> {
        self.of_triangle.get(triangle as usize).or(self.kinds.first()).copied().flatten()
    }
}
