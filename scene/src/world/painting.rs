//! [`World::paint`]: strokes that change the ground, the water and the plants of a world; [`WorldPatch`]: the undo record of one.

use glam::IVec2;

use super::biome::{Biome, update_biomes};
use super::cell_sizes::RowSizes;
use super::climate::{LAPSE_C_PER_KM, range};
use super::ground::MAX_ELEVATION_M;
use super::hydrography::Water;
use super::pyramid::PyramidLevel;
use super::stroke::{Brush, Footprint, Stroke};
use super::world::World;
use farsight::grid::{CellRect, Grid};

/// The depth of painted water at the edge of a stroke, and its additional depth in the middle of a stroke of full
/// strength, in metres.
const LEAST_DEPTH_M: f32 = 0.5;
const MORE_DEPTH_M: f32 = 20.0;

/// The cells of a world before a stroke.
#[derive(Clone, Debug)]
pub(crate) struct WorldPatch {
    /// The cells that can differ.
    pub(crate) rect: CellRect,
    elevation: Grid<f32>,
    surface: Grid<f32>,
    temperature: Grid<f32>,
    vegetation: Grid<f32>,
    water: Grid<Water>,
    biome: Grid<Biome>,
    elevation_range_m: [f32; 2],
    temperature_range_c: [f32; 2],
}

impl World {
    /// Paints a stroke, and returns its undo record. It recomputes ground, water, plants, temperature and biome only of
    /// the cells in its reach and their neighbours. Humidity, flow and names do not change. A brush of opacity maps has
    /// no effect.
    pub(crate) fn paint(&mut self, stroke: &Stroke) -> WorldPatch {
        let size = self.hydrography.elevation.size();
        let footprint = Footprint::new(stroke, size);
        let patch = self.patch(stroke.reach(size));
        if patch.rect.width() == 0 || patch.rect.height() == 0 {
            return patch; // it is off the map
        }
        let start = stroke.points[0].clamp(IVec2::ZERO, size - 1);
        let level_m = self.hydrography.surface()[start];
        match stroke.brush {
            Brush::Raise => self.add_height(&footprint, stroke.height_m(self.config.cell_size_m)),
            Brush::Lower => self.add_height(&footprint, -stroke.height_m(self.config.cell_size_m)),
            Brush::Smooth => {
                let means = self.means(footprint.rect, stroke.radius.div_ceil(3).max(1) as i32);
                self.approach(&footprint, |cell| means[cell - footprint.rect.min]);
            }
            Brush::Flatten => self.approach(&footprint, |_| level_m),
            Brush::Water => self.fill_with_water(&footprint, level_m),
            Brush::Plant => self.change_plants(&footprint, |cover, share| cover + (1.0 - cover) * share),
            Brush::Clear => self.change_plants(&footprint, |cover, share| cover - cover * share),
            Brush::Wall | Brush::Hedge | Brush::Floor | Brush::Door | Brush::Window => {}
        }
        let level = self.level();
        let mut biome = std::mem::take(&mut self.biome);
        let biomes = biome.get_mut().expect("the patch has made them");
        update_biomes(biomes, patch.rect, &self.config, &level, &self.hydrography, self.climate());
        self.biome = biome;
        let elevation = &self.hydrography.elevation;
        self.elevation_range_m = range_after(elevation, patch.rect, patch.elevation_range_m, range(&patch.elevation));
        let (climate, _) = self.weather_mut();
        let old = range(&patch.temperature);
        climate.temperature_range_c = range_after(&climate.temperature, patch.rect, patch.temperature_range_c, old);
        patch
    }

    /// Returns a copy of some cells.
    fn patch(&self, rect: CellRect) -> WorldPatch {
        WorldPatch {
            rect,
            elevation: copy(&self.hydrography.elevation, rect),
            surface: copy(self.hydrography.surface(), rect),
            temperature: copy(self.temperature_c(), rect),
            vegetation: copy(self.vegetation(), rect),
            water: copy(&self.hydrography.water, rect),
            biome: copy(self.biome(), rect),
            elevation_range_m: self.elevation_range_m,
            temperature_range_c: self.temperature_range_c(),
        }
    }

    /// Undoes the last stroke.
    pub(crate) fn restore(&mut self, patch: &WorldPatch) {
        let (climate, hydrography) = self.weather_mut();
        let rect = patch.rect;
        paste(&mut hydrography.elevation, rect, &patch.elevation);
        if let Some(surface) = &mut hydrography.surface {
            paste(surface, rect, &patch.surface);
        }
        paste(&mut climate.temperature, rect, &patch.temperature);
        paste(&mut climate.vegetation, rect, &patch.vegetation);
        climate.temperature_range_c = patch.temperature_range_c;
        paste(&mut hydrography.water, rect, &patch.water);
        if let Some(biome) = self.biome.get_mut() {
            paste(biome, rect, &patch.biome);
        }
        self.elevation_range_m = patch.elevation_range_m;
    }

