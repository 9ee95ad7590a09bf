//! Draws a [`View`]: shadow, surfaces, sky, ground, lines, outlines, in this order, so that the processor
//! that draws in software fills each pixel of the sky once.
//!
//! Shapes are uploaded once and named by [`ShapeId`]; instances outside the picture are not drawn.

use std::ops::Range;

use glam::{DVec3, Vec3};
use wgpu::util::DeviceExt;

use super::Gpu;
use super::buffer::Stream;
use super::frame::{FrameUniform, frustum};
use super::outline::{Outline, bounds};
use super::pipelines::{DEPTH, Pipelines, Sided};
use super::shadow::Shadow;
use super::view::{Instance, PlacedInstance, Stroke, View};
use crate::viewer::shading::{Shape, Vertex};

/// Names a shape of a [`Painter`]: how many were added before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId(pub u32);

/// Where in the target a view goes: left, top, width, height, px.
pub type Area = [u32; 4];

/// How much care a picture gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// For a window that a processor draws: one sample a pixel, shadows with hard edges.
    Quick,
    /// Four samples a pixel, which cost a processor five times; soft shadows.
    Fine,
}

pub struct Painter {
    device: wgpu::Device,
    queue: wgpu::Queue,
    format: wgpu::TextureFormat,
    sample_count: u32,
    pipelines: Pipelines,
    uniform: wgpu::Buffer,
    bind_group: wgpu::BindGroup,
    shadow: Shadow,
    outline: Outline,
    shapes: Vec<Uploaded>,
    /// Whether a shape changed since the shadow was drawn.
    shape_changed: bool,
    placed: Stream,
    strokes: Stream,
    caps: Stream,
    targets: Option<Targets>,
    /// Shapes may be simplified by so much of a pixel.
    pixel_share: f64,
}

struct Uploaded {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    /// Side of the cells (m) and indices of each level, finest first; the first is the shape itself.
    levels: Vec<(f32, Range<u32>)>,
    is_closed: bool,
    /// Shape space, m.
    center: Vec3,
    radius: f32,
}

/// What is drawn to beside the target, of its size.
struct Targets {
    size: [u32; 2],
    depth: wgpu::TextureView,
    /// With several samples a pixel.
    color: Option<wgpu::TextureView>,
}

