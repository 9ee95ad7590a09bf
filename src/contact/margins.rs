//! How far apart the bodies of a pair must be looked at, and how often, and for how long their contacts are
//! only carried along.

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

/// The room of a look that finds nothing at most, in margins.
const FARTHEST: f64 = 64.0;

impl PairContacts {
    /// Upper bound of how far the two move against each other in the time ahead, m. Of two that fall together
    /// one may be stopped, unless one bears the other.
    pub fn travel(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        let [(a, _), (b, _)] = bodies;
        let bears = self.contacts.iter().any(|c| c.normal_impulse > 0.0);
        let [fall_a, fall_b] = [a, b].map_each(|state| ahead.fall(state));
        let fall = if bears { (fall_a - fall_b).length() } else { fall_a.length().max(fall_b.length()) };
        ahead.dt * (greatest_speed(bodies.map_each(Course::of), ahead.dt) + fall)
    }

    /// Passes that the time ahead, so large a share of a step, needs so that the pair travels between two of
    /// them no farther than its thickness allows, nor than its meshes are fine.
    pub fn pass_count(&self, bodies: BodyPair, ahead: Ahead, share: f64) -> u32 {
        let travel = self.travel(bodies, ahead);
        // What is no number asks for one.
        let passes = |each: f64, most: f64| (travel / each).ceil().clamp(1.0, (most * share).ceil()) as u32;
        let thin = passes(self.settings.travel, MAX_PASSES);
        let through = passes(THROUGH * self.settings.travel, MAX_THIN_PASSES);
        thin.max(through).max(passes(self.settings.fine_travel, MAX_FINE_PASSES)).max(1)
    }

    /// How near (m) surfaces are at most that can meet in one of `count` passes in the time ahead.
    pub fn reach_in_pass(&self, bodies: BodyPair, ahead: Ahead, count: u32) -> f64 {
        self.settings.speculative + self.travel(bodies, ahead) / f64::from(count)
    }

    /// How many of the passes left are foreseen at once: as long as the pair travels no farther than it may
    /// between two looks, nor than an edge of the finer mesh, beyond which too many triangles are near.
    pub fn passes_ahead(&self, bodies: BodyPair, pass: Ahead, passes_left: u32) -> u32 {
        let edge = CARRIED_EDGES * bodies[0].1.edge.min(bodies[1].1.edge);
        let passes = (self.settings.travel.min(edge) / self.travel(bodies, pass)).floor();
        // What is no number foresees one.
        (passes.clamp(1.0, f64::from(passes_left.max(1))) as u32).max(1)
    }

    /// Whether all that may touch in the time ahead is among the contacts, found in an earlier pass: they
    /// need only be carried along. Then the bodies have travelled no farther since than between two looks,
    /// come no nearer than was foreseen, and hardly turned, so that the same vertices and edges stand out.
    pub fn foresees(&self, bodies: BodyPair, ahead: Ahead) -> bool {
        self.place.found.is_some_and(|(at, foreseen)| {
            let now = bodies[1].0.pose.relative_to(&bodies[0].0.pose);
            let travel = greatest_motion(&at, &now, bodies) + self.travel(bodies, ahead);
            travel <= self.settings.travel
                && travel + self.settings.speculative <= foreseen
                && turned(&at, &now) <= CARRIED_TURN
        })
    }

    /// Whether no point in the material of one can have crossed the surface of the other, with b at a pose in
    /// a's space.
    pub fn is_clear(&self, now: &Pose, bodies: BodyPair) -> bool {
        self.clear.is_some_and(|(at, reach)| greatest_motion(&at, now, bodies) < reach)
    }

    /// Upper bound of how far the two moved against each other between two poses of b in a's space, m.
    pub fn moved([before, now]: [&Pose; 2], bodies: BodyPair) -> f64 {
        greatest_motion(before, now, bodies)
    }

