//! The same named surfaces written in every format that is read.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use glam::Vec3;

/// Named surface.
#[derive(Clone, Debug)]
pub struct Part {
    pub name: String,
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// Builds a closed torus around the y axis.
pub fn torus(name: &str, center: Vec3, radius: f32, thickness: f32, around: u32, across: u32) -> Part {
    let turn = |step: u32, of: u32| f64::from(step) / f64::from(of) * std::f64::consts::TAU;
    let mut part = Part { name: name.to_owned(), positions: Vec::new(), triangles: Vec::new() };
    for i in 0..around {
        let (sin, cos) = turn(i, around).sin_cos();
        for j in 0..across {
            let (up, out) = turn(j, across).sin_cos();
            let ring = f64::from(radius) + f64::from(thickness) * out;
            let p = Vec3::new((ring * cos) as f32, (f64::from(thickness) * up) as f32, (ring * sin) as f32);
            part.positions.push(center + p);
            let at = |i: u32, j: u32| (i % around) * across + j % across;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            part.triangles.extend([[a, d, b], [b, d, c]]);
        }
    }
    part
}

pub fn stl_text(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        writeln!(text, "solid {}", part.name).unwrap();
        for triangle in &part.triangles {
            text += "facet normal 0 0 0\n outer loop\n";
            for p in triangle.map(|v| part.positions[v as usize]) {
                writeln!(text, "  vertex {:e} {:e} {:e}", p.x, p.y, p.z).unwrap();
            }
            text += " endloop\nendfacet\n";
        }
        writeln!(text, "endsolid {}", part.name).unwrap();
    }
    text
}

pub fn stl_binary(part: &Part, header: &str) -> Vec<u8> {
    let mut bytes = header.as_bytes().to_vec();
    bytes.resize(80, b' ');
    bytes.extend((part.triangles.len() as u32).to_le_bytes());
    for triangle in &part.triangles {
        bytes.extend([0; 12]);
        for p in triangle.map(|v| part.positions[v as usize]) {
            bytes.extend(p.to_array().into_iter().flat_map(f32::to_le_bytes));
        }
        bytes.extend([0; 2]);
    }
    bytes
}

/// Writes OBJ. `negative`: corners counted back from the last vertex; `quads`: two triangles that share
/// a side as one face.
pub fn obj(parts: &[Part], negative: bool) -> String {
    let (mut text, mut before) = (String::new(), 0);
    for part in parts {
        writeln!(text, "g {}", part.name).unwrap();
        for p in &part.positions {
            writeln!(text, "v {} {} {}", p.x, p.y, p.z).unwrap();
        }
        let count = part.positions.len() as i64;
        for triangle in &part.triangles {
            let [a, b, c] =
                triangle.map(|v| if negative { i64::from(v) - count } else { before + i64::from(v) + 1 });
            writeln!(text, "f {a}//1 {b}//1 {c}//1").unwrap();
        }
        before += count;
    }
    text
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlyKind {
    Text,
    LittleEndian,
    BigEndian,
}

pub fn ply(part: &Part, kind: PlyKind) -> Vec<u8> {
    let format = match kind {
        PlyKind::Text => "ascii",
        PlyKind::LittleEndian => "binary_little_endian",
        PlyKind::BigEndian => "binary_big_endian",
    };
    let (vertices, faces) = (part.positions.len(), part.triangles.len());
    let header = format!(
        "ply\nformat {format} 1.0\ncomment made here\nelement vertex {vertices}\nproperty float x\nproperty float y\n\
         property float z\nelement face {faces}\nproperty list uchar int vertex_indices\nend_header\n"
    );
    let mut bytes = header.into_bytes();
    for p in &part.positions {
        match kind {
            PlyKind::Text => bytes.extend(format!("{} {} {}\n", p.x, p.y, p.z).bytes()),
            PlyKind::LittleEndian => bytes.extend(p.to_array().into_iter().flat_map(f32::to_le_bytes)),
            PlyKind::BigEndian => bytes.extend(p.to_array().into_iter().flat_map(f32::to_be_bytes)),
        }
    }
    for &[a, b, c] in &part.triangles {
        match kind {
            PlyKind::Text => bytes.extend(format!("3 {a} {b} {c}\n").bytes()),
            PlyKind::LittleEndian => {
                bytes.extend([3].into_iter().chain([a, b, c].into_iter().flat_map(u32::to_le_bytes)))
            }
            PlyKind::BigEndian => {
                bytes.extend([3].into_iter().chain([a, b, c].into_iter().flat_map(u32::to_be_bytes)))
            }
        }
    }
    bytes
}

/// Writes COLLADA. Corners have a normal, too, as exporters write them; y is up.
pub fn dae(parts: &[Part]) -> String {
    let (mut geometries, mut nodes) = (String::new(), String::new());
    for Part { name, positions, triangles } in parts {
        let numbers: Vec<String> = positions.iter().map(|p| format!("{} {} {}", p.x, p.y, p.z)).collect();
        let corners: Vec<String> = triangles.as_flattened().iter().map(|v| format!("{v} 0")).collect();
        let (count, triangle_count) = (positions.len(), triangles.len());
        let (numbers, corners, all) = (numbers.join("\n"), corners.join(" "), 3 * count);
        writeln!(
            geometries,
            "<geometry id=\"{name}-mesh\" name=\"{name}\"><mesh>\n<source id=\"{name}-p\"><float_array id=\"{name}-a\" \
             count=\"{all}\">{numbers}</float_array>\n<technique_common><accessor source=\"#{name}-a\" count=\"{count}\" \
             stride=\"3\"/></technique_common></source>\n<vertices id=\"{name}-v\"><input semantic=\"POSITION\" \
             source=\"#{name}-p\"/></vertices>\n<triangles count=\"{triangle_count}\" material=\"paint\"><input \
             semantic=\"VERTEX\" source=\"#{name}-v\" offset=\"0\"/><input semantic=\"NORMAL\" source=\"#{name}-n\" \
             offset=\"1\"/>\n<p>{corners}</p></triangles></mesh></geometry>"
        )
        .unwrap();
        writeln!(
            nodes,
            "<node id=\"{name}\" name=\"{name}\"><instance_geometry url=\"#{name}-mesh\"/></node>"
        )
        .unwrap();
    }
    format!(
        "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n\
         <asset><unit meter=\"1\"/><up_axis>Y_UP</up_axis></asset>\n<library_geometries>\n{geometries}</library_geometries>\n\
         <library_visual_scenes><visual_scene id=\"all\">\n{nodes}</visual_scene></library_visual_scenes>\n\
         <scene><instance_visual_scene url=\"#all\"/></scene>\n</COLLADA>\n"
    )
}

/// Returns the line where a part of a text begins, as errors print it.
pub fn line_of(text: &str, part: &str) -> String {
    format!("line {}", 1 + text[..text.find(part).unwrap()].matches('\n').count())
}

pub fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}
