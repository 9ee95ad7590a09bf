//! STL text: solids of facets, each a loop of three vertices.

use std::io::BufRead;

use glam::DVec3;

use crate::import::fault::Checked;
use crate::import::lines::{Lines, coordinate, quoted};
use crate::import::model::NoteKind;
use crate::import::near::near;
use crate::import::parts::{Part, Parts};

pub(super) fn read(mut lines: Lines<impl BufRead>) -> Checked<Parts> {
    let mut parts = Parts::default();
    let (mut part, mut points): (Option<Part>, Vec<DVec3>) = (None, Vec::new());
    while let Some(line) = lines.next()? {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { continue };
        let said = |keyword: &str| first.eq_ignore_ascii_case(keyword);
        match &mut part {
            None if said("solid") => {
                let name = line[first.len()..].trim_ascii().to_owned();
                part = Some(Part { name, ..Part::default() });
            }
            None => {
                let found = quoted(first);
                return lines.fault(format!("expected solid, found {found}"));
            }
            Some(part) if said("facet") => {
                let triangle = facet(&mut lines)?;
                let next = points.len() as u32;
                points.extend(triangle);
                part.triangles.push([next, next + 1, next + 2]);
            }
            Some(_) if said("endsolid") => {
                if part.as_ref().is_some_and(|p| p.triangles.is_empty()) {
                    let name = part.as_ref().map(|p| quoted(&p.name)).unwrap_or_default();
                    parts.note(NoteKind::Ignored, format!("the solid {name} has no facet"));
                }
                parts.parts.extend(part.take().map(|part| {
                    let (positions, origin) = near(&points, &part.triangles);
                    Part { positions, origin, ..part }
                }));
                points.clear();
            }
            Some(_) => {
                let found = quoted(first);
                return lines.fault(format!("expected facet or endsolid, found {found}"));
            }
        }
    }
    if part.is_some() {
        return lines.fault("the file ends within a solid");
    }
    Ok(parts)
}

/// Reads the three corners of a facet, after its first line.
fn facet(lines: &mut Lines<impl BufRead>) -> Checked<[DVec3; 3]> {
    expect(lines, "outer loop")?;
    let mut corners = [DVec3::ZERO; 3];
    for corner in &mut corners {
        *corner = vertex(lines)?;
    }
    expect(lines, "endloop")?;
    expect(lines, "endfacet")?;
    Ok(corners)
}

fn expect(lines: &mut Lines<impl BufRead>, wanted: &str) -> Checked<()> {
    let line = needed(lines, wanted)?;
    let is_wanted = line.split_ascii_whitespace().map(str::to_ascii_lowercase).eq(wanted.split(' '));
    if is_wanted { Ok(()) } else { lines.fault(format!("expected {wanted}, found {}", quoted(&line))) }
}

fn vertex(lines: &mut Lines<impl BufRead>) -> Checked<DVec3> {
    let line = needed(lines, "vertex")?;
    let mut words = line.split_ascii_whitespace();
    if !words.next().is_some_and(|word| word.eq_ignore_ascii_case("vertex")) {
        return lines.fault(format!("expected vertex, found {}", quoted(&line)));
    }
    let mut position = DVec3::ZERO;
    for axis in 0..3 {
        match words.next().map(coordinate) {
            Some(Ok(value)) => position[axis] = value,
            Some(Err(reason)) => return lines.fault(reason),
            None => return lines.fault("a vertex needs three coordinates"),
        }
    }
    if words.next().is_some() {
        return lines.fault("a vertex has three coordinates");
    }
    Ok(position)
}

/// Returns the next line that is not empty. At the end of the file, fails with an error that names
/// `wanted`.
fn needed(lines: &mut Lines<impl BufRead>, wanted: &str) -> Checked<String> {
    loop {
        let line = lines.next()?.map(std::borrow::Cow::into_owned);
        match line {
            None => return lines.fault(format!("the file ends where {wanted} should be")),
            Some(line) if line.is_empty() => {}
            Some(line) => return Ok(line),
        }
    }
}
