//! Loads: finds the rows around light bodies that bear much heavier ones.
//!
//! An iteration over all rows passes a load on by one body. It leaves a share of the load unsolved,
//! about the ratio of the two masses. Two iterations suffice for bodies that bear little more than
//! their own weight, but a shim under a machine needs many. Loaded bodies are recognized by the masses
//! of their neighbors and by the impulses of the last pass. Impulses of joints also count, because they
//! reveal a drive before the driven body touches anything. A body squeezed between opposite contacts of
//! one other body counts as loaded too. The rows of loaded bodies and of their neighbors are solved in
//! further iterations, in groups of bodies that touch.

use std::ops::Range;

use glam::DVec3;

use super::contact_rows::ContactRow;
use super::joint_frames::Frames;
use super::joint_impulses::Joined;
use super::mechanisms::Mechanisms;
use super::moving::Moving;
use super::settings::SolverSettings;
use super::speeds::LoadTest;
use crate::arrays::MapEach;
use crate::body::Joint;
use crate::unions::Unions;

/// Sum of the normal impulses between two bodies, as a multiple of their vector sum, above which one
/// squeezes the other, like a hole a tilted peg. An iteration over such rows undoes most of what it
/// achieves. In a V-groove of 90° the multiple is 1.4.
const SQUEEZED: f64 = 1.5;

/// Role of a body in bearing a load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    #[default]
    None,
    /// Touches a body that bears a load.
    Beside,
    Bears,
}

/// The joints' part in a load, of one body.
#[derive(Clone, Copy, Debug, Default)]
struct Driven {
    /// True if a joint gives the body the impulse of a load.
    is_loaded: bool,
    /// True if one of its joints has a drive.
    has_drive: bool,
    /// True if a joint connects it to an immovable body, or if it is immovable itself.
    is_mounted: bool,
}

/// Root body of a row's group, and index of the row among all contacts, joints or mechanisms.
pub(super) type Member = (u32, u32);

/// Rows that are solved in further iterations, with their buffers.
#[derive(Default)]
pub(super) struct Loads {
    roles: Vec<Role>,
    driven: Vec<Driven>,
    groups_of: Unions,
    /// Contact rows, sorted by group.
    pub rows: Vec<Member>,
    /// Joints of mechanisms that are too large to be solved directly, sorted by group.
    pub joints: Vec<Member>,
    /// Mechanisms, sorted by group.
    pub mechanisms: Vec<Member>,
    pub groups: Vec<Group>,
}

/// Rows connected by movable bodies, as ranges of the lists in [`Loads`].
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub rows: Range<usize>,
    pub joints: Range<usize>,
    pub mechanisms: Range<usize>,
    /// Least share of the tolerance of its rows.
    pub share_of_tolerance: f64,
}

/// Rows of one group.
pub(super) struct Members<'a> {
    pub rows: &'a [Member],
    pub joints: &'a [Member],
    pub mechanisms: &'a [Member],
}

