//! A frame of 200 parts with planted faults. The check finds each of the faults, and all findings of a
//! brute-force comparison.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tumble::check::Kind;
use tumble::scene::load_scene;

use super::brute::{Answer, Surface, all_pairs};
use super::{found, of_pair};
use crate::frame::{Frame, PART_COUNT};
use crate::parts_file::Stored;

const CLEARANCE: f64 = 1e-3;
/// Limit between contact and clash, m. The depth of every fault in the frame is zero or above this
/// limit.
const DEEP: f64 = 5e-6;

pub fn written(folder: &Path, name: &str, frame: &Frame, stored: Stored) -> PathBuf {
    let path = folder.join(name);
    frame.file.write(&path, stored);
    path
}

/// Returns the kind of finding that the answer of brute force implies.
fn kind(answer: Answer, is_sheet: bool) -> Kind {
    match answer {
        Answer { distance: 0.0, depth } if depth > DEEP || is_sheet => Kind::Clash,
        Answer { distance, depth } if depth > DEEP && distance > 0.0 => Kind::Inside,
        Answer { distance, .. } if distance < DEEP => Kind::Contact,
        _ => Kind::Clearance,
    }
}

#[test]
fn planted_faults_are_found_as_deep_and_as_far_apart_as_they_were_planted() {
    let folder = tempfile::tempdir().unwrap();
    let frame = Frame::new();
    let document =
        found(&written(folder.path(), "frame.glb", &frame, Stored::InOrder), &["--clearance", "1mm"]);
    assert_eq!((document.part_count, document.complete), (PART_COUNT, true));
    for planted in &frame.planted {
        let pair = format!("{} – {}", planted.a, planted.b);
        let finding = of_pair(&document, &planted.a, &planted.b);
        assert_eq!(finding.map(|f| f.kind), planted.kind, "{pair}: {finding:?}");
        let Some(finding) = finding else { continue };
        if let Some(distance) = planted.distance {
            assert!((finding.distance_m - distance).abs() < 2e-7, "{pair}: {finding:?}");
        }
        if let Some(depth) = planted.depth {
            let found = finding.depth_m.unwrap();
            assert!((found / depth - 1.0).abs() < 0.05, "{pair}: {depth} m were planted: {finding:?}");
            assert!(finding.depth_at_most_m.unwrap() >= found, "{pair}");
        }
    }
    // All other faults are only parts that are near each other.
    let is_planted = |kind: Kind| frame.planted.iter().filter(|p| p.kind == Some(kind)).count();
    for kind in [Kind::Clash, Kind::Inside, Kind::Doubled] {
        assert_eq!(document.count(kind), is_planted(kind), "{kind:?}");
    }
}

#[test]
fn findings_are_those_of_all_triangles_beside_all() {
    let folder = tempfile::tempdir().unwrap();
    for (name, frame) in [("first.glb", Frame::new()), ("second.glb", Frame::second_version())] {
        let path = written(folder.path(), name, &frame, Stored::Shuffled);
        let document = found(&path, &["--clearance", "1mm"]);
        let scene = load_scene(path.to_str().unwrap(), None).unwrap();
        let poses: Vec<_> = scene.bodies.iter().map(|body| body.pose).collect();
        let parts = Surface::all(&scene, &poses);
        assert_eq!(parts.len(), PART_COUNT);
        let mut right: BTreeMap<[&str; 2], (Kind, Answer)> = BTreeMap::new();
        for ([i, j], answer) in all_pairs(&parts, CLEARANCE) {
            let mut pair = [&*parts[i].path, &*parts[j].path];
            pair.sort_unstable();
            let is_sheet = pair.iter().any(|path| path.contains("sheet"));
            let mut kind = kind(answer, is_sheet);
            if pair == ["frame/extras/spare_a", "frame/options/spare_b"] {
                kind = Kind::Doubled;
            }
            right.insert(pair, (kind, answer));
        }
        assert!(right.len() > 300, "{}", right.len());
        for finding in &document.findings {
            let (kind, answer) = right
                .remove(&[&*finding.a, &*finding.b])
                .unwrap_or_else(|| panic!("{name}: brute force does not know {finding:?}"));
            assert_eq!(finding.kind, kind, "{name}: {answer:?}, {finding:?}");
            if kind != Kind::Contact && answer.distance <= CLEARANCE {
                let off = (finding.distance_m - answer.distance).abs();
                assert!(off < 1e-9 || kind == Kind::Doubled, "{name}: {answer:?}, {finding:?}");
                let [p, q] = finding.points.map(glam::DVec3::from_array);
                let is_between = kind != Kind::Clearance || (p.distance(q) - answer.distance).abs() < 1e-9;
                assert!(is_between, "{name}: {finding:?}");
            }
            // The sampled depth is a lower bound of the true depth.
            if matches!(kind, Kind::Clash | Kind::Inside) {
                assert!(
                    finding.depth_at_most_m.unwrap_or(0.0) >= answer.depth - 1e-9,
                    "{name}: {answer:?}, {finding:?}"
                );
            }
        }
        assert!(right.is_empty(), "{name}: not found: {right:?}");
    }
}
