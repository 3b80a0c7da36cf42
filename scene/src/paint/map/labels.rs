//! [`MapLabels`]: the names of seas, lakes, rivers, summits and landmarks on the map.

use glam::{IVec2, Vec2, vec2};

use super::ground_fields::CellGroups;
use super::viewport::Viewport;
use super::water_parts::{WaterPart, water_parts};
use crate::paint::colour::Colour;
use crate::paint::lettering::{Anchor, Face, Halo, Lettering, bounds, bounds_along, draw, draw_along, width};
use crate::paint::mark::{paint_summit, summit_colours};
use crate::paint::options::Unseen;
use crate::paint::picture::Picture;
use crate::scene::Scene;
use crate::world::{Place, PlaceKind, Water};
use farsight::perception::{CellMemory, Recognition};

/// The maximum number of names of each kind in a picture of a million pixels.
const SUMMITS: usize = 9;
const UNKNOWN_SUMMITS: usize = 5;
const RIVERS: usize = 5;
const WATERS: usize = 6;
const OWN: usize = 40;
/// Sizes of letters, in pixels: of names of water by the available space, and of others.
const WATER_SIZES: [f32; 2] = [13.0, 31.0];
const RIVER_SIZE: f32 = 12.5;
const SUMMIT_SIZE: f32 = 12.5;
const OWN_SIZE: f32 = 14.0;
/// The letter spacing of names of water, as a fraction of the size.
const WATER_SPACING: f32 = 0.26;
const RIVER_SPACING: f32 = 0.12;
/// The minimum distance of a name from the edge of the picture, and between names, in pixels.
const EDGE: f32 = 8.0;
const APART: f32 = 6.0;
/// The minimum distance between summits, in pixels.
const SUMMITS_APART: f32 = 96.0;
/// The minimum side of a cell with names of rivers, in pixels.
const MIN_SIDE_WITH_RIVERS: f32 = 4.0;
/// The side in pixels below which pictures have fewer names.
const USUAL_PIXELS: f32 = 1e6;
/// The minimum side of a picture with names, in pixels.
const MIN_PICTURE: f32 = 200.0;
/// The maximum number of letters of a name.
const LONGEST: usize = 48;

/// The names on a picture.
pub(crate) struct MapLabels<'a> {
    scene: &'a Scene,
    viewport: Viewport,
    groups: CellGroups,
    unseen: Unseen,
    is_dark: bool,
    /// The fraction of the usual number of names.
    share: f32,
    /// The occupied rectangles.
    taken: Vec<(Vec2, Vec2)>,
}

impl<'a> MapLabels<'a> {
    /// Creates the names of a picture, which avoid some rectangles.
    pub(crate) fn new(
        scene: &'a Scene,
        groups: CellGroups,
        viewport: &Viewport,
        (unseen, is_dark): (Unseen, bool),
        taken: Vec<(Vec2, Vec2)>,
    ) -> Self {
        let size = viewport.size.as_vec2();
        let share = (size.x * size.y / USUAL_PIXELS).sqrt().clamp(0.35, 2.0);
        Self { scene, viewport: *viewport, groups, unseen, is_dark, share, taken }
    }

    /// Draws all names: landmarks first, then water, summits and rivers.
    pub(crate) fn draw(mut self, picture: &mut Picture) {
        if self.viewport.size.as_vec2().min_element() < MIN_PICTURE {
            return;
        }
        let places = self.scene.places();
        self.draw_own(picture, places);
        self.draw_waters(picture, places);
        self.draw_summits(picture, places);
        self.draw_rivers(picture, places);
    }

    fn at(&self, cell: IVec2) -> Vec2 {
        self.viewport.pixel((cell.as_vec2() + 0.5) / self.groups.stride as f32)
    }

    fn is_known(&self, cell: IVec2) -> bool {
        self.scene.memory(cell) != CellMemory::Hidden
    }

    fn count(&self, usual: usize) -> usize {
        (usual as f32 * self.share).ceil() as usize
    }

