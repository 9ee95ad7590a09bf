//! The ways of drawing: surfaces (filled or as wires), their shadow, the sky, the ground, lines, masks.
//!
//! Depth is reversed (near 1, far 0), so every test is "greater".

use super::view::{PlacedInstance, Stroke};
use crate::viewer::shading::Vertex;

pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

pub(super) const FRAME: &str = include_str!("../../../shaders/frame.wgsl");
/// The format of the mask: red is what is there, green what is in sight.
pub(super) const MASK: wgpu::TextureFormat = wgpu::TextureFormat::Rg8Unorm;

/// One way of drawing, for shapes of which only the front can be seen, and for sheets.
pub(super) struct Sided {
    pub front: wgpu::RenderPipeline,
    pub both: wgpu::RenderPipeline,
}

/// For one format of target and one number of samples a pixel.
pub(super) struct Pipelines {
    pub surface: Sided,
    /// `None` where the device cannot.
    pub wires: Option<Sided>,
    pub sky: wgpu::RenderPipeline,
    pub ground: wgpu::RenderPipeline,
    pub segments: wgpu::RenderPipeline,
    /// Segments that are seen through what lies before them.
    pub segments_through: wgpu::RenderPipeline,
    /// Into the mask of what is outlined: all of it, and what is in sight of it.
    pub masked: Sided,
    pub masked_in_sight: Sided,
    /// These where there is a section.
    pub cut: Cut,
}

/// Ways of drawing that leave out the half in front of a section plane.
pub(super) struct Cut {
    pub caps: wgpu::RenderPipeline,
    pub surface: Sided,
    pub wires: Option<Sided>,
    pub masked: Sided,
    pub masked_in_sight: Sided,
}

const VERTEX_ATTRIBUTES: [wgpu::VertexAttribute; 3] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Snorm8x4, 2 => Unorm8x4];
const PLACED_ATTRIBUTES: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![3 => Float32x4, 4 => Float32x4, 5 => Float32x4, 6 => Unorm8x4];
const CORNER_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];
const STROKE_ATTRIBUTES: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Unorm8x4, 3 => Float32];

pub(super) fn surface_buffers<'a>() -> [Option<wgpu::VertexBufferLayout<'a>>; 2] {
    [
        Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<Vertex>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &VERTEX_ATTRIBUTES,
        }),
        Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<PlacedInstance>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &PLACED_ATTRIBUTES,
        }),
    ]
}

pub(super) fn module(device: &wgpu::Device, label: &str, text: &str) -> wgpu::ShaderModule {
    let source = wgpu::ShaderSource::Wgsl(text.into());
    device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source })
}

/// What differs between one pipeline and the next.
#[derive(Clone, Copy)]
struct Way<'a> {
    label: &'a str,
    module: &'a wgpu::ShaderModule,
    vertex: &'a str,
    fragment: &'a str,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    topology: wgpu::PrimitiveTopology,
    polygon_mode: wgpu::PolygonMode,
    cull_mode: Option<wgpu::Face>,
    depth_write: bool,
    depth_compare: wgpu::CompareFunction,
    /// Units nearer than it lies.
    bias: i32,
    blend: Option<wgpu::BlendState>,
    takes_shadows: bool,
    /// 0 without a section, 1 of sheets, 2 of solids.
    section: u32,
    target: wgpu::TextureFormat,
    channels: wgpu::ColorWrites,
}

