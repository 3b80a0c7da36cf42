//! [`CumulativeOutputArgs`]: the files of `farsight cumulative`; [`CumulativeContents`]: their contents.

use std::path::PathBuf;

use super::failure::Failure;
use super::output::{MessageArgs, TifArgs, ensure_writable, format_of, not_as_text, write_products};
use super::shared_args::OutsideArgs;
use super::sheet_args::SheetLook;
use super::text::pluralize;
use super::values::parse_classes;
use farsight::grid::{CellRect, Grid};
use farsight_scene::cumulative::{
    CountClasses, CumulativeLayer, CumulativeView, PlaceMap, PlacedObserver, SeenPolygons,
};
use farsight_scene::export::{ExportOptions, provenance};
use farsight_scene::files::{
    Content, ContentKind, Format, GeoKeys, Georeference, Legend, LegendSteps, NamedInput, NumberType, OutputFile,
    PlacedPicture, Product, Raster, ReferenceSystem, TifLayout,
};
use farsight_scene::paint::{FieldPicture, paint_field, ramp_colours};
use farsight_scene::scene::Scene;
use farsight_scene::world::World;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct CumulativeOutputArgs {
    /// Write the maximum visibility of each cell, 0 to 1: to a picture (.png), a sheet (.pdf, .svg) or as values (.tif, .asc, .npy, .csv, .json, .r16)
    #[arg(long, value_name = "FILE")]
    union: Option<PathBuf>,
    /// Write the number of observers that see each cell: at least as a glimpse (perception.glimpse)
    #[arg(long, value_name = "FILE")]
    count: Option<PathBuf>,
    /// Write the number of the observer that sees each cell best, from 1; 0 if none sees it
    #[arg(long, value_name = "FILE")]
    best: Option<PathBuf>,
    /// Write a layer, to files as --union: union, count, best, sum (of visibilities times weight), nearest (m to the nearest
    /// observer that sees the cell); of turbines and masts hubs and tips (how many are seen), visible-height (m, of the
    /// most visible one), visible-height-sum, vertical-angle and horizontal-angle (degrees). May be repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = parse_layer)]
    layer: Vec<(CumulativeLayer, PathBuf)>,
    /// Write the cells that each observer sees, 1 or 0: a .tif, .asc or .npy with {} in its name for the number of the observer
    #[arg(long, value_name = "FILE")]
    each: Option<PathBuf>,
    /// Write a style of QGIS next to each .tif of a layer, in the colours of paint.ramp: a .qml of the same name
    #[arg(long)]
    qml: bool,
    #[command(flatten)]
    tif: TifArgs,
    #[command(flatten)]
    outside: OutsideArgs,
    /// Write the ground that any observer sees as polygons: to a .gpkg (GeoPackage) in the coordinates of the heightmap, or to a .geojson
    /// in longitude and latitude (RFC 7946)
    #[arg(long, value_name = "FILE")]
    polygons: Option<PathBuf>,
    /// Write the ground that each observer sees as polygons with its name, to files as --polygons
    #[arg(long, value_name = "FILE")]
    observer_polygons: Option<PathBuf>,
    /// Classes of counts, by the first count of each: 1,6,11 is 1 to 5, 6 to 10, and 11 or more. For --polygons, --bands, and
    /// pictures and styles of count, hubs and tips
    #[arg(long, value_name = "COUNTS", value_parser = parse_classes)]
    pub(super) classes: Option<CountClasses>,
    /// Places: points from a .csv or .geojson, as for --observers, for the files of places and on sheets
    #[arg(long, value_name = "FILE")]
    pub(super) places: Option<PathBuf>,
    /// Write for each of the --places how many observers see it, the metres to the nearest of them, and their names: to a .csv, or as points to a
    /// .gpkg or .geojson
    #[arg(long, value_name = "FILE", requires = "places")]
    place_observers: Option<PathBuf>,
    /// Write a .csv with a row for each pair of the --places and an observer: hub and tip seen (1 or 0), visible metres and their vertical angle, the distance, and
    /// the azimuth from the place to the observer, from true and from grid north
    #[arg(long, value_name = "FILE", requires = "places")]
    pub(super) pairs: Option<PathBuf>,
}

