//! Robots: the supported elements, the positions of links, the joints' drives, and errors.

use std::path::{Path, PathBuf};

use glam::{DVec3, Vec3};
use tumble::body::{AxisRange, Motion};
use tumble::import::{ReadAs, load_model};
use tumble::scene::looks::{Follows, Paint};
use tumble::scene::{OpenAs, Scene, SceneName, load_scene};
use tumble::world::World;

use super::writers::{dae, line_of, stl_binary, torus, write};
use crate::robots_fit::{links_are_where_matrices_say, reads_as_others_do, stands};

/// An arm of a column, two hinges, a slider, a finger that follows it and a fixed camera.
pub const ARM: &str = r#"<?xml version="1.0"?>
<robot name="arm">
  <material name="steel"><color rgba="0.5 0.5 1 1"/></material>
  <link name="base">
    <visual><origin xyz="0 0 0.5"/><geometry><mesh filename="package://arm/meshes/ring.stl" scale="0.1 0.1 0.1"/></geometry><material name="steel"/></visual>
    <collision><origin xyz="0 0 0.1"/><geometry><cylinder radius="0.1" length="0.2"/></geometry></collision>
  </link>
  <link name="upper">
    <inertial><origin xyz="0.2 0 0" rpy="0.1 0.2 0.3"/><mass value="2"/><inertia ixx="0.01" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.03"/></inertial>
    <collision><origin xyz="0.2 0 0" rpy="0 1.5707963 0"/><geometry><cylinder radius="0.03" length="0.3"/></geometry></collision>
  </link>
  <link name="lower">
    <inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
    <collision><geometry><box size="0.2 0.05 0.05"/></geometry></collision>
  </link>
  <link name="camera">
    <inertial><mass value="0.25"/><inertia ixx="0.0001" ixy="0" ixz="0" iyy="0.0001" iyz="0" izz="0.0001"/></inertial>
    <visual><geometry><sphere radius="0.02"/></geometry></visual>
  </link>
  <link name="left"><inertial><mass value="0.1"/><inertia ixx="0.0001" ixy="0" ixz="0" iyy="0.0001" iyz="0" izz="0.0001"/></inertial>
    <collision><geometry><mesh filename="meshes/ring.stl" scale="0.01 0.01 0.01"/></geometry></collision></link>
  <link name="right"><inertial><mass value="0.1"/><inertia ixx="0.0001" ixy="0" ixz="0" iyy="0.0001" iyz="0" izz="0.0001"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.3" rpy="0 -0.4 0.2"/>
    <axis xyz="0 1 1"/><limit lower="-1" upper="2" effort="200" velocity="3"/><dynamics damping="0.1" friction="0.5"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="0.4 0 0"/><axis xyz="0 1 0"/></joint>
  <joint name="mount" type="fixed"><parent link="lower"/><child link="camera"/><origin xyz="0 0 0.05" rpy="0 0 1"/></joint>
  <joint name="slide" type="prismatic"><parent link="camera"/><child link="left"/><origin xyz="0.1 0.05 0"/><axis xyz="1 0 0"/>
    <limit lower="0.02" upper="0.08" effort="20" velocity="1"/></joint>
  <joint name="follow" type="prismatic"><parent link="camera"/><child link="right"/><origin xyz="0.1 -0.05 0"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.1" effort="20" velocity="1"/><mimic joint="slide" multiplier="0.5" offset="0.01"/></joint>
  <transmission name="t"/><gazebo/><gazebo/>
</robot>
"#;

/// Writes the arm in its package, with its mesh.
pub fn arm(folder: &Path) -> PathBuf {
    let package = folder.join("arm");
    std::fs::create_dir_all(package.join("meshes")).unwrap();
    let ring = torus("ring", Vec3::ZERO, 1.0, 0.3, 12, 8);
    write(&package, "meshes/ring.stl", stl_binary(&ring, ""));
    write(&package, "arm.urdf", ARM)
}

