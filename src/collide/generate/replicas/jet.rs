//! A fighter 15 m long: fuselage with an intake below, canopy, swept wings, fins, missiles under the
//! wings.

use std::f64::consts::FRAC_PI_2;

use glam::{DVec3, dvec3};

use super::assembly::Assembly;
use super::section::{Station, lens, round, rounded, smooth};
use crate::arrays::MapEach;
use crate::generate::Triangles;
use crate::generate::shell::polar;

pub(super) fn jet() -> Triangles {
    let mut jet = Assembly::default();
    fuselage(&mut jet);
    jet.both_sides(wing);
    let fin = [
        Station::new([-4.1, 0.0, 0.5], [1.75, 0.12]),
        Station::new([-4.75, 0.0, 1.2], [1.4, 0.1]),
        Station::new([-5.4, 0.0, 1.95], [1.08, 0.08]),
        Station::new([-6.1, 0.0, 2.75], [0.75, 0.06]),
        Station::new([-6.25, 0.0, 2.95], [0.62, 0.05]),
    ];
    jet.stack(&lens(12), &fin, DVec3::X, DVec3::Y);
    jet.both_sides(|side| {
        let keel = [
            Station::new([-4.5, 0.42, -0.35], [0.55, 0.04]),
            Station::new([-4.65, 0.58, -0.65], [0.45, 0.035]),
            Station::new([-4.8, 0.76, -1.0], [0.32, 0.03]),
        ];
        side.stack(&lens(10), &keel, -DVec3::X, dvec3(0.0, 0.88, 0.47));
        for (y, z) in [(4.78, 0.06), (3.3, -0.5), (2.2, -0.55)] {
            missile(side, dvec3(-1.2 - 0.25 * y, y, z));
        }
        for y in [3.3, 2.2] {
            let pylon =
                [-0.4, -0.2, 0.0].map_each(|z| Station::new([-0.95 - 0.25 * y, y, z - 0.01], [0.5, 0.05]));
            side.stack(&lens(8), &pylon, DVec3::X, DVec3::Y);
        }
    });
    jet.finish()
}

