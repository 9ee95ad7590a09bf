//! Acclaim skeletons (ASF): bones with directions, lengths and axes of motion, and their hierarchy.
//! Every bone becomes a joint at its near end. The axes of a joint at rest are those of the world.
//!
//! The unit of length is 1/`length` inch, as in the files of Carnegie Mellon University, in which
//! `length` is 0.45.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};

use super::joints::{Joint, model, turns};
use super::words::{Checked, Fault, fault, number, quoted};
use crate::arrays::MapEach;
use crate::import::limits::CAPTURED_JOINTS;
use crate::import::model::Model;

/// Length of an inch, m.
const INCH: f64 = 0.0254;

/// Degree of freedom of a bone. In a frame, the bone's numbers have the order of its degrees of
/// freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Freedom {
    Translation(usize),
    Rotation(usize),
    Length,
}

/// Axes and degrees of freedom of a joint's motion.
#[derive(Clone, Debug, Default)]
pub(super) struct Axes {
    pub freedoms: Vec<Freedom>,
    /// Rotation from bone axes to world at rest. A motion rotates about the bone axes.
    pub orientation: DQuat,
    /// Axes of the rotation, in the order in which the file lists them.
    pub order: [usize; 3],
}

#[derive(Clone, Debug)]
pub(super) struct Skeleton {
    /// Joints: the root, then the bones (each after its parent), then end joints at the far ends of the
    /// last bones.
    pub joints: Vec<Joint>,
    /// Axes of the root and of each bone, as in `joints`; end joints have none.
    pub axes: Vec<Axes>,
    /// Factor from file units to m.
    pub scale: f64,
    /// Factor from the file's angles to degrees.
    pub degrees: f64,
}

impl Skeleton {
    pub fn model(&self, source: &str) -> Model {
        let text = format!(
            "{} joints, no motion; {}",
            self.axes.len(),
            "an .amc beside it, named as the file of an animation, plays on it"
        );
        model(source, &self.joints, text)
    }
}

#[derive(Clone, Debug, Default)]
struct Bone {
    name: String,
    direction: DVec3,
    length: f64,
    angles: [f64; 3],
    order: [usize; 3],
    freedoms: Vec<Freedom>,
}

/// Contents of a skeleton file before the joints are made.
struct File {
    unit: f64,
    /// Factor from the file's angles to degrees.
    degrees: f64,
    /// Bones; the first is the root.
    bones: Vec<Bone>,
    root_position: DVec3,
    /// Entries of the hierarchy: line in the file, parent, and children, as bone indices.
    followers: Vec<(usize, usize, Vec<usize>)>,
    end: usize,
}

pub(super) fn read(text: &str) -> Checked<Skeleton> {
    let file = parse(text)?;
    assemble(&file)
}

/// Reads all sections of a skeleton file.
fn parse(text: &str) -> Checked<File> {
    let root = Bone { name: "root".to_owned(), order: [0, 1, 2], ..Bone::default() };
    let mut file = File {
        unit: 1.0,
        degrees: 1.0,
        bones: vec![root],
        root_position: DVec3::ZERO,
        followers: Vec::new(),
        end: 1,
    };
    let mut section = String::new();
    let mut index = BTreeMap::new();
    index.insert("root".to_owned(), 0);
    let mut bone: Option<Bone> = None;
    for (at, raw) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = at + 1;
        file.end = line;
        let words: Vec<&str> = raw.split('#').next().unwrap_or_default().split_whitespace().collect();
        let Some((&key, values)) = words.split_first() else { continue };
        if let Some(name) = key.strip_prefix(':') {
            section = name.to_ascii_lowercase();
            continue;
        }
        match section.as_str() {
            "units" => unit(line, key, values, &mut file)?,
            "root" => root_line(line, key, values, &mut file)?,
            "bonedata" => match (key.to_ascii_lowercase().as_str(), bone.as_mut()) {
                ("begin", None) => bone = Some(Bone { order: [0, 1, 2], ..Bone::default() }),
                ("end", Some(_)) => {
                    let done = bone.take().unwrap_or_default();
                    add_bone(line, done, &mut file.bones, &mut index)?;
                }
                (key, Some(bone)) => bone_line(line, key, values, bone)?,
                (key, None) => return fault(line, format!("{} stands outside of a bone", quoted(key))),
            },
            "hierarchy" if key.eq_ignore_ascii_case("begin") || key.eq_ignore_ascii_case("end") => {}
            "hierarchy" => {
                let known = |name: &str| match index.get(name) {
                    Some(&bone) => Ok(bone),
                    None => fault(line, format!("there is no bone {}", quoted(name))),
                };
                let children = values.iter().map(|v| known(v)).collect::<Checked<Vec<_>>>()?;
                file.followers.push((line, known(key)?, children));
            }
            "version" | "name" | "documentation" | "skin" => {}
            "" => return fault(line, format!("{} stands before the first section", quoted(key))),
            other => return fault(line, format!("there is no section {}", quoted(other))),
        }
    }
    if bone.is_some() {
        return fault(file.end, "the file ends inside of a bone");
    }
    Ok(file)
}

