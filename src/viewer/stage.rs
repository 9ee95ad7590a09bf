//! The loaded scene, the source of its steps, and the shown step.

use std::path::Path;
use std::sync::Arc;

use super::app::Options;
use super::assembly::Assembly;
use super::camera::Camera;
use super::checking::Checking;
use super::controls::targets_at_start;
use super::cut::Cut;
use super::drawing::Drawing;
use super::findings::{intersecting, of_stage};
use super::gpu::{Ground, View};
use super::overlay::{self, ForceScale};
use super::show::{Look, Show};
use super::source::Source;
use crate::body::Motion;
use crate::record::{ContactMark, Frame, Guess, Overlap};
use crate::report::findings::{FindingList, Review};
use crate::world::{CostlyPair, Incidents};

/// Largest number of steps that the timeline spans at first. It doubles whenever a run exceeds it.
const SHORT_RUN: u32 = 600;

pub struct Stage {
    /// Name by which the user opened the scene or recording.
    pub name: String,
    pub show: Show,
    pub assembly: Assembly,
    /// Target of each drive control of the scene, m or rad.
    pub targets: Vec<f64>,
    pub source: Source,
    pub frame: Frame,
    pub contacts: Option<Vec<ContactMark>>,
    /// Pairs of bodies that intersect in the shown step and are not excluded from collision. Empty for
    /// recordings.
    pub overlaps: Vec<Overlap>,
    /// Faults of the run so far, including those of steps after the shown one.
    pub incidents: Incidents,
    /// Pairs that the budget left unproven in the shown step, and the calibration error of the
    /// estimates up to it. `None` without a budget and at step 0.
    pub guesses: Option<(Vec<Guess>, f64)>,
    /// Pairs of bodies that took the most work in the shown step. Empty for a recording and at step 0.
    pub costliest: Vec<CostlyPair>,
    /// Findings of the run: faults so far, and warnings of the scene's files.
    pub(super) run_findings: Vec<FindingList>,
    /// Checks of the parts at their poses in a step.
    pub check: Checking,
    /// Verdicts of the user on findings.
    pub review: Review,
    /// Lines and areas in which the section plane cuts the parts.
    pub cut: Cut,
    /// Height of the ground, m, and whether shadows fall on it.
    pub(super) ground: (f64, bool),
    /// Step, look and selection for which the skins were last posed.
    pub(super) posed: Option<(u32, Look, Vec<u32>)>,
}

impl Stage {
    /// Creates the stage of a scene or a recording at its start. Reads the review that is stored beside
    /// the file `name`.
    pub(super) fn new(name: String, show: Show, source: Source) -> Self {
        let frame = Frame::start(&show.scene);
        Self {
            assembly: Assembly::new(&show.scene),
            targets: targets_at_start(&show.scene),
            ground: show.ground(&frame),
            review: Review::beside(Path::new(&name)),
            name,
            show,
            source,
            frame,
            contacts: None,
            overlaps: Vec::new(),
            incidents: Incidents::default(),
            guesses: None,
            costliest: Vec::new(),
            run_findings: Vec::new(),
            check: Checking::default(),
            cut: Cut::default(),
            posed: None,
        }
    }

    /// Shows `step`, or the nearest step that is available. Also fetches the contacts, overlaps and
    /// other data of that step.
    pub(super) fn seek(&mut self, step: u32) -> Result<(), String> {
        let scene = Arc::clone(&self.show.scene);
        let before = self.frame.step;
        self.source.seek(&scene, &mut self.frame, step).map_err(|e| super::loader::explain(&e))?;
        if self.frame.step != before || self.contacts.is_none() {
            let contacts = self.source.contacts(self.frame.step);
            self.contacts = contacts.map_err(|e| super::loader::explain(&e))?;
            self.overlaps = self.source.overlaps(self.frame.step);
            self.incidents = self.source.incidents();
            self.guesses = self.source.guesses(self.frame.step);
            self.costliest = self.source.costliest(self.frame.step);
            self.note_findings();
        }
        Ok(())
    }

    /// Updates the findings of the run.
    pub fn note_findings(&mut self) {
        self.run_findings = of_stage(self);
    }

    /// Returns the findings in groups: first those of the check, then those of the run and of the
    /// files.
    pub fn findings(&self) -> impl Iterator<Item = &FindingList> {
        self.check.groups().iter().chain(&self.run_findings)
    }

