//! [`Film`]: a walk that is painted frame by frame; [`ShownCells`]: the cells in its pictures.

use std::io::Write;

use glam::{IVec2, ivec2};

use super::camera::camera_corners;
use super::caption::{Caption, ShownState, StepState, simulate_walk};
use super::itinerary::Itinerary;
use super::options::{FilmError, FilmOptions};
use super::palette::{ColourHistogram, GifPalette};
use super::versus::{Versus, mix_pictures};
use super::writers::{ApngWriter, GifWriter};
use crate::export::{ExportOptions, PictureStyle, provenance};
use crate::files::{FrameSource, Provenance, WriteError};
use crate::paint::{PaintOptions, Painter, Picture, Zoom, painting_bytes};
use crate::panorama::{PanoramaError, PanoramaOptions, PanoramaPainter};
use crate::scene::{Scene, SceneCost, Terrain, check_film};
use farsight::Job;
use farsight::grid::CellRect;

/// The approximate longer side of a picture without a scale, in pixels.
const PICTURE_SIDE: i32 = 480;

/// The maximum number of pixels of a frame: 4096 × 4096.
const MAX_FRAME_PIXELS: i64 = 1 << 24;

/// The maximum number of pixels of all frames together.
const MAX_FILM_PIXELS: i64 = 1 << 33;

/// The maximum side of a `.gif` in pixels.
const MAX_SIDE: i64 = u16::MAX as i64;

/// An upper bound of the height of a caption, in pixels.
const CAPTION_HEIGHT: i64 = 200;

/// A walk that is painted frame by frame.
///
/// ```
/// use farsight::glam::ivec2;
/// use farsight_scene::film::{Film, FilmOptions, Itinerary};
/// use farsight::Job;
/// use farsight::OpacityMap;
/// use farsight_scene::preset::Preset;
/// use farsight_scene::scene::Scene;
/// let scene = Scene::from_map(Preset::default(), OpacityMap::clear(40, 30)?, Some(ivec2(5, 5)), farsight::Job::none())?;
/// let walk = Itinerary::along(&scene, &[ivec2(20, 25)])?;
/// let film = Film::new(&scene, walk, FilmOptions::default(), Job::none())?;
/// let mut gif = Vec::new();
/// film.write_gif(&mut gif, Job::none())?;
/// assert_eq!((film.frames(), film.size().x), (21, 480));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Film<'a> {
    scene: &'a Scene,
    /// The scene in the second state.
    second: Option<Scene>,
    itinerary: Itinerary,
    options: FilmOptions,
    steps_per_frame: usize,
    /// The states of the captions after each step, of the scene and of the second state.
    states: [Vec<StepState>; 2],
    /// The upper left corner of the picture after each step, in pixels of the whole map.
    corners: Vec<IVec2>,
    zoom: Zoom,
    /// The size of the picture without the caption, in pixels.
    view: IVec2,
}

impl<'a> Film<'a> {
    /// Walks through a copy of the scene and collects the states of the captions. The itinerary must start on the
    /// viewer's cell.
    ///
    /// # Errors
    /// [`FilmError::NoRoute`] if the second state has a wall on the walk; [`FilmError::FrameTooLarge`], [`FilmError::TooManyPixels`], [`FilmError::Panorama`], [`FilmError::Sight`],
    /// [`FilmError::Cancelled`].
    pub fn new(scene: &'a Scene, itinerary: Itinerary, options: FilmOptions, job: Job<'_>) -> Result<Self, FilmError> {
        let cells = options.crop.cells(scene.size());
        let zoom = choose_zoom(cells, options.scale);
        let view = zoom.picture_size(cells);
        check_frame_size(cells, view, options.scale)?;
        if options.panorama {
            strip_options(view).check()?;
            if !matches!(scene.terrain(), Terrain::World(_)) {
                return Err(PanoramaError::NoLand.into());
            }
        }
        let painting = painting_bytes(scene, &PaintOptions::new(CellRect::of_size(cells), zoom));
        let (copies, painting) = if options.versus.is_some() { (3, 2 * painting) } else { (1, painting) };
        check_film(scene.terrain(), scene.preset(), copies, view.to_array().map(i64::from), painting)?;
        let second = options.versus.as_ref().map(|versus| second_state(scene, versus, &itinerary)).transpose()?;
        let pixels_of = |cells: i32| match zoom {
            Zoom::PixelsPerCell(side) => i64::from(cells) * i64::from(side),
            Zoom::CellsPerPixel(stride) => i64::from(cells) / i64::from(stride),
        };
        // With several cells per pixel, the map may be a pixel smaller than the view.
        let map = ivec2(pixels_of(scene.size().x) as i32, pixels_of(scene.size().y) as i32).max(view);
        let corners = camera_corners(itinerary.cells(), map, view, pixels_of);
        let steps_per_frame = options.steps_per_frame.max(1) as usize;
        let states = [Vec::new(), Vec::new()];
        let mut film = Self { scene, second, itinerary, options, steps_per_frame, states, corners, zoom, view };
        let (frames, IVec2 { x: width, y: height }) = (film.frames(), view + film.strip());
        if frames as i64 * i64::from(width) * i64::from(height) > MAX_FILM_PIXELS {
            return Err(FilmError::TooManyPixels { frames, width, height, limit: MAX_FILM_PIXELS });
        }
        film.states[0] = simulate_walk(scene, &film.itinerary, steps_per_frame, job)?;
        if let Some(second) = &film.second {
            film.states[1] = simulate_walk(second, &film.itinerary, steps_per_frame, job)?;
        }
        Ok(film)
    }

