//! Shapes on the GPU, and the drawing of their instances. Consecutive instances with equal shape and
//! level of detail form a run, and each run takes one draw call.

use std::ops::Range;

use glam::{DVec3, Vec3};
use wgpu::util::DeviceExt;

use super::spec::Sided;
use super::view::Instance;
use crate::viewer::shading::{Shape, Vertex};

/// Index of a shape in a [`super::Painter`], in the order in which the shapes were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId(pub u32);

/// All shapes of a painter.
#[derive(Default)]
pub(super) struct Shapes {
    list: Vec<Uploaded>,
}

/// The buffers of one shape.
struct Uploaded {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    /// The levels of detail, finest first. Each has an edge length (m) and a range of indices. The edge
    /// length is that of the grid cells in which vertices were merged, or 0 for the shape itself.
    levels: Vec<(f32, Range<u32>)>,
    is_closed: bool,
    bounds: Ball,
}

/// A bounding sphere in shape space, m.
#[derive(Clone, Copy)]
struct Ball {
    center: Vec3,
    radius: f32,
}

/// The form in which an instance is drawn. Instances with equal versions share one draw call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version {
    shape: ShapeId,
    level: usize,
    /// Whether the instance is drawn whole in spite of a section.
    is_whole: bool,
}

/// Consecutive instances that have the same version.
pub(super) struct InstanceRun {
    version: Version,
    instances: Range<u32>,
}

impl Shapes {
    /// Removes all shapes.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// Uploads a shape.
    pub fn add(&mut self, device: &wgpu::Device, shape: &Shape) -> ShapeId {
        let buffer = |label: &str, contents: &[u8], usage: wgpu::BufferUsages| {
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some(label),
                contents,
                usage,
            })
        };
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
        let mut indices = shape.indices.clone();
        let mut levels = vec![(0.0, 0..indices.len() as u32)];
        for level in &shape.levels {
            let first = indices.len() as u32;
            indices.extend_from_slice(&level.indices);
            levels.push((level.cell, first..indices.len() as u32));
        }
        self.list.push(Uploaded {
            vertices: buffer("vertices", bytemuck::cast_slice(&shape.vertices), usage),
            indices: buffer("indices", bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX),
            levels,
            is_closed: shape.is_closed,
            bounds: ball(&shape.vertices),
        });
        ShapeId(self.list.len() as u32 - 1)
    }

    /// Replaces the vertices of a shape by the same number of other vertices.
    pub fn update(&mut self, queue: &wgpu::Queue, id: ShapeId, vertices: &[Vertex]) {
        let shape = &mut self.list[id.0 as usize];
        shape.bounds = ball(vertices);
        queue.write_buffer(&shape.vertices, 0, bytemuck::cast_slice(vertices));
    }

    /// Returns the bounding sphere of an instance: its center (world, m) and radius (m).
    pub fn ball(&self, instance: &Instance) -> (DVec3, f64) {
        let Ball { center, radius } = self.list[instance.shape.0 as usize].bounds;
        (instance.pose.transform_point(center.as_dvec3()), f64::from(radius))
    }

    /// Returns the version of an instance at the coarsest level whose cells are at most `size` (m)
    /// wide.
    pub fn version(&self, instance: &Instance, size: f64) -> Version {
        let levels = &self.list[instance.shape.0 as usize].levels;
        let level = levels.iter().rposition(|l| f64::from(l.0) <= size).unwrap_or(0);
        Version { shape: instance.shape, level, is_whole: instance.is_whole }
    }

    /// Draws runs of instances. Uses the pipelines `whole` for runs that are drawn whole, and the
    /// pipelines `cut` for runs that a section cuts.
    pub fn draw(&self, runs: &[InstanceRun], [cut, whole]: [&Sided; 2], pass: &mut wgpu::RenderPass) {
        for InstanceRun { version, instances } in runs {
            let pipelines = if version.is_whole { whole } else { cut };
            let shape = &self.list[version.shape.0 as usize];
            let indices = shape.levels[version.level].1.clone();
            if !indices.is_empty() {
                pass.set_pipeline(if shape.is_closed { &pipelines.front } else { &pipelines.both });
                pass.set_vertex_buffer(0, shape.vertices.slice(..));
                pass.set_index_buffer(shape.indices.slice(..), wgpu::IndexFormat::Uint32);
                pass.draw_indexed(indices, 0, instances.clone());
            }
        }
    }
}

/// Groups versions into runs. The versions are in the order of their instances, and the first instance
/// has the index `first`.
pub(super) fn runs(versions: impl Iterator<Item = Version>, first: u32) -> Vec<InstanceRun> {
    let mut runs: Vec<InstanceRun> = Vec::new();
    for (at, version) in (first..).zip(versions) {
        match runs.last_mut() {
            Some(last) if last.version == version => last.instances.end = at + 1,
            _ => runs.push(InstanceRun { version, instances: at..at + 1 }),
        }
    }
    runs
}

/// Returns the bounding sphere of vertices. Its center is the middle of their bounding box, and it
/// reaches to the farthest vertex.
fn ball(vertices: &[Vertex]) -> Ball {
    let positions = || vertices.iter().map(Vertex::position);
    let (min, max) = positions().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
    if !min.is_finite() {
        return Ball { center: Vec3::ZERO, radius: 0.0 };
    }
    let center = 0.5 * (min + max);
    Ball { center, radius: positions().map(|p| p.distance(center)).fold(0.0, f32::max) }
}
