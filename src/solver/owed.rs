//! Owed motion: slow motion that is not rest, because an unbalanced force will increase it.
//!
//! Speed alone does not distinguish rest from the turning point of a slow spring, a slow motor, a
//! pendulum in thick oil, or a block that begins to slide. Each body therefore has a drift: the mean of
//! its velocity over some time, in which the jitter of contacts cancels out. The mean of the drift lags
//! behind the drift while the body gains speed.

use glam::DVec3;

use super::settings::SolverSettings;
use super::speeds::Speeds;
use crate::arrays::MapEach;
use crate::body::{Bodies, BodyInfo, BodyState, Drive, DriveKind, Joint, PoseDrive, Spring};

/// Time of a mean, as a share of the time that a body must be slow before it sleeps.
const MEAN: f64 = 0.5;
/// Least lead of a drift over its mean with which a body gains speed, as a share of the rest speed.
const GAIN: f64 = 0.1;
/// Largest drift of a body at rest on a drive or a spring, including the speed that it would gain in
/// the time that it must be slow, as a share of the rest speed.
const CREEP: f64 = 0.01;
/// Least speed, as a share of the rest speed, that a body would reach without a damper, in the time
/// that it must be slow, for the damper to count as holding it back.
const HELD_BACK: f64 = 0.25;
/// Least remaining distance with which a damped spring still moves its body, as a share of the distance
/// traveled at the rest speed in that time.
const WAY: f64 = 0.05;
/// Least share of a motor's wanted speed with which it turns; a slower one is stalled.
const TURNS: f64 = 0.1;

/// Recent motion of a body. Each pair is the velocity of its center, m/s, and its angular velocity,
/// rad/s.
#[derive(Clone, Copy, Default)]
struct Drift {
    /// Mean of the velocities.
    mean: [DVec3; 2],
    /// Mean of the means.
    lagging: [DVec3; 2],
    now: [DVec3; 2],
    /// Change of the velocities in the last step.
    change: [DVec3; 2],
    has_begun: bool,
}

impl Drift {
    /// Updates the drift by the present velocities; `share` is the weight of these in the means.
    fn follow(&mut self, state: &BodyState, share: f64) {
        let now = [state.linear_velocity, state.angular_velocity];
        if !self.has_begun {
            *self = Self { mean: now, lagging: now, now, change: [DVec3::ZERO; 2], has_begun: true };
        }
        let means = self.mean.iter_mut().zip(&mut self.lagging);
        for (now, (mean, lagging)) in now.into_iter().zip(means) {
            *mean += share * (now - *mean);
            *lagging += share * (*mean - *lagging);
        }
        self.change = [now[0] - self.now[0], now[1] - self.now[1]];
        self.now = now;
    }

    fn gains(&self, radius: f64, slow: f64) -> bool {
        fastest(self.mean, radius) > fastest(self.lagging, radius) + GAIN * slow
    }

    /// Returns whether the body moves, or would after `steps` steps. Both speed and gain of speed are
    /// the lesser of the mean and the present value: the mean still contains the past, the present
    /// value contains jitter.
    fn creeps(&self, radius: f64, slow: f64, steps: f64) -> bool {
        let speed = fastest(self.mean, radius).min(fastest(self.now, radius));
        let ahead = [0, 1].map_each(|k| self.mean[k] - self.lagging[k]);
        let gain = (fastest(ahead, radius) / MEAN).min(fastest(self.change, radius) * steps);
        speed + gain > CREEP * slow
    }
}

/// Returns the speed of the fastest point, `radius` from the center, m/s.
fn fastest([linear, angular]: [DVec3; 2], radius: f64) -> f64 {
    linear.length() + angular.length() * radius
}

/// Drifts of all bodies.
#[derive(Default)]
pub(super) struct Owed {
    drifts: Vec<Drift>,
    /// Time that a body must be slow, s and in steps.
    delay: f64,
    steps: f64,
}

