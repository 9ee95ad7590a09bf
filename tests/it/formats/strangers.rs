//! Robots from other programs: everything that other readers accept is read, and deviations are
//! reported.

use std::path::Path;

use glam::DVec3;
use tumble::body::{AxisRange, Motion};
use tumble::import::model::{LocalTransform, Model};
use tumble::import::{Colliders, NoteKind, ReadAs, load_model};
use tumble::scene::looks::Paint;
use tumble::scene::{OpenAs, Scene, SceneName, load_scene};

use super::robots::{ARM, arm};
use super::writers::{line_of, write};

/// Reads the arm with parts of its text replaced.
fn changed(folder: &Path, changes: &[(&str, &str)]) -> Result<Model, String> {
    let path = arm(folder);
    let mut text = ARM.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    write(folder, "arm/arm.urdf", text);
    load_model(&path, &ReadAs::default()).map_err(|error| error.to_string())
}

fn says(model: &Model, kind: NoteKind, text: &str) {
    assert!(model.notes.iter().any(|n| n.kind == kind && n.text == text), "{text}: {:#?}", model.notes);
}

/// Guards against silence about unknown elements in a link, and about a mass given twice.
#[test]
fn elements_that_are_not_read_are_counted_wherever_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    let inertial = "<inertial><mass value=\"9\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>";
    let model = changed(
        folder.path(),
        &[
            ("<link name=\"camera\">", "<link name=\"camera\"><contact><a/></contact><sensor/><sensor/>"),
            ("<inertial><mass value=\"1\"/>", "<inertial><mass value=\"1\"/><density/>"),
            (
                "<link name=\"right\">",
                &format!(
                    "<link name=\"right\"><inertial><mass value=\"0.1\"/><inertia ixx=\"0.0001\" iyy=\"0.0001\" izz=\"0.0001\"/></inertial>{inertial}"
                ),
            ),
            ("<sphere radius=\"0.02\"/>", "<sphere radius=\"0.02\"/><box size=\"1 1 1\"/>"),
            (
                "<mimic joint=\"slide\"",
                "<mimic joint=\"slide\" multiplier=\"0.5\" offset=\"0.01\"/><mimic joint=\"elbow\"",
            ),
        ],
    );
    let model = model.unwrap();
    let unread =
        "elements that are not read: <contact> 1, <density> 1, <gazebo> 2, <sensor> 2, <transmission> 1";
    says(&model, NoteKind::Ignored, unread);
    let doubled = "elements of which the first at their place is taken, and others not: <box> 1, <inertial> 2, <mimic> 1";
    says(&model, NoteKind::Ignored, doubled);
    let robot = model.robot.as_ref().unwrap();
    let follow = robot.joints.iter().find(|j| j.name == "follow").unwrap();
    assert_eq!(follow.mimic.map(|m| (m.joint, m.multiplier)), Some((2, 0.5)));
}

#[test]
fn a_macro_is_refused_wherever_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    for (from, to) in [
        ("<link name=\"camera\">", "<link name=\"camera\"><xacro:box/>"),
        ("<mass value=\"2\"/>", "<mass value=\"2\"/><xacro:insert_block name=\"x\"/>"),
        ("<gazebo/>", "<gazebo><xacro:if value=\"1\"/></gazebo>"),
    ] {
        let root = "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\" name=\"arm\">";
        let error = changed(folder.path(), &[("<robot name=\"arm\">", root), (from, to)]).unwrap_err();
        assert!(error.contains("is a macro: `xacro FILE > robot.urdf` expands it"), "{error}");
    }
}

