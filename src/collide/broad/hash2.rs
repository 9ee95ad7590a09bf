//! HASH2. Space is divided into voxels whose edge is the mean box edge. The voxels are hashed to about
//! as many lists as there are boxes, and each list is scanned along one axis. \[boxes\] §3.2
//!
//! A box is in each list to which one of its voxels is hashed, once. A pair that occurs in several
//! lists is reported only in the list of the voxel that contains the low corner of the overlap. Boxes
//! of many voxels are kept out of the lists and tested against all boxes. Takes O(n log n + k) time for
//! n boxes of similar size, k pairs and short lists, and about 80 bytes per box. Crowded voxels make
//! the time quadratic in the boxes that they contain. Many boxes much larger than the mean take up to a
//! kilobyte per box.

use glam::Vec3;

use super::method::{Method, Pair, Upkeep};
use crate::arrays::{MapEach, from_each};
use crate::volume::Aabb;

/// Largest number of voxels of a box in the lists, 16 along each axis. For larger boxes, the lists
/// would take much more memory than the boxes, and a scan along one axis costs less than filling them.
const MAX_VOXELS: u64 = 4096;

/// Limit of voxel coordinates, so that far or unbounded boxes do not overflow. It is half the range of
/// `i32`, so differences do not overflow either.
const MAX_COORDINATE: f64 = (1 << 30) as f64;

/// Large prime per axis: the hash function of Teschner et al., reference 2 of \[boxes\].
const PRIMES: [u32; 3] = [73_856_093, 19_349_663, 83_492_791];

/// HASH2 method. It finds the pairs from scratch in each frame, and keeps only memory between frames.
#[derive(Debug, Default)]
pub(super) struct Hash2 {
    voxels: Voxels,
    /// Axis of the scans, on which the boxes spread most.
    axis: usize,
    /// Boxes that are not empty, sorted by low end on `axis`. Every list has the same order.
    entries: Vec<Entry>,
    lists: Vec<List>,
    /// The lists, one after the other, as indices into `entries`.
    members: Vec<u32>,
    /// Boxes of too many voxels, as ascending indices into `entries`.
    oversize: Vec<u32>,
    /// Boxes of the list that is being scanned, copied to consecutive memory.
    crowd: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    bounds: Aabb,
    /// Voxel of the low corner.
    voxel: [i32; 3],
    id: u32,
}

/// A list. It begins where the previous list ends.
#[derive(Clone, Copy, Debug)]
struct List {
    /// End of the list. While the lists are filled, position of the next member.
    end: u32,
    /// Box that was added last. It prevents adding a box twice.
    newest: u32,
}

impl List {
    /// Index that stands for no box; it limits the number of boxes.
    const NONE: u32 = u32::MAX;
    const EMPTY: Self = Self { end: 0, newest: Self::NONE };

    /// Returns whether `index` is new to the list, and records it.
    fn admits(&mut self, index: u32) -> bool {
        std::mem::replace(&mut self.newest, index) != index
    }
}

impl Method for Hash2 {
    fn update(&mut self, boxes: &[Aabb], _: bool) -> Upkeep {
        let alive = || boxes.iter().zip(0..List::NONE).filter(|(b, _)| !b.is_empty());
        let count = alive().count();
        self.axis = widest_axis(alive().map(|(b, _)| b));
        self.voxels = Voxels::new(mean_edge(alive().map(|(b, _)| b)), count);
        self.entries.clear();
        self.entries.reserve(count);
        let (voxels, axis) = (self.voxels, self.axis);
        self.entries.extend(alive().map(|(&bounds, id)| Entry { bounds, voxel: voxels.at(bounds.min), id }));
        self.entries
            .sort_unstable_by(|a, b| a.bounds.min[axis].total_cmp(&b.bounds.min[axis]).then(a.id.cmp(&b.id)));
        self.fill_lists();
        Upkeep::Made
    }

