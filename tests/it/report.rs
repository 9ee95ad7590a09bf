//! The figures of a run are right, under the keys that programs rely on, and the table for people has
//! the layout shown here.

use std::time::Duration;

use glam::{DVec3, Vec3};
use tumble::mesh::Mesh;
use tumble::report::{
    Costs, CrowdedFigures, CutFigures, CutSpinFigures, Deepest, FallFigures, GrowthFigures, HeldFigures,
    LoadFigures, Outcome, OutrunFigures, PassageFigures, ReachFigures, StepCost, Summary, SweptFigures,
    WatchedFigures, table,
};
use tumble::scene::{BodyDef, FigureKind, Scene, SkeletonDef};
use tumble::timing::Timings;
use tumble::world::{Events, PairTouch, StepCounts, Touch, Touches};

fn scene() -> Scene {
    let triangle = Mesh::new("t", &[Vec3::ZERO, Vec3::X, Vec3::Y], &[[0, 1, 2]]).unwrap();
    let mut scene = Scene::new("screws in a tray");
    let mesh = Some(scene.add_mesh(triangle));
    for (name, mesh, path) in
        [("screw", mesh, "box/lid/screw"), ("hand", None, "arm/hand"), ("tray", mesh, "tray")]
    {
        scene.add_body(BodyDef { mesh, path: path.to_owned(), ..BodyDef::empty(name) });
    }
    scene.skeletons.push(SkeletonDef {
        name: String::new(),
        kind: FigureKind::Kinematic,
        first_body: 1,
        link_count: 2,
        parents: vec![None, Some(0)],
        joints: vec![],
        motion: Default::default(),
        driven: vec![],
        self_collision: false,
    });
    scene.gravity = DVec3::ZERO;
    scene.config.dt = 1.0 / 64.0;
    scene
}

/// Returns costs of 1..=100 in unsorted order: that many microseconds in each stage of a step, tenfold
/// in query.
fn costs() -> Costs {
    let mut costs = Costs::default();
    for i in (1..=100).map(|i| i * 37 % 101) {
        let us = Duration::from_micros;
        costs.add(&StepCost {
            timings: Timings { update: us(i), test: us(i), query: us(10 * i), solve: us(i) },
            counts: StepCounts { pairs: i, candidates: 100 * i, contacts: 3, ..StepCounts::default() },
        });
    }
    costs
}

/// Returns one incident of each kind.
fn watched() -> WatchedFigures {
    let body = || "screw".to_owned();
    WatchedFigures {
        passages: vec![PassageFigures {
            body: body(),
            through: "tray".to_owned(),
            first_step: 20,
            last_step: 31,
            steps: 2,
        }],
        held_back: vec![HeldFigures {
            body: body(),
            by: "tray".to_owned(),
            first_step: 18,
            last_step: 19,
            steps: 2,
        }],
        falls: vec![FallFigures { body: body(), step: 90 }],
        cuts: vec![CutFigures {
            a: body(),
            b: "tray".to_owned(),
            first_step: 95,
            last_step: 100,
            steps: 6,
            depth_mm: 0.4567,
            thickness_mm: 1.2,
        }],
        reaches: vec![ReachFigures {
            link: "hand".to_owned(),
            into: "tray".to_owned(),
            first_step: 5,
            last_step: 9,
            steps: 5,
            depth_mm: 12.34,
            deepest_step: 7,
            deeper: true,
        }],
        crowded_pairs: vec![CrowdedFigures {
            a: "hand".to_owned(),
            b: "net".to_owned(),
            first_step: 8,
            last_step: 9,
            steps: 2,
            too_many_places: true,
        }],
        outruns: vec![OutrunFigures { body: body(), first_step: 40, last_step: 41, steps: 2 }],
        cut_spins: vec![CutSpinFigures {
            body: body(),
            first_step: 45,
            last_step: 46,
            steps: 2,
            spin_rad_s: 1e9,
            kept_rad_s: 12063.7158,
            fastest_step: 45,
        }],
        unfinished_loads: [("shim", 1), ("press", 10)]
            .map(|(a, steps)| LoadFigures {
                a: a.to_owned(),
                b: "tray".to_owned(),
                first_step: 50,
                last_step: 70,
                steps,
            })
            .to_vec(),
        swept: vec![SweptFigures { a: body(), b: body(), first_step: 55, last_step: 56, steps: 2 }],
        growths: vec![GrowthFigures {
            body: body(),
            bodies: 3,
            first_step: 60,
            last_step: 90,
            steps: 4,
            gained_j: 2.5,
            motion_j: 0.75,
        }],
    }
}

