//! Occupancy counts: the number of cells of a node's box that contain a large part of the surface.
//! \[adb\] §3.2, §3.3
//!
//! The box is divided into 8 × 8 × 8 cells by default. A cell is a *possible collision cell* if the
//! area of the triangles within it is at least `MaxArea` (Definition 2). For a cell with sides a ≥ b ≥
//! c, `MaxArea` is the area of its largest plane section, a √(b² + c²), times [`CellRule::share`] / √2.
//! With a share of √2 it is the value that the paper prints. A single sheet almost never reaches that
//! value; Definition 3 calls the value "suitably chosen".

use glam::{DVec3, Vec3};

use super::slabs::divide;
use crate::arrays::MapEach;
use crate::volume::Aabb;

/// Default number of cells along each side of a box. \[adb\] §4.2.2
pub const SIDE: usize = 8;
/// Default number of cells of a box.
pub const CELLS: usize = SIDE * SIDE * SIDE;

/// Rule of the counts: the division of boxes into cells, the area from which a cell counts, and the
/// least thickness of boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellRule {
    /// Number of cells along each side of a box, 1 to 16.
    pub side: u16,
    /// `MaxArea` of a cubic cell, as a share of its squared side. The paper prints √2. At 1, a flat
    /// wall parallel to a face of the cell just counts.
    pub share: f64,
    /// Least thickness of the divided box, as a share of its longest side. A thinner box is thickened.
    pub thinnest: f32,
    /// Whether counts by octant and by sector are stored as well. They exist only if `side` is eight.
    /// \[adb\] §3.4.3
    pub regions: bool,
}

impl Default for CellRule {
    /// Returns a rule that suits sheets, because the surface in most nodes is a sheet and most leaves
    /// are flat. A sheet that crosses a cell rarely has half of the area that the paper demands. A flat
    /// box must be thickened, else its cells do not cover the space in which another surface intersects
    /// it.
    fn default() -> Self {
        Self { side: SIDE as u16, share: 0.25, thinnest: 0.25, regions: false }
    }
}

impl CellRule {
    /// The paper's rule, but with our choice of the share. The paper prints √2, with which its model
    /// never reports a collision; it calls the share "suitably chosen" without a method. Between 0.05
    /// and 0.3 the number of errors hardly depends on the share and is about as low as in the paper;
    /// above 0.3 it grows (`tumble bench adb-share`, docs/papers.md). Flat boxes are thickened only to
    /// the least side.
    pub const PAPER: Self = Self { side: SIDE as u16, share: 0.25, thinnest: 0.0, regions: false };

    /// Returns the number of cells of a box.
    pub fn cell_count(&self) -> u16 {
        self.side.pow(3)
    }

    /// Returns the least side of a divided box, m. `diagonal` is that of the box of the whole object,
    /// m. The result is positive, so every divided box has a volume.
    pub fn least_side(&self, diagonal: f32) -> f32 {
        (1e-4 * diagonal).max(f32::MIN_POSITIVE)
    }

    /// Returns the half extents of the box that is divided, m, from the half extents of the node's box.
    pub fn thickened(&self, half: Vec3, least_side: f32) -> Vec3 {
        half.max(Vec3::splat((self.thinnest * half.max_element()).max(0.5 * least_side)))
    }
}

/// Occupancy counts of one box: its possible collision cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellCounts {
    /// Number of possible collision cells, at most [`CellRule::cell_count`].
    pub total: u16,
    /// Counts in the eight octants of the box, each 0 to 64. The octant at (x, y, z), each 0 or 1, has
    /// index x + 2 y + 4 z. Zero unless `side` is eight. §3.4.3
    pub blocks: [u8; 8],
    /// Counts in the six sectors: the pyramids from the center to the faces −x, +x, −y, +y, −z, +z.
    /// Each is at most [`SECTOR_CELLS`]; zero unless `side` is eight. §3.4.3
    pub sectors: [u8; 6],
}

/// Number of cells with their center in each sector. A center on the border of two sectors belongs to
/// the sector of the earlier axis.
pub const SECTOR_CELLS: [u8; 6] = [120, 120, 80, 80, 56, 56];

/// Set of cells: bit x + 8 y of element z.
type CellSet = [u64; SIDE];

const SECTORS: [CellSet; 6] = sectors();

