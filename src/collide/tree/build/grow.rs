//! Recursion from all triangles of a mesh down to single triangles.

use glam::Vec3;

use super::division::{Division, TriangleRange, halve};
use super::item::{Item, bounds, items};
use super::least_volume::{self, Choice, Draws};
use super::moved_side::{MovedSide, SHRINK_SHARE};
use super::rule::SplitRule;
use super::topology::{Branch, Topology};
use super::{binned, counted_volume, principal};
use crate::mesh::Mesh;
use crate::volume::Aabb;

/// Smallest number of triangles for which two subtrees are built in parallel.
const PARALLEL_COUNT: usize = 4096;

/// Divides the triangles of a mesh, on the current thread pool. `has_shrink_nodes`: whether the tree
/// moves empty sides in by separate nodes. It matters to rules that use restricted boxes.
pub fn build(mesh: &Mesh, rule: SplitRule, has_shrink_nodes: bool) -> Topology {
    let mut items = items(mesh, Vec3::ZERO);
    let count = items.len();
    let mut nodes = vec![Branch::leaf(Aabb::EMPTY); 2 * count - 1];
    let all = TriangleRange::of_root(&items, None);
    Grower { has_shrink_nodes, ..Grower::new(mesh, rule) }.grow(&mut items, &mut nodes, all, 0);
    let order = items.iter().map(|i| i.triangle()).collect();
    Topology { nodes, order }
}

pub(super) struct Grower<'a> {
    pub mesh: &'a Mesh,
    pub rule: SplitRule,
    /// Depth from which sets are halved instead of divided by the rule.
    pub limit: u32,
    has_shrink_nodes: bool,
}

impl<'a> Grower<'a> {
    pub fn new(mesh: &'a Mesh, rule: SplitRule) -> Self {
        // A balanced tree is log₂ n deep. The trees of uneven shapes are up to twice as deep.
        let limit = 2 * (mesh.triangles().len() as u32).ilog2() + 16;
        Self { mesh, rule, limit, has_shrink_nodes: true }
    }

    /// Builds the subtree over `items` into `nodes`. The recursion is as deep as the tree: at most
    /// `limit`, plus one level per halving.
    pub fn grow(&self, items: &mut [Item], nodes: &mut [Branch], mut region: TriangleRange, depth: u32) {
        if items.len() == 1 {
            nodes[0] = Branch::leaf(region.bounds);
            return;
        }
        if self.has_shrink_nodes {
            while let Some(side) = MovedSide::emptiest(&region.restricted, &region.bounds, SHRINK_SHARE) {
                region.restricted = side.restrict(region.restricted);
            }
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
        let inside = |items: &[Item], is_upper: bool| {
            let (bounds, centers) = bounds(items);
            let restricted = MovedSide::of(&bounds, axis, is_upper).restrict(region.restricted);
            TriangleRange { bounds, restricted, centers, axes: None }
        };
        let (a, b) = (inside(first, upper_sides[0]), inside(second, upper_sides[1]));
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

    /// Divides the items by the rule; `None` if the rule cannot separate them.
    pub fn divide(&self, items: &mut [Item], region: &TriangleRange) -> Option<Division> {
        let choice = match self.rule {
            SplitRule::Binned => return binned::divide(items, region),
            SplitRule::Volume => return counted_volume::divide(items, &region.restricted),
            SplitRule::VolumeLiteral => {
                return least_volume::divide(items, region, Choice::AllAxes, Draws::Equal);
            }
            SplitRule::VolumeDrawn | SplitRule::Perpendicular => Choice::AllAxes,
            SplitRule::LongestSide => Choice::LongestSide,
            SplitRule::LookAhead => Choice::LookAhead,
            SplitRule::Principal => return principal::divide(items, self.mesh, region.axes),
        };
        least_volume::divide(items, region, choice, Draws::Near)
    }
}
