//! Replay of a motion under every kind of link hierarchy. In each frame the boxes are updated,
//! overlapping boxes give pairs of links, and every pair gets an exact query.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::exact::{Asked, Surface};
use super::methods::{METHODS, Method};
use super::motion::Links;
use crate::arrays::MapEach;
use crate::articulation::{LinkShape, LinkTree, LinkTreeKind, Skeleton};
use crate::fingerprint;
use crate::measure::clock_cost;
use crate::mesh::Mesh;
use crate::order::Order;
use crate::pose::Pose;
use crate::turns::{REPEATS, Times, turns};

/// Number of frames that a method runs before the next method takes its turn.
const BLOCK: usize = 50;

/// Articulated body: links with contiguous indices from `first`, and their skeleton.
pub struct Articulation {
    pub first: usize,
    pub skeleton: Skeleton,
}

/// Articulations, and the pairs of links to search for.
pub struct Roles {
    pub articulations: Vec<Articulation>,
    /// Pairs of articulations to test against each other, or twice the same one for its own links.
    pub searches: Vec<[usize; 2]>,
    /// Pairs of links (smaller index first) that a joint connects. Hierarchies do not report them.
    /// Brute force queries them, but their results are ignored.
    pub joined: Vec<[usize; 2]>,
}

/// Motion to replay under all methods.
pub struct Replay {
    roles: Roles,
    /// Shape of each link, from which hierarchies are built.
    shapes: Vec<Option<Arc<LinkShape>>>,
    surfaces: Vec<Option<Arc<Surface>>>,
    /// World poses of all links, frame by frame.
    poses: Vec<Pose>,
    /// Whether queries of intersecting links also find normal and depth.
    asks_depth: bool,
    /// Hash of the motion.
    pub hash: u64,
}

/// Sums over all frames. Counts are those of one repeat; times are of the median repeat of each block.
#[derive(Clone, Debug)]
pub struct Measured {
    pub method: Method,
    pub query_count: u64,
    pub hit_count: u64,
    /// Number of queried pairs that intersect although a joint connects them.
    pub joined_hit_count: u64,
    pub volume_test_count: u64,
    /// Number of points and directions that updates rotated.
    pub turned_count: u64,
    /// Total volume of all nodes over all frames, m³; 0 for leaves alone.
    pub volume: f64,
    pub stages: Stages,
    /// Total times, per block and repeat.
    pub totals: Times,
    /// Fingerprint of the intersecting pairs, per frame.
    pub hits: Vec<u64>,
}

/// Times of the stages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stages {
    pub update: Duration,
    pub test: Duration,
    pub query: Duration,
}

impl Stages {
    pub fn total(&self) -> Duration {
        self.update + self.test + self.query
    }
}

impl std::ops::AddAssign for Stages {
    fn add_assign(&mut self, other: Self) {
        self.update += other.update;
        self.test += other.test;
        self.query += other.query;
    }
}

impl Measured {
    fn new(method: Method, frame_count: usize) -> Self {
        Self {
            method,
            query_count: 0,
            hit_count: 0,
            joined_hit_count: 0,
            volume_test_count: 0,
            turned_count: 0,
            volume: 0.0,
            stages: Stages::default(),
            totals: Times::default(),
            hits: Vec::with_capacity(frame_count),
        }
    }
}

/// State of one method during its run.
struct Contender {
    trees: Vec<LinkTree>,
    asked: Asked,
    pairs: Vec<(u32, u32)>,
}

impl Replay {
    /// Creates a replay. `surface` prepares a mesh for queries.
    pub fn new(
        links: Links,
        roles: Roles,
        surface: impl Fn(&Arc<Mesh>) -> Surface,
        asks_depth: bool,
    ) -> Self {
        let hash = links.hash();
        let mut shapes: Vec<Option<Arc<LinkShape>>> = Vec::new();
        let mut surfaces: Vec<Option<Arc<Surface>>> = Vec::new();
        for (k, mesh) in links.meshes.iter().enumerate() {
            let is_same = |other: &Option<Arc<Mesh>>| match (mesh, other) {
                (Some(mesh), Some(other)) => Arc::ptr_eq(mesh, other),
                _ => false,
            };
            let (shape, surface) = match links.meshes[..k].iter().position(is_same) {
                Some(first) => (shapes[first].clone(), surfaces[first].clone()),
                None => {
                    let shape = |m: &Arc<Mesh>| LinkShape::new(m.vertices(), m.triangles()).map(Arc::new);
                    (mesh.as_ref().and_then(shape), mesh.as_ref().map(|m| Arc::new(surface(m))))
                }
            };
            shapes.push(shape);
            surfaces.push(surface);
        }
        Self { roles, shapes, surfaces, poses: links.poses, asks_depth, hash }
    }

    pub fn link_count(&self) -> usize {
        self.shapes.len()
    }

    pub fn frame_count(&self) -> usize {
        self.poses.len() / self.link_count().max(1)
    }

