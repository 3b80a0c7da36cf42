//! Cumulative views: turbines against lines that are followed one by one, areas in bands of distance, and the choice of observers.

use farsight::Job;
use farsight::glam::{DVec2, IVec2, dvec2, ivec2};
use farsight::grid::Grid;
use farsight_scene::cumulative::{
    CountClasses, CumulativeLayer, CumulativeParts, CumulativeView, PlacedObserver, ViewLimits,
};
use farsight_scene::files::{GeoKeys, Georeference};
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
use farsight_scene::world::Ground;

const SIZE: IVec2 = ivec2(130, 90);
const SIDE_M: f64 = 30.0;
const PERSON_M: f64 = 2.0;

fn ground() -> Grid<f32> {
    Grid::from_fn(SIZE.x as usize, SIZE.y as usize, |cell| {
        let (x, y) = (cell.x as f32, cell.y as f32);
        400.0
            + 90.0 * (x / 13.0).sin() * (y / 11.0).cos()
            + 25.0 * (x / 3.7 + y / 5.1).sin()
            + 6.0 * (x * y / 40.0).cos()
    })
}

fn scene() -> Scene {
    let mut preset = Preset::named("viewshed").unwrap();
    (preset.sight.radius, preset.world.cell_size_m) = (200, SIDE_M);
    preset.optics.target_height_m = PERSON_M;
    Scene::from_dem(preset, Ground::new(ground()), Some(SIZE / 2), Job::none()).unwrap()
}

/// Observers on cells spread over the map.
fn observers(count: i32, limits: impl Fn(i32) -> ViewLimits) -> Vec<PlacedObserver> {
    let place = Georeference { corner: [0.0, 0.0], cell: [1.0, 1.0], keys: GeoKeys::default() };
    let observer = |i: i32| {
        let cell = ivec2(i * 47 % SIZE.x, (i * 31 + 5) % SIZE.y);
        let position = cell.as_dvec2() * dvec2(1.0, -1.0) + dvec2(0.5, -0.5);
        PlacedObserver::new(format!("turbine {i}"), position, limits(i), &place, SIZE).unwrap()
    };
    (0..count).map(observer).collect()
}

fn turbines() -> Vec<PlacedObserver> {
    observers(20, |i| {
        let mut limits = ViewLimits::default();
        limits.hub_height_m = 60.0 + f64::from(i);
        limits.tip_height_m = 100.0 + 3.0 * f64::from(i);
        limits.eye_height_m = limits.tip_height_m;
        limits.target_height_m = PERSON_M;
        limits
    })
}

fn compute(observers: &[PlacedObserver], layers: &[CumulativeLayer]) -> CumulativeView {
    let parts = CumulativeParts { layers: layers.to_vec(), seen_cells: true, ..CumulativeParts::default() };
    CumulativeView::compute(&scene(), observers, &parts, Job::none()).unwrap()
}

/// Returns the minimum height over its ground of a turbine visible to a person on a cell: the line between them is
/// sampled from row to row or column to column, where the ground along it is a parabola through three of its points.
fn least_height_m(ground: &Grid<f32>, person: IVec2, turbine: IVec2) -> f64 {
    let offset = (turbine - person).as_dvec2();
    if offset.abs().element_sum() <= 1.0 {
        return 0.0; // neighbours in a row or column
    }
    let height = |share: f64| {
        let at: DVec2 = person.as_dvec2() + share * offset;
        let low = at.floor().clamp(DVec2::ZERO, SIZE.as_dvec2() - 2.0);
        let (cell, part) = (low.as_ivec2(), at - low);
        let corner = |x, y| f64::from(ground[cell + ivec2(x, y)]);
        let top = corner(0, 0) * (1.0 - part.x) + corner(1, 0) * part.x;
        let bottom = corner(0, 1) * (1.0 - part.x) + corner(1, 1) * part.x;
        top * (1.0 - part.y) + bottom * part.y
    };
    let drop_m = 0.85714 * (offset.length() * SIDE_M).powi(2) / (2.0 * 6_378_137.0);
    let eye_m = f64::from(ground[person]) + PERSON_M;
    let mut crossings: Vec<f64> = Vec::new();
    for length in offset.abs().to_array().map(|length| length as i32) {
        crossings.extend((0..=length).map(|step| f64::from(step) / f64::from(length.max(1))));
    }
    crossings.sort_by(f64::total_cmp);
    let mut steepest = f64::NEG_INFINITY;
    for pair in crossings.windows(2).filter(|pair| pair[1] - pair[0] > 1e-12) {
        let ([start, end], middle) = ([pair[0], pair[1]], (pair[0] + pair[1]) / 2.0);
        let [first, second, third] = [start, middle, end].map(height);
        let c = 2.0 * (first - 2.0 * second + third) / (end - start).powi(2);
        let b = (third - first) / (end - start) - c * (start + end);
        let a = first - b * start - c * start * start - eye_m;
        let c = c - drop_m;
        let top = if a < 0.0 && c < 0.0 { (a / c).sqrt() } else { start };
        for share in [start, end, top.clamp(start, end)] {
            if share > 0.0 && share < 1.0 {
                steepest = steepest.max(a / share + b + c * share);
            }
        }
    }
    (steepest - (f64::from(ground[turbine]) - drop_m - eye_m)).max(0.0)
}

