//! What the user names → a scene: a built-in scene, a scene file, or a model on its own.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use glam::{DMat4, DVec3};
use toml::Spanned;

use super::assemble::{FigureMode, add_entry, add_model};
use super::builder::Builder;
use super::builtin;
use super::builtin::builtin_scenes;
use super::error::SceneError;
use super::figure::Drive;
use super::hints;
use super::joints;
use super::placement::Placement;
use super::places::Places;
use super::rules;
use super::sidecar::{ModelEntry, Source};
use super::{CameraDef, Scene};
use crate::config::Config;
use crate::files;
use crate::import::MotionFile;
use crate::import::clip::world_matrices;
use crate::import::limits::SCENE_FILE_BYTES;
use crate::import::model::Model;
use crate::import::{NoteKind, load_model, load_model_bytes, mocap};
use crate::order::Order;

/// What to open, as the user names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SceneName {
    /// The name of a built-in scene, or the path of a scene file or a model.
    pub name: String,
    /// Folders in which models that a scene file names are looked for after its own folder.
    pub model_paths: Vec<PathBuf>,
}

impl<T: AsRef<str> + ?Sized> From<&T> for SceneName {
    fn from(name: &T) -> Self {
        Self { name: name.as_ref().to_owned(), model_paths: Vec::new() }
    }
}

/// Loads a built-in scene by name, a scene file or a model by path. `seed` stands before the scene's own.
pub fn load_scene(wanted: impl Into<SceneName>, seed: Option<u64>) -> Result<Scene, SceneError> {
    let SceneName { name, model_paths } = &wanted.into();
    let path = Path::new(name);
    if let Some(builtin) = builtin_scenes().iter().find(|s| s.name == name) {
        return load_text(name, builtin.text, seed);
    }
    if !path.exists() {
        return Err(unknown(name));
    }
    match hints::extension(path).as_deref() {
        Some("toml") if path.is_file() => {
            let read = |source| SceneError::Read { path: path.to_owned(), source };
            let text = files::read_text(path, SCENE_FILE_BYTES).map_err(read)?;
            let places = Places::new(path, model_paths).map_err(read)?;
            let source = Source { name, text: &text };
            let found = |file: &Spanned<String>| {
                let path = places.find(file.as_ref());
                path.map_err(|why| source.error(file.span(), format!("{} {why}", file.as_ref())))
            };
            let mut scene = assemble(&source, seed, &|file, skeleton| match (found(file)?, skeleton) {
                (path, None) => Ok(load_model(&path)?),
                (path, Some(own)) if mocap::needs_skeleton(&path) => {
                    Ok(mocap::load(&path, Some(&found(own)?))?)
                }
                (_, Some(own)) => Err(source.error(own.span(), "only an .amc takes a skeleton")),
            })?;
            scene.files.push(path.to_owned());
            Ok(scene)
        }
        Some(_) if path.is_file() && hints::is_model(path) => bare_model(name, load_model(path)?, seed),
        _ => Err(SceneError::Kind { path: path.to_owned(), advice: hints::advice(path) }),
    }
}

/// Loads the text of a scene file whose models are built in: those of `assets/`, named as built-in scenes
/// name them. `seed` stands before the scene's own.
pub fn load_text(name: &str, text: &str, seed: Option<u64>) -> Result<Scene, SceneError> {
    let source = Source { name, text };
    assemble(&source, seed, &|file, _| match builtin::model(file.as_ref()) {
        Some(bytes) => Ok(load_model_bytes(file.as_ref(), bytes)?),
        None => Err(source.error(file.span(), format!("{} is not built in", file.as_ref()))),
    })
}

/// Neither built in nor a file: what is there that is called nearly the same.
fn unknown(name: &str) -> SceneError {
    let path = Path::new(name);
    let builtin: Vec<&str> = builtin_scenes().iter().map(|s| s.name).collect();
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut files = hints::entries(folder);
    files.retain(|file| hints::is_known(Path::new(file)));
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    let names = builtin.iter().copied().chain(files.iter().map(String::as_str));
    let instead = hints::most_alike(&wanted, names).map(|name| format!("; did you mean {name:?}?"));
    SceneError::Unknown {
        name: name.to_owned(),
        builtin: builtin.join(", "),
        instead: instead.unwrap_or_default(),
    }
}

/// The file that a model borrows its motion from, and that of the skeleton it goes with.
#[derive(Clone, Copy)]
struct Borrowed<'a> {
    file: &'a Spanned<String>,
    skeleton: Option<&'a Spanned<String>>,
}

impl<'a> Borrowed<'a> {
    fn by(entry: &'a ModelEntry) -> Option<Self> {
        let animation = entry.animation.as_ref()?;
        Some(Self { file: animation.file.as_ref()?, skeleton: animation.skeleton.as_ref() })
    }

    fn names(self) -> (&'a str, Option<&'a str>) {
        (self.file.as_ref(), self.skeleton.map(|s| s.as_ref().as_str()))
    }
}

fn empty_scene(name: &str, config: Config, seed: Option<u64>) -> Scene {
    let seed = seed.unwrap_or(config.seed);
    Scene { config: Config { seed, ..config }, ..Scene::new(name) }
}

