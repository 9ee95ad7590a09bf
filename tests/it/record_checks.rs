//! Recordings that are refused although all their checksums are right: scenes that cannot be stepped,
//! and files that would take much more memory than their length.

use std::fs::File;
use std::io::Cursor;
use std::path::Path;

use glam::{DVec3, Vec3};
use tumble::body::{
    AxisRange, Control, CoordinateClip, Distance, Drive, DriveKind, Joint, JointAxis, Motion, SetBy,
    SoftLimit, WORLD,
};
use tumble::files::Existing;
use tumble::generate;
use tumble::pose::Pose;
use tumble::record::container::{self, ChunkWriter};
use tumble::record::{RunReader, RunWriter, format};
use tumble::scene::{PartRange, Scene};

use crate::common;

/// Returns a floor and four boxes; a joint holds the first box.
fn scene() -> Scene {
    let mut scene = common::scene("boxes");
    common::add_floor(&mut scene, 10.0);
    let mesh = common::add_mesh(&mut scene, "box", &generate::cuboid(Vec3::ONE, 1.0));
    for _ in 0..4 {
        common::add_body(&mut scene, mesh, Motion::Dynamic, DVec3::Y);
    }
    scene.bodies[0].parts.push(PartRange { name: "node".into(), first_triangle: 0 });
    scene.joints.push(joint());
    scene.controls.push(Control {
        name: "hand".into(),
        joint: 0,
        axis: 3,
        range: [-1.0, 1.0],
        speed: f64::INFINITY,
        set_by: SetBy::Hand,
    });
    scene.clips.push(CoordinateClip { keys: vec![[0.0, 0.0]], looped: false });
    scene
}

