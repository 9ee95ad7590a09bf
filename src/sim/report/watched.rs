//! Faults of a run that contacts alone do not show, by name: passages, falls, reaches, omissions and
//! others.

use serde::Serialize;

use super::events::shown;
use crate::digits::short;
use crate::world::{
    CrowdedPair, Cut, CutSpin, Fall, Growth, HeldBack, Incidents, Outrun, Passage, Reach, SweptMechanism,
    UnfinishedLoad,
};

/// Faults of a run, one entry per pair or body, in the order in which they began.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WatchedFigures {
    pub passages: Vec<PassageFigures>,
    pub held_back: Vec<HeldFigures>,
    pub falls: Vec<FallFigures>,
    pub cuts: Vec<CutFigures>,
    pub reaches: Vec<ReachFigures>,
    pub crowded_pairs: Vec<CrowdedFigures>,
    pub outruns: Vec<OutrunFigures>,
    pub cut_spins: Vec<CutSpinFigures>,
    pub unfinished_loads: Vec<LoadFigures>,
    pub swept: Vec<SweptFigures>,
    pub growths: Vec<GrowthFigures>,
}

/// Body that ended inside another body, or beyond its surface.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PassageFigures {
    pub body: String,
    pub through: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which the body crossed the surface.
    pub steps: u32,
}

/// Body that the tunneling guard moved back to before a surface that it would have passed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeldFigures {
    pub body: String,
    pub by: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which the body was moved back.
    pub steps: u32,
}

/// Body that fell below everything in the initial scene by more than the length of the largest movable
/// body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FallFigures {
    pub body: String,
    pub step: u32,
}

/// Two bodies that overlapped at rest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CutFigures {
    pub a: String,
    pub b: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which the bodies rested in overlap.
    pub steps: u32,
    /// Greatest depth, measured independently of contacts.
    pub depth_mm: f64,
    /// Thickness of the thinner of the two bodies, along the way out if that is less.
    pub thickness_mm: f64,
}

/// Overlap of a link, or another body that contacts cannot move, with a body that does not yield
/// either.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReachFigures {
    pub link: String,
    pub into: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which the two bodies intersected.
    pub steps: u32,
    /// Deepest measured overlap, and its step.
    pub depth_mm: f64,
    pub deepest_step: u32,
    /// Whether the overlap exceeded the search range, so that `depth_mm` is only a lower bound.
    pub deeper: bool,
}

/// Two bodies that had no contacts, or only those of an earlier step, because finding contacts would
/// have taken too long.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrowdedFigures {
    pub a: String,
    pub b: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps without current contacts for the pair.
    pub steps: u32,
    /// Whether the pair alone has too many nearby triangles; if not, all pairs together have.
    pub too_many_places: bool,
}

/// Body that moved farther in a step than was predicted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OutrunFigures {
    pub body: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of such steps.
    pub steps: u32,
}

/// Body whose spin was too fast for the solver and was reduced.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CutSpinFigures {
    pub body: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which the spin was reduced.
    pub steps: u32,
    /// Fastest spin that was reduced, and the spin that remained in that step.
    pub spin_rad_s: f64,
    pub kept_rad_s: f64,
    pub fastest_step: u32,
}

/// Light body that bears a much heavier one (load), not solved to convergence; named by the two bodies
/// with the largest error.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LoadFigures {
    pub a: String,
    pub b: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which the load was not solved to convergence.
    pub steps: u32,
}

/// Connected joints that were too many to be solved together, named by two of their bodies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweptFigures {
    pub a: String,
    pub b: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which the joints were solved one by one.
    pub steps: u32,
}

/// Connected bodies whose energy grew although nothing gave them any; named by the body that gained most.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GrowthFigures {
    pub body: String,
    /// Number of connected bodies.
    pub bodies: u32,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of times that the energy grew by a twentieth.
    pub steps: u32,
    /// Energy gained in all, and energy that the bodies had in motion before.
    pub gained_j: f64,
    pub motion_j: f64,
}

/// Number of steps from which an unsolved load counts as lasting. An impact takes fewer steps.
const LASTING: u32 = 10;

