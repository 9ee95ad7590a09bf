//! `tumble inspect`: lists the contents of a scene, its flaws, and the data that is built from it.
//!
//! - `joints.rs`: the joints whose drives can be set.
//! - `parts.rs`: the parts: where they stand, their motion and their mass.
//! - `surfaces.rs`: the distinct surfaces, their flaws and their hierarchies.

mod joints;
mod parts;
mod surfaces;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use super::models::{ModelArguments, scene_or_model};
use super::{Failure, Outcome, kinds, output, waiting};
use crate::body::Motion;
use crate::digits::grouped;
use crate::import::{MotionFile, Note};
use crate::mesh::Mesh;
use crate::plan::TreePlan;
use crate::report::{OverlapFigures, overlap_note};
use crate::scene::{BodyDef, Scene, SceneError};
use crate::tree::SplitRule;
use crate::world::{StartOverlaps, World};
use joints::{JointReport, examine_joints, joint_table};
use parts::{PartReport, examine_part, part_tables};
use surfaces::{SurfaceReport, examine_surfaces, flaw_line, guidance_table, surface_table};

/// Largest number of lines per list, unless the user requests all.
const LINES: usize = 50;

/// Show a scene: bodies, surfaces, their flaws and hierarchies, and all assumptions made in reading.
#[derive(Args)]
pub(super) struct InspectArguments {
    #[arg(help = scene_or_model())]
    scene: String,
    #[command(flatten)]
    models: ModelArguments,
    #[arg(long, value_parser = kinds::tree(kinds::Listed::ForUse), help = format!("Hierarchy over each surface, instead of the scene's own. {}", kinds::guided(kinds::Listed::ForUse)))]
    tree: Option<TreePlan>,
    /// Rule by which the builder of the hierarchy divides triangles, instead of the scene's own.
    #[arg(long, value_parser = kinds::split())]
    split: Option<SplitRule>,
    /// Print all lines of every list, not only the first fifty.
    #[arg(long)]
    all: bool,
    /// Print one JSON document instead of tables.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    scene: &'a str,
    description: &'a str,
    /// Hierarchy over each surface.
    tree: String,
    /// The rule that built it.
    split: &'static str,
    body_count: usize,
    dynamic_count: usize,
    kinematic_count: usize,
    static_count: usize,
    link_count: u32,
    joint_count: usize,
    /// Number of triangles of all bodies. A shared surface counts once per body.
    triangle_count: usize,
    /// Number of triangles of distinct surfaces.
    unique_triangle_count: usize,
    /// Number of triangles of skins and visual meshes. They do not collide.
    drawn_triangle_count: usize,
    surfaces: Vec<SurfaceReport<'a>>,
    bodies: Vec<PartReport<'a>>,
    /// The joints whose drives can be set.
    joints: Vec<JointReport<'a>>,
    /// The overlaps at the start, the deepest first.
    overlaps_at_start: Vec<OverlapFigures>,
    notes: &'a [Note],
}

/// Report on a file that contains only motion.
#[derive(Serialize)]
struct MotionReport<'a> {
    file: &'a str,
    #[serde(flatten)]
    content: &'a MotionFile,
}

/// Loads a scene and prints its contents.
pub(super) fn inspect(arguments: &InspectArguments) -> Result<Outcome, Failure> {
    let mut scene = match waiting::load(arguments.models.scene(&arguments.scene), None) {
        Ok(scene) => scene,
        Err(SceneError::MotionOnly { content, .. }) => return inspect_motion(arguments, &content),
        Err(error) => return Err(error.into()),
    };
    let config = &mut scene.config;
    config.tree = arguments.tree.unwrap_or(config.tree);
    config.split = arguments.split.unwrap_or(config.split);
    // Nothing is stepped, so a budget in time need not be converted to tests, which would take a
    // measurement.
    config.budget = None;
    let world = waiting::build(&scene)?;
    let overlaps = waiting::overlaps(&world);
    scene.notes.extend(overlap_note(&scene, &overlaps));
    let report = examine(&scene, &world, &overlaps);
    if arguments.json {
        output::print_json(&report)?;
    } else {
        output::print(&text(&report, if arguments.all { usize::MAX } else { LINES }))?;
        output::report_notes(&scene.notes);
    }
    Ok(Outcome::Done)
}

