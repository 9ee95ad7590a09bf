//! Distribution of the number of bins, of `u`, that get both a blue and a red ball when `v` blue and
//! `w` red balls are thrown and no bin gets two balls of one color. Such filled bins are the collision
//! cells that two nodes share. \[adb\] §3.5.1, Definition 6
//!
//! The count T is hypergeometric: Pr\[T = t\] = C(w, t) C(u − w, v − t) / C(u, v). The first term is a
//! quotient of four factorials, and each next term follows by a simple ratio. So 12 KB of constants
//! replace look-up tables over (u, v, w). The constants are k! / 256ᵏ, which fits in `f64`; the powers
//! cancel. Errors are below 1e-12. Above 512 bins, which only an experiment uses, logarithms give the
//! first term, with errors below 1e-9. Arguments are clamped to 4096 bins and to one ball of each color
//! per bin.

use crate::arrays::MapEach;

/// Number of cells of a node, 8³.
pub const MAX_BINS: u32 = 512;

/// Largest number of cells, 16³, to which arguments are clamped.
const MOST_BINS: u32 = 4096;

/// Largest number of collision cells for which equation 8 is evaluated. \[adb\] §3.5.2
pub const MAX_FILLED: u32 = 10;

/// Value of x above which 1 − e⁻ˣ rounds to 1.
const CERTAIN: f64 = 16.0;

/// Remainder of a series below which it is truncated.
const TOLERANCE: f64 = 1e-9;

const TABLE: usize = (MAX_BINS + MAX_FILLED) as usize + 1;
const BASE: f64 = 256.0;

/// Values k! / 256ᵏ. None is below 1e-110, so that the product of two does not underflow.
static FACTORIALS: [f64; TABLE] = factorials().0;
/// Values 256ᵏ / k!.
static INVERSE_FACTORIALS: [f64; TABLE] = factorials().1;
/// Values 1 / k, and 0 for k = 0.
static RECIPROCALS: [f64; RECIPROCAL_TABLE] = reciprocals();

const RECIPROCAL_TABLE: usize = (MOST_BINS + MAX_FILLED) as usize + 1;

const fn factorials() -> ([f64; TABLE], [f64; TABLE]) {
    let (mut products, mut inverses) = ([1.0; TABLE], [1.0; TABLE]);
    let mut k = 1;
    while k < TABLE {
        products[k] = products[k - 1] * (k as f64 / BASE);
        inverses[k] = 1.0 / products[k];
        k += 1;
    }
    (products, inverses)
}

const fn reciprocals() -> [f64; RECIPROCAL_TABLE] {
    let mut reciprocals = [0.0; RECIPROCAL_TABLE];
    let mut k = 1;
    while k < RECIPROCAL_TABLE {
        reciprocals[k] = 1.0 / k as f64;
        k += 1;
    }
    reciprocals
}

/// Distribution of T = `certain` + S, where S has the same distribution with at most as many balls as
/// bins. If there are more balls than bins, `certain` bins are filled in any case. S then counts empty
/// bins: those both among the u − v bins without a blue ball and among the u − w bins without a red
/// ball.
struct Law {
    certain: u32,
    bins: usize,
    balls: [u32; 2],
}

impl Law {
    #[inline]
    fn new(u: u32, v: u32, w: u32) -> Self {
        let u = u.min(MOST_BINS);
        let (v, w) = (v.min(u), w.min(u));
        let certain = (v + w).saturating_sub(u);
        let balls = if certain > 0 { [u - v, u - w] } else { [v, w] };
        Self { certain, bins: u as usize, balls }
    }

    /// Returns the number of empty bins if no two balls share a bin.
    #[inline]
    fn free(&self) -> usize {
        let [v, w] = self.balls;
        self.bins - (v + w) as usize
    }

    /// Returns Pr\[S = 0\] = (u − v)! (u − w)! / (u! (u − v − w)!).
    #[inline]
    fn none(&self) -> f64 {
        let [miss_v, miss_w] = self.balls.map_each(|count| self.bins - count as usize);
        if self.bins > MAX_BINS as usize {
            let ln = |k: usize| libm::lgamma(k as f64 + 1.0);
            return libm::exp(ln(miss_v) + ln(miss_w) - ln(self.bins) - ln(self.free()));
        }
        (FACTORIALS[miss_v] * FACTORIALS[miss_w])
            * (INVERSE_FACTORIALS[self.bins] * INVERSE_FACTORIALS[self.free()])
    }

