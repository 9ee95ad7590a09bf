//! Measurements that no paper has: the benefit of a paper's idea alone, and a comparison with other
//! libraries.

use super::{mean_count, mean_time};
use crate::suite::evidence::Evidence;
use crate::suite::item::{Beyond, Sources};
use crate::suite::measured::Missing;
use crate::suite::quantity::mean;

/// Name of the measurement of other libraries, the only one that no command of the suite creates.
pub const PEERS: &str = "peers";

pub const ITEMS: [Beyond; 8] = [
    Beyond {
        key: "idea-and-width",
        title: "The boxtree's idea apart from its width",
        about: "`boxtree8` stores eight children per node as steps of their parent's box. `aabb8` stores the same \
                eight children as plain boxes, with the same kernel, order and blocks of triangles. The ratios \
                therefore measure the idea alone.",
        from: &["boxtree-all-pairs", "boxtree-trees", "node-size"],
        show: idea_and_width,
    },
    Beyond {
        key: "bare",
        title: "The tree of 2n − 1 planes",
        about: "The paper claims that a node needs one plane and that a tree has 2n − 1 nodes. `boxtree-bare` has \
                exactly these nodes. `boxtree`, which is reported above, adds shrink nodes, which cut off empty \
                space. The bare tree works only with restricted volumes or with free sides for siblings.",
        from: &["boxtree-bare"],
        show: bare,
    },
    Beyond {
        key: "order",
        title: "The order of the search for a first hit",
        about: "A query opens the children of a pair that overlap most first, or it opens them in the order of \
                the trees. The order makes no difference to a search for all pairs.",
        from: &["boxtree-as-built", "boxtree-trees"],
        show: order,
    },
    Beyond {
        key: "share",
        title: "The area from which a cell counts",
        about: "[adb] calls the area \"suitably chosen\" and prints √2 a². The errors of the paper's model stay \
                low over a range of areas, which contains 0.25 a².",
        from: &["adb-share"],
        show: share,
    },
    Beyond {
        key: "leaves",
        title: "Leaves of links against trees of links",
        about: "A tree over the few links of a figure is rebuilt in every frame. A test of all leaves, eight at \
                once, needs no tree.",
        from: &["cab-convex-3", "cab-convex-6", "cab-nonconvex", "cab-braided", "cab-hand"],
        show: leaves,
    },
    Beyond {
        key: "cut-off",
        title: "A cut-off exact search against an average-case search",
        about: "Both searches end after a given number of node tests and estimate the probability that the \
                surfaces intersect.",
        from: &["adb-cutoff"],
        show: cut_off,
    },
    Beyond {
        key: "one-motion",
        title: "One motion under every link hierarchy",
        about: "Whole steps of figures that wade through parts. Every kind ends in the same state, bit for bit, \
                so the times compare the same work.",
        from: &["cab-crowd"],
        show: one_motion,
    },
    Beyond {
        key: "peers",
        title: "Other libraries",
        about: "Time to test whether two copies of a mesh intersect, at the poses of [boxtree] Fig. 9, in other \
                libraries. These times were measured by hand on a different machine than the rest of this page, \
                so compare them only with each other.",
        from: &[PEERS],
        show: peers,
    },
];

fn idea_and_width(sources: &Sources) -> Result<Evidence, Missing> {
    let (all, any, size) =
        (sources.of("boxtree-all-pairs")?, sources.of("boxtree-trees")?, sources.of("node-size")?);
    let mut evidence = Evidence::new("boxtree8 as a multiple of aabb8");
    for (name, measured) in [("all pairs", all), ("first hit", any)] {
        let tests = |tree| mean_count(measured, "node tests", &[("tree", tree)]);
        let time = |tree| mean_time(measured, "time (µs)", &[("tree", tree)]);
        evidence.row(&format!("{name}: node tests"), None, tests("boxtree8")?.over(tests("aabb8")?));
        evidence.row(&format!("{name}: time"), None, time("boxtree8")?.over(time("aabb8")?));
    }
    let bytes = |tree| size.row(&[("tree", tree)])?.count("bytes a triangle");
    evidence.row("bytes", None, bytes("boxtree8")?.over(bytes("aabb8")?));
    Ok(evidence)
}

fn bare(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxtree-bare")?;
    let mut evidence = Evidence::new("node tests per query, geometric means over all meshes");
    for tree in measured.names("tree").into_iter().filter(|tree| *tree != "parry3d") {
        evidence.row(tree, None, mean_count(measured, "node tests", &[("tree", tree)])?);
    }
    Ok(evidence)
}

