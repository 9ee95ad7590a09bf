//! Assembly of models and a scene file to a scene. In a model without physics data every mesh node
//! becomes a body of its own (a part). In a model with physics data `rigid.rs` finds the bodies. Skins
//! and animated nodes become figures (articulated characters).

use glam::{DMat4, DVec3};
use globset::GlobSet;
use toml::Spanned;

use super::FigureKind;
use super::builder::Builder;
use super::error::SceneError;
use super::figure::{Drive, figures, skinned_size};
use super::hints;
use super::parts::add_parts;
use super::patterns::{Alternative, alternatives, matcher};
use super::placement::{Placement, Recenter};
use super::ragdoll::add_ragdoll;
use super::rigid;
use super::robot::{self, Base};
use super::rules;
use super::sidecar::{Animation, ModelEntry, STRENGTHS};
use super::skin::{add_figure, watch_itself};
use super::source::Source;
use super::surfaces::Surfaces;
use crate::arrays::MapEach;
use crate::import::NoteKind;
use crate::import::limits::{self, at_most};
use crate::import::model::part_name;
use crate::import::model::{Clip, Model};
use crate::import::retarget;
use crate::pose::turn;
use crate::random::Random;

/// Cause of motion of a model's skins.
#[derive(Clone, Copy, Debug)]
pub(super) enum FigureMode {
    Kinematic { self_collision: bool },
    Ragdoll,
    Powered { strength: f64 },
}

/// Compiles the node patterns of an entry. Callers compile again instead of keeping the result, because
/// many compiled patterns would take too much memory.
fn patterns(entry: &ModelEntry, source: &Source) -> Result<Vec<GlobSet>, SceneError> {
    let file = entry.file.as_ref();
    let compiled = |pattern: &Spanned<String>| {
        let made = matcher(pattern.as_ref());
        made.map_err(|reason| source.error(pattern.span(), format!("{file}: {reason}")))
    };
    entry.nodes.iter().map(compiled).collect()
}

/// Counts the surfaces of an entry. Returns an error if the scene has too many.
pub(super) fn count_surfaces(
    builder: &mut Builder,
    surfaces: &mut Surfaces,
    model: &Model,
    entry: &ModelEntry,
    source: &Source,
) -> Result<(), SceneError> {
    let file = entry.file.as_ref();
    let wrong = |reason: String| source.error(entry.file.span(), format!("{file}: {reason}"));
    let select = patterns(entry, source)?;
    builder.check_matches(select.len(), model.nodes.len()).map_err(wrong)?;
    surfaces.add(builder, model, entry.scale, entry.animation.is_some(), &|name| is_wanted(&select, name));
    builder.verdict().map_err(wrong)
}

/// Returns whether any of the patterns matches the name, or there are no patterns.
fn is_wanted(select: &[GlobSet], name: &str) -> bool {
    select.is_empty() || select.iter().any(|s| s.is_match(name))
}

/// Adds one entry of a scene file with all its copies. `other` is the model of the file that the
/// entry's animation names, whose clip is retargeted.
pub(super) fn add_entry(
    builder: &mut Builder,
    model: &Model,
    other: Option<&Model>,
    entry: &ModelEntry,
    source: &Source,
) -> Result<(), SceneError> {
    let file = entry.file.as_ref();
    let wrong = |reason: String| source.error(entry.file.span(), format!("{file}: {reason}"));
    let select = patterns(entry, source)?;
    let numbers = [entry.position, entry.rotation].concat();
    if !(entry.scale.is_finite() && entry.scale != 0.0) || numbers.iter().any(|x| !x.is_finite()) {
        return Err(wrong("position, rotation and scale must be finite, scale not zero".to_owned()));
    }
    let carried = match (&entry.animation, other) {
        (Some(animation), Some(other)) => Some(carried_over(builder, model, other, animation, source)?),
        _ => None,
    };
    let drive = match (entry.joint_motion(), &entry.animation) {
        (Some((_, animation)), _) => check_joint_motion(animation).map(|()| None),
        (None, Some(animation)) => drive(model, carried.as_ref(), animation).map(Some),
        (None, None) => Ok(None),
    };
    let drive = drive.map_err(wrong)?;
    let mode = mode(entry).map_err(|reason| match &entry.strength {
        Some(strength) => source.error(strength.span(), format!("{file}: {reason}")),
        None => wrong(reason),
    })?;
    if let Some(copies) = entry.copies {
        let lengths = copies.spacing.iter().chain([&copies.jitter]);
        if copies.count.contains(&0) || lengths.into_iter().any(|x| !x.is_finite()) {
            return Err(wrong("copies need counts above 0 and a finite spacing and jitter".to_owned()));
        }
    }
    let [x, y, z] = entry.copies.map_or([1; 3], |c| c.count).map_each(u64::from);
    let copy_count = x.saturating_mul(y).saturating_mul(z);
    at_most(limits::BODIES, copy_count.try_into().unwrap_or(usize::MAX), "copies").map_err(wrong)?;
    let first = builder.scene.bodies.len();
    for copy in 0..copy_count {
        let at = [copy % x, copy / x % y, copy / (x * y)].map_each(|i| i as f64);
        let place = Placement { matrix: placement(builder, entry, at, copy), recenter: entry.recenter };
        add_model(builder, model, &place, &|name| is_wanted(&select, name), drive.as_ref(), mode, entry.base);
        builder.verdict().map_err(wrong)?;
        if copy == 0 {
            rules::note_size(builder, &model.source, first, entry.unit);
        }
    }
    for (pattern, select) in entry.nodes.iter().zip(&select) {
        note_nodes(builder, model, file, pattern.as_ref(), select).map_err(wrong)?;
    }
    Ok(())
}

