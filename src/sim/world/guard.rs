//! Tunneling guard: puts back bodies whose core crossed a surface in a pass.
//!
//! Speculative contacts assume the velocities at the start of a pass, so they miss a surface if an
//! impulse deflects a body towards it. The guard tests the cores (interior sample points) of bodies
//! after each pass. A body whose core crossed goes back along its path to where the surfaces did not
//! intersect. If they intersected all along, it is moved until the core is outside. An inelastic
//! impulse removes the velocity into the surface. The guard adds no energy, except by kinematic bodies
//! that push. Cost: a bound of the motion while cores have clearance, else a nearest point per core.

use glam::{DQuat, DVec3};

use super::World;
use super::cores::{CORE_TOLERANCE, CoreCrossing, clearance_of_cores, first_crossed};
use super::events::Event;
use super::guarded::{Found, Guard};
use super::watched::Watch;
use crate::arrays::MapEach;
use crate::body::BodyState;
use crate::contact::{PairContacts, PairRule};
use crate::pose::Pose;
use crate::query::surfaces_intersect;
use crate::tree::{Counts, DescentScratch};

/// Largest number of rounds in which bodies are put back. A crossing that remains after the last round
/// is recorded as a passage.
const ROUNDS: u32 = 8;
/// First round in which bodies go back to the start of their path in the pass.
const LAST_RESORT: u32 = 4;
/// Number of bisection steps that find the part of the path on which two surfaces do not intersect. Six
/// steps give 2 % of the path.
const HALVINGS: u32 = 6;
/// Distance around cores within which surfaces are searched, as a multiple of the motion of this pass.
/// A smaller value makes searches more frequent; a larger one makes each search more costly.
const LOOKED_AHEAD: f64 = 8.0;
/// Least distance of that search, in slops.
const SEEN: f64 = 16.0;
/// Distance beyond a surface up to which a core on its body's surface has not crossed, as a multiple of
/// the depth of the contacts.
const DEEPER: f64 = 1.5;
/// Distance in front of a surface, in slops, to which a core that crossed it is moved: enough to be
/// clearly on that side.
const BEFORE: f64 = 0.01;

impl World {
    /// Puts back bodies that crossed a surface in the pass that ends. Records these bodies, and those
    /// that it could not put back.
    pub(super) fn guard_pass(&mut self) {
        let mut watch = std::mem::take(&mut self.watch);
        watch.guard.begin_rounds(&self.bodies.states);
        let mut round = 0;
        loop {
            self.find_crossings(&mut watch, round == 0);
            if watch.guard.found.is_empty() {
                break;
            }
            watch.guard.end_round();
            for at in 0..watch.guard.found.len() {
                let found = watch.guard.found[at];
                let is_held = round < ROUNDS && self.put_back(&mut watch.guard, found, round >= LAST_RESORT);
                self.name(&mut watch, found, is_held);
            }
            if round >= ROUNDS {
                break;
            }
            round += 1;
        }
        self.counts.guard_tests += watch.guard.test_count;
        self.counts.core_paths += watch.guard.path_count;
        self.watch = watch;
    }

    /// Finds the crossings of pairs with a body that the last round moved; in the first round, of all
    /// pairs.
    fn find_crossings(&mut self, watch: &mut Watch, is_first: bool) {
        watch.guard.found.clear();
        let mut pairs = std::mem::take(&mut self.pairs.active);
        for pair in &mut pairs {
            let two = [pair.a, pair.b].map_each(|b| b as usize);
            if !two.iter().any(|&b| watch.guard.held[b].was_moved) || !self.is_guarded(pair) {
                continue;
            }
            if is_first && self.is_reshaped(pair) {
                pair.clear = None;
            }
            self.find_crossing(watch, pair);
        }
        self.pairs.active = pairs;
    }

    /// Returns whether the two bodies are guarded against passing through each other. Bodies made of
    /// parts are not, because a core may lie in a part that does not collide with the other body.
    fn is_guarded(&self, pair: &PairContacts) -> bool {
        let meets = pair.rule != PairRule::Permanent && !pair.is_in_parts && !self.pairs.is_sensor_pair(pair);
        meets && !self.is_at_rest(pair)
    }

