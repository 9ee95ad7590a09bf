//! A station of the machine: a pin through a hole of a deck, and a collar, a sleeve, a ring, a cap and a
//! ball on it. The surfaces of neighbors are 1.2 to 2.5 mm apart, except for a planted fault.

use glam::{DVec2, DVec3};

use super::Planted;
use super::lathe::{Flutes, Turned};
use crate::arrays::MapEach;
use crate::check::Kind;
use crate::generate::{self, Triangles};
use crate::mesh::Mesh;
use crate::random::Random;

/// One millimeter, m.
pub const MM: f64 = 1e-3;
/// Greatest amount by which a part is smaller than its nominal size, m.
const SMALLER: f64 = 0.2 * MM;
/// Shares of the triangles per part of a station, in the order of [`ROLES`].
pub const SHARES: [f64; 6] = [1.4, 1.0, 0.9, 1.2, 1.6, 0.8];
pub const ROLES: [&str; 6] = ["pin", "collar", "sleeve", "ring", "cap", "ball"];
/// Distance of stations with a fault, in stations.
const FAULTY_EVERY: u32 = 3;

/// Fault of a station.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// The ring reaches 0.4 mm into the sleeve.
    RingInSleeve,
    /// The ring is 0.5 mm from the sleeve.
    RingNearSleeve,
    /// The sleeve stands on the deck.
    SleeveOnDeck,
    /// The ball is 0.4 mm above the pin.
    BallNearPin,
    /// The ball reaches 0.3 mm into the cap.
    BallInCap,
    /// The ball is inside the head of the pin.
    BallInHead,
    /// The collar touches the deck from below.
    CollarOnDeck,
}

/// Planted faults, in turns.
const FAULTS: [Fault; 7] = [
    Fault::RingInSleeve,
    Fault::RingNearSleeve,
    Fault::SleeveOnDeck,
    Fault::BallNearPin,
    Fault::BallInCap,
    Fault::BallInHead,
    Fault::CollarOnDeck,
];

/// One pin and the parts on it. The axis is z, and the deck's lower face is at z = 0.
pub struct Station {
    pub number: u32,
    fault: Fault,
    /// Amount by which each part is smaller than its nominal size, m.
    smaller: [f64; ROLES.len()],
    /// Rotation of each part about the axis, rad.
    pub spins: [f64; ROLES.len()],
    /// Factor of the number of triangles.
    fineness: f64,
}

impl Station {
    pub fn new(number: u32) -> Self {
        let mut random = Random::new(7, u64::from(number));
        let fault = match number % FAULTY_EVERY {
            1 => FAULTS[(number / FAULTY_EVERY) as usize % FAULTS.len()],
            _ => Fault::None,
        };
        Self {
            number,
            fault,
            smaller: ROLES.map_each(|_| SMALLER * random.uniform()),
            spins: ROLES.map_each(|_| 3.0 * random.signed()),
            fineness: 0.5 + random.uniform(),
        }
    }

    /// Builds the parts in the order of [`ROLES`], with about `each` triangles per share.
    pub fn meshes(&self, each: f64) -> Vec<Mesh> {
        let made = |role: usize| {
            let count = (self.fineness * SHARES[role] * each).round() as u32;
            mesh(&format!("{} {}", ROLES[role], self.number), &self.surface(role, count))
        };
        (0..ROLES.len()).map(made).collect()
    }

