//! The figures of a run: the document that `tumble run --json` prints. Keys are stable, since programs
//! read them. The first three of the timings are the t\[upd\], t\[test\], t\[query\] of \[cab\] §4.

use std::collections::BTreeMap;

use serde::Serialize;

use super::budget::BudgetFigures;
use super::costliest::CostlyPairFigures;
use super::costs::{Costs, StageTimings};
use super::events::{StallFigures, VisitFigures};
use super::expectations::ExpectationFigures;
use super::guidance::GuidanceFigures;
use super::joints::JointFigures;
use super::outcome::{Deepest, Outcome, RecordingFigures};
use super::paths::named_paths;
use super::slow::SlowStepFigures;
use super::start::OverlapFigures;
use super::statistics::Extent;
use super::touches::TouchFigures;
use super::watched::WatchedFigures;
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
    /// Steps per second of the four stages, without drawing and recording.
    pub steps_per_second: f64,
    pub bodies: usize,
    /// Number of links of skinned skeletons; they are included in the bodies.
    pub links: u32,
    /// Number of colliding triangles; a shared mesh counts once per body.
    pub triangles: u64,
    pub kinds: Kinds,
    pub threads: u32,
    /// Number of stages that had enough work for several threads, over all passes of all steps; `None`
    /// for a recording.
    pub shared_stages: Option<u64>,
    /// Results of guidance, for hierarchies that were to follow the parts of their surfaces.
    pub guidance: Vec<GuidanceFigures>,
    /// Wall time per step, ms.
    pub timings_ms: StageTimings,
    /// Counts as in [`StepCounts`](crate::world::StepCounts), over the steps.
    pub counts: Counted<Extent>,
    /// Pairs of bodies with the most work in test and query, in descending order; `None` for a
    /// recording.
    #[serde(rename = "dearest_pairs")]
    pub costliest_pairs: Option<Vec<CostlyPairFigures>>,
    pub slow_steps: SlowStepFigures,
    /// Bodies that overlapped before the first step, the deepest first; `None` for a recording.
    pub overlaps_at_start: Option<Vec<OverlapFigures>>,
    /// Budget; `None` if contacts were found without one.
    pub budget: Option<BudgetFigures>,
    pub energy_j: Energy,
    /// Deepest contact.
    pub penetration_mm: Penetration,
    /// Deepest pair at rest or at the end, measured independently of contacts; `None` for a recording.
    pub depth_mm: Option<Penetration>,
    /// Number of pairs whose overlap could not be decided; `None` for a recording.
    pub open_depths: Option<u64>,
    /// Faults: passages, falls, reaches; for a recording only the counts are known.
    #[serde(flatten)]
    pub watched: Option<WatchedFigures>,
    /// Pairs of bodies that touched, those with the greatest force first; `None` for a recording
    /// without contacts.
    pub touches: Option<Vec<TouchFigures>>,
    /// Number of touches that were dropped for lack of room.
    pub touches_left_out: u64,
    /// Joints, those with the greatest load first; `None` for a recording without joints.
    pub joints: Option<Vec<JointFigures>>,
    /// Drives that pushed at their limit while their joint did not move, in the order of their first
    /// stall; `None` for a recording without joints.
    pub stalled_drives: Option<Vec<StallFigures>>,
    /// Bodies that entered triggers, in the order of entry; `None` for a recording.
    pub trigger_visits: Option<Vec<VisitFigures>>,
    /// Expectations of the scene file, in its order; `None` for a recording.
    pub expectations: Option<Vec<ExpectationFigures>>,
    /// Number of bodies whose state became non-finite and that were disabled.
    pub quarantined: u32,
    pub sleeping: u32,
    /// Deviations of exact skins: the distance of each link's skin from the link's rigid surface, the
    /// worst first.
    pub skins: Vec<SkinDeviation>,
    /// Number of links that stay rigid although their skeleton's skin should be exact.
    pub rigid_skins: u32,
    /// Size of the recording of the run; `null` without one.
    pub recording: Option<RecordingFigures>,
    /// Number of notes on repairs, assumptions and ignored data from reading the scene.
    pub notes: usize,
    /// State hash, 16 hexadecimal digits.
    pub state_hash: String,
    /// Paths of the bodies named above, as in `tumble inspect --json`, by these names; omitted if the
    /// two are equal.
    pub paths: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kinds {
    pub tree: String,
    pub broad: &'static str,
    pub links: &'static str,
    pub skins: &'static str,
}

/// Deviation of a skin over all steps; the mean is also over the vertices.
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

/// Deepest overlap with its bodies and its step (from 1); `None` if nothing overlapped.
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
    /// Creates a summary. `threads` is the number of threads used; 0, one per core, if it is unknown.
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
            budget: config.budget.map(|budget| BudgetFigures::of(budget, scene, costs, outcome)),
            energy_j: Energy { first: outcome.first_energy, last: outcome.last_energy },
            penetration_mm: Penetration::of(&outcome.deepest, scene),
            depth_mm: outcome.deepest_at_rest.as_ref().map(|deepest| Penetration::of(deepest, scene)),
            open_depths: outcome.open_depths,
            watched: outcome.watched.clone(),
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
            notes: scene.notes.len(),
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
