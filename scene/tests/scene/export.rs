//! Scenes as files.

use farsight::glam::ivec2;
use farsight::grid::CellRect;
use farsight::sight::MethodKind;
use farsight_scene::export::{Crop, ExportOptions, PictureStyle, provenance};
use farsight_scene::files::{Content, Depth, Format, Heightmap, NumberType, Provenance};
use farsight_scene::paint::Unseen;
use farsight_scene::preset::Look;
use farsight_scene::scene::{Layer, Scene, SceneError};
use serde_json::json;

use super::{generated, in_look, on_text, small, with};

fn painted(scale: Option<u32>) -> PictureStyle {
    PictureStyle::Painted { scale, unseen: Unseen::Mapped }
}

fn bytes(scene: &Scene, format: Format, options: &ExportOptions) -> Vec<u8> {
    options.product(scene, format).unwrap().encode(format).unwrap()
}

fn size(scene: &Scene, format: Format, options: &ExportOptions) -> [i32; 2] {
    options.product(scene, format).unwrap().size().unwrap().to_array()
}

#[test]
fn crops_are_the_map_the_radius_or_the_radius_with_a_margin() {
    let mut preset = small("temperate", 1);
    preset.sight.radius = 10;
    preset.paint.legend = false;
    let mut scene = generated(preset);
    let [data, picture] = [Format::Npy, Format::Png];
    let of = |scene: &Scene, format, crop, layer| {
        size(scene, format, &ExportOptions::default().with_crop(crop).with_layer(layer).with_style(painted(Some(2))))
    };
    scene.place(ivec2(48, 40)).unwrap();
    assert_eq!(of(&scene, data, Crop::Auto, Layer::Visibility), [96, 80]);
    assert_eq!(of(&scene, data, Crop::Sight, Layer::Visibility), [21, 21]);
    assert_eq!(of(&scene, data, Crop::Map, Layer::Humidity), [96, 80]);
    assert_eq!(of(&scene, picture, Crop::Auto, Layer::Visibility), [58, 58]);
    assert_eq!(of(&scene, picture, Crop::Auto, Layer::Humidity), [192, 160]);
    assert_eq!(of(&scene, picture, Crop::Map, Layer::Visibility), [192, 160]);
    assert_eq!(of(&scene, picture, Crop::Sight, Layer::Visibility), [42, 42]);
    scene.place(ivec2(95, 0)).unwrap();
    assert_eq!(of(&scene, data, Crop::Sight, Layer::Visibility), [11, 11]);
    assert_eq!(of(&scene, picture, Crop::Auto, Layer::Visibility), [30, 30]);
}

#[test]
fn pictures_and_json_hold_their_scene() {
    let scene = generated(small("fog", 7));
    for (format, style) in
        [(Format::Png, painted(None)), (Format::Png, PictureStyle::Grey(Depth::Sixteen)), (Format::Json, painted(None))]
    {
        let options = ExportOptions::default().with_crop(Crop::Sight).with_style(style).with_name("fog");
        let provenance = Provenance::decode(&bytes(&scene, format, &options)).unwrap();
        assert_eq!(provenance.seed, 7);
        assert_eq!(provenance.viewer, scene.viewer().to_array());
        assert_eq!(provenance.version, env!("CARGO_PKG_VERSION"));
        let frame = scene.sight_frame();
        let corner = [frame.min.x, frame.min.y, frame.size().x, frame.size().y];
        assert_eq!((provenance.layer.as_str(), provenance.crop), ("visibility", Some(corner)));
        let again = farsight_scene::preset::Preset::from_toml(&provenance.preset, "provenance").unwrap();
        assert_eq!(&again, scene.preset());
        assert_eq!(ExportOptions::from_provenance(&provenance), Ok(options));
    }
}

