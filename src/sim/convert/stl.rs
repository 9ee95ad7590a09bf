//! STL files. One part is written as binary STL. Several parts are written as text, with one solid per
//! part, as binary STL cannot separate parts.

use std::fmt::Write;

use glam::{DVec3, Vec3};

use super::parts::{Part, Parts};
use crate::arrays::MapEach;

pub(super) fn write(parts: &Parts, origin: DVec3) -> Vec<u8> {
    match &parts.all[..] {
        [only] => binary(only, origin),
        all => text(all),
    }
}

/// Writes one part as binary STL.
fn binary(part: &Part, origin: DVec3) -> Vec<u8> {
    let vertices: Vec<Vec3> = part.placed().collect();
    let triangles = part.mesh.triangles();
    let mut header = "tumble".to_owned();
    if origin != DVec3::ZERO {
        header += &format!(", meters relative to {:e} {:e} {:e}", origin.x, origin.y, origin.z);
    }
    let mut bytes = header.into_bytes();
    bytes.resize(80, b' ');
    // A mesh has fewer than 2³² triangles, because its indices have 32 bits.
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for corners in triangles {
        let corners = corners.map_each(|v| vertices[v as usize]);
        for vector in [normal(corners), corners[0], corners[1], corners[2]] {
            bytes.extend(vector.to_array().into_iter().flat_map(f32::to_le_bytes));
        }
        bytes.extend([0; 2]);
    }
    bytes
}

/// Writes the parts as text, with one solid per part.
fn text(parts: &[Part]) -> Vec<u8> {
    let mut out = String::new();
    // Writing to a string cannot fail.
    for part in parts {
        let vertices: Vec<Vec3> = part.placed().collect();
        let _ = writeln!(out, "solid {}", part.name);
        for corners in part.mesh.triangles() {
            let corners = corners.map_each(|v| vertices[v as usize]);
            let n = normal(corners);
            let _ = writeln!(out, "facet normal {} {} {}\n outer loop", n.x, n.y, n.z);
            for p in corners {
                let _ = writeln!(out, "  vertex {} {} {}", p.x, p.y, p.z);
            }
            out += " endloop\nendfacet\n";
        }
        let _ = writeln!(out, "endsolid {}", part.name);
    }
    out.into_bytes()
}

fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).as_dvec3().cross((c - a).as_dvec3()).normalize_or_zero().as_vec3()
}
