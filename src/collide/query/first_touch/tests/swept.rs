//! Random pairs of shapes on random screws, against dense sampling of the interval.

use super::{FirstTouch, Motion, Part, TOUCH, screw, shape, surfaces, touch_of};
use crate::query::{PairMemory, Placed, distance, surfaces_intersect};
use crate::random::Random;
use crate::tree::{Counts, DescentScratch};

/// Pair of moving parts.
struct Case<'a> {
    parts: [&'a Part; 2],
    motions: [&'a Motion; 2],
}

impl Case<'_> {
    fn intersect_at(&self, share: f64, scratch: &mut DescentScratch) -> bool {
        let [a, b] = self.motions.map(|motion| motion.at(share));
        let b_to_a = b.relative_to(&a);
        surfaces_intersect(surfaces(self.parts), &b_to_a, scratch, &mut Counts::default())
    }

    /// Returns the distance of the surfaces at a share, m.
    fn distance_at(&self, share: f64) -> f64 {
        let [a, b] = [0, 1].map(|side: usize| {
            let part = self.parts[side];
            Placed::new(&part.tree, &part.mesh, self.motions[side].at(share))
        });
        distance(&a, &b, f64::INFINITY, &mut PairMemory::default()).unwrap().distance
    }

    /// Asserts that no sample before the touch, or of the whole interval, intersects.
    fn assert_free(&self, touch: Option<&FirstTouch>, scratch: &mut DescentScratch) {
        let end = touch.map_or(1.0, |touch| touch.share);
        for k in 0..240 {
            // The last samples are dense, where the bodies are near each other.
            let share = if k < 200 { f64::from(k) / 200.0 } else { 1.0 - 0.03 * f64::from(k - 200) / 40.0 };
            assert!(!self.intersect_at(end * share, scratch), "at {share} of {touch:?}");
        }
    }
}

/// Returns the number of random pairs: all of them with `TUMBLE_FULL=1`.
fn rounds() -> u32 {
    if std::env::var_os("TUMBLE_FULL").is_some_and(|value| value == "1") { 100_000 } else { 3_000 }
}

#[test]
fn no_sample_before_the_first_touch_intersects_and_there_the_surfaces_are_within_a_micrometer() {
    let (mut random, mut scratch) = (Random::new(71, 0), DescentScratch::default());
    let (mut touches, mut passes, mut given_up) = (0, 0, 0);
    for round in 0..rounds() {
        let [a, b] = [(); 2].map(|()| Part::new(shape(&mut random)));
        let motions = [screw(&a, &mut random), screw(&b, &mut random)];
        let case = Case { parts: [&a, &b], motions: [&motions[0], &motions[1]] };
        if case.intersect_at(0.0, &mut scratch) || case.distance_at(0.0) <= TOUCH {
            continue;
        }
        let found = touch_of(case.parts, case.motions);
        case.assert_free(found.as_ref(), &mut scratch);
        let Some(touch) = found else {
            passes += 1;
            continue;
        };
        let Some(nearest) = touch.nearest else {
            given_up += 1;
            continue;
        };
        touches += 1;
        let distance = case.distance_at(touch.share);
        assert!(distance > 0.9 * TOUCH && distance <= 1.0001 * TOUCH, "round {round}: {distance:e}");
        assert!((nearest.distance - distance).abs() < 1e-9, "round {round}: {nearest:?}");
        let [p, q] = nearest.points;
        assert!((p.distance(q) - distance).abs() < 1e-9, "round {round}: {nearest:?}");
    }
    println!("{touches} touches, {passes} passes, {given_up} given up");
    assert!(touches > 500 && passes > 500, "{touches} touches, {passes} passes");
    assert!(given_up * 1000 <= touches, "{given_up} of {touches} given up");
}
