//! The program accepts every name in the pages: kinds, rules, contenders and options.

use std::collections::BTreeSet;

use tumble::articulation::LinkTreeKind;
use tumble::broad::BroadPhaseKind;
use tumble::lab::compare::Contender;
use tumble::tree::{SplitRule, TreeKind};

use super::page::Page;
use super::{PAGES, root, run};

/// Other programs whose options the pages name.
const OTHERS: [&str; 10] = [
    "cargo ",
    "pip ",
    "python3 ",
    "assimp ",
    "apt-get ",
    "rustup ",
    "parallel ",
    "#SBATCH ",
    "sbatch ",
    "snakemake ",
];

/// Returns all pages that name options.
fn pages() -> impl Iterator<Item = Page> {
    PAGES.into_iter().chain(["docs/architecture.md", "docs/papers.md", "CONTRIBUTING.md"]).map(Page::read)
}

/// Returns the text between backticks in a line.
fn spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Returns all code of the pages: code within lines, and the lines of blocks.
fn code() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for page in pages() {
        let spans = page.prose.iter().flat_map(|line| spans(line)).map(str::to_owned);
        let lines = page.blocks.iter().flat_map(|block| block.text.lines()).map(str::to_owned);
        all.extend(spans.chain(lines).map(|text| (page.name.clone(), text)));
    }
    all
}

/// Returns the part of a piece of code that this program reads.
fn own(text: &str) -> &str {
    // cargo passes on the arguments that follow two dashes.
    let own = text.split_once(" -- ").map_or(text, |(_, rest)| rest);
    if OTHERS.iter().any(|other| own.trim_start().starts_with(other)) { "" } else { own }
}

#[test]
fn every_option_of_the_pages_is_one() {
    let help = |arguments: &[&str]| String::from_utf8(run(arguments, root(), None).stdout).unwrap();
    let verbs = [
        "view", "run", "play", "inspect", "check", "export", "scenes", "convert", "sweep", "compare", "diff",
        "bench", "schema",
    ];
    let texts: String = verbs.map(|verb| help(&[verb, "--help"])).concat();
    let options = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        words.filter(|word| word.starts_with("--") && word.len() > 2).map(str::to_owned).collect()
    };
    let known = options(&texts);
    assert!(known.len() > 40, "{known:?}");
    let mut count = 0;
    for (page, text) in code() {
        for option in options(own(&text)) {
            // These options belong to cargo, in commands that omit its name.
            let is_cargos = [
                "--features",
                "--no-default-features",
                "--all-features",
                "--workspace",
                "--release",
                "--lib",
                "--test",
                "--profile",
            ];
            let is_known = known.contains(&option) || option == "--help" || is_cargos.contains(&&*option);
            assert!(is_known, "{page}: no verb takes {option}, in {text:?}");
            count += 1;
        }
    }
    assert!(count > 100, "only {count} options were found");
}

#[test]
fn every_contender_of_the_pages_is_one() {
    let guide = Page::read("docs/guide.md");
    let sections = guide.sections();
    let table = sections.iter().find(|s| s.header.first().is_some_and(|h| h == "a contender")).unwrap();
    let mut names: Vec<String> =
        table.rows.iter().flat_map(|row| spans(&row[0])).map(str::to_owned).collect();
    assert!(names.len() > 10, "{names:?}");
    for (_, text) in code() {
        let words: Vec<&str> = own(&text).split_whitespace().collect();
        let lists = words.windows(2).filter(|pair| pair[0] == "--with").map(|pair| pair[1]);
        // `A,B,…` stands for any list, so it names nothing.
        let lists = lists.filter(|list| !list.contains('…'));
        names.extend(lists.flat_map(|list| list.split(',')).map(str::to_owned));
    }
    for name in &names {
        if cfg!(not(feature = "reference")) && name.contains("rapier") {
            continue;
        }
        // A list needs two different names.
        let other = if name == "scene" { "no-sleep" } else { "scene" };
        if let Err(error) = Contender::list([name.as_str(), other]) {
            panic!("{name:?} is no contender: {error}");
        }
    }
}

#[test]
fn every_kind_and_rule_of_the_guides_tables_is_one() {
    let kinds = |names: &[&'static str]| names.iter().copied().collect::<BTreeSet<_>>();
    let sections = [
        ("Hierarchies", kinds(&TreeKind::ALL.map(TreeKind::name))),
        ("Broad phases", kinds(&BroadPhaseKind::ALL.map(BroadPhaseKind::name))),
        ("Figures and links", kinds(&LinkTreeKind::ALL.map(LinkTreeKind::name))),
    ];
    let rules = kinds(&SplitRule::ALL.map(SplitRule::name));
    let guide = Page::read("docs/guide.md").sections();
    for (title, kinds) in sections {
        let section = guide.iter().find(|section| section.title == title).unwrap();
        // The table of build rules follows the table of the kinds of hierarchies.
        let mut known = &kinds;
        let mut count = 0;
        for row in &section.rows {
            if row[0] == "rule" {
                known = &rules;
            }
            for name in spans(&row[0]) {
                assert!(known.contains(name), "{title}: {name:?} is none of {known:?}");
                count += 1;
            }
        }
        assert!(count >= kinds.len(), "{title}: only {count} names were found");
    }
}
