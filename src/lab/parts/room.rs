//! Instances of one mesh that fly in a cubic room and pass through each other. \[simplify\] §6
//!
//! The paper states the share of the room that the topmost volumes would fill. This share determines
//! the rooms for files; `matched.rs` determines the rooms for the paper's models. The paper states
//! neither speeds nor the behavior at walls. Here each instance moves by 1 % of the room's side and
//! rotates by 5 degrees per step, and is reflected when its center reaches a wall. For one seed, the
//! motion is equal on every platform.

use glam::{DQuat, DVec3};

use crate::pose::Pose;
use crate::random::Random;
use crate::volume::Aabb;

/// Density of the room: the share that instances fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Density {
    Sparse,
    Normal,
    Dense,
}

impl Density {
    pub const ALL: [Self; 3] = [Self::Sparse, Self::Normal, Self::Dense];

    pub fn name(self) -> &'static str {
        match self {
            Self::Sparse => "sparse",
            Self::Normal => "normal",
            Self::Dense => "dense",
        }
    }

    /// Returns the total topmost volume of all instances, as a share of the room's volume; from the
    /// paper.
    pub fn share(self) -> f64 {
        match self {
            Self::Sparse => 0.25,
            Self::Normal => 0.5,
            Self::Dense => 1.0,
        }
    }

    /// Returns the side of the room, m, for `instance_count` instances whose topmost volume is
    /// `volume`, m³.
    pub fn side(self, instance_count: usize, volume: f64) -> f64 {
        libm::cbrt(instance_count as f64 * volume / self.share())
    }
}

/// Distance that an instance moves per step, as a share of the room's side.
const SPEED: f64 = 0.01;
/// Rotation of an instance per step, rad.
const TURN: f64 = 5.0 * std::f64::consts::PI / 180.0;

/// Cubic room from the origin to `side` along each axis, with the instances in it.
#[derive(Clone, Debug)]
pub struct Room {
    side: f64,
    /// Bounds of the mesh in body space.
    bounds: Aabb,
    instances: Vec<Instance>,
}

#[derive(Clone, Copy, Debug)]
struct Instance {
    /// Center of the mesh's bounds in the room, m.
    position: DVec3,
    /// Velocity, m per step.
    velocity: DVec3,
    rotation: DQuat,
    /// Rotation per step.
    turn: DQuat,
}

impl Room {
    /// Creates a room with random positions, rotations, directions of flight and axes of rotation.
    pub fn new(bounds: Aabb, instance_count: usize, side: f64, seed: u64) -> Self {
        let mut random = Random::new(seed, 0);
        let instance = |_| {
            let position = side * DVec3::new(random.uniform(), random.uniform(), random.uniform());
            let velocity = SPEED * side * direction(&mut random);
            let rotation = random.rotation();
            let (sin, cos) = libm::sincos(0.5 * TURN);
            let axis = sin * direction(&mut random);
            Instance { position, velocity, rotation, turn: DQuat::from_xyzw(axis.x, axis.y, axis.z, cos) }
        };
        Self { side, bounds, instances: (0..instance_count).map(instance).collect() }
    }

    pub fn step(&mut self) {
        for instance in &mut self.instances {
            instance.position += instance.velocity;
            for axis in 0..3 {
                let (at, speed) = (&mut instance.position[axis], &mut instance.velocity[axis]);
                if *at < 0.0 {
                    (*at, *speed) = (-*at, speed.abs());
                } else if *at > self.side {
                    (*at, *speed) = (2.0 * self.side - *at, -speed.abs());
                }
            }
            instance.rotation = (instance.turn * instance.rotation).normalize();
        }
    }

    /// Returns the poses of the instances, body space to room.
    pub fn poses(&self) -> impl Iterator<Item = Pose> {
        let middle = self.bounds.center().as_dvec3();
        self.instances.iter().map(move |i| Pose::new(i.rotation, i.position - i.rotation * middle))
    }

    /// Returns the bounds of the instances in the room.
    pub fn boxes(&self) -> impl Iterator<Item = Aabb> {
        self.poses().map(|pose| self.bounds.transformed(&pose))
    }
}

/// Returns a random direction, uniform over the sphere.
fn direction(random: &mut Random) -> DVec3 {
    loop {
        let v = DVec3::new(random.signed(), random.signed(), random.signed());
        if (0.01..=1.0).contains(&v.length_squared()) {
            return v.normalize();
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    fn world(seed: u64) -> Room {
        Room::new(Aabb::new(Vec3::new(4.0, -1.0, 0.0), Vec3::new(6.0, 1.0, 1.0)), 40, 7.0, seed)
    }

    #[test]
    fn the_middles_of_instances_stay_inside_and_they_keep_moving_and_turning() {
        let mut world = world(1);
        let middle = DVec3::new(5.0, 0.0, 0.5);
        let mut wall_count = 0;
        for _ in 0..500 {
            let before = world.clone();
            world.step();
            let moves = before.poses().zip(world.poses()).zip(before.instances.iter().zip(&world.instances));
            for ((old, new), (i, j)) in moves {
                let at = new.transform_point(middle);
                assert!(
                    at.cmpge(DVec3::splat(-1e-9)).all() && at.cmple(DVec3::splat(7.0 + 1e-9)).all(),
                    "{at}"
                );
                assert!((j.velocity.length() - 0.07).abs() < 1e-12);
                if i.velocity == j.velocity {
                    assert!((at.distance(old.transform_point(middle)) - 0.07).abs() < 1e-12);
                } else {
                    wall_count += 1;
                }
                let turned = libm::acos(old.rotation.dot(new.rotation).abs().min(1.0));
                assert!((2.0 * turned - TURN).abs() < 1e-6);
            }
        }
        assert!(wall_count > 100, "{wall_count}");
    }

    #[test]
    fn a_seed_is_one_world_and_another_is_another() {
        let [mut a, mut b, mut c] = [world(1), world(1), world(2)];
        (0..50).for_each(|_| [&mut a, &mut b, &mut c].into_iter().for_each(Room::step));
        assert_eq!(a.poses().collect::<Vec<_>>(), b.poses().collect::<Vec<_>>());
        assert!(a.poses().zip(c.poses()).all(|(a, c)| a != c));
        assert_eq!(a.boxes().count(), 40);
    }

    #[test]
    fn the_room_is_as_large_as_the_density_says() {
        for (density, volume) in Density::ALL.into_iter().zip([400.0, 200.0, 100.0]) {
            let side = density.side(25, 4.0);
            assert!((side * side * side - volume).abs() < 1e-9, "{}", density.name());
        }
        let mut nowhere = Room::new(Aabb::new(Vec3::ZERO, Vec3::ZERO), 3, 0.0, 1);
        nowhere.step();
        assert!(nowhere.poses().all(|pose| pose.position == DVec3::ZERO));
    }
}
