//! [`LandPicture::of_rooms`]: an opacity map at a zoom: walls and floors, and their plan in ink.

use glam::Vec2;

use super::door_drawing::DoorDrawings;
use super::frame::MapFrame;
use super::ink_plan::InkPlan;
use super::land_picture::{BAND, LandPicture, softened};
use super::masonry::Masonry;
use super::noise::lattice_random;
use super::pixels::{Pixel, blend};
use super::room_fields::{CellKind, RoomFields};
use super::style::Sheet;
use super::trees::{LEAST_SIDE, MapTree, TreeKind, Trees};
use super::viewport::Viewport;
use crate::paint::options::Unseen;
use crate::world::Biome;
use farsight::internal::parallel::*;

/// The places of bushes in a cell.
const BUSHES: [Vec2; 5] =
    [Vec2::new(0.25, 0.22), Vec2::new(0.78, 0.30), Vec2::new(0.45, 0.54), Vec2::new(0.20, 0.80), Vec2::new(0.74, 0.82)];
const BUSH_JITTER: f32 = 0.22;
/// The mean radius of a bush, in cells.
const BUSH_RADIUS: f32 = 0.29;
/// The strength of the signs of bushes on the plan.
const INK_BUSHES: f32 = 0.75;

/// The data shared by the bands of a picture.
struct RoomPainter<'a> {
    viewport: Viewport,
    sheet: &'static Sheet,
    masonry: Masonry<'a>,
    plan: InkPlan<'a>,
    doors: DoorDrawings,
    bushes: Trees,
    ink_bushes: Trees,
    frame: MapFrame,
}

impl LandPicture {
    /// Paints an opacity map.
    pub(crate) fn of_rooms(
        fields: &RoomFields,
        viewport: &Viewport,
        (sheet, unseen): (&'static Sheet, Unseen),
    ) -> Self {
        let painter = RoomPainter {
            viewport: *viewport,
            sheet,
            masonry: Masonry::new(viewport, fields),
            plan: InkPlan::new(viewport, fields, sheet, unseen),
            doors: DoorDrawings::new(viewport, fields),
            bushes: bushes(viewport, fields, false),
            ink_bushes: bushes(viewport, fields, true),
            frame: MapFrame::new(viewport, fields.size, sheet),
        };
        let (width, pixels) = (viewport.width(), viewport.width() * viewport.height());
        let blank = || vec![[0; 4]; pixels];
        let (mut day, mut paper, mut seen_paper) = (blank(), blank(), blank());
        let length = (width * BAND).max(1);
        let bands: Vec<_> = day
            .chunks_mut(length)
            .zip(paper.chunks_mut(length))
            .zip(seen_paper.chunks_mut(length))
            .enumerate()
            .collect();
        bands.into_par_iter().for_each(|(band, ((day, paper), seen_paper))| {
            painter.paint_band(band * BAND, day, [paper, seen_paper]);
        });
        // Details fade with distance under the open sky; under a roof they only darken.
        let mut soft = if fields.is_outdoors { softened(&day, viewport) } else { day.clone() };
        for (soft, day) in soft.iter_mut().zip(&mut day) {
            if day[3] > 127 {
                *soft = *day;
            }
            (soft[3], day[3]) = (day[3], 0);
        }
        Self { viewport: *viewport, day, soft, sheet: paper, seen_sheet: seen_paper, slopes: vec![[0; 2]; pixels] }
    }
}

impl RoomPainter<'_> {
    /// Paints rows into the layers, starting at `top`. The fourth value of `day` is 255 where low visibility is painted
    /// dark.
    fn paint_band(&self, top: usize, day: &mut [Pixel], [paper, seen_paper]: [&mut [Pixel]; 2]) {
        let width = self.viewport.width();
        let mut grain = vec![0.0; width];
        let lines = day.chunks_exact_mut(width).zip(paper.chunks_exact_mut(width));
        for (y, ((day, paper), seen_paper)) in (top..).zip(lines.zip(seen_paper.chunks_exact_mut(width))) {
            let Some(columns) = self.frame.columns_inside(y) else { continue };
            self.plan.fill_grain(y, &mut grain);
            for x in columns {
                let place = self.viewport.place(x, y);
                day[x] = self.masonry.pixel(place);
                [paper[x], seen_paper[x]] = self.plan.pixels(place, grain[x]);
            }
        }
        let rows = top..top + day.len() / width.max(1);
        self.plan.draw_strokes(rows.clone(), [&mut *paper, &mut *seen_paper]);
        self.doors.draw_day(rows.clone(), day);
        self.doors.draw_ink(rows.clone(), seen_paper, self.sheet, 0.95);
        let faint = self.plan.faint();
        if let Some(faint) = faint {
            self.doors.draw_ink(rows.clone(), paper, self.sheet, 0.95 * faint);
        }
        self.bushes.draw(rows.clone(), width, |at, colour, alpha| blend(&mut day[at], colour, alpha));
        let ink = self.sheet.ink;
        self.ink_bushes.draw(rows, width, |at, _, alpha| {
            let alpha = INK_BUSHES * alpha;
            blend(&mut seen_paper[at], ink * alpha, alpha);
            if let Some(faint) = faint {
                blend(&mut paper[at], ink * (faint * alpha), faint * alpha);
            }
        });
        let lines = day.chunks_exact_mut(width).zip(paper.chunks_exact_mut(width));
        for (y, ((day, paper), seen_paper)) in (top..).zip(lines.zip(seen_paper.chunks_exact_mut(width))) {
            self.frame.paint_row(y, [day, paper, seen_paper]);
        }
    }
}

