//! Light parts that bear much heavier ones (loads): a load must not push them through their support.

use std::fmt::Write;

use glam::{DVec3, Vec3};
use tumble::generate;

use super::Setup;

/// Places a pad of 20 mm and 15 g, with edges of `edge` (m), between the ground and a cube of 40 mm. Returns
/// the depth of the deeper of its two contacts in 2 s, m, and the number of bodies that then sleep. Of the
/// depth, 0.04 mm are accepted by the contact; the remainder is its deflection.
fn deflection(mass: f64, edge: f64) -> (f64, u32) {
    let cube = generate::cuboid(Vec3::splat(0.04), 0.02);
    let pad = generate::cuboid(Vec3::new(0.04, 0.02, 0.04), edge);
    let mut run = Setup::new("[ground]\nsize = 2.0")
        .place("pad", &pad, DVec3::Y * 0.0101, [0.0; 3], "mass = 0.015")
        .place("cube", &cube, DVec3::Y * 0.0403, [0.0; 3], &format!("mass = {mass:?}"))
        .open();
    let mut deepest = 0.0_f64;
    for _ in 0..120 {
        run.world.step();
        let [pad, cube] = ["pad", "cube"].map(|name| run.lowest(name));
        deepest = deepest.max(-pad).max(pad + 0.02 - cube);
    }
    assert_eq!(run.world.incidents().passages.len(), 0, "{mass} kg");
    (deepest, run.world.sleeping_count())
}

#[test]
fn a_pad_of_15_grams_bears_up_to_four_kilograms() {
    for (mass, edge) in [(0.3, 0.02), (1.0, 0.02), (4.0, 0.02), (4.0, 0.005)] {
        let (deepest, sleeping) = deflection(mass, edge);
        assert_eq!(sleeping, 2, "{mass} kg");
        assert!(deepest < 0.3e-3, "{mass} kg, edges of {edge} m: {deepest} m deep");
    }
}

/// Presses the pad with about 650 times its mass. Friction may twist the pad while the cube lands, and then
/// press it aside: at which masses depends on the last digits, so that the share of the masses counts.
#[test]
fn a_pad_of_15_grams_bears_ten_kilograms_in_most_cases() {
    for edge in [0.02, 0.005] {
        let masses = (0..20).map(|k| 9.0 + 0.1 * f64::from(k));
        let lost: Vec<f64> = masses.filter(|&mass| deflection(mass, edge).0 > 1e-3).collect();
        assert!(lost.len() <= 5, "edges of {edge} m: {lost:?} kg");
    }
}

/// Presses a cube of 0.3 kg between two pads of 15 g on sliders, each with the force of its drive.
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

/// Runs extreme masses, forces and steps. States stay finite, and a load that is not solved to
/// convergence is reported.
#[test]
fn loads_beyond_reason_stay_finite_and_are_named() {
    let pad = generate::cuboid(Vec3::new(0.04, 0.02, 0.04), 0.02);
    let cube = generate::cuboid(Vec3::splat(0.04), 0.02);
    for (mass, force, dt) in
        [(1e9, 0.0, 1.0 / 60.0), (1.0, 1e9, 1.0 / 60.0), (10.0, 100.0, 1e-6), (10.0, 100.0, 1.0)]
    {
        let setup = Setup::new("[ground]\nsize = 2.0")
            .place("pad", &pad, DVec3::Y * 0.0101, [0.0; 3], "mass = 0.015")
            .place("cube", &cube, DVec3::Y * 0.0403, [0.0; 3], &format!("mass = {mass:?}"));
        let drive = format!(
            "[[joint]]\nkind = \"slider\"\na = \"world\"\nb = \"cube\"\nanchor = [0, 0.0403, 0]\naxis = [0, 1, 0]\n\
             drive = {{ velocity = -1.0, damping = 1e9, max = {force:?} }}"
        );
        let mut run =
            Setup { text: format!("{}{drive}\n", setup.text), ..setup }.open_with(|config| config.dt = dt);
        for _ in 0..60 {
            run.world.step();
        }
        let is_held = ["pad", "cube"].iter().all(|name| {
            let state = run.state(name);
            assert!(state.is_finite(), "{mass} kg, {force} N, {dt} s: {state:?}");
            run.lowest(name) > -0.01
        });
        let incidents = run.world.incidents();
        let is_named = !(incidents.passages.is_empty()
            && incidents.falls.is_empty()
            && incidents.unfinished_loads.is_empty()
            && run.world.quarantined().is_empty());
        assert!(is_held || is_named, "{mass} kg, {force} N, {dt} s: {incidents:?}");
    }
}

/// Closes two kinematic jaws on a cube from opposite sides.
#[test]
fn a_part_between_two_jaws_that_never_yield_stays_finite_and_is_named() {
    let jaw = generate::cuboid(Vec3::splat(0.1), 0.05);
    let cube = generate::cuboid(Vec3::splat(0.04), 0.02);
    let mut run = Setup::new("gravity = [0, 0, 0]")
        .place("left", &jaw, DVec3::X * -0.08, [0.0; 3], "motion = \"kinematic\"\nvelocity = [0.2, 0, 0]")
        .place("right", &jaw, DVec3::X * 0.08, [0.0; 3], "motion = \"kinematic\"\nvelocity = [-0.2, 0, 0]")
        .place("cube", &cube, DVec3::ZERO, [0.0; 3], "mass = 0.1")
        .open();
    run.seconds(0.25);
    let state = run.state("cube");
    assert!(state.is_finite() && state.linear_velocity.length() < 1.0, "{state:?}");
    let loads = &run.world.incidents().unfinished_loads;
    let is_named = loads.iter().any(|load| [&load.a_name, &load.b_name].iter().any(|name| *name == "cube"));
    assert!(is_named, "{loads:?}");
}
