//! Groups of findings with one cause: all pairs of the same two types of parts. If there are many such
//! groups, all pairs of a frequent type, such as a bolt, form one group, and so do all pairs of unique
//! parts below one parent.

use std::collections::BTreeMap;

use super::document::{Change, FindingFigures};
use crate::check::Kind;
use crate::scene::Scene;

/// Findings of one kind with one cause.
#[derive(Clone, Debug, PartialEq)]
pub struct FindingGroup {
    pub kind: Kind,
    /// Whether the findings are contacts of parts that may touch.
    pub is_allowed: bool,
    /// Whether the findings are resolved.
    pub is_resolved: bool,
    /// Whether the findings are accepted.
    pub is_accepted: bool,
    /// Title, such as `bolt – plate`.
    pub title: String,
    /// Indices of the findings, the worst first.
    pub findings: Vec<usize>,
}

/// Number of groups above which groups are merged further.
const MANY: usize = 10;

/// Groups findings. `findings` must be sorted with the worst first; so are the groups, and accepted
/// findings come last.
pub fn group(findings: &[FindingFigures], scene: &Scene) -> Vec<FindingGroup> {
    let types = Types::new(scene);
    let by_types = collect(findings, |finding| {
        let [a, b] = types.of(finding);
        if a <= b { format!("{a} – {b}") } else { format!("{b} – {a}") }
    });
    if by_types.len() <= MANY {
        return by_types;
    }
    collect(findings, |finding| types.cause(finding))
}

fn collect(findings: &[FindingFigures], title: impl Fn(&FindingFigures) -> String) -> Vec<FindingGroup> {
    let mut groups: Vec<FindingGroup> = Vec::new();
    let mut known: BTreeMap<(bool, bool, bool, Kind, String), usize> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate() {
        let (is_resolved, is_accepted) = (finding.change == Some(Change::Resolved), finding.is_accepted());
        let (kind, is_allowed, title) = (finding.kind, finding.is_allowed(), title(finding));
        let key = (is_allowed, is_resolved, is_accepted, kind, title.clone());
        let group = *known.entry(key).or_insert_with(|| {
            let findings = Vec::new();
            groups.push(FindingGroup { kind, is_allowed, is_resolved, is_accepted, title, findings });
            groups.len() - 1
        });
        groups[group].findings.push(index);
    }
    groups.sort_by_key(|group| group.is_accepted);
    groups
}

/// Types of parts. Parts with the same surface have one type.
struct Types<'a> {
    scene: &'a Scene,
    /// Number of bodies per mesh.
    uses: Vec<usize>,
}

impl<'a> Types<'a> {
    fn new(scene: &'a Scene) -> Self {
        let mut uses = vec![0; scene.meshes.len()];
        for mesh in scene.bodies.iter().filter_map(|body| body.mesh) {
            uses[mesh as usize] += 1;
        }
        Self { scene, uses }
    }

    /// Returns the names of the types of both parts. For a finding from a file they come from the
    /// paths.
    fn of(&self, finding: &FindingFigures) -> [String; 2] {
        match finding.parts {
            Some(parts) => parts.map(|part| self.name(part)),
            None => [&finding.a, &finding.b].map(|path| stem(last(path))),
        }
    }

    /// Returns the name of a part's type: that of the surface, or of the part if no other part has its
    /// surface; numbers are replaced.
    fn name(&self, part: u32) -> String {
        let body = &self.scene.bodies[part as usize];
        match body.mesh.filter(|mesh| self.uses[*mesh as usize] > 1) {
            Some(mesh) if !self.scene.meshes[mesh as usize].name().is_empty() => {
                stem(self.scene.meshes[mesh as usize].name())
            }
            _ => stem(&body.name),
        }
    }

    fn use_count(&self, part: u32) -> usize {
        self.scene.bodies[part as usize].mesh.map_or(0, |mesh| self.uses[mesh as usize])
    }

    /// Returns the title of the merged group: by the more frequent of both types, or by the common
    /// parent if both parts are unique.
    fn cause(&self, finding: &FindingFigures) -> String {
        let [a, b] = self.of(finding);
        let uses = finding.parts.map_or([1, 1], |parts| parts.map(|part| self.use_count(part)));
        if uses == [1, 1] {
            let parent = common_parent(&finding.a, &finding.b);
            let [a, b] = if a <= b { [a, b] } else { [b, a] };
            return if parent.is_empty() { format!("{a} – {b}") } else { format!("within {parent}") };
        }
        let (often, other) = if uses[0] >= uses[1] { (a, b) } else { (b, a) };
        if often == other { format!("{often} – {other}") } else { format!("{often} – others") }
    }
}

/// Removes a copy number from a name and replaces other numbers: `row_4_part_12.2` → `row_#_part_#`.
fn stem(name: &str) -> String {
    let is_number = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    let base = name.rsplit_once('.').filter(|(_, n)| is_number(n)).map_or(name, |(base, _)| base);
    let mut stem = String::new();
    for c in base.chars() {
        if !c.is_ascii_digit() {
            stem.push(c);
        } else if !stem.ends_with('#') {
            stem.push('#');
        }
    }
    stem
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn common_parent(a: &str, b: &str) -> String {
    let folders = |path: &str| path.rsplit_once('/').map_or(String::new(), |(parent, _)| parent.to_owned());
    let (a, b) = (folders(a), folders(b));
    let common = a.split('/').zip(b.split('/')).take_while(|(x, y)| x == y).map(|(x, _)| x);
    common.collect::<Vec<_>>().join("/")
}
