//! Colors and visual meshes of generated files: the appearance of a scene matches its file.

use std::io::Cursor;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::{DVec3, Vec3};
use image::{ImageFormat, RgbImage};
use proptest::prelude::*;
use serde_json::{Value, json};
use tumble::generate;
use tumble::import::model::CornerColors;
use tumble::import::{NoteKind, load_model_bytes};
use tumble::scene::looks::{DrawnSurface, Follows, Paint};
use tumble::scene::{Scene, load_scene};

use crate::rounds::rounds;

/// A glTF file under construction: one buffer, an accessor per attribute.
struct File {
    json: Value,
    bytes: Vec<u8>,
}

impl File {
    fn new() -> Self {
        let json = json!({
            "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }],
            "nodes": [{ "name": "part", "mesh": 0 }], "meshes": [], "bufferViews": [], "accessors": [],
        });
        Self { json, bytes: Vec::new() }
    }

    fn push(&mut self, list: &str, value: Value) -> usize {
        let list = self.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    fn view(&mut self, bytes: &[u8]) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        self.push("bufferViews", json!({ "buffer": 0, "byteOffset": start, "byteLength": bytes.len() }))
    }

    fn floats<const N: usize>(&mut self, elements: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = elements.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        let accessor =
            json!({ "bufferView": view, "componentType": 5126, "count": elements.len(), "type": kind });
        self.push("accessors", accessor)
    }

    fn codes(&mut self, elements: &[[u8; 4]]) -> usize {
        let view = self.view(elements.as_flattened());
        let accessor = json!({
            "bufferView": view, "componentType": 5121, "normalized": true, "count": elements.len(), "type": "VEC4",
        });
        self.push("accessors", accessor)
    }

    /// Adds a mesh of one primitive with these attributes besides its positions.
    fn mesh(&mut self, positions: &[Vec3], triangles: &[[u32; 3]], attributes: Value) -> usize {
        let positions: Vec<[f32; 3]> = positions.iter().map(|p| p.to_array()).collect();
        let positions = self.floats(&positions);
        let bytes: Vec<u8> = triangles.as_flattened().iter().flat_map(|i| i.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let count = 3 * triangles.len();
        let accessor = json!({ "bufferView": view, "componentType": 5125, "count": count, "type": "SCALAR" });
        let indices = self.push("accessors", accessor);
        let mut primitive = json!({ "attributes": attributes, "indices": indices });
        primitive["attributes"]["POSITION"] = json!(positions);
        if self.json.get("materials").is_some() {
            primitive["material"] = json!(0);
        }
        self.push("meshes", json!({ "primitives": [primitive] }))
    }

    fn text(&self) -> String {
        let mut json = self.json.clone();
        let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(&self.bytes));
        json["buffers"] = json!([{ "byteLength": self.bytes.len(), "uri": uri }]);
        json.to_string()
    }

    fn scene_in(&self, folder: &Path) -> Scene {
        let path = folder.join("made.gltf");
        std::fs::write(&path, self.text()).unwrap();
        load_scene(path.to_str().unwrap(), None).unwrap()
    }

    fn scene(&self) -> Scene {
        self.scene_in(tempfile::tempdir().unwrap().path())
    }
}

#[test]
fn parts_of_a_file_without_colours_get_one_each_and_copies_the_same() {
    let quad = |size: f32| QUAD.map(|p| size * p);
    let made = |material: bool| {
        let mut file = File::new();
        if material {
            file.json["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorFactor": [1, 0, 0, 1] } }]);
        }
        file.mesh(&quad(1.0), &QUAD_TRIANGLES, json!({}));
        file.mesh(&quad(2.0), &QUAD_TRIANGLES, json!({}));
        file.json["nodes"] = json!([{ "mesh": 0 }, { "mesh": 1, "translation": [9, 0, 0] }, { "mesh": 0, "translation": [0, 0, 9] }]);
        file.json["scenes"] = json!([{ "nodes": [0, 1, 2] }]);
        let scene = file.scene();
        let parts = scene.bodies.iter().filter(|b| !b.is_ground);
        parts.map(|b| scene.paints[b.paint as usize].clone()).collect::<Vec<_>>()
    };
    let plain = made(false);
    let [Paint::Plain(first), Paint::Plain(second), Paint::Plain(third)] = &plain[..] else {
        panic!("{plain:?}")
    };
    assert!(first == third && first != second, "{plain:?}");
    assert_eq!(plain, made(false), "the same every time");
    assert_eq!(made(true), vec![Paint::Plain(RED); 3], "what a file says stays");
}

