//! Balls and cylinders of triangles that roll down slopes, and what holds them there.

use glam::{DQuat, DVec3, Vec3};
use tumble::body::Activity;
use tumble::generate::{self, Triangles};

use super::{G, Run, Setup};

const RADIUS: f64 = 0.1;

/// A part on a slab that falls towards +x, 3 m from where it ends; `rule` is the part's.
fn on_slope(part: &Triangles, degrees: f64, rule: &str) -> Run {
    let slab = generate::cuboid(Vec3::new(8.0, 1.0, 4.0), 8.0);
    let tilt = DQuat::from_rotation_z(-degrees.to_radians());
    Setup::new("name = \"slope\"")
        .place("slab", &slab, tilt * DVec3::NEG_Y * 0.5, [0.0, 0.0, -degrees], "motion = \"static\"")
        .place("part", part, tilt * DVec3::new(-3.0, RADIUS, 0.0), [0.0; 3], rule)
        .open()
}

/// A round ball that nothing resists has 5/7·g·sin θ after a second. This one has edges, around which it tips
/// with an impact each, so that it is slower: with 32 around by a quarter on 15° and a ninth on 30°, where it
/// soon hops from edge to edge.
#[test]
fn a_ball_of_triangles_rolls_down_a_slope_slower_than_a_round_one() {
    for (degrees, share) in [(15.0f64, 0.75), (30.0, 0.885)] {
        let mut run = on_slope(&generate::sphere(RADIUS as f32, 32), degrees, "");
        run.seconds(1.0);
        let round = 5.0 / 7.0 * G * degrees.to_radians().sin();
        let state = run.state("part");
        let found = state.linear_velocity.length() / round;
        assert!((found - share).abs() < 0.05, "{degrees}°: {found} of a round ball's {round} m/s");
        // It hardly slips: what it turns is what it moves, but for its hops.
        let turned = state.angular_velocity.length() * RADIUS / state.linear_velocity.length();
        assert!((turned - 1.0).abs() < 0.1, "{degrees}°: {turned}");
    }
}

/// A cylinder of 96 sides rests on one of them, of which the edge is r·tan(π/96) = 3.3 mm ahead of its
/// centre. On 5° it weighs r·tan 5° = 8.7 mm ahead, so that an arm of 5.5 mm holds it.
#[test]
fn a_cylinder_stays_on_a_slope_that_its_resistance_to_rolling_holds_it_on() {
    let cylinder = generate::cylinder(RADIUS, 0.2, std::f64::consts::TAU * RADIUS / 96.0);
    let rules = ["", "spinning = 0.01", "rolling = 0.0045", "rolling = 0.0065"];
    for (rule, stays) in rules.into_iter().zip([false, false, false, true]) {
        let mut run = on_slope(&cylinder, 5.0, rule);
        run.seconds(1.0);
        let settled = run.state("part").pose.position;
        run.seconds(2.0);
        let moved = run.state("part").pose.position.distance(settled);
        let is_asleep = run.state("part").activity == Activity::Asleep;
        assert!(if stays { moved < 1e-4 && is_asleep } else { moved > 0.02 }, "{rule:?}: {moved} m in 2 s");
    }
}

/// Spun about the vertical it slows by e·m·g/I; the radius of its lowest vertices hardly brakes it.
#[test]
fn a_ball_of_triangles_that_resists_spinning_slows_on_the_spot() {
    let ball = generate::sphere(RADIUS as f32, 64);
    for arm in [0.0, 0.001] {
        let rule = format!("mass = 2.0\nspinning = {arm:?}\nangular_velocity = [0, 10, 0]");
        let mut run = on_slope(&ball, 0.0, &rule);
        run.seconds(2.0);
        let expected = 10.0 - 2.0 * arm * G / (0.4 * RADIUS * RADIUS);
        let found = run.state("part").angular_velocity.y;
        assert!((found - expected).abs() < 0.02, "{arm}: {found}, not {expected} rad/s");
    }
}
