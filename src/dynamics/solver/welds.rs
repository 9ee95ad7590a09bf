//! Welded bodies: bodies connected by joints that leave no motion between them. They move as one body, a
//! compound, or with an obstacle: a body that no impulse moves. So a weld costs nothing and never yields.
//!
//! The compounds of a pass come after the bodies in the solver's list, before the world. Rows act on
//! compounds and obstacles; the members only follow. A weld is solved like other joints while its frames do
//! not coincide. So are all welds of a group that another weld contradicts, that is welded to two obstacles
//! of which one moves, or whose bodies have different gravity factors.

use glam::{DMat3, DQuat, DVec3};

use super::moving::Moving;
use super::weld_groups::{Link, Obstacle, WeldGroups};
use crate::body::{Bodies, BodyState, Joint};

/// Body that follows a compound or an obstacle.
#[derive(Clone, Copy)]
struct Member {
    body: usize,
    /// Vector from the leader's center to the body's, m, and rotation of the body; axes of the leader.
    arm: DVec3,
    turn: DQuat,
}

impl Member {
    fn new(body: usize, leader: usize, moving: &[Moving]) -> Self {
        let (own, leader) = (&moving[body], &moving[leader]);
        let back = leader.rotation.conjugate();
        Self { body, arm: back * (own.center - leader.center), turn: back * own.rotation }
    }

    fn place(&self, moving: &mut [Moving]) {
        let leader = moving[moving[self.body].moves_as];
        let own = &mut moving[self.body];
        let arm = leader.rotation * self.arm;
        own.center = leader.center + arm;
        own.rotation = (leader.rotation * self.turn).normalize();
        own.linear = leader.velocity_at(arm);
        own.angular = leader.angular;
    }
}

/// Bodies that move as one.
struct Compound {
    /// Inertia about the center of mass and its inverse, axes of the compound, kg·m².
    inertia: [DMat3; 2],
    /// Distance of the farthest point from the center, m.
    radius: f64,
    /// Index of the first of its bodies.
    first: usize,
}

/// Welded bodies of a pass, with their buffers.
#[derive(Default)]
pub(super) struct Welds {
    groups: WeldGroups,
    compounds: Vec<Compound>,
    members: Vec<Member>,
    /// Index in `members` of each body; `usize::MAX` for other bodies. Empty without welds.
    member_of: Vec<usize>,
    /// Number of bodies.
    bodies: usize,
}

impl Welds {
    /// Finds the welded bodies. Appends their compounds, and then the world, to `moving`, which holds the
    /// bodies.
    pub fn begin(&mut self, moving: &mut Vec<Moving>, joints: &[Joint], bodies: &Bodies) {
        self.bodies = moving.len();
        self.compounds.clear();
        self.members.clear();
        self.member_of.clear();
        let has_welds = self.groups.find(moving, joints);
        for group in 0..self.groups.groups.len() {
            self.make_compound(group, moving, bodies);
        }
        moving.push(Moving::WORLD);
        if !has_welds {
            return;
        }
        self.member_of.resize(self.bodies, usize::MAX);
        let mut compound = self.bodies;
        for group in &self.groups.groups {
            let leader = match group.obstacle {
                Some(Obstacle::World) => moving.len() - 1,
                Some(Obstacle::Body(body)) => body,
                None => {
                    compound += 1;
                    compound - 1
                }
            };
            for &body in &self.groups.bodies[group.bodies.clone()] {
                self.member_of[body] = self.members.len();
                self.members.push(Member::new(body, leader, moving));
                let inverse_mass = moving[leader].inverse_mass;
                moving[body].follow(leader, inverse_mass);
            }
        }
        self.place(moving);
    }

    /// Appends the compound of a group that no obstacle carries.
    fn make_compound(&mut self, group: usize, moving: &mut Vec<Moving>, bodies: &Bodies) {
        let group = &self.groups.groups[group];
        if group.obstacle.is_some() {
            return;
        }
        let own = &self.groups.bodies[group.bodies.clone()];
        let (mut mass, mut center, mut momentum) = (0.0, DVec3::ZERO, DVec3::ZERO);
        for &body in own {
            let of = &moving[body];
            let own = 1.0 / of.inverse_mass;
            mass += own;
            center += own * of.center;
            momentum += own * of.linear;
        }
        center /= mass;
        let (mut inertia, mut spin, mut radius) = (DMat3::ZERO, DVec3::ZERO, 0.0_f64);
        for &body in own {
            let (of, state) = (&moving[body], &bodies.states[body]);
            let (own, arm) = (1.0 / of.inverse_mass, of.center - center);
            let turning = world_inertia(of, state);
            inertia += turning + own * (arm.length_squared() * DMat3::IDENTITY - outer(arm));
            spin += turning * of.angular + own * arm.cross(of.linear);
            radius = radius.max(arm.length() + bodies.infos[body].radius);
        }
        let inverse = inertia.inverse();
        let velocities = [momentum / mass, inverse * spin];
        let made = moving[own[0]].compound(moving.len(), center, velocities, (1.0 / mass, inverse));
        self.compounds.push(Compound { inertia: [inertia, inverse], radius, first: own[0] });
        moving.push(made);
    }

    /// Moves all members to the poses and velocities of their leaders.
    pub fn place(&self, moving: &mut [Moving]) {
        for member in &self.members {
            member.place(moving);
        }
    }

    /// Moves a body to the pose and velocity of its leader, if it has one.
    pub fn place_body(&self, body: usize, moving: &mut [Moving]) {
        if let Some(&member) = self.member_of.get(body).filter(|&&member| member < usize::MAX) {
            self.members[member].place(moving);
        }
    }

    /// Advances the compounds by `h` seconds. Returns the first body of each whose spin was cut, with the
    /// spin before the cut, rad/s.
    pub fn advance(&self, moving: &mut [Moving], h: f64) -> impl Iterator<Item = (usize, f64)> {
        self.compounds.iter().zip(&mut moving[self.bodies..]).filter_map(move |(compound, body)| {
            let spin = body.advance(&compound.inertia, compound.radius, h)?;
            Some((compound.first, spin))
        })
    }

    /// Returns the inertia of a body or compound and its inverse, own axes, kg·m².
    pub fn inertia(&self, index: usize, states: &[BodyState]) -> [DMat3; 2] {
        match states.get(index) {
            Some(state) => [state.inertia, state.inverse_inertia],
            None => self.compounds[index - self.bodies].inertia,
        }
    }

    /// Returns the body that stands for an index of the solver's list: the first body of a compound, and
    /// the index after the last body for the world.
    pub fn body_of(&self, index: usize) -> usize {
        match index.checked_sub(self.bodies) {
            Some(compound) => self.compounds.get(compound).map_or(self.bodies, |compound| compound.first),
            None => index,
        }
    }

    /// Returns the welds of the spanning trees, each parent before its children.
    pub fn links(&self) -> &[Link] {
        &self.groups.links
    }
}

fn world_inertia(body: &Moving, state: &BodyState) -> DMat3 {
    let rotation = DMat3::from_quat(body.rotation);
    rotation * state.inertia * rotation.transpose()
}

fn outer(a: DVec3) -> DMat3 {
    DMat3::from_cols(a.x * a, a.y * a, a.z * a)
}