    /// Estimates the cost of the film of a walk of `steps` steps in an existing scene, before computing it.
    pub fn cost(scene: &Scene, steps: usize, options: &FilmOptions) -> SceneCost {
        let cells = options.crop.cells(scene.size());
        let view = choose_zoom(cells, options.scale).picture_size(cells);
        let strip = if options.panorama { strip_size(view) } else { IVec2::ZERO };
        // A pixel of a panorama takes several times as long as a pixel of the map.
        let pixels = view.as_u64vec2().element_product() + 8 * strip.as_u64vec2().element_product();
        let every = options.steps_per_frame.max(1) as usize;
        let frames = last_step(steps, options, every).div_ceil(every) + 1;
        let second = options.versus.as_ref().map(|versus| &versus.preset);
        SceneCost::of_film(scene, second, steps as u64, frames as u64, pixels)
    }

    /// Returns the number of frames.
    pub fn frames(&self) -> usize {
        self.last_step().div_ceil(self.steps_per_frame) + 1
    }

    /// Returns the number of the last step, also for a viewer who stays.
    fn last_step(&self) -> usize {
        last_step(self.itinerary.steps(), &self.options, self.steps_per_frame)
    }

    /// Returns the width and height of a frame with its panorama and its caption, in pixels.
    pub fn size(&self) -> IVec2 {
        self.view + self.strip() + ivec2(0, self.caption(0).map_or(0, |caption| caption.height() as i32))
    }

    /// Returns the size of the panorama in a frame.
    fn strip(&self) -> IVec2 {
        if self.options.panorama { strip_size(self.view) * IVec2::Y } else { IVec2::ZERO }
    }

    /// Returns the cells of the walk.
    pub fn itinerary(&self) -> &Itinerary {
        &self.itinerary
    }

    /// Returns the provenance, with the options and the walk for [`FilmOptions::from_provenance`]. They are omitted if
    /// the walk continues an earlier one, because the scene is not reproducible then.
    pub fn provenance(&self) -> Provenance {
        let FilmOptions { scale, unseen, ref name, ref map, .. } = self.options;
        let style = PictureStyle::Painted { scale, unseen };
        let options = ExportOptions::default().with_style(style).with_name(name).with_map(map.clone());
        let mut provenance = provenance(self.scene, &options, CellRect::of_size(self.scene.size()));
        if self.scene.is_fresh() {
            let origin = self.scene.origin();
            let points: Vec<IVec2> = self.itinerary.points().iter().map(|point| *point + origin).collect();
            let settings = self.options.settings(&points);
            provenance.more.insert(FilmOptions::PROVENANCE_KEY.into(), settings);
        }
        provenance
    }

    /// Paints every frame and passes it to `visit`: its number from 0, its time in hundredths of a second, its pixels.
    ///
    /// # Errors
    /// The errors of `visit`; [`WriteError::Encode`] if the job is cancelled or a view cannot be computed.
    pub fn for_each_frame(
        &self,
        job: Job<'_>,
        visit: impl FnMut(usize, u16, &Picture) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        self.paint_frames(job, "filming", visit)
    }

    fn paint_frames(
        &self,
        job: Job<'_>,
        stage: &'static str,
        mut visit: impl FnMut(usize, u16, &Picture) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        let (last, frames) = (self.last_step(), self.frames());
        let mut first = FilmedState::new(self, self.scene, 0);
        let mut second = self.second.as_ref().map(|scene| FilmedState::new(self, scene, 1));
        for step in 0..=last {
            for state in [Some(&mut first), second.as_mut()].into_iter().flatten() {
                state.walk_to(step)?;
            }
            let done = step as f32 / (last + 1) as f32;
            job.report(stage, done).map_err(|cancelled| WriteError::Encode(cancelled.to_string()))?;
            if step % self.steps_per_frame != 0 && step != last {
                continue;
            }
            let frame = step.div_ceil(self.steps_per_frame);
            let picture = match &mut second {
                None => first.paint(step)?,
                Some(second) => match Versus::share(frame, frames, self.options.delay_cs) {
                    0.0 => first.paint(step)?,
                    1.0 => second.paint(step)?,
                    share => {
                        let mut picture = first.paint(step)?;
                        mix_pictures(&mut picture, &second.paint(step)?, share);
                        picture
                    }
                },
            };
            let delay_cs = self.options.whole_delay_cs(frame).saturating_add(self.hold_cs(frame));
            visit(frame, delay_cs, &picture)?;
        }
        Ok(())
    }

