//! The appearance of a scene comes back from its recording, and an invalid one is not stored.

use glam::{DAffine3, DVec3, Vec3};
use tumble::body::Motion;
use tumble::files::Existing;
use tumble::generate;
use tumble::import::model::Influence;
use tumble::pose::Pose;
use tumble::record::{EndReason, RecordError, RunReader, RunWriter};
use tumble::scene::looks::{Carrier, DrawnSurface, Follows, Paint, SkinJoint, Skinning};
use tumble::scene::{FigureKind, LinkMotion, Scene, SkeletonDef};

use crate::common;

/// Returns two boxes, links of a figure with a skin, and a floor with a visual mesh and colored
/// corners.
fn scene() -> Scene {
    let mut scene = common::scene("looks");
    let mesh = common::add_mesh(&mut scene, "box", &generate::cuboid(Vec3::ONE, 1.0));
    for _ in 0..2 {
        common::add_body(&mut scene, mesh, Motion::Kinematic, DVec3::ZERO);
    }
    common::add_floor(&mut scene, 10.0);
    let triangle_count = scene.meshes[1].triangles().len();
    scene.paints.push(Paint::Corners(vec![[[1, 2, 3], [4, 5, 6], [250, 255, 0]]; triangle_count]));
    scene.bodies[2].paint = 1;
    scene.skeletons.push(SkeletonDef {
        name: "figure".into(),
        kind: FigureKind::Kinematic,
        first_body: 0,
        link_count: 2,
        parents: vec![Some(1), None],
        joints: vec![Pose::from_position(DVec3::Z)],
        motion: LinkMotion { rate: 2.0, width: 3, poses: vec![Pose::IDENTITY; 6], ..LinkMotion::default() },
        driven: vec![],
        self_collision: false,
    });
    let visual = DrawnSurface {
        name: "visual".into(),
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        triangles: vec![[0, 1, 2]; triangle_count],
        paint: 1,
        follows: Follows::Body(2),
    };
    let influence =
        Influence { joints: [1, 0, 0, 0, 0, 0, 0, 0], weights: [0.25, 0.75, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] };
    let bind = DAffine3::from_translation(DVec3::new(0.1, 0.2, 0.3));
    let skinning = Skinning {
        skeleton: 0,
        joints: [Carrier::Body(1), Carrier::Joint(0)].map(|carrier| SkinJoint { carrier, bind }).to_vec(),
        influences: vec![influence; 3],
        owners: vec![1],
    };
    let skin = DrawnSurface {
        name: "skin".into(),
        triangles: vec![[2, 1, 0]],
        paint: 0,
        follows: Follows::Joints(skinning),
        ..visual.clone()
    };
    let scenery = DrawnSurface { name: "scenery".into(), follows: Follows::World, ..visual.clone() };
    scene.drawn = vec![visual, skin, scenery];
    scene
}

fn record(scene: &Scene) -> Result<Scene, RecordError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.tumble");
    RunWriter::create(&path, scene, Existing::Keep)?.finish(EndReason::Finished)?;
    let reader = RunReader::open(&path)?;
    assert!(reader.is_complete());
    Ok(reader.scene().clone())
}

#[test]
fn skins_visual_meshes_and_colors_come_back() {
    let (written, read) = (scene(), record(&scene()).unwrap());
    assert_eq!(read.paints, written.paints);
    assert_eq!(read.drawn, written.drawn);
    assert_eq!(read.skeletons, written.skeletons);
    assert_eq!(read.bodies, written.bodies);
}

#[test]
fn a_million_triangles_are_stored() {
    let mut scene = scene();
    let count = 1_000_000;
    let visual = &mut scene.drawn[0];
    visual.triangles = vec![[2, 0, 1]; count];
    visual.positions = (0..count).map(|i| Vec3::splat(i as f32)).collect();
    visual.paint = 2;
    scene.paints.push(Paint::Corners((0..count).map(|i| [[i as u8, (i >> 8) as u8, 200]; 3]).collect()));
    let read = record(&scene).unwrap();
    assert!(read.drawn == scene.drawn && read.paints == scene.paints);
}

#[test]
fn looks_that_make_no_sense_are_not_stored() {
    fn skinning(scene: &mut Scene) -> &mut Skinning {
        match &mut scene.drawn[1].follows {
            Follows::Joints(skinning) => skinning,
            other => panic!("{other:?}"),
        }
    }
    type Damage = fn(&mut Scene);
    let damages: [(Damage, &str); 19] = [
        (|s| s.bodies[1].paint = 2, "body \"box.1\": its paint is missing"),
        (|s| s.paints[1] = Paint::Corners(vec![]), "body \"floor.2\": its paint has too few triangles"),
        (|s| s.drawn[0].positions[2].y = f32::INFINITY, "drawn surface \"visual\": a vertex is not finite"),
        (|s| s.drawn[0].triangles[3][1] = 3, "a triangle names a missing vertex"),
        (|s| s.drawn[0].triangles.truncate(3), "its paint must have one color per triangle"),
        (|s| s.drawn[0].paint = 7, "its paint is missing"),
        (|s| s.drawn[0].follows = Follows::Body(5), "its body is missing"),
        (|s| skinning(s).skeleton = 1, "drawn surface \"skin\": its skeleton is missing"),
        (|s| skinning(s).joints[1].carrier = Carrier::Joint(1), "a joint has no carrier"),
        (|s| skinning(s).joints[0].carrier = Carrier::Body(2), "a joint has no carrier"),
        (|s| skinning(s).joints[0].bind.translation.x = f64::NAN, "a joint has no carrier or is not finite"),
        (|s| skinning(s).influences[0].joints[7] = 2, "its influences do not fit"),
        (|s| skinning(s).influences[2].weights[0] = f32::NAN, "its influences do not fit"),
        (|s| skinning(s).owners[0] = 2, "its owners do not fit"),
        (|s| s.skeletons[0].parents = vec![None], "its links are not connected"),
        (|s| s.skeletons[0].parents[1] = Some(2), "its links are not connected"),
        (|s| s.skeletons[0].parents[1] = Some(0), "its links are not connected"),
        (|s| s.skeletons[0].driven = vec![0], "a driven joint does not join its links"),
        (|s| s.skeletons[0].joints[0].position.z = f64::NAN, "its joints are not rigid transforms"),
    ];
    for (damage, reason) in damages {
        let mut scene = scene();
        damage(&mut scene);
        let error = record(&scene).map(drop).unwrap_err();
        assert!(error.to_string().contains(reason), "{error} for {reason}");
    }
}
