//! [`ExportOptions::product`]: the product of a scene for a file.

use farsight::internal::parallel::*;
use glam::IVec2;

use super::options::{Crop, ExportOptions, PictureStyle};
use crate::files::{ContentKind, Format, Labels, NumberType, OutputFormat, PlacedPicture, Product, Provenance, Raster};
use crate::paint::{Backdrop, PaintOptions, Unseen, Zoom, biome_palette, legend, paint, painting_bytes, ramp_colours};
use crate::preset::Preset;
use crate::scene::{Layer, Scene, SceneError, Terrain, check_picture};
use crate::world::Biome;
use farsight::grid::{CellRect, Grid};
use farsight::perception::Recognition;

/// The margin of a painted view with [`Crop::Auto`], in cells.
const MARGIN: i32 = 4;

/// The maximum number of pixels of a painted picture: 8192 × 8192.
const MAX_PIXELS: i64 = 1 << 26;

impl ExportOptions {
    /// Returns the product of a scene for a format: the values of a layer, with labels if the format
    /// [has them](OutputFormat::has_labels), or a painted picture.
    ///
    /// # Errors
    /// [`SceneError::NoSuchLayer`]; [`SceneError::PictureTooLarge`] if the scale is too large.
    pub fn product(&self, scene: &Scene, format: impl Into<OutputFormat>) -> Result<Product<'static>, SceneError> {
        let format = format.into();
        match self.style {
            PictureStyle::Painted { scale, unseen } if format.takes(ContentKind::Picture) => {
                paint_picture(scene, self, scale, unseen)
            }
            _ => read_values(scene, self, format),
        }
    }

    /// Returns a layer from the [values](Scene::generate_field) of a whole generated world, without a scene. It has no
    /// labels; `viewer` is the viewer of the provenance.
    ///
    /// # Errors
    /// [`SceneError::NoSuchCells`].
    pub fn raster_of_field(&self, values: Grid<f32>, preset: &Preset, viewer: IVec2) -> Result<Raster, SceneError> {
        let map = CellRect::of_size(values.size());
        let frame = self.cells.map_or(Ok(map), |cells| cells_on_map(cells, IVec2::ZERO, map.max, map.max))?;
        let values = match frame == map {
            true => values,
            false => Grid::from_fn(frame.width(), frame.height(), |offset| values[frame.min + offset]),
        };
        let provenance = provenance_of(preset, viewer, frame == map, self, frame);
        let mut raster = Raster::new(self.layer.name(), values, frame.min, viewer, provenance);
        raster.cell_size_m = Some(preset.world.cell_size_m);
        raster.unit = self.layer.unit();
        raster.range = value_range(self.layer, &raster.values);
        raster.pixels = self.pixels();
        Ok(raster)
    }
}

fn read_values(scene: &Scene, options: &ExportOptions, format: OutputFormat) -> Result<Product<'static>, SceneError> {
    let map = CellRect::of_size(scene.size());
    let frame = match (options.cells, options.crop) {
        (Some(cells), _) => cells_on_scene(cells, scene)?,
        (None, Crop::Sight) => scene.sight_frame(),
        (None, Crop::Auto | Crop::Map) if is_window(options) => scene.sight_frame(),
        (None, Crop::Auto | Crop::Map) => map,
    };
    let layer = options.layer;
    let mut values = scene.layer(layer, frame)?;
    if format != Format::Txt {
        clear_nodata(&mut values, scene, options, frame.min);
    }
    let provenance = provenance(scene, options, frame);
    let origin = scene.origin();
    let mut raster = Raster::new(layer.name(), values, origin + frame.min, origin + scene.viewer(), provenance);
    raster.unit = layer.unit();
    if layer == Layer::Biome {
        raster.number_type = NumberType::Byte;
        raster.palette = biome_palette();
    }
    if scene.is_binary(layer) {
        raster.number_type = NumberType::Byte;
        raster.palette = ramp_colours(scene.preset().paint.ramp, 2);
    }
    raster.labels = format.has_labels().then(|| labels(scene, layer, frame));
    raster.cell_size_m = scene.world().map(|world| world.config().cell_size_m);
    raster.georeference = options.georeference().map(|map| map.at(origin + frame.min));
    if let (Layer::Opacity, Terrain::Map(map)) = (layer, scene.terrain()) {
        raster.doors = map.doors().to_vec();
        let has_roof = |offset| map.has_roof(frame.min + offset);
        raster.roofs = map.roofs().map(|_| Grid::from_fn(frame.width(), frame.height(), has_roof));
    }
    raster.range = value_range(layer, &raster.values);
    raster.pixels = options.pixels();
    Ok(raster.into())
}