/// Parses a layer and its file: `NAME=FILE`.
fn parse_layer(text: &str) -> Result<(CumulativeLayer, PathBuf), String> {
    let (name, path) = text.split_once('=').ok_or("expected NAME=FILE, such as tips=tips.tif")?;
    Ok((name.parse().map_err(|error: farsight::UnknownName| error.to_string())?, path.into()))
}

/// The content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CumulativeContent {
    Layer(CumulativeLayer),
    /// The cells that an observer sees, by its index.
    SeenCells(usize),
    Polygons,
    ObserverPolygons,
    Places,
    Pairs,
}

impl CumulativeContent {
    const fn kinds(self) -> &'static [ContentKind] {
        match self {
            Self::Layer(_) => &[ContentKind::Picture, ContentKind::Raster, ContentKind::Sheet],
            Self::SeenCells(_) => &[ContentKind::Raster],
            Self::Polygons | Self::ObserverPolygons => &[ContentKind::Features],
            Self::Places => &[ContentKind::Table, ContentKind::Features],
            Self::Pairs => &[ContentKind::Table],
        }
    }
}

/// A file to write, with the flag that names it.
pub(super) struct CumulativeFile {
    flag: &'static str,
    file: OutputFile,
    content: CumulativeContent,
}

impl CumulativeFile {
    pub(super) fn output(&self) -> &OutputFile {
        &self.file
    }

    /// Returns the paths of the file and of its style.
    pub(super) fn paths(&self) -> impl Iterator<Item = String> {
        std::iter::once(self.file.path.clone()).chain(self.file.style_file()).map(|path| path.display().to_string())
    }
}

impl CumulativeOutputArgs {
    /// Checks that something is written, unless something is printed.
    pub(super) fn check(&self, has_bands: bool, has_choice: bool) -> Result<(), Failure> {
        let is_printed = has_bands || has_choice;
        let has_classes = has_bands || self.polygons.is_some() || self.layers().into_iter().any(has_count_classes);
        if self.classes.is_some() && !has_classes {
            return Err(Failure::usage(
                "--classes applies to --polygons, --bands, --count and --layer hubs and tips, and none is given",
            ));
        }
        let files = [&self.each, &self.polygons, &self.observer_polygons, &self.place_observers, &self.pairs];
        let is_written = files.into_iter().any(Option::is_some);
        if !is_written && !is_printed && self.layers().is_empty() {
            return Err(Failure::usage(
                "nothing to write: give --union, --count, --best, --layer, --each, --polygons, \
                 --observer-polygons, --place-observers, --pairs, --bands or --choose",
            ));
        }
        match &self.each {
            Some(path) if !path.to_string_lossy().contains("{}") => {
                Err(Failure::usage(format!("--each {}: expected {{}} for the number of the observer", path.display())))
            }
            _ => Ok(()),
        }
    }

