//! `tumble bench`: repeats experiments and writes their tables, data and charts.
//!
//! - `suite.rs`: `tumble bench --suite`, the report of the papers.

mod suite;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::models::ModelArguments;
use super::{Failure, Outcome, kinds, output, threads};
use crate::broad::BroadPhaseKind;
use crate::files::{self, Existing};
use crate::lab::{EXPERIMENTS, Experiment, Family, Findings, Options, Query, Shape, Table};
use crate::plan::TreePlan;
use crate::tree::{SplitRule, TreeKind};
use suite::Suite;

const MESHES: &str = "On meshes";
const ADB: &str = "On ADB-trees (adb-*)";
const BOXES: &str = "On boxes (boxes-*)";

/// Repeat the papers' experiments. Prints a table for each, and writes a CSV file and an SVG chart.
#[derive(Args)]
pub(super) struct BenchArguments {
    /// Experiments to run; --list names them.
    #[arg(value_parser = kinds::kind(&EXPERIMENTS, |experiment| experiment.name), required_unless_present_any = ["list", "suite"])]
    experiments: Vec<&'static Experiment>,
    /// List the experiments.
    #[arg(long)]
    list: bool,
    /// Repeat all measurements of the papers and write a report: paper.html, paper.md and results.md.
    /// If a run ended early, the next run resumes where it stopped.
    #[arg(long, conflicts_with_all = ["experiments", "list", "mesh", "shapes", "sizes", "steps", "kinds", "rules",
        "query", "p_min", "k_min", "broad", "threads", "against"])]
    suite: Option<Suite>,
    /// Repeat only these items of the suite. Items are named as in the addresses of the page, such as
    /// cab-table-1.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', requires = "suite", value_parser = suite::item())]
    pub(super) item: Vec<String>,
    /// Use small meshes and sets, and few poses and frames. Takes seconds instead of minutes.
    #[arg(long)]
    pub(super) quick: bool,
    /// Folder for NAME.csv and NAME.svg, or for the report and the measurements of a suite.
    #[arg(long, value_name = "DIR", default_value = "bench")]
    pub(super) out: PathBuf,
    /// Replace an existing NAME.csv and NAME.svg, or measure a suite again.
    #[arg(long)]
    pub(super) force: bool,
    /// Measure this scene or model instead of generated data. The experiment uses one of these:
    /// the movable bodies as one mesh, the joints instead of the built-in hand (cab-hand), the
    /// articulations (cab-scene, which needs a scene), or the steps (adb-budget, step-heaps);
    /// repeatable.
    #[arg(long, value_name = "FILE")]
    mesh: Vec<String>,
    #[command(flatten)]
    models: ModelArguments,
    /// Measure only these generated meshes (not for adb-tables, adb-budget and adb-calibration).
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = kinds::kind(&Shape::ALL, Shape::name), help_heading = MESHES)]
    shapes: Vec<Shape>,
    /// Approximate number of triangles of generated meshes, or the number of boxes (not for the paper's
    /// models of parts-*).
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=4_000_000))]
    sizes: Vec<u32>,
    /// Measure only these broad phases, and parry3d if it is built in.
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', value_parser = kinds::broad(kinds::Listed::All), help_heading = BOXES)]
    broad: Vec<BroadPhaseKind>,
    /// Threads for wide-tree, the only broad phase that can use several.
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads::count(1),
        help_heading = BOXES)]
    threads: u32,
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', value_parser = kinds::tree(kinds::Listed::All), help_heading = MESHES,
        help = format!("Measure only these hierarchies, or the ADB-trees over them. {}", kinds::guided(kinds::Listed::All)))]
    kinds: Vec<TreePlan>,
    #[arg(long, value_name = "RULE,...", value_delimiter = ',', value_parser = kinds::split(), help_heading = MESHES,
        help = format!("Build with these rules (not for {})", TreeKind::names_without_rule()))]
    rules: Vec<SplitRule>,
    /// Poses in a full turn at each distance, or frames in boxes-dynamic, parts-query, cab-*,
    /// adb-budget and step-heaps (not for the other boxes-* and parts-*, boxtree-build, boxtree-space,
    /// physics or check-assembly).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    steps: Option<u32>,
    /// Query to run. It tells whether the surfaces intersect, opening the nodes deepest first or in the
    /// order of the trees, or it finds all pairs of triangles that intersect. Default: any, but
    /// any-as-built for parts-query.
    #[arg(long, value_parser = kinds::kind(&Query::ALL, Query::name), help_heading = MESHES)]
    query: Option<Query>,
    /// Required certainty of ADB-trees: shares above 0 and at most 1.
    #[arg(long, value_name = "P,...", value_delimiter = ',', help_heading = ADB)]
    p_min: Vec<f64>,
    /// Smallest required number of node pairs of ADB-trees.
    #[arg(long, value_name = "N,...", value_delimiter = ',', help_heading = ADB)]
    k_min: Vec<u32>,
    /// Compare this program with another build of it (step-heaps): both run the built-in scenes, or those of
    /// --mesh, in turns on one thread.
    #[arg(long, value_name = "PROGRAM")]
    against: Option<PathBuf>,
    /// Print one JSON document instead of tables.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Serialize)]
