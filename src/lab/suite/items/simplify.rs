//! Items of \[simplify\]: parts, edge lengths, levels, and the gain of guided hierarchies.

use crate::suite::evidence::Evidence;
use crate::suite::item::{Item, Paper, Sources};
use crate::suite::measured::{Measured, Missing, Row};
use crate::suite::quantity::{Quantity, geometric_mean, median};
use crate::suite::verdict::Test;

pub const ITEMS: [Item; 6] = [
    Item {
        paper: Paper::Simplify,
        key: "fig-2",
        place: "Fig. 2",
        claim: "A simplified model of triangles, edges and points falls into the parts that the figure lists.",
        workload: "The figure's surface: seven triangles, four edges, six points.",
        from: &["parts-figure"],
        judge: parts,
    },
    Item {
        paper: Paper::Simplify,
        key: "fig-3",
        place: "Fig. 3",
        claim: "The frequency of edge lengths changes drastically at some lengths, which give the widths of cells.",
        workload: "The starship that replaces the paper's Enterprise.",
        from: &["parts-edges"],
        judge: edges,
    },
    Item {
        paper: Paper::Simplify,
        key: "fig-4",
        place: "Fig. 4",
        claim: "The simplified models are sketches of a few dozen elements.",
        workload: "First levels of ten models of the paper's kinds, compared with the eight models whose elements \
                   the figure counts.",
        from: &["parts-levels"],
        judge: levels,
    },
    Item {
        paper: Paper::Simplify,
        key: "table-1",
        place: "Table 1",
        claim: "Models have a handful of components, and guided trees have less volume than plain trees on seven \
                of ten models.",
        workload: "Ten models of the paper's kinds, with RAPID's boxes and rule and the paper's guidance.",
        from: &["parts-build", "parts-levels"],
        judge: building,
    },
    Item {
        paper: Paper::Simplify,
        key: "table-2",
        place: "Table 2",
        claim: "Guided trees answer faster than RAPID's trees in every room, most of all for models with long \
                parts.",
        workload: "The paper's numbers of instances, in rooms sized so that as many pairs collide as in the paper.",
        from: &["parts-query"],
        judge: |sources| rooms(sources, &TIMES),
    },
    Item {
        paper: Paper::Simplify,
        key: "table-3",
        place: "Table 3",
        claim: "Guided trees need fewer node tests than RAPID's: 0.68 times as many for long parts, and as many \
                for the F16 and the forklift.",
        workload: "The rooms of Table 2.",
        from: &["parts-query"],
        judge: |sources| rooms(sources, &TESTS),
    },
];

/// Evaluates \[simplify\] Fig. 2.
fn parts(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("parts-figure")?;
    let mut evidence = Evidence::new("number of the part; 0 means no part");
    let mut wrong = 0.0;
    for row in measured.rows() {
        let (own, paper) = (row.number("part")?, row.number("paper: part")?);
        wrong += f64::from(own != paper);
        evidence.row(row.text("element"), Some(paper), own);
    }
    evidence.at_most("every element is in the part that the figure lists", wrong, 0.0);
    Ok(evidence)
}

/// Evaluates \[simplify\] Fig. 3.
fn edges(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("parts-edges")?;
    let mut evidence = Evidence { is_our_reading: true, ..Evidence::default() };
    evidence.table("edges, by their length as a share of the diagonal");
    let counts: Vec<f64> = measured.rows().map(|row| row.number("edges")).collect::<Result<_, _>>()?;
    let mut drop = None;
    for (k, row) in measured.rows().enumerate() {
        if counts[k] > 0.0 {
            let length = row.number("share of the diagonal (%)")?;
            evidence.row(&format!("up to {length:.2} %"), None, counts[k]);
        }
        if row.text("cells as wide") == "second" {
            drop = Some(k);
        }
    }
    let missing =
        || Missing { measurement: measured.name.clone(), wanted: "cells of the second level".to_owned() };
    let at = drop.ok_or_else(missing)?;
    let sum = |range: std::ops::Range<usize>| counts[range].iter().sum::<f64>();
    let (before, after) = (sum(at.saturating_sub(2)..at + 1), sum(at + 1..(at + 4).min(counts.len())));
    evidence.table("edges around the width of the second level's cells");
    evidence.row("three bins up to the width", None, before);
    evidence.row("three bins above the width", None, after);
    evidence.less("less than half as many edges above the width", (2.0 * after).into(), before.into());
    Ok(evidence)
}

