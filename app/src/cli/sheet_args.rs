//! [`SheetArgs`]: the flags of maps on paper, which `cumulative` and `export` share.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::value_parser;
use glam::IVec2;

use super::failure::Failure;
use super::north::North;
use super::values::{BandEnds, parse_band_ends};
use farsight_scene::files::{
    ContentKind, Georeference, MapSource, NamedInput, OutputFile, PositionedPicture, ReferenceSystem,
    read_placed_picture,
};
use farsight_scene::sheet::{Base, Orientation, Paper, PaperFormat, SheetNorth};
use farsight_scene::world::World;

/// A map on paper.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Sheet")]
pub(crate) struct SheetArgs {
    /// Write pictures as sheets of paper, with title, legend, scale bar, north and sources: a4, a3, a2, a1 or a0, with -landscape or
    /// -portrait, such as a3-landscape. Default: a4 for .svg and .pdf, which always are sheets, and for the other flags of sheets
    #[arg(long, value_name = "SIZE", value_parser = parse_paper)]
    paper: Option<Paper>,
    /// The scale, such as 1:50000. A map that is larger than the paper is shown around the observers. Default: a round scale at which
    /// the whole map is on the paper
    #[arg(long, value_name = "1:N", value_parser = parse_scale)]
    map_scale: Option<f64>,
    /// Pixels per inch of a .png, 50 to 600, and at most of images in .svg and .pdf. Default: 300
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(50..=600))]
    dpi: Option<u32>,
    /// The title. Default: the layer
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Sources and rights to name, such as "Heights: Ordnance Survey". May be repeated
    #[arg(long, value_name = "TEXT")]
    attribution: Vec<String>,
    /// The date on the sheet; "" for none. Default: today, in UTC
    #[arg(long, value_name = "TEXT")]
    date: Option<String>,
    /// The base map below the zones: hillshade, none, or a .png with a world file (.pgw) in the coordinates of the heightmap. Default: hillshade
    #[arg(long, value_name = "BASE")]
    base: Option<String>,
    /// Rings at distances from the nearest observer, such as 2km,5km,10km. Default: those of --bands, where a command has them
    #[arg(long, value_name = "LENGTHS", value_parser = parse_band_ends)]
    rings: Option<BandEnds>,
}

/// The look of the sheets of a command.
pub(crate) struct SheetLook<'a> {
    pub(crate) args: &'a SheetArgs,
    /// The picture of `--base`.
    pub(crate) base: Option<&'a PositionedPicture>,
    pub(crate) north: North,
    pub(crate) rings_m: Vec<f64>,
}

/// Parses a paper: `a3` or `a3-portrait`.
fn parse_paper(text: &str) -> Result<Paper, String> {
    let (format, orientation) = match text.split_once('-') {
        Some((format, orientation)) => (format, Some(orientation)),
        None => (text, None),
    };
    let format = PaperFormat::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(format));
    let known = |name: &str| Orientation::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(name));
    let expected = || "expected a4, a3, a2, a1 or a0, with -landscape or -portrait, such as a3-landscape".to_owned();
    let orientation = orientation.map(|name| known(name).ok_or_else(expected)).transpose()?;
    Ok(Paper { format: format.ok_or_else(expected)?, orientation })
}

/// Parses a scale: `1:50000`.
fn parse_scale(text: &str) -> Result<f64, String> {
    let denominator = text.strip_prefix("1:").unwrap_or(text).replace(',', "").parse::<f64>().ok();
    let is_known = |scale: &f64| (1.0..=1e9).contains(scale);
    denominator.filter(is_known).ok_or_else(|| "expected 1:N with N from 1 to 1000000000, such as 1:50000".to_owned())
}

