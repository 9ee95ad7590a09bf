//! Items of \[boxes\]: rankings of broad phases on three families of sets.

use crate::lab::suite::evidence::Evidence;
use crate::lab::suite::item::{Item, Paper, Sources};
use crate::lab::suite::measured::{Measured, Missing};
use crate::lab::suite::quantity::{Quantity, mean};
use crate::lab::suite::verdict::{ALIKE, Test};
use crate::order::Order;

pub const ITEMS: [Item; 5] = [
    Item {
        paper: Paper::Boxes,
        key: "fig-3-random",
        place: "Fig. 3, random",
        claim: "On boxes crowded into a cube HYBRID is the fastest, HASH2 the slowest, and the four sweeps are alike.",
        workload: "Edges of 0.1 to 0.2 in the unit cube, about n²/94 pairs; the largest set is judged.",
        from: &["boxes-random"],
        judge: random,
    },
    Item {
        paper: Paper::Boxes,
        key: "fig-3-sphere",
        place: "Fig. 3, sphere",
        claim: "On boxes crowded onto a sphere SWEEP4 is almost as fast as HYBRID up to 50,000 boxes.",
        workload: "Cubes of edge 0.1 on the unit sphere, about n²/620 pairs, sizes up to 50,000.",
        from: &["boxes-sphere-dense"],
        judge: dense_sphere,
    },
    Item {
        paper: Paper::Boxes,
        key: "fig-4",
        place: "Fig. 4, ranking",
        claim: "On adjacent cubes SWEEP1 is the fastest, then HASH2, then SWEEP4; HYBRID and SWEEP3 are outperformed.",
        workload: "Unit cubes that fill a larger one and touch, about 13 n pairs; the largest set is judged.",
        from: &["boxes-adjacent"],
        judge: adjacent,
    },
    Item {
        paper: Paper::Boxes,
        key: "fig-4-coherence",
        place: "Fig. 4, coherence",
        claim: "Keeping the sorted ends from the last frame saves a sweep about a third of its time.",
        workload: "The same cubes once more: each sweep from nothing, and with the order it kept.",
        from: &["boxes-adjacent"],
        judge: coherence,
    },
    Item {
        paper: Paper::Boxes,
        key: "fig-5",
        place: "Fig. 5",
        claim: "On a sphere with few overlaps HYBRID is the fastest, even against sweeps that keep their order; the \
                sweeps are alike on average.",
        workload: "Cubes on the unit sphere that shrink as they become more, about 5.5 n pairs; the largest set is \
                   judged.",
        from: &["boxes-sphere"],
        judge: sphere,
    },
];

const HYBRID: &str = "hybrid";
const HASH2: &str = "hash2";
const SWEEPS: [&str; 4] = ["sweep1", "sweep2", "sweep3", "sweep4"];
const METHODS: [&str; 6] = [HYBRID, HASH2, SWEEPS[0], SWEEPS[1], SWEEPS[2], SWEEPS[3]];

/// The time and the box tests of a method on a set of one size.
#[derive(Clone, Copy)]
struct Cost {
    time: Quantity,
    again: f64,
    tests: Quantity,
    /// Comparisons of a sort, of ends in random order and of sorted ends; 0 for methods that do not
    /// sort ends.
    comparisons: [f64; 2],
}

/// Returns the measured sizes of the sets, in ascending order.
fn sizes(measured: &Measured) -> Result<Vec<f64>, Missing> {
    let mut sizes: Vec<f64> = Vec::new();
    for row in measured.rows() {
        let size = row.number("boxes")?;
        if !sizes.contains(&size) {
            sizes.push(size);
        }
    }
    sizes.order_by(f64::total_cmp);
    Ok(sizes)
}

/// Returns the cost of a method on a set of one size.
fn cost(measured: &Measured, method: &str, boxes: f64) -> Result<Cost, Missing> {
    let found = measured.all(&[("method", method)]).find(|row| row.number("boxes") == Ok(boxes));
    let missing = || Missing {
        measurement: measured.name.clone(),
        wanted: format!("row of {method} on {boxes} boxes"),
    };
    let row = found.ok_or_else(missing)?;
    let compared = |column| row.number(column).unwrap_or(0.0);
    Ok(Cost {
        time: row.time("total (ms)")?,
        again: row.number("again (ms)")?,
        tests: row.count("tests")?,
        comparisons: [compared("comparisons"), compared("comparisons again")],
    })
}

