//! Stacks of boxes on the built-in ground.

use glam::{DVec3, Vec3};
use tumble::generate;

use super::Setup;

/// Stacks ten cubes of half a meter, a millimeter apart. The overlap accepted by every contact is 0.04 %
/// of the cubes' thickness, 2 mm for all ten. The deflection under the load adds 7 mm for all ten.
#[test]
fn ten_cubes_stand_and_sink_by_the_overlap_that_contacts_keep() {
    let cube = generate::cuboid(Vec3::splat(0.5), 0.25);
    let mut setup = Setup::new("ground = {}");
    for k in 0..10 {
        let place = DVec3::Y * (0.25 + 0.501 * f64::from(k));
        setup = setup.place(&format!("cube{k}"), &cube, place, [0.0; 3], "");
    }
    let mut run = setup.open();
    run.seconds(5.0);
    let top = run.state("cube9").pose.position;
    let sunk = 4.75 - top.y;
    assert!((0.006..0.010).contains(&sunk), "{sunk} m");
    assert!(top.x.hypot(top.z) < 5e-3, "top at {top}");
    assert_eq!(run.world.sleeping_count(), 10);
}

/// Stacks a heavy cube on a light one, both of a meter. A contact accepts an overlap of 1 mm and
/// deflects only slightly under a load, whatever the mass ratio.
#[test]
fn a_light_cube_carries_one_of_up_to_a_thousand_times_its_mass() {
    for ratio in [1.0, 10.0, 100.0, 1000.0] {
        let cube = generate::cuboid(Vec3::ONE, 0.5);
        let mut run = Setup::new("ground = {}")
            .place("light", &cube, DVec3::Y * 0.5, [0.0; 3], "density = 100")
            .place("heavy", &cube, DVec3::Y * 1.5, [0.0; 3], &format!("density = {}", 100.0 * ratio))
            .open();
        run.seconds(5.0);
        let [light, heavy] = ["light", "heavy"].map(|name| run.lowest(name));
        let depths = [-light, light + 1.0 - heavy];
        // The bound is the accepted overlap of a fifth of a percent, plus a third of that for the
        // deflection under the load.
        assert!(depths.iter().all(|d| (0.0..2.7e-3).contains(d)), "{ratio}: {depths:?}");
        assert_eq!(run.world.sleeping_count(), 2, "{ratio}");
    }
}
