//! Welded parts: they move as one body, and each weld reports the force and the moment in it.

use std::fmt::Write;

use glam::{DVec3, Vec3};
use tumble::generate;

use super::{G, Run, Setup};

/// Side of the cubes, m. Each weighs 1 kg.
const SIDE: f64 = 0.1;

/// Returns a row of welded cubes along x, whose first joint is at the origin. `first`: the other body of the
/// first joint, if there is one.
fn row(cubes: usize, first: Option<&str>) -> Setup {
    let shape = generate::cuboid(Vec3::splat(SIDE as f32), SIDE);
    let mut setup = Setup::new("");
    for k in 0..cubes {
        let at = DVec3::X * SIDE * (k as f64 + 0.5);
        setup = setup.place(&format!("cube{k}"), &shape, at, [0.0; 3], "mass = 1.0");
        let before = if k > 0 { Some(format!("cube{}", k - 1)) } else { first.map(str::to_owned) };
        if let Some(before) = before {
            weld(&mut setup, &before, &format!("cube{k}"), SIDE * k as f64);
        }
    }
    setup
}

fn weld(setup: &mut Setup, a: &str, b: &str, x: f64) {
    writeln!(setup.text, "[[joint]]\na = \"{a}\"\nb = \"{b}\"\nkind = \"fixed\"\nanchor = [{x:?}, 0.0, 0.0]")
        .unwrap();
}

/// Returns the force (N) and the moment (N·m) of each joint in the last step.
fn loads(run: &Run) -> Vec<[f64; 2]> {
    run.world.joint_steps().iter().map(|step| [step.force, step.torque]).collect()
}

/// Compares each weld of a beam with the weight beyond it and its moment.
#[test]
fn each_weld_of_a_cantilever_bears_what_is_beyond_it() {
    for anchor_turns in [false, true] {
        let mut setup = row(8, if anchor_turns { Some("arm") } else { Some("world") });
        if anchor_turns {
            // A kinematic arm that stands.
            let shape = generate::cuboid(Vec3::splat(0.05), 0.05);
            let rule = "motion = \"kinematic\"";
            setup = setup.place("arm", &shape, DVec3::X * -0.025, [0.0; 3], rule);
        }
        let mut run = setup.open_with(|config| config.sleep = false);
        run.seconds(1.0);
        for (k, [force, moment]) in loads(&run).into_iter().enumerate() {
            let beyond = (8 - k) as f64;
            let expected = [beyond * G, 0.5 * SIDE * beyond * beyond * G];
            assert!((force / expected[0] - 1.0).abs() < 1e-9, "{k}: {force} N");
            assert!((moment / expected[1] - 1.0).abs() < 1e-9, "{k}: {moment} N·m");
        }
        assert!((0..8).all(|k| run.state(&format!("cube{k}")).pose.position.y.abs() < 1e-12));
    }
}

/// Spins a row of two cubes in free flight. The weld bears the centripetal force of one, m·ω²·r.
#[test]
fn the_weld_of_a_spinning_pair_bears_the_centripetal_force() {
    let setup = row(2, None);
    let mut run = setup.open_with(|config| config.sleep = false);
    let spin = 20.0;
    for (cube, side) in [("cube0", -1.0), ("cube1", 1.0)] {
        let state = run.state_mut(cube);
        state.angular_velocity = DVec3::Y * spin;
        state.linear_velocity = DVec3::NEG_Z * side * spin * 0.5 * SIDE;
    }
    let start = run.world.energy();
    for _ in 0..120 {
        run.world.step();
        let [force, _] = loads(&run)[0];
        let expected = spin * spin * 0.5 * SIDE;
        // The mean over a step of a force that turns by 0.33 rad is a half of its sine smaller.
        assert!((force / expected - 1.0).abs() < 0.01, "{force} N instead of {expected}");
    }
    assert!((run.world.energy() / start - 1.0).abs() < 1e-6);
    let apart = run.state("cube0").pose.position.distance(run.state("cube1").pose.position);
    assert!((apart - SIDE).abs() < 1e-12, "{apart} m");
}

