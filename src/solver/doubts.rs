//! Doubts about the support of islands under a budget: bodies that rest on guessed contacts may fall
//! asleep all the same, and need not start over each time a guess turns out to be wrong.

/// Support that the contacts of a pair give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Support {
    /// Whether the contacts bear a load although the surfaces were not searched, so that they may not
    /// exist.
    pub is_guess: bool,
    /// Whether a contact that bore a load turned out not to exist.
    pub is_lost: bool,
}

impl Support {
    pub(super) const CERTAIN: Self = Self { is_guess: false, is_lost: false };
}

/// Time (s) for which a sleeping body must stay slow after one of its supports turned out not to exist.
const PROBATION: f64 = 0.1;
/// Factor of the speed below which a body on guessed support counts as slow: every proof jolts it.
const UNCERTAIN: f64 = 12.0;

/// Doubts about bodies and islands; empty if every support is certain.
#[derive(Default)]
pub(super) struct Doubts {
    /// Whether a body's support is guessed, by body.
    is_guessed: Vec<bool>,
    /// Whether any support of the island is guessed, and whether one turned out not to exist; by root.
    is_unproven: Vec<bool>,
    is_doubted: Vec<bool>,
}

impl Doubts {
    /// Resets the doubts, for `body_count` bodies.
    pub fn clear(&mut self, body_count: usize) {
        for of_body in [&mut self.is_guessed, &mut self.is_unproven, &mut self.is_doubted] {
            of_body.clear();
            of_body.resize(body_count, false);
        }
    }

    /// Adds the support of a body that belongs to the island of `root`.
    pub fn add(&mut self, body: u32, root: u32, support: Support) {
        self.is_guessed[body as usize] |= support.is_guess;
        self.is_unproven[root as usize] |= support.is_guess;
        self.is_doubted[root as usize] |= support.is_lost;
    }

    /// Returns the factor by which a body may be faster than others and still counts as slow.
    pub fn patience(&self, body: usize) -> f64 {
        if self.is_guessed.get(body) == Some(&true) { UNCERTAIN } else { 1.0 }
    }

    /// Returns whether any support of an island is or was a guess.
    pub fn concern(&self, root: usize) -> bool {
        [&self.is_unproven, &self.is_doubted].into_iter().any(|of| of.get(root) == Some(&true))
    }

    /// Returns whether doubts explain that an island has fewer supports than before. If so, the island
    /// is doubted from then on.
    pub fn explain_loss(&mut self, root: usize) -> bool {
        let explains = self.concern(root);
        if explains {
            self.is_doubted[root] = true;
        }
        explains
    }

    /// Returns the time (s) for which a sleeping island must show that it rests; `None` if it need not.
    /// It must once all its supports are certain, after one of them did not exist.
    pub fn probation(&self, root: usize) -> Option<f64> {
        let must_show = self.is_doubted.get(root) == Some(&true) && !self.is_unproven[root];
        must_show.then_some(PROBATION)
    }
}
