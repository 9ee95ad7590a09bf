//! Hierarchies guided by simplified meshes: the cost of building them, and their benefit for many
//! instances of one mesh that fly through each other. \[simplify\] §6
//!
//! - `build.rs`: `parts-build`, time to build plain and guided hierarchies.
//! - `edges.rs`: `parts-edges`, edge lengths of a model, and the cell widths chosen from them.
//! - `figure.rs`: `parts-figure`, the parts of the paper's small example.
//! - `levels.rs`: `parts-levels`, elements and components of a simplified model at every level.
//! - `matched.rs`: rooms in which as many instances intersect as the paper counted.
//! - `paper.rs`: the paper's measurements, its Fig. 4 and Tables 1 to 3.
//! - `query.rs`: `parts-query`, every pair of flying instances queried at every step.
//! - `report.rs`: rows of `parts-query`, beside the paper's figures.
//! - `room.rs`: instances of one mesh that fly about in a cubic room.

pub mod build;
pub mod edges;
pub mod figure;
pub mod levels;
mod matched;
mod paper;
pub mod query;
mod report;
mod room;

use super::pair::{self, Built};
use super::workload::scaled;
use super::{Options, ShapeError};
use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::plan::{Guidance, TreePlan};
use crate::tree::{SplitRule, TreeKind};
use paper::PaperModel;

/// Function that builds a hierarchy of the comparison.
type Builder = Box<dyn Fn(&Mesh) -> Built + Send + Sync>;

/// Kinds of guidance that are compared: none, the paper's, and this program's.
const GUIDANCES: [Guidance; 3] = [Guidance::Plain, Guidance::PartsAlways, Guidance::Parts];

/// Returns the builders of the compared trees. By default these are the paper's trees, of boxes split
/// by the rule of its RAPID, and trees of this program's boxes, each under every guidance.
fn contenders(options: &Options) -> Vec<Builder> {
    let rules = options.rules(&[SplitRule::Principal, SplitRule::Binned]);
    let plans_by = |rule: SplitRule| {
        if !options.kinds.is_empty() {
            return options.kinds(&[]);
        }
        let kind = if rule == SplitRule::Principal { TreeKind::OBB_PRINCIPAL } else { TreeKind::OBB };
        GUIDANCES.map_each(|guidance| TreePlan { kind, guidance }).to_vec()
    };
    // Grouped by rule, so that trees that are compared are adjacent.
    let mut plans = Vec::new();
    for &rule in &rules {
        let own = plans_by(rule).into_iter().filter(|plan| plan.kind.follows_rule() || rule == rules[0]);
        plans.extend(own.map(|plan| (plan, rule)));
    }
    let builder = |plan| -> Builder { Box::new(move |mesh| pair::build(plan, mesh)) };
    plans.into_iter().map(builder).collect()
}

/// Returns the index of the plain tree with the kind and rule of `own`, with which it is compared.
fn plain_of(trees: &[Built], own: &Built) -> Option<usize> {
    trees.iter().position(|b| b.plan == TreePlan::from(own.plan.kind) && b.rule == own.rule)
}

/// Mesh whose instances fly.
struct Model {
    mesh: Mesh,
    /// Model of the paper that the mesh replaces; `None` for files and shapes.
    paper: Option<PaperModel>,
}

impl Model {
    /// Returns the paper's number of instances, or more if these have too few triangles in total.
    fn instance_count(&self) -> usize {
        let least = LEAST_TRIANGLES.div_ceil(self.mesh.triangles().len()).max(2);
        self.paper.map_or(least, |paper| least.max(paper.built().instances))
    }
}

/// Triangles per instance if the user names shapes without sizes.
const QUICK: [u32; 1] = [1000];
const FULL: [u32; 1] = [5000];

/// Smallest total number of triangles of all instances: "over 200000".
const LEAST_TRIANGLES: usize = 200_001;

/// Returns the user's files or shapes; by default, the replacements of the paper's models.
fn models(options: &Options) -> impl Iterator<Item = Result<Model, ShapeError>> + '_ {
    let is_papers = options.meshes.is_empty() && options.shapes.is_empty();
    let papers = if is_papers { &PaperModel::ALL[..] } else { &[] };
    let generated = papers.iter().map(|&paper| Ok(Model { mesh: generated(paper)?, paper: Some(paper) }));
    let own = options.meshes(&[], &QUICK, &FULL);
    own.map(|mesh| Ok(Model { mesh: mesh?, paper: None })).chain(generated)
}

/// Generates the replacement of a model. It is scaled to a cube of side 2, as files are.
fn generated(paper: PaperModel) -> Result<Mesh, ShapeError> {
    let replica = paper.replica();
    let (positions, triangles) = replica.triangles();
    let fault = |source| ShapeError::Scale { name: replica.name().to_owned(), source };
    scaled(&Mesh::new(replica.name(), &positions, &triangles).map_err(fault)?).map_err(fault)
}