fn fuselage(jet: &mut Assembly) {
    let body = [
        Station::new([-6.3, 0.0, 0.0], [0.62, 0.6]),
        Station::new([-5.0, 0.0, 0.0], [0.78, 0.68]),
        Station::new([-3.0, 0.0, 0.0], [0.95, 0.74]),
        Station::new([-0.8, 0.0, 0.02], [1.0, 0.76]),
        Station::new([1.2, 0.0, 0.06], [0.92, 0.72]),
        Station::new([2.8, 0.0, 0.08], [0.68, 0.62]),
        Station::new([4.3, 0.0, 0.05], [0.5, 0.52]),
        Station::new([5.8, 0.0, -0.02], [0.34, 0.36]),
        Station::new([7.0, 0.0, -0.08], [0.14, 0.15]),
        Station::new([7.4, 0.0, -0.1], [0.05, 0.05]),
        Station::new([7.5, 0.0, -0.1], [0.0, 0.0]),
    ];
    jet.sweep(&round(20), &smooth(&body, 2), DVec3::Z);
    jet.rod([dvec3(7.35, 0.0, -0.1), dvec3(8.1, 0.0, -0.12)], [0.035, 0.012], 6, 0.25);
    let canopy = [
        Station::new([1.2, 0.0, 0.62], [0.0, 0.0]),
        Station::new([1.5, 0.0, 0.66], [0.22, 0.17]),
        Station::new([2.3, 0.0, 0.68], [0.36, 0.36]),
        Station::new([3.1, 0.0, 0.62], [0.37, 0.4]),
        Station::new([3.9, 0.0, 0.52], [0.28, 0.28]),
        Station::new([4.6, 0.0, 0.42], [0.12, 0.12]),
        Station::new([4.8, 0.0, 0.38], [0.0, 0.0]),
    ];
    jet.sweep(&round(14), &smooth(&canopy, 2), DVec3::Z);
    // The intake: a duct hollowed from the front.
    let duct = [
        (-3.0, 0.0, 0.3),
        (-2.6, 0.45, 0.3),
        (-1.0, 0.62, 0.45),
        (1.0, 0.66, 0.5),
        (2.6, 0.62, 0.45),
        (2.58, 0.54, 0.38),
        (1.6, 0.48, 0.34),
        (1.5, 0.0, 0.0),
    ];
    let duct = duct.map_each(|(x, w, h)| {
        Station::new([x, 0.0, -0.62 - 0.02 * x], if w == 0.0 { [0.0, 0.0] } else { [w, h] })
    });
    jet.stack(&rounded(16), &duct, DVec3::Y, DVec3::Z);
    let nozzle = [
        (0.0, 0.0),
        (0.6, 0.0),
        (0.62, 0.15),
        (0.56, 0.5),
        (0.48, 0.9),
        (0.43, 0.9),
        (0.44, 0.4),
        (0.2, 0.3),
        (0.0, 0.3),
    ];
    jet.turned(dvec3(-6.2, 0.0, 0.0), -DVec3::X, &nozzle, 20);
    jet.both_sides(|side| {
        // The strake from the nose into the wing.
        let strake = [
            Station::new([-4.9, 0.98, 0.05], [0.3, 0.14]),
            Station::new([-3.0, 1.0, 0.05], [0.42, 0.2]),
            Station::new([-0.5, 1.0, 0.05], [0.45, 0.2]),
            Station::new([1.4, 0.8, 0.06], [0.3, 0.12]),
            Station::new([3.2, 0.5, 0.08], [0.12, 0.05]),
        ];
        side.stack(&lens(12), &smooth(&strake, 2), DVec3::Y, DVec3::Z);
    });
}

fn wing(side: &mut Assembly) {
    // (distance from the middle, leading edge, trailing edge)
    let wing: Vec<Station> = (0..=10)
        .map(|k| f64::from(k) / 10.0)
        .map(|t| {
            let (front, rear) = (1.3 - 3.1 * t, -3.3 + 0.15 * t);
            Station::new(
                [0.5 * (front + rear), 0.75 + 3.9 * t, 0.05],
                [0.5 * (front - rear), 0.12 - 0.08 * t],
            )
        })
        .collect();
    side.stack(&lens(16), &wing, -DVec3::X, DVec3::Z);
    let tailplane: Vec<Station> = (0..=5)
        .map(|k| f64::from(k) / 5.0)
        .map(|t| {
            Station::new([-5.1 - 1.0 * t, 0.7 + 2.1 * t, 0.02 - 0.25 * t], [1.05 - 0.55 * t, 0.07 - 0.04 * t])
        })
        .collect();
    side.stack(&lens(12), &tailplane, -DVec3::X, DVec3::Z);
}

/// Adds a missile 3 m long, with four fins in front and four behind.
fn missile(side: &mut Assembly, center: DVec3) {
    let body = [(0.0, -1.5), (0.075, -1.5), (0.08, -0.6), (0.08, 0.3), (0.08, 1.15), (0.05, 1.4), (0.0, 1.5)];
    side.turned(center, DVec3::X, &body, 10);
    for (x, reach, chord) in [(-1.25, 0.3, 0.2), (0.85, 0.22, 0.12)] {
        for k in 0..4 {
            let out = polar(1.0, FRAC_PI_2 * (f64::from(k) + 0.5));
            let out = dvec3(0.0, out.x, out.y);
            let fin = [(0.03, 1.0), (reach, 0.6)].map_each(|(r, size)| {
                let at = center + out * r + DVec3::X * (x - 0.25 * r);
                Station { at, half: glam::dvec2(chord * size, 0.012) }
            });
            side.stack(&lens(4), &fin, DVec3::X, out.cross(DVec3::X));
        }
    }
}
