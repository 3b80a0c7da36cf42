//! [`MapPainter`]: a scene in the map look.

use std::sync::Arc;

use glam::{IVec2, Vec2};

use super::clear_line::draw_clear_line;
use super::ground_fields::CellGroups;
use super::labels::MapLabels;
use super::land_picture::{LandPicture, UnfinishedLandPicture};
use super::resample::Field;
use super::room_fields::RoomFields;
use super::sight_blend::SightBlend;
use super::sight_fields::{Air, LandKind, Sample, SightFields};
use super::sky_light::SkyLight;
use super::viewport::Viewport;
use crate::paint::options::{PaintOptions, Unseen};
use crate::paint::picture::Picture;
use crate::scene::{Scene, Terrain};
use crate::world::{Stroke, World, differing_cells};
use farsight::grid::CellRect;
use farsight::perception::Recognition;

/// Paints scenes in the map look. It caches the land, so that a step only blends the cells that it changes.
#[derive(Default)]
pub(crate) struct MapPainter {
    land: Option<(LandPictureKey, LandPicture)>,
    unfinished: Option<(LandPictureKey, UnfinishedLandPicture)>,
    /// Whether only the land near the last strokes was repainted.
    pub(crate) is_draft: bool,
}

/// Margin of cells that is repainted around a stroke. Cells beyond the margin change by less than one level: hill
/// shading depends on the ruggedness of the region.
const DRAFT_REACH: i32 = 3;

fn groups(scene: &Scene, options: &PaintOptions) -> CellGroups {
    CellGroups { stride: options.zoom.stride(), size: scene.size() }
}

/// Returns the pixels of a picture.
fn viewport(options: &PaintOptions) -> Viewport {
    let scale = Vec2::splat(options.zoom.side() as f32) * options.factors();
    let origin = (options.frame.min.as_vec2() / options.zoom.stride() as f32 * scale).round().as_ivec2();
    Viewport { origin, scale, size: options.picture_size() }
}

/// The maximum number of pixels painted at once: a 4K screen.
const LARGEST_STRIP: usize = 1 << 23;

/// The minimum side of a cell, in pixels, with a line around identified cells.
const LEAST_SIDE_WITH_LINE: f32 = 3.0;

/// Returns `true` if a picture has a line around identified cells.
pub(crate) fn has_clear_line(scene: &Scene, options: &PaintOptions) -> bool {
    let is_large = viewport(options).side() >= LEAST_SIDE_WITH_LINE;
    scene.preset().paint.contours && scene.world().is_some() && is_large
}

/// The margin in cells around the picture in which the outline of identified cells is traced. The dashes of an outline
/// that is closed within it do not move while the map scrolls.
const LINE_MARGIN: i32 = 48;

/// The inputs of the pixels of the land.
struct LandPictureKey {
    source: LandSource,
    groups: CellGroups,
    is_night: bool,
    unseen: Unseen,
}

/// The source of the pixels of the land.
enum LandSource {
    /// The world without strokes, and the strokes: the scene owns the world with strokes and changes it in place.
    World {
        base: Arc<World>,
        strokes: Arc<Vec<Stroke>>,
    },
    Rooms(RoomFields),
}

impl LandPictureKey {
    fn of(scene: &Scene, groups: CellGroups, viewport: &Viewport, (sky, unseen): (&SkyLight, Unseen)) -> Self {
        let source = match scene.terrain() {
            Terrain::World(optics) => LandSource::World {
                base: Arc::clone(scene.world_and_strokes().map_or(optics.world(), |(world, _)| world)),
                strokes: Arc::clone(scene.painted_strokes()),
            },
            Terrain::Map(map) => LandSource::Rooms(RoomFields::new(map, groups, viewport)),
        };
        Self { source, groups, is_night: sky.is_night(), unseen }
    }

