//! Solver's own copy of a body: all data that rows use in every sub-step, in world space and
//! contiguous.

use glam::{DMat3, DQuat, DVec3};

use super::integrate;
use crate::body::{Activity, BodyState, Motion};
use crate::pose::Pose;

/// Relative tolerance of the fastest spin, so that a spin just cut does not exceed it by rounding.
const ROUNDING: f64 = 1e-9;

/// Solver's copy of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    pub linear: DVec3,
    pub angular: DVec3,
    /// Inverse mass, 1/kg; zero for bodies that no impulse moves (static, kinematic, sleeping or
    /// invalid).
    pub inverse_mass: f64,
    /// Inverse inertia about the center of mass, world axes, 1/(kg·m²).
    pub inverse_inertia: DMat3,
    /// Center of mass, world, m.
    pub center: DVec3,
    pub rotation: DQuat,
    /// Center of mass, body space, m.
    local_center: DVec3,
    /// Largest speed that the body may reach, m/s.
    speed_limit: f64,
    /// Factor of gravity on this body.
    pub gravity_factor: f64,
    advances: bool,
    /// Index of the body or compound with which this body moves: its own, unless it is welded. Rows act on
    /// that body.
    pub moves_as: usize,
    /// True if the body is valid: not quarantined, and with a finite state. Joints and contacts ignore
    /// invalid bodies.
    pub is_present: bool,
}

impl Moving {
    /// The world as a body, for joints to the world.
    pub const WORLD: Self = Self {
        linear: DVec3::ZERO,
        angular: DVec3::ZERO,
        inverse_mass: 0.0,
        inverse_inertia: DMat3::ZERO,
        center: DVec3::ZERO,
        rotation: DQuat::IDENTITY,
        local_center: DVec3::ZERO,
        speed_limit: f64::INFINITY,
        gravity_factor: 0.0,
        advances: false,
        moves_as: usize::MAX,
        is_present: true,
    };

    /// Makes the copy of a body at the start of a pass. Static, kinematic, sleeping and invalid bodies
    /// get the inverse mass 0. `index`: index of the body.
    pub fn new(index: usize, state: &BodyState) -> Self {
        let is_present = state.is_finite() && state.activity != Activity::Quarantined;
        let responds = is_present && state.is_dynamic() && state.is_awake();
        let advances = responds || (is_present && state.motion == Motion::Kinematic && state.is_awake());
        Self {
            linear: if advances { state.linear_velocity } else { DVec3::ZERO },
            angular: if advances { state.angular_velocity } else { DVec3::ZERO },
            inverse_mass: if responds { state.inverse_mass } else { 0.0 },
            inverse_inertia: if responds { state.world_inverse_inertia() } else { DMat3::ZERO },
            center: state.world_center(),
            rotation: state.pose.rotation,
            local_center: state.center,
            speed_limit: f64::INFINITY,
            gravity_factor: if responds { state.gravity_factor } else { 0.0 },
            advances,
            moves_as: index,
            is_present,
        }
    }

    /// Returns a compound at rest in its own axes, of this body and others with the same factor of gravity.
    /// `index`: its index. `center`: its center of mass, world, m. `velocities`: m/s and rad/s.
    pub fn compound(
        &self,
        index: usize,
        center: DVec3,
        velocities: [DVec3; 2],
        (inverse_mass, inverse_inertia): (f64, DMat3),
    ) -> Self {
        let [linear, angular] = velocities;
        let (rotation, local_center, moves_as) = (DQuat::IDENTITY, DVec3::ZERO, index);
        Self {
            linear,
            angular,
            inverse_mass,
            inverse_inertia,
            center,
            rotation,
            local_center,
            moves_as,
            ..*self
        }
    }

    /// Makes the body follow another. `inverse_mass`: that of the leader, 1/kg.
    pub fn follow(&mut self, leader: usize, inverse_mass: f64) {
        self.moves_as = leader;
        self.inverse_mass = inverse_mass;
        self.gravity_factor = 0.0;
        self.advances = true;
    }

    /// Returns whether the body is a moving kinematic body: it advances, and impulses do not change its
    /// velocity.
    pub fn is_driven(&self) -> bool {
        self.advances && self.inverse_mass == 0.0
    }

