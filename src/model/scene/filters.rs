//! Collision filters of a scene: bodies, and parts of bodies, that never collide with each other
//! according to their file.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::body::{FilterTable, PartFilters};
use crate::import::limits::FILTERS;
use crate::mesh::Mesh;
use crate::order::Order;

/// Filters of a scene's bodies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyFilters {
    /// Filter tables; adjacent copies of a model share one.
    tables: Vec<FilterTable>,
    /// Index into `tables` per copy of a model.
    copies: Vec<u32>,
    /// Filter per body, by body index, up to the last body that has one. Of a body with several
    /// filters, the first.
    filters: Vec<Option<BodyFilter>>,
    /// Bodies whose parts have different filters, in ascending order.
    #[serde(default)]
    parts: Vec<BodyParts>,
}

/// Index of the first triangle of a part, in the order of its file, and the part's filter.
pub(super) type PartFilter = (u32, Option<u32>);

/// Filters of a body's parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct BodyParts {
    body: u32,
    parts: Vec<PartFilter>,
    /// Distinct filters of the parts, sorted.
    kinds: Vec<Option<u32>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct BodyFilter {
    /// Copy of the model. Filters only apply between bodies of the same copy.
    copy: u32,
    filter: u32,
}

impl BodyFilters {
    /// Adds the bodies of a copy of a model with the filters of their parts.
    pub(super) fn add(&mut self, table: &FilterTable, filtered: &[(u32, Vec<PartFilter>)]) {
        // Copies of a model are adjacent.
        if self.tables.last() != Some(table) {
            self.tables.push(table.clone());
        }
        let copy = self.copies.len() as u32;
        self.copies.push(self.tables.len() as u32 - 1);
        for (body, parts) in filtered {
            let mut kinds: Vec<Option<u32>> = parts.iter().map(|(_, filter)| *filter).collect();
            kinds.order();
            kinds.dedup();
            // A body without filters needs no entry.
            let Some(filter) = kinds.iter().copied().flatten().next() else { continue };
            self.filters.resize(self.filters.len().max(*body as usize + 1), None);
            self.filters[*body as usize] = Some(BodyFilter { copy, filter });
            if kinds.len() > 1 {
                self.parts.push(BodyParts { body: *body, parts: parts.clone(), kinds });
            }
        }
    }

    fn parts_of(&self, body: u32) -> Option<&BodyParts> {
        self.parts.binary_search_by_key(&body, |parts| parts.body).ok().map(|at| &self.parts[at])
    }

    /// Returns whether parts of one body have different filters, in any body.
    pub fn has_parts(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Returns the part filters per body; `meshes` are the surfaces of all bodies. Only the bodies of a
    /// copy of a model that has different filters within one body have part filters.
    pub fn by_part<'a>(
        &self,
        meshes: impl Iterator<Item = Option<&'a Mesh>>,
    ) -> Vec<Option<Arc<PartFilters>>> {
        let mut tables: Vec<Option<Arc<FilterTable>>> = vec![None; self.copies.len()];
        for BodyParts { body, .. } in &self.parts {
            if let Some(BodyFilter { copy, .. }) = self.filters[*body as usize] {
                let table = || Arc::new(self.tables[self.copies[copy as usize] as usize].clone());
                tables[copy as usize].get_or_insert_with(table);
            }
        }
        let of = |(body, mesh): (u32, Option<&Mesh>)| {
            let BodyFilter { copy, filter } = self.filters.get(body as usize).copied().flatten()?;
            let table = tables[copy as usize].clone()?;
            let mut made = PartFilters { copy, table, kinds: vec![Some(filter)], of_triangle: Vec::new() };
            if let Some((BodyParts { parts, kinds, .. }, mesh)) = self.parts_of(body).zip(mesh) {
                let part = |triangle: u32| parts.partition_point(|(first, _)| *first <= triangle).max(1) - 1;
                let sources = mesh.surface().source.iter();
                made.of_triangle = sources.map(|&triangle| parts[part(triangle)].1).collect();
                made.kinds.clone_from(kinds);
            }
            Some(Arc::new(made))
        };
        (0..).zip(meshes).map(of).collect()
    }

    /// Returns true if all parts of two bodies may collide, false if none may, and `None` if only some
    /// may.
    fn all_meet(&self, a: u32, b: u32) -> Option<bool> {
        let of = |body: u32| self.filters.get(body as usize).copied().flatten();
        let (Some(own), Some(other)) = (of(a), of(b)) else { return Some(true) };
        if own.copy != other.copy {
            return Some(true);
        }
        let table = &self.tables[self.copies[own.copy as usize] as usize];
        let [single, other_single] = [[Some(own.filter)], [Some(other.filter)]];
        let kinds = self.parts_of(a).map_or(&single[..], |parts| &parts.kinds);
        let others = self.parts_of(b).map_or(&other_single[..], |parts| &parts.kinds);
        table.all_meet([kinds, others])
    }

    /// Returns whether two bodies never collide because of their filters.
    pub fn keep_apart(&self, a: u32, b: u32) -> bool {
        self.all_meet(a, b) == Some(false)
    }

