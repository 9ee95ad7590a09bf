//! A scene in rapier3d: the same bodies, masses, joints and filters, stepped by rapier's pipeline with
//! its default settings. The length unit is set to the size of the parts, and the number of sub-steps
//! to the scene's.
//!
//! Coordinates are the same, but all numbers are `f32`. Features without a counterpart in rapier are
//! listed by name.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use glam::{DMat3, DQuat, Mat3, Vec3};
use rapier3d::prelude::{
    ActiveHooks, CoefficientCombineRule, Collider, ColliderBuilder, ColliderHandle, ContactPair,
    ImpulseJointHandle, MassProperties, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, RigidBodyType,
};

use super::caught::caught;
use super::engine::Engine;
use super::error::CompareError;
use super::rapier_joints::{self, narrow};
use super::rapier_pairs::{Filter, unlike};
use super::rapier_shapes::{Placed, Shapes};
use crate::body::{Activity, Bodies, BodyState, Motion, WORLD};
use crate::pose::Pose;
use crate::scene::Scene;
use crate::solver::rotation_vector;
use crate::timing::Timings;
use crate::world::{Controls, Measures, StepCounts, bodies_at_start, energy};

/// Scene as rapier simulates it.
pub struct Rapier {
    controls: Controls,
    world: PhysicsWorld,
    /// Handle of each body of the scene.
    handles: Vec<RigidBodyHandle>,
    /// Handle of each joint of the scene.
    joints: Vec<ImpulseJointHandle>,
    filter: Filter,
    /// Bodies with the poses and velocities that rapier had at the last observation.
    bodies: Bodies,
    scene: Scene,
    unmapped: Vec<String>,
    steps: u32,
    /// Reason why no further step can be taken, after a failure.
    failure: Option<String>,
}

impl Rapier {
    /// Creates the scene in rapier. `shapes` are those of the scene's bodies.
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
        let filter = Filter::new(scene);
        let mut handles = Vec::with_capacity(bodies.states.len());
        let mut controls = Controls::new(scene);
        let led: BTreeSet<u32> = controls.led(0.0).map(|(body, _)| body).collect();
        for (index, state) in (0..).zip(&bodies.states) {
            let is_led = led.contains(&index);
            let handle = world.insert_body(body((scene, index, state), is_led).can_sleep(config.sleep));
            handles.push(handle);
            if let Some(placed) = shapes.of(index) {
                let collider = collider(placed, scene, index, filter.is_any());
                world.insert_collider(collider, Some(handle));
            }
        }
        let fixed = world.insert_body(RigidBodyBuilder::fixed().user_data(u128::from(WORLD)));
        let handle = |body: u32| if body == WORLD { fixed } else { handles[body as usize] };
        let mut joints = Vec::with_capacity(scene.joints.len());
        let mut unlike_joints = rapier_joints::Differences::default();
        for joint in &scene.joints {
            let mut made = rapier_joints::joint(joint, &mut unlike_joints);
            made.contacts_enabled = filter.lets_meet(joint);
            joints.push(world.insert_impulse_joint(handle(joint.a), handle(joint.b), made));
        }
        unmapped.extend(unlike_joints.lines());
        unmapped.extend(unlike(scene));
        let scene = scene.clone();
        Self { controls, world, handles, joints, filter, bodies, scene, unmapped, steps: 0, failure: None }
    }

    /// Returns the scene's body that a collider belongs to.
    fn body_of(&self, collider: ColliderHandle) -> Option<u32> {
        let body = self.world.colliders.get(collider)?.parent()?;
        Some(self.world.bodies.get(body)?.user_data as u32)
    }

    /// Sets the poses of kinematic links and the targets of drives that follow a motion, for the end of
    /// the next step.
    fn aim(&mut self) {
        let time = f64::from(self.steps + 1) * self.scene.config.dt;
        for aim in self.controls.aims(time, self.scene.config.dt) {
            let joint = &self.scene.joints[aim.control.joint as usize];
            let made = self.world.impulse_joints.get_mut(self.joints[aim.control.joint as usize], true);
            if let (Some(drive), Some(made)) = (&joint.axis(aim.control.axis).drive, made) {
                rapier_joints::aim_axis(drive, &aim, self.scene.config.dt, &mut made.data);
            }
        }
        for (body, pose) in self.controls.led(time) {
            self.world.bodies[self.handles[body as usize]].set_next_kinematic_position(narrow(&pose));
        }
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
                let target = |time: f64| figure.motion.between(figure.first_body, joint, time);
                let ends = target(time - self.scene.config.dt).zip(target(time));
                let made = self.world.impulse_joints.get_mut(self.joints[index as usize], true);
                if let (Some((from, to)), Some(mut drive), Some(made)) = (ends, joint.pose_drive, made) {
                    let dt = self.scene.config.dt;
                    drive.linear_velocity = (to.position - from.position) / dt;
                    drive.angular_velocity = rotation_vector(to.rotation * from.rotation.conjugate()) / dt;
                    rapier_joints::aim(&drive, &to, &mut made.data);
                }
            }
        }
    }
}

