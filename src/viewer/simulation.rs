//! A world that steps on its own thread, independently of drawing, and that stores its history.
//!
//! The viewer requests a step. The thread steps until it has reached this step, and then it waits. Each
//! step is added to the [`History`], which both sides share. The lock of the history is held only to
//! add a step or to copy a step.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::record::History;
use crate::scene::Scene;
use crate::world::World;

/// Largest memory of the history, bytes. This is enough for hours of a small scene or for some minutes
/// of a large one.
const HISTORY_BUDGET: usize = 256 << 20;

/// A callback that signals that requested data is available.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// A handle of the thread. When it is dropped, the thread ends.
pub struct Simulation {
    shared: Arc<Shared>,
}

struct Shared {
    history: Mutex<History>,
    order: Mutex<Order>,
    ordered: Condvar,
    wake: Wake,
}

#[derive(Default)]
struct Order {
    /// The requested step.
    target: u32,
    /// Targets of drives that were set but are not applied yet, with the indices of their controls.
    controls: Vec<(u32, f64)>,
    end: bool,
    /// Reason why the simulation stopped by itself.
    failure: Option<String>,
}

impl Simulation {
    /// Starts the thread with a world at its start. Fails if the thread cannot be started.
    pub fn start(world: World, scene: &Scene, wake: Wake) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            history: Mutex::new(History::new(scene, HISTORY_BUDGET)),
            order: Mutex::new(Order::default()),
            ordered: Condvar::new(),
            wake,
        });
        let own = Arc::clone(&shared);
        std::thread::Builder::new().name("simulation".into()).spawn(move || own.run(world))?;
        Ok(Self { shared })
    }

    pub fn history(&self) -> MutexGuard<'_, History> {
        lock(&self.shared.history)
    }

    /// Requests the steps up to `step`. Has no effect if this step exists already.
    pub fn go_to(&self, step: u32) {
        lock(&self.shared.order).target = step;
        self.shared.ordered.notify_one();
    }

    /// Sets the target of a drive, which is given by the index of its control. The target holds from
    /// the next step on.
    pub fn set_control(&self, control: u32, target: f64) {
        lock(&self.shared.order).controls.push((control, target));
    }

    /// Returns the reason why the simulation stopped by itself, if it did.
    pub fn failure(&self) -> Option<String> {
        lock(&self.shared.order).failure.clone()
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        // The thread finishes its current step alone. So closing a window or changing a scene need not
        // wait for it.
        lock(&self.shared.order).end = true;
        self.shared.ordered.notify_one();
    }
}

impl Shared {
    fn run(&self, mut world: World) {
        let result = catch_unwind(AssertUnwindSafe(|| {
            while self.wait_for_order(&world) {
                for (control, target) in std::mem::take(&mut lock(&self.order).controls) {
                    world.set_control(control, target);
                }
                let timings = world.step();
                lock(&self.history).append(&world, &timings);
                // A viewer that waits for an earlier step polls by itself. A signal after every step
                // would slow the thread down.
                if world.step_count() >= lock(&self.order).target {
                    (self.wake)();
                }
            }
        }));
        if result.is_err() {
            let text = format!("the simulation failed in step {}", world.step_count() + 1);
            lock(&self.order).failure = Some(text);
            (self.wake)();
        }
    }

    /// Waits until a step is requested. Returns `false` if the thread should end.
    fn wait_for_order(&self, world: &World) -> bool {
        let is_idle = |order: &mut Order| !order.end && order.target <= world.step_count();
        let order = lock(&self.order);
        let order = self.ordered.wait_while(order, is_idle).unwrap_or_else(PoisonError::into_inner);
        !order.end
    }
}

/// Locks a mutex. The data is consistent even after a panic on the other side, because steps and orders
/// are added as a whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::scene::load_scene;

    #[test]
    fn the_simulation_stops_at_the_requested_step() {
        let scene = load_scene("chain", None).unwrap();
        let (send, arrived) = mpsc::channel();
        let wake: Wake = Arc::new(move || send.send(()).unwrap());
        let simulation = Simulation::start(World::new(&scene).unwrap(), &scene, wake).unwrap();
        for (target, last) in [(3, 3), (2, 3), (5, 5)] {
            simulation.go_to(target);
            while simulation.history().last_step() < target {
                arrived.recv().unwrap();
            }
            assert_eq!(simulation.history().last_step(), last);
        }
        let recorded = simulation.history().record(5).unwrap().state_hash;
        let mut world = World::new(&scene).unwrap();
        for _ in 0..5 {
            world.step();
        }
        assert_eq!(recorded, world.state_hash(), "apart from drawing it moves as it does without");
        assert_eq!(simulation.failure(), None);
    }
}
