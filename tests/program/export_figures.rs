//! The figures of a report, compared with the tables of its recording. Each figure follows from the
//! rows of its pair, joint or axis, up to the digits that a recording keeps.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use glam::{DVec3, Vec3};
use serde_json::Value;
use tumble::generate;

use crate::export_csv::{export, number, stdout, table, tumble, vector};
use crate::gltf;

type Row = BTreeMap<String, String>;

/// Relative rounding error of normal forces, loads and efforts in a recording.
const LOADS: f64 = 1e-6;
/// Relative rounding error of other values in a recording.
const REST: f64 = 1.0 / 16384.0;

/// The scene has six items: an arm that swings against a post until its drive stalls, a ball that
/// bounces, a box that slides along the ground, a flap that falls against its stop, a bob that its
/// drive cannot hold at its target, and a fixed lamp.
const YARD: &str = r#"
steps = 200
[ground]
[[model]]
file = "arm.urdf"
animation = { file = "swing.csv" }
[[model]]
file = "post.gltf"
position = [0.25, 0.2, -0.25]
[[part]]
name = "post"
motion = "static"
[[model]]
file = "ball.gltf"
position = [0.0, 1.1, 1.0]
[[part]]
name = "ball"
mass = 2.0
restitution = 0.5
[[model]]
file = "crate.gltf"
position = [-1.0, 0.1, 1.0]
[[part]]
name = "crate"
density = 500.0
velocity = [2.0, 0.0, 0.3]
[[model]]
file = "flap.gltf"
position = [1.7, 1.0, 0.0]
[[joint]]
kind = "hinge"
a = "world"
b = "flap"
anchor = [1.5, 1.0, 0.0]
axis = [0.0, 0.0, 1.0]
min = -40.0
max = 10.0
[[model]]
file = "bob.gltf"
position = [2.7, 1.0, 1.0]
[[joint]]
kind = "ball"
a = "world"
b = "bob"
anchor = [2.5, 1.0, 1.0]
drive = { target = [0.0, 20.0, 30.0], stiffness = 40.0, damping = 4.0 }
[[model]]
file = "lamp.gltf"
position = [3.5, 1.0, 0.0]
[[joint]]
kind = "fixed"
a = "world"
b = "lamp"
anchor = [3.3, 1.2, 0.0]
"#;

/// Creates a folder with the scene and its models.
pub fn yard() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    gltf::write(at, "post", &generate::cuboid(Vec3::new(0.1, 0.4, 0.1), 1.0));
    gltf::write(at, "ball", &generate::sphere(0.1, 16));
    for name in ["crate", "flap", "bob", "lamp"] {
        gltf::write(at, name, &generate::cuboid(Vec3::new(0.2, 0.2, 0.2), 1.0));
    }
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/arm.urdf"), at.join("arm.urdf")).unwrap();
    let swing = "time,turn,shoulder,elbow\n0,0,1.2,0.4\n0.5,0,1.2,0.4\n2.5,1.6,1.2,0.4\n3.5,1.6,1.2,0.4\n";
    fs::write(at.join("swing.csv"), swing).unwrap();
    fs::write(at.join("yard.toml"), YARD).unwrap();
    folder
}

/// The report of a run, and the tables of its recording.
struct Run {
    report: Value,
    pairs: Vec<Row>,
    joints: Vec<Row>,
}

impl Run {
    fn of(folder: &Path, arguments: &[&str]) -> Self {
        let record = ["--record", "run.tumble", "--json"];
        let report = stdout(&tumble(folder, &[&["run"], arguments, &record].concat()));
        stdout(&export(folder, &["run.tumble"]));
        let rows = |name: &str| {
            let path = folder.join("run").join(name);
            // A scene without joints has no table of joints.
            if path.exists() { table(&path).1 } else { Vec::new() }
        };
        let report = serde_json::from_str(&report).unwrap();
        Self { report, pairs: rows("pairs.csv"), joints: rows("joints.csv") }
    }

