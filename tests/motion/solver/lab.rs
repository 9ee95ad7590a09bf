//! Spheres and boxes on a plane and on each other, with contacts from formulas. They test only the
//! solver, without the search for contacts.

use glam::{DMat3, DVec3};
use tumble::body::{
    Activity, AxisRange, Bodies, BodyInfo, BodyState, CombineModes, Joint, JointAxis, Motion, WORLD,
};
use tumble::contact::{Contact, FeatureKey, PairContacts, PairRule, Round};
use tumble::pose::Pose;
use tumble::solver::{Pass, Solver, SolverSettings, Support};

/// Shape of a body; lengths in m, from the center of mass.
#[derive(Clone, Copy)]
pub enum Shape {
    Sphere {
        radius: f64,
    },
    Box {
        half: DVec3,
    },
    /// Half-space below the body's xz plane.
    Plane,
}

/// Bodies, joints and a solver; gravity in m/s², `dt` in s.
pub struct Lab {
    pub bodies: Bodies,
    pub joints: Vec<Joint>,
    pub pairs: Vec<PairContacts>,
    pub gravity: DVec3,
    pub dt: f64,
    pub substeps: u32,
    shapes: Vec<Shape>,
    solver: Solver,
}

impl Lab {
    pub fn new(dt: f64, substeps: u32) -> Self {
        Self::with_settings(dt, substeps, SolverSettings::default())
    }

    pub fn with_settings(dt: f64, substeps: u32, settings: SolverSettings) -> Self {
        Self {
            bodies: Bodies::default(),
            joints: Vec::new(),
            pairs: Vec::new(),
            gravity: DVec3::new(0.0, -9.81, 0.0),
            dt,
            substeps,
            shapes: Vec::new(),
            solver: Solver::new(settings),
        }
    }

    /// Adds a body, static if `mass` is zero. Returns its index.
    pub fn add(&mut self, shape: Shape, mass: f64, pose: Pose) -> usize {
        let (radius, thickness, unit) = match shape {
            Shape::Sphere { radius } => (radius, 2.0 * radius, DVec3::splat(0.4 * radius * radius)),
            Shape::Box { half } => {
                let square = half * half;
                let sums = DVec3::new(square.y + square.z, square.x + square.z, square.x + square.y);
                (half.length(), 2.0 * half.min_element(), sums / 3.0)
            }
            Shape::Plane => (1e3, 1e3, DVec3::ZERO),
        };
        let dynamic = mass > 0.0;
        let inertia = DMat3::from_diagonal(mass * unit);
        self.bodies.states.push(BodyState {
            pose,
            linear_velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            inverse_mass: if dynamic { 1.0 / mass } else { 0.0 },
            center: DVec3::ZERO,
            inertia,
            inverse_inertia: if dynamic { inertia.inverse() } else { DMat3::ZERO },
            gravity_factor: 1.0,
            motion: if dynamic { Motion::Dynamic } else { Motion::Static },
            activity: Activity::Awake { slow_for: 0.0 },
        });
        self.bodies.infos.push(BodyInfo {
            name: format!("body {}", self.shapes.len()),
            mesh: None,
            friction: 0.5,
            restitution: 0.0,
            rolling: 0.0,
            spinning: 0.0,
            radius,
            thickness,
            edge: thickness,
            combine: CombineModes::default(),
            has_corners: false,
            filters: None,
            seams: None,
        });
        self.shapes.push(shape);
        self.shapes.len() - 1
    }

    /// Lets two bodies collide. The first argument must be a plane or the lower index.
    pub fn collide(&mut self, a: usize, b: usize) {
        let mut pair = PairContacts::default();
        let infos = [a, b].map(|i| &self.bodies.infos[i]);
        pair.start(a as u32, b as u32, PairRule::Collide, infos);
        self.pairs.push(pair);
    }

    /// Joins a body to a point of the world by a ball joint.
    pub fn hold(&mut self, body: usize, point: DVec3) {
        let on_body = self.bodies.states[body].pose.inverse_transform_point(point);
        let ends = [point, on_body].map(Pose::from_position);
        self.joints.push(joint([WORLD, body as u32], ends, [AxisRange::Locked; 3], [AxisRange::Free; 3]));
    }

    pub fn state(&mut self, body: usize) -> &mut BodyState {
        &mut self.bodies.states[body]
    }

    /// Takes one step without sleep.
    pub fn step(&mut self) {
        for pair in &mut self.pairs {
            find_contacts(pair, &self.shapes, &self.bodies, self.dt);
        }
        let Self { solver, bodies, joints, pairs, .. } = self;
        let (dt, substeps) = (self.dt, self.substeps);
        let pass = Pass { dt, substeps, grown_for: dt, may_end_early: false };
        solver.solve(pass, self.gravity, bodies, joints, pairs);
    }

    /// Takes one step, and puts bodies at rest to sleep at its end.
    pub fn step_and_sleep(&mut self) {
        self.step_and_sleep_on(&[]);
    }

    /// Does the same as `step_and_sleep`, with the support of each pair. If `supports` is empty, all
    /// supports are certain.
    pub fn step_and_sleep_on(&mut self, supports: &[Support]) {
        self.step();
        let Self { solver, bodies, joints, pairs, .. } = self;
        solver.update_sleep((self.dt, self.gravity), bodies, (joints, pairs, supports));
    }

