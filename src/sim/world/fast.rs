//! Fast bodies of a pass, their pairs, and the motions of the bodies concerned.

use super::collision::Spot;
use crate::query::{FirstTouch, Motion};

/// Distance that counts as touching, in slops of the pair. Smaller values leave less room for the
/// motion after a collision; larger values let bodies collide visibly early.
pub(super) const TOUCH: f64 = 0.25;
/// Index that stands for no fast body.
const NONE: u32 = u32::MAX;

/// Fast body of a pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fast {
    pub body: u32,
    /// Share of the pass at which its motion was bent last.
    pub since: f64,
    /// Number of touches in this pass at which its motion was bent.
    pub bend_count: u32,
    /// Distance that it may still travel in this pass, m. Beyond, there may be bodies with which it has
    /// no pair.
    pub room: f64,
    /// True if no contact bears it, so that only gravity changed its velocity in the pass.
    pub is_free: bool,
}

/// Pair of a fast body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watched {
    /// Index among the active pairs.
    pub pair: u32,
    pub touch: Option<FirstTouch>,
    /// Share of the pass at which the bodies slid over each other last; negative if they did not.
    pub slid_at: f64,
    /// Number of times that they slid over each other in this pass.
    pub slide_count: u32,
    /// True if the search for their touch is over in this pass.
    pub is_over: bool,
}

/// Fast bodies of a pass, their pairs, and the motions of all bodies concerned.
#[derive(Default)]
pub(super) struct Impacts {
    /// Index among the fast bodies, by body.
    pub fast_of: Vec<u32>,
    pub fast: Vec<Fast>,
    pub watched: Vec<Watched>,
    /// Motions of the bodies in this pass, by body, where they were needed.
    pub motions: Vec<Option<Motion>>,
    /// Contacts of the last collision.
    pub spots: Vec<Spot>,
}

impl Impacts {
    /// Forgets the last pass, and makes room for the given number of bodies.
    pub fn begin(&mut self, bodies: usize) {
        self.fast.clear();
        self.watched.clear();
        self.fast_of.clear();
        self.fast_of.resize(bodies, NONE);
        self.motions.clear();
        self.motions.resize(bodies, None);
    }

    pub fn fast_mut(&mut self, body: u32) -> Option<&mut Fast> {
        let at = self.fast_of[body as usize];
        (at != NONE).then(|| &mut self.fast[at as usize])
    }

    pub fn fast(&self, body: u32) -> Option<&Fast> {
        let at = self.fast_of[body as usize];
        (at != NONE).then(|| &self.fast[at as usize])
    }

    /// Returns the earliest touch and its index among the watched pairs; of equally early ones, the
    /// first.
    pub fn first(&self) -> Option<(usize, FirstTouch)> {
        let mut first: Option<(usize, FirstTouch)> = None;
        for (at, watched) in self.watched.iter().enumerate() {
            if let Some(touch) = watched.touch.filter(|t| first.is_none_or(|(_, f)| t.share < f.share)) {
                first = Some((at, touch));
            }
        }
        first
    }
}
