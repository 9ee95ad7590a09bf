//! The distinct surfaces of a scene, as `tumble inspect` lists them.

use comfy_table::Table;
use serde::Serialize;

use super::{more, plain_table};
use crate::mesh::{Flaws, Mesh, VolumeMethod};
use crate::report::GuidanceFigures;
use crate::scene::Scene;
use crate::tree::Tree;
use crate::world::World;

/// A surface, its flaws and its hierarchy.
#[derive(Serialize)]
pub(super) struct SurfaceReport<'a> {
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

/// Examines all distinct surfaces of a scene.
pub(super) fn examine_surfaces<'a>(scene: &'a Scene, world: &World) -> Vec<SurfaceReport<'a>> {
    let mut use_counts = vec![0; scene.meshes.len()];
    for mesh in scene.bodies.iter().filter_map(|body| body.mesh) {
        use_counts[mesh as usize] += 1;
    }
    let built = scene.meshes.iter().zip(world.trees()).zip(use_counts);
    let mut surfaces: Vec<SurfaceReport> =
        built.map(|((mesh, tree), use_count)| examine_surface(mesh, tree, use_count)).collect();
    for (mesh, guided) in world.guided() {
        let surface = &mut surfaces[mesh as usize];
        surface.guidance = Some(GuidanceFigures::of(surface.name, guided));
    }
    surfaces
}

fn examine_surface<'a>(mesh: &'a Mesh, tree: &Tree, use_count: usize) -> SurfaceReport<'a> {
    SurfaceReport {
        name: mesh.name(),
        use_count,
        triangle_count: mesh.triangles().len(),
        vertex_count: mesh.vertices().len(),
        size: mesh.bounds().size().to_array(),
        closed: mesh.surface().flaws.boundary_edge_count == 0,
        volume: mesh.surface().volume.volume,
        volume_method: mesh.surface().volume.method,
        flaws: mesh.surface().flaws,
        tree_bytes: tree.byte_count(),
        tree_valid: tree.validate(mesh).is_ok(),
        guidance: None,
    }
}

/// Returns the table of guided hierarchies, or `None` if none was requested.
pub(super) fn guidance_table(surfaces: &[SurfaceReport], most: usize) -> Option<Table> {
    let guided: Vec<&GuidanceFigures> = surfaces.iter().filter_map(|s| s.guidance.as_ref()).collect();
    let mut table = plain_table(&GuidanceFigures::HEADER, &[]);
    table.add_rows(GuidanceFigures::rows(&guided, most));
    (!guided.is_empty()).then_some(table)
}

/// Returns the table of the first `most` surfaces.
pub(super) fn surface_table(surfaces: &[SurfaceReport], most: usize) -> Table {
    let header =
        ["surface", "uses", "triangles", "vertices", "size, m", "closed", "volume, m³", "by", "tree, kB"];
    let mut table = plain_table(&header, &[1, 2, 3, 6, 8]);
    for s in surfaces.iter().take(most) {
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
    table.add_rows(more(surfaces.len(), most).map(|text| [text]));
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
pub(super) fn flaw_line(surface: &SurfaceReport) -> Option<String> {
    let f = &surface.flaws;
    let found: Vec<String> = [
        (f.degenerate_triangle_count, "triangles without area (dropped)"),
        (f.duplicate_triangle_count, "repeated triangles (dropped)"),
        (f.inner_wall_triangle_count, "triangles of walls inside a solid (dropped)"),
        (f.split_triangle_count, "triangles split at a vertex of a neighbor on their edge"),
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
