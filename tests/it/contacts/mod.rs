//! Contacts of two meshes at poses with known answers: points, normals, depths. They must not depend on
//! the order of candidates, the order of bodies, tessellation, or the distance from the origin.

mod candidates;
mod kept;

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, SQRT_2};

use glam::{DMat3, DQuat, DVec3, Vec3};
use tumble::body::{Activity, BodyInfo, BodyState, CombineModes, Motion};
use tumble::contact::{
    Ahead, Bearings, Contact, PairContacts, PairQuery, PairRule, QueryCounts, QueryScratch,
};
use tumble::generate::{self, Triangles, Washer};
use tumble::mesh::Mesh;
use tumble::pose::Pose;
use tumble::query::{self, NearQuery};
use tumble::tree::{Counts, DescentScratch, SplitRule, Tree, TreeKind};

const AHEAD: Ahead = Ahead { dt: 1.0 / 60.0, gravity: DVec3::ZERO };

/// Two bodies at rest, and their state as a pair.
struct Probe {
    meshes: [Mesh; 2],
    states: [BodyState; 2],
    infos: [BodyInfo; 2],
    pair: PairContacts,
    scratch: QueryScratch,
}

fn state(pose: Pose) -> BodyState {
    BodyState {
        pose,
        linear_velocity: DVec3::ZERO,
        angular_velocity: DVec3::ZERO,
        inverse_mass: 1.0,
        center: DVec3::ZERO,
        inertia: DMat3::IDENTITY,
        inverse_inertia: DMat3::IDENTITY,
        gravity_factor: 1.0,
        motion: Motion::Dynamic,
        activity: Activity::Awake { slow_for: 0.0 },
    }
}

impl Probe {
    fn new(a: &Triangles, pose_a: Pose, b: &Triangles, pose_b: Pose) -> Self {
        let meshes = [a, b].map(|(positions, triangles)| Mesh::new("part", positions, triangles).unwrap());
        let infos = [0, 1].map(|i: usize| {
            let mesh = &meshes[i];
            let center = mesh.surface().volume.center;
            let far = |v: &Vec3| v.as_dvec3().distance(center);
            let size = (mesh.bounds().max - mesh.bounds().min).as_dvec3();
            BodyInfo {
                name: "part".to_owned(),
                mesh: Some(i as u32),
                friction: 0.5,
                restitution: 0.0,
                rolling: 0.0,
                spinning: 0.0,
                radius: mesh.vertices().iter().map(far).fold(0.0, f64::max),
                thickness: size.min_element(),
                edge: size.max_element(),
                combine: CombineModes::default(),
                has_corners: false,
                filters: None,
                seams: None,
            }
        });
        let mut states = [state(pose_a), state(pose_b)];
        for (state, mesh) in states.iter_mut().zip(&meshes) {
            state.center = mesh.surface().volume.center;
        }
        let mut pair = PairContacts::default();
        pair.start(0, 1, PairRule::Collide, [&infos[0], &infos[1]]);
        Self { meshes, states, infos, pair, scratch: QueryScratch::default() }
    }

    fn search(&mut self) {
        let two = [(&self.states[0], &self.infos[0]), (&self.states[1], &self.infos[1])];
        self.pair.search.margin = self.pair.search_margin(two, AHEAD);
        self.gather(TreeKind::BruteForce);
    }

    /// Collects the candidates within the margin.
    fn gather(&mut self, kind: TreeKind) {
        let b_to_a = self.states[1].pose.relative_to(&self.states[0].pose);
        self.pair.search.candidates.clear();
        let trees = [0, 1].map(|i: usize| Tree::build(kind, SplitRule::default(), &self.meshes[i]));
        query::find_candidates(
            &NearQuery {
                surfaces: [(&trees[0], &self.meshes[0]), (&trees[1], &self.meshes[1])],
                b_to_a: &b_to_a,
                near: self.pair.search.margin.into(),
            },
            usize::MAX,
            &mut DescentScratch::default(),
            &mut self.pair.search.candidates,
            &mut Counts::default(),
        );
    }

    fn query(&mut self, initial: bool) -> QueryCounts {
        self.query_all(initial, |_| false)
    }

    /// Finds contacts from candidates that come a few at a time.
    fn query_in_parts(&mut self, size: usize) -> QueryCounts {
        let mut left = std::mem::take(&mut self.pair.search.candidates);
        self.query_all(false, |candidates| {
            candidates.clear();
            candidates.extend(left.drain(..size.min(left.len())));
            !candidates.is_empty()
        })
    }

