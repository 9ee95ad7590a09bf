//! The pipelines of a picture: surfaces (filled or as wires), caps, sky, ground, lines, and masks.

use super::spec::{Factory, PipelineSpec, Sided};
use super::view::{PlacedInstance, Stroke};
use crate::viewer::shading::Vertex;

pub(super) const FRAME: &str = include_str!("../../../shaders/frame.wgsl");
/// Format of the outline's mask. Red marks all pixels of an outlined shape, and green marks the visible
/// pixels.
pub(super) const MASK: wgpu::TextureFormat = wgpu::TextureFormat::Rg8Unorm;

/// Every pipeline for one target format and one number of samples per pixel.
pub(super) struct Pipelines {
    pub surface: Sided,
    /// Wireframes; `None` if the device cannot draw polygons as lines.
    pub wires: Option<Sided>,
    pub sky: wgpu::RenderPipeline,
    pub ground: wgpu::RenderPipeline,
    pub segments: wgpu::RenderPipeline,
    /// Draws segments that stay visible through the surfaces in front of them.
    pub segments_through: wgpu::RenderPipeline,
    /// Draws the outlined shapes into the mask, including their hidden parts.
    pub masked: Sided,
    /// Draws the visible parts of outlined shapes into the mask.
    pub masked_in_sight: Sided,
    pub cut: Cut,
}

/// The pipelines that leave out the half in front of a section plane.
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

/// Returns the vertex buffers of a surface: its vertices, then its instances.
pub(super) fn surface_buffers<'a>() -> [Option<wgpu::VertexBufferLayout<'a>>; 2] {
    [
        buffer::<Vertex>(wgpu::VertexStepMode::Vertex, &VERTEX_ATTRIBUTES),
        buffer::<PlacedInstance>(wgpu::VertexStepMode::Instance, &PLACED_ATTRIBUTES),
    ]
}

/// Returns the layout of a buffer of `T`.
fn buffer<T>(
    step_mode: wgpu::VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> Option<wgpu::VertexBufferLayout<'_>> {
    Some(wgpu::VertexBufferLayout { array_stride: size_of::<T>() as u64, step_mode, attributes })
}

/// Compiles a shader.
pub(super) fn module(device: &wgpu::Device, label: &str, text: &str) -> wgpu::ShaderModule {
    let source = wgpu::ShaderSource::Wgsl(text.into());
    device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source })
}

/// The compiled shaders. Each begins with the declarations that all shaders share.
struct Shaders {
    surface: wgpu::ShaderModule,
    ground: wgpu::ShaderModule,
    segment: wgpu::ShaderModule,
    cap: wgpu::ShaderModule,
    mask: wgpu::ShaderModule,
}

impl Shaders {
    fn new(device: &wgpu::Device) -> Self {
        let with_frame = |label: &str, text: &str| module(device, label, &format!("{FRAME}\n{text}"));
        Self {
            surface: with_frame("surface", include_str!("../../../shaders/surface.wgsl")),
            ground: with_frame("ground", include_str!("../../../shaders/ground.wgsl")),
            segment: with_frame("segment", include_str!("../../../shaders/segment.wgsl")),
            cap: with_frame("caps", include_str!("../../../shaders/cap.wgsl")),
            mask: with_frame("mask", include_str!("../../../shaders/mask.wgsl")),
        }
    }

