//! Slow work before the first result: reading a scene, building its hierarchies, searching for overlaps.
//! If it takes longer than two seconds, a line on the terminal tells what is being done.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::output;
use crate::check::PlacedParts;
use crate::digits::grouped;
use crate::pose::Pose;
use crate::scene::{Scene, SceneError, SceneName, load_scene};
use crate::world::{StartOverlaps, World, WorldError};

/// Time after which the line appears.
const PATIENCE: Duration = Duration::from_secs(2);
/// Time between two pictures of the line.
const TICK: Duration = Duration::from_millis(100);

/// Reads a scene.
pub(super) fn load(wanted: SceneName, seed: Option<u64>) -> Result<Scene, SceneError> {
    waiting(&format!("reading {}", wanted.name), || load_scene(wanted, seed))
}

/// Builds the world of a scene.
pub(super) fn build(scene: &Scene) -> Result<World, WorldError> {
    waiting(&hierarchies(scene), || World::new(scene))
}

/// Places the parts of a scene for a check.
pub(super) fn place(scene: &Scene, poses: Vec<Pose>, thread_count: usize) -> io::Result<PlacedParts<'_>> {
    waiting(&hierarchies(scene), || PlacedParts::new(scene, poses, thread_count))
}

fn hierarchies(scene: &Scene) -> String {
    let triangle_count: usize = scene.meshes.iter().map(|mesh| mesh.triangles().len()).sum();
    format!("building hierarchies over {} triangles", grouped(triangle_count as u64))
}

/// Searches for overlaps at the start.
pub(super) fn overlaps(world: &World) -> StartOverlaps {
    waiting("searching for parts that overlap at the start", || world.overlaps_at_start())
}

/// Loads a scene again and again, with other values of its keys.
pub(super) fn try_values<T>(scene: &str, work: impl FnOnce() -> T) -> T {
    waiting(&format!("trying the values on {scene}"), work)
}

/// Does some work on this thread. Another one shows `text` and the elapsed time if the work is slow and
/// stderr is a terminal.
fn waiting<T>(text: &str, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let (working, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if is_done.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let spinner = output::spinner().with_elapsed(PATIENCE).with_message(text.to_owned());
            spinner.enable_steady_tick(TICK);
            // The sender is dropped when the work is done, or has panicked.
            let _ = is_done.recv();
            spinner.finish_and_clear();
        });
        let result = work();
        drop(working);
        result
    })
}
