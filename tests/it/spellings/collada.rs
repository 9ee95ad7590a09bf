//! Spellings of COLLADA.

use tumble::import::{ReadAs, Up};

use super::{Row, check, refused, row};

/// Returns a file whose scene has these nodes, with a geometry `g` of these primitives.
fn file(asset: &str, primitives: &str, nodes: &str) -> String {
    format!(
        r##"<?xml version="1.0"?><COLLADA version="1.4.1"><asset>{asset}</asset>{EFFECTS}
<library_geometries><geometry id="g" name="tile"><mesh>
<source id="p"><float_array id="a" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array>
<technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>{primitives}</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"##
    )
}

const EFFECTS: &str = r##"<library_effects><effect id="e"><profile_COMMON><technique><blinn><diffuse><color>1 0.5 0 1</color></diffuse>
</blinn></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>"##;
const VERTEX: &str = r##"<input semantic="VERTEX" source="#v" offset="0"/>"##;
const NODE: &str = r##"<node name="n"><instance_geometry url="#g"/></node>"##;
const FIRST: &str = "n: 0 0 0, 1 0 0, 1 1 0";
const SECOND: &str = "n: 0 0 0, 1 1 0, 0 1 0";

/// Returns a row of one geometry without a transform.
fn shape(about: &'static str, primitives: &str, wanted: &str) -> Row {
    row(about, "a.dae", file("", &primitives.replace("VERTICES", VERTEX), NODE), wanted)
}

/// Returns a row of one triangle below these nodes.
fn nodes(about: &'static str, asset: &str, nodes: &str, wanted: &str) -> Row {
    let triangle = format!("<triangles material=\"paint\" count=\"1\">{VERTEX}<p>0 1 2</p></triangles>");
    let own = ReadAs::default();
    Row { read_as: own, ..row(about, "a.dae", file(asset, &triangle, nodes), wanted) }
}

pub fn rows() -> Vec<Row> {
    [shapes(), places(), others()].into_iter().flatten().collect()
}

fn shapes() -> Vec<Row> {
    let both = format!("{FIRST}\n{SECOND}");
    let normals = r##"<input semantic="NORMAL" source="#p" offset="0"/><input semantic="VERTEX" source="#v" offset="1"/>"##;
    let late = file("", &format!("<triangles count=\"1\">{VERTEX}<p>0 1 2</p></triangles>"), NODE)
        .replace(">0 0 0 1 0 0 1 1 0 0 1 0", ">9 9 0 0 0 7 1 0 0 7 1 1 0 7")
        .replace("count=\"4\" stride=\"3\"", "count=\"3\" offset=\"2\" stride=\"4\"");
    vec![
        shape("triangles", "<triangles count=\"2\">VERTICES<p>0 1 2 0 2 3</p></triangles>", &both),
        shape(
            "polylist",
            "<polylist count=\"2\">VERTICES<vcount>3 3</vcount><p>0 1 2 0 2 3</p></polylist>",
            &both,
        ),
        shape("polygons", "<polygons count=\"1\">VERTICES<p>0 1 2 3</p></polygons>", &both),
        shape(
            "polygons with a hole",
            "<polygons count=\"1\">VERTICES<ph><p>0 1 2 3</p><h>0 1 2</h></ph></polygons>",
            &both,
        )
            .says("Warning: 1 holes in polygons are filled"),
        shape(
            "tristrips, every second triangle turned around",
            "<tristrips count=\"1\">VERTICES<p>0 1 3 2</p></tristrips>",
            "n: 0 0 0, 1 0 0, 0 1 0
             n: 0 1 0, 1 0 0, 1 1 0",
        ),
        shape(
            "tristrips, each anew",
            "<tristrips count=\"2\">VERTICES<p>0 1 2</p><p>0 2 3</p></tristrips>",
            &both,
        ),
        shape("trifans", "<trifans count=\"1\">VERTICES<p>0 1 2 3</p></trifans>", &both),
        shape(
            "lines, which have no surface",
            "<lines count=\"1\">VERTICES<p>0 1</p></lines><linestrips count=\"1\">VERTICES<p>0 1 2</p></linestrips>\
             <triangles count=\"1\">VERTICES<p>0 1 2</p></triangles>",
            FIRST,
        )
            .says("Ignored: 2 lists of lines are left out"),
        shape(
            "the vertex behind a normal in a corner",
            &format!("<triangles count=\"1\">{normals}<p>3 0 3 1 3 2</p></triangles>"),
            FIRST,
        ),
        row("positions that begin late and have a number more each", "a.dae", late, FIRST),
    ]
}

