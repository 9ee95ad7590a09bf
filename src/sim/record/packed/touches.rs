//! Pairs of touching bodies, as items of a packed list.

use glam::DVec3;

use super::{Item, number, rounded};
use crate::arrays::{MapEach, from_each};
use crate::pose::Pose;
use crate::scene::{BodyDef, Scene};
use crate::world::{PairTouch, bodies_at_start, place_between};

/// Words per item: force, gap, push (3), friction (3), point on the lighter body in its space (3), and
/// the world vector from there to the point on the other body (3). Force and gap are floating-point
/// numbers. The vectors are integers in units of grains: fractions of the force, or of the body's size.
/// They hardly change while bodies hardly move, and relatively small components take few bytes.
pub(in crate::record) const WORDS: usize = 14;
/// Significant bits of the gap: a relative precision of 1 in 65,536.
const SIGNIFICANT: u32 = 16;
/// Number of grains per normal force, and per size of a body. Values are rounded to the nearest grain.
const GRAINS: f64 = 16_384.0;
const IS_IMPACT: u8 = 1;

/// Inverse mass per body of a scene, 1/kg, and the grain of positions on each body, m.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::record) struct Shapes {
    light: Vec<f64>,
    grain: Vec<f64>,
}

impl Shapes {
    pub fn new(scene: &Scene) -> Self {
        let light = bodies_at_start(scene).states.iter().map(|state| state.inverse_mass).collect();
        let reach = |body: &BodyDef| {
            let bounds = scene.meshes[body.mesh? as usize].bounds();
            Some(bounds.min.abs().max(bounds.max.abs()).as_dvec3().length())
        };
        let grain = |body: &BodyDef| reach(body).unwrap_or(1.0) / GRAINS;
        Self { light, grain: scene.bodies.iter().map(grain).collect() }
    }

    /// Returns whether b is lighter than a.
    fn is_b_lighter(&self, a: u32, b: u32) -> bool {
        self.light[b as usize] > self.light[a as usize]
    }
}

/// Converts touching pairs to items in the same order. `pose` returns the pose of a body at the end of
/// the step.
pub(in crate::record) fn touch_items(
    touching: &[PairTouch],
    shapes: &Shapes,
    pose: impl Fn(u32) -> Pose,
    items: &mut Vec<Item<WORDS>>,
) {
    items.clear();
    items.extend(touching.iter().map(|touch| {
        let [on_a, on_b] = [(touch.a, touch.places[0]), (touch.b, touch.places[1])]
            .map_each(|(body, place)| pose(body).transform_point(place));
        let (own, place, offset) = if shapes.is_b_lighter(touch.a, touch.b) {
            (touch.b, touch.places[1], on_a - on_b)
        } else {
            (touch.a, touch.places[0], on_b - on_a)
        };
        let mut words = [0; WORDS];
        words[0] = rounded(touch.force, 24);
        words[1] = rounded(touch.gap, SIGNIFICANT);
        let of_force = f64::from(touch.force as f32) / GRAINS;
        let of_body = shapes.grain[own as usize];
        for (vector, grain, at) in [
            (touch.push, of_force, 2),
            (touch.friction, of_force, 5),
            (place, of_body, 8),
            (offset, of_body, 11),
        ] {
            words[at..at + 3].copy_from_slice(&grains(vector, grain));
        }
        Item { key: [touch.a, touch.b, 0], flags: if touch.is_impact { IS_IMPACT } else { 0 }, words }
    }));
}

/// Rounds each component to an integer number of grains, saturating at 32 bits. A grain of 0 gives
/// zeros.
fn grains(vector: DVec3, grain: f64) -> [u32; 3] {
    vector.to_array().map_each(|value| if grain > 0.0 { (value / grain).round() as i32 as u32 } else { 0 })
}

/// Converts items to touching pairs. `poses` are the poses of the bodies at the end of the step.
///
/// # Errors
/// Fails if a body is missing, or a number is not finite.
pub(in crate::record) fn touches_of(
    items: &[Item<WORDS>],
    shapes: &Shapes,
    poses: &[Pose],
) -> Result<Vec<PairTouch>, String> {
    items.iter().map(|item| touch_of(item, shapes, poses)).collect()
}

/// Converts an item to a touching pair.
fn touch_of(item: &Item<WORDS>, shapes: &Shapes, poses: &[Pose]) -> Result<PairTouch, String> {
    let [a, b, _] = item.key;
    if a >= b || b as usize >= poses.len() {
        return Err("bodies that touch are missing".to_owned());
    }
    let [force, gap] = [number(item.words[0])?, number(item.words[1])?];
    if force < 0.0 {
        return Err("a force of contacts is below 0".to_owned());
    }
    let is_b_lighter = shapes.is_b_lighter(a, b);
    let (own, other) = if is_b_lighter { (b, a) } else { (a, b) };
    let vector = |grain: f64, at: usize| {
        grain * DVec3::from_array(from_each(|k| f64::from(item.words[at + k] as i32)))
    };
    let (of_force, of_body) = (force / GRAINS, shapes.grain[own as usize]);
    let (place, offset) = (vector(of_body, 8), vector(of_body, 11));
    let on_own = poses[own as usize].transform_point(place);
    let on_other = poses[other as usize].inverse_transform_point(on_own + offset);
    let places = if is_b_lighter { [on_other, place] } else { [place, on_other] };
    let bodies = [a, b].map_each(|body| (poses[body as usize], shapes.light[body as usize]));
    Ok(PairTouch {
        a,
        b,
        places,
        point: place_between(places, bodies),
        gap,
        force,
        push: vector(of_force, 2),
        friction: vector(of_force, 5),
        is_impact: item.flags & IS_IMPACT != 0,
    })
}
