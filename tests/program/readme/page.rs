//! A page of Markdown, as far as the tests need it: blocks of code, headings, tables and links.

use std::fs;

use super::root;

/// Code between two lines of backticks.
pub struct Block {
    /// The text after the opening backticks.
    pub kind: String,
    pub text: String,
}

/// A heading and the first table below it.
pub struct Section {
    pub title: String,
    /// The cells of the table, without the header.
    pub rows: Vec<Vec<String>>,
    pub header: Vec<String>,
}

pub struct Page {
    /// Path in the repository.
    pub name: String,
    pub blocks: Vec<Block>,
    /// The lines that are not code.
    pub prose: Vec<String>,
}

impl Page {
    pub fn read(name: &str) -> Self {
        let text = fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (mut blocks, mut prose) = (Vec::new(), Vec::new());
        let mut open: Option<Block> = None;
        for line in text.lines() {
            match (line.strip_prefix("```"), &mut open) {
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (Some(kind), None) => {
                    open = Some(Block { kind: kind.trim().to_owned(), text: String::new() });
                }
                (None, Some(block)) => block.text += &format!("{line}\n"),
                (None, None) => prose.push(line.to_owned()),
            }
        }
        assert!(open.is_none(), "{name}: a block of code does not end");
        Self { name: name.to_owned(), blocks, prose }
    }

    /// Returns the sections. Their titles are without Markdown characters.
    pub fn sections(&self) -> Vec<Section> {
        let mut sections: Vec<Section> = Vec::new();
        for line in &self.prose {
            if line.starts_with('#') {
                let title = line.trim_start_matches('#').replace('`', "").trim().to_owned();
                sections.push(Section { title, header: Vec::new(), rows: Vec::new() });
            }
            let Some(row) = line.strip_prefix('|').and_then(|l| l.strip_suffix('|')) else { continue };
            let cells: Vec<String> = row.split('|').map(|c| c.trim().to_owned()).collect();
            let Some(section) = sections.last_mut().filter(|_| !cells[0].starts_with("---")) else {
                continue;
            };
            if section.header.is_empty() {
                section.header = cells;
            } else {
                section.rows.push(cells);
            }
        }
        sections
    }

    /// Returns the targets of links and pictures.
    pub fn links(&self) -> impl Iterator<Item = String> {
        let ends = self.prose.iter().flat_map(|line| line.split("](").skip(1));
        ends.map(|rest| rest.split(')').next().unwrap().to_owned())
    }

    /// Returns the anchors of the headings: the titles in lower case, without punctuation, and with
    /// hyphens instead of spaces.
    pub fn anchors(&self) -> impl Iterator<Item = String> {
        self.sections().into_iter().map(|section| {
            let kept = section.title.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
            kept.collect::<String>().to_lowercase().replace(' ', "-")
        })
    }
}
