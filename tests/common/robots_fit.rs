//! A robot as tumble reads it, compared with the reading of `urdf-rs` and with forward kinematics by
//! matrices.

use std::collections::BTreeMap;
use std::path::Path;

use glam::{DMat3, DVec3};
use tumble::body::AxisRange;
use tumble::import::{ReadAs, load_model};
use tumble::scene::{Scene, SceneName, load_scene};
use tumble::world::World;
use urdf_rs::JointType;

/// A rigid transform: a rotation, then a translation.
type Frame = (DMat3, DVec3);

fn after((a, p): Frame, (b, q): Frame) -> Frame {
    (a * b, a * q + p)
}

/// Returns the rotation about a unit axis, by Rodrigues' formula.
fn about(axis: DVec3, angle: f64) -> DMat3 {
    let cross = DMat3::from_cols(
        DVec3::new(0.0, axis.z, -axis.y),
        DVec3::new(-axis.z, 0.0, axis.x),
        DVec3::new(axis.y, -axis.x, 0.0),
    );
    DMat3::IDENTITY + angle.sin() * cross + (1.0 - angle.cos()) * cross * cross
}

fn origin(pose: &urdf_rs::Pose) -> Frame {
    let [roll, pitch, yaw] = pose.rpy.0;
    let turned = about(DVec3::Z, yaw) * about(DVec3::Y, pitch) * about(DVec3::X, roll);
    (turned, DVec3::from_array(pose.xyz.0))
}

/// Returns every link's transform in the scene, whose y axis points up.
fn kinematics(robot: &urdf_rs::Robot, pose: &BTreeMap<String, f64>) -> BTreeMap<String, Frame> {
    let upright = (about(DVec3::X, -std::f64::consts::FRAC_PI_2), DVec3::ZERO);
    let is_child = |link: &urdf_rs::Link| robot.joints.iter().any(|j| j.child.link == link.name);
    let base = robot.links.iter().find(|link| !is_child(link)).unwrap();
    let mut places = BTreeMap::from([(base.name.clone(), upright)]);
    let mut open = vec![base.name.clone()];
    while let Some(parent) = open.pop() {
        for joint in robot.joints.iter().filter(|j| j.parent.link == parent) {
            let coordinate = pose.get(&joint.name).copied().unwrap_or(0.0);
            let axis = DVec3::from_array(joint.axis.xyz.0).normalize();
            let moved = match joint.joint_type {
                JointType::Revolute | JointType::Continuous => (about(axis, coordinate), DVec3::ZERO),
                JointType::Prismatic => (DMat3::IDENTITY, axis * coordinate),
                _ => (DMat3::IDENTITY, DVec3::ZERO),
            };
            places.insert(
                joint.child.link.clone(),
                after(after(places[&parent], origin(&joint.origin)), moved),
            );
            open.push(joint.child.link.clone());
        }
    }
    places
}

fn scene_of(path: &Path, pose: &BTreeMap<String, f64>) -> Scene {
    let pose = pose.iter().map(|(joint, value)| (joint.clone(), *value)).collect();
    let read_as = ReadAs { pose, ..ReadAs::default() };
    load_scene(SceneName { read_as, ..SceneName::from(path.to_str().unwrap()) }, None).unwrap()
}

/// Returns the link that gives each link's body its name: the nearest ancestor that no fixed joint
/// holds.
fn body_of<'a>(robot: &'a urdf_rs::Robot, link: &'a str) -> &'a str {
    match robot.joints.iter().find(|j| j.child.link == link && j.joint_type == JointType::Fixed) {
        Some(joint) => body_of(robot, &joint.parent.link),
        None => link,
    }
}