struct Report {
    experiment: &'static str,
    about: String,
    /// The query, if the experiment has a choice of queries.
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'static str>,
    /// Number of threads, for experiments on boxes.
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<u32>,
    csv: PathBuf,
    svg: PathBuf,
    rows: Table,
    disagreements: Vec<String>,
    notes: Vec<String>,
}

/// Runs the experiments and writes their files.
pub(super) fn bench(arguments: &BenchArguments) -> Result<Outcome, Failure> {
    if arguments.list {
        list(arguments.json)?;
        return Ok(Outcome::Done);
    }
    if let Some(Suite::Paper) = arguments.suite {
        return suite::suite(arguments);
    }
    arguments.check()?;
    let options = arguments.options();
    let inputs: Vec<PathBuf> = arguments.mesh.iter().map(PathBuf::from).collect();
    let existing = Existing::forced(arguments.force);
    for path in arguments.experiments.iter().flat_map(|&e| arguments.paths(e)) {
        files::check_target(&path, &inputs, existing)?;
    }
    let mut documents = Vec::new();
    let mut result = Ok(Outcome::Done);
    for &experiment in &arguments.experiments {
        let spinner = output::spinner();
        let findings = experiment.run(&options, &mut |text| spinner.set_message(text.to_owned()));
        spinner.finish_and_clear();
        let findings = match findings {
            Ok(findings) => findings,
            Err(failure) => {
                result = Err(failure.into());
                break;
            }
        };
        let [csv, svg] = arguments.paths(experiment);
        // The results are printed even if they cannot be written to files.
        let written = write(&arguments.out, &csv, &svg, &findings, existing);
        let Findings { table, disagreements, notes, .. } = findings;
        if !disagreements.is_empty() {
            result = Ok(Outcome::Found);
        }
        let report = Report {
            experiment: experiment.name,
            about: experiment.sentence(),
            query: experiment.takes.query.map(|query| options.query.unwrap_or(query).name()),
            threads: (experiment.family == Family::Boxes).then_some(arguments.threads),
            csv,
            svg,
            rows: table,
            disagreements,
            notes,
        };
        if arguments.json {
            documents.push(report);
        } else {
            print(&report)?;
        }
        if let Err(failure) = written {
            result = Err(failure);
            break;
        }
    }
    if arguments.json && !documents.is_empty() {
        output::print_json(&documents)?;
    }
    result
}

impl BenchArguments {
    /// Returns the only named experiment, with its options.
    pub(super) fn only(&self) -> Result<(&'static Experiment, Options), Failure> {
        self.check()?;
        match self.experiments[..] {
            [experiment] => Ok((experiment, self.options())),
            _ => Err("a measurement takes exactly one experiment".into()),
        }
    }

    fn options(&self) -> Options {
        Options {
            quick: self.quick,
            meshes: self.mesh.iter().map(|name| self.models.scene(name)).collect(),
            shapes: self.shapes.clone(),
            sizes: self.sizes.clone(),
            kinds: self.kinds.clone(),
            rules: self.rules.clone(),
            steps: self.steps,
            query: self.query,
            p_min: self.p_min.clone(),
            k_min: self.k_min.clone(),
            broad: self.broad.clone(),
            threads: self.threads as usize,
            against: self.against.clone(),
        }
    }