/// Adds a note for a pattern that matches no node, and for each name in its braces that matches no
/// node.
fn note_nodes(
    builder: &mut Builder,
    model: &Model,
    file: &str,
    pattern: &str,
    select: &GlobSet,
) -> Result<(), String> {
    let names: Vec<_> = (0..model.nodes.len() as u32).map(|n| part_name(model, n)).collect();
    let instead = |wanted: &str| hints::instead(wanted, names.iter().map(String::as_str));
    if !names.iter().any(|name| select.is_match(name)) {
        let text = format!("no node is called {pattern:?}{}", instead(pattern));
        builder.note(NoteKind::Ignored, file, text);
        return Ok(());
    }
    for Alternative { word, pattern } in alternatives(pattern) {
        builder.check_matches(1, names.len())?;
        let select = matcher(&pattern)?;
        if !names.iter().any(|name| select.is_match(name)) {
            let text = format!("no node matches {word:?} in the braces{}", instead(&word));
            builder.note(NoteKind::Warning, file, text);
        }
    }
    Ok(())
}

/// Returns the cause of motion of an entry's figures, or an error if the entry's keys contradict each
/// other.
fn mode(entry: &ModelEntry) -> Result<FigureMode, String> {
    if entry.self_collision && entry.figure != FigureKind::Kinematic {
        return Err(
            "links of a figure that forces move always collide; self_collision is for others".to_owned()
        );
    }
    let strength = entry.strength.as_ref().map(|s| *s.get_ref());
    match (entry.figure, strength) {
        (FigureKind::Kinematic, None) => Ok(FigureMode::Kinematic { self_collision: entry.self_collision }),
        (FigureKind::Ragdoll, None) => Ok(FigureMode::Ragdoll),
        (FigureKind::Powered, None) => Ok(FigureMode::Powered { strength: 1.0 }),
        (FigureKind::Powered, Some(s)) if STRENGTHS.contains(&s) => Ok(FigureMode::Powered { strength: s }),
        (FigureKind::Powered, _) => {
            Err(format!("the strength of a figure must be {} to {}", STRENGTHS.start(), STRENGTHS.end()))
        }
        _ => Err("only a powered figure has a strength".to_owned()),
    }
}

/// Returns the clip of the model `other` that the animation selects, retargeted to the nodes of
/// `model`.
fn carried_over(
    builder: &mut Builder,
    model: &Model,
    other: &Model,
    animation: &Animation,
    source: &Source,
) -> Result<Clip, SceneError> {
    let span = animation.file.as_ref().map(Spanned::span).unwrap_or_default();
    let wrong = |reason: String| source.error(span.clone(), reason);
    let clip = named_clip(other, animation).map_err(|reason| wrong(format!("{}: {reason}", other.source)))?;
    let (clip, notes) =
        retarget(other, clip, model, &animation.map).map_err(|error| wrong(error.to_string()))?;
    builder.notes.extend(&notes);
    Ok(clip)
}

/// Returns the clip that an animation names, or the model's first clip if it names none.
fn named_clip<'a>(model: &'a Model, animation: &Animation) -> Result<&'a Clip, String> {
    let clip = match &animation.clip {
        Some(name) => model.clips.iter().find(|c| c.name == *name),
        None => model.clips.first(),
    };
    clip.ok_or_else(|| {
        let names: Vec<&str> = model.clips.iter().map(|c| c.name.as_str()).collect();
        let wanted = animation.clip.as_ref().map(|c| format!(" called {c:?}")).unwrap_or_default();
        format!("there is no animation{wanted}; the model has {names:?}")
    })
}

