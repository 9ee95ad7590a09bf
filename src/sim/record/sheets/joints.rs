//! Table `joints.csv`: coordinate of each joint axis after each step, and loads if the recording stores
//! them.

use std::io;

use super::sheet::{Moment, Names, Rows, Sheet};
use crate::body::WORLD;
use crate::scene::Scene;
use crate::world::{AxisStep, JointAxes, JointStep};

const COLUMNS: [&str; 16] = [
    "step",
    "time_s",
    "joint",
    "a",
    "b",
    "axis",
    "unit",
    "position",
    "target",
    "deviation",
    "effort",
    "at_limit",
    "stalled",
    "force_n",
    "torque_nm",
    "turned_off_rad",
];

/// Table of the joints with at least one selected body. It has one row per axis that can move or has a
/// drive, and one row per joint without such axes.
pub(super) struct Joints {
    rows: Vec<Row>,
}

struct Row {
    joint: usize,
    name: String,
    /// Names of the connected bodies.
    bodies: [String; 2],
    /// Index of the axis in the list of all such axes, and its number in the joint (0–2 translation,
    /// 3–5 rotation); `None` for a joint without such axes.
    axis: Option<(usize, u32)>,
}

impl Joints {
    /// Creates the table; `None` if no joint connects a selected body.
    pub fn new(scene: &Scene, axes: &JointAxes, names: &Names) -> Option<Self> {
        let mut rows = Vec::new();
        for (index, joint) in scene.joints.iter().enumerate() {
            if !names.has_one_of(joint.a, joint.b) {
                continue;
            }
            let bodies = [joint.a, joint.b]
                .map(|body| if body == WORLD { "world".to_owned() } else { names.of(body).to_owned() });
            let row = |axis| Row { joint: index, name: joint.name.clone(), bodies: bodies.clone(), axis };
            let first = axes.list.partition_point(|&(joint, _)| (joint as usize) < index);
            let own = axes.list[first..].iter().take_while(|&&(joint, _)| joint as usize == index);
            let own = (first..).zip(own.map(|&(_, axis)| axis));
            let before = rows.len();
            rows.extend(own.map(|axis| row(Some(axis))));
            if rows.len() == before {
                rows.push(row(None));
            }
        }
        (!rows.is_empty()).then_some(Self { rows })
    }
}

impl Sheet for Joints {
    fn file(&self) -> &'static str {
        "joints.csv"
    }

    fn columns(&self) -> Vec<&'static str> {
        COLUMNS.to_vec()
    }

    fn add(&self, moment: &Moment, rows: &mut Rows) -> io::Result<()> {
        let (joints, axes) = moment.joints.map_or((None, None), |(joints, axes)| (Some(joints), Some(axes)));
        for Row { joint, name, bodies, axis } in &self.rows {
            let load: Option<&JointStep> = joints.map(|joints| &joints[*joint]);
            let of_axis: Option<&AxisStep> = axes.zip(*axis).map(|(axes, (place, _))| &axes[place]);
            let position = axis.map(|(place, _)| moment.coordinates[place]);
            let deviation = of_axis.and_then(|axis| axis.deviation);
            let unit = axis.map(|(_, number)| if number < 3 { "m" } else { "rad" });
            let of = (moment.now.step, moment.time, name, bodies, axis.map(|(_, number)| number), unit);
            let target = position.zip(deviation).map(|(position, deviation)| position - deviation);
            let flag = |is: fn(&AxisStep) -> bool| of_axis.map(|axis| u8::from(is(axis)));
            // Rounded to the precision that a recording stores, so that both print alike.
            let kept = |value: Option<f64>| value.map(|value| value as f32);
            let effort = kept(of_axis.map(|axis| axis.effort));
            let state = (effort, flag(|axis| axis.is_at_limit), flag(|axis| axis.is_stalled));
            let turned_off = kept(load.and_then(|load| load.deviation));
            let load = (kept(load.map(|load| load.force)), kept(load.map(|load| load.torque)), turned_off);
            rows.add(&(of, position, target, kept(deviation), state, load))?;
        }
        Ok(())
    }
}
