//! Round trips of packed lists, and tests of damaged lists.

use super::*;
use crate::random::Random;

fn below(random: &mut Random, limit: u32) -> u32 {
    (random.uniform() * f64::from(limit)) as u32
}

/// Creates a random list that shares most keys, and many words, with `before`.
fn list(random: &mut Random, before: &[Item<3>]) -> Vec<Item<3>> {
    let mut keys: Vec<[u32; 3]> = before.iter().map(|item| item.key).collect();
    keys.retain(|_| below(random, 4) > 0);
    for _ in 0..below(random, 5) {
        keys.push([3, 400, 2].map(|limit| below(random, limit)));
    }
    keys.sort_unstable();
    keys.dedup();
    let mut item = |key: [u32; 3]| {
        let known = before.iter().find(|item| item.key == key);
        let mut item = known.copied().unwrap_or(Item { key, flags: 0, words: [7; 3] });
        if below(random, 2) == 0 {
            item.flags = below(random, 256) as u8;
            item.words[below(random, 3) as usize] = below(random, u32::MAX);
        }
        item
    };
    keys.into_iter().map(&mut item).collect()
}

#[test]
fn lists_come_back_as_they_were() {
    let mut random = Random::new(7, 0);
    let (mut written, mut read, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..500 {
        let now = if round % 7 == 6 { written.clone() } else { list(&mut random, &written) };
        pack(&mut written, &mut now.clone(), &mut bytes);
        read = unpack(&read, &bytes).unwrap();
        assert_eq!(read, now);
    }
}

#[test]
fn a_list_that_stays_takes_two_bytes() {
    let item = |k: u32| Item { key: [k, k, 0], flags: 1, words: [k; 3] };
    let mut before: Vec<Item<3>> = (0..10).map(item).collect();
    let mut bytes = Vec::new();
    pack(&mut before, &mut (0..10).map(item).collect(), &mut bytes);
    assert_eq!(bytes.len(), 2);
}

/// Tests that a damaged byte anywhere gives an error or a sorted list, which never has more items than
/// bytes and previous items allow.
#[test]
fn damaged_lists_are_refused_or_sorted() {
    let mut random = Random::new(3, 0);
    let (mut before, mut bytes) = (Vec::new(), Vec::new());
    for _ in 0..20 {
        let known = before.clone();
        pack(&mut before, &mut list(&mut random, &known), &mut bytes);
        for at in 0..bytes.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= change;
                if let Ok(list) = unpack(&known, &damaged) {
                    assert!(list.is_sorted_by(|x, y| x.key < y.key));
                    assert!(list.len() <= known.len() + bytes.len());
                }
            }
            assert!(unpack(&known, &bytes[..at]).is_err(), "cut at {at}");
        }
    }
}

#[test]
fn a_number_is_rounded_to_its_significant_digits() {
    for value in [1.0, -2.7512, 1e-20, 6.25e20, 0.0, f64::from(f32::MAX)] {
        let back = number(rounded(value, 16)).unwrap();
        assert!((back - value).abs() <= value.abs() * 2.0_f64.powi(-16), "{value}: {back}");
        assert_eq!(rounded(value, 16) & 0xff, 0);
    }
}
