//! A truth: a value that theory gives in closed form, and the way to measure it in any engine.

use std::f64::consts::TAU;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glam::DVec3;

use crate::body::{BodyState, Joint};
use crate::compare::{CompareError, Contender, Engine, Maker};
use crate::scene::Scene;
use crate::world::energy;

/// Gravity of the closed forms, m/s².
pub const G: f64 = 9.81;

/// Measurement of a value in a run; `None` if the engine takes no further step.
type Measure = Box<dyn Fn(&mut Trial) -> Option<f64>>;

/// Value that theory gives in closed form, with a scene in which an engine can be measured.
pub struct Truth {
    pub name: String,
    pub unit: &'static str,
    /// Value by theory, in the unit.
    pub closed_form: f64,
    /// Largest difference from the closed form at which a value is right, in the unit.
    pub tolerance: f64,
    pub scene: Scene,
    /// Whether the run is too long for a quick experiment.
    pub is_long: bool,
    measure: Measure,
}

impl Truth {
    /// Creates a truth with a tolerance of `share` of its closed form.
    pub fn within(
        share: f64,
        name: impl Into<String>,
        (closed_form, unit): (f64, &'static str),
        scene: Scene,
        measure: impl Fn(&mut Trial) -> Option<f64> + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            unit,
            closed_form,
            tolerance: share * closed_form.abs(),
            scene,
            is_long: false,
            measure: Box::new(measure),
        }
    }

    /// Creates a truth whose closed form is zero. `tolerance` is absolute, in the unit.
    pub fn zero(
        (tolerance, unit): (f64, &'static str),
        name: impl Into<String>,
        scene: Scene,
        measure: impl Fn(&mut Trial) -> Option<f64> + 'static,
    ) -> Self {
        Self::within(0.0, name, (0.0, unit), scene, measure).with_tolerance(tolerance)
    }

    /// Returns this truth with another tolerance, in the unit.
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// Returns this truth, marked as too long for a quick experiment.
    pub fn long(self) -> Self {
        Self { is_long: true, ..self }
    }

    /// Returns the value in the engine of a contender, in the unit; `None` if the engine fails on it.
    pub fn value(&self, contender: &Contender) -> Result<Option<f64>, CompareError> {
        let engine = Maker::new(contender, &self.scene).engine(&Arc::new(AtomicBool::new(false)))?;
        let (dt, gravity, joints) = (self.scene.config.dt, self.scene.gravity, self.scene.joints.clone());
        let mut trial = Trial { engine, dt, gravity, joints, steps: 0 };
        Ok((self.measure)(&mut trial).filter(|value| value.is_finite()))
    }
}

/// Run of an engine under measurement.
pub struct Trial {
    engine: Box<dyn Engine>,
    dt: f64,
    gravity: DVec3,
    joints: Vec<Joint>,
    steps: u32,
}

impl Trial {
    /// Takes a step.
    pub fn step(&mut self) -> Option<()> {
        self.engine.step()?;
        self.engine.observe().ok()?;
        self.steps += 1;
        Some(())
    }

    /// Takes the steps of a duration.
    pub fn seconds(&mut self, seconds: f64) -> Option<()> {
        (0..self.steps_in(seconds)).try_for_each(|_| self.step())
    }

    /// Returns the number of steps in a duration.
    pub fn steps_in(&self, seconds: f64) -> u32 {
        (seconds / self.dt).round() as u32
    }

    /// Returns the time since the start, s.
    pub fn time(&self) -> f64 {
        f64::from(self.steps) * self.dt
    }

    pub fn body(&self, index: u32) -> &BodyState {
        &self.engine.bodies().states[index as usize]
    }

    /// Returns the center of mass, world, m.
    pub fn center(&self, index: u32) -> DVec3 {
        self.body(index).world_center()
    }

    /// Returns the angular momentum of a body about its center, world, N·m·s.
    pub fn spin_momentum(&self, index: u32) -> DVec3 {
        let body = self.body(index);
        body.pose.transform_vector(body.inertia * body.pose.inverse_transform_vector(body.angular_velocity))
    }

    /// Returns the kinetic and potential energy of all bodies, J; the latter is 0 at the origin.
    pub fn energy(&self) -> f64 {
        energy(&self.engine.bodies().states, self.gravity)
    }

    /// Returns the greatest distance of a body from its start in a duration, mm.
    pub fn greatest_way(&mut self, body: u32, seconds: f64) -> Option<f64> {
        let start = self.center(body);
        self.greatest(seconds, |trial| 1e3 * trial.center(body).distance(start))
    }

    /// Returns the largest gap of any joint after the steps of a duration, mm.
    pub fn widest_gap(&mut self, seconds: f64) -> Option<f64> {
        self.greatest(seconds, |trial| {
            let states = &trial.engine.bodies().states;
            let gaps = trial.joints.iter().filter_map(|joint| joint.gap(&joint.seen(joint.poses(states))));
            1e3 * gaps.fold(0.0, f64::max)
        })
    }

    /// Returns the greatest value after the steps of a duration; at least 0.
    pub fn greatest(&mut self, seconds: f64, value: impl Fn(&Self) -> f64) -> Option<f64> {
        let mut greatest = 0.0_f64;
        for _ in 0..self.steps_in(seconds) {
            self.step()?;
            greatest = greatest.max(value(self));
        }
        Some(greatest)
    }

    /// Steps for at most `limit` seconds, until `value` falls from above zero to zero or below. Returns
    /// the time of that moment, interpolated within the step, s.
    pub fn falls_through_zero(&mut self, limit: f64, value: impl Fn(&Self) -> f64) -> Option<f64> {
        let mut before = value(self);
        for _ in 0..self.steps_in(limit) {
            self.step()?;
            let now = value(self);
            if before > 0.0 && now <= 0.0 {
                return Some(self.time() - self.dt * now / (now - before));
            }
            before = now;
        }
        None
    }

    /// Returns the mean time between the moments at which `value` falls through zero, over `count`
    /// periods of at most `limit` seconds each, s.
    pub fn period(&mut self, count: u32, limit: f64, value: impl Fn(&Self) -> f64) -> Option<f64> {
        let first = self.falls_through_zero(limit, &value)?;
        let mut last = first;
        for _ in 0..count {
            last = self.falls_through_zero(limit, &value)?;
        }
        Some((last - first) / f64::from(count))
    }

    /// Returns the angle by which a body turns about `axis` in a duration, rad. The poses show the
    /// angle of a step only up to whole turns; the number nearest to the speed `about` (rad/s) counts.
    pub fn turned(&mut self, index: u32, axis: DVec3, about: f64, seconds: f64) -> Option<f64> {
        let mut sum = 0.0;
        for _ in 0..self.steps_in(seconds) {
            let before = self.body(index).pose.rotation;
            self.step()?;
            let turn = self.body(index).pose.rotation * before.conjugate();
            let angle = 2.0 * libm::atan2(turn.xyz().dot(axis), turn.w);
            sum += angle + TAU * ((about * self.dt - angle) / TAU).round();
        }
        Some(sum)
    }
}
