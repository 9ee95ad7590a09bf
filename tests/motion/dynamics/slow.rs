//! Slow motion that must not count as rest: slow motors and springs, strong dampers, a block that
//! begins to slide.

use std::f64::consts::{PI, TAU};

use glam::{DVec3, Vec3};
use tumble::generate;

use super::{G, Run, Setup};

fn jointed(head: &str, shape: Vec3, at: DVec3, part: &str, joint: &str) -> Run {
    let shape = generate::cuboid(shape, f64::from(shape.max_element()));
    let mut setup = Setup::new(head).place("part", &shape, at, [0.0; 3], part);
    setup.text += "[[joint]]\na = \"world\"\nb = \"part\"\nanchor = [0.0, 0.0, 0.0]\n";
    setup.text += joint;
    setup.open()
}

#[test]
fn slow_motors_go_on() {
    let still = "gravity = [0.0, 0.0, 0.0]";
    for degrees in [1e-4, 0.5, 2.0] {
        let joint = format!(
            "kind = \"hinge\"\naxis = [0.0, 1.0, 0.0]\ndrive = {{ velocity = {degrees:?}, damping = 5.0 }}"
        );
        let mut run = jointed(still, Vec3::new(0.5, 0.06, 0.06), DVec3::X * 0.25, "mass = 1.0", &joint);
        run.seconds(20.0);
        let turned = run.world.bodies().angles[0][0].to_degrees();
        assert!((turned / (20.0 * degrees) - 1.0).abs() < 0.01, "{degrees}: {turned}°");
    }
    let joint = "kind = \"slider\"\naxis = [1.0, 0.0, 0.0]\ndrive = { velocity = 0.002, damping = 100.0 }";
    let mut run = jointed(still, Vec3::splat(0.1), DVec3::ZERO, "mass = 1.0", joint);
    run.seconds(20.0);
    let moved = run.state("part").pose.position.x;
    assert!((moved / 0.04 - 1.0).abs() < 0.01, "{moved} m");
}

/// Stops a motor at the limit of its joint.
#[test]
fn a_stalled_motor_comes_to_rest() {
    let joint = "kind = \"slider\"\naxis = [1.0, 0.0, 0.0]\nmin = -0.1\nmax = 0.1\n\
                 drive = { velocity = 0.5, damping = 100.0, max = 20.0 }";
    let mut run = jointed("", Vec3::splat(0.1), DVec3::ZERO, "mass = 1.0", joint);
    run.seconds(3.0);
    assert_eq!(run.world.sleeping_count(), 1);
    let [axis] = &run.world.joint_uses()[0].axes[..] else { panic!("{:?}", run.world.joint_uses()) };
    let stalled = axis.stalled;
    assert_eq!((axis.axis, stalled.last_step), (0, 180), "it pushes on");
    assert!(stalled.step_count > 150 && stalled.step_count == 181 - stalled.first_step, "{stalled:?}");
    assert!((axis.effort.value / 20.0 - 1.0).abs() < 1e-6, "{axis:?}");
}

/// Swings a mass on a spring with T = 2π·√(m/k) = 20 s. At its turning points the mass is slow, but not
/// at rest.
#[test]
fn a_slow_spring_swings_on() {
    let joint = "kind = \"slider\"\naxis = [1.0, 0.0, 0.0]\ndrive = { target = 0.05, stiffness = 0.1 }";
    let mut run = jointed("gravity = [0.0, 0.0, 0.0]", Vec3::splat(0.1), DVec3::ZERO, "mass = 1.0", joint);
    let period = TAU * (1.0_f64 / 0.1).sqrt();
    run.seconds(0.5 * period);
    let farthest = run.state("part").pose.position.x;
    run.seconds(0.5 * period);
    let back = run.state("part").pose.position.x;
    assert!((farthest - 0.1).abs() < 1e-3 && back.abs() < 1e-3, "{farthest}, then {back} m");
}

/// Compares an overdamped pendulum with c·θ̇ = −m·g·l·sin θ, so that tan(θ/2) decays as e^(−m·g·l/c·t).
#[test]
fn a_pendulum_in_a_thick_damper_sinks_on() {
    for damping in [20.0, 1000.0] {
        sinks(damping);
    }
}

