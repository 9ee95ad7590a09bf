//! Remarks of a check for its readers: notes on parts, and the reasons for which a finding may be
//! missing.

use serde::{Deserialize, Serialize};

use super::finding::path;
use crate::check::{Checked, Coarse, Finding, Kind, PlacedParts, written};
use crate::digits::grouped;
use crate::import::model::NoteKind;

/// Pairs that are near each other, but for which the rounding of their coordinates exceeds the required
/// distance or a ten-thousandth of the smaller part. A clash of them may be missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoarseTolerance {
    pub pair_count: usize,
    /// Paths of the pair with the largest tolerance, and this tolerance, m.
    pub a: String,
    pub b: String,
    pub tolerance_m: f64,
}

impl CoarseTolerance {
    pub(super) fn new(coarse: Coarse, parts: &PlacedParts) -> Self {
        let mut paths = coarse.parts.map(|part| path(part, parts.scene()));
        paths.sort();
        let [a, b] = paths;
        Self { pair_count: coarse.pair_count, a, b, tolerance_m: coarse.tolerance }
    }
}

/// Describes missing geometry and coarse coordinates: the reasons for which a finding may be missing.
pub(super) fn doubts(missing: &[String], coarse: Option<&CoarseTolerance>) -> Vec<String> {
    let more = |count: usize| {
        if count == 0 { String::new() } else { format!(" (and {} more)", grouped(count as u64)) }
    };
    let missing = missing.first().map(|first| {
        format!("geometry is missing: {first}{}; --allow-missing accepts that", more(missing.len() - 1))
    });
    let coarse = coarse.map(|CoarseTolerance { pair_count, a, b, tolerance_m }| {
        format!(
            "the coordinates of {a} and {b}{} are too coarse to tell what is less than {} deep or apart, which counts as \
             a contact; --tolerance accepts another length",
            more(pair_count - 1),
            written(*tolerance_m)
        )
    });
    missing.into_iter().chain(coarse).collect()
}

/// Returns notes on parts that are open, present twice or omitted.
pub(super) fn notes(parts: &PlacedParts) -> Vec<String> {
    let scene = parts.scene();
    let count = |is_it: &dyn Fn(u32) -> bool| parts.parts().filter(|&part| is_it(part)).count();
    let flaws = |part: u32| parts.placed(part).map(|placed| placed.mesh.surface().flaws);
    let is_open = |part: u32| flaws(part).is_some_and(|flaws| flaws.two_sided_triangle_count > 0);
    let open = count(&is_open);
    let mut names: Vec<&str> = parts
        .parts()
        .filter(|&part| is_open(part))
        .map(|part| &*scene.bodies[part as usize].name)
        .take(4)
        .collect();
    if open > names.len() {
        names.push("…");
    }
    let doubled = count(&|part| flaws(part).is_some_and(|flaws| flaws.duplicate_triangle_count > 0));
    let is_left_out = |body: &&crate::scene::BodyDef| body.is_ground || body.trigger;
    let left_out = scene.bodies.iter().filter(is_left_out).count();
    let bare = scene.bodies.iter().filter(|body| body.mesh.is_none()).count();
    let mut notes = Vec::new();
    if open > 0 {
        let names = names.join(", ");
        let text =
            "open surfaces are sheets, which have no inside: nothing counts as deep in them, or inside";
        notes.push(format!("{text}; parts with some: {open} ({names})"));
    }
    if doubled > 0 {
        notes.push(format!("parts with triangles that are stored twice and tested once: {doubled}"));
    }
    if !parts.lost().is_empty() {
        let count = parts.lost().len();
        notes.push(format!("parts that are not tested, because their pose is not finite: {count}"));
    }
    if left_out > 0 {
        notes.push(format!("bodies that are not tested (the ground and triggers): {left_out}"));
    }
    if bare > 0 {
        notes.push(format!("bodies without a surface: {bare}"));
    }
    if !scene.skeletons.is_empty() {
        notes.push("skins are tested as the rigid surfaces of their links".to_owned());
    }
    notes
}

/// Describes the geometry that is missing from a check.
pub(super) fn missing(parts: &PlacedParts) -> Vec<String> {
    let scene = parts.scene();
    let left_out = scene.notes.iter().filter(|note| note.kind == NoteKind::LeftOut);
    let mut missing: Vec<String> = left_out.map(|note| format!("{}: {}", note.place, note.text)).collect();
    missing.extend(parts.lost().iter().map(|&part| format!("{}: its pose is not finite", path(part, scene))));
    missing
}

/// Returns a note on overlaps that a rule allows by their known depth, but perhaps not by the upper
/// bound of their depth.
pub(super) fn unproven(checked: &Checked) -> Option<String> {
    let is_unproven = |finding: &&Finding| {
        let most = finding.depth.map_or(0.0, |depth| depth.at_most);
        finding.kind == Kind::Contact && finding.overlap > 0.0 && most > finding.overlap
    };
    let count = checked.findings.iter().filter(is_unproven).count();
    (count > 0).then(|| {
        format!("{count} pairs are not proven to be as shallow as their rule allows: see depth_at_most_m")
    })
}

/// Returns a note if most pairs of parts overlap.
pub(super) fn overlap_of_all(checked: &Checked, parts: &PlacedParts) -> Option<String> {
    let clashes = checked.findings.iter().filter(|finding| finding.kind.is_clash()).count();
    let count = parts.parts().count();
    let pairs = count * count.saturating_sub(1) / 2;
    (count > 4 && 2 * clashes > pairs).then(|| {
        format!("{clashes} of {pairs} pairs of parts overlap: the parts may not be where they belong")
    })
}
