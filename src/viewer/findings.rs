//! The findings of the shown scene: the results of a check of the parts in their poses, and the faults
//! of the run so far. Each finding names its parts and the step in which it was worst.
//!
//! A stage → [`FindingGroup`]s, the most severe group first. The findings of a run include those after
//! the shown step.

use glam::DVec3;

use super::stage::Stage;
use crate::check::Kind;
use crate::import::model::NoteKind;
use crate::record::{Overlap, Rest};
use crate::report::findings::{CheckDocument, FindingFigures, group};
use crate::report::{
    CrowdedFigures, CutFigures, CutSpinFigures, FallFigures, HeldFigures, LoadFigures, OutrunFigures,
    PassageFigures, ReachFigures,
};
use crate::scene::Scene;
use crate::world::Incidents;

/// A fact about a scene or a run that an engineer must know.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Kind of the finding. It distinguishes this finding from others on the same parts.
    pub kind: &'static str,
    pub text: String,
    /// The affected bodies: two, one or none.
    pub parts: Vec<u32>,
    /// The points of the two parts between which a depth or a distance is measured, in world space, m.
    /// `None` if unknown.
    pub points: Option<[DVec3; 2]>,
    /// Step in which the finding was worst, or `None` if it belongs to no step.
    pub step: Option<u32>,
    pub grade: Grade,
}

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// A fault.
    Fault,
    /// A remark: the situation may be intended.
    Remark,
}

/// Findings of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct FindingGroup {
    pub title: String,
    pub findings: Vec<Finding>,
}

/// Returns the findings of a stage in groups: the findings of its run, then the warnings of its files.
/// The findings of a check are not included.
pub fn of_stage(stage: &Stage) -> Vec<FindingGroup> {
    let mut groups = of_run(stage);
    groups.extend(of_files(&stage.show.scene));
    groups
}

/// Groups the findings of a check in the same way as `tumble check`.
pub fn of_check(document: &CheckDocument, scene: &Scene) -> Vec<FindingGroup> {
    let of_group = |found: crate::report::findings::FindingGroup| {
        let findings = found.findings.iter().map(|&at| checked(&document.findings[at], document.step, scene));
        let title = format!("{}: {}", found.kind.title(), found.title);
        FindingGroup { title, findings: findings.collect() }
    };
    group(&document.findings, scene).into_iter().map(of_group).collect()
}

fn checked(finding: &FindingFigures, step: Option<u32>, scene: &Scene) -> Finding {
    let parts = finding.parts().map(Vec::from).unwrap_or_default();
    let name = |part: &u32| scene.bodies[*part as usize].name.as_str();
    let names: Vec<&str> = parts.iter().map(name).collect();
    Finding {
        kind: finding.kind.name(),
        text: format!("{}: {}", names.join(" – "), finding.measure()),
        parts,
        points: Some(finding.points.map(DVec3::from)),
        step,
        grade: if finding.kind == Kind::Contact { Grade::Remark } else { Grade::Fault },
    }
}

/// Returns the warnings of the files, such as missing meshes.
fn of_files(scene: &Scene) -> Option<FindingGroup> {
    let warnings = scene.notes.iter().filter(|note| note.kind == NoteKind::Warning);
    let finding = |note: &crate::import::model::Note| Finding {
        kind: "file",
        // The text precedes the place, as it is more useful.
        text: format!("{} ({})", note.text, note.place),
        parts: Vec::new(),
        points: None,
        step: None,
        grade: Grade::Remark,
    };
    let findings: Vec<Finding> = warnings.map(finding).collect();
    (!findings.is_empty()).then(|| FindingGroup { title: "warnings of files".to_owned(), findings })
}

/// Returns the faults of the run, grouped by kind.
fn of_run(stage: &Stage) -> Vec<FindingGroup> {
    let step = stage.frame.step;
    let found = &stage.incidents;
    let mut run = RunGroups::default();
    if let Some(text) = stage.source.problem() {
        run.add("run", "the run", [Incident::of(text, [], step)]);
    }
    let bodies = &stage.show.scene.bodies;
    let name = |body: u32| bodies[body as usize].name.as_str();
    let set_aside = (0u32..).zip(&stage.frame.rests).filter(|(_, rest)| **rest == Rest::Quarantined);
    let text = |body| format!("{} is set aside: its state was not finite", name(body));
    run.add("set-aside", "set aside", set_aside.map(|(body, _)| Incident::of(text(body), [body], step)));
    let passages = found.passages.iter();
    run.add(
        "passage",
        "went through",
        passages
            .map(|p| Incident::of(PassageFigures::of(p).text(), [p.body, p.through], p.first_step).in_step()),
    );
    let held = found.held_back.iter();
    run.add(
        "held-back",
        "held back",
        held.map(|h| Incident::of(HeldFigures::of(h).text(), [h.body, h.by], h.first_step).in_step()),
    );
    let falls = found.falls.iter();
    run.add(
        "fall",
        "fell out",
        falls.map(|f| Incident::of(FallFigures::of(f).text(), [f.body], f.step).in_step()),
    );
    let cuts = found.cuts.iter();
    run.add(
        "cut",
        "rests in another",
        cuts.map(|c| {
            Incident::of(CutFigures::of(c).text(), [c.a, c.b], c.first_step)
                .lasting(c.last_step, c.deepest_step)
        }),
    );
    let reaches = found.reaches.iter();
    run.add(
        "reach",
        "reaches into another",
        reaches.map(|r| {
            let text = ReachFigures::of(r).text();
            Incident::of(text, [r.link, r.into], r.first_step).lasting(r.last_step, r.deepest_step)
        }),
    );
    run.add(
        "overlap",
        "intersect and are not kept apart",
        overlaps(stage).map(|o| {
            let text = format!("{} – {} intersect and are not kept apart", name(o.a), name(o.b));
            Incident::of(text, [o.a, o.b], step)
        }),
    );
    limits(found, &mut run);
    run.groups
}

