//! Review of findings: the accepted ones, with comments, in a file beside the model.
//!
//! `parts.glb` ↔ `parts.glb.review.toml`. A finding is identified by its kind and its id, or the paths
//! of its parts, so a review stays valid when the model changes. The window writes the file, and a check
//! reads it. A file that cannot be read is not overwritten.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::finding::Finding;
use crate::check::Kind;
use crate::files::{self, Existing, REVIEW_ENDING};

/// Largest size of a review file, bytes.
const MOST_BYTES: u64 = 16 << 20;

/// Share by which an accepted finding may become worse, unless the user sets another.
pub const GROWTH: f64 = 0.1;

/// Verdict on a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    #[default]
    Open,
    Accepted,
}

/// Verdict on a finding as a document has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reviewed {
    pub verdict: Verdict,
    /// Comment of the reviewer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub word: String,
    /// Depth, or length by which the demanded distance was missed, when the finding was accepted, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excess_m: Option<f64>,
    /// Whether the finding became so much worse since it was accepted that it counts again.
    pub outgrown: bool,
}

impl Reviewed {
    /// Returns whether the finding is accepted and has not become worse.
    pub fn holds(&self) -> bool {
        self.verdict == Verdict::Accepted && !self.outgrown
    }
}

/// A finding with a verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Id of the finding. Files of earlier versions have none; the paths identify the finding then.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    id: String,
    kind: String,
    /// Paths of the parts, in alphabetical order.
    parts: Vec<String>,
    #[serde(default)]
    verdict: Verdict,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    word: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    excess_m: Option<f64>,
}

impl Entry {
    fn is_of(&self, kind: &str, id: &str, paths: &[&str]) -> bool {
        self.kind == kind && (self.id == id || self.parts == paths)
    }

