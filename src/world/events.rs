//! Events of a step, for programs that act on them: see [`World::events`].

use super::World;

/// Largest number of events that are kept of a step.
const MOST_EVENTS: usize = 1 << 16;

/// Something that happened in a step. Bodies and joints are named by their index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// Two bodies touch that did not touch in the step before, a < b.
    Began { a: u32, b: u32 },
    /// Two bodies no longer touch.
    Ended { a: u32, b: u32 },
    /// Two bodies hit each other with `impulse`, N·s.
    Hit { a: u32, b: u32, impulse: f64 },
    /// A drive began to push with its largest effort while its joint does not move. Axes are 0–2 along,
    /// 3–5 about those of the joint.
    DriveStalled { joint: u32, axis: u32 },
    /// A joint came to a limit of its range.
    JointAtLimit { joint: u32, axis: u32 },
    /// A body fell out of the world.
    FellOut { body: u32 },
    /// A point of a body's material crossed the surface of another.
    PassedThrough { body: u32, through: u32 },
    /// A body was put back because a point of its material had crossed the surface of another.
    HeldBack { body: u32, by: u32 },
    /// Two bodies came to rest while they overlap too deep, a < b.
    Cut { a: u32, b: u32 },
}

/// The events of a step, in the order in which they were noticed.
#[derive(Default)]
pub struct Events {
    list: Vec<Event>,
    left_out: u64,
}

impl Events {
    /// Removes all events, for the next step.
    pub fn begin(&mut self) {
        self.list.clear();
        self.left_out = 0;
    }

    /// Adds an event; only counts it if there are too many.
    pub fn tell(&mut self, event: Event) {
        if self.list.len() < MOST_EVENTS {
            self.list.push(event);
        } else {
            self.left_out += 1;
        }
    }

    /// Returns the events that were kept.
    pub fn list(&self) -> &[Event] {
        &self.list
    }

    /// Returns the number of events that were left out.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}

impl World {
    /// Returns the events of the last step: first bodies that were held back or passed through others,
    /// then pairs that came to rest in each other, bodies that fell out of the world, contacts by body,
    /// joints.
    ///
    /// ```
    /// use tumble::scene::load_scene;
    /// use tumble::world::{Event, World};
    ///
    /// let scene = load_scene("parts-tray", None)?;
    /// let mut world = World::new(&scene)?;
    /// let hardest = (0..60).flat_map(|_| {
    ///     world.step();
    ///     world.events().to_vec()
    /// });
    /// let impulse = |event| if let Event::Hit { impulse, .. } = event { Some(impulse) } else { None };
    /// assert!(hardest.filter_map(impulse).any(|impulse| impulse > 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn events(&self) -> &[Event] {
        &self.events.list
    }

    /// Returns the number of events of the last step that were left out, as a step keeps 65,536.
    pub fn events_left_out(&self) -> u64 {
        self.events.left_out()
    }
}
