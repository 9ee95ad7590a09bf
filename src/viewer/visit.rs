//! Visits to findings. A visit selects the parts of a finding, hides all others, shows the step at
//! which the finding is worst, and centers its location in the view.

use glam::{DVec2, DVec3};

use super::app::App;
use super::assembly::Hidden;
use super::camera::Camera;
use super::selection::Selection;
use crate::query::Plane;
use crate::report::findings::Finding;

/// Least side of the region that the camera frames: `GAPS` distances between the finding's two points,
/// and twice `DIAGONALS` diagonals of the smaller part's box.
const GAPS: f64 = 10.0;
const DIAGONALS: f64 = 0.4;

/// A visit to a finding.
pub struct Visit {
    /// Kind and parts of the finding, which identify it.
    key: (&'static str, Vec<u32>),
    /// Index among all findings.
    index: usize,
    /// Camera flight that is still to be made.
    flight: Option<Flight>,
    /// The finding's two points in the world, m, once they are known.
    place: Option<[DVec3; 2]>,
    before: Before,
}

/// Camera flight to a finding, made once its step is shown.
#[derive(Clone, Debug)]
struct Flight {
    step: u32,
    points: Option<[DVec3; 2]>,
    /// Whether the parts have already been framed, because the finding's points are still being
    /// computed.
    is_near: bool,
}

/// View before the first of several visits.
#[derive(Clone)]
struct Before {
    camera: Camera,
    hidden: Hidden,
    step: u32,
    selection: Selection,
    section: Option<Plane>,
}

impl App {
    /// Returns all findings in the order of their list.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.stage.iter().flat_map(|s| s.findings()).flat_map(|group| &group.findings)
    }

    /// Returns whether a finding is the visited one.
    pub fn is_visited(&self, finding: &Finding) -> bool {
        self.visit.as_ref().is_some_and(|v| v.key.0 == finding.kind && v.key.1 == finding.parts)
    }

    /// Returns the visited finding, if it is still in the list.
    pub fn visited(&self) -> Option<&Finding> {
        self.findings().find(|f| self.is_visited(f))
    }

    /// Visits the next finding of the list (`by` = 1), or the previous one (−1), cyclically.
    pub(super) fn visit_next(&mut self, by: isize) {
        let count = self.findings().count() as isize;
        if count == 0 {
            let text = match self.stage.as_ref().is_some_and(|stage| stage.is_recording()) {
                true => "nothing was found: a recording keeps no findings of its run; a step can be checked",
                false => "nothing was found",
            };
            return self.say(text, false);
        }
        let known = self.findings().position(|f| self.is_visited(f));
        let at = known
            .or(self.visit.as_ref().map(|v| v.index))
            .map_or(if by > 0 { -1 } else { 0 }, |at| at as isize);
        self.visit_at((at + by).rem_euclid(count) as usize);
    }

    /// Visits a finding by its index in the list.
    pub fn visit_at(&mut self, index: usize) {
        self.keep_word();
        let Some(finding) = self.findings().nth(index).cloned() else { return };
        let Some(stage) = &mut self.stage else { return };
        let before = match self.visit.take() {
            Some(visit) => visit.before,
            None => Before {
                camera: self.camera,
                hidden: stage.show.hidden.clone(),
                step: stage.frame.step,
                selection: self.selection.clone(),
                section: self.options.section,
            },
        };
        let (first, last) = stage.source.range();
        let wanted = finding.step.unwrap_or(stage.frame.step);
        let step = wanted.clamp(first, last);
        if finding.step.is_some() {
            self.playhead.stop_at(step);
        }
        if !finding.parts.is_empty() {
            stage.show.hidden.only(&finding.parts);
            self.selection = Selection::of(finding.parts.iter().copied());
        }
        let points = finding.points.filter(|_| step == wanted);
        let flight = (!finding.parts.is_empty()).then_some(Flight { step, points, is_near: false });
        self.visit = Some(Visit { key: (finding.kind, finding.parts), index, flight, place: None, before });
        match step == wanted {
            true => self.say(finding.text, false),
            false => self.say(format!("step {wanted} is no longer kept; this is step {step}"), false),
        }
    }

    /// Ends the visit and restores the view before the first one. Returns whether there was a visit.
    pub(super) fn end_visit(&mut self) -> bool {
        self.keep_word();
        let Some(Visit { before, .. }) = self.visit.take() else { return false };
        let Before { camera, hidden, step, selection, section } = before;
        (self.camera, self.selection, self.options.section) = (camera, selection, section);
        self.playhead.stop_at(step);
        if let Some(stage) = &mut self.stage {
            stage.show.hidden = hidden;
        }
        true
    }

    /// Moves the camera to the visited finding once its step is shown. The camera frames the finding's
    /// own points. Without any, it frames the parts first, and then the points of the measured distance
    /// between the two parts, which takes a while.
    pub(super) fn fly(&mut self) {
        let Some(stage) = &self.stage else { return };
        let step = stage.frame.step;
        let Some(flight) = self.visit.as_ref().and_then(|v| v.flight.clone()) else { return };
        if flight.step != step {
            return;
        }
        let parts = self.selection.parts().to_vec();
        let measured = || self.measure.filter(|m| m.step == step).map(|m| m.points);
        let points = flight.points.or_else(measured);
        let is_near = flight.is_near;
        if let Some(points) = points {
            self.frame_place(points, &parts);
        } else if !is_near {
            self.frame_selected();
        }
        // A single part, and a pair that cannot be measured, are shown at the center of their boxes.
        let is_alone = self.selection.pair().is_none_or(|pair| self.unmeasurable(pair).is_some());
        let middle = || {
            let [min, max] =
                self.stage.as_ref()?.show.around(parts.iter().copied(), &self.stage.as_ref()?.frame)?;
            Some([0.5 * (min + max); 2])
        };
        let points = points.or_else(|| if is_alone { middle() } else { None });
        let is_there = points.is_some() || is_alone;
        if let Some(visit) = &mut self.visit {
            visit.place = points;
            visit.flight = (!is_there).then_some(Flight { is_near: true, ..flight });
        }
    }

    /// Frames two points in the middle of the view, with some of their surroundings.
    fn frame_place(&mut self, [a, b]: [DVec3; 2], parts: &[u32]) {
        let Some(stage) = &self.stage else { return };
        let diagonal = |&part: &u32| {
            let [min, max] = stage.show.body_box(part, &stage.frame)?;
            Some((max - min).length())
        };
        let smaller = parts.iter().filter_map(diagonal).fold(f64::INFINITY, f64::min);
        let size = if smaller.is_finite() { DIAGONALS * smaller } else { 0.0 };
        let half = (0.5 * GAPS * a.distance(b)).max(size).max(1e-6);
        let middle = 0.5 * (a + b);
        let corner = |bits: u32| {
            let side = |bit: u32| if bits >> bit & 1 == 0 { -half } else { half };
            middle + DVec3::new(side(0), side(1), side(2))
        };
        let aspect = self.aspect();
        self.camera.frame((0..8).map(corner), aspect);
        // The framed center may differ from the center of the view, so the target is set to the middle
        // of the points.
        self.camera.target = middle;
    }

    /// Returns the position of the visited finding in the view (−1 to 1, right and up), once it is
    /// known.
    pub fn place_of_visit(&self) -> Option<DVec2> {
        let [a, b] = self.visit.as_ref()?.place?;
        self.camera.project(0.5 * (a + b), self.aspect())
    }
}
