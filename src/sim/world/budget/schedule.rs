//! Schedule of a pass: the order of the searches and the node tests that each may spend. The pairs with
//! the highest urgency per cost come first, until the pass's share is used up. Urgency grows with
//! waiting, so that no pair waits forever.

/// A pair that needs a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Request {
    /// Index in the table of pairs.
    pub pair: u32,
    /// Urgency; larger values are searched sooner.
    pub urgency: f64,
    /// Number of the pair's last searches that were given up before they were complete.
    pub tries: u64,
    /// Expected number of node tests for the rest of the search.
    pub cost: u64,
    /// Number of node tests that the search may spend; zero if it is not searched.
    pub allowance: u64,
}

/// Allowance of a search, as a multiple of its expected cost.
const ROOM: u64 = 4;
/// Least allowance of a search, node tests.
const LEAST: u64 = 4000;
/// Divisor of the pass's share: largest allowance of a search.
const PART: u64 = 8;
/// Least number of node tests with which a search begins.
const CRUMB: u64 = 1000;

/// Requests of a pass.
#[derive(Default)]
pub(super) struct Schedule {
    pub requests: Vec<Request>,
    /// Expected cost of a search of which nothing is known: a running mean over earlier searches.
    expected: Expected,
}

/// Expected cost of a search in node tests.
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

    /// Updates the expected cost with `count` searches that cost `total` node tests together.
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

    /// Gives allowances to the requests from index `first` on, in their order, until `left` node tests
    /// are assigned. `share`: number of node tests with which the pass began. Returns the index after
    /// the last request with an allowance. Most searches cost less than their allowance, and the unused
    /// node tests allow more searches.
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

    /// Returns a ranked schedule of pairs with the given urgencies and costs.
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

    /// Returns the pairs that got an allowance, in the order of the requests.
    fn searched(schedule: &Schedule) -> Vec<u32> {
        schedule.requests.iter().filter(|r| r.allowance > 0).map(|r| r.pair).collect()
    }

    #[test]
    fn the_most_urgent_for_their_cost_are_searched_until_nothing_is_left() {
        let mut s = schedule(&[(1.0, 5000), (3.0, 5000), (2.0, 10)]);
        assert_eq!(s.allot(0, 24_500, 200_000), 2);
        assert_eq!(searched(&s), [2, 1]);
        // The searches cost less than their allowance, so node tests are left for one more.
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
