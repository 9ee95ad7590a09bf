//! Exact skins: links of a figure whose surface is their part of the deformed skin instead of a rigid
//! surface.
//!
//! Every such link has its own mesh and hierarchy, at the end of the world's lists; both are deformed
//! and refitted in each pass. A link's velocity is that of its joint. Motion of the skin beyond that
//! pushes other bodies only by the overlap that it makes.

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

/// Largest distance, as a share of a link's size, between a vertex of the link and the vertex of the
/// rest skin that it is matched with.
const MATCH: f32 = 1e-4;

/// Deviation of a link's skin from the link's rigid surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinReport {
    /// Index of the link's body.
    pub body: u32,
    /// Deviation over all steps so far.
    pub deviation: Deviation,
}

/// Exact skins of all links.
#[derive(Default)]
pub(super) struct Skins {
    /// Index of the first skin among the world's meshes and hierarchies; skins are in the order of
    /// `links`.
    first_mesh: usize,
    links: Vec<SkinnedLink>,
    /// Links of exact figures that stay rigid, because none of their vertices is on a skin.
    pub rigid_count: u32,
}

/// A link with its exact skin.
struct SkinnedLink {
    body: u32,
    figure: u32,
    /// Bodies or figure joints that the joints of the skin follow, one per joint.
    carriers: Vec<Carrier>,
    skin: LinkSkin,
    rest: Arc<Mesh>,
    scratch: RefitScratch,
    /// Whether any vertex has moved in body space since the last pass.
    reshaped: bool,
    /// Largest distance of a vertex from the center of mass, m.
    radius: f64,
    means: f64,
    worst: f64,
    step_count: u32,
}

impl Skins {
    /// Finds the exact skins of all figures of a scene. The skins follow `first_mesh` other meshes.
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

    /// Returns the surfaces of the links at rest, each with the body that it belongs to.
    pub fn surfaces(&self) -> impl Iterator<Item = (u32, &Arc<Mesh>)> {
        self.links.iter().map(|link| (link.body, &link.rest))
    }

    /// Deforms all skins to the poses of the bodies and, at `time` (s), of the figures, and refits
    /// their hierarchies.
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
        // One piece per link: some links have many times the vertices of others.
        let links = self.links.iter_mut().zip(meshes.iter_mut().zip(trees));
        threads.team(cost).share(links, |_, (link, (mesh, tree))| {
            let figure = &figures[link.figure as usize];
            link.deform(time, states, figure, Arc::make_mut(mesh), Arc::make_mut(tree));
        });
        for link in &self.links {
            bodies.infos[link.body as usize].radius = link.radius;
        }
    }

    /// Returns the links, each with whether its surface has changed since the last pass.
    pub fn reshaped(&self) -> impl Iterator<Item = (u32, bool)> {
        self.links.iter().map(|link| (link.body, link.reshaped))
    }

    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Adds the present deviation of the skins to the reports; `meshes` are the world's.
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
    /// Matches the vertices of a link with the skins; `None` if none of them is on a skin. Vertices of
    /// a matched link that are not on a skin, where the link was closed, keep their rigid position.
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
    /// Surface and joint → index in `used`.
    places: BTreeMap<(usize, u16), u16>,
    /// Index of the link itself in `used`.
    own: Option<u16>,
}

impl Joints {
    /// Returns a vertex that follows the link itself, without its position.
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

    /// Returns a vertex without its position; `None` if there are too many joints.
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

/// Positions on the rigid surface of the vertices of drawn triangles that belong to a link, sorted by
/// x.
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

    /// Returns the surface and the vertex nearest to a vertex of the link, no farther than `tolerance`,
    /// m.
    fn nearest(&self, vertex: Vec3, tolerance: f32) -> Option<(usize, u32)> {
        let first = self.0.partition_point(|p| p.0.x < vertex.x - tolerance);
        let near = self.0[first..].iter().take_while(|p| p.0.x <= vertex.x + tolerance);
        let near = near.map(|&(place, surface, from)| (place.distance(vertex), surface, from));
        let nearest = near.filter(|n| n.0 <= tolerance).min_by(|x, y| x.0.total_cmp(&y.0));
        nearest.map(|(_, surface, from)| (surface, from))
    }
}

/// Returns the distance of the farthest vertex from a point of body space, m.
pub(super) fn farthest(mesh: &Mesh, from: DVec3) -> f64 {
    let squared = |v: &Vec3| v.as_dvec3().distance_squared(from);
    mesh.vertices().iter().map(squared).fold(0.0, f64::max).sqrt()
}
