//! The experiments of the papers, each one command: rows for a table, CSV and JSON, and a chart.
//!
//! Everything is measured in one process, contenders in turn over the same blocks of work, on one core. What
//! was found stands beside every time; own contenders that find different things are a fault.

mod adb;
mod boxes;
mod build;
mod cab;
mod chart;
mod distance;
mod fingerprint;
mod measure;
mod node_size;
mod overlap_tests;
mod pair;
mod parts;
#[cfg(feature = "reference")]
mod reference;
mod replicas;
mod shapes;
mod table;
mod trees;
mod workload;

use crate::broad::BroadPhaseKind;
use crate::estimate::TargetError;
use crate::mesh::Mesh;
use crate::plan::TreePlan;
use crate::scene::SceneName;
use crate::tree::{SplitRule, TreeKind};
pub use adb::{AdbModel, Combination, Estimator, Paper, Regions, tails};
pub use chart::{Chart, ChartError, Plot, Series};
pub use replicas::Replica;
pub use shapes::{Shape, ShapeError};
pub use table::{Cell, Table};

/// What can be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Experiment {
    AdbBudget,
    AdbCalibration,
    AdbCutoff,
    AdbKmin,
    AdbModels,
    AdbNodeSize,
    AdbOctree,
    AdbParts,
    AdbPmin,
    AdbTables,
    BoxesAdjacent,
    BoxesDynamic,
    BoxesRandom,
    BoxesSphere,
    BoxesSphereDense,
    BoxesUneven,
    BoxtreeBuild,
    BoxtreeDistance,
    BoxtreeTests,
    BoxtreeVsTrees,
    CabBraided,
    CabConvex3,
    CabConvex6,
    CabCrowd,
    CabHand,
    CabNonConvex,
    CabScene,
    NodeSize,
    PartsBuild,
    PartsQuery,
}

/// What experiments have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Broad phases on sets of boxes.
    Boxes,
    /// Hierarchies over meshes.
    Meshes,
    /// Hierarchies over the links of articulated bodies.
    Links,
}

