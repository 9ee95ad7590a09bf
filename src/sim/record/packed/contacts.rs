//! Single contacts, as items of a packed list.

use glam::Vec3;

use super::{Item, number, rounded};
use crate::record::marks::{Basis, ContactMark};

/// Words per item: point (3), normal (3), gap, force, friction (3).
pub(in crate::record) const WORDS: usize = 11;

/// Converts contacts to items. The contacts must be sorted by bodies.
pub(in crate::record) fn contact_items(marks: &[ContactMark], items: &mut Vec<Item<WORDS>>) {
    items.clear();
    for mark in marks {
        let last = items.last().filter(|item: &&Item<WORDS>| item.key[..2] == [mark.a, mark.b]);
        let place = last.map_or(0, |item| item.key[2] + 1);
        let mut words = [0; WORDS];
        for (vector, at) in [(mark.point, 0), (mark.normal, 3), (mark.friction, 8)] {
            for k in 0..3 {
                words[at + k] = rounded(f64::from(vector[k]), 24);
            }
        }
        (words[6], words[7]) = (rounded(mark.gap.into(), 24), rounded(mark.force.into(), 24));
        items.push(Item { key: [mark.a, mark.b, place], flags: mark.basis as u8, words });
    }
}

/// Converts items to contacts.
///
/// # Errors
/// Fails if a contact names a body that is not among the `body_count` bodies, or a number is not
/// finite.
pub(in crate::record) fn contacts_of(
    items: &[Item<WORDS>],
    body_count: usize,
) -> Result<Vec<ContactMark>, String> {
    let mark = |item: &Item<WORDS>| {
        let [a, b, _] = item.key;
        if a >= b || b as usize >= body_count {
            return Err("bodies in contact are missing".to_owned());
        }
        let mut values = [0.0; WORDS];
        for (value, &word) in values.iter_mut().zip(&item.words) {
            *value = number(word)? as f32;
        }
        let vector = |at: usize| Vec3::from_slice(&values[at..at + 3]);
        let basis = *Basis::ALL.get(usize::from(item.flags)).ok_or("a contact rests on nothing known")?;
        let (point, normal, friction) = (vector(0), vector(3), vector(8));
        Ok(ContactMark { a, b, point, normal, gap: values[6], force: values[7], friction, basis })
    };
    items.iter().map(mark).collect()
}