    fn find(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        let mut test_count = self.scan_oversize(pairs);
        let mut begin = 0;
        for (key, list) in (0..=self.voxels.mask).zip(&self.lists) {
            let members = &self.members[begin as usize..list.end as usize];
            begin = list.end;
            if members.len() > 1 {
                self.crowd.clear();
                self.crowd.extend(members.iter().map(|&index| self.entries[index as usize]));
                test_count += scan(&self.crowd, self.axis, self.voxels, key, pairs);
            }
        }
        test_count
    }

    fn byte_count(&self) -> usize {
        (self.entries.capacity() + self.crowd.capacity()) * size_of::<Entry>()
            + self.lists.capacity() * size_of::<List>()
            + (self.members.capacity() + self.oversize.capacity()) * size_of::<u32>()
    }
}

impl Hash2 {
    /// Counts the members of each list, assigns memory to the lists and fills them. Linear in the
    /// number of voxels that the boxes cover.
    fn fill_lists(&mut self) {
        self.lists.clear();
        self.lists.resize(self.voxels.list_count(), List::EMPTY);
        self.oversize.clear();
        let mut total = 0;
        for (entry, index) in self.entries.iter().zip(0..) {
            let count = self.voxels.count(entry);
            // The ends of the lists are 32 bits wide.
            if count > MAX_VOXELS || total + count > u64::from(u32::MAX) {
                self.oversize.push(index);
                continue;
            }
            total += count;
            self.voxels.for_each_key(entry, |key| {
                let list = &mut self.lists[key as usize];
                list.end += u32::from(list.admits(index));
            });
        }
        let mut end = 0;
        for list in &mut self.lists {
            end += std::mem::replace(list, List { end, ..List::EMPTY }).end;
        }
        self.members.resize(end as usize, 0);
        let mut oversize = self.oversize.iter().copied().peekable();
        for (entry, index) in self.entries.iter().zip(0..) {
            if oversize.next_if_eq(&index).is_some() {
                continue;
            }
            self.voxels.for_each_key(entry, |key| {
                let list = &mut self.lists[key as usize];
                if list.admits(index) {
                    self.members[list.end as usize] = index;
                    list.end += 1;
                }
            });
        }
    }

    /// Reports the pairs with at least one oversize box, and returns the number of tests. Of two boxes,
    /// the one that begins first is compared with the other one: an oversize box with all boxes after
    /// it, any other box with the oversize boxes after it.
    fn scan_oversize(&self, pairs: &mut Vec<Pair>) -> u64 {
        let mut test_count = 0;
        let mut oversize = self.oversize.as_slice();
        for (first, index) in self.entries.iter().zip(0..) {
            let report = |second: &Entry| pairs.push(Pair::new(first.id, second.id));
            test_count += match oversize {
                [] => break,
                [at, later @ ..] if *at == index => {
                    oversize = later;
                    compare(first, &self.entries[index as usize + 1..], self.axis, report)
                }
                _ => compare(first, oversize.iter().map(|&at| &self.entries[at as usize]), self.axis, report),
            };
        }
        test_count
    }
}

/// Reports the pairs of the list `key` of which the low corner of the overlap is in a voxel with this
/// key. Returns the number of tests.
fn scan(crowd: &[Entry], axis: usize, voxels: Voxels, key: u32, pairs: &mut Vec<Pair>) -> u64 {
    let mut test_count = 0;
    for (at, first) in crowd.iter().enumerate() {
        test_count += compare(first, &crowd[at + 1..], axis, |second| {
            // Voxels ascend with the coordinates, so the larger of two coordinates is in the larger of
            // the two voxels.
            let corner = from_each(|k| first.voxel[k].max(second.voxel[k]));
            if voxels.key(corner) == key {
                pairs.push(Pair::new(first.id, second.id));
            }
        });
    }
    test_count
}