/// Prints the contents of a file that has only joints and clips.
fn inspect_motion(arguments: &InspectArguments, content: &MotionFile) -> Result<Outcome, Failure> {
    if arguments.json {
        output::print_json(&MotionReport { file: &arguments.scene, content })?;
        return Ok(Outcome::Done);
    }
    let mut clips = Table::new();
    clips.load_style(presets::NOTHING);
    clips.set_header(["clip", "frames", "s", "joints moved"]);
    for clip in &content.clips {
        let duration = format!("{:.2}", clip.duration_s);
        clips.add_row([&clip.name, &clip.frame_count.to_string(), &duration, &clip.node_count.to_string()]);
    }
    output::print(&format!(
        "{}: motion without a surface; a model in a scene file plays it with animation = {{ file = … \
         }}\n\n{clips}\n\n{} {}: {}",
        arguments.scene,
        content.joints.len(),
        if content.joints.len() == 1 { "joint" } else { "joints" },
        content.joints.join(", ")
    ))?;
    output::report_notes(&content.notes);
    Ok(Outcome::Done)
}

fn examine<'a>(scene: &'a Scene, world: &World, overlaps: &StartOverlaps) -> Report<'a> {
    let count = |motion| scene.bodies.iter().filter(|b| b.motion == motion).count();
    let triangle_count = |body: &BodyDef| mesh_of(scene, body).map_or(0, |m| m.triangles().len());
    Report {
        scene: &scene.name,
        description: &scene.description,
        tree: scene.config.tree.name(),
        split: scene.config.split.name(),
        body_count: scene.bodies.len(),
        dynamic_count: count(Motion::Dynamic),
        kinematic_count: count(Motion::Kinematic),
        static_count: count(Motion::Static),
        link_count: scene.skeletons.iter().map(|s| s.link_count).sum(),
        joint_count: scene.joints.len(),
        triangle_count: scene.bodies.iter().map(triangle_count).sum(),
        unique_triangle_count: scene.meshes.iter().map(|m| m.triangles().len()).sum(),
        drawn_triangle_count: scene.drawn.iter().map(|d| d.triangles.len()).sum(),
        surfaces: examine_surfaces(scene, world),
        bodies: scene.bodies.iter().map(|b| examine_part(scene, b)).collect(),
        joints: examine_joints(scene),
        overlaps_at_start: OverlapFigures::of(scene, overlaps),
        notes: &scene.notes,
    }
}

fn mesh_of<'a>(scene: &'a Scene, body: &BodyDef) -> Option<&'a Mesh> {
    body.mesh.map(|m| &*scene.meshes[m as usize])
}

/// Formats a report as text. Each list has at most `most` lines.
fn text(report: &Report, most: usize) -> String {
    let mut out = match report.description {
        "" => format!("{}\n\n", report.scene),
        description => format!("{}: {description}\n\n", report.scene),
    };
    out += &format!(
        "{} bodies ({} dynamic, {} kinematic, {} static), {} of them links of figures, {} joints\n",
        report.body_count,
        report.dynamic_count,
        report.kinematic_count,
        report.static_count,
        report.link_count,
        report.joint_count,
    );
    out += &format!(
        "{} triangles on {} distinct surfaces ({} triangles), each under {}, {}\n",
        report.triangle_count,
        report.surfaces.len(),
        report.unique_triangle_count,
        report.tree,
        report.split,
    );
    if report.drawn_triangle_count > 0 {
        out += &format!("{} triangles more are only drawn\n", report.drawn_triangle_count);
    }
    let [places, masses] = part_tables(&report.bodies, most);
    let tables = [
        Some(surface_table(&report.surfaces, most)),
        guidance_table(&report.surfaces, most),
        Some(places),
        Some(masses),
        joint_table(&report.joints, most),
    ];
    for mut table in tables.into_iter().flatten() {
        out.push('\n');
        if let Some(names) = table.column_mut(0) {
            names.set_padding((0, 1));
        }
        for line in table.lines() {
            out += line.trim_end();
            out.push('\n');
        }
    }
    let flawed: Vec<String> = report.surfaces.iter().filter_map(flaw_line).collect();
    if !flawed.is_empty() {
        out += "\nFlaws, repaired where that changes no coordinate:\n";
        out += &flawed[..flawed.len().min(most)].join("\n");
        if let Some(more) = more(flawed.len(), most) {
            out += &format!("\n  {more}");
        }
    }
    out
}

/// Returns the line that ends a list of which only the first `most` lines are shown; `None` if it is
/// whole.
fn more(count: usize, most: usize) -> Option<String> {
    (count > most).then(|| format!("{} more (--all lists them)", grouped((count - most) as u64)))
}

/// Creates a table without rules. `numbers`: columns that are aligned at the right.
fn plain_table(header: &[&str], numbers: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header);
    for &column in numbers {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
