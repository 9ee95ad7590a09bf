//! Sliders of joints: their values, the joints that follow, and other ways to set them.

use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use tempfile::TempDir;
use tumble::import::JointMotion;

use super::bench::Bench;

/// An arm of two hinges; the second follows the first at half its angle.
const ARM: &str = r#"<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
  <link name="upper"><inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
    <collision><origin xyz="0 0 0.3"/><geometry><box size="0.05 0.05 0.2"/></geometry></collision></link>
  <link name="lower"><inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
    <collision><origin xyz="0 0 0.3"/><geometry><box size="0.05 0.05 0.2"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="100" velocity="10"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="100" velocity="10"/><mimic joint="shoulder" multiplier="0.5"/></joint>
</robot>"#;

/// Opens the arm, and returns the folder of its file too. `table` moves its joints if given.
fn with_arm(table: Option<&str>) -> (Bench, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.urdf");
    std::fs::write(&path, ARM).unwrap();
    let name = path.to_str().unwrap().to_owned();
    let mut bench = Bench::empty();
    if let Some(table) = table {
        let path = folder.path().join("table.csv");
        std::fs::write(&path, table).unwrap();
        let opened = &mut bench.app().loader.opened;
        opened.name = name.clone();
        opened.read_as.joints = Some(JointMotion { path, speed: 1.0, looped: false });
    }
    bench.app().open(&name);
    bench.wait("the arm", |app| app.stage.is_some());
    bench.harness.run_steps(3);
    (bench, folder)
}

/// Returns the coordinate of a control's joint in the visible step.
fn coordinate(app: &tumble::viewer::App, control: usize) -> f64 {
    let stage = app.stage.as_ref().unwrap();
    stage.coordinate(&stage.show.scene.controls[control])
}

#[test]
fn a_slider_moves_its_joint_and_what_follows_it_beyond_the_end_of_the_scene() {
    let (mut bench, _folder) = with_arm(None);
    bench.app().playhead.stop_at(30);
    bench.wait_for_step(30);
    bench.harness.get_by_role_and_label(Role::Slider, "shoulder").set_value_accesskit(0.8);
    bench.wait("the arm to arrive", |app| (coordinate(app, 0) - 0.8).abs() < 2e-3);
    assert!(bench.app().playhead.playing, "it plays on");
    bench.wait("its follower", |app| (coordinate(app, 1) - 0.4).abs() < 2e-3);
    let follower = bench.harness.get_by_role_and_label(Role::Slider, "elbow");
    assert!(follower.accesskit_node().is_disabled(), "what follows is not set");
    bench.app().playhead.set_speed(10.0);
    bench.wait("a step beyond the end", |app| app.playhead.step() > 620 || !app.playhead.playing);
    assert!(bench.app().playhead.playing, "who moves a joint is not stopped by the end of the scene");
    bench.button("As at the start");
    bench.wait("the arm back", |app| coordinate(app, 0).abs() < 2e-3);
    let start = bench.app().stage.as_ref().unwrap().targets.clone();
    assert_eq!(start, [0.0, 0.0]);
}

#[test]
fn joints_moved_by_a_table_are_shown_without_a_slider() {
    let (mut bench, _folder) = with_arm(Some("time,shoulder\n0,0\n0.2,0.5\n"));
    bench.wait("its end", |app| app.stage.as_ref().is_some_and(|s| s.frame.step > 40));
    let slider = bench.harness.get_by_role_and_label(Role::Slider, "shoulder");
    let node = slider.accesskit_node();
    assert!(node.is_disabled() && (node.numeric_value().unwrap() - 0.5).abs() < 5e-3);
}
