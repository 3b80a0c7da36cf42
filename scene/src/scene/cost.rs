//! [`SceneCost`]: an estimate of the work and the memory of a scene.

use std::fmt;

use glam::IVec2;

use super::memory::bytes_of_scene;
use super::scene::{Scene, radius_over};
use crate::optics::Relief;
use crate::preset::Preset;
use crate::world::{Stroke, WorldKind};
use farsight::grid::CellRect;
use farsight::internal::sight::window_radius;
use farsight::internal::sight_config::KnownMethod;
use farsight::light::Lamp;
use farsight::sight::{MethodKind, SightConfig};

/// An estimate of the work and the memory of a scene, from its preset: a short file can require hours.
///
/// The unit of work is a *cell update*: the work for one cell in a two-parent sweep, about a nanosecond. The work of a
/// scene is the sum of
///
/// - columns × rows × a constant for the world, its climate and its optics,
/// - for each view of the viewer, the observers and the creatures with eyes, the cells within the radius × a constant;
///   *beam* has a list of them, *exact* follows samples² lines to each, with lengths up to its distance, and *raycast*
///   its lines; over hills, methods other than two parents also follow a line to each cell,
/// - for each lamp, the cells within its reach,
/// - for each stroke, the cells near its segments and in its bounding rectangle.
///
/// # References
/// The constants are the best fit to the measured times of random scenes; `cargo bench -p benches --bench cost` compares them.
///
/// ```
/// use farsight_scene::preset::Preset;
/// use farsight_scene::scene::SceneCost;
/// let mut preset = Preset::named("fog")?;
/// let fog = SceneCost::of_generated(&preset, None);
/// assert!(!fog.is_over_budget());
/// preset.set("sight.method", "exact")?;
/// preset.set("sight.samples", "32")?;
/// preset.set("sight.radius", "4096")?;
/// let hours = SceneCost::of_generated(&preset, None);
/// assert!(hours.is_over_budget() && hours.updates() > 100 * fog.updates());
/// # Ok::<(), farsight_scene::preset::PresetError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneCost {
    updates: u64,
    /// Updates of the view of the viewer.
    own_view: u64,
    /// Updates of a turn.
    turn: u64,
    /// Updates of the views of the viewer, the observers and the creatures.
    views: u64,
    bytes: u64,
}

/// Cell updates for each cell of a map or of a view, and for other work.
struct Updates;

impl Updates {
    /// A scene of any size.
    const SCENE: f64 = 100_000.0;
    /// Open country from a seed: elevation, erosion, climate, drainage, places and optics.
    const GENERATED: f64 = 330.0;
    /// The climate and the optics of measured ground.
    const GROUND: f64 = 135.0;
    const DUNGEON: f64 = 4.0;
    const MAP: f64 = 1.2;
    /// The views from the candidate cells of the viewer: two views of radius 64 from each of 100 cells.
    const VIEWPOINTS: f64 = 200.0 * 18.0;
    const CELLS_OF_VIEWPOINT: f64 = 129.0 * 129.0;
    /// A cell of the window of a view, on the map or not.
    const WINDOW: f64 = 3.3;
    /// A cell of the map in a view by any method.
    const VIEW: f64 = 1.0;
    /// A cell of the square of the radius, from which beams have a list.
    const BEAM: f64 = 160.0;
    /// A cell that a line of *exact* crosses, for each cell of its length.
    const CROSSING: f64 = 1.6;
    /// The endpoints of such a line, for each cell of the square of the radius.
    const LINE_ENDS: f64 = 29.0;
    /// A cell of a line of *raycast*.
    const BORDER_RAY: f64 = 7.5;
    const CIRCLE_RAY: f64 = 1.0;
    /// A cell over hills: by two parents, and for each cell of the length of a line.
    const REFERENCE_PLANES: f64 = 155.0;
    const OVER_HILLS: f64 = 0.65;
    /// A view over bare hills in clear air, and a cell of it: by two parents, and by lines of sight, of which more are followed near
    /// the viewer.
    const BARE_PLANES: f64 = 3_000.0;
    const BARE_PLANES_CELL: f64 = 1.2;
    const BARE_LINES: f64 = 20_000.0;
    const BARE_LINES_RING: f64 = 900.0;
    const BARE_LINES_CELL: f64 = 14.0;
    const LAMP: f64 = 11.0;
    /// The angle of the horizon of a cell at an azimuth.
    const HORIZON: u64 = 150;
    /// A cell near a segment of a stroke, a cell of its bounding rectangle, and a cell of the map in its rows.
    const SEGMENT: f64 = 4.0;
    const PAINTED: f64 = 40.0;
    const PAINTED_ROW: f64 = 8.0;
    /// A pixel of a frame of a film, painted and encoded.
    const PIXEL: f64 = 60.0;
}

