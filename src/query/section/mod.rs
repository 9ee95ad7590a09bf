//! The section of a surface by a plane: its lines, their length, and the area of the solid in the plane.
//!
//! A vertex is behind the plane or it is not, and one on the plane is not, so the section is the one just
//! behind the plane: whatever lies in the plane needs no case of its own, and no tolerance decides.
//!
//! - `lines.rs`: pieces across triangles, joined to lines.
//! - `plane.rs`: a plane, and which side of it something lies on.
//! - `tests/`: closed forms, and sums that share nothing with the lines.

mod lines;
mod plane;
#[cfg(test)]
mod tests;

use glam::{DVec3, Vec3};

use lines::{CrossedEdge, Line, Piece};
pub use plane::Plane;

use crate::pose::Pose;

/// The section of a surface by a plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The lines along which the plane crosses the surface. Each piece of them is in one, once.
    pub loops: Vec<SectionLoop>,
    /// Area of the solid in the plane, m²: what outlines enclose less their holes. Where a surface overlaps
    /// itself, each point counts as often as the surface winds around it. `None` if the surface has no inside
    /// there: a line is open, triangles are solid from both sides, or neighbours disagree on their winding.
    pub area: Option<f64>,
    /// Length of all lines, m.
    pub perimeter: f64,
}

/// A line of a section. Two lines of one surface can share points, or cross where it crosses itself.
#[derive(Clone, Debug, PartialEq)]
pub struct SectionLoop {
    /// In the space of the plane, m, two or more; a closed line does not repeat its first. Seen from the tip
    /// of the plane's normal the solid lies to the left: outlines run counter-clockwise, holes clockwise.
    pub points: Vec<DVec3>,
    pub is_closed: bool,
    /// m
    pub length: f64,
    /// Area that the line encloses, m²; that of a hole is negative. `None` if the line is open or triangles
    /// along it are wound against each other.
    pub area: Option<f64>,
}

impl Section {
    /// Whether the plane crosses no triangle, or does so in nothing but points.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// Whether no line has an end.
    pub fn is_closed(&self) -> bool {
        self.loops.iter().all(|line| line.is_closed)
    }
}

impl SectionLoop {
    /// The straight pieces of the line in their order, that from the last point to the first included if it
    /// is closed.
    pub fn segments(&self) -> impl Iterator<Item = [DVec3; 2]> {
        let back = if self.is_closed { self.points.last().zip(self.points.first()) } else { None };
        let pairs = self.points.windows(2).map(|pair| [pair[0], pair[1]]);
        pairs.chain(back.map(|(&last, &first)| [last, first]))
    }
}

/// Returns the section of a surface at a pose by a plane of world space. Empty, without an area, if the plane
/// or the pose is not finite.
///
/// `vertices` (body space, m) are welded: triangles are neighbours if they share vertices. They may be those
/// of a skin that has moved. `two_sided` says which triangles are solid from both sides
/// ([`Surface::two_sided`](crate::mesh::Surface::two_sided)) and bound nothing; it may be shorter than the
/// triangles, for example empty, where none is. Without it the closed line of a sheet has an area. Looks once
/// at each vertex and triangle: a few milliseconds for half a million.
///
/// A section has the corners of all triangles that it crosses, and more than one line at a place where faces
/// lie in the plane or vertices on it; lines that have come down to a point are left out.
///
/// # Panics
/// If a triangle names a vertex that is not there.
///
/// ```
/// # use glam::{DVec3, Vec3};
/// # use tumble::{generate, mesh::Mesh, pose::Pose};
/// use tumble::query::{Plane, section};
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

/// Returns where a plane crosses a triangle, if it does: between the edge that goes down through it and the
/// one that comes up.
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

/// Returns where a plane crosses an edge: at its vertex in front, exactly, if that is on the plane.
fn crossing([behind, front]: CrossedEdge, vertices: &[Vec3], plane: &Plane) -> DVec3 {
    let [behind, front] = [vertices[behind as usize].as_dvec3(), vertices[front as usize].as_dvec3()];
    let height = plane.height(front);
    front + (behind - front) * (height / (height - plane.height(behind)))
}

/// Measures a line across `normal` (unit).
fn measure(Line { points, is_closed, is_aligned }: Line, normal: DVec3) -> SectionLoop {
    let mut line = SectionLoop { points, is_closed, length: 0.0, area: None };
    // About a point of the line: products of what lies far from the origin would cancel.
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
