//! Skin and duration of a candidate list, calculated by hand. They affect only the cost, so no motion
//! reveals an error. Also the foreseen passes and the speculative distance.

use glam::DVec3;

use super::candidate_list::state;
use super::{info, mesh};
use crate::body::{BodyInfo, BodyState};
use crate::contact::candidate_list::{CandidateList, Skin};
use crate::contact::pair::PairContacts;
use crate::contact::point::PairRule;
use crate::contact::ratios::CARRIED_EDGES;
use crate::contact::settings::Ahead;
use crate::generate;
use crate::pose::Pose;

/// A block, and another that stands `apart` m beside it and moves away at `speed` m/s.
struct Pair {
    contacts: PairContacts,
    infos: [BodyInfo; 2],
    states: [BodyState; 2],
}

impl Pair {
    fn new(apart: f64, speed: f64) -> Self {
        let block = mesh(&generate::cuboid(glam::Vec3::splat(1.0), 1.0));
        let infos = [info(&block), info(&block)];
        let mut states = [DVec3::ZERO, DVec3::X * apart].map(|at| state(&block, Pose::from_position(at)));
        states[1].linear_velocity = DVec3::X * speed;
        let mut contacts = PairContacts::default();
        contacts.start(0, 1, PairRule::Collide, [&infos[0], &infos[1]]);
        Self { contacts, infos, states }
    }

    fn bodies(&self) -> [(&BodyState, &BodyInfo); 2] {
        [(&self.states[0], &self.infos[0]), (&self.states[1], &self.infos[1])]
    }

    /// Returns a list searched with the second block 1 m beside the first.
    fn list(&self, [node_tests, candidates]: [u64; 2], passes: u32, skin: f64) -> CandidateList {
        let at = Pose::from_position(DVec3::X);
        let skin = Skin::new(skin, self.bodies());
        CandidateList {
            at,
            margin: 0.1,
            speculative: 0.05,
            corner: 0.0,
            skin,
            node_tests,
            candidates,
            passes,
        }
    }
}

/// A pass of 10 ms without gravity.
const PASS: Ahead = Ahead { dt: 0.01, gravity: DVec3::ZERO };

/// Compares costs by hand. With f = 6 · node tests / (1 + 30 · candidates), and l passes until the
/// bodies move by the margin, a skin of share s of the margin costs (1 + s)² · (1 + f / (1 + s · l)).
#[test]
fn next_skin_minimizes_cost() {
    for (counts, moved, passes, share) in [
        // f = 193.5. l = 10: at 0.4: 77.8, at 0.8: 72.9, at 1.6: 83.7.
        ([1_000, 1], 0.1, 10, 0.8),
        // l = 1: 194.5 at 0, 204.3 at 0.05.
        ([1_000, 1], 0.1, 1, 0.0),
        // l = 1,000, the upper limit: at 0.1: 3.5, at 0.05: 5.3, at 0.2: 2.8, at 0.4: 2.9.
        ([1_000, 1], 0.0, 1, 0.2),
        // f = 0.2 is not worth any skin.
        ([100, 100], 0.1, 10, 0.0),
        // f = 3,000 with no candidate, l = 10: at 1.6: 1,200, at 3.2: 1,621, at 0.8: 1,083, at 0.4: 1,178.
        ([500, 0], 0.1, 10, 0.8),
    ] {
        let pair = Pair::new(1.0 + moved, 0.0);
        let skin = pair.list(counts, passes, 0.0).next_skin(0.1, pair.bodies());
        assert!((skin.motion - share * 0.1).abs() < 1e-12, "{counts:?}, {moved}, {passes}: {skin:?}");
    }
}

/// A body whose farthest point moves by `chord` radii rotates by 2 · asin(chord / 2).
#[test]
fn skin_bounds_rotation() {
    let pair = Pair::new(1.0, 0.0);
    let radius = pair.infos[0].radius;
    for chord in [0.0, 0.01, 0.1, 0.3, 0.499] {
        let Skin { motion, turn } = Skin::new(chord * radius, pair.bodies());
        let most = 2.0 * libm::asin(0.5 * chord);
        assert!(motion == chord * radius && turn >= most && turn <= 1.02 * most, "{chord}: {turn}");
    }
    // A longer chord allows any rotation.
    assert!(Skin::new(0.51 * radius, pair.bodies()).turn > std::f64::consts::PI);
}

#[test]
fn search_filter_includes_the_skin() {
    let pair = Pair::new(1.0, 0.0);
    let skin = Skin { motion: 0.03, turn: 0.07 };
    let near = pair.contacts.near(0.1, 0.05, skin);
    let facing = near.facing.expect("the blocks are not far from each other");
    assert_eq!((near.margin, facing.ahead), (0.1 + 0.03, 0.05));
    assert_eq!((facing.moved, facing.turned), (0.03, 0.07));
    let settings = pair.contacts.settings;
    assert_eq!((facing.insides, facing.inside_edges), (settings.vertex_depths, settings.depth));
    assert_eq!(facing.crack, settings.crack);
}

#[test]
fn candidate_list_is_valid_within_its_skin_and_counts_passes() {
    for (moved, holds) in [(0.0, true), (0.0299, true), (0.0301, false)] {
        let mut pair = Pair::new(1.0 + moved, 0.0);
        pair.contacts.search.list = Some(pair.list([9, 9], 3, 0.03));
        (pair.contacts.search.margin, pair.contacts.search.foreseen) = (0.1, 0.05);
        let Pair { contacts, infos, states } = &mut pair;
        let bodies = [(&states[0], &infos[0]), (&states[1], &infos[1])];
        assert_eq!(contacts.list_covers(bodies), holds, "{moved} m");
        assert_eq!(contacts.search.list.map(|list| list.passes), Some(if holds { 4 } else { 3 }));
        // A list does not cover distances beyond its reach.
        (contacts.search.margin, contacts.search.foreseen) = (0.1, 0.0501 + 0.03 - moved);
        assert!(!contacts.list_covers(bodies), "{moved} m");
    }
}

#[test]
fn as_many_passes_are_foreseen_as_fit_in_the_travel_or_an_edge() {
    let mut pair = Pair::new(1.0, 2.0);
    for (travel, edge, left, passes) in [
        // 2 cm per pass.
        (0.105, 10.0, 100, 5),
        (0.105, 10.0, 3, 3),
        (0.105, 10.0, 0, 1),
        (0.01, 10.0, 100, 1),
        (0.5, 0.075 / CARRIED_EDGES, 100, 3),
    ] {
        pair.contacts.settings.travel = travel;
        pair.infos[1].edge = edge;
        assert_eq!(pair.contacts.passes_ahead(pair.bodies(), PASS, left), passes, "{travel} {edge} {left}");
    }
}

#[test]
fn contacts_are_foreseen_as_far_as_bodies_come_and_a_little_for_patience() {
    for (speed, patience, ahead) in
        [(0.0, 0.004, 0.004), (0.1, 0.004, 0.004), (2.0, 0.004, 0.02), (0.0, 0.0, 0.0)]
    {
        let mut pair = Pair::new(1.0, speed);
        (pair.contacts.settings.patience, pair.contacts.settings.speculative) = (patience, 0.001);
        let found = pair.contacts.speculative(pair.bodies(), PASS);
        assert!((found - (0.001 + ahead)).abs() < 1e-12, "{speed} m/s, {patience}: {found}");
    }
}
