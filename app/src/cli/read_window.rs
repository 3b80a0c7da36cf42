//! Reading the window of a heightmap in range of the views of a scene.

use std::sync::Arc;

use glam::IVec2;

use super::failure::Failure;
use super::partial_heightmap::PartialHeightmap;
use super::scene_request::{RequestedLand, SceneRequest};
use super::stdio::print_message;
use super::undeclared_nodata::undeclared_nodata;
use crate::document::Source;
use crate::stage_log::timed;
use farsight::grid::CellRect;
use farsight::sight::SightError;
use farsight_scene::files::MapSource;
use farsight_scene::film::{FilmError, FilmOptions, ShownCells};
use farsight_scene::scene::{SceneError, radius_over};
use farsight_scene::world::Ground;

/// Cells beyond the radius that a view reads, because heights are interpolated between a cell in sight and one out of
/// sight.
const MARGIN: u32 = 2;

impl SceneRequest {
    /// Returns `true` if the heightmap is read in part, and no window has been read yet.
    pub(crate) fn is_in_part(&self) -> bool {
        matches!(self.land, RequestedLand::Partial(_))
    }

    /// Returns the heightmap that is read in part. Refuses settings that need all of it.
    pub(crate) fn partial_heightmap(&self) -> Result<&PartialHeightmap, Failure> {
        let RequestedLand::Partial(partial) = &self.land else { unreachable!("the heightmap is read in part") };
        let refused = [
            ("world.sea_level_m", self.preset.world.sea_level_m.is_some(), "the sea starts at the edge of all of it"),
            (
                "perception.creatures",
                self.preset.perception.creatures > 0.0,
                "creatures live on all of it; set it to 0",
            ),
            ("--load", self.is_walk(), "a walk remembers all of it"),
            ("lamps", !self.preset.lamps.is_empty(), "lamps need all of it"),
            ("creatures", !self.preset.creatures.is_empty(), "creatures need all of it"),
            ("strokes", !self.preset.strokes.is_empty(), "strokes need all of it"),
        ];
        match refused.iter().find(|(_, is_set, _)| *is_set) {
            Some((key, _, reason)) => {
                let file = &partial.file;
                Err(Failure::usage(format!("{key}: {file} is read in part, and {reason}; --read whole reads it all")))
            }
            None => {
                self.check_names(partial.size)?;
                Ok(partial)
            }
        }
    }

    /// Checks that all names are on the raster: the scene omits those outside the window.
    fn check_names(&self, IVec2 { x: width, y: height }: IVec2) -> Result<(), Failure> {
        let map = CellRect::of_size(IVec2::new(width, height));
        match self.preset.names.iter().enumerate().find(|(_, named)| !map.contains(named.at)) {
            Some((i, named)) => {
                Err(self.named(SceneError::OffMap { what: format!("names[{i}]"), cell: named.at, width, height }))
            }
            None => Ok(()),
        }
    }

    /// Reads the window in range of the viewer and of the observers of the preset, including `cells`.
    pub(crate) fn read_window_of_view(&mut self, cells: Option<CellRect>) -> Result<(), Failure> {
        self.read_window_of_view_from(cells, 1)
    }

    /// [`read_window_of_view`](Self::read_window_of_view) of a window that starts at a multiple of `stride`.
    fn read_window_of_view_from(&mut self, cells: Option<CellRect>, stride: i32) -> Result<(), Failure> {
        let Some(viewer) = self.viewer else {
            let file = &self.partial_heightmap()?.file;
            let message = format!("{file} is read in part: give the viewer with --at X,Y or --at-coordinates E,N");
            return Err(Failure::usage(message));
        };
        let map = CellRect::of_size(self.size());
        let mut viewers = vec![viewer];
        for (i, observer) in self.preset.viewers.iter().enumerate() {
            if !map.contains(observer.at) {
                let what = format!("viewers[{i}]");
                return Err(self.named(SceneError::OffMap {
                    what,
                    cell: observer.at,
                    width: map.max.x,
                    height: map.max.y,
                }));
            }
            viewers.push(observer.at);
        }
        let cells = cells.map(|cells| cells.intersect(map)).filter(|cells| cells.width() > 0 && cells.height() > 0);
        self.read_window_from(&viewers, cells, stride)?;
        if !self.has_data(viewer) {
            return Err(SightError::ViewerWithoutData { viewer }.into());
        }
        match self.preset.viewers.iter().enumerate().find(|(_, observer)| !self.has_data(observer.at)) {
            Some((i, observer)) => {
                let (what, cell) = (format!("viewers[{i}]"), observer.at);
                Err(self.named(SceneError::NoGround { what, cell }))
            }
            None => Ok(()),
        }
    }

