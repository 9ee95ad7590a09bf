//! Items of \[boxes\]: rankings of broad phases on three families of sets.

use crate::order::Order;
use crate::suite::evidence::Evidence;
use crate::suite::item::{Item, Paper, Sources};
use crate::suite::measured::{Measured, Missing};
use crate::suite::quantity::{Quantity, mean};
use crate::suite::verdict::{ALIKE, Test};

pub const ITEMS: [Item; 5] = [
    Item {
        paper: Paper::Boxes,
        key: "fig-3-random",
        place: "Fig. 3, random",
        claim: "On boxes crowded into a cube, HYBRID is the fastest, HASH2 is the slowest, and the four sweeps \
                are alike.",
        workload: "Boxes with edges of 0.1 to 0.2 in the unit cube, about n²/94 pairs. The claims are tested on \
                   the largest set.",
        from: &["boxes-random"],
        judge: random,
    },
    Item {
        paper: Paper::Boxes,
        key: "fig-3-sphere",
        place: "Fig. 3, sphere",
        claim: "On boxes crowded onto a sphere, SWEEP4 is almost as fast as HYBRID for up to 50,000 boxes.",
        workload: "Cubes of edge 0.1 on the unit sphere, about n²/620 pairs. The claims are tested on sets of up \
                   to 50,000 cubes.",
        from: &["boxes-sphere-dense"],
        judge: dense_sphere,
    },
    Item {
        paper: Paper::Boxes,
        key: "fig-4",
        place: "Fig. 4, ranking",
        claim: "On adjacent cubes, SWEEP1 is the fastest, HASH2 the second and SWEEP4 the third; HYBRID and \
                SWEEP3 are outperformed.",
        workload: "Touching unit cubes that fill a larger cube, about 13 n pairs. The claims are tested on the \
                   largest set.",
        from: &["boxes-adjacent"],
        judge: adjacent,
    },
    Item {
        paper: Paper::Boxes,
        key: "fig-4-coherence",
        place: "Fig. 4, coherence",
        claim: "A sweep that keeps the sorted ends of the last frame saves about a third of its time.",
        workload: "The same cubes a second time: each sweep from scratch, and with the order that it kept.",
        from: &["boxes-adjacent"],
        judge: coherence,
    },
    Item {
        paper: Paper::Boxes,
        key: "fig-5",
        place: "Fig. 5",
        claim: "On a sphere with few overlaps, HYBRID is the fastest, even against sweeps that keep their order. \
                The sweeps are alike on average.",
        workload: "Cubes on the unit sphere, which are smaller in larger sets, about 5.5 n pairs. The claims are \
                   tested on the largest set.",
        from: &["boxes-sphere"],
        judge: sphere,
    },
];

const HYBRID: &str = "hybrid";
const HASH2: &str = "hash2";
const SWEEPS: [&str; 4] = ["sweep1", "sweep2", "sweep3", "sweep4"];
const METHODS: [&str; 6] = [HYBRID, HASH2, SWEEPS[0], SWEEPS[1], SWEEPS[2], SWEEPS[3]];

/// The time and the number of box tests of a method on a set of one size.
#[derive(Clone, Copy)]
struct Cost {
    time: Quantity,
    again: f64,
    tests: Quantity,
    /// Number of comparisons of a comparison sort: for interval ends in random order, and for ends that
    /// are already sorted. 0 for methods that do not sort ends.
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

/// Adds tables of times and of box tests at every size, and of our and the paper's ranks at the largest
/// size. Returns the largest size.
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
    evidence.table(&format!("rank by time on {largest} boxes; with the switch, rank by box tests"));
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

/// Share of a sweep's time that, according to the paper, keeping the order saves.
const THIRD: f64 = 1.0 / 3.0;

const BY_TESTS: &str = "box tests in place of times, which leaves out the cost of a test";

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
        "Of the methods that hash or sweep, HASH2 tests the most boxes, as in the paper. It scans them in \
         contiguous memory, whereas the paper uses lists.",
    );
    Ok(evidence)
}

/// Largest number of boxes at which the paper calls SWEEP4 almost as fast as HYBRID.
const ALMOST_AS_FAST: f64 = 50_000.0;

/// Evaluates \[boxes\] Fig. 3, sphere.
fn dense_sphere(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxes-sphere-dense")?;
    let mut evidence = Evidence { switch: Some(BY_TESTS), ..Evidence::default() };
    evidence.table("SWEEP4 as a multiple of HYBRID: time, and box tests as the switch");
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
        "The paper's reason holds in counts: the search tree makes almost no test in vain, so SWEEP4 is the \
         better filter. But each test costs SWEEP4 two reads from scattered memory, so SWEEP4 is the more \
         expensive method.",
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
    let mut evidence = Evidence::new("share saved by keeping the order");
    evidence.switch = Some(
        "comparisons and box tests in place of times, for a comparison sort like the paper's insertion sort",
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
        "about a third or more is saved, on average",
        Test::AtLeast(saved.into(), least),
        Some(Test::AtLeast(counted.into(), least)),
    );
    evidence.remark =
        Some("A radix sort sorts the ends in a tenth of a frame, so there is little left to save.");
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
        // `again` is only the median of five repeats, so it has no interval.
        let text = format!("HYBRID faster than {sweep} that keeps its order");
        evidence.less(&text, hybrid.time.value.into(), own.again.into());
    }
    evidence.less("HYBRID faster than HASH2", hybrid.time, of(HASH2)?.time);
    for sweep in &SWEEPS[1..] {
        evidence.alike(&format!("{sweep} like SWEEP1"), of(sweep)?.time, of(SWEEPS[0])?.time);
    }
    Ok(evidence)
}
