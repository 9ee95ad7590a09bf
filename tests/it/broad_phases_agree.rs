//! Every broad phase reports the pairs of brute force, sorted, and each pair once. The tests use frames
//! of motion, hard sets of boxes, and any number of threads.

use glam::Vec3;
use tumble::broad::{BroadPhase, BroadPhaseKind, Pair, SweepOrder, Upkeep};
use tumble::volume::Aabb;

/// Returns the overlapping pairs by their definition, without any broad phase.
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
    let expected: Vec<Vec<Pair>> = frames.iter().map(|boxes| overlaps(boxes)).collect();
    for kind in BroadPhaseKind::ALL {
        let mut broad = BroadPhase::new(kind, 1);
        // The list contains an old pair, which must be removed.
        let mut pairs = vec![Pair::new(7, 8)];
        for (frame, (boxes, expected)) in frames.iter().zip(&expected).enumerate() {
            broad.update(boxes);
            broad.pairs(&mut pairs);
            // `assert_eq` would print both lists, so it is not used.
            assert!(pairs == *expected, "{what}: {}, frame {frame}", kind.name());
        }
    }
}

/// Returns a number in 0..1 that depends only on its arguments.
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

/// Returns a hundred frames of boxes, which drift in different directions.
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
    let crowd: Vec<_> = drifting(5000, 0.03).into_iter().step_by(30).collect();
    check("a crowd", &crowd);
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

/// Tests needles along each axis, as no dimension is special.
#[test]
fn long_boxes_along_every_axis() {
    let frame = |turn: usize| -> Vec<Aabb> {
        let needle = |i: usize| {
            let mut half = Vec3::splat(0.002);
            half[(i + turn) % 3] = 0.4;
            cube(Vec3::new(noise(i, 0), noise(i, 1), noise(i, 2)), half)
        };
        (0..400).map(needle).collect()
    };
    let walls = (0..60).map(|i| {
        let mut half = Vec3::splat(2.0);
        half[i % 3] = 1e-6;
        cube(Vec3::splat(0.1 * (i / 3) as f32), half)
    });
    check("long", &[frame(0), frame(1), frame(2), walls.collect()]);
}

#[test]
fn boxes_without_bounds_overlap_what_they_reach() {
    let mut boxes = drifting(80, 0.05).swap_remove(0);
    let infinite = f32::INFINITY;
    boxes[3] = Aabb::new(Vec3::NEG_INFINITY, Vec3::INFINITY);
    boxes[40] = Aabb::new(Vec3::new(-infinite, -infinite, 0.5), Vec3::new(infinite, infinite, 0.5));
    boxes[41] = Aabb::new(Vec3::new(0.5, -1.0, -1.0), Vec3::new(infinite, 2.0, 2.0));
    boxes[79] = Aabb::new(Vec3::splat(-f32::MAX), Vec3::splat(f32::MAX));
    // A point at infinity.
    boxes[50] = Aabb::new(Vec3::INFINITY, Vec3::INFINITY);
    check("unbounded", &[boxes.clone(), drifting(80, 0.05).swap_remove(1), boxes]);
}

#[test]
fn negative_zero_equals_zero() {
    let at = |low: f32, high: f32| Aabb::new(Vec3::splat(low), Vec3::splat(high));
    let boxes =
        vec![at(-1.0, -0.0), at(0.0, 1.0), at(-0.0, 0.0), at(0.0, 0.0), at(-0.0, -0.0), at(-2.0, -0.5)];
    assert_eq!(overlaps(&boxes).len(), 11);
    check("zeros", &[boxes]);
}

