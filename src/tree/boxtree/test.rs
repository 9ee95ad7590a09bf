//! How two nodes of boxtrees are tested, and when what the test needs is computed.

/// How two nodes of boxtrees are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoxtreeTest {
    pub overlap: Overlap,
    pub hoisting: Hoisting,
}

/// Which axes are looked along, and how. \[boxtree\] §3.2
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overlap {
    /// Both boxes' face axes. §3.2.4
    SatLite,
    /// The first box's face axes. §3.2.1
    Align,
    /// SAT with products from tables. §3.2.2
    Lookup,
    /// All fifteen axes. §3.2.3
    Sat,
}

/// When what depends on one node alone is computed. \[boxtree\] §3.2.5
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hoisting {
    /// While the parent pair is visited, once for all pairs.
    Parent,
    /// For each pair again.
    Pair,
}

impl BoxtreeTest {
    /// Computed while the parent pair is visited.
    pub const fn hoisted(overlap: Overlap) -> Self {
        Self { overlap, hoisting: Hoisting::Parent }
    }

    /// Computed for each pair again.
    pub const fn per_pair(overlap: Overlap) -> Self {
        Self { overlap, hoisting: Hoisting::Pair }
    }
}

impl Default for BoxtreeTest {
    /// The one that is best.
    fn default() -> Self {
        Self::hoisted(Overlap::SatLite)
    }
}
