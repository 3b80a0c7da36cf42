//! Scenes: a world or a map, its viewer, and what is made of them.

use std::path::PathBuf;

use farsight::explain::Explanation;
use farsight::export::{Export, ExportOptions, Link, PictureStyle};
use farsight::files::{FileError, Format, save, write_picture};
use farsight::glam::ivec2;
use farsight::grid::CellRect;
use farsight::paint::Unseen;
use farsight::panorama::{PanoramaOptions, PanoramaPainter};
use farsight::preset::Preset;
use farsight::scene::{Layer, Scene};
use farsight::world::{CellSizes, Ground};
use farsight::{Grid, OpacityMap};
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

use crate::arrays::{Values, array_of_grid};
use crate::errors::{explain_error, interruptible, scene_error, sight_error, value_error};

/// The land of a scene.
enum Land {
    Generated,
    Opacities(OpacityMap),
    Heights { ground: Grid<f32>, cell_size: (f64, f64) },
}

/// A scene; the class `Scene` of Python holds it.
#[pyclass(module = "farsight_fov._core")]
pub(crate) struct NativeScene {
    scene: Scene,
    /// The name of the preset.
    name: String,
    is_generated: bool,
}

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
                let values = Values::of(&opacity)?;
                Land::Opacities(OpacityMap::try_from(values.window(values.extent())).map_err(value_error)?)
            }
            (None, Some(heights)) => {
                let values = Values::of(&heights)?;
                Land::Heights { ground: values.window(values.extent()), cell_size }
            }
            (None, None) => Land::Generated,
        };
        let (mut preset, name) = match (preset, &land) {
            (Some(name), _) => (Preset::named(name).map_err(value_error)?, name.to_owned()),
            (None, Land::Generated) => (Preset::shipped_default(), Preset::DEFAULT_NAME.to_owned()),
            (None, Land::Opacities(_)) => (Preset::bare_kernel(), String::new()),
            (None, Land::Heights { .. }) => (Preset::named("viewshed").map_err(value_error)?, "viewshed".to_owned()),
        };
        for (key, value) in &settings {
            preset.set(key, value).map_err(|error| value_error(error.with_origin("settings")))?;
        }
        let (viewer, is_generated) = (viewer.map(|(x, y)| ivec2(x, y)), matches!(land, Land::Generated));
        let scene = interruptible(py, |job| match land {
            Land::Generated => Scene::generate(preset, viewer, job),
            Land::Opacities(map) => Scene::on_map(preset, map, viewer, job),
            Land::Heights { ground, cell_size: (x_m, y_m) } => {
                preset.world.cell_size_m = (x_m * y_m).sqrt();
                let ground = Ground::new(ground).with_cell_sizes(CellSizes::Equal([x_m, y_m]));
                Scene::on_owned_ground(preset, ground, viewer, job)
            }
        })?;
        Ok(Self { scene: scene.map_err(scene_error)?, name, is_generated })
    }

    #[getter]
    fn viewer(&self) -> (i32, i32) {
        self.scene.viewer().into()
    }

    /// Columns and rows.
    #[getter]
    fn size(&self) -> (i32, i32) {
        self.scene.size().into()
    }

    #[getter]
    fn preset(&self) -> String {
        self.scene.present_preset().to_toml()
    }

    #[getter]
    fn link(&self) -> PyResult<String> {
        if !self.is_generated {
            return Err(PyRuntimeError::new_err("a link holds no map: expected a scene of a generated world"));
        }
        let mut link = Link::new(&self.name, self.scene.present_preset());
        link.viewer = Some(self.scene.viewer());
        Ok(link.query())
    }

    fn summary(&self) -> String {
        self.scene.summary()
    }

    fn layer<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let layer: Layer = name.parse().map_err(value_error)?;
        let map = CellRect::of_size(self.scene.size());
        array_of_grid(py, py.detach(|| self.scene.layer(layer, map)).map_err(scene_error)?)
    }

    fn explain(&self, py: Python<'_>, target: (i32, i32)) -> PyResult<String> {
        let target = ivec2(target.0, target.1);
        let explanation = py.detach(|| Explanation::of(&self.scene, target)).map_err(explain_error)?;
        Ok(explanation.sentence())
    }

    fn place(&mut self, py: Python<'_>, viewer: (i32, i32)) -> PyResult<()> {
        py.detach(|| self.scene.place(viewer)).map_err(sight_error)
    }

    fn step(&mut self, py: Python<'_>, dx: i32, dy: i32) -> PyResult<bool> {
        py.detach(|| self.scene.step(ivec2(dx, dy))).map_err(sight_error)
    }

    fn wait(&mut self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.scene.wait()).map_err(sight_error)
    }

    fn set_hour(&mut self, py: Python<'_>, hour: f64) -> PyResult<()> {
        py.detach(|| self.scene.set_hour(hour)).map_err(scene_error)
    }

    /// A picture as the bytes of a PNG file.
    fn png(&self, py: Python<'_>, scale: Option<u32>) -> PyResult<Vec<u8>> {
        let options = self.options("visibility", scale)?;
        let mut bytes = Vec::new();
        py.detach(|| -> PyResult<()> {
            let export = Export::prepare(&self.scene, Format::Png, &options).map_err(scene_error)?;
            export.write(Format::Png, options.style, &mut bytes).map_err(value_error)
        })?;
        Ok(bytes)
    }

    /// A panorama as the bytes of a PNG file.
    fn panorama(&self, py: Python<'_>, azimuth: f64, field: f64, size: (u32, u32)) -> PyResult<Vec<u8>> {
        let options = PanoramaOptions::default()
            .with_middle_deg(azimuth)
            .with_field_deg(field)
            .with_width(size.0)
            .with_height(size.1);
        py.detach(|| {
            let panorama = PanoramaPainter::default().paint(&self.scene, &options, &[]).map_err(value_error)?;
            let picture = panorama.picture();
            let mut bytes = Vec::new();
            let [width, height] = [picture.width(), picture.height()].map(|side| side as u32);
            write_picture(&mut bytes, width, height, picture.rgba(), None).map_err(value_error)?;
            Ok(bytes)
        })
    }

    fn save(&self, py: Python<'_>, path: PathBuf, layer: &str, scale: Option<u32>) -> PyResult<()> {
        let format = Format::from_path(&path).map_err(value_error)?;
        let options = self.options(layer, scale)?;
        py.detach(|| {
            let export = Export::prepare(&self.scene, format, &options).map_err(scene_error)?;
            save(&path, |out| export.write(format, options.style, out)).map_err(|error| match error {
                FileError::Write { .. } => PyOSError::new_err(error.to_string()),
                _ => value_error(error),
            })
        })
    }
}

impl NativeScene {
    fn options(&self, layer: &str, scale: Option<u32>) -> PyResult<ExportOptions> {
        let layer: Layer = layer.parse().map_err(value_error)?;
        let style = PictureStyle::Painted { scale, unseen: Unseen::Mapped };
        Ok(ExportOptions::default().with_layer(layer).with_name(&*self.name).with_style(style))
    }
}
