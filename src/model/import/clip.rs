//! Transforms of a model's nodes, at rest or at a moment of one of its animations.

use glam::{DMat3, DMat4, DQuat, DVec3};

use super::model::{Clip, Interpolation, LocalTransform, Model, Track, TrackValues};
use crate::pose::Pose;

/// Returns the transform from node space to world of every node; `placement` transforms the whole
/// model. With a `clip`, its tracks set the nodes' transforms at a time (s).
pub(crate) fn world_matrices(model: &Model, clip: Option<(&Clip, f64)>, placement: DMat4) -> Vec<DMat4> {
    let mut locals: Vec<LocalTransform> = model.nodes.iter().map(|n| n.local).collect();
    if let Some((clip, time)) = clip {
        for track in &clip.tracks {
            apply(track, time, &mut locals[track.node as usize]);
        }
    }
    let mut worlds = vec![DMat4::IDENTITY; model.nodes.len()];
    let parentless = (0..model.nodes.len() as u32).filter(|&n| model.nodes[n as usize].parent.is_none());
    let mut stack: Vec<(u32, DMat4)> = parentless.map(|n| (n, placement)).collect();
    while let Some((node, above)) = stack.pop() {
        let world = above * locals[node as usize].matrix();
        worlds[node as usize] = world;
        stack.extend(model.nodes[node as usize].children.iter().map(|&c| (c, world)));
    }
    worlds
}

/// Splits a matrix into a pose and the remaining scale, shear and mirror, to be applied to the surface.
/// Returns `None` if the matrix is singular, so that no solid would be left.
pub(crate) fn split(matrix: &DMat4) -> Option<(Pose, DMat3)> {
    let linear = DMat3::from_mat4(*matrix);
    let size = linear.x_axis.length().max(linear.y_axis.length()).max(linear.z_axis.length());
    if !matrix.is_finite() || linear.determinant().abs() <= 1e-12 * size * size * size {
        return None;
    }
    // Gram–Schmidt gives a right-handed rotation for every matrix; a mirror remains in `rest`.
    let x = linear.x_axis.normalize();
    let y = (linear.y_axis - linear.y_axis.dot(x) * x).normalize();
    let rotation = DMat3::from_cols(x, y, x.cross(y));
    let rest = without_noise(rotation.transpose() * linear, size);
    Some((Pose::new(DQuat::from_mat3(&rotation).normalize(), matrix.w_axis.truncate()), rest))
}

/// Rounds entries to multiples of about 2⁻⁴⁰ of `size`. A matrix without scale then gives exactly the
/// identity, whatever its rotation. So copies keep the coordinates of their model to the last bit and
/// share its surface.
fn without_noise(rest: DMat3, size: f64) -> DMat3 {
    let step = libm::exp2(libm::floor(libm::log2(size)) - 40.0);
    let round = |column: DVec3| (column / step).round() * step;
    DMat3::from_cols(round(rest.x_axis), round(rest.y_axis), round(rest.z_axis))
}

/// Replaces the animated component of a node's transform by its value at a time (s).
fn apply(track: &Track, time: f64, local: &mut LocalTransform) {
    let (mut translation, mut rotation, mut scale) = match *local {
        LocalTransform::Parts { translation, rotation, scale } => (translation, rotation, scale),
        LocalTransform::Matrix(matrix) => {
            let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
            (translation, rotation, scale)
        }
    };
    let key = Key::at(track, time);
    match &track.values {
        TrackValues::Translation(values) => translation = key.vector(track.interpolation, values),
        TrackValues::Scale(values) => scale = key.vector(track.interpolation, values),
        TrackValues::Rotation(values) => {
            let found = key.rotation(track.interpolation, values);
            if found.length_squared() > 1e-12 {
                rotation = found.normalize();
            }
        }
    }
    *local = LocalTransform::Parts { translation, rotation, scale };
}

