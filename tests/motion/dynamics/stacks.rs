//! Stacks of boxes on the built-in ground.

use glam::{DVec3, Vec3};
use tumble::generate::{self, Triangles};
use tumble::random::Random;

use super::Setup;

/// Stacks ten cubes of half a meter, a millimeter apart. The overlap accepted by every contact is 0.04 %
/// of the cubes' thickness, 2 mm for all ten. The deflection under the load adds 7 mm for all ten.
#[test]
fn ten_cubes_stand_and_sink_by_the_overlap_that_contacts_keep() {
    let cube = generate::cuboid(Vec3::splat(0.5), 0.25);
    let mut setup = Setup::new("ground = {}");
    for k in 0..10 {
        let place = DVec3::Y * (0.25 + 0.501 * f64::from(k));
        setup = setup.place(&format!("cube{k}"), &cube, place, [0.0; 3], "");
    }
    let mut run = setup.open();
    run.seconds(5.0);
    let top = run.state("cube9").pose.position;
    let sunk = 4.75 - top.y;
    assert!((0.006..0.010).contains(&sunk), "{sunk} m");
    assert!(top.x.hypot(top.z) < 5e-3, "top at {top}");
    assert_eq!(run.world.sleeping_count(), 10);
}

/// Stacks a heavy cube on a light one, both of a meter. A contact accepts an overlap of 1 mm and
/// deflects only slightly under a load, whatever the mass ratio.
#[test]
fn a_light_cube_carries_one_of_up_to_a_thousand_times_its_mass() {
    for ratio in [1.0, 10.0, 100.0, 1000.0] {
        let cube = generate::cuboid(Vec3::ONE, 0.5);
        let mut run = Setup::new("ground = {}")
            .place("light", &cube, DVec3::Y * 0.5, [0.0; 3], "density = 100")
            .place("heavy", &cube, DVec3::Y * 1.5, [0.0; 3], &format!("density = {}", 100.0 * ratio))
            .open();
        run.seconds(5.0);
        let [light, heavy] = ["light", "heavy"].map(|name| run.lowest(name));
        let depths = [-light, light + 1.0 - heavy];
        // The bound is the accepted overlap of a fifth of a percent, plus a third of that for the
        // deflection under the load.
        assert!(depths.iter().all(|d| (0.0..2.7e-3).contains(d)), "{ratio}: {depths:?}");
        assert_eq!(run.world.sleeping_count(), 2, "{ratio}");
    }
}

/// Stacks eight cubes of a millimeter, which gravity would move by nearly three times their size in a step.
/// Such stacks used to topple by the errors of contacts that had not converged.
#[test]
fn eight_cubes_of_a_millimeter_stand() {
    let cube = generate::cuboid(Vec3::splat(0.001), 0.001);
    let floor = generate::cuboid(Vec3::new(0.05, 0.05, 0.05), 1.0);
    let mut setup = Setup::new("").place(
        "floor",
        &floor,
        DVec3::Y * -0.025,
        [0.0; 3],
        "motion = \"static\"\nfriction = 0.5",
    );
    let place = |k: i32| DVec3::Y * (0.0005 + 0.001 * f64::from(k));
    for k in 0..8 {
        setup = setup.place(
            &format!("cube{k}"),
            &cube,
            place(k),
            [0.0; 3],
            "motion = \"dynamic\"\nfriction = 0.5",
        );
    }
    let mut run = setup.open();
    run.seconds(5.0);
    let moved = (0..8).map(|k| run.state(&format!("cube{k}")).pose.position.distance(place(k)));
    let farthest = moved.fold(0.0, f64::max);
    assert!(farthest < 1e-4, "{farthest} m");
    assert_eq!(run.world.sleeping_count(), 8);
}

/// Returns a stone of an arch: a wedge between two radii (m), from `angle` on (rad), and its middle.
fn stone([inner, outer]: [f64; 2], angle: f64, turn: f64) -> (Triangles, DVec3) {
    let at = |radius: f64, angle: f64, z: f64| DVec3::new(radius * angle.cos(), radius * angle.sin(), z);
    let ring = |z: f64| {
        [(inner, 0.0), (outer, 0.0), (outer, turn), (inner, turn)].map(|(r, more)| at(r, angle + more, z))
    };
    let corners: Vec<DVec3> = ring(-0.2).into_iter().chain(ring(0.2)).collect();
    let middle = corners.iter().sum::<DVec3>() / 8.0;
    let sides = [[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7], [3, 2, 1, 0], [4, 5, 6, 7]];
    let triangles = sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    ((corners.iter().map(|corner| (*corner - middle).as_vec3()).collect(), triangles.collect()), middle)
}

/// Builds arches of eleven stones of a thickness of 0.14 times their radius. They stand above 0.107. Edges
/// of the stones that stick out by a hair used to lose their contacts, because the angles of the stones are
/// not right, and the arch fell.
#[test]
fn an_arch_of_eleven_stones_stands() {
    let turn = std::f64::consts::PI / 11.0;
    for radii in [[0.93, 1.07], [1.0, 1.15], [1.85, 2.13]] {
        let mut setup = Setup::new("ground = { size = 20.0 }");
        let mut places = Vec::new();
        for k in 0..11 {
            let (shape, middle) = stone(radii, f64::from(k) * turn, turn);
            let rule = "motion = \"dynamic\"\nfriction = 0.7";
            setup = setup.place(&format!("stone{k}"), &shape, middle, [0.0; 3], rule);
            places.push(middle);
        }
        let mut run = setup.open();
        run.seconds(5.0);
        let moved = (0..11).map(|k| run.state(&format!("stone{k}")).pose.position.distance(places[k]));
        let farthest = moved.fold(0.0, f64::max);
        assert!(farthest < 0.012, "radii of {radii:?} m: {farthest} m");
        assert_eq!(run.world.sleeping_count(), 11, "radii of {radii:?} m");
    }
}

/// Pours 125 cubes of a meter. Cubes that fell into each other used to lose all of their contacts, as those
/// of flush neighbors or of edges beside a corner, and rested deep in each other.
#[test]
fn poured_cubes_rest_beside_each_other() {
    let cube = generate::cuboid(Vec3::ONE, 1.0);
    for seed in 1..9 {
        let mut random = Random::new(seed, 0);
        let mut setup = Setup::new("ground = { size = 60.0 }");
        for k in 0..125 {
            let [x, y, z] = [k % 5, k / 25, k / 5 % 5].map(|cell| 1.9 * f64::from(cell));
            let turn = [180.0; 3].map(|most| most * random.signed());
            setup = setup.place(
                &format!("cube{k}"),
                &cube,
                DVec3::new(x, 2.0 + y, z),
                turn,
                "motion = \"dynamic\"",
            );
        }
        let mut run = setup.open();
        run.seconds(8.0);
        let depth =
            |pair: &tumble::contact::PairContacts| pair.depth_at_rest.map_or(0.0, |depth| depth.found);
        let deepest = run.world.pairs().iter().map(depth).fold(0.0, f64::max);
        assert!(deepest < 0.02, "seed {seed}: {deepest} m");
        assert_eq!(run.world.incidents().held_back, [], "seed {seed}");
    }
}
