//! Contacts as constraints: a one-sided normal row, and Coulomb friction in the tangent plane.
//!
//! A soft constraint pushes overlap out. The velocity that this adds is removed by a second, rigid pass
//! over the rows (relax). Friction acts in that pass only: friction against the pushing velocities
//! makes leaning bodies walk.

use glam::DVec3;

use super::moving::{Moving, two};
use super::rolling::Resistance;
use super::settings::{Softness, SolverSettings};
use super::speeds::Speeds;
use crate::contact::{PairContacts, Push, Round};

/// Angle (rad) that bodies turn in a sub-step from which on effective masses are computed again at its
/// end.
const FAST_TURN: f64 = 0.05;
/// Angle (rad) from which on the last impulses are dropped. A smaller value restarts fast rolling
/// bodies.
const TUMBLES: f64 = 0.5;

/// The constraint of one contact during a pass.
pub(super) struct ContactRow {
    pub a: usize,
    pub b: usize,
    /// Indices of the pair and of the contact in it.
    place: (usize, usize),
    pub normal: DVec3,
    /// Contact point from the center of each body, world axes, m.
    pub arm_a: DVec3,
    pub arm_b: DVec3,
    /// Curvature of the surface at the vertex, and whether the vertex belongs to b.
    round: Round,
    rolls_b: bool,
    /// Arms at the start of the pass, in body axes.
    local_a: DVec3,
    local_b: DVec3,
    /// Constant term of the separation: separation = offset + normal · (point of b − point of a), m.
    offset: f64,
    /// Present separation of the bodies, m.
    separation: f64,
    /// Arms crossed with the normal, m, and the angular velocity that an impulse of 1 N·s along the
    /// normal adds, rad/s.
    lever_a: DVec3,
    lever_b: DVec3,
    turn_a: DVec3,
    turn_b: DVec3,
    slop: f64,
    /// Effective mass along the normal, kg.
    pub normal_mass: f64,
    /// Effective mass in every tangential direction.
    tangent_mass: f64,
    softness: Softness,
    friction: f64,
    pub restitution: f64,
    /// Normal velocity with which the bodies met, m/s; negative when approaching.
    pub approach: f64,
    /// Passes since the contact was first found; 0 for one that the last search did not find.
    age: u32,
    /// Whether it bears a load; it then gives back little of its impulse.
    holds: bool,
    pub normal_impulse: f64,
    /// Half the normal impulse at the start of the sub-step.
    half: f64,
    pub greatest_impulse: f64,
    /// Friction impulse, tangential, acts on b, N·s.
    pub friction_impulse: DVec3,
    /// Resistance to rolling and spinning.
    resistance: Resistance,
    /// Sums of the normal and friction impulses of the finished sub-steps of this pass, N·s.
    pub pushed: f64,
    pub rubbed: DVec3,
}

/// Data shared by all rows of a sub-step.
pub(super) struct RowContext<'a> {
    pub settings: &'a SolverSettings,
    pub speeds: Speeds,
    pub gravity: DVec3,
    /// Duration of a sub-step, s.
    pub h: f64,
    /// Time since the start of the pass, s.
    pub elapsed: f64,
}

