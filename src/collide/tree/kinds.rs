//! Table of hierarchies: one entry registers a kind. The code that knows all kinds is generated from
//! the table.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::boxtree::{Boxtree, BoxtreeForm, CompactBoxtree, Shrink};
use super::brute_force;
use super::build::{self, Measure, SplitRule, Topology};
use super::kind::Kind;
use super::limit::Stop;
use super::nodes::Hierarchy;
use super::octree::Octree;
use super::search::{Counts, Order, Search};
use super::volume_tree::VolumeTree;
use super::wide::{Exact, WideTree};
use crate::mesh::Mesh;
use crate::volume::{Aabb, Dop, DopBoth, Obb, ObbFit, Sphere};

/// Generates the code from the table. Each entry has the variant with its stack and type, the kind of
/// volume for comparing components (for kinds that use a topology), and the names.
macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident $(($form:ident: $payload:ty))?, $stack:ident: $tree:ty, $measure:expr, {
        $($value:path => $name:literal),+
    })+) => {
        /// Kind of the hierarchy that a run builds over each mesh, with the form of its node test.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum TreeKind {
            $($(#[$doc])* $variant $(($payload))?,)+
            /// No hierarchy: every triangle is tested against every other. The reference for all kinds.
            BruteForce,
        }

        impl TreeKind {
            pub const ALL: [Self; [$($(stringify!($value),)+)+ "brute force"].len()] =
                [$($($value,)+)+ Self::BruteForce];

            /// Returns the name that configurations and the command line use.
            pub fn name(self) -> &'static str {
                match self {
                    $($($value => $name,)+)+
                    Self::BruteForce => "brute-force",
                }
            }

            /// Returns the kind of volume with which components are compared; `None` for kinds that
            /// divide triangles themselves.
            pub(crate) fn measure(self) -> Option<Measure> {
                match self {
                    $(Self::$variant { .. } => $measure,)+
                    Self::BruteForce => None,
                }
            }
        }

        /// Hierarchy over one mesh, in its body space.
        ///
        /// ```
        /// use tumble_collide::generate;
        /// use tumble_collide::mesh::Mesh;
        /// use tumble_collide::tree::{SplitRule, Tree, TreeKind};
        ///
        /// let (positions, triangles) = generate::torus(0.2, 0.05, 24, 12);
        /// let mesh = Mesh::new("ring", &positions, &triangles)?;
        /// let tree = Tree::build(TreeKind::OBB, SplitRule::default(), &mesh);
        /// assert_eq!(tree.node_count(), 2 * mesh.triangles().len() - 1);
        /// assert_eq!(tree.validate(&mesh), Ok(()));
        /// # Ok::<(), tumble_collide::mesh::MeshError>(())
        /// ```
        #[derive(Clone, Debug)]
        pub enum Tree {
            $($variant($tree),)+
            BruteForce,
        }

        impl Tree {
            /// Builds the hierarchy over triangles that `topology` divides. Kinds that divide triangles
            /// themselves ignore `topology`.
            pub(crate) fn over(kind: TreeKind, topology: &Topology, mesh: &Mesh) -> Self {
                match kind {
                    $(TreeKind::$variant $(($form))? => {
                        Self::$variant(<$tree as Kind>::new(topology, mesh, ($($form)?)))
                    })+
                    TreeKind::BruteForce => Self::BruteForce,
                }
            }

            /// Returns the hierarchy; `None` for the kind without nodes.
            pub(super) fn hierarchy(&self) -> Option<&dyn Hierarchy> {
                match self {
                    $(Self::$variant(tree) => Some(tree),)+
                    Self::BruteForce => None,
                }
            }

            pub(super) fn hierarchy_mut(&mut self) -> Option<&mut dyn Hierarchy> {
                match self {
                    $(Self::$variant(tree) => Some(tree),)+
                    Self::BruteForce => None,
                }
            }
        }

        /// Buffers of a traversal, reused so that they grow only once.
        #[derive(Default)]
        pub struct DescentScratch {
            $(pub(crate) $stack: <$tree as Kind>::Stack,)+
            pub(crate) candidates: Vec<[u32; 2]>,
            /// Flag that ends [`find_candidates`](crate::query::find_candidates) early once it is set.
            /// The result is then incomplete.
            pub stop: Arc<AtomicBool>,
            /// Triangle of b at which a limited brute-force search resumes.
            next_triangle: u32,
            /// Order in which queries that end with the first intersecting pair open nodes.
            pub order: Order,
        }

        /// Passes every candidate pair (triangle of a, triangle of b) to `found` until it breaks. Trees
        /// of different kinds fall back to brute force.
        pub(crate) fn visit(
            [(tree_a, mesh_a), (tree_b, mesh_b)]: Surfaces,
            search: &Search,
            scratch: &mut DescentScratch,
            counts: &mut Counts,
            found: &mut dyn FnMut(&[[u32; 2]]) -> ControlFlow<()>,
        ) -> ControlFlow<Stop> {
            match (tree_a, tree_b) {
                $((Tree::$variant(a), Tree::$variant(b)) if a.is_like(b) => {
                    Kind::visit([a, b], search, &mut scratch.$stack, counts, found)
                })+
                _ => {
                    let single = &mut |a: u32, b: u32| found(&[[a, b]]);
                    brute_force::visit([mesh_a, mesh_b], search, &mut scratch.next_triangle, counts, single)
                }
            }
        }
    };
}

