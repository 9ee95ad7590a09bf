//! Generated surfaces of many kinds, to which the weights of the model are fitted. No real mesh enters
//! the fit.
//!
//! They are fine and coarse, long and flat, connected and scattered, with triangles of equal and of
//! very different sizes. Each surface is paired with itself, and with a smaller surface of another
//! kind.

use glam::{DQuat, DVec3, Vec3};

use super::super::workload::scaled;
use crate::arrays::MapEach;
use crate::generate::{
    Arch, Bolt, Bracket, Crate, Drum, Gear, Housing, Nut, Pipe, Tray, Triangles, Washer, bumpy_sphere,
    cuboid, ellipsoid, soup, sphere, torus,
};
use crate::mesh::{Mesh, MeshError};
use crate::pose::Pose;
use crate::random::Random;

/// Two surfaces that a query tests for intersection, each in its own space.
#[derive(Clone)]
pub struct Case {
    pub name: String,
    pub meshes: [Mesh; 2],
}

/// Longest side of the smaller surface of a pair, m. That of the larger one is 2 m.
const SMALLER: f64 = 1.1;

/// Returns the case of a surface and its copy.
pub fn alone(mesh: &Mesh) -> Case {
    Case { name: mesh.name().to_owned(), meshes: [mesh.clone(), mesh.clone()] }
}

/// Returns all cases.
///
/// # Errors
/// Returns the error of an invalid generated mesh, which does not occur.
pub fn cases() -> Result<Vec<Case>, MeshError> {
    let made = surfaces().into_iter().map(|(name, (positions, triangles))| {
        Mesh::new(name, &positions, &triangles).and_then(|mesh| scaled(&mesh))
    });
    let meshes: Vec<Mesh> = made.collect::<Result<_, _>>()?;
    let mut cases: Vec<Case> = meshes.iter().map(alone).collect();
    // Neighbors in the list are alike, so each surface is paired with the surface half the list away.
    let step = meshes.len() / 2 + 1;
    for (k, mesh) in meshes.iter().enumerate() {
        let other = &meshes[(k + step) % meshes.len()];
        let name = format!("{} / {}", mesh.name(), other.name());
        cases.push(Case { name, meshes: [mesh.clone(), resized(other, 0.5 * SMALLER)?] });
    }
    Ok(cases)
}

fn resized(mesh: &Mesh, factor: f64) -> Result<Mesh, MeshError> {
    let positions: Vec<Vec3> = mesh.vertices().iter().map(|v| (factor * v.as_dvec3()).as_vec3()).collect();
    Mesh::new(mesh.name(), &positions, mesh.triangles())
}

fn surfaces() -> Vec<(&'static str, Triangles)> {
    let slab = |x, y, z| cuboid(Vec3::new(x, y, z), 10.0);
    vec![
        ("torus", torus(0.7, 0.3, 140, 70)),
        ("torus-coarse", torus(0.7, 0.3, 16, 8)),
        ("sphere", sphere(1.0, 70)),
        ("sphere-coarse", sphere(1.0, 10)),
        ("bumpy", bumpy_sphere(140)),
        ("bumpy-coarse", bumpy_sphere(40)),
        ("soup", soup(20_000, 0.02, 1)),
        ("soup-coarse", soup(500, 0.15, 2)),
        ("gear", Gear::SMALL.triangles()),
        ("gear-large", Gear::LARGE.triangles()),
        ("bracket", Bracket::RIBBED.triangles()),
        ("housing", Housing::SMALL.triangles()),
        ("pipe", Pipe::ELBOW.triangles()),
        ("bolt", Bolt::M20.triangles()),
        ("tray", Tray::WORKSHOP.triangles()),
        ("washer", Washer::M20.triangles()),
        ("crate", Crate::KNEE_HIGH.triangles()),
        ("drum", Drum::BARREL.triangles()),
        ("arch", Arch::DOORWAY.triangles()),
        ("triangle", (vec![Vec3::ZERO, Vec3::X, Vec3::new(0.3, 0.9, 0.0)], vec![[0, 1, 2]])),
        ("cube", slab(1.0, 1.0, 1.0)),
        ("bar", slab(2.0, 0.2, 0.1)),
        ("bar-fine", cuboid(Vec3::new(2.0, 0.15, 0.15), 0.03)),
        ("plate", slab(2.0, 1.5, 0.02)),
        ("plate-fine", cuboid(Vec3::new(2.0, 1.5, 0.02), 0.04)),
        ("wave", wave(60)),
        ("rack", rack()),
        ("bars", scattered(3, 60, |r| slab(0.05 + 1.2 * r, 0.04, 0.04))),
        ("rubble", scattered(4, 80, |r| sphere(0.05 + 0.1 * r, 12))),
        ("chips", scattered(5, 200, |r| slab(0.1, 0.05 + 0.2 * r, 0.01))),
        ("beads", scattered(6, 30, |r| sphere(0.02 + 0.03 * r, 24))),
        ("poles", scattered(8, 40, |r| rod(0.02 + 0.02 * r, 1.0 + r, 24))),
        ("tripod", tripod()),
        ("torus-slivers", torus(0.7, 0.3, 7, 160)),
        ("ellipsoid", ellipsoid(Vec3::new(1.0, 0.3, 0.2), 50)),
        ("fence", fence()),
        ("bolted", bolted()),
        ("machine", machine()),
        ("furniture", furniture()),
        ("uneven", uneven()),
        ("shells", shells()),
    ]
}

