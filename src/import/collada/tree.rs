//! The nodes of the scene → nodes of a model, with the geometries that stand there.

use std::collections::BTreeMap;

use glam::{DMat4, DVec3};
use roxmltree::Node;

use super::colors::{Color, color};
use super::elements::Elements;
use super::geometry::{Surface, surface};
use super::numbers::array;
use crate::import::fault::Checked;
use crate::import::limits::{COLLADA_NODES, NODE_DEPTH, at_most};
use crate::import::model::{Geometry, LocalTransform, Model, Node as ModelNode, Note, NoteKind};
use crate::import::notes::Notes;
use crate::import::text;
use crate::import::xml;
use crate::pose::turn;

/// The model while it is put together.
pub(super) struct Draft<'a, 'input> {
    source: &'a str,
    elements: Elements<'a, 'input>,
    pub model: Model,
    notes: Notes,
    /// By where a geometry stands in the text, and the colours of its materials.
    geometries: BTreeMap<(usize, Colors), u32>,
    /// Surfaces as they were read, by the same place.
    surfaces: BTreeMap<usize, Surface>,
}

/// The materials of a place where a geometry stands, by the names that its triangles have for them.
type Colors = BTreeMap<String, Color>;

impl<'a, 'input> Draft<'a, 'input> {
    pub fn new(source: &'a str, elements: Elements<'a, 'input>) -> Self {
        let model = Model { source: source.to_owned(), ..Model::default() };
        let (notes, geometries, surfaces) = (Notes::default(), BTreeMap::new(), BTreeMap::new());
        Self { source, elements, model, notes, geometries, surfaces }
    }

    pub fn finish(self) -> Model {
        let notes = self.notes.finish(self.source);
        Model { notes, ..self.model }
    }

    fn note(&mut self, kind: NoteKind, text: impl Into<String>) {
        self.notes.add(Note { kind, place: self.source.to_owned(), text: text.into() });
    }

    /// Adds the scene that a file shows; all of its geometries if it shows none.
    pub fn scene(&mut self, root: Node<'a, 'input>, whole: u32) -> Checked<()> {
        let instance = xml::child(root, "scene").and_then(|s| xml::child(s, "instance_visual_scene"));
        let Some(instance) = instance else {
            let geometries = xml::child(root, "library_geometries").into_iter().flat_map(xml::elements);
            for geometry in geometries.filter(|e| e.has_tag_name("geometry")) {
                self.place(geometry, geometry, whole)?;
            }
            return Ok(());
        };
        let scene = self.elements.needed(instance, "url", "visual_scene")?;
        let mut open = vec![(scene, None, 0)];
        // Depth first, and siblings in their order.
        while let Some((element, parent, depth)) = open.pop() {
            at_most(NODE_DEPTH as usize, depth, "nodes below each other")
                .or_else(|e| xml::wrong(element, e))?;
            let own = parent.map_or(Ok(whole), |parent| self.frame(element, parent))?;
            let first = open.len();
            for child in xml::elements(element) {
                match child.tag_name().name() {
                    "node" => open.push((child, Some(own), depth + 1)),
                    "instance_node" => {
                        open.push((self.elements.needed(child, "url", "node")?, Some(own), depth + 1));
                    }
                    "instance_geometry" => {
                        let geometry = self.elements.needed(child, "url", "geometry")?;
                        self.place(geometry, child, own)?;
                    }
                    "instance_controller" => self.skin(child, own)?,
                    _ => {}
                }
            }
            open[first..].reverse();
        }
        Ok(())
    }

    /// A node of the model for one of the file.
    fn frame(&mut self, element: Node<'a, 'input>, parent: u32) -> Checked<u32> {
        let limit = at_most(COLLADA_NODES, self.model.nodes.len(), "nodes and copies of nodes");
        limit.or_else(|reason| xml::wrong(element, reason))?;
        let name = element.attribute("name").or(element.attribute("id")).unwrap_or_default();
        let local = LocalTransform::Matrix(self.transform(element)?);
        let name = text::name(name).0;
        Ok(self
            .model
            .add_node(Some(parent), ModelNode { name, local, in_scene: true, ..ModelNode::default() }))
    }

