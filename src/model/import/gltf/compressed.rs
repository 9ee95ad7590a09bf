//! Compressed data: buffer views by EXT_meshopt_compression, primitives by KHR_draco_mesh_compression.
//! The unpacked data replaces the uncompressed data of the file and passes the same checks.

use std::borrow::Cow;
use std::collections::BTreeMap;

use draco_core::{DecodeLimits, DecoderBuffer, Mesh, MeshDecoder};
use gltf::json;
use gltf::json::validation::Checked as Known;
use meshoptimizer_rs::codec::{BufferView, Filter, Mode};
use meshoptimizer_rs::{Limits, Workspace};
use serde_json::{Map, Value};

use super::object::Object;
use crate::import::fault::{Checked, fault};
use crate::import::limits::FILE_BYTES;

const MESHOPT: &str = "EXT_meshopt_compression";
const DRACO: &str = "KHR_draco_mesh_compression";

/// Returns whether a buffer is a fallback without data: its views have compressed data in another
/// buffer.
pub(super) fn is_fallback(buffer: &json::Buffer) -> bool {
    let own = buffer.extensions.as_ref().and_then(|e| e.others.get(MESHOPT));
    own.and_then(|own| own.get("fallback")).and_then(Value::as_bool).unwrap_or(false)
}

/// Returns the bytes of every buffer view, unpacked if compressed. Fails if a range exceeds its buffer.
pub(super) fn views<'a>(root: &json::Root, buffers: &'a [Vec<u8>]) -> Checked<Vec<Cow<'a, [u8]>>> {
    let mut workspace = Workspace::new(Limits { max_bytes: FILE_BYTES as usize, max_work: 1 << 31 });
    let mut unpacked = 0;
    root.buffer_views
        .iter()
        .enumerate()
        .map(|(index, view)| {
            let place = format!("buffer view {index}");
            let compressed = view.extensions.as_ref().and_then(|e| e.others.get(MESHOPT));
            let Some(value) = compressed else {
                let start = view.byte_offset.map_or(0, |o| o.0);
                return range(&place, buffers, view.buffer.value(), start, view.byte_length.0)
                    .map(Cow::Borrowed);
            };
            let place = format!("{place}, {MESHOPT}");
            unpacked += view.byte_length.0;
            if unpacked > FILE_BYTES {
                return fault(place, format!("the views unpack to more than {FILE_BYTES} bytes"));
            }
            let bytes = unpack(Object::new(place, value)?, view, buffers, &mut workspace)?;
            Ok(Cow::Owned(bytes))
        })
        .collect()
}

/// Returns a range of bytes of a buffer; fails if it exceeds the buffer.
fn range<'a>(
    place: &str,
    buffers: &'a [Vec<u8>],
    buffer: usize,
    start: u64,
    length: u64,
) -> Checked<&'a [u8]> {
    let Some(bytes) = buffers.get(buffer) else {
        return fault(place, format!("there is no buffer {buffer}"));
    };
    match start.checked_add(length).filter(|end| *end <= bytes.len() as u64) {
        Some(end) => Ok(&bytes[start as usize..end as usize]),
        None => fault(place, format!("reaches beyond its buffer of {} bytes", bytes.len())),
    }
}

/// Decompresses a buffer view by EXT_meshopt_compression.
fn unpack(
    mut own: Object,
    view: &json::buffer::View,
    buffers: &[Vec<u8>],
    workspace: &mut Workspace,
) -> Checked<Vec<u8>> {
    let mut whole = |key: &'static str| own.get(key).and_then(Value::as_u64);
    let (buffer, start) = (whole("buffer").unwrap_or(u64::MAX), whole("byteOffset").unwrap_or(0));
    let (length, stride) = (whole("byteLength").unwrap_or(0), whole("byteStride").unwrap_or(0));
    let count = whole("count").unwrap_or(0);
    let mut word = |key: &'static str, otherwise| own.get(key).and_then(Value::as_str).unwrap_or(otherwise);
    let (mode, filter) = (word("mode", ""), word("filter", "NONE"));
    let packed = range(&own.place, buffers, usize::try_from(buffer).unwrap_or(usize::MAX), start, length)?;
    // Both numbers are limited to the size limit of a file, which fits into `usize`.
    let (count, stride) = (count.min(FILE_BYTES) as usize, stride.min(FILE_BYTES) as usize);
    let parsed =
        Mode::parse(mode).and_then(|mode| BufferView::new(mode, Filter::parse(filter)?, count, stride));
    let unpacked = parsed.and_then(|view| view.decode(packed, workspace));
    match unpacked {
        Ok(bytes) if bytes.len() as u64 == view.byte_length.0 => Ok(bytes),
        Ok(bytes) => fault(&own.place, format!("unpacks to {} bytes of {}", bytes.len(), view.byte_length.0)),
        Err(error) => fault(&own.place, format!("cannot be unpacked: {error}")),
    }
}

