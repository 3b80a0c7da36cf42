//! [`Film`]: a walk, ready to be painted frame after frame and written.

use std::io::Write;

use glam::{IVec2, ivec2};

use super::apng::ApngWriter;
use super::caption::Caption;
use super::error::FilmError;
use super::gif::GifWriter;
use super::itinerary::Itinerary;
use super::moment::{Moment, survey};
use super::options::FilmOptions;
use super::palette::{Census, Palette};
use super::tracking::corners;
use crate::export::{ExportOptions, PictureStyle, provenance};
use crate::files::{Provenance, WriteError};
use crate::grid::CellRect;
use crate::job::Job;
use crate::paint::{Backdrop, PaintOptions, Picture, Zoom, paint};
use crate::scene::Scene;
use crate::sight::SightError;

/// The longer side of a picture, about, in pixels, if nobody says.
const PICTURE_SIDE: i32 = 480;

/// A frame has no more pixels than this: 4096 × 4096.
const MOST_PIXELS: i64 = 1 << 24;

/// All frames together have no more pixels than this.
const MOST_PIXELS_IN_ALL: i64 = 1 << 33;

/// A side has no more pixels than this, which is the most that a `.gif` can say.
const LONGEST_SIDE: i64 = u16::MAX as i64;

/// A walk, ready to be painted frame after frame and written.
///
/// ```
/// use farsight::glam::ivec2;
/// use farsight::film::{Film, FilmOptions, Itinerary};
/// use farsight::Job;
/// use farsight::OpacityMap;
/// use farsight::preset::Preset;
/// use farsight::scene::Scene;
/// let scene = Scene::on_map(Preset::default(), OpacityMap::clear(40, 30)?, Some(ivec2(5, 5)), farsight::Job::quiet())?;
/// let walk = Itinerary::along(&scene, &[ivec2(20, 25)])?;
/// let film = Film::new(&scene, walk, FilmOptions::default(), &Job::quiet())?;
/// let mut gif = Vec::new();
/// film.write_gif(&mut gif, &Job::quiet())?;
/// assert_eq!((film.frames(), film.size().x), (21, 480));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Film<'a> {
    scene: &'a Scene,
    itinerary: Itinerary,
    options: FilmOptions,
    moments: Vec<Moment>,
    /// The upper left corner of the picture after each step, in pixels of the whole map.
    corners: Vec<IVec2>,
    zoom: Zoom,
    /// Size of the view, without the caption.
    view: IVec2,
}

impl<'a> Film<'a> {
    /// Walks through the scene, which stays as it is, and notes what there is to tell. The itinerary must begin where
    /// the viewer of the scene stands.
    ///
    /// # Errors
    /// [`FilmError::FrameTooLarge`], [`FilmError::TooManyPixels`], [`FilmError::Sight`], [`FilmError::Cancelled`].
    pub fn new(scene: &'a Scene, itinerary: Itinerary, options: FilmOptions, job: &Job) -> Result<Self, FilmError> {
        let cells = options.frame.cells(scene.size());
        let zoom = zoom(cells, options.scale);
        let view = zoom.picture_size(cells);
        check_size(cells, view, options.scale)?;
        let pixels_of = |cell: i32| match zoom {
            Zoom::PixelsPerCell(side) => i64::from(cell) * i64::from(side),
            Zoom::CellsPerPixel(stride) => i64::from(cell) / i64::from(stride),
        };
        // A frame that ends within a pixel of several cells may show a pixel less of the map than there is.
        let map = ivec2(pixels_of(scene.size().x) as i32, pixels_of(scene.size().y) as i32).max(view);
        let corners = corners(itinerary.cells(), map, view, pixels_of);
        let frame_every = options.every.max(1) as usize;
        let mut film = Self { scene, itinerary, options, moments: Vec::new(), corners, zoom, view };
        let (frames, [width, height]) = (film.frames(), [view.x, view.y]);
        if frames as i64 * i64::from(width) * i64::from(height) > MOST_PIXELS_IN_ALL {
            return Err(FilmError::TooManyPixels { frames, width, height, limit: MOST_PIXELS_IN_ALL });
        }
        film.moments = survey(scene, &film.itinerary, frame_every, job)?;
        Ok(film)
    }

    /// How many frames there are: one at the start, and one for every step that has one.
    pub fn frames(&self) -> usize {
        self.itinerary.steps().div_ceil(self.every()) + 1
    }

    /// Width and height of a frame in pixels, with the caption.
    pub fn size(&self) -> IVec2 {
        self.view + ivec2(0, self.caption().map_or(0, |caption| caption.height() as i32))
    }

    /// The cells that are walked on.
    pub fn itinerary(&self) -> &Itinerary {
        &self.itinerary
    }

    /// Which scene the film shows; and which walk, where the scene was one in which nobody had walked yet, so that the
    /// film can be made again.
    pub fn provenance(&self) -> Provenance {
        let FilmOptions { scale, unseen, ref name, ref map, .. } = self.options;
        let options = ExportOptions {
            style: PictureStyle::Painted { scale, unseen },
            name: name.clone(),
            map: map.clone(),
            ..ExportOptions::default()
        };
        let mut provenance = provenance(self.scene, &options, CellRect::of_size(self.scene.size()));
        if self.scene.is_fresh() {
            provenance.more.insert("film".into(), self.options.settings(self.itinerary.points()));
        }
        provenance
    }

