//! Counts of the contents of a JSON text, taken in one pass without allocation before the text is
//! parsed.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::import::fault::{Checked, fault};
use crate::import::limits::{JSON_EXTENSION_VALUES, JSON_LIST, JSON_OBJECTS, JSON_VALUES, at_most};

/// Fails for JSON whose parsed form would take too much memory.
pub(super) fn check(text: &[u8]) -> Checked<()> {
    let mut counts = Counts::default();
    let mut json = serde_json::Deserializer::from_slice(text);
    // Text that is not JSON passes here; the real parser reports it.
    let walked = Walk { counts: &mut counts, place: Place::Root }.deserialize(&mut json);
    match (counts.refused, walked) {
        (Some((place, reason)), Err(_)) => fault(place, reason),
        _ => Ok(()),
    }
}

#[derive(Default)]
struct Counts {
    objects: usize,
    values: usize,
    extension_values: usize,
    /// Place and reason of an exceeded limit.
    refused: Option<(String, String)>,
}

impl Counts {
    /// Ends the walk if a count exceeds its limit.
    fn at_most<E: Error>(&mut self, limit: usize, count: usize, what: &str, place: &str) -> Result<(), E> {
        at_most(limit, count, what).map_err(|reason| {
            self.refused = Some((place.to_owned(), reason));
            E::custom("too much")
        })
    }
}

/// Kind of position of a value in the JSON.
#[derive(Clone, Copy)]
enum Place<'a> {
    Root,
    /// Inside the list or object at the top level that has this name.
    Top(&'a str),
    Below,
    /// Inside `extensions` or `extras`.
    Extension,
}

struct Walk<'a> {
    counts: &'a mut Counts,
    place: Place<'a>,
}

impl Walk<'_> {
    /// Counts a value of the JSON, and fails if a limit is exceeded.
    fn count<E: Error>(&mut self, is_object: bool) -> Result<(), E> {
        let counts = &mut *self.counts;
        if matches!(self.place, Place::Extension) {
            counts.extension_values += 1;
            let count = counts.extension_values;
            counts.at_most(JSON_EXTENSION_VALUES, count, "values below extensions and extras", "JSON")?;
        }
        if is_object {
            counts.objects += 1;
            counts.at_most(JSON_OBJECTS, counts.objects, "objects", "JSON")
        } else {
            counts.values += 1;
            counts.at_most(JSON_VALUES, counts.values, "numbers, texts and lists", "JSON")
        }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

macro_rules! scalars {
    ($($visit:ident: $kind:ty),*) => {
        $(fn $visit<E: Error>(mut self, _: $kind) -> Result<(), E> {
            self.count(false)
        })*
    };
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "JSON")
    }

    scalars! { visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str }

    fn visit_unit<E: Error>(mut self) -> Result<(), E> {
        self.count(false)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        self.count(false)?;
        let inner = if matches!(self.place, Place::Extension) { Place::Extension } else { Place::Below };
        let mut count = 0;
        while list.next_element_seed(Walk { counts: self.counts, place: inner })?.is_some() {
            count += 1;
            if let Place::Top(name) = self.place
                && count > JSON_LIST
            {
                // The list is read to its end even after an excess, so that the message states its
                // length.
                while list.next_element::<IgnoredAny>()?.is_some() {
                    count += 1;
                }
                self.counts.at_most(JSON_LIST, count, &spelled(name), name)?;
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut object: A) -> Result<(), A::Error> {
        self.count(true)?;
        while let Some(key) = object.next_key::<String>()? {
            let place = match self.place {
                Place::Extension => Place::Extension,
                _ if key == "extensions" || key == "extras" => Place::Extension,
                Place::Root => Place::Top(&key),
                Place::Top(_) | Place::Below => Place::Below,
            };
            object.next_value_seed(Walk { counts: self.counts, place })?;
        }
        Ok(())
    }
}

/// Splits a key into words: `bufferViews` becomes "buffer views".
fn spelled(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            words.push(' ');
        }
        words.push(c.to_ascii_lowercase());
    }
    words
}