impl ContactRow {
    /// Makes the row of a contact. `place` holds the indices of the pair and of the contact, `middle`
    /// is the contact point in the world, m.
    pub fn new(
        pair: &PairContacts,
        place: (usize, usize),
        middle: DVec3,
        moving: &[Moving],
        context: &RowContext,
    ) -> Self {
        let contact = &pair.contacts[place.1];
        let (a, b) = (pair.a as usize, pair.b as usize);
        let (ma, mb) = (&moving[a], &moving[b]);
        let normal = contact.normal;
        let (arm_a, arm_b) = (middle - ma.center, middle - mb.center);
        let fixed = ma.inverse_mass == 0.0 || mb.inverse_mass == 0.0;
        let hertz = context.settings.contact_hertz * if fixed { 2.0 } else { 1.0 };
        let closing = (mb.velocity_at(arm_b) - ma.velocity_at(arm_a)).dot(normal);
        // A foreseen impact accelerates until it happens.
        let pull = (ma.acceleration(context.gravity) - mb.acceleration(context.gravity)).dot(normal);
        let fall = 2.0 * pull.max(0.0) * contact.separation.max(0.0);
        let approach = if closing < 0.0 { -(closing * closing + fall).sqrt() } else { closing };
        let mut row = Self {
            a,
            b,
            place,
            normal,
            arm_a,
            arm_b,
            local_a: ma.rotation.conjugate() * arm_a,
            local_b: mb.rotation.conjugate() * arm_b,
            round: contact.round,
            rolls_b: !contact.key.has_vertex_of_a(),
            offset: contact.separation,
            separation: contact.separation,
            lever_a: DVec3::ZERO,
            lever_b: DVec3::ZERO,
            turn_a: DVec3::ZERO,
            turn_b: DVec3::ZERO,
            slop: pair.settings.slop,
            normal_mass: 0.0,
            tangent_mass: 0.0,
            softness: Softness::new(hertz, context.settings.contact_damping, 0.25, context.h),
            friction: pair.friction,
            restitution: pair.restitution,
            approach,
            age: if contact.is_held || contact.key.is_region() { 0 } else { contact.age },
            holds: false,
            normal_impulse: contact.normal_impulse,
            half: 0.0,
            greatest_impulse: 0.0,
            friction_impulse: contact.friction_impulse - contact.friction_impulse.dot(normal) * normal,
            resistance: Resistance::new(pair, contact, [ma, mb]),
            pushed: 0.0,
            rubbed: DVec3::ZERO,
        };
        row.place_levers(ma, mb);
        row.find_masses(ma, mb);
        row
    }

    /// Computes the effective masses for the present arms.
    fn find_masses(&mut self, a: &Moving, b: &Moving) {
        let mass = |response: f64| if response > 0.0 { 1.0 / response } else { 0.0 };
        let across =
            a.inverse_mass + b.inverse_mass + self.lever_a.dot(self.turn_a) + self.lever_b.dot(self.turn_b);
        self.normal_mass = mass(across);
        // Mean of the principal responses of the tangent plane: it converges fastest in both directions
        // without favoring either. With one mass per tangent, sliding friction would not point along
        // the sliding direction, and the corners of a box would push against each other instead of the
        // slope.
        let all = a.sum_of_responses(self.arm_a) + b.sum_of_responses(self.arm_b);
        self.tangent_mass = mass(0.5 * (all - across));
    }

    /// Computes the levers and their angular responses for the present arms.
    fn place_levers(&mut self, a: &Moving, b: &Moving) {
        self.lever_a = self.arm_a.cross(self.normal);
        self.lever_b = self.arm_b.cross(self.normal);
        self.turn_a = a.inverse_inertia * self.lever_a;
        self.turn_b = b.inverse_inertia * self.lever_b;
    }

    /// Updates the separation and the arms after the bodies have moved. Both arms end at one point
    /// again, because an impulse whose two ends act at different points would create angular momentum.
    /// The lighter body keeps more of its arm: a ball that rolls over a plate touches the plate ever
    /// farther along, but itself always below its center.
    ///
    /// If bodies turn fast in the sub-step of `h` seconds, the effective masses are computed again:
    /// with those of its start, the rounds over a thin body would never converge.
    pub fn follow(&mut self, moving: &[Moving], h: f64) {
        let (a, b) = (&moving[self.a], &moving[self.b]);
        let gap = b.carry(self.local_b) - a.carry(self.local_a);
        self.separation = self.offset + self.normal.dot(gap);
        if !self.round.is_sharp() {
            self.separation -= self.round.rise(self.outward(moving));
        }
        let apart = (b.center - a.center) - (self.arm_a - self.arm_b);
        let share = b.inverse_mass / (a.inverse_mass + b.inverse_mass);
        self.arm_a += share * apart;
        self.arm_b -= (1.0 - share) * apart;
        self.place_levers(a, b);
        if self.fastest_turn(moving, h) > FAST_TURN {
            self.find_masses(a, b);
        }
    }

