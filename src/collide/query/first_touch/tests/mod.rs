//! Tests of the first touch.
//!
//! - `agreement.rs`: kinds of hierarchies, swapped and moved operands, and degenerate input.
//! - `closed.rs`: touches known in closed form.
//! - `swept.rs`: random motions against dense sampling.

mod agreement;
mod closed;
mod swept;

use glam::{DVec3, Vec3};

use super::{FirstTouch, Motion, TouchBuffers, TouchSearch, first_touch};
use crate::generate;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::random::Random;
use crate::tree::{Counts, DescentScratch, SplitRule, Surfaces, Tree, TreeKind};

const TOUCH: f64 = 1e-6;

/// Mesh with its hierarchy.
struct Part {
    mesh: Mesh,
    tree: Tree,
}

impl Part {
    fn new(triangles: generate::Triangles) -> Self {
        Self::of_kind(triangles, TreeKind::default())
    }

    fn of_kind((positions, triangles): generate::Triangles, kind: TreeKind) -> Self {
        let mesh = Mesh::new("", &positions, &triangles).unwrap();
        Self { tree: Tree::build(kind, SplitRule::default(), &mesh), mesh }
    }

    /// Returns a motion about a center in body space, m.
    fn moving(&self, from: Pose, center: DVec3, [shift, turn]: [DVec3; 2]) -> Motion {
        let radius = self.mesh.vertices().iter().map(|v| v.as_dvec3().distance(center)).fold(0.0, f64::max);
        Motion { from, center, radius, shift, turn }
    }

    /// Returns a motion from a position about the origin of the body's space.
    fn from(&self, position: DVec3, screw: [DVec3; 2]) -> Motion {
        self.moving(Pose::from_position(position), DVec3::ZERO, screw)
    }

    fn size(&self) -> f64 {
        f64::from(self.mesh.bounds().diagonal())
    }
}

fn surfaces<'a>([a, b]: [&'a Part; 2]) -> Surfaces<'a> {
    [(&a.tree, &a.mesh), (&b.tree, &b.mesh)]
}

/// Searches the whole interval and ignores pairs that intersect at its start.
fn touch_of(parts: [&Part; 2], motions: [&Motion; 2]) -> Option<FirstTouch> {
    let surfaces = surfaces(parts);
    ask(&TouchSearch { surfaces, motions, start: 0.0, touch: TOUCH, ignored: 0.0 })
}

fn ask(search: &TouchSearch) -> Option<FirstTouch> {
    let (mut descent, mut buffers) = (DescentScratch::default(), TouchBuffers::default());
    first_touch(search, &mut descent, &mut buffers, &mut Counts::default())
}

fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.signed(), random.signed(), random.signed())
}

/// Builds one of nine shapes, 0.05 m to 1 m long: convex or not, thick or thin, closed or open.
fn shape(random: &mut Random) -> generate::Triangles {
    let mut length = |least: f64, most: f64| (least * (most / least).powf(random.uniform())) as f32;
    let sides = [(); 3].map(|()| length(0.05, 0.6));
    let [long, thin] = [length(0.2, 1.0), length(0.002, 0.02)];
    let (mut positions, mut triangles) = match (random.uniform() * 9.0) as u32 {
        0 => generate::cuboid(sides.into(), 9.0),
        1 => generate::sphere(0.5 * sides[0], 12),
        2 => generate::cuboid(Vec3::new(long, sides[0], thin), 9.0),
        3 => generate::cuboid(Vec3::new(long, thin, thin), 9.0),
        4 => generate::torus(sides[0], 0.3 * sides[0], 12, 6),
        5 => (vec![Vec3::ZERO, Vec3::X * long, Vec3::new(thin, sides[0], 0.0)], vec![[0, 1, 2]]),
        6 => generate::bumpy_sphere(10),
        7 => generate::cylinder(sides[0].into(), thin.into(), 0.1),
        _ => generate::ellipsoid(Vec3::new(0.5 * long, thin, 0.3 * sides[1]), 10),
    };
    let largest = positions.iter().fold(0.0, |most: f32, p| most.max(p.length()));
    positions.iter_mut().for_each(|p| *p *= (0.5 * long / largest).max(0.05));
    if random.uniform() < 0.2 && triangles.len() > 4 {
        triangles.truncate(triangles.len() / 2);
    }
    (positions, triangles)
}

/// Returns a motion of a part past the origin: up to 20 sizes far, with up to 10 rad.
fn screw(part: &Part, random: &mut Random) -> Motion {
    let size = part.size();
    let far = [0.5, 3.0, 20.0][(random.uniform() * 3.0) as usize] * size;
    let shift = far * vector(random);
    let turn = [0.0, 1.0, 10.0][(random.uniform() * 3.0) as usize] * random.uniform();
    let passing = random.uniform() * shift + 0.4 * size * vector(random);
    let center = 0.5 * size * vector(random) * random.uniform();
    let from = Pose::new(random.rotation(), -passing);
    part.moving(from, center, [shift, turn * vector(random).normalize()])
}
