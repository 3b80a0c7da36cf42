//! [`Gradient`]: what is exported, whatever the format.

use std::io::Write;

use glam::{IVec2, ivec2};

use super::error::WriteError;
use super::format::Format;
use super::georeference::{GeoKeys, Georeference};
use super::png_write::Depth;
use super::provenance::Provenance;
use crate::grid::Grid;

/// One layer of a scene, ready to be written: a rectangle of values, and where it lies.
///
/// Fields beyond [`new`](Gradient::new)'s are set after it. A value that is NaN is a cell without data: an
/// empty field of a table, `null` in JSON, NaN in NumPy, [`nodata`](Gradient::nodata) in an ASCII grid and a
/// GeoTIFF file.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    /// What the values are, in one word: `visibility`, `opacity`, `elevation`; the name of the table's column.
    pub layer: String,
    /// The values, row after row from the top.
    pub values: Grid<f32>,
    /// The map cell of the upper left value.
    pub origin: IVec2,
    /// The map cell that the viewer stands on; it may lie outside the rectangle.
    pub viewer: IVec2,
    /// A word for every cell, for the formats that have room for it.
    pub labels: Option<Labels>,
    /// Side of a cell in metres, if the map knows.
    pub cell_size_m: Option<f64>,
    /// Where the rectangle lies on the earth, if the map knows.
    pub georeference: Option<Georeference>,
    /// The number that stands for a cell without data in an ASCII grid and a GeoTIFF file.
    pub nodata: f32,
    /// The values that are black and white in a grey picture.
    pub range: [f32; 2],
    /// Which scene this is.
    pub provenance: Provenance,
}

/// A word for every cell: `visible`, `seen` or `hidden`; the name of its biome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// What the words are, in one word; the name of the table's column.
    pub column: String,
    /// The words.
    pub names: Vec<String>,
    /// For every cell the place of its word in `names`. The same size as the values.
    pub cells: Grid<u8>,
}

impl Gradient {
    /// The number that usually stands for a cell without data.
    pub const NODATA: f32 = -9999.0;

    /// Opacities and visibilities as they are.
    pub const UNIT_RANGE: [f32; 2] = [0.0, 1.0];

    /// A layer of values in [0, 1] without labels or a size in metres.
    pub fn new(
        layer: impl Into<String>,
        values: Grid<f32>,
        origin: IVec2,
        viewer: IVec2,
        provenance: Provenance,
    ) -> Self {
        Self {
            layer: layer.into(),
            values,
            origin,
            viewer,
            labels: None,
            cell_size_m: None,
            georeference: None,
            nodata: Self::NODATA,
            range: Self::UNIT_RANGE,
            provenance,
        }
    }

    /// Writes the layer in a format; a picture is grey with eight bits, see [`write_grey_png`](Self::write_grey_png).
    /// The same layer gives the same bytes, always.
    ///
    /// # Errors
    /// [`WriteError`] if the format has no way to say a value, or the writer fails.
    pub fn write(&self, format: Format, out: impl Write) -> Result<(), WriteError> {
        match format {
            Format::Txt => self.write_txt(out),
            Format::Npy => self.write_npy(out),
            Format::Csv => self.write_csv(out),
            Format::Png => self.write_grey_png(out, Depth::Eight),
            Format::Json => self.write_json(out),
            Format::Asc => self.write_asc(out),
            Format::Tif => self.write_tif(out),
        }
    }

    /// The bytes of the file that [`write`](Self::write) makes.
    ///
    /// # Errors
    /// [`WriteError`] if the format has no way to say a value.
    pub fn encode(&self, format: Format) -> Result<Vec<u8>, WriteError> {
        let mut bytes = Vec::new();
        self.write(format, &mut bytes)?;
        Ok(bytes)
    }

    /// Where the rectangle lies, on the earth or else on a plane of its own: the upper left corner of the map's cell
    /// 0,0 is its middle, and a cell without a size in metres counts as 1.
    pub(super) fn place(&self) -> Georeference {
        let plane = || {
            let cell = self.cell_size_m.unwrap_or(1.0);
            Georeference { corner: [0.0, 0.0], cell: [cell; 2], keys: GeoKeys::default() }.at(self.origin)
        };
        self.georeference.clone().unwrap_or_else(plane)
    }

    /// What every writer asks for: at least one cell, and labels that fit.
    pub(super) fn check(&self) -> Result<(), WriteError> {
        if self.values.as_slice().is_empty() {
            return Err(WriteError::Empty);
        }
        let Some(labels) = &self.labels else { return Ok(()) };
        let fault = |fault| Err(WriteError::Labels { column: labels.column.clone(), fault });
        if labels.cells.size() != self.values.size() {
            let (size, wanted) = (labels.cells.size(), self.values.size());
            return fault(format!("{}x{} labels for {}x{} values", size.x, size.y, wanted.x, wanted.y));
        }
        match labels.cells.as_slice().iter().find(|&&name| usize::from(name) >= labels.names.len()) {
            Some(name) => fault(format!("label {name} of {}", labels.names.len())),
            None => Ok(()),
        }
    }

    /// What a format asks for that knows only values from 0 to 1.
    pub(super) fn check_unit_range(&self, format: Format) -> Result<(), WriteError> {
        match self.values.iter().find(|(_, value)| !(0.0..=1.0).contains(*value)) {
            Some((cell, &value)) => {
                Err(WriteError::Value { format, layer: self.layer.clone(), cell: self.origin + cell, value })
            }
            None => Ok(()),
        }
    }

    /// The word of a value in row `y` at `x`, if there are words.
    pub(super) fn label(&self, x: usize, y: usize) -> Option<&str> {
        let labels = self.labels.as_ref()?;
        let name = labels.cells.get(ivec2(x as i32, y as i32))?;
        labels.names.get(usize::from(*name)).map(String::as_str)
    }
}
