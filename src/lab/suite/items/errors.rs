//! Items of \[adb\] on wrong answers.

use super::adb::MODEL;
use super::is_part;
use crate::arrays::MapEach;
use crate::suite::evidence::Evidence;
use crate::suite::item::{Item, Paper, Sources};
use crate::suite::measured::{Measured, Missing, Row};
use crate::suite::quantity::{Quantity, geometric_mean, mean};
use crate::suite::verdict::{ALIKE, Test};

pub const ITEMS: [Item; 4] = [
    Item {
        paper: Paper::Adb,
        key: "fig-16",
        place: "Fig. 16",
        claim: "1.89, 1.54 and 2.10 % of the answers are wrong, and 3.19, 1.71 and 3.15 % at distances of 1 to 2 \
                m.",
        workload: "Five generated shapes in three sizes each replace a car body, a door lock and pipes. A cell \
                   counts from an area of 0.25 a² on.",
        from: &["adb-models"],
        judge: errors,
    },
    Item {
        paper: Paper::Adb,
        key: "fig-17",
        place: "Fig. 17",
        claim: "Wrong answers decrease by about 5 points from p_min 0.5 to 0.9 and by less than 2 from 0.9 to \
                0.99. They decrease by 2 points from k_min 1 to 5, and by 0.2 from 5 to 10 at 2.3 times the time.",
        workload: "The same shapes with 20,000 triangles, at distances of 1.2 to 2 m.",
        from: &["adb-pmin", "adb-kmin"],
        judge: targets,
    },
    Item {
        paper: Paper::Adb,
        key: "regions",
        place: "§3.4.3",
        claim: "Regions within a node capture unevenly distributed polygons better. The paper prints no result.",
        workload: "The same shapes, with one part of the model changed at a time.",
        from: &["adb-parts"],
        judge: regions,
    },
    Item {
        paper: Paper::Adb,
        key: "cells",
        place: "§4.2.2",
        claim: "8³ cells per node are enough: fewer cells make more answers wrong, and more cells hardly make \
                fewer wrong.",
        workload: "Five generated meshes; the paper's model with 2³ to 16³ cells.",
        from: &["adb-cells"],
        judge: cells,
    },
];

/// Evaluates \[adb\] Fig. 16.
fn errors(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("adb-models")?;
    let mut evidence = Evidence::default();
    for (title, column, papers) in [
        ("wrong answers at 0.4 to 2.1 m, %", "error (%)", [1.89, 1.54, 2.10]),
        ("wrong answers at 1 to 2 m, %", "inner: error (%)", [3.19, 1.71, 3.15]),
    ] {
        evidence.table(title);
        for (name, paper) in ["car body", "door lock", "pipes"].into_iter().zip(papers) {
            evidence.compare(&format!("paper: {name}"), Some(paper), None, None);
        }
        let mut all = Vec::new();
        for row in measured.all(&[("method", MODEL)]) {
            all.push(row.number(column)?);
            evidence.row(row.text("mesh"), None, row.number(column)?);
        }
        evidence.row("mean", Some(mean(&papers)), mean(&all));
        evidence.at_most(
            &format!("{title}: at most 1.5 times as many, on average"),
            mean(&all),
            ALIKE * mean(&papers),
        );
        evidence.alike(&format!("{title}: as many, on average"), mean(&all), mean(&papers));
    }
    evidence.remark = Some(
        "The printed area from which a cell counts, √2 a², cannot be meant: a single sheet reaches it almost \
         nowhere, and the answer would always be no. 0.25 a² is our choice; it lies on the plateau that is \
         reported below.",
    );
    Ok(evidence)
}

/// Returns the mean of `column` for the paper's model, over the rows whose column `target` equals
/// `value`. With `parts`, only machine parts count, else all meshes.
fn at(measured: &Measured, [target, column]: [&str; 2], value: f64, parts: bool) -> Result<f64, Missing> {
    let mut all = Vec::new();
    for row in measured.all(&[("model", "paper")]) {
        if row.number(target)? == value && (!parts || is_part(row.text("mesh"))) {
            all.push(row.number(column)?);
        }
    }
    Ok(mean(&all))
}

