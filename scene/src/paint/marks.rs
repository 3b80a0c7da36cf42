//! Marks over a picture: viewer, lookouts, lamps, creatures.

use glam::{IVec2, Vec2};

use super::mark;
use super::options::{PaintOptions, Unseen};
use super::picture::Picture;
use crate::creatures::{Sighting, Species};
use crate::math::sort_descending;
use crate::scene::Scene;
use farsight::perception::CellMemory;

/// The sides of a cell, in pixels, below which marks are smaller and above which they are larger.
const SIDES: [f32; 2] = [5.0, 20.0];
const SMALLER: f32 = 0.72;
const LARGER: f32 = 1.25;
/// The side of a picture, in pixels, below which marks are smaller.
const SMALL_PICTURE: f32 = 360.0;
const SMALLEST: f32 = 0.45;
/// The minimum side of a cell, in pixels, with marks of creatures.
pub const MIN_SIDE_WITH_CREATURES: f32 = 1.5;
/// The distance in pixels within which question marks, or creatures of a species, merge into one mark with their
/// number.
const MERGED: f32 = 14.0;
const HERD: f32 = 17.0;
/// The number of marks above which they are smaller.
const CROWD: usize = 30;
const CROWDED: f32 = 0.82;

/// The marks of a picture.
pub(super) struct MapMarks<'a> {
    scene: &'a Scene,
    options: &'a PaintOptions,
    /// The size of the marks, relative to the first zoom of a window.
    scale: f32,
    is_dark: bool,
}

impl<'a> MapMarks<'a> {
    pub(super) fn new(scene: &'a Scene, options: &'a PaintOptions, is_dark: bool) -> Self {
        let size = options.picture_size().as_vec2();
        let fitting = (size.min_element() / SMALL_PICTURE).clamp(SMALLEST, 1.0);
        let side = options.zoom.pixels_per_cell() as f32;
        let scale = match () {
            () if side < SIDES[0] => SMALLER,
            () if side > SIDES[1] => LARGER,
            () => 1.0,
        };
        Self { scene, options, scale: scale * fitting, is_dark }
    }

    /// Returns the centre of a cell in the picture, in pixels.
    fn at(&self, cell: IVec2) -> Vec2 {
        let side = self.options.zoom.pixels_per_cell() as f32;
        ((cell - self.options.frame.min).as_vec2() + 0.5) * side * self.options.factors()
    }

    /// Paints a flame in the colour of its light on every lamp on a known cell.
    pub(super) fn paint_lamps(&self, picture: &mut Picture) {
        let is_known =
            |cell: IVec2| self.options.unseen == Unseen::Mapped || self.scene.memory(cell) != CellMemory::Hidden;
        for lamp in self.scene.lamps().iter().filter(|lamp| self.options.frame.contains(lamp.at) && is_known(lamp.at)) {
            let colour = lamp.colour.hue().map(|channel| channel * 255.0);
            mark::paint_lamp(picture, self.at(lamp.at), colour, self.scale);
        }
    }

    /// Paints identified creatures, question marks for glimpsed creatures, and paler marks where creatures were last
    /// seen.
    pub(super) fn paint_creatures(&self, picture: &mut Picture) {
        if !self.scene.preset().paint.creatures
            || (self.options.zoom.pixels_per_cell() as f32) < MIN_SIDE_WITH_CREATURES
        {
            return;
        }
        let mut groups: Vec<MarkGroup> = Vec::new();
        for sighting in self.scene.sightings().filter(|sighting| self.options.frame.contains(sighting.cell())) {
            let kind = match sighting {
                Sighting::Identified(species, _) => MarkKind::Identified(species),
                Sighting::Glimpsed(_) => MarkKind::Glimpsed,
                Sighting::Remembered(species, _) => MarkKind::Remembered(species),
                Sighting::Stale(_) => MarkKind::Stale,
            };
            let reach = match kind {
                MarkKind::Identified(_) | MarkKind::Remembered(_) => HERD,
                MarkKind::Glimpsed | MarkKind::Stale => MERGED,
            };
            add(&mut groups, self.at(sighting.cell()), kind, reach * self.scale);
        }
        // In ascending order of knowledge, so that identified creatures cover the others.
        sort_descending(&mut groups, |group| match group.kind {
            MarkKind::Stale | MarkKind::Remembered(_) => 0,
            MarkKind::Glimpsed => -1,
            MarkKind::Identified(_) => -2,
        });
        let crowd = if groups.len() > CROWD { CROWDED } else { 1.0 };
        let scale = self.scale * crowd;
        for MarkGroup { at, kind, count } in groups {
            match kind {
                MarkKind::Stale => mark::paint_question(picture, at, true, scale, self.is_dark, Some(count)),
                MarkKind::Glimpsed => mark::paint_question(picture, at, false, scale, self.is_dark, Some(count)),
                MarkKind::Identified(species) | MarkKind::Remembered(species) => {
                    let is_stale = matches!(kind, MarkKind::Remembered(_));
                    mark::paint_creature(picture, at, species, is_stale, scale, self.is_dark);
                    if count > 1 {
                        mark::paint_count(picture, at, count, scale, self.is_dark);
                    }
                }
            }
        }
    }

