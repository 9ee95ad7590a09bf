//! Collision filters: two colliders collide only if the filter of each admits the other.

use std::f64::consts::PI;

use serde_json::{Value, json};
use tumble::config::Config;
use tumble::tree::TreeKind;
use tumble::world::World;

use super::{Run, cube, file, has_note, open};
use tumble::import::NoteKind;

fn filter(systems: &[&str], with: Option<&[&str]>, without: Option<&[&str]>) -> Value {
    let mut own = json!({ "collisionSystems": systems });
    for (key, list) in [("collideWithSystems", with), ("notCollideWithSystems", without)] {
        if let Some(list) = list {
            own[key] = json!(list);
        }
    }
    own
}

fn collider(shape: usize, filter: Option<usize>) -> Value {
    let mut own = json!({ "geometry": { "shape": shape } });
    if let Some(filter) = filter {
        own["collisionFilter"] = json!(filter);
    }
    json!({ "collider": own })
}

/// Returns a body with two boxes, one at its upper and one at its lower end, each with its own filter.
/// The body is rotated about x.
fn pair_of_boxes(
    name: &str,
    at: [f64; 3],
    angle: f64,
    first: usize,
    filters: [Option<usize>; 2],
) -> [Value; 3] {
    let body = json!({
        "name": name,
        "translation": at,
        "rotation": [(0.5 * angle).sin(), 0.0, 0.0, (0.5 * angle).cos()],
        "children": [first + 1, first + 2],
        "extensions": { "KHR_physics_rigid_bodies": { "motion": {} } },
    });
    let [upper, lower] = filters.map(|filter| collider(0, filter));
    [body, cube("upper", [0.0, 1.0, 0.0], upper), cube("lower", [0.0, -1.0, 0.0], lower)]
}

/// Returns a scene like the draft's: two bodies of two boxes, one of them upside down, that fall on a
/// floor.
fn compounds(filters: &Value) -> Value {
    let mut floor = cube("floor", [0.0, -0.5, 0.0], collider(1, Some(2)));
    floor["name"] = json!("floor");
    let upright = pair_of_boxes("upright", [-5.0, 5.0, 0.0], 0.0, 0, [Some(0), Some(1)]);
    let turned = pair_of_boxes("turned", [5.0, 5.0, 0.0], PI, 3, [Some(0), Some(1)]);
    let nodes = [&upright[..], &turned[..], &[floor]].concat();
    file(&nodes, &json!({ "collisionFilters": filters }))
}

/// Drops both bodies. The lower box of the body that is upside down collides with nothing, so the body
/// sinks until its other box lies on the floor.
#[test]
fn a_collider_of_a_compound_meets_what_its_own_filter_admits() {
    let by_with = json!([
        filter(&["moving"], Some(&["moving"]), None),
        filter(&["moving"], Some(&["standing", "moving"]), None),
        filter(&["standing"], None, None),
    ]);
    let by_without = json!([
        filter(&["moving"], None, Some(&["standing"])),
        filter(&["moving"], None, Some(&["moving"])),
        filter(&["standing"], None, None),
    ]);
    for filters in [by_with, by_without] {
        let run = Run::of(&compounds(&filters)).seconds(4.0);
        let [upright, turned] = ["upright", "turned"].map(|name| run.at(name));
        assert!((upright.y - 1.5).abs() < 5e-3, "stands on its lower box: {upright}");
        assert!(
            turned.y < 0.0 && turned.y > -0.6,
            "hangs on its lower box, the upper one is in the floor: {turned}"
        );
        assert!(run.world.incidents().passages.is_empty(), "{:?}", run.world.incidents().passages);
    }
}

/// Drops two bodies with one filter each. One passes through the floor.
#[test]
fn a_body_meets_what_its_filter_admits() {
    let filters = json!([
        filter(&["moving"], Some(&["moving"]), None),
        filter(&["moving"], None, Some(&["nothing"])),
        filter(&["standing"], None, None),
    ]);
    let falls = |name: &str, x: f64, own: usize| {
        let mut physics = collider(0, Some(own));
        physics["motion"] = json!({});
        cube(name, [x, 2.0, 0.0], physics)
    };
    let floor = cube("floor", [0.0, -0.5, 0.0], collider(1, Some(2)));
    let nodes = [falls("through", -3.0, 0), falls("held", 3.0, 1), floor];
    let run = Run::of(&file(&nodes, &json!({ "collisionFilters": filters }))).seconds(2.0);
    assert!((run.at("held").y - 0.5).abs() < 5e-3, "{}", run.at("held"));
    assert!(run.at("through").y < -5.0, "{}", run.at("through"));
}

/// Drops a body with two colliders: one without a filter, which collides with everything, and one whose
/// filter excludes everything.
#[test]
fn a_collider_without_a_filter_meets_all_beside_one_that_meets_nothing() {
    let nothing = json!([filter(&["ghost"], Some(&[]), None), filter(&["floor"], None, None)]);
    let body = pair_of_boxes("body", [0.0, 3.0, 0.0], 0.0, 0, [None, Some(0)]);
    let floor = cube("floor", [0.0, -0.5, 0.0], collider(1, Some(1)));
    let nodes = [&body[..], &[floor]].concat();
    let run = Run::of(&file(&nodes, &json!({ "collisionFilters": nothing }))).seconds(3.0);
    let at = run.at("body");
    assert!(at.y < 0.0 && at.y > -0.6, "the upper box is held, the lower one is in the floor: {at}");
}

/// Compares all hierarchies. Filters apply to the candidate triangle pairs, whichever hierarchy reports
/// them.
#[test]
fn every_hierarchy_and_number_of_threads_filters_alike() {
    let filters = json!([
        filter(&["moving"], Some(&["moving"]), None),
        filter(&["moving"], Some(&["standing", "moving"]), None),
        filter(&["standing"], None, None),
    ]);
    let scene = open(&compounds(&filters));
    let hash = |config: Config| {
        let mut world = World::new(&tumble::scene::Scene { config, ..scene.clone() }).unwrap();
        (0..150).for_each(|_| _ = world.step());
        world.state_hash()
    };
    let plain = hash(Config { threads: 1, ..Config::default() });
    for tree in TreeKind::ALL {
        assert_eq!(hash(Config { tree: tree.into(), threads: 1, ..Config::default() }), plain, "{tree:?}");
    }
    assert_eq!(hash(Config { threads: 2, ..Config::default() }), plain, "two threads");
}

#[test]
fn colliders_of_different_filters_that_share_a_wall_are_told() {
    let touching = |filters: [Option<usize>; 2]| {
        let mut nodes = pair_of_boxes("body", [0.0; 3], 0.0, 0, filters);
        nodes[1]["translation"] = json!([0.0, 0.5, 0.0]);
        nodes[2]["translation"] = json!([0.0, -0.5, 0.0]);
        let filters = json!([filter(&["a"], None, None), filter(&["b"], None, Some(&["b"]))]);
        open(&file(&nodes, &json!({ "collisionFilters": filters })))
    };
    let text = "colliders of several filters that share a wall";
    assert!(has_note(&touching([Some(0), Some(1)]), NoteKind::Warning, text));
    assert!(!has_note(&touching([Some(0), Some(0)]), NoteKind::Warning, text));
}