/// Guards against refusing a chain of joints that follow each other.
#[test]
fn a_mimic_chain_resolves_to_its_first_joint() {
    let folder = tempfile::tempdir().unwrap();
    let mimic = "<mimic joint=\"slide\" multiplier=\"-2\" offset=\"0.3\"/>";
    let elbow = format!("<axis xyz=\"0 1 0\"/>{mimic}");
    let follow = "<mimic joint=\"elbow\" multiplier=\"0.5\" offset=\"0.01\"/>";
    let chain = [
        ("<axis xyz=\"0 1 0\"/>", elbow.as_str()),
        ("<mimic joint=\"slide\" multiplier=\"0.5\" offset=\"0.01\"/>", follow),
    ];
    let model = changed(folder.path(), &chain).unwrap();
    let robot = model.robot.as_ref().unwrap();
    let at = |name: &str| robot.joints.iter().position(|j| j.name == name).unwrap();
    let found = robot.joints[at("follow")].mimic.unwrap();
    assert_eq!((found.joint as usize, found.multiplier, found.offset), (at("slide"), -1.0, 0.16));
    assert_eq!(robot.joints[at("elbow")].mimic.unwrap().multiplier, -2.0);
    let text = "1 joints follow others through joints that follow, too: follow -1 · slide + 0.16";
    says(&model, NoteKind::Assumed, text);
    // Two joints that follow each other are an error.
    let circle = [chain[0], ("<axis xyz=\"1 0 0\"/>", "<axis xyz=\"1 0 0\"/><mimic joint=\"elbow\"/>")];
    let error = changed(folder.path(), &circle).unwrap_err();
    let wanted =
        format!("{}: it follows itself, through other joints", line_of(ARM, "<joint name=\"elbow\""));
    assert!(error.contains(&wanted), "{error}");
}

#[test]
fn a_joint_that_follows_nothing_stands_alone() {
    let folder = tempfile::tempdir().unwrap();
    for leader in ["knee", "mount"] {
        let model = changed(folder.path(), &[("joint=\"slide\"", &format!("joint=\"{leader}\""))]).unwrap();
        let text = "1 joints would follow some that are not there or have no coordinate, and stand alone: follow would \
                    follow ";
        says(&model, NoteKind::Warning, &format!("{text}{leader}"));
        assert_eq!(model.robot.unwrap().joints.iter().find(|j| j.name == "follow").unwrap().mimic, None);
    }
}

#[test]
fn texts_with_commas_blanks_and_bytes_at_their_ends_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = changed(folder.path(), &[]).unwrap();
    let model = changed(
        folder.path(),
        &[
            ("xyz=\"0.4 0 0\"", "xyz=\"0.4,0, 0\""),
            ("scale=\"0.01 0.01 0.01\"", "scale=\"0.01 0.01 0.01 1\""),
        ],
    );
    let model = model.unwrap();
    says(&model, NoteKind::Assumed, "1 vectors have commas between their numbers, which count as spaces");
    let text = "1 scales have one number, taken for all axes, or four, of which the last is left out";
    says(&model, NoteKind::Assumed, text);
    let places = |model: &Model| model.nodes.iter().map(|n| n.local.matrix()).collect::<Vec<_>>();
    assert_eq!(places(&model), places(&wanted));
    for (text, said) in [
        (format!("{ARM}\0"), Some("1 bytes behind its last element are left out")),
        (format!("\r\n \n{ARM}"), Some("blanks stand before its first line, <?xml …?>, which is left out")),
        (format!("\u{feff}{ARM}"), None),
    ] {
        let path = write(folder.path(), "arm/arm.urdf", &text);
        let model = load_model(&path, &ReadAs::default()).unwrap();
        assert_eq!(places(&model), places(&wanted));
        if let Some(said) = said {
            says(&model, NoteKind::Repaired, said);
        }
    }
    // Line numbers are those of the file.
    let text = format!("\n\n{}", ARM.replace("<mass value=\"2\"/>", "<mass value=\"-2\"/>"));
    let error = load_model(&write(folder.path(), "arm/arm.urdf", text), &ReadAs::default()).unwrap_err();
    assert!(error.to_string().contains("line 11: a mass is at least 0"), "{error}");
}