/// Adds the findings that tell where a run reached its limits.
fn limits(found: &Incidents, run: &mut RunGroups) {
    let crowded = found.crowded_pairs.iter();
    run.add(
        "crowded",
        "too many contacts",
        crowded.map(|c| {
            Incident::of(CrowdedFigures::of(c).text(), [c.a, c.b], c.first_step)
                .lasting(c.last_step, c.first_step)
        }),
    );
    let outruns = found.outruns.iter();
    run.add(
        "outrun",
        "faster than foreseen",
        outruns.map(|o| {
            Incident::of(OutrunFigures::of(o).text(), [o.body], o.first_step)
                .lasting(o.last_step, o.first_step)
        }),
    );
    let spins = found.cut_spins.iter();
    run.add(
        "cut-spin",
        "spin cut",
        spins.map(|c| {
            let text = CutSpinFigures::of(c).text();
            Incident::of(text, [c.body], c.first_step).lasting(c.last_step, c.fastest_step)
        }),
    );
    let loads = found.unfinished_loads.iter().map(|load| (load, LoadFigures::of(load)));
    run.add(
        "load",
        "loads not solved",
        loads.filter(|(_, l)| l.lasts()).map(|(load, l)| {
            let parts = [load.a, load.b].into_iter().flatten();
            Incident::of(l.text(), parts, l.first_step).lasting(l.last_step, l.first_step)
        }),
    );
}

/// Returns the pairs that intersect in the shown step and are not excluded from collision. If no
/// contact can move either body of a pair, the pair is listed with the reaches instead.
fn overlaps(stage: &Stage) -> impl Iterator<Item = &Overlap> {
    let reaches = &stage.incidents.reaches;
    stage.overlaps.iter().filter(move |o| {
        !reaches.iter().any(|r| [r.link, r.into] == [o.a, o.b] || [r.into, r.link] == [o.a, o.b])
    })
}

/// A fault that occurred in a run.
struct Incident {
    text: String,
    parts: Vec<u32>,
    first: u32,
    worst: u32,
}

impl Incident {
    fn of(text: String, parts: impl IntoIterator<Item = u32>, first: u32) -> Self {
        Self { text, parts: parts.into_iter().collect(), first, worst: first }
    }

    fn in_step(mut self) -> Self {
        self.text += &format!(" in step {}", self.first);
        self
    }

    fn lasting(mut self, last: u32, worst: u32) -> Self {
        self.text += &format!(", steps {} to {last}", self.first);
        Self { worst, ..self }
    }
}

/// The groups of a run's findings.
#[derive(Default)]
struct RunGroups {
    groups: Vec<FindingGroup>,
}

impl RunGroups {
    /// Adds all incidents of one kind.
    fn add(&mut self, kind: &'static str, title: &str, incidents: impl IntoIterator<Item = Incident>) {
        let finding = |Incident { text, parts, worst, .. }| Finding {
            kind,
            text,
            parts,
            points: None,
            step: Some(worst),
            grade: Grade::Fault,
        };
        let findings: Vec<Finding> = incidents.into_iter().map(finding).collect();
        if !findings.is_empty() {
            self.groups.push(FindingGroup { title: title.to_owned(), findings });
        }
    }
}

/// Returns the bodies of these overlaps in ascending order. The ground is left out, as it would color
/// most of the picture red.
pub fn intersecting(scene: &Scene, overlaps: &[Overlap]) -> Vec<u32> {
    let is_part = |body: &u32| !scene.bodies[*body as usize].is_ground;
    let mut bodies: Vec<u32> = overlaps.iter().flat_map(|o| [o.a, o.b]).filter(is_part).collect();
    bodies.sort_unstable();
    bodies.dedup();
    bodies
}
