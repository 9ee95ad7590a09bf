//! Figures of scene files: the meaning of their keys, the bodies made from a skin, and invalid
//! skeletons.

use base64::Engine;
use glam::{DVec3, Vec3};
use serde_json::{Value, json};
use tumble::body::{Motion, WORLD};
use tumble::contact::PairRule;
use tumble::generate;
use tumble::import::NoteKind;
use tumble::scene::looks::{Carrier, Follows};
use tumble::scene::{FigureKind, Scene, load_scene};
use tumble::world::World;

/// Joint of a test skeleton: its name, the parent node, its offset (m), and the size of its box about
/// `box_at` (m).
struct Bone {
    name: &'static str,
    parent: Option<usize>,
    place: [f64; 3],
    size: Vec3,
}

fn bone(name: &'static str, parent: Option<usize>, place: [f64; 3], size: [f32; 3]) -> Bone {
    Bone { name, parent, place, size: Vec3::from_array(size) }
}

/// Returns a chain of bones along x, a quarter of a meter apart. The box of each bone reaches to the
/// next bone.
fn chain(count: usize) -> Vec<Bone> {
    let at = |i: usize| {
        bone("bone", i.checked_sub(1), [if i > 0 { 0.25 } else { 0.0 }, 0.0, 0.0], [0.25, 0.125, 0.125])
    };
    (0..count).map(at).collect()
}

/// Returns a file with a skin that has one box per bone, which is bound to the bone.
fn skinned(bones: &[Bone]) -> Value {
    let mut places: Vec<DVec3> = Vec::new();
    for bone in bones {
        let above = bone.parent.map_or(DVec3::ZERO, |p| places[p]);
        places.push(above + DVec3::from_array(bone.place));
    }
    let (mut positions, mut joints, mut indices) = (Vec::new(), Vec::new(), Vec::<u32>::new());
    for (at, (bone, place)) in bones.iter().zip(&places).enumerate() {
        let (corners, triangles) = generate::cuboid(Vec3::ONE, 10.0);
        let first = positions.len() as u32;
        let center = place.as_vec3() + Vec3::X * 0.5 * bone.size.x;
        positions.extend(corners.iter().map(|c| center + *c * bone.size));
        joints.extend(corners.iter().map(|_| [at as u16, 0, 0, 0]));
        indices.extend(triangles.as_flattened().iter().map(|v| v + first));
    }
    let (mut bytes, mut views) = (Vec::<u8>::new(), Vec::new());
    let mut view = |data: Vec<u8>| {
        views.push(json!({ "buffer": 0, "byteOffset": bytes.len(), "byteLength": data.len() }));
        bytes.extend(data);
    };
    view(positions.iter().flat_map(|p| p.to_array()).flat_map(f32::to_le_bytes).collect());
    view(joints.as_flattened().iter().flat_map(|j| j.to_le_bytes()).collect());
    view(positions.iter().flat_map(|_| [1.0, 0.0, 0.0, 0.0_f32]).flat_map(f32::to_le_bytes).collect());
    view(indices.iter().flat_map(|i| i.to_le_bytes()).collect());
    let bind = |p: &DVec3| glam::Mat4::from_translation(-p.as_vec3()).to_cols_array();
    view(places.iter().flat_map(bind).flat_map(f32::to_le_bytes).collect());
    let children =
        |of: Option<usize>| -> Vec<usize> { (0..bones.len()).filter(|&b| bones[b].parent == of).collect() };
    let mut nodes: Vec<Value> = (0..bones.len())
        .map(|at| {
            let mut node = json!({ "name": bones[at].name, "translation": bones[at].place });
            if !children(Some(at)).is_empty() {
                node["children"] = json!(children(Some(at)));
            }
            node
        })
        .collect();
    nodes.push(json!({ "name": "skin", "mesh": 0, "skin": 0 }));
    let roots: Vec<usize> = children(None).into_iter().chain([bones.len()]).collect();
    let bound = |f: fn(Vec3, Vec3) -> Vec3| positions.iter().copied().reduce(f).unwrap().to_array();
    let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
    json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": roots }],
        "nodes": nodes,
        "skins": [{ "joints": (0..bones.len()).collect::<Vec<_>>(), "inverseBindMatrices": 4 }],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2 }, "indices": 3,
        }] }],
        "buffers": [{ "byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}") }],
        "bufferViews": views,
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": positions.len(), "type": "VEC3",
              "min": bound(Vec3::min), "max": bound(Vec3::max) },
            { "bufferView": 1, "componentType": 5123, "count": positions.len(), "type": "VEC4" },
            { "bufferView": 2, "componentType": 5126, "count": positions.len(), "type": "VEC4" },
            { "bufferView": 3, "componentType": 5125, "count": indices.len(), "type": "SCALAR" },
            { "bufferView": 4, "componentType": 5126, "count": bones.len(), "type": "MAT4" },
        ],
    })
}

