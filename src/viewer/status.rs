//! State of the window in a form that a script can read: `tumble view --events` prints one line per
//! change.

use std::collections::BTreeMap;

use serde::Serialize;

use super::app::{App, Dialog};
use super::controls::targets_at_start;
use super::show::Look;
use super::stage::Stage;

/// Everything that a user can see or change, except the progress of a run during playback.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Status {
    /// Scene that is shown; `None` until one is loaded.
    pub scene: Option<String>,
    pub loading: Option<String>,
    pub message: Option<String>,
    pub playing: bool,
    /// Step that is shown; `None` during playback.
    pub step: Option<u32>,
    pub speed: f64,
    /// Names of the selected bodies, and the path of the selected branch of the assembly.
    pub selected: Vec<String>,
    /// Targets that differ from those at the start, m or rad, by the names of their controls.
    pub targets: BTreeMap<String, f64>,
    /// Number of hidden bodies.
    pub hidden: usize,
    pub dialog: Option<&'static str>,
    /// Whether a text field receives the keys.
    pub writing: bool,
    pub contacts: bool,
    pub boxes: Option<u32>,
    pub wireframe: bool,
    pub ground: bool,
    pub colliding: bool,
    /// Shown level of the components or of the simplified models; `None` in other looks.
    pub components: Option<u32>,
    pub simplified: Option<u32>,
    pub panels: bool,
    /// Section plane: its normal, and its offset along the normal, m; `None` if nothing is cut.
    pub section: Option<[f64; 4]>,
    /// Distance of the two selected parts in the shown step, m; `None` until it is measured, and during
    /// playback.
    pub measured: Option<f64>,
    /// Distance of the two points of the ruler, m.
    pub ruler: Option<f64>,
    /// Number of findings in the list, and the text of the visited one.
    pub findings: usize,
    pub finding: Option<String>,
    /// Position of the visited finding in the view, once it is known: from −1 to 1, right and up.
    pub place: Option<[f64; 2]>,
    /// Budget of a step: the time in µs if it has one, else the number of node tests.
    pub budget_us: Option<u64>,
    pub budget_tests: Option<u64>,
    /// Positions of the camera and of its target, m.
    pub eye: [f64; 3],
    pub target: [f64; 3],
    /// Size of the window, px.
    pub size: [u32; 2],
}

impl Status {
    /// Returns the current status.
    pub fn of(app: &App, size: [u32; 2]) -> Self {
        let stage = app.stage.as_ref();
        let options = &app.options;
        let budget = app.budget();
        let level_of = |look| app.part_level().filter(|_| options.look == look).map(|(level, _)| level);
        Self {
            scene: stage.map(|s| s.show.scene.name.clone()),
            loading: app.loader.waiting().map(str::to_owned),
            message: app.message.as_ref().map(|m| m.text.clone()),
            playing: app.playhead.playing,
            step: stage.filter(|_| !app.playhead.playing).map(|s| s.frame.step),
            speed: app.playhead.speed,
            selected: selected(app),
            targets: stage.map(targets).unwrap_or_default(),
            hidden: stage.map_or(0, |s| s.show.hidden.count()),
            dialog: match app.dialog {
                Dialog::None => None,
                Dialog::Help => Some("help"),
                Dialog::Picker => Some("picker"),
            },
            writing: app.writing,
            contacts: options.contacts,
            boxes: options.boxes.then_some(options.level),
            wireframe: options.wireframe,
            ground: options.ground,
            colliding: options.look == Look::Colliding,
            components: level_of(Look::Components),
            simplified: level_of(Look::Simplified),
            panels: options.panels,
            section: options.section.map(|plane| plane.normal.extend(plane.offset).to_array()),
            measured: measured(app),
            ruler: stage.and_then(|s| app.ruler.span(&s.frame)).map(|s| s.points[0].distance(s.points[1])),
            findings: app.findings().count(),
            finding: app.visited().map(|finding| finding.text.clone()),
            place: app.place_of_visit().map(|place| place.to_array()),
            budget_us: budget.and_then(|b| b.us),
            budget_tests: budget.filter(|b| b.us.is_none()).and_then(|b| b.tests),
            eye: app.camera.eye().to_array(),
            target: app.camera.target.to_array(),
            size,
        }
    }
}

fn selected(app: &App) -> Vec<String> {
    let Some(stage) = &app.stage else { return Vec::new() };
    let name = |&body: &u32| stage.show.scene.bodies[body as usize].name.clone();
    let path = |node: u32| stage.assembly.node(node).path.clone();
    let parts = app.selection.parts().iter().map(name);
    parts.chain(app.selection.branch().map(path)).collect()
}

fn measured(app: &App) -> Option<f64> {
    let step = app.stage.as_ref().filter(|_| !app.playhead.playing)?.frame.step;
    app.measure.filter(|measure| measure.step == step).map(|measure| measure.gap.length())
}

fn targets(stage: &Stage) -> BTreeMap<String, f64> {
    let controls = stage.show.scene.controls.iter().zip(&stage.targets);
    let at_start = targets_at_start(&stage.show.scene);
    let set = controls.zip(at_start).filter(|((_, target), start)| **target != *start);
    set.map(|((control, target), _)| (control.name.clone(), *target)).collect()
}
