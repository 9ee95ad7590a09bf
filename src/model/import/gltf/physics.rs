//! Physics extensions: KHR_physics_rigid_bodies with KHR_implicit_shapes, and the corresponding
//! OMI_physics_*.
//!
//! The drafts still change. So keys are read one by one with the drafts' defaults, and unknown keys
//! become notes. An invalid reference or number is an error, except a restitution above 1, which
//! becomes 1 with a note.

use glam::{DQuat, DVec3};
use serde_json::{Map, Value};

use super::nodes::node_place;
use super::object::Object;
use super::omi;
use super::reader::Reader;
use crate::body::{Combine, CombineModes, Motion};
use crate::import::fault::{Checked, fault};
use crate::import::filters::{CollisionFilter, filter_table};
use crate::import::model::{
    Collider, ColliderGeometry, Inertia, MotionSettings, NodeJoint, NoteKind, PhysicsMaterial, Shape, Trigger,
};

/// Names of a family of extensions. The families differ in these names, and hardly in their keys.
struct Dialect {
    body: &'static str,
    shapes: &'static str,
    joint: &'static str,
}

const KHR: Dialect = Dialect {
    body: "KHR_physics_rigid_bodies",
    shapes: "KHR_implicit_shapes",
    joint: "KHR_physics_rigid_bodies",
};
const OMI: Dialect =
    Dialect { body: "OMI_physics_body", shapes: "OMI_physics_shape", joint: "OMI_physics_joint" };

