//! Surfaces as CAD programs export them: doubled, torn, with slivers, and with seams that do not meet.
//! They load, and they rest on the ground like the solids that they represent.

use glam::Vec3;
use tumble::generate::{self, Triangles};
use tumble::scene::load_scene;
use tumble::world::World;

use crate::gltf;

const SIDE: f32 = 0.2;

fn cube() -> Triangles {
    generate::cuboid(Vec3::splat(SIDE), 0.1)
}

/// Returns the cube with every triangle doubled.
fn doubled() -> Triangles {
    let (positions, triangles) = cube();
    (positions, [&triangles[..], &triangles].concat())
}

/// Divides each triangle at a point that is just beside an edge. The neighbor across that edge has no
/// corner there, and a third of the new triangles are nearly degenerate.
fn slivers() -> Triangles {
    let (mut positions, triangles) = cube();
    let mut divided = Vec::new();
    for [a, b, c] in triangles {
        let [p, q, r] = [a, b, c].map(|v| positions[v as usize]);
        let middle = positions.len() as u32;
        positions.push((0.5 * (p + q)).lerp(r, 1e-6));
        divided.extend([[a, b, middle], [b, c, middle], [c, a, middle]]);
    }
    (positions, divided)
}

/// Returns the cube with separate corners for each triangle. Each corner is moved by a few micrometers.
fn torn() -> Triangles {
    let (positions, triangles) = cube();
    let off = |k: usize| 1e-6 * Vec3::new((k % 3) as f32 - 1.0, (k % 5) as f32 - 2.0, (k % 7) as f32 - 3.0);
    let corners = triangles.as_flattened().iter().enumerate();
    let positions: Vec<Vec3> = corners.map(|(k, &v)| positions[v as usize] + off(k)).collect();
    let triangles = (0..positions.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    (positions, triangles)
}

/// Returns the cube with an inner wall from corner to corner. Four triangles meet at one edge of the
/// wall.
fn walled() -> Triangles {
    let (mut positions, mut triangles) = cube();
    let first = positions.len() as u32;
    let half = 0.5 * SIDE;
    positions
        .extend([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| half * Vec3::new(x, y, x)));
    triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    (positions, triangles)
}

/// Returns the cube with triangles without area, unused vertices, and a triangle of a single vertex.
fn littered() -> Triangles {
    let (mut positions, mut triangles) = cube();
    positions.push(Vec3::splat(5.0));
    triangles.extend([[0, 0, 0], [0, 1, 1], [1, 0, 1]]);
    (positions, triangles)
}

/// Returns the cube with every second triangle flipped.
fn turned() -> Triangles {
    let (positions, mut triangles) = cube();
    triangles.iter_mut().step_by(2).for_each(|t| t.swap(0, 1));
    (positions, triangles)
}

#[test]
fn surfaces_of_drawing_programs_load_and_lie_on_the_ground() {
    let shapes = [
        ("doubled", doubled()),
        ("slivers", slivers()),
        ("torn", torn()),
        ("walled", walled()),
        ("littered", littered()),
        ("turned", turned()),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, shape) in &shapes {
        gltf::write(folder.path(), name, shape);
        let text = format!("ground = {{}}\n[[model]]\nfile = \"{name}.gltf\"\nposition = [0.0, 0.11, 0.0]\n");
        let path = folder.path().join(format!("{name}.toml"));
        std::fs::write(&path, text).unwrap();
        let scene = load_scene(path.to_str().unwrap(), None).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let mut world = World::new(&scene).unwrap();
        for _ in 0..120 {
            world.step();
        }
        let body = world.bodies().infos.iter().position(|i| i.name == *name).unwrap();
        let state = world.bodies().states[body];
        assert!((state.pose.position.y - 0.1).abs() < 2e-3, "{name} at {}", state.pose.position);
        assert!(state.pose.position.with_y(0.0).length() < 2e-3, "{name} at {}", state.pose.position);
        assert_eq!(world.sleeping_count(), 1, "{name}");
        let is_open = scene.notes.iter().any(|n| n.text.contains("not closed"));
        assert_eq!(is_open, *name == "torn", "{name}: {:?}", scene.notes);
        assert!(world.quarantined().is_empty());
    }
}

#[test]
fn a_file_whose_triangles_have_no_area_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let line = (vec![Vec3::ZERO, Vec3::X, 2.0 * Vec3::X], vec![[0, 1, 2], [0, 0, 1]]);
    let path = gltf::write(folder.path(), "line", &line);
    let error = load_scene(path.to_str().unwrap(), None).unwrap_err();
    assert!(error.to_string().contains("line.gltf"), "{error}");
    assert!(error.to_string().contains("no node has a surface"), "{error}");
}
