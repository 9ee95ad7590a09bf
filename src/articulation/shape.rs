//! A link's surface as the hierarchies see it.

use glam::Vec3;

use crate::volume::{Aabb, Obb, ObbFit, Volume};

/// Volumes around a link's surface in body space, m. Copies of a link share one.
#[derive(Clone, Debug)]
pub struct LinkShape {
    pub bounds: Aabb,
    /// Well fitting: along the surface's own directions.
    pub fitted: Obb,
    /// For boxes around all vertices alone; without any, the corners of `bounds` stand for them.
    pub vertices: Vec<Vec3>,
}

impl LinkShape {
    /// Around triangles of finite vertices. `None` without any.
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

    /// A shape whose boxes are all these bounds: for links known by their bounds alone.
    pub fn from_bounds(bounds: Aabb) -> Self {
        Self { bounds, fitted: boxed(bounds), vertices: Vec::new() }
    }
}

/// An axis-aligned box as an oriented one, rounded outward.
fn boxed(bounds: Aabb) -> Obb {
    let center = bounds.center();
    let half = (bounds.max - center).max(center - bounds.min).map(f32::next_up);
    Obb { axes: glam::Mat3::IDENTITY, center, half }
}
