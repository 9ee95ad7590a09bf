//! A model as plain data, as its file defines it. The readers of all formats return a model, and
//! `scene/` builds the bodies of a scene from it. Indices refer to the vectors of the same model. All
//! indices are in range, and all data is finite and free of cycles.

use std::path::PathBuf;

use glam::{DMat4, DQuat, DVec3, Vec3};

pub use super::physics::{
    Collider, ColliderGeometry, Inertia, JointSettings, MotionSettings, NodeJoint, PhysicsMaterial, Shape,
    Trigger,
};
use super::robot::Robot;
use crate::body::FilterTable;

#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Name of the source file, for messages.
    pub source: String,
    pub nodes: Vec<Node>,
    /// Nodes at the top of the default scene, else of the first scene, else all parentless nodes.
    pub roots: Vec<u32>,
    pub geometries: Vec<Geometry>,
    pub skins: Vec<Skin>,
    pub clips: Vec<Clip>,
    pub cameras: Vec<Camera>,
    pub shapes: Vec<Shape>,
    pub materials: Vec<PhysicsMaterial>,
    pub filters: FilterTable,
    pub joints: Vec<JointSettings>,
    /// Links and joints of a file that defines them. If set, the file defines all colliders of the
    /// links too.
    pub robot: Option<Robot>,
    /// Gravity that the file specifies (OMI_physics_gravity), m/s².
    pub gravity: Option<DVec3>,
    /// Unit of length that was guessed, m, if neither the file nor the user specified one.
    pub guessed_unit: Option<f64>,
    pub notes: Vec<Note>,
    /// Paths of the model file, and of the existing buffers, images and skeletons to which it refers.
    pub files: Vec<PathBuf>,
}

impl Model {
    /// Adds a node below `parent`, or at the top, and returns its index.
    pub fn add_node(&mut self, parent: Option<u32>, node: Node) -> u32 {
        let index = self.nodes.len() as u32;
        self.nodes.push(Node { parent, ..node });
        if let Some(parent) = parent {
            self.nodes[parent as usize].children.push(index);
        }
        index
    }

    /// Returns whether the file specifies motion, colliders or triggers.
    pub fn has_physics(&self) -> bool {
        self.nodes.iter().any(|n| n.motion.is_some() || n.collider.is_some() || n.trigger.is_some())
    }

    /// Removes all bodies, colliders and joints, so that only drawn nodes remain, and adds a note.
    pub(super) fn leave_out_physics(&mut self) {
        for node in &mut self.nodes {
            (node.motion, node.collider, node.trigger, node.joint) = (None, None, None, None);
        }
        let text =
            "its bodies, colliders and joints are left out: every part that is drawn collides by itself";
        let place = self.source.clone();
        self.notes.push(Note { kind: NoteKind::Ignored, place, text: text.to_owned() });
    }
}

/// Colors of the three corners of a triangle, sRGB.
pub type CornerColors = [[u8; 3]; 3];

/// Message about content that was ignored, repaired, assumed or is probably wrong.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Note {
    pub kind: NoteKind,
    /// File, followed by the node or mesh if known: `tray.glb, node 3 "lid"`.
    pub place: String,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// Present in the file, but without effect here.
    Ignored,
    /// Changed to make it usable.
    Repaired,
    /// Missing in the file and replaced by a documented default.
    Assumed,
    /// Done as the file specifies, although that was probably not intended.
    Warning,
    /// Geometry of the file that could collide, and is missing here.
    LeftOut,
}

impl NoteKind {
    /// Returns whether the user should act: the result may not be the intended one.
    pub fn is_warning(self) -> bool {
        matches!(self, Self::Warning | Self::LeftOut)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Name in the file; empty if it has none.
    pub name: String,
    pub parent: Option<u32>,
    pub children: Vec<u32>,
    pub local: LocalTransform,
    /// Part of the translation that a reader added so that the vertices are near their origin, in the
    /// space of the parent. The file itself has no such origin.
    pub origin: DVec3,
    pub geometry: Option<u32>,
    pub skin: Option<u32>,
    pub camera: Option<u32>,
    /// Weights of the morph targets at rest: those of the node, else those of its mesh.
    pub weights: Vec<f32>,
    /// Whether the node belongs to the default scene.
    pub in_scene: bool,
    pub motion: Option<MotionSettings>,
    pub collider: Option<Collider>,
    pub trigger: Option<Trigger>,
    pub joint: Option<NodeJoint>,
    /// The node's `extras`, unchanged.
    pub extras: Option<serde_json::Value>,
}

/// Transform from a node to its parent: a matrix, or components that an animation can replace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LocalTransform {
    Parts { translation: DVec3, rotation: DQuat, scale: DVec3 },
    Matrix(DMat4),
}

