//! Conversion of the joints of a scene file (a kind with anchor, axis, limits and drive) to joints of
//! six axes. An invalid joint is an error with its line.

use std::collections::HashMap;
use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};
use toml::Spanned;

use super::builder::Builder;
use super::error::SceneError;
use super::expect_entry::Exactly;
use super::hints;
use super::rules::part_names;
use super::sidecar::{DriveEntry, DriveMode, DriveTarget, JointEntry, JointKind};
use super::source::Source;
use crate::arrays::MapEach;
use crate::body::{AxisRange, Drive, DriveKind, Joint, JointAxis, PoseDrive, Spring, WORLD};
use crate::import::NoteKind;
use crate::import::limits::{COORDINATE, JOINTS, at_most};
use crate::pose::Pose;
use crate::pose::turn;

/// Byte range of a fault in the text of the scene file, and its description.
type Fault = (std::ops::Range<usize>, String);

/// Adds the joints of a scene file.
pub(super) fn add_joints(
    builder: &mut Builder,
    joints: &[JointEntry],
    source: &Source,
) -> Result<(), SceneError> {
    let bodies = builder.scene.bodies.iter().zip(0..);
    let indices: HashMap<String, u32> = bodies.map(|(body, index)| (body.name.clone(), index)).collect();
    for (place, entry) in joints.iter().enumerate() {
        let name = name(entry);
        check_name(entry, &joints[..place]).map_err(|(span, reason)| source.error(span, reason))?;
        let too_many = at_most(JOINTS, builder.scene.joints.len() + 1, "joints or more");
        let made = too_many.map_err(|reason| (entry.a.span(), reason));
        let made = made.and_then(|()| joint(builder, &indices, entry, &name));
        let joint = made.map_err(|(place, reason)| source.error(place, format!("{name}: {reason}")))?;
        note_oddities(builder, &joint);
        builder.scene.joints.push(joint);
    }
    Ok(())
}

/// Returns the name of a joint: that of the file, or its kind and its parts.
fn name(entry: &JointEntry) -> String {
    let named = |name: &Spanned<String>| name.as_ref().clone();
    let described = || format!("{} of {} and {}", kind_name(entry.kind), entry.a.as_ref(), entry.b);
    entry.name.as_ref().map_or_else(described, named)
}

/// Returns an error if the joint's name in the file is empty, or that of an earlier joint.
fn check_name(entry: &JointEntry, before: &[JointEntry]) -> Result<(), Fault> {
    let Some(name) = &entry.name else { return Ok(()) };
    if name.as_ref().trim().is_empty() {
        return Err((name.span(), "the name of a joint must not be empty".to_owned()));
    }
    let named_before = before.iter().filter_map(|other| other.name.as_ref());
    match named_before.filter(|other| other.as_ref() == name.as_ref()).count() {
        0 => Ok(()),
        _ => Err((name.span(), format!("another joint has the name {:?} already", name.as_ref()))),
    }
}

/// Warns of limits that exclude the joint's start position, and of drives without force.
fn note_oddities(builder: &mut Builder, joint: &Joint) {
    for axis in 0..6 {
        let own = joint.axis(axis);
        let drive = own.drive.is_some_and(|drive| drive.max_force == 0.0);
        if drive {
            builder.note(
                NoteKind::Warning,
                &joint.name,
                "its drive may push with 0 at most, so it does nothing",
            );
        }
        let AxisRange::Limited { min, max } = own.range else { continue };
        // The frames a and b of a joint coincide at the start.
        let start = joint.angles_at_start([joint.frame_a.inverse(), joint.frame_b.inverse()]);
        let start = axis.checked_sub(3).map_or(0.0, |angular| start[angular as usize]);
        if start < min || start > max {
            let text = "starts outside of its limits, and is pushed there at once";
            builder.note(NoteKind::Warning, &joint.name, text);
        }
    }
}

