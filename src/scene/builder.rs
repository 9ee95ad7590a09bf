//! A scene being put together: surfaces interned by content, bodies with unique names.

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
use crate::import::{Note, NoteKind};
use crate::mesh::{Mesh, VolumeMethod};
use crate::pose::Pose;

/// kg/m³ where nothing says otherwise: water, and most plastics.
pub(crate) const DEFAULT_DENSITY: f64 = 1000.0;
/// sRGB of what has no colour of its own.
pub(super) const DEFAULT_COLOR: [u8; 3] = [203; 3];

pub(super) struct Builder {
    pub scene: Scene,
    /// By content.
    meshes: HashMap<u128, Option<u32>>,
    /// By content.
    paints: HashMap<u128, u32>,
    /// Names given, with the number to try next for another of the name.
    names: Unique,
    /// Paths given, likewise.
    paths: Unique,
    pub notes: Notes,
    /// Place and text of the notes made, so that copies of a part do not repeat them.
    noted: HashSet<(String, String)>,
    /// Triangles that were asked to be drawn only.
    drawn_count: usize,
    /// Nodes, vertices and triangles that were laid out.
    laid_out: usize,
    /// Triangles of all distinct surfaces, and of the models as their files have them.
    surface_triangles: usize,
    in_files: usize,
    /// Poses that were kept of animations, and nodes that were placed for them.
    posed: [usize; 2],
    /// Patterns times names they were compared with.
    match_count: usize,
    /// The first limit that the scene is beyond, in words.
    refused: Option<String>,
    /// Names of bodies whose mass or density was said.
    pub weighed: HashSet<String>,
}

/// A surface to take triangles from.
#[derive(Clone, Copy)]
pub(super) struct Patch<'a> {
    pub positions: &'a [Vec3],
    pub triangles: &'a [[u32; 3]],
    /// One a triangle, or empty if it has none.
    pub colors: &'a [CornerColors],
}

/// Triangles of one body with the nodes they come from, body space.
#[derive(Clone, Debug, Default)]
pub(super) struct Soup {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// One a triangle, or empty as long as nothing has a colour.
    pub colors: Vec<CornerColors>,
    pub parts: Vec<PartRange>,
}

