//! Rules of a scene file for parts by name (motion, mass, material) and for pairs of parts; the ground.

use glam::{DMat3, DVec3};

use super::BodyDef;
use super::builder::{Builder, Patch, Soup};
use super::error::SceneError;
use super::hints;
use super::length::{Length, written};
use super::patterns::{Alternative, PartPattern, alternatives};
use super::sidecar::{PairEntry, PairKind, PartRule};
use super::source::Source;
use crate::arrays::MapEach;
use crate::body::{Motion, WORLD};
use crate::contact::PairRule;
use crate::import::limits::{PAIR_RULES, at_most};
use crate::import::shapes;
use crate::import::{NoteKind, Unit};
use crate::pose::Pose;
use crate::volume::Aabb;

/// Thickness of a ground slab as a share of its side. The slab is thick, so that a body that starts
/// slightly inside is pushed out upward.
const SLAB_SHARE: f64 = 0.1;
/// Color of the ground, sRGB.
pub(super) const GROUND_COLOR: [u8; 3] = [160, 164, 170];

/// Applies the rules of a scene file for parts, in order. Warns of a rule that matches no part.
pub(super) fn apply_parts(
    builder: &mut Builder,
    rules: &[PartRule],
    source: &Source,
) -> Result<(), SceneError> {
    for rule in rules {
        let name = rule.name.as_ref();
        let wrong = |reason: String| source.error(rule.name.span(), format!("part {name:?}: {reason}"));
        let select = PartPattern::new(name).map_err(wrong)?;
        builder.check_matches(1, builder.scene.bodies.len()).map_err(wrong)?;
        let least = [rule.density, rule.mass, rule.friction, rule.restitution];
        if least.iter().flatten().any(|x| !(x.is_finite() && *x >= 0.0)) {
            return Err(wrong("density, mass, friction and restitution must be at least 0".to_owned()));
        }
        if rule.restitution.is_some_and(|r| r > 1.0) {
            return Err(wrong("restitution must be at most 1".to_owned()));
        }
        if [rule.rolling, rule.spinning].iter().flatten().any(|arm| !(arm.is_finite() && *arm >= 0.0)) {
            return Err(wrong("rolling and spinning must be at least 0 m".to_owned()));
        }
        let velocities = [rule.velocity, rule.angular_velocity];
        if velocities.iter().flatten().flatten().any(|x| !x.is_finite()) {
            return Err(wrong("velocities must be finite".to_owned()));
        }
        let mut hit = false;
        for index in 0..builder.scene.bodies.len() {
            if !select.is_match(&builder.scene.bodies[index]) {
                continue;
            }
            hit = true;
            let mut body = builder.scene.bodies[index].clone();
            apply_part(builder, rule, &mut body);
            builder.scene.bodies[index] = body;
        }
        if !hit {
            let instead = hints::instead(name, part_names(builder));
            builder.note(NoteKind::Warning, name, format!("no part has such a name{instead}"));
        } else {
            note_alternatives(builder, name, name).map_err(wrong)?;
        }
    }
    Ok(())
}

/// Warns of words in braces that match no part, as in `{lid,bolt}` without a bolt. Called if the whole
/// pattern matches some part.
fn note_alternatives(builder: &mut Builder, place: &str, pattern: &str) -> Result<(), String> {
    for Alternative { word, pattern } in alternatives(pattern) {
        builder.check_matches(1, builder.scene.bodies.len())?;
        let select = PartPattern::new(&pattern)?;
        if !builder.scene.bodies.iter().any(|body| select.is_match(body)) {
            let instead = hints::instead(&word, part_names(builder));
            builder.note(
                NoteKind::Warning,
                place,
                format!("no part matches {word:?} in the braces{instead}"),
            );
        }
    }
    Ok(())
}

/// Applies the rule of a scene file to one body.
fn apply_part(builder: &mut Builder, rule: &PartRule, body: &mut BodyDef) {
    if let Some(motion) = rule.motion {
        if motion == Motion::Dynamic && body.motion != Motion::Dynamic {
            builder.set_density(body, super::builder::DEFAULT_DENSITY);
        }
        body.motion = motion;
    }
    if let Some(density) = rule.density {
        builder.set_density(body, density);
        builder.weighed.insert(body.name.clone());
    }
    if let Some(mass) = rule.mass {
        builder.set_mass(body, mass);
        builder.weighed.insert(body.name.clone());
    }
    if body.motion != Motion::Dynamic || body.mass == 0.0 {
        body.mass = f64::INFINITY;
    }
    body.friction = rule.friction.unwrap_or(body.friction);
    body.restitution = rule.restitution.unwrap_or(body.restitution);
    body.rolling = rule.rolling.unwrap_or(body.rolling);
    body.spinning = rule.spinning.unwrap_or(body.spinning);
    body.linear_velocity = rule.velocity.map_or(body.linear_velocity, DVec3::from_array);
    body.angular_velocity = rule.angular_velocity.map_or(body.angular_velocity, DVec3::from_array);
}