/// Sets cells of a visibility to NaN: ground without data of a yes-or-no raster, and with
/// [`nodata_outside`](ExportOptions::nodata_outside) of any visibility, and then cells out of range. The values begin at the cell
/// `first`.
fn clear_nodata(values: &mut Grid<f32>, scene: &Scene, options: &ExportOptions, first: IVec2) {
    let (layer, has_range) = (options.layer, options.nodata_outside && options.layer.is_of_view());
    if !has_range && !scene.is_binary(layer) {
        return;
    }
    let is_nodata = |cell: IVec2| !scene.terrain().has_data(cell) || has_range && !scene.is_in_range(cell);
    let (width, height) = (values.width().max(1), values.height() as i32);
    values.as_mut_slice().par_chunks_mut(width).zip(first.y..first.y + height).for_each(|(row, y)| {
        for (value, x) in row.iter_mut().zip(first.x..) {
            *value = if is_nodata(IVec2::new(x, y)) { f32::NAN } else { *value };
        }
    });
}

fn paint_picture(
    scene: &Scene,
    options: &ExportOptions,
    scale: Option<u32>,
    unseen: Unseen,
) -> Result<Product<'static>, SceneError> {
    let map = CellRect::of_size(scene.size());
    let backdrop = match options.layer {
        Layer::Visibility => Backdrop::Land,
        layer => {
            scene.layer(layer, CellRect::around(scene.viewer(), 0))?; // an error if there is no such layer
            Backdrop::Layer(layer)
        }
    };
    let frame = match (options.cells, options.crop) {
        (Some(cells), _) => cells_on_scene(cells, scene)?,
        (None, Crop::Sight) => scene.sight_frame(),
        (None, Crop::Map) if is_window(options) => scene.sight_frame(),
        (None, Crop::Map) => map,
        (None, Crop::Auto) if options.layer == Layer::Visibility => {
            let CellRect { min, max } = scene.seen_frame();
            CellRect { min: min - MARGIN, max: max + MARGIN }.intersect(map)
        }
        (None, Crop::Auto) if is_window(options) => scene.sight_frame(),
        (None, Crop::Auto) => map,
    };
    check_scale(frame.size(), scale)?;
    let zoom = Zoom::of_map(frame.size(), scale);
    let paint_options = PaintOptions::new(frame, zoom).with_backdrop(backdrop).with_unseen(unseen);
    let [width, height] = paint_options.picture_size().to_array().map(i64::from);
    check_picture(width, height, painting_bytes(scene, &paint_options))?;
    let mut picture = paint(scene, &paint_options);
    if scene.preset().paint.legend
        && let Some(legend) = legend(scene, &paint_options, picture.width(), &title(scene, options))
    {
        picture = picture.above(&legend);
    }
    let georeference =
        options.georeference().map(|map| map.at(scene.origin() + frame.min).drawn(zoom.pixels_per_cell()));
    let mut provenance = provenance(scene, options, frame);
    if backdrop == Backdrop::Land && !scene.is_fresh() {
        provenance.more.insert(Provenance::WALKED.to_owned(), scene.creatures().turn().into());
    }
    Ok(PlacedPicture::new(picture, provenance).with_georeference(georeference).into())
}

/// Returns `true` if the map is read in part.
fn is_window(options: &ExportOptions) -> bool {
    options.map.as_ref().is_some_and(|map| map.window().is_some())
}

/// Returns the intersection of `cells` with the scene; `cells` are those of the map, or of the raster if the map is a
/// window.
fn cells_on_scene(cells: CellRect, scene: &Scene) -> Result<CellRect, SceneError> {
    cells_on_map(cells, scene.origin(), scene.size(), scene.raster_size())
}

/// Returns the intersection of cells of a raster with a window, which has an origin and a size.
fn cells_on_map(cells: CellRect, origin: IVec2, size: IVec2, raster_size: IVec2) -> Result<CellRect, SceneError> {
    let CellRect { min, max } = cells;
    let [low, high] = [min, max].map(|cell| cell.saturating_sub(origin));
    let frame = CellRect { min: low, max: high }.intersect(CellRect::of_size(size));
    if frame.width() == 0 || frame.height() == 0 {
        return Err(SceneError::NoSuchCells { min, last: max - 1, width: raster_size.x, height: raster_size.y });
    }
    Ok(frame)
}

