//! Bodies that slide over the seams of flush parts. A body at rest is up to a slop below the surface
//! that bears it, so its corners meet the sides of the next part. Expected speeds follow from the
//! absence of friction.

use glam::{DVec3, Vec3};
use tumble::generate::{self, Triangles};

use super::{Run, Setup};

const TILE: f64 = 0.5;

/// Returns a level sheet of `cells` × `cells` squares about the origin.
pub(super) fn sheet(size: f32, cells: u32) -> Triangles {
    let at = |k: u32| size * (k as f32 / cells as f32 - 0.5);
    let positions = (0..=cells).flat_map(|i| (0..=cells).map(move |k| Vec3::new(at(i), 0.0, at(k))));
    let index = |i: u32, k: u32| i * (cells + 1) + k;
    let squares = (0..cells).flat_map(|i| (0..cells).map(move |k| (i, k)));
    let halves = squares.flat_map(|(i, k)| {
        let [a, b, c, d] = [index(i, k), index(i, k + 1), index(i + 1, k + 1), index(i + 1, k)];
        [[a, b, c], [a, c, d]]
    });
    (positions.collect(), halves.collect())
}

/// Places parts in a row along x, each half a meter long with its top at y = 0 plus its rise.
fn row(part: &Triangles, half_height: f64, rises: &[f64]) -> Setup {
    let place = |setup: Setup, (k, rise): (usize, &f64)| {
        let position = DVec3::new(TILE * k as f64, rise - half_height, 0.0);
        setup.place(&format!("tile-{k}"), part, position, [0.0; 3], "motion = \"static\"\nfriction = 0.0")
    };
    rises.iter().enumerate().fold(Setup::new(""), place)
}

/// Shoots a body along a row and returns the run after it passed two seams, or the same time.
fn slide(setup: Setup, name: &str, shape: &Triangles, height: f64, speed: f64) -> Run {
    let rule = format!("density = 1000.0\nfriction = 0.0\nvelocity = [{speed:?}, 0, 0]");
    let mut run = setup.place(name, shape, DVec3::new(-0.05, height, 0.07), [0.0; 3], &rule).open();
    run.seconds(2.2 * TILE / speed);
    run
}

/// Tests that the body keeps its speed within 2 % and its way within 2 % of 2.2 tiles.
fn keeps_its_speed(run: &Run, name: &str, speed: f64) {
    let state = run.state(name);
    let (way, now) = (state.pose.position.x + 0.05, state.linear_velocity.x);
    assert!((now / speed - 1.0).abs() < 0.02, "{name} at {speed} m/s: {now} m/s at {way} m");
    assert!((way / (2.2 * TILE) - 1.0).abs() < 0.02, "{name} at {speed} m/s came {way} m");
}

#[test]
fn a_slider_keeps_its_speed_over_the_seams_of_tiles_and_sheets() {
    let tile = generate::cuboid(Vec3::new(0.5, 0.2, 0.5), 1.0);
    let [block, ball] = [generate::cuboid(Vec3::new(0.3, 0.2, 0.3), 1.0), generate::sphere(0.15, 40)];
    for speed in [0.2, 0.5, 1.0, 2.5] {
        let run = slide(row(&tile, 0.1, &[0.0; 4]), "block", &block, 0.1, speed);
        keeps_its_speed(&run, "block", speed);
        let run = slide(row(&tile, 0.1, &[0.0; 4]), "ball", &ball, 0.15, speed);
        keeps_its_speed(&run, "ball", speed);
        let run = slide(row(&sheet(0.5, 1), 0.0, &[0.0; 4]), "block", &block, 0.1, speed);
        keeps_its_speed(&run, "block", speed);
        let run = slide(row(&sheet(0.5, 1), 0.0, &[0.0; 4]), "ball", &ball, 0.15, speed);
        keeps_its_speed(&run, "ball", speed);
    }
}

#[test]
fn a_slider_goes_on_down_small_steps() {
    let tile = generate::cuboid(Vec3::new(0.5, 0.2, 0.5), 1.0);
    let block = generate::cuboid(Vec3::new(0.3, 0.2, 0.3), 1.0);
    for (step, speed) in [(0.0006, 0.5), (0.001, 0.5), (0.002, 1.0), (0.005, 2.5)] {
        let run = slide(row(&tile, 0.1, &[0.0, -step, -step, -step]), "block", &block, 0.1, speed);
        keeps_its_speed(&run, "block", speed);
    }
}

/// Puts a wall of 1 mm in the way. The block's slop is 0.4 mm.
#[test]
fn a_low_wall_still_stops_a_slider() {
    let tile = generate::cuboid(Vec3::new(0.5, 0.2, 0.5), 1.0);
    let block = generate::cuboid(Vec3::new(0.3, 0.2, 0.3), 1.0);
    for speed in [0.2, 0.5] {
        let run = slide(row(&tile, 0.1, &[0.0, 0.001, 0.001, 0.001]), "block", &block, 0.1, speed);
        let x = run.state("block").pose.position.x;
        assert!(x < 0.105, "at {speed} m/s: came to {x}");
    }
}

/// Slides a slab over the points of a sheet that the guard follows. One of them used to count as
/// crossing the slab's front or rear face.
#[test]
fn a_slab_slides_over_a_fine_sheet_without_being_held_back() {
    let slab = generate::cuboid(Vec3::new(0.3, 0.2, 0.3), 1.0);
    for turn in [0.0, 27.0] {
        let mut run = Setup::new("")
            .place("floor", &sheet(6.0, 20), DVec3::ZERO, [0.0; 3], "motion = \"static\"\nfriction = 0.0")
            .place(
                "slab",
                &slab,
                DVec3::new(-2.7, 0.1, -0.5),
                [0.0, turn, 0.0],
                "density = 1000.0\nfriction = 0.0\nvelocity = [2.5, 0, 0.7]",
            )
            .open();
        run.seconds(2.0);
        let velocity = run.state("slab").linear_velocity;
        assert!((velocity.x - 2.5).abs() < 0.025 && (velocity.z - 0.7).abs() < 0.007, "{velocity}");
        assert_eq!(run.world.incidents().held_back, []);
    }
}
