//! Joints as files specify them, run until they reach their goal; and invalid joints.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use serde_json::{Value, json};
use tumble::body::Motion;
use tumble::import::NoteKind;
use tumble::pose::Pose;
use tumble::scene::{Scene, load_scene};
use tumble::world::World;

/// Returns a bar along x that starts at the origin, a second one that continues it, and a distant fixed
/// box.
fn model(joints: Value, settings: Value) -> Value {
    let body = |at: f64, motion: Value| {
        let own = json!({ "motion": motion, "collider": { "geometry": { "shape": 0 } } });
        json!({ "translation": [at, 0, 0], "extensions": { "KHR_physics_rigid_bodies": own } })
    };
    let named = |name: &str, mut node: Value, children: Value| {
        node["name"] = json!(name);
        if !children.as_array().unwrap().is_empty() {
            node["children"] = children;
        }
        node
    };
    let mut nodes = vec![
        named("bar", body(0.25, json!({ "mass": 2 })), json!([3, 4])),
        named("tip", body(0.75, json!({ "mass": 1 })), json!([5])),
        named("far", body(9.0, json!({ "isKinematic": true })), json!([])),
        json!({ "name": "start of bar", "translation": [-0.25, 0, 0] }),
        json!({ "name": "end of bar", "translation": [0.25, 0, 0] }),
        json!({ "name": "start of tip", "translation": [-0.25, 0, 0] }),
        json!({ "name": "origin" }),
    ];
    for joint in joints.as_array().unwrap() {
        let own = json!({ "joint": joint["is"] });
        nodes[joint["at"].as_u64().unwrap() as usize]["extensions"]["KHR_physics_rigid_bodies"]["joint"] =
            own["joint"].clone();
    }
    json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0, 1, 2, 6] }],
        "nodes": nodes,
        "extensionsUsed": ["KHR_implicit_shapes", "KHR_physics_rigid_bodies"],
        "extensions": {
            "KHR_implicit_shapes": { "shapes": [{ "type": "box", "box": { "size": [0.5, 0.06, 0.1] } }] },
            "KHR_physics_rigid_bodies": { "physicsJoints": settings },
        },
    })
}

/// Loads the model, or a scene file that names it and continues with `text`.
fn load(model: &Value, text: Option<&str>) -> Result<Scene, String> {
    let folder = tempfile::tempdir().unwrap();
    let mut path = folder.path().join("bars.gltf");
    std::fs::write(&path, model.to_string()).unwrap();
    if let Some(text) = text {
        path = folder.path().join("test.toml");
        std::fs::write(&path, format!("[[model]]\nfile = \"bars.gltf\"\n{text}")).unwrap();
    }
    load_scene(path.to_str().unwrap(), None).map_err(|e| e.to_string())
}

/// Returns a scene with a joint of a scene file between the world and the bar, at the origin.
fn written(lines: &str) -> Scene {
    let head = "[[joint]]\na = \"world\"\nb = \"bar\"\nanchor = [0, 0, 0]\n";
    load(&model(json!([]), json!([])), Some(&format!("{head}{lines}"))).unwrap()
}

/// Returns a scene with a joint of the model between the origin and the start of the bar.
fn modelled(settings: Value) -> Scene {
    let joint = json!([{ "at": 6, "is": { "connectedNode": 3, "joint": 0 } }]);
    load(&model(joint, json!([settings])), None).unwrap()
}

/// Returns the pose of the bar after some seconds.
fn after(scene: &Scene, seconds: f64) -> Pose {
    let mut world = World::new(scene).unwrap();
    while world.time() < seconds {
        world.step();
    }
    assert!(world.quarantined().is_empty());
    world.bodies().states[0].pose
}

/// Returns the angle of the bar about the world's z, rad.
fn angle(pose: Pose) -> f64 {
    let along = pose.rotation * DVec3::X;
    libm::atan2(along.y, along.x)
}

fn locked(axes: &str, indices: &[u32]) -> Value {
    json!({ axes: indices, "min": 0, "max": 0 })
}

