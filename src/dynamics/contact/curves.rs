//! Two smooth surfaces that touch: the place, the normal and the gap as the bodies move.
//!
//! One surface is a face: a foot with a normal, which turns along the surface by its curvature. The other
//! is a point, which moves over its surface by its radii as the direction of contact turns. Where the two
//! are nearest, the face's normal is opposite to the direction out of the other body. To first order in
//! the motion this is a linear system for the turn of the normal.
//!
//! ```text
//!        ___  point, direction out of its body: down
//!       (   )
//!        ‾•‾
//!     .---+---.     foot, normal: up
//!   .´         `.
//! ```

use glam::{DMat3, DQuat, DVec3};

use super::point::{Contact, Round};
use crate::arrays::MapEach;
use crate::pose::Pose;

/// Largest turn of the normal, rad (20°), that is known from the curvature at one place.
const MOST_TURN: f64 = 0.35;
/// Least determinant of the system for the turn. Nearly equal curvatures, as of a pin in a tight bore, leave
/// the place of the contact to the last digits of the radii.
const LEAST_DETERMINANT: f64 = 0.02;

/// Share of the face's radius up to which a gap counts as none.
const NEAR: f64 = 0.01;

/// Two smooth surfaces near a contact.
#[derive(Clone, Copy, Debug)]
pub struct Curves {
    /// Point on the face, space of its body, m.
    foot: DVec3,
    /// Unit normal out of the face, space of its body.
    normal: DVec3,
    /// Point on the other surface, space of the other body, m.
    point: DVec3,
    /// Curvature of the face, and radii at the point.
    round: Round,
}

/// Place at which two smooth surfaces touch, or are nearest.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Unit normal from a to b, world.
    pub normal: DVec3,
    /// Points on a and on b, world, m.
    pub points: [DVec3; 2],
    /// Distance of the surfaces along the normal, m.
    pub gap: f64,
    /// Unit direction out of the face, in the space of its body.
    out_of_face: DVec3,
    /// Unit direction out of the body of the point, in its space.
    outward: DVec3,
}

/// Place at which two smooth surfaces are nearest, in the space of the face's body.
struct Nearest {
    /// Unit normal of the face.
    normal: DVec3,
    /// Point on the other surface, m.
    point: DVec3,
    /// Distance of the surfaces along the normal, m.
    gap: f64,
}

impl Curves {
    /// Makes the surfaces from a foot and a normal of the face, in the space of its body, and the point in
    /// the space of the other body.
    pub fn new(foot: DVec3, normal: DVec3, point: DVec3, round: Round) -> Self {
        Self { foot, normal, point, round }
    }

    /// Returns the surfaces at a contact, for the poses at which it was found.
    pub fn of(contact: &Contact, [a, b]: [&Pose; 2]) -> Self {
        let (point, foot, face, out) = if contact.round.point_is_of_a {
            (contact.point_a, contact.point_b, b, -contact.normal)
        } else {
            (contact.point_b, contact.point_a, a, contact.normal)
        };
        Self { foot, normal: face.inverse_transform_vector(out), point, round: contact.round }
    }

    /// Returns the place at which the surfaces touch at other poses of the bodies; `None` if their curvatures
    /// do not tell it.
    pub fn touch(&self, [a, b]: [&Pose; 2]) -> Option<Touch> {
        let (face, other) = if self.round.point_is_of_a { (b, a) } else { (a, b) };
        let bend = self.round.bend;
        if bend == DMat3::ZERO {
            return Some(self.touch_of_flat(face, other));
        }
        let there = other.relative_to(face);
        let near = self.nearest(&there, 0.0)?;
        let curvature = bend.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
        let near = if near.gap.abs() * curvature > NEAR { self.nearest(&there, near.gap)? } else { near };
        let Nearest { normal, point, gap } = near;
        let [on_face, on_point] = [point - gap * normal, point].map_each(|p| face.transform_point(p));
        let out = face.transform_vector(normal);
        let outward = other.inverse_transform_vector(-out);
        Some(self.touch_at([on_face, on_point], out, gap, [normal, outward]))
    }

    /// Returns where the surfaces are nearest if their distance is about `gap`, m: across a gap, the foot
    /// moves farther along the face than the point. `there`: pose of the other body in the space of the
    /// face's body.
    fn nearest(&self, there: &Pose, gap: f64) -> Option<Nearest> {
        let Round { radii, outward, bend, .. } = self.round;
        let turn = there.rotation_matrix();
        let (start, out) = (there.transform_point(self.point), turn * outward);
        let radii = turn * radii * turn.transpose();
        let system = DMat3::IDENTITY + bend * (radii + DMat3::from_diagonal(DVec3::splat(gap)));
        if system.determinant().abs() < LEAST_DETERMINANT {
            return None;
        }
        let turned = system.inverse() * (bend * (start - self.foot - radii * (self.normal + out)));
        let length = (self.normal + turned).length();
        if !turned.is_finite() || turned.length_squared() > MOST_TURN * MOST_TURN {
            return None;
        }
        let normal = (self.normal + turned) / length;
        let rolled = Round { radii, outward: out, ..self.round };
        let point = if radii == DMat3::ZERO { start } else { start + rolled.roll(-normal) };
        let way = point - self.foot;
        // The surface falls off from the tangent plane. Exact for spheres and cylinders.
        let fall = turned.dot(way - gap * turned) / (length * length * (1.0 + self.normal.dot(normal)));
        Some(Nearest { normal, point, gap: normal.dot(way) - fall })
    }

