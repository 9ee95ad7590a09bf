//! Bodies on open sheets, which bear on both sides: a solid body stays on the side on which most of it
//! is, and moves there as it does on a solid floor.

use glam::{DVec3, Vec3};
use tumble::body::BodyState;
use tumble::generate::{self, Triangles};
use tumble::random::Random;

use super::seams::sheet;
use super::{G, Run, Setup};

/// Moves a fine ball on a floor: rolled, dropped and lifted. Returns its state after each motion.
fn on(floor: &Triangles, level: f64) -> [BodyState; 3] {
    // A triangle is less than 6 % of the diameter, so each vertex seemed to support both sides. The facets
    // are within the slop of the round surface, so the ball rolls as a round one on both floors.
    let ball = generate::sphere(0.15, 96);
    let play = |gravity: f64, height: f64, keys: &str, seconds: f64| {
        let floor_rule = "motion = \"static\"\nfriction = 0.5";
        let rule = format!("density = 1000.0\nfriction = 0.5\n{keys}");
        let mut run = Setup::new(&format!("gravity = [0, {gravity:?}, 0]"))
            .place("floor", floor, -level * DVec3::Y, [0.0; 3], floor_rule)
            .place("ball", &ball, DVec3::new(-2.0, 0.15 + height, 0.1), [0.0; 3], &rule)
            .open();
        run.seconds(seconds);
        run.state("ball")
    };
    let lift = {
        let rule = "density = 1000.0";
        let mut run = Setup::new("")
            .place("floor", floor, -level * DVec3::Y, [0.0; 3], "motion = \"static\"")
            .place("ball", &ball, DVec3::new(0.0, 0.15, 0.1), [0.0; 3], rule)
            .open();
        run.seconds(0.2);
        run.state_mut("ball").linear_velocity.y += 1.0;
        run.seconds(0.1);
        run.state("ball")
    };
    let roll = play(-G, 0.01, "velocity = [2.6, 0, 0]\nangular_velocity = [0, 0, -17.3]", 1.0);
    [roll, play(-G, 0.5, "restitution = 0.8", 0.7), lift]
}

#[test]
fn a_fine_ball_moves_on_a_sheet_as_on_a_solid_floor() {
    let [solid, open] = [(generate::cuboid(Vec3::new(6.0, 1.0, 6.0), 6.0), 0.5), (sheet(6.0, 1), 0.0)];
    let [on_solid, on_sheet] = [solid, open].map(|(floor, level)| on(&floor, level));
    for ((solid, sheet), motion) in on_solid.iter().zip(&on_sheet).zip(["roll", "bounce", "lift"]) {
        let [a, b] = [solid, sheet].map(|state| (state.pose.position, state.linear_velocity));
        assert!(a.0.distance(b.0) < 0.01 * a.0.length(), "{motion}: at {} and {}", a.0, b.0);
        assert!(a.1.distance(b.1) < 0.01 * a.1.length(), "{motion}: {} and {} m/s", a.1, b.1);
    }
    let [roll, bounce, lift] = on_sheet;
    assert!(roll.linear_velocity.x > 2.5, "{roll:?}");
    assert!(bounce.pose.position.y > 0.3, "{bounce:?}");
    assert!(lift.linear_velocity.y > 0.0 && lift.pose.position.y > 0.18, "{lift:?}");
}

/// Lays plates on a sheet, of which the plate is thinner than 1 % of the radius, and drops others in
/// random poses. The sheet used to take them in up to their middle.
#[test]
fn a_thin_plate_rests_on_a_sheet_by_its_lower_face() {
    let mut random = Random::new(70, 1);
    for (k, size) in [1.6, 3.0, 8.0, 40.0].into_iter().cycle().take(12).enumerate() {
        let thickness = [0.012, 0.03][k / 6];
        let plate = generate::cuboid(Vec3::new(0.4, thickness, 0.4), 1.0);
        let (height, turn) = if k < 4 {
            (0.001 + 0.5 * f64::from(thickness), [0.0; 3])
        } else {
            (0.3 + random.uniform(), [60.0, 360.0, 60.0].map(|most| most * random.signed()))
        };
        let mut run = Setup::new("")
            .place("sheet", &sheet(size, 1), DVec3::ZERO, [0.0; 3], "motion = \"static\"")
            .place("plate", &plate, DVec3::new(0.1, height, -0.05), turn, "density = 2700.0")
            .open();
        run.seconds(4.0);
        // On a solid floor, gravity presses it 0.145 mm into the soft contact too.
        let (lowest, y) = (run.lowest("plate"), run.state("plate").pose.position.y);
        assert!(lowest > -0.000_3, "plate {k}: lowest point at {lowest}");
        assert!((y - f64::from(0.5 * thickness) + 0.000_145).abs() < 0.000_1, "plate {k}: center at {y}");
    }
}

/// Returns a fork along x: two prongs of 12 mm with a gap of 4 mm about y = 0, joined at one end.
fn fork() -> Triangles {
    let outline = [
        (0.0, -14.0),
        (200.0, -14.0),
        (200.0, -2.0),
        (40.0, -2.0),
        (40.0, 2.0),
        (200.0, 2.0),
        (200.0, 14.0),
        (0.0, 14.0),
    ];
    let at = |z: f32| outline.map(|(x, y): (f32, f32)| Vec3::new(0.001 * (x - 100.0), 0.001 * y, z));
    let positions = [at(0.05), at(-0.05)].concat();
    let cap = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 7], [4, 5, 6], [4, 6, 7]];
    let back = cap.map(|[a, b, c]| [8 + a, 8 + c, 8 + b]);
    let walls = (0..8).flat_map(|k| {
        let next = (k + 1) % 8;
        [[k, 8 + k, 8 + next], [k, 8 + next, next]]
    });
    (positions, cap.into_iter().chain(back).chain(walls).collect())
}

/// Pushes a sheet between the prongs of a fork. The upper prong rests on it; under reversed gravity,
/// the lower prong holds.
#[test]
fn a_fork_around_a_sheet_is_held_on_both_sides() {
    for gravity in [-G, G] {
        let mut run = Setup::new(&format!("gravity = [0, {gravity:?}, 0]"))
            .place("sheet", &sheet(0.3, 1), 0.2 * DVec3::X, [0.0; 3], "motion = \"static\"")
            .place("fork", &fork(), DVec3::ZERO, [0.0; 3], "density = 2700.0")
            .open();
        for _ in 0..60 {
            run.world.step();
            let state: BodyState = run.state("fork");
            assert!(state.pose.position.y.abs() < 0.02, "gravity {gravity}: {:?}", state.pose);
        }
        assert_eq!(run.world.incidents().passages, []);
    }
}

/// Presses a ball that is smaller than the sheet's search depth from either side.
#[test]
fn a_ball_stays_on_its_side_of_a_sheet() {
    for side in [1.0, -1.0] {
        let mut run: Run = Setup::new(&format!("gravity = [0, {:?}, 0]", -side * 20.0 * G))
            .place("sheet", &sheet(2.0, 1), DVec3::ZERO, [0.0; 3], "motion = \"static\"")
            .place("ball", &generate::sphere(0.01, 32), DVec3::new(0.1, 0.02 * side, 0.2), [0.0; 3], "")
            .open();
        run.seconds(1.0);
        let y = side * run.state("ball").pose.position.y;
        assert!((0.0095..0.0101).contains(&y), "side {side}: {y}");
    }
}
