//! Vertices and edge parts of each surface that are inside the other surface.
//!
//! Each end of an edge that crosses the other surface is classified as inside or outside by its nearest
//! crossing and a ray. From a vertex inside, a flood fill along edges without crossings reaches further
//! vertices inside. Patches that are connected inside are merged, for example where a bar goes through
//! a plate. The work is proportional to the part inside. Surfaces without an outside are not treated
//! separately here; exits are tested later.

use glam::DVec3;

use super::curve::{Crossing, Curve};
use super::scope::{PosedSurfaces, Side};
use crate::arrays::MapEach;
use crate::mesh::NONE;
use crate::tree::SegmentStack;
use crate::unions::Unions;

/// Vertex inside the other surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inner {
    pub side: Side,
    pub point: DVec3,
    /// Patch from which it was reached.
    pub patch: u32,
}

/// Edge, or part of an edge, inside the other surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub side: Side,
    pub ends: [DVec3; 2],
    pub patch: u32,
}

#[derive(Default)]
pub(super) struct InnerRegion {
    pub vertices: Vec<Inner>,
    pub parts: Vec<Part>,
    /// Edges with crossings, each by its two vertices, the lower index first; sorted.
    cut: Vec<[u32; 2]>,
    /// Patch from which each vertex was reached; [`NONE`] if it was not reached.
    origins: Vec<u32>,
    /// Vertices still to be visited, each with its patch.
    open: Vec<(u32, u32)>,
    /// Sets of merged patches.
    merged: Unions,
}

impl InnerRegion {
    /// Computes the inner vertices and edge parts, given the crossings, and merges connected patches.
    pub fn fill(&mut self, scope: &PosedSurfaces, curve: &Curve, stack: &mut SegmentStack) {
        self.clear(curve.patches.len());
        for side in Side::BOTH {
            self.start(scope, side);
            let edges = curve.crossings.chunk_by(|x, y| (x.side, x.edge) == (y.side, y.edge));
            for crossings in edges.filter(|c| c[0].side == side) {
                self.add_edge(scope, crossings, stack);
            }
            self.cut.sort_unstable();
            self.flood(scope, side);
        }
        self.merged.settle();
        for inner in &mut self.vertices {
            inner.patch = self.merged.settled(inner.patch);
        }
        for part in &mut self.parts {
            part.patch = self.merged.settled(part.patch);
        }
    }

    /// Returns the first of the patches merged with `patch`.
    pub fn first_patch(&self, patch: u32) -> u32 {
        self.merged.settled(patch)
    }

    fn clear(&mut self, patch_count: usize) {
        self.vertices.clear();
        self.parts.clear();
        self.merged.begin(patch_count);
    }

    /// Fills the region with a whole surface.
    pub fn fill_with(&mut self, scope: &PosedSurfaces, side: Side) {
        self.clear(1);
        self.start(scope, side);
        for &[vertex, ..] in scope.mesh(side).triangles() {
            self.open.push((vertex, 0));
        }
        self.flood(scope, side);
    }

    fn start(&mut self, scope: &PosedSurfaces, side: Side) {
        self.cut.clear();
        self.open.clear();
        self.origins.clear();
        self.origins.resize(scope.mesh(side).vertices().len(), NONE);
    }

    /// Adds the parts of a crossed edge that are inside, and marks its ends to be visited if they are
    /// inside.
    fn add_edge(&mut self, scope: &PosedSurfaces, crossings: &[Crossing], stack: &mut SegmentStack) {
        let (Some(first), Some(last)) = (crossings.first(), crossings.last()) else {
            return;
        };
        let edge = scope.mesh(first.side).topology().edges()[first.edge as usize];
        let [start, end] = edge.vertices;
        self.cut.push([start.min(end), start.max(end)]);
        let [p, q] = edge.vertices.map_each(|v| scope.point(first.side, v));
        // If surfaces only touch, rounding alone decides how the crossings classify the ends, so the
        // ends are tested as well.
        let mut is_inside = |point: DVec3| scope.contains(first.side.other(), point, stack);
        let starts_inside = !first.enters && is_inside(p);
        let ends_inside = last.enters && is_inside(q);
        let mut inside_from = starts_inside.then_some((p, first.patch));
        for crossing in crossings {
            let point = p.lerp(q, crossing.at);
            if crossing.enters {
                inside_from = Some((point, crossing.patch));
            } else if let Some((from, patch)) = inside_from.take() {
                self.merged.unite(patch, crossing.patch);
                self.parts.push(Part { side: first.side, ends: [from, point], patch: crossing.patch });
            }
        }
        if let Some((from, _)) = inside_from.filter(|_| ends_inside) {
            self.parts.push(Part { side: first.side, ends: [from, q], patch: last.patch });
        }
        if starts_inside {
            self.open.push((start, first.patch));
        }
        if ends_inside {
            self.open.push((end, last.patch));
        }
    }

    /// Adds all vertices that are reachable from those in `open` along edges without crossings.
    fn flood(&mut self, scope: &PosedSurfaces, side: Side) {
        let topology = scope.mesh(side).topology();
        while let Some((vertex, patch)) = self.open.pop() {
            let origin = std::mem::replace(&mut self.origins[vertex as usize], patch);
            if origin != NONE {
                self.origins[vertex as usize] = origin;
                self.merged.unite(origin, patch);
                continue;
            }
            let point = scope.point(side, vertex);
            self.vertices.push(Inner { side, point, patch });
            for &neighbor in topology.neighbors(vertex) {
                let ends = [vertex.min(neighbor), vertex.max(neighbor)];
                if self.cut.binary_search(&ends).is_ok() {
                    continue;
                }
                if self.origins[neighbor as usize] != NONE {
                    self.merged.unite(self.origins[neighbor as usize], patch);
                    // The edge is added when its second end is visited.
                    let ends = [point, scope.point(side, neighbor)];
                    self.parts.push(Part { side, ends, patch });
                } else {
                    self.open.push((neighbor, patch));
                }
            }
        }
    }
}
