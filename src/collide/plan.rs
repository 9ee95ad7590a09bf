//! Decides whether the top levels of a hierarchy follow the components that simplification finds.
//! \[simplify\]
//!
//! From a [`TreePlan`], this makes the hierarchy and a report on guidance. Unless the plan forces
//! components, it builds three hierarchies: plain, components on top, and components only where they
//! beat the split rule. All run the same random queries. The plain one is kept unless a guided one
//! saves 2 % of the node tests. The sum of volumes is a poor criterion: three models of the paper have
//! a larger sum and are faster (Tables 1 and 2). Unlike in the paper, a divided component has at most
//! 128 parts and at least 64 triangles, and merging compares volumes around a few extreme corners.

use std::time::Duration;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::arrays::MapEach;
use crate::mesh::{ComponentTree, Level, Mesh, Refinement};
use crate::pose::Pose;
use crate::query::surfaces_intersect;
use crate::random::Random;
use crate::timing::timed;
use crate::tree::build::{Merged, TopReport};
use crate::tree::{Counts, DescentScratch, SplitRule, Tree, TreeKind};

/// Method that determines the top levels of a hierarchy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Guidance {
    /// The split rule.
    #[default]
    Plain,
    /// Components of the whole surface's simplified models, if they pay.
    Parts,
    /// Components of the whole surface's simplified models, always. \[simplify\] §4
    PartsAlways,
    /// Components found again within each component, which is simplified on its own, if they pay.
    PartsEach,
    /// Components of each component, simplified separately, always. \[simplify\] §3, the first method
    PartsEachAlways,
}

impl Guidance {
    pub const ALL: [Self; 5] =
        [Self::Plain, Self::Parts, Self::PartsAlways, Self::PartsEach, Self::PartsEachAlways];

    /// Returns the suffix after the name of a kind.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Parts => "+parts",
            Self::PartsAlways => "+parts-always",
            Self::PartsEach => "+parts-each",
            Self::PartsEachAlways => "+parts-each-always",
        }
    }

    fn refinement(self) -> Option<Refinement> {
        match self {
            Self::Plain => None,
            Self::Parts | Self::PartsAlways => Some(Refinement::Whole),
            Self::PartsEach | Self::PartsEachAlways => Some(Refinement::Each),
        }
    }

    fn is_always(self) -> bool {
        matches!(self, Self::PartsAlways | Self::PartsEachAlways)
    }
}

/// Kind and guidance of the hierarchy that is built over a mesh. Written as `obb` or `obb+parts`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("enum" = Self::all().map(Self::name).collect::<Vec<_>>())))]
#[serde(into = "String", try_from = "String")]
pub struct TreePlan {
    pub kind: TreeKind,
    pub guidance: Guidance,
}

impl TreePlan {
    /// Returns all plans: every kind without guidance, and each kind that follows a split rule also
    /// with every guidance.
    pub fn all() -> impl Iterator<Item = Self> {
        let with = |guidance| TreeKind::ALL.into_iter().map(move |kind| Self { kind, guidance });
        let makes_sense = |plan: &Self| plan.guidance == Guidance::Plain || plan.kind.measure().is_some();
        Guidance::ALL.into_iter().flat_map(with).filter(makes_sense)
    }

    pub fn name(self) -> String {
        format!("{}{}", self.kind.name(), self.guidance.suffix())
    }
}

impl From<TreeKind> for TreePlan {
    fn from(kind: TreeKind) -> Self {
        Self { kind, guidance: Guidance::Plain }
    }
}

impl From<TreePlan> for String {
    fn from(plan: TreePlan) -> Self {
        plan.name()
    }
}

impl TryFrom<String> for TreePlan {
    type Error = UnknownPlan;

    fn try_from(name: String) -> Result<Self, UnknownPlan> {
        Self::all().find(|plan| plan.name() == name).ok_or(UnknownPlan(name))
    }
}

/// Error: no plan has this name.
#[derive(Debug, thiserror::Error)]
#[error(
    "unknown hierarchy {0:?}; known are {kinds}, and each but {without_rule} accepts a suffix: {suffixes}",
    kinds = TreeKind::ALL.map_each(TreeKind::name).join(", "),
    without_rule = TreeKind::names_without_rule(),
    suffixes = SUFFIXES.join(", ")
)]
pub struct UnknownPlan(String);

const SUFFIXES: [&str; 4] = [
    Guidance::Parts.suffix(),
    Guidance::PartsAlways.suffix(),
    Guidance::PartsEach.suffix(),
    Guidance::PartsEachAlways.suffix(),
];

/// Hierarchy that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The hierarchy of the rule.
    Plain,
    /// The hierarchy with components on top where they cost less than the rule's divisions.
    Chosen,
    /// The hierarchy with components on top.
    Components,
}

/// Report on guidance.
#[derive(Clone, Debug, PartialEq)]
pub struct Guided {
    pub levels: Vec<Level>,
    /// Number of components that no level divides further.
    pub component_count: usize,
    pub kept: Kept,
    /// Number of divisions between components above the pieces that the rule alone divides, in
    /// [`Kept::Chosen`] or in the forced hierarchy.
    pub guided_count: u32,
    /// Number of divisions by the rule above those pieces, where it beat the components; 0 if
    /// components are forced.
    pub plain_count: u32,
    /// Node tests of the same random queries; `None` if components are forced or absent.
    pub sample: Option<Sample>,
    /// Time for simplifying and grouping.
    pub simplify: Duration,
    /// Time for merging, choosing, and dividing down to the last pieces.
    pub top: Duration,
    /// Time for dividing those pieces, in the same hierarchy, without fitting volumes.
    pub below: Duration,
}

