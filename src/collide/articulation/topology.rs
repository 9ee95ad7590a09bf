//! Binary hierarchy over the links of a skeleton. \[cab\] §3.1, Figure 1(a)
//!
//! The skeleton is contracted in rounds, each from the tips to the roots. At each link, child pieces
//! without children of their own are joined in pairs. A leftover piece is joined with the link itself,
//! and so is an only child. So the first round joins neighbors along a chain, the next round joins
//! those pairs, and so on; pieces at a branch are joined two by two. Every tip takes part in every
//! round, so n links give a hierarchy of height O(log n). Trees of several roots are joined in pairs.

use super::Skeleton;

use crate::arrays::MapEach;

/// Hierarchy. Nodes are numbered: first the leaves in depth-first order, then inner nodes by height.
/// The root is last.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Topology {
    /// Link of each leaf.
    pub links: Vec<u32>,
    pub inner: Vec<Inner>,
}

/// Inner node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Inner {
    pub children: [u32; 2],
    /// Leaf of the link whose joint to its parent connects the children. `None` if that link has no
    /// leaf, or if no joint connects the children.
    pub joint: Option<u32>,
    /// The first leaf below the node, and the number of leaves below it.
    pub leaves: [u32; 2],
}

/// Part of the hierarchy during construction.
enum Piece {
    Leaf(u32),
    Join { parts: Box<[Piece; 2]>, joint: Option<u32>, height: u32 },
}

impl Piece {
    fn join(a: Option<Self>, b: Option<Self>, joint: Option<u32>) -> Option<Self> {
        match (a, b) {
            (Some(a), Some(b)) => {
                let height = 1 + a.height().max(b.height());
                Some(Self::Join { parts: Box::new([a, b]), joint, height })
            }
            (piece, None) | (None, piece) => piece,
        }
    }

    fn height(&self) -> u32 {
        match self {
            Self::Leaf(_) => 0,
            Self::Join { height, .. } => *height,
        }
    }
}

impl Topology {
    /// Builds the hierarchy over the links for which `has_leaf` is true.
    pub fn new(skeleton: &Skeleton, has_leaf: impl Fn(usize) -> bool) -> Self {
        let mut topology = Self { links: Vec::new(), inner: Vec::new() };
        let Some(root) = contract(skeleton, has_leaf) else { return topology };
        let height = root.height() as usize;
        let mut levels: Vec<Vec<(Inner, [usize; 2])>> = (0..height).map(|_| Vec::new()).collect();
        topology.place(root, &mut levels);
        topology.number(levels, skeleton.len());
        topology
    }

    pub fn node_count(&self) -> usize {
        self.links.len() + self.inner.len()
    }

    /// Returns the distance of each node from the root, in levels.
    pub fn levels(&self) -> Vec<u32> {
        let mut levels = vec![0; self.node_count()];
        for (inner, node) in self.inner.iter().zip(self.links.len()..self.node_count()).rev() {
            for child in inner.children {
                levels[child as usize] = levels[node] + 1;
            }
        }
        levels
    }

    /// Numbers the leaves and sorts the inner nodes into levels by height. A node's children are stored
    /// as an index within their level, and their heights beside it. Returns the piece's own index
    /// within its level. The recursion is as deep as the hierarchy.
    fn place(&mut self, piece: Piece, levels: &mut [Vec<(Inner, [usize; 2])>]) -> u32 {
        match piece {
            Piece::Leaf(link) => {
                self.links.push(link);
                self.links.len() as u32 - 1
            }
            Piece::Join { parts, joint, height } => {
                let first = self.links.len() as u32;
                let heights = parts.each_ref().map_each(|p| p.height() as usize);
                let children = (*parts).map(|part| self.place(part, levels));
                let leaves = [first, self.links.len() as u32 - first];
                let level = &mut levels[height as usize - 1];
                level.push((Inner { children, joint, leaves }, heights));
                level.len() as u32 - 1
            }
        }
    }

