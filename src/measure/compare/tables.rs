//! A comparison as tables: one row per contender, or one per step and contender.

use super::engine::COUNT_NAMES;
use super::result::{Comparison, Estimate};
use crate::table::{Cell, Table};

const COLUMNS: [&str; 14] = [
    "contender",
    "mean (ms)",
    "95 % (ms)",
    "times the first",
    "95 %",
    "p95 (ms)",
    "p99 (ms)",
    "worst (ms)",
    "overlap (mm)",
    "lost",
    "passed",
    "at rest after",
    "shiver (mm/s)",
    "parted at",
];
/// Further columns of a scene whose joints were measured.
const JOINT_COLUMNS: [&str; 2] = ["joint gap (mm)", "joint twist (°)"];

/// Returns a table with one row per contender: times of a step, state of the bodies.
pub fn table(comparison: &Comparison) -> Table {
    let has_joints = comparison.has_joint_peaks();
    let mut columns = COLUMNS.to_vec();
    columns.extend(JOINT_COLUMNS.iter().filter(|_| has_joints));
    let mut table = Table::new(&columns);
    for one in &comparison.contenders {
        let interval = |estimate: &Estimate| estimate.interval.map_or(Cell::Nothing, Cell::Interval);
        let mut row = vec![
            one.name.as_str().into(),
            one.mean.value.into(),
            interval(&one.mean),
            one.ratio.map_or(Cell::Nothing, |r| r.value.into()),
            one.ratio.as_ref().map_or(Cell::Nothing, interval),
            one.spread.p95.into(),
            one.spread.p99.into(),
            one.spread.worst.into(),
            (1e3 * one.deepest_overlap()).into(),
            one.lost.len().into(),
            one.passages.as_ref().map_or(Cell::Nothing, |passages| passages.len().into()),
            one.rest.since.map_or(Cell::Nothing, |step| u64::from(step).into()),
            one.rest.shiver.map_or(Cell::Nothing, |speed| (1e3 * speed).into()),
            one.parting.as_ref().map_or(Cell::Nothing, |p| u64::from(p.step).into()),
        ];
        if has_joints {
            row.push(one.joint_gap.as_ref().map_or(Cell::Nothing, |gap| (1e3 * gap.value).into()));
            row.push(one.joint_twist.as_ref().map_or(Cell::Nothing, |twist| twist.value.to_degrees().into()));
        }
        table.rows.push(row);
    }
    table
}

/// Returns a table with one row per step and contender: times, counts, energy, deviation.
pub fn steps(comparison: &Comparison) -> Table {
    let is_counted = |name: &&str| comparison.contenders.iter().any(|one| one.counts.contains_key(*name));
    let counted: Vec<&'static str> = COUNT_NAMES.into_iter().filter(is_counted).collect();
    let before = ["contender", "step", "update (ms)", "test (ms)", "query (ms)", "solve (ms)"];
    let after = ["energy (J)", "farthest deviation (m)", "middle deviation (m)"];
    let mut table = Table::new(&[&before[..], &counted, &after].concat());
    for one in &comparison.contenders {
        for step in 0..one.times.update.len() {
            let at = |series: &[f64]| series.get(step).map_or(Cell::Nothing, |&x| x.into());
            let count = |name: &&str| one.counts.get(*name).and_then(|all| all.get(step));
            let mut row: Vec<Cell> = vec![one.name.as_str().into(), (step as u64 + 1).into()];
            row.extend(one.times.stages().map(|(_, series)| at(series)));
            row.extend(counted.iter().map(|name| count(name).map_or(Cell::Nothing, |&n| n.into())));
            row.extend([at(&one.energy), at(&one.deviation.farthest), at(&one.deviation.middle)]);
            table.rows.push(row);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::page::fixture::{of_56_bodies, of_two_steps};
    use crate::compare::result::{Deepest, JointPeak, Passed};

    #[test]
    fn steps_have_a_column_for_what_anybody_counts_and_an_empty_field_where_one_does_not() {
        let mut own = of_two_steps("a", None);
        own.counts.insert("contacts".to_owned(), vec![3, 4]);
        own.energy = vec![0.5];
        let csv = String::from_utf8(steps(&of_56_bodies(vec![own, of_two_steps("b", None)])).csv().unwrap())
            .unwrap();
        assert_eq!(
            csv,
            "contender,step,update (ms),test (ms),query (ms),solve (ms),contacts,energy (J),\
            farthest deviation (m),middle deviation (m)\n\
            a,1,1,1,1,1,3,0.5,,\na,2,2,2,2,2,4,,,\nb,1,1,1,1,1,,,,\nb,2,2,2,2,2,,,,\n"
        );
    }

    #[test]
    fn the_table_has_a_row_a_contender_and_shows_no_interval_that_was_not_measured() {
        let mut own = of_two_steps("a", None);
        own.mean = Estimate { value: 1.5, interval: Some([1.25, 2.0]) };
        own.deepest = Some(Deepest { step: 1, bodies: ["a".to_owned(), "b".to_owned()], depth: 0.002 });
        own.passages = Some(vec![Passed { body: "a".to_owned(), through: "b".to_owned(), step: 1 }]);
        let table = table(&of_56_bodies(vec![own, of_two_steps("b", Some((2.0, None)))]));
        assert_eq!(table.rows.len(), 2);
        assert!(table.rows.iter().all(|row| row.len() == COLUMNS.len()));
        assert_eq!(table.rows[0][2..4], [Cell::Interval([1.25, 2.0]), Cell::Nothing]);
        assert_eq!(table.rows[0][8], Cell::Number(2.0));
        assert_eq!(COLUMNS[10], "passed");
        assert_eq!([&table.rows[0][10], &table.rows[1][10]], [&Cell::from(1_usize), &Cell::Nothing]);
        assert_eq!(table.rows[1][3..5], [Cell::Number(2.0), Cell::Nothing]);
    }
    #[test]
    fn joints_have_columns_only_where_they_were_measured() {
        let mut own = of_two_steps("a", None);
        own.joint_gap = Some(JointPeak { joint: "hinge".to_owned(), step: 1, value: 0.25 });
        let mut other = of_two_steps("b", None);
        other.joint_twist = Some(JointPeak { value: std::f64::consts::PI, ..own.joint_gap.clone().unwrap() });
        let both = table(&of_56_bodies(vec![own, other]));
        assert_eq!(both.columns[COLUMNS.len()..], JOINT_COLUMNS);
        assert_eq!(both.rows[0][COLUMNS.len()..], [Cell::Number(250.0), Cell::Nothing]);
        assert_eq!(both.rows[1][COLUMNS.len()..], [Cell::Nothing, Cell::Number(180.0)]);
        assert_eq!(table(&of_56_bodies(vec![of_two_steps("a", None)])).columns, COLUMNS);
    }
}
