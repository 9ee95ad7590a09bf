//! Tests whether and where two surfaces intersect, and prints the work of their hierarchies.
//!
//! `cargo run --release --example ask_two_meshes`

use std::error::Error;

use glam::DVec3;
use tumble::generate::{self, Gear};
use tumble::mesh::Mesh;
use tumble::pose::Pose;
use tumble::query::{find_intersections, surfaces_intersect};
use tumble::tree::{Counts, DescentScratch, SplitRule, Tree, TreeKind};

fn main() -> Result<(), Box<dyn Error>> {
    let (positions, triangles) = Gear::LARGE.triangles();
    let gear = Mesh::new("gear", &positions, &triangles)?;
    let (positions, triangles) = generate::torus(0.03, 0.01, 128, 64);
    let ring = Mesh::new("ring", &positions, &triangles)?;
    println!("{} and {} triangles", gear.triangles().len(), ring.triangles().len());

    let pose = Pose::from_position(DVec3::new(0.02, 0.01, 0.005));
    let mut scratch = DescentScratch::default();
    for kind in [TreeKind::Boxtree8, TreeKind::Aabb, TreeKind::OBB] {
        let [a, b] = [&gear, &ring].map(|mesh| Tree::build(kind, SplitRule::default(), mesh));
        let surfaces = [(&a, &gear), (&b, &ring)];

        let mut counts = Counts::default();
        let meets = surfaces_intersect(surfaces, &pose, &mut scratch, &mut counts);
        println!("{}: {meets} after {} node tests", kind.name(), counts.node_test_count);

        let (mut pairs, mut counts) = (Vec::new(), Counts::default());
        find_intersections(surfaces, &pose, &mut scratch, &mut pairs, &mut counts);
        println!("  {} pairs of triangles after {} node tests", pairs.len(), counts.node_test_count);
    }
    Ok(())
}