impl Loads {
    /// Returns the rows of a group.
    pub fn members(&self, group: &Group) -> Members<'_> {
        Members {
            rows: &self.rows[group.rows.clone()],
            joints: &self.joints[group.joints.clone()],
            mechanisms: &self.mechanisms[group.mechanisms.clone()],
        }
    }

    /// Finds the rows under load from the impulses at the start of a pass. `h`: duration of a sub-step,
    /// s. `weight`: acceleration of gravity, m/s².
    pub fn find(
        &mut self,
        moving: &[Moving],
        contacts: &mut [ContactRow],
        joined: Joined,
        mechanisms: &Mechanisms,
        LoadTest { h, weight, .. }: LoadTest,
        settings: &SolverSettings,
    ) {
        let joints = joined.joints;
        self.rows.clear();
        self.joints.clear();
        self.mechanisms.clear();
        self.groups.clear();
        // Loads appear and disappear, so the buffers get the capacity for all rows at once.
        self.rows.reserve(capacity(contacts.len()));
        self.joints.reserve(capacity(joints.len()));
        self.mechanisms.reserve(capacity(joints.len()));
        self.groups.reserve(capacity(contacts.len()));
        let least = settings.load_share * weight * h;
        self.find_driven(moving, joined, least);
        if !self.find_bearers(moving, contacts, settings, least) {
            return;
        }
        let ends = |joint: &Joint| Frames::slots(joint, moving);
        let all = contacts.iter().map(ContactRow::bodies).chain(joints.iter().map(ends));
        for [a, b] in all {
            for (of, other) in [(a, b), (b, a)] {
                if self.roles[of] == Role::Bears && moving[other].inverse_mass > 0.0 {
                    self.roles[other] = self.roles[other].max(Role::Beside);
                }
            }
        }
        for (index, row) in (0..).zip(&mut *contacts) {
            if let Some(root) = self.join(row.bodies(), moving) {
                row.hold();
                self.rows.push((root, index));
            }
        }
        let swept = (0..).zip(joints).filter(|(index, _)| !mechanisms.holds(*index as usize));
        for (index, joint) in swept {
            if let Some(root) = self.join(ends(joint), moving) {
                self.joints.push((root, index));
            }
        }
        for index in 0..mechanisms.count() {
            let bodies = mechanisms.bodies(index);
            if bodies.iter().any(|&body| self.roles[body] > Role::None) {
                bodies.windows(2).for_each(|two| self.groups_of.unite(two[0] as u32, two[1] as u32));
                self.mechanisms.push((bodies[0] as u32, index as u32));
            }
        }
        self.find_groups(contacts);
    }

    /// Finds the bodies to which a joint gives more velocity than `least` (m/s) in a sub-step, those with a
    /// drive, and those that are mounted.
    fn find_driven(&mut self, moving: &[Moving], Joined { joints, impulses }: Joined, least: f64) {
        self.driven.clear();
        let is_fixed = |body: &Moving| body.inverse_mass == 0.0;
        let alone = |body: &Moving| Driven { is_mounted: is_fixed(body), ..Driven::default() };
        self.driven.extend(moving.iter().map(alone));
        for (joint, impulses) in joints.iter().zip(impulses) {
            let bodies = Frames::slots(joint, moving);
            let is_mount = bodies.iter().any(|&body| is_fixed(&moving[body]));
            for body in bodies {
                let driven = &mut self.driven[body];
                driven.is_loaded |= impulses.velocity_given(&moving[body]) > least;
                driven.has_drive |= joint.is_driven() && !is_fixed(&moving[body]);
                driven.is_mounted |= is_mount;
            }
        }
    }

    /// Finds the bodies that bear a load. Of two touching bodies, the lighter one bears a load in any of
    /// these cases: the other body is more than `load_ratio` times as heavy; the contacts give the lighter
    /// body more than `least` (m/s); a contact sinks in; a joint gives either body the impulse of a load; the
    /// heavier body squeezes it with more than its weight; the smaller body is fine. Returns whether any body
    /// bears a load.
    fn find_bearers(
        &mut self,
        moving: &[Moving],
        contacts: &[ContactRow],
        settings: &SolverSettings,
        least: f64,
    ) -> bool {
        self.roles.clear();
        self.roles.resize(moving.len(), Role::None);
        self.groups_of.begin(moving.len());
        let mut is_any = false;
        for rows in contacts.chunk_by(|x, y| x.bodies() == y.bodies()) {
            let [a, b] = rows[0].bodies();
            let [of_a, of_b] = [moving[a].inverse_mass, moving[b].inverse_mass];
            let (light, heavy) = (of_a.max(of_b), of_a.min(of_b));
            let is_unequal = heavy > 0.0 && light > settings.load_ratio * heavy;
            let driven = [a, b].map_each(|body| self.driven[body]);
            let is_driven = driven.iter().any(|of| of.is_loaded);
            let impulse: f64 = rows.iter().map(ContactRow::normal_impulse).sum();
            let (passes, slops) = settings.sink;
            // Parts of a machine press on each other as long as it runs, but two teeth touch at one place
            // only for a pass or two.
            let is_machine = driven.iter().any(|of| of.has_drive) || driven.iter().all(|of| of.is_mounted);
            let sinks = rows.iter().any(|row| {
                let in_machine = is_machine && row.sinks(settings.machine_sink);
                in_machine || row.has_lasted(passes) && row.sinks(slops)
            });
            let bears_weight = impulse * light > least / settings.load_share;
            let is_squeezed = || bears_weight && squeeze(rows) > SQUEEZED;
            let is_fine = rows[0].share_of_tolerance < 1.0;
            if is_unequal || is_driven || is_fine || impulse * light > least || sinks || is_squeezed() {
                self.roles[if of_a > of_b { a } else { b }] = Role::Bears;
                is_any = true;
            }
        }
        is_any
    }

    /// Unites the groups of a row's two bodies if the row needs further iterations. Returns a body of
    /// the group, or `None` if it does not need them.
    fn join(&mut self, bodies: [usize; 2], moving: &[Moving]) -> Option<u32> {
        if bodies.iter().all(|&body| self.roles[body] == Role::None) {
            return None;
        }
        let yields = bodies.map_each(|body| moving[body].inverse_mass > 0.0);
        if yields == [true, true] {
            self.groups_of.unite(bodies[0] as u32, bodies[1] as u32);
        }
        Some(if yields[0] { bodies[0] } else { bodies[1] } as u32)
    }

    /// Sorts the rows into groups. Each group contains a contact row, because loads are found at
    /// contacts.
    fn find_groups(&mut self, contacts: &[ContactRow]) {
        for members in [&mut self.rows, &mut self.joints, &mut self.mechanisms] {
            for (body, _) in &mut *members {
                *body = self.groups_of.root(*body);
            }
            members.sort_unstable();
        }
        let mut last = Group { rows: 0..0, joints: 0..0, mechanisms: 0..0, share_of_tolerance: 1.0 };
        for rows in self.rows.chunk_by(|(a, _), (b, _)| a == b) {
            let end = |members: &[Member], start: usize| {
                start + members[start..].iter().take_while(|member| member.0 == rows[0].0).count()
            };
            let (of_joints, of_mechanisms) = (last.joints.end, last.mechanisms.end);
            let shares = rows.iter().map(|(_, row)| contacts[*row as usize].share_of_tolerance);
            last = Group {
                rows: last.rows.end..last.rows.end + rows.len(),
                joints: of_joints..end(&self.joints, of_joints),
                mechanisms: of_mechanisms..end(&self.mechanisms, of_mechanisms),
                share_of_tolerance: shares.fold(1.0, f64::min),
            };
            self.groups.push(last.clone());
        }
    }
}

/// Returns the sum of the normal impulses of a pair as a multiple of their vector sum.
fn squeeze(rows: &[ContactRow]) -> f64 {
    let sum: f64 = rows.iter().map(ContactRow::normal_impulse).sum();
    sum / rows.iter().map(|row| row.normal_impulse() * row.normal).sum::<DVec3>().length()
}

/// Returns the capacity of a list that grew to `count` elements one by one. A buffer reserved with this
/// capacity reallocates only when the list would.
pub(super) fn capacity(count: usize) -> usize {
    count.next_power_of_two().max(4)
}
