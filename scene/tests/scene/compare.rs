//! Comparisons: golden figures on small maps, the faults that are known, and pictures.

use farsight::Job;
use farsight::glam::ivec2;
use farsight::grid::TextMap;
use farsight::sight::{MethodKind, OpacityMap, Weights};
use farsight_scene::compare::{
    AccuracyOptions, Case, CompareOptions, Comparison, Figures, GalleryOptions, accuracy, gallery, picture,
};
use farsight_scene::compare::{GALLERY_MAPS, GalleryMap};
use farsight_scene::paint::Picture;
use farsight_scene::preset::{DecayKind, Preset, SightSettings};
use farsight_scene::scene::Scene;

fn bare(radius: u32) -> Preset {
    Preset::default().with_sight(SightSettings::default().with_radius(radius))
}

fn case(text: &str, radius: u32) -> Case {
    let map = TextMap::parse(text).unwrap();
    Case::new("drawn", OpacityMap::try_from(map.opacity).unwrap(), map.viewer.unwrap(), &bare(radius)).unwrap()
}

fn compared(cases: &[Case]) -> Comparison {
    Comparison::of(cases, &CompareOptions::default(), None, Job::none()).unwrap()
}

fn of(comparison: &Comparison, method: MethodKind) -> &Figures {
    comparison.total.iter().find(|figures| figures.method == method).unwrap()
}

fn whole_gallery() -> Vec<Case> {
    let case = |gallery: &GalleryMap| {
        let map = gallery.map();
        Case::new(gallery.title, OpacityMap::try_from(map.opacity).unwrap(), map.viewer.unwrap(), &bare(32)).unwrap()
    };
    GALLERY_MAPS.iter().map(case).collect()
}

#[test]
fn in_a_corridor_all_methods_agree() {
    let comparison = compared(&[case("..@..#..", 9)]);
    for figures in &comparison.total {
        let name = figures.method.name();
        assert_eq!((figures.difference.cells, figures.difference.seen), (8, 6), "{name}");
        assert!(figures.difference.rmse < 1e-6, "{name}: {}", figures.difference.rmse);
        assert_eq!(figures.difference.agreement, 1.0, "{name}");
        assert_eq!((figures.orphans, figures.blind_spots, figures.hidden_walls), (0, 0, 0), "{name}");
        assert!(figures.asymmetry.max < 1e-6, "{name}: {}", figures.asymmetry.max);
        assert_eq!(figures.time_ratio, None, "{name}");
    }
}

/// A pillar right next to the viewer, its near corners at 45 degrees: every line less steep than that is blocked. Of the
/// 49 points of a cell on the diagonal 21 lie below it, and those on it just pass the corner.
#[test]
fn figures_of_a_pillar_by_hand() {
    let comparison = compared(&[case(".....\n.....\n..@#.\n.....\n.....", 3)]);
    let linear = &of(&comparison, MethodKind::TwoParent).difference;
    assert_eq!((linear.cells, linear.seen), (25, 24), "only the cell straight behind is dark: half is seen");
    assert_eq!((linear.reference_seen, linear.agreement), (22, 0.92), "those next to it are dark, too");
    // Too bright by one half: (2, 1), (2, -1); by 21 of 49: (1, 1), (2, 2) and their mirror images.
    let [half, part] = [0.5f64, 21.0 / 49.0];
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-6, "{found} for {expected}");
    close(linear.max_error, half);
    close(linear.mean_error, (2.0 * half + 4.0 * part) / 25.0);
    close(linear.bias, linear.mean_error);
    close(linear.rmse, ((2.0 * half * half + 4.0 * part * part) / 25.0).sqrt());
    let shadowcast = &of(&comparison, MethodKind::Shadowcast).difference;
    assert_eq!(shadowcast.max_error, 1.0, "yes where the reference has nothing");
}

