//! [`Painting`]: the land of a scene without its strokes and with them.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::IVec2;

use super::terrain::habitat_in;
use crate::creatures::Habitat;
use crate::optics::Optics;
use crate::preset::{ChangedCell, PresetError, STROKES};
use crate::scene::{Scene, SceneError, Terrain};
use crate::world::{Brush, Footprint, Stroke, World, WorldPatch, common_strokes, differing_cells, settling_strokes};
use farsight::grid::CellRect;
use farsight::sight::{OpacityMap, SightError};
use farsight::{Cancelled, Job};

impl Scene {
    /// Paints a stroke: land rises, a wood grows, a wall is built. No turn passes. In a world, the cost is that of the cells that the
    /// stroke reaches and of the views near them, not that of the map; after a stroke that [settles](field@Stroke::settles), it is that of
    /// making the world again.
    ///
    /// The stroke is in the [`state`](Self::state), and an entry of `[[strokes]]` of the [`present_preset`](Self::present_preset), so
    /// that exports, links and saved walks have it. Creatures stay where they are. A cell that was changed by itself, such as an open
    /// door, is as the stroke paints it.
    ///
    /// # Errors
    /// [`SceneError::WrongBrush`] for a brush of other land, and [`SceneError::Preset`] for values out of range or a stroke too many;
    /// the scene stays as it was.
    ///
    /// ```
    /// use farsight_scene::prelude::*;
    /// use farsight::Job;
    /// use farsight_scene::world::{Brush, Stroke};
    /// let mut scene = Scene::on_map(Preset::bare_kernel(), OpacityMap::clear(9, 5)?, Some((0, 2).into()), Job::none())?;
    /// let wall = Stroke::new(Brush::Wall, [(4, 0), (4, 4)]).with_radius(0);
    /// scene.paint(wall.clone())?;
    /// assert_eq!(scene.visibility((8, 2)), 0.0);
    /// scene.paint(Stroke::new(Brush::Window, [(4, 2)]).with_radius(0))?;
    /// assert!(scene.visibility((8, 2)) > 0.8);
    /// assert_eq!(scene.present_preset().strokes.len(), 2);
    /// assert!(scene.paint(Stroke::new(Brush::Raise, [(4, 2)])).is_err()); // a map has no hills
    /// scene.set_strokes(vec![wall])?;
    /// assert_eq!(scene.visibility((8, 2)), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn paint(&mut self, stroke: Stroke) -> Result<(), SceneError> {
        let mut strokes = self.state.strokes.clone();
        strokes.push(stroke);
        self.set_strokes(strokes)
    }

    /// Replaces the strokes. If only the last one differs, which grows while it is drawn, only that one is painted again.
    ///
    /// # Errors
    /// As [`paint`](Self::paint).
    pub fn set_strokes(&mut self, strokes: Vec<Stroke>) -> Result<(), SceneError> {
        check(&strokes, self.world().is_some())?;
        let mut state = self.state.clone();
        state.cells = self.cells_under(&strokes);
        state.strokes = strokes;
        if state == self.state {
            return Ok(());
        }
        let old = std::mem::replace(&mut self.state, state);
        if let Err(error) = self.update_cells(&old.cells) {
            let refused = std::mem::replace(&mut self.state, old);
            self.update_cells(&refused.cells)?;
            return Err(error.into());
        }
        self.update_perception();
        Ok(())
    }

    /// Returns the changed cells that are left when some strokes take the place of those of the scene: without those that a new
    /// stroke paints.
    pub fn cells_under(&self, strokes: &[Stroke]) -> Vec<ChangedCell> {
        let mut cells = self.state.cells.clone();
        let same = common_strokes(strokes, &self.state.strokes);
        for stroke in strokes[same..].iter().filter(|_| !self.state.cells.is_empty()) {
            let footprint = Footprint::new(stroke, self.size());
            let painted: BTreeSet<[i32; 2]> = footprint.covered().map(|cell| cell.to_array()).collect();
            cells.retain(|changed| !painted.contains(&changed.at.to_array()));
        }
        cells
    }

    /// Returns the opacity map or dungeon without strokes and changed cells; `None` in a world.
    pub fn map_without_changes(&self) -> Option<&OpacityMap> {
        match &self.painting.land {
            Land::Map(map) => Some(&map.unpainted),
            Land::World(_) => None,
        }
    }

    /// Returns the world without strokes; `None` on an opacity map and in a dungeon.
    pub fn world_without_strokes(&self) -> Option<&Arc<World>> {
        match &self.painting.land {
            Land::World(land) => Some(&land.unpainted),
            Land::Map(_) => None,
        }
    }

    /// Returns the world that the last strokes are painted on, and these strokes: those since climate and rivers have settled, or all
    /// of them. `None` on an opacity map and in a dungeon.
    pub fn world_and_strokes(&self) -> Option<(&Arc<World>, &[Stroke])> {
        match &self.painting.land {
            Land::World(land) => {
                let (world, settled) = land.base_of(&self.state.strokes);
                Some((world, &self.state.strokes[settled..]))
            }
            Land::Map(_) => None,
        }
    }

    /// Takes over the world that a scene with the same strokes on the same world has settled to, in place of making it; see
    /// [`is_unsettled`](Self::is_unsettled).
    ///
    /// # Errors
    /// As [`compute_view`](Self::compute_view).
    pub fn take_settled(&mut self, world: World) -> Result<(), SightError> {
        if let Land::World(land) = &mut self.painting.land {
            land.keep(settling_strokes(&self.state.strokes), Arc::new(world));
        }
        self.follow_climate()
    }

    /// Returns the strokes that the terrain has.
    pub(crate) fn painted_strokes(&self) -> &Arc<Vec<Stroke>> {
        &self.painting.strokes
    }

    /// Paints the strokes of the state on the terrain, in place of those that it has. Returns the cells of which something may differ;
    /// changed cells are not considered.
    pub(super) fn paint_strokes(&mut self) -> Vec<IVec2> {
        if !self.leaves_climate() {
            let settled = self.painting.settle(&self.state.strokes, Job::none());
            settled.expect("a quiet job is not cancelled");
        }
        let cells = self.painting.paint(&mut self.terrain, &self.state.strokes);
        if !cells.is_empty() {
            self.named_places.take(); // the height of a place of one's own is that of its ground
        }
        cells
    }

    /// Lets climate and rivers settle that were left out, with the light of lamps, but without the views.
    pub(super) fn settle(&mut self, job: Job<'_>) -> Result<(), SightError> {
        self.painting.settle(&self.state.strokes, job)?;
        self.follow_climate()
    }

    fn follow_climate(&mut self) -> Result<(), SightError> {
        let changed = self.change_terrain(&self.state.cells.clone());
        self.update_lamps_near(&changed)
    }
}