/// Loads a scene file with a model above the ground.
fn load(model: &[u8], lines: &str) -> Result<Scene, String> {
    load_under("", model, lines)
}

/// Loads the model with extra lines at the head of the scene file.
fn load_under(head: &str, model: &[u8], lines: &str) -> Result<Scene, String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("figure.glb"), model).unwrap();
    let path = folder.path().join("test.toml");
    let text = format!("{head}[[model]]\nfile = \"figure.glb\"\n{lines}\n[ground]\ny = -2\n");
    std::fs::write(&path, text).unwrap();
    load_scene(path.to_str().unwrap(), None).map_err(|e| e.to_string())
}

fn ragdoll(bones: &[Bone]) -> Scene {
    load(skinned(bones).to_string().as_bytes(), "figure = \"ragdoll\"").unwrap()
}

fn walker(lines: &str) -> Result<Scene, String> {
    walker_under("", lines)
}

fn walker_under(head: &str, lines: &str) -> Result<Scene, String> {
    let model = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/walker.glb")).unwrap();
    load_under(head, &model, lines)
}

fn has_note(scene: &Scene, kind: NoteKind, text: &str) -> bool {
    scene.notes.iter().any(|n| n.kind == kind && n.text.contains(text))
}

/// Asserts that the scene falls for two seconds and stays in one piece.
fn assert_sound(scene: &Scene) {
    let mut world = World::new(scene).unwrap();
    for _ in 0..120 {
        world.step();
    }
    assert!(world.quarantined().is_empty());
    let states = &world.bodies().states;
    for joint in scene.joints.iter().filter(|j| j.a != WORLD) {
        let [a, b] = [(joint.a, joint.frame_a), (joint.b, joint.frame_b)]
            .map(|(body, frame)| states[body as usize].pose.transform_point(frame.position));
        assert!(a.distance(b) < 0.05, "{}: {} m", joint.name, a.distance(b));
    }
    assert!(states.iter().all(|s| s.pose.position.abs().max_element() < 100.0));
}

#[test]
fn a_figure_is_kinematic_unless_its_line_says_otherwise() {
    for (lines, kind, motion) in [
        ("", FigureKind::Kinematic, Motion::Kinematic),
        ("figure = \"kinematic\"", FigureKind::Kinematic, Motion::Kinematic),
        ("figure = \"ragdoll\"", FigureKind::Ragdoll, Motion::Dynamic),
        ("figure = \"powered\"\nstrength = 0.5", FigureKind::Powered, Motion::Dynamic),
    ] {
        let scene = walker(lines).unwrap();
        let figure = &scene.skeletons[0];
        assert_eq!(figure.kind, kind, "{lines}");
        let first = figure.first_body as usize;
        let links = &scene.bodies[first..first + figure.link_count as usize];
        assert!(links.iter().all(|b| b.motion == motion), "{lines}");
        assert_eq!(figure.driven.is_empty(), kind != FigureKind::Powered, "{lines}");
    }
}

#[test]
fn a_line_of_a_figure_that_makes_no_sense_is_named() {
    for (lines, line, says) in [
        ("figure = \"flying\"", 3, "flying"),
        ("figure = \"ragdoll\"\nstrength = 1", 4, "only a powered figure"),
        ("strength = 1", 3, "only a powered figure"),
        ("figure = \"powered\"\nstrength = 0", 4, "must be 0.01 to 10"),
        ("figure = \"powered\"\nstrength = inf", 4, "must be 0.01 to 10"),
    ] {
        let error = walker(lines).unwrap_err();
        assert!(error.contains(&format!("line {line}:")) && error.contains(says), "{lines}: {error}");
    }
    let parts = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/standing.glb")).unwrap();
    let scene = load(&parts, "figure = \"ragdoll\"").unwrap();
    assert!(scene.skeletons.is_empty() && has_note(&scene, NoteKind::Ignored, "no figure"));
}

