//! Loads of joints and drives, as reported to a user, compared with theory.

use std::fmt::Write;

use glam::{DVec3, Vec3};
use tumble::generate;
use tumble::world::Event;

use super::{G, Run, Setup};

/// Returns a part of 1 kg with a joint to the world; `joint` holds the keys of the joint.
fn jointed(middle: DVec3, size: Vec3, joint: &str) -> Setup {
    let shape = generate::cuboid(size, 1.0);
    let mut setup = Setup::new("").place("part", &shape, middle, [0.0; 3], "mass = 1.0");
    writeln!(setup.text, "[[joint]]\na = \"world\"\nb = \"part\"\n{joint}").unwrap();
    setup
}

/// Releases a ball on a light rod from level. At the lowest point the joint bears 3·m·g, plus 1 % for
/// the inertia of the ball and for the swing between two steps.
#[test]
fn a_pendulum_bears_three_times_its_weight_at_the_lowest_point() {
    let joint = "kind = \"hinge\"\nanchor = [0.0, 0.0, 0.0]\naxis = [0.0, 0.0, 1.0]";
    let mut run = jointed(DVec3::X, Vec3::splat(0.05), joint).open();
    run.seconds(1.0);
    let used = &run.world.joint_uses()[0];
    assert!((used.force.value / (3.0 * G) - 1.0).abs() < 0.02, "{used:?}");
    let [axis] = &used.axes[..] else { panic!("{used:?}") };
    let swung = axis.range[1] - axis.range[0];
    assert!(swung > 2.5 && swung < std::f64::consts::PI + 0.01, "{axis:?}");
}

/// Hangs a part. If it falls asleep while it still sways slightly, its joint keeps the load of that
/// step.
#[test]
fn a_part_that_hangs_bears_its_weight_and_a_bracket_its_torque() {
    let fixed = "kind = \"fixed\"\nanchor = [0.0, 0.0, 0.0]";
    for (may_sleep, bound) in [(false, 1e-5), (true, 0.02)] {
        let setup = jointed(DVec3::X * 0.3, Vec3::splat(0.1), fixed);
        let mut run = setup.open_with(|config| config.sleep = may_sleep);
        run.seconds(4.0);
        let step = run.world.joint_steps()[0];
        assert!((step.force / G - 1.0).abs() < bound, "{step:?}");
        assert!((step.torque / (0.3 * G) - 1.0).abs() < bound, "{step:?}");
    }
}

/// Presses a slider against a wall. The wall bears the largest force of the drive, and the drive is
/// reported as stalled, 0.2 m from its target.
#[test]
fn a_slider_against_a_wall_reads_its_largest_force_and_stalls() {
    let joint = "kind = \"slider\"\nanchor = [0.0, 0.0, 0.0]\naxis = [1.0, 0.0, 0.0]\n\
                 drive = { target = 0.5, stiffness = 1e5, damping = 1e3, max = 40.0 }";
    let wall = generate::cuboid(Vec3::new(0.2, 1.0, 1.0), 1.0);
    let mut run = jointed(DVec3::ZERO, Vec3::splat(0.1), joint)
        .place("wall", &wall, DVec3::X * 0.45, [0.0; 3], "motion = \"static\"")
        .open();
    let mut stalls = Vec::new();
    for step in 1..=180_u32 {
        run.world.step();
        let stalled = |event: &&Event| matches!(event, Event::DriveStalled { joint: 0, .. });
        stalls.extend(run.world.events().iter().filter(stalled).map(|_| step));
    }
    let wall = run.world.touching()[0];
    assert!((wall.force / 40.0 - 1.0).abs() < 0.005, "{wall:?}");
    let [axis] = &run.world.joint_uses()[0].axes[..] else { panic!() };
    let now = run.world.axis_steps().1[0];
    assert!((now.effort / 40.0 - 1.0).abs() < 1e-6, "{now:?}");
    assert!(now.is_stalled && (now.coordinate - 0.3).abs() < 1e-3, "{now:?}");
    assert!((now.deviation.unwrap() + 0.2).abs() < 1e-3, "{now:?}");
    assert_eq!(stalls, [axis.stalled.first_step], "told once");
    assert_eq!(axis.at_limit.step_count, 0);
}

