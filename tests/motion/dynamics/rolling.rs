//! A ball of triangles that rolls down a slope.

use glam::{DQuat, DVec3, Vec3};
use tumble::generate;

use super::{G, Setup};

/// A round ball that nothing resists has 5/7·g·sin θ after a second. This one has edges, 32 around, and the
/// resistance of shipped settings: it is slower, by a third on 15° and a sixth on 30°, which is more than the
/// resistance alone takes (8 and 4 %).
#[test]
fn a_ball_of_triangles_rolls_down_a_slope_slower_than_a_round_one() {
    for (degrees, share) in [(15.0f64, 0.68), (30.0, 0.83)] {
        let slab = generate::cuboid(Vec3::new(8.0, 1.0, 4.0), 8.0);
        let ball = generate::sphere(0.1, 32);
        let tilt = DQuat::from_rotation_z(-degrees.to_radians());
        let mut run = Setup::new("name = \"slope\"")
            .place("slab", &slab, tilt * DVec3::NEG_Y * 0.5, [0.0, 0.0, -degrees], "motion = \"static\"")
            .place("ball", &ball, tilt * DVec3::new(-3.0, 0.1, 0.0), [0.0; 3], "")
            .open();
        run.seconds(1.0);
        let round = 5.0 / 7.0 * G * degrees.to_radians().sin();
        let state = run.state("ball");
        let found = state.linear_velocity.length() / round;
        assert!((found - share).abs() < 0.05, "{degrees}°: {found} of a round ball's {round} m/s");
        // It hardly slips: what it turns is what it moves, but for its hops from edge to edge.
        let turned = state.angular_velocity.length() * 0.1 / state.linear_velocity.length();
        assert!((turned - 1.0).abs() < 0.06, "{degrees}°: {turned}");
    }
}