    /// Returns `true` if land with this key is valid for another key.
    fn agrees_with(&self, other: &Self) -> bool {
        let is_same = match (&self.source, &other.source) {
            (LandSource::World { base: old, strokes: old_strokes }, LandSource::World { base, strokes }) => {
                Arc::ptr_eq(old, base) && old_strokes == strokes
            }
            (LandSource::Rooms(old), LandSource::Rooms(new)) => old.agree_with(new),
            _ => false,
        };
        is_same && (self.groups, self.is_night, self.unseen) == (other.groups, other.is_night, other.unseen)
    }
}

impl LandPictureKey {
    /// Returns the cells that strokes change, if strokes are the only difference between this key and another.
    fn cells_of_other_strokes(&self, other: &Self) -> Option<CellRect> {
        let (LandSource::World { base, strokes: old }, LandSource::World { base: same, strokes: new }) =
            (&self.source, &other.source)
        else {
            return None;
        };
        let is_alike = Arc::ptr_eq(base, same)
            && (self.groups, self.is_night, self.unseen) == (other.groups, other.is_night, other.unseen);
        if is_alike { differing_cells(old, new, self.groups.size) } else { None }
    }
}

impl MapPainter {
    /// Returns the maximum memory in bytes for painting a picture of some pixels, without the picture.
    pub(crate) fn bytes(pixels: u64) -> u64 {
        /// Measured: the layers of the land, twice while they grow, their blurs, and the masks of rivers.
        const BYTES_PER_PIXEL: u64 = 56;
        /// Noise, stamps of trees, letters, and fragmentation.
        const BASE_BYTES: u64 = 12 << 20;
        BASE_BYTES + pixels.min(LARGEST_STRIP as u64) * BYTES_PER_PIXEL
    }

    /// Paints a scene without marks and names.
    pub(crate) fn paint_ground(&mut self, scene: &Scene, options: &PaintOptions) -> Picture {
        let (groups, viewport) = (groups(scene, options), viewport(options));
        let sky = SkyLight::of(scene);
        let mut picture = Picture::new(viewport.width(), viewport.height(), [0.0; 3]);
        if viewport.width() == 0 || viewport.height() == 0 {
            return picture;
        }
        // The land of a large picture would take much memory.
        let rows = (LARGEST_STRIP / viewport.width()).max(1);
        for (strip, bytes) in picture.bytes_mut().chunks_mut(4 * viewport.width() * rows).enumerate() {
            let origin = viewport.origin + IVec2::new(0, (strip * rows) as i32);
            let height = bytes.len() / (4 * viewport.width());
            let strip = Viewport { origin, size: IVec2::new(viewport.size.x, height as i32), ..viewport };
            self.paint_strip(scene, groups, &strip, (sky, options.unseen), bytes);
        }
        if has_clear_line(scene, options) {
            let frame = scene.seen_frame();
            let near = CellRect { min: frame.min / groups.stride - 4, max: frame.max / groups.stride + 5 };
            let near = near.intersect(viewport.cells(LINE_MARGIN));
            if near.width() >= 4 && near.height() >= 4 {
                let senses = Field::from_fn(near, |group| {
                    let is_on_map = groups.rect().contains(group);
                    if is_on_map { scene.sense(groups.middle(group)) } else { Recognition::Hidden }
                });
                draw_clear_line(&mut picture, &viewport, &senses, sky.night);
            }
        }
        picture
    }

    fn paint_strip(
        &mut self,
        scene: &Scene,
        groups: CellGroups,
        viewport: &Viewport,
        (sky, unseen): (SkyLight, Unseen),
        bytes: &mut [u8],
    ) {
        let (key, land) = self.land(scene, groups, viewport, (&sky, unseen));
        let (setting, fog) = match &key.source {
            LandSource::World { .. } => {
                let air = air(scene);
                (LandKind::Country(air), air.fog)
            }
            LandSource::Rooms(rooms) => (LandKind::Rooms(rooms), 0.0),
        };
        let fields = SightFields::new(scene, groups, viewport, (&sky, setting));
        SightBlend::new(land, &fields, (sky, fog)).paint(bytes);
    }

