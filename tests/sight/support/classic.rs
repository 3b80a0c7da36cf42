//! Helpers for the tests of the classic methods.

#![expect(unreachable_pub, reason = "shared by two tests")]

use farsight::glam::IVec2;
use farsight::sight::{FieldOfView, MethodKind, OpacityMap, SightConfig, SightError};

/// The methods that answer yes or no.
pub fn classic_methods() -> impl Iterator<Item = MethodKind> {
    MethodKind::ALL.iter().copied().filter(|method| method.is_binary())
}

/// A method with default parameters.
pub fn config(method: MethodKind, radius: u32) -> SightConfig {
    SightConfig::default().with_method(method).with_radius(radius)
}

/// The cells that a viewer sees, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub viewer: IVec2,
    cells: Vec<IVec2>,
}

impl Seen {
    pub fn compute(map: &OpacityMap, viewer: IVec2, config: &SightConfig) -> Result<Self, SightError> {
        let mut fov = FieldOfView::new(config.clone())?;
        let view = fov.compute(map, viewer)?;
        let cells = view.visible().map(|(cell, value)| {
            assert_eq!(value, 1.0, "{cell}");
            cell
        });
        Ok(Self { viewer, cells: cells.collect() })
    }

    pub fn get(&self, cell: IVec2) -> bool {
        self.cells.binary_search_by_key(&(cell.y, cell.x), |cell| (cell.y, cell.x)).is_ok()
    }

    pub fn visible(&self) -> impl ExactSizeIterator<Item = IVec2> + '_ {
        self.cells.iter().copied()
    }
}

/// The view of a method on a map.
pub fn see(map: &OpacityMap, viewer: IVec2, method: MethodKind, radius: u32) -> Seen {
    Seen::compute(map, viewer, &config(method, radius)).unwrap()
}
