//! Films of walks, decoded and compared with painted pictures.

use std::io::Cursor;

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, TextMap};
use farsight::sight::OpacityMap;
use farsight_scene::export::{Crop, ExportOptions, PictureStyle};
use farsight_scene::files::{Content, Format, PlacedPicture, Provenance};
use farsight_scene::film::{Film, FilmCrop, FilmError, FilmOptions, Itinerary, Versus};
use farsight_scene::paint::{PaintOptions, Unseen, Zoom, paint};
use farsight_scene::preset::{Look, Preset};
use farsight_scene::scene::Scene;
use serde_json::json;

fn world() -> Scene {
    let mut preset = Preset::named("temperate").unwrap();
    (preset.world.width, preset.world.height, preset.world.seed) = (96, 80, 5);
    preset.world.region_km = 6.0;
    preset.sight.radius = 20;
    preset.perception.creatures = 300.0;
    preset.paint.legend = false;
    Scene::generate(preset, None, Job::none()).unwrap()
}

fn on_text(text: &str) -> Scene {
    let map = TextMap::parse(text).unwrap();
    Scene::from_map(Preset::bare_kernel(), OpacityMap::try_from(map.opacity).unwrap(), map.viewer, Job::none()).unwrap()
}

fn film(scene: &Scene, walk: Itinerary, options: FilmOptions) -> Film<'_> {
    Film::new(scene, walk, options, Job::none()).unwrap()
}

fn gif_of(film: &Film) -> Vec<u8> {
    let mut bytes = Vec::new();
    film.write_gif(&mut bytes, Job::none()).unwrap();
    bytes
}

fn apng_of(film: &Film) -> Vec<u8> {
    let mut bytes = Vec::new();
    film.write_apng(&mut bytes, Job::none()).unwrap();
    bytes
}

/// The delay of a frame in hundredths of a second, and its RGB pixels.
type Frame = (u16, Vec<[u8; 3]>);

fn painted(film: &Film) -> Vec<Frame> {
    let mut frames = Vec::new();
    let played = film.for_each_frame(Job::none(), |number, delay_cs, picture| {
        assert_eq!(number, frames.len());
        let size = ivec2(picture.width() as i32, picture.height() as i32);
        assert_eq!(size, film.size());
        let pixels = picture.rgba().chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2]]);
        frames.push((delay_cs, pixels.collect()));
        Ok(())
    });
    played.unwrap();
    frames
}

/// Decodes a `.gif` and returns the frames and the size of the palette.
fn decode_gif(bytes: &[u8]) -> (Vec<Frame>, usize) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    options.check_frame_consistency(true);
    let mut decoder = options.read_info(Cursor::new(bytes)).unwrap();
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let palette: Vec<[u8; 3]> = decoder.global_palette().unwrap().chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
    let mut screen = vec![[1, 2, 3]; width * height];
    let mut shown = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert!(frame.palette.is_none(), "one palette for the whole film");
        assert_eq!(frame.dispose, gif::DisposalMethod::Keep);
        for (i, &index) in frame.buffer.iter().enumerate() {
            let (x, y) = (i % usize::from(frame.width), i / usize::from(frame.width));
            if Some(index) != frame.transparent {
                screen[(usize::from(frame.top) + y) * width + usize::from(frame.left) + x] =
                    palette[usize::from(index)];
            }
        }
        shown.push((frame.delay, screen.clone()));
    }
    (shown, palette.len())
}

/// Decodes an `.apng`.
fn decode_apng(bytes: &[u8]) -> Vec<Frame> {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let control = *reader.info().animation_control().unwrap();
    assert_eq!(control.num_plays, 0, "it repeats");
    let mut screen = vec![[1, 2, 3]; width * height];
    let mut shown = Vec::new();
    for _ in 0..control.num_frames {
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut buffer).unwrap();
        let frame = *reader.info().frame_control().unwrap();
        assert_eq!((frame.delay_den, frame.blend_op), (100, png::BlendOp::Source));
        for y in 0..frame.height as usize {
            for x in 0..frame.width as usize {
                let at = (y * frame.width as usize + x) * 3;
                screen[(frame.y_offset as usize + y) * width + frame.x_offset as usize + x] =
                    [buffer[at], buffer[at + 1], buffer[at + 2]];
            }
        }
        shown.push((frame.delay_num, screen.clone()));
    }
    shown
}