/// Converts a joint of a scene file to a joint of six axes.
fn joint(
    builder: &Builder,
    indices: &HashMap<String, u32>,
    entry: &JointEntry,
    name: &str,
) -> Result<Joint, Fault> {
    let wrong = |reason: String| (entry.a.span(), reason);
    let body = |name: &str| match name {
        "world" => Ok(WORLD),
        name => match indices.get(name) {
            Some(&index) => Ok(index),
            None => {
                let instead = hints::instead(name, part_names(builder));
                Err(wrong(format!("no part is called {name:?}{instead}")))
            }
        },
    };
    let (a, b) = (body(entry.a.as_ref())?, body(&entry.b)?);
    let axis = DVec3::from_array(entry.axis).normalize_or_zero();
    let anchor = DVec3::from_array(entry.anchor);
    let is_near = anchor.is_finite() && anchor.abs().max_element() <= COORDINATE;
    if a == b || axis == DVec3::ZERO || !is_near {
        let text = format!("needs two different parts, an anchor within {COORDINATE:e} m and an axis");
        return Err(wrong(text));
    }
    if !(entry.friction.is_finite() && entry.friction >= 0.0) {
        return Err(wrong("friction must be at least 0 N·m".to_owned()));
    }
    // x of the joint frame lies along the axis in the file.
    let y = axis.any_orthonormal_vector();
    let frame = Pose::new(DQuat::from_mat3(&DMat3::from_cols(axis, y, axis.cross(y))), anchor);
    let local = |body: u32| match builder.scene.bodies.get(body as usize) {
        Some(body) => frame.relative_to(&body.pose),
        None => frame,
    };
    let (mut linear, mut angular) = axes(entry.kind);
    match entry.kind {
        JointKind::Hinge => angular[0] = own_axis(entry, PI / 180.0)?,
        JointKind::Slider => linear[0] = own_axis(entry, 1.0)?,
        JointKind::Ball => angular[0].range = twist(entry)?,
        JointKind::Fixed => {}
    }
    reject(entry)?;
    let pose_drive = match (&entry.drive, entry.kind) {
        (Some(drive), JointKind::Ball) => Some(pose_drive(drive, frame.rotation)?),
        _ => None,
    };
    Ok(Joint {
        name: name.to_owned(),
        a,
        b,
        frame_a: local(a),
        frame_b: local(b),
        linear,
        angular,
        cone: cone(entry)?,
        distance: None,
        friction: entry.friction,
        collide: entry.collide,
        pose_drive,
    })
}

fn kind_name(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Fixed => "fixed joint",
        JointKind::Hinge => "hinge",
        JointKind::Slider => "slider",
        JointKind::Ball => "ball joint",
    }
}

/// Returns the linear and angular axes of a joint kind, without limits. x is the axis of a hinge or
/// slider.
fn axes(kind: JointKind) -> ([JointAxis; 3], [JointAxis; 3]) {
    let locked = JointAxis { range: AxisRange::Locked, ..JointAxis::default() };
    let free = JointAxis::default();
    match kind {
        JointKind::Fixed => ([locked; 3], [locked; 3]),
        JointKind::Hinge => ([locked; 3], [free, locked, locked]),
        JointKind::Slider => ([free, locked, locked], [locked; 3]),
        JointKind::Ball => ([locked; 3], [free; 3]),
    }
}

/// Returns an error for a key that only other kinds of joint have.
fn reject(entry: &JointEntry) -> Result<(), Fault> {
    let along = matches!(entry.kind, JointKind::Hinge | JointKind::Slider);
    if let Some(limit) = entry.min.as_ref().or(entry.max.as_ref()).filter(|_| !along) {
        return Err((limit.span(), "only hinges and sliders have min and max".to_owned()));
    }
    let spans = [entry.cone.as_ref().map(Spanned::span), entry.twist.as_ref().map(Spanned::span)];
    if let Some(span) = spans.into_iter().flatten().next().filter(|_| entry.kind != JointKind::Ball) {
        return Err((span, "only ball joints have a cone and a twist".to_owned()));
    }
    match &entry.drive {
        Some(drive) if entry.kind == JointKind::Fixed => {
            Err((drive.span(), "a fixed joint cannot be driven".to_owned()))
        }
        _ => Ok(()),
    }
}

