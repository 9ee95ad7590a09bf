//! The run that is looked at and not timed: all contenders step together, and after every step their bodies
//! are compared with those of the first. It also warms what the timed runs use.

use glam::DVec3;

use super::displacement::{displacement, sizes};
use super::observed::Observed;
use super::overlap::OverlapMeter;
use super::result::{Deepest, Loss, Lost, Parting};
use crate::arrays::MapEach;
use crate::body::{Activity, Bodies, Motion};
use crate::scene::Scene;
use crate::volume::Aabb;
use crate::world::articulated;

/// Faster than this a body moves, m/s: where tumble lets bodies fall asleep.
const MOVING: f64 = 0.02;
/// Share of its size by which a body must be elsewhere to have parted.
const PARTED: f64 = 0.01;
/// What has no surface, or a smaller one, counts as so large, m.
const SMALL: f64 = 1e-3;
/// How often the deviation of every body is kept.
const TRACKED: u32 = 100;
/// The share of the steps at the end over which shivering is measured.
const TAIL: u32 = 10;

/// Steps all contenders together and fills their results with all but times.
pub struct Observer<'a> {
    scene: &'a Scene,
    steps: u32,
    meter: OverlapMeter,
    /// Against gravity, and the height below which a body has fallen, m.
    floor: Option<(DVec3, f64)>,
    /// Half the diagonal of a body's bounds, m.
    sizes: Vec<f64>,
}

impl<'a> Observer<'a> {
    pub fn new(scene: &'a Scene, steps: u32) -> Self {
        Self { scene, steps, meter: OverlapMeter::new(scene), floor: floor(scene), sizes: sizes(scene) }
    }

    /// Measures the overlap of every contender where it is now.
    pub fn sample(&mut self, step: u32, all: &mut [Observed]) {
        for one in all.iter_mut().filter(|one| one.is_there()) {
            let deepest = self.meter.deepest(self.scene, one.engine.bodies());
            let depth = deepest.map_or(0.0, |d| d.depth);
            one.result.overlap.push(depth);
            if let Some(overlap) =
                deepest.filter(|d| d.depth > one.result.deepest.as_ref().map_or(0.0, |d| d.depth))
            {
                let bodies = overlap.bodies.map(|b| self.scene.bodies[b as usize].name.clone());
                one.result.deepest = Some(Deepest { step, bodies, depth });
            }
        }
    }

    /// Takes a step (from 1) with every contender that has one; whether there was any.
    pub fn step(&mut self, step: u32, all: &mut [Observed]) -> bool {
        let is_any = all.iter().any(Observed::is_there);
        for one in all.iter_mut().filter(|one| one.is_there()) {
            if one.step(self.scene) {
                self.note(step, one);
            }
        }
        let Some((first, others)) = all.split_first_mut().filter(|(first, _)| first.is_there()) else {
            return is_any;
        };
        for other in others.iter_mut().filter(|one| one.is_there()) {
            self.compare(step, first.engine.bodies(), other);
        }
        is_any
    }

    /// How a contender's bodies moved in a step, and which are lost.
    fn note(&self, step: u32, one: &mut Observed) {
        let bodies = one.engine.bodies();
        let dt = self.scene.config.dt;
        let (mut fastest, mut sum, mut count) = (0.0_f64, 0.0, 0_u32);
        for (index, (state, before)) in bodies.states.iter().zip(&one.before).enumerate() {
            if !state.is_dynamic() {
                continue;
            }
            let speed = displacement(&state.pose, before, state.center, self.sizes[index]) / dt;
            (fastest, sum, count) = (fastest.max(speed), sum + speed, count + 1);
            let lost = if state.activity == Activity::Quarantined {
                Some(Loss::NotFinite)
            } else {
                let is_low = self.floor.is_some_and(|(up, low)| up.dot(state.world_center()) < low);
                is_low.then_some(Loss::Fell)
            };
            let name = &self.scene.bodies[index].name;
            match (lost, one.is_lost[index]) {
                (Some(how), false) => one.result.lost.push(Lost { body: name.clone(), step, how }),
                // It was held after all.
                (None, true) => one.result.lost.retain(|lost| lost.body != *name),
                _ => continue,
            }
            one.is_lost[index] = lost.is_some();
        }
        if fastest > MOVING {
            one.last_moving = step;
        }
        if step > self.steps - self.steps.div_ceil(TAIL) {
            one.tail = (one.tail.0 + sum / f64::from(count.max(1)), one.tail.1 + 1);
        }
        one.before.clear();
        one.before.extend(bodies.states.iter().map(|s| s.pose));
        one.result.state_hash = format!("{:016x}", one.engine.state_hash());
        one.result.rest.since = (one.last_moving < step).then_some(one.last_moving);
        one.result.rest.shiver = (one.tail.1 > 0).then(|| one.tail.0 / f64::from(one.tail.1));
    }

