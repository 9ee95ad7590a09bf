//! Loads and motion of the joints of a run, by name.

use serde::Serialize;

use super::events::shown;
use super::names::{body_name, joint_labels};
use super::touches::digits;
use crate::scene::Scene;
use crate::world::{AxisUse, JointUse, Peak};

/// Joint of a run. Loads and efforts are means over a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointFigures {
    pub joint: String,
    /// Connected bodies. They distinguish copies of a robot, whose joints have equal names.
    pub a: String,
    pub b: String,
    /// Name for readers, which includes a body if several joints have this name.
    #[serde(skip)]
    pub label: String,
    /// Greatest force that the joint transmitted between the bodies, and its step.
    pub force_n: f64,
    pub force_step: u32,
    /// Greatest torque that it transmitted, about the origin of frame b, and its step.
    pub torque_nm: f64,
    pub torque_step: u32,
    /// Greatest angle between its orientation and the target of its pose drive; `null` without such a
    /// drive.
    pub deviation_rad: Option<f64>,
    pub deviation_step: Option<u32>,
    /// Axes that can move or have drives.
    pub axes: Vec<AxisFigures>,
}

/// Axis of a joint. Units are m and N for motion along the axis, rad and N·m for rotation about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AxisFigures {
    /// Number of the axis: 0 to 2 translation, 3 to 5 rotation.
    pub axis: u32,
    /// Unit, "m" or "rad".
    pub unit: &'static str,
    /// Smallest and greatest coordinate of the run, including the start.
    pub least: f64,
    pub greatest: f64,
    /// Greatest distance from the target of its drive. A user, a table or another joint may set the
    /// target. `null` without a drive that holds a position.
    pub deviation: Option<f64>,
    pub deviation_step: Option<u32>,
    /// Greatest effort of its drive, and its step.
    pub effort: f64,
    pub effort_step: u32,
    /// Total time in which the joint was at a limit, and the first such step (`null` without any).
    pub at_limit_s: f64,
    pub at_limit_step: Option<u32>,
    /// Total time in which the drive pushed with its largest effort and the joint did not move, and the
    /// first such step (`null` without any).
    pub stalled_s: f64,
    pub stalled_step: Option<u32>,
}

impl JointFigures {
    /// Returns the figures of all joints, those with the greatest force first.
    pub fn of_all(scene: &Scene, joints: &[JointUse]) -> Vec<Self> {
        let labels = joint_labels(scene);
        let figures = |used: &JointUse| Self::of(scene, &labels, used);
        let mut all: Vec<Self> = joints.iter().map(figures).collect();
        all.sort_by(|x, y| y.force_n.total_cmp(&x.force_n).then(y.torque_nm.total_cmp(&x.torque_nm)));
        all
    }

    fn of(scene: &Scene, labels: &[String], used: &JointUse) -> Self {
        let (joint, dt) = (&scene.joints[used.joint as usize], scene.config.dt);
        Self {
            joint: joint.name.clone(),
            a: body_name(scene, joint.a),
            b: body_name(scene, joint.b),
            label: labels[used.joint as usize].clone(),
            force_n: used.force.value,
            force_step: used.force.step,
            torque_nm: used.torque.value,
            torque_step: used.torque.step,
            deviation_rad: used.deviation.map(|peak| peak.value),
            deviation_step: used.deviation.map(|peak| peak.step),
            axes: used.axes.iter().map(|axis| AxisFigures::of(axis, dt)).collect(),
        }
    }

    /// Columns of [`Self::rows`].
    pub const HEADER: [&str; 7] =
        ["joint", "from … to", "force, N", "torque, N·m", "off target", "at limit, s", "stalled, s"];

    /// Returns rows for at most `most` joints, for readers, and a row with the number of further
    /// joints.
    pub fn rows(joints: &[Self], most: usize) -> Vec<[String; 7]> {
        shown(joints.iter().map(Self::row).collect(), "joints more", most)
    }

    /// Returns the row of a joint: the range of its coordinate if it has one axis, and the worst values
    /// over all axes.
    fn row(&self) -> [String; 7] {
        let range = match &self.axes[..] {
            [] => "fixed".to_owned(),
            [axis] => format!("{} … {}", axis.text(axis.least), axis.text(axis.greatest)),
            axes => format!("{} axes", axes.len()),
        };
        let off_axes = self.axes.iter().filter_map(|axis| Some((axis, axis.deviation?)));
        let off = match self.deviation_rad {
            Some(angle) => degrees(angle),
            None => off_axes
                .max_by(|x, y| x.1.total_cmp(&y.1))
                .map_or("–".to_owned(), |(axis, off)| axis.text(off)),
        };
        let longest = |time: fn(&AxisFigures) -> f64| {
            let longest = self.axes.iter().map(time).fold(0.0, f64::max);
            if longest > 0.0 { format!("{longest:.2}") } else { "–".to_owned() }
        };
        [
            self.label.clone(),
            range,
            digits(self.force_n),
            digits(self.torque_nm),
            off,
            longest(|axis| axis.at_limit_s),
            longest(|axis| axis.stalled_s),
        ]
    }
}

impl AxisFigures {
    fn of(used: &AxisUse, dt: f64) -> Self {
        let value = |peak: Option<Peak>| peak.map(|peak| peak.value);
        let step = |peak: Option<Peak>| peak.map(|peak| peak.step);
        let first = |count: u32, first: u32| (count > 0).then_some(first);
        let [least, greatest] = used.range;
        Self {
            axis: used.axis,
            unit: if used.axis < 3 { "m" } else { "rad" },
            least,
            greatest,
            deviation: value(used.deviation),
            deviation_step: step(used.deviation),
            effort: used.effort.value,
            effort_step: used.effort.step,
            at_limit_s: f64::from(used.at_limit.step_count) * dt,
            at_limit_step: first(used.at_limit.step_count, used.at_limit.first_step),
            stalled_s: f64::from(used.stalled.step_count) * dt,
            stalled_step: first(used.stalled.step_count, used.stalled.first_step),
        }
    }

    /// Formats a coordinate of the axis for readers, in mm or degrees.
    fn text(&self, coordinate: f64) -> String {
        if self.axis < 3 { format!("{} mm", hundredths(coordinate * 1e3)) } else { degrees(coordinate) }
    }
}

fn degrees(angle: f64) -> String {
    format!("{}°", hundredths(angle.to_degrees()))
}

/// Formats a number with two decimals. A number that rounds to zero has no sign.
fn hundredths(value: f64) -> String {
    let text = format!("{value:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}
