//! Many instances of one part: chains of interlocked links, 1.5 mm apart, side by side. The whole is
//! tilted, so that the boxes of links of neighboring chains overlap.

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};

use super::{Assembly, Planted};
use crate::check::Kind;
use crate::generate;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::scene::{BodyDef, Scene};

/// Number of links of a chain.
const LENGTH: u32 = 100;
/// Radius of the middle of a link's bar, and of the bar, m.
const RADII: [f64; 2] = [0.010, 0.002];
/// Gap of neighbors, m.
const GAP: f64 = 0.0015;
/// Distance of the chains, m. They are 2 mm apart.
const BESIDE: f64 = 0.026;
/// Distance along a chain of the links that may have a planted fault, in links.
const APART: u32 = 25;

/// Builds `count` links, a multiple of [`LENGTH`], with one surface.
pub fn chains(count: u32) -> Assembly {
    let (positions, triangles) = generate::torus(RADII[0] as f32, RADII[1] as f32, 48, 24);
    let mut scene = Scene::new("chains");
    // Does not fail: a torus is finite and has triangles.
    let mesh = scene.add_mesh(Mesh::new("link", &positions, &triangles).expect("a torus is a mesh"));
    let tilt = DQuat::from_rotation_z(0.35) * DQuat::from_rotation_y(0.5) * DQuat::from_rotation_x(0.4);
    let chain_count = count / LENGTH;
    let across = f64::from(chain_count).sqrt().ceil() as u32;
    let pitch = 2.0 * (RADII[0] - RADII[1]) - GAP;
    let mut planted = Vec::new();
    for chain in 0..chain_count {
        for link in 0..LENGTH {
            let part = chain * LENGTH + link;
            let is_faulty = link % APART == APART / 2;
            let (back, fault) =
                if is_faulty { fault(chain + link / APART, part, pitch) } else { (0.0, None) };
            planted.extend(fault);
            let place = DVec3::new(
                f64::from(link) * pitch - back,
                BESIDE * f64::from(chain % across),
                BESIDE * f64::from(chain / across),
            );
            let turn = if link % 2 == 0 { 0.0 } else { FRAC_PI_2 };
            let pose = Pose::new((tilt * DQuat::from_rotation_x(turn)).normalize(), tilt * place);
            let (name, path) = (format!("link {part}"), format!("chain {chain}/link {part}"));
            scene.add_body(BodyDef { name, path, pose, ..BodyDef::fixed(&scene, mesh) });
        }
    }
    Assembly { scene, planted }
}

/// Returns the fault of a link, by turns: the distance by which it is moved back along its chain, m, and
/// the finding that this causes. A link that is moved back comes nearer to the next one, which it
/// holds. `pitch` is the distance of neighbors, m.
fn fault(turn: u32, part: u32, pitch: f64) -> (f64, Option<Planted>) {
    let (back, kind, other) = match turn % 5 {
        0 => return (0.0, None),
        1 => (GAP + 0.0004, Kind::Clash, part + 1),
        2 => (GAP - 0.0005, Kind::Clearance, part + 1),
        3 => (GAP, Kind::Contact, part + 1),
        _ => (2.0 * pitch, Kind::Doubled, part - 2),
    };
    (back, Some((kind, [part.min(other), part.max(other)])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_share_a_surface_and_four_of_five_chosen_ones_have_a_fault() {
        let Assembly { scene, planted } = chains(500);
        assert_eq!((scene.bodies.len(), scene.meshes.len(), planted.len()), (500, 1, 16));
        assert!(planted.iter().all(|(_, [a, b])| a < b && *b < 500));
    }
}
