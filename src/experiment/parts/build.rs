//! `parts-build`: what building plain and guided hierarchies costs, on one core. \[simplify\] Table 1

use std::time::Instant;

use super::paper::PaperModel;
use super::{Builder, contenders, models};
use crate::experiment::pair::Built;
use crate::experiment::table::{Cell, Table};
use crate::experiment::{Chart, ExperimentError, Findings, Options, Plot, Watch};
use crate::mesh::Mesh;

/// The fastest of so many builds counts.
const REPEATS: usize = 5;

const COLUMNS: [&str; 10] = [
    "model",
    "triangles",
    "tree",
    "build (ms)",
    "build to plain",
    "volume (m³)",
    "volume to plain",
    "depth",
    "nodes",
    "bytes",
];

const NOTE: &str = "volume: of all nodes together, as far as the paper's \"bounding volume per instance\" (in its models' own \
    units) is to be understood; plain: the first tree of each model";

pub fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    // One core, whatever the machine has.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let contenders = contenders(options);
    let mut table = Table::new(&COLUMNS);
    let mut bars = Vec::new();
    for model in models(options) {
        let model = model?;
        let mesh = &model.mesh;
        watch(mesh.name());
        let built = pool.install(|| timed_builds(&contenders, mesh));
        let Some((plain, plain_seconds)) = built.first() else { continue };
        let plain_volume = plain.tree.volume_sum();
        for (Built { name, tree, .. }, seconds) in &built {
            let volume = tree.volume_sum();
            table.rows.push(vec![
                mesh.name().into(),
                mesh.triangles().len().into(),
                name.as_str().into(),
                (1e3 * seconds).into(),
                (seconds / plain_seconds).into(),
                volume.into(),
                (volume / plain_volume).into(),
                u64::from(tree.depth()).into(),
                tree.node_count().into(),
                tree.byte_count().into(),
            ]);
            bars.push((format!("{}: {name}", mesh.name()), vec![1e3 * seconds]));
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
        notes: vec![NOTE.to_owned()],
    })
}

/// Contenders in turn, each with the seconds of its fastest build.
fn timed_builds(contenders: &[Builder], mesh: &Mesh) -> Vec<(Built, f64)> {
    let timed = |build: &Builder| {
        let start = Instant::now();
        let built = build(mesh);
        (built, start.elapsed().as_secs_f64())
    };
    let mut fastest: Vec<(Built, f64)> = contenders.iter().map(timed).collect();
    for _ in 1..REPEATS {
        for (build, (_, least)) in contenders.iter().zip(&mut fastest) {
            *least = least.min(timed(build).1);
        }
    }
    fastest
}

/// RAPID's row and U-Collide's, its three phases together.
fn paper_rows(paper: PaperModel) -> [Vec<Cell>; 2] {
    let built = paper.built();
    let components: Vec<String> = built.components.iter().map(u32::to_string).collect();
    let guided = built.simplify + built.bottom_up + built.top_down;
    let row = |tree: &str, seconds: f64, volume: f64| {
        vec![
            format!("paper, Table 1: {}", paper.name()).as_str().into(),
            built.triangles.into(),
            tree.into(),
            (1e3 * seconds).into(),
            (seconds / built.plain).into(),
            volume.into(),
            (volume / built.plain_volume).into(),
            Cell::Nothing,
            Cell::Nothing,
            Cell::Nothing,
        ]
    };
    let guided_name = format!("U-Collide, components {}", components.join(", "));
    [row("RAPID", built.plain, built.plain_volume), row(&guided_name, guided, built.volume)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Shape;

    #[test]
    fn every_contender_is_built_and_timed() {
        let contenders = contenders(&Options::default());
        let mesh = Shape::Torus.mesh(300).unwrap();
        let built = timed_builds(&contenders, &mesh);
        assert_eq!(built.len(), contenders.len());
        assert!(built.iter().all(|(own, seconds)| own.tree.volume_sum() > 0.0 && *seconds > 0.0));
    }

    #[test]
    fn guidance_costs_the_paper_s_station_nine_times_as_much() {
        let [plain, guided] = paper_rows(PaperModel::Spacestation);
        assert_eq!(plain[4], Cell::Number(1.0));
        assert_eq!(guided[2], Cell::from("U-Collide, components 28, 41, 51"));
        let Cell::Number(ratio) = guided[4] else { panic!() };
        assert!((ratio - 10.28 / 1.14).abs() < 1e-9);
    }
}
