//! Views that changes of a scene leave out, to be computed later and elsewhere: no program waits for a view that takes long.

use std::iter;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::terrain::ViewWindow;
use crate::scene::{Scene, SceneCost};
use crate::world::{Ground, PackedWorld, World};
use farsight::Job;
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

/// What a refresh of a scene has computed: the world after climate and rivers have settled, and the views. A codec of serde sends it to
/// another process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refreshed {
    /// `None` if no stroke settles.
    settled: Option<PackedWorld>,
    /// Those of the viewer and of the observers.
    views: Vec<ViewWindow>,
}

/// What was refreshed is not a copy of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the views belong to another scene")]
pub struct RefreshedError;

impl Scene {
    /// Lets changes leave out views that take more than a number of cell updates, as [`SceneCost::of_views`] estimates them. The
    /// scene [is behind](Self::is_stale) then: its views, what is remembered and how creatures are recognised are those before the
    /// change, until it [is refreshed](Self::refresh). Without this, every change computes its views.
    ///
    /// A program that draws lets a copy catch up on another thread, and goes on with that copy unless the scene was changed
    /// meanwhile, which [`revision`](Self::revision) tells. A stroke that [settles](field@crate::world::Stroke::settles) is
    /// painted at once, and climate and rivers follow when the scene is refreshed. With the feature `parallel`, give the copy a pool of rayon of
    /// its own: parallel work of the drawing thread waits for all that is under way in its pool.
    ///
    /// ```
    /// use farsight_scene::prelude::*;
    /// use farsight::Job;
    /// let map = OpacityMap::from_text("@....")?;
    /// let mut scene = Scene::on_map(Preset::bare_kernel(), map, Some(ivec2(0, 0)), Job::none())?;
    /// scene.leave_views_over(0);
    /// scene.step(ivec2(1, 0))?;
    /// assert!(scene.is_stale());
    /// let mut copy = scene.clone();
    /// let changes = scene.revision();
    /// let copy = std::thread::spawn(move || copy.refresh(Job::none()).map(|()| copy)).join().unwrap()?;
    /// if scene.revision() == changes {
    ///     scene = copy;
    /// }
    /// assert!(!scene.is_stale());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leave_views_over(&mut self, updates: u64) {
        self.pending.over = updates;
    }

    /// Returns `true` if views were left out that are to be computed.
    pub fn is_stale(&self) -> bool {
        self.pending.has_views
    }

    /// Returns a number that grows with each change while the scene is behind.
    pub fn revision(&self) -> u64 {
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
    pub fn refresh(&mut self, job: Job<'_>) -> Result<(), SightError> {
        if !self.is_stale() {
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

    /// Returns what [`refresh`](Self::refresh) has computed, for a copy of this scene before it in another process.
    pub fn refreshed(&self) -> Refreshed {
        let settled = self.world_and_strokes().map(|(world, _)| world);
        let is_other = |world: &&Arc<World>| self.world_without_strokes().is_some_and(|old| !Arc::ptr_eq(world, old));
        Refreshed {
            settled: settled.filter(is_other).map(|world| PackedWorld::from(&**world)),
            views: iter::once(&self.own_view).chain(&self.observer_views).cloned().collect(),
        }
    }

    /// Takes over what a copy of this scene has [computed](Self::refreshed) in place of [`refresh`](Self::refresh). `ground` is the
    /// measured ground of the world.
    ///
    /// # Errors
    /// [`RefreshedError`] if it is not that of a copy; the scene stays stale.
    pub fn load_refreshed(&mut self, refreshed: Refreshed, ground: Option<&Ground>) -> Result<(), RefreshedError> {
        let Refreshed { settled, mut views } = refreshed;
        if views.len() != 1 + self.state.observers.len() {
            return Err(RefreshedError);
        }
        if self.pending.has_climate {
            let settled = settled.and_then(|world| world.unpack(&self.preset.world, ground)).ok_or(RefreshedError)?;
            self.set_settled_world(settled).map_err(|_| RefreshedError)?;
        }
        self.own_view = views.remove(0);
        self.observer_views = views;
        let pending = std::mem::take(&mut self.pending);
        if pending.has_perception {
            self.update_perception();
        }
        self.pending = Pending { over: pending.over, changes: pending.changes, ..Pending::default() };
        Ok(())
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
        let is_stale = self.is_stale();
        self.pending.has_perception |= is_stale;
        self.pending.changes += u64::from(is_stale);
        is_stale
    }
}
