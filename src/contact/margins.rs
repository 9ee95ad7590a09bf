//! How far apart the bodies of a pair must be looked at, and how often.

use super::features::{EDGE_END, WEDGE};
use super::look::Room;
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

    /// Whether the candidates, found for an earlier pass, are all that matter to this one: they need only be
    /// judged.
    pub fn look_holds(&mut self, bodies: BodyPair, ahead: Ahead) -> bool {
        let (margin, speculative) = (self.margin, self.speculative(bodies, ahead));
        // Of bodies that look far, all that is near is counted.
        let is_far = self.looks_far();
        let look = self.look.as_mut().filter(|look| !is_far && look.holds(margin, speculative, bodies));
        look.map(|look| look.passes += 1).is_some()
    }

    /// Room for a look from here, by what the last one took; none for the first.
    pub fn room(&self, bodies: BodyPair) -> Room {
        self.look.map_or(Room::default(), |look| look.next_room(self.margin, bodies))
    }

    /// What of the triangle pairs within a margin (m) matters to contacts that are foreseen below a distance
    /// (m), once bodies have moved by no more than their room: what the judgement of a feature pair bounds.
    pub fn near(&self, margin: f64, speculative: f64, room: Room) -> Near {
        // Of bodies that look far, what is near is counted, whether it faces or not.
        let facing = (!self.looks_far()).then_some(Facing {
            ahead: speculative,
            insides: self.settings.vertex_depths,
            inside_edges: self.settings.depth,
            wedge: WEDGE,
            crack: self.settings.face_edge,
            of_length: EDGE_END,
            moved: room.motion,
            turned: room.turn,
        });
        Near { margin: margin + room.motion, facing }
    }
}
