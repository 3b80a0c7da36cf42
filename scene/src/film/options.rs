//! [`FilmOptions`]: the settings of a film; [`FilmError`]: an error of filming a walk.

use std::ops::RangeInclusive;

use glam::IVec2;
use serde_json::{Value, json};

use super::versus::Versus;
use crate::export::{ProvenanceError, SettingsReader};
use crate::files::{MapSource, Provenance};
use crate::paint::Unseen;
use crate::panorama::PanoramaError;
use crate::preset::Preset;
use crate::scene::SceneError;
use farsight::Cancelled;
use farsight::setters;
use farsight::sight::SightError;

/// The settings of a film.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FilmOptions {
    /// The part of the map in the picture.
    pub crop: FilmCrop,
    /// Pixels per cell, 1 to 64, or `None` for a picture of about 480 pixels.
    pub scale: Option<u32>,
    /// The duration of a frame in hundredths of a second, 2 to 6000. Frames of a `.gif` take whole hundredths, with
    /// this mean.
    pub delay_cs: f64,
    /// The additional duration of the last frame, in hundredths of a second, 0 to 6000.
    pub hold_cs: u16,
    /// Steps per frame, 1 or more. The first and the last step always have a frame.
    pub steps_per_frame: u32,
    /// The number of colours of a `.gif`, 8 to 256.
    pub colours: u16,
    /// `true` for a caption below the picture.
    pub caption: bool,
    /// Whether a panorama is below the map.
    pub panorama: bool,
    /// The second state, to which the film fades and back. A film without steps then shows one place for the duration
    /// of the fade.
    pub versus: Option<Box<Versus>>,
    /// The look of cells out of sight.
    pub unseen: Unseen,
    /// The name of the preset, for the provenance. It may be empty.
    pub name: String,
    /// The file that replaces a generated world, for the provenance.
    pub map: Option<MapSource>,
}

/// The duration of a frame of an `.apng`, as a fraction of a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameDelay {
    pub(super) numerator: u16,
    pub(super) denominator: u16,
}

/// Returns the greatest common divisor.
fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
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
    /// Columns and rows, each at least 1, and limited to the map.
    Cells(IVec2),
}

impl Default for FilmOptions {
    fn default() -> Self {
        Self {
            crop: FilmCrop::Auto,
            scale: None,
            delay_cs: 10.0,
            hold_cs: 150,
            steps_per_frame: 1,
            colours: 256,
            caption: true,
            panorama: false,
            versus: None,
            unseen: Unseen::Remembered,
            name: String::new(),
            map: None,
        }
    }
}

impl FilmCrop {
    /// Returns the columns and rows in the picture of a map of some size.
    pub fn cells(self, map_size: IVec2) -> IVec2 {
        match self {
            Self::Auto => IVec2::new(120, 80).min(map_size),
            Self::Map => map_size,
            Self::Cells(cells) => cells.max(IVec2::ONE).min(map_size),
        }
    }
}

impl FilmOptions {
    /// The range of [`delay_cs`](Self::delay_cs).
    pub const DELAYS_CS: RangeInclusive<f64> = 2.0..=6000.0;

    /// The range of [`hold_cs`](Self::hold_cs).
    pub const HOLDS_CS: RangeInclusive<u16> = 0..=6000;

    /// The range of [`colours`](Self::colours). One index of the palette is for unchanged pixels.
    pub const COLOURS: RangeInclusive<u16> = 8..=256;

    /// The key of the settings in a [`Provenance`].
    pub(super) const PROVENANCE_KEY: &str = "film";

    setters! {
        with_crop(crop: FilmCrop), with_scale(scale: impl Into<Option<u32>>), with_delay_cs(delay_cs: impl Into<f64>),
        with_hold_cs(hold_cs: u16), with_steps_per_frame(steps_per_frame: u32), with_colours(colours: u16),
        with_caption(caption: bool), with_panorama(panorama: bool),
        with_versus(versus: impl Into<Option<Box<Versus>>>), with_unseen(unseen: Unseen), with_name(name: impl Into<String>),
        with_map(map: impl Into<Option<MapSource>>),
    }

    /// Returns the duration of a frame of a `.gif` in whole hundredths of a second, whose sum over the frames is exact.
    pub(super) fn whole_delay_cs(&self, frame: usize) -> u16 {
        let start = |frame: usize| (frame as f64 * self.delay_cs).round();
        (start(frame + 1) - start(frame)) as u16
    }

    /// Returns the duration of a frame of an `.apng`, including an additional time, as a fraction of a second.
    pub(super) fn exact_delay(&self, hold_cs: u16) -> FrameDelay {
        let in_hundredths = |delay_cs: f64| FrameDelay { numerator: delay_cs.round() as u16, denominator: 100 };
        let whole = self.delay_cs + f64::from(hold_cs);
        if whole.fract() == 0.0 {
            return in_hundredths(whole);
        }
        // Frames a second with up to three decimals, such as 24 or 29.97.
        let per_1000_s = (100_000.0 / self.delay_cs).round();
        if hold_cs == 0 && per_1000_s <= f64::from(u16::MAX) {
            let divisor = gcd(1000, per_1000_s as u32);
            return FrameDelay {
                numerator: (1000 / divisor) as u16,
                denominator: (per_1000_s as u32 / divisor) as u16,
            };
        }
        match whole * 10.0 <= f64::from(u16::MAX) {
            true => FrameDelay { numerator: (whole * 10.0).round() as u16, denominator: 1000 },
            false => in_hundredths(whole),
        }
    }

