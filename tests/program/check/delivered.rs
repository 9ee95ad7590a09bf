//! The page and the topics of a check.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;
use std::process::Command;

use glam::{DVec3, Vec3};
use tumble::generate::cuboid;

use super::frame::written;
use super::{check, cube, cubes, is_refused, stderr};
use crate::frame::Frame;
use crate::parts_file::{Node, PartsFile, Stored};

const OPTIONS: [&str; 4] = ["--clearance", "1mm", "--fail-on", "none"];

fn deliver(model: &Path, option: &str, file: &Path) -> Vec<u8> {
    let output = check(model, &[&OPTIONS[..], &[option, file.to_str().unwrap()]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    fs::read(file).unwrap()
}

#[test]
fn the_page_has_every_finding_and_loads_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let model = written(folder.path(), "frame.glb", &Frame::new(), Stored::InOrder);
    let page = String::from_utf8(deliver(&model, "--page", &folder.path().join("page.html"))).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("Check of frame.glb"));
    assert!(
        !page.contains("<script") && !page.contains("http") && !page.contains("src=\"/"),
        "it loads nothing"
    );
    for finding in &super::found(&model, &OPTIONS[..2]).findings {
        assert!(page.contains(&finding.id), "{finding:?}");
    }
    for kind in ["clash", "clearance", "contact"] {
        assert!(page.contains(&format!("id=\"show-{kind}\"")), "{kind}");
    }
    // With a graphics driver, each group has a picture; otherwise the page tells the reason.
    let pictures = page.matches("data:image/png;base64,").count();
    assert_eq!(pictures == 0, page.contains("Pictures are missing: "), "{pictures} pictures");
}

#[test]
fn names_from_files_are_text_in_pages_and_topics() {
    let folder = tempfile::tempdir().unwrap();
    let name = "<b>&amp;\"'\u{1b}]]>";
    let model = cubes(&folder.path().join("odd.glb"), &[(name, 0.0), ("right", 0.1)]);
    let page = String::from_utf8(deliver(&model, "--page", &folder.path().join("page.html"))).unwrap();
    assert!(page.contains("&lt;b&gt;&amp;amp;") && !page.contains("<b>") && !page.contains('\u{1b}'));
    let topics = topics(&deliver(&model, "--bcf", &folder.path().join("topics.bcfzip")));
    let markup = &topics.iter().find(|(name, _)| name.ends_with("markup.bcf")).unwrap().1;
    assert!(!markup.contains("<b>") && !markup.contains('\u{1b}'), "{markup}");
}

#[test]
fn topics_with_odd_names_and_states_are_xml_and_have_identifiers_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    // XML 1.0 has neither U+FFFE nor U+FFFF.
    let row = [("p\u{fffe}\u{ffff}", 0.0), ("q", 0.12), ("q accepted", 0.24), ("r", 0.36)];
    let model = cubes(&folder.path().join("row.glb"), &row);
    let accepted =
        "[[finding]]\nkind = \"clash\"\nparts = [\"all/q\", \"all/q accepted\"]\nverdict = \"accepted\"\n";
    fs::write(folder.path().join("row.glb.review.toml"), accepted).unwrap();
    let topics = topics(&deliver(&model, "--bcf", &folder.path().join("topics.bcfzip")));
    let markups: Vec<_> = topics.iter().filter(|(name, _)| name.ends_with("markup.bcf")).collect();
    let names: BTreeSet<_> = markups.iter().map(|(name, _)| name).collect();
    assert!(markups.len() >= 2 && names.len() == markups.len(), "{names:?}");
}

/// Returns the numbers of a point or direction in a viewpoint.
fn vector(viewpoint: &str, name: &str) -> [f64; 3] {
    let document = roxmltree::Document::parse(viewpoint).unwrap();
    let node = document.descendants().find(|node| node.has_tag_name(name)).unwrap();
    let axis = |axis: &str| node.children().find(|node| node.has_tag_name(axis)).unwrap();
    ["X", "Y", "Z"].map(|name| axis(name).text().unwrap().parse().unwrap())
}