impl Owed {
    /// Takes the velocities of all bodies after a step of `dt` seconds. Resets the drift of a body that
    /// is not awake.
    pub fn follow(&mut self, dt: f64, settings: &SolverSettings, bodies: &Bodies) {
        (self.delay, self.steps) = (settings.sleep_delay, settings.sleep_delay / dt);
        self.drifts.resize(bodies.states.len(), Drift::default());
        let share = (dt / (MEAN * self.delay)).min(1.0);
        for (drift, state) in self.drifts.iter_mut().zip(&bodies.states) {
            if state.is_awake() && state.is_finite() {
                drift.follow(state, share);
            } else {
                *drift = Drift::default();
            }
        }
    }

    /// Returns whether a body gains speed, however slow it is. `slow` is its rest speed, m/s.
    pub fn gains_speed(&self, body: usize, info: &BodyInfo, slow: f64) -> bool {
        self.drifts[body].gains(info.radius, slow)
    }

    /// Returns whether a drive or a spring of a joint still moves its bodies.
    pub fn is_moved_by(&self, joint: &Joint, bodies: &Bodies, speeds: &Speeds) -> bool {
        if !joint.is_driven() {
            return false;
        }
        let ends = [joint.a, joint.b].into_iter().filter(|&body| bodies.is_dynamic(body));
        let creeps = |body: u32| {
            let radius = bodies.infos[body as usize].radius;
            self.drifts[body as usize].creeps(radius, speeds.at_rest(radius), self.steps)
        };
        ends.into_iter().any(creeps)
            || self.is_held_back(joint, bodies, speeds)
            || (0..6).any(|axis| joint.axis(axis).drive.is_some_and(|d| self.turns(joint, axis, &d, bodies)))
    }

    /// Returns whether a motor has at least a share `TURNS` of its wanted speed.
    fn turns(&self, joint: &Joint, axis: u32, drive: &Drive, bodies: &Bodies) -> bool {
        let wanted = drive.velocity_target;
        let direction = direction(joint, axis, bodies);
        wanted != 0.0 && self.rate(joint, axis >= 3, bodies).dot(direction) * wanted > TURNS * wanted * wanted
    }

    /// Returns the mean velocity of b relative to a at the joint, world axes, m/s; if `turns`, the
    /// angular velocity, rad/s.
    fn rate(&self, joint: &Joint, turns: bool, bodies: &Bodies) -> DVec3 {
        relative(joint, turns, bodies, |body| {
            self.drifts.get(body as usize).map_or([DVec3::ZERO; 2], |drift| drift.mean)
        })
    }

    /// Returns whether a damper of a drive holds back a body that would move without it. Each rate is
    /// the lesser of the mean and the present value.
    fn is_held_back(&self, joint: &Joint, bodies: &Bodies, speeds: &Speeds) -> bool {
        let now = |turns| {
            let velocities = |body: u32| {
                let state = bodies.states.get(body as usize);
                state.map_or([DVec3::ZERO; 2], |state| [state.linear_velocity, state.angular_velocity])
            };
            relative(joint, turns, bodies, velocities)
        };
        let rates = [false, true].map_each(|turns| [self.rate(joint, turns, bodies), now(turns)]);
        let least = |turns: bool, part: &dyn Fn(DVec3) -> f64| {
            let [mean, now] = rates[usize::from(turns)].map_each(|rate| part(rate).abs());
            mean.min(now)
        };
        let of_axis = (0..6).filter_map(|axis| {
            let drive = joint.axis(axis).drive?;
            let direction = direction(joint, axis, bodies);
            let rate = least(axis >= 3, &|rate| rate.dot(direction));
            let Drive { kind, velocity_target, stiffness, damping, max_force, .. } = drive;
            let wanted = velocity_target.abs();
            let spring = Spring { stiffness, damping, max_force };
            Some(DriveMotion { turns: axis >= 3, rate, wanted, kind, spring })
        });
        let of_pose = joint.pose_drive.into_iter().flat_map(|PoseDrive { kind, linear, angular, .. }| {
            [(false, linear), (true, angular)].map(|(turns, spring)| {
                let rate = least(turns, &DVec3::length);
                DriveMotion { turns, rate, wanted: 0.0, kind, spring }
            })
        });
        let bodies_of = || [joint.a, joint.b].into_iter().filter(|&body| bodies.is_dynamic(body));
        let mut drives = of_axis.chain(of_pose);
        drives.any(|drive| bodies_of().any(|body| self.would_go_on(&drive, bodies.both(body), speeds)))
    }