    fn query_all(&mut self, initial: bool, refill: impl FnMut(&mut Vec<[u32; 2]>) -> bool) -> QueryCounts {
        let two = [(&self.states[0], &self.infos[0]), (&self.states[1], &self.infos[1])];
        self.pair.search.foreseen = self.pair.speculative(two, AHEAD);
        let trees =
            [0, 1].map(|i: usize| Tree::build(TreeKind::BruteForce, SplitRule::default(), &self.meshes[i]));
        let surfaces = [(&trees[0], &self.meshes[0]), (&trees[1], &self.meshes[1])];
        let none = Bearings::default();
        let query =
            PairQuery { surfaces, bodies: two, bearings: [&none; 2], dt: 1.0 / 60.0, is_initial: initial };
        self.pair.find_contacts(&mut self.scratch, &query, refill)
    }

    fn find(&mut self) -> QueryCounts {
        self.search();
        self.query(false)
    }

    fn refresh(&mut self) -> bool {
        self.pair.refresh([(&self.states[0], &self.infos[0]), (&self.states[1], &self.infos[1])])
    }

    fn contacts(&self) -> &[Contact] {
        &self.pair.contacts
    }

    fn world_point_b(&self, contact: &Contact) -> DVec3 {
        self.states[1].pose.transform_point(contact.point_b)
    }

    /// Asserts that there are contacts, all along `normal` and all with `separation` (m).
    fn assert_flat(&self, normal: DVec3, separation: f64) {
        assert!(!self.contacts().is_empty(), "no contact");
        for c in self.contacts() {
            assert!(c.normal.distance(normal) < 1e-6, "normal {} for {normal}", c.normal);
            assert!((c.separation - separation).abs() < 1e-6, "separation {} for {separation}", c.separation);
        }
    }
}

fn cube(side: f32, spacing: f64) -> Triangles {
    generate::cuboid(Vec3::splat(side), spacing)
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position(DVec3::new(x, y, z))
}

/// Builds a 0.5 m cube sunk by 0.5 mm into the top of a 1 m cube.
fn box_on_box(spacing: f64) -> Probe {
    Probe::new(&cube(1.0, spacing), Pose::IDENTITY, &cube(0.5, spacing), at(0.0, 0.7495, 0.0))
}

/// Returns a square of two triangles in the plane y = 0.
fn sheet(side: f32) -> Triangles {
    let h = side / 2.0;
    let corner = |x: f32, z: f32| Vec3::new(x * h, 0.0, z * h);
    (
        vec![corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)],
        vec![[0, 1, 2], [0, 2, 3]],
    )
}

/// Returns a block with a V groove of 90° along z, its bottom on the z axis, 4 m long.
fn groove() -> Triangles {
    let outline = [(0.0, 0.0), (-1.0, 1.0), (-2.0, 1.0), (-2.0, -2.0), (2.0, -2.0), (2.0, 1.0), (1.0, 1.0)];
    let n = outline.len() as u32;
    let ring = |z: f32| outline.map(|(x, y)| Vec3::new(x, y, z));
    let mut triangles = Vec::new();
    for i in 0..n {
        let j = (i + 1) % n;
        triangles.extend([[i, j, j + n], [i, j + n, i + n]]);
    }
    for i in 1..n - 1 {
        triangles.extend([[0, i + 1, i], [n, n + i, n + i + 1]]);
    }
    ([ring(-2.0), ring(2.0)].concat(), triangles)
}

#[test]
fn a_box_on_a_box_touches_at_its_four_corners() {
    let mut probe = box_on_box(2.0);
    probe.find();
    probe.assert_flat(DVec3::Y, -0.0005);
    let mut points: Vec<[i64; 2]> = probe
        .contacts()
        .iter()
        .map(|c| probe.world_point_b(c))
        .map(|p| [(p.x * 1e4).round() as i64, (p.z * 1e4).round() as i64])
        .collect();
    points.sort_unstable();
    points.dedup();
    assert_eq!(points, [[-2500, -2500], [-2500, 2500], [2500, -2500], [2500, 2500]]);
}

#[test]
fn an_overhanging_box_touches_only_over_its_support() {
    let mut probe = box_on_box(2.0);
    probe.states[1].pose.position.x = 0.5;
    probe.find();
    probe.assert_flat(DVec3::Y, -0.0005);
    let points: Vec<DVec3> = probe.contacts().iter().map(|c| probe.world_point_b(c)).collect();
    for corner in [[0.25, -0.25], [0.25, 0.25], [0.5, -0.25], [0.5, 0.25]] {
        let near = |p: &DVec3| (p.x - corner[0]).hypot(p.z - corner[1]) < 1e-4;
        assert!(points.iter().any(near), "nothing at {corner:?} in {points:?}");
    }
    assert!(points.iter().all(|p| p.x < 0.5 + 1e-3), "{points:?}");
}

