//! Crowds: too many bodies close together. The number of near pairs grows with the square of the number
//! of bodies. So the pairs are counted before a world is made, and a scene that begins with too many is
//! rejected.

use super::World;
use super::error::{Crowd, WorldError};
use crate::arrays::MapEach;
use crate::check::Meeting;
use crate::import::limits::{PAIRS, PAIRS_PER_BODY};
use crate::scene::Scene;
use crate::volume::Aabb;

/// Largest number of compared pairs of boxes at the start; comparing them takes half a second. If these
/// do not contain too many overlaps, the scene is accepted.
const COMPARED: u64 = 1 << 28;
/// Largest number of pairs of overlapping boxes, including those that never collide, per allowed
/// colliding pair. A pair that never collides costs little.
const PASSING_BY: usize = 16;

/// Returns the largest number of near pairs that a scene may begin with.
fn start_limit(body_count: usize) -> usize {
    PAIRS + PAIRS_PER_BODY * body_count
}

impl World {
    /// Tests that the scene does not begin with more pairs of near bodies than a step can search.
    /// Returns an error if it does.
    pub(super) fn check_crowd(&self, scene: &Scene) -> Result<(), WorldError> {
        let states = &self.bodies.states;
        let limit = start_limit(states.len());
        if states.len().pow(2) / 2 <= limit {
            return Ok(());
        }
        let bounds = |body: usize| {
            let mesh = self.bodies.infos[body].mesh?;
            Some((body as u32, self.meshes[mesh as usize].bounds().transformed(&states[body].pose)))
        };
        let mut boxes: Vec<(u32, Aabb)> = (0..states.len()).filter_map(bounds).collect();
        let axis = widest_axis(&boxes);
        boxes.sort_by(|x, y| x.1.min[axis].total_cmp(&y.1.min[axis]));
        let mut neighbor_counts = vec![0u32; states.len()];
        let (mut compared, mut pair_count, mut passing_count) = (0, 0, 0);
        for (at, (a, box_a)) in boxes.iter().enumerate() {
            for (b, box_b) in boxes[at + 1..].iter().take_while(|(_, b)| b.min[axis] <= box_a.max[axis]) {
                compared += 1;
                if compared > COMPARED {
                    return Ok(());
                }
                if !box_a.overlaps(box_b) || self.is_one_figure(*a, *b) {
                    continue;
                }
                passing_count += 1;
                neighbor_counts[*a as usize] += 1;
                neighbor_counts[*b as usize] += 1;
                pair_count += usize::from(self.pairs.pairing.meeting(*a, *b) != Meeting::Apart);
                if pair_count > limit || passing_count > PASSING_BY * limit {
                    let moving = (0..neighbor_counts.len()).filter(|&body| states[body].is_dynamic());
                    let most = moving.max_by_key(|&body| neighbor_counts[body]);
                    let body = most.unwrap_or_default();
                    let neighbor_count = neighbor_counts[body];
                    let body = scene.bodies[body].name.clone();
                    return Err(WorldError::Crowd(Crowd { body, neighbor_count, limit }));
                }
            }
        }
        Ok(())
    }

    fn is_one_figure(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map_each(|body| self.figure_links[body as usize].map(|link| link.figure));
        a.is_some() && a == b
    }
}

/// Returns the axis along which the lower ends of the boxes are spread most widely.
fn widest_axis(boxes: &[(u32, Aabb)]) -> usize {
    let spread = |axis: usize| {
        let ends = || boxes.iter().map(|(_, b)| b.min[axis]).filter(|x| x.is_finite());
        ends().fold(f32::NEG_INFINITY, f32::max) - ends().fold(f32::INFINITY, f32::min)
    };
    (0..3).max_by(|&x, &y| spread(x).total_cmp(&spread(y))).unwrap_or_default()
}
