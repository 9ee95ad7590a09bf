//! Contact forces and impulses between bodies, as reported to a user, compared with theory.

use glam::{DQuat, DVec3, Vec3};
use tumble::body::{Activity, Motion};
use tumble::generate;
use tumble::world::{Event, PairTouch};

use super::{G, Run, Setup};

const DT: f64 = 1.0 / 60.0;

impl Run {
    /// Returns the touch of two bodies in the last step, if they touched.
    fn touch(&self, one: &str, other: &str) -> Option<PairTouch> {
        let (a, b) = (self.index(one) as u32, self.index(other) as u32);
        let pair = (a.min(b), a.max(b));
        self.world.touching().iter().find(|touch| (touch.a, touch.b) == pair).copied()
    }

    /// Returns the force of the contacts on every body in the last step, N.
    fn forces(&self) -> Vec<DVec3> {
        let mut forces = vec![DVec3::ZERO; self.scene.bodies.len()];
        for touch in self.world.touching() {
            forces[touch.a as usize] -= touch.push + touch.friction;
            forces[touch.b as usize] += touch.push + touch.friction;
        }
        forces
    }
}

fn stack(count: usize) -> Run {
    let cube = generate::cuboid(Vec3::splat(0.1), 0.1);
    let mut setup = Setup::new("ground = {}");
    for k in 0..count {
        let middle = DVec3::Y * (0.0501 + 0.1001 * k as f64);
        setup = setup.place(&format!("box{k}"), &cube, middle, [0.0; 3], "mass = 1.0");
    }
    setup.open()
}

#[test]
fn a_box_at_rest_presses_with_its_weight_awake_and_asleep() {
    let mut run = stack(1);
    for seconds in [0.4, 4.0] {
        run.seconds(seconds);
        let touch = run.touch("box0", "ground").unwrap();
        assert!((touch.force / G - 1.0).abs() < 0.005, "{touch:?}");
        assert!(touch.point.y.abs() < 1e-3 && touch.point.distance(DVec3::ZERO) < 0.01, "{touch:?}");
    }
    assert_eq!(run.state("box0").activity, Activity::Asleep);
    let touch = run.world.touches()[0];
    assert!(touch.step_count > 260 && touch.last_step == 264, "{touch:?}");
    assert!((touch.mean_force() / G - 1.0).abs() < 0.02, "{touch:?}");
    assert_eq!(run.world.touches().len(), 1);
}

#[test]
fn the_forces_in_a_stack_of_ten_add_up() {
    let mut run = stack(10);
    run.seconds(4.0);
    for k in 0..10 {
        let below = if k == 0 { "ground".to_owned() } else { format!("box{}", k - 1) };
        let touch = run.touch(&format!("box{k}"), &below).unwrap();
        let expected = (10 - k) as f64 * G;
        assert!((touch.force / expected - 1.0).abs() < 0.005, "{k}: {touch:?}");
    }
}

/// Compares the impulse with J = m·(1 + e)·√(2·g·h), plus that of the weight in the rest of the step of
/// the impact.
#[test]
fn the_impulse_of_a_bounce_is_the_change_of_momentum() {
    let ball = generate::sphere(0.1, 32);
    let rule = "mass = 2.0\nrestitution = 0.5";
    let mut run = Setup::new("ground = {}").place("ball", &ball, DVec3::Y * 2.1, [0.0; 3], rule).open();
    let mut hits = Vec::new();
    for step in 1..=60_u32 {
        let before = run.state("ball").linear_velocity.y;
        run.world.step();
        let gained = run.state("ball").linear_velocity.y - before + G * DT;
        for event in run.world.events() {
            if let Event::Hit { impulse, .. } = event {
                assert!((impulse / (2.0 * gained) - 1.0).abs() < 1e-9, "{impulse}, gained {gained}");
                hits.push((step, *impulse));
            }
        }
    }
    let expected = 2.0 * 1.5 * (2.0 * G * 2.0).sqrt();
    let [(step, impulse)] = hits[..] else { panic!("{hits:?}") };
    assert!((impulse / expected - 1.0).abs() < 0.01, "{impulse}, {expected}");
    let touch = run.world.touches()[0];
    assert_eq!(touch.impact.map(|impact| (impact.step, impact.impulse)), Some((step, impulse)));
    assert!((touch.first_place.world.y).abs() < 1e-3, "on the ground: {touch:?}");
    let (own, _) = (touch.first_place.in_a, touch.first_place.in_b);
    let is_ball = run.index("ball") == 0;
    assert!(!is_ball || (own.length() - 0.1).abs() < 1e-3, "on the ball: {touch:?}");
}

