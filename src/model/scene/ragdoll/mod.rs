//! Figures (articulated characters) that forces move: links with mass, cut from a skin and connected by
//! joints. A ragdoll falls; a powered figure is driven through its animation and yields to obstacles.
//!
//! Steps: merge links until few are left; close their surfaces and give them mass; connect them by
//! joints with limits guessed from names; add drives if requested. Notes describe each guess.
//!
//! - `bones.rs`: the links that move independently.
//! - `drives.rs`: drives that move a figure through its animation.
//! - `limits.rs`: the limits of a figure's joints.
//! - `names.rs`: the role of a joint, guessed from its name.
//! - `solid.rs`: links as solids: closed, with mass and inertia.

mod bones;
mod drives;
mod limits;
mod names;
mod solid;

use glam::{DMat4, DVec3};

use super::builder::Builder;
use super::define::GRAVITY;
use super::figure::{Drive, Figure, Followed};
use super::near::{Near, ignore_near};
use super::skin::sample;
use super::{BodyDef, FigureKind, LinkMotion, SkeletonDef, skinning};
use crate::body::{AxisRange, Joint, JointAxis};
use crate::import::NoteKind;
use crate::import::clip::world_matrices;
use crate::import::model::Model;
use crate::pose::Pose;
use crate::solver::rotation_vector;
use bones::{Bone, Skeleton};
use drives::Strength;
use limits::Limit;

/// Friction of a joint, as a share of the torque with which the limb, held level, hangs on the joint.
/// Without friction, limbs swing forever.
const FRICTION_SHARE: f64 = 0.1;

/// Adds a figure as dynamic bodies. With a `strength` the figure is powered, else it is a ragdoll.
pub(super) fn add_ragdoll(
    builder: &mut Builder,
    model: &Model,
    name: &str,
    figure: &Figure,
    placement: DMat4,
    drive: Option<Drive>,
    strength: Option<f64>,
) {
    let worlds = world_matrices(model, None, placement);
    let Skeleton { mut bones, owner } = bones::bones(builder, model, figure, &worlds);
    if bones.is_empty() {
        return;
    }
    let first_body = builder.scene.bodies.len() as u32;
    let rest: Vec<Pose> = bones.iter().map(|b| b.place.pose).collect();
    let mut bodies: Vec<BodyDef> = bones.iter_mut().map(|bone| body(builder, bone)).collect();
    let (mass, size) = solid::weigh(builder, &bones, &mut bodies);
    let gravity = weighing_gravity(builder.scene.gravity);
    let burdens = solid::burdens(&bones, &bodies, gravity);
    let config = &builder.scene.config;
    let strength = strength.map(|s| Strength::new(s, config.dt / f64::from(config.substeps)));
    let springs = strength.map(|s| drives::drives(&bones, &bodies, &burdens, s, gravity));

    let followed: Vec<Followed> = bones.iter().map(|b| b.place).collect();
    let mut motion = match &drive {
        Some(drive) => sample(builder, model, drive, &followed, placement),
        None => LinkMotion { rate: 1.0, width: rest.len() as u32, poses: rest.clone(), ..Default::default() },
    };
    hold_together(&bones, &rest, &mut motion.poses);
    for (at, body) in bodies.iter_mut().enumerate() {
        start(body, at, &motion, builder.scene.config.dt);
    }

    let centers: Vec<DVec3> = bodies.iter().map(|b| b.center).collect();
    let mut limits = limits::guess(model, figure, &bones, &centers);
    let widened = widen(&bones, &mut limits, [&rest, &motion.poses]);
    note(builder, name, &bones, &limits, (mass, size), widened);
    note_open(builder, &bodies);
    if let Some(strength) = strength {
        builder.note(NoteKind::Assumed, name, strength.describe());
    }

    let mut driven = Vec::new();
    for (at, bone) in bones.iter().enumerate() {
        let spring = springs.as_ref().map(|s| s[at]);
        let own = first_body + at as u32;
        let joint = match (bone.parent.zip(limits[at]), spring) {
            (Some((parent, limit)), _) => {
                let above = first_body + parent as u32;
                let friction = FRICTION_SHARE * burdens[at].torque;
                let joint = joint(&bones, &rest, at, [above, own], &limit);
                Joint { pose_drive: spring, friction, ..joint }
            }
            (None, Some(spring)) => drives::root_joint(&bone.name, own, spring),
            (None, None) => continue,
        };
        if joint.pose_drive.is_some() {
            driven.push(builder.scene.joints.len() as u32);
        }
        builder.scene.joints.push(joint);
    }
    builder.scene.bodies.extend(bodies);
    ignore_near(builder, first_body, [&rest, &motion.poses[..rest.len()]], Near::of_figure(size));

    let name = builder.unique(name);
    builder.scene.skeletons.push(SkeletonDef {
        name,
        self_collision: true,
        kind: if strength.is_some() { FigureKind::Powered } else { FigureKind::Ragdoll },
        first_body,
        link_count: bones.len() as u32,
        parents: bones.iter().map(|b| b.parent.map(|p| p as u32)).collect(),
        joints: Vec::new(),
        motion: if strength.is_some() { motion } else { LinkMotion::default() },
        driven,
    });
    let carried = skinning::nearest_links(model, &figure.skins, &worlds, &followed, &owner);
    skinning::draw(builder, model, &figure.skins, &worlds, &followed, &carried);
}

