//! Watch over the energy of groups of bodies that touch or are joined. Without a drive, a spring, a moving
//! obstacle or an impact, the energy of a group cannot grow. If it does, the solver is at fault.

use glam::DVec3;

use crate::arrays::MapEach;
use crate::body::{Bodies, BodyState, Joint, Motion, WORLD};
use crate::contact::PairContacts;
use crate::unions::Unions;

/// Growth that counts as a fault, as a share of the energy that a group has had in motion.
const FAULT: f64 = 0.05;
/// Height, as a share of a body's radius, whose energy counts as energy of motion. Bodies at rest move by
/// less.
const REST: f64 = 0.1;

/// Energies of the bodies, with buffers.
#[derive(Default)]
pub(super) struct GrowthWatch {
    sets: Unions,
    groups: Vec<Group>,
    /// Energy of each body at the start of the step, J.
    before: Vec<f64>,
    /// Share of each body in the growth of its group since the energy was lowest, J.
    gained: Vec<f64>,
    /// Largest kinetic energy of each body so far, J.
    motion: Vec<f64>,
}

/// Sums over a group, by its root.
#[derive(Clone, Copy, Default)]
struct Group {
    count: u32,
    /// Growth in this step and before, J.
    gain: f64,
    gained: f64,
    /// Energy of motion, J.
    motion: f64,
    /// Body that gained most in this step, and its gain, J.
    most: (u32, f64),
    /// True if something gives the group energy in this step.
    is_fed: bool,
}

impl GrowthWatch {
    /// Begins a step.
    pub fn begin(&mut self, bodies: &Bodies, gravity: DVec3) {
        self.before.clear();
        self.before.extend(bodies.states.iter().map(|state| energies(state, gravity).iter().sum::<f64>()));
        self.gained.resize(bodies.states.len(), 0.0);
        self.motion.resize(bodies.states.len(), 0.0);
    }

    /// Ends a step. `held`: bodies that the tunneling guard put back, which may take over the velocity of an
    /// obstacle. Calls `grown` with the fault of each group whose energy grew.
    pub fn end(
        &mut self,
        bodies: &Bodies,
        (joints, pairs): (&[Joint], &[PairContacts]),
        gravity: DVec3,
        held: impl Iterator<Item = u32>,
        mut grown: impl FnMut(Grown),
    ) {
        self.unite(bodies, joints, pairs);
        for body in held {
            self.groups[self.sets.settled(body) as usize].is_fed = true;
        }
        for (body, (state, info)) in bodies.states.iter().zip(&bodies.infos).enumerate() {
            if !yields(state) {
                continue;
            }
            let [kinetic, potential] = energies(state, gravity);
            self.motion[body] = self.motion[body].max(kinetic);
            let group = &mut self.groups[self.sets.settled(body as u32) as usize];
            let gain = kinetic + potential - self.before[body];
            if group.count == 0 || gain > group.most.1 {
                group.most = (body as u32, gain);
            }
            let at_rest = REST * info.radius * gravity.length() / state.inverse_mass;
            group.count += 1;
            group.gain += gain;
            group.gained += self.gained[body];
            group.motion += self.motion[body] + at_rest;
        }
        for group in self.groups.iter_mut().filter(|group| group.count > 0) {
            group.gained = if group.is_fed { 0.0 } else { (group.gained + group.gain).max(0.0) };
            if group.gained > FAULT * group.motion {
                let (gain, motion) = (group.gained, group.motion);
                grown(Grown { body: group.most.0, count: group.count, gain, motion });
                group.gained = 0.0;
            }
        }
        for (body, gained) in self.gained.iter_mut().enumerate() {
            let group = self.groups[self.sets.settled(body as u32) as usize];
            *gained = if group.count > 0 { group.gained / f64::from(group.count) } else { 0.0 };
        }
    }

    /// Unites the dynamic bodies that touch or are joined, and marks the groups that are given energy.
    fn unite(&mut self, bodies: &Bodies, joints: &[Joint], pairs: &[PairContacts]) {
        let states = &bodies.states;
        let is_dynamic = |body: u32| body != WORLD && states[body as usize].is_dynamic();
        let is_moved = |body: u32| body != WORLD && states[body as usize].motion == Motion::Kinematic;
        let touching = || pairs.iter().filter(|pair| pair.push.normal > 0.0);
        self.sets.begin(states.len());
        let joined = joints.iter().map(|joint| [joint.a, joint.b]);
        for [a, b] in joined.chain(touching().map(|pair| [pair.a, pair.b])) {
            if is_dynamic(a) && is_dynamic(b) {
                self.sets.unite(a, b);
            }
        }
        self.sets.settle();
        self.groups.clear();
        self.groups.resize(states.len(), Group::default());
        let fed = joints.iter().map(|joint| ([joint.a, joint.b], joint.is_driven()));
        let hit = touching().map(|pair| ([pair.a, pair.b], pair.push.is_impact));
        for (ends, is_fed) in fed.chain(hit) {
            if is_fed || ends.map_each(is_moved).contains(&true) {
                for body in ends.into_iter().filter(|&body| is_dynamic(body)) {
                    self.groups[self.sets.settled(body) as usize].is_fed = true;
                }
            }
        }
    }
}

