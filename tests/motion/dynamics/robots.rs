//! Robots: drives use the effort limits of their file, coupled fingers close alike, and a scene file
//! can set the strength of a drive.

use std::fmt::Write;

use glam::{DVec3, Vec3};
use tumble::body::Activity;
use tumble::generate;

use super::{Run, Setup};

/// Returns a gripper with two fingers of 15 g that slide toward each other along x; the right one
/// follows the left.
fn gripper() -> String {
    let finger = |name: &str| {
        format!(
            "<link name=\"{name}\"><inertial><mass value=\"0.015\"/>\
             <inertia ixx=\"1e-5\" iyy=\"1e-5\" izz=\"1e-5\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>\
             <collision><geometry><box size=\"0.01 0.02 0.06\"/></geometry></collision></link>"
        )
    };
    let joint = |name: &str, child: &str, at: f64, axis: f64, mimic: &str| {
        format!(
            "<joint name=\"{name}\" type=\"prismatic\"><parent link=\"palm\"/><child link=\"{child}\"/>\
             <origin xyz=\"{at} 0 -0.06\"/><axis xyz=\"{axis} 0 0\"/>{mimic}\
             <limit lower=\"0\" upper=\"0.04\" effort=\"100\" velocity=\"0.2\"/></joint>"
        )
    };
    format!(
        "<robot name=\"gripper\"><link name=\"base\"/><link name=\"palm\"><inertial><mass value=\"0.7\"/>\
         <inertia ixx=\"1e-3\" iyy=\"1e-3\" izz=\"1e-3\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>\
         <collision><geometry><box size=\"0.12 0.04 0.04\"/></geometry></collision></link>\
         <joint name=\"lift\" type=\"prismatic\"><parent link=\"base\"/><child link=\"palm\"/>\
         <origin xyz=\"0 0 0.12\"/><axis xyz=\"0 0 1\"/>\
         <limit lower=\"0\" upper=\"0.5\" effort=\"200\" velocity=\"0.5\"/></joint>{}{}{}{}</robot>",
        finger("left"),
        finger("right"),
        joint("close", "left", -0.045, 1.0, ""),
        joint("follow", "right", 0.045, -1.0, "<mimic joint=\"close\"/>")
    )
}

/// Closes the gripper on a cube of 0.3 kg and 40 mm, lifts it by 0.1 m and holds it. `more` is appended
/// to the scene file.
fn grips(more: &str) -> Run {
    let cube = generate::cuboid(Vec3::splat(0.04), 0.04);
    let mut setup = Setup::new("");
    std::fs::write(setup.folder.path().join("gripper.urdf"), gripper()).unwrap();
    let table = "time,close,lift\n0,0,0\n0.3,0.04,0\n0.8,0.04,0\n1.3,0.04,0.1\n2,0.04,0.1\n";
    std::fs::write(setup.folder.path().join("grip.csv"), table).unwrap();
    writeln!(
        setup.text,
        "[ground]\nsize = 2.0\n[[model]]\nfile = \"gripper.urdf\"\nposition = [0.0, -0.04, 0.0]\n\
         animation = {{ file = \"grip.csv\" }}"
    )
    .unwrap();
    let mut setup = setup.place("cube", &cube, DVec3::new(0.0, 0.0199, 0.0), [0.0; 3], "mass = 0.3");
    setup.text += more;
    setup.open()
}

#[test]
fn fingers_of_fifteen_grams_lift_a_cube_and_hold_it() {
    let mut run = grips("");
    run.seconds(2.0);
    let lifted = run.state("cube").pose.position;
    assert!((lifted.y - 0.12).abs() < 1e-3, "{lifted}");
    run.seconds(5.0);
    let held = run.state("cube").pose.position;
    assert!(held.distance(lifted) < 5e-4, "{held}, from {lifted}");
    let deepest = run.world.measures().penetration;
    assert!(deepest < 3e-4, "{deepest} m");
    // Both push with the full effort of the file, from their first touch of the cube.
    for name in ["close", "follow"] {
        let joint = run.scene.joints.iter().position(|joint| joint.name == name).unwrap();
        let [axis] = &run.world.joint_uses()[joint].axes[..] else { panic!("{name}") };
        // A sub-step that ends early had the impulse of a whole one.
        assert!((0.999..1.05).contains(&(axis.effort.value / 100.0)), "{name}: {axis:?}");
        assert!(axis.stalled.step_count > 350, "{name}: {axis:?}");
    }
}

