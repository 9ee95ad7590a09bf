//! A light helicopter 10 m long: cabin, tail boom, four drooping blades, tail rotor, skids on struts.

use std::f64::consts::FRAC_PI_2;

use glam::{DVec2, DVec3, dvec2, dvec3};

use super::assembly::Assembly;
use super::section::{Station, lens, round, rounded, smooth};
use crate::arrays::MapEach;
use crate::generate::Triangles;
use crate::generate::shell::polar;

const ROTOR_RADIUS: f64 = 5.2;
/// Center of the rotor head, m.
const HEAD: DVec3 = dvec3(0.2, 0.0, 3.12);
/// Angle of the first blade from straight ahead, rad.
const BLADE_TURN: f64 = 0.47;
const TAIL_HUB: DVec3 = dvec3(-6.85, 0.28, 2.35);

pub(super) fn helicopter() -> Triangles {
    let mut helicopter = Assembly::default();
    body(&mut helicopter);
    tail(&mut helicopter);
    rotor(&mut helicopter);
    tail_rotor(&mut helicopter);
    helicopter.both_sides(undercarriage);
    helicopter.finish()
}

fn body(helicopter: &mut Assembly) {
    let cabin = [
        Station::new([-2.4, 0.0, 1.83], [0.24, 0.24]),
        Station::new([-1.9, 0.0, 1.76], [0.3, 0.32]),
        Station::new([-1.3, 0.0, 1.62], [0.5, 0.55]),
        Station::new([-0.5, 0.0, 1.46], [0.74, 0.8]),
        Station::new([0.5, 0.0, 1.42], [0.8, 0.88]),
        Station::new([1.3, 0.0, 1.36], [0.76, 0.8]),
        Station::new([2.0, 0.0, 1.2], [0.6, 0.58]),
        Station::new([2.5, 0.0, 1.05], [0.36, 0.33]),
        Station::new([2.65, 0.0, 1.0], [0.18, 0.16]),
        Station::new([2.7, 0.0, 0.98], [0.0, 0.0]),
    ];
    helicopter.sweep(&rounded(24), &smooth(&cabin, 2), DVec3::Z);
    let engine = [
        Station::new([-1.75, 0.0, 2.25], [0.0, 0.0]),
        Station::new([-1.7, 0.0, 2.25], [0.2, 0.14]),
        Station::new([-1.1, 0.0, 2.3], [0.36, 0.28]),
        Station::new([-0.2, 0.0, 2.38], [0.42, 0.32]),
        Station::new([0.6, 0.0, 2.32], [0.34, 0.26]),
        Station::new([0.98, 0.0, 2.24], [0.16, 0.12]),
        Station::new([1.02, 0.0, 2.23], [0.0, 0.0]),
    ];
    helicopter.sweep(&rounded(16), &smooth(&engine, 2), DVec3::Z);
    helicopter.both_sides(|side| {
        let exhaust = [
            Station::new([-0.9, 0.26, 2.34], [0.12, 0.12]),
            Station::new([-1.3, 0.3, 2.36], [0.12, 0.12]),
            Station::new([-1.62, 0.42, 2.42], [0.12, 0.12]),
            Station::new([-1.78, 0.6, 2.48], [0.11, 0.11]),
        ];
        side.sweep(&round(10), &smooth(&exhaust, 3), DVec3::Z);
    });
}

fn tail(helicopter: &mut Assembly) {
    let boom = [
        Station { at: dvec3(-1.5, 0.0, 1.78), half: DVec2::splat(0.3) },
        Station { at: dvec3(-6.8, 0.0, 2.18), half: DVec2::splat(0.11) },
    ];
    helicopter.bar(&round(14), boom, DVec3::Z, 0.42);
    let fin = [
        Station::new([-6.5, 0.0, 1.55], [0.2, 0.03]),
        Station::new([-6.45, 0.0, 1.85], [0.3, 0.045]),
        Station::new([-6.5, 0.0, 2.2], [0.42, 0.06]),
        Station::new([-6.72, 0.0, 2.6], [0.34, 0.045]),
        Station::new([-6.95, 0.0, 3.0], [0.28, 0.04]),
        Station::new([-7.15, 0.0, 3.35], [0.22, 0.03]),
    ];
    helicopter.stack(&lens(12), &fin, DVec3::X, DVec3::Y);
    helicopter.both_sides(|side| {
        let plane = [0.02, 0.3, 0.6, 0.9, 1.15];
        let plane = plane.map_each(|y| Station::new([-5.3 - 0.1 * y, y, 2.08], [0.3 - 0.06 * y, 0.035]));
        side.stack(&lens(12), &plane, -DVec3::X, DVec3::Z);
        let plate = [1.7, 2.08, 2.45].map_each(|z| Station::new([-5.42, 1.15, z], [0.26, 0.022]));
        side.stack(&lens(8), &plate, DVec3::X, DVec3::Y);
    });
}