#[test]
fn a_plane_is_a_slab_below_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = "<robot name=\"floor\"><link name=\"base\"><visual><geometry><box size=\"1 1 1\"/></geometry>\
                <material name=\"\"><color rgba=\"1 0 0\"/></material></visual>\
                <collision><geometry><plane normal=\"0 0 2\"/></geometry></collision></link></robot>";
    let scene = load_scene(write(folder.path(), "floor.urdf", text).to_str().unwrap(), None).unwrap();
    let body = &scene.bodies[0];
    let bounds = scene.meshes[body.mesh.unwrap() as usize].bounds().transformed(&body.pose);
    assert_eq!(
        (bounds.min.y.round(), bounds.max.y.abs() < 1e-3, bounds.size().x.round()),
        (-1.0, true, 1000.0)
    );
    assert!(scene.notes.iter().any(|n| n.text.contains("1 planes become slabs")), "{:?}", scene.notes);
    assert!(matches!(scene.paints[scene.drawn[0].paint as usize], Paint::Plain([255, 0, 0])));
}

#[test]
fn numbers_that_mean_nothing_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let model = changed(
        folder.path(),
        &[
            ("lower=\"-1\"", "lower=\"5\""),
            ("effort=\"20\" velocity=\"1\"/></joint>", "effort=\"0\" velocity=\"-1\"/></joint>"),
            ("<cylinder radius=\"0.1\"", "<cylinder radius=\"0\""),
            ("<sphere radius=\"0.02\"/>", "<box size=\"0 0 0\"/>"),
            ("iyy=\"0.01\" iyz=\"0\" izz=\"0.01\"", "iyy=\"1\" iyz=\"0\" izz=\"100\""),
        ],
    );
    let model = model.unwrap();
    says(
        &model,
        NoteKind::Warning,
        "joints whose lower limit is above their upper one have no limits: shoulder",
    );
    says(
        &model,
        NoteKind::Assumed,
        "joints whose effort or velocity is not above 0 have no limit of it: slide",
    );
    says(
        &model,
        NoteKind::LeftOut,
        "shapes without a size, which are left out: cylinder of base, box of camera",
    );
    let text = "1 links have moments of inertia that no body has: one is larger than the others together, or below 0";
    says(&model, NoteKind::Warning, &format!("{text}: lower"));
    let robot = model.robot.as_ref().unwrap();
    assert_eq!(robot.joints[0].range, [f64::NEG_INFINITY, f64::INFINITY]);
    assert_eq!(model.joints[0].angular[0].range, AxisRange::Free);
    assert_eq!([robot.joints[2].effort, robot.joints[2].velocity], [f64::INFINITY; 2]);
}

#[test]
fn a_limit_that_says_neither_end_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let model = changed(folder.path(), &[("lower=\"-1\" upper=\"2\" ", "")]).unwrap();
    assert_eq!(model.joints[0].angular[0].range, AxisRange::Free);
    let text = "1 joints that should have limits have none, and turn or slide without end: shoulder";
    says(&model, NoteKind::Warning, text);
}

#[test]
fn limits_of_more_than_a_whole_turn_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let limit = "lower=\"-6.5\" upper=\"7\"";
    let model = changed(folder.path(), &[("lower=\"-1\" upper=\"2\"", limit)]).unwrap();
    assert_eq!(model.joints[0].angular[0].range, AxisRange::Limited { min: -6.5, max: 7.0 });
    assert!(model.notes.iter().all(|note| !note.text.contains("shoulder")), "{:#?}", model.notes);
}

#[test]
fn a_spherical_joint_turns_about_all_axes() {
    let folder = tempfile::tempdir().unwrap();
    let model = changed(folder.path(), &[("type=\"continuous\"", "type=\"spherical\"")]).unwrap();
    says(&model, NoteKind::Assumed, "1 spherical joints turn freely, and nothing drives them: elbow");
    let settings = &model.joints[1];
    assert!(settings.angular.iter().all(|a| a.range == AxisRange::Free));
    assert!(settings.linear.iter().all(|a| a.range == AxisRange::Locked));
}

#[test]
fn a_joint_is_posed_once() {
    let folder = tempfile::tempdir().unwrap();
    let pose = vec![("elbow".to_owned(), 0.5), ("elbow".to_owned(), 0.6)];
    let error = load_model(&arm(folder.path()), &ReadAs { pose, ..ReadAs::default() }).unwrap_err();
    assert!(error.to_string().contains("the joint \"elbow\" is posed twice"), "{error}");
}

