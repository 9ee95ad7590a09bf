//! Parts that become fast within a step, by an impact or a drive: a pass ends at the limit of its
//! speculative distance, so that no part passes a wall that was not searched.

use std::fmt::Write;

use glam::{DVec3, Vec3};
use tumble::generate;

use super::{G, Run, Setup};

/// Returns a wall of 20 mm whose near side is at x = 0.1 m, and a plate of 4 mm in front of it.
fn wall_and_plate(plate_mass: f64) -> Setup {
    let wall = generate::cuboid(Vec3::new(0.02, 0.4, 0.4), 0.1);
    let plate = generate::cuboid(Vec3::new(0.004, 0.2, 0.2), 0.1);
    Setup::new("gravity = [0, 0, 0]")
        .place("wall", &wall, DVec3::X * 0.11, [0.0; 3], "motion = \"static\"")
        .place("plate", &plate, DVec3::X * 0.05, [0.0; 3], &format!("mass = {plate_mass:?}"))
}

/// Steps, and tests that the center of the plate never reaches the wall.
fn the_plate_stays_before_the_wall(run: &mut Run, what: &str) {
    for step in 0..120 {
        run.world.step();
        let x = run.state("plate").pose.position.x;
        assert!(x < 0.1, "{what}, step {step}: {x}");
    }
    assert_eq!(run.world.incidents().passages, [], "{what}");
}

/// Kicks a plate with a hammer: at 3 m/s through contacts, faster at the first touch. Without the limit
/// on a pass, 16 of 19 such plates went through the wall, some unreported.
#[test]
fn a_plate_that_a_heavy_hammer_kicks_does_not_pass_a_wall() {
    let hammer = generate::cuboid(Vec3::splat(0.1), 0.1);
    for (plate_mass, speed) in [(0.2, 3.0), (0.2, 5.0), (0.2, 20.0), (1.0, 10.0)] {
        let rule = format!("mass = 50.0\nvelocity = [{speed:?}, 0, 0]");
        let mut run =
            wall_and_plate(plate_mass).place("hammer", &hammer, DVec3::X * -0.01, [0.0; 3], &rule).open();
        the_plate_stays_before_the_wall(&mut run, &format!("{plate_mass} kg at {speed} m/s"));
    }
}

#[test]
fn a_plate_that_a_drive_presses_does_not_pass_a_wall() {
    for force in [50.0, 200.0, 2000.0] {
        let mut setup = wall_and_plate(1.0);
        writeln!(
            setup.text,
            "[[joint]]\nkind = \"slider\"\na = \"world\"\nb = \"plate\"\nanchor = [0.05, 0, 0]\naxis = [1, 0, 0]\n\
             drive = {{ target = 1.0, stiffness = 1e6, damping = 1000.0, max = {force:?} }}"
        )
        .unwrap();
        the_plate_stays_before_the_wall(&mut setup.open(), &format!("{force} N"));
    }
}

/// Divides a step into further passes. Their durations must sum correctly: a body far away falls as if
/// no pass had ended early.
#[test]
fn free_motion_continues_while_another_pass_ends_early() {
    let hammer = generate::cuboid(Vec3::splat(0.1), 0.1);
    let mut setup = wall_and_plate(0.2)
        .place("hammer", &hammer, DVec3::X * -0.01, [0.0; 3], "mass = 50.0\nvelocity = [3.0, 0, 0]")
        .place("far", &hammer, DVec3::new(0.0, 50.0, 30.0), [0.0; 3], "");
    setup.text = setup.text.replace("gravity = [0, 0, 0]", "");
    let mut run = setup.open();
    let (mut cut, steps) = (0, 30);
    for _ in 0..steps {
        run.world.step();
        cut += run.world.counts().cut_passes;
    }
    assert!(cut > 0, "no pass ended early");
    let speed = -run.state("far").linear_velocity.y;
    assert!((speed - G * f64::from(steps) / 60.0).abs() < 1e-9, "{speed}");
}

/// Kicks a plate on a joint so fast that a hundred passes are not enough.
#[test]
fn a_body_that_goes_farther_than_was_foreseen_is_named() {
    let hammer = generate::cuboid(Vec3::splat(0.1), 0.1);
    let rule = "mass = 50.0\nvelocity = [20000.0, 0, 0]";
    let mut setup = wall_and_plate(0.2).place("hammer", &hammer, DVec3::X * -0.01, [0.0; 3], rule);
    setup.text.push_str(
        "[[joint]]\nkind = \"slider\"\na = \"world\"\nb = \"plate\"\nanchor = [0, 0, 0]\naxis = [1, 0, 0]\n",
    );
    let mut run = setup.open();
    run.seconds(0.1);
    let named: Vec<&str> = run.world.incidents().outruns.iter().map(|o| o.name.as_str()).collect();
    assert!(named.contains(&"plate"), "{named:?}");
}

/// Spins a plate beside a wall that it never touches. It takes no more passes than without the wall.
#[test]
fn spinning_body_out_of_reach_cuts_no_pass() {
    let passes = |wall_at: f64| {
        let wall = generate::cuboid(Vec3::new(0.02, 4.0, 4.0), 1.0);
        let blade = generate::cuboid(Vec3::new(0.05, 1.0, 0.02), 0.1);
        let mut run = Setup::new("gravity = [0, 0, 0]")
            .place("wall", &wall, DVec3::X * wall_at, [0.0; 3], "motion = \"static\"")
            .place("blade", &blade, DVec3::ZERO, [0.0; 3], "mass = 1.0\nangular_velocity = [0, 0, 60]")
            .open();
        (0..60)
            .map(|_| {
                run.world.step();
                assert_eq!(run.world.counts().cut_passes, 0, "wall at {wall_at} m");
                run.world.counts().passes
            })
            .sum::<u64>()
    };
    assert_eq!(passes(1.5), passes(100.0));
}