/// Returns a contact: the screw falls on the tray at step 32, and lies there for a step.
fn touches() -> Vec<Touch> {
    let mut touches = Touches::new(3);
    let touch =
        PairTouch { a: 0, b: 2, gap: -0.0003, force: 1234.5, is_impact: true, ..PairTouch::default() };
    let rest = PairTouch { force: 0.5, friction: DVec3::X * 0.25, is_impact: false, ..touch };
    for (step, touch) in [(32, touch), (33, rest)] {
        touches.see((step, 1.0 / 64.0), &[touch], &mut Events::default());
    }
    touches.list().to_vec()
}

fn summary() -> Summary {
    let outcome = Outcome {
        first_energy: 1234.5,
        last_energy: 0.25,
        deepest: Deepest { depth: 0.0003, pair: Some([0, 2]), step: 1042 },
        deepest_at_rest: Some(Deepest { depth: 0.0004567, pair: Some([0, 2]), step: 95 }),
        quarantined_count: 1,
        sleeping_count: 2,
        check: None,
        starved: vec![],
        touches: Some(touches()),
        watched: Some(watched()),
        shared_stages: Some(7),
        exchanged_diagonals: Some(0),
        state_hash: 0xabc,
        ..Outcome::default()
    };
    Summary::new(&scene(), 2, &costs(), &outcome)
}

#[test]
fn figures_are_those_of_the_steps() {
    let s = summary();
    assert_eq!((s.steps, s.bodies, s.links, s.triangles, s.threads), (100, 3, 2, 2, 2));
    assert_eq!(s.simulated_s, 100.0 / 64.0);
    let query = s.timings_ms.query;
    let expected = [0.505, 0.5, 0.95, 0.99, 1.0];
    for (found, expected) in [query.mean, query.p50, query.p95, query.p99, query.max].iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{query:?}");
    }
    assert!((s.timings_ms.total.p95 - 13.0 * 0.095).abs() < 1e-12);
    assert!((s.steps_per_second - 100.0 / (13.0 * 5050e-6)).abs() < 1e-6);
    assert_eq!((s.counts.candidates.mean, s.counts.candidates.max), (5050.0, 10_000));
    assert_eq!(s.penetration_mm.max, 0.3);
}

#[test]
fn json_has_the_keys_that_programs_read() {
    let json = serde_json::to_value(summary()).unwrap();
    let spread = ["mean", "p50", "p95", "p99", "max"];
    for stage in ["update", "test", "query", "solve", "total"] {
        for key in spread {
            assert!(json["timings_ms"][stage][key].is_f64(), "{stage} {key}");
        }
    }
    for count in ["pairs", "node_tests", "candidates", "false_alarms", "contacts"] {
        assert!(json["counts"][count]["mean"].is_f64() && json["counts"][count]["max"].is_u64(), "{count}");
    }
    for key in ["steps", "bodies", "links", "triangles", "threads", "shared_stages", "quarantined"] {
        assert!(json[key].is_u64(), "{key}");
    }
    for kind in ["tree", "broad", "links"] {
        assert!(json["kinds"][kind].is_string(), "{kind}");
    }
    assert_eq!(json["scene"], "screws in a tray");
    assert_eq!(json["dt"], 1.0 / 64.0);
    assert_eq!(json["energy_j"], serde_json::json!({ "first": 1234.5, "last": 0.25 }));
    let touch = &json["touches"][0];
    assert_eq!((&touch["a"], &touch["b"]), (&"screw".into(), &"tray".into()));
    let times = ["first_step", "last_step", "steps", "force_step", "impact_step", "friction_step"];
    assert_eq!(times.map(|key| touch[key].as_u64().unwrap()), [32, 33, 2, 32, 32, 33]);
    let values = ["force_n", "mean_force_n", "friction_n", "impact_ns", "depth_mm", "first_s", "seconds"];
    let expected = [1234.5, 617.5, 0.25, 1234.5 / 64.0, 0.3, 0.5, 2.0 / 64.0];
    assert_eq!(values.map(|key| touch[key].as_f64().unwrap()), expected);
    assert_eq!(touch["first_place"]["in_a"], serde_json::json!([0.0, 0.0, 0.0]));
    assert_eq!(json["passages"][0]["through"], "tray");
    assert_eq!(json["falls"], serde_json::json!([{ "body": "screw", "step": 90 }]));
    assert_eq!(json["reaches"][0]["depth_mm"], 12.34);
    let deepest = serde_json::json!({ "max": 0.3, "a": "screw", "b": "tray", "step": 1042 });
    assert_eq!(json["penetration_mm"], deepest);
    assert_eq!(json["depth_mm"]["step"], 95);
    assert_eq!(json["cuts"][0]["thickness_mm"], 1.2);
    assert_eq!(json["held_back"][0]["by"], "tray");
    assert_eq!(json["state_hash"], "0000000000000abc");
    let paths = serde_json::json!({ "screw": "box/lid/screw", "hand": "arm/hand" });
    assert_eq!(json["paths"], paths, "of those that are named, where it says more than the name");
}

