//! Items of \[boxtree\] on the tree itself: its boxes, its memory, its construction, its overlap tests.

use super::{mean_count, mean_time};
use crate::order::Order;
use crate::suite::evidence::Evidence;
use crate::suite::item::{Item, Paper, Sources};
use crate::suite::measured::Missing;
use crate::suite::quantity::{Quantity, geometric_mean, mean};
use crate::suite::verdict::Test;

pub const ITEMS: [Item; 6] = [
    Item {
        paper: Paper::Boxtree,
        key: "fig-1",
        place: "Fig. 1",
        claim: "In trees of axis-aligned boxes, about half of all nodes leave at most a tenth of their parent's \
                box empty. The side that the division moves does not count.",
        workload: "All nodes of trees over five generated meshes, with the rules `binned` and `volume`.",
        from: &["boxtree-space"],
        judge: empty_space,
    },
    Item {
        paper: Paper::Boxtree,
        key: "table-1",
        place: "Table 1",
        claim: "A node of a boxtree takes fewer bytes than a node of any other hierarchy, and its tests by axis \
                alignment and by SAT lite take fewer operations.",
        workload: "A torus of 10,000 triangles. Bytes are the bytes that the trees hold. Operations \
                   (multiplications, additions, comparisons) are counted in queries, whereas the paper gives the \
                   worst case of one test. The boxtree is the paper's, without shrink nodes.",
        from: &["node-size"],
        judge: table_1,
    },
    Item {
        paper: Paper::Boxtree,
        key: "fig-6",
        place: "Fig. 6",
        claim: "Building takes O(n log n): every triangle is processed on each of about log n levels.",
        workload: "Trees over three generated meshes, with the rule of the author's released code. The depth of a \
                   tree, in units of log₂ n, shows how often a triangle is processed.",
        from: &["boxtree-build"],
        judge: building,
    },
    Item {
        paper: Paper::Boxtree,
        key: "fig-9",
        place: "Fig. 9",
        claim: "SAT lite is the fastest of the overlap tests.",
        workload: "Two copies of a mesh tumble at nine distances; the second makes a full turn at each. Numbers \
                   are geometric means over all meshes.",
        from: &["boxtree-tests"],
        judge: overlap_tests,
    },
    Item {
        paper: Paper::Boxtree,
        key: "lookup",
        place: "§3.2.2, §5",
        claim: "Look-up tables in place of products make queries at most 8 % faster, and slower for small meshes, \
                because the tables must be set up.",
        workload: "As for Fig. 9, for axis alignment with tables of 1,000 steps and without tables.",
        from: &["boxtree-tests"],
        judge: look_up,
    },
    Item {
        paper: Paper::Boxtree,
        key: "hoisting",
        place: "§3.2.5",
        claim: "Moving the work of a node to its parent's pair saves operations: \"dramatic savings\", from 12 to \
                8.5 per pair by axis alignment.",
        workload: "As for Fig. 9, for each test with its work at the parent's pair and at every pair.",
        from: &["boxtree-tests"],
        judge: hoisting,
    },
];

/// Evaluates \[boxtree\] Fig. 1.
fn empty_space(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxtree-space")?;
    let mut evidence = Evidence::new("nodes that leave at most 10 % of their parent's box empty, %");
    let mut shares = Vec::new();
    for row in measured.rows().filter(|row| row.number("empty up to (%)") == Ok(10.0)) {
        let share = row.number("up to (%)")?;
        shares.push(share);
        evidence.row(&format!("{}, {}", row.text("mesh"), row.text("rule")), Some(50.0), share);
    }
    evidence.row("mean", Some(50.0), mean(&shares));
    evidence.alike("about half of all nodes, on average", mean(&shares), 50.0);
    Ok(evidence)
}

/// Rows of the paper's table, and the trees that we measure for them.
const NODES: [(&str, &str); 7] = [
    ("boxtree, axis alignment", "boxtree-align-bare"),
    ("boxtree, SAT lite", "boxtree-bare"),
    ("boxtree, all 15 axes", "boxtree-sat-bare"),
    ("spheres", "sphere"),
    ("boxes", "aabb"),
    ("oriented boxes", "obb"),
    ("24-DOPs", "dop24"),
];

/// Evaluates \[boxtree\] Table 1.
fn table_1(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("node-size")?;
    let mut evidence = Evidence::default();
    for (title, own, papers) in [
        ("bytes per node", "bytes a node", "paper: bytes"),
        ("operations per pair of nodes", "flops a node pair", "paper: most flops"),
    ] {
        evidence.table(title);
        let mut rows: Vec<(&str, f64, Quantity)> = Vec::new();
        for (name, tree) in NODES {
            let row = measured.row(&[("tree", tree)])?;
            rows.push((name, row.number(papers)?, row.count(own)?));
        }
        for (name, paper, ours) in &rows {
            evidence.row(name, Some(*paper), *ours);
        }
        rows.order_by(|a, b| a.1.total_cmp(&b.1));
        for two in rows.windows(2) {
            if two[0].1 < two[1].1 {
                evidence.less(&format!("{title}: {} below {}", two[0].0, two[1].0), two[0].2, two[1].2);
            }
        }
    }
    evidence.remark = Some(
        "The paper counts the worst case of one test, with its work at every pair. Here the work is done at the \
         parent's pair, and a test ends at the first separating axis.",
    );
    Ok(evidence)
}

