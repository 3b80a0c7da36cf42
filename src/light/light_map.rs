//! [`LightMap`]: lamps on a map, and their light.

use std::collections::BTreeMap;

use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::lamp::{Lamp, LightError, Rgb};
use super::light_tiles::{CellLight, LightTiles};
use super::placed_lamp::{LampId, LitArea, PlacedLamp, Surroundings, brightest_front, directions};
use crate::grid::{CellRect, ToCell};
use crate::parallel::*;
use crate::sight::{Door, OpacityMap, PathRule};
use crate::view::open_fronts;
use crate::viewshed::Viewshed;

/// Lamps on a map, and the sum of their light on every cell.
///
/// When a lamp moves, changes or is removed, only its own light is recomputed, and after a change of a cell only the
/// lamps whose light reaches it. After every change the light equals, to the bit, that of a new light map with the same
/// lamps, added in the same order. Only lit parts of the map take memory; a lookup takes constant time.
///
/// A lamp in a wall is a sconce: it shines to one side only, the first open one in the order below, right, left, above.
/// To light another side, place the lamp on the floor in front of the wall.
///
/// There is no ambient light in it. A game combines both: `light.level(cell).max(moon)` for a dim night that lamps outshine,
/// `light.level(cell) + day` for daylight to which lamps add, at most 1 for eyes. A viewer perceives a cell by visibility times
/// light: `view.get(cell) * light.level_from(&map, cell, viewer).max(moon)`.
///
/// All methods that take a map expect the same one. After a change of the map call [`changed`](Self::changed); for a
/// door call only [`toggle_door`](Self::toggle_door).
///
/// ```
/// use farsight::OpacityMap;
/// use farsight::glam::ivec2;
/// use farsight::light::{Lamp, LightMap};
///
/// let mut map = OpacityMap::from_text("......\n..#...\n......")?;
/// let mut light = LightMap::new(&map);
/// let torch = light.insert(&map, Lamp::new(ivec2(0, 1)).with_reach(8.0))?;
/// assert_eq!(light.level(ivec2(0, 1)), 1.0);
/// assert_eq!(light.level(ivec2(4, 1)), 0.0); // behind the pillar
///
/// map.set(ivec2(2, 1), 0.0)?; // the pillar falls
/// light.changed(&map, [ivec2(2, 1)])?;
/// assert!(light.level(ivec2(4, 1)) > 0.3);
///
/// light.move_to(&map, torch, ivec2(4, 1))?;
/// assert_eq!(light.level(ivec2(4, 1)), 1.0);
/// light.remove(torch);
/// assert_eq!(light.level(ivec2(4, 1)), 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "SavedLights", into = "SavedLights")]
pub struct LightMap {
    extent: CellRect,
    path: PathRule,
    seed: u64,
    seconds: f64,
    lamps: BTreeMap<LampId, PlacedLamp>,
    next_id: u64,
    tiles: LightTiles,
    /// Cached viewsheds for the last few reaches.
    viewsheds: Vec<Viewshed>,
}

/// The number of cached viewsheds: games have few kinds of lamps.
const KEPT_VIEWSHEDS: usize = 8;

impl LightMap {
    /// Creates the light map of a map, without lamps.
    pub fn new(map: &(impl Surroundings + ?Sized)) -> Self {
        Self::of_extent(map.extent())
    }

    fn of_extent(extent: CellRect) -> Self {
        Self {
            extent,
            path: PathRule::default(),
            seed: 0,
            seconds: 0.0,
            lamps: BTreeMap::new(),
            next_id: 0,
            tiles: LightTiles::new(extent),
            viewsheds: Vec::new(),
        }
    }

    /// Sets the rule for the path length in cells that are not clear; see [`PathRule`]. For a light map without lamps.
    #[must_use]
    pub fn with_path(self, path: PathRule) -> Self {
        Self { path, ..self }
    }