#[test]
fn the_default_is_symmetric_and_the_classic_methods_have_the_faults_of_their_sources() {
    let comparison = compared(&whole_gallery());
    assert_eq!(comparison.maps.len(), GALLERY_MAPS.len());
    let linear = of(&comparison, MethodKind::TwoParent);
    assert!(linear.asymmetry.pairs > 5000 && linear.asymmetry.max <= 1e-6, "{linear:?}");
    assert_eq!(linear.orphans, 0);
    let symmetric = of(&comparison, MethodKind::SymmetricShadowcast);
    assert_eq!((symmetric.asymmetry.max, symmetric.blind_spots), (0.0, 0), "{symmetric:?}");
    let is_symmetric = |method: &MethodKind| matches!(method, MethodKind::TwoParent | MethodKind::SymmetricShadowcast);
    for method in MethodKind::ALL.iter().copied().filter(|method| !is_symmetric(method)) {
        assert!(of(&comparison, method).asymmetry.max > 0.5, "{method:?} is not symmetric");
    }
    let room = |method| comparison.room[MethodKind::ALL.iter().position(|c| *c == method).unwrap()];
    for method in [MethodKind::SymmetricShadowcast, MethodKind::Shadowcast] {
        assert_eq!(room(method).dark, 0, "{method:?} sees every wall of a room");
    }
    assert_eq!(room(MethodKind::TwoParent).dark, 0);
    assert!(room(MethodKind::TwoParent).dim > 0, "but soft methods dim walls at a slant");
    let border = of(&comparison, MethodKind::RaycastBorder);
    assert_eq!(border.hidden_walls, 0, "the repair shows the walls that lines miss");
    assert!(border.orphans > 0, "some of them where no line leads");
    assert!(room(MethodKind::RaycastBorder).dark > 0, "corners stay dark");
    let circle = of(&comparison, MethodKind::RaycastCircle);
    assert!(circle.blind_spots > 0 && circle.hidden_walls > 0, "lines to a circle leave gaps");
    assert!(room(MethodKind::RaycastCircle).dark > 0);
    let rmse = |method| of(&comparison, method).difference.rmse;
    assert!(rmse(MethodKind::Beam) < 0.25 * rmse(MethodKind::TwoParent));
    let mut classic = MethodKind::ALL.iter().copied().filter(|method| method.is_binary() && !is_symmetric(method));
    assert!(classic.all(|classic| rmse(classic) > rmse(MethodKind::TwoParent)));
    assert_eq!(rmse(MethodKind::Exact), 0.0);
}

#[test]
fn settings_of_methods_are_those_of_the_cases() {
    let figures = |weights, repair| {
        let cases: Vec<Case> = whole_gallery()
            .into_iter()
            .map(|case| {
                let mut preset = case.preset().clone();
                (preset.sight.weights, preset.sight.repair) = (weights, repair);
                Case::new(case.name(), case.opacity().clone(), case.viewer(), &preset).unwrap()
            })
            .collect();
        let methods = vec![MethodKind::TwoParent, MethodKind::RaycastBorder];
        let options = CompareOptions::default().with_methods(methods).with_asymmetry_cells(4);
        Comparison::of(&cases, &options, None, Job::none()).unwrap()
    };
    let (default, changed) = (figures(Weights::Linear, true), figures(Weights::Projection, false));
    let [linear, projection] = [&default, &changed].map(|comparison| comparison.total[0].difference.rmse);
    assert!(linear < 0.7 * projection, "{linear} {projection}");
    let [repaired, bare] = [&default, &changed].map(|comparison| comparison.total[1].hidden_walls);
    assert!(bare > 100 && repaired == 0, "the repair shows the walls that lines miss");
    let [dark, bare_dark] = [&default, &changed].map(|comparison| comparison.room[1].dark);
    assert!(0 < dark && dark < bare_dark, "corners stay dark: {dark} of {bare_dark}");
}