    /// Returns the level of the cells.
    fn level(&self) -> PyramidLevel {
        let middle = self.row_sizes.as_ref().map_or(self.config.cell_size_m.into(), RowSizes::in_the_middle);
        PyramidLevel::finest(self.width() as u32, self.height() as u32, middle)
    }

    /// Returns the sea level in metres, or `None` for land without sea.
    fn sea_level_m(&self) -> Option<f32> {
        let has_sea = !self.is_on_given_ground || self.config.sea_level_m.is_some();
        has_sea.then(|| self.config.sea_level() as f32)
    }

    fn add_height(&mut self, footprint: &Footprint, height_m: f64) {
        for (cell, share) in footprint.shares() {
            self.set_ground(cell, self.hydrography.elevation[cell] + share * height_m as f32);
        }
    }

    /// Moves the ground of each cell towards a height.
    fn approach(&mut self, footprint: &Footprint, wanted_m: impl Fn(IVec2) -> f32) {
        for (cell, share) in footprint.shares() {
            let elevation_m = self.hydrography.elevation[cell];
            self.set_ground(cell, elevation_m + (wanted_m(cell) - elevation_m) * share);
        }
    }

    /// Returns the mean height of the ground within `reach` cells of each cell, without nodata cells. The order of sums
    /// does not depend on the rectangle.
    fn means(&self, rect: CellRect, reach: i32) -> Grid<f32> {
        let elevation = &self.hydrography.elevation;
        let map = CellRect::of_size(elevation.size());
        let rows = CellRect { min: rect.min - IVec2::Y * reach, max: rect.max + IVec2::Y * reach }.intersect(map);
        let across = Grid::from_fn(rows.width(), rows.height(), |offset| {
            let cell = rows.min + offset;
            let columns = (cell.x - reach).max(0) as usize..(cell.x + reach + 1).min(map.max.x) as usize;
            let known = elevation.row(cell.y as usize)[columns].iter().filter(|height| !height.is_nan());
            known.fold((0.0, 0.0), |(sum, count), &height| (sum + f64::from(height), count + 1.0))
        });
        Grid::from_fn(rect.width(), rect.height(), |offset| {
            let at = rect.min + offset - rows.min;
            let near = (at.y - reach).max(0)..(at.y + reach + 1).min(rows.size().y);
            let sums = near.map(|y| across[IVec2::new(at.x, y)]);
            let (sum, count) = sums.fold((0.0, 0.0), |(sum, count), (more, cells)| (sum + more, count + cells));
            (sum / count) as f32
        })
    }

    /// Sets the height of the ground of a cell. Ground that rises above its water becomes land, ground below sea level
    /// becomes sea. Nodata does not change.
    fn set_ground(&mut self, cell: IVec2, elevation_m: f32) {
        if elevation_m.is_nan() {
            return;
        }
        let elevation_m = elevation_m.clamp(-MAX_ELEVATION_M, MAX_ELEVATION_M);
        let sea_level_m = self.sea_level_m();
        let old_surface_m = self.hydrography.surface()[cell];
        let water = match (self.hydrography.water[cell], sea_level_m) {
            (Water::Sea, Some(level_m)) if elevation_m >= level_m => Water::None,
            (Water::Lake, _) if elevation_m >= old_surface_m => Water::None,
            (Water::None | Water::River, Some(level_m)) if elevation_m < level_m => Water::Sea,
            (water, _) => water,
        };
        let surface_m = match water {
            Water::Sea => sea_level_m.unwrap_or(old_surface_m),
            Water::Lake => old_surface_m,
            Water::None | Water::River => elevation_m,
        };
        self.set_cell(cell, water, [elevation_m, surface_m]);
    }

    /// Sets the water, the ground and the surface of a cell, and the fields that depend on them.
    fn set_cell(&mut self, cell: IVec2, water: Water, [elevation_m, surface_m]: [f32; 2]) {
        let (climate, hydrography) = self.weather_mut();
        let old_surface_m = hydrography.surface()[cell];
        hydrography.elevation[cell] = elevation_m;
        hydrography.water[cell] = water;
        if let Some(surface) = &mut hydrography.surface {
            surface[cell] = surface_m;
        }
        climate.temperature[cell] -= LAPSE_C_PER_KM * ((surface_m.max(0.0) - old_surface_m.max(0.0)) / 1000.0);
        if water != Water::None && water != Water::River {
            climate.vegetation[cell] = 0.0;
        }
    }

