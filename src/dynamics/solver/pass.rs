//! Pass of the solver: makes the rows of contacts and joints, then runs sub-steps, each from velocities
//! to poses.

use std::sync::atomic::Ordering;

use glam::DVec3;

use super::contact_rows::{ContactRow, RowContext};
use super::curved_rows::CurvedRow;
use super::further::Rows;
use super::gears::GearRow;
use super::integrate;
use super::joint_frames::Frames;
use super::joint_impulses::{ByRow, Joined, JoinedMut, JointImpulses};
use super::joint_rows;
use super::moving::Moving;
use super::speeds::{LoadTest, Speeds, weight};
use super::spring_law::Half;
use super::{Pass, Solver, SpinCut};
use crate::arrays::MapEach;
use crate::body::{Bodies, Joint};
use crate::contact::{Ahead, PairContacts};

/// Rest of a pass, in sub-steps, below which the pass is not ended for a rebound: none but rounding is left.
const LEAST_REST: f64 = 0.5;

impl Solver {
    /// Advances all awake bodies by `pass.dt` seconds and stores the impulses in the contacts. Returns
    /// the time by which the bodies advanced, s. It is shorter than `pass.dt` if `pass.may_end_early` and
    /// bodies would travel farther than their free distance, or turn about each other far before the rebound
    /// at the end of the pass. Gravity in m/s².
    ///
    /// ```text
    /// begin                   wakes islands that are hit; builds rows; finds loads and mechanisms
    /// for each sub-step of h seconds
    ///     add_up              adds the impulses of the last sub-step; sets half of each aside
    ///     bend                curvature of the paths that joints impose
    ///     kick                gravity for h/2, first half of the last impulses
    ///     aim                 contacts of smooth surfaces that touch in the sub-step
    ///     solve_rows          joints, mechanisms, gears, contacts; further rounds over loads
    ///     look_ahead          corrects mechanisms for the poses to which the velocities lead
    ///     shorten             if a free distance ends within the sub-step
    ///     advance             velocities -> poses
    ///     make_rows, follow   rows of mechanisms and contacts at the new poses
    ///     kick                gravity for h/2, second half of the last impulses
    ///     solve_rows          relax: rigid, with friction
    /// store                   bounces; then impulses, velocities and poses are written back
    /// ```
    pub fn solve(
        &mut self,
        pass: Pass,
        gravity: DVec3,
        bodies: &mut Bodies,
        joints: &[Joint],
        pairs: &mut [PairContacts],
    ) -> f64 {
        let h = pass.dt / f64::from(pass.substeps);
        let settings = self.settings;
        let speeds = Speeds::new(&settings, gravity, pass.grown_for);
        let mut context = RowContext { settings: &settings, speeds, gravity, h, elapsed: 0.0 };
        self.begin(pass, bodies, joints, pairs, &context);
        for substep in 0..pass.substeps {
            if self.stop.load(Ordering::Relaxed) {
                return pass.dt;
            }
            self.add_up(substep == 0, h);
            self.mechanisms.bend(&self.moving, joints);
            self.kick(joints, gravity, 0.5 * h);
            for curved in &mut self.curved_rows {
                curved.aim(&mut self.rows, &self.moving, &context);
            }
            self.solve_rows(joints, &context, Half::Push);
            let joined = Joined { joints, impulses: &self.joint_impulses };
            for index in 0..self.mechanisms.count() {
                self.mechanisms.look_ahead(index, &mut self.moving, joined, &self.welds);
            }
            self.mechanisms.end(&mut self.joint_impulses);
            self.welds.place(&mut self.moving);
            let spent = context.elapsed;
            let share = self.foresight.share((spent, h), pass.may_end_early, &self.moving, bodies, pairs);
            let is_whole = share == 1.0;
            if !is_whole {
                self.shorten(share * h, joints, bodies, &mut context);
            }
            self.advance(context.h, bodies);
            context.elapsed = if is_whole { h * f64::from(substep + 1) } else { spent + context.h };
            self.count_turns(joints, context.h);
            let joined = JoinedMut { joints, impulses: &mut self.joint_impulses };
            self.mechanisms.make_rows(&mut self.moving, joined, &context);
            for row in &mut self.rows {
                row.follow(&self.moving, h, context.speeds.bounce);
            }
            for curved in &self.curved_rows {
                curved.follow(&mut self.rows, &self.moving);
            }
            let mut rest = 0.5 * h;
            if !is_whole {
                rest = context.elapsed - (h * f64::from(substep)) - 0.5 * h;
                self.accelerate_alone(gravity, 0.5 * (h - context.h));
                context.h = h;
            }
            self.kick(joints, gravity, rest);
            self.joint_impulses.iter_mut().for_each(JointImpulses::change_half);
            self.solve_rows(joints, &context, Half::Relax);
            self.mechanisms.end(&mut self.joint_impulses);
            self.welds.place(&mut self.moving);
            self.add_weld_loads(joints, pairs, bodies, (context.elapsed - spent) * gravity);
            let rest = pass.dt - context.elapsed;
            if !is_whole || pass.may_end_early && rest > LEAST_REST * h && self.rebound_is_urgent(rest) {
                self.store(&context, joints, bodies, pairs);
                return context.elapsed;
            }
        }
        self.store(&context, joints, bodies, pairs);
        pass.dt
    }

