//! Touches that are known in closed form.

use glam::{DQuat, DVec3, Vec3};

use super::{Part, TOUCH, TouchSearch, ask, surfaces, touch_of};
use crate::generate;
use crate::pose::Pose;

const REST: [DVec3; 2] = [DVec3::ZERO; 2];

fn plate() -> Part {
    Part::new(generate::cuboid(Vec3::new(20.0, 20.0, 0.5), 99.0))
}

/// Returns the position of a body whose center is this high above the plate, m.
fn above(height: f64) -> DVec3 {
    DVec3::Z * (0.25 + height)
}

#[test]
fn a_ball_reaches_a_plate_when_it_has_passed_the_gap() {
    let (ball, plate) = (Part::new(generate::sphere(0.125, 24)), plate());
    let floor = plate.from(DVec3::ZERO, REST);
    for turn in [DVec3::ZERO, DVec3::Z * 30.0] {
        let fall = ball.from(above(3.125), [DVec3::new(2.0, 1.0, -16.0), turn]);
        let touch = touch_of([&ball, &plate], [&fall, &floor]).unwrap();
        let right = (3.0 - TOUCH) / 16.0;
        assert!((touch.share - right).abs() < 1e-8, "{touch:?}, not at {right}");
        let point = touch.nearest.unwrap().points[1];
        assert!(point.distance(DVec3::new(2.0, 1.0, 0.0) * right + DVec3::Z * 0.25) < 1e-6, "{point}");
    }
    let short = ball.from(above(3.125), [DVec3::Z * -2.9999, DVec3::ZERO]);
    assert_eq!(touch_of([&ball, &plate], [&short, &floor]), None);
}

/// Lets a rod turn about one end, a given height above the plate, by more than a full turn.
#[test]
fn a_turning_rod_reaches_a_plate_at_its_angle() {
    let (rod, plate) = (Part::new(generate::cuboid(Vec3::new(1.0, 0.02, 0.02), 9.0)), plate());
    let floor = plate.from(DVec3::ZERO, REST);
    let end = DVec3::new(-0.5, 0.0, 0.01);
    let at = |height: f64| Pose::from_position(above(height) - end);
    // The lowest corner is 1 m from the center along the rod and 0.02 m below it.
    for (height, turn) in [(0.4, 8.0), (0.7, 8.0), (0.7, 50.0), (1.1, 50.0)] {
        let spin = rod.moving(at(height), end, [DVec3::ZERO, DVec3::Y * turn]);
        let found = touch_of([&rod, &plate], [&spin, &floor]);
        let arm = 1.0_f64.hypot(f64::from(0.02_f32));
        if height > arm {
            assert_eq!(found, None);
            continue;
        }
        let angle = ((height - TOUCH) / arm).asin() - f64::from(0.02_f32).atan();
        let share = found.unwrap().share;
        assert!((share * turn - angle).abs() < 1e-6, "{} rad, not {angle}", share * turn);
    }
}

#[test]
fn bodies_that_pass_each_other_closely_never_touch() {
    let plate = plate();
    let floor = plate.from(DVec3::ZERO, REST);
    let spin = DVec3::new(0.0, 0.0, 40.0);
    for part in [generate::sphere(0.125, 24), generate::cuboid(Vec3::splat(0.25), 0.1)].map(Part::new) {
        for gap in [1e-3, 1e-5, 2e-6] {
            let low = Pose::from_position(above(0.125 + gap) - 8.0 * DVec3::X);
            let skim = part.moving(low, DVec3::ZERO, [16.0 * DVec3::X, spin]);
            assert_eq!(touch_of([&part, &plate], [&skim, &floor]), None, "{gap}");
            let both = part.moving(low, DVec3::ZERO, [DVec3::new(16.0, 0.0, -5.0), spin]);
            let sinking = plate.from(DVec3::ZERO, [DVec3::Z * -5.0, DVec3::ZERO]);
            assert_eq!(touch_of([&part, &plate], [&both, &sinking]), None, "{gap}");
        }
    }
}

