//! `tumble inspect`: lists the contents of a scene, its flaws, and the data that is built from it.

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use super::inspect_joints::{JointReport, examine_joints, joint_table};
use super::models::ModelArguments;
use super::{Failure, Outcome, kinds, output};
use crate::body::Motion;
use crate::import::{MotionFile, Note};
use crate::mesh::{Flaws, Mesh, VolumeMethod};
use crate::plan::TreePlan;
use crate::report::{GuidanceFigures, OverlapFigures, overlap_note};
use crate::scene::{self, BodyDef, Scene, SceneError};
use crate::tree::SplitRule;
use crate::world::{StartOverlaps, World};

/// Show a scene: bodies, surfaces, their flaws and hierarchies, and all assumptions made in reading.
#[derive(Args)]
pub(super) struct InspectArguments {
    /// A built-in scene, a scene file (.toml) or a model (.glb, .gltf, .stl, .obj, .ply, .dae, .urdf).
    scene: String,
    #[command(flatten)]
    models: ModelArguments,
    #[arg(long, value_parser = kinds::tree(kinds::Listed::ForUse), help = format!("Hierarchy over each surface, instead of the scene's own. {}", kinds::guided(kinds::Listed::ForUse)))]
    tree: Option<TreePlan>,
    /// Rule by which the builder of the hierarchy divides triangles, instead of the scene's own.
    #[arg(long, value_parser = kinds::split())]
    split: Option<SplitRule>,
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
    bodies: Vec<BodyReport<'a>>,
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

#[derive(Serialize)]
struct SurfaceReport<'a> {
    name: &'a str,
    use_count: usize,
    triangle_count: usize,
    vertex_count: usize,
    /// Side lengths of the bounding box, m.
    size: [f32; 3],
    /// Whether the surface has no open edge.
    closed: bool,
    /// Volume, m³.
    volume: f64,
    volume_method: VolumeMethod,
    flaws: Flaws,
    tree_bytes: usize,
    tree_valid: bool,
    /// The parts that guide the hierarchy, if they were requested.
    guidance: Option<GuidanceFigures>,
}

#[derive(Serialize)]
struct BodyReport<'a> {
    name: &'a str,
    /// Path in the tree of its file, as a sequence of names.
    path: &'a str,
    motion: Motion,
    surface: Option<&'a str>,
    part_count: usize,
    /// Mass, kg; `null` if infinite.
    mass: Option<f64>,
    trigger: bool,
}

/// Loads a scene and prints its contents.
pub(super) fn inspect(arguments: &InspectArguments) -> Result<Outcome, Failure> {
    let mut scene = match scene::load_scene(arguments.models.scene(&arguments.scene), None) {
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
    let world = World::new(&scene)?;
    let overlaps = world.overlaps_at_start();
    scene.notes.extend(overlap_note(&scene, &overlaps));
    let report = examine(&scene, &world, &overlaps);
    if arguments.json {
        output::print_json(&report)?;
    } else {
        output::print(&text(&report))?;
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
        surfaces: (0..scene.meshes.len()).map(|i| examine_surface(scene, i, world)).collect(),
        bodies: scene.bodies.iter().map(|b| examine_body(scene, b)).collect(),
        joints: examine_joints(scene),
        overlaps_at_start: OverlapFigures::of(scene, overlaps),
        notes: &scene.notes,
    }
}

fn mesh_of<'a>(scene: &'a Scene, body: &BodyDef) -> Option<&'a Mesh> {
    body.mesh.map(|m| &*scene.meshes[m as usize])
}

fn examine_surface<'a>(scene: &'a Scene, index: usize, world: &World) -> SurfaceReport<'a> {
    let mesh = &scene.meshes[index];
    let tree = &world.trees()[index];
    let guided = world.guided().find(|(mesh, _)| *mesh as usize == index);
    SurfaceReport {
        name: mesh.name(),
        use_count: scene.bodies.iter().filter(|b| b.mesh == Some(index as u32)).count(),
        triangle_count: mesh.triangles().len(),
        vertex_count: mesh.vertices().len(),
        size: mesh.bounds().size().to_array(),
        closed: mesh.surface().flaws.boundary_edge_count == 0,
        volume: mesh.surface().volume.volume,
        volume_method: mesh.surface().volume.method,
        flaws: mesh.surface().flaws,
        tree_bytes: tree.byte_count(),
        tree_valid: tree.validate(mesh).is_ok(),
        guidance: guided.map(|(_, guided)| GuidanceFigures::of(mesh.name(), guided)),
    }
}

