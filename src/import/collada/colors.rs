//! The plain colours of materials.

use roxmltree::Node;

use super::elements::Elements;
use super::numbers::array;
use crate::import::srgb::code;
use crate::import::xml;

/// sRGB
pub(super) type Color = [u8; 3];

/// The diffuse colour of a `<material>`; none of one with a texture, or that says it otherwise.
pub(super) fn color<'a>(material: Node<'a, '_>, elements: &Elements<'a, '_>) -> Option<Color> {
    let instance = xml::child(material, "instance_effect")?;
    let effect = elements.at(instance, "url", "effect")?;
    let technique = xml::child(xml::child(effect, "profile_COMMON")?, "technique")?;
    let shading = xml::elements(technique).find_map(|shading| xml::child(shading, "diffuse"))?;
    let [r, g, b, _] = array::<4>(xml::child(shading, "color")?).ok()?;
    Some([code(r), code(g), code(b)])
}