/// Checks that strokes can be painted.
pub(super) fn check(strokes: &[Stroke], is_world: bool) -> Result<(), SceneError> {
    if strokes.len() > STROKES.max_len {
        return Err(out_of_range("", format!("{} entries", strokes.len()), format!("at most {}", STROKES.max_len)));
    }
    for (i, stroke) in strokes.iter().enumerate() {
        let refuse = |name: &str, value: String| {
            let setting = STROKES.settings.iter().find(|setting| setting.name() == name);
            Err(out_of_range(&format!("[{i}].{name}"), value, setting.map(|s| s.range_with_unit()).unwrap_or_default()))
        };
        if stroke.brush.is_of_worlds() != is_world {
            let brushes = Brush::ALL.into_iter().filter(|brush| brush.is_of_worlds() == is_world);
            return Err(SceneError::WrongBrush {
                what: format!("strokes[{i}]"),
                brush: stroke.brush.name(),
                land: if is_world { "a world" } else { "an opacity map or dungeon" },
                expected: brushes.map(Brush::name).collect::<Vec<_>>().join(", "),
            });
        }
        match stroke {
            Stroke { points, .. } if !(1..=Stroke::MAX_POINTS).contains(&points.len()) => {
                return refuse("points", format!("{} cells", points.len()));
            }
            Stroke { radius, .. } if !Stroke::RADIUS.contains(radius) => return refuse("radius", radius.to_string()),
            Stroke { strength, .. } if !Stroke::STRENGTH.contains(strength) => {
                return refuse("strength", strength.to_string());
            }
            _ => {}
        }
    }
    Ok(())
}

fn out_of_range(key: &str, value: String, range: String) -> SceneError {
    let (origin, key) = ("preset".to_owned(), format!("{}{key}", STROKES.key));
    PresetError::Value { origin, key, value, unit: String::new(), range }.into()
}

