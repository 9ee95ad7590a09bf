//! What a run must not keep to itself, each body or pair once.

use serde::{Deserialize, Serialize};

/// A body whose core crossed another's surface: it is inside it, or beyond.
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

/// A body that the guard put back, as a core of it crossed another's surface in a pass.
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

/// A body that fell out of the world: farther below everything the scene began with than what moves is long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fall {
    /// Body index.
    pub body: u32,
    pub name: String,
    /// After which it was below.
    pub step: u32,
}

/// Two bodies that lay in each other when they came to rest, or when the run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    /// Body indices, a < b.
    pub a: u32,
    pub b: u32,
    pub a_name: String,
    pub b_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Steps in which they rested so.
    pub step_count: u32,
    /// The greatest depth, m: how far a point of one lies inside the other at most; of open surfaces how far
    /// triangles that cross reach through each other.
    pub depth: f64,
    /// The step it was found in.
    pub deepest_step: u32,
    /// The thickness of the thinner body, m.
    pub thickness: f64,
}

/// A link of a figure, or another body that nothing deflects, that intersected what does not yield either.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reach {
    /// Body indices, of the one that moves first.
    pub link: u32,
    pub into: u32,
    pub link_name: String,
    pub into_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Steps in which the two intersected.
    pub step_count: u32,
    /// Deepest overlap found, of contacts or of triangles that reach through each other, m, and the step it
    /// was found in.
    pub depth: f64,
    pub deepest_step: u32,
    /// Whether they were deeper in each other than contacts are looked for: `depth` is a lower bound.
    pub is_deeper: bool,
}

/// Two bodies whose contacts were those of before, or none, as finding them would have taken too long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrowdedPair {
    /// Body indices, a < b.
    pub a: u32,
    pub b: u32,
    pub a_name: String,
    pub b_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Steps in which they were.
    pub step_count: u32,
    /// Whether the two by themselves touch in so many places; if not, all pairs together did in those steps.
    pub is_too_much: bool,
}

/// A body that a pass made so fast that it went farther than was foreseen, when the step could not be divided
/// any more: nothing kept it from passing a surface that it had not been near.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outrun {
    /// Body index.
    pub body: u32,
    pub name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Steps in which it did.
    pub step_count: u32,
}

/// A body that spun faster than a sub-step can follow, so that its spin was cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CutSpin {
    /// Body index.
    pub body: u32,
    pub name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Steps in which it was.
    pub step_count: u32,
    /// The fastest spin that was cut and what was left of it, rad/s, and the step in which that was.
    pub spin: f64,
    pub kept: f64,
    pub fastest_step: u32,
}

/// A load that was not solved to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnfinishedLoad {
    /// The two bodies at the contact or joint that was farthest from its end, by index; `None` for the world.
    pub a: Option<u32>,
    pub b: Option<u32>,
    pub a_name: String,
    pub b_name: String,
    pub first_step: u32,
    pub last_step: u32,
    /// Steps in which it was not.
    pub step_count: u32,
}

/// What should not happen and did, each body or pair once, in the order in which it began.
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
    /// What reached into what does not yield.
    pub reaches: Vec<Reach>,
    /// Pairs whose contacts would have taken too long to find.
    pub crowded_pairs: Vec<CrowdedPair>,
    /// Bodies that went farther than was foreseen.
    pub outruns: Vec<Outrun>,
    /// Bodies whose spin was cut.
    pub cut_spins: Vec<CutSpin>,
    /// Loads that were not solved to their end, also those of a single impact.
    pub unfinished_loads: Vec<UnfinishedLoad>,
}