#[test]
fn boxes_turned_by_45_degrees_touch_around_their_octagon() {
    let pose = Pose::new(DQuat::from_rotation_y(FRAC_PI_4), DVec3::new(0.0, 0.9995, 0.0));
    let mut probe = Probe::new(&cube(1.0, 2.0), Pose::IDENTITY, &cube(1.0, 2.0), pose);
    probe.find();
    probe.assert_flat(DVec3::Y, -0.0005);
    assert!(probe.contacts().len() >= 4);
    for c in probe.contacts() {
        let p = probe.world_point_b(c);
        // The corners of the octagon are the crossings of the two squares' edges.
        let mut place = [p.x.abs(), p.z.abs()];
        place.sort_by(f64::total_cmp);
        assert!((place[1] - 0.5).abs() < 1e-4 && (place[0] - (SQRT_2 / 2.0 - 0.5)).abs() < 1e-4, "{p}");
    }
}

#[test]
fn a_box_in_a_groove_is_held_by_both_faces() {
    let depth = 0.0003;
    let pose = Pose::new(DQuat::from_rotation_z(FRAC_PI_4), DVec3::Y * (0.25 - depth) * SQRT_2);
    let mut probe = Probe::new(&groove(), Pose::IDENTITY, &cube(0.5, 2.0), pose);
    probe.find();
    for side in [-1.0, 1.0] {
        let normal = DVec3::new(side, 1.0, 0.0) / SQRT_2;
        let held: Vec<_> = probe.contacts().iter().filter(|c| c.normal.dot(normal) > 0.999).collect();
        assert!(held.len() >= 2, "{side}: {:?}", probe.contacts());
        assert!(held.iter().all(|c| (c.separation + depth).abs() < 1e-6), "{held:?}");
    }
    let sideways = probe.contacts().iter().filter(|c| c.normal.y < 0.5).count();
    assert_eq!(sideways, 0, "{:?}", probe.contacts());
}

#[test]
fn crossed_edges_touch_in_one_point() {
    let ridge = Pose::new(DQuat::from_rotation_z(FRAC_PI_4), DVec3::ZERO);
    let height = SQRT_2 - 0.0005;
    let across = Pose::new(DQuat::from_rotation_x(FRAC_PI_4), DVec3::Y * height);
    let mut probe = Probe::new(&cube(1.0, 2.0), ridge, &cube(1.0, 2.0), across);
    probe.find();
    probe.assert_flat(DVec3::Y, -0.0005);
    assert_eq!(probe.contacts().len(), 1);
    assert!(probe.world_point_b(&probe.contacts()[0]).distance(DVec3::Y * (height - SQRT_2 / 2.0)) < 1e-6);
}

#[test]
fn linked_rings_pull_on_each_other_where_they_cross() {
    let ring = generate::torus(1.0, 0.2, 64, 32);
    for phase in [0.0, 0.5] {
        let turned = DQuat::from_rotation_x(FRAC_PI_2) * DQuat::from_rotation_z(phase * 0.0981);
        let pose = Pose::new(turned, DVec3::X * 1.601);
        let mut probe = Probe::new(&ring, Pose::IDENTITY, &ring, pose);
        probe.find();
        let pull: Vec<_> = probe.contacts().iter().filter(|c| c.separation < 0.0).collect();
        assert!(!pull.is_empty(), "{phase}");
        // Half a segment farther, the middle of a chord touches a corner.
        let chord = 2.0 * phase * 0.8 * (1.0 - libm::cos(PI / 64.0));
        let deepest = pull.iter().map(|c| c.depth()).fold(0.0, f64::max);
        assert!((deepest - 0.001 - chord).abs() < 1e-4, "{phase}: {deepest} m");
        for c in pull {
            assert!(c.normal.dot(DVec3::NEG_X) > 0.95, "{phase}: {}", c.normal);
        }
    }
}

#[test]
fn a_thin_plate_and_an_open_sheet_hold_from_both_sides() {
    let plate = generate::cuboid(Vec3::new(1.0, 0.005, 1.0), 2.0);
    for (part, surface) in [(&plate, 0.0025), (&sheet(1.0), 0.0)] {
        for side in [1.0, -1.0] {
            let pose = at(0.1, side * (surface + 0.05 - 0.0005), 0.05);
            let mut probe = Probe::new(part, Pose::IDENTITY, &cube(0.1, 2.0), pose);
            probe.find();
            probe.assert_flat(DVec3::Y * side, -0.0005);
            assert_eq!(probe.contacts().len(), 4, "{surface} {side}");
        }
    }
}

#[test]
fn a_pin_in_a_hole_does_not_land_on_the_rim() {
    let pin = generate::cylinder(0.010, 0.05, 0.002);
    let ring = Washer::M20.triangles();
    for height in [0.0265, 0.025, 0.010, 0.0] {
        let mut probe = Probe::new(&ring, Pose::IDENTITY, &pin, at(0.0, 0.0, height));
        let counts = probe.find();
        assert_eq!(probe.contacts(), &[], "{height}");
        assert_eq!(counts.intersection_count, 0, "{height}");
    }
}