    /// Refuses places that no file contains.
    pub(super) fn check_places(&self, has_sheet: bool) -> Result<(), Failure> {
        match &self.places {
            Some(_) if self.place_observers.is_none() && self.pairs.is_none() && !has_sheet => Err(Failure::usage(
                "--places is for --place-observers, --pairs and sheets (--paper, .svg, .pdf), and none is written",
            )),
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

    /// Returns `true` if cells beyond the range of every observer are nodata.
    pub(super) fn has_nodata_outside(&self) -> bool {
        self.outside.is_nodata() == Some(true)
    }

    /// Returns `true` if an output needs the cells of individual observers.
    pub(super) fn needs_seen_cells(&self) -> bool {
        [&self.each, &self.observer_polygons, &self.place_observers].into_iter().any(Option::is_some)
    }

    /// Returns `true` if an output names observers or places.
    pub(super) fn has_names(&self) -> bool {
        [&self.observer_polygons, &self.place_observers, &self.pairs].into_iter().any(Option::is_some)
    }

    /// Returns the first output that needs lines of sight.
    pub(super) fn first_with_lines(&self) -> Option<String> {
        let layer = self.layers().into_iter().find(|layer| layer.needs_lines());
        layer.map(|layer| format!("--layer {}", layer.name())).or(self.pairs.as_ref().map(|_| "--pairs".to_owned()))
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

    /// Returns the files for some observers. Refuses what [`ensure_writable`] does.
    pub(super) fn files(&self, observers: usize, inputs: &[NamedInput]) -> Result<Vec<CumulativeFile>, Failure> {
        use CumulativeContent::{Layer, ObserverPolygons, Pairs, Places, Polygons, SeenCells};
        let layers = self.layer_files().map(|(flag, layer, path)| (flag, Layer(layer), path.clone()));
        let each = self.each.iter().flat_map(|path| {
            let name = |i: usize| path.to_string_lossy().replace("{}", &(i + 1).to_string()).into();
            (0..observers).map(move |i| ("--each", SeenCells(i), name(i)))
        });
        let others = [
            ("--polygons", Polygons, &self.polygons),
            ("--observer-polygons", ObserverPolygons, &self.observer_polygons),
            ("--place-observers", Places, &self.place_observers),
            ("--pairs", Pairs, &self.pairs),
        ];
        let others = others.into_iter().filter_map(|(flag, content, path)| Some((flag, content, path.clone()?)));
        let file = |(flag, content, path): (_, CumulativeContent, PathBuf)| {
            let mut file = OutputFile::new(&path, format_of(flag, &path, content.kinds())?);
            file.has_style = self.qml && matches!(content, Layer(_));
            match content {
                Layer(layer) if file.format == Format::Txt && layer != CumulativeLayer::Union => {
                    Err(not_as_text(&file, layer.name()))
                }
                _ => Ok(CumulativeFile { flag, file, content }),
            }
        };
        let files = layers.chain(each).chain(others).map(file).collect::<Result<Vec<_>, Failure>>()?;
        ensure_writable(&files.iter().map(|file| (file.flag, &file.file)).collect::<Vec<_>>(), inputs)?;
        Ok(files)
    }

    /// Returns the layout of GeoTIFF files.
    pub(super) fn tif_layout(&self, files: &[CumulativeFile]) -> Result<TifLayout, Failure> {
        self.tif.layout(files.iter().map(|file| &file.file))
    }
}

/// Returns `true` for the numbers of observers that see a cell.
fn has_count_classes(layer: CumulativeLayer) -> bool {
    layer.counts_observers()
}

/// Returns the coordinates of a map without a georeference: columns to the east, and rows to the south.
pub(super) fn plane() -> Georeference {
    Georeference { corner: [0.0; 2], cell: [1.0; 2], keys: GeoKeys::default() }
}

/// The data of the files.
pub(super) struct CumulativeContents<'a> {
    pub(super) scene: &'a Scene,
    pub(super) options: &'a ExportOptions,
    pub(super) view: &'a CumulativeView,
    /// The observers and the places, on cells of the scene.
    pub(super) observers: &'a [PlacedObserver],
    pub(super) places: &'a [PlacedObserver],
    pub(super) classes: Option<&'a CountClasses>,
    pub(super) tif_layout: TifLayout,
    pub(super) sheets: SheetLook<'a>,
}

impl CumulativeContents<'_> {
    /// Writes all files, and a message for each.
    pub(super) fn write(&self, files: &[CumulativeFile], messages: MessageArgs) -> Result<(), Failure> {
        for file in files {
            let Some(polygons) = self.polygons(file.content) else { continue };
            polygons.check()?;
            let is_unknown = |place: Georeference| ReferenceSystem::from_keys(&place.keys).is_none();
            if file.file.format.is_in_degrees() && self.place().is_some_and(is_unknown) {
                let message = "the heightmap's reference system is not known, so the polygons are in its coordinates; GIS programs take them for degrees";
                messages.print(format!("{}: {message}", file.file.path.display()));
            }
        }
        let product = |file| Ok((CumulativeFile::output(file), self.product(file)?));
        let products = files.iter().map(product).collect::<Result<Vec<_>, Failure>>()?;
        let observers = pluralize(self.observers.len(), "observer");
        write_products(&products, messages, |i| match files[i].content {
            CumulativeContent::SeenCells(i) => self.observers[i].name.clone(),
            CumulativeContent::Places => pluralize(self.places.len(), "place"),
            CumulativeContent::Pairs => format!("{} and {observers}", pluralize(self.places.len(), "place")),
            CumulativeContent::Layer(layer) => {
                let summary = format!("{observers}, {}", self.layer_summary(layer));
                match &products[i].1.content {
                    Content::Sheet(sheet) => format!("{summary}, {}", sheet.summary()),
                    _ => summary,
                }
            }
            CumulativeContent::Polygons | CumulativeContent::ObserverPolygons => {
                format!("{observers}, {}", self.layer_summary(CumulativeLayer::Count))
            }
        })
    }

    /// Returns the polygons of a file, if it has polygons.
    fn polygons(&self, content: CumulativeContent) -> Option<SeenPolygons<'_>> {
        match (content, self.classes) {
            (CumulativeContent::Polygons, Some(classes)) => Some(SeenPolygons::of_classes(self.view, classes)),
            (CumulativeContent::Polygons, None) => Some(SeenPolygons::of_any(self.view)),
            (CumulativeContent::ObserverPolygons, _) => Some(SeenPolygons::of_observers(self.view, self.observers)),
            _ => None,
        }
    }

