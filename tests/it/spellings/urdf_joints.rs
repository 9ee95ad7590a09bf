//! Spellings of the joints of URDF.

use super::Row;
use super::urdf::{AT_X, BASE, joint, link, robot};

const ARM: &str = "arm is dynamic at 0 0 0; mass 1; center 0 0 0; moments 1 1 1";
/// The axes of a frame whose x is z: a rotation by −90° about y.
const AT_Z: &str = "0 0 0 (x 0 0 1, y 0 1 0)";

/// Returns a row of a link that hangs on another by a joint.
fn jointed(about: &'static str, kind: &str, more: &str, wanted: &str) -> Row {
    let elements = [link("base", ""), link("arm", ""), joint(kind, more)].concat();
    let bodies = format!("{BASE}\n{ARM}");
    robot(about, &elements, &format!("{bodies}\n{wanted}"))
}

pub fn rows() -> Vec<Row> {
    [kinds(), followers()].into_iter().flatten().collect()
}

fn kinds() -> Vec<Row> {
    let limit = "<limit lower=\"-1\" upper=\"2\" effort=\"30\" velocity=\"4\"/>";
    let to_y = "<axis xyz=\"0 2 0\"/>";
    vec![
        jointed("fixed", "fixed", "", "")
            .with_told("base is dynamic at 0 0 0; mass 2; center 0 0 0; moments 2 2 2\nrobot r stands on base"),
        jointed("floating", "floating", "", ""),
        jointed(
            "revolute, about x where no axis is said",
            "revolute",
            limit,
            &format!("j joins j at {AT_X}; about x -1 to 2\nrobot r stands on base\nj turns about 1 0 0, 0 in -1 to 2, effort 30, velocity 4"),
        ),
        jointed(
            "revolute with one limit: the other is 0",
            "revolute",
            "<limit upper=\"2\"/>",
            &format!("j joins j at {AT_X}; about x 0 to 2\nrobot r stands on base\nj turns about 1 0 0, 0 in 0 to 2"),
        ),
        jointed(
            "revolute without limits",
            "revolute",
            "<limit effort=\"30\" velocity=\"4\"/>",
            &format!("j joins j at {AT_X}; about x free\nrobot r stands on base\nj turns about 1 0 0, 0 in -∞ to ∞, effort 30, velocity 4"),
        )
            .says("Warning: 1 joints that should have limits have none, and turn or slide without end: j"),
        jointed(
            "continuous: limits count for nothing, friction does",
            "continuous",
            &format!("{to_y}<limit lower=\"-1\" upper=\"2\"/><dynamics damping=\"0.5\" friction=\"0.25\"/>"),
            "j joins j at 0 0 0 (x 0 1 0, y -1 0 0); about x free; friction 0.25\nrobot r stands on base\nj turns about 0 1 0, 0 in -∞ to ∞",
        )
            .says("Ignored: 1 joints have damping: it is left out, as drives have their own"),
        jointed(
            "prismatic: starts as near to 0 as it can",
            "prismatic",
            "<axis xyz=\"0 0 1\"/><limit lower=\"0.5\" upper=\"2\" effort=\"30\" velocity=\"4\"/>",
            &format!("j joins j at {AT_Z} and {}; x 0.5 to 2\nrobot r stands on base\nj slides along 0 0 1, 0.5 in 0.5 to 2, effort 30, velocity 4", AT_Z.replacen("0 0 0", "0 0 0.5", 1)),
        )
            .says("Assumed: 1 joints do not go to 0 and start at their nearest end: j 0.500")
        .with("arm is dynamic at 0 0 0;", "arm is dynamic at 0 0 0.5;"),
        jointed(
            "planar: in the plane across its axis, turning about it",
            "planar",
            "<axis xyz=\"0 0 1\"/>",
            &format!("j joins j at {AT_Z}; y free; z free; about x free"),
        ),
        jointed("spherical", "spherical", "", &format!("j joins j at {AT_X}; about x free; about y free; about z free"))
            .says("Assumed: 1 spherical joints turn freely, and nothing drives them: j"),
        jointed(
            "an effort and a velocity of 0 say nothing, and limits that cross",
            "prismatic",
            "<limit lower=\"2\" upper=\"-1\" effort=\"0\" velocity=\"0\"/>",
            &format!("j joins j at {AT_X}; x free\nrobot r stands on base\nj slides along 1 0 0, 0 in -∞ to ∞"),
        )
            .says("Warning: joints whose lower limit is above their upper one have no limits: j")
            .says("Assumed: joints whose effort or velocity is not above 0 have no limit of it: j")
            .says("Warning: 1 joints that should have limits have none, and turn or slide without end: j"),
        // Roll, then pitch, then yaw about fixed axes: z becomes −y, stays there, and becomes x.
        robot(
            "origin: roll, pitch and yaw in their order",
            &[link("base", ""), link("arm", ""), joint("floating", "<origin xyz=\"1 2 3\" rpy=\"1.5707963267948966 0 1.5707963267948966\"/>")].concat(),
            &format!("{BASE}\narm is dynamic at 1 2 3; mass 1; center 0 0 0; moments 1 1 1"),
        ),
        robot(
            "origin: where a joint and its link are",
            &[link("base", ""), link("arm", ""), joint("continuous", "<origin xyz=\"1 2 3\" rpy=\"1.5707963267948966 0 1.5707963267948966\"/><axis xyz=\"0 0 1\"/>")].concat(),
            &format!(
                "{BASE}\narm is dynamic at 1 2 3; mass 1; center 0 0 0; moments 1 1 1
                 j joins j at 1 2 3 (x 1 0 0, y 0 0 1); about x free
                 robot r stands on base\nj turns about 0 0 1, 0 in -∞ to ∞"
            ),
        ),
    ]
}

