//! Spellings of motion in glTF: morph targets, skins and animations.

use serde_json::{Value, json};

use super::gltf::{Data, corners, tile};
use super::gltf_text::floats;
use super::{Row, row};

const FIRST: &str = "n: 0 0 0, 1 0 0, 1 1 0";

pub fn rows() -> Vec<Row> {
    let morph = ("VEC3", 5126, floats(&[0.0, 0.0, 1.0].repeat(4)));
    let morphed = |own: Value| {
        tile(&[corners(), morph.clone()], &json!({ "targets": [{ "POSITION": 1 }] }), |file| {
            file["meshes"][0]["weights"] = json!([0.25]);
            file["nodes"][0]["weights"] = own;
        })
    };
    let by = "by 0 0 1, 0 0 1, 0 0 1, 0 0 1";
    let joints = ("VEC4", 5121, [[0u8, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]].concat());
    let skinned = |weights: Data| {
        let second = ("VEC4", 5123, [0u16, 0, 0, 1].repeat(4).iter().flat_map(|j| j.to_le_bytes()).collect());
        let more = ("VEC4", 5126, floats(&[0.0, 0.0, 0.0, 0.5].repeat(4)));
        let mut bind = [0.0f32; 32];
        (0..2).for_each(|j| [0, 5, 10, 15].into_iter().for_each(|k| bind[16 * j + k] = 1.0));
        bind[29] = -2.0;
        let data = [corners(), joints.clone(), weights, second, more, ("MAT4", 5126, floats(&bind))];
        let names = json!({ "attributes": { "JOINTS_0": 1, "WEIGHTS_0": 2, "JOINTS_1": 3, "WEIGHTS_1": 4 } });
        tile(&data, &names, |file| {
            file["nodes"] = json!([{ "name": "n", "mesh": 0, "skin": 0, "children": [1] }, { "name": "hip", "children": [2] }, { "name": "knee" }]);
            file["skins"] = json!([{ "joints": [1, 2], "inverseBindMatrices": 5 }]);
        })
    };
    let held = format!(
        "{FIRST}\nn hangs on 0 0.8 1 0.2 1 0.5, 1 1 1 0.5, 0 1 1 0.5, 1 1 1 0.5\nskin of hip knee bound at 0 0 0, 0 -2 0"
    );
    let weights = [[204u8, 51, 0, 0], [255, 0, 0, 0], [255, 0, 0, 0], [255, 0, 0, 0]].concat();
    let wide = weights.iter().flat_map(|w| (u16::from(*w) * 257).to_le_bytes()).collect();
    let exact: Vec<f32> = weights.iter().map(|w| f32::from(*w) / 255.0).collect();
    let animated = |about, path: &str, how: Option<&str>, values: Data, wanted: &str| {
        let data = [corners(), ("SCALAR", 5126, floats(&[0.5, 2.0])), values];
        let text = tile(&data, &json!({}), |file| {
            let mut sampler = json!({ "input": 1, "output": 2 });
            how.into_iter().for_each(|how| sampler["interpolation"] = how.into());
            let channel = json!({ "sampler": 0, "target": { "node": 0, "path": path } });
            file["animations"] = json!([{ "name": "wave", "samplers": [sampler], "channels": [channel] }]);
        });
        row(about, "a.gltf", text, &format!("{FIRST}\nclip \"wave\" lasts 2\nn {wanted}"))
    };
    let ends = ("VEC3", 5126, floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let spline = ("VEC3", 5126, floats(&(0..18).map(|k| k as f32).collect::<Vec<_>>()));
    vec![
        row(
            "a morph target with the weight of its mesh",
            "a.gltf",
            morphed(Value::Null),
            &format!("{FIRST}\nn with weight 0.25 {by}"),
        ),
        row(
            "and with that of its node",
            "a.gltf",
            morphed(json!([0.75])),
            &format!("{FIRST}\nn with weight 0.75 {by}"),
        ),
        row("a skin, its weights in bytes, two sets", "a.gltf", skinned(("VEC4", 5121, weights)), &held),
        row("weights in shorts", "a.gltf", skinned(("VEC4", 5123, wide)), &held),
        row("weights that are no whole numbers", "a.gltf", skinned(("VEC4", 5126, floats(&exact))), &held),
        animated(
            "translation, by lines",
            "translation",
            None,
            ends.clone(),
            "moves linear at 0.5 2: 1 2 3, 4 5 6",
        ),
        animated("scale, in steps", "scale", Some("STEP"), ends, "scales step at 0.5 2: 1 2 3, 4 5 6"),
        animated(
            "rotation, about z by 90° and about x by 180°",
            "rotation",
            Some("LINEAR"),
            ("VEC4", 5126, floats(&[0.0, 0.0, half, half, 1.0, 0.0, 0.0, 0.0])),
            "turns linear at 0.5 2: 0 0 90, 180 0 0",
        ),
        animated(
            "a spline has tangents around each value",
            "translation",
            Some("CUBICSPLINE"),
            spline,
            "moves cubicspline at 0.5 2: 0 1 2, 3 4 5, 6 7 8, 9 10 11, 12 13 14, 15 16 17",
        ),
    ]
}
