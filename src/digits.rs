//! Numbers as people read them.

/// 1234567 → 1,234,567.
pub fn grouped(count: u64) -> String {
    grouped_by(',', count)
}

/// With another separator between groups of three digits.
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

/// A measure in a few digits: 0.016666666666666666 → 0.017, 1e-300 as it is.
pub fn short(measure: f64) -> String {
    const LENGTH: usize = 8;
    let whole = measure.to_string();
    match measure.abs() {
        f64::INFINITY => "endless".to_owned(),
        _ if whole.len() <= LENGTH => whole,
        m if (1e-3..1e7).contains(&m) => format!("{measure:.3}"),
        _ => format!("{measure:.3e}"),
    }
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
        assert_eq!(texts, ["0", "2.5", "-0.017", "1.000e-300", "1.500e300", "123456.789", "endless"]);
    }
}
