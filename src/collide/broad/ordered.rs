//! Coordinates as integers with the same order. Integers are faster to compare and combine.

/// Returns an integer with the same order as the `f32`, infinities included. It consists of the bits of
/// the float; if the float is negative, all bits except the sign are flipped. Both zeros give the same
/// integer.
pub(super) fn ordered(x: f32) -> i32 {
    // Adding zero converts -0.0 to 0.0.
    let bits = (x + 0.0).to_bits().cast_signed();
    bits ^ ((bits >> 31).cast_unsigned() >> 1).cast_signed()
}

/// Returns the `f32` that [`ordered`] converted to this integer.
pub(super) fn coordinate(ordered: i32) -> f32 {
    let bits = ordered ^ ((ordered >> 31).cast_unsigned() >> 1).cast_signed();
    f32::from_bits(bits.cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_in_the_order_of_their_numbers() {
        let numbers = [f32::NEG_INFINITY, -1e30, -2.0, -1.5, -1e-40, 0.0, 1e-40, 1.0, 7.5, f32::INFINITY];
        assert!(numbers.map(ordered).is_sorted_by(|a, b| a < b));
        assert!(numbers.iter().all(|&x| coordinate(ordered(x)).to_bits() == x.to_bits()));
        assert_eq!(ordered(-0.0), ordered(0.0));
    }
}
