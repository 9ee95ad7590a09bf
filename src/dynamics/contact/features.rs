//! Pairs of features of two triangles that make a contact: vertex and face, face and vertex, edge and
//! edge.
//!
//! The normal is one-sided: a face's outward normal, or the cross product of two edges. A pair makes a
//! contact only if each feature reaches farther along the normal than its own neighbors (local
//! support). This test needs a defined outside, but neither a closed mesh nor a global inside test. It
//! drops the inner edges of tessellated faces. A two-sided face is tested with both normals.
//!
//! All coordinates are in the body space of a, m.

use glam::{DMat3, DVec3};

use super::point::{FeatureKey, Round};
use super::settings::PairSettings;
use crate::body::Seams;
use crate::mesh::{Mesh, SUPPORT_SLACK, boxes_overlap};
use crate::pose::Pose;

/// Squared sine of the angle below which two edges count as parallel. Parallel edges make no contact,
/// because the vertices at their ends do.
const PARALLEL: f64 = 0.0025;
/// Largest distance of an edge's closest point beyond the edge's end, as a share of the edge's length, if
/// the row of edges goes on there. An edge at the end of its row ends where it ends, apart from
/// rounding ([`PairSettings::border`]).
pub(super) const EDGE_END: f64 = 1e-3;
/// Largest distance of an edge's closest point beyond the edge's end, as a share of the overlap. A
/// chain of edges that curves away from the other body, as around the inside of a ring, leaves wedges
/// between the closest points of neighboring edges. The deeper the overlap, the wider a wedge: about
/// half the angle (rad) between two edges, times the overlap. A wedge exists only where the row of edges
/// goes on nearly straight ahead, not at a sharp corner. Smaller values let rings of chains slip
/// through each other; larger values find edge contacts beside corners.
pub(super) const WEDGE: f64 = 0.12;

/// Sine of the angle by which a face at an edge may rise above a foreseen contact. It covers rounding.
const FORESEEN_SLACK: f64 = 1e-3;

/// Pair of features, one of each mesh, that makes a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feature {
    pub key: FeatureKey,
    pub point_a: DVec3,
    pub point_b: DVec3,
    /// Unit normal from a to b.
    pub normal: DVec3,
    /// Distance of the surfaces along the normal, m; negative when overlapping.
    pub separation: f64,
    /// Distance by which the surfaces approach along the normal in a step if the bodies keep their
    /// velocities, m; negative if they part. 0 until the features are chosen.
    pub approach: f64,
    /// Place of the vertex over the face.
    pub place: Place,
    /// Smooth surfaces of the bodies at the contact.
    pub round: Round,
}

impl Feature {
    /// Sorts by key. No two features of a pair share a key.
    pub(super) fn sort(features: &mut [Self]) {
        features.sort_unstable_by_key(|f| f.key);
    }

    /// Returns an identifier shared by all features with the same vertex; `None` for edge pairs.
    pub fn vertex_group(&self) -> Option<u64> {
        self.vertex().map(|(vertex, is_of_a)| Self::group_of(vertex, is_of_a))
    }

    /// Returns the identifier shared by all features with this vertex, of a or of b.
    pub fn group_of(vertex: u32, is_of_a: bool) -> u64 {
        u64::from(vertex) | u64::from(!is_of_a) << INDEX_BITS
    }

    /// Returns the vertex that touches a face, and whether it belongs to a; `None` for edge pairs.
    pub fn vertex(&self) -> Option<(u32, bool)> {
        let kind = self.key.0 >> KIND_SHIFT;
        let (first, second) = (self.key.0 >> INDEX_BITS & INDEX_MASK, self.key.0 & INDEX_MASK);
        match kind {
            VERTEX_FACE => Some((first as u32, true)),
            FACE_VERTEX => Some((second as u32, false)),
            _ => None,
        }
    }

