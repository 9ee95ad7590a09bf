//! What an experiment is, what a user can ask of it, and what comes out.

use super::cab::MotionError;
use super::chart::Chart;
use super::compare::CompareError;
use super::shapes::{self, Shape, ShapeError};
use super::table::Table;
use crate::broad::BroadPhaseKind;
use crate::estimate::TargetError;
use crate::mesh::Mesh;
use crate::plan::TreePlan;
use crate::scene::SceneName;
use crate::tree::{Order, SplitRule, TreeKind};

/// What can be repeated.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    pub name: &'static str,
    /// In one line.
    pub about: &'static str,
    /// The paper and its figure, table or section.
    pub item: Option<&'static str>,
    pub family: Family,
    pub takes: Takes,
    pub(super) run: fn(&Options, Watch) -> Result<Findings, ExperimentError>,
}

impl Experiment {
    /// In one line, with the figure or table it repeats.
    pub fn sentence(&self) -> String {
        self.item.map_or(self.about.to_owned(), |item| format!("{} ({item})", self.about))
    }

    /// Repeats it; `watch` is told what is being measured.
    ///
    /// # Errors
    /// If a mesh cannot be had, or threads.
    pub fn run(&self, options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
        let query = options.query.or(self.takes.query);
        (self.run)(&Options { query, ..options.clone() }, watch)
    }
}

/// Which of the options an experiment looks at, beside those that all do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Takes {
    /// Files that stand in for what it makes itself.
    pub meshes: bool,
    /// What ADB-trees are asked for.
    pub targets: bool,
    /// The question to surfaces, unless the user has another.
    pub query: Option<Query>,
}

impl Takes {
    pub const NOTHING: Self = Self { meshes: false, targets: false, query: None };
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
    /// Whole steps of scenes.
    Steps,
}

/// What is asked of two surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Whether they intersect, with nodes opened in an order.
    Any(Order),
    /// All pairs of triangles that intersect.
    All,
}

impl Default for Query {
    fn default() -> Self {
        Self::Any(Order::default())
    }
}

impl Query {
    /// Nodes as the programs of the papers open them.
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

/// What the user asks for; empty lists leave the choice to the experiment.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Small meshes and sets, few poses and frames: seconds instead of minutes.
    pub quick: bool,
    /// Files to measure instead of generated meshes, of the own hand, or of the default scene.
    pub meshes: Vec<SceneName>,
    /// Generated meshes.
    pub shapes: Vec<Shape>,
    /// Triangles of generated meshes, or boxes of a set.
    pub sizes: Vec<u32>,
    pub kinds: Vec<TreePlan>,
    pub rules: Vec<SplitRule>,
    /// Poses in a full turn, or frames of boxes, links and instances that move.
    pub steps: Option<u32>,
    /// `None` leaves the question to the experiment.
    pub query: Option<Query>,
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
    Compare(#[from] CompareError),
    #[error(transparent)]
    Motion(#[from] MotionError),
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("{0}: cells are counted for aabb, octree, boxtree and dop24 only")]
    NoAdbTree(String),
    #[error("ADB-trees are measured by one rule at a time")]
    ManyRules,
}

/// Told what is being measured.
pub type Watch<'a> = &'a mut dyn FnMut(&str);

/// Each once, in their order.
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

    /// Up to which factor meshes are of one size: generated ones miss the number of triangles asked for by
    /// less.
    pub fn same_size(&self) -> f64 {
        if self.meshes.is_empty() { 1.1 } else { 1.0 }
    }

    /// Returns the question to surfaces.
    pub fn query(&self) -> Query {
        self.query.unwrap_or_default()
    }

    pub fn steps(&self, quick: u32, full: u32) -> u32 {
        self.steps.unwrap_or(if self.quick { quick } else { full })
    }

    /// Returns how many triangles, or boxes, there are to be.
    pub fn sizes(&self, quick: &[u32], full: &[u32]) -> Vec<u32> {
        let default = if self.quick { quick } else { full };
        distinct(if self.sizes.is_empty() { default } else { &self.sizes })
    }

    /// The files, or the shapes at every size, one after the other.
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
