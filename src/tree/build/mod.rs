//! The one builder of every hierarchy: top-down partition of the triangles into a binary tree of tight boxes.
//! \[boxtree\] §4
//!
//! Input: a mesh and a [`SplitRule`], which says how a set of triangles is divided in two. Output: a
//! [`Topology`], from which each kind of tree takes its volumes. Nodes stand in depth-first order, so a
//! subtree over k triangles fills exactly 2k − 1 places known in advance; large subtrees are built in parallel
//! into their places, and the result does not depend on the number of threads. The depth is bounded: where a
//! rule peels off single triangles for too long, halves take over. O(n log n) for rules that divide evenly.

mod binned;
mod bulk;
mod guided;
mod item;
mod least_volume;
mod merge;
mod principal;
mod sweep;

use glam::{DMat3, Vec3};
use serde::{Deserialize, Serialize};

use crate::mesh::Mesh;
use crate::volume::Aabb;
pub(super) use bulk::Measure;
pub(super) use guided::{Merged, TopReport};
pub(super) use item::{Item, bounds, items};
use least_volume::Choice;

/// How a set of triangles is divided in two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SplitRule {
    /// Least count-weighted surface over the borders of bins of centres: builds fast, queries fast.
    #[default]
    Binned,
    /// Least volume of the children. \[boxtree\] §4.2
    Volume,
    /// The same along the longest side only. \[boxtree\] §4.2
    LongestSide,
    /// Least volume, and each child of a boxtree moves whichever side cuts off most. \[boxtree\] §4.2, §6.1
    Perpendicular,
    /// Least volume of children and grandchildren. \[boxtree\] §4.1
    LookAhead,
    /// At the mean, across the longest side of the box along the principal axes: the rule of OBB trees that
    /// \[simplify\] compares with.
    Principal,
}

impl SplitRule {
    pub const ALL: [Self; 6] = [
        Self::Binned,
        Self::Volume,
        Self::LongestSide,
        Self::Perpendicular,
        Self::LookAhead,
        Self::Principal,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Binned => "binned",
            Self::Volume => "volume",
            Self::LongestSide => "longest-side",
            Self::Perpendicular => "perpendicular",
            Self::LookAhead => "look-ahead",
            Self::Principal => "principal",
        }
    }
}

/// A binary tree over the triangles of a mesh, depth first.
#[derive(Clone, Debug)]
pub(super) struct Topology {
    /// 2n − 1 nodes for n triangles; a mesh has at least one.
    pub nodes: Vec<Branch>,
    /// The triangles in the order of their leaves.
    pub order: Vec<u32>,
}

impl Topology {
    /// Fits all boxes to the triangles of a mesh.
    pub fn fit(&mut self, mesh: &Mesh) {
        // Children stand behind their parents, leaves in their order.
        let mut leaf = self.order.len();
        for index in (0..self.nodes.len()).rev() {
            let node = self.nodes[index];
            self.nodes[index].bounds = if node.is_leaf() {
                leaf -= 1;
                triangle_bounds(mesh, self.order[leaf])
            } else {
                let [a, b] = node.children(index).map(|child| self.nodes[child].bounds);
                a.union(&b)
            };
        }
    }
}

/// The tight box of one triangle, body space, m.
pub(super) fn triangle_bounds(mesh: &Mesh, triangle: u32) -> Aabb {
    Aabb::from_points(mesh.triangles()[triangle as usize].map(|v| mesh.vertices()[v as usize]))
}

/// A node of a [`Topology`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    /// Tight around the triangles below, body space, m.
    pub bounds: Aabb,
    /// Triangles below; one at a leaf.
    pub count: u32,
    /// Of them, those below the first child; zero at a leaf.
    pub first_count: u32,
    /// Axis along which the rule divided.
    pub axis: u8,
    /// For the two children, whether their upper side moved along the axis; else their lower side did.
    pub upper_sides: [bool; 2],
    /// Whether each child may move another side than these.
    pub any_side: bool,
}

impl Branch {
    pub fn leaf(bounds: Aabb) -> Self {
        Self { bounds, count: 1, first_count: 0, axis: 0, upper_sides: [true, false], any_side: false }
    }

    pub fn is_leaf(&self) -> bool {
        self.count == 1
    }

