//! Search margin of a pair, number of its passes, skin of its candidate list, and how long its contacts
//! are recycled.

use super::candidate_list::Skin;
use super::features::{EDGE_END, WEDGE};
use super::motion::{Course, greatest_motion, greatest_speed, turned};
use super::pair::{Overlap, PairContacts};
use super::ratios::{
    CARRIED_EDGES, CARRIED_TURN, KNOWN_DEPTHS, MAX_FINE_PASSES, MAX_PASSES, MAX_THIN_PASSES, THROUGH,
    UNFORESEEN,
};
use super::search::Depth;
use super::settings::{Ahead, BodyPair};
use crate::arrays::MapEach;
use crate::pose::Pose;
use crate::tree::{Facing, Near};

/// Largest skin around bodies that are apart, in margins.
const FARTHEST: f64 = 64.0;

impl PairContacts {
    /// Returns an upper bound of the relative motion of the two bodies in the time ahead, m. One of two
    /// falling bodies may be stopped, so the falls do not cancel unless one body bears the other.
    pub fn travel(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        let [(a, _), (b, _)] = bodies;
        let bears = self.contacts.iter().any(|c| c.normal_impulse > 0.0);
        let [fall_a, fall_b] = [a, b].map_each(|state| ahead.fall(state));
        let fall = if bears { (fall_a - fall_b).length() } else { fall_a.length().max(fall_b.length()) };
        ahead.dt * (greatest_speed(bodies.map_each(Course::of), ahead.dt) + fall)
    }

    /// Returns the number of passes needed in the time ahead, which is `share` of a step: between two
    /// passes the pair travels at most as far as its thickness and the fineness of its meshes allow.
    pub fn pass_count(&self, bodies: BodyPair, ahead: Ahead, share: f64) -> u32 {
        let travel = self.travel(bodies, ahead);
        // NaN gives one pass.
        let passes = |each: f64, most: f64| (travel / each).ceil().clamp(1.0, (most * share).ceil()) as u32;
        let thin = passes(self.settings.travel, MAX_PASSES);
        let through = passes(THROUGH * self.settings.travel, MAX_THIN_PASSES);
        thin.max(through).max(passes(self.settings.fine_travel, MAX_FINE_PASSES)).max(1)
    }

    /// Returns the largest distance (m) of surfaces that can touch in one of `count` passes in the time
    /// ahead.
    pub fn reach_in_pass(&self, bodies: BodyPair, ahead: Ahead, count: u32) -> f64 {
        self.settings.speculative + self.travel(bodies, ahead) / f64::from(count)
    }

    /// Returns the number of remaining passes for which contacts are foreseen at once. In them the pair
    /// travels no farther than it may between two tests, and no farther than an edge of the finer mesh,
    /// beyond which too many triangles are near.
    pub fn passes_ahead(&self, bodies: BodyPair, pass: Ahead, passes_left: u32) -> u32 {
        let edge = CARRIED_EDGES * bodies[0].1.edge.min(bodies[1].1.edge);
        let passes = (self.settings.travel.min(edge) / self.travel(bodies, pass)).floor();
        // NaN gives one pass.
        (passes.clamp(1.0, f64::from(passes_left.max(1))) as u32).max(1)
    }

    /// Returns whether the contacts of an earlier pass include every contact possible in the time
    /// ahead, so that they are only recycled. Then, since they were found, the bodies have traveled no
    /// farther than between two tests, have come no nearer than was foreseen, and have hardly rotated,
    /// so that the same vertices and edges stand out.
    pub fn foresees(&self, bodies: BodyPair, ahead: Ahead) -> bool {
        self.place.found.is_some_and(|(at, foreseen)| {
            let now = bodies[1].0.pose.relative_to(&bodies[0].0.pose);
            let travel = greatest_motion(&at, &now, bodies) + self.travel(bodies, ahead);
            travel <= self.settings.travel
                && travel + self.settings.speculative <= foreseen
                && turned(&at, &now) <= CARRIED_TURN
        })
    }

    /// Returns whether no point in the material of one body can have crossed the surface of the other,
    /// with b at `now` in a's space.
    pub fn is_clear(&self, now: &Pose, bodies: BodyPair) -> bool {
        self.clear.is_some_and(|(at, reach)| greatest_motion(&at, now, bodies) < reach)
    }

    /// Returns an upper bound of the relative motion of the two bodies between two poses of b in a's
    /// space, m.
    pub fn moved([before, now]: [&Pose; 2], bodies: BodyPair) -> f64 {
        greatest_motion(before, now, bodies)
    }

