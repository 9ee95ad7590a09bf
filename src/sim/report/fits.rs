//! Pairs of parts that collide with a clearance, because a rule of the scene declares them a fit.

use serde::Serialize;

use crate::check::written;
use crate::scene::Scene;

/// Two parts that are a fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitFigures {
    pub a: String,
    pub b: String,
    /// Distance by which one surface is moved inward, mm.
    pub clearance_mm: f64,
}

impl FitFigures {
    /// Returns the fits of a scene, in the order of its bodies.
    pub fn of(scene: &Scene) -> Vec<Self> {
        let name = |body: u32| scene.bodies[body as usize].name.clone();
        let fits = scene.pair_rules.iter().map(|&(a, b, rule)| (a, b, rule.clearance()));
        let fits = fits.filter(|(_, _, clearance)| *clearance > 0.0);
        fits.map(|(a, b, clearance)| Self { a: name(a), b: name(b), clearance_mm: 1e3 * clearance }).collect()
    }

    /// Returns the number of fits and their largest clearance, as text; `None` without fits.
    pub fn text(fits: &[Self]) -> Option<String> {
        let largest = fits.iter().map(|fit| fit.clearance_mm).fold(0.0, f64::max);
        let pairs = if fits.len() == 1 { "pair" } else { "pairs" };
        (!fits.is_empty())
            .then(|| format!("{} {pairs}, clearance up to {}", fits.len(), written(1e-3 * largest)))
    }
}
