//! All pairs of bodies that touched in a run: the steps, the forces, the depth and the touch points.
//!
//! Input: the pairs that touch in each step, of a world or of a recording. Cost: linear in these pairs.
//! The table is allocated at its full size at the start, so that a step allocates nothing. If the table
//! is full, a further pair that begins to touch is only counted.

use glam::DVec3;
use rustc_hash::FxHashMap;

use super::World;
use super::events::{Event, Events};
use super::touching::PairTouch;

/// Largest number of stored pairs of a scene. 65,536 pairs take 17 MB.
const MOST_PAIRS: usize = 1 << 16;
/// Largest number of stored pairs per body. A body touches some ten others at a time.
const PAIRS_PER_BODY: usize = 64;
/// Number of stored pairs that even a small scene may have.
const LEAST_PAIRS: usize = 1 << 10;
/// Index of a pair that is not stored.
const LEFT_OUT: u32 = u32::MAX;

/// A point at which two bodies touched, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TouchPlace {
    pub world: DVec3,
    /// Position in the space of a.
    pub in_a: DVec3,
    /// Position in the space of b.
    pub in_b: DVec3,
}

/// Impulse of a collision of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Sum of the normal impulses of all contacts in the step, N·s.
    pub impulse: f64,
    pub step: u32,
}

/// Two bodies that touched in a run. Forces are means over a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Body indices, a < b.
    pub a: u32,
    pub b: u32,
    pub first_step: u32,
    pub last_step: u32,
    /// Number of steps in which they touched.
    pub step_count: u32,
    /// Point at which they first touched.
    pub first_place: TouchPlace,
    /// Greatest normal force, N.
    pub force: f64,
    /// Step of the greatest normal force.
    pub force_step: u32,
    /// Point of the greatest normal force.
    pub force_place: TouchPlace,
    /// Sum of the normal forces over the steps, N.
    pub force_sum: f64,
    /// Greatest friction force, N.
    pub friction: f64,
    pub friction_step: u32,
    /// Hardest impact; `None` if no collision of the two was an impact.
    pub impact: Option<Impact>,
    /// Deepest overlap of contacts, m; 0 if there was none.
    pub depth: f64,
    pub depth_step: u32,
}

/// Pairs that touched in a run, in the order in which they began.
#[derive(Default)]
pub struct Touches {
    list: Vec<Touch>,
    index_of: FxHashMap<(u32, u32), u32>,
    /// Pairs that touched in the last step, sorted, each with its index in the list.
    open: Vec<(u32, u32, u32)>,
    before: Vec<(u32, u32, u32)>,
    most: usize,
    left_out: u64,
}

impl TouchPlace {
    fn of(touch: &PairTouch) -> Self {
        let [in_a, in_b] = touch.places;
        Self { world: touch.point, in_a, in_b }
    }
}

impl Touch {
    /// Returns the mean of the normal force over the steps in which the two touched, N.
    pub fn mean_force(&self) -> f64 {
        self.force_sum / f64::from(self.step_count.max(1))
    }

    fn new(step: u32, touch: &PairTouch) -> Self {
        let place = TouchPlace::of(touch);
        Self {
            a: touch.a,
            b: touch.b,
            first_step: step,
            last_step: step,
            step_count: 0,
            first_place: place,
            force: 0.0,
            force_step: step,
            force_place: place,
            force_sum: 0.0,
            friction: 0.0,
            friction_step: step,
            impact: None,
            depth: 0.0,
            depth_step: step,
        }
    }

    /// Adds a step of `dt` seconds in which the two touched.
    fn see(&mut self, step: u32, dt: f64, touch: &PairTouch) {
        self.last_step = step;
        self.step_count += 1;
        self.force_sum += touch.force;
        if touch.force > self.force {
            (self.force, self.force_step, self.force_place) = (touch.force, step, TouchPlace::of(touch));
        }
        let friction = touch.friction.length();
        if friction > self.friction {
            (self.friction, self.friction_step) = (friction, step);
        }
        let impulse = touch.force * dt;
        if touch.is_impact && impulse > self.impact.map_or(0.0, |impact| impact.impulse) {
            self.impact = Some(Impact { impulse, step });
        }
        if -touch.gap > self.depth {
            (self.depth, self.depth_step) = (-touch.gap, step);
        }
    }
}

impl Touches {
    /// Makes an empty table for a scene of `body_count` bodies.
    pub fn new(body_count: usize) -> Self {
        let pairs = body_count.saturating_mul(body_count.saturating_sub(1)) / 2;
        let most = (PAIRS_PER_BODY * body_count).clamp(LEAST_PAIRS, MOST_PAIRS).min(pairs);
        let index_of = FxHashMap::with_capacity_and_hasher(most, Default::default());
        Self { list: Vec::with_capacity(most), index_of, most, ..Self::default() }
    }

    /// Returns the pairs that are stored.
    pub fn list(&self) -> &[Touch] {
        &self.list
    }

    /// Returns how many times a pair that is not stored began to touch, because the table was full.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Adds the pairs that touch in a step of `dt` seconds, sorted by body. Adds an event for each pair
    /// that began to touch, stopped touching or hit.
    pub fn see(&mut self, (step, dt): (u32, f64), touching: &[PairTouch], events: &mut Events) {
        std::mem::swap(&mut self.open, &mut self.before);
        self.open.clear();
        let before = std::mem::take(&mut self.before);
        let mut known = before.iter().copied().peekable();
        for touch in touching {
            let at = (touch.a, touch.b);
            while let Some((a, b, _)) = known.next_if(|&(a, b, _)| (a, b) < at) {
                events.tell(Event::Ended { a, b });
            }
            let index = match known.next_if(|&(a, b, _)| (a, b) == at) {
                Some((_, _, index)) => index,
                None => {
                    events.tell(Event::Began { a: touch.a, b: touch.b });
                    self.index(step, touch)
                }
            };
            if touch.is_impact && touch.force > 0.0 {
                events.tell(Event::Hit { a: touch.a, b: touch.b, impulse: touch.force * dt });
            }
            if let Some(kept) = self.list.get_mut(index as usize) {
                kept.see(step, dt, touch);
            }
            self.open.push((touch.a, touch.b, index));
        }
        known.for_each(|(a, b, _)| events.tell(Event::Ended { a, b }));
        self.before = before;
    }

    /// Returns the index of a pair that begins to touch, or `LEFT_OUT` if the table is full.
    fn index(&mut self, step: u32, touch: &PairTouch) -> u32 {
        if let Some(&index) = self.index_of.get(&(touch.a, touch.b)) {
            return index;
        }
        if self.list.len() >= self.most {
            self.left_out += 1;
            return LEFT_OUT;
        }
        let index = self.list.len() as u32;
        self.list.push(Touch::new(step, touch));
        self.index_of.insert((touch.a, touch.b), index);
        index
    }
}

impl World {
    /// Returns the pairs of bodies that touched so far, in the order in which they first touched. It
    /// holds at most 64 pairs per body of the scene (1,024 in a small scene), and 65,536 in all.
    pub fn touches(&self) -> &[Touch] {
        self.touches.list()
    }

    /// Returns how many times a pair that is not among [`World::touches`] began to touch, because the
    /// table was full.
    pub fn touches_left_out(&self) -> u64 {
        self.touches.left_out()
    }

    /// Records the pairs that touch at the end of a step, and adds their events.
    pub(super) fn note_touches(&mut self) {
        self.find_touching();
        let at = (self.step_index + 1, self.config.dt);
        self.touches.see(at, &self.touching.now, &mut self.events);
    }
}
