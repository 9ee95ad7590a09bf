//! Exact skins: the surface of a link of a figure (articulated character) is its part of the deformed
//! skin instead of a rigid surface.
//!
//! Every such link has its own mesh and hierarchy, at the end of the world's lists. Both are deformed
//! and refitted in each pass. The velocity of the link is still that of its rigid motion: any further
//! motion of the skin pushes other bodies only through the overlap that it causes.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DAffine3, DVec3, Vec3};

use super::figure::Figure;
use super::work;
use crate::arrays::MapEach;
use crate::articulation::{Deviation, LinkSkin, SkinVertex};
use crate::body::{Bodies, BodyState};
use crate::import::model::Influence;
use crate::mesh::Mesh;
use crate::order::Order;
use crate::parallel::Threads;
use crate::scene::looks::{Carrier, DrawnSurface, Follows, SkinJoint, Skinning};
use crate::scene::{BodyDef, Scene};
use crate::tree::{RefitScratch, Tree};

/// Largest distance between a vertex of the link and the matching vertex of the skin at rest, as a
/// share of the link's size.
const MATCH: f32 = 1e-4;

/// Deviation of a link's skin from the link's rigid surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinReport {
    /// Index of the link's body.
    pub body: u32,
    /// Mean and largest deviation over all steps so far.
    pub deviation: Deviation,
}

/// Exact skins of all links.
#[derive(Default)]
pub(super) struct Skins {
    /// Index of the first skin among the world's meshes and hierarchies. The skins are in the order of
    /// `links`.
    first_mesh: usize,
    links: Vec<SkinnedLink>,
    /// Number of links of figures with exact skins that stay rigid, because none of their vertices is
    /// on a skin.
    pub rigid_count: u32,
}

/// A link with its exact skin.
struct SkinnedLink {
    body: u32,
    figure: u32,
    /// Bodies or figure joints that the joints of the skin follow, one per joint of the skin.
    carriers: Vec<Carrier>,
    skin: LinkSkin,
    rest: Arc<Mesh>,
    scratch: RefitScratch,
    /// True if any vertex has moved in body space in the last deformation.
    reshaped: bool,
    /// Largest distance of a vertex from the link's center of mass, m.
    radius: f64,
    /// Sum of the mean deviations of the steps.
    means: f64,
    /// Largest deviation of the steps.
    worst: f64,
    step_count: u32,
}

impl Skins {
    /// Finds the exact skins of all figures of a scene. `first_mesh`: number of meshes before the
    /// skins.
    pub fn new(scene: &Scene, first_mesh: usize) -> Self {
        let mut skins = Self { first_mesh, ..Self::default() };
        for (figure, skeleton) in scene.skeletons.iter().enumerate() {
            let skinned: Vec<(&DrawnSurface, &Skinning)> = scene
                .drawn
                .iter()
                .filter_map(|drawn| match &drawn.follows {
                    Follows::Joints(s) if s.skeleton as usize == figure => Some((drawn, s)),
                    _ => None,
                })
                .collect();
            for body in skeleton.first_body..skeleton.first_body + skeleton.link_count {
                let def = &scene.bodies[body as usize];
                let Some(mesh) = def.mesh.map(|m| &scene.meshes[m as usize]).filter(|_| !skinned.is_empty())
                else {
                    continue;
                };
                match SkinnedLink::new(body, figure as u32, def, mesh, &skinned) {
                    Some(link) => skins.links.push(link),
                    None => skins.rigid_count += 1,
                }
            }
        }
        skins
    }

    /// Returns the surface at rest of each link, with the body that it belongs to.
    pub fn surfaces(&self) -> impl Iterator<Item = (u32, &Arc<Mesh>)> {
        self.links.iter().map(|link| (link.body, &link.rest))
    }

