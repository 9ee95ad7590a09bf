//! Claim: `mesh::intersects` never differs from exact rational arithmetic.
//!
//! The reference uses another method: one triangle is clipped, in rational numbers, by the closed
//! half-spaces that make up the other. It is itself checked on facts with a known kind of intersection
//! (`data/tritri_facts.json`: cases published with CGAL's test suite, as numbers).

use std::ops::Neg;

use glam::DVec3;
use num_rational::{BigRational, Ratio};
use num_traits::{Num, ToPrimitive};
use serde::Deserialize;
use tumble::mesh::intersects;

use crate::rounds::rounds;

trait Exact: Num + Clone + PartialOrd + Neg<Output = Self> {}
impl<T: Num + Clone + PartialOrd + Neg<Output = T>> Exact for T {}

type Point<R> = [R; 3];

/// Half-space n · x ≤ d.
type HalfSpace<R> = (Point<R>, R);

fn sub<R: Exact>(a: &Point<R>, b: &Point<R>) -> Point<R> {
    [0, 1, 2].map(|k| a[k].clone() - b[k].clone())
}

fn dot<R: Exact>(a: &Point<R>, b: &Point<R>) -> R {
    (0..3).fold(R::zero(), |s, k| s + a[k].clone() * b[k].clone())
}

fn cross<R: Exact>(a: &Point<R>, b: &Point<R>) -> Point<R> {
    [0, 1, 2].map(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i].clone() * b[j].clone() - a[j].clone() * b[i].clone()
    })
}

fn negated<R: Exact>(a: &Point<R>) -> Point<R> {
    a.clone().map(|x| -x)
}

fn collinear<R: Exact>(a: &Point<R>, b: &Point<R>, c: &Point<R>) -> bool {
    cross(&sub(b, a), &sub(c, a)).iter().all(R::is_zero)
}

/// Returns the polygon's distinct points; the two extreme ones if all are on a line.
fn reduced<R: Exact>(points: Vec<Point<R>>) -> Vec<Point<R>> {
    let mut distinct: Vec<Point<R>> = Vec::new();
    for p in points {
        if !distinct.contains(&p) {
            distinct.push(p);
        }
    }
    if distinct.len() > 2 && distinct[2..].iter().all(|p| collinear(&distinct[0], &distinct[1], p)) {
        distinct.sort_by(|a, b| a.partial_cmp(b).unwrap());
        distinct = vec![distinct[0].clone(), distinct[distinct.len() - 1].clone()];
    }
    distinct
}

/// Returns both sides of the plane n · x = n · p.
fn plane<R: Exact>(n: Point<R>, p: &Point<R>) -> [HalfSpace<R>; 2] {
    let d = dot(&n, p);
    [(negated(&n), -d.clone()), (n, d)]
}

/// Returns closed half-spaces whose intersection is the hull of the points.
fn half_spaces<R: Exact>(points: &[Point<R>; 3]) -> Vec<HalfSpace<R>> {
    let axes = [0, 1, 2].map(|k| [0, 1, 2].map(|j| if j == k { R::one() } else { R::zero() }));
    match &reduced(points.to_vec())[..] {
        [p] => axes.into_iter().flat_map(|n| plane(n, p)).collect(),
        [p, q] => {
            let along = sub(q, p);
            let across = axes
                .iter()
                .map(|e| cross(&along, e))
                .find(|n| !n.iter().all(R::is_zero))
                .expect("a segment has a direction");
            let third = cross(&along, &across);
            let mut spaces: Vec<_> = plane(across, p).into_iter().chain(plane(third, p)).collect();
            spaces.push((along.clone(), dot(&along, q)));
            spaces.push((negated(&along), -dot(&along, p)));
            spaces
        }
        t => {
            let normal = cross(&sub(&t[1], &t[0]), &sub(&t[2], &t[0]));
            let mut spaces: Vec<_> = plane(normal.clone(), &t[0]).into();
            for k in 0..3 {
                let outward = cross(&sub(&t[(k + 1) % 3], &t[k]), &normal);
                spaces.push((outward.clone(), dot(&outward, &t[k])));
            }
            spaces
        }
    }
}

