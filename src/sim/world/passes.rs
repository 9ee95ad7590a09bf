//! Collision passes of a step: the time that each covers, and the end of the step.

/// Number of passes of a step that may end early so that no body moves farther than its free distance.
/// Later passes run their full time, however far bodies move.
const MOST_PLANNED_ANEW: u32 = 100;
/// Share of a step below which the remaining time is skipped.
const NO_TIME: f64 = 1e-6;

/// Division of a step into passes. All times in s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passes {
    start: f64,
    whole: f64,
    /// Start of the present pass.
    now: f64,
    /// Duration of the present pass.
    dt: f64,
    /// Number of passes for the remaining step, including the present one, if all have equal duration.
    left: u32,
    /// Number of passes that are over.
    taken: u32,
}

impl Passes {
    /// Divides a step of `whole` seconds into `count` passes.
    pub fn new(start: f64, whole: f64, count: u32) -> Self {
        Self { start, whole, now: start, dt: whole / f64::from(count), left: count, taken: 0 }
    }

    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// Returns whether this is the first pass of the step. In it, all bodies are still at their poses
    /// at the end of the last step.
    pub fn is_first(&self) -> bool {
        self.taken == 0
    }

    /// Returns whether the whole step is one pass.
    pub fn is_single(&self) -> bool {
        self.is_first() && self.left == 1
    }

    /// Returns the number of passes that are not over, including the present one.
    pub fn left(&self) -> u32 {
        self.left
    }

    /// Returns the time at which this pass begins, s.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Returns the time at which this pass ends if it does not end early, s.
    pub fn arrival(&self) -> f64 {
        self.now + self.dt
    }

    /// Returns the share of the step that is over at the end of this pass.
    pub fn progress(&self) -> f64 {
        ((self.arrival() - self.start) / self.whole).min(1.0)
    }

    /// Returns the number of sub-steps of this pass. `of_step`: number of sub-steps of a whole step.
    pub fn substeps(&self, of_step: u32) -> u32 {
        of_step.div_ceil((self.whole / self.dt).round().max(1.0) as u32)
    }

    /// Returns whether this pass may still end early.
    pub fn may_be_cut(&self) -> bool {
        self.taken < MOST_PLANNED_ANEW
    }

    /// Ends this pass after `done` seconds. Returns whether the step continues. If it does, `count`
    /// maps the remaining time of the step (s) to the number of passes for it.
    pub fn end(&mut self, done: f64, count: impl FnOnce(f64) -> u32) -> bool {
        self.taken += 1;
        if done >= self.dt && self.left == 1 {
            return false;
        }
        self.now += done;
        let rest = self.start + self.whole - self.now;
        if rest < NO_TIME * self.whole {
            return false;
        }
        self.left = count(rest).max(1);
        self.dt = rest / f64::from(self.left);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Divides a step into four passes of which the second ends early; the remaining time then takes
    /// two.
    #[test]
    fn the_rest_of_a_step_is_planned_anew_and_ends_with_it() {
        let mut passes = Passes::new(1.0, 0.4, 4);
        assert!(passes.is_first() && !passes.is_single());
        let rest_is = |expected: f64, count: u32| {
            move |rest: f64| {
                assert!((rest - expected).abs() < 1e-12, "{rest}");
                count
            }
        };
        assert!(passes.end(0.1, rest_is(0.3, 3)));
        assert_eq!((passes.left(), passes.substeps(8)), (3, 2));
        assert!(passes.end(0.05, rest_is(0.25, 2)));
        assert!((passes.now() - 1.15).abs() < 1e-12 && (passes.dt() - 0.125).abs() < 1e-12, "{passes:?}");
        assert!(passes.end(passes.dt(), rest_is(0.125, 1)));
        let ends = [passes.arrival() - 1.4, passes.progress() - 1.0];
        assert!(ends.iter().all(|off| off.abs() < 1e-12), "{passes:?}");
        assert!(!passes.end(passes.dt(), |_| panic!("nothing is left over")));
    }

    /// Tests that bodies that have passed each other need no further search.
    #[test]
    fn rest_of_step_may_need_fewer_passes_than_planned() {
        let mut passes = Passes::new(0.0, 1.0, 4);
        assert!(passes.end(0.25, |_| 1));
        assert!((passes.dt() - 0.75).abs() < 1e-12, "{passes:?}");
        assert!(!passes.end(passes.dt(), |_| panic!("nothing is left over")));
    }

    #[test]
    fn a_step_ends_where_next_to_nothing_is_left_of_it() {
        let mut passes = Passes::new(0.0, 1.0, 1);
        assert!(passes.is_single());
        assert!(!passes.end(1.0 - 1e-9, |_| panic!("that is no time")));
    }

    #[test]
    fn step_is_replanned_at_most_100_times() {
        let mut passes = Passes::new(0.0, 1.0, 1);
        let mut taken = 0;
        while passes.may_be_cut() {
            assert!(passes.end(0.001, |_| 1));
            taken += 1;
        }
        assert_eq!(taken, MOST_PLANNED_ANEW);
    }
}
