//! Contenders that find pairs of overlapping boxes: the broad phases of this program, and parry's tree.

use std::time::{Duration, Instant};

use crate::broad::{BroadPhase, BroadPhaseKind, Pair, Upkeep};
use crate::fingerprint;
use crate::volume::Aabb;

/// Method to find pairs of boxes. Each finder that it creates starts without boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contender {
    Own(BroadPhaseKind),
    #[cfg(feature = "reference")]
    Parry,
}

/// Times and counts of one frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Took {
    pub update: Duration,
    pub find: Duration,
    /// Time to sort the pairs; `None` for other libraries, in which it cannot be measured.
    pub sort: Option<Duration>,
    pub test_count: Option<u64>,
    /// Whether the structure was built from scratch in this frame.
    pub made: Option<bool>,
}

impl Took {
    /// Returns the time of the frame, without sorting the pairs.
    pub fn total(&self) -> Duration {
        self.update + self.find
    }
}

pub fn milliseconds(duration: Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}

/// Finder of pairs that keeps its structure from frame to frame.
pub trait Finder: Send {
    /// Finds the pairs of the frame's boxes, and stores them in `pairs`, which is cleared first.
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Vec<Pair>) -> Took;

    fn byte_count(&self) -> usize;
}

impl Contender {
    /// Contenders from other libraries.
    #[cfg(feature = "reference")]
    pub const PEERS: &[Self] = &[Self::Parry];
    #[cfg(not(feature = "reference"))]
    pub const PEERS: &[Self] = &[];

    pub fn name(self) -> &'static str {
        match self {
            Self::Own(kind) => kind.name(),
            #[cfg(feature = "reference")]
            Self::Parry => "parry3d",
        }
    }

    /// Returns the name. If the contender uses more than one thread, the number of threads is added.
    pub fn label(self, thread_count: usize) -> String {
        match self {
            Self::Own(BroadPhaseKind::WideTree) if thread_count > 1 => {
                format!("{}, {thread_count} threads", self.name())
            }
            _ => self.name().to_owned(),
        }
    }

    pub fn make(self, thread_count: usize) -> Box<dyn Finder> {
        match self {
            Self::Own(kind) => Box::new(BroadPhase::new(kind, thread_count)),
            #[cfg(feature = "reference")]
            Self::Parry => Box::new(crate::reference::ParryBoxes::default()),
        }
    }
}

impl Finder for BroadPhase {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Vec<Pair>) -> Took {
        let start = Instant::now();
        let upkeep = self.update(boxes);
        let updated = Instant::now();
        let test_count = self.find(pairs);
        let found = Instant::now();
        self.sort(pairs);
        Took {
            update: updated - start,
            find: found - updated,
            sort: Some(found.elapsed()),
            test_count: Some(test_count),
            made: Some(upkeep == Upkeep::Made),
        }
    }

    fn byte_count(&self) -> usize {
        self.byte_count()
    }
}

#[cfg(feature = "reference")]
impl Finder for crate::reference::ParryBoxes {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Vec<Pair>) -> Took {
        let start = Instant::now();
        self.update(boxes);
        let updated = Instant::now();
        pairs.clear();
        self.find(|a, b| pairs.push(Pair::new(a, b)));
        Took { update: updated - start, find: updated.elapsed(), ..Took::default() }
    }

    fn byte_count(&self) -> usize {
        self.byte_count()
    }
}

/// Returns a fingerprint of a set of pairs, which does not depend on their order.
pub fn set_number(pairs: &[Pair]) -> u64 {
    fingerprint::of_set(pairs.iter().map(|pair| [pair.a, pair.b]))
}

#[cfg(all(test, feature = "reference"))]
mod tests {
    use super::*;

    #[test]
    fn parry_finds_the_same_pairs_of_boxes_that_move_enter_and_leave() {
        let motion = crate::boxes::sets::MovingSet::Turnover.start(400);
        let [mut own, mut parry] =
            [Contender::Own(BroadPhaseKind::BruteForce), Contender::Parry].map(|c| c.make(1));
        for frame in 0..60 {
            let boxes = motion.frame(frame);
            let [mut expected, mut found] = [Vec::new(), Vec::new()];
            own.frame(&boxes, &mut expected);
            parry.frame(&boxes, &mut found);
            assert!(!found.is_empty());
            assert_eq!(set_number(&found), set_number(&expected), "frame {frame}");
        }
    }
}