    /// Returns the indices of the two features, of a and of b.
    pub fn indices(&self) -> [u32; 2] {
        [self.key.0 >> INDEX_BITS, self.key.0].map(|index| (index & INDEX_MASK) as u32)
    }

    /// Returns whether the feature pair consists of two edges.
    pub fn is_edge_edge(&self) -> bool {
        self.key.0 >> KIND_SHIFT == EDGE_EDGE
    }

    /// Returns whether a vertex of b touches a face of a.
    pub fn face_is_on_a(&self) -> bool {
        self.key.0 >> KIND_SHIFT == FACE_VERTEX
    }

    /// Returns the point halfway between the surfaces, m.
    pub fn middle(&self) -> DVec3 {
        0.5 * (self.point_a + self.point_b)
    }

    /// Returns the point on the face (on a for two edges): the vertex would leave the solid there.
    pub fn exit(&self) -> DVec3 {
        if self.key.0 >> KIND_SHIFT == VERTEX_FACE { self.point_b } else { self.point_a }
    }

    /// Returns the outward unit normal of the face; for two edges the normal.
    pub fn outward(&self) -> DVec3 {
        if self.key.0 >> KIND_SHIFT == VERTEX_FACE { -self.normal } else { self.normal }
    }
}

/// Place of a vertex that touches a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The vertex is over the face, or beside it by less than a crack.
    Over,
    /// The vertex is behind a concave edge, beside both of its faces. Both bear it.
    InCorner,
}

/// Owner of the face in a contact's feature pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Face {
    OfA,
    OfB,
    /// No face: a contact of two edges, or of a region.
    None,
}

impl FeatureKey {
    /// Returns the key of the region that two nodes of the hierarchies enclose, from the index of each
    /// node.
    pub(super) fn region((a, b): (u32, u32)) -> Self {
        key(REGION, false, a & INDEX_MASK as u32, b & INDEX_MASK as u32)
    }

    /// Returns whether the key stands for a region of the surfaces, not for a pair of features.
    pub fn is_region(self) -> bool {
        self.0 >> KIND_SHIFT == REGION
    }

    /// Returns whether a vertex of a touches a face of b.
    pub fn has_vertex_of_a(self) -> bool {
        self.face() == Face::OfB
    }

    /// Returns the owner of the face of the feature pair.
    pub(super) fn face(self) -> Face {
        match self.0 >> KIND_SHIFT {
            VERTEX_FACE => Face::OfB,
            FACE_VERTEX => Face::OfA,
            _ => Face::None,
        }
    }
}

const INDEX_BITS: u32 = 30;
const INDEX_MASK: u64 = (1 << INDEX_BITS) - 1;
/// Position of the kind in a key. The bit below the kind is set if the contact is with the back of a
/// two-sided face, or if the normal of two edges is reversed.
///
/// ```text
///  63   61  60      59         30 29          0
///  | kind |behind| index in a  | index in b  |
/// ```
const KIND_SHIFT: u32 = 61;
const VERTEX_FACE: u64 = 0;
const FACE_VERTEX: u64 = 1;
const EDGE_EDGE: u64 = 2;
const REGION: u64 = 3;

/// Returns the key of a feature pair from its kind, its `behind` bit, and the feature's index in each
/// mesh.
fn key(kind: u64, behind: bool, a: u32, b: u32) -> FeatureKey {
    let behind = u64::from(behind) << (KIND_SHIFT - 1);
    FeatureKey(kind << KIND_SHIFT | behind | u64::from(a) << INDEX_BITS | u64::from(b))
}

/// Vertices of b transformed to a's space. Each vertex is transformed at most once per query.
#[derive(Default)]
pub(super) struct Transformed {
    points: Vec<DVec3>,
    stamps: Vec<u32>,
    stamp: u32,
}