fn clipped<R: Exact>(polygon: Vec<Point<R>>, (n, d): &HalfSpace<R>) -> Vec<Point<R>> {
    let height: Vec<R> = polygon.iter().map(|p| dot(n, p) - d.clone()).collect();
    let zero = R::zero();
    let mut kept = Vec::new();
    for i in 0..polygon.len() {
        let j = (i + 1) % polygon.len();
        if height[i] <= zero {
            kept.push(polygon[i].clone());
        }
        if (height[i] < zero && height[j] > zero) || (height[i] > zero && height[j] < zero) {
            let t = height[i].clone() / (height[i].clone() - height[j].clone());
            let step = sub(&polygon[j], &polygon[i]);
            kept.push([0, 1, 2].map(|k| polygon[i][k].clone() + t.clone() * step[k].clone()));
        }
    }
    reduced(kept)
}

/// Returns the corners of the intersection, without those inside an edge.
fn intersection<R: Exact>(a: &[Point<R>; 3], b: &[Point<R>; 3]) -> Vec<Point<R>> {
    let mut polygon = reduced(a.to_vec());
    for space in half_spaces(b) {
        if polygon.is_empty() {
            return polygon;
        }
        polygon = clipped(polygon, &space);
    }
    let mut k = 0;
    while polygon.len() > 2 && k < polygon.len() {
        let n = polygon.len();
        if collinear(&polygon[(k + n - 1) % n], &polygon[k], &polygon[(k + 1) % n]) {
            polygon.remove(k);
            k = 0;
        } else {
            k += 1;
        }
    }
    polygon
}

type Pair = [[DVec3; 3]; 2];

fn big([a, b]: &Pair) -> usize {
    let exact = |t: &[DVec3; 3]| t.map(|p| p.to_array().map(|x| BigRational::from_float(x).unwrap()));
    intersection(&exact(a), &exact(b)).len()
}

/// Counts the corners for integer coordinates up to about 100: faster, and no value exceeds 2^127.
fn small([a, b]: &Pair) -> usize {
    let exact = |t: &[DVec3; 3]| t.map(|p| p.to_array().map(|x| Ratio::from_integer(x.to_i128().unwrap())));
    intersection(&exact(a), &exact(b)).len()
}

const PERMUTATIONS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

#[derive(Deserialize)]
struct Fact {
    name: String,
    a: [[f64; 3]; 3],
    b: [[f64; 3]; 3],
    expect: String,
}

#[test]
fn known_facts_hold_in_either_order_and_every_permutation() {
    let facts: Vec<Fact> = serde_json::from_str(include_str!("../data/tritri_facts.json")).unwrap();
    assert_eq!(facts.len(), 35);
    for fact in facts {
        let (a, b) = (fact.a.map(DVec3::from_array), fact.b.map(DVec3::from_array));
        for pair in [[a, b], [b, a]] {
            let kind = match big(&pair) {
                0 => "empty".to_owned(),
                1 => "point".to_owned(),
                2 => "segment".to_owned(),
                n => format!("polygon{n}"),
            };
            assert_eq!(kind, fact.expect, "{}", fact.name);
            for p in PERMUTATIONS {
                for q in PERMUTATIONS {
                    let found = intersects(&p.map(|k| pair[0][k]), &q.map(|k| pair[1][k]));
                    assert_eq!(found, fact.expect != "empty", "{}", fact.name);
                }
            }
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number in −1 … 1.
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2.0_f64.powi(-52) - 1.0
    }

    fn point(&mut self) -> DVec3 {
        DVec3::new(self.unit(), self.unit(), self.unit())
    }

    /// Returns integer coordinates in −reach … reach.
    fn grid_point(&mut self, reach: u64) -> DVec3 {
        DVec3::from_array([0; 3].map(|_| (self.bits() % (2 * reach + 1)) as f64 - reach as f64))
    }

    fn index(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }
}

/// Compares as many pairs as `full` specifies, on all cores. Returns how many intersect, and the number
/// of pairs. Every answer must also hold when the triangles are swapped, their vertices permuted, and
/// the space mirrored or scaled by a power of two.
fn judge(
    full: usize,
    seed: u64,
    make: impl Fn(&mut Random) -> Pair + Sync,
    oracle: impl Fn(&Pair) -> usize + Sync,
) -> (u64, u64) {
    let count = rounds(full) as u64;
    let thread_count = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let run = |thread: u64| {
        let mut hits = 0;
        for i in (thread..count).step_by(thread_count as usize) {
            let mut random = Random(seed ^ i.wrapping_mul(0x2545_f491_4f6c_dd1d));
            let pair = make(&mut random);
            let expected = oracle(&pair) > 0;
            let [a, b] = pair;
            assert_eq!(intersects(&a, &b), expected, "seed {seed}, pair {i}: {a:?} {b:?}");
            let (p, q) = (PERMUTATIONS[random.index(6)], PERMUTATIONS[random.index(6)]);
            let scale = DVec3::new(-0.25, 0.25, 0.25);
            let (a, b) = (p.map(|k| scale * a[k]), q.map(|k| scale * b[k]));
            assert_eq!(
                intersects(&b, &a),
                expected,
                "seed {seed}, pair {i}, mirrored and swapped: {a:?} {b:?}"
            );
            hits += u64::from(expected);
        }
        hits
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..thread_count).map(|t| scope.spawn(move || run(t))).collect();
        (threads.into_iter().map(|t| t.join().unwrap()).sum(), count)
    })
}