    /// Reserves a rectangle, unless it is outside or touches another.
    fn take(&mut self, (low, high): (Vec2, Vec2)) -> bool {
        let size = self.viewport.size.as_vec2();
        let map = [Vec2::ZERO, self.groups.rect().size().as_vec2()].map(|corner| self.viewport.pixel(corner));
        let (first, last) = (map[0].max(Vec2::ZERO) + EDGE, map[1].min(size) - EDGE);
        let inside = low.cmpge(first).all() && high.cmple(last).all();
        let touches = |(l, h): &(Vec2, Vec2)| low.cmplt(*h + APART).all() && high.cmpgt(*l - APART).all();
        let is_free = inside && !self.taken.iter().any(touches);
        if is_free {
            self.taken.push((low, high));
        }
        is_free
    }

    fn draw_own(&mut self, picture: &mut Picture, places: &[Place]) {
        let (ink, halo) = summit_colours(self.is_dark);
        let own = places.iter().filter(|place| place.kind == PlaceKind::Own);
        for place in own.take(self.count(OWN)) {
            if self.unseen != Unseen::Mapped && !self.is_known(place.at) {
                continue;
            }
            let lettering = Lettering { halo: Some(halo), ..Lettering::new(Face::Italic, OWN_SIZE, ink) };
            let at = self.at(place.at);
            let name = shortened(&place.name);
            let text_at = at + vec2(7.0, 0.0);
            if self.take(bounds(text_at, Anchor::Left, &name, &lettering)) {
                picture.disc(at.x, at.y, 3.2, halo.colour);
                picture.disc(at.x, at.y, 2.2, ink);
                draw(picture, text_at, Anchor::Left, &name, &lettering);
            }
        }
    }

    fn draw_waters(&mut self, picture: &mut Picture, places: &[Place]) {
        let (parts, all) = water_parts(self.scene, self.groups, &self.viewport);
        // Each body of water has one name: in its visible part, if that has space.
        let mut named: Vec<IVec2> = Vec::new();
        let count = self.count(WATERS);
        let side = self.viewport.side();
        for part in parts.iter().chain(&all).filter(|part| !part.is_small(side)) {
            let Some(place) = self.water_at(places, part.cell) else { continue };
            if named.len() >= count || named.contains(&place.at) || place.name.is_empty() {
                continue;
            }
            if self.unseen != Unseen::Mapped && !self.is_known(part.cell) {
                continue;
            }
            if self.draw_water(picture, &shortened(&place.name), part) {
                named.push(place.at);
            }
        }
    }

