//! Light parts under loads: what they bear must not push them through what they stand on.

use std::fmt::Write;

use glam::{DVec3, Vec3};
use tumble::generate;

use super::Setup;

/// A pad of 20 mm and 15 g between the ground and a cube of 40 mm. A contact keeps an overlap of 0.04 mm; the
/// rest is what it gives way.
#[test]
fn a_pad_of_15_grams_bears_up_to_four_kilograms() {
    let pad = generate::cuboid(Vec3::new(0.04, 0.02, 0.04), 0.02);
    let cube = generate::cuboid(Vec3::splat(0.04), 0.02);
    for mass in [0.3, 1.0, 4.0] {
        let mut run = Setup::new("[ground]\nsize = 2.0")
            .place("pad", &pad, DVec3::Y * 0.0101, [0.0; 3], "mass = 0.015")
            .place("cube", &cube, DVec3::Y * 0.0403, [0.0; 3], &format!("mass = {mass}"))
            .open();
        let mut deepest = 0.0_f64;
        for _ in 0..120 {
            run.world.step();
            let [pad, cube] = ["pad", "cube"].map(|name| run.lowest(name));
            deepest = deepest.max(-pad).max(pad + 0.02 - cube);
        }
        assert!(deepest < 0.5e-3, "{mass} kg: {deepest} m deep");
        assert_eq!(run.world.sleeping_count(), 2, "{mass} kg");
        assert_eq!(run.world.incidents().passages.len(), 0, "{mass} kg");
    }
}

/// Two pads of 15 g on sliders close on a cube of 0.3 kg, each with the force of its drive.
#[test]
fn pads_of_15_grams_press_a_cube_with_up_to_200_newtons() {
    let side = generate::cuboid(Vec3::new(0.02, 0.04, 0.04), 0.02);
    let cube = generate::cuboid(Vec3::splat(0.04), 0.02);
    for force in [10.0, 40.0, 200.0] {
        let mut setup = Setup::new("gravity = [0, 0, 0]")
            .place("cube", &cube, DVec3::ZERO, [0.0; 3], "mass = 0.3")
            .place("right", &side, DVec3::X * 0.0301, [0.0; 3], "mass = 0.015")
            .place("left", &side, DVec3::X * -0.0301, [0.0; 3], "mass = 0.015");
        for (pad, x, velocity) in [("right", 0.03, -0.1), ("left", -0.03, 0.1)] {
            writeln!(
                setup.text,
                "[[joint]]\nkind = \"slider\"\na = \"world\"\nb = \"{pad}\"\nanchor = [{x}, 0, 0]\naxis = [1, 0, 0]\n\
                 drive = {{ velocity = {velocity}, damping = 500, max = {force} }}"
            )
            .unwrap();
        }
        let mut run = setup.open();
        for step in 0..120 {
            run.world.step();
            let [cube, right, left] = ["cube", "right", "left"].map(|name| run.state(name).pose.position.x);
            let gaps = [right - cube, cube - left].map(|distance| distance - 0.03);
            assert!(gaps.iter().all(|gap| *gap > -0.5e-3), "{force} N, step {step}: {gaps:?}");
        }
    }
}
