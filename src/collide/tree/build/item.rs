//! Element that the builder reorders: the box and the index of one triangle, in two SIMD registers.

use glam::{Vec3, Vec3A, Vec4};

use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::volume::Aabb;

/// Box of a triangle, body space, m; the unused lanes hold the index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    low: Vec4,
    high: Vec4,
}

const _: () = assert!(size_of::<Item>() == 32);

/// Bit that makes an index a normal number. Arithmetic on a register with subnormal numbers would be
/// slow.
const INDEX_TAG: u32 = 0x4000_0000;

impl Item {
    pub fn new(min: Vec3A, max: Vec3A, triangle: u32) -> Self {
        let index = f32::from_bits(triangle | INDEX_TAG);
        Self { low: min.extend(index), high: max.extend(index) }
    }

    pub fn triangle(&self) -> u32 {
        self.low.w.to_bits() & !INDEX_TAG
    }

    pub fn min(&self) -> Vec3A {
        Vec3A::from_vec4(self.low)
    }

    pub fn max(&self) -> Vec3A {
        Vec3A::from_vec4(self.high)
    }

    /// Returns twice the center, without the rounding of a division.
    pub fn doubled_center(&self) -> Vec3A {
        self.min() + self.max()
    }
}

/// Returns one item per triangle, in the order of the mesh, relative to `center`.
pub(crate) fn items(mesh: &Mesh, center: Vec3) -> Vec<Item> {
    let corner = |v: u32| Vec3A::from(mesh.vertices()[v as usize] - center);
    let boxed = |(triangle, corners): (usize, &[u32; 3])| {
        let [a, b, c] = corners.map_each(corner);
        Item::new(a.min(b).min(c), a.max(b).max(c), triangle as u32)
    };
    mesh.triangles().iter().enumerate().map(boxed).collect()
}

/// Returns the box around the items and the box around their doubled centers.
pub(crate) fn bounds(items: &[Item]) -> (Aabb, Aabb) {
    let (mut min, mut max) = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
    let (mut low, mut high) = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
    for item in items {
        (min, max) = (min.min(item.min()), max.max(item.max()));
        let center = item.doubled_center();
        (low, high) = (low.min(center), high.max(center));
    }
    (Aabb::new(min.into(), max.into()), Aabb::new(low.into(), high.into()))
}
