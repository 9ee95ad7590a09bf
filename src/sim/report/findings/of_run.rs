//! Findings of a run: its faults so far, by kind.

use super::finding::{Finding, FindingList};
use crate::report::{
    CrowdedFigures, CutFigures, CutSpinFigures, FallFigures, GrowthFigures, HeldFigures, LoadFigures,
    OutrunFigures, PassageFigures, ReachFigures, SweptFigures,
};
use crate::scene::Scene;
use crate::world::Incidents;

/// Lists of findings of a run, in the order of their severity.
pub struct RunFindings<'a> {
    scene: &'a Scene,
    lists: Vec<FindingList>,
}

/// Fault that occurred in a run.
pub struct Incident {
    text: String,
    parts: Vec<u32>,
    first: u32,
    worst: u32,
    depth: Option<f64>,
}

impl Incident {
    /// Creates an incident of some bodies that began in step `first`.
    pub fn of(text: String, parts: impl IntoIterator<Item = u32>, first: u32) -> Self {
        Self { text, parts: parts.into_iter().collect(), first, worst: first, depth: None }
    }

    fn in_step(mut self) -> Self {
        self.text += &format!(" in step {}", self.first);
        self
    }

    fn lasting(mut self, last: u32, worst: u32) -> Self {
        self.text += &format!(", steps {} to {last}", self.first);
        Self { worst, ..self }
    }

    fn deep(self, depth: f64) -> Self {
        Self { depth: Some(depth), ..self }
    }
}

impl<'a> RunFindings<'a> {
    pub fn new(scene: &'a Scene) -> Self {
        Self { scene, lists: Vec::new() }
    }

    /// Adds a list of incidents of one kind, unless it is empty.
    pub fn add(&mut self, kind: &'static str, title: &str, incidents: impl IntoIterator<Item = Incident>) {
        let finding = |incident: Incident| {
            let Incident { text, parts, worst, depth, .. } = incident;
            Finding { excess_m: depth, ..Finding::of_run(kind, text, parts, self.scene, worst) }
        };
        let findings: Vec<Finding> = incidents.into_iter().map(finding).collect();
        if !findings.is_empty() {
            self.lists.push(FindingList { title: title.to_owned(), findings });
        }
    }

    /// Adds the bodies that were set aside because their state was not finite, with the step in which
    /// that is seen.
    pub fn add_set_aside(&mut self, bodies: impl IntoIterator<Item = u32>, step: u32) {
        let scene = self.scene;
        let name = |body: u32| scene.bodies[body as usize].name.as_str();
        let text = |body| format!("{} is set aside: its state was not finite", name(body));
        let incidents = bodies.into_iter().map(|body| Incident::of(text(body), [body], step));
        self.add("set-aside", "set aside", incidents);
    }

    /// Adds the incidents that the world watches for: passages, falls, overlaps at rest and reaches.
    pub fn add_incidents(&mut self, found: &Incidents) {
        let passages = found.passages.iter().map(|p| {
            let text = PassageFigures::of(p).text();
            Incident::of(text, [p.body, p.through], p.first_step).in_step()
        });
        self.add("passage", "went through", passages);
        let held = found
            .held_back
            .iter()
            .map(|h| Incident::of(HeldFigures::of(h).text(), [h.body, h.by], h.first_step).in_step());
        self.add("held-back", "held back", held);
        let falls =
            found.falls.iter().map(|f| Incident::of(FallFigures::of(f).text(), [f.body], f.step).in_step());
        self.add("fall", "fell out", falls);
        let cuts = found.cuts.iter().map(|c| {
            let text = CutFigures::of(c).text();
            Incident::of(text, [c.a, c.b], c.first_step).lasting(c.last_step, c.deepest_step).deep(c.depth)
        });
        self.add("cut", "rests in another", cuts);
        let reaches = found.reaches.iter().map(|r| {
            let incident = Incident::of(ReachFigures::of(r).text(), [r.link, r.into], r.first_step);
            incident.lasting(r.last_step, r.deepest_step).deep(r.depth)
        });
        self.add("reach", "reaches into another", reaches);
    }

    /// Adds the findings that tell where a run reached its limits.
    pub fn add_limits(&mut self, found: &Incidents) {
        let crowded = found.crowded_pairs.iter().map(|c| {
            let text = CrowdedFigures::of(c).text();
            Incident::of(text, [c.a, c.b], c.first_step).lasting(c.last_step, c.first_step)
        });
        self.add("crowded", "too many contacts", crowded);
        let outruns = found.outruns.iter().map(|o| {
            let text = OutrunFigures::of(o).text();
            Incident::of(text, [o.body], o.first_step).lasting(o.last_step, o.first_step)
        });
        self.add("outrun", "faster than foreseen", outruns);
        let spins = found.cut_spins.iter().map(|c| {
            let text = CutSpinFigures::of(c).text();
            Incident::of(text, [c.body], c.first_step).lasting(c.last_step, c.fastest_step)
        });
        self.add("cut-spin", "spin cut", spins);
        let loads = found.unfinished_loads.iter().map(|load| (load, LoadFigures::of(load)));
        let loads = loads.filter(|(_, l)| l.lasts()).map(|(load, l)| {
            let parts = [load.a, load.b].into_iter().flatten();
            Incident::of(l.text(), parts, l.first_step).lasting(l.last_step, l.first_step)
        });
        self.add("load", "loads not solved", loads);
        let swept = found.swept.iter().map(|s| {
            let text = SweptFigures::of(s).text();
            Incident::of(text, [s.a, s.b], s.first_step).lasting(s.last_step, s.first_step)
        });
        self.add("swept", "too many joints", swept);
        let growths = found.growths.iter().map(|g| {
            let text = GrowthFigures::of(g).text();
            Incident::of(text, [g.body], g.first_step).lasting(g.last_step, g.first_step)
        });
        self.add("energy", "energy from nothing", growths);
    }

    pub fn lists(self) -> Vec<FindingList> {
        self.lists
    }
}
