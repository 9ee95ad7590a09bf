//! Images and the sampling of textures.
//!
//! PNG and JPEG are decoded within limits. A fault of an image becomes a note, because it affects only
//! colors. Texels are sRGB as stored.

use std::borrow::Cow;
use std::io::Cursor;

use gltf::json;
use gltf::json::texture::WrappingMode;
use gltf::json::validation::Checked as Known;
use image::{DynamicImage, GenericImageView, ImageFormat, ImageReader, Limits};

use super::container::resolve;
use super::reader::Reader;
use crate::arrays::MapEach;
use crate::import::fault::{Checked, Fault, fault};
use crate::import::limits::{IMAGE_BYTES, IMAGE_SIDE, PIXELS};

/// Texture of a surface: an image and its mapping.
#[derive(Clone, Debug)]
pub(super) struct Texture {
    pub image: usize,
    /// Number of the TEXCOORD attribute.
    pub set: u32,
    /// Affine transform from the surface's texture coordinates to those of the image: columns for u,
    /// for v, and the offset.
    transform: [[f64; 2]; 3],
    wrap: [WrappingMode; 2],
}

impl Texture {
    /// Transforms texture coordinates of the surface to those of the image.
    pub fn place(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let [a, b, c] = self.transform;
        [0, 1].map_each(|k| a[k] * u + b[k] * v + c[k])
    }

    /// Returns the color of the nearest texel, sRGB.
    pub fn texel(&self, image: &DynamicImage, place: [f64; 2]) -> [u8; 3] {
        let (width, height) = image.dimensions();
        let index = |k: usize, size: u32| {
            let share = wrapped(place[k], self.wrap[k]);
            // The conversion maps NaN to index 0.
            ((share * f64::from(size)) as u32).min(size - 1)
        };
        let [r, g, b, _] = image.get_pixel(index(0, width), index(1, height)).0;
        [r, g, b]
    }
}

/// Maps a texture coordinate into the image, 0 to 1, by a wrapping mode.
fn wrapped(x: f64, mode: WrappingMode) -> f64 {
    match mode {
        WrappingMode::ClampToEdge => x.clamp(0.0, 1.0),
        WrappingMode::Repeat => x - x.floor(),
        WrappingMode::MirroredRepeat => {
            let round = x.rem_euclid(2.0);
            if round > 1.0 { 2.0 - round } else { round }
        }
    }
}

/// Reads two numbers of a list in an extension; missing ones are taken from `default`.
fn pair(value: Option<&serde_json::Value>, default: [f64; 2]) -> [f64; 2] {
    let number = |k: usize| value.and_then(|v| v.get(k)).and_then(|x| x.as_f64());
    [number(0).unwrap_or(default[0]), number(1).unwrap_or(default[1])]
}

impl Reader<'_> {
    /// Reads a texture reference with its KHR_texture_transform, if any.
    pub(super) fn texture(&self, info: &json::texture::Info) -> Checked<Texture> {
        let index = info.index.value();
        let place = format!("texture {index}");
        let Some(texture) = self.root.textures.get(index) else { return fault(place, "does not exist") };
        let image = texture.source.value();
        if image >= self.root.images.len() {
            // Textures whose image has the format of an extension have no `source`.
            return fault(place, "has no image that is PNG or JPEG");
        }
        let wrap = match texture.sampler.map(|s| self.root.samplers.get(s.value())) {
            None => [WrappingMode::Repeat; 2],
            Some(Some(sampler)) => match (sampler.wrap_s, sampler.wrap_t) {
                (Known::Valid(s), Known::Valid(t)) => [s, t],
                _ => return fault(place, "its sampler wraps in an unknown way"),
            },
            Some(None) => return fault(place, "its sampler does not exist"),
        };
        let extension = info.extensions.as_ref().and_then(|e| e.others.get("KHR_texture_transform"));
        let get = |key| extension.and_then(|e| e.get(key));
        let set = get("texCoord").and_then(|n| n.as_u64()).and_then(|n| u32::try_from(n).ok());
        let [x, y] = pair(get("scale"), [1.0; 2]);
        let angle = get("rotation").and_then(|n| n.as_f64()).unwrap_or(0.0);
        // The rotation is counter-clockwise as seen on the image, whose v axis points down.
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        let transform = [[cosine * x, -sine * x], [sine * y, cosine * y], pair(get("offset"), [0.0; 2])];
        Ok(Texture { image, set: set.unwrap_or(info.tex_coord), transform, wrap })
    }

    /// Decodes an image, and subtracts its pixels from `pixels_left`, the number that the model may
    /// still decode.
    pub(super) fn decode(&self, index: usize, pixels_left: &mut u64) -> Result<DynamicImage, String> {
        let bytes = self.image_bytes(index).map_err(|Fault { place, reason }| {
            if place.starts_with("image") { reason } else { format!("{place} {reason}") }
        })?;
        let format = match image::guess_format(&bytes) {
            Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg)) => format,
            Ok(format) => return Err(format!("is {format:?}, only PNG and JPEG are read")),
            Err(_) => return Err("is neither PNG nor JPEG".to_owned()),
        };
        let broken = |e: image::ImageError| format!("cannot be decoded: {e}");
        let reader = || ImageReader::with_format(Cursor::new(&*bytes), format);
        let (width, height) = reader().into_dimensions().map_err(broken)?;
        let pixels = u64::from(width) * u64::from(height);
        if width > IMAGE_SIDE || height > IMAGE_SIDE || pixels == 0 {
            return Err(format!("is {width} × {height} pixels, the limit is 1 to {IMAGE_SIDE} per side"));
        }
        *pixels_left = pixels_left
            .checked_sub(pixels)
            .ok_or_else(|| format!("is left out: the images have more than {PIXELS} pixels"))?;
        let mut reader = reader();
        let mut limits = Limits::default();
        limits.max_alloc = Some(IMAGE_BYTES);
        reader.limits(limits);
        reader.decode().map_err(broken)
    }

    fn image_bytes(&self, index: usize) -> Checked<Cow<'_, [u8]>> {
        let place = format!("image {index}");
        let image = &self.root.images[index];
        match (image.buffer_view, &image.uri) {
            (Some(view), _) => self.accessors.view(view.value()).map(Cow::Borrowed),
            (None, Some(uri)) => resolve(&place, uri, self.folder).map(Cow::Owned),
            (None, None) => fault(place, "has neither a buffer view nor a URI"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_outside_the_image_come_back_as_the_sampler_says() {
        use WrappingMode::{ClampToEdge, MirroredRepeat, Repeat};
        for (x, mode, expected) in [
            (1.25, Repeat, 0.25),
            (-0.25, Repeat, 0.75),
            (1.25, ClampToEdge, 1.0),
            (-7.0, ClampToEdge, 0.0),
            (1.25, MirroredRepeat, 0.75),
            (-0.25, MirroredRepeat, 0.25),
            (2.25, MirroredRepeat, 0.25),
        ] {
            assert!((wrapped(x, mode) - expected).abs() < 1e-12, "{x} {mode:?}");
        }
    }
}
