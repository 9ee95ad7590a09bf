//! Quantities of claims: exact numbers, and times with their intervals.

/// Number of repeats that a time must have for its repeats to be kept.
const MOST_REPEATS: usize = 5;

/// A number, with an interval and repeats if it is a time or derived from times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    pub value: f64,
    /// 95 % interval of a time. Both ends equal the value if it was measured once. `None` for counts
    /// and other numbers that are the same on every machine.
    pub interval: Option<[f64; 2]>,
    /// Value in each repeat. Contenders take turns within a repeat, so values with the same index are
    /// compared.
    repeats: Option<[f64; MOST_REPEATS]>,
}

impl From<f64> for Quantity {
    fn from(value: f64) -> Self {
        Self { value, interval: None, repeats: None }
    }
}

impl Quantity {
    /// Creates a time. `interval` is `None` if it was measured once. The repeats are kept only if their
    /// number is [`MOST_REPEATS`].
    pub fn timed(value: f64, interval: Option<[f64; 2]>, repeats: &[f64]) -> Self {
        Self { value, interval: Some(interval.unwrap_or([value; 2])), repeats: repeats.try_into().ok() }
    }

    fn low(self) -> f64 {
        self.interval.map_or(self.value, |ends| ends[0])
    }

    fn high(self) -> f64 {
        self.interval.map_or(self.value, |ends| ends[1])
    }

    /// Returns the quantity without its repeats, to compare it with a quantity of another run: repeats
    /// of different runs were not measured side by side.
    pub fn of_its_run(self) -> Self {
        Self { repeats: None, ..self }
    }

    /// Returns whether this quantity is less than `other`. If one of them has repeats, the value and
    /// every repeat must be less. Otherwise the intervals must be disjoint; that of a count is its
    /// value.
    pub fn is_below(self, other: Self) -> bool {
        if self.repeats.is_none() && other.repeats.is_none() {
            return self.high() < other.low();
        }
        self.paired(other).all(|[own, its]| own < its) && self.value < other.value
    }

    /// Returns whether the larger value is at most `factor` times the smaller. A value of 0 is only
    /// within a factor of 0.
    pub fn is_within(self, other: Self, factor: f64) -> bool {
        let (least, most) = (self.value.min(other.value), self.value.max(other.value));
        least > 0.0 && most <= factor * least || least == most
    }

    /// Pairs the repeats of two quantities. A quantity without repeats has its value in each repeat.
    fn paired(self, other: Self) -> impl Iterator<Item = [f64; 2]> {
        let repeats = |own: Self| own.repeats.unwrap_or([own.value; MOST_REPEATS]);
        repeats(self).into_iter().zip(repeats(other)).map(|(own, its)| [own, its])
    }

    /// Returns the ratio to another quantity. Its interval covers the value and the ratios of all
    /// paired repeats; without repeats it is the widest that the two intervals allow.
    pub fn over(self, other: Self) -> Self {
        let value = self.value / other.value;
        if self.repeats.is_none() && other.repeats.is_none() {
            let is_timed = self.interval.is_some() || other.interval.is_some();
            let interval = is_timed.then(|| [self.low() / other.high(), self.high() / other.low()]);
            return Self { value, interval, repeats: None };
        }
        let mut ratios = [0.0; MOST_REPEATS];
        self.paired(other).zip(&mut ratios).for_each(|([own, its], ratio)| *ratio = own / its);
        let least = ratios.iter().copied().fold(value, f64::min);
        let most = ratios.iter().copied().fold(value, f64::max);
        Self { value, interval: Some([least, most]), repeats: Some(ratios) }
    }
}

