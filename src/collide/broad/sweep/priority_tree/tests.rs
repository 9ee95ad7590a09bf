//! Tests of the trees against a filtered `Vec`, and of their depth and cost.

use proptest::prelude::*;

use super::*;

fn interval(low: f32, high: f32) -> Interval {
    Interval { low, high }
}

/// Tree, and the intervals that should be in it.
#[derive(Default)]
struct Checked {
    trees: PriorityTrees,
    root: u32,
    stored: Vec<(Interval, u32)>,
}

impl Checked {
    fn of(intervals: impl IntoIterator<Item = Interval>) -> Self {
        let mut checked = Self::default();
        for (interval, id) in intervals.into_iter().zip(0..) {
            checked.insert(interval, id);
        }
        checked
    }

    fn insert(&mut self, interval: Interval, id: u32) {
        self.trees.insert(&mut self.root, interval, id);
        self.stored.push((interval, id));
    }

    fn remove_at(&mut self, place: usize) {
        let (interval, id) = self.stored.swap_remove(place);
        self.trees.remove(&mut self.root, interval, id);
    }

    fn ids(&self, query: Interval) -> Vec<u32> {
        let mut ids = Vec::new();
        self.trees.query(self.root, query, &mut |id| ids.push(id));
        ids.sort_unstable();
        ids
    }

    fn check(&self, query: Interval) {
        let hits = self.stored.iter().filter(|(i, _)| i.low <= query.high && query.low <= i.high);
        let mut expected: Vec<u32> = hits.map(|&(_, id)| id).collect();
        expected.sort_unstable();
        assert_eq!(self.ids(query), expected, "{query:?}");
    }

    /// Asserts the order of keys, ranks and winners, and that each point occurs once.
    fn check_structure(&self) {
        let mut held = Vec::new();
        self.collect(self.root, &mut held);
        let mut expected: Vec<(u32, u32)> =
            self.stored.iter().map(|(i, id)| (*id, i.low.to_bits())).collect();
        let mut points: Vec<(u32, u32)> = held.iter().map(|p| (p.id, p.low.to_bits())).collect();
        expected.sort_unstable();
        points.sort_unstable();
        assert_eq!(points, expected);
    }

    /// Adds the points in a subtree to `held`, and returns its keys in order.
    fn collect(&self, at: u32, held: &mut Vec<Point>) -> Vec<Point> {
        if at == NIL {
            return Vec::new();
        }
        let node = self.trees.nodes[at as usize];
        let mut below = Vec::new();
        let [mut keys, larger] = node.children.map(|child| {
            if child != NIL {
                assert!(rank(self.trees.nodes[child as usize].own.id) < rank(node.own.id));
            }
            self.collect(child, &mut below)
        });
        assert!(keys.iter().all(|key| node.side(key) == 0) && larger.iter().all(|key| node.side(key) == 1));
        below.extend(Some(node.own).filter(|own| !own.is_absent()));
        keys.push(node.own);
        keys.extend(larger);
        if node.winner.is_absent() {
            assert!(below.is_empty());
        } else {
            assert!(keys.iter().any(|key| key.id == node.winner.id));
            assert!(below.iter().all(|point| node.winner.low <= point.low));
            held.push(node.winner);
        }
        held.extend(below);
        keys
    }

    fn depth(&self, at: u32) -> usize {
        if at == NIL {
            0
        } else {
            1 + self.trees.nodes[at as usize].children.map(|c| self.depth(c)).into_iter().max().unwrap_or(0)
        }
    }
}

/// Returns a value in `0..count` that depends only on the arguments.
fn noise(i: u32, k: u32, count: u32) -> u32 {
    rank(i.wrapping_mul(31).wrapping_add(k)) % count
}

#[test]
fn agrees_with_a_filter_while_intervals_come_and_go() {
    // Few distinct coordinates make many ties.
    for coordinates in [3, 20, 1000] {
        let mut checked = Checked::default();
        for step in 0..1500 {
            let shrinking = step / 250 % 2 == 1;
            if checked.stored.is_empty() || noise(step, 0, 4) < if shrinking { 1 } else { 3 } {
                let low = noise(step, 1, coordinates) as f32;
                checked.insert(interval(low, low + noise(step, 2, coordinates) as f32), step);
            } else {
                checked.remove_at(noise(step, 3, checked.stored.len() as u32) as usize);
            }
            let low = noise(step, 4, coordinates) as f32;
            checked.check(interval(low, low + noise(step, 5, 3) as f32));
            if step % 50 == 0 {
                checked.check_structure();
            }
        }
        while !checked.stored.is_empty() {
            checked.remove_at(checked.stored.len() / 2);
            checked.check_structure();
        }
        assert_eq!(checked.root, PriorityTrees::EMPTY);
    }
}

