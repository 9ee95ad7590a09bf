//! Spellings of URDF.

use glam::Vec3;
use tumble::import::{ReadAs, Up};

use super::{Row, check, gltf_text, refused, row, stl, urdf_joints};

/// Returns a row in the axes of the file, where z is up.
pub fn robot(about: &'static str, elements: &str, wanted: &str) -> Row {
    let text = format!("<robot name=\"r\">{elements}</robot>");
    let read_as = ReadAs { up: Some(Up::Y), ..ReadAs::default() };
    let base = "robot r stands on base";
    let wanted = if wanted.contains(base) { wanted.to_owned() } else { format!("{wanted}\n{base}") };
    Row { read_as, ..row(about, "r.urdf", text, &wanted) }
}

/// Returns a link of 1 kg with moments of 1 kg·m², and more elements.
pub fn link(name: &str, more: &str) -> String {
    let one = "<mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/>";
    format!("<link name=\"{name}\"><inertial>{one}</inertial>{more}</link>")
}

pub fn joint(kind: &str, more: &str) -> String {
    let ends = "<parent link=\"base\"/><child link=\"arm\"/>";
    format!("<joint name=\"j\" type=\"{kind}\">{ends}{more}</joint>")
}

pub const BASE: &str = "base is dynamic at 0 0 0; mass 1; center 0 0 0; moments 1 1 1";
pub const AT_X: &str = "0 0 0 (x 1 0 0, y 0 1 0)";

pub fn rows() -> Vec<Row> {
    let all = [masses(), shapes(), meshes(), refusals()];
    all.into_iter().flatten().chain(urdf_joints::rows()).collect()
}

fn masses() -> Vec<Row> {
    let tensor =
        "<mass value=\"2\"/><inertia ixx=\"3\" ixy=\"0.1\" ixz=\"0.2\" iyy=\"4\" iyz=\"0.3\" izz=\"5\"/>";
    let base = |origin: &str| format!("<link name=\"base\"><inertial>{origin}{tensor}</inertial></link>");
    let fixed = |name: &str, parent: &str, child: &str, origin: &str| {
        format!(
            "<joint name=\"{name}\" type=\"fixed\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{origin}</joint>"
        )
    };
    let hand = "<link name=\"hand\"><inertial><mass value=\"1\"/><inertia ixx=\"0.01\" iyy=\"0.02\" izz=\"0.03\"/></inertial></link>";
    let small = link("arm", "").replace("\"1\" iyy=\"1\" izz=\"1\"", "\"0.01\" iyy=\"0.01\" izz=\"0.01\"");
    let chain = [
        link("base", ""),
        small,
        "<link name=\"wrist\"/>".to_owned(),
        hand.to_owned(),
        joint("spherical", ""),
        fixed("k", "arm", "wrist", "<origin xyz=\"1 0 0\" rpy=\"0 0 1.5707963267948966\"/>"),
        fixed("l", "wrist", "hand", "<origin xyz=\"1 0 0\"/>"),
    ];
    vec![
        robot(
            "inertial: all six moments",
            &base(""),
            "base is dynamic at 0 0 0; mass 2; center 0 0 0; moments 3 4 5 off 0.1 0.2 0.3",
        ),
        // Rotated by 90° about z: x becomes y, y becomes −x.
        robot(
            "inertial: about axes that are turned, away from the link",
            &base("<origin xyz=\"0.1 0.2 0.3\" rpy=\"0 0 1.5707963267948966\"/>"),
            "base is dynamic at 0 0 0; mass 2; center 0.1 0.2 0.3; moments 4 3 5 off -0.1 -0.3 0.2",
        ),
        // The hand is at (1, 0, 0) and 1 farther along y: 1 kg there and 1 kg at the origin.
        robot(
            "two fixed joints in a row: the places add up",
            &chain.concat(),
            &format!(
                "{BASE}\narm is dynamic at 0 0 0; mass 2; center 0.5 0.5 0; moments 0.53 0.52 1.04 off -0.5 0 0
                 j joins j at {AT_X}; about x free; about y free; about z free"
            ),
        )
            .says("Assumed: 1 spherical joints turn freely, and nothing drives them: j"),
        robot(
            "a link that weighs nothing has a gram",
            "<link name=\"base\"/>",
            "base is dynamic at 0 0 0; mass 0.001; center 0 0 0; moments 0 0 0",
        ),
    ]
}

