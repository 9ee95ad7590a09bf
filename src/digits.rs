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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_of_three_digits_from_the_right() {
        let texts = [0, 7, 999, 1000, 175_696, 1_000_000].map(grouped);
        assert_eq!(texts, ["0", "7", "999", "1,000", "175,696", "1,000,000"]);
        assert_eq!(grouped_by('\u{202f}', 175_696), "175\u{202f}696");
    }
}
