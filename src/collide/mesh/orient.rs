//! Consistent winding for every part of a surface. It is outward where there is an outside; the
//! remaining parts are two-sided.
//!
//! A component is a set of triangles that are connected by manifold edges. Its winding is propagated
//! from neighbor to neighbor. A component that cannot be wound consistently, or whose holes exceed a
//! small share of its area, is two-sided: a sheet. The remaining components are solid and made
//! outward-facing; only an inner shell that is wound opposite to its enclosing shell bounds a cavity
//! and stays opposite. By winding numbers, there is less solid in front of a face than behind it; so a
//! mesh stored inside out is flipped as a whole. Cost: O(n), plus winding numbers for nested shells,
//! limited by `WINDING_BUDGET`.

use glam::{DVec3, Vec3};

use super::surface::Flaws;
use super::topology::{NONE, by_edge, sides};

use crate::arrays::MapEach;
use crate::order::Order;
use crate::unions::Unions;

/// Largest share of a solid component's area that its holes may have. Cracks of repaired or exported
/// models are far below it. A cup without a lid is above it, unless it is 25 times as deep as wide. A
/// larger value would treat cups as filled.
const SOLID_OPENING: f64 = 0.01;

/// Number of largest components that are tested as enclosing others. Without it, the search for
/// enclosing components would grow with the square of their number.
/// [`Flaws::unsettled_component_count`] counts the remaining components.
const ENCLOSING_COUNT: usize = 1024;

/// Largest number of triangles visited for winding numbers in one mesh: about half a second. After
/// that, components count as not enclosed and are added to [`Flaws::unsettled_component_count`].
const WINDING_BUDGET: usize = 20_000_000;

struct Component {
    /// Range in the list of triangles sorted by component.
    start: usize,
    end: usize,
    consistent: bool,
    area: f64,
    /// Total area of the holes.
    opening: f64,
    /// Volume, m³; negative if the component is wound inward.
    volume: f64,
    min: DVec3,
    max: DVec3,
}

impl Component {
    fn is_solid(&self) -> bool {
        self.consistent && self.opening <= SOLID_OPENING * self.area
    }
}

/// Flips triangles in place, counts the flaws, and returns whether each triangle is two-sided.
pub(super) fn orient(vertices: &[Vec3], triangles: &mut [[u32; 3]], flaws: &mut Flaws) -> Vec<bool> {
    let (order, mut components, unpaired) = spread_winding(vertices.len(), triangles, flaws);
    flaws.component_count = components.len() as u32;
    let mut component_of = vec![0_u32; triangles.len()];
    for (c, component) in components.iter_mut().enumerate() {
        for &t in &order[component.start..component.end] {
            component_of[t as usize] = c as u32;
        }
        measure(component, vertices, triangles, &order);
    }
    measure_openings(&mut components, vertices, triangles, &component_of, &unpaired);
    let inside_out = inside_out(&components, vertices, triangles, &order, flaws);
    for (component, _) in components.iter().zip(inside_out).filter(|(_, turned)| *turned) {
        for &t in &order[component.start..component.end] {
            triangles[t as usize].swap(1, 2);
        }
    }
    let two_sided: Vec<bool> = component_of.iter().map(|&c| !components[c as usize].is_solid()).collect();
    flaws.two_sided_triangle_count = two_sided.iter().filter(|&&t| t).count() as u32;
    two_sided
}

/// A triangle and one of its corners. The edge from this corner to the next one has no unique partner.
type Unpaired = (u32, u8);

