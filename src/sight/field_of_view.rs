//! [`FieldOfView`]: a configured kernel with its list and buffers.

use std::sync::Arc;

use glam::{IVec2, ivec2};

use super::propagate::propagate;
use super::{OffsetList, OpacityMap, PathRule, SightConfig, SightError, View};
use crate::Grid;

/// A field of view, ready to be computed again and again.
///
/// It owns the [`OffsetList`] and all buffers; after the first call nothing is allocated.
///
/// ```
/// use farsight::{FieldOfView, Grid, OpacityMap, SightConfig, glam::ivec2};
/// let opacity = OpacityMap::try_from(Grid::<f32>::from_text("#..@..4\n.......")?)?;
/// let mut fov = FieldOfView::new(SightConfig { radius: 24, ..Default::default() })?;
/// let view = fov.compute(&opacity, ivec2(3, 0))?;
/// assert_eq!(view.get(ivec2(6, 0)), 1.0); // the hedge itself is seen
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FieldOfView {
    config: SightConfig,
    list: Arc<OffsetList>,
    shading: Shading,
    raw: Vec<f32>,
    through: Vec<f32>,
    opacity: Grid<f32>,
    window: Grid<f32>,
    written: usize,
}

/// Radii up to this are listed when a field of view is made; larger ones when a map needs them.
const LISTED_AT_ONCE: u32 = 256;

/// Windows up to this radius are always whole; larger ones are cut down to what the map can hold.
const WHOLE_WINDOW: u32 = 1024;

impl FieldOfView {
    /// A field of view that computes `config`; the offset list is built here, once.
    ///
    /// # Errors
    /// [`SightError::Decay`] for a decay whose parameters are out of range.
    pub fn new(config: SightConfig) -> Result<Self, SightError> {
        config.check()?;
        let list = Arc::new(OffsetList::new(config.radius.min(LISTED_AT_ONCE), config.weights));
        let empty = Grid::new(0, 0, 0.0);
        Ok(Self {
            shading: Shading::default(),
            list,
            raw: Vec::new(),
            through: Vec::new(),
            opacity: empty.clone(),
            window: empty,
            written: 0,
            config,
        })
    }

    /// What is computed.
    pub fn config(&self) -> &SightConfig {
        &self.config
    }

    /// The offsets, nearest first, with parents and weights. A radius above 256 is listed as far
    /// as the maps seen so far needed it.
    pub fn offsets(&self) -> &OffsetList {
        &self.list
    }

    /// Changes what is computed. The list is kept where it still serves: only other weights or a
    /// larger radius need a new one.
    ///
    /// # Errors
    /// [`SightError::Decay`]; the old configuration stays.
    pub fn set_config(&mut self, config: SightConfig) -> Result<(), SightError> {
        config.check()?;
        if config.weights != self.config.weights {
            self.list = Arc::new(OffsetList::new(config.radius.min(LISTED_AT_ONCE), config.weights));
            self.window = Grid::new(0, 0, 0.0); // the old list is what told which of its cells are stale
        }
        if config.path != self.config.path
            || config.decay != self.config.decay
            || (config.radius != self.config.radius && config.decay.follows_radius())
        {
            self.shading = Shading::default();
        }
        self.config = config;
        Ok(())
    }