impl Default for LocalTransform {
    fn default() -> Self {
        Self::Parts { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE }
    }
}

impl LocalTransform {
    /// Returns the translation by `position`.
    pub fn at(position: DVec3) -> Self {
        Self::Parts { translation: position, rotation: DQuat::IDENTITY, scale: DVec3::ONE }
    }

    pub fn matrix(&self) -> DMat4 {
        match *self {
            Self::Parts { translation, rotation, scale } => {
                DMat4::from_scale_rotation_translation(scale, rotation, translation)
            }
            Self::Matrix(matrix) => matrix,
        }
    }
}

/// Mesh of a file: its triangle primitives joined. Points and lines are left out with a note.
#[derive(Clone, Debug, Default)]
pub struct Geometry {
    pub name: String,
    /// Positions of the vertices, m, in the space of the nodes that use the mesh.
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Up to eight joints (indices into the skin's `joints`) with weights, per vertex; empty without a
    /// skin.
    pub influences: Vec<Influence>,
    /// Position offset per vertex, for each morph target.
    pub morphs: Vec<Vec<Vec3>>,
    /// Corner colors per triangle; empty if the file specifies none.
    pub colors: Vec<CornerColors>,
}

impl Geometry {
    /// Returns the number of vertices (counted once more per morph target) and triangles that an
    /// instance takes.
    pub fn size(&self) -> usize {
        self.positions.len() * (1 + self.morphs.len()) + self.triangles.len()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Influence {
    pub joints: [u16; 8],
    pub weights: [f32; 8],
}

impl Influence {
    /// Returns the joint with the largest total weight on a triangle with these corners; of equal ones,
    /// the joint with the lowest index. `None` if all weights are 0.
    pub fn strongest(corners: [&Self; 3]) -> Option<u16> {
        let all = || corners.into_iter().flat_map(|c| c.joints.into_iter().zip(c.weights));
        let total = |joint: u16| all().filter(|(j, _)| *j == joint).map(|(_, weight)| weight).sum::<f32>();
        let named = all().filter(|(_, weight)| *weight > 0.0).map(|(joint, _)| (total(joint), joint));
        named.max_by(|x, y| x.0.total_cmp(&y.0).then(y.1.cmp(&x.1))).map(|(_, joint)| joint)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Skin {
    pub name: String,
    /// Node indices.
    pub joints: Vec<u32>,
    /// Inverse bind matrix per joint.
    pub inverse_bind: Vec<DMat4>,
}

/// An animation of the file.
#[derive(Clone, Debug, Default)]
pub struct Clip {
    pub name: String,
    /// Duration, s.
    pub duration: f64,
    pub tracks: Vec<Track>,
}

#[derive(Clone, Debug)]
pub struct Track {
    pub node: u32,
    /// Key times, s, strictly increasing.
    pub times: Vec<f32>,
    pub values: TrackValues,
    pub interpolation: Interpolation,
}

/// Values per key: one, or with cubic interpolation three (in-tangent, value, out-tangent).
#[derive(Clone, Debug)]
pub enum TrackValues {
    Translation(Vec<DVec3>),
    Rotation(Vec<DQuat>),
    Scale(Vec<DVec3>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    Step,
    Linear,
    CubicSpline,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    pub name: String,
    /// Vertical field of view, rad; `None` for an orthographic camera.
    pub vertical_fov: Option<f64>,
}

/// Returns the name of a node, else that of its mesh, else a text with its index.
pub fn part_name(model: &Model, node: u32) -> String {
    let own = &model.nodes[node as usize];
    let mesh = own.geometry.map(|g| model.geometries[g as usize].name.as_str()).unwrap_or_default();
    match (own.name.as_str(), mesh) {
        ("", "") => format!("node {node}"),
        ("", mesh) => mesh.to_owned(),
        (name, _) => name.to_owned(),
    }
}
