//! Groups of things that hang together, as sets that are united.

/// The sets: for each member another of its set, or itself at the root.
#[derive(Default)]
pub struct Unions {
    parents: Vec<u32>,
}

impl Unions {
    /// Makes each of so many members a set of its own.
    pub fn begin(&mut self, members: usize) {
        self.parents.clear();
        self.parents.extend(0..members as u32);
    }

    /// Makes one set of those of two members. The smaller index becomes the root, so that the order does not
    /// matter.
    pub fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// Returns the root of a member's set.
    pub fn root(&mut self, member: u32) -> u32 {
        let mut at = member;
        while self.parents[at as usize] != at {
            // Halving the path keeps later look-ups short.
            let above = self.parents[self.parents[at as usize] as usize];
            self.parents[at as usize] = above;
            at = above;
        }
        at
    }

    /// Returns how many members there are.
    pub fn count(&self) -> usize {
        self.parents.len()
    }
}
