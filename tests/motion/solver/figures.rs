//! Articulated characters that are simulated (dynamic figures). Ragdolls fall and rest in one piece and
//! within their joint limits. Powered figures follow their animation where nothing blocks them, and
//! stop at obstacles.

use glam::DVec3;
use tumble::body::{AxisRange, Motion, WORLD};
use tumble::scene::{FigureKind, Scene, load_scene};
use tumble::world::World;

/// Returns a scene with the walker. `lines` are added to its `[[model]]`, `rest` to the end of the
/// scene file.
fn walker(lines: &str, rest: &str) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let assets = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");
    for name in ["walker.glb", "standing.glb"] {
        std::fs::copy(format!("{assets}/{name}"), folder.path().join(name)).unwrap();
    }
    let path = folder.path().join("test.toml");
    let text = format!("[config]\nthreads = 1\n[ground]\n[[model]]\nfile = \"walker.glb\"\n{lines}\n{rest}");
    std::fs::write(&path, text).unwrap();
    load_scene(path.to_str().unwrap(), None).unwrap()
}

/// Returns the widest gap of a joint (m), and the largest angle of a joint beyond its limits (degrees).
fn errors(scene: &Scene, world: &World) -> (f64, f64) {
    let states = &world.bodies().states;
    let held = scene.joints.iter().filter(|j| j.a != WORLD);
    held.fold((0.0, 0.0), |(gap, beyond): (f64, f64), joint| {
        let frame_a = states[joint.a as usize].pose * joint.frame_a;
        let between = (states[joint.b as usize].pose * joint.frame_b).relative_to(&frame_a);
        let q = if between.rotation.w < 0.0 { -between.rotation } else { between.rotation };
        let lean = (q * DVec3::X).angle_between(DVec3::X) - joint.cone.unwrap();
        let twist = 2.0 * libm::atan2(q.x, q.w);
        let AxisRange::Limited { min, max } = joint.angular[0].range else { panic!("{}", joint.name) };
        let worst = lean.max(twist - max).max(min - twist);
        (gap.max(between.position.length()), beyond.max(worst.to_degrees()))
    })
}

/// Returns the largest distance of a link from its animated position, m.
fn off(scene: &Scene, world: &World) -> f64 {
    let figure = &scene.skeletons[0];
    let first = figure.first_body as usize;
    let far = |link: usize| {
        let target = figure.motion.pose(link, world.time()).unwrap();
        let center = scene.bodies[first + link].center;
        world.bodies().states[first + link].world_center().distance(target.transform_point(center))
    };
    (0..figure.link_count as usize).map(far).fold(0.0, f64::max)
}

const WALK: &str = "animation = { clip = \"walk\", stride = [0.0, 0.0, 1.35] }\nfigure = \"powered\"";

#[test]
fn ragdolls_fall_and_come_to_rest_in_one_piece() {
    for place in [
        "[0, 0.6, 0]\nrotation = [0, 30, 0]",
        "[0, 1, 0]\nrotation = [80, 0, 20]",
        "[0, 1.2, 0]\nrotation = [-120, 40, 0]",
    ] {
        let scene = walker(&format!("figure = \"ragdoll\"\nposition = {place}"), "");
        let figure = &scene.skeletons[0];
        assert_eq!((figure.kind, figure.link_count), (FigureKind::Ragdoll, 17));
        assert_eq!(scene.joints.len(), 16);
        let mut world = World::new(&scene).unwrap();
        let mut widest: f64 = 0.0;
        for _ in 0..480 {
            world.step();
            widest = widest.max(errors(&scene, &world).0);
        }
        let (gap, beyond) = errors(&scene, &world);
        assert!(gap < 2e-3, "{place}: a joint gapes by {gap} m at rest");
        assert!(beyond < 3.0, "{place}: {beyond} degrees beyond a limit at rest");
        assert!(widest < 0.05, "{place}: a joint gaped by {widest} m in the fall");
        assert!(world.quarantined().is_empty());
        let fastest = world.bodies().states.iter().map(|s| s.linear_velocity.length()).fold(0.0, f64::max);
        assert!(fastest < 0.05, "{place}: {fastest} m/s after eight seconds");
        let lowest = world.bodies().states.iter().filter(|s| s.is_dynamic()).map(|s| s.world_center().y);
        assert!(lowest.fold(f64::INFINITY, f64::min) > 0.0, "{place}: sunk");
    }
}

