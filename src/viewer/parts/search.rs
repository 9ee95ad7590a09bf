//! Search for the parts of a scene on a separate thread: large surfaces take seconds.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use super::Parts;
use crate::scene::Scene;
use crate::viewer::shading::Shape;
use crate::viewer::simulation::Wake;

/// A running search; dropping it drops its result.
pub struct LevelSearch {
    result: Receiver<(Parts, Vec<Shape>)>,
}

impl LevelSearch {
    /// Starts a search; its shapes get ids from `first`. Fails if the thread cannot be started.
    pub fn start(scene: &Arc<Scene>, first: u32, wake: &Wake) -> std::io::Result<Self> {
        let (send, result) = channel();
        let (scene, wake) = (Arc::clone(scene), Arc::clone(wake));
        let work = move || {
            // The receiver may be gone already.
            let _ = send.send(Parts::find(&scene, first));
            wake();
        };
        std::thread::Builder::new().name("parts".into()).spawn(work)?;
        Ok(Self { result })
    }

    /// Returns the result; `None` while the search runs, an error if it ended without a result.
    pub fn take(&self) -> Option<Result<(Parts, Vec<Shape>), &'static str>> {
        match self.result.try_recv() {
            Ok(found) => Some(Ok(found)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("the search for parts failed unexpectedly")),
        }
    }
}
