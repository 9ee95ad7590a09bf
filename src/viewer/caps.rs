//! The caps of a section: the areas of solids in the section plane, as triangles.
//!
//! A closed [`Section`] → triangles, which are counter-clockwise seen from the tip of the plane's
//! normal. Outlines and their holes are triangulated by ear clipping. A section with very many points
//! gets no caps. Then back faces are visible through the section, and they have the same color.

use earcut::Earcut;
use glam::{DVec2, DVec3};

use crate::query::{Plane, Section, SectionLoop};

/// Largest number of points of a section that is triangulated. There is a limit because ear clipping
/// may take quadratic time.
const MOST_POINTS: usize = 20_000;

/// Appends the caps of a section. An open section has none.
pub fn caps(section: &Section, plane: &Plane, out: &mut Vec<[DVec3; 3]>) {
    let count: usize = section.loops.iter().map(|line| line.points.len()).sum();
    if section.area.is_none() || count > MOST_POINTS {
        return;
    }
    let u = plane.normal.any_orthonormal_vector();
    let v = plane.normal.cross(u);
    let flat = |line: &SectionLoop| -> Vec<DVec2> {
        line.points.iter().map(|p| DVec2::new(p.dot(u), p.dot(v))).collect()
    };
    let (mut outlines, mut holes) = (Vec::new(), Vec::new());
    for (at, line) in section.loops.iter().enumerate() {
        let Some(area) = line.area else { continue };
        let own = Outline { at, area: area.abs(), flat: flat(line), holes: Vec::new() };
        if area > 0.0 { outlines.push(own) } else { holes.push(own) }
    }
    // A hole belongs to the smallest outline that contains it.
    outlines.sort_by(|x, y| x.area.total_cmp(&y.area));
    for hole in holes {
        let Some(&inner) = hole.flat.first() else { continue };
        let around = outlines.iter_mut().find(|o| o.area >= hole.area && contains(&o.flat, inner));
        if let Some(outline) = around {
            outline.holes.push((hole.at, hole.flat));
        }
    }
    let mut ears = Earcut::new();
    let mut ordinals: Vec<u32> = Vec::new();
    for outline in &outlines {
        outline.divide(section, (&mut ears, &mut ordinals), out);
    }
}

/// A closed line of a section, in two dimensions.
struct Outline {
    /// Index of the line in the section.
    at: usize,
    area: f64,
    flat: Vec<DVec2>,
    holes: Vec<(usize, Vec<DVec2>)>,
}

impl Outline {
    /// Triangulates an outline with its holes, and appends the triangles.
    fn divide(
        &self,
        section: &Section,
        (ears, ordinals): (&mut Earcut<f64>, &mut Vec<u32>),
        out: &mut Vec<[DVec3; 3]>,
    ) {
        let mut points = section.loops[self.at].points.clone();
        let mut starts = Vec::with_capacity(self.holes.len());
        for (at, _) in &self.holes {
            starts.push(points.len() as u32);
            points.extend_from_slice(&section.loops[*at].points);
        }
        let flat = self.flat.iter().chain(self.holes.iter().flat_map(|(_, flat)| flat));
        ears.earcut(flat.map(|p| p.to_array()), &starts, ordinals);
        let (divided, _) = ordinals.as_chunks::<3>();
        out.extend(divided.iter().map(|corners| corners.map(|corner| points[corner as usize])));
    }
}

/// Returns whether a point is within a closed line. Counts the edges that a ray from the point crosses.
fn contains(line: &[DVec2], point: DVec2) -> bool {
    let mut is_inside = false;
    for (at, &b) in line.iter().enumerate() {
        let a = line[(at + line.len() - 1) % line.len()];
        if (a.y > point.y) != (b.y > point.y) && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x) {
            is_inside = !is_inside;
        }
    }
    is_inside
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::generate;
    use crate::mesh::Mesh;
    use crate::pose::Pose;
    use crate::query::section;

    /// Returns the area of the caps of a generated surface and the area of its section, m².
    fn areas((positions, triangles): &generate::Triangles, plane: Plane) -> [f64; 2] {
        let mesh = Mesh::new("", positions, triangles).unwrap();
        let two_sided = &mesh.surface().two_sided;
        let section = section(mesh.vertices(), mesh.triangles(), two_sided, &Pose::IDENTITY, &plane);
        let mut triangles = Vec::new();
        caps(&section, &plane, &mut triangles);
        let doubled = |[a, b, c]: &[DVec3; 3]| (*b - *a).cross(*c - *a).dot(plane.normal);
        [0.5 * triangles.iter().map(doubled).sum::<f64>(), section.area.unwrap()]
    }

    #[test]
    fn caps_are_as_large_as_the_section_holes_left_out() {
        let ring = Plane::through(DVec3::Z * 0.01, DVec3::new(0.1, 0.0, 1.0));
        let planes = [
            ring,
            Plane::through(DVec3::ZERO, DVec3::Y),
            Plane::through(DVec3::Y * 0.01, DVec3::new(0.3, 1.0, -0.2)),
            Plane::through(DVec3::X * 0.02, DVec3::X),
        ];
        for plane in planes {
            for shape in [generate::cuboid(Vec3::ONE, 1.0), generate::torus(1.0, 0.3, 48, 24)] {
                let [found, right] = areas(&shape, plane);
                assert!(right > 0.0 && (found / right - 1.0).abs() < 1e-9, "{plane:?}: {found}, {right}");
            }
        }
    }
}