    /// Sets the seed by which lamps [flicker](super::Flicker). For a light map without lamps.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Adds a lamp.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::light::{Lamp, LightMap};
    ///
    /// let map = OpacityMap::from_text("...#...")?;
    /// let mut light = LightMap::new(&map);
    /// let torch = light.insert(&map, Lamp::new((1, 0)).with_reach(8.0).with_strength(0.8))?;
    /// assert_eq!(light.level((1, 0)), 0.8);
    /// assert_eq!(light.get(torch).unwrap().reach, 8.0);
    /// assert!(light.insert(&map, Lamp::new((7, 0))).is_err()); // off the map
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LightError`] for a lamp off the map or with values out of range.
    pub fn insert(&mut self, map: &(impl Surroundings + ?Sized), lamp: Lamp) -> Result<LampId, LightError> {
        let area = self.area_of(map, &lamp)?;
        Ok(self.add(lamp, area))
    }

    /// Adds many lamps, on all cores with the feature `parallel`. The result is the same on any number of threads.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::light::{Lamp, LightMap};
    ///
    /// let map = OpacityMap::from_text(".........")?;
    /// let mut light = LightMap::new(&map);
    /// let torches = light.insert_many(&map, &[Lamp::new((0, 0)), Lamp::new((8, 0))])?;
    /// assert_eq!(light.get(torches[1]).unwrap().at.x, 8);
    /// assert!(light.insert_many(&map, &[Lamp::new((4, 0)), Lamp::new((9, 0))]).is_err()); // off the map
    /// assert_eq!(light.lamps().len(), 2); // none was added
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`insert`](Self::insert), for the first lamp with an error; then none is added.
    pub fn insert_many(
        &mut self,
        map: &(impl Surroundings + ?Sized),
        lamps: &[Lamp],
    ) -> Result<Vec<LampId>, LightError> {
        let areas = self.areas_of(map, lamps)?;
        Ok(lamps.iter().zip(areas).map(|(lamp, area)| self.add(lamp.clone(), area)).collect())
    }

    fn add(&mut self, lamp: Lamp, area: LitArea) -> LampId {
        let id = LampId(self.next_id);
        self.next_id += 1;
        let placed = PlacedLamp::new(lamp, area, self.seconds, self.seed);
        self.tiles.list(id, &placed.area);
        self.tiles.add(&placed);
        self.lamps.insert(id, placed);
        id
    }

    /// Moves a lamp to another cell. Returns `false` if there is no such lamp.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::light::{Lamp, LightMap};
    ///
    /// let map = OpacityMap::from_text("...#...")?;
    /// let mut light = LightMap::new(&map);
    /// let torch = light.insert(&map, Lamp::new((0, 0)))?;
    /// assert!(light.move_to(&map, torch, (5, 0))?);
    /// assert_eq!(light.level((0, 0)), 0.0); // the wall is between
    /// assert_eq!(light.level((5, 0)), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LightError::LampOutside`]; then the lamp stays where it is.
    pub fn move_to(
        &mut self,
        map: &(impl Surroundings + ?Sized),
        id: LampId,
        at: impl ToCell,
    ) -> Result<bool, LightError> {
        let at = at.to_cell();
        match self.lamps.get(&id).map(|placed| placed.lamp.clone()) {
            Some(lamp) => self.replace(map, id, Lamp { at, ..lamp }),
            None => Ok(false),
        }
    }

    /// Changes the colour and the strength of a lamp. Its lit area stays, so no field of view is computed. Returns
    /// `false` if there is no such lamp.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::light::{Lamp, LightMap, Rgb};
    ///
    /// let map = OpacityMap::from_text(".......")?;
    /// let mut light = LightMap::new(&map);
    /// let alarm = light.insert(&map, Lamp::new((3, 0)))?;
    /// light.recolour(alarm, Rgb([255, 0, 0]), 0.5)?;
    /// assert_eq!(light.level((3, 0)), 0.5);
    /// assert_eq!(light.hue((0, 0)), [1.0, 0.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LightError`] for a strength out of range; then the lamp does not change.
    pub fn recolour(&mut self, id: LampId, colour: Rgb, strength: f64) -> Result<bool, LightError> {
        let Some(placed) = self.lamps.get_mut(&id) else { return Ok(false) };
        let lamp = Lamp { colour, strength, ..placed.lamp.clone() };
        lamp.check()?;
        placed.lamp = lamp;
        placed.set_time(self.seconds, self.seed);
        let region = placed.area.frame();
        self.tiles.sum_up(region, &self.lamps);
        Ok(true)
    }

    /// Replaces a lamp by another one. Returns `false` if there is no such lamp.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::light::{Lamp, LightMap};
    ///
    /// let map = OpacityMap::from_text(".........")?;
    /// let mut light = LightMap::new(&map);
    /// let torch = light.insert(&map, Lamp::new((0, 0)).with_reach(4.0))?;
    /// let brighter = light.get(torch).unwrap().clone().with_reach(12.0);
    /// assert!(light.replace(&map, torch, brighter)?);
    /// assert!(light.level((6, 0)) > 0.3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`insert`](Self::insert); then the lamp stays as it is.
    pub fn replace(&mut self, map: &(impl Surroundings + ?Sized), id: LampId, lamp: Lamp) -> Result<bool, LightError> {
        if !self.lamps.contains_key(&id) {
            return Ok(false);
        }
        let area = self.area_of(map, &lamp)?;
        let region = self.exchange(id, PlacedLamp::new(lamp, area, self.seconds, self.seed));
        for region in region {
            self.tiles.sum_up(region, &self.lamps);
        }
        Ok(true)
    }

    /// Removes a lamp and returns it, or `None` if there is no such lamp.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::light::{Lamp, LightMap};
    ///
    /// let map = OpacityMap::from_text(".......")?;
    /// let mut light = LightMap::new(&map);
    /// let torch = light.insert(&map, Lamp::new((3, 0)))?;
    /// assert_eq!(light.remove(torch), Some(Lamp::new((3, 0))));
    /// assert_eq!(light.level((3, 0)), 0.0);
    /// assert_eq!(light.remove(torch), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, id: LampId) -> Option<Lamp> {
        let PlacedLamp { lamp, area, .. } = self.lamps.remove(&id)?;
        self.tiles.unlist(id, &area);
        self.tiles.sum_up(area.frame(), &self.lamps);
        Some(lamp)
    }

    /// Recomputes the light after changes of cells: that of the lamps whose light reaches one of them.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::light::{Lamp, LightMap};
    ///
    /// let mut map = OpacityMap::from_text("...+...")?;
    /// let mut light = LightMap::new(&map);
    /// light.insert(&map, Lamp::new((1, 0)))?;
    /// assert_eq!(light.level((5, 0)), 0.0);
    /// map.toggle_door((3, 0));
    /// light.changed(&map, [(3, 0)])?;
    /// assert!(light.level((5, 0)) > 0.3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LightError`] if the light of a lamp cannot be computed; then the light does not change.
    pub fn changed(
        &mut self,
        map: &(impl Surroundings + ?Sized),
        cells: impl IntoIterator<Item: ToCell>,
    ) -> Result<(), LightError> {
        let mut ids = Vec::new();
        for cell in cells.into_iter().map(ToCell::to_cell) {
            let depends = |id: &&LampId| self.lamps[id].area.depends_on(cell);
            ids.extend(self.tiles.lamps_near(cell).iter().filter(depends));
        }
        ids.sort_unstable();
        ids.dedup();
        self.compute_anew(map, &ids)
    }

    /// Opens or closes the door on a cell of the map, and recomputes the light. Returns the new state, or `None` if there is no
    /// door.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::light::{Lamp, LightMap};
    /// use farsight::sight::Door;
    ///
    /// let mut map = OpacityMap::from_text("...+...")?;
    /// let mut light = LightMap::new(&map);
    /// light.insert(&map, Lamp::new((1, 0)))?;
    /// assert_eq!(light.toggle_door(&mut map, (3, 0))?, Some(Door::Open));
    /// assert!(light.level((5, 0)) > 0.3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`changed`](Self::changed); then the door does not change either.
    pub fn toggle_door(&mut self, map: &mut OpacityMap, cell: impl ToCell) -> Result<Option<Door>, LightError> {
        let cell = cell.to_cell();
        let door = map.toggle_door(cell);
        if door.is_some()
            && let Err(error) = self.changed(&*map, [cell])
        {
            map.toggle_door(cell);
            return Err(error);
        }
        Ok(door)
    }

    /// Computes the light of all lamps anew, on all cores with the feature `parallel`: after a change of the whole map.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::light::{Lamp, LightMap};
    ///
    /// let map = OpacityMap::from_text("...#...")?;
    /// let mut light = LightMap::new(&map);
    /// light.insert(&map, Lamp::new((1, 0)))?;
    /// assert_eq!(light.level((5, 0)), 0.0);
    /// let map = OpacityMap::from_text(".......")?; // an earthquake
    /// light.changed_everywhere(&map)?;
    /// assert!(light.level((5, 0)) > 0.3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`changed`](Self::changed).
    pub fn changed_everywhere(&mut self, map: &(impl Surroundings + ?Sized)) -> Result<(), LightError> {
        let ids: Vec<LampId> = self.lamps.keys().copied().collect();
        self.compute_anew(map, &ids)
    }

    fn compute_anew(&mut self, map: &(impl Surroundings + ?Sized), ids: &[LampId]) -> Result<(), LightError> {
        let lamps: Vec<Lamp> = ids.iter().map(|id| self.lamps[id].lamp.clone()).collect();
        let areas = self.areas_of(map, &lamps)?;
        let mut regions = Vec::new();
        for ((&id, lamp), area) in ids.iter().zip(lamps).zip(areas) {
            regions.extend(self.exchange(id, PlacedLamp::new(lamp, area, self.seconds, self.seed)));
        }
        self.sum_up_all(&regions);
        Ok(())
    }

    /// Sets the time, which determines the strength of lamps that [flicker](super::Flicker). Returns `true` if light
    /// changes.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::light::{Flicker, Lamp, LightMap};
    ///
    /// let map = OpacityMap::from_text(".......")?;
    /// let mut light = LightMap::new(&map).with_seed(7);
    /// light.insert(&map, Lamp::new((3, 0)).with_flicker(Flicker::Flame))?;
    /// let at_first = light.level((3, 0));
    /// assert!(light.set_time(1.3));
    /// assert_ne!(light.level((3, 0)), at_first);
    /// light.set_time(0.0); // the same moment looks the same again
    /// assert_eq!(light.level((3, 0)), at_first);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_time(&mut self, seconds: f64) -> bool {
        self.seconds = seconds;
        let mut regions = Vec::new();
        for placed in self.lamps.values_mut() {
            if placed.set_time(seconds, self.seed) {
                regions.push(placed.area.frame());
            }
        }
        self.sum_up_all(&regions);
        !regions.is_empty()
    }

    /// Returns `true` if the light changes with time, because a lamp flickers.
    pub fn flickers(&self) -> bool {
        self.lamps().any(|(_, lamp)| !lamp.flicker.is_steady())
    }

    /// Returns the lamps in the order in which they were added.
    pub fn lamps(&self) -> impl ExactSizeIterator<Item = (LampId, &Lamp)> {
        self.lamps.iter().map(|(id, placed)| (*id, &placed.lamp))
    }

    /// Returns a lamp.
    pub fn get(&self, id: LampId) -> Option<&Lamp> {
        self.lamps.get(&id).map(|placed| &placed.lamp)
    }

    /// Returns the light of all lamps on a cell, 0 or more: 1 is full daylight. 0 off the map. Of a wall it is the light on its area, which
    /// is low at a grazing angle: [`level_from`](Self::level_from) has the light that a viewer sees on it.
    #[inline]
    pub fn level(&self, cell: impl ToCell) -> f32 {
        let cell = cell.to_cell();
        self.light(cell).level()
    }

    /// Returns the mean hue of the light on a cell, each channel 0 to 1; white without light.
    #[doc(alias = "colour")]
    #[doc(alias = "color")]
    pub fn hue(&self, cell: impl ToCell) -> [f32; 3] {
        let cell = cell.to_cell();
        self.light(cell).hue()
    }

    /// Returns the light that a viewer sees on a cell. On a wall that is the light on the sides that face the viewer: a
    /// lamp in the next room does not light this side. Elsewhere it is the [`level`](Self::level).
    ///
    /// A lamp lights a side or a corner that faces it, as brightly as the brightest open cell in front of it, so the walls of a
    /// lit room are as bright as its floor.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::glam::ivec2;
    /// use farsight::light::{Lamp, LightMap};
    ///
    /// let map = OpacityMap::from_text("...#...\n...#...\n...#...")?;
    /// let mut light = LightMap::new(&map);
    /// light.insert(&map, Lamp::new(ivec2(0, 1)))?;
    /// let wall = ivec2(3, 1);
    /// assert!(light.level(wall) > 0.5);
    /// assert_eq!(light.level_from(&map, wall, ivec2(1, 0)), light.level(ivec2(2, 1))); // from the side of the lamp
    /// assert_eq!(light.level_from(&map, wall, ivec2(6, 0)), 0.0); // from behind
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn level_from(&self, map: &(impl Surroundings + ?Sized), cell: impl ToCell, viewer: impl ToCell) -> f32 {
        let (cell, viewer) = (cell.to_cell(), viewer.to_cell());
        self.light_from(map, cell, viewer, f32::max).level()
    }

    /// Returns the mean hue of the light that a viewer sees on a cell, each channel 0 to 1; white without light. See
    /// [`level_from`](Self::level_from).
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::light::{Lamp, LightMap, Rgb};
    ///
    /// let map = OpacityMap::from_text("...#...")?;
    /// let mut light = LightMap::new(&map);
    /// light.insert(&map, Lamp::new((1, 0)).with_colour(Rgb([255, 0, 0])))?;
    /// light.insert(&map, Lamp::new((5, 0)).with_colour(Rgb([0, 0, 255])))?;
    /// assert_eq!(light.hue_from(&map, (3, 0), (0, 0)), [1.0, 0.0, 0.0]); // the red side of the wall
    /// assert_eq!(light.hue_from(&map, (3, 0), (6, 0)), [0.0, 0.0, 1.0]); // and the blue one
    /// assert!(light.hue((3, 0))[0] > 0.0 && light.hue((3, 0))[2] > 0.0); // both
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "colour")]
    #[doc(alias = "color")]
    pub fn hue_from(&self, map: &(impl Surroundings + ?Sized), cell: impl ToCell, viewer: impl ToCell) -> [f32; 3] {
        let (cell, viewer) = (cell.to_cell(), viewer.to_cell());
        self.light_from(map, cell, viewer, f32::max).hue()
    }

    /// Returns the light that a viewer sees on a cell. `share` is the fraction of a lamp's strength on a wall, from that on its
    /// cell and that in front of its lit sides.
    #[inline]
    fn light_from(
        &self,
        map: &(impl Surroundings + ?Sized),
        cell: IVec2,
        viewer: IVec2,
        share: impl Fn(f32, f32) -> f32,
    ) -> CellLight {
        if cell == viewer || !map.is_wall(cell) {
            return self.light(cell);
        }
        let mut seen = CellLight::default();
        let lamps = self.tiles.lamps_near(cell);
        if lamps.is_empty() {
            return seen;
        }
        let fronts = open_fronts(cell, viewer, |front| map.is_wall(front));
        for placed in lamps.iter().map(|id| &self.lamps[id]) {
            let in_front = brightest_front(&fronts, cell, placed);
            if in_front > 0.0 {
                seen.add(share(placed.area.share(cell), in_front), placed.strength, placed.lamp.colour.hue());
            }
        }
        seen
    }

    #[inline]
    fn light(&self, cell: IVec2) -> CellLight {
        if self.lamps.is_empty() { CellLight::default() } else { self.tiles.light(cell) }
    }

    /// Replaces a lamp by another one. Returns the regions with stale sums.
    fn exchange(&mut self, id: LampId, placed: PlacedLamp) -> [CellRect; 2] {
        let frame = placed.area.frame();
        let old = self.lamps.get(&id).map_or(frame, |old| old.area.frame());
        if let Some(old) = self.lamps.get(&id) {
            self.tiles.unlist(id, &old.area);
        }
        self.tiles.list(id, &placed.area);
        self.lamps.insert(id, placed);
        [old, frame]
    }

    /// Recomputes the sums of regions that may overlap.
    fn sum_up_all(&mut self, regions: &[CellRect]) {
        let cells: usize = regions.iter().map(|region| region.width() * region.height()).sum();
        if cells > self.extent.width() * self.extent.height() {
            self.tiles.sum_up(self.extent, &self.lamps);
        } else {
            regions.iter().for_each(|region| self.tiles.sum_up(*region, &self.lamps));
        }
    }

    fn areas_of(&self, map: &(impl Surroundings + ?Sized), lamps: &[Lamp]) -> Result<Vec<LitArea>, LightError> {
        let area = |viewsheds: &mut Vec<Viewshed>, lamp: &Lamp| self.shine(map, lamp, viewsheds);
        lamps.par_iter().map_init(|| self.viewsheds.clone(), area).collect()
    }

    fn area_of(&mut self, map: &(impl Surroundings + ?Sized), lamp: &Lamp) -> Result<LitArea, LightError> {
        let mut viewsheds = std::mem::take(&mut self.viewsheds);
        let area = self.shine(map, lamp, &mut viewsheds);
        self.viewsheds = viewsheds;
        area
    }

    /// Computes the light of a lamp with one of `viewsheds`, or a new one.
    fn shine(
        &self,
        map: &(impl Surroundings + ?Sized),
        lamp: &Lamp,
        viewsheds: &mut Vec<Viewshed>,
    ) -> Result<LitArea, LightError> {
        lamp.check()?;
        if !self.extent.contains(lamp.at) {
            return Err(LightError::LampOutside { at: lamp.at, extent: self.extent });
        }
        let config = lamp.sight_config(self.path).with_sector(directions(map, lamp.at));
        let place = match viewsheds.iter().position(|viewshed| *viewshed.config() == config) {
            Some(place) => place,
            None => {
                if viewsheds.len() == KEPT_VIEWSHEDS {
                    viewsheds.remove(0);
                }
                viewsheds.push(Viewshed::new(config)?);
                viewsheds.len() - 1
            }
        };
        Ok(LitArea::of(&map.shine(lamp, &mut viewsheds[place])?))
    }
}

