//! Estimates of the volume that a set of triangles needs. They are cheap to merge and to evaluate many
//! times. They serve to choose sets to merge, not as bounds.

use glam::{DMat3, DVec3, Mat3A, Vec3, Vec3A};

use crate::mesh::Mesh;
use crate::volume::{Aabb, Spread};

/// Kind of bounding volume whose size is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Aligned,
    Oriented,
    Round,
}

/// Volume (m³), then surface (m²), up to a factor that depends on the kind of volume.
pub(super) type Size = [f64; 2];

/// Normals of the faces and directions of the corners of a cube, one per opposite pair.
const DIRECTIONS: [Vec3; 7] = {
    let v = Vec3::new;
    [
        v(1.0, 0.0, 0.0),
        v(0.0, 1.0, 0.0),
        v(0.0, 0.0, 1.0),
        v(1.0, 1.0, 1.0),
        v(1.0, 1.0, -1.0),
        v(1.0, -1.0, 1.0),
        v(1.0, -1.0, -1.0),
    ]
};

/// Corner that reaches farthest along one direction.
#[derive(Clone, Copy, Debug)]
struct Extreme {
    along: f32,
    corner: Vec3,
}

/// Statistics of a set of triangles. Lengths are relative to the mesh's center, m.
#[derive(Clone, Debug)]
pub(super) struct TriangleStats {
    pub count: u32,
    bounds: Aabb,
    spread: Spread,
    /// Extreme corners along and against each direction.
    extremes: [[Extreme; 2]; DIRECTIONS.len()],
}

impl TriangleStats {
    pub fn new(mesh: &Mesh, triangles: impl Iterator<Item = u32>) -> Self {
        let center = mesh.bounds().center();
        let nothing = Extreme { along: f32::NEG_INFINITY, corner: Vec3::ZERO };
        let mut stats = Self {
            count: 0,
            bounds: Aabb::EMPTY,
            spread: Spread::default(),
            extremes: [[nothing; 2]; DIRECTIONS.len()],
        };
        for triangle in triangles {
            let corners = mesh.corners_about(triangle, center);
            stats.count += 1;
            stats.spread.add(&corners);
            stats.bounds = stats.bounds.union(&Aabb::from_points(corners));
            for corner in corners {
                for (direction, [most, least]) in DIRECTIONS.iter().zip(&mut stats.extremes) {
                    let along = corner.dot(*direction);
                    if along > most.along {
                        *most = Extreme { along, corner };
                    }
                    if -along > least.along {
                        *least = Extreme { along: -along, corner };
                    }
                }
            }
        }
        stats
    }

    pub fn join(&mut self, other: &Self) {
        self.count += other.count;
        self.bounds = self.bounds.union(&other.bounds);
        self.spread.join(&other.spread);
        for (own, its) in self.extremes.as_flattened_mut().iter_mut().zip(other.extremes.as_flattened()) {
            if its.along > own.along {
                *own = *its;
            }
        }
    }

    /// Returns perpendicular unit vectors, from the direction of largest spread of the surface to that
    /// of least.
    pub fn axes(&self) -> DMat3 {
        self.spread.axes()
    }

    /// Returns the approximate bounds along perpendicular unit vectors: the rows of `rows`.
    pub fn bounds_along(&self, rows: &Mat3A) -> [Vec3A; 2] {
        bounds_along(rows, self.corners())
    }

    pub fn size(&self, measure: Measure) -> Size {
        size(&self.bounds, &self.spread, self.corners(), measure)
    }

    pub fn joint_size(&self, other: &Self, measure: Measure) -> Size {
        let bounds = self.bounds.union(&other.bounds);
        let mut spread = self.spread;
        spread.join(&other.spread);
        size(&bounds, &spread, self.corners().chain(other.corners()), measure)
    }

    fn corners(&self) -> impl Iterator<Item = Vec3A> {
        self.extremes.as_flattened().iter().map(|e| e.corner.into())
    }
}

/// Returns the size of the volume of kind `measure` around the corners.
fn size(bounds: &Aabb, spread: &Spread, corners: impl Iterator<Item = Vec3A>, measure: Measure) -> Size {
    let straight = box_size(bounds.size().as_dvec3());
    match measure {
        Measure::Aligned => straight,
        Measure::Oriented => {
            let [low, high] = bounds_along(&Mat3A::from(spread.axes().transpose().as_mat3()), corners);
            let turned = box_size(Vec3::from(high - low).as_dvec3());
            // The one with the smaller surface counts, as when oriented boxes are fitted.
            if straight[1] <= turned[1] { straight } else { turned }
        }
        Measure::Round => {
            let center = Vec3A::from(bounds.center());
            let square = |c: Vec3A| Vec3::from(c - center).as_dvec3().length_squared();
            let squared = corners.map(square).fold(0.0, f64::max);
            [squared * squared.sqrt(), squared]
        }
    }
}

fn bounds_along(rows: &Mat3A, corners: impl Iterator<Item = Vec3A>) -> [Vec3A; 2] {
    corners.fold([Vec3A::INFINITY, Vec3A::NEG_INFINITY], |[low, high], corner| {
        let at = *rows * corner;
        [low.min(at), high.max(at)]
    })
}

fn box_size(d: DVec3) -> Size {
    [d.x * d.y * d.z, d.x * d.y + d.y * d.z + d.z * d.x]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Replica;
    use crate::volume::{Obb, ObbFit, Volume};

    #[test]
    fn joined_stats_are_that_of_all_triangles_and_about_the_box_around_them() {
        let (positions, triangles) = Replica::Quadruped.triangles();
        let mesh = Mesh::new("quadruped", &positions, &triangles).unwrap();
        let count = mesh.triangles().len() as u32;
        let (some, rest) =
            (TriangleStats::new(&mesh, 0..count / 3), TriangleStats::new(&mesh, count / 3..count));
        let all = TriangleStats::new(&mesh, 0..count);
        for measure in [Measure::Aligned, Measure::Oriented, Measure::Round] {
            let mut joined = some.clone();
            joined.join(&rest);
            let [joint, of_joined, whole] =
                [some.joint_size(&rest, measure), joined.size(measure), all.size(measure)];
            for k in 0..2 {
                assert!((joint[k] / whole[k] - 1.0).abs() < 1e-5, "{measure:?}");
                assert!((of_joined[k] / whole[k] - 1.0).abs() < 1e-5, "{measure:?}");
            }
        }
        let corners: Vec<_> = (0..count).map(|t| mesh.corners_about(t, mesh.bounds().center())).collect();
        let half = Obb::fit(&corners, &ObbFit::Smaller).half.as_dvec3();
        let share =
            all.size(Measure::Oriented)[1] / (4.0 * (half.x * half.y + half.y * half.z + half.z * half.x));
        assert!((0.8..1.001).contains(&share), "{share}");
    }
}
