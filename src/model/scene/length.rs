//! Lengths as people write them: a number and its unit.

use std::str::FromStr;

/// Length, m, from 0 to 1000 km.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Length(pub f64);

/// Longest length, m.
const LONGEST: f64 = 1e6;
/// Units and their lengths, m. A unit stands before every unit that is a suffix of its name ("mm"
/// before "m").
const UNITS: [(&str, f64); 7] =
    [("mm", 1e-3), ("cm", 1e-2), ("um", 1e-6), ("µm", 1e-6), ("μm", 1e-6), ("in", 0.0254), ("m", 1.0)];

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "{text:?} is not a length: write a number and its unit, as in 1mm, 20um, 0.5cm, 0.1in or 2m"
            )
        };
        let trimmed = text.trim();
        let with_unit = UNITS.iter().find_map(|(unit, meters)| Some((trimmed.strip_suffix(unit)?, meters)));
        let (number, meters) = match with_unit {
            Some((number, meters)) => (number.trim_end(), *meters),
            // Zero needs no unit.
            None if trimmed.parse() == Ok(0.0) => ("0", 1.0),
            None => return Err(wrong()),
        };
        let length = number.parse::<f64>().map_err(|_| wrong())? * meters;
        if !(0.0..=LONGEST).contains(&length) {
            return Err(format!("{text:?} is not a length: it must be at least 0 and at most 1000 km"));
        }
        Ok(Self(length))
    }
}

/// Formats a length in µm (below 0.1 mm), mm (below 1 m) or m. The number has three decimals below 10,
/// two below 100 and one above; below 0.01 it has two significant digits.
pub fn written(meters: f64) -> String {
    let (value, unit) = match meters.abs() {
        0.0 => return "0".to_owned(),
        x if x < 1e-4 => (meters * 1e6, "µm"),
        x if x < 1.0 => (meters * 1e3, "mm"),
        _ => (meters, "m"),
    };
    match value.abs() {
        x if x < 0.01 => format!("{value:.1e} {unit}"),
        x if x < 10.0 => format!("{value:.3} {unit}"),
        x if x < 100.0 => format!("{value:.2} {unit}"),
        _ => format!("{value:.1} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_a_unit_and_are_finite() {
        let meters = |text: &str| text.parse::<Length>().map(|Length(meters)| meters);
        for (text, right) in
            [("1mm", 1e-3), (" 2.5 cm", 0.025), ("20um", 2e-5), ("20 µm", 2e-5), ("3m", 3.0), ("0", 0.0)]
        {
            assert!((meters(text).unwrap() - right).abs() < 1e-18, "{text}");
        }
        for text in ["1", "", "mm", "NaN mm", "infm", "-1mm", "1e400m", "1e300m", "one mm", "1 furlong"] {
            assert!(meters(text).is_err(), "{text}");
        }
    }

    #[test]
    fn lengths_are_written_with_three_digits() {
        let all = [0.0, 5e-8, 2.13e-5, 5.0009e-5, 4e-4, 0.0378, 0.25, 12.0].map(written);
        let right = ["0", "0.050 µm", "21.30 µm", "50.01 µm", "0.400 mm", "37.80 mm", "250.0 mm", "12.00 m"];
        assert_eq!(all, right);
    }
}