    /// Finds the first crossing of either body's cores. If there is none, stores the distance that the
    /// two bodies may move before one is possible.
    fn find_crossing(&self, watch: &mut Watch, pair: &mut PairContacts) {
        let two = self.two(pair);
        let now = self.b_to_a(pair);
        if pair.is_clear(&now, two) {
            return;
        }
        let Some(surfaces) = self.surfaces(pair) else { return };
        let Watch { cores, guard, .. } = watch;
        let slop = pair.settings.slop;
        // A soft contact bears a load at a depth that does not depend on the slop. A body that comes from one
        // part to the next is as deep in the next at once.
        let borne = [pair.a, pair.b].map_each(|b| self.bearings[b as usize].depth());
        let known = (DEEPER * pair.deepest().max(borne[0]).max(borne[1])).min(pair.settings.travel);
        let tolerance = (CORE_TOLERANCE * slop).max(known);
        guard.test_count += 1;
        let Guard { before, found, stacks, path_count, .. } = guard;
        let [a, b] = [pair.a, pair.b].map_each(|b| &before[b as usize]);
        // A small bound makes this test cheap; a large bound postpones the next test.
        let moved = PairContacts::moved([&b.relative_to(a), &now], two);
        let mut distance = (LOOKED_AHEAD * moved).max(SEEN * slop);
        let found_before = found.len();
        for (body, through, surface) in [(pair.a, pair.b, surfaces[1]), (pair.b, pair.a, surfaces[0])] {
            let ends = [body, through].map_each(|b| b as usize);
            let poses = [ends.map_each(|b| &before[b]), ends.map_each(|b| &self.bodies.states[b].pose)];
            let [from, to] = poses.map_each(|[own, other]| own.relative_to(other));
            let cores = &cores[ends[0]];
            let clearance =
                clearance_of_cores(cores, surface, [&from, &to], (tolerance, distance), &mut stacks.points);
            distance = clearance.distance;
            if !clearance.is_near {
                continue;
            }
            *path_count += cores.len() as u64;
            if let Some(crossing) = first_crossed(cores, surface, poses, tolerance, stacks) {
                found.push(Found { body, through, crossing, slop });
            }
        }
        pair.clear = (found.len() == found_before).then_some((now, distance));
    }

    /// Puts back one or both of two bodies, and removes the velocity at which they approached. Returns
    /// whether at least one of them was free to move.
    fn put_back(&mut self, guard: &mut Guard, found: Found, is_last_resort: bool) -> bool {
        let Found { body, through, crossing, slop } = found;
        let [i, j] = [body, through].map_each(|b| b as usize);
        let is_free = |(b, other): (usize, u32)| {
            let state = &self.bodies.states[b];
            let yields = guard.held[b].pushed_by.is_none_or(|by| by == other);
            state.is_dynamic() && state.is_awake() && yields
        };
        let free = [(i, through), (j, body)].map_each(is_free);
        if free == [false, false] {
            return false;
        }
        let share = if is_last_resort { Some(0.0) } else { self.share_of_way(guard, [i, j], crossing.at) };
        let Some(share) = share else {
            self.part(guard, ([i, j], free), &crossing, slop);
            self.stop_approach([i, j], &crossing);
            return true;
        };
        let stands = |b: usize| guard.before[b] == self.bodies.states[b].pose;
        match free {
            [false, false] => {}
            [true, true] => [i, j].iter().for_each(|&b| self.go_back(guard, b, share)),
            [true, false] if stands(j) => self.go_back(guard, i, share),
            [false, true] if stands(i) => self.go_back(guard, j, share),
            [true, false] => self.push(guard, i, j, share),
            [false, true] => self.push(guard, j, i, share),
        }
        self.stop_approach([i, j], &crossing);
        true
    }

