//! [`Atlas`]: a complete atlas and its output.

use std::io::Write;

use glam::IVec2;

use super::cell::{AtlasCell, AtlasLayer};
use super::cells::Cells;
use super::plan::AtlasHeader;
use crate::export::check_scale;
use crate::files::{Format, Georeference, Provenance, Raster, WriteError, write_picture};
use crate::grid::Grid;
use crate::paint::{FieldPicture, Picture, Zoom, paint_field};
use crate::preset::Preset;
use crate::scene::SceneError;

/// Summaries of the views from the cells of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Atlas {
    pub(super) header: AtlasHeader,
    pub(super) seen: Vec<AtlasCell>,
}

impl Atlas {
    /// Returns the columns and rows of the map.
    pub fn size(&self) -> IVec2 {
        self.header.size
    }

    /// Iterates over the viewers and their summaries, in row order.
    pub fn iter(&self) -> impl Iterator<Item = (IVec2, &AtlasCell)> {
        let AtlasHeader { cells, size, .. } = &self.header;
        self.seen.iter().enumerate().map(|(i, seen)| (cells.cell(*size, i), seen))
    }

    /// Returns a layer for the whole map; NaN where no view was computed.
    pub fn values(&self, layer: AtlasLayer) -> Grid<f32> {
        let [width, height] = self.size().to_array().map(|side| side as usize);
        let mut values = Grid::new(width, height, f32::NAN);
        for (cell, seen) in self.iter() {
            // The total is at least 1, for the own cell, except on ground without data.
            if let Some(value) = values.get_mut(cell).filter(|_| seen.total_visibility > 0.0) {
                *value = layer.value(cell, seen);
            }
        }
        values
    }

    /// Returns the greatest value of a layer.
    pub fn max_value(&self, layer: AtlasLayer) -> f32 {
        self.iter().map(|(cell, seen)| layer.value(cell, seen)).fold(0.0, f32::max)
    }

    /// Returns `true` if the atlas has a view from every cell of the map.
    pub fn is_whole(&self) -> bool {
        self.seen.len() == self.size().element_product() as usize
    }

    /// Returns a layer as values, for any format. The viewer of the gradient is off the map.
    pub fn gradient(&self, layer: AtlasLayer) -> Raster {
        let mut gradient =
            Raster::new(layer.name(), self.values(layer), IVec2::ZERO, IVec2::NEG_ONE, self.provenance(layer));
        gradient.cell_size_m = self.header.cell_size_m;
        gradient.georeference = self.georeference().cloned();
        gradient.range = [0.0, self.max_value(layer).max(f32::MIN_POSITIVE)];
        gradient
    }

    /// Paints a layer, with a legend if the preset has one. `scale` is in pixels a cell.
    ///
    /// # Errors
    /// [`SceneError::PictureTooLarge`] for a scale that gives too many pixels.
    pub fn picture(&self, layer: AtlasLayer, scale: Option<u32>) -> Result<Picture, SceneError> {
        check_scale(self.size(), scale)?;
        // The preset is valid unless the file was changed by hand; then the default paint is used.
        let paint = Preset::from_toml(&self.header.provenance.preset, "atlas").unwrap_or_default().paint;
        let high = self.max_value(layer);
        let words = match layer {
            AtlasLayer::TotalVisibility => format!("total visibility, 0 to {high:.0} cells"),
            AtlasLayer::Identified => format!("share identified, 0 to {high:.3}"),
            AtlasLayer::Farthest => format!("farthest cell seen, 0 to {high:.1} cells"),
        };
        Ok(paint_field(&FieldPicture {
            values: &self.values(layer),
            step: if let Cells::Every(step) = self.header.cells { step } else { 1 },
            high,
            ramp: paint.ramp,
            legend: paint.legend.then_some((self.title().as_str(), words.as_str())),
            cell_size_m: self.header.cell_size_m,
            scale,
        }))
    }

    /// Writes a layer. The bytes are the same whether the atlas was computed at once or in parts.
    ///
    /// # Errors
    /// [`WriteError`], also for .txt where it has no character for a value.
    pub fn write(
        &self,
        layer: AtlasLayer,
        format: Format,
        scale: Option<u32>,
        out: &mut dyn Write,
    ) -> Result<(), WriteError> {
        if format != Format::Png {
            return self.gradient(layer).write(format, out);
        }
        let picture = self.picture(layer, scale).map_err(|error| WriteError::Encode(error.to_string()))?;
        let [width, height] = [picture.width(), picture.height()].map(|side| side as u32);
        write_picture(out, width, height, picture.rgba(), Some(&self.provenance(layer)))
    }

    /// Returns the provenance of a layer.
    pub fn provenance(&self, layer: AtlasLayer) -> Provenance {
        Provenance { layer: layer.name().into(), ..self.header.provenance.clone() }
    }

    /// Returns the text of the world file next to a picture of a layer, if the map is georeferenced; see
    /// [`Georeference::world_file`].
    pub fn world_file(&self, format: Format, scale: Option<u32>) -> Option<String> {
        let place = self.georeference().filter(|_| format == Format::Png)?;
        Some(place.drawn(Zoom::of_map(self.size(), scale).pixels_per_cell()).world_file())
    }

    fn georeference(&self) -> Option<&Georeference> {
        self.header.provenance.map.as_ref()?.georeference()
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