    /// Places of the two children of the node at `index`.
    pub fn children(&self, index: usize) -> [usize; 2] {
        [index + 1, index + 2 * self.first_count as usize]
    }
}

/// A rule's answer: the first `count` of the items, as it left them ordered, go to the first child.
#[derive(Clone, Copy, Debug)]
struct Division {
    count: usize,
    axis: usize,
    upper_sides: [bool; 2],
}

/// What a rule may know of the node it divides.
struct Region {
    /// Tight box of the items.
    bounds: Aabb,
    /// Tight box of their centres, doubled.
    centers: Aabb,
    /// Principal axes of their surface, if they are known.
    axes: Option<DMat3>,
}

/// Subtrees over fewer triangles are not worth another thread.
const PARALLEL_COUNT: usize = 4096;

/// Runs on the current thread pool.
pub(super) fn build(mesh: &Mesh, rule: SplitRule) -> Topology {
    let mut items = items(mesh, Vec3::ZERO);
    let count = items.len();
    let mut nodes = vec![Branch::leaf(Aabb::EMPTY); 2 * count - 1];
    let (bounds, centers) = bounds(&items);
    Grower::new(mesh, rule).grow(&mut items, &mut nodes, Region { bounds, centers, axes: None }, 0);
    let order = items.iter().map(|i| i.triangle()).collect();
    Topology { nodes, order }
}

struct Grower<'a> {
    mesh: &'a Mesh,
    rule: SplitRule,
    /// Depth from which on sets are halved.
    limit: u32,
}

impl<'a> Grower<'a> {
    fn new(mesh: &'a Mesh, rule: SplitRule) -> Self {
        // A balanced tree is log₂ n deep; uneven shapes take up to twice that.
        let limit = 2 * (mesh.triangles().len() as u32).ilog2() + 16;
        Self { mesh, rule, limit }
    }

    /// Recursion is as deep as the tree, which is bounded by `limit` and one level for each halving.
    fn grow(&self, items: &mut [Item], nodes: &mut [Branch], region: Region, depth: u32) {
        if items.len() == 1 {
            nodes[0] = Branch::leaf(region.bounds);
            return;
        }
        let division = if depth < self.limit { self.divide(items, &region) } else { None };
        let Division { count, axis, upper_sides } = division.unwrap_or_else(|| halve(items, &region));
        nodes[0] = Branch {
            bounds: region.bounds,
            count: items.len() as u32,
            first_count: count as u32,
            axis: axis as u8,
            upper_sides,
            any_side: matches!(self.rule, SplitRule::Perpendicular | SplitRule::Principal),
        };
        let parallel = items.len() >= PARALLEL_COUNT;
        let (first, second) = items.split_at_mut(count);
        let (first_nodes, second_nodes) = nodes[1..].split_at_mut(2 * count - 1);
        let inside = |items: &[Item]| {
            let (bounds, centers) = bounds(items);
            Region { bounds, centers, axes: None }
        };
        let (a, b) = (inside(first), inside(second));
        let below = depth + 1;
        if parallel {
            rayon::join(
                || self.grow(first, first_nodes, a, below),
                || self.grow(second, second_nodes, b, below),
            );
        } else {
            self.grow(first, first_nodes, a, below);
            self.grow(second, second_nodes, b, below);
        }
    }

    /// `None` if the rule cannot tell the items apart.
    fn divide(&self, items: &mut [Item], region: &Region) -> Option<Division> {
        let choice = match self.rule {
            SplitRule::Binned => return binned::divide(items, region),
            SplitRule::Volume | SplitRule::Perpendicular => Choice::AllAxes,
            SplitRule::LongestSide => Choice::LongestSide,
            SplitRule::LookAhead => Choice::LookAhead,
            SplitRule::Principal => return principal::divide(items, self.mesh, region.axes),
        };
        least_volume::divide(items, region, choice)
    }
}

/// Halves, by centre and then by index.
fn halve(items: &mut [Item], region: &Region) -> Division {
    let axis = region.centers.size().max_position();
    let count = items.len() / 2;
    items.select_nth_unstable_by(count, |x, y| {
        let center = |i: &Item| i.doubled_center()[axis];
        center(x).total_cmp(&center(y)).then(x.triangle().cmp(&y.triangle()))
    });
    Division { count, axis, upper_sides: [true, false] }
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
