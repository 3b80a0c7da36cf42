//! [`BeamSectors`]: the edges of shadows inside the sectors of the rays.
//!
//! A ray represents a sector of the turn, and the edge of a shadow can be anywhere in it. So each sector has two
//! intervals: the *clear* part, which has crossed only cells of opacity 0, and the *open* part, which has crossed no wall.
//! The light of the sector is at least the clear part and at most the open part; the light along the line of the ray is
//! clamped to these bounds. In clear air both are equal, and the shadow of a wall is exact. Both parts only shrink as
//! opacities grow, so more opacity never raises the light.

use std::ops::Range;

use super::beam_list::SectorSpan;
use super::octant_lanes::OctantLanes;
use super::ray_set::RaySet;

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

/// Begin and end of the clear and of the open part of a sector, in [0, 1]. A part is empty if its end is not above its begin.
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

    /// The flags after a cell covers the whole sector, with opacity above 0 in the lanes `dimmed` and a wall in `walls`.
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

    /// Returns `true` if all that a cell covers is dark: it sees nothing, and changes nothing.
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

    /// Returns `true` if all that a cell covers is clear: its rays have the light 1.
    #[inline(always)]
    pub(super) fn is_clear(&self, span: &SectorSpan) -> bool {
        !self.dimmed.has_any(span.rays())
    }

    /// Records that the light of a ray has changed.
    #[inline(always)]
    pub(super) fn record(&mut self, ray: usize, light: &OctantLanes) {
        self.dimmed.insert(ray);
        if self.flags[ray].open() == 0 && *light == [0.0; 8] {
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

    /// The light in the part of a sector that a cell covers; `light` is that of the whole sector.
    #[inline(always)]
    pub(super) fn light_at_end(&self, ray: usize, span: &SectorSpan, light: &OctantLanes) -> OctantLanes {
        self.bounds[ray].clamp(span.interval(ray), if self.has_line[ray] { &self.line[ray] } else { light })
    }

    /// The light in the part that a cell covers of a sector whose ray does not cross it; `light` is that of the nearest ray
    /// that does.
    #[inline(always)]
    pub(super) fn light_beyond(&self, ray: usize, span: &SectorSpan, light: &OctantLanes) -> OctantLanes {
        self.bounds[ray].clamp(span.interval(ray), light)
    }

    /// Returns `true` if no edge is there, and no cell up to this opacity makes one.
    #[inline(always)]
    pub(super) fn no_edge_arises(&self, max_opacity: f32) -> bool {
        max_opacity == 0.0 && self.uniform.is_some()
            || max_opacity < 1.0 && self.uniform.is_some_and(|all| all.clear() == 0)
    }

    /// Returns `true` if one of the covered sectors has an open part in a lane in which a cell is not clear. Without one, the
    /// cell changes nothing.
    #[inline(always)]
    pub(super) fn may_change(&self, span: &SectorSpan, opacity: &OctantLanes) -> bool {
        let lanes = lanes_above(opacity, 0.0);
        lanes != 0 && self.flags[span.rays()].iter().fold(0, |any, flags| any | flags.0) >> 8 & lanes != 0
    }

    /// Removes the silhouette of a cell from the bounds of its sectors. Returns `true` if one of them has an edge.
    #[inline(always)]
    pub(super) fn cover(&mut self, span: &SectorSpan, opacity: &OctantLanes, light: &[OctantLanes]) -> bool {
        let has_wall = opacity.iter().any(|&o| o >= 1.0);
        let rays = span.rays();
        let any = SectorFlags(self.flags[rays.clone()].iter().fold(0, |any, flags| any | flags.0));
        let (dimmed, walls) = (lanes_above(opacity, 0.0), if has_wall { lanes_above(opacity, BELOW_1) } else { 0 });
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
            remove(&mut bounds.clear, interval, opacity, 0.0);
            if has_wall {
                remove(&mut bounds.open, interval, opacity, BELOW_1);
            }
            let whole = interval == [0.0, 1.0];
            if (flags.has_edge() || !whole) && !self.has_line[ray] {
                self.line[ray] = light[ray];
                self.has_line[ray] = true;
            }
            self.flags[ray] = if whole { flags.without(dimmed, walls) } else { bounds.flags() };
        }
        true
    }

    /// Updates whether all sectors are uniform, which they soon are in fog.
    pub(super) fn update_uniform(&mut self) {
        if self.uniform.is_some() {
            return;
        }
        let first = self.flags[0];
        self.uniform = (!first.has_edge() && self.flags.iter().all(|flags| *flags == first)).then_some(first);
    }

    /// Returns `true` if the light along the line of a ray is kept apart from that of its sector.
    #[inline(always)]
    pub(super) fn has_line(&self, ray: usize) -> bool {
        self.has_line[ray]
    }

    /// Dims the line of a ray that [has one](Self::has_line). Returns the light of its sector.
    #[inline(always)]
    pub(super) fn dim_line(&mut self, ray: usize, by: &OctantLanes) -> OctantLanes {
        for (line, by) in self.line[ray].iter_mut().zip(by) {
            *line *= by;
        }
        self.has_line[ray] = self.flags[ray].has_edge();
        self.bounds[ray].clamp([0.0, 1.0], &self.line[ray])
    }
}