/// Compares with N = m·g·cos α, and F = m·g·sin α while the block holds, µ·N while it slides.
#[test]
fn a_block_on_a_slope_is_held_by_friction_of_its_share_of_the_weight() {
    let slab = generate::cuboid(Vec3::new(8.0, 1.0, 4.0), 8.0);
    let block = generate::cuboid(Vec3::new(0.4, 0.1, 0.4), 0.1);
    for (degrees, slides) in [(15.0_f64, false), (35.0, true)] {
        let tilt = DQuat::from_rotation_z(-degrees.to_radians());
        let turn = [0.0, 0.0, -degrees];
        let mut run = Setup::new("name = \"slope\"")
            .place("slab", &slab, tilt * DVec3::NEG_Y * 0.5, turn, "motion = \"static\"\nfriction = 0.5")
            .place("block", &block, tilt * DVec3::new(-3.0, 0.05, 0.0), turn, "mass = 3.0\nfriction = 0.5")
            .open();
        run.seconds(0.8);
        let touch = run.touch("slab", "block").unwrap();
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let friction = if slides { 0.5 * cosine } else { sine };
        assert!((touch.force / (3.0 * G * cosine) - 1.0).abs() < 0.01, "{degrees}: {touch:?}");
        assert!((touch.friction.length() / (3.0 * G * friction) - 1.0).abs() < 0.01, "{degrees}: {touch:?}");
    }
}

/// Tests m·Δv = (F + m·g)·Δt for every body and step, including steps of many passes, and pairs that
/// separate within a step.
#[test]
fn forces_of_contacts_explain_every_change_of_momentum() {
    let shapes = [
        generate::cuboid(Vec3::splat(0.1), 0.1),
        generate::torus(0.08, 0.03, 16, 8),
        generate::sphere(0.06, 12),
    ];
    let mut setup = Setup::new("ground = {}");
    for k in 0..12 {
        let at = DVec3::new(0.07 * (k % 3) as f64, 0.15 + 0.16 * k as f64, 0.05 * (k % 2) as f64);
        let turn = [20.0 * k as f64, 35.0 * k as f64, 0.0];
        let rule = "mass = 0.5\nrestitution = 0.4\nvelocity = [0.0, -6.0, 0.0]";
        setup = setup.place(&format!("part{k}"), &shapes[k % 3], at, turn, rule);
    }
    let mut run = setup.open_with(|config| config.sleep = false);
    let (mut greatest, mut most_passes) = (0.0_f64, 0);
    for _ in 0..150 {
        let before: Vec<DVec3> = run.world.bodies().states.iter().map(|s| s.linear_velocity).collect();
        run.world.step();
        most_passes = most_passes.max(run.world.counts().passes);
        for ((state, before), force) in run.world.bodies().states.iter().zip(before).zip(run.forces()) {
            if state.motion == Motion::Dynamic {
                let gained = (state.linear_velocity - before + DVec3::Y * G * DT) * 0.5;
                let off = (gained - force * DT).length();
                let explained = force * DT;
                assert!(off < 1e-9 * (1.0 + explained.length()), "{gained} N·s, explained {explained}");
                greatest = greatest.max(force.length());
            }
        }
    }
    assert!(greatest > 50.0 && most_passes > 2, "{greatest} N, {most_passes} passes");
}

#[test]
fn a_body_that_falls_out_of_the_world_is_told_once() {
    let cube = generate::cuboid(Vec3::splat(0.1), 0.1);
    let post = generate::cuboid(Vec3::new(0.1, 1.0, 0.1), 1.0);
    let mut run = Setup::new("")
        .place("cube", &cube, DVec3::X, [0.0; 3], "mass = 1.0")
        .place("post", &post, DVec3::ZERO, [0.0; 3], "motion = \"static\"")
        .open();
    let mut told = Vec::new();
    for step in 1..=60_u32 {
        run.world.step();
        told.extend(run.world.events().iter().map(|event| (step, *event)));
    }
    let (body, step) = (run.index("cube") as u32, run.world.incidents().falls[0].step);
    assert_eq!(told, [(step, Event::FellOut { body })]);
}

#[test]
fn contacts_begin_hit_and_end() {
    let ball = generate::sphere(0.1, 16);
    let rule = "mass = 1.0\nrestitution = 0.8";
    let mut run = Setup::new("ground = {}").place("ball", &ball, DVec3::Y * 0.6, [0.0; 3], rule).open();
    let mut told = Vec::new();
    for _ in 0..45 {
        run.world.step();
        told.extend(run.world.events().iter().map(|event| match event {
            Event::Began { .. } => "began",
            Event::Ended { .. } => "ended",
            Event::Hit { .. } => "hit",
            _ => "other",
        }));
    }
    assert_eq!(told, ["began", "hit", "ended"]);
}

