//! Discrete oriented polytope of K planes, tested along the planes of both bodies.
//!
//! The bound of a rotated DOP is loose, especially around flat surfaces parallel to its own planes, as
//! in CAD models. Along its own planes a DOP is tight. So each DOP is also bounded along the planes of
//! the other body, and two DOPs are apart if a plane of either body separates them. Each node and each
//! pair costs twice the work of [`Dop`], but CAD models need only a small fraction of its node tests.

use glam::{DVec3, Vec3};

use super::dop::{Corner, Dop, DopFrames};
use super::{Aabb, Meets, Operations, Transit, Volume};

/// [`Dop`] with the two-sided test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DopBoth<const K: usize>(Dop<K>);

const _: () = assert!(size_of::<DopBoth<24>>() == 96);

/// DOP of a node along the planes of its own body, and its bound along the planes of the other body.
#[derive(Clone, Copy, Debug)]
pub struct Seen<const K: usize> {
    own: Dop<K>,
    other: Dop<K>,
}

impl<const K: usize> Volume for DopBoth<K> {
    type Choice = ();
    type Shared = Vec<Corner>;
    /// Data for bounds of b along the planes of a, and of a along the planes of b.
    type Frames = [DopFrames<K>; 2];
    type A = Seen<K>;
    type B = Seen<K>;
    const CARRY_A: Operations = <Dop<K> as Volume>::CARRY_B;
    const CARRY_B: Operations = <Dop<K> as Volume>::CARRY_B;
    const OVERLAP: Operations = Operations::new(0, 0, 2 * K as u64);

    fn shared((): ()) -> Vec<Corner> {
        Dop::<K>::shared(())
    }

    fn fit(triangles: &[[Vec3; 3]], shared: &Vec<Corner>) -> Self {
        Self(Dop::fit(triangles, shared))
    }

    fn contains(&self, point: Vec3, shared: &Vec<Corner>) -> bool {
        self.0.contains(point, shared)
    }

    fn bounds(&self) -> Aabb {
        self.0.bounds()
    }

    fn volume(&self) -> f64 {
        self.0.volume()
    }

    fn frames(transit: &Transit, shared: &Vec<Corner>) -> [DopFrames<K>; 2] {
        let rotation = transit.rotation.transpose();
        let back = Transit { rotation, translation: -(rotation * transit.translation), ..*transit };
        [Dop::frames(transit, shared), Dop::frames(&back, shared)]
    }

    fn carry_a(&self, [_, to_b]: &[DopFrames<K>; 2]) -> Seen<K> {
        Seen { own: self.0, other: self.0.carry_b(to_b) }
    }

    fn carry_b(&self, [to_a, _]: &[DopFrames<K>; 2]) -> Seen<K> {
        Seen { own: self.0, other: self.0.carry_b(to_a) }
    }

    fn overlap(a: &Seen<K>, b: &Seen<K>, [to_a, to_b]: &[DopFrames<K>; 2]) -> bool {
        Dop::overlap(&a.own, &b.other, to_a) && Dop::overlap(&b.own, &a.other, to_b)
    }

    fn depth(a: &Seen<K>, b: &Seen<K>, [to_a, to_b]: &[DopFrames<K>; 2]) -> f32 {
        Dop::depth(&a.own, &b.other, to_a).min(Dop::depth(&b.own, &a.other, to_b))
    }
}

impl<const K: usize> Meets for DopBoth<K> {
    fn meets(&self, segment: [DVec3; 2]) -> bool {
        self.0.meets(segment)
    }
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DQuat};

    use super::*;

    /// Moves a small plate (a) away from the middle of a large one (b) that is rotated against it. They
    /// are apart along the normal of b, which is none of a's directions.
    #[test]
    fn plates_that_are_apart_along_the_planes_of_b_alone_are_told_apart() {
        let [x, y] = [4.0 * Vec3::X, 4.0 * Vec3::Y];
        let large = [[-x - y, x - y, x + y], [-x - y, x + y, y - x]];
        let small = large.map(|t| t.map(|v| 0.1 * v));
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.4, 0.3, 0.2);
        let rotation = DMat3::from_quat(turn);
        let (mut one_way, mut both_ways) = (0, 0);
        for step in 1..40 {
            let translation = -(rotation * DVec3::Z) * 0.05 * f64::from(step);
            let transit = Transit { rotation, translation, growth: 1e-6 };
            let shared = Dop::<24>::shared(());
            let frames = Dop::frames(&transit, &shared);
            let [a, b] = [small, large].map(|plate| Dop::<24>::fit(&plate, &shared));
            one_way += u32::from(!Dop::overlap(&a, &b.carry_b(&frames), &frames));
            let frames = DopBoth::frames(&transit, &shared);
            let [a, b] = [small, large].map(|plate| DopBoth::<24>::fit(&plate, &shared));
            both_ways += u32::from(!DopBoth::overlap(&a.carry_a(&frames), &b.carry_b(&frames), &frames));
        }
        assert!(both_ways > one_way + 10 && both_ways < 39, "{one_way}, {both_ways} of 39");
    }
}