/// Returns the bushes of hedges: more and larger ones in more opaque cells. In ink there is about one per cell.
fn bushes(viewport: &Viewport, fields: &RoomFields, is_ink: bool) -> Trees {
    let side = viewport.side();
    if side < LEAST_SIDE || !fields.is_outdoors {
        return Trees::of(Vec::new(), 0.0, viewport);
    }
    let cells = viewport.cells(1).intersect(fields.rect);
    let is_hedge = |cell| {
        let is_screen = fields.kind.nearest(cell) == CellKind::HalfOpaque;
        is_screen && fields.is_on_map(cell) && !fields.has_roof.nearest(cell)
    };
    let mut trees = Vec::new();
    for cell in cells.cells().filter(|&cell| is_hedge(cell)) {
        let opacity = fields.opacity.nearest(cell);
        for (i, place) in BUSHES.into_iter().enumerate() {
            let random = |purpose| lattice_random(cell.x, cell.y, 8 * i as u32 + purpose);
            // Every cell has the middle bush, so that no half-opaque cell looks clear.
            let density = if i == 2 { 1.0 } else { 0.15 + 0.95 * opacity };
            if random(0) >= density || is_ink && (i != 2 || (cell.x + cell.y) % 2 != 0 && opacity < 0.7) {
                continue;
            }
            let jitter = BUSH_JITTER * Vec2::new(random(1) - 0.5, random(2) - 0.5);
            let at = (cell.as_vec2() + place + jitter) * viewport.scale;
            let kind = if is_ink { TreeKind::Ink } else { TreeKind::Broad };
            let size = (0.65 * opacity + 0.35 * random(3)).min(0.99);
            trees.push(MapTree::new(at, kind, Biome::Woodland, [size, random(4)]));
        }
    }
    Trees::of(trees, BUSH_RADIUS * side, viewport)
}

#[cfg(test)]
mod tests {
    use super::super::ground_fields::CellGroups;
    use super::super::pixels::{colour, luma};
    use super::super::style::{PAPER, WALNUT};
    use super::*;
    use farsight::sight::OpacityMap;
    use glam::{IVec2, ivec2, vec2};

    fn land(text: &str, groups: i32, scale: Vec2, unseen: Unseen) -> (LandPicture, Viewport) {
        let map = OpacityMap::from_text(text).unwrap();
        let groups = CellGroups { stride: groups, size: map.grid().size() };
        let size = (groups.rect().size().as_vec2() * scale).ceil().as_ivec2();
        let viewport = Viewport { origin: ivec2(-5, -3), scale, size: size + 10 };
        let fields = RoomFields::new(&map, groups, &viewport);
        (LandPicture::of_rooms(&fields, &viewport, (&PAPER, unseen)), viewport)
    }

