//! Lines over the picture: contacts with their forces, and the boxes at one level of the hierarchies.

use glam::DVec3;

use super::assembly::Hidden;
use super::gpu::Segment;
use super::show::Show;
use crate::pose::Pose;
use crate::record::{Basis, ContactMark, Frame};

/// Largest number of boxes that are drawn. More boxes could not be distinguished, and they would be too
/// slow for a software rasterizer.
pub const BOX_LIMIT: usize = 20_000;

/// Color inside the rings of contacts that were not found in the step.
pub const HOLLOW: [u8; 4] = [250, 250, 250, 255];
const BOX: [u8; 4] = [32, 92, 160, 190];

/// The scale of the lines that show forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceScale {
    /// A force, N. It is the largest shown force, rounded up to 1, 2 or 5 times a power of ten, so that
    /// it seldom changes.
    pub force: f64,
    /// Length of the line for that force, m.
    pub length: f64,
}

impl ForceScale {
    /// Creates a scale for the largest of the forces. Returns `None` if no force is above 0 N.
    pub fn new<'a>(marks: impl Iterator<Item = &'a ContactMark>, length: f64) -> Option<Self> {
        let largest = f64::from(marks.map(|m| m.force).fold(0.0, f32::max));
        (largest > 0.0 && largest.is_finite()).then(|| Self { force: rounded_up(largest), length })
    }

    fn length_of(&self, force: f32) -> f64 {
        self.length * (f64::from(force) / self.force).min(1.0)
    }
}

/// Rounds up to 1, 2 or 5 times a power of ten.
fn rounded_up(number: f64) -> f64 {
    let power = 10f64.powf(number.log10().floor());
    // The power of ten is rounded. The tolerance makes a number that is already 1, 2 or 5 times a power
    // of ten stay itself.
    let fits = |times: &f64| times * power >= 0.999_999 * number;
    power * [1.0, 2.0, 5.0].into_iter().find(fits).unwrap_or(10.0)
}

/// Returns the contacts of the selected bodies. Without a selection, returns all contacts with at least
/// one visible part.
pub fn concerning<'a>(
    marks: &'a [ContactMark],
    selected: &'a [u32],
    hidden: &'a Hidden,
) -> impl Iterator<Item = &'a ContactMark> {
    let is_seen = |m: &ContactMark| !(hidden.hides(m.a) && hidden.hides(m.b));
    let is_of_selected = |m: &ContactMark| selected.contains(&m.a) || selected.contains(&m.b);
    marks.iter().filter(move |m| if selected.is_empty() { is_seen(m) } else { is_of_selected(m) })
}

/// Returns the color of a contact's force, the color of its point, and whether the point is drawn as a
/// ring.
pub fn mark(basis: Basis) -> ([u8; 4], [u8; 4], bool) {
    match basis {
        Basis::Found => ([255, 196, 61, 255], [214, 40, 57, 255], false),
        Basis::Held => ([255, 196, 61, 255], [214, 40, 57, 255], true),
        Basis::Region => ([186, 140, 232, 255], [122, 58, 190, 255], true),
    }
}

/// Draws the contact points. From each, draws a line that is proportional to the force and points
/// toward the body that the force pushes. This is the selected body. It is body b if neither or both
/// are selected.
pub fn contacts<'a>(
    marks: impl Iterator<Item = &'a ContactMark>,
    selected: &[u32],
    scale: Option<&ForceScale>,
    out: &mut Vec<Segment>,
) {
    for mark in marks {
        let start = mark.point.as_dvec3();
        let side = if selected.contains(&mark.a) && !selected.contains(&mark.b) { -1.0 } else { 1.0 };
        let length = scale.map_or(0.0, |s| s.length_of(mark.force));
        let end = start + side * length * mark.normal.as_dvec3();
        let (force, point, is_hollow) = self::mark(mark.basis);
        let mut stroke = |end, color, width| out.push(Segment { start, end, color, width, through: true });
        if length > 0.0 {
            stroke(end, force, 2.0);
        }
        if is_hollow {
            stroke(start, point, 8.0);
            stroke(start, HOLLOW, 4.5);
        } else {
            stroke(start, point, 5.0);
        }
    }
}

