//! Draws a [`View`] in this order: shadow, surfaces, sky, ground, lines, outlines. The sky comes after
//! the surfaces, so that a software renderer fills each pixel of the sky only once.
//!
//! Each shape is uploaded once and then named by its [`ShapeId`]. Instances outside the picture are not
//! drawn.

use glam::{DVec3, DVec4};

use super::Gpu;
use super::buffer::Stream;
use super::frame::{FrameUniform, frustum};
use super::outline::{Outline, bounds};
use super::pipelines::Pipelines;
use super::shadow::Shadow;
use super::shapes::{InstanceRun, ShapeId, Shapes, Version, runs};
use super::spec::DEPTH;
use super::view::{Instance, PlacedInstance, Stroke, View};
use crate::viewer::shading::{Shape, Vertex};

/// Rectangle of the target: left, top, width, height, px.
pub type Area = [u32; 4];

/// The quality of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// One sample per pixel, and shadows with hard edges. For a window that the processor draws.
    Quick,
    /// Four samples per pixel, and soft shadows. Drawn by a processor, this takes five times as long.
    Fine,
}

/// The target of a picture.
pub struct Destination<'a> {
    pub target: &'a wgpu::TextureView,
    /// Width and height of the target, px.
    pub size: [u32; 2],
    /// The part of the target that the view fills.
    pub area: Area,
    /// Color of the target outside that part, sRGB.
    pub around: [u8; 3],
}

/// The renderer of views into targets of one format.
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
    shapes: Shapes,
    /// Whether a shape changed since the shadow was drawn.
    shape_changed: bool,
    placed: Stream,
    strokes: Stream,
    caps: Stream,
    targets: Option<Targets>,
    /// Largest error of a simplified shape, px.
    pixel_share: f64,
}

/// The attachments besides the target. They are as large as the target.
struct Targets {
    size: [u32; 2],
    depth: wgpu::TextureView,
    /// The multisampled color, or `None` with one sample per pixel.
    color: Option<wgpu::TextureView>,
}

/// The uploaded contents of one picture, as draw calls and as counts of items in the painter's streams.
struct Batch {
    seen: Vec<InstanceRun>,
    outlined: Vec<InstanceRun>,
    /// The part of the picture that the outlined shapes cover.
    outlined_area: Area,
    /// Number of segments that surfaces can hide. These segments come first.
    hidden_count: u32,
    segment_count: u32,
    /// Number of corners of the caps.
    corner_count: u32,
}