/// The land of a scene without its strokes, and the strokes that its terrain has.
#[derive(Clone, Debug)]
pub(super) struct Painting {
    land: Land,
    strokes: Arc<Vec<Stroke>>,
}

#[derive(Clone, Debug)]
enum Land {
    World(PaintedWorld),
    Map(Box<PaintedMap>),
}

#[derive(Clone, Debug)]
struct PaintedWorld {
    unpainted: Arc<World>,
    /// Worlds that have settled, the one that was last asked for at the end.
    settled: Vec<Settled>,
    /// The world that the last strokes are painted on.
    base: Arc<World>,
    /// The cells before the last stroke; `None` after that was undone.
    last: Option<Box<WorldPatch>>,
}

/// A world after climate and rivers have followed some strokes.
#[derive(Clone, Debug)]
struct Settled {
    strokes: Vec<Stroke>,
    world: Arc<World>,
}

/// The worlds that have settled and are kept: the present one, and that of the step before, to undo one at once.
const MAX_SETTLED: usize = 2;

#[derive(Clone, Debug)]
struct PaintedMap {
    unpainted: OpacityMap,
    /// With all strokes, but without changed cells.
    painted: OpacityMap,
    before_last: Option<OpacityMap>,
}

impl Painting {
    /// Terrain without strokes.
    pub(super) fn new(terrain: &Terrain) -> Self {
        let land = match terrain {
            Terrain::World(optics) => Land::World(PaintedWorld::new(optics.world())),
            Terrain::Map(map) => {
                Land::Map(Box::new(PaintedMap { unpainted: map.clone(), painted: map.clone(), before_last: None }))
            }
        };
        Self { land, strokes: Arc::default() }
    }

    /// Returns the opacity map or dungeon with its strokes, without changed cells; `None` in a world.
    pub(super) fn map(&self) -> Option<&OpacityMap> {
        match &self.land {
            Land::Map(map) => Some(&map.painted),
            Land::World(_) => None,
        }
    }

    /// Returns `true` if a cell can be entered before any stroke and change.
    pub(super) fn can_enter(&self, cell: IVec2) -> bool {
        match &self.land {
            Land::World(land) => land.unpainted.has_data(cell),
            Land::Map(map) => map.unpainted.get(cell).is_some_and(|opacity| opacity < 1.0),
        }
    }

    /// Returns the habitat of a cell before any stroke and change.
    pub(super) fn habitat(&self, cell: IVec2) -> Option<Habitat> {
        match &self.land {
            Land::World(land) => habitat_in(&land.unpainted, cell),
            Land::Map(_) => self.can_enter(cell).then_some(Habitat::Floor),
        }
    }

    /// Returns `true` if climate and rivers have to settle before some strokes can be painted.
    pub(super) fn must_settle(&self, strokes: &[Stroke]) -> bool {
        match &self.land {
            Land::World(land) => land.must_settle(settling_strokes(strokes)),
            Land::Map(_) => false,
        }
    }

    /// Lets climate and rivers follow the strokes up to the last that settles, unless they have.
    pub(super) fn settle(&mut self, strokes: &[Stroke], job: Job<'_>) -> Result<(), Cancelled> {
        match &mut self.land {
            Land::World(land) => land.settle(settling_strokes(strokes), job),
            Land::Map(_) => Ok(()),
        }
    }

    /// Paints strokes on the terrain in place of those that it has. Returns the cells that may differ.
    fn paint(&mut self, terrain: &mut Terrain, strokes: &[Stroke]) -> Vec<IVec2> {
        let old = std::mem::replace(&mut self.strokes, Arc::new(strokes.to_vec()));
        match (&mut self.land, terrain) {
            (Land::World(land), Terrain::World(optics)) => land.paint(optics, &old, strokes),
            (Land::Map(land), Terrain::Map(map)) => land.paint(map, &old, strokes),
            _ => unreachable!("the terrain of a scene stays a world or a map"),
        }
    }
}

impl PaintedWorld {
    fn new(world: &Arc<World>) -> Self {
        Self { unpainted: Arc::clone(world), settled: Vec::new(), base: Arc::clone(world), last: None }
    }

    fn must_settle(&self, strokes: &[Stroke]) -> bool {
        !strokes.is_empty() && self.settled.iter().all(|settled| settled.strokes != strokes)
    }

