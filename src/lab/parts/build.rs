//! `parts-build`: time to build plain and guided hierarchies on one core, and the volumes of these
//! hierarchies. \[simplify\] Table 1

use std::time::{Duration, Instant};

use super::paper::PaperModel;
use super::{Builder, contenders, models, plain_of};
use crate::experiment::{Experiment, Family, Takes};
use crate::mesh::Mesh;
use crate::pair::Built;
use crate::plan::Kept;
use crate::table::{Cell, Table};
use crate::turns::{self, REPEATS, Times, turns};
use crate::{Chart, ExperimentError, Findings, Options, Plot, Watch};

pub const EXPERIMENT: Experiment = Experiment {
    name: "parts-build",
    about: "hierarchies guided by simplification: cost of building",
    item: Some("[simplify] Table 1"),
    family: Family::Meshes,
    takes: Takes { meshes: true, ..Takes::NOTHING },
    run,
};

const COLUMNS: [&str; 17] = [
    "model",
    "triangles",
    "tree",
    "components a level",
    "simplify (ms)",
    "top (ms)",
    "below (ms)",
    "guidance to plain",
    "build (ms)",
    "95 % (ms)",
    "build to plain",
    "volume (m³)",
    "volume to plain",
    "sampled tests to plain",
    "kept",
    "depth",
    "repeats (ms)",
];

const NOTES: [&str; 3] = [
    "volume: of all nodes together, which is how we read the paper's \"bounding volume per instance\" (in the \
     units of its models); plain: the tree of the same kind and rule without guidance",
    "obb-principal+parts-always with the rule principal is the paper's method, obb-principal its RAPID; +parts is \
     ours; guidance: simplification, components and the top of the tree; below: without fitting volumes; unless a \
     kind always keeps the components, its build contains three trees and their comparison; sampled tests: of the \
     better guided tree",
    turns::NOTE,
];

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    // The pool has one thread, so that the number of cores does not matter.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let contenders = contenders(options);
    let repeats = if options.quick { 1 } else { REPEATS };
    let mut table = Table::new(&COLUMNS);
    let mut bars = Vec::new();
    for model in models(options) {
        let model = model?;
        let mesh = &model.mesh;
        watch(mesh.name());
        let (trees, times): (Vec<Built>, Vec<Times>) =
            pool.install(|| timed_builds(&contenders, mesh, repeats)).into_iter().unzip();
        for (built, own) in trees.iter().zip(&times) {
            let plain = plain_of(&trees, built).map(|plain| (&trees[plain], times[plain].median()));
            table.rows.push(row(mesh, built, own, plain));
            bars.push((format!("{}: {}", mesh.name(), built.name), vec![1e3 * own.median()]));
        }
        if let Some(paper) = model.paper {
            table.rows.extend(paper_rows(paper));
        }
    }
    let plot = Plot::Bars { label: "ms".to_owned(), parts: vec!["build".to_owned()], bars };
    Ok(Findings {
        table,
        chart: Chart { title: "Building a hierarchy on one core".to_owned(), plot },
        disagreements: Vec::new(),
        notes: NOTES.map(str::to_owned).to_vec(),
    })
}

