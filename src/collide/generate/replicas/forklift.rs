//! A forklift truck, 3.7 m long including its forks: chassis, counterweight, cage, seat, mast and
//! forks.

use glam::{DVec3, dvec2, dvec3};

use super::assembly::{Assembly, placed};
use super::section::{Station, rounded, square};
use crate::arrays::MapEach;
use crate::generate::Triangles;
use crate::generate::torus;

/// Backward lean of the mast: x per z.
const LEAN: f64 = -0.05;

pub(super) fn forklift() -> Triangles {
    let mut truck = Assembly::default();
    chassis(&mut truck);
    cage(&mut truck);
    driver(&mut truck);
    mast(&mut truck);
    truck.both_sides(|side| {
        wheel(side, dvec3(0.75, 0.5, 0.34), 0.34, 0.26);
        wheel(side, dvec3(-0.75, 0.46, 0.27), 0.27, 0.2);
    });
    truck.finish()
}

/// Adds the chassis between the wheels and the counterweight behind, both extruded from their side
/// views.
fn chassis(truck: &mut Assembly) {
    let side_view = [DVec3::X, -DVec3::Z];
    let floor = [(-0.55, 0.3), (-0.55, 0.72), (0.3, 0.66), (0.55, 0.72), (1.06, 0.72), (1.08, 0.3)];
    let weight = [
        (-1.28, 0.5),
        (-1.32, 0.9),
        (-1.2, 1.03),
        (-0.42, 1.03),
        (-0.4, 0.62),
        (-0.52, 0.58),
        (-1.02, 0.58),
        (-1.1, 0.4),
        (-1.2, 0.4),
    ];
    truck.plate(DVec3::ZERO, side_view, &floor.map_each(|(x, z)| dvec2(x, -z)), 0.68, 0.6);
    truck.plate(DVec3::ZERO, side_view, &weight.map_each(|(x, z)| dvec2(x, -z)), 1.06, 0.6);
    truck.block(dvec3(-0.16, 0.0, 0.86), dvec3(0.66, 0.72, 0.42), 0.5);
    truck.both_sides(|side| {
        side.block(dvec3(0.17, 0.44, 0.38), dvec3(0.34, 0.22, 0.05), 0.4);
        side.block(dvec3(0.74, 0.5, 0.72), dvec3(0.74, 0.3, 0.04), 0.4);
        let lamp = [(0.0, 0.0), (0.05, 0.0), (0.065, 0.05), (0.0, 0.055)];
        side.turned(dvec3(0.5, 0.47, 2.0), DVec3::X, &lamp, 10);
    });
    truck.rod([dvec3(-1.2, -0.36, 0.95), dvec3(-1.2, -0.36, 1.35)], [0.04, 0.035], 8, 0.2);
}

/// Adds four posts, the front ones slanted, under a roof of bars.
fn cage(truck: &mut Assembly) {
    let half = dvec2(0.03, 0.04);
    truck.both_sides(|side| {
        side.beam([dvec3(0.82, 0.44, 0.7), dvec3(0.42, 0.4, 2.12)], half, DVec3::X, 0.36);
        side.beam([dvec3(-1.0, 0.44, 0.98), dvec3(-0.82, 0.4, 2.12)], half, DVec3::X, 0.36);
        side.beam([dvec3(-0.9, 0.41, 2.13), dvec3(0.48, 0.41, 2.13)], half, DVec3::Z, 0.46);
        side.beam([dvec3(-0.92, 0.425, 1.5), dvec3(-0.36, 0.435, 0.98)], dvec2(0.018, 0.018), DVec3::Z, 0.4);
    });
    for k in 0..7 {
        let x = -0.84 + 0.21 * f64::from(k);
        truck.beam([dvec3(x, -0.42, 2.14), dvec3(x, 0.42, 2.14)], dvec2(0.02, 0.022), DVec3::Z, 0.84);
    }
}

