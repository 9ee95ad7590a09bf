//! Tests of sections against closed forms, against sums computed without lines, and against the same
//! sections moved, mirrored and reordered.

use std::f64::consts::PI;

use glam::{DQuat, DVec3, Vec3};

use super::{Plane, Section, section};
use crate::generate::{
    self, Anchor, Arch, Bolt, Bracket, Crate, Drum, Gear, Housing, Limb, Link, Nut, Pillar, Pipe, Tray,
    Triangles, Washer, Weight,
};
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::random::Random;

fn cut((vertices, triangles): &Triangles, plane: &Plane) -> Section {
    section(vertices, triangles, &[], &Pose::IDENTITY, plane)
}

fn mesh((positions, triangles): &Triangles) -> Mesh {
    Mesh::new("solid", positions, triangles).unwrap()
}

fn of(mesh: &Mesh) -> Triangles {
    (mesh.vertices().to_vec(), mesh.triangles().to_vec())
}

fn is_near(value: f64, expected: f64, tolerance: f64) -> bool {
    (value - expected).abs() <= tolerance * expected.abs()
}

/// Returns the area of the section, computed by the flux of the plane's normal through the surface
/// behind the plane: the sum of each triangle's share behind the plane, from its sorted heights. Uses
/// neither edges nor lines.
fn area_by_flux((vertices, triangles): &Triangles, plane: &Plane) -> f64 {
    let flux = triangles.iter().map(|t| {
        let [a, b, c] = t.map(|v| vertices[v as usize].as_dvec3());
        let mut heights = [a, b, c].map(|p| p.dot(plane.normal) - plane.offset);
        heights.sort_by(f64::total_cmp);
        let [low, middle, high] = heights;
        let share = if low >= 0.0 {
            0.0
        } else if high <= 0.0 {
            1.0
        } else if middle >= 0.0 {
            low / (low - middle) * (low / (low - high))
        } else {
            1.0 - high / (high - low) * (high / (high - middle))
        };
        0.5 * (b - a).cross(c - a).dot(plane.normal) * share
    });
    -flux.sum::<f64>()
}

/// Returns the total length of the plane's intersections with all triangles. Each length follows from
/// the direction of the intersection line and the triangle's extent along it.
fn length_by_triangle((vertices, triangles): &Triangles, plane: &Plane) -> f64 {
    let lengths = triangles.iter().map(|t| {
        let corners = t.map(|v| vertices[v as usize].as_dvec3());
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let along = plane.normal.cross(normal).normalize_or_zero();
        let mut places = Vec::new();
        for k in 0..3 {
            let (p, q) = (corners[k], corners[(k + 1) % 3]);
            let (low, high) = (plane.height(p), plane.height(q));
            if (low < 0.0) != (high < 0.0) {
                places.push((p.dot(along) * high - q.dot(along) * low) / (high - low));
            }
        }
        if places.is_empty() { 0.0 } else { (places[0] - places[1]).abs() }
    });
    lengths.sum()
}

/// Returns planes across a surface: with arbitrary directions, through vertices, and normal to an axis
/// through a vertex, where parts often have a face.
fn planes(surface: &Triangles, random: &mut Random, count: usize) -> Vec<Plane> {
    let vertices = &surface.0;
    let any = |random: &mut Random| {
        let vertex = (random.uniform() * vertices.len() as f64) as usize;
        vertices[vertex].as_dvec3()
    };
    let mut all = Vec::new();
    for k in 0..count {
        let normal = if k % 5 == 4 { DVec3::AXES[k / 5 % 3] } else { random.rotation() * DVec3::Z };
        let normal = if random.signed() < 0.0 { -normal } else { normal };
        let vertex = any(random);
        let point = if k % 5 < 3 { vertex.lerp(any(random), random.uniform()) } else { vertex };
        all.push(Plane::through(point, normal));
    }
    all
}

/// Returns every part of the shipped models, welded as a reader does, and a limb; all are closed.
fn parts() -> Vec<Triangles> {
    [
        Gear::SMALL.triangles(),
        Gear::LARGE.triangles(),
        Bracket::RIBBED.triangles(),
        Housing::SMALL.triangles(),
        Pipe::ELBOW.triangles(),
        Pipe::STRAIGHT.triangles(),
        Bolt::M20.triangles(),
        Nut::M20.triangles(),
        Washer::M20.triangles(),
        Tray::WORKSHOP.triangles(),
        Pillar::WAIST_HIGH.triangles(),
        Drum::BARREL.triangles(),
        Crate::KNEE_HIGH.triangles(),
        Arch::DOORWAY.triangles(),
        Link::CHAIN.triangles(),
        Weight::LIFTING.triangles(),
        Anchor::CEILING.triangles(),
        Limb::STOUT.triangles(),
    ]
    .map(|part| of(&mesh(&part)))
    .into()
}