fn open(path: &Path, open_as: Option<OpenAs>) -> Scene {
    load_scene(SceneName { open_as, ..SceneName::from(path.to_str().unwrap()) }, None).unwrap()
}

fn says(scene: &Scene, text: &str) -> bool {
    scene.notes.iter().any(|n| n.text.contains(text))
}

#[test]
fn robot_links_have_the_expected_poses() {
    let folder = tempfile::tempdir().unwrap();
    let path = arm(folder.path());
    reads_as_others_do(&path);
    links_are_where_matrices_say(&path, 20);
    stands(&path);
}

#[test]
fn notes_of_a_robot_list_its_contents_and_assumptions() {
    let folder = tempfile::tempdir().unwrap();
    let scene = open(&arm(folder.path()), None);
    for text in [
        "elements that are not read: <gazebo> 2, <transmission> 1",
        "1 joints do not go to 0 and start at their nearest end: slide 0.020",
        "1 joints have damping",
        "its base is fixed",
        "drives of 10.0 Hz or more hold 4 joints where they start",
        "pushes with all of the file's effort once it is 1.0° or",
    ] {
        assert!(says(&scene, text), "{text}: {:#?}", scene.notes);
    }
    let body = |name: &str| scene.bodies.iter().find(|b| b.name == name).unwrap();
    assert_eq!(body("base").motion, Motion::Static);
    // The camera is part of the lower link, and its mass with it.
    assert!(
        (body("lower").mass - 1.25).abs() < 1e-12 && body("lower").center.distance(DVec3::Z * 0.01) < 1e-12
    );
    assert!(scene.bodies.iter().all(|b| b.name != "camera") && body("right").mesh.is_none());
    let shoulder = scene.joints.iter().find(|j| j.name == "shoulder").unwrap();
    assert_eq!(shoulder.angular[0].range, AxisRange::Limited { min: -1.0, max: 2.0 });
    assert_eq!((shoulder.friction, shoulder.angular[0].drive.unwrap().max_force), (0.5, 200.0));
    // The visual of the base is drawn in its color, and does not collide.
    assert_eq!(scene.drawn.len(), 2, "the ring of the base, and the camera");
    assert_eq!(scene.meshes[body("left").mesh.unwrap() as usize].triangles().len(), 192);
}

#[test]
fn a_robot_is_opened_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = arm(folder.path());
    let height_after = |open_as| {
        let scene = open(&path, Some(open_as));
        let mut world = World::new(&scene).unwrap();
        for _ in 0..60 {
            world.step();
        }
        let at = scene.bodies.iter().position(|b| b.name == "base").unwrap();
        (
            scene.bodies[at].motion,
            world.bodies().states[at].pose.position.y - scene.bodies[at].pose.position.y,
        )
    };
    assert_eq!(height_after(OpenAs::FixedBase), (Motion::Static, 0.0));
    assert_eq!(height_after(OpenAs::Designed), (Motion::Static, 0.0));
    let (motion, _) = height_after(OpenAs::Drop);
    assert_eq!(motion, Motion::Dynamic);
    assert!(says(&open(&path, Some(OpenAs::Drop)), "its base is free"));
    // A model without joints has no base.
    let ring = torus("ring", Vec3::ZERO, 1.0, 0.3, 12, 8);
    let ring = write(folder.path(), "ring.stl", stl_binary(&ring, ""));
    let error = load_scene(
        SceneName { open_as: Some(OpenAs::FixedBase), ..SceneName::from(ring.to_str().unwrap()) },
        None,
    );
    assert!(error.unwrap_err().to_string().contains("has no joints, so there is no base to fix"));
}

