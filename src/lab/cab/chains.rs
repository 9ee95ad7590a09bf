//! Two chains of links on ball joints that swing or braid. \[cab\] §4, Tables 1–4
//!
//! The paper's motion comes from a simulation. Here every pose follows from the frame's number by a
//! formula, so that counts do not depend on the solver. The amplitudes were chosen once so that the
//! numbers of colliding links and of overlapping boxes around vertices match the paper's.

use std::f64::consts::{FRAC_1_SQRT_2, PI, TAU};
use std::sync::Arc;

use glam::{DMat3, DQuat, DVec2, DVec3};

use super::motion::{FRAME, Links};
use crate::generate::Limb;
use crate::mesh::{Mesh, MeshError};
use crate::pose::Pose;
use crate::random::Random;

/// Gap between the tips of two joined links, as a share of their thickness. It keeps joined links apart
/// however far the chains bend.
const GAP: f64 = 0.2;

/// The value of 1/√3.
const FRAC_1_SQRT_3: f64 = 0.577_350_269_189_625_8;
/// Two directions: down along the chains, and horizontally from one chain to the other. The chains are
/// oblique, because axis-aligned boxes fit oblique links worst.
const ASLANT: DVec3 = DVec3::new(FRAC_1_SQRT_3, -FRAC_1_SQRT_3, FRAC_1_SQRT_3);
const ASIDE: DVec3 = DVec3::new(FRAC_1_SQRT_2, 0.0, -FRAC_1_SQRT_2);

/// Amplitudes of swinging chains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    /// Distance between the upper ends, m.
    pub apart: f64,
    /// Amplitude of each of the three waves that move the whole chain, m.
    pub sway: f64,
    /// Distance by which the second chain is shifted down along its direction, as a share of a link.
    pub lower: f64,
    /// Largest slope of the longest of three waves along a chain. The slopes of the others are a half
    /// and a third of it.
    pub slope: f64,
}

impl Swing {
    /// Amplitudes for links with proportions 3:1, and with proportions 6:1.
    pub const STOUT: Self = Self { apart: 0.2, sway: 0.01, lower: 0.0, slope: 0.03 };
    pub const SLENDER: Self = Self { apart: 0.12, sway: 0.007, lower: 0.5, slope: 0.03 };
}

/// Parameters of braided chains: distance between their ends, m; largest rotation of the lower ends,
/// rad; period of the motion, s.
const RING: f64 = 0.28;
const TURN: f64 = 0.95 * TAU;
const PERIOD: f64 = 20.0;
/// Smallest radius of the winding at the middle of the braid, as a share of the links' thickness.
const WAIST: f64 = 0.38;

/// Roll of the dented links of each chain, rad. With it the backs of one chain are near the rims of the
/// other.
const ROLLS: [f64; 2] = [2.37, 1.03];

/// Motion of the chains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ChainMotion {
    /// Swinging side by side, with occasional collisions.
    Swinging(Swing),
    /// Winding around each other, and back.
    Braided,
}

/// Two chains of `link_count` links each.
#[derive(Clone, Copy, Debug)]
pub struct Chains {
    pub limb: Limb,
    pub link_count: u32,
    pub course: ChainMotion,
}

impl Chains {
    /// Returns the links of both chains, each from its upper end down, over `frame_count` frames.
    /// `seen` is the shape of every link's surface.
    pub fn links(&self, seen: Limb, frame_count: usize) -> Result<Links, MeshError> {
        let (positions, triangles) = seen.triangles();
        let mesh = Arc::new(Mesh::new("limb", &positions, &triangles)?);
        let poses = (0..frame_count).flat_map(|frame| self.poses(frame as f64 * FRAME)).collect();
        Ok(Links { meshes: vec![Some(mesh); 2 * self.link_count as usize], poses })
    }

    /// Returns the position of a link's joint to the link above, in the link's body space, m.
    pub fn anchor(&self) -> DVec3 {
        -0.5 * self.pitch() * DVec3::X
    }

    /// Returns the distance between successive joints, m.
    fn pitch(&self) -> f64 {
        self.limb.length + GAP * self.limb.width
    }