impl WatchedFigures {
    pub fn of(incidents: &Incidents) -> Self {
        Self {
            passages: incidents.passages.iter().map(PassageFigures::of).collect(),
            held_back: incidents.held_back.iter().map(HeldFigures::of).collect(),
            falls: incidents.falls.iter().map(FallFigures::of).collect(),
            cuts: incidents.cuts.iter().map(CutFigures::of).collect(),
            reaches: incidents.reaches.iter().map(ReachFigures::of).collect(),
            crowded_pairs: incidents.crowded_pairs.iter().map(CrowdedFigures::of).collect(),
            outruns: incidents.outruns.iter().map(OutrunFigures::of).collect(),
            cut_spins: incidents.cut_spins.iter().map(CutSpinFigures::of).collect(),
            unfinished_loads: incidents.unfinished_loads.iter().map(LoadFigures::of).collect(),
            swept: incidents.swept.iter().map(SweptFigures::of).collect(),
            growths: incidents.growths.iter().map(GrowthFigures::of).collect(),
        }
    }

    /// Columns of [`Self::rows`].
    pub const HEADER: [&str; 4] = ["fault", "first step", "last step", "steps"];

    /// Returns rows for readers: the first `most` faults of each kind, and a row with the number of
    /// further ones. Unsolved loads are only included if they last.
    pub fn rows(&self, most: usize) -> Vec<[String; 4]> {
        let row = |text: String, steps: [u32; 3]| {
            let [first, last, count] = steps.map(|n| n.to_string());
            [text, first, last, count]
        };
        let passages = self.passages.iter().map(|p| row(p.text(), [p.first_step, p.last_step, p.steps]));
        let held = self.held_back.iter().map(|h| row(h.text(), [h.first_step, h.last_step, h.steps]));
        let falls = self.falls.iter().map(|f| [f.text(), f.step.to_string(), String::new(), String::new()]);
        let cuts = self.cuts.iter().map(|c| row(c.text(), [c.first_step, c.last_step, c.steps]));
        let reaches = self.reaches.iter().map(|r| row(r.text(), [r.first_step, r.last_step, r.steps]));
        let crowded = self.crowded_pairs.iter().map(|c| row(c.text(), [c.first_step, c.last_step, c.steps]));
        let outruns = self.outruns.iter().map(|o| row(o.text(), [o.first_step, o.last_step, o.steps]));
        let cut_spins = self.cut_spins.iter().map(|c| row(c.text(), [c.first_step, c.last_step, c.steps]));
        let loads = self
            .unfinished_loads
            .iter()
            .filter(|load| load.lasts())
            .map(|l| row(l.text(), [l.first_step, l.last_step, l.steps]));
        let swept = self.swept.iter().map(|s| row(s.text(), [s.first_step, s.last_step, s.steps]));
        let growths = self.growths.iter().map(|g| row(g.text(), [g.first_step, g.last_step, g.steps]));
        let mut rows = shown(passages.collect(), "bodies more got through surfaces", most);
        rows.extend(shown(held.collect(), "bodies more were held back", most));
        rows.extend(shown(falls.collect(), "bodies more fell out of the world", most));
        rows.extend(shown(cuts.collect(), "pairs more are cut into each other at rest", most));
        rows.extend(shown(reaches.collect(), "pairs more reach into each other", most));
        rows.extend(shown(
            crowded.collect(),
            "pairs more whose contacts would have taken too long to find",
            most,
        ));
        rows.extend(shown(outruns.collect(), "bodies more went farther than was foreseen", most));
        rows.extend(shown(cut_spins.collect(), "bodies more spun too fast to follow", most));
        rows.extend(shown(loads.collect(), "loads more were not solved to their end", most));
        rows.extend(shown(swept.collect(), "mechanisms more were too large to be solved at once", most));
        rows.extend(shown(growths.collect(), "groups more gained energy", most));
        rows
    }
}

impl PassageFigures {
    pub fn of(passage: &Passage) -> Self {
        Self {
            body: passage.body_name.clone(),
            through: passage.through_name.clone(),
            first_step: passage.first_step,
            last_step: passage.last_step,
            steps: passage.step_count,
        }
    }

    /// Describes the fault without its time.
    pub fn text(&self) -> String {
        format!("{} got through the surface of {}", self.body, self.through)
    }
}

impl HeldFigures {
    pub fn of(held: &HeldBack) -> Self {
        Self {
            body: held.body_name.clone(),
            by: held.by_name.clone(),
            first_step: held.first_step,
            last_step: held.last_step,
            steps: held.step_count,
        }
    }

    /// Describes the fault without its time.
    pub fn text(&self) -> String {
        format!("{} was held back from the surface of {}", self.body, self.by)
    }
}

impl FallFigures {
    pub fn of(fall: &Fall) -> Self {
        Self { body: fall.name.clone(), step: fall.step }
    }

    /// Describes the fault without its time.
    pub fn text(&self) -> String {
        format!("{} fell out of the world", self.body)
    }
}

