//! Naive surface nets (Gibson 1998): the zero surface of a distance field as a closed mesh of even
//! triangles.
//!
//! Each cell that the surface crosses gets one vertex, at the mean of the edge crossings, then moved
//! onto the surface by two Newton steps. Each crossed grid edge gets one quad. The mesh is closed if
//! the surface stays inside the bounds, and a 2-manifold if no cell holds two sheets: keep features two
//! cells apart.

use glam::{DVec3, Vec3};
use tumble::generate::Triangles;

struct Grid {
    low: DVec3,
    cell: f64,
    /// Numbers of points along x, y, z.
    size: [usize; 3],
}

impl Grid {
    /// Returns the index distance of neighboring points along x, y, z.
    fn strides(&self) -> [usize; 3] {
        [1, self.size[0], self.size[0] * self.size[1]]
    }

    fn coordinates(&self, point: usize) -> [usize; 3] {
        [point % self.size[0], point / self.size[0] % self.size[1], point / (self.size[0] * self.size[1])]
    }

    fn position(&self, point: usize) -> DVec3 {
        self.low + DVec3::from_array(self.coordinates(point).map(|x| x as f64)) * self.cell
    }
}

/// Builds the surface. `distance`: negative inside, m. Samples a grid of `cell` (m) from `low` to
/// `high`.
pub fn surface(low: DVec3, high: DVec3, cell: f64, distance: impl Fn(DVec3) -> f64) -> Triangles {
    let size = ((high - low) / cell).to_array().map(|x| x.ceil() as usize + 1);
    let grid = Grid { low, cell, size };
    let strides = grid.strides();
    let samples: Vec<f64> = (0..size.iter().product()).map(|p| distance(grid.position(p))).collect();
    let inside = |point: usize| samples[point] < 0.0;
    // A cell has the index of its lowest point; the last point of a row starts none.
    let cells: Vec<usize> = (0..samples.len())
        .filter(|&p| grid.coordinates(p).iter().zip(size).all(|(&x, count)| x + 1 < count))
        .collect();

    let mut positions: Vec<DVec3> = Vec::new();
    let mut vertex_of_cell = vec![u32::MAX; samples.len()];
    for &p in &cells {
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for axis in 0..3 {
            let [along, u, v] = [0, 1, 2].map(|i| strides[(axis + i) % 3]);
            for from in [p, p + u, p + v, p + u + v] {
                let to = from + along;
                if inside(from) != inside(to) {
                    let (a, b) = (samples[from], samples[to]);
                    sum += grid.position(from).lerp(grid.position(to), a / (a - b));
                    count += 1.0;
                }
            }
        }
        if count > 0.0 {
            vertex_of_cell[p] = positions.len() as u32;
            let mut vertex = sum / count;
            for _ in 0..2 {
                vertex -= newton_step(vertex, &distance).clamp_length_max(0.3 * cell);
            }
            positions.push(vertex);
        }
    }

    let mut triangles = Vec::new();
    for &p in &cells {
        let coordinates = grid.coordinates(p);
        for axis in 0..3 {
            let [along, u, v] = [0, 1, 2].map(|i| strides[(axis + i) % 3]);
            // The four cells around a border edge do not all exist; the surface does not reach the
            // border.
            let border = coordinates[(axis + 1) % 3] == 0 || coordinates[(axis + 2) % 3] == 0;
            if border || inside(p) == inside(p + along) {
                continue;
            }
            let [a, b, c, d] = [p - u - v, p - v, p, p - u].map(|cell| vertex_of_cell[cell]);
            let [a, b, c, d] = if inside(p) { [a, b, c, d] } else { [a, d, c, b] };
            let at = |i: u32| positions[i as usize];
            if at(a).distance_squared(at(c)) <= at(b).distance_squared(at(d)) {
                triangles.extend([[a, b, c], [a, c, d]]);
            } else {
                triangles.extend([[a, b, d], [b, c, d]]);
            }
        }
    }
    let positions: Vec<Vec3> = positions.iter().map(|p| p.as_vec3()).collect();
    (positions, triangles)
}

/// Returns the vector to subtract from `p` to reach the surface, to first order.
fn newton_step(p: DVec3, distance: &impl Fn(DVec3) -> f64) -> DVec3 {
    /// Step of the difference quotient, m: well below a cell, well above rounding.
    const H: f64 = 1e-4;
    let slope = DVec3::AXES.map(|axis| (distance(p + axis * H) - distance(p - axis * H)) / (2.0 * H));
    let slope = DVec3::from_array(slope);
    // A flat spot between two limbs must not throw the vertex away.
    slope * distance(p) / slope.length_squared().max(0.01)
}
