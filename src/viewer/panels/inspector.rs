//! The panel on the right: what the shown step cost and met, what is selected, which parts there are, and
//! what was assumed when the scene was loaded.

use std::sync::Arc;

use super::super::app::App;
use super::super::budget::{certainty, partners};
use super::super::problems::{Problem, problems};
use super::super::stage::Stage;
use super::plot::stages;
use super::style::{ERROR, STAGES, UNPROVEN};
use super::{assembly, budget, dearest, joints};
use crate::body::Motion;
use crate::digits::grouped_by;
use crate::record::{Kept, Rest};
use crate::scene::Scene;

/// Steps whose mean and maximum are shown beside the current one.
pub const WINDOW: u32 = 120;
/// Problems listed at most.
const MOST_PROBLEMS: usize = 12;

pub fn show(ui: &mut egui::Ui, app: &mut App) {
    egui::Panel::right("inspector").default_size(292.0).size_range(220.0..=520.0).show(ui, |ui| {
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
            let problems = problems(stage);
            if !problems.is_empty() {
                section(ui, &format!("Problems ({})", problems.len()), true, |ui| {
                    chosen = list_problems(ui, &problems);
                });
            }
            if !scene.controls.is_empty() {
                let title = format!("Joints ({})", scene.controls.len());
                section(ui, &title, true, |ui| joints::show(ui, app));
            }
            // What nothing moves in was opened to look at.
            let is_design = scene.bodies.iter().all(|b| b.motion == Motion::Static);
            section(ui, &format!("Parts ({})", scene.bodies.len()), is_design, |ui| assembly::show(ui, app));
            let Some(stage) = &app.stage else { return };
            // Below the tree, which is not to move where it is clicked.
            if let Some(body) = app.selected {
                section(ui, "Selection", true, |ui| selection(ui, stage, body));
            } else if let Some(node) = app.branch {
                section(ui, "Selection", true, |ui| branch(ui, stage, node));
            }
            section(ui, "Step", true, |ui| {
                step(ui, stage);
                chosen = dearest::show(ui, stage).or(chosen);
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
    let id = title.split(' ').next().unwrap_or(title);
    egui::CollapsingHeader::new(egui::RichText::new(title).strong())
        .id_salt(id)
        .default_open(open)
        .show(ui, contents);
}

/// Two columns of words and numbers.
pub fn grid(ui: &mut egui::Ui, name: &str, contents: impl FnOnce(&mut egui::Ui)) -> egui::Response {
    egui::Grid::new(name).num_columns(2).spacing([10.0, 2.0]).striped(true).show(ui, contents).response
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
    egui::Grid::new("stages").num_columns(4).spacing([12.0, 2.0]).show(ui, |ui| {
        ui.weak("ms");
        ui.weak("now");
        for name in ["mean", "max"] {
            let text = format!("{name} of {}", costs.len());
            ui.weak(text).on_hover_text("of this step and those before it");
        }
        ui.end_row();
        let line = |ui: &mut egui::Ui, now: f64, all: Vec<f64>| {
            // A sum of nothing would be −0.
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
    });
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

/// What a branch of the assembly comes to.
fn branch(ui: &mut egui::Ui, stage: &Stage, node: u32) {
    let scene = &stage.show.scene;
    let bodies = || stage.assembly.bodies(node).map(|b| &scene.bodies[b as usize]);
    let hidden = stage.assembly.bodies(node).filter(|&b| stage.show.hidden.hides(b)).count();
    let meshes = || bodies().filter_map(|b| Some(&scene.meshes[b.mesh? as usize]));
    ui.strong(&stage.assembly.node(node).path);
    grid(ui, "selection", |ui| {
        row(ui, "parts", grouped(bodies().count() as u64));
        row(ui, "hidden", grouped(hidden as u64));
        row(ui, "triangles", grouped(meshes().map(|m| m.triangles().len() as u64).sum()));
        let mass: f64 = bodies().map(|b| b.mass).sum();
        if mass.is_finite() {
            row(ui, "mass", format!("{} kg", significant(mass)));
        }
    });
}

fn selection(ui: &mut egui::Ui, stage: &Stage, body: u32) {
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
                // How many points they touch at is not known.
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

/// What is wrong, and about which body: the chosen one.
fn list_problems(ui: &mut egui::Ui, problems: &[Problem]) -> Option<u32> {
    let mut chosen = None;
    for problem in problems.iter().take(MOST_PROBLEMS) {
        let text = egui::RichText::new(&problem.text).color(ERROR);
        match problem.body {
            Some(body) => {
                let row = egui::Button::selectable(false, text).wrap();
                if ui.add(row).on_hover_text("select the part").clicked() {
                    chosen = Some(body);
                }
            }
            None => drop(ui.add(egui::Label::new(text).wrap())),
        }
    }
    if let Some(more) = problems.len().checked_sub(MOST_PROBLEMS).filter(|n| *n > 0) {
        ui.weak(format!("and {more} more"));
    }
    chosen
}

/// Everything that was assumed, repaired or left out; many of one text as one.
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

/// 12 345, with thin spaces.
pub fn grouped(number: u64) -> String {
    grouped_by('\u{202f}', number)
}

/// Four significant digits.
fn significant(number: f64) -> String {
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
    fn numbers_are_short_and_readable() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(175_696), "175\u{202f}696");
        assert_eq!(grouped(1_000_000), "1\u{202f}000\u{202f}000");
        assert_eq!(significant(0.123_456), "0.1235");
        assert_eq!(significant(7850.0), "7850");
        assert_eq!(significant(1.5e-7), "1.500e-7");
        assert_eq!(significant(f64::INFINITY), "infinite");
    }
}
