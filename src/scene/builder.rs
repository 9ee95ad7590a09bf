//! A scene being put together: surfaces interned by content, bodies with unique names.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use glam::{DMat3, DVec3, Vec3};
use xxhash_rust::xxh3::Xxh3;

use super::looks::Paint;
use super::{BodyDef, Note, NoteKind, PartRange, Scene};
use crate::body::Motion;
use crate::mesh::{Mesh, VolumeMethod};
use crate::pose::Pose;

/// kg/m³ where nothing says otherwise: water, and most plastics.
pub(super) const DEFAULT_DENSITY: f64 = 1000.0;
pub(super) const DEFAULT_FRICTION: f64 = 0.5;
/// Linear RGB.
const DEFAULT_COLOR: [f32; 3] = [0.6; 3];
/// Bodies a scene may have.
pub(super) const BODY_LIMIT: usize = 100_000;

pub(super) struct Builder {
    pub scene: Scene,
    /// By content.
    meshes: HashMap<u128, Option<u32>>,
    names: HashMap<String, u32>,
    /// Place and text of the notes made, so that copies of a part do not repeat them.
    noted: HashSet<(String, String)>,
    /// Names of bodies whose mass or density was said.
    pub weighed: HashSet<String>,
}

/// Triangles of one body with the nodes they come from, body space.
#[derive(Clone, Debug, Default)]
pub(super) struct Soup {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    pub parts: Vec<PartRange>,
    /// Of the first part, linear RGB.
    pub color: Option<[f32; 3]>,
}

impl Soup {
    /// Appends triangles carried by a matrix and an offset; a mirror turns their winding.
    pub fn append(
        &mut self,
        name: &str,
        (positions, triangles): (&[Vec3], &[[u32; 3]]),
        linear: DMat3,
        offset: DVec3,
    ) {
        let first = self.positions.len() as u32;
        let part = PartRange { name: name.to_owned(), first_triangle: self.triangles.len() as u32 };
        self.parts.push(part);
        self.positions.extend(positions.iter().map(|p| (linear * p.as_dvec3() + offset).as_vec3()));
        let mirrored = linear.determinant() < 0.0;
        self.triangles.extend(triangles.iter().map(|t| {
            let [a, b, c] = t.map(|v| v + first);
            if mirrored { [a, c, b] } else { [a, b, c] }
        }));
    }
}

impl Builder {
    pub fn new(mut scene: Scene) -> Self {
        // What has no colour of its own names the first.
        scene.paints.push(Paint::Plain(srgb(DEFAULT_COLOR)));
        Self {
            scene,
            meshes: HashMap::new(),
            names: HashMap::new(),
            noted: HashSet::new(),
            weighed: HashSet::new(),
        }
    }

    /// Adds a note unless it has been made already.
    pub fn note(&mut self, kind: NoteKind, place: impl Into<String>, text: impl Into<String>) {
        let (place, text) = (place.into(), text.into());
        if self.noted.insert((place.clone(), text.clone())) {
            self.scene.notes.push(Note { kind, place, text });
        }
    }

    /// The surface of a soup, shared with every other body of the same triangles; `None` (and a note) if none
    /// of them has an area.
    pub fn mesh(&mut self, name: &str, soup: &Soup) -> Option<u32> {
        let key = content(soup);
        if let Some(&known) = self.meshes.get(&key) {
            return known;
        }
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

    /// Index of a paint, shared with everything of the same colours.
    pub fn paint(&mut self, paint: Paint) -> u32 {
        let paints = &mut self.scene.paints;
        let index = paints.iter().position(|p| *p == paint).unwrap_or(paints.len());
        if index == paints.len() {
            paints.push(paint);
        }
        index as u32
    }

    /// The name itself, or with a number if it is taken.
    pub fn unique(&mut self, name: &str) -> String {
        let count = self.names.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 {
            return name.to_owned();
        }
        let numbered = format!("{name}.{count}");
        self.unique(&numbered)
    }

    /// A body that moves freely unless told otherwise, with mass by volume and the default density.
    pub fn body(&mut self, name: &str, soup: &Soup, pose: Pose) -> Option<BodyDef> {
        let mesh = self.mesh(name, soup)?;
        let paint = self.paint(Paint::Plain(srgb(soup.color.unwrap_or(DEFAULT_COLOR))));
        let name = self.unique(name);
        let mut body =
            BodyDef { mesh: Some(mesh), parts: soup.parts.clone(), pose, paint, ..empty_body(name) };
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

/// A body without a surface, at the origin.
pub(super) fn empty_body(name: String) -> BodyDef {
    BodyDef {
        name,
        mesh: None,
        parts: Vec::new(),
        motion: Motion::Dynamic,
        pose: Pose::IDENTITY,
        linear_velocity: DVec3::ZERO,
        angular_velocity: DVec3::ZERO,
        mass: 1.0,
        center: DVec3::ZERO,
        inertia: DMat3::IDENTITY,
        gravity_factor: 1.0,
        friction: DEFAULT_FRICTION,
        restitution: 0.0,
        paint: 0,
        trigger: false,
    }
}

/// Linear → 8-bit sRGB.
fn srgb(linear: [f32; 3]) -> [u8; 3] {
    linear.map(|c| {
        let c = c.clamp(0.0, 1.0);
        let encoded = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * libm::powf(c, 1.0 / 2.4) - 0.055 };
        (255.0 * encoded).round() as u8
    })
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