/// Two surfaces, each with the hierarchy over it.
pub type Surfaces<'a> = [(&'a Tree, &'a Mesh); 2];

kinds! {
    /// The boxtree with nodes of eight children: the fastest kind. \[boxtree\] §6.1
    Boxtree8, boxtree8: WideTree<8>, Some(Measure::Aligned), { Self::Boxtree8 => "boxtree8" }
    /// The boxtree with nodes of four children. \[boxtree\] §6.1
    Boxtree4, boxtree4: WideTree<4>, Some(Measure::Aligned), { Self::Boxtree4 => "boxtree4" }
    /// Uncompressed axis-aligned boxes, eight per node, with the test and the order of `Boxtree8`.
    Aabb8, aabb8: WideTree<8, Exact<8>>, Some(Measure::Aligned), { Self::Aabb8 => "aabb8" }
    /// The restricted boxtree. \[boxtree\] §3
    Boxtree(form: BoxtreeForm), boxtree: Boxtree, Some(Measure::Aligned), {
        Self::BOXTREE => "boxtree",
        Self::BOXTREE_ALIGN => "boxtree-align",
        Self::BOXTREE_LOOKUP => "boxtree-lookup",
        Self::BOXTREE_LOOKUP_FINE => "boxtree-lookup-4000",
        Self::BOXTREE_SAT => "boxtree-sat",
        Self::BOXTREE_PER_PAIR => "boxtree-per-pair",
        Self::BOXTREE_ALIGN_PER_PAIR => "boxtree-align-per-pair",
        Self::BOXTREE_LOOKUP_PER_PAIR => "boxtree-lookup-per-pair",
        Self::BOXTREE_SAT_PER_PAIR => "boxtree-sat-per-pair",
        Self::BOXTREE_UNFOLDED => "boxtree-unfolded",
        Self::BOXTREE_BARE => "boxtree-bare",
        Self::BOXTREE_ALIGN_BARE => "boxtree-align-bare",
        Self::BOXTREE_SAT_BARE => "boxtree-sat-bare"
    }
    /// The restricted boxtree in 4.5 bytes per node. \[boxtree\] §6.1
    BoxtreeCompact, boxtree_compact: CompactBoxtree, Some(Measure::Aligned), {
        Self::BoxtreeCompact => "boxtree-compact"
    }
    /// Axis-aligned boxes with SAT lite.
    Aabb, aabb: VolumeTree<Aabb>, Some(Measure::Aligned), { Self::Aabb => "aabb" }
    /// Oriented boxes with the separating axis test on fifteen axes.
    Obb(fit: ObbFit), obb: VolumeTree<Obb>, Some(Measure::Oriented), {
        Self::OBB => "obb",
        Self::OBB_PRINCIPAL => "obb-principal"
    }
    /// Spheres.
    Sphere, sphere: VolumeTree<Sphere>, Some(Measure::Round), { Self::Sphere => "sphere" }
    /// Discrete oriented polytopes (DOPs) of 24 planes. Those of b are realigned to the planes of a
    /// once per query.
    Dop24, dop24: VolumeTree<Dop<24>>, Some(Measure::Oriented), { Self::Dop24 => "dop24" }
    /// DOPs of 24 planes, tested along the planes of both bodies.
    Dop24Both, dop24_both: VolumeTree<DopBoth<24>>, Some(Measure::Oriented), { Self::Dop24Both => "dop24-both" }
    /// Cubic cells, enlarged to contain their triangles.
    Octree, octree: Octree, None, { Self::Octree => "octree" }
}

