//! Number of triangles of a scene's surfaces, counted before any is built. The same mesh at another
//! scale is another surface, and a small file can use one mesh at thousands of scales.
//!
//! The count is a lower bound: it omits some surfaces, such as links of figures. A [`Builder`] refuses
//! a scene with too many of these while it builds them.

use std::collections::HashSet;

use glam::{DMat4, DVec3};

use super::builder::Builder;
use super::nodes::{nearest_above, owners};
use crate::arrays::MapEach;
use crate::import::clip::{split, world_matrices};
use crate::import::limits::LAID_OUT;
use crate::import::model::{ColliderGeometry, Model, part_name};
use crate::import::shapes;

/// Mesh or shape of a model, by its index in the model.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Mesh(u32),
    Shape(u32),
}

/// Distinct surfaces found so far.
#[derive(Default)]
pub(super) struct Surfaces {
    /// Keys of the surfaces: address of the model, source, and scale.
    seen: HashSet<(usize, Source, [u64; 9])>,
    triangle_count: usize,
    /// Number of visited nodes of all models.
    node_count: usize,
}

impl Surfaces {
    /// Counts the surfaces of a model at a scale. The builder refuses the scene if there are too many.
    /// If the model plays a clip (`plays`), nodes that the clip may move are not counted, because they
    /// become links of a figure.
    pub fn add(
        &mut self,
        builder: &mut Builder,
        model: &Model,
        scale: f64,
        plays: bool,
        wanted: &dyn Fn(&str) -> bool,
    ) {
        self.node_count = self.node_count.saturating_add(model.nodes.len());
        if self.node_count > LAID_OUT {
            return;
        }
        let tracks = model.clips.iter().flat_map(|clip| &clip.tracks).filter(|_| plays);
        let tracked: HashSet<u32> = tracks.map(|track| track.node).collect();
        let moved = nearest_above(model, |node| tracked.contains(&node));
        let worlds = world_matrices(model, None, DMat4::from_scale(DVec3::splat(scale)));
        let owners = owners(model);
        let is_physical = model.has_physics();
        let body = |at: usize| owners[at].unwrap_or(at as u32);
        let has_collider: HashSet<u32> =
            (0..owners.len()).filter(|&at| model.nodes[at].collider.is_some()).map(body).collect();
        for (at, node) in model.nodes.iter().enumerate().filter(|(_, n)| n.in_scene) {
            let source = match &node.collider {
                Some(collider) => match collider.geometry {
                    ColliderGeometry::Mesh { geometry, .. } => Some(Source::Mesh(geometry)),
                    ColliderGeometry::Shape(shape) => Some(Source::Shape(shape)),
                    ColliderGeometry::Node { node, .. } => {
                        model.nodes[node as usize].geometry.map(Source::Mesh)
                    }
                },
                // The meshes of a body without a collider collide, except for links of robots.
                None if is_physical => {
                    let is_taken = owners[at].is_some_and(|owner| !has_collider.contains(&owner));
                    node.geometry.filter(|_| is_taken && model.robot.is_none()).map(Source::Mesh)
                }
                None => {
                    node.geometry.filter(|_| node.skin.is_none() && moved[at].is_none()).map(Source::Mesh)
                }
            };
            let named = if is_physical { body(at) } else { at as u32 };
            if let Some(source) = source.filter(|_| wanted(&part_name(model, named))) {
                // A shape's triangles are only known once they are made.
                let is_made = matches!(source, Source::Shape(_));
                if is_made && !builder.may_have_surface(self.triangle_count) {
                    return;
                }
                self.add_surface(model, source, &worlds[at]);
            }
        }
        builder.may_have_surface(self.triangle_count);
    }

    /// Counts the triangles of a surface, unless it was already counted at this scale.
    fn add_surface(&mut self, model: &Model, source: Source, world: &DMat4) {
        let Some((_, rest)) = split(world) else { return };
        let which = std::ptr::from_ref(model).addr();
        if self.seen.insert((which, source, rest.to_cols_array().map_each(f64::to_bits))) {
            self.triangle_count += match source {
                Source::Mesh(geometry) => model.geometries[geometry as usize].triangles.len(),
                Source::Shape(shape) => shapes::triangles(&model.shapes[shape as usize])
                    .map_or(0, |(_, triangles)| triangles.len()),
            };
        }
    }
}
