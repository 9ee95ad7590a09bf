//! The assembly as a tree: the parts of a scene by their paths, what is folded and what is hidden.
//!
//! [`Scene`] → [`Assembly`], rows of a tree, and [`Hidden`]. A path is names with slashes between; a part may
//! have others below it, as the links of a robot do.

use std::collections::{HashMap, HashSet};

use crate::scene::Scene;

/// Rows that are shown unasked at most, unless the top alone has more.
const SHORT_TREE: usize = 40;

/// The tree, parents before what is below them.
pub struct Assembly {
    nodes: Vec<Node>,
    /// Node of each body.
    node_of: Vec<u32>,
    /// The part that was last shown in the tree because it had been selected.
    revealed: Option<u32>,
}

pub struct Node {
    /// The name of a part, else the step of the path that leads here.
    pub label: String,
    pub path: String,
    /// 0 at the top.
    pub depth: u32,
    pub parent: Option<u32>,
    /// Behind the last node below this.
    pub end: u32,
    pub body: Option<u32>,
    pub is_folded: bool,
}

impl Assembly {
    pub fn new(scene: &Scene) -> Self {
        // A node a step of a path, in the order in which they come up.
        let mut found = vec![Found::default()];
        let mut known: HashMap<(u32, &str), u32> = HashMap::new();
        for (body, def) in (0..).zip(&scene.bodies) {
            let path = if def.path.is_empty() { &def.name } else { &def.path };
            let mut at = 0;
            for step in path.split('/') {
                at = *known.entry((at, step)).or_insert_with(|| {
                    let new = found.len() as u32;
                    found.push(Found { step, ..Found::default() });
                    found[at as usize].below.push(new);
                    new
                });
            }
            found[at as usize].bodies.push(body);
        }
        let mut assembly = Self { nodes: Vec::new(), node_of: vec![0; scene.bodies.len()], revealed: None };
        assembly.flatten(scene, &found);
        assembly.fold_at_first();
        assembly
    }

    /// Puts what was found into the order of a tree. Two bodies of one path, which only hostile files have,
    /// become two nodes.
    fn flatten(&mut self, scene: &Scene, found: &[Found]) {
        let mut open: Vec<(u32, Option<u32>)> = found[0].below.iter().rev().map(|&n| (n, None)).collect();
        while let Some((at, parent)) = open.pop() {
            let Found { step, below, bodies } = &found[at as usize];
            let (depth, path) = parent.map_or((0, String::new()), |p: u32| {
                let above = &self.nodes[p as usize];
                (above.depth + 1, format!("{}/", above.path))
            });
            let path = path + step;
            let branch = bodies.is_empty().then_some(None);
            for body in bodies.iter().map(|&body| Some(body)).chain(branch) {
                let own = self.nodes.len() as u32;
                let label = body.map_or(*step, |b: u32| &scene.bodies[b as usize].name).to_owned();
                if let Some(body) = body {
                    self.node_of[body as usize] = own;
                }
                let (path, end) = (path.clone(), own + 1);
                self.nodes.push(Node { label, path, depth, parent, end, body, is_folded: false });
            }
            let own = self.nodes.len() as u32 - 1;
            open.extend(below.iter().rev().map(|&n| (n, Some(own))));
        }
        for at in (0..self.nodes.len()).rev() {
            if let Some(parent) = self.nodes[at].parent {
                let end = self.nodes[at].end.max(self.nodes[parent as usize].end);
                self.nodes[parent as usize].end = end;
            }
        }
    }

    /// Folds what is too deep for a short list.
    fn fold_at_first(&mut self) {
        let deepest = self.nodes.iter().map(|n| n.depth).max().unwrap_or(0);
        let rows_to = |depth: u32| self.nodes.iter().filter(|n| n.depth <= depth).count();
        let open = (0..=deepest).take_while(|&depth| rows_to(depth) <= SHORT_TREE).last().unwrap_or(0);
        self.nodes.iter_mut().for_each(|n| n.is_folded = n.depth >= open);
    }

    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// The bodies of a node and of all below it.
    pub fn bodies(&self, node: u32) -> impl Iterator<Item = u32> {
        self.nodes[node as usize..self.node(node).end as usize].iter().filter_map(|n| n.body)
    }