/// Loads a model, or the motion of a file for a skeleton of another.
type Load<'a> = dyn Fn(&Spanned<String>, Option<&Spanned<String>>) -> Result<Model, SceneError> + 'a;

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
    let mut models: BTreeMap<&str, Model> = BTreeMap::new();
    let mut motions: BTreeMap<(&str, Option<&str>), Model> = BTreeMap::new();
    for entry in &file.models {
        if let Entry::Vacant(place) = models.entry(entry.file.as_ref().as_str()) {
            let model = load(&entry.file, None)?;
            builder.take_header(&model);
            place.insert(model);
        }
        if let Some(borrowed) = Borrowed::by(entry)
            && let Entry::Vacant(place) = motions.entry(borrowed.names())
        {
            let motion = load(borrowed.file, borrowed.skeleton)?;
            builder.notes.extend(&motion.notes);
            builder.scene.files.extend(motion.files.iter().cloned());
            place.insert(motion);
        }
    }
    // Figures are as strong as their weight asks for.
    if let Some(gravity) = file.gravity {
        builder.scene.gravity = DVec3::from_array(gravity);
    }
    for entry in &file.models {
        let motion = Borrowed::by(entry).and_then(|borrowed| motions.get(&borrowed.names()));
        add_entry(&mut builder, &models[entry.file.as_ref().as_str()], motion, entry, source)?;
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
    joints::add_joints(&mut builder, &file.joints, source)?;
    finish(source.name, builder)
}

/// A model without a scene file: as it stands, playing its first clip that moves a node.
fn bare_model(name: &str, model: Model, seed: Option<u64>) -> Result<Scene, SceneError> {
    if let Some(content) = MotionFile::of(&model) {
        return Err(SceneError::MotionOnly { name: name.to_owned(), content: Box::new(content) });
    }
    if model.geometries.is_empty() && model.shapes.is_empty() && !model.nodes.is_empty() {
        return Err(SceneError::NoMesh { name: name.to_owned(), node_count: model.nodes.len() });
    }
    let stem = Path::new(name).file_stem().map_or(name.into(), |s| s.to_string_lossy());
    let mut builder = Builder::new(empty_scene(&stem, Config::default(), seed));
    builder.take_header(&model);
    let drive = model.clips.iter().find(|c| !c.tracks.is_empty()).map(|clip| Drive {
        clip,
        speed: 1.0,
        looped: true,
        stride: DVec3::ZERO,
    });
    if let Some(drive) = &drive {
        let text = format!("its first animation {:?} plays, looped", drive.clip.name);
        builder.note(NoteKind::Assumed, &model.source, text);
    }
    let place = Placement { matrix: DMat4::IDENTITY, recenter: false };
    add_model(
        &mut builder,
        &model,
        &place,
        &|_| true,
        drive.as_ref(),
        FigureMode::Kinematic { self_collision: false },
    );
    rules::note_size(&mut builder);
    rules::add_missing_ground(&mut builder);
    builder.scene.camera = camera(&model);
    finish(name, builder)
}

/// The first camera of the file that the scene reaches; it looks at a point as far away as the origin is.
fn camera(model: &Model) -> Option<CameraDef> {
    let worlds = world_matrices(model, None, DMat4::IDENTITY);
    let (index, camera) =
        model.nodes.iter().enumerate().filter(|(_, n)| n.in_scene).find_map(|(i, n)| Some((i, n.camera?)))?;
    let eye = worlds[index].w_axis.truncate();
    let forward = (-worlds[index].z_axis.truncate()).try_normalize()?;
    let fov = model.cameras[camera as usize].vertical_fov;
    Some(CameraDef {
        eye,
        target: eye + forward * eye.length().max(1.0),
        vertical_fov: fov.map_or(super::default_fov(), f64::to_degrees),
    })
}

fn finish(name: &str, mut builder: Builder) -> Result<Scene, SceneError> {
    builder.note_masses();
    rules::stand_on_ground(&mut builder);
    builder.verdict().map_err(|reason| SceneError::Config { name: name.to_owned(), reason })?;
    let mut scene = builder.scene;
    scene.notes = builder.notes.finish(name);
    sort_pair_rules(&mut scene);
    if scene.bodies.iter().all(|b| b.mesh.is_none()) {
        return Err(SceneError::Empty { name: name.to_owned() });
    }
    let numbers = scene.bodies.iter().all(|b| {
        let vectors = [b.linear_velocity, b.angular_velocity, b.center];
        b.pose.is_finite() && vectors.iter().all(|v| v.is_finite()) && !b.inertia.is_nan()
    });
    if !numbers || !scene.gravity.is_finite() {
        let reason = "a position, velocity or gravity is not finite".to_owned();
        return Err(SceneError::Config { name: name.to_owned(), reason });
    }
    Ok(scene)
}

/// By bodies; of several rules for a pair the last stands.
fn sort_pair_rules(scene: &mut Scene) {
    let rules = &mut scene.pair_rules;
    rules.reverse();
    rules.order_by_key(|r| (r.0, r.1));
    rules.dedup_by_key(|r| (r.0, r.1));
}
