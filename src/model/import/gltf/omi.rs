//! The OMI_physics_* extensions, where they differ from KHR_physics_rigid_bodies: gravity, and the defaults
//! of a motion.

use glam::DVec3;
use serde_json::{Map, Value};

use super::nodes::node_place;
use super::object::Object;
use super::reader::Reader;
use crate::import::fault::Checked;
use crate::import::model::{Inertia, MotionSettings, NoteKind};

const GRAVITY: &str = "OMI_physics_gravity";

/// Fills in the defaults of OMI_physics_body. An inertia of zero counts as missing.
pub(super) fn complete(motion: &mut MotionSettings) {
    motion.mass.get_or_insert(1.0);
    motion.center.get_or_insert(DVec3::ZERO);
    motion.inertia.take_if(|inertia| matches!(inertia, Inertia::Principal { diagonal: DVec3::ZERO, .. }));
}

impl Reader<'_> {
    /// Reads the file's gravity. Gravity that acts in a part of the world is only noted.
    pub(super) fn read_gravity(&mut self, extensions: &Map<String, Value>) -> Checked<()> {
        if let Some(value) = extensions.get(GRAVITY) {
            let mut own = Object::new(GRAVITY, value)?;
            let strength = own.number_or("gravity", 9.80665)?;
            let direction = own.vector("direction")?.unwrap_or(DVec3::NEG_Y);
            self.model.gravity = Some(strength * direction.normalize_or_zero());
            self.note_left_over(&own);
        }
        for index in 0..self.root.nodes.len() {
            let own = self.root.nodes[index].extensions.as_ref().and_then(|e| e.others.get(GRAVITY));
            let Some(value) = own else { continue };
            let kind = value.get("type").and_then(Value::as_str).unwrap_or("untyped");
            let strength = value.get("gravity").and_then(Value::as_f64).unwrap_or(0.0);
            let text = format!("its {kind} gravity, {strength} m/s², acts in one place only: it is left out");
            self.note(NoteKind::Ignored, node_place(self.root, index), text);
        }
        Ok(())
    }
}
