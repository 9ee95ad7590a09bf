//! The findings in groups. A click visits a finding, which the user can then accept with a comment.

use egui::{RichText, ScrollArea, Ui};

use super::super::actions::Action;
use super::super::app::App;
use super::button;
use super::inspector::grouped;
use super::style::ERROR;
use crate::report::findings::{Finding, Grade, Verdict};

/// Largest height of the list, points. The next constant is the height of a row.
const HEIGHT: f32 = 190.0;
const ROW_HEIGHT: f32 = 18.0;

/// Number of letters of a text that always fit into a row.
const ROW_LETTERS: usize = 30;

/// A row of the list.
enum Row<'a> {
    Title(&'a str, usize),
    /// A finding, with its index among all findings.
    Finding(&'a Finding, usize),
}

pub fn show(ui: &mut Ui, app: &mut App) {
    check(ui, app);
    if app.stage.as_ref().is_some_and(|stage| stage.is_recording()) {
        ui.weak("a recording keeps no findings of its run");
    }
    let count = app.findings().count();
    if count == 0 {
        return;
    }
    ui.horizontal(|ui| {
        button(ui, app, "Previous", "Previous finding", Action::PreviousFinding);
        button(ui, app, "Next", "Next finding", Action::NextFinding);
    });
    if let Some(index) = list(ui, app) {
        app.visit_at(index);
    }
    visited(ui, app);
}

/// Shows the button that checks the shown step, or the progress of a running check. Also shows the
/// result of the last check.
fn check(ui: &mut Ui, app: &mut App) {
    let Some(stage) = &app.stage else { return };
    let step = stage.frame.step;
    if let Some((done, of)) = stage.check.progress() {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.label(format!("{} of {} pairs checked", grouped(done), grouped(of)));
        });
        return;
    }
    let outcome = stage.check.document().map(|document| {
        let at = document.step.map_or(String::new(), |step| format!(" in step {step}"));
        let rest = if document.complete { "" } else { ", not all could be answered" };
        let pairs = if document.asked_count == 1 { "pair" } else { "pairs" };
        format!("{} {pairs} checked{at}{rest}", grouped(document.asked_count as u64))
    });
    let notes = stage.check.document().map(|document| document.notes.join("\n")).unwrap_or_default();
    ui.horizontal_wrapped(|ui| {
        let check = ui.button("Check this step");
        if check.on_hover_text("which parts clash, touch or are inside others, as they stand now").clicked() {
            app.check();
        }
        if let Some(outcome) = outcome {
            let label = ui.weak(outcome);
            if !notes.is_empty() {
                label.on_hover_text(notes);
            }
        }
    });
    if app.stage.as_ref().is_some_and(|s| s.check.document().is_some_and(|d| d.step != Some(step))) {
        ui.weak("the check is of another step than the one shown");
    }
}

/// Shows the groups and their findings. Returns the index of the clicked finding.
fn list(ui: &mut Ui, app: &App) -> Option<usize> {
    let stage = app.stage.as_ref()?;
    let mut rows = Vec::new();
    let mut index = 0;
    for group in stage.findings() {
        rows.push(Row::Title(&group.title, group.findings.len()));
        for finding in &group.findings {
            rows.push(Row::Finding(finding, index));
            index += 1;
        }
    }
    let mut clicked = None;
    let spacing = ui.spacing().item_spacing.y;
    let height = (rows.len() as f32 * (ROW_HEIGHT + spacing)).min(HEIGHT);
    let area = ScrollArea::vertical().id_salt("findings").max_height(height).auto_shrink([false, true]);
    area.show_rows(ui, ROW_HEIGHT, rows.len(), |ui, shown| {
        for row in &rows[shown] {
            match row {
                Row::Title(title, count) => {
                    let text = RichText::new(format!("{title} ({})", grouped(*count as u64))).strong();
                    ui.add(egui::Label::new(text).truncate());
                }
                Row::Finding(finding, index) => {
                    let (verdict, word) = stage.review.of(finding);
                    let is_accepted = verdict == Verdict::Accepted;
                    let text = if is_accepted {
                        format!("accepted: {}", finding.text)
                    } else {
                        finding.text.clone()
                    };
                    let text = RichText::new(text);
                    let is_visited = app.is_visited(finding);
                    let text = match finding.grade {
                        _ if is_visited => text,
                        _ if is_accepted => text.weak(),
                        Grade::Fault => text.color(ERROR),
                        Grade::Remark => text,
                    };
                    let button = egui::Button::selectable(is_visited, text).truncate();
                    let hover = if word.is_empty() { String::new() } else { format!("\n{word}") };
                    if ui.add(button).on_hover_text(format!("{}{hover}", finding.text)).clicked() {
                        clicked = Some(*index);
                    }
                }
            }
        }
    });
    clicked
}

/// Shows the visited finding: its full text, and its review.
fn visited(ui: &mut Ui, app: &mut App) {
    let Some(finding) = app.visited().cloned() else { return };
    if finding.text.chars().count() > ROW_LETTERS {
        ui.add(egui::Label::new(&finding.text).wrap());
    }
    let Some(stage) = &app.stage else { return };
    let (verdict, word) = stage.review.of(&finding);
    let (mut is_accepted, before) = (verdict == Verdict::Accepted, word.to_owned());
    ui.horizontal(|ui| {
        let was_changed = ui.checkbox(&mut is_accepted, "accepted").changed();
        let mut word = app.word.take().map_or_else(|| before.clone(), |(_, word)| word);
        let label = ui.label("word");
        let field = egui::TextEdit::singleline(&mut word).desired_width(f32::INFINITY);
        let field = ui.add(field).labelled_by(label.id);
        let is_written = field.lost_focus() && word != before;
        if was_changed || is_written {
            let verdict = if is_accepted { Verdict::Accepted } else { Verdict::Open };
            app.judge(&finding, (verdict, &word));
        } else if field.has_focus() {
            app.word = Some((finding.clone(), word));
        }
    });
}