impl Painter {
    /// Builds a painter for targets of `format`.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat, finish: Finish) -> Self {
        let device = &gpu.device;
        let (sample_count, tap_count, pixel_share) = match finish {
            Finish::Quick => (1, 1, 1.0),
            Finish::Fine => (4, 4, 0.35),
        };
        let layout = frame_layout(device);
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<FrameUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let shadow = Shadow::new(device, gpu.is_software(), finish == Finish::Quick);
        Self {
            pipelines: Pipelines::new(device, &layout, format, sample_count, tap_count),
            outline: Outline::new(device, &layout, format, sample_count),
            bind_group: bind_frame(device, &layout, &uniform, &shadow),
            uniform,
            shadow,
            shapes: Shapes::default(),
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

    /// Removes all shapes.
    pub fn clear(&mut self) {
        self.shapes.clear();
        self.shape_changed = true;
    }

    /// Uploads a shape.
    pub fn add(&mut self, shape: &Shape) -> ShapeId {
        self.shape_changed = true;
        self.shapes.add(&self.device, shape)
    }

    /// Replaces the vertices of a shape by the same number of other vertices.
    pub fn update(&mut self, id: ShapeId, vertices: &[Vertex]) {
        self.shape_changed = true;
        self.shapes.update(&self.queue, id, vertices);
    }

    /// Draws a view. The view's instances must be sorted by shape.
    pub fn draw(&mut self, encoder: &mut wgpu::CommandEncoder, to: &Destination, view: &View) {
        if to.area[2] == 0 || to.area[3] == 0 {
            return;
        }
        let gpu = (&self.device, &self.queue);
        let shapes = &self.shapes;
        let changed = std::mem::take(&mut self.shape_changed);
        self.shadow.update(gpu, encoder, view, changed, |pass, texel, pipelines| {
            let versions = view.instances.iter().map(|i| shapes.version(i, texel));
            shapes.draw(&runs(versions, 0), pipelines, pass);
        });
        let batch = self.upload(view, to.area);
        self.fit_targets(to.size);
        let Some(targets) = &self.targets else { return };
        self.draw_view(encoder, to, view, &batch, targets);
        if batch.outlined.is_empty() {
            return;
        }
        let depth = &targets.depth;
        self.outline.mask(&self.device, encoder, to.size, depth, |pass| {
            enter(pass, to.area);
            pass.set_bind_group(0, &self.bind_group, &[]);
            pass.set_vertex_buffer(1, self.placed.slice());
            let all = &self.pipelines;
            let masks = match view.section {
                Some(_) => [&all.cut.masked, &all.cut.masked_in_sight],
                None => [&all.masked, &all.masked_in_sight],
            };
            for pipelines in masks {
                self.shapes.draw(&batch.outlined, [pipelines; 2], pass);
            }
        });
        self.outline.draw(encoder, to.target, &self.bind_group, batch.outlined_area);
    }

    /// Writes the uniforms and streams of one picture.
    fn upload(&mut self, view: &View, area: Area) -> Batch {
        let picture = [area[2], area[3]].map(f64::from);
        let uniform = FrameUniform::new(view, picture, self.shadow.seen_from_eye(view));
        self.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
        let eye = view.camera.eye();
        let planes = frustum(view, picture[0] / picture[1]);
        let seen = self.in_sight(view, &planes, view.instances, picture[1]);
        let outlined = self.in_sight(view, &planes, view.outlined, picture[1]);
        let placed: Vec<PlacedInstance> =
            seen.iter().chain(&outlined).map(|(_, i)| PlacedInstance::new(i, eye)).collect();
        self.placed.write(&self.device, &self.queue, &placed);
        let (hidden, through): (Vec<_>, Vec<_>) = view.segments.iter().partition(|s| !s.through);
        let strokes: Vec<Stroke> = hidden.iter().chain(&through).map(|s| Stroke::new(s, eye)).collect();
        self.strokes.write(&self.device, &self.queue, &strokes);
        let corner = |p: &DVec3| (*p - eye).as_vec3().to_array();
        let caps: Vec<[f32; 3]> = view.caps.as_flattened().iter().map(corner).collect();
        self.caps.write(&self.device, &self.queue, &caps);
        Batch {
            outlined_area: bounds(view, area, outlined.iter().map(|(_, i)| self.shapes.ball(i))),
            outlined: runs(outlined.iter().map(|s| s.0), seen.len() as u32),
            seen: runs(seen.iter().map(|s| s.0), 0),
            hidden_count: hidden.len() as u32,
            segment_count: strokes.len() as u32,
            corner_count: caps.len() as u32,
        }
    }

    /// Returns the instances that are inside the frustum, with the versions in which they are drawn,
    /// sorted by version. `height` is the height of the picture, px.
    fn in_sight<'a>(
        &self,
        view: &View,
        planes: &[DVec4],
        instances: &'a [Instance],
        height: f64,
    ) -> Vec<(Version, &'a Instance)> {
        let eye = view.camera.eye();
        // Width of a pixel at a distance of 1 m from the eye, m.
        let pixel = 2.0 * (0.5 * view.camera.vertical_fov).tan() / height;
        let see = |instance: &'a Instance| {
            let (center, radius) = self.shapes.ball(instance);
            let from_eye = center - eye;
            if planes.iter().any(|p| p.truncate().dot(from_eye) + p.w <= -radius) {
                return None;
            }
            let nearest = (from_eye.length() - radius).max(0.0);
            // A wireframe shows the triangles of the shape itself.
            let cell = if view.wireframe { 0.0 } else { nearest * pixel * self.pixel_share };
            Some((self.shapes.version(instance, cell), instance))
        };
        let mut seen: Vec<_> = instances.iter().filter_map(see).collect();
        seen.sort_by_key(|s| s.0);
        seen
    }

    /// Draws everything except the outlines, in one pass.
    fn draw_view(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        to: &Destination,
        view: &View,
        batch: &Batch,
        targets: &Targets,
    ) {
        let mut pass = begin(encoder, to, targets, !batch.outlined.is_empty());
        pass.set_bind_group(0, &self.bind_group, &[]);
        let all = &self.pipelines;
        let whole = all.wires.as_ref().filter(|_| view.wireframe).unwrap_or(&all.surface);
        let cut = all.cut.wires.as_ref().filter(|_| view.wireframe).unwrap_or(&all.cut.surface);
        let surfaces = [if view.section.is_some() { cut } else { whole }, whole];
        pass.set_vertex_buffer(1, self.placed.slice());
        self.shapes.draw(&batch.seen, surfaces, &mut pass);
        if batch.corner_count > 0 {
            pass.set_pipeline(&all.cut.caps);
            pass.set_vertex_buffer(0, self.caps.slice());
            pass.draw(0..batch.corner_count, 0..1);
        }
        pass.set_pipeline(&all.sky);
        pass.draw(0..3, 0..1);
        if view.ground.is_some() {
            pass.set_pipeline(&all.ground);
            pass.draw(0..4, 0..1);
        }
        pass.set_vertex_buffer(0, self.strokes.slice());
        let (first, count) = (batch.hidden_count, batch.segment_count);
        if first > 0 {
            pass.set_pipeline(&all.segments);
            pass.draw(0..4, 0..first);
        }
        if count > first {
            pass.set_pipeline(&all.segments_through);
            pass.draw(0..4, first..count);
        }
    }

    /// Makes attachments of the target's size.
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