impl Soup {
    /// Appends triangles carried by a matrix and an offset; a mirror turns their winding.
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
            posed: [0; 2],
            match_count: 0,
            refused: None,
            weighed: HashSet::new(),
        };
        // What has no colour of its own names the first.
        builder.paint(&[]);
        builder
    }

    /// Adds a note unless it has been made already.
    pub fn note(&mut self, kind: NoteKind, place: impl Into<String>, text: impl Into<String>) {
        let (place, text) = (place.into(), text.into());
        // Those beyond the limit are only counted.
        if self.noted.len() >= limits::NOTES || self.noted.insert((place.clone(), text.clone())) {
            self.notes.add(Note { kind, place, text });
        }
    }

    /// The surface of a soup, shared with every other body of the same triangles; `None` (and a note) if none
    /// of them has an area.
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
                self.note(NoteKind::Ignored, name, format!("has no usable surface: {error}"));
                None
            }
        };
        self.meshes.insert(key, made);
        made
    }

    /// Index of the paint with these colours, shared with everything that has the same; plain where they are
    /// all one.
    pub fn paint(&mut self, colors: &[CornerColors]) -> u32 {
        let corners = colors.as_flattened();
        let first = corners.first().copied().unwrap_or(DEFAULT_COLOR);
        let plain = corners.iter().all(|c| *c == first);
        // Three bytes are never the corners of a triangle, so the two kinds do not meet.
        let key = xxh3_128(if plain { &first } else { corners.as_flattened() });
        let paints = &mut self.scene.paints;
        *self.paints.entry(key).or_insert_with(|| {
            paints.push(if plain { Paint::Plain(first) } else { Paint::Corners(colors.to_vec()) });
            paints.len() as u32 - 1
        })
    }

    /// The paint of a surface that is drawn for a body: its own, or if it has none the body's, if that is
    /// plain.
    pub fn paint_like(&mut self, body: u32, colors: &[CornerColors]) -> u32 {
        let paint = self.scene.bodies.get(body as usize).map_or(0, |b| b.paint);
        match self.scene.paints[paint as usize] {
            Paint::Plain(_) if colors.is_empty() => paint,
            _ => self.paint(colors),
        }
    }

    /// Whether so many triangles more can be drawn only; notes it if not.
    pub fn may_draw(&mut self, name: &str, triangle_count: usize) -> bool {
        self.drawn_count = self.drawn_count.saturating_add(triangle_count);
        let fits = self.drawn_count <= limits::DRAWN_TRIANGLES;
        if !fits {
            let most = grouped(limits::DRAWN_TRIANGLES as u64);
            let text = format!("its look is left out: more than {most} triangles would be drawn only");
            self.note(NoteKind::Ignored, name, text);
        }
        fits
    }

    /// Whether the scene may have another body, and so many nodes, vertices and triangles more may be laid
    /// out. If not, it is refused.
    pub fn may_lay_out(&mut self, count: usize) -> bool {
        self.laid_out = self.laid_out.saturating_add(count);
        let what = "nodes, vertices and triangles, each counted as often as it is used,";
        let laid_out = at_most(limits::LAID_OUT, self.laid_out, what);
        let bodies = at_most(limits::BODIES, self.scene.bodies.len() + 1, "bodies or more");
        self.check(laid_out.and(bodies))
    }

    /// Whether so many poses of an animation may be kept, and so many nodes placed to find them. If not, the
    /// scene is refused.
    pub fn may_pose(&mut self, poses: usize, nodes: usize) -> bool {
        self.posed = [self.posed[0].saturating_add(poses), self.posed[1].saturating_add(nodes)];
        let kept = at_most(limits::POSES, self.posed[0], "poses of animated links");
        let placed =
            at_most(limits::POSED_NODES, self.posed[1], "nodes to be placed for poses of animations");
        self.check(kept.and(placed))
    }

    /// Whether surfaces that are not those of the files may have so many triangles more. If not, the scene is
    /// refused.
    pub fn may_have_surface(&mut self, triangles: usize) -> bool {
        let limit =
            limits::SURFACE_TRIANGLES.max(limits::SURFACES_PER_TRIANGLE.saturating_mul(self.in_files));
        let count = self.surface_triangles.saturating_add(triangles);
        self.check(at_most(limit, count, "triangles of distinct surfaces"))
    }

    /// Whether there may be another joint. If not, the scene is refused.
    pub fn may_join(&mut self) -> bool {
        self.check(at_most(limits::JOINTS, self.scene.joints.len() + 1, "joints or more"))
    }

    /// Refuses to compare patterns with names more often than takes seconds.
    pub fn check_matches(&mut self, patterns: usize, names: usize) -> Result<(), String> {
        self.match_count = self.match_count.saturating_add(patterns.saturating_mul(names));
        at_most(limits::PATTERN_MATCHES, self.match_count, "patterns times the names they are compared with")
    }

    /// Takes note of a model that is loaded: its notes, its gravity, how much it holds.
    pub fn take_header(&mut self, model: &Model) {
        self.notes.extend(&model.notes);
        self.scene.files.extend(model.files.iter().cloned());
        self.scene.gravity = model.gravity.unwrap_or(self.scene.gravity);
        self.in_files += model.geometries.iter().map(|g| g.triangles.len()).sum::<usize>();
    }

    /// Whether something is within its limit; if not, the scene is refused.
    pub fn check(&mut self, checked: Result<(), String>) -> bool {
        let is_within = checked.is_ok();
        self.refused = self.refused.take().or(checked.err());
        is_within
    }

    /// An error if the scene is beyond a limit.
    pub fn verdict(&mut self) -> Result<(), String> {
        self.refused.take().map_or(Ok(()), Err)
    }

    /// The name itself, or the first of `name.2`, `name.3` … that is not taken.
    pub fn unique(&mut self, name: &str) -> String {
        self.names.take(name)
    }

    /// The path itself, or with a number: copies of a model have its paths.
    pub fn unique_path(&mut self, path: &str) -> String {
        self.paths.take(path)
    }

    /// A body that moves freely unless told otherwise, with mass by volume and the default density.
    pub fn body(&mut self, name: &str, soup: &Soup, pose: Pose) -> Option<BodyDef> {
        let mesh = self.mesh(name, soup)?;
        let paint = if soup.colors.is_empty() {
            self.paint(&[[palette::color(mesh); 3]])
        } else {
            self.paint(&repaired_colors(soup, &self.scene.meshes[mesh as usize]))
        };
        let name = self.unique(name);
        let mut body =
            BodyDef { mesh: Some(mesh), parts: soup.parts.clone(), pose, paint, ..BodyDef::empty(name) };
        self.set_density(&mut body, DEFAULT_DENSITY);
        Some(body)
    }

    /// Mass, centre and inertia of a body from its surface, kg/m³.
    pub fn set_density(&self, body: &mut BodyDef, density: f64) {
        let Some(mesh) = body.mesh else { return };
        let solid = self.scene.meshes[mesh as usize].surface().volume;
        body.mass = density * solid.volume;
        body.center = solid.center;
        body.inertia = solid.inertia * density;
    }

    /// Inertia of a body of known mass (kg) from its surface, as if it were of one density.
    pub fn set_mass(&self, body: &mut BodyDef, mass: f64) {
        if let Some(mesh) = body.mesh {
            let solid = self.scene.meshes[mesh as usize].surface().volume;
            self.set_density(body, mass / solid.volume);
        }
        body.mass = mass;
    }

    /// One note for all bodies whose density is a default, one for all whose volume is only estimated.
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
            let text = format!(
                "{count} moving bodies have neither mass nor density: {DEFAULT_DENSITY} kg/m³ is taken"
            );
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

/// Colours of a soup, the corners of each triangle in the order its mesh has them.
fn repaired_colors(soup: &Soup, mesh: &Mesh) -> Vec<CornerColors> {
    let mut colors = soup.colors.clone();
    for (corners, &source) in mesh.triangles().iter().zip(&mesh.surface().source) {
        let second = mesh.vertices()[corners[1] as usize];
        let [_, b, c] = soup.triangles[source as usize].map_each(|v| soup.positions[v as usize]);
        // Turning a triangle swaps its last two corners, and welding moves none nearer to another.
        if second.distance_squared(c) < second.distance_squared(b) {
            colors[source as usize].swap(1, 2);
        }
    }
    colors
}

fn content(soup: &Soup) -> u128 {
    let mut hash = Xxh3::new();
    for p in &soup.positions {
        for x in p.to_array() {
            hash.update(&x.to_bits().to_le_bytes());
        }
    }
    // Lengths part the two lists.
    hash.update(&(soup.positions.len() as u64).to_le_bytes());
    for v in soup.triangles.as_flattened() {
        hash.update(&v.to_le_bytes());
    }
    hash.digest128()
}
