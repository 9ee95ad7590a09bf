//! Test of a run against the expectations of its scene file, step by step. Each expectation is held or
//! broken.
//!
//! - `unseen.rs`: pairs that no run ever tests.

mod unseen;

use serde::Serialize;

use super::names::joint_labels;
use super::touches::digits;
use crate::check::Pairing;
use crate::scene::{ExpectEntry, Expectation, JointLimits, NamedPair, Scene};
use crate::world::{AxisUse, Event, JointUse, PairTouch, Visit, World};
use unseen::Unseen;

/// Expectation of a scene file with its verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpectationFigures {
    pub expects: String,
    /// Whether the expectation held; `null` if the run ended too early to tell.
    pub held: Option<bool>,
    /// Step that decided it; `null` if only the end of the whole run did.
    pub step: Option<u32>,
    /// Pair, part or joint that decided it, with the measured value.
    pub because: String,
}

/// Decision on an expectation.
struct Verdict {
    is_held: bool,
    step: Option<u32>,
    because: String,
}

/// Expectation with its verdict, once it is decided.
struct Judged {
    expectation: Expectation,
    verdict: Option<Verdict>,
    unseen: Unseen,
}

/// Expectations of a scene during its run.
pub struct Expectations<'a> {
    scene: &'a Scene,
    list: Vec<Judged>,
    /// Number of trigger visits that were tested so far.
    visits_seen: usize,
    /// Labels of joints, if any expectation is about a joint.
    joints: Vec<String>,
}

impl<'a> Expectations<'a> {
    /// Resolves the names in a scene's expectations.
    ///
    /// # Errors
    /// Fails if an expectation is invalid (see [`Expectation::of_scene`]), or if it is about pairs none
    /// of which a run ever tests, because both bodies are static or a rule excludes the pair.
    pub fn new(scene: &'a Scene) -> Result<Self, String> {
        let resolved = Expectation::of_scene(&scene.expectations, scene);
        let resolved = resolved.map_err(|(index, reason)| format!("expectation {}: {reason}", index + 1))?;
        let pairing = Pairing::new(scene);
        let judged = |(number, expectation): (usize, Expectation)| {
            let unseen = match &expectation {
                Expectation::Never { pair }
                | Expectation::Touches { pair, .. }
                | Expectation::MaxForce { pair, .. } => Unseen::new(pair, scene, &pairing),
                _ => Unseen { has_seen: true, ..Unseen::default() },
            };
            if !unseen.has_seen {
                let reason =
                    unseen.text().unwrap_or_else(|| "it names one part twice, and no pair".to_owned());
                return Err(format!("expectation {number}: {reason}, so that a run cannot tell"));
            }
            Ok(Judged { expectation, verdict: None, unseen })
        };
        let list: Result<Vec<Judged>, String> = (1..).zip(resolved).map(judged).collect();
        let is_of_joints = |entry: &ExpectEntry| entry.joint.is_some();
        let has_joints = scene.expectations.iter().any(is_of_joints);
        let joints = if has_joints { joint_labels(scene) } else { Vec::new() };
        Ok(Self { scene, list: list?, visits_seen: 0, joints })
    }

    /// Tests the expectations against the last step of a world.
    pub fn see(&mut self, world: &World) {
        let step = world.step_count();
        let visits = &world.visits()[self.visits_seen..];
        self.visits_seen += visits.len();
        let (scene, labels) = (self.scene, &self.joints);
        for judged in self.list.iter_mut().filter(|judged| judged.verdict.is_none()) {
            judged.verdict = match &judged.expectation {
                Expectation::Never { pair } => met(pair, world.touching(), visits, scene)
                    .or_else(|| passed(pair, world.events(), scene))
                    .map(|because| Verdict { is_held: false, step: Some(step), because }),
                Expectation::Touches { pair, before } => {
                    // The tolerance allows for rounding errors of the time.
                    let (time, dt) = (f64::from(step) * scene.config.dt, scene.config.dt);
                    let is_late = before.is_some_and(|before| time > before + 1e-6 * dt);
                    let touched = met(pair, world.touching(), visits, scene)
                        .or_else(|| passed(pair, world.events(), scene));
                    let late = || is_late.then(|| "they did not touch by then".to_owned());
                    let because = touched.or_else(late);
                    because.map(|because| Verdict { is_held: !is_late, step: Some(step), because })
                }
                Expectation::MaxForce { pair, force } => {
                    let presses =
                        |touch: &&PairTouch| touch.force > *force && is_pair(pair, touch.a, touch.b);
                    world.touching().iter().find(presses).map(|touch| {
                        let because =
                            format!("{}: {} N", names(scene, touch.a, touch.b), digits(touch.force));
                        Verdict { is_held: false, step: Some(step), because }
                    })
                }
                Expectation::Lost { most } => too_many_lost(*most, world, scene),
                Expectation::Joint { joints, most } => {
                    let used = |&joint: &u32| &world.joint_uses()[joint as usize];
                    let excess =
                        joints.iter().map(used).find_map(|used| beyond(used, most, labels, scene.config.dt));
                    excess.map(|because| Verdict { is_held: false, step: Some(step), because })
                }
                Expectation::EndsAt { .. } => None,
            };
        }
    }

