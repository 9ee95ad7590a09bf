//! Triangles of a `<geometry>`, with the material of each.

use glam::DVec3;
use roxmltree::Node;

use super::elements::Elements;
use super::numbers::{floats, indices, whole};
use crate::digits::grouped;
use crate::import::fault::Checked;
use crate::import::model::NoteKind;
use crate::import::polygon::{COSTLY, Divider, FLAT};
use crate::import::xml;

/// Triangles of a geometry.
#[derive(Default)]
pub(super) struct Surface {
    /// Positions of the vertices.
    pub points: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Index of the first triangle and material symbol of each run of triangles. The element that
    /// instances the geometry binds the symbol to a material.
    pub materials: Vec<(usize, String)>,
    /// Messages about parts of the geometry that are not read as the file specifies.
    pub said: Vec<(NoteKind, String)>,
}

/// Reads a `<geometry>`. The surface is empty if the geometry is not a mesh.
pub(super) fn surface<'a>(
    geometry: Node<'a, '_>,
    elements: &Elements<'a, '_>,
    divider: &mut Divider,
) -> Checked<Surface> {
    let mut surface = Surface::default();
    let Some(mesh) = xml::child(geometry, "mesh") else {
        surface.said.push((NoteKind::LeftOut, "a geometry is no mesh: it is left out".to_owned()));
        return Ok(surface);
    };
    let before = divider.left_out();
    let mut left = Left::default();
    let mut is_read = false;
    for primitive in xml::elements(mesh) {
        let kind = primitive.tag_name().name();
        match kind {
            "triangles" | "polylist" | "polygons" | "tristrips" | "trifans" => {}
            "lines" | "linestrips" => {
                left.lines += 1;
                continue;
            }
            _ => continue,
        }
        let Some((input, offset, stride)) = vertices_of(primitive)? else { continue };
        if !is_read {
            let vertices = elements.needed(input, "source", "vertices")?;
            surface.points = positions(vertices, elements)?;
            is_read = true;
        }
        let material = primitive.attribute("material").unwrap_or_default().to_owned();
        surface.materials.push((surface.triangles.len(), material));
        for list in lists(primitive, &mut left.holes) {
            let corners = corners(list, offset, stride, surface.points.len())?;
            left.small += add(kind, primitive, list, &corners, divider, &mut surface)?;
        }
    }
    for (kind, count, text) in [
        (NoteKind::Warning, left.holes, "holes in polygons are filled"),
        (NoteKind::Repaired, left.small, "faces of fewer than three corners are left out"),
        (NoteKind::Repaired, divider.left_out()[0] - before[0], FLAT),
        (NoteKind::LeftOut, divider.left_out()[1] - before[1], COSTLY),
        (NoteKind::Ignored, left.lines, "lists of lines are left out"),
    ] {
        if count > 0 {
            surface.said.push((kind, format!("{} {text}", grouped(count as u64))));
        }
    }
    Ok(surface)
}

/// Counts of faces that are left out, by the reason.
#[derive(Default)]
struct Left {
    holes: usize,
    small: usize,
    lines: usize,
}

/// Adds the triangles of a list of corners. Returns the number of its faces that have too few corners
/// for a triangle.
fn add(
    kind: &str,
    primitive: Node,
    list: Node,
    corners: &[u32],
    divider: &mut Divider,
    surface: &mut Surface,
) -> Checked<usize> {
    let mut small = 0;
    let Surface { points, triangles, .. } = surface;
    match kind {
        "triangles" => {
            let (found, rest) = corners.as_chunks::<3>();
            if !rest.is_empty() {
                return xml::wrong(
                    list,
                    format!("{} corners are no triangles", grouped(corners.len() as u64)),
                );
            }
            triangles.extend(found);
        }
        "polylist" => {
            let mut open = corners;
            let counts = xml::needed_child(primitive, "vcount")?;
            for count in indices(counts)? {
                let Some((face, rest)) = open.split_at_checked(count as usize) else {
                    return xml::wrong(counts, "there are fewer corners than it says");
                };
                match face.len() {
                    0..3 => small += 1,
                    _ => divider.divide(face, points, triangles),
                }
                open = rest;
            }
            if !open.is_empty() {
                return xml::wrong(counts, "there are more corners than it says");
            }
        }
        "polygons" if corners.len() >= 3 => divider.divide(corners, points, triangles),
        "tristrips" => {
            let strip = corners.windows(3).enumerate();
            triangles
                .extend(strip.map(|(k, t)| if k % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] }));
        }
        "trifans" => triangles.extend(corners.windows(2).skip(1).map(|t| [corners[0], t[0], t[1]])),
        _ => small += 1,
    }
    Ok(small)
}

