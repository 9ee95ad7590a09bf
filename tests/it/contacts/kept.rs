//! The state that a pair keeps from one pass to the next: impulses, contacts of bodies at rest, and
//! accepted overlap.

use super::*;

#[test]
fn impulses_survive_a_small_slide() {
    for spacing in [2.0, 0.1] {
        let mut probe = box_on_box(spacing);
        probe.find();
        for contact in &mut probe.pair.contacts {
            contact.normal_impulse = 1.0;
        }
        probe.states[1].pose.position += DVec3::new(2e-4, 0.0, -1e-4);
        assert!(!probe.refresh());
        probe.find();
        let kept: f64 = probe.contacts().iter().map(|c| c.normal_impulse).sum();
        assert!(kept >= 4.0, "{spacing}: {kept}");
    }
}

#[test]
fn contacts_of_bodies_that_did_not_move_are_only_kept() {
    let mut probe = box_on_box(0.25);
    probe.find();
    let before = probe.pair.contacts.clone();
    assert!(probe.refresh());
    assert_eq!(before.len(), probe.contacts().len());
    for (old, new) in before.iter().zip(probe.contacts()) {
        assert_eq!((old.key, old.normal), (new.key, new.normal));
        assert!((old.separation - new.separation).abs() < 1e-12);
    }
}

#[test]
fn bodies_that_turn_together_take_their_normals_along() {
    let mut probe = box_on_box(2.0);
    probe.find();
    for contact in &mut probe.pair.contacts {
        contact.friction_impulse = DVec3::X;
        contact.inset = DVec3::NEG_X;
        contact.turning_impulse = DVec3::NEG_X;
    }
    let turn = Pose::new(DQuat::from_rotation_z(0.5), DVec3::new(0.1, 0.2, 0.3));
    for state in &mut probe.states {
        let (rotation, position) =
            (turn.rotation * state.pose.rotation, turn.transform_point(state.pose.position));
        state.pose = Pose::new(rotation, position);
    }
    assert!(probe.refresh(), "they did not move against each other");
    probe.assert_flat(turn.rotation * DVec3::Y, -0.0005);
    for contact in probe.contacts() {
        assert!(contact.friction_impulse.distance(turn.rotation * DVec3::X) < 1e-9);
        assert!(contact.turning_impulse.distance(turn.rotation * DVec3::NEG_X) < 1e-9);
        assert!(contact.inset.distance(turn.rotation * DVec3::NEG_X) < 1e-9);
    }
}

#[test]
fn a_part_modelled_far_from_its_origin_is_searched_again_when_it_swings() {
    // Parts of an assembly keep the origin of the assembly, which is 2 m away here.
    let shifted = |side: f32, y: f32| {
        let (positions, triangles) = cube(side, 2.0);
        let offset = Vec3::new(2.0, y, 0.0);
        (positions.into_iter().map(|p| p + offset).collect::<Vec<_>>(), triangles)
    };
    let mut probe = Probe::new(&shifted(0.02, 0.0), Pose::IDENTITY, &shifted(0.01, 0.015), Pose::IDENTITY);
    probe.find();
    assert!(!probe.contacts().is_empty());
    // 40 µm at the parts: twice the slop, twenty times the motion that counts as rest.
    probe.states[1].pose.rotation = DQuat::from_rotation_y(2e-5);
    assert!(!probe.refresh());
}

#[test]
fn overlap_the_scene_starts_with_is_accepted_and_only_shrinks() {
    let mut probe = box_on_box(2.0);
    let lay = |probe: &mut Probe, depth: f64, initial: bool| {
        probe.states[1].pose.position.y = 0.75 - depth;
        probe.search();
        probe.query(initial);
        probe.contacts().iter().map(Contact::depth).fold(0.0, f64::max)
    };
    assert_eq!(lay(&mut probe, 0.02, true), 0.0);
    assert!((lay(&mut probe, 0.023, false) - 0.003).abs() < 1e-6, "deeper than accepted");
    assert_eq!(lay(&mut probe, 0.01, false), 0.0);
    let slop = probe.pair.settings.slop;
    let depth = lay(&mut probe, 0.02, false);
    assert!((depth - (0.01 - slop)).abs() < 1e-6, "what was given up is not given back: {depth}");
}