/// Growth of the energy of a group, J.
pub(super) struct Grown {
    /// Body that gained most in the last step.
    pub body: u32,
    /// Number of bodies.
    pub count: u32,
    pub gain: f64,
    /// Energy of motion that the group has had.
    pub motion: f64,
}

/// Returns whether forces move a body that is awake.
fn yields(state: &BodyState) -> bool {
    state.is_dynamic() && state.is_awake() && state.inverse_mass > 0.0
}

/// Returns the kinetic and the potential energy of a dynamic body, J; the latter relative to the origin.
pub(super) fn energies(state: &BodyState, gravity: DVec3) -> [f64; 2] {
    if !state.is_dynamic() || state.inverse_mass <= 0.0 {
        return [0.0; 2];
    }
    let turn = state.pose.inverse_transform_vector(state.angular_velocity);
    let mass = 1.0 / state.inverse_mass;
    let kinetic = 0.5 * mass * state.linear_velocity.length_squared() + 0.5 * turn.dot(state.inertia * turn);
    [kinetic, -mass * state.gravity_factor * gravity.dot(state.world_center())]
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::body::{AxisRange, JointAxis, SoftLimit};
    use crate::generate::cuboid;
    use crate::mesh::Mesh;
    use crate::pose::Pose;
    use crate::scene::{BodyDef, Scene};
    use crate::world::World;

    /// Returns two cubes at 1 m/s, and a ball joint between them.
    fn joined() -> (Bodies, Joint) {
        let mut scene = Scene::new("joined");
        let (positions, triangles) = cuboid(Vec3::splat(0.1), 0.1);
        let mesh = scene.add_mesh(Mesh::new("cube", &positions, &triangles).unwrap());
        for x in [0.0, 0.2] {
            let cube = BodyDef::dynamic(&scene, mesh, 1000.0).at(DVec3::X * x);
            scene.add_body(BodyDef { linear_velocity: DVec3::Y, ..cube });
        }
        let locked = JointAxis { range: AxisRange::Locked, ..JointAxis::default() };
        let joint = Joint {
            name: "ball".to_owned(),
            a: 0,
            b: 1,
            frame_a: Pose::from_position(DVec3::X * 0.1),
            frame_b: Pose::from_position(DVec3::X * -0.1),
            linear: [locked; 3],
            angular: [JointAxis::default(); 3],
            cone: None,
            distance: None,
            friction: 0.0,
            collide: false,
            pose_drive: None,
        };
        (World::new(&scene).unwrap().bodies().clone(), joint)
    }

    /// Takes steps in each of which the second cube becomes faster by `share`. Returns the body, the number
    /// of bodies and the growth of each fault.
    fn faults(bodies: &mut Bodies, joint: &Joint, share: f64) -> Vec<(u32, u32, f64)> {
        let (mut watch, mut found) = (GrowthWatch::default(), Vec::new());
        for _ in 0..20 {
            watch.begin(bodies, DVec3::ZERO);
            bodies.states[1].linear_velocity *= 1.0 + share;
            let touching = (std::slice::from_ref(joint), &[][..]);
            watch.end(bodies, touching, DVec3::ZERO, std::iter::empty(), |grown| {
                found.push((grown.body, grown.count, grown.gain));
            });
        }
        found
    }

    #[test]
    fn growth_from_nothing_is_found_also_if_it_is_slow() {
        let (mut bodies, joint) = joined();
        // 1.4 % of the energy of both in each step.
        let found = faults(&mut bodies, &joint, 0.01);
        assert!(
            found.len() > 2 && found.iter().all(|&(body, count, _)| (body, count) == (1, 2)),
            "{found:?}"
        );
        let sum: f64 = found.iter().map(|(.., gain)| gain).sum();
        let gained = 0.5 * (bodies.states[1].linear_velocity.length_squared() - 1.0);
        assert!(sum > 0.7 * gained && sum <= gained * (1.0 + 1e-9), "{sum} of {gained} J");
    }

    #[test]
    fn growth_that_a_spring_explains_and_loss_are_no_faults() {
        let (mut bodies, mut joint) = joined();
        assert_eq!(faults(&mut bodies, &joint, -0.01), []);
        joint.angular[0].soft = Some(SoftLimit { stiffness: 1.0, damping: 0.0 });
        assert_eq!(faults(&mut bodies, &joint, 0.01), []);
    }
}
