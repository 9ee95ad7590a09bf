//! Placing parts: `tumble inspect` reports where each part stands, and `recenter` moves it.

use std::fs;

use glam::{DQuat, DVec3, Vec3};
use serde_json::{Value, json};
use tumble::generate::{self, Triangles};

use crate::gltf;
use crate::workshop::Workshop;

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");
/// Angles about x, y and z, degrees.
const ANGLES: [f64; 3] = [30.0, 20.0, 77.0];

/// Writes an STL file: 80 bytes, the number of triangles, and per triangle a normal, three corners and
/// two bytes.
fn write_stl(workshop: &Workshop, name: &str, (positions, triangles): &Triangles) {
    let mut bytes = vec![0; 80];
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        let corners = triangle.map(|v| positions[v as usize]);
        let numbers = [Vec3::ZERO].into_iter().chain(corners).flat_map(|v| v.to_array());
        bytes.extend(numbers.flat_map(f32::to_le_bytes));
        bytes.extend([0; 2]);
    }
    fs::write(workshop.path().join(name), bytes).unwrap();
}

/// Returns a cuboid of 40 × 20 × 10 mm with its middle at `middle`, in millimeters.
fn block(middle: Vec3) -> Triangles {
    let (mut positions, triangles) = generate::cuboid(Vec3::new(40.0, 20.0, 10.0), 100.0);
    positions.iter_mut().for_each(|p| *p += middle);
    (positions, triangles)
}

fn vector(value: &Value) -> DVec3 {
    DVec3::from_array(serde_json::from_value(value.clone()).unwrap())
}

/// Returns the bounds of a part: lower end, upper end and size.
fn bounds(part: &Value) -> [DVec3; 3] {
    ["min", "max", "size"].map(|end| vector(&part["bounds"][end]))
}

fn rotation([x, y, z]: [f64; 3]) -> DQuat {
    let [x, y, z] = [x, y, z].map(f64::to_radians);
    DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x)
}

#[test]
fn inspect_tells_where_a_rotated_part_stands() {
    let (workshop, middle) = (Workshop::new(), Vec3::new(420.0, 310.0, 25.0));
    write_stl(&workshop, "far.stl", &block(middle));
    let position = DVec3::new(0.5, -1.0, 2.0);
    let entry = format!(
        "[[model]]\nfile = \"far.stl\"\nposition = {:?}\nrotation = {ANGLES:?}\n[[part]]\nname = \"far\"\nmass = 2.0\n",
        position.to_array()
    );
    let part = &workshop.write("scene.toml", &entry).json(&["inspect", "scene.toml"])["bodies"][0];
    let (turn, half) = (rotation(ANGLES), 1e-3 * DVec3::new(20.0, 10.0, 5.0));
    let center = position + turn * (1e-3 * middle.as_dvec3());
    let reach = glam::DMat3::from_quat(turn);
    let reach = reach.x_axis.abs() * half.x + reach.y_axis.abs() * half.y + reach.z_axis.abs() * half.z;
    let tolerance = 1e-6 * 0.04;
    for (found, expected) in bounds(part).into_iter().zip([center - reach, center + reach, 2.0 * reach]) {
        assert!(found.distance(expected) < tolerance, "{found} instead of {expected}");
    }
    for (key, expected) in [("center_of_volume", center), ("center_of_mass", center), ("position", position)]
    {
        assert!(vector(&part[key]).distance(expected) < tolerance, "{key}: {}", part[key]);
    }
    let [x, y, z, w]: [f64; 4] = serde_json::from_value(part["rotation"].clone()).unwrap();
    assert!(DQuat::from_xyzw(x, y, z, w).angle_between(turn) < 1e-9);
}

