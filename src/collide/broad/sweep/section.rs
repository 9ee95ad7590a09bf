//! Trait of a section of the sweep plane: a dynamic set of rectangles with overlap queries (DR in the
//! paper). \[boxes\] §3.3

use std::fmt::Debug;

use crate::volume::Aabb;

/// Set of the rectangles in the plane, identified by their index in `rectangles`. `rectangles` must be
/// the same in each call between two resets.
pub(in crate::broad) trait Section: Debug + Default + Send + Sync {
    /// Empties the section and adapts it to a frame's rectangles, none of which is in the plane yet.
    /// O(n).
    fn reset(&mut self, rectangles: &[Rectangle]);

    /// Reports the rectangles in the plane that overlap rectangle `id`, each once, then adds rectangle
    /// `id`. Returns the number of comparisons.
    fn enter(&mut self, id: u32, rectangles: &[Rectangle], report: &mut impl FnMut(u32)) -> u64;

    /// Removes rectangle `id` from the plane.
    fn leave(&mut self, id: u32, rectangles: &[Rectangle]);

    fn byte_count(&self) -> usize;
}

/// Closed interval `low..=high`, m; neither end is NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::broad) struct Interval {
    pub(super) low: f32,
    pub(super) high: f32,
}

impl Interval {
    /// Empty interval, with `low` > `high`.
    const EMPTY: Self = Self { low: f32::INFINITY, high: f32::NEG_INFINITY };

    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

/// Box without its extent along the sweep axis: its intervals on the two other axes, here called x and
/// y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::broad) struct Rectangle {
    pub(super) sides: [Interval; 2],
}

impl Rectangle {
    pub(super) const EMPTY: Self = Self { sides: [Interval::EMPTY; 2] };

    /// Returns the section of a box perpendicular to `axis`; [`Rectangle::EMPTY`] for an empty box,
    /// whose coordinates may be NaN.
    pub(super) fn across(bounds: &Aabb, axis: usize) -> Self {
        if bounds.is_empty() {
            return Self::EMPTY;
        }
        let side = |axis| Interval { low: bounds.min[axis], high: bounds.max[axis] };
        Self { sides: [side((axis + 1) % 3), side((axis + 2) % 3)] }
    }

    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.sides[0].overlaps(&other.sides[0]) && self.sides[1].overlaps(&other.sides[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec3;

    #[test]
    fn a_box_is_cut_across_its_axis() {
        let bounds = Aabb::new(vec3(0.0, 1.0, 2.0), vec3(3.0, 4.0, 5.0));
        let sides: [Interval; 3] =
            std::array::from_fn(|axis| Interval { low: bounds.min[axis], high: bounds.max[axis] });
        assert_eq!(Rectangle::across(&bounds, 0).sides, [sides[1], sides[2]]);
        assert_eq!(Rectangle::across(&bounds, 1).sides, [sides[2], sides[0]]);
        assert_eq!(Rectangle::across(&bounds, 2).sides, [sides[0], sides[1]]);
    }

    #[test]
    fn an_empty_box_is_cut_in_nothing() {
        let inverted = Aabb::new(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 1.0));
        let unknown = Aabb::new(vec3(f32::NAN, 0.0, 0.0), vec3(1.0, 1.0, 1.0));
        for axis in 0..3 {
            assert_eq!(Rectangle::across(&inverted, axis), Rectangle::EMPTY);
            assert_eq!(Rectangle::across(&unknown, axis), Rectangle::EMPTY);
        }
    }
}
