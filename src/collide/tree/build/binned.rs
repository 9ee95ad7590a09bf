//! Fast rule. Of all borders between bins of triangle centers on the three axes, it chooses the one of
//! least cost. The cost is the sum over both children of box surface times triangle count. A few
//! triangles are sorted instead of binned, so that every border on one axis is tested. Linear in the
//! items of a node.

use glam::Vec3A;

use super::division::{Division, TriangleRange, partition};
use super::item::Item;

use crate::arrays::MapEach;

/// Number of bins per axis. More bins find better borders; fewer build faster.
const BIN_COUNT: usize = 16;
/// Number of items below which a set uses half as many bins.
const FEW_BINS_COUNT: usize = 64;
/// Largest number of items that are sorted instead of binned.
const SORTED_COUNT: usize = 16;

#[derive(Clone, Copy)]
struct Bin {
    min: Vec3A,
    max: Vec3A,
    count: u32,
}

impl Bin {
    const EMPTY: Self = Self { min: Vec3A::INFINITY, max: Vec3A::NEG_INFINITY, count: 0 };

    fn add(&mut self, item: &Item) {
        self.min = self.min.min(item.min());
        self.max = self.max.max(item.max());
        self.count += 1;
    }

    fn join(&mut self, other: &Self) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.count += other.count;
    }

    /// Returns half the surface of the box, times the number of triangles inside.
    fn cost(&self) -> f32 {
        let d = self.max - self.min;
        (d.x * d.y + d.y * d.z + d.z * d.x) * self.count as f32
    }
}

/// Divides the items at the best border; `None` if all centers coincide.
pub(super) fn divide(items: &mut [Item], region: &TriangleRange) -> Option<Division> {
    if items.len() <= SORTED_COUNT { divide_few(items, region) } else { divide_many(items, region) }
}

fn division(axis: usize, count: usize) -> Option<Division> {
    Some(Division { count, axis, upper_sides: [true, false] })
}

/// Tests every border on the axis on which the centers spread most.
fn divide_few(items: &mut [Item], region: &TriangleRange) -> Option<Division> {
    let extent = region.centers.size();
    let axis = extent.max_position();
    if extent[axis] <= 0.0 {
        return None;
    }
    sort_by_center(items, axis);
    let count = items.len();
    let mut above = [0.0; SORTED_COUNT];
    let mut sum = Bin::EMPTY;
    for k in (1..count).rev() {
        sum.add(&items[k]);
        above[k] = sum.cost();
    }
    let mut best = (f32::INFINITY, count / 2);
    let mut below = Bin::EMPTY;
    for k in 1..count {
        below.add(&items[k - 1]);
        let cost = below.cost() + above[k];
        if cost < best.0 {
            best = (cost, k);
        }
    }
    division(axis, best.1)
}

/// Sorts a few items by center, with a stable insertion sort.
fn sort_by_center(items: &mut [Item], axis: usize) {
    for k in 1..items.len() {
        let item = items[k];
        let center = item.doubled_center()[axis];
        let mut at = k;
        while at > 0 && items[at - 1].doubled_center()[axis] > center {
            items[at] = items[at - 1];
            at -= 1;
        }
        items[at] = item;
    }
}

fn divide_many(items: &mut [Item], region: &TriangleRange) -> Option<Division> {
    if items.len() < FEW_BINS_COUNT {
        divide_in_bins::<{ BIN_COUNT / 2 }>(items, region)
    } else {
        divide_in_bins::<BIN_COUNT>(items, region)
    }
}

/// Mapping from a center to its bin on each axis.
struct Binning<const N: usize> {
    low: Vec3A,
    scale: Vec3A,
}

impl<const N: usize> Binning<N> {
    /// Builds the mapping. On an axis on which all centers coincide, it maps every center to the first
    /// bin.
    fn new(region: &TriangleRange) -> Self {
        let low = Vec3A::from(region.centers.min);
        let extent = Vec3A::from(region.centers.max) - low;
        let scale = Vec3A::splat(N as f32 - 0.51) / extent;
        Self { low, scale: Vec3A::select(extent.cmpgt(Vec3A::ZERO), scale, Vec3A::ZERO) }
    }

    /// Returns the bin on each axis. Adding 2²³ rounds a number to an integer in the lowest bits of its
    /// representation, which is much faster than a conversion. The first bin is half as wide as the
    /// others.
    fn of(&self, item: &Item) -> [usize; 3] {
        let at = (item.doubled_center() - self.low) * self.scale + Vec3A::splat(8_388_608.0);
        [at.x, at.y, at.z].map_each(|x| x.to_bits() as usize % N)
    }
}

/// Divides the items at the best border between bins; `None` if every border leaves one side empty.
fn divide_in_bins<const N: usize>(items: &mut [Item], region: &TriangleRange) -> Option<Division> {
    let binning = Binning::<N>::new(region);
    let mut bins = [[Bin::EMPTY; N]; 3];
    for item in items.iter() {
        let [x, y, z] = binning.of(item);
        bins[0][x].add(item);
        bins[1][y].add(item);
        bins[2][z].add(item);
    }
    let mut best = (f32::INFINITY, 0, 0);
    for (axis, bins) in bins.iter().enumerate() {
        if binning.scale[axis] > 0.0
            && let Some((cost, border)) = best_border(bins)
            && cost < best.0
        {
            best = (cost, axis, border);
        }
    }
    let (cost, axis, border) = best;
    if !cost.is_finite() {
        return None;
    }
    let count = partition(items, |item| binning.of(item)[axis] < border);
    if count > 0 && count < items.len() { division(axis, count) } else { None }
}

/// Returns the least cost of a border, and the first bin of the upper child at this border.
fn best_border<const N: usize>(bins: &[Bin; N]) -> Option<(f32, usize)> {
    let mut above = [0.0; N];
    let mut sum = Bin::EMPTY;
    for k in (1..N).rev() {
        sum.join(&bins[k]);
        above[k] = if sum.count > 0 { sum.cost() } else { f32::INFINITY };
    }
    let mut best = None;
    let mut below = Bin::EMPTY;
    for k in 1..N {
        below.join(&bins[k - 1]);
        if below.count == 0 {
            continue;
        }
        let cost = below.cost() + above[k];
        if cost.is_finite() && best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, k));
        }
    }
    best
}
