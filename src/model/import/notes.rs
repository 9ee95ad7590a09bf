//! Notes up to a limit. Further notes are counted, and a final note states their number.

use super::limits::NOTES;
use super::model::{Note, NoteKind};
use crate::digits::grouped;

#[derive(Default)]
pub(crate) struct Notes {
    kept: Vec<Note>,
    /// Number of notes that are not kept, and whether any of them is about missing geometry.
    dropped_count: usize,
    lacks_geometry: bool,
}

impl Notes {
    pub fn add(&mut self, note: Note) {
        if self.kept.len() < NOTES {
            self.kept.push(note);
        } else {
            self.dropped_count += 1;
            self.lacks_geometry |= note.kind == NoteKind::LeftOut;
        }
    }

    pub fn extend(&mut self, notes: &[Note]) {
        notes.iter().for_each(|note| self.add(note.clone()));
    }

    /// Returns all kept notes. If notes were dropped, a final note with place `place` states their
    /// number.
    pub fn finish(mut self, place: &str) -> Vec<Note> {
        if self.dropped_count > 0 {
            let text = format!(
                "{} notes more, and {} are kept",
                grouped(self.dropped_count as u64),
                grouped(NOTES as u64)
            );
            let kind = if self.lacks_geometry { NoteKind::LeftOut } else { NoteKind::Ignored };
            self.kept.push(Note { kind, place: place.to_owned(), text });
        }
        self.kept
    }
}
