//! The signs of the transport buttons. They are drawn as shapes, because fonts differ in such signs.

use egui::{Pos2, Rect, Response, Sense, Shape, Ui, Vec2, vec2};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    Restart,
    StepBack,
    Play,
    Pause,
    StepForward,
}

/// Shows a button with a sign. `label` is the button's name for screen readers.
pub fn button(ui: &mut Ui, icon: Icon, label: &str) -> Response {
    let side = ui.spacing().interact_size.y + 4.0;
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::click());
    let visuals = ui.style().interact(&response);
    let painter = ui.painter();
    painter.rect_filled(rect, visuals.corner_radius, visuals.weak_bg_fill);
    let color = visuals.fg_stroke.color;
    let inner = Rect::from_center_size(rect.center(), Vec2::splat(0.46 * side));
    let at = |x: f32, y: f32| inner.min + vec2(x, y) * inner.size();
    let triangle = |points: [Pos2; 3]| Shape::convex_polygon(points.to_vec(), color, egui::Stroke::NONE);
    let bar = |left: f32, right: f32| {
        Shape::rect_filled(Rect::from_min_max(at(left, 0.0), at(right, 1.0)), 0.0, color)
    };
    let forward = |left: f32, right: f32| triangle([at(left, 0.0), at(right, 0.5), at(left, 1.0)]);
    let back = |left: f32, right: f32| triangle([at(right, 0.0), at(right, 1.0), at(left, 0.5)]);
    painter.extend(match icon {
        Icon::Restart => vec![bar(0.0, 0.14), back(0.14, 0.57), back(0.57, 1.0)],
        Icon::StepBack => vec![back(0.05, 0.7), bar(0.8, 1.0)],
        Icon::Play => vec![forward(0.1, 1.0)],
        Icon::Pause => vec![bar(0.1, 0.4), bar(0.6, 0.9)],
        Icon::StepForward => vec![bar(0.0, 0.2), forward(0.3, 0.95)],
    });
    let enabled = ui.is_enabled();
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, enabled, label));
    response
}