    /// Paints a sample of a scene for a legend.
    pub(crate) fn paint_sample(&mut self, scene: &Scene, viewport: &Viewport, sample: Sample) -> Picture {
        let groups = CellGroups { stride: 1, size: scene.size() };
        let sky = SkyLight::of(scene);
        let mut picture = Picture::new(viewport.width(), viewport.height(), [0.0; 3]);
        let (_, land) = self.land(scene, groups, viewport, (&sky, Unseen::Mapped));
        let fields = SightFields::sample(viewport, sample);
        SightBlend::new(land, &fields, (sky, fogginess(scene.visual_range_m()))).paint(picture.bytes_mut());
        picture
    }

    /// Draws the names on a picture, which avoid some rectangles.
    pub(crate) fn draw_names(picture: &mut Picture, scene: &Scene, options: &PaintOptions, taken: Vec<(Vec2, Vec2)>) {
        let (groups, viewport) = (groups(scene, options), viewport(options));
        let is_dark = SkyLight::of(scene).is_night();
        MapLabels::new(scene, groups, &viewport, (options.unseen, is_dark), taken).draw(picture);
    }

    /// Paints about the given number of pixels of the land of a picture. Returns `true` once it is complete, or nearly,
    /// so that the picture costs little.
    pub(crate) fn prepare(&mut self, scene: &Scene, options: &PaintOptions, pixels: usize) -> bool {
        let (groups, viewport) = (groups(scene, options), viewport(options));
        if viewport.width() * viewport.height() > LARGEST_STRIP {
            return true; // is painted in strips
        }
        let sky = SkyLight::of(scene);
        let key = LandPictureKey::of(scene, groups, &viewport, (&sky, options.unseen));
        let is_wanted =
            |(kept, land): &(LandPictureKey, LandPicture)| kept.agrees_with(&key) && land.viewport == viewport;
        if self.land.as_ref().is_some_and(is_wanted) {
            return true;
        }
        if self.draft(scene, &key, &viewport, (&sky, options.unseen)) {
            return true;
        }
        self.go_on(scene, key, &viewport, (&sky, options.unseen), pixels)
    }

    /// Repaints the land near strokes, if strokes are the only change. Returns `true` if they are.
    fn draft(
        &mut self,
        scene: &Scene,
        key: &LandPictureKey,
        viewport: &Viewport,
        (sky, unseen): (&SkyLight, Unseen),
    ) -> bool {
        let Some((kept, land)) = self.land.as_mut().filter(|(_, land)| land.viewport == *viewport) else {
            return false;
        };
        let Some(cells) = kept.cells_of_other_strokes(key) else { return false };
        let stride = key.groups.stride;
        let near = CellRect { min: cells.min / stride - DRAFT_REACH, max: cells.max / stride + 1 + DRAFT_REACH };
        let [low, high] = [near.min, near.max].map(|corner| (corner.as_vec2() * viewport.scale).as_ivec2());
        let near = Viewport { origin: low, size: high - low, ..*viewport };
        if let Some(part) = near.shared_with(viewport) {
            land.paint_part(&part, |part| paint_part(key, scene, part, (sky, unseen)));
        }
        if let (LandSource::World { strokes: old, .. }, LandSource::World { strokes, .. }) =
            (&mut kept.source, &key.source)
        {
            *old = Arc::clone(strokes);
        }
        (self.is_draft, self.unfinished) = (true, None);
        true
    }

