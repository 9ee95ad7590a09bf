//! `check-assembly`: the check of `tumble check` on large assemblies whose findings are known, with its
//! times by stage and its memory.
//!
//! - `chains.rs`: many instances of one part.
//! - `lathe.rs`: solids of revolution.
//! - `machine.rs`: a machine of many distinct parts.
//! - `station.rs`: a pin of the machine, and the parts on it.

mod chains;
mod lathe;
mod machine;
mod station;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::chart::{Chart, Plot};
use super::compare::peak_bytes;
use super::experiment::{Experiment, ExperimentError, Family, Findings, Options, Takes, Watch};
use super::table::{Cell, Table};
use crate::check::{self, Checked, Demands, Kind, PlacedParts, Rules};
use crate::order::Order;
use crate::parallel::{Threads, core_count};
use crate::report::findings::{CheckDocument, Setup};
use crate::scene::Scene;

pub const EXPERIMENT: Experiment = Experiment {
    name: "check-assembly",
    about: "checks of large assemblies: times by stage, memory, and whether each planted clash is found",
    item: None,
    family: Family::Checks,
    takes: Takes::NOTHING,
    run,
};

const COLUMNS: [&str; 17] = [
    "assembly",
    "parts",
    "surfaces",
    "triangles",
    "near pairs",
    "clashes",
    "inside",
    "doubled",
    "too near",
    "contacts",
    "surfaces (s)",
    "hierarchies (s)",
    "near pairs (s)",
    "examination (s)",
    "document (s)",
    "check (s)",
    "peak (GiB)",
];
/// Kinds of findings in the order of their columns.
const KINDS: [Kind; 5] = [Kind::Clash, Kind::Inside, Kind::Doubled, Kind::Clearance, Kind::Contact];

/// Stages of a check, in the order of their columns.
const STAGES: [&str; 5] = ["surfaces", "hierarchies", "near pairs", "examination", "document"];

const NOTE: &str = "triangles: of all surfaces, each counted once; surfaces: time to generate and repair \
                    them; check: all later stages; the examination searches the near pairs again; \
                    peak: the largest memory of the process so far";

/// Least distance that is demanded, m.
const CLEARANCE: f64 = 1e-3;
/// Number of missing or wrong findings that are named.
const NAMED: usize = 5;

/// Finding that a check must have: its kind and parts, a < b.
type Planted = (Kind, [u32; 2]);

/// Assembly with known findings.
struct Assembly {
    scene: Scene,
    planted: Vec<Planted>,
}

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let threads = Threads::new(core_count())?;
    // Sizes are rounded to whole rings, which leaves ten million triangles of 10.2.
    let (link_count, station_count, triangle_count) =
        if options.quick { (2_000, 21, 100_000) } else { (100_000, 496, 10_200_000) };
    let mut table = Table::new(&COLUMNS);
    let (mut disagreements, mut bars) = (Vec::new(), Vec::new());
    // The assembly that needs less memory comes first, because the peak never falls.
    for (name, make) in [
        ("chains", &(|| chains::chains(link_count)) as &dyn Fn() -> Assembly),
        ("machine", &|| machine::machine(station_count, triangle_count, &threads)),
    ] {
        watch(&format!("{name}: surfaces"));
        let start = Instant::now();
        let assembly = make();
        let made = start.elapsed().as_secs_f64();
        let measured =
            measure(&assembly, made, threads.count(), &mut |stage| watch(&format!("{name}: {stage}")))?;
        disagreements
            .extend(wrong(&assembly, &measured.checked).into_iter().map(|text| format!("{name}: {text}")));
        table.rows.push(row(name, &assembly.scene, &measured));
        bars.push((name.to_owned(), measured.times.to_vec()));
    }
    let notes = vec![format!("{} threads; {NOTE}", threads.count())];
    let parts = STAGES.map(str::to_owned).to_vec();
    let plot = Plot::Bars { label: "s".to_owned(), parts, bars };
    let chart = Chart { title: "Checks of large assemblies".to_owned(), plot };
    Ok(Findings { table, chart, disagreements, notes })
}

/// Check with its costs.
struct Measured {
    checked: Checked,
    document: CheckDocument,
    /// Time of each stage, s, in the order of [`STAGES`].
    times: [f64; STAGES.len()],
    peak_bytes: Option<u64>,
}

