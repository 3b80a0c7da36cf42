//! [`RasterMetadata`]: what GDAL and ArcGIS keep about a raster in the file `.aux.xml` next to it.
//!
//! The page reads no files next to a raster.
//!
//! # References
//! GDAL, *GDALPamDataset*, and *Raster data model* for scale and offset.

use super::error::ReadError;
use super::number::LinearScale;
use crate::files::prj_system::PrjSystem;

/// Metadata of a raster and of its first band.
#[derive(Debug, Default)]
pub(super) struct RasterMetadata {
    pub(super) system: Option<PrjSystem>,
    pub(super) position: Option<GeoTransform>,
    /// The number that means no data.
    pub(super) nodata: Option<f64>,
    /// The unit of the heights.
    pub(super) unit: Option<String>,
    pub(super) scale: Option<LinearScale>,
}

/// The first corner of a raster, the width of a cell, the step from row to row, and two terms of a rotation, in the order of GDAL.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GeoTransform(pub(super) [f64; 6]);

#[cfg(target_arch = "wasm32")]
impl RasterMetadata {
    pub(super) fn parse(_text: &str) -> Result<Self, ReadError> {
        Ok(Self::default())
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod parse {
    use roxmltree::{Document, Node};

    use super::*;
    use crate::files::read::number::parse_number;

    impl RasterMetadata {
        /// Parses the text of a file `.aux.xml`.
        ///
        /// # Errors
        /// [`ReadError::Damaged`] for a text that is no XML, and [`ReadError::Metadata`] for an element that is not understood.
        pub(in crate::files::read) fn parse(text: &str) -> Result<Self, ReadError> {
            let document = Document::parse(text).map_err(|error| ReadError::Damaged(error.to_string()))?;
            Self::of_root(document.root_element())
        }

        /// Reads the first element of a file `.aux.xml`, or of a mosaic of one band.
        ///
        /// # Errors
        /// [`ReadError::Metadata`] for an element that is not understood.
        pub(in crate::files::read) fn of_root(root: Node<'_, '_>) -> Result<Self, ReadError> {
            let is_first = |node: &Node<'_, '_>| node.attribute("band").is_some_and(|band| band.trim() == "1");
            let band = root.children().find(|node| {
                node.has_tag_name("PAMRasterBand") && is_first(node) || node.has_tag_name("VRTRasterBand")
            });
            let of_band = |name: &'static str| band.and_then(|band| text_of(band, name));
            let number =
                |name: &'static str, text: &str| parse_number(text).ok_or_else(|| fault(name, text, "a number"));
            let finite = |name: &'static str| {
                let of_text = |text: &str| {
                    number(name, text)?.is_finite().then(|| number(name, text)).ok_or(fault(
                        name,
                        text,
                        "a finite number",
                    ))?
                };
                of_band(name).map(of_text).transpose()
            };
            let (factor, offset) = (finite("Scale")?, finite("Offset")?);
            let scale =
                factor.or(offset).map(|_| LinearScale { factor: factor.unwrap_or(1.0), offset: offset.unwrap_or(0.0) });
            let system = |text: &str| {
                PrjSystem::of_user_input(text).ok_or_else(|| {
                    fault("SRS", text, "a code such as EPSG:32632, or well-known text of metres, feet or degrees")
                })
            };
            // ArcGIS has an element of its own, as the root of the file or in its metadata.
            let of_arcgis = || {
                let data = root.descendants().find(|node| node.has_tag_name("GeodataXform"))?;
                text_of(data.children().find(|node| node.has_tag_name("SpatialReference"))?, "WKT")
            };
            Ok(Self {
                system: text_of(root, "SRS").or_else(of_arcgis).map(system).transpose()?,
                position: text_of(root, "GeoTransform")
                    .map(|text| GeoTransform::parse(text).ok_or_else(|| fault("GeoTransform", text, "six numbers")))
                    .transpose()?,
                nodata: of_band("NoDataValue").map(|text| number("NoDataValue", text)).transpose()?,
                unit: of_band("UnitType").map(str::to_owned),
                scale,
            })
        }
    }

    impl GeoTransform {
        /// Parses six finite numbers with commas between them.
        fn parse(text: &str) -> Option<Self> {
            let numbers =
                text.split(',').map(|word| word.trim().parse().ok().filter(|number: &f64| number.is_finite()));
            let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
            numbers.try_into().ok().map(Self)
        }
    }

    /// Returns the text of the first child of a name, if it is not empty.
    fn text_of<'a>(parent: Node<'a, '_>, name: &str) -> Option<&'a str> {
        let child = parent.children().find(|node| node.has_tag_name(name))?;
        child.text().map(str::trim).filter(|text| !text.is_empty())
    }

    fn fault(element: &'static str, text: &str, expected: &'static str) -> ReadError {
        ReadError::Metadata { element, found: text.to_owned(), expected }
    }
}
