//! Looks for the parts of a scene on a thread of its own: large surfaces take seconds.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use super::Parts;
use crate::scene::Scene;
use crate::viewer::shading::Shape;
use crate::viewer::simulation::Wake;

/// A search that goes on; what it finds for a dropped one is dropped too.
pub struct LevelSearch {
    result: Receiver<(Parts, Vec<Shape>)>,
}

impl LevelSearch {
    /// Shapes are numbered from `first`. Fails if the system gives no thread.
    pub fn start(scene: &Arc<Scene>, first: u32, wake: &Wake) -> std::io::Result<Self> {
        let (send, result) = channel();
        let (scene, wake) = (Arc::clone(scene), Arc::clone(wake));
        let work = move || {
            // Nobody may wait for it any longer.
            let _ = send.send(Parts::find(&scene, first));
            wake();
        };
        std::thread::Builder::new().name("parts".into()).spawn(work)?;
        Ok(Self { result })
    }

    /// `None` while it goes on; an error if it ended without a result.
    pub fn take(&self) -> Option<Result<(Parts, Vec<Shape>), &'static str>> {
        match self.result.try_recv() {
            Ok(found) => Some(Ok(found)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("the search for parts failed unexpectedly")),
        }
    }
}