impl Experiment {
    pub const ALL: [Self; 30] = [
        Self::BoxesRandom,
        Self::BoxesSphereDense,
        Self::BoxesAdjacent,
        Self::BoxesSphere,
        Self::BoxesUneven,
        Self::BoxesDynamic,
        Self::BoxtreeBuild,
        Self::BoxtreeDistance,
        Self::BoxtreeTests,
        Self::BoxtreeVsTrees,
        Self::NodeSize,
        Self::PartsBuild,
        Self::PartsQuery,
        Self::AdbOctree,
        Self::AdbModels,
        Self::AdbPmin,
        Self::AdbKmin,
        Self::AdbParts,
        Self::AdbCutoff,
        Self::AdbBudget,
        Self::AdbTables,
        Self::AdbNodeSize,
        Self::AdbCalibration,
        Self::CabConvex3,
        Self::CabConvex6,
        Self::CabNonConvex,
        Self::CabBraided,
        Self::CabHand,
        Self::CabCrowd,
        Self::CabScene,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::AdbBudget => "adb-budget",
            Self::AdbCalibration => "adb-calibration",
            Self::AdbCutoff => "adb-cutoff",
            Self::AdbKmin => "adb-kmin",
            Self::AdbModels => "adb-models",
            Self::AdbNodeSize => "adb-node-size",
            Self::AdbOctree => "adb-octree",
            Self::AdbParts => "adb-parts",
            Self::AdbPmin => "adb-pmin",
            Self::AdbTables => "adb-tables",
            Self::BoxesRandom => "boxes-random",
            Self::BoxesSphereDense => "boxes-sphere-dense",
            Self::BoxesAdjacent => "boxes-adjacent",
            Self::BoxesSphere => "boxes-sphere",
            Self::BoxesUneven => "boxes-uneven",
            Self::BoxesDynamic => "boxes-dynamic",
            Self::BoxtreeBuild => "boxtree-build",
            Self::BoxtreeDistance => "boxtree-distance",
            Self::BoxtreeTests => "boxtree-tests",
            Self::BoxtreeVsTrees => "boxtree-vs-trees",
            Self::CabBraided => "cab-braided",
            Self::CabConvex3 => "cab-convex-3",
            Self::CabConvex6 => "cab-convex-6",
            Self::CabCrowd => "cab-crowd",
            Self::CabHand => "cab-hand",
            Self::CabScene => "cab-scene",
            Self::CabNonConvex => "cab-nonconvex",
            Self::NodeSize => "node-size",
            Self::PartsBuild => "parts-build",
            Self::PartsQuery => "parts-query",
        }
    }

    pub fn family(self) -> Family {
        match self {
            Self::BoxesAdjacent
            | Self::BoxesDynamic
            | Self::BoxesRandom
            | Self::BoxesSphere
            | Self::BoxesSphereDense
            | Self::BoxesUneven => Family::Boxes,
            Self::AdbBudget
            | Self::AdbCalibration
            | Self::AdbCutoff
            | Self::AdbKmin
            | Self::AdbModels
            | Self::AdbNodeSize
            | Self::AdbOctree
            | Self::AdbParts
            | Self::AdbPmin
            | Self::AdbTables
            | Self::BoxtreeBuild
            | Self::BoxtreeDistance
            | Self::BoxtreeTests
            | Self::BoxtreeVsTrees
            | Self::NodeSize
            | Self::PartsBuild
            | Self::PartsQuery => Family::Meshes,
            Self::CabBraided
            | Self::CabConvex3
            | Self::CabConvex6
            | Self::CabCrowd
            | Self::CabHand
            | Self::CabNonConvex
            | Self::CabScene => Family::Links,
        }
    }

    /// Whether files can stand in for what it makes itself.
    pub fn takes_meshes(self) -> bool {
        let of_meshes = self.family() == Family::Meshes && self != Self::AdbTables;
        of_meshes || matches!(self, Self::CabHand | Self::CabScene)
    }

    /// Whether it asks ADB-trees for probabilities.
    pub fn takes_targets(self) -> bool {
        matches!(
            self,
            Self::AdbCutoff
                | Self::AdbKmin
                | Self::AdbModels
                | Self::AdbOctree
                | Self::AdbParts
                | Self::AdbPmin
        )
    }

    /// Whether all pairs of triangles can be asked for.
    pub fn takes_query(self) -> bool {
        matches!(
            self,
            Self::BoxtreeDistance
                | Self::BoxtreeTests
                | Self::BoxtreeVsTrees
                | Self::NodeSize
                | Self::PartsQuery
        )
    }

    /// In one line, with the figure or table it repeats.
    pub fn about(self) -> &'static str {
        match self {
            Self::AdbBudget => {
                "scenes under smaller and smaller budgets: time, wrong guesses, and what becomes of the motion"
            }
            Self::AdbCalibration => {
                "weights of time-critical queries, and how well what they promise is kept"
            }
            Self::AdbCutoff => {
                "ADB-trees interrupted, and the exact traversal cut off as soon: errors for equal time"
            }
            Self::AdbKmin => "ADB-trees asked for more and more pairs of nodes, k_min ([adb] Fig. 17)",
            Self::AdbModels => {
                "ADB-trees beside exact hierarchies on meshes of every size: time and errors ([adb] Figs. 14, 16)"
            }
            Self::AdbNodeSize => "bytes a node of ADB-trees, and what counting cells costs ([adb] Table 1)",
            Self::AdbOctree => "ADB-trees over the octree, boxes, boxtree and 24-DOPs ([adb] Fig. 12, §5)",
            Self::AdbParts => {
                "the parts of [adb]'s model: MaxArea, volumes, regions, combinations (§3.4–3.6)"
            }
            Self::AdbPmin => "ADB-trees asked to be more and more sure, p_min ([adb] Fig. 17)",
            Self::AdbTables => "look-up tables of filled bins beside the formula ([adb] Fig. 15)",
            Self::BoxesRandom => "broad phases on boxes crowded into a cube, k = O(n²) ([boxes] Fig. 3)",
            Self::BoxesSphereDense => {
                "broad phases on boxes crowded onto a sphere, k = O(n²) ([boxes] Fig. 3)"
            }
            Self::BoxesAdjacent => {
                "broad phases on cubes that touch, built from nothing and again ([boxes] Fig. 4)"
            }
            Self::BoxesSphere => {
                "broad phases on a sphere, k = O(n), built from nothing and again ([boxes] Fig. 5)"
            }
            Self::BoxesUneven => {
                "broad phases on boxes that are skewed, of mixed sizes, long, or around all others"
            }
            Self::BoxesDynamic => {
                "broad phases over frames of motion, each method's structure kept ([boxes] §3.4)"
            }
            Self::BoxtreeBuild => "time to build a hierarchy by every rule ([boxtree] Fig. 6)",
            Self::BoxtreeDistance => {
                "time of a query, from a cold start and remembering the last, against distance ([boxtree] Fig. 8)"
            }
            Self::BoxtreeTests => "the boxtree under every overlap test ([boxtree] Fig. 9)",
            Self::BoxtreeVsTrees => "the hierarchies, and parry3d, at every size ([boxtree] Fig. 10)",
            Self::CabBraided => "link hierarchies over two chains wound around each other ([cab] Table 4)",
            Self::CabConvex3 => "link hierarchies over two swinging chains of links 3:1 ([cab] Table 1)",
            Self::CabConvex6 => "link hierarchies over two swinging chains of links 6:1 ([cab] Table 2)",
            Self::CabCrowd => "a step with crowds of walking figures, on one and two threads",
            Self::CabScene => {
                "link hierarchies over the articulations of any scene, hits compared one by one"
            }
            Self::CabHand => "link hierarchies over a hand that flicks a ball ([cab] Table 5)",
            Self::CabNonConvex => "link hierarchies over two chains of dented links 6:1 ([cab] Table 3)",
            Self::NodeSize => "bytes a node, and operations a pair of nodes, counted ([boxtree] Table 1)",
            Self::PartsBuild => {
                "hierarchies guided by simplification: what building costs ([simplify] Table 1)"
            }
            Self::PartsQuery => {
                "many instances in a box, plain and guided hierarchies ([simplify] Tables 2, 3)"
            }
        }
    }
}

