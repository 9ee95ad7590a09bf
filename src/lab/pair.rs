//! Queries on two copies of one mesh under every contender, as several experiments need them.

use super::Query;
use super::measure::{Contender, Measured};
use super::table::{Cell, Table};
use crate::mesh::Mesh;
use crate::plan::{Guided, TreePlan};
use crate::query::{Coherence, find_intersections, intersect_coherently, surfaces_intersect};
use crate::tree::{Counts, DescentScratch, SplitRule, Tree};

/// Columns that [`cells`] fills. They follow the experiment's own columns.
pub const COLUMNS: [&str; 11] = [
    "time (µs)",
    "95 % (µs)",
    "max time (µs)",
    "node tests",
    "max node tests",
    "triangle tests",
    "max triangle tests",
    "flops a node pair",
    "colliding",
    "poses",
    "repeats (µs)",
];

/// Creates a table whose first columns are `own`.
pub fn table(own: &[&'static str]) -> Table {
    Table::new(&[own, &COLUMNS].concat())
}

pub fn cells(measured: &Measured) -> Vec<Cell> {
    let &Measured { time, node_tests, triangle_tests, operations, .. } = measured;
    let [interval, repeats] = measured.times.cells(1e6 / measured.poses.max(1) as f64);
    let counted = |value: f64| if measured.counted { value.into() } else { Cell::Nothing };
    let mut cells = vec![time.mean.into(), interval, time.max.into()];
    cells.extend([node_tests.mean, node_tests.max, triangle_tests.mean, triangle_tests.max].map(counted));
    // Brute force and a remembered answer test no nodes.
    cells.push(if operations > 0.0 { operations.into() } else { Cell::Nothing });
    cells.extend([measured.colliding.into(), measured.poses.into(), repeats]);
    cells
}

/// Hierarchy that is measured.
pub struct Built {
    pub plan: TreePlan,
    pub rule: SplitRule,
    pub name: String,
    pub tree: Tree,
    /// Result of the guidance by parts; `None` if the plan has none.
    pub guided: Option<Guided>,
}

/// Pairs each kind with every split rule. A kind that ignores split rules is only paired with the
/// first.
pub fn plans(kinds: &[TreePlan], rules: &[SplitRule]) -> Vec<(TreePlan, SplitRule)> {
    let own_rules = |plan: TreePlan| if plan.kind.follows_rule() { rules } else { &rules[..1] };
    kinds.iter().flat_map(|&kind| own_rules(kind).iter().map(move |&rule| (kind, rule))).collect()
}

pub fn build((plan, rule): (TreePlan, SplitRule), mesh: &Mesh) -> Built {
    let (tree, guided) = Tree::build_guided(plan, rule, mesh);
    Built { plan, rule, name: name(plan, rule), tree, guided }
}

/// Returns the name of the plan, and that of the rule if it is not the default.
fn name(plan: TreePlan, rule: SplitRule) -> String {
    let is_default = rule == SplitRule::default() || !plan.kind.follows_rule();
    if is_default { plan.name() } else { format!("{}, {}", plan.name(), rule.name()) }
}

/// Builds hierarchies over one mesh: each kind with every split rule that applies to it.
pub fn trees(kinds: &[TreePlan], rules: &[SplitRule], mesh: &Mesh) -> Vec<Built> {
    plans(kinds, rules).into_iter().map(|plan| build(plan, mesh)).collect()
}

/// Creates a contender whose queries always start from the roots.
pub fn cold<'a>(Built { name, tree, .. }: &'a Built, mesh: &'a Mesh, query: Query) -> Contender<'a> {
    let surfaces = [(tree, mesh), (tree, mesh)];
    let mut scratch = DescentScratch::default();
    let ask = move |pose: &_, counts: &mut Counts, pairs: &mut Vec<_>| match query {
        Query::Any(order) => {
            scratch.order = order;
            surfaces_intersect(surfaces, pose, &mut scratch, counts)
        }
        Query::All => {
            find_intersections(surfaces, pose, &mut scratch, pairs, counts);
            !pairs.is_empty()
        }
    };
    Contender { name: name.clone(), counts: true, ask: Box::new(ask) }
}

/// Creates a contender whose queries start from the answer of the previous query.
pub fn coherent<'a>(Built { name, tree, .. }: &'a Built, mesh: &'a Mesh) -> Contender<'a> {
    let surfaces = [(tree, mesh), (tree, mesh)];
    let (mut scratch, mut memory) = (DescentScratch::default(), Coherence::default());
    let ask = move |pose: &_, counts: &mut Counts, _: &mut _| {
        intersect_coherently(surfaces, pose, &mut memory, &mut scratch, counts)
    };
    Contender { name: format!("{name}, remembering"), counts: true, ask: Box::new(ask) }
}

/// Describes contenders of this program whose answers differ from the first contender's at any pose. If
/// queries find all pairs of triangles, the sets of pairs are compared.
pub fn disagreements(mesh: &Mesh, results: &[(String, Measured)]) -> Vec<String> {
    let Some((first, expected)) = results.first() else { return Vec::new() };
    let others = results.iter().filter(|(_, m)| m.fingerprint != expected.fingerprint);
    // `found` is 0 for queries that only test whether any pair intersects.
    let answer = |name: &str, m: &Measured| match m.found {
        0 => format!("{name} collides in {} poses", m.colliding),
        found => format!("{name} collides in {} poses with {found} pairs of triangles", m.colliding),
    };
    let say = |(name, m): &(String, Measured)| {
        let [own, other] = [answer(name, m), answer(first, expected)];
        format!("{}: {name} and {first} answer differently: {own}, {other}", mesh.name())
    };
    others.map(say).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::measure;
    use crate::shapes::Shape;
    use crate::tree::TreeKind;
    use crate::workload::{DISTANCES, turn};

    #[test]
    fn a_contender_that_answers_otherwise_is_named() {
        let mesh = Shape::Torus.mesh(500).unwrap();
        let trees =
            trees(&[TreeKind::Boxtree8.into(), TreeKind::Aabb.into()], &[SplitRule::default()], &mesh);
        let poses: Vec<_> = DISTANCES.iter().flat_map(|&d| turn(d, 4)).collect();
        for query in Query::ALL {
            let mut contenders: Vec<_> = trees.iter().map(|built| cold(built, &mesh, query)).collect();
            let names = contenders.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
            let results = measure(&mut contenders, &poses);
            assert!(results[0].colliding > 4 && results[0].colliding < 36, "{:?}", results[0]);
            let mut named: Vec<_> = names.into_iter().zip(results).collect();
            assert!(disagreements(&mesh, &named).is_empty());
            named[1].1.fingerprint ^= 1;
            let text = &disagreements(&mesh, &named)[0];
            assert!(
                text.contains("torus") && text.contains("aabb and boxtree8 answer differently"),
                "{text}"
            );
        }
    }
}
