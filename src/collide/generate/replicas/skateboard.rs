//! A skateboard 0.8 m long: one deck with raised ends, two trucks, bolts, four finely meshed wheels.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DVec2, DVec3, dvec2, dvec3};

use super::assembly::{Assembly, placed};
use super::section::{Station, rounded, smooth};
use crate::arrays::MapEach;
use crate::generate::Triangles;
use crate::generate::shell::polar;
use crate::generate::torus;

const WHEEL_RADIUS: f64 = 0.027;
const WHEEL_WIDTH: f64 = 0.034;
/// Distance from the center of the board to an axle, m.
const AXLE_AT: f64 = 0.22;
/// Distance from the center of the axle to a wheel, m.
const WHEEL_AT: f64 = 0.088;
const DECK_LENGTH: f64 = 0.8;
const DECK_WIDTH: f64 = 0.205;
const DECK_THICKNESS: f64 = 0.011;
const DECK_HEIGHT: f64 = 0.102;

pub(super) fn skateboard() -> Triangles {
    let mut board = Assembly::default();
    deck(&mut board);
    for end in [1.0, -1.0] {
        truck(&mut board, end);
        board.both_sides(|side| wheel(side, dvec3(end * AXLE_AT, WHEEL_AT, WHEEL_RADIUS)));
        for (dx, dy) in [(0.027, 0.021), (0.027, -0.021), (-0.027, 0.021), (-0.027, -0.021)] {
            let top = deck_at(end * AXLE_AT + dx, dy / (0.5 * DECK_WIDTH))
                + DVec3::Z * (0.5 * DECK_THICKNESS + 0.0006);
            let bolt = [
                (0.0, -0.028),
                (0.0024, -0.028),
                (0.0024, -0.003),
                (0.0048, -0.0006),
                (0.0042, 0.0),
                (0.0, 0.0),
            ];
            board.turned(top, DVec3::Z, &bolt, 10);
        }
    }
    board.finish()
}

/// Returns a point of the deck's middle surface, m; `across` runs from -1 to 1. The deck is level in
/// the middle. It rises towards both ends and, slightly, towards the sides.
fn deck_at(x: f64, across: f64) -> DVec3 {
    let rise = |x: f64| {
        let beyond = (x.abs() - 0.27).max(0.0);
        if beyond < 0.05 { 4.0 * beyond * beyond } else { 0.4 * beyond - 0.01 }
    };
    let y = across * half_width(x);
    dvec3(x, y, DECK_HEIGHT + rise(x) + 0.57 * y * y)
}

/// Returns half the width of the deck at `x`, m. The ends are rounded.
fn half_width(x: f64) -> f64 {
    let beyond = ((x.abs() - 0.27) / (0.5 * DECK_LENGTH - 0.27)).clamp(0.0, 0.999);
    0.5 * DECK_WIDTH * (1.0 - beyond * beyond * beyond).sqrt()
}

fn deck(board: &mut Assembly) {
    let (rows, across) = (60, 20);
    // From right to left on the underside, then back on the upper side, with a blunt edge between them.
    let mut section = Vec::new();
    for (side, surface) in [(1.0, -1.0), (-1.0, 1.0)] {
        section.extend(
            (0..across).map(|k| dvec2(side * (2.0 * f64::from(k) / f64::from(across - 1) - 1.0), surface)),
        );
        section.push(dvec2(side, 0.0));
    }
    let rings: Vec<Vec<DVec3>> = (0..=rows)
        .map(|i| -libm::cos(PI * f64::from(i) / f64::from(rows)))
        // Positions along the deck: a mix of even steps and of steps that are denser at the ends.
        .zip((0..=rows).map(|i| 2.0 * f64::from(i) / f64::from(rows) - 1.0))
        .map(|(gathered, even)| 0.5 * DECK_LENGTH * (0.6 * gathered + 0.4 * even))
        .map(|x| {
            section
                .iter()
                .map(|p| {
                    let bulge = p.x * (1.0 - p.y.abs()) * half_width(x) / (0.5 * DECK_WIDTH);
                    deck_at(x, p.x) + dvec3(0.0, bulge, p.y) * (0.5 * DECK_THICKNESS)
                })
                .collect()
        })
        .collect();
    board.loft(&rings);
}

