//! Estimate of the share of the smaller of two boxes that lies in both, from their half extents and the
//! vector between their centers. \[adb\] §3.6, Fig. 10

use glam::Vec3A;

use crate::arrays::MapEach;

/// Ratio of volumes above which two boxes count as different in size. \[adb\] does not specify it.
const UNLIKE: f32 = 2.0;

fn volume(half: Vec3A) -> f32 {
    half.x * half.y * half.z
}

/// Returns the estimated share of the smaller box that lies in both boxes: the largest over three
/// cases. In each, two equal boxes are rotated so that the line between their centers passes through a
/// face, an edge or a corner of both. Boxes that differ in size are treated as spheres. `half` holds
/// the half extents of both boxes and `way` the vector between their centers, m.
#[inline]
pub fn corner_share(half: [Vec3A; 2], way: Vec3A) -> f32 {
    let [volume_a, volume_b] = half.map_each(volume);
    let smaller = volume_a.min(volume_b);
    if volume_a.max(volume_b) > UNLIKE * smaller {
        return sphere_share(half, way);
    }
    // Boxes of different shapes are replaced by two boxes whose sides are the means of the sorted
    // sides. The corner case uses the mean of the two diagonals.
    let [a, b, c] = (descending(half[0]) + descending(half[1])).to_array();
    let diagonal = half[0].length() + half[1].length();
    let way = way.length();
    let [face, edge, corner] =
        [a, (a * a + b * b).sqrt(), diagonal].map_each(|far| (1.0 - way / far).max(0.0));
    let share = face.max(edge * edge).max(corner * corner * corner);
    (a * b * c / (8.0 * smaller) * share).min(1.0)
}

fn descending(v: Vec3A) -> Vec3A {
    let (low, high) = (v.x.min(v.y), v.x.max(v.y));
    Vec3A::new(high.max(v.z), low.max(high.min(v.z)), low.min(v.z))
}

/// Returns the estimated share of the smaller box that lies in both boxes, by their circumscribed
/// spheres: the share of the smaller sphere in the larger one, times the volume of its box over that of
/// the smaller box, at most 1.
pub fn sphere_share(half: [Vec3A; 2], way: Vec3A) -> f32 {
    let [volume_a, volume_b] = half.map_each(volume);
    let [radius_a, radius_b] = half.map_each(Vec3A::length);
    let small = if radius_a < radius_b { radius_a } else { radius_b };
    let (sum, difference) = (radius_a + radius_b, (radius_a - radius_b).abs());
    let way = way.length();
    if way <= difference {
        return 1.0;
    }
    // The volume of the lens, π (R + r − d)² (d² + 2 d (R + r) − 3 (R − r)²) / (12 d) for radii R, r
    // and distance d, rearranged without cancellation.
    let deep = (sum - way).max(0.0) / small;
    let wide = (way - difference) * (way + 3.0 * difference) / small + 4.0 * way;
    let volume = if radius_a < radius_b { volume_a } else { volume_b };
    (volume / volume_a.min(volume_b) * (deep * deep * wide / (16.0 * way))).min(1.0)
}
