//! The schedule of a pass: which pairs are searched and how long each. The most urgent per cost come
//! first, until the pass's share is given away. Urgency grows with waiting, so that no pair waits for
//! ever.

/// A pair that wants a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Request {
    /// Index in the table of pairs.
    pub pair: u32,
    /// Urgency; larger values are searched sooner.
    pub urgency: f64,
    /// Number of its last searches that were given up before they were complete.
    pub tries: u64,
    /// Expected node tests that the search still costs.
    pub cost: u64,
    /// Node tests that it may cost; zero if it is not searched.
    pub allowance: u64,
}

/// Allowance of a search: a multiple of its expected cost, at least `LEAST` node tests, and at most a
/// `PART`th of the pass's share.
const ROOM: u64 = 4;
const LEAST: u64 = 4000;
const PART: u64 = 8;
/// Least number of node tests for which a search is begun.
const CRUMB: u64 = 1000;

/// Requests of a pass.
#[derive(Default)]
pub(super) struct Schedule {
    pub requests: Vec<Request>,
    /// Node tests that a search is expected to cost if nothing is known: a running mean of earlier
    /// ones.
    expected: Expected,
}

/// Expected node tests of a search.
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

    /// Updates the expected cost with the mean cost of a pass's searches.
    pub fn learn(&mut self, total: u64, count: u64) {
        if count > 0 {
            self.expected.0 += (total as f64 / count as f64 - self.expected.0) / 8.0;
        }
    }

    pub fn total_cost(&self) -> u64 {
        self.requests.iter().fold(0, |sum, r| sum.saturating_add(r.cost))
    }

    /// Sorts the requests by urgency per cost, the highest first.
    pub fn rank(&mut self) {
        self.requests.sort_unstable_by(|x, y| {
            let worth = |r: &Request| r.urgency / (r.cost as f64 + 500.0);
            let urgency = worth(y).total_cmp(&worth(x));
            urgency.then(x.pair.cmp(&y.pair))
        });
    }

    /// Sorts the requests by urgency alone, the highest first.
    pub fn rank_by_urgency(&mut self) {
        let by_urgency = |x: &Request, y: &Request| y.urgency.total_cmp(&x.urgency).then(x.pair.cmp(&y.pair));
        self.requests.sort_unstable_by(by_urgency);
    }

    /// Gives allowances to the requests from `first` on, in their order, until `left` node tests are
    /// given away; `share` is the number that the pass began with. Returns the end of the requests that
    /// got one. Most searches cost less than their allowance, which leaves node tests for more.
    pub fn allot(&mut self, first: usize, left: u64, share: u64) -> usize {
        let mut free = left;
        for (at, request) in self.requests.iter_mut().enumerate().skip(first) {
            if free < CRUMB {
                return at;
            }
            let wanted = request.cost.saturating_mul(ROOM).max(LEAST);
            let most = (share / PART).saturating_mul(1 + request.tries);
            request.allowance = wanted.min(most).max(CRUMB).min(free);
            free -= request.allowance;
        }
        self.requests.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a ranked schedule of pairs with these urgencies and costs.
    fn schedule(requests: &[(f64, u64)]) -> Schedule {
        let request = |(pair, &(urgency, cost)): (u32, &(f64, u64))| Request {
            pair,
            urgency,
            tries: 0,
            cost,
            allowance: 0,
        };
        let mut schedule = Schedule::default();
        schedule.requests.extend((0..).zip(requests).map(request));
        schedule.rank();
        schedule
    }

    /// Returns the pairs that got an allowance, in order.
    fn searched(schedule: &Schedule) -> Vec<u32> {
        schedule.requests.iter().filter(|r| r.allowance > 0).map(|r| r.pair).collect()
    }

    #[test]
    fn the_most_urgent_for_their_cost_are_searched_until_nothing_is_left() {
        let mut s = schedule(&[(1.0, 5000), (3.0, 5000), (2.0, 10)]);
        assert_eq!(s.allot(0, 24_500, 200_000), 2);
        assert_eq!(searched(&s), [2, 1]);
        // The searches cost less than their allowance.
        assert_eq!(s.allot(2, 20_000, 200_000), 3);
        assert_eq!(searched(&s), [2, 1, 0]);
    }

    #[test]
    fn allowance_is_bounded_by_share_and_node_tests_left() {
        let mut s = schedule(&[(2.0, 1_000_000), (1.0, 1_000_000)]);
        s.allot(0, 12_000, 80_000);
        assert_eq!(s.requests.iter().map(|r| r.allowance).collect::<Vec<_>>(), [10_000, 2000]);
    }

    #[test]
    fn request_without_node_tests_gets_no_allowance() {
        let mut s = schedule(&[(2.0, 1000), (f64::NAN, 10)]);
        assert_eq!(s.allot(0, 0, 0), 0);
        assert!(searched(&s).is_empty());
    }
}
