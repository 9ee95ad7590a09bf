//! Bodies that joints hold together: which joints form a mechanism, and in which order they are eliminated.
//!
//! A walk over the joints begins at a body that is held by what does not move. A joint follows after all
//! that hang from its farther body (leaves first), so that elimination fills in little.

use std::ops::Range;

use glam::DVec3;

use super::joint_aims::count_rows;
use super::joint_frames::Frames;
use super::mechanism_rows::Shared;
use super::moving::Moving;
use crate::arrays::MapEach;
use crate::body::Joint;

/// s; what hangs together freely is no mechanism under load while it is only knocked about.
const SHOCK: f64 = 0.03;
/// Products that factorising a mechanism may take: about a millisecond.
const MOST_PRODUCTS: usize = 1_000_000;

/// Joints that hang together, and the bodies they move.
pub(super) struct Mechanism {
    /// Within [`JointTree::order`].
    pub joints: Range<usize>,
    /// Within [`JointTree::bodies`].
    pub bodies: Range<usize>,
    /// The mass of all bodies, kg, and about their moment of inertia about their farthest point, kg·m².
    pub mass: f64,
    pub inertia: f64,
}

/// Signs of a load.
#[derive(Default)]
pub(super) struct Signs {
    /// By joint: for how long it has been pulled by one, s.
    pub loaded_for: Vec<f64>,
    /// By body: whether it touches a much heavier one.
    pub is_pressed: Vec<bool>,
    /// How many times its own mass is a load to a body that it hangs from.
    pub load_ratio: f64,
}

/// A body on the path of a walk.
struct Visit {
    body: usize,
    /// The joint from the body before it; none for the first.
    came_by: usize,
    /// Where its next joint stands in the list of incident ones.
    next: usize,
    /// What has been found to hang from it, kg.
    hangs: f64,
}

impl Visit {
    fn new(body: usize, came_by: usize, next: usize) -> Self {
        Self { body, came_by, next, hangs: 0.0 }
    }
}

#[derive(Default)]
pub(super) struct JointTree {
    pub mechanisms: Vec<Mechanism>,
    /// Indices of joints.
    pub order: Vec<usize>,
    /// By place in the order: the first place whose joint moves a body of this one.
    pub first: Vec<usize>,
    /// Ends of the joint at each place.
    ends: Vec<[usize; 2]>,
    pub bodies: Vec<usize>,
    /// By joint: whether it is in the order.
    is_held: Vec<bool>,
    is_visited: Vec<bool>,
    /// By body: where its joints begin within `incident`.
    starts: Vec<usize>,
    incident: Vec<usize>,
    /// The bodies between the walk's first and where it is.
    path: Vec<Visit>,
    /// By body: the first place of the order with a joint of it.
    earliest: Vec<usize>,
    /// By place within a mechanism: its first row.
    begins: Vec<usize>,
}

impl JointTree {
    /// Finds the mechanisms with a joint that is pulled by a load, and those that hold on to what does not
    /// move and have a body that a heavy one touches or hangs from. Returns how many of them are too large.
    pub fn find(&mut self, moving: &[Moving], joints: &[Joint], signs: &Signs) -> u64 {
        self.clear();
        self.is_held.resize(joints.len(), false);
        let mut may_bear = false;
        for (index, joint) in joints.iter().enumerate() {
            let ends = Frames::ends(joint, moving);
            let is_fixed = ends.is_some_and(|ends| ends.iter().any(|&end| moving[end].inverse_mass == 0.0));
            may_bear |= is_fixed || ends.is_some() && signs.loaded_for[index] > SHOCK;
        }
        if !may_bear {
            return 0;
        }
        self.is_visited.clear();
        self.is_visited.resize(moving.len(), false);
        self.earliest.clear();
        self.earliest.resize(moving.len(), usize::MAX);
        self.list_incident(moving, joints);
        let mut too_large = 0;
        for at_fixed in [true, false] {
            for joint in joints {
                let Some([a, b]) = Frames::ends(joint, moving) else { continue };
                let is_fixed = [a, b].map_each(|body| moving[body].inverse_mass == 0.0);
                if is_fixed.contains(&true) == at_fixed {
                    let root = if is_fixed[0] { b } else { a };
                    too_large += u64::from(!self.add((root, at_fixed), moving, joints, signs));
                }
            }
        }
        too_large
    }

    fn clear(&mut self) {
        self.mechanisms.clear();
        self.order.clear();
        self.first.clear();
        self.ends.clear();
        self.bodies.clear();
        self.is_held.clear();
    }

    pub fn holds(&self, joint: usize) -> bool {
        self.is_held.get(joint).is_some_and(|held| *held)
    }

    /// Which bodies that move the joints at two places have in common.
    pub fn shared(&self, place: usize, other: usize) -> Shared {
        let others = self.ends[other];
        self.ends[place]
            .map_each(|own| others.map_each(|body| body == own && self.earliest[body] < usize::MAX))
    }