/// Checks an assembly as `tumble check` does. `made` is the time in which its surfaces were made, s.
fn measure(
    assembly: &Assembly,
    made: f64,
    thread_count: usize,
    watch: Watch,
) -> Result<Measured, ExperimentError> {
    let mut times = [made, 0.0, 0.0, 0.0, 0.0];
    let mut last = Instant::now();
    let mut lap = |stage: usize| {
        times[stage] = last.elapsed().as_secs_f64();
        last = Instant::now();
    };
    watch(STAGES[1]);
    let scene = &assembly.scene;
    let poses = scene.bodies.iter().map(|body| body.pose).collect();
    let parts = PlacedParts::new(scene, poses, thread_count)?;
    lap(1);
    parts.near(CLEARANCE)?;
    lap(2);
    watch(STAGES[3]);
    let demands = Demands { clearance: CLEARANCE, tolerance: None, way_out: false };
    let stop = Arc::new(AtomicBool::new(false));
    let checked = check::examine_all(&parts, (&Rules::default(), demands), &Unwatched, &stop)?;
    lap(3);
    let setup = Setup { model: scene.name.clone(), step: None };
    let document = CheckDocument::new(&checked, &parts, demands, setup);
    lap(4);
    Ok(Measured { checked, document, times, peak_bytes: peak_bytes() })
}

/// Check without an observer.
struct Unwatched;

impl check::Watch for Unwatched {
    fn done(&self, _: u64, _: u64) {}
}

/// Describes how the findings differ from those that were planted.
fn wrong(assembly: &Assembly, checked: &Checked) -> Vec<String> {
    let mut planted = assembly.planted.clone();
    let mut found: Vec<Planted> =
        checked.findings.iter().map(|finding| (finding.kind, finding.parts)).collect();
    planted.order();
    found.order();
    let mut texts = Vec::new();
    if !checked.is_complete() {
        texts.push("the check is not complete".to_owned());
    }
    for (what, of, others) in [("not found", &planted, &found), ("not planted", &found, &planted)] {
        let odd: Vec<&Planted> = of.iter().filter(|one| others.binary_search(one).is_err()).collect();
        for (kind, parts) in odd.iter().take(NAMED) {
            let [a, b] = parts.map(|part| assembly.scene.bodies[part as usize].path.as_str());
            texts.push(format!("{what}: {} of {a} and {b}", kind.title()));
        }
        if odd.len() > NAMED {
            texts.push(format!("{what}: {} more", odd.len() - NAMED));
        }
    }
    texts
}

fn row(name: &str, scene: &Scene, measured: &Measured) -> Vec<Cell> {
    let triangle_count: usize = scene.meshes.iter().map(|mesh| mesh.triangles().len()).sum();
    let document = &measured.document;
    let mut row: Vec<Cell> = vec![
        name.into(),
        document.part_count.into(),
        scene.meshes.len().into(),
        triangle_count.into(),
        document.near_count.into(),
    ];
    row.extend(KINDS.iter().map(|&kind| Cell::from(document.count(kind))));
    row.extend(measured.times.iter().map(|&time| Cell::from(time)));
    row.push(measured.times[1..].iter().sum::<f64>().into());
    let gibibytes = |bytes: u64| Cell::Number(bytes as f64 / f64::from(1 << 30));
    row.push(measured.peak_bytes.map_or(Cell::Nothing, gibibytes));
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves a link of a faultless chain, and drops a planted finding.
    #[test]
    fn findings_that_were_not_planted_and_planted_ones_that_are_missing_are_told() {
        let mut assembly = chains::chains(200);
        let check = |assembly: &Assembly| measure(assembly, 0.0, 1, &mut |_| ()).unwrap().checked;
        assert_eq!(wrong(&assembly, &check(&assembly)), Vec::<String>::new());
        assembly.scene.bodies[40].pose.position = assembly.scene.bodies[42].pose.position;
        let (kind, parts) = assembly.planted.remove(0);
        let told = wrong(&assembly, &check(&assembly));
        let links = |[a, b]: [u32; 2]| {
            format!("not planted: {} of chain 0/link {a} and chain 0/link {b}", kind.title())
        };
        assert!(told.contains(&links(parts)), "{told:?}");
        assert!(told.iter().any(|text| text.contains("link 40 and chain 0/link 42")), "{told:?}");
        assembly.planted.push((Kind::Inside, [1, 2]));
        let told = wrong(&assembly, &check(&assembly));
        assert!(told.iter().any(|text| text.starts_with("not found: part inside another")), "{told:?}");
    }
}
