//! Pictures without a window. The view of a step is drawn into memory, read back and written as PNG.
//! This needs a graphics driver but no display.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;

use image::RgbaImage;

use super::app::{App, Options};
use super::budget::BudgetChoice;
use super::drawing::Drawing;
use super::gpu::{Destination, Finish, Gpu, GpuError, Painter, View};
use super::loader::{explain, load};
use super::simulation::Wake;
use crate::files::{self, Existing};
use crate::import::model::Note;
use crate::record::Kept;
use crate::scene::{CameraDef, SceneName};

pub(super) const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Reason why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The scene or recording cannot be loaded or stepped.
    #[error("{0}")]
    Load(String),
    #[error("there is no step {step}, the last is {last}")]
    NoSuchStep { step: u32, last: u32 },
    #[error("{0} has no parts to show: no level of simplification divides any of its surfaces")]
    NoParts(String),
    #[error("no picture can be {width} × {height}: the graphics driver draws 1 to {limit} px per side")]
    Size { width: u32, height: u32, limit: u32 },
    #[error("{}: cannot be written", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("the picture cannot be encoded")]
    Encode(#[from] image::ImageError),
    #[error("no worker thread can be started")]
    Thread(#[from] std::io::Error),
}

/// A renderer for pictures of one scene.
pub struct Studio {
    pub(super) app: App,
    pub(super) gpu: Gpu,
    painter: Painter,
    pub(super) size: [u32; 2],
    drawing: Drawing,
    /// A channel that signals new steps.
    news: std::sync::mpsc::Receiver<()>,
}

/// Options of a picture besides the scene.
#[derive(Clone, Copy, Debug, Default)]
pub struct PictureOptions {
    pub camera: Option<CameraDef>,
    pub options: Options,
}

impl Studio {
    /// Loads a scene, model or recording, and opens the graphics device. `size` is in px.
    pub fn new(
        scene: impl Into<SceneName>,
        size: [u32; 2],
        wanted: &PictureOptions,
    ) -> Result<Self, PictureError> {
        let scene = scene.into();
        let gpu = Gpu::open_headless()?;
        let limit = gpu.device.limits().max_texture_dimension_2d;
        if size[0].max(size[1]) > limit || size.contains(&0) {
            return Err(PictureError::Size { width: size[0], height: size[1], limit });
        }
        let (send, news) = channel();
        let wake: Wake = Arc::new(move || {
            // Sending fails only when the studio is gone, which does not matter.
            let _ = send.send(());
        });
        let loaded = load(&scene, BudgetChoice::OfScene, &wake)
            .map_err(|e| PictureError::Load(explain(e.as_ref())))?;
        let mut app = App::new(wake)?;
        app.take(scene.name, loaded);
        app.playhead.playing = false;
        app.options = wanted.options;
        app.has_wireframe = gpu.has_wireframe();
        app.area = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(size[0] as f32, size[1] as f32));
        if let Some(camera) = &wanted.camera {
            app.look_from(camera);
        }
        let mut painter = Painter::new(&gpu, FORMAT, Finish::Fine);
        for shape in app.fresh_shapes.take().unwrap_or_default() {
            painter.add(&shape);
        }
        Ok(Self { app, gpu, painter, size, drawing: Drawing::default(), news })
    }

    pub fn app(&mut self) -> &mut App {
        &mut self.app
    }

    /// Returns the number of steps that the scene specifies.
    pub fn scene_steps(&self) -> u32 {
        self.app.stage.as_ref().map_or(0, |s| s.show.scene.steps)
    }

    /// Returns the files from which the scene was read.
    pub fn files(&self) -> &[PathBuf] {
        self.app.stage.as_ref().map_or(&[], |s| &s.show.scene.files)
    }

    /// Returns the notes of the import.
    pub fn notes(&self) -> &[Note] {
        self.app.stage.as_ref().map_or(&[], |s| &s.show.scene.notes)
    }

    /// Returns whether the steps have contacts. The steps of a recording may have none.
    pub fn has_contacts(&self) -> bool {
        self.app.stage.as_ref().is_some_and(|s| s.source.kept() != Kept::None)
    }

    /// Returns the last step of a recording, or `None` for a scene, which has no end.
    pub fn last_step(&self) -> Option<u32> {
        let source = &self.app.stage.as_ref()?.source;
        (!source.goes_on()).then(|| source.range().1)
    }

    /// Returns the picture of a step. A scene is simulated up to this step.
    pub fn picture(&mut self, step: u32) -> Result<RgbaImage, PictureError> {
        loop {
            self.app.playhead.stop_at(step);
            self.app.update();
            let Some(stage) = &self.app.stage else { break };
            let is_there = stage.frame.step == step;
            if is_there && !self.app.is_searching() {
                break;
            }
            let range = stage.source.range();
            if !is_there && (!stage.source.goes_on() || step < range.0) {
                return Err(PictureError::NoSuchStep { step, last: range.1 });
            }
            // The simulation signals every step, and it signals its failure.
            if self.news.recv().is_err() {
                break;
            }
        }
        for shape in self.app.part_shapes.drain(..) {
            self.painter.add(&shape);
        }
        for skin in self.app.posed_skins() {
            self.painter.update(skin.shape, &skin.vertices);
        }
        let view = self.app.draw(&mut self.drawing);
        let (gpu, painter) = (&self.gpu, &mut self.painter);
        Ok(gpu.checked(|| capture(gpu, painter, FORMAT, self.size, &view))?)
    }
}

