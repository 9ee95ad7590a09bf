//! Pairs of bodies that touched in a run, by name.

use serde::Serialize;

use super::events::shown;
use crate::digits::grouped;
use crate::scene::Scene;
use crate::world::{Touch, TouchPlace};

/// Two bodies that touched. Forces are means over a step and sums over all contacts of the pair.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TouchFigures {
    pub a: String,
    pub b: String,
    /// First and last step in which the pair touched, from 1, and the times at the ends of these steps.
    pub first_step: u32,
    pub last_step: u32,
    pub first_s: f64,
    pub last_s: f64,
    /// Number of steps in which the pair touched, and their total time.
    pub steps: u32,
    pub seconds: f64,
    /// Greatest normal force with its step, and the mean normal force over the steps in which the pair
    /// touched.
    pub force_n: f64,
    pub force_step: u32,
    pub mean_force_n: f64,
    /// Greatest friction force, and its step.
    pub friction_n: f64,
    pub friction_step: u32,
    /// Hardest impact, N·s, and its step; `null` if the bodies never pushed each other at first
    /// contact.
    pub impact_ns: Option<f64>,
    pub impact_step: Option<u32>,
    /// Deepest overlap by contacts, and its step.
    pub depth_mm: f64,
    pub depth_step: u32,
    /// Position of the first contact, and position of the greatest force.
    pub first_place: PlaceFigures,
    pub force_place: PlaceFigures,
}

/// Position at which two bodies touched, m.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlaceFigures {
    pub world: [f64; 3],
    /// Position on each body, in the body's space.
    pub in_a: [f64; 3],
    pub in_b: [f64; 3],
}

impl PlaceFigures {
    fn of(place: &TouchPlace) -> Self {
        let TouchPlace { world, in_a, in_b } = place;
        Self { world: world.to_array(), in_a: in_a.to_array(), in_b: in_b.to_array() }
    }
}

impl TouchFigures {
    /// Returns the figures of all pairs, those with the greatest force first.
    pub fn of_all(scene: &Scene, touches: &[Touch]) -> Vec<Self> {
        let mut sorted: Vec<&Touch> = touches.iter().collect();
        sorted.sort_by(|x, y| y.force.total_cmp(&x.force).then(y.depth.total_cmp(&x.depth)));
        sorted.into_iter().map(|touch| Self::of(scene, touch)).collect()
    }

    fn of(scene: &Scene, touch: &Touch) -> Self {
        let dt = scene.config.dt;
        let name = |body: u32| scene.bodies[body as usize].name.clone();
        Self {
            a: name(touch.a),
            b: name(touch.b),
            first_step: touch.first_step,
            last_step: touch.last_step,
            first_s: f64::from(touch.first_step) * dt,
            last_s: f64::from(touch.last_step) * dt,
            steps: touch.step_count,
            seconds: f64::from(touch.step_count) * dt,
            force_n: touch.force,
            force_step: touch.force_step,
            mean_force_n: touch.mean_force(),
            friction_n: touch.friction,
            friction_step: touch.friction_step,
            impact_ns: touch.impact.map(|impact| impact.impulse),
            impact_step: touch.impact.map(|impact| impact.step),
            depth_mm: touch.depth * 1e3,
            depth_step: touch.depth_step,
            first_place: PlaceFigures::of(&touch.first_place),
            force_place: PlaceFigures::of(&touch.force_place),
        }
    }

    /// Columns of [`Self::rows`].
    pub const HEADER: [&str; 9] = [
        "touching bodies",
        "first step",
        "at, s",
        "for, s",
        "force, N",
        "in step",
        "friction, N",
        "impact, N·s",
        "deep, mm",
    ];

    /// Returns at most `most` rows for readers, and a row with the number of further pairs.
    pub fn rows(touches: &[Self], most: usize) -> Vec<[String; 9]> {
        let row = |touch: &Self| {
            [
                format!("{} – {}", touch.a, touch.b),
                grouped(u64::from(touch.first_step)),
                format!("{:.2}", touch.first_s),
                format!("{:.2}", touch.seconds),
                digits(touch.force_n),
                grouped(u64::from(touch.force_step)),
                digits(touch.friction_n),
                touch.impact_ns.map_or("–".to_owned(), digits),
                format!("{:.3}", touch.depth_mm),
            ]
        };
        shown(touches.iter().map(row).collect(), "pairs more", most)
    }
}

/// Formats a force or an impulse with about four digits.
pub(super) fn digits(value: f64) -> String {
    match value.abs() {
        _ if !value.is_finite() => "not finite".to_owned(),
        // Values below 1e-15 are rounding errors, whatever the size of the loads.
        s if s < 1e-15 => "0".to_owned(),
        s if !(1e-4..1e7).contains(&s) => format!("{value:.2e}"),
        s if s >= 1000.0 => {
            let sign = if value < 0.0 { "-" } else { "" };
            format!("{sign}{}", grouped(s.round() as u64))
        }
        s if s >= 100.0 => format!("{value:.1}"),
        s if s >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}
