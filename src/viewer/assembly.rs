//! The assembly as a tree: the parts of a scene by their paths, with folded nodes and hidden parts.
//!
//! [`Scene`] → [`Assembly`], the rows of a tree, and [`Hidden`]. A path is a sequence of names
//! separated by slashes. A part may have other parts below it, as a robot has links.

use std::collections::{HashMap, HashSet};

use crate::scene::Scene;

/// Largest number of rows that are shown at first, unless the top level alone has more.
const SHORT_TREE: usize = 40;

/// The nodes of the tree in depth-first order: parents precede their descendants.
pub struct Assembly {
    nodes: Vec<Node>,
    /// Node of each body.
    node_of: Vec<u32>,
    /// The selected part that the tree last revealed.
    revealed: Option<u32>,
}

pub struct Node {
    /// Name of the part. For a node without a part, the last step of its path.
    pub label: String,
    pub path: String,
    /// Depth; 0 at the top.
    pub depth: u32,
    pub parent: Option<u32>,
    /// Index after the last descendant.
    pub end: u32,
    pub body: Option<u32>,
    pub is_folded: bool,
}

impl Assembly {
    pub fn new(scene: &Scene) -> Self {
        // One node per step of a path, in the order of appearance.
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

    /// Puts the found nodes into the order of a tree. Two bodies with the same path become two nodes;
    /// only malicious files have such bodies.
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

    /// Folds the levels that are too deep for a short list.
    fn fold_at_first(&mut self) {
        let deepest = self.nodes.iter().map(|n| n.depth).max().unwrap_or(0);
        let rows_to = |depth: u32| self.nodes.iter().filter(|n| n.depth <= depth).count();
        let open = (0..=deepest).take_while(|&depth| rows_to(depth) <= SHORT_TREE).last().unwrap_or(0);
        self.nodes.iter_mut().for_each(|n| n.is_folded = n.depth >= open);
    }

    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// Returns the bodies of a node and of all its descendants.
    pub fn bodies(&self, node: u32) -> impl Iterator<Item = u32> {
        self.nodes[node as usize..self.node(node).end as usize].iter().filter_map(|n| n.body)
    }

    pub fn fold(&mut self, node: u32, is_folded: bool) {
        self.nodes[node as usize].is_folded = is_folded;
    }

    /// Unfolds all ancestors of the selected part, once per selection. Returns the node of the part if
    /// the selection changed.
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

    /// Returns the nodes to show, in order. Without a search, these are the nodes that no folded branch
    /// hides. In a search, these are all matches and their ancestors. A part matches if its name or its
    /// path contains the text; case is ignored.
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
    /// Returns whether the node has descendants.
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

/// Bodies that are not drawn and cannot be clicked. They are simulated like all others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hidden {
    bodies: Vec<bool>,
    count: usize,
    /// Whether the drawn surfaces that belong to no body are hidden too.
    pub rest: bool,
}

impl Hidden {
    pub fn new(body_count: usize) -> Self {
        Self { bodies: vec![false; body_count], count: 0, rest: false }
    }

    pub fn hides(&self, body: u32) -> bool {
        self.bodies[body as usize]
    }

    /// Returns the number of hidden bodies.
    pub fn count(&self) -> usize {
        self.count
    }

    pub fn set(&mut self, body: u32, is_hidden: bool) {
        let own = &mut self.bodies[body as usize];
        self.count = self.count + usize::from(is_hidden) - usize::from(*own);
        *own = is_hidden;
    }

    /// Hides everything except these bodies.
    pub fn only(&mut self, bodies: &[u32]) {
        self.bodies.fill(true);
        bodies.iter().for_each(|&body| self.bodies[body as usize] = false);
        self.count = self.bodies.iter().filter(|h| **h).count();
        self.rest = true;
    }

    pub fn clear(&mut self) {
        *self = Self::new(self.bodies.len());
    }

    /// Returns the hidden parts for a reloaded scene. Parts are recognized by their paths.
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

    /// Creates a scene with one body per path. The last step of the path is the body's name.
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
    fn hidden_parts_stay_hidden_when_a_scene_is_reloaded() {
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
