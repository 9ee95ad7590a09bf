//! All that is known of two bodies near each other, kept from pass to pass.

use std::ops::AddAssign;

use glam::DQuat;

use super::point::{Contact, PairRule};
use super::push::Push;
use super::ratios::UNEXPLAINED_PASSES;
use super::search::Search;
use super::settings::PairSettings;
use crate::body::{BodyInfo, Combine, CombineModes, PartFilters};
use crate::pose::Pose;

/// Why a pair's contacts were held instead of found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Crowding {
    /// All pairs of the step took so much that it had no time left for this one.
    OfStep,
    /// The two touch in so many places that their search was given up.
    OfPair,
}

/// What the passes of a step did for one pair, as [`StepCounts`](crate::world::StepCounts) has it for all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairCost {
    pub node_tests: u64,
    pub candidates: u64,
    pub false_alarms: u64,
    /// Passes in which its candidates were found anew.
    pub searches: u64,
    /// The greatest distance within which they were looked for, m.
    pub margin: f64,
}

impl AddAssign for PairCost {
    fn add_assign(&mut self, other: Self) {
        self.node_tests += other.node_tests;
        self.candidates += other.candidates;
        self.false_alarms += other.false_alarms;
        self.searches += other.searches;
        self.margin = self.margin.max(other.margin);
    }
}

/// What the last judgement said of a pair, beside its contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Judged {
    /// Whether triangles of the two intersected when last asked: what a trigger reports.
    pub is_intersecting: bool,
    /// What judging them took when they were judged last, in triangle pairs that touch: the same for every
    /// hierarchy. `None` if they were not yet.
    pub effort: Option<u64>,
    /// How far (m) triangles that cross reach through each other at most, where that is asked: what is known
    /// of open surfaces, which have no inside to be deep in. A lower bound if the search was given up.
    pub crossing_extent: Option<f64>,
    /// Whether the pair was given up in a pass of this step, or the last one if it is over.
    pub crowding: Option<Crowding>,
}

/// How deep the two are in each other, and how much of that is as it was modelled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlap {
    /// Whether the two may overlap and were not searched yet. Two that come near while all is known do not.
    pub is_unknown: bool,
    /// Overlap that is accepted, m: what the bodies started with, never more than they still have.
    pub(super) accepted: f64,
    /// Deepest overlap of the last pass before the accepted overlap was taken off, m.
    pub(super) deepest: f64,
    /// b in a's space when the scene started, until the pair is searched as a whole: overlap is how it was
    /// modelled.
    pub modelled_at: Option<Pose>,
    /// Passes in which triangles intersected while no contact had any depth.
    pub(super) unexplained_passes: u32,
}

/// How deep two bodies at rest are in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthAtRest {
    /// The greatest depth that was found, m.
    pub found: f64,
    /// Whether the search was too short to say that it is not more than two bodies may have.
    pub is_open: bool,
}

/// Where the bodies were when their contacts were found, and where these hold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    /// b in a's space when the contacts were found, and below which distance (m) they were foreseen; `None`
    /// if they must be found anew.
    pub found: Option<(Pose, f64)>,
    /// b in a's space for which the contacts hold, found or carried along.
    pub recycled_at: Option<Pose>,
    /// The rotation of a for which the contacts' normals and friction impulses hold.
    pub turned_to: DQuat,
}

/// Everything known of two bodies near each other; lives as long as their boxes overlap.
#[derive(Clone, Debug, Default)]
pub struct PairContacts {
    /// Body indices, `a < b`.
    pub a: u32,
    pub b: u32,
    pub rule: PairRule,
    /// Whether some of their parts meet and others do not.
    pub is_in_parts: bool,
    /// Combined for the pair.
    pub friction: f64,
    pub restitution: f64,
    /// Arms of the resistance to rolling and to spinning, m.
    pub rolling: f64,
    pub spinning: f64,
    pub settings: PairSettings,
    /// What the last step did for it.
    pub cost: PairCost,
    pub search: Search,
    pub judged: Judged,
    /// How hard the two pushed each other since the step began.
    pub push: Push,
    /// What *query* left for *solve*; the order is part of the state.
    pub contacts: Vec<Contact>,
    /// The contacts of the pass before.
    pub(super) previous: Vec<Contact>,
    pub overlap: Overlap,
    /// b in a's space when it was last seen how far the two may move against each other, m, before a point in
    /// the material of one crosses the surface of the other.
    pub clear: Option<(Pose, f64)>,
    /// How deep the two are in each other since they came to rest, m, measured apart from contacts.
    pub depth_at_rest: Option<DepthAtRest>,
    pub(super) place: Place,
}

impl PairContacts {
    /// Makes this entry, new or used, a fresh one for two bodies.
    pub fn start(&mut self, a: u32, b: u32, rule: PairRule, [info_a, info_b]: [&BodyInfo; 2]) {
        (self.a, self.b, self.rule) = (a, b, rule);
        // Amontons' coefficient of a pair is seldom known: the geometric mean keeps a slippery partner
        // slippery. The bouncier partner decides the bounce. What the bodies say themselves stands before.
        let [friction, restitution] = CombineModes::of_pair(info_a.combine, info_b.combine);
        self.friction = match friction {
            Some(mode) => mode.apply(info_a.friction, info_b.friction),
            None => (info_a.friction * info_b.friction).sqrt(),
        };
        let restitution = restitution.unwrap_or(Combine::Maximum);
        self.restitution = restitution.apply(info_a.restitution, info_b.restitution);
        // A soft partner gives way whatever the other is made of.
        self.rolling = info_a.rolling.max(info_b.rolling);
        self.spinning = info_a.spinning.max(info_b.spinning);
        self.is_in_parts = PartFilters::differ(info_a.filters.as_deref(), info_b.filters.as_deref());
        self.settings = PairSettings::new(info_a, info_b);
        self.search.clear();
        self.contacts.clear();
        self.previous.clear();
        (self.cost, self.judged, self.push, self.place, self.clear) = Default::default();
        self.depth_at_rest = None;
        self.overlap = Overlap { is_unknown: true, ..Overlap::default() };
    }

    /// Whether triangles have intersected for a while without a contact that would part the bodies: they
    /// overlap deeper than local features can tell.
    pub fn is_interpenetrating(&self) -> bool {
        self.overlap.unexplained_passes > UNEXPLAINED_PASSES
    }

    /// Overlap beyond what is accepted, m; nothing for a permanent contact.
    pub fn penetration(&self) -> f64 {
        if self.rule == PairRule::Permanent { 0.0 } else { self.overlap() }
    }

    /// Depth of the deepest contact, m.
    pub fn overlap(&self) -> f64 {
        self.contacts.iter().map(Contact::depth).fold(0.0, f64::max)
    }

    /// Depth of the deepest feature the last search found, accepted overlap included, m.
    pub fn deepest(&self) -> f64 {
        self.overlap.deepest
    }

    /// Overlap that is taken as modelled, m: nothing if it is within the slop, or if there was none when the
    /// scene started.
    pub fn accepted_overlap(&self) -> f64 {
        self.overlap.accepted
    }
}
