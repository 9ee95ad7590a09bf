//! Loading of a scene by the name that the user gives: that of a built-in scene, or the path of a scene
//! file or a model.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

use glam::DVec3;
use toml::Spanned;

use super::Scene;
use super::assemble::{add_entry, count_surfaces};
use super::bare::{Opening, bare_model};
use super::builder::Builder;
use super::builtin;
use super::builtin::builtin_scenes;
use super::drives;
use super::error::SceneError;
use super::expect::Expectation;
use super::expect_entry::ExpectEntry;
use super::finish::{empty_scene, finish};
use super::hints;
use super::joints;
use super::name::SceneName;
use super::places::Places;
use super::rules;
use super::sidecar::ModelEntry;
use super::source::Source;
use super::surfaces::Surfaces;
use crate::files;
use crate::import::alike::most_alike;
use crate::import::limits::SCENE_FILE_BYTES;
use crate::import::model::Model;
use crate::import::{Colliders, ReadAs, Unit, Up, is_model, load_builtin, load_model, mocap};

/// Loads a built-in scene by name, or a scene file or model by path. `seed` overrides the scene's own
/// seed.
pub fn load_scene(wanted: impl Into<SceneName>, seed: Option<u64>) -> Result<Scene, SceneError> {
    let wanted = &wanted.into();
    let SceneName { name, model_paths, read_as, open_as, otherwise, settings } = wanted;
    let no_model = |reason| SceneError::Config { name: name.clone(), reason };
    let path = Path::new(name);
    if let Some(builtin) = builtin_scenes().iter().find(|s| s.name == name) {
        wanted.check_no_model().map_err(no_model)?;
        return load_builtin_scene(&Source { name, text: builtin.text, settings }, seed);
    }
    match path.try_exists() {
        Ok(true) => {}
        Ok(false) => return Err(unknown(name)),
        // The parent folder may forbid searching.
        Err(source) => return Err(SceneError::Read { path: path.to_owned(), source }),
    }
    match hints::extension(path).as_deref() {
        Some("toml") if path.is_file() => {
            let read = |source| SceneError::Read { path: path.to_owned(), source };
            let text = files::read_text(path, SCENE_FILE_BYTES).map_err(read)?;
            let places = Places::new(path, model_paths).map_err(read)?;
            let source = Source { name, text: &text, settings };
            let found_by = |file: &Spanned<String>, path: Result<PathBuf, String>| {
                path.map_err(|why| source.error(file.span(), format!("{} {why}", file.as_ref())))
            };
            let found = |file: &Spanned<String>| found_by(file, places.find(file.as_ref()));
            wanted.check_no_model().map_err(no_model)?;
            let packages = [&read_as.package_paths[..], model_paths].concat();
            let load = |file: &Spanned<String>, asked: Asked| match (found(file)?, asked) {
                (path, Asked::Model { mut read_as, joints }) => {
                    read_as.package_paths.clone_from(&packages);
                    if let Some((motion, joints)) = read_as.joints.as_mut().zip(joints) {
                        motion.path = found_by(joints, places.find_any(joints.as_ref()))?;
                    }
                    Ok(load_model(&path, &read_as)?)
                }
                (path, Asked::Motion { skeleton: None }) => Ok(load_model(&path, &ReadAs::default())?),
                (path, Asked::Motion { skeleton: Some(own) }) if mocap::needs_skeleton(&path) => {
                    Ok(mocap::load(&path, Some(&found(own)?))?)
                }
                (_, Asked::Motion { skeleton: Some(own) }) => {
                    Err(source.error(own.span(), "only an .amc takes a skeleton"))
                }
            };
            let mut scene = assemble(&source, seed, &load)?;
            scene.files.push(path.to_owned());
            Ok(scene)
        }
        Some(_) if path.is_file() && is_model(path) => {
            wanted.check_no_settings().map_err(no_model)?;
            let opening = Opening { asked: *open_as, otherwise: *otherwise, unit: read_as.unit };
            bare_model(name, &load_model(path, read_as)?, opening, seed)
        }
        _ => Err(SceneError::Kind { path: path.to_owned(), advice: hints::advice(path) }),
    }
}

/// Loads a scene file from text. It may only name built-in models: files of `assets/`, named as
/// built-in scenes name them. `seed` overrides the scene's own seed.
pub fn load_text(name: &str, text: &str, seed: Option<u64>) -> Result<Scene, SceneError> {
    load_builtin_scene(&Source { name, text, settings: &[] }, seed)
}

/// Loads a scene file that may only name built-in models.
fn load_builtin_scene(source: &Source, seed: Option<u64>) -> Result<Scene, SceneError> {
    let found = |file: &Spanned<String>| {
        let not_there = || source.error(file.span(), format!("{} is not built in", file.as_ref()));
        builtin::file(file.as_ref()).ok_or_else(not_there)
    };
    assemble(source, seed, &|file, asked| {
        let (read_as, joints) = match asked {
            Asked::Model { read_as, joints } => (read_as, joints),
            Asked::Motion { .. } => (ReadAs::default(), None),
        };
        let table = joints.map(found).transpose()?.map(String::from_utf8_lossy);
        Ok(load_builtin(file.as_ref(), found(file)?, &read_as, table.as_deref())?)
    })
}

/// Returns the error for a name that is neither a built-in scene nor a file. The error suggests a
/// similar name.
fn unknown(name: &str) -> SceneError {
    let path = Path::new(name);
    let builtin: Vec<&str> = builtin_scenes().iter().map(|s| s.name).collect();
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut files = hints::entries(folder);
    files.retain(|file| hints::is_known(Path::new(file)));
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    let names = builtin.iter().copied().chain(files.iter().map(String::as_str));
    let instead = most_alike(&wanted, names).map(|name| format!("; did you mean {name:?}?"));
    SceneError::Unknown {
        name: name.to_owned(),
        builtin: builtin.join(", "),
        instead: instead.unwrap_or_default(),
    }
}