const QUAD: [Vec3; 4] = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
const QUAD_TRIANGLES: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];
const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 255, 0];
const BLUE: [u8; 3] = [0, 0, 255];
const WHITE: [u8; 3] = [255; 3];

/// Returns an image of two by two texels: red and green above, blue and white below.
fn picture(format: ImageFormat) -> Vec<u8> {
    let image = RgbImage::from_raw(2, 2, [RED, GREEN, BLUE, WHITE].concat()).unwrap();
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn png_uri() -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(picture(ImageFormat::Png)))
}

/// Returns a quad that shows an image with these texture coordinates.
fn textured(image: Value, sampler: Value, info: Value, places: [[f32; 2]; 4]) -> File {
    let mut file = File::new();
    let mut texture = json!({ "index": 0 });
    texture.as_object_mut().unwrap().extend(info.as_object().unwrap().clone());
    file.json["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorTexture": texture } }]);
    file.json["textures"] = json!([{ "source": 0, "sampler": 0 }]);
    file.json["samplers"] = json!([sampler]);
    file.json["images"] = json!([image]);
    let places = file.floats(&places);
    file.mesh(&QUAD, &QUAD_TRIANGLES, json!({ "TEXCOORD_0": places }));
    file
}

/// Texture coordinates of the whole image: its corners.
const WHOLE: [[f32; 2]; 4] = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
/// Colors of the quad's triangles for the whole image.
const SHOWN: [CornerColors; 2] = [[BLUE, WHITE, GREEN], [BLUE, GREEN, RED]];

/// Returns the colors of a body's corners in the order of its mesh after repair.
fn body_colors(scene: &Scene, body: usize) -> Vec<CornerColors> {
    let body = &scene.bodies[body];
    let source = &scene.meshes[body.mesh.unwrap() as usize].surface().source;
    match &scene.paints[body.paint as usize] {
        Paint::Plain(color) => vec![[*color; 3]; source.len()],
        Paint::Corners(corners) => source.iter().map(|&t| corners[t as usize]).collect(),
    }
}

fn notes(scene: &Scene) -> Vec<&str> {
    scene.notes.iter().filter(|n| n.kind == NoteKind::Ignored).map(|n| &*n.text).collect()
}

#[test]
fn vertex_colors_are_tinted_by_the_material_in_linear_light() {
    let mut file = File::new();
    file.json["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorFactor": [1, 0.5, 0.25, 1] } }]);
    let tints = file.codes(&[[255, 255, 255, 0], [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]]);
    file.mesh(&QUAD, &QUAD_TRIANGLES, json!({ "COLOR_0": tints }));
    let (white, red, green, blue) = ([255, 188, 137], [255, 0, 0], [0, 188, 0], [0, 0, 137]);
    assert_eq!(body_colors(&file.scene(), 0), [[white, red, green], [white, green, blue]]);
}