impl Reader<'_> {
    /// Reads the physics extensions of the file and of its nodes.
    pub(super) fn read_physics(&mut self) -> Checked<()> {
        let root = self.root;
        let empty = Map::new();
        let extensions = root.extensions.as_ref().map_or(&empty, |e| &e.others);
        for dialect in [KHR, OMI] {
            // References count from the first shape or joint of their own family.
            let first_shape = self.model.shapes.len();
            let first_joint = self.model.joints.len();
            if let Some(value) = extensions.get(dialect.shapes) {
                let mut object = Object::new(dialect.shapes, value)?;
                for (at, shape) in object.list("shapes")?.iter().enumerate() {
                    let shape = self.read_shape(format!("{}, shape {at}", dialect.shapes), shape)?;
                    self.model.shapes.push(shape);
                }
                self.note_left_over(&object);
            }
            if let Some(value) = extensions.get(dialect.joint) {
                self.read_root(dialect.joint, value)?;
            }
            for index in 0..root.nodes.len() {
                let Some(own) = root.nodes[index].extensions.as_ref() else { continue };
                let place = node_place(root, index);
                if let Some(value) = own.others.get(dialect.body) {
                    self.read_body(
                        index,
                        &dialect,
                        format!("{place}, {}", dialect.body),
                        value,
                        first_shape,
                    )?;
                }
                let joint = own.others.get(dialect.joint).filter(|_| dialect.joint != dialect.body);
                if let Some(value) = joint {
                    let object = Object::new(format!("{place}, {}", dialect.joint), value)?;
                    self.read_node_joint(index, object, first_joint)?;
                }
                if dialect.body == KHR.body
                    && let Some(value) = own.others.get(dialect.body).and_then(|v| v.get("joint"))
                {
                    self.read_node_joint(index, Object::new(format!("{place}, joint"), value)?, first_joint)?;
                }
            }
        }
        self.read_gravity(extensions)
    }

    pub(super) fn note_left_over(&mut self, object: &Object) {
        let strange = object.left_over();
        if !strange.is_empty() {
            let text = format!("{} not understood", strange.join(", "));
            self.note(NoteKind::Ignored, &object.place, text);
        }
    }

    fn read_shape(&mut self, place: String, value: &Value) -> Checked<Shape> {
        let mut object = Object::new(place, value)?;
        let Some(kind) = object.get("type").and_then(Value::as_str) else {
            return fault(&object.place, "has no type");
        };
        let nothing = Value::Object(Map::new());
        let key = ["box", "sphere", "capsule", "cylinder", "plane", "convex", "trimesh"]
            .into_iter()
            .find(|&k| k == kind);
        let Some(key) = key else {
            return fault(&object.place, format!("has the unknown type {kind:?}"));
        };
        let mut own = Object::new(format!("{}, {key}", object.place), object.get(key).unwrap_or(&nothing))?;
        let radius = own.number_or("radius", 0.25)?;
        let shape = match key {
            "box" => Shape::Box { size: own.vector("size")?.unwrap_or(DVec3::ONE) },
            "sphere" => Shape::Sphere { radius: own.number_or("radius", 0.5)? },
            "capsule" | "cylinder" => {
                let height = own.number_or("height", 0.5)?;
                let radius_top = own.number_or("radiusTop", radius)?;
                let radius_bottom = own.number_or("radiusBottom", radius)?;
                if key == "capsule" {
                    Shape::Capsule { height, radius_top, radius_bottom }
                } else {
                    Shape::Cylinder { height, radius_top, radius_bottom }
                }
            }
            "plane" => Shape::Plane {
                size_x: own.number("sizeX")?,
                size_z: own.number("sizeZ")?,
                double_sided: own.flag("doubleSided")?,
            },
            _ => match own.index("mesh", self.model.geometries.len())? {
                Some(geometry) => Shape::Mesh { geometry, convex: key == "convex" },
                None => return fault(&own.place, "names no mesh"),
            },
        };
        let usable = match shape {
            Shape::Box { size } => size.min_element() >= 0.0 && size.max_element() > 0.0,
            Shape::Sphere { radius } => radius > 0.0,
            Shape::Capsule { height, radius_top: r, radius_bottom: s }
            | Shape::Cylinder { height, radius_top: r, radius_bottom: s } => {
                height >= 0.0 && r >= 0.0 && s >= 0.0 && r + s > 0.0
            }
            Shape::Plane { size_x, size_z, .. } => size_x.unwrap_or(1.0) > 0.0 && size_z.unwrap_or(1.0) > 0.0,
            Shape::Mesh { .. } => true,
        };
        if !usable {
            return fault(&own.place, "is degenerate");
        }
        self.note_left_over(&own);
        Ok(shape)
    }

    /// Reads the file-level lists of an extension: materials, collision filters and joints.
    fn read_root(&mut self, name: &str, value: &Value) -> Checked<()> {
        let mut object = Object::new(name, value)?;
        for (at, value) in object.list("physicsMaterials")?.iter().enumerate() {
            let mut own = Object::new(format!("{name}, material {at}"), value)?;
            let restitution = own.at_least("restitution", 0.0, 0.0)?;
            if restitution > 1.0 {
                self.note(NoteKind::Repaired, &own.place, format!("restitution was {restitution}, now 1"));
            }
            self.model.materials.push(PhysicsMaterial {
                static_friction: own.at_least("staticFriction", 0.0, 0.6)?,
                dynamic_friction: own.at_least("dynamicFriction", 0.0, 0.6)?,
                restitution: restitution.min(1.0),
                combine: CombineModes {
                    friction: combine(&mut own, "frictionCombine")?,
                    restitution: combine(&mut own, "restitutionCombine")?,
                    has_modes: true,
                },
            });
            self.note_left_over(&own);
        }
        let mut filters = Vec::new();
        for (at, value) in object.list("collisionFilters")?.iter().enumerate() {
            let mut own = Object::new(format!("{name}, filter {at}"), value)?;
            filters.push(CollisionFilter {
                systems: own.names("collisionSystems")?.unwrap_or_default(),
                collide_with: own.names("collideWithSystems")?,
                not_collide_with: own.names("notCollideWithSystems")?,
            });
            self.note_left_over(&own);
        }
        if !filters.is_empty() {
            self.model.filters = filter_table(&filters).or_else(|reason| fault(name, reason))?;
        }
        for (at, value) in object.list("physicsJoints")?.iter().enumerate() {
            let settings = self.read_joint_settings(Object::new(format!("{name}, joint {at}"), value)?)?;
            self.model.joints.push(settings);
        }
        self.note_left_over(&object);
        Ok(())
    }

    /// Reads the body extension of a node: motion, collider and trigger.
    fn read_body(
        &mut self,
        index: usize,
        dialect: &Dialect,
        place: String,
        value: &Value,
        first_shape: usize,
    ) -> Checked<()> {
        let mut object = Object::new(place, value)?;
        if let Some(value) = object.get("motion") {
            let mut motion = self.read_motion(Object::new(format!("{}, motion", object.place), value)?)?;
            if dialect.body == OMI.body {
                omi::complete(&mut motion);
            }
            self.model.nodes[index].motion = Some(motion);
        }
        if let Some(value) = object.get("collider") {
            let mut own = Object::new(format!("{}, collider", object.place), value)?;
            let geometry = self.read_collider_geometry(&mut own, first_shape)?;
            let material = own.index("physicsMaterial", self.model.materials.len())?;
            let filter = own.index("collisionFilter", self.model.filters.count())?;
            match geometry {
                Some(geometry) => {
                    self.model.nodes[index].collider = Some(Collider { geometry, material, filter });
                }
                None => self.note(NoteKind::Ignored, &own.place, "has neither a shape nor a node nor a mesh"),
            }
            self.note_left_over(&own);
        }
        if let Some(value) = object.get("trigger") {
            let mut own = Object::new(format!("{}, trigger", object.place), value)?;
            let geometry = self.read_collider_geometry(&mut own, first_shape)?;
            let filter = own.index("collisionFilter", self.model.filters.count())?;
            let mut nodes = Vec::new();
            for value in own.list("nodes")? {
                match value.as_u64().filter(|&n| n < self.root.nodes.len() as u64) {
                    Some(node) => nodes.push(node as u32),
                    None => return fault(&own.place, format!("there is no node {value}")),
                }
            }
            self.note_left_over(&own);
            self.model.nodes[index].trigger = Some(Trigger { geometry, nodes, filter });
        }
        if dialect.joint == dialect.body {
            object.get("joint");
        }
        self.note_left_over(&object);
        Ok(())
    }

    fn read_motion(&mut self, mut own: Object) -> Checked<MotionSettings> {
        let motion = match own.get("type").and_then(Value::as_str) {
            Some("static") => Motion::Static,
            Some("kinematic") => Motion::Kinematic,
            Some("dynamic") => Motion::Dynamic,
            Some(other) => return fault(&own.place, format!("type {other:?} is unknown")),
            None if own.flag("isKinematic")? => Motion::Kinematic,
            None => Motion::Dynamic,
        };
        let mass = own.number("mass")?;
        if mass.is_some_and(|m| m < 0.0) {
            return fault(&own.place, "its mass is negative");
        }
        let inertia_diagonal = own.vector("inertiaDiagonal")?;
        if inertia_diagonal.is_some_and(|d| d.min_element() < 0.0) {
            return fault(&own.place, "its inertia is negative");
        }
        let orientation = own.numbers::<4>("inertiaOrientation")?.map(DQuat::from_array);
        // The length overflows to infinity if a component is huge; this is rejected, too.
        if orientation.is_some_and(|q| !(1e-6..=1e6).contains(&q.length())) {
            return fault(&own.place, "its inertiaOrientation is no rotation");
        }
        let settings = MotionSettings {
            motion,
            mass,
            center: own.vector("centerOfMass")?,
            inertia: inertia_diagonal.map(|diagonal| Inertia::Principal {
                diagonal,
                axes: orientation.map_or(DQuat::IDENTITY, DQuat::normalize),
            }),
            linear_velocity: own.vector("linearVelocity")?.unwrap_or_default(),
            angular_velocity: own.vector("angularVelocity")?.unwrap_or_default(),
            gravity_factor: own.number_or("gravityFactor", 1.0)?,
        };
        self.note_left_over(&own);
        Ok(settings)
    }

    /// Reads the geometry of a collider; `None` if it has none. KHR has the key `geometry` with a
    /// shape, a node or, in later drafts, a mesh. OMI and older drafts have the key `shape` directly in
    /// the collider.
    fn read_collider_geometry(
        &mut self,
        own: &mut Object,
        first_shape: usize,
    ) -> Checked<Option<ColliderGeometry>> {
        let nothing = Value::Object(Map::new());
        let mut inner =
            Object::new(format!("{}, geometry", own.place), own.get("geometry").unwrap_or(&nothing))?;
        let shape_count = self.model.shapes.len() - first_shape;
        let shape = match inner.index("shape", shape_count)? {
            Some(shape) => Some(shape),
            None => own.index("shape", shape_count)?,
        };
        let node = inner.index("node", self.root.nodes.len())?;
        let mesh = inner.index("mesh", self.model.geometries.len())?;
        let convex_hull = inner.flag("convexHull")?;
        self.note_left_over(&inner);
        if [shape, node, mesh].into_iter().flatten().count() > 1 {
            let text = "names several of a shape, a node and a mesh: the first of these is taken";
            self.note(NoteKind::Ignored, &inner.place, text);
        }
        Ok(match (shape, node, mesh) {
            (Some(shape), _, _) => Some(ColliderGeometry::Shape(shape + first_shape as u32)),
            (None, Some(node), _) => Some(ColliderGeometry::Node { node, convex_hull }),
            (None, None, Some(geometry)) => Some(ColliderGeometry::Mesh { geometry, convex_hull }),
            (None, None, None) => None,
        })
    }

    fn read_node_joint(&mut self, index: usize, mut own: Object, first_joint: usize) -> Checked<()> {
        let connected = own.index("connectedNode", self.root.nodes.len())?;
        let joint = own.index("joint", self.model.joints.len() - first_joint)?;
        let collide = own.flag("enableCollision")?;
        let (Some(connected), Some(joint)) = (connected, joint) else {
            return fault(&own.place, "a joint needs connectedNode and joint");
        };
        let settings = joint + first_joint as u32;
        self.model.nodes[index].joint = Some(NodeJoint { connected, settings, collide });
        self.note_left_over(&own);
        Ok(())
    }
}

/// Reads a combine mode; `None` if the key is missing. Fails for an unknown name.
fn combine(own: &mut Object, key: &'static str) -> Checked<Option<Combine>> {
    let Some(value) = own.get(key) else { return Ok(None) };
    Ok(Some(match value.as_str() {
        Some("average") => Combine::Average,
        Some("minimum") => Combine::Minimum,
        Some("maximum") => Combine::Maximum,
        Some("multiply") => Combine::Multiply,
        _ => {
            return fault(
                &own.place,
                format!("{key} is {value}, it must be average, minimum, maximum or multiply"),
            );
        }
    }))
}
