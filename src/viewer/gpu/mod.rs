//! The graphics device: how it is chosen, and the errors if there is none. `wgpu` chooses among Vulkan,
//! Metal and Direct3D 12. A software rasterizer (llvmpipe, WARP) is a device like any other, only
//! slower. The viewer knows which it has.
//!
//! - `buffer.rs`: a buffer that is rewritten every frame and grows on demand.
//! - `frame.rs`: uniforms that all shaders of a picture share, and the view frustum.
//! - `outline.rs`: the line around the selection.
//! - `painter.rs`: draws a view, one pass after the other.
//! - `pipelines.rs`: the pipelines: surfaces, shadow, sky, ground, lines, masks.
//! - `shadow.rs`: the sun's shadow.
//! - `shapes.rs`: shapes on the device, drawn in runs of equal shape and level.
//! - `spec.rs`: the description of a pipeline, and the factory that builds it.
//! - `surface.rs`: swap chain of a window, which follows its size.
//! - `view.rs`: one picture in plain data.

mod buffer;
mod frame;
mod outline;
mod painter;
mod pipelines;
mod shadow;
mod shapes;
mod spec;
mod surface;
mod view;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use painter::{Destination, Finish, Painter};
pub use shapes::ShapeId;
pub use surface::{Next, Surface};
pub use view::{Ground, Instance, Segment, Tint, View};

/// Reason why nothing can be drawn.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    #[error(
        "no graphics driver was found (Vulkan, Metal or Direct3D 12). On Debian or Ubuntu, \
         `apt install mesa-vulkan-drivers` draws on any processor"
    )]
    NoAdapter(#[source] wgpu::RequestAdapterError),
    #[error("the graphics driver {adapter} gives no device")]
    NoDevice { adapter: String, source: wgpu::RequestDeviceError },
    #[error(
        "the window cannot be drawn to; if no graphics driver is installed: on Debian or Ubuntu, \
         `apt install mesa-vulkan-drivers` draws on any processor"
    )]
    Surface(#[source] wgpu::CreateSurfaceError),
    #[error("the graphics driver {adapter} cannot draw to this kind of window")]
    Format { adapter: String },
    #[error("the picture cannot be read back from the graphics driver: {0}")]
    ReadBack(String),
    #[error("the graphics driver has too little memory for this picture")]
    OutOfMemory,
    #[error("the graphics driver cannot draw this")]
    Failed(#[source] wgpu::Error),
}

/// An open device. All objects created with it are lost with it.
pub struct Gpu {
    pub adapter: wgpu::Adapter,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    lost: Arc<AtomicBool>,
}

impl Gpu {
    /// Opens the best device that can draw to the surface. Without a surface, opens the best device for
    /// pictures in memory. `before_device` is called when the adapter is known, before the device
    /// starts its threads.
    pub fn open(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface>,
        before_device: impl FnOnce(&wgpu::AdapterInfo),
    ) -> Result<Self, GpuError> {
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: surface,
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options)).map_err(GpuError::NoAdapter)?;
        before_device(&adapter.get_info());
        // Large windows and large meshes need more than the minimum that every driver guarantees.
        let own = adapter.limits();
        let required_limits = wgpu::Limits {
            max_texture_dimension_2d: own.max_texture_dimension_2d,
            max_buffer_size: own.max_buffer_size,
            ..wgpu::Limits::default()
        };
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("tumble"),
            required_features: adapter.features() & wgpu::Features::POLYGON_MODE_LINE,
            required_limits,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|source| GpuError::NoDevice { adapter: adapter.get_info().name, source })?;
        let lost = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&lost);
        device.set_device_lost_callback(move |_, _| flag.store(true, Ordering::Relaxed));
        // After a driver error, a picture is lost but the run goes on.
        device.on_uncaptured_error(Arc::new(|error| eprintln!("graphics: {error}")));
        Ok(Self { adapter, device, queue, lost })
    }

    /// Opens a device for pictures in memory. It needs no display.
    pub fn open_headless() -> Result<Self, GpuError> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        Self::open(&instance, None, |_| {})
    }

    /// Runs `work` on the device. Driver errors are returned, not printed.
    pub fn checked<T>(&self, work: impl FnOnce() -> Result<T, GpuError>) -> Result<T, GpuError> {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        let scopes = [Validation, Internal, OutOfMemory].map(|f| self.device.push_error_scope(f));
        let result = work();
        // Scopes must be popped in reverse order. The last one popped is the lack of memory, and it
        // takes precedence because it is the cause of other errors.
        let pop = |scope: wgpu::ErrorScopeGuard| pollster::block_on(scope.pop());
        let first = scopes.into_iter().rev().map(pop).fold(None, Option::or);
        match first {
            Some(wgpu::Error::OutOfMemory { .. }) => Err(GpuError::OutOfMemory),
            Some(error) => Err(GpuError::Failed(error)),
            None => result,
        }
    }

    /// Returns whether the device is a software rasterizer.
    pub fn is_software(&self) -> bool {
        self.adapter.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// Returns whether the device was lost, for example after a reset of the driver, a change of a
    /// laptop's dock, or sleep. Then all objects of the device must be created again.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Returns whether the device can draw wireframes.
    pub fn has_wireframe(&self) -> bool {
        self.device.features().contains(wgpu::Features::POLYGON_MODE_LINE)
    }
}
