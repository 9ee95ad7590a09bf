//! Kind of broad phase of a run. Only this file refers to all kinds.

use serde::{Deserialize, Serialize};

use super::brute_force::BruteForce;
use super::hash2::Hash2;
use super::hybrid::Hybrid;
use super::method::Method;
use super::sweep::{HashedLists, HashedTrees, OneTree, StripTrees, Sweep, SweepOrder};
use super::wide::WideTree;

/// Kind of broad phase. All kinds find the same pairs, but differ in time and memory. \[boxes\]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("enum" = Self::ALL.map(Self::name))))]
#[serde(into = "&'static str", try_from = "String")]
pub enum BroadPhaseKind {
    /// A tree with eight boxes per node, refitted from frame to frame: the fastest kind.
    #[default]
    WideTree,
    /// Segment trees over three dimensions, streamed. \[boxes\] §3.1
    Hybrid,
    /// Voxels with the size of the mean box, hashed to lists. \[boxes\] §3.2
    Hash2,
    /// A plane swept through the boxes. \[boxes\] §3.3
    Sweep(SectionKind, SweepOrder),
    /// Tests of every box against every other: the reference.
    BruteForce,
}

/// Structure that finds the rectangles in the sweep plane that overlap a given one. \[boxes\] §3.3
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// SWEEP1: lists of rectangles, hashed in two dimensions.
    HashedLists,
    /// SWEEP2: priority search trees, hashed in two dimensions.
    HashedTrees,
    /// SWEEP3: a priority search tree along one axis.
    OneTree,
    /// SWEEP4: priority search trees along one axis, hashed along the other.
    StripTrees,
}

impl BroadPhaseKind {
    /// Returns whether the kind exists only to reproduce a paper's measurements. For other purposes,
    /// another kind is better.
    pub fn is_for_measuring(self) -> bool {
        matches!(self, Self::Sweep(_, SweepOrder::Anew))
    }

    /// All kinds, the fastest first.
    pub const ALL: [Self; 12] = [
        Self::WideTree,
        Self::Hybrid,
        Self::Hash2,
        Self::Sweep(SectionKind::HashedLists, SweepOrder::Kept),
        Self::Sweep(SectionKind::HashedTrees, SweepOrder::Kept),
        Self::Sweep(SectionKind::OneTree, SweepOrder::Kept),
        Self::Sweep(SectionKind::StripTrees, SweepOrder::Kept),
        Self::Sweep(SectionKind::HashedLists, SweepOrder::Anew),
        Self::Sweep(SectionKind::HashedTrees, SweepOrder::Anew),
        Self::Sweep(SectionKind::OneTree, SweepOrder::Anew),
        Self::Sweep(SectionKind::StripTrees, SweepOrder::Anew),
        Self::BruteForce,
    ];

    /// Builds the method, without boxes.
    pub(super) fn method(self, thread_count: usize) -> Box<dyn Method> {
        match self {
            Self::WideTree => Box::new(WideTree::new(thread_count.max(1))),
            Self::Hybrid => Box::new(Hybrid::default()),
            Self::Hash2 => Box::new(Hash2::default()),
            Self::Sweep(SectionKind::HashedLists, order) => Box::new(Sweep::<HashedLists>::new(order)),
            Self::Sweep(SectionKind::HashedTrees, order) => Box::new(Sweep::<HashedTrees>::new(order)),
            Self::Sweep(SectionKind::OneTree, order) => Box::new(Sweep::<OneTree>::new(order)),
            Self::Sweep(SectionKind::StripTrees, order) => Box::new(Sweep::<StripTrees>::new(order)),
            Self::BruteForce => Box::new(BruteForce::default()),
        }
    }

    /// Returns the name that configurations and the command line use.
    pub fn name(self) -> &'static str {
        match self {
            Self::WideTree => "wide-tree",
            Self::Hybrid => "hybrid",
            Self::Hash2 => "hash2",
            Self::Sweep(section, SweepOrder::Kept) => match section {
                SectionKind::HashedLists => "sweep1",
                SectionKind::HashedTrees => "sweep2",
                SectionKind::OneTree => "sweep3",
                SectionKind::StripTrees => "sweep4",
            },
            Self::Sweep(section, SweepOrder::Anew) => match section {
                SectionKind::HashedLists => "sweep1-anew",
                SectionKind::HashedTrees => "sweep2-anew",
                SectionKind::OneTree => "sweep3-anew",
                SectionKind::StripTrees => "sweep4-anew",
            },
            Self::BruteForce => "brute-force",
        }
    }
}

impl From<BroadPhaseKind> for &'static str {
    fn from(kind: BroadPhaseKind) -> Self {
        kind.name()
    }
}

/// Error: no kind has this name.
#[derive(Debug, thiserror::Error)]
#[error("unknown broad phase {0}")]
pub struct UnknownKind(String);

impl TryFrom<String> for BroadPhaseKind {
    type Error = UnknownKind;

    fn try_from(name: String) -> Result<Self, UnknownKind> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or(UnknownKind(name))
    }
}
