//! Combines the friction or restitution of two bodies into that of the pair, as their files specify.

use serde::{Deserialize, Serialize};

/// Combine mode of KHR_physics_rigid_bodies. If two bodies specify different modes, the earlier one in
/// this list applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Combine {
    Average,
    Minimum,
    Maximum,
    Multiply,
}

/// Combine modes of a body for friction and restitution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CombineModes {
    pub friction: Option<Combine>,
    pub restitution: Option<Combine>,
    /// Whether the body's file format has combine modes. If both bodies' formats do and neither body
    /// specifies a mode, the pair uses the average.
    #[serde(default)]
    pub has_modes: bool,
}

impl CombineModes {
    /// Returns the modes of a pair, for friction and for restitution. `None` if neither body specifies
    /// a mode and the file format of at least one has none.
    #[inline]
    pub fn of_pair(a: Self, b: Self) -> [Option<Combine>; 2] {
        let unsaid = (a.has_modes && b.has_modes).then_some(Combine::Average);
        let first = |a: Option<Combine>, b: Option<Combine>| match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b).or(unsaid),
        };
        [first(a.friction, b.friction), first(a.restitution, b.restitution)]
    }
}

impl Combine {
    #[inline]
    pub fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Average => 0.5 * (a + b),
            Self::Minimum => a.min(b),
            Self::Maximum => a.max(b),
            Self::Multiply => a * b,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earlier_mode_counts_and_none_only_where_neither_says_one() {
        use Combine::{Average, Maximum, Minimum, Multiply};
        let of = |friction| CombineModes { friction, has_modes: true, ..CombineModes::default() };
        for (a, b, mode, value) in [
            (Some(Multiply), Some(Maximum), Maximum, 0.5),
            (Some(Multiply), None, Multiply, 0.1),
            (Some(Average), Some(Minimum), Average, 0.35),
            (Some(Maximum), Some(Minimum), Minimum, 0.2),
            (None, None, Average, 0.35),
        ] {
            for [a, b] in [[a, b], [b, a]] {
                assert_eq!(CombineModes::of_pair(of(a), of(b)), [Some(mode), Some(Average)]);
            }
            assert_eq!(mode.apply(0.2, 0.5), value);
        }
        let plain = CombineModes::default();
        assert_eq!(CombineModes::of_pair(of(None), plain), [None; 2]);
        assert_eq!(CombineModes::of_pair(plain, of(Some(Minimum))), [Some(Minimum), None]);
    }
}
