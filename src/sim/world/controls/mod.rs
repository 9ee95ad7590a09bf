//! Controls: targets of drives, set by a user or a clip and computed for every pass.
//!
//! A drive whose control is not set keeps its own target and velocity.
//!
//! - `led.rs`: kinematic links of robots, which follow the targets of their joints.

mod led;

use crate::body::{Activity, BodyState, Control, CoordinateClip, Drive, Joint, SetBy, WORLD};
use crate::pose::Pose;
use crate::scene::Scene;
use led::LedLinks;

/// Largest angular speed of a target that was set by hand, rad/s. A slider that jumps to its other end
/// must not throw the robot.
const HAND_TURN: f64 = std::f64::consts::PI;
/// Largest linear speed of a target that was set by hand, m/s.
const HAND_SPEED: f64 = 0.5;

/// Controls of a scene, and the targets that were set by hand.
pub struct Controls {
    list: Vec<Control>,
    clips: Vec<CoordinateClip>,
    /// Targets that were set by hand, one per control.
    orders: Vec<Option<Order>>,
    led: LedLinks,
}

/// Target of a control's joint in a pass.
#[derive(Clone, Copy, Debug)]
pub struct Aim<'a> {
    pub control: &'a Control,
    /// Coordinate at the start of the pass, m or rad.
    pub target: f64,
    /// Speed of the target, m/s or rad/s.
    pub velocity: f64,
    /// True if the target moves in the pass.
    pub moves: bool,
}

impl Aim<'_> {
    /// Returns the target `dt` seconds after the start of the pass, m or rad.
    pub fn target_after(&self, dt: f64) -> f64 {
        self.target + dt * self.velocity
    }
}

/// A target that was set by hand, and the path to it.
#[derive(Clone, Copy)]
struct Order {
    /// Target at the time when `goal` was set, m or rad.
    from: f64,
    /// Time when `goal` was set, s.
    since: f64,
    goal: f64,
}

impl Controls {
    pub fn new(scene: &Scene) -> Self {
        let (list, clips) = (scene.controls.clone(), scene.clips.clone());
        Self { orders: vec![None; list.len()], list, clips, led: LedLinks::new(scene) }
    }

    /// Returns the kinematic links of robots with their poses at `time` (s), which follow from the
    /// targets of their joints.
    pub fn led(&mut self, time: f64) -> impl Iterator<Item = (u32, Pose)> {
        let mut led = std::mem::take(&mut self.led);
        led.update(|control| self.target(control, time));
        self.led = led;
        self.led.poses()
    }

    /// Sets the target of a control from `time` (s) on, clamped to the control's range. Does nothing if
    /// a clip or another control sets the control.
    pub(super) fn set(&mut self, control: u32, goal: f64, time: f64, joints: &[Joint]) {
        let own = &self.list[control as usize];
        if own.set_by != SetBy::Hand || goal.is_nan() {
            return;
        }
        let goal = goal.clamp(own.range[0], own.range[1]);
        let from =
            self.target(control as usize, time).or_else(|| Some(drive_of(own, joints)?.position_target));
        self.orders[control as usize] = from.map(|from| Order { from, since: time, goal });
    }

    /// Returns the target of a control's joint at `time` (s), m or rad; `None` if no target was set.
    fn target(&self, control: usize, time: f64) -> Option<f64> {
        let own = &self.list[control];
        let [min, max] = own.range;
        match own.set_by {
            SetBy::Hand => self.orders[control].map(|Order { from, since, goal }| {
                let usual = if own.turns() { HAND_TURN } else { HAND_SPEED };
                let way = own.speed.min(usual) * (time - since).max(0.0);
                from + (goal - from).clamp(-way, way)
            }),
            SetBy::Clip(clip) => {
                let clip = &self.clips[clip as usize];
                let is_endless = own.turns() && min == f64::NEG_INFINITY && max == f64::INFINITY;
                let turned_on = if is_endless { clip.turned_on(time) } else { 0.0 };
                Some((clip.at(time) + turned_on).clamp(min, max))
            }
            SetBy::Other { control, multiplier, offset } => {
                Some((multiplier * self.target(control as usize, time)? + offset).clamp(min, max))
            }
        }
    }

    /// Returns the targets of all set controls for the pass of `dt` seconds that ends at `arrival` (s).
    pub fn aims(&self, arrival: f64, dt: f64) -> impl Iterator<Item = Aim<'_>> {
        self.list.iter().enumerate().filter_map(move |(index, control)| {
            let (from, to) = self.target(index, arrival - dt).zip(self.target(index, arrival))?;
            let velocity = ((to - from) / dt).clamp(-control.speed, control.speed);
            Some(Aim { control, target: from, velocity, moves: from != to })
        })
    }

    /// Gives the drives their targets for the pass of `dt` seconds that ends at `arrival` (s), and
    /// wakes the bodies that they move.
    pub(super) fn aim(&self, arrival: f64, dt: f64, joints: &mut [Joint], states: &mut [BodyState]) {
        for Aim { control, target, velocity, moves } in self.aims(arrival, dt) {
            let joint = &mut joints[control.joint as usize];
            let Some(drive) = &mut joint.axis_mut(control.axis).drive else { continue };
            (drive.position_target, drive.target_speed, drive.velocity_target) = (target, velocity, velocity);
            if moves {
                wake(joint, states);
            }
        }
    }
}

fn drive_of<'a>(control: &Control, joints: &'a [Joint]) -> Option<&'a Drive> {
    joints[control.joint as usize].axis(control.axis).drive.as_ref()
}

fn wake(joint: &Joint, states: &mut [BodyState]) {
    for body in [joint.a, joint.b].into_iter().filter(|&body| body != WORLD) {
        let state = &mut states[body as usize];
        if matches!(state.activity, Activity::Asleep | Activity::Awake { .. }) && state.is_dynamic() {
            state.activity = Activity::Awake { slow_for: 0.0 };
        }
    }
}