fn order(sources: &Sources) -> Result<Evidence, Missing> {
    let (as_built, deepest) = (sources.of("boxtree-as-built")?, sources.of("boxtree-trees")?);
    let mut evidence =
        Evidence::new("node tests in the order of overlap, as a share of those in the order of the trees");
    for tree in as_built.names("tree").into_iter().filter(|tree| *tree != "parry3d") {
        let of = |measured| mean_count(measured, "node tests", &[("tree", tree)]);
        evidence.row(tree, None, of(deepest)?.over(of(as_built)?));
    }
    Ok(evidence)
}

fn share(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("adb-share")?;
    let mut shares: Vec<f64> = Vec::new();
    let mut wrong: Vec<Vec<f64>> = Vec::new();
    for row in measured.rows().filter(|row| !row.text("mesh").starts_with("mean")) {
        let share = row.number("MaxArea (a²)")?;
        let at = shares.iter().position(|own| *own == share).unwrap_or_else(|| {
            shares.push(share);
            wrong.push(Vec::new());
            shares.len() - 1
        });
        wrong[at].push(row.number("wrong (%)")?);
    }
    let mut evidence = Evidence::new("wrong answers, %, means over all meshes");
    for (share, wrong) in shares.iter().zip(&wrong) {
        evidence.row(&format!("{share:.2} a²"), None, mean(wrong));
    }
    Ok(evidence)
}

fn leaves(sources: &Sources) -> Result<Evidence, Missing> {
    let mut evidence = Evidence::new("time of a frame, µs, update, test and query");
    for name in ["cab-convex-3", "cab-convex-6", "cab-nonconvex", "cab-braided", "cab-hand"] {
        let measured = sources.of(name)?;
        for row in measured.rows().filter(|row| !row.text("motion").starts_with("paper")) {
            let kind = row.text("kind");
            if ["CAB", "AABB", "AABB, flat", "OBB, flat"].contains(&kind) {
                let label = format!("{}, {}: {kind}", name.trim_start_matches("cab-"), row.text("motion"));
                evidence.row(&label, None, row.number("a frame (µs)")?);
            }
        }
    }
    Ok(evidence)
}

/// Evaluates queries that are cut off: wrong answers, and times relative to the exact query, over all
/// poses.
fn cut_off(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("adb-cutoff")?;
    let mut limits: Vec<f64> = Vec::new();
    for row in measured.all(&[("poses", "all")]) {
        // The exact query has no limit, so its cell holds no number.
        let limit = row.number("node tests").unwrap_or(0.0);
        if limit > 0.0 && !limits.contains(&limit) {
            limits.push(limit);
        }
    }
    let of = |method: &str, limit: f64, column: &str| {
        let own = measured.all(&[("poses", "all"), ("method", method)]);
        let own = own.filter(|row| row.number("node tests") == Ok(limit));
        own.map(|row| row.number(column)).collect::<Result<Vec<f64>, Missing>>()
    };
    let mut evidence = Evidence::default();
    for (title, column) in [
        ("wrong answers, %, means over all meshes", "error (%)"),
        ("speed as a multiple of the exact query's, means", "to exact"),
    ] {
        evidence.table(title);
        for method in ["adb-aabb", "boxtree8, cut off"] {
            for &limit in &limits {
                let all = of(method, limit, column)?;
                if !all.is_empty() {
                    evidence.row(&format!("{method}, {limit} tests"), None, mean(&all));
                }
            }
        }
    }
    Ok(evidence)
}

fn one_motion(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("cab-crowd")?;
    let states = measured.names("state");
    let mut evidence = Evidence::new(&format!("time of a step, ms; final state: {}", states.join(", ")));
    for row in measured.rows() {
        let [figures, threads] = [row.number("figures")?, row.number("threads")?];
        let name = format!("{}, {figures} figures, {threads} threads", row.text("kind"));
        evidence.row(&name, None, row.time("total (ms)")?);
    }
    Ok(evidence)
}

fn peers(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of(PEERS)?;
    let mut evidence = Evidence::default();
    for mesh in measured.names("mesh") {
        evidence.table(&format!("time of a query, µs: {mesh}"));
        for row in measured.all(&[("mesh", mesh)]) {
            evidence.row(row.text("library"), None, row.number("time (µs)")?);
        }
    }
    Ok(evidence)
}
