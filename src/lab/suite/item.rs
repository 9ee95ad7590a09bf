//! An item of the report, and its verdict.

use super::evidence::Evidence;
use super::measured::{Measured, Missing};
use super::verdict::{Verdict, verdict};

/// Paper whose figures are repeated. The order is that of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    Boxtree,
    Boxes,
    Simplify,
    Adb,
    Cab,
}

impl Paper {
    pub const ALL: [Self; 5] = [Self::Boxtree, Self::Boxes, Self::Simplify, Self::Adb, Self::Cab];

    /// Returns the key by which code and pages cite the paper, as in "[cab]".
    pub fn key(self) -> &'static str {
        match self {
            Self::Boxtree => "boxtree",
            Self::Boxes => "boxes",
            Self::Simplify => "simplify",
            Self::Adb => "adb",
            Self::Cab => "cab",
        }
    }

    /// Returns authors, title and place of publication.
    pub fn reference(self) -> [&'static str; 3] {
        match self {
            Self::Boxtree => {
                ["G. Zachmann", "Minimal Hierarchical Collision Detection", "VRST 2002 (extended version)"]
            }
            Self::Boxes => ["T. Koziara, N. Bićanić", "Bounding box collision detection", ""],
            Self::Simplify => [
                "T.-S. Tan, K.-F. Chong, K.-L. Low",
                "Computing Bounding Volume Hierarchies Using Model Simplification",
                "I3D 1999",
            ],
            Self::Adb => [
                "J. Klein, G. Zachmann",
                "Time-Critical Collision Detection Using an Average-Case Approach",
                "VRST 2003",
            ],
            Self::Cab => [
                "H. Schmidl, N. Walker, M. C. Lin",
                "CAB: Fast Update of OBB Trees for Collision Detection between Articulated Bodies",
                "JGT 2004",
            ],
        }
    }
}

/// Figure, table or measured claim of a paper.
#[derive(Clone, Copy)]
pub struct Item {
    pub paper: Paper,
    /// Name of the item within the paper, without spaces; used in anchors.
    pub key: &'static str,
    /// Figure, table or section of the paper.
    pub place: &'static str,
    /// The paper's statement, in the words of the report.
    pub claim: &'static str,
    /// Description of the measured work.
    pub workload: &'static str,
    /// Names of the measurements that the item reads.
    pub from: &'static [&'static str],
    pub judge: fn(&Sources) -> Result<Evidence, Missing>,
}

impl Item {
    /// Returns the anchor of the item in the report.
    pub fn anchor(&self) -> String {
        format!("{}-{}", self.paper.key(), self.key)
    }

    /// Returns the name for readers: "[cab] Table 1".
    pub fn name(&self) -> String {
        format!("[{}] {}", self.paper.key(), self.place)
    }
}

/// Measurement that is in no paper.
#[derive(Clone, Copy)]
pub struct Beyond {
    pub key: &'static str,
    pub title: &'static str,
    /// Reason and method of the measurement.
    pub about: &'static str,
    pub from: &'static [&'static str],
    pub show: fn(&Sources) -> Result<Evidence, Missing>,
}

impl Beyond {
    /// Returns the anchor within the report.
    pub fn anchor(&self) -> String {
        format!("beyond-{}", self.key)
    }
}

/// All measurements that items can read.
pub struct Sources<'a> {
    pub measured: &'a [Measured],
}

impl<'a> Sources<'a> {
    /// Returns the measurement named `name`.
    ///
    /// # Errors
    /// Fails if there is no such measurement.
    pub fn of(&self, name: &str) -> Result<&'a Measured, Missing> {
        let found = self.measured.iter().find(|own| own.name == name);
        found.ok_or_else(|| Missing { measurement: name.to_owned(), wanted: "file".to_owned() })
    }
}

/// Item with its numbers and its verdict.
pub struct Judged {
    pub item: &'static Item,
    pub evidence: Evidence,
    pub verdict: Verdict,
}

/// Reason why a report cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    #[error("{item}: {missing}")]
    Missing { item: String, missing: Missing },
    /// Item whose claims fail although it has no switch, or even with its switch.
    #[error("{item} differs, and no switch restores it: {}", claims.join("; "))]
    Unexplained { item: String, claims: Vec<String> },
}

/// Tests the claims of an item.
///
/// # Errors
/// Fails if a measurement lacks a number, or if the item differs and no switch restores it.
pub fn judge(item: &'static Item, sources: &Sources) -> Result<Judged, SuiteError> {
    let named = |missing| SuiteError::Missing { item: item.name(), missing };
    let evidence = (item.judge)(sources).map_err(named)?;
    let unexplained = |claims| SuiteError::Unexplained { item: item.name(), claims };
    let verdict = verdict(&evidence.claims, evidence.is_our_reading).map_err(unexplained)?;
    Ok(Judged { item, evidence, verdict })
}
