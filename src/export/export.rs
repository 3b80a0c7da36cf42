//! A scene as a file: what the command line and the explorer both write.

use std::io::Write;

use super::replay;

use glam::IVec2;

use crate::files::{Depth, Format, Georeference, Labels, MapSource, Provenance, Raster, WriteError, write_picture};
use crate::grid::{CellRect, Grid};
use crate::paint::{Backdrop, PaintOptions, Picture, Unseen, Zoom, paint, with_legend};
use crate::perception::Recognition;
use crate::scene::{Layer, Scene, SceneError};
use crate::world::Biome;

/// What of a scene is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportOptions {
    /// The field.
    pub layer: Layer,
    /// The part of the map.
    pub crop: Crop,
    /// How a picture is made; other formats do not ask.
    pub style: PictureStyle,
    /// The name of the preset, for titles; may be empty.
    pub name: String,
    /// The map that took the place of a world.
    pub map: Option<MapSource>,
}

/// The part of the map that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Crop {
    /// All of the map; for painted pictures, the radius and a margin.
    #[default]
    Auto,
    /// All of the map.
    Map,
    /// The square of the radius around the viewer, as far as it lies on the map.
    Sight,
}

/// How a picture is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PictureStyle {
    /// Painted for people: the land with the visibility gradient, or a layer in colours.
    Painted {
        /// Pixels a cell; without it, as many as make a picture of about a thousand pixels.
        scale: Option<u32>,
        /// What becomes of cells out of sight.
        unseen: Unseen,
    },
    /// Grey data: black and white are the ends of the layer's range.
    Grey(Depth),
}

impl Default for PictureStyle {
    fn default() -> Self {
        Self::Painted { scale: None, unseen: Unseen::Mapped }
    }
}

impl ExportOptions {
    /// Where the map lies, if it knows.
    fn georeference(&self) -> Option<&Georeference> {
        self.map.as_ref()?.georeference()
    }
}

/// A scene that is ready to be written.
#[derive(Clone, Debug)]
pub enum Export {
    /// Values of a layer.
    Values(Box<Raster>),
    /// A painted picture, and where its upper left pixel lies if the map knows.
    Picture(Picture, Box<Provenance>, Option<Georeference>),
}

/// Cells around the radius on a painted picture.
const MARGIN: i32 = 4;

/// The longer side of a painted picture, about, in pixels.
const PICTURE_SIDE: i32 = 1000;

/// A painted picture has no more pixels than this: 8192 × 8192.
const MOST_PIXELS: i64 = 1 << 26;

impl Export {
    /// Takes from a scene what a format needs.
    ///
    /// # Errors
    /// [`SceneError::NoSuchLayer`]; [`SceneError::PictureTooLarge`] at a scale that asks for too many pixels.
    pub fn prepare(scene: &Scene, format: Format, options: &ExportOptions) -> Result<Self, SceneError> {
        match options.style {
            PictureStyle::Painted { scale, unseen } if format == Format::Png => painted(scene, options, scale, unseen),
            _ => values(scene, options),
        }
    }

    /// Writes it. The same scene gives the same bytes, always.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn write(&self, format: Format, style: PictureStyle, out: &mut dyn Write) -> Result<(), WriteError> {
        match (self, style) {
            (Self::Picture(picture, provenance, _), _) => {
                let [width, height] = [picture.width(), picture.height()].map(|side| side as u32);
                write_picture(out, width, height, picture.rgba(), Some(provenance))
            }
            (Self::Values(gradient), PictureStyle::Grey(depth)) if format == Format::Png => {
                gradient.write_grey_png(out, depth)
            }
            (Self::Values(gradient), _) => gradient.write(format, out),
        }
    }

    /// The text of the world file that belongs beside a picture, if the map knows where it lies; see
    /// [`Georeference::world_file`]. Other formats say themselves where they lie.
    pub fn world_file(&self, format: Format) -> Option<String> {
        let place = match self {
            Self::Values(gradient) => gradient.georeference.as_ref(),
            Self::Picture(_, _, place) => place.as_ref(),
        };
        place.filter(|_| format == Format::Png).map(Georeference::world_file)
    }

    /// Width and height: pixels of a picture, cells of values.
    pub fn size(&self) -> IVec2 {
        match self {
            Self::Values(gradient) => gradient.values.size(),
            Self::Picture(picture, ..) => IVec2::new(picture.width() as i32, picture.height() as i32),
        }
    }
}

fn values(scene: &Scene, options: &ExportOptions) -> Result<Export, SceneError> {
    let frame = match options.crop {
        Crop::Sight => scene.sight_frame(),
        Crop::Auto | Crop::Map => CellRect::of_size(scene.size()),
    };
    let layer = options.layer;
    let values = scene.layer(layer, frame)?;
    let provenance = provenance(scene, options, frame);
    let mut gradient = Raster::new(layer.name(), values, frame.min, scene.viewer(), provenance);
    gradient.labels = Some(labels(scene, layer, frame));
    gradient.cell_size_m = scene.world().map(|world| world.config().cell_size_m);
    gradient.georeference = options.georeference().map(|place| place.at(frame.min));
    gradient.range = range(layer, &gradient.values);
    Ok(Export::Values(Box::new(gradient)))
}

