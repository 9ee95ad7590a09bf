//! A world that steps on a thread of its own, apart from drawing, and keeps what it did.
//!
//! The viewer says which step it wants to see; the thread steps until it is there and then waits. Each step
//! goes into the [`History`], which both sides share; its lock is held only to add a step or to copy one out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::record::History;
use crate::scene::Scene;
use crate::world::World;

/// Memory the history may take: hours of a small scene, some minutes of a large one.
const HISTORY_BUDGET: usize = 256 << 20;

/// Called when what was asked for is there.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Handle to the thread; dropping it ends the thread.
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
    /// The step to get to.
    target: u32,
    /// Targets of drives that were set and are not taken yet, by their controls.
    controls: Vec<(u32, f64)>,
    end: bool,
    /// Why the simulation stopped by itself.
    failure: Option<String>,
}

impl Simulation {
    /// Takes the world at its first step. Fails if the system gives no thread.
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

    /// Steps until `step` is there; a step that is there already changes nothing.
    pub fn go_to(&self, step: u32) {
        lock(&self.shared.order).target = step;
        self.shared.ordered.notify_one();
    }

    /// Sets the target of a drive from the next step on, by the index of its control.
    pub fn set_control(&self, control: u32, target: f64) {
        lock(&self.shared.order).controls.push((control, target));
    }

    /// Why it stopped by itself, if it did.
    pub fn failure(&self) -> Option<String> {
        lock(&self.shared.order).failure.clone()
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        // It finishes its step by itself: nobody waits for a window to close or a scene to change.
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
                // Whoever waits for less looks again by itself; a word after every step would slow them down.
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

    /// Returns once a step is wanted; `false` at the end.
    fn wait_for_order(&self, world: &World) -> bool {
        let is_idle = |order: &mut Order| !order.end && order.target <= world.step_count();
        let order = lock(&self.order);
        let order = self.ordered.wait_while(order, is_idle).unwrap_or_else(PoisonError::into_inner);
        !order.end
    }
}

/// What a panic on the other side leaves behind is whole: steps are added and orders given in one piece.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::scene::load_scene;

    #[test]
    fn it_steps_as_far_as_it_is_told_and_no_farther() {
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