/// Drops a row of welded cubes and one bar of the same mass, which slide when they land. Both come to rest
/// at the same place.
#[test]
fn a_welded_bar_lands_as_one_of_a_piece() {
    let bar = generate::cuboid(Vec3::new(0.4, 0.1, 0.1), 0.4);
    let welded = row(4, None);
    let mut welded = Setup { text: format!("ground = {{}}\n{}", welded.text), ..welded }.open();
    for k in 0..4 {
        let state = welded.state_mut(&format!("cube{k}"));
        state.pose.position.y += 0.3;
        state.linear_velocity = DVec3::X;
    }
    let at = DVec3::new(0.2, 0.3, 0.0);
    let rule = "motion = \"dynamic\"\nmass = 4.0\nvelocity = [1.0, 0.0, 0.0]";
    let mut one = Setup::new("ground = {}").place("bar", &bar, at, [0.0; 3], rule).open();
    welded.seconds(3.0);
    one.seconds(3.0);
    let middle = welded.state("cube1").pose.position.midpoint(welded.state("cube2").pose.position);
    let off = middle.distance(one.state("bar").pose.position);
    assert!(off < 2e-3, "{off} m apart");
    assert_eq!(welded.world.sleeping_count(), 4);
}

/// Strikes a cube that rests on a shelf. It slides off as fast if the shelf is welded to the world as if the
/// shelf is static.
#[test]
fn a_shelf_that_is_welded_to_the_world_holds_nothing_back() {
    let shelf = generate::cuboid(Vec3::new(4.0, 0.1, 1.0), 4.0);
    let cube = generate::cuboid(Vec3::splat(SIDE as f32), SIDE);
    let ways = [true, false].map(|is_welded| {
        let rule = if is_welded { "motion = \"dynamic\"\nmass = 5.0" } else { "motion = \"static\"" };
        let struck = "motion = \"dynamic\"\nmass = 1.0";
        let mut setup = Setup::new("")
            .place("shelf", &shelf, DVec3::Y * -0.05, [0.0; 3], rule)
            .place("cube", &cube, DVec3::Y * 0.05, [0.0; 3], struck)
            .place("hammer", &cube, DVec3::new(-0.5, 0.05, 0.0), [0.0; 3], struck);
        if is_welded {
            weld(&mut setup, "world", "shelf", 0.0);
        }
        let mut run = setup.open_with(|config| config.sleep = false);
        run.seconds(0.5);
        run.state_mut("hammer").linear_velocity.x = 5.0;
        run.seconds(0.3);
        run.state("cube").pose.position.x
    });
    assert!(ways[1] > 0.2 && (ways[0] - ways[1]).abs() < 1e-3, "{ways:?} m");
}

/// Closes a ring of welds. One of them has no load, because rigid parts do not tell how it shares it.
#[test]
fn a_loop_of_welds_stands_and_one_of_them_has_no_load() {
    let mut setup = row(3, Some("world"));
    weld(&mut setup, "cube0", "cube2", 0.15);
    let mut run = setup.open_with(|config| config.sleep = false);
    run.seconds(1.0);
    assert!((0..3).all(|k| run.state(&format!("cube{k}")).pose.position.y.abs() < 1e-12));
    let found = loads(&run);
    assert!((found[0][0] / (3.0 * G) - 1.0).abs() < 1e-9, "{found:?}");
    assert_eq!(found.iter().filter(|load| load[0] == 0.0).count(), 1, "{found:?}");
}

/// Welds parts of 1 g and 1 t in turn to the world.
#[test]
fn welds_between_masses_of_a_million_to_one_hold() {
    let mut setup = row(6, Some("world"));
    for k in 0..6 {
        let mass = if k % 2 == 0 { "0.001" } else { "1000.0" };
        let name = format!("name = \"cube{k}\"\nmass = 1.0");
        setup.text = setup.text.replace(&name, &format!("name = \"cube{k}\"\nmass = {mass}"));
    }
    let mut run = setup.open_with(|config| config.sleep = false);
    run.seconds(1.0);
    let [force, _] = loads(&run)[0];
    assert!((force / (3000.003 * G) - 1.0).abs() < 1e-9, "{force} N");
    assert!(run.state("cube5").pose.position.y.abs() < 1e-12);
}

/// Welds a part to a standing and to a moving obstacle. It cannot follow both, and stays between them.
#[test]
fn a_part_welded_to_what_stands_and_to_what_moves_stays_finite() {
    let shape = generate::cuboid(Vec3::splat(0.1), 0.1);
    let mut setup = row(1, Some("world")).place(
        "slide",
        &shape,
        DVec3::X * 0.15,
        [0.0; 3],
        "motion = \"kinematic\"\nvelocity = [0.1, 0.0, 0.0]",
    );
    weld(&mut setup, "cube0", "slide", 0.1);
    let mut run = setup.open();
    run.seconds(1.0);
    let place = run.state("cube0").pose.position;
    assert!(place.is_finite() && (0.05..0.15).contains(&place.x), "{place}");
    assert!((run.state("slide").pose.position.x - 0.25).abs() < 1e-9);
}
