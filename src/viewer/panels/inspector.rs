//! The panel on the right: the costs and counts of the shown step, the selection, the parts, and the
//! notes on the loaded scene.

use std::sync::Arc;

use super::super::app::App;
use super::super::stage::Stage;
use super::plot::stages;
use super::style::STAGES;
use super::{assembly, budget, costliest, findings, joints, measure, selected};
use crate::digits::grouped_by;
use crate::scene::Scene;

/// Initial, least and largest width of the panel, points.
const WIDTH: f32 = 292.0;
const MIN_WIDTH: f32 = 180.0;
const MAX_WIDTH: f32 = 520.0;
/// Number of steps over which the mean and the maximum beside the current value are taken.
pub const WINDOW: u32 = 120;
/// Width of the names in two columns of names and numbers, points. It fits the longest name.
const NAME_WIDTH: f32 = 92.0;

pub fn show(ui: &mut egui::Ui, app: &mut App) {
    // In a small window, the view keeps half of the width.
    let widest = (0.5 * ui.ctx().content_rect().width()).clamp(MIN_WIDTH, MAX_WIDTH);
    let panel = egui::Panel::right("inspector").default_size(WIDTH.min(widest));
    panel.size_range(MIN_WIDTH..=widest).show(ui, |ui| {
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let Some(stage) = &app.stage else {
                ui.add_space(8.0);
                ui.weak("Nothing is open yet.");
                return;
            };
            let scene = &Arc::clone(&stage.show.scene);
            ui.add_space(4.0);
            ui.heading(&scene.name);
            if !scene.description.is_empty() {
                ui.weak(&scene.description);
            }
            let triangles: usize = scene
                .bodies
                .iter()
                .filter_map(|b| b.mesh)
                .map(|m| scene.meshes[m as usize].triangles().len())
                .sum();
            ui.weak(format!(
                "{} bodies, {} triangles, {} joints",
                scene.bodies.len(),
                grouped(triangles as u64),
                scene.joints.len()
            ));
            ui.add_space(4.0);
            let mut chosen = None;
            let count = app.findings().count();
            let is_design = stage.is_design();
            if app.options.section.is_some() {
                section(ui, "Section", true, |ui| super::section::show(ui, app));
            }
            let title = format!("Findings ({})", grouped(count as u64));
            // The list of findings opens with its first finding, even if the user folded it while it
            // was empty.
            let name = if count > 0 { "Findings" } else { "No findings" };
            named_section(ui, name, &title, is_design || count > 0, |ui| findings::show(ui, app));
            if !scene.controls.is_empty() {
                let title = format!("Joints ({})", scene.controls.len());
                section(ui, &title, true, |ui| joints::show(ui, app));
            }
            section(ui, &format!("Parts ({})", scene.bodies.len()), is_design, |ui| assembly::show(ui, app));
            let Some(stage) = &app.stage else { return };
            // The selection is shown below the tree, so that the tree does not move when the user
            // clicks in it.
            if !app.selection.is_empty() {
                section(ui, "Selection", true, |ui| selected::show(ui, stage, &app.selection));
            }
            if app.ruler.is_on || app.selection.pair().is_some() {
                section(ui, "Measure", true, |ui| measure::show(ui, app));
            }
            // A scene without motion has no costs of steps.
            if is_design {
                section(ui, &format!("Notes ({})", scene.notes.len()), false, |ui| notes(ui, scene));
                return;
            }
            section(ui, "Step", true, |ui| {
                step(ui, stage);
                chosen = costliest::show(ui, stage).or(chosen);
            });
            section(ui, "Budget", true, |ui| {
                budget::setting(ui, app);
                chosen = app.stage.as_ref().and_then(|stage| budget::figures(ui, stage)).or(chosen);
            });
            if !scene.notes.is_empty() {
                section(ui, &format!("Notes ({})", scene.notes.len()), false, |ui| notes(ui, scene));
            }
            if let Some(body) = chosen {
                app.select(Some(body));
            }
        });
    });
}

fn section(ui: &mut egui::Ui, title: &str, open: bool, contents: impl FnOnce(&mut egui::Ui)) {
    let name = title.split(' ').next().unwrap_or(title);
    named_section(ui, name, title, open, contents);
}

/// Shows a section. Whether it is folded is stored under `name`, whatever its title.
fn named_section(
    ui: &mut egui::Ui,
    name: &str,
    title: &str,
    open: bool,
    contents: impl FnOnce(&mut egui::Ui),
) {
    egui::CollapsingHeader::new(egui::RichText::new(title).strong())
        .id_salt(name)
        .default_open(open)
        .show(ui, contents);
}