impl CutFigures {
    pub fn of(cut: &Cut) -> Self {
        Self {
            a: cut.a_name.clone(),
            b: cut.b_name.clone(),
            first_step: cut.first_step,
            last_step: cut.last_step,
            steps: cut.step_count,
            depth_mm: cut.depth * 1e3,
            thickness_mm: cut.thickness * 1e3,
        }
    }

    /// Describes the fault without its time.
    pub fn text(&self) -> String {
        let [depth, thickness] = [self.depth_mm, self.thickness_mm].map(short);
        format!("{} – {} rest {depth} mm in each other, of {thickness} mm", self.a, self.b)
    }
}

impl ReachFigures {
    pub fn of(reach: &Reach) -> Self {
        Self {
            link: reach.link_name.clone(),
            into: reach.into_name.clone(),
            first_step: reach.first_step,
            last_step: reach.last_step,
            steps: reach.step_count,
            depth_mm: reach.depth * 1e3,
            deepest_step: reach.deepest_step,
            deeper: reach.is_deeper,
        }
    }

    /// Describes the fault without its time.
    pub fn text(&self) -> String {
        let more = if self.deeper { "more than " } else { "" };
        format!("{} reaches {more}{:.1} mm into {}", self.link, self.depth_mm, self.into)
    }
}

impl CrowdedFigures {
    pub fn of(pair: &CrowdedPair) -> Self {
        Self {
            a: pair.a_name.clone(),
            b: pair.b_name.clone(),
            first_step: pair.first_step,
            last_step: pair.last_step,
            steps: pair.step_count,
            too_many_places: pair.is_too_much,
        }
    }

    /// Describes the fault without its time.
    pub fn text(&self) -> String {
        let why = if self.too_many_places {
            "touch in too many places to find contacts"
        } else {
            "keep the contacts they had: the tests of other pairs reached the limit of a step"
        };
        format!("{} – {} {why}", self.a, self.b)
    }
}

impl OutrunFigures {
    pub fn of(outrun: &Outrun) -> Self {
        Self {
            body: outrun.name.clone(),
            first_step: outrun.first_step,
            last_step: outrun.last_step,
            steps: outrun.step_count,
        }
    }

    /// Describes the fault without its time.
    pub fn text(&self) -> String {
        format!("{} went farther than was foreseen", self.body)
    }
}

impl CutSpinFigures {
    pub fn of(cut: &CutSpin) -> Self {
        Self {
            body: cut.name.clone(),
            first_step: cut.first_step,
            last_step: cut.last_step,
            steps: cut.step_count,
            spin_rad_s: cut.spin,
            kept_rad_s: cut.kept,
            fastest_step: cut.fastest_step,
        }
    }

    /// Describes the fault without its time.
    pub fn text(&self) -> String {
        let [spin, kept] = [self.spin_rad_s, self.kept_rad_s].map(short);
        format!("{} spun too fast to follow: {spin} rad/s, cut to {kept}", self.body)
    }
}

impl LoadFigures {
    pub fn of(load: &UnfinishedLoad) -> Self {
        Self {
            a: load.a_name.clone(),
            b: load.b_name.clone(),
            first_step: load.first_step,
            last_step: load.last_step,
            steps: load.step_count,
        }
    }

    /// Returns whether the load was unsolved for longer than an impact takes.
    pub fn lasts(&self) -> bool {
        self.steps >= LASTING
    }

    /// Describes the fault without its time.
    pub fn text(&self) -> String {
        format!("{} – {} do not hold their load", self.a, self.b)
    }
}

impl SweptFigures {
    pub fn of(swept: &SweptMechanism) -> Self {
        Self {
            a: swept.a_name.clone(),
            b: swept.b_name.clone(),
            first_step: swept.first_step,
            last_step: swept.last_step,
            steps: swept.step_count,
        }
    }

    /// Describes the fault without its time.
    pub fn text(&self) -> String {
        format!("{} … {} have too many joints to be solved at once", self.a, self.b)
    }
}

impl GrowthFigures {
    pub fn of(growth: &Growth) -> Self {
        Self {
            body: growth.name.clone(),
            bodies: growth.body_count,
            first_step: growth.first_step,
            last_step: growth.last_step,
            steps: growth.step_count,
            gained_j: growth.gain,
            motion_j: growth.motion,
        }
    }

    /// Describes the fault without its time.
    pub fn text(&self) -> String {
        let others = match self.bodies {
            1 => String::new(),
            2 => " and a connected body".to_owned(),
            count => format!(" and {} connected bodies", count - 1),
        };
        format!("{}{others} gained {} J from nothing", self.body, short(self.gained_j))
    }
}
