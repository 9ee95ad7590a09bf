//! `parts-query`: time and node tests of plain and guided hierarchies, for instances of a mesh that fly
//! through each other. All pairs are queried in every step. \[simplify\] §6, Tables 2 and 3
//!
//! Pairs of instances whose boxes overlap are found once per step, for all contenders.

use std::time::Instant;

use super::matched::Matcher;
use super::report::{Report, Setting};
use super::room::{Density, Room};
use super::{contenders, models};
use crate::arrays::MapEach;
use crate::broad::{BroadPhase, BroadPhaseKind, Pair};
use crate::experiment::{Experiment, Family, Takes};
use crate::fingerprint;
use crate::mesh::Mesh;
use crate::pair::Built;
use crate::pose::Pose;
use crate::query::{find_intersections, surfaces_intersect};
use crate::tree::{Counts, DescentScratch, SplitRule, Tree, TreeKind};
use crate::turns::{REPEATS, Times, turns};
use crate::{ExperimentError, Findings, Options, Query, Watch};

pub const EXPERIMENT: Experiment = Experiment {
    name: "parts-query",
    about: "many instances in a room, with plain and guided hierarchies",
    item: Some("[simplify] Tables 2, 3"),
    family: Family::Meshes,
    takes: Takes { meshes: true, query: Some(Query::AS_BUILT), ..Takes::NOTHING },
    run,
};

/// Number of steps that a contender processes before the next contender takes its turn.
pub(super) const BLOCK: usize = 20;
const SEED: u64 = 1;

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let step_count = options.steps(200, 5000) as usize;
    let query = options.query();
    let mut report = Report::new(query, step_count);
    let contenders = contenders(options);
    for model in models(options) {
        let model = model?;
        let mesh = &model.mesh;
        watch(&format!("{}: building", mesh.name()));
        let trees: Vec<Built> = contenders.iter().map(|build| build(mesh)).collect();
        // The topmost volume that determines the room does not depend on the compared trees.
        let volume = Tree::build(TreeKind::OBB, SplitRule::Binned, mesh).root_volume();
        if volume <= 0.0 {
            report.note(format!("{}: left out, because it has no volume to fill a room with", mesh.name()));
            continue;
        }
        let instance_count = model.instance_count();
        let room = |side| Room::new(mesh.bounds(), instance_count, side, SEED);
        let matcher = model.paper.map(|paper| (paper, Matcher::new(mesh, step_count)));
        let mut filled = Vec::new();
        for density in Density::ALL {
            watch(&format!("{}, {}: {instance_count} instances", mesh.name(), density.name()));
            let mut side = density.side(instance_count, volume);
            if let Some((paper, matcher)) = &matcher {
                let wanted = paper.queried(density).collisions_a_step();
                let matched = matcher.find(side, wanted, &room);
                let share = density.share() * (side / matched.side).powi(3);
                filled.push(format!("{} {share:.3} of the room, {matched}", density.name()));
                side = matched.side;
            }
            let answers = measure(mesh, &trees, || room(side), step_count, query);
            let setting = Setting { mesh, instance_count, density, paper: model.paper };
            report.add(&setting, &trees, &answers);
        }
        if !filled.is_empty() {
            report.note(format!("{}: root volumes fill {}", mesh.name(), filled.join("; ")));
        }
    }
    Ok(report.findings())
}

/// Results of one contender over all steps.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    pub times: Times,
    pub counts: Counts,
    /// Number of intersecting pairs of instances.
    pub colliding: u64,
    /// Number of intersecting pairs of triangles, or of instances if triangles are not queried.
    pub found: u64,
    /// Fingerprint of all answers in their order. It is equal for contenders with equal answers.
    pub fingerprint: u64,
}

/// Query whether two instances intersect in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    step: usize,
    pair: Pair,
    pub b_to_a: Pose,
}

/// Buffers that are reused for every block.
#[derive(Default)]
struct Scratch {
    descent: DescentScratch,
    /// Number of pairs found, per query.
    found: Vec<u32>,
    triangles: Vec<[u32; 2]>,
}

/// Runs all trees on the queries of all steps, in turns, with several repeats.
fn measure(
    mesh: &Mesh,
    trees: &[Built],
    start: impl Fn() -> Room,
    step_count: usize,
    query: Query,
) -> Vec<Answers> {
    let mut broad = BroadPhase::new(BroadPhaseKind::Hybrid, 1);
    let mut answers = vec![Answers::default(); trees.len()];
    let (mut world, mut scratch) = (start(), Scratch::default());
    let mut questions = Vec::new();
    let steps: Vec<usize> = (0..step_count).collect();
    let blocks: Vec<&[usize]> = steps.chunks(BLOCK).collect();
    for turn in turns(REPEATS, blocks.len(), trees.len()) {
        if turn.is_first && turn.block == 0 {
            world = start();
        }
        if turn.is_first {
            find_questions(blocks[turn.block], &mut world, &mut broad, &mut questions);
        }
        let own = &mut answers[turn.contender];
        if turn.block == 0 {
            // Only times accumulate over repeats, as the answers of all repeats are equal.
            *own = Answers { times: std::mem::take(&mut own.times), ..Answers::default() };
        }
        own.ask((&trees[turn.contender], mesh), query, (turn.block, &questions), &mut scratch);
    }
    answers
}

