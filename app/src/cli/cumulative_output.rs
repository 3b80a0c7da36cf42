//! [`CumulativeOutputArgs`]: the files of `farsight cumulative`; [`CumulativeContents`]: what is written to them.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::output::{MessageArgs, TifArgs, ensure_distinct, output_name, write_files};
use super::text::pluralize;
use farsight::grid::{CellRect, Grid};
use farsight_scene::cumulative::{CumulativeLayer, CumulativeView, PlacedObserver, check_polygons, seen_polygons};
use farsight_scene::export::{ExportOptions, provenance};
use farsight_scene::files::{
    Format, GeoKeys, Georeference, NumberType, OutputFile, Provenance, Raster, ReferenceSystem, TifLayout, WriteError,
    qml_style, write_picture,
};
use farsight_scene::paint::{FieldPicture, Picture, Zoom, paint_field, ramp_colours};
use farsight_scene::scene::Scene;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct CumulativeOutputArgs {
    /// Write the greatest visibility of each cell, 0 to 1, to a .tif, .asc or .npy
    #[arg(long, value_name = "FILE")]
    union: Option<PathBuf>,
    /// Write the number of observers that see each cell: at least as a glimpse (perception.glimpse)
    #[arg(long, value_name = "FILE")]
    count: Option<PathBuf>,
    /// Write the number of the observer that sees each cell best, from 1; 0 if none sees it
    #[arg(long, value_name = "FILE")]
    best: Option<PathBuf>,
    /// Write a layer to a .tif, .asc or .npy, or as a picture to a .png: union, count, best, sum (of visibilities times weight), nearest (m to the nearest
    /// observer that sees the cell); of turbines and masts hubs and tips (how many are seen), visible-height (m, of the
    /// one of which most is seen), visible-height-sum, vertical-angle and horizontal-angle (degrees that they take). May be repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = parse_layer)]
    layer: Vec<(CumulativeLayer, PathBuf)>,
    /// Write the cells that each observer sees, 1 or 0: a .tif, .asc or .npy with {} in its name for the number of the observer
    #[arg(long, value_name = "FILE")]
    each: Option<PathBuf>,
    /// Write a style of QGIS next to each .tif of a layer, in the colours of paint.ramp: a .qml of the same name
    #[arg(long)]
    qml: bool,
    #[command(flatten)]
    pub(super) tif: TifArgs,
    /// The value of cells that are beyond the range of every observer: 0, or nodata. Default: 0
    #[arg(long, value_name = "VALUE", value_parser = ["0", "nodata"])]
    outside: Option<String>,
    /// Write the ground that any observer sees as polygons in longitude and latitude (RFC 7946), to a .geojson; in the coordinates of the
    /// heightmap if its reference system is not known
    #[arg(long, value_name = "FILE")]
    polygons: Option<PathBuf>,
    /// Places: points from a .csv or .geojson, as for --observers
    #[arg(long, value_name = "FILE", requires = "place_observers")]
    pub(super) places: Option<PathBuf>,
    /// Write for each of the --places how many observers see it, the metres to the nearest of them, and their names, to a .csv
    #[arg(long, value_name = "FILE", requires = "places")]
    place_observers: Option<PathBuf>,
}

/// A layer and its file: `NAME=FILE`.
fn parse_layer(text: &str) -> Result<(CumulativeLayer, PathBuf), String> {
    let (name, path) = text.split_once('=').ok_or("expected NAME=FILE, such as tips=tips.tif")?;
    Ok((name.parse().map_err(|error: farsight::UnknownName| error.to_string())?, path.into()))
}

/// The content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Layer(CumulativeLayer),
    /// The style of a layer.
    Style(CumulativeLayer),
    /// The cells that an observer sees, by its index.
    SeenCells(usize),
    Polygons,
    PlaceObservers,
}

/// A file to write, with the flag that names it.
pub(super) struct CumulativeFile {
    pub(super) flag: &'static str,
    pub(super) output: OutputFile,
    content: Content,
}

