//! Elements of a PLY file: the data behind its header.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use glam::DVec3;
use ply_rs_bw::parser::{ParseError, Parser, Reader};
use ply_rs_bw::ply::{ElementDef, Encoding, Header, PropertyAccess, PropertyType, ScalarType};

use super::elements::{Face, Other, Strip, Vertex, is_corners};
use crate::arrays::MapEach;
use crate::digits::grouped;
use crate::import::counted::Counted;
use crate::import::fault::{Checked, Fault, fault};
use crate::import::limits::{COORDINATE, LINE_BYTES};
use crate::import::lines::line_place;
use crate::import::model::NoteKind;
use crate::import::parts::{Part, Parts};
use crate::import::polygon::Divider;
use crate::import::text::legible;

type Input = Reader<Counted<BufReader<File>>>;

/// Reader of all elements behind the header, with the part that is built from them.
pub(super) struct Body<'a> {
    /// Length of the whole file in bytes.
    length: u64,
    reader: Input,
    header: &'a Header,
    /// Number of the next line of a text file.
    line: usize,
    /// Positions of the vertices.
    pub points: Vec<DVec3>,
    pub part: Part,
    pub parts: Parts,
    pub divider: Divider,
    /// Number of lines with more words than the properties of their element need.
    pub extra_count: usize,
}

impl<'a> Body<'a> {
    /// Creates a reader of elements. `reader` must have read the header of a file of `length` bytes.
    pub fn new(length: u64, reader: Input, header: &'a Header) -> Self {
        let line = reader.line().max(1);
        let (part, parts, points) = (Part::default(), Parts::default(), Vec::new());
        Self { length, reader, header, line, points, part, parts, divider: Divider::new(), extra_count: 0 }
    }

    pub fn vertices(&mut self, element: &ElementDef) -> Checked<()> {
        for axis in ["x", "y", "z"] {
            if !element.properties.contains_key(axis) {
                return fault("the header", format!("its vertices have no {axis}"));
            }
        }
        let place = self.place();
        let vertices: Vec<Vertex> = self.elements(element)?;
        let colored = ["red", "r"].iter().any(|red| element.properties.contains_key(*red));
        for (at, vertex) in vertices.iter().enumerate() {
            let position = DVec3::from_array(vertex.position);
            if !(position.is_finite() && position.abs().max_element() <= COORDINATE) {
                let reason = format!("a coordinate of {position} is not finite or beyond {COORDINATE:e}");
                return fault(place.of("vertex", at), reason);
            }
            self.points.push(position);
            if colored {
                self.part.colors.push([vertex.color.map_each(|c| c.unwrap_or(0)); 3]);
            }
        }
        Ok(())
    }

    pub fn faces(&mut self, element: &ElementDef) -> Checked<()> {
        require_corners(element)?;
        let place = self.place();
        let faces: Vec<Face> = self.elements(element)?;
        for (at, Face { corners }) in faces.iter().enumerate() {
            let Some(corners) = corners else {
                return fault(place.of("face", at), "its list of corners has a number that is no index");
            };
            self.check(corners, || place.of("face", at))?;
            self.divider.divide(corners, &self.points, &mut self.part.triangles);
        }
        Ok(())
    }

    /// Reads triangle strips. Each vertex from the third on forms a triangle with the two vertices
    /// before it; the winding of every second triangle is flipped. A negative index begins a new strip.
    pub fn strips(&mut self, element: &ElementDef) -> Checked<()> {
        require_corners(element)?;
        let place = self.place();
        let strips: Vec<Strip> = self.elements(element)?;
        for (at, Strip { corners }) in strips.iter().enumerate() {
            let Some(corners) = corners else {
                return fault(place.of("strip", at), "its list of corners has a number that is no index");
            };
            for strip in corners.split(|&corner| corner < 0) {
                let strip: Vec<u32> = strip.iter().map(|&v| u32::try_from(v).unwrap_or(u32::MAX)).collect();
                self.check(&strip, || place.of("strip", at))?;
                for (k, three) in strip.windows(3).enumerate() {
                    let [a, b, c] = [three[k % 2], three[1 - k % 2], three[2]];
                    // A repeated vertex connects parts of a strip; its triangles have no area.
                    if a != b && b != c && c != a {
                        self.part.triangles.push([a, b, c]);
                    }
                }
            }
        }
        Ok(())
    }

    /// Fails if a corner is not the index of a vertex. `place` names the face in the message.
    fn check(&self, corners: &[u32], place: impl Fn() -> String) -> Checked<()> {
        let there = self.points.len();
        match corners.iter().find(|&&v| v as usize >= there) {
            None => Ok(()),
            Some(beyond) => {
                fault(place(), format!("there is no vertex {beyond}: there are {}", grouped(there as u64)))
            }
        }
    }

    pub fn skip(&mut self, element: &ElementDef) -> Checked<()> {
        let name = legible(&element.name).into_owned();
        let text = format!("{} elements {name} are not understood", grouped(element.count as u64));
        self.parts.note(NoteKind::Ignored, text);
        self.elements::<Other>(element).map(drop)
    }

    /// Adds a note about data behind the last element, if there is any.
    pub fn rest(&mut self) -> Checked<()> {
        let text = if self.header.encoding == Encoding::Ascii {
            let mut count = 0;
            while let Some(line) = self.next_line()? {
                count += u64::from(!line.trim_ascii().is_empty());
            }
            (count > 0).then(|| format!("{} lines behind the last element are not read", grouped(count)))
        } else {
            let left = self.length.saturating_sub(self.reader.get_ref().taken);
            (left > 0).then(|| format!("{} bytes behind the last element are not read", grouped(left)))
        };
        text.into_iter().for_each(|text| self.parts.note(NoteKind::Ignored, text));
        Ok(())
    }

