//! The octree: cubic cells, each half as wide as its parent.
//!
//! A triangle belongs to the octant that contains its center. A cell with few triangles is a leaf. A
//! cell's box is enlarged along each axis by the distance by which its triangles extend beyond it. Only
//! the existing octants and the enlargement are stored; the cell positions are computed during the
//! descent. Coordinates are relative to the center of the surface's box. Memory: 20 bytes per cell and
//! 4 per triangle. Building takes O(n · depth), where the depth is at most 24.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use glam::{DVec3, Vec3, Vec3A};

use super::build::{self, Item, Topology};
use super::descend::{Descent, Found, descend};
use super::kind::Kind;
use super::limit::Stop;
use super::nodes::{Nodes, RefitScratch};
use super::search::{Counts, Search};
use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::volume::{Aabb, Meets, Operations, Volume};

/// Octree over the triangles of one mesh.
#[derive(Clone, Debug)]
pub struct Octree {
    /// Center of the root cell, body space, m.
    center: Vec3,
    /// Half the width of the root cell, m.
    half: f32,
    cells: Vec<Cell>,
    /// Triangles in the order of the leaves.
    triangles: Vec<u32>,
    depth: u32,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    /// Distance by which triangles extend beyond the cell along each axis, m.
    growth: Vec3,
    /// Index of the first child. At a leaf, index of its first triangle in the octree's list.
    first: u32,
    /// Bit mask of the existing octants. At a leaf, `LEAF_BIT` and the number of its triangles.
    rest: u32,
}

const _: () = assert!(size_of::<Cell>() == 20);

const LEAF_BIT: u32 = 1 << 31;
/// Largest number of triangles of a leaf above `MAX_DEPTH`.
const LEAF_COUNT: usize = 2;
const MAX_DEPTH: u32 = 24;

/// Position and size of a cell.
#[derive(Clone, Copy, Debug)]
pub struct CellPlace {
    center: Vec3A,
    half: f32,
}

impl CellPlace {
    fn octant(self, octant: u32) -> Self {
        let half = 0.5 * self.half;
        let side = |axis: u32| if octant >> axis & 1 == 0 { -half } else { half };
        Self { center: self.center + Vec3A::new(side(0), side(1), side(2)), half }
    }

    fn grown(self, growth: Vec3) -> Aabb {
        let reach = Vec3A::splat(self.half) + Vec3A::from(growth);
        Aabb::new((self.center - reach).into(), (self.center + reach).into())
    }
}

impl Cell {
    fn is_leaf(self) -> bool {
        self.rest & LEAF_BIT != 0
    }

    fn leaf_places(self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + (self.rest & !LEAF_BIT)) as usize
    }

    /// Returns the existing octants with the indices of their cells.
    fn children(self) -> impl Iterator<Item = (u32, u32)> {
        (0..8).filter(move |octant| self.rest >> octant & 1 != 0).zip(self.first..)
    }
}

impl Octree {
    /// Builds the octree of a mesh.
    pub(crate) fn of(mesh: &Mesh) -> Self {
        let bounds = mesh.bounds();
        let center = bounds.center();
        let half = 0.5 * bounds.size().max_element();
        let mut items = build::items(mesh, center);
        let place = CellPlace { center: Vec3A::ZERO, half };
        let (cells, triangles) = (Vec::with_capacity(items.len()), Vec::with_capacity(items.len()));
        let mut tree = Self { center, half, cells, triangles, depth: 0 };
        tree.cells.push(Cell { growth: Vec3::ZERO, first: 0, rest: 0 });
        tree.grow(&mut items, 0, place, 0);
        tree.cells.shrink_to_fit();
        tree
    }

    /// Builds the subtree of the cell with index `index`. The recursion is as deep as the tree.
    fn grow(&mut self, items: &mut [Item], index: usize, place: CellPlace, level: u32) {
        self.depth = self.depth.max(level);
        let growth = growth_around(&build::bounds(items).0, place);
        if items.len() <= LEAF_COUNT || level == MAX_DEPTH {
            let (first, rest) = (self.triangles.len() as u32, LEAF_BIT | items.len() as u32);
            self.triangles.extend(items.iter().map(Item::triangle));
            self.cells[index] = Cell { growth, first, rest };
            return;
        }
        let middle = 2.0 * place.center;
        let octant = |item: &Item| item.doubled_center().cmpge(middle).bitmask();
        items.sort_by_key(octant);
        let parts: ArrayVec<&mut [Item], 8> = items.chunk_by_mut(|a, b| octant(a) == octant(b)).collect();
        let first = self.cells.len();
        let empty = Cell { growth: Vec3::ZERO, first: 0, rest: 0 };
        self.cells.resize(first + parts.len(), empty);
        let rest = parts.iter().fold(0, |mask, part| mask | 1 << octant(&part[0]));
        self.cells[index] = Cell { growth, first: first as u32, rest };
        for (k, part) in parts.into_iter().enumerate() {
            let below = place.octant(octant(&part[0]));
            self.grow(part, first + k, below, level + 1);
        }
    }