impl Engine for Rapier {
    fn step(&mut self) -> Option<Timings> {
        let start = Instant::now();
        self.aim();
        // rapier panics if its assumptions on numbers fail. The panic is caught, so that the other
        // contenders can go on.
        let stepped = caught(|| self.world.step_with_events(&self.filter, &()));
        if let Err(reason) = stepped {
            self.failure = Some(reason);
            return None;
        }
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

    fn why_over(&self) -> String {
        let reason = self.failure.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
        format!("rapier3d failed in step {}{reason}", self.steps + 1)
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

    fn is_counted(&self, name: &str) -> bool {
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

/// Returns the median of the longest sides of the movable parts, m; 1 if there are no movable parts.
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

/// Creates a body with the scene's mass, inertia and state.
fn body((scene, index, state): (&Scene, u32, &BodyState), is_led_by_joints: bool) -> RigidBodyBuilder {
    let def = &scene.bodies[index as usize];
    let is_led = is_led_by_joints
        || scene.skeletons.iter().any(|figure| {
            (figure.first_body..figure.first_body + figure.link_count).contains(&index)
                && figure.motion.moment(0.0).is_some()
        });
    let kind = match def.motion {
        Motion::Static => RigidBodyType::Fixed,
        Motion::Kinematic if is_led => RigidBodyType::KinematicPositionBased,
        Motion::Kinematic => RigidBodyType::KinematicVelocityBased,
        Motion::Dynamic => RigidBodyType::Dynamic,
    };
    // rapier takes a mass or inertia of zero as infinite.
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

/// Creates a collider that combines coefficients as this program does: geometric mean of frictions,
/// larger of the restitutions.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::compare::contender::RapierShapes;
    use crate::compare::tests::meetings::{Answer, answer, pairs, scenes, yields};
    use crate::scene::{builtin_scenes, load_scene};

    #[test]
    fn bodies_start_where_the_scene_has_them_as_heavy_as_there() {
        for builtin in builtin_scenes() {
            let scene = load_scene(builtin.name, None).unwrap();
            let mut rapier = Rapier::new(&scene, &Shapes::new(&scene, RapierShapes::Triangles));
            rapier.observe().unwrap();
            let expected = bodies_at_start(&scene);
            assert_eq!(rapier.handles.len(), expected.states.len());
            rapier
                .world
                .bodies
                .iter_mut()
                .for_each(|(_, body)| body.recompute_mass_properties_from_colliders(&rapier.world.colliders));
            for (k, (own, its)) in rapier.bodies.states.iter().zip(&expected.states).enumerate() {
                let name = &scene.bodies[k].name;
                let off = own.pose.position.distance(its.pose.position);
                let turned = (own.pose.rotation * its.pose.rotation.conjugate()).xyz().length();
                assert!(off < 1e-6 && turned < 1e-6, "{name} of {}: {off} m, {turned}", scene.name);
                if !its.is_dynamic() || its.inverse_mass == 0.0 {
                    continue;
                }
                let mass = f64::from(rapier.world.bodies[rapier.handles[k]].mass());
                assert!((mass * its.inverse_mass - 1.0).abs() < 1e-5, "{name} weighs {mass} kg");
            }
        }
    }

    #[test]
    fn rapier_pushes_the_movable_pairs_that_the_world_pushes() {
        for scene in scenes() {
            let mut rapier = Rapier::new(&scene, &Shapes::new(&scene, RapierShapes::Convex));
            rapier.step().unwrap();
            let touching = rapier.world.narrow_phase.contact_pairs().filter(|p| p.has_any_active_contact());
            let ends =
                |pair: &ContactPair| [pair.collider1, pair.collider2].map(|c| rapier.body_of(c).unwrap());
            let pushed: BTreeSet<(u32, u32)> =
                touching.map(ends).map(|[a, b]| (a.min(b), a.max(b))).collect();
            for (a, b) in pairs(&scene) {
                let is_pushed = matches!(answer(&scene, a, b), Answer::Push | Answer::Permanent);
                let expected = is_pushed && yields(&scene, a, b);
                assert_eq!(pushed.contains(&(a, b)), expected, "{a} and {b} of {}", scene.name);
            }
        }
    }
}
