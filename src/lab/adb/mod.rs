//! Experiments on ADB-trees: speed and errors of queries that test no triangles. \[adb\] §4
//!
//! - `anytime.rs`: queries that end after a number of node tests with a probability.
//! - `budget.rs`: `adb-budget`, whole scenes under shrinking budgets.
//! - `calibration.rs`: `adb-calibration`, which fits the weights of the model and tests them.
//! - `contest.rs`: the tumbling pair under queries that may err.
//! - `cutoff.rs`: `adb-cutoff`, the probabilistic query beside the exact one, cut off as early.
//! - `data.rs`: answers of queries together with the truth.
//! - `model/`: the models of probability of ADB-trees.
//! - `models.rs`: `adb-models`, both models beside hierarchies that test triangles.
//! - `node_size.rs`: `adb-node-size`, memory of ADB-trees and the time to count cells.
//! - `octree.rs`: `adb-octree`, ADB-trees over every hierarchy that supports cell counts.
//! - `parts.rs`: `adb-parts`, the effect of each part of the paper's model.
//! - `regression.rs`: regression for probabilities.
//! - `reliability.rs`: reliability of predicted probabilities.
//! - `sweep.rs`: `adb-share` and `adb-cells`, errors by the area that fills a cell and by the cell count.
//! - `table_size.rs`: `adb-tables`, the paper's look-up tables beside the formula that replaces them.
//! - `tables.rs`: the paper's look-up tables of filled bins.
//! - `targets.rs`: `adb-pmin` and `adb-kmin`, the cost of higher certainty.
//! - `terms.rs`: `adb-terms`, the number of shared cells at which the paper's bound is the largest.
//! - `training.rs`: the generated surfaces that the weights are fitted to.

mod anytime;
pub mod budget;
pub mod calibration;
mod contest;
pub mod cutoff;
mod data;
mod model;
pub mod models;
pub mod node_size;
pub mod octree;
pub mod parts;
mod regression;
mod reliability;
pub mod sweep;
pub mod table_size;
mod tables;
pub mod targets;
pub mod terms;
mod training;

use super::{ExperimentError, Options};
use crate::estimate::{AdbKind, AdbTree, CellRule, Target};
use crate::mesh::Mesh;
use crate::plan::TreePlan;
use crate::tree::{SplitRule, TreeKind};
pub use model::{AdbModel, Combination, Paper, Regions, VolumeEstimator, tails};

/// The paper's p_min and k_min, §4.3.1.
const P_MIN: f64 = 0.99;
const K_MIN: u32 = 10;

/// Probability model, with the rule of cell counts that its trees need.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Asked {
    Fitted,
    OfPaper,
}

impl Asked {
    const ALL: [Self; 2] = [Self::Fitted, Self::OfPaper];

    fn name(self) -> &'static str {
        match self {
            Self::Fitted => "fitted",
            Self::OfPaper => "paper",
        }
    }

    fn model(self) -> AdbModel {
        match self {
            Self::Fitted => AdbModel::Fitted,
            Self::OfPaper => AdbModel::Paper(Paper::default()),
        }
    }

    fn tree(self, kind: AdbKind, rule: SplitRule, mesh: &Mesh) -> AdbTree {
        let cells = match self {
            Self::Fitted => CellRule::default(),
            Self::OfPaper => CellRule::PAPER,
        };
        AdbTree::with_cells(kind, rule, mesh, &cells)
    }
}

/// Returns the same hierarchy without cell counts.
fn plain(kind: AdbKind) -> TreeKind {
    match kind {
        AdbKind::Aabb => TreeKind::Aabb,
        AdbKind::Octree => TreeKind::Octree,
        AdbKind::Boxtree => TreeKind::BOXTREE,
        AdbKind::Dop24 => TreeKind::Dop24,
    }
}

/// Returns a suffix for the name of a target that distinguishes it from the other targets in `all`.
fn distinguishing_suffix(target: &Target, all: &[Target]) -> String {
    let mut text = String::new();
    if all.iter().any(|other| other.p_min() != target.p_min()) {
        text += &format!(", p_min {}", target.p_min());
    }
    if all.iter().any(|other| other.k_min() != target.k_min()) {
        text += &format!(", k_min {}", target.k_min());
    }
    text
}

impl Options {
    /// Returns the kinds of ADB-trees over the hierarchies that the user names, or `default`. Fails for
    /// a hierarchy without cell counts.
    fn adb_kinds(&self, default: &[AdbKind]) -> Result<Vec<AdbKind>, ExperimentError> {
        if self.kinds.is_empty() {
            return Ok(default.to_vec());
        }
        let over = |kind: AdbKind| self.kinds.contains(&plain(kind).into());
        if let Some(other) =
            self.kinds.iter().find(|&&k| !AdbKind::ALL.iter().any(|&kind| TreePlan::from(plain(kind)) == k))
        {
            return Err(ExperimentError::NoAdbTree(other.name()));
        }
        Ok(AdbKind::ALL.into_iter().filter(|&kind| over(kind)).collect())
    }

    /// Returns every combination of a p_min with a k_min.
    fn targets(&self, p_mins: &[f64], k_mins: &[u32]) -> Result<Vec<Target>, ExperimentError> {
        let p_mins = super::distinct(if self.p_min.is_empty() { p_mins } else { &self.p_min });
        let k_mins = super::distinct(if self.k_min.is_empty() { k_mins } else { &self.k_min });
        let all = p_mins.iter().flat_map(|&p_min| k_mins.iter().map(move |&k_min| Target::new(p_min, k_min)));
        Ok(all.collect::<Result<_, _>>()?)
    }

    fn adb_rule(&self) -> Result<SplitRule, ExperimentError> {
        self.adb_rule_or(SplitRule::default())
    }

    fn adb_rule_or(&self, default: SplitRule) -> Result<SplitRule, ExperimentError> {
        match self.rules[..] {
            [] => Ok(default),
            [rule] => Ok(rule),
            _ => Err(ExperimentError::ManyRules),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hierarchies_without_occupancy_counts_are_refused_by_name() {
        let options = |kinds: &[TreeKind]| Options {
            kinds: kinds.iter().map(|&k| k.into()).collect(),
            ..Options::default()
        };
        let kinds = options(&[TreeKind::Dop24, TreeKind::Octree]).adb_kinds(&[AdbKind::Aabb]).unwrap();
        assert_eq!(kinds, [AdbKind::Octree, AdbKind::Dop24]);
        let refused = options(&[TreeKind::Aabb, TreeKind::OBB]).adb_kinds(&[AdbKind::Aabb]).unwrap_err();
        assert!(refused.to_string().contains("obb"), "{refused}");
    }

    #[test]
    fn targets_that_mean_nothing_are_refused() {
        let all = Options::default().targets(&[0.5, 0.9, 0.5], &[1, 10]).unwrap();
        assert_eq!(
            all.iter().map(|t| (t.p_min(), t.k_min())).collect::<Vec<_>>(),
            [(0.5, 1), (0.5, 10), (0.9, 1), (0.9, 10)]
        );
        let options = Options { p_min: vec![1.5], ..Options::default() };
        assert!(options.targets(&[0.5], &[1]).unwrap_err().to_string().contains("1.5"));
    }
}
