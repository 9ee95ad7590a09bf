//! Tolerance of a pair: the depth or distance up to which two parts only touch.

use super::placed::PlacedParts;
use crate::arrays::MapEach;
use crate::query::{Placed, coordinate_error};
use crate::volume::Aabb;

/// Share of the diagonal of the smaller part's bounding box that counts as touching.
const TOUCHING: f64 = 1e-6;
/// Rounding error of a number in `f32`, as a share of the number: half the distance of two numbers.
const HALF_UNIT: f64 = 0.5 * f32::EPSILON as f64;
/// Number of coordinate errors by which the rounding of a rotation may move a point: a rotation by four
/// rounded numbers is off by an angle of up to four half units.
const TURNED: f64 = 4.0;
/// Share of the diagonal of the smaller part's bounding box from which a tolerance is coarse.
const COARSE: f64 = 1e-4;

/// Pairs that were found near each other, but for which the rounding of coordinates exceeds the demanded
/// distance or a ten-thousandth of the smaller part. A clash may be missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coarse {
    pub pair_count: usize,
    /// Pair with the largest tolerance, and this tolerance, m.
    pub parts: [u32; 2],
    pub tolerance: f64,
}

impl Coarse {
    /// Adds a pair to those known so far.
    pub(super) fn with(known: Option<Self>, pair: [u32; 2], parts: &PlacedParts) -> Self {
        let [a, b] = pair.map_each(|part| parts.placed(part));
        let tolerance = a.zip(b).map_or(0.0, |(a, b)| tolerance(&[a, b]));
        let pair_count = known.map_or(0, |known| known.pair_count) + 1;
        match known {
            Some(known) if known.tolerance >= tolerance => Self { pair_count, ..known },
            _ => Self { pair_count, parts: pair, tolerance },
        }
    }
}

/// Returns the depth or distance up to which two parts only touch, m: a millionth of the smaller part's
/// diagonal, plus the `f32` rounding of the coordinates and of the relative position.
pub(super) fn tolerance(two: &[Placed; 2]) -> f64 {
    let between = two[0].pose.position.distance(two[1].pose.position);
    surface_tolerance(two) + 2.0 * HALF_UNIT * between
}

/// Returns the tolerance of two parts whose positions are exact, m. Positions have 64 bits, but most
/// programs write them rounded to 32.
fn surface_tolerance(two: &[Placed; 2]) -> f64 {
    let sizes = two.each_ref().map_each(|p| f64::from(p.mesh.bounds().diagonal()));
    // Both parts are turned by the same number, or by numbers of which each was rounded.
    let is_turned = two[0].pose.rotation != two[1].pose.rotation;
    TOUCHING * sizes[0].min(sizes[1]) + rounding(two) * if is_turned { 1.0 + TURNED } else { 1.0 }
}

/// Returns the distance by which points of two parts may be off because their coordinates are rounded,
/// m.
pub(super) fn rounding(two: &[Placed; 2]) -> f64 {
    coordinate_error(two[0].mesh) + coordinate_error(two[1].mesh)
}

/// Returns an upper bound of the tolerance of any two parts of a scene, m.
pub(super) fn greatest_tolerance(parts: &PlacedParts) -> f64 {
    let (mut size, mut error, mut all) = (0.0_f64, 0.0_f64, Aabb::EMPTY);
    for placed in parts.parts().filter_map(|part| parts.placed(part)) {
        size = size.max(f64::from(placed.mesh.bounds().diagonal()));
        error = error.max(coordinate_error(placed.mesh));
        let place = placed.pose.position.as_vec3();
        all = all.union(&Aabb::new(place, place));
    }
    // The box of all positions is rounded too.
    let between = 1.01 * f64::from(all.diagonal());
    TOUCHING * size + 2.0 * (1.0 + TURNED) * error + 2.0 * HALF_UNIT * between
}

/// Returns whether the tolerance of two parts is too coarse for a verdict on them: that of their surfaces
/// exceeds the demanded distance, or a ten-thousandth of the smaller part.
pub(super) fn is_coarse(two: &[Placed; 2], clearance: f64) -> bool {
    let [a, b] = two.each_ref().map_each(|p| f64::from(p.mesh.bounds().diagonal()));
    let tolerance = surface_tolerance(two);
    (clearance > 0.0 && tolerance > clearance) || tolerance > COARSE * a.min(b)
}
