//! Colors and spacing of the panels. The colors are muted grays, so that the scene stands out.

use egui::{Color32, CornerRadius, Visuals};

/// The four stages of a step, in their order. Color-blind readers can distinguish their colors.
pub const STAGES: [(&str, Color32); 4] = [
    ("update", Color32::from_rgb(86, 180, 233)),
    ("test", Color32::from_rgb(0, 158, 115)),
    ("query", Color32::from_rgb(230, 159, 0)),
    ("solve", Color32::from_rgb(204, 121, 167)),
];

/// Color of unproven results.
pub const UNPROVEN: Color32 = Color32::from_rgb(240, 173, 78);

/// Color of errors.
pub const ERROR: Color32 = Color32::from_rgb(255, 133, 124);

/// Color of the panels. The panels do not fill themselves. Instead, the picture is cleared to this
/// color before the view is drawn into it, which takes a software rasterizer almost no time.
pub const BACKGROUND: [u8; 3] = [30, 32, 36];

/// Color of windows over the view.
const WINDOW: Color32 = Color32::from_rgb(36, 38, 43);

pub fn apply(ctx: &egui::Context) {
    ctx.set_theme(egui::Theme::Dark);
    ctx.all_styles_mut(|style| {
        let mut visuals = Visuals::dark();
        visuals.panel_fill = Color32::TRANSPARENT;
        visuals.extreme_bg_color = Color32::from_rgb(21, 22, 25);
        visuals.window_fill = WINDOW;
        visuals.override_text_color = Some(Color32::from_rgb(214, 217, 222));
        visuals.error_fg_color = ERROR;
        visuals.warn_fg_color = UNPROVEN;
        visuals.selection.bg_fill = Color32::from_rgb(176, 98, 24);
        visuals.selection.stroke.color = Color32::WHITE;
        visuals.window_corner_radius = CornerRadius::same(6);
        style.visuals = visuals;
        style.spacing.item_spacing = egui::vec2(6.0, 5.0);
        style.spacing.button_padding = egui::vec2(7.0, 3.0);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the contrast of two colors by the Web Content Accessibility Guidelines, from 1 to 21.
    fn contrast(a: Color32, b: Color32) -> f64 {
        let luminance = |color: Color32| {
            let linear = |c: u8| {
                let c = f64::from(c) / 255.0;
                if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
        };
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn every_text_stands_out_from_what_is_behind_it() {
        let context = egui::Context::default();
        apply(&context);
        let visuals = context.style_of(egui::Theme::Dark).visuals.clone();
        let [r, g, b] = BACKGROUND;
        let panel = Color32::from_rgb(r, g, b);
        let texts = [
            ("text", visuals.text_color()),
            ("weak", visuals.weak_text_color()),
            ("error", visuals.error_fg_color),
            ("unproven", visuals.warn_fg_color),
        ];
        let check = |name: &str, text: Color32, behind: Color32| {
            let found = contrast(behind.blend(text), behind);
            assert!(found >= 4.5, "{name} {text:?} on {behind:?}: {found:.2}");
        };
        for (name, text) in texts {
            for behind in [panel, visuals.window_fill, visuals.extreme_bg_color] {
                check(name, text, behind);
            }
        }
        for (name, color) in STAGES {
            check(name, color, panel);
        }
        assert!(contrast(Color32::from_rgb(255, 0, 0), panel) < 4.5, "pure red does not");
    }
}
