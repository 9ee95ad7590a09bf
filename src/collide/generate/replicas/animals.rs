//! A rat, 0.43 m long including its tail, and a horned dinosaur with a frill, 8 m long.

use std::f64::consts::TAU;

use glam::{DVec3, dvec2, dvec3};

use super::assembly::Assembly;
use super::section::{Station, round, smooth};
use crate::generate::Triangles;
use crate::generate::shell::polar;

pub(super) fn rat() -> Triangles {
    let mut rat = Assembly::default();
    let body = [
        Station::new([-0.107, 0.0, 0.041], [0.0, 0.0]),
        Station::new([-0.103, 0.0, 0.042], [0.014, 0.014]),
        Station::new([-0.075, 0.0, 0.05], [0.033, 0.034]),
        Station::new([-0.035, 0.0, 0.055], [0.038, 0.042]),
        Station::new([0.01, 0.0, 0.054], [0.033, 0.036]),
        Station::new([0.045, 0.0, 0.054], [0.026, 0.028]),
        Station::new([0.075, 0.0, 0.063], [0.014, 0.015]),
    ];
    rat.sweep(&round(12), &smooth(&body, 2), DVec3::Z);
    let head = [
        Station::new([0.05, 0.0, 0.066], [0.0, 0.0]),
        Station::new([0.054, 0.0, 0.066], [0.013, 0.014]),
        Station::new([0.075, 0.0, 0.067], [0.021, 0.022]),
        Station::new([0.098, 0.0, 0.062], [0.017, 0.018]),
        Station::new([0.122, 0.0, 0.053], [0.009, 0.01]),
        Station::new([0.132, 0.0, 0.049], [0.005, 0.005]),
        Station::new([0.135, 0.0, 0.048], [0.0, 0.0]),
    ];
    rat.sweep(&round(10), &head, DVec3::Z);
    let tail = [
        Station::new([-0.092, 0.0, 0.038], [0.009, 0.009]),
        Station::new([-0.125, 0.004, 0.022], [0.0065, 0.0065]),
        Station::new([-0.165, 0.022, 0.009], [0.005, 0.005]),
        Station::new([-0.21, 0.025, 0.006], [0.004, 0.004]),
        Station::new([-0.25, -0.005, 0.006], [0.003, 0.003]),
        Station::new([-0.285, -0.03, 0.008], [0.002, 0.002]),
        Station::new([-0.3, -0.03, 0.01], [0.0, 0.0]),
    ];
    rat.sweep(&round(6), &smooth(&tail, 3), DVec3::Z);
    rat.both_sides(|side| {
        let ear = dvec3(0.85, 0.5, 0.1).normalize_or_zero();
        let lobe = [(0.0, -0.002), (0.008, -0.0015), (0.0125, 0.0), (0.008, 0.0005), (0.0, -0.0005)];
        side.turned(dvec3(0.07, 0.019, 0.09), ear, &lobe, 8);
        side.ellipsoid(dvec3(0.1, 0.0135, 0.07), DVec3::splat(0.0035), 6);
        let hind = [
            [-0.065, 0.024, 0.066],
            [-0.061, 0.028, 0.054],
            [-0.044, 0.036, 0.027],
            [-0.068, 0.036, 0.011],
            [-0.036, 0.038, 0.004],
        ];
        limb(side, &hind, &[0.005, 0.017, 0.012, 0.0055, 0.004], 7, 2);
        let fore = [
            [0.042, 0.013, 0.056],
            [0.04, 0.018, 0.045],
            [0.033, 0.026, 0.026],
            [0.046, 0.026, 0.008],
            [0.063, 0.028, 0.0034],
        ];
        limb(side, &fore, &[0.004, 0.011, 0.0075, 0.0048, 0.0032], 7, 2);
    });
    rat.finish()
}

/// Adds a leg along its joints. The first joint lies inside the body.
fn limb(side: &mut Assembly, joints: &[[f64; 3]], radii: &[f64], around: usize, pieces: usize) {
    let controls: Vec<Station> = joints.iter().zip(radii).map(|(at, &r)| Station::new(*at, [r, r])).collect();
    side.sweep(&round(around), &smooth(&controls, pieces), DVec3::Y);
}

pub(super) fn quadruped() -> Triangles {
    let mut animal = Assembly::default();
    let body = [
        Station::new([-4.4, 0.0, 0.75], [0.0, 0.0]),
        Station::new([-4.3, 0.0, 0.77], [0.05, 0.05]),
        Station::new([-3.6, 0.0, 0.95], [0.14, 0.15]),
        Station::new([-2.8, 0.0, 1.2], [0.28, 0.32]),
        Station::new([-2.1, 0.0, 1.5], [0.5, 0.56]),
        Station::new([-1.4, 0.0, 1.68], [0.74, 0.8]),
        Station::new([-0.4, 0.0, 1.66], [0.92, 0.92]),
        Station::new([0.6, 0.0, 1.58], [0.86, 0.84]),
        Station::new([1.3, 0.0, 1.55], [0.64, 0.64]),
        Station::new([1.9, 0.0, 1.66], [0.46, 0.5]),
        Station::new([2.3, 0.0, 1.75], [0.4, 0.42]),
    ];
    animal.sweep(&round(26), &smooth(&body, 3), DVec3::Z);
    head(&mut animal);
    animal.both_sides(|side| {
        let hind = [
            [-1.45, 0.4, 2.05],
            [-1.4, 0.48, 1.8],
            [-1.1, 0.66, 1.1],
            [-1.4, 0.66, 0.6],
            [-1.3, 0.66, 0.25],
            [-1.3, 0.66, 0.0],
        ];
        leg(side, hind, [0.1, 0.44, 0.4, 0.26, 0.24, 0.28]);
        let fore = [
            [0.8, 0.4, 1.75],
            [0.75, 0.5, 1.5],
            [0.6, 0.72, 1.0],
            [0.8, 0.72, 0.55],
            [0.82, 0.7, 0.22],
            [0.82, 0.7, 0.0],
        ];
        leg(side, fore, [0.1, 0.34, 0.3, 0.2, 0.19, 0.23]);
    });
    animal.finish()
}

