//! What lies next to what on a mesh: edges with their class, vertex neighbours, and which triangle owns
//! which vertex and edge, so that a feature pair is tested exactly once.

use glam::{DVec3, Vec3};

/// No triangle: the missing second side of a boundary edge.
pub const NONE: u32 = u32::MAX;

/// How the surface bends at an edge, seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeClass {
    Flat,
    Convex,
    Concave,
    /// One triangle only.
    Boundary,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Vertex indices, in the winding order of the first triangle.
    pub vertices: [u32; 2],
    /// The first owns the edge; the second is [`NONE`] at a boundary. An edge with more than two triangles
    /// is split into boundary edges.
    pub triangles: [u32; 2],
    pub class: EdgeClass,
}

#[derive(Clone, Debug, Default)]
pub struct Topology {
    edges: Vec<Edge>,
    triangle_edges: Vec<[u32; 3]>,
    normals: Vec<DVec3>,
    vertex_owner: Vec<u32>,
    neighbor_start: Vec<u32>,
    neighbors: Vec<u32>,
}

/// |n₀ × n₁| below which two faces count as coplanar (0.01 rad): an edge between them can carry no contact
/// that their vertices do not.
const FLAT_SINE: f64 = 0.01;

impl Topology {
    pub fn new(vertices: &[Vec3], triangles: &[[u32; 3]], two_sided: &[bool]) -> Self {
        let normals: Vec<DVec3> = triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|v| vertices[v as usize].as_dvec3());
                (b - a).cross(c - a).normalize_or_zero()
            })
            .collect();
        let mut half_edges: Vec<(u32, u32, u32, u8)> = triangles
            .iter()
            .enumerate()
            .flat_map(|(t, c)| {
                (0..3).map(move |k| {
                    let (a, b) = (c[k], c[(k + 1) % 3]);
                    (a.min(b), a.max(b), t as u32, k as u8)
                })
            })
            .collect();
        half_edges.sort_unstable();
        let mut edges = Vec::with_capacity(half_edges.len() / 2);
        let mut triangle_edges = vec![[NONE; 3]; triangles.len()];
        for side in half_edges.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
            let directed = |s: &(u32, u32, u32, u8)| {
                let c = triangles[s.2 as usize];
                [c[s.3 as usize], c[(s.3 as usize + 1) % 3]]
            };
            let paired = side.len() == 2 && directed(&side[0]) != directed(&side[1]);
            if paired {
                let (t0, t1) = (side[0].2, side[1].2);
                let v = directed(&side[0]);
                let opposite = triangles[t1 as usize][(side[1].3 as usize + 2) % 3];
                let bend = normals[t0 as usize]
                    .dot(vertices[opposite as usize].as_dvec3() - vertices[v[0] as usize].as_dvec3());
                let (n0, n1) = (normals[t0 as usize], normals[t1 as usize]);
                let class = if n0.cross(n1).length() < FLAT_SINE && n0.dot(n1) > 0.0 {
                    EdgeClass::Flat
                } else if bend < 0.0 || two_sided[t0 as usize] {
                    EdgeClass::Convex
                } else {
                    EdgeClass::Concave
                };
                for s in side {
                    triangle_edges[s.2 as usize][s.3 as usize] = edges.len() as u32;
                }
                edges.push(Edge { vertices: v, triangles: [t0, t1], class });
            } else {
                for s in side {
                    triangle_edges[s.2 as usize][s.3 as usize] = edges.len() as u32;
                    edges.push(Edge {
                        vertices: directed(s),
                        triangles: [s.2, NONE],
                        class: EdgeClass::Boundary,
                    });
                }
            }
        }
        let mut vertex_owner = vec![NONE; vertices.len()];
        for (t, corners) in triangles.iter().enumerate().rev() {
            for &v in corners {
                vertex_owner[v as usize] = t as u32;
            }
        }
        let mut links: Vec<[u32; 2]> =
            edges.iter().flat_map(|e| [e.vertices, [e.vertices[1], e.vertices[0]]]).collect();
        links.sort_unstable();
        links.dedup();
        let mut neighbor_start = vec![0; vertices.len() + 1];
        for link in &links {
            neighbor_start[link[0] as usize + 1] += 1;
        }
        for v in 0..vertices.len() {
            neighbor_start[v + 1] += neighbor_start[v];
        }
        let neighbors = links.iter().map(|l| l[1]).collect();
        Self { edges, triangle_edges, normals, vertex_owner, neighbor_start, neighbors }
    }

    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edge between corners k and k+1 of a triangle, for k = 0, 1, 2.
    pub fn triangle_edges(&self, triangle: u32) -> [u32; 3] {
        self.triangle_edges[triangle as usize]
    }

    /// Unit normal by the winding; zero for a triangle without area.
    pub fn normal(&self, triangle: u32) -> DVec3 {
        self.normals[triangle as usize]
    }

    /// The first triangle at this vertex; [`NONE`] if no triangle uses it.
    pub fn vertex_owner(&self, vertex: u32) -> u32 {
        self.vertex_owner[vertex as usize]
    }

    /// Vertices joined to this one by an edge.
    pub fn neighbors(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.neighbors[self.neighbor_start[v] as usize..self.neighbor_start[v + 1] as usize]
    }
}
