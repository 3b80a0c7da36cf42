//! [`ObserverView`]: the view of one observer; [`VisibleCells`]: its cells as a bit set.

use glam::{IVec2, ivec2};

use super::placed_observer::{PlacedObserver, ViewLimits};
use super::sweep_progress::SweepProgress;
use crate::optics::Optics;
use farsight::grid::{CellRect, ToCell};
use farsight::sight::SightError;
use farsight::viewshed::{Surface, Viewshed};

/// The parts of a view in addition to the cells that the eye sees.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ViewParts {
    pub(super) hubs: bool,
    pub(super) tips: bool,
    pub(super) visible_m: bool,
    /// What the eye sees over bare ground.
    pub(super) bare: bool,
    /// The cells that the eye sees, as bits.
    pub(super) seen_cells: bool,
    /// The cells that see the tip, as bits.
    pub(super) tip_cells: bool,
}

impl ViewParts {
    /// Returns `true` if a view from the hub is computed, which is not that of the eye.
    fn needs_hub(self, limits: &ViewLimits) -> bool {
        self.hubs && limits.hub_m() != limits.eye_height_m
    }

    /// Returns `true` if a view from the tip is computed, which is not that of the eye.
    fn needs_tip(self, limits: &ViewLimits) -> bool {
        (self.tips || self.visible_m || self.tip_cells) && limits.tip_m() != limits.eye_height_m
    }

    /// Returns the number of sweeps over the ground that the view of an observer takes.
    pub(super) fn sweeps(self, limits: &ViewLimits) -> usize {
        let of_turbine = usize::from(self.needs_hub(limits)) + usize::from(self.needs_tip(limits));
        1 + of_turbine + usize::from(self.visible_m) + usize::from(self.bare)
    }
}

/// The view of an observer, and the visible part of the observer, in a part of the map. The next observer reuses the buffers.
pub(super) struct ObserverView {
    viewshed: Viewshed,
    pub(super) frame: CellRect,
    /// The visibility of each cell for the eye, in [0, 1].
    seen: FrameValues,
    /// The same from the hub and from the tip, unless they are at the height of the eye.
    hub: Option<FrameValues>,
    tip: Option<FrameValues>,
    /// The visibility for the eye over bare ground.
    bare: FrameValues,
    /// The metres of a turbine that each cell sees.
    visible_m: FrameValues,
    pub(super) seen_cells: Option<VisibleCells>,
    pub(super) tip_cells: Option<VisibleCells>,
}

/// A value for each cell of a frame.
#[derive(Default)]
struct FrameValues {
    width: usize,
    cells: Vec<f32>,
}

impl FrameValues {
    fn row(&self, y: usize) -> &[f32] {
        &self.cells[y * self.width..][..self.width]
    }
}

/// The scene and settings of the views.
#[derive(Clone, Copy)]
pub(super) struct ViewTask<'a> {
    pub(super) optics: &'a Optics,
    pub(super) parts: ViewParts,
    /// The minimum visibility of a seen cell.
    pub(super) glimpse: f32,
    pub(super) progress: &'a SweepProgress<'a>,
}

impl ObserverView {
    /// Creates the buffers for views, which `viewshed` computes.
    pub(super) fn new(viewshed: Viewshed) -> Self {
        Self {
            viewshed,
            frame: CellRect::of_size(IVec2::ZERO),
            seen: FrameValues::default(),
            hub: None,
            tip: None,
            bare: FrameValues::default(),
            visible_m: FrameValues::default(),
            seen_cells: None,
            tip_cells: None,
        }
    }

    /// Returns a row of the visibilities of the eye.
    pub(super) fn seen(&self, y: usize) -> &[f32] {
        self.seen.row(y)
    }

    /// Returns a row of the visibilities of the hub.
    pub(super) fn hub(&self, y: usize) -> &[f32] {
        self.hub.as_ref().unwrap_or(&self.seen).row(y)
    }

