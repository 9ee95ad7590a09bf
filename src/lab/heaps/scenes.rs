//! Heaps that fall under gravity alone: boxes, tori, ragdolls, gears, and the built-in scenes.

use glam::{DVec3, Vec3};

use crate::generate::{self, Triangles};
use crate::mesh::Mesh;
use crate::random::Random;
use crate::scene::{BodyDef, Scene, SceneError, builtin_scenes, load_scene, load_text};

/// Heaps of shapes. Each has a size for a full run and a size for a quick run.
pub const HEAPS: [Heap; 7] = [
    Heap { name: "boxes", make: |quick| Ok(boxes(if quick { [3, 3, 3] } else { [10, 10, 10] })) },
    Heap { name: "boxes-8k", make: |quick| Ok(boxes(if quick { [4, 4, 4] } else { [20, 20, 20] })) },
    Heap { name: "boxes-tumbling", make: |quick| Ok(tumbling_boxes(if quick { 3 } else { 10 })) },
    Heap { name: "tori-512", make: |quick| Ok(tori(if quick { [2, 2, 2] } else { [5, 4, 5] }, [16, 16])) },
    Heap { name: "tori-10k", make: |quick| Ok(tori(if quick { [2, 1, 2] } else { [4, 4, 4] }, [128, 40])) },
    Heap { name: "ragdolls-50", make: |quick| ragdolls(if quick { [2, 1, 1] } else { [5, 2, 5] }) },
    Heap { name: "gears-18", make: |quick| gears(if quick { [2, 1, 1] } else { [3, 2, 3] }) },
];

/// A generated scene.
pub struct Heap {
    pub name: &'static str,
    pub make: fn(bool) -> Result<Scene, SceneError>,
}

/// Returns all heaps, followed by the built-in scenes; in a quick run, of these only the chain.
pub fn all(quick: bool) -> Result<Vec<Scene>, SceneError> {
    let mut scenes = HEAPS.iter().map(|heap| (heap.make)(quick)).collect::<Result<Vec<Scene>, _>>()?;
    for (scene, heap) in scenes.iter_mut().zip(&HEAPS) {
        heap.name.clone_into(&mut scene.name);
    }
    for builtin in builtin_scenes().iter().filter(|builtin| !quick || builtin.name == "chain") {
        scenes.push(load_scene(builtin.name, None)?);
    }
    Ok(scenes)
}

/// Creates boxes of 1 m with small gaps. Each is displaced a little, so that the boxes tumble.
fn boxes(counts: [u32; 3]) -> Scene {
    let mut scene = ground(120.0);
    let cube = generate::cuboid(Vec3::ONE, 1.0);
    fill(&mut scene, ("box", &cube), counts, 1.1, 0.04, false);
    scene
}

/// Creates boxes of 1 m with random rotations, far enough apart to fall and tumble past each other.
fn tumbling_boxes(across: u32) -> Scene {
    let mut scene = ground(240.0);
    let cube = generate::cuboid(Vec3::ONE, 1.0);
    fill(&mut scene, ("box", &cube), [across; 3], 1.8, 0.05, true);
    scene
}

/// Creates tori of 0.8 m diameter with random rotations; the mesh of a torus has `around` by `across`
/// quads.
fn tori(counts: [u32; 3], [around, across]: [usize; 2]) -> Scene {
    let mut scene = ground(40.0);
    let torus = generate::torus(0.3, 0.1, around, across);
    fill(&mut scene, ("torus", &torus), counts, 0.95, 0.05, true);
    scene
}

/// Creates a scene that only has a square slab as ground. `side` is its side, m.
fn ground(side: f32) -> Scene {
    let mut scene = Scene::new("heap");
    let slab = generate::cuboid(Vec3::new(side, 1.0, side), f64::from(side));
    let mesh = add(&mut scene, "ground", &slab);
    let body = BodyDef::fixed(&scene, mesh).at(DVec3::new(0.0, -0.5, 0.0));
    scene.add_body(body);
    scene
}

/// Adds copies of a shape with 1000 kg/m³ on a grid above the ground. `spacing` is the grid spacing,
/// and `jitter` the largest random displacement, m.
fn fill(
    scene: &mut Scene,
    (name, shape): (&str, &Triangles),
    counts: [u32; 3],
    spacing: f64,
    jitter: f64,
    is_turned: bool,
) {
    let mesh = add(scene, name, shape);
    let mut random = Random::new(1, 0);
    let [across, high, deep] = counts;
    for k in 0..across * high * deep {
        let cell = DVec3::new(
            f64::from(k % across) - 0.5 * f64::from(across - 1),
            f64::from(k / (across * deep)) + 0.6,
            f64::from(k / across % deep) - 0.5 * f64::from(deep - 1),
        );
        let off = jitter * DVec3::new(random.signed(), random.signed(), random.signed());
        let mut body = BodyDef::dynamic(scene, mesh, 1000.0).at(spacing * cell + off);
        if is_turned {
            body.pose.rotation = random.rotation();
        }
        scene.add_body(body);
    }
}

fn add(scene: &mut Scene, name: &str, (positions, triangles): &Triangles) -> u32 {
    // Does not fail: generated shapes are finite and have triangles.
    let mesh = Mesh::new(name, positions, triangles).expect("a generated shape is a mesh");
    scene.add_mesh(mesh)
}

fn ragdolls([across, high, deep]: [u32; 3]) -> Result<Scene, SceneError> {
    let text = format!(
        r#"[ground]
size = 40.0
[[model]]
file = "../assets/walker.glb"
position = [0.0, 1.5, 0.0]
animation = {{ clip = "walk" }}
figure = "ragdoll"
copies = {{ count = [{across}, {high}, {deep}], spacing = [0.8, 2.0, 0.8], jitter = 0.05 }}
"#
    );
    load_text("ragdolls-50", &text, None)
}

fn gears([across, high, deep]: [u32; 3]) -> Result<Scene, SceneError> {
    let text = format!(
        r#"[ground]
size = 4.0
[[model]]
file = "../assets/parts.glb"
nodes = ["tray"]
recenter = true
[[model]]
file = "../assets/parts.glb"
nodes = ["gear_large"]
recenter = true
position = [-0.12, 0.1, -0.12]
copies = {{ count = [{across}, {high}, {deep}], spacing = [0.12, 0.12, 0.12], jitter = 0.01, random_rotation = true }}
[[part]]
name = "tray"
motion = "static"
"#
    );
    load_text("gears-18", &text, None)
}
