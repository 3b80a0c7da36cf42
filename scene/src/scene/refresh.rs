//! Changes that defer views, climate and rivers, so that a program can compute them later on another thread.

use std::iter;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::terrain::ViewWindow;
use crate::scene::Scene;
use crate::world::{Ground, PackedWorld};
use farsight::Job;
use farsight::sight::SightError;

/// The result of a refresh of a scene: the world with settled climate and rivers, and the views. A serde codec can send
/// it to another process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refreshed {
    /// `None` if no stroke settles.
    settled: Option<PackedWorld>,
    /// The views of the viewer and of the observers.
    views: Vec<ViewWindow>,
}

/// The refreshed scene is not a copy of this scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the views belong to another scene")]
pub struct RefreshedError;

impl Scene {
    /// Makes changes and defers the slow work: affected views, memory, creatures, climate and rivers do not change. The
    /// scene [is stale](Self::is_stale) until it is [refreshed](Self::refresh). Changes outside of `defer` compute
    /// their consequences immediately.
    ///
    /// An interactive program compares [`SceneCost::of_views`](super::SceneCost::of_views) with its time budget. Above
    /// it, the program refreshes a copy on another thread, and continues with the copy unless
    /// [`revision`](Self::revision) shows that the scene has changed. Give the copy a separate rayon pool: parallel
    /// work of the drawing thread waits for all running work in its pool.
    ///
    /// ```
    /// use farsight_scene::prelude::*;
    /// use farsight::Job;
    /// let map = OpacityMap::from_text("@....")?;
    /// let mut scene = Scene::from_map(Preset::bare_kernel(), map, Some(ivec2(0, 0)), Job::none())?;
    /// scene.defer(|scene| scene.step(ivec2(1, 0)))?;
    /// assert!(scene.is_stale());
    /// let mut copy = scene.clone();
    /// let copy = std::thread::spawn(move || copy.refresh(Job::none()).map(|()| copy)).join().unwrap()?;
    /// if scene.revision() == copy.revision() {
    ///     scene = copy;
    /// }
    /// assert!(!scene.is_stale());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn defer<T>(&mut self, change: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.stale.defers, true);
        let result = change(self);
        self.stale.defers = outer;
        result
    }

    /// Returns `true` if views, climate or rivers, or only memory and creatures, are stale.
    pub fn is_stale(&self) -> bool {
        self.stale.perception || self.has_stale_views()
    }

    /// Returns `true` if views, or climate and rivers, are stale.
    pub fn has_stale_views(&self) -> bool {
        self.stale.climate || iter::once(&self.own_view).chain(&self.observer_views).any(|view| view.is_stale)
    }

    /// Returns `true` if climate and rivers are stale.
    pub fn is_unsettled(&self) -> bool {
        self.stale.climate
    }

    /// Returns a number that increases with each change. A refresh is not a change.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Recomputes the stale climate, rivers and views, and the data that depend on them.
    ///
    /// # Errors
    /// [`SightError::Cancelled`], and as [`compute_view`](Self::compute_view); the scene stays stale.
    pub fn refresh(&mut self, job: Job<'_>) -> Result<(), SightError> {
        if self.stale.climate {
            self.settle(job)?;
            self.mark_views_stale();
        }
        if self.own_view.is_stale {
            self.compute_own_view(job)?;
        }
        for i in 0..self.observer_views.len() {
            if self.observer_views[i].is_stale {
                self.compute_observer_view(i, job.without_progress())?;
            }
        }
        if !self.stale.perception {
            return Ok(());
        }
        let result = self.perceive(job.without_progress());
        self.stale.perception = result.is_err();
        result
    }

    /// Returns the result of [`refresh`](Self::refresh), for a stale copy of this scene in another process.
    pub fn refreshed(&self) -> Refreshed {
        let settled = self.world_and_strokes().map(|(world, _)| world);
        let is_other = |world: &&Arc<_>| self.world_without_strokes().is_some_and(|old| !Arc::ptr_eq(world, old));
        Refreshed {
            settled: settled.filter(is_other).map(|world| PackedWorld::from(&**world)),
            views: iter::once(&self.own_view).chain(&self.observer_views).cloned().collect(),
        }
    }

    /// Loads the [result](Self::refreshed) of a copy of this scene, instead of [`refresh`](Self::refresh). `ground` is the measured
    /// ground of the world.
    ///
    /// # Errors
    /// [`RefreshedError`] if it is not the result of a copy; the scene stays stale.
    pub fn load_refreshed(&mut self, refreshed: Refreshed, ground: Option<&Ground>) -> Result<(), RefreshedError> {
        let Refreshed { settled, mut views } = refreshed;
        if views.len() != 1 + self.state.observers.len() {
            return Err(RefreshedError);
        }
        if self.stale.climate {
            let settled = settled.and_then(|world| world.unpack(&self.preset.world, ground)).ok_or(RefreshedError)?;
            self.set_settled_world(settled).map_err(|_| RefreshedError)?;
        }
        self.own_view = views.remove(0);
        self.observer_views = views;
        if self.stale.perception {
            self.perceive(Job::none()).map_err(|_| RefreshedError)?;
        }
        Ok(())
    }

    fn mark_views_stale(&mut self) {
        iter::once(&mut self.own_view).chain(&mut self.observer_views).for_each(|view| view.is_stale = true);
    }

    /// Returns `true` if climate and rivers are deferred and have to follow the strokes.
    pub(super) fn defers_climate(&mut self) -> bool {
        self.stale.climate = self.stale.defers && self.painting.must_settle(&self.state.strokes);
        self.stale.climate
    }
}
