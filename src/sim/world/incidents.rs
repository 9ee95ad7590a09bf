//! Incidents that a run must report. Each body or pair occurs once per kind.

use serde::{Deserialize, Serialize};

/// A body with a core (interior sample point) that crossed another body's surface. The body is now
/// inside the other one, or beyond it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Body indices.
    pub body: u32,
    pub through: u32,
    pub body_name: String,
    pub through_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which it crossed.
    pub step_count: u32,
}

/// A body that the tunneling guard put back because a core crossed another body's surface in a pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldBack {
    /// Body indices.
    pub body: u32,
    pub by: u32,
    pub body_name: String,
    pub by_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which it was put back.
    pub step_count: u32,
}

/// A body that fell out of the world: it is below all bodies of the initial scene by more than the
/// diagonal of the box around the dynamic ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fall {
    /// Body index.
    pub body: u32,
    pub name: String,
    /// First step at whose end the body was that far below.
    pub step: u32,
}

/// Two bodies that overlapped too deeply when they came to rest, or when the run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    /// Body indices, a < b.
    pub a: u32,
    pub b: u32,
    pub a_name: String,
    pub b_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which they rested and overlapped too deeply.
    pub step_count: u32,
    /// Greatest depth, m: the largest distance of a point of one body inside the other. For open
    /// surfaces, the distance by which intersecting triangles reach through each other.
    pub depth: f64,
    /// Step in which the greatest depth was found.
    pub deepest_step: u32,
    /// Thickness of the thinner body, m, along the way out if that is less.
    pub thickness: f64,
}

/// Two intersecting bodies of which neither is dynamic, so that no contact can separate them. One of
/// them is, for example, a link of a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reach {
    /// Body indices, the moving body first.
    pub link: u32,
    pub into: u32,
    pub link_name: String,
    pub into_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which the two intersected.
    pub step_count: u32,
    /// Deepest overlap found, m, of contacts or of triangles that reach through each other.
    pub depth: f64,
    /// Step in which the deepest overlap was found.
    pub deepest_step: u32,
    /// True if they overlapped deeper than contacts are searched; `depth` is then a lower bound.
    pub is_deeper: bool,
}

/// Two bodies that kept their old contacts, if any, because finding new ones would have taken too long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrowdedPair {
    /// Body indices, a < b.
    pub a: u32,
    pub b: u32,
    pub a_name: String,
    pub b_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which they kept their old contacts.
    pub step_count: u32,
    /// True if the pair alone exceeds the limit of a pair. If not, all pairs of those steps together
    /// exceeded the limit of a step.
    pub is_too_much: bool,
}

/// A body that became so fast in a pass that it moved farther than its free distance, when the step
/// could not be divided further. It may have passed through a surface that was not searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outrun {
    /// Body index.
    pub body: u32,
    pub name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which it moved too far.
    pub step_count: u32,
}

/// A body whose spin was cut because it was too fast to be integrated in a sub-step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CutSpin {
    /// Body index.
    pub body: u32,
    pub name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which its spin was cut.
    pub step_count: u32,
    /// Fastest spin before a cut, rad/s.
    pub spin: f64,
    /// Spin after that cut, rad/s.
    pub kept: f64,
    /// Step of that cut.
    pub fastest_step: u32,
}

/// A load that was not solved to convergence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnfinishedLoad {
    /// Two bodies by index; `None` for the world. Of a load: those of the row farthest from its
    /// solution. Of a mechanism: its first and last body.
    pub a: Option<u32>,
    pub b: Option<u32>,
    pub a_name: String,
    pub b_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which the load was not solved to convergence.
    pub step_count: u32,
}

/// Connected joints that were too many, or too interwoven, to be solved together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweptMechanism {
    /// Indices of its first body and of the one farthest from it.
    pub a: u32,
    pub b: u32,
    pub a_name: String,
    pub b_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which its joints were solved one by one.
    pub step_count: u32,
}

/// Bodies that touch or are joined, whose energy grew although no drive, spring, moving obstacle or impact
/// gave them any.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// Index of the body whose energy grew most when the growth was first found.
    pub body: u32,
    pub name: String,
    /// Number of connected bodies at that time.
    pub body_count: u32,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of times that the growth reached the limit anew.
    pub step_count: u32,
    /// Energy gained in all, J.
    pub gain: f64,
    /// Energy that the bodies had in motion when the growth was first found, J.
    pub motion: f64,
}

/// All incidents of a run, in the order in which they began. Each body or pair occurs once per kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Incidents {
    /// Bodies with a core that crossed another body's surface.
    pub passages: Vec<Passage>,
    /// Bodies that the tunneling guard put back.
    pub held_back: Vec<HeldBack>,
    /// Bodies that fell out of the world.
    pub falls: Vec<Fall>,
    /// Pairs that overlapped too deeply at rest or at the end.
    pub cuts: Vec<Cut>,
    /// Pairs of intersecting bodies that are not dynamic.
    pub reaches: Vec<Reach>,
    /// Pairs whose contacts would have taken too long to find.
    pub crowded_pairs: Vec<CrowdedPair>,
    /// Bodies that moved farther than their free distance.
    pub outruns: Vec<Outrun>,
    /// Bodies whose spin was cut.
    pub cut_spins: Vec<CutSpin>,
    /// Loads that were not solved to convergence, including those of a single impact.
    pub unfinished_loads: Vec<UnfinishedLoad>,
    /// Mechanisms whose joints were solved one by one.
    pub swept: Vec<SweptMechanism>,
    /// Groups of bodies whose energy grew.
    pub growths: Vec<Growth>,
}
