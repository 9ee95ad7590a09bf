//! The outline of the selection. One pass draws a mask of the selected shapes, both of the whole shapes
//! and of their visible parts. Another pass draws the line, in the pixels around the mask. While no
//! shape is outlined, this costs nothing.

use glam::{DVec2, DVec3};

use super::painter::Area;
use super::pipelines::{FRAME, MASK, module};
use super::view::{OUTLINE, View};

pub(super) struct Outline {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    sample_count: u32,
    mask: Option<Mask>,
}

/// A mask that is as large as the target.
struct Mask {
    size: [u32; 2],
    view: wgpu::TextureView,
    /// The multisampled mask, or `None` with one sample per pixel.
    samples: Option<wgpu::TextureView>,
    bind_group: wgpu::BindGroup,
}

impl Outline {
    /// Builds the outline for targets of `format`. `frame` is the layout of the bindings that all
    /// shaders share.
    pub fn new(
        device: &wgpu::Device,
        frame: &wgpu::BindGroupLayout,
        format: wgpu::TextureFormat,
        sample_count: u32,
    ) -> Self {
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty,
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("outline"),
            entries: &[
                entry(
                    0,
                    wgpu::BindingType::Texture {
                        sample_type: wgpu::TextureSampleType::Float { filterable: true },
                        view_dimension: wgpu::TextureViewDimension::D2,
                        multisampled: false,
                    },
                ),
                entry(1, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)),
            ],
        });
        let both = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("outline"),
            bind_group_layouts: &[Some(frame), Some(&layout)],
            immediate_size: 0,
        });
        let [r, g, b] = OUTLINE.map(|c| f64::from(c) / 255.0);
        let color = format!("const OUTLINE = vec3f({r:.6}, {g:.6}, {b:.6});");
        let text = include_str!("../../../shaders/outline.wgsl");
        let module = module(device, "outline", &format!("{FRAME}\n{color}\n{text}"));
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("outline"),
            layout: Some(&both),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: Default::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format,
                    blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("outline"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        Self { pipeline, layout, sampler, sample_count, mask: None }
    }

    /// Draws the mask. `draw` draws the outlined shapes with these attachments and with the depths of
    /// the picture.
    pub fn mask(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        size: [u32; 2],
        depth: &wgpu::TextureView,
        draw: impl FnOnce(&mut wgpu::RenderPass),
    ) {
        let mask = match self.mask.take().filter(|m| m.size == size) {
            Some(mask) => mask,
            None => self.make_mask(device, size),
        };
        let (view, resolve_target) = match &mask.samples {
            Some(samples) => (samples, Some(&mask.view)),
            None => (&mask.view, None),
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("mask"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        draw(&mut pass);
        drop(pass);
        self.mask = Some(mask);
    }

    /// Draws the line around the mask into a part of the target.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        frame: &wgpu::BindGroup,
        [left, top, width, height]: Area,
    ) {
        let Some(mask) = self.mask.as_ref().filter(|_| width > 0 && height > 0) else { return };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("outline"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        pass.set_scissor_rect(left, top, width, height);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, frame, &[]);
        pass.set_bind_group(1, &mask.bind_group, &[]);
        pass.draw(0..3, 0..1);
    }

    fn make_mask(&self, device: &wgpu::Device, size: [u32; 2]) -> Mask {
        let texture = |sample_count, usage| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some("mask"),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format: MASK,
                usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        };
        let view = texture(1, wgpu::TextureUsages::TEXTURE_BINDING);
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("outline"),
            layout: &self.layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&self.sampler) },
            ],
        });
        let samples =
            (self.sample_count > 1).then(|| texture(self.sample_count, wgpu::TextureUsages::empty()));
        Mask { size, view, samples, bind_group }
    }
}

/// Returns a rectangle of the picture that contains balls (world, m) and an outline around them; the
/// whole area if any corner of a ball's box is behind the eye.
pub(super) fn bounds(view: &View, area: Area, balls: impl Iterator<Item = (DVec3, f64)>) -> Area {
    let [left, top, width, height] = area;
    let aspect = f64::from(width) / f64::from(height);
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for (center, radius) in balls {
        for corner in 0..8 {
            let side = |bit: u32| if corner >> bit & 1 == 0 { -radius } else { radius };
            let seen = view.camera.project(center + DVec3::new(side(0), side(1), side(2)), aspect);
            // The ball is beside or behind the eye, so it may reach anywhere in the picture.
            let Some(seen) = seen else { return area };
            (low, high) = (low.min(seen), high.max(seen));
        }
    }
    // This margin, px, is wider than any outline.
    let air = 8.0;
    let across = |x: f64| (0.5 + 0.5 * x) * f64::from(width);
    let down = |y: f64| (0.5 - 0.5 * y) * f64::from(height);
    let clip = |x: f64, limit: u32| x.clamp(0.0, f64::from(limit)) as u32;
    let (x0, x1) = (clip(across(low.x) - air, width), clip(across(high.x) + air, width));
    let (y0, y1) = (clip(down(high.y) - air, height), clip(down(low.y) + air, height));
    [left + x0, top + y0, x1.saturating_sub(x0), y1.saturating_sub(y0)]
}