#[test]
fn an_apng_has_exact_colours() {
    let scene = world();
    let walk = Itinerary::wander(&scene, 12).unwrap();
    let film = film(&scene, walk, FilmOptions::default().with_scale(3).with_steps_per_frame(2).with_delay_cs(7));
    let painted = painted(&film);
    assert_eq!((painted.len(), film.frames()), (7, 7));
    assert!(decode_apng(&apng_of(&film)) == painted);
    let delays: Vec<u16> = painted.iter().map(|(delay, _)| *delay).collect();
    assert_eq!(delays, [7, 7, 7, 7, 7, 7, 157], "the last frame is held");
}

#[test]
fn a_gif_has_one_palette_and_no_flicker() {
    let scene = world();
    let walk = Itinerary::wander(&scene, 8).unwrap();
    for colours in [256, 32] {
        let film = film(&scene, walk.clone(), FilmOptions::default().with_scale(3).with_colours(colours));
        let painted = painted(&film);
        let (shown, palette) = decode_gif(&gif_of(&film));
        assert_eq!(shown.len(), painted.len());
        assert!(palette <= usize::from(colours), "{palette}");
        let mut colour_of = std::collections::HashMap::new();
        let mut error = 0.0;
        let mut pixels = 0.0;
        for ((delay, shown), (painted_delay, painted)) in shown.iter().zip(&painted) {
            assert_eq!(delay, painted_delay);
            for (shown, painted) in shown.iter().zip(painted) {
                assert_eq!(colour_of.entry(*painted).or_insert(*shown), shown, "a colour flickers");
                let channels = shown.iter().zip(painted).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2));
                error += channels.sum::<f64>();
                pixels += 1.0;
            }
        }
        let rms = f64::sqrt(error / (3.0 * pixels));
        assert!(rms < if colours == 256 { 4.0 } else { 14.0 }, "{colours} colours: {rms} levels off");
    }
}

#[test]
fn a_gif_of_few_colours_is_exact() {
    let scene = super::in_look(&on_text("@.....#....\n......#....\n...........\n"), Look::Data);
    let walk = Itinerary::along(&scene, &[ivec2(10, 0)]).unwrap();
    let options = FilmOptions::default().with_caption(false).with_scale(2);
    let film = film(&scene, walk, options);
    let mut colours: Vec<[u8; 3]> = painted(&film).into_iter().flat_map(|(_, pixels)| pixels).collect();
    colours.sort_unstable();
    colours.dedup();
    assert!(colours.len() < 256);
    assert!(decode_gif(&gif_of(&film)).0 == painted(&film));
}

#[test]
fn the_first_and_last_frames_equal_exports() {
    let scene = world();
    let walk = Itinerary::wander(&scene, 10).unwrap();
    let options = FilmOptions::default().with_crop(FilmCrop::Map).with_scale(4).with_caption(false);
    let frames = painted(&film(&scene, walk.clone(), options));
    let exported = |scene: &Scene| -> Vec<[u8; 3]> {
        let options = ExportOptions::default()
            .with_crop(Crop::Map)
            .with_style(PictureStyle::Painted { scale: Some(4), unseen: Unseen::Remembered });
        let Content::Picture(PlacedPicture { picture, .. }) = options.product(scene, Format::Png).unwrap().content
        else {
            panic!("a painted export is a picture")
        };
        picture.rgba().chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
    };
    assert!(frames[0].1 == exported(&scene));
    let mut walked = scene.clone();
    for pair in walk.cells().windows(2) {
        assert!(walked.step(pair[1] - pair[0]).unwrap());
    }
    assert!(frames[10].1 == exported(&walked), "memory and creatures are those after the walk");
}