    /// Returns the place at which a point touches a flat face.
    fn touch_of_flat(&self, face: &Pose, other: &Pose) -> Touch {
        let out = face.transform_vector(self.normal);
        let outward = other.inverse_transform_vector(-out);
        let on_point = other.transform_point(self.point + self.round.roll(outward));
        let gap = out.dot(on_point - face.transform_point(self.foot));
        self.touch_at([on_point - gap * out, on_point], out, gap, [self.normal, outward])
    }

    /// Returns a touch at points on the face and on the other surface. `out`: normal of the face, world.
    /// `outs`: normals of both surfaces, each in the space of its body.
    fn touch_at(&self, [on_face, on_point]: [DVec3; 2], out: DVec3, gap: f64, outs: [DVec3; 2]) -> Touch {
        let [out_of_face, outward] = outs;
        let (normal, points) =
            if self.round.point_is_of_a { (-out, [on_point, on_face]) } else { (out, [on_face, on_point]) };
        Touch { normal, points, gap, out_of_face, outward }
    }

    /// Returns whether the face is flat, so that the normal moves with its body.
    pub fn has_flat_face(&self) -> bool {
        self.round.bend == DMat3::ZERO
    }

    /// Returns the curvature of the face and the radii at the point, at a place at which they touch.
    pub fn round_at(&self, touch: &Touch) -> Round {
        Round {
            radii: along(self.round.radii, self.round.outward, touch.outward),
            outward: touch.outward,
            bend: along(self.round.bend, self.normal, touch.out_of_face),
            ..self.round
        }
    }
}

/// Returns the curvature or the radii of a surface where its normal is `to`, from those where it is `from`.
fn along(bends: DMat3, from: DVec3, to: DVec3) -> DMat3 {
    if bends == DMat3::ZERO || from == DVec3::ZERO {
        return bends;
    }
    let turn = DMat3::from_quat(DQuat::from_rotation_arc(from, to));
    turn * bends * turn.transpose()
}

impl Contact {
    /// Moves a contact to a place at which its smooth surfaces touch, at the given poses of the bodies.
    pub fn move_to(&mut self, curves: &Curves, touch: &Touch, [a, b]: [&Pose; 2]) {
        self.normal = touch.normal;
        self.point_a = a.inverse_transform_point(touch.points[0]);
        self.point_b = b.inverse_transform_point(touch.points[1]);
        self.round = curves.round_at(touch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the projection onto the plane across a direction.
    fn projection(direction: DVec3) -> DMat3 {
        let d = direction;
        DMat3::IDENTITY - DMat3::from_cols(d.x * d, d.y * d, d.z * d)
    }

    /// Returns the contact of a sphere b of radius `point` over a sphere a of radius `face`, negative if it
    /// is hollow, which meet along y.
    fn spheres(face: f64, point: f64) -> Contact {
        let across = projection(DVec3::Y);
        let round =
            Round { radii: point * across, outward: DVec3::NEG_Y, bend: across / face, ..Round::SHARP };
        Contact {
            key: super::super::point::FeatureKey(0),
            point_a: DVec3::Y * face,
            point_b: DVec3::NEG_Y * point,
            normal: DVec3::Y,
            separation: 0.0,
            normal_impulse: 0.0,
            friction_impulse: DVec3::ZERO,
            inset: DVec3::ZERO,
            turning_impulse: DVec3::ZERO,
            age: 0,
            orphaned_for: 0,
            is_held: false,
            round,
        }
    }

    /// Moves and turns spheres on, in and over each other: the normal points from center to center. The
    /// errors are of second order in the turns. A gap used to turn the normal too far by its share of the
    /// radii.
    #[test]
    fn spheres_touch_between_their_centers() {
        for (face, point) in [(1.0, 0.5), (1.0, 3.0), (-1.0, 0.4)] {
            let contact = spheres(face, point);
            let start = DVec3::Y * (face + point);
            for (step, turn, apart) in
                [(0.0, 0.05, 1e-4), (0.02, 0.0, 1e-4), (0.02, -0.05, 1e-4), (0.02, -0.05, 0.1)]
            {
                let a = Pose::new(DQuat::from_rotation_x(turn), DVec3::new(2.0, 0.0, 1.0));
                let way = DVec3::new(step, apart * (face + point).signum(), -0.5 * step);
                let b = Pose::new(DQuat::from_rotation_z(0.7 * turn), start + way + a.position);
                let at_start = [Pose::IDENTITY, Pose::from_position(start)];
                let curves = Curves::of(&contact, at_start.each_ref());
                let touch = curves.touch([&a, &b]).unwrap();
                let side = (face + point).signum();
                let between = (b.position - a.position) * side;
                let off = touch.normal.distance(between.normalize());
                assert!(off < 1e-3, "{face} {point}, {step} m, {turn} rad: {off} rad");
                let gap = between.length() - (face + point) * side;
                let off = (touch.gap - gap * side).abs();
                assert!(off < 2e-5, "{face} {point}, {step} m, {turn} rad: {off} m of {gap}");
            }
        }
    }
}
