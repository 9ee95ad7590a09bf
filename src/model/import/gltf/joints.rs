//! Joint limits and drives of the physics extensions, reduced to one entry per axis.
//!
//! A limit names axes and a range. For one axis, it limits that axis. For several axes with an empty
//! range, it locks each. For two angular axes, it is a cone about the third axis; for several linear
//! axes, a range of the distance. A limit of three angular axes is applied to each axis separately,
//! with a note.

use serde_json::Value;

use super::object::Object;
use super::reader::Reader;
use crate::arrays::MapEach;
use crate::body::{AxisRange, Distance, Drive, DriveKind, JointAxis, SoftLimit};
use crate::import::fault::{Checked, fault};
use crate::import::model::{JointSettings, NoteKind};

impl Reader<'_> {
    pub(super) fn read_joint_settings(&mut self, mut own: Object) -> Checked<JointSettings> {
        let mut settings = JointSettings::default();
        for (at, value) in own.list("limits")?.iter().enumerate() {
            let place = format!("{}, limit {at}", own.place);
            self.read_limit(Object::new(place, value)?, &mut settings)?;
        }
        for (at, value) in own.list("drives")?.iter().enumerate() {
            let place = format!("{}, drive {at}", own.place);
            self.read_drive(Object::new(place, value)?, &mut settings)?;
        }
        self.note_left_over(&own);
        Ok(settings)
    }

    /// Adds one limit of a joint to its settings.
    fn read_limit(&mut self, mut own: Object, settings: &mut JointSettings) -> Checked<()> {
        let linear = axes(&mut own, "linearAxes")?;
        let angular = axes(&mut own, "angularAxes")?;
        // OMI names these keys lowerLimit and upperLimit.
        let min = match own.number("min")? {
            Some(min) => Some(min),
            None => own.number("lowerLimit")?,
        };
        let max = match own.number("max")? {
            Some(max) => Some(max),
            None => own.number("upperLimit")?,
        };
        let (min, max) = (min.unwrap_or(f64::NEG_INFINITY), max.unwrap_or(f64::INFINITY));
        if min > max {
            return fault(&own.place, format!("min {min} is above max {max}"));
        }
        let damping = own.at_least("damping", 0.0, 0.0)?;
        // Without a stiffness the limit is hard.
        let soft = match own.get("stiffness") {
            Some(_) => Some(SoftLimit { stiffness: own.at_least("stiffness", 0.0, 0.0)?, damping }),
            None => None,
        };
        self.note_left_over(&own);
        if linear.is_empty() && angular.is_empty() {
            self.note(NoteKind::Ignored, &own.place, "a limit that names no axis limits nothing");
        }
        let locked = min == 0.0 && max == 0.0;
        let range = if locked { AxisRange::Locked } else { AxisRange::Limited { min, max } };
        if angular.len() == 2 && !locked && max.is_finite() {
            if max < 0.0 {
                return fault(&own.place, format!("a cone cannot have the angle {max}"));
            }
            if min > 0.0 {
                let text = format!("a cone has no inner angle: min {min} is left out");
                self.note(NoteKind::Ignored, &own.place, text);
            }
            settings.cone = Some(max);
            if soft.is_some() {
                self.note(NoteKind::Ignored, &own.place, "the cone's softness is left out: it is hard");
            }
        } else {
            for &axis in &angular {
                self.apply(&own.place, &mut settings.angular[axis], range, soft);
            }
        }
        if linear.len() > 1 && !locked {
            return self.read_distance(&own.place, &linear, (min, max, soft), settings);
        }
        for &axis in &linear {
            self.apply(&own.place, &mut settings.linear[axis], range, soft);
        }
        if angular.len() > 2 && !locked {
            let text = "a limit on the angle over three axes is taken as a range of each";
            self.note(NoteKind::Assumed, &own.place, text);
        }
        Ok(())
    }

    /// Adds a limit of several linear axes: a range of the distance between the frames.
    fn read_distance(
        &mut self,
        place: &str,
        linear: &[usize],
        (min, max, soft): (f64, f64, Option<SoftLimit>),
        settings: &mut JointSettings,
    ) -> Checked<()> {
        if max < 0.0 {
            return fault(place, format!("a distance cannot be {max} m at most"));
        }
        if min < 0.0 && min.is_finite() {
            let text = format!("a distance is never below 0: min {min} says nothing");
            self.note(NoteKind::Ignored, place, text);
        }
        let axes = [0, 1, 2].map_each(|axis| linear.contains(&axis));
        let distance = Distance { axes, min: min.max(0.0), max, soft };
        if settings.distance.is_some_and(|earlier| earlier != distance) {
            self.note(NoteKind::Ignored, place, "replaces an earlier limit of the distance");
        }
        settings.distance = Some(distance);
        Ok(())
    }

    fn apply(&mut self, place: &str, axis: &mut JointAxis, range: AxisRange, soft: Option<SoftLimit>) {
        if axis.range != AxisRange::Free && axis.range != range {
            self.note(NoteKind::Ignored, place, "replaces an earlier limit of the same axis");
        }
        axis.range = range;
        axis.soft = soft;
    }

    fn read_drive(&mut self, mut own: Object, settings: &mut JointSettings) -> Checked<()> {
        let Some(axis) = own.get("axis").and_then(Value::as_u64).filter(|&a| a < 3) else {
            return fault(&own.place, "needs an axis 0, 1 or 2");
        };
        let axes = match own.get("type").and_then(Value::as_str) {
            Some("linear") => &mut settings.linear,
            Some("angular") => &mut settings.angular,
            _ => return fault(&own.place, "its type must be linear or angular"),
        };
        let kind = match own.get("mode").and_then(Value::as_str) {
            Some("force") => DriveKind::Force,
            Some("acceleration") => DriveKind::Acceleration,
            _ => return fault(&own.place, "its mode must be force or acceleration"),
        };
        axes[axis as usize].drive = Some(Drive {
            kind,
            position_target: own.number_or("positionTarget", 0.0)?,
            target_speed: 0.0,
            velocity_target: own.number_or("velocityTarget", 0.0)?,
            stiffness: own.at_least("stiffness", 0.0, 0.0)?,
            damping: own.at_least("damping", 0.0, 0.0)?,
            max_force: own.at_least("maxForce", 0.0, f64::INFINITY)?,
        });
        self.note_left_over(&own);
        Ok(())
    }
}

fn axes(own: &mut Object, key: &'static str) -> Checked<Vec<usize>> {
    let mut axes = Vec::new();
    for value in own.list(key)? {
        match value.as_u64().filter(|&a| a < 3) {
            Some(axis) => axes.push(axis as usize),
            None => return fault(&own.place, format!("{key} names the axis {value}")),
        }
    }
    Ok(axes)
}