/// Creates an open sheet.
fn wave(steps: u32) -> Triangles {
    let at = |i: u32| 2.0 * i as f32 / steps as f32 - 1.0;
    let height = |x: f32, y: f32| 0.12 * libm::sinf(5.0 * x) * libm::cosf(4.0 * y);
    let positions = (0..=steps).flat_map(|j| (0..=steps).map(move |i| (at(i), at(j))));
    let positions = positions.map(|(x, y)| Vec3::new(x, y, height(x, y))).collect();
    let cells = (0..steps).flat_map(|j| (0..steps).map(move |i| j * (steps + 1) + i));
    let quads = cells.flat_map(|a| {
        let above = a + steps + 1;
        [[a, a + 1, above + 1], [a, above + 1, above]]
    });
    (positions, quads.collect())
}

/// Creates parallel shelves.
fn rack() -> Triangles {
    let mut all = (Vec::new(), Vec::new());
    for k in 0..8 {
        let pose = Pose::from_position(0.22 * f64::from(k) * DVec3::Z);
        add(&mut all, &cuboid(Vec3::new(1.6, 1.2, 0.02), if k % 2 == 0 { 10.0 } else { 0.1 }), &pose, 1.0);
    }
    all
}

/// Scatters parts with random rotations in a cube of side 2. `part` creates a part from a random number
/// between 0 and 1.
fn scattered(seed: u64, count: u32, part: impl Fn(f32) -> Triangles) -> Triangles {
    let mut random = Random::new(seed, 0);
    let mut all = (Vec::new(), Vec::new());
    for _ in 0..count {
        let size = random.uniform() as f32;
        let position = DVec3::new(random.signed(), random.signed(), random.signed());
        add(&mut all, &part(size), &Pose::new(random.rotation(), position), 1.0);
    }
    all
}

/// Creates a prism along z, open at both ends, of triangles as long as the prism.
fn rod(radius: f32, height: f32, sides: u32) -> Triangles {
    let corner = |i: u32| {
        let angle = std::f32::consts::TAU * (i / 2) as f32 / sides as f32;
        let z = if i.is_multiple_of(2) { -0.5 } else { 0.5 };
        Vec3::new(radius * libm::cosf(angle), radius * libm::sinf(angle), z * height)
    };
    let side = |i: u32| [2 * i, 2 * (i + 1), 2 * i + 1, 2 * (i + 1) + 1].map_each(|v| v % (2 * sides));
    let triangles = (0..sides).map(side).flat_map(|[a, b, c, d]| [[a, b, d], [a, d, c]]);
    ((0..2 * sides).map(corner).collect(), triangles.collect())
}

/// Creates a tripod: long legs of slivers, and a head of small triangles.
fn tripod() -> Triangles {
    let mut all = bumpy_sphere(40);
    all.0.iter_mut().for_each(|v| *v *= 0.2);
    for leg in 0..3 {
        let turn = DQuat::from_rotation_z(2.1 * f64::from(leg)) * DQuat::from_rotation_x(0.4);
        let pose = Pose::new(turn, turn * DVec3::new(0.0, 0.0, -0.8));
        add(&mut all, &rod(0.03, 1.5, 32), &pose, 1.0);
        add(&mut all, &rod(0.05, 0.6, 32), &pose, 1.0);
    }
    all
}

