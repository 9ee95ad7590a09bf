//! Tests of the bounds of relative motion: bodies move by at most the bound computed before.

use glam::{DQuat, DVec3, Vec3};

use super::candidate_list::state;
use super::{info, mesh};
use crate::contact::motion::{MovingBall, greatest_motion, greatest_speed};
use crate::contact::pair::PairContacts;
use crate::contact::point::PairRule;
use crate::contact::settings::Ahead;
use crate::generate;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::random::Random;

/// Returns a random vector of length up to `most`.
fn vector(random: &mut Random, most: f64) -> DVec3 {
    most * random.uniform() * (random.rotation() * DVec3::X)
}

/// Returns a block, and a plate that is smaller.
fn block_and_plate() -> [Mesh; 2] {
    [([0.5, 0.3, 0.4], 0.2), ([0.2, 0.02, 0.1], 0.1)]
        .map(|(size, edge)| mesh(&generate::cuboid(Vec3::from(size), edge)))
}

#[test]
fn greatest_speed_bounds_the_motion_of_the_smaller_body() {
    let meshes = block_and_plate();
    let infos = [&meshes[0], &meshes[1]].map(info);
    // The bodies are so near each other that the whole smaller body stays within reach of the larger
    // one. Elsewhere they cannot touch, and the bound does not apply.
    let (mut random, dt, parts) = (Random::new(5, 0), 1.0 / 60.0, 64);
    let mut tight = 0;
    for _ in 0..400 {
        let [mut a, mut b] = [&meshes[0], &meshes[1]].map(|m| {
            let mut body = state(m, Pose::new(random.rotation(), vector(&mut random, 0.07)));
            body.linear_velocity = vector(&mut random, 2.0);
            body.angular_velocity = vector(&mut random, 20.0);
            body
        });
        let bound =
            dt * greatest_speed([MovingBall::of((&a, &infos[0])), MovingBall::of((&b, &infos[1]))], dt);
        let before = b.pose.relative_to(&a.pose);
        let place = |to_a: &Pose| -> Vec<DVec3> {
            meshes[1].vertices().iter().map(|v| to_a.transform_point(v.as_dvec3())).collect()
        };
        let mut places = place(&before);
        let mut ways = vec![0.0; places.len()];
        for _ in 0..parts {
            let h = dt / f64::from(parts);
            for body in [&mut a, &mut b] {
                let turn = DQuat::from_scaled_axis(h * body.angular_velocity);
                body.pose =
                    Pose::new(turn * body.pose.rotation, body.pose.position + h * body.linear_velocity);
            }
            let next = place(&b.pose.relative_to(&a.pose));
            for ((way, place), next) in ways.iter_mut().zip(&places).zip(&next) {
                *way += place.distance(*next);
            }
            places = next;
        }
        let longest = ways.into_iter().fold(0.0, f64::max);
        assert!(longest <= bound * (1.0 + 1e-6), "{longest} of at most {bound}");
        tight += u32::from(longest > 0.6 * bound);
    }
    assert!(tight > 40, "{tight} of 400 go most of the way");
}

/// Tests a thin part that topples: a small motion is enough for other vertices to become the lowest.
#[test]
fn contacts_are_carried_along_until_bodies_have_turned_or_come_nearer_than_was_foreseen() {
    let meshes = block_and_plate();
    let infos = [&meshes[0], &meshes[1]].map(info);
    let mut pair = PairContacts::default();
    pair.start(0, 1, PairRule::Collide, [&infos[0], &infos[1]]);
    let a = state(&meshes[0], Pose::IDENTITY);
    let at = |turn: f64, fall: f64, speed: f64| {
        let pose = Pose::new(DQuat::from_rotation_x(turn), DVec3::new(0.0, 0.2 - fall, 0.0));
        let mut body = state(&meshes[1], pose);
        body.linear_velocity = DVec3::new(0.0, -speed, 0.0);
        body
    };
    let ahead = Ahead { dt: 0.001, gravity: DVec3::ZERO };
    let foresees = |pair: &PairContacts, b| pair.foresees([(&a, &infos[0]), (&b, &infos[1])], ahead);
    assert!(!foresees(&pair, at(0.0, 0.0, 0.0)), "nothing was found yet");
    let foreseen = pair.settings.speculative + 0.002;
    pair.mark_found(at(0.0, 0.0, 0.0).pose, foreseen);
    assert!(foresees(&pair, at(0.0, 0.0, 1.9)) && !foresees(&pair, at(0.0, 0.0, 2.1)));
    assert!(foresees(&pair, at(0.0, 0.0015, 0.4)) && !foresees(&pair, at(0.0, 0.0015, 0.6)));
    pair.mark_found(at(0.0, 0.0, 0.0).pose, 1.0);
    let small = greatest_motion(
        &at(0.0, 0.0, 0.0).pose,
        &at(0.02, 0.0, 0.0).pose,
        [(&a, &infos[0]), (&at(0.02, 0.0, 0.0), &infos[1])],
    );
    assert!(small < pair.settings.travel, "{small} of {}", pair.settings.travel);
    assert!(foresees(&pair, at(0.02, 0.0, 0.0)) && !foresees(&pair, at(0.04, 0.0, 0.0)));
}