/// Returns the gravity (m/s²) by which the loads of limbs on their joints are computed: the scene's, or
/// Earth's if the scene has none.
fn weighing_gravity(gravity: DVec3) -> f64 {
    if gravity == DVec3::ZERO { GRAVITY } else { gravity.length() }
}

/// Adds the body of a bone at rest. Its mass is set later.
fn body(builder: &mut Builder, bone: &mut Bone) -> BodyDef {
    let soup = solid::capped(&bone.name, std::mem::take(&mut bone.soup));
    match builder.body(&bone.name, &soup, bone.place.pose) {
        Some(body) => body,
        // A bone without a surface still gets joints and a mass.
        None => BodyDef { pose: bone.place.pose, ..BodyDef::empty(builder.unique(&bone.name)) },
    }
}

/// Moves each bone, in every frame, so that it keeps its rest position relative to its parent bone.
/// Merged joints between them may have moved in the clip.
fn hold_together(bones: &[Bone], rest: &[Pose], poses: &mut [Pose]) {
    let order = bones::from_roots(bones);
    for frame in poses.chunks_exact_mut(bones.len()) {
        for &at in &order {
            if let Some(parent) = bones[at].parent {
                let anchor = rest[parent].inverse_transform_point(rest[at].position);
                frame[at].position = frame[parent].transform_point(anchor);
            }
        }
    }
}

/// Sets the pose and velocity of a body at the start of its motion. `dt` is the time step, s.
fn start(body: &mut BodyDef, column: usize, motion: &LinkMotion, dt: f64) {
    let Some((from, to)) = motion.pose(column, 0.0).zip(motion.pose(column, dt)) else { return };
    body.pose = from;
    body.linear_velocity = (to.transform_point(body.center) - from.transform_point(body.center)) / dt;
    body.angular_velocity = rotation_vector(to.rotation * from.rotation.conjugate()) / dt;
}

/// Widens limits so that they admit all poses, frame by frame. Returns the names of the bones whose
/// limits grew.
fn widen(bones: &[Bone], limits: &mut [Option<Limit>], poses: [&[Pose]; 2]) -> Vec<String> {
    let mut widened = Vec::new();
    for (at, bone) in bones.iter().enumerate() {
        let Some((parent, limit)) = bone.parent.zip(limits[at].as_mut()) else { continue };
        let frames = poses.into_iter().flat_map(|p| p.chunks_exact(bones.len()));
        let mut any = false;
        for frame in frames {
            any |= limit.widen(frame[parent].rotation, frame[at].rotation);
        }
        if any {
            widened.push(bone.name.clone());
        }
    }
    widened
}

/// Adds a note that describes the guesses for a figure.
fn note(
    builder: &mut Builder,
    name: &str,
    bones: &[Bone],
    limits: &[Option<Limit>],
    (mass, size): (f64, f64),
    widened: Vec<String>,
) {
    let text = format!(
        "weighs {mass:.3} kg: {} kg for {} m, by the cube of its size of {size:.3} m, shared by volume",
        solid::HUMAN_MASS,
        solid::HUMAN_SIZE
    );
    builder.note(NoteKind::Assumed, name, text);
    if limits.iter().any(Option::is_some) {
        let text = format!("joint limits are guessed from names: {}", limits::describe(bones, limits));
        builder.note(NoteKind::Assumed, name, text);
    }
    if !widened.is_empty() {
        let text = format!("limits are widened to the poses it takes: {}", widened.join(", "));
        builder.note(NoteKind::Assumed, name, text);
    }
}

/// Adds a note for each link without a surface.
fn note_open(builder: &mut Builder, bodies: &[BodyDef]) {
    for body in bodies.iter().filter(|b| b.mesh.is_none()) {
        builder.note(NoteKind::Repaired, &body.name, "has no surface: it is a joint with a mass");
    }
}

/// Returns the joint of bone `at` to its parent: a ball joint with limits.
fn joint(bones: &[Bone], rest: &[Pose], at: usize, [above, own]: [u32; 2], limit: &Limit) -> Joint {
    let parent = bones[at].parent.unwrap_or(at);
    let anchor = rest[at].position;
    let locked = JointAxis { range: AxisRange::Locked, ..JointAxis::default() };
    let free = JointAxis::default();
    let [min, max] = limit.twist;
    Joint {
        name: format!("{} on {}", bones[at].name, bones[parent].name),
        a: above,
        b: own,
        frame_a: Pose::new(limit.frame_a, rest[parent].inverse_transform_point(anchor)),
        frame_b: Pose::new(limit.frame_b, DVec3::ZERO),
        linear: [locked; 3],
        angular: [JointAxis { range: AxisRange::Limited { min, max }, ..free }, free, free],
        cone: Some(limit.cone),
        distance: None,
        friction: 0.0,
        collide: false,
        pose_drive: None,
    }
}