#[test]
fn the_links_of_a_ragdoll_have_mass_and_joints_and_the_notes_say_which() {
    let scene = walker("figure = \"ragdoll\"").unwrap();
    let figure = &scene.skeletons[0];
    let first = figure.first_body as usize;
    let links = &scene.bodies[first..first + figure.link_count as usize];
    let mass: f64 = links.iter().map(|b| b.mass).sum();
    assert!((60.0..80.0).contains(&mass), "{mass} kg");
    for body in links {
        assert!(body.mass > 0.009 * mass && body.mass < 0.4 * mass, "{}: {} kg", body.name, body.mass);
        let mesh = &scene.meshes[body.mesh.unwrap() as usize];
        assert_eq!(mesh.surface().flaws.boundary_edge_count, 0, "{} is closed", body.name);
    }
    // Each link that has a parent has a joint. It connects the two, at the origin of the lower link.
    assert_eq!(figure.parents.iter().filter(|p| p.is_none()).count(), 1);
    for joint in &scene.joints {
        let [above, own] = [joint.a, joint.b].map(|b| b - figure.first_body);
        assert_eq!(figure.parents[own as usize], Some(above), "{}", joint.name);
        assert_eq!(joint.frame_b.position, DVec3::ZERO);
        assert!(joint.friction > 0.0 && joint.cone.is_some());
    }
    for text in [
        "are merged",
        "weighs 6",
        "limits are guessed from names",
        "left_forearm, right_forearm: hinge -5° to 145°",
    ] {
        assert!(has_note(&scene, NoteKind::Assumed, text), "{text}: {:?}", scene.notes);
    }
    assert!(!has_note(&scene, NoteKind::Assumed, "kg/m³"));
}

/// Guards against joints that are made for Earth's gravity whatever gravity the scene specifies.
#[test]
fn a_figure_on_the_moon_has_the_joints_and_muscles_of_the_moon() {
    let joints = |gravity: &str, figure: &str| {
        let scene = walker_under(&format!("gravity = [0, {gravity}, 0]\n"), figure).unwrap();
        let of = |j: &tumble::body::Joint| (j.friction, j.pose_drive.map_or(0.0, |d| d.angular.max_force));
        scene.joints.iter().map(of).collect::<Vec<_>>()
    };
    for figure in ["figure = \"ragdoll\"", "figure = \"powered\""] {
        let [earth, moon, none] = ["-9.81", "-1.62", "0"].map(|gravity| joints(gravity, figure));
        assert!(earth.len() > 5 && earth.iter().any(|j| j.0 > 0.0));
        assert_eq!(earth, none, "where nothing weighs, limbs are held as on the Earth");
        for (earth, moon) in earth.iter().zip(&moon) {
            let near = |one: f64, other: f64| (one - other).abs() <= 1e-9 * one.abs();
            assert!(near(moon.0 * 9.81, earth.0 * 1.62), "{moon:?} for {earth:?}");
            assert!(near(moon.1 * 9.81, earth.1 * 1.62), "{moon:?} for {earth:?}");
        }
    }
}

#[test]
fn links_that_touch_at_rest_do_not_collide_and_others_do() {
    let scene = walker("figure = \"ragdoll\"").unwrap();
    let index = |name: &str| scene.bodies.iter().position(|b| b.name == name).unwrap() as u32;
    let ignored = |a: &str, b: &str| {
        let (a, b) = (index(a), index(b));
        scene.pair_rules.iter().any(|r| (r.0, r.1) == (a.min(b), a.max(b)) && r.2 == PairRule::Ignore)
    };
    assert!(ignored("left_upper_leg", "right_upper_leg"), "the thighs meet at the crotch");
    assert!(!ignored("left_hand", "right_hand") && !ignored("left_forearm", "hips"));
    assert!(!ignored("left_foot", "right_foot") && !ignored("head", "left_hand"));
}

/// Returns the drawn vertices at the start of a scene, under the poses of their carriers, world.
fn drawn(scene: &Scene) -> Vec<DVec3> {
    let surface = &scene.drawn[0];
    let Follows::Joints(skinning) = &surface.follows else { panic!("{} has no skin", surface.name) };
    let figure = &scene.skeletons[0];
    let pose = |carrier| match carrier {
        Carrier::Body(body) => scene.bodies[body as usize].pose,
        Carrier::Joint(joint) => figure.joints[joint as usize],
    };
    let vertices = surface.positions.iter().zip(&skinning.influences);
    let vertex = |(position, influence): (&Vec3, &tumble::import::model::Influence)| {
        let by = |(&j, &weight): (&u16, &f32)| {
            let joint = &skinning.joints[usize::from(j)];
            let bound = joint.bind.transform_point3(position.as_dvec3());
            f64::from(weight) * pose(joint.carrier).transform_point(bound)
        };
        influence.joints.iter().zip(&influence.weights).map(by).sum()
    };
    vertices.map(vertex).collect()
}