/// Adds a base plate, a slanted kingpin with two cushions, a hanger, and an axle with its nuts.
fn truck(board: &mut Assembly, end: f64) {
    let top = dvec3(end * AXLE_AT, 0.0, DECK_HEIGHT - 0.5 * DECK_THICKNESS);
    let plate = [-0.012, -0.007, -0.001, 0.0].map_each(|z| {
        let size = if z == -0.012 || z == 0.0 { 0.94 } else { 1.0 };
        Station { at: top + DVec3::Z * (z - 0.0002), half: dvec2(0.04, 0.028) * size }
    });
    board.stack(&rounded(36), &plate, DVec3::X, DVec3::Y);
    let tilt = polar(1.0, 0.5);
    // Down and towards the middle of the board.
    let pin = dvec3(-end * tilt.y, 0.0, -tilt.x);
    let foot = top + dvec3(end * 0.006, 0.0, -0.008);
    board.turned(
        foot,
        pin,
        &[(0.0, 0.0), (0.0045, 0.0), (0.0045, 0.03), (0.0045, 0.058), (0.004, 0.06), (0.0, 0.06)],
        16,
    );
    for (at, height) in [(0.006, 0.016), (0.034, 0.014)] {
        let cushion: Vec<(f64, f64)> = (0..=8)
            .map(|k| PI * f64::from(k) / 8.0)
            .map(|a| (0.009 + 0.004 * libm::sin(a), at + height * (0.5 - 0.5 * libm::cos(a))))
            .collect();
        let closed = [&[(0.0, at)], cushion.as_slice(), &[(0.0, at + height)]].concat();
        board.turned(foot, pin, &closed, 24);
    }
    for along in [0.0225, 0.0495] {
        let washer = [
            (0.0, along),
            (0.0125, along),
            (0.0135, along + 0.001),
            (0.0135, along + 0.002),
            (0.0, along + 0.002),
        ];
        board.turned(foot, pin, &washer, 24);
    }
    board.turned(foot, pin, &[(0.0, 0.0525), (0.0075, 0.0525), (0.0075, 0.0585), (0.0, 0.0585)], 6);

    let axle = dvec3(end * AXLE_AT, 0.0, WHEEL_RADIUS);
    let hanger =
        [-0.068, -0.066, -0.05, -0.03, -0.014, 0.0, 0.014, 0.03, 0.05, 0.066, 0.068].map_each(|y: f64| {
            let bulge = (1.0 - y.abs() / 0.068).max(0.0);
            let end_size = if y.abs() > 0.067 { 0.9 } else { 1.0 };
            Station {
                at: axle + dvec3(-end * 0.004 * bulge, y, 0.012 * bulge),
                half: dvec2(0.009 + 0.006 * bulge, 0.0085 + 0.009 * bulge * bulge) * end_size,
            }
        });
    board.sweep(&rounded(20), &smooth(&hanger, 2), DVec3::Z);
    // From the hanger back to its pivot in the base plate.
    board.rod([axle + DVec3::Z * 0.016, top + dvec3(end * 0.028, 0.0, -0.008)], [0.011, 0.007], 16, 0.01);
    board.rod([axle - DVec3::Y * 0.114, axle + DVec3::Y * 0.114], [0.004, 0.004], 12, 0.02);
    board.both_sides(|side| {
        let nut =
            [(0.0, 0.0), (0.0065, 0.0), (0.0072, 0.0008), (0.0072, 0.005), (0.006, 0.006), (0.0, 0.006)];
        side.turned(axle + DVec3::Y * 0.1065, DVec3::Y, &nut, 6);
        side.turned(
            axle + DVec3::Y * 0.1045,
            DVec3::Y,
            &[(0.0, 0.0), (0.007, 0.0), (0.007, 0.001), (0.0, 0.001)],
            24,
        );
    });
}

/// Adds a tire with round shoulders, a dished core on both sides, and the bearings in it.
fn wheel(side: &mut Assembly, center: DVec3) {
    let (r, w, shoulder) = (WHEEL_RADIUS, 0.5 * WHEEL_WIDTH, 0.009);
    let mut profile = vec![
        (0.0, -0.55 * w),
        (0.005, -0.55 * w),
        (0.010, -0.56 * w),
        (0.0115, -0.6 * w),
        (0.013, -0.85 * w),
    ];
    let corner = |from: f64, across: f64| -> Vec<(f64, f64)> {
        (0..=6)
            .map(|k| polar(shoulder, from + FRAC_PI_2 * f64::from(k) / 6.0))
            .map(|p: DVec2| (r - shoulder + p.x, across + p.y))
            .collect()
    };
    profile.extend(corner(-FRAC_PI_2, shoulder - w));
    profile.extend([-0.5, 0.0, 0.5].map_each(|t| (r, t * (w - shoulder))));
    profile.extend(corner(0.0, w - shoulder));
    profile.extend([
        (0.013, 0.85 * w),
        (0.0115, 0.6 * w),
        (0.010, 0.56 * w),
        (0.005, 0.55 * w),
        (0.0, 0.55 * w),
    ]);
    side.turned(center, DVec3::Y, &profile, 44);
    for sign in [1.0, -1.0] {
        // The rim of the bearing's shield.
        let at = center + DVec3::Y * (sign * (0.55 * w + 0.0004));
        let place = placed(at, DVec3::X, DVec3::Y * sign);
        side.add(&torus(0.0085, 0.0018, 24, 6), place);
    }
}
