//! When a traversal ends although there is more: after so many node tests, of which every candidate found may
//! cost some.

use std::cell::Cell;

/// What a search may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Node tests at most; a traversal looks at it once for each pair of nodes that it opens.
    pub node_tests: u64,
    /// Node tests that a candidate costs.
    pub per_candidate: u64,
}

/// Where a traversal starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    #[default]
    Roots,
    /// Where the last traversal with the same scratch was ended by its limit: the same question goes on.
    End,
}

/// Why a traversal ended although there was more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Who takes what it finds had enough.
    Enough,
    /// It reached its limit with so many pairs of nodes still to be opened, at least one.
    Limit { open_pairs: u64 },
}

/// The node tests a traversal has left, counted from its start; who takes what it finds may make them fewer.
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
