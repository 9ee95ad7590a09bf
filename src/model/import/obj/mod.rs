//! Wavefront OBJ → [`Model`]: each object and each group with faces is a part, and faces with more than
//! three corners are triangulated. Normals and texture coordinates are ignored; points, lines and
//! free-form surfaces are noted.
//!
//! - `material.rs`: the colors of a library of materials beside the file.

mod material;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use glam::DVec3;
use rustc_hash::FxHashMap;

use super::fault::{Checked, fault};
use super::limits::LINE_BYTES;
use super::lines::{Lines, coordinate, quoted};
use super::model::{Model, NoteKind};
use super::near::near;
use super::parts::{Part, Parts, beginning, other_kind};
use super::polygon::{COSTLY, Divider, FLAT, SHORT};
use super::srgb::code;
use crate::arrays::MapEach;
use crate::digits::grouped;
use material::{Color, Materials};

/// Color of parts without a color in a file that has colored parts, sRGB.
const GREY: Color = [203; 3];

/// Keywords that affect only the appearance and are silently ignored. Other unknown lines are noted.
const LOOKS: [&str; 11] =
    ["vn", "vt", "vp", "s", "mg", "usemap", "maplib", "shadow_obj", "trace_obj", "lod", "bevel"];
const NO_FACES: [&str; 11] =
    ["p", "l", "curv", "curv2", "cstype", "deg", "bmat", "step", "parm", "trim", "hole"];

pub(super) fn read(path: &Path, mut file: File) -> Checked<Model> {
    let start = beginning(&mut file)?;
    let mut lines = Lines::new(BufReader::with_capacity(1 << 16, file));
    let mut reader = Reader::new(path);
    while let Some(line) = whole_line(&mut lines)? {
        if let Err(reason) = reader.line(&line) {
            return lines.fault(reason);
        }
    }
    if reader.positions.is_empty() && reader.unknown.is_some() {
        return Err(other_kind("OBJ", &start));
    }
    if reader.parts.iter().all(|p| p.triangles.is_empty()) {
        let count = grouped(reader.positions.len() as u64);
        let left_out = reader.divider.why_nothing();
        return fault("the file", format!("there is no face in it; it has {count} vertices{left_out}"));
    }
    reader.finish().model(path)
}

/// Reads a line and the lines that continue it. A comment is not continued.
fn whole_line(lines: &mut Lines<impl BufRead>) -> Checked<Option<String>> {
    let Some(mut whole) = lines.next()?.map(Cow::into_owned) else { return Ok(None) };
    while whole.ends_with('\\') && !whole.starts_with('#') {
        let Some(next) = lines.next()? else { break };
        whole.pop();
        whole.push(' ');
        whole.push_str(&next);
        if whole.len() > LINE_BYTES {
            return lines.fault(format!("a line goes on for more than {LINE_BYTES} bytes"));
        }
    }
    Ok(Some(whole))
}

struct Reader<'a> {
    path: &'a Path,
    positions: Vec<DVec3>,
    /// Color per position; empty until a position has a color.
    vertex_colors: Vec<Color>,
    object: String,
    group: String,
    /// Parts in the order of the file. Until the end, their triangles are indices into `positions` of
    /// this reader.
    parts: Vec<Part>,
    /// Parts of the present object.
    by_name: HashMap<String, usize>,
    /// Number of times that a group went on after another one.
    resumed_count: usize,
    /// Part that receives the next face; `None` if it must be looked up by the names of object and
    /// group.
    current: Option<usize>,
    materials: Materials,
    material: Option<Color>,
    divider: Divider,
    face: Vec<u32>,
    /// Number of free-form surfaces.
    free_form_count: usize,
    /// Number of lines of points, lines and curves. `unknown` is the first line with another unread
    /// keyword.
    without_face: usize,
    unknown: Option<String>,
    unknown_count: usize,
}

impl<'a> Reader<'a> {
    fn new(path: &'a Path) -> Self {
        Self {
            path,
            positions: Vec::new(),
            vertex_colors: Vec::new(),
            object: String::new(),
            group: String::new(),
            parts: Vec::new(),
            by_name: HashMap::new(),
            resumed_count: 0,
            current: None,
            materials: Materials::default(),
            material: None,
            divider: Divider::new(),
            face: Vec::new(),
            free_form_count: 0,
            without_face: 0,
            unknown: None,
            unknown_count: 0,
        }
    }