/// The largest number below 1. Opacities above it are walls.
const BELOW_1: f32 = 1.0 - f32::EPSILON / 2.0;

/// A bit for each lane that is above a value.
#[inline(always)]
fn lanes_above(lanes: &OctantLanes, value: f32) -> u32 {
    let mut bits = [0; 8];
    for lane in 0..8 {
        bits[lane] = if lanes[lane] > value { 1 << lane } else { 0 };
    }
    bits.iter().fold(0, |all, bit| all | bit)
}

/// Removes an interval that contains an end of the sector from a part, in the lanes whose opacity is above `above`.
#[inline(always)]
fn remove([start, end]: &mut [OctantLanes; 2], [from, to]: [f32; 2], opacity: &OctantLanes, above: f32) {
    let (low, high) = (if from == 0.0 { to } else { 0.0 }, if to == 1.0 { from } else { 1.0 });
    for lane in 0..8 {
        let low = if opacity[lane] > above { low } else { 0.0 };
        start[lane] = if start[lane] > low { start[lane] } else { low };
    }
    for lane in 0..8 {
        let high = if opacity[lane] > above { high } else { 1.0 };
        end[lane] = if end[lane] < high { end[lane] } else { high };
    }
}

/// The fraction of an interval that is in a part of the sector.
#[inline(always)]
fn fraction_of([start, end]: &[OctantLanes; 2], [from, to]: [f32; 2]) -> OctantLanes {
    let scale = 1.0 / (to - from);
    let mut fraction = *end;
    for lane in 0..8 {
        let start = if start[lane] > from { start[lane] } else { from };
        let end = if fraction[lane] < to { fraction[lane] } else { to };
        let length = (end - start) * scale;
        fraction[lane] = if length > 0.0 { length } else { 0.0 };
    }
    fraction
}

impl SectorBounds {
    /// Clamps the light of a line to the bounds in an interval of the sector.
    #[inline(always)]
    fn clamp(&self, interval: [f32; 2], line: &OctantLanes) -> OctantLanes {
        let (min, max) = (fraction_of(&self.clear, interval), fraction_of(&self.open, interval));
        let mut clamped = *line;
        for lane in 0..8 {
            let light = if clamped[lane] > min[lane] { clamped[lane] } else { min[lane] };
            clamped[lane] = if light < max[lane] { light } else { max[lane] };
        }
        clamped
    }

    #[inline(always)]
    fn flags(&self) -> SectorFlags {
        let mut bits = [0u32; 8];
        for lane in 0..8 {
            let length = |[start, end]: &[OctantLanes; 2]| end[lane] - start[lane];
            let (clear, open) = (length(&self.clear), length(&self.open));
            let not_empty = if clear > 0.0 { 1 } else { 0 } | if open > 0.0 { 1 << 8 } else { 0 };
            let has_edge = if clear > 0.0 && clear < 1.0 { 1 << 16 } else { 0 }
                | if open > 0.0 && open < 1.0 { 1 << 24 } else { 0 };
            bits[lane] = (not_empty | has_edge) << lane;
        }
        SectorFlags(bits.iter().fold(0, |all, bit| all | bit))
    }
}