    fn at(layer: &[Pixel], viewport: &Viewport, place: Vec2) -> f32 {
        let pixel = viewport.pixel(place).as_ivec2();
        luma(colour(layer[pixel.y as usize * viewport.width() + pixel.x as usize]))
    }

    #[test]
    fn any_map_is_painted_at_any_zoom() {
        for text in [".", "#", "5", "+", "'", "###\n###", "...\n...", "#+#\n'_1\n#5#", "..9..\n.....\n#11#."] {
            for scale in [vec2(1.0, 1.0), vec2(2.0, 3.0), vec2(7.0, 7.0), vec2(48.0, 48.0), vec2(64.0, 5.0)] {
                for unseen in [Unseen::Remembered, Unseen::Mapped] {
                    let (land, viewport) = land(text, 1, scale, unseen);
                    assert_eq!(land.day.len(), viewport.width() * viewport.height());
                }
            }
            land(text, 3, Vec2::ONE, Unseen::Mapped);
        }
    }

    #[test]
    fn the_blank_sheet_shows_no_rooms_and_the_mapped_one_does() {
        let text = "########\n########\n##....##\n##....##\n##....##\n########\n########";
        let difference = |layer: &[Pixel], viewport: &Viewport| {
            let floor = (0..9).map(|i| at(layer, viewport, vec2(2.6 + 0.3 * i as f32, 3.5))).sum::<f32>();
            let rock = (0..9).map(|i| at(layer, viewport, vec2(2.6 + 0.3 * i as f32, 0.4))).sum::<f32>();
            (floor - rock) / 9.0
        };
        let (blank, viewport) = land(text, 1, Vec2::splat(16.0), Unseen::Remembered);
        let (mapped, _) = land(text, 1, Vec2::splat(16.0), Unseen::Mapped);
        let [none, faint, plan] =
            [&blank.sheet, &mapped.sheet, &blank.seen_sheet].map(|layer| difference(layer, &viewport));
        assert!(none.abs() < 8.0, "{none}");
        assert!(faint > 8.0 && plan > faint + 8.0, "{faint}, {plan}");
        assert_eq!(blank.seen_sheet, mapped.seen_sheet);
    }

    #[test]
    fn closed_doors_open_doors_and_walls_differ_from_8_pixels_on() {
        for side in [8.0, 16.0, 32.0] {
            let picture = |door: char| {
                let (land, viewport) =
                    land(&format!(".....\n##{door}##\n....."), 1, Vec2::splat(side), Unseen::Remembered);
                let pixels = (0..36).map(|i| vec2(2.1 + 0.15 * (i % 6) as f32, 1.1 + 0.15 * (i / 6) as f32));
                pixels.map(|place| at(&land.day, &viewport, place)).collect::<Vec<f32>>()
            };
            let pictures = ['+', '\'', '#', '.'].map(picture);
            for i in 0..4 {
                for j in 0..i {
                    let difference: f32 = pictures[i].iter().zip(&pictures[j]).map(|(a, b)| (a - b).abs()).sum();
                    assert!(difference > 36.0 * 9.0, "{side}: {i}, {j}: {}", difference / 36.0);
                }
            }
        }
    }

    #[test]
    fn a_part_of_the_map_has_the_pixels_of_the_whole() {
        let map = OpacityMap::from_text("#######\n#..+..#\n#.##'##\n#....5#\n#######").unwrap();
        let groups = CellGroups { stride: 1, size: map.grid().size() };
        let painted = |viewport: &Viewport| {
            let fields = RoomFields::new(&map, groups, viewport);
            LandPicture::of_rooms(&fields, viewport, (&WALNUT, Unseen::Mapped))
        };
        let whole = Viewport { origin: IVec2::ZERO, scale: Vec2::splat(12.0), size: ivec2(84, 60) };
        let part = Viewport { origin: ivec2(19, 11), size: ivec2(40, 30), ..whole };
        let [all, some] = [painted(&whole), painted(&part)];
        for y in 0..part.height() {
            for x in 0..part.width() {
                let (i, j) = ((y + 11) * whole.width() + x + 19, y * part.width() + x);
                assert_eq!(all.day[i], some.day[j], "{x},{y}");
                assert_eq!([all.sheet[i], all.seen_sheet[i]], [some.sheet[j], some.seen_sheet[j]], "{x},{y}");
            }
        }
    }
}
