//! [`AtlasPlan`]: what is to be computed, and the computing.

use std::fmt;
use std::str::FromStr;

use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::cells::Cells;
use super::error::AtlasError;
use super::look::AtlasCell;
use super::sum_up::SumUp;
use crate::files::{MapSource, Provenance, digest, fnv};
use crate::job::Job;
use crate::preset::Preset;
use crate::scene::{Scene, Terrain};
use crate::sight::SightError;
use crate::simd::dispatch;

/// Viewers whose cells are kept together: what at most is lost when a run is killed.
pub(super) const BLOCK: usize = 1024;

/// One of several parts of nearly the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Its number, from 1.
    pub index: u32,
    /// How many there are.
    pub count: u32,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    pub(super) fn check(self) -> Result<(), AtlasError> {
        let Self { index, count } = self;
        if (1..=count).contains(&index) { Ok(()) } else { Err(AtlasError::NoShard { index, count }) }
    }

    /// Which of so many viewers are its own.
    pub(super) fn range(self, viewers: usize) -> std::ops::Range<usize> {
        let cut = |shards: u32| (viewers as u128 * u128::from(shards) / u128::from(self.count.max(1))) as usize;
        cut(self.index.saturating_sub(1))..cut(self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shard = text.split_once('/').and_then(|(index, count)| {
            Some(Self { index: index.trim().parse().ok()?, count: count.trim().parse().ok()? })
        });
        let shard = shard.ok_or_else(|| "a shard is I/N, such as 1/8 for the first of eight".to_owned())?;
        shard.check().map(|()| shard).map_err(|error| error.to_string())
    }
}

/// What an atlas says of itself: all that is needed to write it, and to know which scene it is of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Heading {
    /// Scene, cells and version in 16 hexadecimal digits.
    pub(super) digest: String,
    /// Columns and rows of the map.
    pub(super) size: IVec2,
    pub(super) cells: Cells,
    pub(super) shard: Shard,
    pub(super) cell_size_m: Option<f64>,
    /// Without a layer.
    pub(super) provenance: Provenance,
}

impl Heading {
    /// Which of the viewers of the whole atlas are this part's.
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.shard.range(self.cells.count(self.size))
    }
}

/// What is to be computed: the cells of a scene that viewers stand on, or a share of them.
#[derive(Clone, Debug, PartialEq)]
pub struct AtlasPlan {
    pub(super) heading: Heading,
}

impl AtlasPlan {
    /// An atlas of a scene, or a share of it. `name` is the preset's, for titles; `map` is what took the place of a
    /// world.
    ///
    /// # Errors
    /// [`AtlasError`] for cells or a shard that there are not.
    pub fn new(
        scene: &Scene,
        name: &str,
        map: Option<MapSource>,
        cells: Cells,
        shard: Shard,
    ) -> Result<Self, AtlasError> {
        cells.check(scene.size())?;
        shard.check()?;
        let preset = scene.preset().to_toml();
        let kind = match &cells {
            Cells::Every(step) => serde_json::json!({ "every": step }),
            Cells::List(cells) => serde_json::json!({ "cells": cells.len() }),
        };
        Ok(Self {
            heading: Heading {
                digest: digest_of(scene, &cells),
                size: scene.size(),
                cells,
                shard,
                cell_size_m: scene.world().map(|world| world.config().cell_size_m),
                provenance: Provenance {
                    version: env!("CARGO_PKG_VERSION").into(),
                    preset,
                    seed: scene.preset().world.seed,
                    viewer: scene.viewer().to_array(),
                    layer: String::new(),
                    crop: None,
                    map,
                    more: [("name".to_owned(), name.into()), ("atlas".to_owned(), kind)].into(),
                },
            },
        })
    }

    /// A short name for scene, cells and version, to tell whether a part is of the same atlas.
    pub fn digest(&self) -> &str {
        &self.heading.digest
    }

    /// The cells to be computed.
    pub fn len(&self) -> usize {
        self.heading.range().len()
    }

    /// Whether the share is so small that nothing is to be computed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Computes the cells from the `from`th on, over all of rayon's threads, and hands them to `keep` in order, some
    /// at a time; the same ones at every time and for any number of threads.
    ///
    /// # Errors
    /// [`AtlasError::Sight`], also when the `job` is stopped, and whatever `keep` says. What `keep` was given before
    /// is good.
    pub fn survey<E: From<AtlasError>>(
        &self,
        scene: &Scene,
        from: usize,
        job: Job<'_>,
        mut keep: impl FnMut(&[AtlasCell]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Heading { size, cells, .. } = &self.heading;
        let range = self.heading.range();
        let preset = scene.preset();
        let thresholds = preset.perception.thresholds();
        let sight = |error: SightError| E::from(error.into());
        let mut viewers = Vec::with_capacity(BLOCK);
        let mut done = from;
        while done < range.len() {
            job.report("atlas", done as f32 / range.len() as f32).map_err(|stopped| sight(stopped.into()))?;
            // Blocks end at multiples of their size, wherever a run began.
            let block = done..((done / BLOCK + 1) * BLOCK).min(range.len());
            viewers.clear();
            viewers.extend(block.clone().map(|i| cells.cell(*size, range.start + i)));
            let seen = scene.view_many(&viewers, job.without_progress(), |_, radius, view| {
                let viewer = view.viewer();
                let light = (scene.optics().light < 1.0).then_some(|cell| scene.light_for(viewer, cell));
                dispatch(SumUp { view, radius, size: *size, thresholds, light })
            });
            keep(&seen.map_err(sight)?)?;
            done = block.end;
        }
        Ok(())
    }
}

/// The hash of all that the values of an atlas hang on.
fn digest_of(scene: &Scene, cells: &Cells) -> String {
    // How it is painted is no matter, nor who else is about.
    let preset = Preset {
        about: String::new(),
        paint: Default::default(),
        viewers: Vec::new(),
        creatures: Vec::new(),
        ..scene.preset().clone()
    };
    let ground = match scene.terrain() {
        Terrain::World(optics) => {
            let world = optics.world();
            [world.ground_m(), world.humidity(), world.vegetation()].map(digest).concat()
        }
        Terrain::Map(opacity) => digest(opacity.grid()),
    };
    let cells = match cells {
        Cells::Every(step) => format!("every {step}"),
        Cells::List(cells) => cells.iter().map(|cell| format!("{},{};", cell.x, cell.y)).collect(),
    };
    let words = [env!("CARGO_PKG_VERSION"), &preset.to_toml(), &ground, &cells].join("\n");
    format!("{:016x}", fnv(words.bytes()))
}