fn painted(scene: &Scene, options: &ExportOptions, scale: Option<u32>, unseen: Unseen) -> Result<Export, SceneError> {
    let map = CellRect::of_size(scene.size());
    let backdrop = match options.layer {
        Layer::Visibility => Backdrop::Land,
        layer => {
            scene.layer(layer, CellRect::around(scene.viewer(), 0))?; // a missing layer is said now
            Backdrop::Layer(layer)
        }
    };
    let frame = match options.crop {
        Crop::Sight => scene.sight_frame(),
        Crop::Map => map,
        Crop::Auto if backdrop == Backdrop::Land => {
            let CellRect { min, max } = scene.seen_frame();
            CellRect { min: min - MARGIN, max: max + MARGIN }.intersect(map)
        }
        Crop::Auto => map,
    };
    let side = frame.size().max_element().max(1);
    let zoom = match scale {
        Some(scale) => {
            check_scale(frame.size(), scale)?;
            Zoom::PixelsPerCell(scale)
        }
        None if side > 2 * PICTURE_SIDE => Zoom::CellsPerPixel((side / PICTURE_SIDE) as u32),
        None => Zoom::PixelsPerCell((PICTURE_SIDE / side).clamp(1, 32) as u32),
    };
    let paint_options = PaintOptions { frame, zoom, backdrop, unseen };
    let mut picture = paint(scene, &paint_options);
    if scene.preset().paint.legend {
        picture = with_legend(&picture, scene, &paint_options, &title(scene, options));
    }
    let place = options.georeference().map(|place| place.at(frame.min).drawn(zoom.pixels_per_cell()));
    let mut provenance = provenance(scene, options, frame);
    if backdrop == Backdrop::Land && !scene.is_fresh() {
        provenance.more.insert(Provenance::WALKED.to_owned(), scene.creatures().turn().into());
    }
    Ok(Export::Picture(picture, Box::new(provenance), place))
}

/// A picture of so many cells at so many pixels each is not too large.
pub(crate) fn check_scale(size: IVec2, scale: u32) -> Result<(), SceneError> {
    let [width, height] = size.to_array().map(|cells| i64::from(cells) * i64::from(scale.max(1)));
    if width.saturating_mul(height) > MOST_PIXELS {
        return Err(SceneError::PictureTooLarge { scale, width, height, limit: MOST_PIXELS });
    }
    Ok(())
}

fn title(scene: &Scene, options: &ExportOptions) -> String {
    let viewer = scene.viewer();
    let radius = scene.radius();
    let place = match &options.map {
        Some(map) => map.name.clone(),
        None => format!("{}  seed {}", options.name, scene.preset().world.seed),
    };
    let reach = match scene.world() {
        Some(world) => format!(" = {:.1} km", f64::from(radius) * world.config().cell_size_m / 1000.0),
        None => String::new(),
    };
    let clock = &scene.preset().clock;
    let hour = if clock.runs { format!("  {}", clock.day_and_time()) } else { String::new() };
    format!("{place}  viewer {},{}  radius {radius} cells{reach}{hour}", viewer.x, viewer.y)
}

/// Which scene an export shows.
pub fn provenance(scene: &Scene, options: &ExportOptions, frame: CellRect) -> Provenance {
    let whole = CellRect::of_size(scene.size());
    let size = frame.size();
    Provenance {
        version: env!("CARGO_PKG_VERSION").into(),
        preset: scene.preset().to_toml(),
        seed: scene.preset().world.seed,
        viewer: scene.viewer().to_array(),
        layer: options.layer.name().into(),
        crop: (frame != whole).then_some([frame.min.x, frame.min.y, size.x, size.y]),
        map: options.map.clone(),
        more: [("name".to_owned(), options.name.clone().into()), ("export".to_owned(), replay::settings(options))]
            .into(),
    }
}

/// A word for each cell: the name of its biome on that layer, what the viewer makes of it elsewhere.
fn labels(scene: &Scene, layer: Layer, frame: CellRect) -> Labels {
    let cells =
        |index: &dyn Fn(IVec2) -> u8| Grid::from_fn(frame.width(), frame.height(), |offset| index(frame.min + offset));
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

/// The values that are black and white in grey data: fixed for shares, else what there is.
fn range(layer: Layer, values: &Grid<f32>) -> [f32; 2] {
    if layer.is_share() {
        return Raster::UNIT_RANGE;
    }
    let low = values.as_slice().iter().copied().fold(f32::INFINITY, f32::min);
    let high = values.as_slice().iter().copied().fold(f32::NEG_INFINITY, f32::max);
    match low < high {
        true => [low, high],
        false if low.is_finite() => [low, low + 1.0],
        false => Raster::UNIT_RANGE, // no value at all
    }
}
