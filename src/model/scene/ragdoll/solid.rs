//! Links as solids: the openings where a skin was cut are closed by triangle fans, masses follow from
//! volumes, and inertia is raised to values that the solver can handle.

use std::collections::BTreeMap;

use glam::{DMat3, DVec3, Vec3};

use super::super::BodyDef;
use super::super::builder::{Builder, Patch, Soup};
use super::bones::{Bone, from_roots};
use crate::mesh::{EdgeClass, Mesh};
use crate::volume::{Aabb, eigenvectors};

/// Mass of a figure of [`HUMAN_SIZE`], kg. The mass of a figure scales with the cube of its size.
pub(super) const HUMAN_MASS: f64 = 75.0;
/// Longest side of the bounding box of a human figure, m.
pub(super) const HUMAN_SIZE: f64 = 1.75;
/// Smallest mass of a link, as a share of the figure's mass. A skin's link may be a mere patch, and a
/// joint does not hold a heavy body by a much lighter one.
const LEAST_SHARE: f64 = 0.01;
/// Smallest mass of a link, as a share of the mass of all links below it.
const LEAST_OF_CARRIED: f64 = 0.1;
/// Smallest moment of inertia of a link, as a share of the moment of all links below it about its
/// joint.
const LEAST_OF_TURNED: f64 = 0.05;
/// Smallest allowed ratio of any principal moment to the largest. Thinner bodies spin up in the solver.
const LEAST_RATIO: f64 = 0.1;

/// Returns the soup with each loop of boundary edges (edges of one triangle) closed by a fan.
pub(super) fn capped(name: &str, mut soup: Soup) -> Soup {
    let Ok(mesh) = Mesh::new(name, &soup.positions, &soup.triangles) else { return soup };
    let (mut positions, mut triangles) = (Vec::<Vec3>::new(), Vec::new());
    for ring in boundary_loops(&mesh) {
        let first = positions.len() as u32;
        let corners = ring.iter().map(|&v| mesh.vertices()[v as usize]);
        let center = corners.clone().map(|v| v.as_dvec3()).sum::<DVec3>() / ring.len() as f64;
        positions.extend(corners);
        positions.push(center.as_vec3());
        let count = ring.len() as u32;
        // Opposite to the direction of the triangles beyond each edge, so that windings match.
        triangles.extend((0..count).map(|k| [first + (k + 1) % count, first + k, first + count]));
    }
    let colors = soup.colors.first().map_or_else(Vec::new, |&color| vec![color; triangles.len()]);
    let patch = Patch { positions: &positions, triangles: &triangles, colors: &colors };
    if !triangles.is_empty() {
        soup.append(name, patch, DMat3::IDENTITY, DVec3::ZERO);
    }
    soup
}

/// Returns the closed loops of boundary edges, in the direction of their triangles. An edge of three or
/// more triangles is not a boundary edge.
fn boundary_loops(mesh: &Mesh) -> Vec<Vec<u32>> {
    let boundary = mesh.topology().edges().iter().filter(|e| e.class == EdgeClass::Boundary);
    let mut uses: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    for [a, b] in boundary.clone().map(|e| e.vertices) {
        *uses.entry([a.min(b), a.max(b)]).or_insert(0) += 1;
    }
    let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for [a, b] in boundary.map(|e| e.vertices).filter(|[a, b]| uses[&[*a.min(b), *a.max(b)]] == 1) {
        next.entry(a).or_default().push(b);
    }
    let mut loops = Vec::new();
    let starts: Vec<u32> = next.keys().copied().collect();
    for start in starts {
        while let Some(mut at) = next.get_mut(&start).and_then(Vec::pop) {
            let mut ring = vec![start];
            // If no edge continues the walk, it is not a closed loop and gets no cap.
            while at != start {
                ring.push(at);
                match next.get_mut(&at).and_then(Vec::pop) {
                    Some(after) => at = after,
                    None => break,
                }
            }
            if at == start && ring.len() > 2 {
                loops.push(ring);
            }
        }
    }
    loops
}

