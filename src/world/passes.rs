//! The collision passes of a step: which times they cover, and when the step is over.

/// Passes that a step may take so that no body goes farther than was foreseen; those after them take their
/// time whatever bodies do.
const MOST_PLANNED_ANEW: u32 = 100;
/// The share of a step below which what is left of it is no time.
const NO_TIME: f64 = 1e-6;

/// How a step is divided. All times in s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passes {
    start: f64,
    whole: f64,
    /// When this pass begins, and how long it is.
    now: f64,
    dt: f64,
    /// Passes that the rest of the step takes, this one included, if all are as long.
    left: u32,
    /// Passes that are over.
    taken: u32,
}

impl Passes {
    /// A step of `whole` seconds in `count` passes.
    pub fn new(start: f64, whole: f64, count: u32) -> Self {
        Self { start, whole, now: start, dt: whole / f64::from(count), left: count, taken: 0 }
    }

    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// The first pass of a step finds all as it was left.
    pub fn is_first(&self) -> bool {
        self.taken == 0
    }

    /// Whether the whole step is one pass.
    pub fn is_single(&self) -> bool {
        self.is_first() && self.left == 1
    }

    /// Passes that are not over, this one included.
    pub fn left(&self) -> u32 {
        self.left
    }

    /// When this pass begins.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// When this pass ends, if it is not cut short.
    pub fn arrival(&self) -> f64 {
        self.now + self.dt
    }

    /// The share of the step that is over when this pass is.
    pub fn progress(&self) -> f64 {
        ((self.arrival() - self.start) / self.whole).min(1.0)
    }

    /// The sub-steps of this pass, of those of a whole step.
    pub fn substeps(&self, of_step: u32) -> u32 {
        of_step.div_ceil((self.whole / self.dt).round().max(1.0) as u32)
    }

    /// Whether this pass may still end before its time.
    pub fn may_be_cut(&self) -> bool {
        self.taken < MOST_PLANNED_ANEW
    }

    /// Ends this pass after so many seconds. If the step goes on, `count` says in how many passes the rest of
    /// it (s) is to be taken. Returns whether it goes on.
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

    /// A step of four passes of which the second is cut short, whereupon two take the rest.
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

    /// Bodies that have passed each other need no further looks.
    #[test]
    fn what_is_left_of_a_step_may_take_fewer_passes_than_were_planned() {
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
    fn a_step_is_planned_anew_so_many_times_and_no_more() {
        let mut passes = Passes::new(0.0, 1.0, 1);
        let mut taken = 0;
        while passes.may_be_cut() {
            assert!(passes.end(0.001, |_| 1));
            taken += 1;
        }
        assert_eq!(taken, MOST_PLANNED_ANEW);
    }
}
