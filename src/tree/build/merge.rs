//! From the component tree to a binary one: of a component's children, those two are joined first that need the
//! least volume together, as in Huffman's code. \[simplify\] §4.3

use super::bulk::{Bulk, Measure, Size};
use crate::mesh::{ComponentTree, Mesh};

/// A set of triangles, and the two it came from.
#[derive(Clone, Debug)]
pub(super) struct Top {
    pub bulk: Bulk,
    pub halves: Option<Box<[Self; 2]>>,
}

impl Top {
    pub fn piece(bulk: Bulk) -> Self {
        Self { bulk, halves: None }
    }

    /// Those that nothing merged into, in their order.
    pub fn pieces<'a>(&'a self, out: &mut Vec<&'a Bulk>) {
        match &self.halves {
            Some(halves) => halves.iter().for_each(|half| half.pieces(out)),
            None => out.push(&self.bulk),
        }
    }

    pub fn pair(a: Self, b: Self) -> Self {
        let mut bulk = a.bulk.clone();
        bulk.join(&b.bulk);
        Self { bulk, halves: Some(Box::new([a, b])) }
    }
}

/// The components two by two, and all triangles in the order of the leaves.
pub(super) fn merge(mesh: &Mesh, tree: &ComponentTree, measure: Measure) -> (Top, Vec<u32>) {
    let mut tops: Vec<Option<(Top, Vec<u32>)>> = vec![None; tree.components.len()];
    // Children stand behind their parents.
    for index in (0..tops.len()).rev() {
        let component = &tree.components[index];
        let children = component.children.clone().filter_map(|c| tops[c as usize].take()).collect();
        let merged = merge_all(children, measure).unwrap_or_else(|| {
            let range = component.triangles.start as usize..component.triangles.end as usize;
            let own = tree.order[range].to_vec();
            (Top::piece(Bulk::new(mesh, own.iter().copied())), own)
        });
        tops[index] = Some(merged);
    }
    tops.swap_remove(0).unwrap_or_else(|| (Top::piece(Bulk::new(mesh, std::iter::empty())), Vec::new()))
}

/// Joins two at a time until one is left: the least volume first, of flat ones the least surface, of equals the
/// first. k² measurements for k.
fn merge_all(open: Vec<(Top, Vec<u32>)>, measure: Measure) -> Option<(Top, Vec<u32>)> {
    const GONE: Size = [f64::INFINITY; 2];
    let mut slots: Vec<Option<(Top, Vec<u32>)>> = open.into_iter().map(Some).collect();
    let size = |slots: &[Option<(Top, Vec<u32>)>], i: usize, j: usize| match (&slots[i], &slots[j]) {
        (Some((a, _)), Some((b, _))) => a.bulk.joint_size(&b.bulk, measure),
        _ => GONE,
    };
    // For each slot the sizes with those before it.
    let mut sizes: Vec<Vec<Size>> =
        (0..slots.len()).map(|i| (0..i).map(|j| size(&slots, i, j)).collect()).collect();
    for _ in 1..slots.len() {
        let mut best = (GONE, 1, 0);
        for (i, row) in sizes.iter().enumerate() {
            for (j, &size) in row.iter().enumerate() {
                if size < best.0 {
                    best = (size, i, j);
                }
            }
        }
        let (_, i, j) = best;
        let (Some(second), Some(first)) = (slots[i].take(), slots[j].take()) else { break };
        let order = [first.1, second.1].concat();
        slots[j] = Some((Top::pair(first.0, second.0), order));
        for k in 0..slots.len() {
            if k != j {
                sizes[k.max(j)][k.min(j)] = size(&slots, k, j);
            }
            if k != i {
                sizes[k.max(i)][k.min(i)] = GONE;
            }
        }
    }
    slots.into_iter().flatten().next()
}