#[test]
fn what_is_seen_of_turbines_is_what_lines_followed_one_by_one_leave() {
    use CumulativeLayer::*;
    let (ground, turbines) = (ground(), turbines());
    let layers = [Hubs, Tips, VisibleHeight, VisibleHeightSum, VerticalAngle, HorizontalAngle, Nearest, Sum];
    let view = compute(&turbines, &layers);
    let values = |layer, cell: IVec2| f64::from(view.layer(layer).unwrap()[cell]);
    let (mut parts, mut ties, mut turns) = (0, 0, 0);
    for (cell, _) in ground.iter() {
        let (mut most, mut sum, mut angle, mut hubs, mut tips, mut nearest) =
            (0.0_f64, 0.0, 0.0_f64, 0.0, 0.0, f64::INFINITY);
        let (mut directions, mut is_tie) = (Vec::new(), false);
        for turbine in &turbines {
            let (tip_m, hub_m) = (turbine.limits.tip_height_m, turbine.limits.hub_height_m);
            let least_m = least_height_m(&ground, cell, turbine.cell);
            let metres = (tip_m - least_m).max(0.0);
            is_tie |= (least_m - tip_m).abs() < 0.001 || (least_m - hub_m).abs() < 0.001;
            parts += i32::from(least_m > 1.0 && metres > 1.0);
            (most, sum) = (most.max(metres), sum + metres);
            hubs += f64::from(u8::from(least_m <= hub_m));
            if least_m > tip_m {
                continue;
            }
            tips += 1.0;
            let offset = (turbine.cell - cell).as_dvec2() * SIDE_M;
            let distance_m = offset.length();
            nearest = nearest.min(distance_m);
            if distance_m > 0.0 {
                let drop_m = 0.85714 * distance_m * distance_m / (2.0 * 6_378_137.0);
                let foot_m = f64::from(ground[turbine.cell]) - f64::from(ground[cell]) - PERSON_M - drop_m;
                let [top, bottom] = [tip_m, least_m.min(tip_m)].map(|metres| ((foot_m + metres) / distance_m).atan());
                angle = angle.max((top - bottom).to_degrees());
                directions.push(offset.x.atan2(-offset.y).to_degrees());
            }
        }
        if is_tie {
            ties += 1; // rounding decides
            continue;
        }
        assert!((values(VisibleHeight, cell) - most).abs() < 0.01, "{cell}: {most} m");
        assert!((values(VisibleHeightSum, cell) - sum).abs() < 0.01, "{cell}: {sum} m");
        assert!((values(VerticalAngle, cell) - angle).abs() < 0.02, "{cell}: {angle}°");
        assert_eq!([values(Hubs, cell), values(Tips, cell), values(Sum, cell)], [hubs, tips, tips], "{cell}");
        match nearest.is_finite() {
            true => assert!((values(Nearest, cell) - nearest).abs() < 0.01, "{cell}: {nearest} m"),
            false => assert!(values(Nearest, cell).is_nan(), "{cell}"),
        }
        // The smallest sector begins at one of the directions.
        let span_from =
            |start: f64| directions.iter().map(|end: &f64| (end - start).rem_euclid(360.0)).fold(0.0, f64::max);
        let span = directions.iter().map(|start| span_from(*start)).reduce(f64::min).unwrap_or(0.0);
        turns += i32::from(span > 180.0);
        assert!((values(HorizontalAngle, cell) - span).abs() < 0.001, "{cell}: {span}°");
    }
    assert!(parts > 2000 && ties < 20 && turns > 100, "{parts} {ties} {turns}");
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let turbines = turbines();
    let view = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| compute(&turbines, CumulativeLayer::ALL))
    };
    assert!(format!("{:?}", view(1)) == format!("{:?}", view(3)));
}

