//! Counts of a step: those of \[cab\], and further ones. Each is a sum over the step's collision
//! passes.

use serde::{Deserialize, Serialize};

/// List of all counts. A new count needs only a line here.
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

            /// Makes one value per count. `make` receives a function that reads the count from the
            /// counts of a step.
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
    /// Passes that ended early because bodies would have traveled farther than their free distance.
    cut_passes,
    /// Pairs of bodies whose enlarged boxes overlap, so that they may touch.
    pairs,
    /// Bodies whose box has a NaN or is inverted, so that no pair is found for them.
    invalid_boxes,
    /// Bounding-volume tests: broad phase, links, hierarchies.
    node_tests,
    /// Triangle pairs passed to the exact tests.
    candidates,
    /// Candidates that neither intersect nor give a contact.
    false_alarms,
    /// Candidates whose triangles intersect exactly.
    intersections,
    /// Contacts passed to the solver.
    contacts,
    /// Triangles whose records were built for the filter of candidates.
    built_records,
    /// Pairs of bodies whose depth was measured at rest.
    depth_queries,
    /// Pairs of bodies whose cores were tested by the tunneling guard, because they had moved farther than
    /// their free distance.
    guard_tests,
    /// Paths of cores that the tunneling guard tested against surfaces.
    core_paths,
    /// Solutions of the equations of a mechanism.
    mechanism_solutions,
    /// Factorizations of the equations of a mechanism.
    factorizations,
    /// Rows of contacts and joints solved in further iterations because they bear a load.
    further_rows,
    /// Halves of sub-steps in which the further iterations over a load did not converge.
    unfinished_loads,
    /// Mechanisms with too many joints to be solved directly, counted in every collision pass.
    swept_mechanisms,
    /// Loaded contacts kept although their features are gone.
    orphans,
    /// Pairs whose contacts were reduced to the limit because there were too many.
    capped,
    /// Pairs whose contacts would have taken too long to find. Their old contacts are kept.
    crowded,
    /// Work of testing candidates, in units of one touching triangle pair. The same for every kind of
    /// hierarchy.
    effort,
    /// Pairs that overlap without a contact that pushes them apart.
    interpenetrating,
    /// Intersecting sensor pairs of links of the same kinematic figure (articulated character).
    self_collisions,
    /// Collisions of fast bodies at the times of their impacts.
    impacts,
    /// Motions of fast bodies that were cut short for the rest of a pass: at a touch, or at the end of the
    /// space in which their pairs were searched.
    stops,
    /// Bodies with a core (interior sample point) that crossed another body's surface.
    passages,
    /// Bodies that the tunneling guard put back because a core had crossed a surface.
    held_back,
    /// Bodies that moved farther than their free distance.
    outruns,
    /// Bodies whose spin was cut because it was too fast to be integrated.
    cut_spins,
    /// Bodies that fell out of the world.
    falls,
    /// Intersecting pairs of bodies of which neither is dynamic.
    reaches,
    /// Pairs whose hierarchies were searched because their old results were no longer valid.
    searched,
    /// Searched pairs whose search was ended early.
    interrupted,
    /// Pairs whose contacts were only recycled, because no other feature could touch.
    carried,
    /// Pairs that needed a search but were not searched (held). Their old contacts are kept.
    held,
    /// Contacts that stand for a region of two surfaces instead of features.
    cell_contacts,
    /// Node tests spent of the budget, including the cost of other work.
    units_used,
    /// Held or interrupted pairs that were tested exactly.
    sampled,
    /// Sampled pairs that were guessed to collide but do not.
    false_collisions,
    /// Sampled pairs that were guessed not to collide but do.
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
