//! Text of a motion-capture file as words with line numbers, and errors with a line number.

/// Largest length or angle that is read; with larger values poses lose their significant digits.
const NUMBER_LIMIT: f64 = 1e7;

/// Error with its line, from 1.
#[derive(Debug)]
pub(super) struct Fault {
    pub line: usize,
    pub reason: String,
}

pub(super) type Checked<T> = Result<T, Fault>;

pub(super) fn fault<T>(line: usize, reason: impl Into<String>) -> Checked<T> {
    Err(Fault { line, reason: reason.into() })
}

/// Reads a finite number of at most `NUMBER_LIMIT` in absolute value.
pub(super) fn number(line: usize, word: &str) -> Checked<f64> {
    match word.parse::<f64>() {
        Ok(value) if value.abs() <= NUMBER_LIMIT => Ok(value),
        Ok(_) => fault(line, format!("{word} is not finite or beyond {NUMBER_LIMIT:e}")),
        Err(_) => fault(line, format!("{} is not a number", quoted(word))),
    }
}

/// Quotes a word for a message. A long word is cut.
pub(super) fn quoted(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((end, _)) => format!("{:?}…", &word[..end]),
        None => format!("{word:?}"),
    }
}

/// Words separated by white space, in order.
#[derive(Clone)]
pub(super) struct Words<'a> {
    rest: &'a str,
    /// Line of the last word read.
    pub line: usize,
}

impl<'a> Words<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { rest: text.trim_start_matches('\u{feff}'), line: 1 }
    }

    pub fn next(&mut self) -> Option<&'a str> {
        let start = self.rest.find(|c: char| !c.is_whitespace())?;
        self.line += self.rest[..start].matches('\n').count();
        let rest = &self.rest[start..];
        let (word, rest) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
        self.rest = rest;
        Some(word)
    }

    /// Returns the next word. At the end of the file, fails with an error that names `wanted`.
    pub fn need(&mut self, wanted: &str) -> Checked<&'a str> {
        let word = self.next();
        word.map_or_else(|| fault(self.line, format!("the file ends where {wanted} should be")), Ok)
    }

    /// Takes the next word. Fails unless it equals `keyword`, ignoring the case of letters.
    pub fn expect(&mut self, keyword: &str) -> Checked<()> {
        let word = self.need(keyword)?;
        if word.eq_ignore_ascii_case(keyword) {
            return Ok(());
        }
        fault(self.line, format!("expected {keyword}, found {}", quoted(word)))
    }

    pub fn number(&mut self, wanted: &str) -> Checked<f64> {
        let word = self.need(wanted)?;
        number(self.line, word)
    }

    pub fn count(&mut self, wanted: &str) -> Checked<usize> {
        let word = self.need(wanted)?;
        word.parse().or_else(|_| fault(self.line, format!("{} is not a count", quoted(word))))
    }

    /// Returns the rest of the text after the last word: its lines that are not empty, with their
    /// numbers.
    pub fn lines(self) -> impl Iterator<Item = (usize, &'a str)> {
        let first = self.line;
        let lines = self.rest.lines().enumerate().map(move |(at, line)| (first + at, line.trim()));
        lines.filter(|(_, line)| !line.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_lines_and_lines_go_on_after_them() {
        let mut words = Words::new("\u{feff}a b\r\n\n  c\nd e\n\n f");
        let mut seen = Vec::new();
        for _ in 0..3 {
            seen.push((words.next().unwrap(), words.line));
        }
        assert_eq!(seen, [("a", 1), ("b", 1), ("c", 3)]);
        assert_eq!(words.lines().collect::<Vec<_>>(), [(4, "d e"), (6, "f")]);
    }

    #[test]
    fn numbers_are_finite_and_of_a_size_that_can_be_meant() {
        assert_eq!(number(1, "-1.5e-3").unwrap(), -1.5e-3);
        for wrong in ["nan", "inf", "1e300", "1e8", "1,5", "", "0x10", "1.#QNAN"] {
            assert!(number(7, wrong).is_err_and(|f| f.line == 7), "{wrong}");
        }
    }
}