#[test]
fn the_table_reads_as_shown() {
    let kinds = summary().kinds;
    let expected = format!(
        "\
screws in a tray: 100 steps of 15.625 ms, 1.56 s simulated, 1,523.2 steps a second
3 bodies, 2 links, 2 triangles; {}, {}, {}, {} skins; 2 threads

wall time, ms   mean    share    p50    p95    p99    max
update         0.050    7.7 %  0.050  0.095  0.099  0.100
test           0.050    7.7 %  0.050  0.095  0.099  0.100
query          0.505   76.9 %  0.500  0.950  0.990  1.000
solve          0.050    7.7 %  0.050  0.095  0.099  0.100
total          0.656  100.0 %  0.650  1.235  1.287  1.300

per step                   mean     max
awake bodies                0.0       0
collision passes            0.0       0
passes cut short            0.0       0
body pairs                 50.5     100
searched pairs              0.0       0
carried pairs               0.0       0
invalid boxes               0.0       0
volume tests                0.0       0
candidates              5,050.0  10,000
false alarms                0.0       0
intersections               0.0       0
contacts                    3.0       3
further rows                0.0       0
unfinished loads            0.0       0
swept mechanisms            0.0       0
impacts of fast bodies      0.0       0
stops of fast bodies        0.0       0
orphaned contacts           0.0       0
capped pairs                0.0       0
crowded pairs               0.0       0
interpenetrating pairs      0.0       0
self-collisions             0.0       0

energy, J            1,234.500 at first, 0.250 at last
deepest contact, mm  0.300: screw – tray, step 1,042
deepest at rest, mm  0.457: screw – tray, step 95
asleep at the end    2
quarantined          1
notes on the scene   0
state hash           0000000000000abc

touching bodies  first step  at, s  for, s  force, N  in step  friction, N  impact, N·s  deep, mm
screw – tray             32   0.50    0.03     1,235       32       0.2500        19.29     0.300

fault                                                           first step  last step  steps
screw got through the surface of tray                                   20         31      2
screw was held back from the surface of tray                            18         19      2
screw fell out of the world                                             90
screw – tray rest 0.4567 mm in each other, of 1.2 mm                    95        100      6
hand reaches more than 12.3 mm into tray                                 5          9      5
hand – net touch in too many places to find contacts                     8          9      2
screw went farther than was foreseen                                    40         41      2
screw spun too fast to follow: 1.000e9 rad/s, cut to 12063.716          45         46      2
press – tray do not hold their load                                     50         70     10
screw … screw have too many joints to be solved at once                 55         56      2
screw and 2 connected bodies gained 2.5 J from nothing                  60         90      4
",
        kinds.tree, kinds.broad, kinds.links, kinds.skins
    );
    let text = table::text(&summary(), table::LINES);
    assert_eq!(text, expected);
    assert!(text.lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn a_run_without_steps_has_a_table_too() {
    let empty = Summary::new(&scene(), 1, &Costs::default(), &Outcome::default());
    let text = table::text(&empty, 1);
    assert!(text.contains("0 steps") && text.contains("1 thread\n") && !text.contains("NaN"), "{text}");
}

#[test]
fn reports_mark_values_that_are_not_finite_and_have_no_minus_zero() {
    let figures = |first_energy, last_energy| {
        let outcome = Outcome { first_energy, last_energy, ..Outcome::default() };
        table::text(&Summary::new(&scene(), 0, &Costs::default(), &outcome), 1)
    };
    let text = figures(f64::NAN, f64::INFINITY);
    assert!(text.contains("not finite at first, not finite at last"), "{text}");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    let text = figures(-0.0, -0.0);
    assert!(text.contains("0.000 at first, 0.000 at last") && !text.contains("-0"), "{text}");
    assert!(text.contains("; one thread per core\n"), "{text}");
}