/// Adds the pair rules of a scene file.
pub(super) fn apply_pairs(
    builder: &mut Builder,
    pairs: &[PairEntry],
    source: &Source,
) -> Result<(), SceneError> {
    for pair in pairs {
        let name = format!("{} / {}", pair.a.as_ref(), pair.b);
        let wrong = |reason: String| source.error(pair.a.span(), format!("pair {name}: {reason}"));
        let (a, b) =
            (PartPattern::new(pair.a.as_ref()).map_err(wrong)?, PartPattern::new(&pair.b).map_err(wrong)?);
        builder.check_matches(2, builder.scene.bodies.len()).map_err(wrong)?;
        let named = |select: &PartPattern| -> Vec<u32> {
            let bodies = builder.scene.bodies.iter().enumerate();
            bodies.filter(|(_, body)| select.is_match(body)).map(|(i, _)| i as u32).collect()
        };
        let rule = rule_of(pair).map_err(wrong)?;
        let (first, second) = (named(&a), named(&b));
        for (wanted, found) in [(pair.a.as_ref(), &first), (&pair.b, &second)] {
            if found.is_empty() {
                let instead = hints::instead(wanted, part_names(builder));
                builder.note(NoteKind::Ignored, &name, format!("no part is called {wanted:?}{instead}"));
            } else {
                note_alternatives(builder, &name, wanted).map_err(wrong)?;
            }
        }
        let count = builder.scene.pair_rules.len() + first.len().saturating_mul(second.len());
        at_most(PAIR_RULES, count, "pairs of parts with a rule").map_err(wrong)?;
        for &i in &first {
            let others = second.iter().filter(|&&j| j != i);
            let fits = others.filter(|&&j| can_fit(builder, [i, j], rule.clearance()));
            let rules: Vec<_> = fits.map(|&j| (i.min(j), i.max(j), rule)).collect();
            builder.scene.pair_rules.extend(rules);
        }
        note_fit(builder, &name, [&first, &second], rule.clearance());
    }
    Ok(())
}

/// Returns the rule of an entry.
fn rule_of(pair: &PairEntry) -> Result<PairRule, String> {
    let clearance = match (pair.rule, &pair.clearance) {
        (PairKind::Fit, None) => {
            return Err("a fit needs a clearance, as in clearance = \"20 um\"".to_owned());
        }
        (PairKind::Fit, Some(text)) => text.parse::<Length>()?.0,
        (_, None) => 0.0,
        (_, Some(_)) => return Err("only a rule \"fit\" has a clearance".to_owned()),
    };
    Ok(match pair.rule {
        PairKind::Collide => PairRule::Collide,
        PairKind::Ignore => PairRule::Ignore,
        PairKind::Permanent => PairRule::Permanent,
        PairKind::Fit => PairRule::Fit { clearance },
    })
}

/// Largest clearance of a fit, as a share of the smallest side of the bounds of either part. Contacts
/// find overlap up to a quarter of the thickness.
const MOST_CLEARANCE: f64 = 0.1;

/// Returns whether two parts can have a clearance, m: both are solids, and not too thin for it.
fn can_fit(builder: &Builder, bodies: [u32; 2], clearance: f64) -> bool {
    let allows = |body: u32| {
        let mesh = builder.scene.bodies[body as usize].mesh.map(|mesh| &builder.scene.meshes[mesh as usize]);
        mesh.is_none_or(|mesh| {
            let side = f64::from((mesh.bounds().max - mesh.bounds().min).min_element());
            mesh.surface().flaws.two_sided_triangle_count == 0 && clearance <= MOST_CLEARANCE * side
        })
    };
    clearance == 0.0 || bodies.into_iter().all(allows)
}

/// Warns of pairs of a fit that cannot have its clearance (m): their rule is left out.
fn note_fit(builder: &mut Builder, place: &str, [first, second]: [&[u32]; 2], clearance: f64) {
    let pairs = first.iter().flat_map(|&i| second.iter().map(move |&j| [i, j])).filter(|[i, j]| i != j);
    let wrong: Vec<[u32; 2]> = pairs.filter(|&pair| !can_fit(builder, pair, clearance)).collect();
    let Some(&[i, j]) = wrong.first() else { return };
    let [a, b] = [i, j].map_each(|body| builder.scene.bodies[body as usize].name.as_str());
    let pairs = if wrong.len() == 1 { "pair" } else { "pairs" };
    let text = format!(
        "{} {pairs} cannot have a clearance of {}, the first {a} – {b}: a part is a sheet, or its smallest side is less \
         than ten times the clearance; they collide without it",
        wrong.len(),
        written(clearance)
    );
    builder.note(NoteKind::Warning, place, text);
}

pub(super) fn part_names(builder: &Builder) -> impl Iterator<Item = &str> + Clone {
    builder.scene.bodies.iter().map(|b| b.name.as_str())
}

/// Adds a static slab whose top face is at `center`.
pub(super) fn add_ground(builder: &mut Builder, center: DVec3, side: f64) {
    let (positions, triangles) = shapes::slab(DVec3::ZERO, 0.5 * side, SLAB_SHARE * side);
    let colors = vec![[GROUND_COLOR; 3]; triangles.len()];
    let patch = Patch { positions: &positions, triangles: &triangles, colors: &colors };
    let mut soup = Soup::default();
    soup.append("ground", patch, DMat3::IDENTITY, DVec3::ZERO);
    if let Some(mut body) = builder.body("ground", &soup, Pose::from_position(center)) {
        body.motion = Motion::Static;
        body.mass = f64::INFINITY;
        body.is_ground = true;
        builder.scene.bodies.push(body);
    }
}

