//! Spellings of captured motion: BVH, and ASF with AMC.

use super::{Row, check, refused, row};

const BVH: &str = "HIERARCHY\nROOT hip\n{\n OFFSET 1 2 3\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
    JOINT knee\n {\n OFFSET 0 -1 0\n CHANNELS 3 zROTATION XROTATION Yrotation\n End Site\n {\n OFFSET 0 -2 0\n }\n }\n}\n\
    MOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0 0 0 0 90 0 0\n4 5 6 90 0 90 0 90 0\n";

const ASF: &str = ":version 1.10\n:name VICON\n:units\n mass 1.0\n length 0.45\n angle deg\n:documentation\n words\n\
    :root\n order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0.45 0\n orientation 0 0 0\n:bonedata\n\
    begin\n id 1\n name thigh\n direction 0 -2 0\n length 4.5\n axis 0 0 90 XYZ\n dof rx rz\n limits (-160.0 20.0)\n (-70.0 60.0)\n\
    bodymass 1\n cofmass 1\n end\n\
    begin\n id 2\n name shin\n direction 1 0 0\n length 0.9\n axis 0 0 0 ZYX\n dof l\n end\n\
    :hierarchy\n begin\n root thigh\n thigh shin\n end\n:skin a.skin\n";

const AMC: &str = "# words\n:FULLY-SPECIFIED\n:DEGREES\n:SAMPLES-PER-SECOND 4\n\
    1\nroot 0.45 0 0 0 0 90\nthigh 30 0\nshin 1\n2\nroot 0 0 0.9 90 90 0\nthigh 0 60\nshin 1\n";

/// A length of 0.45 in the file is an inch.
const JOINTS: &str = "root at 0 0.0254 0
    thigh at 0 0.0254 0
    shin at 0 -0.2286 0
    shin_end at 0.0508 -0.2286 0";

/// The root rotates about x, then y. The thigh's own x is y, as its axes are rotated by 90° about z.
const MOTION: &str = "clip \"a\" lasts 0.25
    root moves linear at 0 0.25: 0.0254 0.0254 0, 0 0.0254 0.0508
    root turns linear at 0 0.25: 0 0 90, 69.28203 69.28203 -69.28203
    thigh turns linear at 0 0.25: 0 30 0, 0 0 60";

pub fn rows() -> Vec<Row> {
    // In the second frame the hip rotates about y, then z: by 120° about (−1, 1, 1).
    let told = "hip at 1 2 3
        knee at 1 1 3
        knee_end at 1 -1 3
        clip \"a\" lasts 0.5
        hip moves linear at 0 0.5: 0 0 0, 4 5 6
        hip turns linear at 0 0.5: 0 0 0, -69.28203 69.28203 69.28203
        knee turns linear at 0 0.5: 0 0 90, 90 0 0";
    let both = format!("{JOINTS}\n{MOTION}");
    let turned =
        ASF.replace("angle deg", "angle rad").replace("axis 0 0 90 XYZ", "axis 0 0 1.5707963267948966 XYZ");
    // 30, 60 and 90 degrees.
    let radians = AMC
        .replace(":DEGREES", ":RADIANS")
        .replace("0 0 90\n", "0 0 1.5707963267948966\n")
        .replace("90 90 0", "1.5707963267948966 1.5707963267948966 0")
        .replace("thigh 30", "thigh 0.5235987755982988")
        .replace("thigh 0 60", "thigh 0 1.0471975511965976");
    let left_out = AMC.replace(":FULLY-SPECIFIED\n", "").replace("thigh 0 60\n", "");
    let swapped = ASF.replace("axis XYZ", "axis ZYX");
    vec![
        row("BVH", "a.bvh", BVH, told)
            .says("Assumed: 2 joints, 2 frames, 0.50 s; its lengths have no unit and are kept as they are"),
        row("ASF by itself", "a.asf", ASF, JOINTS).says(
            "Assumed: 3 joints, no motion; an .amc beside it, named as the file of an animation, plays on it",
        ),
        row("AMC with the skeleton beside it", "a.amc", AMC, &both)
            .says("Assumed: 3 joints, 2 frames, 0.25 s at 4 frames a second")
            .says("Ignored: bones that change their length keep it")
            .beside("b.asf", ASF),
        row("AMC in radians on a skeleton in radians", "a.amc", radians, &both)
            .says("Assumed: 3 joints, 2 frames, 0.25 s at 4 frames a second")
            .says("Ignored: bones that change their length keep it")
            .beside("b.asf", turned),
        // About y, then x: 120° about (1, 1, 1).
        row("a root that turns about z first", "a.amc", AMC, &both)
            .says("Assumed: 3 joints, 2 frames, 0.25 s at 4 frames a second")
            .says("Ignored: bones that change their length keep it")
            .beside("b.asf", swapped)
            .with("69.28203 69.28203 -69.28203", "69.28203 69.28203 69.28203"),
        row("a bone that a frame leaves out stays", "a.amc", left_out, &both)
            .says("Assumed: 3 joints, 2 frames, 0.25 s at 4 frames a second")
            .says("Assumed: 1 times a frame leaves out a bone, which stays as it was")
            .says("Ignored: bones that change their length keep it")
            .beside("b.asf", ASF)
            .with("0 30 0, 0 0 60", "0 30 0, 0 30 0"),
        row(
            "120 frames a second where nothing is said",
            "a.amc",
            AMC.replace(":SAMPLES-PER-SECOND 4\n", ""),
            &both,
        )
        .says("Assumed: 3 joints, 2 frames, 0.01 s at 120 frames a second, which the file does not say")
        .says("Ignored: bones that change their length keep it")
        .beside("b.asf", ASF)
        .with("0.25", "0.00833"),
        refused(
            "a bone that must be named",
            "a.amc",
            AMC.replace("thigh 0 60\n", ""),
            "frame 2 ends without \"thigh\"",
        )
        .beside("b.asf", ASF),
        refused(
            "no channel",
            "a.bvh",
            BVH.replace("Xposition", "Wposition"),
            "line 5: \"Wposition\" is not a channel",
        ),
        refused("no section", "a.asf", [":bones\n a\n", ASF].concat(), "there is no section \"bones\""),
    ]
}

#[test]
fn every_spelling_of_captured_motion_comes_out_as_it_says() {
    check(&rows());
}
