//! Cross-sections of unit size, and the stations along a body at which they are placed.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3, dvec2};

use crate::generate::shell::polar;

/// Placement of a cross-section along a body: its center, and half its width and height, m. A station
/// of zero width and height is a tip.
#[derive(Clone, Copy)]
pub(super) struct Station {
    pub at: DVec3,
    pub half: DVec2,
}

impl Station {
    pub const fn new(at: [f64; 3], half: [f64; 2]) -> Self {
        Self { at: DVec3::from_array(at), half: DVec2::from_array(half) }
    }

    pub fn lerp(self, to: Self, t: f64) -> Self {
        Self { at: self.at.lerp(to.at, t), half: self.half.lerp(to.half, t) }
    }
}

/// Returns stations on a Catmull-Rom spline through the controls: `pieces` per span between two
/// controls, and the last control.
pub(super) fn smooth(controls: &[Station], pieces: usize) -> Vec<Station> {
    let mut stations = Vec::new();
    let at = |i: usize| controls[i.min(controls.len() - 1)];
    for i in 0..controls.len().saturating_sub(1) {
        let (p, q, r, s) = (at(i.saturating_sub(1)), at(i), at(i + 1), at(i + 2));
        stations.extend((0..pieces).map(|k| {
            let t = k as f64 / pieces as f64;
            let weights = [
                -0.5 * t + t * t - 0.5 * t * t * t,
                1.0 - 2.5 * t * t + 1.5 * t * t * t,
                0.5 * t + 2.0 * t * t - 1.5 * t * t * t,
                -0.5 * t * t + 0.5 * t * t * t,
            ];
            let [a, b, c, d] = weights;
            Station {
                at: p.at * a + q.at * b + r.at * c + s.at * d,
                half: (p.half * a + q.half * b + r.half * c + s.half * d).max(DVec2::ZERO),
            }
        }));
    }
    stations.extend(controls.last());
    stations
}

/// Returns a circle of radius 1, counter-clockwise like all sections in this file.
pub(super) fn round(pieces: usize) -> Vec<DVec2> {
    (0..pieces).map(|i| polar(1.0, TAU * i as f64 / pieces as f64)).collect()
}

/// Returns a square of half width 1, each side divided into `pieces`.
pub(super) fn square(pieces: usize) -> Vec<DVec2> {
    let corners = [dvec2(-1.0, -1.0), dvec2(1.0, -1.0), dvec2(1.0, 1.0), dvec2(-1.0, 1.0)];
    let side = |i: usize, k: usize| corners[i].lerp(corners[(i + 1) % 4], k as f64 / pieces as f64);
    (0..4).flat_map(|i| (0..pieces).map(move |k| side(i, k))).collect()
}

/// Returns a square with rounded corners: |x|³ + |y|³ = 1.
pub(super) fn rounded(pieces: usize) -> Vec<DVec2> {
    let norm = |p: DVec2| libm::cbrt(p.x.abs() * p.x * p.x + p.y.abs() * p.y * p.y);
    round(pieces).into_iter().map(|p| p / norm(p)).collect()
}

/// Returns a section with sharp left and right edges, for wings and blades.
pub(super) fn lens(pieces: usize) -> Vec<DVec2> {
    round(pieces).into_iter().map(|p| dvec2(p.x, p.y * p.y.abs())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spline_passes_through_its_controls() {
        let controls =
            [[0.0, 0.0], [1.0, 0.4], [3.0, 0.5], [4.0, 0.0]].map(|[x, r]| Station::new([x, 0.0, r], [r; 2]));
        let stations = smooth(&controls, 4);
        assert_eq!(stations.len(), 13);
        for (i, control) in controls.iter().enumerate() {
            assert!(stations[4 * i].at.distance(control.at) < 1e-12);
            assert!(stations[4 * i].half.distance(control.half) < 1e-12);
        }
        assert!(stations.iter().all(|s| s.half.x >= 0.0));
    }

    #[test]
    fn sections_turn_counter_clockwise_and_reach_their_size() {
        for section in [round(8), square(1), square(3), rounded(12), lens(8)] {
            let next = section.iter().cycle().skip(1);
            let area: f64 = section.iter().zip(next).map(|(a, b)| 0.5 * a.perp_dot(*b)).sum();
            assert!(area > 1.0, "{area}");
            let reach = section.iter().fold(DVec2::ZERO, |reach, p| reach.max(p.abs()));
            assert!(reach.distance(DVec2::ONE) < 1e-12, "{reach}");
        }
    }
}
