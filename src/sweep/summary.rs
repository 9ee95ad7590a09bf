//! The results of a sweep in words and small tables: how often runs fail, and on which key that depends
//! most.

use std::collections::{HashMap, HashSet};

use super::merge::Merged;
use super::result::{End, Tally};
use super::row::{DEEPEST_OVERLAP, Row};
use crate::digits::grouped;
use crate::order::Order;
use crate::page::number::digits;
use crate::page::scale::range;

/// Key whose values only name random placements. A result does not depend on it in any order.
pub const SEED: &str = "seed";
/// Number of different numbers of a key above which they are put together in ranges.
const NUMBERS_APART: usize = 12;
/// Number of such ranges.
const RANGES: usize = 10;
/// Number of different texts of a key above which the rest is put together.
const TEXTS_APART: usize = 60;
/// Quantile of the normal distribution for an interval of 99.7 %. With less, the most different of many
/// groups often differ by chance alone.
const Z: f64 = 3.0;

/// Runs that have one value of a key, or a value in one range.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Value, or the ends of the range.
    pub label: String,
    pub runs: u64,
    /// Number of runs that broke an expectation or have no report.
    pub failing: u64,
    /// Mean of the deepest overlaps, mm; `None` without a report.
    pub overlap_mm: Option<f64>,
}

/// Values of a key in all runs, put together.
#[derive(Clone, Debug, PartialEq)]
pub struct KeySummary {
    pub key: String,
    pub groups: Vec<Group>,
}

/// Assignment of the values of a key to a few groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Grouping {
    pub labels: Vec<String>,
    form: Form,
}

#[derive(Clone, Debug, PartialEq)]
enum Form {
    /// Each label is a value; those that are no label are in the last group.
    Apart,
    /// Equal ranges between two numbers.
    Ranges(f64, f64),
}

impl Grouping {
    /// Groups the values of a key: each value alone, or ranges of numbers if there are many.
    pub fn of<'a>(values: impl Iterator<Item = &'a str> + Clone) -> Self {
        let mut seen = HashSet::new();
        let mut apart: Vec<&str> = values.filter(|value| seen.insert(*value)).collect();
        let numbers: Option<Vec<f64>> = apart.iter().map(|value| value.parse::<f64>().ok()).collect();
        match numbers.as_deref().map(|numbers| range(numbers.iter().copied())) {
            Some(Some((low, high))) if apart.len() > NUMBERS_APART && low < high => {
                let end = |k: usize| low + (high - low) * k as f64 / RANGES as f64;
                let label = |k: usize| format!("{} to {}", digits(end(k)), digits(end(k + 1)));
                Self { labels: (0..RANGES).map(label).collect(), form: Form::Ranges(low, high) }
            }
            Some(_) => {
                apart.order_by(|a, b| {
                    let [a, b] = [a, b].map(|text| text.parse::<f64>().unwrap_or_default());
                    a.total_cmp(&b)
                });
                Self { labels: apart.into_iter().map(str::to_owned).collect(), form: Form::Apart }
            }
            None => {
                let others = (apart.len() > TEXTS_APART).then(|| "others".to_owned());
                let labels = apart.into_iter().take(TEXTS_APART).map(str::to_owned);
                Self { labels: labels.chain(others).collect(), form: Form::Apart }
            }
        }
    }

    /// Returns the group of a value.
    pub fn place(&self, value: &str) -> usize {
        let last = self.labels.len().saturating_sub(1);
        match self.form {
            Form::Ranges(low, high) => {
                let share = (value.parse().unwrap_or(high) - low) / (high - low);
                ((share * RANGES as f64) as usize).min(last)
            }
            Form::Apart => self.labels.iter().position(|own| own == value).unwrap_or(last),
        }
    }
}

impl Merged {
    /// Returns the numbers of runs with a result, by their ends.
    pub fn ends(&self) -> Tally {
        let mut ends = Tally::default();
        self.rows.iter().for_each(|row| ends.add(row.end));
        ends
    }

