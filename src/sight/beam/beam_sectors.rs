//! [`BeamSectors`]: the shadow edges inside the sectors of the rays.
//!
//! A ray represents a sector of the turn, and a shadow edge can be anywhere in it. So each sector has two
//! intervals: the *clear* part, which has crossed only cells of opacity 0, and the *open* part, which has crossed no wall.
//! The light of the sector is at least the clear part and at most the open part; the light along the line of the ray is
//! clamped to these bounds. In clear air both are equal, and the shadow of a wall is exact. Both parts only shrink as
//! opacities grow, so more opacity never raises the light.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8, mask32x8};

use super::beam_list::SectorSpan;
use super::octant_column::{OctantLanes, lanes_above};

/// The sectors of all rays.
#[derive(Clone, Debug, Default)]
pub(super) struct BeamSectors {
    bounds: Vec<SectorBounds>,
    flags: Vec<SectorFlags>,
    /// The light along the line of each ray that `has_line`. It may differ from the light of the sector.
    line: Vec<OctantLanes>,
    has_line: Vec<bool>,
    /// The flags of all sectors, if they are equal and without an edge.
    uniform: Option<SectorFlags>,
    /// The rays that are not dark in all lanes.
    lit: RaySet,
    /// The rays whose light is not 1 in all lanes.
    dimmed: RaySet,
    any_is_dark: bool,
}

/// Start and end of the clear and of the open part of a sector, in [0, 1]. A part is empty if its end is not above its start.
#[derive(Clone, Copy, Debug)]
struct SectorBounds {
    clear: [OctantLanes; 2],
    open: [OctantLanes; 2],
}

/// Four bits for each lane, from the lowest byte: the clear part is not empty, the open part is not empty, the clear part has
/// an edge inside the sector, the open part has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SectorFlags(u32);

impl SectorFlags {
    const CLEAR: Self = Self(0xffff);

    fn clear(self) -> u32 {
        self.0 & 0xff
    }

    fn open(self) -> u32 {
        self.0 >> 8 & 0xff
    }

    /// Returns the flags after a cell covers the whole sector, with opacity above 0 in the lanes `dimmed` and a wall in
    /// `walls`.
    fn without(self, dimmed: u32, walls: u32) -> Self {
        Self(self.0 & !(dimmed | dimmed << 16) & !(walls << 8 | walls << 24))
    }

    /// Returns `true` if an edge is inside the sector in some lane.
    fn has_edge(self) -> bool {
        self.0 >> 16 != 0
    }
}

impl BeamSectors {
    /// Makes all sectors clear.
    pub(super) fn reset(&mut self, rays: usize) {
        let (none, all) = ([0.0; 8], [1.0; 8]);
        self.bounds.clear();
        self.bounds.resize(rays, SectorBounds { clear: [none, all], open: [none, all] });
        self.flags.clear();
        self.flags.resize(rays, SectorFlags::CLEAR);
        self.line.resize(rays, all);
        self.has_line.clear();
        self.has_line.resize(rays, false);
        self.uniform = Some(SectorFlags::CLEAR);
        self.lit.fill(rays);
        self.dimmed.clear(rays);
        self.any_is_dark = false;
    }

    /// Returns `true` if all rays that a cell covers are dark: it sees nothing, and changes nothing.
    #[inline(always)]
    pub(super) fn is_dark(&self, span: &SectorSpan) -> bool {
        !self.lit.has_any(span.rays())
    }

    /// Returns `true` if a ray is dark.
    #[inline(always)]
    pub(super) fn any_is_dark(&self) -> bool {
        self.any_is_dark
    }

    /// Returns `true` if all rays are dark.
    pub(super) fn are_dark(&self) -> bool {
        self.any_is_dark && self.lit.is_empty()
    }

    /// Returns `true` if all rays that a cell covers are clear: they have the light 1.
    #[inline(always)]
    pub(super) fn is_clear(&self, span: &SectorSpan) -> bool {
        !self.dimmed.has_any(span.rays())
    }

    /// Records that the light of some rays is not 1 in all lanes.
    #[inline(always)]
    pub(super) fn record_dimmed(&mut self, rays: Range<usize>) {
        self.dimmed.insert(rays);
    }

    /// Records whether a ray is dark.
    #[inline(always)]
    pub(super) fn record_light<S: Simd>(&mut self, ray: usize, light: f32x8<S>) {
        if self.flags[ray].open() == 0 && light.simd_eq(0.0).all_true() {
            self.lit.remove(ray);
            self.any_is_dark = true;
        }
    }

