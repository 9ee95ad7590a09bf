//! Search margin of a pair, its number of passes, the skin of its candidate list, and the time for
//! which its contacts are recycled.

use glam::DVec3;

use super::candidate_list::Skin;
use super::features::{EDGE_END, WEDGE};
use super::motion::{MovingBall, greatest_motion, greatest_speed, turned};
use super::pair::{Overlap, PairContacts};
use super::ratios::{
    CARRIED_EDGES, CARRIED_TURN, KNOWN_DEPTHS, MAX_FINE_PASSES, MAX_PASSES, MAX_THIN_PASSES, SWEPT_FROM,
    THROUGH, UNFORESEEN,
};
use super::search::{Depth, Search};
use super::settings::{Ahead, BodyPair};
use crate::arrays::MapEach;
use crate::pose::Pose;
use crate::tree::{Facing, Near};

/// Largest skin around bodies that are apart, as a multiple of the margin.
const FARTHEST: f64 = 64.0;

impl PairContacts {
    /// Returns an upper bound of the relative motion of the two bodies in the time `ahead`, m. One of
    /// two falling bodies may be stopped. So only the faster fall counts, or, if a contact bears a
    /// load, the difference of the falls.
    #[inline]
    pub fn travel(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        let [(a, _), (b, _)] = bodies;
        let bears = self.contacts.iter().any(|c| c.normal_impulse > 0.0);
        let [fall_a, fall_b] = [a, b].map_each(|state| ahead.fall(state));
        let fall = if bears { (fall_a - fall_b).length() } else { fall_a.length().max(fall_b.length()) };
        ahead.dt * (greatest_speed(bodies.map_each(MovingBall::of), ahead.dt) + fall)
    }

    /// Returns the number of passes needed in the time `ahead`, which is `share` of a step. Between two
    /// passes the pair travels at most the distance that its thickness and its mesh fineness allow,
    /// unless the number of passes reaches its limit.
    #[inline]
    pub fn pass_count(&self, bodies: BodyPair, ahead: Ahead, share: f64) -> u32 {
        let travel = self.travel(bodies, ahead);
        // NaN gives one pass.
        let passes = |each: f64, most: f64| (travel / each).ceil().clamp(1.0, (most * share).ceil()) as u32;
        let thin = passes(self.settings.travel, MAX_PASSES);
        let through = passes(THROUGH * self.settings.travel, MAX_THIN_PASSES);
        thin.max(through).max(passes(self.settings.fine_travel, MAX_FINE_PASSES)).max(1)
    }

    /// Returns whether the bodies are too fast for the passes that a step may take, in `dt` seconds, which
    /// are `share` of a step. The speed that gravity adds in that time does not count, because contacts
    /// bear bodies at rest.
    #[inline]
    pub fn is_too_fast(&self, bodies: BodyPair, dt: f64, share: f64) -> bool {
        self.travel(bodies, Ahead { dt, gravity: DVec3::ZERO }) > SWEPT_FROM * self.settings.travel * share
    }

    /// Returns whether a loaded contact holds the two bodies together, as where one slides over the other:
    /// at the contact they neither approach nor part too fast for the passes of a step of `dt` seconds.
    #[inline]
    pub fn is_held(&self, bodies: BodyPair, dt: f64) -> bool {
        let [a, b] = bodies.map_each(|(state, _)| state);
        let most = SWEPT_FROM * self.settings.travel / dt;
        self.contacts.iter().filter(|contact| contact.normal_impulse > 0.0).any(|contact| {
            let at = a.pose.transform_point(contact.point_a);
            contact.normal.dot(b.velocity_at(at) - a.velocity_at(at)).abs() < most
        })
    }

    /// Returns the largest distance (m) of surfaces that can touch in one of `count` equal passes of
    /// the time `ahead`.
    #[inline]
    pub fn reach_in_pass(&self, bodies: BodyPair, ahead: Ahead, count: u32) -> f64 {
        self.settings.speculative + self.travel(bodies, ahead) / f64::from(count)
    }

