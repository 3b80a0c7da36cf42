//! [`Recognition`]: hidden, glimpsed or identified, by [`Thresholds`] of visibility; [`Sense`]: the eyes of a creature,
//! and its recognition of a target.

use std::ops::Bound;

use crate::grid::ToCell;
use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::named_enum;
use crate::setters;
use crate::sight::{OutOfRange, RadiusShape, Sector, SightError, View};

named_enum! {
    /// The degree to which a viewer recognises something.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Recognition: "recognition" {
        /// Too dim to notice.
        #[default]
        Hidden = "hidden",
        /// Noticed but not identified: a question mark.
        Glimpsed = "glimpsed",
        /// Identified.
        Identified = "identified",
    }
}

/// The thresholds of visibility for recognition: 0 < glimpse ≤ identify ≤ 1.
///
/// ```
/// use farsight::perception::{Recognition, Thresholds};
/// let thresholds = Thresholds { identify: 0.25, glimpse: 0.05, hysteresis: 0.02 };
/// assert_eq!(thresholds.classify(0.24), Recognition::Glimpsed);
/// assert_eq!(thresholds.classify_after(0.24, Recognition::Identified), Recognition::Identified); // no flicker
/// assert_eq!(thresholds.classify_after(0.22, Recognition::Identified), Recognition::Glimpsed);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// The minimum visibility to be identified.
    pub identify: f32,
    /// The minimum visibility to be glimpsed.
    pub glimpse: f32,
    /// The margin below a threshold at which its recognition is lost.
    pub hysteresis: f32,
}

impl Default for Thresholds {
    /// Identified from 0.25, glimpsed from 0.05, with a hysteresis of 0.02.
    fn default() -> Self {
        Self { identify: 0.25, glimpse: 0.05, hysteresis: 0.02 }
    }
}

impl Thresholds {
    /// Classifies a visibility, seen for the first time.
    pub fn classify(&self, visibility: f32) -> Recognition {
        self.classify_after(visibility, Recognition::Hidden)
    }

    /// Classifies a visibility with hysteresis: the `previous` recognition is kept until visibility falls below its
    /// threshold minus the hysteresis. Visibility 0 is always hidden.
    pub fn classify_after(&self, visibility: f32, previous: Recognition) -> Recognition {
        let reaches = |recognition: Recognition, threshold: f32| {
            let needed = if previous >= recognition { threshold - self.hysteresis } else { threshold };
            visibility > 0.0 && visibility >= needed
        };
        if reaches(Recognition::Identified, self.identify) {
            Recognition::Identified
        } else if reaches(Recognition::Glimpsed, self.glimpse) {
            Recognition::Glimpsed
        } else {
            Recognition::Hidden
        }
    }
}

