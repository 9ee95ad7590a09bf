//! What a thread of a world works with, kept so that it grows once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::{contact, estimate, query, tree};

/// What one thread works with.
#[derive(Default)]
pub(super) struct Scratch {
    pub descent: tree::DescentScratch,
    pub query: contact::QueryScratch,
    pub adb: estimate::AdbScratch,
    pub depths: query::PairMemory,
    /// Triangle pairs of which it is asked whether they are near.
    pub near: Vec<[u32; 2]>,
}

impl Scratch {
    /// Long loops end early once the flag is set.
    pub fn stop_on(&mut self, flag: &Arc<AtomicBool>) {
        self.descent.stop = Arc::clone(flag);
        self.query.stop = Arc::clone(flag);
        self.depths.stop_on(Arc::clone(flag));
    }
}
