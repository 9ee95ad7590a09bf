//! Queries on two posed surfaces: whether they intersect, their distance, their penetration depth, and
//! the direction of separation. All points and directions are in the space of the poses.
//!
//! Every query takes a [`PairMemory`]. A query that is repeated after a small motion starts from the
//! last answer.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::exact::{Convex, Exact, Link, Nearest, Penetration, Start, WayOut};
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::tree::Tree;

/// A surface at a pose.
#[derive(Clone, Copy)]
pub struct Placed<'a> {
    /// Hierarchy over the mesh. Both trees of a pair must be of one kind.
    pub tree: &'a Tree,
    pub mesh: &'a Mesh,
    /// The surface as a convex solid, if it is convex and should be queried as such. [`intersect`] and
    /// [`way_out`] are then faster.
    pub convex: Option<&'a Convex>,
    /// Transformation from body space to world space.
    pub pose: Pose,
}

impl<'a> Placed<'a> {
    /// Places a surface that is queried by its triangles.
    pub fn new(tree: &'a Tree, mesh: &'a Mesh, pose: Pose) -> Self {
        Self { tree, mesh, convex: None, pose }
    }

    fn link(&self) -> Link<'a> {
        Link { tree: self.tree, mesh: self.mesh, convex: self.convex }
    }
}

/// Seed of a pair (the data of its last answer from which the next search starts), and the buffers of
/// the queries.
#[derive(Default)]
pub struct PairMemory {
    /// Seed of the current pair, empty at first. A caller with many pairs keeps one seed per pair and
    /// stores it here before a query. A seed of other surfaces, or from before a deformation of a
    /// surface, gives wrong answers.
    pub seed: Seed,
    buffers: Exact,
}

impl PairMemory {
    /// Returns whether any [`distance`], [`penetration`] or [`crossing_reach`] since the last call of
    /// this function gave up because the boxes of too many triangles overlap (hundreds of millions), or
    /// was stopped. The result of such a query is only a bound.
    pub fn has_given_up(&mut self) -> bool {
        self.buffers.has_given_up()
    }

    /// Limits every later [`penetration`] to about `most` searches for a closest point, of one or two
    /// microseconds each. If the limit is reached, the bounds of the depth stay wider. The default, and
    /// the largest effective value, is 8,192.
    pub fn limit_searches(&mut self, most: u32) {
        self.buffers.limit_searches(most);
    }

    /// Sets the depth (m) up to which every later [`penetration`] takes surfaces as only touching, unless
    /// the rounding of coordinates is more. A search for depths that do not matter takes long. The default
    /// is 0.
    pub fn neglect(&mut self, depth: f64) {
        self.buffers.neglect(depth);
    }

    /// Sets a flag that ends every later query early once it is set. The result of such a query is
    /// wrong.
    pub fn stop_on(&mut self, stop: Arc<AtomicBool>) {
        self.buffers.stop_on(stop);
    }
}

/// Seed of a search; see [`PairMemory::seed`].
#[derive(Clone, Debug, Default)]
pub struct Seed(Start);

/// Returns whether two solids share a point. Solids are closed, so touching solids share a point. A
/// surface wholly inside a solid shares points with it; an open surface has no inside.
///
/// ```
/// # use glam::{DVec3, Vec3};
/// # use tumble_collide::{generate, mesh::Mesh, pose::Pose, tree::{SplitRule, Tree, TreeKind}};
/// use tumble_collide::query::{PairMemory, Placed, intersect};
///
/// let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
/// let mesh = Mesh::new("box", &positions, &triangles)?;
/// let tree = Tree::build(TreeKind::default(), SplitRule::default(), &mesh);
/// let at = |x: f64| Placed::new(&tree, &mesh, Pose::from_position(DVec3::X * x));
/// let mut memory = PairMemory::default();
/// assert!(intersect(&at(0.0), &at(0.9), &mut memory));
/// assert!(!intersect(&at(0.0), &at(1.1), &mut memory));
/// # Ok::<(), tumble_collide::mesh::MeshError>(())
/// ```
pub fn intersect(a: &Placed, b: &Placed, memory: &mut PairMemory) -> bool {
    let PairMemory { seed, buffers } = memory;
    buffers.intersects([a.link(), b.link()], &b.pose.relative_to(&a.pose), &mut seed.0)
}