/// Returns the geometric mean. The ends of its interval are the means of the lower and of the upper
/// ends. Its repeats are the means per repeat, if all quantities have repeats.
pub fn geometric_mean(all: &[Quantity]) -> Quantity {
    let mean = |pick: &dyn Fn(&Quantity) -> f64| {
        let logs: f64 = all.iter().map(|one| libm::log(pick(one).max(f64::MIN_POSITIVE))).sum();
        libm::exp(logs / all.len().max(1) as f64)
    };
    let is_timed = all.iter().any(|one| one.interval.is_some());
    let has_repeats = is_timed && all.iter().all(|one| one.repeats.is_some());
    let mut repeats = [0.0; MOST_REPEATS];
    for (k, repeat) in repeats.iter_mut().enumerate() {
        *repeat = mean(&|one| one.repeats.map_or(one.value, |own| own[k]));
    }
    Quantity {
        value: mean(&|one| one.value),
        interval: is_timed.then(|| [mean(&|q| q.low()), mean(&|q| q.high())]),
        repeats: has_repeats.then_some(repeats),
    }
}

/// Returns the arithmetic mean of numbers; 0 for none.
pub fn mean(all: &[f64]) -> f64 {
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

/// Returns the median; the mean of the two middle numbers if the count is even.
pub fn median(all: &[f64]) -> f64 {
    crate::turns::median(&mut all.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(value: f64, low: f64, high: f64) -> Quantity {
        Quantity::timed(value, Some([low, high]), &[])
    }

    #[test]
    fn times_without_repeats_are_in_order_only_if_their_intervals_are_apart() {
        assert!(timed(1.0, 0.9, 1.1).is_below(timed(1.3, 1.2, 1.4)));
        assert!(!timed(1.0, 0.9, 1.2).is_below(timed(1.3, 1.2, 1.4)));
        assert!(!timed(1.3, 1.2, 1.4).is_below(timed(1.0, 0.9, 1.1)));
        assert!(Quantity::from(1.0).is_below(1.001.into()) && !Quantity::from(1.0).is_below(1.0.into()));
    }

    #[test]
    fn times_with_repeats_are_in_order_if_every_repeat_is_whatever_the_machine_did() {
        // The machine was half as fast in two repeats: the intervals overlap, but every repeat of `own`
        // is below its paired repeat.
        let own = Quantity::timed(1.0, Some([1.0, 2.0]), &[1.0, 2.0, 1.0, 2.0, 1.0]);
        let slower = Quantity::timed(1.2, Some([1.2, 2.4]), &[1.2, 2.4, 1.2, 2.4, 1.2]);
        assert!(own.is_below(slower) && !slower.is_below(own));
        let ratio = slower.over(own);
        assert!((ratio.low() - 1.2).abs() < 1e-12 && (ratio.high() - 1.2).abs() < 1e-12);
        assert!(Quantity::from(1.0).is_below(ratio) && !ratio.is_below(1.2.into()));
        let other = Quantity::timed(1.2, Some([1.2, 2.4]), &[1.2, 2.4, 0.9, 2.4, 1.2]);
        assert!(!own.is_below(other), "one repeat is the other way round");
        let mean = geometric_mean(&[own, slower.over(own)]);
        assert!(mean.repeats.is_some() && geometric_mean(&[own, timed(1.0, 1.0, 1.0)]).repeats.is_none());
    }

    #[test]
    fn numbers_are_alike_up_to_a_factor_in_either_direction() {
        let [two, three, zero] = [2.0, 3.0, 0.0].map(Quantity::from);
        assert!(two.is_within(three, 1.5) && three.is_within(two, 1.5));
        assert!(!two.is_within(three, 1.49) && !zero.is_within(two, 1.5) && zero.is_within(zero, 1.5));
    }

    #[test]
    fn ratios_and_means_without_repeats_have_the_widest_interval() {
        let ratio = timed(4.0, 3.0, 5.0).over(timed(2.0, 1.0, 2.5));
        assert_eq!(ratio, timed(2.0, 1.2, 5.0));
        let mean = geometric_mean(&[timed(1.0, 0.5, 2.0), timed(4.0, 2.0, 8.0)]);
        assert!((mean.value - 2.0).abs() < 1e-12 && (mean.high() - 4.0).abs() < 1e-12);
        assert_eq!(geometric_mean(&[4.0.into(), 9.0.into()]).interval, None);
    }
}
