//! Normal cones of triangles: the directions along which a triangle's features can carry a contact.
//!
//! A contact's normal is the normal of a face, or a direction along which the contact's vertex or edge
//! supports its surface ([`supports`](super::support::supports)). If two surfaces touch, the normal is
//! among the directions of one surface, and its opposite among those of the other. So triangles whose
//! cones are not opposed cannot form a contact at any position. After Johnson and Cohen's spatialized
//! normal cones (2001), which contain the normals of a surface's faces; these cones also contain the
//! directions of the triangle's own vertices and edges.
//!
//! Cost: n³ dot products for a vertex with n neighbors, where n is at most [`NEIGHBORS`].

use glam::DVec3;

use super::cone::{Cone, PackedCone};
use super::support::SUPPORT_SLACK;
use super::surface::Surface;
use super::topology::{Edge, NONE, Topology};
use crate::arrays::MapEach;

/// Largest number of neighbors that bound the directions of a vertex. More neighbors would only narrow
/// the cone.
const NEIGHBORS: usize = 12;
/// Angle (rad) by which cones are widened: much more than the rounding error of a normal.
const SLACK: f64 = 1e-3;
/// Amount by which the sine of a direction may exceed the support slack and still count as within it.
const ROUNDING: f64 = 1e-6;
const SINE: f64 = SUPPORT_SLACK + ROUNDING;
/// Cosine of the widest cone that is stored. A wider cone is replaced by the cone of all directions.
const WIDEST: f64 = 0.01;

/// Cones of a mesh's triangles, body space.
#[derive(Clone, Debug, Default)]
pub struct Cones {
    /// Cone of each triangle; empty if the cones are unknown.
    pub of_triangles: Vec<PackedCone>,
    /// Length of the shortest edge, m.
    pub finest: f64,
}

/// Length of the shortest edge whose direction stays accurate in another space, as a share of the
/// surfaces' extent there: 10⁴ roundings of `f64`.
const SHORTEST: f64 = 1e-12;

impl Cones {
    /// Returns whether an edge of length `finest` (m) keeps its direction if its ends are transformed
    /// to coordinates of up to `size` (m).
    pub fn hold_at(finest: f64, size: f64) -> bool {
        finest > SHORTEST * size
    }
}

/// Computes the cones of all triangles.
pub(super) fn cones(surface: &Surface, topology: &Topology) -> Cones {
    let mut vertex_normals = vec![DVec3::ZERO; surface.vertices.len()];
    for (t, corners) in surface.triangles.iter().enumerate() {
        corners.iter().for_each(|&v| vertex_normals[v as usize] += topology.normal(t as u32));
    }
    let mut gathered = Gathered { axis: DVec3::ZERO, least: 1.0, is_double: false, directions: Vec::new() };
    let triangles = 0..surface.triangles.len() as u32;
    let cone = |t| gathered.cone(surface, topology, &vertex_normals, t).unwrap_or(Cone::ALL).into();
    let length = |edge: &Edge| {
        let [p, q] = edge.vertices.map_each(|v| surface.vertices[v as usize].as_dvec3());
        p.distance(q)
    };
    let finest = topology.edges().iter().map(length).fold(f64::INFINITY, f64::min);
    Cones { of_triangles: triangles.map(cone).collect(), finest }
}

/// Directions gathered for the cone of one triangle.
struct Gathered {
    axis: DVec3,
    /// Least cosine so far of the angle between a direction and the axis or its opposite.
    least: f64,
    is_double: bool,
    /// Unit vectors from a vertex to its neighbors, or from an edge into its faces.
    directions: Vec<DVec3>,
}

