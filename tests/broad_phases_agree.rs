//! Every broad phase reports the pairs of brute force, sorted, each once, over frames of motion and for boxes
//! that are hard on it.

use glam::Vec3;
use tumble::broad::{BroadPhaseKind, Pair, create};
use tumble::volume::Aabb;

/// Overlaps by definition, without any of the kinds.
fn overlaps(boxes: &[Aabb]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (a, x) in boxes.iter().enumerate() {
        for (b, y) in boxes.iter().enumerate().skip(a + 1) {
            let apart = |k: usize| x.max[k] < y.min[k] || y.max[k] < x.min[k];
            if !x.is_empty() && !y.is_empty() && !(0..3).any(apart) {
                pairs.push(Pair { a: a as u32, b: b as u32 });
            }
        }
    }
    pairs
}

fn check(what: &str, frames: &[Vec<Aabb>]) {
    for kind in BroadPhaseKind::ALL {
        let mut broad = create(kind);
        let mut pairs = Vec::new();
        for (frame, boxes) in frames.iter().enumerate() {
            broad.update(boxes);
            broad.pairs(&mut pairs);
            assert_eq!(pairs, overlaps(boxes), "{what}: {}, frame {frame}", kind.name());
        }
    }
}

/// A number in 0..1 that depends on its arguments alone.
fn noise(i: usize, k: u32) -> f32 {
    let mut x = (i as u32).wrapping_mul(0x85EB_CA6B) ^ k.wrapping_mul(0xC2B2_AE35);
    x ^= x >> 15;
    x = x.wrapping_mul(0x2C1B_3C6D);
    x ^= x >> 13;
    x as f32 / u32::MAX as f32
}

fn cube(center: Vec3, half: Vec3) -> Aabb {
    Aabb::new(center - half, center + half)
}

/// Boxes that drift, each its own way, over a hundred frames.
fn drifting(count: usize, size: f32) -> Vec<Vec<Aabb>> {
    let at = |i: usize, frame: u32| {
        let start = Vec3::new(noise(i, 0), noise(i, 1), noise(i, 2));
        let speed = Vec3::new(noise(i, 3), noise(i, 4), noise(i, 5)) - 0.5;
        let half = size * Vec3::new(noise(i, 6), noise(i, 7), noise(i, 8));
        cube(start + 0.01 * frame as f32 * speed, half)
    };
    (0..100).map(|frame| (0..count).map(|i| at(i, frame)).collect()).collect()
}

#[test]
fn drifting_boxes() {
    for count in [0, 1, 2, 10, 100] {
        check("drifting", &drifting(count, 0.1));
    }
    let few: Vec<_> = drifting(1500, 0.02).into_iter().step_by(20).collect();
    check("many drifting", &few);
}

#[test]
fn boxes_that_touch_on_a_grid_overlap() {
    let boxes: Vec<Aabb> = (0..125)
        .map(|i| Vec3::new((i % 5) as f32, (i / 5 % 5) as f32, (i / 25) as f32))
        .map(|min| Aabb::new(min, min + 1.0))
        .collect();
    check("grid", &[boxes]);
}

#[test]
fn hard_sets_stay_right() {
    let equal = vec![cube(Vec3::ONE, Vec3::splat(0.5)); 60];
    let mut world = drifting(50, 0.05)[0].clone();
    world.push(cube(Vec3::ZERO, Vec3::splat(1e6)));
    let flat =
        (0..80).map(|i| cube(Vec3::new(noise(i, 0), 0.5, noise(i, 1)), Vec3::new(0.1, 0.0, 0.1))).collect();
    let points = (0..80).map(|i| cube(Vec3::splat((i % 7) as f32), Vec3::ZERO)).collect();
    let mixed = (0..200)
        .map(|i| {
            cube(
                10.0 * Vec3::new(noise(i, 0), noise(i, 1), noise(i, 2)),
                Vec3::splat(1e-4 * 10f32.powi(i as i32 % 5)),
            )
        })
        .collect();
    check("hard", &[equal, world, flat, points, mixed, vec![]]);
}

#[test]
fn boxes_come_and_go() {
    let full = drifting(60, 0.2);
    let frames: Vec<Vec<Aabb>> = full
        .iter()
        .enumerate()
        .map(|(frame, boxes)| {
            let count = 60 - (frame * 7) % 50;
            let gone = |i: usize| (i + frame).is_multiple_of(4);
            boxes[..count].iter().enumerate().map(|(i, b)| if gone(i) { Aabb::EMPTY } else { *b }).collect()
        })
        .collect();
    check("come and go", &frames);
}

#[test]
fn boxes_that_change_places_at_once() {
    let still = drifting(600, 0.05).swap_remove(0);
    let reversed: Vec<Aabb> = still.iter().rev().copied().collect();
    let shuffled: Vec<Aabb> = (0..600).map(|i| still[i * 7 % 600]).collect();
    check("places", &[still.clone(), reversed, still.clone(), shuffled, still]);
}

#[test]
fn swapping_axes_does_not_confuse_it() {
    // All spread along x in even frames and along y in odd ones.
    let frame = |f: usize| {
        (0..40)
            .map(|i| {
                let along = i as f32;
                let center =
                    if f.is_multiple_of(2) { Vec3::new(along, 0.0, 0.0) } else { Vec3::new(0.0, along, 0.0) };
                cube(center, Vec3::splat(0.6))
            })
            .collect()
    };
    check("axes", &(0..6).map(frame).collect::<Vec<_>>());
}
