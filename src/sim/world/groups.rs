//! Boxes of the broad phase: single bodies, and articulations. The links of an articulation share one
//! box, and a hierarchy over the links resolves it into pairs of bodies.
//!
//! Articulations are the scene's figures, and moving bodies that joints connect. Joints that close a
//! loop do not affect the hierarchy.

use std::sync::Arc;

use glam::Vec3;

use super::work;
use crate::arrays::MapEach;
use crate::articulation::{LinkShape, LinkTree, LinkTreeKind, PlacedLink, Skeleton, links_meet};
use crate::body::{BodyState, Joint, Motion, WORLD};
use crate::broad::Pair;
use crate::mesh::Mesh;
use crate::parallel::{self, Threads};
use crate::scene::{FigureKind, Scene};
use crate::volume::Aabb;

/// Bodies that the broad phase treats as one, as a range of the list of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Group {
    first: u32,
    count: u32,
    articulation: Option<u32>,
}

/// Groups of the broad phase, and the hierarchies over the links of articulations.
pub(super) struct Groups {
    groups: Vec<Group>,
    /// Indices of the bodies, grouped by group.
    members: Vec<u32>,
    articulations: Vec<Articulation>,
    /// Shape of each body for link hierarchies; empty if there are no articulations.
    shapes: Vec<Option<Arc<LinkShape>>>,
    /// Articulation and link index of each body; `None` for single bodies.
    links: Vec<Option<ArticulationLink>>,
    /// Hierarchy over a single body. It is used for pairs of a body and an articulation.
    single: LinkTree,
    /// Body that `single` holds in this pass.
    single_body: Option<u32>,
    link_pairs: Vec<(u32, u32)>,
}

/// Articulation that a body belongs to, and its link index there.
#[derive(Clone, Copy)]
struct ArticulationLink {
    articulation: u32,
    link: u32,
}

/// A group with a hierarchy over its links.
struct Articulation {
    group: u32,
    tree: LinkTree,
    /// True if its links may collide with each other.
    meets_itself: bool,
    /// True if the hierarchy is needed in this pass.
    is_needed: bool,
}

/// Poses of the bodies, and the distances by which their volumes are enlarged.
pub(super) struct Placement<'a> {
    pub states: &'a [BodyState],
    /// Distance by which each body's volume is enlarged, m.
    pub reaches: &'a [f32],
}

impl Groups {
    pub fn new(scene: &Scene, kind: LinkTreeKind) -> Self {
        let articulated = articulated(scene);
        let shapes = match articulated.is_empty() {
            true => Vec::new(),
            false => shapes(scene, kind),
        };
        let mut groups = Self {
            groups: Vec::new(),
            members: Vec::new(),
            articulations: Vec::new(),
            single: single(kind),
            single_body: None,
            link_pairs: Vec::new(),
            links: vec![None; scene.bodies.len()],
            shapes,
        };
        for (members, skeleton, meets_itself) in articulated {
            let own: Vec<_> = members.iter().map(|&b| groups.shapes[b as usize].clone()).collect();
            let articulation = groups.articulations.len() as u32;
            for (&body, link) in members.iter().zip(0..) {
                groups.links[body as usize] = Some(ArticulationLink { articulation, link });
            }
            groups.articulations.push(Articulation {
                group: groups.groups.len() as u32,
                tree: LinkTree::new(kind, &skeleton, &own),
                meets_itself,
                is_needed: false,
            });
            let (first, count) = (groups.members.len() as u32, members.len() as u32);
            groups.groups.push(Group { first, count, articulation: Some(articulation) });
            groups.members.extend(members);
        }
        let links = std::mem::take(&mut groups.links);
        for body in (0..scene.bodies.len() as u32).filter(|&b| links[b as usize].is_none()) {
            let first = groups.members.len() as u32;
            groups.groups.push(Group { first, count: 1, articulation: None });
            groups.members.push(body);
        }
        Self { links, ..groups }
    }

    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Returns the box of each group: the union of the boxes of its bodies.
    pub fn bounds<'a>(&'a self, body_boxes: &'a [Aabb]) -> impl Iterator<Item = Aabb> + 'a {
        let bounds = |b: &u32| body_boxes[*b as usize];
        self.groups
            .iter()
            .map(move |g| self.members_of(g).iter().map(bounds).fold(Aabb::EMPTY, |all, one| all.union(&one)))
    }

    /// Updates the volumes of a body after its surface has changed.
    pub fn set_shape(&mut self, body: u32, mesh: &Mesh) {
        let Some(Some(shape)) = self.shapes.get_mut(body as usize) else { return };
        let shape = Arc::make_mut(shape);
        shape.bounds = mesh.bounds();
        shape.fitted = shape.fitted.refitted(mesh.vertices());
        if !shape.vertices.is_empty() {
            shape.vertices.clear();
            shape.vertices.extend(outline(mesh));
        }
        if let Some(ArticulationLink { articulation, link }) = self.links[body as usize] {
            let tree = &mut self.articulations[articulation as usize].tree;
            tree.set_leaf(link as usize, &shape.bounds, &shape.fitted, &shape.vertices);
        }
    }