    /// Returns the ratios Pr\[S = t + 1\] / Pr\[S = t\] for t = 0 to 9.
    #[inline]
    fn ratios(&self) -> impl Iterator<Item = f64> {
        let [v, w] = self.balls.map_each(f64::from);
        let free = &RECIPROCALS[self.free() + 1..][..MAX_FILLED as usize];
        let count = &RECIPROCALS[1..][..MAX_FILLED as usize];
        (0..MAX_FILLED).zip(free).zip(count).map(move |((t, free), count)| {
            let t = f64::from(t);
            (v - t) * (w - t) * (free * count)
        })
    }
}

/// Returns Pr\[# filled bins >= x\] for x = 0..=10. \[adb\] equation 6
pub fn tails(u: u32, v: u32, w: u32) -> [f64; MAX_FILLED as usize + 1] {
    let law = Law::new(u, v, w);
    let most = v.min(w).min(u);
    let (mut term, mut tail, mut ratios) = (law.none(), 1.0, law.ratios());
    let mut tails = [0.0; MAX_FILLED as usize + 1];
    for (x, out) in (0..=most).zip(&mut tails) {
        if x > law.certain {
            tail = f64::max(tail - term, 0.0);
            term *= ratios.next().unwrap_or(0.0);
        }
        *out = tail;
    }
    tails
}

/// Returns the probability that two nodes collide. They share `u` cells, of which `v` and `w` are
/// possible collision cells of the two nodes; a cell that is one of both collides with probability
/// `lb`. The result is the maximum over x = 1 to 10 of Pr\[# filled bins >= x\] (1 − (1 − lb)ˣ).
/// \[adb\] equation 8
pub fn probability(u: u32, v: u32, w: u32, lb: f64) -> f64 {
    let law = Law::new(u, v, w);
    let miss = 1.0 - unit(lb);
    let certain = law.certain.min(MAX_FILLED);
    let mut missed = power(miss, certain);
    let (mut best, mut term, mut tail) = (1.0 - missed, law.none(), 1.0);
    // Both factors are log-concave in x, and so is their product. So it has a single maximum.
    for ratio in law.ratios().take((MAX_FILLED - certain) as usize) {
        tail -= term;
        missed *= miss;
        let next = tail * (1.0 - missed);
        if next <= best {
            break;
        }
        best = next;
        term *= ratio;
    }
    best
}

/// Returns the x, of all x, at which the term of equation 8 is largest, and that term. x is 0 if no
/// term is above 0. \[adb\] Fig. 8
pub fn largest_term(u: u32, v: u32, w: u32, lb: f64) -> (u32, f64) {
    let law = Law::new(u, v, w);
    let miss = 1.0 - unit(lb);
    let [v, w] = law.balls.map_each(f64::from);
    let (mut term, mut tail, mut missed) = (law.none(), 1.0, power(miss, law.certain));
    let mut best = (law.certain, 1.0 - missed);
    for t in 0..law.balls[0].min(law.balls[1]) {
        tail -= term;
        missed *= miss;
        let next = tail * (1.0 - missed);
        if next <= best.1 {
            break;
        }
        best = (law.certain + t + 1, next);
        let t = f64::from(t);
        term *= (v - t) * (w - t) / ((t + 1.0) * (law.free() as f64 + t + 1.0));
    }
    if best.1 > 0.0 { best } else { (0, 0.0) }
}

/// Returns the probability that two nodes collide if every cell that both fill collides independently
/// with probability `lb`: 1 − E\[(1 − lb)ᵀ\]. It is at least as large as any term of equation 8. The
/// arguments are those of [`probability`].
pub fn expected(u: u32, v: u32, w: u32, lb: f64) -> f64 {
    let law = Law::new(u, v, w);
    let lb = unit(lb);
    let [mut v, mut w] = law.balls.map_each(f64::from);
    // As E[(1 - lb)^T] <= e^(-lb E[T]), the result rounds to 1.
    if lb * (v * w * RECIPROCALS[law.bins] + f64::from(law.certain)) > CERTAIN {
        return 1.0;
    }
    // E[(1 - lb)^S] is the sum over k of (-lb)^k E[C(S, k)]. Each term is at most e^16 in absolute
    // value.
    let (mut term, mut sum) = (1.0, 1.0);
    for (count, left) in RECIPROCALS[1..].iter().zip(RECIPROCALS[..=law.bins].iter().rev()) {
        term *= -lb * (v * w) * (count * left);
        sum += term;
        if f64::abs(term) < TOLERANCE {
            break;
        }
        v -= 1.0;
        w -= 1.0;
    }
    1.0 - sum * power(1.0 - lb, law.certain)
}