/// Evaluates \[boxtree\] Fig. 6.
fn building(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxtree-build")?;
    let mut evidence = Evidence::new("depth of the tree in units of log₂ n, rule volume");
    let mut ends: Vec<(String, Vec<f64>)> = Vec::new();
    for row in measured.all(&[("rule", "volume")]) {
        let n = row.number("triangles")?;
        let levels = row.number("depth")? / n.log2();
        let mesh = row.text("mesh");
        evidence.row(mesh, None, levels);
        let shape = mesh.split('-').next().unwrap_or(mesh).to_owned();
        match ends.iter_mut().find(|(name, _)| *name == shape) {
            Some((_, all)) => all.push(levels),
            None => ends.push((shape, vec![levels])),
        }
    }
    for (shape, all) in &ends {
        if let [first, .., last] = all[..] {
            evidence.alike(&format!("{shape}: as deep at the largest size as at the smallest"), first, last);
        }
    }
    evidence.table("million triangles per second on one core");
    for row in measured.rows() {
        // The paper gives one number for all meshes, in its conclusion.
        let paper = (row.text("rule") == "volume").then_some(0.02);
        evidence.row(&format!("{}, {}", row.text("mesh"), row.text("rule")), paper, row.number("million/s")?);
    }
    evidence.remark =
        Some("The paper's 20,000 triangles per second were measured on a Pentium III at 1 GHz.");
    Ok(evidence)
}

/// Overlap tests: the name, the tree that computes the shared work once at the parent pair, and the
/// tree that repeats the work at every pair.
const TESTS: [(&str, &str, &str); 3] = [
    ("SAT lite", "boxtree", "boxtree-per-pair"),
    ("axis alignment", "boxtree-align", "boxtree-align-per-pair"),
    ("all 15 axes", "boxtree-sat", "boxtree-sat-per-pair"),
];

/// Evaluates \[boxtree\] Fig. 9.
fn overlap_tests(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxtree-tests")?;
    let mut evidence = Evidence::new("time of a query, µs");
    let mut times = Vec::new();
    for (name, tree, _) in TESTS {
        let time = mean_time(measured, "time (µs)", &[("tree", tree)])?;
        times.push(time);
        evidence.row(name, None, time);
    }
    evidence.less("SAT lite takes less time than axis alignment", times[0], times[1]);
    evidence.less("SAT lite takes less time than all 15 axes", times[0], times[2]);
    evidence.table("node tests per query");
    for (name, tree, _) in TESTS {
        evidence.row(name, None, mean_count(measured, "node tests", &[("tree", tree)])?);
    }
    Ok(evidence)
}

/// Evaluates \[boxtree\] §3.2.2, §5.
fn look_up(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxtree-tests")?;
    let mut evidence = Evidence::new("time with tables, as a share of the time without");
    let meshes = measured.names("mesh");
    let mut ratios = Vec::new();
    for mesh in &meshes {
        let of = |tree| measured.row(&[("mesh", *mesh), ("tree", tree)])?.time("time (µs)");
        let ratio = of("boxtree-lookup")?.over(of("boxtree-align")?);
        ratios.push((*mesh, ratio));
        evidence.row(mesh, None, ratio);
    }
    for (mesh, ratio) in &ratios {
        evidence.at_least(&format!("{mesh}: at most 8 % faster"), *ratio, 0.92);
    }
    // The meshes of the smallest measured size.
    let small: Vec<Quantity> = ratios.iter().filter(|own| own.0.ends_with("-3k")).map(|own| own.1).collect();
    evidence.less("small meshes: slower, on average", 1.0.into(), geometric_mean(&small));
    evidence.table("node tests with tables, as a share of those without");
    for mesh in &meshes {
        let of = |tree| measured.row(&[("mesh", *mesh), ("tree", tree)])?.count("node tests");
        evidence.row(mesh, None, of("boxtree-lookup")?.over(of("boxtree-align")?));
    }
    evidence.table("set-up of the tables as a share of the query's time");
    for mesh in &meshes {
        let row = measured.row(&[("mesh", *mesh), ("tree", "boxtree-lookup")])?;
        evidence.row(mesh, None, row.number("set-up (µs)")? / row.number("time (µs)")?);
    }
    evidence.remark = Some(
        "Both statements are bounds, and both hold. The tables save time at no size here: they round planes to \
         steps, which opens more nodes, and every query sets up its tables.",
    );
    Ok(evidence)
}

/// Evaluates \[boxtree\] §3.2.5.
fn hoisting(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxtree-tests")?;
    let mut evidence = Evidence::new(
        "operations per pair with the work at the parent's pair, as a share of those with the work at every pair",
    );
    for (name, own, per_pair) in TESTS {
        let of = |tree| mean_count(measured, "flops a node pair", &[("tree", tree)]);
        let share = of(own)?.over(of(per_pair)?);
        let paper = (name == "axis alignment").then_some(8.5 / 12.0);
        evidence.row(name, paper, share);
        evidence.claim(&format!("{name}: fewer operations"), Test::Less(share, 1.0.into()), None);
        if let Some(paper) = paper {
            evidence.alike(&format!("{name}: as large a saving"), share, paper);
        }
    }
    evidence.table("time of a query, as a share of the time with the work at every pair");
    for (name, own, per_pair) in TESTS {
        let of = |tree| mean_time(measured, "time (µs)", &[("tree", tree)]);
        evidence.row(name, None, of(own)?.over(of(per_pair)?));
    }
    Ok(evidence)
}
