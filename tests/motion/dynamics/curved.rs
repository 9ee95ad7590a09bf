//! Round parts on and in each other: a ring on a nail, balls on a dome, a cone on a slope, a brake. Contacts
//! used to keep the normal and the place of the start of a pass.

use glam::{DQuat, DVec3, EulerRot, Vec3};
use tumble::generate::{self, Triangles};

use super::rolling::tube;
use super::{G, Run, Setup};

/// Returns the angle of a hanging part from the vertical, degrees.
fn swing(run: &Run, part: &str) -> f64 {
    let at = run.state(part).world_center();
    at.x.atan2(-at.y).to_degrees()
}

/// Hangs a ring with a bore of 90 mm radius on a nail of 10 mm radius, 15° aside.
fn ring_on_nail(friction: f64) -> Run {
    let keys = format!("friction = {friction:?}");
    let angle = f64::to_radians(15.0);
    let at = 0.08 * DVec3::new(angle.sin(), -angle.cos(), 0.0);
    Setup::new("")
        .place("ring", &tube([0.09, 0.1], 0.01, 128), at, [0.0; 3], &format!("mass = 1.0\n{keys}"))
        .place(
            "nail",
            &tube([0.001, 0.01], 0.05, 64),
            DVec3::ZERO,
            [0.0; 3],
            &format!("motion = \"static\"\n{keys}"),
        )
        .open_with(|config| config.sleep = false)
}

/// Swings a ring on a nail. It used to gain energy: its swing grew from 15° to 25° in 5 s.
#[test]
fn a_ring_on_a_nail_keeps_its_swing() {
    for friction in [0.0, 1.0] {
        let mut run = ring_on_nail(friction);
        run.seconds(4.0);
        let mut most = 0.0_f64;
        for _ in 0..60 {
            run.world.step();
            most = most.max(swing(&run, "ring").abs());
        }
        assert!((most - 15.0).abs() < 0.3, "friction {friction}: {most}°");
    }
}

/// Lets balls slide and roll off a dome from 8° beside its top. They used to hop on the dome, and one that
/// slid left it by 8 % too fast sideways.
#[test]
fn balls_leave_a_dome_where_they_no_longer_press_on_it() {
    let [ball, dome] = [generate::sphere(0.05, 64), generate::sphere(0.5, 256)];
    let (reach, from) = (0.55, f64::to_radians(8.0));
    for (friction, leaves_at) in [(0.0, 1.5), (5.0, 1.7)] {
        let keys = format!("friction = {friction:?}");
        let at = reach * DVec3::new(from.sin(), from.cos(), 0.0);
        let mut run = Setup::new("")
            .place("ball", &ball, at, [0.0; 3], &format!("mass = 1.0\n{keys}"))
            .place("dome", &dome, DVec3::ZERO, [0.0; 3], &format!("motion = \"static\"\n{keys}"))
            .open();
        while run.state("ball").pose.position.y > 0.0 {
            run.world.step();
        }
        let expected = (G * reach).sqrt() * (from.cos() / leaves_at).powf(1.5);
        let found = run.state("ball").linear_velocity.x;
        assert!((found / expected - 1.0).abs() < 0.02, "friction {friction}: {found} of {expected} m/s");
    }
}

/// Returns a cone along x with its tip at the origin.
fn cone(height: f64, half_angle: f64, sides: usize) -> Triangles {
    let radius = height * half_angle.tan();
    let mut points = vec![Vec3::ZERO, Vec3::X * height as f32];
    points.extend((0..sides).map(|k| {
        let angle = std::f64::consts::TAU * k as f64 / sides as f64;
        DVec3::new(height, radius * angle.cos(), radius * angle.sin()).as_vec3()
    }));
    let at = |k: usize| 2 + (k % sides) as u32;
    let triangles = (0..sides).flat_map(|k| [[0, at(k + 1), at(k)], [1, at(k), at(k + 1)]]).collect();
    (points, triangles)
}

/// Rolls a cone on a slope of 10° from 15° beside its lowest place. It used to stop after 9°, because its rim
/// was not round, and because its tip moved along with its center within a pass.
#[test]
fn a_cone_rolls_to_and_fro_on_a_slope() {
    let half = f64::to_radians(20.0);
    let slope = DQuat::from_rotation_z(f64::to_radians(-10.0));
    let lies = slope * DQuat::from_rotation_y(f64::to_radians(15.0)) * DQuat::from_rotation_z(half);
    let (z, y, x) = lies.to_euler(EulerRot::ZYX);
    let degrees = [x, y, z].map(f64::to_degrees);
    let slab = generate::cuboid(Vec3::new(4.0, 1.0, 4.0), 4.0);
    let mut run = Setup::new("")
        .place("cone", &cone(0.2, half, 128), DVec3::Y * 1e-5, degrees, "mass = 1.0\nfriction = 1.5")
        .place(
            "slab",
            &slab,
            slope * DVec3::NEG_Y * 0.5,
            [0.0, 0.0, -10.0],
            "motion = \"static\"\nfriction = 1.5",
        )
        .open();
    let angle = |run: &Run| {
        let along = slope.conjugate() * run.state("cone").pose.rotation * DVec3::X;
        (-along.z).atan2(along.x).to_degrees()
    };
    assert!((angle(&run) - 15.0).abs() < 1e-6, "{}", angle(&run));
    run.seconds(2.0);
    let mut most = 0.0_f64;
    for _ in 0..60 {
        run.world.step();
        most = most.max(angle(&run));
    }
    assert!((most - 15.0).abs() < 0.1, "{most}°");
}

/// Presses a shoe on a drum with 20 N, friction 0.4. The touching facet of the drum used to be taken while it
/// still came, so that the normal force braked as well.
#[test]
fn a_brake_decelerates_a_drum_by_its_friction_alone() {
    let drum = generate::cylinder(0.1, 0.1, 0.005);
    let shoe = generate::cuboid(Vec3::new(0.04, 0.04, 0.08), 0.08);
    for spin in [5.0, 50.0] {
        let keys = format!("mass = 10.0\nfriction = 0.4\nangular_velocity = [0.0, 0.0, {spin:?}]");
        let mut setup = Setup::new("gravity = [0.0, 0.0, 0.0]")
            .place("drum", &drum, DVec3::ZERO, [0.0; 3], &keys)
            .place("shoe", &shoe, DVec3::X * 0.1201, [0.0; 3], "mass = 0.5\nfriction = 0.4");
        setup.text += "[[joint]]\nkind = \"hinge\"\na = \"world\"\nb = \"drum\"\nanchor = [0, 0, 0]\n\
                       axis = [0, 0, 1]\n[[joint]]\nkind = \"slider\"\na = \"world\"\nb = \"shoe\"\n\
                       anchor = [0.12, 0, 0]\naxis = [1, 0, 0]\n\
                       drive = { velocity = -10000.0, damping = 10000.0, max = 20.0 }\n";
        let mut run = setup.open();
        run.seconds(0.05);
        let before = run.state("drum").angular_velocity.z;
        run.seconds(0.2);
        let found = (before - run.state("drum").angular_velocity.z) / 0.2;
        assert!((found / 16.0 - 1.0).abs() < 0.02, "{spin} rad/s: {found} rad/s²");
    }
}