/// Pushes the fingers and the cube to the side. Uncoupled fingers would not return to the middle.
#[test]
fn fingers_that_follow_each_other_stay_in_the_middle() {
    let mut run = grips("");
    run.seconds(3.0);
    for name in ["left", "right", "cube"] {
        let state = run.state_mut(name);
        (state.linear_velocity.x, state.activity) = (0.2, Activity::Awake { slow_for: 0.0 });
    }
    run.seconds(4.0);
    let [left, right] = ["left", "right"].map(|name| run.state(name).pose.position.x);
    assert!((left + right).abs() < 2e-4, "{left}, {right} m");
}

#[test]
fn a_scene_file_says_how_strong_drives_are() {
    let weak = "[[drive]]\njoint = \"{close,follow}\"\nstiffness = 60.0\ndamping = 2.0\nmax = 0.5\n";
    let mut run = grips(weak);
    run.seconds(2.0);
    let height = run.state("cube").pose.position.y;
    assert!(height < 0.03, "1 N does not lift 3 N: {height} m");
}

/// Returns an arm of seven links, each lighter than the one before, with hinges alternately about z and
/// y.
fn arm() -> String {
    let mut text = "<robot name=\"arm\"><link name=\"l0\"/>".to_owned();
    for k in 1..=7 {
        let (mass, axis) = (4.0 / f64::from(k), if k % 2 == 1 { "0 0 1" } else { "0 1 0" });
        write!(
            text,
            "<link name=\"l{k}\"><inertial><origin xyz=\"0 0 0.1\"/><mass value=\"{mass}\"/>\
             <inertia ixx=\"{i}\" iyy=\"{i}\" izz=\"{j}\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\
             <joint name=\"j{k}\" type=\"revolute\"><parent link=\"l{p}\"/><child link=\"l{k}\"/>\
             <origin xyz=\"0 0 0.2\"/><axis xyz=\"{axis}\"/>\
             <limit lower=\"-2.5\" upper=\"2.5\" effort=\"300\" velocity=\"10\"/></joint>",
            i = 0.004 * mass,
            j = 0.001 * mass,
            p = k - 1
        )
        .unwrap();
    }
    text + "</robot>"
}

/// Moves an arm along a table. If the drives were solved one after the other, with light links behind
/// heavy ones, the arm would lag and shake.
#[test]
fn an_arm_of_seven_links_follows_its_table() {
    let setup = Setup::new("[[model]]\nfile = \"arm.urdf\"\nanimation = { file = \"arm.csv\" }");
    std::fs::write(setup.folder.path().join("arm.urdf"), arm()).unwrap();
    // The table starts from rest, so that a motor of this effort can follow it.
    let angle =
        |joint: usize, key: usize| 0.4 * (1.0 - (key as f64 / 20.0 * (1.0 + 0.5 * joint as f64)).cos());
    let mut table = "time,j1,j2,j3,j4,j5,j6,j7\n".to_owned();
    for key in 0..=60 {
        write!(table, "{:?}", key as f64 / 20.0).unwrap();
        (0..7).for_each(|joint| write!(table, ",{:?}", angle(joint, key)).unwrap());
        table.push('\n');
    }
    std::fs::write(setup.folder.path().join("arm.csv"), table).unwrap();
    let mut run = setup.open();
    for key in 1..=60 {
        (0..3).for_each(|_| _ = run.world.step());
        for (joint, angles) in run.world.bodies().angles.iter().enumerate() {
            let (found, told) = (angles[0], angle(joint, key));
            assert!((found - told).abs() < 0.02, "j{}, {key}: {found}, not {told} rad", joint + 1);
        }
    }
}
