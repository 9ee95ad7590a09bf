//! The review of findings: the accepted findings, with comments, in a file beside the model.
//!
//! `parts.glb` ↔ `parts.glb.review.toml`. A finding is identified by its kind and the paths of its
//! parts, so a review stays valid when the model changes. A review file that cannot be read is not
//! overwritten.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::findings::Finding;
use crate::files::{self, Existing};
use crate::scene::Scene;

/// Largest size of a review file, bytes.
const MOST_BYTES: u64 = 16 << 20;

/// Verdict on a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    #[default]
    Open,
    Accepted,
}

/// A finding with a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    kind: String,
    /// Paths of the parts, in ascending order.
    parts: Vec<String>,
    #[serde(default)]
    verdict: Verdict,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    word: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReviewFile {
    #[serde(default, rename = "finding")]
    findings: Vec<Entry>,
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
        name.push(".review.toml");
        let path = PathBuf::from(name);
        if !path.exists() {
            return Self { file: ReviewFile::default(), place: Place::File(path) };
        }
        let text = files::read_text(&path, MOST_BYTES).map_err(|e| e.to_string());
        match text.and_then(|text| toml::from_str(&text).map_err(|e| e.message().to_owned())) {
            Ok(file) => Self { file, place: Place::File(path) },
            Err(reason) => Self { file: ReviewFile::default(), place: Place::Unreadable(path, reason) },
        }
    }

    /// Returns the reason why the file beside the model is not used, if any.
    pub fn problem(&self) -> Option<String> {
        let Place::Unreadable(path, reason) = &self.place else { return None };
        Some(format!("{}: is not a review file and will not be overwritten: {reason}", path.display()))
    }

    /// Returns the verdict on a finding, and the comment on it.
    pub fn of(&self, finding: &Finding, scene: &Scene) -> (Verdict, &str) {
        let parts = paths(finding, scene);
        let entry = self.file.findings.iter().find(|e| e.kind == finding.kind && e.parts == parts);
        entry.map_or((Verdict::Open, ""), |entry| (entry.verdict, &entry.word))
    }

    /// Stores the verdict on a finding, and writes the file beside the model.
    ///
    /// # Errors
    /// Returns the reason if the file cannot be written, or there is no place for one. The verdict then
    /// holds until the window is closed.
    pub fn judge(
        &mut self,
        finding: &Finding,
        scene: &Scene,
        (verdict, word): (Verdict, &str),
    ) -> Result<(), String> {
        let (kind, parts, word) = (finding.kind.to_owned(), paths(finding, scene), word.trim().to_owned());
        self.file.findings.retain(|e| !(e.kind == kind && e.parts == parts));
        if verdict != Verdict::Open || !word.is_empty() {
            self.file.findings.push(Entry { kind, parts, verdict, word });
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

/// Returns the paths of a finding's parts in ascending order.
fn paths(finding: &Finding, scene: &Scene) -> Vec<String> {
    let path = |part: &u32| {
        let body = &scene.bodies[*part as usize];
        if body.path.is_empty() { body.name.clone() } else { body.path.clone() }
    };
    let mut paths: Vec<String> = finding.parts.iter().map(path).collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::super::findings::Grade;
    use super::*;
    use crate::scene::load_scene;

    fn finding(parts: &[u32]) -> Finding {
        let (text, parts) = (String::new(), parts.to_vec());
        Finding { kind: "clash", text, parts, points: None, step: None, grade: Grade::Fault }
    }

    #[test]
    fn a_judgement_is_read_again_whichever_part_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("chain.glb");
        std::fs::write(&model, "").unwrap();
        let scene = load_scene("chain", None).unwrap();
        let mut review = Review::beside(&model);
        let accepted = (Verdict::Accepted, "press fit");
        review.judge(&finding(&[2, 1]), &scene, accepted).unwrap();
        review.judge(&finding(&[3, 4]), &scene, (Verdict::Open, " look again ")).unwrap();
        let again = Review::beside(&model);
        assert_eq!(again.of(&finding(&[1, 2]), &scene), accepted);
        assert_eq!(again.of(&finding(&[4, 3]), &scene), (Verdict::Open, "look again"));
        assert_eq!(again.of(&finding(&[1, 3]), &scene), (Verdict::Open, ""));
        review.judge(&finding(&[1, 2]), &scene, (Verdict::Open, "")).unwrap();
        assert_eq!(Review::beside(&model).of(&finding(&[1, 2]), &scene), (Verdict::Open, ""));
    }

    #[test]
    fn a_file_that_is_no_review_is_named_and_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("chain.glb");
        let path = folder.path().join("chain.glb.review.toml");
        std::fs::write(&model, "").unwrap();
        let scene = load_scene("chain", None).unwrap();
        for bad in ["[[finding", "[[finding]]\nkind = 3", "other = 1", "\u{0}"] {
            std::fs::write(&path, bad).unwrap();
            let mut review = Review::beside(&model);
            assert!(review.problem().unwrap().contains("chain.glb.review.toml"), "{bad}");
            let judged = (Verdict::Accepted, "seen");
            assert!(review.judge(&finding(&[1, 2]), &scene, judged).is_err(), "{bad}");
            assert_eq!(review.of(&finding(&[1, 2]), &scene), judged, "it holds as long as the window");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), bad);
        }
    }

    #[test]
    fn a_built_in_scene_says_that_it_keeps_no_review() {
        let scene = load_scene("chain", None).unwrap();
        let mut review = Review::beside(Path::new("chain"));
        assert_eq!(review.problem(), None);
        let said = review.judge(&finding(&[1, 2]), &scene, (Verdict::Accepted, "")).unwrap_err();
        assert!(said.contains("built-in"), "{said}");
    }
}