#[test]
fn a_scene_that_cannot_be_stepped_is_not_stored() {
    type Damage = fn(&mut Scene);
    let damages: [(Damage, &str); 32] = [
        (|s| s.bodies[1].mesh = Some(3), "body \"box.1\": its mesh is missing"),
        (|s| s.bodies[2].pose.position.x = f64::NAN, "body \"box.2\": its pose is not a rigid transform"),
        (|s| s.bodies[0].parts[0].first_triangle = 99, "body \"floor.0\": a part begins after"),
        (|s| s.pair_rules.push((0, 5, Default::default())), "a pair rule names a missing body"),
        (|s| s.config.dt = 0.0, "dt must be above 0 s"),
        (|s| s.config.dt = 1e300, "dt must be above 0 s and at most 10 s"),
        (|s| s.config.substeps = u32::MAX, "substeps must be from 1 to 1000"),
        (|s| s.config.threads = u32::MAX, "threads must be at most"),
        (|s| s.gravity.y = f64::NAN, "its gravity is not finite"),
        (
            |s| s.bodies[1].mass = -1.0,
            "body \"box.1\": its mass is negative, or its mass or inertia is not a number",
        ),
        (|s| s.bodies[1].friction = -1.0, "body \"box.1\": its friction or restitution is below 0"),
        (|s| s.bodies[1].rolling = -1.0, "body \"box.1\": its resistance to rolling or spinning is below 0"),
        (|s| s.bodies[1].spinning = f64::NAN, "body \"box.1\": a number is not finite"),
        (|s| s.bodies = vec![s.bodies[0].clone(); 200_000], "it has 200000 bodies, the limit is 100000"),
        (|s| s.joints[0].linear[0].range = limited(f64::NAN, 1.0), "one of its ranges is empty"),
        (|s| s.joints[0].linear[1].range = limited(2.0, 1.0), "one of its ranges is empty"),
        (
            |s| s.joints[0].angular[0].range = limited(f64::NEG_INFINITY, f64::NEG_INFINITY),
            "one of its ranges is",
        ),
        (
            |s| s.joints[0].angular[1].soft = Some(soft(f64::INFINITY)),
            "one of its soft limits has an invalid spring",
        ),
        (|s| s.joints[0].angular[2].drive = Some(Drive { stiffness: f64::NAN, ..drive() }), "its drive"),
        (|s| s.joints[0].angular[2].drive = Some(Drive { max_force: f64::NAN, ..drive() }), "its drive"),
        (|s| s.joints[0].linear[2].drive = Some(Drive { max_force: -1.0, ..drive() }), "its drive"),
        (
            |s| s.joints[0].linear[2].drive = Some(Drive { position_target: f64::INFINITY, ..drive() }),
            "its drive",
        ),
        (|s| s.joints[0].friction = f64::NAN, "its friction or its cone"),
        (|s| s.joints[0].cone = Some(f64::NAN), "its friction or its cone"),
        (
            |s| s.joints[0].distance = Some(Distance { min: -1.0, ..distance() }),
            "its distance limit is invalid",
        ),
        (
            |s| s.joints[0].distance = Some(Distance { min: 3.0, ..distance() }),
            "its distance limit is invalid",
        ),
        (
            |s| s.joints[0].distance = Some(Distance { max: f64::NAN, ..distance() }),
            "its distance limit is invalid",
        ),
        (
            |s| s.joints[0].distance = Some(Distance { soft: Some(soft(f64::NAN)), ..distance() }),
            "one of its soft limits has an invalid spring",
        ),
        (|s| s.controls[0].joint = 1, "control \"hand\": its joint is missing"),
        (|s| s.controls[0].range = [1.0, f64::NAN], "control \"hand\": its range is empty"),
        (|s| s.controls[0].set_by = SetBy::Clip(1), "control \"hand\": its clip is missing"),
        (|s| s.clips[0].keys[0][0] = 1.0, "a clip of joints: its times do not go on from 0"),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (damage, reason) in damages {
        let mut scene = scene();
        let path = folder.path().join("run");
        assert!(RunWriter::create(&path, &scene, Existing::Replace).is_ok(), "before it is damaged");
        damage(&mut scene);
        let error = RunWriter::create(&path, &scene, Existing::Replace).err().unwrap();
        assert!(error.to_string().contains(reason), "{error}");
    }
}

/// Returns a joint with all properties, infinite where that has a meaning.
fn joint() -> Joint {
    let range = limited(f64::NEG_INFINITY, 1.0);
    let axis = JointAxis { range, soft: Some(soft(10.0)), drive: Some(drive()), turns: 0 };
    Joint {
        name: "hinge".into(),
        a: WORLD,
        b: 1,
        frame_a: Pose::IDENTITY,
        frame_b: Pose::IDENTITY,
        linear: [axis; 3],
        angular: [axis; 3],
        cone: Some(0.5),
        friction: 1.0,
        collide: false,
        distance: Some(Distance { max: f64::INFINITY, ..distance() }),
        pose_drive: None,
    }
}

fn limited(min: f64, max: f64) -> AxisRange {
    AxisRange::Limited { min, max }
}

fn distance() -> Distance {
    Distance { axes: [true, false, true], min: 0.5, max: 2.0, soft: Some(soft(10.0)) }
}

fn soft(stiffness: f64) -> SoftLimit {
    SoftLimit { stiffness, damping: 1.0 }
}

fn drive() -> Drive {
    Drive {
        kind: DriveKind::Force,
        position_target: 0.5,
        target_speed: 0.0,
        velocity_target: 0.0,
        stiffness: 10.0,
        damping: 1.0,
        max_force: f64::INFINITY,
    }
}

#[test]
fn a_small_file_cannot_take_much_memory() {
    // Zeros pack 255 to 1. A file written so is readable; one made by hand is refused before it is
    // unpacked.
    let bomb = |write: fn(&mut Vec<u8>, &[u8])| {
        let payload = vec![0; 48 << 20];
        let mut bytes = container::MAGIC.to_vec();
        bytes.extend(container::FORMAT_VERSION.to_le_bytes());
        write(&mut bytes, &payload);
        bytes
    };
    let packed = bomb(|bytes, payload| {
        let stored = lz4_flex::block::compress(payload);
        let mut header = Vec::new();
        header.extend(format::GEOMETRY.to_le_bytes());
        header.extend((stored.len() as u32).to_le_bytes());
        header.extend((payload.len() as u32).to_le_bytes());
        header.extend(0_u64.to_le_bytes());
        let checksum = crc32fast::hash(&[&header[..], &stored].concat());
        bytes.extend(&header);
        bytes.extend(checksum.to_le_bytes());
        bytes.extend(&stored);
    });
    assert!(packed.len() < 1 << 20);
    let limit = container::unpacked_limit(packed.len() as u64);
    let refused = RunReader::new(Box::new(Cursor::new(packed)), Path::new("run")).err().unwrap();
    assert_eq!(
        refused.to_string(),
        format!("run: would take more than {limit} bytes of memory, the limit for a file of its size")
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chunks");
    let mut writer = ChunkWriter::new(Box::new(File::create(&path).unwrap())).unwrap();
    writer.append(format::GEOMETRY, &vec![0; 48 << 20]).unwrap();
    let scan = container::scan(&mut File::open(&path).unwrap()).unwrap();
    assert!(u64::from(scan.chunks[0].raw_length) <= container::unpacked_limit(scan.length));
}
