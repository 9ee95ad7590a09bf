//! Figures of a run: the document that `tumble run --json` prints. Keys are stable, because programs
//! read them. The first three timings are t\[upd\], t\[test\] and t\[query\] of \[cab\] §4.

use std::collections::BTreeMap;

use serde::Serialize;

use super::budget::BudgetFigures;
use super::costliest::CostlyPairFigures;
use super::costs::{Costs, StageTimings};
use super::events::{StallFigures, VisitFigures};
use super::expectations::ExpectationFigures;
use super::findings::Finding;
use super::fits::FitFigures;
use super::guidance::GuidanceFigures;
use super::joints::JointFigures;
use super::outcome::{Deepest, Outcome, RecordingFigures};
use super::paths::named_paths;
use super::slow::SlowStepFigures;
use super::start::OverlapFigures;
use super::statistics::Extent;
use super::touches::TouchFigures;
use super::watched::WatchedFigures;
use crate::import::Note;
use crate::order::Order;
use crate::scene::Scene;
use crate::world::{Counted, SkinReport};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    pub scene: String,
    pub steps: usize,
    /// Length of a step, s.
    pub dt: f64,
    pub simulated_s: f64,
    /// Steps per second of time in the four stages, without drawing and recording.
    pub steps_per_second: f64,
    pub bodies: usize,
    /// Number of links of skinned skeletons. They are included in `bodies`.
    pub links: u32,
    /// Number of triangles that can collide. A mesh that several bodies share counts once per body.
    pub triangles: u64,
    pub kinds: Kinds,
    pub threads: u32,
    /// Number of stages, over all passes of all steps, that had enough work for several threads; `None`
    /// for a recording.
    pub shared_stages: Option<u64>,
    /// Results of guidance for hierarchies that should follow the parts of their surfaces.
    pub guidance: Vec<GuidanceFigures>,
    /// Distribution of the wall time per step, by stage, ms.
    pub timings_ms: StageTimings,
    /// Mean and maximum per step of each count in [`StepCounts`](crate::world::StepCounts).
    pub counts: Counted<Extent>,
    /// Pairs of bodies that caused most work in *test* and *query*, in descending order; `None` for a
    /// recording.
    #[serde(rename = "dearest_pairs")]
    pub costliest_pairs: Option<Vec<CostlyPairFigures>>,
    pub slow_steps: SlowStepFigures,
    /// Bodies that overlapped before the first step, the deepest first; `None` for a recording.
    pub overlaps_at_start: Option<Vec<OverlapFigures>>,
    /// Pairs that collide with a clearance.
    pub fits: Vec<FitFigures>,
    /// Effect of the budget; `None` if the run had no budget.
    pub budget: Option<BudgetFigures>,
    pub energy_j: Energy,
    /// Deepest overlap by contacts.
    pub penetration_mm: Penetration,
    /// Deepest overlap of a pair at rest or at the end, measured independently of contacts; `None` for
    /// a recording.
    pub depth_mm: Option<Penetration>,
    /// Number of pairs whose overlap could not be measured to the end; `None` for a recording.
    pub open_depths: Option<u64>,
    /// Faults: passages, falls, reaches and others. A recording only has the counts above.
    #[serde(flatten)]
    pub watched: Option<WatchedFigures>,
    /// All of these faults in one list and one form, which the window lists too; `None` for a recording.
    pub findings: Option<Vec<Finding>>,
    /// Pairs of bodies that touched, those with the greatest force first; `None` for a recording
    /// without contacts.
    pub touches: Option<Vec<TouchFigures>>,
    /// Number of touches that were dropped for lack of room.
    pub touches_left_out: u64,
    /// Joints, those with the greatest force first; `None` for a recording without joints.
    pub joints: Option<Vec<JointFigures>>,
    /// Drives that pushed with their largest effort while their joints did not move, in the order of
    /// their first stalls; `None` for a recording without joints.
    pub stalled_drives: Option<Vec<StallFigures>>,
    /// Bodies that entered triggers, in the order of entry; `None` for a recording.
    pub trigger_visits: Option<Vec<VisitFigures>>,
    /// Verdicts on the expectations of the scene file, in its order; `None` for a recording.
    pub expectations: Option<Vec<ExpectationFigures>>,
    /// Number of bodies that were disabled because their state became non-finite (quarantined).
    pub quarantined: u32,
    pub sleeping: u32,
    /// Distance of each exact skin from the rigid surface of its link, the largest first.
    pub skins: Vec<SkinDeviation>,
    /// Number of links that stay rigid although the skin of their skeleton should be exact.
    pub rigid_skins: u32,
    /// Size of the recording of the run; `null` without a recording.
    pub recording: Option<RecordingFigures>,
    /// Largest resident memory of the process, bytes; `None` if the system does not report it, and for a
    /// recording.
    pub peak_memory_bytes: Option<u64>,
    /// Number of notes on data that was repaired, assumed or ignored when the scene was read.
    pub notes: usize,
    /// Notes on data that was left out, repaired, assumed or ignored when the scene was read.
    pub import_notes: Vec<Note>,
    /// Number of diagonals of flat faces that were exchanged for shorter ones, because the faces had thin
    /// triangles; `None` for a recording.
    pub exchanged_diagonals: Option<u64>,
    /// State hash, 16 hexadecimal digits.
    pub state_hash: String,
    /// Map from each body name in this document to its path, as in `tumble inspect --json`. Bodies
    /// whose name is their path are omitted.
    pub paths: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kinds {
    pub tree: String,
    pub broad: &'static str,
    pub links: &'static str,
    pub skins: &'static str,
}

