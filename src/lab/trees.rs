//! `boxtree-vs-trees`: query time of every hierarchy at every mesh size, compared with other libraries.
//! \[boxtree\] Fig. 10

use super::measure::{Contender, Measured, measure};
use super::turns;
use super::workload::{DISTANCES, far_apart, turn};
use super::{Chart, Findings, Options, Plot, Query, Shape, ShapeError, Watch, lines_by_size, pair};
use crate::experiment::{Experiment, Family, Takes};
use crate::mesh::Mesh;
use crate::tree::{SplitRule, TreeKind};

pub const EXPERIMENT: Experiment = Experiment {
    name: "boxtree-vs-trees",
    about: "all hierarchies, and parry3d, at every size",
    item: Some("[boxtree] Fig. 10"),
    family: Family::Meshes,
    takes: Takes { meshes: true, query: Some(Query::DEEPEST_FIRST), ..Takes::NOTHING },
    run: |options, watch| Ok(run(options, watch)?),
};

const SHAPES: [Shape; 3] = [Shape::Torus, Shape::BumpySphere, Shape::Soup];

/// Number of queries over which the set-up is timed.
const SET_UP_COUNT: u32 = 50;
const SET_UP_NOTE: &str = "set-up: time of a query whose roots are disjoint, as for the tables of boxtree-lookup; \
                           it is also part of `time`";

/// Number of triangles above which brute force is measured only on request.
const BRUTE_FORCE_COUNT: usize = 2000;

fn run(options: &Options, watch: Watch) -> Result<Findings, ShapeError> {
    // Of the boxtrees, measures only the one with small nodes and the best overlap test;
    // `boxtree-tests` compares the other variants.
    let best = TreeKind::BOXTREE;
    let plain = |kind: &TreeKind| !matches!(kind, TreeKind::Boxtree(_)) || *kind == best;
    let kinds: Vec<TreeKind> = TreeKind::ALL.into_iter().filter(plain).collect();
    let meshes = options.meshes(&SHAPES, &[1000, 5000], &[1000, 10_000, 100_000]);
    let steps = options.steps(20, 200);
    let title = match options.query() {
        Query::Any(_) => "Whether two meshes intersect",
        Query::All => "All pairs of triangles that intersect",
    };
    compare(title, meshes, &kinds, steps, options, true, watch)
}

/// Runs the workload at all distances for every mesh and hierarchy kind.
pub(super) fn compare(
    title: &str,
    meshes: impl Iterator<Item = Result<Mesh, ShapeError>>,
    kinds: &[TreeKind],
    steps: u32,
    options: &Options,
    with_peers: bool,
    watch: Watch,
) -> Result<Findings, ShapeError> {
    let mut table = pair::table(&["mesh", "triangles", "tree", "set-up (µs)"]);
    let (mut points, mut disagreements, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let poses: Vec<_> = DISTANCES.iter().flat_map(|&distance| turn(distance, steps)).collect();
    for mesh in meshes {
        let mesh = mesh?;
        watch(&format!("{}: {} poses", mesh.name(), poses.len()));
        let sensible =
            |kind: &TreeKind| *kind != TreeKind::BruteForce || mesh.triangles().len() <= BRUTE_FORCE_COUNT;
        let default: Vec<TreeKind> = kinds.iter().copied().filter(sensible).collect();
        let trees = pair::trees(&options.kinds(&default), &options.rules(&[SplitRule::default()]), &mesh);
        let mut contenders: Vec<_> =
            trees.iter().map(|built| pair::cold(built, &mesh, options.query())).collect();
        let own_count = contenders.len();
        if with_peers && options.query() != Query::All {
            contenders.extend(peers(&mesh, &mut notes));
        } else if with_peers && notes.is_empty() {
            notes.push("parry3d does not list pairs of triangles and is not measured".to_owned());
        }
        let begun = measure(&mut contenders, &far_apart(SET_UP_COUNT).collect::<Vec<_>>());
        let results = measure(&mut contenders, &poses);
        let results: Vec<(String, Measured)> =
            contenders.iter().map(|c| c.name.clone()).zip(results).collect();
        disagreements.extend(pair::disagreements(&mesh, &results[..own_count]));
        for ((name, measured), begun) in results.into_iter().zip(begun) {
            let count = mesh.triangles().len();
            let own = vec![mesh.name().into(), count.into(), name.as_str().into(), begun.time.mean.into()];
            table.rows.push([own, pair::cells(&measured)].concat());
            points.push((name, count, measured.time.mean));
        }
    }
    notes.push(SET_UP_NOTE.to_owned());
    notes.push(turns::NOTE.to_owned());
    let chart = Chart {
        title: format!("{title}, mean over {} poses", poses.len()),
        plot: Plot::Lines {
            x_label: "triangles a mesh".to_owned(),
            y_label: "mean time (µs)".to_owned(),
            x_log: true,
            series: lines_by_size(&points, options.same_size()),
        },
    };
    Ok(Findings { table, chart, disagreements, notes })
}

/// Creates the contenders from other libraries that answer the same query. A library that fails adds a
/// note instead.
#[cfg(feature = "reference")]
pub(super) fn peers(mesh: &Mesh, notes: &mut Vec<String>) -> Vec<Contender<'static>> {
    let parry = match crate::reference::ParryMesh::new(mesh) {
        Ok(parry) => parry,
        Err(error) => {
            notes.push(format!("{}: {error}", mesh.name()));
            return Vec::new();
        }
    };
    if let Err(error) = parry.intersects(&parry, &crate::pose::Pose::IDENTITY) {
        notes.push(format!("{}: {error}", mesh.name()));
        return Vec::new();
    }
    // Whether parry supports the query depends only on the shapes, and the call above succeeded.
    let ask = move |pose: &_, _: &mut _, _: &mut _| parry.intersects(&parry, pose).unwrap_or(false);
    vec![Contender { name: "parry3d".to_owned(), counts: false, ask: Box::new(ask) }]
}

#[cfg(not(feature = "reference"))]
pub(super) fn peers(_: &Mesh, notes: &mut Vec<String>) -> Vec<Contender<'static>> {
    let note = "built without the feature `reference`: parry3d is not measured";
    if !notes.iter().any(|n| n == note) {
        notes.push(note.to_owned());
    }
    Vec::new()
}