#[test]
fn equal_corners_are_one_plain_paint_and_equal_paints_are_one() {
    let mut file = File::new();
    let same = file.floats(&[[0.0f32, 0.5, 1.0]; 4]);
    let other = file.floats(&[[1.0f32, 0.5, 0.0], [0.0; 3], [1.0; 3], [1.0; 3]]);
    file.mesh(&QUAD, &QUAD_TRIANGLES, json!({ "COLOR_0": same }));
    for _ in 0..2 {
        file.mesh(&QUAD, &QUAD_TRIANGLES, json!({ "COLOR_0": other }));
    }
    file.json["nodes"] = json!([{ "mesh": 0 }, { "mesh": 1 }, { "mesh": 2 }, { "mesh": 0 }]);
    file.json["scenes"] = json!([{ "nodes": [0, 1, 2, 3] }]);
    let scene = file.scene();
    let paints: Vec<u32> = scene.bodies[..4].iter().map(|b| b.paint).collect();
    assert_eq!(scene.paints[paints[0] as usize], Paint::Plain([0, 188, 255]));
    assert_eq!((paints[0], paints[1]), (paints[3], paints[2]));
    assert!(matches!(scene.paints[paints[1] as usize], Paint::Corners(_)));
    assert_eq!(scene.meshes[..1].len(), 1);
    assert_eq!(scene.bodies[0].mesh, scene.bodies[1].mesh, "one surface in two paints");
}

#[test]
fn a_texture_is_shown_from_any_place_an_image_can_stand_in() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a picture.png"), picture(ImageFormat::Png)).unwrap();
    for image in [json!({ "uri": png_uri() }), json!({ "uri": "a%20picture.png" })] {
        let file = textured(image, json!({}), json!({}), WHOLE);
        assert_eq!(body_colors(&file.scene_in(folder.path()), 0), SHOWN);
    }
    let mut file = textured(json!({}), json!({}), json!({}), WHOLE);
    let view = file.view(&picture(ImageFormat::Png));
    file.json["images"] = json!([{ "bufferView": view, "mimeType": "image/png" }]);
    assert_eq!(body_colors(&file.scene(), 0), SHOWN);
    let glossy = json!({ "KHR_materials_pbrSpecularGlossiness": { "diffuseTexture": { "index": 0 } } });
    file.json["materials"] = json!([{ "extensions": glossy }]);
    let scene = file.scene();
    assert_eq!((body_colors(&scene, 0), notes(&scene)), (SHOWN.to_vec(), vec![]));
}

#[test]
fn a_jpeg_is_read_too() {
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::from_pixel(8, 8, image::Rgb([200, 100, 50])).write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
    let uri = format!("data:image/jpeg;base64,{}", STANDARD.encode(bytes.into_inner()));
    let scene = textured(json!({ "uri": uri }), json!({}), json!({}), WHOLE).scene();
    let near = |c: [u8; 3]| [200, 100, 50].iter().zip(c).all(|(a, b): (&u8, u8)| a.abs_diff(b) < 4);
    assert!(body_colors(&scene, 0).as_flattened().iter().all(|c| near(*c)), "{:?}", scene.paints);
}

#[test]
fn samplers_wrap_and_transforms_move() {
    let (clamp, mirror) = (33071, 33648);
    let away = WHOLE.map(|[u, v]| [u + 1.0, v - 1.0]);
    let colors = |sampler: Value, info: Value, places| {
        body_colors(&textured(json!({ "uri": png_uri() }), sampler, info, places).scene(), 0)
    };
    assert_eq!(colors(json!({}), json!({}), away), SHOWN);
    assert_eq!(colors(json!({ "wrapS": clamp, "wrapT": clamp }), json!({}), away), [[GREEN; 3]; 2]);
    let mirrored = [[GREEN, RED, BLUE], [GREEN, BLUE, WHITE]];
    assert_eq!(colors(json!({ "wrapS": mirror, "wrapT": mirror }), json!({}), away), mirrored);
    let transform = |t: Value| json!({ "extensions": { "KHR_texture_transform": t } });
    let half = transform(json!({ "scale": [0.5, 0.5], "offset": [0.5, 0] }));
    assert_eq!(colors(json!({}), half, WHOLE), [[GREEN; 3]; 2]);
    // A quarter turn counter-clockwise moves (u, v) to (v, -u).
    let turned = transform(json!({ "rotation": std::f64::consts::FRAC_PI_2 }));
    assert_eq!(colors(json!({}), turned, WHOLE), [[WHITE, GREEN, RED], [WHITE, RED, BLUE]]);
    let other_set = json!({ "texCoord": 3 });
    assert_eq!(colors(json!({}), other_set, WHOLE), [[WHITE; 3]; 2]);
}

