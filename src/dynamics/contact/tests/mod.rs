//! Comparison of the filters with the scalar tests: every touching triangle pair of two surfaces passes
//! [`TouchFilter`] and is found by the hierarchies that skip triangles facing apart.
//!
//! - `candidate_list.rs`: a valid candidate list holds every touching pair after a motion.
//! - `carried.rs`: bounds of the relative motion, and how long contacts are recycled.
//! - `skins.rs`: the skin of a candidate list, and how long the list lasts.
//! - `wedges.rs`: edges that cross near their ends.

mod candidate_list;
mod carried;
mod skins;
mod wedges;

use std::collections::BTreeSet;

use glam::{DQuat, DVec3, Vec3};

use super::candidate_list::Skin;
use super::features::{Feature, FeatureSearch, Transformed};
use super::pair::PairContacts;
use super::point::PairRule;
use crate::body::{BodyInfo, CombineModes};
use crate::generate::{self, Gear, Triangles};
use crate::mesh::{Mesh, PackedTriangles, boxes_overlap, intersects};
use crate::pose::Pose;
use crate::query::{NearQuery, TouchFilter, find_candidates};
use crate::random::Random;
use crate::tree::{Counts, DescentScratch, Near, SplitRule, Tree, TreeKind};

/// Numbers of triangle pairs: all pairs, the kept pairs, and the touching pairs.
#[derive(Default)]
struct Tally {
    all: usize,
    kept: usize,
    touching: usize,
}

impl Tally {
    /// Compares the kept triangle pairs with the touching ones, at one pose.
    fn compare(&mut self, name: &str, meshes: [&Mesh; 2], b_to_a: &Pose, [margin, speculative]: [f64; 2]) {
        let mut pair = PairContacts::default();
        let infos = meshes.map(info);
        pair.start(0, 1, PairRule::Collide, [&infos[0], &infos[1]]);
        pair.search.margin = margin;
        let near = pair.near(pair.search.margin, speculative, Skin::default());
        assert!(near.facing.is_some(), "{name}: looks far");
        let touching = touching(&pair, meshes, b_to_a, speculative);
        let [count_a, count_b] = meshes.map(|mesh| mesh.triangles().len() as u32);
        let all: Vec<[u32; 2]> = (0..count_a).flat_map(|a| (0..count_b).map(move |b| [a, b])).collect();
        let mut kept = Vec::new();
        let mut packed = PackedTriangles::default();
        packed.start();
        TouchFilter::new(meshes, b_to_a, near).keep(&mut packed, &all, &mut kept);
        let mut lost = touching.difference(&kept.iter().copied().collect()).copied().collect::<Vec<_>>();
        assert!(lost.is_empty(), "{name} at {b_to_a:?}, {margin} m: the sieve lost {lost:?}");
        for kind in KINDS {
            lost.extend(touching.difference(&found(kind, meshes, b_to_a, near)));
            assert!(lost.is_empty(), "{name} at {b_to_a:?}, {margin} m: {} lost {lost:?}", kind.name());
        }
        self.all += all.len();
        self.kept += kept.len();
        self.touching += touching.len();
    }
}

/// Two kinds that use normal cones, and one that does not.
const KINDS: [TreeKind; 3] = [TreeKind::Boxtree8, TreeKind::Boxtree4, TreeKind::Aabb];

/// Returns the candidates that a kind of hierarchy finds.
fn found(kind: TreeKind, meshes: [&Mesh; 2], b_to_a: &Pose, near: Near) -> BTreeSet<[u32; 2]> {
    let trees = meshes.map(|mesh| {
        let mut tree = Tree::build(kind, SplitRule::default(), mesh);
        tree.note_cones(mesh);
        tree
    });
    let surfaces = [(&trees[0], meshes[0]), (&trees[1], meshes[1])];
    let (mut found, mut scratch) = (Vec::new(), DescentScratch::default());
    find_candidates(
        &NearQuery { surfaces, b_to_a, near },
        usize::MAX,
        &mut scratch,
        &mut found,
        &mut Counts::default(),
    );
    found.into_iter().collect()
}

fn info(mesh: &Mesh) -> BodyInfo {
    let size = mesh.bounds().size();
    BodyInfo {
        name: String::new(),
        mesh: Some(0),
        friction: 0.5,
        restitution: 0.0,
        rolling: 0.0,
        spinning: 0.0,
        radius: 0.5 * f64::from(size.length()),
        thickness: f64::from(size.min_element()),
        edge: 0.1 * f64::from(size.max_element()),
        combine: CombineModes::default(),
        has_corners: false,
        filters: None,
        seams: None,
    }
}

