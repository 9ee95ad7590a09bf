//! Compact encoding of lists that change little from step to step: contacts and joints of a recording.
//!
//! A list is sorted by key. Each item has a fixed number of 32-bit words, which are floating-point
//! numbers or integers. A list is encoded relative to that of the previous step, as runs of kept,
//! changed, dropped or new items. A changed word is encoded as the difference of its bits from the
//! previous ones, which is small for a small change of either kind of number. The differences are
//! stored by byte significance: all lowest bytes, then all second bytes, and so on. So the upper bytes
//! form runs of zeros, which lz4 compresses.
//!
//! - `contacts.rs`: single contacts.
//! - `joints.rs`: joints and their axes.
//! - `tests.rs`: round trips of lists, and damaged lists.
//! - `touches.rs`: pairs of bodies that touch.

mod contacts;
mod joints;
#[cfg(test)]
mod tests;
mod touches;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::arrays::from_each;

pub(super) use contacts::{WORDS as CONTACT_WORDS, contact_items, contacts_of};
pub(super) use joints::{JointItems, joint_items, joints_of};
pub(super) use touches::{Shapes, WORDS as TOUCH_WORDS, touch_items, touches_of};

/// Encoded bytes of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed(pub(super) Vec<u8>);

impl Serialize for Packed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Packed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Packed;
            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Packed, E> {
                Ok(Packed(bytes.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

/// Item of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item<const N: usize> {
    /// Key, unique in its list. Lists are sorted by it in ascending order.
    pub key: [u32; 3],
    pub flags: u8,
    pub words: [u32; N],
}

/// Fate of the items of a run since the previous step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RunKind {
    Kept,
    Changed,
    Dropped,
    New,
}

impl RunKind {
    const ALL: [Self; 4] = [Self::Kept, Self::Changed, Self::Dropped, Self::New];
}

/// Encodes the list `now` relative to `before`, then makes it the new `before`. Both lists must be
/// sorted by key.
pub(super) fn pack<const N: usize>(before: &mut Vec<Item<N>>, now: &mut Vec<Item<N>>, out: &mut Vec<u8>) {
    out.clear();
    let mut written = Written { runs: Vec::new(), keys: Vec::new(), differences: Vec::new() };
    let (mut old, mut last) = (before.iter().peekable(), [0; 3]);
    for item in now.iter() {
        while old.next_if(|old| old.key < item.key).is_some() {
            written.fate(RunKind::Dropped);
        }
        match old.next_if(|old| old.key == item.key) {
            Some(old) if old == item => written.fate(RunKind::Kept),
            Some(old) => {
                written.fate(RunKind::Changed);
                written.difference(item, &old.words);
            }
            None => {
                written.fate(RunKind::New);
                write_key(item.key, last, &mut written.keys);
                written.difference(item, &[0; N]);
            }
        }
        last = item.key;
    }
    old.for_each(|_| written.fate(RunKind::Dropped));
    written.write(out);
    std::mem::swap(before, now);
}

/// Parts of a list that is being encoded.
struct Written<const N: usize> {
    runs: Vec<(RunKind, u64)>,
    keys: Vec<u8>,
    differences: Vec<(u8, [u32; N])>,
}

impl<const N: usize> Written<N> {
    fn fate(&mut self, fate: RunKind) {
        match self.runs.last_mut() {
            Some((last, count)) if *last == fate => *count += 1,
            _ => self.runs.push((fate, 1)),
        }
    }

    fn difference(&mut self, item: &Item<N>, before: &[u32; N]) {
        let mut words = item.words;
        words.iter_mut().zip(before).for_each(|(word, before)| *word = difference(*word, *before));
        self.differences.push((item.flags, words));
    }

    fn write(&self, out: &mut Vec<u8>) {
        write_number(self.runs.len() as u64, out);
        for &(fate, count) in &self.runs {
            write_number(count << 2 | fate as u64, out);
        }
        out.extend(&self.keys);
        out.extend(self.differences.iter().map(|(flags, _)| flags));
        for weight in (0..4).rev() {
            for word in 0..N {
                out.extend(self.differences.iter().map(|(_, words)| (words[word] >> (8 * weight)) as u8));
            }
        }
    }
}

/// Decodes a list relative to `before`, the list of the previous step.
///
/// # Errors
/// Fails if the bytes are not a valid list.
pub(super) fn unpack<const N: usize>(before: &[Item<N>], bytes: &[u8]) -> Result<Vec<Item<N>>, String> {
    let mut rest = bytes;
    let run_count = read_number(&mut rest)?;
    let mut runs = Vec::new();
    let (mut of_old, mut fresh) = (0_u64, 0_u64);
    for _ in 0..run_count {
        let code = read_number(&mut rest)?;
        let (fate, count) = (RunKind::ALL[(code & 3) as usize], code >> 2);
        of_old = of_old.saturating_add(if fate == RunKind::New { 0 } else { count });
        fresh = fresh.saturating_add(if matches!(fate, RunKind::New | RunKind::Changed) { count } else { 0 });
        runs.push((fate, count));
    }
    if of_old != before.len() as u64 {
        return Err(format!("a list follows {} items and speaks of {of_old}", before.len()));
    }
    // Each new or changed item takes at least one byte, so the number of remaining bytes limits the
    // number of such items.
    if fresh > rest.len() as u64 {
        return Err("a list ends within its items".to_owned());
    }
    let mut now: Vec<Item<N>> = Vec::new();
    let mut is_fresh = Vec::new();
    let (mut old, mut last) = (before.iter(), None);
    for (fate, count) in runs {
        for _ in 0..count {
            let item = match fate {
                RunKind::New => {
                    let key = read_key(last.unwrap_or([0; 3]), &mut rest)?;
                    Some(Item { key, flags: 0, words: [0; N] })
                }
                _ => old.next().copied(),
            };
            let Some(item) = item.filter(|_| fate != RunKind::Dropped) else { continue };
            if last.is_some_and(|last| last >= item.key) {
                return Err("a list is not in order".to_owned());
            }
            last = Some(item.key);
            is_fresh.push(fate != RunKind::Kept);
            now.push(item);
        }
    }
    read_differences(&mut now, &is_fresh, fresh as usize, rest)?;
    Ok(now)
}

/// Reads the flags and words of the `count` new or changed items, those with `is_fresh`.
fn read_differences<const N: usize>(
    now: &mut [Item<N>],
    is_fresh: &[bool],
    count: usize,
    bytes: &[u8],
) -> Result<(), String> {
    if bytes.len() as u64 != count as u64 * (1 + 4 * N as u64) {
        return Err("a list has too few or too many words".to_owned());
    }
    let fresh = now.iter_mut().zip(is_fresh).filter(|(_, is_fresh)| **is_fresh).map(|(item, _)| item);
    for (at, item) in fresh.enumerate() {
        item.flags = bytes[at];
        for (word, value) in item.words.iter_mut().enumerate() {
            let byte = |place: usize| bytes[count * (1 + place * N + word) + at];
            *value = after(*value, u32::from_be_bytes(from_each(byte)));
        }
    }
    Ok(())
}

/// Returns the difference of two words modulo 2³² in zigzag encoding: small numbers for close words,
/// even for an increase and odd for a decrease.
fn difference(word: u32, before: u32) -> u32 {
    let more = word.wrapping_sub(before) as i32;
    (more << 1 ^ more >> 31) as u32
}

/// Returns the word `before` plus a zigzag-encoded difference.
fn after(before: u32, difference: u32) -> u32 {
    let more = (difference >> 1) ^ (difference & 1).wrapping_neg();
    before.wrapping_add(more)
}

/// Writes a number with seven bits per byte, the least significant first.
fn write_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Result<u64, String> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or("a list ends within a number")?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err("a number of a list is too long".to_owned())
}