const fn sectors() -> [CellSet; 6] {
    let mut sets = [[0; SIDE]; 6];
    let mut cell = 0;
    while cell < CELLS {
        // Twice the offset of the cell's center from the box's center, in cells; always odd.
        let at = [2 * (cell % 8) as i32 - 7, 2 * (cell / 8 % 8) as i32 - 7, 2 * (cell / 64) as i32 - 7];
        let mut axis = 0;
        if at[1].abs() > at[axis].abs() {
            axis = 1;
        }
        if at[2].abs() > at[axis].abs() {
            axis = 2;
        }
        sets[2 * axis + (at[axis] > 0) as usize][cell / 64] |= 1 << (cell % 64);
        cell += 1;
    }
    sets
}

impl CellCounts {
    /// Counts a set of cells in total, by octant and by sector.
    fn of(cells: &CellSet) -> Self {
        let mut counts = Self::default();
        for (z, &layer) in cells.iter().enumerate() {
            for y in 0..2 {
                let half = layer >> (32 * y);
                let block = 4 * (z / 4) + 2 * y;
                counts.blocks[block] += (half & 0x0F0F_0F0F).count_ones() as u8;
                counts.blocks[block + 1] += (half & 0xF0F0_F0F0).count_ones() as u8;
            }
            for (count, sector) in counts.sectors.iter_mut().zip(&SECTORS) {
                *count += (layer & sector[z]).count_ones() as u8;
            }
        }
        counts.total = counts.blocks.iter().map(|&count| u16::from(count)).sum();
        counts
    }
}

/// Areas of the surface in the cells of one box. The buffer is reused from box to box.
#[derive(Clone, Debug)]
pub struct CellCounter {
    /// Number of cells along each side.
    side: usize,
    /// Area per cell, m²; index x + side y + side² z.
    areas: Vec<f64>,
    /// Largest plane section of a cell, m².
    section: f64,
}

impl Default for CellCounter {
    fn default() -> Self {
        Self { side: SIDE, areas: vec![0.0; CELLS], section: f64::INFINITY }
    }
}

/// Relative tolerance of the comparison with `MaxArea`; it covers rounding errors of the sums.
const SLACK: f64 = 1e-9;

impl CellCounter {
    /// Counts the possible collision cells of a box (body space), thickened by `rule` and `least_side`.
    /// The triangles are clipped to the cells. A box that is empty or not finite has no such cells.
    pub fn count(
        &mut self,
        bounds: &Aabb,
        triangles: impl IntoIterator<Item = [Vec3; 3]>,
        rule: &CellRule,
        least_side: f32,
    ) -> CellCounts {
        let half = 0.5 * bounds.size();
        let grown = rule.thickened(half, least_side) - half;
        self.side = usize::from(rule.side);
        self.measure(&Aabb::new(bounds.min - grown, bounds.max + grown), triangles);
        self.reaching(rule.share)
    }

    /// Sums the area of the triangles in each cell of a box. All areas are zero if a side of the box is
    /// not positive and finite.
    fn measure(&mut self, bounds: &Aabb, triangles: impl IntoIterator<Item = [Vec3; 3]>) {
        self.areas.clear();
        self.areas.resize(self.side.pow(3), 0.0);
        self.section = f64::INFINITY;
        let origin = bounds.min.as_dvec3();
        let sides = bounds.max.as_dvec3() - origin;
        if !(sides.is_finite() && sides.cmpgt(DVec3::ZERO).all()) {
            return;
        }
        self.section = largest_section(sides / self.side as f64);
        let scale = self.side as f64 / sides;
        for triangle in triangles {
            let [a, b, c] = triangle.map_each(|v| v.as_dvec3() - origin);
            let area = 0.5 * (b - a).cross(c - a).length();
            let corners = [a, b, c].map_each(|v| v * scale);
            divide(self.side, corners, |cell, share| self.areas[cell] += area * share);
        }
    }

    /// Counts the cells of the last measured box whose area is at least `MaxArea` at the given
    /// [`CellRule::share`].
    fn reaching(&self, share: f64) -> CellCounts {
        let least = share * self.section * ((1.0 - SLACK) / std::f64::consts::SQRT_2);
        let is_possible = |area: f64| area > 0.0 && area >= least;
        if self.side != SIDE {
            let total = self.areas.iter().filter(|&&area| is_possible(area)).count() as u16;
            return CellCounts { total, ..CellCounts::default() };
        }
        let mut cells = CellSet::default();
        for (layer, areas) in cells.iter_mut().zip(self.areas.chunks_exact(64)) {
            for (bit, &area) in areas.iter().enumerate() {
                *layer |= u64::from(is_possible(area)) << bit;
            }
        }
        CellCounts::of(&cells)
    }
}

