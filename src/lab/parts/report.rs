//! Rows of `parts-query`: every setting, followed by the paper's figures for it, means over all models,
//! and a chart.

use super::paper::PaperModel;
use super::plain_of;
use super::query::Answers;
use super::room::Density;
use crate::mesh::Mesh;
use crate::pair::Built;
use crate::plan::Guidance;
use crate::table::{Cell, Table};
use crate::turns;
use crate::{Chart, Findings, Plot, Query};

const COLUMNS: [&str; 15] = [
    "model",
    "triangles",
    "instances",
    "density",
    "tree",
    "colliding pairs",
    "paper: colliding pairs",
    "triangle pairs",
    "time a step (ms)",
    "95 % (ms)",
    "time to plain",
    "node tests (million)",
    "node tests to plain",
    "triangle tests (million)",
    "repeats (ms)",
];

/// Density that the chart shows.
const CHARTED: Density = Density::Normal;

/// Model in one room.
pub struct Setting<'a> {
    pub mesh: &'a Mesh,
    pub instance_count: usize,
    pub density: Density,
    pub paper: Option<PaperModel>,
}

/// Costs of a tree in one setting, relative to those of the plain tree.
#[derive(Clone)]
struct Ratio {
    tree: String,
    density: Density,
    /// Whether the model consists of long parts, as known from the paper.
    is_elongated: bool,
    time: f64,
    node_tests: f64,
}

/// Report that collects the results of all settings.
pub struct Report {
    query: Query,
    step_count: usize,
    table: Table,
    own: Vec<Ratio>,
    papers: Vec<Ratio>,
    bars: Vec<(String, Vec<f64>)>,
    disagreements: Vec<String>,
    notes: Vec<String>,
}

impl Report {
    pub fn new(query: Query, step_count: usize) -> Self {
        let notes = vec![
            format!(
                "{step_count} steps; colliding pairs, triangle pairs and tests are sums over the steps; plain: \
                 the tree of the same kind and rule without guidance; paper: colliding pairs in the paper, for \
                 the same number of steps; the rooms of its models are sized to match them"
            ),
            "the time of a step is that of its queries alone: one broad phase (hybrid) gives the pairs to all trees"
                .to_owned(),
            "obb-principal+parts-always with the rule principal is the paper's method, obb-principal its RAPID; \
             +parts, ours, keeps the best of three trees, tested with queries of two copies at random poses other \
             than these"
                .to_owned(),
            turns::NOTE.to_owned(),
        ];
        let (own, papers, bars, disagreements) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { query, step_count, table: Table::new(&COLUMNS), own, papers, bars, disagreements, notes }
    }

    pub fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    /// Adds the answers of all trees in one setting. `answers` are in the order of `trees`.
    pub fn add(&mut self, setting: &Setting, trees: &[Built], answers: &[Answers]) {
        let Some((first, first_answers)) = trees.first().zip(answers.first()) else { return };
        let name = setting.mesh.name();
        for (built, own) in trees.iter().zip(answers) {
            let ratio = plain_of(trees, built).map(|plain| {
                let plain = &answers[plain];
                Ratio {
                    tree: built.name.clone(),
                    density: setting.density,
                    is_elongated: setting.paper.is_some_and(PaperModel::is_elongated),
                    time: own.times.median() / plain.times.median(),
                    node_tests: own.counts.node_test_count as f64 / plain.counts.node_test_count as f64,
                }
            });
            self.table.rows.push(self.row(setting, &built.name, own, ratio.as_ref()));
            if let Some(ratio) = ratio {
                if setting.density == CHARTED && (built.plan.guidance != Guidance::Plain || trees.len() == 1)
                {
                    self.bars.push((format!("{name}: {}", built.name), vec![100.0 * ratio.node_tests]));
                }
                self.own.push(ratio);
            }
            if own.fingerprint != first_answers.fingerprint {
                self.disagreements.push(format!(
                    "{name}, {}: {} and {} answer differently; over all steps, {} finds {} in {} pairs, and {} \
                     finds {} in {}",
                    setting.density.name(),
                    built.name,
                    first.name,
                    built.name,
                    own.found,
                    own.colliding,
                    first.name,
                    first_answers.found,
                    first_answers.colliding
                ));
            }
        }
        if let Some(paper) = setting.paper {
            self.add_paper(paper, setting.density);
        }
    }

    fn row(&self, setting: &Setting, tree: &str, own: &Answers, ratio: Option<&Ratio>) -> Vec<Cell> {
        let to_plain = |of: fn(&Ratio) -> f64| ratio.map_or(Cell::Nothing, |ratio| of(ratio).into());
        let [interval, repeats] = own.times.cells(1e3 / self.step_count as f64);
        let wanted = |paper: PaperModel| -> Cell {
            let a_step = paper.queried(setting.density).collisions_a_step();
            ((a_step * self.step_count as f64).round() as u64).into()
        };
        let triangle_pairs = if self.query == Query::All { own.found.into() } else { Cell::Nothing };
        vec![
            setting.mesh.name().into(),
            setting.mesh.triangles().len().into(),
            setting.instance_count.into(),
            setting.density.name().into(),
            tree.into(),
            own.colliding.into(),
            setting.paper.map_or(Cell::Nothing, wanted),
            triangle_pairs,
            (1e3 * own.times.median() / self.step_count as f64).into(),
            interval,
            to_plain(|ratio| ratio.time),
            (1e-6 * own.counts.node_test_count as f64).into(),
            to_plain(|ratio| ratio.node_tests),
            (1e-6 * own.counts.triangle_test_count as f64).into(),
            repeats,
        ]
    }

