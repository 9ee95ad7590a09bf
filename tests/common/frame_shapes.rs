//! The surfaces of the frame: slabs with holes, turned solids, a pot and a sheet. Their sizes are given
//! in mm; their triangles are in m.

use std::collections::HashMap;
use std::f64::consts::TAU;

use glam::{DVec3, Vec3};
use tumble::generate::{Triangles, cuboid};

/// Corners of a circle.
pub const SIDES: usize = 24;

/// Triangles with corners in mm; equal corners are joined.
#[derive(Default)]
struct Surface {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    known: HashMap<[i64; 3], u32>,
}

impl Surface {
    fn corner(&mut self, p: DVec3) -> u32 {
        let key = (1e5 * p).round().to_array().map(|x| x as i64);
        *self.known.entry(key).or_insert_with(|| {
            self.positions.push((1e-3 * p).as_vec3());
            self.positions.len() as u32 - 1
        })
    }

    /// Adds a face of four corners, counter-clockwise seen from outside; some of the corners may be
    /// equal.
    fn quad(&mut self, corners: [DVec3; 4]) {
        let [a, b, c, d] = corners.map(|p| self.corner(p));
        for [p, q, r] in [[a, b, c], [a, c, d]] {
            if p != q && q != r && r != p {
                self.triangles.push([p, q, r]);
            }
        }
    }

    fn finish(self) -> Triangles {
        (self.positions, self.triangles)
    }
}

/// Returns a corner of a circle about z; the first lies on the x axis.
fn around(k: usize) -> DVec3 {
    let angle = TAU * (k % SIDES) as f64 / SIDES as f64;
    DVec3::new(angle.cos(), angle.sin(), 0.0)
}

/// Returns a slab between two heights, cut into cells at the given x and y; the middle of a cell may
/// have a hole.
pub fn slab(xs: &[f64], ys: &[f64], heights: [f64; 2], hole: impl Fn(f64, f64) -> f64) -> Triangles {
    let mut surface = Surface::default();
    let [low, high] = heights.map(|z| DVec3::Z * z);
    for (i, x) in xs.windows(2).enumerate() {
        for (j, y) in ys.windows(2).enumerate() {
            let middle = 0.5 * DVec3::new(x[0] + x[1], y[0] + y[1], 0.0);
            let half = 0.5 * DVec3::new(x[1] - x[0], y[1] - y[0], 0.0);
            let radius = hole(middle.x, middle.y);
            for k in 0..SIDES {
                let square = |k: usize| around(k) / around(k).abs().max_element();
                let [o, p] = [k, k + 1].map(|k| middle + half * square(k));
                let [h, g] = [k, k + 1].map(|k| middle + radius * around(k));
                surface.quad([h + high, o + high, p + high, g + high]);
                surface.quad([h + low, g + low, p + low, o + low]);
                surface.quad([h + low, h + high, g + high, g + low]);
                // Directions within 45 degrees of x belong to the side of the cell along x, and so on.
                let is_rim = match (k + SIDES / 8) % SIDES / (SIDES / 4) {
                    0 => i + 2 == xs.len(),
                    1 => j + 2 == ys.len(),
                    2 => i == 0,
                    _ => j == 0,
                };
                if is_rim {
                    surface.quad([o + low, p + low, p + high, o + high]);
                }
            }
        }
    }
    surface.finish()
}

/// Returns a solid of revolution about z. Its outline, by radius and height, is closed and
/// counter-clockwise.
pub fn turned(outline: &[(f64, f64)]) -> Triangles {
    let mut surface = Surface::default();
    for (i, &(r, z)) in outline.iter().enumerate() {
        let (s, w) = outline[(i + 1) % outline.len()];
        if r == 0.0 && s == 0.0 {
            continue;
        }
        for k in 0..SIDES {
            let at = |r: f64, z: f64, k: usize| r * around(k) + DVec3::Z * z;
            surface.quad([at(r, z, k), at(r, z, k + 1), at(s, w, k + 1), at(s, w, k)]);
        }
    }
    surface.finish()
}

/// Returns a ring about z on z = 0: a washer, a nut.
pub fn ring(inner: f64, outer: f64, height: f64) -> Triangles {
    turned(&[(inner, 0.0), (outer, 0.0), (outer, height), (inner, height)])
}

/// Returns a box about the origin.
pub fn block(x: f64, y: f64, z: f64) -> Triangles {
    cuboid((1e-3 * DVec3::new(x, y, z)).as_vec3(), 10.0)
}

/// Returns a box with a cavity.
pub fn pot(side: f64, cavity: f64) -> Triangles {
    let (mut positions, mut triangles) = block(side, side, side);
    let (inner, turned) = block(cavity, cavity, cavity);
    let first = positions.len() as u32;
    positions.extend(inner);
    triangles.extend(turned.iter().map(|[a, b, c]| [first + a, first + c, first + b]));
    (positions, triangles)
}

/// Returns a rectangle at z = 0.
pub fn sheet(x: f64, y: f64) -> Triangles {
    let mut surface = Surface::default();
    for i in 0..4 {
        for j in 0..4 {
            let at = |i: i32, j: i32| {
                DVec3::new(x * (0.25 * f64::from(i) - 0.5), y * (0.25 * f64::from(j) - 0.5), 0.0)
            };
            surface.quad([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    surface.finish()
}
