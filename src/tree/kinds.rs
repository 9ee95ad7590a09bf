//! The table of hierarchies: a row each, which is all there is to naming one. What knows all of them is made
//! from it.

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

/// A row is the variant with its stack and its type, the volume by which components are compared where it
/// follows divided triangles, and the names.
macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident $(($form:ident: $payload:ty))?, $stack:ident: $tree:ty, $measure:expr, {
        $($value:path => $name:literal),+
    })+) => {
        /// Which hierarchy a run builds over each mesh, and how its nodes are tested.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum TreeKind {
            $($(#[$doc])* $variant $(($payload))?,)+
            /// Every triangle against every other: what all others are compared with.
            BruteForce,
        }

        impl TreeKind {
            pub const ALL: [Self; [$($(stringify!($value),)+)+ "brute force"].len()] =
                [$($($value,)+)+ Self::BruteForce];

            /// What configurations and the command line call it.
            pub fn name(self) -> &'static str {
                match self {
                    $($($value => $name,)+)+
                    Self::BruteForce => "brute-force",
                }
            }

            /// By which volume components are compared; `None` for kinds that divide no triangles as they are
            /// told.
            pub(crate) fn measure(self) -> Option<Measure> {
                match self {
                    $(Self::$variant { .. } => $measure,)+
                    Self::BruteForce => None,
                }
            }
        }

        /// The hierarchy over one mesh, in its body space.
        ///
        /// ```
        /// use tumble::generate;
        /// use tumble::mesh::Mesh;
        /// use tumble::tree::{SplitRule, Tree, TreeKind};
        ///
        /// let (positions, triangles) = generate::torus(0.2, 0.05, 24, 12);
        /// let mesh = Mesh::new("ring", &positions, &triangles)?;
        /// let tree = Tree::build(TreeKind::OBB, SplitRule::default(), &mesh);
        /// assert_eq!(tree.node_count(), 2 * mesh.triangles().len() - 1);
        /// assert_eq!(tree.validate(&mesh), Ok(()));
        /// # Ok::<(), tumble::mesh::MeshError>(())
        /// ```
        #[derive(Clone, Debug)]
        pub enum Tree {
            $($variant($tree),)+
            BruteForce,
        }

        impl Tree {
            /// Over triangles as they are divided; kinds that divide them in a way of their own take no
            /// notice.
            pub(crate) fn over(kind: TreeKind, topology: &Topology, mesh: &Mesh) -> Self {
                match kind {
                    $(TreeKind::$variant $(($form))? => {
                        Self::$variant(<$tree as Kind>::new(topology, mesh, ($($form)?)))
                    })+
                    TreeKind::BruteForce => Self::BruteForce,
                }
            }

            /// `None` for the kind without nodes.
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

        /// The stacks of a traversal, kept so that they grow once.
        #[derive(Default)]
        pub struct DescentScratch {
            $(pub(crate) $stack: <$tree as Kind>::Stack,)+
            pub(crate) candidates: Vec<[u32; 2]>,
            /// Ends [`find_candidates`](crate::query::find_candidates) early once it is set: pairs are
            /// missing then.
            pub stop: Arc<AtomicBool>,
            /// The triangle of b where brute force goes on.
            next_triangle: u32,
            /// In which order queries that end with the first pair look at nodes.
            pub order: Order,
        }

        /// Shows `found` every candidate pair (triangle of a, triangle of b) until it breaks. Trees of
        /// different kinds fall back on brute force.
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
    /// The boxtree with nodes of eight children, and the fastest kind. \[boxtree\] §6.1
    Boxtree8, boxtree8: WideTree<8>, Some(Measure::Aligned), { Self::Boxtree8 => "boxtree8" }
    /// The boxtree with nodes of four children. \[boxtree\] §6.1
    Boxtree4, boxtree4: WideTree<4>, Some(Measure::Aligned), { Self::Boxtree4 => "boxtree4" }
    /// Axis-aligned boxes, eight a node, under the test and in the order of `Boxtree8`.
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
    /// The restricted boxtree in 4.5 bytes a node. \[boxtree\] §6.1
    BoxtreeCompact, boxtree_compact: CompactBoxtree, Some(Measure::Aligned), {
        Self::BoxtreeCompact => "boxtree-compact"
    }
    /// Axis-aligned boxes under SAT lite.
    Aabb, aabb: VolumeTree<Aabb>, Some(Measure::Aligned), { Self::Aabb => "aabb" }
    /// Oriented boxes under fifteen axes.
    Obb(fit: ObbFit), obb: VolumeTree<Obb>, Some(Measure::Oriented), {
        Self::OBB => "obb",
        Self::OBB_PRINCIPAL => "obb-principal"
    }
    /// Spheres around spheres.
    Sphere, sphere: VolumeTree<Sphere>, Some(Measure::Round), { Self::Sphere => "sphere" }
    /// Polytopes of 24 planes, realigned once a query.
    Dop24, dop24: VolumeTree<Dop<24>>, Some(Measure::Oriented), { Self::Dop24 => "dop24" }
    /// Polytopes of 24 planes, looked at along the planes of both bodies.
    Dop24Both, dop24_both: VolumeTree<DopBoth<24>>, Some(Measure::Oriented), { Self::Dop24Both => "dop24-both" }
    /// Cubic cells, grown.
    Octree, octree: Octree, None, { Self::Octree => "octree" }
}

impl TreeKind {
    /// The restricted boxtree in each of its forms.
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

    /// Oriented boxes along the principal axes where these fit better, and along them everywhere.
    /// \[simplify\] §6
    pub const OBB: Self = Self::Obb(ObbFit::Smaller);
    pub const OBB_PRINCIPAL: Self = Self::Obb(ObbFit::Principal);

    /// Whether it is there to measure a paper: another is better at whatever a user wants.
    pub fn is_for_measuring(self) -> bool {
        let is_boxtree = matches!(self, Self::Boxtree(_)) && self != Self::BOXTREE;
        is_boxtree || [Self::Aabb8, Self::OBB_PRINCIPAL].contains(&self)
    }

    /// Whether it would have them if it were a boxtree: rules that look at restricted boxes do it for all
    /// kinds.
    fn has_shrink_nodes(self) -> bool {
        !matches!(self, Self::Boxtree(form) if form.shrink() == Shrink::Never)
    }

    /// The names of the kinds that follow no such rule, for sentences: "octree and brute-force".
    pub fn names_without_rule() -> String {
        let names = Self::ALL.into_iter().filter(|kind| !kind.follows_rule()).map(Self::name);
        names.collect::<Vec<_>>().join(" and ")
    }

    /// Whether it follows a rule by which triangles are divided.
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
    /// As the rule divides the mesh; the kinds that follow no rule divide it their own way.
    pub(crate) fn plain(kind: TreeKind, rule: SplitRule, mesh: &Mesh) -> Self {
        match kind.follows_rule() {
            true => Self::over(kind, &build::build(mesh, rule, kind.has_shrink_nodes()), mesh),
            false => Self::over(kind, &Topology::default(), mesh),
        }
    }
}
