//! [`ExportOptions`]: the settings of an export; [`SettingsReader`]: reads the settings of an export or a film from its
//! provenance.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::Path;

use glam::IVec2;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::files::{ContentKind, Depth, Georeference, MapSource, OutputFormat, PixelEncoding, Provenance};
use crate::paint::Unseen;
use crate::scene::{Layer, Scene};
use crate::world::WorldField;
use farsight::grid::CellRect;
use farsight::internal::text::excerpt;
use farsight::{named_enum, setters};

/// The settings of an export.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ExportOptions {
    /// The layer.
    pub layer: Layer,
    /// The part of the map.
    pub crop: Crop,
    /// The cells to export instead of those of `crop`. Cells off the map are omitted.
    pub cells: Option<CellRect>,
    /// The look of a picture. Other formats ignore it.
    pub style: PictureStyle,
    /// `true` to make cells out of [range](Scene::is_in_range) and ground without data nodata in the values of a visibility.
    pub nodata_outside: bool,
    /// The name of the preset, for titles. It may be empty.
    pub name: String,
    /// The file that replaces a generated world.
    pub map: Option<MapSource>,
}

named_enum! {
    /// The part of the map in an export.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    #[non_exhaustive]
    pub enum Crop: "crop" {
        /// The whole map; for a painted view, the square of the radius and a margin.
        #[default]
        Auto = "auto",
        /// The whole map.
        Map = "map",
        /// The square of the radius around the viewer.
        Sight = "sight",
    }
}

/// The look of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PictureStyle {
    /// A painted picture: the land as the viewer sees it, or a layer in colours.
    Painted {
        /// Pixels per cell, or `None` for a picture of about 1000 pixels.
        scale: Option<u32>,
        /// The look of cells out of sight.
        unseen: Unseen,
    },
    /// Grey values: black and white are the ends of the layer's range.
    Grey(Depth),
}

impl Default for PictureStyle {
    fn default() -> Self {
        Self::Painted { scale: None, unseen: Unseen::Mapped }
    }
}

impl ExportOptions {
    /// The key of the settings in a [`Provenance`].
    pub(super) const PROVENANCE_KEY: &str = "export";

    setters! {
        with_layer(layer: Layer), with_crop(crop: Crop), with_cells(cells: impl Into<Option<CellRect>>), with_style(style: PictureStyle),
        with_nodata_outside(nodata_outside: bool), with_name(name: impl Into<String>), with_map(map: impl Into<Option<MapSource>>),
    }

