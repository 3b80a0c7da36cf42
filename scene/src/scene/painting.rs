//! [`Painting`]: the land of a scene without its strokes and with them.

use std::sync::Arc;

use glam::IVec2;

use super::terrain::habitat_in;
use crate::creatures::Habitat;
use crate::optics::Optics;
use crate::preset::{PresetError, STROKES};
use crate::scene::{SceneError, Terrain};
use crate::world::{Brush, Footprint, Stroke, World, WorldPatch, common_strokes, differing_cells, settling_strokes};
use farsight::grid::CellRect;
use farsight::sight::OpacityMap;
use farsight::{Cancelled, Job};

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
            let brushes = Brush::ALL.iter().copied().filter(|brush| brush.is_of_worlds() == is_world);
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

/// The land of a scene without its strokes, and the strokes of its terrain.
#[derive(Clone, Debug)]
pub(super) struct Painting {
    land: PaintedLand,
    strokes: Arc<Vec<Stroke>>,
}

#[derive(Clone, Debug)]
enum PaintedLand {
    World(PaintedWorld),
    Map(Box<PaintedMap>),
}

#[derive(Clone, Debug)]
struct PaintedWorld {
    unpainted: Arc<World>,
    /// A cache of settled worlds, the most recently used last.
    settled: Vec<Settled>,
    /// The world below the last strokes.
    base: Arc<World>,
    /// The cells before the last stroke; `None` after its undo.
    last: Option<Box<WorldPatch>>,
}

/// A world after climate and rivers have followed some strokes.
#[derive(Clone, Debug)]
struct Settled {
    strokes: Vec<Stroke>,
    world: Arc<World>,
}

/// The number of cached settled worlds: the present world and the previous one, for an immediate undo.
const MAX_SETTLED: usize = 2;

#[derive(Clone, Debug)]
struct PaintedMap {
    unpainted: OpacityMap,
    /// With all strokes, but without changed cells.
    painted: OpacityMap,
    before_last: Option<OpacityMap>,
}

impl Painting {
    /// Creates terrain without strokes.
    pub(super) fn new(terrain: &Terrain) -> Self {
        let land = match terrain {
            Terrain::World(optics) => PaintedLand::World(PaintedWorld::new(optics.world())),
            Terrain::Map(map) => PaintedLand::Map(Box::new(PaintedMap {
                unpainted: map.clone(),
                painted: map.clone(),
                before_last: None,
            })),
        };
        Self { land, strokes: Arc::default() }
    }

    /// Returns the opacity map or dungeon without strokes and changed cells; `None` in a world.
    pub(super) fn unpainted_map(&self) -> Option<&OpacityMap> {
        match &self.land {
            PaintedLand::Map(map) => Some(&map.unpainted),
            PaintedLand::World(_) => None,
        }
    }

    /// Returns the world without strokes; `None` on an opacity map and in a dungeon.
    pub(super) fn unpainted_world(&self) -> Option<&Arc<World>> {
        match &self.land {
            PaintedLand::World(land) => Some(&land.unpainted),
            PaintedLand::Map(_) => None,
        }
    }

    /// Returns the world below the last of some strokes, and its number of strokes.
    pub(super) fn base_of(&self, strokes: &[Stroke]) -> Option<(&Arc<World>, usize)> {
        match &self.land {
            PaintedLand::World(land) => Some(land.base_of(strokes)),
            PaintedLand::Map(_) => None,
        }
    }

    /// Caches the settled world of some strokes.
    pub(super) fn keep(&mut self, strokes: &[Stroke], world: World) {
        if let PaintedLand::World(land) = &mut self.land {
            land.keep(settling_strokes(strokes), Arc::new(world));
        }
    }

    /// Returns the strokes of the terrain.
    pub(super) fn strokes(&self) -> &Arc<Vec<Stroke>> {
        &self.strokes
    }

    /// Returns the opacity map or dungeon with its strokes, without changed cells; `None` in a world.
    pub(super) fn map(&self) -> Option<&OpacityMap> {
        match &self.land {
            PaintedLand::Map(map) => Some(&map.painted),
            PaintedLand::World(_) => None,
        }
    }

    /// Returns `true` if a cell can be entered without strokes and changes.
    pub(super) fn can_enter(&self, cell: IVec2) -> bool {
        match &self.land {
            PaintedLand::World(land) => land.unpainted.has_data(cell),
            PaintedLand::Map(map) => map.unpainted.get(cell).is_some_and(|opacity| opacity < 1.0),
        }
    }

    /// Returns the habitat of a cell without strokes and changes.
    pub(super) fn habitat(&self, cell: IVec2) -> Option<Habitat> {
        match &self.land {
            PaintedLand::World(land) => habitat_in(&land.unpainted, cell),
            PaintedLand::Map(_) => self.can_enter(cell).then_some(Habitat::Floor),
        }
    }

    /// Returns `true` if climate and rivers have to settle before some strokes can be painted.
    pub(super) fn must_settle(&self, strokes: &[Stroke]) -> bool {
        match &self.land {
            PaintedLand::World(land) => land.must_settle(settling_strokes(strokes)),
            PaintedLand::Map(_) => false,
        }
    }

    /// Updates climate and rivers to the strokes up to the last that settles, unless they are current.
    pub(super) fn settle(&mut self, strokes: &[Stroke], job: Job<'_>) -> Result<(), Cancelled> {
        match &mut self.land {
            PaintedLand::World(land) => land.settle(settling_strokes(strokes), job),
            PaintedLand::Map(_) => Ok(()),
        }
    }

    /// Replaces the strokes of the terrain. Returns the cells that can differ.
    pub(super) fn paint(&mut self, terrain: &mut Terrain, strokes: &[Stroke]) -> Vec<IVec2> {
        let old = std::mem::replace(&mut self.strokes, Arc::new(strokes.to_vec()));
        match (&mut self.land, terrain) {
            (PaintedLand::World(land), Terrain::World(optics)) => land.paint(optics, &old, strokes),
            (PaintedLand::Map(land), Terrain::Map(map)) => land.paint(map, &old, strokes),
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

    /// Returns the cached world that has settled after the most of some strokes, and their number.
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

/// Copies the opacity and the door of a cell from another map. Returns `true` if the opacity changes.
fn copy_cell(from: &OpacityMap, to: &mut OpacityMap, cell: IVec2) -> bool {
    let (opacity, is_door) = (from.grid()[cell], from.door(cell).is_some());
    let is_other = to.grid()[cell] != opacity;
    let copied = if is_other { to.set(cell, opacity) } else { Ok(()) }.and_then(|()| to.set_door(cell, is_door));
    debug_assert!(copied.is_ok(), "the cell is on the map");
    is_other
}
