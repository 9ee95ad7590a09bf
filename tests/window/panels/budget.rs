//! A budget in the window: its switch, and the display of pairs left unproven.

use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;
use tumble::config::Budget;
use tumble::viewer::App;
use tumble::world::{Certainty, World};

use super::bench::Bench;

fn tests(tests: u64) -> Budget {
    Budget { tests: Some(tests), ..Budget::default() }
}

fn budget_shown(app: &App) -> Option<Budget> {
    app.stage.as_ref().and_then(|s| s.show.scene.config.budget)
}

impl Bench {
    /// Waits for the chain to load again from its start, paused, within a budget or exactly.
    fn reload(&mut self, is_there: impl Fn(&App) -> bool) {
        let holds = |app: &App| app.loader.waiting().is_none() && is_there(app);
        self.wait("the chain once more", holds);
        self.app().playhead.stop_at(0);
        self.wait_for_step(0);
    }

    /// Shows step 10 of a run within `budget` node tests.
    fn within(&mut self, budget: u64) {
        self.app().set_budget(Some(tests(budget)));
        self.reload(|app| budget_shown(app) == Some(tests(budget)));
        self.app().playhead.stop_at(10);
        self.wait_for_step(10);
        self.harness.run();
    }

    fn hash_at(&mut self, step: u32) -> u64 {
        self.app().playhead.stop_at(step);
        self.wait_for_step(step);
        self.app().stage.as_ref().unwrap().frame.state_hash.unwrap()
    }
}

#[test]
fn the_switch_starts_the_run_again_within_a_budget_and_exactly() {
    let mut bench = Bench::with_chain();
    let exact = bench.hash_at(40);
    bench.app().select(Some(2));
    bench.app().usual_budget = tests(0);
    bench.harness.run();
    // The switch may be below the visible part of the panel.
    bench.harness.get_by_role_and_label(Role::CheckBox, "At most").scroll_to_me();
    bench.harness.run();
    bench.harness.get_by_role_and_label(Role::CheckBox, "At most").click();
    bench.reload(|app| budget_shown(app) == Some(tests(0)));
    assert_ne!(bench.hash_at(40), exact, "nothing is searched");
    assert_eq!(bench.app().selection.single(), Some(2), "what was selected stays so");
    bench.key(Key::T);
    bench.reload(|app| budget_shown(app).is_none());
    assert_eq!(bench.hash_at(40), exact);
}

#[test]
fn a_number_that_is_typed_is_the_new_budget() {
    let mut bench = Bench::with_chain();
    bench.within(1_000_000);
    let field = bench.harness.get_by_label("node tests per step");
    field.set_value_accesskit(70_000.0);
    bench.reload(|app| budget_shown(app) == Some(tests(70_000)));
    bench.harness.get_by_label_contains("70\u{202f}000 node tests");
}

#[test]
fn a_budget_in_time_is_shown_with_its_node_tests() {
    let mut bench = Bench::with_chain();
    bench.app().set_budget(Some(Budget { us: Some(500), ..Budget::default() }));
    bench.reload(|app| budget_shown(app).is_some_and(|b| b.us == Some(500) && b.tests.is_some()));
    bench.harness.run();
    bench.harness.get_by_label_contains("budget 500 µs, ");
    bench.harness.get_by_label("late");
}

#[test]
fn rows_say_how_likely_unproven_pairs_are_until_all_are_proven() {
    let mut bench = Bench::with_chain();
    bench.within(0);
    let stage = bench.app().stage.as_ref().unwrap();
    let guess = stage.guesses.as_ref().unwrap().0[0];
    bench.app().select(Some(guess.b));
    bench.harness.run();
    let rows = |bench: &Bench, text| bench.harness.query_all_by_label_contains(text).count();
    assert!(rows(&bench, ": likely ") > 0);
    assert!(rows(&bench, "unproven") > 0 && rows(&bench, " starved") == 1);
    bench.within(u64::MAX);
    assert_eq!(rows(&bench, "likely "), 0);
    bench.harness.get_by_label("every pair is proven");
    bench.harness.get_by_label("0 starved");
}

#[test]
fn unproven_pairs_match_those_of_the_world() {
    let mut bench = Bench::with_chain();
    bench.within(0);
    let stage = bench.app().stage.as_ref().unwrap();
    let mut world = World::new(&stage.show.scene).unwrap();
    for _ in 0..10 {
        world.step();
    }
    let pairs = world.pairs().iter().zip(world.certainties());
    let likely = pairs.filter(|(_, certainty)| *certainty != Certainty::Proven);
    let unproven: Vec<(u32, u32)> = likely.map(|(p, _)| (p.a, p.b)).collect();
    let shown: Vec<(u32, u32)> = stage.guesses.as_ref().unwrap().0.iter().map(|g| (g.a, g.b)).collect();
    assert_eq!(shown, unproven);
    assert_eq!(stage.guesses.as_ref().unwrap().1, world.check().unwrap().expected_calibration_error());
}

#[test]
fn without_a_budget_nothing_is_said_of_one() {
    let mut bench = Bench::with_chain();
    bench.app().playhead.stop_at(10);
    bench.wait_for_step(10);
    bench.app().select(Some(2));
    bench.harness.run();
    for text in ["proven", "starved", "calibration"] {
        assert_eq!(bench.harness.query_all_by_label_contains(text).count(), 0, "{text}");
    }
}
