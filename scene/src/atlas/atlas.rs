//! [`Atlas`]: a complete atlas and its output.

use glam::IVec2;

use super::cells::{Cells, Lattice};
use super::error::AtlasError;
use super::plan::{AtlasHeader, AtlasPlan};
use super::summary::{AtlasCell, AtlasLayer};
use crate::export::check_scale;
use crate::files::{ContentKind, Georeference, MAX_CELLS, OutputFormat, PlacedPicture, Product, Provenance, Raster};
use crate::paint::{FieldPicture, Picture, paint_field};
use crate::preset::Preset;
use crate::scene::{Scene, SceneError};
use farsight::Job;
use farsight::grid::{CellSize, Grid};

/// The maximum of a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LayerMaximum {
    /// The value, in the unit of the layer.
    pub value: f32,
    /// The maximum on the ground and its unit: an area in km² or a distance in km, using the cell size at each viewer. `None` for a
    /// fraction, and on maps of walls.
    pub on_ground: Option<(f64, &'static str)>,
}

impl LayerMaximum {
    /// Updates the maximum with the value of a viewer.
    pub(super) fn add(&mut self, header: &AtlasHeader, layer: AtlasLayer, viewer: IVec2, seen: &AtlasCell) {
        let value = header.value(layer, viewer, seen);
        self.value = self.value.max(value);
        if let Some((value, unit)) = header.on_ground(layer, viewer, value) {
            self.on_ground = Some((self.on_ground.map_or(value, |(before, _)| value.max(before)), unit));
        }
    }
}

/// Summaries of the views from the cells of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Atlas {
    header: AtlasHeader,
    seen: Vec<AtlasCell>,
}

impl Atlas {
    /// Computes the atlas of a scene.
    ///
    /// # Errors
    /// [`AtlasError`], also when the `job` is cancelled.
    pub fn compute(plan: &AtlasPlan, scene: &Scene, job: Job<'_>) -> Result<Self, AtlasError> {
        let mut seen = Vec::new();
        plan.survey(scene, 0, job, |block| {
            seen.extend_from_slice(block);
            Ok::<(), AtlasError>(())
        })?;
        Self::new(plan, seen)
    }

    /// Creates an atlas from the cells of a survey.
    ///
    /// # Errors
    /// [`AtlasError`] if cells are missing, or the output would exceed the maximum number of cells of a map.
    pub fn new(plan: &AtlasPlan, seen: Vec<AtlasCell>) -> Result<Self, AtlasError> {
        Self::of_cells(plan.header.clone(), seen)
    }

    pub(super) fn of_cells(header: AtlasHeader, seen: Vec<AtlasCell>) -> Result<Self, AtlasError> {
        match (header.written_cells(), seen.len(), header.viewers()) {
            (cells, ..) if cells > MAX_CELLS => Err(AtlasError::TooLarge(cells)),
            (_, done, all) if done != all => Err(AtlasError::Incomplete { done, all }),
            _ => Ok(Self { header, seen }),
        }
    }

    /// Returns the columns and rows of the map.
    pub fn size(&self) -> IVec2 {
        self.header.size
    }

    /// Iterates over the viewers and their summaries, in row order.
    pub fn iter(&self) -> impl Iterator<Item = (IVec2, &AtlasCell)> {
        let AtlasHeader { cells, size, .. } = &self.header;
        self.seen.iter().enumerate().map(|(i, seen)| (cells.cell(*size, i), seen))
    }

    fn lattice(&self) -> Lattice {
        self.header.lattice()
    }

    /// Returns columns and rows of the output: those of the map, or, if the map has more than
    /// [`MAX_CELLS`](crate::files::MAX_CELLS), one for each column and row of viewers.
    pub fn written_size(&self) -> IVec2 {
        self.lattice().size
    }

    /// Returns a layer for the whole map, or for the cells of [`written_size`](Self::written_size); NaN for cells
    /// without a view.
    pub fn values(&self, layer: AtlasLayer) -> Grid<f32> {
        let Lattice { first, step, size } = self.lattice();
        let [width, height] = size.to_array().map(|side| side as usize);
        let mut values = Grid::new(width, height, f32::NAN);
        for (cell, seen) in self.iter() {
            if let Some(value) = values.get_mut((cell - first) / step) {
                *value = self.header.written_value(layer, cell, seen);
            }
        }
        values
    }

    /// Returns the maximum of a layer.
    pub fn maximum(&self, layer: AtlasLayer) -> LayerMaximum {
        let mut maximum = LayerMaximum::default();
        self.iter().for_each(|(viewer, seen)| maximum.add(&self.header, layer, viewer, seen));
        maximum
    }

    /// Returns `true` if the atlas has a view from every cell of the map.
    pub fn is_whole(&self) -> bool {
        self.seen.len() as u64 == self.size().as_u64vec2().element_product()
    }

    /// Returns a layer as values, for any format. The viewer of the raster is off the map.
    pub fn raster(&self, layer: AtlasLayer) -> Raster {
        let mut raster = self.header.raster(layer, self.values(layer));
        raster.range = [0.0, self.maximum(layer).value.max(f32::MIN_POSITIVE)];
        raster
    }

