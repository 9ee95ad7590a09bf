//! Volumes around a link's surface.

use glam::Vec3;

use crate::volume::{Aabb, Obb, ObbFit, Volume};

/// Volumes around a link's surface, in body space, m. Copies of a link share them.
#[derive(Clone, Debug)]
pub struct LinkShape {
    pub bounds: Aabb,
    /// Tight box along directions that suit the surface.
    pub fitted: Obb,
    /// Vertices, for boxes fitted to all vertices. If empty, the corners of `bounds` are used.
    pub vertices: Vec<Vec3>,
}

impl LinkShape {
    /// Builds the volumes of triangles with finite vertices. `None` if no triangle is valid.
    pub fn new(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Option<Self> {
        let corner = |&v: &u32| vertices.get(v as usize).copied();
        let corners = |t: &[u32; 3]| Some([corner(&t[0])?, corner(&t[1])?, corner(&t[2])?]);
        let triangles: Vec<[Vec3; 3]> = triangles.iter().filter_map(corners).collect();
        let bounds = Aabb::from_points(triangles.iter().flatten().copied());
        if bounds.is_empty() {
            return None;
        }
        Some(Self { bounds, fitted: Obb::fit(&triangles, &ObbFit::Smaller), vertices: vertices.to_vec() })
    }

    /// Builds a shape from an axis-aligned box, for links of which only the bounds are known.
    pub fn from_bounds(bounds: Aabb) -> Self {
        Self { bounds, fitted: boxed(bounds), vertices: Vec::new() }
    }
}

/// Converts an axis-aligned box to an oriented one. The half extents are rounded up.
fn boxed(bounds: Aabb) -> Obb {
    let center = bounds.center();
    let half = (bounds.max - center).max(center - bounds.min).map(f32::next_up);
    Obb { axes: glam::Mat3::IDENTITY, center, half }
}