    fn dt(&self) -> f64 {
        of(&self.report["dt"])
    }
}

fn of(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn step_of(row: &Row) -> u64 {
    row["step"].parse().unwrap()
}

/// Returns the number in a field, or `None` if the field is empty.
fn known(row: &Row, column: &str) -> Option<f64> {
    (!row[column].is_empty()).then(|| number(row, column))
}

fn assert_near(found: f64, expected: f64, share: f64, name: &str) {
    assert!((found - expected).abs() <= share * expected.abs(), "{name}: {found} of {expected}");
}

/// Asserts that a figure is the greatest of all rows, and that it occurs in the given step.
fn assert_peak((figure, step): (&Value, &Value), rows: &[(u64, f64)], share: f64, name: &str) {
    let greatest = rows.iter().map(|row| row.1).fold(0.0, f64::max);
    assert_near(of(figure), greatest, share, name);
    if greatest > 0.0 {
        assert_near(row_of(step, rows), greatest, share, name);
    }
}

/// Returns the value in the row of a step.
fn row_of(step: &Value, rows: &[(u64, f64)]) -> f64 {
    rows.iter().find(|row| step.as_u64() == Some(row.0)).unwrap_or_else(|| panic!("no row of step {step}")).1
}

/// Asserts the first of several steps, and the total time of these steps.
fn assert_times((figure, step): (&Value, &Value), steps: &[u64], dt: f64, name: &str) {
    assert_near(of(figure), steps.len() as f64 * dt, 1e-12, name);
    assert_eq!(step.as_u64(), steps.first().copied(), "{name}");
}

/// Asserts that a contact point equals the point in a row, up to the recorded digits. The digits depend
/// on the size of the lighter body, at most one meter here. Two roundings may add up.
fn assert_place(figure: &Value, row: &Row, name: &str) {
    let columns = [
        ("world", ["x_m", "y_m", "z_m"]),
        ("in_a", ["in_a_x_m", "in_a_y_m", "in_a_z_m"]),
        ("in_b", ["in_b_x_m", "in_b_y_m", "in_b_z_m"]),
    ];
    let [world, in_a, in_b] = columns.map(|(key, columns)| {
        let told: Vec<f64> = figure[key].as_array().unwrap().iter().map(of).collect();
        (DVec3::from_slice(&told), vector(row, columns))
    });
    for (told, found) in [world, in_a, in_b] {
        assert!(told.distance(found) <= 2.0 * REST, "{name}: {told} of {found}");
    }
}

fn assert_touch(touch: &Value, rows: &[&Row], dt: f64) {
    let name = format!("{} – {}", touch["a"], touch["b"]);
    let steps: Vec<u64> = rows.iter().map(|row| step_of(row)).collect();
    let (first, last) = (steps[0], steps[steps.len() - 1]);
    for (key, expected) in [("first_step", first), ("last_step", last), ("steps", rows.len() as u64)] {
        assert_eq!(touch[key], expected, "{name}: {key}");
    }
    for (key, steps) in [("first_s", first), ("last_s", last), ("seconds", rows.len() as u64)] {
        assert_near(of(&touch[key]), steps as f64 * dt, 1e-12, &format!("{name}: {key}"));
    }
    let all = |value: &dyn Fn(&Row) -> f64| -> Vec<(u64, f64)> {
        rows.iter().map(|row| (step_of(row), value(row))).collect()
    };
    let force = all(&|row| number(row, "force_n"));
    assert_peak((&touch["force_n"], &touch["force_step"]), &force, LOADS, &format!("{name}: force"));
    let mean = force.iter().map(|row| row.1).sum::<f64>() / rows.len() as f64;
    assert_near(of(&touch["mean_force_n"]), mean, LOADS, &format!("{name}: mean force"));
    let friction = all(&|row| vector(row, ["friction_x_n", "friction_y_n", "friction_z_n"]).length());
    // Friction has the same digits as the normal force.
    let greatest = friction.iter().map(|row| row.1).fold(0.0, f64::max);
    for told in [of(&touch["friction_n"]), row_of(&touch["friction_step"], &friction)] {
        assert!(
            (told - greatest).abs() <= REST * of(&touch["force_n"]),
            "{name}: friction {told} {greatest}"
        );
    }
    let depth = all(&|row| (-1e3 * number(row, "gap_m")).max(0.0));
    assert_peak((&touch["depth_mm"], &touch["depth_step"]), &depth, REST, &format!("{name}: depth"));
    let impact = all(&|row| if row["impact"] == "1" { number(row, "force_n") * dt } else { 0.0 });
    if impact.iter().all(|row| row.1 == 0.0) {
        assert!(touch["impact_ns"].is_null() && touch["impact_step"].is_null(), "{name}: {touch}");
    } else {
        let figure = (&touch["impact_ns"], &touch["impact_step"]);
        assert_peak(figure, &impact, LOADS, &format!("{name}: impact"));
    }
    assert_place(&touch["first_place"], rows[0], &format!("{name}: first place"));
    let strongest = rows.iter().find(|row| touch["force_step"] == step_of(row)).unwrap();
    assert_place(&touch["force_place"], strongest, &format!("{name}: place of the force"));
}

/// Asserts the peak of a deviation or load whose values may be unknown.
fn assert_known_peak(figure: (&Value, &Value), rows: &[&Row], column: &str, name: &str) {
    let known: Vec<(u64, f64)> =
        rows.iter().filter_map(|row| Some((step_of(row), known(row, column)?.abs()))).collect();
    let name = format!("{name}: {column}");
    if known.is_empty() {
        assert!(figure.0.is_null() && figure.1.is_null(), "{name}: {}", figure.0);
    } else {
        assert_peak(figure, &known, LOADS, &name);
    }
}

fn assert_axis(axis: &Value, rows: &[&Row], dt: f64, name: &str) {
    assert_eq!(axis["unit"], *rows[0]["unit"], "{name}");
    let positions = || rows.iter().map(|row| number(row, "position"));
    for (key, expected) in [
        ("least", positions().fold(f64::INFINITY, f64::min)),
        ("greatest", positions().fold(f64::NEG_INFINITY, f64::max)),
    ] {
        assert!((of(&axis[key]) - expected).abs() < 1e-9, "{name}: {key}");
    }
    assert_known_peak((&axis["deviation"], &axis["deviation_step"]), rows, "deviation", name);
    assert_known_peak((&axis["effort"], &axis["effort_step"]), rows, "effort", name);
    for (column, figure, step) in
        [("at_limit", "at_limit_s", "at_limit_step"), ("stalled", "stalled_s", "stalled_step")]
    {
        let steps: Vec<u64> = rows.iter().filter(|row| row[column] == "1").map(|row| step_of(row)).collect();
        assert_times((&axis[figure], &axis[step]), &steps, dt, &format!("{name}: {column}"));
    }
}

fn assert_joint(joint: &Value, rows: &[&Row], dt: f64) {
    let name = joint["joint"].as_str().unwrap();
    // The load of a joint is in the rows of each of its axes.
    let mut axes: Vec<&str> = rows.iter().map(|row| &*row["axis"]).collect();
    axes.sort_unstable();
    axes.dedup();
    let of_axis =
        |axis: &str| -> Vec<&Row> { rows.iter().copied().filter(|row| row["axis"] == axis).collect() };
    for axis in &axes {
        let own = of_axis(axis);
        assert_known_peak((&joint["force_n"], &joint["force_step"]), &own, "force_n", name);
        assert_known_peak((&joint["torque_nm"], &joint["torque_step"]), &own, "torque_nm", name);
        let figure = (&joint["deviation_rad"], &joint["deviation_step"]);
        assert_known_peak(figure, &own, "turned_off_rad", name);
    }
    let told = joint["axes"].as_array().unwrap();
    let watched: Vec<&&str> = axes.iter().filter(|axis| !axis.is_empty()).collect();
    assert_eq!(told.len(), watched.len(), "{name}");
    for (axis, number) in told.iter().zip(watched) {
        assert_eq!(axis["axis"].to_string(), **number, "{name}");
        assert_axis(axis, &of_axis(number), dt, &format!("{name}, axis {number}"));
    }
}

/// Asserts every figure in `touches` and `joints`. Returns how many there are in each.
fn assert_figures(run: &Run) -> [usize; 2] {
    let mut pairs: BTreeMap<[&str; 2], Vec<&Row>> = BTreeMap::new();
    for row in &run.pairs {
        pairs.entry([&row["a"], &row["b"]]).or_default().push(row);
    }
    let touches = run.report["touches"].as_array().unwrap();
    assert_eq!(touches.len(), pairs.len());
    for touch in touches {
        let key = ["a", "b"].map(|key| touch[key].as_str().unwrap());
        assert_touch(touch, &pairs[&key], run.dt());
    }
    let mut joints: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in &run.joints {
        joints.entry(&row["joint"]).or_default().push(row);
    }
    let told = run.report["joints"].as_array().unwrap();
    assert_eq!(told.len(), joints.len());
    told.iter().for_each(|joint| assert_joint(joint, &joints[joint["joint"].as_str().unwrap()], run.dt()));
    [touches.len(), told.len()]
}

/// Returns the figures of a part that touches the ground, or of a joint.
fn find<'a>(run: &'a Run, list: &str, key: &str, name: &str) -> &'a Value {
    run.report[list].as_array().unwrap().iter().find(|one| one[key] == name).unwrap()
}

