//! Unique names: a name that is already in use gets a number appended.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Names in use, each with the number to try next for a further use of that name.
#[derive(Default)]
pub struct Unique(HashMap<String, u32>);

impl Unique {
    /// Returns `name`, or the first of `name.2`, `name.3`, … that is free.
    pub fn take(&mut self, name: &str) -> String {
        let mut number = match self.0.entry(name.to_owned()) {
            Entry::Vacant(place) => {
                place.insert(2);
                return name.to_owned();
            }
            Entry::Occupied(taken) => *taken.get(),
        };
        loop {
            let numbered = format!("{name}.{number}");
            number += 1;
            if let Entry::Vacant(place) = self.0.entry(numbered.clone()) {
                place.insert(2);
                self.0.insert(name.to_owned(), number);
                return numbered;
            }
        }
    }
}
