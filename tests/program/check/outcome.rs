//! The outcome of a check: its exit codes, and its output as text, JSON and CSV.

use std::fs;

use glam::{DVec3, Vec3};
use serde_json::Value;
use tumble::generate::cuboid;

use super::frame::written;
use super::{check, cube, cubes, found, parts, stderr, stdout};
use crate::frame::Frame;
use crate::parts_file::Stored;

#[test]
fn the_exit_code_tells_whether_something_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.glb");
    // The cases are: overlapping, too near, touching, and far apart.
    for (gap, codes) in [(-0.001, [1, 1, 0]), (0.001, [0, 1, 0]), (0.0, [0, 1, 0]), (0.1, [0, 0, 0])] {
        cubes(&path, &[("left", 0.0), ("right", 0.125 + gap)]);
        for (fail_on, code) in ["clash", "any", "none"].into_iter().zip(codes) {
            let output = check(&path, &["--clearance", "2mm", "--fail-on", fail_on]);
            assert_eq!(output.status.code(), Some(code), "{gap}, {fail_on}: {}", stdout(&output));
        }
        let plain = check(&path, &[]);
        assert_eq!(plain.status.code(), Some(codes[0]), "{gap}: {}", stdout(&plain));
    }
}

#[test]
fn new_faults_fail_where_old_ones_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("three.glb");
    let baseline = folder.path().join("old.json");
    cubes(&path, &[("left", 0.0), ("middle", 0.12), ("right", 0.3)]);
    std::fs::write(&baseline, check(&path, &["--json"]).stdout).unwrap();
    let arguments = ["--baseline", baseline.to_str().unwrap(), "--fail-on", "new"];
    let output = check(&path, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    cubes(&path, &[("left", 0.0), ("middle", 0.12), ("right", 0.24)]);
    let output = check(&path, &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
}

/// A part that slipped wholly inside another, and a gap that grew a thousandfold, used to be existing.
#[test]
fn a_graver_kind_and_a_wider_gap_are_worse_than_the_baseline() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.glb");
    let baseline = folder.path().join("old.json");
    let gate = |place: f64, rules: &[&str], is_old: bool| {
        let surfaces = [("block", cuboid(Vec3::splat(0.5), 1.0), 0.0), ("part", cube(), place)];
        parts(&path, &surfaces.map(|(name, surface, x)| (name, surface, DVec3::X * x)));
        if is_old {
            fs::write(&baseline, check(&path, &[rules, &["--json"]].concat()).stdout).unwrap();
        }
        let options = ["--baseline", baseline.to_str().unwrap(), "--fail-on", "new"];
        let output = check(&path, &[rules, &options].concat());
        (output.status.code(), stdout(&output).to_owned())
    };
    // The faces of the block and the part touch at 0.3125 m.
    assert_eq!(gate(0.3115, &[], true).0, Some(0), "a clash, 1 mm deep");
    let (code, text) = gate(0.0, &[], false);
    assert!(code == Some(1) && text.contains("0 new, 1 worse"), "{text}");
    assert_eq!(gate(0.3115, &[], true).0, Some(0));
    let touching = folder.path().join("touching.toml");
    fs::write(&touching, "[[check]]\na = \"part\"\nb = \"block\"\ntouching = true\n").unwrap();
    let rules = ["--rules", touching.to_str().unwrap()];
    assert_eq!(gate(0.3135, &rules, true).0, Some(0), "1 mm apart");
    let (code, text) = gate(1.3125, &rules, false);
    assert!(code == Some(1) && text.contains("0 new, 1 worse"), "{text}");
    gate(1.3125, &rules, true);
    assert_eq!(gate(0.3135, &rules, false).0, Some(0), "nearly closed");
}