impl Content {
    fn format(self, path: &Path) -> Option<Format> {
        let has_extension =
            |wanted: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted));
        match self {
            Self::Polygons => has_extension("geojson").then_some(Format::Json),
            Self::PlaceObservers => has_extension("csv").then_some(Format::Csv),
            Self::Style(_) => Some(Format::Txt),
            Self::Layer(_) => {
                Format::from_path(path).ok().filter(|format| is_raster(*format) || *format == Format::Png)
            }
            Self::SeenCells(_) => Format::from_path(path).ok().filter(|format| is_raster(*format)),
        }
    }

    const fn formats(self) -> &'static str {
        match self {
            Self::Polygons => ".geojson",
            Self::PlaceObservers => ".csv",
            Self::Style(_) => ".qml",
            Self::Layer(_) => ".tif, .asc, .npy or .png",
            Self::SeenCells(_) => ".tif, .asc or .npy",
        }
    }
}

fn is_raster(format: Format) -> bool {
    matches!(format, Format::Tif | Format::Asc | Format::Npy)
}

impl CumulativeOutputArgs {
    /// Checks that something is written, unless something is printed.
    pub(super) fn check(&self, is_printed: bool) -> Result<(), Failure> {
        if self.files(1)?.is_empty() && !is_printed {
            return Err(Failure::usage(
                "nothing to write: give --union, --count, --best, --layer, --each, --polygons, --place-observers, \
                 --bands or --choose",
            ));
        }
        match &self.each {
            Some(path) if !path.to_string_lossy().contains("{}") => {
                Err(Failure::usage(format!("--each {}: expected {{}} for the number of the observer", path.display())))
            }
            _ => Ok(()),
        }
    }

    /// Returns the layers.
    pub(super) fn layers(&self) -> Vec<CumulativeLayer> {
        let mut layers: Vec<CumulativeLayer> = Vec::new();
        for (layer, _) in self.layer_files().map(|(_, layer, path)| (layer, path)) {
            if !layers.contains(&layer) {
                layers.push(layer);
            }
        }
        layers
    }

    /// Returns `true` if cells beyond the range of every observer have no data.
    pub(super) fn has_nodata_outside(&self) -> bool {
        self.outside.as_deref() == Some("nodata")
    }

    /// Returns `true` if it matters which observer sees which cell.
    pub(super) fn needs_seen_cells(&self) -> bool {
        self.each.is_some() || self.place_observers.is_some()
    }

    fn layer_files(&self) -> impl Iterator<Item = (&'static str, CumulativeLayer, &PathBuf)> {
        let flags = [
            ("--union", CumulativeLayer::Union, &self.union),
            ("--count", CumulativeLayer::Count, &self.count),
            ("--best", CumulativeLayer::Best, &self.best),
        ];
        let flags = flags.into_iter().filter_map(|(flag, layer, path)| Some((flag, layer, path.as_ref()?)));
        flags.chain(self.layer.iter().map(|(layer, path)| ("--layer", *layer, path)))
    }

    /// Returns the files for some observers.
    pub(super) fn files(&self, observers: usize) -> Result<Vec<CumulativeFile>, Failure> {
        let layers = self.layer_files().map(|(flag, layer, path)| (flag, Content::Layer(layer), path.clone()));
        let styled = self.layer_files().filter(|(_, _, path)| self.qml && Format::from_path(path) == Ok(Format::Tif));
        let styles = styled.map(|(_, layer, path)| ("--qml", Content::Style(layer), path.with_extension("qml")));
        let each = self.each.iter().flat_map(|path| {
            let name = |i: usize| path.to_string_lossy().replace("{}", &(i + 1).to_string()).into();
            (0..observers).map(move |i| ("--each", Content::SeenCells(i), name(i)))
        });
        let others = [
            ("--polygons", Content::Polygons, &self.polygons),
            ("--place-observers", Content::PlaceObservers, &self.place_observers),
        ];
        let others = others.into_iter().filter_map(|(flag, content, path)| Some((flag, content, path.clone()?)));
        let files: Result<Vec<_>, Failure> = layers
            .chain(styles)
            .chain(each)
            .chain(others)
            .map(|(flag, content, path): (_, Content, PathBuf)| {
                let format = content.format(&path).ok_or_else(|| {
                    let formats = content.formats();
                    Failure::usage(format!("{flag} {}: expected a file that ends in {formats}", path.display()))
                })?;
                Ok(CumulativeFile { flag, output: OutputFile { path, format }, content })
            })
            .collect();
        let files = files?;
        self.tif.ensure_applies_to(files.iter().map(|file| &file.output))?;
        let paths: Vec<_> = files.iter().map(|file| (file.flag, file.output.path.as_path())).collect();
        ensure_distinct(&paths)?;
        Ok(files)
    }
}

