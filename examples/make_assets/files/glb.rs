//! A glTF 2.0 binary file under construction: accessors, meshes, nodes, a skin and clips in one buffer.
//!
//! Positions are f32, indices u16 if they fit; no normals, so that viewers shade flat, and no textures.

use std::borrow::Cow;
use std::collections::BTreeMap;

use glam::{Mat4, Quat, Vec3};
use gltf::binary::{Glb as Container, Header};
use gltf::json::accessor::{ComponentType, GenericComponentType, Type};
use gltf::json::animation::{Channel, Interpolation, Property, Sampler, Target};
use gltf::json::buffer::Target as BufferTarget;
use gltf::json::material::{PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor};
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::{Checked, USize64};
use gltf::json::{Accessor, Animation, Buffer, Index, Material, Mesh, Node, Root, Scene, Skin, Value};
use gltf::json::{buffer, extras::RawValue};

use super::Color;

#[derive(Default)]
pub struct Glb {
    root: Root,
    bin: Vec<u8>,
    top: Vec<Index<Node>>,
}

/// Up to four joints per vertex, as indices into the skin, and their weights.
pub struct Influences {
    pub joints: Vec<[u8; 4]>,
    pub weights: Vec<[f32; 4]>,
}

/// Values of one node over the key times of a clip.
pub enum Track {
    Translation(Vec<Vec3>),
    Rotation(Vec<Quat>),
}

fn floats<'a, const N: usize>(rows: impl Iterator<Item = &'a [f32; N]>) -> Vec<u8> {
    rows.flatten().flat_map(|x| x.to_le_bytes()).collect()
}

impl Glb {
    fn accessor(
        &mut self,
        bytes: &[u8],
        count: usize,
        component: ComponentType,
        shape: Type,
        target: Option<BufferTarget>,
    ) -> Index<Accessor> {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let view = self.root.push(buffer::View {
            buffer: Index::new(0),
            byte_length: USize64::from(bytes.len()),
            byte_offset: Some(USize64::from(self.bin.len())),
            byte_stride: None,
            name: None,
            target: target.map(Checked::Valid),
            extensions: None,
            extras: None,
        });
        self.bin.extend_from_slice(bytes);
        self.root.push(Accessor {
            buffer_view: Some(view),
            byte_offset: None,
            count: USize64::from(count),
            component_type: Checked::Valid(GenericComponentType(component)),
            type_: Checked::Valid(shape),
            min: None,
            max: None,
            name: None,
            normalized: false,
            sparse: None,
            extensions: None,
            extras: None,
        })
    }

    fn set_bounds(&mut self, accessor: Index<Accessor>, min: &[f32], max: &[f32]) {
        let accessor = &mut self.root.accessors[accessor.value()];
        accessor.min = Some(Value::from(min));
        accessor.max = Some(Value::from(max));
    }