    pub fn is_recording(&self) -> bool {
        matches!(self.source, Source::Run(_))
    }

    /// Returns whether no body can move, so that the scene was opened only to be viewed.
    pub fn is_design(&self) -> bool {
        self.show.scene.bodies.iter().all(|body| body.motion == Motion::Static)
    }

    /// Returns the last step of a scene's run; `None` for a recording.
    pub fn end(&self) -> Option<u32> {
        matches!(self.source, Source::Live(_)).then_some(self.show.scene.steps)
    }

    /// Returns the first and the last step of the timeline. It begins at the first stored step. The
    /// last step of a recording is its last stored one. For a live scene it is the end of the scene or
    /// `SHORT_RUN`, whichever is less, and doubles until it covers all steps so far, but stays within
    /// the end of the scene unless the run goes beyond.
    pub fn span(&self) -> (u32, u32) {
        let (first, last) = self.source.range();
        let whole = match self.end() {
            None => last,
            Some(end) => {
                let mut whole = end.clamp(1, SHORT_RUN);
                while whole < last {
                    whole = whole.saturating_mul(2);
                }
                if last <= end { whole.min(end) } else { whole }
            }
        };
        (first, whole.max(first + 1))
    }

    /// Returns the simulated time of the frame, s.
    pub fn time(&self) -> f64 {
        f64::from(self.frame.step) * self.show.scene.config.dt
    }

    /// Poses the skins for the frame if the look shows them and the step, the look or the selection has
    /// changed. Returns whether it did.
    pub(super) fn pose_skins(&mut self, look: Look, selected: &[u32]) -> bool {
        let is_posed = |(step, at, of): &(u32, Look, Vec<u32>)| {
            (*step, *at, &of[..]) == (self.frame.step, look, selected)
        };
        let stale = self.show.shows_skins(look) && !self.posed.as_ref().is_some_and(is_posed);
        if stale {
            let time = self.time();
            let scene = Arc::clone(&self.show.scene);
            let intersecting = intersecting(&scene, &self.overlaps);
            for skin in &mut self.show.skins {
                skin.pose(&scene, &self.frame, time, (selected, &intersecting));
            }
            self.posed = Some((self.frame.step, look, selected.to_vec()));
        }
        stale
    }

    /// Adds the stage to a picture: instances, outlines, contacts, boxes and ground.
    pub(super) fn draw(
        &self,
        options: &Options,
        (selected, outlined): (&[u32], &[u32]),
        camera: &Camera,
        drawing: &mut Drawing,
        view: &mut View,
    ) {
        let (show, frame) = (&self.show, &self.frame);
        let look = (options.look, options.part_level);
        show.instances(frame, look, &intersecting(&show.scene, &self.overlaps), &mut drawing.instances);
        for &body in outlined {
            show.outlined(body, frame, look, &mut drawing.outlined);
        }
        let Some([min, max]) = show.stage(frame) else { return };
        view.shadow_center = 0.5 * (min + max);
        view.shadow_radius = 0.5 * (max - min).length();
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
            let scale = self.force_scale(selected, camera);
            let marks = overlay::concerning(marks, selected, &show.hidden);
            overlay::contacts(marks, selected, scale.as_ref(), &mut drawing.segments);
        }
        if options.boxes {
            drawing.box_count = overlay::boxes(show, frame, selected, options.level, &mut drawing.segments);
        }
    }
}

/// Length of the longest contact force drawn, as a share of the camera's distance from its target, or
/// of the diagonal of the focus if that is less.
const LONGEST_FORCE: f64 = 0.12;

impl Stage {
    /// Returns the scale at which contact forces are drawn: those of the selected bodies, or all if
    /// none is selected.
    pub fn force_scale(&self, selected: &[u32], camera: &Camera) -> Option<ForceScale> {
        let marks = self.contacts.as_ref()?;
        let focus = self.show.focus(&self.frame);
        let [min, max] = self.show.around(focus.into_iter(), &self.frame)?;
        let longest = LONGEST_FORCE * camera.distance.min((max - min).length());
        ForceScale::new(overlay::concerning(marks, selected, &self.show.hidden), longest)
    }
}

/// Returns the distance between two grid lines, m, for a camera at `distance` (m) from its target: a
/// power of ten that gives about ten to a hundred lines across the view.
fn spacing(distance: f64) -> f64 {
    10f64.powf((distance / 3.0).log10().floor())
}