    /// Returns the paths of an experiment's data and chart.
    fn paths(&self, experiment: &Experiment) -> [PathBuf; 2] {
        ["csv", "svg"].map(|kind| self.out.join(format!("{}.{kind}", experiment.name)))
    }

    /// Returns an error for options that none of the experiments uses.
    fn check(&self) -> Result<(), Failure> {
        // This must be tested here, because clap does not require --suite if another option excludes
        // it.
        if !self.item.is_empty() {
            return Err("--item needs --suite; these are single experiments".into());
        }
        let any = |family: Family| self.experiments.iter().any(|e| e.family == family);
        if !self.mesh.is_empty() && !self.experiments.iter().any(|e| e.takes.meshes) {
            return Err(
                "--mesh is for experiments on meshes and for cab-hand; these experiments generate their data"
                    .into(),
            );
        }
        let of_shapes = !self.shapes.is_empty();
        if of_shapes && !any(Family::Meshes) {
            return Err("--shapes is for experiments on meshes, and none of these is one".into());
        }
        let of_sizes = !self.sizes.is_empty();
        if of_sizes && !any(Family::Meshes) && !any(Family::Boxes) {
            return Err("--sizes is for experiments on meshes or boxes, and none of these is one".into());
        }
        if (of_shapes || of_sizes) && !self.mesh.is_empty() {
            let option = if of_shapes { "--shapes" } else { "--sizes" };
            return Err(format!("{option} is for generated meshes and cannot be combined with --mesh").into());
        }
        let divided = !self.kinds.is_empty() || !self.rules.is_empty();
        if divided && !any(Family::Meshes) {
            return Err("--kinds and --rules are for experiments on meshes, and none of these is one".into());
        }
        if self.query.is_some() && !self.experiments.iter().any(|e| e.takes.query.is_some()) {
            return Err(
                "--query is for boxtree-*, node-size and parts-query, and none of these is one".into()
            );
        }
        let of_targets = !(self.p_min.is_empty() && self.k_min.is_empty());
        if of_targets && !self.experiments.iter().any(|e| e.takes.targets) {
            return Err(
                "--p-min and --k-min are for experiments on ADB-trees, and none of these is one".into()
            );
        }
        if self.against.is_some() && !self.experiments.iter().any(|e| e.takes.against) {
            return Err("--against is for step-heaps, which is none of these".into());
        }
        let of_boxes = !self.broad.is_empty() || self.threads > 1;
        if of_boxes && !any(Family::Boxes) {
            return Err("--broad and --threads are for experiments on boxes, and none of these is one".into());
        }
        Ok(())
    }
}

/// Prints the experiments.
fn list(json: bool) -> Result<(), Failure> {
    if json {
        let entry = |e: &&Experiment| serde_json::json!({ "name": e.name, "about": e.sentence() });
        return output::print_json(&EXPERIMENTS.iter().map(entry).collect::<Vec<_>>());
    }
    let width = EXPERIMENTS.iter().map(|e| e.name.len()).max().unwrap_or(0);
    let lines: Vec<String> =
        EXPERIMENTS.iter().map(|e| format!("{:width$}  {}", e.name, e.sentence())).collect();
    output::print(&lines.join("\n"))?;
    Ok(())
}

/// Writes the data and the chart of an experiment.
fn write(
    folder: &Path,
    csv: &Path,
    svg: &Path,
    findings: &Findings,
    existing: Existing,
) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: cannot be created: {e}", folder.display()))?;
    let data = findings.table.csv()?;
    for (path, bytes) in [(csv, data), (svg, findings.chart.svg()?.into_bytes())] {
        let fail = |e| format!("{}: cannot be written: {e}", path.display());
        files::write(path, &bytes, existing).map_err(fail)?;
    }
    Ok(())
}

/// Prints the table of an experiment.
fn print(report: &Report) -> Result<(), Failure> {
    let mut text = format!("{}: {}\n\n{}", report.experiment, report.about, report.rows.text());
    for note in &report.notes {
        text += &format!("\nnote: {note}");
    }
    for disagreement in &report.disagreements {
        text += &format!("\nDISAGREE: {disagreement}");
    }
    text += &format!("\nfiles: {} and {}\n\n", report.csv.display(), report.svg.display());
    output::print(&text)?;
    Ok(())
}
