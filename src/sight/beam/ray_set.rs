//! [`RaySet`]: a set of rays, one bit each.

use std::ops::Range;

/// A set of rays.
#[derive(Clone, Debug, Default)]
pub(super) struct RaySet {
    /// The last word is always 0.
    words: Vec<u64>,
}

impl RaySet {
    /// Removes all rays, and makes room for `rays`.
    pub(super) fn clear(&mut self, rays: usize) {
        self.words.clear();
        self.words.resize(rays.div_ceil(64) + 1, 0);
    }

    /// Makes the set contain the rays 0..`rays`.
    pub(super) fn fill(&mut self, rays: usize) {
        self.clear(rays);
        self.words[..rays / 64].fill(u64::MAX);
        self.words[rays / 64] = (1 << (rays % 64)) - 1;
    }

    /// Adds some rays.
    #[inline(always)]
    pub(super) fn insert(&mut self, rays: Range<usize>) {
        let mut first = rays.start;
        while first < rays.end {
            let end = rays.end.min((first / 64 + 1) * 64);
            self.words[first / 64] |= u64::MAX >> (64 - (end - first)) << (first % 64);
            first = end;
        }
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, ray: usize) {
        self.words[ray / 64] &= !(1 << (ray % 64));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Returns `true` if one of some rays is in the set.
    #[inline(always)]
    pub(super) fn has_any(&self, mut rays: Range<usize>) -> bool {
        while rays.len() > 64 {
            if self.bits_from(rays.start) != 0 {
                return true;
            }
            rays.start += 64;
        }
        !rays.is_empty() && self.bits_from(rays.start) << (64 - rays.len()) != 0
    }

    /// The bits of the 64 rays from `first` on.
    #[inline(always)]
    fn bits_from(&self, first: usize) -> u64 {
        let (word, shift) = (first / 64, first % 64);
        self.words[word] >> shift | self.words[word + 1] << 1 << (63 - shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_range_finds_its_rays() {
        for rays in [1, 2, 63, 64, 65, 128, 200] {
            let (mut some, mut all) = (RaySet::default(), RaySet::default());
            some.clear(rays);
            all.fill(rays);
            assert!(some.is_empty() && !all.is_empty());
            for ray in (0..rays).filter(|ray| ray % 71 == 3) {
                some.insert(ray..ray + 1);
            }
            for (start, end) in (0..rays).flat_map(|start| (start..=rays).map(move |end| (start, end))) {
                assert_eq!(some.has_any(start..end), (start..end).any(|ray| ray % 71 == 3), "{start}..{end} of {rays}");
                assert_eq!(all.has_any(start..end), start < end);
                let mut part = RaySet::default();
                part.clear(rays);
                part.insert(start..end);
                assert!((0..rays).all(|ray| part.has_any(ray..ray + 1) == (start..end).contains(&ray)));
            }
            (0..rays).for_each(|ray| all.remove(ray));
            assert!(all.is_empty());
        }
    }
}