    /// Returns the sea or lake at a cell: the nearest, relative to its size, that a straight line over water connects
    /// to the cell.
    fn water_at<'p>(&self, places: &'p [Place], cell: IVec2) -> Option<&'p Place> {
        let water = self.scene.world()?.water();
        let kind = match water[cell] {
            Water::Sea => PlaceKind::Sea,
            _ => PlaceKind::Lake,
        };
        let leads_here = |place: &&Place| {
            let way = (cell - place.at).as_vec2();
            let steps = way.abs().max_element().max(1.0) as i32;
            (0..steps).all(|i| {
                let on_way = place.at + (way * (i as f32 / steps as f32)).round().as_ivec2();
                water.get(on_way) == Some(&water[cell])
            })
        };
        let distance = |place: &Place| (place.at - cell).as_vec2().length() / place.extent.max(1.0);
        let near = places.iter().filter(|place| place.kind == kind).filter(leads_here);
        near.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// Draws the name of a part of a sea or lake, smaller in little space. Returns `false` without space.
    fn draw_water(&mut self, picture: &mut Picture, name: &str, part: &WaterPart) -> bool {
        let [colour, halo]: [Colour; 2] = match self.is_dark {
            false => [[30.0, 70.0, 104.0], [240.0, 248.0, 250.0]],
            true => [[150.0, 176.0, 214.0], [20.0, 26.0, 48.0]],
        };
        let radius = part.radius * self.viewport.side();
        let wanted = (radius * 0.62).clamp(WATER_SIZES[0], WATER_SIZES[1]);
        for (size, spacing) in [(1.0, 1.0), (0.75, 1.0), (0.75, 0.5), (0.5, 0.4)] {
            let size = (wanted * size).max(WATER_SIZES[0]);
            let lettering = Lettering {
                halo: Some(Halo { colour: halo, alpha: 0.35, width: 2.0 }),
                spacing: WATER_SPACING * spacing * size,
                angle: part.angle,
                ..Lettering::new(Face::Italic, size, colour)
            };
            if width(name, Face::Italic, size, lettering.spacing) > 1.9 * part.reach * self.viewport.side() {
                continue;
            }
            let length = width(name, Face::Italic, size, lettering.spacing);
            if self.is_over_water(part, length)
                && self.take(bounds(self.at(part.cell), Anchor::Middle, name, &lettering))
            {
                draw(picture, self.at(part.cell), Anchor::Middle, name, &lettering);
                return true;
            }
        }
        false
    }

    /// Returns `true` if all of a text is on visible water, or all of it on water out of sight.
    fn is_over_water(&self, part: &WaterPart, length: f32) -> bool {
        let Some(world) = self.scene.world() else { return false };
        let way = Vec2::new(libm::cosf(part.angle), libm::sinf(part.angle));
        let is_seen = self.scene.sense(part.cell) > Recognition::Hidden;
        (-6..=6).all(|i| {
            let place = self.viewport.place_at(self.at(part.cell) + way * (length * i as f32 / 12.0));
            let cell = (place * self.groups.stride as f32).floor().as_ivec2();
            let is_water = matches!(world.water().get(cell), Some(Water::Sea | Water::Lake));
            is_water && (self.scene.sense(cell) > Recognition::Hidden) == is_seen
        })
    }

    fn draw_summits(&mut self, picture: &mut Picture, places: &[Place]) {
        let (ink, halo) = summit_colours(self.is_dark);
        let (mut drawn, mut known): (Vec<Vec2>, usize) = (Vec::new(), 0);
        let count = self.count(SUMMITS);
        for place in places.iter().filter(|place| place.kind == PlaceKind::Summit) {
            let at = self.at(place.at);
            let is_far = |other: &Vec2| other.distance(at) >= SUMMITS_APART;
            if drawn.len() >= count {
                break;
            }
            if !drawn.iter().all(is_far) {
                continue;
            }
            // Land never seen has only the names of its major summits, without heights, which are not measured yet.
            let is_known = self.is_known(place.at);
            let unknown = drawn.len() - known;
            if !is_known && (self.unseen != Unseen::Mapped || place.name.is_empty() || unknown >= UNKNOWN_SUMMITS) {
                continue;
            }
            let height = format!("{:.0}", place.height_m);
            let name = shortened(&place.name);
            let text = match (is_known, name.is_empty()) {
                (true, true) => height,
                (true, false) => format!("{name} {height}"),
                (false, _) => name,
            };
            let alpha = if is_known { 1.0 } else { 0.9 };
            let lettering = Lettering { halo: Some(halo), alpha, ..Lettering::new(Face::Roman, SUMMIT_SIZE, ink) };
            let text_at = at + vec2(8.0, 0.5);
            let (low, high) = bounds(text_at, Anchor::Left, &text, &lettering);
            if self.take((low - vec2(14.0, 0.0), high)) {
                paint_summit(picture, at, self.is_dark);
                draw(picture, text_at, Anchor::Left, &text, &lettering);
                drawn.push(at);
                known += usize::from(is_known);
            }
        }
    }

    fn draw_rivers(&mut self, picture: &mut Picture, places: &[Place]) {
        if self.viewport.side() < MIN_SIDE_WITH_RIVERS {
            return;
        }
        let (colour, halo): (Colour, Colour) = match self.is_dark {
            false => ([44.0, 92.0, 122.0], [250.0, 246.0, 232.0]),
            true => ([140.0, 168.0, 204.0], [20.0, 26.0, 48.0]),
        };
        let lettering = Lettering {
            halo: Some(Halo { colour: halo, alpha: 0.5, width: 1.8 }),
            spacing: RIVER_SPACING * RIVER_SIZE,
            rise: 9.0,
            ..Lettering::new(Face::Italic, RIVER_SIZE, colour)
        };
        let mut count = self.count(RIVERS);
        for place in places.iter().filter(|place| place.kind == PlaceKind::River && !place.name.is_empty()) {
            if count == 0 {
                break;
            }
            let name = shortened(&place.name);
            let length = width(&name, Face::Italic, RIVER_SIZE, lettering.spacing);
            let is_shown = |cell: IVec2| self.unseen == Unseen::Mapped || self.is_known(cell);
            let pixels = place.course.iter().map(|&point| {
                let at = self.viewport.pixel(point / self.groups.stride as f32);
                is_shown(point.floor().as_ivec2()).then_some(at)
            });
            let Some(line) = straightest(&pixels.collect::<Vec<_>>(), length, self.viewport.size.as_vec2()) else {
                continue;
            };
            if bounds_along(&line, &name, &lettering).is_some_and(|rect| self.take(rect)) {
                draw_along(picture, &line, &name, &lettering);
                count -= 1;
            }
        }
    }
}