/// Finds the pairs of instances whose boxes overlap in the given steps, with their relative poses.
pub(super) fn find_questions(
    steps: &[usize],
    world: &mut Room,
    broad: &mut BroadPhase,
    questions: &mut Vec<Question>,
) {
    let (mut boxes, mut poses, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    questions.clear();
    for &step in steps {
        boxes.clear();
        boxes.extend(world.boxes());
        poses.clear();
        poses.extend(world.poses());
        broad.update(&boxes);
        broad.pairs(&mut pairs);
        questions.extend(pairs.iter().map(|&pair| {
            let [a, b] = [pair.a, pair.b].map_each(|i| poses[i as usize]);
            Question { step, pair, b_to_a: b.relative_to(&a) }
        }));
        world.step();
    }
}

impl Answers {
    /// Answers a block of queries, and adds its time and its results.
    fn ask(
        &mut self,
        (built, mesh): (&Built, &Mesh),
        query: Query,
        (block, questions): (usize, &[Question]),
        scratch: &mut Scratch,
    ) {
        let Scratch { descent, found, triangles } = scratch;
        let surfaces = [(&built.tree, mesh), (&built.tree, mesh)];
        found.clear();
        triangles.clear();
        let start = Instant::now();
        for Question { b_to_a, .. } in questions {
            let own = match query {
                Query::Any(order) => {
                    descent.order = order;
                    u32::from(surfaces_intersect(surfaces, b_to_a, descent, &mut self.counts))
                }
                Query::All => {
                    let before = triangles.len();
                    find_intersections(surfaces, b_to_a, descent, triangles, &mut self.counts);
                    (triangles.len() - before) as u32
                }
            };
            found.push(own);
        }
        self.times.add(block, start.elapsed());
        let mut rest = &triangles[..];
        for (question, &found) in questions.iter().zip(&*found) {
            self.colliding += u64::from(found > 0);
            self.found += u64::from(found);
            let Pair { a, b } = question.pair;
            for part in [question.step as u64, a.into(), b.into(), found.into()] {
                self.remember(part);
            }
            if query == Query::All {
                let (own, others) = rest.split_at(found as usize);
                self.remember(fingerprint::of_set(own.iter().copied()));
                rest = others;
            }
        }
    }

    fn remember(&mut self, part: u64) {
        self.fingerprint = fingerprint::after(self.fingerprint, part);
    }
}

#[cfg(test)]
mod tests {
    use super::super::paper::PaperModel;
    use super::*;
    use crate::plan::TreePlan;
    use crate::table::Cell;
    use crate::{Shape, pair};

    fn measured(query: Query) -> (Mesh, Vec<Built>, Vec<Answers>) {
        let mesh = Shape::Torus.mesh(300).unwrap();
        let kinds = [TreeKind::OBB, TreeKind::Boxtree8, TreeKind::BruteForce].map(TreePlan::from);
        let trees = pair::trees(&kinds, &[SplitRule::default()], &mesh);
        let side = Density::Dense.side(8, trees[0].tree.root_volume());
        let start = || Room::new(mesh.bounds(), 8, side, SEED);
        let answers = measure(&mesh, &trees, start, 50, query);
        (mesh, trees, answers)
    }

    #[test]
    fn hierarchies_find_what_brute_force_does_and_count_what_they_did() {
        let [any, as_built, all] = Query::ALL.map(|query| measured(query).2);
        for answers in [&any, &as_built, &all] {
            assert!(answers.iter().all(|a| a.fingerprint == answers[2].fingerprint && a.colliding > 50));
            assert!(answers.iter().all(|a| a.times.median() > 0.0 && a.counts.triangle_test_count > 0));
            assert!(answers.iter().all(|a| a.counts.node_test_count > 0));
        }
        assert_eq!(any[0].colliding, all[0].colliding);
        assert!(any[0].found == any[0].colliding && all[0].found > 2 * all[0].colliding);
        assert!(any[0].counts.node_test_count < as_built[0].counts.node_test_count);
        assert!(as_built[0].counts.node_test_count < all[0].counts.node_test_count);
    }

    /// Tests \[simplify\] Table 3: the ratio of the node tests of the paper's method to those of its
    /// RAPID, per model, and the geometric mean of this ratio over the five models with long parts.
    #[test]
    fn the_paper_s_guidance_saves_what_the_paper_says_on_long_parts_and_never_costs_any() {
        let options = Options { steps: Some(40), rules: vec![SplitRule::Principal], ..Options::default() };
        let rows = EXPERIMENT.run(&options, &mut |_| {}).unwrap().table.rows;
        let of = |model: &str| -> f64 {
            let own = |cell: &Cell, text: &str| matches!(cell, Cell::Text(own) if own.starts_with(text));
            let guided = "obb-principal+parts-always";
            let row = rows.iter().find(|r| own(&r[0], model) && own(&r[3], "normal") && own(&r[4], guided));
            let Cell::Number(ratio) = row.unwrap()[12] else { panic!("{model}") };
            ratio
        };
        for paper in PaperModel::ALL {
            let (own, name) = (of(paper.replica().name()), paper.name());
            let [plain, guided] = paper.queried(Density::Normal).nodes;
            assert!(own < 0.95, "{name}: {own}, the paper's {}", guided as f64 / plain as f64);
        }
        let long = of("with long parts");
        assert!((0.6..=0.74).contains(&long), "{long}; the paper's 0.68");
    }

    #[test]
    fn a_contender_that_answers_otherwise_is_named() {
        let (mesh, trees, mut answers) = measured(Query::default());
        let setting = Setting { mesh: &mesh, instance_count: 8, density: Density::Dense, paper: None };
        let mut report = Report::new(Query::default(), 50);
        report.add(&setting, &trees, &answers);
        answers[1].fingerprint ^= 1;
        report.add(&setting, &trees, &answers);
        let disagreements = report.findings().disagreements;
        assert_eq!(disagreements.len(), 1);
        let says = |text: &str| disagreements[0].contains(text);
        assert!(says("torus-300, dense: boxtree8 and obb answer differently"), "{}", disagreements[0]);
    }
}