    /// Returns whether bodies that rebound from each other would turn far about each other in `rest` seconds.
    fn rebound_is_urgent(&self, rest: f64) -> bool {
        self.curved_rows.iter().any(|curved| curved.turns_before_rebound(&self.rows, &self.moving, rest))
    }

    /// Builds the rows of a pass.
    fn begin(
        &mut self,
        pass: Pass,
        bodies: &mut Bodies,
        joints: &[Joint],
        pairs: &mut [PairContacts],
        context: &RowContext,
    ) {
        let (dt, settings, gravity) = (pass.dt, context.settings, context.gravity);
        let (h, weight) = (context.h, weight(gravity));
        self.islands.wake_what_is_hit(dt, &context.speeds, bodies, (joints, pairs));
        self.cut_spins.clear();
        self.moving.clear();
        self.moving.extend(bodies.states.iter().enumerate().map(|(index, state)| Moving::new(index, state)));
        self.welds.begin(&mut self.moving, joints, bodies);
        // A sub-step ends early for the first time at any moment.
        self.alone.clear();
        self.alone.reserve(self.moving.len());
        self.joint_impulses.resize(joints.len(), JointImpulses::default());
        bodies.begin_angles(joints);
        for (impulses, angles) in self.joint_impulses.iter_mut().zip(&bodies.angles) {
            impulses.angles = *angles;
        }
        self.scale_impulses(h, pairs);
        let loads = LoadTest { h, weight };
        self.mechanisms.find(&self.moving, joints, &bodies.states, &self.welds);
        self.weld_loads.begin(&self.welds, joints.len(), bodies);
        for (index, impulses) in self.joint_impulses.iter_mut().enumerate() {
            if !self.mechanisms.holds(index) {
                impulses.responses = [0.0; 6];
            }
            let [a, b] = Frames::slots(&joints[index], &self.moving);
            if a == b {
                // A weld whose bodies move as one.
                impulses.last = ByRow::default();
            }
        }
        let joined = JoinedMut { joints, impulses: &mut self.joint_impulses };
        self.mechanisms.make_rows(&mut self.moving, joined, context);
        self.make_rows(bodies, pairs, context);
        self.limit_speeds(dt, bodies, pairs, context);
        let joined = Joined { joints, impulses: &self.joint_impulses };
        self.loads.find(&self.moving, &mut self.rows, joined, &self.mechanisms, loads, settings);
        self.further.begin(self.rows.len(), self.moving.len());
        self.foresight.begin(bodies, pairs, &self.moving, Ahead { dt: pass.grown_for, gravity });
    }

    /// Scales the impulses of the last pass to sub-steps of `h` seconds, so that they stand for the
    /// same forces.
    fn scale_impulses(&mut self, h: f64, pairs: &mut [PairContacts]) {
        let scale = if self.last_h > 0.0 { h / self.last_h } else { 1.0 };
        self.last_h = h;
        if scale == 1.0 {
            return;
        }
        for contact in pairs.iter_mut().flat_map(|pair| &mut pair.contacts) {
            contact.normal_impulse *= scale;
            contact.friction_impulse *= scale;
            contact.turning_impulse *= scale;
        }
        for impulses in &mut self.joint_impulses {
            impulses.scale(scale);
        }
        self.gears.iter_mut().for_each(|gear| gear.scale(scale));
    }

