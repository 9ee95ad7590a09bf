//! Removal of walls inside a solid.
//!
//! A union of solids may keep the wall between two solids, stored once per side. The wall bounds no
//! solid, but three triangles meet at its rim, so that no winding of the surface has an outside, and
//! the solid would count as a sheet. A wall is removed if no edge is open without it, and if it lies in
//! the solid that the other triangles bound. A fin, or a sheet stored with a front and a back, is not
//! removed; each of its double triangles becomes a single one.

use std::f64::consts::TAU;

use glam::{DVec3, Vec3};
use rustc_hash::FxHashMap;

use super::Flaws;
use super::orient::orient;
use crate::arrays::MapEach;

/// Triangles at an edge of a twin.
#[derive(Default)]
struct Rim {
    /// Triangles that were stored from both sides (twins).
    twins: Vec<u32>,
    /// All other triangles.
    others: Vec<u32>,
}

type Rims = FxHashMap<[u32; 2], Rim>;

/// Returns whether each triangle is kept when the walls inside solids are removed. `is_twin`: whether a
/// triangle was stored equally often from both sides. `triangles` must have each twin only once.
pub(super) fn without_inner(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    is_twin: &[bool],
    flaws: &mut Flaws,
) -> Vec<bool> {
    let mut keep = vec![true; triangles.len()];
    if !is_twin.contains(&true) {
        return keep;
    }
    let rims = rims(triangles, is_twin);
    let regions = regions(triangles, is_twin, &rims);
    let regions: Vec<&Vec<u32>> =
        regions.iter().filter(|region| is_closed_without(region, triangles, &rims)).collect();
    if regions.is_empty() {
        return keep;
    }
    for &t in regions.iter().copied().flatten() {
        keep[t as usize] = false;
    }
    // The remaining triangles are oriented first, because the winding of the file is not reliable yet.
    let left: Vec<usize> = (0..triangles.len()).filter(|&t| keep[t]).collect();
    let mut turned: Vec<[u32; 3]> = left.iter().map(|&t| triangles[t]).collect();
    let two_sided = orient(positions, &mut turned, &mut Flaws::default());
    let mut solid = vec![None; triangles.len()];
    for ((&t, &corners), two_sided) in left.iter().zip(&turned).zip(two_sided) {
        solid[t] = (!two_sided).then_some(corners);
    }
    for region in regions {
        if lies_inside(region, positions, triangles, &rims, &solid) {
            // Each of these triangles was counted as a duplicate before.
            flaws.duplicate_triangle_count -= region.len() as u32;
            flaws.inner_wall_triangle_count += 2 * region.len() as u32;
        } else {
            region.iter().for_each(|&t| keep[t as usize] = true);
        }
    }
    keep
}

fn edges(corners: [u32; 3]) -> [[u32; 2]; 3] {
    let [a, b, c] = corners;
    [[a, b], [b, c], [c, a]].map_each(|[a, b]| [a.min(b), a.max(b)])
}

/// Returns the edges of all twins, with the triangles at each edge.
fn rims(triangles: &[[u32; 3]], is_twin: &[bool]) -> Rims {
    let mut rims = Rims::default();
    for (t, &corners) in triangles.iter().enumerate().filter(|(t, _)| is_twin[*t]) {
        for edge in edges(corners) {
            rims.entry(edge).or_default().twins.push(t as u32);
        }
    }
    for (t, &corners) in triangles.iter().enumerate().filter(|(t, _)| !is_twin[*t]) {
        for edge in edges(corners) {
            if let Some(rim) = rims.get_mut(&edge) {
                rim.others.push(t as u32);
            }
        }
    }
    rims
}

