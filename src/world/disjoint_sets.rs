//! [`DisjointSets`]: sets of numbers that are joined.

/// A union-find structure with path halving.
pub(super) struct DisjointSets(Vec<u32>);

impl DisjointSets {
    /// Sets of one number each, 0 to `len` − 1.
    pub(super) fn new(len: usize) -> Self {
        Self((0..len as u32).collect())
    }

    /// Adds a set of one number, and returns that number.
    pub(super) fn push(&mut self) -> u32 {
        let added = self.0.len() as u32;
        self.0.push(added);
        added
    }

    /// Returns the number that stands for the set of `a`.
    pub(super) fn find(&mut self, mut a: u32) -> u32 {
        while self.0[a as usize] != a {
            self.0[a as usize] = self.0[self.0[a as usize] as usize];
            a = self.0[a as usize];
        }
        a
    }

    /// Joins the sets of `a` and `b`; returns `true` if they were different sets.
    pub(super) fn union(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a as usize] = b;
        a != b
    }
}