#[test]
fn an_image_that_cannot_be_shown_is_noted_and_nothing_else_is_lost() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("model");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(outer.path().join("secret.png"), picture(ImageFormat::Png)).unwrap();
    let uri = |bytes: &[u8]| json!({ "uri": format!("data:image/png;base64,{}", STANDARD.encode(bytes)) });
    let png = picture(ImageFormat::Png);
    // Only the header, with 65535 pixels per side.
    let mut huge = png.clone();
    huge[16..24].copy_from_slice(&[0, 0, 255, 255, 0, 0, 255, 255]);
    let sum = crc32fast::hash(&huge[12..29]);
    huge[29..33].copy_from_slice(&sum.to_be_bytes());
    let mut torn = png.clone();
    torn.truncate(50);
    for (image, says) in [
        (uri(&torn), "cannot be decoded"),
        (uri(&huge), "65535 × 65535"),
        (uri(b"RIFF\x10\0\0\0WEBPVP8 "), "only PNG and JPEG are read"),
        (uri(b"\xabKTX 20\xbb\r\n\x1a\n"), "neither PNG nor JPEG"),
        (uri(b""), "neither PNG nor JPEG"),
        (json!({ "uri": "missing.png" }), "cannot be found"),
        (json!({ "uri": "../secret.png" }), "not a relative path"),
        (json!({ "uri": "/etc/passwd" }), "not a relative path"),
        (json!({ "bufferView": 99 }), "buffer view 99 does not exist"),
        (json!({}), "neither a buffer view nor a URI"),
    ] {
        let file = textured(image.clone(), json!({}), json!({}), WHOLE);
        let scene = file.scene_in(&folder);
        assert!(notes(&scene).iter().any(|n| n.contains(says)), "{image}: {:?}", scene.notes);
        assert_eq!(body_colors(&scene, 0), [[WHITE; 3]; 2]);
    }
    let whole = textured(json!({ "uri": png_uri() }), json!({}), json!({}), WHOLE);
    for (pointer, value, says) in [
        ("/textures/0/source", json!(4), "has no image"),
        ("/textures/0/sampler", json!(4), "sampler does not exist"),
        ("/samplers/0/wrapS", json!(1), "unknown way"),
        ("/materials/0/pbrMetallicRoughness/baseColorTexture/index", json!(9), "texture 9 does not exist"),
        ("/meshes/0/primitives/0/material", json!(9), "no material 9"),
        ("/meshes/0/primitives/0/attributes/TEXCOORD_0", json!(1), "accessor 1"),
        ("/meshes/0/primitives/0/attributes/TEXCOORD_0", json!(77), "accessor 77"),
    ] {
        let mut file = File { json: whole.json.clone(), bytes: whole.bytes.clone() };
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        file.json.pointer_mut(parent).unwrap()[key] = value;
        let scene = file.scene();
        assert!(notes(&scene).iter().any(|n| n.contains(says)), "{pointer}: {:?}", scene.notes);
    }
}

/// Returns the color that encodes a position in a unit cube about the origin.
fn code(p: Vec3) -> [u8; 3] {
    (255.0 * (p + 0.5)).round().to_array().map(|x| x as u8)
}

