//! Notes up to a limit. Further notes are counted, and a final note states their number.

use super::limits::NOTES;
use super::model::{Note, NoteKind};
use crate::digits::grouped;

#[derive(Default)]
pub(crate) struct Notes {
    kept: Vec<Note>,
    left_out: usize,
}

impl Notes {
    pub fn add(&mut self, note: Note) {
        if self.kept.len() < NOTES {
            self.kept.push(note);
        } else {
            self.left_out += 1;
        }
    }

    pub fn extend(&mut self, notes: &[Note]) {
        notes.iter().for_each(|note| self.add(note.clone()));
    }

    /// Returns all kept notes. If notes were left out, a final note with place `place` states their
    /// number.
    pub fn finish(mut self, place: &str) -> Vec<Note> {
        if self.left_out > 0 {
            let text = format!(
                "{} notes more, and {} are kept",
                grouped(self.left_out as u64),
                grouped(NOTES as u64)
            );
            self.kept.push(Note { kind: NoteKind::Ignored, place: place.to_owned(), text });
        }
        self.kept
    }
}
