//! Pairs of bodies that touch at the end of a step: their touch points, depths and forces.
//!
//! Forces are means over the step: the impulses of all sub-steps, divided by the duration of the step.
//! Bodies at rest keep the forces of the step in which they fell asleep. Cost: linear in the pairs of
//! the step; no allocation once the lists have grown.

use glam::DVec3;

use super::World;
use crate::body::Activity;
use crate::contact::{Contact, PairContacts, Push};
use crate::pose::Pose;

/// Two bodies that touched in a step: they pushed each other, or they were in contact or intersected at
/// its end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairTouch {
    /// Body indices, a < b.
    pub a: u32,
    pub b: u32,
    /// Mean position of the contacts on the surface of a and on that of b, weighted by normal impulse,
    /// each in its body's space, m. For bodies that do not push each other, the deepest contact;
    /// without contacts, the center of the intersection of their boxes.
    pub places: [DVec3; 2],
    /// Touch point in the world at the end of the step, m. It lies between the points on the two
    /// bodies, nearer to that on the heavier body.
    pub point: DVec3,
    /// Distance of the surfaces at their deepest contact, m; negative where they overlap.
    pub gap: f64,
    /// Sum of the normal forces of all contacts, N.
    pub force: f64,
    /// Vector sum of the normal forces on b, world, N. Forces of opposite contacts cancel.
    pub push: DVec3,
    /// Friction on b, world, N.
    pub friction: DVec3,
    /// True if the two collided in this step: they did not touch before, or they approached faster than
    /// bodies at rest do.
    pub is_impact: bool,
}

/// A pair that pushed in the step but is no longer near.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parted {
    pub a: u32,
    pub b: u32,
    pub push: Push,
    pub gap: f64,
}

/// Pairs that touched in the last step and in the step before.
#[derive(Default)]
pub(super) struct Touching {
    /// Pairs of the last step, sorted by `(a, b)`.
    pub now: Vec<PairTouch>,
    before: Vec<PairTouch>,
}

impl Touching {
    fn begin(&mut self) {
        std::mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
    }
}

impl PairTouch {
    /// Returns the indices of the two bodies.
    pub fn bodies(&self) -> (u32, u32) {
        (self.a, self.b)
    }
}

impl Parted {
    pub fn new(pair: &PairContacts) -> Self {
        let gap = deepest(pair).map_or(0.0, |contact| contact.separation);
        Self { a: pair.a, b: pair.b, push: pair.push, gap }
    }

    pub fn bodies(&self) -> (u32, u32) {
        (self.a, self.b)
    }
}

impl World {
    /// Returns the pairs of bodies that touched in the last step, sorted by body. Sensor pairs, such as
    /// those with a trigger or within a figure that follows a clip, are not included.
    pub fn touching(&self) -> &[PairTouch] {
        &self.touching.now
    }

    /// Finds the pairs that touched in the step that ends.
    pub(super) fn find_touching(&mut self) {
        self.pairs.sort_parted();
        let mut touching = std::mem::take(&mut self.touching);
        touching.begin();
        let Touching { now, before } = &mut touching;
        let mut known = before.iter().peekable();
        let mut parted = self.pairs.parted.iter().peekable();
        let mut before_of = |at: (u32, u32)| {
            while known.next_if(|touch| touch.bodies() < at).is_some() {}
            known.next_if(|touch| touch.bodies() == at)
        };
        for pair in &self.pairs.active {
            let at = (pair.a, pair.b);
            while let Some(parted) = parted.next_if(|parted| parted.bodies() < at) {
                now.extend(self.pushed(parted, before_of(parted.bodies()).is_some()));
            }
            let mut push = pair.push;
            if let Some(parted) = parted.next_if(|parted| parted.bodies() == at) {
                push += parted.push;
            }
            now.extend(self.touch(pair, &push, before_of(at)));
        }
        for parted in parted {
            now.extend(self.pushed(parted, before_of(parted.bodies()).is_some()));
        }
        self.touching = touching;
    }