    /// Returns the number of remaining passes that one search covers with speculative contacts. In
    /// these passes the pair travels no farther than between two tests (`settings.travel`), and no
    /// farther than an edge of the finer mesh: within a larger distance, too many triangles are near.
    #[inline]
    pub fn passes_ahead(&self, bodies: BodyPair, pass: Ahead, passes_left: u32) -> u32 {
        let edge = CARRIED_EDGES * bodies[0].1.edge.min(bodies[1].1.edge);
        let passes = (self.settings.travel.min(edge) / self.travel(bodies, pass)).floor();
        // NaN gives one pass.
        (passes.clamp(1.0, f64::from(passes_left.max(1))) as u32).max(1)
    }

    /// Returns whether the contacts of an earlier pass include every contact possible in the time
    /// `ahead`, so that they need only be recycled. The motion since they were found, plus the motion
    /// ahead, must be at most the travel between two tests and must not exceed the speculative
    /// distance. The bodies must have rotated by at most `CARRIED_TURN`, so that the same vertices and
    /// edges support contact.
    #[inline]
    pub fn foresees(&self, bodies: BodyPair, ahead: Ahead) -> bool {
        self.place.found.is_some_and(|(at, foreseen)| {
            let now = bodies[1].0.pose.relative_to(&bodies[0].0.pose);
            let travel = greatest_motion(&at, &now, bodies) + self.travel(bodies, ahead);
            travel <= self.settings.travel
                && travel + self.settings.speculative <= foreseen
                && turned(&at, &now) <= CARRIED_TURN
        })
    }

    /// Returns whether no point in the material of one body can have crossed the surface of the other
    /// since the last clearance measurement. `now`: pose of b in a's space.
    #[inline]
    pub fn is_clear(&self, now: &Pose, bodies: BodyPair) -> bool {
        self.clear.is_some_and(|(at, reach)| greatest_motion(&at, now, bodies) < reach)
    }

    /// Returns an upper bound of the relative motion of the two bodies between the poses `before` and
    /// `now` of b in a's space, m.
    #[inline]
    pub fn moved([before, now]: [&Pose; 2], bodies: BodyPair) -> f64 {
        greatest_motion(before, now, bodies)
    }

    /// Returns the distance that the two bodies may still travel relative to each other, m, before
    /// surfaces without a speculative contact may touch: the speculative distance less the motion since
    /// the search, or the distance between the bounding spheres if that is larger. The result allows in
    /// addition for an overlap that contacts can undo.
    #[inline]
    pub fn room_to_travel(&self, bodies: BodyPair) -> f64 {
        let now = bodies[1].0.pose.relative_to(&bodies[0].0.pose);
        let foreseen =
            self.place.found.map_or(0.0, |(at, foreseen)| foreseen - greatest_motion(&at, &now, bodies));
        let [a, b] = bodies.map_each(MovingBall::of);
        let apart = a.center.distance(b.center) - a.radius - b.radius;
        foreseen.max(apart) + UNFORESEEN * self.settings.travel
    }

    /// Returns the speculative distance for the time `ahead`, m: the whole travel of the bodies in that
    /// time, so that they do not pass through each other between two tests, plus a constant.
    #[inline]
    pub fn speculative(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        let travel = self.travel(bodies, ahead).max(self.settings.patience);
        // Contacts of a swept pair are found at its first touch, not foreseen.
        let most = if self.is_swept { self.settings.patience } else { f64::INFINITY };
        self.settings.speculative + travel.min(most)
    }

    /// Returns the depth (m) searched for overlap whose depth was found by the last search.
    #[inline]
    pub fn known_depth(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        KNOWN_DEPTHS * self.overlap.deepest + self.speculative(bodies, ahead)
    }

    /// Returns the distance within which triangle pairs can give contacts in a pass, m. It covers the
    /// speculative distance and, unless deep contacts are recycled, the depth searched for overlap.
    #[inline]
    pub fn search_margin(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        let sought = match self.search.depth {
            Depth::Sought => self.depth_sought(bodies, ahead),
            Depth::Recycled => 0.0,
        };
        self.speculative(bodies, ahead).max(sought)
    }