/// Groups twins that are connected by edges at which there are no other triangles.
fn regions(triangles: &[[u32; 3]], is_twin: &[bool], rims: &Rims) -> Vec<Vec<u32>> {
    let mut is_new = is_twin.to_vec();
    let mut regions = Vec::new();
    for start in 0..triangles.len() {
        if !std::mem::take(&mut is_new[start]) {
            continue;
        }
        let mut region = vec![start as u32];
        let mut next = 0;
        while let Some(&t) = region.get(next) {
            next += 1;
            for edge in edges(triangles[t as usize]) {
                let Some(rim) = rims.get(&edge).filter(|rim| rim.others.is_empty()) else { continue };
                for &neighbor in &rim.twins {
                    if std::mem::take(&mut is_new[neighbor as usize]) {
                        region.push(neighbor);
                    }
                }
            }
        }
        regions.push(region);
    }
    regions
}

/// Returns whether a region is surrounded by other triangles, and none of its edges is open without it.
fn is_closed_without(region: &[u32], triangles: &[[u32; 3]], rims: &Rims) -> bool {
    let mut has_rim = false;
    for edge in region.iter().flat_map(|&t| edges(triangles[t as usize])) {
        let Some(Rim { twins, others }) = rims.get(&edge) else { return false };
        match others.len() {
            // A free edge, or an edge within the wall.
            0 if twins.len() < 2 => return false,
            0 => {}
            count if count % 2 == 1 => return false,
            _ => has_rim = true,
        }
    }
    has_rim
}

/// Returns whether a region lies on the solid side of the two faces at one of its edges. `solid`:
/// oriented corners of the triangles that bound a solid.
fn lies_inside(
    region: &[u32],
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    rims: &Rims,
    solid: &[Option<[u32; 3]>],
) -> bool {
    for &t in region {
        for edge in edges(triangles[t as usize]) {
            let Some(&[first, second]) = rims.get(&edge).and_then(|rim| rim.others.as_array()) else {
                continue;
            };
            let (Some(first), Some(second)) = (solid[first as usize], solid[second as usize]) else {
                return false;
            };
            let away =
                [first, second, triangles[t as usize]].map_each(|corners| Away::of(corners, edge, positions));
            if let [Some(first), Some(second), Some(wall)] = away {
                let along = Away::along(edge, positions);
                return if first.is_along {
                    wall.lies_between(&first, &second, along)
                } else {
                    wall.lies_between(&second, &first, along)
                };
            }
        }
    }
    false
}

/// Direction and winding of a triangle at one of its edges.
#[derive(Clone, Copy)]
struct Away {
    /// Unit vector from the edge into the triangle, perpendicular to the edge.
    direction: DVec3,
    /// Whether the triangle's winding traverses the edge in the edge's direction.
    is_along: bool,
}

impl Away {
    /// Returns the direction and winding; `None` if the triangle has no extent away from the edge.
    fn of(corners: [u32; 3], edge: [u32; 2], positions: &[Vec3]) -> Option<Self> {
        let at = |v: u32| positions[v as usize].as_dvec3();
        let third = (0..3).find(|&k| !edge.contains(&corners[k]))?;
        let along = Self::along(edge, positions);
        let away = at(corners[third]) - at(edge[0]);
        let direction = (away - away.dot(along) * along).try_normalize()?;
        Some(Self { direction, is_along: corners[(third + 1) % 3] == edge[0] })
    }

    /// Returns the unit direction of an edge.
    fn along(edge: [u32; 2], positions: &[Vec3]) -> DVec3 {
        let [from, to] = edge.map_each(|v| positions[v as usize].as_dvec3());
        (to - from).normalize_or_zero()
    }

    /// Returns whether this triangle comes before the face `end` in a rotation about the edge that
    /// starts at the face `start` and runs through the solid. The face `start` must traverse the edge
    /// in the edge's direction.
    fn lies_between(&self, start: &Self, end: &Self, along: DVec3) -> bool {
        let inward = start.direction.cross(along);
        let angle = |direction: DVec3| {
            let angle = libm::atan2(direction.dot(inward), direction.dot(start.direction));
            if angle < 0.0 { angle + TAU } else { angle }
        };
        angle(self.direction) < angle(end.direction)
    }
}
