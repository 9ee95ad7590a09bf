//! Findings of a check in the common form, grouped as `tumble check` groups them.

use glam::DVec3;

use super::document::{CheckDocument, FindingFigures};
use super::finding::{Finding, FindingList, Grade};
use super::groups::{FindingGroup, group};
use crate::scene::Scene;

/// Groups the findings of a check in the same way as `tumble check`.
pub fn of_check(document: &CheckDocument, scene: &Scene) -> Vec<FindingList> {
    let of_group = |found: FindingGroup| {
        let one = |&at: &usize| finding(&document.findings[at], document.step, scene);
        let title = format!("{}: {}", found.kind.title(), found.title);
        FindingList { title, findings: found.findings.iter().map(one).collect() }
    };
    group(&document.findings, scene).into_iter().map(of_group).collect()
}

/// Converts a finding of a check of a step.
fn finding(finding: &FindingFigures, step: Option<u32>, scene: &Scene) -> Finding {
    let parts = finding.parts().map(Vec::from).unwrap_or_default();
    let name = |part: &u32| scene.bodies[*part as usize].name.as_str();
    let names: Vec<&str> = parts.iter().map(name).collect();
    Finding {
        id: finding.id.clone(),
        kind: finding.kind.name(),
        text: format!("{}: {}", names.join(" – "), finding.measure()),
        parts,
        paths: vec![finding.a.clone(), finding.b.clone()],
        points: Some(finding.points.map(DVec3::from)),
        step,
        grade: if finding.is_fault() { Grade::Fault } else { Grade::Remark },
        excess_m: finding.excess(),
    }
}