#[test]
fn a_moving_camera_shows_part_of_the_map() {
    let scene = on_text(&[".".repeat(60).as_str(); 12].join("\n"));
    let mut scene = scene;
    scene.place(ivec2(2, 6)).unwrap();
    let walk = Itinerary::along(&scene, &[ivec2(57, 6)]).unwrap();
    let options = FilmOptions::default().with_crop(FilmCrop::Cells(ivec2(20, 10))).with_scale(8).with_caption(false);
    let film = film(&scene, walk, options);
    assert_eq!(film.size(), ivec2(160, 80));
    let frames = painted(&film);
    let whole = |scene: &Scene, at: IVec2| {
        let mut scene = scene.clone();
        for _ in 0..at.x - 2 {
            scene.step(ivec2(1, 0)).unwrap();
        }
        let frame = CellRect::of_size(scene.size());
        let zoom = Zoom::PixelsPerCell(8);
        paint(&scene, &PaintOptions::new(frame, zoom))
    };
    for step in [0, 20, 33, 55] {
        let picture = whole(&scene, ivec2(2 + step, 6));
        let places = (0..=60 * 8 - 160).flat_map(|x| (0..=12 * 8 - 80).map(move |y| (x, y)));
        let found = places.filter(|(x, y)| {
            (0..80).all(|row| {
                (0..160)
                    .all(|column| picture.get(x + column, y + row) == Some(frames[step as usize].1[row * 160 + column]))
            })
        });
        assert!(found.count() >= 1, "step {step} is not part of the picture of the whole map");
    }
}

#[test]
fn the_same_walk_gives_the_same_bytes_on_any_number_of_threads() {
    let bytes = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let scene = world();
            let walk = Itinerary::wander(&scene, 6).unwrap();
            let film = film(&scene, walk, FilmOptions::default().with_scale(2));
            (gif_of(&film), apng_of(&film))
        })
    };
    let one = bytes(1);
    for threads in [2, 5] {
        assert!(bytes(threads) == one, "{threads} threads");
    }
}

#[test]
fn walks_pass_their_points_around_walls() {
    let scene = on_text("@.#....\n..#.#..\n..#.#..\n....#..\n");
    let walk = Itinerary::along(&scene, &[ivec2(3, 0), ivec2(3, 0), ivec2(6, 3)]).unwrap();
    assert_eq!(walk.points(), [ivec2(0, 0), ivec2(3, 0), ivec2(6, 3)]);
    assert!(walk.points().iter().all(|point| walk.cells().contains(point)));
    for pair in walk.cells().windows(2) {
        assert_eq!((pair[1] - pair[0]).abs().max_element(), 1);
        assert!(scene.terrain().can_enter(pair[1]));
    }
    assert_eq!(walk.steps(), 3 + 3 + 4, "the shortest route: {:?}", walk.cells());
}

#[test]
fn impossible_walks_are_errors() {
    let scene = on_text("@.#.\n..#.\n..##\n");
    let refused = |points: &[IVec2]| Itinerary::along(&scene, points).unwrap_err().to_string();
    assert_eq!(
        refused(&[ivec2(1, 1), ivec2(4, 0)]),
        "point 4,0 of the walk is outside the map of 4x3 cells: expected 0,0 to 3,2"
    );
    assert_eq!(refused(&[ivec2(1, 1), ivec2(3, 0)]), "there is no route from 1,1 to 3,0: walls block it");
    assert_eq!(refused(&[ivec2(2, 1)]), "there is no route from 0,0 to 2,1: walls block it");
    let too_long = Itinerary::wander(&scene, 5001).unwrap_err().to_string();
    assert_eq!(too_long, "a walk of 5001 steps is too long: expected at most 5000");
    let long =
        Scene::from_map(Preset::bare_kernel(), OpacityMap::clear(3000, 1).unwrap(), Some(ivec2(0, 0)), Job::none())
            .unwrap();
    let there_and_back = Itinerary::along(&long, &[ivec2(2999, 0), ivec2(0, 0)]).unwrap_err();
    assert_eq!(there_and_back, FilmError::TooLong { steps: 5998, limit: 5000 });
}

#[test]
fn too_large_films_are_errors() {
    let long =
        Scene::from_map(Preset::bare_kernel(), OpacityMap::clear(2000, 300).unwrap(), Some(ivec2(0, 0)), Job::none())
            .unwrap();
    let walk = || Itinerary::along(&long, &[ivec2(1500, 0)]).unwrap();
    let refused = |options| Film::new(&long, walk(), options, Job::none()).unwrap_err().to_string();
    let whole = FilmOptions::default().with_crop(FilmCrop::Map);
    let message = refused(whole.clone().with_scale(9));
    assert!(message.starts_with("a frame of 18000x2700 pixels (9 per cell) is too large"), "{message}");
    let message = refused(whole.clone().with_scale(5));
    assert!(message.starts_with("a film of 1501 frames of 10000x1500 pixels is too long"), "{message}");
    let wide =
        Scene::from_map(Preset::bare_kernel(), OpacityMap::clear(9000, 1).unwrap(), Some(ivec2(0, 0)), Job::none())
            .unwrap();
    let walk = Itinerary::along(&wide, &[]).unwrap();
    let message = Film::new(&wide, walk, whole.with_scale(8), Job::none()).unwrap_err();
    assert!(message.to_string().contains("72000x8"), "{message}");
}

