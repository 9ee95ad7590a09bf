//! Costliest pairs of bodies, by name.

use serde::Serialize;

use crate::scene::Scene;
use crate::world::CostlyPair;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CostlyPairFigures {
    pub a: String,
    pub b: String,
    /// Share of the pair in the work for all pairs in the stages *test* and *query*, 0 to 1.
    pub share: f64,
    /// Number of steps that did any work for the pair.
    pub steps: u32,
    pub node_tests: u64,
    pub candidates: u64,
    pub false_alarms: u64,
    /// Number of passes in which the pair's candidates (triangle pairs) were searched again, and the
    /// largest search distance, mm.
    pub searches: u64,
    pub margin_mm: f64,
    /// Median length of the edges of the finer mesh, mm. A search distance of many edges is costly.
    pub edge_mm: f64,
}

impl CostlyPairFigures {
    pub fn of(scene: &Scene, pair: &CostlyPair) -> Self {
        let name = |body: u32| scene.bodies[body as usize].name.clone();
        Self {
            a: name(pair.a),
            b: name(pair.b),
            share: pair.share,
            steps: pair.steps,
            node_tests: pair.cost.node_tests,
            candidates: pair.cost.candidates,
            false_alarms: pair.cost.false_alarms,
            searches: pair.cost.searches,
            margin_mm: 1e3 * pair.cost.margin,
            edge_mm: 1e3 * pair.edge,
        }
    }
}
