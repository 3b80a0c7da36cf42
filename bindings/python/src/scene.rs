//! Scenes: a world or a map, its viewer, and their layers, pictures and films.

use std::path::PathBuf;

use farsight::OpacityMap;
use farsight::glam::{IVec2, ivec2};
use farsight_bindings::Failure;
use farsight_bindings::scene::{NamedScene, SceneLand};
use farsight_scene::files::{Format, save, write_picture};
use farsight_scene::film::{FilmCrop, FilmOptions};
use farsight_scene::panorama::{PanoramaOptions, PanoramaPainter};
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::arrays::{array_of_grid, cells_of, values_of};
use crate::errors::{failed, interruptible};

/// Pixels per cell, the columns and rows of the picture, and further options of a film.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct FilmRequest {
    scale: Option<u32>,
    frame: Option<(i32, i32)>,
    frames_per_second: f64,
    panorama: bool,
}

/// A scene; the class `Scene` of Python holds it.
#[pyclass(module = "farsight_fov._core")]
pub(crate) struct NativeScene(NamedScene);

#[pymethods]
impl NativeScene {
    #[new]
    #[pyo3(signature = (preset, settings, viewer=None, opacity=None, heights=None, cell_size=(1.0, 1.0)))]
    fn new(
        py: Python<'_>,
        preset: Option<&str>,
        settings: Vec<(String, String)>,
        viewer: Option<(i32, i32)>,
        opacity: Option<PyReadonlyArray2<'_, f32>>,
        heights: Option<PyReadonlyArray2<'_, f32>>,
        cell_size: (f64, f64),
    ) -> PyResult<Self> {
        let land = match (opacity, heights) {
            (Some(opacity), _) => {
                let map = OpacityMap::try_from(values_of(&opacity)?.grid());
                SceneLand::Opacities(map.map_err(|error| failed(Failure::invalid(error)))?)
            }
            (None, Some(heights)) => SceneLand::Heights { ground: values_of(&heights)?.grid(), cell_size },
            (None, None) => SceneLand::Generated,
        };
        let settings = settings.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let viewer = viewer.map(IVec2::from);
        Ok(Self(interruptible(py, |job| NamedScene::new(preset, settings, land, viewer, job))?))
    }

    #[getter]
    fn viewer(&self) -> (i32, i32) {
        self.0.scene.viewer().into()
    }

    /// Columns and rows.
    #[getter]
    fn size(&self) -> (i32, i32) {
        self.0.scene.size().into()
    }

    #[getter]
    fn preset(&self) -> String {
        self.0.scene.present_preset().to_toml()
    }

    #[getter]
    fn link(&self) -> PyResult<String> {
        let no_world = || PyRuntimeError::new_err("a link holds no map: expected a scene of a generated world");
        self.0.link().ok_or_else(no_world)
    }

    fn summary(&self) -> String {
        self.0.scene.summary()
    }

    fn layer<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray2<f32>>> {
        array_of_grid(py, py.detach(|| self.0.layer(name)).map_err(failed)?)
    }

    /// The explanation of the visibility of a cell, as JSON.
    fn explain(&self, py: Python<'_>, target: (i32, i32)) -> PyResult<String> {
        py.detach(|| self.0.explanation(target.into())).map_err(failed)
    }

    fn place(&mut self, py: Python<'_>, viewer: (i32, i32)) -> PyResult<()> {
        py.detach(|| self.0.scene.place(viewer)).map_err(failed)
    }

    fn step(&mut self, py: Python<'_>, dx: i32, dy: i32) -> PyResult<bool> {
        py.detach(|| self.0.scene.step(ivec2(dx, dy))).map_err(failed)
    }

    fn wait(&mut self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.scene.wait()).map_err(failed)
    }

    fn set_hour(&mut self, py: Python<'_>, hour: f64) -> PyResult<()> {
        py.detach(|| self.0.scene.set_hour(hour)).map_err(failed)
    }

    /// A picture as the bytes of a PNG file.
    fn png(&self, py: Python<'_>, scale: Option<u32>) -> PyResult<Vec<u8>> {
        let paint = || -> Result<_, Failure> {
            let options = self.0.export_options("visibility", scale)?;
            Ok(options.product(&self.0.scene, Format::Png)?.encode(Format::Png)?)
        };
        py.detach(paint).map_err(failed)
    }

    /// A panorama as the bytes of a PNG file.
    fn panorama(&self, py: Python<'_>, azimuth: f64, field: f64, size: (u32, u32)) -> PyResult<Vec<u8>> {
        let options = PanoramaOptions::default()
            .with_middle_deg(azimuth)
            .with_field_deg(field)
            .with_width(size.0)
            .with_height(size.1);
        let paint = || -> Result<_, Failure> {
            let panorama = PanoramaPainter::default().paint(&self.0.scene, &options, &[]).map_err(Failure::invalid)?;
            let picture = panorama.picture();
            let mut bytes = Vec::new();
            let [width, height] = [picture.width(), picture.height()].map(|side| side as u32);
            write_picture(&mut bytes, width, height, picture.rgba(), None)?;
            Ok(bytes)
        };
        py.detach(paint).map_err(failed)
    }

    fn save(&self, py: Python<'_>, path: PathBuf, layer: &str, scale: Option<u32>) -> PyResult<()> {
        let write = || -> Result<_, Failure> {
            let format = Format::from_path(&path).map_err(Failure::invalid)?;
            let options = self.0.export_options(layer, scale)?;
            let product = options.product(&self.0.scene, format)?;
            Ok(save(&path, |out| product.write(format.into(), farsight::Job::none(), out))?)
        };
        py.detach(write).map_err(failed)
    }

    /// Writes the walk through some cells as an animation.
    fn save_walk(
        &self,
        py: Python<'_>,
        points: PyReadonlyArray2<'_, i32>,
        path: PathBuf,
        film: FilmRequest,
    ) -> PyResult<()> {
        let FilmRequest { scale, frame, frames_per_second, panorama } = film;
        let points = cells_of(&points)?;
        let crop = frame.map_or(FilmCrop::Auto, |cells| FilmCrop::Cells(cells.into()));
        let options = FilmOptions::default().with_scale(scale).with_crop(crop).with_panorama(panorama);
        let options = options.with_delay_cs(100.0 / frames_per_second);
        interruptible(py, |job| self.0.save_walk(&points, &path, options, job))
    }
}
