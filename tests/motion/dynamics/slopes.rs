//! Blocks on slopes half a degree below and half a degree above the friction angle.

use glam::{DQuat, DVec3, Vec3};
use tumble::body::Activity;
use tumble::generate;

use super::{G, Run, Setup};

/// Friction coefficient of both bodies, so that the pair has the same coefficient.
const FRICTION: f64 = 0.5;

/// Places a flat block at rest on a slab that falls toward +x; `turn` (degrees) is the block's rotation
/// about the slab's normal.
fn block_on_slope(degrees: f64, turn: f64) -> Run {
    let slab = generate::cuboid(Vec3::new(8.0, 1.0, 4.0), 8.0);
    let block = generate::cuboid(Vec3::new(0.4, 0.1, 0.4), 0.1);
    let tilt = DQuat::from_rotation_z(-degrees.to_radians());
    let rule = format!("friction = {FRICTION}");
    Setup::new("name = \"slope\"")
        .place(
            "slab",
            &slab,
            tilt * DVec3::NEG_Y * 0.5,
            [0.0, 0.0, -degrees],
            &format!("motion = \"static\"\n{rule}"),
        )
        .place("block", &block, tilt * DVec3::new(-3.0, 0.05, 0.0), [0.0, turn, -degrees], &rule)
        .open()
}

fn friction_angle() -> f64 {
    FRICTION.atan().to_degrees()
}

/// Holds a block on a slope. It moves by tenths of a millimeter until it has the accepted overlap, and
/// then rests.
#[test]
fn a_block_holds_half_a_degree_below_the_friction_angle() {
    for turn in [0.0, 30.0] {
        let mut run = block_on_slope(friction_angle() - 0.5, turn);
        let start = run.state("block").pose.position;
        run.seconds(1.0);
        let settled = run.state("block").pose.position;
        assert!(settled.distance(start) < 1e-3, "{turn}: {} m in the first second", settled.distance(start));
        run.seconds(9.0);
        let drift = run.state("block").pose.position.distance(settled);
        assert!(drift < 1e-4, "{turn}: drifts {drift} m in 9 s");
        assert_eq!(run.state("block").activity, Activity::Asleep);
    }
}

/// Compares the acceleration with a = g·(sin θ − µ·cos θ), 0.096 m/s² here, from the change of speed
/// between the first and the third second.
#[test]
fn a_block_slides_half_a_degree_above_the_friction_angle_as_fast_as_coulomb_lets_it() {
    let degrees = friction_angle() + 0.5;
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let expected = G * (sine - FRICTION * cosine);
    for turn in [0.0, 30.0] {
        let mut run = block_on_slope(degrees, turn);
        run.seconds(1.0);
        let before = run.state("block").linear_velocity;
        run.seconds(2.0);
        let gained = run.state("block").linear_velocity - before;
        let downhill = DVec3::new(cosine, -sine, 0.0);
        let found = gained.dot(downhill) / 2.0;
        assert!((found / expected - 1.0).abs() < 0.01, "{turn}: {found} m/s² instead of {expected}");
        assert!(gained.reject_from(downhill).length() < 0.01 * gained.length(), "{turn}: turns aside");
    }
}
