//! Collision filters: which bodies of a model never meet. A filter names the systems its body belongs to and
//! those it collides with, or does not; names become bits once, and bodies keep the number of their filter, so
//! that neither the names nor the pairs of bodies are ever multiplied.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::limits::{FILTER_SYSTEMS, FILTERS, at_most};

/// A filter as the file says it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CollisionFilter {
    pub systems: Vec<String>,
    pub collide_with: Option<Vec<String>>,
    pub not_collide_with: Option<Vec<String>>,
}

/// For each filter of a model, a bit for every filter that it admits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilterTable {
    count: u32,
    /// `words_a_row` for each filter.
    admitted: Vec<u64>,
}

impl FilterTable {
    /// Refuses more filters than are read.
    pub(super) fn new(filters: &[CollisionFilter]) -> Result<Self, String> {
        at_most(FILTERS, filters.len(), "collision filters")?;
        let width = words_a_row(filters.len());
        // Which filters belong to a system.
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
        Ok(Self { count: filters.len() as u32, admitted: filters.iter().flat_map(admits).collect() })
    }

    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    fn admits(&self, own: u32, other: u32) -> bool {
        let [own, other] = [own, other].map(|filter| filter as usize);
        self.admitted[own * words_a_row(self.len()) + other / 64] >> (other % 64) & 1 != 0
    }

    fn is_sound(&self) -> bool {
        self.len() <= FILTERS && self.admitted.len() == self.len() * words_a_row(self.len())
    }
}

fn words_a_row(count: usize) -> usize {
    count.div_ceil(64)
}

/// The filters of a scene's bodies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyFilters {
    /// One a model.
    tables: Vec<FilterTable>,
    /// One a copy of a model: its table.
    copies: Vec<u32>,
    /// By body, up to the last that has one.
    filters: Vec<Option<BodyFilter>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct BodyFilter {
    /// Filters are about the bodies of one copy.
    copy: u32,
    filter: u32,
}

impl BodyFilters {
    /// Adds the bodies of a copy of a model with the filters they have.
    pub(super) fn add(&mut self, table: &FilterTable, filtered: &[(u32, u32)]) {
        // Copies of a model follow each other.
        if self.tables.last() != Some(table) {
            self.tables.push(table.clone());
        }
        let copy = self.copies.len() as u32;
        self.copies.push(self.tables.len() as u32 - 1);
        for &(body, filter) in filtered {
            self.filters.resize(self.filters.len().max(body as usize + 1), None);
            self.filters[body as usize] = Some(BodyFilter { copy, filter });
        }
    }

    /// Whether two bodies never meet because a filter of one of them says so.
    pub fn keep_apart(&self, a: u32, b: u32) -> bool {
        let of = |body: u32| self.filters.get(body as usize).copied().flatten();
        let (Some(a), Some(b)) = (of(a), of(b)) else { return false };
        let table = &self.tables[self.copies[a.copy as usize] as usize];
        a.copy == b.copy && !(table.admits(a.filter, b.filter) && table.admits(b.filter, a.filter))
    }

    /// Whether every number names something: what is read from a recording may say anything.
    pub fn is_sound(&self) -> bool {
        let table = |copy: u32| self.tables.get(*self.copies.get(copy as usize)? as usize);
        self.tables.iter().all(FilterTable::is_sound)
            && self.filters.iter().flatten().all(|f| table(f.copy).is_some_and(|t| f.filter < t.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(systems: &str, with: Option<&str>, without: Option<&str>) -> CollisionFilter {
        let names = |list: &str| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let [collide_with, not_collide_with] = [with, without].map(|l| l.map(names));
        CollisionFilter { systems: names(systems), collide_with, not_collide_with }
    }

    /// As the extension words it.
    fn allows(own: &CollisionFilter, other: &CollisionFilter) -> bool {
        let names = |list: &[String]| other.systems.iter().any(|s| list.contains(s));
        match (&own.collide_with, &own.not_collide_with) {
            (Some(list), _) => names(list),
            (None, Some(list)) => !names(list),
            (None, None) => true,
        }
    }

    #[test]
    fn bits_say_what_the_names_say() {
        let lists = ["", "a", "b", "a b", "c d", "z"];
        let mut filters = Vec::new();
        for systems in lists {
            filters.push(filter(systems, None, None));
            filters.extend(lists.iter().map(|l| filter(systems, Some(l), None)));
            filters.extend(lists.iter().map(|l| filter(systems, None, Some(l))));
        }
        assert!(filters.len() > 64, "more than a word");
        let table = FilterTable::new(&filters).unwrap();
        let mut bodies = BodyFilters::default();
        let filtered: Vec<(u32, u32)> = (0..filters.len() as u32).map(|f| (2 * f, f)).collect();
        bodies.add(&table, &filtered);
        for (a, own) in filters.iter().enumerate() {
            for (b, other) in filters.iter().enumerate() {
                let apart = !(allows(own, other) && allows(other, own));
                assert_eq!(bodies.keep_apart(2 * a as u32, 2 * b as u32), apart, "{own:?} and {other:?}");
                assert!(!bodies.keep_apart(2 * a as u32, 2 * b as u32 + 1), "no filter");
            }
        }
        assert!(bodies.is_sound());
    }

    #[test]
    fn a_filter_is_about_the_bodies_of_its_own_copy() {
        let table = FilterTable::new(&[filter("a", None, Some("a"))]).unwrap();
        let mut bodies = BodyFilters::default();
        bodies.add(&table, &[(0, 0), (1, 0)]);
        bodies.add(&table, &[(2, 0), (3, 0)]);
        assert_eq!((bodies.tables.len(), bodies.copies.len()), (1, 2));
        let kept = |a, b| bodies.keep_apart(a, b);
        assert!(kept(0, 1) && kept(2, 3) && !kept(0, 2) && !kept(1, 3) && !kept(7, 9));
    }

    #[test]
    fn numbers_that_name_nothing_are_not_sound() {
        let table = FilterTable::new(&[filter("a", None, None)]).unwrap();
        let mut bodies = BodyFilters::default();
        bodies.add(&table, &[(0, 0)]);
        for change in [
            |f: &mut BodyFilters| f.filters[0].as_mut().unwrap().filter = 1,
            |f: &mut BodyFilters| f.filters[0].as_mut().unwrap().copy = 1,
            |f: &mut BodyFilters| f.copies[0] = 7,
            |f: &mut BodyFilters| f.tables[0].count = u32::MAX,
            |f: &mut BodyFilters| f.tables[0].admitted.clear(),
        ] {
            let mut broken = bodies.clone();
            change(&mut broken);
            assert!(!broken.is_sound(), "{broken:?}");
        }
    }

    #[test]
    fn too_many_filters_are_refused_by_number() {
        let many = vec![CollisionFilter::default(); FILTERS + 1];
        let said = FilterTable::new(&many).unwrap_err();
        assert_eq!(said, "there are 8,193 collision filters, and at most 8,192 are read");
    }
}
