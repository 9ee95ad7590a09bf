//! An involute spur gear (pressure angle 20°) about z, with a bore, a keyway and round holes in the
//! web.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};

use super::Triangles;
use super::shell::{Frame, Shell, arc, polar};

/// Standard pressure angle, rad.
const PRESSURE_ANGLE: f64 = 20.0 / 180.0 * PI;

/// Dimensions of a spur gear, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gear {
    /// Module: pitch diameter divided by the number of teeth.
    pub module: f64,
    pub tooth_count: usize,
    pub width: f64,
    pub bore_radius: f64,
    pub keyway_width: f64,
    /// Depth of the keyway beyond the bore.
    pub keyway_depth: f64,
    pub web_hole_count: usize,
    pub web_hole_radius: f64,
    pub spacing: f64,
}

impl Gear {
    pub const SMALL: Self = Self {
        module: 0.003,
        tooth_count: 16,
        width: 0.016,
        bore_radius: 0.008,
        keyway_width: 0.005,
        keyway_depth: 0.0025,
        web_hole_count: 0,
        web_hole_radius: 0.0,
        spacing: 0.0042,
    };
    /// Gear that meshes with [`Gear::SMALL`].
    pub const LARGE: Self = Self {
        tooth_count: 32,
        width: 0.014,
        web_hole_count: 6,
        web_hole_radius: 0.0085,
        spacing: 0.0056,
        ..Self::SMALL
    };

    pub fn pitch_radius(&self) -> f64 {
        self.module * self.tooth_count as f64 / 2.0
    }

    pub fn triangles(&self) -> Triangles {
        let mut shell = Shell::new(self.spacing);
        let outline = shell.subdivide(&self.outline());
        let mut holes = vec![shell.subdivide(&self.bore())];
        let root = self.pitch_radius() - 1.25 * self.module;
        for i in 0..self.web_hole_count {
            let angle = TAU * (i as f64 + 0.5) / self.web_hole_count as f64;
            let center = polar((self.bore_radius + root) / 2.0, angle);
            holes.push(shell.circle(center, self.web_hole_radius));
        }
        shell.extrude(Frame::up(-self.width / 2.0), self.width, &outline, &holes);
        shell.finish(DVec3::ZERO)
    }

    fn outline(&self) -> Vec<DVec2> {
        let pitch = self.pitch_radius();
        let (root, tip) = (pitch - 1.25 * self.module, pitch + self.module);
        let base = pitch * libm::cos(PRESSURE_ANGLE);
        let involute = |angle: f64| libm::tan(angle) - angle;
        // Half the angle of a tooth at a radius, rad; constant (a radial flank) below the base circle.
        let half_angle = |radius: f64| {
            let pressure = libm::acos((base / radius).min(1.0));
            PI / (2.0 * self.tooth_count as f64) + involute(PRESSURE_ANGLE) - involute(pressure)
        };
        const FLANK_PIECES: usize = 4;
        let start = base.max(root);
        let mut radii: Vec<f64> =
            (0..=FLANK_PIECES).map(|k| start + (tip - start) * k as f64 / FLANK_PIECES as f64).collect();
        if start - root > 0.1 * self.module {
            radii.insert(0, root);
        }
        let mut points = Vec::new();
        for tooth in 0..self.tooth_count {
            let center = TAU * tooth as f64 / self.tooth_count as f64;
            points.extend(radii.iter().map(|&r| polar(r, center - half_angle(r))));
            points.push(polar(tip, center));
            points.extend(radii.iter().rev().map(|&r| polar(r, center + half_angle(r))));
            points.push(polar(root, center + PI / self.tooth_count as f64));
        }
        points
    }

    fn bore(&self) -> Vec<DVec2> {
        let half = self.keyway_width / 2.0;
        let edge = libm::asin(half / self.bore_radius);
        let mut points = arc(DVec2::ZERO, self.bore_radius, edge, TAU - edge, 24);
        let depth = self.bore_radius + self.keyway_depth;
        points.extend([DVec2::new(depth, -half), DVec2::new(depth, half)]);
        points
    }
}
