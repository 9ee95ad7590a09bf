//! Scenes in which lengths, speeds and gravity are scaled alike: they take the same work and come to
//! rest alike.

use glam::{DQuat, DVec3, Vec3};
use tumble::generate;
use tumble::world::StepCounts;

use super::{G, Run, Setup};

/// Function that builds a scene at a scale.
type Make = fn(f64) -> Run;

fn head(scale: f64) -> Setup {
    let gravity = -G * scale;
    Setup::new(&format!("gravity = [0.0, {gravity:?}, 0.0]\nground = {{ size = {:?} }}", 20.0 * scale))
}

fn rule(scale: f64, [x, y, z]: [f64; 3], more: &str) -> String {
    format!("velocity = [{:?}, {:?}, {:?}]\n{more}", scale * x, scale * y, scale * z)
}

/// Returns three boxes that fall a short distance onto each other. Their sides are not in one plane, where
/// rounding would decide which triangles touch.
fn stack(scale: f64) -> Run {
    let cube = generate::cuboid(Vec3::splat(0.2 * scale as f32), 0.2 * scale);
    let names = ["low", "middle", "high"];
    let place = |setup: Setup, (k, name): (usize, &&str)| {
        setup.place(
            name,
            &cube,
            scale * DVec3::new(0.003 * k as f64, 0.11 + 0.21 * k as f64, 0.0),
            [0.0; 3],
            "",
        )
    };
    names.iter().enumerate().fold(head(scale), place).open()
}

/// Returns a box of 1 m that slides until friction stops it.
fn slide(scale: f64) -> Run {
    let cube = generate::cuboid(Vec3::splat(scale as f32), scale);
    let rule = rule(scale, [3.0, 0.0, 0.0], "");
    head(scale).place("box", &cube, scale * DVec3::Y * 0.5, [0.0; 3], &rule).open()
}

/// Returns a ball whose bounces become lower, beside a plate that falls on its edge. The ball resists
/// rolling: a coarse ball that rolls from vertex to vertex comes to rest on one that rounding decides.
fn bounce(scale: f64) -> Run {
    let ball = generate::sphere(0.05 * scale as f32, 12);
    let plate = generate::cuboid(scale as f32 * Vec3::new(0.2, 0.02, 0.2), 0.2 * scale);
    let at = |x: f64, y: f64| scale * DVec3::new(x, y, 0.0);
    let keys = format!("restitution = 0.5\nrolling = {:?}", 0.01 * scale);
    head(scale)
        .place("ball", &ball, at(0.0, 0.5), [0.0; 3], &rule(scale, [0.3, 0.0, 0.0], &keys))
        .place("plate", &plate, at(1.0, 0.4), [0.0, 0.0, 70.0], "")
        .open()
}

/// Returns parts of all kinds that are thrown at each other.
fn heap(scale: f64) -> Run {
    let size = scale as f32;
    let shapes = [
        generate::cuboid(Vec3::new(0.3, 0.2, 0.1) * size, 0.1 * scale),
        generate::torus(0.15 * size, 0.05 * size, 16, 8),
        generate::cuboid(Vec3::new(0.3, 0.015, 0.3) * size, 0.3 * scale),
        generate::cuboid(Vec3::new(1.5, 1.0, 1.0) * size, scale),
    ];
    let mut setup = head(scale);
    for (k, shape) in shapes.iter().cycle().take(12).enumerate() {
        let [x, y, z] = [k % 2, k / 4, k / 2 % 2].map(|cell| cell as f64);
        let turn = 37.0 * k as f64;
        let rule = rule(scale, [3.0 - 6.0 * x, -2.0, 3.0 - 6.0 * z], "");
        let at = scale * DVec3::new(2.0 * x, 1.5 + 1.6 * y, 2.0 * z);
        setup = setup.place(&format!("part{k}"), shape, at, [turn, 2.0 * turn, 0.0], &rule);
    }
    setup.open()
}

/// State after one step and counts of the step; lengths are divided by the scale.
#[derive(Debug, PartialEq)]
struct Taken {
    poses: Vec<(DQuat, DVec3)>,
    counts: StepCounts,
    asleep: u32,
}

