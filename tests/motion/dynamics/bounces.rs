//! Balls dropped on the built-in ground.

use glam::DVec3;
use tumble::generate;

use super::Setup;

const RADIUS: f64 = 0.1;
const HEIGHT: f64 = 0.5;

/// Returns the highest rise of the ball's center after its first contact, above its height at the
/// contact, m.
fn rebound(restitution: f64) -> f64 {
    let ball = generate::sphere(RADIUS as f32, 32);
    let start = DVec3::Y * (HEIGHT + RADIUS);
    let rule = format!("restitution = {restitution}");
    let mut run = Setup::new("ground = {}").place("ball", &ball, start, [0.0; 3], &rule).open();
    // The ball reaches the ground at 3.1 m/s; the loop ends when it has lost that speed.
    while run.state("ball").linear_velocity.y > -2.5 {
        run.seconds(1.0 / 60.0);
        assert!(run.world.time() < 1.0, "it does not fall");
    }
    while run.state("ball").linear_velocity.y < -1.0 {
        run.seconds(1.0 / 60.0);
        assert!(run.world.time() < 1.0, "it falls past the ground");
    }
    let mut top: f64 = 0.0;
    for _ in 0..60 {
        top = top.max(run.state("ball").pose.position.y - RADIUS);
        run.seconds(1.0 / 60.0);
    }
    top
}

/// Compares the bounce height with e² of the drop height. The losses are one sub-step of gravity at the
/// impact, g·dt / (4·e·√(2·g·h)) = 1 % of the speed, and the rounding to whole steps: 2 % of the speed
/// in total, or 2 mm without a bounce.
#[test]
fn a_ball_comes_up_as_high_as_its_restitution_says() {
    for restitution in [0.0, 0.5, 0.8] {
        let found = rebound(restitution) / HEIGHT;
        let off = found - restitution * restitution;
        assert!(off.abs() < 0.04 * restitution + 0.004, "{restitution}: {found}");
    }
}