/// Lets a box slide on one triangle of a plate into a wall that stands on the plate.
#[test]
fn a_contact_at_the_start_is_ignored_until_it_presses_closer_or_meets_a_wall() {
    let slab = generate::cuboid(Vec3::new(20.0, 20.0, 0.5), 99.0);
    let mut scene = slab.clone();
    let wall = generate::cuboid(Vec3::new(0.25, 20.0, 1.0), 99.0);
    let count = scene.0.len() as u32;
    scene.0.extend(wall.0.iter().map(|p| *p + Vec3::new(5.125, 0.0, 0.75)));
    scene.1.extend(wall.1.iter().map(|t| t.map(|corner| corner + count)));
    let (block, scene) = (Part::new(generate::cuboid(Vec3::splat(0.25), 99.0)), Part::new(scene));
    let floor = scene.from(DVec3::ZERO, REST);
    let (touch, ignored) = (4e-6, 1e-6);
    let found = |gap: f64, shift: DVec3, turn: DVec3| {
        let slide = block.moving(
            Pose::from_position(above(0.125 + gap) + 7.0 * DVec3::Y),
            DVec3::ZERO,
            [shift, turn],
        );
        let surfaces = surfaces([&block, &scene]);
        let search = TouchSearch { surfaces, motions: [&slide, &floor], start: 0.0, touch, ignored };
        ask(&search)
    };
    let resting = 0.5 * ignored;
    assert_eq!(found(resting, DVec3::X * 4.0, DVec3::ZERO), None);
    assert_eq!(found(resting, DVec3::X * 4.0, DVec3::Z * 9.0), None);
    let hit = found(resting, DVec3::X * 16.0, DVec3::ZERO).unwrap();
    assert!((hit.share - (4.875 - touch) / 16.0).abs() < 1e-8, "{hit:?}");
    // Between the ignored and the touching distance: free to slide and to part, but not to press.
    assert_eq!(found(3e-6, DVec3::X * 4.0, DVec3::ZERO), None);
    assert_eq!(found(3e-6, DVec3::new(1.0, 0.0, 3.0), DVec3::ZERO), None);
    let pressed = found(3e-6, DVec3::Z * -0.1, DVec3::ZERO).unwrap();
    assert!((pressed.share - 1e-5).abs() < 2e-7, "{pressed:?}");
    assert!((pressed.nearest.unwrap().distance - 2e-6).abs() < 3e-8, "{pressed:?}");
}

#[test]
fn a_search_that_starts_late_finds_the_same_touch() {
    let (ring, rod) = (
        Part::new(generate::torus(0.3, 0.1, 24, 12)),
        Part::new(generate::cuboid(Vec3::new(0.9, 0.05, 0.05), 9.0)),
    );
    let from = Pose::new(DQuat::from_rotation_y(0.3), DVec3::new(0.0, 0.0, 2.0));
    let fall = rod.moving(from, DVec3::ZERO, [DVec3::Z * -4.0, DVec3::new(1.0, 2.0, 3.0)]);
    let floor = ring.from(DVec3::ZERO, REST);
    let (surfaces, motions) = (surfaces([&ring, &rod]), [&floor, &fall]);
    let at = |start: f64| {
        ask(&TouchSearch { surfaces, motions, start, touch: TOUCH, ignored: 0.0 }).unwrap().share
    };
    let share = at(0.0);
    for start in [0.1, 0.3, share - 1e-3, share - 1e-6] {
        assert!((at(start) - share).abs() < 1e-8, "{} from {start}, not {share}", at(start));
    }
}

/// Shoots a needle through a plate that is thinner than the way between any two samples.
#[test]
fn a_fast_body_does_not_pass_through_a_sheet() {
    let sheet = Part::new((vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]));
    let needle = Part::new(generate::cuboid(Vec3::new(0.001, 0.001, 0.01), 9.0));
    let still = sheet.from(DVec3::ZERO, REST);
    let shot = needle.from(DVec3::new(0.2, 0.2, 500.0), [DVec3::Z * -1e3, DVec3::ZERO]);
    let touch = touch_of([&sheet, &needle], [&still, &shot]).unwrap();
    assert!((touch.share - (500.0 - 0.005) / 1e3).abs() < 1e-8, "{touch:?}");
}