#[test]
fn a_film_can_have_one_frame_of_one_cell() {
    let scene = on_text("@\n");
    let walk = Itinerary::along(&scene, &[]).unwrap();
    let film = film(&scene, walk, FilmOptions::default());
    assert_eq!(film.frames(), 1);
    assert_eq!(decode_gif(&gif_of(&film)).0.len(), 1);
    assert!(decode_apng(&apng_of(&film)) == painted(&film));
}

#[test]
fn wandering_covers_ground_and_is_reproducible() {
    let scene = world();
    let walk = Itinerary::wander(&scene, 60).unwrap();
    assert_eq!(walk, Itinerary::wander(&scene, 60).unwrap());
    assert_eq!(walk.steps(), 60);
    let mut cells: Vec<IVec2> = walk.cells().to_vec();
    cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
    cells.dedup();
    assert!(cells.len() > 45, "it does not go back and forth: {} cells", cells.len());
    assert!(walk.points().windows(2).all(|pair| (pair[1] - pair[0]).abs().max_element() <= 36));
    let cave = on_text("@....\n.###.\n.#.#.\n.###.\n.....");
    let around = Itinerary::wander(&cave, 30).unwrap();
    assert_eq!(around.steps(), 30);
    let enclosed = Itinerary::wander(&on_text("###\n#@#\n###"), 30).unwrap();
    assert_eq!(enclosed.steps(), 0);
}

#[test]
fn a_film_can_be_cancelled() {
    let scene = world();
    let walk = Itinerary::wander(&scene, 4).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(true);
    let stopped = Film::new(&scene, walk.clone(), FilmOptions::default(), Job::none().cancelled_by(&stop));
    assert!(matches!(stopped, Err(FilmError::Cancelled(_))));
    let film = film(&scene, walk, FilmOptions::default());
    assert!(film.write_gif(&mut Vec::new(), Job::none().cancelled_by(&stop)).is_err());
}

#[test]
fn a_film_holds_its_scene_and_walk() {
    let scene = world();
    let walk = Itinerary::wander(&scene, 9).unwrap();
    let options = FilmOptions::default().with_scale(2).with_name("temperate").with_steps_per_frame(3);
    let first = film(&scene, walk.clone(), options.clone());
    for bytes in [gif_of(&first), apng_of(&first)] {
        let provenance = Provenance::decode(&bytes).unwrap();
        assert_eq!(provenance, first.provenance());
        let (again, points) = FilmOptions::from_provenance(&provenance).unwrap().expect("a walk");
        assert_eq!(again, options);
        let preset = Preset::from_toml(&provenance.preset, "the film").unwrap();
        let scene = Scene::generate(preset, Some(provenance.viewer.into()), Job::none()).unwrap();
        let walk_again = Itinerary::along(&scene, &points).unwrap();
        assert_eq!(walk_again.cells(), walk.cells());
        assert!(gif_of(&film(&scene, walk_again, again)) == gif_of(&first));
    }
    // A walk that continues another walk cannot be reproduced from the provenance.
    let mut walked = scene.clone();
    walked.step(ivec2(1, 0)).unwrap();
    let later = Itinerary::along(&walked, &[]).unwrap();
    assert_eq!(FilmOptions::from_provenance(&film(&walked, later, options).provenance()), Ok(None));
    // A film of another program, and a truncated film.
    let foreign = {
        let mut bytes = Vec::new();
        gif::Encoder::new(&mut bytes, 1, 1, &[0; 6])
            .unwrap()
            .write_frame(&gif::Frame::from_indexed_pixels(1, 1, [0], None))
            .unwrap();
        bytes
    };
    let message = Provenance::decode(&foreign).unwrap_err().to_string();
    assert!(message.contains("farsight did not write it"), "{message}");
    let message = Provenance::decode(&gif_of(&first)[..900]).unwrap_err().to_string();
    assert!(message.contains("cut short"), "{message}");
}