#[test]
fn a_cube_has_a_hexagon_across_its_diagonal_and_a_square_along_a_face() {
    let cube = generate::cuboid(Vec3::ONE, 1.0);
    let diagonal = cut(&cube, &Plane::through(DVec3::ZERO, DVec3::ONE));
    assert_eq!(diagonal.loops.len(), 1);
    assert!(is_near(diagonal.area.unwrap(), 0.75 * 3_f64.sqrt(), 1e-14), "{diagonal:?}");
    assert!(is_near(diagonal.perimeter, 3.0 * 2_f64.sqrt(), 1e-14), "{diagonal:?}");

    // The section by the plane of a face lies just behind the plane: it is the face, or empty if the
    // cube is in front.
    let face = Plane::through(DVec3::splat(0.5), DVec3::Z);
    let square = cut(&cube, &face);
    assert_eq!((square.area, square.perimeter, square.loops[0].points.len()), (Some(1.0), 4.0, 4));
    assert!(square.loops[0].points.iter().all(|p| p.z == 0.5));
    let nothing = cut(&cube, &face.flipped());
    assert_eq!(nothing, Section { area: Some(0.0), ..Section::default() });
}

#[test]
fn a_plane_through_an_edge_or_a_corner_only_has_no_area() {
    let cube = generate::cuboid(Vec3::ONE, 1.0);
    let edge = cut(&cube, &Plane::through(DVec3::new(0.5, 0.5, 0.0), DVec3::new(1.0, 1.0, 0.0)));
    assert_eq!(edge.loops.len(), 1);
    assert!(edge.area.unwrap().abs() < 1e-15 && is_near(edge.perimeter, 2.0, 1e-15), "{edge:?}");
    let corner = cut(&cube, &Plane::through(DVec3::splat(0.5), DVec3::ONE));
    assert!(corner.is_empty() && corner.area == Some(0.0), "{corner:?}");
    let through = cut(&cube, &Plane { normal: DVec3::new(0.6, 0.8, 0.0), offset: 0.1 });
    assert!(is_near(through.area.unwrap(), 1.25, 1e-14), "{through:?}");
}

#[test]
fn round_parts_have_the_areas_of_their_polygons() {
    let cylinder = cut(&generate::cylinder(0.5, 2.0, 0.01), &Plane { normal: DVec3::Z, offset: 0.3 });
    assert!(is_near(cylinder.area.unwrap(), PI * 0.25, 1e-3), "{:?}", cylinder.area);
    assert!(is_near(cylinder.perimeter, PI, 1e-3), "{}", cylinder.perimeter);

    let torus = generate::torus(1.0, 0.25, 400, 200);
    let level = cut(&torus, &Plane { normal: DVec3::Z, offset: 0.1 });
    // Radii from 1 − w to 1 + w, where w² = 0.25² − 0.1².
    let half = 0.0525_f64.sqrt();
    assert!(is_near(level.area.unwrap(), 4.0 * PI * half, 1e-3), "{:?}", level.area);
    let mut areas: Vec<f64> = level.loops.iter().map(|line| line.area.unwrap()).collect();
    areas.sort_by(f64::total_cmp);
    assert!(is_near(areas[0], -PI * (1.0 - half).powi(2), 1e-3), "{areas:?}");
    assert!(is_near(areas[1], PI * (1.0 + half).powi(2), 1e-3) && areas.len() == 2, "{areas:?}");

    let upright = cut(&torus, &Plane { normal: DVec3::X, offset: 0.0 });
    assert_eq!(upright.loops.len(), 2);
    assert!(upright.loops.iter().all(|line| is_near(line.area.unwrap(), PI * 0.0625, 1e-3)));
}