    /// Returns for each key with several values, except the seed, how the runs of each value ended.
    pub fn key_summaries(&self) -> Vec<KeySummary> {
        let keys: Vec<&str> = self.manifest.plan.keys().collect();
        let summaries = keys.iter().enumerate().map(|(place, key)| {
            let grouping = self.grouping(place);
            let mut groups: Vec<Vec<&Row>> = vec![Vec::new(); grouping.labels.len()];
            for row in &self.rows {
                groups[grouping.place(&row.values[place])].push(row);
            }
            let groups = grouping.labels.iter().zip(groups).filter(|(_, rows)| !rows.is_empty());
            let groups = groups.map(|(label, rows)| Group::of(label.clone(), &rows));
            KeySummary { key: (*key).to_owned(), groups: groups.collect() }
        });
        summaries.filter(|summary| summary.groups.len() > 1 && summary.key != SEED).collect()
    }

    /// Groups the values of a key, which is given by its place.
    pub fn grouping(&self, key: usize) -> Grouping {
        Grouping::of(self.rows.iter().map(|row| row.values[key].as_str()))
    }
}

impl Group {
    /// Summarizes some runs. There must be at least one.
    pub fn of(label: String, rows: &[&Row]) -> Self {
        let overlaps = rows.iter().filter_map(|row| row.figures[DEEPEST_OVERLAP]);
        let (count, sum) = overlaps.fold((0_u32, 0.0), |(count, sum), own| (count + 1, sum + own));
        Self {
            label,
            runs: rows.len() as u64,
            failing: rows.iter().filter(|row| row.is_failing()).count() as u64,
            overlap_mm: (count > 0).then(|| sum / f64::from(count)),
        }
    }

    /// Returns the share of failing runs.
    pub fn share(&self) -> f64 {
        self.failing as f64 / self.runs.max(1) as f64
    }

    /// Returns an interval that holds the share with a probability of 99.7 % (Wilson).
    fn interval(&self) -> [f64; 2] {
        let (n, share) = (self.runs.max(1) as f64, self.share());
        let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        [middle - half, middle + half]
    }
}

/// Describes the results in one to three sentences: how many runs failed, and the key on which that
/// depends most.
pub fn opening(merged: &Merged) -> Vec<String> {
    let ends = merged.ends();
    let runs = grouped(ends.count());
    let scene = &merged.manifest.scene;
    let missing = match merged.missing.len() {
        0 => String::new(),
        count => format!(" ({} have no result yet)", grouped(count as u64)),
    };
    let first = match (ends.of(End::Broken), merged.expectations().len()) {
        (0, 0) => format!("{} of {scene}{missing} broke no expectation.", counted(ends.of(End::Held))),
        (0, _) => format!(
            "All expectations of {scene} held in {} of {runs} runs{missing}.",
            grouped(ends.of(End::Held))
        ),
        (broken, _) => {
            let share = digits(100.0 * broken as f64 / ends.count().max(1) as f64);
            let (broken, verb) = (grouped(broken), if broken == 1 { "breaks" } else { "break" });
            format!("{broken} of {runs} runs of {scene}{missing} {verb} an expectation ({share} %).")
        }
    };
    let mut sentences = vec![first];
    let without = ends.of(End::Refused) + ends.of(End::Died);
    if without > 0 {
        sentences.push(format!("Without a report: {}.", counted(without)));
    }
    sentences.extend(strongest(&merged.key_summaries()));
    if is_seed_idle(merged) {
        sentences.push("The seed makes no difference: nothing in the scene is random.".to_owned());
    }
    sentences
}

fn counted(runs: u64) -> String {
    format!("{} run{}", grouped(runs), if runs == 1 { "" } else { "s" })
}

/// Returns whether runs that differ only in their seeds end in the same state.
fn is_seed_idle(merged: &Merged) -> bool {
    let Some(place) = merged.manifest.plan.keys().position(|key| key == SEED) else { return false };
    let mut states: HashMap<Vec<&str>, &str> = HashMap::new();
    let mut is_compared = false;
    for row in &merged.rows {
        let Some(state) = row.state_hash.as_deref() else { continue };
        let mut others: Vec<&str> = row.values.iter().map(String::as_str).collect();
        others.remove(place);
        if let Some(first) = states.get(&others) {
            if *first != state {
                return false;
            }
            is_compared = true;
        } else {
            states.insert(others, state);
        }
    }
    is_compared
}

