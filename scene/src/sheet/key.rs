//! [`ZoneColours`]: the colours of values on a sheet, and their legend.

use crate::paint::{Colour, mix, ramp_colours};
use crate::preset::Ramp;

/// A class of values with one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// The minimum value.
    pub low: f32,
    /// The maximum value.
    pub high: f32,
    /// Red, green and blue; `None` is transparent.
    pub colour: Option<[u8; 3]>,
    /// The text in the legend.
    pub label: String,
}

/// The colours of values. Values without a colour are transparent: those of no zone, nodata, and 0 at the begin of a ramp.
#[derive(Clone, Debug, PartialEq)]
pub enum ZoneColours {
    /// Classes of values.
    Zones(Vec<Zone>),
    /// A ramp from a minimum to a maximum value.
    Ramp {
        /// The colours at equal steps.
        colours: Vec<[u8; 3]>,
        /// The value of the first colour; 0 is transparent.
        low: f32,
        /// The value of the last colour.
        high: f32,
        /// The unit of the values; empty without one.
        unit: String,
    },
}

/// The part of the paper that shows through colours over a base.
pub(super) const TRANSPARENCY: f32 = 0.25;

impl ZoneColours {
    /// Creates zones of the whole numbers from 1 to `most`, at most twelve: `1`, `2` and so on, or `1 to 3`.
    pub fn of_counts(ramp: Ramp, most: u32) -> Self {
        const MAX_ZONES: u32 = 12;
        let step = most.div_ceil(MAX_ZONES).max(1);
        let zone = |low: u32| {
            let high = (low + step - 1).min(most);
            let label = if low == high { low.to_string() } else { format!("{low} to {high}") };
            (low as f32, high as f32, label)
        };
        Self::of_ranges(ramp, (1..=most).step_by(step as usize).map(zone))
    }

    /// Creates zones of the whole numbers from 1 with labels.
    pub fn of_numbers(ramp: Ramp, labels: impl IntoIterator<Item = String>) -> Self {
        Self::of_ranges(ramp, (1..).zip(labels).map(|(number, label): (u32, _)| (number as f32, number as f32, label)))
    }

    /// Creates zones from the minimum, the maximum and the label of each, in the colours of a ramp up to its last one.
    pub fn of_ranges(ramp: Ramp, ranges: impl IntoIterator<Item = (f32, f32, String)>) -> Self {
        let ranges: Vec<(f32, f32, String)> = ranges.into_iter().collect();
        let colours = ramp_colours(ramp, ranges.len() + 1);
        let zones = ranges.into_iter().zip(&colours[1..]);
        Self::Zones(zones.map(|((low, high, label), &c)| Zone { low, high, colour: Some(c), label }).collect())
    }

    /// Adds the label of 0, which is transparent, in front of the other zones. A ramp, and a legend without zones, have none.
    #[must_use]
    pub fn with_zero(mut self, label: &str) -> Self {
        if let Self::Zones(zones) = &mut self
            && !zones.is_empty()
        {
            zones.insert(0, Zone { low: 0.0, high: 0.0, colour: None, label: label.to_owned() });
        }
        self
    }

    /// Returns `true` if there is a legend.
    pub(super) fn has_entries(&self) -> bool {
        !matches!(self, Self::Zones(zones) if zones.is_empty())
    }

    /// Returns a function from values to colours.
    pub(super) fn lookup(&self) -> impl Fn(f32) -> Option<[u8; 3]> + Sync + '_ {
        move |value| match self {
            Self::Zones(zones) => {
                zones.iter().find(|zone| (zone.low..=zone.high).contains(&value)).and_then(|zone| zone.colour)
            }
            Self::Ramp { low, .. } if value.is_nan() || (*low == 0.0 && value <= 0.0) => None,
            Self::Ramp { colours, low, high, .. } => {
                let share = (value - low) / (high - low).max(f32::MIN_POSITIVE);
                let last = colours.len().saturating_sub(1);
                colours.get((share.clamp(0.0, 1.0) * last as f32 + 0.5) as usize).copied()
            }
        }
    }
}

/// Returns a colour as it looks over a base, for the legend.
pub(super) fn on_base(colour: [u8; 3], has_base: bool) -> Colour {
    const BASE: Colour = [238.0; 3];
    mix(colour.map(f32::from), BASE, if has_base { TRANSPARENCY } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zones(most: u32) -> Vec<(f32, f32, String)> {
        match ZoneColours::of_counts(Ramp::Cividis, most) {
            ZoneColours::Zones(zones) => zones.into_iter().map(|zone| (zone.low, zone.high, zone.label)).collect(),
            ZoneColours::Ramp { .. } => unreachable!("counts have zones"),
        }
    }

    #[test]
    fn counts_have_whole_labels() {
        let labels = |most| zones(most).into_iter().map(|zone| zone.2).collect::<Vec<_>>();
        assert_eq!(labels(3), ["1", "2", "3"]);
        assert_eq!(labels(25)[..2], ["1 to 3", "4 to 6"]);
        assert_eq!(labels(25).last().unwrap(), "25");
        assert_eq!(labels(0), [""; 0]);
        let all: Vec<f32> =
            zones(25).into_iter().flat_map(|(low, high, _)| low as u32..=high as u32).map(|n| n as f32).collect();
        assert_eq!(all, (1..=25).map(|n| n as f32).collect::<Vec<_>>(), "each number is in one zone");
    }

    #[test]
    fn zero_and_nodata_are_transparent() {
        let ramp =
            |low| ZoneColours::Ramp { colours: ramp_colours(Ramp::Grey, 256), low, high: 10.0, unit: String::new() };
        let (from_zero, from_below) = (ramp(0.0), ramp(-10.0));
        let colours = [0.0, f32::NAN, 10.0, 99.0].map(|value| from_zero.lookup()(value));
        assert_eq!(colours, [None, None, Some([255; 3]), Some([255; 3])]);
        assert_eq!([0.0, f32::NAN].map(|value| from_below.lookup()(value)), [Some([128; 3]), None]);
        let counts = ZoneColours::of_counts(Ramp::Grey, 2).with_zero("none");
        assert_eq!([0.0, 2.0, 3.0, f32::NAN].map(|value| counts.lookup()(value)), [None, Some([255; 3]), None, None]);
    }
}
