//! The boxtrees that are measured: which nodes they have, how two of these are tested, and when the numbers
//! that the test needs are computed.

/// A boxtree that is measured. `PerPair` computes the numbers of one node for each of its pairs again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoxtreeForm {
    /// The best one.
    #[default]
    SatLite,
    Align,
    /// With 1,000 steps in its tables, as the paper has them.
    Lookup,
    /// With four times as many steps in its tables.
    LookupFine,
    Sat,
    SatLitePerPair,
    AlignPerPair,
    LookupPerPair,
    SatPerPair,
    /// SAT lite, and shrink nodes are tested as any other.
    Unfolded,
    /// Over a tree without shrink nodes, as the paper's Table 1 has it.
    SatLiteBare,
    AlignBare,
    SatBare,
}

/// Which axes are looked along, and how. \[boxtree\] §3.2
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overlap {
    /// Both boxes' face axes. §3.2.4
    SatLite,
    /// The first box's face axes. §3.2.1
    Align,
    /// The first box's face axes, with products from tables of so many steps. §3.2.2
    Lookup(usize),
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

/// Whether nodes with one child move in the sides at which much of a box is empty. \[boxtree\] §4.3
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shrink {
    /// They do, together with the node above them, which is tested with all of these sides moved in.
    Folded,
    /// They do, and are tested as any node, by which a pair costs more tests and finds the same.
    Tested,
    /// There are none: 2n − 1 nodes for n triangles.
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