    /// Describes filled surfaces. Every other description is derived from this one.
    fn filled<'a>(
        &'a self,
        buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
        target: wgpu::TextureFormat,
    ) -> PipelineSpec<'a> {
        PipelineSpec {
            label: "surface",
            module: &self.surface,
            vertex: "vertex",
            fragment: "fragment",
            buffers,
            topology: wgpu::PrimitiveTopology::TriangleList,
            polygon_mode: wgpu::PolygonMode::Fill,
            cull_mode: None,
            depth_write: true,
            depth_compare: wgpu::CompareFunction::Greater,
            bias: 0,
            blend: None,
            takes_shadows: true,
            section: 0,
            target,
            channels: wgpu::ColorWrites::ALL,
        }
    }

    /// Describes segments, which are drawn as strips whose edges fade by their alpha.
    fn lines<'a>(
        &'a self,
        buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
        filled: PipelineSpec<'a>,
    ) -> PipelineSpec<'a> {
        PipelineSpec {
            label: "segments",
            module: &self.segment,
            buffers,
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            depth_write: false,
            depth_compare: wgpu::CompareFunction::GreaterEqual,
            bias: 8,
            blend: Some(wgpu::BlendState::ALPHA_BLENDING),
            takes_shadows: false,
            ..filled
        }
    }

    /// Describes both masks: the mask of whole shapes, and the mask of their visible parts.
    fn masks<'a>(&'a self, filled: PipelineSpec<'a>) -> [PipelineSpec<'a>; 2] {
        let masked = PipelineSpec {
            label: "mask",
            module: &self.mask,
            depth_write: false,
            depth_compare: wgpu::CompareFunction::Always,
            takes_shadows: false,
            target: MASK,
            channels: wgpu::ColorWrites::RED,
            ..filled
        };
        let in_sight = PipelineSpec {
            depth_compare: wgpu::CompareFunction::GreaterEqual,
            bias: 8,
            channels: wgpu::ColorWrites::GREEN,
            ..masked
        };
        [masked, in_sight]
    }
}

impl Pipelines {
    /// Builds every pipeline. `layout` describes the uniforms that all shaders share. `tap_count` is
    /// the number of samples of the shadow map per pixel, 1 or 4.
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
        let factory = Factory { device, layout, sample_count, tap_count };
        let shaders = Shaders::new(device);
        let surfaces = surface_buffers();
        let strokes = [buffer::<Stroke>(wgpu::VertexStepMode::Instance, &STROKE_ATTRIBUTES)];
        let filled = shaders.filled(&surfaces, format);
        let lines = shaders.lines(&strokes, filled);
        let [masked, masked_in_sight] = shaders.masks(filled);
        let wires = device.features().contains(wgpu::Features::POLYGON_MODE_LINE).then_some(PipelineSpec {
            label: "wires",
            polygon_mode: wgpu::PolygonMode::Line,
            ..filled
        });
        let ground = PipelineSpec { module: &shaders.ground, buffers: &[], ..filled };
        Self {
            surface: factory.sided(&filled),
            wires: wires.as_ref().map(|w| factory.sided(w)),
            sky: factory.make(&PipelineSpec {
                label: "sky",
                fragment: "sky",
                depth_write: false,
                depth_compare: wgpu::CompareFunction::GreaterEqual,
                ..ground
            }),
            ground: factory.make(&PipelineSpec {
                label: "ground",
                module: ground.module,
                vertex: "ground_vertex",
                fragment: "ground",
                buffers: &[],
                takes_shadows: true,
                ..lines
            }),
            segments: factory.make(&lines),
            segments_through: factory
                .make(&PipelineSpec { depth_compare: wgpu::CompareFunction::Always, ..lines }),
            masked: factory.sided(&masked),
            masked_in_sight: factory.sided(&masked_in_sight),
            cut: Cut {
                caps: make_caps(&factory, &shaders.cap, filled),
                surface: Sided {
                    front: factory.make(&PipelineSpec { section: 2, ..filled }),
                    both: factory.cut_sheets(&filled),
                },
                wires: wires.as_ref().map(|w| factory.open(w)),
                masked: factory.open(&masked),
                masked_in_sight: factory.open(&masked_in_sight),
            },
        }
    }
}

/// Builds the pipeline of the caps that close cut solids. The caps are triangles whose corners are
/// relative to the eye.
fn make_caps(factory: &Factory, module: &wgpu::ShaderModule, filled: PipelineSpec) -> wgpu::RenderPipeline {
    let corners = [buffer::<[f32; 3]>(wgpu::VertexStepMode::Vertex, &CORNER_ATTRIBUTES)];
    factory.make(&PipelineSpec { label: "caps", module, buffers: &corners, takes_shadows: false, ..filled })
}