    /// Deforms all skins to the poses of the bodies, and of the figures at `time` (s). Refits their
    /// hierarchies.
    pub fn deform(
        &mut self,
        time: f64,
        bodies: &mut Bodies,
        figures: &[Figure],
        (meshes, trees): (&mut [Arc<Mesh>], &mut [Arc<Tree>]),
        threads: &Threads,
    ) {
        let (meshes, trees) = (&mut meshes[self.first_mesh..], &mut trees[self.first_mesh..]);
        let states = &bodies.states;
        let cost = work::SKIN_VERTEX * meshes.iter().map(|mesh| mesh.vertices().len() as u64).sum::<u64>();
        // Each link is one piece of work, because some links have many times the vertices of others.
        let links = self.links.iter_mut().zip(meshes.iter_mut().zip(trees));
        threads.team(cost).share(links, |_, (link, (mesh, tree))| {
            let figure = &figures[link.figure as usize];
            link.deform(time, states, figure, Arc::make_mut(mesh), Arc::make_mut(tree));
        });
        for link in &self.links {
            bodies.infos[link.body as usize].radius = link.radius;
        }
    }

    /// Returns the body of each link, and whether its surface has changed in the last deformation.
    pub fn reshaped(&self) -> impl Iterator<Item = (u32, bool)> {
        self.links.iter().map(|link| (link.body, link.reshaped))
    }

    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Adds the present deviation of the skins to the reports. `meshes`: all meshes of the world.
    pub fn measure(&mut self, meshes: &[Arc<Mesh>]) {
        for (link, mesh) in self.links.iter_mut().zip(&meshes[self.first_mesh..]) {
            let deviation = Deviation::between(mesh.vertices(), link.rest.vertices());
            link.means += deviation.mean;
            link.worst = link.worst.max(deviation.worst);
            link.step_count += 1;
        }
    }

    pub fn reports(&self) -> impl Iterator<Item = SkinReport> {
        self.links.iter().map(|link| {
            let mean = link.means / f64::from(link.step_count.max(1));
            SkinReport { body: link.body, deviation: Deviation { mean, worst: link.worst } }
        })
    }
}

impl SkinnedLink {
    /// Matches the vertices of a link with the skins; `None` if none of them is on a skin. A vertex
    /// that is not on a skin, where the link was closed, keeps its rigid position.
    fn new(
        body: u32,
        figure: u32,
        def: &BodyDef,
        mesh: &Arc<Mesh>,
        skinned: &[(&DrawnSurface, &Skinning)],
    ) -> Option<Self> {
        let places = Places::new(body, skinned);
        let tolerance = MATCH * mesh.bounds().diagonal();
        let mut joints = Joints::default();
        let mut any = false;
        let mut on_skin = |vertex: Vec3, joints: &mut Joints| {
            let (surface, from) = places.nearest(vertex, tolerance)?;
            let (drawn, skinning) = skinned[surface];
            let influence = joints.influence(surface, skinning, &skinning.influences[from as usize])?;
            any = true;
            Some(SkinVertex { position: drawn.positions[from as usize], ..influence })
        };
        let vertices = mesh.vertices().iter().map(|&vertex| {
            let found = on_skin(vertex, &mut joints);
            found.unwrap_or_else(|| SkinVertex { position: vertex, ..joints.rigid(body) })
        });
        let vertices: Vec<SkinVertex> = vertices.collect();
        let (carriers, binds) = joints.used.into_iter().map(|j| (j.carrier, j.bind)).unzip();
        any.then(|| Self {
            body,
            figure,
            carriers,
            skin: LinkSkin::new(binds, vertices),
            rest: Arc::clone(mesh),
            scratch: RefitScratch::default(),
            reshaped: false,
            radius: farthest(mesh, def.center),
            means: 0.0,
            worst: 0.0,
            step_count: 0,
        })
    }

    /// Deforms the skin to the poses at `time` (s), and refits its hierarchy if any vertex moved.
    fn deform(&mut self, time: f64, states: &[BodyState], figure: &Figure, mesh: &mut Mesh, tree: &mut Tree) {
        let state = &states[self.body as usize];
        let carriers = &self.carriers;
        let joint = |j: usize| match carriers[j] {
            Carrier::Body(body) => states[body as usize].pose,
            Carrier::Joint(joint) => figure.joint_pose(joint as usize, time),
        };
        let mut vertices = self.skin.deform(&state.pose, joint);
        self.reshaped = false;
        mesh.reshape(|before| {
            let now = vertices.next().filter(|v| v.is_finite()).unwrap_or(before);
            self.reshaped |= now != before;
            now
        });
        drop(vertices);
        if self.reshaped {
            tree.refit(mesh, &mut self.scratch);
        }
        self.radius = farthest(mesh, state.center);
    }
}

