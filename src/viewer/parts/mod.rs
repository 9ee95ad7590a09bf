//! Pictures of the levels at which surfaces show their parts. One shows the simplified model of a
//! level. The other shows the components of the surface that the model's parts represent, in the same
//! colors. \[simplify\] §3, Fig. 4
//!
//! Scene → [`Parts`], and the shapes to upload. If a surface has fewer levels than others, it stays at
//! its last level.
//!
//! - `colors.rs`: colors that distinguish components.
//! - `search.rs`: the search for the parts of a scene, on a separate thread.
//! - `sketch.rs`: a simplified model as a solid drawing.

mod colors;
mod search;
mod sketch;

use std::fmt::{self, Display};

use serde::Serialize;

pub use search::LevelSearch;

use super::gpu::ShapeId;
use super::shading::Shape;
use super::show::Look;
use crate::mesh::simplify::Simplifier;
use crate::mesh::{ComponentTree, Mesh, Refinement};
use crate::scene::Scene;

/// The numbers of one level of one surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PartCounts {
    /// Side of a cell, m.
    pub width: f32,
    /// Number of triangles of the simplified model. The next fields are its edges and points.
    pub triangles: u32,
    pub edges: u32,
    pub points: u32,
    /// Number of components of the surface. Components that stayed whole since coarser levels are
    /// included.
    pub components: u32,
}

struct PartLevel {
    counts: PartCounts,
    simplified: ShapeId,
    components: ShapeId,
}

/// Color of an undivided surface.
const PLAIN: [u8; 3] = [168, 170, 174];

enum PlainColor {
    Whole(ShapeId),
    /// The levels, the coarsest first. There is at least one.
    Divided(Vec<PartLevel>),
}

/// The levels of all surfaces of a scene.
pub struct Parts {
    /// Surface of each mesh of the scene.
    surfaces: Vec<PlainColor>,
}

impl Parts {
    /// Finds the parts of a scene. Also returns the shapes to upload, whose ids begin at `first`.
    pub fn find(scene: &Scene, first: u32) -> (Self, Vec<Shape>) {
        let mut shapes = Vec::new();
        let mut add = |shape: Shape| {
            shapes.push(shape);
            ShapeId(first + shapes.len() as u32 - 1)
        };
        let surfaces =
            scene.meshes.iter().zip(0..).map(|(mesh, at)| PlainColor::new(mesh, at, &mut add)).collect();
        (Self { surfaces }, shapes)
    }

    /// Returns the number of levels of the surface with the most levels.
    pub fn level_count(&self) -> u32 {
        self.surfaces.iter().map(|s| s.levels().len() as u32).max().unwrap_or(0)
    }

    /// Returns the numbers of each level of a mesh.
    pub fn of(&self, mesh: u32) -> impl ExactSizeIterator<Item = PartCounts> {
        self.surfaces[mesh as usize].levels().iter().map(|l| l.counts)
    }

    /// Returns the shape of a mesh at a level; the first level is 1. If the mesh is undivided, the
    /// shape is gray.
    pub fn shape(&self, mesh: u32, look: Look, number: u32) -> ShapeId {
        match (&self.surfaces[mesh as usize], look) {
            (PlainColor::Whole(shape), _) => *shape,
            (PlainColor::Divided(levels), Look::Simplified) => at(levels, number).simplified,
            (PlainColor::Divided(levels), _) => at(levels, number).components,
        }
    }

    /// Describes one level of those meshes that are divided: the elements of the simplified models, and
    /// the components.
    pub fn describe(&self, meshes: impl Iterator<Item = u32>, level: u32) -> [String; 2] {
        let (mut sum, mut count) = (PartCounts::default(), 0);
        let divided = |mesh: u32| match &self.surfaces[mesh as usize] {
            PlainColor::Whole(_) => None,
            PlainColor::Divided(levels) => Some(at(levels, level).counts),
        };
        for own in meshes.filter_map(divided) {
            count += 1;
            sum.width = own.width;
            sum.triangles += own.triangles;
            sum.edges += own.edges;
            sum.points += own.points;
            sum.components += own.components;
        }
        let elements = match count {
            0 => return ["nothing divides it".to_owned(), counted(1, "component")],
            1 => format!("level {level}, {sum}"),
            _ => format!("level {level} of {count} surfaces: {}", sum.elements()),
        };
        [elements, counted(sum.components, "component")]
    }
}