#[test]
fn sums_count_the_weight_of_each_observer() {
    let weighted = observers(3, |i| {
        let mut limits = ViewLimits::default();
        (limits.eye_height_m, limits.weight) = (30.0, [1.0, 0.5, 0.0][i as usize]);
        limits
    });
    let view = compute(&weighted, &[CumulativeLayer::Sum]);
    for (cell, sum) in view.layer(CumulativeLayer::Sum).unwrap().iter() {
        let expected: f32 = view
            .seen_cells
            .iter()
            .zip([1.0, 0.5, 0.0])
            .map(|(seen, weight)| f32::from(u8::from(seen.contains(cell))) * weight)
            .sum();
        assert_eq!(*sum, expected, "{cell}");
    }
}

#[test]
fn areas_and_choices_are_those_of_counting_cells() {
    let masts = observers(12, |i| {
        let mut limits = ViewLimits::default();
        (limits.eye_height_m, limits.max_distance_m) = (5.0 + f64::from(i), 1000.0);
        limits
    });
    let (view, scene) = (compute(&masts, &[]), scene());
    let world = scene.world().unwrap();
    let cell_km2 = SIDE_M * SIDE_M / 1e6;
    let seen = |cell: IVec2| view.count()[cell] > 0.0;
    let seen_cells = view.count().iter().filter(|(cell, _)| seen(*cell)).count();
    let covered = view.covered(world, CumulativeLayer::Count);
    assert_eq!(covered.cells, seen_cells);
    assert!((covered.km2 - seen_cells as f64 * cell_km2).abs() < 1e-9);
    let nearest = |cell: IVec2| {
        masts.iter().map(|mast| (mast.cell - cell).as_dvec2().length() * SIDE_M).fold(f64::INFINITY, f64::min)
    };
    let classes = CountClasses::new(vec![1, 3, 6]).unwrap();
    for band in view.distance_bands(world, &masts, &[0.0, 90.0, 450.0, 700.0], Some(&classes)) {
        let cells: Vec<IVec2> = view.count().iter().map(|(cell, _)| cell).collect();
        let inside: Vec<IVec2> =
            cells.into_iter().filter(|cell| (band.from_m..band.to_m).contains(&nearest(*cell))).collect();
        let in_class =
            |low: f32, high: f32| inside.iter().filter(|cell| (low..=high).contains(&view.count()[**cell])).count();
        for (km2, (low, high)) in band.class_km2.iter().zip([(1.0, 2.0), (3.0, 5.0), (6.0, 12.0)]) {
            assert!((km2 - in_class(low, high) as f64 * cell_km2).abs() < 1e-9, "{band:?}");
        }
        let seen = inside.iter().filter(|cell| seen(**cell)).count();
        assert!(seen > 0 && seen < inside.len(), "{band:?}");
        assert!((band.ground_km2 - inside.len() as f64 * cell_km2).abs() < 1e-9, "{band:?}");
        assert!((band.seen_km2 - seen as f64 * cell_km2).abs() < 1e-9, "{band:?}");
    }
    let mut left: Vec<IVec2> = view.count().iter().map(|(cell, _)| cell).collect();
    let chosen = view.choose(world, 100);
    assert!(chosen.len() > 3);
    for choice in &chosen {
        let adds = |index: usize| left.iter().filter(|cell| view.seen_cells[index].contains(**cell)).count();
        let best = (0..masts.len()).map(adds).max().unwrap();
        assert_eq!((adds(choice.index), choice.added_cells), (best, best as u64), "{choice:?}");
        left.retain(|cell| !view.seen_cells[choice.index].contains(*cell));
        let seen_km2 = (view.count().as_slice().len() - left.len()) as f64 * cell_km2;
        assert!((choice.seen_km2 - seen_km2).abs() < 1e-9, "{choice:?}");
    }
    assert_eq!(left.iter().filter(|cell| seen(**cell)).count(), 0);
    assert_eq!(view.choose(world, 2), chosen[..2]);
}