/// Keys before and after a point in time.
struct Key {
    before: usize,
    after: usize,
    /// Interpolation weight: 0 at `before`, 1 at `after`.
    share: f64,
    /// Time between the two keys, s.
    span: f64,
}

impl Key {
    fn at(track: &Track, time: f64) -> Self {
        let after = track.times.partition_point(|&t| f64::from(t) <= time);
        let last = track.times.len() - 1;
        if after == 0 || after > last {
            let at = if after == 0 { 0 } else { last };
            return Self { before: at, after: at, share: 0.0, span: 0.0 };
        }
        let (start, end) = (f64::from(track.times[after - 1]), f64::from(track.times[after]));
        Self { before: after - 1, after, share: (time - start) / (end - start), span: end - start }
    }

    fn vector(&self, interpolation: Interpolation, values: &[DVec3]) -> DVec3 {
        match interpolation {
            Interpolation::Step => values[self.before],
            Interpolation::Linear => values[self.before].lerp(values[self.after], self.share),
            Interpolation::CubicSpline => {
                let [a, b, c, d] = self.hermite();
                let (p, q) = (3 * self.before, 3 * self.after);
                a * values[p + 1] + b * values[p + 2] + c * values[q + 1] + d * values[q]
            }
        }
    }

    fn rotation(&self, interpolation: Interpolation, values: &[DQuat]) -> DQuat {
        match interpolation {
            Interpolation::Step => values[self.before],
            Interpolation::Linear => slerp(values[self.before], values[self.after], self.share),
            Interpolation::CubicSpline => {
                let [a, b, c, d] = self.hermite();
                let (p, q) = (3 * self.before, 3 * self.after);
                values[p + 1] * a + values[p + 2] * b + values[q + 1] * c + values[q] * d
            }
        }
    }

    /// Returns the Hermite weights of the value, its out-tangent, the next value and its in-tangent.
    fn hermite(&self) -> [f64; 4] {
        let (t, h) = (self.share, self.span);
        let (t2, t3) = (t * t, t * t * t);
        [2.0 * t3 - 3.0 * t2 + 1.0, h * (t3 - 2.0 * t2 + t), -2.0 * t3 + 3.0 * t2, h * (t3 - t2)]
    }
}

