//! The queries of two surfaces at their places: whether they intersect, how far apart they are, how deep they
//! are in each other, and which way is out. Space of all points and directions: that of the poses.
//!
//! Every query takes a [`PairMemory`]. A query that is repeated after a small motion starts from
//! the last answer.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::exact::{Convex, Exact, Link, Nearest, Penetration, Start, WayOut};
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::tree::Tree;

/// A surface at a place.
#[derive(Clone, Copy)]
pub struct Placed<'a> {
    /// Over the mesh. Trees of a pair are of one kind.
    pub tree: &'a Tree,
    pub mesh: &'a Mesh,
    /// The surface as a convex solid, if it is one and is to be asked as one: [`intersect`] and [`way_out`]
    /// are then faster.
    pub convex: Option<&'a Convex>,
    /// Body space → world.
    pub pose: Pose,
}

impl<'a> Placed<'a> {
    /// Places a surface, asked by its triangles.
    pub fn new(tree: &'a Tree, mesh: &'a Mesh, pose: Pose) -> Self {
        Self { tree, mesh, convex: None, pose }
    }

    fn link(&self) -> Link<'a> {
        Link { tree: self.tree, mesh: self.mesh, convex: self.convex }
    }
}

/// The seed of a pair, that is, the part of its last answer from which the next search starts, and the
/// buffers of the queries.
#[derive(Default)]
pub struct PairMemory {
    /// A caller with many pairs keeps one a pair and puts it here; empty at first. A seed of other surfaces,
    /// or of surfaces that have changed their shape, gives wrong answers.
    pub seed: Seed,
    buffers: Exact,
}

impl PairMemory {
    /// Returns whether a [`distance`], [`penetration`] or [`crossing_reach`] since the last call gave up, as
    /// the boxes of too many triangles overlap (hundreds of millions), or was stopped: its answer is a bound
    /// then.
    pub fn has_given_up(&mut self) -> bool {
        self.buffers.has_given_up()
    }

    /// From here on [`penetration`] ends after about so many searches for a closest point, a microsecond or
    /// two each, and its bounds are as far apart as they are then; 8,192 at most, which is where it begins.
    pub fn limit_searches(&mut self, most: u32) {
        self.buffers.limit_searches(most);
    }

    /// From here on a query ends early once the flag is set; its answer is then wrong.
    pub fn stop_on(&mut self, stop: Arc<AtomicBool>) {
        self.buffers.stop_on(stop);
    }
}

/// See [`PairMemory::seed`].
#[derive(Clone, Debug, Default)]
pub struct Seed(Start);

/// Returns whether two solids share a point. Solids are closed: touching is sharing. A surface wholly inside
/// a solid shares points with it; an open surface has no inside.
///
/// ```
/// # use glam::{DVec3, Vec3};
/// # use tumble::{generate, mesh::Mesh, pose::Pose, tree::{SplitRule, Tree, TreeKind}};
/// use tumble::query::{PairMemory, Placed, intersect};
///
/// let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
/// let mesh = Mesh::new("box", &positions, &triangles)?;
/// let tree = Tree::build(TreeKind::default(), SplitRule::default(), &mesh);
/// let at = |x: f64| Placed::new(&tree, &mesh, Pose::from_position(DVec3::X * x));
/// let mut memory = PairMemory::default();
/// assert!(intersect(&at(0.0), &at(0.9), &mut memory));
/// assert!(!intersect(&at(0.0), &at(1.1), &mut memory));
/// # Ok::<(), tumble::mesh::MeshError>(())
/// ```
pub fn intersect(a: &Placed, b: &Placed, memory: &mut PairMemory) -> bool {
    let PairMemory { seed, buffers } = memory;
    buffers.intersects([a.link(), b.link()], &b.pose.relative_to(&a.pose), &mut seed.0)
}

/// Returns how far apart two surfaces are, or `None` if they are farther apart than `upper_bound` (m); the
/// search ends as soon as that is proven. Surfaces have no inside here: one that lies inside the other is as
/// far away as its surface is.
///
/// ```
/// # use glam::{DVec3, Vec3};
/// # use tumble::{generate, mesh::Mesh, pose::Pose, tree::{SplitRule, Tree, TreeKind}};
/// use tumble::query::{PairMemory, Placed, distance};
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

/// Returns how deep two solids are in each other: the greatest distance from a point of either surface that
/// lies inside the other solid to the surface of that solid. `None` if no point does: the two are apart, only
/// touch, or are open surfaces, which have no inside.
///
/// The depth is found within 4 %; [`Penetration::at_most`] says how exactly where that takes too long.
///
/// ```
/// # use glam::{DVec3, Vec3};
/// # use tumble::{generate, mesh::Mesh, pose::Pose, tree::{SplitRule, Tree, TreeKind}};
/// use tumble::query::{PairMemory, Placed, penetration};
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

/// Returns how far one solid would have to move along the best direction that is found to come free of the
/// other, or how far apart the two are.
pub fn way_out(a: &Placed, b: &Placed, memory: &mut PairMemory) -> WayOut {
    let PairMemory { seed, buffers } = memory;
    let b_to_a = b.pose.relative_to(&a.pose);
    let way = buffers.query([a.link(), b.link()], &b_to_a, &mut seed.0);
    let points = way.points.map(|p| a.pose.transform_point(p));
    WayOut { normal: a.pose.transform_vector(way.normal), points, ..way }
}

/// Returns how far triangles of two surfaces that cross reach through each other, m: what can be said of
/// sheets, which have no inside. 0 if they are apart or only touch.
pub fn crossing_reach(a: &Placed, b: &Placed, memory: &mut PairMemory) -> f64 {
    memory.buffers.crossing_reach([a.link(), b.link()], &b.pose.relative_to(&a.pose))
}