impl Pipelines {
    /// `tap_count`: looks into the shadow map a pixel, 1 or 4.
    pub fn new(
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        format: wgpu::TextureFormat,
        sample_count: u32,
        tap_count: u32,
    ) -> Self {
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("frame"),
            bind_group_layouts: &[Some(layout)],
            immediate_size: 0,
        });
        let with_frame = |label: &str, text: &str| module(device, label, &format!("{FRAME}\n{text}"));
        let surface = with_frame("surface", include_str!("../../../shaders/surface.wgsl"));
        let ground = with_frame("ground", include_str!("../../../shaders/ground.wgsl"));
        let segment = with_frame("segment", include_str!("../../../shaders/segment.wgsl"));
        let cap = with_frame("caps", include_str!("../../../shaders/cap.wgsl"));
        let mask = with_frame("mask", include_str!("../../../shaders/mask.wgsl"));
        let taps = [("TAPS", f64::from(tap_count))];
        let make = |way: &Way| {
            let constants = [taps[0], ("SECTION", f64::from(way.section))];
            // A constant may only be given to a shader that has it and looks at it.
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(way.label),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: way.module,
                    entry_point: Some(way.vertex),
                    compilation_options: Default::default(),
                    buffers: way.buffers,
                },
                primitive: wgpu::PrimitiveState {
                    topology: way.topology,
                    polygon_mode: way.polygon_mode,
                    cull_mode: way.cull_mode,
                    ..Default::default()
                },
                depth_stencil: Some(wgpu::DepthStencilState {
                    format: DEPTH,
                    depth_write_enabled: Some(way.depth_write),
                    depth_compare: Some(way.depth_compare),
                    stencil: Default::default(),
                    bias: wgpu::DepthBiasState { constant: way.bias, ..Default::default() },
                }),
                multisample: wgpu::MultisampleState { count: sample_count, ..Default::default() },
                fragment: Some(wgpu::FragmentState {
                    module: way.module,
                    entry_point: Some(way.fragment),
                    compilation_options: wgpu::PipelineCompilationOptions {
                        constants: if way.takes_shadows { &constants } else { &constants[1..] },
                        ..Default::default()
                    },
                    targets: &[Some(wgpu::ColorTargetState {
                        format: way.target,
                        blend: way.blend,
                        write_mask: way.channels,
                    })],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        let filled = Way {
            label: "surface",
            module: &surface,
            vertex: "vertex",
            fragment: "fragment",
            buffers: &surface_buffers(),
            topology: wgpu::PrimitiveTopology::TriangleList,
            polygon_mode: wgpu::PolygonMode::Fill,
            cull_mode: None,
            depth_write: true,
            depth_compare: wgpu::CompareFunction::Greater,
            bias: 0,
            blend: None,
            takes_shadows: true,
            section: 0,
            target: format,
            channels: wgpu::ColorWrites::ALL,
        };
        let has_wires = device.features().contains(wgpu::Features::POLYGON_MODE_LINE);
        let strokes = [Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<Stroke>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &STROKE_ATTRIBUTES,
        })];
        let lines = Way {
            label: "segments",
            module: &segment,
            buffers: &strokes,
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            depth_write: false,
            depth_compare: wgpu::CompareFunction::GreaterEqual,
            bias: 8,
            blend: Some(wgpu::BlendState::ALPHA_BLENDING),
            takes_shadows: false,
            ..filled
        };
        let sided = |way: &Way| Sided {
            front: make(&Way { cull_mode: Some(wgpu::Face::Back), ..*way }),
            both: make(way),
        };
        let masked = Way {
            label: "mask",
            module: &mask,
            depth_write: false,
            depth_compare: wgpu::CompareFunction::Always,
            takes_shadows: false,
            target: MASK,
            channels: wgpu::ColorWrites::RED,
            ..filled
        };
        let masked_in_sight = Way {
            depth_compare: wgpu::CompareFunction::GreaterEqual,
            bias: 8,
            channels: wgpu::ColorWrites::GREEN,
            ..masked
        };
        let wires = Way { label: "wires", polygon_mode: wgpu::PolygonMode::Line, ..filled };
        // Behind a plane all backs may be seen.
        let sheets = |way: &Way| make(&Way { section: 1, ..*way });
        let open = |way: &Way| Sided { front: sheets(way), both: sheets(way) };
        let corners = [Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<[f32; 3]>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &CORNER_ATTRIBUTES,
        })];
        let caps = Way { label: "caps", module: &cap, buffers: &corners, takes_shadows: false, ..filled };
        let cut = Cut {
            caps: make(&caps),
            surface: Sided { front: make(&Way { section: 2, ..filled }), both: sheets(&filled) },
            wires: has_wires.then(|| open(&wires)),
            masked: open(&masked),
            masked_in_sight: open(&masked_in_sight),
        };
        Self {
            wires: has_wires.then(|| sided(&wires)),
            sky: make(&Way {
                label: "sky",
                module: &ground,
                fragment: "sky",
                buffers: &[],
                depth_write: false,
                depth_compare: wgpu::CompareFunction::GreaterEqual,
                ..filled
            }),
            ground: make(&Way {
                label: "ground",
                module: &ground,
                vertex: "ground_vertex",
                fragment: "ground",
                buffers: &[],
                takes_shadows: true,
                ..lines
            }),
            segments_through: make(&Way { depth_compare: wgpu::CompareFunction::Always, ..lines }),
            segments: make(&lines),
            masked: sided(&masked),
            masked_in_sight: sided(&masked_in_sight),
            cut,
            surface: sided(&filled),
        }
    }
}
