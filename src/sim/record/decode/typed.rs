//! Part of the decoder that is compiled once per type, and is therefore kept small.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};

use super::{DecodeError, Decoded, Decoder, Item, wrong};

impl<'a> Decoder<'a> {
    /// Reads a scalar or text of any kind.
    fn scalar<V: Visitor<'a>>(&mut self, visitor: V) -> Decoded<V::Value> {
        match self.item()? {
            Item::Bool(b) => visitor.visit_bool(b),
            Item::Unsigned(n) => visitor.visit_u64(n),
            Item::Signed(n) => visitor.visit_i64(n),
            Item::F32(x) => visitor.visit_f32(x),
            Item::F64(x) => visitor.visit_f64(x),
            Item::Text(text) => visitor.visit_borrowed_str(text),
            Item::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            other => Err(other.instead(&visitor)),
        }
    }
}

macro_rules! as_scalar {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'a>>(self, visitor: V) -> Decoded<V::Value> {
            self.scalar(visitor)
        }
    )*};
}

impl<'a> Deserializer<'a> for &mut Decoder<'a> {
    type Error = DecodeError;

    as_scalar! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8
        deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f32 deserialize_f64 deserialize_char
        deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    /// Reads a value of any kind, for types that accept more than one kind.
    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Decoded<V::Value> {
        let before = self.rest;
        let item = self.item()?;
        self.rest = before;
        match item {
            Item::List(_) => self.deserialize_seq(visitor),
            Item::Map(_) => self.deserialize_map(visitor),
            Item::Nil => self.deserialize_unit(visitor),
            _ => self.scalar(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Decoded<V::Value> {
        if self.is_nil() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit<V: Visitor<'a>>(self, visitor: V) -> Decoded<V::Value> {
        match self.item()? {
            Item::Nil | Item::List(0) => visitor.visit_unit(),
            other => Err(other.instead(&visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'a>>(self, _: &'static str, visitor: V) -> Decoded<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(self, _: &'static str, visitor: V) -> Decoded<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'a>>(self, visitor: V) -> Decoded<V::Value> {
        let mut items = Items { left: self.list(&visitor)?, decoder: self };
        let value = visitor.visit_seq(&mut items)?;
        items.end().map(|()| value)
    }

    fn deserialize_tuple<V: Visitor<'a>>(self, _: usize, visitor: V) -> Decoded<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Decoded<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'a>>(self, visitor: V) -> Decoded<V::Value> {
        let mut items = Items { left: self.map(&visitor)?, decoder: self };
        let value = visitor.visit_map(&mut items)?;
        items.end().map(|()| value)
    }

    fn deserialize_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Decoded<V::Value> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Decoded<V::Value> {
        match self.item()? {
            Item::Text(name) => visitor.visit_enum(Variant { decoder: self, name, holds_a_value: false }),
            Item::Map(1) => {
                let name = self.name()?;
                visitor.visit_enum(Variant { decoder: self, name, holds_a_value: true })
            }
            other => Err(other.instead(&visitor)),
        }
    }

    fn deserialize_identifier<V: Visitor<'a>>(self, visitor: V) -> Decoded<V::Value> {
        let name = self.name()?;
        visitor.visit_str(name)
    }

    fn deserialize_ignored_any<V: Visitor<'a>>(self, visitor: V) -> Decoded<V::Value> {
        self.skip()?;
        visitor.visit_unit()
    }
}

/// Values of a list, or pairs of a map, that are still to be read.
struct Items<'d, 'a> {
    decoder: &'d mut Decoder<'a>,
    left: u32,
}

impl Items<'_, '_> {
    fn end(&self) -> Decoded<()> {
        if self.left == 0 { Ok(()) } else { wrong("a list is longer than what it stands for") }
    }

    fn next(&mut self) -> bool {
        let more = self.left > 0;
        self.left -= u32::from(more);
        more
    }
}

impl<'a> SeqAccess<'a> for &mut Items<'_, 'a> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Decoded<Option<T::Value>> {
        if self.next() { seed.deserialize(&mut *self.decoder).map(Some) } else { Ok(None) }
    }

    /// Limits the hint to the number of bytes that are left, because each value takes at least one
    /// byte.
    fn size_hint(&self) -> Option<usize> {
        Some(self.decoder.rest.len().min(self.left as usize))
    }
}

impl<'a> MapAccess<'a> for &mut Items<'_, 'a> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Decoded<Option<K::Value>> {
        self.next_element_seed(seed)
    }

    fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> Decoded<V::Value> {
        seed.deserialize(&mut *self.decoder)
    }

    fn size_hint(&self) -> Option<usize> {
        SeqAccess::size_hint(self)
    }
}

/// Variant of an enumeration: its name alone, or its name with a value.
struct Variant<'d, 'a> {
    decoder: &'d mut Decoder<'a>,
    name: &'a str,
    holds_a_value: bool,
}

impl<'d, 'a> Variant<'d, 'a> {
    fn value(self) -> Decoded<&'d mut Decoder<'a>> {
        if self.holds_a_value {
            Ok(self.decoder)
        } else {
            wrong("a variant has nothing where it has a value")
        }
    }
}

impl<'a> EnumAccess<'a> for Variant<'_, 'a> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'a>>(self, seed: V) -> Decoded<(V::Value, Self)> {
        let name = BorrowedStrDeserializer::<DecodeError>::new(self.name);
        seed.deserialize(name).map(|variant| (variant, self))
    }
}

