//! Obstacles to walk around and through: pillar, drum, crate and arch. Each stands on the plane z = 0.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};

use super::Triangles;
use super::shell::{Facing, Frame, Shell, arc, polar};

/// Builds a solid of revolution about z. The profile, as (radius, height), runs from the rim of the
/// bottom to the rim of the top. Flat discs close both ends.
fn turned(profile: &[(f64, f64)], pieces: usize, spacing: f64) -> Triangles {
    let mut shell = Shell::new(spacing);
    let circle = |radius: f64| -> Vec<DVec2> {
        (0..pieces).map(|i| polar(radius, TAU * i as f64 / pieces as f64)).collect()
    };
    let (bottom, top) = (profile[0], profile[profile.len() - 1]);
    shell.face(Frame::up(bottom.1), Facing::Back, &circle(bottom.0), &[]);
    for pair in profile.windows(2) {
        let [low, high] = [pair[0], pair[1]].map(|(radius, z)| Frame::up(z).ring(&circle(radius)));
        shell.wall(&low, &high);
    }
    shell.face(Frame::up(top.1), Facing::Front, &circle(top.0), &[]);
    shell.finish(DVec3::ZERO)
}

/// Dimensions of a lathe-turned pillar with base and capital, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pillar {
    pub height: f64,
    pub radius: f64,
    pub pieces: usize,
    pub spacing: f64,
}

impl Pillar {
    pub const WAIST_HIGH: Self = Self { height: 1.1, radius: 0.10, pieces: 32, spacing: 0.055 };

    pub fn triangles(&self) -> Triangles {
        let (r, h) = (self.radius, self.height);
        let mut profile = vec![(1.55 * r, 0.0), (1.55 * r, 0.05 * h), (1.35 * r, 0.055 * h)];
        profile.extend((0..=4).map(|k| {
            let angle = PI * (f64::from(k) / 4.0 - 0.5);
            (1.22 * r + 0.16 * r * libm::cos(angle), 0.075 * h + 0.02 * h * libm::sin(angle))
        }));
        profile.extend([(r, 0.12 * h), (0.97 * r, 0.5 * h), (0.86 * r, 0.88 * h)]);
        profile.extend([(1.05 * r, 0.92 * h), (1.3 * r, 0.955 * h), (1.45 * r, 0.96 * h), (1.45 * r, h)]);
        turned(&profile, self.pieces, self.spacing)
    }
}

/// Dimensions of an oil drum with two rolling hoops, raised rims and a recessed lid, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drum {
    pub radius: f64,
    pub height: f64,
    pub pieces: usize,
    pub spacing: f64,
}

impl Drum {
    pub const BARREL: Self = Self { radius: 0.29, height: 0.88, pieces: 40, spacing: 0.075 };

    pub fn triangles(&self) -> Triangles {
        let (r, h) = (self.radius, self.height);
        let (lip, recess) = (0.015, 0.02);
        let mut profile =
            vec![(r - 2.0 * lip, recess), (r - lip, 0.0), (r, 0.0), (r, lip), (r - lip, 2.0 * lip)];
        for hoop in [h / 3.0, 2.0 * h / 3.0] {
            profile.extend((0..=4).map(|k| {
                let angle = PI * (f64::from(k) / 4.0 - 0.5);
                (r - lip + 1.2 * lip * libm::cos(angle), hoop + 1.4 * lip * libm::sin(angle))
            }));
        }
        profile.extend([
            (r - lip, h - 2.0 * lip),
            (r, h - lip),
            (r, h),
            (r - lip, h),
            (r - 2.0 * lip, h - recess),
        ]);
        turned(&profile, self.pieces, self.spacing)
    }
}

/// Dimensions of a wooden crate, m: a cube with a recessed panel in each side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crate {
    pub edge: f64,
    pub frame: f64,
    pub recess: f64,
    pub spacing: f64,
}

impl Crate {
    pub const KNEE_HIGH: Self = Self { edge: 0.55, frame: 0.07, recess: 0.025, spacing: 0.07 };

    pub fn triangles(&self) -> Triangles {
        let mut shell = Shell::new(self.spacing);
        let half = self.edge / 2.0;
        let square = |h: f64| [DVec2::new(-h, -h), DVec2::new(h, -h), DVec2::new(h, h), DVec2::new(-h, h)];
        let outline = shell.subdivide(&square(half));
        let panel = shell.subdivide(&square(half - self.frame));
        for axis in 0..3 {
            for sign in [1.0, -1.0] {
                let axes = [DVec3::X, DVec3::Y, DVec3::Z];
                let (u, v) = (axes[(axis + 1) % 3] * sign, axes[(axis + 2) % 3]);
                let side = Frame { origin: axes[axis] * sign * half, u, v };
                shell.face(side, Facing::Front, &outline, std::slice::from_ref(&panel));
                let inside = side.raised(-self.recess);
                shell.wall(&side.ring(&panel), &inside.ring(&panel));
                shell.face(inside, Facing::Front, &panel, &[]);
            }
        }
        shell.finish(DVec3::new(0.0, 0.0, half))
    }
}

/// Dimensions of a wall with a round-headed passage along y, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arch {
    pub width: f64,
    pub height: f64,
    pub depth: f64,
    pub opening_width: f64,
    /// Height to the top of the round head.
    pub opening_height: f64,
    pub spacing: f64,
}

impl Arch {
    /// High and wide enough for a person of 1.7 m.
    pub const DOORWAY: Self = Self {
        width: 1.5,
        height: 2.3,
        depth: 0.25,
        opening_width: 0.96,
        opening_height: 2.02,
        spacing: 0.11,
    };

    pub fn triangles(&self) -> Triangles {
        let mut shell = Shell::new(self.spacing);
        let (w, r) = (self.width / 2.0, self.opening_width / 2.0);
        let mut corners = vec![DVec2::new(r, 0.0), DVec2::new(w, 0.0), DVec2::new(w, self.height)];
        corners.extend([DVec2::new(-w, self.height), DVec2::new(-w, 0.0), DVec2::new(-r, 0.0)]);
        let head = DVec2::new(0.0, self.opening_height - r);
        corners.extend(arc(head, r, PI, 0.0, 20));
        let outline = shell.subdivide(&corners);
        let front = Frame { origin: DVec3::new(0.0, self.depth / 2.0, 0.0), u: DVec3::X, v: DVec3::Z };
        shell.extrude(front, self.depth, &outline, &[]);
        shell.finish(DVec3::ZERO)
    }
}
