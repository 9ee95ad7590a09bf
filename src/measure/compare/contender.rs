//! Contenders by name: `scene` (the scene's own settings), a setting such as `boxtree8`, `hybrid`,
//! `threads=2`, `budget-us=500` or `no-sleep`, several settings joined by colons, a recording, or
//! rapier.

use std::path::{Path, PathBuf};

use super::error::CompareError;
use crate::articulation::LinkTreeKind;
use crate::broad::BroadPhaseKind;
use crate::config::{Budget, Config};
use crate::plan::TreePlan;
use crate::tree::SplitRule;

/// File extension of recordings.
pub const RECORDING: &str = "tumble";
/// Separator of the settings of one contender.
const AND: char = ':';
/// Name of the contender with the scene's own settings.
const AS_IT_IS: &str = "scene";

/// Configuration with which the scene is simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// Name as the user wrote it.
    pub name: String,
    pub engine: EngineKind,
    /// Settings that replace the scene's own.
    changes: Vec<Change>,
}

/// Engine that moves the bodies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineKind {
    Own,
    Recording(PathBuf),
    #[cfg(feature = "reference")]
    Rapier(RapierShapes),
}

/// Shapes of bodies in rapier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RapierShapes {
    /// Unchanged triangles of the surface.
    Triangles,
    /// Triangles, with rapier's correction of normals at internal edges.
    FixedEdges,
    /// Boxes and balls for surfaces of that shape; convex parts for others.
    Convex,
}

impl RapierShapes {
    const ALL: [Self; 3] = [Self::Triangles, Self::FixedEdges, Self::Convex];

    pub fn name(self) -> &'static str {
        match self {
            Self::Triangles => "rapier",
            Self::FixedEdges => "rapier-edges",
            Self::Convex => "rapier-convex",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Tree(TreePlan),
    Split(SplitRule),
    Broad(BroadPhaseKind),
    Links(LinkTreeKind),
    Threads(u32),
    Budget(Budget),
    NoSleep,
}

impl Contender {
    /// Parses a list of contenders that are compared with each other.
    ///
    /// # Errors
    /// Fails if a name is unknown, if two contenders are equal, or if there are fewer than two.
    pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Vec<Self>, CompareError> {
        let all = Self::list_for_baseline(names)?;
        if all.len() < 2 { Err(CompareError::TooFew) } else { Ok(all) }
    }

    /// Parses a list of contenders that are compared with a baseline. A single one is enough.
    ///
    /// # Errors
    /// Fails if a name is unknown, or if two contenders are equal.
    pub fn list_for_baseline<'a>(
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<Self>, CompareError> {
        let mut all: Vec<Self> = Vec::new();
        for name in names {
            let contender = Self::parse(name.trim())?;
            if all.iter().any(|other| other.engine == contender.engine && other.changes == contender.changes)
            {
                return Err(CompareError::Twice(contender.name));
            }
            all.push(contender);
        }
        Ok(all)
    }

    fn parse(name: &str) -> Result<Self, CompareError> {
        let wrong = |reason: String| CompareError::Name { name: name.to_owned(), reason };
        let path = Path::new(name);
        if path.extension().is_some_and(|e| e == RECORDING) {
            let engine = EngineKind::Recording(path.to_owned());
            return Ok(Self { name: name.to_owned(), engine, changes: Vec::new() });
        }
        let mut words = name.split(AND).peekable();
        let shapes = words.peek().and_then(|&w| RapierShapes::ALL.into_iter().find(|s| s.name() == w));
        if shapes.is_some() {
            words.next();
        }
        #[cfg(feature = "reference")]
        let engine = shapes.map_or(EngineKind::Own, EngineKind::Rapier);
        #[cfg(not(feature = "reference"))]
        let engine = match shapes {
            None => EngineKind::Own,
            Some(_) => {
                return Err(wrong(
                    "this program is built without rapier3d; cargo's --features reference adds it".into(),
                ));
            }
        };
        let changes =
            words.filter(|&w| w != AS_IT_IS).map(change).collect::<Result<Vec<_>, _>>().map_err(wrong)?;
        if shapes.is_some() && changes.iter().any(|c| *c != Change::NoSleep) {
            return Err(wrong("rapier takes only the setting no-sleep".to_owned()));
        }
        let contender = Self { name: name.to_owned(), engine, changes };
        contender.config(&Config::default()).check().map_err(wrong)?;
        Ok(contender)
    }

    /// Returns the path of the recording; `None` for other contenders.
    pub fn recording(&self) -> Option<&Path> {
        match &self.engine {
            EngineKind::Recording(path) => Some(path),
            _ => None,
        }
    }

    /// Returns the scene's settings `own` with the contender's changes.
    pub fn config(&self, own: &Config) -> Config {
        let mut config = own.clone();
        for change in &self.changes {
            match *change {
                Change::Tree(tree) => config.tree = tree,
                Change::Split(split) => config.split = split,
                Change::Broad(broad) => config.broad = broad,
                Change::Links(links) => config.links = links,
                Change::Threads(threads) => config.threads = threads,
                Change::Budget(budget) => config.limit(budget),
                Change::NoSleep => config.sleep = false,
            }
        }
        config
    }
}

/// Parses one setting. A name that several kinds share means the hierarchy over meshes; `broad=` and
/// `links=` select the other kinds.
fn change(word: &str) -> Result<Change, String> {
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{text:?} is not a whole number"));
    let broad = |text: &str| BroadPhaseKind::ALL.into_iter().find(|k| k.name() == text);
    let links = |text: &str| LinkTreeKind::ALL.into_iter().find(|k| k.name() == text);
    let none = |what: &str, text: &str| format!("no {what} is called {text:?}");
    match word.split_once('=') {
        Some(("tree", text)) => {
            TreePlan::try_from(text.to_owned()).map(Change::Tree).map_err(|e| e.to_string())
        }
        Some(("broad", text)) => broad(text).map(Change::Broad).ok_or_else(|| none("broad phase", text)),
        Some(("links", text)) => links(text).map(Change::Links).ok_or_else(|| none("link hierarchy", text)),
        Some(("split", text)) => {
            let rule = SplitRule::ALL.into_iter().find(|r| r.name() == text);
            rule.map(Change::Split).ok_or_else(|| none("rule", text))
        }
        Some(("threads", text)) => Ok(Change::Threads(u32::try_from(number(text)?).unwrap_or(u32::MAX))),
        Some(("budget-us", text)) => {
            Ok(Change::Budget(Budget { us: Some(number(text)?), ..Budget::default() }))
        }
        Some(("budget-tests", text)) => {
            Ok(Change::Budget(Budget { tests: Some(number(text)?), ..Budget::default() }))
        }
        Some((key, _)) => Err(format!(
            "no setting is called {key:?}; the settings are tree, broad, links, split, threads, budget-us and \
             budget-tests"
        )),
        None if word == "no-sleep" => Ok(Change::NoSleep),
        None => match TreePlan::try_from(word.to_owned()) {
            Ok(tree) => Ok(Change::Tree(tree)),
            Err(_) => broad(word).map(Change::Broad).ok_or_else(|| {
                format!(
                    "{word:?} is no hierarchy, no broad phase, no recording (.{RECORDING}) and none of \
                     {AS_IT_IS}, no-sleep, rapier, rapier-edges and rapier-convex"
                )
            }),
        },
    }
}
