//! `parts-figure`: parts found on the simplified model of \[simplify\] Fig. 2, and the parts that the
//! figure lists.

use crate::experiment::{Experiment, Family, Takes};
use crate::mesh::simplify::{Simplified, partition};
use crate::table::Table;
use crate::{Chart, ExperimentError, Findings, Plot, Watch};

pub const EXPERIMENT: Experiment = Experiment {
    name: "parts-figure",
    about: "parts of the paper's small example",
    item: Some("[simplify] Fig. 2"),
    family: Family::Meshes,
    takes: Takes::NOTHING,
    run: |_, watch| Ok::<_, ExperimentError>(run(watch)),
};

/// Elements of the figure (triangles, edges, points in the order of the surface), each with the number
/// of the part in which the figure lists it.
const LISTED: [(&str, u64); 17] = [
    ("T1", 1),
    ("T2", 1),
    ("T3", 1),
    ("T4", 1),
    ("T5", 1),
    ("T6", 1),
    ("T7", 2),
    ("E1", 1),
    ("E2", 1),
    ("E3", 1),
    ("E4", 3),
    ("P1", 1),
    ("P2", 1),
    ("P3", 1),
    ("P4", 4),
    ("P5", 2),
    ("P6", 3),
];

/// Creates the surface that the figure's list of parts implies. It has six triangles in a strip, a
/// seventh that touches the strip in P4, an edge that leads away from a corner of the seventh, and an
/// edge between two corners of the strip that belongs to no triangle.
fn surface() -> Simplified {
    Simplified {
        triangles: vec![[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6], [5, 6, 7], [7, 8, 9]],
        edges: vec![[0, 1], [2, 3], [0, 6], [7, 10]],
        points: vec![0, 1, 2, 7, 8, 10],
        ..Simplified::default()
    }
}

fn run(watch: Watch) -> Findings {
    watch("17 elements");
    let surface = surface();
    let all: Vec<u32> = (0..surface.element_count() as u32).collect();
    let found = partition(&surface, &all);
    let mut table = Table::new(&["element", "part", "paper: part"]);
    for ((name, listed), part) in LISTED.into_iter().zip(&found.part) {
        table.rows.push(vec![name.into(), u64::from(part + 1).into(), listed.into()]);
    }
    let sizes = (0..found.part_count).map(|part| {
        let count = found.part.iter().filter(|own| **own == part).count();
        (format!("part {}", part + 1), vec![count as f64])
    });
    let plot = Plot::Bars {
        label: "elements".to_owned(),
        parts: vec!["elements".to_owned()],
        bars: sizes.collect(),
    };
    Findings {
        table,
        chart: Chart { title: "Parts of a simplified model".to_owned(), plot },
        disagreements: Vec::new(),
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_is_in_the_part_that_the_figure_lists() {
        let table = run(&mut |_| {}).table;
        assert_eq!(table.rows.len(), LISTED.len());
        assert!(table.rows.iter().all(|row| row[1] == row[2]), "{:?}", table.rows);
    }
}
