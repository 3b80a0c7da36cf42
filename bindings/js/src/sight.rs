//! Maps of opacities, and fields of view over them.

use farsight::glam::IVec2;
use farsight::grid::CellRect;
use farsight::sight::{Door, Method, OpacityRows, OwnedView, RadiusShape, Sector, SightError};
use farsight::{FieldOfView, Grid, OpacityMap};
use wasm_bindgen::prelude::*;

use crate::frame::Frame;
use crate::options::SightOptions;
use crate::{cells_of, pairs_of};

/// The opacity of every cell of a map.
#[wasm_bindgen]
pub struct Opacities(OpacityMap);

#[wasm_bindgen]
impl Opacities {
    pub fn from_values(values: Vec<f32>, width: usize, height: usize) -> Result<Self, JsError> {
        Ok(Self(OpacityMap::try_from(Grid::from_vec(width, height, values)?)?))
    }

    pub fn clear(width: usize, height: usize) -> Result<Self, JsError> {
        Ok(Self(OpacityMap::clear(width, height)?))
    }

    pub fn from_text(text: &str) -> Result<Self, JsError> {
        Ok(Self(OpacityMap::from_text(text)?))
    }

    pub fn width(&self) -> usize {
        self.0.grid().width()
    }

    pub fn height(&self) -> usize {
        self.0.grid().height()
    }

    pub fn values(&self) -> Vec<f32> {
        self.0.grid().as_slice().to_vec()
    }

    pub fn get(&self, x: i32, y: i32) -> Option<f32> {
        self.0.get((x, y))
    }

    pub fn set(&mut self, x: i32, y: i32, opacity: f32) -> Result<(), JsError> {
        Ok(self.0.set((x, y), opacity)?)
    }

    pub fn set_many(&mut self, cells: &[i32], opacities: &[f32]) -> Result<(), JsError> {
        Ok(self.0.set_many(cells_of(cells).zip(opacities.iter().copied()))?)
    }

    pub fn set_door(&mut self, x: i32, y: i32, is_door: bool) -> Result<(), JsError> {
        Ok(self.0.set_door((x, y), is_door)?)
    }

    /// Returns `true` for an open door, `false` for a closed one, and nothing without a door.
    pub fn door(&self, x: i32, y: i32) -> Option<bool> {
        self.0.door((x, y)).map(|door| door == Door::Open)
    }

    pub fn toggle_door(&mut self, x: i32, y: i32) -> Option<bool> {
        self.0.toggle_door((x, y)).map(|door| door == Door::Open)
    }

    pub fn doors(&self) -> Vec<i32> {
        pairs_of(self.0.doors())
    }
}

/// A view that outlives the next one.
#[wasm_bindgen]
pub struct KeptView(pub(crate) OwnedView);

/// The cells that differ between two views.
#[wasm_bindgen]
pub struct Differences {
    newly_seen: Vec<i32>,
    newly_hidden: Vec<i32>,
}

#[wasm_bindgen]
impl Differences {
    pub fn newly_seen(&self) -> Vec<i32> {
        self.newly_seen.clone()
    }

    pub fn newly_hidden(&self) -> Vec<i32> {
        self.newly_hidden.clone()
    }
}

#[wasm_bindgen]
impl KeptView {
    pub fn of(frame: &Frame) -> Self {
        Self(frame.0.borrow().view().to_owned())
    }

    pub fn get(&self, x: i32, y: i32) -> f32 {
        self.0.get((x, y))
    }

    pub fn at_least(&self, threshold: f32) -> Vec<i32> {
        self.0.at_least(threshold).flat_map(|cell| cell.to_array()).collect()
    }

    pub fn changes_since(&self, previous: &KeptView, threshold: f32) -> Differences {
        let changes = self.0.changes_since(&previous.0, threshold);
        Differences { newly_seen: pairs_of(&changes.newly_seen), newly_hidden: pairs_of(&changes.newly_hidden) }
    }
}

/// A field of view with its buffers.
#[wasm_bindgen]
pub struct Fov {
    fov: FieldOfView,
    frame: Frame,
    has_walls: bool,
}

#[wasm_bindgen]
impl Fov {
    #[wasm_bindgen(constructor)]
    pub fn new(options: &SightOptions, has_walls: bool) -> Result<Self, JsError> {
        Ok(Self { fov: FieldOfView::new(options.config()?)?, frame: Frame::default(), has_walls })
    }