/// Finds the components. Winds each in agreement with most of its triangles.
fn spread_winding(
    vertex_count: usize,
    triangles: &mut [[u32; 3]],
    flaws: &mut Flaws,
) -> (Vec<u32>, Vec<Component>, Vec<Unpaired>) {
    let sides = sides(vertex_count, triangles);
    // Per corner, the triangle across the edge from it to the next corner, and whether the two
    // triangles are wound alike.
    let mut across = vec![[(NONE, true); 3]; triangles.len()];
    let mut unpaired = Vec::new();
    for group in by_edge(&sides) {
        if let [x, y] = group {
            let alike = x.directed(triangles) != y.directed(triangles);
            across[x.triangle as usize][x.corner as usize] = (y.triangle, alike);
            across[y.triangle as usize][y.corner as usize] = (x.triangle, alike);
        } else {
            unpaired.extend(group.iter().map(|s| (s.triangle, s.corner)));
            match group.len() {
                1 => flaws.boundary_edge_count += 1,
                _ => flaws.nonmanifold_edge_count += 1,
            }
        }
    }
    let mut turned: Vec<Option<bool>> = vec![None; triangles.len()];
    let mut order: Vec<u32> = Vec::with_capacity(triangles.len());
    let mut components = Vec::new();
    for seed in 0..triangles.len() {
        if turned[seed].is_some() {
            continue;
        }
        let start = order.len();
        let mut consistent = true;
        let mut next = start;
        turned[seed] = Some(false);
        order.push(seed as u32);
        while next < order.len() {
            let t = order[next] as usize;
            next += 1;
            for (neighbor, alike) in across[t].into_iter().filter(|(n, _)| *n != NONE) {
                let wanted = Some(turned[t].unwrap_or_default() == alike);
                let state = &mut turned[neighbor as usize];
                if state.is_none() {
                    *state = wanted;
                    order.push(neighbor);
                } else {
                    consistent &= *state == wanted;
                }
            }
        }
        let members = &order[start..];
        let turned_count = members.iter().filter(|&&t| turned[t as usize] == Some(true)).count();
        let turns = Some(2 * turned_count <= members.len());
        for &t in members.iter().filter(|&&t| turned[t as usize] == turns) {
            triangles[t as usize].swap(1, 2);
        }
        let (min, max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let end = order.len();
        components.push(Component { start, end, consistent, area: 0.0, opening: 0.0, volume: 0.0, min, max });
    }
    (order, components, unpaired)
}

/// Computes area, signed volume and box. Sums are relative to a point of the component, so that a
/// component far from the origin loses no precision.
fn measure(component: &mut Component, vertices: &[Vec3], triangles: &[[u32; 3]], order: &[u32]) {
    let members = &order[component.start..component.end];
    let origin = vertices[triangles[members[0] as usize][0] as usize].as_dvec3();
    for &t in members {
        let [a, b, c] = triangles[t as usize].map_each(|v| vertices[v as usize].as_dvec3());
        component.min = component.min.min(a).min(b).min(c);
        component.max = component.max.max(a).max(b).max(c);
        component.area += 0.5 * (b - a).cross(c - a).length();
        component.volume += (a - origin).dot((b - origin).cross(c - origin)) / 6.0;
    }
}

/// Adds the total area of its holes to each component. The area of a hole is the length of the vector
/// area of a closed chain of unpaired edges. This vector does not depend on the surface that spans the
/// chain. Its length is the area of a flat hole, and almost zero for a crack.
fn measure_openings(
    components: &mut [Component],
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    component_of: &[u32],
    unpaired: &[Unpaired],
) {
    let directed = |&(t, corner): &Unpaired| {
        let c = triangles[t as usize];
        [c[corner as usize], c[(corner as usize + 1) % 3]]
    };
    let mut chains = Unions::default();
    chains.begin(vertices.len());
    for edge in unpaired {
        let [a, b] = directed(edge);
        chains.unite(a, b);
    }
    let mut holes: Vec<(u32, u32, Unpaired)> = unpaired
        .iter()
        .map(|edge| (component_of[edge.0 as usize], chains.root(directed(edge)[0]), *edge))
        .collect();
    holes.order();
    for hole in holes.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
        let origin = vertices[hole[0].1 as usize].as_dvec3();
        let area: DVec3 = hole
            .iter()
            .map(|(_, _, edge)| {
                let [a, b] = directed(edge).map_each(|v| vertices[v as usize].as_dvec3() - origin);
                0.5 * a.cross(b)
            })
            .sum();
        components[hole[0].0 as usize].opening += area.length();
    }
}