    /// Returns the direction out of the round body, in its space.
    fn outward(&self, moving: &[Moving]) -> DVec3 {
        if self.rolls_b {
            moving[self.b].rotation.conjugate() * -self.normal
        } else {
            moving[self.a].rotation.conjugate() * self.normal
        }
    }

    /// Adds the impulses of a finished sub-step to those of the pass.
    pub fn add_up(&mut self) {
        self.pushed += self.normal_impulse;
        self.rubbed += self.friction_impulse;
    }

    /// Notes half the impulse of the last sub-step, because the rounds change the impulse between the
    /// two halves. The row of a fast tumbling body starts from zero, because its contact has moved.
    pub fn halve(&mut self, moving: &[Moving], h: f64) {
        if self.fastest_turn(moving, h) > TUMBLES {
            (self.normal_impulse, self.friction_impulse) = (0.0, DVec3::ZERO);
            self.resistance.forget();
        }
        self.half = 0.5 * self.normal_impulse;
    }

    /// Returns the larger angle by which either body turns in `h` seconds, rad.
    fn fastest_turn(&self, moving: &[Moving], h: f64) -> f64 {
        let spin = |body: usize| moving[body].angular.length_squared();
        h * spin(self.a).max(spin(self.b)).sqrt()
    }

    /// Applies half the impulses of the last sub-step. Friction changes only after both halves.
    pub fn warm_start(&self, moving: &mut [Moving]) {
        let impulse = self.half * self.normal + 0.5 * self.friction_impulse;
        let [a, b] = two(moving, self.a, self.b);
        a.push(-impulse, self.arm_a);
        b.push(impulse, self.arm_b);
        self.resistance.warm_start(self.normal, [a, b]);
    }

    /// Returns the two bodies.
    pub fn bodies(&self) -> [usize; 2] {
        [self.a, self.b]
    }

    /// Makes the row give back little of its impulse, as rows that are solved to convergence do.
    pub fn hold(&mut self) {
        self.holds = true;
    }

    /// Returns whether the contact has existed for at least `passes` passes, and sinks in by more than
    /// `slops` slops under its impulse.
    pub fn sinks(&self, (passes, slops): (u32, f64)) -> bool {
        let Softness { bias_rate, mass_scale, impulse_scale } = self.softness;
        let pushed_out = slops * self.slop * bias_rate * mass_scale * self.normal_mass;
        self.age >= passes && impulse_scale * self.normal_impulse > pushed_out
    }

    /// Returns the impulse along the normal, N·s.
    pub fn normal_impulse(&self) -> f64 {
        self.normal_impulse
    }

    /// Adds to the impulse along the normal, N·s; the next round brings it back into its bounds.
    /// Returns the change of the velocity at the contact, m/s.
    pub fn add_normal(&mut self, more: f64, moving: &mut [Moving]) -> f64 {
        let [a, b] = two(moving, self.a, self.b);
        self.normal_impulse += more;
        self.apply_normal(a, b, more);
        if self.normal_mass > 0.0 { more.abs() / self.normal_mass } else { 0.0 }
    }

    /// Returns twice the energy of the velocity that an impulse along the normal (N·s) gives, J.
    pub fn energy(&self, impulse: f64) -> f64 {
        if self.normal_mass > 0.0 { impulse * impulse / self.normal_mass } else { 0.0 }
    }

    /// Solves the normal row: foreseen gaps may close, overlap is pushed out softly unless `relax`.
    /// Returns the change of the velocity at the contact, m/s.
    pub fn solve_normal(&mut self, moving: &mut [Moving], context: &RowContext, relax: bool) -> f64 {
        let [a, b] = two(moving, self.a, self.b);
        let separation = self.separation;
        let (mut bias, mut softness) = (0.0, Softness::RIGID);
        if separation > 0.0 {
            bias = separation / context.h;
        } else if !relax {
            softness = self.softness;
            bias = softness.bias_rate * (separation + self.slop).min(0.0);
        }
        let velocity = self.normal_velocity(a, b);
        let mut leak = softness.impulse_scale * self.normal_impulse;
        if self.holds {
            // Limited to the impulse that pushes out a few slops of overlap.
            let most = context.settings.leak_slops * self.slop * softness.bias_rate * softness.mass_scale;
            leak = leak.min(most * self.normal_mass);
        }
        let wanted = -self.normal_mass * (softness.mass_scale * (velocity + bias)) - leak;
        let before = self.normal_impulse;
        self.push_normal(a, b, wanted);
        if self.normal_mass > 0.0 { (self.normal_impulse - before).abs() / self.normal_mass } else { 0.0 }
    }

