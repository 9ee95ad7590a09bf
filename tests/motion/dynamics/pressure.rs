//! Friction of faces that lie flat, under even pressure.

use glam::{DVec3, Vec3};
use tumble::generate::{self, Triangles};

use super::{G, Setup};

/// Returns a tube along z of the given inner and outer radius, m, 20 mm high.
fn tube([inner, outer]: [f32; 2]) -> Triangles {
    let corners = [(outer, -0.01), (outer, 0.01), (inner, 0.01), (inner, -0.01_f32)];
    let at = |round: u32, k: u32| round % 4 * 64 + k % 64;
    let point = |(round, k): (usize, u32)| {
        let (radius, z) = corners[round];
        let angle = std::f32::consts::TAU * k as f32 / 64.0;
        Vec3::new(radius * libm::cosf(angle), radius * libm::sinf(angle), z)
    };
    let points = (0..4).flat_map(|round| (0..64).map(move |k| (round, k))).map(point).collect();
    let quads = (0..4).flat_map(|round| (0..64).map(move |k| (round, k)));
    let triangles = quads.flat_map(|(round, k)| {
        let [a, b, c, d] = [at(round, k), at(round, k + 1), at(round + 1, k), at(round + 1, k + 1)];
        [[a, b, c], [b, d, c]]
    });
    (points, triangles.collect())
}

/// Spins parts on a plate, at 4 rad/s and friction 0.05, and compares the angle at which they stop with that
/// under even pressure. The friction of a disc used to act at its rim, which stopped it after two thirds of
/// the angle.
#[test]
fn faces_spin_to_rest_as_under_even_pressure() {
    let (speed, friction) = (4.0, 0.05);
    let [r, q, side]: [f64; 3] = [0.1, 0.06, 0.2];
    // Mean distance of the face from its middle, and square of the radius of gyration.
    let parts = [
        ("disc", generate::cylinder(r, 0.02, 0.01), 2.0 / 3.0 * r, 0.5 * r * r),
        (
            "tube",
            tube([q as f32, r as f32]),
            2.0 / 3.0 * (r.powi(3) - q.powi(3)) / (r * r - q * q),
            0.5 * (r * r + q * q),
        ),
        (
            "block",
            generate::cuboid(Vec3::new(side as f32, side as f32, 0.02), 1.0),
            0.3826 * side,
            side * side / 6.0,
        ),
    ];
    let plate = generate::cuboid(Vec3::new(2.0, 0.2, 2.0), 2.0);
    for (name, shape, spread, gyration) in parts {
        let keys = format!("mass = 1.0\nfriction = {friction:?}\nangular_velocity = [0.0, {speed:?}, 0.0]");
        let mut run = Setup::new("")
            .place("part", &shape, DVec3::Y * 0.01, [90.0, 0.0, 0.0], &keys)
            .place(
                "plate",
                &plate,
                DVec3::Y * -0.1,
                [0.0; 3],
                &format!("motion = \"static\"\nfriction = {friction:?}"),
            )
            .open();
        let start = run.state("part").pose.rotation;
        run.seconds(3.0);
        let state = run.state("part");
        let turned = (state.pose.rotation * start.conjugate()).to_axis_angle();
        let angle = turned.1.min(std::f64::consts::TAU - turned.1);
        let expected = speed * speed * gyration / (2.0 * friction * G * spread);
        let expected = expected % std::f64::consts::TAU;
        let expected = expected.min(std::f64::consts::TAU - expected);
        assert!(state.angular_velocity.length() < 1e-3, "{name}: {}", state.angular_velocity);
        assert!((angle / expected - 1.0).abs() < 0.05, "{name}: {angle} of {expected} rad");
    }
}

/// Spins a square block, a quarter of which lies beyond the edge of a table. Its face does not touch as a
/// whole, so that friction acts at the contacts: at two corners with a third of the weight, and on the edge
/// of the table with two thirds. Friction nearer to the middle would let the block turn 1.65 times as far.
#[test]
fn a_face_that_reaches_beyond_an_edge_rubs_at_its_contacts() {
    let (speed, friction, side) = (1.0, 0.3, 0.2_f64);
    let block = generate::cuboid(Vec3::new(side as f32, 0.02, side as f32), 1.0);
    let table = generate::cuboid(Vec3::new(1.0, 0.2, 1.0), 1.0);
    let of_block = format!("mass = 1.0\nfriction = {friction:?}\nangular_velocity = [0.0, {speed:?}, 0.0]");
    let of_table = format!("motion = \"static\"\nfriction = {friction:?}");
    let mut run = Setup::new("")
        .place("block", &block, DVec3::new(0.45, 0.01, 0.0), [0.0; 3], &of_block)
        .place("table", &table, DVec3::Y * -0.1, [0.0; 3], &of_table)
        .open();
    run.seconds(0.5);
    let state = run.state("block");
    let (_, angle) = state.pose.rotation.to_axis_angle();
    let lever = (0.1_f64.hypot(0.1) + 2.0 * 0.05_f64.hypot(0.1)) / 3.0;
    let expected = speed * speed * side * side / 6.0 / (2.0 * friction * G * lever);
    assert!(state.angular_velocity.length() < 1e-3, "{}", state.angular_velocity);
    assert!((angle / expected - 1.0).abs() < 0.25, "{angle} of {expected} rad");
}
