//! A model in plain data, as its file defines it. The reader of every format returns one, and `scene/`
//! makes the bodies of a scene from it. Indices refer to the vectors of the same model; all have been
//! checked to be in range, and the data to be finite and acyclic.

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
    /// Source of the model, for messages.
    pub source: String,
    pub nodes: Vec<Node>,
    /// Nodes at the top of the default scene (or of the first, or all parentless nodes without one).
    pub roots: Vec<u32>,
    pub geometries: Vec<Geometry>,
    pub skins: Vec<Skin>,
    pub clips: Vec<Clip>,
    pub cameras: Vec<Camera>,
    pub shapes: Vec<Shape>,
    pub materials: Vec<PhysicsMaterial>,
    pub filters: FilterTable,
    pub joints: Vec<JointSettings>,
    /// Links and joints that can be posed, if the file defines them; then it defines all colliders too.
    pub robot: Option<Robot>,
    /// Gravity from OMI_physics_gravity, m/s².
    pub gravity: Option<DVec3>,
    pub notes: Vec<Note>,
    /// Paths of the file itself and of the buffers, images and skeletons to which it refers, as far as
    /// they exist.
    pub files: Vec<PathBuf>,
}

impl Model {
    /// Adds a node below another, or at the top, and returns its index.
    pub fn add_node(&mut self, parent: Option<u32>, node: Node) -> u32 {
        let index = self.nodes.len() as u32;
        self.nodes.push(Node { parent, ..node });
        if let Some(parent) = parent {
            self.nodes[parent as usize].children.push(index);
        }
        index
    }

    /// Returns whether the file itself specifies bodies and motion.
    pub fn has_physics(&self) -> bool {
        self.nodes.iter().any(|n| n.motion.is_some() || n.collider.is_some() || n.trigger.is_some())
    }

    /// Removes all physics so that only drawn nodes remain, and adds a note.
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

/// sRGB of the three corners of a triangle.
pub type CornerColors = [[u8; 3]; 3];

/// A message about content that was not understood, repaired, assumed, or left out.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Note {
    pub kind: NoteKind,
    /// File, and node or mesh where there is one: `tray.glb, node 3 "lid"`.
    pub place: String,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// Present in the file, but without effect in tumble.
    Ignored,
    /// Changed to make it usable.
    Repaired,
    /// Missing in the file and replaced by a documented default.
    Assumed,
    /// Done as the file specifies, which was probably not intended.
    Warning,
}

#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Name in the file; empty if it has none.
    pub name: String,
    pub parent: Option<u32>,
    pub children: Vec<u32>,
    pub local: LocalTransform,
    pub geometry: Option<u32>,
    pub skin: Option<u32>,
    pub camera: Option<u32>,
    /// Weights of the morph targets at rest: the node's, else its mesh's.
    pub weights: Vec<f32>,
    /// Whether the default scene reaches it.
    pub in_scene: bool,
    pub motion: Option<MotionSettings>,
    pub collider: Option<Collider>,
    pub trigger: Option<Trigger>,
    pub joint: Option<NodeJoint>,
    /// The node's `extras`, unchanged.
    pub extras: Option<serde_json::Value>,
}

/// A node's transform in its parent: a matrix, or components that animation can replace.
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
    pub fn matrix(&self) -> DMat4 {
        match *self {
            Self::Parts { translation, rotation, scale } => {
                DMat4::from_scale_rotation_translation(scale, rotation, translation)
            }
            Self::Matrix(matrix) => matrix,
        }
    }
}

/// A glTF mesh: its triangle primitives joined. Points and lines are noted and left out.
#[derive(Clone, Debug, Default)]
pub struct Geometry {
    pub name: String,
    /// Positions in node space, m.
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Per vertex, up to eight joints (indices into the skin's `joints`) and weights; empty without a skin.
    pub influences: Vec<Influence>,
    /// Position offsets of each morph target, per vertex.
    pub morphs: Vec<Vec<Vec3>>,
    /// Corner colors per triangle; empty if the file specifies none.
    pub colors: Vec<CornerColors>,
}

impl Geometry {
    /// Returns the number of vertices and triangles to instantiate, morphs included.
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
    /// Returns the joint with the largest total weight on a triangle with these corners, the lowest
    /// index of equals; `None` if all weights are 0.
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

/// One value per key; three (in-tangent, value, out-tangent) with cubic interpolation.
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

/// Returns the node's name, else its mesh's, else its number.
pub fn part_name(model: &Model, node: u32) -> String {
    let own = &model.nodes[node as usize];
    let mesh = own.geometry.map(|g| model.geometries[g as usize].name.as_str()).unwrap_or_default();
    match (own.name.as_str(), mesh) {
        ("", "") => format!("node {node}"),
        ("", mesh) => mesh.to_owned(),
        (name, _) => name.to_owned(),
    }
}