    /// Returns `true` if edges are at the ends of a cell's silhouette, so that the mean over the rays that cross it is not
    /// enough.
    #[inline(always)]
    pub(super) fn has_edge_at_ends(&self, span: &SectorSpan, crossed: &Range<usize>) -> bool {
        if crossed.is_empty() {
            return false;
        }
        let covered = span.rays();
        let (low, high) = (self.flags[covered.start], self.flags[covered.end - 1]);
        low.has_edge() | high.has_edge() | (low != self.flags[crossed.start]) | (high != self.flags[crossed.end - 1])
    }

    /// Returns the light in the part of a sector that a cell covers; `light` is that of the whole sector.
    #[inline(always)]
    pub(super) fn light_at_end<S: Simd>(&self, ray: usize, span: &SectorSpan, light: f32x8<S>) -> f32x8<S> {
        let line = if self.has_line[ray] { f32x8::simd_from(light.simd, self.line[ray]) } else { light };
        self.bounds[ray].clamp(span.interval(ray), line)
    }

    /// Returns the light in the part that a cell covers of a sector whose ray does not cross it; `light` is that of the
    /// nearest ray that does.
    #[inline(always)]
    pub(super) fn light_beyond<S: Simd>(&self, ray: usize, span: &SectorSpan, light: f32x8<S>) -> f32x8<S> {
        self.bounds[ray].clamp(span.interval(ray), light)
    }

    /// Returns `true` if there is no edge, and no cell up to this opacity creates one.
    #[inline(always)]
    pub(super) fn no_edge_arises(&self, max_opacity: f32) -> bool {
        max_opacity == 0.0 && self.uniform.is_some()
            || max_opacity < 1.0 && self.uniform.is_some_and(|all| all.clear() == 0)
    }

    /// Returns `true` if one of the covered sectors has an open part in a lane in which a cell is not clear. Without one, the
    /// cell changes nothing.
    #[inline(always)]
    pub(super) fn may_change<S: Simd>(&self, simd: S, span: &SectorSpan, opacity: &OctantLanes) -> bool {
        let lanes = lanes_above(simd, opacity, 0.0);
        lanes != 0 && self.flags[span.rays()].iter().fold(0, |any, flags| any | flags.0) >> 8 & lanes != 0
    }

    /// Removes the silhouette of a cell from the bounds of its sectors. Returns `true` if one of them has an edge.
    #[inline(always)]
    pub(super) fn cover<S: Simd>(&mut self, span: &SectorSpan, opacity: f32x8<S>, light: &[OctantLanes]) -> bool {
        let rays = span.rays();
        let any = SectorFlags(self.flags[rays.clone()].iter().fold(0, |any, flags| any | flags.0));
        let (is_dimmed, is_wall) = (opacity.simd_gt(0.0), opacity.simd_ge(1.0));
        let (dimmed, walls) = (is_dimmed.to_bitmask() as u32, is_wall.to_bitmask() as u32);
        if any.clear() & dimmed == 0 && any.open() & walls == 0 {
            return any.has_edge();
        }
        self.uniform = None;
        for ray in rays {
            let flags = self.flags[ray];
            if flags.clear() & dimmed == 0 && flags.open() & walls == 0 {
                continue;
            }
            let (bounds, interval) = (&mut self.bounds[ray], span.interval(ray));
            remove(opacity.simd, &mut bounds.clear, interval, is_dimmed);
            if walls != 0 {
                remove(opacity.simd, &mut bounds.open, interval, is_wall);
            }
            let whole = interval == [0.0, 1.0];
            if (flags.has_edge() || !whole) && !self.has_line[ray] {
                self.line[ray] = light[ray];
                self.has_line[ray] = true;
            }
            self.flags[ray] = if whole { flags.without(dimmed, walls) } else { bounds.flags(opacity.simd) };
        }
        true
    }

    /// Updates whether all sectors are uniform, which happens soon in fog.
    pub(super) fn update_uniform(&mut self) {
        if self.uniform.is_some() {
            return;
        }
        let first = self.flags[0];
        self.uniform = (!first.has_edge() && self.flags.iter().all(|flags| *flags == first)).then_some(first);
    }

    /// Returns `true` if the light along the line of a ray is stored separately from that of its sector.
    #[inline(always)]
    pub(super) fn has_line(&self, ray: usize) -> bool {
        self.has_line[ray]
    }