/// Checks the size of a picture of `size` cells with `scale` × `scale` pixels each, or with the scale that fits.
pub fn check_scale(size: IVec2, scale: Option<u32>) -> Result<(), SceneError> {
    let [width, height] = match scale {
        Some(scale) => size.to_array().map(|cells| i64::from(cells) * i64::from(scale.max(1))),
        None => Zoom::of_map(size, None).picture_size(size).to_array().map(i64::from),
    };
    match scale {
        Some(scale) if width.saturating_mul(height) > MAX_PIXELS => {
            Err(SceneError::PictureTooLarge { scale, width, height, limit: MAX_PIXELS })
        }
        _ => check_picture(width, height, 0),
    }
}

fn title(scene: &Scene, options: &ExportOptions) -> String {
    let viewer = scene.origin() + scene.viewer();
    let radius = scene.radius();
    let map = match &options.map {
        Some(map) => map.name.clone(),
        None => format!("{}  seed {}", options.name, scene.preset().world.seed),
    };
    let radius_km = match scene.world() {
        Some(world) => {
            format!(" = {:.1} km", f64::from(radius) * world.cell_size_at(scene.viewer()).shorter_m() / 1000.0)
        }
        None => String::new(),
    };
    let clock = scene.clock();
    let hour = if clock.runs { format!("  {}", clock.day_and_time()) } else { String::new() };
    format!("{map}  viewer {},{}  radius {radius} cells{radius_km}{hour}", viewer.x, viewer.y)
}

/// Returns the provenance of an export of a part of the map.
pub fn provenance(scene: &Scene, options: &ExportOptions, frame: CellRect) -> Provenance {
    let origin = scene.origin();
    let is_whole = frame == CellRect::of_size(scene.size()) && !is_window(options);
    let mut preset = scene.present_preset();
    preset.viewers.iter_mut().for_each(|observer| observer.at += origin);
    preset.names.iter_mut().for_each(|named| named.at += origin);
    preset.strokes.iter_mut().flat_map(|stroke| &mut stroke.points).for_each(|point| *point += origin);
    let frame = CellRect { min: origin + frame.min, max: origin + frame.max };
    provenance_of(&preset, origin + scene.viewer(), is_whole, options, frame)
}

fn provenance_of(
    preset: &Preset,
    viewer: IVec2,
    is_whole: bool,
    options: &ExportOptions,
    frame: CellRect,
) -> Provenance {
    let (min, size) = (frame.min, frame.size());
    Provenance {
        version: env!("CARGO_PKG_VERSION").into(),
        preset: preset.to_toml(),
        seed: preset.world.seed,
        viewer: viewer.to_array(),
        layer: options.layer.name().into(),
        crop: (!is_whole).then_some([min.x, min.y, size.x, size.y]),
        map: options.map.clone(),
        more: [
            ("name".to_owned(), options.name.clone().into()),
            (ExportOptions::PROVENANCE_KEY.to_owned(), options.settings()),
        ]
        .into(),
    }
}

/// Returns a label for each cell: its biome for the layer of biomes, otherwise its state of visibility.
fn labels(scene: &Scene, layer: Layer, frame: CellRect) -> Labels {
    let cells = |index: &(dyn Fn(IVec2) -> u8 + Sync)| {
        let mut cells = Grid::new(frame.width(), frame.height(), 0);
        let rows = cells.as_mut_slice().par_chunks_mut(frame.width().max(1)).enumerate();
        rows.for_each(|(y, row)| {
            for (x, cell) in row.iter_mut().enumerate() {
                *cell = index(frame.min + IVec2::new(x as i32, y as i32));
            }
        });
        cells
    };
    match layer {
        Layer::Biome => Labels {
            column: "name".into(),
            names: Biome::KNOWN.iter().map(|biome| biome.name().to_owned()).collect(),
            cells: cells(&|cell| scene.biome(cell).map_or(0, |biome| biome as u8)),
        },
        _ => Labels {
            column: "state".into(),
            names: Recognition::ALL.iter().map(|recognition| recognition.name().to_owned()).collect(),
            cells: cells(&|cell| scene.sense(cell) as u8),
        },
    }
}

/// Returns the values of black and white in grey data: [0, 1] for fractions, otherwise the minimum and the maximum.
fn value_range(layer: Layer, values: &Grid<f32>) -> [f32; 2] {
    if layer.is_share() {
        return Raster::UNIT_RANGE;
    }
    let low = values.as_slice().iter().copied().fold(f32::INFINITY, f32::min);
    let high = values.as_slice().iter().copied().fold(f32::NEG_INFINITY, f32::max);
    match low < high {
        true => [low, high],
        false if low.is_finite() => [low, low + 1.0],
        false => Raster::UNIT_RANGE, // no values
    }
}
