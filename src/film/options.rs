//! [`FilmOptions`]: the settings of a film; [`FilmError`]: the ways in which filming a walk can fail.

use std::ops::RangeInclusive;

use glam::IVec2;
use serde_json::{Value, json};

use crate::export::{ProvenanceError, SettingsReader};
use crate::files::{MapSource, Provenance};
use crate::job::Cancelled;
use crate::paint::Unseen;
use crate::scene::SceneError;
use crate::setters::setters;
use crate::sight::SightError;

/// The settings of a film.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FilmOptions {
    /// The part of the map in the picture.
    pub crop: FilmCrop,
    /// Pixels per cell, 1 to 64, or `None` for a picture of about 480 pixels.
    pub scale: Option<u32>,
    /// The time for which a frame is shown, in hundredths of a second, 2 to 6000.
    pub delay_cs: u16,
    /// The additional time for which the last frame is shown, in hundredths of a second, 0 to 6000.
    pub hold_cs: u16,
    /// Steps per frame, 1 or more. The first and the last step always have a frame.
    pub steps_per_frame: u32,
    /// The number of colours of a `.gif`, 8 to 256.
    pub colours: u16,
    /// `true` for a caption below the picture.
    pub caption: bool,
    /// The look of cells out of sight.
    pub unseen: Unseen,
    /// The name of the preset, for the provenance. It may be empty.
    pub name: String,
    /// The file that replaces a generated world, for the provenance.
    pub map: Option<MapSource>,
}

/// The part of the map in the picture. It follows the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum FilmCrop {
    /// 120 × 80 cells, or the whole map if it is smaller.
    #[default]
    Auto,
    /// The whole map.
    Map,
    /// Columns and rows, each 1 or more, or as many as the map has.
    Cells(IVec2),
}

impl Default for FilmOptions {
    fn default() -> Self {
        Self {
            crop: FilmCrop::Auto,
            scale: None,
            delay_cs: 10,
            hold_cs: 150,
            steps_per_frame: 1,
            colours: 256,
            caption: true,
            unseen: Unseen::Remembered,
            name: String::new(),
            map: None,
        }
    }
}

impl FilmCrop {
    /// Returns the columns and rows in the picture of a map of some size.
    pub(super) fn size(self, map_size: IVec2) -> IVec2 {
        match self {
            Self::Auto => IVec2::new(120, 80).min(map_size),
            Self::Map => map_size,
            Self::Cells(cells) => cells.max(IVec2::ONE).min(map_size),
        }
    }
}

impl FilmOptions {
    /// The range of [`delay_cs`](Self::delay_cs).
    pub const DELAYS_CS: RangeInclusive<u16> = 2..=6000;

    /// The range of [`colours`](Self::colours). One index of the palette is for pixels that do not change.
    pub const COLOURS: RangeInclusive<u16> = 8..=256;

    /// The key of the settings in a [`Provenance`].
    pub(super) const PROVENANCE_KEY: &str = "film";

    setters! {
        with_crop(crop: FilmCrop), with_scale(scale: impl Into<Option<u32>>), with_delay_cs(delay_cs: u16),
        with_hold_cs(hold_cs: u16), with_steps_per_frame(steps_per_frame: u32), with_colours(colours: u16),
        with_caption(caption: bool), with_unseen(unseen: Unseen), with_name(name: impl Into<String>),
        with_map(map: impl Into<Option<MapSource>>),
    }

    /// Returns what a provenance has to hold, together with its scene, to make the film of a walk again.
    pub(super) fn settings(&self, points: &[IVec2]) -> Value {
        let crop = match self.crop {
            FilmCrop::Auto => json!("auto"),
            FilmCrop::Map => json!("map"),
            FilmCrop::Cells(cells) => json!(cells),
        };
        json!({
            "points": points, "frame": crop, "scale": self.scale, "delay_cs": self.delay_cs, "hold_cs": self.hold_cs,
            "every": self.steps_per_frame, "colours": self.colours, "caption": self.caption,
            "unseen": self.unseen.name(),
        })
    }

