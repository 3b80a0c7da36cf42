//! Scenes: a world or a map, its viewer, and their layers, pictures and films.

use std::path::Path;

use farsight::glam::IVec2;
use farsight::grid::CellRect;
use farsight::{Grid, Job, OpacityMap};
use farsight_scene::explain::Explanation;
use farsight_scene::export::{ExportOptions, Link, PictureStyle};
use farsight_scene::files::save;
use farsight_scene::film::{Film, FilmOptions, Itinerary};
use farsight_scene::paint::Unseen;
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Layer, Scene};
use farsight_scene::world::{CellSizes, Ground};
use serde_json::json;

use crate::failure::Failure;

/// The land of a scene.
pub enum SceneLand {
    /// A world from the seed of the preset.
    Generated,
    /// A map of opacities.
    Opacities(OpacityMap),
    /// Metres over the sea, and the cell size in metres.
    Heights {
        /// The heights.
        ground: Grid<f32>,
        /// Width and height of a cell.
        cell_size: (f64, f64),
    },
}

/// A scene and the name of its preset.
pub struct NamedScene {
    /// The scene.
    pub scene: Scene,
    name: String,
    is_generated: bool,
}

impl NamedScene {
    /// Creates a scene from a shipped preset or a file, changed by keys and values in TOML or JSON. The default preset
    /// is that of the land, the default viewer a cell with a varied view.
    ///
    /// # Errors
    /// For invalid presets, keys and values, and as [`Scene::generate`].
    pub fn new<'s>(
        preset: Option<&str>,
        settings: impl IntoIterator<Item = (&'s str, &'s str)>,
        land: SceneLand,
        viewer: Option<IVec2>,
        job: Job<'_>,
    ) -> Result<Self, Failure> {
        let name = match (preset, &land) {
            (Some(name), _) => name,
            (None, SceneLand::Generated) => Preset::DEFAULT_NAME,
            (None, SceneLand::Opacities(_)) => "",
            (None, SceneLand::Heights { .. }) => "viewshed",
        };
        let mut preset = match name {
            "" => Preset::bare_kernel(),
            name => Preset::named(name).map_err(Failure::invalid)?,
        };
        for (key, value) in settings {
            preset.set(key, value).map_err(|error| Failure::invalid(error.with_origin("settings")))?;
        }
        let is_generated = matches!(land, SceneLand::Generated);
        let scene = match land {
            SceneLand::Generated => Scene::generate(preset, viewer, job),
            SceneLand::Opacities(map) => Scene::from_map(preset, map, viewer, job),
            SceneLand::Heights { ground, cell_size: (x_m, y_m) } => {
                preset.world.cell_size_m = (x_m * y_m).sqrt();
                let ground = Ground::new(ground).with_cell_sizes(CellSizes::Equal([x_m, y_m]));
                Scene::from_dem(preset, ground, viewer, job)
            }
        };
        Ok(Self { scene: scene?, name: name.to_owned(), is_generated })
    }

    /// Returns the query of the link that shows the scene, or `None` on a map, which links cannot contain.
    pub fn link(&self) -> Option<String> {
        self.is_generated.then(|| {
            let mut link = Link::new(&self.name, self.scene.present_preset());
            link.viewer = Some(self.scene.viewer());
            link.query()
        })
    }

    /// Computes a layer of all cells.
    ///
    /// # Errors
    /// For unknown names, and as [`Scene::layer`].
    pub fn layer(&self, name: &str) -> Result<Grid<f32>, Failure> {
        let layer: Layer = name.parse().map_err(Failure::invalid)?;
        Ok(self.scene.layer(layer, CellRect::of_size(self.scene.size()))?)
    }

    /// Returns the explanation of the visibility of a cell, as a JSON object: `viewer`, `target`, `radius`,
    /// `perceived`, `sentence`, and `losses` with a `cause`, its `share` and its places.
    ///
    /// # Errors
    /// As [`Explanation::of`].
    pub fn explanation(&self, target: IVec2) -> Result<String, Failure> {
        let explanation = Explanation::of(&self.scene, target)?;
        let losses = explanation.losses.iter().map(|loss| {
            let places = loss.regions.iter();
            let places: Vec<_> =
                places.map(|place| json!({"cell": place.cell.to_array(), "gain": place.gain})).collect();
            json!({"cause": loss.cause.name(), "share": loss.share, "places": places})
        });
        let object = json!({
            "viewer": explanation.viewer.to_array(),
            "target": explanation.target.to_array(),
            "radius": explanation.radius,
            "perceived": explanation.perceived,
            "sentence": explanation.sentence(),
            "losses": losses.collect::<Vec<_>>(),
        });
        Ok(object.to_string())
    }

    /// Returns the options of an export of a layer.
    ///
    /// # Errors
    /// For names that are unknown.
    pub fn export_options(&self, layer: &str, scale: Option<u32>) -> Result<ExportOptions, Failure> {
        let layer: Layer = layer.parse().map_err(Failure::invalid)?;
        let style = PictureStyle::Painted { scale, unseen: Unseen::Mapped };
        Ok(ExportOptions::default().with_layer(layer).with_name(&*self.name).with_style(style))
    }

    /// Writes the walk from the viewer through some points as an animation, `.gif` or `.apng`; the scene does not
    /// change.
    ///
    /// # Errors
    /// For other extensions, for too few or too many frames per second, and as [`Itinerary::along`] and [`Film::new`].
    pub fn save_walk(&self, points: &[IVec2], path: &Path, options: FilmOptions, job: Job<'_>) -> Result<(), Failure> {
        let is_gif = match path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).as_deref() {
            Some("gif") => true,
            Some("apng") => false,
            _ => {
                let path = path.display();
                return Err(Failure::invalid(format!("\"{path}\" is no film: expected the extension .gif or .apng")));
            }
        };
        let delays = FilmOptions::DELAYS_CS;
        if !delays.contains(&options.delay_cs) {
            let [found, least, most] =
                [options.delay_cs, *delays.end(), *delays.start()].map(|delay_cs| 100.0 / delay_cs);
            return Err(Failure::invalid(format!(
                "{found} frames a second are not accepted: expected {least:.3} to {most}"
            )));
        }
        if let Some(scale) = options.scale.filter(|scale| !(1..=64).contains(scale)) {
            return Err(Failure::invalid(format!("scale: {scale} is not valid: expected 1 to 64 pixels a cell")));
        }
        let walk = Itinerary::along(&self.scene, points)?;
        let film = Film::new(&self.scene, walk, options.with_name(&*self.name), job)?;
        Ok(save(path, |out| if is_gif { film.write_gif(out, job) } else { film.write_apng(out, job) })?)
    }
}