impl Transformed {
    /// Forgets all transformed vertices and makes room for `vertex_count`.
    pub fn start(&mut self, vertex_count: usize) {
        if self.stamps.len() < vertex_count {
            self.stamps.resize(vertex_count, 0);
            self.points.resize(vertex_count, DVec3::ZERO);
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
    }
}

/// Search for feature pairs that make contacts between two meshes.
pub(super) struct FeatureSearch<'a> {
    pub mesh_a: &'a Mesh,
    pub mesh_b: &'a Mesh,
    /// Seams of a and b with other parts.
    pub seams: [Option<&'a Seams>; 2],
    pub carried: &'a mut Transformed,
    pub b_to_a: Pose,
    pub rotation: DMat3,
    pub settings: PairSettings,
    /// Largest separation of a contact, m.
    pub speculative: f64,
    /// Largest distance of triangles that are tested, m.
    pub margin: f64,
    /// Largest distance beside both faces of a concave edge within which a point behind them counts as over
    /// them, m.
    pub corner: f64,
    /// True if the triangles now tested intersect.
    pub is_crossing: bool,
    pub found: &'a mut Vec<Feature>,
}

/// A point and a face that it may lie over, body space of a, m.
///
/// ```text
///         point *
///               :  ^
///    separation :  | normal
///               :  |
///    +----------+--+------+        +----
///    corners[0]         corners[1]   next face
///                       |<----->| crack
/// ```
pub(super) struct OverFace<'a> {
    pub face: u32,
    pub point: DVec3,
    /// Signed distance of the point from the face's plane, m; negative if the point is behind the
    /// tested side of the face.
    pub separation: f64,
    pub corners: &'a [DVec3; 3],
    /// Unit normal of the face.
    pub normal: DVec3,
}

