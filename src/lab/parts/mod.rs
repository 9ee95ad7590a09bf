//! What guidance by simplified meshes is worth: building the hierarchies, and many instances of one mesh that
//! fly through each other. \[simplify\] §6
//!
//! - `build.rs`: `parts-build`, what building plain and guided hierarchies costs.
//! - `edges.rs`: `parts-edges`, how long the edges of a model are, and how wide cells are chosen by that.
//! - `figure.rs`: `parts-figure`, the parts of the paper's small example.
//! - `levels.rs`: `parts-levels`, what simplification leaves at every level, and the components that shows.
//! - `matched.rs`: rooms in which as many instances intersect as the paper counted.
//! - `paper.rs`: what the paper measured, its Fig. 4 and Tables 1 to 3.
//! - `query.rs`: `parts-query`, every pair of flying instances asked at every step.
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

/// Builds a hierarchy that is compared.
type Builder = Box<dyn Fn(&Mesh) -> Built + Send + Sync>;

/// Without guidance, by the paper's, by this program's own.
const GUIDANCES: [Guidance; 3] = [Guidance::Plain, Guidance::PartsAlways, Guidance::Parts];

/// The paper's trees over the boxes and the rule of its RAPID, and the same over this program's own.
fn contenders(options: &Options) -> Vec<Builder> {
    let rules = options.rules(&[SplitRule::Principal, SplitRule::Binned]);
    let plans_by = |rule: SplitRule| {
        if !options.kinds.is_empty() {
            return options.kinds(&[]);
        }
        let kind = if rule == SplitRule::Principal { TreeKind::OBB_PRINCIPAL } else { TreeKind::OBB };
        GUIDANCES.map_each(|guidance| TreePlan { kind, guidance }).to_vec()
    };
    // By rule, so that what is compared stands together.
    let mut plans = Vec::new();
    for &rule in &rules {
        let own = plans_by(rule).into_iter().filter(|plan| plan.kind.follows_rule() || rule == rules[0]);
        plans.extend(own.map(|plan| (plan, rule)));
    }
    let builder = |plan| -> Builder { Box::new(move |mesh| pair::build(plan, mesh)) };
    plans.into_iter().map(builder).collect()
}

/// The plain tree of the same kind and rule, which one is compared with.
fn plain_of(trees: &[Built], own: &Built) -> Option<usize> {
    trees.iter().position(|b| b.plan == TreePlan::from(own.plan.kind) && b.rule == own.rule)
}

/// What instances are of.
struct Model {
    mesh: Mesh,
    /// The one of the paper it stands for; none for files and shapes.
    paper: Option<PaperModel>,
}

impl Model {
    /// The paper's number, or more if that makes too few triangles.
    fn instance_count(&self) -> usize {
        let least = LEAST_TRIANGLES.div_ceil(self.mesh.triangles().len()).max(2);
        self.paper.map_or(least, |paper| least.max(paper.built().instances))
    }
}

/// Triangles of an instance, where the user asks for shapes and no sizes.
const QUICK: [u32; 1] = [1000];
const FULL: [u32; 1] = [5000];

/// "Over 200000", in all.
const LEAST_TRIANGLES: usize = 200_001;

/// The files or shapes asked for, or what stands for the paper's models.
fn models(options: &Options) -> impl Iterator<Item = Result<Model, ShapeError>> + '_ {
    let is_papers = options.meshes.is_empty() && options.shapes.is_empty();
    let papers = if is_papers { &PaperModel::ALL[..] } else { &[] };
    let generated = papers.iter().map(|&paper| Ok(Model { mesh: generated(paper)?, paper: Some(paper) }));
    let own = options.meshes(&[], &QUICK, &FULL);
    own.map(|mesh| Ok(Model { mesh: mesh?, paper: None })).chain(generated)
}

/// Scaled to a cube of side 2, as files are.
fn generated(paper: PaperModel) -> Result<Mesh, ShapeError> {
    let replica = paper.replica();
    let (positions, triangles) = replica.triangles();
    let fault = |source| ShapeError::Scale { name: replica.name().to_owned(), source };
    scaled(&Mesh::new(replica.name(), &positions, &triangles).map_err(fault)?).map_err(fault)
}
