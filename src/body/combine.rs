//! How the friction or the bounce of two bodies becomes that of the pair, where their files say it.

use serde::{Deserialize, Serialize};

/// KHR_physics_rigid_bodies; of two bodies that say different ones the first of this list counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Combine {
    Average,
    Minimum,
    Maximum,
    Multiply,
}

/// What a body says of its friction and of its bounce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CombineModes {
    pub friction: Option<Combine>,
    pub restitution: Option<Combine>,
}

impl Combine {
    /// The mode of a pair; `None` if neither body says one.
    pub fn of_pair(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

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
        for (a, b, mode, value) in [
            (Some(Multiply), Some(Maximum), Some(Maximum), 0.5),
            (Some(Multiply), None, Some(Multiply), 0.1),
            (Some(Average), Some(Minimum), Some(Average), 0.35),
            (Some(Maximum), Some(Minimum), Some(Minimum), 0.2),
        ] {
            assert_eq!((Combine::of_pair(a, b), Combine::of_pair(b, a)), (mode, mode));
            assert_eq!(mode.unwrap().apply(0.2, 0.5), value);
        }
        assert_eq!(Combine::of_pair(None, None), None);
    }
}
