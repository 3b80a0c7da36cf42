//! Parsers of flag values: cells, sizes, and words of a list.

use std::fmt;
use std::ops::RangeInclusive;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use glam::{DVec2, I64Vec2, IVec2};

use super::failure::Failure;
use super::surface_class::Extinction;
use farsight::grid::CellRect;
use farsight::sight::{Sector, SightConfig};
use farsight_scene::cumulative::CountClasses;
use farsight_scene::export;

/// Pixels per cell that `--scale` accepts.
pub(crate) const SCALES: RangeInclusive<i64> = 1..=64;

/// Parses a cell: `X,Y`.
pub(crate) fn parse_cell(text: &str) -> Result<IVec2, String> {
    export::parse_cell(text)
        .ok_or_else(|| "expected two whole numbers X,Y counted from the upper left, such as 120,80".to_owned())
}

/// A radius of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Radius {
    Cells(i64),
    Metres(f64),
}

impl fmt::Display for Radius {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cells(cells) => write!(f, "{cells}"),
            Self::Metres(metres) => write!(f, "{metres}m"),
        }
    }
}

/// Parses a radius: a number of cells, a length with its unit, or `unlimited`.
pub(crate) fn parse_radius(text: &str) -> Result<Radius, String> {
    let expected = || "expected a whole number of cells, a length such as 20km or 500m, or unlimited".to_owned();
    match text {
        "unlimited" => Ok(Radius::Cells(i64::from(SightConfig::MAX_RADIUS))),
        _ if text.ends_with('m') => match parse_length(text) {
            Ok(metres) if metres.is_finite() && metres >= 0.0 => Ok(Radius::Metres(metres)),
            _ => Err(expected()),
        },
        _ => text.parse().map(Radius::Cells).map_err(|_| expected()),
    }
}

/// Parses a length in metres: `500`, `500m` or `20km`.
pub(crate) fn parse_length(text: &str) -> Result<f64, String> {
    let (number, metres) = match (text.strip_suffix("km"), text.strip_suffix('m')) {
        (Some(number), _) => (number, 1000.0),
        (None, Some(number)) => (number, 1.0),
        (None, None) => (text, 1.0),
    };
    let number: Result<f64, _> = number.trim_end().parse();
    number
        .map(|number| number * metres)
        .map_err(|_| "expected a length in metres, such as 500, 500m or 20km".to_owned())
}

/// Parses a spacing in metres, above 0.
pub(crate) fn parse_spacing(text: &str) -> Result<f64, String> {
    let metres = parse_length(text).ok().filter(|metres| (0.01..=1e6).contains(metres));
    metres.ok_or_else(|| "expected a length from 0.01 m to 1000 km, such as 100m".to_owned())
}

/// Parses the light that crowns take: `opaque`, an extinction per metre, or a share lost on a length.
pub(crate) fn parse_extinction(text: &str) -> Result<Extinction, String> {
    let expected = || {
        "expected opaque, an extinction per metre from 0 to 1, such as 0.015, or the share of the light that is lost on a length, such as \
         '0.7 per 100 m'"
            .to_owned()
    };
    if text == "opaque" {
        return Ok(Extinction::Opaque);
    }
    let per_m = match text.split_once("per") {
        None => text.trim().parse().map_err(|_| expected())?,
        Some((share, length)) => {
            let share: f64 = share.trim().parse().map_err(|_| expected())?;
            let metres = parse_length(length.trim()).ok().filter(|metres| *metres > 0.0).ok_or_else(expected)?;
            if !(0.0..1.0).contains(&share) {
                return Err(expected());
            }
            (-(-share).ln_1p() / metres * 1e9).round() / 1e9 // the digits that all platforms agree on
        }
    };
    if (0.0..=1.0).contains(&per_m) { Ok(Extinction::PerMetre(per_m)) } else { Err(expected()) }
}

/// Parses a frequency in hertz: `5.8GHz`, `900 MHz` or `2400000000`.
pub(crate) fn parse_frequency(text: &str) -> Result<f64, String> {
    let units = [("GHz", 1e9), ("MHz", 1e6), ("kHz", 1e3), ("Hz", 1.0)];
    let found = units.into_iter().find_map(|(unit, hertz)| Some((text.strip_suffix(unit)?, hertz)));
    let (number, hertz) = found.unwrap_or((text, 1.0));
    let frequency = number.trim_end().parse::<f64>().ok().map(|number| number * hertz);
    let frequency = frequency.filter(|hertz| (1e6..=1e12).contains(hertz));
    frequency.ok_or_else(|| "expected a frequency from 1 MHz to 1000 GHz, such as 5.8GHz".to_owned())
}

/// The ends of bands of distance in metres: `2km,5km,10km`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BandEnds(pub(super) Vec<f64>);

