//! Colors that distinguish components. Components that touch have different colors as long as the
//! palette suffices. If a finer level leaves a component whole, the component keeps its color.
//!
//! The components of a level are taken in order, the largest first. Each gets the color that its
//! neighbors use least. The cost is O(n log n) per level, plus the square of the number of components
//! while there are few.

use std::cmp::Reverse;

use crate::mesh::{ComponentTree, Mesh, NONE};
use crate::volume::Aabb;

/// The palette in sRGB. Where hues are similar, their lightness differs.
const PALETTE: [[u8; 3]; 12] = [
    [58, 118, 196],
    [240, 140, 46],
    [72, 166, 84],
    [206, 70, 150],
    [238, 206, 66],
    [70, 190, 208],
    [210, 52, 50],
    [126, 88, 196],
    [168, 208, 80],
    [138, 90, 56],
    [248, 164, 178],
    [24, 92, 104],
];
/// Up to this number of components, those with overlapping boxes avoid each other's colors too.
const BOXED_COUNT: usize = 2048;

/// Colors of the components of one surface.
pub struct Coloring {
    /// Index of each component's color in the palette, when one is chosen.
    color: Vec<Option<u8>>,
}

impl Coloring {
    /// Creates a coloring in which only the root component has a color. The color depends on `surface`,
    /// so that surfaces differ.
    pub fn new(component_count: usize, surface: usize) -> Self {
        let mut color = vec![None; component_count];
        color[0] = Some((surface * 5 % PALETTE.len()) as u8);
        Self { color }
    }

    /// Returns the color of a component, sRGB.
    pub fn of(&self, component: u32) -> [u8; 3] {
        PALETTE[usize::from(self.color[component as usize].unwrap_or(0))]
    }

    /// Chooses the colors of a finer level. `component_of` gives the component of each triangle, and
    /// `stands` gives the representative of each vertex's cell. Components touch if they reach into the
    /// same cell. Returns the number of components.
    pub fn refine(&mut self, mesh: &Mesh, tree: &ComponentTree, component_of: &[u32], stands: &[u32]) -> u32 {
        let members = Members::new(mesh, tree, component_of, stands);
        // The largest child of a divided component inherits its color.
        let mut kept: Vec<Option<u8>> = self.color.clone();
        for (parent, &color) in tree.components.iter().zip(&self.color) {
            let largest = parent.children.clone().max_by_key(|&c| (members.size(c), Reverse(c)));
            if let Some(child) = largest.filter(|&c| kept[c as usize].is_none()) {
                kept[child as usize] = color;
            }
        }
        let mut order: Vec<usize> = (0..members.components.len()).collect();
        order.sort_by_key(|&m| {
            let component = members.components[m];
            (kept[component as usize].is_none(), Reverse(members.size(component)), component)
        });
        let mut chosen: Vec<Option<u8>> = vec![None; members.components.len()];
        let mut uses = [0u32; PALETTE.len()];
        for m in order {
            let (mut touching, mut near) = ([0u32; PALETTE.len()], [0u32; PALETTE.len()]);
            for color in members.touching(m).filter_map(|n| chosen[n as usize]) {
                touching[usize::from(color)] += 1;
            }
            for color in members.near(m).filter_map(|n| chosen[n]) {
                near[usize::from(color)] += 1;
            }
            let component = members.components[m] as usize;
            let own = kept[component].map(usize::from).filter(|&c| touching[c] == 0);
            let least = (0..PALETTE.len()).min_by_key(|&c| (touching[c], near[c], uses[c]));
            let color = own.or(least).unwrap_or(0);
            uses[color] += 1;
            chosen[m] = Some(color as u8);
            self.color[component] = chosen[m];
        }
        members.components.len() as u32
    }
}

/// The components of a level, and the pairs that touch.
struct Members<'a> {
    tree: &'a ComponentTree,
    /// Numbers of the components, in ascending order.
    components: Vec<u32>,
    /// Pairs of positions in `components`. Each pair is listed in both orders, and the list is
    /// ascending.
    touching: Vec<[u32; 2]>,
    /// Bounds of each component, if there are few components.
    boxes: Vec<Aabb>,
}

