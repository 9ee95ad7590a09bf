//! Vertices by position, for floating cells: a uniform grid with the cell's width, hashed to about as
//! many buckets as there are vertices. Opening a cell searches eight grid cells, whatever the width.

use glam::Vec3;

use super::super::NONE;

use crate::arrays::MapEach;

/// A vertex and its cell.
#[derive(Clone, Copy)]
struct Entry {
    position: Vec3,
    vertex: u32,
    /// Squared distance from the center of its cell, m².
    distance: f32,
    /// Center vertex of its cell; [`NONE`] while the vertex is free.
    center: u32,
}

const _: () = assert!(size_of::<Entry>() == 24);

pub(super) struct Grid {
    min: Vec3,
    width: f32,
    mask: u32,
    /// Index of the first entry of each bucket, and the end of the last.
    first: Vec<u32>,
    entries: Vec<Entry>,
    /// Index of each vertex in `entries`.
    place: Vec<u32>,
}

impl Grid {
    /// Builds the grid. `width` must be positive.
    pub fn new(positions: &[Vec3], min: Vec3, width: f32) -> Self {
        let mask = positions.len().next_power_of_two().max(8) as u32 - 1;
        let mut grid = Self {
            min,
            width,
            mask,
            first: vec![0; mask as usize + 2],
            entries: vec![
                Entry { position: Vec3::ZERO, vertex: 0, distance: f32::INFINITY, center: NONE };
                positions.len()
            ],
            place: vec![0; positions.len()],
        };
        for (place, &position) in grid.place.iter_mut().zip(positions) {
            *place = bucket(cell(position, min, width), mask);
            grid.first[*place as usize + 1] += 1;
        }
        for k in 0..=mask as usize {
            grid.first[k + 1] += grid.first[k];
        }
        let mut next = grid.first.clone();
        for (vertex, (place, &position)) in grid.place.iter_mut().zip(positions).enumerate() {
            let at = &mut next[*place as usize];
            *place = *at;
            let entry = &mut grid.entries[*at as usize];
            (entry.position, entry.vertex) = (position, vertex as u32);
            *at += 1;
        }
        grid
    }

    pub fn is_free(&self, vertex: u32) -> bool {
        self.entries[self.place[vertex as usize] as usize].center == NONE
    }

    /// Opens a cell with a vertex as its center. The cell takes every vertex inside that is free, or
    /// that is nearer to this center than to its present one.
    pub fn open(&mut self, center: u32, position: Vec3) {
        let half = 0.5 * self.width;
        let low = cell(position - half, self.min, self.width);
        let high = cell(position + half, self.min, self.width);
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                // The buckets of a row of cells are consecutive, except where they wrap around.
                let [begin, end] = [low[0], high[0]].map_each(|x| bucket([x, y, z], self.mask) as usize);
                let row = if begin <= end {
                    [begin..end + 1, 0..0]
                } else {
                    [begin..self.first.len() - 1, 0..end + 1]
                };
                for buckets in row {
                    let own = self.first[buckets.start] as usize..self.first[buckets.end] as usize;
                    for entry in &mut self.entries[own] {
                        let off = entry.position - position;
                        let distance = off.length_squared();
                        if distance < entry.distance && off.abs().max_element() <= half {
                            (entry.distance, entry.center) = (distance, center);
                        }
                    }
                }
            }
        }
        // The center always belongs to its own cell, although rounding may have excluded it, or its
        // coordinates may be too large for computing a distance.
        let own = &mut self.entries[self.place[center as usize] as usize];
        (own.distance, own.center) = (0.0, center);
    }

    /// Returns the center of each vertex's cell.
    pub fn finish(self) -> Vec<u32> {
        self.place.iter().map(|&at| self.entries[at as usize].center).collect()
    }
}

fn cell(position: Vec3, min: Vec3, width: f32) -> [i32; 3] {
    ((position - min) / width).to_array().map_each(|x| x.floor() as i32)
}

/// Returns the bucket of a cell. Rows are multiplied by large primes (Teschner et al. 2003); the cells
/// of a row are consecutive.
fn bucket([x, y, z]: [i32; 3], mask: u32) -> u32 {
    let mixed = (y as u32).wrapping_mul(19_349_663) ^ (z as u32).wrapping_mul(83_492_791);
    (mixed ^ mixed >> 15).wrapping_add(x as u32) & mask
}