#[test]
fn the_scene_of_a_provenance_gives_the_same_file() {
    let options = ExportOptions::default().with_style(painted(Some(5))).with_name("mist");
    let first = bytes(&generated(small("mist", 3)), Format::Png, &options);
    let provenance = Provenance::decode(&first).unwrap();
    let preset = farsight_scene::preset::Preset::from_toml(&provenance.preset, "provenance").unwrap();
    let scene = Scene::generate(preset, Some(provenance.viewer.into()), farsight::Job::none()).unwrap();
    assert!(bytes(&scene, Format::Png, &ExportOptions::from_provenance(&provenance).unwrap()) == first);
}

#[test]
fn a_picture_names_its_look_and_is_made_again_in_it() {
    for &look in Look::ALL {
        let scene = in_look(&generated(small("temperate", 4)), look);
        let options = ExportOptions::default().with_style(painted(Some(5)));
        let first = bytes(&scene, Format::Png, &options);
        let provenance = Provenance::decode(&first).unwrap();
        assert!(provenance.preset.contains(&format!("look = \"{}\"", look.name())), "{}", provenance.preset);
        let preset = farsight_scene::preset::Preset::from_toml(&provenance.preset, "provenance").unwrap();
        assert_eq!(preset.paint.look, look);
        let again = Scene::generate(preset, Some(provenance.viewer.into()), farsight::Job::none()).unwrap();
        let options = ExportOptions::from_provenance(&provenance).unwrap();
        assert!(bytes(&again, Format::Png, &options) == first, "{look:?}");
    }
}

#[test]
fn a_too_large_scale_is_an_error() {
    let scene = generated(small("temperate", 1));
    for scale in [100_000, u32::MAX] {
        for &crop in Crop::ALL {
            let options = ExportOptions::default().with_crop(crop).with_style(painted(Some(scale)));
            let error = options.product(&scene, Format::Png).map(|_| ()).unwrap_err();
            assert!(matches!(error, SceneError::PictureTooLarge { .. }), "{error}");
            assert!(error.to_string().contains(&scale.to_string()), "{error}");
        }
    }
    let zero = ExportOptions::default().with_crop(Crop::Map).with_style(painted(Some(0)));
    assert_eq!(size(&scene, Format::Png, &zero), [96, 80]);
}

#[test]
fn a_map_of_a_million_columns_gives_a_small_picture() {
    let scene = on_text(&format!("@{}", ".".repeat(999_999)), 20);
    let options = ExportOptions::default().with_crop(Crop::Map);
    let [width, height] = size(&scene, Format::Png, &options);
    assert!((1000..=2001).contains(&width) && height >= 1, "{width}x{height}");
}

#[test]
fn exports_are_reproducible_in_every_format() {
    let [first, second] = [(); 2].map(|()| generated(small("night-lantern", 5)));
    for format in Format::ALL.iter().copied().filter(|format| format.is_written()) {
        let options = ExportOptions::default().with_crop(Crop::Sight);
        let bytes_of = |scene| bytes(scene, format, &options);
        let once = bytes_of(&first);
        assert!(!once.is_empty());
        assert!(once == bytes_of(&second), "{format}");
    }
}

#[test]
fn exported_values_are_those_of_the_scene() {
    let scene = generated(small("temperate", 2));
    for &layer in Layer::ALL {
        let options = ExportOptions::default().with_layer(layer).with_crop(Crop::Sight);
        let Ok(Content::Raster(raster)) = options.product(&scene, Format::Csv).map(|product| product.content) else {
            panic!("no values")
        };
        let bits = |values: &farsight::grid::Grid<f32>| values.map(|value| value.to_bits());
        assert!(bits(&raster.values) == bits(&scene.layer(layer, scene.sight_frame()).unwrap()), "{}", layer.name());
        assert_eq!(raster.top_left, scene.sight_frame().min);
        assert_eq!(raster.cell_size_m, Some(100.0));
        let [low, high] = raster.range;
        let within = |v: &f32| (low..=high).contains(v) || v.is_nan();
        assert!(low < high && raster.values.as_slice().iter().all(within), "{}", layer.name());
        if layer == Layer::Biome {
            let labels = raster.labels.as_ref().unwrap();
            for (cell, &value) in raster.values.iter() {
                let name = &labels.names[usize::from(labels.cells[cell])];
                assert_eq!(*name, farsight_scene::world::Biome::KNOWN[value as usize].name());
            }
        }
    }
}