/// Node tests at the same poses of two copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    pub plain_test_count: u64,
    pub chosen_test_count: u64,
    pub components_test_count: u64,
}

impl Sample {
    /// Returns the ratio of the better guided hierarchy's tests to the plain one's.
    pub fn ratio(&self) -> f64 {
        let guided = self.chosen_test_count.min(self.components_test_count);
        guided as f64 / self.plain_test_count.max(1) as f64
    }

    fn best(&self) -> Kept {
        if self.ratio() > 1.0 - WORTH {
            Kept::Plain
        } else if self.chosen_test_count <= self.components_test_count {
            Kept::Chosen
        } else {
            Kept::Components
        }
    }
}

/// Number of queries that decide the choice.
const SAMPLE_COUNT: u32 = 1024;
/// Least share of the plain hierarchy's node tests that guidance must save to be kept.
const WORTH: f64 = 0.02;

impl Tree {
    /// Builds the hierarchy of a plan. Large meshes use all threads of the current pool; the result
    /// does not depend on them.
    pub fn build(plan: impl Into<TreePlan>, rule: SplitRule, mesh: &Mesh) -> Self {
        Self::build_guided(plan.into(), rule, mesh).0
    }

    /// Builds the hierarchy of a plan, and returns a report if the plan has guidance.
    pub fn build_guided(plan: TreePlan, rule: SplitRule, mesh: &Mesh) -> (Self, Option<Guided>) {
        let (TreePlan { kind, guidance }, plain) = (plan, || Self::plain(plan.kind, rule, mesh));
        let (Some(refinement), Some(measure)) = (guidance.refinement(), kind.measure()) else {
            return (plain(), None);
        };
        let mut simplify = Duration::ZERO;
        let components = timed(&mut simplify, || ComponentTree::new(mesh, refinement));
        let mut guided = Guided {
            component_count: components.leaf_count(),
            levels: components.levels.clone(),
            kept: Kept::Plain,
            guided_count: 0,
            plain_count: 0,
            sample: None,
            simplify,
            top: Duration::ZERO,
            below: Duration::ZERO,
        };
        if guided.component_count < 2 {
            return (plain(), Some(guided));
        }
        let merged = Merged::new(mesh, &components, measure);
        guided.top = merged.took;
        let (topology, report) = merged.topology(rule, true);
        guided.top += report.top;
        let on_top = Self::over(kind, &topology, mesh);
        if guidance.is_always() {
            (guided.kept, guided.guided_count, guided.below) =
                (Kept::Components, report.guided_count, report.below);
            return (on_top, Some(guided));
        }
        let (topology, TopReport { guided_count, plain_count, top, below }) = merged.topology(rule, false);
        guided.top += top;
        (guided.guided_count, guided.plain_count, guided.below) = (guided_count, plain_count, below);
        let (plain, chosen) = (plain(), Self::over(kind, &topology, mesh));
        let [plain_test_count, chosen_test_count, components_test_count] =
            [&plain, &chosen, &on_top].map_each(|tree| sample(tree, mesh));
        let sample = Sample { plain_test_count, chosen_test_count, components_test_count };
        (guided.sample, guided.kept) = (Some(sample), sample.best());
        let tree = match guided.kept {
            Kept::Plain => plain,
            Kept::Chosen => chosen,
            Kept::Components => on_top,
        };
        (tree, Some(guided))
    }
}

/// Returns the node tests of intersection queries on two copies, at random poses at which their boxes
/// overlap.
fn sample(tree: &Tree, mesh: &Mesh) -> u64 {
    let bounds = mesh.bounds();
    let (center, reach) = (bounds.center().as_dvec3(), f64::from(bounds.diagonal()));
    let (mut random, mut scratch) = (Random::new(1, 1), DescentScratch::default());
    let mut counts = Counts::default();
    let (mut asked, mut drawn) = (0, 0);
    // The boxes of a flat plate overlap at few of these poses, but at some.
    while asked < SAMPLE_COUNT && drawn < 100 * SAMPLE_COUNT {
        drawn += 1;
        let shift = DVec3::new(random.signed(), random.signed(), random.signed()) * reach;
        let rotation = random.rotation();
        let pose = Pose { position: center + shift - rotation * center, rotation };
        if bounds.transformed(&pose).overlaps(&bounds) {
            asked += 1;
            surfaces_intersect([(tree, mesh), (tree, mesh)], &pose, &mut scratch, &mut counts);
        }
    }
    counts.node_test_count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_called_by_kind_and_guidance() {
        for (name, guidance) in [("obb", Guidance::Plain), ("obb+parts", Guidance::Parts)] {
            let plan = TreePlan::try_from(name.to_owned()).unwrap();
            assert_eq!((plan.kind, plan.guidance), (TreeKind::OBB, guidance));
            assert_eq!(plan.name(), name);
        }
        for unknown in ["obb+", "obb+legs", "octree+parts", "brute-force+parts", "+parts", ""] {
            let error = TreePlan::try_from(unknown.to_owned()).unwrap_err().to_string();
            assert!(error.contains(&format!("{unknown:?}")) && error.contains("+parts-each"), "{error}");
        }
    }
}
