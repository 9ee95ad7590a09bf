//! An experiment, the options that a user can set for it, and its results.

use std::path::PathBuf;

use super::cab::MotionError;
use super::chart::Chart;
use super::compare::CompareError;
use super::shapes::{self, Shape, ShapeError};
use super::table::Table;
use crate::broad::BroadPhaseKind;
use crate::check::TooManyPairs;
use crate::estimate::TargetError;
use crate::mesh::Mesh;
use crate::plan::TreePlan;
use crate::scene::SceneName;
use crate::tree::{Order, SplitRule, TreeKind};

/// Experiment that `tumble bench` can repeat.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    pub name: &'static str,
    /// Description in one line.
    pub about: &'static str,
    /// Paper, with the figure, table or section that the experiment repeats.
    pub item: Option<&'static str>,
    pub family: Family,
    pub takes: Takes,
    pub(super) run: fn(&Options, Watch) -> Result<Findings, ExperimentError>,
}

impl Experiment {
    /// Returns the description in one line, with the figure or table that the experiment repeats.
    pub fn sentence(&self) -> String {
        self.item.map_or(self.about.to_owned(), |item| format!("{} ({item})", self.about))
    }

    /// Runs the experiment. `watch` is called with a description of each part before it is measured.
    ///
    /// # Errors
    /// Fails if a mesh cannot be loaded or generated, or threads cannot be started.
    pub fn run(&self, options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
        let query = options.query.or(self.takes.query);
        (self.run)(&Options { query, ..options.clone() }, watch)
    }
}

/// Options that an experiment reads, besides those that all experiments read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Takes {
    /// Whether the user can name files in place of the experiment's own meshes.
    pub meshes: bool,
    /// Whether it reads the targets of ADB-trees, p_min and k_min.
    pub targets: bool,
    /// Whether it can compare this program with another build.
    pub against: bool,
    /// Default query over two surfaces; `None` if it does not run the query that a user chooses.
    pub query: Option<Query>,
}

impl Takes {
    pub const NOTHING: Self = Self { meshes: false, targets: false, against: false, query: None };
}

/// Group of experiments by subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Broad phases on sets of boxes.
    Boxes,
    /// Hierarchies over meshes.
    Meshes,
    /// Hierarchies over the links of articulated bodies.
    Links,
    /// Whole steps of scenes.
    Steps,
    /// Checks of assemblies.
    Checks,
}

/// Query over two surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Test whether the surfaces intersect, with the order in which nodes are opened.
    Any(Order),
    /// Search for all pairs of triangles that intersect.
    All,
}

impl Default for Query {
    fn default() -> Self {
        Self::Any(Order::default())
    }
}

impl Query {
    /// Query that opens nodes in the order of the papers' programs.
    pub const AS_BUILT: Self = Self::Any(Order::AsBuilt);
    pub const DEEPEST_FIRST: Self = Self::Any(Order::DeepestFirst);
    pub const ALL: [Self; 3] = [Self::DEEPEST_FIRST, Self::AS_BUILT, Self::All];

    pub fn name(self) -> &'static str {
        match self {
            Self::Any(Order::DeepestFirst) => "any",
            Self::Any(Order::AsBuilt) => "any-as-built",
            Self::All => "all",
        }
    }
}

/// Options of the user. An empty list leaves the choice to the experiment.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether to run with small meshes and sets and few poses and frames, for seconds instead of
    /// minutes.
    pub quick: bool,
    /// Files that replace the generated meshes, the built-in articulated hand or the default scene.
    pub meshes: Vec<SceneName>,
    /// Generated meshes.
    pub shapes: Vec<Shape>,
    /// Numbers of triangles of generated meshes, or numbers of boxes.
    pub sizes: Vec<u32>,
    pub kinds: Vec<TreePlan>,
    pub rules: Vec<SplitRule>,
    /// Number of poses in a full turn, or of frames in which boxes, links or instances move.
    pub steps: Option<u32>,
    /// Query over two surfaces; `None` leaves the choice to the experiment.
    pub query: Option<Query>,
    /// Targets of ADB-trees. Every p_min is combined with every k_min.
    pub p_min: Vec<f64>,
    pub k_min: Vec<u32>,
    /// Broad phases to measure on boxes.
    pub broad: Vec<BroadPhaseKind>,
    /// Number of threads, for contenders that can use more than one; 0 counts as 1.
    pub threads: usize,
    /// Another build of the program, to compare with.
    pub against: Option<PathBuf>,
}

