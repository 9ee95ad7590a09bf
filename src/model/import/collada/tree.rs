//! Nodes of the file's scene → nodes of a model, with their geometries.

use std::collections::{BTreeMap, HashMap};

use glam::{DMat4, DVec3, DVec4};
use roxmltree::{Document, Node};

use super::colors::{Color, Palette};
use super::elements::Elements;
use super::geometry::{Surface, surface};
use super::numbers::array;
use crate::arrays::MapEach;
use crate::digits::grouped;
use crate::import::fault::Checked;
use crate::import::limits::{COLLADA_ELEMENTS, COLLADA_NODES, NODE_DEPTH, PAINTED, at_most};
use crate::import::model::{Geometry, LocalTransform, Model, Node as ModelNode, Note, NoteKind};
use crate::import::near::near;
use crate::import::notes::Notes;
use crate::import::polygon::Divider;
use crate::import::text;
use crate::import::xml;
use crate::pose::turn;

const COPIES: &str = "nodes and copies of nodes";

/// Model under construction. Nodes may be instanced many times, so each element is read once and cached
/// by its byte position in the text.
pub(super) struct Draft<'a, 'input> {
    source: &'a str,
    elements: Elements<'a, 'input>,
    palette: Palette,
    pub model: Model,
    notes: Notes,
    /// Number of visited elements. An element below a node counts once per copy of the node.
    looked_at: usize,
    /// Converted nodes, by the positions of their elements.
    frames: HashMap<usize, ModelNode>,
    /// Geometries of skins and morphs, by the position of the instancing element; `None` if the file
    /// has none.
    skins: HashMap<usize, Option<Node<'a, 'input>>>,
    /// Geometry indices, by the positions of the geometry and of the instancing element.
    placed: HashMap<[usize; 2], u32>,
    /// Geometry indices, by the position of the geometry and the colors of its materials.
    geometries: BTreeMap<(usize, Colors), u32>,
    /// Number of vertices, triangles and materials of all copies of geometries in additional colors.
    painted_count: usize,
    /// Surfaces as read, by the positions of their geometries.
    surfaces: BTreeMap<usize, Surface>,
    /// Origins of the model's geometries.
    origins: Vec<DVec3>,
    divider: Divider,
}

/// Material colors of an instance of a geometry, by the material symbols that the geometry's triangles
/// use.
type Colors = BTreeMap<String, Color>;

impl<'a, 'input> Draft<'a, 'input> {
    pub fn new(source: &'a str, document: &'a Document<'input>) -> Self {
        let model = Model { source: source.to_owned(), ..Model::default() };
        let elements = Elements::of(document);
        let palette = Palette::of(document.root(), &elements);
        Self {
            source,
            elements,
            palette,
            model,
            notes: Notes::default(),
            looked_at: 0,
            frames: HashMap::new(),
            skins: HashMap::new(),
            placed: HashMap::new(),
            geometries: BTreeMap::new(),
            painted_count: 0,
            surfaces: BTreeMap::new(),
            origins: Vec::new(),
            divider: Divider::new(),
        }
    }

    pub fn finish(mut self) -> Model {
        if self.palette.unread_count > 0 {
            let text = "colours of materials are not three or four numbers: they are left out";
            self.note(NoteKind::Ignored, format!("{} {text}", grouped(self.palette.unread_count as u64)));
        }
        let notes = self.notes.finish(self.source);
        Model { notes, ..self.model }
    }

    fn note(&mut self, kind: NoteKind, text: impl Into<String>) {
        self.notes.add(Note { kind, place: self.source.to_owned(), text: text.into() });
    }

