//! Findings as CSV: one line per finding, including those of excluded pairs.

use std::io;

use super::document::{Change, CheckDocument, FindingFigures};

const HEADER: [&str; 21] = [
    "id",
    "change",
    "kind",
    "excluded",
    "a",
    "b",
    "distance_m",
    "depth_m",
    "depth_at_most_m",
    "reach_m",
    "way_out_m",
    "clearance_m",
    "tolerance_m",
    "ax",
    "ay",
    "az",
    "bx",
    "by",
    "bz",
    "review",
    "word",
];

/// Returns all findings of a document as CSV.
pub fn csv(document: &CheckDocument) -> Result<String, io::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER)?;
    for finding in document.findings.iter().chain(&document.excluded) {
        writer.write_record(row(finding))?;
    }
    let bytes = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

fn row(f: &FindingFigures) -> [String; 21] {
    let some = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let change = match f.change {
        None => "",
        Some(Change::New) => "new",
        Some(Change::Existing) => "existing",
        Some(Change::Worse) => "worse",
        Some(Change::Resolved) => "resolved",
    };
    let review = match &f.review {
        None => "",
        Some(review) if review.outgrown => "worse than accepted",
        Some(review) if review.holds() => "accepted",
        Some(_) => "open",
    };
    let word = f.review.as_ref().map_or(String::new(), |review| review.word.clone());
    let [[ax, ay, az], [bx, by, bz]] = f.points.map(|point| point.map(|x| x.to_string()));
    [
        f.id.clone(),
        change.to_owned(),
        f.kind.name().to_owned(),
        f.excluded.map_or("", |reason| reason.name()).to_owned(),
        f.a.clone(),
        f.b.clone(),
        f.distance_m.to_string(),
        some(f.depth_m),
        some(f.depth_at_most_m),
        some(f.reach_m),
        some(f.way_out_m),
        f.clearance_m.to_string(),
        f.tolerance_m.to_string(),
        ax,
        ay,
        az,
        bx,
        by,
        bz,
        review.to_owned(),
        word,
    ]
}