#[test]
fn a_joint_at_its_limit_is_told_once_and_timed() {
    let joint = "kind = \"slider\"\nanchor = [0.0, 0.0, 0.0]\naxis = [0.0, 1.0, 0.0]\nmin = -0.2\nmax = 0.1";
    let mut run = jointed(DVec3::ZERO, Vec3::splat(0.1), joint).open();
    let mut told = 0;
    for _ in 0..120 {
        run.world.step();
        let at_limit = |event: &&Event| matches!(event, Event::JointAtLimit { joint: 0, axis: _ });
        told += run.world.events().iter().filter(at_limit).count();
    }
    let used = &run.world.joint_uses()[0];
    let axis = &used.axes[0];
    // It falls 0.2 m in 0.2 s.
    assert!((96..=109).contains(&axis.at_limit.step_count), "{axis:?}");
    assert!((1..=3).contains(&told), "{told}");
    assert!((axis.range[0] + 0.2).abs() < 1e-3, "{axis:?}");
    assert!((run.world.joint_steps()[0].force / G - 1.0).abs() < 0.005);
}

impl Run {
    fn deviation_deg(&self) -> f64 {
        self.world.joint_uses()[0].axes[0].deviation.unwrap().value.to_degrees()
    }
}

/// Loads a spring with the weight of a beam. It deflects by its load over its stiffness, m·g·l/k.
#[test]
fn a_weak_drive_is_told_to_miss_its_target_by_its_load() {
    let joint = "kind = \"hinge\"\nanchor = [0.0, 0.0, 0.0]\naxis = [0.0, 0.0, 1.0]\n\
                 drive = { target = 0.0, stiffness = 100.0, damping = 60.0 }";
    let mut run = jointed(DVec3::X * 0.5, Vec3::new(1.0, 0.05, 0.05), joint).open();
    run.seconds(8.0);
    let expected = (0.5 * G / 100.0_f64).to_degrees();
    assert!((run.deviation_deg() / expected - 1.0).abs() < 0.01, "{}, {expected}", run.deviation_deg());
}

/// Hangs a part that falls asleep. The joint keeps its load, whether it connects the part to a static
/// part or to the world.
#[test]
fn a_joint_bears_its_load_while_its_bodies_sleep() {
    for a in ["world", "block"] {
        let block = generate::cuboid(Vec3::splat(0.1), 0.1);
        let mut setup = Setup::new("").place("part", &block, DVec3::Y * -0.3, [0.0; 3], "mass = 1.0").place(
            "block",
            &block,
            DVec3::ZERO,
            [0.0; 3],
            "motion = \"static\"",
        );
        let joint = "kind = \"fixed\"\nanchor = [0.0, 0.0, 0.0]";
        writeln!(setup.text, "[[joint]]\na = \"{a}\"\nb = \"part\"\n{joint}").unwrap();
        let mut run = setup.open();
        run.seconds(4.0);
        assert_eq!(run.world.sleeping_count(), 1);
        let step = run.world.joint_steps()[0];
        assert!((step.force / G - 1.0).abs() < 0.005, "{a}: {step:?}");
    }
}

/// Accelerates a part with the largest force of a drive. That must not count as a stall.
#[test]
fn a_drive_at_its_largest_force_that_moves_is_not_stalled() {
    let joint = "kind = \"slider\"\nanchor = [0.0, 0.0, 0.0]\naxis = [1.0, 0.0, 0.0]\n\
                 drive = { velocity = 50.0, damping = 1e4, max = 5.0 }";
    let mut run = jointed(DVec3::ZERO, Vec3::splat(0.1), joint).open();
    run.seconds(1.0);
    let axis = &run.world.joint_uses()[0].axes[0];
    assert!((run.world.axis_steps().1[0].effort / 5.0 - 1.0).abs() < 1e-6, "{axis:?}");
    assert!((run.state("part").linear_velocity.x / 5.0 - 1.0).abs() < 0.01, "5 N move 1 kg");
    // At the end of the first step the part is still slow.
    assert!(axis.stalled.step_count <= 1, "{axis:?}");
}