/// Returns the triangle pairs that intersect, or whose features make a contact.
fn touching(
    pair: &PairContacts,
    [mesh_a, mesh_b]: [&Mesh; 2],
    b_to_a: &Pose,
    speculative: f64,
) -> BTreeSet<[u32; 2]> {
    let (mut carried, mut found) = (Transformed::default(), Vec::<Feature>::new());
    carried.start(mesh_b.vertices().len());
    let mut scope = FeatureSearch {
        mesh_a,
        mesh_b,
        seams: [None; 2],
        carried: &mut carried,
        b_to_a: *b_to_a,
        rotation: b_to_a.rotation_matrix(),
        settings: pair.settings,
        speculative,
        margin: pair.search.margin,
        corner: pair.search.corner,
        is_crossing: false,
        found: &mut found,
    };
    let mut touching = BTreeSet::new();
    for ta in 0..mesh_a.triangles().len() as u32 {
        for tb in 0..mesh_b.triangles().len() as u32 {
            let (a, b) = scope.corners(ta, tb);
            if scope.may_touch(ta, tb, &a, &b) {
                scope.is_crossing = boxes_overlap(&a, &b, 0.0) && intersects(&a, &b);
                scope.find(ta, tb, &a, &b);
                if scope.is_crossing || !scope.found.is_empty() {
                    touching.insert([ta, tb]);
                }
                scope.found.clear();
            }
        }
    }
    touching
}

fn mesh((positions, triangles): &Triangles) -> Mesh {
    Mesh::new("mesh", positions, triangles).unwrap()
}

/// Returns a mesh scaled and moved far from the origin, as models can be.
fn placed((positions, triangles): &Triangles, scale: f32, at: Vec3) -> Mesh {
    let positions: Vec<Vec3> = positions.iter().map(|p| scale * *p + at).collect();
    Mesh::new("mesh", &positions, triangles).unwrap()
}

#[test]
fn nothing_that_touches_is_sieved_out() {
    let torus = generate::torus(0.3, 0.1, 16, 16);
    let shapes = [
        ("box", mesh(&generate::cuboid(Vec3::new(0.5, 0.3, 0.4), 1.0))),
        ("fine box", mesh(&generate::cuboid(Vec3::new(0.5, 0.3, 0.4), 0.12))),
        ("torus", mesh(&torus)),
        ("fine torus", mesh(&generate::torus(0.2, 0.08, 40, 20))),
        ("gear", placed(&Gear::SMALL.triangles(), 8.0, Vec3::ZERO)),
        ("soup", mesh(&generate::soup(60, 0.3, 7))),
        ("slivers", placed(&sliver_fan(), 1.0, Vec3::ZERO)),
        ("far torus", placed(&torus, 1.0, Vec3::new(900.0, -300.0, 2000.0))),
    ];
    let mut random = Random::new(3, 0);
    for (name_a, a) in &shapes {
        for (name_b, b) in &shapes {
            let mut tally = Tally::default();
            let sizes = [a, b].map(|m| f64::from(m.bounds().diagonal()));
            let poses = if a.triangles().len() * b.triangles().len() > 500_000 { 1 } else { 4 };
            for _ in 0..poses {
                let rotation = random.rotation();
                let direction = random.rotation() * DVec3::X;
                let apart = 0.4 * (sizes[0] + sizes[1]) * random.uniform().sqrt() * direction;
                let centers = [a, b].map(|m| m.bounds().center().as_dvec3());
                let pose = Pose::new(rotation, centers[0] + apart - rotation * centers[1]);
                let margin = 0.08 * sizes[0].min(sizes[1]) * random.uniform();
                let speculative = margin * random.uniform();
                tally.compare(&format!("{name_a}, {name_b}"), [a, b], &pose, [margin, speculative]);
            }
            assert!(
                3 * tally.kept < tally.all + 300,
                "{name_a}, {name_b}: kept {} of {}",
                tally.kept,
                tally.all
            );
        }
    }
}

/// Builds long triangles round a vertex, from a hundredth to a ten-thousandth as wide as long.
fn sliver_fan() -> Triangles {
    let mut positions = vec![Vec3::new(0.0, 0.2, 0.0)];
    let mut triangles = Vec::new();
    let mut angle = 0.0_f32;
    for k in 0..60 {
        positions.push(Vec3::new(0.4 * angle.cos(), 0.05 * (k % 3) as f32, 0.4 * angle.sin()));
        angle += if k % 2 == 0 { 0.01 } else { 1e-4 };
        if k > 0 {
            triangles.push([0, k, k + 1]);
        }
    }
    (positions, triangles)
}