    /// Reads all elements of one kind. Fails first if the file is too short for them.
    fn elements<E: PropertyAccess>(&mut self, element: &ElementDef) -> Checked<Vec<E>> {
        let least: u64 = match self.header.encoding {
            // A property takes at least one character and its separator.
            Encoding::Ascii => 2 * element.properties.len() as u64,
            _ => element.properties.values().map(|p| least_bytes(&p.data_type)).sum(),
        };
        let left = self.length.saturating_sub(self.reader.get_ref().taken) + 1;
        if (element.count as u64).saturating_mul(least.max(1)) > left {
            let (count, name) = (grouped(element.count as u64), legible(&element.name));
            return fault("the header", format!("counts {count} of {name}, and {left} bytes follow"));
        }
        let count = element.count;
        if self.header.encoding != Encoding::Ascii {
            let read = Parser::<E>::new().read_payload_for_element(&mut self.reader, element, self.header);
            return read.map_err(|error| wrong(&error, &self.reader, self.header.encoding));
        }
        let parser = Parser::<E>::new();
        let mut all = Vec::with_capacity(count);
        for at in 0..count {
            let number = self.line;
            let Some(line) = self.next_line()? else {
                let (name, at) = (legible(&element.name), grouped(at as u64));
                let reason = format!("the file ends after {at} of {} of {name}", grouped(count as u64));
                return fault(line_place(number), reason);
            };
            let read = parser.read_ascii_element(&line, element);
            all.push(read.map_err(|error| Fault { place: line_place(number), reason: said(&error) })?);
            self.extra_count += usize::from(has_extra_words(&line, element));
        }
        Ok(all)
    }

    /// Returns the next line of a text file; `None` at the end of the file.
    fn next_line(&mut self) -> Checked<Option<String>> {
        let mut line = String::new();
        let limit = LINE_BYTES as u64 + 1;
        match self.reader.get_mut().take(limit).read_line(&mut line) {
            Err(error) => return fault(line_place(self.line), format!("cannot be read: {error}")),
            Ok(0) => return Ok(None),
            Ok(_) if line.len() > LINE_BYTES => {
                return fault(line_place(self.line), format!("has more than {LINE_BYTES} bytes"));
            }
            Ok(_) => {}
        }
        self.line += 1;
        Ok(Some(line))
    }

    fn place(&self) -> ElementStart {
        match self.header.encoding {
            Encoding::Ascii => ElementStart::Line(self.line),
            _ => ElementStart::Byte(self.reader.get_ref().taken),
        }
    }
}

fn require_corners(element: &ElementDef) -> Checked<()> {
    if element.properties.keys().any(|name| is_corners(name)) {
        return Ok(());
    }
    let name = if element.name == "face" { "faces" } else { "strips" };
    fault("the header", format!("its {name} have no list of vertices"))
}

/// Position at which the elements of one kind begin.
enum ElementStart {
    Line(usize),
    Byte(u64),
}

impl ElementStart {
    /// Returns the place of element `ordinal` for messages.
    fn of(&self, name: &str, ordinal: usize) -> String {
        match self {
            Self::Line(line) => line_place(line + ordinal),
            Self::Byte(byte) => format!("{name} {ordinal} of those from byte {byte}"),
        }
    }
}

/// Returns the smallest number of bytes of a property. An empty list takes the bytes of its count.
fn least_bytes(kind: &PropertyType) -> u64 {
    let (PropertyType::Scalar(scalar) | PropertyType::List(scalar, _)) = kind;
    match scalar {
        ScalarType::Char | ScalarType::UChar => 1,
        ScalarType::Short | ScalarType::UShort => 2,
        ScalarType::Int | ScalarType::UInt | ScalarType::Float => 4,
        ScalarType::Double => 8,
    }
}

/// Converts an error of the PLY library to one with the position that the reader has reached.
pub(super) fn wrong(error: &ParseError, reader: &Input, encoding: Encoding) -> Fault {
    let place = match encoding {
        Encoding::Ascii => line_place(error.line().unwrap_or(reader.line()).max(1)),
        _ => format!("byte {}", reader.get_ref().taken),
    };
    Fault { place, reason: said(error) }
}

fn said(error: &ParseError) -> String {
    let said = error.to_string();
    let said = said.split_once(": ").filter(|(line, _)| line.starts_with("Line ")).map_or(&*said, |(_, s)| s);
    cut(&said.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns whether a line has more words than the properties of its element need.
fn has_extra_words(line: &str, element: &ElementDef) -> bool {
    let mut words = line.split_ascii_whitespace();
    for property in element.properties.values() {
        let word = words.next();
        if let PropertyType::List(..) = property.data_type {
            let length = word.and_then(|word| word.parse::<usize>().ok()).unwrap_or(0);
            if length > 0 {
                words.nth(length - 1);
            }
        }
    }
    words.next().is_some()
}

/// Cuts a message that is long, for instance because it repeats a line of the file.
fn cut(words: &str) -> String {
    const CHARACTERS: usize = 200;
    match words.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}…", legible(&words[..end])),
        None => legible(words).into_owned(),
    }
}