    /// Replaces indices within levels by node indices, and the link of each joint by its leaf.
    fn number(&mut self, levels: Vec<Vec<(Inner, [usize; 2])>>, link_count: usize) {
        let mut leaf_of_link = vec![None; link_count];
        for (&link, leaf) in self.links.iter().zip(0..) {
            leaf_of_link[link as usize] = Some(leaf);
        }
        let mut starts = vec![0, self.links.len() as u32];
        for level in levels {
            starts.push(starts[starts.len() - 1] + level.len() as u32);
            self.inner.extend(level.into_iter().map(|(mut node, heights)| {
                for (child, height) in node.children.iter_mut().zip(heights) {
                    *child += starts[height];
                }
                node.joint = node.joint.and_then(|link| leaf_of_link[link as usize]);
                node
            }));
        }
    }
}

/// Contracts all links that have a leaf into one piece; `None` if there are none.
fn contract(skeleton: &Skeleton, has_leaf: impl Fn(usize) -> bool) -> Option<Piece> {
    let count = skeleton.len();
    let mut hanging: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (parent, link) in skeleton.parents().iter().zip(0..) {
        if let Some(parent) = parent {
            hanging[*parent as usize].push(link);
        }
    }
    let mut pieces: Vec<Option<Piece>> =
        (0..count).map(|link| has_leaf(link).then_some(Piece::Leaf(link as u32))).collect();
    // The link nearest the root of every remaining piece, each after its descendants.
    let mut left: Vec<u32> = skeleton.upward().to_vec();
    let mut is_joined = vec![false; count];
    let is_root = |link: u32| skeleton.parents()[link as usize].is_none();
    while !left.iter().all(|&link| is_root(link)) {
        is_joined.fill(false);
        let mut is_gone = vec![false; count];
        for &link in &left {
            let below = std::mem::take(&mut hanging[link as usize]);
            let is_tip = |l: &u32| !is_joined[*l as usize] && hanging[*l as usize].is_empty();
            let (tips, mut others): (Vec<u32>, Vec<u32>) = below.into_iter().partition(is_tip);
            let (pairs, odd) = tips.as_chunks::<2>();
            for &[a, b] in pairs {
                let other = pieces[b as usize].take();
                pieces[a as usize] = Piece::join(pieces[a as usize].take(), other, Some(a));
                is_joined[a as usize] = true;
                is_gone[b as usize] = true;
            }
            let alone = match others[..] {
                [child] if tips.is_empty() && !is_joined[child as usize] => Some(child),
                _ => None,
            };
            if let Some(child) = odd.first().copied().or(alone) {
                let other = pieces[child as usize].take();
                pieces[link as usize] = Piece::join(pieces[link as usize].take(), other, Some(child));
                is_joined[link as usize] = true;
                is_gone[child as usize] = true;
                others.retain(|&l| l != child);
                others.append(&mut hanging[child as usize]);
            }
            others.extend(pairs.iter().map(|pair| pair[0]));
            hanging[link as usize] = others;
        }
        left.retain(|&link| !is_gone[link as usize]);
    }
    let mut trees: Vec<Option<Piece>> =
        (0..count as u32).filter(|&l| is_root(l)).map(|l| pieces[l as usize].take()).collect();
    while trees.len() > 1 {
        let mut two_by_two = trees.into_iter();
        trees = Vec::new();
        while let Some(a) = two_by_two.next() {
            trees.push(Piece::join(a, two_by_two.next().flatten(), None));
        }
    }
    trees.pop().flatten()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::random::Random;

    fn over(parents: Vec<Option<u32>>) -> Topology {
        let anchors = vec![Vec3::ZERO; parents.len()];
        Topology::new(&Skeleton::new(parents, anchors).unwrap(), |_| true)
    }

    fn chain(count: u32) -> Vec<Option<u32>> {
        (0..count).map(|link| link.checked_sub(1)).collect()
    }

    /// Checks that every node is a child exactly once, comes after its own children and has the right
    /// leaves. Returns the height.
    fn check(topology: &Topology) -> u32 {
        let leaf_count = topology.links.len();
        let mut below: Vec<Vec<u32>> = (0..leaf_count as u32).map(|leaf| vec![leaf]).collect();
        let mut heights = vec![0; leaf_count];
        let mut seen = vec![false; topology.node_count()];
        for (inner, node) in topology.inner.iter().zip(leaf_count..) {
            let [a, b] = inner.children.map(|c| c as usize);
            assert!(a < node && b < node && !seen[a] && !seen[b]);
            (seen[a], seen[b]) = (true, true);
            let all = [&below[a][..], &below[b][..]].concat();
            let expected: Vec<u32> = (inner.leaves[0]..inner.leaves[0] + inner.leaves[1]).collect();
            assert_eq!(all, expected);
            below.push(all);
            heights.push(1 + heights[a].max(heights[b]));
        }
        assert!(heights.is_sorted());
        assert_eq!(below.last().map_or(0, Vec::len), leaf_count);
        heights.last().copied().unwrap_or(0)
    }

    #[test]
    fn a_chain_is_halved_and_joined_at_its_joints() {
        let topology = over(chain(8));
        assert_eq!(check(&topology), 3);
        let links = |node: &Inner| {
            let mut links: Vec<u32> = (node.leaves[0]..node.leaves[0] + node.leaves[1])
                .map(|l| topology.links[l as usize])
                .collect();
            links.sort_unstable();
            (links, node.joint.map(|leaf| topology.links[leaf as usize]))
        };
        let mut nodes: Vec<_> = topology.inner.iter().map(links).collect();
        nodes.sort_unstable();
        let run = |first: u32, last: u32, joint: u32| ((first..=last).collect::<Vec<u32>>(), Some(joint));
        let mut expected = vec![
            run(0, 1, 1),
            run(2, 3, 3),
            run(4, 5, 5),
            run(6, 7, 7),
            run(0, 3, 2),
            run(4, 7, 6),
            run(0, 7, 4),
        ];
        expected.sort_unstable();
        assert_eq!(nodes, expected);
    }

    #[test]
    fn fingers_are_joined_two_by_two_at_the_palm() {
        // A palm and four fingers of two links.
        let palm = 0;
        let parents =
            vec![None, Some(palm), Some(1), Some(palm), Some(3), Some(palm), Some(5), Some(palm), Some(7)];
        let topology = over(parents);
        assert_eq!(check(&topology), 4);
        let of = |node: &Inner| {
            let leaves = node.leaves[0] as usize..(node.leaves[0] + node.leaves[1]) as usize;
            let mut links = topology.links[leaves].to_vec();
            links.sort_unstable();
            links
        };
        let nodes: Vec<Vec<u32>> = topology.inner.iter().map(of).collect();
        for expected in [vec![1, 2], vec![7, 8], vec![1, 2, 3, 4], vec![5, 6, 7, 8]] {
            assert!(nodes.contains(&expected), "{expected:?} is not in {nodes:?}");
        }
    }

    #[test]
    fn heights_are_logarithmic_for_any_shape() {
        let count = 1000;
        let mut random = Random::new(5, 0);
        let star = (0..count).map(|link| (link > 0).then_some(0)).collect();
        // A spine with a leg at every second link.
        let comb =
            (0..count).map(|link: u32| (link > 0).then(|| if link % 2 == 1 { link - 1 } else { link - 2 }));
        let any = (0..count).map(|link| (link > 0).then(|| (random.uniform() * f64::from(link)) as u32));
        let loose = vec![None; count as usize];
        for parents in [chain(count), star, comb.collect(), any.collect(), loose] {
            let height = check(&over(parents.clone()));
            assert!(height <= 20, "{height}: {:?}", &parents[..10]);
        }
    }

    #[test]
    fn links_without_a_leaf_are_left_out() {
        let skeleton = Skeleton::new(chain(9), vec![Vec3::ZERO; 9]).unwrap();
        for picked in 0..1 << 9 {
            let topology = Topology::new(&skeleton, |link| picked >> link & 1 == 1);
            check(&topology);
            let mut links = topology.links.clone();
            links.sort_unstable();
            let expected: Vec<u32> = (0..9).filter(|link| picked >> link & 1 == 1).collect();
            assert_eq!(links, expected);
        }
    }
}
