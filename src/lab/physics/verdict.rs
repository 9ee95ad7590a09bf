//! Verdicts on a value: right or wrong by itself, and better or worse beside rapier's.

use super::truth::Truth;

/// Difference of two errors that counts as none, as a share of the tolerance.
const EVEN: f64 = 0.1;

/// Rule of the verdicts, for the reader of the table.
pub const RULE: &str = "right: ours differs from the closed form by at most the tolerance, wrong: by more; \
                        better, worse: our error is smaller or larger than that of the better of the two \
                        rapiers, as good: they differ by at most a tenth of the tolerance";

/// Returns the difference of a value from the closed form; infinite if the engine failed.
pub fn error(truth: &Truth, value: Option<f64>) -> f64 {
    value.map_or(f64::INFINITY, |value| (value - truth.closed_form).abs())
}

/// Returns whether a value is right: `right` or `wrong`.
pub fn verdict(truth: &Truth, ours: Option<f64>) -> &'static str {
    if error(truth, ours) <= truth.tolerance { "right" } else { "wrong" }
}

/// Returns how our value compares with those of the rapiers: `better`, `as good` or `worse`. Returns
/// `None` if there are none.
pub fn beside(truth: &Truth, ours: Option<f64>, others: &[Option<f64>]) -> Option<&'static str> {
    let theirs = others.iter().map(|&value| error(truth, value)).min_by(f64::total_cmp)?;
    let ours = error(truth, ours);
    // Two infinite errors are equal, but have no difference.
    let is_even = ours == theirs || (ours - theirs).abs() <= EVEN * truth.tolerance;
    Some(match (is_even, ours < theirs) {
        (true, _) => "as good",
        (false, true) => "better",
        (false, false) => "worse",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    #[test]
    fn verdicts_follow_the_rule() {
        let truth = Truth::within(0.01, "ten", (10.0, "m"), Scene::new("ten"), |_| None);
        let words = [10.1, 9.95, 10.11, 9.0].map(|value| verdict(&truth, Some(value)));
        assert_eq!(words, ["right", "right", "wrong", "wrong"]);
        assert_eq!(verdict(&truth, None), "wrong");
        let compared = |ours, theirs: &[Option<f64>]| beside(&truth, ours, theirs);
        assert_eq!(compared(Some(10.0), &[]), None);
        assert_eq!(compared(Some(10.005), &[Some(10.0), Some(12.0)]), Some("as good"));
        assert_eq!(compared(Some(10.02), &[Some(10.0), None]), Some("worse"));
        assert_eq!(compared(Some(10.02), &[Some(10.5), None]), Some("better"));
        assert_eq!(compared(None, &[None]), Some("as good"));
        assert_eq!(compared(None, &[Some(0.0)]), Some("worse"));
    }
}
