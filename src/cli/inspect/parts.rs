//! The parts of a scene, as `tumble inspect` lists them: where they stand, their motion and their mass.

use comfy_table::Table;
use glam::DVec3;
use serde::Serialize;

use super::{more, plain_table};
use crate::body::Motion;
use crate::scene::{BodyDef, Scene};

/// A part at its pose at the start. Positions are in world axes, m.
#[derive(Serialize)]
pub(super) struct PartReport<'a> {
    name: &'a str,
    /// Path in the tree of its file, as a sequence of names.
    path: &'a str,
    motion: Motion,
    surface: Option<&'a str>,
    part_count: usize,
    /// Mass, kg; `null` if infinite.
    mass: Option<f64>,
    trigger: bool,
    /// Origin of the part's own axes.
    position: DVec3,
    /// Rotation of the part's own axes: a unit quaternion, x, y, z, w.
    rotation: [f64; 4],
    /// Ends of the surface along the world axes; `null` without a surface.
    bounds: Option<Bounds>,
    /// Center of the volume, as if the surface were filled evenly; for an open surface, that of a thin
    /// shell. `null` without a surface.
    center_of_volume: Option<DVec3>,
    /// Center of mass; that of the volume if the part cannot move. `null` for a part with neither a
    /// surface nor a mass.
    center_of_mass: Option<DVec3>,
}

/// Box around a surface in world axes, m.
#[derive(Clone, Copy, Serialize)]
struct Bounds {
    min: DVec3,
    max: DVec3,
    size: DVec3,
}

/// Measures a part at its pose at the start.
pub(super) fn examine_part<'a>(scene: &'a Scene, body: &'a BodyDef) -> PartReport<'a> {
    let mesh = body.mesh.map(|mesh| &*scene.meshes[mesh as usize]);
    let bounds = mesh.map(|mesh| {
        let [min, max] = mesh.bounds_at(&body.pose);
        Bounds { min, max, size: max - min }
    });
    let has_mass = mesh.is_some() || body.mass.is_finite();
    PartReport {
        name: &body.name,
        path: &body.path,
        motion: body.motion,
        surface: mesh.map(|mesh| mesh.name()),
        part_count: body.parts.len(),
        mass: body.mass.is_finite().then_some(body.mass),
        trigger: body.trigger,
        position: body.pose.position,
        rotation: body.pose.rotation.to_array(),
        bounds,
        center_of_volume: mesh.map(|mesh| body.pose.transform_point(mesh.surface().volume.center)),
        center_of_mass: has_mass.then(|| body.pose.transform_point(body.center)),
    }
}

/// Returns two tables of the first `most` parts: their bounds; and their motion, mass and centers.
pub(super) fn part_tables(parts: &[PartReport], most: usize) -> [Table; 2] {
    let mut places = plain_table(&["part", "from, m", "to, m", "size, m"], &[]);
    let mut masses =
        plain_table(&["part", "motion", "mass, kg", "center of volume, m", "center of mass, m"], &[2]);
    for part in parts.iter().take(most) {
        let count = decimals(part.bounds.map_or(1.0, |b| b.size.max_element()));
        let shown = |vector: Option<DVec3>| vector.map_or("–".to_owned(), |v| triple(v, count));
        let of = |end: fn(Bounds) -> DVec3| shown(part.bounds.map(end));
        places.add_row([part.name.to_owned(), of(|b| b.min), of(|b| b.max), of(|b| b.size)]);
        masses.add_row([
            part.name.to_owned(),
            motion(part).to_owned(),
            part.mass.map_or("–".to_owned(), |mass| format!("{mass:.*}", decimals(mass))),
            shown(part.center_of_volume),
            shown(part.center_of_mass),
        ]);
    }
    let tables = [places, masses];
    tables.map(|mut table| {
        table.add_rows(more(parts.len(), most).map(|text| [text]));
        table
    })
}

fn motion(part: &PartReport) -> &'static str {
    match part.motion {
        _ if part.trigger => "trigger",
        Motion::Dynamic => "dynamic",
        Motion::Kinematic => "kinematic",
        Motion::Static => "static",
    }
}

/// Returns the number of decimals that shows a number with four digits.
fn decimals(number: f64) -> usize {
    // Zero has no logarithm; it gets as many decimals as the smallest number.
    (3.0 - number.max(1e-6).log10().floor()).clamp(1.0, 9.0) as usize
}

/// Formats a vector. A coordinate that rounds to zero has no sign.
fn triple(vector: DVec3, decimals: usize) -> String {
    let texts = vector.to_array().map(|x| {
        let text = format!("{x:.decimals$}");
        let is_zero = text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
        if is_zero { text.trim_start_matches('-').to_owned() } else { text }
    });
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_four_digits_of_the_parts_size() {
        assert_eq!([4.4e-3, 0.1, 0.999, 1.0, 107.0, 1e9, 0.0].map(decimals), [6, 4, 4, 3, 1, 1, 9]);
        assert_eq!(triple(DVec3::new(-1e-9, 0.5, -0.25), 3), "0.000, 0.500, -0.250");
    }
}
