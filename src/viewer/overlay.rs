//! Lines over the picture: contacts with their normals, boxes of a level of the hierarchies.

use glam::DVec3;

use super::gpu::Segment;
use super::show::Show;
use crate::pose::Pose;
use crate::record::{Basis, ContactMark, Frame};

/// Boxes drawn at most: more cannot be told apart and cost a software driver too much.
pub const BOX_LIMIT: usize = 20_000;

/// Inside of the rings that stand for contacts nobody found in the step.
pub const HOLLOW: [u8; 4] = [250, 250, 250, 255];
const BOX: [u8; 4] = [32, 92, 160, 190];

/// Colours of a contact's normal and point, and whether the point is a ring.
pub fn mark(basis: Basis) -> ([u8; 4], [u8; 4], bool) {
    match basis {
        Basis::Found => ([255, 196, 61, 255], [214, 40, 57, 255], false),
        Basis::Held => ([255, 196, 61, 255], [214, 40, 57, 255], true),
        Basis::Region => ([186, 140, 232, 255], [122, 58, 190, 255], true),
    }
}

/// Points, and normals as long as `length` (m).
pub fn contacts(marks: &[ContactMark], selected: Option<u32>, length: f64, out: &mut Vec<Segment>) {
    let concerns = |m: &&ContactMark| selected.is_none_or(|s| m.a == s || m.b == s);
    for mark in marks.iter().filter(concerns) {
        let start = mark.point.as_dvec3();
        let end = start + length * mark.normal.as_dvec3();
        let (normal, point, is_hollow) = self::mark(mark.basis);
        let mut stroke = |end, color, width| out.push(Segment { start, end, color, width, through: true });
        stroke(end, normal, 2.0);
        if is_hollow {
            stroke(start, point, 9.0);
            stroke(start, HOLLOW, 5.0);
        } else {
            stroke(start, point, 6.0);
        }
    }
}

/// Boxes `level` levels below the root, of the selected body or of all that are shown. Returns how many there
/// are, of which at most [`BOX_LIMIT`] are drawn.
pub fn boxes(show: &Show, frame: &Frame, selected: Option<u32>, level: u32, out: &mut Vec<Segment>) -> usize {
    let mut count = 0;
    for (body, def) in (0u32..).zip(&show.scene.bodies) {
        let Some(mesh) = def.mesh.filter(|_| selected.is_none_or(|s| s == body)) else { continue };
        let pose = &frame.poses[body as usize];
        show.trees[mesh as usize].for_each_box(level, |bounds| {
            count += 1;
            if count <= BOX_LIMIT {
                edges(bounds.min.as_dvec3(), bounds.max.as_dvec3(), pose, out);
            }
        });
    }
    count
}

fn edges(min: DVec3, max: DVec3, pose: &Pose, out: &mut Vec<Segment>) {
    let corner = |bits: usize| {
        let pick = |k: usize| if bits >> k & 1 == 0 { min[k] } else { max[k] };
        pose.transform_point(DVec3::new(pick(0), pick(1), pick(2)))
    };
    for axis in 0..3 {
        for bits in (0..8usize).filter(|b| b >> axis & 1 == 0) {
            let (start, end) = (corner(bits), corner(bits | 1 << axis));
            out.push(Segment { start, end, color: BOX, width: 1.2, through: false });
        }
    }
}

/// Deepest level of the hierarchies that [`boxes`] would show.
pub fn deepest(show: &Show, selected: Option<u32>) -> u32 {
    let bodies = show.scene.bodies.iter().zip(0u32..);
    let meshes = bodies.filter(|(_, i)| selected.is_none_or(|s| s == *i)).filter_map(|(b, _)| b.mesh);
    meshes.map(|m| show.trees[m as usize].depth()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn contacts_that_nobody_found_are_rings_and_regions_have_a_colour_of_their_own() {
        let drawn = |basis| {
            let mark = ContactMark { a: 0, b: 1, point: Vec3::ZERO, normal: Vec3::Y, depth: 0.0, basis };
            let mut segments = Vec::new();
            contacts(&[mark], None, 0.1, &mut segments);
            segments.iter().map(|s| s.color).collect::<Vec<_>>()
        };
        let [found, held, region] = [Basis::Found, Basis::Held, Basis::Region].map(drawn);
        assert_eq!((found.len(), held.len(), region.len()), (2, 3, 3));
        assert_eq!(found[..], held[..2], "the same features");
        assert!(region[0] != held[0] && region[1] != held[1]);
        assert_eq!([held[2], region[2]], [HOLLOW; 2]);
    }
}
