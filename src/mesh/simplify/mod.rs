//! Drastic simplification by clustering vertices in floating cells: what remains of a surface at a given
//! width of cell, and what became of each of its triangles. \[simplify\] §4.1; Low, Tan 1997, "Model
//! simplification using vertex-clustering"
//!
//! Positions and triangles → [`Simplifier`] (vertices graded once) → [`Simplified`] for any width: triangles,
//! edges and points between the vertices that stand for their cells. Linear a level, and one sort by grade.
//!
//! - `grade.rs`: how much each vertex matters to the look of a surface.
//! - `grid.rs`: vertices by place, in a hashed uniform grid as wide as a cell.
//! - `parts.rs`: the parts of a simplified surface.
//! - `sketch.rs`: how much wider than a drop of the histogram the first level's cells are.
//! - `widths.rs`: at which widths of cell a surface shows its parts.

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

/// A surface whose vertices are graded, ready to be simplified at any width.
pub struct Simplifier<'a> {
    positions: &'a [Vec3],
    triangles: &'a [[u32; 3]],
    /// The vertices, those that matter most first.
    order: Vec<u32>,
    /// The lower corner of the box around all positions, m.
    min: Vec3,
    diagonal: f32,
}

/// What remains of a surface. Vertices are named by their index in the surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simplified {
    /// Side of a cell, m.
    pub width: f32,
    /// For each vertex, the one that stands for its cell.
    pub representatives: Vec<u32>,
    /// Each once, corners ascending.
    pub triangles: Vec<[u32; 3]>,
    /// To which triangles of the surface collapsed, each once, ends ascending; sides of the triangles above
    /// are among them only if a triangle collapsed to them.
    pub edges: Vec<[u32; 2]>,
    /// To which triangles of the surface collapsed, each once.
    pub points: Vec<u32>,
    /// For each triangle of the surface, the element it became: triangles are numbered first, then edges,
    /// then points.
    pub image: Vec<u32>,
}

/// An element of a simplified surface.
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

    /// The element of a number in [`Simplified::image`].
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
    /// Positions (m) are finite; those that no triangle uses do no harm.
    pub fn new(positions: &'a [Vec3], triangles: &'a [[u32; 3]]) -> Self {
        let corners = triangles.as_flattened().iter().map(|&v| positions[v as usize]);
        let bounds = Aabb::from_points(corners);
        let (min, diagonal) =
            if bounds.is_empty() { (Vec3::ZERO, 0.0) } else { (bounds.min, bounds.diagonal()) };
        Self { positions, triangles, order: grade::order(positions, triangles), min, diagonal }
    }

    /// Widths at which the surface shows its parts, coarsest first, m: none if it has no size. \[simplify\]
    /// §5
    pub fn widths(&self) -> Vec<f32> {
        self.edge_lengths().widths()
    }

    pub fn edge_lengths(&self) -> EdgeLengths {
        EdgeLengths::new(self.positions, self.triangles, self.diagonal)
    }

    /// The surface with all vertices of a cell become one; `width` (m) is the side of a cell, more than 0.
    pub fn simplify(&self, width: f32) -> Simplified {
        let representatives = self.representatives(width);
        let mut simplified = Simplified { width, representatives, ..Simplified::default() };
        let (mut known_edges, mut known_triangles) = (HashMap::default(), HashMap::default());
        let mut known_points = vec![NONE; self.positions.len()];
        // By kind first, as the numbers of edges and points begin where triangles end.
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

    /// For each vertex, the one that stands for its cell, in it and at most half a diagonal of a cell away.
    /// The heaviest vertex that no cell holds yet opens a cube of side `width` (m, more than 0) about itself;
    /// what lies inside joins it, and what another cell holds if this centre is nearer.
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

/// The place of a key in a list of distinct ones.
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
