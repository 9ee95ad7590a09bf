//! Parts with little clearance: pegs in holes, a nut on its bolt, and a dowel in a hole of facets.

use std::f32::consts::TAU;

use glam::{DVec3, Vec3};
use tumble::generate::{Bolt, Nut, Triangles, cuboid};

use super::{G, Run, Setup};

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

const RADIUS: f32 = 0.005;
const FACETS: u32 = 48;

/// Returns the corners of a regular polygon about the z axis, turned by `turn` of its angles.
fn polygon(radius: f32, z: f32, turn: f32) -> Vec<Vec3> {
    let at = |k: u32| (TAU * (k as f32 + turn) / FACETS as f32).sin_cos();
    (0..FACETS).map(|k| Vec3::new(radius * at(k).1, radius * at(k).0, z)).collect()
}

/// Returns the squares between successive closed rings of vertices, each as two triangles.
fn walls(rings: &[u32]) -> Vec<[u32; 3]> {
    let of = |two: &[u32]| {
        let [low, high] = [two[0], two[1]].map(|ring| ring * FACETS);
        let each = (0..FACETS).flat_map(move |k| {
            let next = (k + 1) % FACETS;
            [[low + k, low + next, high + next], [low + k, high + next, high + k]]
        });
        each.collect::<Vec<_>>()
    };
    rings.windows(2).flat_map(of).collect()
}

/// Returns a sleeve of 20 mm along z with a hole of facets, and a dowel of 30 mm whose edges stand in the
/// middle of these facets. Both approximate one radius, so the dowel overlaps by the height of a facet.
fn sleeve_and_dowel() -> [Triangles; 2] {
    let outer = 2.0 * RADIUS;
    let sleeve = [(outer, 0.0), (outer, 0.02), (RADIUS, 0.02), (RADIUS, 0.0)];
    let sleeve = sleeve.iter().flat_map(|&(radius, z)| polygon(radius, z, 0.0)).collect();
    let mut dowel = [polygon(RADIUS, 0.0, 0.5), polygon(RADIUS, 0.03, 0.5)].concat();
    dowel.extend([Vec3::ZERO, Vec3::Z * 0.03]);
    let caps = (0..FACETS).flat_map(|k| {
        let next = (k + 1) % FACETS;
        [[next, k, 2 * FACETS], [FACETS + k, FACETS + next, 2 * FACETS + 1]]
    });
    let sides: Vec<_> = walls(&[0, 1]).into_iter().chain(caps).collect();
    [(sleeve, walls(&[0, 1, 2, 3, 0])), (dowel, sides)]
}

/// Places the dowel in the sleeve and shoots it along the hole. `rule` is added to the scene file.
fn shot_dowel(rule: &str) -> Run {
    let [sleeve, dowel] = sleeve_and_dowel();
    let keys = "density = 7850.0\nfriction = 0.2\nvelocity = [0.0, 0.0, 0.15]";
    let mut setup = Setup::new("")
        .place("sleeve", &sleeve, DVec3::ZERO, [0.0; 3], "motion = \"static\"\nfriction = 0.2")
        .place("dowel", &dowel, DVec3::new(0.0, 0.0, -0.005), [0.0; 3], keys);
    setup.text.push_str(rule);
    setup.open()
}

/// Shoots a dowel through a hole whose facets it overlaps. With a clearance it slides as far as the
/// friction of its weight allows: 5.73 mm, within 5 %. Without, the facets pinch it.
#[test]
fn a_dowel_slides_in_a_hole_of_facets_if_a_rule_says_it_fits() {
    let fit = "[[pair]]\na = \"sleeve\"\nb = \"dowel\"\nrule = \"fit\"\nclearance = \"80 um\"\n";
    let slide = |rule: &str| {
        let mut run = shot_dowel(rule);
        run.seconds(0.5);
        run.state("dowel").pose.position.z + 0.005
    };
    let expected = 0.15 * 0.15 / (2.0 * 0.2 * G);
    let way = slide(fit);
    assert!((way / expected - 1.0).abs() < 0.05, "{way} m of {expected}");
    let way = slide("");
    assert!(way < 0.7 * expected, "pinched, it still slid {way} m of {expected}");
}