    /// Paints a layer, with a legend if the preset has one. `scale` is in pixels per cell.
    ///
    /// # Errors
    /// [`SceneError::PictureTooLarge`] if the scale gives too many pixels.
    pub fn picture(&self, layer: AtlasLayer, scale: Option<u32>) -> Result<Picture, SceneError> {
        check_scale(self.written_size(), scale)?;
        // The preset is valid unless the file was changed by hand; then the default paint is used.
        let paint = Preset::from_toml(&self.header.provenance.preset, "atlas").unwrap_or_default().paint;
        let LayerMaximum { value: high, on_ground } = self.maximum(layer);
        let on_ground = match on_ground {
            Some((kilometres, unit)) => format!(" ({kilometres:.2} {unit})"),
            None => String::new(),
        };
        let words = match layer {
            AtlasLayer::TotalVisibility => format!("total visibility, 0 to {high:.0} cells{on_ground}"),
            AtlasLayer::Identified => format!("share identified, 0 to {high:.3}"),
            AtlasLayer::Farthest => format!("farthest cell seen, 0 to {high:.1} cells{on_ground}"),
        };
        Ok(paint_field(&FieldPicture {
            values: &self.values(layer),
            step: match self.header.cells {
                Cells::Every(step) if self.lattice().step == 1 => step,
                _ => 1,
            },
            low: 0.0,
            high,
            bar_steps: 0,
            ramp: paint.ramp,
            legend: paint.legend.then_some((self.title().as_str(), words.as_str())),
            cell_width_m: self.header.cell_width_m(),
            scale,
        }))
    }

    /// Returns the product of a layer for a format: values, or a picture with a scale in pixels per cell.
    ///
    /// # Errors
    /// As [`picture`](Self::picture).
    pub fn product(
        &self,
        layer: AtlasLayer,
        format: impl Into<OutputFormat>,
        scale: Option<u32>,
    ) -> Result<Product<'static>, SceneError> {
        let raster = self.raster(layer);
        match format.into().takes(ContentKind::Picture) {
            true => Ok(PlacedPicture::of_raster(self.picture(layer, scale)?, &raster, scale).into()),
            false => Ok(raster.into()),
        }
    }

    /// Returns the provenance of a layer.
    pub fn provenance(&self, layer: AtlasLayer) -> Provenance {
        self.header.provenance_of(layer)
    }

    fn title(&self) -> String {
        let Provenance { map, seed, more, .. } = &self.header.provenance;
        let cells = match &self.header.cells {
            Cells::Every(1) => "every cell".to_owned(),
            Cells::Every(step) => format!("one cell in {step} each way"),
            Cells::List(cells) if cells.len() == 1 => "1 cell".to_owned(),
            Cells::List(cells) => format!("{} cells", cells.len()),
        };
        let name = more.get("name").and_then(|name| name.as_str()).unwrap_or_default();
        match map {
            Some(map) => format!("{}  atlas of {cells}", map.name),
            None => format!("{name}  seed {seed}  atlas of {cells}"),
        }
    }
}

impl AtlasHeader {
    pub(super) fn lattice(&self) -> Lattice {
        self.cells.lattice(self.size)
    }

    /// Returns the sides of a cell, 1 if they are unknown.
    fn cell_size(&self, viewer: IVec2, unknown: f64) -> CellSize {
        self.cell_sizes.map_or(CellSize::square(unknown), |sizes| sizes.at_row(viewer.y.into()))
    }

    /// Returns the width in metres of a cell of the output in its middle row.
    fn cell_width_m(&self) -> Option<f64> {
        let Lattice { first, step, size, .. } = self.lattice();
        let middle = first + step * (size - 1) / 2;
        Some(self.cell_size(middle, self.cell_size_m?).x_m * f64::from(step))
    }

    pub(super) fn value(&self, layer: AtlasLayer, viewer: IVec2, seen: &AtlasCell) -> f32 {
        layer.value_on(self.cell_size(viewer, 1.0), viewer, seen)
    }

    /// Returns the value of a viewer in files: NaN on nodata. Elsewhere the total is at least 1, because of the
    /// viewer's own cell.
    pub(super) fn written_value(&self, layer: AtlasLayer, viewer: IVec2, seen: &AtlasCell) -> f32 {
        if seen.total_visibility > 0.0 { self.value(layer, viewer, seen) } else { f32::NAN }
    }

    /// Returns a value on the ground: an area in km² or a distance in km, by the sides of the cells at the viewer, and
    /// its unit. `None` for a fraction, and on maps of walls.
    pub(super) fn on_ground(&self, layer: AtlasLayer, viewer: IVec2, value: f32) -> Option<(f64, &'static str)> {
        let size = self.cell_size(viewer, self.cell_size_m?);
        match layer {
            AtlasLayer::TotalVisibility => Some((f64::from(value) * (size.x_m * size.y_m / 1e6), "km²")),
            AtlasLayer::Farthest => Some((f64::from(value) * (size.shorter_m() / 1000.0), "km")),
            AtlasLayer::Identified => None,
        }
    }

    /// Returns the values of a layer with their metadata. The viewer is off the map.
    pub(super) fn raster(&self, layer: AtlasLayer, values: Grid<f32>) -> Raster {
        let Lattice { first, step, .. } = self.lattice();
        let mut raster = Raster::new(layer.name(), values, first, IVec2::NEG_ONE, self.provenance_of(layer));
        raster.cell_size_m = self.cell_size_m.map(|side| side * f64::from(step));
        raster.georeference = self.georeference();
        raster
    }

    fn provenance_of(&self, layer: AtlasLayer) -> Provenance {
        Provenance { layer: layer.name().into(), ..self.provenance.clone() }
    }

    /// Returns the georeference of the output. A viewer is at the centre of its cell.
    fn georeference(&self) -> Option<Georeference> {
        let Lattice { first, step, .. } = self.lattice();
        let place = self.provenance.map.as_ref()?.georeference()?.at(first);
        if step == 1 {
            return Some(place);
        }
        let Georeference { corner: [east, north], cell: [width, height], keys } = place;
        let (step, back) = (f64::from(step), 0.5 - 0.5 * f64::from(step));
        let corner = [east + back * width, north - back * height];
        Some(Georeference { corner, cell: [step * width, step * height], keys })
    }
}
