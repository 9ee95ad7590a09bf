//! A hierarchy of axis-aligned boxes: AABB* and AABB+. \[cab\] §4

use glam::{Vec3, Vec3A};

use super::aligned::{AlignedBox, BodyBox};
use super::frame::Frame;
use super::topology::Topology;
use crate::volume::Aabb;

#[derive(Clone, Debug)]
pub(super) struct AlignedNodes {
    leaves: Vec<BodyBox>,
    /// What every node is fitted to, where that is the vertices of the leaves below.
    fitted: Option<Fitted>,
    /// Of the frame: leaves, and what is above them once it was asked for.
    pub volumes: Vec<AlignedBox>,
}

/// By leaf.
#[derive(Clone, Debug)]
struct Fitted {
    vertices: Vec<Vec<Vec3A>>,
    frames: Vec<Option<(Frame, f32)>>,
}

impl AlignedNodes {
    /// AABB*, around the corners of the links' boxes.
    pub fn around_corners(leaves: impl Iterator<Item = Aabb>) -> Self {
        let leaves: Vec<BodyBox> = leaves.map(|bounds| BodyBox::new(&bounds)).collect();
        let volumes = Vec::with_capacity(2 * leaves.len());
        Self { leaves, fitted: None, volumes }
    }

    /// AABB+, around all vertices, or the corners of the bounds where there are none.
    pub fn around_vertices<'a>(leaves: impl Iterator<Item = (Aabb, &'a [Vec3])>) -> Self {
        let mut vertices = Vec::new();
        let mut nodes = Self::around_corners(leaves.map(|(bounds, points)| {
            let mut own = Vec::new();
            take(&mut own, &bounds, points);
            vertices.push(own);
            bounds
        }));
        nodes.fitted = Some(Fitted { frames: Vec::with_capacity(vertices.len()), vertices });
        nodes
    }

    pub fn set_leaf(&mut self, leaf: usize, bounds: &Aabb, vertices: &[Vec3]) {
        self.leaves[leaf] = BodyBox::new(bounds);
        if let Some(fitted) = &mut self.fitted {
            take(&mut fitted.vertices[leaf], bounds, vertices);
        }
    }

    /// Takes the leaves' frames, one each in their order. Returns what is around all.
    pub fn place(&mut self, frames: impl Iterator<Item = Option<(Frame, f32)>>) -> AlignedBox {
        self.volumes.clear();
        match &mut self.fitted {
            None => self.volumes.extend(self.leaves.iter().zip(frames).map(|(leaf, frame)| {
                let around = |(frame, reach)| AlignedBox::around_corners(leaf, &frame, reach);
                frame.map_or(AlignedBox::ABSENT, around)
            })),
            Some(fitted) => {
                fitted.frames.clear();
                fitted.frames.extend(frames);
                self.volumes
                    .extend((0..self.leaves.len()).map(|leaf| fitted.around(&self.leaves, [leaf, 1])));
            }
        }
        self.volumes.iter().fold(AlignedBox::ABSENT, |sum, b| sum.union(b))
    }

    /// The nodes above the leaves, from low to high.
    pub fn refit(&mut self, topology: &Topology) {
        self.volumes.truncate(self.leaves.len());
        for inner in &topology.inner {
            let parent = match &self.fitted {
                None => {
                    let [a, b] = inner.children.map(|child| &self.volumes[child as usize]);
                    a.union(b)
                }
                Some(fitted) => fitted.around(&self.leaves, inner.leaves.map(|n| n as usize)),
            };
            self.volumes.push(parent);
        }
    }
}

impl Fitted {
    /// Around all vertices of so many leaves from the first.
    fn around(&self, leaves: &[BodyBox], [first, count]: [usize; 2]) -> AlignedBox {
        (first..first + count).fold(AlignedBox::ABSENT, |sum, leaf| match &self.frames[leaf] {
            None => sum,
            Some((frame, reach)) => {
                let own = AlignedBox::around_vertices(&self.vertices[leaf], &leaves[leaf], frame, *reach);
                sum.union(&own)
            }
        })
    }
}

fn take(own: &mut Vec<Vec3A>, bounds: &Aabb, vertices: &[Vec3]) {
    own.clear();
    match vertices {
        [] => own.extend(BodyBox::new(bounds).corners()),
        _ => own.extend(vertices.iter().map(|&v| Vec3A::from(v))),
    }
}