    /// Returns the acceleration of this body by gravity, m/s².
    pub fn acceleration(&self, gravity: DVec3) -> DVec3 {
        if self.inverse_mass > 0.0 { self.gravity_factor * gravity } else { DVec3::ZERO }
    }

    pub fn accelerate(&mut self, gravity: DVec3, h: f64) {
        self.linear += h * self.acceleration(gravity);
    }

    /// Limits the speed of a body that touches a kinematic body. The kinematic body may squeeze it
    /// against a wall (or another kinematic body) with any force. When the squeeze ends, this force
    /// must not become speed. The limit is twice `driver` (the speed of the kinematic body, m/s) or the
    /// body's own speed, whichever is larger, plus `slack` (m/s). `radius` in m.
    pub fn limit_speed(&mut self, driver: f64, radius: f64, slack: f64) {
        let own = self.linear.length().max(self.angular.length() * radius);
        let limit = own.max(2.0 * driver) + slack;
        if self.inverse_mass > 0.0 {
            self.speed_limit = if self.speed_limit.is_finite() { self.speed_limit.max(limit) } else { limit };
        }
    }

    /// Cuts the speeds above the limit. `radius` in m.
    pub fn keep_to_limit(&mut self, radius: f64) {
        if self.speed_limit.is_finite() {
            self.linear = self.linear.clamp_length_max(self.speed_limit);
            self.angular = self.angular.clamp_length_max(self.speed_limit / radius.max(1e-9));
        }
    }

    /// Returns the velocity of the center, m/s, and the angular velocity, rad/s.
    pub fn velocities(&self) -> [DVec3; 2] {
        [self.linear, self.angular]
    }

    /// Returns the magnitude of the change of the body's velocity since the given velocities, m/s, at
    /// the body's radius of gyration.
    pub fn change_since(&self, [linear, angular]: [DVec3; 2]) -> f64 {
        let turn = (self.angular - angular).length_squared();
        let gyration_squared = self.inverse_mass * self.mean_inertia();
        ((self.linear - linear).length_squared() + gyration_squared * turn).sqrt()
    }

    /// Returns the speed that an impulse `push` (N·s) and an angular impulse `twist` (N·m·s) give, m/s,
    /// at the radius of gyration.
    pub fn velocity_of(&self, push: f64, twist: f64) -> f64 {
        let gyration = (self.inverse_mass * self.mean_inertia()).sqrt();
        self.inverse_mass * (push + if gyration > 0.0 { twist / gyration } else { 0.0 })
    }

    /// Returns the mean moment of inertia, kg·m²; zero for bodies that no impulse rotates.
    pub fn mean_inertia(&self) -> f64 {
        let yields =
            self.inverse_inertia.x_axis.x + self.inverse_inertia.y_axis.y + self.inverse_inertia.z_axis.z;
        if yields > 0.0 { 3.0 / yields } else { 0.0 }
    }

    /// Advances center and rotation by `h` seconds. If the spin is too fast to be integrated, cuts it
    /// and returns its value before the cut (rad/s). `inertia`: inertia and its inverse about the center of
    /// mass, own axes.
    pub fn advance(&mut self, [inertia, inverse]: &[DMat3; 2], radius: f64, h: f64) -> Option<f64> {
        if !self.advances {
            return None;
        }
        self.keep_to_limit(radius);
        self.center += h * self.linear;
        if self.inverse_mass > 0.0 && *inverse != DMat3::ZERO {
            let (spin, most) = (length(self.angular), integrate::fastest_spin(h));
            let is_cut = spin > most * (1.0 + ROUNDING);
            if is_cut {
                self.angular *= most / spin;
            }
            let (rotation, angular) = integrate::rotate(self.rotation, self.angular, inertia, inverse, h);
            (self.rotation, self.angular) = (rotation, angular);
            self.reset_inertia(inverse);
            return is_cut.then_some(spin);
        }
        self.rotation = integrate::turned(self.rotation, self.angular, h);
        None
    }

    /// Computes the inverse inertia for the present rotation. `inverse`: that in own axes, 1/(kg·m²).
    pub fn reset_inertia(&mut self, inverse: &DMat3) {
        if self.inverse_mass > 0.0 {
            let m = DMat3::from_quat(self.rotation);
            self.inverse_inertia = m * *inverse * m.transpose();
        }
    }