/// Describes the key whose values differ most in their shares of failing runs. Says nothing if chance
/// may explain the difference.
fn strongest(keys: &[KeySummary]) -> Option<String> {
    let spread = |summary: &KeySummary| {
        let by_share = |a: &&Group, b: &&Group| a.share().total_cmp(&b.share());
        let most = summary.groups.iter().max_by(by_share)?.clone();
        let least = summary.groups.iter().min_by(by_share)?.clone();
        let is_clear = most.interval()[0] > least.interval()[1];
        is_clear.then(|| (most.share() - least.share(), summary.key.clone(), most, least))
    };
    let all = keys.iter().filter_map(spread);
    let (_, key, most, least) = all.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let of =
        |group: &Group| format!("{} of {} at {}", grouped(group.failing), grouped(group.runs), group.label);
    Some(format!("Failures depend most on {key}: {}, {}.", of(&most), of(&least)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(label: &str, failing: u64, runs: u64) -> Group {
        Group { label: label.to_owned(), runs, failing, overlap_mm: None }
    }

    fn key(key: &str, groups: &[Group]) -> KeySummary {
        KeySummary { key: key.to_owned(), groups: groups.to_vec() }
    }

    #[test]
    fn numbers_are_sorted_and_many_are_put_into_ranges() {
        let few = Grouping::of(["10.0", "9", "1e-3"].into_iter());
        assert_eq!(few.labels, ["1e-3", "9", "10.0"]);
        assert_eq!(few.place("9"), 1);
        assert_eq!(Grouping::of(["obb", "aabb", "obb"].into_iter()).labels, ["obb", "aabb"]);
        let files: Vec<String> = (0..100).map(|k| format!("{k}.stl")).collect();
        let files = Grouping::of(files.iter().map(String::as_str));
        assert_eq!((files.labels.len(), &files.labels[60][..]), (61, "others"));
        assert_eq!(["59.stl", "60.stl", "99.stl"].map(|file| files.place(file)), [59, 60, 60]);
        let texts: Vec<String> = (0..=100).map(|k| k.to_string()).collect();
        let many = Grouping::of(texts.iter().map(String::as_str));
        assert_eq!((many.labels.len(), &many.labels[3][..]), (10, "30.0 to 40.0"));
        let places = ["0", "9.99", "10", "99", "100"].map(|text| many.place(text));
        assert_eq!(places, [0, 0, 1, 9, 9]);
    }

    #[test]
    fn the_key_with_the_largest_clear_difference_is_named() {
        let friction = key("friction", &[group("0.1", 40, 50), group("0.5", 10, 50), group("0.9", 0, 50)]);
        let height = key("height", &[group("1", 30, 50), group("2", 5, 50)]);
        let sentence = strongest(&[height, friction]).unwrap();
        assert_eq!(sentence, "Failures depend most on friction: 40 of 50 at 0.1, 0 of 50 at 0.9.");
        // Chance explains these: two of ten groups with 0.84 failing differ by as much.
        assert_eq!(strongest(&[key("height", &[group("1", 47, 50), group("2", 35, 50)])]), None);
        assert_eq!(strongest(&[key("height", &[group("1", 2, 4), group("2", 0, 4)])]), None);
        assert_eq!(strongest(&[key("height", &[group("1", 0, 50), group("2", 0, 50)])]), None);
    }

    /// Compares with the interval of 10 of 50 by the closed form, computed apart.
    #[test]
    fn the_interval_of_a_share_is_that_of_wilson() {
        let [low, high] = group("", 10, 50).interval();
        assert!((low - 0.082_97).abs() < 1e-4 && (high - 0.408_55).abs() < 1e-4, "{low} {high}");
    }
}