fn driver(truck: &mut Assembly) {
    truck.block(dvec3(-0.17, 0.0, 1.12), dvec3(0.48, 0.48, 0.12), 0.5);
    let back = [
        Station::new([-0.37, 0.0, 1.12], [0.23, 0.05]),
        Station::new([-0.43, 0.0, 1.32], [0.23, 0.05]),
        Station::new([-0.48, 0.0, 1.5], [0.2, 0.045]),
        Station::new([-0.51, 0.0, 1.6], [0.13, 0.035]),
    ];
    truck.sweep(&rounded(10), &back, DVec3::X);
    let wheel = dvec3(0.36, 0.0, 1.3);
    let axis = dvec3(-0.5, 0.0, 0.8).normalize_or_zero();
    truck.rod([dvec3(0.7, 0.0, 0.66), wheel], [0.035, 0.025], 8, 0.4);
    truck.add(&torus(0.16, 0.014, 14, 5), placed(wheel, DVec3::Y, axis));
    truck.beam([wheel - DVec3::Y * 0.15, wheel + DVec3::Y * 0.15], dvec2(0.016, 0.008), axis, 0.3);
    for k in 0..3 {
        let foot = dvec3(0.66, -0.12 - 0.06 * f64::from(k), 0.68);
        truck.rod([foot, foot + dvec3(-0.1, 0.0, 0.42)], [0.01, 0.012], 5, 0.42);
    }
}

/// Adds two pairs of rails with crossbars, lift cylinders, chains, the carriage and the forks.
fn mast(truck: &mut Assembly) {
    let at = |x: f64, y: f64, z: f64| dvec3(1.18 + x + LEAN * z, y, z);
    truck.both_sides(|side| {
        side.beam([at(0.0, 0.36, 0.1), at(0.0, 0.36, 2.05)], dvec2(0.035, 0.06), DVec3::X, 0.7);
        side.beam([at(0.01, 0.285, 0.14), at(0.01, 0.285, 2.2)], dvec2(0.03, 0.05), DVec3::X, 0.7);
        side.beam([at(0.03, 0.14, 0.5), at(0.03, 0.14, 2.1)], dvec2(0.016, 0.008), DVec3::X, 0.55);
        // The tilt cylinder from the chassis.
        side.rod([dvec3(0.45, 0.3, 0.7), at(-0.04, 0.33, 1.0)], [0.035, 0.03], 8, 0.8);
        let fork = [
            Station { at: at(0.13, 0.24, 0.8), half: dvec2(0.055, 0.022) },
            Station { at: at(0.13, 0.24, 0.45), half: dvec2(0.06, 0.024) },
            Station { at: at(0.13, 0.24, 0.16), half: dvec2(0.06, 0.026) },
            Station { at: at(0.15, 0.24, 0.09), half: dvec2(0.06, 0.026) },
            Station { at: at(0.22, 0.24, 0.062), half: dvec2(0.06, 0.026) },
            Station { at: at(0.55, 0.24, 0.06), half: dvec2(0.06, 0.024) },
            Station { at: at(0.9, 0.24, 0.056), half: dvec2(0.055, 0.018) },
            Station { at: at(1.2, 0.24, 0.05), half: dvec2(0.04, 0.01) },
        ];
        side.sweep(&square(1), &fork, dvec3(1.0, 0.0, 1.0));
    });
    truck.rod([at(-0.01, 0.0, 0.15), at(-0.01, 0.0, 1.2)], [0.055, 0.055], 10, 0.5);
    truck.rod([at(-0.01, 0.0, 1.15), at(-0.01, 0.0, 2.1)], [0.035, 0.035], 10, 0.5);
    for (x, z) in [(-0.015, 0.18), (-0.02, 1.1), (-0.015, 1.98), (0.005, 2.14)] {
        truck.beam([at(x, -0.36, z), at(x, 0.36, z)], dvec2(0.02, 0.05), DVec3::Z, 0.36);
    }
    for z in [0.3, 0.72] {
        truck.beam([at(0.085, -0.45, z), at(0.085, 0.45, z)], dvec2(0.025, 0.05), DVec3::Z, 0.45);
    }
    // The load guard.
    for k in 0..5 {
        let y = 0.2 * (f64::from(k) - 2.0);
        truck.beam([at(0.08, y, 0.7), at(0.08, y, 1.3)], dvec2(0.012, 0.012), DVec3::X, 0.6);
    }
    truck.beam([at(0.08, -0.43, 1.3), at(0.08, 0.43, 1.3)], dvec2(0.018, 0.02), DVec3::Z, 0.43);
}

/// Adds a tire with a dished rim, its hub on the outside.
fn wheel(side: &mut Assembly, center: DVec3, radius: f64, width: f64) {
    let shares = [
        (0.0, -1.0),
        (0.6, -1.0),
        (0.9, -1.0),
        (1.0, -0.7),
        (1.0, 0.7),
        (0.9, 1.0),
        (0.62, 1.0),
        (0.55, 0.5),
        (0.22, 0.4),
        (0.2, 0.75),
        (0.0, 0.8),
    ];
    let profile = shares.map_each(|(out, along)| (out * radius, along * 0.5 * width));
    side.turned(center, DVec3::Y, &profile, 14);
}