/// Writes a key relative to `last`, the smaller key before it (zeros for the first key). The first part
/// that differs is written as the difference, later parts as they are.
fn write_key(key: [u32; 3], last: [u32; 3], out: &mut Vec<u8>) {
    let mut is_same = true;
    for (part, last) in key.into_iter().zip(last) {
        write_number(u64::from(if is_same { part.wrapping_sub(last) } else { part }), out);
        is_same &= part == last;
    }
}

fn read_key(last: [u32; 3], bytes: &mut &[u8]) -> Result<[u32; 3], String> {
    let (mut key, mut is_same) = ([0; 3], true);
    for (part, last) in key.iter_mut().zip(last) {
        let from = if is_same { u64::from(last) } else { 0 };
        let number = read_number(bytes)?.saturating_add(from);
        *part = u32::try_from(number).map_err(|_| "a key of a list is too large".to_owned())?;
        is_same &= *part == last;
    }
    Ok(key)
}

/// Returns the bits of a number as `f32`, rounded to `significant` of the 24 significant bits. A number
/// beyond the range of `f32` becomes the largest finite one.
fn rounded(value: f64, significant: u32) -> u32 {
    let bits = (value.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32).to_bits();
    let dropped = 24 - significant;
    if dropped == 0 {
        return bits;
    }
    let half = 1 << (dropped - 1);
    let near = bits.saturating_add(half) & !((1 << dropped) - 1);
    // If rounding up gives infinity, rounds down.
    if f32::from_bits(near).is_finite() { near } else { bits & !((1 << dropped) - 1) }
}

fn number(word: u32) -> Result<f64, String> {
    let value = f64::from(f32::from_bits(word));
    if value.is_finite() { Ok(value) } else { Err("a number of a list is not finite".to_owned()) }
}
