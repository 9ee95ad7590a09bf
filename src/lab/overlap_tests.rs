//! `boxtree-tests`: the boxtree under every overlap test, each with its work at the parent pair and at every
//! pair. \[boxtree\] Fig. 9

use super::trees::compare;
use super::{Findings, Options, Shape, ShapeError, Watch};
use crate::tree::TreeKind;

const SHAPES: [Shape; 2] = [Shape::Torus, Shape::BumpySphere];

pub(super) fn run(options: &Options, watch: Watch) -> Result<Findings, ShapeError> {
    let kinds: Vec<TreeKind> =
        TreeKind::ALL.into_iter().filter(|kind| matches!(kind, TreeKind::Boxtree(_))).collect();
    let meshes = options.meshes(&SHAPES, &[1000, 5000], &[1000, 5000, 20_000, 100_000]);
    let steps = options.steps(20, 1000);
    compare("A query of boxtrees under every overlap test", meshes, &kinds, steps, options, false, watch)
}