    pub fn configure(&mut self, options: &SightOptions, has_walls: bool) -> Result<(), JsError> {
        self.fov.set_config(options.config()?)?;
        self.has_walls = has_walls;
        Ok(())
    }

    /// Computes a view of the configured sector.
    pub fn compute(&mut self, map: &Opacities, x: i32, y: i32) -> Result<(), JsError> {
        let sector = self.fov.config().sector;
        self.compute_sector(map, x, y, sector.facing, sector.span)
    }

    pub fn compute_sector(&mut self, map: &Opacities, x: i32, y: i32, facing: f64, span: f64) -> Result<(), JsError> {
        let extent = map.0.extent();
        let view = self.fov.compute_sector(&map.0, (x, y), Sector::new(facing, span))?;
        if self.has_walls {
            let reach = CellRect { min: view.top_left() - 1, max: view.top_left() + view.grid().size() + 1 };
            let with_walls = view.with_walls(|cell| map.0.is_wall(cell));
            self.frame.0.borrow_mut().read_owned(&with_walls, reach.intersect(extent));
        } else {
            self.frame.0.borrow_mut().read(&view, Some(extent));
        }
        Ok(())
    }

    /// Computes a view over the cells of a square around the viewer, whose first one is at `left`, `top`; NaN is a cell that does not
    /// exist. With walls the square is a cell larger than the radius.
    pub fn compute_square(&mut self, cells: &[f32], left: i32, top: i32, side: usize) -> Result<(), JsError> {
        let first = IVec2::new(left, top);
        let extent = CellRect { min: first, max: first + IVec2::splat(side as i32) };
        let index = |cell: IVec2| (cell.y - top) as usize * side + (cell.x - left) as usize;
        let fill = |start: IVec2, row: &mut [f32]| row.copy_from_slice(&cells[index(start)..][..row.len()]);
        let view = self.fov.compute(OpacityRows::new(fill).within(extent), first + IVec2::splat(side as i32 / 2))?;
        if self.has_walls {
            let is_wall = |cell: IVec2| extent.contains(cell) && cells[index(cell)] >= 1.0;
            let reach = CellRect { min: view.top_left() - 1, max: view.top_left() + view.grid().size() + 1 };
            let with_walls = view.with_walls(is_wall);
            self.frame.0.borrow_mut().read_owned(&with_walls, reach.intersect(extent));
        } else {
            self.frame.0.borrow_mut().read(&view, Some(extent));
        }
        Ok(())
    }

    /// Returns the handle of the last view.
    pub fn frame(&self) -> Frame {
        self.frame.clone()
    }

    pub fn line_of_sight(&mut self, map: &Opacities, cells: &[i32]) -> Result<f32, JsError> {
        Ok(self.fov.line_of_sight(&map.0, (cells[0], cells[1]), (cells[2], cells[3]))?)
    }

    /// Computes the values at all creatures of the views from each, with its own radius, row by row.
    pub fn mutual(&mut self, map: &Opacities, cells: &[i32], radii: &[u32]) -> Result<Vec<f32>, JsError> {
        let creatures: Vec<(IVec2, u32)> = cells_of(cells).zip(radii.iter().copied()).collect();
        let config = self.fov.config().clone();
        if config.method == Method::default() && config.shape == RadiusShape::Circle && config.sector.is_full() {
            return Ok(self.fov.mutual(&map.0, &creatures)?.into_vec()); // those of the views up to rounding, in less time
        }
        let seen = visibilities_of(&mut self.fov, &map.0, &creatures);
        self.fov.set_config(config)?;
        Ok(seen?)
    }
}

/// Computes one view for each creature, and leaves the radius of the last one in the configuration.
fn visibilities_of(
    fov: &mut FieldOfView,
    map: &OpacityMap,
    creatures: &[(IVec2, u32)],
) -> Result<Vec<f32>, SightError> {
    let mut seen = Vec::with_capacity(creatures.len() * creatures.len());
    for &(viewer, radius) in creatures {
        let config = fov.config().clone().with_radius(radius);
        let sector = config.sector;
        fov.set_config(config)?;
        let view = fov.compute_sector(map, viewer, sector)?;
        seen.extend(creatures.iter().map(|&(target, _)| view.get(target)));
    }
    Ok(seen)
}