fn small_film(options: FilmOptions) -> Provenance {
    let scene = on_text("@...\n....\n");
    let walk = Itinerary::along(&scene, &[ivec2(3, 1)]).unwrap();
    film(&scene, walk, options).provenance()
}

#[test]
fn options_survive_a_round_trip() {
    for (crop, scale) in [(FilmCrop::Auto, None), (FilmCrop::Map, Some(1)), (FilmCrop::Cells(ivec2(9, 7)), Some(64))] {
        let options = FilmOptions::default()
            .with_crop(crop)
            .with_scale(scale)
            .with_colours(32)
            .with_steps_per_frame(3)
            .with_caption(false);
        let read = FilmOptions::from_provenance(&small_film(options.clone()));
        assert_eq!(read, Ok(Some((options, vec![ivec2(0, 0), ivec2(3, 1)]))));
    }
    assert_eq!(FilmOptions::from_provenance(&Provenance::default()), Ok(None));
}

#[test]
fn an_invalid_option_is_an_error_with_key_and_value() {
    for (key, value, words) in [
        ("points", json!([[1]]), "film.points: [[1]] is not valid: expected a list of cells [x, y]"),
        ("points", json!([]), "film.points: [] is not valid: expected a list of cells [x, y]"),
        ("frame", json!("half"), "film.frame: \"half\" is not valid: expected auto, map, or [columns, rows]"),
        ("frame", json!([0, 5]), "film.frame: [0,5] is not valid: expected auto, map, or [columns, rows]"),
        ("scale", json!(65), "film.scale: 65 is not valid: expected 1 to 64"),
        ("delay_cs", json!(1), "film.delay_cs: 1 is not valid: expected 2 to 6000"),
        ("colours", json!(300), "film.colours: 300 is not valid: expected 8 to 256"),
        ("every", json!(0), "film.every: 0 is not valid: expected 1 to 4294967295"),
        ("caption", json!(3), "film.caption: 3 is not valid: expected true or false"),
        (
            "versus",
            json!("[sight"),
            "film.versus: \"[sight\" is not valid: expected a preset, and states with two names",
        ),
        ("unseen", json!("dark"), "film.unseen: \"dark\" is not valid: expected remembered, mapped"),
    ] {
        let mut provenance = small_film(FilmOptions::default());
        provenance.more.get_mut("film").unwrap()[key] = value;
        assert_eq!(FilmOptions::from_provenance(&provenance).unwrap_err().to_string(), words);
    }
}

/// Returns a second state at night, with fog.
fn night(scene: &Scene) -> Box<Versus> {
    let mut preset = scene.preset().clone();
    preset.set("clock.runs", "true").unwrap();
    preset.set("clock.hour", "23").unwrap();
    preset.set("optics.visual_range_m", "400").unwrap();
    Box::new(Versus::new(preset, ["now", "23:00"].map(str::to_owned)))
}

#[test]
fn film_of_one_place_fades_to_a_second_state_and_back() {
    let scene = world();
    let stay = || Itinerary::along(&scene, &[]).unwrap();
    let options = FilmOptions::default().with_caption(false).with_delay_cs(40.0);
    let versus = night(&scene);
    let mut second = scene.clone();
    second.apply(versus.preset.clone()).unwrap();
    second.forget();
    let day = painted(&film(&scene, stay(), options.clone())).remove(0).1;
    let night = painted(&film(&second, stay(), options.clone())).remove(0).1;
    assert!(day != night);
    let frames = painted(&film(&scene, stay(), options.with_versus(versus)));
    assert_eq!(frames.len(), 21);
    assert!([0, 1, 2, 18, 20].into_iter().all(|frame| frames[frame].1 == day), "begins and ends in the first state");
    assert!([8, 10, 12].into_iter().all(|frame| frames[frame].1 == night), "shows the second state in the middle");
    for (i, pixel) in frames[5].1.iter().enumerate() {
        for ((between, day), night) in pixel.iter().zip(day[i]).zip(night[i]) {
            assert!((day.min(night)..=day.max(night)).contains(between));
        }
    }
    assert!(frames[5].1 != day && frames[5].1 != night);
}

