//! Doubts about the support of islands under a time budget. A guessed contact is one that is kept
//! without a search. Bodies at rest on guessed contacts may still fall asleep, and their rest time does
//! not restart each time a guess proves wrong.

/// Support that the contacts of a pair give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Support {
    /// True if the contacts bear a load although the surfaces were not searched. Such contacts may not
    /// exist.
    pub is_guess: bool,
    /// True if a contact that bore a load turned out not to exist.
    pub is_lost: bool,
}

impl Support {
    pub(super) const CERTAIN: Self = Self { is_guess: false, is_lost: false };
}

/// Time (s) for which a sleeping island must stay slow after one of its supports turned out not to
/// exist.
const PROBATION: f64 = 0.1;
/// Factor on the rest speed of a body on guessed support: such a body is jolted each time its contacts
/// are found.
const UNCERTAIN: f64 = 12.0;

/// Doubts about bodies and islands. The lists are empty if every support is certain.
#[derive(Default)]
pub(super) struct Doubts {
    /// True if the support of a body is guessed, by body index.
    is_guessed: Vec<bool>,
    /// True if any support of an island is guessed, by the island's root.
    is_unproven: Vec<bool>,
    /// True if a support of an island turned out not to exist, by the island's root.
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

    /// Returns the factor on the rest speed of a body: larger than 1 if its support is guessed.
    pub fn patience(&self, body: usize) -> f64 {
        if self.is_guessed.get(body) == Some(&true) { UNCERTAIN } else { 1.0 }
    }

    /// Returns whether a support of the island is guessed or turned out not to exist.
    pub fn concern(&self, root: usize) -> bool {
        [&self.is_unproven, &self.is_doubted].into_iter().any(|of| of.get(root) == Some(&true))
    }

    /// Returns whether an island may have lost a support only because that support was a guess. If so,
    /// marks the island as doubted.
    pub fn explain_loss(&mut self, root: usize) -> bool {
        let explains = self.concern(root);
        if explains {
            self.is_doubted[root] = true;
        }
        explains
    }

    /// Returns the time (s) for which a sleeping island is woken and must stay slow before it sleeps
    /// again; `None` if it may sleep on. It is woken if one of its supports turned out not to exist and
    /// no remaining support is guessed.
    pub fn probation(&self, root: usize) -> Option<f64> {
        let must_show = self.is_doubted.get(root) == Some(&true) && !self.is_unproven[root];
        must_show.then_some(PROBATION)
    }
}
