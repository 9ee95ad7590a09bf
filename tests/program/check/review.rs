//! Findings that a reviewer accepted, in the file beside the model.

use std::fs;
use std::path::{Path, PathBuf};

use tumble::report::findings::Verdict;

use super::{check, cubes, found, stderr, stdout};

/// Writes two cubes that overlap by a length, m.
fn overlapping(folder: &Path, overlap: f64) -> PathBuf {
    cubes(&folder.join("two.glb"), &[("left", 0.0), ("right", 0.125 - overlap)])
}

fn accept(folder: &Path, id: &str, parts: &str) {
    let entry = format!(
        "[[finding]]\nid = \"{id}\"\nkind = \"clash\"\nparts = {parts}\nverdict = \"accepted\"\nword = \"press fit\"\n\
         excess_m = 0.001\n"
    );
    fs::write(folder.join("two.glb.review.toml"), entry).unwrap();
}

#[test]
fn an_accepted_clash_fails_no_check_until_it_is_deeper_by_more_than_the_share() {
    let folder = tempfile::tempdir().unwrap();
    let model = overlapping(folder.path(), 1e-3);
    let id = found(&model, &[]).findings[0].id.clone();
    accept(folder.path(), &id, "[\"all/left\", \"all/right\"]");
    let output = check(&model, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).contains("accepted by a reviewer: 1"), "{}", stdout(&output));
    let document = found(&model, &[]);
    let review = document.findings[0].review.clone().unwrap();
    assert_eq!((review.verdict, &*review.word, review.outgrown), (Verdict::Accepted, "press fit", false));
    assert!(stdout(&check(&model, &["--csv"])).lines().nth(1).unwrap().ends_with("accepted,press fit"));

    overlapping(folder.path(), 1.3e-3);
    let output = check(&model, &[]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stdout(&output).contains("accepted once and now worse: 1"), "{}", stdout(&output));
    assert_eq!(check(&model, &["--worse-by", "0.5"]).status.code(), Some(0));
    for share in ["-1", "inf", "much"] {
        assert_eq!(check(&model, &["--worse-by", share]).status.code(), Some(2));
    }
}

#[test]
fn reviews_of_other_models_and_of_findings_that_are_gone_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let model = overlapping(folder.path(), 1e-3);
    for (parts, says) in [
        ("[\"car/wheel\", \"car/axle\"]", "is a review of another model"),
        (
            "[\"all/left\", \"all/lid\"]",
            "reviewed and are no longer found: 1, such as clash all/left – all/lid",
        ),
    ] {
        accept(folder.path(), "0123456789abcdef", parts);
        let output = check(&model, &[]);
        assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
        assert!(found(&model, &[]).notes.iter().any(|note| note.contains(says)));
    }
    fs::write(folder.path().join("two.glb.review.toml"), "[[finding]").unwrap();
    let output = check(&model, &[]);
    assert!(stderr(&output).contains("is not a review file"), "{}", stderr(&output));
}