/// Looks for the overlap at the start: it looks like that of facets, and a fit has none.
#[test]
fn the_overlap_of_facets_is_recognized_and_excused_by_a_fit() {
    let overlaps = shot_dowel("").world.overlaps_at_start();
    let [overlap] = &overlaps.pairs[..] else { panic!("{overlaps:?}") };
    assert!(overlap.looks_like_facets(), "{overlap:?}");
    let fit = "[[pair]]\na = \"sleeve\"\nb = \"dowel\"\nrule = \"fit\"\nclearance = \"80 um\"\n";
    let overlaps = shot_dowel(fit).world.overlaps_at_start();
    assert_eq!(overlaps.pairs, []);
    // A sheet has no inside that could be moved.
    let cover = super::seams::sheet(0.02, 1);
    let rule = fit.replace("sleeve", "cover");
    let mut setup = Setup::new("").place("cover", &cover, DVec3::ZERO, [0.0; 3], "motion = \"static\"");
    setup = setup.place("dowel", &sleeve_and_dowel()[1], DVec3::Y * 0.01, [0.0; 3], "density = 7850.0");
    setup.text.push_str(&rule);
    let scene = setup.open().scene;
    assert_eq!(scene.pair_rules, []);
    assert!(scene.notes.iter().any(|note| note.text.contains("a part is a sheet")), "{:?}", scene.notes);
    // A box in a plate is no matter of facets, however shallow.
    let cube = cuboid(Vec3::splat(0.1), 1.0);
    let run = Setup::new("")
        .place("plate", &cube, DVec3::ZERO, [0.0; 3], "motion = \"static\"")
        .place("cube", &cube, DVec3::Y * 0.0995, [0.0; 3], "density = 7850.0")
        .open();
    let overlaps = run.world.overlaps_at_start();
    let [overlap] = &overlaps.pairs[..] else { panic!("{overlaps:?}") };
    assert!(!overlap.looks_like_facets(), "{overlap:?}");
}

/// Lets a tilted peg fall into a round hole with a clearance of 50 µm. It meets the wall on one side and
/// the rim on the other, which turn it upright.
#[test]
fn a_tilted_peg_is_not_pressed_into_the_wall_of_its_hole() {
    const BORE: f32 = 0.00405;
    let rings = [(0.0125, 0.0), (0.0125, 0.009), (BORE, 0.009), (BORE, 0.0)];
    let ring = |&(radius, z): &(f32, f32)| polygon(radius, z, 0.0);
    let hole: Triangles = (rings.iter().flat_map(ring).collect(), walls(&[0, 1, 2, 3, 0]));
    let rings = [(0.0035, 0.0), (0.004, 0.0005), (0.004, 0.05)];
    let mut peg: Vec<Vec3> = rings.iter().flat_map(ring).collect();
    peg.extend([Vec3::ZERO, Vec3::Z * 0.05]);
    let caps = (0..FACETS).flat_map(|k| {
        let next = (k + 1) % FACETS;
        [[next, k, 3 * FACETS], [2 * FACETS + k, 2 * FACETS + next, 3 * FACETS + 1]]
    });
    let peg: Triangles = (peg, walls(&[0, 1, 2]).into_iter().chain(caps).collect());
    let mut all = Vec::new();
    for tilt in [0.6, 0.8, 1.0] {
        for friction in [0.2, 0.4] {
            let at = DVec3::new(-(0.025 * f64::to_radians(tilt).sin()), 0.0, 0.0095);
            let rule = format!("density = 7850.0\nfriction = {friction:?}");
            let mut run = Setup::new("gravity = [0.0, 0.0, -9.81]")
                .place("hole", &hole, DVec3::ZERO, [0.0; 3], "motion = \"static\"\nfriction = 0.2")
                .place("peg", &peg, at, [0.0, tilt, 0.0], &rule)
                .open();
            all.push(deepest(&mut run, ["hole", "peg"], 30));
        }
    }
    assert!(all.iter().all(|deep| *deep < 1.2e-4), "{all:?}");
}
