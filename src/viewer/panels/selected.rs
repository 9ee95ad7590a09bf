//! The selected parts. Shows the motion, size, mass and surface of a part, and the parts that it
//! touches.

use super::super::budget::{certainty, partners};
use super::super::selection::Selection;
use super::super::stage::Stage;
use super::inspector::{grid, grouped, row};
use super::style::UNPROVEN;
use crate::body::Motion;
use crate::record::{Kept, Rest};

/// Largest number of parts that are listed by name.
const MOST_NAMES: usize = 6;

pub fn show(ui: &mut egui::Ui, stage: &Stage, selection: &Selection) {
    match (selection.single(), selection.branch()) {
        (Some(body), _) => part(ui, stage, body),
        (None, Some(node)) => {
            let bodies: Vec<u32> = stage.assembly.bodies(node).collect();
            ui.add(egui::Label::new(egui::RichText::new(&stage.assembly.node(node).path).strong()).wrap());
            several(ui, stage, &bodies);
        }
        (None, None) => {
            for &body in selection.parts().iter().take(MOST_NAMES) {
                let name = egui::RichText::new(&stage.show.scene.bodies[body as usize].name).strong();
                ui.add(egui::Label::new(name).truncate());
            }
            if let Some(more) = selection.parts().len().checked_sub(MOST_NAMES).filter(|n| *n > 0) {
                ui.weak(format!("and {more} more"));
            }
            several(ui, stage, selection.parts());
        }
    }
}

/// Shows the sums over several parts.
fn several(ui: &mut egui::Ui, stage: &Stage, chosen: &[u32]) {
    let scene = &stage.show.scene;
    let bodies = || chosen.iter().map(|&b| &scene.bodies[b as usize]);
    let hidden = chosen.iter().filter(|&&b| stage.show.hidden.hides(b)).count();
    let meshes = || bodies().filter_map(|b| Some(&scene.meshes[b.mesh? as usize]));
    grid(ui, "selection", |ui| {
        row(ui, "parts", grouped(chosen.len() as u64));
        row(ui, "hidden", grouped(hidden as u64));
        row(ui, "triangles", grouped(meshes().map(|m| m.triangles().len() as u64).sum()));
        let mass: f64 = bodies().map(|b| b.mass).sum();
        if mass.is_finite() {
            row(ui, "mass", format!("{} kg", significant(mass)));
        }
    });
}

fn part(ui: &mut egui::Ui, stage: &Stage, body: u32) {
    let scene = &stage.show.scene;
    let def = &scene.bodies[body as usize];
    let frame = &stage.frame;
    ui.strong(&def.name);
    if def.path != def.name && !def.path.is_empty() {
        ui.weak(&def.path);
    }
    grid(ui, "selection", |ui| {
        let motion = match def.motion {
            Motion::Static => "never moves",
            Motion::Kinematic => "follows a prescribed motion",
            Motion::Dynamic => "moves freely",
        };
        row(ui, "motion", motion);
        if def.motion == Motion::Dynamic {
            let rest = match frame.rests[body as usize] {
                Rest::Awake => "awake",
                Rest::Asleep => "asleep",
                Rest::Quarantined => "set aside: its state was not finite",
            };
            row(ui, "state", rest);
            row(ui, "mass", format!("{} kg", significant(def.mass)));
        }
        let p = frame.poses[body as usize].position;
        row(ui, "position, m", format!("{:.4}  {:.4}  {:.4}", p.x, p.y, p.z));
        row(ui, "friction", significant(def.friction));
        row(ui, "restitution", significant(def.restitution));
        for (resists, arm) in [("rolling, m", def.rolling), ("spinning, m", def.spinning)] {
            if arm > 0.0 {
                row(ui, resists, significant(arm));
            }
        }
        if let Some(mesh) = def.mesh {
            let mesh = &scene.meshes[mesh as usize];
            let size = mesh.bounds().size();
            row(ui, "size, m", format!("{:.4} × {:.4} × {:.4}", size.x, size.y, size.z));
            row(ui, "triangles", grouped(mesh.triangles().len() as u64));
            let flaws = &mesh.surface().flaws;
            let surface = match (flaws.boundary_edge_count, flaws.nonmanifold_edge_count) {
                (0, 0) => "closed".to_owned(),
                (open, 0) => format!("{} open edges", grouped(open.into())),
                (open, many) => {
                    format!("{} open and {} many-sided edges", grouped(open.into()), grouped(many.into()))
                }
            };
            row(ui, "surface", surface);
            let tree = &stage.show.trees[def.mesh.unwrap_or_default() as usize];
            row(ui, "hierarchy", format!("{}, {} levels", scene.config.tree.name(), tree.depth()));
        }
    });
    if let Some(marks) = &stage.contacts {
        let guesses = stage.guesses.as_ref().map(|g| &g.0[..]);
        let partners = partners(marks, guesses.unwrap_or_default(), body);
        if !partners.is_empty() {
            ui.add_space(4.0);
            ui.weak(if guesses.is_some() { "touches, or may" } else { "touches" });
        }
        for partner in partners {
            let name = &scene.bodies[partner.body as usize].name;
            let points = match partner.points {
                0 => "no point".to_owned(),
                1 => "1 point".to_owned(),
                n => format!("{n} points"),
            };
            let depth = format!("{:.3} mm deep", 1e3 * partner.depth);
            if stage.source.kept() == Kept::Pairs {
                // The number of contacts is unknown.
                ui.label(format!("{name}: {depth}"));
                continue;
            }
            if guesses.is_none() {
                ui.label(format!("{name}: {points}, {depth}"));
                continue;
            }
            let color = if partner.likely.is_some() { UNPROVEN } else { ui.visuals().text_color() };
            let text = format!("{name}: {}, {points}", certainty(partner.likely));
            let meaning = match partner.likely {
                None => "what is known of the two is up to date",
                Some(_) => "not searched to the end: how probable it is that the two intersect",
            };
            ui.colored_label(color, text).on_hover_text(format!("{depth}; {meaning}"));
        }
    }
}

/// Formats a number with four significant digits.
pub fn significant(number: f64) -> String {
    if !number.is_finite() {
        return "infinite".to_owned();
    }
    let text = format!("{number:.3e}");
    match text.parse::<f64>() {
        Ok(rounded) if rounded == 0.0 || (1e-3..1e6).contains(&rounded.abs()) => rounded.to_string(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits_that_count() {
        assert_eq!(significant(0.123_456), "0.1235");
        assert_eq!(significant(7850.0), "7850");
        assert_eq!(significant(1.5e-7), "1.500e-7");
        assert_eq!(significant(f64::INFINITY), "infinite");
    }
}