fn shapes() -> Vec<Row> {
    let of = |about: &'static str, geometry: &str, wanted: &str| {
        let place = "<origin xyz=\"0 0 1\"/>";
        let collision = format!("<collision>{place}<geometry>{geometry}</geometry></collision>");
        robot(about, &link("base", &collision), &format!("{BASE}\n{wanted}"))
    };
    let paint = |material: &str| {
        let tile = "<origin xyz=\"0 0 0\" rpy=\"1.5707963267948966 0 0\"/><geometry><mesh filename=\"a.stl\"/></geometry>";
        link("base", &format!("<visual>{tile}{material}</visual>"))
    };
    let painted = |about: &'static str, elements: &str, color: &str| {
        // A rotation by 90° about x moves y to z.
        robot(about, elements, &format!("{BASE}\nbase: 0 0 0, 1 0 0, 0 0 1{color}")).beside("a.stl", tile())
    };
    vec![
        of(
            "box",
            "<box size=\"0.2 0.4 0.6\"/>",
            "base collides as: from -0.1 -0.2 0.7 to 0.1 0.2 1.3, volume 4.8e-2",
        ),
        of(
            "sphere",
            "<sphere radius=\"0.5\"/>",
            "base collides as: from -0.5 -0.5 0.5 to 0.5 0.5 1.5, volume 5.2e-1",
        ),
        of(
            "cylinder",
            "<cylinder radius=\"0.5\" length=\"2\"/>",
            "base collides as: from -0.5 -0.5 0 to 0.5 0.5 2, volume 1.6e0",
        ),
        // The caps are not part of the length: half of 0.4, and 0.1, up and down.
        of(
            "capsule",
            "<capsule radius=\"0.1\" length=\"0.4\"/>",
            "base collides as: from -0.1 -0.1 0.7 to 0.1 0.1 1.3, volume 1.7e-2",
        ),
        of("plane", "<plane/>", "base collides as: from -500 -500 0 to 500 500 1, volume 1.0e6")
            .says("Assumed: 1 planes become slabs 1 m thick below them, with sides of 1000 m"),
        of(
            "plane with a normal",
            "<plane normal=\"2 0 0\"/>",
            "base collides as: from -1 -500 -499 to 0 500 501, volume 1.0e6",
        )
            .says("Assumed: 1 planes become slabs 1 m thick below them, with sides of 1000 m"),
        of("box without a side", "<box size=\"0.2 0 0.6\"/>", "")
            .says("LeftOut: shapes without a size, which are left out: box of base"),
        painted("visual, without a colour", &paint(""), "")
            .says("Warning: no link says what of it collides, so nothing does: --colliders drawn (in a scene file colliders = \"drawn\") has collide what is drawn"),
        painted("color", &paint("<material name=\"\"><color rgba=\"1 0.5 0 1\"/></material>"), " ff8000")
            .says("Warning: no link says what of it collides, so nothing does: --colliders drawn (in a scene file colliders = \"drawn\") has collide what is drawn"),
        painted(
            "color of three numbers",
            &paint("<material name=\"\"><color rgba=\"1 0.5 0\"/></material>"),
            " ff8000",
        )
            .says("Warning: no link says what of it collides, so nothing does: --colliders drawn (in a scene file colliders = \"drawn\") has collide what is drawn"),
        painted(
            "material by its name, before it is defined",
            &[
                &paint("<material name=\"mint\"/>"),
                "<material name=\"mint\"><color rgba=\"0 1 0.50196 1\"/></material>",
            ]
            .concat(),
            " 00ff80",
        )
            .says("Warning: no link says what of it collides, so nothing does: --colliders drawn (in a scene file colliders = \"drawn\") has collide what is drawn"),
    ]
}

/// Returns a triangle whose corners distinguish the axes.
fn tile() -> Vec<u8> {
    stl::binary("", &[[Vec3::ZERO, Vec3::X, Vec3::Y]])
}

