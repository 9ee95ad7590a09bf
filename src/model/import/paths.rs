//! Path of a node by names. It identifies a part even if other parts of its file change.
//!
//! A path consists of the names of the nodes from the top of the model down to the node, separated by
//! slashes. Of siblings with one name, all but the first get a number. The order of such siblings
//! depends on their transforms and surfaces, not on their order in the file. So a file that only
//! shuffles its nodes keeps all paths.

use std::collections::BTreeMap;
use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::model::{Geometry, LocalTransform, Model, Node};
use crate::order::Order;

/// Largest length of a path in bytes. A longer path keeps its end, which distinguishes parts.
const PATH_BYTES: usize = 1024;

/// Paths of a model's nodes, by names that are unique among siblings.
pub(crate) struct Paths<'a> {
    model: &'a Model,
    /// Number per node that its path shows after its name; 0 for none.
    numbers: Vec<u32>,
}

impl<'a> Paths<'a> {
    pub fn new(model: &'a Model) -> Self {
        let mut paths = Self { model, numbers: vec![0; model.nodes.len()] };
        let parentless = (0..model.nodes.len() as u32).filter(|&n| model.nodes[n as usize].parent.is_none());
        let tops: Vec<u32> = parentless.collect();
        let siblings = || std::iter::once(&tops).chain(model.nodes.iter().map(|n| &n.children));
        let repeated: Vec<Vec<u32>> = siblings().flat_map(|list| paths.repeated(list)).collect();
        if repeated.is_empty() {
            return paths;
        }
        let contents = contents(model);
        for mut nodes in repeated {
            nodes.order_by_key(|&n| (contents[n as usize], n));
            for (number, node) in (1..).zip(nodes).skip(1) {
                paths.numbers[node as usize] = number;
            }
        }
        paths
    }

    /// Returns the groups of siblings that share a name.
    fn repeated(&self, siblings: &[u32]) -> Vec<Vec<u32>> {
        let mut by_name: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for &node in siblings {
            by_name.entry(self.name(node)).or_default().push(node);
        }
        by_name.into_values().filter(|nodes| nodes.len() > 1).collect()
    }

    /// Returns the name of a node, else that of its mesh; empty if both are unnamed.
    fn name(&self, node: u32) -> &'a str {
        let Node { name, geometry, .. } = &self.model.nodes[node as usize];
        match geometry {
            Some(geometry) if name.is_empty() => &self.model.geometries[*geometry as usize].name,
            _ => name,
        }
    }

    /// Returns the path of a node. A nameless node without nameless siblings is omitted from paths.
    pub fn of(&self, node: u32) -> String {
        let above = |&n: &u32| self.model.nodes[n as usize].parent;
        let mut steps = Vec::new();
        let mut length = 0;
        for at in std::iter::successors(Some(node), above) {
            let step = match (self.name(at), self.numbers[at as usize]) {
                ("", 0) => continue,
                ("", number) => format!("node #{number}"),
                (name, 0) => name.to_owned(),
                (name, number) => format!("{name} #{number}"),
            };
            length += step.len() + 1;
            if length > PATH_BYTES {
                steps.push("…".to_owned());
                break;
            }
            steps.push(step);
        }
        steps.reverse();
        if steps.is_empty() { "node".to_owned() } else { steps.join("/") }
    }
}

/// Returns per node a hash of its transform, its surface and all its descendants.
fn contents(model: &Model) -> Vec<u64> {
    let surfaces: Vec<u64> = model.geometries.iter().map(surface).collect();
    // `order` lists parents before children. Hashes are computed in the reverse order.
    let mut order: Vec<u32> =
        (0..model.nodes.len() as u32).filter(|&n| model.nodes[n as usize].parent.is_none()).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        order.extend(&model.nodes[node as usize].children);
        next += 1;
    }
    let mut contents = vec![0; model.nodes.len()];
    for &node in order.iter().rev() {
        let own = &model.nodes[node as usize];
        let mut hash = FxHasher::default();
        hash.write(own.name.as_bytes());
        numbers(&own.local).for_each(|x| hash.write_u64(x.to_bits()));
        hash.write_u64(own.geometry.map_or(0, |g| surfaces[g as usize]));
        let mut below: Vec<u64> = own.children.iter().map(|&child| contents[child as usize]).collect();
        below.order();
        below.into_iter().for_each(|child| hash.write_u64(child));
        contents[node as usize] = hash.finish();
    }
    contents
}

fn numbers(local: &LocalTransform) -> impl Iterator<Item = f64> {
    local.matrix().to_cols_array().into_iter()
}

fn surface(geometry: &Geometry) -> u64 {
    let mut hash = FxHasher::default();
    geometry.positions.iter().flat_map(|p| p.to_array()).for_each(|x| hash.write_u32(x.to_bits()));
    geometry.triangles.as_flattened().iter().for_each(|&v| hash.write_u32(v));
    hash.finish()
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3, Vec3};

    use super::*;

    /// Creates a model from nodes (name, parent, x), stored in the given order.
    fn model(nodes: &[(&str, Option<usize>, f64)], order: &[usize]) -> Model {
        let place = |at: usize| order.iter().position(|&o| o == at).unwrap() as u32;
        let geometry = |at: usize| Geometry { positions: vec![Vec3::X * at as f32], ..Geometry::default() };
        let mut model = Model { geometries: (0..nodes.len()).map(geometry).collect(), ..Model::default() };
        for &at in order {
            let (name, parent, x) = nodes[at];
            let (translation, rotation, scale) = (DVec3::X * x, DQuat::IDENTITY, DVec3::ONE);
            let is_below = |&child: &usize| nodes[child].1 == Some(at);
            model.nodes.push(Node {
                name: name.to_owned(),
                parent: parent.map(place),
                children: order.iter().filter(|child| is_below(child)).map(|&child| place(child)).collect(),
                local: LocalTransform::Parts { translation, rotation, scale },
                geometry: (name == "bolt").then_some(at as u32),
                ..Node::default()
            });
        }
        model
    }

    #[test]
    fn shuffled_nodes_keep_their_paths_where_names_repeat() {
        let nodes = [
            ("frame", None, 0.0),
            ("side", Some(0), 1.0),
            ("side", Some(0), 2.0),
            ("bolt", Some(1), 0.5),
            ("bolt", Some(1), 0.75),
            ("bolt", Some(2), 0.5),
            ("", Some(0), 3.0),
            ("lid", Some(6), 0.0),
        ];
        let paths = |order: &[usize]| -> Vec<String> {
            let model = model(&nodes, order);
            let paths = Paths::new(&model);
            let of = |at: usize| paths.of(order.iter().position(|&o| o == at).unwrap() as u32);
            (0..nodes.len()).map(of).collect()
        };
        let straight = paths(&[0, 1, 2, 3, 4, 5, 6, 7]);
        for order in [[7, 6, 5, 4, 3, 2, 1, 0], [4, 1, 0, 6, 5, 3, 7, 2]] {
            assert_eq!(paths(&order), straight);
        }
        // A nameless node has the path of its parent.
        let named = (0..nodes.len()).filter(|&at| !nodes[at].0.is_empty());
        let once: std::collections::BTreeSet<&str> = named.map(|at| straight[at].as_str()).collect();
        assert_eq!(once.len(), nodes.len() - 1, "{straight:?}");
        assert_eq!((straight[0].as_str(), straight[7].as_str()), ("frame", "frame/lid"));
        assert!(straight[3].starts_with("frame/side") && straight[3].contains("/bolt"), "{straight:?}");
    }
}