/// Returns the level and the hue of the light that a viewer sees on a cell, where a wall has the light on its own cell, not that
/// in front of it: for the pictures of scenes, which brighten walls themselves.
#[inline]
pub fn own_light_from(
    light: &LightMap,
    map: &(impl Surroundings + ?Sized),
    cell: IVec2,
    viewer: IVec2,
) -> (f32, [f32; 3]) {
    let own = light.light(cell);
    let seen = if own.level() == 0.0 { own } else { light.light_from(map, cell, viewer, |own, _| own) };
    (seen.level(), seen.hue())
}

/// The most cells of a light map that is read.
const MOST_CELLS: u64 = 1 << 32;

/// The serialized form of a light map. Sums and strengths follow from it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedLights {
    min: IVec2,
    max: IVec2,
    path: PathRule,
    seed: u64,
    seconds: f64,
    next_id: u64,
    lamps: Vec<(u64, Lamp, LitArea)>,
}

impl From<LightMap> for SavedLights {
    fn from(map: LightMap) -> Self {
        let LightMap { extent, path, seed, seconds, lamps, next_id, .. } = map;
        let lamps = lamps.into_iter().map(|(id, placed)| (id.0, placed.lamp, placed.area)).collect();
        Self { min: extent.min, max: extent.max, path, seed, seconds, next_id, lamps }
    }
}

