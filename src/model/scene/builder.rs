//! A scene under construction: surfaces deduplicated by content, bodies with unique names.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use glam::{DMat3, DVec3, Vec3};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::looks::Paint;
use super::palette;
use super::unique::Unique;
use super::{BodyDef, PartRange, Scene};
use crate::arrays::MapEach;
use crate::body::Motion;
use crate::digits::grouped;
use crate::import::limits::{self, at_most};
use crate::import::model::CornerColors;
use crate::import::model::Model;
use crate::import::notes::Notes;
use crate::import::{Note, NoteKind, Unit};
use crate::mesh::{Mesh, VolumeMethod};
use crate::pose::Pose;

/// Density of bodies for which nothing specifies one, kg/m³: that of water, and about that of most
/// plastics.
pub const DEFAULT_DENSITY: f64 = 1000.0;
/// sRGB color of surfaces without a color.
pub(super) const DEFAULT_COLOR: [u8; 3] = [203; 3];

pub(super) struct Builder {
    pub scene: Scene,
    /// Mesh index by content; `None` for a surface without area.
    meshes: HashMap<u128, Option<u32>>,
    /// Paint index by content.
    paints: HashMap<u128, u32>,
    /// Names in use, each with the number to try next for a further body of that name.
    names: Unique,
    /// Paths in use, each with the number to try next.
    paths: Unique,
    pub notes: Notes,
    /// Place and text of each note so far, so that copies of a part do not repeat a note.
    noted: HashSet<(String, String)>,
    /// Number of triangles of surfaces that are drawn but do not collide.
    drawn_count: usize,
    /// Number of nodes, vertices and triangles laid out, each counted as often as it is used.
    laid_out: usize,
    /// Number of triangles of all distinct surfaces.
    surface_triangles: usize,
    /// Number of triangles in the files of all models.
    in_files: usize,
    /// Files without a unit, each with the unit that was guessed, m.
    guessed_units: Vec<(String, f64)>,
    /// Number of animation poses kept, and number of nodes posed to compute them.
    posed: [usize; 2],
    /// Number of patterns, each times the number of names that it was compared with.
    match_count: usize,
    /// Text of the first limit that the scene exceeds.
    refused: Option<String>,
    /// Names of bodies whose mass or density was specified.
    pub weighed: HashSet<String>,
}

/// View of triangles of a surface.
#[derive(Clone, Copy)]
pub(super) struct Patch<'a> {
    pub positions: &'a [Vec3],
    pub triangles: &'a [[u32; 3]],
    /// Corner colors per triangle; empty if it has none.
    pub colors: &'a [CornerColors],
}

/// Triangles of one body, in body space, and the nodes that they come from.
#[derive(Clone, Debug, Default)]
pub(super) struct Soup {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Corner colors per triangle; empty until some triangle has a color.
    pub colors: Vec<CornerColors>,
    pub parts: Vec<PartRange>,
}

impl Soup {
    /// Appends triangles transformed by a matrix and an offset. A mirror flips their winding.
    pub fn append(&mut self, name: &str, patch: Patch, linear: DMat3, offset: DVec3) {
        let Patch { positions, triangles, colors } = patch;
        let first = self.positions.len() as u32;
        let part = PartRange { name: name.to_owned(), first_triangle: self.triangles.len() as u32 };
        self.parts.push(part);
        self.positions.extend(positions.iter().map(|p| (linear * p.as_dvec3() + offset).as_vec3()));
        let mirrored = linear.determinant() < 0.0;
        self.triangles.extend(triangles.iter().map(|t| {
            let [a, b, c] = t.map_each(|v| v + first);
            if mirrored { [a, c, b] } else { [a, b, c] }
        }));
        if !(colors.is_empty() && self.colors.is_empty()) {
            let before = self.triangles.len() - triangles.len();
            self.colors.resize(before, [DEFAULT_COLOR; 3]);
            self.colors.extend(colors.iter().map(|&[a, b, c]| if mirrored { [a, c, b] } else { [a, b, c] }));
            self.colors.resize(self.triangles.len(), [DEFAULT_COLOR; 3]);
        }
    }
}