impl Gathered {
    /// Returns the cone of a triangle; `None` if it would contain every direction.
    fn cone(
        &mut self,
        surface: &Surface,
        topology: &Topology,
        vertex_normals: &[DVec3],
        triangle: u32,
    ) -> Option<Cone> {
        let (normal, owned) = (topology.normal(triangle), topology.owned(triangle));
        let corners = surface.triangles[triangle as usize];
        let vertices = || {
            let own = (0..3).filter(move |k| owned >> k & 1 != 0).map(move |k| corners[k as usize]);
            own.filter(|&v| topology.vertex_is_extremal(v))
        };
        let edges = || {
            let own = (0..3).filter(move |k| owned >> (3 + k) & 1 != 0);
            let own =
                own.map(move |k| topology.edges()[topology.triangle_edges(triangle)[k as usize] as usize]);
            own.filter(|edge| edge.class.is_active())
        };
        let normals_of_edges = edges().map(|edge| {
            let [x, y] = edge.triangles;
            (topology.normal(x) + if y == NONE { DVec3::ZERO } else { topology.normal(y) })
                .normalize_or_zero()
        });
        let normals_of_vertices = vertices().map(|v| vertex_normals[v as usize].normalize_or_zero());
        let sum = normal + normals_of_edges.chain(normals_of_vertices).sum::<DVec3>();
        self.axis = sum.try_normalize()?;
        (self.least, self.is_double) = (1.0, false);
        if normal != DVec3::ZERO {
            self.hold(normal)?;
            if surface.two_sided[triangle as usize] {
                self.hold(-normal)?;
            }
        }
        for vertex in vertices() {
            self.hold_vertex(surface, topology, vertex)?;
        }
        for edge in edges() {
            let [start, end] = edge.vertices.map(|v| surface.vertices[v as usize].as_dvec3());
            let along = (end - start).try_normalize()?;
            self.directions.clear();
            for &face in edge.triangles.iter().filter(|&&t| t != NONE) {
                let opposite =
                    surface.triangles[face as usize].into_iter().find(|v| !edge.vertices.contains(v))?;
                let to = surface.vertices[opposite as usize].as_dvec3() - start;
                self.directions.push((to - to.dot(along) * along).try_normalize()?);
            }
            self.hold_edge(along)?;
        }
        let widest = self.least.clamp(0.0, 1.0).acos() + SLACK;
        let cone = Cone { axis: self.axis, cosine: widest.cos(), is_double: self.is_double };
        (cone.cosine > WIDEST).then_some(cone)
    }

    /// Adds a direction. Returns `None` if it is nearly perpendicular to the axis, so that the cone
    /// would contain every direction.
    fn hold(&mut self, direction: DVec3) -> Option<()> {
        let cosine = direction.dot(self.axis);
        self.is_double |= cosine < 0.0;
        self.least = self.least.min(cosine.abs());
        (self.least > WIDEST).then_some(())
    }

    /// Returns whether `direction` supports the feature. `self.directions` lead away from the feature;
    /// those with the indices `except` are not tested.
    fn is_feasible(&self, direction: DVec3, except: [usize; 2]) -> bool {
        let mut others = self.directions.iter().enumerate().filter(|(i, _)| !except.contains(i));
        others.all(|(_, d)| d.dot(direction) <= SINE)
    }

    /// Adds the directions that support a vertex; `None` if some direction is nearly perpendicular to
    /// the axis. On the unit sphere, the directions are bounded by one circle per neighbor. The circles
    /// bend inward, so on either side of the axis's equator the directions lie in the hull of the
    /// circles' intersections.
    fn hold_vertex(&mut self, surface: &Surface, topology: &Topology, vertex: u32) -> Option<()> {
        let point = surface.vertices[vertex as usize].as_dvec3();
        let neighbors = topology.neighbors(vertex);
        let taken = neighbors.len().min(NEIGHBORS);
        let directions = (0..taken).map(|i| {
            let w = neighbors[i * neighbors.len() / taken];
            (surface.vertices[w as usize].as_dvec3() - point).normalize_or_zero()
        });
        self.directions.clear();
        self.directions.extend(directions);
        let mut is_bounded = false;
        for (i, direction) in self.directions.iter().enumerate() {
            let Some(ends) = crossings([self.axis, *direction], [0.0, SINE]) else { continue };
            is_bounded = true;
            if ends.iter().any(|&end| self.is_feasible(end, [i; 2])) {
                return None;
            }
        }
        if !is_bounded {
            return None;
        }
        for i in 0..taken {
            for j in 0..i {
                let Some(points) = crossings([self.directions[i], self.directions[j]], [SINE; 2]) else {
                    continue;
                };
                for point in points {
                    if self.is_feasible(point, [i, j]) {
                        self.hold(point)?;
                    }
                }
            }
        }
        Some(())
    }

