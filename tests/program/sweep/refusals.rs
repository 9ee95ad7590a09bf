//! Sweeps that are refused before anything is run or written, with the reason and the nearest name.

use std::fs;

use super::{drops, results};

#[test]
fn a_sweep_that_cannot_be_run_is_refused_before_the_first_run() {
    let shop = drops();
    shop.write("list.csv", "part.washer.friction,dt\n0.1,0.01\n0.2,\n");
    shop.write("keys.csv", "part.washer.friction,\n0.1,0.01\n");
    for (arguments, reasons) in [
        (
            &["--vary", "tre=obb"][..],
            &["tre: is neither an option of `tumble run` nor", "did you mean tree?"][..],
        ),
        (&["--vary", "tree=obbb"], &["tree=obbb: ", "unknown hierarchy \"obbb\""]),
        (&["--vary", "no-sleep=perhaps"], &["no-sleep is true or false, not perhaps"]),
        (
            &["--vary", "part.washr.friction=1"],
            &["no [[part]] that is called \"washr\"; did you mean \"washer\"?"],
        ),
        (&["--vary", "part.washer.frictoin=1"], &["unknown field `frictoin`", "did you mean `friction`?"]),
        (&["--vary", "part.washer.friction=0.1,high"], &["part.washer.friction=high: invalid type: string"]),
        (&["--vary", "part.washer.friction=-1..1:3"], &["part.washer.friction=-1: ", "must be at least 0"]),
        (&["--vary", "model.2.scale=1,2"], &["model has 2 entries, and none at 2"]),
        (&["--vary", "config.dt=0.01,20.0"], &["config.dt=20.0: ", "dt must be above 0 s and at most 10 s"]),
        (&["--vary", "substeps=1..8:3"], &["substeps=1.0: ", "must be a whole number"]),
        (&["--vary", "dt=0.001..0.01"], &["no number of values", "--samples N"]),
        (&["--vary", "dt=0.01", "--vary", "dt=0.02"], &["the key dt is varied twice"]),
        (&["--vary", "seed=1,2", "--seeds", "2"], &["the key seed is varied twice"]),
        (&["--vary", "config.seed=1,2", "--seeds", "2"], &["seed and config.seed are the same key"]),
        (
            &["--vary", "part.0.friction=1", "--vary", "part.'gear_large'.friction=0.5"],
            &["sets the same place as part.0.friction=1"],
        ),
        (
            &["--vary", "model.1.position=[1, 2, 3]", "--vary", "model.1.position.x=0.5"],
            &["sets the same place as model.1.position=[1, 2, 3]"],
        ),
        (
            &["--vary", "dt=0.01..0.02:1000", "--vary", "part.washer.mass=1..2:1000", "--seeds", "1000"],
            &["these are 1000000000 runs, the limit is 1000000", "--samples N"],
        ),
        (&["--vary", "dt=0.01", "--shard", "5/4"], &["there is no shard 5 of 4"]),
        (&["--list", "list.csv"], &["list.csv: line 3: dt has no value"]),
        (&["--list", "keys.csv"], &["keys.csv: line 1: each column needs a key"]),
        (&["--list", "none.csv"], &["none.csv: "]),
        (&[], &["nothing is varied"]),
    ] {
        let all = [&["sweep", "drop.toml", "--out", "out"], arguments].concat();
        let error = shop.refused(&all);
        for reason in reasons {
            assert!(error.contains(reason), "{arguments:?}: {reason:?} is not in {error:?}");
        }
        assert!(!shop.path().join("out").exists(), "{arguments:?}: nothing is written");
    }
}

#[test]
fn a_model_has_options_but_no_keys_of_a_scene_file() {
    let shop = drops();
    let error = shop.refused(&["sweep", "parts.glb", "--vary", "part.nut.friction=1", "--out", "out"]);
    assert!(error.contains("is no scene file"), "{error}");
    let said = shop.tumble(&["sweep", "parts.glb", "--vary", "steps=1,2", "--out", "out"]);
    assert_eq!(said.code(), 0, "{}", said.error());
}

#[test]
fn a_folder_takes_one_sweep_and_no_other_files() {
    let shop = drops();
    let sweep = |vary: &str, out: &str| shop.tumble(&["sweep", "drop.toml", "--vary", vary, "--out", out]);
    assert_eq!(sweep("steps=3,4", "one").code(), 0);
    let description = fs::read(shop.path().join("one/sweep.json")).unwrap();
    for (vary, reason) in [
        ("steps=3,5", "the values of its keys are others"),
        ("steps=3,4,5", "its number of runs is 2, here it is 3"),
        ("substeps=3,4", "its list of keys is steps, here it is substeps"),
    ] {
        let said = sweep(vary, "one");
        assert!(said.code() == 2 && said.error().contains(reason), "{vary}: {}", said.error());
    }
    shop.write("drop.toml", &super::DROP.replace("0.3", "0.4"));
    let said = sweep("steps=3,4", "one");
    assert!(
        said.code() == 2 && said.error().contains("its drop.toml is not the same file"),
        "{}",
        said.error()
    );
    assert_eq!(fs::read(shop.path().join("one/sweep.json")).unwrap(), description);
    assert_eq!(results(&shop.path().join("one")).len(), 2);
    // A merge would replace files of these names.
    fs::create_dir(shop.path().join("mine")).unwrap();
    shop.write("mine/table.csv", "mine");
    let said = sweep("steps=3,4", "mine");
    assert!(said.code() == 2 && said.error().contains("such as table.csv"), "{}", said.error());
    let error = shop.refused(&["sweep", "merge", "mine"]);
    assert!(error.contains("mine: has no sweep"), "{error}");
    assert_eq!(fs::read(shop.path().join("mine/table.csv")).unwrap(), b"mine");
}

#[test]
fn a_damaged_description_is_refused_with_its_reason() {
    let shop = drops();
    let arguments = ["sweep", "drop.toml", "--vary", "steps=1,2", "--out", "s"];
    assert_eq!(shop.tumble(&arguments).code(), 0);
    let whole = fs::read_to_string(shop.path().join("s/sweep.json")).unwrap();
    let compact: serde_json::Value = serde_json::from_str(&whole).unwrap();
    let compact = compact.to_string();
    for (text, reason) in [
        (compact[..50].to_owned(), "EOF while parsing"),
        (compact.replace("[\"1\"],[\"2\"]", "[\"1\"],[]"), "not every run has one value of each of steps"),
        (compact.replace("[\"1\"],[\"2\"]", ""), "there is no value of steps"),
        (compact.replace("\"layout\":1", "\"layout\":9"), "its layout is 9, this program writes 1"),
    ] {
        assert_ne!(text, compact, "{reason}");
        shop.write("s/sweep.json", &text);
        for arguments in [&["sweep", "merge", "s"][..], &arguments] {
            let error = shop.refused(arguments);
            assert!(error.contains("s/sweep.json: ") && error.contains(reason), "{error}");
        }
    }
    shop.write("s/sweep.json", &whole);
    assert!(shop.tumble(&arguments).text().contains("2 were done before"), "no result is lost");
}