/// The terrain of the views of a scene.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ViewGround {
    World,
    /// A dungeon, whose walls end lines of sight.
    Rooms,
    Map,
}

impl SceneCost {
    /// The maximum number of cell updates of a scene from an untrusted file without confirmation: ten seconds of one
    /// core.
    pub const BUDGET: u64 = 10_000_000_000;

    /// The time of a cell update on one core of a processor of 2020, in seconds.
    const SECONDS: f64 = 1e-9;

    /// Estimates [`Scene::generate`](super::Scene::generate).
    pub fn of_generated(preset: &Preset, viewer: Option<IVec2>) -> Self {
        let size = [preset.world.width, preset.world.height].map(|side| side.min(i32::MAX as u32) as i32);
        let size = IVec2::from(size);
        match preset.world.kind {
            WorldKind::Overworld => Self::of(preset, size, viewer, ViewGround::World, Updates::GENERATED),
            WorldKind::Dungeon => Self::of(preset, size, viewer, ViewGround::Rooms, Updates::DUNGEON),
        }
    }

    /// Estimates [`Scene::from_dem`](super::Scene::from_dem) with a heightmap of `size` columns and rows.
    pub fn of_ground(preset: &Preset, size: IVec2, viewer: Option<IVec2>) -> Self {
        Self::of(preset, size, viewer, ViewGround::World, Updates::GROUND)
    }

    /// Estimates [`Scene::from_map`](super::Scene::from_map) with an opacity map of `size` columns and rows.
    pub fn of_map(preset: &Preset, size: IVec2, viewer: Option<IVec2>) -> Self {
        Self::of(preset, size, viewer, ViewGround::Map, Updates::MAP)
    }

    fn of(preset: &Preset, size: IVec2, viewer: Option<IVec2>, land: ViewGround, updates_of_land: f64) -> Self {
        let size = size.clamp(IVec2::ONE, IVec2::splat(MAX_SIDE));
        let cells = size.as_dvec2().element_product();
        let mut start = Updates::SCENE + cells * updates_of_land;
        if land == ViewGround::World && viewer.is_none() {
            start += cells.min(Updates::CELLS_OF_VIEWPOINT) * Updates::VIEWPOINTS;
        }
        let own = view(preset, size, viewer.unwrap_or(size / 2), land);
        let observers: f64 = preset.viewers.iter().map(|observer| view(preset, size, observer.at, land)).sum();
        let with_eyes = preset.creatures.iter().filter(|placed| placed.kind.eyes.is_some());
        let creatures: f64 = match land {
            ViewGround::World => with_eyes.map(|placed| view(preset, size, placed.at, land)).sum(),
            ViewGround::Rooms | ViewGround::Map => {
                with_eyes.count() as f64 * lines(preset, largest_radius(preset).into())
            }
        };
        let mut strokes: f64 = preset.strokes.iter().map(|stroke| stroke_cost(stroke, size)).sum();
        if preset.strokes.iter().any(|stroke| stroke.settles) {
            strokes += cells * updates_of_land; // the land is made again, and painted again
        }
        let lamps: f64 = preset.lamps.iter().map(|lamp| lamp_light(lamp, size)).sum();
        let turn = own + creatures + preset.viewers.iter().filter(|observer| observer.follows).count() as f64 * own;
        Self {
            updates: (start + own + observers + creatures + lamps + strokes) as u64, // a larger number becomes the largest
            own_view: own as u64,
            turn: turn as u64,
            views: (own + observers + creatures) as u64,
            bytes: bytes_of_scene(size, preset, land == ViewGround::World),
        }
    }

