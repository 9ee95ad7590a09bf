//! PLY → [`Model`]: vertices and faces, as text or binary in either byte order, with colours where vertices
//! have them. A file is one part. Other elements are noted; a cloud of points is refused.
//!
//! - `elements.rs`: vertices and faces as the reader of PLY fills them.

mod elements;

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use glam::Vec3;
use ply_rs_bw::parser::{ParseError, Parser, Reader};
use ply_rs_bw::ply::{ElementDef, Encoding, Header, PropertyAccess, PropertyType, ScalarType};

use super::counted::Counted;
use super::fault::{Checked, Fault, fault};
use super::limits::COORDINATE;
use super::lines::line_place;
use super::model::{Model, NoteKind};
use super::parts::{Part, Parts, beginning, other_kind};
use super::polygon::{COSTLY, Divider, FLAT};
use super::text::legible;
use crate::arrays::MapEach;
use crate::digits::grouped;
use elements::{Face, Other, Vertex};

pub(super) fn read(path: &Path, mut file: File, length: u64) -> Checked<Model> {
    let start = beginning(&mut file)?;
    if !start.starts_with(b"ply") {
        return Err(other_kind("PLY", &start));
    }
    let mut reader = Reader::new(Counted::new(BufReader::with_capacity(1 << 16, file)));
    let header = Parser::<Other>::new().read_header(&mut reader);
    let header = header.map_err(|error| wrong(&error, &reader, Encoding::Ascii))?;
    let mut body = Body { length, reader, header: &header, part: Part::default(), parts: Parts::default() };
    let mut divider = Divider::new();
    let mut has_faces = false;
    for element in header.elements.values() {
        match element.name.as_str() {
            "vertex" => body.vertices(element)?,
            "face" => {
                has_faces = true;
                body.faces(element, &mut divider)?;
            }
            _ => body.skip(element)?,
        }
    }
    let Body { mut part, mut parts, .. } = body;
    if !has_faces || part.triangles.is_empty() {
        let count = grouped(part.positions.len() as u64);
        return fault("the file", format!("there is no face in it: it is a cloud of {count} points"));
    }
    // Colours of vertices were kept one a vertex.
    let of_vertices = std::mem::take(&mut part.colors);
    if !of_vertices.is_empty() {
        part.colors = part.triangles.iter().map(|t| t.map_each(|v| of_vertices[v as usize][0])).collect();
    }
    parts.parts.push(part);
    for (kind, count, text) in [
        (
            NoteKind::Assumed,
            divider.hollow_count,
            "faces are not convex: they are divided by ears, not as fans",
        ),
        (NoteKind::Repaired, divider.flat_count, FLAT),
        (NoteKind::Warning, divider.costly_count, COSTLY),
    ] {
        if count > 0 {
            parts.note(kind, format!("{} {text}", grouped(count as u64)));
        }
    }
    parts.model(path)
}

type Input = Reader<Counted<BufReader<File>>>;

/// What follows the header.
struct Body<'a> {
    /// Bytes of the whole file.
    length: u64,
    reader: Input,
    header: &'a Header,
    part: Part,
    parts: Parts,
}

