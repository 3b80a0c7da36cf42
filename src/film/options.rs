//! [`FilmOptions`]: how a walk is filmed.

use glam::IVec2;
use serde_json::{Value, json};

use crate::files::{MapSource, Provenance};
use crate::paint::Unseen;

/// How a walk is filmed.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmOptions {
    /// The part of the map that is in the picture.
    pub frame: FilmFrame,
    /// Pixels a cell, 1 to 64; without it, as many as make a picture of about 480 pixels.
    pub scale: Option<u32>,
    /// How long a frame is shown, in hundredths of a second, 2 to 6000.
    pub delay_cs: u16,
    /// How much longer the last frame is shown, in hundredths of a second, up to 6000.
    pub hold_cs: u16,
    /// A frame is taken every so many steps, from the first on; the last step always has one.
    pub every: u32,
    /// Colours of a `.gif`, 8 to 256.
    pub colours: u16,
    /// Whether what changes is written below.
    pub caption: bool,
    /// What becomes of cells out of sight.
    pub unseen: Unseen,
    /// The name of the preset, for the provenance; may be empty.
    pub name: String,
    /// The map that took the place of a world.
    pub map: Option<MapSource>,
}

/// The part of the map that is in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FilmFrame {
    /// 120 × 80 cells around the viewer, or what there is of the map.
    #[default]
    Auto,
    /// All of the map.
    Map,
    /// So many columns and rows around the viewer, as far as the map is as large; each at least 1.
    Cells(IVec2),
}

impl Default for FilmOptions {
    fn default() -> Self {
        Self {
            frame: FilmFrame::Auto,
            scale: None,
            delay_cs: 10,
            hold_cs: 150,
            every: 1,
            colours: 256,
            caption: true,
            unseen: Unseen::Remembered,
            name: String::new(),
            map: None,
        }
    }
}

/// What is in the picture if nobody says.
const USUAL_FRAME: IVec2 = IVec2::new(120, 80);

impl FilmFrame {
    /// Columns and rows on a map of some size.
    pub(super) fn cells(self, map: IVec2) -> IVec2 {
        match self {
            Self::Auto => USUAL_FRAME.min(map),
            Self::Map => map,
            Self::Cells(cells) => cells.max(IVec2::ONE).min(map),
        }
    }
}

impl FilmOptions {
    /// Hundredths of a second that a frame may be shown.
    pub const DELAYS_CS: std::ops::RangeInclusive<u16> = 2..=6000;

    /// Colours that a `.gif` may have. One more pixel value is kept for what does not change.
    pub const COLOURS: std::ops::RangeInclusive<u16> = 8..=256;

    /// What neither the scene nor the rest of a provenance tells, with the walk.
    pub(super) fn settings(&self, points: &[IVec2]) -> Value {
        let points: Vec<[i32; 2]> = points.iter().map(|point| point.to_array()).collect();
        let frame = match self.frame {
            FilmFrame::Auto => json!("auto"),
            FilmFrame::Map => json!("map"),
            FilmFrame::Cells(cells) => json!(cells.to_array()),
        };
        json!({
            "points": points, "frame": frame, "scale": self.scale, "delay_cs": self.delay_cs, "hold_cs": self.hold_cs,
            "every": self.every, "colours": self.colours, "caption": self.caption, "unseen": self.unseen.name(),
        })
    }

    /// The options and the points that a film was made with, so that its scene filmed with them gives the same film;
    /// `None` if the provenance is not that of a film.
    ///
    /// # Errors
    /// Words for what cannot be understood.
    pub fn of(provenance: &Provenance) -> Result<Option<(Self, Vec<IVec2>)>, String> {
        let Some(film) = provenance.more.get("film") else { return Ok(None) };
        let fault = |key: &str| format!("the {key} of its walk cannot be understood: {}", film[key]);
        let number = |key: &str, least: u64, most: u64| {
            film[key].as_u64().filter(|number| (least..=most).contains(number)).ok_or_else(|| fault(key))
        };
        let pair = |value: &Value| {
            let numbers: Option<Vec<i32>> =
                value.as_array()?.iter().map(|number| i32::try_from(number.as_i64()?).ok()).collect();
            <[i32; 2]>::try_from(numbers?).ok().map(IVec2::from_array)
        };
        let points: Option<Vec<IVec2>> = film["points"].as_array().and_then(|all| all.iter().map(pair).collect());
        let frame = match film["frame"].as_str() {
            Some("auto") => FilmFrame::Auto,
            Some("map") => FilmFrame::Map,
            _ => pair(&film["frame"])
                .filter(|cells| cells.cmpge(IVec2::ONE).all())
                .map(FilmFrame::Cells)
                .ok_or_else(|| fault("frame"))?,
        };
        let scale = if film["scale"].is_null() { None } else { Some(number("scale", 1, 64)? as u32) };
        let [delays, colours] =
            [Self::DELAYS_CS, Self::COLOURS].map(|range| [*range.start(), *range.end()].map(u64::from));
        let unseen = Unseen::ALL.into_iter().find(|unseen| film["unseen"] == unseen.name());
        let options = Self {
            frame,
            scale,
            delay_cs: number("delay_cs", delays[0], delays[1])? as u16,
            hold_cs: number("hold_cs", 0, delays[1])? as u16,
            every: number("every", 1, u64::from(u32::MAX))? as u32,
            colours: number("colours", colours[0], colours[1])? as u16,
            caption: film["caption"].as_bool().ok_or_else(|| fault("caption"))?,
            unseen: unseen.ok_or_else(|| fault("unseen"))?,
            name: provenance.more.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
            map: provenance.map.clone(),
        };
        Ok(Some((options, points.filter(|points| !points.is_empty()).ok_or_else(|| fault("points"))?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::ivec2;

    #[test]
    fn options_and_walk_come_back_from_a_provenance() {
        let points = vec![ivec2(3, 4), ivec2(-1, 900)];
        for (frame, scale) in
            [(FilmFrame::Auto, None), (FilmFrame::Map, Some(1)), (FilmFrame::Cells(ivec2(9, 7)), Some(64))]
        {
            let options = FilmOptions { frame, scale, colours: 32, every: 3, caption: false, ..FilmOptions::default() };
            let more = [("film".to_owned(), options.settings(&points))].into();
            let provenance = Provenance { more, ..Provenance::default() };
            assert_eq!(FilmOptions::of(&provenance), Ok(Some((options, points.clone()))));
        }
        assert_eq!(FilmOptions::of(&Provenance::default()), Ok(None));
    }

    #[test]
    fn what_cannot_be_understood_is_quoted() {
        let whole = FilmOptions::default().settings(&[ivec2(1, 2)]);
        for (key, value, said) in [
            ("points", json!([[1]]), "points"),
            ("points", json!([]), "[]"),
            ("frame", json!("half"), "\"half\""),
            ("frame", json!([0, 5]), "[0,5]"),
            ("scale", json!(65), "65"),
            ("delay_cs", json!(1), "delay_cs"),
            ("colours", json!(300), "300"),
            ("every", json!(0), "every"),
            ("caption", json!(3), "caption"),
            ("unseen", json!("dark"), "\"dark\""),
        ] {
            let mut film = whole.clone();
            film[key] = value;
            let provenance = Provenance { more: [("film".to_owned(), film)].into(), ..Provenance::default() };
            let message = FilmOptions::of(&provenance).unwrap_err();
            assert!(message.contains(said), "{key}: {message}");
        }
    }
}
