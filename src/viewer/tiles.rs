//! One picture of all levels of a scene's parts from the same camera: one row per level, coarse to
//! fine, with the simplified models on the left and the components on the right. \[simplify\] Fig. 4

use image::RgbaImage;
use image::imageops::replace;

use super::gpu::{Gpu, GpuError};
use super::panels::{BACKGROUND, apply_style};
use super::parts::PartCounts;
use super::picture::{FORMAT, PictureError, Studio, read_back};
use super::show::Look;

/// Gap between two tiles, px.
const GAP: u32 = 2;

/// Levels of one mesh of a scene.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct MeshParts {
    pub name: String,
    pub triangles: usize,
    /// Counts of each level, the coarsest first.
    pub levels: Vec<PartCounts>,
}

impl Studio {
    /// Returns the picture of a step: two tiles per level, each of the studio's size, with captions
    /// above.
    pub fn parts_picture(&mut self, step: u32) -> Result<RgbaImage, PictureError> {
        self.app.options.look = Look::Components;
        self.picture(step)?;
        let level_count = self.level_count();
        if level_count == 0 {
            let name = self.app.stage.as_ref().map_or("", |s| s.show.scene.name.as_str());
            return Err(PictureError::NoParts(name.to_owned()));
        }
        let [width, height] = self.size;
        // The height of a caption is limited if the tiles are small or large.
        let strip = (height / 16).clamp(8, 26);
        let mut all = RgbaImage::new(2 * width + GAP, level_count * (strip + height));
        for level in 1..=level_count {
            let captions = self.captions(level);
            let top = i64::from((level - 1) * (strip + height));
            let text = caption(&self.gpu, [2 * width + GAP, strip], &captions)?;
            replace(&mut all, &text, 0, top);
            self.app.options.part_level = level;
            for (look, left) in [(Look::Simplified, 0), (Look::Components, width + GAP)] {
                self.app.options.look = look;
                replace(&mut all, &self.picture(step)?, i64::from(left), top + i64::from(strip));
            }
        }
        for (_, _, pixel) in all.enumerate_pixels_mut().filter(|(x, ..)| (width..width + GAP).contains(x)) {
            pixel.0 = [BACKGROUND[0], BACKGROUND[1], BACKGROUND[2], 255];
        }
        Ok(all)
    }

    /// Returns the levels that [`Studio::parts_picture`] shows, mesh by mesh.
    pub fn parts(&self) -> Vec<MeshParts> {
        let Some(stage) = &self.app.stage else { return Vec::new() };
        let Some(parts) = &stage.show.parts else { return Vec::new() };
        let of = |(mesh, at): (&std::sync::Arc<crate::mesh::Mesh>, u32)| MeshParts {
            name: mesh.name().to_owned(),
            triangles: mesh.triangles().len(),
            levels: parts.of(at).collect(),
        };
        stage.show.scene.meshes.iter().zip(0..).map(of).collect()
    }

    fn level_count(&self) -> u32 {
        let parts = self.app.stage.as_ref().and_then(|s| s.show.parts.as_ref());
        parts.map_or(0, |parts| parts.level_count())
    }

    fn captions(&self, level: u32) -> [String; 2] {
        let stage = self.app.stage.as_ref();
        let parts = stage.and_then(|s| s.show.parts.as_ref().zip(Some(s.show.scene.meshes.len() as u32)));
        parts.map(|(parts, count)| parts.describe(0..count, level)).unwrap_or_default()
    }
}

/// Draws a strip with one text at the left of each half.
fn caption(gpu: &Gpu, size: [u32; 2], texts: &[String; 2]) -> Result<RgbaImage, GpuError> {
    let area = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(size[0] as f32, size[1] as f32));
    let context = egui::Context::default();
    apply_style(&context);
    let input = egui::RawInput { screen_rect: Some(area), ..Default::default() };
    let mut output = context.run_ui(input, |ui| {
        let font = egui::FontId::proportional(0.62 * area.height());
        for (side, text) in texts.iter().enumerate() {
            let half = egui::vec2(0.5 * area.width(), area.height());
            let place = egui::Rect::from_min_size(egui::pos2(side as f32 * half.x, 0.0), half);
            let at = place.left_center() + egui::vec2(0.4 * area.height(), 0.0);
            let painter = ui.painter().with_clip_rect(place);
            painter.text(at, egui::Align2::LEFT_CENTER, text, font.clone(), egui::Color32::WHITE);
        }
    });
    let jobs = context.tessellate(output.shapes, 1.0);
    let (device, queue) = (&gpu.device, &gpu.queue);
    let mut painter = egui_wgpu::Renderer::new(device, FORMAT, egui_wgpu::RendererOptions::default());
    for (id, deltas) in &output.textures_delta.set {
        for delta in deltas {
            painter.update_texture(device, queue, *id, delta);
        }
    }
    output.textures_delta.clear();
    let screen = egui_wgpu::ScreenDescriptor { size_in_pixels: size, pixels_per_point: 1.0 };
    gpu.checked(|| {
        read_back(gpu, FORMAT, size, |encoder, target| {
            let extra = painter.update_buffers(device, queue, encoder, &jobs, &screen);
            queue.submit(extra);
            let [r, g, b] = BACKGROUND.map(|c| f64::from(c) / 255.0);
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("captions"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 }),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            painter.render(&mut pass.forget_lifetime(), &jobs, &screen);
        })
    })
}
