//! Bodies connected by joints: finds the joints of each mechanism, and the order in which they are
//! eliminated.
//!
//! A depth-first walk over the joints begins at a body that is joined to an immovable one. A joint
//! follows all joints beyond its farther body (leaves first), so that elimination creates few new
//! entries.

use std::ops::Range;

use glam::DVec3;

use super::joint_aims::count_rows;
use super::joint_frames::Frames;
use super::mechanism_rows::Shared;
use super::moving::Moving;
use crate::arrays::MapEach;
use crate::body::Joint;

/// Time (s) for which a freely hanging mechanism must be loaded to count as loaded; an impact is
/// shorter.
const SHOCK: f64 = 0.03;
/// Largest number of products in the factorization of a mechanism: about a millisecond.
const MOST_PRODUCTS: usize = 1_000_000;

/// Connected joints, and the bodies that they move.
pub(super) struct Mechanism {
    /// Range within [`JointTree::order`].
    pub joints: Range<usize>,
    /// Range within [`JointTree::bodies`].
    pub bodies: Range<usize>,
    /// Mass of all bodies, kg, and approximate moment of inertia about their farthest point, kg·m².
    pub mass: f64,
    pub inertia: f64,
}

/// Signs of a load.
#[derive(Default)]
pub(super) struct Signs {
    /// Time for which a load has pulled a joint, s; by joint.
    pub loaded_for: Vec<f64>,
    /// Whether a body touches a much heavier one; by body.
    pub is_pressed: Vec<bool>,
    /// Multiple of its own mass that is a load for a body from which it hangs.
    pub load_ratio: f64,
}

/// A body on the path of a walk.
struct Visit {
    body: usize,
    /// Joint from the previous body; `usize::MAX` for the first.
    came_by: usize,
    /// Position of its next joint in the list of incident joints.
    next: usize,
    /// Mass found so far that hangs from it, kg.
    hangs: f64,
}

impl Visit {
    fn new(body: usize, came_by: usize, next: usize) -> Self {
        Self { body, came_by, next, hangs: 0.0 }
    }
}

/// The mechanisms of a pass, with the order of elimination of their joints.
#[derive(Default)]
pub(super) struct JointTree {
    pub mechanisms: Vec<Mechanism>,
    /// Indices of joints, in the order of elimination.
    pub order: Vec<usize>,
    /// First position in the order whose joint shares a moving body with the joint at each position.
    pub first: Vec<usize>,
    /// Bodies of the joint at each position.
    ends: Vec<[usize; 2]>,
    pub bodies: Vec<usize>,
    /// Whether a joint is in the order; by joint.
    is_held: Vec<bool>,
    is_visited: Vec<bool>,
    /// Start of each body's joints within `incident`.
    starts: Vec<usize>,
    incident: Vec<usize>,
    /// Bodies from the first of the walk to the present one.
    path: Vec<Visit>,
    /// First position in the order of a joint of each body.
    earliest: Vec<usize>,
    /// First row of the joint at each position within a mechanism.
    begins: Vec<usize>,
}

impl JointTree {
    /// Finds the loaded mechanisms: those with a joint that a load pulls, and those joined to an
    /// immovable body in which a heavy body touches a light one or hangs from it. Returns the number of
    /// loaded mechanisms that are too large.
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

    /// Returns which moving bodies the joints at two positions have in common.
    pub fn shared(&self, place: usize, other: usize) -> Shared {
        let others = self.ends[other];
        self.ends[place]
            .map_each(|own| others.map_each(|body| body == own && self.earliest[body] < usize::MAX))
    }

    /// Adds the mechanism of a body if it is loaded. Returns false if it is loaded and too large.
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

    /// Finds the bodies and the first position of all joints from a position on. Returns the number of
    /// products in the factorization of their rows.
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

    /// Returns the mass of a mechanism's bodies, kg, and their approximate moment of inertia, kg·m².
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

    /// Appends all joints connected to a body, leaves first, and the bodies. Returns whether a heavy
    /// body touches one of these, or hangs from it.
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

    /// Leaves a body after all that hangs from it was appended: appends the joints that close loops or
    /// connect it to an immovable body, then the joint by which the walk came.
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