    fn add_paper(&mut self, paper: PaperModel, density: Density) {
        let (built, queried) = (paper.built(), paper.queried(density));
        for (k, tree) in ["RAPID", "U-Collide"].into_iter().enumerate() {
            let ratio = Ratio {
                tree: tree.to_owned(),
                density,
                is_elongated: paper.is_elongated(),
                time: queried.time[k] / queried.time[0],
                node_tests: queried.nodes[k] as f64 / queried.nodes[0] as f64,
            };
            self.table.rows.push(vec![
                format!("paper, Tables 2, 3: {}", paper.name()).as_str().into(),
                built.triangles.into(),
                built.instances.into(),
                density.name().into(),
                tree.into(),
                queried.collisions.into(),
                Cell::Nothing,
                Cell::Nothing,
                (1e3 * queried.time[k]).into(),
                Cell::Nothing,
                ratio.time.into(),
                (1e-6 * queried.nodes[k] as f64).into(),
                ratio.node_tests.into(),
                Cell::Nothing,
                Cell::Nothing,
            ]);
            if k == 1 && density == CHARTED {
                self.bars.push((format!("paper, {}: {tree}", paper.name()), vec![100.0 * ratio.node_tests]));
            }
            self.papers.push(ratio);
        }
    }

    pub fn findings(mut self) -> Findings {
        if self.own.is_empty() {
            self.note(
                "nothing is compared: no guided tree has its plain tree among the kinds (example: --kinds \
                 obb,obb+parts-always)"
                    .to_owned(),
            );
        }
        for (label, ratios) in [("", &self.own), ("paper, ", &self.papers)] {
            let elongated: Vec<Ratio> = ratios.iter().filter(|r| r.is_elongated).cloned().collect();
            for density in Density::ALL {
                self.table.rows.extend(means(&format!("{label}all"), density, ratios));
                self.table.rows.extend(means(&format!("{label}with long parts"), density, &elongated));
            }
        }
        let chart = Chart {
            title: format!(
                "Pairs of nodes tested at {} density, as a share of the plain tree's",
                CHARTED.name()
            ),
            plot: Plot::Bars {
                label: "% of the plain tree's".to_owned(),
                parts: vec!["node tests".to_owned()],
                bars: self.bars,
            },
        };
        Findings { table: self.table, chart, disagreements: self.disagreements, notes: self.notes }
    }
}

/// Returns one row per tree, with the geometric means of its ratios over all models.
fn means(label: &str, density: Density, ratios: &[Ratio]) -> Vec<Vec<Cell>> {
    let mut trees: Vec<&str> = Vec::new();
    for ratio in ratios {
        if !trees.contains(&ratio.tree.as_str()) {
            trees.push(&ratio.tree);
        }
    }
    let row = |tree: &str| {
        let own: Vec<&Ratio> = ratios.iter().filter(|r| r.tree == tree && r.density == density).collect();
        let mean = |of: fn(&Ratio) -> f64| -> Cell {
            libm::exp(own.iter().map(|r| libm::log(of(r))).sum::<f64>() / own.len() as f64).into()
        };
        let mut row = vec![Cell::Nothing; COLUMNS.len()];
        row[0] = format!("{label} {}: geometric mean", own.len()).as_str().into();
        row[3] = density.name().into();
        row[4] = tree.into();
        row[10] = mean(|r| r.time);
        row[12] = mean(|r| r.node_tests);
        row
    };
    trees.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_over_the_models_of_one_density() {
        let ratio = |tree: &str, density, time, node_tests| Ratio {
            tree: tree.to_owned(),
            density,
            is_elongated: false,
            time,
            node_tests,
        };
        let ratios = [
            ratio("plain", Density::Dense, 1.0, 1.0),
            ratio("guided", Density::Dense, 0.25, 0.5),
            ratio("guided", Density::Sparse, 7.0, 7.0),
            ratio("plain", Density::Dense, 1.0, 1.0),
            ratio("guided", Density::Dense, 1.0, 2.0),
        ];
        let rows = means("all", Density::Dense, &ratios);
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[1][0], Cell::from("all 2: geometric mean"));
        assert_eq!(rows[1][4], Cell::from("guided"));
        let (Cell::Number(time), Cell::Number(tests)) = (&rows[1][10], &rows[1][12]) else { panic!() };
        assert!((time - 0.5).abs() < 1e-12 && (tests - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_paper_s_figures_stand_in_the_columns_of_ours() {
        let mut report = Report::new(Query::default(), 5000);
        report.add_paper(PaperModel::Windmill, Density::Dense);
        let rows = report.findings().table.rows;
        assert_eq!(rows[0][5], Cell::Count(572_394));
        assert_eq!(rows[1][4], Cell::from("U-Collide"));
        let shown = [8, 10, 11, 12].map(|column| match rows[1][column] {
            Cell::Number(number) => (1e3 * number).round(),
            _ => f64::NAN,
        });
        assert_eq!(shown, [335_000.0, 457.0, 213_825.0, 648.0]);
    }
}
