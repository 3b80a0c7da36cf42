//! [`Provenance`]: the scene of a file; [`MapSource`]: the files that replace its generated world, identified by a [`digest`].

use std::collections::BTreeMap;
use std::io;

use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::georeference::Georeference;
use super::length_unit::LengthUnit;
use super::picture_heights::PictureHeights;
use crate::preset::{Preset, PresetError};
use crate::world::CellSizes;
use farsight::grid::Grid;
use farsight::internal::text::excerpt;
use farsight::sight::OpacityMap;

/// The scene of a picture, film or JSON file. It contains no time and no folder, so that the same scene gives the same
/// bytes.
///
/// A picture stores it as JSON in a text chunk with the keyword `farsight`, a `.gif` in a comment that begins with
/// `farsight `, a JSON file under the key `farsight`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Provenance {
    /// The version of farsight that wrote the file.
    pub version: String,
    /// The resolved preset, as TOML.
    pub preset: String,
    /// The seed of the world.
    pub seed: u64,
    /// The map cell of the viewer.
    pub viewer: [i32; 2],
    /// The exported layer: `visibility`, `elevation`, …
    pub layer: String,
    /// The upper left map cell and the size in cells, if only a part of the map was exported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crop: Option<[i32; 4]>,
    /// The map or heightmap that replaced a generated world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapSource>,
    /// Additional entries of the writer, and the keys of later versions.
    #[serde(flatten)]
    pub more: BTreeMap<String, serde_json::Value>,
}

impl Provenance {
    /// The keyword of the text chunk of a picture, and the key in a JSON file.
    pub const KEYWORD: &'static str = "farsight";

    /// The key in [`more`](Self::more) of a painted view that was written during a walk: the number of turns. The
    /// memory of the viewer and the positions of creatures at that time are not stored.
    pub const WALKED: &'static str = "walked";

    /// The comment of a `.gif` begins with this and continues with JSON.
    pub(super) const GIF_COMMENT_PREFIX: &'static str = "farsight ";

    /// Parses the preset. `origin` is the name of the file in errors.
    ///
    /// # Errors
    /// [`PresetError`]: those of [`Preset::from_toml`], and for a preset with a different seed from that of the file.
    pub fn parse_preset(&self, origin: &str) -> Result<Preset, PresetError> {
        let preset = Preset::from_toml(&self.preset, origin)?;
        match preset.world.seed == self.seed {
            true => Ok(preset),
            false => Err(PresetError::Contradiction(format!(
                "{origin}: world.seed: {} is not valid: expected {}, which is the seed of the file",
                preset.world.seed, self.seed
            ))),
        }
    }

    /// Returns caveats of a scene reproduced from this provenance: another version wrote it, or it was written during a
    /// walk. Each text continues the name of the file.
    pub fn caveats(&self) -> Vec<String> {
        let mut caveats = Vec::new();
        if self.version != env!("CARGO_PKG_VERSION") {
            caveats.push(format!("was written by farsight {}; it may look different now", excerpt(&self.version)));
        }
        if let Some(turns) = self.more.get(Self::WALKED).map(ToString::to_string) {
            let turns = excerpt(&turns);
            caveats.push(format!(
                "was written in the middle of a walk (turn {turns}): what was remembered then, and where creatures had \
                 gone, is not in it and is left out; only a saved walk (.farsight) has it"
            ));
        }
        caveats
    }

    pub(super) fn to_json(&self) -> io::Result<String> {
        Ok(serde_json::to_string(self)?)
    }

    pub(crate) fn to_gif_comment(&self) -> io::Result<Vec<u8>> {
        Ok([Self::GIF_COMMENT_PREFIX, &self.to_json()?].concat().into_bytes())
    }
}

/// A map file, identified by its name and its values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MapSource {
    /// The name of the file, without its folder.
    pub name: String,
    /// The [`digest`] of its values.
    pub digest: String,
    /// The sources of the ground, if the file is a heightmap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground: Option<GroundSource>,
}

/// The sources of the ground of a heightmap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GroundSource {
    /// The source of the humidity; `None` for that of the climate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub humidity: Option<FieldSource>,
    /// The source of the vegetation; `None` for that of the climate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vegetation: Option<FieldSource>,
    /// The georeference of the map, if its file has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub georeference: Option<Georeference>,
    /// The sides of its cells, if they are not square.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell_sizes: Option<CellSizes>,
    /// The window that was read, unless it was the whole file: the upper left cell, and columns and rows. The digests
    /// are those of the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<[i32; 4]>,
    /// The mapping from pixel values to heights, if they were not metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heights: Option<PictureHeights>,
    /// The unit of the heights, if it is not that of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height_unit: Option<LengthUnit>,
    /// The obstacles and crowns on the ground; `None` for bare ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<SurfaceSource>,
}

/// The source of a [`SurfaceModel`](crate::world::SurfaceModel).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SurfaceSource {
    /// The flags of the command line that read it, and their values; files without their folders.
    pub flags: Vec<(String, String)>,
    /// The digests of its obstacles and its crowns.
    pub digest: String,
}

impl SurfaceSource {
    /// Creates the source of flags and a digest.
    pub fn new(flags: Vec<(String, String)>, digest: String) -> Self {
        Self { flags, digest }
    }
}

impl GroundSource {
    /// Creates the sources of a heightmap whose climate is computed.
    pub fn new(
        georeference: Option<Georeference>,
        cell_sizes: Option<CellSizes>,
        heights: Option<PictureHeights>,
    ) -> Self {
        Self { georeference, cell_sizes, heights, ..Self::default() }
    }

