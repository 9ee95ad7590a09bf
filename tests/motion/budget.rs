//! Contacts under a budget: resting bodies stay at rest, no body falls through another, a repeated run
//! has the same hash, and pairs that were not searched are reported.

use tumble::articulation::SkinKind;
use tumble::config::Budget;
use tumble::scene::{Scene, load_scene};
use tumble::world::{Certainty, World};

fn tray(budget: Option<Budget>, threads: u32) -> Scene {
    let mut scene = load_scene("parts-tray", None).unwrap();
    scene.config.budget = budget;
    scene.config.threads = threads;
    scene
}

fn tests(tests: u64) -> Option<Budget> {
    Some(Budget { tests: Some(tests), ..Budget::default() })
}

/// Returns the height of the lowest center of a moving body, m.
fn lowest(world: &World) -> f64 {
    let moving = world.bodies().states.iter().filter(|s| s.is_dynamic());
    moving.map(|s| s.world_center().y).fold(f64::INFINITY, f64::min)
}

#[test]
fn parts_land_and_nothing_falls_through_the_tray_under_any_budget() {
    for budget in [0, 300_000, 1_000_000] {
        let mut world = World::new(&tray(tests(budget), 1)).unwrap();
        let (mut held, mut used) = (0, 0);
        for _ in 0..150 {
            world.step();
            held += world.counts().held;
            used += world.counts().units_used;
            assert!(lowest(&world) > -0.01, "{budget}: at {}", lowest(&world));
        }
        assert!(held > 0, "{budget}: all pairs were searched");
        assert!(used > 0 && world.bodies().states.iter().all(|s| s.pose.position.is_finite()));
        let starved = world.starved_pairs();
        assert!(!starved.is_empty() && starved[0].starved_steps >= starved[starved.len() - 1].starved_steps);
        assert!(world.quarantined().is_empty());
    }
}

#[test]
fn a_budget_gives_the_same_motion_on_any_number_of_threads() {
    let hash = |threads| {
        let mut world = World::new(&tray(tests(150_000), threads)).unwrap();
        (0..60).for_each(|_| {
            world.step();
        });
        world.state_hash()
    };
    assert_eq!(hash(1), hash(2));
}

#[test]
fn a_budget_that_is_never_short_changes_nothing() {
    let hash = |budget| {
        let mut world = World::new(&tray(budget, 1)).unwrap();
        (0..45).for_each(|_| {
            world.step();
        });
        (world.state_hash(), world.counts().held)
    };
    let (without, _) = hash(None);
    assert_eq!(hash(tests(u64::MAX)), (without, 0));
}

/// Node tests per step that take about a quarter of the time in which contacts are found without a
/// budget, as a mean over twenty seconds of simulation.
const QUARTER: u64 = 1_150_000;

#[test]
fn heap_under_quarter_budget_loses_no_part_and_comes_to_rest() {
    let mut world = World::new(&tray(tests(QUARTER), 1)).unwrap();
    let (mut likely, mut all) = (0, 0);
    for _ in 0..1200 {
        world.step();
        assert!(lowest(&world) > -0.005, "step {}: at {}", world.step_count(), lowest(&world));
        // A part that rolls over wakes its neighbors for some steps.
        if world.step_count() > 900 {
            likely += world.certainties().filter(|c| *c != Certainty::Proven).count();
            all += world.pairs().len();
        }
    }
    assert!(10 * likely < all, "{likely} of {all} pairs are guesses");
    let moving = world.bodies().states.iter().filter(|s| s.linear_velocity.length() > 0.1).count();
    assert!(moving <= 2, "{moving} bodies are moving");
}

#[test]
fn skins_in_their_exact_shape_are_held_by_their_boxes() {
    let mut scene = load_scene("walk-through", None).unwrap();
    scene.config.skins = SkinKind::Exact;
    scene.config.budget = tests(30_000);
    let mut world = World::new(&scene).unwrap();
    for _ in 0..120 {
        world.step();
    }
    assert!(world.counts().pairs > 0 && world.quarantined().is_empty());
}