    /// Adds the scene of a file below the node `whole`; if it has no scene, all of its geometries.
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
        // Depth-first traversal; siblings keep their order.
        while let Some((element, parent, depth)) = open.pop() {
            at_most(NODE_DEPTH as usize, depth, "nodes below each other")
                .or_else(|e| xml::wrong(element, e))?;
            let own = parent.map_or(Ok(whole), |parent| self.frame(element, parent))?;
            let first = open.len();
            for child in xml::elements(element) {
                self.looked_at += 1;
                at_most(COLLADA_ELEMENTS, self.looked_at, "elements of nodes and of copies of nodes")
                    .and(at_most(COLLADA_NODES, open.len() + self.model.nodes.len(), COPIES))
                    .or_else(|reason| xml::wrong(element, reason))?;
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

    /// Adds a copy of the file's node `element` to the model, and returns its index.
    fn frame(&mut self, element: Node<'a, 'input>, parent: u32) -> Checked<u32> {
        let at = element.range().start;
        if !self.frames.contains_key(&at) {
            let name = element.attribute("name").or(element.attribute("id")).unwrap_or_default();
            let local = LocalTransform::Matrix(self.transform(element)?);
            let name = text::name(name).0;
            self.frames.insert(at, ModelNode { name, local, in_scene: true, ..ModelNode::default() });
        }
        Ok(self.model.add_node(Some(parent), self.frames[&at].clone()))
    }

    /// Returns the transform from the space of a node to that of its parent.
    fn transform(&mut self, element: Node) -> Checked<DMat4> {
        let mut matrix = DMat4::IDENTITY;
        for step in xml::elements(element) {
            matrix *= match step.tag_name().name() {
                "matrix" => self.matrix(step)?,
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

    /// Reads a matrix. Its last row is replaced by 0 0 0 1, which drops a perspective part.
    fn matrix(&mut self, step: Node) -> Checked<DMat4> {
        let mut matrix = DMat4::from_cols_array(&array::<16>(step)?).transpose();
        let row = matrix.row(3);
        if row != DVec4::W {
            let name = step.parent_element().and_then(|n| n.attribute("name").or(n.attribute("id")));
            let name = text::name(name.unwrap_or_default()).0;
            let text =
                format!("the matrix of node {name:?} ends in {row}, not in 0 0 0 1: that row is left out");
            self.note(NoteKind::Warning, text);
            let columns = [&mut matrix.x_axis, &mut matrix.y_axis, &mut matrix.z_axis, &mut matrix.w_axis];
            columns.into_iter().for_each(|column| column.w = 0.0);
            matrix.w_axis.w = 1.0;
        }
        Ok(matrix)
    }

    /// Adds the surface of a skin or a morph, in the pose in which it was modeled.
    fn skin(&mut self, instance: Node<'a, 'input>, parent: u32) -> Checked<()> {
        let at = instance.range().start;
        let geometry = match self.skins.get(&at) {
            Some(known) => *known,
            None => {
                let controller = self.elements.needed(instance, "url", "controller")?;
                let surface = xml::child(controller, "skin").or(xml::child(controller, "morph"));
                let geometry = surface.and_then(|s| self.elements.at(s, "source", "geometry"));
                if geometry.is_some() {
                    self.note(NoteKind::Ignored, "a skin stands as it was modelled");
                }
                self.skins.insert(at, geometry);
                geometry
            }
        };
        geometry.map_or(Ok(()), |geometry| self.place(geometry, instance, parent))
    }

    /// Adds a geometry to a node, with material colors as `instance` binds them.
    fn place(&mut self, geometry: Node<'a, 'input>, instance: Node<'a, 'input>, parent: u32) -> Checked<()> {
        let key = [geometry, instance].map_each(|element| element.range().start);
        let index = match self.placed.get(&key) {
            Some(&known) => known,
            None => self.colored(geometry, instance)?,
        };
        self.placed.insert(key, index);
        let geometry = &self.model.geometries[index as usize];
        if geometry.triangles.is_empty() {
            return Ok(());
        }
        // The first geometry becomes that of the node itself; further ones, those of the file's root
        // node, and those with an origin of their own get nodes of their own.
        let origin = self.origins[index as usize];
        let own = &mut self.model.nodes[parent as usize];
        if own.parent.is_some() && own.geometry.is_none() && origin == DVec3::ZERO {
            own.geometry = Some(index);
        } else {
            let (name, geometry, local) = (geometry.name.clone(), Some(index), LocalTransform::at(origin));
            let node = ModelNode { name, local, origin, geometry, in_scene: true, ..ModelNode::default() };
            self.model.add_node(Some(parent), node);
        }
        Ok(())
    }

    /// Returns the index of a geometry with material colors as `instance` binds them.
    fn colored(&mut self, geometry: Node<'a, 'input>, instance: Node<'a, 'input>) -> Checked<u32> {
        let bound = instance.descendants().filter(|n| n.has_tag_name("instance_material"));
        let colors: Colors = bound
            .filter_map(|bound| {
                let material = self.elements.at(bound, "target", "material")?;
                Some((bound.attribute("symbol")?.to_owned(), self.palette.of_material(material)?))
            })
            .collect();
        let key = (geometry.range().start, colors);
        match self.geometries.get(&key) {
            Some(&known) => Ok(known),
            None => self.read(geometry, key),
        }
    }

    /// Adds a geometry with the colors in `key` to the model, and returns its index. The surface itself
    /// is read once.
    fn read(&mut self, element: Node<'a, 'input>, key: (usize, Colors)) -> Checked<u32> {
        let is_first = !self.surfaces.contains_key(&key.0);
        if is_first {
            let read = surface(element, &self.elements, &mut self.divider)?;
            read.said.iter().for_each(|(kind, text)| self.note(*kind, text.clone()));
            self.surfaces.insert(key.0, read);
        }
        let Surface { points, triangles, materials, .. } = &self.surfaces[&key.0];
        if !is_first {
            self.painted_count += points.len() + triangles.len() + materials.len();
        }
        at_most(PAINTED, self.painted_count, "vertices, triangles and materials of meshes in other colours")
            .or_else(|reason| xml::wrong(element, reason))?;
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
        let ((positions, origin), triangles) = (near(points, triangles), triangles.clone());
        let name = text::name(name).0;
        self.model.geometries.push(Geometry { name, positions, triangles, colors, ..Geometry::default() });
        self.origins.push(origin);
        let index = self.model.geometries.len() as u32 - 1;
        self.geometries.insert(key, index);
        Ok(index)
    }
}