    /// Repaints about the given number of pixels of the land of a picture after a repaint of only the part near the
    /// last strokes. Returns `true` once all of it equals that of a new picture.
    pub(crate) fn refine(&mut self, scene: &Scene, options: &PaintOptions, pixels: usize) -> bool {
        if !self.is_draft {
            return true;
        }
        let (groups, viewport, sky) = (groups(scene, options), viewport(options), SkyLight::of(scene));
        let key = LandPictureKey::of(scene, groups, &viewport, (&sky, options.unseen));
        self.go_on(scene, key, &viewport, (&sky, options.unseen), pixels);
        !self.is_draft
    }

    /// Continues the land of a picture. Returns `true` once it is complete and was quick to paint.
    fn go_on(
        &mut self,
        scene: &Scene,
        key: LandPictureKey,
        viewport: &Viewport,
        (sky, unseen): (&SkyLight, Unseen),
        pixels: usize,
    ) -> bool {
        let begun = self
            .unfinished
            .take()
            .filter(|(begun, unfinished)| begun.agrees_with(&key) && unfinished.land.viewport == *viewport);
        let mut unfinished = match begun {
            Some((_, unfinished)) => unfinished,
            None => {
                let old = self.land.as_ref().filter(|(kept, _)| kept.agrees_with(&key) && !self.is_draft);
                UnfinishedLandPicture::new(viewport, old.map(|(_, land)| land))
            }
        };
        let painted = unfinished.paint(pixels, |part| paint_part(&key, scene, part, (sky, unseen)));
        if !unfinished.is_done() {
            self.unfinished = Some((key, unfinished));
            return false;
        }
        (self.land, self.is_draft) = (Some((key, unfinished.land)), false);
        painted <= pixels / 4
    }

    /// Returns the land of a picture. It reuses the overlap with the last picture.
    fn land(
        &mut self,
        scene: &Scene,
        groups: CellGroups,
        viewport: &Viewport,
        (sky, unseen): (&SkyLight, Unseen),
    ) -> (&LandPictureKey, &LandPicture) {
        let key = LandPictureKey::of(scene, groups, viewport, (sky, unseen));
        let kept = self.land.take().filter(|(kept, _)| kept.agrees_with(&key)).map(|(_, land)| land);
        let land = match kept {
            Some(land) if land.viewport == *viewport => land,
            old => {
                let old = old.filter(|_| !std::mem::take(&mut self.is_draft));
                let mut unfinished = UnfinishedLandPicture::new(viewport, old.as_ref());
                unfinished.paint(usize::MAX, |part| paint_part(&key, scene, part, (sky, unseen)));
                unfinished.land
            }
        };
        let (key, land) = self.land.insert((key, land));
        (key, land)
    }
}

/// Paints the land of a part of the map.
fn paint_part(key: &LandPictureKey, scene: &Scene, part: &Viewport, (sky, unseen): (&SkyLight, Unseen)) -> LandPicture {
    match scene.terrain() {
        Terrain::World(optics) => LandPicture::of_world(optics.world(), key.groups, part, (sky.sheet(), unseen)),
        Terrain::Map(map) => {
            LandPicture::of_rooms(&RoomFields::new(map, key.groups, part), part, (sky.sheet(), unseen))
        }
    }
}

/// Returns the air around the viewer of a world.
fn air(scene: &Scene) -> Air {
    /// The logarithm of the contrast of 2 % at the visual range (Koschmieder 1924).
    const LN_OF_CONTRAST: f32 = 3.912;
    let range_m = scene.visual_range_m();
    let side_m = scene.world().map_or(0.0, |world| world.shortest_side_m() as f32);
    Air { fog: fogginess(range_m), share_a_cell: LN_OF_CONTRAST * side_m / range_m }
}

