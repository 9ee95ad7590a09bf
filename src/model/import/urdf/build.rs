//! Construction of a model from the links and joints of a URDF file, with notes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::description::{Description, Deviations, Joint, JointKind};
use super::draft::Draft;
use super::meshes::Meshes;
use super::tree::LinkOrder;
use crate::digits::grouped;
use crate::import::error::LoadError;
use crate::import::model::{Model, NoteKind};
use crate::import::notes::Notes;
use crate::import::posing::place_links;
use crate::import::text::{self, list};

/// Builds the model of a robot. `tree` is the order of its links.
pub(super) fn model(
    file: &Path,
    source: &str,
    robot: Description,
    tree: &LinkOrder,
    meshes: &mut Meshes,
) -> Result<Model, LoadError> {
    let model = Model { source: source.to_owned(), ..Model::default() };
    let mut builder = Draft {
        file,
        source,
        model,
        notes: Notes::default(),
        meshes,
        missing: BTreeMap::new(),
        lacks_colliders: false,
        thin: Vec::new(),
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
    /// Adds notes about meshes and shapes of the file that are missing or changed.
    fn say(&mut self, robot: &Description) {
        if !self.missing.is_empty() {
            let missing: Vec<String> = self.missing.values().cloned().collect();
            let text = format!(
                "{} meshes are missing, and their links go without: {}",
                missing.len(),
                list(&missing, "; ")
            );
            self.note(if self.lacks_colliders { NoteKind::LeftOut } else { NoteKind::Warning }, text);
        }
        if !self.thin.is_empty() {
            let (count, links) = (grouped(self.thin.len() as u64), list(&self.thin, ", "));
            let text =
                format!("{count} shapes are too thin for their length and are left out: those of {links}");
            self.note(NoteKind::LeftOut, text);
        }
        if robot.links.iter().all(|l| l.collisions.is_empty())
            && robot.links.iter().any(|l| !l.visuals.is_empty())
        {
            let text = "no link says what of it collides, so nothing does: --colliders drawn (in a scene file \
                        colliders = \"drawn\") has collide what is drawn";
            self.note(NoteKind::Warning, text);
        }
        self.say_unread(&robot.said);
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
        let limp = robot.joints.iter().filter(|j| j.kind == JointKind::Spherical);
        let limp: Vec<String> = limp.map(|j| text::name(&j.name).0).collect();
        if !limp.is_empty() {
            let text = "spherical joints turn freely, and nothing drives them";
            self.note(NoteKind::Assumed, format!("{} {text}: {}", limp.len(), list(&limp, "; ")));
        }
        let damped = robot.joints.iter().filter(|j| j.damping != 0.0).count();
        if damped > 0 {
            let text = "joints have damping: it is left out, as drives have their own";
            self.note(NoteKind::Ignored, format!("{} {text}", grouped(damped as u64)));
        }
    }

    /// Adds notes about details of the text that are ignored or changed.
    fn say_unread(&mut self, said: &Deviations) {
        for text in &said.of_text {
            self.note(NoteKind::Repaired, text.clone());
        }
        let counted = |found: &BTreeMap<String, usize>| -> Vec<String> {
            found.iter().map(|(name, count)| format!("{} {count}", text::name(name).0)).collect()
        };
        let named = |names: &[String]| -> Vec<String> { names.iter().map(|n| text::name(n).0).collect() };
        let [left_out, doubled] = [counted(&said.left_out), counted(&said.doubled)];
        let [sizeless, crossed, unlimited] =
            [&said.sizeless, &said.crossed, &said.unlimited].map(|names| named(names));
        for (kind, found, text) in [
            (NoteKind::Ignored, left_out, "elements that are not read"),
            (
                NoteKind::Ignored,
                doubled,
                "elements of which the first at their place is taken, and others not",
            ),
            (NoteKind::LeftOut, sizeless, "shapes without a size, which are left out"),
            (NoteKind::Warning, crossed, "joints whose lower limit is above their upper one have no limits"),
            (
                NoteKind::Assumed,
                unlimited,
                "joints whose effort or velocity is not above 0 have no limit of it",
            ),
        ] {
            if !found.is_empty() {
                self.note(kind, format!("{text}: {}", list(&found, ", ")));
            }
        }
        for (count, text) in [
            (said.comma_count, "vectors have commas between their numbers, which count as spaces"),
            (said.plane_count, "planes become slabs 1 m thick below them, with sides of 1000 m"),
            (
                said.scale_count,
                "scales have one number, taken for all axes, or four, of which the last is left out",
            ),
        ] {
            if count > 0 {
                self.note(NoteKind::Assumed, format!("{} {text}", grouped(count as u64)));
            }
        }
    }
}
