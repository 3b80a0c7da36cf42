//! Two ways to the same result: kernels, batches, beams and traced lines, gains.

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::GridView;
use farsight::internal::sight::{Kernel, set_kernel};
use farsight::sight::{FieldOfView, Method, MethodKind, OpacityMap, OpacityRows, PathRule, SightConfig, View};
use farsight_scene::explain::{Explanation, ExplanationPaths};
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;

use super::draws::Draws;

/// The largest mean difference between beams and traced lines over a view.
const MEAN_DIFFERENCE: f32 = 0.1;

fn assert_same_bits(expected: GridView<'_, f32>, found: GridView<'_, f32>, what: &str) {
    assert_eq!(expected.size(), found.size(), "{what}");
    for (cell, value) in expected.iter() {
        assert_eq!(value.to_bits(), found[cell].to_bits(), "{what}, {cell}: {} instead of {value}", found[cell]);
    }
}

/// Every kernel gives the bits of the list, on maps and over closures, for one view after the other.
pub(super) fn kernels(bytes: &[u8]) {
    let mut draws = Draws(bytes);
    let config = draws.config(48);
    let viewers: Vec<[u8; 4]> = (0..3).map(|_| [draws.byte(), draws.byte(), draws.byte(), draws.byte()]).collect();
    let map = draws.map(72);
    let size = map.grid().size();
    let by_kernel = |kernel| {
        let mut fov = FieldOfView::new(config.clone()).unwrap();
        set_kernel(&mut fov, kernel);
        fov
    };
    for kernel in [Kernel::Width4, Kernel::Width8, Kernel::Width16] {
        let [mut plain, mut fast] = [Kernel::Plain, kernel].map(by_kernel);
        for viewer in &viewers {
            let viewer = Draws(viewer).cell(size);
            let what = format!("{kernel:?} from {viewer}, {config:?}");
            let expected = plain.compute(&map, viewer).unwrap();
            assert_same_bits(expected.grid(), fast.compute(&map, viewer).unwrap().grid(), &what);
            if config.radius > 64 {
                continue;
            }
            let fill = |start: IVec2, row: &mut [f32]| {
                for (x, slot) in (start.x..).zip(row) {
                    *slot = map.get(ivec2(x, start.y)).unwrap_or(f32::NAN);
                }
            };
            let expected = plain.compute(OpacityRows::new(fill), viewer).unwrap();
            let found = fast.compute(OpacityRows::new(fill), viewer).unwrap();
            assert_same_bits(expected.grid(), found.grid(), &format!("rows, {what}"));
        }
    }
}

/// Many views at once are the single views.
pub(super) fn batch(bytes: &[u8]) {
    let mut draws = Draws(bytes);
    let mut config = draws.config(24);
    config.method = draws.pick(&[MethodKind::TwoParent, MethodKind::TwoParent, MethodKind::Beam]).into();
    let places: Vec<[u8; 4]> = (0..1 + draws.below(40))
        .map(|i| [draws.byte(), draws.byte(), draws.byte().wrapping_add(i as u8), draws.byte()])
        .collect();
    let map = draws.map(48);
    let viewers: Vec<IVec2> = places.iter().map(|place| Draws(place).cell(map.grid().size())).collect();
    let mut fov = FieldOfView::new(config).unwrap();
    let copy = |_viewer: IVec2, view: View<'_>| (view.top_left(), view.grid().to_grid());
    let all = fov.compute_many(&map, &viewers, Job::none(), copy).unwrap();
    assert_eq!(all.len(), viewers.len());
    for (&viewer, (top_left, grid)) in viewers.iter().zip(&all) {
        let view = fov.compute(&map, viewer).unwrap();
        assert_eq!(view.top_left(), *top_left);
        assert_same_bits(view.grid(), grid.view(), &format!("from {viewer}"));
    }
}

/// Beams and traced lines are in [0, 1], agree where nothing is in the way, and differ little on the whole.
pub(super) fn beam_exact(bytes: &[u8]) {
    let mut draws = Draws(bytes);
    let radius = 2 + draws.below(14) as u32;
    let path = draws.pick(&[PathRule::PerCell, PathRule::PerLength]);
    let viewer = [draws.byte(), draws.byte(), draws.byte(), draws.byte()];
    let map = draws.map(24);
    let viewer = Draws(&viewer).cell(map.grid().size());
    let config = SightConfig::default().with_radius(radius).with_path(path);
    let [mut beams, mut lines] = [MethodKind::Beam.into(), Method::Exact { samples: 4 }]
        .map(|method: Method| FieldOfView::new(config.clone().with_method(method)).unwrap());
    let (beams, lines) = (beams.compute(&map, viewer).unwrap(), lines.compute(&map, viewer).unwrap());
    let is_clear = map.grid().iter().all(|(cell, &opacity)| opacity == 0.0 || cell == viewer);
    let (mut sum, mut cells) = (0.0, 0);
    for (cell, _) in map.grid().iter().filter(|(cell, _)| (*cell - viewer).length_squared() as u32 <= radius * radius) {
        let (beam, line) = (beams.get(cell), lines.get(cell));
        assert!((0.0..=1.0).contains(&beam) && (0.0..=1.0).contains(&line), "{beam}, {line} at {cell}");
        assert!(!is_clear || beam.min(line) > 0.99999, "{beam}, {line} at {cell} of an open field");
        sum += (beam - line).abs();
        cells += 1;
    }
    // A few cells in the shadow of one wall can differ by more.
    if cells >= 100 {
        let mean = sum / cells as f32;
        assert!(mean <= MEAN_DIFFERENCE, "the mean difference of {cells} cells is {mean}");
    }
}

/// The gains of an explanation are the differences to views of the map with that cell cleared.
pub(super) fn gains(bytes: &[u8]) {
    let mut draws = Draws(bytes);
    let mut preset = Preset::bare_kernel();
    preset.sight = draws.settings(24);
    preset.sight.samples = 3;
    preset.sight.radius = preset.sight.radius.min(4096);
    preset.sight.method = draws.pick(&[MethodKind::TwoParent, MethodKind::TwoParent, MethodKind::Exact]);
    if preset.check().is_err() {
        return;
    }
    let places = [draws.byte(), draws.byte(), draws.byte(), draws.byte()];
    let targets = [draws.byte(), draws.byte(), draws.byte(), draws.byte()];
    let map = draws.map(20);
    let size = map.grid().size();
    let (viewer, target) = (Draws(&places).cell(size), Draws(&targets).cell(size));
    let on = |map: OpacityMap| Scene::from_map(preset.clone(), map, Some(viewer), Job::none()).unwrap();
    let scene = on(map.clone());
    let explanation = Explanation::of(&scene, target).unwrap();
    assert!(!explanation.sentence().is_empty());
    let shares: f64 = explanation.losses.iter().map(|loss| loss.share).sum();
    assert!((shares - explanation.lost()).abs() < 1e-6, "{shares}: {explanation:?}");
    if explanation.is_out_of_range() {
        return;
    }
    let seen = f64::from(scene.perceived(target));
    assert!((explanation.explained - seen).abs() < 1e-5, "{seen}: {explanation:?}");
    assert!(explanation.paths != ExplanationPaths::Parents || preset.sight.method == MethodKind::TwoParent);
    for loss in explanation.cells.iter().take(4) {
        let mut cleared = map.grid().clone();
        cleared[loss.cell] = 0.0;
        let gain = f64::from(on(OpacityMap::try_from(cleared).unwrap()).perceived(target)) - seen;
        assert!((gain - loss.gain).abs() < 1e-5, "{gain}, not {loss:?}: {explanation:?}");
    }
}