    pub fn mesh(
        &mut self,
        name: &str,
        color: Color,
        positions: &[Vec3],
        triangles: &[[u32; 3]],
        influences: Option<&Influences>,
    ) -> Index<Mesh> {
        let vertices = Some(BufferTarget::ArrayBuffer);
        let rows: Vec<[f32; 3]> = positions.iter().map(Vec3::to_array).collect();
        let position =
            self.accessor(&floats(rows.iter()), rows.len(), ComponentType::F32, Type::Vec3, vertices);
        let min = positions.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let max = positions.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        self.set_bounds(position, &min.to_array(), &max.to_array());
        let mut attributes = BTreeMap::from([(Checked::Valid(Semantic::Positions), position)]);
        if let Some(Influences { joints, weights }) = influences {
            let bytes: Vec<u8> = joints.iter().flatten().copied().collect();
            let joint = self.accessor(&bytes, joints.len(), ComponentType::U8, Type::Vec4, vertices);
            let weight = self.accessor(
                &floats(weights.iter()),
                weights.len(),
                ComponentType::F32,
                Type::Vec4,
                vertices,
            );
            attributes.insert(Checked::Valid(Semantic::Joints(0)), joint);
            attributes.insert(Checked::Valid(Semantic::Weights(0)), weight);
        }
        let corners = triangles.iter().flatten();
        let (bytes, component): (Vec<u8>, _) = if positions.len() < usize::from(u16::MAX) {
            (corners.flat_map(|&i| (i as u16).to_le_bytes()).collect(), ComponentType::U16)
        } else {
            (corners.flat_map(|i| i.to_le_bytes()).collect(), ComponentType::U32)
        };
        let indices = self.accessor(
            &bytes,
            3 * triangles.len(),
            component,
            Type::Scalar,
            Some(BufferTarget::ElementArrayBuffer),
        );
        let [r, g, b] = color;
        let material = self.root.push(Material {
            name: Some(name.to_owned()),
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: PbrBaseColorFactor([r, g, b, 1.0]),
                metallic_factor: StrengthFactor(0.0),
                roughness_factor: StrengthFactor(0.6),
                ..PbrMetallicRoughness::default()
            },
            ..Material::default()
        });
        self.root.push(Mesh {
            name: Some(name.to_owned()),
            primitives: vec![Primitive {
                attributes,
                indices: Some(indices),
                material: Some(material),
                mode: Checked::Valid(Mode::Triangles),
                targets: None,
                extensions: None,
                extras: None,
            }],
            weights: None,
            extensions: None,
            extras: None,
        })
    }

    /// Adds a node at the top of the scene with a mesh.
    pub fn part(&mut self, name: &str, mesh: Index<Mesh>, translation: Vec3) {
        let node = self.root.push(Node {
            name: Some(name.to_owned()),
            mesh: Some(mesh),
            translation: Some(translation.to_array()),
            ..Node::default()
        });
        self.top.push(node);
    }

    /// Adds the nodes of a skeleton, parents first. A joint without a parent is at the top of the
    /// scene. `offsets`: translation from the parent, m.
    pub fn joints(&mut self, joints: &[(&str, Option<usize>, Vec3)]) -> Vec<Index<Node>> {
        let mut nodes: Vec<Index<Node>> = Vec::new();
        for (name, parent, offset) in joints {
            let node = self.root.push(Node {
                name: Some((*name).to_owned()),
                translation: Some(offset.to_array()),
                ..Node::default()
            });
            match parent {
                Some(parent) => {
                    self.root.nodes[nodes[*parent].value()].children.get_or_insert_default().push(node);
                }
                None => self.top.push(node),
            }
            nodes.push(node);
        }
        nodes
    }

    /// Adds a node that shows `mesh` moved by `joints`. `extras` is a JSON object for users of the
    /// file.
    pub fn skinned(
        &mut self,
        name: &str,
        mesh: Index<Mesh>,
        joints: &[Index<Node>],
        inverse_bind: &[Mat4],
        extras: Box<RawValue>,
    ) {
        let rows: Vec<[f32; 16]> = inverse_bind.iter().map(Mat4::to_cols_array).collect();
        let matrices = self.accessor(&floats(rows.iter()), rows.len(), ComponentType::F32, Type::Mat4, None);
        let skin = self.root.push(Skin {
            name: Some(name.to_owned()),
            joints: joints.to_vec(),
            inverse_bind_matrices: Some(matrices),
            skeleton: joints.first().copied(),
            extensions: None,
            extras: None,
        });
        let node = self.root.push(Node {
            name: Some(name.to_owned()),
            mesh: Some(mesh),
            skin: Some(skin),
            extras: Some(extras),
            ..Node::default()
        });
        self.top.push(node);
    }

    /// Adds a clip with common key times (s), linear between keys.
    pub fn clip(&mut self, name: &str, times: &[f32], tracks: &[(Index<Node>, Track)]) {
        let rows: Vec<[f32; 1]> = times.iter().map(|&t| [t]).collect();
        let input = self.accessor(&floats(rows.iter()), rows.len(), ComponentType::F32, Type::Scalar, None);
        self.set_bounds(input, &times[..1], &times[times.len() - 1..]);
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for (node, track) in tracks {
            let (bytes, shape, property) = match track {
                Track::Translation(values) => {
                    let rows: Vec<[f32; 3]> = values.iter().map(Vec3::to_array).collect();
                    (floats(rows.iter()), Type::Vec3, Property::Translation)
                }
                Track::Rotation(values) => {
                    let rows: Vec<[f32; 4]> = values.iter().map(Quat::to_array).collect();
                    (floats(rows.iter()), Type::Vec4, Property::Rotation)
                }
            };
            let output = self.accessor(&bytes, times.len(), ComponentType::F32, shape, None);
            let interpolation = Checked::Valid(Interpolation::Linear);
            samplers.push(Sampler { input, interpolation, output, extensions: None, extras: None });
            channels.push(Channel {
                sampler: Index::new(samplers.len() as u32 - 1),
                target: Target {
                    node: *node,
                    path: Checked::Valid(property),
                    extensions: None,
                    extras: None,
                },
                extensions: None,
                extras: None,
            });
        }
        self.root.push(Animation {
            name: Some(name.to_owned()),
            channels,
            samplers,
            extensions: None,
            extras: None,
        });
    }

    pub fn bytes(mut self) -> Vec<u8> {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        self.root.push(Buffer {
            byte_length: USize64::from(self.bin.len()),
            name: None,
            uri: None,
            extensions: None,
            extras: None,
        });
        let scene = self.root.push(Scene { name: None, nodes: self.top, extensions: None, extras: None });
        self.root.scene = Some(scene);
        self.root.asset.generator = Some("tumble make_assets".to_owned());
        let json = self.root.to_vec().expect("plain structs serialize");
        // The length is filled in by the writer.
        let header = Header { magic: *b"glTF", version: 2, length: 0 };
        Container { header, json: Cow::Owned(json), bin: Some(Cow::Owned(self.bin)) }
            .to_vec()
            .expect("the file is far below 4 GB")
    }
}