#[test]
fn a_hinge_drive_reaches_its_target() {
    let drive = "drive = { target = 30, stiffness = 4000, damping = 120, kind = \"acceleration\" }";
    let drawn = written(&format!("kind = \"hinge\"\naxis = [0, 0, 1]\n{drive}\n"));
    let drive = json!({
        "type": "angular", "mode": "acceleration", "axis": 2,
        "positionTarget": PI / 6.0, "stiffness": 4000, "damping": 120,
    });
    let limits = [locked("linearAxes", &[0, 1, 2]), locked("angularAxes", &[0, 1])];
    for scene in [drawn, modelled(json!({ "limits": limits, "drives": [drive] }))] {
        let pose = after(&scene, 2.0);
        // It sags by m·g·l·cos 30° over k·I, I about the joint.
        let inertia = (0.5 * 0.5 + 0.06 * 0.06) / 12.0 + 0.25 * 0.25;
        let sag = 9.81 * 0.25 * (PI / 6.0).cos() / (4000.0 * inertia);
        assert!((angle(pose) - (PI / 6.0 - sag)).abs() < 1e-3, "{} rad", angle(pose));
        assert!((pose.rotation * DVec3::Z).z > 1.0 - 1e-4);
    }
}

/// Uses k = I·ω² and c = 2·I·ω, I about the joint's own axis: z here.
#[test]
fn a_frequency_takes_the_inertia_about_the_axis_of_its_drive() {
    let drive = json!({ "type": "angular", "mode": "force", "axis": 2, "stiffness": 1, "damping": 1 });
    let limits = [locked("linearAxes", &[0, 1, 2]), locked("angularAxes", &[0, 1])];
    let joint = json!([{ "at": 6, "is": { "connectedNode": 3, "joint": 0 } }]);
    let model = model(joint, json!([{ "limits": limits, "drives": [drive] }]));
    let scene = load(&model, Some("[[drive]]\njoint = \"*\"\nfrequency = 2.0\n")).unwrap();
    let drive = scene.joints[0].angular[2].drive.unwrap();
    let inertia = 2.0 * ((0.5 * 0.5 + 0.06 * 0.06) / 12.0 + 0.25 * 0.25);
    let omega = 4.0 * PI;
    assert!((drive.stiffness / (inertia * omega * omega) - 1.0).abs() < 1e-6, "{drive:?}");
    assert!((drive.damping / (2.0 * inertia * omega) - 1.0).abs() < 1e-6, "{drive:?}");
}

#[test]
fn drives_that_make_no_sense_are_refused_with_their_line() {
    let joint = "[[joint]]\nkind = \"hinge\"\na = \"world\"\nb = \"bar\"\nanchor = [0, 0, 0]\n";
    let refused = |rule: &str| {
        let text = format!("{joint}[[drive]]\njoint = \"hinge*\"\n{rule}\n");
        load(&model(json!([]), json!([])), Some(&text)).unwrap_err()
    };
    for (rule, reason) in [
        ("", "says nothing"),
        ("max = 3.0", "has no drive yet"),
        ("stiffness = nan", "must be finite"),
        ("damping = -1.0", "at least 0"),
        ("max = nan", "max must be at least 0"),
        ("frequency = 1.0\ndamping = 1.0", "stands for stiffness and damping"),
        ("frequency = 1e200", "a drive that is no number"),
    ] {
        let error = refused(rule);
        assert!(error.contains(reason) && error.contains("line 9"), "{rule}: {error}");
    }
}

#[test]
fn a_hinge_turns_as_fast_as_its_drive_wants_but_no_stronger_than_it_may() {
    for (max, speed) in [("inf", 2.0), ("0.001", 0.0)] {
        let drive = format!("drive = {{ velocity = {}, damping = 500, max = {max} }}", 360.0 / PI);
        // About the vertical, against its own friction.
        let text = format!("kind = \"hinge\"\naxis = [0, 1, 0]\nfriction = 0.1\n{drive}\n");
        let mut world = World::new(&written(&text)).unwrap();
        (0..60).for_each(|_| _ = world.step());
        let found = world.bodies().states[0].angular_velocity.y;
        assert!((found - speed).abs() < 0.01, "at most {max} N·m: {found} rad/s");
    }
}

#[test]
fn a_slider_limit_holds() {
    let drawn = written("kind = \"slider\"\naxis = [0, 1, 0]\nmin = -0.3\nmax = 0.1\n");
    let limits = [
        locked("linearAxes", &[0]),
        locked("linearAxes", &[2]),
        locked("angularAxes", &[0, 1, 2]),
        json!({ "linearAxes": [1], "min": -0.3, "max": 0.1 }),
    ];
    for scene in [drawn, modelled(json!({ "limits": limits }))] {
        let pose = after(&scene, 2.0);
        let expected = DVec3::new(0.25, -0.3, 0.0);
        assert!(pose.position.distance(expected) < 2e-3, "{}", pose.position);
        assert!(pose.rotation.angle_between(DQuat::IDENTITY) < 5e-3);
    }
}