    /// Returns whether a body on a damped drive still moves significantly. A spring takes it to its
    /// target in about c/k seconds; a body held by a damper alone would become fast without it.
    fn would_go_on(
        &self,
        &DriveMotion { turns, rate, wanted, kind, ref spring }: &DriveMotion,
        (state, info): (&BodyState, &BodyInfo),
        speeds: &Speeds,
    ) -> bool {
        let reach = if turns { info.radius } else { 1.0 };
        let slow = speeds.at_rest(info.radius);
        if spring.stiffness > 0.0 {
            return rate * reach * spring.damping / spring.stiffness > WAY * slow * self.delay;
        }
        let unit = match kind {
            DriveKind::Acceleration => 1.0,
            DriveKind::Force if turns => mean_response(state),
            DriveKind::Force => state.inverse_mass,
        };
        // A motor at its largest force is no damper.
        let spare = (wanted * spring.damping - spring.max_force).max(0.0);
        let force = (rate * spring.damping - spare).min(spring.max_force).max(0.0);
        self.delay * unit * force * reach > HELD_BACK * slow
    }
}

/// Motion of a joint along or about one drive.
struct DriveMotion {
    /// Whether the drive rotates; otherwise it slides.
    turns: bool,
    /// Speed of the joint, m/s or rad/s.
    rate: f64,
    /// Speed that the drive wants, m/s or rad/s.
    wanted: f64,
    kind: DriveKind,
    spring: Spring,
}

/// Returns the velocity of b relative to a at the joint, world axes, m/s; if `turns`, the angular
/// velocity, rad/s. `velocities` returns those of a body: of its center, m/s, and its angular velocity,
/// rad/s.
fn relative(joint: &Joint, turns: bool, bodies: &Bodies, velocities: impl Fn(u32) -> [DVec3; 2]) -> DVec3 {
    let [a, b] = [joint.a, joint.b].map_each(|body| {
        let [linear, angular] = velocities(body);
        let center = bodies.states.get(body as usize).map(BodyState::world_center);
        let arm = center.map_or(DVec3::ZERO, |center| origin_b(joint, bodies) - center);
        if turns { angular } else { linear + angular.cross(arm) }
    });
    b - a
}

/// Returns the mean over three axes of the angular velocity that an angular impulse of 1 gives,
/// 1/(kg·m²).
fn mean_response(state: &BodyState) -> f64 {
    let m = &state.inverse_inertia;
    (m.x_axis.x + m.y_axis.y + m.z_axis.z) / 3.0
}

/// Returns the axis of frame a along (0–2) or about (3–5) which a joint moves, world space.
fn direction(joint: &Joint, axis: u32, bodies: &Bodies) -> DVec3 {
    let own = joint.frame_a.transform_vector(DVec3::AXES[axis as usize % 3]);
    bodies.states.get(joint.a as usize).map_or(own, |a| a.pose.transform_vector(own))
}

/// Returns the origin of frame b of a joint, world space, m.
fn origin_b(joint: &Joint, bodies: &Bodies) -> DVec3 {
    let own = joint.frame_b.position;
    bodies.states.get(joint.b as usize).map_or(own, |b| b.pose.transform_point(own))
}
