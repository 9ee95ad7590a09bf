//! Rules for pairs of parts by name: least distance, required contact, allowed overlap, or exclusion.

use serde::{Deserialize, Serialize};

use super::examine::Demand;
use crate::scene::{CheckEntry, Length, PartPattern, Scene, instead};

/// Largest number of rules of one check.
const MOST_RULES: usize = 1024;

/// Rules of a check, with the bodies that their names match.
#[derive(Default)]
pub struct Rules {
    rules: Vec<Rule>,
}

struct Rule {
    /// Whether each body matches the rule's first name, and the second.
    is_named: [Vec<bool>; 2],
    /// Bodies that match the rule's first name, and the second, ascending.
    named: [Vec<u32>; 2],
    min: Option<f64>,
    overlap: Option<f64>,
    is_ignored: bool,
    must_touch: bool,
}

/// File of rules.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RuleFile {
    #[serde(default, rename = "check")]
    pub checks: Vec<CheckEntry>,
}

impl Rules {
    /// Resolves the names of rules to bodies of the scene.
    ///
    /// # Errors
    /// Returns an error if there are more than `MOST_RULES` rules, or if a rule is empty, contradicts
    /// itself, has an invalid length or pattern, or names no body.
    pub fn new(entries: &[CheckEntry], scene: &Scene) -> Result<Self, String> {
        if entries.len() > MOST_RULES {
            return Err(format!("there are {} rules, the limit is {MOST_RULES}", entries.len()));
        }
        let rule = |(number, entry): (usize, &CheckEntry)| {
            Rule::new(entry, scene)
                .map_err(|reason| format!("check rule {number} ({} / {}): {reason}", entry.a, entry.b))
        };
        let rules: Result<Vec<Rule>, String> = (1..).zip(entries).map(rule).collect();
        Ok(Self { rules: rules? })
    }

    /// Returns the greatest distance that a rule demands, m; 0 if no rule demands one.
    pub fn widest_clearance(&self) -> f64 {
        self.rules.iter().filter_map(|rule| rule.min).fold(0.0, f64::max)
    }

    /// Returns the demand on a pair, or `None` if the last rule about the pair ignores it. `otherwise`
    /// holds where no rule specifies a value; a later rule overrides an earlier one.
    pub fn demand(&self, pair: [u32; 2], otherwise: Demand) -> Option<Demand> {
        let mut demand = otherwise;
        let mut is_ignored = false;
        for rule in self.rules.iter().filter(|rule| rule.is_about(pair)) {
            is_ignored = rule.is_ignored;
            demand.may_touch |= rule.must_touch;
            demand.clearance = rule.min.unwrap_or(demand.clearance);
            demand.overlap = rule.overlap.unwrap_or(demand.overlap);
        }
        (!is_ignored).then_some(demand)
    }

    /// Returns two lists of bodies per rule that demands contact. Each body of the first list must
    /// touch at least one of the second.
    pub fn touching(&self) -> impl Iterator<Item = (&[u32], &[u32])> {
        let touching = self.rules.iter().filter(|rule| rule.must_touch);
        touching.map(|rule| (&rule.named[0][..], &rule.named[1][..]))
    }
}

impl Rule {
    fn new(entry: &CheckEntry, scene: &Scene) -> Result<Self, String> {
        let length = |text: &Option<String>, key: &str| {
            let parsed = text.as_deref().map(str::parse::<Length>).transpose();
            parsed.map(|l| l.map(|Length(meters)| meters)).map_err(|e| format!("{key}: {e}"))
        };
        let (min, overlap) = (length(&entry.min, "min")?, length(&entry.overlap, "overlap")?);
        let says = [min.is_some(), overlap.is_some(), entry.ignore, entry.touching];
        if !says.contains(&true) {
            return Err("says nothing: it has none of min, overlap, ignore and touching".to_owned());
        }
        if entry.ignore && says.iter().filter(|says| **says).count() > 1 {
            return Err("ignore = true leaves the pair out, so the rule can have no other key".to_owned());
        }
        let mut is_named = [vec![], vec![]];
        for (names, pattern) in is_named.iter_mut().zip([&entry.a, &entry.b]) {
            let select = PartPattern::new(pattern)?;
            *names = scene.bodies.iter().map(|body| select.is_match(body)).collect();
            if !names.contains(&true) {
                let known = scene.bodies.iter().map(|body| body.name.as_str());
                return Err(format!("no part is called {pattern:?}{}", instead(pattern, known)));
            }
        }
        let named = is_named
            .clone()
            .map(|names| (0..).zip(names).filter(|(_, is_named)| *is_named).map(|(part, _)| part).collect());
        let (is_ignored, must_touch) = (entry.ignore, entry.touching);
        Ok(Self { is_named, named, min, overlap, is_ignored, must_touch })
    }

    fn is_about(&self, [a, b]: [u32; 2]) -> bool {
        let [first, second] = &self.is_named;
        let (a, b) = (a as usize, b as usize);
        (first[a] && second[b]) || (first[b] && second[a])
    }
}