/// Tests a robot: its center of mass is that of the file, not that of the volume, and a link without a
/// surface has no bounds.
#[test]
fn inspect_tells_the_center_of_mass_of_a_link_without_a_surface() {
    let workshop = Workshop::new();
    let link = |name: &str, shape: &str| {
        format!(
            "<link name=\"{name}\"><inertial><origin xyz=\"0 0 0.3\"/><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" \
             izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>{shape}</link>"
        )
    };
    let solid = "<collision><geometry><box size=\"0.2 0.2 0.2\"/></geometry></collision>";
    let joint = "<joint name=\"j\" type=\"continuous\"><origin xyz=\"1 0 0\"/><parent link=\"solid\"/><child link=\"bare\"/></joint>";
    let robot = format!("<robot name=\"r\">{}{}{joint}</robot>", link("solid", solid), link("bare", ""));
    workshop.write("r.urdf", &robot);
    let report = workshop.json(&["inspect", "r.urdf", "--as", "drop"]);
    let parts = report["bodies"].as_array().unwrap();
    let named = |name: &str| parts.iter().find(|part| part["name"] == name).unwrap();
    // The file's z axis points up, which is y here.
    assert!(vector(&named("solid")["center_of_mass"]).distance(DVec3::new(0.0, 0.3, 0.0)) < 1e-9);
    assert!(vector(&named("solid")["center_of_volume"]).length() < 1e-9);
    assert_eq!(named("bare")["bounds"], Value::Null);
    assert_eq!(named("bare")["center_of_volume"], Value::Null);
    assert!(vector(&named("bare")["center_of_mass"]).distance(DVec3::new(1.0, 0.3, 0.0)) < 1e-9);
    let text = workshop.tumble(&["inspect", "r.urdf"]).text();
    assert!(text.contains("bare   –"), "{text}");
}

#[test]
fn recenter_by_bounds_puts_the_middle_of_every_part_at_the_position() {
    let workshop = Workshop::new();
    write_stl(&workshop, "far.stl", &block(Vec3::new(420.0, 310.0, 25.0)));
    let files = ["chain.glb", "parts.glb", "standing.glb"].map(|name| format!("{ASSETS}/{name}"));
    let position = DVec3::new(0.25, 3.0, -0.5);
    for file in files.iter().map(String::as_str).chain(["far.stl"]) {
        for angles in [[0.0; 3], ANGLES] {
            let scene = format!(
                "[[model]]\nfile = {file:?}\nrecenter = \"bounds\"\nposition = {:?}\nrotation = {angles:?}\n",
                position.to_array()
            );
            let report = workshop.write("scene.toml", &scene).json(&["inspect", "scene.toml"]);
            let parts = report["bodies"].as_array().unwrap();
            assert!(!parts.is_empty());
            for part in parts {
                let [min, max, size] = bounds(part);
                let off = (0.5 * (min + max)).distance(position) / size.max_element();
                assert!(off < 1e-9, "{} of {file}: off by {off} of its size", part["name"]);
            }
        }
    }
}

#[test]
fn recenter_says_what_it_does_not_move() {
    let workshop = Workshop::new();
    write_stl(&workshop, "far.stl", &block(Vec3::new(420.0, 310.0, 25.0)));
    write_stl(&workshop, "middle.stl", &block(Vec3::ZERO));
    let said = |file: &str, recenter: &str| {
        let scene = format!("[[model]]\nfile = {file:?}\nrecenter = {recenter}\n");
        workshop.write("scene.toml", &scene).tumble(&["inspect", "scene.toml"]).error()
    };
    assert!(
        said("far.stl", "true").contains("warning: far.stl: recenter = true does not move it: its origin")
    );
    assert!(!said("middle.stl", "true").contains("recenter"));
    assert!(!said("far.stl", "\"bounds\"").contains("recenter"));
    let [robot, figure] = ["arm.urdf", "walker.glb"].map(|name| format!("{ASSETS}/{name}"));
    for recenter in ["true", "\"bounds\""] {
        assert!(said(&robot, recenter).contains("has physics, so its parts are not recentered"));
        assert!(said(&figure, recenter).contains("recenter does not move a skinned figure"));
    }
    let error = said("far.stl", "\"middle\"");
    assert!(error.contains("line 3: ") && error.contains("expected true, false or \"bounds\""), "{error}");
}

#[test]
fn a_gearbox_of_107_m_is_asked_for_its_unit() {
    let workshop = Workshop::new();
    gltf::write(workshop.path(), "gearbox", &generate::cuboid(Vec3::new(107.0, 60.0, 60.0), 200.0));
    let hint = "gearbox.gltf: measures 107 m; if its lengths have another unit, name it: --unit mm";
    workshop.write("scene.toml", "[[model]]\nfile = \"gearbox.gltf\"\n");
    for scene in ["gearbox.gltf", "scene.toml"] {
        let error = workshop.tumble(&["inspect", scene]).error();
        assert!(error.contains(hint), "{error}");
    }
    for unit in ["m", "mm"] {
        let error = workshop.tumble(&["inspect", "gearbox.gltf", "--unit", unit]).error();
        assert!(!error.contains("measures"), "{error}");
    }
}