    /// Returns the touch of a pair at the end of a step; `None` if it does not touch. `before`: its
    /// touch in the step before.
    fn touch(&self, pair: &PairContacts, push: &Push, before: Option<&PairTouch>) -> Option<PairTouch> {
        let has_met = push.normal > 0.0 || pair.judged.is_intersecting || !pair.contacts.is_empty();
        if !has_met && before.is_none() {
            return None;
        }
        let two = self.two(pair);
        let is_void = two.iter().any(|(state, _)| state.activity == Activity::Quarantined);
        if is_void || self.pairs.is_sensor_pair(pair) {
            return None;
        }
        if push.normal > 0.0 {
            return self.pushed(&Parted { push: *push, ..Parted::new(pair) }, before.is_some());
        }
        if self.is_at_rest(pair) {
            return before.map(|touch| PairTouch { is_impact: false, ..*touch });
        }
        let deepest = deepest(pair);
        let meets = match deepest {
            Some(contact) if !self.is_immovable(pair) => contact.separation <= 0.0,
            _ => pair.judged.is_intersecting,
        };
        let places = || match deepest {
            Some(contact) => [contact.point_a, contact.point_b],
            None => self.middle(pair),
        };
        meets.then(|| {
            self.placed(PairTouch {
                a: pair.a,
                b: pair.b,
                places: places(),
                gap: deepest.map_or(0.0, |contact| contact.separation.min(0.0)),
                is_impact: before.is_none() && self.step_index > 0,
                ..PairTouch::default()
            })
        })
    }

    /// Returns the touch of two bodies that pushed each other; `None` if the result is not finite.
    fn pushed(&self, &Parted { a, b, ref push, gap }: &Parted, was_touching: bool) -> Option<PairTouch> {
        let rate = 1.0 / self.config.dt;
        let touch = PairTouch {
            a,
            b,
            places: push.places()?,
            gap,
            force: rate * push.normal,
            push: rate * push.along,
            friction: rate * push.friction,
            // Bodies that touch in the first step are assumed to have touched before.
            is_impact: push.is_impact || !(was_touching || self.step_index == 0),
            ..PairTouch::default()
        };
        let touch = self.placed(touch);
        let is_finite = touch.force.is_finite() && touch.friction.is_finite() && touch.point.is_finite();
        is_finite.then_some(touch)
    }

    /// Returns the touch with its point in the world computed.
    fn placed(&self, touch: PairTouch) -> PairTouch {
        let states = [touch.a, touch.b].map(|body| &self.bodies.states[body as usize]);
        let point = place_between(touch.places, states.map(|state| (state.pose, state.inverse_mass)));
        PairTouch { point, ..touch }
    }

    /// Returns the center of the intersection of the boxes of two bodies, in the space of each body, m.
    fn middle(&self, pair: &PairContacts) -> [DVec3; 2] {
        let [a, b] = [pair.a, pair.b].map(|body| &self.body_boxes[body as usize]);
        let middle = 0.5 * (a.min.max(b.min).as_dvec3() + a.max.min(b.max).as_dvec3());
        let poses = self.two(pair).map(|(state, _)| state.pose);
        let middle = if middle.is_finite() { middle } else { poses[0].position };
        poses.map(|pose| pose.inverse_transform_point(middle))
    }
}

/// Returns a point in the world between points on two bodies, nearer to that on the heavier body. Each
/// body is given by its pose and its inverse mass (1/kg).
pub(crate) fn place_between(places: [DVec3; 2], [(a, light_a), (b, light_b)]: [(Pose, f64); 2]) -> DVec3 {
    let [on_a, on_b] = [a.transform_point(places[0]), b.transform_point(places[1])];
    let share = if light_a + light_b > 0.0 { light_a / (light_a + light_b) } else { 0.5 };
    on_a + share * (on_b - on_a)
}

fn deepest(pair: &PairContacts) -> Option<&Contact> {
    pair.contacts.iter().min_by(|x, y| x.separation.total_cmp(&y.separation))
}