    pub fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds / self.dt).round() as u32 {
            self.step();
        }
    }

    pub fn momentum(&self) -> DVec3 {
        self.moving().map(|s| s.linear_velocity / s.inverse_mass).sum()
    }

    /// Returns the angular momentum about the world's origin.
    pub fn angular_momentum(&self) -> DVec3 {
        let of = |s: &BodyState| s.world_center().cross(s.linear_velocity / s.inverse_mass) + spin(s);
        self.moving().map(of).sum()
    }

    /// Returns the sum of kinetic energy and potential energy relative to the world's origin, J.
    pub fn energy(&self) -> f64 {
        let of = |s: &BodyState| {
            let mass = 1.0 / s.inverse_mass;
            0.5 * mass * s.linear_velocity.length_squared() + 0.5 * s.angular_velocity.dot(spin(s))
                - mass * self.gravity.dot(s.world_center())
        };
        self.moving().map(of).sum()
    }

    fn moving(&self) -> impl Iterator<Item = &BodyState> {
        self.bodies.states.iter().filter(|s| s.is_dynamic())
    }
}

/// Returns a joint without drives, friction or cone; `frames` are in the bodies' own spaces.
pub fn joint(
    [a, b]: [u32; 2],
    [frame_a, frame_b]: [Pose; 2],
    linear: [AxisRange; 3],
    angular: [AxisRange; 3],
) -> Joint {
    let axis = |range| JointAxis { range, ..JointAxis::default() };
    Joint {
        name: String::new(),
        a,
        b,
        frame_a,
        frame_b,
        linear: linear.map(axis),
        angular: angular.map(axis),
        cone: None,
        distance: None,
        friction: 0.0,
        collide: false,
        pose_drive: None,
    }
}

/// Returns the angular momentum about the center of mass, world.
pub fn spin(state: &BodyState) -> DVec3 {
    let r = state.pose.rotation_matrix();
    r * state.inertia * r.transpose() * state.angular_velocity
}

/// Finds the contacts of a pair by formulas. A contact keeps the impulses of the old contact with the
/// same key.
fn find_contacts(pair: &mut PairContacts, shapes: &[Shape], bodies: &Bodies, dt: f64) {
    let old = std::mem::take(&mut pair.contacts);
    let (a, b) = (pair.a as usize, pair.b as usize);
    let (sa, sb) = (&bodies.states[a], &bodies.states[b]);
    let speed = |s: &BodyState, i: usize| {
        s.linear_velocity.length() + s.angular_velocity.length() * bodies.infos[i].radius.min(1e2)
    };
    let margin = pair.settings.speculative + 1.5 * dt * (speed(sa, a) + speed(sb, b));
    let mut add = |key: u64, point_a: DVec3, point_b: DVec3, normal: DVec3| {
        let separation = normal.dot(point_b - point_a);
        if separation > margin {
            return;
        }
        let key = FeatureKey(key);
        let before = old.iter().find(|c| c.key == key);
        pair.contacts.push(Contact {
            key,
            point_a: sa.pose.inverse_transform_point(point_a),
            point_b: sb.pose.inverse_transform_point(point_b),
            normal,
            separation,
            normal_impulse: before.map_or(0.0, |c| c.normal_impulse),
            friction_impulse: before.map_or(DVec3::ZERO, |c| c.friction_impulse),
            inset: DVec3::ZERO,
            turning_impulse: before.map_or(DVec3::ZERO, |c| c.turning_impulse),
            age: before.map_or(0, |c| c.age + 1),
            orphaned_for: 0,
            is_held: false,
            round: Round::SHARP,
        });
    };
    match (shapes[a], shapes[b]) {
        (Shape::Plane, Shape::Sphere { radius }) => {
            let up = sa.pose.transform_vector(DVec3::Y);
            let low = sb.pose.position - radius * up;
            add(0, low - up * up.dot(low - sa.pose.position), low, up);
        }
        (Shape::Plane, Shape::Box { half }) => {
            let up = sa.pose.transform_vector(DVec3::Y);
            for corner in 0..8 {
                let sign = |bit: u32| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
                let low = sb.pose.transform_point(half * DVec3::new(sign(0), sign(1), sign(2)));
                add(corner, low - up * up.dot(low - sa.pose.position), low, up);
            }
        }
        (Shape::Sphere { radius: ra }, Shape::Sphere { radius: rb }) => {
            let between = sb.pose.position - sa.pose.position;
            let normal = between.normalize();
            add(0, sa.pose.position + ra * normal, sb.pose.position - rb * normal, normal);
        }
        // The boxes are stacked in parallel: contacts are the corners of the upper box on the top face
        // of the lower one.
        (Shape::Box { half: ha }, Shape::Box { half: hb }) => {
            let up = sa.pose.transform_vector(DVec3::Y);
            let top = sa.pose.position + ha.y * up;
            for corner in 0..4 {
                let sign = |bit: u32| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
                let low = sb.pose.transform_point(hb * DVec3::new(sign(0), -1.0, sign(1)));
                add(corner, low - up * up.dot(low - top), low, up);
            }
        }
        _ => unreachable!("no formula for these two"),
    }
}
