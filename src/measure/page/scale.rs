//! Scales that map values to positions along an axis, and the positions of ticks.

use super::number::{length_tick, tick, tick_among};

use crate::arrays::MapEach;

/// Map of values to positions between the two ends of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    Linear {
        low: f64,
        high: f64,
    },
    /// Logarithmic scale. Values that are not above `low` are placed at `low`.
    Log {
        low: f64,
        high: f64,
    },
}

/// Format of the ticks of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Number,
    /// Ticks at whole numbers only.
    Whole,
    /// Each tick in a suitable unit of length. Values are in meters.
    Length,
    /// No ticks, because labels are in the plot itself.
    Bare,
}

/// One axis of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub label: String,
    pub scale: Scale,
    pub form: Form,
}

/// Ratio of the largest to the smallest value above which an axis is logarithmic.
const WIDE: f64 = 30.0;
/// Smallest value shown on a logarithmic axis, relative to the largest, if smaller values do not
/// matter.
const DEEPEST: f64 = 1e-6;

impl Scale {
    /// Creates a linear scale from `low` to `high`, widened if they are equal.
    pub fn linear(low: f64, high: f64) -> Self {
        let size = low.abs().max(high.abs());
        let pad = if high - low > 1e-9 * size {
            0.0
        } else if size > 0.0 {
            0.1 * size
        } else {
            1.0
        };
        Self::Linear { low: low - pad, high: high + pad }
    }

    /// Creates a linear scale from zero, or from the smallest value if it is below zero, to a little
    /// above the largest value. `None` without finite values.
    pub fn from_zero(values: impl Iterator<Item = f64>) -> Option<Self> {
        let (low, high) = range(values)?;
        let high = if high > 0.0 { 1.05 * high } else { high.max(low + 1.0) };
        Some(Self::Linear { low: low.min(0.0), high })
    }

    /// Creates a logarithmic scale from `low` to `high`, which must be above zero; widened if they are
    /// equal.
    pub fn log(low: f64, high: f64) -> Self {
        if high > 1.01 * low {
            Self::Log { low, high }
        } else {
            Self::Log { low: low / 2.0, high: high * 2.0 }
        }
    }

    /// Creates a logarithmic scale if the positive values spread by more than `WIDE`, else a linear
    /// scale from zero. `None` without finite values.
    pub fn fitting(values: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        match range(values.clone().filter(|&v| v > 0.0)) {
            Some((low, high)) if high > WIDE * low => {
                Some(Self::log(low.max(DEEPEST * high) / 1.1, 1.1 * high))
            }
            _ => Self::from_zero(values),
        }
    }

    /// Returns the position of a value on the scale, 0 to 1. Values outside the scale are clamped.
    pub fn share(self, value: f64) -> f64 {
        let share = match self {
            Self::Linear { low, high } => (value - low) / (high - low),
            Self::Log { low, .. } if value <= low => 0.0,
            Self::Log { low, high } => (value / low).ln() / (high / low).ln(),
        };
        share.clamp(0.0, 1.0)
    }

    pub fn is_log(self) -> bool {
        matches!(self, Self::Log { .. })
    }

    fn ticks(self) -> Vec<f64> {
        match self {
            Self::Linear { low, high } => linear_ticks(low, high),
            Self::Log { low, high } => log_ticks(low, high),
        }
    }
}

impl Axis {
    pub fn new(label: &str, scale: Scale, form: Form) -> Self {
        let label = if scale.is_log() { format!("{label}, log scale") } else { label.to_owned() };
        Self { label, scale, form }
    }

    /// Creates an axis for steps from 1 to `steps`. Each step has unit width.
    pub fn steps(steps: u32) -> Self {
        Self::new("step", Scale::Linear { low: 0.5, high: f64::from(steps.max(1)) + 0.5 }, Form::Whole)
    }

    /// Returns the positions of the ticks and their labels.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let mut ticks = self.scale.ticks();
        match self.form {
            Form::Bare => ticks.clear(),
            Form::Whole => ticks.retain(|v| v.fract() == 0.0),
            Form::Number | Form::Length => {}
        }
        let most = ticks.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        let apart = ticks.windows(2).map(|two| two[1] - two[0]).fold(f64::INFINITY, f64::min);
        let decimals = if apart < 1.0 { (-apart.log10().floor()) as usize } else { 0 };
        let label = |v: f64| match (self.form, self.scale) {
            (Form::Length, _) => length_tick(v),
            (_, Scale::Log { .. }) => tick(v),
            _ => tick_among(v, most, decimals),
        };
        ticks.into_iter().map(|v| (v, label(v))).collect()
    }
}

