//! Element-wise operations on arrays of fixed length, as plain loops.
//!
//! `[T; N]::map` and `array::from_fn` of the standard library must be able to drop a partly built
//! array, and become about 350 lines of LLVM IR per call site. These functions, for plain values,
//! become 40 lines and are as fast if the closure is inlined. If the closure calls a larger function in
//! the innermost loops of a step (`contact/features.rs`, `mesh/predicates.rs`), the standard functions
//! took 12 % fewer instructions; use them there.

/// Conversion of an array, element by element.
pub trait MapEach<T, const N: usize> {
    /// Returns the same result as `map`, in the same order.
    fn map_each<U: Copy>(self, of: impl FnMut(T) -> U) -> [U; N];
}

impl<T: Copy, const N: usize> MapEach<T, N> for [T; N] {
    #[inline]
    fn map_each<U: Copy>(self, mut of: impl FnMut(T) -> U) -> [U; N] {
        const { assert!(N > 0) };
        let mut all = [of(self[0]); N];
        let mut k = 1;
        while k < N {
            all[k] = of(self[k]);
            k += 1;
        }
        all
    }
}

/// Builds an array from the value at each index.
#[inline]
pub fn from_each<U: Copy, const N: usize>(mut at: impl FnMut(usize) -> U) -> [U; N] {
    const { assert!(N > 0) };
    let mut all = [at(0); N];
    let mut k = 1;
    while k < N {
        all[k] = at(k);
        k += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{MapEach, from_each};

    #[test]
    fn each_element_is_asked_once_and_in_order() {
        let mut asked = Vec::new();
        assert_eq!(
            [3, 1, 2].map_each(|x| {
                asked.push(x);
                x * 2
            }),
            [6, 2, 4]
        );
        assert_eq!(asked, [3, 1, 2]);
        assert_eq!(from_each(|k| k * k), [0, 1, 4, 9]);
        assert_eq!([7].map_each(|x| x + 1), [8]);
    }
}
