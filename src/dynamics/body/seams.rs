//! Seams of a part: its edges and vertices along which other parts continue its surface.
//!
//! A body that slides from one part to the next must not feel the border between them. At an edge inside
//! a mesh, the normals of contacts lie between the two faces. Without seams, the border of a part would
//! bear in every direction between its face and its side, also against the motion of a body that the next
//! part bears.

use glam::DVec3;

/// Sine of the angle by which the continued surface may rise above a supporting edge or vertex. It covers
/// rounding. With a larger angle, seams would slow sliding bodies.
const LEVEL: f64 = 1e-3;

/// Seams of one part that never moves relative to the parts that continue it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seams {
    edges: Continued,
    vertices: Continued,
}

/// Directions (unit, body space) in which surfaces leave an edge or a vertex, each with the index of the
/// edge or vertex, sorted by index.
#[derive(Clone, Debug, Default, PartialEq)]
struct Continued {
    directions: Vec<(u32, DVec3)>,
}

impl Seams {
    /// Makes the seams from unit directions in body space, each with the index of its edge or vertex. The
    /// directions are those of all surfaces that leave the edge or vertex: of the part itself, and of the
    /// parts that continue it.
    pub fn new(edges: Vec<(u32, DVec3)>, vertices: Vec<(u32, DVec3)>) -> Self {
        let sorted = |mut directions: Vec<(u32, DVec3)>| {
            directions.sort_by_key(|(index, _)| *index);
            Continued { directions }
        };
        Self { edges: sorted(edges), vertices: sorted(vertices) }
    }

    /// Returns whether no surface at the edge rises along `direction` (unit, body space). True for an edge
    /// without a seam.
    #[inline]
    pub fn edge_supports(&self, edge: u32, direction: DVec3) -> bool {
        self.edges.supports(edge, direction)
    }

    /// Returns whether no surface at the vertex rises along `direction` (unit, body space). True for a
    /// vertex without a seam.
    #[inline]
    pub fn vertex_supports(&self, vertex: u32, direction: DVec3) -> bool {
        self.vertices.supports(vertex, direction)
    }
}

impl Continued {
    fn supports(&self, index: u32, direction: DVec3) -> bool {
        let first = self.directions.partition_point(|(at, _)| *at < index);
        let at_index = self.directions[first..].iter().take_while(|(at, _)| *at == index);
        at_index.into_iter().all(|(_, leaving)| direction.dot(*leaving) <= LEVEL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_bears_between_the_faces_of_both_parts() {
        // Two roads meet at a bend; the second descends by 45°. Both have a vertical side at the bend.
        let descending = DVec3::new(1.0, -1.0, 0.0).normalize();
        let leaving = [DVec3::NEG_X, DVec3::NEG_Y, descending].map(|direction| (7, direction));
        let seams = Seams::new(leaving.to_vec(), Vec::new());
        let bears = |x: f64, y: f64| seams.edge_supports(7, DVec3::new(x, y, 0.0).normalize());
        assert!(bears(0.0, 1.0) && bears(1.0, 1.0) && bears(0.3, 1.0));
        assert!(!bears(-0.1, 1.0) && !bears(1.0, 0.9) && !bears(0.0, -1.0));
        assert!(seams.edge_supports(6, DVec3::NEG_X) && seams.vertex_supports(7, DVec3::NEG_X));
    }
}
