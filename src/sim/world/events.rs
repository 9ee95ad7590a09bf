//! Events of a step, for programs that act on them: see [`World::events`].

use super::World;

/// Largest number of events that are stored per step.
const MOST_EVENTS: usize = 1 << 16;

/// An event of a step. Bodies and joints are given by their index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// Two bodies began to touch (a < b): they did not touch in the step before.
    Began { a: u32, b: u32 },
    /// Two bodies stopped touching (a < b).
    Ended { a: u32, b: u32 },
    /// Two bodies hit each other (a < b); `impulse` in N·s.
    Hit { a: u32, b: u32, impulse: f64 },
    /// A drive began to push with its largest effort while its joint does not move. Axes 0–2 are along,
    /// 3–5 about the axes of the joint's frame.
    DriveStalled { joint: u32, axis: u32 },
    /// A joint reached a limit of its range.
    JointAtLimit { joint: u32, axis: u32 },
    /// A body fell out of the world.
    FellOut { body: u32 },
    /// A core (interior sample point) of `body` crossed the surface of `through`.
    PassedThrough { body: u32, through: u32 },
    /// A body was put back because its core, or that of the other body, had crossed a surface.
    HeldBack { body: u32, by: u32 },
    /// Two bodies came to rest while they overlap too deeply (a < b).
    Cut { a: u32, b: u32 },
}

/// Events of a step, in the order in which they were detected.
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

    /// Adds an event. If the list is full, only counts it.
    pub fn tell(&mut self, event: Event) {
        if self.list.len() < MOST_EVENTS {
            self.list.push(event);
        } else {
            self.left_out += 1;
        }
    }

    /// Returns the events that are stored.
    pub fn list(&self) -> &[Event] {
        &self.list
    }

    /// Returns the number of events that were not stored.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}

impl World {
    /// Returns the events of the last step in this order: bodies that were held back or passed through
    /// others, pairs that came to rest in each other, bodies that fell out of the world, contacts
    /// sorted by body, joints.
    ///
    /// ```
    /// use tumble_model::scene::load_scene;
    /// use tumble_sim::world::{Event, World};
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

    /// Returns the number of events of the last step that were not stored, because a step stores at
    /// most 65,536.
    pub fn events_left_out(&self) -> u64 {
        self.events.left_out()
    }
}
