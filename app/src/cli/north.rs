//! [`NorthArgs`]: `--grid-north`; [`North`]: the direction from which azimuths count.

use std::fmt;

use glam::IVec2;

use super::output::MessageArgs;
use farsight_scene::files::{MapSource, ReferenceSystem};
use farsight_scene::text::excerpt;

/// The north of azimuths.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct NorthArgs {
    /// Count azimuths from grid north, the top of the heightmap. Default: from true north, if the heightmap has a reference system
    #[arg(long, help_heading = "Azimuths")]
    grid_north: bool,
}

/// The direction from which azimuths count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum North {
    /// True north: the top of the heightmap is at this azimuth.
    True { convergence_deg: f64 },
    /// The top of a heightmap with a reference system.
    Grid,
    /// The top of a map without one.
    Map,
}

impl NorthArgs {
    /// True north, where it is known.
    pub(crate) const TRUE: Self = Self { grid_north: false };

    /// Returns the north of azimuths at a cell, with a note if true north is not known there.
    pub(crate) fn at(self, map: Option<&MapSource>, cell: IVec2, messages: MessageArgs) -> North {
        let Some((map, place)) = map.and_then(|map| Some((map, map.georeference()?))) else { return North::Map };
        match place.convergence_deg(cell) {
            _ if place.keys.is_empty() => North::Map,
            _ if self.grid_north => North::Grid,
            Some(convergence_deg) => North::True { convergence_deg },
            None => {
                let system = ReferenceSystem::from_keys(&place.keys).map(|system| system.to_string());
                messages.print(format!(
                    "{}: the meridian convergence of {} is not known here; azimuths count from grid north",
                    excerpt(&map.name),
                    excerpt(system.as_deref().unwrap_or("its reference system"))
                ));
                North::Grid
            }
        }
    }
}

impl North {
    /// Returns the azimuth of the top of the map.
    pub(crate) fn convergence_deg(self) -> f64 {
        match self {
            Self::True { convergence_deg } => convergence_deg,
            Self::Grid | Self::Map => 0.0,
        }
    }

    /// Returns the name of the column of azimuths in a table.
    pub(crate) fn column(self) -> &'static str {
        match self {
            Self::True { .. } | Self::Map => "azimuth_deg",
            Self::Grid => "grid_azimuth_deg",
        }
    }

    /// Returns the name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::True { .. } => "true",
            Self::Grid => "grid",
            Self::Map => "map",
        }
    }
}

impl fmt::Display for North {
    /// ` from true north (grid north is at 5.03°)`, behind an azimuth; nothing where there is one north only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::True { convergence_deg } => write!(f, " from true north (grid north is at {convergence_deg:.2}°)"),
            Self::Grid => f.write_str(" from grid north"),
            Self::Map => Ok(()),
        }
    }
}
