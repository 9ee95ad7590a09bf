//! Triangles around a vertex, and runs of them between sharp edges.

use glam::DVec3;

use super::surface::Surface;
use super::topology::{EdgeClass, LEAST_TURN, MOST_TURN, NONE, Topology};

/// Largest number of triangles around a vertex that is treated as round. The pole of a sphere may have
/// more; it then counts as sharp.
const MOST_TRIANGLES: usize = 48;
/// Triangles around a vertex in order, and the vertices between them.
pub(super) struct Ring {
    triangles: [u32; MOST_TRIANGLES],
    /// Vertex before each triangle, followed by the vertex after the last triangle.
    spokes: [u32; MOST_TRIANGLES + 1],
    count: usize,
    is_closed: bool,
}

/// Smooth part of a ring, between sharp edges.
pub(super) struct Sector {
    /// Vectors from the center vertex to the surrounding vertices, m.
    pub spokes: [DVec3; MOST_TRIANGLES + 1],
    pub count: usize,
    /// Mean direction of the triangles' normals, unit.
    pub normal: DVec3,
    /// Whether the whole ring is smooth.
    pub is_whole: bool,
    /// Sine of the largest angle between neighboring triangles.
    pub turns: f64,
}

/// Kinds of smooth surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bends {
    /// Convex ones. Their vertices can touch.
    Convex,
    /// Convex and concave ones.
    Any,
}

/// Run of consecutive triangles of a ring.
struct Span {
    first: usize,
    length: usize,
    /// Whether the run includes the whole ring.
    is_whole: bool,
    /// Sine of the largest angle between neighboring triangles of the run.
    turns: f64,
}

impl Ring {
    /// Collects the ring of a vertex; `None` if it has too many triangles, or some are two-sided.
    pub fn new(surface: &Surface, topology: &Topology, vertex: u32) -> Option<Self> {
        let start = topology.vertex_owner(vertex);
        if start == NONE {
            return None;
        }
        let mut ring = Self {
            triangles: [NONE; MOST_TRIANGLES],
            spokes: [NONE; MOST_TRIANGLES + 1],
            count: 0,
            is_closed: false,
        };
        // Go back to the end of an open ring, or once around.
        let mut first = start;
        for _ in 0..MOST_TRIANGLES {
            let before = across(topology, first, corner(surface, first, vertex)?);
            if before == NONE || before == start {
                break;
            }
            first = before;
        }
        let mut at = first;
        loop {
            if ring.count == MOST_TRIANGLES || surface.two_sided[at as usize] {
                return None;
            }
            let k = corner(surface, at, vertex)?;
            let corners = surface.triangles[at as usize];
            ring.triangles[ring.count] = at;
            ring.spokes[ring.count] = corners[(k + 1) % 3];
            ring.count += 1;
            ring.spokes[ring.count] = corners[(k + 2) % 3];
            at = across(topology, at, (k + 2) % 3);
            if at == NONE {
                return Some(ring);
            }
            if at == first {
                ring.is_closed = true;
                return Some(ring);
            }
        }
    }

    /// Returns the smooth part of the ring that faces `outward`; `None` if it is flat or has concave
    /// edges.
    pub fn sector(
        &self,
        surface: &Surface,
        topology: &Topology,
        vertex: u32,
        outward: DVec3,
    ) -> Option<Sector> {
        let start = self.facing(topology, outward)?;
        self.sector_around((surface, topology), vertex, start, Bends::Convex).filter(Sector::is_round)
    }

    /// Returns the index in the ring of the triangle that faces `outward` most.
    pub fn facing(&self, topology: &Topology, outward: DVec3) -> Option<usize> {
        let facing = |k: &usize| topology.normal(self.triangles[*k]).dot(outward);
        (0..self.count).max_by(|x, y| facing(x).total_cmp(&facing(y)))
    }

    /// Returns the triangle that faces `outward` most.
    pub fn facing_triangle(&self, topology: &Topology, outward: DVec3) -> Option<u32> {
        self.facing(topology, outward).map(|k| self.triangles[k])
    }

    /// Returns the index of a triangle in the ring.
    pub fn place_of(&self, triangle: u32) -> Option<usize> {
        self.triangles[..self.count].iter().position(|&t| t == triangle)
    }

