//! Tables of what a run reports by name: contacts, joints, faults, stalls, trigger visits and
//! expectations.

use comfy_table::{CellAlignment, Table};

use super::layout::table;
use crate::digits::grouped;
use crate::report::{
    ExpectationFigures, JointFigures, StallFigures, Summary, TouchFigures, VisitFigures, WatchedFigures,
};

/// Creates the table of the pairs that touched; `None` if no pair did.
pub(super) fn touches(summary: &Summary, most: usize) -> Option<Table> {
    let touches = summary.touches.as_ref().filter(|touches| !touches.is_empty())?;
    let mut table = table(&TouchFigures::HEADER);
    table.add_rows(TouchFigures::rows(touches, most));
    if summary.touches_left_out > 0 {
        // A text that is longer than this would widen the first column.
        table.add_row([format!("{} not kept", grouped(summary.touches_left_out))]);
    }
    Some(table)
}

/// Creates the table of faults; `None` if there were none.
pub(super) fn watched(summary: &Summary, most: usize) -> Option<Table> {
    let rows = summary.watched.as_ref()?.rows(most);
    let mut table = table(&WatchedFigures::HEADER);
    table.add_rows(&rows);
    (!rows.is_empty()).then_some(table)
}

/// Creates the table of the joints; `None` if there are no joints.
pub(super) fn joints(summary: &Summary, most: usize) -> Option<Table> {
    let joints = summary.joints.as_ref().filter(|joints| !joints.is_empty())?;
    let mut table = table(&JointFigures::HEADER);
    table.add_rows(JointFigures::rows(joints, most));
    Some(table)
}

/// Creates the table of stalled drives; `None` if no drive stalled.
pub(super) fn stalls(summary: &Summary, most: usize) -> Option<Table> {
    let stalls = summary.stalled_drives.as_ref().filter(|stalls| !stalls.is_empty())?;
    let mut table = table(&StallFigures::HEADER);
    table.add_rows(StallFigures::rows(stalls, most));
    Some(table)
}

/// Creates the table of bodies in triggers; `None` if no body entered one.
pub(super) fn visits(summary: &Summary, most: usize) -> Option<Table> {
    let visits = summary.trigger_visits.as_ref().filter(|visits| !visits.is_empty())?;
    let mut table = table(&VisitFigures::HEADER);
    table.add_rows(VisitFigures::rows(visits, most));
    Some(table)
}

/// Creates the table of all expectations; `None` if there are none.
pub(super) fn expectations(summary: &Summary) -> Option<Table> {
    let expectations = summary.expectations.as_ref().filter(|all| !all.is_empty())?;
    let mut table = table(&ExpectationFigures::HEADER);
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Left);
    }
    table.add_rows(ExpectationFigures::rows(expectations));
    Some(table)
}
