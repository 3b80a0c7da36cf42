//! [`Raster`]: a layer of a scene, for any format.

use glam::IVec2;

use super::error::WriteError;
use crate::files::format::Format;
use crate::files::geo_keys::GeoKeys;
use crate::files::georeference::Georeference;
use crate::files::picture_heights::HeightEncoding;
use crate::files::provenance::Provenance;
use farsight::grid::Grid;

/// A layer of a scene for any format: a rectangle of values, and its position.
///
/// [`new`](Raster::new) sets the first fields; the others are optional. NaN is a nodata cell: an empty field of a
/// table, `null` in JSON, NaN in NumPy, [`nodata`](Raster::nodata) in an ASCII grid and a GeoTIFF file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Raster {
    /// The name of the layer: `visibility`, `opacity`, `elevation`. It names the column of a table.
    pub layer: String,
    /// The values, row-major from the top.
    pub values: Grid<f32>,
    /// The map cell of the upper left value.
    pub top_left: IVec2,
    /// The map cell of the viewer; it may be outside the rectangle.
    pub viewer: IVec2,
    /// The map cells of doors: a text map draws them as `+` and `'` where they are 1 and 0.
    pub doors: Vec<IVec2>,
    /// The cells under a roof, of the same size as the values: a text map draws them as `_` where they are 0.
    pub roofs: Option<Grid<bool>>,
    /// A label for every cell, in formats that support labels.
    pub labels: Option<Labels>,
    /// Side of a cell in metres, if it is known.
    pub cell_size_m: Option<f64>,
    /// The georeference, if it is known.
    pub georeference: Option<Georeference>,
    /// The nodata value of an ASCII grid and of a GeoTIFF file of [`NumberType::Float32`].
    pub nodata: f32,
    /// The number type of a GeoTIFF file.
    pub number_type: NumberType,
    /// The colour table of a GeoTIFF file of [`NumberType::Byte`], red, green and blue: of 0, of 1 and so on. No table
    /// is written if it is empty.
    pub palette: Vec<[u8; 3]>,
    /// The layout of a GeoTIFF file.
    pub tif_layout: TifLayout,
    /// The unit of the values in a GeoTIFF file: `m`, `degrees`, or an empty text.
    pub unit: &'static str,
    /// The values of black and white in a grey picture.
    pub range: [f32; 2],
    /// The pixel format of a picture.
    pub pixels: PixelEncoding,
    /// The scene.
    pub provenance: Provenance,
}

/// A label for every cell: `visible`, `seen` or `hidden`; or the name of its biome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// The name of the column of a table.
    pub column: String,
    /// The labels.
    pub names: Vec<String>,
    /// The index of the label in `names` for every cell; of the same size as the values.
    pub cells: Grid<u8>,
}

/// The number type of a GeoTIFF file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NumberType {
    /// Floating-point numbers of 32 bits.
    #[default]
    Float32,
    /// Whole numbers from 0 to 254; 255 is nodata.
    Byte,
    /// Whole numbers from 0 to 65534; 65535 is nodata.
    UInt16,
}

/// The layout of a GeoTIFF file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TifLayout {
    /// Strips of whole rows.
    #[default]
    Strips,
    /// Tiles of 512 × 512 cells with overviews, each of half the size of the previous one, so that a part can be read
    /// over a network by few requests (Cloud Optimized GeoTIFF). A cell of an overview is the mean of the cells with
    /// data for floating-point numbers, and the upper left one of four for whole numbers.
    CloudOptimized,
}

/// The number of bits of a grey pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// Values are rounded to 1/255 of the range.
    #[default]
    Eight,
    /// Values are rounded to 1/65535 of the range.
    Sixteen,
}

/// The pixel format of a picture of values, one pixel per cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelEncoding {
    /// Brightness over the [`range`](Raster::range).
    Grey(Depth),
    /// Heights as colours.
    Heights(HeightEncoding),
}

impl Raster {
    /// The usual nodata value.
    pub const NODATA: f32 = -9999.0;

    /// The range of opacities and visibilities.
    pub const UNIT_RANGE: [f32; 2] = [0.0, 1.0];

    /// Creates a raster of values in [0, 1] without labels, cell size or georeference.
    pub fn new(
        layer: impl Into<String>,
        values: Grid<f32>,
        top_left: IVec2,
        viewer: IVec2,
        provenance: Provenance,
    ) -> Self {
        Self {
            layer: layer.into(),
            values,
            top_left,
            viewer,
            doors: Vec::new(),
            roofs: None,
            labels: None,
            cell_size_m: None,
            georeference: None,
            nodata: Self::NODATA,
            number_type: NumberType::Float32,
            palette: Vec::new(),
            tif_layout: TifLayout::Strips,
            unit: "",
            range: Self::UNIT_RANGE,
            pixels: PixelEncoding::Grey(Depth::Eight),
            provenance,
        }
    }

    /// Returns the georeference. Without one, the upper left corner of the map's cell 0,0 is the origin of a plane; a
    /// cell without a size in metres has side 1.
    pub(super) fn georeference_or_plane(&self) -> Georeference {
        let plane = || {
            let cell = self.cell_size_m.unwrap_or(1.0);
            Georeference { corner: [0.0, 0.0], cell: [cell; 2], keys: GeoKeys::default() }.at(self.top_left)
        };
        self.georeference.clone().unwrap_or_else(plane)
    }

    /// Checks that there are cells, and that the labels match the values.
    pub(super) fn check(&self) -> Result<(), WriteError> {
        if self.values.as_slice().is_empty() {
            return Err(WriteError::Empty);
        }
        let Some(labels) = &self.labels else { return Ok(()) };
        let fault = |fault| Err(WriteError::Labels { column: labels.column.clone(), fault });
        if labels.cells.size() != self.values.size() {
            let (size, expected) = (labels.cells.size(), self.values.size());
            return fault(format!("{}x{} labels for {}x{} values", size.x, size.y, expected.x, expected.y));
        }
        match labels.cells.as_slice().iter().find(|&&name| usize::from(name) >= labels.names.len()) {
            Some(name) => fault(format!("label {name} of {}", labels.names.len())),
            None => Ok(()),
        }
    }

    /// Checks that all values are from 0 to 1, for a format without other values.
    pub(super) fn check_unit_range(&self, format: Format) -> Result<(), WriteError> {
        match self.values.iter().find(|(_, value)| !(0.0..=1.0).contains(*value)) {
            Some((cell, &value)) => {
                Err(WriteError::Value { format, layer: self.layer.clone(), cell: self.top_left + cell, value })
            }
            None => Ok(()),
        }
    }

    /// Returns the label of the value at a cell of the rectangle.
    pub(super) fn label(&self, cell: IVec2) -> Option<&str> {
        let labels = self.labels.as_ref()?;
        labels.names.get(usize::from(*labels.cells.get(cell)?)).map(String::as_str)
    }
}