#[test]
fn a_washer_of_4_mm_among_parts_in_millimeters_is_not_taken_for_one_of_4_m_in_silence() {
    let workshop = Workshop::new();
    write_stl(&workshop, "plate.stl", &block(Vec3::ZERO));
    write_stl(&workshop, "washer.stl", &generate::cuboid(Vec3::new(4.4, 4.4, 0.8), 10.0));
    let said = |files: &[&str]| {
        let entry = |file: &&str| format!("[[model]]\nfile = {file:?}\n");
        workshop.write("scene.toml", &files.iter().map(entry).collect::<String>());
        workshop.tumble(&["inspect", "scene.toml"]).error()
    };
    let both = said(&["plate.stl", "washer.stl"]);
    assert!(both.contains("warning: washer.stl: is taken as meters, but 1 other file"), "{both}");
    for alone in ["plate.stl", "washer.stl"] {
        assert!(!said(&[alone]).contains("is taken as meters"));
    }
}

#[test]
fn lists_of_many_parts_end_with_the_number_of_the_rest() {
    let workshop = Workshop::new();
    gltf::write(workshop.path(), "cube", &generate::cuboid(Vec3::ONE, 2.0));
    let scene =
        "[[model]]\nfile = \"cube.gltf\"\ncopies = { count = [60, 1, 1], spacing = [2.0, 0.0, 0.0] }\n";
    workshop.write("scene.toml", scene);
    let short = workshop.tumble(&["inspect", "scene.toml"]).text();
    assert_eq!(short.matches("10 more (--all lists them)").count(), 2, "{short}");
    assert!(short.contains("cube.50 ") && !short.contains("cube.51 "), "{short}");
    let all = workshop.tumble(&["inspect", "scene.toml", "--all"]).text();
    assert!(all.contains("cube.60 ") && !all.contains(" more "), "{all}");
    let report = workshop.json(&["inspect", "scene.toml"]);
    assert_eq!(report["bodies"].as_array().unwrap().len(), 60);
    assert_eq!(report["bodies"][59]["bounds"]["max"], json!([118.5, 0.5, 0.5]));
}

/// Steps a tile of 200 × 20 × 200 mm that starts at a height and tilted about z, over a ground at height
/// 0. Returns the warnings, and the height of its lowest point at the start and in every step, m.
fn lowest_of_tile(workshop: &Workshop, height: f64, tilt: f64) -> (String, Vec<f64>) {
    let scene = format!(
        "steps = 120\n[ground]\nsize = 4.0\n[[model]]\nfile = \"tile.gltf\"\nposition = [0, {height}, 0]\n\
         rotation = [0, 0, {tilt}]\n"
    );
    workshop.write("tile.toml", &scene);
    let run = workshop.tumble(&["run", "tile.toml", "--record", "tile.tumble", "--force"]);
    assert_eq!(run.code(), 0, "{}", run.error());
    let tables = workshop.tumble(&[
        "export",
        "tile.tumble",
        "--to",
        "csv",
        "--body",
        "tile",
        "--out",
        "tables",
        "--force",
    ]);
    assert_eq!(tables.code(), 0, "{}", tables.error());
    let mut rows = csv::Reader::from_path(workshop.path().join("tables/bodies.csv")).unwrap();
    let heads = rows.headers().unwrap().clone();
    let lowest = |row: csv::StringRecord| {
        let number =
            |name: &str| row[heads.iter().position(|head| head == name).unwrap()].parse::<f64>().unwrap();
        let turn = DQuat::from_xyzw(number("qx"), number("qy"), number("qz"), number("qw"));
        let up = turn.inverse() * DVec3::Y;
        number("y_m") - up.abs().dot(DVec3::new(0.1, 0.01, 0.1))
    };
    (run.error(), rows.records().map(|row| lowest(row.unwrap())).collect())
}

