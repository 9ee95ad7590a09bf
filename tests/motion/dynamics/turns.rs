//! Hinges that rotate by more than one turn: limits, drives and tables count whole turns.

use glam::{DVec3, Vec3};
use tumble::generate;
use tumble::record::{Frame, History};

use super::{Run, Setup};

const ACCELERATES: &str =
    "drive = { target = 90.0, stiffness = 4.0, damping = 4.0, kind = \"acceleration\" }";

/// Returns bars of 0.5 m with the given densities in a row along x from the origin, without gravity.
/// Each is named by its index. The first is joined to the world at the origin; `joint` holds the keys
/// of that joint.
fn bars(densities: &[f64], joint: &str) -> Setup {
    let shape = generate::cuboid(Vec3::new(0.5, 0.06, 0.06), 0.5);
    let mut setup = Setup::new("gravity = [0.0, 0.0, 0.0]");
    for (k, density) in densities.iter().enumerate() {
        let (name, middle) = (format!("bar{k}"), DVec3::X * (0.25 + 0.5 * k as f64));
        setup = setup.place(&name, &shape, middle, [0.0; 3], &format!("density = {density:?}"));
    }
    setup.text +=
        "[[joint]]\na = \"world\"\nb = \"bar0\"\nanchor = [0.0, 0.0, 0.0]\naxis = [0.0, 1.0, 0.0]\n";
    setup.text += &format!("{joint}\n");
    setup
}

/// Returns a bar that rotates about the vertical through its end.
fn bar(joint: &str) -> Run {
    bars(&[1000.0], &format!("kind = \"hinge\"\n{joint}")).open()
}

/// Returns the angle of the bar, degrees.
fn turned(run: &Run) -> f64 {
    run.world.bodies().angles[0][0].to_degrees()
}

#[test]
fn limits_beyond_half_a_turn_stop_a_hinge_there() {
    let drive = |speed: f64| format!("drive = {{ velocity = {speed:?}, damping = 5.0, max = 20.0 }}");
    for (limits, speed, stop) in [
        ("min = 0.0\nmax = 170.0", 90.0, 170.0),
        ("min = 0.0\nmax = 400.0", 180.0, 400.0),
        ("min = 0.0\nmax = 1000.0", 360.0, 1000.0),
        ("min = -200.0\nmax = 270.0", -90.0, -200.0),
        ("max = 1000.0", 360.0, 1000.0),
    ] {
        let mut run = bar(&format!("{limits}\n{}", drive(speed)));
        run.seconds(6.0);
        assert!((turned(&run) - stop).abs() < 0.5, "{limits}: {}°", turned(&run));
    }
}

/// Rotates a hinge away from its only limit. Beyond half a turn it was once taken to be beyond the
/// limit, and was flung back.
#[test]
fn a_hinge_with_one_limit_turns_away_from_it_freely() {
    let mut run = bar("min = -30.0");
    run.state_mut("bar0").angular_velocity.y = 2.0;
    run.state_mut("bar0").linear_velocity.z = -0.5;
    let energy = run.world.energy();
    run.seconds(12.0);
    assert!((turned(&run) - 24.0_f64.to_degrees()).abs() < 1.0, "{}°", turned(&run));
    assert!((run.world.energy() / energy - 1.0).abs() < 0.01, "{} J", run.world.energy());
}

#[test]
fn a_drive_takes_a_free_hinge_round_as_often_as_its_target_says() {
    for target in [250.0, 540.0, -720.0] {
        let mut run = bar(&format!("drive = {{ target = {target:?}, stiffness = 5.0, damping = 1.0 }}"));
        run.seconds(12.0);
        assert!((turned(&run) - target).abs() < 0.1, "{target}: {}°", turned(&run));
    }
}

/// Starts a hinge at 0, or at the whole turns that its limits require.
#[test]
fn a_hinge_starts_within_its_limits_if_whole_turns_take_it_there() {
    for (limits, start) in [("min = 200.0\nmax = 400.0", 360.0), ("min = -1000.0\nmax = 5000.0", 0.0)] {
        let mut run = bar(limits);
        run.seconds(1.0);
        assert!((turned(&run) - start).abs() < 1e-6, "{limits}: {}°", turned(&run));
    }
}

/// Compares bars of different mass with θ̈ = k·(θ* − θ) − c·θ̇. The drives are critically damped: after
/// 1/ω, 2/e of the initial error remain.
#[test]
fn an_acceleration_drive_moves_every_bar_alike() {
    for density in [1000.0, 8.0] {
        let mut run = bars(&[density], &format!("kind = \"hinge\"\n{ACCELERATES}")).open();
        run.seconds(0.5);
        let expected = 90.0 * (1.0 - 2.0 * (-1.0_f64).exp());
        assert!((turned(&run) / expected - 1.0).abs() < 0.02, "{density}: {}°", turned(&run));
    }
}

/// Adds a second bar to the driven bar. The drive accelerates both alike.
#[test]
fn an_acceleration_drive_moves_what_hangs_on_its_bar() {
    let mut setup = bars(&[10.0, 1000.0], &format!("kind = \"hinge\"\n{ACCELERATES}"));
    setup.text += "[[joint]]\nkind = \"fixed\"\na = \"bar0\"\nb = \"bar1\"\nanchor = [0.5, 0.0, 0.0]\n";
    let mut run = setup.open();
    run.seconds(0.5);
    let expected = 90.0 * (1.0 - 2.0 * (-1.0_f64).exp());
    assert!((turned(&run) / expected - 1.0).abs() < 0.02, "{}°", turned(&run));
}

#[test]
fn recordings_keep_the_whole_turns_of_joints() {
    let mut run = bar("drive = { velocity = 360.0, damping = 50.0 }");
    let mut history = History::new(&run.scene, usize::MAX);
    for _ in 0..135 {
        let timings = run.world.step();
        history.append(&run.world, &timings);
    }
    let mut frame = Frame::start(&run.scene);
    let mut turns_at = |step: u32| {
        history.seek(&run.scene, &mut frame, step);
        frame.turns[0]
    };
    assert_eq!([135, 75, 20, 130, 0].map(&mut turns_at), [[2, 0, 0], [1, 0, 0], [0; 3], [2, 0, 0], [0; 3]]);
}

#[test]
fn an_acceleration_drive_of_a_ball_joint_moves_every_bar_alike() {
    let drive = ACCELERATES.replace("90.0", "[0.0, 90.0, 0.0]");
    let mut run = bars(&[1000.0], &format!("kind = \"ball\"\n{drive}")).open();
    run.seconds(0.5);
    let turned = run.state("bar0").pose.rotation.to_axis_angle().1.to_degrees();
    let expected = 90.0 * (1.0 - 2.0 * (-1.0_f64).exp());
    assert!((turned / expected - 1.0).abs() < 0.02, "{turned}°");
}
