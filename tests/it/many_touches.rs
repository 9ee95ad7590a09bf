//! More pairs than a run keeps, and more events than a step keeps: the rest is counted, and the report
//! mentions it.

use tumble::report::{Costs, Outcome, Summary, table};
use tumble::scene::load_scene;
use tumble::world::{Event, Events, PairTouch, Touches};

const DT: f64 = 1.0 / 60.0;
/// Largest number of kept pairs of a scene with very many bodies, and of events of a step.
const MOST: usize = 65_536;

fn pushing(a: u32, b: u32) -> PairTouch {
    PairTouch { a, b, force: 1.0, ..PairTouch::default() }
}

/// Returns `count` pairs of the bodies from `from` on, sorted: each body with the next seven.
fn pairs(count: usize, from: u32) -> Vec<PairTouch> {
    let touches = (from..).flat_map(|a| (1..8).map(move |k| pushing(a, a + k)));
    touches.take(count).collect()
}

#[test]
fn pairs_that_begin_when_the_table_is_full_are_counted_each_time_and_those_in_it_go_on() {
    let mut touches = Touches::new(1_000_000);
    let mut events = Events::default();
    let first = pairs(MOST + 1000, 0);
    touches.see((1, DT), &first, &mut events);
    assert_eq!((touches.list().len(), touches.left_out()), (MOST, 1000));
    touches.see((2, DT), &first, &mut events);
    assert_eq!(touches.left_out(), 1000, "they began once");
    assert!(touches.list().iter().all(|touch| touch.step_count == 2 && touch.last_step == 2));
    touches.see((3, DT), &[], &mut events);
    let again = &first[MOST - 10..];
    touches.see((4, DT), again, &mut events);
    assert_eq!(touches.left_out(), 2000, "each began again");
    let last = touches.list().last().unwrap();
    assert_eq!((last.first_step, last.last_step, last.step_count), (1, 4, 3));
    assert_eq!(touches.list()[0].last_step, 2);
    let room = std::mem::size_of_val(touches.list());
    assert!(room < 24 << 20, "{room} bytes");
}

#[test]
fn a_scene_of_few_bodies_keeps_every_pair_that_they_can_make() {
    for bodies in [0_u32, 1, 2, 40] {
        let mut touches = Touches::new(bodies as usize);
        let all: Vec<PairTouch> =
            (0..bodies).flat_map(|a| (a + 1..bodies).map(move |b| pushing(a, b))).collect();
        touches.see((1, DT), &all, &mut Events::default());
        assert_eq!((touches.list().len(), touches.left_out()), (all.len(), 0), "{bodies} bodies");
    }
    // 64 per body if that is fewer.
    let mut touches = Touches::new(200);
    let all: Vec<PairTouch> = (0..200).flat_map(|a| (a + 1..200).map(move |b| pushing(a, b))).collect();
    touches.see((1, DT), &all, &mut Events::default());
    assert_eq!((touches.list().len(), touches.left_out()), (64 * 200, all.len() as u64 - 64 * 200));
}

#[test]
fn more_events_than_a_step_keeps_are_counted_and_the_next_step_begins_anew() {
    let mut events = Events::default();
    let mut touches = Touches::new(1_000_000);
    events.begin();
    touches.see((1, DT), &pairs(MOST + 3, 0), &mut events);
    assert_eq!((events.list().len(), events.left_out()), (MOST, 3));
    assert!(events.list().iter().all(|event| matches!(event, Event::Began { .. })));
    // All end, and as many others begin.
    events.begin();
    touches.see((2, DT), &pairs(MOST, 500_000), &mut events);
    assert_eq!((events.list().len(), events.left_out()), (MOST, MOST as u64 + 3));
    events.begin();
    assert_eq!((events.list().len(), events.left_out()), (0, 0));
}

#[test]
fn a_report_says_how_often_a_pair_found_no_room() {
    let scene = load_scene("parts-tray", None).unwrap();
    let mut touches = Touches::new(scene.bodies.len());
    touches.see((1, DT), &[pushing(0, 1)], &mut Events::default());
    let summary = |touches_left_out| {
        let touches = Some(touches.list().to_vec());
        let outcome = Outcome { touches, touches_left_out, ..Outcome::default() };
        Summary::new(&scene, 1, &Costs::default(), &outcome)
    };
    let full = summary(12_345);
    let text = table::text(&full, table::LINES);
    assert!(text.lines().any(|shown| shown == "12,345 not kept"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert_eq!(serde_json::to_value(&full).unwrap()["touches_left_out"], 12_345);
    assert!(!table::text(&summary(0), table::LINES).contains("not kept"));
}
