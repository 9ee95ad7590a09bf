//! A gearbox housing: an open box with rounded corners, a shaft bore with a raised seat in its floor,
//! and four bosses with blind screw holes inside the corners. The opening faces +z.

use glam::{DVec2, DVec3};

use super::Triangles;
use super::shell::{Facing, Frame, Shell, rounded_rectangle};

/// Dimensions of a gearbox housing, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Housing {
    pub length: f64,
    pub width: f64,
    pub height: f64,
    pub wall: f64,
    pub corner_radius: f64,
    pub bore_radius: f64,
    pub seat_radius: f64,
    /// Height above the inside of the floor.
    pub seat_height: f64,
    pub boss_radius: f64,
    pub boss_height: f64,
    pub screw_radius: f64,
    pub screw_depth: f64,
    pub spacing: f64,
}

impl Housing {
    pub const SMALL: Self = Self {
        length: 0.110,
        width: 0.080,
        height: 0.045,
        wall: 0.005,
        corner_radius: 0.012,
        bore_radius: 0.012,
        seat_radius: 0.018,
        seat_height: 0.010,
        boss_radius: 0.0075,
        boss_height: 0.030,
        screw_radius: 0.0032,
        screw_depth: 0.020,
        spacing: 0.0075,
    };

    pub fn triangles(&self) -> Triangles {
        let mut shell = Shell::new(self.spacing);
        let size = DVec2::new(self.length, self.width);
        let outer = shell.subdivide(&rounded_rectangle(size, self.corner_radius, 5));
        let inner_size = size - DVec2::splat(2.0 * self.wall);
        let inner = shell.subdivide(&rounded_rectangle(inner_size, self.corner_radius - self.wall, 4));
        let bore = shell.circle(DVec2::ZERO, self.bore_radius);
        let seat = shell.circle(DVec2::ZERO, self.seat_radius);
        let reach = inner_size / 2.0 - DVec2::splat(self.boss_radius + 0.4 * self.wall);
        let signs =
            [DVec2::new(1.0, 1.0), DVec2::new(-1.0, 1.0), DVec2::new(-1.0, -1.0), DVec2::new(1.0, -1.0)];
        let bosses = signs.map(|s| shell.circle(s * reach, self.boss_radius));

        let (bottom, floor, rim) = (Frame::up(0.0), Frame::up(self.wall), Frame::up(self.height));
        shell.face(bottom, Facing::Back, &outer, std::slice::from_ref(&bore));
        shell.wall(&bottom.ring(&outer), &rim.ring(&outer));
        shell.face(rim, Facing::Front, &outer, std::slice::from_ref(&inner));
        shell.wall(&rim.ring(&inner), &floor.ring(&inner));

        let seat_top = floor.raised(self.seat_height);
        shell.wall(&floor.ring(&seat), &seat_top.ring(&seat));
        shell.face(seat_top, Facing::Front, &seat, std::slice::from_ref(&bore));
        shell.wall(&seat_top.ring(&bore), &bottom.ring(&bore));

        let boss_top = floor.raised(self.boss_height);
        let screw_bottom = boss_top.raised(-self.screw_depth);
        for (sign, boss) in signs.iter().zip(&bosses) {
            let screw = shell.circle(*sign * reach, self.screw_radius);
            shell.wall(&floor.ring(boss), &boss_top.ring(boss));
            shell.face(boss_top, Facing::Front, boss, std::slice::from_ref(&screw));
            shell.wall(&boss_top.ring(&screw), &screw_bottom.ring(&screw));
            shell.face(screw_bottom, Facing::Front, &screw, &[]);
        }
        let mut holes = bosses.to_vec();
        holes.push(seat);
        shell.face(floor, Facing::Front, &inner, &holes);
        shell.finish(DVec3::new(0.0, 0.0, -self.height / 2.0))
    }
}