    /// Ends the run and returns the verdicts. If the run is not whole, expectations without a verdict
    /// remain undecided.
    pub fn end(self, world: &World, is_whole: bool) -> Vec<ExpectationFigures> {
        let texts = self.scene.expectations.iter().map(ToString::to_string);
        texts
            .zip(self.list)
            .map(|(expects, Judged { expectation, verdict, unseen })| {
                let verdict = verdict.or_else(|| is_whole.then(|| last_word(&expectation, &unseen, world)));
                match verdict {
                    Some(Verdict { is_held, step, because }) => {
                        ExpectationFigures { expects, held: Some(is_held), step, because }
                    }
                    None => ExpectationFigures {
                        expects,
                        held: None,
                        step: None,
                        because: "the run was interrupted".to_owned(),
                    },
                }
            })
            .collect()
    }
}

/// Decides an expectation at the end of the run that no single step decided.
fn last_word(expectation: &Expectation, unseen: &Unseen, world: &World) -> Verdict {
    let whole = |is_held: bool, because: &str| {
        let unseen = unseen.text().map_or(String::new(), |text| format!("; {text}"));
        Verdict { is_held, step: None, because: format!("{because}{unseen}") }
    };
    match expectation {
        Expectation::Never { .. } => whole(true, "they did not touch"),
        Expectation::Touches { .. } => whole(false, "they did not touch"),
        Expectation::EndsAt { parts, place, within } => {
            let bodies = world.bodies();
            let off = |&part: &u32| (part, bodies.states[part as usize].pose.position.distance(*place));
            let farthest = parts.iter().map(off).max_by(|x, y| x.1.total_cmp(&y.1));
            let Some((part, distance)) = farthest else { return whole(false, "it names no part") };
            let lost = parts.iter().find(|&&part| is_lost(part, world));
            if let Some(&part) = lost {
                return whole(false, &format!("{} is lost", bodies.infos[part as usize].name));
            }
            // A NaN distance counts as not within.
            let is_held = distance <= *within;
            let because = format!("{} is {} m from it", bodies.infos[part as usize].name, digits(distance));
            Verdict { is_held, step: Some(world.step_count()), because }
        }
        Expectation::MaxForce { pair, .. } => {
            let greatest = world.touches().iter().filter(|touch| is_pair(pair, touch.a, touch.b));
            let force = greatest.map(|touch| touch.force).fold(0.0, f64::max);
            whole(true, &format!("at most {} N", digits(force)))
        }
        Expectation::Joint { .. } => whole(true, "they stayed within it"),
        Expectation::Lost { .. } => whole(true, "no more were lost"),
    }
}

fn is_pair(pair: &NamedPair, a: u32, b: u32) -> bool {
    let [first, second] = pair;
    let (a, b) = (a as usize, b as usize);
    (first[a] && second[b]) || (first[b] && second[a])
}

