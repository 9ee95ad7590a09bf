//! The committed models equal the output of their generator. Each surface is closed and points outward.
//! The walker has a skeleton, weights that add up to 1, and a walk that neither slides nor sinks.

#[path = "../../examples/make_assets/files/mod.rs"]
mod files;

use std::path::Path;

use glam::{Mat4, Quat, Vec3};
use gltf::animation::util::ReadOutputs;
use tumble::generate::{Triangles, open_edge_count, signed_volume};

struct File {
    document: gltf::Document,
    bin: Vec<u8>,
}

fn open(bytes: &[u8]) -> File {
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(bytes).unwrap();
    File { document, bin: blob.unwrap() }
}

impl File {
    fn triangles(&self, mesh: &gltf::Mesh) -> Triangles {
        let primitive = mesh.primitives().next().unwrap();
        let reader = primitive.reader(|_| Some(&self.bin));
        let corners: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
        let positions = reader.read_positions().unwrap().map(Vec3::from_array).collect();
        (positions, corners.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect())
    }
}

fn walker() -> File {
    let all = files::all();
    open(&all.iter().find(|(name, _)| *name == "walker.glb").unwrap().1)
}

#[test]
fn committed_files_are_what_the_generator_writes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let mut total = 0;
    for (name, bytes) in files::all() {
        total += bytes.len();
        let committed = std::fs::read(folder.join(name)).unwrap();
        assert!(committed == bytes, "{name} is stale: run `cargo run --example make_assets`");
    }
    assert!(total < 3_000_000, "{total} bytes");
}

#[test]
fn every_part_is_closed_outward_and_of_the_stated_size() {
    let mut count_of_parts = Vec::new();
    for (name, bytes) in files::all() {
        let file = open(&bytes);
        for node in file.document.nodes() {
            let Some(mesh) = node.mesh() else { continue };
            let part = file.triangles(&mesh);
            let label = format!("{name}: {}", node.name().unwrap());
            assert_eq!(open_edge_count(&part), 0, "{label} is not closed");
            assert!(signed_volume(&part) > 0.0, "{label} is inside out");
            assert!(part.1.len() >= 1000, "{label} has {} triangles", part.1.len());
            if name == "parts.glb" && node.name() != Some("tray") {
                count_of_parts.push(part.1.len());
            }
        }
    }
    // Fifty parts, taken in turn, have more than a hundred thousand triangles.
    let heap: usize = count_of_parts.iter().cycle().take(50).sum();
    assert!(heap >= 100_000, "{heap}");
}

#[test]
fn the_walker_has_a_skeleton_and_whole_weights() {
    let file = walker();
    let skin = file.document.skins().next().unwrap();
    assert!(skin.joints().count() >= 15);
    let mesh = file.document.meshes().next().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&file.bin));
    for weights in reader.read_weights(0).unwrap().into_f32() {
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{weights:?}");
    }
}

/// Returns the world matrices of all nodes at a key of the only clip.
fn pose(file: &File, key: usize) -> Vec<Mat4> {
    let nodes: Vec<gltf::Node> = file.document.nodes().collect();
    let mut locals: Vec<(Vec3, Quat)> = nodes
        .iter()
        .map(|node| {
            let (translation, rotation, _) = node.transform().decomposed();
            (Vec3::from_array(translation), Quat::from_array(rotation))
        })
        .collect();
    for channel in file.document.animations().next().unwrap().channels() {
        let local = &mut locals[channel.target().node().index()];
        match channel.reader(|_| Some(&file.bin)).read_outputs().unwrap() {
            ReadOutputs::Translations(mut values) => local.0 = Vec3::from_array(values.nth(key).unwrap()),
            ReadOutputs::Rotations(values) => {
                local.1 = Quat::from_array(values.into_f32().nth(key).unwrap());
            }
            _ => panic!("the walk moves and turns joints only"),
        }
    }
    let mut world: Vec<Mat4> = locals.iter().map(|(t, r)| Mat4::from_rotation_translation(*r, *t)).collect();
    // In the file, parents precede their children.
    for node in &nodes {
        for child in node.children() {
            assert!(child.index() > node.index());
            world[child.index()] = world[node.index()] * world[child.index()];
        }
    }
    world
}

fn key_times(file: &File) -> Vec<f32> {
    let walk = file.document.animations().next().unwrap();
    let channel = walk.channels().next().unwrap();
    channel.reader(|_| Some(&file.bin)).read_inputs().unwrap().collect()
}

#[test]
fn the_walk_loops_and_its_flat_feet_move_at_walking_speed() {
    let file = walker();
    let times = key_times(&file);
    let last = times.len() - 1;
    assert_eq!(pose(&file, 0), pose(&file, last), "the clip does not loop");

    let extras = file.document.nodes().find_map(|node| node.extras().clone()).unwrap();
    let extras: serde_json::Value = serde_json::from_str(extras.get()).unwrap();
    let stride = extras["stride_m"].as_f64().unwrap() as f32;
    assert!((extras["cycle_s"].as_f64().unwrap() as f32 - times[last]).abs() < 1e-6);
    for (name, heel_strike) in [("left_foot", 0), ("right_foot", last / 2)] {
        let foot = file.document.nodes().find(|node| node.name() == Some(name)).unwrap().index();
        // From 15 % to 30 % of the cycle after the heel strike, the sole is flat on the ground.
        let keys = heel_strike + last * 15 / 100..heel_strike + last * 30 / 100;
        for key in keys {
            let [from, to] = [key, key + 1].map(|k| pose(&file, k % last)[foot].transform_point3(Vec3::ZERO));
            let expected = Vec3::new(0.0, 0.0, -stride / last as f32);
            assert!((to - from - expected).length() < 0.002, "{name} slides at key {key}: {}", to - from);
        }
    }
}

#[test]
fn the_walker_stays_on_the_ground() {
    let file = walker();
    let skin = file.document.skins().next().unwrap();
    let joints: Vec<usize> = skin.joints().map(|joint| joint.index()).collect();
    let reader = skin.reader(|_| Some(&file.bin));
    let inverse_bind: Vec<Mat4> =
        reader.read_inverse_bind_matrices().unwrap().map(|m| Mat4::from_cols_array_2d(&m)).collect();
    let mesh = file.document.meshes().next().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&file.bin));
    let positions: Vec<Vec3> = reader.read_positions().unwrap().map(Vec3::from_array).collect();
    let influences: Vec<_> =
        reader.read_joints(0).unwrap().into_u16().zip(reader.read_weights(0).unwrap().into_f32()).collect();
    for key in 0..key_times(&file).len() {
        let world = pose(&file, key);
        let matrices: Vec<Mat4> = joints.iter().zip(&inverse_bind).map(|(&j, b)| world[j] * *b).collect();
        let lowest = positions
            .iter()
            .zip(&influences)
            .map(|(p, (joints, weights))| -> f32 {
                let moved =
                    (0..4).map(|i| matrices[usize::from(joints[i])].transform_point3(*p).y * weights[i]);
                moved.sum()
            })
            .fold(f32::INFINITY, f32::min);
        assert!(lowest.abs() < 0.012, "key {key}: the lowest point is at {lowest} m");
    }
}