#[test]
fn a_scene_file_poses_robots_and_lets_them_go() {
    let folder = tempfile::tempdir().unwrap();
    arm(folder.path());
    let scene = |keys: &str| {
        let text = format!("[[model]]\nfile = \"arm/arm.urdf\"\n{keys}");
        load_scene(write(folder.path(), "scene.toml", text).to_str().unwrap(), None)
    };
    let posed = scene("pose = { shoulder = 0.5, slide = 0.04 }").unwrap();
    let target = |name: &str| posed.joints.iter().find(|j| j.name == name).unwrap();
    assert_eq!(target("shoulder").angular[0].drive.unwrap().position_target, 0.5);
    assert_eq!(target("slide").linear[0].drive.unwrap().position_target, 0.04);
    assert_eq!(target("follow").linear[0].drive.unwrap().position_target, 0.03);
    assert!(!says(&posed, "start at their nearest end"));
    let free = scene("base = \"free\"").unwrap();
    assert_eq!(free.bodies[0].motion, Motion::Dynamic);
    assert!(free.bodies.iter().all(|b| b.gravity_factor == 1.0));
    for (keys, wanted) in [
        ("pose = { knee = 1 }", "no joint is called \"knee\"; those that move are shoulder, elbow, slide"),
        ("pose = { shoulder = 3 }", "the joint shoulder goes from -1 to 2, not to 3"),
        ("pose = { follow = 0.05 }", "the joint follow follows slide"),
    ] {
        let error = scene(keys).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
    }
}

/// Guards against visuals that are not drawn because they do not collide, and colliders drawn in a
/// wrong color.
#[test]
fn visuals_of_a_robot_are_drawn_once_in_their_color() {
    let folder = tempfile::tempdir().unwrap();
    let shape = |kind: &str, size: &str, color: &str| {
        let geometry = format!("<geometry><box size=\"{size}\"/></geometry>");
        let color = format!("<material name=\"\"><color rgba=\"{color} 1\"/></material>");
        let color = if kind == "visual" { color } else { String::new() };
        format!("<{kind}><origin xyz=\"0 0 0.1\"/>{geometry}{color}</{kind}>")
    };
    let text = format!(
        "<robot name=\"crane\"><link name=\"foot\">{}{}</link><link name=\"arm\">{}{}</link><link name=\"sign\">{}</link>\
         <joint name=\"turn\" type=\"revolute\"><parent link=\"foot\"/><child link=\"arm\"/></joint>\
         <joint name=\"weld\" type=\"fixed\"><parent link=\"arm\"/><child link=\"sign\"/></joint></robot>",
        shape("visual", "1 1 1", "0 0 1"),
        shape("collision", "1 1 1", ""),
        shape("visual", "0.2 0.2 2", "1 0 0"),
        shape("collision", "0.3 0.3 2", ""),
        shape("visual", "1 0.1 0.5", "0 1 0"),
    );
    let scene = open(&write(folder.path(), "crane.urdf", text), None);
    assert!(says(&scene, "1 joints that should have limits have none, and turn or slide without end: turn"));
    let paths: Vec<&str> = scene.bodies.iter().map(|b| &b.path[..]).collect();
    assert_eq!(paths, ["crane/foot", "crane/foot/arm"]);
    let colors = |paint: u32| match &scene.paints[paint as usize] {
        Paint::Plain(color) => vec![*color],
        Paint::Corners(corners) => {
            let mut colors: Vec<[u8; 3]> = corners.iter().flatten().copied().collect();
            colors.dedup();
            colors
        }
    };
    // Drawn as it collides, and drawn as another shape.
    assert_eq!(colors(scene.bodies[0].paint), [[0, 0, 255]]);
    assert_eq!(scene.drawn.len(), 1);
    assert_eq!((&scene.drawn[0].follows, scene.drawn[0].triangles.len()), (&Follows::Body(1), 24));
    assert_eq!(colors(scene.drawn[0].paint), [[255, 0, 0], [0, 255, 0]]);
}