impl TreeKind {
    /// Restricted boxtree in each of its forms.
    pub const BOXTREE: Self = Self::Boxtree(BoxtreeForm::SatLite);
    pub const BOXTREE_ALIGN: Self = Self::Boxtree(BoxtreeForm::Align);
    pub const BOXTREE_LOOKUP: Self = Self::Boxtree(BoxtreeForm::Lookup);
    pub const BOXTREE_LOOKUP_FINE: Self = Self::Boxtree(BoxtreeForm::LookupFine);
    pub const BOXTREE_SAT: Self = Self::Boxtree(BoxtreeForm::Sat);
    pub const BOXTREE_PER_PAIR: Self = Self::Boxtree(BoxtreeForm::SatLitePerPair);
    pub const BOXTREE_ALIGN_PER_PAIR: Self = Self::Boxtree(BoxtreeForm::AlignPerPair);
    pub const BOXTREE_LOOKUP_PER_PAIR: Self = Self::Boxtree(BoxtreeForm::LookupPerPair);
    pub const BOXTREE_SAT_PER_PAIR: Self = Self::Boxtree(BoxtreeForm::SatPerPair);

    pub const BOXTREE_UNFOLDED: Self = Self::Boxtree(BoxtreeForm::Unfolded);
    pub const BOXTREE_BARE: Self = Self::Boxtree(BoxtreeForm::SatLiteBare);
    pub const BOXTREE_ALIGN_BARE: Self = Self::Boxtree(BoxtreeForm::AlignBare);
    pub const BOXTREE_SAT_BARE: Self = Self::Boxtree(BoxtreeForm::SatBare);

    /// Oriented boxes along the principal axes or the coordinate axes, whichever fits better.
    /// `OBB_PRINCIPAL` always uses the principal axes. \[simplify\] §6
    pub const OBB: Self = Self::Obb(ObbFit::Smaller);
    pub const OBB_PRINCIPAL: Self = Self::Obb(ObbFit::Principal);

    /// Returns whether the kind exists only to reproduce a paper's measurements. For other purposes,
    /// another kind is better.
    pub fn is_for_measuring(self) -> bool {
        let is_boxtree = matches!(self, Self::Boxtree(_)) && self != Self::BOXTREE;
        is_boxtree || [Self::Aabb8, Self::OBB_PRINCIPAL].contains(&self)
    }

    /// Returns whether split rules that use restricted boxes assume shrink nodes: true except for the
    /// boxtree forms without shrink nodes.
    fn has_shrink_nodes(self) -> bool {
        !matches!(self, Self::Boxtree(form) if form.shrink() == Shrink::Never)
    }

    /// Returns the names of the kinds without a split rule, as a phrase: "octree and brute-force".
    pub fn names_without_rule() -> String {
        let names = Self::ALL.into_iter().filter(|kind| !kind.follows_rule()).map(Self::name);
        names.collect::<Vec<_>>().join(" and ")
    }

    /// Returns whether the kind divides triangles by a split rule.
    pub fn follows_rule(self) -> bool {
        self.measure().is_some()
    }
}

#[expect(clippy::derivable_impls, reason = "the table makes the enumeration")]
impl Default for TreeKind {
    fn default() -> Self {
        Self::Boxtree8
    }
}

impl Tree {
    /// Builds the hierarchy with `rule`; kinds that follow no rule divide the mesh themselves.
    pub(crate) fn plain(kind: TreeKind, rule: SplitRule, mesh: &Mesh) -> Self {
        match kind.follows_rule() {
            true => Self::over(kind, &build::build(mesh, rule, kind.has_shrink_nodes()), mesh),
            false => Self::over(kind, &Topology::default(), mesh),
        }
    }
}