    /// Returns a row of the visibilities of the tip.
    pub(super) fn tip(&self, y: usize) -> &[f32] {
        self.tip.as_ref().unwrap_or(&self.seen).row(y)
    }

    /// Returns a row of the visibilities over bare ground, which must have been requested.
    pub(super) fn bare(&self, y: usize) -> &[f32] {
        self.bare.row(y)
    }

    /// Returns a row of the visible metres, which must have been requested.
    pub(super) fn visible_m(&self, y: usize) -> &[f32] {
        self.visible_m.row(y)
    }

    /// Computes the view of an observer with a radius.
    pub(super) fn compute(
        &mut self,
        task: ViewTask<'_>,
        observer: &PlacedObserver,
        radius: u32,
    ) -> Result<(), SightError> {
        if radius != self.viewshed.config().radius {
            self.viewshed.set_config(self.viewshed.config().clone().with_radius(radius))?;
        }
        let Self { viewshed, seen, bare, .. } = self;
        let limits = &observer.limits;
        let (eye_m, hub_m, tip_m) = (limits.eye_height_m, limits.hub_m(), limits.tip_m());
        if task.parts.bare {
            let optics = task.optics.without_surface();
            ViewTask { optics: &optics, ..task }.look(viewshed, observer, eye_m, bare)?;
        }
        let mut look = |height_m, values: &mut FrameValues| task.look(viewshed, observer, height_m, values);
        self.frame = look(eye_m, seen)?;
        let ViewParts { visible_m, seen_cells, tip_cells, .. } = task.parts;
        let needs = [task.parts.needs_hub(limits), task.parts.needs_tip(limits)];
        for (is_needed, height_m, values) in [(needs[0], hub_m, &mut self.hub), (needs[1], tip_m, &mut self.tip)] {
            *values = if is_needed { Some(values.take().unwrap_or_default()) } else { None };
            if let Some(values) = values {
                look(height_m, values)?;
            }
        }
        if visible_m {
            self.find_visible_metres(task, observer)?;
        }
        let size = task.optics.world().ground_m().size();
        let bits = |row: &dyn Fn(usize) -> Vec<bool>| VisibleCells::new(size, self.frame, row);
        let is_seen = |row: &[f32]| row.iter().map(|seen| *seen >= task.glimpse).collect();
        let seen_cells = seen_cells.then(|| bits(&|y| is_seen(self.seen(y))));
        let tip_cells = tip_cells.then(|| bits(&|y| is_seen(self.tip(y))));
        (self.seen_cells, self.tip_cells) = (seen_cells, tip_cells);
        Ok(())
    }

    /// Computes the visible metres of a turbine or mast, from its ground to its tip, as seen from the height of the
    /// targets.
    ///
    /// Where the tip is seen, the least height from which the target is seen gives the hidden part: light takes the same line in both
    /// directions. The ground is bilinear, whatever the method.
    fn find_visible_metres(&mut self, task: ViewTask<'_>, observer: &PlacedObserver) -> Result<(), SightError> {
        let Self { viewshed, frame, visible_m, seen, tip, .. } = self;
        let (limits, viewer, min) = (&observer.limits, observer.cell, frame.min);
        let optics = task.optics.at_heights(0.0, limits.target_height_m);
        let (tip, tip_m) = (tip.as_ref().unwrap_or(seen), limits.tip_m() as f32);
        let sees_tip = |cell: IVec2| {
            let IVec2 { x, y } = cell - min;
            frame.contains(cell) && tip.row(y as usize)[x as usize] >= task.glimpse
        };
        let surface = optics.surface(viewer);
        let hidden_m = task.progress.of_sweep(|job| viewshed.least_eye_heights(&surface, viewer, &sees_tip, job))?;
        visible_m.width = seen.width;
        visible_m.cells.clear();
        for (y, row) in (min.y..).zip(0..frame.height()) {
            let visible = |(x, tip): (i32, &f32)| {
                let hidden_m = hidden_m.metres((x, y)).filter(|_| *tip >= task.glimpse);
                hidden_m.map_or(0.0, |hidden_m| (tip_m - hidden_m).max(0.0))
            };
            visible_m.cells.extend((min.x..).zip(tip.row(row)).map(visible));
        }
        Ok(())
    }
}

