//! Groups of bodies that welds connect, and the spanning tree of each group.

use std::ops::Range;

use super::joint_frames::Frames;
use super::moving::Moving;
use crate::arrays::MapEach;
use crate::body::{Joint, WORLD};
use crate::unions::Unions;

/// Largest error of a weld whose bodies move as one: rad, or a share of the distance of the two bodies.
const FITS: f64 = 1e-6;

/// Body that no impulse moves, or the world.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Obstacle {
    World,
    Body(usize),
}

/// Weld between two bodies that move as one.
#[derive(Clone, Copy)]
pub(super) struct Link {
    /// Index of the joint.
    pub joint: usize,
    pub child: usize,
    /// The other body; `None` for an obstacle.
    pub parent: Option<usize>,
}

/// Bodies that move as one.
pub(super) struct Group {
    /// Range within [`WeldGroups::bodies`].
    pub bodies: Range<usize>,
    /// Obstacle that carries the group.
    pub obstacle: Option<Obstacle>,
}

/// Groups of a pass, with their buffers.
#[derive(Default)]
pub(super) struct WeldGroups {
    pub groups: Vec<Group>,
    /// Movable bodies, grouped.
    pub bodies: Vec<usize>,
    /// Spanning trees of the groups, each parent before its children. A weld that closes a loop is not in
    /// the list.
    pub links: Vec<Link>,
    sets: Unions,
    /// Welds whose frames coincide: index of the joint, and its bodies.
    welds: Vec<(usize, [u32; 2])>,
    /// Bodies of the other welds.
    misfits: Vec<[u32; 2]>,
    /// Obstacle of each body's set, by root.
    obstacles: Vec<Option<Obstacle>>,
    /// True if the bodies of a set cannot move as one, by root.
    is_apart: Vec<bool>,
    /// Start of each body's welds within `incident`.
    starts: Vec<usize>,
    /// Positions in `welds`, grouped by body.
    incident: Vec<usize>,
    is_reached: Vec<bool>,
}

impl WeldGroups {
    /// Finds the groups from the joints of all bodies in `moving`. Returns whether there are any.
    pub fn find(&mut self, moving: &[Moving], joints: &[Joint]) -> bool {
        self.groups.clear();
        self.bodies.clear();
        self.links.clear();
        self.welds.clear();
        self.misfits.clear();
        for (index, joint) in joints.iter().enumerate().filter(|(_, joint)| joint.is_weld()) {
            if fits(joint, moving) {
                self.welds.push((index, [joint.a, joint.b]));
            } else {
                self.misfits.push([joint.a, joint.b]);
            }
        }
        if self.welds.is_empty() {
            return false;
        }
        self.unite(moving);
        self.list_incident(moving.len());
        self.is_reached.clear();
        self.is_reached.resize(moving.len(), false);
        // Trees begin at obstacles.
        for position in 0..self.welds.len() {
            let (joint, ends) = self.welds[position];
            for (child, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                let carries = is_movable(child, moving) && !is_movable(other, moving);
                if carries && !self.is_reached[child as usize] && !self.is_apart(child) {
                    self.links.push(Link { joint, child: child as usize, parent: None });
                    self.reach(child as usize, moving);
                }
            }
        }
        for position in 0..self.welds.len() {
            let (_, [a, b]) = self.welds[position];
            if [a, b].iter().all(|&body| is_movable(body, moving))
                && !self.is_reached[a as usize]
                && !self.is_apart(a)
            {
                self.reach(a as usize, moving);
            }
        }
        !self.groups.is_empty()
    }

    /// Unites the bodies that welds connect, and finds the sets that cannot move as one.
    fn unite(&mut self, moving: &[Moving]) {
        self.sets.begin(moving.len());
        for &(_, [a, b]) in &self.welds {
            if is_movable(a, moving) && is_movable(b, moving) {
                self.sets.unite(a, b);
            }
        }
        self.sets.settle();
        self.obstacles.clear();
        self.obstacles.resize(moving.len(), None);
        self.is_apart.clear();
        self.is_apart.resize(moving.len(), false);
        for position in 0..self.welds.len() {
            let (_, ends) = self.welds[position];
            match ends.map_each(|body| is_movable(body, moving)) {
                [true, true] => {
                    let [a, b] = ends.map_each(|body| moving[body as usize].gravity_factor);
                    self.is_apart[self.sets.settled(ends[0]) as usize] |= a != b;
                }
                [true, false] => self.carry(ends[0], ends[1], moving),
                [false, true] => self.carry(ends[1], ends[0], moving),
                [false, false] => {}
            }
        }
        // A weld that contradicts those of a group must be able to act.
        for &[a, b] in &self.misfits {
            let root = |body: u32| is_movable(body, moving).then(|| self.sets.settled(body) as usize);
            match (root(a), root(b)) {
                (Some(a), Some(b)) => self.is_apart[a] |= a == b,
                (Some(root), None) | (None, Some(root)) => {
                    self.is_apart[root] |= self.obstacles[root].is_some()
                }
                (None, None) => {}
            }
        }
    }