/// Asserts that links, joints, limits, efforts and masses are those that `urdf-rs` reads.
pub fn reads_as_others_do(path: &Path) {
    let robot = urdf_rs::read_file(path).unwrap();
    let model = load_model(path, &ReadAs::default()).unwrap();
    let own = model.robot.as_ref().unwrap();
    let names: Vec<&str> = own.links.iter().map(|&n| model.nodes[n as usize].name.as_str()).collect();
    assert_eq!(names, robot.links.iter().map(|l| l.name.as_str()).collect::<Vec<_>>());
    let moving: Vec<_> = robot
        .joints
        .iter()
        .filter(|j| {
            matches!(j.joint_type, JointType::Revolute | JointType::Continuous | JointType::Prismatic)
        })
        .collect();
    assert_eq!(own.joints.len(), moving.len());
    for (own, other) in own.joints.iter().zip(&moving) {
        assert_eq!(own.name, other.name);
        assert_eq!(model.nodes[own.child as usize].name, other.child.link);
        assert_eq!(own.turns, other.joint_type != JointType::Prismatic);
        if other.joint_type != JointType::Continuous {
            assert_eq!(own.range, [other.limit.lower, other.limit.upper], "{}", own.name);
        }
        let said = |value: f64| if value > 0.0 { value } else { f64::INFINITY };
        assert_eq!([own.effort, own.velocity], [other.limit.effort, other.limit.velocity].map(said));
        let mimic = own.mimic.map(|m| (own_name(&model, m.joint), m.multiplier, m.offset));
        let other = other
            .mimic
            .as_ref()
            .map(|m| (m.joint.clone(), m.multiplier.unwrap_or(1.0), m.offset.unwrap_or(0.0)));
        assert_eq!(mimic, other);
    }
    let mut masses: BTreeMap<&str, f64> = BTreeMap::new();
    for link in &robot.links {
        *masses.entry(body_of(&robot, &link.name)).or_default() += link.inertial.mass.value;
    }
    let scene = scene_of(path, &BTreeMap::new());
    for body in scene.bodies.iter().filter(|b| b.mass.is_finite() && !b.is_ground) {
        let wanted = masses[body.name.as_str()];
        assert!((body.mass - wanted).abs() <= 1e-12 * wanted, "{}: {} of {wanted} kg", body.name, body.mass);
        let own: Vec<_> = robot.links.iter().filter(|l| body_of(&robot, &l.name) == body.name).collect();
        let [link] = own[..] else { continue };
        let urdf_rs::Inertia { ixx, ixy, ixz, iyy, iyz, izz } = link.inertial.inertia.clone();
        let inertia = DMat3::from_cols_array(&[ixx, ixy, ixz, ixy, iyy, iyz, ixz, iyz, izz]);
        let (turned, center) = origin(&link.inertial.origin);
        let off = (turned * inertia * turned.transpose() - body.inertia).to_cols_array();
        assert!(
            off.iter().all(|x| x.abs() < 1e-9),
            "{}: inertia {} is off by {off:?}",
            body.name,
            body.inertia
        );
        assert!(body.center.distance(center) < 1e-12, "{}", body.name);
    }
}

fn own_name(model: &tumble::import::model::Model, joint: u32) -> String {
    model.robot.as_ref().unwrap().joints[joint as usize].name.clone()
}

/// Returns a random configuration within the limits, in which mimic joints follow theirs.
fn configuration(
    robot: &urdf_rs::Robot,
    random: &mut dyn FnMut() -> f64,
) -> (BTreeMap<String, f64>, BTreeMap<String, f64>) {
    let mut asked = BTreeMap::new();
    for joint in robot.joints.iter().filter(|j| j.mimic.is_none()) {
        let [min, max] = match joint.joint_type {
            JointType::Revolute | JointType::Prismatic => [joint.limit.lower, joint.limit.upper],
            JointType::Continuous => [-3.0, 3.0],
            _ => continue,
        };
        asked.insert(joint.name.clone(), min + (max - min) * random());
    }
    let mut all = asked.clone();
    for joint in &robot.joints {
        if let Some(mimic) = &joint.mimic {
            let followed =
                mimic.multiplier.unwrap_or(1.0) * asked[&mimic.joint] + mimic.offset.unwrap_or(0.0);
            all.insert(joint.name.clone(), followed.clamp(joint.limit.lower, joint.limit.upper));
        }
    }
    (asked, all)
}

/// Asserts that links are at the transforms of the matrices, in `count` random configurations.
pub fn links_are_where_matrices_say(path: &Path, count: u32) {
    let robot = urdf_rs::read_file(path).unwrap();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    for _ in 0..count {
        let (asked, all) = configuration(&robot, &mut random);
        let places = kinematics(&robot, &all);
        let scene = scene_of(path, &asked);
        let mut compared = 0;
        for body in scene.bodies.iter().filter(|b| !b.is_ground) {
            let (turned, moved) = places[&body.name];
            let distance = body.pose.position.distance(moved);
            assert!(distance < 1e-9, "{}: {distance:e} m off", body.name);
            let off = (DMat3::from_quat(body.pose.rotation) - turned).to_cols_array();
            assert!(off.iter().all(|x| x.abs() < 1e-9), "{}: {off:?}", body.name);
            compared += 1;
        }
        assert!(compared > 1);
    }
}

/// Asserts that for five seconds no link moves by a millimeter or rotates by half a degree, and that
/// each joint can move.
pub fn stands(path: &Path) {
    let scene = scene_of(path, &BTreeMap::new());
    let driven = scene.joints.iter().filter(|j| j.angular[0].drive.is_some() || j.linear[0].drive.is_some());
    let moving = scene
        .joints
        .iter()
        .filter(|j| j.angular[0].range != AxisRange::Locked || j.linear[0].range != AxisRange::Locked);
    assert_eq!(driven.count(), moving.count());
    let mut world = World::new(&scene).unwrap();
    for _ in 0..300 {
        world.step();
    }
    for (body, state) in scene.bodies.iter().zip(&world.bodies().states) {
        let moved = state.pose.position.distance(body.pose.position);
        let turned = state.pose.rotation.angle_between(body.pose.rotation).to_degrees();
        assert!(moved < 1e-3 && turned < 0.5, "{} moved {moved} m and turned {turned}°", body.name);
    }
}
