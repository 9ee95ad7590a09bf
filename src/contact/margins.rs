//! How far apart the bodies of a pair must be looked at, and how often.

use super::features::{EDGE_END, WEDGE};
use super::pair::PairContacts;
use super::ratios::{KNOWN_DEPTHS, MAX_PASSES};
use super::settings::{Ahead, BodyPair};
use crate::arrays::MapEach;
use crate::body::{BodyInfo, BodyState};
use crate::tree::{Facing, Near};

impl PairContacts {
    /// Upper bound of how far the two move against each other in the time ahead, m. Of two that fall together
    /// one may be stopped, unless one bears the other.
    pub fn travel(&self, [(a, info_a), (b, info_b)]: BodyPair, ahead: Ahead) -> f64 {
        let linear = (a.linear_velocity - b.linear_velocity).length();
        let turn = |s: &BodyState, i: &BodyInfo| s.angular_velocity.length() * i.radius;
        let bears = self.contacts.iter().any(|c| c.normal_impulse > 0.0);
        let [fall_a, fall_b] = [a, b].map_each(|state| ahead.fall(state));
        let fall = if bears { (fall_a - fall_b).length() } else { fall_a.length().max(fall_b.length()) };
        ahead.dt * (linear + fall + turn(a, info_a) + turn(b, info_b))
    }

    /// Passes that the time ahead needs so that the pair travels at most its share between two of them.
    pub fn pass_count(&self, bodies: BodyPair, ahead: Ahead) -> u32 {
        // What is no number asks for one.
        let passes = (self.travel(bodies, ahead) / self.settings.travel).ceil().clamp(1.0, MAX_PASSES);
        (passes as u32).max(1)
    }

    /// Distance below which contacts are foreseen in a pass, m: all the way that the bodies can come in it,
    /// so that nothing gets past another between two looks.
    pub fn speculative(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        self.settings.speculative + self.travel(bodies, ahead)
    }

    /// Depth (m) that a search looks for of what was found inside before.
    pub fn known_depth(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        KNOWN_DEPTHS * self.deepest + self.speculative(bodies, ahead)
    }

    /// The distance within which triangle pairs matter to a pass, m: what is foreseen, and
    /// the depth of what is already inside.
    pub fn search_margin(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        let is_first = self.found_at.is_none();
        let sought = if is_first {
            self.settings.search
        } else {
            self.known_depth(bodies, ahead).min(self.settings.most_sought)
        };
        self.speculative(bodies, ahead).max(sought)
    }

    /// What of the triangle pairs within the pair's margin matters to contacts that are foreseen below a
    /// distance (m): what the judgement of a feature pair bounds.
    pub fn near(&self, speculative: f64) -> Near {
        // Of bodies that look far, what is near is counted, whether it faces or not.
        let facing = (!self.looks_far()).then_some(Facing {
            ahead: speculative,
            insides: self.settings.vertex_depths,
            inside_edges: self.settings.depth,
            wedge: WEDGE,
            crack: self.settings.face_edge,
            of_length: EDGE_END,
        });
        Near { margin: self.margin, facing }
    }
}