/// Returns a description of two bodies of a pair of names that touched in a step, or of which one
/// entered the other, a trigger.
fn met(pair: &NamedPair, touching: &[PairTouch], visits: &[Visit], scene: &Scene) -> Option<String> {
    if let Some(touch) = touching.iter().find(|touch| is_pair(pair, touch.a, touch.b)) {
        return Some(format!("{}: {} N", names(scene, touch.a, touch.b), digits(touch.force)));
    }
    let visit = visits.iter().find(|visit| is_pair(pair, visit.trigger, visit.body))?;
    Some(format!("{} is in {}", visit.body_name, visit.trigger_name))
}

/// Returns a description of two bodies of a pair of names of which one passed through the other in a
/// step.
fn passed(pair: &NamedPair, events: &[Event], scene: &Scene) -> Option<String> {
    events.iter().find_map(|event| match *event {
        Event::PassedThrough { body, through } if is_pair(pair, body, through) => {
            let [body, through] = [body, through].map(|body| &scene.bodies[body as usize].name);
            Some(format!("{body} got through the surface of {through}"))
        }
        _ => None,
    })
}

/// Returns whether a body fell out of the world or was quarantined.
fn is_lost(body: u32, world: &World) -> bool {
    let falls = &world.incidents().falls;
    falls.iter().any(|fall| fall.body == body) || world.quarantined().iter().any(|one| one.body == body)
}

fn names(scene: &Scene, a: u32, b: u32) -> String {
    let [a, b] = [a, b].map(|body| &scene.bodies[body as usize].name);
    format!("{a} – {b}")
}

fn too_many_lost(most: u32, world: &World, scene: &Scene) -> Option<Verdict> {
    let fallen = world.incidents().falls.iter().map(|fall| fall.body);
    let mut lost: Vec<u32> = fallen.chain(world.quarantined().iter().map(|one| one.body)).collect();
    lost.sort_unstable();
    lost.dedup();
    let because = || {
        let first: Vec<&str> = lost.iter().take(3).map(|&b| &scene.bodies[b as usize].name[..]).collect();
        format!("{} lost: {}", lost.len(), first.join(", "))
    };
    (lost.len() as u64 > u64::from(most)).then(|| Verdict {
        is_held: false,
        step: Some(world.step_count()),
        because: because(),
    })
}

/// Describes the first limit that a joint exceeds, with the value; `None` if it exceeds none.
fn beyond(used: &JointUse, most: &JointLimits, labels: &[String], dt: f64) -> Option<String> {
    let name = &labels[used.joint as usize];
    let of_axis = |axis: &AxisUse| {
        let (limit, unit, scale) = match axis.axis {
            0..3 => (most.deviations[0], "m", 1.0),
            _ => (most.deviations[1], "°", 180.0 / std::f64::consts::PI),
        };
        let off = axis.deviation.map(|peak| peak.value).filter(|off| *off > limit);
        let stalled = f64::from(axis.stalled.step_count) * dt;
        off.map(|off| format!("{name}: {} {unit} from its target", digits(scale * off))).or_else(|| {
            (stalled > most.stalled).then(|| format!("{name}: stalled for {} s", digits(stalled)))
        })
    };
    let turned = used.deviation.map(|peak| peak.value).filter(|off| *off > most.deviations[1]);
    if used.force.value > most.force {
        Some(format!("{name}: {} N", digits(used.force.value)))
    } else if used.torque.value > most.torque {
        Some(format!("{name}: {} N·m", digits(used.torque.value)))
    } else if let Some(turned) = turned {
        Some(format!("{name}: {} ° from its target", digits(turned.to_degrees())))
    } else {
        used.axes.iter().find_map(of_axis)
    }
}

impl ExpectationFigures {
    /// Columns of [`Self::rows`].
    pub const HEADER: [&str; 4] = ["expected", "", "step", "because"];

    /// Returns one row per expectation, the broken ones first.
    pub fn rows(expectations: &[Self]) -> Vec<[String; 4]> {
        let mut sorted: Vec<&Self> = expectations.iter().collect();
        sorted.sort_by_key(|one| one.held.unwrap_or(true));
        let row = |one: &&Self| {
            let word = match one.held {
                Some(true) => "held",
                Some(false) => "broken",
                None => "not decided",
            };
            let step = one.step.map_or("–".to_owned(), |step| step.to_string());
            [one.expects.clone(), word.to_owned(), step, one.because.clone()]
        };
        sorted.iter().map(row).collect()
    }
}
