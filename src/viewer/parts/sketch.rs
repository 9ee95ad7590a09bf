//! A simplified model as a solid drawing: its triangles, its edges as square bars, and its points as
//! octahedra. Edges and points that belong to no triangle are as thick as the geometry that collapsed
//! into them. \[simplify\] Fig. 4; Low, Tan 1997
//!
//! A mesh and its simplified model → a [`Shape`] with sharp edges between its faces, in the colors of
//! the components.

use glam::Vec3;

use super::super::shading::Shape;
use crate::mesh::Mesh;
use crate::mesh::simplify::{Element, Simplified};

/// Least thickness of edges and points, relative to a cell; it makes them visible. The next constant is
/// the largest thickness.
const THIN: f32 = 0.08;
const THICK: f32 = 1.0;
/// Thickness of edges and points that belong to triangles.
const SEAM: f32 = 0.03;

const BAR: [[usize; 3]; 12] = [
    [0, 2, 1],
    [0, 3, 2],
    [4, 5, 6],
    [4, 6, 7],
    [0, 1, 5],
    [0, 5, 4],
    [1, 2, 6],
    [1, 6, 5],
    [2, 3, 7],
    [2, 7, 6],
    [3, 0, 4],
    [3, 4, 7],
];
const OCTAHEDRON: [[usize; 3]; 8] =
    [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];

/// Draws a simplified model. `component_of` gives the component of each triangle of the mesh, and
/// `color` gives the color of a component. Each element gets the color of the component to which most
/// of its triangles belong.
pub fn sketch(
    mesh: &Mesh,
    simplified: &Simplified,
    component_of: &[u32],
    color: impl Fn(u32) -> [u8; 3],
) -> Shape {
    let thickness = thickness(mesh, simplified);
    let mut faces = Faces::default();
    let at = |vertex: u32| mesh.vertices()[vertex as usize];
    for (number, component) in (0..).zip(owners(simplified, component_of)) {
        let thick = thickness[number as usize];
        match simplified.element(number) {
            Element::Triangle(corners) => faces.add(&corners.map(at), &[[0, 1, 2]]),
            Element::Edge(ends) => faces.add(&bar(ends.map(at), thick), &BAR),
            Element::Point(vertex) => faces.add(&octahedron(at(vertex), thick), &OCTAHEDRON),
        }
        faces.colors.resize(faces.triangles.len(), color(component));
    }
    Shape::new(&faces.positions, &faces.triangles, |triangle, _| faces.colors[triangle])
}

/// Returns the component of each element, which is the one to which most of its triangles belong.
fn owners(simplified: &Simplified, component_of: &[u32]) -> Vec<u32> {
    let mut pairs: Vec<[u32; 2]> = simplified
        .image
        .iter()
        .zip(component_of)
        .map(|(&element, &component)| [element, component])
        .collect();
    pairs.sort_unstable();
    let mut owners = vec![(0, 0); simplified.element_count()];
    for run in pairs.chunk_by(|a, b| a == b) {
        let [element, component] = run[0];
        let owner = &mut owners[element as usize];
        *owner = (*owner).max((run.len(), component));
    }
    owners.into_iter().map(|owner| owner.1).collect()
}

/// Returns the side of each edge's bar and the diameter of each point, m. They are those of the round
/// bar or ball on whose surface the collapsed corners are.
fn thickness(mesh: &Mesh, simplified: &Simplified) -> Vec<f32> {
    let at = |vertex: u32| mesh.vertices()[vertex as usize];
    let mut spreads = vec![Spread::default(); simplified.element_count()];
    for (corners, &number) in mesh.triangles().iter().zip(&simplified.image) {
        let spread = &mut spreads[number as usize];
        match simplified.element(number) {
            Element::Triangle(_) => {}
            Element::Edge(ends) => {
                let [a, b] = ends.map(at);
                let along = (b - a).normalize_or_zero();
                corners.iter().for_each(|&v| spread.add((at(v) - a).reject_from_normalized(along)));
            }
            Element::Point(vertex) => corners.iter().for_each(|&v| spread.add(at(v) - at(vertex))),
        }
    }
    let mut sides: Vec<[u32; 2]> =
        simplified.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [a, c]]).collect();
    sides.sort_unstable();
    let mut corners: Vec<u32> = simplified.triangles.as_flattened().to_vec();
    corners.sort_unstable();
    let [thin, thick, seam] = [THIN, THICK, SEAM].map(|share| share * simplified.width);
    let of = |(number, spread): (u32, Spread)| {
        let is_part = match simplified.element(number) {
            Element::Triangle(_) => true,
            Element::Edge(ends) => sides.binary_search(&ends).is_ok(),
            Element::Point(vertex) => corners.binary_search(&vertex).is_ok(),
        };
        if is_part { seam } else { (2.0 * spread.radius()).clamp(thin, thick) }
    };
    (0..).zip(spreads).map(of).collect()
}

