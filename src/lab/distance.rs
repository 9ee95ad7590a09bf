//! `boxtree-distance`: mean query time of every hierarchy against the distance of two copies of a mesh,
//! both from a cold start and starting from the last answer. \[boxtree\] Fig. 8

use super::measure::measure;
use super::workload::{DISTANCES, turn};
use super::{Chart, Findings, Options, Plot, Query, Series, Shape, ShapeError, Watch, pair, turns};
use crate::experiment::{Experiment, Family, Takes};
use crate::tree::{SplitRule, TreeKind};

pub const EXPERIMENT: Experiment = Experiment {
    name: "boxtree-distance",
    about: "time of a query against distance, from a cold start and with the last answer reused",
    item: Some("[boxtree] Fig. 8"),
    family: Family::Meshes,
    takes: Takes { meshes: true, query: Some(Query::DEEPEST_FIRST), ..Takes::NOTHING },
    run: |options, watch| Ok(run(options, watch)?),
};

const SHAPES: [Shape; 2] = [Shape::Torus, Shape::BumpySphere];
const KINDS: [TreeKind; 2] = [TreeKind::Boxtree8, TreeKind::BOXTREE];

fn run(options: &Options, watch: Watch) -> Result<Findings, ShapeError> {
    let mut table = pair::table(&["mesh", "tree", "distance (m)"]);
    let mut series: Vec<Series> = Vec::new();
    let mut disagreements = Vec::new();
    let steps = options.steps(50, 5000);
    for mesh in options.meshes(&SHAPES, &[5000], &[20_000, 64_000]) {
        let mesh = mesh?;
        let rules = options.rules(&[SplitRule::default()]);
        let trees = pair::trees(&options.kinds(&KINDS), &rules, &mesh);
        let mut contenders: Vec<_> =
            trees.iter().map(|built| pair::cold(built, &mesh, options.query())).collect();
        if options.query() != Query::All {
            contenders.extend(trees.iter().map(|built| pair::coherent(built, &mesh)));
        }
        for distance in DISTANCES.into_iter().rev() {
            watch(&format!("{}: {distance} m apart", mesh.name()));
            let poses: Vec<_> = turn(distance, steps).collect();
            let results = measure(&mut contenders, &poses);
            let results: Vec<_> = contenders.iter().map(|c| c.name.clone()).zip(results).collect();
            disagreements.extend(pair::disagreements(&mesh, &results));
            for (name, measured) in results {
                let line = format!("{}, {name}", mesh.name());
                match series.iter_mut().find(|s| s.name == line) {
                    Some(found) => found.points.push((distance, measured.time.mean)),
                    None => {
                        series.push(Series { name: line, points: vec![(distance, measured.time.mean)] });
                    }
                }
                let own = vec![mesh.name().into(), name.as_str().into(), distance.into()];
                table.rows.push([own, pair::cells(&measured)].concat());
            }
        }
    }
    let chart = Chart {
        title: format!("A query at {steps} poses of a full turn"),
        plot: Plot::Lines {
            x_label: "distance of the centers (m)".to_owned(),
            y_label: "mean time (µs)".to_owned(),
            x_log: false,
            series,
        },
    };
    Ok(Findings { table, chart, disagreements, notes: vec![turns::NOTE.to_owned()] })
}
