//! Collision of two bodies at one moment: the impulses that end their approach, with restitution and
//! friction.

use glam::{DMat3, DVec3};

use crate::arrays::MapEach;
use crate::body::BodyState;
use crate::contact::Push;

/// Number of rounds over the contacts. The contacts of one collision are few, and a later collision
/// removes the rest of the approach.
const ROUNDS: u32 = 24;

/// Contact at which two bodies collide, world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// m.
    pub point: DVec3,
    /// Unit normal from a to b.
    pub normal: DVec3,
    /// Normal impulse on b, N·s.
    pub normal_impulse: f64,
    /// Friction impulse on b, N·s.
    pub friction_impulse: DVec3,
}

impl Spot {
    pub fn new(point: DVec3, normal: DVec3) -> Self {
        Self { point, normal, normal_impulse: 0.0, friction_impulse: DVec3::ZERO }
    }

    fn impulse(&self) -> DVec3 {
        self.normal_impulse * self.normal + self.friction_impulse
    }
}

/// Coefficients of friction and restitution of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Material {
    pub friction: f64,
    pub restitution: f64,
}

/// Velocities of a body, and their response to impulses.
#[derive(Clone, Copy)]
struct Mover {
    center: DVec3,
    linear: DVec3,
    angular: DVec3,
    inverse_mass: f64,
    inverse_inertia: DMat3,
}

impl Mover {
    fn new(state: &BodyState) -> Self {
        let yields = state.is_dynamic() && state.is_awake();
        Self {
            center: state.world_center(),
            linear: state.linear_velocity,
            angular: state.angular_velocity,
            inverse_mass: if yields { state.inverse_mass } else { 0.0 },
            inverse_inertia: if yields { state.world_inverse_inertia() } else { DMat3::ZERO },
        }
    }

    fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.linear + self.angular.cross(point - self.center)
    }

    /// Returns the velocity along `direction` (unit) that an impulse of 1 N·s along it adds at a point,
    /// 1/kg.
    fn response(&self, point: DVec3, direction: DVec3) -> f64 {
        let lever = (point - self.center).cross(direction);
        self.inverse_mass + lever.dot(self.inverse_inertia * lever)
    }

    fn push(&mut self, point: DVec3, impulse: DVec3) {
        self.linear += self.inverse_mass * impulse;
        self.angular += self.inverse_inertia * (point - self.center).cross(impulse);
    }
}

/// Two bodies that collide, a first.
struct Colliding([Mover; 2]);

impl Colliding {
    /// Returns the velocity of b relative to a at a point, m/s.
    fn relative_velocity(&self, point: DVec3) -> DVec3 {
        self.0[1].velocity_at(point) - self.0[0].velocity_at(point)
    }

    fn response(&self, point: DVec3, direction: DVec3) -> f64 {
        self.0[0].response(point, direction) + self.0[1].response(point, direction)
    }

    /// Applies an impulse to b, and its opposite to a.
    fn push(&mut self, point: DVec3, impulse: DVec3) {
        self.0[0].push(point, -impulse);
        self.0[1].push(point, impulse);
    }

    /// Ends the approach at a spot, and the slip as far as friction can.
    fn solve(&mut self, spot: &mut Spot, friction: f64) {
        let Spot { point, normal, normal_impulse, friction_impulse } = *spot;
        let response = self.response(point, normal);
        if response <= 0.0 {
            return;
        }
        let speed = normal.dot(self.relative_velocity(point));
        spot.normal_impulse = (normal_impulse - speed / response).max(0.0);
        self.push(point, (spot.normal_impulse - normal_impulse) * normal);
        let velocity = self.relative_velocity(point);
        let slip = velocity - normal.dot(velocity) * normal;
        let slip_speed = slip.length();
        let wanted = if slip_speed > 0.0 {
            friction_impulse - slip / self.response(point, slip / slip_speed)
        } else {
            friction_impulse
        };
        spot.friction_impulse = wanted.clamp_length_max(friction * spot.normal_impulse);
        self.push(point, spot.friction_impulse - friction_impulse);
    }
}

