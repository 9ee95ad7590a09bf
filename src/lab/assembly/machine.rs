//! A machine of many distinct parts: decks with holes, stations of parts at the holes, and a tray around
//! all.
//!
//! The machine is tilted, so that the boxes of many parts overlap that are far from each other.

use glam::{DQuat, DVec2, DVec3};

use super::Assembly;
use super::station::{MM, ROLES, SHARES, Station, mesh};
use crate::generate::shell::{Frame, Shell};
use crate::generate::{Tray, Triangles};
use crate::mesh::Mesh;
use crate::parallel::Threads;
use crate::pose::Pose;
use crate::scene::{BodyDef, Scene};

/// Numbers of holes of a deck along x and y.
const HOLES: [u32; 2] = [7, 3];
/// Distance of the holes, m.
const PITCH: f64 = 32.0 * MM;
/// Number of decks along x and y; further decks are above.
const DECKS: [u32; 2] = [2, 3];
/// Height from a deck to the one above, m.
const STOREY: f64 = 58.0 * MM;
/// Thickness of a deck, m.
const THICKNESS: f64 = 6.0 * MM;
/// Radius of the holes, m.
const HOLE: f64 = 7.0 * MM;
/// Triangles of a deck, relative to a part of a station.
const DECK_SHARE: f64 = 6.0;
/// Builds a machine with `station_count` pins and about `triangle_count` triangles on all threads.
pub fn machine(station_count: u32, triangle_count: u32, threads: &Threads) -> Assembly {
    let deck_count = station_count.div_ceil(HOLES[0] * HOLES[1]);
    let shares = f64::from(station_count) * SHARES.iter().sum::<f64>() + f64::from(deck_count) * DECK_SHARE;
    let each = f64::from(triangle_count) / shares;
    let decks: Vec<u32> = (0..deck_count).collect();
    let stations: Vec<Station> = (0..station_count).map(Station::new).collect();
    let deck_meshes =
        threads.all().map(&decks, |_, deck| mesh(&format!("deck {deck}"), &plate(DECK_SHARE * each)));
    let station_meshes = threads.all().map(&stations, |_, station| station.meshes(each));
    let tilt = DQuat::from_rotation_z(0.35) * DQuat::from_rotation_y(0.5) * DQuat::from_rotation_x(0.4);
    let mut scene = Scene::new("machine");
    let mut add = |path: String, mesh: Mesh, place: DVec3, spin: f64| {
        let index = scene.add_mesh(mesh);
        let rotation = (tilt * DQuat::from_rotation_z(spin)).normalize();
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        let pose = Pose::new(rotation, tilt * place);
        let body = BodyDef { name, path, pose, ..BodyDef::fixed(&scene, index) };
        scene.add_body(body)
    };
    add("tray".to_owned(), mesh("tray", &tray()), tray_place(), 0.0);
    let deck_parts: Vec<u32> = decks
        .iter()
        .zip(deck_meshes)
        .map(|(&deck, mesh)| add(format!("deck {deck}"), mesh, deck_place(deck), 0.0))
        .collect();
    let mut planted = Vec::new();
    for (station, meshes) in stations.iter().zip(station_meshes) {
        let deck = station.number / (HOLES[0] * HOLES[1]);
        let hole = hole_place(station.number % (HOLES[0] * HOLES[1]));
        let at = deck_place(deck) + hole.extend(0.0);
        let mut parts = [0; ROLES.len()];
        for (role, mesh) in meshes.into_iter().enumerate() {
            let path = format!("deck {deck}/{} {}", ROLES[role], station.number);
            parts[role] = add(path, mesh, at + station.place(role), station.spins[role]);
        }
        planted.extend(station.planted(parts, deck_parts[deck as usize]));
    }
    Assembly { scene, planted }
}