    /// Reads one line, including its continuations.
    fn line(&mut self, line: &str) -> Result<(), String> {
        let (keyword, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        // Only ASCII white space is trimmed, because a name may end with other white space.
        let rest = rest.trim_ascii();
        match keyword {
            "v" => return self.vertex(before_comment(rest)),
            "f" | "fo" => return self.face(before_comment(rest)),
            "o" => {
                // An object has parts of its own, even if another one has its name.
                self.object = rest.to_owned();
                self.group.clear();
                self.by_name.clear();
                self.current = None;
            }
            "g" => {
                // Exporters write `default` as the group of faces without a group.
                self.group = if rest == "default" { String::new() } else { rest.to_owned() };
                self.current = None;
            }
            "usemtl" => self.material = self.materials.color(rest),
            "mtllib" => self.materials.read(self.path, rest),
            "" => {}
            _ if keyword.starts_with('#') || LOOKS.contains(&keyword) => {}
            "surf" => self.free_form_count += 1,
            _ if NO_FACES.contains(&keyword) => self.without_face += 1,
            _ => {
                self.unknown_count += 1;
                self.unknown.get_or_insert_with(|| quoted(keyword));
            }
        }
        Ok(())
    }

    fn vertex(&mut self, rest: &str) -> Result<(), String> {
        let mut numbers = [0.0; 7];
        let mut count = 0;
        for word in rest.split_ascii_whitespace() {
            let place = numbers.get_mut(count).ok_or("a vertex has at most seven numbers")?;
            *place = coordinate(word)?;
            count += 1;
        }
        if count < 3 {
            return Err("a vertex needs three coordinates".to_owned());
        }
        let [x, y, z, r, g, b, _] = numbers;
        self.positions.push(DVec3::new(x, y, z));
        // Three further numbers are a color. One further number is a weight, which only curves use.
        if count >= 6 || !self.vertex_colors.is_empty() {
            self.vertex_colors.resize(self.positions.len() - 1, GREY);
            let said = [r, g, b].map_each(code);
            self.vertex_colors.push(if count >= 6 { said } else { GREY });
        }
        Ok(())
    }

    fn face(&mut self, rest: &str) -> Result<(), String> {
        self.face.clear();
        let count = self.positions.len();
        for word in rest.split_ascii_whitespace() {
            let index = word.split('/').next().unwrap_or(word);
            let number: i64 =
                index.parse().map_err(|_| format!("{} is not a vertex of a face", quoted(word)))?;
            // Positive indices count from 1. Negative ones count back from the last vertex before the
            // face.
            let index = if number < 0 { count as i64 + number } else { number - 1 };
            if !(0..count as i64).contains(&index) {
                let there = grouped(count as u64);
                return Err(format!("there is no vertex {number}: {there} are before it"));
            }
            self.face.push(index as u32);
        }
        let at = self.part();
        let part = &mut self.parts[at];
        let before = part.triangles.len();
        self.divider.divide(&self.face, &self.positions, &mut part.triangles);
        if self.material.is_some() || !part.colors.is_empty() || !self.vertex_colors.is_empty() {
            part.colors.resize(before, [GREY; 3]);
            let own = |v: u32| self.vertex_colors.get(v as usize).copied();
            let color = |v: u32| self.material.or_else(|| own(v)).unwrap_or(GREY);
            part.colors.extend(part.triangles[before..].iter().map(|t| t.map_each(color)));
        }
        Ok(())
    }

    /// Returns the part of the next face. A group within an object is one part, even if other groups
    /// interrupt it.
    fn part(&mut self) -> usize {
        if let Some(current) = self.current {
            return current;
        }
        let name = match (self.object.as_str(), self.group.as_str()) {
            (object, "") => object.to_owned(),
            ("", group) => group.to_owned(),
            (object, group) => format!("{object}/{group}"),
        };
        let next = self.parts.len();
        let at = *self.by_name.entry(name.clone()).or_insert(next);
        if at == next {
            self.parts.push(Part { name, ..Part::default() });
        } else if at + 1 < next {
            self.resumed_count += 1;
        }
        self.current = Some(at);
        at
    }

    /// Returns the parts, with the notes on the whole file.
    fn finish(mut self) -> Parts {
        let mut parts = Parts { parts: self.parts, ..Parts::default() };
        for part in &mut parts.parts {
            compact(part, &self.positions);
        }
        for note in self.materials.notes.drain(..) {
            parts.note(NoteKind::Ignored, note);
        }
        let mut counted = |kind: NoteKind, count: usize, text: &str| {
            if count > 0 {
                parts.note(kind, format!("{} {text}", grouped(count as u64)));
            }
        };
        let hollow = "faces are not convex: they are divided by ears, not as fans";
        counted(NoteKind::Assumed, self.divider.hollow_count, hollow);
        let resumed = "times a group goes on after another one: its faces are one part";
        counted(NoteKind::Assumed, self.resumed_count, resumed);
        counted(NoteKind::Repaired, self.divider.flat_count, FLAT);
        counted(NoteKind::LeftOut, self.divider.costly_count, COSTLY);
        counted(NoteKind::Repaired, self.divider.short_count, SHORT);
        counted(NoteKind::Ignored, self.without_face, "lines of points, lines or curves");
        counted(NoteKind::LeftOut, self.free_form_count, "free-form surfaces, which are left out");
        if let Some(first) = self.unknown {
            let text = format!("lines of a kind that is not known, the first with {first}");
            counted(NoteKind::Ignored, self.unknown_count, &text);
        }
        parts
    }
}

/// Returns the part of a line of numbers before its comment. A comment begins with a `#` at the start
/// of a word.
fn before_comment(line: &str) -> &str {
    let begins_word = |&(at, _): &(usize, &str)| at == 0 || line.as_bytes()[at - 1].is_ascii_whitespace();
    line.match_indices('#').find(begins_word).map_or(line, |(at, _)| &line[..at])
}

/// Gives a part its own positions: those that its triangles use, in order of first use.
fn compact(part: &mut Part, positions: &[DVec3]) {
    let mut own: FxHashMap<u32, u32> = FxHashMap::default();
    let mut used = Vec::new();
    for v in part.triangles.as_flattened_mut() {
        *v = *own.entry(*v).or_insert_with(|| {
            used.push(positions[*v as usize]);
            used.len() as u32 - 1
        });
    }
    (part.positions, part.origin) = near(&used, &part.triangles);
}
