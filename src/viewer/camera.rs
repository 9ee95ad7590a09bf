//! The camera, which looks at a target from a distance, orbits, pans and zooms.
//!
//! Bounds and mouse movements (px) → eye, view and projection, and the ray through a pixel. Coordinates
//! are in world space, in m and `f64`, with y up. The projection is reversed and infinite: depth is 1
//! at the near plane and 0 at infinity. This keeps depth precise even for a screw on a bridge.

use glam::{DMat4, DQuat, DVec2, DVec3};

use crate::scene::CameraDef;

/// Largest pitch, rad. It is just short of the pole.
const PITCH_LIMIT: f64 = 1.55;
/// Rotation per dragged pixel, rad. A drag of 600 px is half a turn.
const TURN_PER_PIXEL: f64 = std::f64::consts::PI / 600.0;
/// Vertical field of view, rad, unless the scene specifies one.
const FIELD_OF_VIEW: f64 = 0.7;
/// Largest share of the picture's width or height that the framed contents fill.
const FILLED: f64 = 0.92;
/// Distance of the near plane, relative to the distance of the target.
const NEAR: f64 = 0.005;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Point that the camera looks at and orbits, world, m.
    pub target: DVec3,
    /// Rotation about the up axis, rad; 0 looks along −z.
    pub yaw: f64,
    /// Elevation above the horizon, rad.
    pub pitch: f64,
    /// Distance from eye to target, m.
    pub distance: f64,
    /// Vertical field of view, rad.
    pub vertical_fov: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self { target: DVec3::ZERO, yaw: 0.6, pitch: 0.4, distance: 3.0, vertical_fov: FIELD_OF_VIEW }
    }
}

impl From<&CameraDef> for Camera {
    fn from(def: &CameraDef) -> Self {
        let back = def.eye - def.target;
        let distance = back.length();
        if distance < 1e-9 || !distance.is_finite() {
            return Self { target: def.target, ..Self::default() };
        }
        Self {
            target: def.target,
            yaw: back.x.atan2(back.z),
            pitch: (back.y / distance).asin().clamp(-PITCH_LIMIT, PITCH_LIMIT),
            distance,
            vertical_fov: def.vertical_fov.to_radians().clamp(0.05, 2.6),
        }
    }
}

impl Camera {
    /// Returns the rotation from camera axes (x right, y up, z back) to world axes.
    fn rotation(&self) -> DQuat {
        DQuat::from_rotation_y(self.yaw) * DQuat::from_rotation_x(-self.pitch)
    }

    /// Returns the position of the eye, world, m.
    pub fn eye(&self) -> DVec3 {
        self.target + self.rotation() * (self.distance * DVec3::Z)
    }

    /// Returns the direction of view, world, unit.
    pub fn forward(&self) -> DVec3 {
        self.rotation() * DVec3::NEG_Z
    }

    /// Returns the transform from world axes, relative to the eye, to clip space. Because positions are
    /// relative to the eye, `f32` is precise at every distance from the origin.
    pub fn relative_view_projection(&self, aspect: f64) -> DMat4 {
        let projection = glam::camera::rh::proj::directx::perspective_infinite_reverse(
            self.vertical_fov as f32,
            aspect as f32,
            (NEAR * self.distance) as f32,
        );
        projection.as_dmat4() * DMat4::from_quat(self.rotation().conjugate())
    }

    /// Returns the direction through a point of the picture (−1 to 1, x right and y up), as a unit
    /// vector in world space.
    pub fn direction(&self, point: DVec2, aspect: f64) -> DVec3 {
        let half = (0.5 * self.vertical_fov).tan();
        self.rotation() * DVec3::new(point.x * half * aspect, point.y * half, -1.0).normalize()
    }

    /// Projects a world point into the picture (−1 to 1, x right and y up). Returns `None` for a point
    /// behind the eye.
    pub fn project(&self, point: DVec3, aspect: f64) -> Option<DVec2> {
        let p = self.relative_view_projection(aspect) * (point - self.eye()).extend(1.0);
        (p.w > 0.0).then(|| DVec2::new(p.x, p.y) / p.w)
    }

    /// Moves the camera, without rotation, so that the points just fill the picture.
    pub fn frame(&mut self, points: impl Iterator<Item = DVec3>, aspect: f64) {
        let tan_y = FILLED * (0.5 * self.vertical_fov).tan();
        let tan_x = tan_y * aspect.max(1e-3);
        let turn = self.rotation();
        // Let p be a point and e the eye, in the camera's axes. The picture shows p if |p.x − e.x| ≤
        // tan_x (e.z − p.z), and likewise for y. So the extreme values of p.x + tan_x p.z and tan_x p.z
        // − p.x, and likewise for y, bound the position of the eye.
        let mut sides = [f64::NEG_INFINITY; 4];
        let (mut nearest, mut farthest) = (f64::NEG_INFINITY, f64::INFINITY);
        for point in points {
            let p = turn.conjugate() * point;
            let of = [p.x + tan_x * p.z, tan_x * p.z - p.x, p.y + tan_y * p.z, tan_y * p.z - p.y];
            sides = std::array::from_fn(|k| sides[k].max(of[k]));
            (nearest, farthest) = (nearest.max(p.z), farthest.min(p.z));
        }
        let [right, left, top, bottom] = sides;
        let far = (0.5 * (right + left) / tan_x).max(0.5 * (top + bottom) / tan_y);
        let middle = 0.5 * (nearest + farthest);
        let eye = DVec3::new(0.5 * (right - left), 0.5 * (top - bottom), far.max(nearest));
        let distance = (eye.z - middle).max(1e-6);
        if eye.is_finite() && distance.is_finite() {
            self.distance = distance;
            self.target = turn * (eye.with_z(eye.z - distance));
        }
    }

