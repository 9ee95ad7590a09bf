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
    /// The effort of the step had reached its limit before this pair was searched.
    OfStep,
    /// The two bodies touch at so many points that their search was given up.
    OfPair,
}

/// Cost of one pair in the passes of a step. `StepCounts` of `world/` holds the sums
/// over all pairs.
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
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.node_tests += other.node_tests;
        self.candidates += other.candidates;
        self.false_alarms += other.false_alarms;
        self.searches += other.searches;
        self.margin = self.margin.max(other.margin);
    }
}

/// Results of the last query of a pair, apart from its contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Judged {
    /// True if triangles of the two bodies intersected in the last query. A sensor reports this value.
    pub is_intersecting: bool,
    /// Cost of the last test of the candidates, in units of one touching triangle pair. The same for
    /// every kind of hierarchy. `None` before the first test.
    pub effort: Option<u64>,
    /// Largest distance (m) by which intersecting triangles reach through each other; `None` if it is
    /// not measured. It replaces the depth for open surfaces, which have no inside. A lower bound if
    /// the search was given up.
    pub crossing_extent: Option<f64>,
    /// Reason why the search was given up in a pass of this step; between two steps, of the last step.
    pub crowding: Option<Crowding>,
}

/// Overlap of the two bodies, and the part of it that was modeled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlap {
    /// True if the bodies may overlap but were not searched yet. False for bodies that approach each
    /// other after the start, which do not overlap yet.
    pub is_unknown: bool,
    /// Accepted overlap, m: the overlap at the start. It decreases with the present overlap and never
    /// grows again.
    pub(super) accepted: f64,
    /// Deepest overlap in the last pass, m, before subtraction of the accepted overlap.
    pub(super) deepest: f64,
    /// Pose of b in a's space at the start of the scene; `None` once the whole pair is searched. That
    /// search accepts its overlap as modeled.
    pub modelled_at: Option<Pose>,
    /// Number of successive passes in which triangles intersected although no contact was deep and no
    /// overlap was accepted.
    pub(super) unexplained_passes: u32,
}

/// Overlap of a pair that contacts do not push apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Excuse {
    /// Accepted overlap, m. Surfaces that overlap less touch without pushing.
    accepted: f64,
    /// Clearance of a fit, m. Surfaces that overlap less are apart.
    clearance: f64,
}

impl Excuse {
    /// Returns the separation of a contact (m) whose surfaces are `gap` (m) apart along its normal.
    #[inline]
    pub fn separation(self, gap: f64) -> f64 {
        let apart = gap + self.clearance;
        if apart < 0.0 { (apart + self.accepted).min(0.0) } else { apart }
    }
}

/// Depth of two bodies in each other, measured while they are at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthAtRest {
    /// Greatest depth found, m.
    pub found: f64,
    /// Thickness of the thinner body at that place, along the shortest way out, m; infinite if unknown.
    pub wall: f64,
    /// True if the search ended too early to show that the depth is within the allowed depth.
    pub is_open: bool,
}

/// Poses for which a pair's contacts are valid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    /// Pose of b in a's space when the contacts were found, and their speculative distance (m). `None`
    /// if the contacts must be found again.
    pub found: Option<(Pose, f64)>,
    /// Pose of b in a's space to which the contacts were last updated, whether found or recycled.
    pub recycled_at: Option<Pose>,
    /// Rotation of a to which the world-space vectors of the contacts (normals and impulses) were last
    /// rotated.
    pub turned_to: DQuat,
}

/// Contacts and search state of two bodies near each other. Exists as long as their boxes overlap.
#[derive(Clone, Debug, Default)]
pub struct PairContacts {
    /// Body indices, `a < b`.
    pub a: u32,
    pub b: u32,
    pub rule: PairRule,
    /// True if some pairs of the two bodies' parts collide and others do not.
    pub is_in_parts: bool,
    /// True if the bodies are so fast that their first touch in the pass is searched along their
    /// motions. Contacts are then found only for surfaces that are near.
    pub is_swept: bool,
    /// Friction coefficient of the pair, combined from both bodies.
    pub friction: f64,
    /// Coefficient of restitution of the pair, combined from both bodies.
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
    /// Pose of b in a's space at the last clearance measurement, and the clearance, m: the relative
    /// motion up to which no point in the material of one body crosses the surface of the other.
    pub clear: Option<(Pose, f64)>,
    /// Depth of the two bodies in each other since they came to rest, m, measured independently of the
    /// contacts.
    pub depth_at_rest: Option<DepthAtRest>,
    /// Number of steps for which both bodies have been at rest.
    pub rested: u32,
    pub(super) place: Place,
}

impl PairContacts {
    /// Resets this entry, new or reused, for the bodies `a` and `b`.
    pub fn start(&mut self, a: u32, b: u32, rule: PairRule, [info_a, info_b]: [&BodyInfo; 2]) {
        (self.a, self.b, self.rule) = (a, b, rule);
        // The friction coefficient of a pair is seldom known: the geometric mean keeps a slippery
        // partner slippery. For restitution the larger value counts. The bodies' own combine modes
        // override both rules.
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
        (self.depth_at_rest, self.rested, self.is_swept) = (None, 0, false);
        self.overlap = Overlap { is_unknown: true, ..Overlap::default() };
    }

    /// Returns whether triangles have intersected for more than `UNEXPLAINED_PASSES` passes without a
    /// contact that pushes the bodies apart. The bodies then overlap deeper than local features can
    /// show.
    #[inline]
    pub fn is_interpenetrating(&self) -> bool {
        self.overlap.unexplained_passes > UNEXPLAINED_PASSES
    }

    /// Returns the depth of the deepest contact beyond the accepted overlap, m; 0 for a permanent
    /// contact.
    #[inline]
    pub fn penetration(&self) -> f64 {
        if self.rule == PairRule::Permanent { 0.0 } else { self.overlap() }
    }

    /// Returns the overlap that contacts do not push apart, m: the accepted overlap, and the clearance of
    /// a fit.
    #[inline]
    pub fn excused_overlap(&self) -> f64 {
        self.overlap.accepted + self.rule.clearance()
    }

    /// Returns the two parts of the excused overlap.
    #[inline]
    pub(super) fn excuse(&self) -> Excuse {
        Excuse { accepted: self.overlap.accepted, clearance: self.rule.clearance() }
    }

    /// Returns the depth of the deepest contact beyond the accepted overlap, m.
    #[inline]
    pub fn overlap(&self) -> f64 {
        self.contacts.iter().map(Contact::depth).fold(0.0, f64::max)
    }

    /// Returns the depth of the deepest feature of the last search, m, accepted overlap included.
    #[inline]
    pub fn deepest(&self) -> f64 {
        self.overlap.deepest
    }

    /// Returns the overlap accepted as modeled, m; 0 if the overlap was within the slop when the scene
    /// started.
    #[inline]
    pub fn accepted_overlap(&self) -> f64 {
        self.overlap.accepted
    }
}