/// Returns the numbers of the accessors of compressed primitives as they are stored: not normalized.
pub(super) fn accessors(root: &json::Root, views: &[Cow<[u8]>]) -> Checked<BTreeMap<usize, Vec<f64>>> {
    let mut unpacked = BTreeMap::new();
    let mut left = FILE_BYTES;
    for (mesh_index, mesh) in root.meshes.iter().enumerate() {
        for (at, primitive) in mesh.primitives.iter().enumerate() {
            let compressed = primitive.extensions.as_ref().and_then(|e| e.others.get(DRACO));
            let Some(value) = compressed else { continue };
            let own = Object::new(format!("mesh {mesh_index}, primitive {at}, {DRACO}"), value)?;
            primitive_accessors(root, views, primitive, own, &mut left, &mut unpacked)?;
        }
    }
    Ok(unpacked)
}

/// Decompresses a primitive by Draco and adds the numbers of its accessors to `unpacked`. `left` is the
/// number of bytes that unpacked data may still take.
fn primitive_accessors(
    root: &json::Root,
    views: &[Cow<[u8]>],
    primitive: &json::mesh::Primitive,
    mut own: Object,
    left: &mut u64,
    unpacked: &mut BTreeMap<usize, Vec<f64>>,
) -> Checked<()> {
    let Some(view) = own.index("bufferView", views.len())? else {
        return fault(&own.place, "names no bufferView");
    };
    let nothing = Map::new();
    let ids = own.get("attributes").and_then(Value::as_object).unwrap_or(&nothing);
    let place = own.place;
    // Unpacked data becomes `f64` numbers, which take more memory than the decoded data.
    let limits = DecodeLimits::default().with_max_decoded_bytes(*left / 4);
    let mut buffer = DecoderBuffer::new(&views[view as usize]).with_limits(limits);
    let mut mesh = Mesh::new();
    if let Err(error) = MeshDecoder::new().decode(&mut buffer, &mut mesh) {
        return fault(place, format!("cannot be unpacked: {}", error.message()));
    }
    let accessor = |index: usize| match root.accessors.get(index) {
        Some(accessor) => Ok(accessor),
        None => fault(&place, format!("there is no accessor {index}")),
    };
    for (semantic, index) in &primitive.attributes {
        let Known::Valid(semantic) = semantic else { continue };
        let name = semantic.to_string();
        let Some(id) = ids.get(&name).and_then(Value::as_u64) else { continue };
        let of = accessor(index.value())?;
        let Known::Valid(kind) = of.type_ else {
            return fault(&place, format!("{name} has an unknown type"));
        };
        let width = kind.multiplicity();
        let attribute = u32::try_from(id).ok().and_then(|id| mesh.attribute_by_unique_id(id));
        let Some(attribute) = attribute.filter(|a| usize::from(a.num_components()) == width) else {
            return fault(&place, format!("has no {name} of {width} numbers"));
        };
        // This check comes before memory for the stated number of elements is allocated.
        if mesh.num_points() as u64 != of.count.0 {
            return fault(&place, format!("{name} has {} elements of {}", mesh.num_points(), of.count.0));
        }
        let numbers = of.count.0.saturating_mul(width as u64);
        *left = left.checked_sub(8 * numbers).map_or_else(|| fault(&place, "unpacks to too much"), Ok)?;
        let values = attribute.read_f32s(mesh.num_points(), width);
        unpacked.insert(index.value(), values.into_iter().map(f64::from).collect());
    }
    if let Some(index) = primitive.indices {
        let of = accessor(index.value())?;
        let corners = mesh.faces().as_flattened();
        if corners.len() as u64 != of.count.0 {
            return fault(&place, format!("has {} corners of {}", corners.len(), of.count.0));
        }
        *left = left.checked_sub(8 * of.count.0).map_or_else(|| fault(&place, "unpacks to too much"), Ok)?;
        unpacked.insert(index.value(), corners.iter().map(|corner| f64::from(corner.0)).collect());
    }
    Ok(())
}
