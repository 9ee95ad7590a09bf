//! What is wrong, in words and by name: what the panel lists in red. Of what lasts, from the step that is
//! shown or before; its depth and last step are those of the whole run.
//!
//! A step and what was kept of it → [`Problem`]s, the gravest first.

use super::stage::Stage;
use crate::record::{Overlap, Rest};
use crate::report::{
    CrowdedFigures, CutFigures, CutSpinFigures, FallFigures, HeldFigures, LoadFigures, OutrunFigures,
    PassageFigures, ReachFigures,
};
use crate::scene::Scene;

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
    let step = stage.frame.step;
    let mut problems: Vec<Problem> = of_source.into_iter().chain(set_aside).collect();
    let incidents = &stage.incidents;
    problems.extend(incidents.passages.iter().filter(|p| p.first_step <= step).map(|p| Problem {
        text: format!("{} in step {}", PassageFigures::of(p).text(), p.first_step),
        body: Some(p.body),
    }));
    problems.extend(incidents.held_back.iter().filter(|h| h.first_step <= step).map(|h| Problem {
        text: format!("{} in step {}", HeldFigures::of(h).text(), h.first_step),
        body: Some(h.body),
    }));
    problems.extend(incidents.falls.iter().filter(|f| f.step <= step).map(|f| Problem {
        text: format!("{} in step {}", FallFigures::of(f).text(), f.step),
        body: Some(f.body),
    }));
    problems.extend(incidents.cuts.iter().filter(|c| c.first_step <= step).map(|c| Problem {
        text: format!("{}, steps {} to {}", CutFigures::of(c).text(), c.first_step, c.last_step),
        body: Some(c.b),
    }));
    problems.extend(incidents.reaches.iter().filter(|r| r.first_step <= step).map(|r| Problem {
        text: format!("{}, steps {} to {}", ReachFigures::of(r).text(), r.first_step, r.last_step),
        body: Some(r.link),
    }));
    problems.extend(incidents.crowded_pairs.iter().filter(|c| c.first_step <= step).map(|c| Problem {
        text: format!("{}, steps {} to {}", CrowdedFigures::of(c).text(), c.first_step, c.last_step),
        body: Some(c.b),
    }));
    problems.extend(incidents.outruns.iter().filter(|o| o.first_step <= step).map(|o| Problem {
        text: format!("{}, steps {} to {}", OutrunFigures::of(o).text(), o.first_step, o.last_step),
        body: Some(o.body),
    }));
    problems.extend(incidents.cut_spins.iter().filter(|c| c.first_step <= step).map(|c| Problem {
        text: format!("{}, steps {} to {}", CutSpinFigures::of(c).text(), c.first_step, c.last_step),
        body: Some(c.body),
    }));
    let loads = incidents.unfinished_loads.iter().filter(|load| load.first_step <= step);
    problems.extend(loads.map(|load| (load, LoadFigures::of(load))).filter(|(_, l)| l.lasts()).map(
        |(load, l)| Problem {
            text: format!("{}, steps {} to {}", l.text(), l.first_step, l.last_step),
            body: load.b.or(load.a),
        },
    ));
    // Those of which nothing deflects either are among the reaches.
    let is_reach = |o: &&Overlap| {
        incidents.reaches.iter().any(|r| [r.link, r.into] == [o.a, o.b] || [r.into, r.link] == [o.a, o.b])
    };
    problems.extend(stage.overlaps.iter().filter(|o| !is_reach(o)).map(intersects));
    problems
}

/// Returns the bodies of some overlaps, ascending, without the ground: most of the picture would be red.
pub fn intersecting(scene: &Scene, overlaps: &[Overlap]) -> Vec<u32> {
    let is_part = |body: &u32| !scene.bodies[*body as usize].is_ground;
    let mut bodies: Vec<u32> = overlaps.iter().flat_map(|o| [o.a, o.b]).filter(is_part).collect();
    bodies.sort_unstable();
    bodies.dedup();
    bodies
}
