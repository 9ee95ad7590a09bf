//! Nodes by their names, and the components of their transforms.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};

use crate::import::model::{LocalTransform, Model};
use crate::lookup::Lookup;

/// Returns the nodes by name, without names that several nodes have. Skinned meshes are excluded, as
/// they often have the name of a joint.
pub(super) fn unique_names(model: &Model) -> Lookup<&str, u32> {
    let mut names: BTreeMap<&str, Option<u32>> = BTreeMap::new();
    for (index, node) in
        model.nodes.iter().enumerate().filter(|(_, n)| n.skin.is_none() && !n.name.is_empty())
    {
        names.entry(&node.name).and_modify(|n| *n = None).or_insert(Some(index as u32));
    }
    names.into_iter().filter_map(|(name, node)| Some((name, node?))).collect()
}

/// Returns translation, rotation and scale of a node's transform.
pub(super) fn parts(local: &LocalTransform) -> (DVec3, DQuat, DVec3) {
    match *local {
        LocalTransform::Parts { translation, rotation, scale } => (translation, rotation, scale),
        LocalTransform::Matrix(matrix) => {
            let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
            (translation, rotation, scale)
        }
    }
}
