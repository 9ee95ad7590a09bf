//! Findings as text: the number of findings of each kind, and the groups of findings (at most ten lines
//! unless all findings are requested).

use comfy_table::{Table, presets};

use super::document::{Change, CheckDocument, FindingFigures};
use super::groups::{FindingGroup, group};
use crate::check::{Kind, written};
use crate::digits::grouped;
use crate::scene::Scene;

/// Largest number of groups that are listed.
const SHOWN: usize = 10;

/// Returns the text of a document. It lists groups, or if `all`, every finding.
pub fn text(document: &CheckDocument, scene: &Scene, all: bool) -> String {
    let root = common_root(document);
    let mut document = document.clone();
    for finding in document.findings.iter_mut().chain(&mut document.excluded) {
        for path in [&mut finding.a, &mut finding.b] {
            *path = path[root.len()..].to_owned();
        }
    }
    let document = &document;
    let mut out = head(document);
    if !root.is_empty() {
        out += &format!("paths are below {root}\n");
    }
    out += &block(&document.findings, scene, all);
    if !document.excluded.is_empty() {
        let count = counted(document.excluded.len(), "pair");
        out += &format!("\nexcluded: {count} that the scene keeps apart, which do not count\n");
        out += &block(&document.excluded, scene, all);
    }
    if !document.complete {
        let asked = grouped((document.asked_count + document.ignored_count) as u64);
        let near = grouped(document.near_count as u64);
        out += &format!("\nnot complete: {asked} of {near} pairs were tested");
        if document.open_count > 0 {
            let open = grouped(document.open_count as u64);
            out += &format!(", of which {open} have too many triangles near each other to be answered");
        }
        out.push('\n');
    }
    for doubt in document.doubts() {
        out += &format!("\nnot certain: {doubt}\n");
    }
    out
}

/// Returns the longest common prefix of all paths that ends with a slash; empty if there is none.
fn common_root(document: &CheckDocument) -> String {
    let mut paths = document.findings.iter().chain(&document.excluded).flat_map(|f| [&f.a, &f.b]);
    let Some(first) = paths.next() else { return String::new() };
    let mut root = first.rfind('/').map_or("", |slash| &first[..=slash]);
    for path in paths {
        while !path.starts_with(root) {
            root = root[..root.len() - 1].rfind('/').map_or("", |slash| &root[..=slash]);
        }
    }
    root.to_owned()
}

fn head(document: &CheckDocument) -> String {
    let at = document.step.map_or(String::new(), |step| format!(" at step {step}"));
    let ignored = match document.ignored_count {
        0 => String::new(),
        count => format!(", {} ignored by rules", grouped(count as u64)),
    };
    let mut out = format!(
        "{}{at}: {}, {} triangles; clearance {}; {} with near boxes tested{ignored}\n",
        document.model,
        counted(document.part_count, "part"),
        grouped(document.triangle_count as u64),
        written(document.clearance_m),
        counted(document.asked_count, "pair"),
    );
    let kinds = Kind::ALL.into_iter().filter_map(|kind| match document.count(kind) {
        0 => None,
        count => Some(format!("{} ({})", counted(count, kind.title()), proved(kind))),
    });
    let kinds: Vec<String> = kinds.collect();
    out += &if kinds.is_empty() { "nothing found".to_owned() } else { kinds.join(", ") };
    match document.findings.iter().filter(|finding| finding.misses_distance() && finding.is_fault()).count() {
        0 => {}
        count => out += &format!("; contacts where a distance is required: {}", grouped(count as u64)),
    }
    let changes = [Change::New, Change::Worse, Change::Existing, Change::Resolved].map(|change| {
        let is_it = |f: &&FindingFigures| f.change == Some(change) && !f.is_allowed();
        document.findings.iter().filter(is_it).count()
    });
    if document.findings.iter().any(|finding| finding.change.is_some()) {
        out += &format!(
            "; since the baseline {} new, {} worse, {} as before, {} resolved",
            changes[0], changes[1], changes[2], changes[3]
        );
    }
    let accepted = document.findings.iter().filter(|finding| finding.is_accepted()).count();
    if accepted > 0 {
        out += &format!("; accepted by a reviewer: {}", grouped(accepted as u64));
    }
    let outgrown = document.findings.iter().filter_map(|finding| finding.review.as_ref());
    match outgrown.filter(|review| review.outgrown).count() {
        0 => {}
        count => out += &format!("; accepted once and now worse: {}", grouped(count as u64)),
    }
    out + "\n"
}

/// Returns the usual proof of findings of a kind. The JSON states the proof of each finding.
fn proved(kind: Kind) -> &'static str {
    match kind {
        Kind::Clash | Kind::Contact => "exact intersection",
        Kind::Inside => "points inside, no intersection",
        Kind::Doubled => "same surface and place",
        Kind::Apart | Kind::Clearance => "nearest of all triangles",
    }
}

/// Formats the groups of findings, or if `all`, every finding. Groups of contacts are omitted.
fn block(findings: &[FindingFigures], scene: &Scene, all: bool) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let mut more = String::new();
    if all {
        for finding in findings {
            let mut row = line(finding, 1, &format!("{} – {}", finding.a, finding.b)).to_vec();
            row.push(finding.proof.title().to_owned());
            table.add_row(row);
        }
    } else {
        let groups = group(findings, scene);
        let is_shown = |group: &&FindingGroup| !group.is_allowed;
        let shown: Vec<&FindingGroup> = groups.iter().filter(is_shown).collect();
        for group in shown.iter().take(SHOWN) {
            let worst = &findings[group.findings[0]];
            let mut title = group.title.clone();
            if group.findings.len() == 1 {
                title = format!("{} – {}", worst.a, worst.b);
            }
            table.add_row(line(worst, group.findings.len(), &title));
        }
        if shown.len() > SHOWN {
            more = format!("and {}: --all lists each finding\n", counted(shown.len() - SHOWN, "more group"));
        }
    }
    if table.is_empty() {
        return more;
    }
    let lines = table.lines().map(|line| format!("{}\n", line.trim_end()));
    format!("\n{}{more}", lines.collect::<String>())
}

/// Returns a row for one or more findings: kind, amount, count, title, and position of the worst of
/// them.
fn line(worst: &FindingFigures, count: usize, title: &str) -> [String; 5] {
    let change = match worst.change {
        Some(Change::New) => "new ",
        Some(Change::Worse) => "worse ",
        Some(Change::Resolved) => "resolved ",
        _ if worst.is_accepted() => "accepted ",
        _ => "",
    };
    let times = if count > 1 { format!("{} ×", grouped(count as u64)) } else { String::new() };
    let [x, y, z] = worst.points[0].map(|x| format!("{:.2}", 1e3 * x));
    let example = if count > 1 { format!("the worst {} – {} ", worst.a, worst.b) } else { String::new() };
    [
        format!("{change}{}", worst.kind.name()),
        worst.measure(),
        times,
        title.to_owned(),
        format!("{example}at {x}, {y}, {z} mm"),
    ]
}

/// Formats a count with a noun in the right number: `1 pair`, `1,234 pairs`.
fn counted(count: usize, what: &str) -> String {
    let number = grouped(count as u64);
    match (count, what) {
        (1, _) => format!("{number} {what}"),
        (_, "clash") => format!("{number} clashes"),
        (_, "pair too near") => format!("{number} pairs too near"),
        (_, "part inside another") => format!("{number} parts inside others"),
        (_, "part present twice") => format!("{number} parts present twice"),
        (_, "pair that should touch and does not") => format!("{number} pairs that should touch and do not"),
        _ => format!("{number} {what}s"),
    }
}
