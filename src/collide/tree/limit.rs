//! Limits that end a traversal early: a number of node tests, which each candidate found may lower by
//! its cost.

use std::cell::Cell;

/// Work that a search may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Largest number of node tests. A traversal compares its count with this number once per pair of
    /// nodes that it opens.
    pub node_tests: u64,
    /// Cost of a candidate, in node tests.
    pub per_candidate: u64,
}

/// Start of a traversal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    #[default]
    Roots,
    /// Pairs at which the last traversal with the same scratch stopped because of its limit. The query
    /// must be unchanged.
    End,
}

/// Reason why a traversal ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The callback broke.
    Enough,
    /// The limit was reached. `open_pairs` (≥ 1): number of pairs of nodes that remained to be opened.
    Limit { open_pairs: u64 },
}

/// Largest number of node tests of a traversal, counted from its start. The callback may reduce it
/// meanwhile.
#[derive(Clone, Copy, Debug)]
pub struct Limit<'a>(Option<&'a Cell<u64>>);

impl<'a> Limit<'a> {
    pub const NONE: Self = Self(None);

    pub fn at(node_tests: &'a Cell<u64>) -> Self {
        Self(Some(node_tests))
    }

    pub fn node_tests(self) -> u64 {
        self.0.map_or(u64::MAX, Cell::get)
    }
}
