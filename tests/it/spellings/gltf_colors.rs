//! Spellings of the colors of glTF.

use std::io::Cursor;

use base64::Engine;
use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use super::gltf::{Data, corners, shorts, tile};
use super::gltf_text::floats;
use super::{Row, row};

const FIRST: &str = "n: 0 0 0, 1 0 0, 1 1 0";

/// Returns a PNG of four texels in base64: red and green above blue and white.
fn picture() -> String {
    let pixels = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]];
    let image = RgbImage::from_fn(2, 2, |x, y| Rgb(pixels[(2 * y + x) as usize]));
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).unwrap();
    base64::prelude::BASE64_STANDARD.encode(bytes.into_inner())
}

/// Returns a triangle with a material, and data after its corners and indices.
fn colored(
    about: &'static str,
    data: &[Data],
    attributes: &Value,
    more: impl FnOnce(&mut Value),
    colors: &str,
) -> Row {
    let all: Vec<Data> = [corners(), shorts(&[0, 1, 2])].into_iter().chain(data.iter().cloned()).collect();
    let primitive = json!({ "indices": 1, "material": 0, "attributes": attributes });
    row(about, "a.gltf", tile(&all, &primitive, more), &format!("{FIRST} {colors}"))
}

/// Returns a triangle that shows the picture, each corner in the middle of a texel.
fn pictured(about: &'static str, texture: &Value, sampler: &Value, places: [f32; 6], colors: &str) -> Row {
    // The fourth corner is in no triangle.
    let data = ("VEC2", 5126, floats(&[&places[..], &[0.0, 0.0]].concat()));
    let set = if texture.get("texCoord").is_some() { "TEXCOORD_1" } else { "TEXCOORD_0" };
    let more = |file: &mut Value| {
        file["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorTexture": texture } }]);
        file["textures"] = json!([{ "source": 0, "sampler": 0 }]);
        file["samplers"] = json!([sampler]);
        file["images"] = json!([{ "uri": format!("data:image/png;base64,{}", picture()) }]);
    };
    colored(about, &[data], &json!({ set: 2 }), more, colors)
}

/// Returns the picture in the older material, in a file of its own.
fn older_picture() -> Row {
    let places = [0.25, 0.25, 0.75, 0.25, 0.25, 0.75, 0.0, 0.0];
    let more = |file: &mut Value| {
        let own = json!({ "diffuseTexture": { "index": 0 }, "diffuseFactor": [1, 1, 1, 1] });
        file["materials"] = json!([{ "extensions": { "KHR_materials_pbrSpecularGlossiness": own } }]);
        file["textures"] = json!([{ "source": 0 }]);
        file["images"] = json!([{ "uri": "a.png" }]);
    };
    let data = ("VEC2", 5126, floats(&places));
    let row = colored(
        "the older material's picture",
        &[data],
        &json!({ "TEXCOORD_0": 2 }),
        more,
        "ff0000/00ff00/0000ff",
    );
    row.beside("a.png", base64::prelude::BASE64_STANDARD.decode(picture()).unwrap())
}

pub fn rows() -> Vec<Row> {
    let factor = |material: Value| move |file: &mut Value| file["materials"] = json!([material]);
    let plain = json!({ "pbrMetallicRoughness": { "baseColorFactor": [1.0, 0.21404, 0.0, 1.0] } });
    let grey = json!({ "pbrMetallicRoughness": { "baseColorFactor": [0.21404, 0.21404, 0.21404, 1.0] } });
    let older = |own: Value| json!({ "extensions": { "KHR_materials_pbrSpecularGlossiness": own } });
    let none = json!({});
    let tints = |kind: &'static str, width| {
        let all = [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0; 4]];
        (kind, 5126, floats(&all.iter().flat_map(|c: &[f32; 4]| c[..width].to_vec()).collect::<Vec<f32>>()))
    };
    let bytes = ("VEC4", 5121, [[255u8, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [0; 4]].concat());
    let tinted = json!({ "COLOR_0": 2 });
    vec![
        // 0.21404 in linear light is half of full brightness in sRGB.
        colored("a base colour", &[], &none, factor(plain), "ff7f00"),
        colored("a material that says none is white", &[], &none, factor(json!({})), "ffffff"),
        colored(
            "the older material's",
            &[],
            &none,
            factor(older(json!({ "diffuseFactor": [1.0, 0.21404, 0.0, 1.0] }))),
            "ff7f00",
        ),
        colored(
            "the colours of vertices",
            &[tints("VEC3", 3)],
            &tinted,
            factor(json!({})),
            "ff0000/00ff00/0000ff",
        ),
        colored("of four numbers", &[tints("VEC4", 4)], &tinted, factor(json!({})), "ff0000/00ff00/0000ff"),
        colored(
            "in bytes that do not say that they are shares",
            &[bytes],
            &tinted,
            factor(json!({})),
            "ff0000/00ff00/0000ff",
        ),
        colored("times the material's", &[tints("VEC3", 3)], &tinted, factor(grey), "7f0000/007f00/00007f"),
        pictured(
            "a picture",
            &json!({ "index": 0 }),
            &none,
            [0.25, 0.25, 0.75, 0.25, 0.25, 0.75],
            "ff0000/00ff00/0000ff",
        ),
        pictured(
            "by its second places",
            &json!({ "index": 0, "texCoord": 1 }),
            &none,
            [0.25, 0.25, 0.75, 0.25, 0.25, 0.75],
            "ff0000/00ff00/0000ff",
        ),
        pictured(
            "repeated",
            &json!({ "index": 0 }),
            &none,
            [1.25, -0.75, 1.75, 0.25, 0.25, 2.75],
            "ff0000/00ff00/0000ff",
        ),
        pictured(
            "held at its ends",
            &json!({ "index": 0 }),
            &json!({ "wrapS": 33071, "wrapT": 33071 }),
            [-0.75, -0.75, 1.75, -0.75, -0.75, 1.75],
            "ff0000/00ff00/0000ff",
        ),
        pictured(
            "mirrored along u, repeated along v",
            &json!({ "index": 0 }),
            &json!({ "wrapS": 33648, "wrapT": 10497 }),
            [-0.25, 0.25, -0.75, 1.25, 1.75, 0.75],
            "ff0000/00ff00/0000ff",
        ),
        pictured(
            "moved and scaled",
            &json!({ "index": 0, "extensions": { "KHR_texture_transform": { "offset": [0.25, 0.375], "scale": [0.5, 0.25] } } }),
            &none,
            [0.0, 0.0, 1.0, 0.0, 1.0, 2.0],
            "ff0000/00ff00/ffffff",
        ),
        older_picture(),
        // By 90°, counter-clockwise seen with v downwards: (u, v) is at (v, −u).
        pictured(
            "turned, by the places that the extension names",
            &json!({ "index": 0, "texCoord": 0, "extensions": { "KHR_texture_transform": { "rotation": std::f64::consts::FRAC_PI_2, "texCoord": 1 } } }),
            &none,
            [0.25, 0.25, 0.75, 0.25, 0.25, 0.75],
            "0000ff/ff0000/ffffff",
        ),
    ]
}