    /// Reads the window in range of views from some cells of the map, including `cells`.
    pub(crate) fn read_window(&mut self, viewers: &[IVec2], cells: Option<CellRect>) -> Result<(), Failure> {
        self.read_window_from(viewers, cells, 1)
    }

    fn read_window_from(&mut self, viewers: &[IVec2], cells: Option<CellRect>, stride: i32) -> Result<(), Failure> {
        let partial = self.partial_heightmap()?;
        let mut window = self.window_of(partial, viewers, cells)?;
        window.min -= window.min % stride;
        let mut source = self.options.map.clone().unwrap_or_default();
        let mut notes = Vec::new();
        let ground = timed("read the window of the heightmap", || partial.read(window, &mut source, &mut notes))?;
        self.notes.extend(notes);
        let RequestedLand::Partial(partial) = &self.land else { unreachable!("it was read from there") };
        self.notes.extend(undeclared_nodata(&partial.file, &ground.elevation_m));
        self.options.map = Some(source.clone());
        self.land = RequestedLand::Read(Source::Heightmap { map: source, ground: Arc::new(ground) });
        Ok(())
    }

    /// Reads the ground of the window in range of views from some cells of the map.
    pub(crate) fn ground_around(&self, viewers: &[IVec2]) -> Result<Ground, Failure> {
        let partial = self.partial_heightmap()?;
        let mut notes = Vec::new();
        let ground = partial.read(self.window_of(partial, viewers, None)?, &mut MapSource::default(), &mut notes)?;
        notes.iter().for_each(print_message);
        if let Some(warning) = undeclared_nodata(&partial.file, &ground.elevation_m) {
            print_message(warning);
        }
        Ok(ground)
    }

    /// Reads the window within a distance of the viewer; the whole heightmap if that is infinite.
    pub(crate) fn read_window_within(&mut self, max_distance_m: f64) -> Result<(), Failure> {
        let map = CellRect::of_size(self.size());
        let reach = |viewer| max_distance_m / self.cell_size_at(viewer).shorter_m() + f64::from(MARGIN);
        let within = |viewer| CellRect::around(viewer, reach(viewer).min(f64::from(map.max.max_element())) as u32);
        let in_range = self.viewer.filter(|_| max_distance_m.is_finite()).map(within);
        self.read_window_of_view(Some(in_range.unwrap_or(map)))
    }

    /// Reads the window in range of a walk through some points, including the pictures of its film.
    pub(crate) fn read_window_of_walk(&mut self, points: &[IVec2], options: &FilmOptions) -> Result<(), Failure> {
        let map = CellRect::of_size(self.size());
        if let Some(&point) = points.iter().find(|point| !map.contains(**point)) {
            return Err(FilmError::PointOutside { point, size: map.max }.into());
        }
        let cells = self.viewer.iter().chain(points).map(|&cell| CellRect::around(cell, 0));
        let Some(walked) = cells.reduce(CellRect::cover) else { return self.read_window_of_view(None) };
        let partial = self.partial_heightmap()?;
        let highest_m = match self.preset.optics.radius_per_100m > 0.0 {
            true => partial.heights_m(walked)?.as_slice().iter().copied().fold(0.0, f32::max), // NaN for nodata
            false => 0.0,
        };
        let reach = IVec2::splat((radius_over(&self.preset, highest_m) + MARGIN) as i32);
        let views = CellRect { min: walked.min - reach, max: walked.max + reach };
        let shown = ShownCells::new(options, walked, map.max);
        self.read_window_of_view_from(Some(views.cover(shown.frame)), shown.stride)
    }

    fn window_of(
        &self,
        partial: &PartialHeightmap,
        viewers: &[IVec2],
        cells: Option<CellRect>,
    ) -> Result<CellRect, Failure> {
        let mut window = cells;
        for &viewer in viewers {
            let height_m = if self.preset.optics.radius_per_100m > 0.0 { partial.height_m(viewer)? } else { 0.0 };
            let frame = CellRect::around(viewer, radius_over(&self.preset, height_m) + MARGIN);
            window = Some(window.map_or(frame, |window| window.cover(frame)));
        }
        let window = window.unwrap_or(CellRect::of_size(IVec2::ONE));
        Ok(window.intersect(CellRect::of_size(partial.size)))
    }
}
