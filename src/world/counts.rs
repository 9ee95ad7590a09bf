//! The counts of a step: those of \[cab\], and further ones. Summed over the step's collision passes.

use serde::{Deserialize, Serialize};

/// The list of all counts. A new count needs only a line here.
macro_rules! counted {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// One value per count.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Counted<T> {
            $($(#[$doc])* pub $name: T,)*
        }

        impl<T> Counted<T> {
            /// Names of the counts, as in JSON.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            /// Makes one value per count. `make` receives the function that reads the count from a
            /// step's counts.
            pub fn each(make: impl Fn(fn(&StepCounts) -> u64) -> T) -> Self {
                Self { $($name: make(|counts| counts.$name),)* }
            }
        }

        impl StepCounts {
            fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
                Self { $($name: f(self.$name, other.$name),)* }
            }
        }
    };
}

/// Counts of one step.
pub type StepCounts = Counted<u64>;

counted! {
    /// Collision passes of the step.
    passes,
    /// Passes that ended early because bodies became faster than was foreseen.
    cut_passes,
    /// Pairs of bodies whose boxes overlap and that may touch.
    pairs,
    /// Bodies whose box has a NaN or is inverted, so that no pair is found for them.
    invalid_boxes,
    /// Bounding-volume tests: broad phase, links, hierarchies.
    node_tests,
    /// Triangle pairs passed to the exact stage.
    candidates,
    /// Candidates that neither intersect nor give a contact.
    false_alarms,
    /// Candidates whose triangles intersect exactly.
    intersections,
    /// Contacts passed to the solver.
    contacts,
    /// Rows of contacts and joints that were solved further than the others because they bear a load.
    further_rows,
    /// Halves of sub-steps in which a load was not solved to the end.
    unfinished_loads,
    /// Mechanisms under load with too many joints to be solved at once, in every collision pass.
    swept_mechanisms,
    /// Loaded contacts kept although the features that made them are gone.
    orphans,
    /// Pairs whose contacts were too many and were reduced to the limit.
    capped,
    /// Pairs whose contacts would have taken too long to find: their old contacts are kept.
    crowded,
    /// Work of testing candidates, in triangle pairs that touch. Equal for every hierarchy.
    effort,
    /// Pairs that overlap without a contact that would part them.
    interpenetrating,
    /// Sensor pairs of links of one kinematic figure that intersect.
    self_collisions,
    /// Bodies whose core crossed another's surface.
    passages,
    /// Bodies that the guard put back to where they had not yet crossed a surface.
    held_back,
    /// Bodies that moved farther than was foreseen.
    outruns,
    /// Bodies whose spin was cut because it was too fast to be followed.
    cut_spins,
    /// Bodies that fell out of the world.
    falls,
    /// Intersecting pairs in which neither body can be moved by a contact.
    reaches,
    /// Pairs whose hierarchies were searched because their old results no longer hold, and those of
    /// them whose search was ended early.
    searched,
    interrupted,
    /// Pairs whose contacts were only recycled: no other feature may touch.
    carried,
    /// Pairs that needed a search and got none: their old contacts are kept.
    held,
    /// Contacts that stand for a region of two surfaces.
    cell_contacts,
    units_used,
    /// Held or interrupted pairs that were tested exactly; those guessed to collide that do not, and
    /// the reverse.
    sampled,
    false_collisions,
    missed_collisions,
    /// Dynamic bodies that are awake at the end of the step.
    awake_bodies,
}

/// Energy and penetration after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Measures {
    /// Kinetic and potential energy of the dynamic bodies, J.
    pub energy: f64,
    /// Deepest overlap at any contact beyond the accepted overlap, m.
    pub penetration: f64,
    /// The two bodies of that contact (a < b), if there is one.
    pub deepest: Option<[u32; 2]>,
}

impl std::ops::AddAssign for StepCounts {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::ops::Add for StepCounts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.zip(other, |x, y| x + y)
    }
}

impl StepCounts {
    /// Returns the larger value of the two, per count.
    pub fn max(self, other: Self) -> Self {
        self.zip(other, u64::max)
    }
}
