//! [`PlacementGain`]: the gain in view from a lamp or lookout. [`lamp_warning`]: the reason why a lamp is invisible or
//! lights little.

use crate::background::refresh_if_quick;
use farsight::grid::CellRect;
use farsight::light::Lamp;
use farsight::perception::Recognition;
use farsight_scene::explain::Explanation;
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Scene, Terrain};
use glam::IVec2;

/// The maximum light of a place on which a lamp has a visible effect.
const DARK: f32 = 0.3;

/// The minimum transmittance of trees up to half of the reach of a lamp without a warning.
const LEAST_LIGHT_PAST_TREES: f32 = 0.3;

/// The gain of the last place below the pointer.
#[derive(Default)]
pub(crate) struct PlacementGain {
    /// The revision of the scene, and the preset with the placed item.
    of: Option<(u64, Preset)>,
    words: String,
}

impl PlacementGain {
    /// Returns the gain in view from a preset with another lamp or lookout, for a scene at a revision: `+12.0 km²`. It is empty if the preset does not fit the scene.
    pub(crate) fn words(&mut self, scene: &Scene, revision: u64, preset: Preset) -> &str {
        let of = Some((revision, preset));
        if self.of != of {
            self.words = of.as_ref().map_or_else(String::new, |(_, preset)| gain_in_words(scene, preset));
            self.of = of;
        }
        &self.words
    }
}

fn gain_in_words(scene: &Scene, preset: &Preset) -> String {
    let mut other = scene.clone();
    let applied = other.defer(|other| other.apply(preset.clone()));
    if applied.is_err() || refresh_if_quick(&mut other).is_err() || other.is_stale() {
        return String::new();
    }
    let [old, new] = [scene, &other].map(cells_in_sight);
    let count = new.abs_diff(old);
    let sign = if new < old { '\u{2212}' } else { '+' };
    match count {
        0 if other.lamps().len() > scene.lamps().len() => {
            let is_dark = other.lamps().last().is_some_and(|lamp| scene.light(lamp.at) < DARK);
            let reason = if is_dark { "you do not see what it lights" } else { "lamps show in the dark" };
            format!("no more cells: {reason}")
        }
        0 => "no more cells in sight".to_owned(),
        _ => format!("{sign}{}", scene.area_in_words(count)),
    }
}

/// Returns the number of perceived cells.
fn cells_in_sight(scene: &Scene) -> usize {
    scene.seen_frame().cells().filter(|cell| scene.sense(*cell) != Recognition::Hidden).count()
}

