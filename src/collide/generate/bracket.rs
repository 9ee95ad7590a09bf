//! An L-bracket: two plates with bolt holes and a triangular rib between them. The foot lies in the xy
//! plane (normal +z), the upright in the plane x = 0, the bent edge along y.

use glam::{DVec2, DVec3};

use super::Triangles;
use super::shell::{Facing, Frame, Shell};

/// Dimensions of an L-bracket, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bracket {
    /// Length of each plate from the outer corner.
    pub leg: f64,
    /// Length along the bent edge.
    pub width: f64,
    pub thickness: f64,
    pub rib_thickness: f64,
    /// Length of the rib along each plate.
    pub rib_leg: f64,
    pub hole_radius: f64,
    /// Distance between the two holes of a plate.
    pub hole_distance: f64,
    pub spacing: f64,
}

impl Bracket {
    pub const RIBBED: Self = Self {
        leg: 0.070,
        width: 0.060,
        thickness: 0.008,
        rib_thickness: 0.007,
        rib_leg: 0.040,
        hole_radius: 0.0055,
        hole_distance: 0.034,
        spacing: 0.0052,
    };

    pub fn triangles(&self) -> Triangles {
        let mut shell = Shell::new(self.spacing);
        // The frame of each plate: u points away from the bend, v along it.
        let foot = Frame { origin: DVec3::ZERO, u: DVec3::X, v: DVec3::Y };
        let upright = Frame { origin: DVec3::ZERO, u: DVec3::Z, v: DVec3::Y };
        let (leg, half, t) = (self.leg, self.width / 2.0, self.thickness);
        let (rib, rib_end) = (self.rib_thickness / 2.0, self.thickness + self.rib_leg);
        let point = DVec2::new;

        let outside =
            shell.subdivide(&[point(0.0, -half), point(leg, -half), point(leg, half), point(0.0, half)]);
        let inside = shell.subdivide(&[
            point(t, -half),
            point(leg, -half),
            point(leg, half),
            point(t, half),
            point(t, rib),
            point(rib_end, rib),
            point(rib_end, -rib),
            point(t, -rib),
        ]);
        let hole_x = (t + self.leg) / 2.0;
        let holes: Vec<Vec<DVec2>> = [-0.5, 0.5]
            .map(|side| shell.circle(point(hole_x, side * self.hole_distance), self.hole_radius))
            .into();
        // u × v is +z for the foot but −x for the upright, so the two sides of the upright are swapped.
        let faces = [(foot, Facing::Back, Facing::Front, t), (upright, Facing::Front, Facing::Back, -t)];
        for (frame, outer_facing, inner_facing, depth) in faces {
            let inner = frame.raised(depth);
            shell.face(frame, outer_facing, &outside, &holes);
            shell.face(inner, inner_facing, &inside, &holes);
            for hole in &holes {
                let turned: Vec<DVec2> = hole.iter().rev().copied().collect();
                let ring = if depth > 0.0 { hole } else { &turned };
                shell.wall(&inner.ring(ring), &frame.ring(ring));
            }
            let rim = Frame { origin: frame.at(point(leg, 0.0)), u: foot.v, v: inner.origin - frame.origin };
            let rim = Frame { v: rim.v.normalize(), ..rim };
            let edge =
                shell.subdivide(&[point(-half, 0.0), point(half, 0.0), point(half, t), point(-half, t)]);
            shell.face(rim, outer_facing.turned(), &edge, &[]);
        }
        // The L-shaped ends and the sides of the rib lie in planes of constant y.
        let profile = shell.subdivide(&[
            point(0.0, 0.0),
            point(leg, 0.0),
            point(leg, t),
            point(t, t),
            point(t, leg),
            point(0.0, leg),
        ]);
        let triangle = shell.subdivide(&[point(t, t), point(rib_end, t), point(t, rib_end)]);
        for (facing, y, loop_) in [
            (Facing::Front, -half, &profile),
            (Facing::Back, half, &profile),
            (Facing::Front, -rib, &triangle),
            (Facing::Back, rib, &triangle),
        ] {
            let side = Frame { origin: DVec3::new(0.0, y, 0.0), u: DVec3::X, v: DVec3::Z };
            shell.face(side, facing, loop_, &[]);
        }
        let along = DVec3::new(t - rib_end, 0.0, rib_end - t);
        let slope = Frame { origin: DVec3::new(rib_end, 0.0, t), u: DVec3::Y, v: along.normalize() };
        let length = along.length();
        let back =
            shell.subdivide(&[point(-rib, 0.0), point(rib, 0.0), point(rib, length), point(-rib, length)]);
        shell.face(slope, Facing::Front, &back, &[]);
        shell.finish(DVec3::new(-0.3 * leg, 0.0, -0.3 * leg))
    }
}