    /// Updates the hierarchies of all articulations that are in a pair or may collide with themselves.
    pub fn update(&mut self, pairs: &[Pair], at: &Placement, threads: &Threads) {
        for articulation in &mut self.articulations {
            articulation.is_needed = articulation.meets_itself;
        }
        for group in pairs.iter().flat_map(|p| [p.a, p.b]) {
            if let Some(articulation) = self.groups[group as usize].articulation {
                self.articulations[articulation as usize].is_needed = true;
            }
        }
        self.single_body = None;
        // With few links, testing all leaves at once is faster than building inner nodes; with many, it
        // is slower.
        let any_large =
            self.articulations.iter().any(|a| a.is_needed && a.tree.leaf_count() > LinkTree::FEW_LINKS);
        let (groups, members) = (&self.groups, &self.members);
        let update = |_: usize, articulation: &mut Articulation| {
            if !articulation.is_needed {
                return;
            }
            let group = &groups[articulation.group as usize];
            let members = &members[group.first as usize..(group.first + group.count) as usize];
            let tree = &mut articulation.tree;
            tree.update(|link| at.of(members[link]));
            if any_large {
                tree.refit();
            }
        };
        let links = |a: &Articulation| if a.is_needed { a.tree.leaf_count() as u64 } else { 0 };
        let cost = work::LINK * self.articulations.iter().map(links).sum::<u64>();
        threads.team(cost).for_each(&mut self.articulations, 1, update);
    }

    /// Appends the pairs of bodies that the pairs of groups contain, the smaller index first. Returns
    /// the number of volume tests.
    pub fn body_pairs(&mut self, pairs: &[Pair], at: &Placement, out: &mut Vec<(u32, u32)>) -> u64 {
        let mut test_count = 0;
        for pair in pairs {
            test_count += self.pairs_between(pair.a, pair.b, at, out);
        }
        let mut links = std::mem::take(&mut self.link_pairs);
        for articulation in self.articulations.iter().filter(|a| a.meets_itself) {
            links.clear();
            test_count += articulation.tree.self_pairs(&mut links);
            let members = self.members_of(&self.groups[articulation.group as usize]);
            let bodies = links.iter().map(|&(i, j)| (members[i as usize], members[j as usize]));
            test_count += self.keep_meeting(bodies, at, out);
        }
        self.link_pairs = links;
        test_count
    }

    /// Appends the pairs of bodies between two groups. Returns the number of volume tests.
    fn pairs_between(&mut self, a: u32, b: u32, at: &Placement, out: &mut Vec<(u32, u32)>) -> u64 {
        let [own, other] = [a, b].map_each(|g| self.groups[g as usize]);
        let mut links = std::mem::take(&mut self.link_pairs);
        links.clear();
        let mut test_count = match (own.articulation, other.articulation) {
            (None, None) => {
                out.push(ordered(self.members[own.first as usize], self.members[other.first as usize]));
                0
            }
            (Some(i), Some(j)) => {
                let [i, j] = [i, j].map_each(|k| &self.articulations[k as usize].tree);
                i.pairs(j, &mut links)
            }
            (Some(i), None) => {
                self.place_single(self.members[other.first as usize], at);
                self.articulations[i as usize].tree.pairs(&self.single, &mut links)
            }
            (None, Some(j)) => {
                self.place_single(self.members[own.first as usize], at);
                self.single.pairs(&self.articulations[j as usize].tree, &mut links)
            }
        };
        let [members_a, members_b] = [&own, &other].map_each(|g| self.members_of(g));
        let bodies = links.iter().map(|&(i, j)| (members_a[i as usize], members_b[j as usize]));
        test_count += self.keep_meeting(bodies, at, out);
        self.link_pairs = links;
        test_count
    }

    /// Appends the pairs of which both kinds of volumes overlap, so that the result does not depend on
    /// the hierarchy that found the pairs. Returns the number of tests.
    fn keep_meeting(
        &self,
        pairs: impl Iterator<Item = (u32, u32)>,
        at: &Placement,
        out: &mut Vec<(u32, u32)>,
    ) -> u64 {
        let mut test_count = 0;
        for (a, b) in pairs {
            let link = |body: u32| {
                let (pose, reach) = at.of(body);
                Some(PlacedLink { shape: self.shapes[body as usize].as_deref()?, pose, reach })
            };
            test_count += 1;
            if link(a).zip(link(b)).is_some_and(|(a, b)| links_meet(a, b)) {
                out.push(ordered(a, b));
            }
        }
        test_count
    }

    /// Puts a body into `single`, unless `single` already holds it.
    fn place_single(&mut self, body: u32, at: &Placement) {
        if self.single_body.replace(body) == Some(body) {
            return;
        }
        if let Some(shape) = &self.shapes[body as usize] {
            self.single.set_leaf(0, &shape.bounds, &shape.fitted, &shape.vertices);
        }
        self.single.update(|_| at.of(body));
        self.single.refit();
    }