#[test]
fn totals_are_those_of_all_cells_together() {
    let cases = &whole_gallery()[..3];
    let comparison = compared(cases);
    for (i, total) in comparison.total.iter().enumerate() {
        let parts: Vec<&Figures> = comparison.maps.iter().map(|map| &map.methods[i]).collect();
        let cells: usize = parts.iter().map(|part| part.difference.cells).sum();
        let squares: f64 =
            parts.iter().map(|part| part.difference.rmse.powi(2) * part.difference.cells as f64).sum::<f64>();
        assert_eq!(total.difference.cells, cells);
        assert!((total.difference.rmse - (squares / cells as f64).sqrt()).abs() < 1e-12);
        let worst = parts.iter().map(|part| part.difference.max_error).fold(0.0, f64::max);
        assert_eq!(total.difference.max_error, worst);
        assert_eq!(total.asymmetry.pairs, parts.iter().map(|part| part.asymmetry.pairs).sum::<usize>());
    }
}

#[test]
fn over_relief_the_default_is_symmetric_on_the_opacities_of_one_eye() {
    let mut preset = Preset::named("alpine").unwrap();
    (preset.world.width, preset.world.height, preset.sight.radius) = (96, 80, 20);
    preset.optics.radius_per_100m = 0.0;
    assert_ne!(preset.sight.decay.kind, DecayKind::None);
    let scene = Scene::generate(preset, Some(ivec2(40, 30)), Job::none()).unwrap();
    let case = Case::of_scene("alpine", &scene).unwrap();
    assert_eq!(case.preset().sight.decay.kind, DecayKind::None);
    assert_eq!((case.opacity().grid().size(), case.viewer()), (ivec2(41, 41), ivec2(20, 20)));
    let comparison = compared(&[case]);
    let linear = of(&comparison, MethodKind::TwoParent);
    assert!(linear.asymmetry.pairs > 50 && linear.asymmetry.max <= 1e-6, "{linear:?}");
}

#[test]
fn methods_are_chosen_and_time_is_a_ratio_to_the_default() {
    let cases = [case("...\n.@#\n...", 4)];
    let ticks = std::cell::Cell::new(0.0);
    let clock = || {
        ticks.set(ticks.get() + 1.0); // every look takes as long
        ticks.get()
    };
    let methods = vec![MethodKind::Shadowcast, MethodKind::TwoParent];
    let options = CompareOptions::default().with_methods(methods).with_asymmetry_cells(4).with_floor_only(true);
    let comparison = Comparison::of(&cases, &options, Some(&clock), Job::none()).unwrap();
    let names: Vec<_> = comparison.total.iter().map(|figures| figures.method.name()).collect();
    assert_eq!(names, ["shadowcast", "two-parent"]);
    assert!(comparison.total.iter().all(|figures| figures.time_ratio == Some(1.0)));
    assert!(comparison.total.iter().all(|figures| figures.difference.cells == 8), "all but the wall");
    assert_eq!(comparison.to_json()["total"][1]["time_ratio"], 1.0);
}

#[test]
fn a_comparison_stops_when_it_is_told_to() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let job = Job::none().cancelled_by(&stop);
    assert!(Comparison::of(&whole_gallery(), &CompareOptions::default(), None, job).is_err());
    assert!(gallery(&GalleryOptions::default(), job).is_err());
}

fn reds(picture: &Picture) -> usize {
    let pixels = picture.rgba().chunks_exact(4);
    pixels.filter(|p| p[0] == 232 && p[1] == 36 && p[2] == 44).count()
}