    fn surface(&self, role: usize, count: u32) -> Triangles {
        let less = self.smaller[role];
        let corner = |r: f64, z: f64, out: f64, up: f64| {
            DVec2::new(r * MM + if r == 0.0 { 0.0 } else { out * less }, z * MM + up * less)
        };
        let turned = |section: &[DVec2], flutes| Turned { section, flutes }.triangles(count);
        match ROLES[role] {
            "pin" => turned(
                &[
                    corner(0.0, -20.0, 0.0, 1.0),
                    corner(10.0, -20.0, -1.0, 1.0),
                    corner(10.0, -10.0, -1.0, -1.0),
                    corner(5.0, -10.0, -1.0, -1.0),
                    corner(5.0, 24.0, -1.0, -1.0),
                    corner(0.0, 24.0, 0.0, -1.0),
                ],
                None,
            ),
            "collar" => turned(
                &[
                    corner(6.5, -8.5, 1.0, 1.0),
                    corner(9.5, -8.5, -1.0, 1.0),
                    corner(9.5, -1.5, -1.0, -1.0),
                    corner(6.5, -1.5, 1.0, -1.0),
                ],
                Some(Flutes { count: 12, depth: 0.8 * MM }),
            ),
            "sleeve" => turned(
                &[
                    corner(6.5, 7.5, 1.0, 1.0),
                    corner(8.5, 7.5, -1.0, 1.0),
                    corner(8.5, 20.0, -1.0, -1.0),
                    corner(6.5, 20.0, 1.0, -1.0),
                ],
                None,
            ),
            "ring" => {
                let (major, minor) = (11.7 * MM, 1.7 * MM - less);
                let across = (f64::from(count) * minor / (2.0 * major)).sqrt().round().max(8.0);
                let around = (f64::from(count) / (2.0 * across)).round();
                generate::torus(major as f32, minor as f32, around as usize, 4 * (across as usize / 4))
            }
            "cap" => turned(
                &[
                    corner(0.0, 34.0, 0.0, 1.0),
                    corner(6.5, 34.0, 1.0, 1.0),
                    corner(6.5, 21.5, 1.0, 1.0),
                    corner(9.0, 21.5, -1.0, 1.0),
                    corner(9.0, 36.0, -1.0, -1.0),
                    corner(0.0, 36.0, 0.0, -1.0),
                ],
                None,
            ),
            _ => bumpy_ball((3.5 * MM - less) as f32, f64::from(count).sqrt() as usize),
        }
    }

    /// Returns the place of a part's origin relative to the middle of the hole, m.
    pub fn place(&self, role: usize) -> DVec3 {
        let [pin, collar, sleeve, ring, cap, ball] = self.smaller;
        // Gap from the inside of the ring to the sleeve, and the heights of the ball.
        let around_sleeve = 1.5 * MM + ring + sleeve;
        let (ball_low, ball_high) = (24.0 * MM - pin + 3.5 * MM - ball, 34.0 * MM + cap - 3.5 * MM + ball);
        match (ROLES[role], self.fault) {
            ("ring", Fault::RingInSleeve) => DVec3::new(around_sleeve + 0.4 * MM, 0.0, 13.0 * MM),
            ("ring", Fault::RingNearSleeve) => DVec3::new(around_sleeve - 0.5 * MM, 0.0, 13.0 * MM),
            ("ring", _) => DVec3::Z * 13.0 * MM,
            ("sleeve", Fault::SleeveOnDeck) => DVec3::NEG_Z * (1.5 * MM + sleeve),
            ("collar", Fault::CollarOnDeck) => DVec3::Z * (1.5 * MM + collar),
            ("ball", Fault::BallNearPin) => DVec3::Z * (ball_low + 0.4 * MM),
            ("ball", Fault::BallInCap) => DVec3::Z * (ball_high + 0.3 * MM),
            ("ball", Fault::BallInHead) => DVec3::NEG_Z * 15.0 * MM,
            ("ball", _) => DVec3::Z * 29.0 * MM,
            _ => DVec3::ZERO,
        }
    }

    /// Returns the finding that the fault causes; `deck` is the deck's part.
    pub fn planted(&self, [pin, collar, sleeve, ring, cap, ball]: [u32; 6], deck: u32) -> Option<Planted> {
        let (kind, [a, b]) = match self.fault {
            Fault::None => return None,
            Fault::RingInSleeve => (Kind::Clash, [sleeve, ring]),
            Fault::RingNearSleeve => (Kind::Clearance, [sleeve, ring]),
            Fault::SleeveOnDeck => (Kind::Contact, [deck, sleeve]),
            Fault::BallNearPin => (Kind::Clearance, [pin, ball]),
            Fault::BallInCap => (Kind::Clash, [cap, ball]),
            Fault::BallInHead => (Kind::Inside, [pin, ball]),
            Fault::CollarOnDeck => (Kind::Contact, [deck, collar]),
        };
        Some((kind, [a.min(b), a.max(b)]))
    }
}

/// Builds a ball with dents of 8 %, whose greatest radius, at the poles too, is `radius`, m.
fn bumpy_ball(radius: f32, segment_count: usize) -> Triangles {
    let (mut positions, triangles) = generate::sphere(1.0, segment_count.max(12));
    for p in &mut positions {
        let wave = libm::sinf(7.0 * p.x) * libm::cosf(5.0 * p.y);
        *p *= radius * (1.0 - 0.08 * wave * wave);
    }
    (positions, triangles)
}

/// Returns a mesh of a generated surface.
pub fn mesh(name: &str, (positions, triangles): &Triangles) -> Mesh {
    // Does not fail: generated shapes are finite and have triangles.
    Mesh::new(name, positions, triangles).expect("a generated shape is a mesh")
}