/// Adds ignore rules between the ground and figures that follow a clip. Their feet touch the ground
/// inexactly, which needs no report unless a pair rule requests it.
pub(super) fn stand_on_ground(builder: &mut Builder) {
    let scene = &mut builder.scene;
    let those =
        |is: fn(&BodyDef) -> bool| (0..).zip(&scene.bodies).filter(move |(_, b)| is(b)).map(|(i, _)| i);
    let links = those(|b| b.motion == Motion::Kinematic);
    let grounds: Vec<u32> = those(|b| b.is_ground).collect();
    let pairs = links.flat_map(|link: u32| grounds.iter().map(move |&g| (link.min(g), link.max(g))));
    let default: Vec<(u32, u32, PairRule)> = pairs.map(|(a, b)| (a, b, PairRule::Ignore)).collect();
    // Of several rules for a pair the last holds, so these rules are inserted before those of the scene
    // file.
    let is_assumed = !default.is_empty();
    scene.pair_rules.splice(0..0, default);
    if is_assumed {
        let text =
            "is not tested against what follows a motion: such links stand on it, more or less exactly";
        builder.note(NoteKind::Assumed, "ground", text);
    }
}

/// Returns whether there are moving bodies but neither a static body nor a joint to the world.
fn is_unsupported(builder: &Builder) -> bool {
    let solid = |m: Motion| builder.scene.bodies.iter().any(|b| b.motion == m && !b.trigger);
    let held = builder.scene.joints.iter().any(|j| j.a == WORLD || j.b == WORLD);
    !solid(Motion::Static) && !held && solid(Motion::Dynamic)
}

/// Adds a note that a file with physics gets no ground, if its parts would fall forever.
pub(super) fn note_missing_ground(builder: &mut Builder, source: &str) {
    if is_unsupported(builder) {
        let text = "moves as its file specifies and nothing in it is fixed, so there is no ground \
            (--as drop puts one under it, [ground] in a scene file)";
        builder.note(NoteKind::Assumed, source, text);
    }
}

/// Adds a ground below the lowest point of a scene, if moving bodies would fall forever because nothing
/// holds them.
pub(super) fn add_missing_ground(builder: &mut Builder) {
    if !is_unsupported(builder) {
        return;
    }
    let bounds = bounds(builder, 0);
    if bounds.is_empty() {
        let text = "nothing that moves has a surface, so no ground is put under it: it falls without end";
        builder.note(NoteKind::Warning, "ground", text);
        return;
    }
    let center = bounds.center().as_dvec3();
    let size = bounds.size().as_dvec3();
    let side = 10.0 * size.max_element();
    let y = f64::from(bounds.min.y);
    add_ground(builder, DVec3::new(center.x, y, center.z), side);
    // A height that rounds to zero has no sign.
    let y = (1e3 * y).round() / 1e3 + 0.0;
    let text = format!(
        "nothing holds the parts, so a ground with sides of {side:.3} m is put under them at y = {y:.3} m"
    );
    builder.note(NoteKind::Assumed, "ground", text);
}

/// Returns the box around the bodies from index `first` on, world.
fn bounds(builder: &Builder, first: usize) -> Aabb {
    let boxes = builder.scene.bodies[first..].iter().filter_map(|b| {
        let mesh = &builder.scene.meshes[b.mesh? as usize];
        Some(mesh.bounds().transformed(&b.pose))
    });
    boxes.fold(Aabb::EMPTY, |sum, b| sum.union(&b))
}

/// Range of plausible sizes of a model, m. A model of another size most likely has another unit.
const SIZES: std::ops::RangeInclusive<f64> = 5e-4..=1e4;
/// Size of a model from which a note suggests another unit, m. Few products are larger than 50 m, and
/// most that seem to be were exported in millimeters.
const LARGE: f64 = 50.0;

/// Adds a note on a model of an unusual size, measured over the bodies from index `first` on: a warning
/// if it is smaller than half a millimeter or larger than ten kilometers, a hint if it is larger than
/// 50 m and the user gave no unit.
pub(super) fn note_size(builder: &mut Builder, source: &str, first: usize, unit: Option<Unit>) {
    let bounds = bounds(builder, first);
    if bounds.is_empty() {
        return;
    }
    let size = f64::from(bounds.size().max_element());
    let (kind, text) = if size > 0.0 && !SIZES.contains(&size) {
        (NoteKind::Warning, format!("measures {size:.2e} m"))
    } else if size > LARGE && unit.is_none() {
        (NoteKind::Assumed, format!("measures {size:.0} m"))
    } else {
        return;
    };
    let advice = "if its lengths have another unit, name it: --unit mm, or unit = \"mm\" in a scene file";
    builder.note(kind, source, format!("{text}; {advice}"));
}
