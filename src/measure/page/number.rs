//! Numbers as pages show them: three significant digits, suitable units, and a dash for values that are
//! not finite.

use crate::digits::grouped;

/// Text in place of a number that does not exist.
pub const NOTHING: &str = "–";

/// Formats a number with three significant digits, in full: 0.00123, 12.3, 4,570.
pub fn digits(number: f64) -> String {
    if !number.is_finite() {
        return NOTHING.to_owned();
    }
    let size = number.abs();
    match size {
        0.0 => "0".to_owned(),
        s if !(1e-9..1e15).contains(&s) => format!("{number:.2e}"),
        // The threshold allows for rounding: 99.96 is shown as 100.
        s if s >= 99.95 => {
            let sign = if number < 0.0 { "−" } else { "" };
            format!("{sign}{}", grouped(size.round_ties_even() as u64))
        }
        _ => {
            let decimals = (2 - size.log10().floor() as i32).max(0) as usize;
            format!("{number:.decimals$}").replace('-', "−")
        }
    }
}

/// Formats an interval: "1.23–1.45".
pub fn interval([low, high]: [f64; 2]) -> String {
    format!("{}–{}", digits(low), digits(high))
}

const LENGTHS: [(f64, &str); 6] =
    [(1e3, "km"), (1.0, "m"), (1e-3, "mm"), (1e-6, "µm"), (1e-9, "nm"), (1e-12, "pm")];

/// Formats a length, given in meters, in a suitable unit: "1.23 µm".
pub fn length(metres: f64) -> String {
    let (least, unit) = LENGTHS[LENGTHS.len() - 1];
    if metres > 0.0 && metres < least {
        return format!("less than 1 {unit}");
    }
    if metres == 0.0 || !metres.is_finite() {
        return format!("{} m", digits(metres));
    }
    let (factor, unit) = unit_of(metres);
    format!("{} {unit}", digits(metres / factor))
}

fn unit_of(metres: f64) -> (f64, &'static str) {
    let size = metres.abs() * (1.0 + 1e-9);
    LENGTHS.into_iter().find(|(factor, _)| size >= *factor).unwrap_or(LENGTHS[LENGTHS.len() - 1])
}

/// Formats a tick of a length axis: "100 nm".
pub fn length_tick(metres: f64) -> String {
    let (factor, unit) = unit_of(metres);
    format!("{} {unit}", plain(metres / factor, 6))
}

/// Formats bytes as MiB.
pub fn mebibytes(bytes: u64) -> String {
    digits(bytes as f64 / 1_048_576.0)
}

/// Formats the label of a single tick: 0.05, 20k, 3M.
pub fn tick(value: f64) -> String {
    tick_among(value, value, 6)
}

/// Formats a tick's label in the same unit as other ticks, of which `most` is the largest.
pub fn tick_among(value: f64, most: f64, decimals: usize) -> String {
    match most.abs() * (1.0 + 1e-9) {
        _ if value == 0.0 => "0".to_owned(),
        m if !(1e-6..1e15).contains(&m) => format!("{value:.1e}").replace('-', "−"),
        m if m >= 1e9 => plain(value / 1e9, decimals + 9) + "G",
        m if m >= 1e6 => plain(value / 1e6, decimals + 6) + "M",
        m if m >= 1e4 => plain(value / 1e3, decimals + 3) + "k",
        _ => plain(value, decimals),
    }
}

/// Formats a number without trailing zeros.
fn plain(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_written_in_full() {
        let texts = [0.0, 0.001_234_5, 0.5, 9.876, 12.34, 99.97, 4567.8, -0.25, -1234.0].map(digits);
        assert_eq!(texts, ["0", "0.00123", "0.500", "9.88", "12.3", "100", "4,568", "−0.250", "−1,234"]);
        assert_eq!([f64::NAN, f64::INFINITY].map(digits), [NOTHING; 2]);
        assert_eq!(interval([1.0, 2.5]), "1.00–2.50");
    }

    #[test]
    fn lengths_have_the_unit_that_fits() {
        let texts = [0.0, 1.234e-6, 0.05, 2.0, 12_345.0, 3e-13].map(length);
        assert_eq!(texts, ["0 m", "1.23 µm", "50.0 mm", "2.00 m", "12.3 km", "less than 1 pm"]);
        assert_eq!([1e-12, 1e-7, 1e-3, 10.0].map(length_tick), ["1 pm", "100 nm", "1 mm", "10 m"]);
        assert_eq!(mebibytes(3 << 20), "3.00");
    }

    #[test]
    fn ticks_are_plain_numbers() {
        assert_eq!(
            [0.0, 0.05, 500.0, 20_000.0, 2.5e6, -3e9].map(tick),
            ["0", "0.05", "500", "20k", "2.5M", "−3G"]
        );
        assert_eq!([0.0, 5_000.0, 20_000.0].map(|v| tick_among(v, 20_000.0, 0)), ["0", "5k", "20k"]);
    }
}
