//! A window with its graphics device. It passes the window's events to the panels, and it draws the
//! app.

use std::sync::Arc;
use std::time::Duration;

use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::app::{App, WindowRequest};
use super::drawing::Drawing;
use super::gpu::{Destination, Finish, Gpu, GpuError, Next, Painter, Surface};
use super::system_error::SystemError;
use super::window::ViewerError;
use super::{panels, picture, priority};
use crate::files::Existing;

/// Time without a change after which a picture is drawn completely.
const SETTLED: Duration = Duration::from_millis(120);

pub struct Canvas {
    pub window: Arc<Window>,
    instance: wgpu::Instance,
    gpu: Gpu,
    surface: Surface,
    painter: Painter,
    panels: egui_winit::State,
    panel_painter: egui_wgpu::Renderer,
    drawing: Drawing,
    title: String,
}

impl Canvas {
    /// Opens a canvas in a new window, or in a window whose device was lost.
    pub fn open(events: &ActiveEventLoop, window: Option<Arc<Window>>) -> Result<Self, ViewerError> {
        let attributes = Window::default_attributes()
            .with_title("tumble")
            .with_inner_size(PhysicalSize::new(1280, 720))
            .with_min_inner_size(PhysicalSize::new(320, 240));
        let window = match window {
            Some(window) => window,
            None => Arc::new(
                events.create_window(attributes).map_err(|e| ViewerError::NoWindow(SystemError::of(&e)))?,
            ),
        };
        let display = Box::new(events.owned_display_handle());
        let instance =
            wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle_from_env(display));
        let surface = instance.create_surface(Arc::clone(&window)).map_err(GpuError::Surface)?;
        let gpu = Gpu::open(&instance, Some(&surface), |info| {
            if info.device_type == wgpu::DeviceType::Cpu {
                priority::step_back();
            }
        })?;
        let size = window.inner_size();
        let surface = Surface::new(&gpu, surface, [size.width, size.height])?;
        let finish = if gpu.is_software() { Finish::Quick } else { Finish::Fine };
        let painter = Painter::new(&gpu, surface.format(), finish);
        let context = egui::Context::default();
        panels::apply_style(&context);
        let panel_painter = egui_wgpu::Renderer::new(
            &gpu.device,
            surface.format(),
            egui_wgpu::RendererOptions { dithering: !gpu.is_software(), ..Default::default() },
        );
        let largest = gpu.device.limits().max_texture_dimension_2d as usize;
        let panels = egui_winit::State::new(
            context,
            egui::ViewportId::ROOT,
            &*window,
            Some(window.scale_factor() as f32),
            None,
            Some(largest),
        );
        Ok(Self {
            window,
            instance,
            gpu,
            surface,
            painter,
            panels,
            panel_painter,
            drawing: Drawing::default(),
            title: String::new(),
        })
    }

    pub fn is_software(&self) -> bool {
        self.gpu.is_software()
    }

    pub fn has_wireframe(&self) -> bool {
        self.gpu.has_wireframe()
    }

    pub fn is_lost(&self) -> bool {
        self.gpu.is_lost()
    }

    pub fn adapter_name(&self) -> String {
        self.gpu.adapter.get_info().name
    }

    /// Returns the size of the picture, px.
    pub fn size(&self) -> [u32; 2] {
        self.surface.size()
    }

    pub fn resize(&mut self, size: [u32; 2]) {
        self.surface.resize(size);
    }

    /// Passes an event to the panels. Returns whether the event requires a new picture.
    pub fn take_event(&mut self, event: &WindowEvent) -> bool {
        let resized = matches!(event, WindowEvent::Resized(_) | WindowEvent::ScaleFactorChanged { .. });
        self.panels.on_window_event(&self.window, event).repaint || resized
    }

    /// Draws the current state of the app. If the panels want to be drawn again, returns the time until
    /// then.
    pub fn draw(&mut self, app: &mut App) -> Option<Duration> {
        self.set_title(app);
        let picture = match self.surface.next(&self.gpu.device) {
            Next::Picture(picture) => picture,
            Next::Later => {
                app.update();
                // A device reports that it is lost only when it is polled. So it is polled if there is
                // no picture.
                if self.gpu.device.poll(wgpu::PollType::Poll).is_err() || self.gpu.is_lost() {
                    return Some(Duration::ZERO);
                }
                return (self.surface.size() != [0; 2]).then_some(Duration::from_millis(50));
            }
            Next::Lost => {
                self.renew_surface(app);
                return Some(Duration::ZERO);
            }
        };
        app.update();
        self.upload(app);
        let input = self.panels.take_egui_input(&self.window);
        let context = self.panels.egui_ctx().clone();
        let mut output = context.run_ui(input, |ui| panels::show(ui, app));
        self.panels.handle_platform_output(&self.window, output.platform_output);
        let scale = output.pixels_per_point;
        let jobs = context.tessellate(output.shapes, scale);

        let size = self.surface.size();
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        let target = picture.texture.create_view(&Default::default());
        let mut encoder = device.create_command_encoder(&Default::default());
        let area = pixels(app.area, scale, size);
        for skin in app.posed_skins() {
            self.painter.update(skin.shape, &skin.vertices);
        }
        let view = app.draw(&mut self.drawing);
        let to = Destination { target: &target, size, area, around: panels::BACKGROUND };
        self.painter.draw(&mut encoder, &to, &view);
        for (id, deltas) in &output.textures_delta.set {
            for delta in deltas {
                self.panel_painter.update_texture(device, queue, *id, delta);
            }
        }
        let screen = egui_wgpu::ScreenDescriptor { size_in_pixels: size, pixels_per_point: scale };
        let extra = self.panel_painter.update_buffers(device, queue, &mut encoder, &jobs, &screen);
        {
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("panels"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
                })],
                ..Default::default()
            });
            self.panel_painter.render(&mut pass.forget_lifetime(), &jobs, &screen);
        }
        queue.submit(extra.into_iter().chain([encoder.finish()]));
        for id in &output.textures_delta.free {
            self.panel_painter.free_texture(id);
        }
        // If a delta is dropped that is not empty, it counts as lost, so it is cleared here.
        output.textures_delta.clear();
        self.window.pre_present_notify();
        queue.present(picture);
        if app.wishes.contains(&WindowRequest::Screenshot) {
            self.screenshot(app, [area[2], area[3]]);
            return Some(Duration::ZERO);
        }
        let delay = output.viewport_output.get(&egui::ViewportId::ROOT).map(|v| v.repaint_delay);
        let settled = self.painter.is_unfinished().then_some(SETTLED);
        delay.filter(|d| *d < Duration::from_secs(3600)).into_iter().chain(settled).min()
    }

    /// Creates a new surface. This is needed if the window has lost its surface but kept its device.
    fn renew_surface(&mut self, app: &mut App) {
        let size = self.surface.size();
        let made = self.instance.create_surface(Arc::clone(&self.window)).map_err(GpuError::Surface);
        match made.and_then(|s| Surface::new(&self.gpu, s, size)) {
            Ok(surface) => self.surface = surface,
            Err(error) => app.say(error.to_string(), true),
        }
    }

    fn upload(&mut self, app: &mut App) {
        if let Some(shapes) = app.fresh_shapes.take() {
            self.painter.clear();
            for shape in &shapes {
                self.painter.add(shape);
            }
        }
        for shape in app.part_shapes.drain(..) {
            self.painter.add(&shape);
        }
    }

    /// Saves the view, without the panels, in the current folder.
    fn screenshot(&mut self, app: &mut App, size: [u32; 2]) {
        let view = app.draw(&mut self.drawing);
        let format = self.surface.format();
        let (gpu, painter) = (&self.gpu, &mut self.painter);
        let saved = gpu
            .checked(|| picture::capture(gpu, painter, format, size, &view))
            .map_err(picture::PictureError::from)
            .and_then(|picture| {
                let path = picture::free_name(app);
                picture::save(&picture, &path, Existing::Keep).map(|()| path)
            });
        match saved {
            Ok(path) => app.say(format!("saved {}", path.display()), false),
            Err(error) => app.say(super::loader::explain(&error), true),
        }
    }

    fn set_title(&mut self, app: &App) {
        let title = if self.surface.is_too_large() {
            "tumble: this window is larger than the graphics driver can draw".to_owned()
        } else {
            app.stage
                .as_ref()
                .map_or_else(|| "tumble".to_owned(), |s| format!("{} – tumble", s.show.scene.name))
        };
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
    }
}

/// Converts a rectangle from points to pixels (left, top, width, height), and limits it to the picture.
fn pixels(area: egui::Rect, scale: f32, size: [u32; 2]) -> [u32; 4] {
    let at = |x: f32, limit: u32| ((x * scale).round().max(0.0) as u32).min(limit);
    let (left, top) = (at(area.min.x, size[0]), at(area.min.y, size[1]));
    let (right, bottom) = (at(area.max.x, size[0]), at(area.max.y, size[1]));
    [left, top, right.saturating_sub(left), bottom.saturating_sub(top)]
}
