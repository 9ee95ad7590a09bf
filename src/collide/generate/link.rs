//! Chain: an oval link, the weight at its lower end and the anchor at its upper end. Round bars are
//! swept along a path in the xz plane; z is the direction of pull.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};

use super::Triangles;
use super::shell::{Facing, Frame, Shell, polar};

/// Returns the rings of a round bar, `across` points each, along a path of (x, z) points. `radius(t)`
/// is the bar's radius, m; t runs from 0 at the first point to 1 at the last.
fn bar_rings(path: &[DVec2], closed: bool, across: usize, radius: impl Fn(f64) -> f64) -> Vec<Vec<DVec3>> {
    let count = path.len();
    (0..count)
        .map(|i| {
            let (before, after) = if closed {
                (path[(i + count - 1) % count], path[(i + 1) % count])
            } else {
                (path[i.saturating_sub(1)], path[(i + 1).min(count - 1)])
            };
            let along = (after - before).normalize();
            let side = DVec3::new(along.y, 0.0, -along.x);
            let center = DVec3::new(path[i].x, 0.0, path[i].y);
            let size = radius(i as f64 / (count - 1) as f64);
            (0..across)
                .map(|k| {
                    let p = polar(size, TAU * k as f64 / across as f64);
                    center + side * p.x + DVec3::Y * p.y
                })
                .collect()
        })
        .collect()
}

/// Returns a path of two straight sides joined by half circles, counter-clockwise.
fn stadium(half_straight: f64, bend: f64, straight_pieces: usize, bend_pieces: usize) -> Vec<DVec2> {
    let mut path = Vec::new();
    for (sign, start) in [(1.0, 0.0), (-1.0, PI)] {
        let center = DVec2::new(0.0, sign * half_straight);
        path.extend(
            (0..bend_pieces).map(|k| center + polar(bend, start + PI * k as f64 / bend_pieces as f64)),
        );
        let (from, to) = (center - DVec2::X * sign * bend, -center - DVec2::X * sign * bend);
        path.extend((0..straight_pieces).map(|k| from.lerp(to, k as f64 / straight_pieces as f64)));
    }
    path
}

/// Dimensions of an oval link in the xz plane, long along z, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Radius of the bar.
    pub bar_radius: f64,
    /// Inner length from end to end: the distance by which links repeat in a taut chain.
    pub pitch: f64,
    /// Inner width.
    pub inner_width: f64,
    pub bend_pieces: usize,
    pub straight_pieces: usize,
    pub bar_pieces: usize,
}

impl Link {
    pub const CHAIN: Self = Self {
        bar_radius: 0.006,
        pitch: 0.036,
        inner_width: 0.017,
        bend_pieces: 18,
        straight_pieces: 6,
        bar_pieces: 16,
    };

    pub fn triangles(&self) -> Triangles {
        let mut shell = Shell::new(self.bar_radius);
        let bend = self.inner_width / 2.0 + self.bar_radius;
        let half_straight = (self.pitch - self.inner_width) / 2.0;
        let path = stadium(half_straight, bend, self.straight_pieces, self.bend_pieces);
        let mut rings = bar_rings(&path, true, self.bar_pieces, |_| self.bar_radius);
        rings.push(rings[0].clone());
        shell.tube(&rings);
        shell.finish(DVec3::ZERO)
    }
}

/// Dimensions of a weight, m: a closed eye at +z on a solid of revolution that narrows upward. The
/// origin is the point at which the eye takes the load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    pub bar_radius: f64,
    /// Radius of the eye, to the middle of the bar.
    pub eye_radius: f64,
    pub weight_radius: f64,
    pub weight_height: f64,
    pub pieces: usize,
}

impl Weight {
    pub const LIFTING: Self =
        Self { bar_radius: 0.007, eye_radius: 0.017, weight_radius: 0.045, weight_height: 0.085, pieces: 40 };

