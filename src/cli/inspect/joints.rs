//! The joints whose drives can be set, as `tumble inspect` lists them.

use comfy_table::Table;
use serde::Serialize;

use super::{more, plain_table};
use crate::body::SetBy;
use crate::scene::Scene;

/// A joint that a user, a table or another joint sets.
#[derive(Serialize)]
pub(super) struct JointReport<'a> {
    name: &'a str,
    /// Whether the joint turns (rad, N·m) or slides (m, N).
    turns: bool,
    /// Lower limit; `null` if there is none.
    min: Option<f64>,
    /// Upper limit; `null` if there is none.
    max: Option<f64>,
    /// Target of the joint's drive at the start.
    target: f64,
    /// Largest force or torque; `null` if not specified.
    effort: Option<f64>,
    /// Largest velocity; `null` if not specified.
    velocity: Option<f64>,
    /// Whether a table moves the joint.
    has_table: bool,
    /// The joint that this joint follows.
    follows: Option<&'a str>,
}

pub(super) fn examine_joints(scene: &Scene) -> Vec<JointReport<'_>> {
    let finite = |x: f64| x.is_finite().then_some(x);
    let controls = scene.controls.iter().filter_map(|control| {
        let drive = scene.joints[control.joint as usize].axis(control.axis).drive?;
        Some(JointReport {
            name: &control.name,
            turns: control.turns(),
            min: finite(control.range[0]),
            max: finite(control.range[1]),
            target: drive.position_target,
            effort: finite(drive.max_force),
            velocity: finite(control.speed),
            has_table: matches!(control.set_by, SetBy::Clip(_)),
            follows: match control.set_by {
                SetBy::Other { control, .. } => Some(&scene.controls[control as usize].name),
                _ => None,
            },
        })
    });
    controls.collect()
}

/// Returns the table of the first `most` joints, or `None` if no joint can be set.
pub(super) fn joint_table(joints: &[JointReport], most: usize) -> Option<Table> {
    let header = ["joint", "", "from", "to", "at", "effort", "velocity", "moved by"];
    let mut table = plain_table(&header, &[2, 3, 4, 5, 6]);
    let number = |x: Option<f64>| x.map_or("–".to_owned(), |x| format!("{x:.4}"));
    for joint in joints.iter().take(most) {
        let with_unit = |x: Option<f64>, units: [&str; 2]| {
            x.map_or("–".to_owned(), |x| format!("{x} {}", units[usize::from(joint.turns)]))
        };
        table.add_row([
            joint.name.to_owned(),
            if joint.turns { "turns, rad" } else { "slides, m" }.to_owned(),
            number(joint.min),
            number(joint.max),
            number(Some(joint.target)),
            with_unit(joint.effort, ["N", "N·m"]),
            with_unit(joint.velocity, ["m/s", "rad/s"]),
            match joint.follows {
                Some(leader) => leader.to_owned(),
                None if joint.has_table => "its table".to_owned(),
                None => "hand".to_owned(),
            },
        ]);
    }
    table.add_rows(more(joints.len(), most).map(|text| [text]));
    (!joints.is_empty()).then_some(table)
}