fn rotor(helicopter: &mut Assembly) {
    let mast = [(0.0, -0.75), (0.16, -0.75), (0.1, -0.6), (0.08, -0.35), (0.08, -0.2), (0.17, -0.17)];
    let head = [(0.2, -0.1), (0.2, 0.06), (0.17, 0.1), (0.09, 0.12), (0.08, 0.2), (0.05, 0.25), (0.0, 0.26)];
    helicopter.turned(HEAD, DVec3::Z, &[mast.as_slice(), &head].concat(), 20);
    let swash = [(0.0, -0.5), (0.2, -0.5), (0.24, -0.47), (0.24, -0.42), (0.2, -0.39), (0.0, -0.39)];
    helicopter.turned(HEAD, DVec3::Z, &swash, 20);
    for k in 0..4 {
        let out = polar(1.0, BLADE_TURN + FRAC_PI_2 * f64::from(k)).extend(0.0);
        let chord = out.cross(DVec3::Z);
        let at = |r: f64| HEAD + out * r - DVec3::Z * (0.32 * (r / ROTOR_RADIUS) * (r / ROTOR_RADIUS));
        helicopter.rod([at(0.1), at(0.62)], [0.075, 0.055], 10, 0.26);
        helicopter.rod(
            [at(0.4) - chord * 0.13 + DVec3::Z * 0.01, HEAD + out * 0.2 - chord * 0.08 - DVec3::Z * 0.44],
            [0.02, 0.02],
            6,
            0.25,
        );
        // The leading edge is raised by the pitch angle.
        let pitch = polar(1.0, 0.14);
        let up = DVec3::Z * pitch.x - chord * pitch.y;
        let blade: Vec<Station> = (0..=19)
            .map(|i| 0.5 + (ROTOR_RADIUS - 0.5) * f64::from(i) / 19.0)
            .map(|r| Station { at: at(r), half: dvec2(if r < 0.75 { 0.1 } else { 0.16 }, 0.028) })
            .collect();
        helicopter.sweep(&lens(8), &blade, up);
    }
}

fn tail_rotor(helicopter: &mut Assembly) {
    let hub =
        [(0.0, -0.3), (0.06, -0.3), (0.06, -0.05), (0.1, -0.04), (0.1, 0.05), (0.05, 0.08), (0.0, 0.09)];
    helicopter.turned(TAIL_HUB, DVec3::Y, &hub, 14);
    for k in 0..4 {
        let out = polar(1.0, 0.35 + FRAC_PI_2 * f64::from(k));
        let out = dvec3(out.x, 0.0, out.y);
        let pitch = polar(1.0, 0.25);
        let up = DVec3::Y * pitch.x + out.cross(DVec3::Y) * pitch.y;
        let ends = [0.07, 0.85].map_each(|r| Station { at: TAIL_HUB + out * r, half: dvec2(0.065, 0.014) });
        helicopter.bar(&lens(8), ends, up, 0.2);
    }
}

fn undercarriage(side: &mut Assembly) {
    let skid = [
        Station::new([-1.6, 1.05, 0.06], [0.055, 0.055]),
        Station::new([-0.4, 1.05, 0.06], [0.055, 0.055]),
        Station::new([0.8, 1.05, 0.06], [0.055, 0.055]),
        Station::new([1.8, 1.05, 0.06], [0.055, 0.055]),
        Station::new([2.15, 1.05, 0.13], [0.055, 0.055]),
        Station::new([2.4, 1.05, 0.32], [0.055, 0.055]),
        Station::new([2.5, 1.05, 0.5], [0.05, 0.05]),
    ];
    side.sweep(&round(10), &smooth(&skid, 2), DVec3::Y);
    for x in [-0.75, 1.15] {
        let strut = [
            Station::new([x, 0.1, 0.72], [0.05, 0.05]),
            Station::new([x, 0.5, 0.62], [0.05, 0.05]),
            Station::new([x, 0.85, 0.38], [0.05, 0.05]),
            Station::new([x, 1.05, 0.07], [0.05, 0.05]),
        ];
        side.sweep(&round(8), &smooth(&strut, 3), DVec3::X);
        side.rod([dvec3(x - 0.1, 1.05, 0.06), dvec3(x + 0.1, 1.05, 0.06)], [0.07, 0.07], 10, 0.2);
    }
    // A step between the struts, and a door handle.
    side.rod([dvec3(-0.78, 0.86, 0.4), dvec3(1.18, 0.86, 0.4)], [0.03, 0.03], 6, 0.4);
    side.beam([dvec3(0.1, 0.815, 1.45), dvec3(0.28, 0.815, 1.45)], dvec2(0.02, 0.03), DVec3::Z, 0.2);
}