#[test]
fn a_washer_is_a_ring_whose_hole_runs_the_other_way() {
    let washer = of(&mesh(&Washer::M20.triangles()));
    let plane = Plane::through(DVec3::ZERO, DVec3::new(0.01, 0.02, 1.0));
    let ring = cut(&washer, &plane);
    let (holes, outlines): (Vec<f64>, Vec<f64>) =
        ring.loops.iter().map(|line| line.area.unwrap()).partition(|&area| area < 0.0);
    assert_eq!((holes.len(), outlines.len()), (1, 1));
    assert!(is_near(ring.area.unwrap(), outlines[0] + holes[0], 1e-12), "{:?}", ring.area);
    assert!(is_near(ring.area.unwrap(), area_by_flux(&washer, &plane), 1e-9));
}

#[test]
fn shipped_surfaces_have_the_areas_and_lengths_of_sums_without_lines() {
    let (mut random, mut cut_count) = (Random::new(1, 0), 0);
    let parts = parts();
    for (surface_number, surface) in parts.iter().enumerate() {
        let reach = surface.0.iter().fold(0.0, |most: f64, v| most.max(v.as_dvec3().length()));
        for (number, plane) in planes(surface, &mut random, 50).iter().enumerate() {
            let label = format!("surface {surface_number}, plane {number}");
            let found = cut(surface, plane);
            assert!(found.is_closed(), "{label}");
            let (area, expected) = (found.area.unwrap(), area_by_flux(surface, plane));
            assert!((area - expected).abs() < 1e-6 * expected + 1e-13 * reach * reach, "{label}: {area}");
            assert!(is_near(found.perimeter, length_by_triangle(surface, plane), 1e-6), "{label}");
            for point in found.loops.iter().flat_map(|line| &line.points) {
                assert!(plane.height(*point).abs() < 1e-15 * (1.0 + reach), "{label}: {point}");
            }
            cut_count += usize::from(area > 0.0);
        }
    }
    assert!(cut_count > 45 * parts.len(), "{cut_count}");
}

#[test]
fn sections_turn_move_and_mirror_with_the_surface() {
    let mut random = Random::new(2, 0);
    let gear = of(&mesh(&generate::Gear::SMALL.triangles()));
    let typical = cut(&gear, &Plane { normal: DVec3::Z, offset: 1e-4 }).area.unwrap();
    let mut mirrored = gear.clone();
    mirrored.0.iter_mut().for_each(|v| v.x = -v.x);
    mirrored.1.iter_mut().for_each(|t| t.swap(0, 1));
    // Reversed order of vertices and triangles; triangles start at another corner.
    let last = gear.0.len() as u32 - 1;
    let shuffled: Triangles = (
        gear.0.iter().rev().copied().collect(),
        gear.1.iter().rev().map(|&[a, b, c]| [last - b, last - c, last - a]).collect(),
    );
    for (number, plane) in planes(&gear, &mut random, 50).into_iter().enumerate() {
        let found = cut(&gear, &plane);
        let area = found.area.unwrap();
        assert_eq!(found.loops.len(), cut(&shuffled, &plane).loops.len());
        assert!(is_near(cut(&shuffled, &plane).area.unwrap(), area, 1e-11));

        let normal = plane.normal * DVec3::new(-1.0, 1.0, 1.0);
        assert!(is_near(cut(&mirrored, &Plane { normal, ..plane }).area.unwrap(), area, 1e-11));

        if number % 5 == 4 {
            // Along a face, where the last bit of a height decides.
            continue;
        }
        // A thousand kilometers away, where points are accurate to a tenth of a nanometer.
        let pose = Pose::new(random.rotation(), DVec3::new(1e6, -2e5, 3e5));
        let there = Plane::through(
            pose.transform_point(plane.normal * plane.offset),
            pose.transform_vector(plane.normal),
        );
        let moved = section(&gear.0, &gear.1, &[], &pose, &there);
        assert!((moved.area.unwrap() - area).abs() < 1e-6 * typical, "{:?} {area}", moved.area);
        let points = moved.loops.iter().flat_map(|line| &line.points);
        assert!(points.map(|p| there.height(*p).abs()).fold(0.0, f64::max) < 1e-9);
    }
}

#[test]
fn a_surface_far_from_its_own_origin_has_the_area_that_it_has_at_home() {
    let middle = DVec3::new(65536.0, -32768.0, 8192.0);
    let (mut positions, triangles) = generate::cuboid(Vec3::ONE, 0.25);
    positions.iter_mut().for_each(|p| *p += middle.as_vec3());
    let found = cut(&(positions, triangles), &Plane::through(middle, DVec3::ONE));
    assert!(is_near(found.area.unwrap(), 0.75 * 3_f64.sqrt(), 1e-9), "{:?}", found.area);
}