    /// How far the two may still travel against each other, m, before surfaces may meet of which no contact
    /// was foreseen: what was, less what they have moved since, or the distance between their bounding
    /// spheres. Beyond it they may go as far as overlap is undone.
    pub fn room_to_travel(&self, bodies: BodyPair) -> f64 {
        let now = bodies[1].0.pose.relative_to(&bodies[0].0.pose);
        let foreseen =
            self.place.found.map_or(0.0, |(at, foreseen)| foreseen - greatest_motion(&at, &now, bodies));
        let [a, b] = bodies.map_each(Course::of);
        let apart = a.center.distance(b.center) - a.radius - b.radius;
        foreseen.max(apart) + UNFORESEEN * self.settings.travel
    }

    /// Distance below which contacts are foreseen in the time ahead, m: all the way that the bodies can come
    /// in it, so that nothing gets past another between two looks, and a little more.
    pub fn speculative(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        self.settings.speculative + self.travel(bodies, ahead).max(self.settings.patience)
    }

    /// Depth (m) that a search looks for of what was found inside before.
    pub fn known_depth(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        KNOWN_DEPTHS * self.overlap.deepest + self.speculative(bodies, ahead)
    }

    /// The distance within which triangle pairs matter to a pass, m: what is foreseen, and the depth of what
    /// is already inside, unless that is only carried along.
    pub fn search_margin(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        let sought = match self.search.depth {
            Depth::Sought => self.depth_sought(bodies, ahead),
            Depth::Recycled => 0.0,
        };
        self.speculative(bodies, ahead).max(sought)
    }

    /// What becomes of overlap in a pass that need not look for it: on fine meshes, where that is dear, it is
    /// carried along.
    pub fn depth_between(&self, bodies: BodyPair, ahead: Ahead) -> Depth {
        let is_dear = self.depth_sought(bodies, ahead) > self.settings.fine_travel;
        // Contacts say how deep features are unless some of that is accepted.
        let Overlap { is_unknown, accepted, unexplained_passes, .. } = self.overlap;
        let is_known = !is_unknown && accepted == 0.0 && unexplained_passes == 0;
        if is_dear && is_known { Depth::Recycled } else { Depth::Sought }
    }

    fn depth_sought(&self, bodies: BodyPair, ahead: Ahead) -> f64 {
        if self.overlap.is_unknown {
            return self.settings.search;
        }
        self.known_depth(bodies, ahead).min(self.settings.most_sought)
    }

    /// Whether the candidates, found for an earlier pass, are all that matter to this one: they need only be
    /// judged.
    pub fn list_covers(&mut self, bodies: BodyPair) -> bool {
        let (margin, speculative) = (self.search.margin, self.search.foreseen);
        // Of bodies that look far, all that is near is counted.
        let is_far = self.searches_far();
        let list =
            self.search.list.as_mut().filter(|list| !is_far && list.covers(margin, speculative, bodies));
        list.map(|list| list.passes += 1).is_some()
    }

    /// Room for a look from here, by what the last one took; none for the first, nor if it found nothing.
    pub fn next_skin(&self, bodies: BodyPair) -> Skin {
        let last = self.search.list.filter(|list| list.candidates > 0);
        last.map_or(Skin::default(), |list| list.next_skin(self.search.margin, bodies))
    }

    /// Room for a look that probably finds nothing, as the last one did, or as there was none: for the rest
    /// of the step, and every time for twice as long. `rest`: the margin (m) that the rest of the step asks
    /// for.
    pub fn far_skin(&self, bodies: BodyPair, rest: f64) -> Option<Skin> {
        let last = self.search.list.map_or(0.0, |list| list.skin.motion);
        let motion = (rest - self.search.margin).max(2.0 * last).min(FARTHEST * self.search.margin);
        (self.search.list.is_none_or(|list| list.candidates == 0) && !self.searches_far())
            .then(|| Skin::new(motion, bodies))
    }

    /// What of the triangle pairs within a margin (m) matters to contacts that are foreseen below a distance
    /// (m), once bodies have moved by no more than their room: what the judgement of a feature pair bounds.
    pub fn near(&self, margin: f64, speculative: f64, skin: Skin) -> Near {
        // Of bodies that look far, what is near is counted, whether it faces or not.
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
