//! Items of \[boxtree\] on queries: node tests by distance, times of other hierarchies, and
//! construction rules.

use super::{is_part, mean_count, mean_time};
use crate::order::Order;
use crate::suite::evidence::Evidence;
use crate::suite::item::{Item, Paper, Sources};
use crate::suite::measured::{Measured, Missing};
use crate::suite::quantity::{Quantity, geometric_mean};
use crate::suite::verdict::Test;

pub const ITEMS: [Item; 4] = [
    Item {
        paper: Paper::Boxtree,
        key: "fig-8",
        place: "Fig. 8",
        claim: "The figure plots the mean time of a query over a full turn against the distance, and the text \
                does not describe it. Our interpretation is that queries cost less far apart than where the \
                surfaces touch.",
        workload: "A pipe elbow and a housing with the paper's 64,000 and 80,000 triangles replace its headlight \
                   and lock; SAT lite, nine distances.",
        from: &["boxtree-distance"],
        judge: distance,
    },
    Item {
        paper: Paper::Boxtree,
        key: "fig-10",
        place: "Fig. 10",
        claim: "Boxtrees are about as fast as DOP trees.",
        workload: "The tumbling pair of Fig. 9 over six generated meshes. Means are geometric, over all meshes \
                   and sizes.",
        from: &["boxtree-trees"],
        judge: beside_dops,
    },
    Item {
        paper: Paper::Boxtree,
        key: "criterion",
        place: "§4.1, §4.2",
        claim: "Division by the least volume of the children makes good trees.",
        workload: "The tumbling pair over six meshes of 20,000 triangles. The reference is the rule in common use \
                   today: the least product of surface area and count over binned centers.",
        from: &["boxtree-rules"],
        judge: criterion,
    },
    Item {
        paper: Paper::Boxtree,
        key: "longest-side",
        place: "§4.2",
        claim: "The best of three axes makes better trees than the axis of the longest side alone. The text \
                promises this result but does not print it, so the claim is our interpretation.",
        workload: "The same pairs. Both rules treat growths that differ by up to a tenth of the box as equal.",
        from: &["boxtree-rules"],
        judge: longest_side,
    },
];

/// Evaluates \[boxtree\] Fig. 8.
fn distance(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxtree-distance")?;
    let mut evidence = Evidence { is_our_reading: true, ..Evidence::default() };
    for mesh in measured.names("mesh") {
        evidence.table(&format!("{mesh}: node tests per query, by distance"));
        let (mut all, mut farthest) = (Vec::new(), (0.0, 0.0));
        for row in measured.all(&[("mesh", mesh), ("tree", "boxtree")]) {
            let (at, tests) = (row.number("distance (m)")?, row.number("node tests")?);
            all.push((at, tests));
            if at > farthest.0 {
                farthest = (at, tests);
            }
        }
        all.order_by(|a, b| a.0.total_cmp(&b.0));
        all.iter().for_each(|(at, tests)| evidence.row(&format!("{at} m"), None, *tests));
        let most = all.iter().map(|(_, tests)| *tests).fold(0.0, f64::max);
        evidence.less(
            &format!("{mesh}: fewer tests far apart than at the worst distance"),
            farthest.1.into(),
            most.into(),
        );
    }
    Ok(evidence)
}

/// Evaluates \[boxtree\] Fig. 10.
fn beside_dops(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxtree-trees")?;
    let mut evidence = Evidence::new("time of a query by the boxtree, as a multiple of the DOP tree's");
    let mut all = Vec::new();
    for mesh in measured.names("mesh") {
        let of = |tree| measured.row(&[("mesh", mesh), ("tree", tree)])?.time("time (µs)");
        let ratio = of("boxtree")?.over(of("dop24")?);
        all.push(ratio);
        evidence.row(mesh, Some(1.0), ratio);
    }
    let mean = geometric_mean(&all);
    evidence.row("geometric mean", Some(1.0), mean);
    evidence.at_most("at most 1.5 times the DOP tree's time, on average", mean, 1.5);
    evidence.alike("about as fast, on average", mean, 1.0);
    evidence.table("time of a query, µs, geometric means over all meshes");
    for tree in measured.names("tree") {
        evidence.row(tree, None, mean_time(measured, "time (µs)", &[("tree", tree)])?);
    }
    evidence.remark = Some(
        "The DOP tree tests the plane normals of one of the two bodies, as in the author's earlier paper; \
         dop24-both tests those of both bodies.",
    );
    Ok(evidence)
}