#[test]
fn colors_stay_with_their_corners_through_mirrors_and_repair() {
    let (positions, mut triangles) = generate::cuboid(Vec3::ONE, 1.0);
    // Half of the triangles are flipped, with a triangle without area in between.
    for triangle in &mut triangles[..6] {
        triangle.swap(1, 2);
    }
    triangles.insert(3, [0, 0, 1]);
    for scale in [json!([1, 1, 1]), json!([-1, 1, 1]), json!([-1, -1, -1])] {
        let mut file = File::new();
        let tints: Vec<[u8; 4]> =
            positions.iter().map(|p| [code(*p), [255; 3]].concat()[..4].try_into().unwrap()).collect();
        let tints = file.codes(&tints);
        file.mesh(&positions, &triangles, json!({ "COLOR_0": tints }));
        file.json["nodes"][0]["scale"] = scale.clone();
        let scene = file.scene();
        let mesh = &scene.meshes[0];
        assert_eq!(mesh.triangles().len(), 12);
        let sign = |k: usize| scale[k].as_f64().unwrap() as f32;
        let mirror = Vec3::new(sign(0), sign(1), sign(2));
        for (corners, colors) in mesh.triangles().iter().zip(body_colors(&scene, 0)) {
            // Body space keeps the part that a pose cannot express, and may be flipped too, so only the
            // world is compared.
            let place = |v: u32| {
                let world = scene.bodies[0].pose.transform_point(mesh.vertices()[v as usize].as_dvec3());
                code(world.as_vec3() * mirror)
            };
            assert_eq!(colors, corners.map(place), "scale {scale}");
        }
    }
}

/// Loads a file with two cubes: mesh 0 of one meter, mesh 1 of half a meter.
fn physics(nodes: Value, roots: Value) -> Scene {
    let mut file = File::new();
    for size in [1.0, 0.5] {
        let (positions, triangles) = generate::cuboid(Vec3::splat(size), 1.0);
        file.mesh(&positions, &triangles, json!({}));
    }
    file.json["nodes"] = nodes;
    file.json["scenes"] = json!([{ "nodes": roots }]);
    let shape = json!({ "type": "box", "box": { "size": [1, 1, 1] } });
    file.json["extensions"] = json!({ "KHR_implicit_shapes": { "shapes": [shape] } });
    file.scene()
}

fn rigid(value: Value) -> Value {
    json!({ "KHR_physics_rigid_bodies": value })
}

fn shape() -> Value {
    rigid(json!({ "collider": { "geometry": { "shape": 0 } } }))
}

fn follows(scene: &Scene, surface: &DrawnSurface) -> String {
    match surface.follows {
        Follows::Body(body) => scene.bodies[body as usize].name.clone(),
        Follows::World => "world".to_owned(),
        Follows::Joints(_) => "joints".to_owned(),
    }
}

#[test]
fn a_body_has_its_whole_look_in_its_own_space() {
    let scene = physics(
        json!([
            {
                "name": "cart", "mesh": 0, "children": [1, 2, 3], "translation": [5, 0, 0],
                "extensions": rigid(json!({ "motion": { "mass": 1 } })),
            },
            { "name": "box", "extensions": shape() },
            { "name": "wheel", "mesh": 1, "translation": [0, 2, 0], "scale": [-2, 2, 2] },
            { "name": "trailer", "mesh": 0, "extensions": rigid(json!({ "motion": { "mass": 1 } })) },
        ]),
        json!([0]),
    );
    assert_eq!(scene.drawn.len(), 1, "the trailer collides as it looks");
    let look = &scene.drawn[0];
    assert_eq!((follows(&scene, look).as_str(), look.triangles.len()), ("cart", 24));
    let max = look.positions.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    assert_eq!(max, Vec3::new(0.5, 2.5, 0.5));
    let volume = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| look.positions[v as usize].as_dvec3());
        a.dot(b.cross(c)) / 6.0
    };
    let volume: f64 = look.triangles.iter().map(volume).sum();
    assert!((volume - 2.0).abs() < 1e-6, "a mirror turns the winding: {volume}");
    assert!(
        notes(&scene).contains(&"24 triangles are drawn and do not collide: the file gives other colliders")
    );
}

