//! Binary STL: a header of 80 bytes, the number of triangles, and 50 bytes per triangle (normal, three
//! corners, two unused bytes).

use std::io::BufRead;

use glam::Vec3;

use crate::arrays::from_each;
use crate::digits::grouped;
use crate::import::fault::{Checked, fault};
use crate::import::limits::COORDINATE;
use crate::import::model::NoteKind;
use crate::import::parts::{Part, Parts};

const HEADER: u64 = 84;
const TRIANGLE: usize = 50;

/// Returns the number of triangles that the header states; `None` if the file is too short for it.
pub(super) fn count(start: &[u8]) -> Option<u32> {
    start.get(80..84)?.try_into().ok().map(u32::from_le_bytes)
}

/// Returns the number of bytes of a binary file with `count` triangles.
pub(super) fn length(count: u32) -> u64 {
    HEADER + u64::from(count) * TRIANGLE as u64
}

/// Reads a file of `length` bytes. It must be at least as long as the header.
pub(super) fn read(mut input: impl BufRead, length: u64) -> Checked<Parts> {
    let mut parts = Parts::default();
    let mut header = [0; HEADER as usize];
    if let Err(error) = input.read_exact(&mut header) {
        return fault("byte 0", format!("cannot be read: {error}"));
    }
    let promised = u64::from(count(&header).unwrap_or(0));
    let there = length.saturating_sub(HEADER);
    let (whole, rest) = (there / TRIANGLE as u64, there % TRIANGLE as u64);
    let wanted = match promised {
        promised if promised > whole => {
            let (promised, whole) = (grouped(promised), grouped(whole));
            let end = format!("byte {length}");
            return fault(end, format!("the file ends after {whole} of {promised} triangles"));
        }
        // Some programs never fill in the number of triangles.
        0 if whole > 0 && rest == 0 => {
            let text =
                format!("its header counts no triangles, and {} follow: they are read", grouped(whole));
            parts.note(NoteKind::Repaired, text);
            whole
        }
        promised => promised,
    };
    let mut part = Part::default();
    part.positions.reserve_exact(3 * wanted as usize);
    part.triangles.reserve_exact(wanted as usize);
    let mut attributed = 0u64;
    let mut bytes = [0; TRIANGLE];
    for at in 0..wanted {
        let place = |k: usize| format!("byte {}", HEADER + at * TRIANGLE as u64 + k as u64);
        if let Err(error) = input.read_exact(&mut bytes) {
            return fault(place(0), format!("cannot be read: {error}"));
        }
        let number = |k: usize| f32::from_le_bytes(from_each(|i| bytes[k + i]));
        for corner in 0..3 {
            let first = 12 + 12 * corner;
            let position = Vec3::new(number(first), number(first + 4), number(first + 8));
            let is_beyond = |x: f32| !x.is_finite() || f64::from(x.abs()) > COORDINATE;
            if let Some(axis) = (0..3).find(|&axis| is_beyond(position[axis])) {
                let (k, value) = (axis, position[axis]);
                let reason = format!("the coordinate {value} is not finite or beyond {COORDINATE:e}");
                return fault(place(first + 4 * k), reason);
            }
            part.positions.push(position);
        }
        attributed += u64::from(bytes[48..] != [0, 0]);
        let first = 3 * at as u32;
        part.triangles.push([first, first + 1, first + 2]);
    }
    if attributed > 0 {
        let text = format!(
            "{} triangles have attributes (colours, perhaps), which are not read",
            grouped(attributed)
        );
        parts.note(NoteKind::Ignored, text);
    }
    let behind = length - HEADER - wanted * TRIANGLE as u64;
    if behind > 0 {
        parts.note(
            NoteKind::Ignored,
            format!("{} bytes behind the last triangle are not read", grouped(behind)),
        );
    }
    parts.parts.push(part);
    Ok(parts)
}
