//! Bodies that overlap at the start, by name: a note before the first step, and entries for JSON.

use serde::Serialize;

use crate::import::{Note, NoteKind};
use crate::scene::Scene;
use crate::world::StartOverlaps;

/// Number of pairs that each list of the note names: those that intersect, and those inside each other.
/// The JSON has all pairs.
const PAIRS_NAMED: usize = 5;

/// Two bodies that overlap at the start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OverlapFigures {
    pub a: String,
    pub b: String,
    /// Depth; `None` if the limits did not suffice to find one, or if one body lies wholly inside the
    /// other.
    pub depth_mm: Option<f64>,
    /// Name of the body that lies wholly inside the other; `None` if neither does.
    pub enclosed: Option<String>,
    /// Whether only parts of the two surfaces were searched.
    pub is_estimate: bool,
    /// Whether contacts keep the two from sinking deeper into each other.
    pub is_held: bool,
    /// Whether the overlap looks like that of the facets of two round surfaces that fit.
    pub looks_like_facets: bool,
}

impl OverlapFigures {
    /// Returns the figures of all overlaps, the deepest first.
    pub fn of(scene: &Scene, overlaps: &StartOverlaps) -> Vec<Self> {
        let name = |body: u32| scene.bodies[body as usize].name.clone();
        let figures = overlaps.pairs.iter().map(|pair| Self {
            a: name(pair.a),
            b: name(pair.b),
            depth_mm: pair.depth.map(|depth| depth * 1e3),
            enclosed: pair.enclosed.map(name),
            is_estimate: pair.is_estimate,
            is_held: pair.is_held,
            looks_like_facets: pair.looks_like_facets(),
        });
        figures.collect()
    }

    fn text(&self) -> String {
        let Self { a, b, .. } = self;
        if let Some(inner) = &self.enclosed {
            return format!("{inner} in {}", if inner == a { b } else { a });
        }
        let depth = match self.depth_mm {
            None => "deep".to_owned(),
            Some(depth) if self.is_estimate => format!("about {depth:.1} mm"),
            Some(depth) if depth < 0.1 => format!("{depth:.4} mm"),
            Some(depth) => format!("{depth:.1} mm"),
        };
        format!("{a} – {b} {depth}")
    }
}

/// Returns a note on the overlaps and on undecided pairs; `None` if there are neither.
pub fn overlap_note(scene: &Scene, overlaps: &StartOverlaps) -> Option<Note> {
    let figures = OverlapFigures::of(scene, overlaps);
    let (enclosed, crossing): (Vec<_>, Vec<_>) = figures.iter().partition(|pair| pair.enclosed.is_some());
    let mut texts = Vec::new();
    if !crossing.is_empty() {
        let count = match crossing.len() {
            1 => "1 pair of parts overlaps".to_owned(),
            count => format!("{count} pairs of parts overlap"),
        };
        texts.push(format!("{count} at the start: {}", named(&crossing)));
        texts.push(outlook(&crossing));
        texts.extend(facets_note(&crossing));
        texts.push(
            "Overlapping parts are slow to step; move them apart, or say what is meant to overlap: [[pair]] with \
             rule = \"permanent\" (press fits, threads) or \"ignore\""
                .to_owned(),
        );
    }
    if !enclosed.is_empty() {
        texts.push(format!(
            "wholly inside another part at the start: {}. No surfaces touch there, so nothing holds them apart, \
             and the inner one may leave on any side; move them out, or leave one of the two out",
            named(&enclosed)
        ));
    }
    if overlaps.open_count > 0 {
        texts.push(format!(
            "{} near pairs are too many to look at before the first step",
            overlaps.open_count
        ));
    }
    let (place, text) = (scene.name.clone(), texts.join(". "));
    (!text.is_empty()).then_some(Note { kind: NoteKind::Warning, place, text })
}

/// Returns a sentence on the pairs whose overlap looks like facets; `None` if there are none.
fn facets_note(crossing: &[&OverlapFigures]) -> Option<String> {
    let facets: Vec<&OverlapFigures> =
        crossing.iter().copied().filter(|pair| pair.looks_like_facets).collect();
    let deepest = facets.iter().filter_map(|pair| pair.depth_mm).fold(0.0, f64::max);
    // A little more than the deepest overlap, in whole micrometers.
    let clearance = (1.2e3 * deepest).ceil();
    let (count, looks) = (facets.len(), if facets.len() == 1 { "looks" } else { "look" });
    (count > 0).then(|| {
        format!(
            "{count} of these overlaps {looks} like the facets of round parts that fit ({}): to let these slide, add a [[pair]] with \
             rule = \"fit\" and clearance = \"{clearance} um\"",
            named(&facets)
        )
    })
}

/// Returns sentences on the motion to expect of pairs that overlap.
fn outlook(crossing: &[&OverlapFigures]) -> String {
    const HELD: &str = "keep their overlap: contacts keep it from growing, and do not push them apart";
    const LOOSE: &str = "such parts may sink further, be pushed out or pass through each other";
    let deep: Vec<&OverlapFigures> = crossing.iter().copied().filter(|pair| !pair.is_held).collect();
    let deep_in = "deeper than contacts surely find";
    match (crossing.len() - deep.len(), deep.len()) {
        (_, 0) => format!("They {HELD}"),
        (0, 1) => format!("That is {deep_in}: {LOOSE}"),
        (0, _) => format!("All of these are {deep_in}: {LOOSE}"),
        (_, count) => format!("{count} are {deep_in} ({}): {LOOSE}. The others {HELD}", named(&deep)),
    }
}

/// Lists the first pairs, and adds the number of further pairs.
fn named(pairs: &[&OverlapFigures]) -> String {
    let first: Vec<String> = pairs.iter().take(PAIRS_NAMED).map(|pair| pair.text()).collect();
    match pairs.len().saturating_sub(PAIRS_NAMED) {
        0 => first.join(", "),
        more => format!("{}; {more} more", first.join(", ")),
    }
}
