//! What is loaded and shown: a scene, where its steps come from, and the step that is on show.

use std::sync::Arc;

use super::app::{Drawing, Options};
use super::camera::Camera;
use super::gpu::{Ground, View};
use super::overlay;
use super::show::{Look, Show};
use super::source::Source;
use crate::record::{ContactMark, Frame, Guess};
use crate::world::DearPair;

pub struct Stage {
    /// As it was asked for.
    pub name: String,
    pub show: Show,
    pub source: Source,
    pub frame: Frame,
    pub contacts: Option<Vec<ContactMark>>,
    /// What a budget left unproven, and the calibration error up to here; nothing without one and at step 0.
    pub guesses: Option<(Vec<Guess>, f64)>,
    /// The pairs of bodies that the step did most for; nothing of a recording and at step 0.
    pub dearest: Vec<DearPair>,
    /// Height of the ground and whether it takes shadows.
    pub(super) ground: (f64, bool),
    /// The step, the look and the selection that skins were posed for.
    pub(super) posed: Option<(u32, Look, Option<u32>)>,
}

impl Stage {
    pub(super) fn seek(&mut self, step: u32) -> Result<(), String> {
        let scene = Arc::clone(&self.show.scene);
        let before = self.frame.step;
        self.source.seek(&scene, &mut self.frame, step).map_err(|e| super::loader::explain(&e))?;
        if self.frame.step != before || self.contacts.is_none() {
            self.contacts = self.source.contacts(self.frame.step);
            self.guesses = self.source.guesses(self.frame.step);
            self.dearest = self.source.dearest(self.frame.step);
        }
        Ok(())
    }

    /// Simulated time of the frame, s.
    pub fn time(&self) -> f64 {
        f64::from(self.frame.step) * self.show.scene.config.dt
    }

    /// Skins follow the frame; returns whether they moved.
    pub(super) fn pose_skins(&mut self, look: Look, selected: Option<u32>) -> bool {
        let key = (self.frame.step, look, selected);
        let stale = self.show.shows_skins(look) && self.posed != Some(key);
        if stale {
            let time = self.time();
            let scene = Arc::clone(&self.show.scene);
            for skin in &mut self.show.skins {
                skin.pose(&scene, &self.frame, time, selected);
            }
            self.posed = Some(key);
        }
        stale
    }

    pub(super) fn draw(
        &self,
        options: &Options,
        selected: Option<u32>,
        camera: &Camera,
        drawing: &mut Drawing,
        view: &mut View,
    ) {
        let (show, frame) = (&self.show, &self.frame);
        show.instances(frame, (options.look, options.part_level), selected, &mut drawing.instances);
        let Some([min, max]) = show.stage(frame) else { return };
        view.shadow_center = 0.5 * (min + max);
        view.shadow_radius = 0.5 * (max - min).length();
        let focus = show.focus(frame).map_or(max - min, |[min, max]| max - min);
        if options.ground {
            view.ground = Some(Ground {
                height: self.ground.0,
                spacing: spacing(camera.distance),
                reach: 8.0 * camera.distance,
                takes_shadows: self.ground.1,
            });
        }
        if options.contacts
            && let Some(marks) = &self.contacts
        {
            let length = 0.08 * camera.distance.min(focus.length());
            overlay::contacts(marks, selected, length, &mut drawing.segments);
        }
        if options.boxes {
            drawing.box_count = overlay::boxes(show, frame, selected, options.level, &mut drawing.segments);
        }
    }
}

/// Between two ground lines, m: a power of ten, ten to a hundred of them across the view.
fn spacing(distance: f64) -> f64 {
    10f64.powf((distance / 3.0).log10().floor())
}