    /// Writes the film as `.gif`. Every frame is painted twice: first to choose the palette, then to write.
    ///
    /// # Errors
    /// [`WriteError`] if the writer fails or the job is cancelled.
    pub fn write_gif(&self, out: impl Write, job: Job<'_>) -> Result<(), WriteError> {
        let mut histogram = ColourHistogram::default();
        self.paint_frames(job, "palette", |_, _, picture| {
            histogram.add_frame(picture);
            Ok(())
        })?;
        // One index is for unchanged pixels.
        let palette = GifPalette::choose(&histogram, usize::from(self.options.colours).clamp(2, 256) - 1);
        let mut writer = GifWriter::new(out, self.size(), palette, &self.provenance())?;
        self.for_each_frame(job, |_, delay_cs, picture| writer.add(picture, delay_cs))?;
        writer.finish()
    }

    /// Writes the film as `.apng`, in exact colours.
    ///
    /// # Errors
    /// [`WriteError`] if the writer fails or the job is cancelled.
    pub fn write_apng(&self, out: impl Write, job: Job<'_>) -> Result<(), WriteError> {
        let mut writer = ApngWriter::new(out, self.size(), self.frames() as u32, &self.provenance())?;
        self.for_each_frame(job, |frame, _, picture| {
            writer.add(picture, self.options.exact_delay(self.hold_cs(frame)))
        })?;
        writer.finish()
    }

    /// Returns the additional duration of a frame, in hundredths of a second.
    fn hold_cs(&self, frame: usize) -> u16 {
        if frame + 1 == self.frames() { self.options.hold_cs } else { 0 }
    }

    /// Paints the part of the map whose upper left corner is a pixel of the whole map.
    fn paint_view(&self, painter: &mut Painter, scene: &Scene, corner: IVec2) -> Picture {
        let end = corner + self.view;
        let (frame, inset) = match self.zoom {
            Zoom::PixelsPerCell(side) => {
                let side = side as i32;
                let frame = CellRect { min: corner / side, max: (end + side - 1) / side };
                (frame, corner - frame.min * side)
            }
            Zoom::CellsPerPixel(stride) => {
                let stride = stride as i32;
                let max = (end * stride).min(self.scene.size());
                (CellRect { min: corner * stride, max }, IVec2::ZERO)
            }
        };
        let options = PaintOptions::new(frame, self.zoom).with_unseen(self.options.unseen);
        painter.paint(scene, &options).crop(inset, self.view)
    }

    /// Returns the caption of the scene, or of the second state.
    fn caption(&self, index: usize) -> Option<Caption<'_>> {
        let shown = self.options.versus.as_ref().map(|versus| ShownState { names: &versus.names, index });
        self.options.caption.then(|| Caption::new(&self.states[index], self.view.x as usize, shown))
    }
}

impl FrameSource for Film<'_> {
    fn provenance(&self) -> Provenance {
        Film::provenance(self)
    }

    fn for_each_frame(
        &self,
        job: Job<'_>,
        visit: &mut dyn FnMut(&Picture) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        Film::for_each_frame(self, job, |_, _, picture| visit(picture))
    }

    fn write_gif(&self, job: Job<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
        Film::write_gif(self, out, job)
    }

    fn write_apng(&self, job: Job<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
        Film::write_apng(self, out, job)
    }
}

/// A state of a film: the scene, or the second state.
struct FilmedState<'f> {
    film: &'f Film<'f>,
    scene: Scene,
    painter: Painter,
    panoramas: PanoramaPainter,
    strip: PanoramaOptions,
    caption: Option<Caption<'f>>,
}

impl<'f> FilmedState<'f> {
    fn new(film: &'f Film<'f>, scene: &Scene, index: usize) -> Self {
        Self {
            film,
            scene: scene.clone(),
            painter: Painter::default(),
            panoramas: PanoramaPainter::default(),
            strip: strip_options(film.view),
            caption: film.caption(index),
        }
    }