    /// Dims the line of a ray that [has one](Self::has_line). Returns the light of its sector.
    #[inline(always)]
    pub(super) fn dim_line<S: Simd>(&mut self, ray: usize, by: f32x8<S>) -> f32x8<S> {
        let line = f32x8::simd_from(by.simd, self.line[ray]) * by;
        self.line[ray] = line.into();
        self.has_line[ray] = self.flags[ray].has_edge();
        self.bounds[ray].clamp([0.0, 1.0], line)
    }
}

/// Removes an interval that contains an endpoint of the sector from a part, in some lanes.
#[inline(always)]
fn remove<S: Simd>(simd: S, [start, end]: &mut [OctantLanes; 2], [from, to]: [f32; 2], lanes: mask32x8<S>) {
    let (low, high) = (if from == 0.0 { to } else { 0.0 }, if to == 1.0 { from } else { 1.0 });
    let low = lanes.select(simd.splat_f32x8(low), simd.splat_f32x8(0.0));
    let high = lanes.select(simd.splat_f32x8(high), simd.splat_f32x8(1.0));
    *start = f32x8::simd_from(simd, *start).max(low).into();
    *end = f32x8::simd_from(simd, *end).min(high).into();
}

/// Returns the fraction of an interval that is in a part of the sector.
#[inline(always)]
fn fraction_of<S: Simd>(simd: S, [start, end]: &[OctantLanes; 2], [from, to]: [f32; 2]) -> f32x8<S> {
    let (start, end) = (f32x8::simd_from(simd, *start), f32x8::simd_from(simd, *end));
    ((end.min(to) - start.max(from)) * (1.0 / (to - from))).max(0.0)
}

impl SectorBounds {
    /// Clamps the light of a line to the bounds in an interval of the sector.
    #[inline(always)]
    fn clamp<S: Simd>(&self, interval: [f32; 2], line: f32x8<S>) -> f32x8<S> {
        let simd = line.simd;
        line.max(fraction_of(simd, &self.clear, interval)).min(fraction_of(simd, &self.open, interval))
    }

    #[inline(always)]
    fn flags<S: Simd>(&self, simd: S) -> SectorFlags {
        let length = |[start, end]: &[OctantLanes; 2]| f32x8::simd_from(simd, *end) - f32x8::simd_from(simd, *start);
        let (clear, open) = (length(&self.clear), length(&self.open));
        let bits = |lanes: mask32x8<S>| lanes.to_bitmask() as u32;
        let (has_clear, has_open) = (clear.simd_gt(0.0), open.simd_gt(0.0));
        let (clear_edge, open_edge) = (has_clear & clear.simd_lt(1.0), has_open & open.simd_lt(1.0));
        SectorFlags(bits(has_clear) | bits(has_open) << 8 | bits(clear_edge) << 16 | bits(open_edge) << 24)
    }
}

/// A set of rays.
#[derive(Clone, Debug, Default)]
struct RaySet {
    /// The last word is always 0.
    words: Vec<u64>,
}

impl RaySet {
    /// Removes all rays, and reserves space for `rays`.
    fn clear(&mut self, rays: usize) {
        self.words.clear();
        self.words.resize(rays.div_ceil(64) + 1, 0);
    }

    /// Makes the set contain the rays 0..`rays`.
    fn fill(&mut self, rays: usize) {
        self.clear(rays);
        self.words[..rays / 64].fill(u64::MAX);
        self.words[rays / 64] = (1 << (rays % 64)) - 1;
    }

    /// Adds some rays.
    #[inline(always)]
    fn insert(&mut self, rays: Range<usize>) {
        let mut first = rays.start;
        while first < rays.end {
            let end = rays.end.min((first / 64 + 1) * 64);
            self.words[first / 64] |= u64::MAX >> (64 - (end - first)) << (first % 64);
            first = end;
        }
    }

    #[inline(always)]
    fn remove(&mut self, ray: usize) {
        self.words[ray / 64] &= !(1 << (ray % 64));
    }

    fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Returns `true` if one of some rays is in the set.
    #[inline(always)]
    fn has_any(&self, mut rays: Range<usize>) -> bool {
        while rays.len() > 64 {
            if self.bits_from(rays.start) != 0 {
                return true;
            }
            rays.start += 64;
        }
        !rays.is_empty() && self.bits_from(rays.start) << (64 - rays.len()) != 0
    }

    /// Returns the bits of 64 rays, starting at `first`.
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
