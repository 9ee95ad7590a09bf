//! The parts as a tree, with a search, folding, hiding and selection.

use egui::collapsing_header::paint_default_icon;
use egui::{Align, Checkbox, Label, Layout, Role, Sense, Ui, WidgetInfo, vec2};
use egui_extras::{Column, TableBuilder};

use super::super::actions::Action;
use super::super::app::App;
use super::super::assembly::Assembly;
use super::super::show::Show;
use super::button;

const ROW_HEIGHT: f32 = 20.0;
/// Indentation per level, points. The next constant is the number of levels that are indented.
const INDENT: f32 = 11.0;
const DEEPEST: u32 = 10;
/// Largest height of the tree as a share of the window's height, and its least value, points.
const TALLEST: f32 = 0.4;
const LEAST_HEIGHT: f32 = 220.0;

/// The action that a click in the tree requests.
#[derive(Clone, Copy)]
enum Wanted {
    Fold(u32, bool),
    Hide(u32, bool),
    Select(u32),
    /// Adds a part to the selection.
    SelectToo(u32),
    Frame(u32),
}

pub fn show(ui: &mut Ui, app: &mut App) {
    ui.horizontal(|ui| {
        let label = ui.label("Find");
        let field = egui::TextEdit::singleline(&mut app.part_filter).desired_width(f32::INFINITY);
        ui.add(field).labelled_by(label.id);
    });
    ui.horizontal_wrapped(|ui| {
        let has_chosen = !app.selection.is_empty();
        ui.add_enabled_ui(has_chosen, |ui| {
            button(ui, app, "Hide", "Hide", Action::Hide);
            button(ui, app, "Only this", "Only this", Action::Isolate);
        });
        let hidden = app.stage.as_ref().map_or(0, |s| s.show.hidden.count());
        ui.add_enabled_ui(hidden > 0, |ui| button(ui, app, "Show all", "Show all", Action::ShowAll));
        if hidden > 0 {
            ui.weak(format!("{hidden} hidden"));
        }
    });
    let Some(stage) = &mut app.stage else { return };
    let revealed = stage.assembly.reveal(app.selection.last());
    let rows = stage.assembly.rows(&app.part_filter);
    if rows.is_empty() {
        ui.weak("no part is called so");
    }
    let height = (TALLEST * ui.ctx().content_rect().height()).max(LEAST_HEIGHT);
    let is_shift = ui.input(|i| i.modifiers.shift);
    let mut table = TableBuilder::new(ui)
        .column(Column::remainder().clip(true))
        .cell_layout(Layout::left_to_right(Align::Center))
        .max_scroll_height(height)
        .sense(Sense::click());
    if let Some(row) = revealed.and_then(|node| rows.iter().position(|&n| n == node)) {
        table = table.scroll_to_row(row, None);
    }
    let is_searching = !app.part_filter.trim().is_empty();
    let mut wanted = None;
    table.body(|body| {
        body.rows(ROW_HEIGHT, rows.len(), |mut row| {
            let node = rows[row.index()];
            let own = stage.assembly.node(node);
            let is_selected =
                app.selection.branch() == Some(node) || own.body.is_some_and(|body| app.selection.has(body));
            row.set_selected(is_selected);
            row.col(|ui| {
                ui.spacing_mut().item_spacing.x = 3.0;
                wanted = tree_row(ui, &stage.assembly, &stage.show, node, is_searching).or(wanted);
            });
            let response = row.response().on_hover_text(&own.path);
            response.widget_info(|| WidgetInfo::labeled(Role::TreeItem, true, &own.label));
            if response.double_clicked() {
                wanted = Some(Wanted::Frame(node));
            } else if response.clicked() {
                wanted = Some(if is_shift { Wanted::SelectToo(node) } else { Wanted::Select(node) });
            }
        });
    });
    match wanted {
        None => {}
        Some(Wanted::Fold(node, is_folded)) => stage.assembly.fold(node, is_folded),
        Some(Wanted::Hide(node, is_hidden)) => {
            stage.assembly.bodies(node).for_each(|body| stage.show.hidden.set(body, is_hidden));
        }
        Some(Wanted::SelectToo(node)) => {
            let bodies: Vec<u32> = stage.assembly.bodies(node).collect();
            bodies.into_iter().for_each(|body| app.select_too(body));
        }
        Some(Wanted::Select(node) | Wanted::Frame(node)) => {
            match stage.assembly.node(node).body {
                Some(body) => app.select(Some(body)),
                None => app.select_branch(node),
            }
            if let Some(Wanted::Frame(_)) = wanted {
                app.act(Action::Frame);
            }
        }
    }
}

/// Shows a node: the fold sign of a branch, the checkbox for visibility, and the name.
fn tree_row(ui: &mut Ui, assembly: &Assembly, show: &Show, node: u32, is_searching: bool) -> Option<Wanted> {
    let own = assembly.node(node);
    let mut wanted = None;
    ui.add_space(INDENT * own.depth.min(DEEPEST) as f32);
    let can_fold = own.is_branch(node) && !is_searching;
    let sense = if can_fold { Sense::click() } else { Sense::hover() };
    let (_, sign) = ui.allocate_exact_size(vec2(12.0, 12.0), sense);
    if can_fold {
        paint_default_icon(ui, if own.is_folded { 0.0 } else { 1.0 }, &sign);
        let label = format!("{} {}", if own.is_folded { "Unfold" } else { "Fold" }, own.label);
        sign.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
        if sign.clicked() {
            wanted = Some(Wanted::Fold(node, !own.is_folded));
        }
    }
    let count = assembly.bodies(node).count();
    let hidden = assembly.bodies(node).filter(|&body| show.hidden.hides(body)).count();
    let mut is_shown = hidden == 0;
    let tick = ui.add(Checkbox::without_text(&mut is_shown).indeterminate(hidden > 0 && hidden < count));
    let label = format!("Show {}", own.label);
    tick.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, hidden == 0, &label));
    if tick.changed() {
        wanted = Some(Wanted::Hide(node, hidden == 0));
    }
    let text = egui::RichText::new(&own.label);
    let text = if own.body.is_none() { text.strong() } else { text };
    let text = if hidden == count { text.weak() } else { text };
    ui.add(Label::new(text).selectable(false).extend());
    if own.body.is_none() {
        ui.weak(format!("({count})"));
    }
    wanted
}