impl Builder {
    pub fn new(scene: Scene) -> Self {
        let mut builder = Self {
            scene,
            meshes: HashMap::new(),
            paints: HashMap::new(),
            names: Unique::default(),
            paths: Unique::default(),
            notes: Notes::default(),
            noted: HashSet::new(),
            drawn_count: 0,
            laid_out: 0,
            surface_triangles: 0,
            in_files: 0,
            guessed_units: Vec::new(),
            posed: [0; 2],
            match_count: 0,
            refused: None,
            weighed: HashSet::new(),
        };
        // Paint 0 is the one for surfaces without a color.
        builder.paint(&[]);
        builder
    }

    /// Adds a note unless it was added before.
    pub fn note(&mut self, kind: NoteKind, place: impl Into<String>, text: impl Into<String>) {
        let (place, text) = (place.into(), text.into());
        // Once `NOTES` distinct notes exist, repeated notes are no longer detected; `Notes` only counts
        // notes beyond the limit.
        if self.noted.len() >= limits::NOTES || self.noted.insert((place.clone(), text.clone())) {
            self.notes.add(Note { kind, place, text });
        }
    }

    /// Returns the mesh of a soup, shared by all bodies with the same triangles. Returns `None`, and
    /// adds a note, if no triangle has an area.
    pub fn mesh(&mut self, name: &str, soup: &Soup) -> Option<u32> {
        let key = content(soup);
        if let Some(&known) = self.meshes.get(&key) {
            return known;
        }
        if !self.may_have_surface(soup.triangles.len()) {
            return None;
        }
        self.surface_triangles += soup.triangles.len();
        let made = match Mesh::new(name, &soup.positions, &soup.triangles) {
            Ok(mesh) => {
                self.scene.meshes.push(Arc::new(mesh));
                Some(self.scene.meshes.len() as u32 - 1)
            }
            Err(error) => {
                self.note(NoteKind::LeftOut, name, format!("has no usable surface: {error}"));
                None
            }
        };
        self.meshes.insert(key, made);
        made
    }

    /// Returns the index of the paint with these corner colors; equal paints share an index. The paint
    /// is [`Paint::Plain`] if all corners have one color.
    pub fn paint(&mut self, colors: &[CornerColors]) -> u32 {
        let corners = colors.as_flattened();
        let first = corners.first().copied().unwrap_or(DEFAULT_COLOR);
        let plain = corners.iter().all(|c| *c == first);
        // A plain key has three bytes and a corner key nine per triangle, so keys of the two kinds
        // differ.
        let key = xxh3_128(if plain { &first } else { corners.as_flattened() });
        let paints = &mut self.scene.paints;
        *self.paints.entry(key).or_insert_with(|| {
            paints.push(if plain { Paint::Plain(first) } else { Paint::Corners(colors.to_vec()) });
            paints.len() as u32 - 1
        })
    }

    /// Returns the paint of a surface that is drawn for a body. A surface without colors takes the
    /// body's paint if that is plain.
    pub fn paint_like(&mut self, body: u32, colors: &[CornerColors]) -> u32 {
        let paint = self.scene.bodies.get(body as usize).map_or(0, |b| b.paint);
        match self.scene.paints[paint as usize] {
            Paint::Plain(_) if colors.is_empty() => paint,
            _ => self.paint(colors),
        }
    }

    /// Returns whether `triangle_count` more triangles may be drawn without colliding. Adds a note if
    /// not.
    pub fn may_draw(&mut self, name: &str, triangle_count: usize) -> bool {
        self.drawn_count = self.drawn_count.saturating_add(triangle_count);
        let fits = self.drawn_count <= limits::DRAWN_TRIANGLES;
        if !fits {
            let most = grouped(limits::DRAWN_TRIANGLES as u64);
            let text = format!("its visual mesh is left out: more than {most} triangles would only be drawn");
            self.note(NoteKind::Ignored, name, text);
        }
        fits
    }

    /// Returns whether the scene may have another body, and `count` more nodes, vertices and triangles.
    /// If not, [`Self::verdict`] refuses the scene.
    pub fn may_lay_out(&mut self, count: usize) -> bool {
        self.laid_out = self.laid_out.saturating_add(count);
        let what = "nodes, vertices and triangles, each counted as often as it is used";
        let laid_out = at_most(limits::LAID_OUT, self.laid_out, what);
        let bodies = at_most(limits::BODIES, self.scene.bodies.len() + 1, "bodies or more");
        self.check(laid_out.and(bodies))
    }

