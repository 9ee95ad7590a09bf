//! The section plane of a picture, as users write it: `x=12mm`, `-z=0`, `1,1,0=5mm`.

use glam::DVec3;

use crate::check::Length;
use crate::cli::kinds;
use crate::query::Plane;

/// Parses a direction and the position of the plane along this direction. The half space in this
/// direction is not shown. A minus before an axis swaps the half spaces, but it does not move the
/// plane.
pub fn plane(text: &str) -> Result<Plane, String> {
    let wrong = || {
        format!(
            "{text:?} is not a section: write an axis and a position, as in x=12mm or -z=-0.5cm, or a direction, \
             as in 1,1,0=5mm"
        )
    };
    let (direction, place) = text.split_once('=').ok_or_else(wrong)?;
    let place = signed(place.trim())?;
    let axis = |name: &str| match name {
        "x" | "X" => Some(DVec3::X),
        "y" | "Y" => Some(DVec3::Y),
        "z" | "Z" => Some(DVec3::Z),
        _ => None,
    };
    let direction = direction.trim();
    if let Some(normal) = axis(direction) {
        return Ok(Plane { normal, offset: place });
    }
    if let Some(normal) = direction.strip_prefix('-').and_then(axis) {
        return Ok(Plane { normal, offset: place }.flipped());
    }
    let normal = kinds::point(direction).map_err(|_| wrong())?;
    let normal = normal.try_normalize().ok_or_else(|| format!("{text:?}: 0,0,0 is not a direction"))?;
    Ok(Plane { normal, offset: place })
}

/// Parses a length that may be negative, m.
fn signed(text: &str) -> Result<f64, String> {
    match text.strip_prefix('-') {
        Some(rest) => rest.parse().map(|Length(meters)| -meters),
        None => text.parse().map(|Length(meters)| meters),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_has_an_axis_or_a_direction_and_a_place_with_a_unit() {
        let near = |text: &str, normal: DVec3, offset: f64| {
            let plane = plane(text).unwrap();
            assert!(
                plane.normal.distance(normal) < 1e-15 && (plane.offset - offset).abs() < 1e-15,
                "{plane:?}"
            );
        };
        near("x=12mm", DVec3::X, 0.012);
        near("Y = -2 cm", DVec3::Y, -0.02);
        near("-z=12mm", DVec3::NEG_Z, -0.012);
        near("-z=-12mm", DVec3::NEG_Z, 0.012);
        near("0,3,4=1m", DVec3::new(0.0, 0.6, 0.8), 1.0);
        near("x=0", DVec3::X, 0.0);
        for text in [
            "",
            "x",
            "x=",
            "w=1mm",
            "x=1",
            "x=NaNmm",
            "0,0,0=1mm",
            "1,2=1mm",
            "x=1e999m",
            "--x=1mm",
            "1,inf,0=1mm",
        ] {
            assert!(plane(text).is_err(), "{text}");
        }
    }
}
