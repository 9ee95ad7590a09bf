//! The text of a scene file, parsed, and errors at its lines.

use std::ops::Range;

use serde::Deserialize;
use toml::Deserializer;
use toml::de::DeTable;

use super::error::SceneError;
use super::setting::Setting;
use super::sidecar::SceneFile;
use crate::import::alike::most_alike;

/// Text of a scene file, its name in messages, and the values that replace some of its keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub name: &'a str,
    pub text: &'a str,
    pub settings: &'a [Setting],
}

/// Reason why a text with settings is no scene file.
enum Fault {
    Text(toml::de::Error),
    Setting(String),
}

impl Source<'_> {
    /// Parses the text and replaces the keys that the settings name.
    pub fn parse(&self) -> Result<SceneFile, SceneError> {
        let file = parsed(self.text, self.settings).map_err(|fault| self.blamed(fault))?;
        self.check_places()?;
        Ok(file)
    }

    /// Returns an error if two settings set the same key, or a key and a part of it.
    fn check_places(&self) -> Result<(), SceneError> {
        let Ok(table) = DeTable::parse(self.text) else { return Ok(()) };
        let places: Vec<Vec<String>> =
            self.settings.iter().map(|setting| setting.place(table.get_ref())).collect();
        let is_within = |a: usize, b: usize| places[a].starts_with(&places[b]);
        let mut pairs = (0..places.len()).flat_map(|k| (0..k).map(move |other| (k, other)));
        match pairs.find(|&(k, other)| is_within(k, other) || is_within(other, k)) {
            Some((k, other)) => {
                let [setting, other] = [k, other].map(|at| self.settings[at].to_string());
                Err(SceneError::SamePlace { file: self.name.to_owned(), setting, other })
            }
            None => Ok(()),
        }
    }

    /// Returns the error for a fault. If the text alone has no fault, the first setting that makes one
    /// is to blame.
    fn blamed(&self, fault: Fault) -> SceneError {
        let own = if self.settings.is_empty() { Some(fault) } else { parsed(self.text, &[]).err() };
        if let Some(Fault::Text(error)) = own {
            let reason = with_suggestion(error.message());
            return match error.span() {
                Some(span) => self.error(span, reason),
                None => SceneError::Text { file: self.name.to_owned(), line: None, reason },
            };
        }
        let failed =
            |count: usize| parsed(self.text, &self.settings[..count]).err().map(|fault| (count, fault));
        let (setting, reason) = match (1..=self.settings.len()).find_map(failed) {
            Some((count, fault)) => (self.settings[count - 1].to_string(), fault.reason()),
            None => Default::default(),
        };
        SceneError::Setting { file: self.name.to_owned(), setting, reason }
    }

    /// Returns an error at the line where a byte range of the text begins.
    pub fn error(&self, span: Range<usize>, reason: impl Into<String>) -> SceneError {
        let before = self.text.bytes().take(span.start);
        let line = Some(1 + before.filter(|&b| b == b'\n').count());
        SceneError::Text { file: self.name.to_owned(), line, reason: reason.into() }
    }
}

impl Fault {
    fn reason(self) -> String {
        match self {
            Self::Text(error) => with_suggestion(error.message()),
            Self::Setting(reason) => reason,
        }
    }
}

fn parsed(text: &str, settings: &[Setting]) -> Result<SceneFile, Fault> {
    let mut table = DeTable::parse(text).map_err(Fault::Text)?;
    for setting in settings {
        setting.apply(&mut table).map_err(Fault::Setting)?;
    }
    SceneFile::deserialize(Deserializer::from(table)).map_err(Fault::Text)
}

/// Adds the most similar of the words that are allowed, if the message of an unknown word lists them.
fn with_suggestion(message: &str) -> String {
    let mut words = message.split('`').skip(1).step_by(2);
    let is_unknown = message.starts_with("unknown field") || message.starts_with("unknown variant");
    match words.next().and_then(|wanted| most_alike(wanted, words)).filter(|_| is_unknown) {
        Some(word) => format!("{message}; did you mean `{word}`?"),
        None => message.to_owned(),
    }
}