impl Body<'_> {
    fn vertices(&mut self, element: &ElementDef) -> Checked<()> {
        for axis in ["x", "y", "z"] {
            if !element.properties.contains_key(axis) {
                return fault("the header", format!("its vertices have no {axis}"));
            }
        }
        let place = self.place();
        let vertices: Vec<Vertex> = self.elements(element)?;
        let colored = ["red", "r"].iter().any(|red| element.properties.contains_key(*red));
        for (at, vertex) in vertices.iter().enumerate() {
            let position = Vec3::from_array(vertex.position);
            if !(position.is_finite() && f64::from(position.abs().max_element()) <= COORDINATE) {
                let reason = format!("a coordinate of {position} is not finite or beyond {COORDINATE:e}");
                return fault(place.of("vertex", at), reason);
            }
            self.part.positions.push(position);
            if colored {
                self.part.colors.push([vertex.color.map_each(|c| c.unwrap_or(0)); 3]);
            }
        }
        Ok(())
    }

    fn faces(&mut self, element: &ElementDef, divider: &mut Divider) -> Checked<()> {
        if !["vertex_indices", "vertex_index"].iter().any(|list| element.properties.contains_key(*list)) {
            return fault("the header", "its faces have no list of vertices");
        }
        let place = self.place();
        let faces: Vec<Face> = self.elements(element)?;
        let there = self.part.positions.len();
        for (at, Face { corners }) in faces.iter().enumerate() {
            if corners.len() < 3 {
                return fault(place.of("face", at), "it needs three corners, and none below 0");
            }
            if let Some(beyond) = corners.iter().find(|&&v| v as usize >= there) {
                let reason = format!("there is no vertex {beyond}: there are {}", grouped(there as u64));
                return fault(place.of("face", at), reason);
            }
            divider.divide(corners, &self.part.positions, &mut self.part.triangles);
        }
        Ok(())
    }

    fn skip(&mut self, element: &ElementDef) -> Checked<()> {
        let name = legible(&element.name).into_owned();
        let text = format!("{} elements {name} are not understood", grouped(element.count as u64));
        self.parts.note(NoteKind::Ignored, text);
        self.elements::<Other>(element).map(drop)
    }

    /// All elements of a kind, once there are bytes enough for them.
    fn elements<E: PropertyAccess>(&mut self, element: &ElementDef) -> Checked<Vec<E>> {
        let least: u64 = match self.header.encoding {
            // A word and what parts it from the next.
            Encoding::Ascii => 2 * element.properties.len() as u64,
            _ => element.properties.values().map(|p| least_bytes(&p.data_type)).sum(),
        };
        let left = self.length.saturating_sub(self.reader.get_ref().taken) + 1;
        if (element.count as u64).saturating_mul(least.max(1)) > left {
            let (count, name) = (grouped(element.count as u64), legible(&element.name));
            return fault("the header", format!("counts {count} of {name}, and {left} bytes follow"));
        }
        let read = Parser::<E>::new().read_payload_for_element(&mut self.reader, element, self.header);
        read.map_err(|error| wrong(&error, &self.reader, self.header.encoding))
    }

    fn place(&self) -> Start {
        match self.header.encoding {
            Encoding::Ascii => Start::Line(self.reader.line()),
            _ => Start::Byte(self.reader.get_ref().taken),
        }
    }
}

/// Where the elements of a kind begin.
enum Start {
    Line(usize),
    Byte(u64),
}

impl Start {
    /// Where the element with this ordinal is.
    fn of(&self, name: &str, ordinal: usize) -> String {
        match self {
            Self::Line(line) => line_place(line + ordinal),
            Self::Byte(byte) => format!("{name} {ordinal} of those from byte {byte}"),
        }
    }
}

/// Bytes that a property takes at least: of a list its count.
fn least_bytes(kind: &PropertyType) -> u64 {
    let (PropertyType::Scalar(scalar) | PropertyType::List(scalar, _)) = kind;
    match scalar {
        ScalarType::Char | ScalarType::UChar => 1,
        ScalarType::Short | ScalarType::UShort => 2,
        ScalarType::Int | ScalarType::UInt | ScalarType::Float => 4,
        ScalarType::Double => 8,
    }
}

/// What the reader of PLY says, in one line, and where it stood.
fn wrong(error: &ParseError, reader: &Input, encoding: Encoding) -> Fault {
    let place = match encoding {
        Encoding::Ascii => line_place(error.line().unwrap_or(reader.line()).max(1)),
        _ => format!("byte {}", reader.get_ref().taken),
    };
    let said = error.to_string();
    let said = said.split_once(": ").filter(|(line, _)| line.starts_with("Line ")).map_or(&*said, |(_, s)| s);
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    Fault { place, reason: cut(&words) }
}

/// A message cut where it is long, as those are that repeat a line of the file.
fn cut(words: &str) -> String {
    const CHARACTERS: usize = 200;
    match words.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}…", legible(&words[..end])),
        None => legible(words).into_owned(),
    }
}
