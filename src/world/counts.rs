//! What a step did, in numbers: \[cab\]'s counts and what stands beside them. Summed over the step's
//! collision passes.

use serde::{Deserialize, Serialize};

/// The one list of what is counted: a line here is all that another count takes.
macro_rules! counted {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A value for each thing that is counted.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Counted<T> {
            $($(#[$doc])* pub $name: T,)*
        }

        impl<T> Counted<T> {
            /// The names of the counts, as in JSON.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            /// Makes a value for each count, of what reads it from a step's.
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

/// What a step met.
pub type StepCounts = Counted<u64>;

counted! {
    /// Collision passes the step took.
    passes,
    /// Passes that ended early, as bodies came to be faster than was foreseen.
    cut_passes,
    /// Pairs of bodies whose boxes overlap and that may touch.
    pairs,
    /// Bodies whose box has a NaN or is turned inside out, so that no pair is found for them.
    invalid_boxes,
    /// Bounding-volume tests: broad phase, links, hierarchies.
    node_tests,
    /// Triangle pairs handed to the exact stage.
    candidates,
    /// Candidates that neither intersect nor give a contact.
    false_alarms,
    /// Candidates whose triangles intersect exactly.
    intersections,
    /// Contacts handed to the solver.
    contacts,
    /// Rows of contacts and joints that were solved further than the others, as they bear a load.
    further_rows,
    /// Halves of sub-steps in which a load was not solved to the end.
    unfinished_loads,
    /// Mechanisms under load with too many joints to be solved at once, in every collision pass.
    swept_mechanisms,
    /// Loaded contacts kept although the features that made them are gone.
    orphans,
    /// Pairs whose contacts were too many and were cut to the limit.
    capped,
    /// Pairs that touch in more places than are looked at: their contacts are held.
    crowded,
    /// What judging candidates took, in triangle pairs that touch: the same for every hierarchy.
    effort,
    /// Pairs that overlap without a contact that would part them.
    interpenetrating,
    /// Pairs of links of one kinematic figure, watched for it, that intersect.
    self_collisions,
    /// Bodies whose core crossed another's surface.
    passages,
    /// Bodies that the guard put back to where they had not crossed a surface yet.
    held_back,
    /// Bodies that went farther than was foreseen.
    outruns,
    /// Bodies that spun faster than can be followed, whose spin was cut.
    cut_spins,
    /// Bodies that fell out of the world.
    falls,
    /// Pairs that intersect and of which nothing deflects either.
    reaches,
    /// Pairs whose hierarchies were searched, as what was found before does not hold any more, and those of
    /// them whose search was ended early.
    searched,
    interrupted,
    /// Pairs whose contacts were only carried along with the bodies: all that may touch is among them.
    carried,
    /// Pairs that needed a search and got none: their contacts are held.
    held,
    /// Contacts that stand for a region of two surfaces.
    cell_contacts,
    units_used,
    /// Held or interrupted pairs asked exactly; those that were said to collide and do not, and the reverse.
    sampled,
    false_collisions,
    missed_collisions,
    /// Dynamic bodies awake at the end of the step.
    awake_bodies,
}

/// What a step left the world with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Measures {
    /// Kinetic and potential energy of the dynamic bodies, J.
    pub energy: f64,
    /// Deepest overlap beyond what is accepted at any contact, m.
    pub penetration: f64,
    /// Between which bodies (a < b) that is, if there is any.
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
    /// The larger of the two, each count by itself.
    pub fn max(self, other: Self) -> Self {
        self.zip(other, u64::max)
    }
}
