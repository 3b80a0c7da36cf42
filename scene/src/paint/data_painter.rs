//! [`paint_data`]: the values of a layer as exact squares, with exact contours and coasts.

use glam::{IVec2, ivec2};

use super::colour::{Colour, mix, pixel};
use super::options::{Backdrop, PaintOptions};
use super::picture::Picture;
use super::ramp::{LayerRamp, layer_ramp, round_range};
use crate::scene::{Layer, Scene, Terrain};
use crate::world::{Water, World};
use farsight::grid::{CellRect, Grid};
use farsight::perception::Recognition;

/// The colour off the map.
const VOID: Colour = [214.0, 212.0, 208.0];
/// The colour of cells out of sight.
const HIDDEN: Colour = [255.0, 255.0, 255.0];
/// The walls of an opacity map that are out of sight.
const WALL: Colour = [150.0, 150.0, 158.0];
/// Nodata cells, and their hatching.
const NO_DATA: Colour = [236.0, 236.0, 236.0];
const NO_DATA_LINE: Colour = [160.0, 160.0, 160.0];
/// The contours of identified and of glimpsed cells, and coasts.
pub(super) const IDENTIFY_LINE: Colour = [214.0, 96.0, 0.0];
pub(super) const GLIMPSE_LINE: Colour = [120.0, 60.0, 150.0];
const COAST: Colour = [16.0, 34.0, 66.0];

/// The minimum side of a cell with lines, in pixels.
const MIN_SIDE_WITH_LINES: usize = 3;

/// Paints a layer, or the visibility instead of the land. Each square has the single colour of its value; only lines
/// along its sides cover it.
pub(super) fn paint_data(scene: &Scene, options: &PaintOptions) -> Picture {
    let size = options.zoom.picture_size(options.frame.size());
    let mut picture = Picture::new(size.x as usize, size.y as usize, VOID);
    let layer = match options.backdrop {
        Backdrop::Land => Layer::Visibility,
        Backdrop::Layer(layer) => layer,
    };
    if let Some(painter) = DataPainter::new(scene, layer, options) {
        picture.for_rows(options.zoom.side(), |row, pixels| painter.paint_row(row as i32, pixels));
    }
    if options.is_stretched() { picture.stretched(options.picture_size()) } else { picture }
}

struct DataPainter<'a> {
    scene: &'a Scene,
    options: &'a PaintOptions,
    layer: Layer,
    values: Grid<f32>,
    ramp: LayerRamp,
    /// The upper left cell of the values.
    top_left: IVec2,
    world: Option<&'a World>,
    side: usize,
}

impl<'a> DataPainter<'a> {
    /// Returns `None` if the scene lacks the layer.
    fn new(scene: &'a Scene, layer: Layer, options: &'a PaintOptions) -> Option<Self> {
        let values = scene.layer(layer, options.frame).ok()?;
        let world = scene.world().map(|world| &**world);
        let ramp = layer_ramp(layer, scene.preset().paint.ramp, world, options.layer_range);
        let top_left = options.frame.min.max(IVec2::ZERO);
        Some(Self { scene, options, layer, values, ramp, top_left, world, side: options.zoom.side() })
    }

    /// Paints a row of cells into its rows of pixels.
    fn paint_row(&self, row: i32, pixels: &mut [u8]) {
        let (side, frame, stride) = (self.side, self.options.frame, self.options.zoom.stride());
        let columns = pixels.len() / (4 * side * side);
        let width = columns * side * 4;
        for column in 0..columns {
            let cell = frame.min + ivec2(column as i32, row) * stride;
            if !CellRect::of_size(self.scene.size()).contains(cell) {
                continue;
            }
            let colour = self.colour(cell);
            for (line, out) in pixels.chunks_exact_mut(width).enumerate() {
                for (x, out) in out[column * side * 4..][..side * 4].chunks_exact_mut(4).enumerate() {
                    let is_line = colour.is_none() && (x + line) % 4 == 0;
                    let colour = if is_line { NO_DATA_LINE } else { colour.unwrap_or(NO_DATA) };
                    out.copy_from_slice(&pixel(colour));
                }
            }
            self.paint_lines(cell, |x, y| y * width + (column * side + x) * 4, pixels);
        }
    }

    /// Returns the colour of a cell of the map; `None` for nodata.
    fn colour(&self, cell: IVec2) -> Option<Colour> {
        let value = self.values.get(cell - self.top_left).copied().filter(|value| !value.is_nan())?;
        let is_of_sight = matches!(self.layer, Layer::Visibility | Layer::Perceived);
        if is_of_sight && !self.scene.terrain().has_data(cell) {
            return None;
        }
        if is_of_sight && value <= 0.0 {
            return Some(match self.scene.terrain() {
                Terrain::Map(map) => mix(HIDDEN, WALL, map.grid()[cell]),
                Terrain::World(_) => HIDDEN,
            });
        }
        Some(self.ramp.at(value))
    }

