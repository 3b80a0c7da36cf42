//! [`EndArgs`]: the ends of profiles: cells, coordinates, names, or the rows of a table.

use std::path::PathBuf;

use glam::{DVec2, IVec2};

use super::failure::Failure;
use super::point_file::read_point_file;
use super::scene_request::SceneRequest;
use super::stdio::read_text;
use super::values::{parse_cell, parse_coordinates};
use farsight::grid::CellRect;
use farsight_scene::cumulative::{PlacedObserver, ViewLimits, read_observers};
use farsight_scene::text::excerpt;

/// The ends of profiles.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Profile")]
pub(crate) struct EndArgs {
    /// The start of the line, where the eye is: a cell X,Y, or the name of a point of --places or of the preset
    #[arg(long = "from", id = "start", value_name = "X,Y|NAME", allow_hyphen_values = true,
        required_unless_present_any = ["from_coordinates", "pairs"])]
    start: Option<String>,
    /// The start in the coordinates of the heightmap
    #[arg(long, value_name = "E,N", value_parser = parse_coordinates, allow_hyphen_values = true, conflicts_with = "start",
        requires = "heightmap")]
    from_coordinates: Option<DVec2>,
    /// The end of the line, where the target is: a cell X,Y, or a name
    #[arg(long = "to", id = "end", value_name = "X,Y|NAME", allow_hyphen_values = true,
        required_unless_present_any = ["to_coordinates", "pairs"])]
    end: Option<String>,
    /// The end in the coordinates of the heightmap
    #[arg(long, value_name = "E,N", value_parser = parse_coordinates, allow_hyphen_values = true, conflicts_with = "end",
        requires = "heightmap")]
    to_coordinates: Option<DVec2>,
    /// Many pairs: a .csv with the columns from and to, which are cells "X,Y" or names, or from_x, from_y, to_x and to_y in the
    /// coordinates of the heightmap; and if you like name, eye_height_m and target_height_m
    #[arg(long, value_name = "FILE", conflicts_with_all = ["start", "end", "from_coordinates", "to_coordinates"])]
    pairs: Option<PathBuf>,
    /// Points with names, from a .csv or .geojson as for `cumulative --observers`
    #[arg(long, value_name = "FILE", requires = "heightmap")]
    places: Option<PathBuf>,
}

/// A line with its name.
#[derive(Clone, Debug)]
pub(crate) struct NamedPair {
    /// `140,104 to 60,40`, or a name.
    pub(crate) name: String,
    /// The cells of eye and target.
    pub(crate) ends: [IVec2; 2],
    pub(crate) eye_height_m: Option<f64>,
    pub(crate) target_height_m: Option<f64>,
}

impl EndArgs {
    /// Returns the files with their flags.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        [("--pairs", &self.pairs), ("--places", &self.places)]
            .into_iter()
            .filter_map(|(flag, path)| Some((flag, path.as_ref()?)))
    }

    /// Returns the pairs on the map of a request.
    pub(crate) fn pairs(&self, request: &SceneRequest) -> Result<Vec<NamedPair>, Failure> {
        let points = self.points(request)?;
        let places = Places { request, points };
        if let Some(path) = &self.pairs {
            let text = read_text(path, MAX_BYTES)?;
            let failure = |fault: String| Failure::input(format!("{}: {fault}", path.display()));
            return places.of_table(&text).map_err(failure);
        }
        let end = |given: &Option<String>, coordinates: Option<DVec2>, flag: &str| match (given, coordinates) {
            (Some(text), _) => Ok::<_, Failure>((
                text.clone(),
                places.cell(text).map_err(|fault| Failure::usage(format!("{flag} {fault}")))?,
            )),
            (None, Some(at)) => Ok((format!("{},{}", at.x, at.y), request.cell_at(at, flag)?)),
            (None, None) => unreachable!("clap requires one of them"),
        };
        let (from, start) = end(&self.start, self.from_coordinates, "--from")?;
        let (to, end) = end(&self.end, self.to_coordinates, "--to")?;
        Ok(vec![NamedPair {
            name: format!("{from} to {to}"),
            ends: [start, end],
            eye_height_m: None,
            target_height_m: None,
        }])
    }

    fn points(&self, request: &SceneRequest) -> Result<Vec<PlacedObserver>, Failure> {
        let Some(path) = &self.places else { return Ok(Vec::new()) };
        let (text, format) = read_point_file(path, "place")?;
        let (georeference, limits) = (request.georeference()?, ViewLimits::default());
        let found = read_observers(&text, format, georeference, request.size(), limits, None, "place");
        Ok(found.map_err(|error| Failure::input(format!("{}: {error}", path.display())))?.observers)
    }
}

