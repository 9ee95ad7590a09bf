//! Parts that spin fast, freely and on motors.

use std::f64::consts::TAU;
use std::fmt::Write;

use glam::{DVec3, Vec3};
use tumble::generate;

use super::{Run, Setup};

const DT: f64 = 1.0 / 60.0;
/// Fastest spin that the sub-steps of the shipped settings can follow, rad/s: eight rotations per
/// sub-step.
const FASTEST: f64 = 8.0 * TAU * 240.0;

fn brick() -> generate::Triangles {
    generate::cuboid(Vec3::new(0.1, 0.2, 0.3), 0.1)
}

/// Returns a free brick without gravity.
fn free(spin: DVec3) -> Setup {
    let rule = format!("mass = 2.0\nangular_velocity = {:?}", spin.to_array());
    Setup::new("gravity = [0, 0, 0]").place("brick", &brick(), DVec3::ZERO, [0.0; 3], &rule)
}

/// Returns a brick on a hinge about z, whose motor has the target speed `speed`, rad/s.
fn motor(speed: f64) -> Run {
    let mut setup = Setup::new("gravity = [0, 0, 0]").place("brick", &brick(), DVec3::ZERO, [0.0; 3], "");
    writeln!(
        setup.text,
        "[[joint]]\nkind = \"hinge\"\na = \"world\"\nb = \"brick\"\nanchor = [0, 0, 0]\naxis = [0, 0, 1]\n\
         drive = {{ velocity = {:?}, damping = 50.0 }}",
        speed.to_degrees()
    )
    .unwrap();
    setup.open()
}

impl Run {
    /// Returns the energy of the spin, J.
    fn spin_energy(&self) -> f64 {
        let state = self.state("brick");
        0.5 * state.angular_velocity.dot(self.spin())
    }

    /// Returns the angular momentum, N·m·s.
    fn spin(&self) -> DVec3 {
        let state = self.state("brick");
        let own = state.pose.inverse_transform_vector(state.angular_velocity);
        state.pose.transform_vector(state.inertia * own)
    }

    /// Returns the angle by which the brick rotates about z in a step, rad, modulo whole turns.
    fn turned(&mut self) -> f64 {
        let before = self.state("brick").pose.rotation;
        self.world.step();
        let turn = self.state("brick").pose.rotation * before.conjugate();
        (2.0 * turn.z.atan2(turn.w)).rem_euclid(TAU)
    }
}

/// Spins a free brick. Its momentum is kept except for rounding, and so is its energy if it spins about
/// an axis of symmetry. About other axes it tumbles. Its energy is then kept to second order in the
/// angle of a part of a sub-step, and stays within two percent for up to ten thousand turns.
#[test]
fn a_free_brick_keeps_its_spin_and_its_energy() {
    let axes = [(DVec3::X, 1e-9), (DVec3::ONE.normalize(), 0.02), (DVec3::new(0.01, 1.0, 0.0), 0.02)];
    for (axis, bound) in axes {
        for rate in [188.0, 628.0, 6280.0] {
            let mut run = free(axis * rate).open();
            let (spin, energy) = (run.spin(), run.spin_energy());
            let mut worst = 0.0_f64;
            for _ in 0..600 {
                run.world.step();
                worst = worst.max((run.spin_energy() / energy - 1.0).abs());
            }
            assert!(run.spin().distance(spin) < 1e-9 * spin.length(), "{axis} at {rate} rad/s");
            assert!(worst < bound, "{axis} at {rate} rad/s: its energy is off by {worst}");
        }
    }
}

/// Runs a motor at up to 60,000 rpm; 3,000 rpm are 314 rad/s, or 5.236 rad per step. The angle is
/// measured from poses, modulo whole turns, and from the joint's angle, which counts whole turns, even
/// if a sub-step rotates it by more than half a turn.
#[test]
fn a_motor_turns_as_fast_as_it_is_told() {
    for rpm in [500.0, 3000.0, 9000.0, 60_000.0] {
        let speed = rpm / 60.0 * TAU;
        let mut run = motor(speed);
        run.seconds(0.5);
        let angle = |run: &Run| -> f64 { run.world.bodies().angles[0].iter().sum() };
        let (before, expected) = (angle(&run), (speed * DT).rem_euclid(TAU));
        for _ in 0..60 {
            let off = (run.turned() - expected + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0;
            assert!(off.abs() < 1e-9 * speed, "{rpm} rpm: {off} rad off in a step");
        }
        let counted = angle(&run) - before;
        assert!((counted / speed - 1.0).abs() < 1e-9, "{rpm} rpm: {counted} rad in a second, not {speed}");
        assert_eq!(run.world.incidents().cut_spins, []);
    }
}

/// Spins a brick too fast. Its spin is limited once, in the first step.
#[test]
fn a_spin_beyond_what_can_be_followed_is_cut_and_named() {
    for (spin, dt) in [(1e9, DT), (-1e300, DT), (FASTEST * 1.01, DT), (1e9, 10.0), (30.0, 10.0)] {
        let mut run = free(DVec3::X * spin).open_with(|config| config.dt = dt);
        let most = FASTEST * DT / dt;
        for step in 1..=20 {
            run.world.step();
            assert_eq!(run.world.counts().cut_spins, u64::from(step == 1), "{spin} rad/s, step {step}");
            let kept = run.state("brick").angular_velocity.x * spin.signum();
            assert!((kept / most - 1.0).abs() < 1e-6, "{spin} rad/s, step {step}: {kept} rad/s");
        }
        let [cut] = &run.world.incidents().cut_spins[..] else { panic!("{:?}", run.world.incidents()) };
        assert_eq!((cut.name.as_str(), cut.step_count, cut.fastest_step), ("brick", 1, 1));
        assert!(
            (cut.spin / spin.abs() - 1.0).abs() < 1e-12 && (cut.kept / most - 1.0).abs() < 1e-12,
            "{cut:?}"
        );
        assert!(run.world.quarantined().is_empty());
    }
}

/// Spins a brick more slowly than the limit for several steps. Its spin is not limited.
#[test]
fn a_spin_that_can_be_followed_is_not_cut() {
    for dt in [DT, 0.1, 10.0] {
        let spin = 0.99 * FASTEST * DT / dt;
        let mut run = free(DVec3::X * spin).open_with(|config| config.dt = dt);
        for _ in 0..20 {
            run.world.step();
        }
        assert!((run.state("brick").angular_velocity.x / spin - 1.0).abs() < 1e-9, "{dt}");
        assert_eq!(run.world.incidents().cut_spins, []);
    }
}
