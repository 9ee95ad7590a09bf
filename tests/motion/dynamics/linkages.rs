//! Linkages without friction and springs without damping: they keep their energy, and their joints hold.

use std::fmt::Write;

use glam::{DVec3, Vec3};
use tumble::generate;

use super::{G, Run, Setup};

/// Returns rods of 1 kg and 1 m along x, y and z in turn, hinged about z and let go. `degrees`: angle of
/// each rod from hanging.
fn rods(degrees: &[f64]) -> Run {
    let rod = generate::cuboid(Vec3::new(1.0, 0.04, 0.04), 1.0);
    let mut setup = Setup::new("");
    let (mut end, mut before) = (DVec3::ZERO, "world".to_owned());
    for (k, degrees) in degrees.iter().enumerate() {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let along = DVec3::new(sine, -cosine, 0.0);
        let name = format!("rod{k}");
        let rule = "motion = \"dynamic\"\nmass = 1.0";
        // Each rod has a plane of its own, so that rods do not meet.
        let middle = end + 0.5 * along + DVec3::Z * 0.1 * k as f64;
        setup = setup.place(&name, &rod, middle, [0.0, 0.0, degrees - 90.0], rule);
        let [x, y, z] = end.to_array();
        writeln!(
            setup.text,
            "[[joint]]\na = \"{before}\"\nb = \"{name}\"\nkind = \"hinge\"\nanchor = [{x:?}, {y:?}, {z:?}]\n\
             axis = [0.0, 0.0, 1.0]"
        )
        .unwrap();
        (end, before) = (end + along, name);
    }
    setup.open_with(|config| config.sleep = false)
}

/// Returns the largest change of the energy in `seconds`, as a share of `scale` (J), and the largest motion
/// of a body along z, m.
fn drift(run: &mut Run, seconds: f64, scale: f64) -> [f64; 2] {
    let (start, mut most) = (run.world.energy(), [0.0_f64; 2]);
    let planes: Vec<f64> = run.world.bodies().states.iter().map(|state| state.pose.position.z).collect();
    for _ in 0..(seconds * 60.0).round() as u32 {
        run.world.step();
        most[0] = most[0].max((run.world.energy() - start).abs() / scale);
        for (state, plane) in run.world.bodies().states.iter().zip(&planes) {
            most[1] = most[1].max((state.pose.position.z - plane).abs());
        }
    }
    most
}

/// Lets a double pendulum go from four poses, one almost upright. It swings for a minute.
#[test]
fn a_double_pendulum_keeps_its_energy_and_its_plane_for_a_minute() {
    for start in [[30.0, 20.0], [120.0, 90.0], [140.0, 160.0], [170.0, -150.0]] {
        let [energy, aside] = drift(&mut rods(&start), 60.0, 4.0 * G);
        assert!(energy < 0.01, "{start:?}: {energy} of 4·m·g·l");
        assert!(aside < 1e-8, "{start:?}: {aside} m out of its plane");
    }
}

/// Lets a row of six rods fall, whose free end whips.
#[test]
fn six_rods_keep_their_energy_as_they_whip() {
    let [energy, aside] = drift(&mut rods(&[90.0; 6]), 5.0, 36.0 * G);
    assert!(energy < 0.05, "{energy} of 36·m·g·l");
    assert!(aside < 1e-5, "{aside} m out of their planes");
}

/// Pushes a swinging double pendulum between two steps, as a user may. Its energy grows, but not from
/// nothing.
#[test]
fn a_push_from_outside_is_no_fault_of_the_solver() {
    let mut run = rods(&[90.0, 90.0]);
    run.seconds(2.0);
    run.state_mut("rod1").linear_velocity *= 2.0;
    run.seconds(1.0);
    assert!(run.world.incidents().growths.is_empty(), "{:?}", run.world.incidents().growths);
}

/// Slides a carriage whose center is a meter beside its slider.
#[test]
fn a_carriage_far_beside_its_slider_does_not_open_it() {
    let cube = generate::cuboid(Vec3::splat(0.1), 0.1);
    let rule = "motion = \"dynamic\"\nmass = 2.0\nvelocity = [1.0, 0.0, 0.0]";
    let mut setup = Setup::new("").place("carriage", &cube, DVec3::Z, [0.0; 3], rule);
    setup.text += "[[joint]]\na = \"world\"\nb = \"carriage\"\nkind = \"slider\"\nanchor = [0.0, 0.0, 0.0]\n\
                   axis = [1.0, 0.0, 0.0]\n";
    let mut run = setup.open();
    for step in 1..=300 {
        run.world.step();
        let off = run.state("carriage").pose.position - DVec3::new(f64::from(step) / 60.0, 0.0, 1.0);
        assert!(off.length() < 1e-5, "step {step}: {off} m");
    }
    assert!((run.world.energy() - 1.0).abs() < 1e-5, "{} J", run.world.energy());
}

/// Lets a mass of 2 kg swing on a spring of 800 N/m, at 20 rad/s, with and without a damper. The amplitude
/// decays as e^(−ζ·ω·t).
#[test]
fn a_spring_is_damped_by_its_damper_alone() {
    for ratio in [0.0, 0.05] {
        let cube = generate::cuboid(Vec3::splat(0.1), 0.1);
        let damping = 2.0 * ratio * (800.0_f64 * 2.0).sqrt();
        let rule = "motion = \"dynamic\"\nmass = 2.0\nvelocity = [1.0, 0.0, 0.0]";
        let setup = Setup::new("gravity = [0.0, 0.0, 0.0]");
        let mut setup = setup.place("mass", &cube, DVec3::ZERO, [0.0; 3], rule);
        writeln!(
            setup.text,
            "[[joint]]\na = \"world\"\nb = \"mass\"\nkind = \"slider\"\nanchor = [0.0, 0.0, 0.0]\n\
             axis = [1.0, 0.0, 0.0]\ndrive = {{ stiffness = 800.0, damping = {damping:?} }}"
        )
        .unwrap();
        let mut run = setup.open();
        run.seconds(2.5);
        let mass = run.state("mass");
        // Oscillations of x and of v, in units of the first.
        let (x, v) = (20.0 * mass.pose.position.x, mass.linear_velocity.x);
        let amplitude = (x * x + 2.0 * ratio * x * v + v * v).sqrt();
        let found = -amplitude.ln() / (20.0 * 2.5);
        assert!((found - ratio).abs() < 5e-4, "a damping ratio of {found} instead of {ratio}");
    }
}