    /// Advances poses by `h` seconds.
    fn advance(&mut self, h: f64, bodies: &Bodies) {
        let all = self.moving.iter_mut().zip(&bodies.states).zip(&bodies.infos).enumerate();
        let own = all.filter(|(index, ((body, _), _))| body.moves_as == *index);
        let spins = own.filter_map(|(index, ((body, state), info))| {
            let spin = body.advance(&[state.inertia, state.inverse_inertia], info.radius, h)?;
            Some((index, spin))
        });
        let kept = integrate::fastest_spin(h);
        let cut = |(body, spin): (usize, f64)| SpinCut { body: body as u32, spin, kept };
        self.cut_spins.extend(spins.map(cut));
        self.cut_spins.extend(self.welds.advance(&mut self.moving, h).map(cut));
        self.welds.place(&mut self.moving);
    }

    /// Updates the angles of joints, full rotations included, to the poses after a sub-step of `h`
    /// seconds.
    fn count_turns(&mut self, joints: &[Joint], h: f64) {
        for (joint, impulses) in joints.iter().zip(&mut self.joint_impulses) {
            if Frames::ends(joint, &self.moving).is_some() {
                let [a, b] = Frames::own_slots(joint, &self.moving);
                let seen = Frames::relative(joint, [&self.moving[a], &self.moving[b]]);
                let ahead = Frames::ahead(joint, impulses.angles, &self.moving, h);
                let angles = joint.angles_after(ahead, seen);
                // An invalid body is quarantined after the pass.
                if angles.iter().all(|angle| angle.is_finite()) {
                    impulses.angles = angles;
                }
            }
        }
    }

    /// Ends a pass: solves the bounces of collisions, then stores impulses and states.
    fn store(
        &mut self,
        context: &RowContext,
        joints: &[Joint],
        bodies: &mut Bodies,
        pairs: &mut [PairContacts],
    ) {
        let (speeds, gravity) = (&context.speeds, context.gravity);
        // The limits concern speeds that a squeeze leaves. A rebound has its own bound, the work of the
        // obstacle included.
        for (body, info) in self.moving.iter_mut().zip(&bodies.infos) {
            body.keep_to_limit(info.radius);
        }
        self.bounces.solve(&mut self.rows, (&mut self.moving, &self.welds), bodies, speeds.bounce, gravity);
        self.welds.place(&mut self.moving);
        self.add_bounce_loads(joints, pairs, bodies);
        for row in &self.rows {
            row.store(pairs, speeds);
        }
        for curved in &self.curved_rows {
            curved.store(pairs, &self.moving);
        }
        for (body, state) in self.moving.iter().zip(&mut bodies.states) {
            body.store(state);
        }
        for (impulses, angles) in self.joint_impulses.iter_mut().zip(&mut bodies.angles) {
            impulses.add_up();
            *angles = impulses.angles;
        }
    }

    /// Limits the speeds of bodies that touch moving kinematic bodies.
    fn limit_speeds(&mut self, dt: f64, bodies: &Bodies, pairs: &[PairContacts], context: &RowContext) {
        let slack = dt * context.gravity.length();
        for pair in pairs.iter().filter(|p| !p.contacts.is_empty()) {
            for (driver, other) in [(pair.a, pair.b), (pair.b, pair.a)] {
                let [by, of] = [driver, other].map_each(|b| &bodies.infos[b as usize]);
                let other = self.moving[other as usize].moves_as;
                let driver = self.moving[driver as usize];
                // A part that is welded to an obstacle drives only as far as the obstacle does.
                let leader = driver.moves_as.min(self.moving.len() - 1);
                if self.moving[leader].is_driven() {
                    let speed = driver.linear.length() + driver.angular.length() * by.radius;
                    self.moving[other].limit_speed(speed, of.radius, slack);
                }
            }
        }
    }