    /// Returns whether `poses` more animation poses may be kept, and `nodes` more nodes posed to
    /// compute them. If not, [`Self::verdict`] refuses the scene.
    pub fn may_pose(&mut self, poses: usize, nodes: usize) -> bool {
        self.posed = [self.posed[0].saturating_add(poses), self.posed[1].saturating_add(nodes)];
        let kept = at_most(limits::POSES, self.posed[0], "poses of animated links");
        let placed =
            at_most(limits::POSED_NODES, self.posed[1], "nodes to be placed for poses of animations");
        self.check(kept.and(placed))
    }

    /// Returns whether a further surface may have `triangles` triangles. The limit on the triangles of
    /// all distinct surfaces grows with the triangles in the files. If not, [`Self::verdict`] refuses
    /// the scene.
    pub fn may_have_surface(&mut self, triangles: usize) -> bool {
        let limit =
            limits::SURFACE_TRIANGLES.max(limits::SURFACES_PER_TRIANGLE.saturating_mul(self.in_files));
        let count = self.surface_triangles.saturating_add(triangles);
        self.check(at_most(limit, count, "triangles of distinct surfaces"))
    }

    /// Returns whether the scene may have another joint. If not, [`Self::verdict`] refuses the scene.
    pub fn may_join(&mut self) -> bool {
        self.check(at_most(limits::JOINTS, self.scene.joints.len() + 1, "joints or more"))
    }

    /// Counts comparisons of patterns with names. Returns an error once there are so many that they
    /// take seconds.
    pub fn check_matches(&mut self, patterns: usize, names: usize) -> Result<(), String> {
        self.match_count = self.match_count.saturating_add(patterns.saturating_mul(names));
        at_most(limits::PATTERN_MATCHES, self.match_count, "patterns times the names they are compared with")
    }

    /// Takes over the notes, files, gravity and triangle count of a loaded model. A model without
    /// gravity keeps the scene's.
    pub fn take_header(&mut self, model: &Model) {
        self.notes.extend(&model.notes);
        self.scene.files.extend(model.files.iter().cloned());
        self.scene.gravity = model.gravity.unwrap_or(self.scene.gravity);
        self.guessed_units.extend(model.guessed_unit.map(|unit| (model.source.clone(), unit)));
        self.in_files += model.geometries.iter().map(|g| g.triangles.len()).sum::<usize>();
    }

    /// Returns whether `checked` is ok. If not, its reason is kept for [`Self::verdict`].
    pub fn check(&mut self, checked: Result<(), String>) -> bool {
        let is_within = checked.is_ok();
        self.refused = self.refused.take().or(checked.err());
        is_within
    }

    /// Returns the first reason to refuse the scene as an error, if there is any.
    pub fn verdict(&mut self) -> Result<(), String> {
        self.refused.take().map_or(Ok(()), Err)
    }

    /// Returns `name`, or the first of `name.2`, `name.3`, … that is free.
    pub fn unique(&mut self, name: &str) -> String {
        self.names.take(name)
    }

    /// Returns `path`, with a number appended if it is taken: copies of a model have equal paths.
    pub fn unique_path(&mut self, path: &str) -> String {
        self.paths.take(path)
    }

    /// Builds a dynamic body with mass from its volume and the default density. Returns `None` if no
    /// triangle has an area.
    pub fn body(&mut self, name: &str, soup: &Soup, pose: Pose) -> Option<BodyDef> {
        let mesh = self.mesh(name, soup)?;
        let paint = if soup.colors.is_empty() {
            self.paint(&[[palette::color(mesh); 3]])
        } else {
            self.paint(&repaired_colors(soup, &self.scene.meshes[mesh as usize]))
        };
        Some(BodyDef { parts: soup.parts.clone(), ..self.body_like(name, (mesh, paint), pose) })
    }

    /// Builds a dynamic body with a known surface and paint, otherwise as [`Self::body`].
    pub fn body_like(&mut self, name: &str, (mesh, paint): (u32, u32), pose: Pose) -> BodyDef {
        let parts = vec![PartRange { name: name.to_owned(), first_triangle: 0 }];
        let name = self.unique(name);
        let mut body = BodyDef { mesh: Some(mesh), parts, pose, paint, ..BodyDef::empty(name) };
        self.set_density(&mut body, DEFAULT_DENSITY);
        body
    }