#[test]
fn the_camera_of_a_building_stands_upright_where_the_building_is() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("zup.obj");
    // Two boxes that overlap by 0.1 m around (1.05, 2, 3), z up.
    let mut text = String::new();
    for (number, x) in [(0, 0.0), (1, 1.0)] {
        text += &format!("o box{number}\n");
        for corner in 0..8 {
            let [a, b, c] = [corner & 1, corner >> 1 & 1, corner >> 2].map(f64::from);
            text += &format!("v {} {} {}\n", x + 1.1 * a, 1.5 + b, 2.5 + c);
        }
        let first = 8 * number + 1;
        for face in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
            let corners = face.map(|corner| (first + corner).to_string());
            text += &format!("f {}\n", corners.join(" "));
        }
    }
    fs::write(&model, text).unwrap();
    let viewpoint = |axes: &[&str], name: &str| {
        let path = folder.path().join(name);
        let bcf = ["--fail-on", "none", "--unit", "m", "--bcf", path.to_str().unwrap()];
        let output = check(&model, &[axes, &bcf].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let topics = topics(&fs::read(&path).unwrap());
        topics.into_iter().find(|(name, _)| name.ends_with("viewpoint.bcfv")).unwrap().1
    };
    // As drawn with z up, and with y up in the file's own axes, the clash is where the file has it.
    for (axes, name, up) in [(["--up", "z"], "z", 2), (["--up", "y"], "y", 1)] {
        let text = viewpoint(&axes, name);
        let [x, y, z] = vector(&text, "StartPoint");
        assert!((0.9..1.2).contains(&x) && (1.4..2.6).contains(&y) && (2.4..3.6).contains(&z), "{x} {y} {z}");
        assert!(vector(&text, "CameraUpVector")[up] > 0.5, "{text}");
    }
    // Without an axis y is up in the scene, and z in the topics.
    let text = viewpoint(&[], "none");
    let [x, y, z] = vector(&text, "StartPoint");
    assert!((0.9..1.2).contains(&x) && (-3.6..-2.4).contains(&y) && (1.4..2.6).contains(&z), "{x} {y} {z}");
    assert!(vector(&text, "CameraUpVector")[2] > 0.5, "{text}");
}

#[test]
fn neither_a_review_nor_a_shard_is_replaced_and_two_results_are_two_files() {
    let folder = tempfile::tempdir().unwrap();
    let model = cubes(&folder.path().join("row.glb"), &[("left", 0.0), ("right", 0.12)]);
    let shards = folder.path().join("shards");
    let shard = ["--shard", "1/1", "--out", shards.to_str().unwrap()];
    assert_eq!(check(&model, &shard).status.code(), Some(0));
    let review = folder.path().join("row.glb.review.toml");
    fs::write(&review, "# mine\n").unwrap();
    for kept in [&review, &folder.path().join("shards/check-1-of-1.jsonl")] {
        let before = fs::read(kept).unwrap();
        let merge = ["--merge", shards.to_str().unwrap(), "--page", kept.to_str().unwrap(), "--force"];
        is_refused(&check(&model, &merge), &[kept.to_str().unwrap(), "review or the shard"]);
        assert_eq!(fs::read(kept).unwrap(), before);
    }
    let [one, same] = ["one", "shards/../one"].map(|name| folder.path().join(name));
    for exists in [false, true] {
        let both = ["--page", one.to_str().unwrap(), "--bcf", same.to_str().unwrap(), "--force"];
        is_refused(&check(&model, &both), &["one file, for two results"]);
        assert_eq!(one.exists(), exists);
        fs::write(&one, "mine").unwrap();
    }
}

/// Returns the names and texts of all XML files in a zip.
fn topics(bytes: &[u8]) -> Vec<(String, String)> {
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let names = zip.file_names().map(|name| name.unwrap().into_owned());
    let names: Vec<String> = names.filter(|name| !name.ends_with(".png")).collect();
    let read = |name: String| {
        let mut text = String::new();
        zip.by_name(&name).unwrap().read_to_string(&mut text).unwrap();
        let document = roxmltree::Document::parse(&text).map(drop);
        assert_eq!(document, Ok(()), "{name}");
        (name, text)
    };
    names.into_iter().map(read).collect()
}

#[test]
fn every_group_is_a_topic_with_a_viewpoint_and_the_paths_of_its_parts() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = PartsFile::new(Node::new("all", None));
    let mesh = file.mesh("cube", cube());
    for (name, x) in [("left", 0.0), ("middle", 0.12), ("right", 0.2455)] {
        file.root.add(Node::new(name, Some(mesh)).at(DVec3::X * x));
    }
    let model = folder.path().join("row.glb");
    file.write(&model, Stored::InOrder);
    let path = folder.path().join("topics.bcfzip");
    let first = topics(&deliver(&model, "--bcf", &path));
    assert!(first.iter().any(|(name, text)| name == "bcf.version" && text.contains("VersionId=\"2.1\"")));
    let texts = |suffix: &str| -> Vec<&String> {
        first.iter().filter(|(name, _)| name.ends_with(suffix)).map(|(_, text)| text).collect()
    };
    let (markups, viewpoints) = (texts("markup.bcf"), texts("viewpoint.bcfv"));
    assert_eq!((markups.len(), viewpoints.len()), (2, 2), "a clash and a distance");
    assert!(viewpoints.iter().all(|text| text.contains("<AuthoringToolId>all/middle</AuthoringToolId>")));
    assert!(markups.iter().any(|text| text.contains("clash") && text.contains("all/left – all/middle")));
    // A later export updates the same topics.
    let names =
        |topics: &[(String, String)]| topics.iter().map(|(name, _)| name.clone()).collect::<BTreeSet<_>>();
    fs::remove_file(&path).unwrap();
    let accepted =
        "[[finding]]\nkind = \"clash\"\nparts = [\"all/left\", \"all/middle\"]\nverdict = \"accepted\"\n";
    fs::write(folder.path().join("row.glb.review.toml"), accepted).unwrap();
    let second = topics(&deliver(&model, "--bcf", &path));
    assert_eq!(names(&second), names(&first));
    let closed = |topics: &[(String, String)]| {
        topics.iter().filter(|(_, text)| text.contains("TopicStatus=\"Closed\"")).count()
    };
    assert_eq!([closed(&first), closed(&second)], [0, 1], "the topic of the accepted clash is closed");
}

