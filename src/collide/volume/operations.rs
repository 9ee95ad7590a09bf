//! Counts of floating-point operations, by kind of operation.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    pub multiplications: u64,
    pub additions: u64,
    pub comparisons: u64,
}

impl Operations {
    #[inline]
    pub const fn new(multiplications: u64, additions: u64, comparisons: u64) -> Self {
        Self { multiplications, additions, comparisons }
    }

    #[inline]
    pub const fn and(self, other: Self) -> Self {
        Self {
            multiplications: self.multiplications + other.multiplications,
            additions: self.additions + other.additions,
            comparisons: self.comparisons + other.comparisons,
        }
    }

    #[inline]
    pub fn total(self) -> u64 {
        self.multiplications + self.additions + self.comparisons
    }

    /// Adds `count` times `other`.
    #[inline]
    pub fn add(&mut self, other: Self, count: u64) {
        self.multiplications += count * other.multiplications;
        self.additions += count * other.additions;
        self.comparisons += count * other.comparisons;
    }
}