    /// Returns whether two bodies collide in some of their parts only.
    pub fn differ(&self, a: u32, b: u32) -> bool {
        self.all_meet(a, b).is_none()
    }

    /// Returns whether every index is valid. Data read from a recording may hold any numbers.
    pub fn is_sound(&self) -> bool {
        let table = |copy: u32| self.tables.get(*self.copies.get(copy as usize)? as usize);
        let names =
            |f: &BodyFilter, filter: u32| table(f.copy).is_some_and(|t| (filter as usize) < t.count());
        let of = |body: u32| self.filters.get(body as usize).and_then(Option::as_ref);
        let are_parts = |of_body: &BodyParts| {
            let filters = of_body.parts.iter().map(|(_, filter)| filter).chain(&of_body.kinds);
            let mut filters = filters.flatten();
            let is_known = |filter: &u32| of(of_body.body).is_some_and(|f| names(f, *filter));
            !of_body.parts.is_empty() && !of_body.kinds.is_empty() && filters.all(is_known)
        };
        self.tables.iter().all(|table| table.count() <= FILTERS && table.is_sound())
            && self.filters.iter().flatten().all(|f| names(f, f.filter))
            && self.parts.is_sorted_by(|x, y| x.body < y.body)
            && self.parts.iter().all(|parts| of(parts.body).is_some() && are_parts(parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::filters::{CollisionFilter, filter_table};

    fn filter(systems: &str, with: Option<&str>, without: Option<&str>) -> CollisionFilter {
        let names = |list: &str| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let [collide_with, not_collide_with] = [with, without].map(|l| l.map(names));
        CollisionFilter { systems: names(systems), collide_with, not_collide_with }
    }

    /// Returns a body with one filter for its whole surface.
    fn whole(body: u32, filter: u32) -> (u32, Vec<PartFilter>) {
        (body, vec![(0, Some(filter))])
    }

    /// Returns whether `own` allows `other`, as the glTF extension defines it.
    fn allows(own: &CollisionFilter, other: &CollisionFilter) -> bool {
        let names = |list: &[String]| other.systems.iter().any(|s| list.contains(s));
        match (&own.collide_with, &own.not_collide_with) {
            (Some(list), _) => names(list),
            (None, Some(list)) => !names(list),
            (None, None) => true,
        }
    }

    #[test]
    fn filter_bits_match_filter_names() {
        let lists = ["", "a", "b", "a b", "c d", "z"];
        let mut filters = Vec::new();
        for systems in lists {
            filters.push(filter(systems, None, None));
            filters.extend(lists.iter().map(|l| filter(systems, Some(l), None)));
            filters.extend(lists.iter().map(|l| filter(systems, None, Some(l))));
        }
        assert!(filters.len() > 64, "more than a word");
        let table = filter_table(&filters).unwrap();
        let mut bodies = BodyFilters::default();
        let filtered: Vec<_> = (0..filters.len() as u32).map(|f| whole(2 * f, f)).collect();
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
    fn filters_apply_within_one_copy() {
        let table = filter_table(&[filter("a", None, Some("a"))]).unwrap();
        let mut bodies = BodyFilters::default();
        bodies.add(&table, &[whole(0, 0), whole(1, 0)]);
        bodies.add(&table, &[whole(2, 0), whole(3, 0)]);
        assert_eq!((bodies.tables.len(), bodies.copies.len()), (1, 2));
        let kept = |a, b| bodies.keep_apart(a, b);
        assert!(kept(0, 1) && kept(2, 3) && !kept(0, 2) && !kept(1, 3) && !kept(7, 9));
    }

    #[test]
    fn filter_indices_out_of_range_are_invalid() {
        let table = filter_table(&[filter("a", None, None)]).unwrap();
        let mut bodies = BodyFilters::default();
        bodies.add(&table, &[whole(0, 0), (1, vec![(0, Some(0)), (7, None)])]);
        for change in [
            |f: &mut BodyFilters| f.filters[0].as_mut().unwrap().filter = 1,
            |f: &mut BodyFilters| f.filters[0].as_mut().unwrap().copy = 1,
            |f: &mut BodyFilters| f.copies[0] = 7,
            |f: &mut BodyFilters| f.tables[0] = FilterTable::new(u32::MAX, vec![0]),
            |f: &mut BodyFilters| f.tables[0] = FilterTable::new(1, Vec::new()),
            |f: &mut BodyFilters| f.parts[0].body = 7,
            |f: &mut BodyFilters| f.parts[0].parts.clear(),
            |f: &mut BodyFilters| f.parts[0].parts[0].1 = Some(1),
            |f: &mut BodyFilters| f.parts[0].kinds[0] = Some(1),
            |f: &mut BodyFilters| f.parts[0].kinds.clear(),
        ] {
            let mut broken = bodies.clone();
            change(&mut broken);
            assert!(!broken.is_sound(), "{broken:?}");
        }
    }

    #[test]
    fn too_many_filters_are_refused_by_number() {
        let many = vec![CollisionFilter::default(); FILTERS + 1];
        let said = filter_table(&many).unwrap_err();
        assert_eq!(said, "there are 8,193 collision filters, the limit is 8,192");
    }
}
