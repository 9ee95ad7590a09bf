//! Ends of edges and borders of faces: parts touch nothing across a clearance, and feel no border where
//! another part continues a surface.

use glam::{DVec3, Vec3};
use tumble::generate::{self, Triangles};

use super::seams::sheet;
use super::{Run, Setup};

/// Returns the solid between two copies of a polygon in the xy plane, at z = ± half of `length`. The
/// polygon runs counter-clockwise; `triangles` divides it.
pub(super) fn prism(polygon: &[[f32; 2]], triangles: &[[u32; 3]], length: f32) -> Triangles {
    let count = polygon.len() as u32;
    let layer = |z: f32| polygon.iter().map(move |&[x, y]| Vec3::new(x, y, z));
    let positions = layer(-0.5 * length).chain(layer(0.5 * length)).collect();
    let caps = triangles.iter().flat_map(|&[a, b, c]| [[a, c, b], [a, b, c].map(|v| v + count)]);
    let sides = (0..count).flat_map(|i| {
        let k = (i + 1) % count;
        [[i, k, k + count], [i, k + count, i + count]]
    });
    (positions, caps.chain(sides).collect())
}

/// Returns a block with a notch in its upper side, 60 mm deep and `clearance` (m) wider than 40 mm.
/// `length` in m; all lengths times `scale`.
fn notched(clearance: f32, length: f32, scale: f32) -> Triangles {
    let half = 0.02 + 0.5 * clearance;
    let polygon = [
        [-0.3, -0.06],
        [0.3, -0.06],
        [0.3, 0.06],
        [half, 0.06],
        [half, 0.0],
        [-half, 0.0],
        [-half, 0.06],
        [-0.3, 0.06],
    ];
    let triangles = [[0, 5, 7], [7, 5, 6], [0, 4, 5], [0, 1, 4], [1, 2, 3], [1, 3, 4]];
    prism(&polygon.map(|point| point.map(|x| x * scale)), &triangles, length * scale)
}

const STATIC: &str = "motion = \"static\"\nfriction = 0.0";
const SLIPPERY: &str = "density = 1000.0\nfriction = 0.0";

/// Drops a box past the end of a plate 4 m long. The plate used to end 4 mm beyond its last vertices.
#[test]
fn a_box_falls_freely_past_the_end_of_a_long_plate() {
    let plate = generate::cuboid(Vec3::new(4.0, 0.1, 0.3), 4.0);
    let falling = generate::cuboid(Vec3::new(0.3, 0.2, 0.6), 1.0);
    for gap in [1e-5, 0.001, 0.0039] {
        let start = DVec3::new(0.15 + gap, 0.15, 0.0);
        let mut run = Setup::new("")
            .place("plate", &plate, DVec3::new(-2.0, -0.05, 0.0), [0.0; 3], STATIC)
            .place("box", &falling, start, [0.0; 3], SLIPPERY)
            .open();
        run.seconds(1.0);
        let state = run.state("box");
        assert!(state.angular_velocity.length() < 1e-9, "{gap} m beside the plate: {state:?}");
        assert!((state.pose.position.x - start.x).abs() < 1e-9, "{gap} m beside the plate: {state:?}");
        assert!((state.linear_velocity.y + super::G).abs() < 1e-9, "{gap} m beside the plate: {state:?}");
    }
}

/// Drops a bar 40 mm wide, centered, over a notch, in scenes of three sizes. Bars longer and shorter than
/// the notch used to rest on its rim if it was less than 0.5 mm wider.
#[test]
fn a_bar_enters_a_notch_that_is_wider_by_20_micrometers() {
    for scale in [1.0, 0.001, 1000.0] {
        for (clearance, friction, rate) in
            [(0.02e-3, 0.0, 60.0), (0.02e-3, 0.3, 240.0), (0.1e-3, 0.0, 240.0), (0.4e-3, 0.3, 60.0)]
        {
            for [of_notch, of_bar] in [[0.2, 0.6], [0.6, 0.2]] {
                let bar = generate::cuboid(Vec3::new(0.04, 0.12, of_bar) * scale as f32, 1e9);
                let rule = |motion: &str| format!("motion = \"{motion}\"\nfriction = {friction:?}");
                let mut run = Setup::new("")
                    .place(
                        "notched",
                        &notched(clearance, of_notch, scale as f32),
                        DVec3::ZERO,
                        [0.0; 3],
                        &rule("static"),
                    )
                    .place("bar", &bar, DVec3::Y * 0.14 * scale, [0.0; 3], &rule("dynamic"))
                    .open_with(|config| config.dt = scale.sqrt() / rate);
                for _ in 0..(0.5 * rate) as u32 {
                    run.world.step();
                }
                let above = run.lowest("bar") / scale;
                let what = format!("wider by {clearance} m, friction {friction}, {rate} Hz, times {scale}");
                assert!((-0.0015..0.0005).contains(&above), "{what}: {above} m above the bottom");
            }
        }
    }
}