    /// Returns the share of the path of body i in this pass, in the frame of body j, on which their
    /// surfaces do not intersect, at most `until`. `None` if they intersected when the pass began.
    fn share_of_way(&self, guard: &Guard, [i, j]: [usize; 2], until: f64) -> Option<f64> {
        let meshes = [i, j].map_each(|b| self.bodies.infos[b].mesh.map(|m| m as usize));
        let [Some(of_i), Some(of_j)] = meshes else { return Some(0.0) };
        let surfaces = [of_j, of_i].map_each(|m| (&*self.trees[m], &*self.meshes[m]));
        let states = &self.bodies.states;
        let [from, to] =
            [guard.before[i].relative_to(&guard.before[j]), states[i].pose.relative_to(&states[j].pose)];
        let meets = |share: f64, descent: &mut DescentScratch| {
            let pose = between(&from, &to, states[i].center, share);
            surfaces_intersect(surfaces, &pose, descent, &mut Counts::default())
        };
        let descent = &mut self.scratch(0).descent;
        if meets(0.0, descent) {
            return None;
        }
        let (mut free, mut met) = (0.0, until);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (free + met);
            if meets(middle, descent) {
                met = middle;
            } else {
                free = middle;
            }
        }
        Some(free)
    }

    /// Moves a body back along its own path, to the share `share` of the part that it still had.
    fn go_back(&mut self, guard: &mut Guard, body: usize, share: f64) {
        let held = &mut guard.held[body];
        held.share *= share;
        held.is_moved = true;
        let was = self.bodies.states[body].world_center();
        let state = &mut self.bodies.states[body];
        state.pose = between(&guard.before[body], &guard.after[body], state.center, held.share);
        let rise = state.world_center() - was;
        self.pay_for_rise(body, rise);
    }

    /// Reduces the velocity of a body by the potential energy that it gained when it was moved by
    /// `rise`.
    fn pay_for_rise(&mut self, body: usize, rise: DVec3) {
        let state = &mut self.bodies.states[body];
        let risen = -state.gravity_factor * self.gravity.dot(rise);
        let square = state.linear_velocity.length_squared();
        if risen > 0.0 && square > 0.0 {
            state.linear_velocity *= (1.0 - 2.0 * risen / square).max(0.0).sqrt();
        }
    }

    /// Moves two bodies apart, the lighter one farther, until the core is in front of the surface
    /// again. Used if the two intersected along the whole path. Contacts must remove the remaining
    /// overlap.
    fn part(
        &mut self,
        guard: &mut Guard,
        ([i, j], free): ([usize; 2], [bool; 2]),
        crossing: &CoreCrossing,
        slop: f64,
    ) {
        let back = self.bodies.states[j].pose.transform_vector(crossing.back);
        let masses = [i, j].map_each(|b| self.bodies.states[b].inverse_mass);
        let [own, other] = [0, 1].map_each(|k| if free[k] { masses[k] } else { 0.0 });
        let way = (crossing.beyond + BEFORE * slop) * back;
        for (body, share) in [(i, own / (own + other)), (j, -other / (own + other))] {
            if share != 0.0 {
                self.bodies.states[body].pose.position += share * way;
                self.pay_for_rise(body, share * way);
                guard.after[body] = self.bodies.states[body].pose;
                (guard.held[body].share, guard.held[body].is_moved) = (1.0, true);
            }
        }
    }

    /// Moves a body to `share` of its path in the frame of the body `by`, which keeps its pose.
    fn push(&mut self, guard: &mut Guard, body: usize, by: usize, share: f64) {
        let held = &mut guard.held[body];
        (held.pushed_by, held.is_moved) = (Some(by as u32), true);
        let by_pose = self.bodies.states[by].pose;
        let state = &mut self.bodies.states[body];
        let from = guard.before[body].relative_to(&guard.before[by]);
        let to = state.pose.relative_to(&by_pose);
        let seen = between(&from, &to, state.center, share);
        state.pose =
            Pose::new((by_pose.rotation * seen.rotation).normalize(), by_pose.transform_point(seen.position));
    }

    /// Removes the velocity at which a core moves into a surface, by an inelastic impulse.
    fn stop_approach(&mut self, [i, j]: [usize; 2], crossing: &CoreCrossing) {
        let [own, other] = [i, j].map_each(|b| &self.bodies.states[b]);
        let point = own.pose.transform_point(crossing.core);
        let back = other.pose.transform_vector(crossing.back);
        let speed = back.dot(own.velocity_at(point) - other.velocity_at(point));
        let yielding = |state: &BodyState| state.is_dynamic() && state.is_awake();
        let response = |state: &BodyState| {
            let turning = (point - state.world_center()).cross(back);
            state.inverse_mass + turning.dot(state.world_inverse_inertia() * turning)
        };
        let responses = [own, other].map_each(|s| if yielding(s) { response(s) } else { 0.0 });
        let sum = responses[0] + responses[1];
        if speed >= 0.0 || sum <= 0.0 {
            return;
        }
        let impulse = -speed / sum;
        for (body, sign) in [(i, 1.0), (j, -1.0)] {
            let state = &mut self.bodies.states[body];
            if yielding(state) {
                let turning = (point - state.world_center()).cross(back);
                let spin = state.world_inverse_inertia() * turning;
                state.linear_velocity += sign * impulse * state.inverse_mass * back;
                state.angular_velocity += sign * impulse * spin;
            }
        }
    }

    /// Records that a body was put back (`is_held`) or passed through another. If only one of the two
    /// is dynamic, it is the one recorded as moved.
    fn name(&mut self, watch: &mut Watch, Found { body, through, .. }: Found, is_held: bool) {
        let yields = [body, through].map_each(|b| self.bodies.is_dynamic(b));
        let [body, through] = if yields == [false, true] { [through, body] } else { [body, through] };
        let step = self.step_index + 1;
        if is_held {
            if watch.note_held_back((body, through), step, &self.bodies) {
                self.counts.held_back += 1;
                self.events.tell(Event::HeldBack { body, by: through });
            }
        } else if watch.note_passage((body, through), step, &self.bodies) {
            self.counts.passages += 1;
            self.events.tell(Event::PassedThrough { body, through });
        }
    }
}

/// Returns the pose at a share of the path between two poses. The center (body space, m) moves on a
/// straight line.
fn between(from: &Pose, to: &Pose, center: DVec3, share: f64) -> Pose {
    if share == 0.0 {
        return *from;
    }
    let to_rotation = if from.rotation.dot(to.rotation) < 0.0 { -to.rotation } else { to.rotation };
    let rotation: DQuat = from.rotation.slerp(to_rotation, share).normalize();
    let at = from.transform_point(center).lerp(to.transform_point(center), share);
    Pose::new(rotation, at - rotation * center)
}
