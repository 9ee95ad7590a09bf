//! The incidents that a run must report, each body or pair once.

use serde::{Deserialize, Serialize};

/// A body of which a core crossed another's surface: it is inside the other body, or beyond it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Body indices.
    pub body: u32,
    pub through: u32,
    pub body_name: String,
    pub through_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Steps in which it crossed.
    pub step_count: u32,
}

/// A body that the guard put back because one of its cores crossed another's surface in a pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldBack {
    /// Body indices.
    pub body: u32,
    pub by: u32,
    pub body_name: String,
    pub by_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Steps in which it was put back.
    pub step_count: u32,
}

/// A body that fell out of the world: below all bodies of the initial scene, by more than the diagonal
/// of the box around the dynamic ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fall {
    /// Body index.
    pub body: u32,
    pub name: String,
    /// Step at whose end it was below.
    pub step: u32,
}

/// Two bodies that overlapped too deep when they came to rest, or when the run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    /// Body indices, a < b.
    pub a: u32,
    pub b: u32,
    pub a_name: String,
    pub b_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Steps in which they rested and overlapped too deep.
    pub step_count: u32,
    /// Greatest depth, m: the largest distance of a point of one inside the other; for open surfaces
    /// the distance by which crossing triangles reach through each other.
    pub depth: f64,
    /// Step in which the greatest depth was found.
    pub deepest_step: u32,
    /// Thickness of the thinner body, m.
    pub thickness: f64,
}

/// Two intersecting bodies of which no contact can move either: a link of a figure, or another body
/// that is not dynamic, in a body that is not dynamic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reach {
    /// Body indices, the moving body first.
    pub link: u32,
    pub into: u32,
    pub link_name: String,
    pub into_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Steps in which the two intersected.
    pub step_count: u32,
    /// Deepest overlap found, m, of contacts or of triangles that reach through each other, and the
    /// step in which it was found.
    pub depth: f64,
    pub deepest_step: u32,
    /// Whether they overlapped deeper than contacts are searched for: `depth` is then a lower bound.
    pub is_deeper: bool,
}

/// Two bodies whose old contacts were kept, if they had any, because finding new ones would have taken
/// too long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrowdedPair {
    /// Body indices, a < b.
    pub a: u32,
    pub b: u32,
    pub a_name: String,
    pub b_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Steps in which their old contacts were kept.
    pub step_count: u32,
    /// Whether the pair alone exceeds the limit of a pair; if not, the pairs of those steps together
    /// exceeded the limit of a step.
    pub is_too_much: bool,
}

/// A body that became so fast in a pass that it moved farther than was foreseen, when the step could
/// not be divided any more. It may have passed a surface that was not near it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outrun {
    /// Body index.
    pub body: u32,
    pub name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Steps in which it moved too far.
    pub step_count: u32,
}

/// A body whose spin was cut because it was faster than a sub-step can follow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CutSpin {
    /// Body index.
    pub body: u32,
    pub name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Steps in which its spin was cut.
    pub step_count: u32,
    /// Fastest spin that was cut and the spin that was left, rad/s, and the step in which that
    /// happened.
    pub spin: f64,
    pub kept: f64,
    pub fastest_step: u32,
}

/// A load that was not solved to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnfinishedLoad {
    /// The two bodies at the contact or joint that was farthest from its solution, by index; `None` for
    /// the world.
    pub a: Option<u32>,
    pub b: Option<u32>,
    pub a_name: String,
    pub b_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Steps in which the load was not solved to its end.
    pub step_count: u32,
}

/// All incidents of a run, each body or pair once, in the order in which they began.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Incidents {
    /// Bodies whose core crossed another's surface.
    pub passages: Vec<Passage>,
    /// Bodies that the guard put back.
    pub held_back: Vec<HeldBack>,
    /// Bodies that fell out of the world.
    pub falls: Vec<Fall>,
    /// Pairs that lay in each other at rest.
    pub cuts: Vec<Cut>,
    /// Pairs of intersecting bodies that no contact can move.
    pub reaches: Vec<Reach>,
    /// Pairs whose contacts would have taken too long to find.
    pub crowded_pairs: Vec<CrowdedPair>,
    /// Bodies that moved farther than was foreseen.
    pub outruns: Vec<Outrun>,
    /// Bodies whose spin was cut.
    pub cut_spins: Vec<CutSpin>,
    /// Loads that were not solved to their end, including those of a single impact.
    pub unfinished_loads: Vec<UnfinishedLoad>,
}
