//! Views that changes of a scene leave out, to be computed later and elsewhere: no program waits for a view that takes long.

use std::iter;

use glam::IVec2;

use super::terrain::ViewWindow;
use crate::scene::{Scene, SceneCost};
use farsight::Job;
use farsight::grid::Grid;
use farsight::sight::SightError;

/// The views and recognitions that are left to compute.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// The most cell updates of views that changes compute.
    over: u64,
    has_views: bool,
    has_perception: bool,
    /// `true` if climate and rivers have not followed the strokes of the state.
    has_climate: bool,
    /// Counts the changes while views are left out.
    pub(super) changes: u64,
}

impl Default for Pending {
    fn default() -> Self {
        Self::over(u64::MAX)
    }
}

impl Pending {
    /// Nothing yet; later views over a number of cell updates.
    pub(super) fn over(over: u64) -> Self {
        Self { over, has_views: false, has_perception: false, has_climate: false, changes: 0 }
    }
}

impl Scene {
    /// Lets changes leave out views that take more than a number of cell updates, as [`SceneCost::of_views`] estimates them. The
    /// scene [is behind](Self::is_behind) then: its views, what is remembered and how creatures are recognised are those before the
    /// change, until it [catches up](Self::catch_up). Without this, every change computes its views.
    ///
    /// A program that draws lets a copy catch up on another thread, and goes on with that copy unless the scene was changed
    /// meanwhile, which [`changes_behind`](Self::changes_behind) tells. A stroke that [settles](field@crate::world::Stroke::settles) is
    /// painted at once, and climate and rivers follow when the scene catches up. With the feature `parallel`, give the copy a pool of rayon of
    /// its own: parallel work of the drawing thread waits for all that is under way in its pool.
    ///
    /// ```
    /// use farsight_scene::prelude::*;
    /// use farsight::Job;
    /// let map = OpacityMap::from_text("@....")?;
    /// let mut scene = Scene::on_map(Preset::bare_kernel(), map, Some(ivec2(0, 0)), Job::none())?;
    /// scene.leave_views_over(0);
    /// scene.step(ivec2(1, 0))?;
    /// assert!(scene.is_behind());
    /// let mut copy = scene.clone();
    /// let changes = scene.changes_behind();
    /// let copy = std::thread::spawn(move || copy.catch_up(Job::none()).map(|()| copy)).join().unwrap()?;
    /// if scene.changes_behind() == changes {
    ///     scene = copy;
    /// }
    /// assert!(!scene.is_behind());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leave_views_over(&mut self, updates: u64) {
        self.pending.over = updates;
    }

    /// Returns `true` if views were left out that are to be computed.
    pub fn is_behind(&self) -> bool {
        self.pending.has_views
    }

    /// Returns a number that grows with each change while the scene is behind.
    pub fn changes_behind(&self) -> u64 {
        self.pending.changes
    }

    /// Returns `true` if climate and rivers have not followed the strokes yet, since that was left out.
    pub fn is_unsettled(&self) -> bool {
        self.pending.has_climate
    }

    /// Computes what was left out: climate and rivers, the views, and what follows from them.
    ///
    /// # Errors
    /// [`SightError::Cancelled`], and as [`compute_view`](Self::compute_view); the scene stays behind.
    pub fn catch_up(&mut self, job: Job<'_>) -> Result<(), SightError> {
        if !self.is_behind() {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        let result = self.compute_left_out(&pending, job);
        self.pending = match result {
            Ok(()) => Pending { over: pending.over, changes: pending.changes, ..Pending::default() },
            Err(_) => pending,
        };
        result
    }

    /// Returns the views as bytes: of each, upper left cell, columns and rows as little-endian `i32`, and visibilities as `f32`.
    pub fn views_to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for view in iter::once(&self.own_view).chain(&self.observer_views) {
            let sides = [view.top_left, view.window.size()];
            bytes.extend(sides.iter().flat_map(|side| side.to_array()).flat_map(i32::to_le_bytes));
            bytes.extend(view.window.as_slice().iter().flat_map(|seen| seen.to_le_bytes()));
        }
        bytes
    }

    /// Takes over the views of a scene in the same state, from [`views_to_bytes`](Self::views_to_bytes), in place of
    /// [catching up](Self::catch_up). Returns `false` if they are not those of such a scene; the scene stays as it was.
    pub fn take_views(&mut self, mut bytes: &[u8]) -> bool {
        let mut views = Vec::new();
        while let Some((head, rest)) = bytes.split_first_chunk::<16>() {
            let [x, y, width, height] =
                std::array::from_fn(|i| std::array::from_fn(|k| head[4 * i + k])).map(i32::from_le_bytes);
            let len = usize::try_from(width).ok().and_then(|width| width.checked_mul(usize::try_from(height).ok()?));
            let Some((values, rest)) = len.and_then(|len| rest.split_at_checked(len.checked_mul(4)?)) else {
                return false;
            };
            let values = values.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
            let Ok(window) = Grid::from_vec(width as usize, height as usize, values) else { return false };
            views.push(ViewWindow { top_left: IVec2::new(x, y), window });
            bytes = rest;
        }
        if !bytes.is_empty() || views.len() != 1 + self.state.observers.len() {
            return false;
        }
        self.own_view = views.remove(0);
        self.observer_views = views;
        let pending = std::mem::take(&mut self.pending);
        if pending.has_perception {
            self.update_perception();
        }
        self.pending = Pending { over: pending.over, changes: pending.changes, ..Pending::default() };
        true
    }

    fn compute_left_out(&mut self, pending: &Pending, job: Job<'_>) -> Result<(), SightError> {
        if pending.has_climate {
            self.settle(job)?;
        }
        self.compute_own_view(job)?;
        self.compute_observer_views(job.without_progress())?;
        if pending.has_perception { self.perceive(job.without_progress()) } else { Ok(()) }
    }

    /// Returns `true` if climate and rivers are left as they are, and the views with them, which then are to follow the strokes.
    pub(super) fn leaves_climate(&mut self) -> bool {
        let leaves = self.pending.over < u64::MAX && self.painting.must_settle(&self.state.strokes);
        self.pending.has_climate = leaves;
        if leaves {
            self.pending.has_views = true;
            self.pending.changes += 1;
        }
        leaves
    }

    /// Returns `true` if views are left out, which then are to be computed.
    pub(super) fn leaves_views(&mut self) -> bool {
        let leaves = self.pending.over < u64::MAX && SceneCost::of_views(self).updates() > self.pending.over;
        if leaves {
            self.pending.has_views = true;
            self.pending.changes += 1;
        }
        leaves
    }

    /// Returns `true` if memory and creatures follow from views that were left out, and are left out, too.
    pub(super) fn leaves_perception(&mut self) -> bool {
        let is_behind = self.is_behind();
        self.pending.has_perception |= is_behind;
        self.pending.changes += u64::from(is_behind);
        is_behind
    }
}