/// Returns a name, truncated to the space on a map.
fn shortened(name: &str) -> String {
    let mut letters = name.chars();
    let short: String = letters.by_ref().take(LONGEST).collect();
    if letters.next().is_some() { format!("{}…", short.trim_end()) } else { short }
}

/// Returns the straightest part of a course inside a picture for a text of a length in pixels, smoothed.
fn straightest(course: &[Option<Vec2>], length: f32, size: Vec2) -> Option<Vec<Vec2>> {
    let inside = |at: &Vec2| at.cmpge(Vec2::splat(3.0 * EDGE)).all() && at.cmple(size - 3.0 * EDGE).all();
    let mut best: Option<(f32, usize, usize)> = None;
    let mut start = 0;
    while start < course.len() {
        let mut walked = 0.0;
        let mut end = start;
        while let Some(Some(at)) = course.get(end).filter(|at| at.as_ref().is_some_and(inside)) {
            if end > start
                && let Some(before) = course[end - 1]
            {
                walked += before.distance(*at);
            }
            if walked >= 1.15 * length {
                break;
            }
            end += 1;
        }
        if walked >= 1.15 * length
            && let (Some(from), Some(to)) = (course[start], course[end])
        {
            let straight = from.distance(to) / walked;
            if best.is_none_or(|(most, ..)| straight > most + 0.02) {
                best = Some((straight, start, end));
            }
        }
        start += 1;
    }
    let (straight, start, end) = best?;
    if straight < 0.8 {
        return None; // letters on sharp bends cannot be read
    }
    let points: Vec<Vec2> = course[start..=end].iter().copied().flatten().collect();
    let smooth = |i: usize| {
        let range = i.saturating_sub(3)..(i + 4).min(points.len());
        let count = range.len() as f32;
        points[range].iter().sum::<Vec2>() / count
    };
    Some((0..points.len()).map(smooth).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut() {
        assert_eq!(shortened("Heron Mere"), "Heron Mere");
        let long = "ab ".repeat(100);
        assert_eq!(shortened(&long).chars().count(), LONGEST);
        assert!(shortened(&long).ends_with('…'));
    }

    #[test]
    fn a_name_follows_the_straight_part_of_a_river() {
        let bend = (0..40).map(|i| vec2(60.0 + 10.0 * libm::sinf(i as f32), 40.0 + 4.0 * i as f32));
        let straight = (1..40).map(|i| vec2(60.0 + 6.0 * i as f32, 200.0));
        let course: Vec<Option<Vec2>> = bend.chain(straight).map(Some).collect();
        let line = straightest(&course, 80.0, vec2(400.0, 300.0)).unwrap();
        assert!(line.iter().all(|at| (at.y - 200.0).abs() < 12.0), "{line:?}");
        assert!(straightest(&course, 80.0, vec2(50.0, 50.0)).is_none(), "outside");
        assert!(straightest(&[], 80.0, vec2(400.0, 300.0)).is_none());
    }
}