    pub(super) fn paint_lookouts(&self, picture: &mut Picture) {
        for lookout in self.scene.observers().iter().filter(|lookout| self.options.frame.contains(lookout.at)) {
            mark::paint_lookout(picture, self.at(lookout.at), self.scale);
        }
    }

    pub(super) fn paint_viewer(&self, picture: &mut Picture) {
        mark::paint_viewer(picture, self.at(self.scene.viewer()), self.scale);
    }

    /// Returns rectangles around the marks of viewer and creatures, which names avoid.
    pub(super) fn places(&self) -> Vec<(Vec2, Vec2)> {
        let reach = Vec2::splat(mark::CREATURE_RADIUS * self.scale);
        let creatures = self.scene.sightings().filter(|_| self.scene.preset().paint.creatures).map(|it| it.cell());
        let shown = creatures.chain([self.scene.viewer()]).filter(|&cell| self.options.frame.contains(cell));
        shown.map(|cell| (self.at(cell) - reach, self.at(cell) + reach)).collect()
    }
}

/// The viewer's knowledge of a creature.
#[derive(Clone, Copy, PartialEq)]
enum MarkKind {
    Identified(&'static Species),
    Glimpsed,
    Remembered(&'static Species),
    Stale,
}

impl MarkKind {
    fn is_as(self, other: Self) -> bool {
        match (self, other) {
            (Self::Identified(one), Self::Identified(other)) | (Self::Remembered(one), Self::Remembered(other)) => {
                one.name == other.name
            }
            (Self::Glimpsed, Self::Glimpsed) | (Self::Stale, Self::Stale) => true,
            _ => false,
        }
    }
}

/// A cluster of marks of a kind.
struct MarkGroup {
    at: Vec2,
    kind: MarkKind,
    count: usize,
}

/// Adds a mark, to a cluster of its kind near it if possible.
fn add(groups: &mut Vec<MarkGroup>, at: Vec2, kind: MarkKind, reach: f32) {
    match groups.iter_mut().find(|group| group.kind.is_as(kind) && group.at.distance(at) < reach) {
        Some(group) => {
            let count = group.count as f32;
            group.at = (group.at * count + at) / (count + 1.0);
            group.count += 1;
        }
        None => groups.push(MarkGroup { at, kind, count: 1 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;

    #[test]
    fn near_marks_of_a_kind_are_one() {
        let mut groups = Vec::new();
        let wolf = MarkKind::Identified(Species::named("wolf").unwrap());
        let deer = MarkKind::Identified(Species::named("deer").unwrap());
        let marks = [
            (0.0, MarkKind::Glimpsed),
            (8.0, MarkKind::Glimpsed),
            (9.0, MarkKind::Stale),
            (40.0, MarkKind::Glimpsed),
            (41.0, wolf),
            (43.0, wolf),
            (44.0, deer),
        ];
        for (x, kind) in marks {
            add(&mut groups, vec2(x, 5.0), kind, 12.0);
        }
        let counts: Vec<_> = groups.iter().map(|group| (group.at.x, group.count)).collect();
        assert_eq!(counts, [(4.0, 2), (9.0, 1), (40.0, 1), (42.0, 2), (44.0, 1)]);
    }
}
