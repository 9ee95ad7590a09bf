//! Energy, which must not increase when bodies bounce, swing or spin fast, and motion on a turntable.

use std::f64::consts::FRAC_PI_2;

use glam::{DVec3, Vec3};
use tumble::generate;

use super::{Run, Setup};

/// Returns the highest energy within `steps` steps, relative to the energy at the start.
fn greatest_share(run: &mut Run, steps: u32) -> f64 {
    let start = run.world.energy();
    let mut greatest: f64 = 0.0;
    for _ in 0..steps {
        run.world.step();
        greatest = greatest.max(run.world.energy() / start);
    }
    greatest
}

/// Drops spinning parts. Each lands on several points, one after the other within a step, and rotates
/// between these contacts.
#[test]
fn parts_that_spin_bounce_with_no_more_energy_than_they_have() {
    let shapes = [
        generate::torus(0.08, 0.03, 24, 12),
        generate::sphere(0.1, 16),
        generate::cuboid(Vec3::splat(0.15), 0.15),
    ];
    let mut setup = Setup::new("ground = { size = 40.0 }");
    for k in 0..36_usize {
        let at = DVec3::new(1.0 * (k % 6) as f64, 0.6, 1.0 * (k / 6) as f64);
        let turn = [50.0 * k as f64, 35.0 * k as f64, 20.0 * k as f64];
        let spin = [3.0 * (k % 5) as f64 - 6.0, 2.0 * (k % 7) as f64 - 6.0, 4.0];
        let rule = format!("restitution = 1.0\nfriction = 0.0\nangular_velocity = {spin:?}");
        setup = setup.place(&format!("part{k}"), &shapes[k % 3], at, turn, &rule);
    }
    setup.text += "[[part]]\nname = \"ground\"\nrestitution = 1.0\nfriction = 0.0\n";
    let mut run = setup.open_with(|config| config.sleep = false);
    let share = greatest_share(&mut run, 240);
    assert!(share < 1.0 + 1e-6, "{share} of the energy");
}

/// Shoots a rod of 1.5 mm that spins at 300 rad/s. Within a sub-step it rotates by more than a radian,
/// so its response to an impulse changes greatly.
#[test]
fn a_needle_shot_at_a_plate_flies_off_no_faster() {
    let needle = generate::cuboid(Vec3::new(0.0015, 0.06, 0.0015), 0.06);
    let plate = generate::cuboid(Vec3::new(2.0, 0.01, 2.0), 2.0);
    for k in 0..12 {
        let turn = [40.0 * f64::from(k), 25.0, 70.0 - 15.0 * f64::from(k)];
        let rule = "mass = 0.002\nvelocity = [12.0, -40.0, 5.0]\nangular_velocity = [250.0, 60.0, 160.0]";
        let mut run = Setup::new("gravity = [0.0, 0.0, 0.0]")
            .place("plate", &plate, DVec3::ZERO, [0.0; 3], "motion = \"static\"")
            .place("needle", &needle, DVec3::new(-0.3, 1.0, 0.0), turn, rule)
            .open_with(|config| config.sleep = false);
        let share = greatest_share(&mut run, 60);
        assert!(share < 1.01, "shot {k}: {share} of the energy");
    }
}

/// Releases a pendulum from level. After a minute of swings through 180° it returns to within 1 % of
/// its height.
#[test]
fn a_pendulum_that_is_let_go_level_keeps_its_height_for_a_minute() {
    let ball = generate::cuboid(Vec3::splat(0.2), 0.2);
    let mut setup = Setup::new("").place("ball", &ball, DVec3::X, [0.0; 3], "mass = 1.0");
    setup.text += "[[joint]]\na = \"world\"\nb = \"ball\"\nkind = \"hinge\"\nanchor = [0.0, 0.0, 0.0]\n\
                   axis = [0.0, 0.0, 1.0]\n";
    let mut run = setup.open();
    run.seconds(58.0);
    let (mut highest, mut off) = (f64::NEG_INFINITY, 0.0_f64);
    for _ in 0..120 {
        run.world.step();
        let place = run.state("ball").pose.position;
        highest = highest.max(place.y);
        off = off.max((place.length() - 1.0).abs());
    }
    assert!((-0.01..1e-3).contains(&highest), "{highest} m");
    assert!(off < 2e-4, "{off} m off its circle");
}

/// Places a box on a turntable, so that only friction moves it. Once it has the speed of the table, it
/// stays at its position on the table.
#[test]
fn a_box_on_a_turning_table_keeps_its_place() {
    let table = generate::cuboid(Vec3::new(3.0, 0.2, 3.0), 3.0);
    let cube = generate::cuboid(Vec3::splat(0.1), 0.1);
    let turns = "motion = \"kinematic\"\nangular_velocity = [0.0, 2.2, 0.0]\nfriction = 0.5";
    let mut run = Setup::new("name = \"turntable\"")
        .place("table", &table, DVec3::Y * -0.1, [0.0; 3], turns)
        .place("box", &cube, DVec3::new(0.3, 0.05, 0.0), [0.0; 3], "friction = 0.5")
        .open();
    let radius = |run: &Run| run.state("box").pose.position.with_y(0.0).length();
    run.seconds(1.0);
    let settled = radius(&run);
    run.seconds(9.0);
    assert!((radius(&run) / settled - 1.0).abs() < 1e-3, "{} of {settled} m", radius(&run));
}

/// Compares the flight of a spinning part with ½·g·t², for several numbers of sub-steps.
#[test]
fn a_thrown_part_flies_on_its_parabola() {
    let brick = generate::cuboid(Vec3::new(0.1, 0.2, 0.3), 0.3);
    for substeps in [1, 4] {
        let rule = format!("velocity = [3.0, 10.0, 0.0]\nangular_velocity = [0.0, 0.0, {FRAC_PI_2}]");
        let mut run = Setup::new("")
            .place("brick", &brick, DVec3::Y * 100.0, [0.0; 3], &rule)
            .open_with(|config| config.substeps = substeps);
        run.seconds(4.0);
        let ideal = DVec3::new(12.0, 100.0 + 40.0 - 0.5 * super::G * 16.0, 0.0);
        let off = run.state("brick").pose.position.distance(ideal);
        assert!(off < 1e-4, "{substeps} sub-steps: {off} m");
    }
}