    /// Returns the smooth part of the ring around the triangle with index `start`; `None` if it bends
    /// otherwise than `bends` allows.
    pub fn sector_around(
        &self,
        (surface, topology): (&Surface, &Topology),
        vertex: u32,
        start: usize,
        bends: Bends,
    ) -> Option<Sector> {
        let Span { first, length, is_whole, turns } = self.span((surface, topology), vertex, start, bends)?;
        let point = |v: u32| surface.vertices[v as usize].as_dvec3();
        let center = point(vertex);
        let spokes = [DVec3::ZERO; MOST_TRIANGLES + 1];
        let mut sector = Sector { spokes, count: 0, normal: DVec3::ZERO, is_whole, turns };
        for step in 0..length {
            let k = (first + step) % self.count;
            sector.spokes[sector.count] = point(self.spokes[k]) - center;
            sector.count += 1;
            sector.normal += topology.normal(self.triangles[k]);
            if step + 1 == length && !is_whole {
                sector.spokes[sector.count] = point(self.spokes[k + 1]) - center;
                sector.count += 1;
            }
        }
        sector.normal = sector.normal.try_normalize()?;
        Some(sector)
    }

    /// Returns the run of triangles around the triangle with index `start`, up to sharp edges; `None`
    /// if an edge is found that `bends` excludes.
    fn span(
        &self,
        (surface, topology): (&Surface, &Topology),
        vertex: u32,
        start: usize,
        bends: Bends,
    ) -> Option<Span> {
        let mut turns: f64 = 0.0;
        let mut is_smooth = |k: usize| {
            let sine = self.turn_before((surface, topology), vertex, k, bends)?;
            let is_smooth = sine < MOST_TURN;
            turns = if is_smooth { turns.max(sine) } else { turns };
            Some(is_smooth)
        };
        let (mut first, mut length) = (start, 1);
        while length < self.count && is_smooth(first)? {
            first = if first > 0 { first - 1 } else { self.count - 1 };
            length += 1;
        }
        let mut last = start;
        while length < self.count {
            let next = if last + 1 < self.count { last + 1 } else { 0 };
            if !is_smooth(next)? {
                break;
            }
            last = next;
            length += 1;
        }
        let is_whole = length == self.count && self.is_closed && is_smooth(first)?;
        Some(Span { first, length, is_whole, turns })
    }

    /// Returns the sine of the angle between the faces at the edge before triangle `k` of the ring.
    /// Infinite if the ring ends there or the angle is 90° or more. `None` at an edge that `bends` excludes.
    fn turn_before(
        &self,
        (surface, topology): (&Surface, &Topology),
        vertex: u32,
        k: usize,
        bends: Bends,
    ) -> Option<f64> {
        if k == 0 && !self.is_closed {
            return Some(f64::INFINITY);
        }
        let triangle = self.triangles[k];
        let corner = corner(surface, triangle, vertex)?;
        let edge = topology.edges()[topology.triangle_edges(triangle)[corner] as usize];
        if edge.class == EdgeClass::Concave && bends == Bends::Convex {
            return None;
        }
        let before = self.triangles[if k > 0 { k - 1 } else { self.count - 1 }];
        let [n0, n1] = [before, triangle].map(|triangle| topology.normal(triangle));
        Some(if n0.dot(n1) > 0.0 { n0.cross(n1).length() } else { f64::INFINITY })
    }
}

impl Sector {
    /// Returns the direction from the sharp edges at the ends of the run into the surface, unit; `None` if
    /// there are no such edges.
    pub fn inward(&self) -> Option<DVec3> {
        if self.is_whole {
            return None;
        }
        let [first, last] = [self.spokes[0], self.spokes[self.count - 1]].map(DVec3::normalize_or_zero);
        self.normal.cross(first - last).try_normalize()
    }

    /// Returns whether the triangles bend like those of a round surface.
    pub fn is_round(&self) -> bool {
        self.turns >= LEAST_TURN
    }
}

/// Returns the corner index of a vertex in a triangle.
fn corner(surface: &Surface, triangle: u32, vertex: u32) -> Option<usize> {
    surface.triangles[triangle as usize].iter().position(|&v| v == vertex)
}

/// Returns the triangle on the other side of an edge of a triangle; [`NONE`] at a boundary.
fn across(topology: &Topology, triangle: u32, corner: usize) -> u32 {
    let [x, y] = topology.edges()[topology.triangle_edges(triangle)[corner] as usize].triangles;
    if x == triangle { y } else { x }
}
