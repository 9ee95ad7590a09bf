//! `parts-edges`: histogram of the edge lengths of a model, and the cell widths that are chosen from
//! it. \[simplify\] Fig. 3 (of the Enterprise)
//!
//! The paper draws its histogram without numbers, and chooses widths at "locations with drastic
//! changes".

use super::models;
use super::paper::PaperModel;
use crate::chart::Panel;
use crate::experiment::{Experiment, Family, Takes};
use crate::mesh::Mesh;
use crate::mesh::simplify::{Simplifier, sketch_widths};
use crate::table::{Cell, Table};
use crate::{Chart, ExperimentError, Findings, Options, Plot, Series, Watch};

pub const EXPERIMENT: Experiment = Experiment {
    name: "parts-edges",
    about: "lengths of the edges of models, and the widths of cells chosen from them",
    item: Some("[simplify] Fig. 3"),
    family: Family::Meshes,
    takes: Takes { meshes: true, ..Takes::NOTHING },
    run,
};

/// Model whose histogram the paper shows.
const DRAWN: PaperModel = PaperModel::Enterprise;

const COLUMNS: [&str; 5] =
    ["model", "edges up to (m)", "share of the diagonal (%)", "edges", "cells as wide"];

const NOTES: [&str; 2] = [
    "edges: sides of triangles, so an edge of two triangles counts twice, in bins whose ends are 7.5 % apart; \
     each model is scaled to a cube of side 2",
    "cells as wide: the level whose width the histogram gives; first, widened: the first level, after its cells \
     were widened until a sketch is left",
];

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let mut table = Table::new(&COLUMNS);
    let mut series = Vec::new();
    for model in models(options) {
        let model = model?;
        if model.paper.is_some_and(|paper| paper != DRAWN) {
            continue;
        }
        watch(model.mesh.name());
        let rows = rows(&model.mesh);
        let points = rows.iter().map(|row| (f64::from(row.end), f64::from(row.edge_count))).collect();
        series.push(Series { name: model.mesh.name().to_owned(), points });
        table.rows.extend(rows.iter().map(|row| row.cells(&model.mesh)));
    }
    let panel = Panel { y_label: "edges".to_owned(), y_log: false, series };
    let plot =
        Plot::Panels { x_label: "length of the edge (m)".to_owned(), x_log: true, panels: vec![panel] };
    Ok(Findings {
        table,
        chart: Chart { title: "Edges by length".to_owned(), plot },
        disagreements: Vec::new(),
        notes: NOTES.map(str::to_owned).to_vec(),
    })
}

/// Bin of the histogram.
struct Row {
    /// Upper end of the bin, m.
    end: f32,
    edge_count: u32,
    /// Level whose cell width the bin contains; empty for most bins.
    cells: &'static str,
}

const LEVELS: [&str; 3] = ["first", "second", "third"];

/// Returns the histogram of edge lengths, with the levels whose cell widths were chosen from its bins.
fn rows(mesh: &Mesh) -> Vec<Row> {
    let simplifier = Simplifier::new(mesh.vertices(), mesh.triangles());
    let lengths = simplifier.edge_lengths();
    let mut widths: Vec<(f32, &'static str)> = simplifier.widths().into_iter().zip(LEVELS).collect();
    let widened = sketch_widths(&simplifier).first().copied();
    widths.extend(widened.filter(|width| widths[0].0 != *width).map(|width| (width, "first, widened")));
    let mut start = 0.0;
    let mut rows = Vec::new();
    for (end, edge_count) in lengths.bins() {
        let own = widths.iter().find(|(width, _)| *width > start && *width <= end);
        rows.push(Row { end, edge_count, cells: own.map_or("", |own| own.1) });
        start = end;
    }
    rows
}

impl Row {
    fn cells(&self, mesh: &Mesh) -> Vec<Cell> {
        vec![
            mesh.name().into(),
            f64::from(self.end).into(),
            f64::from(100.0 * self.end / mesh.bounds().diagonal()).into(),
            u64::from(self.edge_count).into(),
            if self.cells.is_empty() { Cell::Nothing } else { self.cells.into() },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::generated;
    use super::*;

    #[test]
    fn every_edge_is_in_a_bin_and_cells_are_as_wide_as_one() {
        let mesh = generated(DRAWN).unwrap();
        let rows = rows(&mesh);
        assert_eq!(rows.iter().map(|row| row.edge_count as usize).sum::<usize>(), 3 * mesh.triangles().len());
        let named = |cells: &str| rows.iter().filter(|row| row.cells == cells).count();
        assert_eq!(["first", "first, widened", "second"].map(named), [1; 3]);
        // There are far fewer edges after the drop at which the second level's width was chosen.
        let at = rows.iter().position(|row| row.cells == "second").unwrap();
        let around = |rows: &[Row]| rows.iter().map(|row| row.edge_count).sum::<u32>();
        assert!(2 * around(&rows[at + 1..at + 4]) < around(&rows[at - 2..=at]));
    }
}
