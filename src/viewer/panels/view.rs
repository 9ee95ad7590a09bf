//! The view itself: the area that the panels leave, and the mouse in it.

use egui::{Key, PointerButton, Sense};
use glam::{DVec2, DVec3};

use super::super::actions::FLY_KEYS;
use super::super::app::App;

/// Speed of flight per second, relative to the distance of the target. With Shift, it is three times as
/// high.
const FLY_SPEED: f64 = 0.8;

/// Returns the id of a flag, which tells whether the user drags in the view.
fn dragging() -> egui::Id {
    egui::Id::unique("view is dragged")
}

/// Returns whether the letters W A S D Q E currently fly the camera.
pub fn is_flying(ctx: &egui::Context) -> bool {
    ctx.data(|d| d.get_temp(dragging()).unwrap_or(false))
}

pub fn show(ui: &mut egui::Ui, app: &mut App) {
    egui::CentralPanel::default().frame(egui::Frame::NONE).show(ui, |ui| {
        let area = ui.available_rect_before_wrap();
        app.area = area;
        let response = ui.allocate_rect(area, Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "View"));
        let dragged = response.dragged();
        ui.ctx().data_mut(|d| d.insert_temp(dragging(), dragged));
        move_camera(ui, app, &response);
        app.pointer = response.hover_pos().map(|p| in_view(area, p));
        if app.ruler.is_on && response.clicked() {
            let at = response.interact_pointer_pos().map(|p| in_view(area, p));
            match at.and_then(|at| app.anchor_at(at)) {
                Some(anchor) => app.ruler.take(anchor),
                None => drop(app.ruler.clear()),
            }
        } else if response.clicked() || response.double_clicked() {
            let hit = response.interact_pointer_pos().and_then(|p| app.pick(in_view(area, p)));
            let adds = ui.input(|i| i.modifiers.shift) && !response.double_clicked();
            // With the adding modifier, a click selects the ground too, so that its distance from a
            // part can be measured.
            let takes_ground = adds && !app.selection.is_empty();
            let part = hit.map(|h| h.body).filter(|&body| takes_ground || !app.is_ground(body));
            match part {
                Some(part) if adds => app.select_too(part),
                // A click that hits no part keeps the selection if the adding modifier is held.
                None if adds => {}
                part => app.select(part),
            }
            if response.double_clicked() && !app.selection.is_empty() {
                app.act(super::Action::Frame);
            }
        }
        super::legend::show(ui, app, area);
        super::measure::labels(ui, app, area);
        signs(ui, app, area);
    });
}

/// Converts a position in the area to view coordinates, −1 to 1, x right and y up.
fn in_view(area: egui::Rect, at: egui::Pos2) -> DVec2 {
    let share = (at - area.min) / area.size();
    DVec2::new(2.0 * f64::from(share.x) - 1.0, 1.0 - 2.0 * f64::from(share.y))
}

fn move_camera(ui: &egui::Ui, app: &mut App, response: &egui::Response) {
    let by = DVec2::new(response.drag_delta().x.into(), response.drag_delta().y.into());
    let height = f64::from(response.rect.height());
    let (shift, seconds) = ui.input(|i| (i.modifiers.shift, f64::from(i.stable_dt).min(0.1)));
    let camera = &mut app.camera;
    if response.dragged_by(PointerButton::Primary) {
        camera.orbit(by);
    } else if response.dragged_by(PointerButton::Secondary) && shift {
        camera.pan_level(by, height);
    } else if response.dragged_by(PointerButton::Secondary) {
        camera.pan(by, height);
    } else if response.dragged_by(PointerButton::Middle) {
        camera.zoom(-0.06 * by.y);
    }
    if response.dragged() {
        let held = |key: &&(Key, DVec3)| ui.input(|i| i.key_down(key.0));
        let way: DVec3 = FLY_KEYS.iter().filter(held).map(|k| k.1).sum();
        if way != DVec3::ZERO {
            let speed = if shift { 3.0 * FLY_SPEED } else { FLY_SPEED };
            camera.fly(speed * seconds * way);
            ui.ctx().request_repaint();
        }
    }
    if response.hovered() {
        let (wheel, pinch) = ui.input(|i| (i.smooth_scroll_delta().y, i.zoom_delta()));
        camera.zoom(f64::from(wheel) / 50.0 + 8.0 * f64::from(pinch).ln());
    }
}

/// Shows messages in the view, for loading, errors and confirmations.
fn signs(ui: &mut egui::Ui, app: &App, area: egui::Rect) {
    let loading = app.loader.waiting().map(|name| format!("Loading {name}…"));
    let searching = app.is_searching().then(|| "Looking for the parts of the surfaces…".to_owned());
    if let Some(text) = loading.or(searching) {
        let place = egui::Rect::from_center_size(area.center(), egui::vec2(area.width().min(420.0), 40.0));
        ui.scope_builder(egui::UiBuilder::new().max_rect(place), |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.spinner();
                    ui.label(text);
                });
            });
        });
    }
    if let Some(message) = &app.message {
        let place = egui::Rect::from_min_size(
            area.min + egui::vec2(12.0, 12.0),
            egui::vec2(area.width() - 24.0, 60.0),
        );
        ui.scope_builder(egui::UiBuilder::new().max_rect(place), |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| {
                let color =
                    if message.is_error { ui.visuals().error_fg_color } else { ui.visuals().text_color() };
                ui.add(egui::Label::new(egui::RichText::new(&message.text).color(color)).wrap());
            });
        });
    }
}