#[test]
fn the_other_side_of_a_plane_has_the_section_that_this_side_has() {
    let mut random = Random::new(3, 0);
    let bolt = of(&mesh(&generate::Bolt::M20.triangles()));
    for plane in planes(&bolt, &mut random, 60).chunks(5).flat_map(|planes| &planes[..3]) {
        let (front, back) = (cut(&bolt, plane), cut(&bolt, &plane.flipped()));
        assert!(is_near(back.area.unwrap(), front.area.unwrap(), 1e-11));
        assert!(is_near(back.perimeter, front.perimeter, 1e-11));
        assert_eq!(back.loops.len(), front.loops.len());
    }
}

#[test]
fn open_surfaces_have_open_lines_and_no_area() {
    let (positions, mut triangles) = generate::cuboid(Vec3::ONE, 0.25);
    let plane = Plane { normal: DVec3::Z, offset: 0.1 };
    let crossed = triangles.iter().position(|t| {
        let z = t.map(|v| positions[v as usize].z);
        z.iter().any(|z| *z > 0.1) && z.iter().any(|z| *z < 0.1)
    });
    triangles.swap_remove(crossed.unwrap());
    let torn = (positions, triangles);
    let found = cut(&torn, &plane);
    assert_eq!((found.loops.len(), found.is_closed(), found.area), (1, false, None));
    assert!(is_near(found.perimeter, length_by_triangle(&torn, &plane), 1e-14) && found.perimeter < 4.0);
    assert_eq!(found.loops[0].segments().count() + 1, found.loops[0].points.len());
}

#[test]
fn two_triangles_that_disagree_are_one_line_from_either_side() {
    let sheet: Triangles =
        (vec![Vec3::NEG_X, Vec3::X, Vec3::Y, Vec3::Z], vec![[0, 1, 2], [0, 1, 3], [2, 2, 0]]);
    let plane = Plane { normal: DVec3::X, offset: 0.1 };
    for plane in [plane, plane.flipped()] {
        let found = cut(&sheet, &plane);
        assert_eq!((found.loops.len(), found.is_closed(), found.area), (1, false, None), "{found:?}");
        assert_eq!(found.loops[0].points.len(), 3);
    }
}

#[test]
fn a_bowl_has_a_closed_line_and_no_area() {
    let (positions, mut triangles) = generate::sphere(1.0, 32);
    triangles.retain(|t| t.iter().all(|&v| positions[v as usize].z < 0.3));
    let bowl = mesh(&(positions, triangles));
    let plane = Plane { normal: DVec3::Z, offset: -0.1 };
    let found =
        section(bowl.vertices(), bowl.triangles(), &bowl.surface().two_sided, &Pose::IDENTITY, &plane);
    assert!(found.is_closed() && found.area.is_none(), "{found:?}");
    assert!(is_near(found.loops[0].area.unwrap(), PI * 0.99, 0.02), "{found:?}");
}

#[test]
fn triangles_that_disagree_on_their_winding_have_all_lines_and_no_area() {
    let mut random = Random::new(4, 0);
    let (positions, mut triangles) = generate::sphere(1.0, 24);
    triangles.iter_mut().step_by(3).for_each(|t| t.swap(0, 1));
    let turned = (positions, triangles);
    for plane in planes(&turned, &mut random, 50) {
        let found = cut(&turned, &plane);
        assert!(is_near(found.perimeter, length_by_triangle(&turned, &plane), 1e-12));
        assert!(found.is_closed());
        assert!(found.area.is_none() || found.loops.iter().map(|line| line.points.len()).sum::<usize>() < 9);
    }
}