    /// Adds `wanted` to the normal impulse, which stays at or above 0, and applies the change.
    fn push_normal(&mut self, a: &mut Moving, b: &mut Moving, wanted: f64) {
        let total = (self.normal_impulse + wanted).max(0.0);
        let impulse = total - self.normal_impulse;
        self.normal_impulse = total;
        self.greatest_impulse = self.greatest_impulse.max(total);
        self.apply_normal(a, b, impulse);
    }

    pub fn apply_normal(&self, a: &mut Moving, b: &mut Moving, impulse: f64) {
        a.linear -= impulse * a.inverse_mass * self.normal;
        a.angular -= impulse * self.turn_a;
        b.linear += impulse * b.inverse_mass * self.normal;
        b.angular += impulse * self.turn_b;
    }

    /// Returns the speed with which the bodies part along the normal, m/s.
    pub fn normal_velocity(&self, a: &Moving, b: &Moving) -> f64 {
        self.normal.dot(b.linear - a.linear) + self.lever_b.dot(b.angular) - self.lever_a.dot(a.angular)
    }

    /// Solves friction within Coulomb's cone, and resistance to rolling and spinning. Returns the
    /// change of the velocity at the contact due to friction, m/s.
    pub fn solve_friction(&mut self, moving: &mut [Moving]) -> f64 {
        let [a, b] = two(moving, self.a, self.b);
        let velocity = self.relative_velocity(a, b);
        let sliding = velocity - velocity.dot(self.normal) * self.normal;
        let wanted = self.friction_impulse - self.tangent_mass * sliding;
        let total = wanted.clamp_length_max(self.friction * self.normal_impulse.max(0.0));
        let change = total - self.friction_impulse;
        self.friction_impulse = total;
        a.push(-change, self.arm_a);
        b.push(change, self.arm_b);
        self.resistance.solve(self.normal, self.normal_impulse, [a, b]);
        if self.tangent_mass > 0.0 { change.length() / self.tangent_mass } else { 0.0 }
    }

    /// Stores the impulses in the contact for the next pass, and adds the push of this pass to the
    /// pair.
    pub fn store(&self, pairs: &mut [PairContacts], moving: &[Moving], speeds: &Speeds) {
        let pair = &mut pairs[self.place.0];
        let contact = &mut pair.contacts[self.place.1];
        // An impulse that sent the bodies apart is not reused.
        let has_bounced = self.bounces(speeds.bounce);
        contact.normal_impulse = if has_bounced { 0.0 } else { self.normal_impulse };
        contact.friction_impulse = if has_bounced { DVec3::ZERO } else { self.friction_impulse };
        contact.turning_impulse =
            if has_bounced { DVec3::ZERO } else { self.resistance.impulse(self.normal) };
        if !self.round.is_sharp() {
            contact.roll_to(self.outward(moving));
        }
        let pushed = self.pushed + self.normal_impulse;
        let friction = self.rubbed + self.friction_impulse;
        if pushed > 0.0 || friction != DVec3::ZERO {
            pair.push += Push {
                normal: pushed,
                along: pushed * self.normal,
                friction,
                moments: [pushed * contact.point_a, pushed * contact.point_b],
                is_impact: self.greatest_impulse > 0.0 && self.approach < -speeds.impact(),
            };
        }
    }

    fn relative_velocity(&self, a: &Moving, b: &Moving) -> DVec3 {
        b.velocity_at(self.arm_b) - a.velocity_at(self.arm_a)
    }
}