/// Returns the fraction of fog in air of a visual range in metres: 1 at about a kilometre, 0 at 3 km or more.
pub(crate) fn fogginess(visual_range_m: f32) -> f32 {
    farsight::internal::math::smoothstep_f32(3000.0, 1200.0, visual_range_m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::options::Zoom;
    use crate::preset::Preset;
    use farsight::Job;
    use farsight::sight::OpacityMap;
    use glam::ivec2;

    fn scene(text: &str, light: f64) -> Scene {
        let mut preset = Preset::bare_kernel();
        (preset.optics.light, preset.optics.lantern) = (light, 3.0);
        Scene::from_map(preset, OpacityMap::from_text(text).unwrap(), None, Job::none()).unwrap()
    }

    fn options(frame: CellRect, zoom: Zoom) -> PaintOptions {
        PaintOptions::new(frame, zoom)
    }

    #[test]
    fn maps_are_painted_at_any_zoom_and_place() {
        for text in [".", "..\n#+", "#####\n#.'.#\n##1##\n.....", "....\n.5__\n.__#"] {
            for light in [1.0, 0.05] {
                let scene = scene(text, light);
                let near = CellRect { min: ivec2(-2, -1), max: scene.size() + 2 };
                let away = CellRect { min: ivec2(30, 40), max: ivec2(34, 44) };
                for frame in [near, away, CellRect::of_size(IVec2::ZERO)] {
                    for zoom in [1, 2, 5, 16, 48].map(Zoom::PixelsPerCell).into_iter().chain([Zoom::CellsPerPixel(3)]) {
                        for unseen in [Unseen::Remembered, Unseen::Mapped] {
                            let options = options(frame, zoom).with_unseen(unseen).with_stretch([1.0, 1.5]);
                            let picture = MapPainter::default().paint_ground(&scene, &options);
                            assert!(picture.rgba().chunks_exact(4).all(|pixel| pixel[3] == 255));
                        }
                    }
                }
            }
        }
    }

    /// Returns the mean of all channels of a cell.
    fn mean(picture: &Picture, side: usize, cell: IVec2) -> f64 {
        let rows = (cell.y as usize * side..).take(side);
        let pixels = rows.flat_map(|y| (cell.x as usize * side..).take(side).map(move |x| (x, y)));
        let sum: f64 = pixels
            .map(|(x, y)| {
                let at = 4 * (y * picture.width() + x);
                picture.rgba()[at..at + 3].iter().map(|&channel| f64::from(channel)).sum::<f64>()
            })
            .sum();
        sum / (3 * side * side) as f64
    }

    #[test]
    fn dim_floors_are_dark_and_no_floor_is_black() {
        let scene = scene("#############\n#...........#\n#############", 0.08);
        let frame = CellRect::of_size(scene.size());
        let picture = MapPainter::default().paint_ground(&scene, &options(frame, Zoom::PixelsPerCell(16)));
        let viewer = scene.viewer();
        let [near, far] = [1, 5].map(|step| mean(&picture, 16, viewer + IVec2::X * step));
        assert!(near > far + 30.0 && far > 20.0, "{near}, {far}");
    }

    #[test]
    fn a_kept_painter_paints_what_a_new_one_does() {
        let mut scene = scene("#########\n#...+...#\n#...#...#\n#########", 1.0);
        let mut kept = MapPainter::default();
        let whole = options(CellRect::of_size(scene.size()), Zoom::PixelsPerCell(12));
        let part = options(CellRect { min: ivec2(2, 1), max: ivec2(8, 4) }, Zoom::PixelsPerCell(12));
        for options in [whole, part, whole.with_unseen(Unseen::Mapped), whole] {
            let new = MapPainter::default().paint_ground(&scene, &options);
            assert!(kept.paint_ground(&scene, &options).rgba() == new.rgba());
        }
        let before = kept.paint_ground(&scene, &whole);
        let mut preset = scene.preset().clone();
        preset.cells.push(crate::preset::ChangedCell { at: ivec2(4, 1), opacity: 0.0 });
        scene.apply(preset).unwrap();
        let new = MapPainter::default().paint_ground(&scene, &whole);
        assert!(kept.paint_ground(&scene, &whole).rgba() == new.rgba() && new.rgba() != before.rgba());
    }
}