    /// Returns a file name without extension for an export: `farsight-fog-7-120-88`, without a seed on a map from a file.
    pub fn file_stem(&self, scene: &Scene) -> String {
        let stem = |map: &MapSource| Path::new(&map.name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let map = self.map.as_ref().and_then(stem).filter(|_| self.name.is_empty());
        let name = map.unwrap_or_else(|| self.name.clone());
        let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let seed = match self.map {
            None => format!("-{}", scene.preset().world.seed),
            Some(_) => String::new(),
        };
        let viewer = scene.viewer();
        format!("farsight-{name}{seed}-{}-{}", viewer.x, viewer.y)
    }

    pub(super) fn georeference(&self) -> Option<&Georeference> {
        self.map.as_ref()?.georeference()
    }

    /// Returns the pixel format of a picture of values.
    pub(super) fn pixels(&self) -> PixelEncoding {
        match self.style {
            PictureStyle::Painted { .. } => PixelEncoding::Grey(Depth::Eight),
            PictureStyle::Grey(depth) => PixelEncoding::Grey(depth),
        }
    }

    /// Returns the field of a generated world if an export in a format consists of it. Returns `None` if the export
    /// needs a scene: it is painted, depends on the view, has labels, or contains the viewer without `has_viewer`.
    pub fn world_field(&self, format: OutputFormat, has_viewer: bool) -> Option<WorldField> {
        let is_painted = format.takes(ContentKind::Picture) && matches!(self.style, PictureStyle::Painted { .. });
        let is_around_viewer = self.cells.is_none() && self.crop == Crop::Sight;
        let needs_scene = is_painted || is_around_viewer || format.has_labels() || self.map.is_some();
        self.layer.world_field().filter(|_| !needs_scene && (has_viewer || !format.has_viewer()))
    }

    /// Returns the settings without their own key in a provenance.
    pub(super) fn settings(&self) -> Value {
        let mut settings = json!({ "crop": self.crop.name() });
        if let Some(CellRect { min, max }) = self.cells {
            settings["cells"] = json!([min.x, min.y, max.x.saturating_sub(min.x), max.y.saturating_sub(min.y)]);
        }
        if self.nodata_outside {
            settings["outside"] = "nodata".into();
        }
        match self.style {
            PictureStyle::Painted { scale, unseen } => {
                settings["unseen"] = unseen.name().into();
                if let Some(scale) = scale {
                    settings["scale"] = scale.into();
                }
            }
            PictureStyle::Grey(Depth::Eight) => settings["grey"] = 8.into(),
            PictureStyle::Grey(Depth::Sixteen) => settings["grey"] = 16.into(),
        }
        settings
    }

    /// Reads the options from the provenance of an export. The same scene and options give the same file. A missing
    /// setting gets its default.
    ///
    /// # Errors
    /// [`ProvenanceError`] with the first invalid setting.
    pub fn from_provenance(provenance: &Provenance) -> Result<Self, ProvenanceError> {
        let settings = SettingsReader::new(provenance, Self::PROVENANCE_KEY);
        // An atlas has other layers, but its scene can be exported.
        let is_atlas = provenance.more.contains_key("atlas");
        let layer = if is_atlas { Layer::default() } else { layer_named(&provenance.layer)? };
        let crop = settings.has("crop").then(|| settings.name("crop", Crop::ALL, Crop::name)).transpose()?;
        let cells = match settings.has("cells").then(|| settings.get::<[i32; 4]>("cells")) {
            None => None,
            Some(Some([x, y, width, height])) if width > 0 && height > 0 => {
                let min = IVec2::new(x, y);
                Some(CellRect { min, max: min.saturating_add(IVec2::new(width, height)) })
            }
            Some(_) => return Err(settings.error("cells", "column, row, width and height")),
        };
        let style = if settings.has("grey") {
            PictureStyle::Grey(match settings.get("grey") {
                Some(8) => Depth::Eight,
                Some(16) => Depth::Sixteen,
                _ => return Err(settings.error("grey", "8 or 16")),
            })
        } else {
            let scale = settings.has("scale").then(|| settings.number("scale", 0..=u32::MAX)).transpose()?;
            let unseen = settings.has("unseen").then(|| settings.name("unseen", Unseen::ALL, Unseen::name));
            PictureStyle::Painted { scale, unseen: unseen.transpose()?.unwrap_or(Unseen::Mapped) }
        };
        let name = provenance.more.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let crop = crop.unwrap_or_default();
        let nodata_outside = match settings.get::<String>("outside").as_deref() {
            Some("nodata") => true,
            None if !settings.has("outside") => false,
            _ => return Err(settings.error("outside", "nodata")),
        };
        Ok(Self { layer, crop, cells, style, nodata_outside, name, map: provenance.map.clone() })
    }
}

fn layer_named(name: &str) -> Result<Layer, ProvenanceError> {
    Layer::ALL.iter().copied().find(|layer| layer.name() == name).ok_or_else(|| ProvenanceError {
        key: "layer".into(),
        value: format!("{name:?}"),
        expected: Layer::NAMES.join(", "),
    })
}

/// An invalid setting in a [`Provenance`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {} is not valid: expected {expected}", excerpt(value))]
#[non_exhaustive]
pub struct ProvenanceError {
    /// The key: `export.crop`.
    pub key: String,
    /// The value as JSON, `null` if it is missing.
    pub value: String,
    /// The accepted values.
    pub expected: String,
}

pub(crate) struct SettingsReader<'a> {
    group: &'static str,
    settings: &'a Value,
}

impl<'a> SettingsReader<'a> {
    /// Creates a reader; `group` is the key of the settings in the provenance.
    pub(crate) fn new(provenance: &'a Provenance, group: &'static str) -> Self {
        Self { group, settings: provenance.more.get(group).unwrap_or(&Value::Null) }
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        !self.value(key).is_null()
    }

    /// Returns the value of a key, or `None` if it is missing or of another type.
    pub(crate) fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        T::deserialize(self.value(key)).ok()
    }

    pub(crate) fn number<T>(&self, key: &str, range: RangeInclusive<T>) -> Result<T, ProvenanceError>
    where
        T: DeserializeOwned + PartialOrd + Display,
    {
        let number = self.get(key).filter(|number| range.contains(number));
        number.ok_or_else(|| self.error(key, &format!("{} to {}", range.start(), range.end())))
    }

    /// Returns the value with the name of a key.
    pub(crate) fn name<T: Copy>(
        &self,
        key: &str,
        all: &[T],
        name_of: fn(T) -> &'static str,
    ) -> Result<T, ProvenanceError> {
        let found = all.iter().copied().find(|value| self.value(key) == name_of(*value));
        found.ok_or_else(|| self.error(key, &all.iter().map(|value| name_of(*value)).collect::<Vec<_>>().join(", ")))
    }

    pub(crate) fn error(&self, key: &str, expected: &str) -> ProvenanceError {
        let key_in_group = format!("{}.{key}", self.group);
        ProvenanceError { key: key_in_group, value: self.value(key).to_string(), expected: expected.to_owned() }
    }

    fn value(&self, key: &str) -> &'a Value {
        self.settings.get(key).unwrap_or(&Value::Null)
    }
}
