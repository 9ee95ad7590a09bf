//! Items of \[cab\]: its five tables, its statements about all of them, and its footnote.

use crate::suite::evidence::Evidence;
use crate::suite::item::{Item, Paper, Sources};
use crate::suite::measured::{Measured, Missing, Row};
use crate::suite::quantity::Quantity;
use crate::suite::verdict::Test;

/// The paper's five tables: the name of the measurement, and of the table.
const TABLES: [(&str, &str); 5] = [
    ("cab-convex-3", "Table 1"),
    ("cab-convex-6", "Table 2"),
    ("cab-nonconvex", "Table 3"),
    ("cab-braided", "Table 4"),
    ("cab-hand", "Table 5"),
];

pub const ITEMS: [Item; 7] = [
    Item {
        paper: Paper::Cab,
        key: "update",
        place: "§4",
        claim: "OBB and CAB pass the same pairs to the query. CAB updates in 0.43 to 0.45 of OBB's time.",
        workload: "The motions of all five tables.",
        from: &["cab-convex-3", "cab-convex-6", "cab-nonconvex", "cab-braided", "cab-hand"],
        judge: update,
    },
    Item {
        paper: Paper::Cab,
        key: "table-1",
        place: "Table 1",
        claim: "CAB takes the least time in total, and AABB⁺ takes by far the most of the hierarchies.",
        workload: "Two swinging chains of 8 convex links with a ratio of 3:1; the motion is a formula over 10,000 \
                   frames.",
        from: &["cab-convex-3"],
        judge: |sources| table(sources, 0),
    },
    Item {
        paper: Paper::Cab,
        key: "table-2",
        place: "Table 2",
        claim: "The same holds for links with a ratio of 6:1.",
        workload: "Two swinging chains of 8 convex links with a ratio of 6:1; the motion is a formula over 10,000 \
                   frames.",
        from: &["cab-convex-6"],
        judge: |sources| table(sources, 1),
    },
    Item {
        paper: Paper::Cab,
        key: "table-3",
        place: "Table 3",
        claim: "With dented links, oriented boxes leave fewer pairs to the query, so CAB gains more over AABB\\*.",
        workload: "The motion of Table 2, with dented links in place of the convex links.",
        from: &["cab-nonconvex", "cab-convex-6"],
        judge: dented,
    },
    Item {
        paper: Paper::Cab,
        key: "table-4",
        place: "Table 4",
        claim: "On braided chains, CAB's lead over AABB\\* is smaller but persists.",
        workload: "Two chains of 8 links wound around each other; the motion is a formula over 10,000 frames.",
        from: &["cab-braided", "cab-convex-6"],
        judge: braided,
    },
    Item {
        paper: Paper::Cab,
        key: "table-5",
        place: "Table 5",
        claim: "CAB's lead persists for a hand that flicks a ball.",
        workload: "A hand of our own design on a table; the motion is a formula over 4,000 frames.",
        from: &["cab-hand"],
        judge: |sources| table(sources, 4),
    },
    Item {
        paper: Paper::Cab,
        key: "footnote-1",
        place: "footnote 1",
        claim: "For folded limbs, a parent box along the sum of the children's longest axes is slightly larger \
                than a box along the longer of the two.",
        workload: "The motions of all five tables, with both forms of CAB.",
        from: &["cab-convex-3", "cab-convex-6", "cab-nonconvex", "cab-braided", "cab-hand"],
        judge: footnote,
    },
];

/// Kinds in the rows of the paper's tables, as the experiment names them.
const KINDS: [&str; 5] = ["brute", "AABB+", "AABB*", "OBB", "CAB"];

/// Returns the row that we measured for a kind.
fn ours<'a>(measured: &'a Measured, kind: &str) -> Result<Row<'a>, Missing> {
    measured.row(&[("kind", kind)])
}

/// Returns the paper's row of a kind, in table `table` of `TABLES`.
fn papers<'a>(measured: &'a Measured, table: usize, kind: &str) -> Result<Row<'a>, Missing> {
    measured.row(&[("motion", &format!("paper, {}", TABLES[table].1)), ("kind", kind)])
}

/// Evaluates \[cab\] §4 on the pairs and update times of OBB and CAB.
fn update(sources: &Sources) -> Result<Evidence, Missing> {
    let mut evidence = Evidence::new("CAB's update as a share of OBB's");
    for (k, (name, table)) in TABLES.into_iter().enumerate() {
        let measured = sources.of(name)?;
        let share = |cab: Row, obb: Row| Ok(cab.number("t[upd] (ms)")? / obb.number("t[upd] (ms)")?);
        let own: f64 = share(ours(measured, "CAB")?, ours(measured, "OBB")?)?;
        let paper: f64 = share(papers(measured, k, "CAB")?, papers(measured, k, "OBB")?)?;
        evidence.row(table, Some(paper), own);
        evidence.at_most(&format!("{table}: CAB updates in less time"), own, 1.0);
        evidence.alike(&format!("{table}: as small a share of OBB's time"), own, paper);
        let [cab, obb] = [ours(measured, "CAB")?.count("#coll")?, ours(measured, "OBB")?.count("#coll")?];
        evidence.claim(
            &format!("{table}: OBB and CAB pass on the same pairs"),
            Test::AtMost((cab.value - obb.value).abs().into(), 0.0),
            None,
        );
    }
    evidence.remark = Some("Update times are medians of five repeats, which the table does not keep.");
    Ok(evidence)
}