/// Interpolates from a to b along the shorter arc, at constant angular speed.
fn slerp(a: DQuat, b: DQuat, t: f64) -> DQuat {
    let (a, b) = (a.normalize(), b.normalize());
    let cosine = a.dot(b);
    let (b, cosine) = if cosine < 0.0 { (-b, -cosine) } else { (b, cosine) };
    let angle = libm::acos(cosine.min(1.0));
    if angle < 1e-6 {
        return (a * (1.0 - t) + b * t).normalize();
    }
    let sine = libm::sin(angle);
    (a * (libm::sin((1.0 - t) * angle) / sine) + b * (libm::sin(t * angle) / sine)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(interpolation: Interpolation, values: Vec<DVec3>) -> Track {
        Track { node: 0, times: vec![0.0, 2.0], values: TrackValues::Translation(values), interpolation }
    }

    fn at(track: &Track, time: f64) -> DVec3 {
        let mut local = LocalTransform::default();
        apply(track, time, &mut local);
        local.matrix().w_axis.truncate()
    }

    #[test]
    fn keys_hold_before_the_first_and_after_the_last() {
        let linear = track(Interpolation::Linear, vec![DVec3::X, DVec3::Y]);
        assert_eq!(at(&linear, -1.0), DVec3::X);
        assert_eq!(at(&linear, 9.0), DVec3::Y);
        assert_eq!(at(&linear, 1.0), DVec3::new(0.5, 0.5, 0.0));
        assert_eq!(at(&track(Interpolation::Step, vec![DVec3::X, DVec3::Y]), 1.9), DVec3::X);
    }

    #[test]
    fn a_cubic_spline_follows_its_tangents() {
        let (p, m, q) = (DVec3::ZERO, DVec3::X, 2.0 * DVec3::X);
        let values = vec![DVec3::ZERO, p, m, m, q, DVec3::ZERO];
        // The spline is the straight chord if its tangents have the chord's slope.
        assert!(at(&track(Interpolation::CubicSpline, values), 0.5).distance(0.5 * DVec3::X) < 1e-12);
    }

    /// Tests two spans that are straight, each with its own slope at both ends, and rotations without
    /// tangents, which are half-way in the middle of the span.
    #[test]
    fn every_span_of_a_cubic_spline_has_its_own_values_and_tangents() {
        let times = vec![0.0, 2.0, 3.0];
        let (x, y, none) = (DVec3::X, DVec3::Y, DVec3::ZERO);
        let moves = TrackValues::Translation(vec![none, none, 0.5 * x, 0.5 * x, x, y, y, x + y, none]);
        let track = |values| Track {
            node: 0,
            times: times.clone(),
            values,
            interpolation: Interpolation::CubicSpline,
        };
        let moving = track(moves);
        for (time, wanted) in [(1.0, 0.5 * x), (2.0, x), (2.25, x + 0.25 * y), (3.0, x + y)] {
            assert!(at(&moving, time).distance(wanted) < 1e-12, "{time} s");
        }
        let still = DQuat::from_array([0.0; 4]);
        let keys = [0.0, 0.6, -0.4].map(DQuat::from_rotation_z);
        let turning = track(TrackValues::Rotation(keys.iter().flat_map(|&q| [still, q, still]).collect()));
        for (time, wanted) in [(0.0, 0.0), (1.0, 0.3), (2.0, 0.6), (2.5, 0.1), (3.0, -0.4)] {
            let mut local = LocalTransform::default();
            apply(&turning, time, &mut local);
            let LocalTransform::Parts { rotation, .. } = local else { panic!("a matrix") };
            assert!(rotation.angle_between(DQuat::from_rotation_z(wanted)) < 1e-7, "{time} s");
        }
    }

    #[test]
    fn slerp_takes_the_shorter_way_at_constant_speed() {
        let b = DQuat::from_rotation_y(1.2);
        for end in [b, -b] {
            let third = slerp(DQuat::IDENTITY, end, 1.0 / 3.0);
            assert!(third.angle_between(DQuat::from_rotation_y(0.4)) < 1e-7);
        }
    }

    #[test]
    fn whatever_way_it_is_turned_an_unscaled_node_has_no_rest() {
        let axis = DVec3::new(0.3, -0.5, 0.8).normalize();
        for turn in 0..100 {
            let rotation = DQuat::from_axis_angle(axis, f64::from(turn));
            for scale in [1.0, 0.25] {
                let matrix =
                    DMat4::from_scale_rotation_translation(DVec3::splat(scale), rotation, DVec3::ONE);
                let (pose, rest) = split(&matrix).unwrap();
                assert_eq!(rest, DMat3::from_diagonal(DVec3::splat(scale)), "turn {turn}");
                assert!(pose.rotation.dot(rotation).abs() > 1.0 - 1e-12);
            }
        }
    }

    #[test]
    fn a_mirror_stays_in_the_rest_and_a_flat_matrix_has_none() {
        let mirror = DMat4::from_scale_rotation_translation(
            DVec3::new(-2.0, 1.0, 3.0),
            DQuat::from_rotation_z(0.3),
            DVec3::ONE,
        );
        let (pose, rest) = split(&mirror).unwrap();
        let p = DVec3::new(0.3, 0.1, -0.7);
        assert!(pose.transform_point(rest * p).distance(mirror.transform_point3(p)) < 1e-12);
        assert!(rest.determinant() < 0.0);
        for (thickness, is_flat) in
            [(0.0, true), (1e-13, true), (-1e-13, true), (1e-11, false), (-1e-11, false)]
        {
            // The threshold for flatness is relative to the other columns.
            let flat = DMat4::from_scale(1e3 * DVec3::new(1.0, thickness, 1.0));
            assert_eq!(split(&flat).is_none(), is_flat, "{thickness}");
        }
    }
}