    /// Estimates a walk of `steps` turns in a scene, and a film of it with `frames` of `pixels` each. A film that fades
    /// to a second state of the scene also computes that state, and walks and paints in both.
    pub fn of_film(scene: &Scene, second: Option<&Preset>, steps: u64, frames: u64, pixels: u64) -> Self {
        let of = |preset: &Preset| Self::of_scene(scene, preset);
        let (first, second) = (of(scene.preset()), second.map(of));
        let painted = frames as f64 * pixels as f64 * Updates::PIXEL;
        // The walk is simulated first, then replayed and painted.
        let filmed = |state: Self| state.turn as f64 * 2.0 * steps as f64 + painted;
        let of_second = second.map_or(0.0, |state| state.updates as f64 + filmed(state));
        let bytes = first.bytes.saturating_add(second.map_or(0, |state| state.bytes));
        Self { updates: (filmed(first) + of_second) as u64, bytes, ..first }
    }

    /// Estimates a comparison of methods within the radius of a scene's viewer, with a number of views by each, and the
    /// same number with an eye on each cell.
    pub fn of_comparison(scene: &Scene, methods: &[MethodKind], views: u64) -> Self {
        let (frame, mut preset) = (scene.sight_frame(), scene.preset().clone());
        (preset.sight.radius, preset.optics.radius_per_100m) = (scene.radius(), 0.0);
        let bytes = bytes_of_scene(scene.size(), &preset, scene.world().is_some());
        let mut by = |method, viewer, size, land| {
            preset.sight.method = method;
            view(&preset, size, viewer, land)
        };
        let mut on_map = |method| by(method, scene.viewer() - frame.min, frame.size(), ViewGround::Map);
        let reference = on_map(MethodKind::Exact);
        let own = reference + methods.iter().map(|&method| on_map(method)).sum::<f64>() * views as f64;
        preset.sight.radius = preset.sight.radius.saturating_mul(2); // the cells see each other across the disc
        preset.sight.method = MethodKind::TwoParent;
        let by_eyes = match scene.world() {
            Some(_) => view(&preset, scene.size(), scene.viewer(), ViewGround::World) * views as f64,
            None => 0.0,
        };
        let own_view = reference as u64;
        Self { updates: (own + by_eyes) as u64, own_view, turn: own_view, views: own_view, bytes }
    }

    /// Adds the views from a number of further cells, each with the cost of the viewer's view.
    pub fn with_views(self, count: u64) -> Self {
        Self { updates: self.updates.saturating_add(count.saturating_mul(self.own_view)), ..self }
    }

    /// Returns the cost of the views from a number of cells, which take as long as that of the viewer, without that of the scene.
    pub fn only_views(self, count: u64) -> Self {
        Self { updates: 0, ..self }.with_views(count)
    }

    /// Adds the horizons of [`Sky`](farsight::sky::Sky): their cells × azimuths.
    pub fn with_horizons(self, count: u64) -> Self {
        Self { updates: self.updates.saturating_add(count.saturating_mul(Updates::HORIZON)), ..self }
    }

    /// Returns the cost of [`with_horizons`](Self::with_horizons) without that of the scene.
    pub fn only_horizons(self, count: u64) -> Self {
        Self { updates: 0, ..self }.with_horizons(count)
    }

    /// Estimates the views of a scene as it is now: of the viewer, the observers and the creatures with eyes.
    pub fn of_views(scene: &Scene) -> Self {
        let scene = Self::of_scene(scene, &scene.present_preset());
        Self { updates: scene.views, ..scene }
    }

    fn of_scene(scene: &Scene, preset: &Preset) -> Self {
        let (size, viewer) = (scene.size(), Some(scene.viewer()));
        match scene.world() {
            Some(_) => Self::of_ground(preset, size, viewer),
            None => Self::of_map(preset, size, viewer),
        }
    }

    /// Returns the work in cell updates.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// Returns the estimated memory in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the estimated time on one core, in seconds. Most of the work is parallel.
    pub fn seconds(&self) -> f64 {
        self.updates as f64 * Self::SECONDS
    }

    /// Returns `true` if a scene from an untrusted file needs confirmation before it is computed.
    pub fn is_over_budget(&self) -> bool {
        self.updates > Self::BUDGET
    }
}