    /// Takes a step of the walk; after its end the viewer stays.
    fn walk_to(&mut self, step: usize) -> Result<(), WriteError> {
        let cells = self.film.itinerary.cells();
        if step > 0 && step < cells.len() {
            let step = cells[step] - cells[step - 1];
            self.scene.step(step).map_err(|error| WriteError::Encode(error.to_string()))?;
        }
        Ok(())
    }

    /// Paints the frame after a step.
    fn paint(&mut self, step: usize) -> Result<Picture, WriteError> {
        let Film { options, itinerary, corners, steps_per_frame, .. } = self.film;
        self.scene.set_time((step / steps_per_frame) as f64 * options.delay_cs / 100.0);
        let step = step.min(itinerary.steps());
        let mut picture = self.film.paint_view(&mut self.painter, &self.scene, corners[step]);
        if options.panorama {
            if let Some(map) = &options.map {
                self.strip.set_place(map, self.scene.origin() + self.scene.viewer());
            }
            let panorama = self.panoramas.paint(&self.scene, &self.strip, &[]);
            let panorama = panorama.map_err(|error| WriteError::Encode(error.to_string()))?;
            picture = picture.above(&panorama.picture());
            self.strip.exaggeration = Some(panorama.exaggeration()); // that of the first frame
        }
        Ok(match &self.caption {
            Some(caption) => picture.above(&caption.draw(step)),
            None => picture,
        })
    }
}

/// Returns the scene in the second state of a film.
fn second_state(scene: &Scene, versus: &Versus, itinerary: &Itinerary) -> Result<Scene, FilmError> {
    let mut second = scene.clone();
    second.apply(versus.preset.clone())?;
    if scene.is_fresh() {
        second.forget(); // what only the first state shows
    }
    let steps = itinerary.cells().windows(2).map(|step| [step[0], step[1]]);
    match steps.into_iter().find(|[_, to]| !second.terrain().can_enter(*to)) {
        Some([from, to]) => Err(FilmError::NoRoute { from: from + scene.origin(), to: to + scene.origin() }),
        None => Ok(second),
    }
}

/// Returns the number of the last step of a walk. A film without steps lasts as long as its fade.
fn last_step(steps: usize, options: &FilmOptions, steps_per_frame: usize) -> usize {
    match steps {
        0 if options.versus.is_some() => (Versus::frames_of_place(options.delay_cs) - 1) * steps_per_frame,
        steps => steps,
    }
}

/// Returns the size of the panorama below a view of the map.
fn strip_size(view: IVec2) -> IVec2 {
    ivec2(view.x, (view.x / 4).max(*PanoramaOptions::HEIGHTS.start() as i32))
}

fn strip_options(view: IVec2) -> PanoramaOptions {
    let size = strip_size(view).as_uvec2();
    PanoramaOptions::default().with_width(size.x).with_height(size.y)
}

fn choose_zoom(cells: IVec2, scale: Option<u32>) -> Zoom {
    let side = cells.max_element().max(1);
    match scale {
        Some(scale) => Zoom::PixelsPerCell(scale.max(1)),
        None if side >= 2 * PICTURE_SIDE => Zoom::CellsPerPixel((side / PICTURE_SIDE) as u32),
        None => Zoom::PixelsPerCell((PICTURE_SIDE / side).clamp(1, 32) as u32),
    }
}

fn check_frame_size(cells: IVec2, view: IVec2, scale: Option<u32>) -> Result<(), FilmError> {
    let [width, height] = match scale {
        Some(scale) => cells.to_array().map(|cells| i64::from(cells) * i64::from(scale)),
        None => view.to_array().map(i64::from),
    };
    if width * height > MAX_FRAME_PIXELS || width > MAX_SIDE || height > MAX_SIDE - CAPTION_HEIGHT {
        return Err(FilmError::FrameTooLarge { scale: scale.unwrap_or(1), width, height, limit: MAX_FRAME_PIXELS });
    }
    Ok(())
}

/// The margin of cells for the light on slopes.
const LIGHT_REACH: i32 = 2;

/// The cells in the pictures of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownCells {
    /// A rectangle that contains all cells of the pictures. It may extend beyond the map.
    pub frame: CellRect,
    /// The cells per pixel: a window of the map must start at a multiple of it.
    pub stride: i32,
}

impl ShownCells {
    /// Creates the window of the pictures of a walk within some cells of a map.
    pub fn new(options: &FilmOptions, walked: CellRect, map_size: IVec2) -> Self {
        let cells = options.crop.cells(map_size);
        let stride = match choose_zoom(cells, options.scale) {
            Zoom::CellsPerPixel(cells) => cells as i32,
            Zoom::PixelsPerCell(_) => 1,
        };
        let reach = cells + LIGHT_REACH + stride;
        Self { frame: CellRect { min: walked.min - reach, max: walked.max + reach }, stride }
    }
}