/// The coordinates of a map without a georeference: columns to the east, and rows to the south.
pub(super) fn plane() -> Georeference {
    Georeference { corner: [0.0; 2], cell: [1.0; 2], keys: GeoKeys::default() }
}

/// The data that the files are made from.
pub(super) struct CumulativeContents<'a> {
    pub(super) scene: &'a Scene,
    pub(super) options: &'a ExportOptions,
    pub(super) view: &'a CumulativeView,
    /// The observers on the raster.
    pub(super) observers: &'a [PlacedObserver],
    pub(super) places: &'a [PlacedObserver],
    pub(super) tif_layout: TifLayout,
}

/// The content of a file.
enum Written {
    Raster(Box<Raster>),
    Picture { picture: Picture, provenance: Box<Provenance>, world_file: Option<String> },
    Text(String),
}

impl Written {
    fn write(&self, format: Format, out: &mut dyn Write) -> Result<(), WriteError> {
        match self {
            Self::Raster(raster) => raster.write(format, out),
            Self::Picture { picture, provenance, .. } => {
                let [width, height] = [picture.width(), picture.height()].map(|side| side as u32);
                write_picture(out, width, height, picture.rgba(), Some(provenance))
            }
            Self::Text(text) => Ok(out.write_all(text.as_bytes())?),
        }
    }

    fn world_file(&self) -> Option<String> {
        match self {
            Self::Picture { world_file, .. } => world_file.clone(),
            Self::Raster(_) | Self::Text(_) => None,
        }
    }
}