/// The eyes of a creature, and its recognition of one target: a guard who searches for a thief.
///
/// The creature perceives the target by the rules by which a viewer perceives cells: visibility times light, with
/// thresholds and hysteresis. A target in the dark, behind fog or behind its back is safe. The game passes the
/// visibility of the target's cell, from [`FieldOfView::line_of_sight`](crate::FieldOfView::line_of_sight), an existing
/// view, or [`FieldOfView::mutual`](crate::FieldOfView::mutual).
///
/// The recognition is that of one target. For several, keep a clone for each target; or keep a [`Recognition`] for each, and pass
/// what [`perceived`](Self::perceived) returns to [`Thresholds::classify_after`].
///
/// ```
/// use farsight::perception::{Recognition, Sense, Thresholds};
/// use farsight::sight::Sector;
/// use farsight::{FieldOfView, OpacityMap, SightConfig};
///
/// let map = OpacityMap::from_text("..........")?;
/// let mut fov = FieldOfView::new(SightConfig::default())?;
/// let thresholds = Thresholds { identify: 0.5, glimpse: 0.1, hysteresis: 0.05 };
/// let mut guard = Sense::new(thresholds).with_radius(8).with_sector(Sector::towards((1, 0), 90.0));
/// let (at, thief) = ((2, 0), (7, 0));
/// let seen = fov.line_of_sight(&map, at, thief)?;
/// assert_eq!(guard.notice(at, thief, seen, 0.02)?, Recognition::Hidden); // too dark there
/// assert_eq!(guard.notice(at, thief, seen, 0.6)?, Recognition::Identified); // next to a torch
/// assert_eq!(guard.notice(at, thief, seen, 0.46)?, Recognition::Identified); // it flickers
/// assert_eq!(guard.notice(at, (0, 0), seen, 1.0)?, Recognition::Hidden); // behind its back
///
/// let mut cat = Sense::new(thresholds).with_night_vision(0.3);
/// assert_eq!(cat.notice(at, thief, seen, 0.02)?, Recognition::Glimpsed);
///
/// // A bush hides a creature inside it, even in full light and from eyes that see by night.
/// let map = OpacityMap::from_text(".......9..")?;
/// let view = fov.compute(&map, at)?;
/// assert_eq!(view.get(thief), 1.0); // the bush itself is in plain view
/// cat.concealment = map.get(thief).unwrap_or(0.0);
/// assert!(cat.perceived(at, thief, view.get(thief), 1.0)? < 0.11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedSense")]
#[non_exhaustive]
pub struct Sense {
    /// The maximum distance at which it sees, in cells. The radius of the field of view is a limit, too.
    pub radius: u32,
    /// The directions in which it looks. The sector of the field of view is a limit, too.
    pub sector: Sector,
    /// Its vision outside of the sector, or `None` without one.
    pub peripheral: Option<PeripheralVision>,
    /// The minimum light that it perceives, in [0, 1]: 0 depends on the actual light, 1 sees by night as by day.
    pub night_vision: f32,
    /// The fraction of its target that the target's own cell hides, in [0, 1]: 0.9 for a goblin in a bush of opacity
    /// 0.9, although the bush itself is in plain view. Set it before each look, for instance to the opacity of the
    /// cell. The fraction does not depend on the distance: with a [`Decay`](crate::sight::Decay) in the field of view a
    /// concealed target is seen from near, and from afar glimpsed or not at all.
    pub concealment: f32,
    /// The thresholds of visibility times light.
    pub thresholds: Thresholds,
    recognition: Recognition,
}

/// Peripheral vision, outside of the sector in which a [`Sense`] looks.
///
/// ```
/// use farsight::perception::{PeripheralVision, Sense, Thresholds};
/// use farsight::sight::Sector;
/// let peripheral = PeripheralVision { span: 200.0, acuity: 0.3 };
/// let guard = Sense::new(Thresholds::default()).with_sector(Sector::new(90.0, 90.0)).with_peripheral(peripheral);
/// assert_eq!(guard.perceived((0, 0), (5, 0), 1.0, 1.0)?, 1.0); // straight ahead
/// assert_eq!(guard.perceived((0, 0), (0, 5), 1.0, 1.0)?, 0.3); // from the corner of the eye
/// assert_eq!(guard.perceived((0, 0), (-5, 0), 1.0, 1.0)?, 0.0); // behind its back
/// # Ok::<(), farsight::sight::SightError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeripheralVision {
    /// The total angle of vision, in degrees around the middle of the sector.
    pub span: f64,
    /// The acuity relative to the sector, in [0, 1].
    pub acuity: f32,
}

impl Sense {
    /// Creates eyes that look all around, up to the range of the field of view, without night vision. They have not
    /// noticed anything.
    pub fn new(thresholds: Thresholds) -> Self {
        Self {
            radius: u32::MAX,
            sector: Sector::ALL,
            peripheral: None,
            night_vision: 0.0,
            concealment: 0.0,
            thresholds,
            recognition: Recognition::Hidden,
        }
    }

    setters! {
        with_radius(radius: u32), with_sector(sector: Sector), with_peripheral(peripheral: impl Into<Option<PeripheralVision>>),
        with_night_vision(night_vision: f32), with_concealment(concealment: f32), with_thresholds(thresholds: Thresholds),
    }

    /// Returns the recognition of the target at the last look.
    pub fn recognition(&self) -> Recognition {
        self.recognition
    }