/// Returns the reasons why the lamp on a cell lights little or is invisible to the viewer; `None` without a lamp or a reason.
pub(crate) fn lamp_warning(scene: &Scene, cell: IVec2) -> Option<String> {
    let lamp = scene.lamps().iter().find(|lamp| lamp.at == cell)?;
    let is_hidden = scene.sense(cell) == Recognition::Hidden;
    let hidden = || {
        Some(format!("The lamp is lit, but you do not see it. {}", Explanation::of(scene, cell).ok()?.short_sentence()))
    };
    let swallowed = light_past_trees(scene, lamp) < LEAST_LIGHT_PAST_TREES;
    let trees = swallowed.then(|| "The trees around the lamp swallow most of its light.".to_owned());
    let words: Vec<String> = is_hidden.then(hidden).flatten().into_iter().chain(trees).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Returns the mean transmittance of plants from a lamp to half of its reach, over eight directions.
fn light_past_trees(scene: &Scene, lamp: &Lamp) -> f32 {
    let Terrain::World(optics) = scene.terrain() else { return 1.0 };
    let eye_m = optics.world().ground_m()[lamp.at] + lamp.height_m as f32;
    let map = CellRect::of_size(scene.size());
    let directions = (0..9).map(|i| IVec2::new(i % 3 - 1, i / 3 - 1)).filter(|direction| *direction != IVec2::ZERO);
    let passed = |direction: IVec2| -> f32 {
        let cells = (1..=(lamp.reach / 2.0) as i32).map(|step| lamp.at + direction * step);
        cells
            .take_while(|cell| map.contains(*cell))
            .map(|cell| 1.0 - optics.breakdown(eye_m, cell).vegetation)
            .product()
    };
    directions.map(passed).sum::<f32>() / 8.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::Job;
    use farsight::sight::OpacityMap;
    use farsight_scene::creatures::Observer;
    use farsight_scene::world::{Brush, Stroke};
    use glam::ivec2;

    /// Returns a wall with the viewer on its left, by night.
    fn scene() -> Scene {
        let row = "..........#..........\n";
        let map = OpacityMap::from_text(&row.repeat(9)).unwrap();
        let mut preset = Preset::bare_kernel();
        preset.set("optics.light", "0").unwrap();
        Scene::from_map(preset, map, Some(ivec2(4, 4)), Job::none()).unwrap()
    }

    #[test]
    fn the_gain_of_a_place_counts_the_cells_that_it_adds() {
        let mut scene = scene();
        let mut gain = PlacementGain::default();
        let lit = scene.preset().clone().with_lamps(vec![Lamp::new((6, 4)).with_reach(3.0)]);
        assert_eq!(gain.words(&scene, 1, scene.preset().clone()), "no more cells in sight");
        let words = gain.words(&scene, 1, lit.clone()).to_owned();
        let before = cells_in_sight(&scene);
        scene.apply(lit.clone()).unwrap();
        assert_eq!(words, format!("+{} cells", cells_in_sight(&scene) - before));
        assert!(words.starts_with('+') && words != "+0 cells");
        let removed = lit.clone().with_lamps(Vec::new());
        assert_eq!(gain.words(&scene, 2, removed), words.replace('+', "\u{2212}"));
        let hidden = lit.clone().with_lamps(vec![lit.lamps[0].clone(), Lamp::new((15, 4)).with_reach(3.0)]);
        assert_eq!(gain.words(&scene, 2, hidden.clone()), "no more cells: you do not see what it lights");
        let day = lit.clone().with([("optics.light", 1.into())]).unwrap();
        let mut in_daylight = scene.clone();
        in_daylight.apply(day.clone()).unwrap();
        let more = day.with_lamps(hidden.lamps.clone());
        assert_eq!(gain.words(&in_daylight, 3, more), "no more cells: lamps show in the dark");
        let seen = hidden.with_viewers(vec![Observer::new((14, 4))]);
        assert!(gain.words(&scene, 2, seen).starts_with('+'), "a lookout sees the cells around the lamp");
    }

    #[test]
    fn a_lamp_behind_a_wall_says_what_hides_it() {
        let mut scene = scene();
        assert_eq!(lamp_warning(&scene, ivec2(15, 4)), None, "there is none");
        let lamps = [(6, 4), (15, 4)].map(|at| Lamp::new(at).with_reach(3.0));
        scene.apply(scene.preset().clone().with_lamps(lamps.to_vec())).unwrap();
        assert_eq!(lamp_warning(&scene, ivec2(6, 4)), None, "it is seen");
        let words = lamp_warning(&scene, ivec2(15, 4));
        assert_eq!(words.as_deref(), Some("The lamp is lit, but you do not see it. The wall hides it."));
    }

    #[test]
    fn a_lamp_in_a_wood_says_that_the_trees_swallow_its_light() {
        let mut preset = Preset::shipped_default();
        preset.set("optics.light", "0").unwrap();
        (preset.world.width, preset.world.height) = (48, 40);
        let words = |brush| {
            let at = ivec2(30, 22); // on a plain: downhill, light passes over trees
            let mut scene = Scene::generate(preset.clone(), Some(at), Job::none()).unwrap();
            let stroke = Stroke::new(brush, [at]).with_radius(15).with_strength(1.0);
            scene.apply(scene.preset().clone().with_strokes(vec![stroke]).with_lamps(vec![Lamp::new(at)])).unwrap();
            lamp_warning(&scene, at)
        };
        assert_eq!(words(Brush::Plant).as_deref(), Some("The trees around the lamp swallow most of its light."));
        assert_eq!(words(Brush::Clear), None, "no tree is near it");
    }
}
