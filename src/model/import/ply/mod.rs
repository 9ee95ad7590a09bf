//! PLY → [`Model`]: vertices, faces and triangle strips, as text or binary in either byte order, with
//! colors if vertices have colors. A file becomes one part. Other elements are noted; a point cloud is
//! refused.
//!
//! - `body.rs`: the elements behind the header.
//! - `elements.rs`: vertices, faces and strips as the PLY reader fills them.

mod body;
mod elements;

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use glam::DVec3;
use ply_rs_bw::parser::{Parser, Reader};
use ply_rs_bw::ply::{Encoding, Header, PropertyType, ScalarType};

use super::counted::Counted;
use super::fault::{Checked, fault};
use super::model::{Model, NoteKind};
use super::near::near;
use super::parts::{beginning, other_kind};
use super::polygon::{COSTLY, FLAT, SHORT};
use super::text::{legible, list};
use crate::arrays::MapEach;
use crate::digits::grouped;
use body::{Body, wrong};
use elements::Other;

/// Type of coordinates of 32 bits.
const FLOAT: PropertyType = PropertyType::Scalar(ScalarType::Float);

/// Reads a file of `length` bytes.
pub(super) fn read(path: &Path, mut file: File, length: u64) -> Checked<Model> {
    let start = beginning(&mut file)?;
    if !start.starts_with(b"ply") {
        return Err(other_kind("PLY", &start));
    }
    let mut reader = Reader::new(Counted::new(BufReader::with_capacity(1 << 16, file)));
    let header = Parser::<Other>::new().read_header(&mut reader);
    let mut header = header.map_err(|error| wrong(&error, &reader, Encoding::Ascii))?;
    if header.encoding == Encoding::Ascii {
        read_all_digits(&mut header);
    }
    let mut body = Body::new(length, reader, &header);
    let mut others = Vec::new();
    for element in header.elements.values() {
        match element.name.as_str() {
            "vertex" => body.vertices(element)?,
            "face" => body.faces(element)?,
            "tristrips" => body.strips(element)?,
            _ => {
                body.skip(element)?;
                others.push(legible(&element.name).into_owned());
            }
        }
    }
    body.rest()?;
    let is_rounded = has_rounded_coordinates(&header);
    let Body { points, mut part, mut parts, divider, extra_count, .. } = body;
    if part.triangles.is_empty() {
        let count = grouped(points.len() as u64);
        let left_out = divider.why_nothing();
        let reason = if others.is_empty() && left_out.is_empty() {
            format!("there is no face in it: it is a cloud of {count} points")
        } else if others.is_empty() {
            format!("there is no face in it; it has {count} vertices{left_out}")
        } else {
            let others = list(&others, ", ");
            format!(
                "there is no face in it; it has {count} vertices{left_out}; not understood are its {others}"
            )
        };
        return fault("the file", reason);
    }
    // Up to here `colors` has one entry per vertex (its color three times); now it gets one per
    // triangle.
    let of_vertices = std::mem::take(&mut part.colors);
    if !of_vertices.is_empty() {
        part.colors = part.triangles.iter().map(|t| t.map_each(|v| of_vertices[v as usize][0])).collect();
    }
    (part.positions, part.origin) = if is_rounded {
        (points.iter().map(|point| point.as_vec3()).collect(), DVec3::ZERO)
    } else {
        near(&points, &part.triangles)
    };
    parts.parts.push(part);
    for (kind, count, text) in [
        (
            NoteKind::Assumed,
            divider.hollow_count,
            "faces are not convex: they are divided by ears, not as fans",
        ),
        (NoteKind::Repaired, divider.flat_count, FLAT),
        (NoteKind::LeftOut, divider.costly_count, COSTLY),
        (NoteKind::Repaired, divider.short_count, SHORT),
        (NoteKind::Ignored, extra_count, "lines have more numbers than the header says, which are not read"),
    ] {
        if count > 0 {
            parts.note(kind, format!("{} {text}", grouped(count as u64)));
        }
    }
    parts.model(path)
}

/// Replaces the type of a text's coordinates by `f64`, because a text may have more digits than the type
/// in its header.
fn read_all_digits(header: &mut Header) {
    let Some(vertex) = header.elements.get_mut("vertex") else { return };
    for axis in ["x", "y", "z"] {
        if let Some(own) = vertex.properties.get_mut(axis)
            && own.data_type == FLOAT
        {
            own.data_type = PropertyType::Scalar(ScalarType::Double);
        }
    }
}

/// Returns whether a file has its coordinates in `f32`, so that they are rounded wherever they are.
fn has_rounded_coordinates(header: &Header) -> bool {
    let Some(vertex) = header.elements.get("vertex") else { return false };
    ["x", "y", "z"].iter().all(|axis| vertex.properties.get(*axis).is_some_and(|own| own.data_type == FLOAT))
}