    /// Adds the mechanism of a body, if it bears a load. Returns false if it does and is too large.
    fn add(
        &mut self,
        (root, is_fixed): (usize, bool),
        moving: &[Moving],
        joints: &[Joint],
        signs: &Signs,
    ) -> bool {
        if self.is_visited[root] {
            return true;
        }
        let (from, bodies_from) = (self.order.len(), self.bodies.len());
        let carries = self.walk(root, moving, joints, signs);
        let least_time = if is_fixed { 0.0 } else { SHOCK };
        let bears = |joint: &usize| signs.loaded_for[*joint] > least_time;
        let is_loaded = is_fixed && carries || self.order[from..].iter().any(bears);
        let is_small = self.find_first(from, moving, joints) <= MOST_PRODUCTS;
        if is_loaded && is_small {
            let (joints_of, bodies) = (from..self.order.len(), bodies_from..self.bodies.len());
            let (mass, inertia) = self.weigh(&joints_of, &bodies, moving, joints);
            self.mechanisms.push(Mechanism { joints: joints_of, bodies, mass, inertia });
        } else {
            self.order[from..].iter().for_each(|&joint| self.is_held[joint] = false);
            self.order.truncate(from);
            self.ends.truncate(from);
            self.first.truncate(from);
            self.bodies.truncate(bodies_from);
        }
        is_small || !is_loaded
    }

    /// Finds the ends and the first place of all joints from a place on. Returns how many products it takes
    /// to factorise their rows.
    fn find_first(&mut self, from: usize, moving: &[Moving], joints: &[Joint]) -> usize {
        let (mut products, mut row) = (0, 0);
        self.begins.clear();
        for place in from..self.order.len() {
            let joint = &joints[self.order[place]];
            let [a, b] = Frames::slots(joint, moving);
            let mut first = place;
            for body in [a, b].into_iter().filter(|&body| moving[body].inverse_mass > 0.0) {
                self.earliest[body] = self.earliest[body].min(place);
                first = first.min(self.earliest[body]);
            }
            self.ends.push([a, b]);
            self.first.push(first);
            self.begins.push(row);
            let count = count_rows(joint);
            row += count;
            let width = row - self.begins[first - from];
            products += count * width * width / 2;
        }
        products
    }

    fn weigh(
        &self,
        places: &Range<usize>,
        bodies: &Range<usize>,
        moving: &[Moving],
        joints: &[Joint],
    ) -> (f64, f64) {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for place in places.clone() {
            let joint = &joints[self.order[place]];
            let [a, b] = self.ends[place].map_each(|body| &moving[body]);
            let anchors = [a.carry_point(joint.frame_a.position), b.carry_point(joint.frame_b.position)];
            for point in anchors {
                (low, high) = (low.min(point), high.max(point));
            }
        }
        let (mut mass, mut inertia) = (0.0, 0.0);
        for &body in &self.bodies[bodies.clone()] {
            let body = &moving[body];
            (low, high) = (low.min(body.center), high.max(body.center));
            mass += 1.0 / body.inverse_mass;
            inertia += body.mean_inertia();
        }
        (mass, inertia + mass * (high - low).length_squared())
    }

    /// Appends all joints that hang together with a body, leaves first, and the bodies. Returns whether a
    /// heavy one touches one of these, or hangs from it.
    fn walk(&mut self, root: usize, moving: &[Moving], joints: &[Joint], signs: &Signs) -> bool {
        let mut is_loaded = false;
        self.is_visited[root] = true;
        self.path.push(Visit::new(root, usize::MAX, self.starts[root]));
        while let Some(visit) = self.path.last_mut() {
            let body = visit.body;
            if visit.next < self.starts[body + 1] {
                let joint = self.incident[visit.next];
                visit.next += 1;
                let [a, b] = Frames::slots(&joints[joint], moving);
                let other = if a == body { b } else { a };
                if moving[other].inverse_mass > 0.0 && !self.is_visited[other] {
                    self.is_visited[other] = true;
                    self.path.push(Visit::new(other, joint, self.starts[other]));
                }
                continue;
            }
            let Visit { came_by, hangs, .. } = *visit;
            let inverse_mass = moving[body].inverse_mass;
            is_loaded |= signs.is_pressed[body] || hangs * inverse_mass > signs.load_ratio;
            self.path.pop();
            self.leave(body, came_by);
            if let Some(before) = self.path.last_mut() {
                before.hangs += hangs + 1.0 / inverse_mass;
            }
        }
        is_loaded
    }

    /// All that hangs from a body has been placed: now come the joints that close loops or hold on to what
    /// does not move, then the one that the walk came by.
    fn leave(&mut self, body: usize, came_by: usize) {
        for at in self.starts[body]..self.starts[body + 1] {
            let joint = self.incident[at];
            if joint != came_by && !self.is_held[joint] {
                self.is_held[joint] = true;
                self.order.push(joint);
            }
        }
        if came_by < usize::MAX {
            self.is_held[came_by] = true;
            self.order.push(came_by);
        }
        self.bodies.push(body);
    }

    /// Lists the joints of each body that moves.
    fn list_incident(&mut self, moving: &[Moving], joints: &[Joint]) {
        let movable = |joint: &Joint| {
            let ends = Frames::ends(joint, moving);
            ends.into_iter().flatten().filter(|&body| moving[body].inverse_mass > 0.0)
        };
        self.starts.clear();
        self.starts.resize(moving.len() + 2, 0);
        for body in joints.iter().flat_map(movable) {
            self.starts[body + 2] += 1;
        }
        for body in 2..self.starts.len() {
            self.starts[body] += self.starts[body - 1];
        }
        self.incident.clear();
        self.incident.resize(self.starts[moving.len() + 1], 0);
        for (index, joint) in joints.iter().enumerate() {
            for body in movable(joint) {
                // One place on from where the body's begin, until all are listed.
                self.incident[self.starts[body + 1]] = index;
                self.starts[body + 1] += 1;
            }
        }
    }
}
