//! Colors of triangles: base color × COLOR_0 × base color texture at each corner, multiplied in linear
//! light and stored as sRGB. They are empty if a mesh has neither COLOR_0 nor a material with a color.
//!
//! Each image is decoded once, after the geometry is known, sampled for every primitive that uses it,
//! and dropped. Images that only meshes outside the scene use are not opened. A fault in a color is a
//! note, never an error.

use std::collections::BTreeMap;

use gltf::json;
use gltf::json::accessor::{ComponentType, Type};
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked as Known;
use image::DynamicImage;

use super::accessor::unit_scale;
use super::reader::{PrimitiveRange, Reader};
use super::texture::Texture;
use crate::arrays::{MapEach, from_each};
use crate::import::fault::{Checked, Fault, fault};
use crate::import::limits::PIXELS;
use crate::import::model::CornerColors;
use crate::import::model::NoteKind;
use crate::import::srgb::linear;

/// Color of a primitive without a material or vertex colors, linear.
const GREY: [f32; 3] = [0.6; 3];
/// Position at which a texture is sampled, as a share of the way from a corner to the triangle's
/// center. At the border of an image or of an island of an atlas, the corner itself may belong to
/// either side.
const INWARD: f64 = 0.02;
const COORDINATE_COMPONENTS: [ComponentType; 5] =
    [ComponentType::F32, ComponentType::U8, ComponentType::U16, ComponentType::I8, ComponentType::I16];
const COLOR_COMPONENTS: [ComponentType; 3] = [ComponentType::F32, ComponentType::U8, ComponentType::U16];

/// Color of a material: a factor (linear), and the texture by which it is multiplied.
struct Material {
    factor: [f32; 3],
    texture: Option<Texture>,
    /// Whether the file specifies a color, by a material or by COLOR_0.
    is_said: bool,
}

/// Tables for the conversion between 8-bit sRGB and linear light.
struct Srgb {
    linear: [f32; 256],
    /// Smallest linear value that rounds to code 1, 2, …, 255.
    bounds: [f32; 255],
}

impl Srgb {
    fn new() -> Self {
        let linear = |code: f64| linear(code) as f32;
        Self { linear: from_each(|i| linear(i as f64)), bounds: from_each(|i| linear(i as f64 + 0.5)) }
    }

    fn encode(&self, linear: [f32; 3]) -> [u8; 3] {
        linear.map_each(|c| self.bounds.partition_point(|b| *b <= c) as u8)
    }

    fn decode(&self, codes: [u8; 3]) -> [f32; 3] {
        codes.map_each(|c| self.linear[usize::from(c)])
    }
}