    /// Returns the settings in a provenance that reproduce the film of a walk, in addition to its scene.
    pub(super) fn settings(&self, points: &[IVec2]) -> Value {
        let crop = match self.crop {
            FilmCrop::Auto => json!("auto"),
            FilmCrop::Map => json!("map"),
            FilmCrop::Cells(cells) => json!(cells),
        };
        let is_whole = self.delay_cs.fract() == 0.0;
        let delay_cs = if is_whole { json!(self.delay_cs as u32) } else { json!(self.delay_cs) };
        let mut settings = json!({
            "points": points, "frame": crop, "scale": self.scale, "delay_cs": delay_cs, "hold_cs": self.hold_cs,
            "every": self.steps_per_frame, "colours": self.colours, "caption": self.caption,
            "unseen": self.unseen.name(),
        });
        if self.panorama {
            settings["panorama"] = true.into();
        }
        if let Some(versus) = &self.versus {
            settings["versus"] = versus.preset.to_toml().into();
            settings["states"] = json!(versus.names);
        }
        settings
    }

    /// Reads the options and the points of the walk from the provenance of a film. The same scene, points and options
    /// give the same film. Returns `None` for any other provenance.
    ///
    /// # Errors
    /// [`FilmError::Provenance`] with the first invalid setting.
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
        let versus = settings.has("versus").then(|| {
            let preset = settings.get("versus").and_then(|text: String| Preset::from_toml(&text, "versus").ok());
            let versus = preset.zip(settings.get("states")).map(|(preset, names)| Box::new(Versus::new(preset, names)));
            versus.ok_or_else(|| settings.error("versus", "a preset, and states with two names"))
        });
        let points = settings.get("points").filter(|points: &Vec<IVec2>| !points.is_empty());
        let options = Self {
            crop,
            scale,
            delay_cs: settings.number("delay_cs", Self::DELAYS_CS)?,
            hold_cs: settings.number("hold_cs", Self::HOLDS_CS)?,
            steps_per_frame: settings.number("every", 1..=u32::MAX)?,
            colours: settings.number("colours", Self::COLOURS)?,
            caption: settings.get("caption").ok_or_else(|| settings.error("caption", "true or false"))?,
            panorama: match settings.has("panorama") {
                true => settings.get("panorama").ok_or_else(|| settings.error("panorama", "true or false"))?,
                false => false,
            },
            versus: versus.transpose()?,
            unseen: settings.name("unseen", Unseen::ALL, Unseen::name)?,
            name: provenance.more.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
            map: provenance.map.clone(),
        };
        Ok(Some((options, points.ok_or_else(|| settings.error("points", "a list of cells [x, y]"))?)))
    }
}

/// An error of filming a walk.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FilmError {
    /// A frame or a copy of the scene does not fit into the free memory.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A point of the walk off the map.
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
        /// The previous point.
        from: IVec2,
        /// The unreachable point.
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
        /// The maximum number of pixels.
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
        /// The maximum number of pixels of all frames together.
        limit: i64,
    },
    /// A panorama below a picture that is too narrow, or of a scene without heights.
    #[error(transparent)]
    Panorama(#[from] PanoramaError),
    /// The provenance of a film has an invalid setting.
    #[error(transparent)]
    Provenance(#[from] ProvenanceError),
    /// A view failed.
    #[error(transparent)]
    Sight(#[from] SightError),
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn films_play_at_the_speed_that_was_asked_for() {
        for (fps, delay) in [
            (10.0, [10, 100]),
            (24.0, [1, 24]),
            (25.0, [4, 100]),
            (30.0, [1, 30]),
            (29.97, [100, 2997]),
            (0.3, [10, 3]),
            (50.0, [2, 100]),
        ] {
            let options = FilmOptions::default().with_delay_cs(100.0 / fps);
            let sum: u32 = (0..600).map(|frame| u32::from(options.whole_delay_cs(frame))).sum();
            assert!((f64::from(sum) - 60_000.0 / fps).abs() <= 0.5, "{fps}: {sum}");
            let whole = 100.0 / fps;
            assert!((0..600).all(|frame| (f64::from(options.whole_delay_cs(frame)) - whole).abs() < 1.0), "{fps}");
            let FrameDelay { numerator, denominator } = options.exact_delay(0);
            assert_eq!([numerator, denominator], delay, "{fps}");
            let held = options.exact_delay(150);
            let held_s = f64::from(held.numerator) / f64::from(held.denominator);
            assert!((held_s - 1.5 - 1.0 / fps).abs() < 6e-4, "{fps}: {held_s}");
        }
    }
}
