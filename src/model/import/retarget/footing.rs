//! Lowest point of a figure's surface, at rest and along a clip. Joints lie inside the figure, so their
//! heights do not tell where its soles are.
//!
//! A skinned vertex is a weighted mean of its positions by each of its joints. So it lies no lower than
//! the lowest of the boxes that these joints move, and most vertices need no test.

use glam::{DMat4, DVec3};

use crate::import::clip::world_matrices;
use crate::import::model::{Clip, Model, Node};
use crate::order::Order;

/// Largest number of vertices times moments that are tested. The limit takes a second.
const WORK_LIMIT: usize = 1 << 27;

/// Surface of a figure: its skins; without a skin, the meshes of its joints.
pub(super) struct Footing<'a> {
    model: &'a Model,
    carriers: Vec<Carrier>,
    vertices: Vec<Vertex>,
}

/// A node that moves vertices.
struct Carrier {
    node: u32,
    /// Inverse bind matrix; identity for a mesh without a skin.
    bind: DMat4,
    /// Bounds of its vertices in its own space.
    min: DVec3,
    max: DVec3,
    /// Indices of its vertices.
    vertices: Vec<u32>,
}

struct Vertex {
    position: DVec3,
    /// Carriers and their weights.
    influences: Vec<(u32, f64)>,
}

impl<'a> Footing<'a> {
    /// Collects the surface of a figure. `is_joint` selects the nodes whose meshes count if the model
    /// has no skin.
    pub fn new(model: &'a Model, is_joint: &dyn Fn(u32) -> bool) -> Self {
        let mut footing = Self { model, carriers: Vec::new(), vertices: Vec::new() };
        let is_skinned = |node: &Node| node.skin.is_some() && node.geometry.is_some();
        let has_skin = model.nodes.iter().any(|node| node.in_scene && is_skinned(node));
        for (index, node) in (0..).zip(&model.nodes).filter(|(_, node)| node.in_scene) {
            if is_skinned(node) {
                footing.add_skin(node);
            } else if !has_skin && is_joint(index) {
                footing.add_mesh(index, node);
            }
        }
        footing
    }

    fn add_skin(&mut self, node: &Node) {
        let (Some(skin), Some(geometry)) = (node.skin, node.geometry) else { return };
        let (skin, geometry) = (&self.model.skins[skin as usize], &self.model.geometries[geometry as usize]);
        if skin.joints.is_empty() {
            return;
        }
        let first = self.carriers.len() as u32;
        let carriers = skin.joints.iter().zip(&skin.inverse_bind);
        self.carriers.extend(carriers.map(|(&node, &bind)| Carrier::new(node, bind)));
        for (position, influence) in geometry.positions.iter().zip(&geometry.influences) {
            let weighted =
                influence.joints.iter().zip(&influence.weights).filter(|(_, weight)| **weight > 0.0);
            // Nodes with skins of different sizes may share a mesh.
            let last = skin.joints.len() as u32 - 1;
            let influences =
                weighted.map(|(&joint, &weight)| (first + u32::from(joint).min(last), f64::from(weight)));
            self.add_vertex(position.as_dvec3(), influences.collect());
        }
    }

    fn add_mesh(&mut self, index: u32, node: &Node) {
        let Some(geometry) = node.geometry else { return };
        let carrier = self.carriers.len() as u32;
        self.carriers.push(Carrier::new(index, DMat4::IDENTITY));
        for position in &self.model.geometries[geometry as usize].positions {
            self.add_vertex(position.as_dvec3(), vec![(carrier, 1.0)]);
        }
    }

    fn add_vertex(&mut self, position: DVec3, influences: Vec<(u32, f64)>) {
        for &(carrier, _) in &influences {
            let carrier = &mut self.carriers[carrier as usize];
            let own = carrier.bind.transform_point3(position);
            (carrier.min, carrier.max) = (carrier.min.min(own), carrier.max.max(own));
            carrier.vertices.push(self.vertices.len() as u32);
        }
        self.vertices.push(Vertex { position, influences });
    }

    /// Returns the height of the lowest vertex at rest, m; `None` without vertices.
    pub fn at_rest(&self) -> Option<f64> {
        let lowest = self.lower(f64::INFINITY, &world_matrices(self.model, None, DMat4::IDENTITY));
        lowest.is_finite().then_some(lowest)
    }

    /// Returns the height of the lowest vertex at any of the times, m, and the number of times that were
    /// tested; `None` without vertices.
    pub fn along(&self, clip: &Clip, times: &[f32]) -> Option<(f64, usize)> {
        let most = (WORK_LIMIT / self.vertices.len().max(1)).max(1);
        let every = times.len().div_ceil(most).max(1);
        let mut lowest = f64::INFINITY;
        for &time in times.iter().step_by(every) {
            let worlds = world_matrices(self.model, Some((clip, f64::from(time))), DMat4::IDENTITY);
            lowest = self.lower(lowest, &worlds);
        }
        lowest.is_finite().then_some((lowest, times.len().div_ceil(every)))
    }

    /// Returns the height of the lowest vertex, or `known` if that is lower, m.
    fn lower(&self, known: f64, worlds: &[DMat4]) -> f64 {
        let moved: Vec<DMat4> = self.carriers.iter().map(|c| worlds[c.node as usize] * c.bind).collect();
        let lows = self.carriers.iter().map(|carrier| carrier.low(&worlds[carrier.node as usize]));
        let mut order: Vec<(f64, &Carrier)> = lows.zip(&self.carriers).collect();
        order.order_by(|x, y| x.0.total_cmp(&y.0));
        let mut lowest = known;
        for (low, carrier) in order {
            if low >= lowest {
                break;
            }
            for &vertex in &carrier.vertices {
                let Vertex { position, influences } = &self.vertices[vertex as usize];
                let height = |&(joint, weight): &(u32, f64)| {
                    weight * moved[joint as usize].transform_point3(*position).y
                };
                lowest = lowest.min(influences.iter().map(height).sum());
            }
        }
        lowest
    }
}

impl Carrier {
    fn new(node: u32, bind: DMat4) -> Self {
        Self { node, bind, min: DVec3::INFINITY, max: DVec3::NEG_INFINITY, vertices: Vec::new() }
    }

    /// Returns a height that none of its vertices is below in its own motion, m.
    fn low(&self, world: &DMat4) -> f64 {
        if self.vertices.is_empty() {
            return f64::INFINITY;
        }
        let up = DVec3::new(world.x_axis.y, world.y_axis.y, world.z_axis.y);
        let ends = (up * self.min).min(up * self.max);
        world.w_axis.y + ends.element_sum()
    }
}