/// Returns the one axis of a hinge or slider that is not locked. `unit` converts angles or lengths of
/// the file to rad or m.
fn own_axis(entry: &JointEntry, unit: f64) -> Result<JointAxis, Fault> {
    let limits = [&entry.min, &entry.max].map_each(Option::as_ref);
    if let Some(limit) = limits.into_iter().flatten().find(|l| l.get_ref().is_nan()) {
        return Err((limit.span(), "a limit must be a number".to_owned()));
    }
    // A lower limit of −∞ and an upper limit of +∞ mean no limit. A lower limit of +∞ or an upper limit
    // of −∞ leaves no range.
    let nowhere = [(&entry.min, f64::INFINITY), (&entry.max, f64::NEG_INFINITY)];
    let nowhere = nowhere.into_iter().find_map(|(limit, end)| limit.as_ref().filter(|l| *l.get_ref() == end));
    if let Some(limit) = nowhere {
        let reason =
            format!("a limit of {} leaves the joint no range; omit it for no limit", limit.get_ref());
        return Err((limit.span(), reason));
    }
    let range = match limits {
        [None, None] => AxisRange::Free,
        [Some(min), Some(max)] if min.get_ref() > max.get_ref() => {
            return Err((min.span(), "min must not be above max".to_owned()));
        }
        [min, max] => AxisRange::Limited {
            min: min.map_or(f64::NEG_INFINITY, |x| x.get_ref() * unit),
            max: max.map_or(f64::INFINITY, |x| x.get_ref() * unit),
        },
    };
    let drive = match &entry.drive {
        None => None,
        Some(written) => {
            check_drive(written)?;
            let drive = written.get_ref();
            let target = match drive.target {
                None => 0.0,
                Some(DriveTarget::Along(target)) => target,
                Some(DriveTarget::Turned(_)) => {
                    return Err((written.span(), "the target must be one number".to_owned()));
                }
            };
            Some(Drive {
                kind: mode(drive.kind),
                position_target: target * unit,
                target_speed: 0.0,
                velocity_target: drive.velocity * unit,
                stiffness: drive.stiffness,
                damping: drive.damping,
                max_force: drive.max,
            })
        }
    };
    Ok(JointAxis { range, drive, ..JointAxis::default() })
}

fn twist(entry: &JointEntry) -> Result<AxisRange, Fault> {
    let Some(twist) = &entry.twist else { return Ok(AxisRange::Free) };
    let Exactly([min, max]) = *twist.get_ref();
    if !(-180.0 <= min && min <= max && max <= 180.0) {
        return Err((twist.span(), "a twist needs two angles from -180 to 180, the lower first".to_owned()));
    }
    Ok(AxisRange::Limited { min: min.to_radians(), max: max.to_radians() })
}

fn cone(entry: &JointEntry) -> Result<Option<f64>, Fault> {
    match &entry.cone {
        None => Ok(None),
        Some(cone) if (0.0..=180.0).contains(cone.get_ref()) => Ok(Some(cone.get_ref().to_radians())),
        Some(cone) => Err((cone.span(), "a cone needs an angle from 0 to 180".to_owned())),
    }
}

/// Returns the drive of a ball joint. `frame` is the rotation from joint axes to world axes.
fn pose_drive(written: &Spanned<DriveEntry>, frame: DQuat) -> Result<PoseDrive, Fault> {
    check_drive(written)?;
    let drive = written.get_ref();
    let turned = match drive.target {
        None => DQuat::IDENTITY,
        Some(DriveTarget::Turned([x, y, z])) => turn(DVec3::Z, z) * turn(DVec3::Y, y) * turn(DVec3::X, x),
        Some(DriveTarget::Along(_)) => {
            return Err((written.span(), "the target must be three angles".to_owned()));
        }
    };
    if drive.velocity != 0.0 {
        return Err((written.span(), "the drive of a ball joint has no velocity".to_owned()));
    }
    Ok(PoseDrive {
        kind: mode(drive.kind),
        target: Pose::new(frame.conjugate() * turned * frame, DVec3::ZERO),
        linear_velocity: DVec3::ZERO,
        angular_velocity: DVec3::ZERO,
        linear: Spring::NONE,
        angular: Spring { stiffness: drive.stiffness, damping: drive.damping, max_force: drive.max },
    })
}

/// Returns an error if a drive has an invalid number.
fn check_drive(written: &Spanned<DriveEntry>) -> Result<(), Fault> {
    let drive = written.get_ref();
    let wrong = |reason: &str| Err((written.span(), reason.to_owned()));
    let target = match drive.target {
        None => [0.0; 3],
        Some(DriveTarget::Along(target)) => [target; 3],
        Some(DriveTarget::Turned(target)) => target,
    };
    if !target.iter().chain([&drive.velocity]).all(|x| x.is_finite()) {
        return wrong("the target and velocity of a drive must be finite");
    }
    let springs = [drive.stiffness, drive.damping];
    if !springs.iter().all(|x| x.is_finite() && *x >= 0.0) || springs == [0.0; 2] {
        return wrong("a drive needs a stiffness or damping above 0");
    }
    if drive.max.is_nan() || drive.max < 0.0 {
        return wrong("the largest force of a drive must be at least 0");
    }
    Ok(())
}

fn mode(mode: DriveMode) -> DriveKind {
    match mode {
        DriveMode::Force => DriveKind::Force,
        DriveMode::Acceleration => DriveKind::Acceleration,
    }
}