    /// Returns what is in a layer: `44248 cells that see a hub (39.823 km²)`.
    pub(super) fn layer_summary(&self, layer: CumulativeLayer) -> String {
        use CumulativeLayer::*;
        let what = match layer {
            Hubs => "that see a hub",
            Tips => "that see a tip",
            VisibleHeight | VisibleHeightSum | VerticalAngle => "that see a part of a turbine",
            BareCount => "seen over bare ground",
            Screened => "hidden by what stands on the ground",
            HorizontalAngle => return format!("at most {:.1} {}", self.maximum(layer), layer.unit()),
            _ => "seen",
        };
        let counted = if what == "seen" { Count } else { layer };
        let covered = self.scene.world().map(|world| self.view.covered(world, counted)).unwrap_or_default();
        let text = format!("{} {what} ({:.3} km²)", pluralize(covered.cells, "cell"), covered.km2);
        match layer {
            VisibleHeight | VisibleHeightSum | VerticalAngle => {
                format!("{text}, at most {:.1} {}", self.maximum(layer), layer.unit())
            }
            _ => text,
        }
    }

    /// Returns the position of the scene.
    pub(super) fn place(&self) -> Option<Georeference> {
        let place = self.options.map.as_ref().and_then(|map| map.georeference());
        place.map(|place| place.at(self.scene.origin()))
    }

