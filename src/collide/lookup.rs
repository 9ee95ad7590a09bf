//! A map from keys to values that are all known in advance.
//!
//! It is a sorted list. A `BTreeMap` becomes 5,000 lines of LLVM IR per pair of types, most of them for
//! later changes, which this map does not have.

use crate::order::Order;

/// Pairs by ascending key.
#[derive(Clone, Debug, Default)]
pub struct Lookup<K, V>(Vec<(K, V)>);

impl<K: Ord, V> Lookup<K, V> {
    #[inline]
    pub fn get(&self, key: &K) -> Option<&V> {
        let place = self.0.binary_search_by(|(k, _)| k.cmp(key)).ok()?;
        Some(&self.0[place].1)
    }

    #[inline]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the pairs by ascending key.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &(K, V)> {
        self.0.iter()
    }

    /// Returns the keys, ascending.
    #[inline]
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }
}

/// Keeps the last one of several pairs with the same key.
impl<K: Ord, V> FromIterator<(K, V)> for Lookup<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let mut list = Vec::new();
        for pair in pairs {
            list.push(pair);
        }
        // The sort is stable, and `dedup_by` keeps the first.
        list.reverse();
        list.order_by(|x, y| x.0.cmp(&y.0));
        list.dedup_by(|later, kept| later.0 == kept.0);
        Self(list)
    }
}

#[cfg(test)]
mod tests {
    use super::Lookup;

    #[test]
    fn the_last_value_of_a_key_is_found_and_keys_ascend() {
        let lookup: Lookup<&str, u8> =
            [("b", 1), ("a", 2), ("b", 3), ("c", 4), ("b", 5)].into_iter().collect();
        assert_eq!(lookup.get(&"b"), Some(&5));
        assert_eq!(lookup.get(&"d"), None);
        assert_eq!(lookup.count(), 3);
        assert!(lookup.keys().eq(&["a", "b", "c"]));
    }
}