/// A robot of two drawn boxes; none of its links has a collider.
const DRAWN: &str = "<robot name=\"sign\"><link name=\"post\"><visual><geometry><box size=\"0.1 0.1 1\"/></geometry>\
    <material name=\"\"><color rgba=\"1 0 0 1\"/></material></visual></link>\
    <link name=\"arm\"><visual><origin xyz=\"0.5 0 0\"/><geometry><box size=\"0.6 0.1 0.1\"/></geometry></visual></link>\
    <joint name=\"turn\" type=\"continuous\"><parent link=\"post\"/><child link=\"arm\"/><axis xyz=\"0 0 1\"/></joint></robot>";

#[test]
fn drawn_meshes_of_a_robot_collide_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "sign.urdf", DRAWN);
    let open = |colliders, open_as| {
        let read_as = ReadAs { colliders, ..ReadAs::default() };
        load_scene(SceneName { read_as, open_as, ..SceneName::from(path.to_str().unwrap()) }, None).unwrap()
    };
    let warns = |scene: &Scene, text: &str| {
        scene.notes.iter().any(|n| n.kind == NoteKind::Warning && n.text.contains(text))
    };
    let plain = open(Colliders::File, Some(OpenAs::Drop));
    assert!(plain.bodies.iter().all(|b| b.mesh.is_none()) && plain.drawn.len() == 2);
    assert!(warns(&plain, "so nothing does: --colliders drawn"), "{:#?}", plain.notes);
    assert!(warns(&plain, "it falls without end"), "{:#?}", plain.notes);
    assert!(
        plain
            .notes
            .iter()
            .any(|n| n.text == "24 triangles are drawn and do not collide: the file gives no colliders")
    );
    let drawn = open(Colliders::Drawn, Some(OpenAs::Drop));
    assert!(!warns(&drawn, "collide") && !warns(&drawn, "without end"), "{:#?}", drawn.notes);
    assert_eq!((drawn.bodies.len(), drawn.drawn.len()), (3, 0), "with a ground, and drawn once");
    assert!(drawn.bodies.iter().all(|b| b.mesh.is_some()));
    // A key of a scene file requests it too, and overrides the file's own colliders.
    arm(folder.path());
    let text = "[[model]]\nfile = \"arm/arm.urdf\"\ncolliders = \"drawn\"\n";
    let scene = load_scene(write(folder.path(), "arm.toml", text).to_str().unwrap(), None).unwrap();
    let count = |name: &str| {
        let body = scene.bodies.iter().find(|b| b.name == name).unwrap();
        body.mesh.map_or(0, |m| scene.meshes[m as usize].triangles().len())
    };
    assert_eq!([count("base"), count("upper"), count("left")], [192, 0, 0], "a ring is drawn of the base");
    assert_eq!(scene.bodies[0].motion, Motion::Static);
}

/// Checks that elements in a default namespace are read and links of another namespace are not. The
/// position of a link comes only from its joint.
#[test]
fn a_default_namespace_does_not_hide_the_elements() {
    let folder = tempfile::tempdir().unwrap();
    let root = "<robot xmlns=\"http://www.ros.org\" xmlns:g=\"http://gazebosim.org\" name=\"arm\"><g:link name=\"no\"/>";
    let model = changed(folder.path(), &[("<robot name=\"arm\">", root)]).unwrap();
    let robot = model.robot.as_ref().unwrap();
    assert_eq!(robot.links.len(), 6);
    let upper = &model.nodes[robot.joints[0].child as usize];
    let LocalTransform::Parts { translation, .. } = upper.local else { panic!("a link is turned and moved") };
    assert_eq!(translation, DVec3::new(0.0, 0.0, 0.3));
    says(&model, NoteKind::Ignored, "elements that are not read: <gazebo> 2, <link> 1, <transmission> 1");
}
