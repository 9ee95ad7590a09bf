//! An assembly that is rotated, mirrored, scaled or stored in another order has the same findings.

use glam::{DQuat, DVec3};
use tumble::check::Kind;
use tumble::report::findings::CheckDocument;

use super::frame::written;
use super::{found, of_pair};
use crate::frame::Frame;
use crate::parts_file::Stored;

/// Asserts that two answers agree. The lengths of the second are `times` as long.
fn are_alike(document: &CheckDocument, other: &CheckDocument, times: f64, name: &str) {
    for finding in &document.findings {
        let twin = of_pair(other, &finding.a, &finding.b)
            .unwrap_or_else(|| panic!("{name}: not found: {finding:?}"));
        assert_eq!((&twin.id, twin.kind), (&finding.id, finding.kind), "{name}: {finding:?}, {twin:?}");
        let off = (twin.distance_m / times - finding.distance_m).abs();
        assert!(off < 3e-7, "{name}: {finding:?}, {twin:?}");
        if let Some(depth) = finding.depth_m.filter(|_| finding.kind.is_clash()) {
            let share = twin.depth_m.unwrap() / times / depth;
            assert!((share - 1.0).abs() < 0.05, "{name}: {finding:?}, {twin:?}");
        }
        if finding.kind == Kind::Clearance {
            let [p, q] = twin.points.map(DVec3::from_array);
            assert!((p.distance(q) - twin.distance_m).abs() < 1e-9 * times, "{name}: {twin:?}");
        }
    }
    assert_eq!(document.findings.len(), other.findings.len(), "{name}");
}

#[test]
fn an_assembly_that_is_turned_scaled_or_shuffled_has_the_same_findings() {
    let folder = tempfile::tempdir().unwrap();
    let check = |frame: &Frame, stored: Stored, clearance: &str| {
        found(&written(folder.path(), "frame.glb", frame, stored), &["--clearance", clearance])
    };
    let plain = check(&Frame::low(), Stored::InOrder, "1mm");
    assert!(plain.findings.len() > 150);
    let mut turned = Frame::low();
    turned.file.root.rotation = DQuat::from_axis_angle(DVec3::new(2.0, -1.0, 0.5).normalize(), 2.1);
    turned.file.root.position = DVec3::new(-1.7, 0.6, 2.2);
    are_alike(&plain, &check(&turned, Stored::InOrder, "1mm"), 1.0, "turned");
    let mut scaled = Frame::low();
    scaled.file.root.scale = DVec3::splat(1000.0);
    scaled.file.root.position *= 1000.0;
    are_alike(&plain, &check(&scaled, Stored::InOrder, "1m"), 1000.0, "scaled");
    are_alike(&plain, &check(&Frame::low(), Stored::Shuffled, "1mm"), 1.0, "shuffled");
}

#[test]
fn an_assembly_that_is_mirrored_has_the_same_findings() {
    let folder = tempfile::tempdir().unwrap();
    let check = |frame: &Frame, stored: Stored, clearance: &str| {
        found(&written(folder.path(), "frame.glb", frame, stored), &["--clearance", clearance])
    };
    let plain = check(&Frame::low(), Stored::InOrder, "1mm");
    let mut mirrored = Frame::low();
    mirrored.file.root.scale = DVec3::new(-1.0, 1.0, 1.0);
    are_alike(&plain, &check(&mirrored, Stored::InOrder, "1mm"), 1.0, "mirrored");
}