#[test]
fn every_figure_of_contacts_and_joints_is_what_the_tables_come_to() {
    let folder = yard();
    let run = Run::of(folder.path(), &["yard.toml"]);
    assert_eq!(assert_figures(&run), [3, 9], "{}", run.report["touches"]);
    // This asserts that the comparisons above had something to compare.
    let ball = find(&run, "touches", "a", "ball");
    assert!(of(&ball["impact_ns"]) > 5.0 && of(&ball["steps"]) < 150.0, "{ball}");
    assert!(of(&find(&run, "touches", "a", "crate")["friction_n"]) > 10.0);
    let turn = find(&run, "joints", "joint", "turn");
    assert!(of(&turn["axes"][0]["stalled_s"]) > 0.5, "{turn}");
    let flap = find(&run, "joints", "joint", "hinge of world and flap");
    assert!(of(&flap["axes"][0]["at_limit_s"]) > 0.5 && flap["deviation_rad"].is_null(), "{flap}");
    let bob = find(&run, "joints", "joint", "ball joint of world and bob");
    assert!(of(&bob["deviation_rad"]) > 0.3 && bob["axes"].as_array().unwrap().len() == 3, "{bob}");
    let lamp = find(&run, "joints", "joint", "fixed joint of world and lamp");
    assert!(of(&lamp["torque_nm"]) > 1.0 && lamp["axes"].as_array().unwrap().is_empty(), "{lamp}");
}

#[test]
fn report_figures_match_tables_for_a_gripper_and_heaps() {
    let folder = tempfile::tempdir().unwrap();
    for (scene, steps, [touches, joints]) in
        [("pick-and-place", "250", [5, 6]), ("parts-tray", "90", [40, 0]), ("first-scene", "90", [25, 17])]
    {
        let place = folder.path().join(scene);
        fs::create_dir(&place).unwrap();
        let run = Run::of(&place, &[scene, "--steps", steps]);
        let found = assert_figures(&run);
        assert!(found[0] >= touches && found[1] >= joints, "{scene}: {found:?}");
    }
}