    /// Notes an obstacle that a body's set is welded to. Obstacles that stand still count as one.
    fn carry(&mut self, body: u32, obstacle: u32, moving: &[Moving]) {
        let root = self.sets.settled(body) as usize;
        let drives = |obstacle| matches!(obstacle, Obstacle::Body(body) if moving[body].is_driven());
        let new = if obstacle == WORLD { Obstacle::World } else { Obstacle::Body(obstacle as usize) };
        match self.obstacles[root] {
            None => self.obstacles[root] = Some(new),
            Some(before) => self.is_apart[root] |= before != new && (drives(before) || drives(new)),
        }
    }

    fn is_apart(&self, body: u32) -> bool {
        self.is_apart[self.sets.settled(body) as usize]
    }

    /// Lists the welds of each body.
    fn list_incident(&mut self, bodies: usize) {
        self.starts.clear();
        self.starts.resize(bodies + 2, 0);
        let ends = |&(_, ends): &(usize, [u32; 2])| ends.into_iter().filter(|&end| end != WORLD);
        for body in self.welds.iter().flat_map(ends) {
            self.starts[body as usize + 2] += 1;
        }
        for body in 2..self.starts.len() {
            self.starts[body] += self.starts[body - 1];
        }
        self.incident.clear();
        self.incident.resize(self.starts[bodies + 1], 0);
        for (at, weld) in self.welds.iter().enumerate() {
            for body in ends(weld) {
                // `starts` is shifted by one entry until all welds are listed.
                let start = &mut self.starts[body as usize + 1];
                self.incident[*start] = at;
                *start += 1;
            }
        }
    }

    /// Appends the group of a body, nearest bodies first, and its links.
    fn reach(&mut self, first: usize, moving: &[Moving]) {
        let from = self.bodies.len();
        self.is_reached[first] = true;
        self.bodies.push(first);
        let mut next = from;
        while let Some(&body) = self.bodies.get(next) {
            next += 1;
            for at in self.starts[body]..self.starts[body + 1] {
                let (joint, [a, b]) = self.welds[self.incident[at]];
                let other = if a as usize == body { b } else { a };
                if is_movable(other, moving) && !self.is_reached[other as usize] {
                    self.is_reached[other as usize] = true;
                    self.bodies.push(other as usize);
                    self.links.push(Link { joint, child: other as usize, parent: Some(body) });
                }
            }
        }
        let obstacle = self.obstacles[self.sets.settled(first as u32) as usize];
        self.groups.push(Group { bodies: from..self.bodies.len(), obstacle });
    }
}

/// Returns whether impulses move and rotate a body.
fn is_movable(body: u32, moving: &[Moving]) -> bool {
    body != WORLD && moving[body as usize].mean_inertia() > 0.0
}

/// Returns whether a weld's bodies are valid, one of them is movable, and its frames coincide.
fn fits(joint: &Joint, moving: &[Moving]) -> bool {
    let ends = [(joint.a, &joint.frame_a), (joint.b, &joint.frame_b)].map(|(body, frame)| {
        let body = moving.get(body as usize).unwrap_or(&Moving::WORLD);
        (body, body.carry_point(frame.position))
    });
    let [(a, origin_a), (b, origin_b)] = ends;
    let apart = origin_a.distance(origin_b);
    let size = origin_a.distance(a.center) + origin_b.distance(b.center);
    let turned = Frames::relative(joint, [a, b]).xyz().length();
    let is_one_movable = is_movable(joint.a, moving) || is_movable(joint.b, moving);
    joint.a != joint.b
        && is_one_movable
        && a.is_present
        && b.is_present
        && apart <= FITS * size
        && 2.0 * turned <= FITS
}