impl ViewTask<'_> {
    /// Computes the visibilities from a height over the ground, within the limits of an observer, and returns their frame.
    fn look(
        self,
        viewshed: &mut Viewshed,
        observer: &PlacedObserver,
        height_m: f64,
        values: &mut FrameValues,
    ) -> Result<CellRect, SightError> {
        let (limits, viewer, world) = (observer.limits_on_raster(), observer.cell, self.optics.world());
        let optics = self.optics.at_heights(height_m, limits.target_height_m);
        let view = self.progress.of_sweep(|job| optics.view(viewshed, viewer, job))?;
        let window = CellRect { min: view.top_left(), max: view.top_left() + view.grid().size() };
        let (ground, cell_size) = (world.ground_m(), world.cell_size_at(viewer));
        let frame = window.intersect(CellRect::of_size(ground.size()));
        let eye_m = f64::from(ground[viewer]) + height_m + optics.eye_lift_m(viewer);
        let drop = Surface::drop_m(optics.config().curvature(), 1.0);
        let skipped = frame.min - window.min;
        values.width = frame.width();
        values.cells.clear();
        for y in 0..frame.height() {
            let (row, begin) = (view.grid().row(skipped.y as usize + y), values.cells.len());
            values.cells.extend_from_slice(&row[skipped.x as usize..][..frame.width()]);
            let start = frame.min + ivec2(0, y as i32);
            limits.clear_row(&mut values.cells[begin..], start - viewer, cell_size, |column| {
                let cell = start + ivec2(column as i32, 0);
                let distance_m = cell_size.distance_m(cell - viewer);
                f64::from(ground[cell]) + limits.target_height_m - drop * distance_m * distance_m - eye_m
            });
        }
        Ok(frame)
    }
}

/// The visible cells of a map, one bit each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisibleCells {
    size: IVec2,
    /// The first stored row; only stored rows have visible cells.
    first_row: usize,
    words_per_row: usize,
    /// Row-major. A row starts with a new word, with the first cell in the lowest bit.
    words: Vec<u64>,
}

impl VisibleCells {
    /// Stores the result of `is_seen` for each row of a frame.
    fn new(size: IVec2, frame: CellRect, is_seen: impl Fn(usize) -> Vec<bool>) -> Self {
        let words_per_row = (size.x as usize).div_ceil(64);
        let mut words = vec![0; words_per_row * frame.height()];
        for (y, words) in words.chunks_mut(words_per_row).enumerate() {
            for (x, _) in is_seen(y).into_iter().enumerate().filter(|(_, is_seen)| *is_seen) {
                let column = frame.min.x as usize + x;
                words[column / 64] |= 1 << (column % 64);
            }
        }
        Self { size, first_row: frame.min.y as usize, words_per_row, words }
    }

    /// Returns the columns and rows of the map.
    pub fn size(&self) -> IVec2 {
        self.size
    }

    /// Returns `true` if a cell of the map is seen.
    pub fn contains(&self, cell: impl ToCell) -> bool {
        let cell = cell.to_cell();
        if !CellRect::of_size(self.size).contains(cell) {
            return false;
        }
        let column = cell.x as usize;
        self.row(cell.y as usize).is_some_and(|words| words[column / 64] >> (column % 64) & 1 == 1)
    }

    /// Returns the stored rows.
    pub(super) fn rows(&self) -> std::ops::Range<usize> {
        self.first_row..self.first_row + self.words.len() / self.words_per_row
    }

    /// Returns the words of a row of the map, `None` if it is not stored.
    pub(super) fn row(&self, y: usize) -> Option<&[u64]> {
        let row = y.checked_sub(self.first_row)?;
        self.words.get(row * self.words_per_row..(row + 1) * self.words_per_row)
    }
}
