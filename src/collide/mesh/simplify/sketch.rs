//! Widening of the first level's cells, so that the level is a sketch with few elements. The initial
//! width is from a drop of the histogram. \[simplify\] §5, Fig. 4, Table 1
//!
//! At the width of the first drop, some surfaces keep so many elements that they have dozens of parts,
//! which merge into a tree as deep as that of a split rule. Six of the paper's eight simplified models
//! have 13 to 53 elements (Fig. 4: 17 triangles, 9 edges and 4 points, and so on; the other two have
//! 499 and 778), and its first levels have 3 to 28 components. So cells are widened step by step until
//! there are no more elements than in the largest of those six. But at least four parts must be left:
//! the paper's smallest count is 3, and a windmill in two pieces has lost its sails. The paper does not
//! explain how it avoids either.

use super::widths::WIDEST;
use super::{Simplifier, partition};

/// Largest number of elements of a sketch.
const MOST_ELEMENTS: usize = 53;
/// Least number of parts that widening may leave.
const LEAST_PARTS: u32 = 4;
/// Factor of the width per step: 2 to the power of 1/6.
const STEP: f32 = 1.122_462;

/// Returns [`Simplifier::widths`] with the first width widened to a sketch.
pub fn sketch_widths(surface: &Simplifier) -> Vec<f32> {
    let mut widths = surface.widths();
    if let Some(first) = widths.first_mut() {
        *first = widened(surface, *first);
    }
    widths
}

/// Returns the cell width of the first level, m. `width`: the width at a drop, m. Takes at most 34
/// steps, from a hundredth of the diagonal to half of it; each step costs as much as a level.
fn widened(surface: &Simplifier, width: f32) -> f32 {
    let (mut width, widest) = (width, WIDEST * surface.diagonal);
    let mut count = surface.simplify(width).element_count();
    while count > MOST_ELEMENTS && width * STEP <= widest {
        let wider = surface.simplify(width * STEP);
        let all: Vec<u32> = (0..wider.element_count() as u32).collect();
        if partition(&wider, &all).part_count < LEAST_PARTS {
            break;
        }
        width *= STEP;
        count = wider.element_count();
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{self, Replica};

    fn parts(surface: &Simplifier, width: f32) -> (usize, u32) {
        let simplified = surface.simplify(width);
        let all: Vec<u32> = (0..simplified.element_count() as u32).collect();
        (simplified.element_count(), partition(&simplified, &all).part_count)
    }

    #[test]
    fn a_surface_of_many_parts_is_widened_to_a_sketch_of_few() {
        let (positions, triangles) = Replica::Chair.triangles();
        let surface = Simplifier::new(&positions, &triangles);
        let narrow = 0.02 * surface.diagonal;
        let (elements, many) = parts(&surface, narrow);
        assert!(elements > 2 * MOST_ELEMENTS, "{elements}");
        let wide = widened(&surface, narrow);
        let (elements, few) = parts(&surface, wide);
        assert!(elements <= MOST_ELEMENTS && wide > 2.0 * narrow, "{elements} at {wide}");
        assert!((LEAST_PARTS..many).contains(&few), "{few} of {many}");
    }

    /// Tests with a torus, which has one part at any width, and a chair that is a sketch already.
    #[test]
    fn nothing_is_widened_that_would_be_left_with_less_than_four_parts_or_that_is_a_sketch() {
        let (positions, triangles) = generate::torus(0.4, 0.12, 60, 30);
        let torus = Simplifier::new(&positions, &triangles);
        let width = 0.05 * torus.diagonal;
        assert!(torus.simplify(width).element_count() > MOST_ELEMENTS);
        assert_eq!(widened(&torus, width), width);
        let (positions, triangles) = Replica::Chair.triangles();
        let chair = Simplifier::new(&positions, &triangles);
        let width = 0.4 * chair.diagonal;
        assert_eq!(widened(&chair, width), width);
    }
}