    /// Returns how far the two bodies may still travel relative to each other, m, before surfaces
    /// without a foreseen contact may touch: the foreseen distance less the motion since then, or the
    /// distance between the bounding spheres. An overlap that can be undone is allowed in addition.
    pub fn room_to_travel(&self, bodies: BodyPair) -> f64 {
        let now = bodies[1].0.pose.relative_to(&bodies[0].0.pose);
        let foreseen =
            self.place.found.map_or(0.0, |(at, foreseen)| foreseen - greatest_motion(&at, &now, bodies));
        let [a, b] = bodies.map_each(Course::of);
        let apart = a.center.distance(b.center) - a.radius - b.radius;
        foreseen.max(apart) + UNFORESEEN * self.settings.travel
    }

    /// Returns the distance below which contacts are foreseen in the time ahead, m: the whole travel of
    /// the bodies in it, so that nothing passes through between two tests, and a little more.
    pub fn speculative(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        self.settings.speculative + self.travel(bodies, ahead).max(self.settings.patience)
    }

    /// Returns the depth (m) to which a search looks for overlap that is known from the last search.
    pub fn known_depth(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        KNOWN_DEPTHS * self.overlap.deepest + self.speculative(bodies, ahead)
    }

    /// Returns the distance within which triangle pairs matter to a pass, m: the foreseen distance, and
    /// the depth of known overlap unless its contacts are recycled.
    pub fn search_margin(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        let sought = match self.search.depth {
            Depth::Sought => self.depth_sought(bodies, ahead),
            Depth::Recycled => 0.0,
        };
        self.speculative(bodies, ahead).max(sought)
    }

    /// Returns the treatment of overlap in a pass that need not search for it: recycled on fine meshes,
    /// where the search is costly, else searched for.
    pub fn depth_between(&self, bodies: BodyPair, ahead: Ahead) -> Depth {
        let is_dear = self.depth_sought(bodies, ahead) > self.settings.fine_travel;
        // Contacts show the depth of features unless part of it is accepted.
        let Overlap { is_unknown, accepted, unexplained_passes, .. } = self.overlap;
        let is_known = !is_unknown && accepted == 0.0 && unexplained_passes == 0;
        if is_dear && is_known { Depth::Recycled } else { Depth::Sought }
    }

    /// Returns the depth (m) to which a search looks for overlap.
    fn depth_sought(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        if self.overlap.is_unknown {
            return self.settings.search;
        }
        self.known_depth(bodies, ahead).min(self.settings.most_sought)
    }

    /// Returns whether the candidates of an earlier pass include all that matter to this one, so that
    /// they only need testing. Counts the pass if so.
    pub fn list_covers(&mut self, bodies: BodyPair) -> bool {
        let (margin, speculative) = (self.search.margin, self.search.foreseen);
        // For pairs with a wide margin, all near triangle pairs are counted, so they are always
        // searched.
        let is_far = self.searches_far();
        let list =
            self.search.list.as_mut().filter(|list| !is_far && list.covers(margin, speculative, bodies));
        list.map(|list| list.passes += 1).is_some()
    }

    /// Returns the skin of the next candidate list, from the cost of the last search. 0 for the first
    /// search, and if the last one found nothing.
    pub fn next_skin(&self, bodies: BodyPair) -> Skin {
        let last = self.search.list.filter(|list| list.candidates > 0);
        last.map_or(Skin::default(), |list| list.next_skin(self.search.margin, bodies))
    }

    /// Returns the skin of a search that probably finds nothing, because the last one found nothing or
    /// there was none. The skin reaches to the rest of the step, and is at least twice the last one.
    /// `rest`: the margin (m) for the rest of the step. `None` for other pairs.
    pub fn far_skin(&self, bodies: BodyPair, rest: f64) -> Option<Skin> {
        let last = self.search.list.map_or(0.0, |list| list.skin.motion);
        let motion = (rest - self.search.margin).max(2.0 * last).min(FARTHEST * self.search.margin);
        (self.search.list.is_none_or(|list| list.candidates == 0) && !self.searches_far())
            .then(|| Skin::new(motion, bodies))
    }

    /// Returns the filter for triangle pairs that matter within `margin` (m) to contacts foreseen below
    /// `speculative` (m), once bodies have moved by at most `skin`. Its bounds are those of the feature
    /// tests.
    pub fn near(&self, margin: f64, speculative: f64, skin: Skin) -> Near {
        // For pairs with a wide margin, all near pairs are counted, whether they face each other or
        // not.
        let facing = (!self.searches_far()).then_some(Facing {
            ahead: speculative,
            insides: self.settings.vertex_depths,
            inside_edges: self.settings.depth,
            wedge: WEDGE,
            crack: self.settings.face_edge,
            of_length: EDGE_END,
            moved: skin.motion,
            turned: skin.turn,
        });
        Near { margin: margin + skin.motion, facing }
    }
}
