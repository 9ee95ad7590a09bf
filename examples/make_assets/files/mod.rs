//! Contents of the files of `assets/`: names, parameters, colors, and positions of the parts.
//!
//! The generators build with z up; files are y up as glTF is, so z becomes y here. Parts are apart from
//! each other in a row along x (node translations), so that a file can be viewed or run directly.

mod clip;
mod glb;
mod humanoid;
mod surface_nets;

use glam::Vec3;
use tumble::generate::{
    Anchor, Arch, Bolt, Bracket, Crate, Drum, Gear, Housing, Link, Nut, Pillar, Pipe, Tray, Triangles,
    Washer, Weight,
};

use glb::Glb;

/// Linear RGB.
type Color = [f32; 3];

const STEEL: Color = [0.50, 0.53, 0.57];
const DARK_STEEL: Color = [0.20, 0.22, 0.25];
const BRASS: Color = [0.72, 0.49, 0.17];
const BLUE: Color = [0.07, 0.19, 0.38];
const GREEN: Color = [0.10, 0.29, 0.22];
const RED: Color = [0.50, 0.09, 0.06];
const ORANGE: Color = [0.72, 0.25, 0.05];
const SAND: Color = [0.60, 0.51, 0.39];
const WOOD: Color = [0.38, 0.22, 0.10];
const STONE: Color = [0.46, 0.45, 0.43];
const SKIN: Color = [0.30, 0.36, 0.46];

/// Returns every file of `assets/` with its bytes.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("parts.glb", row(&parts(), 0.14)),
        ("standing.glb", row(&standing(), 1.6)),
        ("chain.glb", row(&chain(), 0.16)),
        ("walker.glb", humanoid::walker(SKIN)),
    ]
}

type Part = (&'static str, Color, Triangles);

fn parts() -> Vec<Part> {
    vec![
        ("gear_small", BRASS, Gear::SMALL.triangles()),
        ("gear_large", STEEL, Gear::LARGE.triangles()),
        ("nut", DARK_STEEL, Nut::M20.triangles()),
        ("bolt", STEEL, Bolt::M20.triangles()),
        ("washer", BRASS, Washer::M20.triangles()),
        ("bracket", ORANGE, Bracket::RIBBED.triangles()),
        ("housing", BLUE, Housing::SMALL.triangles()),
        ("pipe_elbow", GREEN, Pipe::ELBOW.triangles()),
        ("pipe_straight", RED, Pipe::STRAIGHT.triangles()),
        ("tray", SAND, Tray::WORKSHOP.triangles()),
    ]
}

fn standing() -> Vec<Part> {
    vec![
        ("pillar", STONE, Pillar::WAIST_HIGH.triangles()),
        ("drum", BLUE, Drum::BARREL.triangles()),
        ("crate", WOOD, Crate::KNEE_HIGH.triangles()),
        ("arch", SAND, Arch::DOORWAY.triangles()),
    ]
}

fn chain() -> Vec<Part> {
    vec![
        ("link", STEEL, Link::CHAIN.triangles()),
        ("weight", ORANGE, Weight::LIFTING.triangles()),
        ("anchor", DARK_STEEL, Anchor::CEILING.triangles()),
    ]
}

/// Writes a node per part, side by side along x, with centers `spacing` (m) apart; a wider part takes
/// the space it needs.
fn row(parts: &[Part], spacing: f32) -> Vec<u8> {
    let mut file = Glb::default();
    let mut x = 0.0;
    for (name, color, (positions, triangles)) in parts {
        let upright: Vec<Vec3> = positions.iter().map(|p| Vec3::new(p.x, p.z, -p.y)).collect();
        let reach = upright.iter().map(|p| p.x.abs()).fold(0.0, f32::max).max(spacing / 2.0);
        x += reach;
        let mesh = file.mesh(name, *color, &upright, triangles, None);
        file.part(name, mesh, Vec3::new(x, 0.0, 0.0));
        x += reach;
    }
    file.bytes()
}