    /// Whether the deviation of every body is kept after a step.
    pub fn is_tracked(&self, step: u32) -> bool {
        step.is_multiple_of(self.steps.div_ceil(TRACKED).max(1)) || step == self.steps
    }

    /// How far a contender's bodies are from those of the first.
    fn compare(&self, step: u32, first: &Bodies, other: &mut Observed) {
        let bodies = other.engine.bodies();
        let mut all = Vec::with_capacity(bodies.states.len());
        let mut different: Option<(usize, f64)> = None;
        let mut parted = different;
        for (index, (own, its)) in bodies.states.iter().zip(&first.states).enumerate() {
            let distance =
                displacement(&own.pose, &its.pose, own.center, self.sizes[index]).min(f64::from(f32::MAX));
            all.push(distance);
            if own.pose != its.pose && different.is_none_or(|(_, most)| distance > most) {
                different = Some((index, distance));
            }
            if distance > PARTED * self.sizes[index].max(SMALL)
                && parted.is_none_or(|(_, most)| distance > most)
            {
                parted = Some((index, distance));
            }
        }
        let name = |body: u32| self.scene.bodies[body as usize].name.clone();
        let parting = |(body, distance): (usize, f64)| Parting {
            step,
            body: name(body as u32),
            touching: other.engine.touched(body as u32).map(name),
            distance,
        };
        if other.result.first_difference.is_none() {
            other.result.first_difference = different.map(parting);
        }
        if other.result.parting.is_none() {
            other.result.parting = parted.map(parting);
        }
        if self.is_tracked(step) {
            for (track, &distance) in other.tracks.iter_mut().zip(&all) {
                track.push(distance as f32);
            }
        }
        let deviation = &mut other.result.deviation;
        deviation.farthest.push(all.iter().copied().fold(0.0, f64::max));
        let middle = all.len() / 2;
        let middle = if all.is_empty() { 0.0 } else { *all.select_nth_unstable_by(middle, f64::total_cmp).1 };
        deviation.middle.push(middle);
    }
}

