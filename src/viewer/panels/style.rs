//! Colours and spacing of the panels: quiet greys, so that the scene is what is seen first.

use egui::{Color32, CornerRadius, Visuals};

/// The four stages of a step, in their order: one colour each, told apart by eyes of every kind.
pub const STAGES: [(&str, Color32); 4] = [
    ("update", Color32::from_rgb(86, 180, 233)),
    ("test", Color32::from_rgb(0, 158, 115)),
    ("query", Color32::from_rgb(230, 159, 0)),
    ("solve", Color32::from_rgb(204, 121, 167)),
];

/// What is not proven.
pub const UNPROVEN: Color32 = Color32::from_rgb(240, 173, 78);

/// Of the panels. They do not fill themselves: the picture is cleared to this before the view is drawn into it,
/// which a software driver does in no time.
pub const BACKGROUND: [u8; 3] = [30, 32, 36];

pub fn apply(ctx: &egui::Context) {
    ctx.set_theme(egui::Theme::Dark);
    ctx.all_styles_mut(|style| {
        let mut visuals = Visuals::dark();
        visuals.panel_fill = Color32::TRANSPARENT;
        visuals.extreme_bg_color = Color32::from_rgb(21, 22, 25);
        visuals.window_fill = Color32::from_rgb(36, 38, 43);
        visuals.override_text_color = Some(Color32::from_rgb(214, 217, 222));
        visuals.selection.bg_fill = Color32::from_rgb(176, 98, 24);
        visuals.selection.stroke.color = Color32::WHITE;
        visuals.window_corner_radius = CornerRadius::same(6);
        style.visuals = visuals;
        style.spacing.item_spacing = egui::vec2(6.0, 5.0);
        style.spacing.button_padding = egui::vec2(7.0, 3.0);
    });
}
