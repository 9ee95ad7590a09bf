//! Contacts of fine meshes over fine meshes, moved from facets to the smooth surfaces that the facets
//! approximate.
//!
//! A vertex or an edge over a facet touches along the facet's normal. On a round part that normal jumps
//! from facet to facet, so that parts which slide over it hop. So the contact takes place and normal from
//! the two smooth surfaces, and keeps their curvatures, with which it follows the bodies.

use glam::{DMat3, DVec3};

use super::curves::Curves;
use super::features::Feature;
use super::point::Round;
use crate::arrays::MapEach;
use crate::mesh::{Bend, BentFacet, Mesh, NONE, Outline, Rounding, SHARP};
use crate::pose::Pose;

/// Largest distance of facets from the smooth surface, in slops. The chords of a bore lie in front of its
/// surface, and a part in it may overlap them by this distance.
const TOLERANCE: f64 = 2.0;
/// Radius along a sharp edge, as a multiple of the radius of the surface that it touches. It stands for an
/// infinite one: the contact moves along the edge.
const ALONG_EDGE: f64 = 1e3;
/// Distance of two contacts that count as one, as a share of the longer of the distances by which each was
/// moved. A contact that was moved far is less exact.
const ALIKE: f64 = 0.25;

/// Cosine of the largest angle (40°) between a contact and a facet whose smooth surface looks along the
/// contact: both the surface and the facet, and the surface and the contact, differ by at most [`SHARP`].
const LEAST_FACING: f64 = 0.766;

/// A contact of smooth surfaces.
struct Smooth {
    /// Index of the feature.
    at: usize,
    /// Distance by which the contact was moved, m.
    moved: f64,
}

/// Buffer of the contacts of smooth surfaces.
#[derive(Default)]
pub(super) struct Smooths {
    found: Vec<Smooth>,
    dropped: Vec<usize>,
    facets: Facets,
}

/// Number of facets whose smooth surfaces are kept from query to query.
const KEPT: usize = 512;

/// Smooth surfaces over the facets that touched last. To find one takes a microsecond or more, and most
/// contacts stay on their facets.
struct Facets {
    /// Table by the last digits of the triangle: shape of the mesh, triangle, and the surface, if there is
    /// one.
    kept: Vec<Option<(u64, u32, Option<BentFacet>)>>,
}

impl Default for Facets {
    fn default() -> Self {
        Self { kept: vec![None; KEPT] }
    }
}

impl Facets {
    /// Returns the smooth surface over a triangle; `None` if it is flat or sharp-edged there.
    fn of(&mut self, mesh: &Mesh, triangle: u32) -> Option<&BentFacet> {
        let at = (mesh.shape() as usize).wrapping_mul(37).wrapping_add(triangle as usize) % KEPT;
        let place = &mut self.kept[at];
        if !matches!(place, Some((shape, of, _)) if *shape == mesh.shape() && *of == triangle) {
            *place = Some((mesh.shape(), triangle, mesh.bent_facet(triangle)));
        }
        place.as_ref().and_then(|(_, _, facet)| facet.as_ref())
    }
}

