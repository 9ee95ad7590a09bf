//! Sleep, accepted overlap, and quarantine.

use glam::{DVec3, Vec3};
use tumble::body::Activity;
use tumble::generate::{self, Triangles};

use super::{Run, Setup};

fn cube() -> Triangles {
    generate::cuboid(Vec3::splat(0.2), 0.1)
}

/// Returns a cube without gravity that drifts along x.
fn drifting(speed: f64) -> Run {
    let rule = format!("velocity = [{speed:?}, 0.0, 0.0]");
    Setup::new("gravity = [0.0, 0.0, 0.0]").place("cube", &cube(), DVec3::ZERO, [0.0; 3], &rule).open()
}

/// Drifts a cube slightly faster and slightly slower than 2 cm/s. A body rests if all its points are
/// slower than 2 cm/s for half a second.
#[test]
fn a_body_faster_than_2_cm_per_s_stays_awake() {
    let mut run = drifting(0.022);
    run.seconds(5.0);
    let state = run.state("cube");
    assert!(state.is_awake() && (state.pose.position.x - 0.11).abs() < 1e-9, "{state:?}");
    let mut run = drifting(0.018);
    run.seconds(5.0);
    assert_eq!(run.state("cube").activity, Activity::Asleep);
}

#[test]
fn a_slow_body_falls_asleep_after_half_a_second() {
    let mut run = drifting(0.01);
    let mut steps = 0;
    while run.state("cube").is_awake() {
        run.world.step();
        steps += 1;
        assert!(steps < 600, "it never falls asleep");
    }
    // Thirty steps of 1/60 s sum to half a second, possibly minus a rounding error.
    assert!((30..=31).contains(&steps), "asleep after {steps} steps");
}

/// Presses a cube of 0.2 m into the ground. An overlap of up to 0.04 % of its thickness is accepted, and
/// its weight deflects the contact by g/(2π·60 Hz)²; only deeper overlap is pushed out.
#[test]
fn a_cube_pressed_into_the_ground_comes_out_up_to_the_overlap_that_is_left_alone() {
    let mut run = Setup::new("ground = {}").place("cube", &cube(), DVec3::Y * 0.1, [0.0; 3], "").open();
    run.seconds(0.1);
    run.state_mut("cube").pose.position.y -= 3e-3;
    run.seconds(3.0);
    let depth = -run.lowest("cube");
    assert!((0.75..1.25).contains(&(depth / 1.5e-4)), "{depth} m is left of 3 mm");
    assert_eq!(run.world.sleeping_count(), 1);
}

/// Throws a body beyond 10¹⁰ m, where differences of coordinates have no accurate digits.
#[test]
fn a_body_that_leaves_the_world_is_set_aside_where_it_last_was_valid() {
    let mut run = Setup::new("ground = {}")
        .place("stray", &cube(), DVec3::Y * 5.0, [0.0; 3], "")
        .place("other", &cube(), DVec3::new(1.0, 0.15, 0.0), [0.0; 3], "")
        .open();
    run.state_mut("stray").linear_velocity = DVec3::X * 9e9;
    let mut last = run.state("stray").pose;
    while run.world.quarantined().is_empty() {
        assert!(run.state("stray").pose.position.x <= 1e10, "{}", run.state("stray").pose.position);
        last = run.state("stray").pose;
        run.seconds(1.0 / 60.0);
    }
    let (found, state) = (run.world.quarantined()[0].clone(), run.state("stray"));
    // It moves 1.5·10⁸ m per step.
    assert_eq!((found.name.as_str(), found.step), ("stray", 67));
    assert_eq!((state.activity, state.pose), (Activity::Quarantined, last));
    assert_eq!(state.linear_velocity, DVec3::ZERO);
    run.seconds(2.0);
    assert_eq!(run.state("stray").pose, last);
    assert!(run.lowest("other").abs() < 1e-3 && run.world.quarantined().len() == 1);
}
