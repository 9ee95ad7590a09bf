//! A tower mill 12 m high: brick base, tapering tower, turning cap with a tail pole, four lattice
//! sails.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DVec2, DVec3, dvec2, dvec3};

use super::assembly::Assembly;
use super::section::{Station, square};
use crate::arrays::MapEach;
use crate::generate::Triangles;
use crate::generate::shell::polar;

/// Distance from the center of the hub to the tip of a sail, m.
const SAIL_LENGTH: f64 = 4.7;
/// Angle by which the wind shaft rises to the front, rad.
const SHAFT_TILT: f64 = 0.16;
/// Angle by which the first sail is rotated from the horizontal, rad.
const SAIL_TURN: f64 = 0.44;
/// Pitch of a sail about its stock, at the hub and at the tip, rad.
const SAIL_PITCH: [f64; 2] = [0.45, 0.2];

pub(super) fn windmill() -> Triangles {
    let mut mill = Assembly::default();
    let base = [(0.0, 0.0), (1.2, 0.0), (2.45, 0.0), (2.4, 0.6), (2.3, 1.2), (2.3, 1.35), (0.0, 1.35)];
    mill.turned(DVec3::ZERO, DVec3::Z, &base, 16);
    let radius = |t: f64| 1.25 + 0.8 * (1.0 - t) * (1.0 - 0.2 * t);
    let tower: Vec<(f64, f64)> =
        (0..=9).map(|k| f64::from(k) / 9.0).map(|t| (radius(t), 1.2 + 5.7 * t)).collect();
    mill.turned(DVec3::ZERO, DVec3::Z, &tower, 16);
    let cap = [
        (0.0, 6.8),
        (1.5, 6.8),
        (1.55, 6.95),
        (1.48, 7.35),
        (1.25, 7.85),
        (0.85, 8.3),
        (0.4, 8.52),
        (0.0, 8.6),
    ];
    mill.turned(DVec3::ZERO, DVec3::Z, &cap, 16);
    mill.block(dvec3(2.1, 0.0, 1.0), dvec3(0.7, 0.9, 1.95), 0.7);
    // Windows, each on one of the sixteen faces of the tower.
    for (face, t) in [(1.5, 0.3), (5.5, 0.55), (9.5, 0.35), (13.5, 0.6)] {
        let out = polar(0.98 * radius(t), face * TAU / 16.0).extend(0.0);
        let side = DVec3::Z.cross(out.normalize_or_zero());
        let at = out + DVec3::Z * (1.2 + 5.7 * t);
        mill.beam([at - side * 0.27, at + side * 0.27], dvec2(0.13, 0.4), DVec3::Z, 0.3);
    }
    tail(&mut mill);
    sails(&mut mill);
    mill.finish()
}

/// Adds the pole that turns the cap into the wind, with its braces and its winch.
fn tail(mill: &mut Assembly) {
    let foot = dvec3(-4.2, 0.0, 0.62);
    mill.beam([dvec3(-1.0, 0.0, 7.0), foot], dvec2(0.12, 0.14), DVec3::Z, 0.5);
    mill.both_sides(|side| {
        side.beam([dvec3(-0.2, 1.3, 7.05), dvec3(-3.75, 0.1, 1.5)], dvec2(0.07, 0.08), DVec3::Z, 0.5);
        side.beam([dvec3(-3.7, 0.05, 1.4), dvec3(-3.5, 0.8, 0.0)], dvec2(0.06, 0.06), DVec3::X, 0.4);
    });
    mill.beam([dvec3(0.1, -1.6, 7.1), dvec3(0.1, 1.6, 7.1)], dvec2(0.1, 0.12), DVec3::Z, 0.5);
    mill.rod([foot + DVec3::Y * -0.45, foot + DVec3::Y * 0.45], [0.16, 0.16], 12, 0.3);
    for k in 0..2 {
        let hub = foot + DVec3::Y * (0.38 - 0.04 * f64::from(k));
        let spoke = polar(0.5, 0.3 + FRAC_PI_2 * f64::from(k));
        let spoke = dvec3(spoke.x, 0.0, spoke.y);
        mill.rod([hub - spoke, hub + spoke], [0.03, 0.03], 6, 0.3);
    }
}

fn sails(mill: &mut Assembly) {
    let along = polar(1.0, SHAFT_TILT);
    let axis = dvec3(along.x, 0.0, along.y);
    let hub = dvec3(2.35, 0.0, 7.75);
    let shaft =
        [(0.0, -2.2), (0.22, -2.2), (0.24, -1.2), (0.24, -0.4), (0.4, -0.32), (0.42, 0.0), (0.4, 0.3)];
    let nose = [(0.28, 0.42), (0.18, 0.6), (0.0, 0.66)];
    mill.turned(hub, axis, &[shaft.as_slice(), &nose].concat(), 20);
    let across = axis.cross(DVec3::Y);
    for k in 0..4 {
        let turn = polar(1.0, SAIL_TURN + FRAC_PI_2 * f64::from(k));
        // The two stocks cross in the hub, one behind the other.
        let center = hub + axis * (0.15 - 0.3 * f64::from(k % 2));
        sail(mill, center, axis, DVec3::Y * turn.x + across * turn.y);
    }
}

/// Adds a stock, three laths along it, and bars across; the frame twists about the stock towards the
/// tip.
fn sail(mill: &mut Assembly, center: DVec3, axis: DVec3, out: DVec3) {
    let side = |t: f64| {
        let pitch = polar(1.0, SAIL_PITCH[0] + (SAIL_PITCH[1] - SAIL_PITCH[0]) * t);
        axis.cross(out) * pitch.x + axis * pitch.y
    };
    let at = |t: f64, across: f64| center + out * (SAIL_LENGTH * t) + side(t) * across;
    let stock = [(0.03, 0.13), (1.0, 0.06)]
        .map_each(|(t, half)| Station { at: at(t, 0.0), half: DVec2::splat(half) });
    mill.bar(&square(1), stock, axis, 0.5);
    for (across, half) in [(-0.26, 0.04), (0.5, 0.03), (0.98, 0.04)] {
        let lath: Vec<Station> = (0..=7)
            .map(|k| 0.2 + 0.785 * f64::from(k) / 7.0)
            .map(|t| Station { at: at(t, across) + axis * 0.02, half: dvec2(half, 0.025) })
            .collect();
        mill.sweep(&square(1), &lath, axis);
    }
    for k in 0..10 {
        let t = 0.21 + 0.77 * f64::from(k) / 9.0;
        mill.beam([at(t, -0.33), at(t, 1.05)], dvec2(0.035, 0.03), axis, 0.69);
    }
}