    /// Reads the options and the points of the walk from the provenance of a film. The same scene, points and options
    /// give the same film. Returns `None` for the provenance of anything else.
    ///
    /// # Errors
    /// [`FilmError::Provenance`] with the first setting that is not valid.
    pub fn from_provenance(provenance: &Provenance) -> Result<Option<(Self, Vec<IVec2>)>, FilmError> {
        if !provenance.more.contains_key(Self::PROVENANCE_KEY) {
            return Ok(None);
        }
        let settings = SettingsReader::new(provenance, Self::PROVENANCE_KEY);
        let crop = match settings.get::<String>("frame").as_deref() {
            Some("auto") => FilmCrop::Auto,
            Some("map") => FilmCrop::Map,
            _ => settings
                .get("frame")
                .filter(|cells: &IVec2| cells.cmpge(IVec2::ONE).all())
                .map(FilmCrop::Cells)
                .ok_or_else(|| settings.error("frame", "auto, map, or [columns, rows]"))?,
        };
        let scale = settings.has("scale").then(|| settings.number("scale", 1..=64)).transpose()?;
        let points = settings.get("points").filter(|points: &Vec<IVec2>| !points.is_empty());
        let options = Self {
            crop,
            scale,
            delay_cs: settings.number("delay_cs", Self::DELAYS_CS)?,
            hold_cs: settings.number("hold_cs", 0..=*Self::DELAYS_CS.end())?,
            steps_per_frame: settings.number("every", 1..=u32::MAX)?,
            colours: settings.number("colours", Self::COLOURS)?,
            caption: settings.get("caption").ok_or_else(|| settings.error("caption", "true or false"))?,
            unseen: settings.name("unseen", &Unseen::ALL, Unseen::name)?,
            name: provenance.more.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
            map: provenance.map.clone(),
        };
        Ok(Some((options, points.ok_or_else(|| settings.error("points", "a list of cells [x, y]"))?)))
    }
}

/// The ways in which filming a walk can fail.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FilmError {
    /// A frame or a copy of the scene does not fit into the free memory.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A point of the walk that is not on the map.
    #[error("point {},{} of the walk is outside the map of {}x{} cells: expected 0,0 to {},{}",
        point.x, point.y, size.x, size.y, size.x - 1, size.y - 1)]
    PointOutside {
        /// The point.
        point: IVec2,
        /// Columns and rows of the map.
        size: IVec2,
    },
    /// Two points with walls between them.
    #[error("there is no route from {},{} to {},{}: walls block it", from.x, from.y, to.x, to.y)]
    NoRoute {
        /// The point before.
        from: IVec2,
        /// The point that cannot be reached.
        to: IVec2,
    },
    /// A walk of too many steps.
    #[error("a walk of {steps} steps is too long: expected at most {limit}")]
    TooLong {
        /// The number of steps.
        steps: usize,
        /// [`Itinerary::MAX_STEPS`](crate::film::Itinerary::MAX_STEPS).
        limit: usize,
    },
    /// A frame of too many pixels.
    #[error(
        "a frame of {width}x{height} pixels ({scale} per cell) is too large: expected at most {limit} pixels, and 65535 \
         per side; choose a smaller scale or a smaller part of the map"
    )]
    FrameTooLarge {
        /// Pixels per cell.
        scale: u32,
        /// Columns of pixels.
        width: i64,
        /// Rows of pixels.
        height: i64,
        /// The largest number of pixels.
        limit: i64,
    },
    /// A film of too many pixels.
    #[error(
        "a film of {frames} frames of {width}x{height} pixels is too long: expected at most {limit} pixels in all; \
         choose a smaller scale, a smaller part of the map, or fewer frames"
    )]
    TooManyPixels {
        /// The number of frames.
        frames: usize,
        /// Columns of pixels.
        width: i32,
        /// Rows of pixels.
        height: i32,
        /// The largest number of pixels of all frames together.
        limit: i64,
    },
    /// The provenance of a film holds a setting that is not valid.
    #[error(transparent)]
    Provenance(#[from] ProvenanceError),
    /// A view could not be computed.
    #[error(transparent)]
    Sight(#[from] SightError),
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