/// Evaluates \[simplify\] Fig. 4.
fn levels(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("parts-levels")?;
    let mut evidence = Evidence::new("elements of the first level");
    let (mut own, mut papers) = (Vec::new(), Vec::new());
    for row in measured.rows() {
        let elements = row.number("elements")?;
        if row.text("model") == PAPER_LEVELS {
            papers.push(elements);
            evidence.compare(&format!("paper's model {}", papers.len()), Some(elements), None, None);
        } else if row.number("level") == Ok(1.0) {
            own.push(elements);
            evidence.row(row.text("model"), None, elements);
        }
    }
    let [own, papers] = [median(&own), median(&papers)];
    evidence.row("median", Some(papers), own);
    evidence.alike("the median model has as many elements", own, papers);
    evidence.remark = Some(
        "The paper's text does not specify which drawing shows which model. Here a rule of ours widens the cells \
         of the first level until at most 53 elements are left. The skateboard shows parts only at its finest \
         level.",
    );
    Ok(evidence)
}

const PAPER_LEVELS: &str = "paper, Fig. 4";
const PLAIN: &str = "obb-principal, principal";
const GUIDED: &str = "obb-principal+parts-always, principal";

/// Our models, and the models of the paper that they replace.
const MODELS: [(&str, &str); 10] = [
    ("windmill", "Windmill"),
    ("helicopter", "Helicopter"),
    ("chair", "Chair"),
    ("space-station", "Spacestation"),
    ("rat", "Rat"),
    ("quadruped", "Triceratops"),
    ("skateboard", "Skateboard"),
    ("forklift", "Forklift"),
    ("jet", "F16"),
    ("starship", "Enterprise"),
];

/// Returns the row of a model and a tree.
fn built<'a>(measured: &'a Measured, model: &str, tree: &str) -> Result<Row<'a>, Missing> {
    measured.row(&[("model", model), ("tree", tree)])
}

/// Evaluates \[simplify\] Table 1.
fn building(sources: &Sources) -> Result<Evidence, Missing> {
    let (measured, levels) = (sources.of("parts-build")?, sources.of("parts-levels")?);
    let mut evidence = Evidence::new("components of the first level");
    let (mut own, mut papers) = (Vec::new(), Vec::new());
    for (model, name) in MODELS {
        let row = levels.all(&[("model", model)]).find(|row| row.number("level") == Ok(1.0));
        let missing =
            || Missing { measurement: levels.name.clone(), wanted: format!("first level of {model}") };
        let row = row.ok_or_else(missing)?;
        let (components, paper) = (row.count("components")?, row.count("paper: components")?);
        evidence.row(&format!("{model} ({name})"), Some(paper.value), components);
        own.push(components);
        papers.push(paper);
    }
    evidence.alike("as many components, on average", geometric_mean(&own), geometric_mean(&papers));
    evidence.table("volume of all boxes of the guided tree, as a share of the plain tree's");
    evidence.switch =
        Some("the rule `binned` in place of RAPID's, for the plain tree and for the guided tree over it");
    for (model, name) in MODELS {
        let volume = built(measured, model, GUIDED)?.count("volume to plain")?;
        let switched = built(measured, model, "obb+parts-always")?.count("volume to plain")?;
        let paper =
            built(measured, &format!("paper, Table 1: {name}"), "U-Collide")?.count("volume to plain")?;
        evidence.compare(&format!("{model} ({name})"), Some(paper.value), Some(volume), Some(switched));
        let one = Quantity::from(1.0);
        let (test, switched) = if paper.value < 1.0 {
            (Test::Less(volume, one), Test::Less(switched, one))
        } else {
            (Test::Less(one, volume), Test::Less(one, switched))
        };
        let text = if paper.value < 1.0 { "less volume than plain" } else { "more volume than plain" };
        evidence.claim(&format!("{model}: {text}"), test, Some(switched));
    }
    evidence.table("time of guidance, as a multiple of the plain build's");
    for (model, name) in MODELS {
        let own = built(measured, model, GUIDED)?.number("guidance to plain")?;
        let paper = built(measured, &format!("paper, Table 1: {name}"), "U-Collide")?;
        evidence.row(&format!("{model} ({name})"), Some(paper.number("guidance to plain")?), own);
    }
    evidence.remark = Some(
        "No claim tests the time of guidance, because the paper's table has counts. Guidance costs much less here.",
    );
    Ok(evidence)
}

