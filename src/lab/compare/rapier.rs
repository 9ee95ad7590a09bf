//! A scene in rapier3d: the same bodies, masses, joints and filters, stepped by its own pipeline with its own
//! settings but for the length unit, which is the size of the parts, and sub-steps, which are the scene's.
//!
//! Space is the same; numbers are `f32`. What rapier has no counterpart for is listed by name.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use glam::{DMat3, DQuat, Mat3, Vec3};
use rapier3d::prelude::{
    ActiveHooks, CoefficientCombineRule, Collider, ColliderBuilder, ColliderHandle, ContactPair,
    ImpulseJointHandle, MassProperties, PairFilterContext, PhysicsHooks, PhysicsWorld, Pose as RapierPose,
    RigidBodyBuilder, RigidBodyHandle, RigidBodyType, SolverFlags,
};

use super::engine::Engine;
use super::error::CompareError;
use super::rapier_joints;
use super::rapier_shapes::{Placed, Shapes};
use crate::body::{Activity, Bodies, BodyState, Motion, WORLD};
use crate::contact::PairRule;
use crate::pose::Pose;
use crate::scene::{FigureKind, Scene};
use crate::timing::Timings;
use crate::world::{Measures, StepCounts, bodies_at_start, energy};

/// A scene as rapier moves it.
pub struct Rapier {
    world: PhysicsWorld,
    /// One a body of the scene.
    handles: Vec<RigidBodyHandle>,
    /// One a joint of the scene.
    joints: Vec<ImpulseJointHandle>,
    filter: Filter,
    /// What rapier's poses and velocities are read into.
    bodies: Bodies,
    scene: Scene,
    unmapped: Vec<String>,
    steps: u32,
}

/// Pairs of bodies that never meet, by index, a < b.
struct Filter(BTreeSet<(u32, u32)>);

impl PhysicsHooks for Filter {
    fn filter_contact_pair(&self, context: &PairFilterContext) -> Option<SolverFlags> {
        let index = |handle: Option<RigidBodyHandle>| handle.map(|h| context.bodies[h].user_data as u32);
        let pair = index(context.rigid_body1).zip(index(context.rigid_body2));
        let is_apart = pair.is_some_and(|(a, b)| self.0.contains(&(a.min(b), a.max(b))));
        (!is_apart).then_some(SolverFlags::COMPUTE_RIGID_IMPULSES)
    }
}

impl Rapier {
    /// `shapes` are those of the scene's bodies.
    pub fn new(scene: &Scene, shapes: &Shapes) -> Self {
        let mut unmapped = shapes.notes().to_vec();
        let config = &scene.config;
        let bodies = bodies_at_start(scene);
        let mut world = PhysicsWorld { gravity: scene.gravity.as_vec3(), ..PhysicsWorld::default() };
        let parameters = &mut world.integration_parameters;
        parameters.dt = config.dt as f32;
        parameters.num_solver_iterations = config.substeps as usize;
        parameters.length_unit = length_unit(scene) as f32;
        world.physics_pipeline.counters.enable();
        let apart = apart(scene);
        let filtered: BTreeSet<u32> = apart.iter().flat_map(|&(a, b)| [a, b]).collect();
        let mut handles = Vec::with_capacity(bodies.states.len());
        for (index, state) in (0..).zip(&bodies.states) {
            let handle = world.insert_body(body(scene, index, state).can_sleep(config.sleep));
            handles.push(handle);
            if let Some(placed) = shapes.of(index) {
                let collider = collider(placed, scene, index, filtered.contains(&index));
                world.insert_collider(collider, Some(handle));
            }
        }
        let fixed = world.insert_body(RigidBodyBuilder::fixed().user_data(u128::from(WORLD)));
        let handle = |body: u32| if body == WORLD { fixed } else { handles[body as usize] };
        let mut joints = Vec::with_capacity(scene.joints.len());
        for joint in &scene.joints {
            let made = rapier_joints::joint(joint, &mut unmapped);
            joints.push(world.insert_impulse_joint(handle(joint.a), handle(joint.b), made));
        }
        unmapped.extend(unlike(scene));
        let filter = Filter(apart);
        let scene = scene.clone();
        Self { world, handles, joints, filter, bodies, scene, unmapped, steps: 0 }
    }

    /// The body of the scene that a collider is of.
    fn body_of(&self, collider: ColliderHandle) -> Option<u32> {
        let body = self.world.colliders.get(collider)?.parent()?;
        Some(self.world.bodies.get(body)?.user_data as u32)
    }