impl<'a> Members<'a> {
    fn new(mesh: &Mesh, tree: &'a ComponentTree, component_of: &[u32], stands: &[u32]) -> Self {
        let mut components = component_of.to_vec();
        components.sort_unstable();
        components.dedup();
        let mut place = vec![NONE; tree.components.len()];
        for (&component, at) in components.iter().zip(0..) {
            place[component as usize] = at;
        }
        let mut reached: Vec<[u32; 2]> = Vec::with_capacity(3 * component_of.len());
        let mut boxes = vec![Aabb::EMPTY; components.len()];
        for (corners, &component) in mesh.triangles().iter().zip(component_of) {
            let member = place[component as usize];
            reached.extend(corners.map(|v| [stands[v as usize], member]));
            let bounds = Aabb::from_points(corners.iter().map(|&v| mesh.vertices()[v as usize]));
            boxes[member as usize] = boxes[member as usize].union(&bounds);
        }
        reached.sort_unstable();
        reached.dedup();
        let mut touching = Vec::new();
        for cell in reached.chunk_by(|a, b| a[0] == b[0]) {
            for (at, &[_, a]) in cell.iter().enumerate() {
                // If there are more components than colors, they cannot all differ.
                let others = cell[at + 1..].iter().take(PALETTE.len());
                touching.extend(others.flat_map(|&[_, b]| [[a, b], [b, a]]));
            }
        }
        touching.sort_unstable();
        touching.dedup();
        if boxes.len() > BOXED_COUNT {
            boxes.clear();
        }
        Self { tree, components, touching, boxes }
    }

    /// Returns the number of triangles of a component.
    fn size(&self, component: u32) -> usize {
        self.tree.components[component as usize].triangles.len()
    }

    fn touching(&self, member: usize) -> impl Iterator<Item = u32> {
        let first = self.touching.partition_point(|pair| (pair[0] as usize) < member);
        self.touching[first..].iter().take_while(move |pair| pair[0] as usize == member).map(|pair| pair[1])
    }

    /// Returns the components whose bounds overlap those of `member`.
    fn near(&self, member: usize) -> impl Iterator<Item = usize> {
        let all = self.boxes.iter().enumerate();
        all.filter(move |(_, b)| self.boxes[member].overlaps(b)).map(|(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Replica;
    use crate::mesh::Refinement;
    use crate::mesh::simplify::Simplifier;

    /// Calls `check` with every level of some models. Its arguments are the mesh, the number of the
    /// level, the component of each triangle, and the colors.
    fn at_every_level(mut check: impl FnMut(&Mesh, u32, &[u32], &Coloring)) {
        for replica in [Replica::Windmill, Replica::Chair, Replica::SpaceStation] {
            let (positions, triangles) = replica.triangles();
            let mesh = Mesh::new("", &positions, &triangles).unwrap();
            let tree = ComponentTree::new(&mesh, Refinement::Whole);
            let simplifier = Simplifier::new(mesh.vertices(), mesh.triangles());
            let mut coloring = Coloring::new(tree.components.len(), 0);
            for (level, found) in (1..).zip(&tree.levels) {
                let component_of = tree.after(level);
                let stands = simplifier.simplify(found.width).representatives;
                coloring.refine(&mesh, &tree, &component_of, &stands);
                check(&mesh, level, &component_of, &coloring);
            }
        }
    }

    #[test]
    fn components_that_share_a_vertex_differ_in_colour() {
        at_every_level(|mesh, level, component_of, coloring| {
            let mut at = vec![Vec::new(); mesh.vertices().len()];
            for (corners, &component) in mesh.triangles().iter().zip(component_of) {
                corners.iter().for_each(|&v| at[v as usize].push(component));
            }
            for around in at {
                for (&a, &b) in around.iter().zip(&around[1..]).filter(|(a, b)| a != b) {
                    assert_ne!(coloring.of(a), coloring.of(b), "level {level}: {a} and {b}");
                }
            }
        });
    }

    #[test]
    fn the_palette_is_well_separated() {
        for (at, a) in PALETTE.iter().enumerate() {
            for b in &PALETTE[at + 1..] {
                let far: u32 = (0..3).map(|k| u32::from(a[k].abs_diff(b[k])).pow(2)).sum();
                assert!(far > 55 * 55, "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn a_component_that_stays_whole_keeps_its_colour_where_it_can() {
        let (mut kept, mut changed) = (0, 0);
        let mut last: Vec<Option<[u8; 3]>> = Vec::new();
        at_every_level(|_, level, component_of, coloring| {
            if level == 1 {
                last.clear();
            }
            let now: std::collections::BTreeSet<u32> = component_of.iter().copied().collect();
            for &component in &now {
                match last.get(component as usize).copied().flatten() {
                    Some(color) if color == coloring.of(component) => kept += 1,
                    Some(_) => changed += 1,
                    None => {}
                }
            }
            last =
                (0..coloring.color.len() as u32).map(|c| now.contains(&c).then(|| coloring.of(c))).collect();
        });
        assert!(kept > 4 * changed, "{kept} kept, {changed} changed");
    }
}