    /// Rotates the camera so that it sees a box from its longer side, at an angle that shows the box's
    /// depth.
    pub fn face(&mut self, size: DVec3) {
        let ratio = size.x.max(size.z) / size.x.min(size.z).max(1e-9);
        let lean = (1.2 / ratio.max(2.0)).max(0.15);
        self.yaw = if size.x >= size.z { lean } else { std::f64::consts::FRAC_PI_2 - lean };
    }

    /// Orbits the target by a mouse movement (px).
    pub fn orbit(&mut self, by: DVec2) {
        self.yaw -= by.x * TURN_PER_PIXEL;
        self.pitch = (self.pitch + by.y * TURN_PER_PIXEL).clamp(-PITCH_LIMIT, PITCH_LIMIT);
    }

    /// Returns the world meters per pixel at the target, in a picture of `height` pixels.
    pub fn metres_per_pixel(&self, height: f64) -> f64 {
        2.0 * self.distance * (0.5 * self.vertical_fov).tan() / height.max(1.0)
    }

    /// Pans across the picture, so that the target's plane follows the mouse (px).
    pub fn pan(&mut self, by: DVec2, height: f64) {
        let step = self.metres_per_pixel(height);
        self.target += self.rotation() * DVec3::new(-by.x * step, by.y * step, 0.0);
    }

    /// Pans along the ground.
    pub fn pan_level(&mut self, by: DVec2, height: f64) {
        let step = self.metres_per_pixel(height);
        self.target += DQuat::from_rotation_y(self.yaw) * DVec3::new(-by.x * step, 0.0, -by.y * step);
    }

    /// Zooms in (`amount` > 0: one notch of a wheel is 1) or out.
    pub fn zoom(&mut self, amount: f64) {
        self.distance = (self.distance * (-0.12 * amount).exp()).clamp(1e-5, 1e7);
    }

    /// Flies right, up and forward, in units of the distance to the target.
    pub fn fly(&mut self, by: DVec3) {
        self.target += self.rotation() * (self.distance * DVec3::new(by.x, by.y, -by.z));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_framed_box_is_inside_the_picture_and_fills_it() {
        for (yaw, pitch) in [(0.0, 0.0), (0.6, 0.4), (-2.0, 1.5), (3.0, -0.7)] {
            for aspect in [0.4, 1.0, 1.78] {
                for size in [DVec3::ONE, DVec3::new(100.0, 0.1, 3.0), 1e-3 * DVec3::new(1.0, 9.0, 2.0)] {
                    let mut camera = Camera { yaw, pitch, ..Camera::default() };
                    let center = DVec3::new(3e5, -2.0, 7.0);
                    let corners: Vec<DVec3> = (0..8u32)
                        .map(|corner| {
                            let sign = |bit: u32| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
                            center + size * DVec3::new(sign(0), sign(1), sign(2))
                        })
                        .collect();
                    camera.frame(corners.iter().copied(), aspect);
                    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
                    for &corner in &corners {
                        let seen = camera.project(corner, aspect).unwrap();
                        (low, high) = (low.min(seen), high.max(seen));
                    }
                    let filled = |k: usize| (high[k] - FILLED).abs() < 1e-4 && (low[k] + FILLED).abs() < 1e-4;
                    assert!(filled(0) || filled(1), "{yaw} {pitch} {aspect} {size}: {low} to {high}");
                    assert!(high.max(-low).max_element() < FILLED + 1e-4, "{low} to {high}");
                }
            }
        }
    }

    #[test]
    fn a_direction_through_a_pixel_meets_what_is_drawn_there() {
        let camera = Camera { target: DVec3::new(1.0, 2.0, 3.0), yaw: 2.1, ..Camera::default() };
        for point in [DVec2::ZERO, DVec2::new(0.7, -0.3), DVec2::new(-1.0, 1.0)] {
            let far = camera.eye() + 12.0 * camera.direction(point, 1.6);
            assert!(camera.project(far, 1.6).unwrap().distance(point) < 1e-5);
        }
        assert_eq!(camera.project(camera.eye() - camera.forward(), 1.6), None);
    }

    #[test]
    fn a_scene_s_camera_stands_where_the_scene_says() {
        let def = CameraDef { eye: DVec3::new(3.0, 2.0, -1.0), target: DVec3::Y, vertical_fov: 40.0 };
        let camera = Camera::from(&def);
        assert!(camera.eye().distance(def.eye) < 1e-12);
        assert!(camera.forward().distance((def.target - def.eye).normalize()) < 1e-12);
        let still = CameraDef { eye: DVec3::Y, ..def };
        assert!(Camera::from(&still).eye().is_finite());
    }

    #[test]
    fn a_long_row_is_seen_from_its_side() {
        let mut camera = Camera::default();
        for (size, across) in [(DVec3::new(30.0, 1.0, 1.0), DVec3::X), (DVec3::new(1.0, 1.0, 30.0), DVec3::Z)]
        {
            camera.face(size);
            assert!(camera.forward().dot(across).abs() < 0.2, "{size}");
        }
    }

    #[test]
    fn panning_moves_the_target_with_the_mouse() {
        let mut camera = Camera::default();
        let (before, height) = (camera.target, 720.0);
        camera.pan(DVec2::new(100.0, 50.0), height);
        let seen = camera.project(before, 1.0).unwrap();
        assert!(seen.distance(DVec2::new(200.0 / height, -100.0 / height)) < 1e-5, "{seen}");
    }
}
