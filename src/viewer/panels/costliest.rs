//! The pairs of bodies that took the most work in the shown step. A click selects the first body of a
//! pair.

use super::super::stage::Stage;
use super::inspector::grouped;

/// Shows the pairs. Returns the clicked body.
pub fn show(ui: &mut egui::Ui, stage: &Stage) -> Option<u32> {
    if stage.costliest.is_empty() {
        return None;
    }
    ui.add_space(4.0);
    ui.weak("costliest pairs")
        .on_hover_text("of the work that the stages test and query did for pairs of parts");
    let mut chosen = None;
    for pair in &stage.costliest {
        let [a, b] = [pair.a, pair.b].map(|body| &stage.show.scene.bodies[body as usize].name);
        let text = format!("{:.0} %  {a} – {b}", 100.0 * pair.share);
        let cost = &pair.cost;
        let meaning = format!(
            "{} candidates in {} searches within up to {:.2} mm, {} of them false alarms; edges of the finer \
             mesh are {:.2} mm long",
            grouped(cost.candidates),
            grouped(cost.searches),
            1e3 * cost.margin,
            grouped(cost.false_alarms),
            1e3 * pair.edge,
        );
        let label = egui::Label::new(text).truncate().sense(egui::Sense::click());
        if ui.add(label).on_hover_text(meaning).clicked() {
            chosen = Some(pair.a);
        }
    }
    chosen
}