/// Begins the pass that draws a view. `keeps_depth` tells whether a later pass reads the depths.
fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    to: &Destination,
    targets: &Targets,
    keeps_depth: bool,
) -> wgpu::RenderPass<'a> {
    let (view, resolve_target) = match &targets.color {
        Some(color) => (color, Some(to.target)),
        None => (to.target, None),
    };
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("view"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(plain(to.around)),
                store: wgpu::StoreOp::Store,
            },
        })],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &targets.depth,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(0.0),
                store: if keeps_depth { wgpu::StoreOp::Store } else { wgpu::StoreOp::Discard },
            }),
            stencil_ops: None,
        }),
        ..Default::default()
    });
    enter(&mut pass, to.area);
    pass
}

/// Restricts a pass to an area of the target.
fn enter(pass: &mut wgpu::RenderPass, area: Area) {
    let [left, top, width, height] = area.map(|x| x as f32);
    pass.set_viewport(left, top, width, height, 0.0, 1.0);
    pass.set_scissor_rect(area[0], area[1], area[2], area[3]);
}

/// Returns the layout of the bindings that all shaders share: uniforms, shadow map, and its sampler.
fn frame_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let types = [
        wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Depth,
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
        wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison),
    ];
    let mut binding = 0..;
    let entries = types.map(|ty| wgpu::BindGroupLayoutEntry {
        binding: binding.next().unwrap_or_default(),
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty,
        count: None,
    });
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("frame"),
        entries: &entries,
    })
}

/// Binds the resources that all shaders share.
fn bind_frame(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    uniform: &wgpu::Buffer,
    shadow: &Shadow,
) -> wgpu::BindGroup {
    let map = wgpu::BindingResource::TextureView(&shadow.map);
    let sampler = wgpu::BindingResource::Sampler(&shadow.sampler);
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("frame"),
        layout,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: map },
            wgpu::BindGroupEntry { binding: 2, resource: sampler },
        ],
    })
}

/// Returns an sRGB color as wgpu's clear color.
fn plain([r, g, b]: [u8; 3]) -> wgpu::Color {
    let [r, g, b] = [r, g, b].map(|c| f64::from(c) / 255.0);
    wgpu::Color { r, g, b, a: 1.0 }
}
