//! Hierarchy of axis-aligned boxes: AABB* and AABB+ of \[cab\] §4, and unions of the links' boxes.
//!
//! The paper fits AABB* to "the eight vertices of a rectangular hull around the original geometry
//! instead of all original vertices". Taken literally, every node of AABB* is fitted to the box corners
//! of all links below it, as every node of AABB+ is fitted to their vertices. Unions of the children's
//! boxes give the same boxes at a lower cost.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x8};
use glam::{Vec3, Vec3A};

use super::aligned::{AlignedBox, AlignedBoxes, BodyBoxes};
use super::eight::LeafPacket;
use super::frame::{Frame, Frames, LANES, Poses, load3};
use super::topology::Topology;
use crate::arrays::{MapEach, from_each};
use crate::volume::Aabb;

#[derive(Clone, Debug)]
pub(super) struct AlignedNodes {
    bodies: Vec<BodyBoxes>,
    leaf_count: usize,
    /// Points to which leaves and inner nodes are fitted; `None` if the nodes are unions.
    fitted: Option<Fitted>,
    /// Boxes in the present poses: the leaves, followed by the inner nodes after a refit.
    pub volumes: Vec<AlignedBox>,
}

/// Parts of the links to which boxes are fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Around {
    /// Each leaf is fitted to its link's box, and each inner node to its children's boxes.
    Boxes,
    /// Every node is fitted to the eight box corners of each link below it: AABB*.
    Corners,
    /// Every node is fitted to all vertices of the links below it: AABB+. A link without vertices
    /// counts by its box corners.
    #[default]
    Vertices,
}

/// Points of each leaf in body space, to which nodes are fitted.
#[derive(Clone, Debug, Default)]
struct Fitted {
    around: Around,
    points: Vec<Vec<Vec3A>>,
    sizes: Vec<f32>,
    frames: Vec<Frame>,
}