#[test]
fn a_tile_in_the_ground_does_what_the_warning_says() {
    let workshop = Workshop::new();
    gltf::write(workshop.path(), "tile", &generate::cuboid(Vec3::new(0.2, 0.02, 0.2), 0.1));
    // Its middle is inside the ground: it stays fixed.
    for (height, tilt, rise) in
        [(-0.005, 5.0, 23.7), (-0.001, 0.0, 11.0), (-0.06, 30.0, 118.7), (-0.09, 90.0, 190.0)]
    {
        let (warning, heights) = lowest_of_tile(&workshop, height, tilt);
        let said = format!("it stays fixed there; raise it by {rise:.1} mm");
        assert!(warning.contains(&said), "{height} m, {tilt}°: {warning}");
        assert!(heights.iter().all(|y| *y == heights[0]), "{height} m, {tilt}°: {heights:?}");
    }
    // Contacts hold it: it does not sink by more than they need.
    for (height, tilt) in
        [(0.0055, 0.0), (0.009, 0.0), (0.01, 2.0), (0.0115, 2.0), (0.0145, 5.0), (0.0175, 5.0)]
    {
        let (warning, heights) = lowest_of_tile(&workshop, height, tilt);
        assert!(warning.contains("They keep their overlap"), "{height} m, {tilt}°: {warning}");
        let sunk = heights[0] - heights.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(sunk < 5e-4, "{height} m, {tilt}°: sinks by {sunk} m");
    }
    // Contacts may push it out: nothing is promised.
    for (height, tilt) in [(0.001, 0.0), (0.005, 5.0), (0.02, 30.0)] {
        let (warning, _) = lowest_of_tile(&workshop, height, tilt);
        assert!(warning.contains("That is deeper than contacts surely find"), "{warning}");
        assert!(!warning.contains("keep"), "{warning}");
    }
}

/// Tests a gear with edges much shorter than its overlap. The first search for contacts sees only
/// 0.8 mm of it, and the gear sinks through the ground.
#[test]
fn a_fine_gear_deep_in_the_ground_is_not_said_to_be_held() {
    let workshop = Workshop::new();
    let model = format!("{ASSETS}/parts.glb");
    let scene = format!(
        "[ground]\n[[model]]\nfile = {model:?}\nnodes = [\"gear_small\"]\nrecenter = \"bounds\"\n\
         position = [0, 0.0032, 0]\n"
    );
    workshop.write("gear.toml", &scene);
    let overlap = &workshop.json(&["inspect", "gear.toml"])["overlaps_at_start"][0];
    assert!((overlap["depth_mm"].as_f64().unwrap() - 4.8).abs() < 0.01, "{overlap}");
    assert_eq!(overlap["is_held"], false);
    let warning = workshop.tumble(&["inspect", "gear.toml"]).error();
    assert!(
        warning.contains("gear_small – ground 4.8 mm. That is deeper than contacts surely find"),
        "{warning}"
    );
}

#[test]
fn a_part_in_the_ground_is_left_alone_if_something_else_holds_it() {
    let workshop = Workshop::new();
    gltf::write(workshop.path(), "tile", &generate::cuboid(Vec3::new(0.2, 0.02, 0.2), 0.1));
    let tile = "[ground]\n[[model]]\nfile = \"tile.gltf\"\nposition = [0, -0.005, 0]\n";
    let fixed = |more: &str| {
        workshop.write("scene.toml", &format!("{tile}{more}"));
        let report = workshop.json(&["inspect", "scene.toml"]);
        report["bodies"].as_array().unwrap().iter().any(|b| b["name"] == "tile" && b["motion"] == "static")
    };
    assert!(fixed(""));
    assert!(!fixed("[[pair]]\na = \"tile\"\nb = \"ground\"\nrule = \"ignore\"\n"));
    assert!(!fixed(
        "[[joint]]\nkind = \"hinge\"\na = \"world\"\nb = \"tile\"\nanchor = [0, 0, 0]\naxis = [0, 1, 0]\n"
    ));
    let three = "copies = { count = [3, 1, 1], spacing = [1.0, 0.0, 0.0] }\n";
    workshop.write("scene.toml", &format!("{tile}{three}"));
    let warning = workshop.tumble(&["inspect", "scene.toml"]).error();
    let said = "3 parts lie with their middle inside the ground";
    assert!(warning.contains(said) && warning.contains("tile by 15.0 mm, tile.2 by 15.0 mm"), "{warning}");
}