/// Joints that the vertices of a link follow.
#[derive(Default)]
struct Joints {
    used: Vec<SkinJoint>,
    /// Index in `used`, by surface and joint of its skin.
    places: BTreeMap<(usize, u16), u16>,
    /// Index in `used` of the link itself.
    own: Option<u16>,
}

impl Joints {
    /// Returns a vertex that follows only the link itself, without its position.
    fn rigid(&mut self, body: u32) -> SkinVertex {
        let own = SkinJoint { carrier: Carrier::Body(body), bind: DAffine3::IDENTITY };
        let place = *self.own.get_or_insert_with(|| {
            self.used.push(own);
            self.used.len() as u16 - 1
        });
        let mut vertex = SkinVertex::default();
        (vertex.joints[0], vertex.weights[0]) = (place, 1.0);
        vertex
    }

    /// Returns a vertex that follows the joints of `influence`, without its position. `None` if there
    /// are too many joints.
    fn influence(
        &mut self,
        surface: usize,
        skinning: &Skinning,
        influence: &Influence,
    ) -> Option<SkinVertex> {
        if self.used.len() + influence.joints.len() > usize::from(u16::MAX) {
            return None;
        }
        let mut vertex = SkinVertex { weights: influence.weights, ..SkinVertex::default() };
        for (slot, (&joint, &weight)) in influence.joints.iter().zip(&influence.weights).enumerate() {
            if weight > 0.0 {
                vertex.joints[slot] = *self.places.entry((surface, joint)).or_insert_with(|| {
                    self.used.push(skinning.joints[usize::from(joint)]);
                    self.used.len() as u16 - 1
                });
            }
        }
        Some(vertex)
    }
}

/// Positions, on a link's rigid surface, of the vertices of the drawn triangles that belong to the
/// link. Each has the index of its surface and of its vertex. Sorted by x.
struct Places(Vec<(Vec3, usize, u32)>);

impl Places {
    /// Collects the positions of the link's drawn vertices in its body space.
    fn new(body: u32, skinned: &[(&DrawnSurface, &Skinning)]) -> Self {
        let mut places = Vec::new();
        for (surface, (drawn, skinning)) in skinned.iter().enumerate() {
            for (corners, _) in drawn.triangles.iter().zip(&skinning.owners).filter(|(_, o)| **o == body) {
                let influences = corners.map_each(|v| &skinning.influences[v as usize]);
                let Some(joint) = Influence::strongest(influences) else { continue };
                let SkinJoint { carrier, bind } = &skinning.joints[usize::from(joint)];
                if *carrier == Carrier::Body(body) {
                    places.extend(corners.map_each(|v| {
                        let place = bind.transform_point3(drawn.positions[v as usize].as_dvec3());
                        (place.as_vec3(), surface, v)
                    }));
                }
            }
        }
        places.order_by(|x, y| x.0.x.total_cmp(&y.0.x).then((x.1, x.2).cmp(&(y.1, y.2))));
        places.dedup_by_key(|p| (p.0.to_array().map_each(f32::to_bits), p.1, p.2));
        Self(places)
    }

    /// Returns the surface and the vertex nearest to a vertex of the link; `None` if no vertex is
    /// within `tolerance` (m).
    fn nearest(&self, vertex: Vec3, tolerance: f32) -> Option<(usize, u32)> {
        let first = self.0.partition_point(|p| p.0.x < vertex.x - tolerance);
        let near = self.0[first..].iter().take_while(|p| p.0.x <= vertex.x + tolerance);
        let near = near.map(|&(place, surface, from)| (place.distance(vertex), surface, from));
        let nearest = near.filter(|n| n.0 <= tolerance).min_by(|x, y| x.0.total_cmp(&y.0));
        nearest.map(|(_, surface, from)| (surface, from))
    }
}

/// Returns the distance of the mesh's farthest vertex from a point in body space, m.
pub(super) fn farthest(mesh: &Mesh, from: DVec3) -> f64 {
    let squared = |v: &Vec3| v.as_dvec3().distance_squared(from);
    mesh.vertices().iter().map(squared).fold(0.0, f64::max).sqrt()
}
