//! An open tray with rounded corners: floor and four walls of real thickness. The floor is on the plane
//! z = 0.

use glam::{DVec2, DVec3};

use super::Triangles;
use super::shell::{Facing, Frame, Shell, rounded_rectangle};

/// Outer dimensions of a tray, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tray {
    pub length: f64,
    pub width: f64,
    pub height: f64,
    pub wall: f64,
    pub floor: f64,
    pub corner_radius: f64,
    pub spacing: f64,
}

impl Tray {
    /// Tray for a heap of about fifty of the small parts.
    pub const WORKSHOP: Self = Self {
        length: 0.62,
        width: 0.46,
        height: 0.14,
        wall: 0.012,
        floor: 0.012,
        corner_radius: 0.03,
        spacing: 0.034,
    };

    pub fn triangles(&self) -> Triangles {
        let mut shell = Shell::new(self.spacing);
        let size = DVec2::new(self.length, self.width);
        let outer = shell.subdivide(&rounded_rectangle(size, self.corner_radius, 5));
        let inner_size = size - DVec2::splat(2.0 * self.wall);
        let inner = shell.subdivide(&rounded_rectangle(inner_size, self.corner_radius - self.wall, 5));
        let (bottom, floor, rim) = (Frame::up(0.0), Frame::up(self.floor), Frame::up(self.height));
        shell.face(bottom, Facing::Back, &outer, &[]);
        shell.wall(&bottom.ring(&outer), &rim.ring(&outer));
        shell.face(rim, Facing::Front, &outer, std::slice::from_ref(&inner));
        shell.wall(&rim.ring(&inner), &floor.ring(&inner));
        shell.face(floor, Facing::Front, &inner, &[]);
        shell.finish(DVec3::ZERO)
    }
}