    fn product(&self, file: &CumulativeFile) -> Result<Product<'_>, Failure> {
        let place = || self.place().unwrap_or_else(|| plane().at(self.scene.origin()));
        let provenance = || provenance(self.scene, self.options, CellRect::of_size(self.scene.size()));
        Ok(match file.content {
            CumulativeContent::Layer(layer) if self.sheets.args.is_sheet(&file.file) => {
                Content::Sheet(Box::new(self.sheet(layer)?)).into()
            }
            CumulativeContent::Layer(layer) if file.file.format.takes(ContentKind::Picture) => {
                self.picture(layer).into()
            }
            CumulativeContent::Layer(layer) => {
                let name = if layer == CumulativeLayer::Union { "visibility" } else { layer.name() };
                let mut raster = self.raster(name, self.values(layer).clone());
                raster.unit = layer.unit();
                if layer.is_count() && self.observers.len() < usize::from(u16::MAX) {
                    raster.number_type = NumberType::UInt16;
                }
                let legend = || Legend {
                    ramp: self.scene.preset().paint.ramp,
                    high: self.maximum(layer),
                    steps: match self.classes_of(layer) {
                        Some(classes) => LegendSteps::Classes {
                            names: std::iter::once(classes.name_below()).chain(classes.names()).collect(),
                            starts: classes.ranges().map(|(first, _)| first).collect(),
                        },
                        None if layer.is_count() => LegendSteps::Counts,
                        None => LegendSteps::Continuous,
                    },
                };
                Product { legend: file.file.has_style.then(legend), ..raster.into() }
            }
            CumulativeContent::SeenCells(i) => {
                let (seen, count) = (&self.view.seen_cells[i], self.view.count());
                let values = Grid::from_fn(count.width(), count.height(), |cell| {
                    if count[cell].is_nan() { f32::NAN } else { f32::from(u8::from(seen.contains(cell))) }
                });
                let mut raster = self.raster("seen", values);
                raster.number_type = NumberType::Byte;
                raster.palette = ramp_colours(self.scene.preset().paint.ramp, 2);
                raster.into()
            }
            CumulativeContent::Polygons | CumulativeContent::ObserverPolygons => {
                let polygons = self.polygons(file.content).expect("the content is polygons");
                Content::Features(polygons.features(&place(), provenance())).into()
            }
            CumulativeContent::Places => {
                let map = PlaceMap { world: self.world(), georeference: &place() };
                let places = self.view.seen_places(map, self.observers, self.places, provenance());
                match file.file.format.takes(ContentKind::Table) {
                    true => Content::Table(places.table).into(),
                    false => Content::Features(places).into(),
                }
            }
            CumulativeContent::Pairs => {
                let map = PlaceMap { world: self.world(), georeference: &place() };
                Content::Table(self.view.place_pairs(map, self.observers, self.places)).into()
            }
        })
    }

    fn world(&self) -> &World {
        self.scene.world().expect("a heightmap makes a world")
    }

    pub(super) fn values(&self, layer: CumulativeLayer) -> &Grid<f32> {
        self.view.layer(layer).expect("the layer was asked for")
    }

    /// Returns the classes of a layer of counts.
    pub(super) fn classes_of(&self, layer: CumulativeLayer) -> Option<&CountClasses> {
        self.classes.filter(|_| has_count_classes(layer))
    }

    /// Returns the maximum value of a layer.
    pub(super) fn maximum(&self, layer: CumulativeLayer) -> f32 {
        self.values(layer).as_slice().iter().copied().fold(0.0, f32::max) // NaN does not count
    }

    /// Paints a layer in the colours of the preset, from 0 to its maximum value.
    fn picture(&self, layer: CumulativeLayer) -> PlacedPicture {
        let (values, high) = (self.values(layer), self.maximum(layer));
        let paint = &self.scene.preset().paint;
        let file = self.options.map.as_ref().map_or("", |map| map.name.as_str());
        let title = format!("{file}  {}", pluralize(self.observers.len(), "observer"));
        let decimals = if layer.is_count() { 0 } else { 1 };
        let range = if high > 0.0 { format!("0 to {high:.decimals$}") } else { "0".to_owned() };
        let words = format!("{}, {range} {}", layer.name(), layer.unit());
        let mut raster = self.raster(layer.name(), values.clone());
        raster.provenance.layer = layer.name().into();
        let in_classes = self.classes_of(layer).map(|classes| class_numbers(values, classes));
        let mut picture = FieldPicture::new(values, high, paint.ramp);
        let words = match (&in_classes, self.classes_of(layer)) {
            (Some(numbers), Some(classes)) => {
                picture = FieldPicture::new(numbers, classes.count() as f32, paint.ramp);
                picture.bar_steps = classes.count() as u32 + 1;
                let names: Vec<String> = std::iter::once(classes.name_below()).chain(classes.names()).collect();
                format!("{}: {}", layer.name(), names.join(", "))
            }
            _ => words,
        };
        picture.legend = paint.legend.then_some((title.as_str(), words.trim_end()));
        let middle_row = (self.scene.size() - 1) / 2;
        picture.cell_width_m = self.scene.world().map(|world| world.cell_size_at(middle_row).x_m);
        PlacedPicture::of_raster(paint_field(&picture), &raster, None)
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

/// Returns the number of the class of each count, from 1; 0 below the first class.
fn class_numbers(counts: &Grid<f32>, classes: &CountClasses) -> Grid<f32> {
    Grid::from_fn(counts.width(), counts.height(), |cell| match counts[cell] {
        count if count.is_nan() => count,
        count => classes.of(count).map_or(0.0, |class| class as f32 + 1.0),
    })
}