    /// Runs every method over all frames, with several repeats.
    pub fn measure(&self) -> Vec<Measured> {
        let clock = clock_cost();
        let mut is_joined = vec![false; self.link_count() * self.link_count()];
        for &[a, b] in &self.roles.joined {
            is_joined[a * self.link_count() + b] = true;
        }
        let frames: Vec<&[Pose]> = self.poses.chunks_exact(self.link_count().max(1)).collect();
        let mut contenders: Vec<_> = METHODS.iter().map(|m| self.contender(m.kind)).collect();
        let blocks: Vec<_> = frames.chunks(BLOCK).collect();
        let mut measured: Vec<_> = METHODS.iter().map(|&m| Measured::new(m, frames.len())).collect();
        let mut times = vec![vec![[Stages::default(); REPEATS]; blocks.len()]; METHODS.len()];
        for turn in turns(REPEATS, blocks.len(), METHODS.len()) {
            let own = &mut measured[turn.contender];
            if turn.block == 0 {
                let totals = std::mem::take(&mut own.totals);
                *own = Measured { totals, ..Measured::new(own.method, frames.len()) };
            }
            let took = &mut times[turn.contender][turn.block][turn.repeat];
            for poses in blocks[turn.block] {
                *took += self.frame(&mut contenders[turn.contender], poses, &is_joined, clock, own);
            }
            own.totals.add(turn.block, took.total());
        }
        for (own, blocks) in measured.iter_mut().zip(times) {
            self.count(&frames, own);
            for mut repeats in blocks {
                repeats.order_by_key(Stages::total);
                own.stages += repeats[REPEATS / 2];
            }
        }
        measured
    }

    fn contender(&self, kind: LinkTreeKind) -> Contender {
        let tree = |a: &Articulation| {
            LinkTree::new(kind, &a.skeleton, &self.shapes[a.first..a.first + a.skeleton.len()])
        };
        Contender {
            trees: self.roles.articulations.iter().map(tree).collect(),
            asked: Asked::new(self.link_count(), self.asks_depth),
            pairs: Vec::new(),
        }
    }

    /// Counts the points that updates rotate and sums volumes, outside the timed runs.
    fn count(&self, frames: &[&[Pose]], own: &mut Measured) {
        let Contender { mut trees, .. } = self.contender(own.method.kind);
        for poses in frames {
            self.update(&mut trees, poses, own.method);
            for tree in &trees {
                own.turned_count += tree.turned_points();
                if !own.method.is_flat {
                    tree.for_each_box(&mut |_, b| own.volume += 8.0 * f64::from(b.half.element_product()));
                }
            }
        }
    }

    fn update(&self, trees: &mut [LinkTree], poses: &[Pose], method: Method) {
        for (tree, articulation) in trees.iter_mut().zip(&self.roles.articulations) {
            tree.update(|link| (&poses[articulation.first + link], 0.0));
            if !method.is_flat {
                tree.refit();
            }
        }
    }

    /// Runs one frame: updates the trees, finds pairs and queries them. Adds the counts to `sum`, and
    /// returns the times of the stages.
    fn frame(
        &self,
        Contender { trees, asked, pairs }: &mut Contender,
        poses: &[Pose],
        is_joined: &[bool],
        clock: Duration,
        sum: &mut Measured,
    ) -> Stages {
        let start = Instant::now();
        self.update(trees, poses, sum.method);
        let updated = Instant::now();
        pairs.clear();
        for &[a, b] in &self.roles.searches {
            let found = pairs.len();
            sum.volume_test_count +=
                if a == b { trees[a].self_pairs(pairs) } else { trees[a].pairs(&trees[b], pairs) };
            let [first_a, first_b] = [a, b].map_each(|i| self.roles.articulations[i].first as u32);
            pairs[found..].iter_mut().for_each(|(i, j)| (*i, *j) = (*i + first_a, *j + first_b));
        }
        let is_joined = |a: u32, b: u32| is_joined[a as usize * self.link_count() + b as usize];
        if sum.method.kind != LinkTreeKind::BruteForce {
            pairs.retain(|&(a, b)| !is_joined(a, b));
        }
        let tested = Instant::now();
        let mut hits = 0u64;
        for &(a, b) in pairs.iter() {
            let two = [a, b].map_each(|i| i as usize);
            let [Some(surface_a), Some(surface_b)] = two.map_each(|i| self.surfaces[i].as_deref()) else {
                continue;
            };
            sum.query_count += 1;
            if !asked.intersect([surface_a, surface_b], two, &poses[two[1]].relative_to(&poses[two[0]])) {
                continue;
            }
            if is_joined(a, b) {
                sum.joined_hit_count += 1;
            } else {
                sum.hit_count += 1;
                hits = hits.wrapping_add(fingerprint::of_pair(a, b));
            }
        }
        let asked_all = Instant::now();
        sum.hits.push(hits);
        Stages {
            update: (updated - start).saturating_sub(clock),
            test: (tested - updated).saturating_sub(clock),
            query: (asked_all - tested).saturating_sub(clock),
        }
    }
}

/// Describes each method whose intersecting pairs differ from those of the first method, and the first
/// such frame.
pub fn disagreements(name: &str, measured: &[Measured]) -> Vec<String> {
    let Some(first) = measured.first() else { return Vec::new() };
    let say = |m: &Measured| {
        let frame = m.hits.iter().zip(&first.hits).position(|(own, other)| own != other)?;
        Some(format!(
            "{name}: {} finds {} hits, {} finds {}; frame {frame} is the first that differs",
            m.method.label(),
            m.hit_count,
            first.method.label(),
            first.hit_count,
        ))
    };
    measured.iter().filter_map(say).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_frame_with_other_hits_is_named() {
        let with = |kind, hits: &[u64]| {
            let mut measured = Measured::new(Method::of(kind), hits.len());
            (measured.hits, measured.hit_count) = (hits.to_vec(), hits.len() as u64);
            measured
        };
        let brute = with(LinkTreeKind::BruteForce, &[0, 7, 9]);
        let lost = with(LinkTreeKind::Cab, &[0, 7, 8]);
        assert_eq!(disagreements("arm", &[brute.clone(), brute.clone()]), Vec::<String>::new());
        let said = disagreements("arm", &[brute, lost]);
        assert!(said.len() == 1 && said[0].contains("CAB") && said[0].contains("frame 2"), "{said:?}");
    }
}
