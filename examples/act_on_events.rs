//! Steps a scene and acts on its events: prints impacts and stalls as they happen, stops at the first
//! lost body, then prints the pairs that pressed each other hardest.
//!
//! `cargo run --release --example act_on_events`

use std::error::Error;

use tumble::scene::load_scene;
use tumble::world::{Event, Touch, World};

/// Impulse below which an impact is not printed, N·s.
const SOFT: f64 = 0.01;
const STEPS: u32 = 360;

fn main() -> Result<(), Box<dyn Error>> {
    let scene = load_scene("pick-and-place", None)?;
    let name = |body: u32| &scene.bodies[body as usize].name;
    let mut world = World::new(&scene)?;
    'run: for _ in 0..STEPS {
        world.step();
        for event in world.events() {
            match *event {
                Event::Hit { a, b, impulse } if impulse > SOFT => {
                    println!("{:.3} s: {} hits {} with {impulse:.3} N·s", world.time(), name(a), name(b));
                }
                Event::DriveStalled { joint, .. } => {
                    println!("{:.3} s: {} stalls", world.time(), scene.joints[joint as usize].name);
                }
                Event::FellOut { body } => {
                    println!("{:.3} s: {} is lost", world.time(), name(body));
                    break 'run;
                }
                _ => {}
            }
        }
    }
    let mut touches: Vec<&Touch> = world.touches().iter().collect();
    touches.sort_by(|x, y| y.force.total_cmp(&x.force));
    for touch in touches {
        let (a, b) = (name(touch.a), name(touch.b));
        println!("{a} – {b}: {:.1} N at most, {:.1} N in the mean", touch.force, touch.mean_force());
    }
    Ok(())
}
