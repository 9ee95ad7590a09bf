//! A reader that counts its bytes, so that errors can name a position.

use std::io::{BufRead, Read, Result};

/// Reader that counts the bytes taken from it.
pub(super) struct Counted<R> {
    input: R,
    pub taken: u64,
}

impl<R: BufRead> Counted<R> {
    pub fn new(input: R) -> Self {
        Self { input, taken: 0 }
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.input.read(buffer)?;
        self.taken += count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.taken += count as u64;
        self.input.consume(count);
    }
}