#[test]
fn a_surface_that_is_drawn_and_collides_is_drawn_once() {
    let collider = |n: u32| rigid(json!({ "collider": { "geometry": { "node": n } } }));
    let scene = physics(
        json!([
            { "name": "self", "mesh": 0, "extensions": collider(0) },
            {
                "name": "arm", "children": [2, 3], "translation": [3, 0, 0],
                "extensions": rigid(json!({ "motion": { "mass": 1 } })),
            },
            { "name": "visual", "mesh": 1, "translation": [0, 0.1, 0] },
            { "name": "collision", "translation": [0, 0.1, 0], "extensions": collider(4) },
            { "name": "geometry", "mesh": 1 },
        ]),
        json!([0, 1]),
    );
    assert!(scene.drawn.is_empty(), "{:?}", notes(&scene));
}

#[test]
fn a_static_look_goes_to_the_colliders_beside_it_and_else_to_the_world() {
    let scene = physics(
        json!([
            { "name": "base", "children": [1, 2, 3] },
            { "name": "seen", "mesh": 0, "translation": [0, 1, 0] },
            { "name": "hull a", "translation": [0, 1, 0], "extensions": shape() },
            { "name": "hull b", "translation": [0, 2, 0], "extensions": shape() },
            { "name": "far", "children": [5] },
            { "name": "hill", "mesh": 1, "translation": [100, 0, 0] },
        ]),
        json!([0, 4]),
    );
    let found: Vec<_> = scene.drawn.iter().map(|d| (follows(&scene, d), d.triangles.len())).collect();
    let expected = [("hull a", 12), ("hull b", 0), ("world", 12)];
    assert_eq!(found, expected.map(|(name, count)| (name.to_owned(), count)));
    let center =
        |d: &DrawnSurface| d.positions.iter().map(|p| p.as_dvec3()).sum::<DVec3>() / d.positions.len() as f64;
    assert_eq!(center(&scene.drawn[0]), DVec3::ZERO);
    assert_eq!(center(&scene.drawn[2]), 100.0 * DVec3::X);
}

/// Checks a short file that uses one mesh very often: it gets a note with the limit.
#[test]
fn a_look_without_end_is_left_out_with_a_note() {
    let mut file = File::new();
    file.mesh(&QUAD, &[[0, 1, 2]; 1 << 13], json!({}));
    let copies = (1 << 12) + 1;
    let mut nodes = vec![json!({ "mesh": 0 }); copies];
    nodes.push(json!({ "name": "box", "extensions": shape() }));
    file.json["scenes"] = json!([{ "nodes": (0..=copies).collect::<Vec<_>>() }]);
    file.json["nodes"] = json!(nodes);
    let shape = json!({ "type": "box", "box": { "size": [1, 1, 1] } });
    file.json["extensions"] = json!({ "KHR_implicit_shapes": { "shapes": [shape] } });
    let scene = file.scene();
    assert!(scene.drawn.is_empty());
    assert!(
        notes(&scene).iter().any(|n| n.contains("more than 16,777,216 triangles would only be drawn")),
        "{:?}",
        scene.notes
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(2000) as u32, ..ProptestConfig::default() })]

    /// Damages an image by overwriting or cutting: colors or a note, never a panic.
    #[test]
    fn no_broken_image_stops_a_model(
        jpeg in any::<bool>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = picture(if jpeg { ImageFormat::Jpeg } else { ImageFormat::Png });
        for (place, new) in edits {
            let place = place.index(bytes.len());
            bytes[place] = new;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let uri = format!("data:,;base64,{}", STANDARD.encode(&bytes));
        let file = textured(json!({ "uri": uri }), json!({}), json!({}), WHOLE);
        let model = load_model_bytes("made", file.text().as_bytes()).unwrap();
        prop_assert_eq!(model.geometries[0].colors.len(), 2);
    }
}
