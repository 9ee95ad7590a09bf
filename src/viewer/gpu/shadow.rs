//! The shadow map of the sun, which is the depth of the scene seen from the sun. It is redrawn only
//! after a shape that casts a shadow has moved.

use glam::{DMat4, DQuat, DVec3};

use super::buffer::Stream;
use super::pipelines::{module, surface_buffers};
use super::spec::{DEPTH, Sided};
use super::view::{Instance, PlacedInstance, View, relative};
use crate::query::Plane;

/// Direction towards the sun, in world space.
const SUN: DVec3 = DVec3::new(-0.52, 0.76, 0.40);
/// Side of the map in texels.
const SIDE: u32 = 2048;
/// Side of the map in texels if the processor draws.
const SOFTWARE_SIDE: u32 = 1024;

pub(super) struct Shadow {
    pub map: wgpu::TextureView,
    pub sampler: wgpu::Sampler,
    side: u32,
    pipelines: Sided,
    /// The pipelines for shapes that a section cuts.
    cut: Sided,
    uniform: wgpu::Buffer,
    bind_group: wgpu::BindGroup,
    placed: Stream,
    /// The view, the section and the instances that the map shows.
    drawn: Option<(Sight, Option<Plane>, Vec<Instance>)>,
    may_wait: bool,
    /// The section plane of the last picture.
    last: Option<Plane>,
    /// Whether the map shows an earlier section, because the plane was moving.
    is_behind: bool,
}

/// The square that the map covers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sight {
    center: DVec3,
    radius: f64,
}

impl Shadow {
    /// Creates the map. `may_wait` tells whether the shadow of a moving section plane may be redrawn
    /// later, when the plane is at rest.
    pub fn new(device: &wgpu::Device, is_software: bool, may_wait: bool) -> Self {
        let side = if is_software { SOFTWARE_SIDE } else { SIDE };
        let map = make_map(device, side);
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::GreaterEqual),
            ..Default::default()
        });
        let bind_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("light"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            }],
        });
        let [pipelines, cut] = make_pipelines(device, &bind_layout);
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("light"),
            size: size_of::<[f32; 20]>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("light"),
            layout: &bind_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() }],
        });
        let placed = Stream::new(device, "shadow instances", wgpu::BufferUsages::VERTEX);
        Self {
            map,
            sampler,
            side,
            pipelines,
            cut,
            uniform,
            bind_group,
            placed,
            drawn: None,
            may_wait,
            last: None,
            is_behind: false,
        }
    }

    /// Returns the direction towards the sun, as a unit vector in world space.
    pub fn sun() -> DVec3 {
        SUN.normalize()
    }

    /// Draws the map, unless it already shows this view. `draw` draws all instances in their order; its
    /// arguments are the side of a texel (m) and the pipelines. `changed` tells whether a shape itself
    /// has changed.
    pub fn update(
        &mut self,
        gpu: (&wgpu::Device, &wgpu::Queue),
        encoder: &mut wgpu::CommandEncoder,
        view: &View,
        changed: bool,
        draw: impl FnOnce(&mut wgpu::RenderPass, f64, [&Sided; 2]),
    ) {
        let sight = sight(view);
        let is_same = |(of, _, instances): &(Sight, Option<Plane>, Vec<Instance>)| {
            *of == sight && same_places(instances, view.instances)
        };
        let is_moving = std::mem::replace(&mut self.last, view.section) != view.section;
        self.is_behind = false;
        if let Some(drawn) = self.drawn.as_ref().filter(|drawn| !changed && is_same(drawn)) {
            let is_other = drawn.1 != view.section;
            // While only the plane moves, the shadow is not redrawn, because it costs as much as the
            // rest of the picture.
            let may_wait = self.may_wait && is_moving;
            self.is_behind = may_wait && is_other && drawn.1.is_some() && view.section.is_some();
            if !is_other || self.is_behind {
                return;
            }
        }
        let placed: Vec<PlacedInstance> =
            view.instances.iter().map(|i| PlacedInstance::new(i, sight.center)).collect();
        self.placed.write(gpu.0, gpu.1, &placed);
        let mut uniform = [0.0; 20];
        uniform[..16].copy_from_slice(&light(sight).as_mat4().to_cols_array());
        uniform[16..].copy_from_slice(&relative(view.section, sight.center));
        gpu.1.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.map,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.bind_group, &[]);
        pass.set_vertex_buffer(1, self.placed.slice());
        let pipelines = if view.section.is_some() { &self.cut } else { &self.pipelines };
        draw(&mut pass, self.texel(sight), [pipelines, &self.pipelines]);
        drop(pass);
        self.drawn = Some((sight, view.section, view.instances.to_vec()));
    }

    /// Returns whether another picture must be drawn when the section plane is at rest.
    pub fn is_behind(&self) -> bool {
        self.is_behind
    }

    /// Returns the matrix that transforms positions relative to the eye to the clip space of the light.
    /// Also returns the side of a texel, m.
    pub fn seen_from_eye(&self, view: &View) -> (DMat4, f64) {
        let sight = sight(view);
        let matrix = light(sight) * DMat4::from_translation(view.camera.eye() - sight.center);
        (matrix, self.texel(sight))
    }

    fn texel(&self, sight: Sight) -> f64 {
        2.0 * sight.radius / f64::from(self.side)
    }
}