/// Creates parallel bars, alternately coarse and fine.
fn fence() -> Triangles {
    let mut all = (Vec::new(), Vec::new());
    for k in 0..12 {
        let pose = Pose::from_position(0.15 * f64::from(k) * DVec3::X);
        add(&mut all, &cuboid(Vec3::new(0.04, 0.04, 1.4), if k % 2 == 0 { 10.0 } else { 0.05 }), &pose, 1.0);
    }
    add(&mut all, &cuboid(Vec3::new(2.0, 0.02, 0.1), 10.0), &Pose::from_position(0.8 * DVec3::X), 1.0);
    all
}

/// Creates bolts in nuts: surfaces that run close to each other.
fn bolted() -> Triangles {
    let mut all = (Vec::new(), Vec::new());
    for k in 0..3 {
        let at = DVec3::new(0.08 * f64::from(k), 0.0, 0.0);
        add(&mut all, &Bolt::M20.triangles(), &Pose::from_position(at), 1.0);
        add(&mut all, &Nut::M20.triangles(), &Pose::from_position(at - 0.02 * DVec3::Z), 1.0);
    }
    all
}

/// Creates parts of many sizes, beside and inside each other, as in a machine.
fn machine() -> Triangles {
    let mut random = Random::new(7, 0);
    let mut all = (Vec::new(), Vec::new());
    add(&mut all, &cuboid(Vec3::new(0.5, 0.3, 0.02), 10.0), &Pose::from_position(-0.11 * DVec3::Z), 1.0);
    add(&mut all, &Housing::SMALL.triangles(), &Pose::from_position(0.1 * DVec3::X), 1.5);
    add(&mut all, &Gear::SMALL.triangles(), &Pose::from_position(-0.1 * DVec3::X), 1.0);
    for part in [Bolt::M20.triangles(), Washer::M20.triangles(), Pipe::ELBOW.triangles()] {
        for _ in 0..4 {
            let place = DVec3::new(0.25 * random.signed(), 0.15 * random.signed(), 0.1 * random.signed());
            add(&mut all, &part, &Pose::new(random.rotation(), place), 0.3 + random.uniform() as f32);
        }
    }
    all
}

/// Creates a table with chairs: few, large triangles.
fn furniture() -> Triangles {
    let mut all = (Vec::new(), Vec::new());
    let mut slab = |x: f32, y: f32, z: f32, at: [f64; 3]| {
        add(&mut all, &cuboid(Vec3::new(x, y, z), 10.0), &Pose::from_position(DVec3::from(at)), 1.0);
    };
    slab(1.6, 0.9, 0.04, [0.0, 0.0, 0.72]);
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
        slab(0.05, 0.05, 0.7, [0.75 * x, 0.4 * y, 0.35]);
        slab(0.42, 0.42, 0.03, [0.4 * x, 0.75 * y, 0.45]);
        slab(0.42, 0.03, 0.5, [0.4 * x, 0.97 * y, 0.75]);
        slab(0.03, 0.03, 0.45, [0.4 * x + 0.18, 0.6 * y, 0.22]);
        slab(0.03, 0.03, 0.45, [0.4 * x - 0.18, 0.6 * y, 0.22]);
    }
    all
}

/// Creates finely meshed parts inside and beside a few much larger triangles.
fn uneven() -> Triangles {
    let mut all = cuboid(Vec3::new(1.2, 1.0, 0.8), 10.0);
    add(&mut all, &bumpy_sphere(60), &Pose::from_position(DVec3::new(0.5, 0.4, 0.4)), 0.25);
    add(&mut all, &torus(0.3, 0.05, 80, 20), &Pose::from_position(DVec3::new(-0.5, -0.2, 0.5)), 1.0);
    add(&mut all, &cuboid(Vec3::new(2.0, 0.02, 0.02), 10.0), &Pose::IDENTITY, 1.0);
    all
}

/// Creates nested closed walls.
fn shells() -> Triangles {
    let mut all = (Vec::new(), Vec::new());
    for (segments, radius) in [(40, 1.0), (30, 0.93), (24, 0.6), (60, 0.55)] {
        add(&mut all, &sphere(radius, segments), &Pose::IDENTITY, 1.0);
    }
    all
}

fn add((positions, triangles): &mut Triangles, part: &Triangles, pose: &Pose, scale: f32) {
    let first = positions.len() as u32;
    positions.extend(part.0.iter().map(|&v| pose.transform_point((scale * v).as_dvec3()).as_vec3()));
    triangles.extend(part.1.iter().map(|t| t.map_each(|v| v + first)));
}