    /// Returns the poses of all links at a time (s).
    fn poses(&self, time: f64) -> Vec<Pose> {
        let joints = |chain| match self.course {
            ChainMotion::Swinging(swing) => self.swinging(swing, chain, time),
            ChainMotion::Braided => self.braided(chain, time),
        };
        let across = ASLANT.cross(ASIDE);
        let mut poses = Vec::with_capacity(2 * self.link_count as usize);
        for (chain, roll) in (0..).zip(ROLLS) {
            let side = 1.0 - 2.0 * f64::from(chain);
            let open = side * (libm::cos(roll) * ASIDE + libm::sin(roll) * across);
            poses.extend(joints(chain).windows(2).map(|two| {
                let x = (two[1] - two[0]).normalize();
                let y = open.cross(x).normalize();
                let turn = DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)));
                Pose::new(turn.normalize(), 0.5 * (two[0] + two[1]))
            }));
        }
        poses
    }

    /// Returns the joints of a chain that swings like a string, from the upper end down.
    fn swinging(&self, swing: Swing, chain: u32, time: f64) -> Vec<DVec3> {
        let mut random = Random::new(4, u64::from(chain));
        let mut wave = |rate: f64| {
            let rate = rate + 0.5 * random.uniform();
            libm::sin(rate * time + TAU * random.uniform())
        };
        let mut sway = || swing.sway * (wave(1.6) + wave(2.3) + wave(3.0));
        let apart = swing.apart * ASIDE + swing.lower * self.pitch() * ASLANT;
        let upper = (f64::from(chain) - 0.5) * apart + DVec3::new(sway(), sway(), sway());
        // Slope of each wave along the chain, in both transverse directions.
        let slopes = [1.0, 2.0, 3.0]
            .map(|k| (PI * k, swing.slope / k * DVec2::new(wave(0.6 + 0.5 * k), wave(0.8 + 0.5 * k))));
        let across = ASLANT.cross(ASIDE);
        let mut joints = vec![upper];
        for link in 0..self.link_count {
            // The longest wave is sixteen links long, whatever the length of the chain.
            let at = (f64::from(link) + 0.5) / 8.0;
            let slope: DVec2 = slopes.iter().map(|(k, slope)| libm::cos(k * at) * *slope).sum();
            let along = ASLANT + slope.x * ASIDE + slope.y * across;
            joints.push(joints[link as usize] + self.pitch() * along.normalize());
        }
        joints
    }

    /// Returns the joints of a chain that winds around the other chain, from the upper end down.
    fn braided(&self, chain: u32, time: f64) -> Vec<DVec3> {
        let turn = 0.5 * TURN * (1.0 - libm::cos(TAU * time / PERIOD));
        let half = PI * f64::from(chain);
        // Straight strings between the ends would cross in their middle after half a turn; beyond that
        // the chains wind.
        let waist = 0.5 * RING * libm::cos(0.5 * turn).max(0.0);
        let least = WAIST * self.limb.width;
        let waist = (waist * waist + least * least).sqrt().min(0.5 * RING);
        let across = ASLANT.cross(ASIDE);
        let aside = |joint: u32| {
            // Position along the chain, from −1 at the upper end to 1 at the lower end.
            let place = 2.0 * f64::from(joint) / f64::from(self.link_count) - 1.0;
            let radius = (waist * waist + (0.25 * RING * RING - waist * waist) * place * place).sqrt();
            let angle = half + 0.5 * turn * (1.0 + libm::sin(0.5 * PI * place));
            radius * (libm::cos(angle) * ASIDE + libm::sin(angle) * across)
        };
        let mut down = 0.0;
        let mut joints = vec![aside(0)];
        for joint in 1..=self.link_count {
            let way = aside(joint) - aside(joint - 1);
            down += (self.pitch() * self.pitch() - way.length_squared()).max(0.0).sqrt();
            joints.push(aside(joint) + down * ASLANT);
        }
        joints
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cab::{BRAIDED_CHAINS, CONVEX_3_CHAINS, CONVEX_6_CHAINS};

    /// Checks that adjacent links share a joint and bend there by less than a radian.
    #[test]
    fn chains_hold_together_while_they_move() {
        for plan in [CONVEX_3_CHAINS, CONVEX_6_CHAINS, BRAIDED_CHAINS] {
            for link_count in [8, 32] {
                let chains = Chains { link_count, ..plan.chains };
                for frame in (0..10_000).step_by(7) {
                    let poses = chains.poses(f64::from(frame) * FRAME);
                    assert_eq!(poses.len() as u32, 2 * link_count);
                    for chain in poses.chunks_exact(link_count as usize) {
                        for two in chain.windows(2) {
                            let [front, back] = [-chains.anchor(), chains.anchor()];
                            let gap = two[0].transform_point(front) - two[1].transform_point(back);
                            assert!(gap.length() < 1e-12, "{}: {gap}", plan.title);
                            let [x, y] = [0, 1].map(|k| two[k].transform_vector(DVec3::X));
                            assert!(x.dot(y) > libm::cos(1.0), "{}, {frame}: {}", plan.title, x.dot(y));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn braided_chains_cross_and_wind_around_each_other() {
        let chains = BRAIDED_CHAINS.chains;
        let [before, half] = [0.0, 0.5 * PERIOD].map(|time| [0, 1].map(|c| chains.braided(c, time)));
        assert!((before[0][4].distance(before[1][4]) - RING).abs() < 1e-9, "they hang side by side");
        let nearest = half[0][4].distance(half[1][4]);
        assert!((nearest - 2.0 * WAIST * chains.limb.width).abs() < 1e-9, "{nearest}");
        // The lower ends have rotated by nearly a full turn, and their distance is unchanged.
        for state in [before, half] {
            assert!((state[0][8].distance(state[1][8]) - RING).abs() < 1e-9);
        }
    }
}
