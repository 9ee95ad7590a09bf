//! Bodies that overlap at the start, by name: a note to read before the first step, and rows for JSON.

use serde::Serialize;

use crate::import::{Note, NoteKind};
use crate::scene::Scene;
use crate::world::StartOverlaps;

/// Pairs that the note names; JSON has them all.
const PAIRS_NAMED: usize = 5;

/// Two bodies that overlap at the start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OverlapFigures {
    pub a: String,
    pub b: String,
    /// `None` if there was too much to search to find any.
    pub depth_mm: Option<f64>,
    /// Whether only a part of the two was searched.
    pub is_estimate: bool,
}

impl OverlapFigures {
    /// The deepest first.
    pub fn of(scene: &Scene, overlaps: &StartOverlaps) -> Vec<Self> {
        let name = |body: u32| scene.bodies[body as usize].name.clone();
        let figures = overlaps.pairs.iter().map(|pair| Self {
            a: name(pair.a),
            b: name(pair.b),
            depth_mm: pair.depth.map(|depth| depth * 1e3),
            is_estimate: pair.is_estimate,
        });
        figures.collect()
    }
}

/// What the reader of a scene must know of them; `None` if there are none.
pub fn overlap_note(scene: &Scene, overlaps: &StartOverlaps) -> Option<Note> {
    let figures = OverlapFigures::of(scene, overlaps);
    let mut text = match figures.len() {
        0 => String::new(),
        1 => "1 pair of parts overlaps at the start: ".to_owned(),
        count => format!("{count} pairs of parts overlap at the start: "),
    };
    let named: Vec<String> = figures.iter().take(PAIRS_NAMED).map(named).collect();
    text += &named.join(", ");
    if figures.len() > PAIRS_NAMED {
        text += &format!("; {} more", figures.len() - PAIRS_NAMED);
    }
    if !figures.is_empty() {
        text += ". They are held as they stand, and are slow to step; move them apart, or say what is meant to \
                 overlap: [[pair]] with rule = \"permanent\" (press fits, threads) or \"ignore\"";
    }
    if overlaps.open_count > 0 {
        let open =
            format!("{} near pairs are too many to look at before the first step", overlaps.open_count);
        text = if text.is_empty() { open } else { format!("{text}. {open}") };
    }
    let place = scene.name.clone();
    (!text.is_empty()).then_some(Note { kind: NoteKind::Warning, place, text })
}

fn named(pair: &OverlapFigures) -> String {
    let depth = match pair.depth_mm {
        None => "deep".to_owned(),
        Some(depth) if pair.is_estimate => format!("about {depth:.1} mm"),
        Some(depth) if depth < 0.1 => format!("{depth:.4} mm"),
        Some(depth) => format!("{depth:.1} mm"),
    };
    format!("{} – {} {depth}", pair.a, pair.b)
}
