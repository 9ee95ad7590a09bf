//! Rules of a scene file for drives, applied to joints by name.

use std::f64::consts::TAU;

use globset::GlobSet;

use super::builder::Builder;
use super::burden::Burdens;
use super::error::SceneError;
use super::hints;
use super::patterns::matcher;
use super::sidecar::DriveRule;
use super::source::Source;
use crate::body::{AxisRange, Drive, DriveKind, Joint, WORLD};
use crate::import::NoteKind;
use crate::import::text::list;
use crate::pose::Pose;

/// Changes the drives of the joints whose names match the rules. A joint without a drive gets one if it
/// has exactly one axis that is not locked.
///
/// # Errors
/// Returns an error if a rule is empty, has an invalid number, or applies to none of the joints that it
/// names. If it applies to some of them, the other joints get a note.
pub(super) fn apply_drives(
    builder: &mut Builder,
    rules: &[DriveRule],
    source: &Source,
) -> Result<(), SceneError> {
    if rules.is_empty() {
        return Ok(());
    }
    let burdens = Burdens::new(&builder.scene);
    for rule in rules {
        let name = rule.joint.as_ref();
        let wrong = |reason: String| source.error(rule.joint.span(), format!("drive of {name:?}: {reason}"));
        check(rule).map_err(|reason| wrong(reason.to_owned()))?;
        builder.check_matches(1, builder.scene.joints.len()).map_err(wrong)?;
        let select: GlobSet = matcher(name).map_err(wrong)?;
        let joints: Vec<usize> = (0..builder.scene.joints.len())
            .filter(|&index| select.is_match(&builder.scene.joints[index].name))
            .collect();
        let mut refused = Vec::new();
        for &index in &joints {
            let own = builder.scene.joints[index].name.clone();
            if let Err(reason) = apply(builder, &burdens, index, rule) {
                refused.push(format!("{own} {reason}"));
            }
        }
        if refused.len() == joints.len()
            && let Some(first) = refused.first()
        {
            return Err(wrong(first.clone()));
        }
        if !refused.is_empty() {
            let text =
                format!("{} joints of such a name stay as they are: {}", refused.len(), list(&refused, "; "));
            builder.note(NoteKind::Warning, name, text);
        }
        if joints.is_empty() {
            let names = builder.scene.joints.iter().map(|joint| joint.name.as_str());
            let text = format!("no joint has such a name{}", hints::instead(name, names));
            builder.note(NoteKind::Warning, name, text);
        }
    }
    Ok(())
}

/// Returns an error if a rule is empty, contradicts itself, or has an invalid number.
fn check(rule: &DriveRule) -> Result<(), &'static str> {
    let DriveRule { joint: _, stiffness, damping, frequency, max } = rule;
    let springs = [stiffness, damping, frequency];
    if springs.into_iter().flatten().any(|x| !(x.is_finite() && *x >= 0.0)) {
        return Err("stiffness, damping and frequency must be finite and at least 0");
    }
    if max.is_some_and(|max| max.is_nan() || max < 0.0) {
        return Err("max must be at least 0");
    }
    if frequency.is_some() && (stiffness.is_some() || damping.is_some()) {
        return Err("a frequency stands for stiffness and damping: give it or these");
    }
    if springs.into_iter().all(Option::is_none) && max.is_none() {
        return Err("says nothing: give stiffness, damping, frequency or max");
    }
    Ok(())
}

/// Changes the drives of one joint, or adds one. Returns an error if the rule does not apply to this
/// joint.
fn apply(builder: &mut Builder, burdens: &Burdens, index: usize, rule: &DriveRule) -> Result<(), String> {
    let joint = &builder.scene.joints[index];
    if let Some(mut drive) = joint.pose_drive {
        if rule.frequency.is_some() {
            return Err("turns any way: give stiffness and damping, not a frequency".to_owned());
        }
        let spring = &mut drive.angular;
        spring.stiffness = rule.stiffness.unwrap_or(spring.stiffness);
        spring.damping = rule.damping.unwrap_or(spring.damping);
        spring.max_force = rule.max.unwrap_or(spring.max_force);
        builder.scene.joints[index].pose_drive = Some(drive);
        return Ok(());
    }
    let has_drive = |axis: &u32| joint.axis(*axis).drive.is_some();
    let is_open = |axis: &u32| joint.axis(*axis).range != AxisRange::Locked;
    let mut axes: Vec<u32> = (0..6).filter(has_drive).collect();
    if axes.is_empty() {
        axes = (0..6).filter(is_open).collect();
        if axes.len() != 1 {
            return Err(format!("has no drive, and {} axes on which it could be", axes.len()));
        }
        if [rule.stiffness, rule.damping, rule.frequency].iter().all(Option::is_none) {
            return Err("has no drive yet: give stiffness, damping or a frequency".to_owned());
        }
    }
    for axis in axes {
        let mut drive = joint_drive(builder, index, axis);
        if let Some(frequency) = rule.frequency {
            let (inertia, omega) = (burdens.on(&builder.scene, index, axis), TAU * frequency);
            if !(inertia > 0.0 && inertia.is_finite()) {
                return Err("moves nothing whose mass is known: give stiffness and damping".to_owned());
            }
            (drive.stiffness, drive.damping) = (inertia * omega * omega, 2.0 * inertia * omega);
            drive.kind = DriveKind::Force;
        }
        drive.stiffness = rule.stiffness.unwrap_or(drive.stiffness);
        drive.damping = rule.damping.unwrap_or(drive.damping);
        drive.max_force = rule.max.unwrap_or(drive.max_force);
        if !(drive.stiffness.is_finite() && drive.damping.is_finite()) {
            return Err("would have a drive that is no number".to_owned());
        }
        builder.scene.joints[index].axis_mut(axis).drive = Some(drive);
    }
    Ok(())
}

/// Returns the drive of an axis. If there is none, returns a drive whose target is the joint's start
/// position, with stiffness and damping 0.
fn joint_drive(builder: &Builder, index: usize, axis: u32) -> Drive {
    let joint = &builder.scene.joints[index];
    joint.axis(axis).drive.unwrap_or_else(|| Drive {
        kind: DriveKind::Force,
        position_target: start(builder, joint, axis),
        target_speed: 0.0,
        velocity_target: 0.0,
        stiffness: 0.0,
        damping: 0.0,
        max_force: f64::INFINITY,
    })
}

/// Returns the start position of a joint along or about an axis, m or rad.
fn start(builder: &Builder, joint: &Joint, axis: u32) -> f64 {
    let poses = [joint.a, joint.b].map(|body| match body {
        WORLD => Pose::IDENTITY,
        body => builder.scene.bodies[body as usize].pose,
    });
    match axis.checked_sub(3) {
        Some(angular) => joint.angles_at_start(poses)[angular as usize],
        None => joint.coordinate(axis, poses, 0.0),
    }
}