/// Returns the lists of corners of a primitive. For a polygon with holes, returns its outer outline,
/// and adds its holes to `hole_count`.
fn lists<'a, 'input>(primitive: Node<'a, 'input>, hole_count: &mut usize) -> Vec<Node<'a, 'input>> {
    let mut lists = Vec::new();
    for element in xml::elements(primitive) {
        match element.tag_name().name() {
            "p" => lists.push(element),
            "ph" => {
                lists.extend(xml::child(element, "p"));
                *hole_count += xml::elements(element).filter(|e| e.has_tag_name("h")).count();
            }
            _ => {}
        }
    }
    lists
}

/// Returns the input that refers to vertices, its offset within a corner, and the number of indices per
/// corner; `None` without such an input.
fn vertices_of<'a, 'input>(primitive: Node<'a, 'input>) -> Checked<Option<(Node<'a, 'input>, usize, usize)>> {
    let mut found = None;
    let mut stride = 0;
    for input in xml::elements(primitive).filter(|e| e.has_tag_name("input")) {
        let offset = whole(input, "offset")?.unwrap_or(0);
        if offset > u16::MAX.into() {
            return xml::wrong(input, format!("no corner has {offset} numbers"));
        }
        stride = stride.max(offset + 1);
        if input.attribute("semantic") == Some("VERTEX") {
            found = Some((input, offset));
        }
    }
    Ok(found.map(|(input, offset)| (input, offset, stride)))
}

/// Returns the vertex indices of a list of corners.
fn corners(list: Node, offset: usize, stride: usize, vertex_count: usize) -> Checked<Vec<u32>> {
    let numbers = indices(list)?;
    if !numbers.len().is_multiple_of(stride) {
        return xml::wrong(
            list,
            format!("{} numbers are no corners of {stride}", grouped(numbers.len() as u64)),
        );
    }
    let corners: Vec<u32> = numbers.into_iter().skip(offset).step_by(stride).collect();
    match corners.iter().find(|&&v| v as usize >= vertex_count) {
        Some(vertex) => {
            let count = grouped(vertex_count as u64);
            xml::wrong(list, format!("there is no vertex {vertex}: there are {count}, from 0"))
        }
        None => Ok(corners),
    }
}

/// Returns the positions to which a `<vertices>` refers.
fn positions<'a>(vertices: Node<'a, '_>, elements: &Elements<'a, '_>) -> Checked<Vec<DVec3>> {
    let mut inputs = xml::elements(vertices).filter(|e| e.has_tag_name("input"));
    let Some(input) = inputs.find(|i| i.attribute("semantic") == Some("POSITION")) else {
        return xml::wrong(vertices, "these vertices have no positions");
    };
    let source = elements.needed(input, "source", "source")?;
    let accessor = xml::needed_child(xml::needed_child(source, "technique_common")?, "accessor")?;
    let array = elements.needed(accessor, "source", "float_array")?;
    let numbers = floats(array)?;
    let [count, stride, offset] = [("count", 0), ("stride", 1), ("offset", 0)]
        .map(|(name, usual)| whole(accessor, name).map(|number| number.unwrap_or(usual)));
    let (count, stride, offset) = (count?, stride?, offset?);
    let end = count.checked_mul(stride).and_then(|all| all.checked_add(offset));
    if stride < 3 || end.is_none_or(|end| end > numbers.len()) {
        let found = grouped(numbers.len() as u64);
        return xml::wrong(accessor, format!("{count} positions of {stride} numbers are not in {found}"));
    }
    let point = |p: &[f64]| DVec3::new(p[0], p[1], p[2]);
    Ok(numbers[offset..offset + count * stride].chunks_exact(stride).map(point).collect())
}