    /// Gives kinematic links their poses, and drives that follow a motion their targets, at the end of the
    /// next step.
    fn aim(&mut self) {
        let time = f64::from(self.steps + 1) * self.scene.config.dt;
        for figure in &self.scene.skeletons {
            let links = figure.first_body..figure.first_body + figure.link_count;
            for (link, body) in links.enumerate() {
                let is_led = self.scene.bodies[body as usize].motion == Motion::Kinematic;
                if let Some(pose) = figure.motion.pose(link, time).filter(|_| is_led) {
                    self.world.bodies[self.handles[body as usize]].set_next_kinematic_position(narrow(&pose));
                }
            }
            for &index in &figure.driven {
                let joint = &self.scene.joints[index as usize];
                let target = figure.motion.between(figure.first_body, joint, time);
                let made = self.world.impulse_joints.get_mut(self.joints[index as usize], true);
                if let (Some(target), Some(drive), Some(made)) = (target, &joint.pose_drive, made) {
                    rapier_joints::aim(drive, &target, &mut made.data);
                }
            }
        }
    }
}

impl Engine for Rapier {
    fn step(&mut self) -> Option<Timings> {
        let start = Instant::now();
        self.aim();
        self.world.step_with_events(&self.filter, &());
        let whole = start.elapsed();
        self.steps += 1;
        let counters = &self.world.physics_pipeline.counters;
        let (cd, stages) = (&counters.cd, &counters.stages);
        let test = cd.broad_phase_time.time() + cd.final_broad_phase_time.time();
        let query = cd.narrow_phase_time.time();
        let islands =
            stages.island_construction_time.time() + stages.island_constraints_collection_time.time();
        let solve = stages.solver_time.time() + stages.ccd_time.time() + islands;
        let update = whole.checked_sub(test + query + solve).unwrap_or(Duration::ZERO);
        Some(Timings { update, test, query, solve })
    }

    fn observe(&mut self) -> Result<(), CompareError> {
        for (handle, state) in self.handles.iter().zip(&mut self.bodies.states) {
            let body = &self.world.bodies[*handle];
            let pose = body.position();
            let rotation = DQuat::from_xyzw(
                pose.rotation.x.into(),
                pose.rotation.y.into(),
                pose.rotation.z.into(),
                pose.rotation.w.into(),
            );
            state.pose = Pose::new(rotation.normalize(), pose.translation.as_dvec3());
            (state.linear_velocity, state.angular_velocity) =
                (body.linvel().as_dvec3(), body.angvel().as_dvec3());
            state.activity = match (body.is_enabled(), body.is_sleeping()) {
                (false, _) => Activity::Quarantined,
                (true, true) => Activity::Asleep,
                (true, false) => Activity::Awake { slow_for: 0.0 },
            };
        }
        Ok(())
    }

    fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    fn record(&self) -> (StepCounts, Measures) {
        let mut counts = StepCounts::default();
        let mut measures =
            Measures { energy: energy(&self.bodies.states, self.scene.gravity), ..Measures::default() };
        for pair in self.world.narrow_phase.contact_pairs() {
            counts.pairs += 1;
            for manifold in pair.solver_manifolds() {
                counts.contacts += manifold.data.solver_contacts.len() as u64;
            }
            let depth = pair.find_deepest_contact().map_or(0.0, |(_, contact)| -f64::from(contact.dist));
            let bodies = [pair.collider1, pair.collider2].map(|c| self.body_of(c));
            if let [Some(a), Some(b)] = bodies
                && depth > measures.penetration
            {
                (measures.penetration, measures.deepest) = (depth, Some([a.min(b), a.max(b)]));
            }
        }
        let awake = self.bodies.states.iter().filter(|s| s.is_dynamic() && s.is_awake());
        counts.awake_bodies = awake.count() as u64;
        (counts, measures)
    }

    fn counts(&self, name: &str) -> bool {
        ["pairs", "contacts", "awake bodies"].contains(&name)
    }

    fn touched(&self, body: u32) -> Option<u32> {
        let own = self.world.bodies[self.handles[body as usize]].colliders().first()?;
        let depth = |pair: &ContactPair| pair.find_deepest_contact().map_or(f32::INFINITY, |(_, c)| c.dist);
        let touching =
            self.world.narrow_phase.contact_pairs_with(*own).filter(|pair| pair.has_any_active_contact());
        let deepest = touching.min_by(|p, q| depth(p).total_cmp(&depth(q)))?;
        self.body_of(if deepest.collider1 == *own { deepest.collider2 } else { deepest.collider1 })
    }

    fn unmapped(&self) -> &[String] {
        &self.unmapped
    }
}