impl BandEnds {
    /// Refuses distances within a cell, which are numbers of kilometres without their unit.
    pub(crate) fn check(&self, flag: &str, side_m: f64) -> Result<(), Failure> {
        match self.0.first() {
            Some(first) if *first < side_m => Err(Failure::usage(format!(
                "{flag}: {first} m is shorter than a cell, {side_m:.1} m: expected longer distances, such as 2km,5km,10km"
            ))),
            _ => Ok(()),
        }
    }
}

/// Ends of bands, in ascending order.
pub(crate) fn parse_band_ends(text: &str) -> Result<BandEnds, String> {
    let ends: Result<Vec<f64>, String> = text.split(',').map(|end| parse_length(end.trim())).collect();
    let is_ascending = |ends: &Vec<f64>| ends[0] > 0.0 && ends.windows(2).all(|pair| pair[0] < pair[1]);
    match ends {
        Ok(ends) if is_ascending(&ends) => Ok(BandEnds(ends)),
        _ => Err("expected ascending lengths, such as 2km,5km,10km".to_owned()),
    }
}

/// Classes of counts by their first counts: `1,6,11`.
pub(crate) fn parse_classes(text: &str) -> Result<CountClasses, String> {
    // Numbers that are none are refused as 0 is.
    CountClasses::new(text.split(',').map(|start| start.trim().parse().unwrap_or(0)).collect())
}

/// Parses a cone of vision: `FACING:SPAN`, in degrees.
pub(crate) fn parse_sector(text: &str) -> Result<Sector, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let angles = text.split_once(':').and_then(|(facing, span)| Some(Sector::new(number(facing)?, number(span)?)));
    angles.ok_or_else(|| "expected two angles FACING:SPAN in degrees, such as 90:120".to_owned())
}

/// Parses a position in the coordinates of a raster: `E,N`.
pub(crate) fn parse_coordinates(text: &str) -> Result<DVec2, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let position = text.split_once(',').and_then(|(east, north)| Some(DVec2::new(number(east)?, number(north)?)));
    position
        .ok_or_else(|| "expected two numbers E,N in the coordinates of the raster, such as 612345.5,5206000".to_owned())
}

/// The cells of a route, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Route(pub(super) Vec<IVec2>);

/// Parses a route: `X,Y X,Y …`.
pub(crate) fn parse_route(text: &str) -> Result<Route, String> {
    let cells: Result<Vec<IVec2>, String> = text.split_whitespace().map(parse_cell).collect();
    match cells {
        Ok(cells) if !cells.is_empty() => Ok(Route(cells)),
        _ => Err("expected cells X,Y separated by spaces, such as \"120,80 131,64 140,64\"; \
            the optical rule is --path-rule"
            .to_owned()),
    }
}

/// Parses a size: `WxH`.
pub(crate) fn parse_size(text: &str) -> Result<I64Vec2, String> {
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let sides = text.split_once(['x', 'X', '×']);
    let size = sides.and_then(|(width, height)| Some(I64Vec2::new(number(width)?, number(height)?)));
    size.ok_or_else(|| "expected two whole numbers WxH, such as 512x512".to_owned())
}

/// Parses a part of a map: `X,Y,WxH`.
pub(crate) fn parse_cells(text: &str) -> Result<CellRect, String> {
    let parts = text.rsplit_once(',').and_then(|(cell, size)| Some((parse_cell(cell).ok()?, parse_size(size).ok()?)));
    let cells = parts.and_then(|(min, size)| {
        let size =
            size.cmpge(I64Vec2::ONE).all().then_some(IVec2::new(size.x.try_into().ok()?, size.y.try_into().ok()?))?;
        Some(CellRect { min, max: IVec2::new(min.x.checked_add(size.x)?, min.y.checked_add(size.y)?) })
    });
    cells.ok_or_else(|| "expected the upper left cell and the size X,Y,WxH, such as 40,30,200x120".to_owned())
}

pub(crate) fn parse_window_size(text: &str) -> Result<(u32, u32), String> {
    const SIDES: RangeInclusive<i64> = 64..=16384;
    match parse_size(text)? {
        size if SIDES.contains(&size.x) && SIDES.contains(&size.y) => Ok((size.x as u32, size.y as u32)),
        _ => Err(format!("expected sides from {} to {} points", SIDES.start(), SIDES.end())),
    }
}

pub(crate) fn parse_in(text: &str, range: RangeInclusive<f64>) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected a number from {} to {}", range.start(), range.end()))
}

/// Parses a key of a preset and its value: `KEY=VALUE`.
pub(crate) fn parse_assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.trim().to_owned())),
        _ => Err("expected KEY=VALUE, such as optics.visual_range_m=2000".to_owned()),
    }
}

/// Returns a parser of the names of some values.
pub(crate) fn choice<T: Copy + Send + Sync + 'static>(
    values: impl AsRef<[T]>,
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values = values.as_ref().to_vec();
    let names: Vec<&str> = values.iter().map(|value| name(*value)).collect();
    PossibleValuesParser::new(names).try_map(move |given| {
        values.iter().copied().find(|value| name(*value) == given).ok_or_else(|| format!("{given} is not known"))
    })
}
