//! Which pairs are searched in a pass, and how long each: the most urgent for their cost first, until the
//! pass's share is given away. Urgency grows with waiting, so that none waits for ever.

/// A pair that wants a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Request {
    /// In the table of pairs.
    pub pair: u32,
    /// The larger the sooner.
    pub urgency: f64,
    /// Searches of it in a row that came to nothing.
    pub tries: u64,
    /// Node tests it will probably still cost.
    pub cost: u64,
    /// Node tests it may cost; zero if it is not searched.
    pub allowance: u64,
}

/// How much more than expected a search may cost, at least, and which part of a pass's share at most.
const ROOM: u64 = 4;
const LEAST: u64 = 4000;
const PART: u64 = 8;
/// What is not worth beginning with.
const CRUMB: u64 = 1000;

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

    /// Most urgent for their cost first.
    pub fn rank(&mut self) {
        self.requests.sort_unstable_by(|x, y| {
            let worth = |r: &Request| r.urgency / (r.cost as f64 + 500.0);
            let urgency = worth(y).total_cmp(&worth(x));
            urgency.then(x.pair.cmp(&y.pair))
        });
    }

    /// Most urgent first, whatever they cost.
    pub fn rank_by_urgency(&mut self) {
        let by_urgency = |x: &Request, y: &Request| y.urgency.total_cmp(&x.urgency).then(x.pair.cmp(&y.pair));
        self.requests.sort_unstable_by(by_urgency);
    }

    /// Gives as many of the requests from `first` on, in their order, as `left` node tests are enough for if
    /// each costs as much as it may; `share` is what the pass began with. Returns the end of those that were
    /// given something; searched, they mostly leave enough for more.
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

    fn searched(schedule: &Schedule) -> Vec<u32> {
        schedule.requests.iter().filter(|r| r.allowance > 0).map(|r| r.pair).collect()
    }

    #[test]
    fn the_most_urgent_for_their_cost_are_searched_until_nothing_is_left() {
        let mut s = schedule(&[(1.0, 5000), (3.0, 5000), (2.0, 10)]);
        assert_eq!(s.allot(0, 24_500, 200_000), 2);
        assert_eq!(searched(&s), [2, 1]);
        // They cost less than they might have.
        assert_eq!(s.allot(2, 20_000, 200_000), 3);
        assert_eq!(searched(&s), [2, 1, 0]);
    }

    #[test]
    fn nobody_takes_more_than_a_part_of_the_share_nor_of_what_is_left() {
        let mut s = schedule(&[(2.0, 1_000_000), (1.0, 1_000_000)]);
        s.allot(0, 12_000, 80_000);
        assert_eq!(s.requests.iter().map(|r| r.allowance).collect::<Vec<_>>(), [10_000, 2000]);
    }

    #[test]
    fn nobody_is_searched_without_a_share() {
        let mut s = schedule(&[(2.0, 1000), (f64::NAN, 10)]);
        assert_eq!(s.allot(0, 0, 0), 0);
        assert!(searched(&s).is_empty());
    }
}
