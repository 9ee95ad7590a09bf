//! The vertices and normals of a drawn surface. Normals are smooth where the surface is smooth, and
//! they are sharp at creases.
//!
//! Welded triangles and their paint → indexed vertices. Triangles around a vertex share a normal if
//! their angle is below the crease angle. The normal is weighted by their angles at the vertex. O(n).

use glam::{DVec3, Vec3};

use super::detail::{Level, levels};
use crate::mesh::Mesh;
use crate::scene::looks::Paint;

/// Cosine of the crease angle. The edge between two faces is drawn sharp if the cosine of their angle
/// is below this. The crease angle is 35°, so that a cylinder with eleven sides or more looks round but
/// a chamfer stays sharp.
const CREASE_COSINE: f32 = 0.82;

/// Largest number of corners of a vertex that is smoothed. A vertex with more corners has the normals
/// of its faces. There is a limit because a fan takes time in the square of its corners. At the hub of
/// a disc, all normals agree anyway.
const FAN_LIMIT: usize = 64;

/// A vertex of 20 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Vertex {
    /// Position in body space, m, as bits.
    position: [u32; 3],
    /// Unit normal, 8 bits per component.
    normal: [i8; 4],
    /// Color in sRGB. The last component is 255 if the vertex is highlighted, and otherwise 0.
    color: [u8; 4],
}

const _: () = assert!(size_of::<Vertex>() == 20);

impl Vertex {
    pub fn new(position: Vec3, normal: Vec3, color: [u8; 3]) -> Self {
        let n = (127.0 * normal).round();
        Self {
            position: position.to_array().map(f32::to_bits),
            normal: [n.x as i8, n.y as i8, n.z as i8, 0],
            color: [color[0], color[1], color[2], 0],
        }
    }

    pub fn position(&self) -> Vec3 {
        Vec3::from_array(self.position.map(f32::from_bits))
    }

    pub fn normal(&self) -> Vec3 {
        let [x, y, z, _] = self.normal.map(f32::from);
        Vec3::new(x, y, z).normalize_or_zero()
    }

    pub fn color(&self) -> [u8; 3] {
        [self.color[0], self.color[1], self.color[2]]
    }

    pub fn picked_out(mut self) -> Self {
        self.color[3] = 255;
        self
    }
}

/// Vertices, and indices into them, with three indices per triangle.
#[derive(Default)]
pub struct Shape {
    pub vertices: Vec<Vertex>,
    pub indices: Vec<u32>,
    /// The vertex of the surface from which each vertex was made. In ascending order.
    pub source: Vec<u32>,
    /// Whether only the front sides of its faces are visible from outside.
    pub is_closed: bool,
    /// Levels of detail, for shapes that are small in the picture.
    pub levels: Vec<Level>,
}

impl Shape {
    /// Creates the shape of a body's surface. The winding of a repaired triangle may be flipped; its
    /// colors are found by the order of its corners.
    pub fn of_mesh(mesh: &Mesh, paint: &Paint) -> Self {
        let source = &mesh.surface().source;
        Self::in_colors(mesh, |triangle, corner| match paint {
            Paint::Plain(color) => *color,
            Paint::Corners(corners) => corners.get(source[triangle] as usize).map_or([153; 3], |c| c[corner]),
        })
    }

    /// Creates the shape of a body's surface. `color` returns the color at a corner of a triangle.
    pub fn in_colors(mesh: &Mesh, color: impl Fn(usize, usize) -> [u8; 3]) -> Self {
        let is_closed = !mesh.surface().two_sided.contains(&true);
        Self { is_closed, ..Self::new(mesh.vertices(), mesh.triangles(), color) }
    }

