//! Buffers of one thread of a world, kept so that they grow only once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::{contact, estimate, query, tree};

/// Buffers of one thread.
#[derive(Default)]
pub(super) struct Scratch {
    pub descent: tree::DescentScratch,
    pub query: contact::QueryScratch,
    pub adb: estimate::AdbScratch,
    pub depths: query::PairMemory,
    /// Triangle pairs whose distance is tested.
    pub near: Vec<[u32; 2]>,
    pub touch: query::TouchBuffers,
}

impl Scratch {
    /// Sets the flag that ends long loops early.
    pub fn stop_on(&mut self, flag: &Arc<AtomicBool>) {
        self.descent.stop = Arc::clone(flag);
        self.query.stop = Arc::clone(flag);
        self.depths.stop_on(Arc::clone(flag));
    }
}
