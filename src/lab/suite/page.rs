//! The report as one self-contained HTML document: no script, no network.

use maud::{Markup, html};

use super::chart::chart;
use super::evidence::{Comparison, Evidence};
use super::item::{Judged, Paper};
use super::readings::{RULES, reading};
use super::report::{Report, Shown};
use super::shown::{Columns, claim, machines, papers, provenance};
use super::verdict::Verdict;
use crate::page::document;

const STYLE: &str = include_str!("style.css");

/// Returns the document as text. Equal reports give equal bytes.
pub fn page(report: &Report) -> String {
    let body = html! {
        (head(report))
        main {
            (overview(report))
            @for paper in Paper::ALL { (section(report, paper)) }
            (beyond(report))
        }
    };
    document("tumble: five papers repeated", STYLE, &body)
}

fn head(report: &Report) -> Markup {
    html! {
        header {
            h1 { "Five papers repeated" }
            p.opening {
                (report.items.len()) " figures, tables and measured claims: "
                @for (k, verdict) in Verdict::ALL.into_iter().enumerate() {
                    @if k > 0 { ", " }
                    (report.count(verdict)) " " (badge(verdict))
                }
                "."
            }
            @for rule in RULES { p { (words(rule)) } }
            p.note {
                "Measured with "
                code { "tumble bench --suite paper" @if report.scope == super::plan::Scope::Quick { " --quick" } }
                " on " (machines(report.measured).join("; ")) "."
            }
        }
    }
}

fn badge(verdict: Verdict) -> Markup {
    let class = format!("verdict v-{}", verdict.name().replace(' ', "-"));
    html! { span class=(class) { (verdict.name()) } }
}

/// Converts text to markup: backticks enclose code, two asterisks enclose bold text, and a backslash
/// escapes an asterisk.
fn words(text: &str) -> Markup {
    html! {
        @for (k, part) in text.split('`').enumerate() {
            @if k % 2 == 1 { code { (part) } } @else { (bold(part)) }
        }
    }
}

fn bold(text: &str) -> Markup {
    html! {
        @for (k, part) in text.split("**").enumerate() {
            @if k % 2 == 1 { b { (part) } } @else { (part.replace("\\*", "*")) }
        }
    }
}

/// Writes all items in one table.
fn overview(report: &Report) -> Markup {
    html! {
        h2 { "All items" }
        div.scroll tabindex="0" {
            table.left {
                thead { tr { th { "item" } th { "the paper's statement" } th { "verdict" } } }
                tbody {
                    @for own in &report.items {
                        tr {
                            th { a href={ "#" (own.item.anchor()) } { (own.item.name()) } }
                            td { (words(own.item.claim)) }
                            td { (badge(own.verdict)) }
                        }
                    }
                }
            }
        }
    }
}

fn section(report: &Report, paper: Paper) -> Markup {
    if !report.has(paper) {
        return html! {};
    }
    let [authors, title, place] = paper.reference();
    html! {
        h2 id=(paper.key()) { "[" (paper.key()) "]" }
        p.note { (authors) ", " em { (title) } @if !place.is_empty() { ", " (place) } }
        @for paragraph in reading(paper) { p { (words(paragraph)) } }
        @for own in report.items.iter().filter(|own| own.item.paper == paper) { (item(report, own)) }
    }
}

fn item(report: &Report, own: &Judged) -> Markup {
    let evidence = &own.evidence;
    html! {
        article id=(own.item.anchor()) {
            h3 { (own.item.name()) " " (badge(own.verdict)) }
            p { (words(own.item.claim)) }
            dl.facts {
                dt { "Workload" } dd { (words(own.item.workload)) }
                @if let Some(text) = papers(evidence) { dt { "Paper" } dd { (text) } }
                (measurements(report, own.item.from))
                @if let Some(switch) = evidence.switch.filter(|_| own.verdict == Verdict::Differs) {
                    dt { "Switch" } dd { (words(switch)) }
                }
            }
            (tables(evidence))
            details {
                summary { (evidence.claims.len()) " tested" @if evidence.claims.len() == 1 { " claim" } @else { " claims" } }
                ul.claims {
                    @for own in &evidence.claims { li.fails[!own.ours.holds()] { (claim(own)) } }
                }
            }
            @if let Some(remark) = evidence.remark { p { (words(remark)) } }
        }
    }
}

/// Writes the command of each measurement, with its date and machine.
fn measurements(report: &Report, names: &'static [&'static str]) -> Markup {
    html! {
        dt { "Command" }
        dd { @for own in report.sources(names) { code { (own.command) } br; span.muted { (provenance(own)) } br; } }
    }
}

fn tables(evidence: &Evidence) -> Markup {
    html! { @for table in evidence.tables.iter().filter(|table| !table.rows.is_empty()) { (both(table)) } }
}

/// Writes a table and its chart side by side.
fn both(comparison: &Comparison) -> Markup {
    let columns = Columns::of(comparison);
    html! {
        div.both {
            div.scroll tabindex="0" {
                table {
                    thead {
                        tr { th { (comparison.title) } @for name in columns.names() { th { (name) } } }
                    }
                    tbody {
                        @for row in &comparison.rows {
                            tr { th { (row.name) } @for cell in columns.cells(row) { td { (cell) } } }
                        }
                    }
                }
            }
            @if let Some(chart) = chart(comparison) {
                figure { figcaption { (comparison.title) } (chart) }
            }
        }
    }
}

fn beyond(report: &Report) -> Markup {
    if report.beyond.is_empty() {
        return html! {};
    }
    html! {
        h2 id="beyond" { "Beyond the papers" }
        p { "None of the five papers contains these measurements." }
        @for Shown { beyond, evidence } in &report.beyond {
            article id=(beyond.anchor()) {
                h3 { (beyond.title) }
                p { (words(beyond.about)) }
                dl.facts { (measurements(report, beyond.from)) }
                (tables(evidence))
                @if let Some(remark) = evidence.remark { p { (words(remark)) } }
            }
        }
    }
}
