//! Which bodies of a scene never meet because a collision filter of their file says so.

use serde::{Deserialize, Serialize};

use crate::import::FilterTable;

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
            && self
                .filters
                .iter()
                .flatten()
                .all(|f| table(f.copy).is_some_and(|t| (f.filter as usize) < t.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::filters::CollisionFilter;
    use crate::import::limits::FILTERS;

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