    /// Builds the rows of contacts. Those with immovable bodies come last, so that they are solved last
    /// in every iteration.
    fn make_rows(&mut self, bodies: &Bodies, pairs: &[PairContacts], context: &RowContext) {
        self.rows.clear();
        self.curved_rows.clear();
        for with_fixed in [false, true] {
            for (at, pair) in pairs.iter().enumerate() {
                let two = [pair.a, pair.b].map_each(|b| &self.moving[b as usize]);
                let masses = two.map_each(|body| body.inverse_mass);
                let fixed = masses.contains(&0.0);
                let present = two.iter().all(|body| body.is_present);
                let move_as_one = two[0].moves_as == two[1].moves_as;
                if fixed != with_fixed || masses == [0.0, 0.0] || !present || move_as_one {
                    continue;
                }
                let [pose_a, pose_b] = [pair.a, pair.b].map_each(|b| &bodies.states[b as usize].pose);
                for (index, contact) in pair.contacts.iter().enumerate() {
                    let ends =
                        pose_a.transform_point(contact.point_a) + pose_b.transform_point(contact.point_b);
                    let place = (at, index);
                    let curved = CurvedRow::new(pair, contact, (self.rows.len(), place), [pose_a, pose_b]);
                    self.rows.push(ContactRow::new(pair, place, 0.5 * ends, &self.moving, context));
                    self.curved_rows.extend(curved);
                }
            }
        }
        // A part that later touches with its round side needs no memory then.
        self.curved_rows.reserve(self.rows.capacity() - self.curved_rows.len());
    }

    /// Begins a sub-step: adds the impulses of the last sub-step to those of the pass, and sets half of
    /// each aside for the kicks.
    fn add_up(&mut self, is_first: bool, h: f64) {
        for impulses in &mut self.joint_impulses {
            if !is_first {
                impulses.add_up();
            }
            impulses.halve();
        }
        self.gears.iter_mut().for_each(GearRow::halve);
        for row in &mut self.rows {
            if !is_first {
                row.add_up();
            }
            row.halve(&self.moving, h);
        }
    }

    /// Applies gravity for `seconds`, and half the impulses of the last sub-step.
    fn kick(&mut self, joints: &[Joint], gravity: DVec3, seconds: f64) {
        for body in &mut self.moving {
            body.accelerate(gravity, seconds);
        }
        for (index, (joint, impulses)) in joints.iter().zip(&self.joint_impulses).enumerate() {
            if self.mechanisms.holds(index) {
                joint_rows::warm_start_friction(joint, impulses, &mut self.moving);
            } else {
                joint_rows::warm_start(joint, impulses, &mut self.moving);
            }
        }
        self.mechanisms.warm_start(&mut self.moving, &self.joint_impulses);
        for gear in &self.gears {
            gear.warm_start((joints, &self.joint_impulses), &mut self.moving);
        }
        for row in &self.rows {
            row.warm_start(&mut self.moving);
        }
    }

    /// Iterates over all rows, then solves the rows of loads in further iterations.
    fn solve_rows(&mut self, joints: &[Joint], context: &RowContext, half: Half) {
        let relax = half == Half::Relax;
        self.mechanisms.begin(half, &self.joint_impulses);
        for _ in 0..context.settings.iterations {
            for (index, (joint, impulses)) in joints.iter().zip(&mut self.joint_impulses).enumerate() {
                if !self.mechanisms.holds(index) {
                    joint_rows::solve(joint, impulses, &mut self.moving, context, half);
                } else if relax {
                    joint_rows::solve_friction(joint, impulses, &mut self.moving, context.h);
                }
            }
            for index in 0..self.mechanisms.count() {
                self.mechanisms.solve(index, &mut self.moving);
            }
            for gear in &mut self.gears {
                gear.solve((joints, &self.joint_impulses), &mut self.moving, context, relax);
            }
            for row in &mut self.rows {
                row.solve_normal(&mut self.moving, context, relax);
            }
            if relax {
                for row in &mut self.rows {
                    row.solve_friction(&mut self.moving);
                }
            }
        }
        let (contacts, impulses) = (&mut self.rows, &mut self.joint_impulses);
        let mut rows = Rows { contacts, joints, impulses, mechanisms: &mut self.mechanisms };
        self.further.solve(&self.loads, &mut rows, &mut self.moving, context, half);
    }
}
