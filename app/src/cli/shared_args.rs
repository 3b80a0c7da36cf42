//! Flags that several subcommands share, besides those of a [scene](super::scene_args) and of [files](super::output).

use super::scene_args::SceneArgs;
use super::values::{parse_cells, parse_length};
use farsight::grid::CellRect;

/// The range of `horizon`, `panorama` and `sky`.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Eye")]
pub(crate) struct RangeArgs {
    /// The range in metres, or a length such as 30km. Default: to the edge of the map
    #[arg(long, value_name = "LENGTH", value_parser = parse_length, allow_negative_numbers = true)]
    pub(crate) max_distance: Option<f64>,
}

/// The exported cells of `export` and `sky`.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Content")]
pub(crate) struct CellsArgs {
    /// The part of the map by its upper left cell and its size in cells, such as 40,30,200x120. Default: the whole map
    #[arg(long, value_name = "X,Y,WxH", value_parser = parse_cells, allow_hyphen_values = true)]
    pub(crate) cells: Option<CellRect>,
}

/// The value of cells that no viewer reaches, of `export` and `cumulative`.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Content")]
pub(crate) struct OutsideArgs {
    /// The value of cells beyond the range of every viewer: 0, or nodata. Default: 0
    #[arg(long, value_name = "VALUE", value_parser = ["0", "nodata"])]
    outside: Option<String>,
}

impl OutsideArgs {
    /// Returns `true` if cells beyond the range are nodata; `None` without the flag.
    pub(crate) fn is_nodata(&self) -> Option<bool> {
        self.outside.as_deref().map(|value| value == "nodata")
    }
}

impl SceneArgs {
    /// Returns the default preset of a subcommand over a heightmap.
    pub(crate) fn preset_on_ground(&self, name: &'static str) -> Option<&'static str> {
        self.heightmap.heightmap.is_some().then_some(name)
    }
}