    fn top(&self) -> CellPlace {
        CellPlace { center: Vec3A::ZERO, half: self.half }
    }

    /// Returns the origin of the cells' coordinates, body space, m.
    pub(crate) fn center(&self) -> Vec3 {
        self.center
    }

    /// Returns the enlarged box of a cell, relative to the octree's center.
    pub(crate) fn grown(&self, index: u32, place: CellPlace) -> Aabb {
        place.grown(self.cells[index as usize].growth)
    }
}

/// Returns the least enlargement with which the cell contains a box.
fn growth_around(bounds: &Aabb, place: CellPlace) -> Vec3 {
    let cell = place.grown(Vec3::ZERO);
    let mut growth = (bounds.max - cell.max).max(cell.min - bounds.min).max(Vec3::ZERO);
    // The slack makes up for the rounding of the sums. It is doubled until it suffices.
    let mut slack = (place.half * f32::EPSILON).max(f32::MIN_POSITIVE);
    while !place.grown(growth).contains(bounds) {
        growth += slack;
        slack *= 2.0;
    }
    growth
}

impl Nodes for Octree {
    type Node = (u32, CellPlace);

    const NESTED: bool = false;

    fn byte_count(&self) -> usize {
        size_of::<Self>()
            + self.cells.capacity() * size_of::<Cell>()
            + self.triangles.capacity() * size_of::<u32>()
    }

    fn node_count(&self) -> usize {
        self.cells.len()
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    /// Keeps the cells, and adapts their enlargement to the moved triangles.
    fn refit(&mut self, mesh: &Mesh, _: &mut RefitScratch) {
        let around = |&triangle: &u32| Aabb::from_points(mesh.corners_about(triangle, self.center));
        // Children come after their parents.
        let mut tight = vec![Aabb::EMPTY; self.cells.len()];
        for (index, cell) in self.cells.iter().enumerate().rev() {
            let join = |all: Aabb, one: Aabb| all.union(&one);
            tight[index] = if cell.is_leaf() {
                self.triangles[cell.leaf_places()].iter().map(around).fold(Aabb::EMPTY, join)
            } else {
                cell.children().map(|(_, child)| tight[child as usize]).fold(Aabb::EMPTY, join)
            };
        }
        let mut stack = vec![(0, self.top())];
        while let Some((index, place)) = stack.pop() {
            let cell = &mut self.cells[index as usize];
            cell.growth = growth_around(&tight[index as usize], place);
            if !cell.is_leaf() {
                stack.extend(cell.children().map(|(octant, child)| (child, place.octant(octant))));
            }
        }
    }

    fn root(&self) -> (u32, CellPlace) {
        (0, self.top())
    }

    fn children(&self, &(index, place): &(u32, CellPlace)) -> ArrayVec<(u32, CellPlace), 8> {
        let cell = self.cells[index as usize];
        let child = |(octant, index)| (index, place.octant(octant));
        if cell.is_leaf() { ArrayVec::new() } else { cell.children().map(child).collect() }
    }

    fn triangles(&self, &(index, _): &(u32, CellPlace)) -> impl Iterator<Item = u32> {
        let cell = self.cells[index as usize];
        let places = if cell.is_leaf() { cell.leaf_places() } else { 0..0 };
        self.triangles[places].iter().copied()
    }

    fn bounds(&self, &(index, place): &(u32, CellPlace)) -> Aabb {
        self.grown(index, place).moved(self.center)
    }

    fn is_leaf(&self, &(index, _): &(u32, CellPlace)) -> bool {
        self.cells[index as usize].is_leaf()
    }

    fn volume(&self, &(index, place): &(u32, CellPlace)) -> f64 {
        self.grown(index, place).volume()
    }

    fn contains(&self, &(index, place): &(u32, CellPlace), vertex: Vec3) -> bool {
        self.grown(index, place).contains_point(vertex - self.center)
    }

    fn meets(&self, &(index, place): &(u32, CellPlace), segment: [DVec3; 2]) -> bool {
        self.grown(index, place).meets(segment.map_each(|p| p - self.center.as_dvec3()))
    }
}

/// Two octrees, with the transformations between their frames.
struct OctreePair<'a> {
    a: &'a Octree,
    b: &'a Octree,
    frames: <Aabb as Volume>::Frames,
}

