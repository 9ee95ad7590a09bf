//! The description of a render pipeline, and the factory that builds pipelines from descriptions.
//!
//! Depth is reversed (1 near, 0 far), so every depth test is "greater".

pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The settings in which one pipeline differs from another.
#[derive(Clone, Copy)]
pub(super) struct PipelineSpec<'a> {
    pub label: &'a str,
    pub module: &'a wgpu::ShaderModule,
    /// Entry point of the vertex shader.
    pub vertex: &'a str,
    /// Entry point of the fragment shader.
    pub fragment: &'a str,
    pub buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub topology: wgpu::PrimitiveTopology,
    pub polygon_mode: wgpu::PolygonMode,
    pub cull_mode: Option<wgpu::Face>,
    pub depth_write: bool,
    pub depth_compare: wgpu::CompareFunction,
    /// Depth bias towards the eye, in depth units.
    pub bias: i32,
    pub blend: Option<wgpu::BlendState>,
    /// Whether the fragment shader reads the shadow map. If so, the shader has the constant `TAPS`.
    pub takes_shadows: bool,
    /// Value of the shader's constant `SECTION`: 0 without a section, 1 for sheets, 2 for solids.
    pub section: u32,
    pub target: wgpu::TextureFormat,
    pub channels: wgpu::ColorWrites,
}

/// A pair of pipelines. One culls back faces, for closed shapes. The other draws both sides, for
/// sheets.
pub(super) struct Sided {
    pub front: wgpu::RenderPipeline,
    pub both: wgpu::RenderPipeline,
}

/// The settings that all pipelines of one painter share.
pub(super) struct Factory<'a> {
    pub device: &'a wgpu::Device,
    pub layout: wgpu::PipelineLayout,
    /// Number of samples per pixel.
    pub sample_count: u32,
    /// Number of samples of the shadow map per pixel, 1 or 4.
    pub tap_count: u32,
}

impl Factory<'_> {
    /// Builds the pipeline that a description specifies.
    pub fn make(&self, spec: &PipelineSpec) -> wgpu::RenderPipeline {
        let constants = [("TAPS", f64::from(self.tap_count)), ("SECTION", f64::from(spec.section))];
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(spec.label),
            layout: Some(&self.layout),
            vertex: wgpu::VertexState {
                module: spec.module,
                entry_point: Some(spec.vertex),
                compilation_options: Default::default(),
                buffers: spec.buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: spec.topology,
                polygon_mode: spec.polygon_mode,
                cull_mode: spec.cull_mode,
                ..Default::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(spec.depth_write),
                depth_compare: Some(spec.depth_compare),
                stencil: Default::default(),
                bias: wgpu::DepthBiasState { constant: spec.bias, ..Default::default() },
            }),
            multisample: wgpu::MultisampleState { count: self.sample_count, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: spec.module,
                entry_point: Some(spec.fragment),
                compilation_options: wgpu::PipelineCompilationOptions {
                    // wgpu rejects a constant that the shader does not use.
                    constants: if spec.takes_shadows { &constants } else { &constants[1..] },
                    ..Default::default()
                },
                targets: &[Some(wgpu::ColorTargetState {
                    format: spec.target,
                    blend: spec.blend,
                    write_mask: spec.channels,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    /// Builds the pair of pipelines for views without a section.
    pub fn sided(&self, spec: &PipelineSpec) -> Sided {
        Sided {
            front: self.make(&PipelineSpec { cull_mode: Some(wgpu::Face::Back), ..*spec }),
            both: self.make(spec),
        }
    }

    /// Builds the pipeline that cuts sheets at the section plane.
    pub fn cut_sheets(&self, spec: &PipelineSpec) -> wgpu::RenderPipeline {
        self.make(&PipelineSpec { section: 1, ..*spec })
    }

    /// Builds the pair of pipelines for views with a section. Both pipelines draw both sides of a face,
    /// because a cut reveals the back faces behind the plane.
    pub fn open(&self, spec: &PipelineSpec) -> Sided {
        Sided { front: self.cut_sheets(spec), both: self.cut_sheets(spec) }
    }
}