/// Sets a body aside (quarantine): its contacts end, and no reported force is NaN.
#[test]
fn a_body_that_is_set_aside_touches_nothing_any_more() {
    let mut run = stack(2);
    run.seconds(0.5);
    assert_eq!(run.world.touching().len(), 2);
    run.state_mut("box1").linear_velocity = DVec3::splat(f64::NAN);
    run.world.step();
    assert_eq!(run.world.quarantined().len(), 1);
    let bodies = run.world.touching().iter().map(PairTouch::bodies).collect::<Vec<_>>();
    let (low, ground) = (run.index("box0") as u32, run.index("ground") as u32);
    assert_eq!(bodies, [(low.min(ground), low.max(ground))]);
    assert!(run.world.events().iter().any(|event| matches!(event, Event::Ended { .. })));
    run.seconds(1.0);
    assert!(run.world.touches().iter().all(|t| t.force.is_finite() && t.force_sum.is_finite()));
    assert!((run.touch("box0", "ground").unwrap().force / G - 1.0).abs() < 0.01);
}

/// Swaps the order of two bodies in the file. The forces must not depend on it.
#[test]
fn forces_do_not_depend_on_the_order_of_the_parts() {
    let cube = generate::cuboid(Vec3::splat(0.1), 0.1);
    let slab = generate::cuboid(Vec3::new(2.0, 0.2, 2.0), 2.0);
    let measure = |is_slab_first: bool| {
        let mut setup = Setup::new("");
        for is_slab in [is_slab_first, !is_slab_first] {
            setup = if is_slab {
                setup.place("slab", &slab, DVec3::Y * -0.1, [0.0, 0.0, -10.0], "motion = \"static\"")
            } else {
                setup.place("cube", &cube, DVec3::Y * 0.15, [0.0, 20.0, -10.0], "mass = 1.0")
            };
        }
        let mut run = setup.open();
        run.seconds(2.0);
        let sign = if run.index("cube") > run.index("slab") { 1.0 } else { -1.0 };
        let touch = run.touch("cube", "slab").unwrap();
        (touch.force, sign * touch.push, sign * touch.friction, touch.point)
    };
    let [one, other] = [true, false].map(measure);
    assert!((one.0 - other.0).abs() < 1e-3 * one.0, "{one:?} {other:?}");
    let vectors = [(one.1, other.1), (one.2, other.2), (one.3, other.3)];
    assert!(vectors.iter().all(|(x, y)| x.distance(*y) < 1e-2), "{one:?} {other:?}");
    // The slab pushes the cube up and brakes it.
    assert!(one.1.y > 9.0 && one.2.x < 0.0, "{one:?}");
}

/// Tests m·Δv = F·Δt for a ball that leaves one wall, hits another and becomes slow. At the end of the
/// step it is no longer near the first wall.
#[test]
fn forces_explain_a_ball_that_bounces_between_two_walls_within_a_step() {
    let ball = generate::sphere(0.05, 16);
    let wall = generate::cuboid(Vec3::new(0.2, 2.0, 2.0), 2.0);
    let still = "motion = \"static\"\nrestitution = 0.0";
    let mut run = Setup::new("gravity = [0.0, 0.0, 0.0]")
        .place("ball", &ball, DVec3::ZERO, [0.0; 3], "mass = 2.0\nvelocity = [100.0, 0.0, 0.0]")
        .place("lively", &wall, DVec3::X * 0.5, [0.0; 3], "motion = \"static\"\nrestitution = 0.9")
        .place("dull", &wall, DVec3::X * -0.5, [0.0; 3], still)
        .open();
    let mut most = 0;
    for _ in 0..6 {
        let before = run.state("ball").linear_velocity;
        run.world.step();
        let gained = 2.0 * (run.state("ball").linear_velocity - before);
        let explained = run.forces()[run.index("ball")] * DT;
        assert!((gained - explained).length() < 1e-9 * (1.0 + gained.length()), "{gained}, {explained}");
        most = most.max(run.world.touching().len());
    }
    assert_eq!(most, 2, "both walls in one step");
}

#[test]
fn a_box_that_lies_hits_once_and_never_again() {
    let mut run = stack(1);
    let mut hits = 0;
    for _ in 0..120 {
        run.world.step();
        hits += run.world.events().iter().filter(|event| matches!(event, Event::Hit { .. })).count();
    }
    assert!(hits <= 1, "{hits}");
    assert!(run.world.touches()[0].impact.is_none_or(|impact| impact.step < 5));
}
