//! [`World::settled`]: rain, rivers and plants follow the strokes that change the land.

use super::ground::Ground;
use super::hydrography::{Hydrography, Water};
use super::stroke::{Brush, Stroke};
use super::world::{World, pyramid};
use farsight::grid::Grid;
use farsight::{Cancelled, Job};

impl World {
    /// Returns this world with strokes, after its climate and its rivers have followed the land: generated from its
    /// relief plus the heights of the strokes, or by [`on_ground`](Self::on_ground) from the painted ground, with the
    /// given humidity and vegetation. Waters of the strokes remain, and the strokes plant and clear again on the new
    /// cover. Without a change of heights and water, the world is bit-identical.
    ///
    /// In a window of a raster, which has no climate, and in a preview, strokes are only painted.
    pub(crate) fn settled(&self, strokes: &[Stroke], job: Job<'_>) -> Result<Self, Cancelled> {
        let mut painted = self.clone();
        for stroke in strokes {
            job.check()?;
            painted.paint(stroke);
        }
        if self.window.is_some() || self.is_preview {
            return Ok(painted);
        }
        let mut world =
            if self.is_on_given_ground { self.remade_on(&painted, job)? } else { self.regenerated_on(&painted, job)? };
        for stroke in strokes.iter().filter(|stroke| matches!(stroke.brush, Brush::Plant | Brush::Clear)) {
            world.paint(stroke);
        }
        Ok(world)
    }

    /// Generates this world with the heights and waters of a painted one.
    fn regenerated_on(&self, painted: &Self, job: Job<'_>) -> Result<Self, Cancelled> {
        let pyramid = pyramid(&self.config);
        let mut relief = Hydrography::relief(&self.config, &pyramid, 0, job)?;
        relief.sea = painted.water().map(|water| *water == Water::Sea);
        let elevations = self.elevation_m().as_slice().iter().zip(painted.elevation_m().as_slice());
        let cells = relief.elevation.as_mut_slice().iter_mut().zip(relief.sea.as_slice());
        for ((cell, &is_sea), (old, new)) in cells.zip(elevations).filter(|(_, (old, new))| old != new) {
            *cell = if is_sea { *new } else { *cell + (new - old) };
        }
        let mut hydrography = Hydrography::generate(&self.config, &pyramid, relief, job)?;
        hydrography.keep_painted(&painted.hydrography, self.water());
        Self::with_climate(&self.config, &pyramid, hydrography, None, job)
    }

    /// Creates a world on the ground of a painted world.
    fn remade_on(&self, painted: &Self, job: Job<'_>) -> Result<Self, Cancelled> {
        let ground = Ground::new(painted.elevation_m().clone())
            .with_cover(
                self.given.humidity.then(|| self.humidity().clone()),
                self.given.vegetation.then(|| self.vegetation().clone()),
            )
            .with_cell_sizes(self.cell_sizes());
        let keep = |hydrography: &mut Hydrography| hydrography.keep_painted(&painted.hydrography, self.water());
        Self::on_whole_ground(&ground, &self.config, keep, job)
    }
}

