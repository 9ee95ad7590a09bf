//! What guidance by simplified meshes is worth: building the hierarchies, and many instances of one mesh that
//! fly through each other. \[simplify\] §6

mod build;
mod paper;
mod query;
mod report;
mod world;

use super::pair::{self, Built};
use super::shapes::{Shape, from_file};
use super::workload::scaled;
use super::{Options, ShapeError};
use crate::mesh::Mesh;
use crate::mesh::generate::{Bracket, Gear, Housing, Limb, Link, Pipe, Triangles, sphere};
use crate::tree::{SplitRule, TreeKind};
pub use build::run as run_build;
use paper::PaperModel;
pub use query::run as run_query;

/// Builds a hierarchy that is compared.
type Builder = Box<dyn Fn(&Mesh) -> Built + Send + Sync>;

/// The first is the plain one that the others are compared with.
fn contenders(options: &Options) -> Vec<Builder> {
    let rules = options.rules(&[SplitRule::Binned, SplitRule::Volume, SplitRule::LongestSide]);
    let plans = pair::plans(&options.kinds(&[TreeKind::Obb]), &rules);
    let builder = |plan| -> Builder { Box::new(move |mesh| pair::build(plan, mesh)) };
    plans.into_iter().map(builder).collect()
}

/// What instances are of.
struct Model {
    mesh: Mesh,
    /// The one of the paper it stands for; none for files.
    paper: Option<PaperModel>,
}

impl Model {
    /// The paper's number, or more if that makes too few triangles.
    fn instance_count(&self) -> usize {
        let least = LEAST_TRIANGLES.div_ceil(self.mesh.triangles().len()).max(2);
        self.paper.map_or(least, |paper| least.max(paper.built().instances))
    }
}

/// "Over 200000", in all.
const LEAST_TRIANGLES: usize = 200_001;

/// The files, or what stands for the paper's models.
fn models(options: &Options) -> impl Iterator<Item = Result<Model, ShapeError>> + '_ {
    let papers = if options.meshes.is_empty() { &PaperModel::ALL[..] } else { &[] };
    let file = |name: &String| Ok(Model { mesh: from_file(name, &options.meshes)?, paper: None });
    let generated = papers.iter().map(|&paper| Ok(Model { mesh: generated(paper)?, paper: Some(paper) }));
    options.meshes.iter().map(file).chain(generated)
}

/// Scaled to a cube of side 2, as files are.
fn generated(paper: PaperModel) -> Result<Mesh, ShapeError> {
    let part = |name: &str, (positions, triangles): Triangles| {
        let fault = |source| ShapeError::Scale { name: name.to_owned(), source };
        scaled(&Mesh::new(name, &positions, &triangles).map_err(fault)?).map_err(fault)
    };
    match paper {
        PaperModel::Windmill => part("gear", Gear::LARGE.triangles()),
        PaperModel::Helicopter => part("bracket", Bracket::RIBBED.triangles()),
        PaperModel::Chair => part("pipe", Pipe::ELBOW.triangles()),
        PaperModel::Spacestation => Shape::Torus.mesh(10_000),
        PaperModel::Rat => part("limb", Limb::HULL.triangles()),
        PaperModel::Triceratops => Shape::BumpySphere.mesh(5000),
        PaperModel::Skateboard => Shape::Soup.mesh(20_000),
        PaperModel::Forklift => part("housing", Housing::SMALL.triangles()),
        PaperModel::F16 => part("link", Link::CHAIN.triangles()),
        PaperModel::Enterprise => part("sphere", sphere(1.0, 40)),
    }
}
