//! `boxtree-tests`: query time of the boxtree under every overlap test, where the work that depends on
//! one node is done once at the parent pair, or at every pair. \[boxtree\] Fig. 9

use super::trees::compare;
use super::{Findings, Options, Query, Shape, ShapeError, Watch};
use crate::experiment::{Experiment, Family, Takes};
use crate::tree::TreeKind;

pub const EXPERIMENT: Experiment = Experiment {
    name: "boxtree-tests",
    about: "the boxtree under every overlap test",
    item: Some("[boxtree] Fig. 9"),
    family: Family::Meshes,
    takes: Takes { meshes: true, query: Some(Query::DEEPEST_FIRST), ..Takes::NOTHING },
    run: |options, watch| Ok(run(options, watch)?),
};

const SHAPES: [Shape; 2] = [Shape::Torus, Shape::BumpySphere];

fn run(options: &Options, watch: Watch) -> Result<Findings, ShapeError> {
    let kinds: Vec<TreeKind> =
        TreeKind::ALL.into_iter().filter(|kind| matches!(kind, TreeKind::Boxtree(_))).collect();
    let meshes = options.meshes(&SHAPES, &[1000, 5000], &[1000, 5000, 20_000, 100_000]);
    let steps = options.steps(20, 1000);
    compare("A query of boxtrees under every overlap test", meshes, &kinds, steps, options, false, watch)
}
