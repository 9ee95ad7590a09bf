//! Controls: drive targets that a user or a clip sets while a world steps.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use super::joint::{AxisRange, Joint};

/// Tolerance, in turns, for a clip that ends whole turns from its start: values in tables are rounded.
const WHOLE: f64 = 1e-3;

/// Suffixes of a control's name if its joint has several.
const AXES: [&str; 6] = ["x", "y", "z", "about x", "about y", "about z"];

/// Target of a joint's drive along or about one axis, and the source that sets it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Control {
    pub name: String,
    /// Index into the scene's joints.
    pub joint: u32,
    /// Axis of the joint's frame a: 0–2 along, 3–5 about it.
    pub axis: u32,
    /// Range of the target, m or rad; either end may be infinite.
    pub range: [f64; 2],
    /// Largest speed of the target, m/s or rad/s; infinite if unspecified.
    pub speed: f64,
    pub set_by: SetBy,
}

/// Source that sets a drive's target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum SetBy {
    /// The user of the world. Until the user sets it, the target is the drive's own.
    #[default]
    Hand,
    /// A clip of the scene, by index.
    Clip(u32),
    /// Another control: the target is `multiplier` · the other's target + `offset`. The other control
    /// must not follow a third one.
    Other { control: u32, multiplier: f64, offset: f64 },
}

/// Joint whose coordinate is kept at `ratio` · the coordinate of another joint + `offset`, whichever of
/// the two is moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gear {
    /// Index of the joint, and its axis: 0–2 along, 3–5 about an axis of its frame a.
    pub follower: (u32, u32),
    pub leader: (u32, u32),
    pub ratio: f64,
    /// Offset, m or rad.
    pub offset: f64,
}

impl Gear {
    /// Returns the gears of all controls that follow others.
    #[inline]
    pub fn of_controls(controls: &[Control], joints: &[Joint]) -> impl Iterator<Item = Self> {
        let moves = |own: &&Control| joints[own.joint as usize].axis(own.axis).range != AxisRange::Locked;
        controls.iter().filter(moves).filter_map(|own| match own.set_by {
            SetBy::Other { control, multiplier, offset } => {
                let leader = &controls[control as usize];
                let (follower, leader) = ((own.joint, own.axis), (leader.joint, leader.axis));
                Some(Self { follower, leader, ratio: multiplier, offset })
            }
            SetBy::Hand | SetBy::Clip(_) => None,
        })
    }
}

/// Coordinate of a joint as a function of time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CoordinateClip {
    /// Keys: times (s), which start at 0 and ascend strictly, and values (m or rad).
    pub keys: Vec<[f64; 2]>,
    /// Whether the clip restarts after the last key; otherwise it stays there.
    pub looped: bool,
}

impl Control {
    /// Returns controls for all axes of a joint that have a drive with stiffness, set by hand.
    pub fn of_joint(index: u32, joint: &Joint) -> impl Iterator<Item = Self> {
        let driven = |axis: &u32| joint.axis(*axis).drive.is_some_and(|d| d.stiffness > 0.0);
        let count = (0..6).filter(driven).count();
        let name = move |axis: u32| match count {
            1 => joint.name.clone(),
            _ => format!("{} {}", joint.name, AXES[axis as usize]),
        };
        (0..6).filter(driven).map(move |axis| Self {
            name: name(axis),
            joint: index,
            axis,
            range: match joint.axis(axis).range {
                AxisRange::Free => [f64::NEG_INFINITY, f64::INFINITY],
                AxisRange::Locked => [0.0; 2],
                AxisRange::Limited { min, max } => [min, max],
            },
            speed: f64::INFINITY,
            set_by: SetBy::Hand,
        })
    }

    /// Returns whether the coordinate is an angle.
    #[inline]
    pub fn turns(&self) -> bool {
        self.axis >= 3
    }