#[test]
fn a_mesh_in_millimeters_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = arm(folder.path());
    let large = std::fs::read_to_string(&path).unwrap().replace("0.1 0.1 0.1", "100 100 100");
    write(folder.path(), "arm/arm.urdf", large);
    let scene = open(&path, None);
    let text = "package://arm/meshes/ring.stl is 260.0 m across: scale=\"0.001 0.001 0.001\"";
    assert!(says(&scene, text), "{:#?}", scene.notes);
    // A mesh that specifies millimeters has the size that it specifies.
    let ring = torus("ring", Vec3::ZERO, 1000.0, 300.0, 12, 8);
    let ring = dae(&[ring]).replace("meter=\"1\"", "meter=\"0.001\"");
    write(folder.path(), "arm/meshes/ring.dae", ring);
    write(folder.path(), "arm/arm.urdf", ARM.replace("ring.stl", "ring.dae"));
    assert!(!says(&open(&path, None), "across"));
}

#[test]
fn errors_of_a_robot_file_name_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = arm(folder.path());
    let read = |text: String| {
        write(folder.path(), "arm/arm.urdf", text);
        load_model(&path, &ReadAs::default()).map_err(|e| e.to_string())
    };
    for (from, to, wanted) in [
        ("<mass value=\"2\"/>", "<mass value=\"-2\"/>", "LINE: a mass is at least 0, not -2"),
        ("izz=\"0.03\"", "izz=\"nan\"", "LINE: izz: \"nan\" is not finite"),
        ("xyz=\"0 0 0.3\"", "xyz=\"0 0\"", "LINE: xyz=\"0 0\" has fewer than 3 numbers"),
        ("xyz=\"0 1 1\"", "xyz=\"0 0 0\"", "LINE: an axis needs a length"),
        ("link=\"upper\"/><child", "link=\"over\"/><child", "LINE: there is no link \"over\""),
        ("<link name=\"right\">", "<link name=\"left\">", "LINE: there is another link \"left\""),
        (
            "<child link=\"right\"/>",
            "<child link=\"left\"/>",
            "the link \"left\" hangs on another joint already",
        ),
        ("<parent link=\"base\"/>", "<parent link=\"left\"/>", "it hangs on itself, through other links"),
        ("type=\"continuous\"", "type=\"screw\"", "LINE: \"screw\" is no type of joint"),
        ("joint=\"slide\"", "joint=\"follow\"", "it follows itself, through other joints"),
        ("<robot name=\"arm\">", "<arm>", "line "),
        (
            "<gazebo/><gazebo/>",
            "<xacro:macro xmlns:xacro=\"http://ros.org/wiki/xacro\"/>",
            "LINE: <xacro:macro> is a macro",
        ),
        ("<cylinder radius=\"0.1\"", "<cylinder radius=\"-1\"", "LINE: radius must not be below 0, as -1 is"),
        ("<cylinder radius=\"0.1\"", "<cone radius=\"0.1\"", "LINE: \"cone\" is no geometry"),
        ("filename=\"meshes/ring.stl\"", "filename=\"arm.urdf\"", "arm.urdf: is no mesh that is read"),
    ] {
        let text = ARM.replacen(from, to, 1);
        assert_ne!(text, ARM, "{from}");
        let wanted = wanted.replace("LINE", &line_of(ARM, from));
        let error = read(text).expect_err(&wanted);
        assert!(error.contains(&wanted), "{error}, not {wanted}");
    }
    // A missing mesh is a warning, a damaged one an error.
    let model = read(ARM.replace("package://arm", "package://leg")).unwrap();
    let missing =
        "1 meshes are missing, and their links go without: package://leg/meshes/ring.stl is not found";
    assert!(model.notes.iter().any(|n| n.text.contains(missing)), "{:?}", model.notes);
    write(folder.path(), "arm/meshes/ring.stl", "solid\nfacet");
    let error = read(ARM.to_owned()).unwrap_err();
    assert!(error.contains("ring.stl: line 2: "), "{error}");
}
