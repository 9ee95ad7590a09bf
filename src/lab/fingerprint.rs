//! Fingerprints of sets of pairs, for comparing the results of contenders. They do not depend on the
//! order of the pairs.

/// Returns the fingerprint of a pair. The fingerprint of a set is the wrapping sum over its pairs.
pub fn of_pair(a: u32, b: u32) -> u64 {
    let mut x = (u64::from(a) << 32 | u64::from(b)).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ x >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x ^ x >> 32
}

/// Returns the fingerprint of a set of pairs.
pub fn of_set(pairs: impl IntoIterator<Item = [u32; 2]>) -> u64 {
    pairs.into_iter().fold(0, |sum, [a, b]| sum.wrapping_add(of_pair(a, b)))
}

/// Appends `next` to a sequence with the fingerprint `before`. Multiplying by an odd number loses no
/// bits of earlier values.
pub fn after(before: u64, next: u64) -> u64 {
    (before ^ next).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_numbers_of_their_own_whatever_their_order() {
        assert_ne!(of_set([[0, 1]]), of_set([]));
        assert_ne!(of_set([[0, 0]]), of_set([]));
        assert_ne!(of_set([[0, 1], [2, 3]]), of_set([[0, 3], [1, 2]]), "as many, with the same members");
        assert_eq!(of_set([[0, 1], [2, 3]]), of_set([[2, 3], [0, 1]]));
        assert_ne!(after(after(0, 1), 2), after(after(0, 2), 1));
    }
}