/// Adds tables of times and box tests at every size, and ranks at the largest beside the paper's;
/// returns the largest size.
fn show(evidence: &mut Evidence, measured: &Measured, paper: &[(&str, f64)]) -> Result<f64, Missing> {
    let sizes = sizes(measured)?;
    let largest = sizes.last().copied().unwrap_or(0.0);
    let mut ranked = Vec::new();
    for method in METHODS {
        ranked.push((method, cost(measured, method, largest)?));
    }
    let rank = |own: &Cost, by: fn(&Cost) -> f64| {
        1.0 + ranked.iter().filter(|(_, other)| by(other) < by(own)).count() as f64
    };
    evidence.table(&format!("rank by time on {largest} boxes; the second number of ours is by box tests"));
    for (method, own) in &ranked {
        let papers = paper.iter().find(|(name, _)| name == method).map(|(_, rank)| *rank);
        let [by_time, by_tests] = [rank(own, |c| c.time.value), rank(own, |c| c.tests.value)];
        evidence.compare(method, papers, Some(by_time.into()), Some(by_tests.into()));
    }
    for (title, pick) in [("time, ms", (|c| c.time) as fn(&Cost) -> Quantity), ("box tests", |c| c.tests)] {
        evidence.table(title);
        for &size in &sizes {
            for method in METHODS {
                let own = pick(&cost(measured, method, size)?);
                evidence.row(&format!("{method}, {size} boxes"), None, own);
            }
        }
    }
    Ok(largest)
}

/// Share of a sweep's time that the paper says is saved.
const THIRD: f64 = 1.0 / 3.0;

const BY_TESTS: &str = "box tests in place of times: what a test costs is left out";

/// Evaluates \[boxes\] Fig. 3, random.
fn random(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxes-random")?;
    let mut evidence = Evidence { switch: Some(BY_TESTS), ..Evidence::default() };
    let largest = show(&mut evidence, measured, &[(HYBRID, 1.0), (HASH2, 6.0)])?;
    let of = |method| cost(measured, method, largest);
    let (hybrid, hash2) = (of(HYBRID)?, of(HASH2)?);
    for method in [HASH2, SWEEPS[0], SWEEPS[1], SWEEPS[2], SWEEPS[3]] {
        evidence.less(&format!("HYBRID faster than {method}"), hybrid.time, of(method)?.time);
    }
    for sweep in SWEEPS {
        let own = of(sweep)?;
        let switched = Test::Less(own.tests, hash2.tests);
        evidence.claim(
            &format!("{sweep} faster than HASH2"),
            Test::Less(own.time, hash2.time),
            Some(switched),
        );
        evidence.alike(&format!("{sweep} like SWEEP1"), own.time, of(SWEEPS[0])?.time);
    }
    evidence.remark = Some(
        "HASH2 tests the most boxes of those that hash or sweep, as the paper has it, and scans them from contiguous \
         memory, where the paper has lists.",
    );
    Ok(evidence)
}

/// Largest number of boxes for which the paper calls SWEEP4 almost as fast as HYBRID.
const ALMOST_AS_FAST: f64 = 50_000.0;

/// Evaluates \[boxes\] Fig. 3, sphere.
fn dense_sphere(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxes-sphere-dense")?;
    let mut evidence = Evidence { switch: Some(BY_TESTS), ..Evidence::default() };
    evidence.table("SWEEP4 in times of HYBRID: time, and box tests as the switch");
    for size in sizes(measured)? {
        let (sweep, hybrid) = (cost(measured, SWEEPS[3], size)?, cost(measured, HYBRID, size)?);
        let (time, tests) = (sweep.time.over(hybrid.time), sweep.tests.over(hybrid.tests));
        let judged = size <= ALMOST_AS_FAST;
        evidence.compare(&format!("{size} boxes"), judged.then_some(1.0), Some(time), Some(tests));
        if judged {
            evidence.claim(
                &format!("{size} boxes: SWEEP4 takes at most 1.5 times as long"),
                Test::AtMost(time, 1.5),
                Some(Test::AtMost(tests, 1.5)),
            );
        }
    }
    show(&mut evidence, measured, &[])?;
    evidence.remark = Some(
        "The paper's reason, that the search tree needs next to no vain test, holds in counts: SWEEP4 is the better \
         filter. A test costs it two reads in no order, so it is the dearer step.",
    );
    Ok(evidence)
}

