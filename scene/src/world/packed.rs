//! Grids of numbers as bytes, for `#[serde(with = …)]`: a codec needs tenths of a second for ten million single cells.

use bytemuck::{AnyBitPattern, NoUninit, cast_slice, pod_collect_to_vec};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_bytes::Bytes;

use farsight::grid::Grid;

pub(crate) fn serialize<T: NoUninit, S: Serializer>(grid: &Grid<T>, serializer: S) -> Result<S::Ok, S::Error> {
    (grid.width(), grid.height(), Bytes::new(cast_slice(grid.as_slice()))).serialize(serializer)
}

pub(crate) fn deserialize<'de, T, D>(deserializer: D) -> Result<Grid<T>, D::Error>
where
    T: AnyBitPattern + NoUninit,
    D: Deserializer<'de>,
{
    let (width, height, bytes) = <(usize, usize, &Bytes)>::deserialize(deserializer)?;
    Grid::from_vec(width, height, pod_collect_to_vec(bytes)).map_err(D::Error::custom)
}