impl Painter {
    /// For targets of a format.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat, finish: Finish) -> Self {
        let device = &gpu.device;
        let (sample_count, tap_count, pixel_share) = match finish {
            Finish::Quick => (1, 1, 1.0),
            Finish::Fine => (4, 4, 0.35),
        };
        let entry = |binding: u32, ty: wgpu::BindingType| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty,
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("frame"),
            entries: &[
                entry(
                    0,
                    wgpu::BindingType::Buffer {
                        ty: wgpu::BufferBindingType::Uniform,
                        has_dynamic_offset: false,
                        min_binding_size: None,
                    },
                ),
                entry(
                    1,
                    wgpu::BindingType::Texture {
                        sample_type: wgpu::TextureSampleType::Depth,
                        view_dimension: wgpu::TextureViewDimension::D2,
                        multisampled: false,
                    },
                ),
                entry(2, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison)),
            ],
        });
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<FrameUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let shadow = Shadow::new(device, gpu.is_software(), finish == Finish::Quick);
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout: &layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::TextureView(&shadow.map),
                },
                wgpu::BindGroupEntry {
                    binding: 2,
                    resource: wgpu::BindingResource::Sampler(&shadow.sampler),
                },
            ],
        });
        Self {
            pipelines: Pipelines::new(device, &layout, format, sample_count, tap_count),
            outline: Outline::new(device, &layout, format, sample_count),
            uniform,
            bind_group,
            shadow,
            shapes: Vec::new(),
            shape_changed: false,
            placed: Stream::new(device, "instances", wgpu::BufferUsages::VERTEX),
            strokes: Stream::new(device, "segments", wgpu::BufferUsages::VERTEX),
            caps: Stream::new(device, "caps", wgpu::BufferUsages::VERTEX),
            targets: None,
            pixel_share,
            format,
            sample_count,
            device: device.clone(),
            queue: gpu.queue.clone(),
        }
    }

    /// Returns whether the next picture of the same view will have a better shadow.
    pub fn is_unfinished(&self) -> bool {
        self.shadow.is_behind()
    }

    /// Forgets all shapes.
    pub fn clear(&mut self) {
        self.shapes.clear();
        self.shape_changed = true;
    }

    pub fn add(&mut self, shape: &Shape) -> ShapeId {
        let buffer = |label: &str, contents: &[u8], usage: wgpu::BufferUsages| {
            self.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
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
        let (center, radius) = ball(&shape.vertices);
        let uploaded = Uploaded {
            vertices: buffer("vertices", bytemuck::cast_slice(&shape.vertices), usage),
            indices: buffer("indices", bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX),
            levels,
            is_closed: shape.is_closed,
            center,
            radius,
        };
        self.shapes.push(uploaded);
        self.shape_changed = true;
        ShapeId(self.shapes.len() as u32 - 1)
    }

    /// Moves the vertices of a shape; there are as many as there were.
    pub fn update(&mut self, id: ShapeId, vertices: &[Vertex]) {
        let shape = &mut self.shapes[id.0 as usize];
        (shape.center, shape.radius) = ball(vertices);
        self.queue.write_buffer(&shape.vertices, 0, bytemuck::cast_slice(vertices));
        self.shape_changed = true;
    }

    /// Draws a view into an area of the target, whose size is `size`; the rest takes the colour `around`.
    /// Instances come sorted by shape.
    pub fn draw<'a>(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: [u32; 2],
        area: Area,
        around: [u8; 3],
        view: &View<'a>,
    ) {
        let [left, top, width, height] = area.map(|x| x as f32);
        if area[2] == 0 || area[3] == 0 {
            return;
        }
        let eye = view.camera.eye();
        let gpu = (&self.device, &self.queue);
        let shapes = &self.shapes;
        let changed = std::mem::take(&mut self.shape_changed);
        self.shadow.update(gpu, encoder, view, changed, |pass, texel, pipelines| {
            let level = |i: &Instance| (i.shape, shapes[i.shape.0 as usize].level(texel), i.is_whole);
            draw_runs(shapes, &runs(view.instances.iter().map(level), 0), pipelines, pass);
        });

        let picture = [f64::from(width), f64::from(height)];
        let uniform = FrameUniform::new(view, picture, self.shadow.seen_from_eye(view));
        self.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
        let planes = frustum(view, f64::from(width) / f64::from(height));
        let is_seen = |i: &&Instance| {
            let shape = &self.shapes[i.shape.0 as usize];
            let center = i.pose.transform_point(shape.center.as_dvec3()) - eye;
            planes.iter().all(|p| p.truncate().dot(center) + p.w > -f64::from(shape.radius))
        };
        // Metres a pixel covers at a distance of one metre.
        let pixel = 2.0 * (0.5 * view.camera.vertical_fov).tan() / f64::from(height);
        let with_level = |i: &'a Instance| {
            let shape = &self.shapes[i.shape.0 as usize];
            let away = (i.pose.transform_point(shape.center.as_dvec3()) - eye).length();
            let nearest = (away - f64::from(shape.radius)).max(0.0);
            // Wires are looked at for the triangles that there are.
            let level = if view.wireframe { 0 } else { shape.level(nearest * pixel * self.pixel_share) };
            ((i.shape, level, i.is_whole), i)
        };
        let in_sight = |all: &'a [Instance]| {
            let mut seen: Vec<_> = all.iter().filter(is_seen).map(with_level).collect();
            seen.sort_by_key(|s| s.0);
            seen
        };
        let (seen, outlined) = (in_sight(view.instances), in_sight(view.outlined));
        let placed: Vec<PlacedInstance> =
            seen.iter().chain(&outlined).map(|(_, i)| PlacedInstance::new(i, eye)).collect();
        self.placed.write(gpu.0, gpu.1, &placed);
        let balls = outlined.iter().map(|(_, i)| {
            let shape = &self.shapes[i.shape.0 as usize];
            (i.pose.transform_point(shape.center.as_dvec3()), f64::from(shape.radius))
        });
        let around_outlined = bounds(view, area, balls);
        let outlined = runs(outlined.iter().map(|s| s.0), seen.len() as u32);
        let seen = runs(seen.iter().map(|s| s.0), 0);
        let (hidden, through): (Vec<_>, Vec<_>) = view.segments.iter().partition(|s| !s.through);
        let strokes: Vec<Stroke> = hidden.iter().chain(&through).map(|s| Stroke::new(s, eye)).collect();
        self.strokes.write(gpu.0, gpu.1, &strokes);
        let corner = |p: &DVec3| (*p - eye).as_vec3().to_array();
        let caps: Vec<[f32; 3]> = view.caps.as_flattened().iter().map(corner).collect();
        self.caps.write(gpu.0, gpu.1, &caps);

        self.fit_targets(size);
        let Some(targets) = &self.targets else { return };
        let (color, resolve) = match &targets.color {
            Some(color) => (color, Some(target)),
            None => (target, None),
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("view"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: color,
                depth_slice: None,
                resolve_target: resolve,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(plain(around)),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &targets.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: if outlined.is_empty() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store },
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_viewport(left, top, width, height, 0.0, 1.0);
        pass.set_scissor_rect(area[0], area[1], area[2], area[3]);
        pass.set_bind_group(0, &self.bind_group, &[]);
        let all = &self.pipelines;
        let whole = all.wires.as_ref().filter(|_| view.wireframe).unwrap_or(&all.surface);
        let cut = all.cut.wires.as_ref().filter(|_| view.wireframe).unwrap_or(&all.cut.surface);
        let surfaces = [if view.section.is_some() { cut } else { whole }, whole];
        pass.set_vertex_buffer(1, self.placed.slice());
        draw_runs(&self.shapes, &seen, surfaces, &mut pass);
        if !caps.is_empty() {
            pass.set_pipeline(&self.pipelines.cut.caps);
            pass.set_vertex_buffer(0, self.caps.slice());
            pass.draw(0..caps.len() as u32, 0..1);
        }
        pass.set_pipeline(&self.pipelines.sky);
        pass.draw(0..3, 0..1);
        if view.ground.is_some() {
            pass.set_pipeline(&self.pipelines.ground);
            pass.draw(0..4, 0..1);
        }
        pass.set_vertex_buffer(0, self.strokes.slice());
        let (first, count) = (hidden.len() as u32, strokes.len() as u32);
        if first > 0 {
            pass.set_pipeline(&self.pipelines.segments);
            pass.draw(0..4, 0..first);
        }
        if count > first {
            pass.set_pipeline(&self.pipelines.segments_through);
            pass.draw(0..4, first..count);
        }
        drop(pass);
        if outlined.is_empty() {
            return;
        }
        self.outline.mask(&self.device, encoder, size, &targets.depth, |pass| {
            pass.set_viewport(left, top, width, height, 0.0, 1.0);
            pass.set_scissor_rect(area[0], area[1], area[2], area[3]);
            pass.set_bind_group(0, &self.bind_group, &[]);
            pass.set_vertex_buffer(1, self.placed.slice());
            let all = &self.pipelines;
            let masks = match view.section {
                Some(_) => [&all.cut.masked, &all.cut.masked_in_sight],
                None => [&all.masked, &all.masked_in_sight],
            };
            for pipelines in masks {
                draw_runs(&self.shapes, &outlined, [pipelines; 2], pass);
            }
        });
        self.outline.draw(encoder, target, &self.bind_group, around_outlined);
    }

    fn fit_targets(&mut self, size: [u32; 2]) {
        if self.targets.as_ref().is_some_and(|t| t.size == size) {
            return;
        }
        let texture = |format, label| {
            let texture = self.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: self.sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        };
        self.targets = Some(Targets {
            size,
            depth: texture(DEPTH, "depth"),
            color: (self.sample_count > 1).then(|| texture(self.format, "color")),
        });
    }
}