/// Returns the outcome of each step of a scene at `scale`.
fn taken(make: Make, scale: f64, steps: u32) -> Vec<Taken> {
    let mut run = make(scale);
    let step = |_| {
        run.world.step();
        let states = &run.world.bodies().states;
        let poses = states.iter().map(|s| (s.pose.rotation, s.pose.position / scale)).collect();
        Taken { poses, counts: run.world.counts(), asleep: run.world.sleeping_count() }
    };
    (0..steps).map(step).collect()
}

/// Scales by a power of two, which causes no rounding, so that all steps are identical.
#[test]
fn scenes_of_eight_times_the_size_and_an_eighth_of_it_take_the_same_steps_to_the_bit() {
    for (make, name) in [(stack as Make, "stack"), (slide, "slide"), (bounce, "bounce"), (heap, "heap")] {
        let as_it_is = taken(make, 1.0, 240);
        assert!(as_it_is.iter().any(|step| step.counts.contacts > 0), "{name}");
        for scale in [0.125, 8.0] {
            for (step, (one, other)) in as_it_is.iter().zip(&taken(make, scale, 240)).enumerate() {
                assert_eq!(one, other, "{name} at {scale}, step {step}");
            }
        }
    }
}

/// Scales by ten, which causes rounding. Only scenes in which a rounding error does not grow are
/// compared.
#[test]
fn scenes_of_ten_times_the_size_and_a_tenth_of_it_take_the_same_work_and_rest_at_the_same_moment() {
    for (make, name) in [(stack as Make, "stack"), (slide, "slide"), (bounce, "bounce")] {
        let work = |scale: f64| {
            let steps = taken(make, scale, 240);
            let sum = |count: fn(&StepCounts) -> u64| {
                steps.iter().map(|step| count(&step.counts)).sum::<u64>() as f64
            };
            let rest = steps.iter().position(|step| step.counts.awake_bodies == 0);
            let rest = rest.unwrap_or_else(|| panic!("{name} at {scale} never rests")) as f64;
            [sum(|c| c.passes), sum(|c| c.node_tests), sum(|c| c.candidates), sum(|c| c.contacts), rest]
        };
        let as_it_is = work(1.0);
        for scale in [0.1, 10.0] {
            let other = work(scale);
            let is_near = as_it_is.iter().zip(&other).all(|(x, y)| (x / y - 1.0).abs() < 0.02);
            assert!(is_near, "{name}: {as_it_is:?}, at {scale} {other:?}");
        }
    }
}

/// Drops parts of one micrometer, ten micrometers and one meter on a plate of a hundred kilometers.
/// Gravity moves the smallest part by forty times its size between two searches. It may pass through
/// the plate, but must then be reported.
#[test]
fn a_grain_and_a_block_rest_on_one_plate_which_is_ten_billion_times_as_long() {
    let plate = generate::cuboid(Vec3::new(1e5, 1e4, 1e5), 1e5);
    let mut setup = Setup::new("").place("plate", &plate, -DVec3::Y * 5e3, [0.0; 3], "motion = \"static\"");
    let sizes = [("dust", 1e-6), ("grain", 1e-5), ("block", 1.0)];
    for (k, (name, size)) in sizes.into_iter().enumerate() {
        let cube = generate::cuboid(Vec3::splat(size as f32), size);
        let at = DVec3::new(5.0 * k as f64, size, 0.0);
        setup = setup.place(name, &cube, at, [0.0; 3], "density = 1000");
    }
    let mut run = setup.open();
    run.seconds(3.0);
    let passages = &run.world.incidents().passages;
    for (name, size) in sizes {
        let depth = -run.lowest(name) / size;
        let is_held = (-0.05..0.05).contains(&depth) && !run.state(name).is_awake();
        let is_named = passages.iter().any(|passage| passage.body_name == name);
        assert!(is_held != is_named, "{name} is {depth} of its size deep: {passages:?}");
        assert!(is_held || name == "dust", "{name}");
    }
    assert!(run.world.quarantined().is_empty());
}