#[test]
fn the_gallery_has_a_panel_for_every_map_method_wall_and_answer() {
    let draw = |options: &GalleryOptions| gallery(options, Job::none()).unwrap();
    let maps = ["single-pillar", "fog-bank"].map(|name| GalleryMap::named(name).unwrap());
    let options = GalleryOptions::default().with_maps(maps.into());
    let sheet = draw(&options);
    assert_eq!(sheet, draw(&options), "the same bytes every time");
    assert_eq!((sheet.width(), sheet.height()), (2104, 120 + 50 + 231 + 14 + 161 + 14 + 24));
    // One red disc in each of the 2 x 8 panels and in the legend.
    let (pillar, fog) = (reds(&draw(&options.clone().with_maps(vec![maps[0]]))), reds(&sheet));
    let disc = |side: f64| std::f64::consts::PI * (side * 0.42).powi(2);
    assert!(pillar as f64 > 8.0 * 0.6 * disc(11.0), "{pillar}");
    assert!((fog - pillar) as f64 > 8.0 * 0.5 * disc(7.0), "{fog}");
    // The pillar's own panels, continuous and binary, differ behind it and nowhere else on the left of it.
    let first = |x: usize, y: usize| sheet.get(156 + x, 170 + y).unwrap();
    let binary = |x: usize, y: usize| sheet.get(156 + 239 + x, 170 + y).unwrap();
    assert_eq!(first(50, 115), binary(50, 115));
    assert_eq!(first(50, 115), [253, 234, 69], "full visibility is the ramp's end");
    let behind = (19 * 11 + 4, 5 * 11 + 4); // straight on behind the pillar
    assert_ne!(first(behind.0, behind.1), binary(behind.0, behind.1));
    let half = sheet.get(156 + 2 * 239 + behind.0, 170 + behind.1).unwrap();
    assert!(half[1] > first(behind.0, behind.1)[1], "walls of 50 % leave more light");
    let narrow = draw(&options.with_methods(vec![MethodKind::Shadowcast]));
    assert_eq!(narrow.width(), 1160);
}

#[test]
fn the_whole_gallery_fits_on_a_sheet() {
    let sheet = gallery(&GalleryOptions::default(), Job::none()).unwrap();
    assert_eq!(sheet.width(), 2104);
    assert!((5000..6000).contains(&sheet.height()), "{}", sheet.height());
}

#[test]
fn a_comparison_is_drawn_with_what_differs() {
    let cases = [case(GalleryMap::named("single-pillar").unwrap().text, 12)];
    let methods = vec![MethodKind::TwoParent, MethodKind::Exact];
    let options = CompareOptions::default().with_methods(methods);
    let comparison = Comparison::of(&cases, &options, None, Job::none()).unwrap();
    let drawn = picture(&cases, &comparison, "a pillar", Job::none()).unwrap();
    assert_eq!(drawn, picture(&cases, &comparison, "a pillar", Job::none()).unwrap());
    assert_eq!(drawn.width(), 2 * 24 + 2 * 480 + 12);
    // Below each view its difference: that of the reference is empty, the other has errors of both signs.
    let side = 480 / 21;
    let panel = |left: usize, x: usize, y: usize| {
        let corner = (left + (480 - 21 * side) / 2, 112 + 20 + 21 * side + 6);
        drawn.get(corner.0 + x * side + side / 2, corner.1 + y * side + side / 2).unwrap()
    };
    let colours = |left: usize| {
        let cells = (0..21).flat_map(|y| (0..21).map(move |x| (x, y)));
        let colours = cells.map(|(x, y)| panel(left, x, y));
        let (mut too_much, mut too_little) = (0, 0);
        for [r, _, b] in colours {
            too_much += usize::from(r > b.saturating_add(20) && b < 60);
            too_little += usize::from(b > r.saturating_add(20));
        }
        (too_much, too_little)
    };
    let (too_much, too_little) = colours(24);
    assert!(too_much > 5 && too_little > 3, "{too_much} {too_little}");
    let (too_much, too_little) = colours(24 + 492);
    assert!(too_much <= 1 && too_little == 0, "only the viewer is red: {too_much} {too_little}");
}

#[test]
fn soft_methods_are_ranked_by_their_errors() {
    let mut options = AccuracyOptions::default();
    (options.radius, options.samples, options.maps) = (16, 7, 2);
    let rows = accuracy(&options, Job::none()).unwrap();
    assert_eq!(rows.len(), 5);
    for row in &rows {
        let [projection, linear, beam, finer] = row.errors.map(|error| error.rmse);
        assert!(beam < linear && finer <= 1.2 * beam, "{}: {beam} {finer} {linear}", row.kind);
        assert!(linear < 1.1 * projection, "{}: {linear} {projection}", row.kind);
    }
}