    /// Sets mass, center of mass and inertia of a body from its surface and a density, kg/m³. A body
    /// without a surface is unchanged.
    pub fn set_density(&self, body: &mut BodyDef, density: f64) {
        let Some(mesh) = body.mesh else { return };
        let solid = self.scene.meshes[mesh as usize].surface().volume;
        body.mass = density * solid.volume;
        body.center = solid.center;
        body.inertia = solid.inertia * density;
    }

    /// Sets the mass (kg) of a body, and center of mass and inertia as if its surface were filled
    /// evenly.
    pub fn set_mass(&self, body: &mut BodyDef, mass: f64) {
        if let Some(mesh) = body.mesh {
            let solid = self.scene.meshes[mesh as usize].surface().volume;
            self.set_density(body, mass / solid.volume);
        }
        body.mass = mass;
    }

    /// Warns of files without a unit that were taken as meters if others were taken as millimeters: most
    /// often, one export has one unit.
    pub fn note_units(&mut self) {
        let guessed = std::mem::take(&mut self.guessed_units);
        let is_guessed = |unit: Unit| move |guess: &&(String, f64)| guess.1 == unit.meters();
        let in_millimeters = guessed.iter().filter(is_guessed(Unit::Millimeter)).count();
        if in_millimeters == 0 {
            return;
        }
        let others = match in_millimeters {
            1 => "1 other file without a unit".to_owned(),
            count => format!("{count} other files without a unit"),
        };
        for (source, _) in guessed.iter().filter(is_guessed(Unit::Meter)) {
            let text = format!(
                "is taken as meters, but {others} as millimeters: if it belongs to them, say unit = \"mm\""
            );
            self.note(NoteKind::Warning, source, text);
        }
    }

    /// Adds one note for all moving bodies with default density, and one for all moving bodies whose
    /// volume is only an estimate, because their surfaces are not closed.
    pub fn note_masses(&mut self) {
        let weighed = &self.weighed;
        let assumed = |b: &&BodyDef| {
            b.motion == Motion::Dynamic
                && b.mesh.is_some()
                && b.mass.is_finite()
                && !weighed.contains(&b.name)
        };
        let count = self.scene.bodies.iter().filter(assumed).count();
        if let Some(first) = self.scene.bodies.iter().find(assumed).map(|b| b.name.clone()) {
            let bodies = if count == 1 { "moving body has" } else { "moving bodies have" };
            let text = format!("{count} {bodies} neither mass nor density: {DEFAULT_DENSITY} kg/m³ is taken");
            self.note(NoteKind::Assumed, first, text);
        }
        let estimated = |b: &&BodyDef| {
            let mesh = b.mesh.map(|m| &self.scene.meshes[m as usize]);
            b.motion == Motion::Dynamic
                && mesh.is_some_and(|m| m.surface().volume.method != VolumeMethod::Divergence)
        };
        let count = self.scene.bodies.iter().filter(estimated).count();
        if let Some(first) = self.scene.bodies.iter().find(estimated).map(|b| b.name.clone()) {
            let text = format!("{count} moving bodies are not closed: their volume is that of a thin shell");
            self.note(NoteKind::Assumed, first, text);
        }
    }
}

/// Returns the colors of a soup, with the corners of each triangle in the order that the repaired mesh
/// has. The pieces of a split triangle have its colors.
fn repaired_colors(soup: &Soup, mesh: &Mesh) -> Vec<CornerColors> {
    let mut colors = soup.colors.clone();
    let sources = &mesh.surface().source;
    let mut last = None;
    for (triangle, &source) in (0..).zip(sources) {
        let corners = soup.triangles[source as usize].map_each(|v| soup.positions[v as usize].as_dvec3());
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        // Repair swaps the last two corners of a flipped triangle. Pieces of a triangle follow each other.
        if last != Some(source) && normal.dot(mesh.topology().normal(triangle)) < 0.0 {
            colors[source as usize].swap(1, 2);
        }
        last = Some(source);
    }
    colors
}

/// Returns a hash of positions and triangles. Colors do not count.
fn content(soup: &Soup) -> u128 {
    let mut hash = Xxh3::new();
    for p in &soup.positions {
        for x in p.to_array() {
            hash.update(&x.to_bits().to_le_bytes());
        }
    }
    // The length separates positions from triangles in the hash.
    hash.update(&(soup.positions.len() as u64).to_le_bytes());
    for v in soup.triangles.as_flattened() {
        hash.update(&v.to_le_bytes());
    }
    hash.digest128()
}