/// Returns the road that descends to the right by `bend` (degrees) from x = 0, from `from` to `to` (m), as a
/// solid or a sheet.
fn road(bend: f64, [from, to]: [f64; 2], is_solid: bool) -> Triangles {
    let height = |x: f64| -bend.to_radians().tan() * x.max(0.0);
    let mut ends: Vec<f64> = vec![from, to];
    if from < 0.0 && to > 0.0 {
        ends.insert(1, 0.0);
    }
    let last = ends.len() as u32 - 1;
    let point = |x: &f64, y: f64| [*x as f32, (height(*x) + y) as f32];
    if is_solid {
        let below = ends.iter().map(|x| point(x, -0.3));
        let polygon: Vec<_> = below.chain(ends.iter().rev().map(|x| point(x, 0.0))).collect();
        let top = |i: u32| 2 * last + 1 - i;
        let triangles: Vec<_> =
            (0..last).flat_map(|i| [[i, i + 1, top(i + 1)], [i, top(i + 1), top(i)]]).collect();
        return prism(&polygon, &triangles, 4.0);
    }
    let at = |x: &f64| [-2.0, 2.0].map(|z| Vec3::new(*x as f32, height(*x) as f32, z));
    let squares = (0..last).map(|i| 2 * i).flat_map(|i| [[i, i + 1, i + 3], [i, i + 3, i + 2]]);
    (ends.iter().flat_map(at).collect(), squares.collect())
}

/// Rolls a ball without friction over a road in one or two parts for half a second, and returns its
/// velocity, m/s.
fn roll(parts: &[Triangles], height: f64, speed: f64) -> DVec3 {
    let ball = generate::sphere(0.3, 40);
    let rule = format!("{SLIPPERY}\nvelocity = [{speed:?}, 0.0, 0.0]");
    let place = |setup: Setup, (k, part): (usize, &Triangles)| {
        setup.place(&format!("road-{k}"), part, DVec3::ZERO, [0.0; 3], STATIC)
    };
    let setup = parts.iter().enumerate().fold(Setup::new(""), place);
    let mut run: Run = setup.place("ball", &ball, DVec3::new(-1.03, height, 0.1), [0.0; 3], &rule).open();
    run.seconds(0.5);
    run.state("ball").linear_velocity
}

/// Rolls a ball over bends. At a bend of 1° or more, the ball used to lose 14 % of its energy at the border
/// of the second part, before it arrived.
#[test]
fn a_ball_crosses_a_bend_of_two_parts_as_one_of_one_part() {
    for bend in [0.5, 1.0, 3.0, 10.0, -1.0, -10.0] {
        for (is_solid, speed) in [(true, 4.0), (false, 4.0), (true, 8.0), (true, 2.0)] {
            let of = |range| road(bend, range, is_solid);
            let one = roll(&[of([-4.0, 4.0])], 0.3005, speed);
            let two = roll(&[of([-4.0, 0.0]), of([0.0, 4.0])], 0.3005, speed);
            let off = (two - one).length() / speed;
            assert!(off < 5e-3, "bend of {bend}° at {speed} m/s, solid: {is_solid}: {two}, {one}");
        }
    }
}

/// Rolls a ball over two pieces of hilly ground. It used to lose up to 8 % of its energy at their border.
#[test]
fn a_ball_crosses_the_border_of_two_pieces_of_ground() {
    for phase in [1.0, 2.5, 4.0] {
        let height = |x: f32, z: f32| {
            0.06 * ((1.3 * x + phase).sin()
                + 0.7 * (0.9 * z + 2.0 * phase).sin()
                + 0.4 * (2.1 * x + 1.7 * z).sin())
        };
        let ground = |middle: f32, size: f32| {
            let (mut positions, triangles) = sheet(size, (size * 5.0) as u32);
            for p in &mut positions {
                p.x += middle;
                p.y = height(p.x, p.z);
            }
            (positions, triangles)
        };
        let start = f64::from(height(-1.03, 0.1)) + 0.32;
        let [one, two] = [vec![ground(0.0, 8.0)], vec![ground(-2.0, 4.0), ground(2.0, 4.0)]]
            .map(|parts| roll(&parts, start, 4.0));
        let off = (two - one).length() / one.length();
        assert!(off < 5e-3, "phase {phase}: {two}, {one}");
    }
}

/// Rolls a ball over a round plate whose flat faces are fans of 2,000 triangles each, and over a sheet of
/// as many small triangles. Each vertex of the ball near the middle of the fan used to meet hundreds of
/// triangles.
#[test]
fn a_ball_meets_few_triangles_of_a_face_that_is_a_fan() {
    let count = 2000;
    let polygon: Vec<[f32; 2]> = (0..count)
        .map(|k| f64::from(k) / f64::from(count) * std::f64::consts::TAU)
        .map(|angle| [(0.5 * angle.cos()) as f32, (0.5 * angle.sin()) as f32])
        .collect();
    let fan: Vec<[u32; 3]> = (1..count - 1).map(|k| [0, k, k + 1]).collect();
    let plate = prism(&polygon, &fan, 0.05);
    let even = sheet(1.0, 32);
    let ball = generate::sphere(0.1, 40);
    let candidates = |plate: &Triangles, height: f64, turn: f64| {
        let mut run = Setup::new("")
            .place("plate", plate, DVec3::new(0.0, -height, 0.0), [turn, 0.0, 0.0], "motion = \"static\"")
            .place(
                "ball",
                &ball,
                DVec3::new(-0.2, 0.1, 0.02),
                [0.0; 3],
                "density = 500.0\nvelocity = [1, 0, 0]",
            )
            .open();
        let found = (0..30).map(|_| {
            run.world.step();
            run.world.counts().candidates
        });
        found.sum::<u64>()
    };
    let (of_fan, of_even) = (candidates(&plate, 0.025, 90.0), candidates(&even, 0.0, 0.0));
    assert!(of_fan < 3 * of_even, "{of_fan}, {of_even}");
}