/// Results of an experiment.
#[derive(Clone, Debug)]
pub struct Findings {
    pub table: Table,
    pub chart: Chart,
    /// Messages about contenders of this program whose results should be equal but differ.
    pub disagreements: Vec<String>,
    /// Notes that a reader needs to interpret the results.
    pub notes: Vec<String>,
}

/// Reason why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error("the system cannot start the worker threads")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error("the system cannot start the worker threads")]
    Start(#[from] std::io::Error),
    #[error(transparent)]
    Pairs(#[from] TooManyPairs),
    #[error(transparent)]
    Compare(#[from] CompareError),
    #[error(transparent)]
    Motion(#[from] MotionError),
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("{0}: ADB-trees are built only over aabb, octree, boxtree and dop24")]
    NoAdbTree(String),
    #[error("{path} cannot run {1}: {2}", path = .0.display())]
    Against(PathBuf, String, String),
    #[error("ADB-trees are measured with only one rule at a time")]
    ManyRules,
}

/// Callback that receives a description of each part that is measured.
pub type Watch<'a> = &'a mut dyn FnMut(&str);

/// Returns the distinct values in the order of their first occurrence.
pub fn distinct<T: Copy + PartialEq>(all: &[T]) -> Vec<T> {
    let mut own = Vec::new();
    for &one in all {
        if !own.contains(&one) {
            own.push(one);
        }
    }
    own
}

impl Options {
    pub fn kinds(&self, default: &[TreeKind]) -> Vec<TreePlan> {
        if self.kinds.is_empty() {
            default.iter().map(|&kind| kind.into()).collect()
        } else {
            distinct(&self.kinds)
        }
    }

    pub fn rules(&self, default: &[SplitRule]) -> Vec<SplitRule> {
        distinct(if self.rules.is_empty() { default } else { &self.rules })
    }

    /// Returns the largest ratio of triangle counts at which two meshes count as of the same size.
    /// Generated meshes miss the requested count by less than this.
    pub fn same_size(&self) -> f64 {
        if self.meshes.is_empty() { 1.1 } else { 1.0 }
    }

    /// Returns the query over two surfaces.
    pub fn query(&self) -> Query {
        self.query.unwrap_or_default()
    }

    pub fn steps(&self, quick: u32, full: u32) -> u32 {
        self.steps.unwrap_or(if self.quick { quick } else { full })
    }

    /// Returns the numbers of triangles or boxes to measure.
    pub fn sizes(&self, quick: &[u32], full: &[u32]) -> Vec<u32> {
        let default = if self.quick { quick } else { full };
        distinct(if self.sizes.is_empty() { default } else { &self.sizes })
    }

    /// Returns the user's files; without files, every shape at every size. Each mesh is created when
    /// the iterator reaches it.
    pub fn meshes<'a>(
        &'a self,
        shapes: &[Shape],
        quick: &[u32],
        full: &[u32],
    ) -> impl Iterator<Item = Result<Mesh, ShapeError>> + use<'a> {
        let mut wanted = Vec::new();
        if self.meshes.is_empty() {
            let counts = self.sizes(quick, full);
            for shape in distinct(if self.shapes.is_empty() { shapes } else { &self.shapes }) {
                wanted.extend(counts.iter().map(|&count| (shape, count)));
            }
        }
        let generated = wanted.into_iter().map(|(shape, count)| shape.mesh(count));
        self.meshes.iter().map(|name| shapes::from_file(name, &self.meshes)).chain(generated)
    }
}