    /// Returns the body as it will be after `h` seconds, without limits of its speeds. `inertia`: inertia
    /// and its inverse about the center of mass, body axes.
    pub fn ahead(&self, [inertia, inverse]: &[DMat3; 2], h: f64) -> Self {
        let mut ahead = *self;
        if self.advances {
            ahead.center += h * self.linear;
            ahead.rotation = if self.inverse_mass > 0.0 && *inverse != DMat3::ZERO {
                integrate::rotate(self.rotation, self.angular, inertia, inverse, h).0
            } else {
                integrate::turned(self.rotation, self.angular, h)
            };
        }
        ahead
    }

    /// Writes the result of the sub-steps to the body's state.
    pub fn store(&self, state: &mut BodyState) {
        if self.advances {
            state.pose = Pose::new(self.rotation, self.center - self.rotation * state.center);
            state.linear_velocity = self.linear;
            state.angular_velocity = self.angular;
        }
    }

    /// Returns the velocity of a point, m/s. `arm`: vector from the center of mass to the point, world
    /// axes.
    pub fn velocity_at(&self, arm: DVec3) -> DVec3 {
        self.linear + self.angular.cross(arm)
    }

    /// Applies an impulse (N·s) at the end of `arm`, the vector from the center of mass, world axes.
    pub fn push(&mut self, impulse: DVec3, arm: DVec3) {
        self.linear += self.inverse_mass * impulse;
        self.angular += self.inverse_inertia * arm.cross(impulse);
    }

    /// Applies an angular impulse, N·m·s.
    pub fn twist(&mut self, impulse: DVec3) {
        self.angular += self.inverse_inertia * impulse;
    }

    /// Returns the present world position of a point fixed to the body. `arm`: vector from the center
    /// of mass to the point, body axes.
    pub fn carry(&self, arm: DVec3) -> DVec3 {
        self.center + self.rotation * arm
    }

    /// Returns the present pose of the body's space.
    pub fn pose(&self) -> Pose {
        Pose::new(self.rotation, self.center - self.rotation * self.local_center)
    }

    /// Returns the present world position of a point given in body space.
    pub fn carry_point(&self, point: DVec3) -> DVec3 {
        self.carry(point - self.local_center)
    }

    /// Returns the response at the end of `arm` along a unit direction, 1/kg.
    pub fn response(&self, arm: DVec3, direction: DVec3) -> f64 {
        let lever = arm.cross(direction);
        self.inverse_mass + lever.dot(self.inverse_inertia * lever)
    }

    /// Returns the sum of the responses at the end of `arm` along three perpendicular axes, 1/kg.
    pub fn sum_of_responses(&self, arm: DVec3) -> f64 {
        let yields = &self.inverse_inertia;
        let trace = yields.x_axis.x + yields.y_axis.y + yields.z_axis.z;
        3.0 * self.inverse_mass + arm.length_squared() * trace - arm.dot(*yields * arm)
    }

    /// Returns the matrix from an impulse at the end of `arm` to the velocity that it adds at this
    /// point, 1/kg.
    pub fn responses(&self, arm: DVec3) -> DMat3 {
        let s = skew(arm);
        DMat3::from_diagonal(DVec3::splat(self.inverse_mass)) - s * self.inverse_inertia * s
    }
}

/// Returns the length of a vector, even if its square overflows.
fn length(v: DVec3) -> f64 {
    let length = v.length();
    let most = v.abs().max_element();
    if length.is_finite() || most.is_infinite() { length } else { most * (v / most).length() }
}

/// Returns the matrix M with M · x = `v` × x.
pub(super) fn skew(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

/// Returns mutable references to two different bodies.
pub(super) fn two(moving: &mut [Moving], a: usize, b: usize) -> [&mut Moving; 2] {
    debug_assert!(a != b);
    if a < b {
        let (low, high) = moving.split_at_mut(b);
        [&mut low[a], &mut high[0]]
    } else {
        let (low, high) = moving.split_at_mut(a);
        [&mut high[0], &mut low[b]]
    }
}
