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
    /// When the passes that are planned begin, how long each is, and how many there are.
    from: f64,
    dt: f64,
    planned: u32,
    /// How many of the passes that are planned are over.
    over: u32,
    /// All that were taken.
    taken: u32,
}

impl Passes {
    /// A step of `whole` seconds in `count` passes of equal length.
    pub fn new(start: f64, whole: f64, count: u32) -> Self {
        let dt = whole / f64::from(count);
        Self { start, whole, from: start, dt, planned: count, over: 0, taken: 0 }
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
        self.is_first() && self.planned == 1
    }

    /// Passes that are planned and not over, this one included.
    pub fn left(&self) -> u32 {
        self.planned - self.over
    }

    /// When this pass begins.
    pub fn now(&self) -> f64 {
        self.from + self.dt * f64::from(self.over)
    }

    /// When this pass ends, if it is not cut short.
    pub fn arrival(&self) -> f64 {
        self.from + self.dt * f64::from(self.over + 1)
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

    /// Ends this pass after so many seconds. If it had more, `count` says in how many passes the rest of the
    /// step (s) is to be taken. Returns whether the step goes on.
    pub fn end(&mut self, done: f64, count: impl FnOnce(f64) -> u32) -> bool {
        self.taken += 1;
        if done >= self.dt {
            self.over += 1;
            return self.over < self.planned;
        }
        let now = self.now() + done;
        let rest = self.start + self.whole - now;
        if rest < NO_TIME * self.whole {
            return false;
        }
        (self.from, self.planned, self.over) = (now, count(rest).max(1), 0);
        self.dt = rest / f64::from(self.planned);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step of four passes of which the second is cut short.
    #[test]
    fn the_rest_of_a_step_is_planned_anew_and_ends_with_it() {
        let mut passes = Passes::new(1.0, 0.4, 4);
        assert!(passes.is_first() && !passes.is_single());
        assert!(passes.end(0.1, |_| panic!("nothing is left over")));
        assert_eq!((passes.left(), passes.substeps(8)), (3, 2));
        assert!(passes.end(0.05, |rest| {
            assert!((rest - 0.25).abs() < 1e-12, "{rest}");
            2
        }));
        assert!((passes.now() - 1.15).abs() < 1e-12 && (passes.dt() - 0.125).abs() < 1e-12, "{passes:?}");
        assert!(passes.end(0.125, |_| panic!("nothing is left over")));
        let ends = [passes.arrival() - 1.4, passes.progress() - 1.0];
        assert!(ends.iter().all(|off| off.abs() < 1e-12), "{passes:?}");
        assert!(!passes.end(0.125, |_| panic!("nothing is left over")));
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
