//! Test of the candidate list: after a motion, every list that is still valid includes all touching
//! triangle pairs.

use glam::{DMat3, DQuat, DVec3, Vec3};

use super::{KINDS, found, info, mesh, placed, sliver_fan, touching};
use crate::body::{Activity, BodyState, Motion};
use crate::contact::candidate_list::{CandidateList, Skin};
use crate::contact::pair::PairContacts;
use crate::contact::point::PairRule;
use crate::generate::{self, Gear};
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::random::Random;

/// Returns the state of a body at its surface, for bounds of motion.
pub(super) fn state(mesh: &Mesh, pose: Pose) -> BodyState {
    BodyState {
        pose,
        linear_velocity: DVec3::ZERO,
        angular_velocity: DVec3::ZERO,
        inverse_mass: 0.0,
        center: mesh.bounds().center().as_dvec3(),
        inertia: DMat3::ZERO,
        inverse_inertia: DMat3::ZERO,
        gravity_factor: 1.0,
        motion: Motion::Dynamic,
        activity: Activity::Awake { slow_for: 0.0 },
    }
}

/// Searches at one pose and tests at others, as long as the list is valid.
#[test]
fn candidate_list_holds_all_touching_pairs_within_its_skin() {
    let shapes = [
        ("box", mesh(&generate::cuboid(Vec3::new(0.5, 0.3, 0.4), 0.12))),
        ("torus", mesh(&generate::torus(0.3, 0.1, 24, 12))),
        ("gear", placed(&Gear::SMALL.triangles(), 8.0, Vec3::new(20.0, 0.0, -7.0))),
        ("slivers", mesh(&sliver_fan())),
    ];
    let mut random = Random::new(9, 0);
    let (mut held, mut touched, mut missed) = (0, 0, 0);
    let pairs = shapes.iter().enumerate().flat_map(|(k, a)| shapes[k..].iter().map(move |b| (a, b)));
    for ((name_a, a), (name_b, b)) in pairs {
        for [margin, speculative, motion] in [[0.06, 0.03, 0.03], [0.01, 0.01, 0.06]] {
            let size = [a, b].map(|m| f64::from(m.bounds().diagonal())).into_iter().fold(9.0, f64::min);
            let infos = [a, b].map(info);
            let centers = [a, b].map(|m| m.bounds().center().as_dvec3());
            let place = |rotation: DQuat, apart: DVec3| {
                Pose::new(rotation, centers[0] + apart - rotation * centers[1])
            };
            let (rotation, apart) = (random.rotation(), 0.5 * size * (random.rotation() * DVec3::X));
            let at = place(rotation, apart);
            let mut pair = PairContacts::default();
            pair.start(0, 1, PairRule::Collide, [&infos[0], &infos[1]]);
            let [margin, speculative, motion] = [margin, speculative, motion].map(|share| share * size);
            let state_a = state(a, Pose::IDENTITY);
            let moved = |pose: Pose| state(b, pose);
            let skin = Skin::new(motion, [(&state_a, &infos[0]), (&moved(at), &infos[1])]);
            let list = CandidateList {
                at,
                margin,
                speculative,
                corner: 0.0,
                skin,
                node_tests: 0,
                candidates: 0,
                passes: 1,
            };
            let near = pair.near(margin, speculative, skin);
            let found = KINDS.map(|kind| found(kind, [a, b], &at, near));
            for _ in 0..6 {
                let most = motion / size * random.uniform();
                let turn = DQuat::from_axis_angle(random.rotation() * DVec3::X, 2.0 * most);
                let shift = 0.6 * (motion - most * size) * random.uniform() * (random.rotation() * DVec3::X);
                let now = place(turn * rotation, apart + shift);
                let margin = margin * (0.8 + 0.4 * random.uniform());
                pair.search.margin = margin;
                let state_b = moved(now);
                if !list.covers([margin, speculative, 0.0], [(&state_a, &infos[0]), (&state_b, &infos[1])]) {
                    missed += 1;
                    continue;
                }
                let touching = touching(&pair, [a, b], &now, speculative);
                for found in &found {
                    let lost: Vec<_> = touching.difference(found).collect();
                    assert!(lost.is_empty(), "{name_a}, {name_b} from {at:?} to {now:?}: lost {lost:?}");
                }
                (held, touched) = (held + 1, touched + touching.len());
            }
        }
    }
    assert!(held > 30 && missed > 10 && touched > 3_000, "{held} held, {missed} did not, {touched} touch");
}