    pub fn fold(&mut self, node: u32, is_folded: bool) {
        self.nodes[node as usize].is_folded = is_folded;
    }

    /// Unfolds all that the selected part is below, once; its node where there was something to do.
    pub fn reveal(&mut self, selected: Option<u32>) -> Option<u32> {
        if std::mem::replace(&mut self.revealed, selected) == selected {
            return None;
        }
        let own = self.node_of[selected? as usize];
        let mut at = self.node(own).parent;
        while let Some(above) = at {
            self.fold(above, false);
            at = self.node(above).parent;
        }
        Some(own)
    }

    /// The nodes to show, in order: those that no folded branch hides, or of a search all that fit, with what
    /// they are below. A part fits if its name or its path has the text, in capitals or not.
    pub fn rows(&self, search: &str) -> Vec<u32> {
        let wanted = search.trim().to_lowercase();
        if wanted.is_empty() {
            let mut rows = Vec::new();
            let mut at = 0;
            while let Some(node) = self.nodes.get(at as usize) {
                rows.push(at);
                at = if node.is_folded { node.end } else { at + 1 };
            }
            return rows;
        }
        let mut is_wanted = vec![false; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let fits = |text: &str| text.to_lowercase().contains(&wanted);
            is_wanted[at] |= node.body.is_some() && (fits(&node.label) || fits(&node.path));
            if let Some(parent) = node.parent.filter(|_| is_wanted[at]) {
                is_wanted[parent as usize] = true;
            }
        }
        (0..self.nodes.len() as u32).filter(|&n| is_wanted[n as usize]).collect()
    }
}

impl Node {
    /// Whether anything is below it.
    pub fn is_branch(&self, own: u32) -> bool {
        self.end > own + 1
    }
}

#[derive(Default)]
struct Found<'a> {
    step: &'a str,
    below: Vec<u32>,
    bodies: Vec<u32>,
}

/// Which bodies are not drawn, and cannot be clicked on; they step all the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hidden {
    bodies: Vec<bool>,
    count: usize,
    /// Whether what belongs to no body is not drawn either.
    pub rest: bool,
}

impl Hidden {
    pub fn new(body_count: usize) -> Self {
        Self { bodies: vec![false; body_count], count: 0, rest: false }
    }

    pub fn hides(&self, body: u32) -> bool {
        self.bodies[body as usize]
    }

    /// Bodies that are hidden.
    pub fn count(&self) -> usize {
        self.count
    }

    pub fn set(&mut self, body: u32, is_hidden: bool) {
        let own = &mut self.bodies[body as usize];
        self.count = self.count + usize::from(is_hidden) - usize::from(*own);
        *own = is_hidden;
    }

    /// Hides everything else.
    pub fn only(&mut self, bodies: &[u32]) {
        self.bodies.fill(true);
        bodies.iter().for_each(|&body| self.bodies[body as usize] = false);
        self.count = self.bodies.iter().filter(|h| **h).count();
        self.rest = true;
    }

    pub fn clear(&mut self) {
        *self = Self::new(self.bodies.len());
    }

