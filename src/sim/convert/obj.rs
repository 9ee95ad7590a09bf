//! OBJ files: one object per part.

use std::fmt::Write;

use glam::DVec3;

use super::parts::Parts;
use crate::arrays::MapEach;

/// Returns the text of the file. If `origin` is not zero, a comment names it: it is the scene's point
/// at 0 0 0 of the file.
pub(super) fn write(parts: &Parts, origin: DVec3) -> Vec<u8> {
    let mut out = "# meters, y up\n".to_owned();
    if origin != DVec3::ZERO {
        out += &format!("# relative to {} {} {}\n", origin.x, origin.y, origin.z);
    }
    let mut before = 1;
    // Writing to a string cannot fail.
    for part in &parts.all {
        let _ = writeln!(out, "o {}", part.name);
        for p in part.placed() {
            let _ = writeln!(out, "v {} {} {}", p.x, p.y, p.z);
        }
        for corners in part.mesh.triangles() {
            let [a, b, c] = corners.map_each(|v| u64::from(v) + before);
            let _ = writeln!(out, "f {a} {b} {c}");
        }
        before += part.mesh.vertices().len() as u64;
    }
    out.into_bytes()
}
