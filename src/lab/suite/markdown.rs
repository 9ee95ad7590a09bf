//! The report as Markdown, with the tables of the page but without its charts.

use super::evidence::Comparison;
use super::item::{Judged, Paper};
use super::readings::{RULES, reading};
use super::report::{Report, Shown};
use super::shown::{Columns, claim, machines, papers, provenance};
use super::verdict::Verdict;

/// Returns the document as text. Equal reports give equal bytes.
pub fn markdown(report: &Report) -> String {
    let mut text = String::from("# Papers\n\n");
    text += "The code cites these papers by key and section. `tumble bench --suite paper` measures and writes this \
             page and a page of charts.\n\n";
    text += "| key | paper |\n| --- | --- |\n";
    for paper in Paper::ALL {
        let [authors, title, place] = paper.reference();
        let place = if place.is_empty() { String::new() } else { format!(", {place}") };
        line(&mut text, &format!("| [{}] | {authors}, *{title}*{place} |", paper.key()));
    }
    line(&mut text, "\n## Verdicts\n");
    RULES.iter().for_each(|rule| line(&mut text, &format!("{rule}\n")));
    let counts: Vec<String> =
        Verdict::ALL.iter().map(|own| format!("{} {}", report.count(*own), own.of_many())).collect();
    let machines = machines(report.measured).join("; ");
    let sentence =
        format!("Of {} items, {}. Measured on {machines}.\n", report.items.len(), counts.join(", "));
    line(&mut text, &sentence);
    line(&mut text, "| item | the paper's statement | verdict |\n| --- | --- | --- |");
    for own in &report.items {
        line(
            &mut text,
            &format!("| {} | {} | **{}** |", own.item.name(), own.item.claim, own.verdict.name()),
        );
    }
    for paper in Paper::ALL.into_iter().filter(|paper| report.has(*paper)) {
        line(&mut text, &format!("\n## [{}]\n", paper.key()));
        reading(paper).iter().for_each(|paragraph| line(&mut text, &format!("{paragraph}\n")));
        report
            .items
            .iter()
            .filter(|own| own.item.paper == paper)
            .for_each(|own| item(&mut text, report, own));
    }
    if !report.beyond.is_empty() {
        line(&mut text, "\n## Beyond the papers\n\nNone of the five papers contains these measurements.");
    }
    for Shown { beyond, evidence } in &report.beyond {
        line(&mut text, &format!("\n### {}\n\n{}\n", beyond.title, beyond.about));
        measurements(&mut text, report, beyond.from);
        evidence.tables.iter().for_each(|own| table(&mut text, own));
        evidence.remark.iter().for_each(|remark| line(&mut text, &format!("\n{remark}")));
    }
    text
}

/// Width of a line of prose, in letters, as in the other pages.
const WIDTH: usize = 150;

/// Appends a line. Prose is wrapped between words. Text that starts with a heading, a table or a list
/// item is not wrapped.
fn line(text: &mut String, line: &str) {
    if let Some(rest) = line.strip_prefix('\n') {
        text.push('\n');
        return self::line(text, rest);
    }
    if line.starts_with(['|', '-', '#']) {
        text.push_str(line);
    } else {
        let mut room = WIDTH;
        for (k, word) in line.split(' ').enumerate() {
            let length = word.chars().count() + 1;
            if k > 0 {
                text.push(if length > room { '\n' } else { ' ' });
            }
            room = if length > room { WIDTH - length } else { room - length };
            text.push_str(word);
        }
    }
    text.push('\n');
}

fn item(text: &mut String, report: &Report, own: &Judged) {
    let evidence = &own.evidence;
    line(text, &format!("\n### {}: {}\n\n{}\n", own.item.name(), own.verdict.name(), own.item.claim));
    line(text, &format!("*Workload:* {}", own.item.workload));
    if let Some(papers) = papers(evidence) {
        line(text, &format!("*Paper:* {papers}."));
    }
    if let Some(switch) = evidence.switch.filter(|_| own.verdict == Verdict::Differs) {
        line(text, &format!("*Switch:* {switch}."));
    }
    line(text, "");
    measurements(text, report, own.item.from);
    evidence.tables.iter().for_each(|own| table(text, own));
    line(text, "");
    let failed: Vec<_> = evidence.claims.iter().filter(|claim| !claim.ours.holds()).collect();
    let count = evidence.claims.len();
    match &failed[..] {
        [] if count == 1 => line(text, "The one tested claim holds."),
        [] => line(text, &format!("All {count} tested claims hold.")),
        _ => {
            let sentence = match (count, failed.len()) {
                (1, _) => "The one tested claim fails:\n".to_owned(),
                (_, 1) => format!("Of {count} tested claims, 1 fails:\n"),
                (_, failed) => format!("Of {count} tested claims, {failed} fail:\n"),
            };
            line(text, &sentence);
            failed.iter().for_each(|own| line(text, &format!("- {}", claim(own).replace('*', "\\*"))));
        }
    }
    evidence.remark.iter().for_each(|remark| line(text, &format!("\n{remark}")));
}

/// Writes the command of each measurement, with its date and program.
fn measurements(text: &mut String, report: &Report, names: &'static [&'static str]) {
    for own in report.sources(names) {
        line(text, &format!("- `{}` ({})", own.command, provenance(own)));
    }
}

/// Writes a table. The columns of the paper and of the switch are omitted if they are empty.
pub(super) fn table(text: &mut String, comparison: &Comparison) {
    if comparison.rows.is_empty() {
        return;
    }
    let columns = Columns::of(comparison);
    let names = columns.names();
    line(text, &format!("\n| {} | {} |", comparison.title, names.join(" | ")));
    line(text, &format!("| --- |{}", " ---: |".repeat(names.len())));
    for row in &comparison.rows {
        line(text, &format!("| {} | {} |", row.name.replace('*', "\\*"), columns.cells(row).join(" | ")));
    }
}
