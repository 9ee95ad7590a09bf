//! Decoder of MessagePack to the values of a recording.
//!
//! One function that does not depend on the type parses the bytes; the code per type calls it and does
//! little else. (`rmp-serde` compiles the parsing of all values once per type, which was a seventh of
//! all compiled code.) Structures and variants are read by name, as they are written. Text is borrowed,
//! a claimed length allocates nothing, and bytes after a value are an error.
//!
//! - `spellings.rs`: tests of every encoding of a value.
//! - `typed.rs`: the part that is compiled per type.

#[cfg(test)]
mod spellings;
mod typed;

use std::fmt;

use rmp::Marker;
use serde::de::{Error, Expected, Unexpected};

/// Reason why bytes do not encode the requested value.
#[derive(Debug)]
pub struct DecodeError(Box<str>);

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DecodeError {}

impl Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string().into())
    }
}

type Decoded<T> = Result<T, DecodeError>;

fn wrong<T>(message: &str) -> Decoded<T> {
    Err(DecodeError(message.into()))
}

/// Reader of consecutive values from bytes.
pub(super) struct Decoder<'a> {
    rest: &'a [u8],
}

/// A scalar or text, or the header of a list or map, whose values follow.
enum Item<'a> {
    Nil,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    F32(f32),
    F64(f64),
    Text(&'a str),
    Bytes(&'a [u8]),
    /// List; the number of values that follow.
    List(u32),
    /// Map; the number of pairs of values that follow.
    Map(u32),
}

impl Item<'_> {
    #[cold]
    fn instead(&self, of: &dyn Expected) -> DecodeError {
        let found = match *self {
            Self::Nil => Unexpected::Unit,
            Self::Bool(b) => Unexpected::Bool(b),
            Self::Unsigned(n) => Unexpected::Unsigned(n),
            Self::Signed(n) => Unexpected::Signed(n),
            Self::F32(x) => Unexpected::Float(x.into()),
            Self::F64(x) => Unexpected::Float(x),
            Self::Text(text) => Unexpected::Str(text),
            Self::Bytes(bytes) => Unexpected::Bytes(bytes),
            Self::List(_) => Unexpected::Seq,
            Self::Map(_) => Unexpected::Map,
        };
        Error::invalid_type(found, of)
    }
}

impl<'a> Decoder<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Fails if bytes are left after the last value.
    pub fn end(&self) -> Decoded<()> {
        match self.rest.len() {
            0 => Ok(()),
            more => Err(DecodeError(format!("{more} bytes follow the value").into())),
        }
    }

    fn take(&mut self, count: usize) -> Decoded<&'a [u8]> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            return wrong("the bytes end within a value");
        };
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Decoded<[u8; N]> {
        let Some((&taken, rest)) = self.rest.split_first_chunk() else {
            return wrong("the bytes end within a value");
        };
        self.rest = rest;
        Ok(taken)
    }

    /// Reads a big-endian integer of 1, 2, 4 or 8 bytes.
    fn unsigned(&mut self, bytes: usize) -> Decoded<u64> {
        Ok(self.take(bytes)?.iter().fold(0, |n, &byte| n << 8 | u64::from(byte)))
    }

    fn signed(&mut self, bytes: usize) -> Decoded<i64> {
        let unused = 64 - 8 * bytes;
        Ok((self.unsigned(bytes)? << unused) as i64 >> unused)
    }

    fn text(&mut self, length: u64) -> Decoded<Item<'a>> {
        let bytes = self.take(length as usize)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Item::Text(text)),
            Err(_) => wrong("a text is not UTF-8"),
        }
    }

    fn item(&mut self) -> Decoded<Item<'a>> {
        let [head] = self.array()?;
        let item = match Marker::from_u8(head) {
            Marker::Null => Item::Nil,
            Marker::True => Item::Bool(true),
            Marker::False => Item::Bool(false),
            Marker::FixPos(n) => Item::Unsigned(n.into()),
            Marker::U8 => Item::Unsigned(self.unsigned(1)?),
            Marker::U16 => Item::Unsigned(self.unsigned(2)?),
            Marker::U32 => Item::Unsigned(self.unsigned(4)?),
            Marker::U64 => Item::Unsigned(self.unsigned(8)?),
            Marker::FixNeg(n) => Item::Signed(n.into()),
            Marker::I8 => Item::Signed(self.signed(1)?),
            Marker::I16 => Item::Signed(self.signed(2)?),
            Marker::I32 => Item::Signed(self.signed(4)?),
            Marker::I64 => Item::Signed(self.signed(8)?),
            Marker::F32 => Item::F32(f32::from_be_bytes(self.array()?)),
            Marker::F64 => Item::F64(f64::from_be_bytes(self.array()?)),
            Marker::FixStr(length) => self.text(length.into())?,
            Marker::Str8 => self.unsigned(1).and_then(|n| self.text(n))?,
            Marker::Str16 => self.unsigned(2).and_then(|n| self.text(n))?,
            Marker::Str32 => self.unsigned(4).and_then(|n| self.text(n))?,
            Marker::Bin8 => self.unsigned(1).and_then(|n| self.take(n as usize)).map(Item::Bytes)?,
            Marker::Bin16 => self.unsigned(2).and_then(|n| self.take(n as usize)).map(Item::Bytes)?,
            Marker::Bin32 => self.unsigned(4).and_then(|n| self.take(n as usize)).map(Item::Bytes)?,
            Marker::FixArray(length) => Item::List(length.into()),
            Marker::Array16 => Item::List(self.unsigned(2)? as u32),
            Marker::Array32 => Item::List(self.unsigned(4)? as u32),
            Marker::FixMap(length) => Item::Map(length.into()),
            Marker::Map16 => Item::Map(self.unsigned(2)? as u32),
            Marker::Map32 => Item::Map(self.unsigned(4)? as u32),
            _ => return wrong("a value is of a kind that recordings do not have"),
        };
        Ok(item)
    }

    /// Reads the name of a field or a variant.
    fn name(&mut self) -> Decoded<&'a str> {
        match self.item()? {
            Item::Text(name) => Ok(name),
            other => Err(other.instead(&"a name")),
        }
    }

    fn list(&mut self, of: &dyn Expected) -> Decoded<u32> {
        match self.item()? {
            Item::List(length) => Ok(length),
            other => Err(other.instead(of)),
        }
    }

    fn map(&mut self, of: &dyn Expected) -> Decoded<u32> {
        match self.item()? {
            Item::Map(length) => Ok(length),
            other => Err(other.instead(of)),
        }
    }

    /// Skips a value, including all nested values.
    fn skip(&mut self) -> Decoded<()> {
        let mut left = 1u64;
        while left > 0 {
            left = left - 1
                + match self.item()? {
                    Item::List(length) => u64::from(length),
                    Item::Map(length) => 2 * u64::from(length),
                    _ => 0,
                };
        }
        Ok(())
    }

    fn is_nil(&mut self) -> bool {
        let nil = self.rest.first() == Some(&Marker::Null.to_u8());
        if nil {
            self.rest = &self.rest[1..];
        }
        nil
    }
}