#[test]
fn boxes_with_nan_or_inside_out_are_named_and_nothing_else_is_lost() {
    let mut boxes = drifting(300, 0.1).swap_remove(0);
    let whole = Aabb::new(Vec3::splat(-9.0), Vec3::splat(9.0));
    for k in 0..3 {
        let mut bounds = whole;
        bounds.min[k] = f32::NAN;
        boxes[10 * k + 5] = bounds;
        bounds = whole;
        bounds.max[k] = f32::NAN;
        boxes[10 * k + 6] = bounds;
        bounds = whole;
        (bounds.min[k], bounds.max[k]) = (1.0, -1.0);
        boxes[10 * k + 7] = bounds;
    }
    boxes[100] = Aabb::EMPTY;
    boxes[299] = Aabb::new(Vec3::NAN, Vec3::NAN);
    let sound = drifting(300, 0.1).swap_remove(1);
    check("invalid", &[boxes.clone(), sound.clone(), boxes.clone()]);
    for kind in BroadPhaseKind::ALL {
        let mut broad = BroadPhase::new(kind, 1);
        broad.update(&boxes);
        assert_eq!(broad.invalid(), [5, 6, 7, 15, 16, 17, 25, 26, 27, 299], "{}", kind.name());
        broad.update(&sound);
        assert!(broad.invalid().is_empty(), "{}", kind.name());
    }
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
    // The boxes are spread along x in even frames and along y in odd frames.
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

/// Uses thousands of boxes at once, so that the stored structure must be rebuilt. Also uses few boxes,
/// so that it must not be rebuilt.
#[test]
fn any_part_of_the_boxes_enters_and_leaves() {
    let full = drifting(4000, 0.02);
    let part = |frame: usize, every: usize| -> Vec<Aabb> {
        let gone = |i: usize| (i + frame).is_multiple_of(every);
        let boxes = full[frame].iter().enumerate();
        boxes.map(|(i, b)| if gone(i) { Aabb::EMPTY } else { *b }).collect()
    };
    let frames =
        [part(0, 2), part(1, 2), part(2, 40), part(3, 40), part(4, 40), part(5, 3), vec![], part(6, 9)];
    check("turnover", &frames);
}

/// Moves a few boxes far, which stretches their groups. Then moves all of them, which stretches all
/// groups.
#[test]
fn boxes_that_jump_across_the_world() {
    let still = drifting(3000, 0.02).swap_remove(0);
    let jumped = |every: usize| -> Vec<Aabb> {
        let mut boxes = still.clone();
        for i in (0..boxes.len()).step_by(every) {
            boxes[i] = still[(i * 7 + 1) % still.len()];
        }
        boxes
    };
    check("jumps", &[still.clone(), jumped(500), jumped(50), jumped(3), still.clone(), jumped(1)]);
}

/// Returns the upkeep, the number of tests and the pairs of each frame. Uses the default kind on
/// `thread_count` threads.
fn run_on(thread_count: usize, frames: &[Vec<Aabb>]) -> Vec<(Upkeep, u64, Vec<Pair>)> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(thread_count).build().unwrap();
    let mut broad = BroadPhase::new(BroadPhaseKind::default(), thread_count);
    let frame = |boxes: &Vec<Aabb>| {
        let mut pairs = Vec::new();
        let upkeep = pool.install(|| broad.update(boxes));
        let test_count = pool.install(|| broad.pairs(&mut pairs));
        (upkeep, test_count, pairs)
    };
    frames.iter().map(frame).collect()
}

#[test]
fn pairs_and_their_order_do_not_depend_on_threads() {
    let mut frames: Vec<_> = drifting(20_000, 0.04).into_iter().step_by(25).collect();
    frames[2][17] = Aabb::new(Vec3::splat(-1.0), Vec3::splat(2.0));
    for boxes in &mut frames[3..] {
        boxes.truncate(18_000);
    }
    let alone = run_on(1, &frames);
    assert!(alone.iter().all(|frame| frame.2.len() > 20_000));
    for thread_count in [2, 3, 8] {
        assert!(run_on(thread_count, &frames) == alone, "{thread_count} threads");
    }
    // The unsorted order is also the same each time.
    let found = |thread_count: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(thread_count).build().unwrap();
        let mut broad = BroadPhase::new(BroadPhaseKind::default(), thread_count);
        let mut pairs = Vec::new();
        pool.install(|| broad.update(&frames[0]));
        pool.install(|| broad.find(&mut pairs));
        pairs
    };
    assert!(found(4) == found(4));
}

/// Uses sets that threads divide differently: boxes of all sizes and shapes, boxes that enter, boxes
/// that are all in one place, and no boxes.
#[test]
fn hard_sets_do_not_depend_on_threads() {
    let random = |i: usize| Vec3::new(noise(i, 0), noise(i, 1), noise(i, 2));
    let mixed: Vec<Aabb> = (0..6000)
        .map(|i| {
            let mut half = Vec3::splat(0.05 * 10f32.powf(-4.0 * noise(i, 3)));
            half[i % 3] *= 1.0 + 20.0 * noise(i, 4);
            cube(random(i), half)
        })
        .collect();
    let mut fewer = mixed.clone();
    fewer[100..500].fill(Aabb::EMPTY);
    // Because of a distant box, all others are in one corner.
    let mut far: Vec<Aabb> = (0..5000).map(|i| cube(random(i), Vec3::splat(0.01))).collect();
    far[77] = cube(Vec3::splat(1e7), Vec3::ONE);
    far[78] = Aabb::new(Vec3::new(0.0, f32::INFINITY, 0.0), Vec3::new(1.0, f32::INFINITY, 1.0));
    let points = (0..5000).map(|i| cube(Vec3::splat((i % 500) as f32), Vec3::ZERO)).collect();
    let frames = [fewer, mixed, far, points, vec![Aabb::EMPTY; 5000], vec![]];
    let alone = run_on(1, &frames);
    for (frame, (_, _, pairs)) in frames.iter().zip(&alone) {
        assert!(*pairs == overlaps(frame));
    }
    for thread_count in [2, 8] {
        assert!(run_on(thread_count, &frames) == alone, "{thread_count} threads");
    }
}