/// What is asked of two surfaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Query {
    /// Whether they intersect.
    #[default]
    Any,
    /// All pairs of triangles that intersect.
    All,
}

impl Query {
    pub const ALL: [Self; 2] = [Self::Any, Self::All];

    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::All => "all",
        }
    }
}

/// What the user asks for; empty lists leave the choice to the experiment.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Small meshes and sets, few poses and frames: seconds instead of minutes.
    pub quick: bool,
    /// Files to measure instead of generated meshes, of the own hand, or of the default scene.
    pub meshes: Vec<SceneName>,
    pub kinds: Vec<TreePlan>,
    pub rules: Vec<SplitRule>,
    /// Poses in a full turn, or frames of boxes, links and instances that move.
    pub steps: Option<u32>,
    pub query: Query,
    /// What ADB-trees are asked for: every p_min with every k_min.
    pub p_min: Vec<f64>,
    pub k_min: Vec<u32>,
    /// Broad phases to measure, on boxes.
    pub broad: Vec<BroadPhaseKind>,
    /// Threads of those that can use more than one; 0 counts as 1.
    pub threads: usize,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Findings {
    pub table: Table,
    pub chart: Chart,
    /// Own contenders that found different things.
    pub disagreements: Vec<String>,
    /// What the reader must know.
    pub notes: Vec<String>,
}

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error("the system gives no worker threads")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error(transparent)]
    Motion(#[from] cab::MotionError),
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("{0}: cells are counted for aabb, octree, boxtree and dop24 only")]
    NoAdbTree(String),
    #[error("ADB-trees are measured by one rule at a time")]
    ManyRules,
}

/// Told what is being measured.
pub type Watch<'a> = &'a mut dyn FnMut(&str);

/// Repeats an experiment.
///
/// # Errors
/// If a mesh cannot be had, or threads.
pub fn run(experiment: Experiment, options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let findings = match experiment {
        Experiment::AdbBudget
        | Experiment::AdbCalibration
        | Experiment::AdbCutoff
        | Experiment::AdbKmin
        | Experiment::AdbModels
        | Experiment::AdbNodeSize
        | Experiment::AdbOctree
        | Experiment::AdbParts
        | Experiment::AdbPmin
        | Experiment::AdbTables => return adb::run(experiment, options, watch),
        Experiment::BoxesDynamic => return boxes::run_dynamic(options, watch),
        Experiment::BoxesRandom
        | Experiment::BoxesSphereDense
        | Experiment::BoxesAdjacent
        | Experiment::BoxesSphere
        | Experiment::BoxesUneven => return boxes::run_static(experiment, options, watch),
        Experiment::CabBraided
        | Experiment::CabConvex3
        | Experiment::CabConvex6
        | Experiment::CabNonConvex => return cab::run_chains(experiment, options, watch),
        Experiment::CabHand => return cab::run_hand(options, watch),
        Experiment::CabCrowd => return cab::run_crowd(options, watch),
        Experiment::CabScene => return cab::run_scenes(options, watch),
        Experiment::BoxtreeBuild => build::run(options, watch),
        Experiment::BoxtreeDistance => distance::run(options, watch),
        Experiment::BoxtreeTests => overlap_tests::run(options, watch),
        Experiment::BoxtreeVsTrees => trees::run(options, watch),
        Experiment::NodeSize => node_size::run(options, watch),
        Experiment::PartsBuild => return parts::run_build(options, watch),
        Experiment::PartsQuery => return parts::run_query(options, watch),
    };
    Ok(findings?)
}