/// Returns the area of the largest plane section of a box with the given sides. The section contains
/// two of the longest edges. \[adb\] Figure 4
fn largest_section(sides: DVec3) -> f64 {
    let mut sides = sides.to_array();
    sides.sort_unstable_by(f64::total_cmp);
    let [short, middle, long] = sides;
    long * (middle * middle + short * short).sqrt()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::SQRT_2;

    use glam::{DQuat, Vec3Swizzles};

    use super::*;
    use crate::random::Random;

    const UNIT: Aabb = Aabb { min: Vec3::ZERO, max: Vec3::ONE };

    fn rule(share: f64) -> CellRule {
        CellRule { share, ..CellRule::PAPER }
    }

    fn bounds(triangles: &[[Vec3; 3]]) -> Aabb {
        Aabb::from_points(triangles.iter().flatten().copied())
    }

    fn count(bounds: &Aabb, triangles: &[[Vec3; 3]], share: f64) -> CellCounts {
        let rule = rule(share);
        CellCounter::default().count(
            bounds,
            triangles.iter().copied(),
            &rule,
            rule.least_side(UNIT.diagonal()),
        )
    }

    /// Builds `number` triangles with corners on a grid of 1/8192, so that sums and mirror images are
    /// exact.
    fn soup(random: &mut Random, number: usize) -> Vec<[Vec3; 3]> {
        let mut one = || ((random.uniform() * 8192.0) as f32) / 8192.0;
        (0..number).map(|_| [(); 3].map(|()| Vec3::new(one(), one(), one()))).collect()
    }

    /// Builds two triangles across the unit box at height `z`.
    fn wall(z: f32) -> [[Vec3; 3]; 2] {
        let [a, b, c, d] = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Vec3::new(x, y, z));
        [[a, b, c], [a, c, d]]
    }

    #[test]
    fn a_wall_fills_one_layer_of_any_number_of_cells() {
        for side in [1, 2, 4, 6, 8, 16] {
            let rule = CellRule { side, ..rule(1.0) };
            let walls = [wall(0.3), wall(0.7)].concat();
            let counts = CellCounter::default().count(&UNIT, walls, &rule, 1e-4);
            let layers = if side == 1 { 1 } else { 2 };
            assert_eq!(counts.total, layers * side * side, "{side}");
        }
    }

    #[test]
    fn a_wall_fills_one_layer_up_to_a_share_of_one() {
        for z in [0.0, 0.03, 0.125, 0.5, 0.875, 0.99, 1.0] {
            for share in [0.25, 0.5, 0.577, 1.0] {
                assert_eq!(count(&UNIT, &wall(z), share).total, 64, "{z} {share}");
            }
            assert_eq!(count(&UNIT, &wall(z), 1.001).total, 0, "{z}");
            assert_eq!(count(&UNIT, &wall(z), SQRT_2).total, 0, "{z}");
            let upper = usize::from(z >= 0.5);
            assert_eq!(
                count(&UNIT, &wall(z), 1.0).blocks.map(|b| b / 16),
                [[1, 0], [0, 1]][upper].map(|b| [b; 4]).as_flattened()
            );
        }
    }

    /// Counts cells of random sheets by the paper's value. No sheet reaches it, so it cannot be the
    /// default.
    #[test]
    fn no_sheet_reaches_the_paper_s_own_threshold() {
        let mut random = Random::new(3, 0);
        let (mut crossed, mut area, sheets) = (0, 0.0, 200);
        for _ in 0..sheets {
            let turn = random.rotation();
            // The sheet passes through the middle third of the box and extends far beyond the box.
            let offset = 0.3 * (random.uniform() - 0.5);
            let at = |x, y| ((turn * DVec3::new(x, y, offset)) + 0.5).as_vec3();
            let sheet = [at(-4.0, -4.0), at(8.0, -4.0), at(-4.0, 8.0)];
            let mut counter = CellCounter::default();
            counter.measure(&UNIT, [sheet]);
            crossed += counter.areas.iter().filter(|&&area| area > 0.0).count();
            area += counter.areas.iter().sum::<f64>();
            assert_eq!(counter.reaching(SQRT_2).total, 0);
        }
        let mean = area * 64.0 / crossed as f64;
        let crossed = crossed as f64 / f64::from(sheets);
        assert!((105.0..120.0).contains(&crossed), "{crossed}");
        assert!((0.63..0.71).contains(&mean), "{mean}");
    }

    #[test]
    fn the_diagonal_section_reaches_the_paper_s_own_threshold() {
        let [a, b, c, d] = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Vec3::new(x, y, x));
        assert_eq!(count(&UNIT, &[[a, b, c], [a, c, d]], SQRT_2).total, 64);
        // Cells with sides 4 : 2 : 1, cut through their long edges.
        let stretch = Vec3::new(2.0, 4.0, 1.0);
        let sheet = [[a, b, c], [a, c, d]].map(|t| t.map(|v| v * stretch));
        assert_eq!(count(&bounds(&sheet), &sheet, SQRT_2).total, 64);
        assert_eq!(count(&bounds(&sheet), &sheet, 1.415).total, 0);
    }

    #[test]
    fn flat_and_tiny_boxes_have_cells() {
        // In a flat box, the largest section of a cell is hardly larger than a wall in the cell.
        for axis in 0..3 {
            let flat = wall(0.3).map(|t| {
                t.map(|v| {
                    if axis == 0 {
                        v.zxy()
                    } else if axis == 1 {
                        v.yzx()
                    } else {
                        v
                    }
                })
            });
            let counts = count(&bounds(&flat), &flat, 1.0);
            assert_eq!(counts.total, 64, "{axis}");
            assert_eq!(counts.blocks.iter().filter(|&&b| b == 16).count(), 4, "{axis}");
        }
        let one = [wall(0.3)[0]];
        assert_eq!(count(&bounds(&one), &one, 0.5).total, 36);
        // A point and a line have no area; an empty box has no cells.
        for degenerate in
            [[Vec3::ONE; 3], [Vec3::ZERO, Vec3::ONE, Vec3::splat(0.25)], [Vec3::ZERO, Vec3::X, Vec3::X]]
        {
            assert_eq!(count(&bounds(&[degenerate]), &[degenerate], 0.5), CellCounts::default());
        }
        assert_eq!(count(&Aabb::EMPTY, &wall(0.5), 0.5), CellCounts::default());
        let all = Aabb::new(Vec3::MIN, Vec3::MAX);
        assert_eq!(count(&all, &wall(0.5), 0.5), CellCounts::default());
        for scale in [1e-30, 1e-18, 1e18] {
            let scaled = wall(0.5).map(|t| t.map(|v| v * scale));
            let counts = CellCounter::default().count(&bounds(&scaled), scaled, &rule(0.5), 1e-4 * scale);
            assert_eq!(counts.total, 64, "{scale}");
        }
    }

    #[test]
    fn thickened_boxes_are_no_thinner_than_the_rule_says() {
        let half = Vec3::new(1.0, 1e-7, 0.0);
        assert_eq!(CellRule::PAPER.thickened(half, 1e-3), Vec3::new(1.0, 5e-4, 5e-4));
        assert_eq!(CellRule::default().thickened(half, 1e-3), Vec3::new(1.0, 0.25, 0.25));
        assert_eq!(CellRule::default().thickened(Vec3::ZERO, 1e-3), Vec3::splat(5e-4));
        for rule in [CellRule::PAPER, CellRule::default()] {
            let least = rule.least_side(0.0);
            assert!(least > 0.0);
            for half in [half, Vec3::ZERO, Vec3::ONE, Vec3::splat(1e30)] {
                let thick = rule.thickened(half, least);
                assert!(thick.cmpge(half).all() && thick.cmpgt(Vec3::ZERO).all());
                assert_eq!(rule.thickened(thick, least), thick);
            }
        }
    }

    #[test]
    fn areas_of_cells_add_up_to_that_of_the_surface() {
        let mut random = Random::new(9, 0);
        for stretch in [Vec3::ONE, Vec3::new(100.0, 1.0, 0.01), Vec3::new(1e-6, 1e-3, 1.0)] {
            let triangles: Vec<_> =
                soup(&mut random, 50).into_iter().map(|t| t.map(|v| v * stretch)).collect();
            let mut counter = CellCounter::default();
            counter.measure(&bounds(&triangles), triangles.iter().copied());
            let area = |t: &[Vec3; 3]| {
                let [a, b, c] = t.map(|v| v.as_dvec3());
                0.5 * (b - a).cross(c - a).length()
            };
            let right: f64 = triangles.iter().map(area).sum();
            let sum: f64 = counter.areas.iter().sum();
            assert!((sum / right - 1.0).abs() < 1e-12, "{stretch}: {sum} {right}");
        }
    }

    #[test]
    fn counts_do_not_depend_on_the_order_of_triangles_or_corners() {
        let mut random = Random::new(4, 0);
        let mut triangles = soup(&mut random, 40);
        let counts = [0.25, 0.5, 1.0, SQRT_2].map(|share| count(&UNIT, &triangles, share));
        assert!(counts[0].total > counts[3].total);
        for turn in 0..5 {
            triangles.rotate_left(7 * turn);
            triangles.iter_mut().for_each(|t| t.rotate_left(turn % 3));
            triangles.iter_mut().step_by(3).for_each(|t| t.reverse());
            assert_eq!([0.25, 0.5, 1.0, SQRT_2].map(|share| count(&UNIT, &triangles, share)), counts);
        }
    }

    #[test]
    fn counts_move_with_mirror_images_and_exchanged_axes() {
        let mut random = Random::new(5, 0);
        for _ in 0..20 {
            let triangles = soup(&mut random, 5);
            let own = count(&UNIT, &triangles, 0.5);
            for axis in 0..3 {
                let mirrored: Vec<_> = triangles
                    .iter()
                    .map(|t| {
                        t.map(|mut v| {
                            v[axis] = 1.0 - v[axis];
                            v
                        })
                    })
                    .collect();
                let image = count(&UNIT, &mirrored, 0.5);
                assert_eq!(image.total, own.total);
                assert_eq!(std::array::from_fn(|block| image.blocks[block ^ 1 << axis]), own.blocks);
                let side = |s: usize| if s / 2 == axis { s ^ 1 } else { s };
                assert_eq!(std::array::from_fn(|sector| image.sectors[side(sector)]), own.sectors);
            }
            let turned: Vec<_> = triangles.iter().map(|t| t.map(|v| v.yzx())).collect();
            let turned = count(&UNIT, &turned, 0.5);
            assert_eq!(turned.total, own.total);
            // The bits of a block's index are permuted: y, z, x.
            assert_eq!(std::array::from_fn(|block| turned.blocks[block >> 1 | (block & 1) << 2]), own.blocks);
        }
    }

    #[test]
    fn counts_are_the_same_far_from_the_origin() {
        let mut random = Random::new(6, 0);
        // Rounded to the spacing of coordinates at that distance, so that the move rounds nothing.
        let coarse = |t: [Vec3; 3]| t.map(|v| (v * 512.0).round() / 512.0);
        let triangles: Vec<_> = soup(&mut random, 30).into_iter().map(coarse).collect();
        let offset = Vec3::new(1e4, -1e4, 2e4);
        let moved: Vec<_> = triangles.iter().map(|t| t.map(|v| v + offset)).collect();
        for share in [0.25, 0.5, 1.0] {
            assert_eq!(count(&bounds(&moved), &moved, share), count(&bounds(&triangles), &triangles, share));
        }
    }

    #[test]
    fn counts_fall_with_the_share_and_blocks_and_sectors_add_up() {
        let mut random = Random::new(7, 0);
        let turn: DQuat = random.rotation();
        let triangles: Vec<_> =
            soup(&mut random, 60).into_iter().map(|t| t.map(|v| (turn * v.as_dvec3()).as_vec3())).collect();
        let mut last = CELLS as u16;
        for share in [0.0, 0.1, 0.25, 0.5, 0.577, 1.0, SQRT_2, 3.0, f64::NAN] {
            let counts = count(&bounds(&triangles), &triangles, share);
            assert!(counts.total <= last, "{share}");
            assert_eq!(counts.blocks.iter().map(|&b| u16::from(b)).sum::<u16>(), counts.total);
            assert_eq!(counts.sectors.iter().map(|&s| u16::from(s)).sum::<u16>(), counts.total);
            last = counts.total;
        }
        assert_eq!(last, 0);
        assert_eq!(
            CellCounts::of(&[u64::MAX; SIDE]),
            CellCounts { total: 512, blocks: [64; 8], sectors: SECTOR_CELLS }
        );
    }
}
