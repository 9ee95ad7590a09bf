//! Tests of all MessagePack encodings of a value: its bytes, and the value that they decode to.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeOwned, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{Decoded, Decoder};

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Decoded<T> {
    let mut decoder = Decoder::new(bytes);
    let value = T::deserialize(&mut decoder)?;
    decoder.end().map(|()| value)
}

#[test]
fn whole_numbers_of_every_width_keep_their_value_and_sign() {
    let rows: [(&[u8], i128); 21] = [
        (&[0x00], 0),
        (&[0x7f], 127),
        (&[0xe0], -32),
        (&[0xff], -1),
        (&[0xcc, 0x80], 128),
        (&[0xcc, 0xff], 255),
        (&[0xcd, 0x01, 0x02], 258),
        (&[0xcd, 0xff, 0xff], 65_535),
        (&[0xce, 0x00, 0x01, 0x00, 0x02], 65_538),
        (&[0xce, 0xff, 0xff, 0xff, 0xff], 4_294_967_295),
        (&[0xcf, 0, 0, 0, 1, 0, 0, 0, 2], 4_294_967_298),
        (&[0xcf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 18_446_744_073_709_551_615),
        (&[0xd0, 0x7f], 127),
        (&[0xd0, 0x80], -128),
        (&[0xd1, 0x7f, 0xff], 32_767),
        (&[0xd1, 0x80, 0x00], -32_768),
        (&[0xd1, 0xff, 0x00], -256),
        (&[0xd2, 0x80, 0x00, 0x00, 0x00], -2_147_483_648),
        (&[0xd2, 0xff, 0xff, 0x00, 0x00], -65_536),
        (&[0xd3, 0x80, 0, 0, 0, 0, 0, 0, 0], -9_223_372_036_854_775_808),
        (&[0xd3, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0], -4_294_967_296),
    ];
    for (bytes, wanted) in rows {
        let found = read::<i64>(bytes).map(i128::from).or_else(|_| read::<u64>(bytes).map(i128::from));
        assert_eq!(found.unwrap(), wanted, "{bytes:x?}");
    }
}

#[test]
fn other_values_are_what_their_bytes_say() {
    assert_eq!((read::<bool>(&[0xc2]).unwrap(), read::<bool>(&[0xc3]).unwrap()), (false, true));
    assert_eq!(read::<f32>(&[0xca, 0xbf, 0xc0, 0, 0]).unwrap(), -1.5);
    assert_eq!(read::<f64>(&[0xcb, 0xbf, 0xf8, 0, 0, 0, 0, 0, 0]).unwrap(), -1.5);
    for bytes in [&[0xc0][..], &[0x90]] {
        read::<()>(bytes).unwrap();
    }
    assert_eq!(read::<Option<u8>>(&[0xc0]).unwrap(), None);
    assert_eq!(read::<Option<u8>>(&[5]).unwrap(), Some(5));
    for head in [&[0xa3][..], &[0xd9, 3], &[0xda, 0, 3], &[0xdb, 0, 0, 0, 3]] {
        assert_eq!(read::<String>(&[head, b"abc"].concat()).unwrap(), "abc", "{head:x?}");
    }
    for head in [&[0xc4, 3][..], &[0xc5, 0, 3], &[0xc6, 0, 0, 0, 3]] {
        let bytes = [head, &[7, 8, 9]].concat();
        let mut decoder = Decoder::new(&bytes);
        assert!(matches!(decoder.item(), Ok(super::Item::Bytes([7, 8, 9]))), "{head:x?}");
    }
    for wrong in [&[0xa2, 0xff, 0xfe][..], &[0xc1], &[0xd4, 0, 0], &[0xa3, b'a']] {
        assert!(read::<IgnoredAny>(wrong).is_err(), "{wrong:x?}");
    }
}

/// Returns `head` followed by `count` values, each made from its index.
fn many(head: &[u8], count: u16, value: impl Fn(u16) -> Vec<u8>) -> Vec<u8> {
    [head.to_vec(), (0..count).flat_map(value).collect()].concat()
}

#[test]
fn lists_and_maps_of_every_width_have_all_their_values() {
    let number = |k: u16| [&[0xcd][..], &k.to_be_bytes()].concat();
    let pair = |k: u16| [number(k), number(k + 1)].concat();
    let rows: [(&[u8], &[u8], u16); 4] = [
        (&[0x92], &[0x82], 2),
        (&[0xdc, 0, 3], &[0xde, 0, 3], 3),
        (&[0xdc, 1, 4], &[0xde, 1, 4], 260),
        (&[0xdd, 0, 0, 1, 4], &[0xdf, 0, 0, 1, 4], 260),
    ];
    for (list, map, count) in rows {
        let (list, map) = (many(list, count, number), many(map, count, pair));
        assert_eq!(read::<Vec<u16>>(&list).unwrap(), (0..count).collect::<Vec<_>>());
        let wanted: BTreeMap<u16, u16> = (0..count).map(|k| (k, k + 1)).collect();
        assert_eq!(read::<BTreeMap<u16, u16>>(&map).unwrap(), wanted);
        // A value that the type does not need is skipped as a whole.
        for value in [list, map] {
            let both = [&[0x92], &value[..], &[9]].concat();
            assert_eq!(read::<(IgnoredAny, u8)>(&both).unwrap().1, 9);
        }
    }
}

#[derive(Debug, PartialEq, Deserialize)]
enum Kind {
    Plain,
    Held(u8),
}

/// Tests a variant that has lost its value, read from a file in which it still has the value.
#[test]
fn the_value_of_a_unit_variant_is_skipped() {
    let plain = [&[0x92, 0x81, 0xa5][..], b"Plain", &[0x92, 1, 2, 7]].concat();
    assert_eq!(read::<(Kind, u8)>(&plain).unwrap(), (Kind::Plain, 7));
    let alone = [&[0x92, 0xa5][..], b"Plain", &[7]].concat();
    assert_eq!(read::<(Kind, u8)>(&alone).unwrap(), (Kind::Plain, 7));
    let held = [&[0x92, 0x81, 0xa4][..], b"Held", &[1, 7]].concat();
    assert_eq!(read::<(Kind, u8)>(&held).unwrap(), (Kind::Held(1), 7));
}

/// Size hint of a list, taken before its first value is read.
struct Announced(Option<usize>);

impl<'de> Visitor<'de> for &mut Announced {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        self.0 = list.size_hint();
        Ok(())
    }
}

/// Tests that a size hint never exceeds the number of bytes that are left. Callers reserve memory for
/// that many values.
#[test]
fn a_list_announces_no_more_values_than_bytes_are_left() {
    for (bytes, wanted) in [
        (&[0x93, 1, 2, 3][..], 3),
        (&[0x92, 0xcd, 0, 1, 2], 2),
        (&[0xdd, 0xff, 0xff, 0xff, 0xff, 1, 2], 2),
        (&[0xdd, 0xff, 0xff, 0xff, 0xff], 0),
    ] {
        let mut announced = Announced(None);
        // The visitor reads no value of the list, so this is an error.
        let read = Decoder::new(bytes).deserialize_seq(&mut announced);
        assert!(read.is_err());
        assert_eq!(announced.0, Some(wanted), "{bytes:x?}");
    }
}
