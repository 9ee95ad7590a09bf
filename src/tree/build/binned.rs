//! The fast rule: the border of bins of centres, over all three axes, with the least cost: the surfaces of the
//! two children's boxes weighted by how many triangles each holds. A few triangles are sorted instead, which
//! looks at every border. Linear in the items of a node.

use glam::Vec3A;

use super::{Division, Item, Region};

/// Bins an axis: more find better borders, fewer build faster.
const BIN_COUNT: usize = 16;
/// Sets up to this size are sorted.
const SORTED_COUNT: usize = 8;

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

    /// Half the surface times the triangles inside.
    fn cost(&self) -> f32 {
        let d = self.max - self.min;
        (d.x * d.y + d.y * d.z + d.z * d.x) * self.count as f32
    }
}

/// `None` if all centres coincide.
pub(super) fn divide(items: &mut [Item], region: &Region) -> Option<Division> {
    if items.len() <= SORTED_COUNT { divide_few(items, region) } else { divide_many(items, region) }
}

fn division(axis: usize, count: usize) -> Option<Division> {
    Some(Division { count, axis, upper_sides: [true, false] })
}

/// Every border on every axis.
fn divide_few(items: &mut [Item], region: &Region) -> Option<Division> {
    let extent = region.centers.size();
    if items.len() == 2 {
        let axis = extent.max_position();
        if items[0].doubled_center()[axis] > items[1].doubled_center()[axis] {
            items.swap(0, 1);
        }
        return division(axis, 1);
    }
    let count = items.len();
    let mut best = (f32::INFINITY, 0, 0);
    let mut best_order = [items[0]; SORTED_COUNT];
    for axis in 0..3 {
        if extent[axis] <= 0.0 {
            continue;
        }
        let mut order = [items[0]; SORTED_COUNT];
        let order = &mut order[..count];
        sort_by_center(items, order, axis);
        let mut above = [0.0; SORTED_COUNT];
        let mut sum = Bin::EMPTY;
        for k in (1..count).rev() {
            sum.add(&order[k]);
            above[k] = sum.cost();
        }
        let mut below = Bin::EMPTY;
        let mut improved = false;
        for k in 1..count {
            below.add(&order[k - 1]);
            let cost = below.cost() + above[k];
            if cost < best.0 {
                best = (cost, axis, k);
                improved = true;
            }
        }
        if improved {
            best_order[..count].copy_from_slice(order);
        }
    }
    if best.2 == 0 {
        return None;
    }
    items.copy_from_slice(&best_order[..count]);
    division(best.1, best.2)
}

/// Stable insertion sort of a few.
fn sort_by_center(items: &[Item], order: &mut [Item], axis: usize) {
    for (k, item) in items.iter().enumerate() {
        let center = item.doubled_center()[axis];
        let mut at = k;
        while at > 0 && order[at - 1].doubled_center()[axis] > center {
            order[at] = order[at - 1];
            at -= 1;
        }
        order[at] = *item;
    }
}

fn divide_many(items: &mut [Item], region: &Region) -> Option<Division> {
    let low = Vec3A::from(region.centers.min);
    let extent = Vec3A::from(region.centers.max) - low;
    // Just below the bin count, so that the last centre falls into the last bin; no bins where all centres
    // coincide.
    let scale = Vec3A::select(
        extent.cmpgt(Vec3A::ZERO),
        Vec3A::splat(BIN_COUNT as f32 * (1.0 - 2.0 * f32::EPSILON)) / extent,
        Vec3A::ZERO,
    );
    let mut bins = [[Bin::EMPTY; BIN_COUNT]; 3];
    for item in items.iter() {
        let at = ((item.doubled_center() - low) * scale).to_array();
        for (bins, at) in bins.iter_mut().zip(at) {
            bins[(at as usize).min(BIN_COUNT - 1)].add(item);
        }
    }
    let mut best = (f32::INFINITY, 0, 0);
    for (axis, bins) in bins.iter().enumerate() {
        if scale[axis] > 0.0
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
    let is_below = |item: &Item| {
        ((((item.doubled_center() - low) * scale)[axis] as u32 as usize).min(BIN_COUNT - 1)) < border
    };
    let count = partition(items, is_below);
    (count > 0 && count < items.len()).then_some(Division { count, axis, upper_sides: [true, false] })
}

/// The cheapest first bin of the upper child, and what it costs.
fn best_border(bins: &[Bin; BIN_COUNT]) -> Option<(f32, usize)> {
    let mut above = [0.0; BIN_COUNT];
    let mut sum = Bin::EMPTY;
    for k in (1..BIN_COUNT).rev() {
        sum.join(&bins[k]);
        above[k] = if sum.count > 0 { sum.cost() } else { f32::INFINITY };
    }
    let mut best = None;
    let mut below = Bin::EMPTY;
    for k in 1..BIN_COUNT {
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

/// Moves the items for which `below` holds to the front; returns their count.
fn partition(items: &mut [Item], below: impl Fn(&Item) -> bool) -> usize {
    let mut count = 0;
    for i in 0..items.len() {
        if below(&items[i]) {
            items.swap(i, count);
            count += 1;
        }
    }
    count
}