impl FeatureSearch<'_> {
    fn point_a(&self, vertex: u32) -> DVec3 {
        self.mesh_a.vertices()[vertex as usize].as_dvec3()
    }

    #[inline]
    fn point_b(&mut self, vertex: u32) -> DVec3 {
        let v = vertex as usize;
        if self.carried.stamps[v] != self.carried.stamp {
            self.carried.stamps[v] = self.carried.stamp;
            self.carried.points[v] =
                self.rotation * self.mesh_b.vertices()[v].as_dvec3() + self.b_to_a.position;
        }
        self.carried.points[v]
    }

    fn normal_b(&self, triangle: u32) -> DVec3 {
        self.rotation * self.mesh_b.topology().normal(triangle)
    }

    /// Returns the corners of both triangles in a's space, m.
    #[inline]
    pub fn corners(&mut self, ta: u32, tb: u32) -> ([DVec3; 3], [DVec3; 3]) {
        let [u, v, w] = self.mesh_b.triangles()[tb as usize];
        (self.mesh_a.corners(ta), [self.point_b(u), self.point_b(v), self.point_b(w)])
    }

    /// Returns whether the triangles' boxes come within `margin`, and neither triangle lies entirely
    /// beyond `margin` on one side of the other's plane. The result is the same for every kind of
    /// hierarchy.
    pub fn may_touch(&self, ta: u32, tb: u32, a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
        let margin = self.margin;
        if !boxes_overlap(a, b, margin) {
            return false;
        }
        let beyond = |n: DVec3, on: DVec3, points: &[DVec3; 3]| {
            let d = points.map(|p| n.dot(p - on));
            d.iter().all(|&d| d > margin) || d.iter().all(|&d| d < -margin)
        };
        !beyond(self.mesh_a.topology().normal(ta), a[0], b) && !beyond(self.normal_b(tb), b[0], a)
    }

    /// Appends the contacts between the features (vertices and edges) that each triangle owns and the
    /// other triangle. Each vertex and edge is owned by one of its triangles, so none is tested twice.
    pub fn find(&mut self, ta: u32, tb: u32, a: &[DVec3; 3], b: &[DVec3; 3]) {
        let (owned_a, owned_b) = (self.mesh_a.topology().owned(ta), self.mesh_b.topology().owned(tb));
        for k in 0..3 {
            if owned_a >> k & 1 != 0 {
                self.vertex_face(self.mesh_a.triangles()[ta as usize][k], tb, b);
            }
            if owned_b >> k & 1 != 0 {
                self.face_vertex(ta, a, self.mesh_b.triangles()[tb as usize][k]);
            }
        }
        for i in (0..3).filter(|i| owned_a >> (3 + i) & 1 != 0) {
            let edge_a = self.mesh_a.topology().triangle_edges(ta)[i];
            if !self.mesh_a.topology().edges()[edge_a as usize].class.is_active() {
                continue;
            }
            for j in (0..3).filter(|j| owned_b >> (3 + j) & 1 != 0) {
                let edge_b = self.mesh_b.topology().triangle_edges(tb)[j];
                if self.mesh_b.topology().edges()[edge_b as usize].class.is_active() {
                    self.edge_edge(edge_a, edge_b);
                }
            }
        }
    }

    /// Appends the contact of a vertex of a and a face of b. A two-sided face may give two, one per
    /// side.
    fn vertex_face(&mut self, vertex: u32, face: u32, corners: &[DVec3; 3]) {
        if !self.mesh_a.topology().vertex_is_extremal(vertex) {
            return;
        }
        let (point, n) = (self.point_a(vertex), self.normal_b(face));
        let is_two_sided = self.mesh_b.surface().two_sided[face as usize];
        for behind in [false, true] {
            if behind && !is_two_sided {
                return;
            }
            let outward = if behind { -n } else { n };
            let separation = outward.dot(point - corners[0]);
            if self.is_near(separation, self.settings.vertex_depths[0])
                && (!is_two_sided || self.mesh_a.vertex_faces(vertex, -outward))
                && let Some(place) = self.place(
                    true,
                    vertex,
                    -outward,
                    &OverFace { face, point, separation, corners, normal: n },
                )
            {
                self.found.push(Feature {
                    key: key(VERTEX_FACE, behind, vertex, face),
                    point_a: point,
                    point_b: point - separation * outward,
                    normal: -outward,
                    separation,
                    approach: 0.0,
                    place,
                    round: Round::SHARP,
                });
            }
        }
    }

    /// Appends the contact of a face of a and a vertex of b. A two-sided face may give two, one per
    /// side.
    fn face_vertex(&mut self, face: u32, corners: &[DVec3; 3], vertex: u32) {
        if !self.mesh_b.topology().vertex_is_extremal(vertex) {
            return;
        }
        let (point, n) = (self.point_b(vertex), self.mesh_a.topology().normal(face));
        let is_two_sided = self.mesh_a.surface().two_sided[face as usize];
        for behind in [false, true] {
            if behind && !is_two_sided {
                return;
            }
            let outward = if behind { -n } else { n };
            let separation = outward.dot(point - corners[0]);
            let out = self.rotation.transpose() * -outward;
            if self.is_near(separation, self.settings.vertex_depths[1])
                && (!is_two_sided || self.mesh_b.vertex_faces(vertex, out))
                && let Some(place) =
                    self.place(false, vertex, out, &OverFace { face, point, separation, corners, normal: n })
            {
                self.found.push(Feature {
                    key: key(FACE_VERTEX, behind, face, vertex),
                    point_a: point - separation * outward,
                    point_b: point,
                    normal: outward,
                    separation,
                    approach: 0.0,
                    place,
                    round: Round::SHARP,
                });
            }
        }
    }

    /// Appends the contact of two edges, testing both directions of the normal.
    fn edge_edge(&mut self, edge_a: u32, edge_b: u32) {
        let ends_a = self.mesh_a.topology().edges()[edge_a as usize].vertices.map(|v| self.point_a(v));
        let ends_b = self.mesh_b.topology().edges()[edge_b as usize].vertices.map(|v| self.point_b(v));
        let Some([at_a, at_b]) = nearest_on_lines(ends_a, ends_b) else { return };
        let (u, v) = (ends_a[1] - ends_a[0], ends_b[1] - ends_b[0]);
        let (uu, vv, unit) = (u.length_squared(), v.length_squared(), u.cross(v).normalize());
        let gap = ends_b[0] - ends_a[0];
        let [beyond_a, beyond_b] = [at_a, at_b].map(|t| (-t).max(t - 1.0));
        let is_beyond = beyond_a.max(beyond_b) > EDGE_END;
        let wedge = WEDGE * unit.dot(gap).abs().min(self.settings.depth);
        if is_beyond && (beyond_a * uu.sqrt()).max(beyond_b * vv.sqrt()) > wedge {
            return;
        }
        let reaches = |mesh: &Mesh, edge: u32, at: f64, beyond: f64| {
            beyond <= self.settings.border || mesh.edge_goes_on(edge, usize::from(at > 0.5))
        };
        if !reaches(self.mesh_a, edge_a, at_a, beyond_a * uu.sqrt())
            || !reaches(self.mesh_b, edge_b, at_b, beyond_b * vv.sqrt())
        {
            return;
        }
        let [point_a, point_b] = [(ends_a[0], at_a, u), (ends_b[0], at_b, v)]
            .map(|(end, t, along)| end + t.clamp(0.0, 1.0) * along);
        if !self.is_within_margin(point_a.distance_squared(point_b)) {
            return;
        }
        for normal in [unit, -unit] {
            let separation = normal.dot(point_b - point_a);
            if self.is_near(separation, self.settings.depth)
                && (!is_beyond || separation < 0.0)
                && self.edge_supports(true, edge_a, normal, separation)
                && self.edge_supports(false, edge_b, self.rotation.transpose() * -normal, separation)
            {
                let behind = normal == -unit;
                self.found.push(Feature {
                    key: key(EDGE_EDGE, behind, edge_a, edge_b),
                    point_a,
                    point_b,
                    normal,
                    separation,
                    approach: 0.0,
                    place: Place::Over,
                    round: Round::SHARP,
                });
            }
        }
    }

    /// Returns whether the edge of a or b is the local extremum along `out` (unit, space of its body), also
    /// where other parts continue the surface. Only edges that touch may miss the extremum by the slack: a
    /// foreseen contact with such an edge would slow a body that another face bears.
    fn edge_supports(&self, is_of_a: bool, edge: u32, out: DVec3, separation: f64) -> bool {
        let (mesh, seams) = self.side(is_of_a);
        let slack = if separation > self.settings.slop { FORESEEN_SLACK } else { SUPPORT_SLACK };
        mesh.edge_supports(edge, out, slack) && seams.is_none_or(|seams| seams.edge_supports(edge, out))
    }

    /// Returns the mesh of a or b, and its seams with other parts.
    pub fn side(&self, is_of_a: bool) -> (&Mesh, Option<&Seams>) {
        if is_of_a { (self.mesh_a, self.seams[0]) } else { (self.mesh_b, self.seams[1]) }
    }

    /// Returns whether the separation is at most the speculative distance, and the overlap at most
    /// `depth` (m).
    fn is_near(&self, separation: f64, depth: f64) -> bool {
        (-depth..=self.speculative).contains(&separation)
    }
}

/// Returns the positions of the nearest points of two lines, each as a share of the segment that gives
/// the line; `None` if the lines are nearly parallel.
pub(super) fn nearest_on_lines(a: [DVec3; 2], b: [DVec3; 2]) -> Option<[f64; 2]> {
    let (u, v, gap) = (a[1] - a[0], b[1] - b[0], b[0] - a[0]);
    let cross = u.cross(v);
    let cc = cross.length_squared();
    let is_crossed = cc >= PARALLEL * u.length_squared() * v.length_squared() && cc > 0.0;
    is_crossed.then(|| [gap.cross(v).dot(cross) / cc, gap.cross(u).dot(cross) / cc])
}
