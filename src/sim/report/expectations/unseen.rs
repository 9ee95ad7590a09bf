//! Pairs that an expectation names but no run ever tests, so that a run cannot decide about them.

use crate::check::{Meeting, Pairing};
use crate::digits::grouped;
use crate::scene::{NamedPair, Scene};

/// Largest number of pairs of bodies that are checked per expectation.
const MOST_PAIRS: usize = 1 << 20;

/// Pairs of an expectation that a run does not test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Unseen {
    /// Whether a run tests at least one pair; also true if `is_cut`.
    pub has_seen: bool,
    /// Number of pairs, among those that were checked, that a run does not test.
    pub count: usize,
    /// Whether the two names have more than [`MOST_PAIRS`] pairs, so that not all were checked.
    pub is_cut: bool,
    /// Names of the two bodies of one such pair.
    pub first: Option<[String; 2]>,
}

impl Unseen {
    /// Finds the untested pairs among all pairs of a body of the first name and another body of the
    /// second name.
    pub fn new(pair: &NamedPair, scene: &Scene, pairing: &Pairing) -> Self {
        let [first, second] = pair;
        // A pair of bodies that both match both names counts once.
        let is_pair = |a: u32, b: u32| a < b || (a > b && !(pair[0][b as usize] && pair[1][a as usize]));
        let of = |named: &[bool]| -> Vec<u32> {
            (0..).zip(named).filter(|(_, is_named)| **is_named).map(|(body, _)| body).collect()
        };
        let (first, second) = (of(first), of(second));
        let mut unseen = Self::default();
        let pairs = first.iter().flat_map(|&a| second.iter().map(move |&b| (a, b)));
        let mut pairs = pairs.filter(|&(a, b)| is_pair(a, b));
        for (a, b) in pairs.by_ref().take(MOST_PAIRS) {
            let is_seen = match pairing.meeting(a, b) {
                Meeting::Apart => false,
                Meeting::Sensor => pairing.trigger_and_body(a, b).is_some(),
                Meeting::Collide | Meeting::Permanent | Meeting::Fit { .. } => true,
            };
            unseen.has_seen |= is_seen;
            unseen.count += usize::from(!is_seen);
            if !is_seen && unseen.first.is_none() {
                unseen.first = Some([a, b].map(|body| scene.bodies[body as usize].name.clone()));
            }
        }
        unseen.is_cut = pairs.next().is_some();
        unseen.has_seen |= unseen.is_cut;
        unseen
    }

    /// Describes the untested pairs, and states if not all pairs were checked. Returns `None` if all
    /// pairs were checked and are tested.
    pub fn text(&self) -> Option<String> {
        let cut = format!("only {} pairs were checked", grouped(MOST_PAIRS as u64));
        let texts = self.named().into_iter().chain(self.is_cut.then_some(cut));
        texts.reduce(|all, text| format!("{all}; {text}"))
    }

    fn named(&self) -> Option<String> {
        let [a, b] = self.first.as_ref()?;
        let and_more = if self.count > 1 {
            format!(" and {} pairs more", grouped(self.count as u64 - 1))
        } else {
            String::new()
        };
        Some(format!("{a} – {b}{and_more} are never tested"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Motion;
    use crate::generate;
    use crate::mesh::Mesh;
    use crate::scene::BodyDef;
    use glam::Vec3;

    /// Returns the untested pairs of `count` static bodies that all match both names.
    fn of_static_bodies(count: usize) -> Unseen {
        let mut scene = Scene::new("blocks");
        let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
        let mesh = scene.add_mesh(Mesh::new("block", &positions, &triangles).unwrap());
        for _ in 0..count {
            let block = BodyDef { motion: Motion::Static, ..BodyDef::dynamic(&scene, mesh, 1000.0) };
            scene.add_body(block);
        }
        let all = vec![true; count];
        Unseen::new(&[all.clone(), all], &scene, &Pairing::new(&scene))
    }

    /// 1,100 names squared are more than the limit, but their 604,450 pairs are fewer.
    #[test]
    fn pairs_below_the_limit_are_all_checked() {
        let unseen = of_static_bodies(1100);
        assert_eq!((unseen.count, unseen.is_cut, unseen.has_seen), (604_450, false, false));
        assert!(unseen.text().unwrap().ends_with("and 604,449 pairs more are never tested"));
    }

    #[test]
    fn pairs_beyond_the_limit_are_reported_as_unchecked() {
        let unseen = of_static_bodies(1500);
        assert_eq!((unseen.count, unseen.is_cut, unseen.has_seen), (MOST_PAIRS, true, true));
        assert!(unseen.text().unwrap().ends_with("; only 1,048,576 pairs were checked"));
    }
}