    /// What is seen from `viewer` on a map. Cost depends on the radius, never on the size of the
    /// map.
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`]; [`SightError::RadiusTooLarge`] if more than
    /// [`OffsetList::MAX_RADIUS`] cells of the map are in range in a direction.
    pub fn compute(&mut self, opacity: &OpacityMap, viewer: IVec2) -> Result<View<'_>, SightError> {
        let grid = opacity.grid();
        let reach = self.reach_on(grid.size(), viewer)?;
        self.make_room(reach.in_sight, reach.window)?;
        let list = &self.list.as_slice()[..self.list.prefix_len(reach.in_sight)];
        propagate(
            list,
            |offset| grid.get(viewer + offset).copied().unwrap_or(f32::NAN),
            &mut self.raw,
            &mut self.through,
        );
        Ok(self.shade(viewer, reach.in_sight))
    }

    /// What is seen from `viewer` where opacity hangs on the viewer, as relief does: `fill` is
    /// asked for the rows of the window instead of a map.
    ///
    /// `fill(start, row)` writes the opacities of the cells `start`, `start + (1, 0)`, … into
    /// `row`. Each is in [0, 1] (others are clamped), or NaN where there is no cell: neither seen
    /// nor seen through. Only the part of a row within the radius is asked for; what `row` holds
    /// before means nothing.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`] above [`OffsetList::MAX_RADIUS`]; [`SightError::TooFarAway`] for a viewer about
    /// 2³⁰ cells from 0,0.
    pub fn compute_from(&mut self, viewer: IVec2, fill: impl FnMut(IVec2, &mut [f32])) -> Result<View<'_>, SightError> {
        let radius = self.config.radius;
        let limit = i32::MAX / 2;
        if viewer.cmplt(IVec2::splat(-limit)).any() || viewer.cmpge(IVec2::splat(limit)).any() {
            return Err(SightError::TooFarAway { viewer, limit });
        }
        let everywhere = [IVec2::MIN, IVec2::MAX];
        self.compute_rows(viewer, everywhere, Reach { in_sight: radius, window: radius }, fill)
    }

    /// Like [`compute_from`](Self::compute_from) on a map of known size (width, height): only cells
    /// of the map are asked for, and the others do not exist.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub fn compute_within(
        &mut self,
        size: IVec2,
        viewer: IVec2,
        fill: impl FnMut(IVec2, &mut [f32]),
    ) -> Result<View<'_>, SightError> {
        let reach = self.reach_on(size, viewer)?;
        self.compute_rows(viewer, [IVec2::ZERO, size], reach, fill)
    }

    fn compute_rows(
        &mut self,
        viewer: IVec2,
        [low, high]: [IVec2; 2],
        reach: Reach,
        mut fill: impl FnMut(IVec2, &mut [f32]),
    ) -> Result<View<'_>, SightError> {
        self.make_room(reach.in_sight, reach.window)?;
        if self.opacity.size() != self.window.size() {
            self.opacity = Grid::new(self.window.width(), self.window.height(), 0.0);
        }
        let origin = viewer - IVec2::splat(reach.window as i32);
        let radius = reach.in_sight as i32;
        for dy in -radius..=radius {
            let y = viewer.y + dy;
            if !(low.y..high.y).contains(&y) {
                continue;
            }
            let half = ((radius * radius - dy * dy) as u32).isqrt() as i32;
            let start = (viewer.x - half).max(low.x);
            let end = (viewer.x + half + 1).min(high.x);
            let row = self.opacity.row_mut((y - origin.y) as usize);
            fill(ivec2(start, y), &mut row[(start - origin.x) as usize..(end - origin.x) as usize]);
        }
        let list = &self.list.as_slice()[..self.list.prefix_len(reach.in_sight)];
        let opacity = &self.opacity;
        propagate(
            list,
            |offset| {
                let cell = viewer + offset;
                let exists = cell.cmpge(low).all() && cell.cmplt(high).all();
                if exists { opacity[cell - origin].clamp(0.0, 1.0) } else { f32::NAN }
            },
            &mut self.raw,
            &mut self.through,
        );
        Ok(self.shade(viewer, reach.in_sight))
    }

    /// How much of the radius a map can fill.
    fn reach_on(&self, size: IVec2, viewer: IVec2) -> Result<Reach, SightError> {
        if viewer.cmplt(IVec2::ZERO).any() || viewer.cmpge(size).any() {
            let (width, height) = (size.x.max(0) as usize, size.y.max(0) as usize);
            return Err(SightError::ViewerOutside { viewer, width, height });
        }
        let farthest = viewer.max(size - 1 - viewer).as_dvec2();
        let corner = farthest.length().ceil() as u32;
        let side = farthest.max_element() as u32;
        let radius = self.config.radius;
        Ok(Reach { in_sight: radius.min(corner), window: radius.min(side.max(WHOLE_WINDOW)) })
    }

    /// Makes list, shading and window large enough, and clears what an earlier view left behind.
    fn make_room(&mut self, in_sight: u32, window: u32) -> Result<(), SightError> {
        if in_sight > OffsetList::MAX_RADIUS {
            return Err(SightError::RadiusTooLarge { radius: in_sight, limit: OffsetList::MAX_RADIUS });
        }
        if self.list.radius() < in_sight {
            // Doubling, so that a walk towards the far side of a large map does not rebuild at every step.
            let roomy = in_sight.max(2 * self.list.radius()).min(self.config.radius).min(OffsetList::MAX_RADIUS);
            self.list = Arc::new(OffsetList::new(roomy, self.config.weights));
        }
        let count = self.list.prefix_len(in_sight);
        self.shading.extend(&self.list.as_slice()[..count], &self.config);

        let side = 2 * window as usize + 1;
        if self.window.width() != side {
            self.window = Grid::new(side, side, 0.0);
            self.written = 0;
        }
        let centre = IVec2::splat(window as i32);
        for i in count..self.written {
            if let Some(stale) = self.list.as_slice().get(i).and_then(|o| self.window.get_mut(centre + o.cell)) {
                *stale = 0.0;
            }
        }
        self.written = count;
        Ok(())
    }

    /// Path rule and decay, from list order into the window.
    fn shade(&mut self, viewer: IVec2, in_sight: u32) -> View<'_> {
        let centre = IVec2::splat((self.window.width() / 2) as i32);
        let count = self.list.prefix_len(in_sight);
        for (i, offset) in self.list.as_slice()[..count].iter().enumerate() {
            // A list may reach past a window that was cut down to the map.
            if let Some(cell) = self.window.get_mut(centre + offset.cell) {
                *cell = self.shading.apply(i, self.raw[i]);
            }
        }
        View { viewer, origin: viewer - centre, grid: &self.window }
    }
}

/// How far the list and the window reach on a map, in cells.
#[derive(Clone, Copy)]
struct Reach {
    in_sight: u32,
    window: u32,
}

/// What the path rule and decay do to each offset, in list order.
#[derive(Clone, Debug, Default)]
struct Shading {
    exponent: Vec<f32>,
    decay: Vec<f32>,
}

impl Shading {
    fn extend(&mut self, offsets: &[super::Offset], config: &SightConfig) {
        for offset in &offsets[self.decay.len().min(offsets.len())..] {
            self.decay.push(config.decay.at(offset.distance(), config.radius) as f32);
            self.exponent.push(match config.path {
                PathRule::PerCell => 1.0,
                PathRule::PerLength => length_exponent(offset.distance(), offset.steps()),
            });
        }
    }

    #[inline]
    fn apply(&self, i: usize, raw: f32) -> f32 {
        let exponent = self.exponent[i];
        let seen = if exponent == 1.0 || raw == 0.0 || raw == 1.0 { raw } else { libm::powf(raw, exponent) };
        seen * self.decay[i]
    }
}

/// e of V = rawᵉ: the M − 1 cells between two cells are crossed on a slant, r/M as long each.
/// e = 1 + (r/M − 1)(M − 1)/M.
fn length_exponent(distance: f64, steps: u32) -> f32 {
    let steps = f64::from(steps.max(1));
    (1.0 + (distance.max(steps) / steps - 1.0) * (steps - 1.0) / steps) as f32
}