/// Asserts that both answers are common; otherwise the test is void.
fn assert_mixed((hits, count): (u64, u64)) {
    assert!(hits * 50 > count && (count - hits) * 50 > count, "{hits} of {count} intersect");
}

#[test]
fn small_grids_where_nearly_everything_is_degenerate() {
    for (reach, count) in [(1, 20_000), (2, 60_000), (4, 20_000)] {
        let make = |r: &mut Random| [0; 2].map(|_| [0; 3].map(|_| r.grid_point(reach)));
        assert_mixed(judge(count, reach, make, small));
    }
}

#[test]
fn coplanar_and_wider_grids() {
    let flat = |r: &mut Random| {
        let axis = r.index(3);
        [0; 2].map(|_| {
            [0; 3].map(|_| {
                let mut p = r.grid_point(4);
                p[axis] = p[(axis + 1) % 3] - 2.0 * p[(axis + 2) % 3];
                p
            })
        })
    };
    assert_mixed(judge(20_000, 5, flat, small));
    let wide = |r: &mut Random| [0; 2].map(|_| [0; 3].map(|_| r.grid_point(100)));
    assert_mixed(judge(10_000, 6, wide, small));
}

#[test]
fn random_floats() {
    let make = |r: &mut Random| [0; 2].map(|_| [0; 3].map(|_| r.point()));
    assert_mixed(judge(5_000, 7, make, big));
}

/// Uses contacts of a resting body: the triangle of one body lies on the other up to the last bits of
/// `f32`.
#[test]
fn nearly_coplanar_floats() {
    let make = |r: &mut Random| {
        let [o, u, v] = [r.point(), r.point(), r.point()];
        [0; 2].map(|_| {
            [0; 3].map(|_| {
                let p = o + r.unit() * u + r.unit() * v;
                if r.index(2) == 0 { p.as_vec3().as_dvec3() } else { p }
            })
        })
    };
    assert_mixed(judge(5_000, 8, make, big));
}

/// Uses neighbors on a mesh, and triangles that meet in a rounded point of an edge.
#[test]
fn shared_vertices_edges_and_points_on_edges() {
    let make = |r: &mut Random| {
        let a = [0; 3].map(|_| r.point());
        let mut b = [0; 3].map(|_| r.point() + DVec3::new(0.5, 0.0, 0.0));
        for k in 0..r.index(3) {
            b[k] = match r.index(3) {
                0 => a[k],
                1 => a[k].lerp(a[(k + 1) % 3], r.unit().abs()),
                _ => a[k].midpoint(a[(k + 1) % 3]),
            };
        }
        [a, b]
    };
    assert_mixed(judge(5_000, 9, make, big));
}

/// Uses triangles that are rounded segments, and a body far from the origin.
#[test]
fn slivers_far_from_the_origin() {
    let make = |r: &mut Random| {
        let far = DVec3::splat(1e4);
        [0; 2].map(|_| {
            let (p, q) = (r.point() + far, r.point() + far);
            [p, q, p.lerp(q, r.unit().abs())]
        })
    };
    let near = |r: &mut Random| {
        let mut pair = make(r);
        let t = r.unit().abs();
        pair[1][r.index(3)] = pair[0][0].lerp(pair[0][1], t);
        pair
    };
    judge(5_000, 10, make, big);
    let (hits, count) = judge(10_000, 11, near, big);
    assert!(hits < count, "rounding takes most of the points off the line");
}
