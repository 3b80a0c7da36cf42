//! Files next to rasters: metadata of GDAL and ArcGIS, and coordinate reference systems, read and written.

use farsight::glam::ivec2;
use farsight::grid::Grid;
use farsight_scene::files::{Format, GeoKeys, Georeference, Heightmap, Provenance, Raster};

use super::{Folder, npy};

/// Keys of a projected system by its code.
fn keys_of(code: u16) -> GeoKeys {
    GeoKeys { directory: vec![1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, code], ..GeoKeys::default() }
}

/// Writes 8 × 6 cells of 30 units, whose heights are 100 and the number of the cell; the last one is 999.
fn write_dem(folder: &Folder, name: &str, keys: GeoKeys) {
    let mut values = Grid::from_fn(8, 6, |cell| (100 + cell.x + 8 * cell.y) as f32);
    values[ivec2(7, 5)] = 999.0;
    let mut raster = Raster::new("elevation", values, ivec2(0, 0), ivec2(-1, -1), Provenance::default());
    raster.georeference = Some(Georeference { corner: [500_000.0, 5_200_000.0], cell: [30.0; 2], keys });
    let format = Format::from_path(name.as_ref()).unwrap();
    folder.write(name, raster.encode(format).unwrap());
}

/// Returns corner and size of the cells of a heightmap and its EPSG code, as the program reads it.
fn place_of(folder: &Folder, name: &str) -> ([f64; 2], [f64; 2], Option<u16>) {
    folder
        .done(&format!("export -q --preset viewshed --heightmap {name} --at 1,1 --radius 2 --crop map -o placed.tif"));
    let place = Heightmap::decode(&folder.read("placed.tif"), Format::Tif).unwrap().georeference.unwrap();
    (place.corner, place.cell, place.keys.epsg())
}

/// Returns the elevations of the cells 1,0 and 7,5; `-` for no data.
fn heights_of(folder: &Folder, name: &str, flags: &str) -> String {
    let value = |cell: &str| {
        let scene = format!("export -q --preset viewshed --heightmap {name} --at 0,0 {flags} --layer elevation");
        let ended = folder.done(&format!("{scene} --cells {cell},1x1 -o - --format csv"));
        let line = ended.text().lines().nth(1).unwrap().split(',').nth(2).unwrap().to_owned();
        if line.is_empty() { "-".to_owned() } else { line }
    };
    [value("1,0"), value("7,5")].join(" ")
}

const PAM: &str = r#"<PAMDataset>
  <SRS dataAxisToSRSAxisMapping="1,2">EPSG:32633</SRS>
  <GeoTransform> 1000, 10, 0, 2000, 0, -10</GeoTransform>
  <PAMRasterBand band="2"><Scale>7</Scale></PAMRasterBand>
  <PAMRasterBand band="1">
    <Description>a &lt; b</Description>
    <NoDataValue le_hex_equiv="0000000000388F40">999</NoDataValue>
    <Offset>1000</Offset><Scale>0.5</Scale>
  </PAMRasterBand>
</PAMDataset>"#;

#[test]
fn metadata_next_to_a_raster_count_as_in_gdal() {
    let folder = Folder::new();
    write_dem(&folder, "dem.tif", keys_of(32632));
    write_dem(&folder, "dem.asc", GeoKeys::default());
    assert_eq!(heights_of(&folder, "dem.tif", ""), "101 999");
    folder.write("dem.tif.aux.xml", PAM);
    folder.write("dem.asc.aux.xml", PAM);
    for flags in ["", "--read window", "--read whole"] {
        assert_eq!(heights_of(&folder, "dem.tif", flags), "1050.5 -", "{flags}");
    }
    // GDAL takes the metadata before the keys of the file; an ASCII grid has its own position.
    assert_eq!(place_of(&folder, "dem.tif"), ([1000.0, 2000.0], [10.0; 2], Some(32633)));
    assert_eq!(heights_of(&folder, "dem.asc", ""), "1050.5 1499.5", "it declares no data of its own");
    assert_eq!(place_of(&folder, "dem.asc"), ([500_000.0, 5_200_000.0], [30.0; 2], Some(32633)));
    let said = folder.done("export --preset viewshed --heightmap dem.tif --at 0,0 -o a.csv").stderr;
    assert!(said.contains("dem.tif: its heights are its numbers × 0.5 + 1000\n"), "{said}");
    // An array has no metadata of its own.
    folder.write("dem.npy", npy(2, 1, &[101.0, 999.0]));
    folder.write("dem.npy.aux.xml", PAM.replace("1000</Off", "-50</Off"));
    let read = folder.done(
        "export -q --preset viewshed --heightmap dem.npy --cell-size 9 --at 0,0 --layer elevation -o - --format csv",
    );
    assert!(read.text().contains("\n0,0,0.5,") && read.text().contains("\n1,0,,"), "{}", read.text());
}