/// Clamps a probability to 0..=1; NaN gives 0.
fn unit(lb: f64) -> f64 {
    if lb > 0.0 { lb.min(1.0) } else { 0.0 }
}

fn power(mut base: f64, mut exponent: u32) -> f64 {
    let mut product = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            product *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    product
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;
    use num_traits::{One, ToPrimitive};

    use super::*;
    use crate::random::Random;

    /// Exact values Pr\[T = t\] as rational numbers, for all t.
    struct Judge(Vec<BigRational>);

    impl Judge {
        fn new() -> Self {
            let mut factorials = vec![BigRational::one()];
            for k in 1..=MAX_BINS {
                factorials.push(&factorials[k as usize - 1] * BigRational::from_integer(k.into()));
            }
            Self(factorials)
        }

        fn law(&self, u: u32, v: u32, w: u32) -> Vec<f64> {
            let choose = |n: u32, k: u32| {
                let [n, k, rest] = [n, k, n - k].map(|i| self.0[i as usize].numer());
                n / (k * rest)
            };
            let all = choose(u, v);
            let digits = 1_000_000_000_000_000_000i64;
            let share = |t: u32| match (v.checked_sub(t), (u - w + t).checked_sub(v)) {
                (Some(_), Some(_)) => {
                    (choose(w, t) * choose(u - w, v - t) * digits / &all).to_f64().unwrap() / digits as f64
                }
                _ => 0.0,
            };
            (0..=w).map(share).collect()
        }

        fn tails(&self, u: u32, v: u32, w: u32) -> Vec<f64> {
            let law = self.law(u, v, w);
            (0..=MAX_FILLED as usize).map(|x| law.iter().skip(x).sum()).collect()
        }
    }

    /// Returns every triple (u, v, w) with up to 12 bins, triples at the ends of the range, and random
    /// ones.
    fn triples() -> Vec<[u32; 3]> {
        let mut random = Random::new(1, 0);
        let mut below = |n: u32| (random.uniform() * f64::from(n + 1)) as u32;
        let mut triples = Vec::new();
        for u in 0..=12 {
            triples.extend((0..=u).flat_map(|v| (0..=u).map(move |w| [u, v, w])));
        }
        for u in [MAX_BINS - 1, MAX_BINS] {
            let ends = [0, 1, 9, 10, 11, u / 2 - 1, u / 2, u / 2 + 1, u - 11, u - 10, u - 9, u - 1, u];
            triples.extend(ends.iter().flat_map(|&v| ends.map(|w| [u, v, w])));
        }
        for _ in 0..1500 {
            let u = below(MAX_BINS);
            triples.push([u, below(u), below(u)]);
            let few = (u / 8).max(1);
            triples.push([u, below(few).min(u), below(few).min(u)]);
        }
        triples
    }

    #[test]
    fn tails_are_those_of_exact_arithmetic() {
        let judge = Judge::new();
        for [u, v, w] in triples() {
            for (x, (own, exact)) in tails(u, v, w).into_iter().zip(judge.tails(u, v, w)).enumerate() {
                assert!((own - exact).abs() < 1e-12, "{u} {v} {w} {x}: {own} {exact}");
            }
        }
    }

    #[test]
    fn tails_are_those_published() {
        for ([u, v, w], values) in [
            ([10, 3, 4], [0.833_333, 0.333_333, 0.033_333]),
            ([64, 8, 8], [0.679_069, 0.259_894, 0.054_498]),
            ([512, 64, 64], [0.999_895, 0.998_781, 0.993_051]),
        ] {
            for (own, value) in tails(u, v, w)[1..].iter().zip(values) {
                assert!((own - value).abs() < 6e-7, "{u} {v} {w}: {own} {value}");
            }
        }
        assert_eq!(tails(10, 3, 4)[4], 0.0);
    }

    /// Tests \[adb\] equation 7.
    #[test]
    fn the_first_tail_is_the_product_of_misses() {
        for [u, v, w] in triples().into_iter().filter(|[u, ..]| *u > 0) {
            let [bins, blue, red] = [u, v, w].map(f64::from);
            let misses: f64 = (1..=v).map(|i| 1.0 - red / (bins - blue + f64::from(i))).product();
            assert!((tails(u, v, w)[1] - (1.0 - misses)).abs() < 1e-12, "{u} {v} {w}");
        }
    }

    #[test]
    fn the_colours_are_alike_to_the_last_bit() {
        for [u, v, w] in triples() {
            assert_eq!(tails(u, v, w), tails(u, w, v));
            for lb in [0.1, 0.7] {
                assert_eq!(probability(u, v, w, lb), probability(u, w, v, lb));
                assert_eq!(expected(u, v, w, lb), expected(u, w, v, lb));
            }
        }
    }

    #[test]
    fn tails_fall_with_the_count_and_rise_with_the_balls() {
        for [u, v, w] in triples() {
            let own = tails(u, v, w);
            assert!(own[0] == 1.0 && own.is_sorted_by(|a, b| a >= b), "{u} {v} {w}");
            if v < u {
                let more = tails(u, v + 1, w);
                assert!(own.iter().zip(more).all(|(&a, b)| a <= b + 1e-12), "{u} {v} {w}");
            }
        }
    }

    #[test]
    fn the_probability_is_the_largest_term_of_equation_8() {
        for [u, v, w] in triples() {
            for lb in [0.0_f64, 1e-3, 0.1, 0.37, 0.5, 0.9, 1.0] {
                let term = |(x, tail): (usize, f64)| tail * (1.0 - (1.0 - lb).powi(x as i32));
                let largest = tails(u, v, w).into_iter().enumerate().map(term).fold(0.0, f64::max);
                let own = probability(u, v, w, lb);
                assert!((own - largest).abs() < 1e-12 && (0.0..=1.0).contains(&own), "{u} {v} {w} {lb}");
            }
        }
    }

    #[test]
    fn the_largest_term_is_where_the_exact_law_has_it() {
        let judge = Judge::new();
        for [u, v, w] in triples() {
            let law = judge.law(u, v, w);
            for lb in [0.0_f64, 0.02, 0.37, 0.9, 1.0] {
                let term = |x: usize| law.iter().skip(x).sum::<f64>() * (1.0 - (1.0 - lb).powi(x as i32));
                let (own, value) = largest_term(u, v, w, lb);
                let largest = (0..=v.min(w) as usize).map(term).fold(0.0, f64::max);
                assert!((term(own as usize) - largest).abs() < 1e-9, "{u} {v} {w} {lb}: {own}");
                assert!((value - largest).abs() < 1e-9, "{u} {v} {w} {lb}: {value}");
            }
        }
    }

    /// Tests \[adb\] equation 7 above 512 bins, and that one more bin hardly changes the distribution.
    #[test]
    fn more_than_512_bins_have_the_law_that_fewer_have() {
        for [v, w] in [[1, 1], [100, 60], [700, 900], [4096, 3]] {
            let chance = |k: u32| f64::from(w) / f64::from(MOST_BINS - k);
            let none: f64 = (0..v).map(|k| 1.0 - chance(k)).product();
            assert!((tails(MOST_BINS, v, w)[1] - (1.0 - none)).abs() < 1e-9, "{v} {w}");
        }
        let [fewer, more] = [512, 513].map(|u| tails(u, 64, 64)[3]);
        assert!(more < fewer && fewer - more < 2e-4, "{fewer} {more}");
    }

    #[test]
    fn the_expectation_is_that_of_the_exact_law() {
        let judge = Judge::new();
        for [u, v, w] in triples() {
            let law = judge.law(u, v, w);
            for lb in [0.0_f64, 1e-3, 0.1, 0.37, 0.5, 0.9, 1.0] {
                let missed: f64 = law.iter().enumerate().map(|(t, p)| p * (1.0 - lb).powi(t as i32)).sum();
                let own = expected(u, v, w, lb);
                assert!((own - (1.0 - missed)).abs() < 2e-7, "{u} {v} {w} {lb}: {own} {missed}");
                assert!(own >= probability(u, v, w, lb) - 2e-7, "{u} {v} {w} {lb}");
            }
        }
    }

    #[test]
    fn arguments_out_of_range_are_taken_into_it() {
        assert_eq!(tails(u32::MAX, u32::MAX, 5), tails(MOST_BINS, MOST_BINS, 5));
        assert_eq!(tails(4, 9, 2), tails(4, 4, 2));
        for f in [probability, expected] {
            assert_eq!(f(0, 3, 3, 0.5), 0.0);
            assert_eq!(f(u32::MAX, 9, u32::MAX, 0.5), f(MOST_BINS, 9, MOST_BINS, 0.5));
            assert_eq!(f(20, 9, 4, f64::NAN), 0.0);
            assert_eq!(f(20, 9, 4, 7.0), f(20, 9, 4, 1.0));
            assert_eq!(f(20, 9, 4, -7.0), 0.0);
        }
    }
}
