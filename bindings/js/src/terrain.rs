//! Viewsheds, horizons and panoramas over heights.

use std::f64::consts::PI;

use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, CellSize};
use farsight::horizon::{AzimuthHorizon, DepthPanorama, Horizon, HorizonConfig, Projection};
use farsight::sight::MethodKind;
use farsight::viewshed::{Surface, Viewshed};
use farsight::{Grid, Job, SightConfig};
use wasm_bindgen::prelude::*;

use crate::frame::Frame;

/// The maximum height and depth of ground; none on Earth is larger.
const MAX_HEIGHT_M: f32 = 20_000.0;

#[wasm_bindgen]
extern "C" {
    /// An eye and its target, as `ts/terrain.ts` has checked them.
    pub type EyeOptions;

    #[wasm_bindgen(method, getter)]
    fn x(this: &EyeOptions) -> i32;
    #[wasm_bindgen(method, getter)]
    fn y(this: &EyeOptions) -> i32;
    #[wasm_bindgen(method, getter)]
    fn eye(this: &EyeOptions) -> f64;
    #[wasm_bindgen(method, getter)]
    fn target(this: &EyeOptions) -> f64;
    #[wasm_bindgen(method, getter)]
    fn curvature(this: &EyeOptions) -> f64;
    #[wasm_bindgen(method, getter, js_name = maxDistance)]
    fn max_distance(this: &EyeOptions) -> f64;
    #[wasm_bindgen(method, getter)]
    fn softness(this: &EyeOptions) -> f64;
    #[wasm_bindgen(method, getter)]
    fn method(this: &EyeOptions) -> String;
}

impl EyeOptions {
    fn viewer(&self) -> IVec2 {
        ivec2(self.x(), self.y())
    }

    fn grade(&self) -> Result<MethodKind, JsError> {
        let method: MethodKind = self.method().parse()?;
        if method.is_binary() {
            let name = method.name();
            return Err(JsError::new(&format!(
                "method: \"{name}\" knows no heights: expected \"exact\" or \"two-parent\""
            )));
        }
        Ok(method)
    }
}

/// The heights of the ground, and the buffers of its viewsheds.
#[wasm_bindgen]
pub struct Ground {
    heights: Grid<f32>,
    cell_size: CellSize,
    viewshed: Viewshed,
    frame: Frame,
}

impl Ground {
    fn surface(&self, eye: &EyeOptions) -> Surface<'_> {
        surface_of(&self.heights, self.cell_size, eye)
    }

    /// Returns the configuration of a viewshed that contains the range of an eye.
    fn config(&self, eye: &EyeOptions) -> Result<SightConfig, JsError> {
        let CellSize { x_m, y_m, .. } = self.cell_size;
        let (shorter, longer) = (self.cell_size.shorter_m(), x_m.max(y_m));
        let across = self.heights.size().as_dvec2().length() * longer / shorter;
        let radius = (eye.max_distance() / shorter).min(across).ceil() as u32;
        Ok(SightConfig::default().with_radius(radius).with_method(eye.grade()?))
    }
}

fn surface_of<'a>(heights: &'a Grid<f32>, cell_size: CellSize, eye: &EyeOptions) -> Surface<'a> {
    Surface::of(heights, cell_size)
        .with_eye_height(eye.eye())
        .with_target_height(eye.target())
        .with_curvature(eye.curvature())
        .with_softness(eye.softness())
}

#[wasm_bindgen]
impl Ground {
    #[wasm_bindgen(constructor)]
    pub fn new(heights: Vec<f32>, width: usize, height: usize, x_m: f64, y_m: f64) -> Result<Self, JsError> {
        let heights = Grid::from_vec(width, height, heights)?;
        let is_valid = |value: f32| value.is_nan() || value.abs() <= MAX_HEIGHT_M;
        if let Some((IVec2 { x, y }, value)) = heights.iter().find(|(_, value)| !is_valid(**value)) {
            return Err(JsError::new(&format!(
                "heights: {value} in column {x} and row {y} is not valid: expected -{MAX_HEIGHT_M} m to {MAX_HEIGHT_M} m, or NaN"
            )));
        }
        let viewshed = Viewshed::new(SightConfig::default())?;
        Ok(Self { heights, cell_size: CellSize::new(x_m, y_m), viewshed, frame: Frame::default() })
    }