impl SheetArgs {
    /// Returns the given flags.
    fn given(&self) -> impl Iterator<Item = &'static str> {
        let flags = [
            ("--paper", self.paper.is_some()),
            ("--map-scale", self.map_scale.is_some()),
            ("--dpi", self.dpi.is_some()),
            ("--title", self.title.is_some()),
            ("--attribution", !self.attribution.is_empty()),
            ("--date", self.date.is_some()),
            ("--base", self.base.is_some()),
            ("--rings", self.rings.is_some()),
        ];
        flags.into_iter().filter_map(|(flag, is_given)| is_given.then_some(flag))
    }

    /// Returns `true` if a file is a sheet.
    pub(crate) fn is_sheet(&self, output: &OutputFile) -> bool {
        let is_only_sheet = !output.format.takes(ContentKind::Picture);
        output.format.takes(ContentKind::Sheet) && (is_only_sheet || self.given().next().is_some())
    }

    /// Refuses flags of sheets if no file is one.
    pub(crate) fn check<'a>(&self, outputs: impl IntoIterator<Item = &'a OutputFile>) -> Result<(), Failure> {
        match self.given().next() {
            Some(flag) if !outputs.into_iter().any(|output| self.is_sheet(output)) => {
                Err(Failure::usage(format!("{flag} is for sheets (.png, .svg, .pdf), and none is written")))
            }
            _ => Ok(()),
        }
    }

    /// Returns the picture of `--base`, if it is one.
    pub(crate) fn input(&self) -> Option<NamedInput> {
        self.base_path().map(|path| NamedInput::new("--base", path))
    }

    fn base_path(&self) -> Option<PathBuf> {
        self.base.as_deref().filter(|base| !matches!(*base, "hillshade" | "none")).map(PathBuf::from)
    }

    pub(crate) fn paper(&self) -> Paper {
        self.paper.unwrap_or(Paper { format: PaperFormat::A4, orientation: None })
    }

    pub(crate) fn scale(&self) -> Option<f64> {
        self.map_scale
    }

    pub(crate) fn dpi(&self) -> u32 {
        self.dpi.unwrap_or(300)
    }

    pub(crate) fn title(&self, default: &str) -> String {
        self.title.clone().unwrap_or_else(|| default.to_owned())
    }

    /// Refuses rings within a cell.
    pub(crate) fn check_rings(&self, side_m: f64) -> Result<(), Failure> {
        self.rings.iter().try_for_each(|ends| ends.check("--rings", side_m))
    }

    /// Returns the distances of rings.
    pub(crate) fn rings_m(&self, bands: Option<&BandEnds>) -> Vec<f64> {
        self.rings.as_ref().or(bands).map(|BandEnds(ends_m)| ends_m.clone()).unwrap_or_default()
    }

    /// Reads the picture of `--base`, if it is one, for a map at a position.
    pub(crate) fn read_base(&self, place: Option<&Georeference>) -> Result<Option<PositionedPicture>, Failure> {
        let Some(path) = self.base_path() else { return Ok(None) };
        let Some(place) = place else {
            let path = path.display();
            let message = "the map has no position; expected a heightmap with a georeference";
            return Err(Failure::usage(format!("--base {path}: {message}")));
        };
        let base = read_placed_picture(&path)?;
        let [own, other] = [place, &base.georeference].map(|place| ReferenceSystem::from_keys(&place.keys));
        if let (Some(own), Some(other)) = (own, other)
            && !own.is_same(&other)
        {
            return Err(Failure::input(format!(
                "{}: it is in {other}: expected {own}, as the heightmap; gdalwarp converts it",
                path.display()
            )));
        }
        Ok(Some(base))
    }

    /// Returns what is beneath the zones of a map whose upper left cell is a cell of a world.
    pub(crate) fn base<'a>(&self, picture: Option<&'a PositionedPicture>, world: &'a World, origin: IVec2) -> Base<'a> {
        match picture {
            Some(picture) => Base::Picture(picture),
            None if self.base.as_deref() == Some("none") => Base::Blank,
            None => Base::Hillshade { world, origin },
        }
    }

    /// Returns the lines of text: reference system, sources, date and program.
    pub(crate) fn notes(&self, map: Option<&MapSource>) -> Vec<String> {
        let place = map.and_then(MapSource::georeference);
        let system = place.as_ref().and_then(|place| ReferenceSystem::from_keys(&place.keys));
        let mut notes: Vec<String> = system.map(|system| format!("Reference system: {system}")).into_iter().collect();
        notes.extend(map.map(|map| format!("Heights: {}", map.name)));
        notes.extend(self.attribution.iter().cloned());
        let date = self.date.clone().unwrap_or_else(today);
        notes.extend((!date.is_empty()).then(|| format!("Date: {date}")));
        notes.push(format!("Computed with farsight {}", env!("CARGO_PKG_VERSION")));
        notes
    }
}

/// Returns the arrow of a north.
pub(crate) fn sheet_north(north: North) -> SheetNorth {
    let name = match north {
        North::True { convergence_deg } if convergence_deg.abs() >= 0.005 => {
            format!("True north; grid north at {convergence_deg:.2}°")
        }
        North::True { .. } => "True north".to_owned(),
        North::Grid => "Grid north".to_owned(),
        North::Map => "North is up".to_owned(),
    };
    SheetNorth { name, angle_deg: -north.convergence_deg() }
}

/// Returns the date in UTC: `2025-06-21`.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date_of((seconds / 86_400) as i64)
}

/// Returns the date of a day after 1970-01-01.
///
/// # References
/// Hinnant, *chrono-Compatible Low-Level Date Algorithms*.
fn date_of(day: i64) -> String {
    let from_march = day + 719_468;
    let (era, day) = (from_march.div_euclid(146_097), from_march.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    format!("{:04}-{month:02}-{day:02}", year + era * 400 + i64::from(month <= 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!([0, 59, 11_016, 20_632].map(date_of), ["1970-01-01", "1970-03-01", "2000-02-29", "2026-06-28"]);
    }

    #[test]
    fn papers_and_scales_are_parsed() {
        let portrait = Paper { format: PaperFormat::A3, orientation: Some(Orientation::Portrait) };
        assert_eq!(parse_paper("A3-Portrait"), Ok(portrait));
        assert_eq!(["1:50,000", "50000"].map(parse_scale), [Ok(50_000.0), Ok(50_000.0)]);
        assert!(parse_paper("a5").is_err() && parse_paper("a4-up").is_err() && parse_paper("").is_err());
        assert!(["1:0", "1:-5", "1:nan", "2:5"].map(parse_scale).iter().all(Result::is_err));
    }
}