/// Evaluates \[adb\] Fig. 17.
fn targets(sources: &Sources) -> Result<Evidence, Missing> {
    let (by_p, by_k) = (sources.of("adb-pmin")?, sources.of("adb-kmin")?);
    let mut evidence = Evidence::new("decrease of wrong answers, points");
    evidence.switch = Some("machine parts alone, because the paper's car body is a machine part");
    let p = |value, parts| at(by_p, ["p_min", "inner: error (%)"], value, parts);
    let k = |value, parts| at(by_k, ["k_min", "inner: error (%)"], value, parts);
    let steps = |parts| {
        Ok::<[f64; 4], Missing>([
            p(0.5, parts)? - p(0.9, parts)?,
            p(0.9, parts)? - p(0.99, parts)?,
            k(1.0, parts)? - k(5.0, parts)?,
            k(5.0, parts)? - k(10.0, parts)?,
        ])
    };
    let (own, switched) = (steps(false)?, steps(true)?);
    let names = ["p_min 0.5 to 0.9", "p_min 0.9 to 0.99", "k_min 1 to 5", "k_min 5 to 10"];
    for (k, (name, paper)) in names.into_iter().zip([5.0, 2.0, 2.0, 0.2]).enumerate() {
        evidence.compare(name, Some(paper), Some(own[k].into()), Some(switched[k].into()));
    }
    let least = |k: usize| [own[k], switched[k]].map_each(|points| Test::AtLeast(points.into(), 0.0));
    let [ours, other] = least(0);
    evidence.claim("from p_min 0.5 to 0.9: fewer wrong answers", ours, Some(other));
    let [ours, other] = [own[1], switched[1]].map_each(|points| Test::AtMost(points.into(), 2.0));
    evidence.claim("from p_min 0.9 to 0.99: a decrease of less than 2 points", ours, Some(other));
    evidence.alike("from p_min 0.5 to 0.9: as large a decrease", own[0].max(0.0), 5.0);
    let [ours, other] = [own, switched].map_each(|points| Test::AtMost((points[3] - points[2]).into(), 0.0));
    evidence.claim("k_min: a smaller decrease from 5 to 10 than from 1 to 5", ours, Some(other));
    evidence.alike("from k_min 1 to 5: as large a decrease", own[2].max(0.0), 2.0);
    evidence.table("node tests for k_min 10, as a multiple of those for 5");
    let tests = |value| at(by_k, ["k_min", "node tests"], value, false);
    let dearer = tests(10.0)? / tests(5.0)?;
    evidence.row("paper's model", Some(2.3), dearer);
    evidence.alike("as large a multiple", dearer, 2.3);
    evidence.table("wrong answers at 1.2 to 2 m, %; machine parts as the switch");
    for value in [0.5, 0.9, 0.95, 0.99] {
        evidence.compare(
            &format!("p_min {value}"),
            None,
            Some(p(value, false)?.into()),
            Some(p(value, true)?.into()),
        );
    }
    for value in [1.0, 5.0, 10.0] {
        evidence.compare(
            &format!("k_min {value}"),
            None,
            Some(k(value, false)?.into()),
            Some(k(value, true)?.into()),
        );
    }
    Ok(evidence)
}

/// Evaluates \[adb\] §3.4.3.
fn regions(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("adb-parts")?;
    let mut evidence = Evidence::new("wrong answers, %, means over all meshes");
    let of = |part, value| {
        let all: Result<Vec<f64>, Missing> =
            measured.all(&[("part", part), ("value", value)]).map(|row| row.number("error (%)")).collect();
        Ok::<f64, Missing>(mean(&all?))
    };
    let plain = of("paper", "")?;
    evidence.row("no regions", None, plain);
    let mut least = f64::INFINITY;
    for value in ["halves", "pyramids"] {
        let own = of("regions", value)?;
        least = least.min(own);
        evidence.row(&format!("regions: {value}"), None, own);
    }
    evidence.is_our_reading = true;
    evidence.at_most("no more wrong answers with one of the two forms of regions", least - plain, 0.0);
    for (part, value) in [
        ("volume", "spheres"),
        ("volume", "aligned"),
        ("volume", "slabs"),
        ("distinct", "yes"),
        ("combination", "expectation"),
    ] {
        evidence.row(&format!("{part}: {value}"), None, of(part, value)?);
    }
    Ok(evidence)
}

/// Returns a number per row of `adb-cells` that has `side` cells per side, for all meshes.
fn by_side<T>(
    measured: &Measured,
    side: f64,
    number: impl Fn(&Row) -> Result<T, Missing>,
) -> Result<Vec<T>, Missing> {
    let is_own =
        |row: &Row| row.number("cells along a side") == Ok(side) && !row.text("mesh").starts_with("mean");
    measured.rows().filter(is_own).map(|row| number(&row)).collect()
}

/// Evaluates \[adb\] §4.2.2.
fn cells(sources: &Sources) -> Result<Evidence, Missing> {
    const SIDES: [f64; 6] = [2.0, 4.0, 6.0, 8.0, 12.0, 16.0];
    let measured = sources.of("adb-cells")?;
    let mut evidence = Evidence::new("wrong answers, %, means over all meshes");
    evidence.switch = Some(
        "missed collisions alone, without false alarms: finer cells raise more false alarms and miss fewer \
         collisions",
    );
    let (mut wrong, mut missed) = (Vec::new(), Vec::new());
    for side in SIDES {
        let of = |column: &str| Ok::<f64, Missing>(mean(&by_side(measured, side, |row| row.number(column))?));
        let [all, own] = [Quantity::from(of("wrong (%)")?), Quantity::from(of("missed (%)")?)];
        evidence.compare(&format!("{side}³ cells"), None, Some(all), Some(own));
        wrong.push(all);
        missed.push(own);
    }
    for k in [0, 1] {
        let text = format!("{}³ cells make more answers wrong than 8³", SIDES[k]);
        evidence.claim(&text, Test::Less(wrong[3], wrong[k]), Some(Test::Less(missed[3], missed[k])));
    }
    for k in [4, 5] {
        evidence.alike(&format!("{}³ cells make about as many wrong as 8³", SIDES[k]), wrong[k], wrong[3]);
    }
    evidence.table("node tests, geometric means");
    for side in SIDES {
        let all = by_side(measured, side, |row| row.count("node tests"))?;
        evidence.row(&format!("{side}³ cells"), None, geometric_mean(&all));
    }
    Ok(evidence)
}
