//! Collision filters: pairs of bodies of a model that never collide. A filter names the systems to
//! which its body belongs, and those with which the body collides or does not collide. Names are
//! converted to bits once, and a body keeps only the index of its filter. So neither names nor pairs of
//! bodies are stored per body.

use std::collections::HashMap;

use super::limits::{FILTER_SYSTEMS, FILTERS, at_most};
use crate::body::FilterTable;

/// Filter as the file defines it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CollisionFilter {
    pub systems: Vec<String>,
    pub collide_with: Option<Vec<String>>,
    pub not_collide_with: Option<Vec<String>>,
}

/// Converts filters to a table. Fails if there are more than `FILTERS` filters or `FILTER_SYSTEMS`
/// systems.
pub(crate) fn filter_table(filters: &[CollisionFilter]) -> Result<FilterTable, String> {
    at_most(FILTERS, filters.len(), "collision filters")?;
    let width = FilterTable::words_per_row(filters.len());
    // Per system, the bit set of the filters that belong to it.
    let mut members: HashMap<&str, Vec<u64>> = HashMap::new();
    for (at, filter) in filters.iter().enumerate() {
        for system in &filter.systems {
            members.entry(system).or_insert_with(|| vec![0; width])[at / 64] |= 1 << (at % 64);
            at_most(FILTER_SYSTEMS, members.len(), "collision systems")?;
        }
    }
    let of = |list: &[String]| {
        let mut row = vec![0u64; width];
        for belongs in list.iter().filter_map(|system| members.get(system.as_str())) {
            row.iter_mut().zip(belongs).for_each(|(word, own)| *word |= own);
        }
        row
    };
    let admits = |filter: &CollisionFilter| match (&filter.collide_with, &filter.not_collide_with) {
        (Some(list), _) => of(list),
        (None, Some(list)) => of(list).iter().map(|word| !word).collect(),
        (None, None) => vec![u64::MAX; width],
    };
    Ok(FilterTable::new(filters.len() as u32, filters.iter().flat_map(admits).collect()))
}
