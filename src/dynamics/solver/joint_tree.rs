//! Bodies connected by joints: finds the joints of each mechanism (joints that are solved directly
//! together), and the order in which these joints are eliminated.
//!
//! A depth-first search over the joints begins at a body that is joined to an immovable body. Each
//! joint comes after all joints beyond its farther body (leaves first), so that elimination creates few
//! new nonzero entries.

use std::ops::Range;

use glam::DVec3;

use super::joint_aims::count_rows;
use super::joint_frames::Frames;
use super::mechanism_rows::Shared;
use super::moving::Moving;
use crate::arrays::MapEach;
use crate::body::Joint;

/// Largest number of products in the factorization of a mechanism. They take about a millisecond.
const MOST_PRODUCTS: usize = 1_000_000;
/// Number of products per joint that is allowed for any number of joints. A chain has 400.
const MOST_PER_JOINT: usize = 1000;

/// Connected joints, and the bodies that they move.
pub(super) struct Mechanism {
    /// Range within [`JointTree::order`].
    pub joints: Range<usize>,
    /// Range within [`JointTree::bodies`].
    pub bodies: Range<usize>,
    /// Mass of all bodies, kg.
    pub mass: f64,
    /// Approximate moment of inertia of all bodies about their farthest point, kg·m².
    pub inertia: f64,
}

/// A body on the path of the depth-first search.
struct Visit {
    body: usize,
    /// Joint from the previous body; `usize::MAX` for the first.
    came_by: usize,
    /// Position of the next joint to follow in the list of incident joints.
    next: usize,
}

/// Mechanisms of a pass, with the order of elimination of their joints.
#[derive(Default)]
pub(super) struct JointTree {
    pub mechanisms: Vec<Mechanism>,
    /// Indices of joints, in the order of elimination.
    pub order: Vec<usize>,
    /// First position in the order whose joint shares a movable body with the joint at each position.
    pub first: Vec<usize>,
    /// Bodies of the joint at each position in the order.
    pub ends: Vec<[usize; 2]>,
    /// Movable bodies of all mechanisms, grouped by mechanism.
    pub bodies: Vec<usize>,
    /// First and farthest body of each mechanism that is too large to be solved directly.
    pub too_large: Vec<[usize; 2]>,
    /// True if a joint is part of a mechanism; by joint.
    is_held: Vec<bool>,
    is_visited: Vec<bool>,
    /// Start of each body's joints within `incident`.
    starts: Vec<usize>,
    /// Joints of each movable body, grouped by body.
    incident: Vec<usize>,
    /// Bodies from the start of the search to the present body.
    path: Vec<Visit>,
    /// First position in the order at which a joint of each body is.
    earliest: Vec<usize>,
    /// First row of the joint at each position, counted within its mechanism.
    begins: Vec<usize>,
}

impl JointTree {
    /// Finds the mechanisms.
    pub fn find(&mut self, moving: &[Moving], joints: &[Joint]) {
        self.clear();
        self.is_held.resize(joints.len(), false);
        if joints.is_empty() {
            return;
        }
        self.is_visited.clear();
        self.is_visited.resize(moving.len(), false);
        self.earliest.clear();
        self.earliest.resize(moving.len(), usize::MAX);
        self.list_incident(moving, joints);
        for at_fixed in [true, false] {
            for joint in joints {
                let Some([a, b]) = Frames::ends(joint, moving) else { continue };
                let is_fixed = [a, b].map_each(|body| moving[body].inverse_mass == 0.0);
                if is_fixed.contains(&true) == at_fixed {
                    self.add(if is_fixed[0] { b } else { a }, moving, joints);
                }
            }
        }
    }

    fn clear(&mut self) {
        self.mechanisms.clear();
        self.order.clear();
        self.first.clear();
        self.ends.clear();
        self.bodies.clear();
        self.is_held.clear();
        self.too_large.clear();
    }

    pub fn holds(&self, joint: usize) -> bool {
        self.is_held.get(joint).is_some_and(|held| *held)
    }

    /// Returns which movable bodies the joints at positions `place` and `other` have in common.
    pub fn shared(&self, place: usize, other: usize) -> Shared {
        let others = self.ends[other];
        self.ends[place]
            .map_each(|own| others.map_each(|body| body == own && self.earliest[body] < usize::MAX))
    }

    /// Adds the mechanism that contains `root`, unless it is too large.
    fn add(&mut self, root: usize, moving: &[Moving], joints: &[Joint]) {
        if self.is_visited[root] {
            return;
        }
        let (from, bodies_from) = (self.order.len(), self.bodies.len());
        self.walk(root, moving, joints);
        let products = self.find_first(from, moving, joints);
        if products <= MOST_PRODUCTS.max(MOST_PER_JOINT * (self.order.len() - from)) {
            let (joints_of, bodies) = (from..self.order.len(), bodies_from..self.bodies.len());
            let (mass, inertia) = self.weigh(&joints_of, &bodies, moving, joints);
            self.mechanisms.push(Mechanism { joints: joints_of, bodies, mass, inertia });
        } else {
            self.order[from..].iter().for_each(|&joint| self.is_held[joint] = false);
            self.order.truncate(from);
            self.ends.truncate(from);
            self.first.truncate(from);
            self.too_large.push([root, self.bodies[bodies_from]]);
            self.bodies.truncate(bodies_from);
        }
    }

    /// Computes the bodies and the first position of all joints from position `from` on. Returns the
    /// number of products in the factorization of their rows.
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

    /// Returns the mass of a mechanism's bodies, kg, and their approximate moment of inertia about
    /// their farthest point, kg·m².
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
            let [a, b] = Frames::own_slots(joint, moving).map_each(|body| &moving[body]);
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

    /// Appends all joints connected to `root`, leaves first, and the bodies.
    fn walk(&mut self, root: usize, moving: &[Moving], joints: &[Joint]) {
        self.is_visited[root] = true;
        self.path.push(Visit { body: root, came_by: usize::MAX, next: self.starts[root] });
        while let Some(visit) = self.path.last_mut() {
            let body = visit.body;
            if visit.next < self.starts[body + 1] {
                let joint = self.incident[visit.next];
                visit.next += 1;
                let [a, b] = Frames::slots(&joints[joint], moving);
                let other = if a == body { b } else { a };
                if moving[other].inverse_mass > 0.0 && !self.is_visited[other] {
                    self.is_visited[other] = true;
                    self.path.push(Visit { body: other, came_by: joint, next: self.starts[other] });
                }
                continue;
            }
            let came_by = visit.came_by;
            self.path.pop();
            self.leave(body, came_by);
        }
    }

    /// Appends the joints of a body after those of all bodies that hang from it: first the joints that
    /// close loops or connect it to an immovable body, then `came_by`, the joint through which the
    /// search came.
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

    /// Lists the joints of each moving body.
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
                // `starts` is shifted by one entry until all joints are listed.
                self.incident[self.starts[body + 1]] = index;
                self.starts[body + 1] += 1;
            }
        }
    }
}