/// Returns the settings by which an entry's animation plays a clip: `carried` (a retargeted clip of
/// another file) if given, else one of the model's own clips.
fn drive<'a>(
    model: &'a Model,
    carried: Option<&'a Clip>,
    animation: &Animation,
) -> Result<Drive<'a>, String> {
    let clip = carried.map_or_else(|| named_clip(model, animation), Ok)?;
    if carried.is_none() && (animation.skeleton.is_some() || !animation.map.is_empty()) {
        return Err(
            "the skeleton and the map of an animation belong to its file, and none is given".to_owned()
        );
    }
    check_speed(animation)?;
    let stride = DVec3::from_array(animation.stride);
    if !(stride.is_finite() && stride.abs().max_element() <= limits::COORDINATE) {
        let most = limits::COORDINATE;
        return Err(format!(
            "the stride of an animation must be finite and at most {most:e} m along an axis"
        ));
    }
    let looped = animation.looped.unwrap_or_else(|| !is_capture(animation));
    Ok(Drive { clip, speed: animation.speed, looped, stride })
}

fn check_speed(animation: &Animation) -> Result<(), String> {
    let is_valid = animation.speed.is_finite() && animation.speed > 0.0;
    if is_valid { Ok(()) } else { Err("the speed of an animation must be above 0".to_owned()) }
}

/// Returns an error if an animation that plays a table of joints has keys that such a table cannot use.
fn check_joint_motion(animation: &Animation) -> Result<(), String> {
    let Animation { file: _, skeleton, map, clip, speed: _, looped: _, stride } = animation;
    if skeleton.is_some() || !map.is_empty() || clip.is_some() || *stride != [0.0; 3] {
        return Err("a table of joints has neither skeleton nor map, clip or stride".to_owned());
    }
    check_speed(animation)
}

/// Returns whether the animation's file is a motion capture (.bvh, .amc), whose root may travel.
fn is_capture(animation: &Animation) -> bool {
    let extension = animation.file.as_ref().and_then(|f| f.as_ref().rsplit_once('.'));
    extension.is_some_and(|(_, kind)| ["bvh", "amc"].iter().any(|k| kind.eq_ignore_ascii_case(k)))
}

/// Returns the matrix of one copy of an entry. `grid` is its position in the grid of copies.
fn placement(builder: &Builder, entry: &ModelEntry, grid: [f64; 3], copy: u64) -> DMat4 {
    let [x, y, z] = entry.rotation;
    let mut rotation = turn(DVec3::Z, z) * turn(DVec3::Y, y) * turn(DVec3::X, x);
    let mut position = DVec3::from_array(entry.position);
    if let Some(copies) = entry.copies {
        // The stream depends on the copy and not on the draws of other copies.
        let stream = builder.scene.bodies.len() as u64 ^ copy << 32;
        let mut random = Random::new(builder.scene.config.seed, stream);
        position += DVec3::from_array(copies.spacing) * DVec3::from_array(grid);
        position += copies.jitter * DVec3::from_array([random.signed(), random.signed(), random.signed()]);
        if copies.random_rotation {
            rotation = random.rotation() * rotation;
        }
    }
    DMat4::from_scale_rotation_translation(DVec3::splat(entry.scale), rotation, position)
}

/// Adds all nodes of a model whose names `wanted` accepts.
pub(super) fn add_model(
    builder: &mut Builder,
    model: &Model,
    place: &Placement,
    wanted: &dyn Fn(&str) -> bool,
    drive: Option<&Drive>,
    mode: FigureMode,
    base: Option<Base>,
) {
    let skinned = skinned_size(model);
    if !(builder.may_lay_out(skinned.saturating_add(model.nodes.len())) && builder.may_have_surface(skinned))
    {
        return;
    }
    let figures = figures(model, wanted);
    if place.recenter != Recenter::Off && !figures.is_empty() {
        builder.note(NoteKind::Ignored, &model.source, "recenter does not move a skinned figure");
    }
    if figures.is_empty() && !matches!(mode, FigureMode::Kinematic { .. }) {
        builder.note(NoteKind::Ignored, &model.source, "has no skin, so it is no figure");
    }
    for figure in figures {
        let links = at_most(limits::FIGURE_LINKS, figure.links.len(), "links of one figure");
        if !(builder.check(links) && builder.may_lay_out(model.nodes.len())) {
            return;
        }
        let first = figure.links.first().map_or("figure", |l| l.name.as_str());
        let name = format!("{} of {first}", model.source);
        let drive = drive.copied();
        match mode {
            FigureMode::Kinematic { self_collision } => {
                let added = add_figure(builder, model, &name, &figure, place.matrix, drive);
                if added && self_collision {
                    watch_itself(builder);
                }
            }
            FigureMode::Ragdoll => add_ragdoll(builder, model, &name, &figure, place.matrix, drive, None),
            FigureMode::Powered { strength } => {
                add_ragdoll(builder, model, &name, &figure, place.matrix, drive, Some(strength));
            }
        }
    }
    if model.has_physics() {
        if drive.is_some() {
            let text = "has physics, so its animation moves skins only";
            builder.note(NoteKind::Ignored, &model.source, text);
        }
        let added = rigid::add_bodies(builder, model, place, wanted);
        robot::stand(builder, model, &added, base);
    } else {
        add_parts(builder, model, place, wanted, drive);
    }
}
