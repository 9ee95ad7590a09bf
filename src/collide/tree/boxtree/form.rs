//! Boxtree variants that are measured: their nodes, their overlap test, and the time at which data of a
//! single node is computed.

/// Variant of the boxtree. `PerPair` variants recompute the data of a node for each pair that contains
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoxtreeForm {
    /// The fastest variant.
    #[default]
    SatLite,
    Align,
    /// Lookup tables of 1,000 steps, as in the paper.
    Lookup,
    /// Lookup tables of four times as many steps.
    LookupFine,
    Sat,
    SatLitePerPair,
    AlignPerPair,
    LookupPerPair,
    SatPerPair,
    /// SAT lite, where shrink nodes are tested like any other node.
    Unfolded,
    /// SAT lite on a tree without shrink nodes, as in the paper's Table 1.
    SatLiteBare,
    AlignBare,
    SatBare,
}

/// Axes of the overlap test, and their evaluation. \[boxtree\] §3.2
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overlap {
    /// Both boxes' face axes. §3.2.4
    SatLite,
    /// The first box's face axes. §3.2.1
    Align,
    /// The first box's face axes, with products from tables of this many steps. §3.2.2
    Lookup(usize),
    /// All fifteen axes. §3.2.3
    Sat,
}

/// Time at which data that depends on only one node is computed. \[boxtree\] §3.2.5
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hoisting {
    /// Once per node for all its pairs, while the parent pair is visited.
    Parent,
    /// Again for each pair that contains the node.
    Pair,
}

/// Treatment of shrink nodes. A shrink node has one child, and moves in a side at which a large share
/// of the box is empty. \[boxtree\] §4.3
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shrink {
    /// Merged with the node above them: only the box after all these moves is tested.
    Folded,
    /// Tested like any other node: more tests per pair, and the same result.
    Tested,
    /// Absent: 2n − 1 nodes for n triangles.
    Never,
}

impl BoxtreeForm {
    pub fn overlap(self) -> Overlap {
        match self {
            Self::SatLite | Self::SatLitePerPair | Self::Unfolded | Self::SatLiteBare => Overlap::SatLite,
            Self::Align | Self::AlignPerPair | Self::AlignBare => Overlap::Align,
            Self::Lookup | Self::LookupPerPair => Overlap::Lookup(1000),
            Self::LookupFine => Overlap::Lookup(4000),
            Self::Sat | Self::SatPerPair | Self::SatBare => Overlap::Sat,
        }
    }

    pub fn hoisting(self) -> Hoisting {
        match self {
            Self::SatLitePerPair | Self::AlignPerPair | Self::LookupPerPair | Self::SatPerPair => {
                Hoisting::Pair
            }
            _ => Hoisting::Parent,
        }
    }

    pub fn shrink(self) -> Shrink {
        match self {
            Self::SatLiteBare | Self::AlignBare | Self::SatBare => Shrink::Never,
            Self::Unfolded => Shrink::Tested,
            _ => Shrink::Folded,
        }
    }
}