    /// Sets the unit of the heights, if it is not that of the file.
    #[must_use]
    pub fn with_height_unit(self, height_unit: Option<LengthUnit>) -> Self {
        Self { height_unit, ..self }
    }
}

/// The source of a humidity or vegetation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FieldSource {
    /// The same value everywhere, from 0 to 1.
    Flat(f32),
    /// A raster.
    File {
        /// The name of the file, without its folder.
        name: String,
        /// The [`digest`] of its values.
        digest: String,
    },
}

impl MapSource {
    /// Creates the source of an opacity map.
    pub fn new(name: impl Into<String>, digest: impl Into<String>) -> Self {
        Self { name: name.into(), digest: digest.into(), ground: None }
    }

    /// Returns `true` for a heightmap.
    pub fn is_heightmap(&self) -> bool {
        self.ground.is_some()
    }

    /// Returns the georeference of a heightmap, if its file has one.
    pub fn georeference(&self) -> Option<&Georeference> {
        self.ground.as_ref()?.georeference.as_ref()
    }

    /// Returns the latitude of a cell of a heightmap in degrees, if its reference system is known.
    pub fn latitude_deg(&self, cell: IVec2) -> Option<f64> {
        self.georeference()?.latitude_deg(cell)
    }

    /// Returns the meridian convergence at a cell of a heightmap in degrees; see [`Georeference::convergence_deg`]. `None` if its
    /// reference system is not known.
    pub fn convergence_deg(&self, cell: IVec2) -> Option<f64> {
        self.georeference()?.convergence_deg(cell)
    }

    /// Returns the cells that were read of a heightmap, if not all were.
    pub fn window(&self) -> Option<[i32; 4]> {
        self.ground.as_ref()?.window
    }

    /// Returns the flags of the command line that read its files, and their values without folders.
    pub(crate) fn flags(&self) -> Vec<(&str, String)> {
        let Some(ground) = &self.ground else { return vec![("map", self.name.clone())] };
        let mut flags = vec![("heightmap", self.name.clone())];
        flags.extend(ground.heights.map(|heights| ("heights", heights.to_string())));
        flags.extend(ground.height_unit.map(|unit| ("height-unit", unit.name().to_owned())));
        for (flag, field) in [("humidity", &ground.humidity), ("vegetation", &ground.vegetation)] {
            flags.extend(field.as_ref().map(|field| match field {
                FieldSource::Flat(value) => (flag, value.to_string()),
                FieldSource::File { name, .. } => (flag, name.clone()),
            }));
        }
        let of_surface = ground.surface.iter().flat_map(|surface| &surface.flags);
        flags.extend(of_surface.map(|(flag, value)| (flag.as_str(), value.clone())));
        flags
    }
}

/// Returns the 64-bit FNV-1a hash of the size and the values of a map, in hexadecimal digits.
///
/// Maps with equal digests are considered equal. The hash detects mistakes, not forgery.
///
/// # References
/// Fowler, Noll, Vo, Eastlake: *The FNV Non-Cryptographic Hash Algorithm*.
pub fn digest(values: &Grid<f32>) -> String {
    let mut sum = StreamedDigest::new(values.size());
    sum.add(values.as_slice());
    sum.finish()
}

/// Returns the [`digest`] of a map, its doors and its roofs. Without doors and roofs it is that of the opacities.
pub fn digest_of_map(map: &OpacityMap) -> String {
    let roofs = map.roofs().into_iter().flat_map(Grid::as_slice);
    digest_of_parts(map.grid().size(), map.grid().as_slice().iter().copied(), map.doors(), roofs.copied())
}

/// Returns the [`digest`] of a map with these opacities, doors and roofs.
pub(crate) fn digest_of_parts(
    size: IVec2,
    opacities: impl Iterator<Item = f32>,
    doors: &[IVec2],
    roofs: impl Iterator<Item = bool>,
) -> String {
    let StreamedDigest(sum) = StreamedDigest::new(size);
    let sum = add_bytes(sum, opacities.flat_map(f32::to_le_bytes));
    let doors = doors.iter().flat_map(|door| [door.x, door.y]).flat_map(i32::to_le_bytes);
    StreamedDigest(add_bytes(sum, doors.chain(roofs.map(u8::from)))).finish()
}

/// An incremental [`digest`] of a map.
#[derive(Clone, Debug)]
pub struct StreamedDigest(u64);

impl StreamedDigest {
    /// Starts the digest of a map of a size.
    pub fn new(size: IVec2) -> Self {
        Self(add_bytes(OFFSET_BASIS, size.to_array().into_iter().flat_map(|side| (side as u32).to_le_bytes())))
    }

    /// Adds the next values, row-major.
    pub fn add(&mut self, values: &[f32]) {
        self.0 = add_bytes(self.0, values.iter().flat_map(|value| value.to_le_bytes()));
    }

    /// Returns the digest in hexadecimal digits.
    pub fn finish(self) -> String {
        format!("{:016x}", self.0)
    }
}

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

fn add_bytes(hash: u64, bytes: impl Iterator<Item = u8>) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    bytes.fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// Returns the 64-bit FNV-1a hash of bytes.
pub(crate) fn fnv1a_64(bytes: impl Iterator<Item = u8>) -> u64 {
    add_bytes(OFFSET_BASIS, bytes)
}