/// Builds a closed disc with `count` slivers round each center.
fn plate(count: u32, thickness: f32) -> Mesh {
    let mut positions = vec![Vec3::ZERO, Vec3::Y * thickness];
    for k in 0..count {
        let (z, x) = (std::f32::consts::TAU * k as f32 / count as f32).sin_cos();
        positions.extend([Vec3::new(x, 0.0, z), Vec3::new(x, thickness, z)]);
    }
    let mut triangles = Vec::new();
    for k in 0..count {
        let [low, next] = [k, (k + 1) % count].map(|k| 2 + 2 * k);
        triangles.extend([[0, low, next], [1, next + 1, low + 1]]);
        triangles.extend([[low, low + 1, next], [next, low + 1, next + 1]]);
    }
    mesh(&(positions, triangles))
}

#[test]
fn slivers_of_thin_plates_that_face_another_way_are_no_candidates() {
    let plate = plate(100, 0.01);
    let infos = [info(&plate), info(&plate)];
    let mut pair = PairContacts::default();
    pair.start(0, 1, PairRule::Collide, [&infos[0], &infos[1]]);
    let near = pair.near(0.03, 0.03, Skin::default());
    let above = Pose::new(DQuat::from_rotation_y(0.01), DVec3::Y * 0.015);
    let [all, facing] =
        [TreeKind::Aabb, TreeKind::Boxtree8].map(|kind| found(kind, [&plate, &plate], &above, near).len());
    // Some rims face each other across the plates.
    assert!(all > 40_000 && 5 * facing < 4 * all, "{facing} of {all}");
}

#[test]
fn touch_filter_drops_most_slivers_that_do_not_touch() {
    let plate = plate(600, 0.1);
    // The plate is moved slightly sideways, so that rims lie over slivers.
    let above = Pose::new(DQuat::from_rotation_y(0.001), DVec3::new(0.3, 0.1005, 0.1));
    let infos = [info(&plate), info(&plate)];
    let mut pair = PairContacts::default();
    pair.start(0, 1, PairRule::Collide, [&infos[0], &infos[1]]);
    pair.search.margin = 1e-3;
    let near = pair.near(pair.search.margin, 1e-3, Skin::default());
    // The upper faces of the lower plate, the lower faces of the upper plate.
    let faces = |first: u32| (0..600).map(move |k| 4 * k + first);
    let all: Vec<[u32; 2]> = faces(1).flat_map(|a| faces(0).map(move |b| [a, b])).collect();
    let (mut packed, mut kept) = (PackedTriangles::default(), Vec::new());
    packed.start();
    TouchFilter::new([&plate, &plate], &above, near).keep(&mut packed, &all, &mut kept);
    let touching = touching(&pair, [&plate, &plate], &above, 1e-3);
    let touching = kept.iter().filter(|pair| touching.contains(*pair)).count();
    assert!(touching > 100 && kept.len() < 2 * touching, "{} kept, {touching} touch", kept.len());
}

/// Tests a lattice on which everything touches exactly: corners on faces, edges on edges, faces in one
/// plane.
#[test]
fn touch_filter_keeps_touching_pairs_on_a_lattice() {
    let mut random = Random::new(5, 0);
    let mut tally = Tally::default();
    for round in 0..70 {
        let mut soup = || {
            let mut step = |extent: f64| 0.25 * (extent * random.signed()).round() as f32;
            let positions: Vec<Vec3> = (0..60).map(|_| Vec3::new(step(5.0), step(4.0), step(3.0))).collect();
            let mut corner = || (60.0 * random.uniform()) as u32 % 60;
            let triangles: Vec<[u32; 3]> = (0..140).map(|_| [corner(), corner(), corner()]).collect();
            mesh(&(positions, triangles))
        };
        let (a, b) = (soup(), soup());
        let quarter = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2 * f64::from(round % 4));
        let shift = 0.25 * DVec3::new(f64::from(round % 3), f64::from(round % 5), f64::from(round % 2));
        let tilt = if round % 7 == 0 { DQuat::from_rotation_x(1e-7) } else { DQuat::IDENTITY };
        let pose = Pose::new(tilt * quarter, shift);
        tally.compare("lattice", [&a, &b], &pose, [0.05, 0.02]);
    }
    assert!(tally.all > 1_000_000 && tally.touching > 100_000, "{} {}", tally.all, tally.touching);
    assert!(tally.kept < tally.all, "nothing was sieved out");
}