impl CumulativeContents<'_> {
    /// Writes all files, and a message for each.
    pub(super) fn write(&self, files: &[CumulativeFile], messages: MessageArgs) -> Result<(), Failure> {
        let polygons = files.iter().find(|file| file.content == Content::Polygons);
        if let Some(file) = polygons {
            check_polygons(self.view.count(), 1.0)?;
            if self.place().is_some_and(|place| ReferenceSystem::from_keys(&place.keys).is_none()) {
                let name = output_name(&file.output.path);
                let message = "the heightmap's reference system is not known, so the polygons are in its coordinates; GIS programs take them for degrees";
                messages.print(format!("{name}: {message}"));
            }
        }
        let contents = files.iter().map(|file| Ok((&file.output, self.of(file.content, file.output.format)?)));
        let contents: Vec<(&OutputFile, Written)> = contents.collect::<Result<_, Failure>>()?;
        write_files(&contents, Written::write, |written, _| written.world_file(), messages)?;
        let (observers, seen) = (pluralize(self.observers.len(), "observer"), self.cells_seen());
        let km2 = self.scene.world().map_or(0.0, |world| self.view.seen_km2(world));
        for file in files {
            let (name, seen) = (output_name(&file.output.path), pluralize(seen, "cell"));
            messages.print(match file.content {
                Content::SeenCells(i) => format!("wrote {name}: {}", self.observers[i].name),
                Content::PlaceObservers => format!("wrote {name}: {}", pluralize(self.places.len(), "place")),
                Content::Style(layer) => format!("wrote {name}: the style of {}", layer.name()),
                Content::Layer(_) | Content::Polygons => {
                    format!("wrote {name}: {observers}, {seen} seen ({km2:.3} km²)")
                }
            });
        }
        Ok(())
    }

    /// Returns the number of cells that any observer sees.
    pub(super) fn cells_seen(&self) -> usize {
        self.view.count().as_slice().iter().filter(|count| **count > 0.0).count()
    }

    /// Returns the position of the scene.
    fn place(&self) -> Option<Georeference> {
        let place = self.options.map.as_ref().and_then(|map| map.georeference());
        place.map(|place| place.at(self.scene.origin()))
    }

    fn of(&self, content: Content, format: Format) -> Result<Written, Failure> {
        Ok(match content {
            Content::Layer(layer) if format == Format::Png => self.picture(layer),
            Content::Layer(layer) => {
                let name = if layer == CumulativeLayer::Union { "visibility" } else { layer.name() };
                let values = self.view.layer(layer).expect("the layer was asked for");
                let mut raster = self.raster(name, values.clone());
                raster.unit = layer.unit();
                if layer.is_count() && self.observers.len() < usize::from(u16::MAX) {
                    raster.number_type = NumberType::UInt16;
                }
                Written::Raster(Box::new(raster))
            }
            Content::SeenCells(i) => {
                let (seen, count) = (&self.view.seen_cells[i], self.view.count());
                let values = Grid::from_fn(count.width(), count.height(), |cell| {
                    if count[cell].is_nan() { f32::NAN } else { f32::from(u8::from(seen.contains(cell))) }
                });
                let mut raster = self.raster("seen", values);
                raster.number_type = NumberType::Byte;
                raster.palette = ramp_colours(self.scene.preset().paint.ramp, 2);
                Written::Raster(Box::new(raster))
            }
            Content::Style(layer) => Written::Text(qml_style(self.scene.preset().paint.ramp, self.greatest(layer))),
            Content::Polygons => {
                let place = self.place().unwrap_or_else(|| plane().at(self.scene.origin()));
                let polygons = seen_polygons(self.view.count(), 1.0, &place).map_err(Failure::input)?;
                Written::Text(format!("{polygons}\n"))
            }
            Content::PlaceObservers => {
                let on_scene = |points: &[PlacedObserver]| {
                    let mut points = points.to_vec();
                    points.iter_mut().for_each(|point| point.cell -= self.scene.origin());
                    points
                };
                let world = self.scene.world().expect("a heightmap makes a world");
                let (observers, places) = (on_scene(self.observers), on_scene(self.places));
                Written::Text(self.view.place_table(world, &observers, &places))
            }
        })
    }

    /// Returns the greatest value of a layer.
    fn greatest(&self, layer: CumulativeLayer) -> f32 {
        let values = self.view.layer(layer).expect("the layer was asked for");
        values.as_slice().iter().copied().fold(0.0, f32::max) // NaN does not count
    }

    /// Paints a layer in the colours of the preset, from 0 to its greatest value.
    fn picture(&self, layer: CumulativeLayer) -> Written {
        let values = self.view.layer(layer).expect("the layer was asked for");
        let high = self.greatest(layer);
        let raster = self.raster(layer.name(), Grid::new(1, 1, 0.0));
        let paint = &self.scene.preset().paint;
        let file = self.options.map.as_ref().map_or("", |map| map.name.as_str());
        let title = format!("{file}  {}", pluralize(self.observers.len(), "observer"));
        let decimals = if layer.is_count() { 0 } else { 1 };
        let words = format!("{}, 0 to {high:.decimals$} {}", layer.name(), layer.unit());
        let mut picture = FieldPicture::new(values, high, paint.ramp);
        picture.legend = paint.legend.then_some((title.as_str(), words.trim_end()));
        picture.cell_size_m = raster.cell_size_m;
        let zoom = Zoom::of_map(values.size(), None);
        let world_file = raster.georeference.map(|place| place.drawn(zoom.pixels_per_cell()).world_file());
        let mut provenance = Box::new(raster.provenance);
        provenance.layer = layer.name().into();
        Written::Picture { picture: paint_field(&picture), provenance, world_file }
    }

    fn raster(&self, name: &str, values: Grid<f32>) -> Raster {
        let (scene, origin) = (self.scene, self.scene.origin());
        let provenance = provenance(scene, self.options, CellRect::of_size(scene.size()));
        let mut raster = Raster::new(name, values, origin, origin + scene.viewer(), provenance);
        raster.cell_size_m = scene.world().map(|world| world.config().cell_size_m);
        raster.georeference = self.place();
        raster.tif_layout = self.tif_layout;
        raster
    }
}