fn add_bone(
    line: usize,
    bone: Bone,
    bones: &mut Vec<Bone>,
    index: &mut BTreeMap<String, usize>,
) -> Checked<()> {
    if bones.len() >= CAPTURED_JOINTS / 2 {
        return fault(line, format!("there are more than {} bones", CAPTURED_JOINTS / 2));
    }
    if bone.name.is_empty() {
        return fault(line, "the bone that ends here has no name");
    }
    if index.insert(bone.name.clone(), bones.len()).is_some() {
        return fault(line, format!("there are two bones {}", quoted(&bone.name)));
    }
    bones.push(bone);
    Ok(())
}

/// Reads a line of the section `:units`.
fn unit(line: usize, key: &str, values: &[&str], file: &mut File) -> Checked<()> {
    match (key.to_ascii_lowercase().as_str(), values) {
        ("length", [value]) => {
            file.unit = number(line, value)?;
            if !(1e-6..=1e6).contains(&file.unit) {
                return fault(line, format!("a unit of length of {value} cannot be meant"));
            }
        }
        ("angle", [value]) if value.eq_ignore_ascii_case("deg") => file.degrees = 1.0,
        ("angle", [value]) if value.eq_ignore_ascii_case("rad") => file.degrees = 1f64.to_degrees(),
        ("mass", [_]) => {}
        _ => return fault(line, format!("{} is not a unit", quoted(key))),
    }
    Ok(())
}

fn root_line(line: usize, key: &str, values: &[&str], file: &mut File) -> Checked<()> {
    let root = &mut file.bones[0];
    match key.to_ascii_lowercase().as_str() {
        "order" => root.freedoms = freedoms(line, values)?,
        "axis" => root.order = axis_order(line, values)?,
        "position" => file.root_position = DVec3::from_array(three(line, values)?),
        "orientation" => root.angles = three(line, values)?,
        _ => return fault(line, format!("{} says nothing about a root", quoted(key))),
    }
    Ok(())
}

fn bone_line(line: usize, key: &str, values: &[&str], bone: &mut Bone) -> Checked<()> {
    match (key, values) {
        ("name", [name]) => bone.name = (*name).to_owned(),
        ("direction", values) => {
            let along = DVec3::from_array(three(line, values)?);
            let Some(unit) = along.try_normalize() else {
                return fault(line, "the direction of a bone is zero");
            };
            bone.direction = unit;
        }
        ("length", [value]) => {
            bone.length = number(line, value)?;
            if bone.length < 0.0 {
                return fault(line, "the length of a bone is negative");
            }
        }
        ("axis", [x, y, z, order]) => {
            bone.angles = three(line, &[x, y, z])?;
            bone.order = axis_order(line, &[order])?;
        }
        ("dof", values) => bone.freedoms = freedoms(line, values)?,
        // Limits only help to create motions, so they are ignored. Further limits of a bone are lines
        // of their own, each a pair of numbers in parentheses.
        ("id" | "limits" | "bodymass" | "cofmass", _) => {}
        (key, _) if key.starts_with('(') => {}
        _ => return fault(line, format!("{} says nothing about a bone", quoted(key))),
    }
    Ok(())
}