/// The deviation of points from their mean.
#[derive(Clone, Copy, Default)]
struct Spread {
    count: f32,
    sum: Vec3,
    square: f32,
}

impl Spread {
    fn add(&mut self, point: Vec3) {
        self.count += 1.0;
        self.sum += point;
        self.square += point.length_squared();
    }

    /// Returns the root mean square deviation.
    fn radius(&self) -> f32 {
        let count = self.count.max(1.0);
        (self.square / count - (self.sum / count).length_squared()).max(0.0).sqrt()
    }
}

/// Returns the corners of a square bar, four at each end.
fn bar([a, b]: [Vec3; 2], thick: f32) -> [Vec3; 8] {
    let along = (b - a).try_normalize().unwrap_or(Vec3::X);
    let (u, v) = along.any_orthonormal_pair();
    let (u, v) = (0.5 * thick * u, 0.5 * thick * v);
    let around = [-u - v, u - v, u + v, -u + v];
    std::array::from_fn(|k| if k < 4 { a + around[k] } else { b + around[k - 4] })
}

fn octahedron(middle: Vec3, thick: f32) -> [Vec3; 6] {
    let r = 0.5 * thick;
    [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z].map(|axis| middle + r * axis)
}

/// Solids with separate corners, so that normals are not smoothed between them.
#[derive(Default)]
struct Faces {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    colors: Vec<[u8; 3]>,
}

impl Faces {
    fn add(&mut self, positions: &[Vec3], triangles: &[[usize; 3]]) {
        let first = self.positions.len();
        self.positions.extend_from_slice(positions);
        self.triangles.extend(triangles.iter().map(|t| t.map(|k| (first + k) as u32)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_and_octahedra_are_closed_and_turned_outwards() {
        let bar = (bar([Vec3::ZERO, Vec3::new(1.0, 2.0, -0.5)], 0.2).to_vec(), BAR.to_vec());
        let ball = (octahedron(Vec3::ONE, 0.4).to_vec(), OCTAHEDRON.to_vec());
        let length = Vec3::new(1.0, 2.0, -0.5).length();
        for ((positions, triangles), volume) in [(bar, 0.04 * length), (ball, 4.0 / 3.0 * 0.008)] {
            let triangles = triangles.iter().map(|t| t.map(|k| k as u32)).collect();
            let generated = (positions, triangles);
            assert_eq!(crate::generate::open_edge_count(&generated), 0);
            let found = crate::generate::signed_volume(&generated);
            assert!((found - f64::from(volume)).abs() < 1e-5, "{found} of {volume}");
        }
    }

    #[test]
    fn every_element_has_its_faces_and_the_colour_of_its_component() {
        let (positions, triangles) = crate::generate::cylinder(0.02, 1.0, 0.01);
        let mesh = Mesh::new("rod", &positions, &triangles).unwrap();
        let simplifier = crate::mesh::simplify::Simplifier::new(mesh.vertices(), mesh.triangles());
        let simplified = simplifier.simplify(0.3);
        let component_of = vec![7; mesh.triangles().len()];
        assert!(!simplified.edges.is_empty() && !simplified.points.is_empty());
        let shape = sketch(&mesh, &simplified, &component_of, |component| [component as u8, 1, 2]);
        let faces = simplified.triangles.len() + 12 * simplified.edges.len() + 8 * simplified.points.len();
        assert_eq!(shape.indices.len(), 3 * faces);
        assert!(shape.vertices.iter().all(|v| v.color() == [7, 1, 2]));
        let thickness = thickness(&mesh, &simplified);
        let edges = &thickness[simplified.triangles.len()..][..simplified.edges.len()];
        assert!(edges.iter().all(|t| (0.03..0.09).contains(t)), "a rod of 0.04: {edges:?}");
    }
}