/// A column of Tables 2 and 3, relative to the plain tree's.
struct Shares {
    title: &'static str,
    column: &'static str,
    is_timed: bool,
}

const TIMES: Shares =
    Shares { title: "time of a step, as a share of RAPID's", column: "time a step (ms)", is_timed: true };
const TESTS: Shares =
    Shares { title: "node tests, as a share of RAPID's", column: "node tests (million)", is_timed: false };

const DENSITIES: [&str; 3] = ["sparse", "normal", "dense"];
/// Models that consist of long parts according to the paper.
const LONG: [&str; 5] = ["windmill", "helicopter", "chair", "space-station", "starship"];

/// Evaluates \[simplify\] Table 2 or Table 3, depending on `shares`.
fn rooms(sources: &Sources, shares: &Shares) -> Result<Evidence, Missing> {
    let measured = sources.of("parts-query")?;
    let mut evidence = Evidence::default();
    let mut by_model = Vec::new();
    for density in DENSITIES {
        evidence.table(&format!("{}: {density}", shares.title));
        let mut all = Vec::new();
        for (model, name) in MODELS {
            let of = |model: &str, tree: &str| -> Result<Quantity, Missing> {
                let row = measured.row(&[("model", model), ("density", density), ("tree", tree)])?;
                if shares.is_timed { row.time(shares.column) } else { row.count(shares.column) }
            };
            let own = of(model, GUIDED)?.over(of(model, PLAIN)?);
            let label = format!("paper, Tables 2, 3: {name}");
            let paper = of(&label, "U-Collide")?.value / of(&label, "RAPID")?.value;
            evidence.row(&format!("{model} ({name})"), Some(paper), own);
            all.push((own, Quantity::from(paper)));
            by_model.push((model, own, Quantity::from(paper)));
        }
        let (own, papers): (Vec<Quantity>, Vec<Quantity>) = all.into_iter().unzip();
        let [own, papers] = [geometric_mean(&own), geometric_mean(&papers)];
        evidence.row("geometric mean", Some(papers.value), own);
        evidence.less(&format!("{density}: less than RAPID's, on average"), own, 1.0.into());
        evidence.alike(&format!("{density}: as much less, on average"), own, papers);
    }
    let mean = |is_wanted: &dyn Fn(&str) -> bool| {
        let own = by_model.iter().filter(|one| is_wanted(one.0));
        let (own, papers): (Vec<Quantity>, Vec<Quantity>) = own.map(|one| (one.1, one.2)).unzip();
        [geometric_mean(&own), geometric_mean(&papers)]
    };
    evidence.table("geometric means over all densities");
    for (model, name) in MODELS {
        let [own, paper] = mean(&|other| other == model);
        evidence.row(&format!("{model} ({name})"), Some(paper.value), own);
        // Per model only counts are tested. The times of one model may differ by less than a shared
        // machine can resolve.
        if !shares.is_timed && paper.value < 0.99 {
            evidence.less(&format!("{model}: less than RAPID's"), own, 1.0.into());
        } else if !shares.is_timed {
            evidence.alike(&format!("{model}: as much as RAPID's"), own, 1.0);
        }
    }
    let [own, paper] = mean(&|model| LONG.contains(&model));
    evidence.row("five models with long parts", Some(paper.value), own);
    evidence.alike("long parts: as large a saving", own, paper);
    if shares.is_timed {
        collisions(&mut evidence, measured)?;
    }
    Ok(evidence)
}

/// Adds the numbers of colliding pairs of instances. The rooms are sized so that these numbers match
/// the paper's.
fn collisions(evidence: &mut Evidence, measured: &Measured) -> Result<(), Missing> {
    evidence.table("colliding pairs of instances in all steps");
    for density in DENSITIES {
        for (model, name) in MODELS {
            let row = measured.row(&[("model", model), ("density", density), ("tree", PLAIN)])?;
            let [own, paper] = [row.number("colliding pairs")?, row.number("paper: colliding pairs")?];
            evidence.row(&format!("{model} ({name}), {density}"), Some(paper), own);
            evidence.alike(&format!("{model}, {density}: as many collide"), own, paper);
        }
    }
    Ok(())
}