/// Makes the map, of `side` texels along each edge.
fn make_map(device: &wgpu::Device, side: u32) -> wgpu::TextureView {
    device
        .create_texture(&wgpu::TextureDescriptor {
            label: Some("shadow"),
            size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        })
        .create_view(&Default::default())
}

/// Builds the pipelines that draw into the map: those for whole shapes, and those for shapes that a
/// section cuts.
fn make_pipelines(device: &wgpu::Device, bind_layout: &wgpu::BindGroupLayout) -> [Sided; 2] {
    let module = module(device, "shadow", include_str!("../../../shaders/shadow.wgsl"));
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("light"),
        bind_group_layouts: &[Some(bind_layout)],
        immediate_size: 0,
    });
    let pipeline = |cull_mode, is_cut: bool| {
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("shadow"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &surface_buffers(),
            },
            primitive: wgpu::PrimitiveState { cull_mode, ..Default::default() },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Greater),
                stencil: Default::default(),
                // This bias away from the sun keeps a face from shading itself. It is larger for faces
                // at a grazing angle.
                bias: wgpu::DepthBiasState { constant: -2, slope_scale: -2.0, clamp: 0.0 },
            }),
            multisample: wgpu::MultisampleState::default(),
            fragment: is_cut.then(|| wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: Default::default(),
                targets: &[],
            }),
            multiview_mask: None,
            cache: None,
        })
    };
    let whole = Sided { front: pipeline(Some(wgpu::Face::Back), false), both: pipeline(None, false) };
    let cut = Sided { front: pipeline(None, true), both: pipeline(None, true) };
    [whole, cut]
}

fn same_places(a: &[Instance], b: &[Instance]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.shape == b.shape && a.pose == b.pose)
}

/// Returns the square around the camera's target that needs shadows. The square changes in coarse
/// steps, so that the map is seldom redrawn while the camera moves.
fn sight(view: &View) -> Sight {
    let wanted = (1.6 * view.camera.distance).max(1e-6);
    let step = 1.5f64;
    let near = step.powf((wanted.ln() / step.ln()).ceil());
    if near >= view.shadow_radius {
        return Sight { center: view.shadow_center, radius: view.shadow_radius.max(1e-6) };
    }
    let grid = 0.25 * near;
    Sight { center: (view.camera.target / grid).round() * grid, radius: 1.25 * near }
}

/// Returns the matrix from a space around the center of the sight to clip space. It covers a square
/// with the radius of the sight. It covers ten radii in depth, with depth 1 at the near end.
fn light(sight: Sight) -> DMat4 {
    let turn = DQuat::from_rotation_arc(SUN.normalize(), DVec3::Z);
    let r = sight.radius;
    let scale = DVec3::new(1.0 / r, 1.0 / r, 0.05 / r);
    DMat4::from_translation(DVec3::new(0.0, 0.0, 0.5)) * DMat4::from_scale(scale) * DMat4::from_quat(turn)
}