impl Uploaded {
    /// The coarsest level whose cells are no larger than `size` (m).
    fn level(&self, size: f64) -> usize {
        self.levels.iter().rposition(|l| f64::from(l.0) <= size).unwrap_or(0)
    }
}

fn plain([r, g, b]: [u8; 3]) -> wgpu::Color {
    let [r, g, b] = [r, g, b].map(|c| f64::from(c) / 255.0);
    wgpu::Color { r, g, b, a: 1.0 }
}

/// A shape at a level, and whether it is drawn whole where there is a section.
type Version = (ShapeId, usize, bool);

/// Instances of one version each, in a row, numbered from `first`.
fn runs(versions: impl Iterator<Item = Version>, first: u32) -> Vec<(Version, Range<u32>)> {
    let mut runs: Vec<(Version, Range<u32>)> = Vec::new();
    for (at, version) in (first..).zip(versions) {
        match runs.last_mut() {
            Some((last, range)) if *last == version => range.end = at + 1,
            _ => runs.push((version, at..at + 1)),
        }
    }
    runs
}

fn draw_runs(
    shapes: &[Uploaded],
    runs: &[(Version, Range<u32>)],
    [cut, whole]: [&Sided; 2],
    pass: &mut wgpu::RenderPass,
) {
    for ((id, level, is_whole), range) in runs {
        let pipelines = if *is_whole { whole } else { cut };
        let shape = &shapes[id.0 as usize];
        let indices = shape.levels[*level].1.clone();
        if !indices.is_empty() {
            pass.set_pipeline(if shape.is_closed { &pipelines.front } else { &pipelines.both });
            pass.set_vertex_buffer(0, shape.vertices.slice(..));
            pass.set_index_buffer(shape.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(indices, 0, range.clone());
        }
    }
}

/// Middle of the box and the farthest vertex from it.
fn ball(vertices: &[Vertex]) -> (Vec3, f32) {
    let positions = || vertices.iter().map(Vertex::position);
    let (min, max) = positions().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
    if !min.is_finite() {
        return (Vec3::ZERO, 0.0);
    }
    let center = 0.5 * (min + max);
    (center, positions().map(|p| p.distance(center)).fold(0.0, f32::max))
}
