//! Claims of a paper, and the rules of their verdict.
//!
//! A claim orders two quantities, calls two alike, or bounds one. It compares counts where the paper
//! gives counts, else operations, else times, whose order must be the same in every repeat. An item
//! holds if all its claims hold. It holds in order if all orders and bounds hold and only likenesses
//! fail. Otherwise the item's switch must restore every order and bound that fails; an item without
//! such a switch cannot be reported.

use super::quantity::Quantity;

/// Largest ratio of two quantities that a paper calls alike.
pub const ALIKE: f64 = 1.5;

/// A statement about quantities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Test {
    /// Claim that the first quantity is less than the second.
    Less(Quantity, Quantity),
    /// Claim that neither quantity is more than [`ALIKE`] times the other.
    Alike(Quantity, Quantity),
    AtMost(Quantity, f64),
    AtLeast(Quantity, f64),
}

impl Test {
    pub fn holds(self) -> bool {
        match self {
            Self::Less(less, more) => less.is_below(more),
            Self::Alike(one, other) => one.is_within(other, ALIKE),
            Self::AtMost(own, most) => own.value <= most,
            Self::AtLeast(own, least) => own.value >= least,
        }
    }

    fn is_likeness(self) -> bool {
        matches!(self, Self::Alike(..))
    }
}

/// A statement of a paper, tested.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    pub text: String,
    pub ours: Test,
    /// Result of the test on the values under the item's switch.
    pub switched: Option<Test>,
}

/// Verdict on an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    HoldsInOrder,
    /// Differs: the item's switch restores the paper's statement.
    Differs,
}

impl Verdict {
    pub const ALL: [Self; 3] = [Self::Holds, Self::HoldsInOrder, Self::Differs];

    /// Returns the verb for several items.
    pub fn of_many(self) -> &'static str {
        match self {
            Self::Holds => "hold",
            Self::HoldsInOrder => "hold in order",
            Self::Differs => "differ",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::HoldsInOrder => "holds in order",
            Self::Differs => "differs",
        }
    }
}

/// Returns the verdict on the claims of an item. `is_our_reading`: whether the paper states the claims
/// in words only; the item then holds in order at best.
///
/// # Errors
/// Returns the texts of the claims that fail and that no switch restores, or a text that there are no
/// claims.
pub fn verdict(claims: &[Claim], is_our_reading: bool) -> Result<Verdict, Vec<String>> {
    let failed: Vec<&Claim> = claims.iter().filter(|claim| !claim.ours.holds()).collect();
    let orders = claims.iter().filter(|claim| !claim.ours.is_likeness()).count();
    let texts = |claims: &[&Claim]| claims.iter().map(|claim| claim.text.clone()).collect();
    if claims.is_empty() {
        return Err(vec!["the item has no claims".to_owned()]);
    }
    if failed.is_empty() {
        return Ok(if is_our_reading { Verdict::HoldsInOrder } else { Verdict::Holds });
    }
    let broken: Vec<&Claim> =
        failed.into_iter().filter(|claim| orders == 0 || !claim.ours.is_likeness()).collect();
    if broken.is_empty() {
        return Ok(Verdict::HoldsInOrder);
    }
    let unexplained: Vec<&Claim> =
        broken.into_iter().filter(|claim| !claim.switched.is_some_and(Test::holds)).collect();
    if unexplained.is_empty() { Ok(Verdict::Differs) } else { Err(texts(&unexplained)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(ours: Test) -> Claim {
        Claim { text: format!("{ours:?}"), ours, switched: None }
    }

    fn less(a: f64, b: f64) -> Test {
        Test::Less(a.into(), b.into())
    }

    fn alike(a: f64, b: f64) -> Test {
        Test::Alike(a.into(), b.into())
    }

    #[test]
    fn an_item_holds_if_all_claims_do_and_in_order_if_likenesses_alone_fail() {
        let right = [claim(less(1.0, 2.0)), claim(alike(2.0, 3.0))];
        assert_eq!(verdict(&right, false), Ok(Verdict::Holds));
        assert_eq!(verdict(&right, true), Ok(Verdict::HoldsInOrder));
        let unlike = [claim(less(1.0, 2.0)), claim(alike(2.0, 3.1))];
        assert_eq!(verdict(&unlike, false), Ok(Verdict::HoldsInOrder));
        let bounded = [claim(Test::AtMost(1.0.into(), 1.0)), claim(alike(2.0, 3.1))];
        assert_eq!(verdict(&bounded, false), Ok(Verdict::HoldsInOrder));
    }

    #[test]
    fn an_order_that_fails_must_be_restored_by_the_switch() {
        let mut wrong = [claim(less(2.0, 1.0)), claim(less(1.0, 2.0))];
        assert_eq!(verdict(&wrong, false), Err(vec![wrong[0].text.clone()]));
        wrong[0].switched = Some(less(1.0, 1.0));
        assert!(verdict(&wrong, false).is_err(), "the switch restores nothing");
        wrong[0].switched = Some(less(0.5, 1.0));
        assert_eq!(verdict(&wrong, false), Ok(Verdict::Differs));
        // A switch excuses only a claim that it restores.
        wrong[1].ours = Test::AtLeast(1.0.into(), 1.1);
        assert_eq!(verdict(&wrong, false), Err(vec![wrong[1].text.clone()]));
    }

    #[test]
    fn a_likeness_alone_is_no_order_to_hold_in() {
        let mut alone = [claim(alike(1.0, 4.0))];
        assert!(verdict(&alone, false).is_err() && verdict(&[], false).is_err());
        alone[0].switched = Some(alike(1.0, 1.2));
        assert_eq!(verdict(&alone, true), Ok(Verdict::Differs));
    }
}
