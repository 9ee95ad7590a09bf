//! What is wrong in the step that is shown, in words and by name: what the panel lists in red.
//!
//! A step and what was kept of it → [`Problem`]s, the gravest first.

use super::stage::Stage;
use crate::record::{Overlap, Rest};

pub struct Problem {
    pub text: String,
    /// A body that it is about.
    pub body: Option<u32>,
}

pub fn problems(stage: &Stage) -> Vec<Problem> {
    let bodies = &stage.show.scene.bodies;
    let name = |body: u32| bodies[body as usize].name.as_str();
    let of_source = stage.source.problem().map(|text| Problem { text, body: None });
    let set_aside = (0u32..).zip(&stage.frame.rests).filter(|(_, rest)| **rest == Rest::Quarantined);
    let set_aside = set_aside.map(|(body, _)| Problem {
        text: format!("{} is set aside: its state was not finite", name(body)),
        body: Some(body),
    });
    let intersects = |overlap: &Overlap| Problem {
        text: format!("{} – {} intersect and are not kept apart", name(overlap.a), name(overlap.b)),
        body: Some(overlap.b),
    };
    of_source.into_iter().chain(set_aside).chain(stage.overlaps.iter().map(intersects)).collect()
}

/// The bodies of some overlaps, ascending.
pub fn intersecting(overlaps: &[Overlap]) -> Vec<u32> {
    let mut bodies: Vec<u32> = overlaps.iter().flat_map(|o| [o.a, o.b]).collect();
    bodies.sort_unstable();
    bodies.dedup();
    bodies
}
