//! Connected groups, as disjoint sets (union–find).

/// Disjoint sets. Each member stores a parent in its set; the root of a set is its own parent.
#[derive(Default)]
pub struct Unions {
    parents: Vec<u32>,
}

impl Unions {
    /// Resets to `members` sets of one member each.
    #[inline]
    pub fn begin(&mut self, members: usize) {
        self.parents.clear();
        self.parents.extend(0..members as u32);
    }

    /// Merges the sets of two members. The smaller root becomes the root of both, so the result does
    /// not depend on the order of the merges.
    #[inline]
    pub fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// Returns the root of a member's set.
    #[inline]
    pub fn root(&mut self, member: u32) -> u32 {
        let mut at = member;
        while self.parents[at as usize] != at {
            // Halves the path, which keeps later searches short.
            let above = self.parents[self.parents[at as usize] as usize];
            self.parents[at as usize] = above;
            at = above;
        }
        at
    }

    /// Links every member directly to its root. Until the next merge, [`settled`](Self::settled) then
    /// returns the roots.
    #[inline]
    pub fn settle(&mut self) {
        for member in 0..self.parents.len() as u32 {
            self.parents[member as usize] = self.root(member);
        }
    }

    /// Returns the root of a member's set after [`settle`](Self::settle).
    #[inline]
    pub fn settled(&self, member: u32) -> u32 {
        self.parents[member as usize]
    }

    /// Returns the number of members.
    #[inline]
    pub fn count(&self) -> usize {
        self.parents.len()
    }
}