    /// Creates a lake with a surface at the minimum of the ground and `level_m`; at sea level, a part of the sea.
    fn fill_with_water(&mut self, footprint: &Footprint, level_m: f32) {
        if level_m.is_nan() {
            return;
        }
        let Self { hydrography, .. } = self;
        hydrography.surface.get_or_insert_with(|| hydrography.elevation.clone());
        let sea_level_m = self.sea_level_m();
        let mut shares = Grid::new(footprint.rect.width(), footprint.rect.height(), 0.0);
        footprint.shares().for_each(|(cell, share)| shares[cell - footprint.rect.min] = share);
        for cell in footprint.covered() {
            let elevation_m = self.hydrography.elevation[cell];
            if elevation_m.is_nan() || self.hydrography.water[cell] == Water::Sea {
                continue;
            }
            let surface_m = self.hydrography.surface()[cell].min(level_m);
            let is_sea = sea_level_m.is_some_and(|level| surface_m <= level);
            let water = if is_sea { Water::Sea } else { Water::Lake };
            let surface_m = sea_level_m.filter(|_| is_sea).unwrap_or(surface_m);
            let depth_m = LEAST_DEPTH_M + MORE_DEPTH_M * shares[cell - footprint.rect.min];
            self.set_cell(cell, water, [elevation_m.min(surface_m - depth_m), surface_m]);
        }
    }

    /// Changes the cover of land by the weight of each cell.
    fn change_plants(&mut self, footprint: &Footprint, change: impl Fn(f32, f32) -> f32) {
        for (cell, share) in footprint.shares() {
            let (climate, hydrography) = self.weather_mut();
            let cover = &mut climate.vegetation[cell];
            if hydrography.water[cell] == Water::None && !cover.is_nan() {
                *cover = change(*cover, share).clamp(0.0, 1.0);
            }
        }
    }
}

/// Returns the range of a field after the cells of a rectangle have changed, from the previous ranges of the whole
/// field and of these cells.
fn range_after(field: &Grid<f32>, rect: CellRect, [low, high]: [f32; 2], [old_low, old_high]: [f32; 2]) -> [f32; 2] {
    let [new_low, new_high] = range(&copy(field, rect));
    let keeps_both = (old_low > low || new_low <= low) && (old_high < high || new_high >= high);
    if keeps_both { [low.min(new_low), high.max(new_high)] } else { range(field) }
}

/// Returns the cells of a rectangle.
fn copy<T: Clone>(field: &Grid<T>, rect: CellRect) -> Grid<T> {
    let columns = rect.min.x as usize..rect.max.x as usize;
    let rows = rect.min.y as usize..rect.max.y as usize;
    let cells = rows.flat_map(|y| field.row(y)[columns.clone()].iter().cloned()).collect();
    Grid::from_vec(rect.width(), rect.height(), cells).expect("a value a cell")
}

