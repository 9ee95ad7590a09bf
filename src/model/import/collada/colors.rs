//! Colors of materials that have a plain color, not a texture.

use std::collections::HashMap;

use roxmltree::Node;

use super::elements::Elements;
use super::numbers::finite;
use crate::import::srgb::code;
use crate::import::xml;

/// Color in sRGB.
pub(super) type Color = [u8; 3];

/// Diffuse colors of all materials of a file that have a plain color.
pub(super) struct Palette {
    /// Colors by the byte position of the material in the text.
    colors: HashMap<usize, Color>,
    /// Number of colors that do not consist of three or four numbers.
    pub unread_count: usize,
}

impl Palette {
    /// Reads the colors of all materials.
    pub fn of<'a, 'input>(root: Node<'a, 'input>, elements: &Elements<'a, 'input>) -> Self {
        let mut palette = Self { colors: HashMap::new(), unread_count: 0 };
        // Effects are read first and once, as many materials may refer to the same effect.
        let effects = root.descendants().filter(|e| e.has_tag_name("effect"));
        let effects: HashMap<usize, Color> = effects
            .filter_map(|effect| Some((effect.range().start, palette.color(written(effect)?)?)))
            .collect();
        let materials = root.descendants().filter(|e| e.has_tag_name("material"));
        palette.colors = materials
            .filter_map(|material| {
                let effect = elements.at(xml::child(material, "instance_effect")?, "url", "effect")?;
                Some((material.range().start, *effects.get(&effect.range().start)?))
            })
            .collect();
        palette
    }

    /// Returns the color of a `<material>`; `None` if it has a texture, or a color that could not be
    /// read.
    pub fn of_material(&self, material: Node) -> Option<Color> {
        self.colors.get(&material.range().start).copied()
    }

    fn color(&mut self, written: Node) -> Option<Color> {
        match finite(written).as_deref() {
            Some([r, g, b] | [r, g, b, _]) => Some([code(*r), code(*g), code(*b)]),
            _ => {
                self.unread_count += 1;
                None
            }
        }
    }
}

/// Returns the element with the diffuse color of an effect.
fn written<'a, 'input>(effect: Node<'a, 'input>) -> Option<Node<'a, 'input>> {
    let technique = xml::child(xml::child(effect, "profile_COMMON")?, "technique")?;
    let shading = xml::elements(technique).find_map(|shading| xml::child(shading, "diffuse"))?;
    xml::child(shading, "color")
}
