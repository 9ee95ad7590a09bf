//! Parts with little clearance: pegs in holes, and a nut on its bolt.

use glam::{DVec3, Vec3};
use tumble::generate::{Bolt, Nut, Triangles, cuboid};

use super::{Run, Setup};

/// Returns a square block of 25 mm with a square hole of side `hole` (m), 9 mm high, its base at y = 0.
fn block_with_hole(hole: f32) -> Triangles {
    const HEIGHT: f32 = 0.009;
    let ring = |side: f32, y: f32| {
        [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
            .map(|[x, z]: [f32; 2]| Vec3::new(0.5 * side * x, y, 0.5 * side * z))
    };
    let rings = [ring(0.025, 0.0), ring(0.025, HEIGHT), ring(hole, HEIGHT), ring(hole, 0.0)];
    let squares = (0..4).flat_map(|of: u32| (0..4).map(move |k| (of, k)));
    let halves = squares.flat_map(|(of, k)| {
        let at = |of: u32, k: u32| 4 * (of % 4) + k % 4;
        let [a, b, c, d] = [at(of, k), at(of, k + 1), at(of + 1, k + 1), at(of + 1, k)];
        [[a, c, b], [a, d, c]]
    });
    (rings.concat(), halves.collect())
}

/// Runs for `steps` steps. Returns the deepest contact of the two bodies, m.
fn deepest(run: &mut Run, [a, b]: [&str; 2], steps: u32) -> f64 {
    let bodies = [a, b].map(|name| run.index(name) as u32);
    let mut deepest = 0.0_f64;
    for _ in 0..steps {
        run.world.step();
        let is_theirs = |p: &&tumble::contact::PairContacts| bodies.contains(&p.a) && bodies.contains(&p.b);
        deepest = run.world.pairs().iter().filter(is_theirs).map(|p| p.penetration()).fold(deepest, f64::max);
    }
    deepest
}

/// Lets pegs of 8 mm fall onto a hole that is 0.1 mm wider. Those that stand straight go in; tilted ones
/// meet the rim in the second step. An edge of a peg above the rim used to count as a whole millimeter
/// deep in the wall.
#[test]
fn square_pegs_go_in_or_meet_the_rim_without_false_depth() {
    let (block, peg) = (block_with_hole(0.0081), cuboid(Vec3::new(0.008, 0.05, 0.008), 1.0));
    for (case, [tilt, aside, turn]) in
        [[0.0, 0.0, 0.0], [0.3, 3e-5, 0.0], [0.6, -5e-5, 90.0], [1.0, 1e-4, 45.0]].into_iter().enumerate()
    {
        for friction in [0.0, 0.2] {
            let rule = format!("density = 7850.0\nfriction = {friction:?}");
            let [x, z]: [f64; 2] = [f64::to_radians(turn).cos(), f64::to_radians(turn).sin()];
            let at = DVec3::new(aside, 0.0105 + 0.025, 0.5 * aside);
            let mut run = Setup::new("[ground]\nsize = 1.0\ny = -0.03")
                .place("block", &block, DVec3::ZERO, [0.0; 3], "motion = \"static\"")
                .place("peg", &peg, at, [tilt * x, 0.0, tilt * z], &rule)
                .open();
            let deep = deepest(&mut run, ["block", "peg"], 4);
            run.seconds(1.0);
            assert!(deep < 2e-4, "{case}, friction {friction}: {deep} m deep");
            if case == 0 {
                let lowest = run.lowest("peg");
                assert!((lowest + 0.03).abs() < 1e-4, "friction {friction}: it stands at {lowest}");
            }
        }
    }
}

/// Turns a bolt half a turn in a nut that cannot turn. The nut advances by half a pitch, and the threads
/// overlap by less than a fortieth of it.
#[test]
fn a_nut_on_a_spindle_advances_by_the_pitch() {
    const PITCH: f64 = 0.004;
    let along = |by: f64| DVec3::new(0.0, 0.0, by);
    let (bolt, nut) = (Bolt::M20, Nut::M20);
    // Both threads start at the lower end; the nut's two turns above the bolt's.
    let length = bolt.thread_length + bolt.shank_length + bolt.head_height;
    let at = along(0.5 * (nut.height - length) + 2.0 * PITCH);
    let rule = "density = 7850.0\nfriction = 0.0";
    let mut setup = Setup::new("gravity = [0.0, 0.0, -9.81]")
        .place("bolt", &bolt.triangles(), DVec3::ZERO, [0.0; 3], rule)
        .place("nut", &nut.triangles(), at, [0.0; 3], rule);
    setup.text.push_str(
        "[[joint]]\nkind = \"hinge\"\na = \"world\"\nb = \"bolt\"\nanchor = [0.0, 0.0, 0.0]\naxis = [0.0, 0.0, 1.0]\n\
         drive = { velocity = 180.0, damping = 10.0 }\n\
         [[joint]]\nkind = \"slider\"\na = \"world\"\nb = \"nut\"\nanchor = [0.0, 0.0, 0.0]\naxis = [0.0, 0.0, 1.0]\n",
    );
    let mut run = setup.open();
    let mut deep = deepest(&mut run, ["bolt", "nut"], 20);
    let before = run.state("nut").pose.position.z;
    deep = deep.max(deepest(&mut run, ["bolt", "nut"], 60));
    let way = before - run.state("nut").pose.position.z;
    assert!((way.abs() / (0.5 * PITCH) - 1.0).abs() < 0.01, "{way} m in half a turn");
    assert!(deep < PITCH / 40.0, "{deep} m deep");
}
