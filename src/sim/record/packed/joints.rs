//! Joints and their axes, as items of packed lists.

use super::{Item, number, rounded};
use crate::world::{AxisStep, JointAxes, JointStep};

const HAS_DEVIATION: u8 = 1;
const IS_AT_LIMIT: u8 = 2;
const IS_STALLED: u8 = 4;

/// Joints of a step, with force, torque and deviation, and their axes, with effort and deviation.
/// Joints and axes are omitted if all values are zero and no flag is set.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::record) struct JointItems {
    pub joints: Vec<Item<3>>,
    pub axes: Vec<Item<2>>,
}

/// Converts joints and their axes to items of the two lists.
pub(in crate::record) fn joint_items(
    joints: &[JointStep],
    (list, axes): (&JointAxes, &[AxisStep]),
    items: &mut JointItems,
) {
    let flag = |is: bool, flag: u8| if is { flag } else { 0 };
    items.joints.clear();
    items.joints.extend((0..).zip(joints).map(|(index, joint)| {
        let values = [joint.force, joint.torque, joint.deviation.unwrap_or(0.0)];
        let flags = flag(joint.deviation.is_some(), HAS_DEVIATION);
        Item { key: [index, 0, 0], flags, words: values.map(|value| rounded(value, 24)) }
    }));
    items.joints.retain(|item| item.flags != 0 || item.words != [0; 3]);
    items.axes.clear();
    items.axes.extend(list.list.iter().zip(axes).map(|(&(joint, number), axis)| {
        let values = [axis.effort, axis.deviation.unwrap_or(0.0)];
        let flags = flag(axis.deviation.is_some(), HAS_DEVIATION)
            | flag(axis.is_at_limit, IS_AT_LIMIT)
            | flag(axis.is_stalled, IS_STALLED);
        Item { key: [joint, number, 0], flags, words: values.map(|value| rounded(value, 24)) }
    }));
    items.axes.retain(|item| item.flags != 0 || item.words != [0; 2]);
}

/// Converts items to the complete lists of joints and axes. Omitted joints and axes get zero values.
/// The coordinates of the axes are taken from `coordinates`.
///
/// # Errors
/// Fails if an item refers to a joint or axis that does not exist, or a number is not finite.
pub(in crate::record) fn joints_of(
    items: &JointItems,
    joint_count: usize,
    list: &JointAxes,
    coordinates: impl Iterator<Item = f64>,
) -> Result<(Vec<JointStep>, Vec<AxisStep>), String> {
    let mut joints = vec![JointStep::default(); joint_count];
    for item in &items.joints {
        let joint = joints.get_mut(item.key[0] as usize).ok_or("a joint is missing")?;
        let deviation = number(item.words[2])?;
        *joint = JointStep {
            force: number(item.words[0])?,
            torque: number(item.words[1])?,
            deviation: (item.flags & HAS_DEVIATION != 0).then_some(deviation),
        };
    }
    let at = |coordinate| AxisStep { coordinate, ..AxisStep::default() };
    let mut axes: Vec<AxisStep> = coordinates.map(at).collect();
    for item in &items.axes {
        let key = (item.key[0], item.key[1]);
        let place = list.list.binary_search(&key).map_err(|_| "an axis of a joint is missing")?;
        let deviation = number(item.words[1])?;
        axes[place] = AxisStep {
            effort: number(item.words[0])?,
            deviation: (item.flags & HAS_DEVIATION != 0).then_some(deviation),
            is_at_limit: item.flags & IS_AT_LIMIT != 0,
            is_stalled: item.flags & IS_STALLED != 0,
            ..axes[place]
        };
    }
    Ok((joints, axes))
}
