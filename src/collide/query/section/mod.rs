//! Section of a surface by a plane: its lines, their length, and the area of the solid in the plane.
//!
//! Each vertex counts as either behind the plane or in front of it; a vertex on the plane counts as in
//! front. So the section is the one just behind the plane. Features that lie in the plane need no
//! special case, and there is no tolerance.
//!
//! - `lines.rs`: pieces across triangles, joined into lines.
//! - `plane.rs`: a plane, and the side tests against it.
//! - `tests/`: sections compared with closed forms, and with sums computed without lines.

mod lines;
mod plane;
#[cfg(test)]
mod tests;

use glam::{DVec3, Vec3};

use lines::{CrossedEdge, Line, Piece};
pub use plane::Plane;

use crate::pose::Pose;

/// Section of a surface by a plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Lines along which the plane crosses the surface. Each piece is in exactly one line.
    pub loops: Vec<SectionLoop>,
    /// Area of the solid in the plane, m²: outlines minus holes. Where a surface overlaps itself, each
    /// point counts as often as the surface winds around it. `None` if the surface has no inside there:
    /// a line is open, a crossed triangle is two-sided, or neighbors disagree in winding.
    pub area: Option<f64>,
    /// Length of all lines, m.
    pub perimeter: f64,
}

/// Line of a section. Two lines of one surface may share points, or cross where the surface intersects
/// itself.
#[derive(Clone, Debug, PartialEq)]
pub struct SectionLoop {
    /// Two or more points in the space of the plane, m. A closed line does not repeat its first point.
    /// As seen from the tip of the plane's normal, the solid lies to the left: outlines run
    /// counter-clockwise, holes clockwise.
    pub points: Vec<DVec3>,
    pub is_closed: bool,
    /// Length, m.
    pub length: f64,
    /// Enclosed area, m²; negative for a hole. `None` if the line is open, or if triangles along it
    /// disagree in winding.
    pub area: Option<f64>,
}

impl Section {
    /// Returns whether the section has no line: the plane crosses no triangle, or touches triangles
    /// only at points.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// Returns whether all lines are closed.
    pub fn is_closed(&self) -> bool {
        self.loops.iter().all(|line| line.is_closed)
    }
}

impl SectionLoop {
    /// Returns the straight pieces of the line in order. For a closed line, they include the piece from
    /// the last point to the first.
    pub fn segments(&self) -> impl Iterator<Item = [DVec3; 2]> {
        let back = if self.is_closed { self.points.last().zip(self.points.first()) } else { None };
        let pairs = self.points.windows(2).map(|pair| [pair[0], pair[1]]);
        pairs.chain(back.map(|(&last, &first)| [last, first]))
    }
}

/// Returns the section of a surface at a pose by a plane in world space. An empty section without an
/// area if the plane or the pose is not finite.
///
/// `vertices` (body space, m) must be welded: triangles are neighbors if they share vertices. They may
/// be those of a deformed skin. `two_sided` marks the triangles that are solid from both sides
/// ([`Surface::two_sided`](crate::mesh::Surface::two_sided)) and bound no area. Missing elements count
/// as false, so the list may be empty, but then the closed line of a sheet gets an area. Visits each
/// vertex and triangle once: a few milliseconds for half a million triangles.
///
/// The lines have a point on each triangle edge that the plane crosses. Where faces or vertices lie in
/// the plane, more than one line may pass through a point. Lines that shrink to a point are dropped.
///
/// # Panics
/// If a triangle refers to a vertex that does not exist.
///
/// ```
/// # use glam::{DVec3, Vec3};
/// # use tumble_collide::{generate, mesh::Mesh, pose::Pose};
/// use tumble_collide::query::{Plane, section};
///
/// let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
/// let mesh = Mesh::new("box", &positions, &triangles)?;
/// let (surface, pose) = (mesh.surface(), Pose::from_position(DVec3::X * 7.0));
/// let plane = Plane::through(pose.position, DVec3::ONE);
/// let hexagon = section(&surface.vertices, &surface.triangles, &surface.two_sided, &pose, &plane);
/// assert_eq!(hexagon.loops.len(), 1);
/// assert!((hexagon.area.ok_or("open")? - 0.75 * 3_f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn section(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    two_sided: &[bool],
    pose: &Pose,
    plane: &Plane,
) -> Section {
    let plane = plane.in_space_of(pose);
    if !plane.is_finite() || !pose.is_finite() {
        return Section::default();
    }
    let is_behind: Vec<bool> = vertices.iter().map(|v| plane.height(v.as_dvec3()) < 0.0).collect();
    let (mut pieces, mut bounds_solid) = (Vec::new(), true);
    if is_behind.contains(&true) && is_behind.contains(&false) {
        for (t, corners) in triangles.iter().enumerate() {
            if let Some(piece) = piece(corners, &is_behind) {
                pieces.push(piece);
                bounds_solid &= !two_sided.get(t).is_some_and(|&t| t);
            }
        }
    }
    let lines = lines::join(&pieces, |edge| crossing(edge, vertices, &plane));
    let mut section = Section { loops: Vec::with_capacity(lines.len()), area: Some(0.0), perimeter: 0.0 };
    for line in lines {
        let line = measure(line, plane.normal);
        section.perimeter += line.length;
        section.area = section.area.zip(line.area).map(|(sum, area)| sum + area);
        section.loops.push(line);
    }
    for point in section.loops.iter_mut().flat_map(|line| &mut line.points) {
        *point = pose.transform_point(*point);
    }
    section.area = section.area.filter(|_| bounds_solid);
    section
}

/// Returns the intersection of the plane with a triangle; `None` if the plane does not cross it. The
/// piece leads from the edge that passes through the plane from front to back to the edge that passes
/// from back to front.
#[inline]
fn piece(corners: &[u32; 3], is_behind: &[bool]) -> Option<Piece> {
    let [a, b, c] = *corners;
    let behind = [is_behind[a as usize], is_behind[b as usize], is_behind[c as usize]];
    Some(match behind {
        [true, true, true] | [false, false, false] => return None,
        [true, false, false] => Piece { from: [a, c], to: [a, b] },
        [false, true, false] => Piece { from: [b, a], to: [b, c] },
        [false, false, true] => Piece { from: [c, b], to: [c, a] },
        [false, true, true] => Piece { from: [b, a], to: [c, a] },
        [true, false, true] => Piece { from: [c, b], to: [a, b] },
        [true, true, false] => Piece { from: [a, c], to: [b, c] },
    })
}

/// Returns the point where the plane crosses an edge. If the front vertex is on the plane, it is
/// exactly this vertex.
fn crossing([behind, front]: CrossedEdge, vertices: &[Vec3], plane: &Plane) -> DVec3 {
    let [behind, front] = [vertices[behind as usize].as_dvec3(), vertices[front as usize].as_dvec3()];
    let height = plane.height(front);
    front + (behind - front) * (height / (height - plane.height(behind)))
}

/// Measures a line. `normal`: unit normal of its plane.
fn measure(Line { points, is_closed, is_aligned }: Line, normal: DVec3) -> SectionLoop {
    let mut line = SectionLoop { points, is_closed, length: 0.0, area: None };
    // Relative to a point of the line, because products of coordinates far from the origin would
    // cancel.
    let about = line.points[0];
    let (mut length, mut doubled) = (0.0, 0.0);
    for [from, to] in line.segments() {
        length += from.distance(to);
        doubled += (from - about).cross(to - about).dot(normal);
    }
    line.length = length;
    line.area = Some(0.5 * doubled).filter(|area| is_closed && is_aligned && area.is_finite());
    line
}
