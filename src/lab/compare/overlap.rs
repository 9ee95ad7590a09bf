//! How deep bodies are in each other, by one measure for all engines: the exact query of two surfaces, asked
//! of the poses that an engine gives. It shares nothing with contacts.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::body::{Bodies, Motion, WORLD};
use crate::broad::{BroadPhase, BroadPhaseKind, Pair};
use crate::contact::PairRule;
use crate::mesh::Mesh;
use crate::query::exact::{Convex, Exact, Link, Start};
use crate::scene::{FigureKind, Scene};
use crate::tree::{SplitRule, Tree, TreeKind};
use crate::volume::Aabb;

/// The surfaces of a scene, ready to be asked. Exact skins are asked as the rigid surfaces of their links.
pub struct OverlapMeter {
    meshes: Vec<Arc<Mesh>>,
    trees: Vec<Tree>,
    convex: Vec<Option<Convex>>,
    /// Pairs that may overlap: the scene or a filter keeps them apart, it says that they overlap, or a joint
    /// holds them. a < b.
    excused: BTreeSet<(u32, u32)>,
    /// Bodies that no contact can move, and volumes that only report.
    is_still: Vec<bool>,
    is_trigger: Vec<bool>,
    /// The kinematic figure a body is of.
    figure: Vec<Option<u32>>,
    exact: Exact,
    broad: BroadPhase,
    pairs: Vec<Pair>,
}

/// The deepest overlap of any two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    pub bodies: [u32; 2],
    /// m; 0 where the two only touch.
    pub depth: f64,
}

impl OverlapMeter {
    pub fn new(scene: &Scene) -> Self {
        let tree = |mesh: &Arc<Mesh>| Tree::build(TreeKind::default(), SplitRule::default(), mesh);
        let mut excused: BTreeSet<(u32, u32)> = BTreeSet::new();
        let held = scene.joints.iter().filter(|j| j.a != WORLD && j.b != WORLD && !j.collide);
        excused.extend(held.map(|j| (j.a.min(j.b), j.a.max(j.b))));
        for &(a, b, rule) in &scene.pair_rules {
            if rule == PairRule::Collide {
                excused.remove(&(a, b));
            } else {
                excused.insert((a, b));
            }
        }
        let mut figure = vec![None; scene.bodies.len()];
        for (index, def) in (0..).zip(&scene.skeletons).filter(|(_, s)| s.kind == FigureKind::Kinematic) {
            figure[def.first_body as usize..(def.first_body + def.link_count) as usize].fill(Some(index));
        }
        Self {
            meshes: scene.meshes.clone(),
            trees: scene.meshes.iter().map(tree).collect(),
            convex: scene.meshes.iter().map(|m| Convex::new(m)).collect(),
            excused,
            is_still: scene.bodies.iter().map(|b| b.motion != Motion::Dynamic).collect(),
            is_trigger: scene.bodies.iter().map(|b| b.trigger).collect(),
            figure,
            exact: Exact::default(),
            broad: BroadPhase::new(BroadPhaseKind::default(), 1),
            pairs: Vec::new(),
        }
    }

    /// The deepest overlap of bodies of the scene, if any two meet. A body whose pose is not finite meets
    /// none.
    pub fn deepest(&mut self, scene: &Scene, bodies: &Bodies) -> Option<Overlap> {
        let bounds = |body: usize| match scene.bodies[body].mesh {
            Some(mesh) if bodies.states[body].pose.is_rigid() && !self.is_trigger[body] => {
                self.meshes[mesh as usize].bounds().transformed(&bodies.states[body].pose)
            }
            _ => Aabb::EMPTY,
        };
        let boxes: Vec<Aabb> = (0..scene.bodies.len()).map(bounds).collect();
        self.broad.update(&boxes);
        let mut pairs = std::mem::take(&mut self.pairs);
        self.broad.pairs(&mut pairs);
        let mut deepest: Option<Overlap> = None;
        for &Pair { a, b } in &pairs {
            if let Some(depth) = self.depth(scene, bodies, a, b)
                && deepest.is_none_or(|d| depth > d.depth)
            {
                deepest = Some(Overlap { bodies: [a, b], depth });
            }
        }
        self.pairs = pairs;
        deepest
    }

    /// How deep a and b are in each other, m; `None` if they are apart or may overlap.
    fn depth(&mut self, scene: &Scene, bodies: &Bodies, a: u32, b: u32) -> Option<f64> {
        let [i, j] = [a, b].map(|body| body as usize);
        let related = self.figure[i].is_some() && self.figure[i] == self.figure[j];
        let excused = self.excused.contains(&(a, b)) || scene.filters.keep_apart(a, b);
        if (self.is_still[i] && self.is_still[j]) || related || excused {
            return None;
        }
        let [ma, mb] = [scene.bodies[i].mesh?, scene.bodies[j].mesh?].map(|mesh| mesh as usize);
        let link = |mesh: usize| Link {
            tree: &self.trees[mesh],
            mesh: &self.meshes[mesh],
            convex: self.convex[mesh].as_ref(),
        };
        let links = [link(ma), link(mb)];
        let b_to_a = bodies.states[j].pose.relative_to(&bodies.states[i].pose);
        let mut start = Start::default();
        if !self.exact.intersects(links, &b_to_a, &mut start) {
            return None;
        }
        // An open surface has no far side to be deep in: no overlap is deeper than the smaller part is long.
        let longest = |mesh: usize| f64::from(self.meshes[mesh].bounds().diagonal());
        Some(self.exact.local_depth(links, &b_to_a, &mut start).min(longest(ma).min(longest(mb))))
    }
}
