//! Rules for pairs by name, in a scene file and in a separate file.

use std::path::{Path, PathBuf};

use tumble::check::Kind;
use tumble::report::findings::CheckDocument;

use super::{check, cubes, found, is_refused, of_pair, pairs, stderr};

/// Writes a row of cubes: two nuts that are 1.5 mm and 3 mm from a frame, and a pin that is 0.05 mm
/// deep in a ring.
fn row(folder: &Path) -> PathBuf {
    let side = 0.125;
    let x = [0.0, side + 0.0015, -side - 0.003, 2.0, 2.0 + side - 5e-5];
    let names = ["frame", "nut_a", "nut_b", "ring", "pin"];
    let all: Vec<(&str, f64)> = names.into_iter().zip(x).collect();
    cubes(&folder.join("row.glb"), &all)
}

fn with_rules(model: &Path, rules: &str) -> CheckDocument {
    let file = model.with_extension("toml");
    std::fs::write(&file, rules).unwrap();
    found(model, &["--rules", file.to_str().unwrap()])
}

const FIT: &str = "[[check]]\na = \"pin\"\nb = \"ring\"\nignore = true\n";

fn rule(a: &str, b: &str, says: &str) -> String {
    format!("[[check]]\na = \"{a}\"\nb = \"{b}\"\n{says}\n")
}

#[test]
fn a_rule_says_how_far_apart_two_parts_must_be() {
    let folder = tempfile::tempdir().unwrap();
    let model = row(folder.path());
    let [frame, near, far] = ["all/frame", "all/nut_a", "all/nut_b"];
    assert_eq!(pairs(&with_rules(&model, FIT).findings), []);
    let found = with_rules(&model, &format!("{FIT}{}", rule("nut*", "frame", "min = \"2 mm\"")));
    assert_eq!(pairs(&found.findings), [(frame, near, Kind::Clearance)]);
    let finding = &found.findings[0];
    assert!((finding.clearance_m - 0.002).abs() < 1e-15, "{finding:?}");
    assert!((finding.distance_m - 0.0015).abs() < 1e-7, "{finding:?}");
    // The two parts may be named in either order, and a pattern may match paths.
    let both = [(frame, near, Kind::Clearance), (frame, far, Kind::Clearance)];
    for (a, b) in [("frame", "nut*"), ("all/n*", "all/frame")] {
        let found = with_rules(&model, &format!("{FIT}{}", rule(a, b, "min = \"4mm\"")));
        assert_eq!(pairs(&found.findings), both, "{a} {b}");
    }
}

#[test]
fn of_several_rules_the_last_stands() {
    let folder = tempfile::tempdir().unwrap();
    let model = row(folder.path());
    let wide = rule("nut*", "frame", "min = \"2mm\"");
    for (rules, count, ignored) in [
        (wide.clone() + &rule("nut_a", "frame", "min = \"1mm\""), 0, 1),
        (rule("nut_a", "frame", "min = \"1mm\"") + &wide, 1, 1),
        (wide.clone() + &rule("nut_a", "frame", "ignore = true"), 0, 2),
        (rule("nut_a", "frame", "ignore = true") + &wide, 1, 1),
        // A later rule about another property does not change the earlier requirement.
        (wide.clone() + &rule("nut_a", "frame", "overlap = \"1mm\""), 1, 1),
    ] {
        let found = with_rules(&model, &format!("{FIT}{rules}"));
        assert_eq!((found.findings.len(), found.ignored_count), (count, ignored), "{rules}");
        assert!(found.complete);
    }
}

