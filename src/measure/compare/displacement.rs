//! Distance between two poses of a body, as the largest displacement of any of its points.

use glam::DVec3;

use crate::pose::Pose;
use crate::scene::{BodyDef, Scene};

/// Returns the distance per body from its center of mass to the farthest corner of its bounds, m; 0
/// without a surface.
pub fn sizes(scene: &Scene) -> Vec<f64> {
    let size = |body: &BodyDef| {
        let bounds = body.mesh.map(|mesh| scene.meshes[mesh as usize].bounds())?;
        let (low, high) = (bounds.min.as_dvec3() - body.center, bounds.max.as_dvec3() - body.center);
        Some(low.abs().max(high.abs()).length())
    };
    scene.bodies.iter().map(|body| size(body).unwrap_or(0.0)).collect()
}

/// Returns an upper bound of the displacement of any point of a body between two poses, m: the
/// displacement of `center` (body space) plus the chord of the rotation at distance `size` (m).
pub fn displacement(to: &Pose, from: &Pose, center: DVec3, size: f64) -> f64 {
    if to == from {
        return 0.0;
    }
    let turned = (to.rotation * from.rotation.conjugate()).xyz().length().min(1.0);
    to.transform_point(center).distance(from.transform_point(center)) + 2.0 * turned * size
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    #[test]
    fn a_body_that_turns_about_its_centre_goes_as_far_as_its_corners() {
        let center = DVec3::new(1.0, 0.0, 0.0);
        let half_turn = DQuat::from_rotation_y(std::f64::consts::PI);
        let turned = Pose::new(half_turn, DVec3::new(2.0, 0.0, 0.0));
        assert!((displacement(&turned, &Pose::IDENTITY, center, 0.5) - 1.0).abs() < 1e-12);
        let moved = Pose::from_position(DVec3::new(0.0, 1e-9, 0.0));
        assert_eq!(displacement(&moved, &Pose::IDENTITY, center, 0.5), 1e-9);
    }
}
