//! The findings of the shown scene: the faults of the run so far, and the warnings of its files. The
//! findings of a run include those after the shown step. Checks have their own (`checking.rs`).

use super::stage::Stage;
use crate::record::{Overlap, Rest};
use crate::report::findings::{FindingList, Incident, RunFindings, of_files};
use crate::scene::Scene;

/// Returns the findings of a stage in lists: the findings of its run, then the warnings of its files.
/// The findings of a check are not included.
pub fn of_stage(stage: &Stage) -> Vec<FindingList> {
    let mut lists = of_run(stage);
    lists.extend(of_files(&stage.show.scene));
    lists
}

/// Returns the faults of the run, by kind.
fn of_run(stage: &Stage) -> Vec<FindingList> {
    let step = stage.frame.step;
    let scene = &stage.show.scene;
    let mut run = RunFindings::new(scene);
    if let Some(text) = stage.source.problem() {
        run.add("run", "the run", [Incident::of(text, [], step)]);
    }
    let set_aside = (0u32..).zip(&stage.frame.rests).filter(|(_, rest)| **rest == Rest::Quarantined);
    run.add_set_aside(set_aside.map(|(body, _)| body), step);
    run.add_incidents(&stage.incidents);
    let name = |body: u32| scene.bodies[body as usize].name.as_str();
    let overlaps = overlaps(stage).map(|o| {
        let text = format!("{} – {} intersect and are not kept apart", name(o.a), name(o.b));
        Incident::of(text, [o.a, o.b], step)
    });
    run.add("overlap", "intersect and are not kept apart", overlaps);
    run.add_limits(&stage.incidents);
    run.lists()
}

/// Returns the pairs that intersect in the shown step and are not excluded from collision. If no
/// contact can move either body of a pair, the pair is listed with the reaches instead.
fn overlaps(stage: &Stage) -> impl Iterator<Item = &Overlap> {
    let reaches = &stage.incidents.reaches;
    stage.overlaps.iter().filter(move |o| {
        !reaches.iter().any(|r| [r.link, r.into] == [o.a, o.b] || [r.into, r.link] == [o.a, o.b])
    })
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
