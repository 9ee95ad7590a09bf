//! Positions that lose digits. The coordinates in a file have 32 bits, which are too few for a small
//! part far from the origin.

use glam::{DVec3, Vec3};

use super::parts::{Part, Parts};
use crate::digits::grouped;
use crate::mesh::Mesh;
use crate::pose::Pose;

/// Harmless error, as a share of a part's diagonal. Up to this error, a reader finds the same
/// triangles, because it welds vertices that are this near anyway.
const HARMLESS_SHARE: f64 = 1e-6;
/// Error, as a share of a part's diagonal, beyond which the loss is always reported.
const SAID_SHARE: f64 = 1e-5;

/// Describes the detail that the parts lose, if any. `keeps_places` tells whether the file stores a
/// pose per part, so that the part's vertices are written unchanged.
pub(super) fn loss(parts: &Parts, keeps_places: bool) -> Option<String> {
    let mut count = 0;
    let mut worst = (0.0, 0.0, "");
    for part in &parts.all {
        let size = part.mesh.bounds().size().as_dvec3().length();
        let error = if keeps_places { rounding(part.pose.position) } else { coordinate_rounding(part) };
        if error > SAID_SHARE * size
            || !keeps_places && error > HARMLESS_SHARE * size && loses_triangles(part)
        {
            count += 1;
            if error / size > worst.0 {
                worst = (error / size, error, part.name.as_str());
            }
        }
    }
    let (_, error, name) = worst;
    let what = if keeps_places { "places" } else { "vertices" };
    (count > 0).then(|| {
        format!(
            "detail far from the origin: the {what} of {} parts are rounded, most of {name:?}, by up to {error:.1e} m; \
             --origin X,Y,Z near a part keeps more",
            grouped(count)
        )
    })
}

/// Returns whether a reader of the file finds fewer triangles with an area than the part has.
fn loses_triangles(part: &Part) -> bool {
    let written: Vec<Vec3> = part.placed().collect();
    let triangles = part.mesh.triangles();
    Mesh::new("", &written, triangles).map_or(0, |read| read.triangles().len()) < triangles.len()
}

/// Returns the largest distance along an axis between a vertex of a part and the vertex as written, m.
fn coordinate_rounding(part: &Part) -> f64 {
    if part.pose == Pose::IDENTITY {
        return 0.0;
    }
    let places = part.mesh.vertices().iter().map(|v| part.pose.transform_point(v.as_dvec3()));
    places.map(rounding).fold(0.0, f64::max)
}

fn rounding(place: DVec3) -> f64 {
    (place - place.as_vec3().as_dvec3()).abs().max_element()
}