fn places() -> Vec<Row> {
    let unit = "<unit meter=\"0.5\"/>";
    let painted = r##"<node name="n"><instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="paint" target="#m"/></technique_common></bind_material></instance_geometry></node>"##;
    let other = painted.replace("symbol=\"paint\"", "symbol=\"other\"");
    let placed = |steps: &str| NODE.replace("<instance", &format!("{steps}<instance"));
    let asked = |up| ReadAs { up: Some(up), ..ReadAs::default() };
    vec![
        nodes("a unit", unit, NODE, "n: 0 0 0, 0.5 0 0, 0.5 0.5 0"),
        // Up in the file is y here: the axes are permuted cyclically, so that their handedness stays.
        nodes("up_axis X_UP", "<up_axis>X_UP</up_axis>", NODE, "n: 0 0 0, 0 1 0, -1 1 0"),
        nodes("up_axis Y_UP", "<up_axis>Y_UP</up_axis>", NODE, FIRST),
        nodes(
            "up_axis Z_UP",
            "<up_axis> Z_UP </up_axis>",
            &placed("<translate>0 0 2</translate>"),
            "n: 0 2 0, 1 2 0, 1 2 -1",
        ),
        Row {
            read_as: asked(Up::Y),
            ..nodes("the user's up before the file's", "<up_axis>X_UP</up_axis>", NODE, FIRST)
        },
        nodes("translate", "", &placed("<translate>1 2 3</translate>"), "n: 1 2 3, 2 2 3, 2 3 3"),
        nodes("scale, one of them below 0", "", &placed("<scale>2 -1 3</scale>"), "n: 0 0 0, 2 0 0, 2 -1 0"),
        nodes("rotate, in degrees", "", &placed("<rotate>0 0 2 90</rotate>"), "n: 0 0 0, 0 1 0, -1 1 0"),
        nodes("rotate about no axis", "", &placed("<rotate>0 0 0 90</rotate>"), FIRST),
        nodes(
            "steps in their order: the last is the nearest to the vertices",
            "",
            &placed("<translate>1 0 0</translate><rotate>0 0 1 90</rotate><scale>2 1 1</scale>"),
            "n: 1 0 0, 1 2 0, 0 2 0",
        ),
        nodes(
            "matrix, row by row, and steps that are not read",
            "",
            &placed(
                "<lookat>1 2 3 4 5 6 0 1 0</lookat><skew>30 1 0 0 0 1 0</skew><matrix>0 -1 0 5 1 0 0 6 0 0 1 7 0 0 0 1</matrix>",
            ),
            "n: 5 6 7, 5 7 7, 4 7 7",
        )
            .says("Ignored: <lookat> of a node is not read")
            .says("Ignored: <skew> of a node is not read"),
        nodes("a colour that is bound", "", painted, &format!("{FIRST} ff8000")),
        nodes("a colour that is bound to another name", "", &other, &format!("{FIRST} a8a8a8")),
        nodes(
            "a node by its id, and two geometries in it",
            "",
            r##"<node id="n"><instance_geometry url="#g"/><instance_geometry url="#g"/></node>"##,
            &format!("{FIRST}\ntile: 0 0 0, 1 0 0, 1 1 0"),
        ),
    ]
}

fn others() -> Vec<Row> {
    let controllers = |kind: &str| {
        let controller = format!(
            r##"<library_controllers><controller id="c"><{kind} source="#g"/></controller></library_controllers>"##
        );
        format!(
            r##"<node name="n"><instance_controller url="#c"/></node></visual_scene></library_visual_scenes>{controller}<library_visual_scenes><visual_scene>"##
        )
    };
    let copies = r##"<node name="n"><translate>0 0 1</translate><instance_node url="#k"/></node></visual_scene></library_visual_scenes>
        <library_nodes><node id="k"><translate>0 2 0</translate><instance_geometry url="#g"/></node></library_nodes>
        <library_animations/><library_physics_models/><library_kinematics_models/><library_visual_scenes><visual_scene>"##;
    let triangle = format!("<triangles count=\"1\">{VERTEX}<p>0 1 2</p></triangles>");
    let bare = file("", &triangle, NODE).replace("<scene>", "<!--").replace("</scene>", "-->");
    vec![
        nodes("a skin", "", &controllers("skin"), FIRST).says("Ignored: a skin stands as it was modelled"),
        nodes("a morph", "", &controllers("morph"), FIRST).says("Ignored: a skin stands as it was modelled"),
        nodes("a copy of a node below another", "", copies, "k: 0 2 1, 1 2 1, 1 3 1")
            .says("Ignored: not read: animations, physics, kinematics"),
        row("no scene: every geometry", "a.dae", bare, "tile: 0 0 0, 1 0 0, 1 1 0"),
        refused("other XML", "a.dae", "<collada/>", "this is not a COLLADA file"),
        refused(
            "an offset beyond the numbers",
            "a.dae",
            file("", &triangle, NODE).replace("stride=\"3\"", "stride=\"3\" offset=\"1\""),
            "4 positions of 3 numbers are not in 12",
        ),
    ]
}

#[test]
fn every_spelling_of_collada_comes_out_as_it_says() {
    check(&rows());
}