/// A triangle in the plane of y and z.
const STANDING: [[f32; 3]; 3] = [[0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn meshes() -> Vec<Row> {
    let of = |about: &'static str, mesh: &str, wanted: &str| {
        let collision = format!("<collision><geometry><mesh {mesh}/></geometry></collision>");
        let wanted = format!("{BASE}\n{}", if wanted.is_empty() { "" } else { wanted });
        robot(about, &link("base", &collision), &wanted).beside("a.stl", tile()).beside("p/q/a.stl", tile())
    };
    let upright = "base collides as: 0 0 0, 0 0 1, 0 -1 0";
    let as_is = "base collides as: 0 0 0, 1 0 0, 0 1 0";
    vec![
        of(
            "scale, with a mirror",
            "filename=\"a.stl\" scale=\"-2 1 3\"",
            "base collides as: 0 0 0, -2 0 0, 0 1 0",
        ),
        of(
            "scale of one number",
            "filename=\"a.stl\" scale=\"0.5\"",
            "base collides as: 0 0 0, 0.5 0 0, 0 0.5 0",
        )
            .says("Assumed: 1 scales have one number, taken for all axes, or four, of which the last is left out"),
        of(
            "scale of four numbers",
            "filename=\"a.stl\" scale=\"2 3 1 9\"",
            "base collides as: 0 0 0, 2 0 0, 0 3 0",
        )
            .says("Assumed: 1 scales have one number, taken for all axes, or four, of which the last is left out"),
        of("file://", "filename=\"file://a.stl\"", as_is),
        of("package://", "filename=\"package://p/q/a.stl\"", as_is),
        of("model://", "filename=\"model://p/q/a.stl\"", as_is),
        of("a mesh that is missing", "filename=\"b.stl\"", "")
            .says("LeftOut: 1 meshes are missing, and their links go without: b.stl is not found in FOLDER (line 1, link base)"),
        of("a path that leads out", "filename=\"package://p/../a.stl\"", "")
            .says("LeftOut: 1 meshes are missing, and their links go without: package://p/../a.stl is not a path inside its package (line 1, link base)"),
        // glTF has y up, a link z: y becomes up, and z points to the front.
        of("a glTF mesh stands up", "filename=\"b.gltf\"", upright)
            .beside("b.gltf", gltf_text::triangle(STANDING)),
        of("its name in capitals", "filename=\"b.GLTF\"", upright)
            .beside("b.GLTF", gltf_text::triangle(STANDING)),
        of("a binary one", "filename=\"b.glb\"", upright)
            .beside("b.glb", gltf_text::binary(&gltf_text::triangle(STANDING), &[])),
    ]
}

fn refusals() -> Vec<Row> {
    let of = |about: &'static str, elements: &str, says: &'static str| {
        refused(
            about,
            "r.urdf",
            format!("<robot name=\"r\" xmlns:xacro=\"x/xacro\">{elements}</robot>"),
            says,
        )
    };
    let shape = |geometry: &str| link("base", &format!("<visual><geometry>{geometry}</geometry></visual>"));
    vec![
        of("macros", "<xacro:if value=\"1\"/>", "<xacro:if> is a macro"),
        of("a shape below 0", &shape("<sphere radius=\"-1\"/>"), "radius must not be below 0"),
        of("a side below 0", &shape("<box size=\"1 -1 1\"/>"), "must not be below 0"),
        of("no known shape", &shape("<cone/>"), "no geometry that is known"),
        of("no known joint", &[link("base", ""), joint("screw", "")].concat(), "no type of joint"),
        of(
            "no axis",
            &[link("base", ""), joint("revolute", "<axis xyz=\"0 0 0\"/>")].concat(),
            "an axis needs a length",
        ),
        of(
            "a mass below 0",
            &link("base", "").replace("mass value=\"1\"", "mass value=\"-1\""),
            "a mass is at least 0",
        ),
        refused("other XML", "r.urdf", "<sdf/>", "this is not a URDF file"),
    ]
}

#[test]
fn every_spelling_of_urdf_comes_out_as_it_says() {
    check(&rows());
}
