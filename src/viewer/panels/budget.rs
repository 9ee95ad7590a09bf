//! The budget for the contact search: a switch, the effect on the shown step, and a short form in the
//! line below the timeline.

use super::super::actions::Action;
use super::super::app::App;
use super::super::budget::{Figures, certainty, starved};
use super::super::stage::Stage;
use super::hint;
use super::inspector::{WINDOW, grid, grouped, row};
use super::style::UNPROVEN;

/// Largest number of unproven pairs in the list.
const MOST_PAIRS: usize = 10;

/// Shows the switch of the budget, and the limit per step.
pub fn setting(ui: &mut egui::Ui, app: &mut App) {
    let mut is_on = app.budget().is_some();
    ui.add_enabled_ui(app.can_be_limited(), |ui| {
        ui.horizontal(|ui| {
            let switch = ui
                .checkbox(&mut is_on, "At most")
                .on_hover_text(hint(Action::ToggleBudget))
                .on_disabled_hover_text("a recording keeps the budget it was made with");
            if switch.changed() {
                app.act(Action::ToggleBudget);
            }
            let limit = &mut app.usual_budget;
            let (number, unit, speed) = match &mut limit.us {
                Some(us) => (us, "µs per step", 20.0),
                None => (limit.tests.get_or_insert_default(), "node tests per step", 500.0),
            };
            let field = ui.add(egui::DragValue::new(number).speed(speed).update_while_editing(false));
            let field = field.labelled_by(ui.label(unit).id);
            if field.changed() && limit.us.is_some() {
                // The number of tests must be converted again from the new time.
                limit.tests = None;
            }
            let is_done = field.drag_stopped() || field.changed() && !field.dragged();
            if is_on && is_done && app.budget() != Some(app.usual_budget) {
                app.set_budget(Some(app.usual_budget));
            }
        });
    });
}

/// Shows the figures of the shown step under its budget, if it has one. Returns the clicked part.
pub fn figures(ui: &mut egui::Ui, stage: &Stage) -> Option<u32> {
    let f = Figures::of(stage, WINDOW)?;
    let counts = &stage.frame.counts;
    grid(ui, "budget", |ui| {
        if let Some(us) = f.budget.us {
            row(ui, "test and query", format!("{:.2} of {:.2} ms", f.detection, us as f64 / 1e3));
        }
        if let Some(late) = f.late {
            row(ui, "late", format!("{late} of the last {} steps", f.steps));
        }
        let tests = f.budget.tests.map_or_else(|| "no end".to_owned(), grouped);
        row(ui, "node tests", format!("{} of {tests}", grouped(f.used)));
        row(ui, "pairs searched", grouped(counts.searched));
        row(ui, "ended early", grouped(counts.interrupted));
        row(ui, "held", grouped(counts.held));
        row(ui, "contacts of regions", grouped(counts.cell_contacts));
        row(ui, "false collisions", f.rate(f.false_collisions));
        row(ui, "missed collisions", f.rate(f.missed_collisions));
        if let Some(error) = f.calibration_error {
            row(ui, "calibration error", format!("{error:.3}"));
        }
    })
    .on_hover_text(format!(
        "{} unproven pairs of the last {} steps were asked exactly, off the clock; the calibration error is \
         that of all since the start",
        grouped(f.sampled),
        f.steps
    ));
    let pairs = f.starved?;
    ui.add_space(4.0);
    ui.weak(match pairs {
        0 => "every pair is proven".to_owned(),
        1 => "1 pair is unproven".to_owned(),
        n => format!("{n} pairs are unproven"),
    });
    let mut chosen = None;
    let name = |body: u32| stage.show.scene.bodies[body as usize].name.as_str();
    for guess in starved(stage).take(MOST_PAIRS) {
        let text = format!("{} – {}: {}", name(guess.a), name(guess.b), certainty(Some(guess.probability)));
        let text = egui::RichText::new(text).color(UNPROVEN);
        if ui.selectable_label(false, text).on_hover_text("select the second").clicked() {
            chosen = Some(guess.b);
        }
    }
    if pairs > MOST_PAIRS {
        ui.weak(format!("and {} more", pairs - MOST_PAIRS));
    }
    chosen
}

/// Shows the budget in one line, if there is one.
pub fn line(ui: &mut egui::Ui, stage: &Stage) {
    let Some(f) = Figures::of(stage, WINDOW) else { return };
    ui.horizontal(|ui| {
        let of_time = f.budget.us.map_or_else(String::new, |us| format!("{us} µs, "));
        let tests = f.budget.tests.map_or_else(|| "no end of".to_owned(), grouped);
        ui.weak(format!("budget {of_time}{tests} node tests"));
        ui.label(format!("used {:.0} %", 100.0 * f.share()));
        if let Some(pairs) = f.starved {
            let text = format!("{pairs} starved");
            let color = if pairs > 0 { UNPROVEN } else { ui.visuals().text_color() };
            ui.colored_label(color, text).on_hover_text("pairs that the step left unproven");
        }
        let (wrong, missed) = (f.rate(f.false_collisions), f.rate(f.missed_collisions));
        ui.label(format!("false {wrong}, missed {missed}"))
            .on_hover_text("guesses that a check off the clock found wrong, of the last steps");
        if let Some(error) = f.calibration_error {
            ui.label(format!("calibration error {error:.3}"));
        }
    });
}