fn row(mesh: &Mesh, built: &Built, times: &Times, plain: Option<(&Built, f64)>) -> Vec<Cell> {
    let (seconds, [interval, repeats]) = (times.median(), times.cells(1e3));
    let volume = built.tree.volume_sum();
    let to_plain = |own: f64, of: fn((&Built, f64)) -> f64| {
        plain.map_or(Cell::Nothing, |plain| (own / of(plain)).into())
    };
    let ms = |took: Duration| Cell::from(1e3 * took.as_secs_f64());
    let mut row: Vec<Cell> =
        vec![mesh.name().into(), mesh.triangles().len().into(), built.name.as_str().into()];
    match &built.guided {
        Some(guided) => row.extend([
            list(guided.levels.iter().map(|level| level.component_count)).as_str().into(),
            ms(guided.simplify),
            ms(guided.top),
            ms(guided.below),
            to_plain((guided.simplify + guided.top).as_secs_f64(), |plain| plain.1),
        ]),
        None => row.extend(vec![Cell::Nothing; 5]),
    }
    row.extend([
        (1e3 * seconds).into(),
        interval,
        to_plain(seconds, |plain| plain.1),
        volume.into(),
        to_plain(volume, |plain| plain.0.tree.volume_sum()),
    ]);
    let sample = built.guided.as_ref().and_then(|guided| guided.sample);
    row.push(sample.map_or(Cell::Nothing, |s| s.ratio().into()));
    row.push(built.guided.as_ref().map_or(Cell::Nothing, |g| match g.kept {
        Kept::Plain => "plain".into(),
        Kept::Chosen => "where they pay".into(),
        Kept::Components => "all components".into(),
    }));
    row.extend([u64::from(built.tree.depth()).into(), repeats]);
    row
}

fn list(numbers: impl Iterator<Item = u32>) -> String {
    numbers.map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
}

/// Times the contenders in turns. Returns the first hierarchy that each built, with its times.
fn timed_builds(contenders: &[Builder], mesh: &Mesh, repeats: usize) -> Vec<(Built, Times)> {
    let mut built: Vec<Option<(Built, Times)>> = contenders.iter().map(|_| None).collect();
    for turn in turns(repeats, 1, contenders.len()) {
        let start = Instant::now();
        let own = contenders[turn.contender](mesh);
        let took = start.elapsed();
        let (_, times) = built[turn.contender].get_or_insert_with(|| (own, Times::default()));
        times.add(0, took);
    }
    built.into_iter().flatten().collect()
}

/// Returns the paper's rows for RAPID and for U-Collide. The time of the latter is the sum of its three
/// phases.
fn paper_rows(paper: PaperModel) -> [Vec<Cell>; 2] {
    let built = paper.built();
    let guided = built.simplify + built.bottom_up + built.top_down;
    let row = |tree: &str, guidance: [Cell; 5], seconds: f64, volume: f64| {
        let mut row: Vec<Cell> = vec![
            format!("paper, Table 1: {}", paper.name()).as_str().into(),
            built.triangles.into(),
            tree.into(),
        ];
        row.extend(guidance);
        row.extend([
            (1e3 * seconds).into(),
            Cell::Nothing,
            (seconds / built.plain).into(),
            volume.into(),
            (volume / built.plain_volume).into(),
        ]);
        row.extend([const { Cell::Nothing }; 4]);
        row
    };
    let guidance = [
        list(built.components.iter().copied()).as_str().into(),
        (1e3 * built.simplify).into(),
        (1e3 * built.bottom_up).into(),
        (1e3 * built.top_down).into(),
        ((built.simplify + built.bottom_up) / built.plain).into(),
    ];
    let nothing = [const { Cell::Nothing }; 5];
    [row("RAPID", nothing, built.plain, built.plain_volume), row("U-Collide", guidance, guided, built.volume)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;

    #[test]
    fn every_contender_is_built_and_timed() {
        let contenders = contenders(&Options::default());
        let mesh = Shape::Torus.mesh(300).unwrap();
        let built = timed_builds(&contenders, &mesh, 2);
        assert_eq!(built.len(), contenders.len());
        assert!(built.iter().all(|(own, seconds)| own.tree.volume_sum() > 0.0 && seconds.median() > 0.0));
    }

    #[test]
    fn guidance_costs_the_paper_s_station_nine_times_as_much() {
        let [plain, guided] = paper_rows(PaperModel::Spacestation);
        assert_eq!(plain[10], Cell::Number(1.0));
        assert_eq!(guided[3], Cell::from("28, 41, 51"));
        assert_eq!(guided.len(), COLUMNS.len());
        let Cell::Number(ratio) = guided[10] else { panic!() };
        assert!((ratio - 10.28 / 1.14).abs() < 1e-9);
    }
}