fn paste<T: Copy>(field: &mut Grid<T>, rect: CellRect, cells: &Grid<T>) {
    for (y, row) in cells.rows().enumerate() {
        let start = rect.min.x as usize;
        field.row_mut(rect.min.y as usize + y)[start..start + row.len()].copy_from_slice(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Ground, WorldConfig};
    use farsight::Job;
    use glam::ivec2;

    fn generated() -> World {
        World::generate(&WorldConfig::default().with_width(96).with_height(80), Job::none()).unwrap()
    }

    /// Returns a plain of some height with a nodata hole.
    fn plain(height_m: f32, sea_level_m: Option<f64>) -> World {
        let mut ground = Ground::new(Grid::new(40, 30, height_m));
        ground.elevation_m[ivec2(4, 4)] = f32::NAN;
        ground.vegetation = Some(Grid::new(40, 30, 0.25));
        let config = WorldConfig { sea_level_m, ..WorldConfig::default() };
        World::from_dem(&ground, &config, Job::none()).unwrap()
    }

    fn stroke(brush: Brush) -> Stroke {
        Stroke::new(brush, [(12, 10), (20, 14)]).with_radius(5).with_strength(1.0)
    }

    #[test]
    fn a_stroke_is_taken_back_to_the_bit() {
        let world = generated();
        let mut painted = world.clone();
        for brush in Brush::ALL.iter().copied().filter(|brush| brush.is_of_worlds()) {
            let patch = painted.paint(&Stroke::new(brush, [(40, 30), (60, 44), (90, 99)]).with_radius(9));
            assert!(painted != world, "{}", brush.name());
            painted.restore(&patch);
            assert!(painted == world, "{}", brush.name());
        }
        painted.paint(&stroke(Brush::Wall));
        painted.paint(&Stroke::new(Brush::Raise, [(-30, -30)]));
        assert!(painted == world);
    }

    #[test]
    fn all_that_follows_from_the_cells_is_that_of_the_whole_world() {
        let mut world = generated();
        for brush in [Brush::Raise, Brush::Water, Brush::Plant, Brush::Lower, Brush::Lower, Brush::Smooth] {
            world.paint(&Stroke::new(brush, [(40, 30), (60, 44)]).with_radius(9).with_strength(1.0));
        }
        let mut biome = world.biome().clone();
        let whole = CellRect::of_size(biome.size());
        update_biomes(&mut biome, whole, &world.config, &world.level(), &world.hydrography, world.climate());
        assert!(biome == *world.biome());
        assert_eq!(world.elevation_range_m, range(world.elevation_m()));
        assert_eq!(world.temperature_range_c(), range(world.temperature_c()));
        assert!(world.vegetation().as_slice().iter().all(|cover| (0.0..=1.0).contains(cover)));
        let water =
            world.water().as_slice().iter().zip(world.ground_m().as_slice()).zip(world.elevation_m().as_slice());
        assert!(water.into_iter().all(|((water, surface), bottom)| *water != Water::Lake || surface > bottom));
    }

    #[test]
    fn raised_ground_has_the_height_that_the_stroke_says_and_is_colder() {
        let mut world = plain(200.0, None);
        let before = world.temperature_c()[ivec2(12, 10)];
        let stroke = stroke(Brush::Raise);
        world.paint(&stroke);
        let raised = world.elevation_m()[ivec2(12, 10)] - 200.0;
        assert!((f64::from(raised) - stroke.height_m(world.config.cell_size_m)).abs() < 0.01, "{raised}");
        assert_eq!(world.elevation_m()[ivec2(30, 25)], 200.0);
        assert_eq!(world.elevation_range_m()[1], 200.0 + raised);
        let colder = before - world.temperature_c()[ivec2(12, 10)];
        assert!((colder - 6.5 * raised / 1000.0).abs() < 1e-4, "{colder}");
        assert!(world.elevation_m()[ivec2(4, 4)].is_nan() && world.biome()[ivec2(4, 4)] == Biome::Unknown);
    }

    #[test]
    fn flat_and_smooth_ground_is_nearer_to_its_goal() {
        let mut world = plain(200.0, None);
        world.paint(&Stroke::new(Brush::Raise, [(20, 14)]).with_radius(3).with_strength(1.0));
        let top = world.elevation_m()[ivec2(20, 14)];
        let mut smooth = world.clone();
        smooth.paint(&stroke(Brush::Smooth));
        assert!((201.0..top - 1.0).contains(&smooth.elevation_m()[ivec2(20, 14)]));
        world.paint(&stroke(Brush::Flatten));
        assert!((world.elevation_m()[ivec2(20, 14)] - 200.0).abs() < 0.01, "the height at its first point");
    }

    #[test]
    fn water_lies_in_the_ground_and_at_the_level_of_the_sea_is_sea() {
        let mut world = plain(200.0, None);
        world.paint(&stroke(Brush::Water));
        let at = ivec2(12, 10);
        assert_eq!((world.water()[at], world.biome()[at], world.vegetation()[at]), (Water::Lake, Biome::Lake, 0.0));
        assert_eq!(world.ground_m()[at], 200.0);
        assert!(world.elevation_m()[at] < 185.0);
        world.paint(&stroke(Brush::Plant));
        assert_eq!(world.vegetation()[at], 0.0, "nothing grows in water");
        for _ in 0..3 {
            world.paint(&stroke(Brush::Raise));
        }
        assert_eq!(world.water()[at], Water::None);

        let mut coast = plain(2.0, Some(0.0));
        coast.paint(&stroke(Brush::Lower));
        assert_eq!((coast.water()[at], coast.ground_m()[at]), (Water::Sea, 0.0));
        coast.paint(&Stroke::new(Brush::Water, [at, ivec2(12, 29)]).with_radius(1));
        assert_eq!((coast.water()[ivec2(12, 28)], coast.ground_m()[ivec2(12, 28)]), (Water::Sea, 0.0));
        coast.paint(&stroke(Brush::Raise));
        assert_eq!((coast.water()[at], coast.ground_m()[at]), (Water::None, coast.elevation_m()[at]));

        let mut polder = plain(2.0, None);
        polder.paint(&stroke(Brush::Lower));
        assert_eq!(polder.water()[at], Water::None);
        assert!(polder.ground_m()[at] < 0.0);
    }

    #[test]
    fn plants_grow_and_are_cleared() {
        let (mut world, at) = (plain(200.0, None), ivec2(12, 10));
        world.paint(&stroke(Brush::Plant).with_strength(0.5));
        assert_eq!(world.vegetation()[at], 0.625);
        world.paint(&stroke(Brush::Clear));
        assert_eq!(world.vegetation()[at], 0.0);
        assert_eq!(world.vegetation()[ivec2(35, 2)], 0.25);
    }
}
