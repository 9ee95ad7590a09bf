//! Random loads: parts of any mass on one to three light pads, pressed by their weight or by a drive.

use std::fmt::Write;

use glam::{DVec3, Vec3};
use tumble::generate;
use tumble::random::Random;

use super::Setup;
use crate::rounds::rounds;

/// A part (load) and the pads under it, which are up to 20 mm thick. The first pad is on the ground.
#[derive(Debug)]
struct Load {
    thicknesses: Vec<f64>,
    mass: f64,
    /// Force of the drive that presses the load, N.
    force: Option<f64>,
}

const PAD_MASS: f64 = 0.02;
const LOAD_SIZE: f64 = 0.06;
/// Initial gap between two parts, m.
const GAP: f64 = 1e-4;

impl Load {
    fn random(random: &mut Random) -> Self {
        let log = |low: f64, high: f64, t: f64| low * (high / low).powf(t);
        let mut unit = || random.uniform();
        let count = 1 + (3.0 * unit()).min(2.0) as usize;
        let thicknesses = (0..count).map(|_| log(1e-3, 20e-3, unit())).collect();
        let mass = PAD_MASS * log(1.0, 2000.0, unit());
        let force = (unit() < 0.5).then(|| log(1.0, 500.0, unit()));
        Self { thicknesses, mass, force }
    }

    /// Returns the distance that the load sinks in two seconds, without the initial gaps, as a share of
    /// the thinnest pad.
    fn sinks_by(&self) -> f64 {
        let mut setup = Setup::new("[ground]\nsize = 2.0");
        let mut top = GAP;
        for (k, &thickness) in self.thicknesses.iter().enumerate() {
            let pad = generate::cuboid(Vec3::new(0.08, thickness as f32, 0.08), 0.04);
            let middle = DVec3::Y * (top + 0.5 * thickness);
            setup = setup.place(&format!("pad{k}"), &pad, middle, [0.0; 3], &format!("mass = {PAD_MASS:?}"));
            top += thickness + GAP;
        }
        let load = generate::cuboid(Vec3::splat(LOAD_SIZE as f32), 0.03);
        let start = top + 0.5 * LOAD_SIZE;
        setup = setup.place("load", &load, DVec3::Y * start, [0.0; 3], &format!("mass = {:?}", self.mass));
        if let Some(force) = self.force {
            writeln!(
                setup.text,
                "[[joint]]\nkind = \"slider\"\na = \"world\"\nb = \"load\"\nanchor = [0, {start:?}, 0]\n\
                 axis = [0, 1, 0]\ndrive = {{ velocity = -0.05, damping = 1e4, max = {force:?} }}"
            )
            .unwrap();
        }
        let mut run = setup.open();
        run.seconds(2.0);
        let gaps = GAP * (self.thicknesses.len() + 1) as f64;
        let thinnest = self.thicknesses.iter().copied().fold(f64::INFINITY, f64::min);
        (start - run.state("load").pose.position.y - gaps) / thinnest
    }
}

/// Runs random loads. At most one in twenty may sink by more than half of its thinnest pad.
#[test]
fn random_loads_do_not_go_through_what_bears_them() {
    let count = rounds(200);
    let mut random = Random::new(77, 0);
    let loads: Vec<Load> = (0..count).map(|_| Load::random(&mut random)).collect();
    let sunk = loads.iter().map(Load::sinks_by).zip(&loads);
    let through: Vec<(f64, &Load)> = sunk.filter(|(share, _)| *share > 0.5).collect();
    assert!(through.len() * 20 <= count, "{} of {count}: {through:.4?}", through.len());
}