fn followers() -> Vec<Row> {
    let three = |mimics: [&str; 3], kind: &str| {
        let names = ["a", "b", "c"];
        let links = names.map(|name| link(&format!("l{name}"), "")).concat();
        let joints: Vec<String> = names
            .iter()
            .zip(mimics)
            .map(|(name, mimic)| {
                let kind = if *name == "a" { kind } else { "continuous" };
                format!("<joint name=\"{name}\" type=\"{kind}\"><parent link=\"base\"/><child link=\"l{name}\"/>{mimic}</joint>")
            })
            .collect();
        [link("base", ""), links, joints.concat()].concat()
    };
    let bodies = [BASE.to_owned(), ["la", "lb", "lc"].map(|l| ARM.replace("arm", l)).join("\n")].join("\n");
    // The follower's end is rotated by its coordinate: y is at its cosine and sine.
    let frame = |name: &str, y: &str| {
        let other = if y.is_empty() { String::new() } else { format!(" and 0 0 0 (x 1 0 0, y 0 {y})") };
        format!("{name} joins {name} at {AT_X}{other}; about x free\n")
    };
    let (half, more, back) = ("0.87758 0.47943", "-0.17825 0.98399", "0.96891 -0.2474");
    let a_frame = frame("a", "");
    let turns = |name: &str, coordinate: &str| format!("{name} turns about 1 0 0, {coordinate} in -∞ to ∞");
    let base = "robot r stands on base";
    let (a, b) = (turns("a", "0"), turns("b", "0.5"));
    let of_a = "<mimic joint=\"a\" multiplier=\"-2\" offset=\"0.5\"/>";
    let of_b = "<mimic joint=\"b\" multiplier=\"3\" offset=\"0.25\"/>";
    let to_a = [a_frame, frame("b", half)].concat();
    vec![
        robot(
            "mimic, and one without numbers",
            &three(["", of_a, "<mimic joint=\"a\"/>"], "continuous"),
            &[
                &bodies,
                "\n",
                &to_a,
                &frame("c", ""),
                base,
                "\n",
                &a,
                "\n",
                &b,
                ", -2 a + 0.5\n",
                &turns("c", "0"),
                ", 1 a + 0",
            ]
            .concat(),
        ),
        // c = 3 · b + 0.25 = 3 · (−2 a + 0.5) + 0.25.
        robot(
            "mimic of one that follows",
            &three(["", of_a, of_b], "continuous"),
            &[
                &bodies,
                "\n",
                &to_a,
                &frame("c", more),
                base,
                "\n",
                &a,
                "\n",
                &b,
                ", -2 a + 0.5\n",
                &turns("c", "1.75"),
                ", -6 a + 1.75",
            ]
            .concat(),
        )
            .says("Assumed: 1 joints follow others through joints that follow, too: c -6 · a + 1.75"),
        robot(
            "mimic of a joint without a coordinate: it stands at the offset",
            &three(["", of_a, ""], "floating"),
            &[&bodies, "\n", &frame("b", half), &frame("c", ""), base, "\n", &b, "\n", &turns("c", "0")]
                .concat(),
        )
            .says("Warning: 1 joints would follow some that are not there or have no coordinate, and stand alone: b would follow a")
            .says("Assumed: 1 joints do not go to 0 and start at their nearest end: b 0.500"),
        robot(
            "mimic of a fixed joint: it stands at the offset",
            &three(["", "<mimic joint=\"a\" offset=\"-0.25\"/>", ""], "fixed"),
            &[
                "base is dynamic at 0 0 0; mass 2; center 0 0 0; moments 2 2 2\n",
                &["lb", "lc"].map(|l| ARM.replace("arm", l)).join("\n"),
                "\n",
                &frame("b", back),
                &frame("c", ""),
                base,
                "\n",
                &turns("b", "-0.25"),
                "\n",
                &turns("c", "0"),
            ]
            .concat(),
        )
            .says("Warning: 1 joints would follow some that are not there or have no coordinate, and stand alone: b would follow a")
            .says("Assumed: 1 joints do not go to 0 and start at their nearest end: b -0.250"),
    ]
}