/// Distributes a figure's mass among its links by volume, and raises their inertia. Returns the mass
/// (kg) and the size (m) of the figure. The bodies must be in their rest pose.
pub(super) fn weigh(builder: &mut Builder, bones: &[Bone], bodies: &mut [BodyDef]) -> (f64, f64) {
    let mesh = |body: &BodyDef| body.mesh.map(|m| builder.scene.meshes[m as usize].clone());
    let meshes: Vec<_> = bodies.iter().map(mesh).collect();
    let boxes =
        meshes.iter().zip(bodies.iter()).filter_map(|(m, b)| Some(m.as_ref()?.bounds().transformed(&b.pose)));
    let bounds = boxes.fold(Aabb::EMPTY, |sum, b| sum.union(&b));
    let size = f64::from(bounds.size().max_element()).max(f64::MIN_POSITIVE);
    let scale = size / HUMAN_SIZE;
    let mass = (HUMAN_MASS * scale * scale * scale).clamp(1e-9, 1e15);
    let volumes = meshes.iter().map(|m| m.as_ref().map_or(0.0, |m| m.surface().volume.volume));
    let shares = shares(bones, volumes.collect());
    for (body, share) in bodies.iter_mut().zip(shares) {
        builder.set_mass(body, mass * share);
        builder.weighed.insert(body.name.clone());
    }
    for at in from_roots(bones).into_iter().rev() {
        let joint = |b: usize| bones[b].place.pose.position;
        let below = |b: usize| std::iter::successors(bones[b].parent, |&b| bones[b].parent).any(|b| b == at);
        let carried: f64 =
            (0..bodies.len()).filter(|&b| below(b)).map(|b| inertia_about(&bodies[b], joint(at))).sum();
        let own = bones[at].parent.map(|_| at);
        let joints = own.into_iter().chain((0..bones.len()).filter(|&b| bones[b].parent == Some(at)));
        let body = &mut bodies[at];
        let arm = |b: usize| body.pose.inverse_transform_point(joint(b)) - body.center;
        let arms: Vec<DVec3> = joints.map(arm).collect();
        body.inertia = held(body.inertia, body.mass, &arms, LEAST_OF_TURNED * carried);
    }
    (mass, size)
}

/// Load on a bone's joint: the bone itself and all bones below it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Burden {
    /// Mass, kg.
    pub mass: f64,
    /// Torque of the load about the joint if all of it were level with the joint, N·m.
    pub torque: f64,
}

/// Returns the burden of each bone. `gravity` in m/s². The bodies must be in their rest pose.
pub(super) fn burdens(bones: &[Bone], bodies: &[BodyDef], gravity: f64) -> Vec<Burden> {
    let mut burdens = vec![Burden::default(); bones.len()];
    for (at, body) in bodies.iter().enumerate() {
        let center = body.pose.transform_point(body.center);
        for above in std::iter::successors(Some(at), |&b| bones[b].parent) {
            burdens[above].mass += body.mass;
            let arm = center.distance(bones[above].place.pose.position);
            burdens[above].torque += gravity * body.mass * arm;
        }
    }
    burdens
}

/// Returns the share of the mass per bone, by volume. The smallest share respects `LEAST_SHARE` and
/// `LEAST_OF_CARRIED`.
fn shares(bones: &[Bone], mut volumes: Vec<f64>) -> Vec<f64> {
    let least = LEAST_SHARE * volumes.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let mut carried = vec![0.0; bones.len()];
    for at in from_roots(bones).into_iter().rev() {
        volumes[at] = volumes[at].max(least).max(LEAST_OF_CARRIED * carried[at]);
        if let Some(parent) = bones[at].parent {
            carried[parent] += carried[at] + volumes[at];
        }
    }
    let whole: f64 = volumes.iter().sum();
    volumes.iter().map(|v| v / whole).collect()
}

/// Returns the moment of inertia of a body about a point (world), kg·m². It is one number for all axes:
/// half the trace of the body's inertia, which for a limb is the moment about an axis across it, plus
/// the body's mass as a point mass.
pub(super) fn inertia_about(body: &BodyDef, point: DVec3) -> f64 {
    let own = body.inertia.x_axis.x + body.inertia.y_axis.y + body.inertia.z_axis.z;
    0.5 * own + body.mass * body.pose.transform_point(body.center).distance_squared(point)
}