impl PlainColor {
    fn new(mesh: &Mesh, index: usize, add: &mut impl FnMut(Shape) -> ShapeId) -> Self {
        let tree = ComponentTree::new(mesh, Refinement::Whole);
        let simplifier = Simplifier::new(mesh.vertices(), mesh.triangles());
        let mut palette = colors::Coloring::new(tree.components.len(), index);
        let mut levels = Vec::new();
        for (level, found) in (1u32..).zip(&tree.levels) {
            let component_of = tree.after(level);
            let simplified = simplifier.simplify(found.width);
            let components = palette.refine(mesh, &tree, &component_of, &simplified.representatives);
            let color = |component: u32| palette.of(component);
            let counts = PartCounts {
                width: found.width,
                triangles: found.triangle_count,
                edges: found.edge_count,
                points: found.point_count,
                components,
            };
            levels.push(PartLevel {
                counts,
                simplified: add(sketch::sketch(mesh, &simplified, &component_of, color)),
                components: add(Shape::in_colors(mesh, |triangle, _| color(component_of[triangle]))),
            });
        }
        if levels.is_empty() {
            Self::Whole(add(Shape::in_colors(mesh, |_, _| PLAIN)))
        } else {
            Self::Divided(levels)
        }
    }

    fn levels(&self) -> &[PartLevel] {
        match self {
            Self::Whole(_) => &[],
            Self::Divided(levels) => levels,
        }
    }
}

/// Returns the level with this number, or the last level if there are fewer.
fn at(levels: &[PartLevel], number: u32) -> &PartLevel {
    &levels[(number.saturating_sub(1) as usize).min(levels.len() - 1)]
}

impl PartCounts {
    fn elements(&self) -> String {
        let [triangles, edges, points] =
            [(self.triangles, "triangle"), (self.edges, "edge"), (self.points, "point")]
                .map(|(count, what)| counted(count, what));
        format!("{triangles}, {edges}, {points}")
    }
}

/// Formats the numbers, for example `cells of 0.35 m: 17 triangles, 9 edges, 4 points`.
impl Display for PartCounts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "cells of {} m: {}", significant(self.width), self.elements())
    }
}

/// Formats a number with a noun in the singular or plural, for example `1 edge` or `9 edges`.
pub fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Formats a number with three significant digits.
fn significant(number: f32) -> String {
    let digits = (2 - number.log10().floor() as i32).clamp(0, 12) as usize;
    format!("{number:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Replica;

    fn windmill() -> Mesh {
        let (positions, triangles) = Replica::Windmill.triangles();
        Mesh::new("windmill", &positions, &triangles).unwrap()
    }

    #[test]
    fn every_level_has_two_shapes_and_the_components_cover_the_surface() {
        let mesh = windmill();
        let mut shapes = Vec::new();
        let surface = PlainColor::new(&mesh, 0, &mut |shape| {
            shapes.push(shape);
            ShapeId(shapes.len() as u32 - 1)
        });
        let levels = surface.levels();
        assert!(levels.len() >= 2);
        assert_eq!(shapes.len(), 2 * levels.len());
        for level in levels {
            let shown = &shapes[level.components.0 as usize];
            assert_eq!(shown.indices.len(), 3 * mesh.triangles().len());
            let counts = level.counts;
            let faces = counts.triangles + 12 * counts.edges + 8 * counts.points;
            assert_eq!(shapes[level.simplified.0 as usize].indices.len(), 3 * faces as usize);
        }
        let counts: Vec<u32> = levels.iter().map(|l| l.counts.components).collect();
        assert!(counts.is_sorted() && counts[0] >= 2, "{counts:?}");
        assert_eq!(Some(at(levels, 99).counts), levels.last().map(|l| l.counts), "it stays at its last");
    }

    #[test]
    fn undivided_surfaces_are_grey() {
        let (positions, triangles) = crate::generate::cuboid(glam::Vec3::ONE, 1.0);
        let mesh = Mesh::new("box", &positions, &triangles).unwrap();
        let mut shapes = Vec::new();
        let surface = PlainColor::new(&mesh, 3, &mut |shape| {
            shapes.push(shape);
            ShapeId(shapes.len() as u32 - 1)
        });
        assert!(surface.levels().is_empty());
        assert!(shapes.len() == 1 && shapes[0].vertices.iter().all(|v| v.color() == PLAIN));
    }

    #[test]
    fn counts_are_told_in_words() {
        let counts = PartCounts { width: 0.3541, triangles: 17, edges: 1, points: 0, components: 4 };
        assert_eq!(counts.to_string(), "cells of 0.354 m: 17 triangles, 1 edge, 0 points");
        assert_eq!(significant(12.0), "12.0");
        assert_eq!(significant(0.001_234), "0.00123");
        assert_eq!(significant(12_345.0), "12345");
    }
}
