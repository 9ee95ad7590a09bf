//! Drastic simplification by clustering vertices in floating cells. It gives the simplified surface for
//! a cell width, and the element to which each triangle collapses. \[simplify\] §4.1; Low, Tan 1997,
//! "Model simplification using vertex-clustering"
//!
//! Positions and triangles give a [`Simplifier`], which grades the vertices once. It gives a
//! [`Simplified`] for any cell width: triangles, edges and points between the vertices that represent
//! their cells. Linear per level, plus one sort by weight.
//!
//! - `grade.rs`: the weight of each vertex for the appearance of a surface.
//! - `grid.rs`: vertices by position, in a hashed uniform grid with the cell's width.
//! - `parts.rs`: the parts of a simplified surface.
//! - `sketch.rs`: the widening of the first level's cells to give a sketch.
//! - `widths.rs`: the cell widths at which a surface shows its parts.

mod grade;
mod grid;
mod parts;
mod sketch;
mod widths;

use rustc_hash::FxHashMap as HashMap;

use glam::Vec3;

use super::NONE;
use crate::arrays::MapEach;
use crate::volume::Aabb;
use grid::Grid;
pub use parts::{Partition, partition};
pub use sketch::sketch_widths;
pub use widths::EdgeLengths;

/// Surface with graded vertices, which can be simplified with any cell width.
pub struct Simplifier<'a> {
    positions: &'a [Vec3],
    triangles: &'a [[u32; 3]],
    /// Vertices, by decreasing weight.
    order: Vec<u32>,
    /// Lower corner of the box around all used positions, body space, m.
    min: Vec3,
    diagonal: f32,
}

/// Simplified surface. Vertices are referred to by their index in the original surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simplified {
    /// Cell width, m.
    pub width: f32,
    /// Vertex that represents the cell of each vertex.
    pub representatives: Vec<u32>,
    /// Triangles, each once, with ascending corners.
    pub triangles: Vec<[u32; 3]>,
    /// Edges to which triangles of the surface collapsed, each once, with ascending ends. A side of one
    /// of `triangles` is included only if a triangle collapsed to it.
    pub edges: Vec<[u32; 2]>,
    /// Points to which triangles of the surface collapsed, each once.
    pub points: Vec<u32>,
    /// Index of the element to which each triangle of the surface collapsed. Triangles are counted
    /// first, then edges, then points.
    pub image: Vec<u32>,
}

/// Element of a simplified surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    Triangle([u32; 3]),
    Edge([u32; 2]),
    Point(u32),
}

impl Simplified {
    pub fn element_count(&self) -> usize {
        self.triangles.len() + self.edges.len() + self.points.len()
    }

    /// Returns the element with an index from [`Simplified::image`].
    pub fn element(&self, number: u32) -> Element {
        let at = number as usize;
        let edges = self.triangles.len();
        let points = edges + self.edges.len();
        if at < edges {
            Element::Triangle(self.triangles[at])
        } else if at < points {
            Element::Edge(self.edges[at - edges])
        } else {
            Element::Point(self.points[at - points])
        }
    }
}

impl<'a> Simplifier<'a> {
    /// Grades the vertices. Positions (m) must be finite; unused positions have no effect.
    pub fn new(positions: &'a [Vec3], triangles: &'a [[u32; 3]]) -> Self {
        let corners = triangles.as_flattened().iter().map(|&v| positions[v as usize]);
        let bounds = Aabb::from_points(corners);
        let (min, diagonal) =
            if bounds.is_empty() { (Vec3::ZERO, 0.0) } else { (bounds.min, bounds.diagonal()) };
        Self { positions, triangles, order: grade::order(positions, triangles), min, diagonal }
    }

    /// Returns the cell widths at which the surface's parts become distinct, m, descending. Empty for a
    /// surface of size zero. \[simplify\] §5
    pub fn widths(&self) -> Vec<f32> {
        self.edge_lengths().widths()
    }

    pub fn edge_lengths(&self) -> EdgeLengths {
        EdgeLengths::new(self.positions, self.triangles, self.diagonal)
    }

    /// Returns the surface with all vertices of each cell merged. `width`: cell width, m, > 0.
    pub fn simplify(&self, width: f32) -> Simplified {
        let representatives = self.representatives(width);
        let mut simplified = Simplified { width, representatives, ..Simplified::default() };
        let (mut known_edges, mut known_triangles) = (HashMap::default(), HashMap::default());
        let mut known_points = vec![NONE; self.positions.len()];
        // The kind comes first, because the final indices of edges and points begin after those of the
        // triangles.
        let mut images = Vec::with_capacity(self.triangles.len());
        for corners in self.triangles {
            let mut at = corners.map_each(|v| simplified.representatives[v as usize]);
            at.sort_unstable();
            let [a, b, c] = at;
            images.push(if a == c {
                let known = &mut known_points[a as usize];
                if *known == NONE {
                    *known = simplified.points.len() as u32;
                    simplified.points.push(a);
                }
                (Kind::Point, *known)
            } else if a == b || b == c {
                (Kind::Edge, numbered(&mut known_edges, &mut simplified.edges, [a, c]))
            } else {
                (Kind::Triangle, numbered(&mut known_triangles, &mut simplified.triangles, at))
            });
        }
        let edges = simplified.triangles.len() as u32;
        let points = edges + simplified.edges.len() as u32;
        let number = |(kind, own): (Kind, u32)| match kind {
            Kind::Triangle => own,
            Kind::Edge => edges + own,
            Kind::Point => points + own,
        };
        simplified.image = images.into_iter().map(number).collect();
        simplified
    }

    /// Returns for each vertex the vertex that represents its cell; it is at most half a cell diagonal
    /// away. Repeatedly, the free vertex of largest weight becomes the center of a cube of side `width`
    /// (m, > 0). The cube takes every free vertex inside, and any other vertex inside that is nearer to
    /// it than to its present center.
    pub fn representatives(&self, width: f32) -> Vec<u32> {
        let mut grid = Grid::new(self.positions, self.min, width.max(self.diagonal * 1e-6));
        for &center in &self.order {
            if grid.is_free(center) {
                grid.open(center, self.positions[center as usize]);
            }
        }
        grid.finish()
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Triangle,
    Edge,
    Point,
}

/// Returns the index of a key in a list of distinct keys. Appends the key if it is new.
fn numbered<const N: usize>(
    known: &mut HashMap<[u32; N], u32>,
    list: &mut Vec<[u32; N]>,
    key: [u32; N],
) -> u32 {
    *known.entry(key).or_insert_with(|| {
        list.push(key);
        list.len() as u32 - 1
    })
}