/// Returns the node tests of the boxtree built by a rule, for one mesh or as the mean over all meshes.
fn by_rule(measured: &Measured, mesh: Option<&str>, rule: &str) -> Result<Quantity, Missing> {
    let tree = if rule == "binned" { "boxtree".to_owned() } else { format!("boxtree, {rule}") };
    match mesh {
        Some(mesh) => measured.row(&[("mesh", mesh), ("tree", &tree)])?.count("node tests"),
        None => mean_count(measured, "node tests", &[("tree", &tree)]),
    }
}

/// Evaluates \[boxtree\] §4.1, §4.2.
fn criterion(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxtree-rules")?;
    let mut evidence = Evidence::new("node tests with least volume, as a share of those with binned");
    let mut shares = Vec::new();
    for mesh in measured.names("mesh") {
        let share = by_rule(measured, Some(mesh), "volume")?.over(by_rule(measured, Some(mesh), "binned")?);
        shares.push((mesh, share));
        evidence.compare(mesh, Some(1.0), Some(share), is_part(mesh).then_some(share));
    }
    let mean = by_rule(measured, None, "volume")?.over(by_rule(measured, None, "binned")?);
    let parts = parts_mean(&shares);
    evidence.compare("geometric mean", Some(1.0), Some(mean), Some(parts));
    evidence.switch = Some(
        "machine parts alone, as in the paper's CAD suite; the axis-aligned torus misleads the volume rule",
    );
    evidence.claim(
        "about as good as today's rule, on average",
        Test::Alike(mean, 1.0.into()),
        Some(Test::Alike(parts, 1.0.into())),
    );
    evidence.table("node tests per query, geometric means");
    for rule in ["binned", "volume", "volume-drawn", "longest-side", "perpendicular", "volume-literal"] {
        evidence.row(rule, None, by_rule(measured, None, rule)?);
    }
    evidence.remark = Some(
        "The text specifies neither the order of the triangles nor which growths count as equal. `volume` is the \
         author's released code, which sorts the triangles and weighs each volume by its triangles. \
         `volume-drawn` has the text's three cases and treats growths that differ by up to a tenth of the box as \
         equal. `volume-literal` takes the mesh's order and only exactly equal growths; it peels off small sets \
         until a bound on the depth ends it.",
    );
    Ok(evidence)
}

/// Returns the geometric mean over the machine parts among the meshes.
fn parts_mean(shares: &[(&str, Quantity)]) -> Quantity {
    let own: Vec<Quantity> = shares.iter().filter(|share| is_part(share.0)).map(|share| share.1).collect();
    geometric_mean(&own)
}

/// Evaluates \[boxtree\] §4.2, on the axes of division.
fn longest_side(sources: &Sources) -> Result<Evidence, Missing> {
    let measured = sources.of("boxtree-rules")?;
    let mut evidence = Evidence::new("node tests with three axes, as a share of those with the longest side");
    let (mut drawn, mut released) = (Vec::new(), Vec::new());
    for mesh in measured.names("mesh") {
        let of = |rule| by_rule(measured, Some(mesh), rule);
        let [text, code] =
            [of("volume-drawn")?.over(of("longest-side")?), of("volume")?.over(of("longest-side")?)];
        drawn.push((mesh, text));
        released.push((mesh, code));
        evidence.compare(mesh, None, Some(text), Some(code));
    }
    let [text, code] = [parts_mean(&drawn), parts_mean(&released)];
    evidence.compare("geometric mean of machine parts", None, Some(text), Some(code));
    evidence.switch = Some(
        "`volume` in place of `volume-drawn`: each volume is weighed by its triangles, as in the author's \
         released code",
    );
    evidence.claim(
        "fewer node tests with three axes, on average over machine parts",
        Test::Less(text, 1.0.into()),
        Some(Test::Less(code, 1.0.into())),
    );
    Ok(evidence)
}
