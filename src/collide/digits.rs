//! Numbers formatted for people.

/// Formats a count with separators: 1234567 → 1,234,567.
pub fn grouped(count: u64) -> String {
    grouped_by(',', count)
}

/// Formats a count with `separator` between groups of three digits.
pub fn grouped_by(separator: char, count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

/// Formats a measure in a few characters: 0.016666666666666666 → 0.017, 1e-300 → 1.000e-300.
pub fn short(measure: f64) -> String {
    const LENGTH: usize = 8;
    let whole = measure.to_string();
    match measure.abs() {
        f64::INFINITY => "infinite".to_owned(),
        _ if whole.len() <= LENGTH => whole,
        m if (1e-3..1e7).contains(&m) => format!("{measure:.3}"),
        _ => format!("{measure:.3e}"),
    }
}

/// Formats a time in seconds with its unit, as a person writes it: `1/60 s`, `0.005 s`, `2.34568 s`.
pub fn seconds(time: f64) -> String {
    /// Largest number of digits of a time that is shown as a decimal number rather than a fraction.
    const WRITTEN: usize = 3;
    const MOST_PARTS: f64 = 1e5;
    /// Length above which a number is shown with a power of ten.
    const LENGTH: usize = 12;
    let digits = format!("{time:e}").bytes().take_while(|b| *b != b'e').filter(u8::is_ascii_digit).count();
    let parts = (1.0 / time).round();
    // Only for an exact fraction: two different times must not be formatted the same.
    if digits > WRITTEN && (2.0..=MOST_PARTS).contains(&parts) && 1.0 / parts == time {
        return format!("1/{parts} s");
    }
    let rounded = format!("{time:.5e}").parse().unwrap_or(time);
    let text = rounded.to_string();
    if text.len() > LENGTH { format!("{rounded:e} s") } else { format!("{text} s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_of_three_digits_from_the_right() {
        let texts = [0, 7, 999, 1000, 175_696, 1_000_000].map(grouped);
        assert_eq!(texts, ["0", "7", "999", "1,000", "175,696", "1,000,000"]);
        assert_eq!(grouped_by('\u{202f}', 175_696), "175\u{202f}696");
    }

    #[test]
    fn a_measure_is_short_however_small_or_large() {
        let texts = [0.0, 2.5, -1.0 / 60.0, 1e-300, 1.5e300, 123_456.789, f64::INFINITY].map(short);
        assert_eq!(texts, ["0", "2.5", "-0.017", "1.000e-300", "1.500e300", "123456.789", "infinite"]);
    }

    #[test]
    fn a_time_is_a_fraction_where_its_decimals_would_not_end() {
        let texts = [1.0 / 60.0, 1.0 / 3.0, 1.0 / 64.0, 1.0 / 44_100.0].map(seconds);
        assert_eq!(texts, ["1/60 s", "1/3 s", "1/64 s", "1/44100 s"]);
        let texts = [0.5, 0.01, 0.005, 0.0125, 1e-5, 1e-9, 0.0, 3.0, 10.0].map(seconds);
        let written = ["0.5", "0.01", "0.005", "0.0125", "0.00001", "0.000000001", "0", "3", "10"];
        assert_eq!(texts, written.map(|number| format!("{number} s")));
        let texts = [2.0 / 3.0, 2.345_678_9, 0.016_666_666, -1.0 / 60.0, 1e-300, 1.5e300].map(seconds);
        let rounded = ["0.666667", "2.34568", "0.0166667", "-0.0166667", "1e-300", "1.5e300"];
        assert_eq!(texts, rounded.map(|number| format!("{number} s")));
        assert_eq!([f64::NAN, f64::INFINITY].map(seconds), ["NaN s", "inf s"]);
    }
}
