//! A custom hierarchy under the traversal of all kinds, compared with the default one: bounding spheres
//! over halves of the triangles, with one triangle per leaf.
//!
//! `cargo run --release --example own_tree_kind`

use std::error::Error;
use std::ops::ControlFlow;

use glam::DVec3;
use tumble::generate;
use tumble::mesh::{Mesh, intersects};
use tumble::pose::Pose;
use tumble::query::find_intersections;
use tumble::tree::{
    Children, Counts, Descent, DescentScratch, Found, Search, SplitRule, Tree, TreeKind, descend,
};
use tumble::volume::Operations;

#[derive(Clone, Copy)]
struct Ball {
    center: DVec3,
    radius: f64,
    /// Index of the first triangle below, in the tree's order.
    first: usize,
    /// Number of triangles below.
    count: usize,
    /// Index of the second child; the first is the next ball.
    second: usize,
}

/// Balls, depth first.
struct BallTree {
    balls: Vec<Ball>,
    order: Vec<u32>,
}

impl BallTree {
    fn new(mesh: &Mesh) -> Self {
        let order = (0..mesh.triangles().len() as u32).collect();
        let mut tree = Self { balls: Vec::new(), order };
        tree.grow(mesh, 0, mesh.triangles().len());
        tree
    }

    fn grow(&mut self, mesh: &Mesh, first: usize, count: usize) {
        let own = &mut self.order[first..first + count];
        let corners = || own.iter().flat_map(|&triangle| mesh.corners(triangle));
        let center = corners().sum::<DVec3>() / (3 * count) as f64;
        let radius = corners().map(|c| c.distance(center)).fold(0.0, f64::max);
        let farthest = corners().max_by(|a, b| a.distance(center).total_cmp(&b.distance(center)));
        let along = farthest.unwrap_or(center) - center;
        own.sort_by(|&a, &b| along.dot(mesh.corners(a)[0]).total_cmp(&along.dot(mesh.corners(b)[0])));
        let index = self.balls.len();
        self.balls.push(Ball { center, radius, first, count, second: 0 });
        if count > 1 {
            self.grow(mesh, first, count / 2);
            self.balls[index].second = self.balls.len();
            self.grow(mesh, first + count / 2, count - count / 2);
        }
    }

    fn children(&self, index: usize) -> Option<Children<usize>> {
        let ball = &self.balls[index];
        (ball.count > 1).then_some(Children::Two([index + 1, ball.second]))
    }
}

/// Two trees; b's balls are transformed to a's space as they are tested.
struct BallPair<'a>(&'a BallTree, &'a BallTree, &'a Search<'a>);

impl Descent for BallPair<'_> {
    const STEP_A: Operations = Operations::new(0, 0, 0);
    const STEP_B: Operations = Operations::new(0, 0, 0);
    const PAIR: Operations = Operations::new(13, 15, 1);

    type A = usize;
    type B = usize;
    type ChildrenA = Children<usize>;
    type ChildrenB = Children<usize>;

    fn roots(&self) -> (usize, usize) {
        (0, 0)
    }

    fn admit(&self, &a: &usize, &b: &usize) -> Option<(usize, usize)> {
        let (own, other) = (&self.0.balls[a], &self.1.balls[b]);
        let apart = own.center.distance(self.2.b_to_a.transform_point(other.center));
        // More than the rounding of `f64`.
        let reach = (own.radius + other.radius + self.2.margin) * (1.0 + 1e-9) + 1e-12;
        (apart <= reach).then_some((a, b))
    }

    fn depth(&self, &a: &usize, &b: &usize) -> f32 {
        let (own, other) = (&self.0.balls[a], &self.1.balls[b]);
        let apart = own.center.distance(self.2.b_to_a.transform_point(other.center));
        (own.radius + other.radius - apart) as f32
    }

    fn children_a(&self, &a: &usize) -> Option<Children<usize>> {
        self.0.children(a)
    }

    fn children_b(&self, &b: &usize) -> Option<Children<usize>> {
        self.1.children(b)
    }

    fn leaves(&self, &a: &usize, &b: &usize, found: &mut impl Found) -> ControlFlow<()> {
        found(self.0.order[self.0.balls[a].first], self.1.order[self.1.balls[b].first])
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (positions, triangles) = generate::torus(0.7, 0.3, 96, 48);
    let mesh = Mesh::new("torus", &positions, &triangles)?;
    let pose = Pose::from_position(DVec3::new(0.9, 0.2, 0.1));
    let search = Search::all(&pose, 0.0);

    let own = BallTree::new(&mesh);
    let (mut pairs, mut counts) = (Vec::new(), Counts::default());
    let mut test = |a: u32, b: u32| {
        if intersects(&mesh.corners(a), &mesh.corners(b).map(|c| pose.transform_point(c))) {
            pairs.push([a, b]);
        }
        ControlFlow::Continue(())
    };
    let balls = BallPair(&own, &own, &search);
    let end = descend(&balls, search.extent(), &mut Vec::new(), &mut counts, &mut test);
    assert!(end.is_continue(), "it looked at all");
    pairs.sort_unstable();
    println!("own: {} pairs after {} node tests", pairs.len(), counts.node_test_count);

    let tree = Tree::build(TreeKind::default(), SplitRule::default(), &mesh);
    let (mut expected, mut counts) = (Vec::new(), Counts::default());
    let mut scratch = DescentScratch::default();
    find_intersections([(&tree, &mesh); 2], &pose, &mut scratch, &mut expected, &mut counts);
    expected.sort_unstable();
    println!("boxtree8: {} pairs after {} node tests", expected.len(), counts.node_test_count);
    assert_eq!(pairs, expected, "both find the same pairs");
    Ok(())
}