/// Each once, in their order.
fn distinct<T: Copy + PartialEq>(all: &[T]) -> Vec<T> {
    let mut own = Vec::new();
    for &one in all {
        if !own.contains(&one) {
            own.push(one);
        }
    }
    own
}

impl Options {
    fn kinds(&self, default: &[TreeKind]) -> Vec<TreePlan> {
        if self.kinds.is_empty() {
            default.iter().map(|&kind| kind.into()).collect()
        } else {
            distinct(&self.kinds)
        }
    }

    fn rules(&self, default: &[SplitRule]) -> Vec<SplitRule> {
        distinct(if self.rules.is_empty() { default } else { &self.rules })
    }

    /// Up to which factor meshes are of one size: generated ones miss the number of triangles asked for by less.
    fn same_size(&self) -> f64 {
        if self.meshes.is_empty() { 1.1 } else { 1.0 }
    }

    fn steps(&self, quick: u32, full: u32) -> u32 {
        self.steps.unwrap_or(if self.quick { quick } else { full })
    }

    /// The files, or the shapes at every size, one after the other.
    fn meshes<'a>(
        &'a self,
        shapes: &'a [Shape],
        quick: &'a [u32],
        full: &'a [u32],
    ) -> impl Iterator<Item = Result<Mesh, ShapeError>> + 'a {
        let counts = if self.quick { quick } else { full };
        let (files, shapes) =
            if self.meshes.is_empty() { (&[][..], shapes) } else { (&self.meshes[..], &[][..]) };
        let generated = shapes.iter().flat_map(|shape| counts.iter().map(|&count| shape.mesh(count)));
        files.iter().map(|name| shapes::from_file(name, files)).chain(generated)
    }
}

/// One line a name; meshes of one size are one point, their geometric mean. Sizes are one up to a factor.
fn lines_by_size(measured: &[(String, usize, f64)], same_size: f64) -> Vec<Series> {
    let mut names: Vec<&str> = Vec::new();
    for (name, ..) in measured {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let line = |name: &str| {
        let own = measured.iter().filter(|m| m.0 == name);
        let mut points: Vec<(f64, f64)> = own.map(|m| (m.1 as f64, m.2.max(f64::MIN_POSITIVE))).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let close = |a: &(f64, f64), b: &(f64, f64)| b.0 <= same_size * a.0;
        let mean = |of: &[(f64, f64)], pick: fn(&(f64, f64)) -> f64| {
            libm::exp(of.iter().map(|p| libm::log(pick(p))).sum::<f64>() / of.len() as f64)
        };
        let groups = points.chunk_by(close);
        Series {
            name: name.to_owned(),
            points: groups.map(|g| (mean(g, |p| p.0), mean(g, |p| p.1))).collect(),
        }
    };
    names.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_of_about_one_size_are_one_point_of_a_line() {
        let measured = [("a", 9_800, 2.0), ("b", 1000, 7.0), ("a", 10_000, 8.0), ("a", 1000, 1.0)];
        let lines = lines_by_size(&measured.map(|(name, count, time)| (name.to_owned(), count, time)), 1.1);
        assert_eq!(
            lines.iter().map(|l| (l.name.as_str(), l.points.len())).collect::<Vec<_>>(),
            [("a", 2), ("b", 1)]
        );
        assert!((lines[0].points[0].1 - 1.0).abs() < 1e-12 && (lines[0].points[1].1 - 4.0).abs() < 1e-12);
    }
}