/// Adds a thick leg that stands on three toes.
fn leg(side: &mut Assembly, joints: [[f64; 3]; 6], radii: [f64; 6]) {
    limb(side, &joints, &radii, 14, 3);
    let (foot, radius) = (DVec3::from_array(joints[5]), radii[5]);
    for k in 0..3 {
        let out = polar(radius * 0.95, 0.7 * (f64::from(k) - 1.0)).extend(0.36 * radius);
        side.ellipsoid(foot + out, dvec3(0.42, 0.34, 0.36) * radius, 8);
    }
}

fn head(animal: &mut Assembly) {
    let skull = [
        Station::new([1.9, 0.0, 1.85], [0.3, 0.3]),
        Station::new([2.3, 0.0, 1.86], [0.44, 0.46]),
        Station::new([2.75, 0.0, 1.75], [0.4, 0.42]),
        Station::new([3.2, 0.0, 1.56], [0.28, 0.32]),
        Station::new([3.6, 0.0, 1.4], [0.17, 0.24]),
        Station::new([3.8, 0.0, 1.28], [0.07, 0.15]),
        Station::new([3.88, 0.0, 1.14], [0.0, 0.0]),
    ];
    animal.sweep(&round(18), &smooth(&skull, 3), DVec3::Z);
    let jaw = [
        Station::new([2.4, 0.0, 1.45], [0.0, 0.0]),
        Station::new([2.5, 0.0, 1.42], [0.24, 0.12]),
        Station::new([3.0, 0.0, 1.28], [0.2, 0.1]),
        Station::new([3.45, 0.0, 1.15], [0.1, 0.06]),
        Station::new([3.6, 0.0, 1.14], [0.0, 0.0]),
    ];
    animal.sweep(&round(12), &jaw, DVec3::Z);
    frill(animal);
    animal.both_sides(|side| {
        let horn = [
            Station::new([2.7, 0.22, 2.05], [0.12, 0.12]),
            Station::new([2.95, 0.28, 2.35], [0.1, 0.1]),
            Station::new([3.25, 0.35, 2.6], [0.07, 0.07]),
            Station::new([3.6, 0.4, 2.72], [0.035, 0.035]),
            Station::new([3.85, 0.41, 2.74], [0.0, 0.0]),
        ];
        side.sweep(&round(12), &smooth(&horn, 3), DVec3::Y);
        side.ellipsoid(dvec3(2.8, 0.36, 1.9), DVec3::splat(0.06), 8);
    });
    let nose = [
        Station::new([3.42, 0.0, 1.6], [0.09, 0.1]),
        Station::new([3.52, 0.0, 1.76], [0.065, 0.075]),
        Station::new([3.6, 0.0, 1.9], [0.03, 0.035]),
        Station::new([3.66, 0.0, 2.0], [0.0, 0.0]),
    ];
    animal.sweep(&round(12), &smooth(&nose, 2), DVec3::X);
}

/// Adds a bowl behind the skull, open to the front and leaning back, with a scalloped rim.
fn frill(animal: &mut Assembly) {
    let lean = polar(1.0, 0.6);
    let (up, back) = (dvec3(-lean.y, 0.0, lean.x), dvec3(-lean.x, 0.0, -lean.y));
    let middle = dvec3(2.35, 0.0, 2.0);
    let around = 32;
    // Points (radius, distance behind the middle), from the back over the rim to the hollow front.
    let profile = [
        (0.0, 0.25),
        (0.3, 0.24),
        (0.6, 0.18),
        (0.85, 0.06),
        (1.0, -0.06),
        (0.99, -0.1),
        (0.83, 0.0),
        (0.58, 0.1),
        (0.3, 0.16),
        (0.0, 0.17),
    ];
    let rings: Vec<Vec<DVec3>> = profile
        .iter()
        .map(|&(radius, depth)| {
            (0..around)
                .map(|i| {
                    let turn = polar(1.0, TAU * f64::from(i) / f64::from(around));
                    let scallop = if i % 2 == 0 && radius > 0.9 { 1.06 } else { 1.0 };
                    let size = dvec2(0.98, if turn.y > 0.0 { 0.95 } else { 0.55 }) * radius * scallop;
                    middle + DVec3::Y * (turn.x * size.x) + up * (turn.y * size.y) + back * depth
                })
                .collect()
        })
        .collect();
    animal.loft(&rings);
}
