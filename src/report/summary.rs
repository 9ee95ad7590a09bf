//! The figures of a run: the document that `tumble run --json` prints. Keys are stable: programs read them.
//! The first three of the timings are the t\[upd\], t\[test\], t\[query\] of \[cab\] §4.

use std::collections::BTreeMap;

use serde::Serialize;

use super::budget::BudgetFigures;
use super::costs::{Costs, StageTimings};
use super::dearest::DearPairFigures;
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
    /// s
    pub dt: f64,
    pub simulated_s: f64,
    /// Steps a second of the four stages; drawing and recording are not in it.
    pub steps_per_second: f64,
    pub bodies: usize,
    /// Links of skinned figures; they are among the bodies.
    pub links: u32,
    /// That collide: those of a shared mesh once for each body.
    pub triangles: u64,
    pub kinds: Kinds,
    pub threads: u32,
    /// Stages that had enough to do for more threads than one, each counted in every pass of every step;
    /// `None` of a recording.
    pub shared_stages: Option<u64>,
    /// What guidance came to, of hierarchies that were to follow the parts of their surfaces.
    pub guidance: Vec<GuidanceFigures>,
    /// Wall time a step, ms.
    pub timings_ms: StageTimings,
    /// As in [`StepCounts`](crate::world::StepCounts), over the steps.
    pub counts: Counted<Extent>,
    /// The pairs of bodies that test and query did most work for, the dearest first; `None` of a recording.
    pub dearest_pairs: Option<Vec<DearPairFigures>>,
    pub slow_steps: SlowStepFigures,
    /// Bodies that overlapped before the first step, the deepest first; `None` of a recording.
    pub overlaps_at_start: Option<Vec<OverlapFigures>>,
    /// `None` if contacts were found without one.
    pub budget: Option<BudgetFigures>,
    pub energy_j: Energy,
    /// The deepest contact that was found.
    pub penetration_mm: Penetration,
    /// The deepest pair at rest or at the end, measured apart from contacts; `None` of a recording.
    pub depth_mm: Option<Penetration>,
    /// Pairs of which it was not found out whether they are cut into each other; `None` of a recording.
    pub open_depths: Option<u64>,
    /// What got through, fell out or reached in; of a recording only the counts are known.
    #[serde(flatten)]
    pub watched: Option<WatchedFigures>,
    /// The pairs of bodies that touched, those with the greatest force first; `None` of a recording that
    /// keeps no contacts.
    pub touches: Option<Vec<TouchFigures>>,
    /// How often a pair began to touch that there was no room to keep.
    pub touches_left_out: u64,
    /// The joints, those with the greatest load first; `None` of a recording that keeps no joints.
    pub joints: Option<Vec<JointFigures>>,
    /// The drives that pushed with all that they may while their joint did not move, in the order in which
    /// they began to; `None` of a recording that keeps no joints.
    pub stalled_drives: Option<Vec<StallFigures>>,
    /// The bodies that came into triggers, in the order in which they did; `None` of a recording.
    pub trigger_visits: Option<Vec<VisitFigures>>,
    /// The expectations of the scene file, in its order; `None` of a recording.
    pub expectations: Option<Vec<ExpectationFigures>>,
    /// Bodies that turned non-finite and were disabled.
    pub quarantined: u32,
    pub sleeping: u32,
    /// How far exact skins went: how far each link's has been from the link's rigid surface, the worst first.
    pub skins: Vec<SkinDeviation>,
    /// Links that stay rigid although their figure's skin is to be exact.
    pub rigid_skins: u32,
    /// How large the recording of the run is; `null` without one.
    pub recording: Option<RecordingFigures>,
    /// What was repaired, assumed or ignored when the scene was read.
    pub notes: usize,
    /// 16 hexadecimal digits.
    pub state_hash: String,
    /// The paths of the bodies that are named above, as `tumble inspect --json` has them, by these names; not
    /// where the two are the same.
    pub paths: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kinds {
    pub tree: String,
    pub broad: &'static str,
    pub links: &'static str,
    pub skins: &'static str,
}

/// Over all steps; the mean also over the vertices.
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

/// The deepest overlap: of which bodies, and in which step (from 1); `None` if nothing overlapped.
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
    /// `threads` is how many worked; 0, one a core, where that is all that is known.
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
            dearest_pairs: outcome
                .dearest
                .as_ref()
                .map(|pairs| pairs.iter().map(|pair| DearPairFigures::of(scene, pair)).collect()),
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