#[test]
fn a_press_fit_may_be_as_deep_as_its_rule_says() {
    let folder = tempfile::tempdir().unwrap();
    let model = row(folder.path());
    for (overlap, kind, code) in [("0.1mm", Kind::Contact, 0), ("0.04mm", Kind::Clash, 1)] {
        let rules = rule("pin", "ring", &format!("overlap = \"{overlap}\""));
        let found = with_rules(&model, &rules);
        assert_eq!(pairs(&found.findings), [("all/pin", "all/ring", kind)], "{overlap}");
        let depth = found.findings[0].depth_m.unwrap();
        assert!((depth / 5e-5 - 1.0).abs() < 0.05, "{depth}");
        let file = model.with_extension("toml");
        let output = check(&model, &["--rules", file.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    }
}

#[test]
fn parts_that_must_touch_and_do_not_are_found_with_the_nearest() {
    let folder = tempfile::tempdir().unwrap();
    let side = 0.125;
    let all = [("frame", 0.0), ("base", -0.5), ("lid", side), ("foot", -side - 0.003)];
    let model = cubes(&folder.path().join("row.glb"), &all);
    let found = with_rules(&model, &rule("{lid,foot}", "{frame,base}", "touching = true"));
    let apart = ("all/foot", "all/frame", Kind::Apart);
    assert_eq!(pairs(&found.findings), [apart, ("all/frame", "all/lid", Kind::Contact)]);
    let finding = of_pair(&found, "all/foot", "all/frame").unwrap();
    assert!((finding.distance_m - 0.003).abs() < 1e-7, "{finding:?}");
    for (fail_on, code) in [("any", 1), ("clash", 0)] {
        let file = model.with_extension("toml");
        let output = check(&model, &["--rules", file.to_str().unwrap(), "--fail-on", fail_on]);
        assert_eq!(output.status.code(), Some(code), "{fail_on}: {}", stderr(&output));
    }
}

#[test]
fn rules_that_say_nothing_or_too_much_or_name_no_part_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let model = row(folder.path());
    let file = folder.path().join("rules.toml");
    let cases: [(String, &[&str]); 11] = [
        (rule("nutt_a", "frame", "min = \"2mm\""), &["rule 1 (nutt_a / frame)", "did you mean \"nut_a\"?"]),
        (rule("pin", "ringg", "ignore = true"), &["rule 1", "no part is called \"ringg\"", "\"ring\""]),
        (rule("pin", "ring", ""), &["rule 1 (pin / ring)", "says nothing", "touching"]),
        (rule("pin", "ring", "ignore = true\nmin = \"1mm\""), &["rule 1", "ignore", "leaves the pair out"]),
        (rule("pin", "ring", "ignore = true\ntouching = true"), &["rule 1", "ignore", "leaves the pair out"]),
        (rule("pin", "ring", "min = \"2\""), &["min", "\"2\" is not a length", "unit"]),
        (rule("pin", "ring", "overlap = \"-1mm\""), &["overlap", "\"-1mm\"", "at least 0"]),
        (rule("pin", "ring", "min = \"NaN mm\""), &["min", "\"NaN mm\"", "at most 1000 km"]),
        (rule("pin", "ring", "most = \"2mm\""), &["unknown field `most`", "`min`", "`overlap`"]),
        (rule("[", "ring", "ignore = true"), &["rule 1", "\"[\"", "not a pattern"]),
        (FIT.to_owned() + &rule("pin", "non", "ignore = true"), &["rule 2 (pin / non)", "non", "called"]),
    ];
    for (rules, says) in cases {
        std::fs::write(&file, &rules).unwrap();
        let output = check(&model, &["--rules", file.to_str().unwrap()]);
        is_refused(&output, &[says, &["rules.toml"]].concat());
        // The same rules are refused in a scene file too.
        let scene = folder.path().join("scene.toml");
        std::fs::write(&scene, format!("[[model]]\nfile = \"row.glb\"\n{rules}")).unwrap();
        is_refused(&check(&scene, &[]), says);
    }
    is_refused(&check(&model, &["--rules", "none.toml"]), &["none.toml"]);
}

#[test]
fn rules_in_a_scene_file_are_those_of_a_file_of_rules_which_takes_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let model = row(folder.path());
    let rules = rule("nut*", "frame", "min = \"4mm\"") + &rule("pin", "ring", "overlap = \"0.1mm\"");
    let apart = with_rules(&model, &rules);
    let scene = folder.path().join("scene.toml");
    std::fs::write(&scene, format!("[[model]]\nfile = \"row.glb\"\n{rules}")).unwrap();
    let together = found(&scene, &[]);
    assert_eq!(apart.findings.len(), 3);
    let kinds = |document: &CheckDocument| -> Vec<(Kind, f64)> {
        document.findings.iter().map(|f| (f.kind, f.distance_m)).collect()
    };
    assert_eq!(kinds(&together), kinds(&apart));
    let file = folder.path().join("rules.toml");
    std::fs::write(&file, FIT).unwrap();
    assert_eq!(pairs(&found(&scene, &["--rules", file.to_str().unwrap()]).findings), []);
}