    /// Builds the mesh: an arch-shaped eye with two feet on the flat top of the weight.
    pub fn triangles(&self) -> Triangles {
        let across = 16;
        let mut shell = Shell::new(0.008);
        let (w, h) = (self.weight_radius, self.weight_height);
        let foot = 0.022;
        let mut path: Vec<DVec2> =
            vec![DVec2::new(self.eye_radius, -foot), DVec2::new(self.eye_radius, -foot / 2.0)];
        path.extend((0..=16).map(|k| polar(self.eye_radius, PI * f64::from(k) / 16.0)));
        path.extend([DVec2::new(-self.eye_radius, -foot / 2.0), DVec2::new(-self.eye_radius, -foot)]);
        let rings = bar_rings(&path, false, across, |_| self.bar_radius);
        shell.tube(&rings);
        let feet: Vec<Vec<DVec2>> = [&rings[0], &rings[rings.len() - 1]]
            .map(|ring| ring.iter().map(|p| DVec2::new(p.x, p.y)).collect())
            .into();
        let shoulder = 0.72 * w;
        let profile = [
            (shoulder, 0.0),
            (0.80 * w, -0.004),
            (0.93 * w, -0.22 * h),
            (w, -0.45 * h),
            (w, -0.70 * h),
            (w, -h + 0.006),
            (w - 0.006, -h),
        ];
        let circle = |radius: f64| -> Vec<DVec2> {
            (0..self.pieces).map(|i| polar(radius, TAU * i as f64 / self.pieces as f64)).collect()
        };
        let top = Frame::up(-foot);
        shell.face(top, Facing::Front, &circle(shoulder), &feet);
        for pair in profile.windows(2).rev() {
            let (upper, lower) = (pair[0], pair[1]);
            shell.wall(
                &top.raised(lower.1).ring(&circle(lower.0)),
                &top.raised(upper.1).ring(&circle(upper.0)),
            );
        }
        shell.face(top.raised(-h), Facing::Back, &circle(w - 0.006), &[]);
        shell.finish(DVec3::new(0.0, 0.0, -(self.eye_radius - self.bar_radius)))
    }
}

/// Dimensions of a ceiling plate with an eye below it, m. The origin is the point at which the eye
/// takes the load. The plate is above the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    pub bar_radius: f64,
    pub eye_radius: f64,
    pub plate: DVec2,
    pub plate_thickness: f64,
    pub hole_radius: f64,
}

impl Anchor {
    pub const CEILING: Self = Self {
        bar_radius: 0.007,
        eye_radius: 0.017,
        plate: DVec2::new(0.12, 0.08),
        plate_thickness: 0.010,
        hole_radius: 0.005,
    };

    pub fn triangles(&self) -> Triangles {
        let mut shell = Shell::new(0.009);
        let foot = 0.020;
        let mut path: Vec<DVec2> =
            vec![DVec2::new(-self.eye_radius, foot), DVec2::new(-self.eye_radius, foot / 2.0)];
        path.extend((0..=16).map(|k| polar(self.eye_radius, PI + PI * f64::from(k) / 16.0)));
        path.extend([DVec2::new(self.eye_radius, foot / 2.0), DVec2::new(self.eye_radius, foot)]);
        let rings = bar_rings(&path, false, 16, |_| self.bar_radius);
        shell.tube(&rings);
        let feet = [&rings[0], &rings[rings.len() - 1]]
            .map(|ring| ring.iter().map(|p| DVec2::new(p.x, p.y)).collect::<Vec<_>>());
        let half = self.plate / 2.0;
        let outline =
            shell.subdivide(&[-half, DVec2::new(half.x, -half.y), half, DVec2::new(-half.x, half.y)]);
        let inset = half - DVec2::splat(0.015);
        let screws = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
            .map(|(x, y)| shell.circle(inset * DVec2::new(x, y), self.hole_radius));
        let low = Frame::up(foot);
        let high = low.raised(self.plate_thickness);
        shell.face(low, Facing::Back, &outline, &[screws.as_slice(), &feet].concat());
        shell.face(high, Facing::Front, &outline, &screws);
        shell.wall(&low.ring(&outline), &high.ring(&outline));
        for screw in &screws {
            shell.wall(&high.ring(screw), &low.ring(screw));
        }
        shell.finish(DVec3::new(0.0, 0.0, self.eye_radius - self.bar_radius))
    }
}
