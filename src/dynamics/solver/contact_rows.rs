//! Contacts as constraints: a one-sided normal row, and Coulomb friction in the tangent plane.
//!
//! A soft constraint pushes overlap out. Relax iterations, in which the rows are rigid, then remove the
//! velocity that this push added. Friction acts only in the relax iterations, because friction against
//! the push would make leaning bodies walk.

use glam::DVec3;

use super::moving::{Moving, two};
use super::rolling::Resistance;
use super::settings::{Softness, SolverSettings};
use super::speeds::Speeds;
use crate::arrays::MapEach;
use crate::contact::{PairContacts, Push, Round};

/// Least rotation in a sub-step (rad) for which the effective masses are recomputed at its end.
const FAST_TURN: f64 = 0.05;
/// Rotation in a sub-step (rad) above which a row does not start from its last impulses. A smaller
/// value would drop the impulses of fast rolling bodies.
const TUMBLES: f64 = 0.5;

/// Body whose corner touches the other body.
#[derive(Clone, Copy)]
enum Carrier {
    A,
    B,
}

/// Constraint of one contact during a pass.
pub(super) struct ContactRow {
    pub a: usize,
    pub b: usize,
    /// Index of the pair, and index of the contact in the pair.
    place: (usize, usize),
    pub normal: DVec3,
    /// Body that takes the contact along with its corner.
    carrier: Option<Carrier>,
    /// Contact point from the center of each body, world axes, m.
    pub arm_a: DVec3,
    pub arm_b: DVec3,
    /// Arms at the start of the pass, in the axes of each body, m.
    local_a: DVec3,
    local_b: DVec3,
    /// Constant term of the separation: separation = offset + normal · (end of arm b − end of arm a),
    /// m.
    offset: f64,
    /// Present separation of the bodies, m.
    separation: f64,
    /// Distance by which the surfaces curve away from each other in the present sub-step, m; negative if they
    /// curve toward each other.
    curve: f64,
    /// Cross product of each arm and the normal, m.
    lever_a: DVec3,
    lever_b: DVec3,
    /// Angular velocity that an impulse of 1 N·s along the normal adds to each body, rad/s.
    turn_a: DVec3,
    turn_b: DVec3,
    /// Overlap that is not pushed out, m.
    rest_depth: f64,
    slop: f64,
    /// Share of the tolerance to which the row must converge in a group of loads; below 1 for a fine part.
    pub share_of_tolerance: f64,
    /// Vector from the contact to where its friction acts, world axes, m.
    inset: DVec3,
    /// Effective mass along the normal, kg.
    pub normal_mass: f64,
    /// Effective mass in every tangential direction, kg.
    tangent_mass: f64,
    softness: Softness,
    pub friction: f64,
    pub restitution: f64,
    /// Normal velocity at the start of the pass, m/s, negative when approaching. Across a gap, the
    /// velocity expected at the impact.
    pub approach: f64,
    /// Age of the contact in passes. 0 for a region, and for a contact that is only recycled because
    /// the last search did not find it.
    age: u32,
    /// True if the contact bears a load and is solved to convergence. It then gives back little of its
    /// impulse.
    holds: bool,
    pub normal_impulse: f64,
    /// Half the normal impulse of the previous sub-step.
    half: f64,
    /// Largest normal impulse in an iteration of this pass, N·s.
    pub greatest_impulse: f64,
    /// Friction impulse, tangential, acts on b, N·s.
    pub friction_impulse: DVec3,
    /// Resistance to rolling and spinning.
    resistance: Resistance,
    /// Sum of the normal impulses of the finished sub-steps of this pass, N·s.
    pub pushed: f64,
    /// Sum of the impulses along the normals of the finished sub-steps of this pass, and of the changes of
    /// impulses by turns of the normal, N·s.
    along: DVec3,
    /// Sum of the friction impulses of the finished sub-steps of this pass, N·s.
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
    /// Makes the row of a contact. `place`: index of the pair, and index of the contact in it.
    /// `middle`: contact point in the world, m.
    pub fn new(
        pair: &PairContacts,
        place: (usize, usize),
        middle: DVec3,
        moving: &[Moving],
        context: &RowContext,
    ) -> Self {
        let contact = &pair.contacts[place.1];
        let [a, b] = [pair.a, pair.b].map_each(|body| moving[body as usize].moves_as);
        let (ma, mb) = (&moving[a], &moving[b]);
        let normal = contact.normal;
        let (arm_a, arm_b) = (middle - ma.center, middle - mb.center);
        let fixed = ma.inverse_mass == 0.0 || mb.inverse_mass == 0.0;
        let hertz = context.settings.contact_hertz * if fixed { 2.0 } else { 1.0 };
        let closing = (mb.velocity_at(arm_b) - ma.velocity_at(arm_a)).dot(normal);
        // Gravity accelerates the bodies until the impact across a gap happens.
        let pull = (ma.acceleration(context.gravity) - mb.acceleration(context.gravity)).dot(normal);
        let fall = 2.0 * pull.max(0.0) * contact.separation.max(0.0);
        let approach = if closing < 0.0 { -(closing * closing + fall).sqrt() } else { closing };
        let mut row = Self {
            a,
            b,
            place,
            normal,
            carrier: match contact.round {
                Round { is_corner: true, point_is_of_a: true, .. } => Some(Carrier::A),
                Round { is_corner: true, .. } => Some(Carrier::B),
                _ => None,
            },
            arm_a,
            arm_b,
            local_a: ma.rotation.conjugate() * arm_a,
            local_b: mb.rotation.conjugate() * arm_b,
            offset: contact.separation,
            separation: contact.separation,
            curve: 0.0,
            lever_a: DVec3::ZERO,
            lever_b: DVec3::ZERO,
            turn_a: DVec3::ZERO,
            turn_b: DVec3::ZERO,
            rest_depth: context.settings.rest_slops * pair.settings.slop,
            slop: pair.settings.slop,
            share_of_tolerance: context.speeds.share_of_tolerance(pair.settings.size),
            inset: contact.inset,
            normal_mass: 0.0,
            tangent_mass: 0.0,
            softness: Softness::new(hertz, context.settings.contact_damping, 0.25, context.h),
            friction: pair.friction,
            // A swept pair turns too far in a pass for a bounce at its end, and bounces at its touch.
            restitution: if pair.is_swept { 0.0 } else { pair.restitution },
            approach,
            age: if contact.is_held || contact.key.is_region() { 0 } else { contact.age },
            holds: false,
            normal_impulse: contact.normal_impulse,
            half: 0.0,
            greatest_impulse: 0.0,
            friction_impulse: contact.friction_impulse - contact.friction_impulse.dot(normal) * normal,
            resistance: Resistance::new(pair, contact, [ma, mb]),
            pushed: 0.0,
            along: DVec3::ZERO,
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
        // Mean of the principal responses in the tangent plane. It converges fastest without favoring a
        // direction. With a separate mass per tangent, sliding friction would not be opposite to the
        // sliding direction, and the corners of a box would push against each other instead of against
        // the slope.
        let [arm_a, arm_b] = self.friction_arms();
        let all = a.sum_of_responses(arm_a) + b.sum_of_responses(arm_b);
        let across = if self.inset == DVec3::ZERO {
            across
        } else {
            a.response(arm_a, self.normal) + b.response(arm_b, self.normal)
        };
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
    /// again, because an impulse that acts at two different points would create angular momentum. A sharp
    /// corner takes this point along, unless the bodies rebound: the rebound at the end of the pass belongs
    /// to the touch. Otherwise the lighter body keeps more of its arm: a ball that rolls over a plate moves
    /// its contact point on the plate, but keeps it below its own center.
    ///
    /// If a body rotates fast in the sub-step of `h` seconds, recomputes the effective masses. With the
    /// masses of the start, the iterations over a thin body would never converge.
    pub fn follow(&mut self, moving: &[Moving], h: f64, bounce: f64) {
        let (a, b) = (&moving[self.a], &moving[self.b]);
        let [on_a, on_b] = [a.carry(self.local_a), b.carry(self.local_b)];
        let gap = on_b - on_a;
        self.separation = self.offset + self.normal.dot(gap);
        let takes_along = !self.bounces(bounce) && self.fastest_turn(moving, h) < FAST_TURN;
        let end = match self.carrier {
            Some(Carrier::A) if takes_along => on_a,
            Some(Carrier::B) if takes_along => on_b,
            _ => {
                let apart = (b.center - a.center) - (self.arm_a - self.arm_b);
                a.center + self.arm_a + b.inverse_mass / (a.inverse_mass + b.inverse_mass) * apart
            }
        };
        // As a gap closes, the end comes nearer to both bodies.
        let end = end + self.normal.dot(0.5 * (on_a + on_b) - end) * self.normal;
        (self.arm_a, self.arm_b) = (end - a.center, end - b.center);
        self.place_levers(a, b);
        if self.fastest_turn(moving, h) > FAST_TURN {
            self.find_masses(a, b);
        }
    }

    /// Gives the row another normal and other arms (world axes, m). `pushed`: impulse along the present
    /// normal that has been applied in this sub-step, N·s.
    pub fn place_at(&mut self, normal: DVec3, arms: [DVec3; 2], pushed: f64, [a, b]: [&Moving; 2]) {
        // The first half of the friction was applied before the turn, the second half follows after it.
        let lost = self.friction_impulse.dot(normal) * normal;
        self.along += pushed * (self.normal - normal) + 0.5 * lost;
        self.friction_impulse -= lost;
        let turned = normal.distance_squared(self.normal);
        let moved = arms[0].distance_squared(self.arm_a).max(arms[1].distance_squared(self.arm_b));
        let shorter = arms[0].length_squared().min(arms[1].length_squared());
        self.normal = normal;
        [self.arm_a, self.arm_b] = arms;
        self.place_levers(a, b);
        if turned.max(moved / shorter) > FAST_TURN * FAST_TURN {
            self.find_masses(a, b);
        }
    }

    /// Returns the present separation of the bodies, m.
    pub fn separation(&self) -> f64 {
        self.separation
    }

    pub fn set_curve(&mut self, curve: f64) {
        self.curve = curve;
    }

    pub fn set_separation(&mut self, separation: f64) {
        self.separation = separation;
    }

    /// Adds the impulses of a finished sub-step to those of the pass.
    pub fn add_up(&mut self) {
        self.pushed += self.normal_impulse;
        self.along += self.normal_impulse * self.normal;
        self.rubbed += self.friction_impulse;
    }

    /// Stores half the impulse of the last sub-step, because the iterations change the impulse before
    /// the second half is applied. The row of a fast tumbling body starts from zero instead, because
    /// its contact has moved.
    pub fn halve(&mut self, moving: &[Moving], h: f64) {
        if self.fastest_turn(moving, h) > TUMBLES {
            (self.normal_impulse, self.friction_impulse) = (0.0, DVec3::ZERO);
            self.resistance.forget();
        }
        self.half = 0.5 * self.normal_impulse;
    }

    /// Returns the angle by which the faster of the two bodies rotates in `h` seconds, rad.
    fn fastest_turn(&self, moving: &[Moving], h: f64) -> f64 {
        let spin = |body: usize| moving[body].angular.length_squared();
        h * spin(self.a).max(spin(self.b)).sqrt()
    }

    /// Returns the rate at which the line between the centers turns, as far as they move along the tangent
    /// plane, rad/s.
    pub fn turn_rate(&self, moving: &[Moving]) -> f64 {
        let way = moving[self.b].linear - moving[self.a].linear;
        way.cross(self.normal).length() / (self.arm_a - self.arm_b).length()
    }

    /// Applies half the impulses of the previous sub-step. Friction needs no stored half: it changes
    /// only in the relax iterations, after both halves.
    pub fn warm_start(&self, moving: &mut [Moving]) {
        let [a, b] = two(moving, self.a, self.b);
        if self.inset == DVec3::ZERO {
            let impulse = self.half * self.normal + 0.5 * self.friction_impulse;
            a.push(-impulse, self.arm_a);
            b.push(impulse, self.arm_b);
        } else {
            self.apply_normal(a, b, self.half);
            self.apply_friction(a, b, 0.5 * self.friction_impulse);
        }
        self.resistance.warm_start(self.normal, [a, b]);
    }

    /// Returns the index of the contact's pair.
    pub fn pair(&self) -> usize {
        self.place.0
    }

    /// Returns the point of the contact, world, m.
    pub fn point(&self, moving: &[Moving]) -> DVec3 {
        moving[self.a].center + self.arm_a
    }

    /// Returns the linear and the angular impulse on b in the last sub-step, N·s and N·m·s.
    pub fn impulses(&self) -> [DVec3; 2] {
        let push = self.normal_impulse * self.normal + self.friction_impulse;
        [push, self.resistance.impulse(self.normal) + self.inset.cross(self.friction_impulse)]
    }

    /// Returns the two bodies or compounds on which the contact acts.
    pub fn bodies(&self) -> [usize; 2] {
        [self.a, self.b]
    }

    /// Marks the row as solved to convergence. It then gives back little of its impulse.
    pub fn hold(&mut self) {
        self.holds = true;
    }

    /// Returns whether the contact is at least `passes` passes old.
    pub fn has_lasted(&self, passes: u32) -> bool {
        self.age >= passes
    }

    /// Returns whether the contact's softness would let the bodies sink in by more than `slops` slops
    /// beyond the slop to bear the present impulse.
    pub fn sinks(&self, slops: f64) -> bool {
        let Softness { bias_rate, mass_scale, impulse_scale } = self.softness;
        let pushed_out = slops * self.slop * bias_rate * mass_scale * self.normal_mass;
        impulse_scale * self.normal_impulse > pushed_out
    }

    /// Returns the impulse along the normal, N·s.
    pub fn normal_impulse(&self) -> f64 {
        self.normal_impulse
    }

    /// Adds `more` (N·s) to the impulse along the normal. The sum may be negative until the next
    /// iteration clamps it. Returns the magnitude of the velocity change at the contact, m/s.
    pub fn add_normal(&mut self, more: f64, moving: &mut [Moving]) -> f64 {
        let [a, b] = two(moving, self.a, self.b);
        self.normal_impulse += more;
        self.apply_normal(a, b, more);
        if self.normal_mass > 0.0 { more.abs() / self.normal_mass } else { 0.0 }
    }

    /// Returns twice the kinetic energy that an impulse along the normal (N·s) gives to bodies at rest,
    /// J.
    pub fn energy(&self, impulse: f64) -> f64 {
        if self.normal_mass > 0.0 { impulse * impulse / self.normal_mass } else { 0.0 }
    }

    /// Solves the normal row. Lets a speculative gap close, and pushes overlap out softly unless
    /// `relax` is set. Returns the magnitude of the velocity change at the contact, m/s.
    pub fn solve_normal(&mut self, moving: &mut [Moving], context: &RowContext, relax: bool) -> f64 {
        let [a, b] = two(moving, self.a, self.b);
        let separation = self.separation;
        let (mut bias, mut softness) = (0.0, Softness::RIGID);
        if separation > 0.0 {
            // A gap that a later sub-step closes is no concern of this one, which is over: the bodies would
            // brake early, and friction would act on a lever that is longer by the gap. Loads foresee it, so
            // that they converge.
            if relax && self.greatest_impulse == 0.0 && !self.holds {
                return 0.0;
            }
            bias = separation / context.h;
        } else if !relax {
            softness = self.softness;
            bias = softness.bias_rate * (separation + self.rest_depth).min(0.0);
        }
        let mut velocity = self.normal_velocity(a, b);
        if !relax {
            velocity += self.curve / context.h;
        }
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

    /// Adds `wanted` (N·s) to the normal impulse, clamps the sum to at least 0, and applies the change.
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

    /// Returns the speed at which the bodies separate along the normal, m/s.
    pub fn normal_velocity(&self, a: &Moving, b: &Moving) -> f64 {
        self.normal.dot(b.linear - a.linear) + self.lever_b.dot(b.angular) - self.lever_a.dot(a.angular)
    }

    /// Solves friction within Coulomb's cone, and resistance to rolling and spinning. Returns the
    /// magnitude of the velocity change at the contact due to friction, m/s.
    pub fn solve_friction(&mut self, moving: &mut [Moving]) -> f64 {
        let most = self.friction * self.normal_impulse.max(0.0);
        let change = self.rub(moving, |wanted| wanted.clamp_length_max(most));
        let [a, b] = two(moving, self.a, self.b);
        self.resistance.solve(self.normal, self.normal_impulse, [a, b]);
        change
    }

    /// Changes the friction impulse so that the slip ends, as far as `limit` allows: the limit maps the
    /// wanted impulse on b to the possible one, N·s. Returns the magnitude of the velocity change at the
    /// contact due to friction, m/s.
    pub fn rub(&mut self, moving: &mut [Moving], limit: impl FnOnce(DVec3) -> DVec3) -> f64 {
        let [a, b] = two(moving, self.a, self.b);
        let [arm_a, arm_b] = self.friction_arms();
        let velocity = b.velocity_at(arm_b) - a.velocity_at(arm_a);
        let sliding = velocity - velocity.dot(self.normal) * self.normal;
        let total = limit(self.friction_impulse - self.tangent_mass * sliding);
        let change = total - self.friction_impulse;
        self.friction_impulse = total;
        self.apply_friction(a, b, change);
        if self.tangent_mass > 0.0 { change.length() / self.tangent_mass } else { 0.0 }
    }

    /// Stores the impulses in the contact for the next pass, and adds the impulses of this pass to
    /// those of the pair.
    pub fn store(&self, pairs: &mut [PairContacts], speeds: &Speeds) {
        let pair = &mut pairs[self.place.0];
        let contact = &mut pair.contacts[self.place.1];
        // The impulse of a bounce is not reused in the next pass.
        let has_bounced = self.bounces(speeds.bounce);
        contact.normal_impulse = if has_bounced { 0.0 } else { self.normal_impulse };
        contact.friction_impulse = if has_bounced { DVec3::ZERO } else { self.friction_impulse };
        contact.turning_impulse =
            if has_bounced { DVec3::ZERO } else { self.resistance.impulse(self.normal) };
        let pushed = self.pushed + self.normal_impulse;
        let friction = self.rubbed + self.friction_impulse;
        if pushed > 0.0 || friction != DVec3::ZERO {
            pair.push += Push {
                normal: pushed,
                along: self.pushed_along(),
                friction,
                moments: [pushed * contact.point_a, pushed * contact.point_b],
                is_impact: self.greatest_impulse > 0.0 && self.approach < -speeds.impact(),
            };
        }
    }

    /// Returns the sum of the impulses along the normals in this pass, N·s.
    pub fn pushed_along(&self) -> DVec3 {
        self.along + self.normal_impulse * self.normal
    }

    /// Returns half the impulse of the previous sub-step, N·s.
    pub fn half(&self) -> f64 {
        self.half
    }

    /// Returns the vectors from the centers to where friction acts, world axes, m.
    fn friction_arms(&self) -> [DVec3; 2] {
        [self.arm_a + self.inset, self.arm_b + self.inset]
    }

    fn apply_friction(&self, a: &mut Moving, b: &mut Moving, impulse: DVec3) {
        let [arm_a, arm_b] = self.friction_arms();
        a.push(-impulse, arm_a);
        b.push(impulse, arm_b);
    }
}
