//! A space station about 70 m across: pressurized modules, a truss, rotated solar arrays, radiators,
//! dishes.

use std::f64::consts::TAU;

use glam::{DVec3, dvec2, dvec3};

use super::assembly::Assembly;
use crate::arrays::MapEach;
use crate::generate::Triangles;
use crate::generate::shell::polar;

/// Half the length of the truss, along y, m.
const TRUSS_REACH: f64 = 33.0;
/// Edge of one bay of the truss, m.
const BAY: f64 = 4.125;
/// Half the width of the truss, m.
const TRUSS_HALF: f64 = 1.1;

pub(super) fn space_station() -> Triangles {
    let mut station = Assembly::default();
    modules(&mut station);
    truss(&mut station);
    station.both_sides(|side| {
        for (y, turn) in [(20.5, 0.5), (31.5, 0.62)] {
            for up in [1.0, -1.0] {
                solar_array(side, dvec3(0.0, y, 4.2), up, turn);
            }
        }
        radiator(side, dvec3(-1.0, 8.0, 4.2));
    });
    dish(&mut station, dvec3(1.5, 6.2, 6.4), dvec3(0.45, 0.35, 0.82), 1.5);
    dish(&mut station, dvec3(1.0, -5.0, 6.2), dvec3(0.2, -0.6, 0.77), 1.1);
    dish(&mut station, dvec3(-23.5, 0.9, 2.6), dvec3(-0.6, 0.5, 0.62), 0.8);
    arm(&mut station);
    station.finish()
}

/// Adds a module between two points, with its ports, ribs and end cones.
fn module(station: &mut Assembly, from: DVec3, to: DVec3, radius: f64) {
    let length = from.distance(to);
    let axis = (to - from).normalize_or_zero();
    let mut profile = vec![(0.0, 0.0), (0.45 * radius, 0.0), (0.5 * radius, 0.35)];
    let (start, end) = (0.8, length - 0.8);
    let rib_count = ((length / 3.6).round() as usize).max(1);
    profile.push((radius, start));
    for k in 0..rib_count {
        let at = start + (end - start) * (k as f64 + 0.5) / rib_count as f64;
        profile.extend([
            (radius, at - 0.12),
            (1.05 * radius, at - 0.08),
            (1.05 * radius, at + 0.08),
            (radius, at + 0.12),
        ]);
    }
    profile.extend([(radius, end), (0.5 * radius, length - 0.35), (0.45 * radius, length), (0.0, length)]);
    station.turned(from, axis, &profile, 12);
}

fn modules(station: &mut Assembly) {
    for (from, to, radius) in [(6.0, 12.0, 2.1), (-3.2, 6.2, 2.15), (-11.8, -3.0, 2.0), (-23.6, -11.5, 1.7)] {
        module(station, dvec3(from, 0.0, 0.0), dvec3(to, 0.0, 0.0), radius);
    }
    for (x, y, z, radius) in
        [(9.0, 9.0, 0.0, 1.9), (9.0, -11.0, 0.0, 2.0), (9.0, 0.0, -6.5, 1.6), (-7.0, 0.0, -7.5, 1.5)]
    {
        let out = dvec3(0.0, y, z).normalize_or_zero();
        let from = dvec3(x, 0.0, 0.0) + out * 1.75;
        module(station, from, dvec3(x, y, z), radius);
    }
    // A docked ship: sphere, bell and skirt, with two panels of its own.
    station.ellipsoid(dvec3(-25.0, 0.0, 0.0), DVec3::splat(1.4), 14);
    let bell = [(0.0, 0.0), (1.15, 0.0), (1.25, 1.2), (1.3, 2.6), (1.5, 3.2), (1.45, 3.4), (0.0, 3.3)];
    station.turned(dvec3(-26.0, 0.0, 0.0), -DVec3::X, &bell, 16);
    station.both_sides(|side| {
        side.beam([dvec3(-28.2, 1.2, 0.0), dvec3(-28.2, 5.6, 1.2)], dvec2(0.7, 0.05), DVec3::Z, 0.9);
    });
    station.rod([dvec3(0.5, 0.0, 1.9), dvec3(0.5, 0.0, 3.4)], [0.7, 0.5], 12, 0.6);
}

/// Adds four longerons with frames and diagonals, braced to the modules.
fn truss(station: &mut Assembly) {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let corner = |i: usize, y: f64| {
        let (x, z) = corners[i % 4];
        dvec3(x * TRUSS_HALF, y, 4.2 + z * TRUSS_HALF)
    };
    for i in 0..4 {
        station.beam([corner(i, -TRUSS_REACH), corner(i, TRUSS_REACH)], dvec2(0.1, 0.1), DVec3::Z, BAY);
    }
    let bays = (2.0 * TRUSS_REACH / BAY) as u32;
    for k in 0..=bays {
        let y = -TRUSS_REACH + 0.05 + (2.0 * TRUSS_REACH - 0.1) * f64::from(k) / f64::from(bays);
        for i in 0..4 {
            station.beam([corner(i, y), corner(i + 1, y)], dvec2(0.08, 0.09), DVec3::Y, 2.4);
            if k < bays && (i + k as usize).is_multiple_of(2) {
                let (near, far) = if k % 4 < 2 { (i, i + 1) } else { (i + 1, i) };
                station.beam([corner(near, y), corner(far, y + BAY)], dvec2(0.07, 0.075), DVec3::Y, 2.5);
            }
        }
    }
    station.both_sides(|side| {
        for x in [-2.6, 3.4] {
            let foot = dvec3(x, 0.9, 1.7);
            side.rod([foot, dvec3(0.32 * x, 2.6, 3.2)], [0.12, 0.12], 6, 1.2);
        }
    });
    for (y, x) in [(-14.0, 1.6), (-9.5, -1.7), (12.5, 1.7), (16.0, -1.6), (4.0, 1.65)] {
        station.block(dvec3(x, y, 4.2), dvec3(1.4, 1.8, 1.5), 0.9);
    }
}

