//! Text file read line by line, with line numbers and a limit on the length of a line.

use std::borrow::Cow;
use std::io::{self, BufRead};

use super::fault::{Checked, fault};
use super::limits::{COORDINATE, LINE_BYTES};
use super::text::legible;

/// Lines of a text in any encoding. Bytes that are not UTF-8 become replacement characters.
pub(super) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    /// Whether the last line ended with a carriage return, whose line feed may follow.
    has_returned: bool,
    /// Number of the last line read, from 1.
    pub number: usize,
}

impl<R: BufRead> Lines<R> {
    pub fn new(input: R) -> Self {
        Self { input, line: Vec::new(), has_returned: false, number: 0 }
    }

    /// Returns the next line, trimmed; `None` at the end of the file.
    pub fn next(&mut self) -> Checked<Option<Cow<'_, str>>> {
        self.line.clear();
        self.number += 1;
        match self.fill() {
            Err(error) => return self.fault(format!("cannot be read: {error}")),
            Ok(false) => {
                self.number -= 1;
                return Ok(None);
            }
            Ok(true) if self.line.len() > LINE_BYTES => {
                return self.fault(format!("has more than {LINE_BYTES} bytes"));
            }
            Ok(true) => {}
        }
        let mark: &[u8] = if self.number == 1 { b"\xef\xbb\xbf" } else { b"" };
        let line = self.line.strip_prefix(mark).unwrap_or(&self.line);
        Ok(Some(String::from_utf8_lossy(line.trim_ascii())))
    }

    /// Reads a line of up to `LINE_BYTES` + 1 bytes. A line ends with a line feed, a carriage return,
    /// or both. Returns `false` at the end of the file.
    fn fill(&mut self) -> io::Result<bool> {
        let mut has_begun = false;
        loop {
            let bytes = self.input.fill_buf()?;
            if bytes.is_empty() || self.line.len() > LINE_BYTES {
                return Ok(has_begun);
            }
            // The line feed of a CR LF pair ends no further line.
            if std::mem::take(&mut self.has_returned) && bytes[0] == b'\n' {
                self.input.consume(1);
                continue;
            }
            has_begun = true;
            let room = LINE_BYTES + 1 - self.line.len();
            let bytes = &bytes[..bytes.len().min(room)];
            let end = bytes.iter().position(|b| matches!(b, b'\n' | b'\r'));
            self.line.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
            let taken = end.map_or(bytes.len(), |end| end + 1);
            self.has_returned = end.is_some_and(|end| bytes[end] == b'\r');
            self.input.consume(taken);
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    /// Returns an error at the last line read.
    pub fn fault<T>(&self, reason: impl Into<String>) -> Checked<T> {
        fault(line_place(self.number), reason)
    }
}

pub(super) fn line_place(number: usize) -> String {
    format!("line {number}")
}

/// Byte offsets at which the lines of a text begin. They convert many positions to line numbers without
/// a scan from the start for each.
pub(super) struct LineStarts(Vec<usize>);

impl LineStarts {
    pub fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at + 1).collect())
    }

    /// Returns the number of the line, from 1, that contains the byte offset `at`.
    pub fn line(&self, at: usize) -> usize {
        1 + self.0.partition_point(|&start| start <= at)
    }
}

/// Reads a finite coordinate of at most `COORDINATE` in absolute value.
pub(super) fn coordinate(word: &str) -> Result<f64, String> {
    match word.parse::<f64>() {
        Ok(value) if value.abs() <= COORDINATE => Ok(value),
        Ok(_) => Err(format!("{word} is not finite or beyond {COORDINATE:e}")),
        Err(_) => Err(format!("{} is not a number", quoted(word))),
    }
}

/// Quotes a word for a message. A long word is cut.
pub(super) fn quoted(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((end, _)) => format!("\"{}…\"", legible(&word[..end])),
        None => format!("\"{}\"", legible(word)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lose_their_ends_and_know_their_number() {
        let mut lines = Lines::new(&b"\xef\xbb\xbfa b\r\n\n  c\xff \nd\r\re\rlast"[..]);
        for wanted in ["a b", "", "c\u{fffd}", "d", "", "e", "last"] {
            assert_eq!(lines.next().unwrap().unwrap(), wanted);
        }
        assert_eq!(lines.number, 7);
        assert!(lines.next().unwrap().is_none());
        let long = vec![b'x'; LINE_BYTES + 1];
        assert!(Lines::new(&long[..]).next().is_err_and(|f| f.place == "line 1"));
    }

    #[test]
    fn places_have_the_line_that_they_stand_in() {
        let starts = LineStarts::of("ab\n\nc\r\nd");
        assert_eq!([0, 2, 3, 4, 6, 7].map(|at| starts.line(at)), [1, 1, 2, 3, 3, 4]);
    }

    #[test]
    fn coordinates_are_finite() {
        assert_eq!(coordinate("-1.5e-3"), Ok(-1.5e-3));
        for wrong in ["nan", "inf", "1e30", "1,5", "", "0x10", "\u{1b}[31m"] {
            let error = coordinate(wrong).unwrap_err();
            assert!(!error.contains('\u{1b}'), "{error}");
        }
    }
}