/// Draws a view into memory and reads it back. The painter draws in `format`, which must have 8 bits
/// per channel.
pub(super) fn capture(
    gpu: &Gpu,
    painter: &mut Painter,
    format: wgpu::TextureFormat,
    size: [u32; 2],
    view: &View,
) -> Result<RgbaImage, GpuError> {
    read_back(gpu, format, size, |encoder, target| {
        let to = Destination { target, size, area: [0, 0, size[0], size[1]], around: [0; 3] };
        painter.draw(encoder, &to, view);
    })
}

/// Draws into memory and reads it back.
pub(super) fn read_back(
    gpu: &Gpu,
    format: wgpu::TextureFormat,
    [width, height]: [u32; 2],
    draw: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::TextureView),
) -> Result<RgbaImage, GpuError> {
    let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("picture"),
        size: u64::from(row) * u64::from(height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let target = texture.create_view(&Default::default());
    draw(&mut encoder, &target);
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
        size,
    );
    gpu.queue.submit([encoder.finish()]);
    let fail = |e: &dyn std::fmt::Display| GpuError::ReadBack(e.to_string());
    let (send, mapped) = channel();
    buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| drop(send.send(result)));
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|e| fail(&e))?;
    mapped.recv().map_err(|e| fail(&e))?.map_err(|e| fail(&e))?;
    let bytes = buffer.slice(..).get_mapped_range().map_err(|e| fail(&e))?;
    let swapped = matches!(format, wgpu::TextureFormat::Bgra8Unorm);
    let mut picture = RgbaImage::new(width, height);
    let rows = bytes.chunks_exact(row as usize).zip(picture.chunks_exact_mut(4 * width as usize));
    for (from, to) in rows {
        to.copy_from_slice(&from[..to.len()]);
    }
    for pixel in picture.pixels_mut() {
        if swapped {
            pixel.0.swap(0, 2);
        }
        pixel.0[3] = 255;
    }
    Ok(picture)
}

/// Returns a file name that does not yet exist in the current folder. It has the scene, the step, and a
/// number if needed.
pub(super) fn free_name(app: &App) -> PathBuf {
    let stage = app.stage.as_ref();
    let scene = stage.map_or("tumble", |s| s.show.scene.name.as_str());
    let clean: String =
        scene.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
    let step = app.playhead.step();
    let named = |suffix: String| PathBuf::from(format!("{clean}-{step:06}{suffix}.png"));
    let mut path = named(String::new());
    let mut number = 2;
    while path.exists() {
        path = named(format!("-{number}"));
        number += 1;
    }
    path
}

/// Writes a PNG, whatever the file's extension.
///
/// # Errors
/// Fails if the file cannot be written; an existing file then stays unchanged.
pub fn save(picture: &RgbaImage, path: &Path, existing: Existing) -> Result<(), PictureError> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png)?;
    let written = files::write(path, bytes.get_ref(), existing);
    written.map_err(|source| PictureError::Write { path: path.to_owned(), source })
}

/// Parses a size, such as `1280x720` (px).
pub fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let sides: Result<Vec<u32>, _> = text.split(['x', '×']).map(|n| n.trim().parse::<u32>()).collect();
    match sides.as_deref() {
        Ok(&[width, height]) if width > 0 && height > 0 => Ok([width, height]),
        _ => Err("must be width and height in pixels, like 1280x720".to_owned()),
    }
}