#[test]
fn a_missing_layer_is_an_error_for_pictures_and_values() {
    let scene = on_text("@..", 3);
    for format in [Format::Png, Format::Npy] {
        let options = ExportOptions::default().with_layer(Layer::Humidity);
        let error = options.product(&scene, format).map(|_| ()).unwrap_err();
        assert_eq!(error, SceneError::NoSuchLayer("humidity"));
    }
    let opacity = ExportOptions::default().with_layer(Layer::Opacity);
    assert!(opacity.product(&scene, Format::Png).is_ok());
    assert_eq!(CellRect::of_size(scene.size()).size(), ivec2(3, 1));
}

#[test]
fn options_survive_a_round_trip() {
    let scene = generated(small("fog", 7));
    let styles = [
        PictureStyle::default(),
        PictureStyle::Painted { scale: Some(7), unseen: Unseen::Remembered },
        PictureStyle::Grey(Depth::Eight),
        PictureStyle::Grey(Depth::Sixteen),
    ];
    for style in styles {
        for &crop in Crop::ALL {
            let options =
                ExportOptions::default().with_layer(Layer::Humidity).with_crop(crop).with_style(style).with_name("fog");
            let provenance = provenance(&scene, &options, scene.sight_frame());
            assert_eq!(ExportOptions::from_provenance(&provenance), Ok(options));
        }
    }
}

#[test]
fn an_invalid_option_is_an_error_with_key_and_value() {
    let message = |layer: &str, settings: serde_json::Value| {
        let more = [("export".to_owned(), settings)].into();
        let mut provenance = Provenance::default();
        (provenance.layer, provenance.more) = (layer.into(), more);
        ExportOptions::from_provenance(&provenance).unwrap_err().to_string()
    };
    let layer = message("visibilty", json!({}));
    assert!(layer.starts_with("layer: \"visibilty\" is not valid: expected visibility, "), "{layer}");
    for (settings, words) in [
        (json!({"crop": "half"}), "export.crop: \"half\" is not valid: expected auto, map, sight"),
        (json!({"scale": -3}), "export.scale: -3 is not valid: expected 0 to 4294967295"),
        (json!({"grey": 3}), "export.grey: 3 is not valid: expected 8 or 16"),
        (json!({"unseen": "dark"}), "export.unseen: \"dark\" is not valid: expected remembered, mapped"),
    ] {
        assert_eq!(message("light", settings), words);
    }
}

#[test]
fn a_viewshed_is_written_as_bytes_of_0_and_1() {
    let numbers = |scene: &Scene| {
        let export = ExportOptions::default().product(scene, Format::Tif).unwrap();
        let Content::Raster(raster) = export.content else { panic!("a picture") };
        let raster = raster.into_owned();
        let decoded = Heightmap::decode(&raster.encode(Format::Tif).unwrap(), Format::Tif).unwrap();
        assert_eq!(decoded.elevation_m, raster.values);
        (raster.number_type, raster.values)
    };
    let viewshed = generated(small("viewshed", 3));
    for method in MethodKind::ALL.iter().copied().filter(|method| !method.is_binary()) {
        let (number_type, values) =
            numbers(&with(&viewshed, [("sight.method", method.name().replace('-', "_").into())]));
        assert_eq!(number_type, NumberType::Byte, "{method:?}");
        let seen = values.as_slice().iter().filter(|value| **value == 1.0).count();
        assert!(seen > 100 && seen < values.as_slice().len() - 100, "{method:?}: {seen}");
    }
    for (key, value) in [
        ("optics.visual_range_m", 5000.into()),
        ("optics.vegetation_extinction_per_m", 0.01.into()),
        ("optics.relief_softness_m", 5.into()),
        ("sight.decay.kind", "linear".into()),
    ] {
        assert_eq!(numbers(&with(&viewshed, [(key, value)])).0, NumberType::Float32, "{key}");
    }
}