/// Returns the smallest and the largest of the finite values; `None` without any.
pub fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let finite = values.filter(|v| v.is_finite());
    finite.fold(None, |range, v| match range {
        None => Some((v, v)),
        Some((low, high)) => Some((v.min(low), v.max(high))),
    })
}

/// Returns about six ticks, at multiples of 1, 2 or 5 times a power of ten.
fn linear_ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 6.0;
    let power = 10.0_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map_each(|m| m * power).into_iter().find(|s| *s >= rough * 0.999);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step - 1e-9).ceil();
    let count = (high / step + 1e-9).floor() - first;
    (0..=count.max(0.0) as u32).map(|k| (first + f64::from(k)) * step).collect()
}

/// Returns powers of ten as ticks, thinned if there are many. If there are few, also 2 and 5 times
/// them.
fn log_ticks(low: f64, high: f64) -> Vec<f64> {
    let inside = |v: &f64| *v >= low * 0.999 && *v <= high * 1.001;
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let powers = first..=last;
    let at_most = |stride: i32| {
        let powers = powers.clone().filter(|p| p % stride == 0);
        powers.map(|p| 10.0_f64.powi(p)).filter(inside).collect::<Vec<f64>>()
    };
    let decades = at_most(1);
    if decades.len() > 2 {
        // Every third power is kept, because units change there.
        return if decades.len() <= 7 { decades } else { at_most(3) };
    }
    let between = powers.clone().flat_map(|p| [1.0, 2.0, 5.0].map_each(|m| m * 10.0_f64.powi(p)));
    let between: Vec<f64> = between.filter(inside).collect();
    if between.len() >= 3 { between } else { linear_ticks(low, high) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, form: Form) -> Vec<String> {
        Axis::new("x", scale, form).ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_and_a_handful() {
        assert_eq!(
            labels(Scale::linear(0.5, 600.5), Form::Number),
            ["100", "200", "300", "400", "500", "600"]
        );
        assert_eq!(labels(Scale::linear(0.0, 21_000.0), Form::Number), ["0", "5k", "10k", "15k", "20k"]);
        assert_eq!(labels(Scale::linear(-1.0, 1.2), Form::Number), ["−1", "−0.5", "0", "0.5", "1"]);
        assert_eq!(labels(Scale::log(0.8, 3000.0), Form::Number), ["1", "10", "100", "1000"]);
        assert_eq!(labels(Scale::log(1.5, 12.0), Form::Number), ["2", "5", "10"]);
        assert_eq!(labels(Scale::log(1e-12, 2.0), Form::Length), ["1 pm", "1 nm", "1 µm", "1 mm", "1 m"]);
        assert_eq!(Axis::steps(1).ticks(), [(1.0, "1".to_owned())]);
    }

    #[test]
    fn one_value_is_in_the_middle_and_none_is_no_scale() {
        for value in [0.0, 3.0, -7e12, 1e-300] {
            assert!((Scale::linear(value, value).share(value) - 0.5).abs() < 1e-3, "{value}");
        }
        assert!((Scale::log(5.0, 5.0).share(5.0) - 0.5).abs() < 1e-9);
        assert_eq!(Scale::from_zero([f64::NAN, f64::INFINITY].into_iter()), None);
        assert_eq!(Scale::from_zero([0.0].into_iter()), Some(Scale::Linear { low: 0.0, high: 1.0 }));
    }

    #[test]
    fn values_outside_the_scale_lie_at_its_end() {
        let log = Scale::log(1.0, 100.0);
        assert_eq!([-5.0, 0.0, 10.0, 1e9].map(|v| log.share(v)), [0.0, 0.0, 0.5, 1.0]);
    }

    #[test]
    fn times_far_apart_are_drawn_by_powers_of_ten() {
        assert!(Scale::fitting([1.0, 40.0].into_iter()).unwrap().is_log());
        assert!(!Scale::fitting([1.0, 20.0, 0.0].into_iter()).unwrap().is_log());
    }
}