/// The height, against gravity, that nothing can be below: the lowest corner of the scene, less as much as
/// the largest that moves is long, alone or with what joints and figures hold together.
fn floor(scene: &Scene) -> Option<(DVec3, f64)> {
    let up = (-scene.gravity).try_normalize()?;
    let bounds = |body: usize| {
        let def = &scene.bodies[body];
        def.mesh.map_or(Aabb::EMPTY, |mesh| scene.meshes[mesh as usize].bounds().transformed(&def.pose))
    };
    let union =
        |bodies: &mut dyn Iterator<Item = usize>| bodies.fold(Aabb::EMPTY, |all, b| all.union(&bounds(b)));
    let is_moved = |&body: &usize| scene.bodies[body].motion == Motion::Dynamic;
    let all = union(&mut (0..scene.bodies.len()));
    let alone = (0..scene.bodies.len()).filter(is_moved).map(bounds);
    let held =
        articulated(scene).into_iter().map(|(members, ..)| union(&mut members.iter().map(|&b| b as usize)));
    let lengths = alone.chain(held).filter(|bounds| !bounds.is_empty()).map(|b| f64::from(b.diagonal()));
    let longest = lengths.reduce(f64::max)?;
    let [low, high] = [all.min, all.max].map_each(|corner| corner.as_dvec3() * up);
    Some((up, low.min(high).element_sum() - longest))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::body::BodyState;
    use crate::generate;
    use crate::lab::compare::engine::{Engine, Own};
    use crate::lab::compare::error::CompareError;
    use crate::lab::compare::result::ContenderResult;
    use crate::mesh::Mesh;
    use crate::scene::BodyDef;
    use crate::timing::Timings;
    use crate::world::{Measures, StepCounts};

    /// The program's own world, but for what a step does to one body.
    struct Spoiled {
        own: Own,
        bodies: Bodies,
        step: u32,
        spoil: fn(u32, &mut BodyState),
    }

    impl Engine for Spoiled {
        fn step(&mut self) -> Option<Timings> {
            self.step += 1;
            self.own.step()
        }

        fn observe(&mut self) -> Result<(), CompareError> {
            self.bodies = self.own.bodies().clone();
            (self.spoil)(self.step, &mut self.bodies.states[1]);
            Ok(())
        }

        fn bodies(&self) -> &Bodies {
            &self.bodies
        }

        fn record(&self) -> (StepCounts, Measures) {
            self.own.record()
        }
    }

    /// A ball that falls on a plate, observed for ten steps in the program's own world and in a spoiled one.
    fn observed(spoil: fn(u32, &mut BodyState)) -> [ContenderResult; 2] {
        let mut scene = Scene::new("ball");
        let mut add = |name: &str, (positions, triangles): generate::Triangles| {
            scene.add_mesh(Mesh::new(name, &positions, &triangles).unwrap())
        };
        let plate = add("plate", generate::cuboid(glam::Vec3::new(2.0, 0.2, 2.0), 2.0));
        let ball = add("ball", generate::sphere(0.1, 12));
        let bodies = [
            BodyDef::fixed(&scene, plate),
            BodyDef::dynamic(&scene, ball, 1000.0).at(DVec3::new(0.0, 1.0, 0.0)),
        ];
        for body in bodies {
            scene.add_body(body);
        }
        scene.config.threads = 1;
        let own = || Own::new(&scene, &Arc::default()).unwrap();
        let spoiled = Spoiled { own: own(), bodies: Bodies::default(), step: 0, spoil };
        let engines: [Box<dyn Engine>; 2] = [Box::new(own()), Box::new(spoiled)];
        let start = |engine| Observed::new(engine, ContenderResult::default(), None).unwrap();
        let mut all = engines.map(start);
        let mut observer = Observer::new(&scene, 10);
        for step in 1..=10 {
            assert!(observer.step(step, &mut all));
        }
        all.map(|one| one.finish(&scene, 10).result)
    }

    #[test]
    fn a_body_that_is_moved_by_a_nanometre_is_named_with_its_step() {
        let [_, result] = observed(|step, state| {
            if step >= 5 {
                state.pose.position.x += 1e-9;
            }
        });
        let first = result.first_difference.unwrap();
        assert_eq!((first.step, first.body.as_str()), (5, "ball.0"));
        assert!((first.distance - 1e-9).abs() < 1e-15, "{}", first.distance);
        assert_eq!((result.parting, result.deviation.farthest[3]), (None, 0.0));
        assert_eq!(result.deviation.bodies["ball.0"].len(), 10);
        assert!(!result.deviation.bodies.contains_key("plate.0"), "it cannot move");
    }

    #[test]
    fn a_pose_that_is_no_number_ends_a_contender_and_leaves_the_others() {
        let [own, result] = observed(|step, state| {
            if step == 4 {
                state.pose.position.y = f64::NAN;
            }
        });
        let ended = result.ended.unwrap();
        assert_eq!((ended.step, ended.reason.contains("\"ball.0\" is not finite")), (3, true));
        let lost = Lost { body: "ball.0".to_owned(), step: 4, how: Loss::NotFinite };
        assert_eq!((result.lost, result.energy.len(), own.energy.len()), (vec![lost], 3, 10));
        assert_eq!(own.ended, None);
    }

    #[test]
    fn what_falls_out_is_lost_unless_it_comes_back() {
        let [_, result] = observed(|step, state| {
            if step >= 6 {
                state.pose.position.y = -50.0;
            }
        });
        assert_eq!(result.lost, [Lost { body: "ball.0".to_owned(), step: 6, how: Loss::Fell }]);
        let [_, result] = observed(|step, state| {
            if step == 6 {
                state.pose.position.y = -50.0;
            }
        });
        assert_eq!(result.lost, []);
    }
}