fn three(line: usize, values: &[&str]) -> Checked<[f64; 3]> {
    let [x, y, z] = values else {
        return fault(line, format!("there are {} numbers instead of three", values.len()));
    };
    Ok([number(line, x)?, number(line, y)?, number(line, z)?])
}

fn axis_order(line: usize, values: &[&str]) -> Checked<[usize; 3]> {
    let name = values.first().copied().unwrap_or_default().to_ascii_lowercase();
    let axes: Vec<usize> = name.chars().filter_map(|c| "xyz".find(c)).collect();
    match axes.as_slice() {
        &[a, b, c] if name.len() == 3 && a != b && b != c && a != c => Ok([a, b, c]),
        _ => fault(line, format!("{} is not an order of the axes", quoted(&name))),
    }
}

fn freedoms(line: usize, values: &[&str]) -> Checked<Vec<Freedom>> {
    let mut found = Vec::new();
    for value in values {
        let lower = value.to_ascii_lowercase();
        let freedom = match lower.as_str() {
            "tx" | "ty" | "tz" => Freedom::Translation(usize::from(lower.as_bytes()[1] - b'x')),
            "rx" | "ry" | "rz" => Freedom::Rotation(usize::from(lower.as_bytes()[1] - b'x')),
            "l" => Freedom::Length,
            _ => return fault(line, format!("{} is not a degree of freedom", quoted(value))),
        };
        if found.contains(&freedom) {
            return fault(line, format!("{value} is given twice"));
        }
        found.push(freedom);
    }
    Ok(found)
}

/// Creates the joints of a skeleton, from the root outward.
fn assemble(file: &File) -> Checked<Skeleton> {
    let mut parents: Vec<Option<usize>> = vec![None; file.bones.len()];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); file.bones.len()];
    for (line, parent, followers) in &file.followers {
        for &child in followers {
            if child == 0 || parents[child].replace(*parent).is_some() {
                let name = quoted(&file.bones[child].name);
                return fault(*line, format!("{name} is the root or follows two bones"));
            }
            children[*parent].push(child);
        }
    }
    let scale = INCH / file.unit;
    let mut skeleton = Skeleton { joints: Vec::new(), axes: Vec::new(), scale, degrees: file.degrees };
    let mut place = vec![0; file.bones.len()];
    let mut stack = vec![0];
    while let Some(at) = stack.pop() {
        let bone = &file.bones[at];
        place[at] = skeleton.joints.len() as u32;
        // The root has no length, so its children begin at its position.
        let offset =
            parents[at].map_or(file.root_position, |p| file.bones[p].direction * file.bones[p].length);
        let parent = parents[at].map(|p| place[p]);
        skeleton.joints.push(Joint { name: bone.name.clone(), parent, offset: scale * offset });
        let angles = bone.order.map_each(|axis| (axis, file.degrees * bone.angles[axis]));
        skeleton.axes.push(Axes {
            freedoms: bone.freedoms.clone(),
            orientation: turns(angles.into_iter().rev()),
            order: bone.order,
        });
        stack.extend(children[at].iter().rev());
    }
    if skeleton.joints.len() < file.bones.len() {
        // Each bone has at most one parent. So a bone that the root does not reach has no parent, or
        // belongs to a cycle.
        let lost = parents.iter().enumerate().skip(1).find(|(bone, _)| place[*bone] == 0);
        let name = lost.map(|(bone, _)| quoted(&file.bones[bone].name)).unwrap_or_default();
        return Err(Fault { line: file.end, reason: format!("{name} does not hang on the root") });
    }
    for (at, bone) in
        file.bones.iter().enumerate().filter(|(at, b)| children[*at].is_empty() && b.length > 0.0)
    {
        let (name, parent) = (format!("{}_end", bone.name), Some(place[at]));
        skeleton.joints.push(Joint { name, parent, offset: scale * bone.length * bone.direction });
    }
    Ok(skeleton)
}