impl Reader<'_> {
    /// Fills `colors` of every geometry: three corner colors per triangle.
    pub(super) fn read_colors(&mut self) {
        let srgb = Srgb::new();
        let mut shown = vec![false; self.model.geometries.len()];
        for geometry in self.model.nodes.iter().filter(|n| n.in_scene).filter_map(|n| n.geometry) {
            shown[geometry as usize] = true;
        }
        // Primitives with a texture are collected by image, and colored after the others.
        let mut by_image: BTreeMap<usize, Vec<(PrimitiveRange, Material)>> = BTreeMap::new();
        let mut is_said = vec![false; self.model.geometries.len()];
        for range in std::mem::take(&mut self.ranges) {
            let material = self.material(&range);
            is_said[range.mesh] |= material.is_said;
            match &material.texture {
                Some(texture) if shown[range.mesh] => {
                    by_image.entry(texture.image).or_default().push((range, material));
                }
                _ => self.color(&srgb, &range, &material, None),
            }
        }
        let mut pixels_left = PIXELS;
        for (image, users) in by_image {
            let decoded = self.decode(image, &mut pixels_left);
            if let Err(reason) = &decoded {
                let text = format!("{reason}; surfaces with this image get a plain color");
                self.note(NoteKind::Ignored, format!("image {image}"), text);
            }
            for (range, material) in users {
                self.color(&srgb, &range, &material, decoded.as_ref().ok());
            }
        }
        for (geometry, _) in self.model.geometries.iter_mut().zip(is_said).filter(|(_, said)| !said) {
            geometry.colors.clear();
        }
    }

    fn primitive(&self, range: &PrimitiveRange) -> (&json::mesh::Primitive, String) {
        let mesh = &self.root.meshes[range.mesh];
        let name = mesh.name.as_deref().unwrap_or_default();
        let place = format!("mesh {} {name:?}, primitive {}", range.mesh, range.primitive);
        (&mesh.primitives[range.primitive], place)
    }

    fn note_fault(&mut self, place: &str, Fault { place: of, reason }: Fault) {
        let text = if of == place { reason } else { format!("{of} {reason}") };
        self.note(NoteKind::Ignored, place, format!("its colours are not all read: {text}"));
    }

    /// Returns the color of a primitive's material. A fault of the texture is a note, and the texture
    /// is left out.
    fn material(&mut self, range: &PrimitiveRange) -> Material {
        let (primitive, place) = self.primitive(range);
        let colored = primitive.attributes.contains_key(&Known::Valid(Semantic::Colors(0)));
        let factor = if colored { [1.0; 3] } else { GREY };
        let without = Material { factor, texture: None, is_said: colored };
        let Some(index) = primitive.material.map(|m| m.value()) else { return without };
        let Some(material) = self.root.materials.get(index) else {
            self.note(NoteKind::Ignored, place, format!("there is no material {index}"));
            return without;
        };
        let plain = &material.pbr_metallic_roughness;
        let [r, g, b, _] = plain.base_color_factor.0;
        let mut factor = [r, g, b];
        let mut info = plain.base_color_texture.clone();
        // The older specular-glossiness model calls the base color diffuse.
        let glossy = material.extensions.as_ref();
        if let Some(glossy) = glossy.and_then(|e| e.others.get("KHR_materials_pbrSpecularGlossiness")) {
            let number = |k| glossy.get("diffuseFactor")?.get(k)?.as_f64();
            factor = [0, 1, 2].map_each(|k| number(k).map_or(1.0, |x| x as f32));
            let read = |t: &serde_json::Value| serde_json::from_value(t.clone());
            match glossy.get("diffuseTexture").map(read).transpose() {
                Ok(diffuse) => info = diffuse,
                Err(error) => self.note(NoteKind::Ignored, &place, format!("its diffuse texture: {error}")),
            }
        }
        let texture = info.map(|i| self.texture(&i)).transpose();
        let texture = texture.unwrap_or_else(|fault| {
            self.note_fault(&place, fault);
            None
        });
        if !factor.iter().all(|c| c.is_finite()) {
            self.note(NoteKind::Ignored, place, format!("the base color of material {index} is not finite"));
            factor = GREY;
        }
        Material { factor, texture, is_said: true }
    }

    /// Colors the triangles of a primitive.
    fn color(
        &mut self,
        srgb: &Srgb,
        range: &PrimitiveRange,
        material: &Material,
        image: Option<&DynamicImage>,
    ) {
        let (_, place) = self.primitive(range);
        let tints = self.tints(range).unwrap_or_else(|fault| {
            self.note_fault(&place, fault);
            None
        });
        let texture = material.texture.as_ref().zip(image);
        let places = texture.map(|(t, _)| self.places(range, t)).transpose();
        let places = places.unwrap_or_else(|fault| {
            self.note_fault(&place, fault);
            None
        });
        let geometry = &mut self.model.geometries[range.mesh];
        // Ranges arrive sorted by image, not in the order of the mesh.
        let count = geometry.triangles.len();
        geometry.colors.resize(count, [srgb.encode(GREY); 3]);
        let plain = [srgb.encode(material.factor); 3];
        let triangles = &geometry.triangles[range.triangles.clone()];
        for (corners, colors) in triangles.iter().zip(&mut geometry.colors[range.triangles.clone()]) {
            let vertices = corners.map_each(|v| v as usize - range.vertices.start);
            let texels = texture.zip(places.as_ref()).map(|((texture, image), places)| {
                inward(vertices.map_each(|v| places[v])).map_each(|p| texture.texel(image, texture.place(p)))
            });
            *colors = match (&tints, texels) {
                (None, None) => plain,
                (None, Some(texels)) if material.factor == [1.0; 3] => texels,
                (tints, texels) => corner_colors(srgb, material.factor, tints.as_deref(), vertices, texels),
            };
        }
    }

    /// Returns COLOR_0 per vertex, linear; `None` if the primitive has no such attribute.
    fn tints(&self, range: &PrimitiveRange) -> Checked<Option<Vec<[f32; 3]>>> {
        let (primitive, place) = self.primitive(range);
        let Some(index) = primitive.attributes.get(&Known::Valid(Semantic::Colors(0))) else {
            return Ok(None);
        };
        let numbers = self.accessors.read(index.value(), &[Type::Vec3, Type::Vec4], &COLOR_COMPONENTS)?;
        if numbers.count() != range.vertices.len() {
            return fault(place, "COLOR_0 must have one element per vertex");
        }
        let scale = unit_scale(&numbers);
        let tint =
            |c: &[f64]| [c[0], c[1], c[2]].map_each(|x| if x.is_nan() { 1.0 } else { (x * scale) as f32 });
        Ok(Some(numbers.values.chunks_exact(numbers.width).map(tint).collect()))
    }

    /// Returns the texture coordinates per vertex, before the transform of the texture.
    fn places(&self, range: &PrimitiveRange, texture: &Texture) -> Checked<Vec<[f64; 2]>> {
        let (primitive, place) = self.primitive(range);
        let Some(index) = primitive.attributes.get(&Known::Valid(Semantic::TexCoords(texture.set))) else {
            return fault(place, format!("has no TEXCOORD_{}", texture.set));
        };
        let numbers = self.accessors.read(index.value(), &[Type::Vec2], &COORDINATE_COMPONENTS)?;
        if numbers.count() != range.vertices.len() {
            return fault(place, format!("TEXCOORD_{} must have one element per vertex", texture.set));
        }
        Ok(numbers.elements::<2>().collect())
    }
}

/// Returns texture coordinates slightly inside a triangle, one pair per corner.
fn inward(corners: [[f64; 2]; 3]) -> [[f64; 2]; 3] {
    let middle = [0, 1].map_each(|k| (corners[0][k] + corners[1][k] + corners[2][k]) / 3.0);
    corners.map_each(|c| [0, 1].map_each(|k| c[k] + INWARD * (middle[k] - c[k])))
}

fn corner_colors(
    srgb: &Srgb,
    factor: [f32; 3],
    tints: Option<&[[f32; 3]]>,
    vertices: [usize; 3],
    texels: Option<CornerColors>,
) -> CornerColors {
    from_each(|corner| {
        let tint = tints.map_or([1.0; 3], |t| t[vertices[corner]]);
        let texel = texels.map_or([1.0; 3], |t| srgb.decode(t[corner]));
        srgb.encode(from_each(|k| factor[k] * tint[k] * texel[k]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_survives_linear_light_and_the_middle_is_where_it_belongs() {
        let srgb = Srgb::new();
        for code in 0..=255 {
            assert_eq!(srgb.encode(srgb.decode([code; 3])), [code; 3]);
        }
        assert_eq!(srgb.encode([0.0, 0.5, 9.0]), [0, 188, 255]);
        assert_eq!(srgb.encode([-1.0, f32::NAN, 0.2140]), [0, 0, 127]);
    }
}
