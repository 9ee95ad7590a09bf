//! Vertices by place, for cells that float: a uniform grid as wide as a cell, hashed into as many buckets as
//! there are vertices, so that a cell looks into eight of them whatever the width.

use glam::Vec3;

use super::super::NONE;

use crate::arrays::MapEach;

/// A vertex, and the cell that holds it.
#[derive(Clone, Copy)]
struct Entry {
    position: Vec3,
    vertex: u32,
    /// Squared, to the centre of its cell, m².
    distance: f32,
    /// [`NONE`] while it is free.
    center: u32,
}

const _: () = assert!(size_of::<Entry>() == 24);

pub(super) struct Grid {
    min: Vec3,
    width: f32,
    mask: u32,
    /// Where each bucket's entries begin, and the end of the last.
    first: Vec<u32>,
    entries: Vec<Entry>,
    /// The place of each vertex in `entries`.
    place: Vec<u32>,
}

impl Grid {
    /// `width` is more than 0.
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

    /// A cell about a vertex takes what lies in it and is nearer to it than to the cell that holds it.
    pub fn open(&mut self, center: u32, position: Vec3) {
        let half = 0.5 * self.width;
        let low = cell(position - half, self.min, self.width);
        let high = cell(position + half, self.min, self.width);
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                // The buckets of a row follow each other, but where it runs over the last.
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
        // Though rounding may have put it outside its own cell, or it be too far off for its distance to
        // itself.
        let own = &mut self.entries[self.place[center as usize] as usize];
        (own.distance, own.center) = (0.0, center);
    }

    /// For each vertex the centre of its cell.
    pub fn finish(self) -> Vec<u32> {
        self.place.iter().map(|&at| self.entries[at as usize].center).collect()
    }
}

fn cell(position: Vec3, min: Vec3, width: f32) -> [i32; 3] {
    ((position - min) / width).to_array().map_each(|x| x.floor() as i32)
}

/// Rows multiplied by large primes (Teschner et al. 2003); the cells of a row side by side.
fn bucket([x, y, z]: [i32; 3], mask: u32) -> u32 {
    let mixed = (y as u32).wrapping_mul(19_349_663) ^ (z as u32).wrapping_mul(83_492_791);
    (mixed ^ mixed >> 15).wrapping_add(x as u32) & mask
}