    /// Adds the directions that support an edge. They are arcs of the circle normal to the edge. The
    /// arcs end at directions along which a face rises too far.
    fn hold_edge(&mut self, along: DVec3) -> Option<()> {
        let square = along.cross(self.axis).try_normalize()?;
        if [square, -square].into_iter().any(|d| self.is_feasible(d, [usize::MAX; 2])) {
            return None;
        }
        for i in 0..self.directions.len() {
            let into = self.directions[i];
            let aside = (1.0 - SINE * SINE).sqrt() * along.cross(into);
            for end in [SINE * into + aside, SINE * into - aside] {
                if self.is_feasible(end, [i; 2]) {
                    self.hold(end)?;
                }
            }
        }
        Some(())
    }
}

/// Returns the two unit vectors with the given dot products with `u` and `v`; `None` if they do not
/// exist.
fn crossings([u, v]: [DVec3; 2], [along_u, along_v]: [f64; 2]) -> Option<[DVec3; 2]> {
    let normal = u.cross(v);
    let square = normal.length_squared();
    if square < 1e-12 {
        return None;
    }
    let cosine = u.dot(v);
    let middle = ((along_u - along_v * cosine) * u + (along_v - along_u * cosine) * v) / square;
    let rest = 1.0 - middle.length_squared();
    let off = (rest.max(0.0) / square).sqrt() * normal;
    (rest >= 0.0).then_some([middle + off, middle - off])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{self, Gear};
    use crate::mesh::Mesh;
    use crate::random::Random;

    fn holds(cone: PackedCone, direction: DVec3) -> bool {
        let Cone { axis, cosine, is_double } = cone.into();
        let along = axis.dot(direction);
        cosine <= 0.0 || if is_double { along.abs() >= cosine } else { along >= cosine }
    }

    #[test]
    fn a_cone_holds_every_direction_that_its_triangle_s_features_support() {
        let mut random = Random::new(11, 0);
        let (mut supported, mut outside, mut bounded) = (0, 0, 0);
        for (positions, triangles) in [
            generate::torus(0.3, 0.1, 24, 12),
            generate::torus(0.3, 0.1, 96, 48),
            generate::cuboid(glam::Vec3::new(0.5, 0.3, 0.4), 0.1),
            generate::bumpy_sphere(12),
            Gear::SMALL.triangles(),
            generate::soup(40, 0.3, 5),
        ] {
            let mesh = Mesh::new("mesh", &positions, &triangles).unwrap();
            let (topology, cones) = (mesh.topology(), &mesh.cones().of_triangles);
            for (t, &cone) in (0..).zip(cones) {
                bounded += u32::from(!Cone::from(cone).is_all());
                let (owned, corners) = (topology.owned(t), mesh.triangles()[t as usize]);
                assert!(topology.normal(t) == DVec3::ZERO || holds(cone, topology.normal(t)));
                // Near the normal, because most other directions support no feature.
                for _ in 0..12 {
                    let near = topology.normal(t) + random.uniform() * (random.rotation() * DVec3::X);
                    let direction =
                        near.normalize_or(DVec3::X) * if random.uniform() < 0.3 { -1.0 } else { 1.0 };
                    let vertices = (0..3).filter(|k| owned >> k & 1 != 0).map(|k| corners[k as usize]);
                    let mut vertices = vertices.filter(|&v| topology.vertex_is_extremal(v));
                    let is_supported = vertices.any(|v| mesh.vertex_supports(v, direction));
                    assert!(!is_supported || holds(cone, direction), "{t}: {direction} is not in {cone:?}");
                    (supported, outside) =
                        (supported + u32::from(is_supported), outside + u32::from(!holds(cone, direction)));
                    for k in (0..3).filter(|k| owned >> (3 + k) & 1 != 0) {
                        let index = topology.triangle_edges(t)[k as usize];
                        let edge = topology.edges()[index as usize];
                        let [p, q] = edge.vertices.map(|v| mesh.vertices()[v as usize].as_dvec3());
                        let Some(square) = direction.reject_from(q - p).try_normalize() else { continue };
                        if edge.class.is_active() && mesh.edge_supports(index, square, SUPPORT_SLACK) {
                            assert!(holds(cone, square), "{t}: {square} is not in {cone:?}");
                            supported += 1;
                        }
                    }
                }
            }
        }
        assert!(bounded > 5000 && supported > 20_000 && outside > 20_000, "{bounded} {supported} {outside}");
    }
}
