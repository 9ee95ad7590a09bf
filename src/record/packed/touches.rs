//! Pairs of bodies that touch, as items of a packed list.

use glam::DVec3;

use super::{Item, number, rounded};
use crate::arrays::MapEach;
use crate::pose::Pose;
use crate::scene::Scene;
use crate::world::{PairTouch, bodies_at_start, place_between};

/// Words of an item: force, gap, push (3), friction (3), the place on the lighter body in its space (3), and
/// from there to the place on the other, world (3).
pub(in crate::record) const WORDS: usize = 14;
/// Significant bits of all words but the force: 1 part in 65,536.
const SIGNIFICANT: u32 = 16;
const IS_IMPACT: u8 = 1;

/// The inverse masses of a scene's bodies, 1/kg.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::record) struct Shapes {
    light: Vec<f64>,
}

impl Shapes {
    pub fn new(scene: &Scene) -> Self {
        Self { light: bodies_at_start(scene).states.iter().map(|state| state.inverse_mass).collect() }
    }

    /// Returns whether b is lighter than a.
    fn is_b_lighter(&self, a: u32, b: u32) -> bool {
        self.light[b as usize] > self.light[a as usize]
    }
}

/// Makes items of pairs that touch, in their order; `pose`: where bodies are at the end of the step.
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
        let (place, offset) = if shapes.is_b_lighter(touch.a, touch.b) {
            (touch.places[1], on_a - on_b)
        } else {
            (touch.places[0], on_b - on_a)
        };
        let mut words = [0; WORDS];
        words[0] = rounded(touch.force, 24);
        words[1] = rounded(touch.gap, SIGNIFICANT);
        for (vector, at) in [(touch.push, 2), (touch.friction, 5), (place, 8), (offset, 11)] {
            for k in 0..3 {
                words[at + k] = rounded(vector[k], SIGNIFICANT);
            }
        }
        Item { key: [touch.a, touch.b, 0], flags: if touch.is_impact { IS_IMPACT } else { 0 }, words }
    }));
}

/// Returns the pairs that touch; `poses`: where bodies are at the end of the step.
///
/// # Errors
/// If a body is missing, or a number is not finite.
pub(in crate::record) fn touches_of(
    items: &[Item<WORDS>],
    shapes: &Shapes,
    poses: &[Pose],
) -> Result<Vec<PairTouch>, String> {
    items.iter().map(|item| touch_of(item, shapes, poses)).collect()
}

fn touch_of(item: &Item<WORDS>, shapes: &Shapes, poses: &[Pose]) -> Result<PairTouch, String> {
    let [a, b, _] = item.key;
    if a >= b || b as usize >= poses.len() {
        return Err("bodies that touch are missing".to_owned());
    }
    let mut values = [0.0; WORDS];
    for (value, &word) in values.iter_mut().zip(&item.words) {
        *value = number(word)?;
    }
    if values[0] < 0.0 {
        return Err("a force of contacts is below 0".to_owned());
    }
    let vector = |at: usize| DVec3::from_slice(&values[at..at + 3]);
    let (place, offset) = (vector(8), vector(11));
    let is_b_lighter = shapes.is_b_lighter(a, b);
    let (own, other) = if is_b_lighter { (b, a) } else { (a, b) };
    let on_own = poses[own as usize].transform_point(place);
    let on_other = poses[other as usize].inverse_transform_point(on_own + offset);
    let places = if is_b_lighter { [on_other, place] } else { [place, on_other] };
    let bodies = [a, b].map_each(|body| (poses[body as usize], shapes.light[body as usize]));
    Ok(PairTouch {
        a,
        b,
        places,
        point: place_between(places, bodies),
        gap: values[1],
        force: values[0],
        push: vector(2),
        friction: vector(5),
        is_impact: item.flags & IS_IMPACT != 0,
    })
}
