//! What islands rest on where not all contacts are certain: bodies that rest on guesses may fall asleep all
//! the same, and do not start anew each time a guess turns out to be wrong.

/// How far the contacts of a pair bear what rests on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Support {
    /// They bear a load, and the surfaces were not looked at: they may not be there.
    pub is_guess: bool,
    /// What bore a load turned out not to be there.
    pub is_lost: bool,
}

impl Support {
    pub(super) const CERTAIN: Self = Self { is_guess: false, is_lost: false };
}

/// How long (s) what was asleep must stay slow when something it seemed to rest on turns out not to be there.
const PROBATION: f64 = 0.1;
/// What rests on guesses is jolted by every proof: it may be so many times as fast and is put to sleep all
/// the same, until it is known what it rests on.
const UNCERTAIN: f64 = 12.0;

/// What is doubted of bodies and islands; nothing of any where every support is certain.
#[derive(Default)]
pub(super) struct Doubts {
    /// By body: whether what it rests on is not known for certain.
    is_guessed: Vec<bool>,
    /// By root: whether that is so for any body of the island, and whether something that it seemed to rest
    /// on is not there.
    is_unproven: Vec<bool>,
    is_doubted: Vec<bool>,
}

impl Doubts {
    /// Makes room for so many bodies of which nothing is doubted.
    pub fn clear(&mut self, body_count: usize) {
        for of_body in [&mut self.is_guessed, &mut self.is_unproven, &mut self.is_doubted] {
            of_body.clear();
            of_body.resize(body_count, false);
        }
    }

    /// Takes how far a body is borne that belongs to the island of a root.
    pub fn add(&mut self, body: u32, root: u32, support: Support) {
        self.is_guessed[body as usize] |= support.is_guess;
        self.is_unproven[root as usize] |= support.is_guess;
        self.is_doubted[root as usize] |= support.is_lost;
    }

    /// How many times as fast as another a body may be and still counts as slow.
    pub fn patience(&self, body: usize) -> f64 {
        if self.is_guessed.get(body) == Some(&true) { UNCERTAIN } else { 1.0 }
    }

    /// Whether anything that an island rests on, or rested on, was a guess.
    pub fn concern(&self, root: usize) -> bool {
        [&self.is_unproven, &self.is_doubted].into_iter().any(|of| of.get(root) == Some(&true))
    }

    /// Whether it is doubts that explain why less holds the island than before; from then on it is doubted.
    pub fn explain_loss(&mut self, root: usize) -> bool {
        let explains = self.concern(root);
        if explains {
            self.is_doubted[root] = true;
        }
        explains
    }

    /// How long (s) a sleeping island must show that it rests, if it has to: all that it rests on is certain
    /// now, and less than it seemed.
    pub fn probation(&self, root: usize) -> Option<f64> {
        let must_show = self.is_doubted.get(root) == Some(&true) && !self.is_unproven[root];
        must_show.then_some(PROBATION)
    }
}