#[test]
fn metadata_of_a_picture_place_it_unless_a_world_file_does() {
    let folder = Folder::new();
    write_dem(&folder, "dem.tif", keys_of(32632));
    folder.done("export -q --heightmap dem.tif --at 0,0 --layer elevation -o dem.png");
    for name in ["dem.pgw", "dem.prj"] {
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    let place = |name: &str| {
        folder.done(&format!("export -q --heightmap {name} --heights 0:900 --at 1,1 --radius 2 --crop map -o a.tif"));
        Heightmap::decode(&folder.read("a.tif"), Format::Tif).unwrap().georeference.unwrap()
    };
    folder.write("dem.png.aux.xml", PAM);
    let found = place("dem.png");
    assert_eq!((found.corner, found.cell, found.keys.epsg()), ([1000.0, 2000.0], [10.0; 2], Some(32633)));
    folder.write("dem.pgw", "30 0 0 -30 15 -15");
    let found = place("dem.png");
    assert_eq!((found.corner, found.cell, found.keys.epsg()), ([0.0, 0.0], [30.0; 2], Some(32633)));
}

/// The system of New York's Long Island in US survey feet, as Esri writes it.
const LONG_ISLAND: &str = r#"PROJCS["NAD_1983_StatePlane_New_York_Long_Island_FIPS_3104_Feet",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",984250.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-74.0],PARAMETER["Standard_Parallel_1",41.0333333333333],PARAMETER["Standard_Parallel_2",40.6666666666667],PARAMETER["Latitude_Of_Origin",40.1666666666667],UNIT["US survey foot",0.304800609601219]]"#;

#[test]
fn systems_in_metadata_are_those_of_gdal_and_arcgis() {
    let folder = Folder::new();
    write_dem(&folder, "dem.asc", GeoKeys::default());
    let feet = "ncols 2\nnrows 2\nxllcorner 984000\nyllcorner 200000\ncellsize 30\n1 2 3 4\n";
    folder.write("feet.asc", feet);
    let side = |file: &str| {
        folder.done(&format!("export -q --preset viewshed --heightmap {file} --at 1,1 -o a.json"));
        let json: serde_json::Value = serde_json::from_slice(&folder.read("a.json")).unwrap();
        (json["cell_size_m"].as_f64().unwrap() * 1000.0).round()
    };
    let quoted = LONG_ISLAND.replace('"', "&quot;");
    let mercator = r#"PROJCS["m",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator"],PARAMETER["False_Easting",0],PARAMETER["False_Northing",0],PARAMETER["Central_Meridian",0],PARAMETER["Standard_Parallel_1",0],UNIT["Meter",1]]"#;
    let arcgis = |wkt: &str| {
        format!(
            "<GeodataXform xsi:type='typens:IdentityXform' xmlns:xsi='s'><SpatialReference><WKT>{wkt}</WKT></SpatialReference></GeodataXform>"
        )
    };
    let in_domain = |wkt: &str| {
        format!("<PAMDataset><Metadata domain='xml:ESRI' format='xml'>{}</Metadata></PAMDataset>", arcgis(wkt))
    };
    for (text, millimetres) in [
        (format!("<PAMDataset><SRS>{quoted}</SRS></PAMDataset>"), 9144.0),
        (format!("<PAMDataset><SRS>{LONG_ISLAND}</SRS></PAMDataset>"), 9144.0),
        (format!("<PAMDataset><SRS><![CDATA[{LONG_ISLAND}]]></SRS></PAMDataset>"), 9144.0),
        (arcgis(LONG_ISLAND), 9144.0),
        (in_domain(LONG_ISLAND), 9144.0),
        ("<PAMDataset><SRS>urn:ogc:def:crs:EPSG::2263</SRS></PAMDataset>".to_owned(), 9144.0),
        ("<PAMDataset><SRS>epsg:2263</SRS></PAMDataset>".to_owned(), 9144.0),
        ("<PAMDataset><SRS>LOCAL_CS[\"site\",UNIT[\"foot\",0.3048]]</SRS></PAMDataset>".to_owned(), 9144.0),
        // At latitude 42.45 a metre is cos φ / √(1 - e² sin² φ) = 0.739 m on the ground.
        ("<PAMDataset><SRS>EPSG:3395</SRS></PAMDataset>".to_owned(), 22_170.0),
        (format!("<PAMDataset><SRS>{mercator}</SRS></PAMDataset>"), 22_170.0),
        ("<PAMDataset><SRS></SRS><SRS/></PAMDataset>".to_owned(), 30_000.0),
        ("<PAMDataset/>".to_owned(), 30_000.0),
    ] {
        let file = if millimetres < 1e4 { "feet.asc" } else { "dem.asc" };
        folder.write(&format!("{file}.aux.xml"), &text);
        assert!((side(file) - millimetres).abs() <= 10.0, "{text}: {} mm", side(file));
    }
}

#[test]
fn metadata_that_are_not_understood_are_refused() {
    let folder = Folder::new();
    write_dem(&folder, "dem.tif", keys_of(32632));
    let band = |text: &str| format!("<PAMDataset><PAMRasterBand band=\"1\">{text}</PAMRasterBand></PAMDataset>");
    for (text, said) in [
        ("<PAMDataset><SRS>".to_owned(), "dem.tif: dem.tif.aux.xml: is damaged: "),
        ("".to_owned(), "dem.tif: dem.tif.aux.xml: is damaged: "),
        (
            "<PAMDataset><SRS>my town</SRS></PAMDataset>".to_owned(),
            "its SRS is \"my town\": expected a code such as EPSG:32632",
        ),
        ("<PAMDataset><SRS>EPSG:1</SRS></PAMDataset>".to_owned(), "its SRS is \"EPSG:1\""),
        (
            "<PAMDataset><GeoTransform>1,2,3</GeoTransform></PAMDataset>".to_owned(),
            "its GeoTransform is \"1,2,3\": expected six numbers",
        ),
        ("<PAMDataset><GeoTransform>0,1,.5,0,0,-1</GeoTransform></PAMDataset>".to_owned(), "is rotated or mirrored"),
        (band("<NoDataValue>none</NoDataValue>"), "its NoDataValue is \"none\": expected a number"),
        (band("<Scale>inf</Scale>"), "its Scale is \"inf\": expected a finite number"),
        (band("<Offset>a</Offset>"), "its Offset is \"a\": expected a number"),
        (band("<UnitType>furlong</UnitType>"), "its heights are in the unit \"furlong\""),
    ] {
        folder.write("dem.tif.aux.xml", &text);
        for flags in ["--read whole", "--read window"] {
            folder.refused(3, &format!("export --heightmap dem.tif --at 1,1 {flags} -o a.csv"), &[said]);
        }
    }
}

/// The number of cells within 250 m of the middle of a heightmap.
fn cells_within_250_m(folder: &Folder, heightmap: &str) -> usize {
    let scene = "cumulative -q --preset viewshed --at 20,20 --radius 60 --max-distance 250 --read whole";
    folder.done(&format!("{scene} --heightmap {heightmap} --count count.asc"));
    let count = String::from_utf8(folder.read("count.asc")).unwrap();
    count.lines().skip(6).flat_map(str::split_whitespace).filter(|value| *value == "1").count()
}

#[test]
fn grids_and_pictures_keep_their_system() {
    let in_feet = |code| {
        let mut keys = keys_of(code);
        keys.directory.extend([3076, 0, 1, 9002]);
        keys.directory[3] = 3;
        keys
    };
    let folder = Folder::new();
    for (keys, corner, side) in [
        (GeoKeys::geographic(), [10.0, 47.0], 1.0 / 3600.0),
        (keys_of(2263), [984_000.0, 200_000.0], 90.0),
        (keys_of(3857), [1e6, 8e6], 60.0),
        (keys_of(32632), [500_000.0, 5_200_000.0], 30.0),
        (in_feet(32632), [1_640_000.0, 17_000_000.0], 90.0),
    ] {
        let mut raster = Raster::new(
            "elevation",
            Grid::from_fn(41, 41, |_| 100.0),
            ivec2(0, 0),
            ivec2(-1, -1),
            Provenance::default(),
        );
        raster.georeference = Some(Georeference { corner, cell: [side; 2], keys: keys.clone() });
        folder.write("dem.tif", raster.encode(Format::Tif).unwrap());
        let wanted = cells_within_250_m(&folder, "dem.tif");
        assert!((100..2000).contains(&wanted), "{keys:?}: {wanted}");
        let scene = "--preset viewshed --heightmap dem.tif --at 20,20 --layer elevation --crop map";
        let said = folder.done(&format!("export {scene} -o a.asc --grey -o b.png")).stderr;
        assert!(
            said.contains("wrote a.asc and a.prj: ") && said.contains("\nwrote b.png, b.pgw and b.prj: "),
            "{said}"
        );
        assert_eq!(cells_within_250_m(&folder, "a.asc"), wanted, "{keys:?}");
        assert_eq!(cells_within_250_m(&folder, "b.png --heights 0:900"), wanted, "{keys:?}");
        folder.done("export -q --heightmap a.asc --at 1,1 -o again.tif");
        let again = Heightmap::decode(&folder.read("again.tif"), Format::Tif).unwrap().georeference.unwrap().keys;
        assert_eq!(again.epsg().or(Some(32632)), keys.epsg());
    }
    let report: serde_json::Value =
        serde_json::from_str(folder.done("export -q --heightmap dem.tif --at 1,1 -o a.asc -o a.npy --json").text())
            .unwrap();
    assert_eq!(report["files"][0]["projection_file"], "a.prj");
    assert_eq!(report["files"][1]["projection_file"], serde_json::Value::Null);
}

#[test]
fn systems_that_others_wrote_are_kept() {
    let folder = Folder::new();
    write_dem(&folder, "dem.tif", keys_of(32632));
    let export = "export -q --heightmap dem.tif --at 1,1 -o a.asc";
    folder.done(export);
    let own = folder.read("a.prj");
    // Another system of an earlier export is replaced.
    write_dem(&folder, "other.tif", keys_of(32633));
    folder.done("export -q --heightmap other.tif --at 1,1 -o a.asc");
    assert!(folder.read("a.prj") != own);
    folder.done(export);
    assert!(folder.read("a.prj") == own);
    // One without a system removes it, since it would be that of the new grid.
    let world = "export --size 64x48 --radius 10 --at 30,20 -o a.asc";
    let said = folder.done(world).stderr;
    assert!(
        said.contains("removed a.prj: it georeferenced an older picture or grid") && !folder.path("a.prj").exists()
    );
    // The same system in another text stays.
    let esri = r#"PROJCS["WGS_1984_UTM_Zone_32N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],UNIT["Meter",1.0]]"#;
    folder.write("a.prj", esri);
    folder.done(export);
    assert_eq!(folder.read("a.prj"), esri.as_bytes());
    folder.done(world);
    assert_eq!(folder.read("a.prj"), esri.as_bytes());
    // Another one, or one with heights in feet, is no file of ours.
    let grid = folder.read("a.asc");
    let heights = r#",VERTCS["NAVD88_height_(ftUS)",VDATUM["x"],PARAMETER["Direction",1.0],UNIT["US survey foot",0.304800609601219]]"#;
    for text in [esri.replace("32N", "33N"), format!("{esri}{heights}"), "my data\n".to_owned()] {
        folder.write("a.prj", &text);
        folder.refused(
            4,
            export,
            &["a.prj: could not write: the file there names another coordinate reference system"],
        );
        assert!(folder.read("a.prj") == text.as_bytes() && folder.read("a.asc") == grid, "{text}");
    }
    folder.refused(
        2,
        "export --heightmap dem.tif --at 1,1 -o a.asc -o a.prj --format asc",
        &["a.prj", "reference system of -o a.asc"],
    );
}