    fn members_of(&self, group: &Group) -> &[u32] {
        &self.members[group.first as usize..(group.first + group.count) as usize]
    }
}

impl Placement<'_> {
    fn of(&self, body: u32) -> (&crate::pose::Pose, f32) {
        (&self.states[body as usize].pose, self.reaches[body as usize])
    }
}

/// A group of connected bodies: its members, their skeleton, and whether the members may collide with
/// each other.
pub type Articulated = (Vec<u32>, Skeleton, bool);

/// Returns the figures of the scene, and the groups of bodies that its joints connect.
pub fn articulated(scene: &Scene) -> Vec<Articulated> {
    let mut found = Vec::new();
    let mut taken = vec![false; scene.bodies.len()];
    for figure in &scene.skeletons {
        let members: Vec<u32> = (figure.first_body..figure.first_body + figure.link_count).collect();
        members.iter().for_each(|&b| taken[b as usize] = true);
        // The origin of a link's space is its joint. If the parents are unknown, every link is a root.
        let parents = (0..members.len()).map(|link| figure.parents.get(link).copied().flatten()).collect();
        let anchors = vec![Vec3::ZERO; members.len()];
        let meets_itself = figure.kind != FigureKind::Kinematic || figure.self_collision;
        let skeleton = Skeleton::new(parents, anchors).ok();
        found.extend(skeleton.map(|skeleton| (members, skeleton, meets_itself)));
    }
    found.extend(jointed(scene, &taken));
    found
}

/// Returns the groups of moving bodies that joints connect, without the bodies that are `taken`.
fn jointed(scene: &Scene, taken: &[bool]) -> Vec<Articulated> {
    let free = |b: u32| b != WORLD && !taken[b as usize] && scene.bodies[b as usize].motion != Motion::Static;
    let mut joints_of: Vec<Vec<(u32, &Joint)>> = vec![Vec::new(); scene.bodies.len()];
    for joint in scene.joints.iter().filter(|j| free(j.a) && free(j.b)) {
        joints_of[joint.a as usize].push((joint.b, joint));
        joints_of[joint.b as usize].push((joint.a, joint));
    }
    let mut found = Vec::new();
    let mut seen = taken.to_vec();
    for root in 0..scene.bodies.len() as u32 {
        if seen[root as usize] || joints_of[root as usize].is_empty() {
            continue;
        }
        seen[root as usize] = true;
        let (mut members, mut parents, mut anchors) = (vec![root], vec![None], vec![Vec3::ZERO]);
        let mut next = 0;
        while let Some(&body) = members.get(next) {
            for &(other, joint) in &joints_of[body as usize] {
                if !std::mem::replace(&mut seen[other as usize], true) {
                    let frame = if joint.a == other { &joint.frame_a } else { &joint.frame_b };
                    members.push(other);
                    parents.push(Some(next as u32));
                    anchors.push(frame.position.as_vec3());
                }
            }
            next += 1;
        }
        found.extend(Skeleton::new(parents, anchors).ok().map(|skeleton| (members, skeleton, true)));
    }
    found
}

/// Returns the shape of each body; bodies with the same mesh share it.
fn shapes(scene: &Scene, kind: LinkTreeKind) -> Vec<Option<Arc<LinkShape>>> {
    let shape = |mesh: &Arc<Mesh>| {
        let mut shape = LinkShape::new(mesh.vertices(), mesh.triangles())?;
        shape.vertices = match kind {
            LinkTreeKind::AabbVertices => outline(mesh).collect(),
            _ => Vec::new(),
        };
        Some(Arc::new(shape))
    };
    let of_meshes: Vec<Option<Arc<LinkShape>>> = parallel::map(&scene.meshes, shape);
    scene.bodies.iter().map(|body| of_meshes[body.mesh? as usize].clone()).collect()
}

/// Returns all vertices and the corners of their box. With the corners, volumes around vertices contain
/// the box around its corners, so all kinds of hierarchies find the same pairs.
fn outline(mesh: &Mesh) -> impl Iterator<Item = Vec3> {
    let Aabb { min, max } = mesh.bounds();
    let corner = move |k: u8| {
        let pick = |axis: usize| if k >> axis & 1 == 0 { min[axis] } else { max[axis] };
        Vec3::new(pick(0), pick(1), pick(2))
    };
    mesh.vertices().iter().copied().chain((0..8).map(corner))
}

/// Returns a hierarchy over one link. Its shape is set later.
fn single(kind: LinkTreeKind) -> LinkTree {
    let bounds = Aabb::new(Vec3::ZERO, Vec3::ZERO);
    let shape = Some(Arc::new(LinkShape::from_bounds(bounds)));
    LinkTree::new(kind, &Skeleton::single(), &[shape])
}

fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}
