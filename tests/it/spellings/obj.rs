//! Spellings of OBJ and its libraries of materials.

use super::{Row, check, refused, row};

const CORNERS: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
/// The corners with a color each: red, green, blue, white.
const COLORED: &str = "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nv 0 1 0 1 1 1\n";
const FIRST: &str = "0 0 0, 1 0 0, 1 1 0";
const SECOND: &str = "0 0 0, 1 1 0, 0 1 0";

pub fn rows() -> Vec<Row> {
    let first = |text: &str| [CORNERS, text].concat();
    let two = |a: &str, b: &str| format!("{a}: {FIRST}\n{b}: {SECOND}");
    vec![
        row(
            "f: corners with texture and normal",
            "a.obj",
            first("f 1/1/1 2//1 3/1\n"),
            &format!("a: {FIRST}"),
        ),
        row("fo: the older word", "a.obj", first("fo 1 2 3\n"), &format!("a: {FIRST}")),
        row("f: from the last vertex", "a.obj", first("f -4 -3 -2\n"), &format!("a: {FIRST}")),
        row("f: four corners", "a.obj", first("f 1 2 3 4\n"), &two("a", "a")),
        row("v: a weight", "a.obj", "v 0 0 0 1\nv 1 0 0 0.5\nv 1 1 0 2\nf 1 2 3", &format!("a: {FIRST}")),
        row("o: names", "a.obj", first("o lid\nf 1 2 3\no box\nf 1 3 4\n"), &two("lid", "box")),
        row(
            "g: names below the object",
            "a.obj",
            first("o lid\ng hook\nf 1 2 3\ng eye\nf 1 3 4\n"),
            &two("lid/hook", "lid/eye"),
        ),
        row("o: ends the group", "a.obj", first("g hook\nf 1 2 3\no box\nf 1 3 4\n"), &two("hook", "box")),
        row(
            "g default: no group",
            "a.obj",
            first("o lid\ng hook\nf 1 2 3\ng default\nf 1 3 4\n"),
            &two("lid/hook", "lid"),
        ),
        row(
            "g: no name is no group",
            "a.obj",
            first("o lid\ng hook\nf 1 2 3\ng\nf 1 3 4\n"),
            &two("lid/hook", "lid"),
        ),
        row(
            "v: colours",
            "a.obj",
            [COLORED, "f 1 2 3\n"].concat(),
            &format!("a: {FIRST} ff0000/00ff00/0000ff"),
        ),
        row(
            "usemtl: before the colours of the vertices, and none where it is not known",
            "a.obj",
            ["mtllib m/a.mtl\n", COLORED, "usemtl mint\nf 1 2 3\nusemtl other\nf 1 3 4\n"].concat(),
            &format!("a: {FIRST} 00ff80\na: {SECOND} ff0000/0000ff/ffffff"),
        )
        .beside(
            "m/a.mtl",
            "# green\nnewmtl mint\nNs 10\nKa 1 0 0\nKd 0.0 1.0 0.50196\nKs 1 1 1\nnewmtl b\nKd 1 0 0\n",
        ),
        row("words of looks, curves and surfaces", "a.obj", first(LOOKS_AND_CURVES), &format!("a: {FIRST}"))
            .says("Ignored: 11 lines of points, lines or curves")
            .says("LeftOut: 1 free-form surfaces, which are left out")
            .says("Ignored: 16 lines of a kind that is not known, the first with \"c_interp\""),
        row(
            "v: the largest coordinate",
            "a.obj",
            "v 0 0 0\nv 1 0 0\nv 0 1e10 0\nf 1 2 3",
            "a: 0 0 0, 1 0 0, 0 1e10 0",
        ),
        refused("v: a coordinate beyond it", "a.obj", "v 0 0 1.1e10\n", "line 1"),
        refused("v: eight numbers", "a.obj", "v 0 0 0 0 0 0 0 0\n", "at most seven numbers"),
        refused("another format by its name", "a.obj", "solid a\n", "this is no OBJ"),
    ]
}

const LOOKS_AND_CURVES: &str = "vt 0 0\nvn 0 0 1\nvp 0 0\ns 1\nmg 1 1\nbevel on\nc_interp on\nd_interp on\nlod 1\nmaplib a\nusemap a\n\
    shadow_obj a\ntrace_obj a\np 1\nl 1 2\ncurv 0 1 1 2\ncurv2 1 2\nsurf 0 1 0 1 1\ncstype bezier\ndeg 1\nbmat u 1\nstep 1\nparm u 0\n\
    trim 0 1 1\nhole 0 1 1\nscrv 0 1 1\nsp 1\nend\ncon 1 1 1 1\nctech a\nstech a\ncall a\ncsh a\nbsp 1\nbzp 1\ncdc 1\ncdp 1\nres 1\n\
    unknown\nf 1 2 3\n";

#[test]
fn every_spelling_of_obj_comes_out_as_it_says() {
    check(&rows());
}
