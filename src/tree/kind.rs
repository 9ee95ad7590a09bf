//! Which hierarchy a run builds over each mesh, and how its nodes are tested.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TreeKind {
    /// The boxtree with nodes of eight children, and the fastest kind. \[boxtree\] §6.1
    #[default]
    Boxtree8,
    /// The boxtree with nodes of four children. \[boxtree\] §6.1
    Boxtree4,
    /// The restricted boxtree. \[boxtree\] §3
    Boxtree(BoxtreeTest),
    /// The restricted boxtree in 4.5 bytes a node. \[boxtree\] §6.1
    BoxtreeCompact,
    /// Axis-aligned boxes under SAT lite.
    Aabb,
    /// Oriented boxes under fifteen axes.
    Obb,
    Sphere,
    /// Polytopes of 24 planes, realigned once a query.
    Dop24,
    /// Cubic cells, grown.
    Octree,
    /// Every triangle against every other: the judge.
    BruteForce,
}

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

const fn boxtree(overlap: Overlap, hoisting: Hoisting) -> TreeKind {
    TreeKind::Boxtree(BoxtreeTest { overlap, hoisting })
}

impl TreeKind {
    pub const ALL: [Self; 17] = [
        Self::Boxtree8,
        Self::Boxtree4,
        boxtree(Overlap::SatLite, Hoisting::Parent),
        boxtree(Overlap::Align, Hoisting::Parent),
        boxtree(Overlap::Lookup, Hoisting::Parent),
        boxtree(Overlap::Sat, Hoisting::Parent),
        boxtree(Overlap::SatLite, Hoisting::Pair),
        boxtree(Overlap::Align, Hoisting::Pair),
        boxtree(Overlap::Lookup, Hoisting::Pair),
        boxtree(Overlap::Sat, Hoisting::Pair),
        Self::BoxtreeCompact,
        Self::Aabb,
        Self::Obb,
        Self::Sphere,
        Self::Dop24,
        Self::Octree,
        Self::BruteForce,
    ];

    /// Whether it is there to measure a paper: another is better at whatever a user wants.
    pub fn is_for_measuring(self) -> bool {
        let plain = BoxtreeTest { overlap: Overlap::SatLite, hoisting: Hoisting::Parent };
        matches!(self, Self::Boxtree(test) if test != plain)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Boxtree8 => "boxtree8",
            Self::Boxtree4 => "boxtree4",
            Self::Boxtree(test) => test.name(),
            Self::BoxtreeCompact => "boxtree-compact",
            Self::Aabb => "aabb",
            Self::Obb => "obb",
            Self::Sphere => "sphere",
            Self::Dop24 => "dop24",
            Self::Octree => "octree",
            Self::BruteForce => "brute-force",
        }
    }
}

impl BoxtreeTest {
    fn name(self) -> &'static str {
        match (self.overlap, self.hoisting) {
            (Overlap::SatLite, Hoisting::Parent) => "boxtree",
            (Overlap::Align, Hoisting::Parent) => "boxtree-align",
            (Overlap::Lookup, Hoisting::Parent) => "boxtree-lookup",
            (Overlap::Sat, Hoisting::Parent) => "boxtree-sat",
            (Overlap::SatLite, Hoisting::Pair) => "boxtree-per-pair",
            (Overlap::Align, Hoisting::Pair) => "boxtree-align-per-pair",
            (Overlap::Lookup, Hoisting::Pair) => "boxtree-lookup-per-pair",
            (Overlap::Sat, Hoisting::Pair) => "boxtree-sat-per-pair",
        }
    }
}