    fn settle(&mut self, strokes: &[Stroke], job: Job<'_>) -> Result<(), Cancelled> {
        if self.must_settle(strokes) {
            let world = Arc::new(self.unpainted.settled(strokes, job)?);
            self.keep(strokes, world);
        } else if let Some(known) = self.settled.iter().position(|settled| settled.strokes == strokes) {
            self.settled[known..].rotate_left(1);
        }
        Ok(())
    }

    fn keep(&mut self, strokes: &[Stroke], world: Arc<World>) {
        if self.settled.len() == MAX_SETTLED {
            self.settled.remove(0);
        }
        self.settled.push(Settled { strokes: strokes.to_vec(), world });
    }

    /// Returns the world that has settled after most of some strokes, and how many these are.
    fn base_of(&self, strokes: &[Stroke]) -> (&Arc<World>, usize) {
        let known = self.settled.iter().filter(|settled| strokes.starts_with(&settled.strokes));
        let known = known.max_by_key(|settled| settled.strokes.len());
        known.map_or((&self.unpainted, 0), |settled| (&settled.world, settled.strokes.len()))
    }

    fn paint(&mut self, optics: &mut Optics, old: &[Stroke], new: &[Stroke]) -> Vec<IVec2> {
        let size = self.unpainted.elevation_m().size();
        let (base, settled) = self.base_of(new);
        if !Arc::ptr_eq(base, &self.base) {
            (self.base, self.last) = (Arc::clone(base), None);
            let mut world = Arc::clone(&self.base);
            for stroke in &new[settled..] {
                self.last = Some(Box::new(Arc::make_mut(&mut world).paint(stroke)));
            }
            *optics = Optics::new(world, optics.config()); // its air has another humidity
            return CellRect::of_size(size).cells().collect();
        }
        let Some(reach) = differing_cells(old, new, size) else {
            return Vec::new();
        };
        let same = common_strokes(old, new);
        let (is_longer, is_last) = (same == old.len(), same + 1 == old.len());
        let Self { base, last, .. } = self;
        optics.change_world(reach, |world| {
            let kept = match last.take() {
                _ if is_longer => same,
                Some(patch) if is_last => {
                    Arc::make_mut(world).restore(&patch);
                    same
                }
                _ => {
                    *world = Arc::clone(base);
                    settled
                }
            };
            for stroke in &new[kept..] {
                *last = Some(Box::new(Arc::make_mut(world).paint(stroke)));
            }
            if new.len() == settled {
                *world = Arc::clone(base);
            }
        });
        reach.cells().collect()
    }
}

impl PaintedMap {
    fn paint(&mut self, map: &mut OpacityMap, old: &[Stroke], new: &[Stroke]) -> Vec<IVec2> {
        let Some(reach) = differing_cells(old, new, map.grid().size()) else {
            return Vec::new();
        };
        let same = common_strokes(old, new);
        let (is_longer, is_last) = (same == old.len(), same + 1 == old.len());
        let Self { unpainted, painted, before_last } = self;
        let kept = match before_last.take() {
            _ if is_longer => same,
            Some(before) if is_last => {
                *painted = before;
                same
            }
            _ => {
                *painted = unpainted.clone();
                0
            }
        };
        for stroke in &new[kept..] {
            *before_last = Some(painted.clone());
            paint_map(painted, stroke);
        }
        reach.cells().filter(|&cell| copy_cell(painted, map, cell)).collect()
    }
}

fn paint_map(map: &mut OpacityMap, stroke: &Stroke) {
    let opacity = match stroke.brush {
        Brush::Wall | Brush::Door => 1.0,
        Brush::Hedge => stroke.strength as f32,
        Brush::Window => Brush::WINDOW_OPACITY,
        _ => 0.0,
    };
    for cell in Footprint::new(stroke, map.grid().size()).covered() {
        let painted = map.set(cell, opacity).and_then(|()| map.set_door(cell, stroke.brush == Brush::Door));
        debug_assert!(painted.is_ok(), "the cells are on the map");
    }
}

/// Gives a cell the opacity and the door that it has on another map. Returns `true` if it had another opacity.
fn copy_cell(from: &OpacityMap, to: &mut OpacityMap, cell: IVec2) -> bool {
    let (opacity, is_door) = (from.grid()[cell], from.door(cell).is_some());
    let is_other = to.grid()[cell] != opacity;
    let copied = if is_other { to.set(cell, opacity) } else { Ok(()) }.and_then(|()| to.set_door(cell, is_door));
    debug_assert!(copied.is_ok(), "the cell is on the map");
    is_other
}