    /// Looks for the target, and returns its recognition. `at` is the cell of the creature that looks, `target` that of the target;
    /// swapped, the cone of vision would start at the target. `visibility` is that of the target's cell, 0 to 1,
    /// and `light` that on the target, such as [`LightMap::level`](crate::light::LightMap::level), 0 to 1; higher
    /// values count as 1.
    ///
    /// # Errors
    /// [`SightError::OutOfRange`] for fields, a visibility or a light out of range, or NaN. Then nothing changes.
    pub fn notice(
        &mut self,
        at: impl ToCell,
        target: impl ToCell,
        visibility: f32,
        light: f32,
    ) -> Result<Recognition, SightError> {
        let perceived = self.perceived(at, target, visibility, light)?;
        self.recognition = self.thresholds.classify_after(perceived, self.recognition);
        Ok(self.recognition)
    }

    /// Returns visibility times light of a target, minus its concealment, in [0, 1], without changing the recognition.
    ///
    /// # Errors
    /// As [`notice`](Self::notice).
    pub fn perceived(
        &self,
        at: impl ToCell,
        target: impl ToCell,
        visibility: f32,
        light: f32,
    ) -> Result<f32, SightError> {
        self.check()?;
        OutOfRange::check("visibility", visibility.into(), 0.0..=1.0)?;
        OutOfRange::check("light", light.into(), 0.0..=f64::INFINITY)?;
        let acuity = self.acuity(target.to_cell().wrapping_sub(at.to_cell()));
        Ok(visibility * light.max(self.night_vision).clamp(0.0, 1.0) * (1.0 - self.concealment) * acuity)
    }

    /// Returns the factor on visibility at an offset, without light and concealment.
    fn acuity(&self, offset: IVec2) -> f32 {
        let is_within = |span| Sector { span, ..self.sector }.contains(offset);
        match self.peripheral {
            _ if !RadiusShape::Circle.contains(offset, self.radius) => 0.0,
            _ if self.sector.contains(offset) => 1.0,
            Some(PeripheralVision { span, acuity }) if is_within(span) => acuity,
            _ => 0.0,
        }
    }

    fn check(&self) -> Result<(), SightError> {
        let Thresholds { identify, glimpse, hysteresis } = self.thresholds;
        self.sector.check()?;
        if let Some(PeripheralVision { span, acuity }) = self.peripheral {
            Sector { span, ..self.sector }.check()?;
            OutOfRange::check("peripheral.acuity", acuity.into(), 0.0..=1.0)?;
        }
        let above_0 = |max: f32| (Bound::Excluded(0.0), Bound::Included(f64::from(max)));
        OutOfRange::check("night_vision", self.night_vision.into(), 0.0..=1.0)?;
        OutOfRange::check("concealment", self.concealment.into(), 0.0..=1.0)?;
        OutOfRange::check("thresholds.identify", identify.into(), above_0(1.0))?;
        OutOfRange::check("thresholds.glimpse", glimpse.into(), above_0(identify))?;
        Ok(OutOfRange::check("thresholds.hysteresis", hysteresis.into(), 0.0..=1.0)?)
    }

    /// Returns the cells of a view that it perceives, to show where it looks. Each has the value that
    /// [`perceived`](Self::perceived) returns for a lit target without concealment.
    ///
    /// ```
    /// use farsight::perception::{Sense, Thresholds};
    /// use farsight::sight::Sector;
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    ///
    /// let map = OpacityMap::from_text("..........")?;
    /// let mut fov = FieldOfView::new(SightConfig::default())?;
    /// let guard = Sense::new(Thresholds::default()).with_radius(3).with_sector(Sector::towards((1, 0), 90.0));
    /// let view = fov.compute_sector(&map, (2, 0), guard.sector)?;
    /// let columns: Vec<i32> = guard.visible(&view)?.iter().map(|(cell, _)| cell.x).collect();
    /// assert_eq!(columns, [2, 3, 4, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SightError::OutOfRange`] for fields out of range.
    pub fn visible(&self, view: &View<'_>) -> Result<Vec<(IVec2, f32)>, SightError> {
        self.check()?;
        let perceived = |(cell, visibility)| (cell, visibility * self.acuity(cell - view.viewer()));
        Ok(view.visible().map(perceived).filter(|(_, visibility)| *visibility > 0.0).collect())
    }
}

