//! Edges that cross near their ends, where an edge pair stops counting and a corner takes over.

use glam::{DQuat, DVec3, Vec3};

use super::{Tally, mesh};
use crate::contact::features::EDGE_END;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::random::Random;

/// Builds a tetrahedron whose first edge is about a meter long, and returns its center too.
fn tetrahedron(random: &mut Random) -> (Mesh, DVec3) {
    let mut corner = |about: Vec3| about + 0.2 * (random.rotation() * DVec3::X).as_vec3();
    let corners =
        [Vec3::X, -Vec3::X, Vec3::new(0.0, 0.8, 0.8), Vec3::new(0.0, 0.8, -0.8)].map(|c| corner(0.5 * c));
    let middle = corners.iter().sum::<Vec3>().as_dvec3() / 4.0;
    (mesh(&(corners.to_vec(), vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]])), middle)
}

#[test]
fn edges_that_cross_near_their_ends_are_not_sieved_out() {
    let mut random = Random::new(21, 0);
    let mut tally = Tally::default();
    let mut rounds = 0;
    while rounds < 4_000 {
        let [(a, middle_a), (b, middle_b)] = [tetrahedron(&mut random), tetrahedron(&mut random)];
        // At either end, most often within three times the limit beyond it.
        let mut place = || {
            let end = f64::from(random.uniform() < 0.5);
            end + EDGE_END * [3.0, 30.0][usize::from(random.uniform() < 0.3)] * random.signed()
        };
        let (at_a, at_b) = (place(), place());
        let point = |m: &Mesh, at: f64| {
            let [from, to] = [0, 1].map(|v: usize| m.vertices()[v].as_dvec3());
            (from.lerp(to, at), (to - from).normalize())
        };
        let (on_a, along_a) = point(&a, at_a);
        let (on_b, along_b) = point(&b, at_b);
        // Flipped upside down, and rotated about the direction between them.
        let turn = DQuat::from_rotation_z(std::f64::consts::PI)
            * DQuat::from_rotation_y(3.0 * random.signed())
            * DQuat::from_axis_angle(random.rotation() * DVec3::X, 0.4 * random.uniform());
        let across = along_a.cross(turn * along_b).normalize();
        let across = if across.dot(on_a - middle_a) < 0.0 { -across } else { across };
        if across.dot(turn * (middle_b - on_b)) < 0.0 || along_a.cross(turn * along_b).length() < 0.1 {
            continue;
        }
        let gap = if random.uniform() < 0.5 { 0.02 * random.uniform() } else { -0.05 * random.uniform() };
        let pose = Pose::new(turn, on_a + gap * across - turn * on_b);
        // Hierarchies test normal cones once the margin is wide beside the children.
        let margin = [0.06, 0.4][usize::from(random.uniform() < 0.5)];
        tally.compare("wedges", [&a, &b], &pose, [margin, 0.02]);
        rounds += 1;
    }
    assert!(tally.touching > 5_000, "{} of {} touch, {} are kept", tally.touching, tally.all, tally.kept);
}
