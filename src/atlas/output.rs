//! [`Atlas`]: all cells computed, ready to be written.

use std::io::Write;

use glam::IVec2;

use super::cells::Cells;
use super::look::{AtlasCell, AtlasLayer};
use super::plan::Heading;
use crate::export::check_scale;
use crate::files::{Format, Georeference, Provenance, Raster, WriteError, write_picture};
use crate::grid::Grid;
use crate::paint::{FieldPicture, Picture, paint_field};
use crate::preset::Preset;
use crate::scene::SceneError;

/// How much every cell sees, or the cells that were asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Atlas {
    pub(super) heading: Heading,
    pub(super) seen: Vec<AtlasCell>,
}

impl Atlas {
    /// Columns and rows of the map.
    pub fn size(&self) -> IVec2 {
        self.heading.size
    }

    /// Every viewer with what it sees, row after row.
    pub fn iter(&self) -> impl Iterator<Item = (IVec2, &AtlasCell)> {
        let Heading { cells, size, .. } = &self.heading;
        self.seen.iter().enumerate().map(|(i, seen)| (cells.cell(*size, i), seen))
    }

    /// The values of a layer for the whole map; NaN where no viewer stood, or could stand.
    pub fn values(&self, layer: AtlasLayer) -> Grid<f32> {
        let [width, height] = self.size().to_array().map(|side| side as usize);
        let mut values = Grid::new(width, height, f32::NAN);
        for (cell, seen) in self.iter() {
            // A viewer commands its own cell at least, unless nobody measured the ground there.
            if let Some(value) = values.get_mut(cell).filter(|_| seen.commanded > 0.0) {
                *value = layer.value(cell, seen);
            }
        }
        values
    }

    /// The greatest value of a layer.
    pub fn greatest(&self, layer: AtlasLayer) -> f32 {
        self.iter().map(|(cell, seen)| layer.value(cell, seen)).fold(0.0, f32::max)
    }

    /// Whether a viewer stood on every cell of the map.
    pub fn is_whole(&self) -> bool {
        self.seen.len() == self.size().element_product() as usize
    }

    /// A layer as values, for any format. An atlas has no one viewer: that of the gradient lies off the map.
    pub fn gradient(&self, layer: AtlasLayer) -> Raster {
        let mut gradient =
            Raster::new(layer.name(), self.values(layer), IVec2::ZERO, IVec2::NEG_ONE, self.provenance(layer));
        gradient.cell_size_m = self.heading.cell_size_m;
        gradient.georeference = self.georeference().cloned();
        gradient.range = [0.0, self.greatest(layer).max(f32::MIN_POSITIVE)];
        gradient
    }

    /// A layer painted for people, with a legend if the preset asks for one; `scale` is the pixels a cell.
    ///
    /// # Errors
    /// [`SceneError::PictureTooLarge`] at a scale that asks for too many pixels.
    pub fn picture(&self, layer: AtlasLayer, scale: Option<u32>) -> Result<Picture, SceneError> {
        if let Some(scale) = scale {
            check_scale(self.size(), scale)?;
        }
        // The preset was written by ourselves; if a file was tampered with, it is painted as usual.
        let paint = Preset::from_toml(&self.heading.provenance.preset, "atlas").unwrap_or_default().paint;
        let high = self.greatest(layer);
        let words = match layer {
            AtlasLayer::Commanded => format!("visibility commanded, 0 to {high:.0} cells"),
            AtlasLayer::Identified => format!("share identified, 0 to {high:.3}"),
            AtlasLayer::Farthest => format!("farthest cell seen, 0 to {high:.1} cells"),
        };
        Ok(paint_field(&FieldPicture {
            values: &self.values(layer),
            step: if let Cells::Every(step) = self.heading.cells { step } else { 1 },
            high,
            ramp: paint.ramp,
            legend: paint.legend.then_some((self.title().as_str(), words.as_str())),
            cell_size_m: self.heading.cell_size_m,
            scale,
        }))
    }

    /// Writes a layer; a picture is painted. The same atlas gives the same bytes, whether it was computed at one go or
    /// in parts.
    ///
    /// # Errors
    /// [`WriteError`]; also where .txt has no character for a value.
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

    /// Which scene it is of, and which layer.
    pub fn provenance(&self, layer: AtlasLayer) -> Provenance {
        Provenance { layer: layer.name().into(), ..self.heading.provenance.clone() }
    }

    /// The text of the world file that belongs beside a picture of a layer, if the map knows where it lies; see
    /// [`Georeference::world_file`].
    pub fn world_file(&self, format: Format, scale: Option<u32>) -> Option<String> {
        let place = self.georeference().filter(|_| format == Format::Png)?;
        Some(place.drawn(FieldPicture::zoom_of(self.size(), scale).pixels_per_cell()).world_file())
    }

    fn georeference(&self) -> Option<&Georeference> {
        self.heading.provenance.map.as_ref()?.georeference()
    }

    fn title(&self) -> String {
        let Provenance { map, seed, more, .. } = &self.heading.provenance;
        let cells = match &self.heading.cells {
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