    /// What is hidden of a scene that was loaded again: parts are known by their paths.
    pub fn carried(&self, from: &Scene, to: &Scene) -> Self {
        let path = |(body, _): &(&crate::scene::BodyDef, &bool)| body.path.clone();
        let hidden: HashSet<String> =
            from.bodies.iter().zip(&self.bodies).filter(|(_, hidden)| **hidden).map(|b| path(&b)).collect();
        let bodies: Vec<bool> = to.bodies.iter().map(|body| hidden.contains(&body.path)).collect();
        let count = bodies.iter().filter(|h| **h).count();
        Self { bodies, count, rest: self.rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::load_scene;

    /// A scene with bodies of these paths, called after their last steps.
    fn scene(paths: &[&str]) -> Scene {
        let mut scene = load_scene("chain", None).unwrap();
        let one = scene.bodies[0].clone();
        let named = |path: &&str| crate::scene::BodyDef {
            name: path.rsplit('/').next().unwrap().to_owned(),
            path: (*path).to_owned(),
            ..one.clone()
        };
        scene.bodies = paths.iter().map(named).collect();
        scene
    }

    fn shown(assembly: &Assembly, search: &str) -> Vec<String> {
        let line = |n: u32| {
            let node = assembly.node(n);
            format!("{}{}", "-".repeat(node.depth as usize), node.label)
        };
        assembly.rows(search).into_iter().map(line).collect()
    }

    const CAR: [&str; 6] =
        ["car/axle/wheel", "car/hood", "lift", "car/axle/wheel #2", "car/axle", "lift/arm"];

    #[test]
    fn paths_become_branches_and_parts_may_have_others_below_them() {
        let mut assembly = Assembly::new(&scene(&CAR));
        let whole = ["car", "-axle", "--wheel", "--wheel #2", "-hood", "lift", "-arm"];
        assert_eq!(shown(&assembly, ""), whole);
        let bodies = |node| assembly.bodies(node).collect::<Vec<_>>();
        assert_eq!((bodies(0), bodies(1), bodies(5)), (vec![4, 0, 3, 1], vec![4, 0, 3], vec![2, 5]));
        assert!(assembly.node(5).is_branch(5) && !assembly.node(4).is_branch(4));
        assembly.fold(1, true);
        assembly.fold(5, true);
        assert_eq!(shown(&assembly, ""), ["car", "-axle", "-hood", "lift"]);
        assembly.fold(0, true);
        assert_eq!(shown(&assembly, ""), ["car", "lift"]);
        assert_eq!(assembly.reveal(Some(3)), Some(3));
        assert_eq!(shown(&assembly, "")[..5], whole[..5]);
        assembly.fold(1, true);
        assert_eq!(assembly.reveal(Some(3)), None, "what is folded afterwards stays so");
    }

    #[test]
    fn a_search_shows_what_fits_and_where_it_hangs() {
        let mut assembly = Assembly::new(&scene(&CAR));
        assembly.fold(0, true);
        assert_eq!(shown(&assembly, "WHEEL"), ["car", "-axle", "--wheel", "--wheel #2"]);
        assert_eq!(shown(&assembly, "axle/wheel #"), ["car", "-axle", "--wheel #2"]);
        assert_eq!(shown(&assembly, "bolt"), [""; 0]);
    }

    #[test]
    fn a_long_tree_is_folded_at_first_and_names_that_repeat_lose_no_part() {
        let paths: Vec<String> = (0..200).map(|n| format!("top/group{}/part{n}", n % 10)).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        assert_eq!(Assembly::new(&scene(&paths)).rows("").len(), 11);
        let assembly = Assembly::new(&scene(&["a", "a", ""]));
        assert_eq!(
            (shown(&assembly, ""), assembly.bodies(0).count()),
            (vec!["a".into(), "a".into(), String::new()], 1)
        );
    }

    #[test]
    fn what_is_hidden_stays_so_where_a_scene_is_loaded_again() {
        let (before, after) = (scene(&["a", "b", "c"]), scene(&["c", "b", "d"]));
        let mut hidden = Hidden::new(3);
        hidden.set(2, true);
        hidden.set(2, true);
        assert_eq!(hidden.count(), 1);
        let carried = hidden.carried(&before, &after);
        assert_eq!(([0, 1, 2].map(|b| carried.hides(b)), carried.count()), ([true, false, false], 1));
        hidden.only(&[1]);
        assert_eq!(([0, 1, 2].map(|b| hidden.hides(b)), hidden.count()), ([true, false, true], 2));
        hidden.clear();
        assert_eq!(hidden, Hidden::new(3));
    }
}