#[test]
fn intervals_are_closed_at_both_ends() {
    let checked = Checked::of([interval(1.0, 2.0), interval(2.0, 3.0), interval(2.0, 2.0)]);
    assert_eq!(checked.ids(interval(2.0, 2.0)), [0, 1, 2]);
    assert_eq!(checked.ids(interval(0.0, 1.0)), [0]);
    assert_eq!(checked.ids(interval(3.0, 4.0)), [1]);
    assert!(checked.ids(interval(0.0, 1f32.next_down())).is_empty());
    assert!(checked.ids(interval(3f32.next_up(), 4.0)).is_empty());
}

#[test]
fn zeros_are_one_and_infinities_are_coordinates() {
    let values = [f32::NEG_INFINITY, f32::MIN, -0.0, 0.0, f32::MAX, f32::INFINITY];
    let pairs = values.iter().flat_map(|&low| values.iter().map(move |&high| interval(low, high)));
    let all: Vec<Interval> = pairs.filter(|i| i.low <= i.high).collect();
    let mut checked = Checked::of(all.iter().copied());
    // Removal may use the other zero than the insertion.
    checked.insert(interval(-0.0, 0.0), 1000);
    checked.trees.remove(&mut checked.root, interval(0.0, -0.0), 1000);
    checked.stored.pop();
    while !checked.stored.is_empty() {
        checked.check_structure();
        all.iter().for_each(|&query| checked.check(query));
        checked.remove_at(noise(7, 0, checked.stored.len() as u32) as usize);
    }
}

#[test]
fn removing_what_is_not_there_changes_nothing() {
    let mut checked = Checked::of([interval(0.0, 1.0), interval(5.0, 6.0)]);
    let Checked { trees, root, .. } = &mut checked;
    trees.remove(root, interval(0.0, 1.0), 2);
    trees.remove(root, interval(7.0, 8.0), 0);
    trees.remove(&mut PriorityTrees::EMPTY.clone(), interval(0.0, 1.0), 0);
    checked.check_structure();
}

#[test]
fn trees_of_one_arena_are_apart_and_reuse_its_nodes() {
    let mut trees = PriorityTrees::default();
    for round in 0..3 {
        let mut roots = [PriorityTrees::EMPTY; 5];
        for id in 0..100 {
            trees.insert(&mut roots[id as usize % 5], interval(id as f32, id as f32), id);
        }
        assert_eq!(trees.nodes.len(), 101);
        for (i, &root) in roots.iter().enumerate() {
            let mut count = 0;
            trees.query(root, interval(0.0, 100.0), &mut |id| {
                assert_eq!(id as usize % 5, i);
                count += 1;
            });
            assert_eq!(count, 20);
        }
        if round == 1 {
            trees.clear();
        } else {
            for id in 0..100 {
                trees.remove(&mut roots[id as usize % 5], interval(id as f32, id as f32), id);
            }
            assert_eq!(roots, [PriorityTrees::EMPTY; 5]);
        }
    }
}

/// Tests sorted, reversed and equal intervals, which would turn an unbalanced tree into a list.
fn monotone(count: u32) -> [Checked; 3] {
    let rising = (0..count).map(|i| interval(i as f32, i as f32 + 0.5));
    [
        Checked::of(rising.clone()),
        Checked::of(rising.rev()),
        Checked::of((0..count).map(|_| interval(0.0, 0.0))),
    ]
}

#[test]
fn depth_is_logarithmic_after_monotone_updates() {
    for mut checked in monotone(20_000) {
        // A treap's expected depth is below 3 log2 m.
        assert!(checked.depth(checked.root) as f32 <= 3.0 * 20_000f32.log2());
        for place in (0..19_000).rev() {
            checked.remove_at(place);
        }
        assert!(checked.depth(checked.root) as f32 <= 3.0 * 1000f32.log2());
        checked.check_structure();
    }
}

#[test]
fn a_query_visits_no_more_than_its_answer_and_a_path() {
    let spread = Checked::of((0..20_000).map(|i| {
        let low = noise(i, 0, 1 << 20) as f32;
        interval(low, low + noise(i, 1, 1 << 12) as f32)
    }));
    for checked in monotone(20_000).into_iter().chain([spread]) {
        let depth = checked.depth(checked.root);
        for i in 0..500 {
            let low = noise(i, 2, 1 << 20) as f32;
            let query = interval(low, low + (1u32 << (i % 18)) as f32);
            let mut count = 0;
            let visit_count = checked.trees.query(checked.root, query, &mut |_| count += 1);
            assert!(visit_count <= 2 * count + 2 * depth + 1, "{visit_count} for {count}, depth {depth}");
        }
    }
}

proptest! {
    #[test]
    fn any_updates_keep_the_tree_right(
        steps in prop::collection::vec((any::<bool>(), -4i8..4, 0u8..4, any::<prop::sample::Index>()), 0..80),
    ) {
        let mut checked = Checked::default();
        for ((insert, low, length, place), id) in steps.into_iter().zip(0..) {
            let query = interval(f32::from(low), f32::from(low) + f32::from(length));
            if insert || checked.stored.is_empty() {
                checked.insert(query, id);
            } else {
                checked.remove_at(place.index(checked.stored.len()));
            }
            checked.check_structure();
            checked.check(query);
        }
    }
}