#[test]
fn a_slider_drive_lifts_to_its_target() {
    let drive = "drive = { target = 0.2, stiffness = 2000, damping = 200 }";
    let pose = after(&written(&format!("kind = \"slider\"\naxis = [0, 1, 0]\n{drive}\n")), 3.0);
    assert!((pose.position.y - (0.2 - 2.0 * 9.81 / 2000.0)).abs() < 1e-3, "{}", pose.position);
}

/// Swings a bar by gravity onto its cone, and spins it onto its twist.
#[test]
fn swing_and_twist_limits_hold() {
    let drawn = written("kind = \"ball\"\ncone = 40\ntwist = [-20, 10]\nfriction = 0.05\n");
    let range = |degrees: f64| degrees.to_radians();
    let mut limits = vec![
        locked("linearAxes", &[0, 1, 2]),
        json!({ "angularAxes": [0], "min": range(-20.0), "max": range(10.0) }),
        json!({ "angularAxes": [1, 2], "min": 0, "max": range(40.0) }),
    ];
    let cone = modelled(json!({ "limits": limits.clone() }));
    limits[2] = json!({ "angularAxes": [1], "min": range(-40.0), "max": range(40.0) });
    limits.push(json!({ "angularAxes": [2], "min": range(-40.0), "max": range(40.0) }));
    let swings = modelled(json!({ "limits": limits }));
    for mut scene in [drawn, cone, swings] {
        scene.bodies[0].angular_velocity = DVec3::X * 12.0;
        let mut world = World::new(&scene).unwrap();
        for step in 0..240 {
            world.step();
            let q = world.bodies().states[0].pose.rotation;
            let swing = (q * DVec3::X).angle_between(DVec3::X).to_degrees();
            let twist = (2.0 * libm::atan2(q.x, q.w)).to_degrees();
            assert!(swing < 43.0, "swung by {swing} degrees at step {step}");
            assert!((-23.0..13.0).contains(&twist), "twisted by {twist} degrees at step {step}");
        }
        let down = angle(world.bodies().states[0].pose).to_degrees();
        assert!((down + 40.0).abs() < 1.0, "hangs at {down} degrees");
    }
}

#[test]
fn a_ball_joint_is_driven_to_a_pose() {
    let drive = "drive = { target = [20, -30, 50], stiffness = 1e5, damping = 800, kind = \"acceleration\" }";
    let pose = after(&written(&format!("kind = \"ball\"\naxis = [0, 0.6, 0.8]\n{drive}\n")), 2.0);
    let turn = |axis: DVec3, degrees: f64| DQuat::from_axis_angle(axis, degrees.to_radians());
    let target = turn(DVec3::Z, 50.0) * turn(DVec3::Y, -30.0) * turn(DVec3::X, 20.0);
    assert!(pose.rotation.angle_between(target) < 2e-3, "{}", pose.rotation.angle_between(target));

    // In a model axis by axis: the twist about x, the swings of the x axis.
    let targets = [0.4, -0.3, 0.5];
    let drive = |axis: usize| {
        json!({
            "type": "angular", "mode": "acceleration", "axis": axis,
            "positionTarget": targets[axis], "stiffness": 1e5, "damping": 800,
        })
    };
    let drives = [0, 1, 2].map(drive);
    let settings = json!({ "limits": [locked("linearAxes", &[0, 1, 2])], "drives": drives });
    let q = after(&modelled(settings), 2.0).rotation;
    let x = q * DVec3::X;
    let found = [2.0 * libm::atan2(q.x, q.w), libm::atan2(-x.z, x.x), libm::atan2(x.y, x.x)];
    for (found, target) in found.into_iter().zip(targets) {
        assert!((found - target).abs() < 3e-3, "{found} rad instead of {target}");
    }
}

