//! Axis-aligned box as a bounding volume of a hierarchy, tested by SAT lite. \[boxtree\] §3.2.4

use glam::{DVec3, Mat3A, Vec3, Vec3A};

use super::aabb::{Aabb, round_up};
use super::bounding::{Transit, Volume};
use super::operations::Operations;

/// Box transformed and prepared for a query.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// Center in the frame of a, m.
    pub center: Vec3A,
    /// Half extents along the box's own axes, m.
    pub half: Vec3A,
    /// Half extents of its axis-aligned bounds in the other hierarchy's frame, enlarged, m.
    pub reach: Vec3A,
}

/// Rotation from b to a and its absolute values, each also inverted; the translation and the
/// enlargement.
pub struct AabbFrames {
    pub rotation: Mat3A,
    /// Rotation from a to b.
    pub inverse: Mat3A,
    pub absolute: Mat3A,
    pub absolute_inverse: Mat3A,
    translation: Vec3A,
    growth: Vec3A,
}

impl Volume for Aabb {
    type Choice = ();
    type Shared = ();
    type Frames = AabbFrames;
    type A = Carried;
    type B = Carried;
    /// Center, half extents, and half extents of the rotated box.
    const CARRY_A: Operations = Operations::new(6 + 9, 6 + 9, 0);
    /// Center, half extents, half extents of the rotated box, and the transformed center.
    const CARRY_B: Operations = Operations::new(6 + 18, 6 + 18, 0);
    /// Vector between the centers in both frames, and its comparison with six sums.
    const OVERLAP: Operations = Operations::new(9, 3 + 6 + 6, 6);

    fn shared((): ()) {}

    fn fit(triangles: &[[Vec3; 3]], (): &()) -> Self {
        Self::from_points(triangles.iter().flatten().copied())
    }

    fn contains(&self, point: Vec3, (): &()) -> bool {
        self.contains_point(point)
    }

    fn bounds(&self) -> Aabb {
        *self
    }

    fn volume(&self) -> f64 {
        (self.max.as_dvec3() - self.min.as_dvec3()).max(DVec3::ZERO).element_product()
    }

    fn frames(transit: &Transit, (): &()) -> AabbFrames {
        let rotation = Mat3A::from(transit.rotation.as_mat3());
        let absolute = Mat3A::from_cols(rotation.x_axis.abs(), rotation.y_axis.abs(), rotation.z_axis.abs());
        AabbFrames {
            rotation,
            inverse: rotation.transpose(),
            absolute,
            absolute_inverse: absolute.transpose(),
            translation: transit.translation.as_vec3a(),
            growth: Vec3A::splat(round_up(transit.growth)),
        }
    }

    fn carry_a(&self, frames: &AabbFrames) -> Carried {
        let (min, max) = (Vec3A::from(self.min), Vec3A::from(self.max));
        let half = 0.5 * (max - min);
        Carried { center: 0.5 * (min + max), half, reach: frames.absolute_inverse * half + frames.growth }
    }

    fn carry_b(&self, frames: &AabbFrames) -> Carried {
        let (min, max) = (Vec3A::from(self.min), Vec3A::from(self.max));
        let half = 0.5 * (max - min);
        let center = frames.rotation * (0.5 * (min + max)) + frames.translation;
        Carried { center, half, reach: frames.absolute * half + frames.growth }
    }

    /// Tests the face axes of both boxes only: SAT lite. \[boxtree\] §3.2.4
    fn overlap(a: &Carried, b: &Carried, frames: &AabbFrames) -> bool {
        let apart = b.center - a.center;
        let apart_in_b = frames.inverse * apart;
        !(apart.abs().cmpgt(a.half + b.reach) | apart_in_b.abs().cmpgt(b.half + a.reach)).any()
    }

    /// Returns the least overlap along the six face axes, m.
    fn depth(a: &Carried, b: &Carried, frames: &AabbFrames) -> f32 {
        let apart = b.center - a.center;
        let apart_in_b = frames.inverse * apart;
        (a.half + b.reach - apart.abs()).min(b.half + a.reach - apart_in_b.abs()).min_element()
    }
}
