//! Two copies of one mesh under every contender: the common part of the experiments on queries.

use super::Query;
use super::measure::{Contender, Measured};
use super::table::{Cell, Table};
use crate::mesh::Mesh;
use crate::tree::{
    Coherence, Counts, DescentScratch, SplitRule, Tree, TreeKind, find_intersections, intersect,
    intersect_coherently,
};

/// The columns that [`cells`] fills, after the experiment's own.
pub const COLUMNS: [&str; 9] = [
    "time (µs)",
    "max time",
    "node tests",
    "max nodes",
    "triangle tests",
    "max triangles",
    "flops a pair",
    "colliding",
    "poses",
];

/// A table with its own columns first.
pub fn table(own: &[&'static str]) -> Table {
    Table::new(&[own, &COLUMNS].concat())
}

pub fn cells(measured: &Measured) -> Vec<Cell> {
    let spread = |s: super::measure::Spread| [Cell::from(s.mean), Cell::from(s.max)];
    let counted = measured.node_tests.mean > 0.0;
    let only_if =
        |counted: bool, cells: [Cell; 2]| if counted { cells } else { [Cell::Nothing, Cell::Nothing] };
    let mut cells = spread(measured.time).to_vec();
    cells.extend(only_if(counted, spread(measured.node_tests)));
    cells.extend(only_if(counted, spread(measured.triangle_tests)));
    cells.push(if measured.operations > 0.0 { measured.operations.into() } else { Cell::Nothing });
    cells.extend([measured.colliding.into(), measured.poses.into()]);
    cells
}

/// Hierarchies over one mesh, by name.
pub fn trees(kinds: &[TreeKind], rules: &[SplitRule], mesh: &Mesh) -> Vec<(String, Tree)> {
    let build = |(kind, rule): (TreeKind, SplitRule)| {
        let name = match rule {
            _ if rule == SplitRule::default() => kind.name().to_owned(),
            _ => format!("{}, {}", kind.name(), rule.name()),
        };
        (name, Tree::build(kind, rule, mesh))
    };
    kinds.iter().flat_map(|&kind| rules.iter().map(move |&rule| (kind, rule))).map(build).collect()
}

/// Asks a tree from a cold start.
pub fn cold<'a>(name: &str, tree: &'a Tree, mesh: &'a Mesh, query: Query) -> Contender<'a> {
    let surfaces = [(tree, mesh), (tree, mesh)];
    let (mut scratch, mut pairs) = (DescentScratch::default(), Vec::new());
    let ask = move |pose: &_, counts: &mut Counts| match query {
        Query::Any => u64::from(intersect(surfaces, pose, &mut scratch, counts)),
        Query::All => {
            pairs.clear();
            find_intersections(surfaces, pose, &mut scratch, &mut pairs, counts);
            pairs.len() as u64
        }
    };
    Contender { name: name.to_owned(), ask: Box::new(ask) }
}

/// Asks a tree that remembers the last answer.
pub fn coherent<'a>(name: &str, tree: &'a Tree, mesh: &'a Mesh) -> Contender<'a> {
    let surfaces = [(tree, mesh), (tree, mesh)];
    let (mut scratch, mut memory) = (DescentScratch::default(), Coherence::default());
    let ask = move |pose: &_, counts: &mut Counts| {
        u64::from(intersect_coherently(surfaces, pose, &mut memory, &mut scratch, counts))
    };
    Contender { name: format!("{name}, remembering"), ask: Box::new(ask) }
}

/// Own contenders that found something else than the first of them, in words.
pub fn disagreements(mesh: &Mesh, results: &[(String, Measured)]) -> Vec<String> {
    let Some((first, expected)) = results.first() else { return Vec::new() };
    let differs = |m: &Measured| (m.colliding, m.found) != (expected.colliding, expected.found);
    let others = results.iter().filter(|(_, m)| differs(m));
    others
        .map(|(name, m)| {
            format!(
                "{}: {name} finds {} in {} poses, {first} {} in {}",
                mesh.name(),
                m.found,
                m.colliding,
                expected.found,
                expected.colliding
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::measure::measure;
    use crate::experiment::shapes::Shape;
    use crate::experiment::workload::{DISTANCES, turn};

    #[test]
    fn a_contender_that_finds_less_is_named() {
        let mesh = Shape::Torus.mesh(500).unwrap();
        let trees = trees(&[TreeKind::Boxtree8, TreeKind::Aabb], &[SplitRule::default()], &mesh);
        let poses: Vec<_> = DISTANCES.iter().flat_map(|&d| turn(d, 4)).collect();
        for query in [Query::Any, Query::All] {
            let mut contenders: Vec<_> =
                trees.iter().map(|(name, tree)| cold(name, tree, &mesh, query)).collect();
            let names = contenders.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
            let results = measure(&mut contenders, &poses);
            assert!(results[0].colliding > 4 && results[0].colliding < 36, "{:?}", results[0]);
            let mut named: Vec<_> = names.into_iter().zip(results).collect();
            assert!(disagreements(&mesh, &named).is_empty());
            named[1].1.colliding -= 1;
            let text = &disagreements(&mesh, &named)[0];
            assert!(text.contains("torus") && text.contains("aabb finds"), "{text}");
        }
    }
}
