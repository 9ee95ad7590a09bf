//! Owed motion: slow motion that is not rest, because an unbalanced force will increase it.
//!
//! Speed alone does not distinguish rest from the turning point of a slow spring, a slow motor, a
//! pendulum in thick oil, or a block that begins to slide. Each body therefore has a drift: the mean of
//! its recent velocity, in which the jitter of contacts cancels out. While a body gains speed, the
//! running mean of its drift lags behind the drift.

use glam::DVec3;

use super::settings::SolverSettings;
use super::speeds::Speeds;
use crate::arrays::MapEach;
use crate::body::{Bodies, BodyInfo, BodyState, Drive, DriveKind, Joint, PoseDrive, Spring};

/// Time constant of a mean, as a share of the time for which a body must be slow before it sleeps.
const MEAN: f64 = 0.5;
/// Least excess of a drift over its mean that counts as gaining speed, as a share of the rest speed.
const GAIN: f64 = 0.1;
/// Largest drift of a body at rest on a drive or a spring, as a share of the rest speed. The drift
/// includes the speed that the body would gain in the time for which it must be slow.
const CREEP: f64 = 0.01;
/// Least speed, as a share of the rest speed, that a body would reach without a damper for the damper
/// to count as holding it back. The speed is that after the time for which the body must be slow.
const HELD_BACK: f64 = 0.25;
/// Least remaining distance over which a damped spring counts as still moving its body, as a share of
/// the distance traveled at the rest speed in the time for which the body must be slow.
const WAY: f64 = 0.05;
/// Least share of its wanted speed at which a motor counts as turning; a slower motor is stalled.
const TURNS: f64 = 0.1;

/// Recent motion of a body. Each pair of vectors is the velocity of the center, m/s, and the angular
/// velocity, rad/s.
#[derive(Clone, Copy, Default)]
struct Drift {
    /// Running mean of the velocities: the drift.
    mean: [DVec3; 2],
    /// Running mean of the drift.
    lagging: [DVec3; 2],
    now: [DVec3; 2],
    /// Change of the velocities in the last step.
    change: [DVec3; 2],
    has_begun: bool,
}

impl Drift {
    /// Updates the drift with the present velocities. `share`: their weight in the means.
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

    /// Returns whether the body moves, or would move after `steps` steps at its present gain. Of both
    /// speed and gain, the smaller of mean and present value counts: the mean still contains the past,
    /// and the present value contains jitter.
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
    /// Time for which a body must be slow before it sleeps, s.
    delay: f64,
    /// Duration of this time in steps.
    steps: f64,
}

impl Owed {
    /// Updates the drifts with the velocities of all bodies after a step of `dt` seconds. Resets the
    /// drift of a body that is not awake.
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

    /// Returns whether a body gains speed, however slow it is. `slow`: its rest speed, m/s.
    pub fn gains_speed(&self, body: usize, info: &BodyInfo, slow: f64) -> bool {
        self.drifts[body].gains(info.radius, slow)
    }

    /// Returns whether a drive or spring of a joint still moves the joint's bodies.
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

    /// Returns whether a motor turns at more than the share `TURNS` of its wanted speed.
    fn turns(&self, joint: &Joint, axis: u32, drive: &Drive, bodies: &Bodies) -> bool {
        let wanted = drive.velocity_target;
        let direction = direction(joint, axis, bodies);
        wanted != 0.0 && self.rate(joint, axis >= 3, bodies).dot(direction) * wanted > TURNS * wanted * wanted
    }

    /// Returns the mean velocity of b relative to a at the joint, world axes, m/s. If `turns` is set,
    /// returns the relative angular velocity, rad/s.
    fn rate(&self, joint: &Joint, turns: bool, bodies: &Bodies) -> DVec3 {
        relative(joint, turns, bodies, |body| {
            self.drifts.get(body as usize).map_or([DVec3::ZERO; 2], |drift| drift.mean)
        })
    }

    /// Returns whether a drive's damper holds back a body that would move without it. Of each rate, the
    /// smaller of mean and present value counts.
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

    /// Returns whether a body on a damped drive still has significant motion ahead. A spring takes the
    /// body to its target in about damping/stiffness seconds. A body held by a damper alone would
    /// become fast without the damper.
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
        // A motor at its largest force does not act as a damper.
        let spare = (wanted * spring.damping - spring.max_force).max(0.0);
        let force = (rate * spring.damping - spare).min(spring.max_force).max(0.0);
        self.delay * unit * force * reach > HELD_BACK * slow
    }
}

/// Present motion of a joint at one of its drives.
struct DriveMotion {
    /// True if the drive rotates; otherwise it translates.
    turns: bool,
    /// Speed of the joint, m/s or rad/s.
    rate: f64,
    /// Wanted speed of the drive, m/s or rad/s.
    wanted: f64,
    kind: DriveKind,
    spring: Spring,
}

/// Returns the velocity of b relative to a at the joint, world axes, m/s. If `turns` is set, returns
/// the relative angular velocity, rad/s. `velocities` returns the velocity of a body's center, m/s, and
/// its angular velocity, rad/s.
fn relative(joint: &Joint, turns: bool, bodies: &Bodies, velocities: impl Fn(u32) -> [DVec3; 2]) -> DVec3 {
    let [a, b] = [joint.a, joint.b].map_each(|body| {
        let [linear, angular] = velocities(body);
        let center = bodies.states.get(body as usize).map(BodyState::world_center);
        let arm = center.map_or(DVec3::ZERO, |center| origin_b(joint, bodies) - center);
        if turns { angular } else { linear + angular.cross(arm) }
    });
    b - a
}

/// Returns the angular velocity that an angular impulse of 1 adds, averaged over three axes, 1/(kg·m²).
fn mean_response(state: &BodyState) -> f64 {
    let m = &state.inverse_inertia;
    (m.x_axis.x + m.y_axis.y + m.z_axis.z) / 3.0
}

/// Returns the axis of frame a along which (0–2) or about which (3–5) a joint moves, world space.
fn direction(joint: &Joint, axis: u32, bodies: &Bodies) -> DVec3 {
    let own = joint.frame_a.transform_vector(DVec3::AXES[axis as usize % 3]);
    bodies.states.get(joint.a as usize).map_or(own, |a| a.pose.transform_vector(own))
}

/// Returns the origin of frame b of a joint, world space, m.
fn origin_b(joint: &Joint, bodies: &Bodies) -> DVec3 {
    let own = joint.frame_b.position;
    bodies.states.get(joint.b as usize).map_or(own, |b| b.pose.transform_point(own))
}