#[test]
fn captions_name_both_states_and_the_film_is_made_again() {
    let scene = world();
    let walk = Itinerary::wander(&scene, 8).unwrap();
    let options = FilmOptions::default().with_scale(2).with_versus(night(&scene));
    let fading = film(&scene, walk.clone(), options.clone());
    let plain = film(&scene, walk.clone(), FilmOptions::default().with_scale(2));
    assert_eq!((fading.frames(), plain.frames()), (9, 9));
    assert_eq!(fading.size() - plain.size(), ivec2(0, 18), "a line for the names");
    let (frames, width) = (painted(&fading), fading.size().x as usize);
    let names = |frame: &Frame| frame.1[plain.size().x as usize * 160..][..width * 18].to_vec();
    assert!(names(&frames[0]) == names(&frames[8]) && names(&frames[0]) != names(&frames[4]));
    let provenance = fading.provenance();
    let (again, points) = FilmOptions::from_provenance(&provenance).unwrap().unwrap();
    assert_eq!(again, options);
    let scene = Scene::generate(scene.preset().clone(), Some(scene.viewer()), Job::none()).unwrap();
    let walk = Itinerary::along(&scene, &points).unwrap();
    assert!(gif_of(&film(&scene, walk, again)) == gif_of(&fading));
}

#[test]
fn wall_of_the_second_state_on_the_walk_is_an_error() {
    let scene = on_text("@...\n....\n");
    let mut preset = scene.preset().clone();
    preset.set("cells", "[{ at = [2, 0], opacity = 1.0 }]").unwrap();
    let options = FilmOptions::default().with_versus(Box::new(Versus::new(preset, Default::default())));
    let walk = |to: IVec2| Itinerary::along(&scene, &[to]).unwrap();
    let error = Film::new(&scene, walk(ivec2(3, 0)), options.clone(), Job::none()).unwrap_err().to_string();
    assert_eq!(error, "there is no route from 1,0 to 2,0: walls block it");
    assert!(Film::new(&scene, walk(ivec2(3, 1)), options, Job::none()).is_ok());
}

#[test]
fn second_state_costs_its_views_and_its_pictures() {
    let scene = world();
    let updates = |options: &FilmOptions| Film::cost(&scene, 8, options).updates();
    let plain = updates(&FilmOptions::default());
    let mut versus = night(&scene);
    let same = updates(&FilmOptions::default().with_versus(versus.clone()));
    assert!(same > 2 * plain, "{same} of {plain}");
    versus.preset.sight.radius = 60;
    assert!(updates(&FilmOptions::default().with_versus(versus)) > same);
}

#[test]
fn a_panorama_is_below_the_map_and_made_again() {
    let scene = world();
    let walk = |scene: &Scene| Itinerary::along(scene, &[scene.viewer() + ivec2(0, 3)]).unwrap();
    let options = FilmOptions::default().with_crop(FilmCrop::Cells(ivec2(40, 20))).with_caption(false);
    let with = film(&scene, walk(&scene), options.clone().with_panorama(true));
    let without = film(&scene, walk(&scene), options);
    assert_eq!((with.size(), without.size()), (ivec2(480, 360), ivec2(480, 240)));
    for ((_, below), (_, map)) in painted(&with).iter().zip(painted(&without)) {
        assert!(below[..map.len()] == map, "the map is above");
        assert!(below[map.len()..].iter().any(|pixel| *pixel != below[map.len()]));
    }
    let (again, _) = FilmOptions::from_provenance(&with.provenance()).unwrap().unwrap();
    assert!(again.panorama && !FilmOptions::from_provenance(&without.provenance()).unwrap().unwrap().0.panorama);
}

#[test]
fn a_panorama_needs_land_and_room() {
    let scene = on_text("@......\n.......\n");
    let refused = |scene: &Scene, crop, scale| {
        let walk = Itinerary::along(scene, &[scene.viewer()]).unwrap();
        let options = FilmOptions::default().with_panorama(true).with_crop(crop).with_scale(scale);
        Film::new(scene, walk, options, Job::none()).unwrap_err().to_string()
    };
    let error = refused(&scene, FilmCrop::Auto, None);
    assert_eq!(error, "a dungeon or an opacity map has no heights: a panorama needs land");
    let error = refused(&world(), FilmCrop::Cells(ivec2(10, 10)), Some(2));
    assert_eq!(error, "a panorama of 20 pixels across: expected 100 to 32768");
}
