//! A pipe, straight or bent, with a bolted flange at each end. It starts along +z and bends towards +x.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DVec2, DVec3};

use super::Triangles;
use super::shell::{Facing, Frame, Shell, polar};

/// Dimensions of a pipe, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pipe {
    pub inner_radius: f64,
    pub outer_radius: f64,
    pub flange_radius: f64,
    pub flange_thickness: f64,
    pub bolt_count: usize,
    pub bolt_radius: f64,
    /// Straight length at each end, including the flange.
    pub straight: f64,
    pub bend_radius: f64,
    /// Bend angle, rad; 0 for a straight pipe.
    pub bend_angle: f64,
    pub spacing: f64,
}

impl Pipe {
    pub const ELBOW: Self = Self {
        inner_radius: 0.012,
        outer_radius: 0.0165,
        flange_radius: 0.030,
        flange_thickness: 0.006,
        bolt_count: 4,
        bolt_radius: 0.0033,
        straight: 0.014,
        bend_radius: 0.034,
        bend_angle: FRAC_PI_2,
        spacing: 0.0052,
    };
    pub const STRAIGHT: Self = Self { straight: 0.045, bend_radius: 0.0, bend_angle: 0.0, ..Self::ELBOW };

    /// Returns the plane of the cross-section at `distance` along the center line, normal to the line.
    fn section(&self, distance: f64) -> Frame {
        let angle = if self.bend_radius > 0.0 {
            ((distance - self.straight) / self.bend_radius).clamp(0.0, self.bend_angle)
        } else {
            0.0
        };
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let along = DVec3::new(sin, 0.0, cos);
        let rest = distance - self.bend_radius * angle;
        let before = rest.min(self.straight);
        let bent = DVec3::new(1.0 - cos, 0.0, sin) * self.bend_radius;
        let origin = DVec3::Z * before + bent + along * (rest - before);
        Frame { origin, u: DVec3::new(cos, 0.0, -sin), v: DVec3::Y }
    }

    pub fn triangles(&self) -> Triangles {
        let mut shell = Shell::new(self.spacing);
        let length = 2.0 * self.straight + self.bend_radius * self.bend_angle;
        let outer = shell.circle(DVec2::ZERO, self.outer_radius);
        let inner = shell.circle(DVec2::ZERO, self.inner_radius);
        let rim = shell.circle(DVec2::ZERO, self.flange_radius);
        let bolt_circle = (self.outer_radius + self.flange_radius) / 2.0;
        let bolts: Vec<Vec<DVec2>> = (0..self.bolt_count)
            .map(|i| {
                let angle = TAU * (i as f64 + 0.5) / self.bolt_count as f64;
                shell.circle(polar(bolt_circle, angle), self.bolt_radius)
            })
            .collect();

        let sections = |from: f64, to: f64| -> Vec<Frame> {
            let count = ((to - from) / self.spacing).ceil().max(1.0) as usize;
            (0..=count).map(|k| self.section(from + (to - from) * k as f64 / count as f64)).collect()
        };
        let body = sections(self.flange_thickness, length - self.flange_thickness);
        shell.tube(&body.iter().map(|s| s.ring(&outer)).collect::<Vec<_>>());
        let bore = sections(0.0, length);
        shell.tube(&bore.iter().rev().map(|s| s.ring(&inner)).collect::<Vec<_>>());

        for (low, high, open_end) in [
            (self.section(0.0), self.section(self.flange_thickness), Facing::Back),
            (self.section(length - self.flange_thickness), self.section(length), Facing::Front),
        ] {
            let (low_hole, high_hole) =
                if open_end == Facing::Back { (&inner, &outer) } else { (&outer, &inner) };
            let with = |hole: &Vec<DVec2>| [bolts.as_slice(), std::slice::from_ref(hole)].concat();
            shell.face(low, Facing::Back, &rim, &with(low_hole));
            shell.face(high, Facing::Front, &rim, &with(high_hole));
            shell.wall(&low.ring(&rim), &high.ring(&rim));
            for bolt in &bolts {
                shell.wall(&high.ring(bolt), &low.ring(bolt));
            }
        }
        shell.finish(
            -(self.section(length / 2.0).origin + self.section(0.0).origin + self.section(length).origin)
                / 3.0,
        )
    }
}