    /// What carries the space of a node to that of its parent.
    fn transform(&mut self, element: Node) -> Checked<DMat4> {
        let mut matrix = DMat4::IDENTITY;
        for step in xml::elements(element) {
            matrix *= match step.tag_name().name() {
                "matrix" => DMat4::from_cols_array(&array::<16>(step)?).transpose(),
                "translate" => DMat4::from_translation(DVec3::from_array(array::<3>(step)?)),
                "scale" => DMat4::from_scale(DVec3::from_array(array::<3>(step)?)),
                "rotate" => {
                    let [x, y, z, angle] = array::<4>(step)?;
                    let axis = DVec3::new(x, y, z).try_normalize();
                    axis.map_or(DMat4::IDENTITY, |axis| DMat4::from_quat(turn(axis, angle)))
                }
                kind @ ("lookat" | "skew") => {
                    let text = format!("<{kind}> of a node is not read");
                    self.note(NoteKind::Ignored, text);
                    continue;
                }
                _ => continue,
            };
        }
        Ok(matrix)
    }

    /// The surface below a skin or a morph, as it was modelled.
    fn skin(&mut self, instance: Node<'a, 'input>, parent: u32) -> Checked<()> {
        let controller = self.elements.needed(instance, "url", "controller")?;
        let surface = xml::child(controller, "skin").or(xml::child(controller, "morph"));
        if let Some(geometry) = surface.and_then(|s| self.elements.at(s, "source", "geometry")) {
            self.note(NoteKind::Ignored, "a skin stands as it was modelled");
            self.place(geometry, instance, parent)?;
        }
        Ok(())
    }

    /// Adds a geometry to a node, in the colours that `instance` gives its materials.
    fn place(&mut self, geometry: Node<'a, 'input>, instance: Node<'a, 'input>, parent: u32) -> Checked<()> {
        let limit = at_most(COLLADA_NODES, self.model.nodes.len(), "nodes and copies of nodes");
        limit.or_else(|reason| xml::wrong(instance, reason))?;
        let colors: Colors = instance
            .descendants()
            .filter(|n| n.has_tag_name("instance_material"))
            .filter_map(|bound| {
                let material = self.elements.at(bound, "target", "material")?;
                Some((bound.attribute("symbol")?.to_owned(), color(material, &self.elements)?))
            })
            .collect();
        let key = (geometry.range().start, colors);
        let index = match self.geometries.get(&key) {
            Some(&known) => known,
            None => self.read(geometry, key)?,
        };
        let geometry = &self.model.geometries[index as usize];
        if geometry.triangles.is_empty() {
            return Ok(());
        }
        // The first of a node is its own; the file's whole has none.
        let own = &mut self.model.nodes[parent as usize];
        if own.parent.is_some() && own.geometry.is_none() {
            own.geometry = Some(index);
        } else {
            let (name, geometry) = (geometry.name.clone(), Some(index));
            self.model
                .add_node(Some(parent), ModelNode { name, geometry, in_scene: true, ..ModelNode::default() });
        }
        Ok(())
    }

    fn read(&mut self, element: Node<'a, 'input>, key: (usize, Colors)) -> Checked<u32> {
        if !self.surfaces.contains_key(&key.0) {
            let read = surface(element, &self.elements)?;
            read.said.iter().for_each(|(kind, text)| self.note(*kind, text.clone()));
            self.surfaces.insert(key.0, read);
        }
        let Surface { positions, triangles, materials, .. } = &self.surfaces[&key.0];
        let mut colors = Vec::new();
        if !key.1.is_empty() {
            let grey = [168; 3];
            let ends = materials.iter().skip(1).map(|m| m.0).chain([triangles.len()]);
            for ((start, material), end) in materials.iter().zip(ends) {
                let color = key.1.get(material).copied().unwrap_or(grey);
                colors.extend(std::iter::repeat_n([color; 3], end - start));
            }
        }
        let name = element.attribute("name").or(element.attribute("id")).unwrap_or_default();
        let (positions, triangles) = (positions.clone(), triangles.clone());
        let name = text::name(name).0;
        self.model.geometries.push(Geometry { name, positions, triangles, colors, ..Geometry::default() });
        let index = self.model.geometries.len() as u32 - 1;
        self.geometries.insert(key, index);
        Ok(index)
    }
}