/// A pose in rapier's numbers.
pub(super) fn narrow(pose: &Pose) -> RapierPose {
    RapierPose::from_parts(pose.position.as_vec3(), pose.rotation.as_quat())
}

/// The middle of the longest sides of the parts that move, m; 1 without any.
pub(super) fn length_unit(scene: &Scene) -> f64 {
    let moved = scene.bodies.iter().filter(|b| b.motion == Motion::Dynamic);
    let longest = |mesh: u32| f64::from(scene.meshes[mesh as usize].bounds().size().max_element());
    let mut sizes: Vec<f64> = moved.filter_map(|b| b.mesh).map(longest).filter(|&size| size > 0.0).collect();
    if sizes.is_empty() {
        return 1.0;
    }
    let middle = sizes.len() / 2;
    *sizes.select_nth_unstable_by(middle, f64::total_cmp).1
}

fn body(scene: &Scene, index: u32, state: &BodyState) -> RigidBodyBuilder {
    let def = &scene.bodies[index as usize];
    let is_led = scene.skeletons.iter().any(|figure| {
        (figure.first_body..figure.first_body + figure.link_count).contains(&index)
            && figure.motion.moment(0.0).is_some()
    });
    let kind = match def.motion {
        Motion::Static => RigidBodyType::Fixed,
        Motion::Kinematic if is_led => RigidBodyType::KinematicPositionBased,
        Motion::Kinematic => RigidBodyType::KinematicVelocityBased,
        Motion::Dynamic => RigidBodyType::Dynamic,
    };
    // A mass or inertia of zero is what nothing deflects.
    let mass = if state.inverse_mass > 0.0 { 1.0 / state.inverse_mass } else { 0.0 };
    let inertia = Mat3::from_cols_array(&state.inertia.to_cols_array().map(|x| x as f32));
    let properties = if state.inertia == DMat3::ZERO {
        MassProperties::new(state.center.as_vec3(), mass as f32, Vec3::ZERO)
    } else {
        MassProperties::with_inertia_matrix(state.center.as_vec3(), mass as f32, inertia)
    };
    RigidBodyBuilder::new(kind)
        .pose(narrow(&state.pose))
        .linvel(state.linear_velocity.as_vec3())
        .angvel(state.angular_velocity.as_vec3())
        .gravity_scale(state.gravity_factor as f32)
        .additional_mass_properties(properties)
        .user_data(u128::from(index))
}

/// The combination rules are those of tumble: the geometric mean of frictions, the larger restitution.
fn collider(placed: &Placed, scene: &Scene, index: u32, is_filtered: bool) -> Collider {
    let def = &scene.bodies[index as usize];
    let hooks = if is_filtered { ActiveHooks::FILTER_CONTACT_PAIRS } else { ActiveHooks::empty() };
    ColliderBuilder::new(placed.shape.clone())
        .position(narrow(&placed.pose))
        .density(0.0)
        .friction(def.friction as f32)
        .friction_combine_rule(CoefficientCombineRule::GeometricMean)
        .restitution(def.restitution as f32)
        .restitution_combine_rule(CoefficientCombineRule::Max)
        .sensor(def.trigger)
        .active_hooks(hooks)
        .build()
}

/// Pairs that never meet because the scene or a filter says so.
fn apart(scene: &Scene) -> BTreeSet<(u32, u32)> {
    let count = scene.bodies.len() as u32;
    let filters = &scene.filters;
    let is_any = *filters != Default::default();
    let pairs = (0..if is_any { count } else { 0 }).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    let mut apart: BTreeSet<_> = pairs.filter(|&(a, b)| filters.keep_apart(a, b)).collect();
    for &(a, b, rule) in &scene.pair_rules {
        if rule == PairRule::Ignore {
            apart.insert((a, b));
        } else {
            apart.remove(&(a, b));
        }
    }
    apart
}

/// What of a scene moves otherwise in rapier, besides shapes and joints.
fn unlike(scene: &Scene) -> impl Iterator<Item = String> + '_ {
    let permanent = scene.pair_rules.iter().filter(|rule| rule.2 == PairRule::Permanent);
    let name = |body: u32| &scene.bodies[body as usize].name;
    let permanent = permanent.map(move |&(a, b, _)| {
        format!("{} and {} overlap as modelled: rapier pushes them apart", name(a), name(b))
    });
    let watched = scene.skeletons.iter().filter(|s| s.kind == FigureKind::Kinematic && s.self_collision);
    let watched =
        watched.map(|figure| format!("{}: its links are not watched for self-collision", figure.name));
    let rolling = std::iter::once("resistance to rolling: rapier has none".to_owned());
    permanent.chain(watched).chain(rolling)
}