/// A deserialized sense before validation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedSense {
    radius: u32,
    sector: Sector,
    peripheral: Option<PeripheralVision>,
    night_vision: f32,
    concealment: f32,
    thresholds: Thresholds,
    recognition: Recognition,
}

impl TryFrom<SavedSense> for Sense {
    type Error = SightError;

    fn try_from(saved: SavedSense) -> Result<Self, SightError> {
        let SavedSense { radius, sector, peripheral, night_vision, concealment, thresholds, recognition } = saved;
        let sense = Self { radius, sector, peripheral, night_vision, concealment, thresholds, recognition };
        sense.check()?;
        Ok(sense)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sight::{FieldOfView, OpacityMap, SightConfig};

    #[test]
    fn senses_out_of_range_are_errors() {
        let map = OpacityMap::clear(5, 5).unwrap();
        let mut fov = FieldOfView::new(SightConfig::default()).unwrap();
        let view = fov.compute(&map, (1, 1)).unwrap();
        let thresholds = |identify, glimpse, hysteresis| Sense::new(Thresholds { identify, glimpse, hysteresis });
        let plain = || thresholds(0.5, 0.1, 0.0);
        let peripheral = |span, acuity| plain().with_peripheral(PeripheralVision { span, acuity });
        for (sense, light, key) in [
            (plain().with_night_vision(f32::NAN), 1.0, "night_vision"),
            (plain().with_night_vision(1.5), 1.0, "night_vision"),
            (plain().with_night_vision(-0.5), 1.0, "night_vision"),
            (plain().with_concealment(1.1), 1.0, "concealment"),
            (plain().with_concealment(f32::NAN), 1.0, "concealment"),
            (peripheral(200.0, 1.1), 1.0, "peripheral.acuity"),
            (peripheral(0.5, 0.5), 1.0, "span"),
            (thresholds(f32::NAN, 0.1, 0.0), 1.0, "thresholds.identify"),
            (thresholds(1.5, 0.1, 0.0), 1.0, "thresholds.identify"),
            (thresholds(0.5, f32::NAN, 0.0), 1.0, "thresholds.glimpse"),
            (thresholds(0.5, 0.6, 0.0), 1.0, "thresholds.glimpse"),
            (thresholds(0.5, 0.0, 0.0), 1.0, "thresholds.glimpse"),
            (thresholds(0.5, 0.1, f32::NAN), 1.0, "thresholds.hysteresis"),
            (plain(), f32::NAN, "light"),
            (plain(), -0.1, "light"),
        ] {
            let error = sense.clone().notice((1, 1), (3, 3), 1.0, light).unwrap_err();
            assert!(matches!(&error, SightError::OutOfRange(found) if found.name == key), "{key}: {error}");
            assert_eq!(sense.visible(&view).is_err(), key != "light", "{key}");
        }
        assert!(plain().notice((1, 1), (3, 3), 1.5, 1.0).is_err());
        assert_eq!(plain().notice((1, 1), (3, 3), 1.0, 7.0), Ok(Recognition::Identified));
    }

    #[test]
    fn visible_cells_are_those_that_are_perceived() {
        let map = OpacityMap::from_text("..#......\n.........\n....1....\n...#.....").unwrap();
        let sense = Sense::new(Thresholds::default()).with_sector(Sector::new(0.0, 200.0)).with_radius(3);
        let mut fov = FieldOfView::new(SightConfig::default()).unwrap();
        let view = fov.compute(&map, (4, 1)).unwrap();
        for sense in [sense.clone(), sense.with_peripheral(PeripheralVision { span: 300.0, acuity: 0.5 })] {
            let visible = sense.visible(&view).unwrap();
            for (cell, _) in map.grid().iter() {
                let perceived = sense.perceived((4, 1), cell, view.get(cell), 1.0).unwrap();
                let shown = visible.iter().find(|(at, _)| *at == cell).map_or(0.0, |(_, visibility)| *visibility);
                assert_eq!(shown, perceived, "{cell}");
            }
        }
    }
}