/// Evaluates `TABLES[k]`: compares the paper's columns with ours, and adds the claims that the paper
/// makes about every table.
fn table(sources: &Sources, k: usize) -> Result<Evidence, Missing> {
    let measured = sources.of(TABLES[k].0)?;
    let mut evidence = Evidence::new("exact queries, #coll");
    for kind in KINDS {
        let (own, paper) = (ours(measured, kind)?, papers(measured, k, kind)?);
        evidence.row(kind, Some(paper.number("#coll")?), own.count("#coll")?);
        if kind != "brute" {
            evidence.alike(&format!("{kind}: as many queries"), own.count("#coll")?, paper.number("#coll")?);
        }
    }
    evidence.table("hits");
    let (own, paper) =
        (ours(measured, "brute")?.count("hits")?, papers(measured, k, "brute")?.number("hits")?);
    evidence.row("all", Some(paper), own);
    evidence.alike("as many hits", own, paper);
    for (title, column) in [
        ("update time, as a multiple of CAB's", "t[upd] (ms)"),
        ("total time, as a multiple of CAB's", "t[total] (ms)"),
    ] {
        evidence.table(title);
        let of = |row: Row| row.number(column);
        let [cab, papers_cab] = [of(ours(measured, "CAB")?)?, of(papers(measured, k, "CAB")?)?];
        for kind in KINDS.into_iter().filter(|kind| *kind != "brute") {
            let (own, paper) =
                (of(ours(measured, kind)?)? / cab, of(papers(measured, k, kind)?)? / papers_cab);
            evidence.row(kind, Some(paper), own);
        }
    }
    let total = |kind| ours(measured, kind)?.time("t[total] (ms)");
    for kind in ["AABB*", "OBB", "AABB+"] {
        evidence.less(&format!("CAB takes less time than {kind}"), total("CAB")?, total(kind)?);
    }
    for kind in ["AABB*", "OBB"] {
        evidence.less(&format!("{kind} takes less time than AABB+"), total(kind)?, total("AABB+")?);
    }
    Ok(evidence)
}

/// Returns CAB's total time relative to that of AABB*, for one motion.
fn lead(sources: &Sources, name: &str) -> Result<Quantity, Missing> {
    let measured = sources.of(name)?;
    let total = |kind| ours(measured, kind)?.time("t[total] (ms)");
    Ok(total("CAB")?.over(total("AABB*")?).of_its_run())
}

/// Evaluates \[cab\] Table 3.
fn dented(sources: &Sources) -> Result<Evidence, Missing> {
    let mut evidence = table(sources, 2)?;
    let queries = |name| ours(sources.of(name)?, "OBB")?.count("#coll");
    evidence.less(
        "fewer queries with oriented boxes than for convex links",
        queries("cab-nonconvex")?,
        queries("cab-convex-6")?,
    );
    evidence.less(
        "CAB gains more over AABB* than for convex links",
        lead(sources, "cab-nonconvex")?,
        lead(sources, "cab-convex-6")?,
    );
    Ok(evidence)
}

/// Evaluates \[cab\] Table 4.
fn braided(sources: &Sources) -> Result<Evidence, Missing> {
    let mut evidence = table(sources, 3)?;
    evidence.less(
        "CAB gains less over AABB* than on swinging chains",
        lead(sources, "cab-convex-6")?,
        lead(sources, "cab-braided")?,
    );
    Ok(evidence)
}

/// Evaluates \[cab\] footnote 1.
fn footnote(sources: &Sources) -> Result<Evidence, Missing> {
    let mut evidence = Evidence::new("volume of all boxes in the footnote's form, as a share of CAB's");
    let mut most = 0.0_f64;
    for (name, table) in TABLES {
        let measured = sources.of(name)?;
        let of = |kind| ours(measured, kind)?.number("volumes (m³)");
        let share = of("CAB, sum")? / of("CAB")?;
        most = most.max(share);
        evidence.row(table, None, share);
        evidence.at_least(&format!("{table}: not smaller"), share, 1.0);
        evidence.at_most(&format!("{table}: at most a tenth larger"), share, 1.1);
    }
    evidence.claim("larger in at least one motion", Test::Less(1.0.into(), most.into()), None);
    Ok(evidence)
}
