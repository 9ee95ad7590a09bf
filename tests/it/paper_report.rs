//! The report of the papers in `docs/`: every number of it comes from the measurements beside it.

use std::fs;
use std::path::{Path, PathBuf};

use tumble::lab::suite::{MEASUREMENTS, Measured, PEERS, Report, Scope, markdown, page, tables};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

fn measured() -> Vec<Measured> {
    let read = |name: &str| {
        let path = docs().join("measured").join(format!("{name}.json"));
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        serde_json::from_str(&text).unwrap()
    };
    MEASUREMENTS.iter().map(|own| own.name).chain([PEERS]).map(read).collect()
}

#[test]
fn no_number_of_the_papers_page_is_typed() {
    let measured = measured();
    let report = Report::new(Scope::Full, &measured, &[]).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(report.summary().len(), 37);
    let differs = report.summary().iter().filter(|own| own.verdict == "differs").count();
    assert!(37 - differs >= 24, "{differs} differ");
    let expected = markdown(&report);
    let found = fs::read_to_string(docs().join("papers.md")).unwrap();
    for (line, (expected, found)) in expected.lines().zip(found.lines()).enumerate() {
        assert_eq!(found, expected, "docs/papers.md:{}", line + 1);
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn the_tables_of_results_come_out_of_the_same_measurements() {
    let found = fs::read_to_string(docs().join("results.md")).unwrap();
    for table in tables(&measured()).unwrap() {
        assert!(found.contains(&table.markdown), "{}:\n{}", table.name, table.markdown);
    }
}

#[test]
fn the_page_has_every_item_and_needs_nothing_else() {
    let measured = measured();
    let report = Report::new(Scope::Full, &measured, &[]).unwrap();
    let page = page(&report);
    for anchor in Report::anchors() {
        assert!(page.contains(&format!("id=\"{anchor}\"")), "{anchor}");
    }
    assert!(!page.contains("<script") && !page.contains("http") && !page.contains("NaN"));
    assert!(page.matches("<svg class=\"plot\"").count() > 37);
}