    /// Creates a shape from positions and triangles. `color` returns the color at a corner of a
    /// triangle.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]], color: impl Fn(usize, usize) -> [u8; 3]) -> Self {
        let faces: Vec<Vec3> =
            triangles.iter().map(|t| face_normal(t.map(|v| positions[v as usize]))).collect();
        let angles: Vec<[f32; 3]> = triangles
            .iter()
            .map(|t| {
                let corners = t.map(|v| positions[v as usize]);
                [0, 1, 2].map(|slot| corner_angle(corners, slot))
            })
            .collect();
        let around = Corners::new(positions.len(), triangles);
        let mut shape = Self { indices: vec![0; 3 * triangles.len()], ..Self::default() };
        // The vertices that were made so far at one vertex of the surface.
        let mut made: Vec<(Vertex, u32)> = Vec::new();
        for (at, &position) in positions.iter().enumerate() {
            made.clear();
            let fan = around.of(at);
            let smooth = if fan.len() <= FAN_LIMIT { fan } else { &[] };
            for &corner in fan {
                let (triangle, slot) = (corner as usize / 3, corner as usize % 3);
                let mut normal = Vec3::ZERO;
                for &other in smooth {
                    let face = faces[other as usize / 3];
                    if face.dot(faces[triangle]) >= CREASE_COSINE {
                        normal += angles[other as usize / 3][other as usize % 3] * face;
                    }
                }
                let normal = normal.try_normalize().unwrap_or(faces[triangle]);
                let vertex = Vertex::new(position, normal, color(triangle, slot));
                let index = match made.iter().find(|m| m.0 == vertex) {
                    Some(known) => known.1,
                    None => {
                        let index = shape.vertices.len() as u32;
                        shape.vertices.push(vertex);
                        shape.source.push(at as u32);
                        made.push((vertex, index));
                        index
                    }
                };
                shape.indices[corner as usize] = index;
            }
        }
        shape.levels = levels(&shape, positions);
        shape
    }
}

/// The corners at each vertex, all in one list. A corner is the number 3 × triangle + slot.
struct Corners {
    first: Vec<u32>,
    corners: Vec<u32>,
}

impl Corners {
    fn new(vertex_count: usize, triangles: &[[u32; 3]]) -> Self {
        let mut first = vec![0u32; vertex_count + 1];
        for &v in triangles.as_flattened() {
            first[v as usize + 1] += 1;
        }
        for i in 0..vertex_count {
            first[i + 1] += first[i];
        }
        let mut next = first.clone();
        let mut corners = vec![0u32; 3 * triangles.len()];
        for (corner, &v) in triangles.as_flattened().iter().enumerate() {
            corners[next[v as usize] as usize] = corner as u32;
            next[v as usize] += 1;
        }
        Self { first, corners }
    }

    fn of(&self, vertex: usize) -> &[u32] {
        &self.corners[self.first[vertex] as usize..self.first[vertex + 1] as usize]
    }
}

/// Returns the unit normal, or zero for a triangle without area. Computes in `f64`, because the edges
/// of a sliver almost cancel.
fn face_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    let [a, b, c] = [a, b, c].map(Vec3::as_dvec3);
    let n: DVec3 = (b - a).cross(c - a);
    n.normalize_or_zero().as_vec3()
}

/// Returns the angle at a corner, rad.
fn corner_angle(corners: [Vec3; 3], slot: usize) -> f32 {
    let at = corners[slot];
    (corners[(slot + 1) % 3] - at).angle_between(corners[(slot + 2) % 3] - at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    fn shape(generated: &generate::Triangles) -> Shape {
        let mesh = Mesh::new("", &generated.0, &generated.1).unwrap();
        Shape::of_mesh(&mesh, &Paint::Plain([10, 20, 30]))
    }

    #[test]
    fn a_box_keeps_its_edges_and_a_sphere_is_smooth() {
        let cuboid = shape(&generate::cuboid(Vec3::ONE, 10.0));
        assert_eq!(cuboid.vertices.len(), 24, "three normals at each of eight corners");
        assert!(cuboid.vertices.iter().all(|v| v.normal().abs().max_element() == 1.0));
        let sphere = shape(&generate::sphere(1.0, 24));
        let off = |v: &Vertex| v.normal().dot(v.position().normalize());
        assert!(sphere.vertices.iter().all(|v| off(v) > 0.99), "normals of a sphere point outwards");
        let welded = sphere.source.iter().max().unwrap() + 1;
        assert_eq!(sphere.vertices.len() as u32, welded, "one vertex each");
    }

    #[test]
    fn corners_keep_their_colours() {
        let (positions, triangles) = ([Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE], [[0, 1, 2], [2, 1, 3]]);
        let color = |triangle: usize, corner: usize| [triangle as u8, corner as u8, 7];
        let shape = Shape::new(&positions, &triangles, color);
        for (at, &index) in shape.indices.iter().enumerate() {
            let vertex = shape.vertices[index as usize];
            assert_eq!(vertex.color(), [at as u8 / 3, at as u8 % 3, 7]);
            assert_eq!(vertex.position(), positions[triangles[at / 3][at % 3] as usize]);
        }
    }
}