#[test]
fn a_joint_of_a_scene_file_that_makes_no_sense_is_named_by_its_line() {
    let model = model(json!([]), json!([]));
    let head = "[[joint]]\na = \"world\"\nb = \"bar\"\nanchor = [0, 0, 0]\n";
    for (rest, says) in [
        ("kind = \"ball\"\nmin = 1\n", "only hinges and sliders"),
        ("kind = \"fixed\"\nmax = 1\n", "only hinges and sliders"),
        ("kind = \"hinge\"\nmax = nan\n", "must be a number"),
        ("kind = \"hinge\"\ncone = 3\n", "only ball joints"),
        ("kind = \"slider\"\ntwist = [0, 1]\n", "only ball joints"),
        ("kind = \"ball\"\ntwist = [1, 0]\n", "the lower first"),
        ("kind = \"ball\"\ncone = 181\n", "from 0 to 180"),
        ("kind = \"fixed\"\ndrive = { damping = 1 }\n", "cannot be driven"),
        ("kind = \"hinge\"\ndrive = { target = 30 }\n", "stiffness or damping above 0"),
        ("kind = \"hinge\"\ndrive = { stiffness = -1 }\n", "stiffness or damping above 0"),
        ("kind = \"hinge\"\ndrive = { damping = 1, target = [1, 2, 3] }\n", "one number"),
        ("kind = \"ball\"\ndrive = { damping = 1, target = 1 }\n", "three angles"),
        ("kind = \"ball\"\ndrive = { damping = 1, velocity = 1 }\n", "no velocity"),
        ("kind = \"ball\"\ndrive = { damping = 1, target = \"up\" }\n", "degrees about x, y, z"),
        ("kind = \"hinge\"\ndrive = { damping = 1, target = inf }\n", "must be finite"),
        ("kind = \"hinge\"\ndrive = { damping = 1, max = -1 }\n", "largest force"),
        ("kind = \"hinge\"\ndrive = { damping = 1, kind = \"torque\" }\n", "torque"),
        ("kind = \"hinge\"\ndrive = { damping = 1, spring = 1 }\n", "spring"),
    ] {
        let error = load(&model, Some(&format!("{head}{rest}"))).unwrap_err();
        assert!(error.contains("line 8:") && error.contains(says), "{rest}: {error}");
    }
}

#[test]
fn joints_in_a_ring_hold_together() {
    // The bars' far ends are held as well, so that origin, bar, tip and world form a ring of three
    // joints.
    let ball = json!({ "limits": [locked("linearAxes", &[0, 1, 2])] });
    let joints = json!([
        { "at": 6, "is": { "connectedNode": 3, "joint": 0 } },
        { "at": 4, "is": { "connectedNode": 5, "joint": 0 } },
    ]);
    let text = "[[joint]]\nkind = \"ball\"\na = \"world\"\nb = \"tip\"\nanchor = [1, 0, 0]\n";
    let scene = load(&model(joints, json!([ball])), Some(text)).unwrap();
    assert_eq!(scene.joints.len(), 3);
    let mut world = World::new(&scene).unwrap();
    for _ in 0..600 {
        world.step();
    }
    let states = &world.bodies().states;
    let ends =
        [states[0].pose.transform_point(DVec3::X * 0.25), states[1].pose.transform_point(DVec3::X * -0.25)];
    assert!(ends[0].distance(ends[1]) < 2e-3, "{} m", ends[0].distance(ends[1]));
    assert!(ends[0].distance(DVec3::X * 0.5) < 0.05, "taut, so it hardly sags: {}", ends[0]);
    assert!(states[0].linear_velocity.length() < 0.05);
}

#[test]
fn joints_that_hold_nothing_are_left_out_and_noted() {
    let ball = json!({ "limits": [locked("linearAxes", &[0, 1, 2])] });
    // Between two nodes of one body, from a node to itself, and between two nodes of the world.
    for joint in [
        json!({ "at": 3, "is": { "connectedNode": 4, "joint": 0 } }),
        json!({ "at": 5, "is": { "connectedNode": 5, "joint": 0 } }),
        json!({ "at": 6, "is": { "connectedNode": 6, "joint": 0 } }),
    ] {
        let scene = load(&model(json!([joint]), json!([ball])), None).unwrap();
        assert!(scene.joints.is_empty(), "{joint}");
        let says = |n: &&tumble::import::Note| n.text.contains("does not hold two bodies");
        let note = scene.notes.iter().find(says).unwrap_or_else(|| panic!("no note for {joint}"));
        assert_eq!(note.kind, NoteKind::Ignored);
    }
}

/// Checks a joint that nothing ever moves: it must not disturb other joints.
#[test]
fn joints_between_bodies_that_never_move_are_harmless() {
    let fixed = json!({ "limits": [locked("linearAxes", &[0, 1, 2]), locked("angularAxes", &[0, 1, 2])] });
    let joints = json!([
        { "at": 2, "is": { "connectedNode": 6, "joint": 0 } },
        { "at": 6, "is": { "connectedNode": 3, "joint": 0 } },
    ]);
    let scene = load(&model(joints, json!([fixed])), None).unwrap();
    assert_eq!(scene.joints.len(), 2);
    let far = scene.bodies.iter().position(|b| b.name == "far").unwrap();
    assert_eq!(scene.bodies[far].motion, Motion::Kinematic);
    let mut world = World::new(&scene).unwrap();
    (0..60).for_each(|_| _ = world.step());
    assert_eq!(world.bodies().states[far].pose, scene.bodies[far].pose);
    assert!(world.bodies().states[0].pose.position.distance(DVec3::X * 0.25) < 5e-3);
}