/// Tests that a pendulum with the given damping sinks as theory predicts, and stays awake.
fn sinks(damping: f64) {
    let (mass, arm) = (0.1, 0.25);
    let joint = format!("kind = \"hinge\"\naxis = [0.0, 0.0, 1.0]\ndrive = {{ damping = {damping:?} }}");
    let mut run = jointed("", Vec3::new(0.5, 0.02, 0.02), DVec3::X * arm, "mass = 0.1", &joint);
    let angle = |run: &Run| run.world.bodies().angles[0][0] + 0.5 * PI;
    run.seconds(0.5);
    let first = angle(&run);
    run.seconds(20.0);
    let rate = mass * G * arm / damping;
    let expected = 2.0 * ((0.5 * first).tan() * (-rate * 20.0).exp()).atan();
    let sunk = first - angle(&run);
    assert!((sunk / (first - expected) - 1.0).abs() < 0.01, "{sunk}, not {} rad", first - expected);
    assert_eq!(run.world.sleeping_count(), 0);
}

/// Slides a block on a slope 0.1° above the friction angle of µ = 0.5, 26.565°. The block becomes ever
/// faster.
#[test]
fn a_block_that_gains_speed_on_a_slope_does_not_fall_asleep() {
    let slope = 26.665_f64.to_radians();
    let plate = generate::cuboid(Vec3::new(8.0, 0.2, 2.0), 2.0);
    let block = generate::cuboid(Vec3::new(0.2, 0.1, 0.2), 0.2);
    let turned = [0.0, 0.0, slope.to_degrees()];
    let up = DVec3::new(-slope.sin(), slope.cos(), 0.0);
    let rule = "friction = 0.5";
    let mut run = Setup::new("")
        .place("plate", &plate, DVec3::ZERO, turned, &format!("motion = \"static\"\n{rule}"))
        .place("block", &block, 0.15 * up, turned, rule)
        .open();
    run.seconds(10.0);
    let slid = run.state("block").pose.position.distance(0.15 * up);
    // ½·a·t², minus the loss while the block sinks into the plate.
    let expected = 0.5 * G * (slope.sin() - 0.5 * slope.cos()) * 100.0;
    assert!((slid / expected - 1.0).abs() < 0.05, "{slid}, not {expected} m");
}

/// Moves a part to its drive's target. The mean of its speed decays more slowly than the speed itself.
#[test]
fn a_part_that_its_drive_has_brought_there_falls_asleep_soon() {
    let joint = "kind = \"slider\"\naxis = [1.0, 0.0, 0.0]\ndrive = { target = 0.5, stiffness = 1600.0, damping = 80.0 }";
    let mut run = jointed("", Vec3::splat(0.1), DVec3::ZERO, "mass = 1.0", joint);
    run.seconds(1.5);
    assert!((run.state("part").pose.position.x - 0.5).abs() < 1e-4);
    assert_eq!(run.world.sleeping_count(), 1);
}

/// Hangs a limb on a slow kinematic body. The limb was once left behind, asleep in the air.
#[test]
fn limb_on_a_slow_kinematic_body_stays_awake() {
    let cube = generate::cuboid(Vec3::splat(0.1), 0.1);
    let mut setup = Setup::new("")
        .place("mover", &cube, DVec3::ZERO, [0.0; 3], "motion = \"kinematic\"\nvelocity = [0.004, 0.0, 0.0]")
        .place("limb", &cube, DVec3::Y * -0.2, [0.0; 3], "density = 500.0");
    setup.text += "[[joint]]\nkind = \"ball\"\na = \"mover\"\nb = \"limb\"\nanchor = [0.0, -0.1, 0.0]\n";
    let mut run = setup.open();
    run.seconds(20.0);
    let [mover, limb] = ["mover", "limb"].map(|name| run.state(name).pose.position.x);
    assert!((mover - 0.08).abs() < 1e-6 && (limb - 0.08).abs() < 5e-3, "{mover}, {limb} m");
}