/// Motion file that a model entry names, and the skeleton file for that motion.
#[derive(Clone, Copy)]
struct Borrowed<'a> {
    file: &'a Spanned<String>,
    skeleton: Option<&'a Spanned<String>>,
}

impl<'a> Borrowed<'a> {
    fn by(entry: &'a ModelEntry) -> Option<Self> {
        let animation = entry.animation.as_ref().filter(|_| entry.joint_motion().is_none())?;
        Some(Self { file: animation.file.as_ref()?, skeleton: animation.skeleton.as_ref() })
    }

    fn names(self) -> (&'a str, Option<&'a str>) {
        (self.file.as_ref(), self.skeleton.map(|s| s.as_ref().as_str()))
    }
}

/// Request to load a file.
enum Asked<'a> {
    /// Model. `joints` is a file with a motion of its joints.
    Model { read_as: ReadAs, joints: Option<&'a Spanned<String>> },
    /// Motion. `skeleton` is the file of its skeleton, if the motion file has none.
    Motion { skeleton: Option<&'a Spanned<String>> },
}

/// Function that loads a file for a request.
type Load<'a> = dyn Fn(&Spanned<String>, Asked) -> Result<Model, SceneError> + 'a;

/// Key of a loaded model: entries with the same file and the same import settings share one model.
type Key<'a> =
    (&'a str, Option<Unit>, Option<Up>, Vec<(&'a str, u64)>, Colliders, Option<(&'a str, u64, bool)>);

fn key(entry: &ModelEntry) -> Key<'_> {
    let pose = entry.pose.iter().map(|(joint, value)| (joint.as_str(), value.to_bits())).collect();
    let joints = entry.joint_motion().map(|(file, animation)| {
        (&file.as_ref()[..], animation.speed.to_bits(), animation.looped.unwrap_or(false))
    });
    (entry.file.as_ref(), entry.unit, entry.up, pose, entry.colliders, joints)
}

/// Builds the scene of a scene file. `load` reads models and motions; files named several times are
/// read once.
fn assemble(source: &Source, seed: Option<u64>, load: &Load) -> Result<Scene, SceneError> {
    let file = source.parse()?;
    let wrong = |reason| SceneError::Config { name: source.name.to_owned(), reason };
    file.config.check().map_err(wrong)?;
    let stem = Path::new(source.name).file_stem().map_or(source.name.into(), |s| s.to_string_lossy());
    let mut scene = empty_scene(file.name.as_deref().unwrap_or(&stem), file.config.clone(), seed);
    scene.description = file.description;
    scene.camera = file.camera;
    scene.steps = file.steps.unwrap_or(scene.steps);
    let mut builder = Builder::new(scene);
    let mut models: HashMap<Key, Model> = HashMap::new();
    let mut motions: HashMap<(&str, Option<&str>), Model> = HashMap::new();
    for entry in &file.models {
        if let Entry::Vacant(place) = models.entry(key(entry)) {
            let joints = entry.joint_motion().map(|(file, _)| file);
            let model = load(&entry.file, Asked::Model { read_as: entry.read_as(), joints })?;
            builder.take_header(&model);
            place.insert(model);
        }
        if let Some(borrowed) = Borrowed::by(entry)
            && let Entry::Vacant(place) = motions.entry(borrowed.names())
        {
            let motion = load(borrowed.file, Asked::Motion { skeleton: borrowed.skeleton })?;
            builder.notes.extend(&motion.notes);
            builder.scene.files.extend(motion.files.iter().cloned());
            place.insert(motion);
        }
    }
    // Gravity is set before figures are added, because the strength of their drives depends on it.
    if let Some(gravity) = file.gravity {
        builder.scene.gravity = DVec3::from_array(gravity);
    }
    let mut surfaces = Surfaces::default();
    for entry in &file.models {
        count_surfaces(&mut builder, &mut surfaces, &models[&key(entry)], entry, source)?;
    }
    for entry in &file.models {
        let motion = Borrowed::by(entry).and_then(|borrowed| motions.get(&borrowed.names()));
        add_entry(&mut builder, &models[&key(entry)], motion, entry, source)?;
    }
    if let Some(ground) = file.ground {
        let (span, ground) = (ground.span(), ground.into_inner());
        if !(ground.y.is_finite() && ground.size.is_finite() && ground.size > 0.0) {
            return Err(source.error(span, "the ground needs a finite height and a size above 0 m"));
        }
        rules::add_ground(&mut builder, DVec3::Y * ground.y, ground.size);
    }
    rules::apply_parts(&mut builder, &file.parts, source)?;
    rules::apply_pairs(&mut builder, &file.pairs, source)?;
    builder.scene.checks.clone_from(&file.checks);
    joints::add_joints(&mut builder, &file.joints, source)?;
    drives::apply_drives(&mut builder, &file.drives, source)?;
    let mut scene = finish(source.name, builder)?;
    add_expectations(&mut scene, &file.expectations, source)?;
    Ok(scene)
}

/// Adds the expectations of a scene file. All bodies and joints must have been added.
fn add_expectations(
    scene: &mut Scene,
    entries: &[Spanned<ExpectEntry>],
    source: &Source,
) -> Result<(), SceneError> {
    scene.expectations = entries.iter().map(|entry| entry.as_ref().clone()).collect();
    Expectation::of_scene(&scene.expectations, scene).map_err(|(index, reason)| {
        let span = entries.get(index).map_or(0..0, Spanned::span);
        source.error(span, format!("expectation {}: {reason}", index + 1))
    })?;
    Ok(())
}