/// Reports the boxes in `others` that overlap `first`. Returns the number of tests: that of the boxes
/// in `others` that begin before `first` ends. `others` must be sorted by low end on `axis`, and none
/// may begin before `first`.
fn compare<'a>(
    first: &Entry,
    others: impl IntoIterator<Item = &'a Entry>,
    axis: usize,
    mut report: impl FnMut(&Entry),
) -> u64 {
    let end = first.bounds.max[axis];
    let mut test_count = 0;
    for second in others.into_iter().take_while(|e| e.bounds.min[axis] <= end) {
        test_count += 1;
        if first.bounds.overlaps(&second.bounds) {
            report(second);
        }
    }
    test_count
}

/// Cubic voxels, and the lists that they are hashed to.
#[derive(Clone, Copy, Debug)]
struct Voxels {
    /// Voxel edge, m.
    edge: f64,
    /// Number of lists minus one. The number of lists is a power of two.
    mask: u32,
}

impl Default for Voxels {
    fn default() -> Self {
        Self::new(0.0, 0)
    }
}

impl Voxels {
    /// Chooses voxels for `count` boxes of mean edge `edge`.
    fn new(edge: f64, count: usize) -> Self {
        // Points have no edge, so any voxel size works.
        let edge = if edge > 0.0 { edge } else { 1.0 };
        Self { edge, mask: (count.next_power_of_two() - 1) as u32 }
    }

    fn list_count(&self) -> usize {
        self.mask as usize + 1
    }

    /// Returns the voxel of `point`. Monotonic in each coordinate.
    fn at(&self, point: Vec3) -> [i32; 3] {
        point
            .to_array()
            .map_each(|x| (f64::from(x) / self.edge).floor().clamp(-MAX_COORDINATE, MAX_COORDINATE) as i32)
    }

    /// Returns the list of a voxel.
    fn key(&self, voxel: [i32; 3]) -> u32 {
        let [x, y, z] = from_each(|k| voxel[k].cast_unsigned().wrapping_mul(PRIMES[k]));
        (x ^ y ^ z) & self.mask
    }

    /// Returns the number of voxels that a box touches, saturated at `u64::MAX`.
    fn count(&self, entry: &Entry) -> u64 {
        let last = self.at(entry.bounds.max);
        let sides = (0..3).map(|k| u64::from(last[k].abs_diff(entry.voxel[k])) + 1);
        sides.fold(1, u64::saturating_mul)
    }

    /// Calls `visit` with the key of each voxel that the box touches.
    fn for_each_key(&self, entry: &Entry, mut visit: impl FnMut(u32)) {
        let last = self.at(entry.bounds.max);
        for z in entry.voxel[2]..=last[2] {
            for y in entry.voxel[1]..=last[1] {
                for x in entry.voxel[0]..=last[0] {
                    visit(self.key([x, y, z]));
                }
            }
        }
    }
}

/// Returns the mean edge over all boxes and axes, ignoring unbounded edges; 0 if there are none.
fn mean_edge<'a>(boxes: impl Iterator<Item = &'a Aabb>) -> f64 {
    let edges = boxes.flat_map(|b| (b.max.as_dvec3() - b.min.as_dvec3()).to_array());
    let (sum, count) =
        edges.filter(|e| e.is_finite()).fold((0.0, 0_u64), |(sum, count), e| (sum + e, count + 1));
    sum / count.max(1) as f64
}

/// Returns the axis on which the boxes' finite ends spread most.
fn widest_axis<'a>(boxes: impl Iterator<Item = &'a Aabb>) -> usize {
    let finite = |v: Vec3, otherwise: Vec3| Vec3::select(v.is_finite_mask(), v, otherwise);
    let scene = boxes.fold(Aabb::EMPTY, |scene, b| Aabb {
        min: scene.min.min(finite(b.min, Vec3::INFINITY)),
        max: scene.max.max(finite(b.max, Vec3::NEG_INFINITY)),
    });
    (scene.max - scene.min).max_position()
}