#[test]
fn the_json_has_the_promised_keys_and_is_the_same_for_every_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), "frame.glb", &Frame::new(), Stored::InOrder);
    let json = |threads: &str| check(&path, &["--clearance", "1mm", "--json", "--threads", threads]).stdout;
    let first = json("1");
    assert!(first.len() > 10_000);
    assert_eq!(first, json("2"));
    assert_eq!(first, json("0"), "as many as there are cores, and a second time");
    let document: Value = serde_json::from_slice(&first).unwrap();
    assert_eq!((&document["format"], &document["version"]), (&"tumble-check".into(), &1.into()));
    let counts =
        ["clearance_m", "part_count", "triangle_count", "near_count", "asked_count", "ignored_count"];
    assert!(counts.iter().all(|key| document[key].is_number()), "{document}");
    for finding in document["findings"].as_array().unwrap() {
        assert!(["id", "a", "b", "kind", "proof"].iter().all(|key| finding[key].is_string()), "{finding}");
        assert!(finding["distance_m"].is_number() && finding["change"].is_null(), "{finding}");
        assert!(finding["depth_m"].is_number() || finding["depth_m"].is_null(), "{finding}");
        let points = finding["points"].as_array().unwrap();
        assert_eq!(points.iter().map(|point| point.as_array().unwrap().len()).collect::<Vec<_>>(), [3, 3]);
    }
}

#[test]
fn the_text_has_ten_groups_at_most_and_all_lists_each_finding() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), "frame.glb", &Frame::new(), Stored::InOrder);
    let short = check(&path, &["--clearance", "1mm"]);
    let lines: Vec<&str> = stdout(&short).lines().collect();
    let first = lines.iter().position(|line| line.is_empty()).unwrap() + 1;
    let groups = lines[first..].iter().take_while(|line| !line.starts_with("and ")).count();
    assert!((5..=10).contains(&groups), "{}", stdout(&short));
    assert!(lines.len() <= 15, "{}", stdout(&short));
    assert!(lines[0].contains("200 parts") && lines[0].contains("1.000 mm"), "{}", lines[0]);
    assert!(lines[first].trim_start().starts_with("clash"), "the worst is first: {}", lines[first]);
    let all = check(&path, &["--clearance", "1mm", "--all"]);
    let lines: Vec<&str> = stdout(&all).lines().collect();
    let document = found(&path, &["--clearance", "1mm"]);
    assert_eq!(lines.iter().filter(|line| line.contains(" – ")).count(), document.findings.len());
    for finding in &document.findings {
        let [a, b] = [&finding.a, &finding.b].map(|path| path.strip_prefix("frame/").unwrap());
        let pair = format!("{a} – {b} ");
        assert!(
            lines
                .iter()
                .any(|line| line.trim_start().starts_with(finding.kind.name()) && line.contains(&pair)),
            "{pair}"
        );
    }
}

#[test]
fn the_csv_has_a_line_for_each_finding() {
    let folder = tempfile::tempdir().unwrap();
    let row: Vec<(String, f64)> = (0..40).map(|k| (format!("cube_{k}"), 0.12515 * f64::from(k))).collect();
    let mut row: Vec<(&str, f64)> = row.iter().map(|(name, x)| (&**name, *x)).collect();
    row[7].1 += 0.001;
    let path = cubes(&folder.path().join("row.glb"), &row);
    let document = found(&path, &["--clearance", "1mm"]);
    let output = check(&path, &["--clearance", "1mm", "--csv"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let rows: Vec<Vec<&str>> = stdout(&output).lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|head| *head == name).unwrap();
    let [id, kind, a, b] = ["id", "kind", "a", "b"].map(column);
    let [distance, depth] = ["distance_m", "depth_m"].map(column);
    assert_eq!(rows.len(), 1 + document.findings.len());
    for (row, finding) in rows[1..].iter().zip(&document.findings) {
        let named = [row[id], row[a], row[b], row[kind]];
        assert_eq!(named, [&finding.id, &finding.a, &finding.b, finding.kind.name()]);
        let is_same = |text: &str, right: f64| (text.parse::<f64>().unwrap() - right).abs() <= 1e-15 * right;
        assert!(is_same(row[distance], finding.distance_m), "{row:?}, {finding:?}");
        assert_eq!(row[depth].is_empty(), finding.depth_m.is_none(), "{row:?}");
        assert!(finding.depth_m.is_none_or(|right| is_same(row[depth], right)), "{row:?}, {finding:?}");
    }
}
