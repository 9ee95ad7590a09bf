//! A wooden chair 0.9 m high: saddle seat, splayed lathe-turned legs with stretchers, a slanted back of
//! spindles.

use glam::{DAffine3, DVec2, DVec3, dvec3};

use super::assembly::Assembly;
use super::section::{Station, round, rounded, smooth};
use crate::generate::Triangles;

/// Ends of the left legs at the seat and at the floor, front and back, m.
const LEGS: [[DVec3; 2]; 2] = [
    [dvec3(0.15, 0.145, 0.45), dvec3(0.215, 0.215, 0.0)],
    [dvec3(-0.14, 0.12, 0.45), dvec3(-0.25, 0.19, 0.0)],
];
/// Ends of a back post, at the seat and at the top.
const POST: [DVec3; 2] = [dvec3(-0.165, 0.165, 0.44), dvec3(-0.3, 0.215, 0.9)];

pub(super) fn chair() -> Triangles {
    let mut chair = Assembly::default();
    seat(&mut chair);
    chair.both_sides(|side| {
        for [top, foot] in LEGS {
            let radii = [0.0115, 0.0165, 0.0205, 0.017, 0.013, 0.0175, 0.0115];
            turned_bar(side, [foot, top], &radii, 8);
        }
        // The side stretcher from leg to leg, at the height of the cross stretcher.
        let at = |leg: [DVec3; 2]| leg[1].lerp(leg[0], 0.36);
        turned_bar(side, [at(LEGS[1]), at(LEGS[0])], &[0.008, 0.0135, 0.0135, 0.008], 8);
        turned_bar(side, POST, &[0.013, 0.0155, 0.0135, 0.016, 0.0145, 0.011], 8);
    });
    let middle = LEGS[0][1].lerp(LEGS[0][0], 0.36).lerp(LEGS[1][1].lerp(LEGS[1][0], 0.36), 0.5);
    let mirror = |p: DVec3| dvec3(p.x, -p.y, p.z);
    turned_bar(&mut chair, [middle, mirror(middle)], &[0.008, 0.0135, 0.0135, 0.008], 8);
    back(&mut chair);
    chair.finish()
}

/// Adds a round bar whose radius follows `radii`.
fn turned_bar(chair: &mut Assembly, [from, to]: [DVec3; 2], radii: &[f64], around: usize) {
    let last = (radii.len() - 1) as f64;
    let controls: Vec<Station> = radii
        .iter()
        .enumerate()
        .map(|(i, &r)| Station { at: from.lerp(to, i as f64 / last), half: DVec2::splat(r) })
        .collect();
    chair.sweep(&round(around), &smooth(&controls, 2), DVec3::Y);
}

/// Adds a rounded slab, slightly hollowed from above.
fn seat(chair: &mut Assembly) {
    let rings =
        [(0.0, -0.016), (0.6, -0.017), (0.93, -0.014), (1.0, 0.0), (0.98, 0.01), (0.9, 0.016), (0.6, 0.008)];
    let mut slab = Assembly::default();
    let stations: Vec<Station> = rings
        .iter()
        .chain(&[(0.0, 0.005)])
        .map(|&(size, z)| Station::new([0.0, 0.0, z], [0.215 * size, 0.225 * size]))
        .collect();
    slab.stack(&rounded(18), &stations, DVec3::X, DVec3::Y);
    chair.add(&slab.finish(), DAffine3::from_translation(dvec3(0.0, 0.0, 0.452)));
}

/// Adds spindles from the seat to a bowed rail on top, and one rung across them, all leaning back.
fn back(chair: &mut Assembly) {
    // A point bowed backward in the middle, at the height `t` of the posts.
    let bow = |t: f64, across: f64| {
        let post = POST[0].lerp(POST[1], t);
        dvec3(post.x - 0.035 * t * (1.0 - across * across), post.y * across, post.z)
    };
    for k in 0..5 {
        let across = (f64::from(k) - 2.0) * 0.33;
        turned_bar(chair, [bow(0.0, across), bow(0.92, across)], &[0.006, 0.0075, 0.009, 0.0065, 0.006], 6);
    }
    for (t, reach, half) in [(0.93, 1.16, DVec2::new(0.011, 0.036)), (0.5, 0.97, DVec2::new(0.005, 0.011))] {
        let rail: Vec<Station> = (0..=8)
            .map(|k| reach * (f64::from(k) / 4.0 - 1.0))
            .map(|across| Station { at: bow(t, across), half })
            .collect();
        chair.sweep(&rounded(8), &rail, (POST[1] - POST[0]).normalize_or_zero());
    }
}