/// Changes the velocities of two bodies so that they no longer approach at the given spots. Returns the
/// impulses; `None` if the bodies do not approach. The bodies never gain kinetic energy from each other.
///
/// The plastic impulses end the approach. Restitution multiplies them by up to 2, but by no more than
/// leaves the bodies their energy.
pub(super) fn collide(
    states: [&mut BodyState; 2],
    spots: &mut [Spot],
    Material { friction, restitution }: Material,
) -> Option<Push> {
    let before = Colliding([Mover::new(states[0]), Mover::new(states[1])]);
    let mut after = Colliding(before.0);
    for _ in 0..ROUNDS {
        for spot in &mut *spots {
            after.solve(spot, friction);
        }
    }
    // The kinetic energy changes by share · lost + share² / 2 · gained, as the impulses grow from 0 to
    // `share` of the plastic ones.
    let work = |velocities: &Colliding| {
        spots.iter().map(|spot| spot.impulse().dot(velocities.relative_velocity(spot.point))).sum::<f64>()
    };
    let lost = work(&before);
    let gained = work(&after) - lost;
    // NaN, from invalid bodies, gives no impulse.
    if !(lost < 0.0 && gained > 0.0) {
        return None;
    }
    let share = (1.0 + restitution).min(-2.0 * lost / gained);
    let mut push = Push { is_impact: true, ..Push::default() };
    let poses = [states[0].pose, states[1].pose];
    for (state, (old, new)) in states.into_iter().zip(before.0.iter().zip(&after.0)) {
        state.linear_velocity += share * (new.linear - old.linear);
        state.angular_velocity += share * (new.angular - old.angular);
    }
    for spot in spots {
        let normal = share * spot.normal_impulse;
        push.normal += normal;
        push.along += normal * spot.normal;
        push.friction += share * spot.friction_impulse;
        let [on_a, on_b] = poses.map_each(|pose| normal * pose.inverse_transform_point(spot.point));
        push.moments[0] += on_a;
        push.moments[1] += on_b;
    }
    Some(push)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Activity, Motion};
    use crate::pose::Pose;
    use crate::random::Random;

    fn state(random: &mut Random, mass: f64) -> BodyState {
        let mut vector = || DVec3::from_array([(); 3].map(|()| random.signed()));
        let (position, linear_velocity, angular_velocity, center) = (vector(), vector(), vector(), vector());
        let moments = mass * (vector().abs() + 0.1);
        BodyState {
            pose: Pose::new(random.rotation(), position),
            linear_velocity,
            angular_velocity,
            inverse_mass: mass.recip(),
            center,
            inertia: DMat3::from_diagonal(moments),
            inverse_inertia: DMat3::from_diagonal(moments.recip()),
            gravity_factor: 1.0,
            motion: Motion::Dynamic,
            activity: Activity::Awake { slow_for: 0.0 },
        }
    }

    /// Returns the momentum, the angular momentum about the origin, and the kinetic energy of a body.
    fn sums(state: &BodyState) -> (DVec3, DVec3, f64) {
        let momentum = state.linear_velocity / state.inverse_mass;
        let rotation = state.pose.rotation;
        let spin = rotation * (state.inertia * (rotation.conjugate() * state.angular_velocity));
        let energy = 0.5 * (momentum.dot(state.linear_velocity) + spin.dot(state.angular_velocity));
        (momentum, spin + state.world_center().cross(momentum), energy)
    }

    #[test]
    fn collisions_keep_momentum_and_never_give_energy() {
        let (mut random, mut count) = (Random::new(3, 0), 0);
        for _ in 0..1000 {
            let mut two = [1.0, 10.0_f64.powf(3.0 * random.signed())].map(|mass| state(&mut random, mass));
            let before = two.each_ref().map(sums);
            let mut spots: Vec<Spot> = (0..3)
                .map(|_| {
                    let point = DVec3::from_array([(); 3].map(|()| random.signed()));
                    Spot::new(point, random.rotation() * DVec3::X)
                })
                .collect();
            let material = Material { friction: random.uniform(), restitution: random.uniform() };
            let [a, b] = &mut two;
            let Some(push) = collide([a, b], &mut spots, material) else { continue };
            count += 1;
            let after = two.each_ref().map(sums);
            let scale = 1.0 + push.normal * 10.0;
            assert!((before[0].0 + before[1].0 - after[0].0 - after[1].0).length() < 1e-9 * scale);
            assert!((before[0].1 + before[1].1 - after[0].1 - after[1].1).length() < 1e-9 * scale);
            let [old, new] = [before, after].map(|both| both[0].2 + both[1].2);
            assert!(new <= old * (1.0 + 1e-9), "{old} J to {new} J");
        }
        assert!(count > 500, "{count}");
    }

    /// Drops a ball on a static body: it leaves at the speed that its restitution says.
    #[test]
    fn a_ball_that_meets_the_ground_bounces_by_its_restitution() {
        for restitution in [0.0, 0.5, 1.0] {
            let mut random = Random::new(1, 0);
            let [mut ground, mut ball] = [(); 2].map(|()| state(&mut random, 2.0));
            (ground.inverse_mass, ground.inverse_inertia, ground.motion) = (0.0, DMat3::ZERO, Motion::Static);
            (ground.linear_velocity, ground.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
            (ball.linear_velocity, ball.angular_velocity) = (DVec3::new(0.0, -3.0, 0.0), DVec3::ZERO);
            let mut spots = [Spot::new(ball.world_center() - DVec3::Y, DVec3::Y)];
            let push = collide([&mut ground, &mut ball], &mut spots, Material { friction: 0.5, restitution });
            assert!((ball.linear_velocity - 3.0 * restitution * DVec3::Y).length() < 1e-12, "{restitution}");
            assert!((push.unwrap().normal - 6.0 * (1.0 + restitution)).abs() < 1e-12);
            let again =
                collide([&mut ground, &mut ball], &mut spots, Material { friction: 0.5, restitution });
            assert!(again.is_none(), "they no longer approach");
        }
    }
}
