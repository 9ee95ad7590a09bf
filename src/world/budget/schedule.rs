//! Which pairs are searched in a pass, and how long each: the most urgent first, until the pass's share is
//! given away; those that have waited for long before all others, so that none waits for ever.

/// A pair that wants a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Request {
    /// In the table of pairs.
    pub pair: u32,
    /// The larger the sooner.
    pub urgency: f64,
    /// Passes it has waited for one.
    pub waited: u32,
    /// Node tests it will probably cost.
    pub cost: u64,
    /// Node tests it may cost; zero if it is not searched.
    pub allowance: u64,
}

/// After so many passes a pair comes before all that have waited for less.
const OVERDUE: u32 = 32;

/// Shares of a cost that was measured, which the next may exceed.
const ROOM: u64 = 4;

/// The requests of a pass.
#[derive(Default)]
pub(super) struct Schedule {
    pub requests: Vec<Request>,
    /// Node tests that a search of which nothing is known will cost: the mean of those before.
    expected: Expected,
}

struct Expected(f64);

impl Default for Expected {
    fn default() -> Self {
        Self(4000.0)
    }
}

impl Schedule {
    pub fn expected_cost(&self) -> u64 {
        self.expected.0 as u64
    }

    /// Takes what a pass's searches cost on average.
    pub fn learn(&mut self, total: u64, count: u64) {
        if count > 0 {
            self.expected.0 += (total as f64 / count as f64 - self.expected.0) / 8.0;
        }
    }

    pub fn total_cost(&self) -> u64 {
        self.requests.iter().fold(0, |sum, r| sum.saturating_add(r.cost))
    }

    /// Most urgent first.
    pub fn rank(&mut self) {
        self.requests.sort_unstable_by(|x, y| {
            let overdue = |r: &Request| if r.waited >= OVERDUE { r.waited } else { 0 };
            let urgency = y.urgency.total_cmp(&x.urgency);
            overdue(y).cmp(&overdue(x)).then(urgency).then(x.pair.cmp(&y.pair))
        });
    }

    /// Shares out `share` node tests in the order of the requests; the first, which may be larger than any
    /// share, gets up to `rest`. What does not fit is passed over for what does. Returns what was given.
    pub fn allot(&mut self, share: u64, rest: u64) -> u64 {
        let mut left = share;
        let mut given = 0;
        for request in &mut self.requests {
            let wanted = request.cost.saturating_add(request.cost / ROOM);
            request.allowance = match wanted {
                w if w <= left => w,
                w if given == 0 => w.min(rest),
                _ => 0,
            };
            left = left.saturating_sub(request.allowance);
            given += request.allowance;
        }
        self.spread(left, given)
    }

    /// What nobody wanted goes to those that are searched, in proportion.
    fn spread(&mut self, left: u64, given: u64) -> u64 {
        if given == 0 || left == 0 {
            return given;
        }
        let factor = 1.0 + left as f64 / given as f64;
        let mut total = 0;
        for request in &mut self.requests {
            request.allowance = (request.allowance as f64 * factor) as u64;
            total += request.allowance;
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(requests: &[(f64, u32, u64)]) -> Schedule {
        let request = |(pair, &(urgency, waited, cost)): (u32, &(f64, u32, u64))| Request {
            pair,
            urgency,
            waited,
            cost,
            allowance: 0,
        };
        let mut schedule = Schedule::default();
        schedule.requests.extend((0..).zip(requests).map(request));
        schedule.rank();
        schedule
    }

    fn searched(schedule: &Schedule) -> Vec<u32> {
        schedule.requests.iter().filter(|r| r.allowance > 0).map(|r| r.pair).collect()
    }

    #[test]
    fn the_most_urgent_are_searched_until_the_share_is_given_away() {
        let mut s = schedule(&[(1.0, 0, 100), (3.0, 0, 100), (2.0, 0, 100), (0.5, 0, 20)]);
        let given = s.allot(275, 1000);
        assert_eq!(searched(&s), [1, 2, 3]);
        assert!(given <= 275, "{given}");
    }

    #[test]
    fn what_waited_too_long_comes_first_whatever_its_urgency() {
        let mut s =
            schedule(&[(1e9, 3, 100), (f64::NAN, 0, 100), (0.0, OVERDUE, 100), (0.0, OVERDUE + 9, 90)]);
        s.allot(120, 120);
        assert_eq!(searched(&s), [3]);
    }

    #[test]
    fn the_first_may_take_from_later_passes_and_nobody_takes_more_than_there_is() {
        let mut s = schedule(&[(2.0, 0, 1000), (1.0, 0, 10)]);
        assert_eq!(s.allot(100, 600), 600);
        assert_eq!(searched(&s), [0]);
        let mut s = schedule(&[(2.0, 0, 1000)]);
        assert_eq!(s.allot(0, 0), 0);
        assert_eq!(searched(&s), []);
    }

    #[test]
    fn an_unlimited_share_cuts_nobody_short() {
        let mut s = schedule(&[(2.0, 0, 1000), (1.0, 0, 1)]);
        s.allot(u64::MAX, u64::MAX);
        assert!(s.requests.iter().all(|r| r.allowance > 1 << 50), "{:?}", s.requests);
    }
}