    /// Computes the visibility of the ground in range.
    pub fn viewshed(&mut self, eye: &EyeOptions) -> Result<(), JsError> {
        self.viewshed.set_config(self.config(eye)?)?;
        let extent = CellRect::of_size(self.heights.size());
        let surface = surface_of(&self.heights, self.cell_size, eye);
        let view = self.viewshed.compute(&surface, eye.viewer(), Job::none())?;
        let mut frame = self.frame.0.borrow_mut();
        frame.read(&view, Some(extent));
        let (reach, viewer, cell_size) = (eye.max_distance(), eye.viewer(), self.cell_size);
        if reach.is_finite() {
            for (cell, value) in frame.cells_mut() {
                if cell_size.distance_m(cell - viewer) > reach {
                    *value = 0.0;
                }
            }
        }
        Ok(())
    }

    /// Returns the handle of the last viewshed.
    pub fn frame(&self) -> Frame {
        self.frame.clone()
    }

    /// Returns five numbers for each azimuth: elevation in degrees, distance and height in metres, column and row; NaN without data.
    pub fn horizon(&self, eye: &EyeOptions, azimuths: u32, convergence_deg: f64) -> Result<Vec<f64>, JsError> {
        let config = HorizonConfig::default()
            .with_azimuths(azimuths)
            .with_convergence_deg(convergence_deg)
            .with_max_distance_m(eye.max_distance());
        let horizon = Horizon::of(&self.surface(eye), eye.viewer(), &config)?;
        let points = horizon.azimuths().iter().flat_map(|along| match along.skyline() {
            Some(ridge) => {
                let cell = ridge.cell.as_dvec2();
                [ridge.elevation_deg(), ridge.distance_m, ridge.height_m, cell.x, cell.y]
            }
            None => [f64::NAN; 5],
        });
        Ok(points.collect())
    }

    /// Returns the distance of the ground in each pixel of a panorama, row by row; infinite for the sky. `directions` are the left
    /// edge and the field, and the upper and the lower edge, in degrees.
    pub fn panorama(
        &self,
        eye: &EyeOptions,
        width: usize,
        height: usize,
        directions: &[f64],
    ) -> Result<Vec<f32>, JsError> {
        let projection = Projection::new(width, height)
            .with_left_deg(directions[0])
            .with_field_deg(directions[1])
            .with_top_deg(directions[2])
            .with_bottom_deg(directions[3]);
        let panorama = DepthPanorama::of(&self.surface(eye), eye.viewer(), &projection, eye.max_distance())?;
        let mut pixels = vec![0.0; width * height];
        for x in 0..width {
            for (y, metres) in panorama.column_m(x).iter().enumerate() {
                pixels[y * width + x] = *metres;
            }
        }
        Ok(pixels)
    }

    /// Returns the visibility of a cell, its distance, its height above the line of sight over the horizon, and distance, height,
    /// column and row of the point that is this horizon; NaN for what there is not.
    pub fn explain(&mut self, eye: &EyeOptions, x: i32, y: i32) -> Result<Vec<f64>, JsError> {
        self.viewshed.set_config(self.config(eye)?)?;
        let surface = surface_of(&self.heights, self.cell_size, eye);
        let (viewer, target) = (eye.viewer(), ivec2(x, y));
        let Some(height_m) = self.heights.get(target) else {
            let size = self.heights.size();
            return Err(JsError::new(&format!("cell {x},{y} is outside the map of {}x{} cells", size.x, size.y)));
        };
        let offset = target - viewer;
        let distance_m = self.cell_size.distance_m(offset);
        let mut found = vec![f64::NAN; 8];
        found[1] = distance_m;
        found[7] = f64::from(*height_m);
        if distance_m > eye.max_distance() || height_m.is_nan() {
            found[0] = 0.0;
            return Ok(found);
        }
        found[0] = self.viewshed.line_of_sight(&surface, viewer, target)?.into();
        if offset == IVec2::ZERO {
            return Ok(found);
        }
        found[2] = self.viewshed.clearance_of(&surface, viewer, target)?.map_or(f64::NAN, f64::from);
        let (east_m, south_m) = (f64::from(offset.x) * self.cell_size.x_m, f64::from(offset.y) * self.cell_size.y_m);
        let azimuth_deg = (PI - libm::atan2(east_m, south_m)).to_degrees();
        let config = HorizonConfig::default().with_max_distance_m(distance_m);
        let along = AzimuthHorizon::of(&surface, viewer, azimuth_deg, &config)?;
        if let Some(ridge) = along.skyline() {
            let cell = ridge.cell.as_dvec2();
            found[3..7].copy_from_slice(&[ridge.distance_m, ridge.height_m, cell.x, cell.y]);
        }
        Ok(found)
    }
}
