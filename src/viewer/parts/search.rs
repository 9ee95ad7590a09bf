//! The search for the parts of a scene, on a separate thread, as large surfaces take seconds.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use super::Parts;
use crate::scene::Scene;
use crate::viewer::shading::Shape;
use crate::viewer::simulation::Wake;

/// A running search. If it is dropped, its result is dropped too.
pub struct LevelSearch {
    result: Receiver<(Parts, Vec<Shape>)>,
}

impl LevelSearch {
    /// Starts a search. The ids of its shapes begin at `first`. Fails if the thread cannot be started.
    pub fn start(scene: &Arc<Scene>, first: u32, wake: &Wake) -> std::io::Result<Self> {
        let (send, result) = channel();
        let (scene, wake) = (Arc::clone(scene), Arc::clone(wake));
        let work = move || {
            // The receiver may be gone already, which does no harm.
            let _ = send.send(Parts::find(&scene, first));
            wake();
        };
        std::thread::Builder::new().name("parts".into()).spawn(work)?;
        Ok(Self { result })
    }

    /// Returns the result, or `None` while the search runs. Returns an error if the search ended
    /// without a result.
    pub fn take(&self) -> Option<Result<(Parts, Vec<Shape>), &'static str>> {
        match self.result.try_recv() {
            Ok(found) => Some(Ok(found)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("the search for parts failed unexpectedly")),
        }
    }
}