/// Returns the inertia with its principal moments raised to at least `least`, to a tenth of the largest
/// (`LEAST_RATIO`), and to those of a rod that reaches from the center to each joint. A body that its
/// joints rotate too easily does not hold them. `arms` lead from the center to the joints, body axes,
/// m.
fn held(inertia: DMat3, mass: f64, arms: &[DVec3], least: f64) -> DMat3 {
    let axes = eigenvectors(inertia);
    let moments = axes.transpose() * inertia * axes;
    let rod =
        |axis: DVec3| arms.iter().map(|r| mass / 3.0 * r.cross(axis).length_squared()).fold(0.0, f64::max);
    let rods = DVec3::new(rod(axes.x_axis), rod(axes.y_axis), rod(axes.z_axis));
    let moments = DVec3::new(moments.x_axis.x, moments.y_axis.y, moments.z_axis.z).max(rods);
    let least = DVec3::splat((LEAST_RATIO * moments.max_element()).max(least));
    axes * DMat3::from_diagonal(moments.max(least)) * axes.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::mesh::VolumeMethod;

    #[test]
    fn an_open_tube_is_closed_at_both_ends() {
        // Open surface: a box without its two end faces.
        let (positions, triangles) = generate::cuboid(Vec3::new(1.0, 4.0, 1.0), 10.0);
        let at = |t: &[u32; 3]| t.map(|v| positions[v as usize].y);
        let open: Vec<_> =
            triangles.into_iter().filter(|t| at(t) != [2.0; 3] && at(t) != [-2.0; 3]).collect();
        assert_eq!(open.len(), 8);
        let mut soup = Soup::default();
        let patch = Patch { positions: &positions, triangles: &open, colors: &[] };
        soup.append("tube", patch, DMat3::IDENTITY, DVec3::ZERO);
        let closed = capped("tube", soup);
        assert_eq!((closed.triangles.len(), closed.colors.len()), (16, 0));
        let mesh = Mesh::new("tube", &closed.positions, &closed.triangles).unwrap();
        let surface = mesh.surface();
        assert_eq!((surface.flaws.boundary_edge_count, surface.volume.method), (0, VolumeMethod::Divergence));
        assert!((surface.volume.volume - 4.0).abs() < 1e-6, "{}", surface.volume.volume);
        assert_eq!(surface.flaws.flipped_triangle_count, 0, "caps are wound as the tube is");
    }

    #[test]
    fn a_soup_without_loops_stays_as_it_is() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Y];
        // Two edge cases: three triangles at one edge, and an empty soup.
        for triangles in [vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]], vec![]] {
            let mut soup = Soup::default();
            let patch = Patch { positions: &positions, triangles: &triangles, colors: &[] };
            soup.append("soup", patch, DMat3::IDENTITY, DVec3::ZERO);
            let before = soup.triangles.len();
            assert!(capped("soup", soup).triangles.len() <= before + 12);
        }
    }

    #[test]
    fn no_principal_moment_is_below_a_tenth() {
        let turn = DMat3::from_quat(glam::DQuat::from_rotation_y(0.7));
        let needle = turn * DMat3::from_diagonal(DVec3::new(2.0, 2.0, 1e-6)) * turn.transpose();
        let found = held(needle, 1.0, &[], 0.0);
        let about = |axis: DVec3| (turn * axis).dot(found * (turn * axis));
        assert!((about(DVec3::Z) - 0.2).abs() < 1e-9 && (about(DVec3::X) - 2.0).abs() < 1e-9);
        let ball = DMat3::from_diagonal(DVec3::splat(3.0));
        assert!((held(ball, 1.0, &[], 0.0) - ball).abs_diff_eq(DMat3::ZERO, 1e-12));
        assert_eq!(held(DMat3::ZERO, 0.0, &[], 0.0), DMat3::ZERO);
        // A small body with a joint three meters away gets a rod's moments about the axes across the
        // arm, and keeps its own moment about the arm.
        let patch = held(DMat3::from_diagonal(DVec3::splat(0.5)), 2.0, &[3.0 * DVec3::X], 0.0);
        assert!((patch - DMat3::from_diagonal(DVec3::new(0.6, 6.0, 6.0))).abs_diff_eq(DMat3::ZERO, 1e-12));
    }
}