impl AlignedNodes {
    /// Builds the nodes over links, each given by its bounds and vertices in body space.
    pub fn new<'a>(around: Around, leaves: impl Iterator<Item = (Aabb, &'a [Vec3])>) -> Self {
        let fitted = (around != Around::Boxes).then(|| Fitted { around, ..Fitted::default() });
        let mut nodes = Self { bodies: Vec::new(), leaf_count: 0, fitted, volumes: Vec::new() };
        for (bounds, vertices) in leaves {
            let leaf = nodes.leaf_count;
            if leaf.is_multiple_of(LANES) {
                nodes.bodies.push(BodyBoxes::default());
            }
            if let Some(fitted) = &mut nodes.fitted {
                fitted.points.push(Vec::new());
                fitted.sizes.push(0.0);
            }
            nodes.leaf_count += 1;
            nodes.set_leaf(leaf, &bounds, vertices);
        }
        nodes.volumes.reserve(2 * nodes.leaf_count);
        if let Some(fitted) = &mut nodes.fitted {
            fitted.frames.reserve(nodes.leaf_count);
        }
        nodes
    }

    pub fn set_leaf(&mut self, leaf: usize, bounds: &Aabb, vertices: &[Vec3]) {
        let bodies = &mut self.bodies[leaf / LANES];
        bodies.set(leaf % LANES, bounds);
        let Some(fitted) = &mut self.fitted else { return };
        let own = &mut fitted.points[leaf];
        own.clear();
        match fitted.around {
            Around::Vertices if !vertices.is_empty() => own.extend(vertices.iter().map(|&v| Vec3A::from(v))),
            _ => own.extend(corners(bounds)),
        }
        fitted.sizes[leaf] = bodies.sizes()[leaf % LANES];
    }

    /// Places the leaves at their poses; `poses` gives eight at a time. Fills `eights` with boxes
    /// around the leaves. Returns the box around all leaves.
    pub fn place(&mut self, poses: impl Fn(usize) -> Poses, eights: &mut Vec<LeafPacket>) -> AlignedBox {
        self.volumes.clear();
        eights.clear();
        dispatch!(Level::new(), simd => self.place_eights(simd, &poses, eights))
    }

    #[inline(always)]
    fn place_eights<S: Simd>(
        &mut self,
        simd: S,
        poses: &impl Fn(usize) -> Poses,
        eights: &mut Vec<LeafPacket>,
    ) -> AlignedBox {
        if let Some(fitted) = &mut self.fitted {
            fitted.frames.clear();
        }
        for (block, bodies) in self.bodies.iter().enumerate() {
            let frames = Frames::new(simd, &poses(block));
            let count = (self.leaf_count - LANES * block).min(LANES);
            let [center, half] = match &mut self.fitted {
                None => {
                    let [center, half] = bodies.around_corners(simd, &frames);
                    let boxes = AlignedBoxes::about(simd, center, half);
                    self.volumes.extend((0..count).map(|lane| boxes.get(lane)));
                    [center, half]
                }
                Some(fitted) => {
                    fitted.frames.extend(&frames.each()[..count]);
                    let first = self.volumes.len();
                    self.volumes.extend((first..first + count).map(|leaf| fitted.around([leaf, 1])));
                    about(simd, &self.volumes[first..])
                }
            };
            eights.push(LeafPacket::new(center, half));
        }
        LeafPacket::bounds(simd, eights)
    }

    /// Fits the inner nodes, children before parents.
    pub fn refit(&mut self, topology: &Topology) {
        self.volumes.truncate(self.leaf_count);
        for inner in &topology.inner {
            let parent = match &self.fitted {
                None => {
                    let [a, b] = inner.children.map_each(|child| &self.volumes[child as usize]);
                    a.union(b)
                }
                Some(fitted) => fitted.around(inner.leaves.map_each(|n| n as usize)),
            };
            self.volumes.push(parent);
        }
    }

    /// Returns the number of points and directions that were rotated for the present boxes.
    pub fn turned_points(&self, topology: &Topology) -> u64 {
        // Two per leaf: the center, and the half extents (one rotation by |R|).
        let Some(fitted) = &self.fitted else { return 2 * self.leaf_count as u64 };
        let inner = &topology.inner[..self.volumes.len().saturating_sub(self.leaf_count)];
        let leaves = (0..self.leaf_count).chain(inner.iter().flat_map(|node| {
            let [first, count] = node.leaves.map_each(|n| n as usize);
            first..first + count
        }));
        leaves.map(|leaf| fitted.points[leaf].len() as u64).sum()
    }
}

impl Fitted {
    /// Fits a box to the points of `count` leaves, starting at `first`.
    fn around(&self, [first, count]: [usize; 2]) -> AlignedBox {
        (first..first + count).fold(AlignedBox::ABSENT, |sum, leaf| {
            sum.union(&AlignedBox::around(&self.points[leaf], self.sizes[leaf], &self.frames[leaf]))
        })
    }
}

/// Returns the centers (NaN for an absent box) and half extents of up to eight boxes.
#[inline(always)]
fn about<S: Simd>(simd: S, boxes: &[AlignedBox]) -> [[f32x8<S>; 3]; 2] {
    let (mut centers, mut halves) = ([[f32::NAN; LANES]; 3], [[0.0; LANES]; 3]);
    for (lane, b) in boxes.iter().enumerate().filter(|(_, b)| !b.is_absent()) {
        for k in 0..3 {
            centers[k][lane] = 0.5 * (b.min[k] + b.max[k]);
            halves[k][lane] = 0.5 * (b.max[k] - b.min[k]);
        }
    }
    [load3(simd, &centers), load3(simd, &halves)]
}

fn corners(bounds: &Aabb) -> [Vec3A; 8] {
    from_each(|k| {
        let side = |bit: usize| if k >> bit & 1 == 0 { bounds.min[bit] } else { bounds.max[bit] };
        Vec3A::new(side(0), side(1), side(2))
    })
}