/// Adds a mast that leads away from the truss. A blanket of panels is on either side, rotated by `turn`
/// about the mast.
fn solar_array(side: &mut Assembly, root: DVec3, up: f64, turn: f64) {
    let joint = [(0.0, -0.9), (0.5, -0.9), (0.55, -0.3), (0.55, 0.3), (0.5, 0.9), (0.0, 0.9)];
    side.turned(root + DVec3::Z * (up * 1.4), DVec3::Z, &joint, 8);
    let across = polar(1.0, turn).extend(0.0);
    let at = |out: f64, along: f64| root + DVec3::Z * (up * along) + across * out;
    side.rod([at(0.0, 1.3), at(0.0, 17.6)], [0.18, 0.12], 5, 2.0);
    for sign in [1.0, -1.0] {
        for k in 0..3 {
            let (low, high) = (2.8 + 4.9 * f64::from(k), 7.5 + 4.9 * f64::from(k));
            let ends = [at(sign * 1.45, low), at(sign * 1.45, high)];
            side.beam(ends, dvec2(1.2, 0.06), DVec3::Z.cross(across), 2.3);
        }
    }
    for along in [2.5, 17.4] {
        side.beam([at(-2.75, along), at(2.75, along)], dvec2(0.09, 0.12), DVec3::Z, 1.8);
    }
}

/// Adds three panels side by side on a slanted arm.
fn radiator(side: &mut Assembly, root: DVec3) {
    let away = dvec3(-0.9, 0.0, -0.44).normalize_or_zero();
    for k in 0..3 {
        let offset = DVec3::Y * (2.6 * (f64::from(k) - 1.0));
        let ends = [root + offset + away * 1.6, root + offset + away * 12.0];
        side.beam(ends, dvec2(1.15, 0.06), DVec3::Z, 1.5);
    }
    side.beam([root, root + away * 12.4], dvec2(0.14, 0.14), DVec3::Z, 1.6);
    side.beam(
        [root + away * 1.5 - DVec3::Y * 3.8, root + away * 1.5 + DVec3::Y * 3.8],
        dvec2(0.1, 0.1),
        DVec3::Z,
        1.5,
    );
}

/// Adds a bowl of the given radius on a stalk, with its feed on three struts.
fn dish(station: &mut Assembly, center: DVec3, toward: DVec3, radius: f64) {
    let axis = toward.normalize_or_zero();
    let mut profile: Vec<(f64, f64)> =
        (0..=4).map(|k| f64::from(k) / 4.0).map(|t| (radius * t, 0.35 * radius * t * t)).collect();
    profile.extend(
        (0..=4)
            .map(|k| 1.0 - f64::from(k) / 4.0)
            .map(|t| (0.97 * radius * t, 0.06 * radius + 0.31 * radius * t * t)),
    );
    station.turned(center, axis, &profile, 16);
    let feed = center + axis * radius;
    station.turned(
        feed,
        axis,
        &[(0.0, -0.1), (0.12, -0.1), (0.16, 0.1), (0.0, 0.14)].map_each(|(r, z)| (r * radius, z * radius)),
        8,
    );
    let (u, v) = axis.any_orthonormal_pair();
    for k in 0..3 {
        let turn = polar(0.6 * radius, TAU / 3.0 * f64::from(k));
        let foot = center + u * turn.x + v * turn.y + axis * (0.16 * radius);
        station.rod([foot, foot.lerp(feed, 0.95)], [0.02 * radius, 0.02 * radius], 5, radius);
    }
    station.rod(
        [center - axis * (0.9 * radius), center + axis * (0.03 * radius)],
        [0.1 * radius, 0.07 * radius],
        8,
        0.5 * radius,
    );
}

/// Adds a jointed crane on the truss.
fn arm(station: &mut Assembly) {
    let joints = [
        dvec3(1.3, -2.0, 4.6),
        dvec3(2.0, -2.2, 6.2),
        dvec3(7.5, -5.0, 9.8),
        dvec3(12.5, -3.5, 6.0),
        dvec3(13.6, -3.2, 4.9),
    ];
    for pair in joints.windows(2) {
        station.rod([pair[0], pair[0].lerp(pair[1], 0.98)], [0.2, 0.18], 8, 1.6);
    }
    for joint in joints {
        station.ellipsoid(joint, DVec3::splat(0.36), 8);
    }
}