/// Shows two columns of names and numbers.
pub fn grid(ui: &mut egui::Ui, name: &str, contents: impl FnOnce(&mut egui::Ui)) -> egui::Response {
    wide(ui, name, |ui| two_columns(ui, name, contents))
}

/// Shows contents that may be wider than the panel. They can be scrolled, and nothing is drawn outside
/// the panel.
pub fn wide<R>(ui: &mut egui::Ui, name: &str, contents: impl FnOnce(&mut egui::Ui) -> R) -> R {
    let area = egui::ScrollArea::horizontal().id_salt(("wide", name)).auto_shrink([false, true]);
    area.show(ui, contents).inner
}

fn two_columns(ui: &mut egui::Ui, name: &str, contents: impl FnOnce(&mut egui::Ui)) -> egui::Response {
    // The column has its full width from the start. Otherwise a longer name that appears later would
    // overlap its number in one picture.
    let grid = egui::Grid::new(name).num_columns(2).min_col_width(NAME_WIDTH).spacing([10.0, 2.0]);
    grid.striped(true).show(ui, contents).response
}

pub fn row(ui: &mut egui::Ui, name: &str, value: impl Into<String>) {
    ui.weak(name);
    ui.label(value.into());
    ui.end_row();
}

fn step(ui: &mut egui::Ui, stage: &Stage) {
    let frame = &stage.frame;
    let costs = stage.source.costs(frame.step.saturating_sub(WINDOW - 1)..=frame.step);
    let now = stages(&frame.timings);
    let table = egui::Grid::new("stages").num_columns(4).spacing([12.0, 2.0]);
    let stages_table = |ui: &mut egui::Ui| {
        ui.weak("ms");
        ui.weak("now");
        for name in ["mean", "max"] {
            let text = format!("{name} of {}", costs.len());
            ui.weak(text).on_hover_text("of this step and those before it");
        }
        ui.end_row();
        let line = |ui: &mut egui::Ui, now: f64, all: Vec<f64>| {
            // The fold starts at 0, because the sum of an empty iterator is −0.
            let mean = all.iter().fold(0.0, |sum, ms| sum + ms) / all.len().max(1) as f64;
            let most = all.iter().copied().fold(0.0, f64::max);
            for value in [now, mean, most] {
                ui.monospace(format!("{value:7.2}"));
            }
            ui.end_row();
        };
        for (at, (name, color)) in STAGES.iter().enumerate() {
            ui.colored_label(*color, *name);
            line(ui, now[at], costs.iter().map(|(_, c)| stages(&c.timings)[at]).collect());
        }
        ui.strong("step");
        line(ui, now.iter().sum(), costs.iter().map(|(_, c)| stages(&c.timings).iter().sum()).collect());
    };
    wide(ui, "stages", |ui| table.show(ui, stages_table));
    ui.add_space(4.0);
    let c = &frame.counts;
    grid(ui, "counts", |ui| {
        row(ui, "pairs", grouped(c.pairs));
        row(ui, "volume tests", grouped(c.node_tests));
        row(ui, "candidates", grouped(c.candidates));
        row(ui, "false alarms", grouped(c.false_alarms));
        row(ui, "intersections", grouped(c.intersections));
        row(ui, "contacts", grouped(c.contacts));
        row(ui, "passes", grouped(c.passes));
        row(ui, "awake", grouped(c.awake_bodies));
        row(ui, "penetration", format!("{:.2} mm", 1e3 * frame.measures.penetration));
        if c.invalid_boxes > 0 {
            row(ui, "invalid boxes", grouped(c.invalid_boxes));
        }
        if c.capped > 0 {
            row(ui, "capped", grouped(c.capped));
        }
        if c.crowded > 0 {
            row(ui, "crowded", grouped(c.crowded));
        }
        if c.interpenetrating > 0 {
            row(ui, "interpenetrating", grouped(c.interpenetrating));
        }
        if let Some(hash) = frame.state_hash {
            row(ui, "state", format!("{hash:016x}"));
        }
    });
}

/// Shows all notes. Notes with the same text appear once, with their number.
fn notes(ui: &mut egui::Ui, scene: &Scene) {
    let mut lines: Vec<(&str, &str, usize)> = Vec::new();
    for note in &scene.notes {
        match lines.iter_mut().find(|l| l.1 == note.text) {
            Some(line) => line.2 += 1,
            None => lines.push((&note.place, &note.text, 1)),
        }
    }
    for (place, text, count) in lines {
        let more = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
        ui.label(format!("{place}{more}: {text}"));
    }
}

/// Groups digits with thin spaces, for example 12 345.
pub fn grouped(number: u64) -> String {
    grouped_by('\u{202f}', number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(175_696), "175\u{202f}696");
        assert_eq!(grouped(1_000_000), "1\u{202f}000\u{202f}000");
    }
}