/// Returns whether each component must be flipped.
fn inside_out(
    components: &[Component],
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    order: &[u32],
    flaws: &mut Flaws,
) -> Vec<bool> {
    let is_inward = |c: &Component| c.is_solid() && c.volume < 0.0;
    let mut turned = vec![false; components.len()];
    if !components.iter().any(is_inward) {
        return turned;
    }
    let size = |c: &Component| (c.max - c.min).element_product();
    let mut largest: Vec<usize> = (0..components.len()).filter(|&c| components[c].is_solid()).collect();
    largest.order_by(|&x, &y| size(&components[y]).total_cmp(&size(&components[x])).then(x.cmp(&y)));
    flaws.unsettled_component_count = largest.len().saturating_sub(ENCLOSING_COUNT) as u32;
    largest.truncate(ENCLOSING_COUNT);

    let mut budget = WINDING_BUDGET;
    let mut around = Vec::new();
    for (c, component) in components.iter().enumerate().filter(|(_, c)| c.is_solid()) {
        let corners =
            triangles[order[component.start] as usize].map_each(|v| vertices[v as usize].as_dvec3());
        let point = (corners[0] + corners[1] + corners[2]) / 3.0;
        let inward = is_inward(component);
        around.clear();
        around.extend(
            largest
                .iter()
                .map(|&d| (d, &components[d]))
                .filter(|(d, other)| *d != c && other.min.cmplt(point).all() && point.cmplt(other.max).all()),
        );
        // Only an enclosing shell with the opposite winding can change the result.
        let cost: usize = around.iter().map(|(_, other)| other.end - other.start).sum();
        let mut winding = 0.0;
        if around.iter().any(|(_, other)| is_inward(other) != inward) {
            if cost <= budget {
                budget -= cost;
                let shells = around.iter().map(|(_, other)| &order[other.start..other.end]);
                winding = shells.map(|shell| winding_number(point, shell, vertices, triangles)).sum();
            } else {
                flaws.unsettled_component_count += 1;
            }
        }
        // At a point of the surface, the component's own winding number is ±1/2.
        turned[c] = winding + if inward { -0.5 } else { 0.5 } < 0.0;
    }
    turned
}