#[test]
fn surfaces_that_share_edges_or_have_fins_keep_every_piece_once() {
    // Two cubes that share an edge, with four triangles there.
    let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
    let count = positions.len() as u32;
    let mut both: Triangles = (positions.clone(), triangles.clone());
    both.0.extend(positions.iter().map(|&p| p + Vec3::new(1.0, 1.0, 0.0)));
    both.1.extend(triangles.iter().map(|t| t.map(|v| v + count)));
    let welded = |v: u32| both.0.iter().position(|&p| p == both.0[v as usize]).unwrap() as u32;
    let joined = both.1.iter().map(|t| t.map(welded)).collect();
    let cubes = (both.0.clone(), joined);
    let plane = Plane { normal: DVec3::Z, offset: 0.2 };
    let found = cut(&cubes, &plane);
    assert!(is_near(found.area.unwrap(), 2.0, 1e-14) && is_near(found.perimeter, 8.0, 1e-14), "{found:?}");

    // A fin at an edge of a cube: three triangles there, and an open end.
    let edge = |z: f32| cubes.0.iter().position(|&p| p == Vec3::new(-0.5, -0.5, z)).unwrap() as u32;
    let mut finned = cubes.clone();
    finned.1.push([edge(-0.5), edge(0.5), finned.0.len() as u32]);
    finned.0.push(Vec3::new(-1.5, -0.5, 0.0));
    let found = cut(&finned, &plane);
    assert!(found.area.is_none() && !found.is_closed(), "{found:?}");
    assert!(is_near(found.perimeter, length_by_triangle(&finned, &plane), 1e-14), "{}", found.perimeter);

    let mut random = Random::new(5, 0);
    let (positions, triangles) = generate::soup(300, 0.5, 7);
    // Few distinct vertices, so that edges have many triangles of any winding.
    let few = triangles.iter().map(|t| t.map(|v| v % 29)).collect();
    let soup = (positions, few);
    for plane in planes(&soup, &mut random, 50) {
        assert!(is_near(cut(&soup, &plane).perimeter, length_by_triangle(&soup, &plane), 1e-9));
    }
}

#[test]
fn overlapping_solids_count_as_often_as_they_cover() {
    let cube = generate::cuboid(Vec3::ONE, 1.0);
    let count = cube.0.len() as u32;
    let mut both = cube.clone();
    both.0.extend(cube.0.iter().map(|&p| p + Vec3::new(0.5, 0.25, 0.0)));
    both.1.extend(cube.1.iter().map(|t| t.map(|v| v + count)));
    assert!(is_near(cut(&both, &Plane { normal: DVec3::Z, offset: 0.1 }).area.unwrap(), 2.0, 1e-14));
}

#[test]
fn planes_that_are_not_finite_or_miss_have_empty_sections() {
    let cube = generate::cuboid(Vec3::ONE, 1.0);
    let nan = Plane { normal: DVec3::Z, offset: f64::NAN };
    assert_eq!(cut(&cube, &nan), Section::default());
    assert_eq!(cut(&cube, &Plane::through(DVec3::ZERO, DVec3::ZERO)), Section::default());
    assert_eq!(cut(&cube, &Plane { normal: DVec3::Z, offset: f64::INFINITY }), Section::default());
    let lost = Pose::new(DQuat::IDENTITY, DVec3::splat(f64::NAN));
    let plane = Plane { normal: DVec3::Z, offset: 0.0 };
    assert_eq!(section(&cube.0, &cube.1, &[], &lost, &plane), Section::default());
    let empty = Section { area: Some(0.0), ..Section::default() };
    for offset in [-7.0, 7.0] {
        assert_eq!(cut(&cube, &Plane { normal: DVec3::Z, offset }), empty);
    }
    assert_eq!(cut(&(Vec::new(), Vec::new()), &plane), empty);
    assert_eq!(cut(&(cube.0, Vec::new()), &plane), empty);
}

#[test]
fn a_box_that_a_plane_does_not_cross_holds_no_section() {
    let mut random = Random::new(6, 0);
    let bracket = mesh(&generate::Bracket::RIBBED.triangles());
    let (surface, mut missed_count) = (of(&bracket), 0);
    for plane in planes(&surface, &mut random, 200) {
        let plane = Plane { offset: plane.offset * (1.0 + 3.0 * random.uniform()), ..plane };
        let found = cut(&surface, &plane);
        assert!(plane.crosses(&bracket.bounds()) || found.loops.is_empty(), "{plane:?}");
        missed_count += usize::from(!plane.crosses(&bracket.bounds()));
    }
    assert!((20..180).contains(&missed_count), "{missed_count}");
    // Exactly at the corner: a vertex on the plane is not behind it.
    let bounds = bracket.bounds();
    let corner = |at: Vec3| Plane::through(at.as_dvec3(), DVec3::Z);
    assert!(!corner(bounds.min).crosses(&bounds) && corner(bounds.max).crosses(&bounds));
}