impl TryFrom<SavedLights> for LightMap {
    type Error = String;

    fn try_from(saved: SavedLights) -> Result<Self, String> {
        let SavedLights { min, max, path, seed, seconds, next_id, lamps } = saved;
        let extent = CellRect { min, max };
        let [width, height] = [max.x.abs_diff(min.x), max.y.abs_diff(min.y)].map(u64::from);
        // A map with more cells has no place in memory.
        if min.cmpge(max).any() || width * height > MOST_CELLS {
            return Err(format!("a light map from {min} to {max} is not valid: expected 1 to {MOST_CELLS} cells"));
        }
        let mut map = Self { path, seed, seconds, ..Self::of_extent(extent) };
        for (id, lamp, area) in lamps {
            lamp.check().map_err(|error| error.to_string())?;
            let is_on_map = extent.contains(lamp.at) && area.frame().cover(extent) == extent;
            if !is_on_map || !area.is_sound() {
                return Err(format!("the lamp at {} has light off the map, or out of 0 to 1", lamp.at));
            }
            if id < map.next_id || id >= next_id {
                return Err(format!("the lamp {id} is not behind the one before, and below {next_id}"));
            }
            map.next_id = id;
            map.add(lamp, area);
        }
        map.next_id = next_id;
        Ok(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saves_of_maps_that_no_memory_holds_are_errors() {
        let mut saved = serde_json::to_value(LightMap::of_extent(CellRect::of_size((2, 1)))).unwrap();
        let corners = [(i32::MIN, i32::MAX), (0, 1 << 17), (i32::MAX, i32::MIN), (3, 3)];
        for (min, max) in corners {
            (saved["min"], saved["max"]) = (serde_json::json!([min, min]), serde_json::json!([max, max]));
            let error = serde_json::from_value::<LightMap>(saved.clone()).unwrap_err().to_string();
            assert!(error.contains("expected 1 to 4294967296 cells"), "{error}");
        }
    }
}
