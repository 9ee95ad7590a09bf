//! What a run let through, let fall and let reach, by name: what contacts alone would not tell.

use serde::Serialize;

use crate::world::Incidents;

/// Events of a run, each pair or body once, in the order in which they began.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WatchedFigures {
    pub passages: Vec<PassageFigures>,
    pub falls: Vec<FallFigures>,
    pub reaches: Vec<ReachFigures>,
}

/// A body that ended inside another, or beyond it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PassageFigures {
    pub body: String,
    pub through: String,
    pub first_step: u32,
    pub last_step: u32,
    /// In which it crossed the surface.
    pub steps: u32,
}

/// A body that fell farther below everything the scene began with than what moves is long.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FallFigures {
    pub body: String,
    pub step: u32,
}

/// A link, or another body that nothing deflects, in what does not yield either.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReachFigures {
    pub link: String,
    pub into: String,
    pub first_step: u32,
    pub last_step: u32,
    /// In which the two intersected.
    pub steps: u32,
    /// The deepest overlap that was found, and when.
    pub depth_mm: f64,
    pub deepest_step: u32,
    /// Whether they were deeper in each other than is looked for: `depth_mm` is a lower bound.
    pub deeper: bool,
}

/// Of each kind of event; JSON has them all.
const SHOWN: usize = 12;

impl WatchedFigures {
    pub fn of(incidents: &Incidents) -> Self {
        let passages = incidents.passages.iter().map(|p| PassageFigures {
            body: p.body_name.clone(),
            through: p.through_name.clone(),
            first_step: p.first_step,
            last_step: p.last_step,
            steps: p.step_count,
        });
        let falls = incidents.falls.iter().map(|f| FallFigures { body: f.name.clone(), step: f.step });
        let reaches = incidents.reaches.iter().map(|r| ReachFigures {
            link: r.link_name.clone(),
            into: r.into_name.clone(),
            first_step: r.first_step,
            last_step: r.last_step,
            steps: r.step_count,
            depth_mm: r.depth * 1e3,
            deepest_step: r.deepest_step,
            deeper: r.is_deeper,
        });
        Self { passages: passages.collect(), falls: falls.collect(), reaches: reaches.collect() }
    }

    /// The columns of [`Self::rows`].
    pub const HEADER: [&str; 4] = ["what should not happen", "first step", "last step", "steps"];

    /// For people: the first events of each kind, then how many there are besides.
    pub fn rows(&self) -> Vec<[String; 4]> {
        let steps = |first: u32, last: u32, count: u32| [first, last, count].map(|n| n.to_string());
        let passages = self.passages.iter().map(|p| {
            let [first, last, count] = steps(p.first_step, p.last_step, p.steps);
            [format!("{} got through the surface of {}", p.body, p.through), first, last, count]
        });
        let falls = self.falls.iter().map(|f| {
            [format!("{} fell out of the world", f.body), f.step.to_string(), String::new(), String::new()]
        });
        let reaches = self.reaches.iter().map(|r| {
            let [first, last, count] = steps(r.first_step, r.last_step, r.steps);
            let more = if r.deeper { "more than " } else { "" };
            let text = format!("{} reaches {more}{:.1} mm into {}", r.link, r.depth_mm, r.into);
            [text, first, last, count]
        });
        let mut rows = shown(passages.collect(), "bodies more got through surfaces");
        rows.extend(shown(falls.collect(), "bodies more fell out of the world"));
        rows.extend(shown(reaches.collect(), "pairs more reach into each other"));
        rows
    }
}

fn shown(mut rows: Vec<[String; 4]>, rest: &str) -> Vec<[String; 4]> {
    let left_out = rows.len().saturating_sub(SHOWN);
    if left_out > 0 {
        rows.truncate(SHOWN);
        rows.push([format!("{left_out} {rest}"), String::new(), String::new(), String::new()]);
    }
    rows
}
