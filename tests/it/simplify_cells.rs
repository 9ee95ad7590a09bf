//! Vertices join the nearest of the cells that contain them, whatever the order in which cells are
//! opened.

use std::collections::BTreeSet;

use tumble::generate::Replica;
use tumble::generate::{self, Triangles};
use tumble::mesh::simplify::Simplifier;

/// Asserts \[simplify\] §4.1: a vertex belongs to the nearest center whose cube contains it, and a
/// center to itself.
fn assert_nearest(name: &str, (positions, triangles): &Triangles, width: f32) -> usize {
    let representatives = Simplifier::new(positions, triangles).representatives(width);
    let centers: BTreeSet<u32> = representatives.iter().copied().collect();
    let mut contested = 0;
    for (vertex, &own) in representatives.iter().enumerate() {
        let at = |center: u32| positions[vertex] - positions[center as usize];
        assert_eq!(representatives[own as usize], own, "{name}: a centre is held by itself");
        if centers.contains(&(vertex as u32)) {
            continue;
        }
        let holds = |&&center: &&u32| at(center).abs().max_element() <= 0.5 * width;
        let holding: Vec<u32> = centers.iter().filter(holds).copied().collect();
        let nearest = holding.iter().map(|&c| at(c).length_squared()).fold(f32::INFINITY, f32::min);
        assert_eq!(at(own).length_squared(), nearest, "{name}: vertex {vertex} at width {width}");
        contested += usize::from(holding.len() > 1);
    }
    contested
}

#[test]
fn a_vertex_goes_to_the_nearest_centre_and_not_to_the_last() {
    let shapes = [
        ("torus", generate::torus(0.7, 0.3, 40, 20)),
        ("soup", generate::soup(600, 0.2, 3)),
        ("chair", Replica::Chair.triangles()),
    ];
    for (name, shape) in &shapes {
        let size = shape.0.iter().fold(0.0, |most: f32, p| most.max(p.abs().max_element()));
        let contested: usize =
            [0.1, 0.3, 0.6].map(|share| assert_nearest(name, shape, share * size)).iter().sum();
        assert!(contested > 100, "{name}: {contested} vertices in more than one cell");
    }
}
