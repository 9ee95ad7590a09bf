//! The swap chain of a window. It follows the window's size, and it recovers if the system invalidates
//! it.

use super::{Gpu, GpuError};

pub struct Surface {
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    /// Longest side that the device can draw, px.
    limit: u32,
    /// Whether the configuration differs from the window and must be renewed.
    stale: bool,
}

/// Result of the request for the next picture.
pub enum Next {
    Picture(wgpu::SurfaceTexture),
    /// No picture is available now, because the window has no area, is hidden, or changes its size. The
    /// next redraw tries again.
    Later,
    /// The surface is lost and must be created again.
    Lost,
}

impl Surface {
    pub fn new(gpu: &Gpu, surface: wgpu::Surface<'static>, size: [u32; 2]) -> Result<Self, GpuError> {
        let adapter = || gpu.adapter.get_info().name;
        let capabilities = surface.get_capabilities(&gpu.adapter);
        let mut config = surface
            .get_default_config(&gpu.adapter, size[0].max(1), size[1].max(1))
            .ok_or_else(|| GpuError::Format { adapter: adapter() })?;
        // Shaders and panels write values that are already encoded as sRGB, so the format must not
        // encode them again.
        let plain = capabilities.formats.iter().copied().find(|f| !f.is_srgb());
        config.format = plain.ok_or_else(|| GpuError::Format { adapter: adapter() })?;
        config.present_mode = wgpu::PresentMode::AutoVsync;
        let limit = gpu.device.limits().max_texture_dimension_2d;
        let mut this = Self { surface, config, limit, stale: true };
        this.resize(size);
        Ok(this)
    }

    pub fn format(&self) -> wgpu::TextureFormat {
        self.config.format
    }

    /// Returns the size, px.
    pub fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// Stores the window's size. However often this is called, the chain is configured anew only at the
    /// next picture.
    pub fn resize(&mut self, size: [u32; 2]) {
        self.stale |= self.size() != size;
        (self.config.width, self.config.height) = (size[0], size[1]);
    }

    /// Returns whether the window is larger than the device can draw.
    pub fn is_too_large(&self) -> bool {
        self.config.width.max(self.config.height) > self.limit
    }

    /// Returns the next picture to draw. If the window changed, configures the chain anew first.
    pub fn next(&mut self, device: &wgpu::Device) -> Next {
        use wgpu::CurrentSurfaceTexture as Current;
        if self.config.width == 0 || self.config.height == 0 || self.is_too_large() {
            return Next::Later;
        }
        if std::mem::take(&mut self.stale) {
            self.surface.configure(device, &self.config);
        }
        match self.surface.get_current_texture() {
            Current::Success(picture) => Next::Picture(picture),
            Current::Suboptimal(picture) => {
                self.stale = true;
                Next::Picture(picture)
            }
            Current::Outdated => {
                self.stale = true;
                Next::Later
            }
            Current::Timeout | Current::Occluded | Current::Validation => Next::Later,
            Current::Lost => Next::Lost,
        }
    }
}
