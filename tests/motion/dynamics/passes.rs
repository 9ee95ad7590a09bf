//! The number of collision passes of a step: as many as required by the pairs that can touch in it.

use glam::{DVec3, Vec3};
use tumble::generate;
use tumble::scene::load_scene;
use tumble::tree::TreeKind;
use tumble::world::World;

use super::{Run, Setup};

/// Returns a cube of 0.2 m that spins beside a wall, without gravity. Its corners travel 0.1 m per
/// step, twice the travel that is allowed between two searches.
fn spinning(gap: f64, kind: TreeKind) -> Run {
    let [cube, wall] = [Vec3::splat(0.2), Vec3::new(0.2, 2.0, 2.0)].map(|size| generate::cuboid(size, 0.2));
    // Half the thickness of the wall, and half the diagonal of the cube, which is the reach of its
    // corners as it rotates.
    let at = 0.1 + 0.02_f64.sqrt() + gap;
    Setup::new("gravity = [0.0, 0.0, 0.0]")
        .place("wall", &wall, DVec3::ZERO, [0.0; 3], "motion = \"static\"")
        .place("cube", &cube, DVec3::X * at, [0.0; 3], "angular_velocity = [0.0, 0.0, 41.0]")
        .open_with(|config| config.tree = kind.into())
}

#[test]
fn a_spinning_body_takes_passes_only_if_it_can_reach_its_neighbor() {
    for kind in [TreeKind::Boxtree8, TreeKind::Aabb, TreeKind::BruteForce] {
        let passes = |gap: f64| {
            let mut run = spinning(gap, kind);
            let of_steps = (0..60).map(|_| {
                run.world.step();
                run.world.counts().passes
            });
            of_steps.max().unwrap()
        };
        assert_eq!(passes(0.2), 1, "{kind:?}");
        assert!(passes(0.001) > 1, "{kind:?}: near a wall it must look");
    }
}

/// Slides a plate of 0.1 mm over the ground. To search it as often as its thickness requires would take
/// thousands of passes.
#[test]
fn thin_fast_plate_takes_the_maximum_number_of_passes() {
    let plate = generate::cuboid(Vec3::new(0.2, 1e-4, 0.2), 0.2);
    let rule = "velocity = [30.0, 0.0, 0.0]\nfriction = 0.0";
    let mut run = Setup::new("ground = {}").place("plate", &plate, DVec3::Y * 5e-5, [0.0; 3], rule).open();
    let passes = (0..10).map(|_| {
        run.world.step();
        run.world.counts().passes
    });
    let most = passes.max().unwrap();
    assert!((60..=66).contains(&most), "{most}");
}

/// Steps a chain. The boxes of linked chain links overlap, but their surfaces do not touch.
#[test]
fn links_of_a_chain_that_do_not_meet_take_few_passes_whatever_hierarchy_asks() {
    let passes = |kind: TreeKind| {
        let mut scene = load_scene("chain", None).unwrap();
        scene.config.tree = kind.into();
        let mut world = World::new(&scene).unwrap();
        let of_steps = (0..200).map(|_| {
            world.step();
            world.counts().passes
        });
        of_steps.collect::<Vec<u64>>()
    };
    let by_default = passes(TreeKind::default());
    assert!(by_default.iter().sum::<u64>() < 3 * 200, "{by_default:?}");
    assert_eq!(by_default, passes(TreeKind::Aabb));
}