    /// Paints contours along the sides to less well perceived neighbours, and coasts.
    fn paint_lines(&self, cell: IVec2, at: impl Fn(usize, usize) -> usize, pixels: &mut [u8]) {
        if self.side < MIN_SIDE_WITH_LINES {
            return;
        }
        let sense = self.scene.sense(cell);
        let has_contour = self.scene.preset().paint.contours && sense != Recognition::Hidden;
        let contour = if sense == Recognition::Identified { IDENTIFY_LINE } else { GLIMPSE_LINE };
        let map = CellRect::of_size(self.scene.size());
        let last = self.side - 1;
        for (step, (is_horizontal, edge)) in STEPS.into_iter().zip([(true, 0), (true, last), (false, 0), (false, last)])
        {
            let is_edge = has_contour && map.contains(cell + step) && self.scene.sense(cell + step) < sense;
            let coast = || self.is_coast(cell, step).then_some(COAST);
            let Some(colour) = is_edge.then_some(contour).or_else(coast) else { continue };
            for i in 0..self.side {
                let start = if is_horizontal { at(i, edge) } else { at(edge, i) };
                pixels[start..start + 4].copy_from_slice(&pixel(colour));
            }
        }
    }

    /// Returns `true` for the side of a land cell towards sea or lake. Elevation and biomes show coasts by their
    /// colours.
    fn is_coast(&self, cell: IVec2, step: IVec2) -> bool {
        let Some(world) = self.world else { return false };
        let is_open_water =
            |cell: IVec2| world.water().get(cell).map(|water| matches!(water, Water::Sea | Water::Lake));
        self.layer.is_of_world()
            && !matches!(self.layer, Layer::Elevation | Layer::Biome)
            && is_open_water(cell) == Some(false)
            && is_open_water(cell + step) == Some(true)
    }
}

/// The steps to the four neighbours.
const STEPS: [IVec2; 4] = [ivec2(0, -1), ivec2(0, 1), ivec2(-1, 0), ivec2(1, 0)];

/// Returns the rounded limits of the values in a part of a scene, for layers whose values usually fill a small part of
/// their range: temperature and opacity, without walls and values above the 95th percentile. Returns `None` for other
/// layers, and without values.
pub fn local_range(scene: &Scene, layer: Layer, frame: CellRect) -> Option<[f32; 2]> {
    if !matches!(layer, Layer::Temperature | Layer::Opacity) {
        return None;
    }
    let values = scene.layer(layer, frame).ok()?;
    let mut known: Vec<f32> = values.as_slice().iter().copied().filter(|value| !value.is_nan()).collect();
    if layer == Layer::Opacity {
        known.retain(|&opacity| opacity < OPAQUE); // walls and hills are the brightest anyway
        known.sort_unstable_by(f32::total_cmp);
        let high = known.get(known.len() * 95 / 100).copied().unwrap_or(1.0);
        return Some([0.0, round_share(high)]);
    }
    let [low, high] = known.into_iter().map(|value| [value; 2]).reduce(|[a, b], [c, d]| [a.min(c), b.max(d)])?;
    Some(round_range([low, high]))
}

/// The minimum opacity of a wall.
const OPAQUE: f32 = 0.95;

/// Rounds a fraction up to 1, 2 or 5 times a power of ten, at most 1.
fn round_share(share: f32) -> f32 {
    let steps = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];
    steps.into_iter().find(|step| *step >= share).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::options::Zoom;
    use crate::preset::Preset;
    use farsight::Job;

    fn scene() -> Scene {
        let mut preset = Preset::shipped_default();
        (preset.world.width, preset.world.height) = (96, 80);
        Scene::generate(preset, None, Job::none()).unwrap()
    }

    #[test]
    fn temperature_and_opacity_are_stretched_to_the_values_shown() {
        let scene = scene();
        let whole = CellRect::of_size(scene.size());
        let [low, high] = local_range(&scene, Layer::Temperature, whole).unwrap();
        let values = scene.layer(Layer::Temperature, whole).unwrap();
        assert!(values.as_slice().iter().all(|value| (low..=high).contains(value)) && high > low);
        let [low, high] = local_range(&scene, Layer::Opacity, whole).unwrap();
        assert!(low == 0.0 && high < 1.0, "walls do not count: {high}");
        assert_eq!(local_range(&scene, Layer::Humidity, whole), None);
        assert_eq!([0.0, 0.03, 0.5, 0.7].map(round_share), [0.001, 0.05, 0.5, 1.0]);
    }

    #[test]
    fn every_square_has_the_colour_of_its_value() {
        let scene = scene();
        let frame = CellRect::of_size(scene.size());
        for layer in [Layer::Visibility, Layer::Humidity, Layer::Vegetation, Layer::Temperature, Layer::Biome] {
            let options = PaintOptions::new(frame, Zoom::PixelsPerCell(5)).with_backdrop(Backdrop::Layer(layer));
            let picture = paint_data(&scene, &options);
            let values = scene.layer(layer, frame).unwrap();
            let ramp = layer_ramp(layer, scene.preset().paint.ramp, scene.world().map(|world| &**world), None);
            for (cell, &value) in values.iter() {
                let hidden = layer == Layer::Visibility && value <= 0.0;
                let expected = pixel(if hidden { HIDDEN } else { ramp.at(value) });
                for (x, y) in [(1, 1), (2, 2), (3, 1)] {
                    let got = picture.get(cell.x as usize * 5 + x, cell.y as usize * 5 + y);
                    assert_eq!(got.unwrap(), expected[..3], "{layer:?} {cell}");
                }
            }
        }
    }
}