/// Meshes of a and b, and their poses in the space of a.
struct Sides<'a> {
    meshes: [&'a Mesh; 2],
    poses: [&'a Pose; 2],
    facets: &'a mut Facets,
    /// Largest distance of facets from the smooth surfaces, m.
    tolerance: f64,
    slop: f64,
}

impl Smooths {
    /// Moves contacts between fine meshes to their smooth surfaces, and drops those that then are at the
    /// place of another. `features`: in a's space. `slop` in m.
    pub fn smooth_out(&mut self, features: &mut Vec<Feature>, meshes: [&Mesh; 2], b_to_a: &Pose, slop: f64) {
        let (poses, facets) = ([&Pose::IDENTITY, b_to_a], &mut self.facets);
        let mut sides = Sides { meshes, poses, facets, tolerance: TOLERANCE * slop, slop };
        self.found.clear();
        self.found.reserve(features.capacity());
        self.dropped.reserve(features.capacity());
        for (at, feature) in features.iter_mut().enumerate() {
            let before = feature.middle();
            if sides.smooth(feature) {
                self.found.push(Smooth { at, moved: feature.middle().distance(before) });
            } else if let Some((vertex, point_is_of_a)) = feature.vertex()
                && feature.round.is_sharp()
            {
                let is_corner = meshes[usize::from(!point_is_of_a)].vertex_is_corner(vertex);
                feature.round = Round { point_is_of_a, is_corner, ..Round::SHARP };
            }
        }
        if self.found.len() > 1 {
            self.drop_alike(features, slop);
        }
    }

    /// Drops contacts near others that were moved less.
    fn drop_alike(&mut self, features: &mut Vec<Feature>, slop: f64) {
        let Self { found, dropped, .. } = self;
        found.sort_unstable_by(|x, y| x.moved.total_cmp(&y.moved).then(x.at.cmp(&y.at)));
        dropped.clear();
        for (k, one) in found.iter().enumerate() {
            let feature = &features[one.at];
            let is_alike = |other: &Smooth| {
                let other = &features[other.at];
                feature.middle().distance(other.middle()) < slop + ALIKE * one.moved
                    && feature.normal.dot(other.normal) > SHARP
            };
            if found[..k].iter().any(|other| !dropped.contains(&other.at) && is_alike(other)) {
                dropped.push(one.at);
            }
        }
        let mut at = 0;
        features.retain(|_| {
            at += 1;
            !dropped.contains(&(at - 1))
        });
    }
}

impl Sides<'_> {
    /// Moves a contact to the smooth surfaces; false if there are none.
    fn smooth(&mut self, feature: &mut Feature) -> bool {
        let curves = if feature.is_edge_edge() { self.of_edges(feature) } else { self.of_vertex(feature) };
        let Some(curves) = curves else { return false };
        let Some(touch) = curves.touch(self.poses) else { return false };
        // The gap at the nearest place is at most the gap at the facets, but for the heights of both smooth
        // surfaces. If it is larger, the curvatures do not hold as far as the contact was moved.
        if touch.gap > feature.separation + 2.0 * self.tolerance {
            return false;
        }
        if (0..2).any(|side| !self.reaches(feature, side, touch.points[side])) {
            return false;
        }
        feature.normal = touch.normal;
        [feature.point_a, feature.point_b] = touch.points;
        feature.separation = touch.gap;
        feature.round = curves.round_at(&touch);
        true
    }

    /// Returns the surfaces of a vertex over a facet; `None` if the facet is flat and the vertex not hollow.
    fn of_vertex(&mut self, feature: &Feature) -> Option<Curves> {
        let (vertex, is_of_a) = feature.vertex()?;
        let [own, other] = if is_of_a { [0, 1] } else { [1, 0] };
        let [on_a, on_b] = [feature.point_a, feature.point_b];
        let (point, foot) = if is_of_a { (on_a, on_b) } else { (on_b, on_a) };
        let out = self.poses[own].inverse_transform_vector(-feature.outward());
        let mut point = self.poses[own].inverse_transform_point(point);
        let mut round = Round { point_is_of_a: is_of_a, ..feature.round };
        let bend = self.bend_of(other, feature.indices()[other], foot);
        let was_sharp = feature.round.is_sharp();
        if was_sharp {
            round.outward = out;
            if let Some(Rounding { radii, shift }) = self.rounding_of(own, (vertex, out), bend.is_some()) {
                point += shift;
                round.radii = radii;
            }
        }
        if bend.is_none() && (round.radii == DMat3::ZERO || !was_sharp) {
            return None;
        }
        let foot = self.poses[other].inverse_transform_point(foot);
        let flat = self.poses[other].inverse_transform_vector(feature.outward());
        Some(over(bend, (foot, flat), point, round))
    }

    /// Returns the smooth surface at a sharp vertex of a body along `out` (unit, space of the body), if it is
    /// hollow. Over a bent face it may also be convex: then the place at which the surfaces touch may belong
    /// to another vertex, and all vertices around must name the same place.
    fn rounding_of(&self, side: usize, (vertex, out): (u32, DVec3), over_bend: bool) -> Option<Rounding> {
        let mesh = self.meshes[side];
        let hollow = mesh.hollow(vertex, out, self.tolerance);
        if hollow.is_some() || !over_bend {
            return hollow;
        }
        match mesh.outline(vertex, out, self.tolerance) {
            Outline::Beside(rounding) | Outline::Round(rounding) => Some(rounding),
            Outline::Sharp => None,
        }
    }

    /// Returns the surfaces of two edges; `None` if none of them is inside a smooth surface. At a sharp edge
    /// a surface ends, so that the contact moves along this edge alone.
    fn of_edges(&mut self, feature: &Feature) -> Option<Curves> {
        let bends = [self.bend_at_edge(feature, 0), self.bend_at_edge(feature, 1)];
        let is_sharp = [0, 1].map_each(|side| {
            let topology = self.meshes[side].topology();
            bends[side].is_none() || topology.is_sharp(&topology.edges()[feature.indices()[side] as usize])
        });
        let sharpness = |side: usize| bends[side].map_or(0.0, |bend| bend.greatest());
        let own = match is_sharp {
            [true, true] => return None,
            [true, false] => 0,
            [false, true] => 1,
            [false, false] => usize::from(sharpness(1) > sharpness(0)),
        };
        let other = 1 - own;
        let face = bends[other]?;
        let points = [feature.point_a, feature.point_b];
        let mut point = self.poses[own].inverse_transform_point(points[own]);
        let mut outward = self.poses[own].inverse_transform_vector(self.out_of(feature, own));
        let mut radii = DMat3::ZERO;
        if let Some(bend) = bends[own] {
            point += bend.height * bend.normal;
            (outward, radii) = (bend.normal, bend.radii());
        }
        if is_sharp[own] {
            let along = self.along_edge(own, feature.indices()[own]);
            let bend = bends[own].map_or(0.0, |bend| along.dot(bend.curvature * along));
            let straight = face.greatest() / ALONG_EDGE;
            let radius = if bend.abs() > straight { bend.recip() } else { straight.recip() };
            radii = radius * DMat3::from_cols(along.x * along, along.y * along, along.z * along);
        }
        let foot = self.poses[other].inverse_transform_point(points[other]);
        let round = Round { radii, outward, point_is_of_a: own == 0, ..Round::SHARP };
        Some(over(Some(face), (foot, face.normal), point, round))
    }

    /// Returns whether the smooth surface at the feature of a body reaches a point (m, space of a). The
    /// surface ends at sharp edges, and is not known farther away than the length of an edge.
    fn reaches(&self, feature: &Feature, side: usize, point: DVec3) -> bool {
        let (mesh, index) = (self.meshes[side], feature.indices()[side]);
        let topology = mesh.topology();
        let point = self.poses[side].inverse_transform_point(point);
        let at = |v: u32| mesh.vertices()[v as usize].as_dvec3();
        if feature.is_edge_edge() {
            let [from, to] = topology.edges()[index as usize].vertices.map(at);
            let length = from.distance(to);
            let along = (point - from).dot(to - from) / length;
            let (end, beyond) = if along < 0.5 * length { (0, -along) } else { (1, along - length) };
            return beyond <= self.slop || beyond <= length && mesh.edge_goes_on(index, end);
        }
        if feature.vertex().is_some_and(|(_, is_of_a)| is_of_a == (side == 0)) {
            let longest = topology.neighbors(index).iter().map(|&v| at(v).distance_squared(at(index)));
            return point.distance_squared(at(index)) <= longest.fold(0.0, f64::max);
        }
        let (corners, normal) = (mesh.corners(index), topology.normal(index));
        let edges = topology.triangle_edges(index).map(|edge| &topology.edges()[edge as usize]);
        (0..3).zip(edges).all(|(k, edge)| {
            let along = corners[(k + 1) % 3] - corners[k];
            let beyond = along.cross(normal).dot(point - corners[k]) / along.length();
            let ends = edge.triangles[1] == NONE || topology.is_sharp(edge);
            beyond <= if ends { self.slop } else { along.length() }
        })
    }

    /// Returns the direction out of a body at a contact, space of a.
    fn out_of(&self, feature: &Feature, side: usize) -> DVec3 {
        if side == 0 { feature.normal } else { -feature.normal }
    }

    /// Returns the smooth surface over a facet of a body at a point (m, space of a); `None` if it is flat,
    /// sharp-edged or coarse.
    fn bend_of(&mut self, side: usize, face: u32, point: DVec3) -> Option<Bend> {
        let facet = self.facets.of(self.meshes[side], face)?;
        let is_fine = facet.depth() <= self.tolerance;
        is_fine.then(|| facet.at(self.poses[side].inverse_transform_point(point)))
    }

    /// Returns the smooth surface at the edge of a body, if one looks along the contact.
    fn bend_at_edge(&mut self, feature: &Feature, side: usize) -> Option<Bend> {
        let faces = self.meshes[side].topology().edges()[feature.indices()[side] as usize].triangles;
        let out = self.poses[side].inverse_transform_vector(self.out_of(feature, side));
        let point = [feature.point_a, feature.point_b][side];
        // A facet that leans more than its smooth surface can bend is not looked at.
        let topology = self.meshes[side].topology();
        let may_look = |face: u32| topology.normal(face).dot(out) > LEAST_FACING;
        let mut faces = faces.into_iter().filter(|&face| face != NONE && may_look(face));
        faces.find_map(|face| self.bend_of(side, face, point).filter(|bend| bend.normal.dot(out) > SHARP))
    }

    /// Returns the unit direction of an edge of a body, in the space of the body.
    fn along_edge(&self, side: usize, edge: u32) -> DVec3 {
        let mesh = self.meshes[side];
        let [from, to] =
            mesh.topology().edges()[edge as usize].vertices.map(|v| mesh.vertices()[v as usize].as_dvec3());
        (to - from).normalize_or_zero()
    }
}

/// Returns the surfaces of a point over a face. `foot` and normal `flat` of the facet, space of its body.
fn over(bend: Option<Bend>, (foot, flat): (DVec3, DVec3), point: DVec3, round: Round) -> Curves {
    match bend {
        Some(Bend { normal, curvature, height }) => {
            Curves::new(foot + height * normal, normal, point, Round { bend: curvature, ..round })
        }
        None => Curves::new(foot, flat, point, round),
    }
}
