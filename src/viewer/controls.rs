//! The drives that a user sets in the window: their targets, and the coordinates of their joints.

use std::f64::consts::TAU;

use super::app::App;
use super::source::Source;
use super::stage::Stage;
use crate::body::{Control, WORLD};
use crate::pose::Pose;
use crate::scene::Scene;

impl App {
    /// Sets the target of a drive and continues from the last step. Does nothing for a recording.
    pub fn set_control(&mut self, control: u32, target: f64) {
        let Some(stage) = &mut self.stage else { return };
        let Source::Live(simulation) = &stage.source else { return };
        simulation.set_control(control, target);
        stage.targets[control as usize] = target;
        let (shown, (_, last)) = (self.playhead.step(), stage.source.range());
        let is_leap = !self.playhead.playing && shown < last;
        self.playhead.take_control(last);
        if is_leap {
            let text =
                format!("a joint moves from step {last} on, the last that was simulated; all steps are kept");
            self.say(text, false);
        }
    }
}

impl Stage {
    /// Returns the coordinate of a control's joint in the frame, m or rad. Whole turns are included.
    pub fn coordinate(&self, control: &Control) -> f64 {
        let joint = &self.show.scene.joints[control.joint as usize];
        let pose = |body: u32| match body {
            WORLD => Pose::IDENTITY,
            body => self.frame.poses[body as usize],
        };
        let turns = self.frame.turns[control.joint as usize];
        let near = control.axis.checked_sub(3).map_or(0.0, |axis| TAU * f64::from(turns[axis as usize]));
        joint.coordinate(control.axis, [pose(joint.a), pose(joint.b)], near)
    }
}

/// Returns the targets of a scene's controls before the user sets them, m or rad.
pub fn targets_at_start(scene: &Scene) -> Vec<f64> {
    let drive = |c: &Control| scene.joints[c.joint as usize].axis(c.axis).drive;
    scene.controls.iter().map(|c| drive(c).map_or(0.0, |d| d.position_target)).collect()
}