#[test]
fn the_skin_of_a_ragdoll_follows_its_links_and_at_rest_looks_as_ever() {
    let [limp, stiff] = ["figure = \"ragdoll\"", ""].map(|lines| walker(lines).unwrap());
    let Follows::Joints(skinning) = &limp.drawn[0].follows else { panic!() };
    assert!(skinning.joints.iter().all(|j| matches!(j.carrier, Carrier::Body(_))), "toes follow the foot");
    for (a, b) in drawn(&limp).iter().zip(drawn(&stiff)) {
        assert!(a.distance(b) < 1e-5, "{a} for {b}");
    }
}

#[test]
fn bones_of_no_length_get_joints_all_the_same() {
    let bones: Vec<Bone> = (0..4_usize)
        .map(|i| bone("bone", i.checked_sub(1), [0.0; 3], [0.3 + 0.1 * i as f32, 0.1, 0.1]))
        .collect();
    let scene = ragdoll(&bones);
    assert_eq!((scene.skeletons[0].link_count, scene.joints.len()), (4, 3));
    assert!(scene.joints.iter().all(|j| j.frame_a.is_finite() && j.frame_b.is_finite()));
    assert_sound(&scene);
}

#[test]
fn a_link_without_volume_has_a_mass_of_its_own() {
    let mut bones = chain(3);
    bones[1].size.y = 0.0;
    let scene = ragdoll(&bones);
    assert_eq!(scene.skeletons[0].link_count, 3);
    assert!(
        scene
            .bodies
            .iter()
            .filter(|b| b.motion == Motion::Dynamic)
            .all(|b| b.mass > 0.0 && b.mass.is_finite())
    );
    assert_sound(&scene);
    // Now the surface has no area at all.
    bones[1].size = Vec3::ZERO;
    let scene = ragdoll(&bones);
    assert!(has_note(&scene, NoteKind::LeftOut, "has no usable surface"), "{:?}", scene.notes);
    assert_sound(&scene);
}

#[test]
fn a_skeleton_in_pieces_falls_in_pieces_and_says_so() {
    let mut bones = chain(4);
    (bones[2].parent, bones[2].place) = (None, [0.0, 0.5, 0.0]);
    let scene = ragdoll(&bones);
    assert_eq!(scene.joints.len(), 2);
    assert!(has_note(&scene, NoteKind::Assumed, "falls in 2 pieces"), "{:?}", scene.notes);
    assert_sound(&scene);
    // Links that touch are connected.
    bones[2].place = [0.5, 0.0, 0.0];
    let scene = ragdoll(&bones);
    assert_eq!(scene.joints.len(), 3);
    assert!(has_note(&scene, NoteKind::Repaired, "are hung"), "{:?}", scene.notes);
    assert_sound(&scene);
}

#[test]
fn a_skin_of_three_hundred_joints_is_merged() {
    let bones = chain(300);
    let scene = ragdoll(&bones);
    assert_eq!(scene.skeletons[0].link_count, 20);
    assert!(
        has_note(&scene, NoteKind::Assumed, "280 of 300 links are merged, 20 are left"),
        "{:?}",
        scene.notes
    );
    assert_sound(&scene);
    // As a kinematic figure, it has all of its links.
    let scene = load(skinned(&bones).to_string().as_bytes(), "").unwrap();
    assert_eq!(scene.skeletons[0].link_count, 300);
}

#[test]
fn a_skin_scaled_to_nothing_is_left_out() {
    let mut file = skinned(&chain(2));
    file["nodes"][0]["scale"] = json!([0.0, 0.0, 0.0]);
    file["nodes"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "name": "block", "mesh": 0, "translation": [0, 3, 0] }));
    file["scenes"][0]["nodes"] = json!([0, 2, 3]);
    let scene = load(file.to_string().as_bytes(), "figure = \"ragdoll\"").unwrap();
    assert!(scene.skeletons.is_empty() && scene.joints.is_empty());
    assert!(has_note(&scene, NoteKind::Ignored, "scaled to nothing"), "{:?}", scene.notes);
}
