//! Every hierarchy over links finds the pairs of bodies that brute force finds, step by step, however
//! the articulations move.

use glam::{DQuat, DVec3};
use tumble::articulation::{LinkTreeKind, SkinKind};
use tumble::scene::{Scene, load_scene};
use tumble::world::World;

/// Returns the pairs of every step.
fn pairs(scene: &Scene, links: LinkTreeKind, steps: u32) -> Vec<Vec<(u32, u32)>> {
    let mut scene = scene.clone();
    scene.config.links = links;
    let mut world = World::new(&scene).unwrap();
    (0..steps)
        .map(|_| {
            world.step();
            world.pairs().iter().map(|p| (p.a, p.b)).collect()
        })
        .collect()
}

/// Compares every kind with brute force. Returns the number of pairs of all steps.
fn agree(scene: &Scene, steps: u32) -> usize {
    let expected = pairs(scene, LinkTreeKind::BruteForce, steps);
    for kind in LinkTreeKind::ALL {
        let found = pairs(scene, kind, steps);
        let differs = found.iter().zip(&expected).position(|(f, e)| f != e);
        assert_eq!(differs, None, "{}, {}: first step that differs", scene.name, kind.name());
    }
    expected.iter().map(Vec::len).sum()
}

#[test]
fn of_a_jointed_chain_that_swings_into_itself() {
    let mut scene = load_scene("chain", None).unwrap();
    // Curled up at the start.
    for (index, body) in scene.bodies.iter_mut().enumerate() {
        body.angular_velocity = DVec3::new(3.0, 0.0, 20.0 - 2.0 * index as f64);
    }
    assert!(agree(&scene, 150) > 1000);
}

#[test]
fn of_a_walking_figure_with_rigid_links_and_with_its_exact_skin() {
    let mut scene = load_scene("walk-through", None).unwrap();
    assert!(agree(&scene, 120) > 1000);
    scene.config.skins = SkinKind::Exact;
    assert!(agree(&scene, 60) > 500);
}

#[test]
fn link_pairs_agree_far_from_the_origin() {
    let mut scene = load_scene("walk-through", None).unwrap();
    let far = DVec3::new(1e5, 0.0, -1e5);
    scene.bodies.iter_mut().for_each(|b| b.pose.position += far);
    let motion = &mut scene.skeletons[0].motion;
    motion.poses.iter_mut().for_each(|p| p.position += far);
    assert!(agree(&scene, 60) > 100);
}

#[test]
fn a_link_whose_pose_is_lost_takes_no_other_link_with_it() {
    let scene = load_scene("walk-through", None).unwrap();
    let lost = (scene.skeletons[0].first_body + 3) as usize;
    let run = |links| {
        let mut scene = scene.clone();
        scene.config.links = links;
        let mut world = World::new(&scene).unwrap();
        for _ in 0..40 {
            world.step();
        }
        world.bodies_mut().states[lost].pose.rotation = DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0);
        world.step();
        world.pairs().iter().map(|p| (p.a, p.b)).collect::<Vec<_>>()
    };
    let expected = run(LinkTreeKind::BruteForce);
    assert!(!expected.is_empty());
    for kind in LinkTreeKind::ALL {
        assert_eq!(run(kind), expected, "{}", kind.name());
    }
}
