//! Exact skins: the colliding surface equals the drawn surface, for every kind of hierarchy and for
//! every number of threads.

use glam::DVec3;
use tumble::articulation::SkinKind;
use tumble::pose::Pose;
use tumble::scene::looks::{Carrier, Follows};
use tumble::scene::{Scene, load_scene};
use tumble::tree::TreeKind;
use tumble::world::World;

fn scene(skins: SkinKind) -> Scene {
    let mut scene = load_scene("walk-through", None).unwrap();
    scene.config.skins = skins;
    scene
}

/// Returns the corners of every triangle of the drawn skins in world space, blended from the poses of
/// the joints.
fn drawn(scene: &Scene, poses: &[Pose], time: f64) -> Vec<[DVec3; 3]> {
    let mut triangles = Vec::new();
    for surface in &scene.drawn {
        let Follows::Joints(skinning) = &surface.follows else { continue };
        let skeleton = &scene.skeletons[skinning.skeleton as usize];
        let joint_pose = |carrier| match carrier {
            Carrier::Body(body) => poses[body as usize],
            Carrier::Joint(joint) => {
                let column = (skeleton.link_count + joint) as usize;
                skeleton.motion.pose(column, time).unwrap()
            }
        };
        let place = |v: u32| {
            let (position, influence) = (surface.positions[v as usize], skinning.influences[v as usize]);
            let by = |(&j, &weight): (&u16, &f32)| {
                let joint = &skinning.joints[usize::from(j)];
                let bound = joint.bind.transform_point3(position.as_dvec3());
                f64::from(weight) * joint_pose(joint.carrier).transform_point(bound)
            };
            influence.joints.iter().zip(&influence.weights).map(by).sum()
        };
        triangles.extend(surface.triangles.iter().map(|corners| corners.map(place)));
    }
    triangles
}

#[test]
fn the_triangles_that_collide_are_those_of_the_drawn_skin() {
    let mut scene = scene(SkinKind::Exact);
    // Far from everything: one pass per step, so that surfaces are those of the poses before it.
    scene.bodies.iter_mut().for_each(|b| b.linear_velocity = DVec3::ZERO);
    let links = scene.skeletons[0].first_body as usize..scene.skeletons[0].link_count as usize;
    let mut world = World::new(&scene).unwrap();
    for _ in 0..7 {
        let poses: Vec<Pose> = world.bodies().states.iter().map(|s| s.pose).collect();
        let time = world.time();
        world.step();
        assert_eq!(world.counts().passes, 1);
        let mut expected = drawn(&scene, &poses, time);
        let mut found = 0;
        for link in links.clone() {
            let mesh = world.bodies().infos[link].mesh.unwrap() as usize;
            let (mesh, tree) = (&world.meshes()[mesh], &world.trees()[mesh]);
            tree.validate(mesh).unwrap();
            for triangle in 0..mesh.triangles().len() as u32 {
                let corners = mesh.corners(triangle).map(|p| poses[link].transform_point(p));
                let sum = |c: &[DVec3; 3]| (c[0] + c[1] + c[2]) / 3.0;
                let near = |c: &[DVec3; 3]| {
                    sum(c).distance(sum(&corners)) < 1e-5
                        && c.iter().all(|p| corners.iter().any(|q| q.distance(*p) < 1e-5))
                };
                let at = expected.iter().position(near);
                expected.swap_remove(at.unwrap_or_else(|| panic!("{corners:?} is not drawn")));
                found += 1;
            }
        }
        assert!(found > 5_000 && expected.is_empty(), "{found} collide, {} are drawn only", expected.len());
    }
    assert_eq!(world.rigid_skin_count(), 0);
    let reports: Vec<_> = world.skin_reports().collect();
    assert_eq!(reports.len(), links.len());
    assert!(reports.iter().all(|r| r.deviation.mean <= r.deviation.worst && r.deviation.worst < 0.2));
    assert!(reports.iter().any(|r| r.deviation.worst > 1e-3), "{reports:?}");
}

#[test]
fn an_exact_skin_moves_what_it_meets_the_same_way_under_every_kind_and_thread_count() {
    let hash = |skins, tree, threads| {
        let mut scene = scene(skins);
        (scene.config.tree, scene.config.threads) = (TreeKind::into(tree), threads);
        let mut world = World::new(&scene).unwrap();
        let contacts: u64 = (0..170).map(|_| (world.step(), world.counts().contacts).1).sum();
        assert!(contacts > 100);
        world.state_hash()
    };
    let exact = hash(SkinKind::Exact, TreeKind::default(), 1);
    assert_eq!(hash(SkinKind::Exact, TreeKind::default(), 2), exact);
    assert_eq!(hash(SkinKind::Exact, TreeKind::Octree, 3), exact);
    assert_ne!(hash(SkinKind::Rigid, TreeKind::default(), 1), exact);
}