/// `about 6 minutes and 1.2 GiB of memory (360 G cell updates)`.
impl fmt::Display for SceneCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = self.bytes as f64 / f64::from(1 << 20);
        let (memory, memory_unit) = if mib < 1024.0 { (mib, "MiB") } else { (mib / 1024.0, "GiB") };
        let updates = self.updates as f64 / 1e9;
        let (time, memory, updates) = (time_text(self.seconds()), two_digits(memory), two_digits(updates));
        write!(f, "about {time} of one core and {memory} {memory_unit} of memory ({updates} G cell updates)")
    }
}

/// Returns a time in a fitting unit: `2.5 s`, `10 minutes`.
pub fn time_text(seconds: f64) -> String {
    let (time, unit) = match seconds {
        0.0..90.0 => (seconds, "s"),
        90.0..5400.0 => (seconds / 60.0, "minutes"),
        5400.0..172_800.0 => (seconds / 3600.0, "hours"),
        _ => (seconds / 86400.0, "days"),
    };
    format!("{} {unit}", two_digits(time))
}

fn two_digits(number: f64) -> String {
    if number < 9.95 { format!("{number:.1}") } else { format!("{number:.0}") }
}

/// The height in metres at which a radius that grows with height is estimated, as for memory.
const HEIGHT_M: f32 = 3000.0;

fn largest_radius(preset: &Preset) -> u32 {
    radius_over(preset, HEIGHT_M)
}

/// The side in cells above which all maps count as equally large.
const MAX_SIDE: i32 = 1 << 20;

/// The mean length of a line of sight in a dungeon, in cells.
const LENGTH_IN_ROOMS: f64 = 12.0;

/// Returns the updates of a view.
fn view(preset: &Preset, size: IVec2, viewer: IVec2, land: ViewGround) -> f64 {
    let (map, viewer) = (CellRect::of_size(size), viewer.clamp(IVec2::ZERO, size - 1));
    let farthest = (viewer - map.min).max(map.max - viewer).as_dvec2().length();
    let radius = largest_radius(preset).min(SightConfig::MAX_RADIUS);
    let reached = CellRect::around(viewer, radius).intersect(map);
    let cells = reached.width() as f64 * reached.height() as f64;
    let side = 2.0 * f64::from(window_radius(radius, size.max_element().max(0) as u32)) + 1.0;
    let squared_radius = f64::from(radius).min(farthest).powi(2);
    // The mean distance from the centre of a square is 0.38 of its side, and from a corner 0.77.
    let corner = (viewer - reached.min).max(reached.max - viewer).as_dvec2();
    let distance = 0.38 * corner.length() * std::f64::consts::SQRT_2;
    let length = if land == ViewGround::Rooms { distance.min(LENGTH_IN_ROOMS) } else { distance };
    let (method, optics) = (KnownMethod::from(preset.sight.method), &preset.optics);
    let is_binary = preset.sight.method.is_binary();
    let is_over_hills = land == ViewGround::World && optics.relief == Relief::LineOfSight && !is_binary;
    if is_over_hills && !optics.has_air() && optics.vegetation_extinction_per_m == 0.0 {
        return match method {
            KnownMethod::TwoParent => Updates::BARE_PLANES + cells * Updates::BARE_PLANES_CELL,
            _ => {
                let rings = f64::from(radius).min(farthest) * Updates::BARE_LINES_RING;
                Updates::BARE_LINES + rings + cells * Updates::BARE_LINES_CELL
            }
        };
    }
    let of_method = match method {
        KnownMethod::Beam => squared_radius * Updates::BEAM,
        KnownMethod::Exact => {
            cells * lines(preset, length) + squared_radius * squared_samples(preset) * Updates::LINE_ENDS
        }
        KnownMethod::RaycastBorder => 8.0 * distance * distance * Updates::BORDER_RAY,
        KnownMethod::RaycastCircle => f64::from(preset.sight.rays) * distance * Updates::CIRCLE_RAY,
        KnownMethod::TwoParent | KnownMethod::SymmetricShadowcast | KnownMethod::Shadowcast => 0.0,
    };
    let over_hills = match method {
        _ if !is_over_hills => 0.0,
        KnownMethod::TwoParent => cells * Updates::REFERENCE_PLANES,
        _ => cells * distance * Updates::OVER_HILLS,
    };
    side * side * Updates::WINDOW + cells * Updates::VIEW + of_method + over_hills
}

