//! Balls, cylinders and tubes of triangles that roll down slopes, and the rolling resistance that holds
//! them on slopes.

use glam::{DQuat, DVec3, Vec3};
use tumble::body::Activity;
use tumble::generate::{self, Triangles};

use super::{G, Setup};

const RADIUS: f64 = 0.1;

/// Places a part on a slab that falls toward +x, 5 m from the slab's center; `rule` holds the part's
/// keys.
fn on_slope(part: &Triangles, degrees: f64, rule: &str) -> Setup {
    let slab = generate::cuboid(Vec3::new(12.0, 1.0, 4.0), 12.0);
    let tilt = DQuat::from_rotation_z(-degrees.to_radians());
    let turn = [0.0, 0.0, -degrees];
    let middle = tilt * DVec3::NEG_Y * 0.5;
    Setup::new("name = \"slope\"")
        .place("slab", &slab, middle, turn, "motion = \"static\"\nfriction = 1.0")
        .place("part", part, tilt * DVec3::new(-5.0, RADIUS, 0.0), [0.0; 3], rule)
}

/// Returns a tube along z with these inner and outer radii, m.
pub fn tube([inner, outer]: [f64; 2], half_length: f64, sides: usize) -> Triangles {
    let ring = |radius: f64, z: f64| {
        (0..sides).map(move |k| {
            let angle = std::f64::consts::TAU * k as f64 / sides as f64;
            Vec3::new((radius * angle.cos()) as f32, (radius * angle.sin()) as f32, z as f32)
        })
    };
    let outside = ring(outer, -half_length).chain(ring(outer, half_length));
    let points = outside.chain(ring(inner, half_length)).chain(ring(inner, -half_length));
    let at = |round: usize, k: usize| ((round % 4) * sides + k % sides) as u32;
    let mut triangles = Vec::new();
    for round in 0..4 {
        for k in 0..sides {
            let [a, b] = [at(round, k), at(round, k + 1)];
            let [c, d] = [at(round + 1, k), at(round + 1, k + 1)];
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    (points.collect(), triangles)
}

/// Compares the path with the acceleration g·sin α/(1 + k) of a rolling body of inertia k·m·r². Facets
/// lie less than the slop, 0.4 mm, below the round surface. The remaining error comes from the radius.
#[test]
fn balls_cylinders_and_tubes_roll_down_slopes_as_round_ones() {
    // The inertia of a tube about its axis is half the sum of its squared radii.
    let hollow = 0.5 * (1.0 + 0.8 * 0.8);
    let parts = [
        ("ball", generate::sphere(RADIUS as f32, 64), 0.4),
        ("cylinder", tube([1e-3, RADIUS], 0.1, 180), 0.5),
        ("tube", tube([0.8 * RADIUS, RADIUS], 0.1, 180), hollow),
    ];
    for (name, part, inertia) in &parts {
        for degrees in [1.0_f64, 5.0, 30.0] {
            let mut run = on_slope(part, degrees, "friction = 1.0").open_with(|config| config.sleep = false);
            let start = run.state("part").pose.position;
            run.seconds(1.5);
            let state = run.state("part");
            let round = 0.5 * G * degrees.to_radians().sin() / (1.0 + inertia) * 1.5 * 1.5;
            let found = state.pose.position.distance(start) / round;
            assert!((found - 1.0).abs() < 0.01, "{name}, {degrees}°: {found} of {round} m");
            let turned = state.angular_velocity.length() * RADIUS / state.linear_velocity.length();
            assert!((turned - 1.0).abs() < 0.01, "{name}, {degrees}°: it slips, {turned}");
        }
    }
}

/// Places a cylinder on a slope of 5°. Its center is r·tan 5° = 8.7 mm ahead of its contact, so a
/// longer arm of rolling resistance holds it.
#[test]
fn a_cylinder_stays_on_a_slope_that_its_resistance_to_rolling_holds_it_on() {
    let cylinder = generate::cylinder(RADIUS, 0.2, std::f64::consts::TAU * RADIUS / 96.0);
    let rules = ["", "spinning = 0.01", "rolling = 0.0075", "rolling = 0.0091"];
    for (rule, stays) in rules.into_iter().zip([false, false, false, true]) {
        let mut run = on_slope(&cylinder, 5.0, rule).open();
        run.seconds(1.0);
        let settled = run.state("part").pose.position;
        run.seconds(2.0);
        let moved = run.state("part").pose.position.distance(settled);
        let is_asleep = run.state("part").activity == Activity::Asleep;
        assert!(if stays { moved < 1e-4 && is_asleep } else { moved > 0.02 }, "{rule:?}: {moved} m in 2 s");
    }
}

/// Spins a ball about the vertical. It slows by e·m·g/I; the radius of its lowest vertices hardly
/// brakes it.
#[test]
fn a_ball_of_triangles_that_resists_spinning_slows_on_the_spot() {
    let ball = generate::sphere(RADIUS as f32, 64);
    for arm in [0.0, 0.001] {
        let rule = format!("mass = 2.0\nspinning = {arm:?}\nangular_velocity = [0, 10, 0]");
        let mut run = on_slope(&ball, 0.0, &rule).open();
        run.seconds(2.0);
        let expected = 10.0 - 2.0 * arm * G / (0.4 * RADIUS * RADIUS);
        let found = run.state("part").angular_velocity.y;
        assert!((found - expected).abs() < 0.02, "{arm}: {found}, not {expected} rad/s");
    }
}

/// Places a cube tilted one degree beyond its balance: its center is beyond the edge on which it
/// stands.
#[test]
fn a_cube_one_degree_past_its_balance_falls() {
    let cube = generate::cuboid(Vec3::splat(0.2), 0.2);
    let height = 0.1 * 2.0_f64.sqrt();
    let mut run = Setup::new("ground = {}")
        .place("cube", &cube, DVec3::Y * height, [0.0, 0.0, 46.0], "friction = 0.8")
        .open();
    run.seconds(2.0);
    let height = run.state("cube").pose.position.y;
    assert!((height - 0.1).abs() < 0.002, "its middle is {height} m high");
}