/// Script for the package `bcf-client`, which reads topics independently: prints the version, and each
/// topic with its parts and its field of view.
const READER: &str = "
import sys
from bcf.bcfxml import load
with load(sys.argv[1]) as file:
    print(file.version.version_id)
    for topic in file.topics.values():
        for view in topic.viewpoints.values():
            info = view.visualization_info
            parts = sorted(part.authoring_tool_id for part in info.components.selection.component)
            print(topic.topic.topic_status, parts, info.perspective_camera.field_of_view)
";

#[test]
fn another_reader_opens_the_topics_where_it_is_installed() {
    let python = |arguments: &[&str]| Command::new("python3").args(arguments).output();
    if !python(&["-c", "import bcf.bcfxml"]).is_ok_and(|output| output.status.success()) {
        eprintln!("python3 has no bcf-client here: nothing is read");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let model = cubes(&folder.path().join("row.glb"), &[("left", 0.0), ("middle", 0.12), ("right", 0.2455)]);
    let path = folder.path().join("topics.bcfzip");
    deliver(&model, "--bcf", &path);
    let output = python(&["-c", READER, path.to_str().unwrap()]).unwrap();
    let lines = "2.1\nOpen ['all/left', 'all/middle'] 45.0\nOpen ['all/middle', 'all/right'] 45.0\n";
    assert_eq!(super::stdout(&output), lines, "{}", stderr(&output));
}

#[test]
fn a_file_that_exists_or_cannot_be_written_is_told_before_the_check() {
    let folder = tempfile::tempdir().unwrap();
    let model = cubes(&folder.path().join("row.glb"), &[("left", 0.0), ("right", 0.12)]);
    let page = folder.path().join("page.html");
    fs::write(&page, "mine").unwrap();
    is_refused(&check(&model, &["--page", page.to_str().unwrap()]), &["page.html", "--force"]);
    assert_eq!(fs::read_to_string(&page).unwrap(), "mine");
    let forced = check(&model, &["--page", page.to_str().unwrap(), "--force"]);
    assert_eq!(forced.status.code(), Some(1), "{}", stderr(&forced));
    assert!(fs::read_to_string(&page).unwrap().contains("Check of row.glb"));
    let input = model.to_str().unwrap();
    is_refused(&check(&model, &["--bcf", input, "--force"]), &["row.glb"]);
    let baseline = folder.path().join("old.json");
    fs::write(&baseline, check(&model, &["--json"]).stdout).unwrap();
    let old = baseline.to_str().unwrap();
    is_refused(&check(&model, &["--baseline", old, "--page", old, "--force"]), &["old.json"]);
    let scene = folder.path().join("scene.toml");
    fs::write(&scene, "steps = 1\n[[model]]\nfile = \"row.glb\"\n").unwrap();
    let recording = folder.path().join("run.tumble");
    let record = ["run", scene.to_str().unwrap(), "--record", recording.to_str().unwrap()];
    assert!(Command::new(env!("CARGO_BIN_EXE_tumble")).args(record).output().unwrap().status.success());
    let before = fs::read(&recording).unwrap();
    let run = recording.to_str().unwrap();
    is_refused(&check(&recording, &["--page", run, "--force"]), &["run.tumble"]);
    assert_eq!(fs::read(&recording).unwrap(), before);
}

#[test]
fn of_more_than_a_hundred_groups_the_first_hundred_are_drawn_and_the_page_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = PartsFile::new(Node::new("all", None));
    for group in 0..120 {
        let mut node = Node::new(format!("group {}", letters(group)), None).at(DVec3::Y * f64::from(group));
        for (number, (side, x)) in (0..).zip([("left", 0.0), ("right", 0.12)]) {
            let name = format!("{side} {}", letters(group));
            // Parts with equal surfaces are of one type, so that their pairs are one group.
            let height = 0.1 + 1e-4 * f64::from(2 * group + number);
            let mesh = file.mesh(&name, cuboid(Vec3::new(0.125, height as f32, 0.125), 1.0));
            node.add(Node::new(name, Some(mesh)).at(DVec3::X * x));
        }
        file.root.add(node);
    }
    let model = folder.path().join("many.glb");
    file.write(&model, Stored::InOrder);
    let page = String::from_utf8(deliver(&model, "--page", &folder.path().join("page.html"))).unwrap();
    assert!(page.contains("the first 100 of 120 groups are drawn"));
    assert!(page.matches("data:image/png").count() <= 100);
}

/// Returns a number as letters, as numbers in names do not distinguish types of parts.
fn letters(number: i32) -> String {
    number.to_string().bytes().map(|digit| char::from(b'a' + digit - b'0')).collect()
}