    /// Walks, and paints every frame: its number, how long it is shown in hundredths of a second, and its pixels.
    ///
    /// # Errors
    /// What `see` fails with; [`WriteError::Encode`] where the job is stopped.
    pub fn play(
        &self,
        job: &Job,
        mut see: impl FnMut(usize, u16, &Picture) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        self.watch(job, "filming", |frame, delay_cs, picture| see(frame, delay_cs, picture))
    }

    fn watch(
        &self,
        job: &Job,
        stage: &'static str,
        mut see: impl FnMut(usize, u16, &Picture) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        let caption = self.caption();
        let (last, every) = (self.itinerary.steps(), self.every());
        let mut frame = 0;
        let walked = self.itinerary.walk(self.scene, |step, scene| {
            job.report(stage, step as f32 / (last + 1) as f32).map_err(|stopped| Halt::Film(stopped.into()))?;
            if step % every != 0 && step != last {
                return Ok(());
            }
            let view = self.view_of(scene, self.corners[step]);
            let picture = match &caption {
                Some(caption) => view.above(&caption.draw(step)),
                None => view,
            };
            let hold_cs = if step == last { self.options.hold_cs } else { 0 };
            see(frame, self.options.delay_cs.saturating_add(hold_cs), &picture).map_err(Halt::Write)?;
            frame += 1;
            Ok(())
        });
        walked.map_err(|halt| match halt {
            Halt::Film(error) => WriteError::Encode(error.to_string()),
            Halt::Write(error) => error,
        })
    }

    /// Writes the film as `.gif`, in two walks: one chooses the palette, the other writes.
    ///
    /// # Errors
    /// [`WriteError`] if the writer fails or the job is stopped.
    pub fn write_gif(&self, out: impl Write, job: &Job) -> Result<(), WriteError> {
        let mut census = Census::default();
        self.watch(job, "palette", |_, _, picture| {
            census.count(picture);
            Ok(())
        })?;
        // One index is kept for what does not change.
        let palette = Palette::choose(&census, usize::from(self.options.colours).clamp(2, 256) - 1);
        let size = self.size().to_array().map(|pixels| pixels as u16);
        let mut writer = GifWriter::new(out, size, palette, &self.provenance())?;
        self.play(job, |_, delay_cs, picture| writer.add(picture, delay_cs))?;
        writer.finish()
    }

    /// Writes the film as `.apng`, with every pixel as it was painted.
    ///
    /// # Errors
    /// [`WriteError`] if the writer fails or the job is stopped.
    pub fn write_apng(&self, out: impl Write, job: &Job) -> Result<(), WriteError> {
        let size = self.size().to_array().map(|pixels| pixels as u32);
        let mut writer = ApngWriter::new(out, size, self.frames() as u32, &self.provenance())?;
        self.play(job, |_, delay_cs, picture| writer.add(picture, delay_cs))?;
        writer.finish()
    }

    /// What the frame shows whose upper left corner lies on a pixel of the whole map.
    fn view_of(&self, scene: &Scene, corner: IVec2) -> Picture {
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
        let options = PaintOptions { frame, zoom: self.zoom, backdrop: Backdrop::Land, unseen: self.options.unseen };
        paint(scene, &options).cut_out(inset, self.view)
    }

    fn caption(&self) -> Option<Caption<'_>> {
        self.options.caption.then(|| Caption::new(&self.moments, self.view.x as usize))
    }

    fn every(&self) -> usize {
        self.options.every.max(1) as usize
    }
}

/// Why a walk ended before its end.
enum Halt {
    Film(FilmError),
    Write(WriteError),
}

impl From<SightError> for Halt {
    fn from(error: SightError) -> Self {
        Self::Film(error.into())
    }
}

fn zoom(cells: IVec2, scale: Option<u32>) -> Zoom {
    let side = cells.max_element().max(1);
    match scale {
        Some(scale) => Zoom::PixelsPerCell(scale.max(1)),
        None if side >= 2 * PICTURE_SIDE => Zoom::CellsPerPixel((side / PICTURE_SIDE) as u32),
        None => Zoom::PixelsPerCell((PICTURE_SIDE / side).clamp(1, 32) as u32),
    }
}

fn check_size(cells: IVec2, view: IVec2, scale: Option<u32>) -> Result<(), FilmError> {
    let [width, height] = match scale {
        Some(scale) => cells.to_array().map(|cells| i64::from(cells) * i64::from(scale)),
        None => view.to_array().map(i64::from),
    };
    // The caption needs some of the height.
    if width * height > MOST_PIXELS || width > LONGEST_SIDE || height > LONGEST_SIDE - 200 {
        return Err(FilmError::FrameTooLarge { scale: scale.unwrap_or(1), width, height, limit: MOST_PIXELS });
    }
    Ok(())
}