    /// Returns the distance behind concave edges within which vertices count as over their faces, m.
    #[inline]
    pub fn corner(&self) -> f64 {
        (KNOWN_DEPTHS * self.overlap()).min(self.settings.corner)
    }

    /// Returns the treatment of overlap in a pass that may omit the search for it. Contacts are
    /// recycled where the search is costly (on fine meshes) and the overlap is fully known; otherwise
    /// the overlap is searched.
    #[inline]
    pub fn depth_between(&self, bodies: BodyPair, ahead: Ahead) -> Depth {
        let is_dear = self.depth_sought(bodies, ahead) > self.settings.fine_travel;
        // The depths of contacts are complete unless part of the overlap is excused.
        let Overlap { is_unknown, unexplained_passes, .. } = self.overlap;
        let is_known = !is_unknown && self.excused_overlap() == 0.0 && unexplained_passes == 0;
        if is_dear && is_known { Depth::Recycled } else { Depth::Sought }
    }

    /// Returns the depth (m) searched for overlap.
    fn depth_sought(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        if self.overlap.is_unknown {
            return self.settings.search;
        }
        self.known_depth(bodies, ahead).min(self.settings.most_sought)
    }

    /// Returns whether the candidates of an earlier pass include all those of this pass, so that they
    /// need only be tested. If so, adds the pass to the list's passes.
    #[inline]
    pub fn list_covers(&mut self, bodies: BodyPair) -> bool {
        let Search { margin, foreseen, corner, .. } = self.search;
        // If the margin is wide, the effort counts all near triangle pairs. A skin would add some, so
        // such a pair is always searched again.
        let is_far = self.searches_far();
        let list = self
            .search
            .list
            .as_mut()
            .filter(|list| !is_far && list.covers([margin, foreseen, corner], bodies));
        list.map(|list| list.passes += 1).is_some()
    }

    /// Returns the skin of the next candidate list, from the cost of the last search. 0 for the first
    /// search, and if the last search found no candidates.
    #[inline]
    pub fn next_skin(&self, bodies: BodyPair) -> Skin {
        let last = self.search.list.filter(|list| list.candidates > 0);
        last.map_or(Skin::default(), |list| list.next_skin(self.search.margin, bodies))
    }

    /// Returns the skin of a search that probably finds nothing, because the last search found nothing
    /// or there was none. The skin covers the rest of the step if possible, and at least twice the last
    /// skin, but is at most `FARTHEST` margins. `rest`: the search margin (m) for the rest of the step.
    /// Returns `None` for other pairs and for pairs with a wide margin.
    #[inline]
    pub fn far_skin(&self, bodies: BodyPair, rest: f64) -> Option<Skin> {
        let last = self.search.list.map_or(0.0, |list| list.skin.motion);
        let motion = (rest - self.search.margin).max(2.0 * last).min(FARTHEST * self.search.margin);
        (self.search.list.is_none_or(|list| list.candidates == 0) && !self.searches_far())
            .then(|| Skin::new(motion, bodies))
    }

    /// Returns the filter for triangle pairs that can give a contact within `margin` (m) and with a
    /// separation of at most `speculative` (m), even after the bodies move by `skin`. Its bounds are
    /// those of the feature tests.
    #[inline]
    pub fn near(&self, margin: f64, speculative: f64, skin: Skin) -> Near {
        // If the margin is wide, the effort counts all near pairs, whether or not they face each other.
        let facing = (!self.searches_far()).then_some(Facing {
            ahead: speculative,
            insides: self.settings.vertex_depths,
            inside_edges: self.settings.depth,
            wedge: WEDGE,
            crack: self.settings.crack + self.search.corner,
            of_length: EDGE_END,
            moved: skin.motion,
            turned: skin.turn,
        });
        Near { margin: margin + skin.motion, facing }
    }
}