fn examine_body<'a>(scene: &'a Scene, body: &'a BodyDef) -> BodyReport<'a> {
    BodyReport {
        name: &body.name,
        path: &body.path,
        motion: body.motion,
        surface: mesh_of(scene, body).map(Mesh::name),
        part_count: body.parts.len(),
        mass: body.mass.is_finite().then_some(body.mass),
        trigger: body.trigger,
    }
}

/// Formats a report as text.
fn text(report: &Report) -> String {
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
    out.push('\n');
    out += &surface_table(report).to_string();
    if let Some(parts) = parts_table(report) {
        out += "\n\n";
        out += &parts.to_string();
    }
    if let Some(joints) = joint_table(&report.joints) {
        out += "\n\n";
        out += &joints.to_string();
    }
    let flawed: Vec<String> = report.surfaces.iter().filter_map(flaw_line).collect();
    if !flawed.is_empty() {
        out += "\n\nFlaws, repaired where that changes no coordinate:\n";
        out += &flawed.join("\n");
    }
    out
}

/// Returns the table of guided hierarchies, or `None` if none was requested.
fn parts_table(report: &Report) -> Option<Table> {
    let guided: Vec<&GuidanceFigures> = report.surfaces.iter().filter_map(|s| s.guidance.as_ref()).collect();
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(GuidanceFigures::HEADER);
    table.add_rows(GuidanceFigures::rows(&guided, usize::MAX));
    (!guided.is_empty()).then_some(table)
}

fn surface_table(report: &Report) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header([
        "surface",
        "uses",
        "triangles",
        "vertices",
        "size, m",
        "closed",
        "volume, m³",
        "by",
        "tree, kB",
    ]);
    for s in &report.surfaces {
        let method = match s.volume_method {
            VolumeMethod::Divergence => "exact",
            VolumeMethod::Shell => "shell",
        };
        let [x, y, z] = s.size.map(length);
        table.add_row([
            s.name.to_owned(),
            s.use_count.to_string(),
            s.triangle_count.to_string(),
            s.vertex_count.to_string(),
            format!("{x} × {y} × {z}"),
            if s.closed { "yes" } else { "no" }.to_owned(),
            format!("{:.3e}", s.volume),
            method.to_owned(),
            format!("{:.0}{}", s.tree_bytes as f64 / 1e3, if s.tree_valid { "" } else { " INVALID" }),
        ]);
    }
    for column in [1, 2, 3, 6, 8] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Formats a length with three digits, m.
fn length(meters: f32) -> String {
    match meters {
        0.0 => "0".to_owned(),
        m if m < 1e-3 => format!("{m:.2e}"),
        m if m < 1.0 => format!("{m:.4}"),
        m => format!("{m:.2}"),
    }
}

/// Describes the flaws of a surface. Returns `None` if it has no flaws.
fn flaw_line(surface: &SurfaceReport) -> Option<String> {
    let f = &surface.flaws;
    let found: Vec<String> = [
        (f.degenerate_triangle_count, "triangles without area (dropped)"),
        (f.duplicate_triangle_count, "repeated triangles (dropped)"),
        (f.inner_wall_triangle_count, "triangles of walls inside a solid (dropped)"),
        (f.boundary_edge_count, "open edges"),
        (f.nonmanifold_edge_count, "edges with more than two triangles"),
        (f.flipped_triangle_count, "flipped triangles"),
        (f.two_sided_triangle_count, "triangles without an outside (solid from both sides)"),
        (f.unused_vertex_count, "unused vertices"),
        (f.unsettled_component_count, "parts whose outside could not be determined"),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{count} {what}"))
    .collect();
    (!found.is_empty()).then(|| format!("  {}: {}", surface.name, found.join(", ")))
}
