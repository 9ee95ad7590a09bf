//! Search for the name that is most similar to one that was not found.

/// Largest number of names that are compared with the wanted one; a scene can have a hundred thousand.
pub(crate) const NAMES_COMPARED: usize = 10_000;
/// Longest wanted name that is compared, in characters. The comparison takes time in proportion to the
/// product of both lengths.
const LONGEST_NAME: usize = 100;

/// Returns the name with the smallest edit distance from `wanted` (changes, insertions, deletions,
/// transpositions); `None` if that distance is more than a third of the letters of `wanted`.
pub fn most_alike<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: String = wanted.to_lowercase().chars().filter(|c| !"*?[]{}".contains(*c)).collect();
    let length = wanted.chars().count();
    let most = (length / 3).max(1);
    if !(2..=LONGEST_NAME).contains(&length) {
        return None;
    }
    let distance = |name: &str| {
        let other = name.chars().take(LONGEST_NAME + 1).count();
        (other.abs_diff(length) <= most).then(|| strsim::osa_distance(&wanted, &name.to_lowercase()))
    };
    let alike = names.take(NAMES_COMPARED).filter_map(|name| Some((distance(name)?, name)));
    alike.filter(|(distance, _)| *distance <= most).min().map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_like_the_wanted_one_is_suggested_and_no_other() {
        let names = ["parts-tray", "walk-through", "chain", "ragdolls"];
        for (wanted, alike) in [
            ("walkthrough", Some("walk-through")),
            ("Parts-try", Some("parts-tray")),
            ("*chian*", Some("chain")),
            ("tray", None),
            ("", None),
        ] {
            assert_eq!(most_alike(wanted, names.into_iter()), alike, "{wanted}");
        }
        let long = "a".repeat(100_000);
        assert_eq!(most_alike(&long, [long.as_str()].into_iter()), None);
    }
}