    /// Returns a fault that prevents stepping, if any, given the numbers of joints and clips and the
    /// other controls.
    pub fn fault(&self, joint_count: usize, clip_count: usize, others: &[Self]) -> Option<&'static str> {
        if self.joint as usize >= joint_count || self.axis >= 6 {
            return Some("its joint is missing");
        }
        let [min, max] = self.range;
        // Comparisons with NaN are false.
        if !(min <= max && min < f64::INFINITY && max > f64::NEG_INFINITY && self.speed > 0.0) {
            return Some("its range is empty or its speed is not positive");
        }
        match self.set_by {
            SetBy::Hand => None,
            SetBy::Clip(clip) => (clip as usize >= clip_count).then_some("its clip is missing"),
            SetBy::Other { control, multiplier, offset } => match others.get(control as usize) {
                Some(leader) if !matches!(leader.set_by, SetBy::Other { .. }) => {
                    let is_number = multiplier.is_finite() && offset.is_finite();
                    (!is_number).then_some("its multiplier or offset is not finite")
                }
                _ => Some("it follows a control that is missing or follows another itself"),
            },
        }
    }
}

impl CoordinateClip {
    /// Returns the value at a time (s), with linear interpolation between keys.
    pub fn at(&self, time: f64) -> f64 {
        let (Some(&[_, first]), Some(&[end, last])) = (self.keys.first(), self.keys.last()) else {
            return 0.0;
        };
        let time = if self.looped && end > 0.0 { time - (time / end).floor() * end } else { time };
        match self.keys.partition_point(|key| key[0] <= time) {
            0 => first,
            after if after == self.keys.len() => last,
            after => {
                let ([from, a], [to, b]) = (self.keys[after - 1], self.keys[after]);
                a + (b - a) * ((time - from) / (to - from))
            }
        }
    }

    /// Returns the angle (rad) that the completed rounds of a looped clip before a time (s) add, for a
    /// joint without limits. If the clip ends whole turns from its start, the joint keeps rotating
    /// forward instead of rotating back.
    #[inline]
    pub fn turned_on(&self, time: f64) -> f64 {
        let (Some(&[_, first]), Some(&[end, last])) = (self.keys.first(), self.keys.last()) else {
            return 0.0;
        };
        let round = TAU * ((last - first) / TAU).round();
        let is_whole = (last - first - round).abs() < WHOLE * TAU;
        if self.looped && end > 0.0 && is_whole { round * (time / end).floor() } else { 0.0 }
    }

    /// Returns a fault that prevents playing, if any.
    #[inline]
    pub fn fault(&self) -> Option<&'static str> {
        let is_number = self.keys.iter().flatten().all(|x| x.is_finite());
        let is_ordered = self.keys.first().is_some_and(|key| key[0] == 0.0)
            && self.keys.windows(2).all(|pair| pair[0][0] < pair[1][0]);
        (!(is_number && is_ordered)).then_some("its times do not go on from 0, or a number is none")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clip_that_starts_over_whole_turns_on_goes_on_turning() {
        let mut clip = CoordinateClip { keys: vec![[0.0, 1.0], [2.0, 1.0 - 12.566]], looped: true };
        assert_eq!([0.0, 1.9, 2.0, 5.0].map(|t| clip.turned_on(t)), [0.0, -0.0, -2.0 * TAU, -4.0 * TAU]);
        clip.keys[1][1] = 4.0;
        assert_eq!(clip.turned_on(5.0), 0.0, "half a turn");
        assert_eq!(CoordinateClip::default().turned_on(1.0), 0.0);
    }

    #[test]
    fn a_clip_is_straight_between_its_keys_and_stays_at_its_end_or_starts_over() {
        let mut clip = CoordinateClip { keys: vec![[0.0, 1.0], [1.0, 3.0], [1.5, 0.0]], looped: false };
        assert_eq!(clip.fault(), None);
        assert_eq!([-1.0, 0.0, 0.25, 1.0, 1.25, 9.0].map(|t| clip.at(t)), [1.0, 1.0, 1.5, 3.0, 1.5, 0.0]);
        clip.looped = true;
        assert_eq!([1.75, 2.5, -0.25].map(|t| clip.at(t)), [1.5, 3.0, 1.5]);
        assert_eq!(CoordinateClip::default().at(1.0), 0.0);
        for keys in [vec![], vec![[0.5, 0.0]], vec![[0.0, 0.0], [0.0, 1.0]], vec![[0.0, f64::NAN]]] {
            assert!(CoordinateClip { keys, looped: false }.fault().is_some());
        }
    }
}
