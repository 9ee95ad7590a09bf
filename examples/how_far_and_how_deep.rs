//! Moves a ring towards a gear and prints their distance, and then the depth of their overlap.
//!
//! `cargo run --release --example how_far_and_how_deep`

use std::error::Error;

use glam::DVec3;
use tumble::generate::{self, Gear};
use tumble::mesh::Mesh;
use tumble::pose::Pose;
use tumble::query::{PairMemory, Placed, distance, intersect, penetration};
use tumble::tree::{SplitRule, Tree, TreeKind};

fn main() -> Result<(), Box<dyn Error>> {
    let (positions, triangles) = Gear::LARGE.triangles();
    let gear = Mesh::new("gear", &positions, &triangles)?;
    let (positions, triangles) = generate::torus(0.03, 0.01, 128, 64);
    let ring = Mesh::new("ring", &positions, &triangles)?;
    let [a, b] = [&gear, &ring].map(|mesh| Tree::build(TreeKind::default(), SplitRule::default(), mesh));

    let mut memory = PairMemory::default();
    for step in 0..10 {
        let pose = Pose::from_position(DVec3::new(0.1 - 0.01 * f64::from(step), 0.01, 0.005));
        let (gear, ring) = (Placed::new(&a, &gear, Pose::IDENTITY), Placed::new(&b, &ring, pose));
        if intersect(&gear, &ring, &mut memory) {
            match penetration(&gear, &ring, &mut memory) {
                Some(found) => println!("{:.2} mm deep", 1e3 * found.depth),
                None => println!("touching"),
            }
        } else {
            match distance(&gear, &ring, 0.05, &mut memory) {
                Some(found) => println!("{:.2} mm apart", 1e3 * found.distance),
                None => println!("more than 50 mm apart"),
            }
        }
    }
    Ok(())
}
