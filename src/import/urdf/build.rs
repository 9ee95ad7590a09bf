//! Links and joints → a model, and what is to be said of it.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::Draft;
use super::elements::{Description, Joint, JointKind};
use super::meshes::Meshes;
use super::tree::LinkOrder;
use crate::digits::grouped;
use crate::import::error::LoadError;
use crate::import::model::{Model, NoteKind};
use crate::import::notes::Notes;
use crate::import::posing::place_links;
use crate::import::text::list;

pub(super) fn model(
    source: &str,
    robot: Description,
    tree: &LinkOrder,
    meshes: &mut Meshes,
) -> Result<Model, LoadError> {
    let model = Model { source: source.to_owned(), ..Model::default() };
    let mut builder = Draft {
        source,
        model,
        notes: Notes::default(),
        meshes,
        missing: BTreeMap::new(),
        large: BTreeSet::new(),
    };
    let nodes = builder.links(&robot, tree)?;
    builder.masses(&robot, tree, &nodes);
    builder.joints(&robot, tree, &nodes);
    place_links(&mut builder.model);
    builder.say(&robot);
    let Draft { mut model, mut notes, meshes, .. } = builder;
    model.geometries = std::mem::take(&mut meshes.geometries);
    model.files = std::mem::take(&mut meshes.files);
    notes.extend(&meshes.notes);
    model.notes = notes.finish(source);
    Ok(model)
}

impl Draft<'_, '_> {
    /// What the file says and is not done.
    fn say(&mut self, robot: &Description) {
        if !self.missing.is_empty() {
            let missing: Vec<String> = self.missing.values().cloned().collect();
            let text = format!(
                "{} meshes are missing, and their links go without: {}",
                missing.len(),
                list(&missing, "; ")
            );
            self.note(NoteKind::Warning, text);
        }
        let left_out: Vec<String> =
            robot.left_out.iter().map(|(name, count)| format!("{name} {count}")).collect();
        if !left_out.is_empty() {
            self.note(NoteKind::Ignored, format!("elements that are not read: {}", left_out.join(", ")));
        }
        let endless =
            |j: &&Joint| j.range.is_none() && matches!(j.kind, JointKind::Revolute | JointKind::Prismatic);
        let endless: Vec<String> = robot.joints.iter().filter(endless).map(|j| j.name.clone()).collect();
        if !endless.is_empty() {
            let text = format!(
                "{} joints that should have limits have none, and turn or slide without end: {}",
                endless.len(),
                list(&endless, "; ")
            );
            self.note(NoteKind::Warning, text);
        }
        let damped = robot.joints.iter().filter(|j| j.damping != 0.0).count();
        if damped > 0 {
            let text = "joints have damping: it is left out, as drives have their own";
            self.note(NoteKind::Ignored, format!("{} {text}", grouped(damped as u64)));
        }
    }
}
