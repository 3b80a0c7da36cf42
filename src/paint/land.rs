//! The colours of the land. Each of its fields has its own visual channel.
//!
//! | field | channel |
//! |---|---|
//! | elevation | hillshade, and a tint from sand over brown and grey to snow |
//! | vegetation | green, and 1, 2, 4 or 8 trees a cell |
//! | humidity | blue hatching in three densities |
//! | water | blue, deeper where it is deep |
//! | door | wood: filled if it is closed, a frame if it is open |
//! | roof | boards: floor of a warmer colour |

use glam::{IVec2, ivec2};

use super::colour::{Colour, grey, mix, scale};
use super::ramp::elevation_tint;
use crate::preset::PaintConfig;
use crate::scene::{Scene, Terrain};
use crate::sight::Door;
use crate::world::{Biome, Water, World};

/// The colours and patterns of a cell, before it is lit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CellAppearance {
    pub(super) ground: Colour,
    /// 0 to 4, for 0, 1, 2, 4 or 8 trees.
    pub(super) tree_density: u8,
    pub(super) tree: Colour,
    /// 0 to 3.
    pub(super) hatching_density: u8,
    pub(super) door: Option<Door>,
}

pub(super) const HATCHING: Colour = [46.0, 108.0, 236.0];

pub(super) fn appearance(scene: &Scene, paint: &PaintConfig, cell: IVec2) -> CellAppearance {
    match scene.terrain() {
        Terrain::World(optics) => world_appearance(optics.world(), paint, cell),
        Terrain::Map(opacity) => match opacity.door(cell) {
            Some(door) => door_appearance(door, opacity.has_roof(cell)),
            None => bare(floor_or_wall(opacity.grid()[cell], opacity.has_roof(cell))),
        },
    }
}

/// Returns the mean colour of a cell of the map before it is lit.
pub(crate) fn cell_colour(scene: &Scene, cell: IVec2) -> Colour {
    let unlit = appearance(scene, &scene.preset().paint, cell);
    mix(unlit.ground, unlit.tree, 0.2 * f32::from(unlit.tree_density))
}

/// Returns the tree density of a vegetation, 0 to 4.
fn tree_density(vegetation: f32) -> u8 {
    [0.12, 0.32, 0.55, 0.78].iter().map(|&from| u8::from(vegetation >= from)).sum()
}

/// Returns the hatching density of a humidity, 0 to 3.
fn hatching_density(humidity: f32) -> u8 {
    [0.58, 0.72, 0.85].iter().map(|&from| u8::from(humidity >= from)).sum()
}

/// Returns the colour of trees at a mean temperature in °C: blue-green in the north, deep green in the tropics.
pub(super) fn tree_colour(celsius: f32) -> Colour {
    let cool = mix([36.0, 74.0, 66.0], [40.0, 88.0, 38.0], ((celsius + 2.0) / 10.0).clamp(0.0, 1.0));
    mix(cool, [10.0, 78.0, 30.0], ((celsius - 16.0) / 8.0).clamp(0.0, 1.0))
}

/// Returns the colour of the land out of sight.
pub(super) fn muted(colour: Colour) -> Colour {
    mix([12.0, 14.0, 24.0], mix(colour, grey(colour), 0.65), 0.46)
}

fn bare(ground: Colour) -> CellAppearance {
    CellAppearance { ground, tree_density: 0, tree: [0.0; 3], hatching_density: 0, door: None }
}

/// The wood of doors, and the iron around closed ones: darker wood would look like cells that were never seen.
pub(super) const WOOD: Colour = [190.0, 116.0, 60.0];
/// The floor under a roof.
pub(super) const BOARDS: Colour = [206.0, 170.0, 124.0];
const IRON: Colour = [92.0, 76.0, 70.0];

fn door_appearance(door: Door, has_roof: bool) -> CellAppearance {
    let ground = match door {
        Door::Open => floor_or_wall(0.0, has_roof),
        Door::Closed => WOOD,
    };
    CellAppearance { door: Some(door), ..bare(ground) }
}