/// Lets a leaning post stand on the edge of a block, so that its corner is just above the block. Where
/// the post's edge passes the block's, it is 20 mm behind the block's side, but above its top.
#[test]
fn a_post_that_leans_over_an_edge_is_not_deep_in_the_side() {
    let lean = 0.0507_f64;
    let block = generate::cuboid(Vec3::ONE, 1.0);
    let post = generate::cuboid(Vec3::new(0.1, 0.6, 0.1), 1.0);
    let turn = DQuat::from_rotation_z(lean);
    // The corner is at (0.02, 0.0002); the post's lower side is 0.8 mm below the edge at the origin.
    let corner = DVec3::new(0.02, 0.0002, 0.0);
    let pose = Pose::new(turn, corner - turn * DVec3::new(0.05, -0.3, 0.0));
    let mut probe = Probe::new(&block, at(0.5, -0.5, 0.0), &post, pose);
    probe.find();
    let depths: Vec<f64> = probe.contacts().iter().map(Contact::depth).collect();
    let deepest = depths.iter().copied().fold(0.0, f64::max);
    assert!((0.7e-3..0.9e-3).contains(&deepest), "{depths:?}");
}

#[test]
fn tessellation_of_a_flat_floor_gives_no_sideways_normal() {
    for spacing in [2.0, 0.25, 0.1] {
        for x in [0.0, 0.013, 0.05, 0.125] {
            let mut probe = box_on_box(spacing);
            probe.states[1].pose.position.x = x;
            probe.find();
            probe.assert_flat(DVec3::Y, -0.0005);
            let reached = |f: fn(DVec3) -> f64| {
                probe.contacts().iter().map(|c| f(probe.world_point_b(c))).fold(f64::MIN, f64::max)
            };
            assert!((reached(|p| p.x) - x - 0.25).abs() < 1e-3, "{spacing} {x}");
            assert!((reached(|p| -p.x) + x - 0.25).abs() < 1e-3, "{spacing} {x}");
        }
    }
}

#[test]
fn swapping_the_bodies_mirrors_the_contacts() {
    let (big, small) = (cube(1.0, 2.0), cube(0.5, 2.0));
    let tilt = DQuat::from_axis_angle(DVec3::new(1.0, 0.2, -0.5).normalize(), 0.002);
    let upper = Pose::new(tilt, DVec3::new(0.3, 0.7497, 0.1));
    let mut there = Probe::new(&big, Pose::IDENTITY, &small, upper);
    let mut back = Probe::new(&small, upper, &big, Pose::IDENTITY);
    there.find();
    back.find();
    assert_eq!(there.contacts().len(), back.contacts().len());
    for c in there.contacts() {
        let mirrored = |m: &&Contact| {
            m.point_a.distance(c.point_b) < 1e-9
                && m.point_b.distance(c.point_a) < 1e-9
                && m.normal.distance(-c.normal) < 1e-9
                && (m.separation - c.separation).abs() < 1e-9
        };
        assert!(back.contacts().iter().find(mirrored).is_some(), "{c:?} in {:?}", back.contacts());
    }
}

#[test]
fn contacts_are_the_same_far_from_the_origin() {
    let mut near = box_on_box(0.25);
    let mut far = box_on_box(0.25);
    for state in &mut far.states {
        state.pose.position += DVec3::new(1e4, -1e4, 1e4);
    }
    near.find();
    far.find();
    assert_eq!(near.contacts().len(), far.contacts().len());
    for (n, f) in near.contacts().iter().zip(far.contacts()) {
        assert_eq!(n.key, f.key);
        assert!(n.point_a.distance(f.point_a) < 1e-9 && (n.separation - f.separation).abs() < 1e-9);
    }
}

/// Guards against a gap at the corners of rings. On the inside of a ring edges turn away from a body
/// inside it. Where two rings cross at corners of both, there was a wedge without a contact between the
/// closest points of two edges.
#[test]
fn rings_that_cross_at_their_corners_touch() {
    let ring = generate::torus(0.3, 0.06, 48, 12);
    let upright = DQuat::from_rotation_x(FRAC_PI_2);
    for depth in [-0.0005, 0.0005, 0.002, 0.006] {
        // The inside of one ring is at x = 0.24, that of the other equally far back.
        let pose = Pose::new(upright, DVec3::new(0.48 + depth, 0.0, 0.0));
        let mut probe = Probe::new(&ring, Pose::IDENTITY, &ring, pose);
        probe.find();
        let deepest = probe.contacts().iter().map(|c| c.separation).fold(f64::INFINITY, f64::min);
        assert!((deepest + depth).abs() < 2e-4, "{deepest} m for {}", -depth);
    }
}
