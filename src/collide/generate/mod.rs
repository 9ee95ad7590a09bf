//! Machine parts and plain solids built from parameters: the project's own models, for assets, tests
//! and benches.
//!
//! Most files have one kind of part: a struct of dimensions with named presets and a method that
//! returns [`Triangles`]. Lengths are in meters, in body space, centered near the origin. Every result
//! except the soup is a closed 2-manifold (each edge has exactly two opposite half-edges) wound
//! outward. The same parameters give the same bits on every platform (trigonometry is `libm`).
//! `spacing` is the target edge length, so a part can be built at any resolution.
//!
//! - `bracket.rs`: an L-bracket with bolt holes and a rib.
//! - `gear.rs`: an involute spur gear.
//! - `housing.rs`: a gearbox housing.
//! - `limb.rs`: a link of an articulated character: an ellipsoid, whole or dented.
//! - `link.rs`: a chain's link, weight and anchor.
//! - `pipe.rs`: a pipe, straight or bent, with flanges.
//! - `replicas/`: models similar to those that the paper on simplification measures.
//! - `rough.rs`: surfaces that are hard on hierarchies: a bumpy sphere and a soup of triangles.
//! - `shell.rs`: closed surfaces assembled from planar faces with holes and from tubes.
//! - `solids.rs`: box, sphere, ellipsoid, torus, cylinder and washer.
//! - `standing.rs`: pillar, drum, crate and arch.
//! - `thread.rs`: a hexagon bolt and its nut, with helical threads.
//! - `tray.rs`: an open tray with rounded corners.

mod bracket;
mod gear;
mod housing;
mod limb;
mod link;
mod pipe;
mod replicas;
mod rough;
pub mod shell;
mod solids;
mod standing;
mod thread;
mod tray;

use glam::Vec3;

use crate::arrays::MapEach;
use crate::order::Order;

pub use bracket::Bracket;
pub use gear::Gear;
pub use housing::Housing;
pub use limb::Limb;
pub use link::{Anchor, Link, Weight};
pub use pipe::Pipe;
pub use replicas::Replica;
pub use rough::{bumpy_sphere, soup};
pub use solids::{Washer, cuboid, cylinder, ellipsoid, sphere, torus};
pub use standing::{Arch, Crate, Drum, Pillar};
pub use thread::{Bolt, Nut};
pub use tray::Tray;

/// Vertex positions (m), and triangles as three vertex indices, counter-clockwise seen from outside.
pub type Triangles = (Vec<Vec3>, Vec<[u32; 3]>);

/// Returns the enclosed volume by the divergence theorem, m³; positive for an outward winding. For an
/// open surface the value has no meaning.
pub fn signed_volume((positions, triangles): &Triangles) -> f64 {
    triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map_each(|v| positions[v as usize].as_dvec3());
            a.dot(b.cross(c)) / 6.0
        })
        .sum()
}

/// Returns the number of directed edges that are not matched by exactly one edge in the opposite
/// direction, or that occur more than once; 0 for a closed, consistently wound 2-manifold.
pub fn open_edge_count((_, triangles): &Triangles) -> usize {
    let mut edges: Vec<[u32; 2]> = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    edges.order();
    let count = |edge: [u32; 2]| edges.partition_point(|&e| e <= edge) - edges.partition_point(|&e| e < edge);
    edges.iter().filter(|&&[a, b]| count([a, b]) != 1 || count([b, a]) != 1).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_is_closed_and_wound_outward() {
        let parts: [(&str, Triangles); 24] = [
            ("cuboid", cuboid(Vec3::new(0.04, 0.03, 0.02), 0.005)),
            ("sphere", sphere(0.02, 24)),
            ("ellipsoid", ellipsoid(Vec3::new(0.03, 0.02, 0.01), 24)),
            ("torus", torus(0.03, 0.01, 32, 16)),
            ("cylinder", cylinder(0.02, 0.05, 0.004)),
            ("washer", Washer::M20.triangles()),
            ("gear_small", Gear::SMALL.triangles()),
            ("gear_large", Gear::LARGE.triangles()),
            ("nut", Nut::M20.triangles()),
            ("bolt", Bolt::M20.triangles()),
            ("bracket", Bracket::RIBBED.triangles()),
            ("housing", Housing::SMALL.triangles()),
            ("pipe_elbow", Pipe::ELBOW.triangles()),
            ("pipe_straight", Pipe::STRAIGHT.triangles()),
            ("tray", Tray::WORKSHOP.triangles()),
            ("limb", Limb::STOUT.triangles()),
            ("limb_hull", Limb::HULL.triangles()),
            ("link", Link::CHAIN.triangles()),
            ("weight", Weight::LIFTING.triangles()),
            ("anchor", Anchor::CEILING.triangles()),
            ("pillar", Pillar::WAIST_HIGH.triangles()),
            ("drum", Drum::BARREL.triangles()),
            ("crate", Crate::KNEE_HIGH.triangles()),
            ("arch", Arch::DOORWAY.triangles()),
        ];
        for (name, part) in parts {
            assert_eq!(open_edge_count(&part), 0, "{name} is open");
            assert!(signed_volume(&part) > 0.0, "{name} is inside out");
            let used: std::collections::BTreeSet<u32> = part.1.iter().flatten().copied().collect();
            assert_eq!(used.len(), part.0.len(), "{name} has unused vertices");
        }
    }

    #[test]
    fn a_fine_sphere_and_torus_have_their_analytic_volume() {
        let pi = std::f64::consts::PI;
        let ball = signed_volume(&sphere(0.5, 400)) / (4.0 / 3.0 * pi * 0.125);
        assert!((ball - 1.0).abs() < 1e-3, "{ball}");
        let ring = signed_volume(&torus(0.5, 0.2, 400, 200)) / (2.0 * pi * pi * 0.5 * 0.04);
        assert!((ring - 1.0).abs() < 1e-3, "{ring}");
    }
}