    /// Returns whether the finding was accepted, and its excess has grown by more than the share
    /// `growth` and by more than `accuracy` (m) since.
    fn is_outgrown(&self, excess: Option<f64>, (growth, accuracy): (f64, f64)) -> bool {
        let has_grown = |(now, before): (f64, f64)| now > (1.0 + growth) * before + accuracy;
        self.verdict == Verdict::Accepted && excess.zip(self.excess_m).is_some_and(has_grown)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReviewFile {
    #[serde(default, rename = "finding")]
    findings: Vec<Entry>,
}

impl ReviewFile {
    /// Reads the text of a review.
    ///
    /// # Errors
    /// Returns the reason if the text is not a review, or a depth is not a number of 0 or more.
    fn read(text: &str) -> Result<Self, String> {
        let file: Self = toml::from_str(text).map_err(|e| e.message().to_owned())?;
        let is_wrong = |entry: &&Entry| entry.excess_m.is_some_and(|m| !m.is_finite() || m < 0.0);
        match file.findings.iter().find(is_wrong) {
            None => Ok(file),
            Some(entry) => Err(format!("excess_m of {} must be a length in m", entry.parts.join(" – "))),
        }
    }
}

/// The findings of a model that have a verdict.
#[derive(Debug, Default)]
pub struct Review {
    file: ReviewFile,
    place: Place,
}

/// Location of a review.
#[derive(Debug, Default, PartialEq, Eq)]
enum Place {
    /// No location, for example because a built-in scene has no folder.
    #[default]
    Nowhere,
    File(PathBuf),
    /// A file that could not be read. It is not overwritten.
    Unreadable(PathBuf, String),
}

impl Review {
    /// Reads the review beside a model, a scene file or a recording. The review is empty if there is no
    /// file.
    pub fn beside(model: &Path) -> Self {
        if !model.is_file() {
            return Self::default();
        }
        let mut name = model.as_os_str().to_owned();
        name.push(REVIEW_ENDING);
        let path = PathBuf::from(name);
        if !path.exists() {
            return Self { file: ReviewFile::default(), place: Place::File(path) };
        }
        let text = files::read_text(&path, MOST_BYTES).map_err(|e| e.to_string());
        match text.and_then(|text| ReviewFile::read(&text)) {
            Ok(file) => Self { file, place: Place::File(path) },
            Err(reason) => Self { file: ReviewFile::default(), place: Place::Unreadable(path, reason) },
        }
    }

    /// Returns the reason why the file beside the model is not used, if any.
    pub fn problem(&self) -> Option<String> {
        let Place::Unreadable(path, reason) = &self.place else { return None };
        Some(format!("{}: is not a review file and will not be overwritten: {reason}", path.display()))
    }

    /// Returns the verdict on a finding, and the comment on it. An accepted finding that became worse by
    /// more than [`GROWTH`] is open again.
    pub fn of(&self, finding: &Finding) -> (Verdict, &str) {
        let Some(entry) = self.entry(finding.kind, &finding.id, &finding.paths) else {
            return (Verdict::Open, "");
        };
        let is_open = entry.is_outgrown(finding.excess_m, (GROWTH, 0.0));
        (if is_open { Verdict::Open } else { entry.verdict }, &entry.word)
    }

    /// Returns the verdict on a finding for a document. An accepted finding whose excess grew by more
    /// than the share `growth`, and more than `accuracy` (m), is outgrown.
    pub(super) fn reviewed(
        &self,
        (kind, id, paths): (&str, &str, &[String]),
        excess: Option<f64>,
        (growth, accuracy): (f64, f64),
    ) -> Option<Reviewed> {
        let entry = self.entry(kind, id, paths)?;
        Some(Reviewed {
            verdict: entry.verdict,
            word: entry.word.clone(),
            excess_m: entry.excess_m,
            outgrown: entry.is_outgrown(excess, (growth, accuracy)),
        })
    }

    fn entry(&self, kind: &str, id: &str, paths: &[String]) -> Option<&Entry> {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        self.file.findings.iter().find(|entry| entry.is_of(kind, id, &paths))
    }

    /// Describes the entries of which no finding is left: `found` are the kinds and ids of all findings,
    /// and `parts` the paths of all parts.
    pub(super) fn unused(&self, found: &BTreeSet<(&str, &str)>, parts: &BTreeSet<&str>) -> Option<String> {
        let Place::File(path) = &self.place else { return self.problem() };
        let entries = &self.file.findings;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let is_known = |entry: &Entry| entry.parts.iter().any(|path| parts.contains(path.as_str()));
        if !entries.is_empty() && !entries.iter().any(is_known) {
            let count = entries.len();
            return Some(format!(
                "{file}: is a review of another model: its {count} findings name no part of this one"
            ));
        }
        let ids = |entry: &Entry| [entry.id.clone(), super::finding::id(&entry.parts)];
        let is_gone =
            |entry: &&Entry| !ids(entry).iter().any(|id| found.contains(&(entry.kind.as_str(), id.as_str())));
        let gone: Vec<&Entry> = entries.iter().filter(is_gone).collect();
        let first = gone.first()?;
        let names = first.parts.join(" – ");
        Some(format!(
            "{file}: findings that were reviewed and are no longer found: {}, such as {} {names}",
            gone.len(),
            first.kind
        ))
    }

    /// Describes the accepted entries that state no depth, and so hold for any.
    pub(super) fn unbounded(&self) -> Option<String> {
        let Place::File(path) = &self.place else { return None };
        let is_unbounded = |entry: &&Entry| {
            entry.verdict == Verdict::Accepted
                && entry.excess_m.is_none()
                && entry.kind != Kind::Doubled.name()
        };
        let count = self.file.findings.iter().filter(is_unbounded).count();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        (count > 0).then(|| format!("{file}: accepted at any depth, because excess_m is missing: {count}"))
    }

    /// Stores the verdict on a finding, and writes the file beside the model.
    ///
    /// # Errors
    /// Returns the reason if the file cannot be written, or there is no place for one. The verdict then
    /// holds until the window is closed.
    pub fn judge(&mut self, finding: &Finding, (verdict, word): (Verdict, &str)) -> Result<(), String> {
        let Finding { kind, id, paths, .. } = finding;
        let (parts, word): (Vec<&str>, _) = (paths.iter().map(String::as_str).collect(), word.trim());
        // A new comment on an accepted finding does not accept a greater depth.
        let before = self.entry(kind, id, paths).filter(|_| self.of(finding).0 == verdict);
        let excess_m = before.and_then(|entry| entry.excess_m).or(finding.excess_m);
        self.file.findings.retain(|entry| !entry.is_of(kind, id, &parts));
        if verdict != Verdict::Open || !word.is_empty() {
            self.file.findings.push(Entry {
                id: id.clone(),
                kind: (*kind).to_owned(),
                parts: paths.clone(),
                verdict,
                word: word.to_owned(),
                excess_m,
            });
            self.file.findings.sort_by(|x, y| (&x.kind, &x.parts).cmp(&(&y.kind, &y.parts)));
        }
        self.save()
    }

    /// Writes the file beside the model. If there is no place for the file, returns this as the error.
    fn save(&self) -> Result<(), String> {
        let path = match &self.place {
            Place::File(path) => path,
            Place::Nowhere => {
                return Err(
                    "a built-in scene has no folder: its review is kept until the window closes".to_owned()
                );
            }
            Place::Unreadable(..) => {
                let problem = self.problem().unwrap_or_default();
                return Err(format!("kept until the window closes; {problem}"));
            }
        };
        let text = toml::to_string(&self.file).map_err(|e| e.to_string())?;
        let text = format!("# Verdicts on findings, given in `tumble view`.\n\n{text}");
        files::write(path, text.as_bytes(), Existing::Replace).map_err(|e| {
            format!("{}: cannot be written, the review is kept until the window closes: {e}", path.display())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Scene, load_scene};

    fn finding(scene: &Scene, parts: &[u32]) -> Finding {
        Finding::of_run("clash", String::new(), parts.to_vec(), scene, 0)
    }

    #[test]
    fn a_judgement_is_read_again_whichever_part_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("chain.glb");
        std::fs::write(&model, "").unwrap();
        let scene = load_scene("chain", None).unwrap();
        let finding = |parts: &[u32]| finding(&scene, parts);
        let mut review = Review::beside(&model);
        let accepted = (Verdict::Accepted, "press fit");
        review.judge(&finding(&[2, 1]), accepted).unwrap();
        review.judge(&finding(&[3, 4]), (Verdict::Open, " look again ")).unwrap();
        let again = Review::beside(&model);
        assert_eq!(again.of(&finding(&[1, 2])), accepted);
        assert_eq!(again.of(&finding(&[4, 3])), (Verdict::Open, "look again"));
        assert_eq!(again.of(&finding(&[1, 3])), (Verdict::Open, ""));
        review.judge(&finding(&[1, 2]), (Verdict::Open, "")).unwrap();
        assert_eq!(Review::beside(&model).of(&finding(&[1, 2])), (Verdict::Open, ""));
    }

    #[test]
    fn a_review_without_ids_is_understood() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("chain.glb");
        std::fs::write(&model, "").unwrap();
        let scene = load_scene("chain", None).unwrap();
        let finding = finding(&scene, &[2, 1]);
        let parts = &finding.paths;
        let text = format!("[[finding]]\nkind = \"clash\"\nparts = {parts:?}\nverdict = \"accepted\"\n");
        std::fs::write(folder.path().join("chain.glb.review.toml"), text).unwrap();
        assert_eq!(Review::beside(&model).of(&finding), (Verdict::Accepted, ""));
    }

    #[test]
    fn an_accepted_finding_counts_again_once_it_is_deeper_by_more_than_the_share() {
        let scene = load_scene("chain", None).unwrap();
        let finding = Finding { excess_m: Some(1e-3), ..finding(&scene, &[1, 2]) };
        let mut review = Review::default();
        assert!(review.judge(&finding, (Verdict::Accepted, "")).is_err(), "no place for a file");
        let holds = |excess| {
            let key = (finding.kind, finding.id.as_str(), &finding.paths[..]);
            review.reviewed(key, excess, (0.1, 1e-6)).unwrap().holds()
        };
        assert_eq!([None, Some(0.5e-3), Some(1.1e-3), Some(1.102e-3)].map(holds), [true, true, true, false]);
    }

    #[test]
    fn a_comment_on_an_accepted_finding_does_not_accept_a_greater_depth() {
        let scene = load_scene("chain", None).unwrap();
        let deep = |excess| Finding { excess_m: Some(excess), ..finding(&scene, &[1, 2]) };
        let mut review = Review::default();
        // There is no place for a file, so the verdicts only hold in memory.
        let _ = review.judge(&deep(1e-3), (Verdict::Accepted, ""));
        let _ = review.judge(&deep(1.09e-3), (Verdict::Accepted, "seen"));
        assert_eq!(review.of(&deep(1.09e-3)), (Verdict::Accepted, "seen"));
        assert_eq!(review.of(&deep(1.11e-3)), (Verdict::Open, "seen"));
        let _ = review.judge(&deep(1.11e-3), (Verdict::Accepted, "seen"));
        assert_eq!(review.of(&deep(1.2e-3)), (Verdict::Accepted, "seen"), "accepted again, deeper");
    }

    #[test]
    fn a_file_that_is_no_review_is_named_and_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("chain.glb");
        let path = folder.path().join("chain.glb.review.toml");
        std::fs::write(&model, "").unwrap();
        let scene = load_scene("chain", None).unwrap();
        let of_depth = |depth: &str| {
            format!("[[finding]]\nkind = \"clash\"\nparts = [\"a\", \"b\"]\nexcess_m = {depth}\n")
        };
        let depths = ["nan", "inf", "-inf", "-1e-3"].map(of_depth);
        let others = ["[[finding", "[[finding]]\nkind = 3", "other = 1", "\u{0}"];
        for bad in others.into_iter().chain(depths.iter().map(String::as_str)) {
            std::fs::write(&path, bad).unwrap();
            let mut review = Review::beside(&model);
            assert!(review.problem().unwrap().contains("chain.glb.review.toml"), "{bad}");
            let judged = (Verdict::Accepted, "seen");
            assert!(review.judge(&finding(&scene, &[1, 2]), judged).is_err(), "{bad}");
            assert_eq!(review.of(&finding(&scene, &[1, 2])), judged, "it holds as long as the window");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), bad);
        }
    }

    #[test]
    fn a_built_in_scene_says_that_it_keeps_no_review() {
        let scene = load_scene("chain", None).unwrap();
        let mut review = Review::beside(Path::new("chain"));
        assert_eq!(review.problem(), None);
        let said = review.judge(&finding(&scene, &[1, 2]), (Verdict::Accepted, "")).unwrap_err();
        assert!(said.contains("built-in"), "{said}");
    }
}
