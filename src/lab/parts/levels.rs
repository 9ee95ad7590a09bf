//! `parts-levels`: numbers of triangles, edges and points of a simplified model at every level, and of
//! the components that they form. \[simplify\] Fig. 4, Table 1

use super::paper::{DRAWN_LEVELS, PaperModel};
use super::{Model, models};
use crate::experiment::{Experiment, Family, Takes};
use crate::mesh::{ComponentTree, Level, Refinement};
use crate::table::{Cell, Table};
use crate::{Chart, ExperimentError, Findings, Options, Plot, Watch};

pub const EXPERIMENT: Experiment = Experiment {
    name: "parts-levels",
    about: "results of simplification at every level, and their components",
    item: Some("[simplify] Fig. 4, Table 1"),
    family: Family::Meshes,
    takes: Takes { meshes: true, ..Takes::NOTHING },
    run,
};

const COLUMNS: [&str; 10] = [
    "model",
    "level",
    "width (m)",
    "share of the diagonal (%)",
    "triangles",
    "edges",
    "points",
    "elements",
    "components",
    "paper: components",
];

const NOTES: [&str; 2] = [
    "level: the whole model simplified with cells of this width; levels that divide no component are left out; \
     models are scaled to a cube of side 2",
    "paper, Fig. 4: its eight simplified models in the order of the page; they show its windmill, space station, \
     starship and skateboard, and the text does not specify which is which",
];

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let mut table = Table::new(&COLUMNS);
    let mut bars = Vec::new();
    for model in models(options) {
        let model = model?;
        watch(model.mesh.name());
        let tree = ComponentTree::new(&model.mesh, Refinement::Whole);
        table.rows.extend(tree.levels.iter().enumerate().map(|(k, level)| row(&model, k, level)));
        let parts: Vec<f64> = tree.levels.iter().map(|level| f64::from(level.component_count)).collect();
        bars.push((model.mesh.name().to_owned(), parts));
    }
    if options.meshes.is_empty() {
        table.rows.extend(DRAWN_LEVELS.into_iter().map(paper_row));
    }
    let plot = Plot::Bars {
        label: "components".to_owned(),
        parts: ["first level", "second", "third"].map(str::to_owned).to_vec(),
        bars,
    };
    Ok(Findings {
        table,
        chart: Chart { title: "Components of simplified models".to_owned(), plot },
        disagreements: Vec::new(),
        notes: NOTES.map(str::to_owned).to_vec(),
    })
}

fn row(model: &Model, k: usize, level: &Level) -> Vec<Cell> {
    let counts = [level.triangle_count, level.edge_count, level.point_count];
    let papers = |paper: PaperModel| paper.built().components.get(k).copied();
    let mut row = vec![
        model.mesh.name().into(),
        (k + 1).into(),
        f64::from(level.width).into(),
        f64::from(100.0 * level.width / model.mesh.bounds().diagonal()).into(),
    ];
    row.extend(counts.map(|count| Cell::from(u64::from(count))));
    row.push(u64::from(counts.iter().sum::<u32>()).into());
    row.push(u64::from(level.component_count).into());
    row.push(model.paper.and_then(papers).map_or(Cell::Nothing, |count| u64::from(count).into()));
    row
}

fn paper_row(counts: [u32; 3]) -> Vec<Cell> {
    let mut row = vec!["paper, Fig. 4".into()];
    row.extend([const { Cell::Nothing }; 3]);
    row.extend(counts.map(|count| Cell::from(u64::from(count))));
    row.push(u64::from(counts.iter().sum::<u32>()).into());
    row.extend([const { Cell::Nothing }; 2]);
    row
}

#[cfg(test)]
mod tests {
    use super::super::generated;
    use super::*;

    /// Compares with the paper's first levels, which have 3 to 28 components. \[simplify\] Table 1
    #[test]
    fn first_levels_are_sketches_of_about_as_many_components_as_the_paper_s() {
        for paper in PaperModel::ALL {
            let mesh = generated(paper).unwrap();
            let tree = ComponentTree::new(&mesh, Refinement::Whole);
            let (own, papers) = (&tree.levels[0], paper.built().components[0]);
            let ratio = f64::from(own.component_count) / f64::from(papers);
            assert!((1.0 / 3.0..=3.0).contains(&ratio), "{}: {own:?}, {papers}", paper.name());
        }
    }
}
