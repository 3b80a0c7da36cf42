//! [`LayerPainter`]: a layer in its colours, with what people need to find their way on it.

use glam::{IVec2, ivec2};

use super::colour::{Colour, mix, scale};
use super::land::hillshade;
use super::options::{Annotations, PaintOptions};
use super::ramp::{LayerRamp, layer_ramp, round_range};
use crate::grid::{CellRect, Grid};
use crate::scene::{Layer, Scene};
use crate::world::{Water, World};

const RIVER: Colour = [60.0, 116.0, 196.0];
/// Lines over lakes and seas, whatever their value.
const WATER_HATCHING: Colour = [30.0, 84.0, 150.0];
const COAST: Colour = [16.0, 34.0, 66.0];

/// Paints the cells of a layer.
pub(super) struct LayerPainter<'a> {
    layer: Layer,
    values: Grid<f32>,
    ramp: LayerRamp,
    /// The upper left cell of the values.
    top_left: IVec2,
    is_annotated: bool,
    /// The world, if the layer is annotated and there is one.
    world: Option<&'a World>,
}

/// The colour of a cell and the lines on it.
pub(super) struct LayerCell {
    pub(super) ground: Colour,
    /// The colour of hatching, on water.
    pub(super) hatching: Option<Colour>,
}

impl<'a> LayerPainter<'a> {
    /// Returns `None` if the scene lacks the layer.
    pub(super) fn new(scene: &'a Scene, layer: Layer, options: &PaintOptions) -> Option<Self> {
        let values = scene.layer(layer, options.frame).ok()?;
        let world = scene.world().map(|world| &**world);
        let ramp = layer_ramp(layer, scene.preset().paint.ramp, world, options.layer_range);
        let is_annotated = options.annotations == Annotations::Screen;
        let top_left = options.frame.min.max(IVec2::ZERO);
        Some(Self { layer, values, ramp, top_left, is_annotated, world: world.filter(|_| is_annotated) })
    }

    /// Returns the look of a cell; `missing` is the colour where there is no value.
    pub(super) fn cell(&self, cell: IVec2, missing: Colour) -> LayerCell {
        let value = self.values.get(cell - self.top_left).copied().filter(|value| !value.is_nan());
        let Some(value) = value else { return LayerCell { ground: missing, hatching: None } };
        let colour = self.ramp.at(value);
        let plain = LayerCell { ground: colour, hatching: None };
        let Some(world) = self.world else { return plain };
        let shows_water = matches!(self.layer, Layer::Elevation | Layer::Biome);
        match world.water()[cell] {
            Water::River if self.layer != Layer::Biome => LayerCell { ground: mix(colour, RIVER, 0.7), hatching: None },
            Water::Sea | Water::Lake if !shows_water => {
                LayerCell { ground: colour, hatching: Some(mix(colour, WATER_HATCHING, 0.8)) }
            }
            Water::None if shows_water => LayerCell { ground: scale(colour, hillshade(world, cell)), hatching: None },
            _ => plain,
        }
    }

    /// Returns the colour of the coast on the side of a cell towards a step: between land and sea or lake.
    pub(super) fn coast(&self, cell: IVec2, step: IVec2) -> Option<Colour> {
        let world = self.world?;
        let is_open_water = |cell: IVec2| {
            let water = *world.water().get(cell)?;
            Some(matches!(water, Water::Sea | Water::Lake))
        };
        (!is_open_water(cell)? && is_open_water(cell + step)?).then_some(COAST)
    }

    /// Returns `true` if coasts and contours of sight are painted.
    pub(super) fn is_annotated(&self) -> bool {
        self.is_annotated
    }
}

/// The steps to the four neighbours.
pub(super) const STEPS: [IVec2; 4] = [ivec2(0, -1), ivec2(0, 1), ivec2(-1, 0), ivec2(1, 0)];

/// Returns the round ends of the values in a part of a scene, for layers whose values usually fill a small part of their
/// range: temperature and opacity, without walls and the highest twentieth. Returns `None` for other layers, and if there are no values.
pub fn local_range(scene: &Scene, layer: Layer, frame: CellRect) -> Option<[f32; 2]> {
    if !matches!(layer, Layer::Temperature | Layer::Opacity) {
        return None;
    }
    let values = scene.layer(layer, frame).ok()?;
    let mut known: Vec<f32> = values.as_slice().iter().copied().filter(|value| !value.is_nan()).collect();
    if layer == Layer::Opacity {
        known.retain(|&opacity| opacity < WALL); // walls and hills are the brightest anyway
        known.sort_unstable_by(f32::total_cmp);
        let high = known.get(known.len() * 95 / 100).copied().unwrap_or(1.0);
        return Some([0.0, round_share(high)]);
    }
    let [low, high] = known.into_iter().map(|value| [value; 2]).reduce(|[a, b], [c, d]| [a.min(c), b.max(d)])?;
    Some(round_range([low, high]))
}

/// The opacity from which a cell counts as a wall.
const WALL: f32 = 0.95;

/// Returns the least of 1, 2 or 5 times a power of ten that is not below a share, at most 1.
fn round_share(share: f32) -> f32 {
    let steps = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];
    steps.into_iter().find(|step| *step >= share).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Job;
    use crate::paint::options::{Backdrop, Zoom};
    use crate::paint::paint;
    use crate::preset::Preset;

    fn scene() -> Scene {
        let mut preset = Preset::shipped_default();
        (preset.world.width, preset.world.height) = (96, 80);
        Scene::generate(preset, None, Job::quiet()).unwrap()
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
    fn annotations_show_relief_and_water_and_plain_layers_do_not() {
        let scene = scene();
        let frame = CellRect::of_size(scene.size());
        for layer in [Layer::Elevation, Layer::Humidity, Layer::Vegetation, Layer::Temperature] {
            let plain = PaintOptions::new(frame, Zoom::PixelsPerCell(4)).with_backdrop(Backdrop::Layer(layer));
            let annotated = plain.with_annotations(Annotations::Screen);
            let [a, b] = [plain, annotated].map(|options| paint(&scene, &options));
            let differing = a.rgba().chunks(4).zip(b.rgba().chunks(4)).filter(|(a, b)| a != b).count();
            assert!(differing > 500, "{layer:?}: {differing}");
        }
    }
}
