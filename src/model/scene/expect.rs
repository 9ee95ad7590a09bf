//! Expectations of a scene, resolved to the bodies and joints that they name.

use glam::DVec3;

use super::expect_entry::{Exactly, ExpectEntry, JointLimits, SUBJECTS};
use super::hints::instead;
use super::patterns::matcher;
use super::{PartPattern, Scene};
use crate::import::limits::EXPECTATIONS;

/// Whether each body (by index) matches the first name of a pair, and whether it matches the second.
pub type NamedPair = [Vec<bool>; 2];

/// Expectation with the bodies and joints that it names, by index. Units: m, rad, s, N, N·m.
#[derive(Clone, Debug, PartialEq)]
pub enum Expectation {
    Never { pair: NamedPair },
    Touches { pair: NamedPair, before: Option<f64> },
    MaxForce { pair: NamedPair, force: f64 },
    EndsAt { parts: Vec<u32>, place: DVec3, within: f64 },
    Joint { joints: Vec<u32>, most: JointLimits },
    Lost { most: u32 },
}

impl Expectation {
    /// Resolves the expectations of a scene.
    ///
    /// On failure, returns the index of the first invalid expectation and the reason. An expectation is
    /// invalid if it is empty, contradicts itself or another one, names nothing, or has an invalid
    /// number.
    pub fn of_scene(entries: &[ExpectEntry], scene: &Scene) -> Result<Vec<Self>, (usize, String)> {
        if entries.len() > EXPECTATIONS {
            let text = format!("there are {} expectations, the limit is {EXPECTATIONS}", entries.len());
            return Err((EXPECTATIONS, text));
        }
        let mut all = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            all.push(Self::new(entry, scene).map_err(|reason| (index, reason))?);
            if let Some(other) = entries[..index].iter().position(|other| entry.contradicts(other)) {
                let reason = format!("{entry}, and expectation {} says that they do the opposite", other + 1);
                return Err((index, reason));
            }
        }
        Ok(all)
    }

    fn new(entry: &ExpectEntry, scene: &Scene) -> Result<Self, String> {
        entry.check()?;
        let pair =
            |Exactly([a, b]): &Exactly<String, 2>| Ok::<_, String>([named(a, scene)?, named(b, scene)?]);
        Ok(if let Some(names) = &entry.never {
            Self::Never { pair: pair(names)? }
        } else if let Some(names) = &entry.touches {
            Self::Touches { pair: pair(names)?, before: entry.before }
        } else if let Some(names) = &entry.pair {
            Self::MaxForce { pair: pair(names)?, force: needed(entry.max_force, "pair", "max_force")? }
        } else if let Some(name) = &entry.part {
            let place =
                entry.ends_at.as_ref().map(|place| DVec3::from(place.0)).ok_or("part needs ends_at")?;
            let within = needed(entry.within, "part", "within")?;
            let named = named(name, scene)?;
            let parts = (0..).zip(named).filter(|(_, is_named)| *is_named).map(|(part, _)| part);
            Self::EndsAt { parts: parts.collect(), place, within }
        } else if let Some(name) = &entry.joint {
            let joints = joints(name, scene)?;
            if entry.max_deviation.or(entry.max_stalled).is_some()
                && !joints.iter().any(|&j| is_driven(j, scene))
            {
                return Err(format!(
                    "no joint that is called {name:?} has a drive, which could miss its target or stall"
                ));
            }
            Self::Joint { joints, most: entry.joint_limits()? }
        } else {
            Self::Lost { most: entry.lost.ok_or(SUBJECTS)? }
        })
    }
}

/// Returns for each body whether it matches a name. Returns an error if no body matches.
fn named(name: &str, scene: &Scene) -> Result<Vec<bool>, String> {
    let pattern = PartPattern::new(name)?;
    let named: Vec<bool> = scene.bodies.iter().map(|body| pattern.is_match(body)).collect();
    if named.contains(&true) {
        return Ok(named);
    }
    let known = scene.bodies.iter().map(|body| body.name.as_str());
    Err(format!("no part is called {name:?}{}", instead(name, known)))
}

/// Returns the joints that match a name, by index. Returns an error if no joint matches.
fn joints(name: &str, scene: &Scene) -> Result<Vec<u32>, String> {
    let pattern = matcher(name)?;
    let of_name = (0..).zip(&scene.joints).filter(|(_, joint)| pattern.is_match(&joint.name));
    let found: Vec<u32> = of_name.map(|(index, _)| index).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let known = scene.joints.iter().map(|joint| joint.name.as_str());
    Err(format!("no joint is called {name:?}{}", instead(name, known)))
}

fn needed(value: Option<f64>, subject: &str, key: &str) -> Result<f64, String> {
    value.ok_or_else(|| format!("{subject} needs {key}"))
}

/// Returns whether a joint has a drive.
fn is_driven(joint: u32, scene: &Scene) -> bool {
    let joint = &scene.joints[joint as usize];
    joint.pose_drive.is_some() || (0..6).any(|axis| joint.axis(axis).drive.is_some())
}