impl Hydrography {
    /// Copies the new lakes of painted land, unless a higher lake covers them, and its sea.
    fn keep_painted(&mut self, painted: &Self, unpainted: &Grid<Water>) {
        let Self { elevation, surface, water, .. } = self;
        let surface = surface.get_or_insert_with(|| elevation.clone());
        for (cell, &old) in unpainted.iter() {
            let level_m = painted.surface()[cell];
            let is_kept = match painted.water[cell] {
                Water::Lake => old != Water::Lake && !(water[cell] == Water::Lake && surface[cell] >= level_m),
                Water::Sea => water[cell] != Water::Sea,
                Water::None | Water::River => false,
            };
            if is_kept {
                (water[cell], elevation[cell], surface[cell]) = (painted.water[cell], painted.elevation[cell], level_m);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::WorldConfig;
    use glam::{IVec2, ivec2};

    fn generated() -> World {
        let config = WorldConfig::default().with_seed(7).with_width(160).with_height(120);
        World::generate(&config, Job::none()).unwrap()
    }

    fn settled(world: &World, strokes: &[Stroke]) -> World {
        world.settled(strokes, Job::none()).unwrap()
    }

    /// Returns the land cell with the maximum catchment area at a minimum distance from the edge of the map, in cells.
    fn great_river(world: &World, margin: i32) -> IVec2 {
        let last = world.water().size() - margin;
        let inside = |cell: &IVec2| cell.cmpge(IVec2::splat(margin)).all() && cell.cmplt(last).all();
        let rivers = world.water().iter().filter(|(cell, water)| **water == Water::River && inside(cell));
        let drainage = |cell: IVec2| world.flow().drainage_km2()[cell];
        rivers.map(|(cell, _)| cell).max_by(|a, b| drainage(*a).total_cmp(&drainage(*b))).unwrap()
    }

    fn mean(field: &Grid<f32>, cells: impl Iterator<Item = IVec2>) -> f32 {
        let (sum, count) = cells.fold((0.0, 0.0), |(sum, count), cell| (sum + field[cell], count + 1.0));
        sum / count
    }

    #[test]
    fn land_that_was_not_moved_settles_to_itself() {
        let world = generated();
        let still = Stroke::new(Brush::Raise, [(40, 40), (90, 60)]).with_strength(0.0);
        assert!(settled(&world, &[still]) == world);
        let wood = Stroke::new(Brush::Plant, [(40, 40), (90, 60)]).with_radius(9);
        let mut planted = world.clone();
        planted.paint(&wood);
        assert!(settled(&world, &[wood]) == planted);
    }

    #[test]
    fn a_river_leaves_the_ridge_that_is_raised_across_it() {
        let world = generated();
        let at = great_river(&world, 16);
        let ridge = Stroke::new(Brush::Raise, [at - 8 * IVec2::X, at + 8 * IVec2::X]).with_radius(4).with_strength(1.0);
        let mut painted = world.clone();
        painted.paint(&ridge);
        assert_eq!(painted.water()[at], Water::River, "the stroke itself moves no river");
        let settled = settled(&world, &[ridge]);
        assert_ne!(settled.water()[at], Water::River);
        assert!(settled.flow().drainage_km2()[at] < 0.5 * world.flow().drainage_km2()[at]);
        assert!((settled.elevation_m()[at] - painted.elevation_m()[at]).abs() < 30.0);
        for (cell, _) in settled.water().iter().filter(|(_, water)| **water == Water::River) {
            let next = settled.flow().downstream(cell);
            assert!(next.is_none_or(|next| settled.ground_m()[next] <= settled.ground_m()[cell]), "{cell}");
        }
    }

    #[test]
    fn a_range_dries_the_land_behind_it() {
        let mut config = WorldConfig::default().with_width(120).with_height(90);
        (config.wind_from_deg, config.sea_level_m, config.river_basin_km2) = (270.0, None, 1000.0); // without rivers
        let world = World::from_dem(Ground::new(Grid::new(120, 90, 100.0)), &config, Job::none()).unwrap();
        let range = Stroke::new(Brush::Raise, [(45, 0), (45, 89)]).with_radius(20).with_strength(1.0); // 2100 m
        let settled = settled(&world, &[range]);
        let rows = |x: std::ops::Range<i32>| x.flat_map(|x| (20..70).map(move |y| ivec2(x, y)));
        let change =
            |x: std::ops::Range<i32>| mean(settled.humidity(), rows(x.clone())) - mean(world.humidity(), rows(x));
        let (windward, lee) = (change(22..36), change(95..115));
        assert!(windward > 0.02 && lee < -0.05, "{windward} and {lee}");
    }

    #[test]
    fn waters_and_woods_of_strokes_stay() {
        let world = generated();
        let on_land = |cell: &IVec2| {
            let around = |step: IVec2| world.water().get(*cell + step) == Some(&Water::None);
            (-9..=9).all(|y| (-9..=9).all(|x| around(ivec2(x, y))))
        };
        let at = world.water().iter().map(|(cell, _)| cell).find(on_land).unwrap();
        let wood_at = at + ivec2(0, 7);
        let strokes = [
            Stroke::new(Brush::Plant, [wood_at]).with_radius(2).with_strength(1.0),
            Stroke::new(Brush::Water, [at]).with_radius(3),
            Stroke::new(Brush::Raise, [at + ivec2(40, 40)]).with_radius(8).with_strength(1.0),
        ];
        let settled = settled(&world, &strokes);
        let mut painted = world.clone();
        strokes.iter().for_each(|stroke| drop(painted.paint(stroke)));
        assert_eq!(settled.water()[at], Water::Lake);
        assert!(settled.ground_m()[at] >= painted.ground_m()[at]);
        assert_eq!(settled.vegetation()[at], 0.0);
        assert_eq!(settled.vegetation()[wood_at], 1.0);
    }

    #[test]
    fn fields_that_were_given_and_gaps_stay() {
        let mut ground = Ground::new(Grid::from_fn(60, 50, |cell| 3.0 * cell.x as f32 - 20.0));
        ground.vegetation = Some(Grid::new(60, 50, 0.25));
        ground.elevation_m[ivec2(30, 20)] = f32::NAN;
        let config = WorldConfig { sea_level_m: Some(0.0), ..WorldConfig::default() };
        let world = World::from_dem(&ground, &config, Job::none()).unwrap();
        let hill = Stroke::new(Brush::Raise, [(40, 25)]).with_radius(6).with_strength(1.0);
        let settled = settled(&world, &[hill]);
        assert_eq!(settled.vegetation()[ivec2(40, 25)], 0.25);
        assert!(settled.elevation_m()[ivec2(40, 25)] > 600.0);
        assert!(!settled.has_data(ivec2(30, 20)) && settled.has_gaps());
        assert!(settled.humidity()[ivec2(44, 25)] != world.humidity()[ivec2(44, 25)]);
        let still = Stroke::new(Brush::Raise, [(40, 25)]).with_strength(0.0);
        // Nodata is NaN, which differs from itself.
        assert_eq!(format!("{:?}", world.settled(&[still], Job::none()).unwrap()), format!("{world:?}"));
    }
}