/// Returns the distance of two surfaces, or `None` if it exceeds `upper_bound` (m). The search ends as
/// soon as that is proven. Surfaces have no inside here: if one surface lies inside another, the result
/// is the distance to the outer surface.
///
/// ```
/// # use glam::{DVec3, Vec3};
/// # use tumble_collide::{generate, mesh::Mesh, pose::Pose, tree::{SplitRule, Tree, TreeKind}};
/// use tumble_collide::query::{PairMemory, Placed, distance};
///
/// let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
/// let mesh = Mesh::new("box", &positions, &triangles)?;
/// let tree = Tree::build(TreeKind::default(), SplitRule::default(), &mesh);
/// let at = |x: f64| Placed::new(&tree, &mesh, Pose::from_position(DVec3::X * x));
/// let mut memory = PairMemory::default();
/// let nearest = distance(&at(0.0), &at(1.25), 0.5, &mut memory).ok_or("farther")?;
/// assert_eq!(nearest.distance, 0.25);
/// assert_eq!(nearest.points[1].x - nearest.points[0].x, 0.25);
/// assert_eq!(distance(&at(0.0), &at(1.75), 0.5, &mut memory), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance(a: &Placed, b: &Placed, upper_bound: f64, memory: &mut PairMemory) -> Option<Nearest> {
    let PairMemory { seed, buffers } = memory;
    let b_to_a = b.pose.relative_to(&a.pose);
    let nearest = buffers.nearest([a.link(), b.link()], &b_to_a, upper_bound, &mut seed.0)?;
    Some(Nearest { points: nearest.points.map(|p| a.pose.transform_point(p)), ..nearest })
}

/// Returns the penetration depth of two solids: the greatest distance from a point of either surface,
/// inside the other solid, to the surface of that solid. `None` if there is no such point: the two are
/// apart or only touch, or are open surfaces, which have no inside.
///
/// The depth is accurate within 4 %. If the search reaches its limit before, [`Penetration::at_most`]
/// bounds the error.
///
/// ```
/// # use glam::{DVec3, Vec3};
/// # use tumble_collide::{generate, mesh::Mesh, pose::Pose, tree::{SplitRule, Tree, TreeKind}};
/// use tumble_collide::query::{PairMemory, Placed, penetration};
///
/// let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
/// let mesh = Mesh::new("box", &positions, &triangles)?;
/// let tree = Tree::build(TreeKind::default(), SplitRule::default(), &mesh);
/// let at = |x: f64| Placed::new(&tree, &mesh, Pose::from_position(DVec3::X * x));
/// let mut memory = PairMemory::default();
/// let deep = penetration(&at(0.0), &at(0.9), &mut memory).ok_or("apart")?;
/// assert!((deep.depth - 0.1).abs() < 0.004);
/// assert_eq!(penetration(&at(0.0), &at(1.1), &mut memory), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn penetration(a: &Placed, b: &Placed, memory: &mut PairMemory) -> Option<Penetration> {
    let b_to_a = b.pose.relative_to(&a.pose);
    let deep = memory.buffers.penetration([a.link(), b.link()], &b_to_a)?;
    Some(Penetration { points: deep.points.map(|p| a.pose.transform_point(p)), ..deep })
}

/// Returns whether a point of the surface of `a` is deeper than `depth` (m) inside the solid `b`. The
/// search ends at the first such point. True also if too many triangles cross to know; see
/// [`PairMemory::has_given_up`].
pub fn is_deeper(a: &Placed, b: &Placed, depth: f64, memory: &mut PairMemory) -> bool {
    memory.buffers.is_deeper([a.link(), b.link()], &b.pose.relative_to(&a.pose), depth)
}

/// Returns the distance that one solid must move to come free of the other, along the best direction
/// found. If the two are apart, returns their distance.
pub fn way_out(a: &Placed, b: &Placed, memory: &mut PairMemory) -> WayOut {
    let PairMemory { seed, buffers } = memory;
    let b_to_a = b.pose.relative_to(&a.pose);
    let way = buffers.query([a.link(), b.link()], &b_to_a, &mut seed.0);
    let points = way.points.map(|p| a.pose.transform_point(p));
    WayOut { normal: a.pose.transform_vector(way.normal), points, ..way }
}

/// Returns the distance by which triangles of two crossing surfaces reach through each other, m. It
/// replaces the depth of sheets, which have no inside. 0 if the surfaces are apart or only touch.
pub fn crossing_reach(a: &Placed, b: &Placed, memory: &mut PairMemory) -> f64 {
    memory.buffers.crossing_reach([a.link(), b.link()], &b.pose.relative_to(&a.pose))
}