/// Returns the updates of the lines of *exact* to a cell at a distance in cells.
fn lines(preset: &Preset, distance: f64) -> f64 {
    squared_samples(preset) * (distance + 2.0) * Updates::CROSSING
}

fn squared_samples(preset: &Preset) -> f64 {
    f64::from(preset.sight.samples) * f64::from(preset.sight.samples)
}

/// Returns the updates of a stroke.
fn stroke_cost(stroke: &Stroke, size: IVec2) -> f64 {
    let reach = stroke.reach(size);
    let rows = reach.height() as f64 * f64::from(size.x);
    let cells = reach.width() as f64 * reach.height() as f64;
    stroke.work(size) * Updates::SEGMENT + cells * Updates::PAINTED + rows * Updates::PAINTED_ROW
}

fn lamp_light(lamp: &Lamp, size: IVec2) -> f64 {
    let reach = lamp.reach.ceil().min(f64::from(SightConfig::MAX_RADIUS)) as u32;
    let lit = CellRect::around(lamp.at.clamp(IVec2::ZERO, size - 1), reach).intersect(CellRect::of_size(size));
    lit.width() as f64 * lit.height() as f64 * Updates::LAMP
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_scene_has_a_cost() {
        let preset = Preset::shipped_default();
        let size = IVec2::new(300, 200);
        let of = |preset: &Preset| SceneCost::of_ground(preset, size, Some(size / 2));
        let plain = of(&preset);
        for (key, value) in [
            ("sight.method", "exact"),
            ("sight.method", "beam"),
            ("sight.method", "raycast-border"),
            ("sight.radius", "100"),
            ("optics.relief", "horizon"),
            ("optics.radius_per_100m", "3"),
            ("viewers", "[{at = [3, 4]}]"),
            ("lamps", "[{at = [3, 4]}]"),
            ("strokes", "[{brush = \"raise\", points = [[3, 4]]}]"),
            ("strokes", "[{brush = \"raise\", points = [[3, 4]], settles = true}]"),
        ] {
            let mut changed = preset.clone();
            changed.set(key, value).unwrap();
            assert!(of(&changed).updates() > plain.updates(), "{key}={value}");
        }
        assert!(
            SceneCost::of_generated(&preset, None).updates() > SceneCost::of_generated(&preset, Some(size)).updates()
        );
        assert!(SceneCost::of_ground(&preset, size * 2, Some(size)).updates() > plain.updates());
        assert!(SceneCost::of_map(&preset, size, Some(size / 2)).updates() < plain.updates());
    }

    #[test]
    fn costs_are_said_in_fitting_units() {
        let said = |seconds: f64, bytes: u64| {
            SceneCost { updates: (seconds * 1e9) as u64, own_view: 0, turn: 0, views: 0, bytes }.to_string()
        };
        assert_eq!(said(2.0, 3 << 20), "about 2.0 s of one core and 3.0 MiB of memory (2.0 G cell updates)");
        assert_eq!(said(600.0, 3 << 30), "about 10 minutes of one core and 3.0 GiB of memory (600 G cell updates)");
        assert_eq!(said(36_000.0, 0), "about 10 hours of one core and 0.0 MiB of memory (36000 G cell updates)");
        assert!(said(1e9, 0).starts_with("about 11574 days of one core"));
    }

    #[test]
    fn a_viewer_or_an_entry_off_the_map_has_a_cost() {
        let mut preset = Preset::shipped_default();
        (preset.world.width, preset.world.height) = (u32::MAX, u32::MAX);
        let off = IVec2::new(i32::MIN, i32::MAX);
        preset.viewers.push(crate::creatures::Observer::new(off));
        preset.lamps.push(Lamp::new(off));
        assert!(SceneCost::of_generated(&preset, Some(off)).is_over_budget());
        assert!(!SceneCost::of_map(&preset, IVec2::ZERO, None).is_over_budget());
    }
}
