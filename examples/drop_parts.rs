//! Drops a heap of parts on a floor and prints the cost of each stage of its steps.
//!
//! `cargo run --release --example drop_parts`

use std::error::Error;

use glam::{DVec3, Vec3};
use tumble::generate;
use tumble::mesh::Mesh;
use tumble::scene::{BodyDef, Scene};
use tumble::timing::Timings;
use tumble::world::World;

const STEEL: f64 = 7800.0;
const STEPS: u32 = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let mut scene = Scene::new("heap");
    let mut add = |name: &str, (positions, triangles): generate::Triangles| {
        Ok::<u32, Box<dyn Error>>(scene.add_mesh(Mesh::new(name, &positions, &triangles)?))
    };
    let floor = add("floor", generate::cuboid(Vec3::new(4.0, 0.2, 4.0), 1.0))?;
    let parts = [
        add("ring", generate::torus(0.1, 0.03, 24, 12))?,
        add("block", generate::cuboid(Vec3::new(0.2, 0.1, 0.1), 0.1))?,
        add("gear", generate::Gear::LARGE.triangles())?,
    ];
    scene.add_body(BodyDef::fixed(&scene, floor));
    for k in 0..30 {
        let place = DVec3::new(0.03 * f64::from(k % 4), 0.3 + 0.12 * f64::from(k), 0.02 * f64::from(k % 5));
        scene.add_body(BodyDef::dynamic(&scene, parts[k as usize % parts.len()], STEEL).at(place));
    }

    let mut world = World::new(&scene)?;
    let mut slowest = Timings::default();
    for _ in 0..STEPS {
        let timings = world.step();
        if timings.total() > slowest.total() {
            slowest = timings;
        }
    }
    let asleep = world.sleeping_count();
    println!("after {:.1} s: {asleep} of {} parts asleep", world.time(), scene.bodies.len() - 1);
    println!("deepest contact now: {:.3} mm", 1e3 * world.measures().penetration);
    let Timings { update, test, query, solve } = slowest;
    println!("slowest step: update {update:?}, test {test:?}, query {query:?}, solve {solve:?}");
    Ok(())
}