/// Returns the place of a deck, m.
fn deck_place(deck: u32) -> DVec3 {
    let [x, y, z] = [deck % DECKS[0], deck / DECKS[0] % DECKS[1], deck / (DECKS[0] * DECKS[1])];
    let size = PITCH * DVec2::new(f64::from(HOLES[0]), f64::from(HOLES[1]));
    DVec3::new(f64::from(x) * size.x, f64::from(y) * size.y, f64::from(z) * STOREY)
}

/// Returns the place of a hole relative to its deck, m.
fn hole_place(hole: u32) -> DVec2 {
    let at = |k: u32, count: u32| PITCH * (f64::from(k) - 0.5 * f64::from(count - 1));
    DVec2::new(at(hole % HOLES[0], HOLES[0]), at(hole / HOLES[0], HOLES[1]))
}

/// Builds a deck with about `count` triangles, its lower face at z = 0. Decks are 2 mm apart.
fn plate(count: f64) -> Triangles {
    let half = 0.5 * PITCH * DVec2::new(f64::from(HOLES[0]), f64::from(HOLES[1])) - DVec2::splat(MM);
    let hole_count = HOLES[0] * HOLES[1];
    let faces = 4.0 * half.x * half.y - f64::from(hole_count) * std::f64::consts::PI * HOLE * HOLE;
    let walls = THICKNESS * (4.0 * (half.x + half.y) + f64::from(hole_count) * std::f64::consts::TAU * HOLE);
    // A face has about 2.6 triangles per square of the spacing, a wall 2.
    let mut shell = Shell::new(((2.6 * 2.0 * faces + 2.0 * walls) / count).sqrt());
    let corners = [-half, DVec2::new(half.x, -half.y), half, DVec2::new(-half.x, half.y)];
    let outline = shell.subdivide(&corners);
    let holes: Vec<Vec<DVec2>> = (0..hole_count).map(|hole| shell.circle(hole_place(hole), HOLE)).collect();
    shell.extrude(Frame::up(0.0), THICKNESS, &outline, &holes);
    shell.finish(DVec3::ZERO)
}

/// Builds the tray under and around all decks.
fn tray() -> Triangles {
    let deck = PITCH * DVec2::new(f64::from(HOLES[0]), f64::from(HOLES[1]));
    Tray {
        length: f64::from(DECKS[0]) * deck.x + 24.0 * MM,
        width: f64::from(DECKS[1]) * deck.y + 24.0 * MM,
        height: 150.0 * MM,
        wall: 8.0 * MM,
        floor: 8.0 * MM,
        corner_radius: 10.0 * MM,
        spacing: 8.0 * MM,
    }
    .triangles()
}

/// Returns the place of the tray, m: its floor is 2 mm below the lowest pins.
fn tray_place() -> DVec3 {
    let middle = 0.5 * (deck_place(0) + deck_place(DECKS[0] * DECKS[1] - 1));
    middle.with_z(-30.0 * MM)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::generate::{open_edge_count, signed_volume};

    #[test]
    fn every_part_is_a_closed_solid_that_differs_from_the_others() {
        let threads = Threads::new(1).unwrap();
        let Assembly { scene, planted } = machine(22, 100_000, &threads);
        assert_eq!((scene.bodies.len(), scene.meshes.len(), planted.len()), (135, 135, 7));
        let paths: BTreeSet<&str> = scene.bodies.iter().map(|body| body.path.as_str()).collect();
        assert_eq!(paths.len(), scene.bodies.len());
        let mut sizes = BTreeSet::new();
        for mesh in &scene.meshes {
            let surface = (mesh.vertices().to_vec(), mesh.triangles().to_vec());
            assert_eq!(open_edge_count(&surface), 0, "{}", mesh.name());
            assert!(signed_volume(&surface) > 0.0, "{}", mesh.name());
            sizes.insert(signed_volume(&surface).to_bits());
        }
        // The decks alone are alike.
        assert_eq!(sizes.len(), scene.meshes.len() - 1);
        let count: usize = scene.meshes.iter().map(|mesh| mesh.triangles().len()).sum();
        assert!((80_000..130_000).contains(&count), "{count}");
    }
}