impl<'a> VariantAccess<'a> for Variant<'_, 'a> {
    type Error = DecodeError;

    fn unit_variant(self) -> Decoded<()> {
        if self.holds_a_value { self.decoder.skip() } else { Ok(()) }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Decoded<T::Value> {
        seed.deserialize(self.value()?)
    }

    fn tuple_variant<V: Visitor<'a>>(self, _: usize, visitor: V) -> Decoded<V::Value> {
        self.value()?.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'a>>(self, _: &'static [&'static str], visitor: V) -> Decoded<V::Value> {
        self.value()?.deserialize_map(visitor)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::{Deserialize, Serialize};

    use crate::record::format::{decode, encode};

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Kind {
        Plain,
        Held(i64),
        Two(u8, Option<f32>),
        #[serde(rename = "with-fields")]
        Fields {
            a: Vec<u64>,
            b: (bool, char),
        },
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Wrapped(i32);

    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    struct All {
        text: String,
        kinds: Vec<Kind>,
        #[serde(default)]
        map: BTreeMap<String, u32>,
        wrapped: Option<Wrapped>,
        bits: [f64; 3],
        nothing: (),
    }

    /// Data as an older or newer program would write it, with an additional field.
    #[derive(Serialize)]
    struct Other<'a> {
        unknown: Vec<BTreeMap<String, Kind>>,
        #[serde(flatten)]
        known: &'a BTreeMap<String, Kind>,
    }

    fn kind() -> impl Strategy<Value = Kind> {
        prop_oneof![
            Just(Kind::Plain),
            any::<i64>().prop_map(Kind::Held),
            any::<(u8, Option<f32>)>().prop_map(|(a, b)| Kind::Two(a, b)),
            any::<(Vec<u64>, (bool, char))>().prop_map(|(a, b)| Kind::Fields { a, b }),
        ]
    }

    fn all() -> impl Strategy<Value = All> {
        let lists = (proptest::collection::vec(kind(), 0..20), any::<BTreeMap<String, u32>>());
        (any::<String>(), lists, any::<Option<i32>>(), any::<[f64; 3]>()).prop_map(
            |(text, (kinds, map), wrapped, bits)| All {
                text,
                kinds,
                map,
                wrapped: wrapped.map(Wrapped),
                bits,
                nothing: (),
            },
        )
    }

    fn bytes_of(value: &impl Serialize) -> Vec<u8> {
        let mut bytes = Vec::new();
        encode(value, &mut bytes).unwrap();
        bytes
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_again_bit_for_bit(value in all()) {
            let bytes = bytes_of(&value);
            let again: All = decode(&bytes).unwrap();
            prop_assert_eq!(bytes_of(&again), bytes.clone());
            // `rmp_serde` is the decoder that recordings used before.
            let reference: All = rmp_serde::from_slice(&bytes).unwrap();
            prop_assert_eq!(bytes_of(&reference), bytes);
        }

        #[test]
        fn cut_or_changed_bytes_are_an_error_or_another_value(value in all(), at: prop::sample::Index, to: u8) {
            let bytes = bytes_of(&value);
            let place = at.index(bytes.len());
            prop_assert!(decode::<All>(&bytes[..place]).is_err());
            prop_assert!(decode::<All>(&[&bytes[..], &[to]].concat()).is_err());
            let mut changed = bytes;
            changed[place] = to;
            if let Ok(value) = decode::<All>(&changed) {
                let bytes = bytes_of(&value);
                prop_assert_eq!(bytes_of(&decode::<All>(&bytes).unwrap()), bytes);
            }
        }
    }

    #[test]
    fn fields_that_nobody_knows_are_passed_over_and_missing_ones_are_named() {
        let known = BTreeMap::from([("b".to_owned(), Kind::Held(-3))]);
        let bytes = bytes_of(&Other { unknown: vec![known.clone(), known.clone()], known: &known });

        #[derive(Debug, Deserialize)]
        struct Few {
            b: Kind,
        }
        assert_eq!(decode::<Few>(&bytes).unwrap().b, Kind::Held(-3));
        let missing = decode::<All>(&bytes).unwrap_err().to_string();
        assert!(missing.contains("missing field `text`"), "{missing}");
    }

    #[test]
    fn wrong_kinds_and_lengths_say_what_was_expected() {
        let of = |bytes: &[u8]| decode::<(u8, u8)>(bytes).unwrap_err().to_string();
        assert!(of(&bytes_of(&"text")).contains("invalid type: string \"text\", expected a tuple of size 2"));
        assert!(of(&bytes_of(&[1, 2, 3])).contains("longer than what it stands for"));
        assert!(of(&bytes_of(&[1, 300])).contains("invalid value: integer `300`, expected u8"));
        let of = |bytes: &[u8]| decode::<Kind>(bytes).unwrap_err().to_string();
        assert!(of(&bytes_of(&"Held")).contains("a variant has nothing where it has a value"));
        assert!(of(&bytes_of(&"Unheard")).contains("unknown variant `Unheard`"));
    }

    #[test]
    fn a_length_that_is_only_claimed_takes_no_memory() {
        // The bytes claim a list of 2³² − 1 values, the first of which claims the same length.
        let claimed = [0xdd, 0xff, 0xff, 0xff, 0xff].repeat(2);
        assert!(decode::<Vec<Vec<u64>>>(&claimed).is_err());
        assert!(decode::<()>(&[0xc7, 0, 0]).is_err());
    }
}