/// Draws the boxes that are `level` levels below the root, of the selected bodies or else of all shown
/// bodies. Returns the number of boxes. At most [`BOX_LIMIT`] of them are drawn.
pub fn boxes(show: &Show, frame: &Frame, selected: &[u32], level: u32, out: &mut Vec<Segment>) -> usize {
    let mut count = 0;
    for (body, def) in (0u32..).zip(&show.scene.bodies) {
        let is_wanted = if selected.is_empty() { !show.hidden.hides(body) } else { selected.contains(&body) };
        let Some(mesh) = def.mesh.filter(|_| is_wanted) else { continue };
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

/// Returns the deepest level that [`boxes`] can show.
pub fn deepest(show: &Show, selected: &[u32]) -> u32 {
    let bodies = show.scene.bodies.iter().zip(0u32..);
    let meshes =
        bodies.filter(|(_, i)| selected.is_empty() || selected.contains(i)).filter_map(|(b, _)| b.mesh);
    meshes.map(|m| show.trees[m as usize].depth()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    /// Creates a contact with a force, N.
    fn pushing(a: u32, b: u32, force: f32) -> ContactMark {
        let (point, normal) = (Vec3::ZERO, Vec3::Y);
        ContactMark { a, b, point, normal, gap: 0.0, force, friction: Vec3::ZERO, basis: Basis::Found }
    }

    #[test]
    fn lines_are_as_long_as_forces_are_large_and_a_scale_is_round() {
        let marks = [pushing(0, 1, 3.0), pushing(1, 2, 1.5), pushing(2, 3, 0.0), pushing(3, 4, 700.0)];
        let mut hidden = Hidden::new(5);
        let ends = |selected: &[u32], hidden: &Hidden| {
            let concerning = || concerning(&marks, selected, hidden);
            let scale = ForceScale::new(concerning(), 0.1);
            let mut segments = Vec::new();
            contacts(concerning(), selected, scale.as_ref(), &mut segments);
            let ends = segments.iter().map(|s| s.end.y).filter(|y| *y != 0.0).collect::<Vec<_>>();
            (scale.map(|s| s.force), ends)
        };
        assert_eq!(ends(&[1], &hidden), (Some(5.0), vec![0.1 * 0.6, -0.1 * 0.3]), "towards what is pushed");
        assert_eq!(
            ends(&[2], &hidden),
            (Some(2.0), vec![0.1 * 0.75]),
            "a contact without a force has no line"
        );
        assert_eq!(ends(&[], &hidden).0, Some(1000.0));
        assert_eq!(ends(&[], &hidden).1.len(), 3);
        hidden.only(&[2]);
        assert_eq!(
            ends(&[], &hidden),
            (Some(2.0), vec![0.1 * 0.75]),
            "contacts of hidden parts are not drawn"
        );
        assert_eq!(ends(&[1], &hidden).1.len(), 2, "unless one of them is selected");
        assert_eq!(ForceScale::new([pushing(0, 1, 0.0)].iter(), 0.1), None);
        for (number, up) in [(1.0, 1.0), (1.01, 2.0), (0.02, 0.02), (4.9, 5.0), (5.1, 10.0), (3e5, 5e5)] {
            assert!((rounded_up(number) / up - 1.0).abs() < 1e-9, "{number}: {}", rounded_up(number));
        }
    }

    #[test]
    fn contacts_that_nobody_found_are_rings_and_regions_have_a_colour_of_their_own() {
        let drawn = |basis| {
            let marks = [ContactMark { basis, ..pushing(0, 1, 3.0) }];
            let mut segments = Vec::new();
            contacts(marks.iter(), &[], ForceScale::new(marks.iter(), 0.1).as_ref(), &mut segments);
            segments.iter().map(|s| s.color).collect::<Vec<_>>()
        };
        let [found, held, region] = [Basis::Found, Basis::Held, Basis::Region].map(drawn);
        assert_eq!((found.len(), held.len(), region.len()), (2, 3, 3));
        assert_eq!(found[..], held[..2], "the same features");
        assert!(region[0] != held[0] && region[1] != held[1]);
        assert_eq!([held[2], region[2]], [HOLLOW; 2]);
    }
}