#[test]
fn a_ragdoll_takes_over_where_its_animation_begins_and_how_it_moves() {
    let scene = walker(&WALK.replace("powered", "ragdoll"), "");
    let kinematic = walker(&WALK.replace("powered", "kinematic"), "");
    assert!(scene.skeletons[0].motion.poses.is_empty() && scene.skeletons[0].driven.is_empty());
    let hips = scene.bodies.iter().find(|b| b.name == "hips").unwrap();
    let same = kinematic.bodies.iter().find(|b| b.name == "hips").unwrap();
    assert_eq!(hips.pose, same.pose);
    let pace = hips.linear_velocity.z;
    assert!((0.5..3.0).contains(&pace), "{pace} m/s");
}

#[test]
fn a_powered_figure_follows_its_walk_where_nothing_is_in_its_way() {
    // The figure is above the ground, because its toes do not bend.
    let scene = walker(&format!("{WALK}\nposition = [0, 0.2, 0]"), "");
    let figure = &scene.skeletons[0];
    assert_eq!((figure.kind, figure.driven.len()), (FigureKind::Powered, 17));
    let mut world = World::new(&scene).unwrap();
    let mut farthest: f64 = 0.0;
    for _ in 0..300 {
        world.step();
        farthest = farthest.max(off(&scene, &world));
    }
    assert!(farthest < 0.05, "a link was {farthest} m off");
    assert!(errors(&scene, &world).0 < 2e-3);
    let hips = scene.bodies.iter().position(|b| b.name == "hips").unwrap();
    let way = world.bodies().states[hips].pose.position.z - scene.bodies[hips].pose.position.z;
    assert!(way > 5.0, "five seconds of walking took it {way} m");
}

#[test]
fn a_powered_figure_is_stopped_by_a_wall() {
    let wall = "[[model]]\nfile = \"standing.glb\"\nnodes = [\"crate\"]\nrecenter = true\nscale = 4\n\
                position = [0, 0, 3]\n[[part]]\nname = \"crate\"\nmotion = \"static\"\n";
    let scene = walker(WALK, wall);
    let bounds = |name: &str, pose| {
        let body = scene.bodies.iter().find(|b| b.name == name).unwrap();
        scene.meshes[body.mesh.unwrap() as usize].bounds().transformed(pose)
    };
    let index = |name: &str| scene.bodies.iter().position(|b| b.name == name).unwrap();
    let face = f64::from(bounds("crate", &scene.bodies[index("crate")].pose).min.z);
    let mut world = World::new(&scene).unwrap();
    for _ in 0..300 {
        world.step();
    }
    let goal = scene.skeletons[0].motion.pose(0, world.time()).unwrap().position.z;
    assert!(goal > face + 1.0, "its animation goes through the wall: {goal} m, {face} m");
    for body in scene.bodies.iter().filter(|b| b.motion == Motion::Dynamic) {
        let center = world.bodies().states[index(&body.name)].world_center();
        // The crate's panels are deeper than its frame.
        assert!(center.z < face + 0.05, "{} is at {} m, the wall at {face} m", body.name, center.z);
    }
    let (gap, _) = errors(&scene, &world);
    assert!(gap < 0.03, "a joint gapes by {gap} m");
    assert!(world.quarantined().is_empty());
}

#[test]
fn a_weak_figure_hangs_back_and_a_strong_one_does_not() {
    let far = |strength: &str| {
        let scene = walker(&format!("{WALK}\nposition = [0, 0.2, 0]\nstrength = {strength}"), "");
        let mut world = World::new(&scene).unwrap();
        (0..60).for_each(|_| _ = world.step());
        off(&scene, &world)
    };
    let (weak, usual, strong) = (far("0.1"), far("1.0"), far("4"));
    assert!(weak > 2.0 * usual && strong < usual, "{weak} m, {usual} m, {strong} m");
}