impl Kind for Octree {
    type Form = ();
    type Stack = Vec<(PlacedCell, PlacedCell)>;

    fn new(_: &Topology, mesh: &Mesh, (): ()) -> Self {
        Self::of(mesh)
    }

    fn visit(
        [a, b]: [&Self; 2],
        search: &Search,
        stack: &mut Self::Stack,
        counts: &mut Counts,
        found: &mut dyn FnMut(&[[u32; 2]]) -> ControlFlow<()>,
    ) -> ControlFlow<Stop> {
        let found = &mut |a: u32, b: u32| found(&[[a, b]]);
        descend(&OctreePair::new(a, b, search), search.extent(), stack, counts, found)
    }
}

/// A cell with its position, and its box transformed for the query.
#[derive(Clone, Copy, Debug)]
pub struct PlacedCell {
    carried: <Aabb as Volume>::A,
    place: CellPlace,
    index: u32,
}

impl<'a> OctreePair<'a> {
    pub fn new(a: &'a Octree, b: &'a Octree, search: &Search) -> Self {
        // Twice the half width of the enlarged root exceeds the distance to its corners, so it also
        // bounds the surface.
        let reach = |tree: &Octree| 2.0 * f64::from(tree.half + tree.cells[0].growth.max_element());
        let transit = search.transit([a.center, b.center], [reach(a), reach(b)]);
        Self { a, b, frames: Aabb::frames(&transit, &()) }
    }

    fn place_a(&self, index: u32, place: CellPlace) -> PlacedCell {
        let own = place.grown(self.a.cells[index as usize].growth);
        PlacedCell { carried: own.carry_a(&self.frames), place, index }
    }

    fn place_b(&self, index: u32, place: CellPlace) -> PlacedCell {
        let own = place.grown(self.b.cells[index as usize].growth);
        PlacedCell { carried: own.carry_b(&self.frames), place, index }
    }
}

/// Operations that compute a cell's position and its enlarged box.
const FOUND: Operations = Operations::new(1, 3 + 1 + 6, 0);

impl Descent for OctreePair<'_> {
    const STEP_A: Operations = FOUND.and(Aabb::CARRY_A);
    const STEP_B: Operations = FOUND.and(Aabb::CARRY_B);
    const PAIR: Operations = Aabb::OVERLAP;

    type A = PlacedCell;
    type B = PlacedCell;
    type ChildrenA = ArrayVec<PlacedCell, 8>;
    type ChildrenB = ArrayVec<PlacedCell, 8>;

    fn roots(&self) -> (PlacedCell, PlacedCell) {
        (self.place_a(0, self.a.top()), self.place_b(0, self.b.top()))
    }

    fn admit(&self, a: &PlacedCell, b: &PlacedCell) -> Option<(PlacedCell, PlacedCell)> {
        Aabb::overlap(&a.carried, &b.carried, &self.frames).then_some((*a, *b))
    }

    fn depth(&self, a: &PlacedCell, b: &PlacedCell) -> f32 {
        Aabb::depth(&a.carried, &b.carried, &self.frames)
    }

    fn children_a(&self, a: &PlacedCell) -> Option<Self::ChildrenA> {
        let cell = self.a.cells[a.index as usize];
        let child = |(octant, index)| self.place_a(index, a.place.octant(octant));
        (!cell.is_leaf()).then(|| cell.children().map(child).collect())
    }

    fn children_b(&self, b: &PlacedCell) -> Option<Self::ChildrenB> {
        let cell = self.b.cells[b.index as usize];
        let child = |(octant, index)| self.place_b(index, b.place.octant(octant));
        (!cell.is_leaf()).then(|| cell.children().map(child).collect())
    }

    fn leaves(&self, a: &PlacedCell, b: &PlacedCell, found: &mut impl Found) -> ControlFlow<()> {
        let triangles = |tree: &'_ Octree, index: u32| tree.cells[index as usize].leaf_places();
        for &ta in &self.a.triangles[triangles(self.a, a.index)] {
            for &tb in &self.b.triangles[triangles(self.b, b.index)] {
                found(ta, tb)?;
            }
        }
        ControlFlow::Continue(())
    }
}
