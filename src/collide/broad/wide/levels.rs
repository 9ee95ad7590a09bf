//! Nodes above the groups, and the boxes of all nodes.
//!
//! Above the lowest level, the nodes of a level share the nodes of the level below evenly and in order,
//! up to eight each. So the tree is determined by the number of groups of each lowest node. A refit
//! reads each level once, from bottom to top.

use glam::{DVec3, Vec3};

use super::eight::{BoxPacket, LANES};
use super::order::{LEAST_WORK, make_room};
use crate::parallel;
use crate::volume::Aabb;

/// Tree of nodes, without the assignment of boxes to lanes.
#[derive(Debug, Default)]
pub(super) struct Levels {
    /// Boxes of the frame, in groups of eight.
    pub groups: Vec<BoxPacket>,
    /// Levels from the nodes of groups up to the root; only the first `count` are in use, the others
    /// are buffers. The root is the only node of its level. No level is in use if there are no groups.
    levels: Vec<Level>,
    count: usize,
}

/// Nodes of one height.
#[derive(Debug, Default)]
pub(super) struct Level {
    /// Boxes of each node's children.
    pub boxes: Vec<BoxPacket>,
    /// Index of each node's first child in the level below, and the end of the last node's children.
    pub first: Vec<u32>,
}

impl Levels {
    /// Creates the nodes, without boxes. `node_sizes`: number of groups of each lowest node.
    pub fn shape(&mut self, node_sizes: &[u8]) {
        self.count = 0;
        let mut node_count = node_sizes.len();
        if node_count == 0 {
            return;
        }
        let mut end = 0;
        let ends = node_sizes.iter().map(|&size| {
            end += u32::from(size);
            end
        });
        self.push(node_count, std::iter::once(0).chain(ends));
        while node_count > 1 {
            let (below, count) = (node_count, node_count.div_ceil(LANES));
            self.push(count, (0..=count).map(|node| (below as u64 * node as u64 / count as u64) as u32));
            node_count = count;
        }
    }

    fn push(&mut self, node_count: usize, first: impl Iterator<Item = u32>) {
        if self.levels.len() == self.count {
            self.levels.push(Level::default());
        }
        let level = &mut self.levels[self.count];
        level.first.clear();
        make_room(&mut level.first, node_count + 1);
        level.first.extend(first);
        make_room(&mut level.boxes, node_count);
        level.boxes.resize(node_count, BoxPacket::EMPTY);
        self.count += 1;
    }

    /// Returns the levels from the nodes of groups up to the root.
    pub fn levels(&self) -> &[Level] {
        &self.levels[..self.count]
    }

    /// Updates all boxes with the frame's boxes. `lanes`: the box index of each lane.
    pub fn refit(&mut self, lanes: &[u32], boxes: &[Aabb], thread_count: usize) {
        let lanes = lanes.as_chunks::<LANES>().0;
        make_room(&mut self.groups, lanes.len());
        if thread_count == 1 {
            self.groups.clear();
            self.groups.extend(lanes.iter().map(|lanes| BoxPacket::gather(boxes, lanes)));
        } else {
            self.groups.resize(lanes.len(), BoxPacket::EMPTY);
            parallel::for_each(&mut self.groups, LEAST_WORK, |k, group| {
                *group = BoxPacket::gather(boxes, &lanes[k])
            });
        }
        for height in 0..self.count {
            let (below, level) = self.levels.split_at_mut(height);
            let children = below.last().map_or(&self.groups, |level| &level.boxes);
            let Level { boxes, first } = &mut level[0];
            let fit = |k: usize, node: &mut BoxPacket| {
                *node = BoxPacket::EMPTY;
                let children = &children[first[k] as usize..first[k + 1] as usize];
                for (lane, child) in children.iter().enumerate() {
                    node.set(lane, &child.bounds());
                }
            };
            if thread_count == 1 {
                boxes.iter_mut().enumerate().for_each(|(k, node)| fit(k, node));
            } else {
                parallel::for_each(boxes, LEAST_WORK, fit);
            }
        }
    }

    /// Estimates the number of overlapping pairs of groups, up to a factor. It assumes that groups of
    /// size `reach` are spread evenly: a group overlaps Π(1 + side / reach) of them, and at most all.
    pub fn crowding(&self, reach: Vec3) -> f64 {
        let longest = reach.max_element();
        // Flat groups are treated as slightly less flat.
        let scale = if longest > 0.0 { 1.0 / reach.max(Vec3::splat(1e-3 * longest)) } else { Vec3::ZERO };
        let most = self.groups.len() as f32;
        self.lowest().iter().map(|node| f64::from(node.grown_volume(scale, most))).sum()
    }

    /// Returns the mean side lengths of the bounded groups.
    pub fn mean_size(&self) -> Vec3 {
        let (sum, count) = self.lowest().iter().fold((DVec3::ZERO, 0), |(sum, count), node| {
            let (own_sum, own_count) = node.extent();
            (sum + own_sum.as_dvec3(), count + own_count)
        });
        (sum / f64::from(count.max(1))).as_vec3()
    }

    /// Returns the boxes of all groups.
    fn lowest(&self) -> &[BoxPacket] {
        self.levels().first().map_or(&[], |level| &level.boxes)
    }

    pub fn byte_count(&self) -> usize {
        let level =
            |l: &Level| l.boxes.capacity() * size_of::<BoxPacket>() + l.first.capacity() * size_of::<u32>();
        self.groups.capacity() * size_of::<BoxPacket>() + self.levels.iter().map(level).sum::<usize>()
    }
}