/// Returns the winding number of the triangles around the point: the sum of their solid angles (van
/// Oosterom and Strackee 1983) divided by 4π.
fn winding_number(point: DVec3, shell: &[u32], vertices: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let half_angle = |&t: &u32| {
        let [a, b, c] = triangles[t as usize].map_each(|v| vertices[v as usize].as_dvec3() - point);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        libm::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb)
    };
    shell.iter().map(half_angle).sum::<f64>() / std::f64::consts::TAU
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{EdgeClass, Mesh};

    const CUBE: [[u32; 3]; 12] = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];

    /// Adds an axis-aligned cube with half side |`half`|; it is inside out if `half` is negative.
    fn add_cube(mesh: &mut (Vec<Vec3>, Vec<[u32; 3]>), center: Vec3, half: f32) {
        let first = mesh.0.len() as u32;
        let sign = |bit: u32, k: u32| if bit >> k & 1 == 0 { -half } else { half };
        mesh.0.extend((0..8).map(|k| center + Vec3::new(sign(k, 0), sign(k, 1), sign(k, 2))));
        mesh.1.extend(CUBE.map(|t| t.map(|v| v + first)));
    }

    fn cubes(halves: &[(f32, f32)]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let mut mesh = (Vec::new(), Vec::new());
        for &(x, half) in halves {
            add_cube(&mut mesh, Vec3::X * x, half);
        }
        mesh
    }

    fn volume(mesh: &(Vec<Vec3>, Vec<[u32; 3]>)) -> f64 {
        let mesh = Mesh::new("", &mesh.0, &mesh.1).unwrap();
        assert_eq!(mesh.surface().flaws.two_sided_triangle_count, 0);
        mesh.surface().volume.volume
    }

    #[test]
    fn a_cube_turns_outward_whatever_its_triangles_say() {
        let (vertices, triangles) = cubes(&[(0.0, 0.5)]);
        for mask in 0..4096_u32 {
            let mut mixed = triangles.clone();
            for (t, corners) in mixed.iter_mut().enumerate().filter(|(t, _)| mask >> t & 1 == 1) {
                corners.swap(t % 3, (t + 1) % 3);
            }
            let mut flaws = Flaws::default();
            let two_sided = orient(&vertices, &mut mixed, &mut flaws);
            assert_eq!((flaws.component_count, two_sided), (1, vec![false; 12]));
            for (t, turned) in triangles.iter().zip(&mixed) {
                assert!(
                    (0..3).any(|k| [turned[k], turned[(k + 1) % 3], turned[(k + 2) % 3]] == *t),
                    "{mask}"
                );
            }
        }
    }

    #[test]
    fn shells_inside_shells() {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        assert!(near(volume(&cubes(&[(0.0, 1.0), (0.0, -0.5)])), 7.0), "a cavity");
        assert!(near(volume(&cubes(&[(0.0, -1.0), (0.0, 0.5)])), 7.0), "a cavity, stored inside out");
        assert!(near(volume(&cubes(&[(0.0, 0.5), (0.0, 1.0)])), 9.0), "a solid in a solid");
        assert!(near(volume(&cubes(&[(0.0, 1.0), (0.0, -0.75), (0.0, 0.5)])), 8.0 - 3.375 + 1.0), "a rattle");
        assert!(near(volume(&cubes(&[(0.0, -1.0), (5.0, 0.5), (9.0, -0.5)])), 10.0), "side by side");
        // A cavity of one box must not affect its neighbor.
        assert!(near(volume(&cubes(&[(0.0, 1.0), (0.0, -0.5), (5.0, -1.0), (5.0, 0.5)])), 14.0));
    }

    #[test]
    fn a_small_hole_leaves_an_inside_and_a_missing_lid_does_not() {
        // A strip of a thousand wedges around a cylinder, closed by fans.
        let n = 1000;
        let ring = |y: f32| {
            (0..n).map(move |i| {
                let angle = std::f32::consts::TAU * i as f32 / n as f32;
                Vec3::new(angle.cos(), y, angle.sin())
            })
        };
        let mut vertices: Vec<Vec3> = ring(0.0).chain(ring(2.0)).collect();
        vertices.extend([Vec3::ZERO, Vec3::Y * 2.0]);
        let mut triangles = Vec::new();
        for i in 0..n {
            let j = (i + 1) % n;
            triangles.extend([[i, n + i, j], [j, n + i, n + j], [2 * n, i, j], [2 * n + 1, n + j, n + i]]);
        }
        let closed = Mesh::new("", &vertices, &triangles).unwrap();
        assert_eq!(closed.surface().flaws.boundary_edge_count, 0);
        let holed = Mesh::new("", &vertices, &triangles[1..]).unwrap();
        assert_eq!(holed.surface().flaws.boundary_edge_count, 3);
        assert_eq!(holed.surface().flaws.two_sided_triangle_count, 0);
        let cup: Vec<_> = triangles.iter().copied().filter(|t| t[0] != 2 * n + 1).collect();
        let cup = Mesh::new("", &vertices, &cup).unwrap();
        assert_eq!(cup.surface().flaws.two_sided_triangle_count, 3 * n);
    }

    #[test]
    fn a_moebius_strip_is_two_sided() {
        let n = 24_u32;
        let mut vertices = Vec::new();
        for i in 0..n {
            let angle = std::f32::consts::TAU * i as f32 / n as f32;
            let out = Vec3::new(angle.cos(), 0.0, angle.sin());
            let across = out * (angle / 2.0).cos() + Vec3::Y * (angle / 2.0).sin();
            vertices.extend([2.0 * out - 0.5 * across, 2.0 * out + 0.5 * across]);
        }
        let mut triangles = Vec::new();
        for i in 0..n {
            let (a, b) = (2 * i, 2 * i + 1);
            let (c, d) = if i + 1 < n { (a + 2, b + 2) } else { (1, 0) };
            triangles.extend([[a, c, b], [b, c, d]]);
        }
        let mesh = Mesh::new("", &vertices, &triangles).unwrap();
        assert_eq!(mesh.surface().flaws.component_count, 1);
        assert_eq!(mesh.surface().flaws.two_sided_triangle_count, 2 * n);
        let boundary = mesh.topology().edges().iter().filter(|e| e.class == EdgeClass::Boundary).count();
        assert!(boundary as u32 > 2 * n, "the seam is split");
    }

    #[test]
    fn cubes_joined_along_an_edge_stay_solid() {
        let mut mesh = cubes(&[(0.0, 0.5)]);
        add_cube(&mut mesh, Vec3::new(1.0, 1.0, 0.0), -0.5);
        let mesh = Mesh::new("", &mesh.0, &mesh.1).unwrap();
        let flaws = mesh.surface().flaws;
        assert_eq!(
            (flaws.nonmanifold_edge_count, flaws.welded_vertex_count, flaws.component_count),
            (1, 2, 2)
        );
        assert_eq!((flaws.two_sided_triangle_count, flaws.flipped_triangle_count), (0, 12));
        assert!((mesh.surface().volume.volume - 2.0).abs() < 1e-12);
    }
}
