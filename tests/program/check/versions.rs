//! An assembly is compared with an earlier version: new findings, resolved findings, and parts that are
//! only renamed or stored differently.

use std::path::{Path, PathBuf};

use tumble::check::Kind;
use tumble::report::findings::{Change, CheckDocument, FindingFigures};

use super::frame::written;
use super::{check, cubes, found, is_refused, of_pair, pairs, stderr, stdout};
use crate::frame::Frame;
use crate::parts_file::Stored;

/// Checks a model and writes the answer to a file.
fn baseline(model: &Path, arguments: &[&str]) -> PathBuf {
    let output = check(model, &[arguments, &["--json", "--fail-on", "none"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let path = model.with_extension("json");
    std::fs::write(&path, &output.stdout).unwrap();
    path
}

fn beside(model: &Path, baseline: &Path) -> CheckDocument {
    found(model, &["--clearance", "1mm", "--baseline", baseline.to_str().unwrap()])
}

fn changed(document: &CheckDocument, change: Change) -> Vec<FindingFigures> {
    document.findings.iter().filter(|f| f.change == Some(change)).cloned().collect()
}

fn owned(findings: &[FindingFigures]) -> Vec<(String, String, Kind)> {
    pairs(findings).into_iter().map(|(a, b, kind)| (a.to_owned(), b.to_owned(), kind)).collect()
}

#[test]
fn a_second_version_has_as_new_and_as_resolved_what_was_changed_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let first = written(folder.path(), "first.glb", &Frame::new(), Stored::InOrder);
    let second = written(folder.path(), "second.glb", &Frame::second_version(), Stored::Shuffled);
    let document = beside(&second, &baseline(&first, &["--clearance", "1mm"]));
    let [new, worse, resolved, other] = Frame::changes();
    assert_eq!(owned(&changed(&document, Change::New)), new);
    assert_eq!(owned(&changed(&document, Change::Worse)), worse);
    assert_eq!(owned(&changed(&document, Change::Resolved)), resolved);
    let existing = changed(&document, Change::Existing);
    let is_other = |f: &&FindingFigures| f.was.as_ref().unwrap().kind != f.kind;
    let of_other_kind: Vec<FindingFigures> = existing.iter().filter(is_other).cloned().collect();
    assert_eq!(owned(&of_other_kind), other);
    assert_eq!(of_other_kind[0].was.as_ref().unwrap().kind, Kind::Inside);
    // A gap that changed is not a new finding. The finding also tells the old value.
    let bracket = of_pair(&document, "frame/floor_2/bracket_0", "frame/upright_0").unwrap();
    assert_eq!((bracket.kind, bracket.change), (Kind::Clearance, Some(Change::Existing)));
    assert!((bracket.was.as_ref().unwrap().distance_m - 5e-5).abs() < 1e-7, "{bracket:?}");
    assert!((bracket.distance_m - 3e-4).abs() < 1e-7, "{bracket:?}");
    // The pin has a new name.
    let dowel = of_pair(&document, "frame/extras/bush", "frame/extras/dowel").unwrap();
    assert_eq!(dowel.change, Some(Change::Existing));
}

#[test]
fn findings_keep_their_ids_where_nodes_are_stored_in_another_order() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = [("first.glb", Stored::InOrder), ("second.glb", Stored::Shuffled)]
        .map(|(name, stored)| written(folder.path(), name, &Frame::new(), stored));
    let old = baseline(&first, &["--clearance", "1mm"]);
    let document = beside(&second, &old);
    let ids = |document: &CheckDocument| -> Vec<(String, Kind)> {
        let mut ids: Vec<_> = document.findings.iter().map(|f| (f.id.clone(), f.kind)).collect();
        ids.sort();
        ids
    };
    assert!(document.findings.iter().all(|f| f.change == Some(Change::Existing)));
    assert_eq!(ids(&document), ids(&CheckDocument::read(&std::fs::read_to_string(old).unwrap()).unwrap()));
    let mut unique = ids(&document);
    unique.dedup_by(|x, y| x.0 == y.0);
    assert_eq!(unique.len(), document.findings.len(), "no two pairs have one id");
}

#[test]
fn findings_of_renamed_parts_are_the_same_ones() {
    let folder = tempfile::tempdir().unwrap();
    let first = written(folder.path(), "first.glb", &Frame::low(), Stored::InOrder);
    let old = baseline(&first, &["--clearance", "1mm"]);
    // The renamed items are a part with one finding, parts with many findings, and a whole floor.
    let renamed = ["extras/pin", "upright_0", "floor_2/plate", "floor_1"];
    for path in renamed {
        let mut frame = Frame::low();
        frame.file.root.find(path).name = "renamed".to_owned();
        let second = written(folder.path(), "second.glb", &frame, Stored::Shuffled);
        let document = beside(&second, &old);
        let wrong: Vec<_> = document.findings.iter().filter(|f| f.change != Some(Change::Existing)).collect();
        assert!(wrong.is_empty(), "{path}: {} of them, as {:?}", wrong.len(), wrong[0]);
        assert!(document.findings.iter().any(|f| f.a.contains("renamed") || f.b.contains("renamed")));
    }
}

#[test]
fn a_finding_that_was_resolved_before_is_new_when_it_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("two.glb");
    let apart = cubes(&model, &[("left", 0.0), ("right", 0.5)]);
    let none = baseline(&apart, &[]);
    let old = std::fs::read_to_string(&none).unwrap();
    cubes(&model, &[("left", 0.0), ("right", 0.1)]);
    let clash = baseline(&model, &[]);
    cubes(&model, &[("left", 0.0), ("right", 0.5)]);
    let resolved = baseline(&model, &["--baseline", clash.to_str().unwrap()]);
    let document = CheckDocument::read(&std::fs::read_to_string(&resolved).unwrap()).unwrap();
    assert_eq!(document.findings.iter().map(|f| f.change).collect::<Vec<_>>(), [Some(Change::Resolved)]);
    cubes(&model, &[("left", 0.0), ("right", 0.1)]);
    for text in [std::fs::read_to_string(&resolved).unwrap(), old] {
        std::fs::write(&resolved, text).unwrap();
        let output = check(&model, &["--baseline", resolved.to_str().unwrap(), "--fail-on", "new"]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(stdout(&output).contains("since the baseline 1 new, 0 worse"), "{}", stdout(&output));
    }
}

#[test]
fn a_baseline_of_another_model_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let model = cubes(&folder.path().join("two.glb"), &[("left", 0.0), ("right", 0.1)]);
    let other = cubes(&folder.path().join("other.glb"), &[("this", 3.0), ("that", 3.1)]);
    let old = baseline(&other, &[]);
    let beside = |path: &Path| check(&model, &["--baseline", path.to_str().unwrap()]);
    is_refused(
        &beside(&old),
        &["other.json", "baseline of another model", "other.glb", "none of the 2 parts"],
    );
    let broken = folder.path().join("broken.json");
    let text = std::fs::read_to_string(&old).unwrap();
    for (text, says) in [
        ("{}", "not the JSON of a check"),
        ("", "not the JSON of a check"),
        (&text[..text.len() / 2], "not the JSON of a check"),
        (&text.replace("\"version\": 1", "\"version\": 7"), "it has version 7"),
    ] {
        std::fs::write(&broken, text).unwrap();
        is_refused(&beside(&broken), &["broken.json", says]);
    }
    is_refused(&beside(&folder.path().join("none.json")), &["none.json"]);
    is_refused(&check(&model, &["--fail-on", "new"]), &["--baseline"]);
}