/// The maximum size of a table in bytes.
const MAX_BYTES: u64 = 1 << 26;

/// The named points of a request.
struct Places<'a> {
    request: &'a SceneRequest,
    points: Vec<PlacedObserver>,
}

impl Places<'_> {
    /// Returns the cell of a text: `X,Y`, or a name.
    fn cell(&self, text: &str) -> Result<IVec2, String> {
        if let Ok(cell) = parse_cell(text) {
            let size = self.request.size();
            return match CellRect::of_size(size).contains(cell) {
                true => Ok(cell),
                false => Err(format!("{text}: expected a cell of the map, 0,0 to {},{}", size.x - 1, size.y - 1)),
            };
        }
        let names = &self.request.preset.names;
        let known = self.points.iter().map(|point| (point.name.as_str(), point.cell));
        let known: Vec<(&str, IVec2)> =
            known.chain(names.iter().map(|place| (place.name.as_str(), place.at))).collect();
        match known.iter().filter(|(name, _)| *name == text.trim()).collect::<Vec<_>>()[..] {
            [(_, cell)] => Ok(*cell),
            [] => {
                let some: Vec<_> = known.iter().take(8).map(|(name, _)| excerpt(name)).collect();
                let names = if some.is_empty() { "a name of --places FILE".to_owned() } else { some.join(", ") };
                Err(format!("{}: expected a cell X,Y, or one of {names}", excerpt(text)))
            }
            _ => Err(format!("{}: several points have this name; expected a cell X,Y", excerpt(text))),
        }
    }

    /// Returns the pairs of a table.
    fn of_table(&self, text: &str) -> Result<Vec<NamedPair>, String> {
        let mut reader =
            csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.trim_start_matches('\u{FEFF}').as_bytes());
        let header: Vec<String> =
            reader.headers().map_err(|error| error.to_string())?.iter().map(str::to_owned).collect();
        let column = |name: &str| header.iter().position(|column| column == name);
        let names = [column("from"), column("to")];
        let coordinates = ["from_x", "from_y", "to_x", "to_y"].map(column);
        if names.contains(&None) && coordinates.contains(&None) {
            let found = header.iter().map(|name| excerpt(name)).collect::<Vec<_>>().join(", ");
            return Err(format!("the columns are {found}: expected from and to, or from_x, from_y, to_x and to_y"));
        }
        let mut pairs = Vec::new();
        for (i, record) in reader.records().enumerate() {
            let record = record.map_err(|error| error.to_string())?;
            let row = i + 2;
            let field = |column: Option<usize>| column.and_then(|column| record.get(column)).unwrap_or_default();
            let number = |name: &str| {
                let text = field(column(name));
                let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
                number.ok_or_else(|| format!("row {row}: {name}: {} is not valid: expected a number", excerpt(text)))
            };
            let height = |name: &str| match field(column(name)) {
                "" => Ok(None),
                _ => match number(name)? {
                    metres if (0.0..=10_000.0).contains(&metres) => Ok(Some(metres)),
                    metres => Err(format!("row {row}: {name}: {metres} is not valid: expected 0 to 10000")),
                },
            };
            let ends = match names {
                [Some(_), Some(_)] => {
                    let cell = |column| self.cell(field(column)).map_err(|fault| format!("row {row}: {fault}"));
                    [cell(names[0])?, cell(names[1])?]
                }
                _ => {
                    let at = |x: &str, y: &str| {
                        let position = DVec2::new(number(x)?, number(y)?);
                        self.request.cell_at(position, &format!("row {row}")).map_err(|failure| failure.to_string())
                    };
                    [at("from_x", "from_y")?, at("to_x", "to_y")?]
                }
            };
            let name = match field(column("name")) {
                "" if names.contains(&None) => format!("{},{} to {},{}", ends[0].x, ends[0].y, ends[1].x, ends[1].y),
                "" => format!("{} to {}", field(names[0]), field(names[1])),
                name => name.to_owned(),
            };
            let (eye_height_m, target_height_m) = (height("eye_height_m")?, height("target_height_m")?);
            pairs.push(NamedPair { name, ends, eye_height_m, target_height_m });
        }
        if pairs.is_empty() { Err("it has no pairs: expected a row for each".to_owned()) } else { Ok(pairs) }
    }
}
