//! All experiments in the order in which they are listed. A new experiment is a file with a constant,
//! and an entry here.

use super::experiment::Experiment;
use super::{
    adb, assembly, boxes, build, cab, distance, heaps, node_size, overlap_tests, parts, physics, space, trees,
};

/// All experiments; their names are distinct.
pub const EXPERIMENTS: [&Experiment; 40] = [
    &boxes::still::RANDOM,
    &boxes::still::SPHERE_DENSE,
    &boxes::still::ADJACENT,
    &boxes::still::SPHERE,
    &boxes::still::UNEVEN,
    &boxes::dynamic::EXPERIMENT,
    &space::EXPERIMENT,
    &build::EXPERIMENT,
    &distance::EXPERIMENT,
    &overlap_tests::EXPERIMENT,
    &trees::EXPERIMENT,
    &node_size::EXPERIMENT,
    &parts::figure::EXPERIMENT,
    &parts::edges::EXPERIMENT,
    &parts::levels::EXPERIMENT,
    &parts::build::EXPERIMENT,
    &parts::query::EXPERIMENT,
    &adb::octree::EXPERIMENT,
    &adb::models::EXPERIMENT,
    &adb::targets::P_MINS,
    &adb::targets::K_MINS,
    &adb::parts::EXPERIMENT,
    &adb::sweep::SHARES,
    &adb::sweep::CELLS,
    &adb::terms::EXPERIMENT,
    &adb::cutoff::EXPERIMENT,
    &adb::budget::EXPERIMENT,
    &adb::table_size::EXPERIMENT,
    &adb::node_size::EXPERIMENT,
    &adb::calibration::EXPERIMENT,
    &cab::CONVEX_3,
    &cab::CONVEX_6,
    &cab::NONCONVEX,
    &cab::BRAIDED,
    &cab::HAND,
    &cab::crowd::EXPERIMENT,
    &cab::scenes::EXPERIMENT,
    &heaps::EXPERIMENT,
    &physics::EXPERIMENT,
    &assembly::EXPERIMENT,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_experiments_have_one_name() {
        let names: BTreeSet<&str> = EXPERIMENTS.iter().map(|e| e.name).collect();
        assert_eq!(names.len(), EXPERIMENTS.len());
    }
}