/// Distance of a skin from its rigid link. The mean is over all steps and vertices.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkinDeviation {
    pub link: String,
    pub mean_mm: f64,
    pub worst_mm: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Energy {
    pub first: f64,
    pub last: f64,
}

/// Deepest overlap with its bodies and its step (from 1). Bodies and step are `None` if nothing
/// overlapped.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Penetration {
    pub max: f64,
    pub a: Option<String>,
    pub b: Option<String>,
    pub step: Option<u32>,
}

impl Penetration {
    fn of(deepest: &Deepest, scene: &Scene) -> Self {
        let name = |at: usize| deepest.pair.map(|pair| scene.bodies[pair[at] as usize].name.clone());
        Self { max: deepest.depth * 1e3, a: name(0), b: name(1), step: deepest.pair.map(|_| deepest.step) }
    }
}

impl Summary {
    /// Creates a summary. `threads` is the number of threads used; if unknown, the setting 0 (one
    /// thread per core).
    pub fn new(scene: &Scene, threads: u32, costs: &Costs, outcome: &Outcome) -> Self {
        let config = &scene.config;
        let triangles_of = |mesh: u32| scene.meshes[mesh as usize].triangles().len() as u64;
        let mut summary = Self {
            scene: scene.name.clone(),
            steps: costs.step_count(),
            dt: config.dt,
            simulated_s: config.dt * costs.step_count() as f64,
            steps_per_second: costs.steps_per_second(),
            bodies: scene.bodies.len(),
            links: scene.skeletons.iter().map(|s| s.link_count).sum(),
            triangles: scene.bodies.iter().filter_map(|b| b.mesh).map(triangles_of).sum(),
            kinds: Kinds {
                tree: config.tree.name(),
                broad: config.broad.name(),
                links: config.links.name(),
                skins: config.skins.name(),
            },
            threads,
            shared_stages: outcome.shared_stages,
            guidance: outcome.guidance.clone(),
            timings_ms: costs.timings(),
            counts: Counted::each(|count| costs.extent(count)),
            costliest_pairs: outcome
                .costliest
                .as_ref()
                .map(|pairs| pairs.iter().map(|pair| CostlyPairFigures::of(scene, pair)).collect()),
            slow_steps: SlowStepFigures::of(scene, costs, outcome.slowest.as_ref()),
            overlaps_at_start: outcome
                .overlaps_at_start
                .as_ref()
                .map(|overlaps| OverlapFigures::of(scene, overlaps)),
            fits: FitFigures::of(scene),
            budget: config.budget.map(|budget| BudgetFigures::of(budget, scene, costs, outcome)),
            energy_j: Energy { first: outcome.first_energy, last: outcome.last_energy },
            penetration_mm: Penetration::of(&outcome.deepest, scene),
            depth_mm: outcome.deepest_at_rest.as_ref().map(|deepest| Penetration::of(deepest, scene)),
            open_depths: outcome.open_depths,
            watched: outcome.watched.clone(),
            findings: outcome.findings.clone(),
            touches: outcome.touches.as_ref().map(|touches| TouchFigures::of_all(scene, touches)),
            touches_left_out: outcome.touches_left_out,
            joints: outcome.joints.as_ref().map(|joints| JointFigures::of_all(scene, joints)),
            stalled_drives: outcome.joints.as_ref().map(|joints| StallFigures::of_all(scene, joints)),
            trigger_visits: outcome
                .visits
                .as_ref()
                .map(|visits| visits.iter().map(VisitFigures::of).collect()),
            expectations: outcome.expectations.clone(),
            quarantined: outcome.quarantined_count,
            sleeping: outcome.sleeping_count,
            skins: skins(scene, &outcome.skins),
            rigid_skins: outcome.rigid_skin_count,
            recording: outcome.recording,
            peak_memory_bytes: outcome.peak_memory_bytes,
            notes: scene.notes.len(),
            import_notes: scene.notes.clone(),
            exchanged_diagonals: outcome.exchanged_diagonals,
            state_hash: format!("{:016x}", outcome.state_hash),
            paths: BTreeMap::new(),
        };
        summary.paths = named_paths(&summary, scene);
        summary
    }
}

fn skins(scene: &Scene, reports: &[SkinReport]) -> Vec<SkinDeviation> {
    let deviation = |report: &SkinReport| SkinDeviation {
        link: scene.bodies[report.body as usize].name.clone(),
        mean_mm: report.deviation.mean * 1e3,
        worst_mm: report.deviation.worst * 1e3,
    };
    let mut skins: Vec<SkinDeviation> = reports.iter().map(deviation).collect();
    skins.order_by(|x, y| y.worst_mm.total_cmp(&x.worst_mm));
    skins
}