/// Evaluates \[boxes\] Fig. 4, ranking.
fn adjacent(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxes-adjacent")?;
    let mut evidence = Evidence { switch: Some(BY_TESTS), ..Evidence::default() };
    let paper = [(SWEEPS[0], 1.0), (HASH2, 2.0), (SWEEPS[3], 3.0)];
    let largest = show(&mut evidence, measured, &paper)?;
    let of = |method| cost(measured, method, largest);
    let order = [
        (SWEEPS[0], HASH2),
        (HASH2, HYBRID),
        (HASH2, SWEEPS[1]),
        (HASH2, SWEEPS[2]),
        (HASH2, SWEEPS[3]),
        (SWEEPS[3], HYBRID),
        (SWEEPS[3], SWEEPS[2]),
    ];
    for (less, more) in order {
        let (less_cost, more_cost) = (of(less)?, of(more)?);
        evidence.claim(
            &format!("{less} faster than {more}"),
            Test::Less(less_cost.time, more_cost.time),
            Some(Test::Less(less_cost.tests, more_cost.tests)),
        );
    }
    Ok(evidence)
}

/// Evaluates \[boxes\] Fig. 4, coherence.
fn coherence(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxes-adjacent")?;
    let largest = sizes(measured)?.last().copied().unwrap_or(0.0);
    let mut evidence = Evidence::new("share that is saved by keeping the order");
    evidence.switch = Some(
        "comparisons and box tests in place of times: a sort that compares, as the paper's insertion sort is beside",
    );
    let (mut saved, mut counted) = (Vec::new(), Vec::new());
    for sweep in SWEEPS {
        let own = cost(measured, sweep, largest)?;
        saved.push(1.0 - own.again / own.time.value);
        counted.push((own.comparisons[0] - own.comparisons[1]) / (own.comparisons[0] + own.tests.value));
        let both = [saved.last(), counted.last()].map(|own| own.map(|own| Quantity::from(*own)));
        evidence.compare(sweep, Some(THIRD), both[0], both[1]);
    }
    let [saved, counted] = [mean(&saved), mean(&counted)];
    evidence.compare("mean", Some(THIRD), Some(saved.into()), Some(counted.into()));
    let least = THIRD / ALIKE;
    evidence.claim(
        "about a third is saved or more, in the mean",
        Test::AtLeast(saved.into(), least),
        Some(Test::AtLeast(counted.into(), least)),
    );
    evidence.remark = Some(
        "The ends are sorted by their digits, which takes a tenth of a frame, so that there is little left to save.",
    );
    Ok(evidence)
}

/// Evaluates \[boxes\] Fig. 5.
fn sphere(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxes-sphere")?;
    let mut evidence = Evidence { switch: Some(BY_TESTS), ..Evidence::default() };
    let largest = show(&mut evidence, measured, &[(HYBRID, 1.0), (SWEEPS[0], 2.0)])?;
    let of = |method| cost(measured, method, largest);
    let hybrid = of(HYBRID)?;
    for sweep in SWEEPS {
        let own = of(sweep)?;
        evidence.less(&format!("HYBRID faster than {sweep}"), hybrid.time, own.time);
        // The table has only the median of five repeats.
        let text = format!("HYBRID faster than {sweep} that keeps its order");
        evidence.less(&text, hybrid.time.value.into(), own.again.into());
    }
    evidence.less("HYBRID faster than HASH2", hybrid.time, of(HASH2)?.time);
    for sweep in &SWEEPS[1..] {
        evidence.alike(&format!("{sweep} like SWEEP1"), of(sweep)?.time, of(SWEEPS[0])?.time);
    }
    Ok(evidence)
}
