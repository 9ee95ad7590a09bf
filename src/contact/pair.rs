//! State of two bodies near each other, kept from pass to pass.

use std::ops::AddAssign;

use glam::DQuat;

use super::point::{Contact, PairRule};
use super::push::Push;
use super::ratios::UNEXPLAINED_PASSES;
use super::search::Search;
use super::settings::PairSettings;
use crate::body::{BodyInfo, Combine, CombineModes, PartFilters};
use crate::pose::Pose;

/// Reason why a pair's contacts were recycled instead of found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Crowding {
    /// The step's limit of effort was reached before this pair.
    OfStep,
    /// The two bodies touch in so many places that their search was given up.
    OfPair,
}

/// Cost of one pair in the passes of a step. [`StepCounts`](crate::world::StepCounts) has it for all
/// pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairCost {
    pub node_tests: u64,
    pub candidates: u64,
    pub false_alarms: u64,
    /// Number of passes in which the candidates were searched again.
    pub searches: u64,
    /// Largest search margin, m.
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

/// Results of the last query of a pair, besides its contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Judged {
    /// Whether triangles of the two intersected in the last query: the report of a sensor.
    pub is_intersecting: bool,
    /// Cost of the last test of the candidates, in triangle pairs that touch: equal for every
    /// hierarchy. `None` before the first.
    pub effort: Option<u64>,
    /// Largest distance (m) by which intersecting triangles reach through each other, if it is
    /// measured. It stands for the depth of open surfaces, which have no inside. A lower bound if the
    /// search was given up.
    pub crossing_extent: Option<f64>,
    /// Reason why the pair was given up in a pass of this step, or of the last step between steps.
    pub crowding: Option<Crowding>,
}

/// Depth of the two bodies in each other, and its part that was modelled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlap {
    /// True if the bodies may overlap but were not searched yet. False for bodies that come near each
    /// other after the start, which do not overlap yet.
    pub is_unknown: bool,
    /// Accepted overlap, m: the overlap at the start, but never more than the present one.
    pub(super) accepted: f64,
    /// Deepest overlap of the last pass before subtraction of the accepted overlap, m.
    pub(super) deepest: f64,
    /// Pose of b in a's space at the start of the scene, until the pair is searched as a whole. That
    /// search takes the overlap as modelled.
    pub modelled_at: Option<Pose>,
    /// Number of passes in which triangles intersected while no contact had any depth.
    pub(super) unexplained_passes: u32,
}

/// Depth of two bodies at rest in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthAtRest {
    /// Greatest depth found, m.
    pub found: f64,
    /// Whether the search was too short to show that the depth is within the allowed one.
    pub is_open: bool,
}

/// Poses for which a pair's contacts are valid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    /// Pose of b in a's space when the contacts were found, and the distance (m) below which they were
    /// foreseen. `None` if the contacts must be found again.
    pub found: Option<(Pose, f64)>,
    /// Pose of b in a's space for which the contacts are valid, whether found or recycled.
    pub recycled_at: Option<Pose>,
    /// Rotation of a for which the contacts' normals and friction impulses are valid.
    pub turned_to: DQuat,
}

/// Contacts and search state of two bodies near each other; exists as long as their boxes overlap.
#[derive(Clone, Debug, Default)]
pub struct PairContacts {
    /// Body indices, `a < b`.
    pub a: u32,
    pub b: u32,
    pub rule: PairRule,
    /// Whether some of their parts collide and others do not.
    pub is_in_parts: bool,
    /// Friction coefficient combined for the pair.
    /// Coefficient of restitution combined for the pair.
    pub friction: f64,
    pub restitution: f64,
    /// Lever arm of the rolling resistance, m.
    pub rolling: f64,
    /// Lever arm of the spinning resistance, m.
    pub spinning: f64,
    pub settings: PairSettings,
    /// Cost of the last step.
    pub cost: PairCost,
    pub search: Search,
    pub judged: Judged,
    /// Impulses between the two bodies since the step began.
    pub push: Push,
    /// Contacts that *query* passes to *solve*. Their order is part of the state.
    pub contacts: Vec<Contact>,
    /// Contacts of the previous pass.
    pub(super) previous: Vec<Contact>,
    pub overlap: Overlap,
    /// Pose of b in a's space at the last measurement of clearance, and the clearance: the relative
    /// motion, m, up to which no point in the material of one body crosses the surface of the other.
    pub clear: Option<(Pose, f64)>,
    /// Depth of the two in each other since they came to rest, m, measured apart from contacts.
    pub depth_at_rest: Option<DepthAtRest>,
    pub(super) place: Place,
}

impl PairContacts {
    /// Resets this entry, new or reused, for two bodies.
    pub fn start(&mut self, a: u32, b: u32, rule: PairRule, [info_a, info_b]: [&BodyInfo; 2]) {
        (self.a, self.b, self.rule) = (a, b, rule);
        // Amontons' coefficient of a pair is seldom known: the geometric mean keeps a slippery partner
        // slippery. The bouncier partner decides the bounce. The bodies' own combine modes override
        // both.
        let [friction, restitution] = CombineModes::of_pair(info_a.combine, info_b.combine);
        self.friction = match friction {
            Some(mode) => mode.apply(info_a.friction, info_b.friction),
            None => (info_a.friction * info_b.friction).sqrt(),
        };
        let restitution = restitution.unwrap_or(Combine::Maximum);
        self.restitution = restitution.apply(info_a.restitution, info_b.restitution);
        // A soft partner deforms whatever material the other has.
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

    /// Returns whether triangles have intersected for a while without a contact that would part the
    /// bodies: they overlap deeper than local features can show.
    pub fn is_interpenetrating(&self) -> bool {
        self.overlap.unexplained_passes > UNEXPLAINED_PASSES
    }

    /// Returns the overlap beyond the accepted one, m; 0 for a permanent contact.
    pub fn penetration(&self) -> f64 {
        if self.rule == PairRule::Permanent { 0.0 } else { self.overlap() }
    }

    /// Returns the depth of the deepest contact, m.
    pub fn overlap(&self) -> f64 {
        self.contacts.iter().map(Contact::depth).fold(0.0, f64::max)
    }

    /// Returns the depth of the deepest feature of the last search, accepted overlap included, m.
    pub fn deepest(&self) -> f64 {
        self.overlap.deepest
    }

    /// Returns the overlap that is accepted as modelled, m: 0 if it was within the slop when the scene
    /// started.
    pub fn accepted_overlap(&self) -> f64 {
        self.overlap.accepted
    }
}
