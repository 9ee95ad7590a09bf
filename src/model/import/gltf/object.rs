//! A JSON object of an extension, read key by key.

use std::collections::BTreeSet;

use glam::DVec3;
use serde_json::{Map, Value};

use crate::import::fault::{Checked, fault};

/// JSON object with its place in the file. It records which keys were read.
pub(super) struct Object<'a> {
    pub place: String,
    map: &'a Map<String, Value>,
    asked: BTreeSet<&'static str>,
}

impl<'a> Object<'a> {
    pub fn new(place: impl Into<String>, value: &'a Value) -> Checked<Self> {
        let place = place.into();
        match value.as_object() {
            Some(map) => Ok(Self { place, map, asked: BTreeSet::new() }),
            None => fault(place, "must be an object"),
        }
    }

    pub fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        self.asked.insert(key);
        self.map.get(key)
    }

    pub fn number(&mut self, key: &'static str) -> Checked<Option<f64>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match value.as_f64().filter(|x| x.is_finite()) {
            Some(number) => Ok(Some(number)),
            None => fault(&self.place, format!("{key} must be a finite number")),
        }
    }

    pub fn number_or(&mut self, key: &'static str, default: f64) -> Checked<f64> {
        Ok(self.number(key)?.unwrap_or(default))
    }

    pub fn at_least(&mut self, key: &'static str, least: f64, default: f64) -> Checked<f64> {
        let number = self.number_or(key, default)?;
        if number < least {
            return fault(&self.place, format!("{key} is {number}, it must be at least {least}"));
        }
        Ok(number)
    }

    pub fn flag(&mut self, key: &'static str) -> Checked<bool> {
        match self.get(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(value) => fault(&self.place, format!("{key} is {value}, it must be true or false")),
        }
    }

    pub fn numbers<const N: usize>(&mut self, key: &'static str) -> Checked<Option<[f64; N]>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let list: Option<Vec<f64>> = value.as_array().and_then(|a| a.iter().map(Value::as_f64).collect());
        match list.and_then(|l| <[f64; N]>::try_from(l).ok()).filter(|l| l.iter().all(|x| x.is_finite())) {
            Some(numbers) => Ok(Some(numbers)),
            None => fault(&self.place, format!("{key} must be {N} finite numbers")),
        }
    }

    pub fn vector(&mut self, key: &'static str) -> Checked<Option<DVec3>> {
        Ok(self.numbers::<3>(key)?.map(DVec3::from_array))
    }

    pub fn index(&mut self, key: &'static str, count: usize) -> Checked<Option<u32>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match value.as_u64().filter(|&i| i < count as u64) {
            Some(index) => Ok(Some(index as u32)),
            None => fault(&self.place, format!("{key} is {value}, there are {count}")),
        }
    }

    /// Returns the list of a key; empty if the key is missing.
    pub fn list(&mut self, key: &'static str) -> Checked<&'a [Value]> {
        match self.get(key) {
            None => Ok(&[]),
            Some(Value::Array(list)) => Ok(list),
            Some(_) => fault(&self.place, format!("{key} must be a list")),
        }
    }

    pub fn names(&mut self, key: &'static str) -> Checked<Option<Vec<String>>> {
        if self.get(key).is_none() {
            return Ok(None);
        }
        let names = self.list(key)?.iter().map(|v| v.as_str().map(str::to_owned)).collect();
        match names {
            Some(names) => Ok(Some(names)),
            None => fault(&self.place, format!("{key} must be names")),
        }
    }

    /// Returns the keys that no method has read, except common ones without meaning here.
    pub fn left_over(&self) -> Vec<&str> {
        let known = ["extras", "extensions", "name"];
        let strange = |k: &&str| !self.asked.contains(k) && !known.contains(k);
        self.map.keys().map(String::as_str).filter(strange).collect()
    }
}