/// Returns the colour of the frame of a door.
pub(super) fn door_frame(door: Door) -> Colour {
    match door {
        Door::Open => WOOD,
        Door::Closed => IRON,
    }
}

/// Returns a warm colour for floors, a warmer one for floors under a roof, and a cold one for walls.
fn floor_or_wall(opacity: f32, has_roof: bool) -> Colour {
    mix(if has_roof { BOARDS } else { [204.0, 190.0, 160.0] }, [86.0, 84.0, 108.0], opacity)
}

fn world_appearance(world: &World, paint: &PaintConfig, cell: IVec2) -> CellAppearance {
    let shade = if paint.elevation { hillshade(world, cell) } else { 1.0 };
    let elevation = world.elevation_m()[cell];
    match world.water()[cell] {
        Water::Sea => {
            let depth = elevation - world.config().sea_level() as f32;
            let depth = if paint.elevation { depth.min(-1.0) } else { -60.0 };
            return bare(if world.biome()[cell] == Biome::Ice { [214.0, 228.0, 238.0] } else { elevation_tint(depth) });
        }
        Water::Lake => return bare([66.0, 124.0, 180.0]),
        Water::River => return bare(scale([70.0, 128.0, 190.0], 0.5 + 0.5 * shade)),
        Water::None => {}
    }
    let vegetation = if paint.vegetation { world.vegetation()[cell] } else { 0.0 };
    let celsius = world.temperature_c()[cell];
    let mut ground = if paint.elevation { elevation_tint(elevation.max(0.0)) } else { [214.0, 204.0, 172.0] };
    ground = match world.biome()[cell] {
        Biome::Ice => [238.0, 244.0, 250.0],
        Biome::Tundra | Biome::Alpine if celsius < -4.0 => mix(ground, [232.0, 236.0, 242.0], 0.6),
        _ => ground,
    };
    let grass = mix([168.0, 178.0, 104.0], [150.0, 168.0, 84.0], (celsius / 25.0).clamp(0.0, 1.0));
    ground = mix(ground, grass, (vegetation * 3.0).min(1.0) * 0.55);
    let tree = tree_colour(celsius);
    let canopy = mix(tree, [120.0, 150.0, 80.0], 0.45);
    ground = mix(ground, canopy, ((vegetation - 0.25) / 0.6).clamp(0.0, 1.0) * 0.75);
    let hatching_density = if paint.humidity { hatching_density(world.humidity()[cell]) } else { 0 };
    CellAppearance {
        ground: scale(ground, shade),
        tree_density: tree_density(vegetation),
        tree: scale(tree, 0.5 + 0.5 * shade),
        hatching_density,
        door: None,
    }
}

/// Returns the light from the upper left on the slope of a cell, 0.45 to 1.3; 1 on level ground. The slope is the central
/// difference of four neighbours, exaggerated as on paper maps.
pub(super) fn hillshade(world: &World, cell: IVec2) -> f32 {
    const EXAGGERATION: f32 = 2.2;
    let ground = world.ground_m();
    let here = ground[cell];
    let at = |step: IVec2| ground.get(cell + step).copied().filter(|ground| !ground.is_nan()).unwrap_or(here);
    let cell_size = world.cell_size_at(cell);
    let [run_east, run_south] = [cell_size.x_m, cell_size.y_m].map(|side| 2.0 * side as f32);
    let east = EXAGGERATION * (at(ivec2(1, 0)) - at(ivec2(-1, 0))) / run_east;
    let south = EXAGGERATION * (at(ivec2(0, 1)) - at(ivec2(0, -1))) / run_south;
    // The normal is (−east, −south, 1); the light comes from the upper left, 45° high.
    let facing = (0.5 * east + 0.5 * south + 0.707) / (east * east + south * south + 1.0).sqrt();
    (0.25 + 1.06 * facing).clamp(0.45, 1.3)
}