/// Checks that nothing is rebuilt if a frame equals the last one, whatever the boxes are.
#[test]
fn unchanged_boxes_keep_their_pairs() {
    let many = drifting(2000, 0.03).swap_remove(0);
    let mixed = |i: usize| {
        let half = Vec3::new(noise(i, 3), noise(i, 4), noise(i, 5)).map(|x| 10f32.powf(-4.0 * x));
        cube(Vec3::new(noise(i, 0), noise(i, 1), noise(i, 2)), half)
    };
    let few_of_all_sizes: Vec<Aabb> = (0..100).map(mixed).collect();
    for boxes in [&many, &few_of_all_sizes] {
        for kind in BroadPhaseKind::ALL {
            let mut broad = BroadPhase::new(kind, 1);
            assert_eq!(broad.update(boxes), Upkeep::Made);
            broad.find(&mut Vec::new());
            let keeps = match kind {
                BroadPhaseKind::WideTree | BroadPhaseKind::Sweep(_, SweepOrder::Kept) => Upkeep::Kept,
                _ => Upkeep::Made,
            };
            assert_eq!(broad.update(boxes), keeps, "{}", kind.name());
        }
    }
}

/// Moves boxes far. The stored structure gets worse until it is rebuilt, so no frame costs much more
/// than the first frame. A box around all others, a flat set or a spinning box must not hide that a
/// rebuild is needed.
#[test]
fn motion_never_makes_frames_much_more_expensive() {
    let random = |i: usize| Vec3::new(noise(i, 0), noise(i, 1), noise(i, 2));
    let moved = |i: usize, frame: usize| {
        let way = Vec3::new(noise(i, 3), noise(i, 4), noise(i, 5)) - 0.5;
        // The boxes are reflected at the walls, so that they stay equally crowded.
        let at = random(i) + 0.02 * frame as f32 * way;
        at.map(|x| 1.0 - (x.rem_euclid(2.0) - 1.0).abs())
    };
    let plain = |i, frame| cube(moved(i, frame), Vec3::splat(0.01));
    let flat = |i, frame| cube(moved(i, frame) * Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.004, 0.004, 0.0));
    let frames = |one: &dyn Fn(usize, usize) -> Aabb| -> Vec<Vec<Aabb>> {
        (0..200).map(|frame| (0..3000).map(|i| one(i, frame)).collect()).collect()
    };
    let unbounded = Aabb::new(Vec3::NEG_INFINITY, Vec3::INFINITY);
    let plate = Aabb::new(Vec3::new(-500.0, -1.0, -500.0), Vec3::new(500.0, 0.0, 500.0));
    for (what, frames) in [
        ("plain", frames(&plain)),
        ("unbounded", frames(&|i, frame| if i == 0 { unbounded } else { plain(i, frame) })),
        ("plate", frames(&|i, frame| if i == 0 { plate } else { plain(i, frame) })),
        ("flat", frames(&flat)),
    ] {
        let run = run_on(1, &frames);
        let first = run[0].1;
        let most = run.iter().map(|frame| frame.1).max().unwrap();
        let made = run.iter().filter(|frame| frame.0 == Upkeep::Made).count();
        assert!(most < 3 * first, "{what}: {most} tests in a frame, {first} in the first");
        assert!((2..120).contains(&made), "{what}: made {made} times");
    }
}

/// Limits the bytes per box, besides the boxes and the pairs.
#[test]
fn memory_grows_with_the_boxes_and_not_with_the_pairs() {
    let crowded: Vec<Aabb> = drifting(20_000, 0.1).swap_remove(0);
    let mut entering = crowded.clone();
    entering[..1500].fill(Aabb::EMPTY);
    for kind in BroadPhaseKind::ALL {
        if kind == BroadPhaseKind::BruteForce {
            continue;
        }
        let mut broad = BroadPhase::new(kind, 1);
        let mut pairs = Vec::new();
        broad.update(&entering);
        broad.pairs(&mut pairs);
        broad.update(&crowded);
        broad.pairs(&mut pairs);
        assert!(pairs.len() > 40 * crowded.len());
        let bytes = broad.byte_count() as f64 / crowded.len() as f64;
        let most = if kind == BroadPhaseKind::default() { 64.0 } else { 200.0 };
        assert!((16.0..=most).contains(&bytes), "{}: {bytes} bytes a box", kind.name());
    }
}
